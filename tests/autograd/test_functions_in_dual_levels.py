"""Custom Functions in a dual level: what they have saved still has its tangent when a pass in the level needs it."""

import pytest

import minigrad as torch
from minigrad.autograd import Function, forward_ad, gradgradcheck

f64 = torch.float64


class SavesInput(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)
        return x ** 3

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 3 * x ** 2

    @staticmethod
    def jvp(ctx, t):
        (x,) = ctx.saved_tensors
        return t * 3 * x ** 2


class SavesOutput(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        ctx.save_for_forward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y

    @staticmethod
    def jvp(ctx, t):
        (y,) = ctx.saved_tensors
        return t * y


class SavesBoth(Function):
    @staticmethod
    def forward(x, y):
        return x * y, x.sin()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs, output[1])
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, g, h):
        x, y, s = ctx.saved_tensors
        return g * y + h * x.cos() + 0 * s, g * x

    @staticmethod
    def jvp(ctx, t, u):
        x, y = ctx.saved_tensors
        return t * y + x * u, t * x.cos()


USES = {
    "input": SavesInput.apply, "output": SavesOutput.apply,
    "both": lambda x: sum(SavesBoth.apply(x, x.sin())),
    "one of both": lambda x: SavesBoth.apply(x * 2, x)[0],
    "in turn": lambda x: SavesInput.apply(SavesOutput.apply(SavesInput.apply(x))),
}
BEFORE = {"a leaf": lambda x: x, "a result": lambda x: x * 1.5, "a view": lambda x: x.view(1, 2)}


def values():
    return torch.tensor([0.3, 0.7], dtype=f64, requires_grad=True)


@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.parametrize("before", BEFORE.values(), ids=BEFORE)
def test_forward_over_reverse_agrees_with_differences(use, before):
    assert gradgradcheck(lambda x: use(before(x)), values(), check_fwd_over_rev=True)


@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.parametrize("before", BEFORE.values(), ids=BEFORE)
@pytest.mark.parametrize("create_graph", [False, True])
def test_a_gradient_has_the_tangent_that_the_hessian_says(use, before, create_graph):
    def f(x):
        return use(before(x)).sum()

    x, t = values(), torch.tensor([0.5, -1.], dtype=f64)
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(x, t)
        (g,) = torch.autograd.grad(f(dual), dual, create_graph=create_graph)
        primal, tangent = forward_ad.unpack_dual(g)
    assert torch.allclose(primal, torch.autograd.grad(f(x), x)[0])
    assert torch.allclose(tangent, torch.autograd.functional.hvp(f, x, t)[1])


@pytest.mark.parametrize("history", [False, True])
def test_what_is_saved_has_its_tangent(history):
    class Sees(SavesInput):
        @staticmethod
        def backward(ctx, g):
            seen.append(forward_ad.unpack_dual(ctx.saved_tensors[0]).tangent)
            return g

    seen, t = [], torch.tensor([0.5, -1.], dtype=f64)
    x = values() * 2 if history else values()
    with forward_ad.dual_level():
        Sees.apply(forward_ad.make_dual(x, t)).sum().backward()
    assert seen[0].tolist() == t.tolist()
