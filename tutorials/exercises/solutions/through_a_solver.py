"""Solutions of the exercises of "Through a solver"."""

# %% Solution: The gradient from the equation
import minigrad as torch


def gradient(residual, z, p, g):
    A, B = torch.func.jacrev(residual, (0, 1))(z, p)
    return -B.T @ torch.linalg.solve(A.T, g)


# %% Solution: A function that returns a minimum
import minigrad as torch


def minimum(f, solver):
    return torch.func.implicit(torch.func.grad(f), solver)


# %% Solution: An equation too few
import minigrad as torch


def residual(pi, P):
    flow = pi @ P - pi
    return torch.cat([flow[:-1], (pi.sum() - 1).reshape(1)])


# %% Project: 1
import minigrad as torch

torch.manual_seed(0)
for shape in (100, 100), (100,), (100,):                    # what the page has drawn before
    torch.randn(shape, dtype=torch.float64)
torch.randperm(1797)
for shape in (40, 40), (64, 40), (40, 10):
    torch.randn(shape, dtype=torch.float64)
X, other_X = torch.randn(30, 20, dtype=torch.float64), torch.randn(200, 20, dtype=torch.float64)
truth = torch.randn(20, dtype=torch.float64) * (torch.arange(20) < 5)
y, other_y = X @ truth + torch.randn(30, dtype=torch.float64), other_X @ truth + torch.randn(200, dtype=torch.float64)


def inner(w, p):
    return ((X @ w - y) ** 2).sum() / 2 + (p.exp() * w * w).sum() / 2


def ridge(p):
    return torch.linalg.solve(X.T @ X + torch.diag(p.exp()), X.T @ y)


fitted = torch.func.implicit(torch.func.grad(inner), ridge)


def outer(p):
    return ((other_X @ fitted(p) - other_y) ** 2).mean()


p = torch.full((20,), 2.3687, dtype=torch.float64).log()
start = outer(p)
for _ in range(300):
    p = p - torch.func.grad(outer)(p)
assert 2.39 < start < 2.40 and 1.2 < outer(p) < 1.3
assert p.argsort()[:2].tolist() == truth.abs().argsort(descending=True)[:2].tolist() == [3, 1]
assert p[:5].mean() < 0.5 < 2.5 < p[5:].mean()


# %% Project: 2
import minigrad as torch

torch.manual_seed(0)
W, x = torch.randn(100, 100, dtype=torch.float64), torch.randn(100, dtype=torch.float64) * 0.3


def residual(z, W, x):
    return torch.tanh(W @ z + x) - z


def iterate(W, x):
    """The fixed point and the number of steps; None if there are more than 5,000."""
    z = torch.zeros_like(x)
    for steps in range(1, 5001):
        change = residual(z, W, x)
        z = z + change
        if change.abs().max() < 1e-10:
            return z, steps
    return None, steps


def newton(W, x):
    z = torch.zeros_like(x)
    for steps in range(1, 51):
        z = z - torch.linalg.solve(torch.func.jacrev(residual)(z, W, x), residual(z, W, x))
        if residual(z, W, x).abs().max() < 1e-12:
            return z, steps
    return None, steps


def both(scale):
    """The steps of the two, the largest eigenvalue of a step in size, and the length of a gradient."""
    (_, steps), (z, few) = iterate(scale * W, x), newton(scale * W, x)
    of_step = torch.func.jacrev(residual)(z, scale * W, x) + torch.eye(100, dtype=torch.float64)
    root = torch.func.implicit(residual, lambda W, x: newton(W, x)[0])
    gradient = torch.func.vjp(root, scale * W, x)[1](torch.ones_like(x))[1]
    return steps, few, torch.linalg.eigvals(of_step).abs().max(), gradient.norm()


steps, few, sizes, lengths = zip(*[both(scale) for scale in (0.03, 0.09, 0.12, 0.13, 0.15)])
assert 15 < steps[0] < 25 and 90 < steps[1] < 100 and 560 < steps[2] < 630 and 2500 < steps[3] < 3000 < 5000 == steps[4]
assert max(few) <= 15 and 0.96 < sizes[2] < sizes[3] < 1 < sizes[4] < 1.05
assert 9 < min(lengths) < max(lengths) < 22
