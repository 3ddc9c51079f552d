# minigrad homework: newton
"""Hessian-vector products and Newton's method: a local model of f, a solver, and steps that are halved if f grows."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Callable

import minigrad as torch
from minigrad import Tensor


@dataclass
class LocalModel:
    """f near x: its value, its gradient, and products with its Hessian. f is called once."""

    f: Callable[[Tensor], Tensor]
    at: Tensor

    def __post_init__(self):
        self._x = self.at.detach().clone().requires_grad_()

    @cached_property
    def _value(self):
        return self.f(self._x)

    @cached_property
    def _slope(self):
        return torch.autograd.grad(self._value, self._x, create_graph=True)[0]

    @property
    def value(self) -> float:
        return self._value.item()

    @property
    def gradient(self) -> Tensor:
        return self._slope.detach()

    def hessian_times(self, v: Tensor) -> Tensor:
        if not self._slope.requires_grad:
            return torch.zeros_like(self.at)
        inner = torch.sum(self._slope * v.detach())
        (h,) = torch.autograd.grad(inner, self._x, retain_graph=True)
        return h


@dataclass
class ConjugateGradient:
    product: Callable[[Tensor], Tensor]
    b: Tensor
    tolerance: float = 1e-14

    x: Tensor = field(init=False)

    def __post_init__(self):
        self.x = torch.zeros_like(self.b)
        self.residual = self.b.clone()
        self.direction = self.b.clone()

    @property
    def done(self) -> bool:
        return self.residual.norm().item() <= self.tolerance * self.b.norm().item()

    def advance(self) -> None:
        image = self.product(self.direction)
        before = torch.dot(self.residual, self.residual)
        step = before / torch.dot(self.direction, image)
        self.x = self.x + step * self.direction
        self.residual = self.residual - step * image
        self.direction = self.residual + torch.dot(self.residual, self.residual) / before * self.direction


@dataclass
class Newton:
    f: Callable[[Tensor], Tensor]
    x: Tensor

    def step(self) -> None:
        model = LocalModel(self.f, self.x)
        way = conjugate_gradient(model.hessian_times, model.gradient, self.x.numel())
        length = 1.0
        with torch.no_grad():
            # near the minimum f cannot be told from f after a step: allow for rounding
            limit = model.value + 1e-9 * (1 + abs(model.value))
            while length > 1e-3 and not self.f(self.x - length * way).item() <= limit:
                length /= 2
            self.x = self.x - length * way


def hvp(f, x, v):
    return LocalModel(f, x).hessian_times(v)


def conjugate_gradient(product, b, steps):
    solver = ConjugateGradient(product, b)
    for _ in range(steps):
        if solver.done:
            break
        solver.advance()
    return solver.x


def newton(f, x, steps):
    state = Newton(f, x.detach())
    for _ in range(steps):
        state.step()
    return state.x
