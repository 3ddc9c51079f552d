"""Exercises of "vjp and jvp"."""

# %% Exercise: The slope in a direction
# ``slope_along(f, x, direction)`` is the slope of a function ``f``, whose result is one number, on the way from ``x``
# in a direction, per unit of length. The direction may have any length; the slope must not depend on it.

# %% Starter
import minigrad as torch


def slope_along(f, x, direction):
    ...


# %% Check
def hill(x):
    return (x ** 2 * torch.tensor([1.0, 3.0, 0.5])).sum()


x = torch.tensor([1.0, -2.0, 4.0])
for direction in ([1.0, 0.0, 0.0], [3.0, 4.0, 0.0], [0.1, -0.2, 0.2]):
    direction = torch.tensor(direction)
    gradient = 2 * x * torch.tensor([1.0, 3.0, 0.5])
    wanted = gradient @ direction / direction.norm()
    slope = slope_along(hill, x, direction)
    assert slope is not None, "slope_along returns nothing."
    assert not isinstance(slope, tuple), "jvp returns the value and the product: return the product."
    assert slope.shape == (), f"The slope is one number, and yours has the shape {tuple(slope.shape)}."
    if direction.norm() != 1:
        assert not torch.allclose(slope, gradient @ direction), "The slope must be per unit of length: normalize."
    assert torch.allclose(slope, wanted), f"The slope is {wanted.item():.4f}, and yours is {slope.item():.4f}."

# %% Hint
# ``jvp`` with the direction divided by its length, ``direction.norm()``.


# %% Exercise: A product with two Jacobians
# Least squares, solved by the method of Gauss and Newton, needs :math:`J^T (J p)` again and again. Write
# ``gauss_newton_product(f, x, p)`` for it, without building a Jacobian.

# %% Starter
import minigrad as torch


def gauss_newton_product(f, x, p):
    ...


# %% Check
def curve(x):
    times = torch.linspace(0, 1, 5, dtype=torch.float64)
    return x[0] * torch.exp(-x[1] * times)


def refuse(*arguments, **keywords):
    raise AssertionError("Build no Jacobian: two products are enough.")


x = torch.tensor([2.0, 0.7], dtype=torch.float64)
matrix = torch.autograd.functional.jacobian(curve, x)
builders = {torch.autograd.functional: ["jacobian"], torch.func: ["jacrev", "jacfwd"]}
kept = [(module, name, getattr(module, name)) for module, names in builders.items() for name in names]
for module, name, _ in kept:
    setattr(module, name, refuse)
try:
    for p in ([1.0, 0.0], [0.0, 1.0], [3.0, -2.0]):
        p = torch.tensor(p, dtype=torch.float64)
        answer = gauss_newton_product(curve, x, p)
        assert isinstance(answer, torch.Tensor), "Return the product, a tensor."
        assert answer.shape == x.shape, f"The product looks like x, and yours has the shape {tuple(answer.shape)}."
        assert torch.allclose(answer, matrix.mT @ (matrix @ p)), "The product is wrong: first jvp with p, then vjp."
finally:
    for module, name, builder in kept:
        setattr(module, name, builder)

# %% Hint
# :math:`J p` is a ``jvp``. For a vector :math:`u`, :math:`J^T u` has the same entries as :math:`u J`: a ``vjp``.


# %% Exercise: Functions made in a loop
# ``powers(n)`` returns the functions :math:`x, x^2, \ldots, x^n` as a list, and ``slopes(n, x)`` the derivative of each
# at ``x``, a tensor that holds one number, by ``vjp``. Something is wrong with the starter.

# %% Starter
import minigrad as torch


def powers(n):
    return [lambda x: x ** k for k in range(1, n + 1)]


def slopes(n, x):
    return [torch.autograd.functional.vjp(f, x)[1].item() for f in powers(n)]


# %% Check
two = torch.tensor(2.0)
values = [f(two).item() for f in powers(3)]
assert values != [8, 8, 8], "All functions are the last one: each lambda looks k up when it is called."
assert values == [2, 4, 8], f"The powers of 2 are 2, 4 and 8, and yours are {values}."
assert slopes(3, two) == [1, 4, 12], f"The slopes at 2 are 1, 4 and 12, and yours are {slopes(3, two)}."
assert slopes(1, torch.tensor(5.0)) == [1], "powers(1) has one function, x itself."

# %% Hint
# A default argument is evaluated when the function is defined, and not when it is called.


# %% Project: 1
# 10 points: 4 for conjugate gradients that use the two products alone, 3 for the shortest speeds, 3 for the picture
# with the distance to the circle.
#
# Solve :math:`J J^T u = v`, where each product is a ``vjp`` and then a ``jvp``; the speeds are :math:`J^T u`, the
# shortest that move the hand as wanted. Two coordinates take two products at each step. With 200 steps around a circle
# of radius 0.3 the hand is never further than 0.013 from it, and with 400 never further than 0.0065: half the step,
# half the distance. If each step also corrects the distance that the hand has gone astray, the square of the step is
# left, 0.0002 with 200. The hand returns and the joints do not, their angles differ by up to 0.09: three joints can
# hold it in many ways.
#
# The usual mistake: a circle that the arm cannot reach, or one on which it is stretched, where :math:`J J^T` has no
# inverse.


# %% Project: 2
# 10 points: 4 for the iteration, 3 for the count, 3 for what decides it.
#
# An iteration is a ``jvp`` and a ``vjp``, and the length of :math:`J v` for a :math:`v` of length 1 is the estimate.
# For a network of 20, 50 and 20 units with random weights it takes about 15 iterations, so 30 products, until three
# digits stay: 0.593. The quotient of the two largest singular values decides: in each iteration the error is multiplied
# by its fourth power, here :math:`(0.5307 / 0.5930)^4 = 0.64`. So other networks take fewer or many more.
#
# The usual mistakes: not to bring :math:`v` back to the length 1, and to stop when the estimate hardly moves, which
# where the two are close it does long before it is right.


# %% Project: 3
# 10 points: 3 for the one way, 3 for the other, 4 for a check.
#
# The velocity is :math:`J(x) \dot x`; with constant :math:`\dot x` its derivative in time is that of the jvp in the
# direction :math:`\dot x`. So the first way is a jvp of the jvp. The second pulls the unit vectors back through the
# jvp, which gives the rows of :math:`\partial (J \dot x) / \partial x`, and multiplies them by :math:`\dot x`. For the
# page's angles and speeds both give (-0.7202, -0.4511). By hand it is the sum of the centripetal accelerations of the
# three pieces, :math:`-l_i \omega_i^2 (\cos \phi_i, \sin \phi_i)`, with the sums of speeds and of angles up to joint
# :math:`i`.
#
# The usual mistake: to forget the last product with :math:`\dot x`, and to report a matrix or the sum of its rows.
