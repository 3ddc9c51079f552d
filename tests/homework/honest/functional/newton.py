# minigrad homework: newton
"""Hessian-vector products and Newton's method: forward mode over reverse mode, and folds."""

from functools import partial, reduce
from itertools import accumulate, islice, repeat, takewhile
from typing import NamedTuple

import minigrad as torch
from minigrad.func import grad, jvp


def hvp(f, x, v):
    """The derivative of the gradient in the direction v."""
    _, rate = jvp(grad(f), (x,), (v,))
    return rate


class State(NamedTuple):
    x: torch.Tensor
    r: torch.Tensor
    p: torch.Tensor

    @property
    def rr(self):
        return self.r.dot(self.r)


def cg_step(product, state, _=None):
    ap = product(state.p)
    alpha = state.rr / state.p.dot(ap)
    r = state.r - alpha * ap
    return State(state.x + alpha * state.p, r, r + r.dot(r) / state.rr * state.p)


def conjugate_gradient(product, b, steps):
    start = State(torch.zeros_like(b), b, b)
    # lazily, so that no product is formed after the residual is zero
    def advance(state, _):
        return state if state.rr == 0 else cg_step(product, state)

    return reduce(advance, range(steps), start).x


def newton(f, x, steps):
    slope = grad(f)

    def step(x, _):
        return x - conjugate_gradient(partial(hvp, f, x), slope(x), x.shape[0])

    return reduce(step, repeat(None, steps), x.detach())


if __name__ == "__main__":
    f = lambda t: torch.logsumexp(torch.stack([t[0] + 3 * t[1], t[0] - 3 * t[1], -t[0]]), 0)
    x, v = torch.tensor([0.3, 0.1], dtype=torch.float64), torch.tensor([1.0, -2.0], dtype=torch.float64)
    eps = 1e-5
    assert torch.allclose(hvp(f, x, v), (grad(f)(x + eps * v) - grad(f)(x - eps * v)) / (2 * eps), atol=1e-7)
    points = accumulate(range(6), lambda t, _: newton(f, t, 1), initial=x)
    print(*(f"{f(t).item():.12f}" for t in points), sep="\n")
