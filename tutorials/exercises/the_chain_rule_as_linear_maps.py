"""Exercises of "The chain rule as linear maps"."""

# %% Exercise: Forward and back through a list of steps
# A program is a list of functions of one tensor, applied one after the other. Write ``push(steps, x, h)``, which
# returns the result and its tangent, and ``pull(steps, x, g)``, which returns the cotangent of ``x``. Use ``jvp`` and
# ``vjp`` of a *single step* at a time.

# %% Starter
import minigrad as torch
from minigrad.func import jvp, vjp


def push(steps, x, h):
    return ..., ...


def pull(steps, x, g):
    return ...


# %% Check
torch.manual_seed(1)
A, B = torch.randn(4, 3, dtype=torch.float64), torch.randn(2, 4, dtype=torch.float64)
steps = [lambda x: A @ x, torch.tanh, lambda x: B @ x, torch.exp]


def whole(x):
    for step in steps:
        x = step(x)
    return x


by_step, differentiated = jvp, []


def jvp(function, *arguments):
    differentiated.append(function)
    return by_step(function, *arguments)


x, h = torch.randn(3, dtype=torch.float64), torch.randn(3, dtype=torch.float64)
g = torch.randn(2, dtype=torch.float64)
value, tangent = push(steps, x, h)
assert len(differentiated) != 1, "jvp was called once, for all steps together. Call it for each step."
assert isinstance(value, torch.Tensor) and torch.allclose(value, whole(x)), "The value is that of the whole program."
wanted = jvp(whole, (x,), (h,))[1]
assert torch.allclose(tangent, wanted), "The tangent is wrong: is each step differentiated where the program is?"
back = pull(steps, x, g)
assert back is not ... and back.shape == (3,), "A cotangent of x has the shape of x."
assert torch.allclose(back, vjp(whole, x)[1](g)[0]), "The cotangent is wrong: is the last step transposed first?"
assert torch.allclose((g * tangent).sum(), (back * h).sum()), "push and pull are not transposes of each other."

# %% Hint
# ``pull`` has to go forward first, to know at which points the steps are differentiated.


# %% Exercise: The transpose of a moving average
# ``smooth(x)`` returns the means of neighbours, ``y[i] = (x[i] + x[i + 1]) / 2``: a vector shorter by one. Write its
# transpose ``spread(g)`` with tensor operations, without autograd.

# %% Starter
import minigrad as torch


def smooth(x):
    return (x[:-1] + x[1:]) / 2


def spread(g):
    return ...


# %% Check
from minigrad.teaching import without_autograd

for n in (2, 5, 9):
    x, g = torch.randn(n, dtype=torch.float64), torch.randn(n - 1, dtype=torch.float64)
    with without_autograd():
        answer = spread(g)
    assert isinstance(answer, torch.Tensor) and answer.shape == x.shape, f"A cotangent of x has {n} entries."
    left, right = (g * smooth(x)).sum(), (answer * x).sum()
    assert torch.allclose(left, right), f"<g, smooth(x)> = {left.item():.6f}, but <spread(g), x> = {right.item():.6f}."

# %% Hint
# Which entries of ``y`` does ``x[i]`` go into? The first and the last entry of ``x`` go into one, the others into
# two.

# %% Hint
# The transpose of a slice puts into zeros: ``torch.nn.functional.pad`` does that.


# %% Exercise: The differential of an inverse
# Expand :math:`(X + H)^{-1}` to first order in :math:`H`, and write the derivative of the matrix inverse as a linear
# map ``d_inverse(X, H)``, and its transpose ``d_inverse_transposed(X, G)``.

# %% Starter
import minigrad as torch


def d_inverse(X, H):
    return ...


def d_inverse_transposed(X, G):
    return ...


# %% Check
from minigrad.func import jvp, vjp

torch.manual_seed(2)
X = torch.randn(3, 3, dtype=torch.float64) + 3 * torch.eye(3, dtype=torch.float64)
H, G = torch.randn(3, 3, dtype=torch.float64), torch.randn(3, 3, dtype=torch.float64)
answer, wanted = d_inverse(X, H), jvp(torch.linalg.inv, (X,), (H,))[1]
assert isinstance(answer, torch.Tensor), "d_inverse must return a matrix."
assert not torch.allclose(answer, -wanted), "The sign is wrong: a larger matrix has a smaller inverse."
assert torch.allclose(answer, wanted), "d_inverse differs from jvp: the inverse is needed on both sides of H."
back, wanted = d_inverse_transposed(X, G), vjp(torch.linalg.inv, X)[1](G)[0]
assert isinstance(back, torch.Tensor), "d_inverse_transposed must return a matrix."
assert torch.allclose(back, wanted), "This is not the transpose: compare the two scalar products."

# %% Hint
# Multiply :math:`(X + H)(X^{-1} + E) = 1` out, and drop the product of the two small matrices.

# %% Hint
# The transpose of :math:`H \mapsto P H Q` is :math:`G \mapsto P^{\mathsf T} G Q^{\mathsf T}`.


# %% Project: 1
# 8 points: 3 for the expansion, 3 for the transpose, 2 for the comparison. The derivative is
# :math:`H \mapsto -X^{-1} H X^{-1}`, its transpose :math:`G \mapsto -X^{-\mathsf T} G X^{-\mathsf T}`.


# %% Project: 2
# 10 points: 4 for ``natural_gradient``, 3 for the comparison, 3 for saying what :math:`M` should be.
#
# The derivative is :math:`h \mapsto g^T h`, with the ordinary gradient :math:`g`; written as :math:`\langle a, h
# \rangle_M` it needs :math:`a = M^{-1} g`. For :math:`\tfrac12 (x_1^2 + 100 x_2^2)` from (1, 1), plain descent with the
# rate 1/100 takes 1341 steps to a value below :math:`10^{-12}`, and 789 with the best rate, 2/101; from 2/100 on it
# never arrives. With :math:`M = \operatorname{diag}(1, 100)` and the rate 1 it takes one step, since then this is
# Newton's method. With any other :math:`M` the quotient of the largest and the smallest eigenvalue of :math:`M^{-1} H`
# decides, here 100 for plain descent.
#
# The usual mistake: to multiply by :math:`M`, which makes a narrow valley narrower.
