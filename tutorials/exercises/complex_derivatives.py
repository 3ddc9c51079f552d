"""Exercises of "Complex derivatives"."""

# %% Exercise: The gradient of a quotient
# Write ``quotient_vjp(z, w, g)``: the gradients of ``z / w`` with respect to both complex inputs, given the gradient
# ``g`` of the result. Use no autograd.

# %% Starter
import minigrad as torch


def quotient_vjp(z, w, g):
    return ..., ...


# %% Check
from minigrad.teaching import without_autograd

torch.manual_seed(0)
z, w, g = torch.randn(3, 4, dtype=torch.cdouble).unbind()
z, w = z.detach().requires_grad_(), w.detach().requires_grad_()
wanted = torch.autograd.grad(z / w, (z, w), g)
with without_autograd():
    found = quotient_vjp(z.detach(), w.detach(), g)
for name, x, y in zip("zw", found, wanted):
    assert isinstance(x, torch.Tensor), "Return two tensors."
    assert not torch.allclose(x.conj(), y) or torch.allclose(x, y), f"The gradient of {name} is conjugated as a whole."
    assert torch.allclose(x, y), f"The gradient of {name} is wrong: is every factor but g conjugated?"

# %% Hint
# The derivatives are :math:`1/w` and :math:`-z/w^2`, as for real numbers. Conjugate them.


# %% Exercise: Is it holomorphic?
# ``holomorphic(f, z)`` returns whether ``f`` has a complex derivative at the point ``z``, up to 1e-8. Use ``jvp``.

# %% Starter
import minigrad as torch
from minigrad.func import jvp


def holomorphic(f, z):
    return ...


# %% Check
z = torch.tensor(0.7 - 0.4j, dtype=torch.cdouble)
cases = {
    "z * z": (lambda z: z * z, True), "exp": (torch.exp, True), "conj": (torch.conj_physical, False),
    "abs": (torch.abs, False), "z + conj": (lambda z: z + z.conj(), False), "1 / z": (lambda z: 1 / z, True),
    "i conj": (lambda z: 1j * z.conj(), False),
}
for name, (f, wanted) in cases.items():
    assert holomorphic(f, z) is wanted, f"{name}: the answer is {wanted}."

# %% Hint
# If it has a complex derivative, then pushing :math:`i` forward gives :math:`i` times what pushing 1 gives.


# %% Exercise: A root by descent
# ``root(coefficients, z, steps, rate)`` looks for a root of the polynomial :math:`c_0 + c_1 z + c_2 z^2 + \ldots` by
# gradient descent on its squared size from the complex number ``z``, and returns the last ``z`` as a Python number.

# %% Starter
import minigrad as torch


def root(coefficients, z, steps=500, rate=0.02):
    return ...


# %% Check
for coefficients, start in (((-2j, 0, 1), 1 + 0.5j), ((1, 1, 1), -0.3 + 0.6j), ((1, 0, 0, 1), 0.4 + 0.9j)):
    found = root(coefficients, start)
    assert isinstance(found, complex), "Return a Python number: item() of a complex tensor is one."
    size = abs(sum(c * found**k for k, c in enumerate(coefficients)))
    assert size < 1e-3, f"At {found:.3f} the polynomial {coefficients} has the size {size:.3g}."

# %% Hint
# ``torch.tensor(z, dtype=torch.cdouble, requires_grad=True)``, and a real loss: ``value.abs() ** 2``.


# %% Project: 1
# 10 points: 4 for the fit, 2 for a start from which it arrives, 4 for what modulus and angle say.
#
# :math:`|z_k|` is the factor by which a wave shrinks in each step: with 0.9, half of it is left after 6.6 steps. The
# angle is its frequency, in radians for each step: with 0.3, a period takes 20.9 steps. :math:`c_k` holds size and
# phase at the beginning. For sixty values of a signal without noise, and a start within a tenth of the :math:`z_k`, 600
# steps of Adam whose rate falls to zero find them up to 0.001. From further away the fit ends in other valleys, with
# two waves on one frequency.
#
# The usual mistakes: a start with :math:`|z| > 1`, where the model explodes (:math:`1.2^{60}` is over 50,000) and the
# first gradient throws everything away; and a loss that is complex because ``abs`` was forgotten.


# %% Project: 2
# 6 points: 3 for the matrix, 3 for its conjugate transpose. The matrix has the entries :math:`e^{-2 \pi i j k / n}`; it
# is symmetric, so its conjugate transpose is its conjugate: :math:`n` times the inverse transform.
