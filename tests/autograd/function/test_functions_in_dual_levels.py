"""What custom Functions save in a dual level, and what is saved in the hands of hooks, still has its tangent in a pass.
"""

import contextlib
import gc

import pytest

import minigrad as torch
from minigrad.autograd import Function, forward_ad, gradgradcheck
from minigrad.autograd.graph import allow_mutation_on_saved_tensors, saved_tensors_hooks
from minigrad.utils.checkpoint import checkpoint

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


class SavesView(Function):
    """One of its outputs is a view of its argument, from which backward computes."""

    @staticmethod
    def forward(ctx, x):
        view, cube = x.view_as(x), x ** 3
        ctx.save_for_backward(view, cube)
        ctx.save_for_forward(x)
        return view, cube

    @staticmethod
    def backward(ctx, g, h):
        view, cube = ctx.saved_tensors
        return g + h * 3 * view ** 2 + 0 * cube

    @staticmethod
    def jvp(ctx, t):
        (x,) = ctx.saved_tensors
        return t.view_as(t), t * 3 * x ** 2


USES = {
    "input": SavesInput.apply, "output": SavesOutput.apply,
    "both": lambda x: sum(SavesBoth.apply(x, x.sin())),
    "one of both": lambda x: SavesBoth.apply(x * 2, x)[0],
    "a view and a result": lambda x: sum(SavesView.apply(x)),
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


# ------------------------------------------------------------------------------ in the hands of hooks

def checkpointed(f):
    return lambda x: checkpoint(f, x, use_reentrant=False)


def in_its_own_hands(x):
    y = x.sin() * x
    for name in ("_raw_saved_self", "_raw_saved_other"):
        getattr(y.grad_fn, name).register_hooks(lambda t: t.tolist(), lambda content: torch.tensor(content, dtype=f64))
    return y


HOOKS = {
    "as it is": lambda: saved_tensors_hooks(lambda t: t, lambda t: t),
    "in numbers": lambda: saved_tensors_hooks(lambda t: t.tolist(), lambda content: torch.tensor(content, dtype=f64)),
    "on the CPU": torch.autograd.graph.save_on_cpu,
    "until it is written to": allow_mutation_on_saved_tensors,
}
PROGRAMS = {
    **USES, "self": lambda x: x ** 3, "result": lambda x: x.exp(), "several": lambda x: torch.cat([x, x * x]).sin(),
    "a list": lambda x: torch.stack([x, x.sin()]).prod(0), "written": lambda x: (x * 1).sin_().exp_(),
    "an outer pass": lambda x: torch.autograd.grad((x ** 4).sum(), x, create_graph=True)[0],
}


def gradient_and_tangent(f, x, t, create_graph=False):
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(x, t)
        (g,) = torch.autograd.grad(f(dual), dual, create_graph=create_graph)
        return forward_ad.unpack_dual(g)


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
@pytest.mark.parametrize("hooks", HOOKS.values(), ids=HOOKS)
@pytest.mark.parametrize("before", BEFORE.values(), ids=BEFORE)
def test_what_hooks_hold_has_its_tangent(program, hooks, before):
    def f(x):
        return program(before(x)).sum()

    x, t = values(), torch.tensor([0.5, -1.], dtype=f64)
    with hooks():
        primal, tangent = gradient_and_tangent(f, x, t)
    expected = torch.autograd.functional.hvp(f, x, t)[1]
    assert torch.allclose(primal, torch.autograd.grad(f(x), x)[0])
    assert torch.allclose(tangent, expected)


@pytest.mark.parametrize("f", [checkpointed(lambda x: (x * 1) ** 3), checkpointed(lambda x: SavesInput.apply(x * 2)),
                               in_its_own_hands], ids=["checkpoint", "checkpoint of a Function", "one slot"])
def test_so_does_what_is_computed_again_or_held_by_hooks_of_its_own(f):
    x, t = values(), torch.tensor([0.5, -1.], dtype=f64)
    primal, tangent = gradient_and_tangent(lambda x: f(x).sum(), x, t)
    step = 1e-6
    plus, minus = [torch.autograd.grad(f(moved := (x + h * t).detach().requires_grad_()).sum(), moved)[0]
                   for h in (step, -step)]
    assert torch.allclose(tangent, (plus - minus) / (2 * step)) and torch.allclose(primal, (plus + minus) / 2)


def test_a_tensor_written_to_after_it_was_saved_has_had_the_old_tangent():
    x, t = values(), torch.tensor([0.5, -1.], dtype=f64)
    with allow_mutation_on_saved_tensors(), forward_ad.dual_level():
        dual = forward_ad.make_dual(x * 1, t)
        y = dual * dual.sin()
        dual.mul_(2)
        tangent = forward_ad.unpack_dual(torch.autograd.grad(y.sum(), x)[0]).tangent
    assert torch.allclose(tangent, ((2 * x.cos() - x * x.sin()) * t).detach())


@pytest.mark.parametrize("hooks", [None, HOOKS["as it is"], HOOKS["until it is written to"]])
def test_a_tangent_ends_with_its_level(hooks):
    x, t = values(), torch.tensor([0.5, -1.], dtype=f64)
    with hooks() if hooks else contextlib.nullcontext():
        with forward_ad.dual_level():
            y = (z := SavesInput.apply(forward_ad.make_dual(x * 1, t))).exp()
            kept = [y.grad_fn._saved_result, z.grad_fn.saved_tensors[0]]
            assert all([forward_ad.unpack_dual(each).tangent is not None for each in kept])
        with forward_ad.dual_level():
            kept += [y.grad_fn._saved_result, z.grad_fn.saved_tensors[0], torch.autograd.grad(y.sum(), x)[0]]
            assert all([forward_ad.unpack_dual(each).tangent is None for each in kept])


def test_packed_tensors_die_before_their_level_ends():
    class Content:
        def __init__(self, tensor):
            self.numbers = tensor.tolist()

    with saved_tensors_hooks(Content, lambda content: torch.tensor(content.numbers, dtype=f64)):
        with forward_ad.dual_level():
            y = forward_ad.make_dual(values(), torch.ones(2, dtype=f64)) ** 3
            assert any([type(each) is Content for each in gc.get_objects()])
            del y
            assert not any([type(each) is Content for each in gc.get_objects()])


@pytest.mark.parametrize("for_backward", [False, True])
@pytest.mark.parametrize("recorded", [False, True])
def test_jvp_finds_nothing_that_was_saved_for_backward(torch, for_backward, recorded):
    found = []

    class Saves(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            if for_backward:
                ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            found.append(len(ctx.saved_tensors))
            return g * 2

        @staticmethod
        def jvp(ctx, t):
            found.append(ctx.saved_tensors)
            return t * 2

    x = torch.ones(2, requires_grad=recorded)
    with torch.autograd.forward_ad.dual_level():
        y = Saves.apply(torch.autograd.forward_ad.make_dual(x, x.detach()))
        if recorded:
            y.sum().backward()
    assert found == [(), *[int(for_backward)] * recorded]


def test_a_jvp_that_unpacks_what_was_saved_for_backward_is_told_so():
    class Saves(SavesInput):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x ** 3

    class SavesBeside(SavesInput):
        forward = staticmethod(lambda x: x ** 3)
        setup_context = staticmethod(lambda ctx, inputs, output: ctx.save_for_backward(*inputs))

    x = torch.ones(2, requires_grad=True)
    for run in (lambda: torch.func.jvp(SavesBeside.apply, (x,), (x,)),
                lambda: Saves.apply(forward_ad.make_dual(x, x.detach()))):
        with forward_ad.dual_level(), pytest.raises(ValueError, match="not enough values to unpack") as caught:
            run()
        assert "did not call ctx.save_for_forward" in caught.value.__notes__[0]
