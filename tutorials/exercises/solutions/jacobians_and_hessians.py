"""Solutions of the exercises of "Jacobians and Hessians"."""

# %% Solution: A banded Jacobian in five passes
import minigrad as torch


def banded_jacobian(f, x):
    n = len(x)
    J = torch.zeros(n, n)
    for k in range(5):
        direction = torch.zeros(n)
        direction[k::5] = 1
        _, tangent = torch.func.jvp(f, (x,), (direction,))
        for j in range(k, n, 5):
            rows = slice(max(j - 2, 0), j + 3)
            J[rows, j] = tangent[rows]
    return J


# %% Solution: The curvature of a curve
import minigrad as torch


def curvatures(f, points):
    def curvature(p):
        g, H = torch.func.grad(f)(p), torch.func.hessian(f)(p)
        t = torch.stack([-g[1], g[0]])
        return (t @ H @ t).abs() / (g @ g) ** 1.5

    return torch.vmap(curvature)(points)


# %% Solution: Levenberg and Marquardt
import minigrad as torch


def fit(residuals, p, steps):
    damping = 1.0
    for _ in range(steps):
        r = residuals(p)
        J = torch.autograd.functional.jacobian(residuals, p)
        A = J.T @ J + damping * torch.eye(len(p), dtype=p.dtype)
        attempt = p - torch.linalg.solve(A, J.T @ r)
        after = residuals(attempt)
        if after @ after < r @ r:
            p, damping = attempt, damping / 10
        else:
            damping *= 10
    return p
