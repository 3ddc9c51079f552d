"""
Forward mode and dual numbers
=============================

``backward`` starts at the result and asks what it depends on. We can also start at the input, give it a push, and watch
what moves. Then the derivative travels along with the value, step by step, and when the result is there, so is its
derivative. Nothing has to be kept, and there is no backward pass. On this page we do that with pairs of numbers, then
with tensors, and find out when it is the better way and when it is a thousand times worse.

You need gradients, from :doc:`/tutorials/first_gradients/gradients_of_one_expression`, and Functions, from
:doc:`/tutorials/your_own_functions/your_own_function`.
"""

# %%
# The problem
# -----------
#
# In 1672 Jean Richer took a pendulum clock from Paris to Cayenne, near the equator, and there it ran slow: by two and a
# half minutes a day, he wrote. Gravity is weaker there, though nobody knew that yet.
#
# A pendulum of length :math:`l` at the angle :math:`\theta` has the acceleration
#
# .. math::
#
#    \ddot\theta = -\frac{g}{l} \sin\theta
#
# We follow it for twenty seconds, in 400 small steps.

import math
import textwrap
import time
import tracemalloc

import matplotlib.pyplot as plt

import minigrad as torch

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
# So how do the angles depend on :math:`g`, all 400 of them? With ``backward``, a result says what it depends on. Four
# hundred results have to be asked one by one.

g = torch.tensor(paris, requires_grad=True)
angles = swing(g, torch.tensor(0.3), torch.sin)

start = time.perf_counter()
backwards = [torch.autograd.grad(angle, g, retain_graph=True)[0] for angle in angles]
seconds_backward = time.perf_counter() - start

backwards = torch.stack(backwards)
print(f"{len(backwards)} passes, the last derivative is {backwards[-1].item():.6f}")

# %%
# Each pass goes back to the start through everything below its angle, and there it finds only one number that anybody
# wants. This is the wrong way round.
#
# The idea
# --------
#
# Let :math:`x` move at the speed 1, and ask of each number on the way how fast *it* moves. So carry a pair: the value,
# called the *primal*, and its speed, called the *tangent*. For a step of the computation we need a rule that makes a
# new pair from pairs. These are the rules from school:
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
# Such pairs are called *dual numbers* and written :math:`a + \dot a \varepsilon`, where :math:`\varepsilon` is a
# number that is not 0, though its square is. With :math:`\varepsilon^2 = 0` there is no need to memorize the product
# rule; just multiply out:
#
# .. math::
#
#    (a + \dot a \varepsilon)(b + \dot b \varepsilon) = a b + (\dot a b + a \dot b) \, \varepsilon
#
# In Python it is a class.


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
# A constant does not move; its tangent is 0. That is all there is to know. The pendulum runs on pairs unchanged, and
# the derivatives of all 400 angles are there when it stops:

pairs = swing(Pair(paris, 1.0), Pair(0.3), sin_of_pair)
assert torch.allclose(torch.tensor([pair.tangent for pair in pairs]), backwards)

# %%
# With tensors
# ------------
#
# minigrad knows the rule of every operation. Three names are needed:
#
# - ``dual_level()`` is a block in which tensors may have a tangent.
# - ``make_dual(x, tangent)`` gives a tensor with the values of ``x`` that moves as the tangent says.
# - ``unpack_dual(y)`` takes a result apart, into ``primal`` and ``tangent``.

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
# One pass instead of four hundred. And no graph: nothing here requires grad, and nothing was recorded.
#
# So how slow was the clock? At a moment when the pendulum hangs straight, the angle differs by the tangent times the
# difference of gravity. Divided by how fast the angle moves, that is a time.

passing = max(i for i in range(1, 399) if primal[i - 1] < 0 <= primal[i])
speed = (primal[passing + 1] - primal[passing - 1]) / (2 * step)
late = -tangent[passing] * (cayenne - paris) / speed
per_day = (late / ((passing + 1) * step)).item() * 24 * 60 * 60
print(f"{per_day:.0f} seconds a day")

exact = (paris - cayenne) / (2 * paris) * 24 * 60 * 60
assert abs(per_day - exact) < 0.02 * exact

# %%
# A little over two minutes. (The period goes with :math:`1/\sqrt g`, so on paper the clock loses the fraction
# :math:`-\delta g / 2g` of the day.)

times = [(i + 1) * step for i in range(400)]
figure, (above, below) = plt.subplots(
    2, sharex=True, figsize=(6.4, 4.4), layout="constrained"
)
above.plot(times, primal.numpy(), color="tab:blue")
above.set(ylabel="angle")
below.plot(times, tangent.numpy(), color="tab:orange", label="tangent")
envelope = [0.3 * math.pi * t / (2 * paris) for t in times]
below.plot(times, envelope, "--", color="tab:gray", label="0.3 π t / 2g")
below.set(xlabel="seconds", ylabel="change of the angle by g")
below.legend(frameon=False, loc="upper left")
for axes in above, below:
    axes.grid(alpha=0.3)
plt.show()

# %%
# A small error of :math:`g` makes the pendulum run fast or slow, so its effect grows as time goes on.
#
# A direction
# -----------
#
# With more inputs than one, all of them can move at once. The tangents say how fast each does. They are the
# components of a *direction* :math:`v`, and what comes out is the derivative in that direction. If :math:`J` is the
# Jacobian, the table of the derivatives of all results with respect to all inputs, it is the product :math:`J v`: a
# *Jacobian-vector product*. (``backward`` gives the other product, :math:`v^T J`.)


def push(v_gravity, v_start):
    with fwAD.dual_level():
        g = fwAD.make_dual(torch.tensor(paris), torch.tensor(v_gravity))
        start = fwAD.make_dual(torch.tensor(0.3), torch.tensor(v_start))
        return fwAD.unpack_dual(torch.stack(swing(g, start, torch.sin))).tangent


both = push(2.0, -0.1)
assert torch.allclose(both, 2.0 * push(1.0, 0.0) - 0.1 * push(0.0, 1.0))

# %%
# It is linear in the direction, so the directions of the single inputs determine all others. One direction takes one
# pass; all of them take as many passes as there are inputs.
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
# Here forward mode can even do what reverse mode refused. On the page :doc:`/tutorials/trust/views_and_history` we
# filled a table in a loop, and ``backward`` raised an error: a product had kept a number in memory that was written
# to afterwards. Forward mode keeps nothing. The tangent of a product is there at once, and later writes come too late
# to spoil it.

series = torch.tensor([3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0])


def smooth(a):
    y = torch.zeros(len(series))
    y[0] = series[0]
    for i in range(1, len(series)):
        y[i] = a * y[i - 1] + (1 - a) * series[i]
    return y


try:
    smooth(torch.tensor(0.7, requires_grad=True)).sum().backward()
except RuntimeError:
    print("backwards: refused")
else:
    raise AssertionError("no error?")

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
# *Memory.* Take a chain of a hundred steps. Reverse mode keeps a result of each until the backward pass. Forward mode
# only has the values and tangents of the current step, whatever the length of the chain.


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
# (Here each number of the result depends on one number of the input only, so a single direction, of ones, gives all
# their derivatives. And ``no_grad`` does not stop forward mode. It says that no graph should be recorded, and none is.)
#
# *Time.* Each step is computed, and its tangent. How long does that take, if the function alone takes 1?


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
# That is a small factor for either mode. What counts is how many passes there are. For
# :math:`n` inputs and :math:`m` results, the whole Jacobian takes
#
# .. code-block:: text
#
#                     passes         the pendulum           a network
#                                    n = 1,  m = 400        n = a million,  m = 1
#
#    forward mode        n           1                      a million
#    reverse mode        m           400                    1
#
# Forwards over backwards
# -----------------------
#
# The two can be combined. A gradient is a vector of results like any other. Push the *input* in a direction, while the
# gradient is computed, and see how the gradient moves. That is a second derivative: the product of the matrix of
# second derivatives, the *Hessian*, with the direction.


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
# Two numbers do not need it. A million do: their Hessian has a million times a million entries, and the product costs a
# few gradients. The page :doc:`hessian_vector_products` shows what can be done with that.
#
# ``torch.func.jvp`` does the same for a function, without a block:

_, again = torch.func.jvp(torch.func.grad(rosenbrock), (point,), (direction,))
assert torch.allclose(again, product)

# %%
# Your own Function
# -----------------
#
# A Function has a ``backward`` for reverse mode. For forward mode it needs a ``jvp``, which takes the tangents of the
# inputs and returns that of the output. What it needs for that is saved with ``save_for_forward``. Here is the softplus
# of the second page, :math:`\log(1 + e^x)`:


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
# ``backward`` and ``jvp`` look alike, since this Jacobian is diagonal: multiplying from the left or from the right is
# the same. In general it is not. For :math:`y = A x` the one is :math:`\bar x = A^T \bar y`, the other is
# :math:`\dot y = A \dot x`. Let us forget about that:


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


def attempt(action, *arguments, **options):
    try:
        action(*arguments, **options)
    except (RuntimeError, ValueError) as problem:
        for line in str(problem).splitlines():
            print(textwrap.fill(line, 84, subsequent_indent=" " * 16))
    else:
        raise AssertionError("no error?")


assert torch.autograd.gradcheck(linear, (x,))               # backward is right
attempt(torch.autograd.gradcheck, linear, (x,), check_forward_ad=True)

# %%
# So ask for ``check_forward_ad=True`` whenever there is a ``jvp``.
#
# What goes wrong
# ---------------
#
# **The gradient of many inputs.** A function of 1000 numbers with one result. For its gradient, each of them must be
# pushed by itself.


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
# All 1000 numbers are right, but it was the wrong tool: this is the pendulum the other way round.
#
# **A tangent that is None.** ``detach``, ``item`` and NumPy cut the chain here too. There is no error, and a tangent of
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
# The third is the one to fear: it has a tangent, :math:`1 \cdot x_0`, and half of the product rule is missing.
#
# **After the block.** A tangent belongs to its block. Take it out before the block ends.

with fwAD.dual_level():
    y = torch.sin(fwAD.make_dual(torch.tensor(0.0), torch.tensor(1.0)))
    kept = fwAD.unpack_dual(y).tangent
assert fwAD.unpack_dual(y).tangent is None and kept == 1

# %%
# **Integers, another shape, a block in a block, a Function without jvp.** All of these are refused:


class OnlyBackward(Softplus):
    jvp = torch.autograd.Function.jvp


def in_a_block(action):
    with fwAD.dual_level():
        action()


ones = torch.ones(2)
attempt(in_a_block, lambda: fwAD.make_dual(torch.tensor([1, 2]), ones))
attempt(in_a_block, lambda: fwAD.make_dual(ones, torch.ones(3)))
attempt(in_a_block, fwAD.enter_dual_level)
attempt(in_a_block, lambda: OnlyBackward.apply(fwAD.make_dual(ones, ones)))

# %%
# Blocks do not nest, but ``torch.func.jvp`` does. A tangent of a tangent is the second derivative, and it does not
# mix up which push was which:


def derivative(f):
    return lambda x: torch.func.jvp(f, (x,), (torch.ones_like(x),))[1]


x = torch.tensor(3.0)
assert torch.allclose(derivative(derivative(torch.sin))(x), -torch.sin(x))
assert derivative(lambda x: x * derivative(lambda y: x + y)(x))(x) == 1      # 2 if it did

# %%
# Exercises
# ---------
#
# A finite difference, or the other mode, is the judge.
#
# 1. Give ``Pair`` a division, a power and an exponential. Test them on :math:`e^x / x^3`.
# 2. Let a ``Pair`` hold pairs: ``Pair(Pair(3.0, 1.0), Pair(1.0, 0.0))``. Which of the four numbers of the result is the
#    second derivative? What must ``sin_of_pair`` do for that?
# 3. How does the *period* of the pendulum depend on the starting angle? Find the derivative of the time of the last
#    passing, at 0.3 and at 1.5, from one pass for each.
# 4. A pendulum that is pushed can be chaotic. Add ``12 * cos(2.1 * t) - 1.6 * speed`` to its acceleration, follow it
#    for 200 seconds, and draw its tangent with respect to the start on a logarithmic scale. How long does a digit of
#    the start last?
# 5. A function has 20 inputs and 30 results, and each result depends on three neighbouring inputs only. How many passes
#    forwards does its Jacobian take, if you push several inputs at once?
# 6. Write the ``jvp`` of a matrix product, for tangents of both factors, either of which may be ``None``. (See
#    ``ctx.set_materialize_grads``.)
