"""
Forward mode and dual numbers
=============================

``backward`` starts at the result and asks what it depends on. Forward mode starts at an input, sets it in motion, and
watches what moves. The derivative travels along with the value, step by step, and is there when the result is. Nothing
has to be kept, and there is no backward pass. On this page you build forward mode from pairs of numbers, use it with
tensors, and learn to tell when it is the better way and when it is a thousand times worse.

After this page you can extend dual numbers by an operation, or to second derivatives, and write and check the ``jvp``
of a Function of your own.

You need gradients, from :doc:`/tutorials/first_gradients/gradients_of_one_expression`, and Functions, from
:doc:`/tutorials/your_own_functions/your_own_function`.
"""

# %%
# The problem
# -----------
#
# In 1672 the astronomer Jean Richer took a pendulum clock to Cayenne, near the equator, and found that it ran slow
# there: by 2 minutes and 28 seconds a day, as Newton reports (*Principia*, book III, proposition 20). Gravity is
# weaker near the equator. How much does a clock depend on it?
#
# A pendulum of length :math:`l` at the angle :math:`\theta` has the acceleration
#
# .. math::
#
#    \ddot\theta = -\frac{g}{l} \sin\theta
#
# We follow it for twenty seconds, in 400 small steps.

import math
import time
import tracemalloc

import matplotlib.pyplot as plt

import minigrad as torch
from minigrad.teaching import expect_error

torch.set_default_dtype(torch.float64)

length, step = 0.994, 0.05          # metres, seconds


def swing(gravity, start, sin):
    """The angle after each of 400 steps."""
    angle, speed, angles = start, 0.0, []
    for _ in range(400):
        speed = speed + gravity * sin(angle) * (-step / length)
        angle = angle + speed * step
        angles.append(angle)
    return angles


paris, cayenne = 9.809, 9.780
print("after 20 seconds: ", end="")
for place, gravity in ("Paris", paris), ("Cayenne", cayenne):
    print(f"{swing(gravity, 0.3, math.sin)[-1]:.4f} in {place}", end="  ")

# %%
# How do these angles depend on :math:`g`, all 400 of them? ``backward`` finds out what *one* result depends on, so we
# need a pass for each.

g = torch.tensor(paris, requires_grad=True)
angles = swing(g, torch.tensor(0.3), torch.sin)

start = time.perf_counter()
backwards = [torch.autograd.grad(angle, g, retain_graph=True)[0] for angle in angles]
seconds_backward = time.perf_counter() - start

backwards = torch.stack(backwards)
print(f"{len(backwards)} passes, the last derivative is {backwards[-1].item():.6f}")

# %%
# Each pass goes back to the start through everything before its angle, and finds a single number there. We are
# working in the wrong direction.
#
# The idea
# --------
#
# Let :math:`x` move with speed 1, and ask of every number that is computed from it how fast *it* moves. We carry a
# pair: the value, called the *primal*, and its speed, called the *tangent*. Each step of the computation needs a rule
# that makes a new pair from pairs, and these are the rules of differentiation:
#
# .. math::
#
#    (a, \dot a) + (b, \dot b) &= (a + b, \; \dot a + \dot b) \\
#    (a, \dot a) \cdot (b, \dot b) &= (a b, \; \dot a b + a \dot b) \\
#    \sin (a, \dot a) &= (\sin a, \; \dot a \cos a)
#
# By hand, for :math:`x^2 \sin x` at :math:`x = 3`:
#
# .. code-block:: text
#
#    x          =  (3, 1)
#    x * x      =  (3 * 3, 1 * 3 + 3 * 1)                  =  (9, 6)
#    sin(x)     =  (sin 3, 1 * cos 3)                      =  (0.1411, -0.9900)
#    product    =  (9 * 0.1411, 6 * 0.1411 + 9 * -0.9900)  =  (1.2701, -8.0632)
#
# Such pairs are called *dual numbers* and written :math:`a + \dot a \varepsilon`, where :math:`\varepsilon` is not 0,
# but its square is. With :math:`\varepsilon^2 = 0` the product rule need not be memorized; it follows by multiplying
# out:
#
# .. math::
#
#    (a + \dot a \varepsilon)(b + \dot b \varepsilon) = a b + (\dot a b + a \dot b) \, \varepsilon
#
# In Python a dual number is a small class.


class Pair:
    def __init__(self, primal, tangent=0.0):
        self.primal, self.tangent = primal, tangent

    def __add__(self, other):
        other = other if isinstance(other, Pair) else Pair(other)
        return Pair(self.primal + other.primal, self.tangent + other.tangent)

    def __mul__(self, other):
        other = other if isinstance(other, Pair) else Pair(other)
        tangent = self.tangent * other.primal + self.primal * other.tangent
        return Pair(self.primal * other.primal, tangent)

    __radd__, __rmul__ = __add__, __mul__


def sin_of_pair(x):
    return Pair(math.sin(x.primal), x.tangent * math.cos(x.primal))


x = Pair(3.0, 1.0)
y = x * x * sin_of_pair(x)
print(f"({y.primal:.4f}, {y.tangent:.4f})")

assert math.isclose(y.tangent, 2 * 3 * math.sin(3) + 9 * math.cos(3))

# %%
# A constant does not move, so its tangent is 0. The pendulum runs on pairs unchanged, and when it stops, the
# derivatives of all 400 angles are there:

pairs = swing(Pair(paris, 1.0), Pair(0.3), sin_of_pair)
assert torch.allclose(torch.tensor([pair.tangent for pair in pairs]), backwards)

# %%
# With tensors
# ------------
#
# minigrad knows the rule of every operation. You need three names:
#
# - ``dual_level()`` is a block in which tensors may have a tangent.
# - ``make_dual(x, tangent)`` returns a tensor with the values of ``x`` that moves as the tangent says.
# - ``unpack_dual(y)`` splits a result into ``primal`` and ``tangent``.

# teaches: forward_ad, dual_level, make_dual, unpack_dual
fwAD = torch.autograd.forward_ad

with fwAD.dual_level():
    start = time.perf_counter()
    g = fwAD.make_dual(torch.tensor(paris), torch.tensor(1.0))
    angles = torch.stack(swing(g, torch.tensor(0.3), torch.sin))
    primal, tangent = fwAD.unpack_dual(angles)
    seconds_forward = time.perf_counter() - start

assert torch.allclose(tangent, backwards)
assert tangent.grad_fn is None and angles.grad_fn is None
print(f"forwards {seconds_forward:.3f} s, backwards {seconds_backward:.3f} s")

# %%
# This took one pass instead of four hundred, and no graph: nothing here requires grad, and nothing was recorded.
#
# So how slow was the clock? When the pendulum hangs straight down, the angle in Cayenne differs from that in Paris by
# the tangent times the difference of gravity. Divided by the speed of the angle, this is a time.

passing = max(i for i in range(1, 399) if primal[i - 1] < 0 <= primal[i])
speed = (primal[passing + 1] - primal[passing - 1]) / (2 * step)
late = -tangent[passing] * (cayenne - paris) / speed
per_day = (late / ((passing + 1) * step)).item() * 24 * 60 * 60
print(f"{per_day:.0f} seconds a day")

exact = (paris - cayenne) / (2 * paris) * 24 * 60 * 60
assert abs(per_day - exact) < 0.02 * exact

# %%
# A little over two minutes, not far from Richer's observation. (The period is proportional to :math:`1/\sqrt g`, so
# on paper the clock loses the fraction :math:`-\delta g / 2g` of a day.)

times = [(i + 1) * step for i in range(400)]
# alt: Two curves over twenty seconds, one above the other. Above, the angle swings between -0.3 and 0.3, ten times.
#      Below, its tangent, the derivative with respect to g, swings too, and further each time: its peaks follow the
#      straight dashed line 0.3 pi t / 2g.
# sphinx_gallery_start_ignore
figure, (above, below) = plt.subplots(
    2, sharex=True, figsize=(6.4, 4.4), layout="constrained"
)
above.plot(times, primal.numpy(), color="tab:blue")
above.set(ylabel="angle")
below.plot(times, tangent.numpy(), color="tab:orange", label="tangent")
envelope = [0.3 * math.pi * t / (2 * paris) for t in times]
below.plot(times, envelope, "--", color="tab:gray", label="0.3 π t / 2g")
below.set(xlabel="seconds", ylabel="d angle / d g")
below.legend(frameon=False, loc="upper left")
for axes in above, below:
    axes.grid(alpha=0.3)
# sphinx_gallery_end_ignore
plt.show()

# %%
# With another :math:`g` the pendulum runs a little faster or slower, so the difference grows with time.
#
# A direction
# -----------
#
# If there are several inputs, all of them can move at once. Their speeds are the components of a *direction*
# :math:`v`, and what comes out is the derivative in that direction. With the Jacobian :math:`J`, the table of the
# derivatives of all results with respect to all inputs, it is the product :math:`J v`: a *Jacobian-vector product*.
# (``backward`` computes the other product, :math:`v^T J`.)


def push(v_gravity, v_start):
    with fwAD.dual_level():
        g = fwAD.make_dual(torch.tensor(paris), torch.tensor(v_gravity))
        start = fwAD.make_dual(torch.tensor(0.3), torch.tensor(v_start))
        return fwAD.unpack_dual(torch.stack(swing(g, start, torch.sin))).tangent


both = push(2.0, -0.1)
assert torch.allclose(both, 2.0 * push(1.0, 0.0) - 0.1 * push(0.0, 1.0))

# %%
# The product is linear in the direction, so the directions of the single inputs determine all others. A direction
# takes one pass, and the whole Jacobian as many passes as there are inputs.
#
# Views and writes
# ----------------
#
# The tangent of a tensor is a tensor of the same shape. Whatever happens to the numbers happens to their tangents: a
# view of one is a view of the other, and a write to one is a write to the other.
#
# .. code-block:: text
#
#    y           [ 1   4   9  16 ]          tangent   [ 2   4   6   8 ]
#    y[1:3]          [ 4   9 ]                            [ 4   6 ]
#
#    y[1:3].mul_(10)
#
#    y           [ 1  40  90  16 ]          tangent   [ 2  40  60   8 ]

with fwAD.dual_level():
    x = fwAD.make_dual(torch.tensor([1.0, 2.0, 3.0, 4.0]), torch.ones(4))
    y = x * x
    last_two = y[2:]
    y[1:3].mul_(10)
    print(y)
    assert fwAD.unpack_dual(y).tangent.tolist() == [2, 40, 60, 8]
    assert fwAD.unpack_dual(last_two).tangent.tolist() == [60, 8]

# %%
# .. folded:: Forward mode can even do what reverse mode must refuse
#
# In :doc:`/tutorials/in_place/views_and_history` we filled a
# table in a loop, and ``backward`` raised an error: a product had kept a number in memory that was overwritten
# afterwards. Forward mode keeps nothing. The tangent of a product is computed at once, and later writes cannot spoil
# it.

series = torch.tensor([3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0])


def smooth(a):
    y = torch.zeros(len(series))
    y[0] = series[0]
    for i in range(1, len(series)):
        y[i] = a * y[i - 1] + (1 - a) * series[i]
    return y


with expect_error(RuntimeError):
    smooth(torch.tensor(0.7, requires_grad=True)).sum().backward()

with fwAD.dual_level():
    a = fwAD.make_dual(torch.tensor(0.7), torch.tensor(1.0))
    slope = fwAD.unpack_dual(smooth(a)).tangent
print("forwards:", slope)

h = 1e-6
measured = (smooth(torch.tensor(0.7 + h)) - smooth(torch.tensor(0.7 - h))) / (2 * h)
assert torch.allclose(slope, measured)

# %%
# What it costs
# -------------
#
# *Memory.* Consider a chain of a hundred steps. Reverse mode keeps a result of each until the backward pass. Forward
# mode holds the values and tangents of the current step, however long the chain is.


def chain(x):
    for _ in range(100):
        x = torch.sin(x) * 1.1
    return x


def peak_arrays(compute):
    """Arrays of the size of `data` held at the worst moment."""
    tracemalloc.start()
    compute()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / data.nbytes


def forwards():
    with fwAD.dual_level(), torch.no_grad():
        y = chain(fwAD.make_dual(data, torch.ones_like(data)))
        return fwAD.unpack_dual(y).tangent


def in_reverse():
    x = data.clone().requires_grad_()
    return torch.autograd.grad(chain(x).sum(), x)[0]


data = torch.linspace(-1, 1, 20_000)
assert torch.allclose(forwards(), in_reverse())
held = peak_arrays(forwards), peak_arrays(in_reverse)
print(f"forwards {held[0]:.0f} arrays, in reverse {held[1]:.0f}")
assert held[0] < 10 and held[1] > 100

# %%
# (Here each number of the result depends on a single number of the input, so one direction, made of ones, gives all
# derivatives. And ``no_grad`` does not stop forward mode. It only says that no graph should be recorded, and none
# is.)
#
# *Time.* Each step computes its result and the tangent. Like reverse mode, this takes a small multiple of the time of
# the function alone. What matters is the number of passes. For :math:`n` inputs and :math:`m` results,
# the whole Jacobian takes
#
# .. code-block:: text
#
#                     passes         the pendulum           a network
#                                    n = 1,  m = 400        n = a million,  m = 1
#
#    forward mode        n           1                      a million
#    reverse mode        m           400                    1
#
# .. folded:: The factor, measured
#
# The function alone takes 1:


def seconds(compute):
    times = []
    for _ in range(5):
        start = time.perf_counter()
        compute()
        times.append(time.perf_counter() - start)
    return min(times)


alone = seconds(lambda: chain(data))
for compute in forwards, in_reverse:
    factor = seconds(compute) / alone
    print(f"{compute.__name__:10} {factor:.1f}")

# %%
# Forward over reverse
# --------------------
#
# The two modes can be combined. A gradient is a vector of results like any other. If the *input* moves in a direction
# while the gradient is computed, the gradient moves too, and its tangent is a second derivative: the product of the
# *Hessian*, the matrix of second derivatives, with the direction.


def rosenbrock(x):
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


point, direction = torch.tensor([-1.2, 1.0]), torch.tensor([1.0, 2.0])

with fwAD.dual_level():
    x = fwAD.make_dual(point.clone().requires_grad_(), direction)
    (gradient,) = torch.autograd.grad(rosenbrock(x), x, create_graph=True)
    product = fwAD.unpack_dual(gradient).tangent

a, b = point.tolist()
hessian = torch.tensor([[1200 * a ** 2 - 400 * b + 2, -400 * a], [-400 * a, 200]])
print(product.detach(), "by hand", hessian @ direction)
assert torch.allclose(product, hessian @ direction)

# %%
# For two numbers this is hardly needed. For a million numbers the Hessian has a million times a million entries, and
# the product costs no more than a few gradients. :doc:`hessian_vector_products` shows what it is good for.
#
# ``torch.func.jvp`` does the same for a function, without a block. ``torch.func.grad`` makes the function that computes
# the gradient:

_, again = torch.func.jvp(torch.func.grad(rosenbrock), (point,), (direction,))
assert torch.allclose(again, product)

# %%
# Your own Function
# -----------------
#
# A Function has a ``backward`` for reverse mode. For forward mode it needs a ``jvp``, which takes the tangents of the
# inputs and returns the tangent of the output. Tensors that it needs are saved with ``save_for_forward``. Here is the
# softplus :math:`\log(1 + e^x)` of :doc:`/tutorials/your_own_functions/your_own_function`:


# teaches: Function.jvp, save_for_forward
class Softplus(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)
        return torch.relu(x) + torch.log1p(torch.exp(-torch.abs(x)))

    @staticmethod
    def backward(ctx, y_bar):
        (x,) = ctx.saved_tensors
        return y_bar * torch.sigmoid(x)

    @staticmethod
    def jvp(ctx, x_dot):
        (x,) = ctx.saved_tensors
        return x_dot * torch.sigmoid(x)


points = torch.linspace(-3, 3, 6).requires_grad_()
assert torch.autograd.gradcheck(Softplus.apply, (points,), check_forward_ad=True)

# %%
# ``backward`` and ``jvp`` look alike here because this Jacobian is diagonal, and so it does not matter from which
# side we multiply. In general it does. For :math:`y = A x` the first is :math:`\bar x = A^T \bar y`, the second
# :math:`\dot y = A \dot x`. So ask for ``check_forward_ad=True`` whenever a Function has a ``jvp``.
#
# .. folded:: The mistake, and how ``gradcheck`` finds it
#
# Here ``jvp`` was copied from ``backward``:


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, A, x):
        ctx.save_for_backward(A)
        ctx.save_for_forward(A)
        return A @ x

    @staticmethod
    def backward(ctx, y_bar):
        (A,) = ctx.saved_tensors
        return None, A.T @ y_bar

    @staticmethod
    def jvp(ctx, A_dot, x_dot):
        (A,) = ctx.saved_tensors
        return A.T @ x_dot              # copied from backward


A = torch.tensor([[1.0, 2.0, 3.0], [0.0, 1.0, 4.0], [0.0, 0.0, 1.0]])
x = torch.tensor([0.5, -1.0, 2.0], requires_grad=True)


def linear(x):
    return Linear.apply(A, x)


assert torch.autograd.gradcheck(linear, (x,))               # backward is right
with expect_error(RuntimeError):
    torch.autograd.gradcheck(linear, (x,), check_forward_ad=True)

# %%
# What goes wrong
# ---------------
#
# **The gradient with respect to many inputs.** Take a function of 1000 numbers with one result. For its gradient,
# forward mode needs a pass for each input.


def energy(x):
    return (torch.sin(x) * torch.roll(x, 1)).sum()


x = torch.linspace(0, 5, 1000)
start = time.perf_counter()
passes, slopes = 0, []
with fwAD.dual_level():
    for direction in torch.eye(1000):
        slopes.append(fwAD.unpack_dual(energy(fwAD.make_dual(x, direction))).tangent)
        passes += 1
seconds_forward = time.perf_counter() - start

leaf = x.clone().requires_grad_()
start = time.perf_counter()
(gradient,) = torch.autograd.grad(energy(leaf), leaf)
seconds_backward = time.perf_counter() - start

assert torch.allclose(torch.stack(slopes), gradient)
print(f"{passes} passes forwards, {1000 * seconds_forward:.1f} ms")
print(f"   1 pass backwards, {1000 * seconds_backward:.1f} ms")

# %%
# All 1000 derivatives are right, but this was the wrong tool: it is the pendulum the other way round.
#
# **A tangent that is None.** ``detach``, ``item`` and NumPy cut the chain here too. There is no error; a tangent of
# ``None`` means that nothing moves.

with fwAD.dual_level():
    x = fwAD.make_dual(torch.tensor([1.0, 2.0]), torch.ones(2))
    for said, y in [
        ("x ** 2", x ** 2),
        ("x.detach() ** 2", x.detach() ** 2),
        ("x * x[0].item()", x * x[0].item()),
        ("torch.tensor(x.numpy())", torch.tensor(x.detach().numpy())),
    ]:
        tangent = fwAD.unpack_dual(y).tangent
        print(f"{said:24} tangent {tangent if tangent is None else tangent.tolist()}")
    assert tangent is None

# %%
# Beware of the third: it has a tangent, :math:`1 \cdot x_0`, and half of the product rule is missing.
#
# .. folded:: After the block
#
# A tangent belongs to its block. Take it out before the block ends.

with fwAD.dual_level():
    y = torch.sin(fwAD.make_dual(torch.tensor(0.0), torch.tensor(1.0)))
    kept = fwAD.unpack_dual(y).tangent
assert fwAD.unpack_dual(y).tangent is None and kept == 1

# %%
# Nor can a dual number be made where there is no block:

with expect_error(RuntimeError):
    fwAD.make_dual(torch.tensor(0.0), torch.tensor(1.0))

# %%
# .. folded:: Integers, another shape, a block in a block, a Function without ``jvp``
#
# All of these are refused. (``enter_dual_level`` opens a block without ``with``.)


class OnlyBackward(Softplus):
    jvp = torch.autograd.Function.jvp


ones = torch.ones(2)
for refused in [
    lambda: fwAD.make_dual(torch.tensor([1, 2]), ones),
    lambda: fwAD.make_dual(ones, torch.ones(3)),
    fwAD.enter_dual_level,
    lambda: OnlyBackward.apply(fwAD.make_dual(ones, ones)),
]:
    with fwAD.dual_level(), expect_error((RuntimeError, ValueError)):
        refused()

# %%
# Blocks do not nest, but ``torch.func.jvp`` does. A tangent of a tangent is a second derivative, and each call knows
# its own tangents:


def derivative(f):
    return lambda x: torch.func.jvp(f, (x,), (torch.ones_like(x),))[1]


x = torch.tensor(3.0)
assert torch.allclose(derivative(derivative(torch.sin))(x), -torch.sin(x))
assert derivative(lambda x: x * derivative(lambda y: x + y)(x))(x) == 1  # 2 if mixed up

# %%
# Summary
# -------
#
# - Forward mode carries a pair through the computation: the value, and how fast it moves. Nothing is kept, and
#   nothing is recorded.
# - ``make_dual`` and ``unpack_dual`` in a ``dual_level`` block, or ``torch.func.jvp`` for a function, give
#   :math:`J v`, the derivative in one direction.
# - Forward mode takes one pass per input, reverse mode one per result. Choose the smaller number.
# - Applied to a gradient, forward mode gives a Hessian-vector product.
# - A Function of your own needs ``jvp`` and ``save_for_forward``, and ``gradcheck(..., check_forward_ad=True)``.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. How does the *period* of the pendulum depend on the starting angle? Find the derivative of the time of the last
#    passing, at 0.3 and at 1.5, from one pass for each.
# 2. A driven pendulum can be chaotic. Add ``12 * cos(2.1 * t) - 1.6 * speed`` to its acceleration, follow it for 200
#    seconds, and draw its tangent with respect to the start on a logarithmic scale. How long does it take until a
#    digit of the start is lost?
# 3. A function has 20 inputs and 30 results, and each result depends on only three neighbouring inputs. How many
#    forward passes does its Jacobian take if several inputs move at once?
