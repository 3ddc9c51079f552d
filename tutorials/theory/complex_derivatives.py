"""
Complex derivatives
===================

A complex number is a pair of real ones, and a loss is real. So the derivative with respect to a complex parameter is
the ordinary one with respect to two real parameters, written as one complex number. On this page we derive how such
gradients go through operations, see where the conjugates come from, and when one formula is enough.

After this page you can write the gradient of an operation on complex numbers, with its conjugates in the right places,
and tell whether a function has a complex derivative.

You need the transpose of a linear map, from :doc:`the_chain_rule_as_linear_maps`.
"""

# %%
# The problem
# -----------
#
# Which complex number has the square :math:`2i`? We minimize :math:`L(z) = |z^2 - 2i|^2`, which is a real number.
# The derivative of :math:`z^2` is :math:`2z`, so we might write the step by hand as if all numbers were real:

import matplotlib.pyplot as plt

import minigrad as torch

goal = 2j


def descend(gradient, z=1.2 + 0.3j, steps=40, rate=0.05):
    path = [z]
    for _ in range(steps):
        z = z - rate * gradient(z)
        path.append(z)
        if abs(z) > 10:
            break
    return path


def as_if_real(z):
    return 2 * (z**2 - goal) * 2 * z


# teaches: torch.cdouble
def by_backward(z):
    z = torch.tensor(z, dtype=torch.cdouble, requires_grad=True)
    ((z**2 - goal).abs() ** 2).backward()
    return z.grad.item()


paths = {"as if real": descend(as_if_real), "backward": descend(by_backward)}
for name, path in paths.items():
    loss = abs(path[-1] ** 2 - goal) ** 2
    print(f"{name:10}: after {len(path) - 1:2} steps |z² - 2i|² = {loss:.3g}")
    assert loss < 1e-6 if name == "backward" else loss > 1

# %%
# In a picture: the loss as a landscape over the plane, and both ways through it. Only one of them goes downhill.

axis = torch.linspace(-1.8, 1.8, 200)
plane = torch.complex(axis[None, :].expand(200, 200), axis[:, None].expand(200, 200))
landscape = (plane**2 - goal).abs() ** 2

# alt: The loss as a landscape over the complex plane, with two valleys, at 1 + i and at -1 - i. Both paths begin at
#      1.2 + 0.3i. That of backward goes down into the nearer valley. The other, which treats z as if it were real,
#      climbs and leaves the picture.
# sphinx_gallery_start_ignore
fig, ax = plt.subplots(figsize=(5, 4))
ax.contourf(axis, axis, landscape.sqrt(), levels=20, cmap="viridis", alpha=0.8)
for (name, path), style in zip(paths.items(), ("r.--", "w.-")):
    shown = [z for z in path if abs(z.real) < 1.8 and abs(z.imag) < 1.8]
    ax.plot([z.real for z in shown], [z.imag for z in shown], style, label=name)
ax.set_xlabel("real part")
ax.set_ylabel("imaginary part")
ax.set_aspect("equal")
ax.legend()
# sphinx_gallery_end_ignore
plt.show()

# %%
# What the gradient is
# --------------------
#
# Write :math:`z = x + iy`. The loss is a real function of two real numbers, so it has two partial derivatives, and
# its steepest ascent is the vector of both. As a complex number:
#
# .. math:: \bar z = \frac{\partial L}{\partial x} + i\, \frac{\partial L}{\partial y}.
#
# This is what ``.grad`` holds, in minigrad as in PyTorch. (It is twice the derivative that books on complex analysis
# call :math:`\partial L / \partial z^*`, after Wirtinger.) A step against it goes downhill. We compare with two real
# parameters:

x, y = torch.tensor([1.2, 0.3], dtype=torch.double).unbind()
x.requires_grad_()
y.requires_grad_()
(((x * x - y * y) ** 2) + (2 * x * y - 2) ** 2).backward()
print("two real parameters:  ", complex(x.grad, y.grad))
print("one complex parameter:", by_backward(1.2 + 0.3j))
assert abs(complex(x.grad, y.grad) - by_backward(1.2 + 0.3j)) < 1e-12

# %%
# Through an operation
# --------------------
#
# Small changes :math:`dz` move a loss by a real number. In terms of the gradient, :math:`dL = \operatorname{Re}(\bar
# z^*\, dz)`, where the star conjugates: this is the scalar product of the plane, written with complex numbers. Now
# let :math:`w = f(z)` for a function that has a complex derivative, such as :math:`z^2`, :math:`\sin z` or a product
# with a constant. Then :math:`dw = f'(z)\, dz`, and
#
# .. math:: dL = \operatorname{Re}(\bar w^*\, f'(z)\, dz)
#           = \operatorname{Re}((\bar w\, f'(z)^*)^*\, dz), \qquad\text{so}\qquad \bar z = f'(z)^*\, \bar w.
#
# That is the only difference from real numbers: **multiply by the conjugate of the derivative**. It is the
# transpose again. Multiplying by :math:`a + ib` turns and stretches the plane, with the matrix :math:`\begin{pmatrix}
# a & -b \\ b & a \end{pmatrix}`, and the transpose of that matrix belongs to :math:`a - ib`.

z = torch.tensor(0.5 + 1.0j, dtype=torch.cdouble, requires_grad=True)
cotangent = torch.tensor(0.3 - 0.7j, dtype=torch.cdouble)
for name, f, derivative in [
    ("z²", lambda z: z * z, 2 * z),
    ("sin z", torch.sin, torch.cos(z)),
    ("exp z", torch.exp, torch.exp(z)),
]:
    (found,) = torch.autograd.grad(f(z), z, cotangent)
    print(f"{name:5}: {found.item():.6f}")
    assert torch.allclose(found, derivative.conj() * cotangent)

# %%
# Functions that are not holomorphic
# ----------------------------------
#
# ``abs``, ``real``, ``conj`` and ``angle`` have no complex derivative: what they do to :math:`dz` is linear over the
# real numbers, but not a product with a complex number. Every such map is a sum of two,
#
# .. math:: dw = a\, dz + b\, dz^*,
#
# and the same calculation as before gives the transpose of both terms:
#
# .. math:: \bar z = a^*\, \bar w + b\, \bar w^*.
#
# So :math:`a` and :math:`b` say everything; they are the two Wirtinger derivatives of :math:`f`. For ``conj``,
# :math:`a = 0` and :math:`b = 1`; for ``real``, both are one half. Forward mode reads :math:`a` and :math:`b` off:
# push 1 and :math:`i` as tangents, which give :math:`a + b` and :math:`i(a - b)`.

from minigrad.func import jvp, vjp


def wirtinger(f, z):
    one, i = (jvp(f, (z,), (torch.full_like(z, t),))[1] for t in (1, 1j))
    return (one - 1j * i) / 2, (one + 1j * i) / 2


point = z.detach()
for name, f in [("sin", torch.sin), ("conj", torch.conj_physical), ("real", torch.real),
                ("abs", torch.abs), ("z·|z|", lambda z: z * z.abs())]:
    a, b = wirtinger(f, point)
    result = f(point)
    w = cotangent if result.is_complex() else cotangent.real
    (pulled,) = vjp(f, point)[1](w)
    print(f"{name:5}: a = {complex(a):.3f}, b = {complex(b):.3f}")
    assert torch.allclose(pulled, a.conj() * w + b * w.conj())

# %%
# A function is holomorphic exactly where :math:`b = 0`: these are the equations of Cauchy and Riemann. For ``sin``
# above it is.
#
# Real numbers among complex ones
# -------------------------------
#
# A real parameter can only move along the real axis. If it is used in a complex expression, a complex cotangent
# arrives, and only its real part means anything: :math:`dx` is real, so :math:`\operatorname{Re}(\bar w^* dx) =
# \operatorname{Re}(\bar w)\, dx`. The engine takes the real part for you, at the place where it also undoes
# broadcasting.

scale = torch.tensor(2.0, dtype=torch.double, requires_grad=True)
loss = ((scale * point - 1j).abs()) ** 2
loss.backward()
print("the gradient of a real parameter:", scale.grad)
assert not scale.grad.is_complex()

# %%
# What goes wrong
# ---------------
#
# **A complex loss.** "Smaller" means nothing for complex numbers. ``backward`` asks for a cotangent, or for a real
# loss:

from minigrad.teaching import expect_error

with expect_error(RuntimeError):
    (z * z).backward()

# %%
# **A forgotten conjugate** in a function of your own. It passes every test with real inputs. ``gradcheck`` tries
# complex ones if you give it some:


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z):
        ctx.save_for_backward(z)
        return z * z

    @staticmethod
    def backward(ctx, grad):
        (z,) = ctx.saved_tensors
        return grad * 2 * z  # right: grad * (2 * z).conj()


assert torch.autograd.gradcheck(Square.apply, torch.randn(3).double().requires_grad_())
with expect_error(RuntimeError):
    torch.autograd.gradcheck(Square.apply, z)

# %%
# **The phase of nothing.** ``abs`` has a kink at 0 and ``angle`` a jump; at 0 the gradient of ``abs`` is 0 by
# convention. Near 0 the gradient of ``angle`` grows without bound, as that of a division does.
#
# Summary
# -------
#
# - ``.grad`` of a complex parameter is :math:`\partial L/\partial x + i\,\partial L/\partial y`: step against it.
# - Through a holomorphic function: multiply by the conjugate of its derivative.
# - Through any other: :math:`a^* \bar w + b\, \bar w^*`, with the two Wirtinger derivatives.
# - A real parameter gets the real part.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Fit a sum of three damped waves, :math:`\sum_k c_k z_k^t`, to a signal with complex parameters :math:`c_k` and
#    :math:`z_k`. (Make up the signal, and start near the right values.) What does :math:`|z_k|` say, and what does
#    its angle say?
# 2. Derive the gradient of ``torch.fft.fft`` in one line: which linear map is it, and what is its conjugate
#    transpose?
