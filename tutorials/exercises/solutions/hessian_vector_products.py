"""Solutions of the exercises of "Hessian-vector products"."""

# %% Solution: The function once, the product often
import minigrad as torch


def linearized(f, w):
    return torch.func.linearize(torch.func.grad(f), w)


# %% Solution: The diagonal, by products
import minigrad as torch


def diagonal(f, w, count):
    total = torch.zeros_like(w)
    for _ in range(count):
        v = (2 * torch.randint(0, 2, w.shape) - 1).to(w.dtype)
        total += v * torch.autograd.functional.vhp(f, w, v)[1]
    return total / count


# %% Solution: A curvature that is never negative
import minigrad as torch


def gauss_newton(f, loss, p, v):
    z, Jv = torch.func.jvp(f, (p,), (v,))
    _, BJv = torch.func.jvp(torch.func.grad(loss), (z,), (Jv,))
    _, times_J_transposed = torch.func.vjp(f, p)
    return times_J_transposed(BJv)[0]
