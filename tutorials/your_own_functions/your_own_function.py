"""
Your own Function
=================

Autograd differentiates the steps that you wrote. Sometimes these are the wrong steps: the numbers overflow, the
derivative of the whole is simple and that of the parts is not, or the work is done by a library that autograd cannot
see into. In such cases you supply the derivative yourself. On this page we do that, get it wrong in several ways, and
see how each mistake is found.

You need ``backward``, from :doc:`/tutorials/first_gradients/gradients_of_one_expression`.

After this page you can write an operation with a derivative of your own, and let ``gradcheck`` judge it.
"""

# %%
# The problem
# -----------
#
# The *softplus* is a ramp without the corner:
#
# .. math::
#
#    f(x) = \log(1 + e^x)
#
# For large :math:`x` it is nearly :math:`x`, for large negative :math:`x` nearly 0. Its derivative is well behaved.
# It climbs from 0 to 1:
#
# .. math::
#
#    f'(x) = \frac{e^x}{1 + e^x} = \frac{1}{1 + e^{-x}} = \sigma(x)
#
# Let us write down the formula and differentiate it.

# teaches: Tensor.sum
import warnings

import matplotlib.pyplot as plt
import numpy as np

import minigrad as torch
from minigrad.teaching import expect_error, expect_warning

torch.set_default_dtype(torch.float64)

x = torch.tensor([-1000.0, 0.0, 1000.0], requires_grad=True)
y = torch.log(1 + torch.exp(x))
y.sum().backward()
print("value     ", y.detach())
print("derivative", x.grad)

assert y[2].isinf() and x.grad[2].isnan()

# %%
# At 1000 the value should be 1000 and the derivative 1. But :math:`e^{1000}` is too large for a float64, so the value
# is infinite. The derivative is the product of the derivatives of the steps, and these are :math:`1 / (1 + e^x) = 0`
# and :math:`e^x = \infty`. Their product is not a number.
#
# The value is easy to fix. Take out the ramp, and the exponent is never positive:
#
# .. math::
#
#    f(x) = \max(x, 0) + \log(1 + e^{-\lvert x \rvert})


def softplus_in_steps(x):
    return torch.relu(x) + torch.log1p(torch.exp(-torch.abs(x)))


x.grad = None
y = softplus_in_steps(x)
y.sum().backward()
print("value     ", y.detach())
print("derivative", x.grad)

assert y[2] == 1000 and x.grad[2] == 1
assert x.grad[1] == 0                       # it should be 1/2!

# %%
# All is well at the ends. But look at the derivative in the middle. It should be 1/2, and it is 0. Each of the two
# parts has a corner at 0; in the sum the corners cancel. Autograd sees only the parts, and for a part with a corner
# it has to choose a number. Here it chose 0 both times.
#
# Nothing is broken: autograd has differentiated what we wrote. It just is not what we meant.
#
# The idea
# --------
#
# Make the whole softplus one step, one node of the graph, with a derivative that we know to be right. A
# ``torch.autograd.Function`` is such a step. It consists of two functions:
#
# - ``forward`` takes the input and computes the output. What happens inside is not recorded.
# - ``backward`` takes the cotangent of the output and computes the cotangent of the input.
#
# The cotangent of a value is the derivative of the final result with respect to it. If :math:`\bar y` is that of the
# output, then the chain rule gives that of the input:
#
# .. math::
#
#    \bar x = \bar y \, \sigma(x)
#
# So ``backward`` does not compute a derivative. It computes the product of a cotangent with a derivative, a
# *vector-Jacobian product*. This difference will matter soon.


# teaches: autograd.Function, Function.forward, Function.backward, Function.apply
# teaches: function.FunctionCtx, FunctionCtx.save_for_backward, FunctionCtx.saved_tensors
class Softplus(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.relu(x) + torch.log1p(torch.exp(-torch.abs(x)))

    @staticmethod
    def backward(ctx, y_bar):
        (x,) = ctx.saved_tensors
        return y_bar * torch.sigmoid(x)


x.grad = None
y = Softplus.apply(x)
y.sum().backward()
print("value     ", y)
print("derivative", x.grad)

assert x.grad.tolist() == [0, 0.5, 1]

# %%
# Both are right now. ``apply`` runs ``forward`` and puts one node into the graph, named ``SoftplusBackward`` after
# our class. The node is the very object that ``forward`` received as ``ctx``, the context. It carries over what
# ``backward`` will need:

node = Softplus.apply(x).grad_fn
print(type(node).__name__, "holds", *node.saved_tensors)

# %%
# To the rest of the graph it is a node like any other. Play the backward pass: where the others show a formula, ours
# shows where its ``backward`` is written.

torch.viz.play(Softplus.apply(x).sum())

# %%
# Is it right everywhere? The judge is the finite difference. ``gradcheck`` measures every partial derivative that way
# and compares.

# teaches: gradcheck
points = torch.linspace(-3, 3, 6).requires_grad_()
print(torch.autograd.gradcheck(Softplus.apply, (points,)))

# %%
# A wrong derivative that looks right
# -----------------------------------
#
# Now for a mistake. If you believe that ``backward`` computes the derivative, you will write this:


class Forgetful(Softplus):
    @staticmethod
    def backward(ctx, y_bar):
        (x,) = ctx.saved_tensors
        return torch.sigmoid(x)             # the derivative, and nothing else


(slope,) = torch.autograd.grad(Forgetful.apply(points).sum(), points)
assert torch.allclose(slope, torch.sigmoid(points))
print("The test has passed.")

# %%
# The test was too weak. In ``y.sum()`` every entry of ``y`` counts once, so the cotangents that arrive are all
# 1, and forgetting a factor of 1 does no harm. In any larger expression it does. ``gradcheck`` sends in a cotangent
# of 1 for one output at a time, and 0 for the others:

with expect_error(RuntimeError):
    torch.autograd.gradcheck(Forgetful.apply, (points,))

# %%
# Read the report from the top.
#
# - The function has six inputs and six outputs, so it has 36 partial derivatives. The *worst entry* is the one with
#   the largest error: here, the influence of one input on an output to which it does not even contribute.
# - *Numerical* is what was measured, *analytical* is what ``backward`` says.
# - *Entries* counts how many of the 36 are wrong. All but those on the diagonal: that is 30.
# - Last comes a guess at the cause, made by trying the usual mistakes. Here it is right.
#
# The next mistake is smaller. A softplus often has a parameter :math:`\beta` for how sharply it bends:
#
# .. math::
#
#    f(x) = \frac{1}{\beta} \, \log(1 + e^{\beta x})
#
# An argument that is not a tensor does not need ``save_for_backward``; it may be kept on ``ctx``. And ``backward``
# returns one result for each argument of ``forward``, ``None`` where there is nothing to return.


# teaches: FunctionCtx.<yours>
class WrongSharp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, beta):
        ctx.save_for_backward(x)
        ctx.beta = beta
        return softplus_in_steps(beta * x) / beta

    @staticmethod
    def backward(ctx, y_bar):
        (x,) = ctx.saved_tensors
        return y_bar * ctx.beta * torch.sigmoid(ctx.beta * x), None


with expect_error(RuntimeError):
    torch.autograd.gradcheck(lambda x: WrongSharp.apply(x, 3.0), (points,))

# %%
# Six wrong entries of 36: the whole diagonal. Every one of them is 3 times too large, and 3 is :math:`\beta`. The
# inner derivative :math:`\beta` and the factor :math:`1 / \beta` in front cancel, and we have forgotten the second
# one. What remains is :math:`\sigma(\beta x)`.


class Sharp(WrongSharp):
    @staticmethod
    def backward(ctx, y_bar):
        (x,) = ctx.saved_tensors
        return y_bar * torch.sigmoid(ctx.beta * x), None


assert torch.autograd.gradcheck(lambda x: Sharp.apply(x, 3.0), (points,))

# %%
# Saved tensors are watched
# -------------------------
#
# Between ``forward`` and ``backward``, someone may write to the tensor that we saved. The derivative would then be
# taken at a different point. Every tensor therefore has a *version*, a number that grows with each write. When a
# tensor is saved, so is its version. When it is fetched, the two are compared.

z = 2 * points
y = Softplus.apply(z)
before = z._version
z += 1                                      # in place: it writes into the memory of z
print("version", before, "became version", z._version)

with expect_error(RuntimeError):
    y.sum().backward()

# %%
# The message names the step that saved a tensor, what it saved, and two cures. Here the first will do: ``z = z + 1``
# makes a new tensor and leaves the old one alone.
#
# All this works because we used ``save_for_backward``. Had we written ``ctx.x = x``, nobody would be watching.
# PyTorch says nothing about that, and the result is silently wrong. minigrad warns when the Function is first
# applied. (``expect_warning`` prints the warning and goes on.)


class Careless(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return softplus_in_steps(x)

    @staticmethod
    def backward(ctx, y_bar):
        return y_bar * torch.sigmoid(ctx.x)


z = 2 * points
with expect_warning():
    y = Careless.apply(z)
right = torch.sigmoid(z.detach())
z += 1
(wrong,) = torch.autograd.grad(y.sum(), points)
assert not torch.allclose(wrong, 2 * right)

# %%
# Differentiate twice
# -------------------
#
# The second derivative is the derivative of what ``backward`` computes. With ``create_graph=True`` the steps of
# ``backward`` are recorded like any others. Ours are a product and a sigmoid of ``x``, so there is nothing more to
# do.

# teaches: gradgradcheck
x = torch.linspace(-6, 6, 121).requires_grad_()
y = Softplus.apply(x)
(slope,) = torch.autograd.grad(y.sum(), x, create_graph=True)
(curvature,) = torch.autograd.grad(slope.sum(), x)

sigma = torch.sigmoid(x.detach())
assert torch.allclose(curvature, sigma * (1 - sigma))
assert torch.autograd.gradgradcheck(Softplus.apply, (points,))

# alt: Three curves over x from -6 to 6. The softplus is near 0 on the left and near x on the right, without a corner.
#      Its derivative rises from 0 to 1 in an S. Its second derivative is a hump of height 1/4 at 0.
# sphinx_gallery_start_ignore
figure, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
for values, style, label in [
    (y.detach(), "-", "softplus"),
    (slope.detach(), "--", "its derivative"),
    (curvature, ":", "its second derivative"),
]:
    axes.plot(x.detach().numpy(), values.numpy(), style, linewidth=2, label=label)
axes.set(xlabel="x", ylim=(-0.2, 4))
axes.grid(alpha=0.3)
axes.legend(frameon=False)
# sphinx_gallery_end_ignore
plt.show()

# %%
# ``gradgradcheck`` is ``gradcheck`` for second derivatives. Use it, because there is a trap here. It looks wasteful
# to save :math:`x` and compute the sigmoid later, when one could compute the sigmoid in ``forward`` and save that:


class Thrifty(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(torch.sigmoid(x))
        return softplus_in_steps(x)

    @staticmethod
    def backward(ctx, y_bar):
        (sigma,) = ctx.saved_tensors
        return y_bar * sigma


assert torch.autograd.gradcheck(Thrifty.apply, (points,))
print("First derivatives are right.")

# %%
# The second ones are not. What happens in ``forward`` is not recorded, so ``sigma`` arrives in ``backward`` as a
# constant, and nobody knows that it depends on :math:`x`. A part of the second derivative is missing:

second_derivatives = []
for function in Softplus, Thrifty:
    total = (function.apply(points) ** 2).sum()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (slope,) = torch.autograd.grad(total, points, create_graph=True)
        (curvature,) = torch.autograd.grad(slope.sum(), points)
    second_derivatives.append(curvature)
    print(f"{function.__name__:9}", curvature)

whole, thrifty = second_derivatives
assert not torch.allclose(whole, thrifty)

# %%
# PyTorch silently gives these numbers. minigrad gives the same numbers with a warning (which we have just hidden),
# and ``gradgradcheck`` says what is wrong:

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    with expect_error(RuntimeError):
        torch.autograd.gradgradcheck(Thrifty.apply, (points,))

# %%
# Inputs and outputs of the Function may be saved; they have their place in the graph. So this one is thrifty *and*
# right. It saves its output :math:`y`, and uses the identity :math:`\sigma(x) = 1 - e^{-y}`:


class Thrifty(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = softplus_in_steps(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, y_bar):
        (y,) = ctx.saved_tensors
        return y_bar * (1 - torch.exp(-y))


assert torch.autograd.gradcheck(Thrifty.apply, (points,))
assert torch.autograd.gradgradcheck(Thrifty.apply, (points,))

# %%
# A library that autograd cannot see into
# ---------------------------------------
#
# NumPy has a stable ``logaddexp``. Inside ``forward`` we may use it, and inside ``backward`` whatever gives the right
# product. But then the steps of ``backward`` are not recorded, even when someone asks for a second derivative. Say
# so: ``once_differentiable`` turns a silent mistake into an error.


# teaches: once_differentiable
class ByNumPy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.from_numpy(np.logaddexp(0, x.numpy()))

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, y_bar):
        (x,) = ctx.saved_tensors
        return torch.from_numpy(y_bar.numpy() / (1 + np.exp(-x.numpy())))


assert torch.autograd.gradcheck(ByNumPy.apply, (points,))

y = ByNumPy.apply(points)
(slope,) = torch.autograd.grad((y ** 2).sum(), points, create_graph=True)
with expect_error(RuntimeError):
    slope.sum().backward()

# %%
# What else goes wrong
# --------------------
#
# .. folded:: Three more mistakes
#
# **The wrong number of gradients.** ``Sharp`` has two arguments. Forget the ``None`` for the second:


class Short(Sharp):
    @staticmethod
    def backward(ctx, y_bar):
        (x,) = ctx.saved_tensors
        return y_bar * torch.sigmoid(ctx.beta * x)


with expect_error(RuntimeError):
    Short.apply(points, 3.0).sum().backward()

# %%
# **Checking with too few digits.** A float32 has seven digits, and rounding drowns out a measuring step of one
# millionth. The derivative is right, and the check fails all the same. It says why:

single = points.detach().float().requires_grad_()
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    with expect_error(RuntimeError):
        torch.autograd.gradcheck(Softplus.apply, (single,))

# %%
# **Checking at a corner.** There is no derivative to compare with. Choose other points.

corner = torch.tensor([-1.0, 0.0, 1.0], requires_grad=True)
with expect_error(RuntimeError):
    torch.autograd.gradcheck(torch.relu, (corner,))

# %%
# Summary
# -------
#
# - A Function has a ``forward``, whose steps are not recorded, and a ``backward``, which multiplies the cotangent of
#   the output by the derivative.
# - Save tensors with ``save_for_backward``, so that later writes are noticed; keep other things on ``ctx``.
# - ``gradcheck`` finds missing factors that ``y.sum()`` hides; ``gradgradcheck`` finds what a second derivative
#   lacks.
# - Save inputs and outputs, not intermediates; mark a ``backward`` that computes outside autograd as
#   ``once_differentiable``.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Write the product of two matrices as a Function. Leave out a transpose in ``backward`` and read what
#    ``gradcheck`` makes of it. Check with matrices that are not square, too.
# 2. Make ``sin`` and ``cos`` Functions, each of which calls the other one in its ``backward``. How often can you
#    differentiate?
