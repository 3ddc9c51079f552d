"""
Checking your gradients
=======================

A wrong gradient raises no error. Training goes on, a little worse than it could, and nobody asks why. But a derivative
is one of the few things in a program that can be checked by simply measuring it. On this page we measure derivatives,
build a checker of thirty lines, plant mistakes, and read what ``gradcheck`` says about each. Then we look for mistakes
that it misses.

You need Functions, from :doc:`/tutorials/your_own_functions/your_own_function`.

After this page you can check a derivative with ``gradcheck``, and tell a wrong derivative from a wrong measurement.
"""

# %%
# The problem
# -----------
#
# Here is a layer of a network as a single step, with a derivative written by hand. It adds a vector :math:`b` to
# every row of :math:`x W`, and takes the hyperbolic tangent. With :math:`\bar z = \bar y (1 - y^2)`, the cotangents
# are
#
# .. math::
#
#    \bar x = \bar z W^T, \qquad \bar W = x^T \bar z, \qquad \bar b = \sum_i \bar z_i
#
# The product and its transposes are those of :doc:`/tutorials/first_gradients/from_numbers_to_tensors`. Next to it is
# the same layer with a mistake: the mean of the rows instead of their sum.

import math
import time
import warnings

import matplotlib.pyplot as plt
import numpy as np

import minigrad as torch
from minigrad.teaching import expect_error

torch.set_default_dtype(torch.float64)
torch.manual_seed(0)


class Layer(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias):
        y = torch.tanh(x @ weight + bias)
        ctx.save_for_backward(x, weight, y)
        return y

    @staticmethod
    def backward(ctx, y_bar):
        x, weight, y = ctx.saved_tensors
        z_bar = y_bar * (1 - y * y)
        return z_bar @ weight.t(), x.t() @ z_bar, z_bar.sum(0)


class MeanForSum(Layer):
    @staticmethod
    def backward(ctx, y_bar):
        x_bar, weight_bar, bias_bar = Layer.backward(ctx, y_bar)
        return x_bar, weight_bar, bias_bar / len(x_bar)


# %%
# Both learn to imitate a layer with different parameters:

data = torch.randn(100, 2)
true_weight, true_bias = torch.tensor([[1.0, -2.0], [0.5, 1.0]]), torch.tensor([0.7, -0.3])
wanted = torch.tanh(data @ true_weight + true_bias)

for function in Layer, MeanForSum:
    weight, bias = torch.zeros(2, 2).requires_grad_(), torch.zeros(2).requires_grad_()
    losses = []
    for step in range(200):
        loss = ((function.apply(data, weight, bias) - wanted) ** 2).mean()
        losses.append(loss.item())
        gradients = torch.autograd.grad(loss, [weight, bias])
        with torch.no_grad():
            weight -= gradients[0]
            bias -= gradients[1]
    print(f"{function.__name__:10}  loss {losses[0]:.3f} -> {losses[-1]:.5f}")
    assert losses[-1] < losses[0] / 20

# %%
# Both losses fall. The second one stays far behind, but if you saw only that one, you would have no reason to doubt
# it. The mistake must be found some other way.
#
# Measure it
# ----------
#
# A derivative is a limit, and the quotient inside the limit needs no calculus, only the function itself:
#
# .. math::
#
#    f'(x) \approx \frac{f(x + h) - f(x)}{h}
#
# How large should :math:`h` be? Let us try a range of sizes on a function whose derivative we know. The second curve
# takes a step to either side, :math:`(f(x + h) - f(x - h)) / 2h`. The third does it in float32.


def f(x):
    return torch.exp(torch.sin(x))


def error(measured):
    true = math.exp(math.sin(1)) * math.cos(1)
    return abs(measured.item() - true) + 1e-17


steps = 10.0 ** np.arange(-14, 0.1, 0.25)
one, one_single = torch.tensor(1.0), torch.tensor(1.0, dtype=torch.float32)
forward = [error((f(one + h) - f(one)) / h) for h in steps]
central = [error((f(one + h) - f(one - h)) / (2 * h)) for h in steps]
single = [error((f(one_single + h) - f(one_single - h)) / (2 * h)) for h in steps]

for name, errors in ("one side", forward), ("both sides", central), ("float32", single):
    print(f"{name:10}  best step {steps[np.argmin(errors)]:.0e}, error {min(errors):.0e}")

# alt: Three valleys: the error of the derivative against the step h, both on logarithmic axes. With steps to both sides
#      the valley is deepest, near h = 3e-6 with an error of 1e-11. With a step to one side its bottom is near 1e-8,
#      with an error of 1e-8. In float32 the error stays above 1e-6, and is smallest near 6e-3.
# sphinx_gallery_start_ignore
figure, axes = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
axes.loglog(steps, forward, "-", label="one side")
axes.loglog(steps, central, "--", label="both sides")
axes.loglog(steps, single, ":", linewidth=2, label="both sides, float32")
axes.set(xlabel="step h", ylabel="error of the derivative", ylim=(1e-14, 1e2))
axes.legend(frameon=False)
axes.grid(alpha=0.3)
# sphinx_gallery_end_ignore
plt.show()

# %%
# Each curve is a valley. On its right side the step is too long, and the function bends on the way. That is the
# *truncation* error: it is proportional to :math:`h` for one side, and to :math:`h^2` for both, since there the first
# terms cancel. On its left side the step is too short. The two values then agree in most of their digits, and what is
# left after the subtraction is *rounding*: about :math:`u / h`, where :math:`u` is the relative precision of a
# number, :math:`10^{-16}` for a float64 and :math:`10^{-7}` for a float32.
#
# So the best one can do is about :math:`\sqrt{u}` with one side, which is half of the digits, and :math:`u^{2/3}`
# with both, two thirds of them. Of the seven digits of a float32 that leaves four or five, if the step is chosen
# well. With the step that is best for a float64, hardly one is left.

assert min(central) < min(forward) / 10 < min(single) / 1000

i = np.argmin(abs(steps - 1e-2))
slope = np.log10(central[i + 4] / central[i])               # four steps to a power of ten
print(f"ten times the step, error times 10 to the power {slope:.2f}")
assert 1.9 < slope < 2.1
best = np.argmin(central)
assert max(single[best - 2 : best + 3]) > 0.01      # a single error may be small by chance

# %%
# All entries
# -----------
#
# The layer has 100 times 2 outputs, and many inputs. Each output has a derivative with respect to each input.
# Together they are the *Jacobian*: a row for each output, a column for each input. Measuring moves one *input* at a
# time, and so gives a column:


def measured(function, inputs, number, h=1e-6):
    x, columns = inputs[number].detach(), []
    for i in range(x.numel()):
        start = x.view(-1)[i].item()
        x.view(-1)[i] = start + h
        above = function(*inputs).detach()
        x.view(-1)[i] = start - h
        below = function(*inputs).detach()
        x.view(-1)[i] = start
        columns.append((above - below).view(-1) / (2 * h))
    return torch.stack(columns, 1)


# %%
# (``x`` shares its memory with the input, so writing to ``x`` moves the input.)
#
# ``backward`` gives a row. Send in the cotangent 1 at one *output*, and 0 at all others, and out come the derivatives
# of this output with respect to every input.


def computed(function, inputs, number):
    y, rows = function(*inputs), []
    for j in range(y.numel()):
        cotangent = torch.zeros_like(y)
        cotangent.view(-1)[j] = 1
        (row,) = torch.autograd.grad(y, inputs[number], cotangent, retain_graph=True)
        rows.append(row.reshape(-1))
    return torch.stack(rows)


def check(function, inputs):
    for number in range(len(inputs)):
        by_columns = measured(function, inputs, number)
        by_rows = computed(function, inputs, number)
        if not torch.allclose(by_rows, by_columns, rtol=1e-3, atol=1e-5):
            print(f"{tuple(by_rows.shape)} derivatives for input {number}: wrong")
            return False
        print(f"{tuple(by_rows.shape)} derivatives for input {number}: right")
    return True


x = torch.randn(3, 2, requires_grad=True)
weight = torch.randn(2, 2, requires_grad=True)
bias = torch.randn(2, requires_grad=True)
inputs = x, weight, bias

assert check(Layer.apply, inputs)
assert not check(MeanForSum.apply, inputs)

# %%
# There it is. A few inputs are enough, three samples instead of a hundred: the mistake is in the formula, and the
# formula is the same for all sizes.
#
# gradcheck
# ---------
#
# ``torch.autograd.gradcheck`` is this checker, with the same step and the same tolerances. They come from the
# picture. With a step of :math:`10^{-6}` to both sides, a float64 gives about ten digits. An absolute error of
# :math:`10^{-5}` and a relative one of :math:`10^{-3}` leave plenty of room for steep functions. Mistakes in formulas
# are seldom that small.
#
# It answers ``True``, or it raises an error with a report.

assert torch.autograd.gradcheck(Layer.apply, inputs)


def report(function, inputs, *starts, **options):
    """What ``gradcheck`` says; printed are the lines with one of these starts, or all."""
    with expect_error(RuntimeError, starts=starts) as caught:
        torch.autograd.gradcheck(function, inputs, **options)
    return str(caught.error)


said = report(MeanForSum.apply, inputs)
assert "averaged (mean) over the broadcast axes where it must be summed" in said

# %%
# Input 2 is ``bias``. Of its 12 derivatives six should be 0, and are; the others are a third of what they should be.
# The report has also counted the rows, and says whose ``backward`` is to blame.
#
# Planted mistakes
# ----------------
#
# Here are seven more. For each we look at two lines of the report: which derivative is worst, and what may be the
# cause.


def forgets_cotangent(x, weight, y, y_bar):
    z_bar = 1 - y * y
    return z_bar @ weight.t(), x.t() @ z_bar, z_bar.sum(0)


def changed(of_x=lambda g: g, of_weight=lambda g: g, of_bias=lambda g: g.sum(0)):
    def backward(x, weight, y, y_bar):
        z_bar = y_bar * (1 - y * y)
        return of_x(z_bar @ weight.t()), of_weight(x.t() @ z_bar), of_bias(z_bar)

    return backward


mistakes = {
    "a factor": changed(of_x=lambda g: 2 * g),
    "a sign": changed(of_weight=lambda g: -g),
    "a transpose": changed(of_weight=lambda g: g.t()),
    "the sum over the rows": changed(of_bias=lambda g: g[0]),
    "one of the gradients": changed(of_bias=lambda g: None),
    "two rows exchanged": changed(of_x=lambda g: g.flip(0)),
    "the cotangent": forgets_cotangent,
}


def layer_with(backward):
    class Wrong(Layer):
        @staticmethod
        def backward(ctx, y_bar):
            return backward(*ctx.saved_tensors, y_bar)

    return Wrong.apply


causes = {}
for name, backward in mistakes.items():
    print(f"-- {name}")
    causes[name] = report(layer_with(backward), inputs, "worst entry", "likely cause")

for name, words in [
    ("a factor", "every entry is 2 times"),
    ("a sign", "the sign"),
    ("a transpose", "a transpose"),
    ("the sum over the rows", "a sum is missing"),
    ("one of the gradients", "no gradient arrives"),
    ("two rows exchanged", "the right values for the wrong entries"),
    ("the cotangent", "multiply by the incoming gradient"),
]:
    assert words in causes[name], name

# %%
# The causes are guessed: ``gradcheck`` tries what would make its two tables agree. If nothing does, it stays silent
# about the cause, and the numbers are all you have. Forget a transpose *inside* a product, and the result is not the
# transpose of anything:

silent = layer_with(lambda x, weight, y, y_bar: (
    (y_bar * (1 - y * y)) @ weight,             # should be weight.t()
    x.t() @ (y_bar * (1 - y * y)), (y_bar * (1 - y * y)).sum(0),
))
said = report(silent, inputs)
assert "likely cause" not in said

# %%
# When the measurement is wrong
# -----------------------------
#
# Not every failure is a mistake in the derivative. The picture shows why float32 cannot be measured with a step of
# :math:`10^{-6}`. The same happens if a function computes in float32 *inside*, even if its input and output are
# float64:

numbers = torch.tensor([-1.0, 0.3, 1.0], requires_grad=True)

with warnings.catch_warnings():
    warnings.simplefilter("ignore")             # it warns, before it fails
    single = numbers.detach().float().requires_grad_()
    said = report(torch.sin, single, "numerical", "analytical", "likely cause")
assert "the precision of torch.float32" in said


def single_inside(x):
    return torch.sin(x.float()).double()


said = report(single_inside, numbers, "numerical", "analytical", "likely cause")
assert "with steps of 0.001 the two agree" in said

# %%
# .. folded:: Such a function, a random one, one that trembles, and a corner
#
# If you must check such a function, take a larger step and larger tolerances:

assert torch.autograd.gradcheck(single_inside, numbers, eps=1e-3, atol=1e-3, rtol=1e-2)

# %%
# A function that gives a different result each time, such as ``dropout``, cannot be measured at all. Fix the seed
# inside it.

ones = torch.ones(5).requires_grad_()
said = report(torch.nn.functional.dropout, ones, "likely cause")
assert "not deterministic" in said


def with_seed(x):
    torch.manual_seed(3)
    return torch.nn.functional.dropout(x)


assert torch.autograd.gradcheck(with_seed, ones)

# %%
# The same holds for ``backward``. Each row is computed twice, and must come out the same, bit for bit. Some libraries
# add in whatever order their threads finish. For these, ``nondet_tol`` sets the difference that you are willing to
# overlook.

trembling = layer_with(changed(of_x=lambda g: g * (1 + 1e-12 * torch.rand(()))))
said = report(trembling, inputs)
assert "not reentrant" in said
assert torch.autograd.gradcheck(trembling, inputs, nondet_tol=1e-10)

# %%
# And at a corner there is nothing to compare with:

at_corner = torch.tensor([-1.0, 0.0, 1.0], requires_grad=True)
said = report(torch.relu, at_corner, "likely cause")
assert "kink" in said

# %%
# Second derivatives
# ------------------
#
# ``gradgradcheck`` applies the same test to ``backward``. It treats ``backward`` as a function from the inputs and
# the cotangents to the gradients, and checks that function. The layer passes, as it saves only inputs and outputs and
# computes with recorded operations. (When it does not pass:
# :doc:`/tutorials/your_own_functions/double_backward_of_your_own_function`.)

# teaches: gradgradcheck
assert torch.autograd.gradgradcheck(Layer.apply, inputs)

# %%
# The cotangents are chosen at random. If your ``backward`` is meant for particular ones, pass them:

y_bar = torch.ones(3, 2, requires_grad=True)
assert torch.autograd.gradgradcheck(Layer.apply, inputs, grad_outputs=[y_bar])

# %%
# Complex numbers
# ---------------
#
# .. folded:: A conjugate that is missing, and a step without rounding
#
# A complex input can be moved along two axes, and a complex output is two real ones. ``gradcheck`` does all of that.
# For a function like :math:`z^2`, ``backward`` must multiply by the *conjugate* of the derivative, which is easily
# forgotten:


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z):
        ctx.save_for_backward(z)
        return z * z

    @staticmethod
    def backward(ctx, d):
        (z,) = ctx.saved_tensors
        return 2 * z * d                        # should be 2 * z.conj() * d


z = torch.randn(3, dtype=torch.complex128, requires_grad=True)
said = report(Square.apply, z)
assert "a conjugate is missing, or there is one too many" in said

# %%
# Where complex numbers are allowed, they also offer a better way to measure. Take a step in the direction of
# :math:`i`, and look at the imaginary part. Nothing is subtracted, so no digits are lost, and the step may be as
# short as you like:

h = 1e-100
print(f"error {error(f(torch.complex(one, torch.tensor(h))).imag / h):.0e}")
assert error(f(torch.complex(one, torch.tensor(h))).imag / h) < 1e-15

# %%
# Forward mode, and many at once
# ------------------------------
#
# .. folded:: For later: two more options, for forward mode and for vmap
#
# For forward mode, a Function may define one more derivative, ``jvp``. It receives the change of each input,
# and returns that of the output. ``check_forward_ad`` checks it against the same measurement. With
# ``check_backward_ad=False`` nothing else is checked.


# teaches: Function.jvp, save_for_forward
class ForwardLayer(Layer):
    @staticmethod
    def forward(ctx, x, weight, bias):
        y = Layer.forward(ctx, x, weight, bias)
        ctx.save_for_forward(x, weight, y)
        return y

    @staticmethod
    def jvp(ctx, x_change, weight_change, bias_change):
        x, weight, y = ctx.saved_tensors
        return (x_change @ weight + x @ weight_change + bias_change) * (1 - y * y)


class ForgetsBias(ForwardLayer):
    @staticmethod
    def jvp(ctx, x_change, weight_change, bias_change):
        x, weight, y = ctx.saved_tensors
        return (x_change @ weight + x @ weight_change) * (1 - y * y)


assert torch.autograd.gradcheck(ForwardLayer.apply, inputs, check_forward_ad=True)
said = report(ForgetsBias.apply, inputs, check_forward_ad=True)
assert "the mistake is in the forward derivative alone" in said

# %%
# And ``check_batched_grad`` sends several cotangents through ``backward`` at once, with ``vmap``
# (:doc:`/tutorials/forward_and_beyond/per_sample_gradients`). A ``backward`` that branches on the values of its
# cotangent passes every other test, and fails here:


class LooksFirst(Layer):
    @staticmethod
    def backward(ctx, y_bar):
        if not y_bar.any():
            return None, None, None             # nothing to do: a good idea?
        return Layer.backward(ctx, y_bar)


assert torch.autograd.gradcheck(Layer.apply, inputs, check_batched_grad=True)
assert torch.autograd.gradcheck(LooksFirst.apply, inputs)
said = report(LooksFirst.apply, inputs, check_batched_grad=True)
assert "data-dependent control flow" in said

# %%
# Large functions
# ---------------
#
# .. folded:: A check that takes two calls
#
# Measuring :math:`n` inputs takes :math:`2n` calls, and :math:`m` outputs take :math:`m` backward passes. If you
# cannot make the function small, use ``fast_mode``. It moves all inputs at once, in one random direction, and mixes
# all outputs. That takes two calls and one pass, and leaves a single number to compare.

wide = torch.randn(60, 50, requires_grad=True)


def row_sums(x):
    return torch.tanh(x @ x.t()).sum(1)


for fast_mode in False, True:
    begun = time.perf_counter()
    assert torch.autograd.gradcheck(row_sums, wide, fast_mode=fast_mode)
    print(f"fast_mode={fast_mode}: {(time.perf_counter() - begun) * 1000:.0f} ms")

# %%
# A mixture hides what is small in it. Here one derivative of a thousand is wrong by five percent:


class OneWrong(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sin(x)

    @staticmethod
    def backward(ctx, y_bar):
        (x,) = ctx.saved_tensors
        gradient = y_bar * torch.cos(x)
        gradient[7] *= 1.05
        return gradient


many, few = (torch.linspace(-1, 1, n).requires_grad_() for n in (1000, 10))
assert torch.autograd.gradcheck(OneWrong.apply, many, fast_mode=True)           # missed
assert not torch.autograd.gradcheck(
    OneWrong.apply, few, fast_mode=True, raise_exception=False
)                                                                               # found

# %%
# Wrong, and passed
# -----------------
#
# ``gradcheck`` looks at one point. It does not say that a derivative is right; it says that it is right *here*. Some
# points make a wrong derivative look right.
#
# **A point on one side.** This ``backward`` forgets the slope for negative numbers. At positive points nobody will
# notice:


class Leaky(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.where(x > 0, x, 0.1 * x)

    @staticmethod
    def backward(ctx, y_bar):
        (x,) = ctx.saved_tensors
        return torch.where(x > 0, y_bar, 0)


positive = torch.tensor([0.5, 1.0, 2.0], requires_grad=True)
assert torch.autograd.gradcheck(Leaky.apply, positive)
assert not torch.autograd.gradcheck(Leaky.apply, numbers, raise_exception=False)

# %%
# .. folded:: More of what a check does not see
#
# **A point that is too regular.** A symmetric matrix is its own transpose, so the transpose that ``silent`` forgets
# makes no difference. Matrices of ones or zeros hide it as well. Use random numbers and different sizes, such as
# three rows and two columns.

symmetric = (weight + weight.t()).detach().requires_grad_()
assert torch.autograd.gradcheck(silent, (x, symmetric, bias))

# %%
# **A function that is too small.** Its derivatives are smaller than the absolute tolerance. Then *no derivative at
# all* is good enough. Scale the function up, or set ``atol`` to suit it.


def cut(x):
    return 1e-6 * torch.sin(x).detach() + 0 * x


assert torch.autograd.gradcheck(cut, numbers)
assert not torch.autograd.gradcheck(cut, numbers, atol=1e-9, raise_exception=False)

# %%
# **An input that was forgotten.** Only inputs that require gradients are checked. Integers cannot, so positions are
# passed over, as they should be. But so is a weight that was made without ``requires_grad``, and with it its whole
# derivative:


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x * weight

    @staticmethod
    def backward(ctx, y_bar):
        x, weight = ctx.saved_tensors
        return y_bar * weight, y_bar * weight   # should be y_bar * x


factors = torch.tensor([0.5, 2.0, 3.0])
positions = torch.tensor([2, 0])
missed = torch.autograd.gradcheck(Product.apply, (numbers, factors))
factors.requires_grad_()
found = not torch.autograd.gradcheck(
    Product.apply, (numbers, factors), raise_exception=False
)
print("passed without requires_grad:", missed, "  found with it:", found)
assert missed and found
assert torch.autograd.gradcheck(lambda x, i: x[i], (numbers, positions))

# %%
# If no input at all requires gradients, there is nothing to check, and that is an error:

with expect_error(ValueError) as caught:
    torch.autograd.gradcheck(torch.sin, torch.ones(2))
assert "requires_grad" in str(caught.error)

# %%
# **A corner that is in the middle.** The absolute value has the slope -1 on the left and 1 on the right. Measured to
# both sides that is 0, and 0 is what autograd says, too. Both are as good as any number between -1 and 1.

assert torch.autograd.gradcheck(torch.abs, at_corner)

# %%
# So: double precision, few numbers, random ones, from every branch and away from the corners. And once more when the
# formula has changed.
#
# Summary
# -------
#
# - A derivative can be measured. A step of :math:`10^{-6}` to both sides gives ten digits in float64, and hardly one
#   in float32.
# - ``gradcheck`` compares the measured Jacobian, column by column, with the computed one, row by row, and guesses
#   causes.
# - It checks one point. Choose random numbers, different sizes, every branch, and keep away from corners.
# - ``gradgradcheck``, complex inputs, ``check_forward_ad`` and ``check_batched_grad`` check the rest.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Draw the errors of the picture for :math:`f(x) = \sin(100 x)`. Which of the two walls moves, and where is the
#    best step now? Derive it: for which :math:`h` is :math:`c h^2 + u / h` smallest?
# 2. Plant a mistake of your own for which ``gradcheck`` names no cause, and one for which it names a wrong one. Hint:
#    what does it make of ``x * x.detach()``?
# 3. ``gradcheck`` moves the entries of its inputs and leaves them as they were. Which functions of yours would be
#    measured wrongly if it moved *copies* of them?
