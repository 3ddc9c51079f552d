"""Exercises of "Hessian-vector products"."""

# %% Exercise: The function once, the product often
# Conjugate gradients ask for many products at the *same* point. ``linearized(f, w)`` returns the gradient of ``f`` at
# ``w``, and a function ``times_H`` that multiplies by the Hessian there. It may call ``f`` once or twice, and
# ``times_H`` must not call it at all.

# %% Starter
import minigrad as torch


def linearized(f, w):
    def times_H(v):
        ...
    return ..., times_H


# %% Check
from unittest import mock

calls = 0


def refuse(*arguments, **keywords):
    raise AssertionError("Make no matrix: it has a million entries where w has a thousand.")


def counted(w):
    global calls
    calls += 1
    return (w ** 4).sum() / 4 + (w[1:] * w[:-1] ** 2).sum()


torch.manual_seed(0)
w = torch.randn(5, dtype=torch.float64)
H = torch.autograd.functional.hessian(counted, w)
slope = torch.autograd.functional.jacobian(counted, w)
calls = 0
with (mock.patch.multiple(torch.func, jacrev=refuse, jacfwd=refuse, hessian=refuse),
      mock.patch.multiple(torch.autograd.functional, jacobian=refuse, hessian=refuse)):
    gradient, times_H = linearized(counted, w)
assert isinstance(gradient, torch.Tensor), "The first result must be the gradient, a tensor."
assert torch.allclose(gradient, slope), "The first result is not the gradient of f at w."
assert 1 <= calls <= 2, f"f was called {calls} times to prepare."
before = calls
for number in range(4):
    v = torch.randn(5, dtype=torch.float64)
    product = times_H(v)
    assert isinstance(product, torch.Tensor) and product.shape == v.shape, "times_H must return a vector like v."
    assert not torch.allclose(product, slope * v), "This multiplies by the gradient, and not by the Hessian."
    assert torch.allclose(product, H @ v), f"Product {number + 1} differs from the matrix times v."
assert calls == before, "times_H calls f again: the graph of the gradient, or a linearization, should be kept."
assert not w.requires_grad, "w belongs to the caller: do not change it."

# %% Hint
# One way is a graph that is kept: ``create_graph=True`` for the gradient, and ``retain_graph=True`` for each product.

# %% Hint
# Another is ``torch.func.linearize(g, w)``. It returns ``g(w)``, and a function that computes products with the
# Jacobian of ``g``.


# %% Exercise: The diagonal, by products
# The diagonal of a Hessian tells how to scale the parameters. If the entries of ``v`` are independent, and 1 or -1 with
# equal probability, the mean of ``v * (H @ v)`` is that diagonal. Write ``diagonal(f, w, count)``, which averages over
# ``count`` random vectors.

# %% Starter
import minigrad as torch


def diagonal(f, w, count):
    ...


# %% Check
torch.manual_seed(0)
w = torch.randn(6, dtype=torch.float64)


def separate(w):
    return (w ** 4).sum()


found = diagonal(separate, w, 1)
assert found is not None and found.shape == w.shape, "The result must have an entry for each of w."
assert not torch.allclose(found, 4 * w ** 3), "This is the gradient. Its derivatives are asked for."
assert torch.allclose(found, 12 * w ** 2), ("If the Hessian is diagonal, one vector of signs gives it exactly, since "
                                            "1 and -1 have the square 1. Normal numbers do not.")

A = torch.randn(6, 6, dtype=torch.float64) / 10 + torch.eye(6, dtype=torch.float64)
A = A + A.T


def coupled(w):
    return w @ A @ w / 2


rough = (diagonal(coupled, w, 4) - A.diagonal()).norm()
fine = (diagonal(coupled, w, 400) - A.diagonal()).norm()
assert rough > 1e-6, "Four vectors cannot give this diagonal exactly. Is the whole matrix computed?"
assert fine < 0.15, f"With 400 vectors the error should be small, and is {fine.item():.2f}. Is it the mean?"
first, second = diagonal(coupled, w, 4), diagonal(coupled, w, 4)
assert not torch.equal(first, second), "The vectors must be drawn anew in each call."

# %% Hint
# ``torch.randint(0, 2, w.shape)`` is 0 or 1. ``2 * ... - 1`` makes signs, and ``.to(w.dtype)`` floating-point numbers.

# %% Hint
# ``torch.autograd.functional.vhp(f, w, v)`` returns a pair, the value of ``f`` and the product.


# %% Exercise: A curvature that is never negative
# A network computes scores ``f(p)``, and a convex loss is applied to them. With the Jacobian :math:`J` of the scores
# and the Hessian :math:`B` of the loss with respect to the *scores*, :math:`J^T B J` resembles the Hessian and has no
# negative eigenvalue. Write ``gauss_newton(f, loss, p, v)``: its product with ``v``, from one ``jvp`` of ``f``, one
# product with :math:`B`, and one ``vjp`` of ``f``.

# %% Starter
import minigrad as torch


def gauss_newton(f, loss, p, v):
    ...


# %% Check
from unittest import mock

torch.manual_seed(0)
inputs, targets = torch.randn(7, 3, dtype=torch.float64), torch.tensor([0, 1, 0, 1, 1, 0, 1])


def refuse(*arguments, **keywords):
    raise AssertionError("Make no matrix: one jvp, one product with the Hessian of the loss, and one vjp are enough.")


def scores(p):
    return torch.tanh(inputs @ p[:12].reshape(3, 4)) @ p[12:].reshape(4, 2)


def cross_entropy(z):
    return torch.nn.functional.cross_entropy(z, targets)


p = torch.randn(20, dtype=torch.float64)
J = torch.autograd.functional.jacobian(scores, p).reshape(14, 20)
B = torch.autograd.functional.hessian(cross_entropy, scores(p)).reshape(14, 14)
whole = torch.autograd.functional.hessian(lambda p: cross_entropy(scores(p)), p)
for _ in range(3):
    v = torch.randn(20, dtype=torch.float64)
    with (mock.patch.multiple(torch.func, jacrev=refuse, jacfwd=refuse, hessian=refuse),
          mock.patch.multiple(torch.autograd.functional, jacobian=refuse, hessian=refuse)):
        product = gauss_newton(scores, cross_entropy, p, v)
    assert product is not None and product.shape == p.shape, "The product must have the shape of p."
    assert not torch.allclose(product, whole @ v), "This is the whole Hessian, which may have negative eigenvalues."
    assert not torch.allclose(product, J.T @ J @ v), "The Hessian of the loss is missing between J and its transpose."
    assert torch.allclose(product, J.T @ B @ J @ v), "This is not JᵀBJv."
    assert v @ product >= 0, "The curvature along v is negative."

# %% Hint
# ``z, Jv = torch.func.jvp(f, (p,), (v,))`` gives the scores and their change.

# %% Hint
# ``torch.func.vjp(f, p)`` returns the scores and a function that multiplies by :math:`J^T`; its result is a tuple.


# %% Project: 1
# 10 points: 3 for the diagonal, 4 for the scaled system, 3 for a fair count.
#
# For pixel :math:`j` and digit :math:`k`, the diagonal is the mean of :math:`x_{ij}^2 P_{ik} (1 - P_{ik})` over the
# images, plus :math:`\lambda`. It saves less than one hopes. At zero, for a precision of :math:`10^{-8}`, 74 products
# suffice instead of 96; but the whole of Newton's method takes about 325 instead of 195, because at the minimum the
# largest eigenvalue of the scaled matrix is 3278 times its smallest, and that of :math:`H` only 2126 times. The scaled
# matrix has ones on its diagonal; what makes it difficult is that pixels go together, and that no diagonal can change.
#
# The usual mistake: to stop at a residual of the scaled system, which is not the residual; compare both at the same
# length of :math:`-g - H s`.


# %% Project: 2
# 10 points: 4 for the program, 3 for the reason, 3 for how far it gets.
#
# Conjugate gradients build each direction on products with *one* matrix. With other images for each product there is no
# such matrix: the residual that is carried along is not that of any system, the tolerance is never reached, and the
# method gets stuck with a gradient of about 0.04. With one draw for each Newton step, the step is that of a similar
# function. It goes downhill, because this matrix has no negative eigenvalue either, but it is not Newton's: the
# gradient shrinks by a quarter in each step, from 0.444 to about 0.002 after twenty, where the page's shrinks faster
# and faster.
#
# The usual mistake: to take the gradient, too, from 200 images. Then it is not 0 at the minimum, and nothing gets below
# its noise.


# %% Project: 3
# 10 points: 4 for the step to the edge of the ball, 3 for the rule of the radius, 3 for a run that arrives.
#
# The step that would leave the ball is shortened to :math:`|s + t p| = \Delta`, and conjugate gradients end there; so
# they do where :math:`p^T H p` is not positive. A common rule compares the fall of the loss with the fall that
# :math:`g^T s + \tfrac12 s^T H s` predicts: below a quarter of it the radius is divided by four, above three quarters
# it is doubled, but only if the step has reached the edge. From zero, with a radius of 1, this takes 11 steps and 200
# products to a gradient below :math:`10^{-8}`, where the page's method took 10 steps and 195; from three times
# ``torch.randn(650)``, about 20 steps.
#
# The usual mistakes: to take the step even if the loss has risen, and to enlarge the ball after a short step.
