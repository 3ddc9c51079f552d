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
# at the number ``x``, by ``vjp``. Something is wrong with the starter.

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
