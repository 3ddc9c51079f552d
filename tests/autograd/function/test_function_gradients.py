"""What ``backward`` of a custom Function may return, and what becomes of it; ``once_differentiable``."""

import functools
import threading
import warnings

import numpy as np
import pytest

import minigrad
from tests.autograd.function.functions import doubling, function, gradient, leaf
from tests.checking import refuses


# ------------------------------------------------------------------------------ gradients

def multiplying(torch, backward):
    return function(torch, lambda ctx, x, y, n: x * y * n, backward, name="Mul")


@pytest.mark.parametrize(
    "backward, message",
    [
        (lambda ctx, d: d, r"returned an incorrect number of gradients \(expected 3, got 1\)"),
        (lambda ctx, d: (), r"returned an incorrect number of gradients \(expected 3, got 0\)"),
        (lambda ctx, d: (d, d, None, d), r"returned an incorrect number of gradients \(expected 3, got 4\)"),
        (lambda ctx, d: [d, d, None], r"returned an incorrect number of gradients \(expected 3, got 1\)"),
        (lambda ctx, d: None, r"returned an incorrect number of gradients \(expected 3, got 1\)"),
        (lambda ctx, d: (d, d, d), "different than None at position 3, but the corresponding forward input was not a "
         "Variable"),
        (lambda ctx, d: (d, 3, None), r"expected Variable or None \(got int\)"),
        (lambda ctx, d: (d, np.ones(3), None), r"expected Variable or None \(got numpy.ndarray\)|\(got ndarray\)"),
        (lambda ctx, d: (d, d[:2], None), r"invalid gradient at index 1 - got \[2\] but expected shape compatible "
         r"with \[3\]"),
        (lambda ctx, d: (d.sum(), d, None),
         r"invalid gradient at index 0 - got \[\] but expected shape compatible with \[3\]"),
        (lambda ctx, d: (d, d * 1j, None), "complex"),
    ],
)
def test_wrong_gradients(torch, backward, message):
    x, y = leaf(torch), leaf(torch)
    out = multiplying(torch, backward).apply(x, y, 2)
    with pytest.raises(RuntimeError, match=message):
        out.sum().backward()
    assert x.grad is None and y.grad is None and torch.is_grad_enabled()


def test_a_gradient_that_is_not_needed_is_a_tensor_or_none(torch):
    x, y = leaf(torch), torch.ones(3)
    out = multiplying(torch, lambda ctx, d: (d, d[:1], None)).apply(x, y, 2)
    assert gradient(torch, out, x)[0].tolist() == [1, 1, 1]             # its shape does not matter
    out = multiplying(torch, lambda ctx, d: (d, 3.0, None)).apply(x, y, 2)
    with pytest.raises(RuntimeError, match=r"expected Variable or None \(got float\)"):
        out.sum().backward()


def test_wrong_gradients_are_told_in_forwards_own_names():
    out = multiplying(minigrad, lambda ctx, d: (d, d)).apply(leaf(minigrad), leaf(minigrad), 2)
    with pytest.raises(RuntimeError, match=r"in the same order: x, y, n \(n: not a tensor, so None\)") as caught:
        out.sum().backward()
    assert caught.value.code == "MG107"
    out = multiplying(minigrad, lambda ctx, d: (d, d[:2], None)).apply(leaf(minigrad), leaf(minigrad), 2)
    with pytest.raises(RuntimeError, match="the gradient for forward's argument 'y'"):
        out.sum().backward()
    F = function(minigrad, lambda ctx, first, *rest: first * rest[0], lambda ctx, *d: (None, d[0][:1]))
    with pytest.raises(RuntimeError, match=r"forward's argument 'rest\[0\]'"):
        F.apply(leaf(minigrad), leaf(minigrad)).sum().backward()
    F = function(minigrad, functools.partial(lambda times, x: x * times, 2), lambda ctx, d: d[:1],
                 lambda ctx, inputs, output: None)          # without names
    with pytest.raises(RuntimeError, match="forward's argument 'argument 0'"):
        F.apply(leaf(minigrad)).sum().backward()


def test_a_forgotten_transpose_is_named():
    F = function(minigrad, lambda ctx, x: x.t(), lambda ctx, d: d)
    with pytest.raises(RuntimeError, match="a transpose is missing"):
        F.apply(minigrad.ones(2, 3, requires_grad=True)).sum().backward()


def test_none_beyond_the_arguments_is_allowed(torch):
    x, y = leaf(torch), leaf(torch)
    multiplying(torch, lambda ctx, d: (d, d, None, None, None)).apply(x, y, 2).sum().backward()
    assert x.grad.tolist() == [1, 1, 1]


def test_a_gradient_of_none_leaves_grad_alone(torch):
    x, y = leaf(torch), leaf(torch)
    multiplying(torch, lambda ctx, d: (None, d, None)).apply(x, y, 2).sum().backward()
    assert x.grad is None and y.grad.tolist() == [1, 1, 1]


def test_a_broadcast_gradient_is_summed_and_cast(torch):
    F = function(torch, lambda ctx, x, y: x * y, lambda ctx, d: (d.expand(2, 3), d.float()))
    x, y = leaf(torch), leaf(torch)
    F.apply(x, y).sum().backward()
    assert x.grad.tolist() == [2, 2, 2] and y.grad.dtype == torch.float64


def test_needs_input_grad(torch):
    seen = []

    def forward(ctx, x, n, c):
        seen.append(ctx.needs_input_grad)
        return x * n

    F = function(torch, forward, lambda ctx, d: (seen.append(ctx.needs_input_grad), (d, None, None))[1])
    F.apply(leaf(torch), 2, torch.ones(3)).sum().backward()
    F.apply(torch.ones(3), 2, torch.ones(3))
    with torch.no_grad():
        F.apply(leaf(torch), 2, torch.ones(3))
    yes, no = (True, False, False), (False, False, False)
    assert seen == [yes, yes, no, yes]


@pytest.mark.parametrize("said", [(), (False, True), 3, None])
def test_needs_input_grad_may_be_overwritten(torch, said):
    """The engine does not ask it: it is what the author finds in backward."""
    seen = []

    def forward(ctx, x, y):
        ctx.needs_input_grad = said
        return x * y

    F = function(torch, forward, lambda ctx, d: (seen.append(ctx.needs_input_grad), (d * 2, d * 3))[1])
    x, y = leaf(torch), torch.ones(3, dtype=torch.float64)
    F.apply(x, y).sum().backward()
    F.apply(x, y.expand(2, 3)).sum().backward()
    assert x.grad.tolist() == [6, 6, 6] and seen == [said] * 2


def test_an_argument_used_twice_gets_both_gradients(torch):
    F = function(torch, lambda ctx, x, y: x * y, lambda ctx, d: (d * 2, d * 3))
    x = leaf(torch)
    assert gradient(torch, F.apply(x, x), x)[0].tolist() == [5, 5, 5]


def test_backward_runs_unrecorded_unless_create_graph_is_asked_for(torch):
    seen = []
    F = function(torch, lambda ctx, x: x * 2, lambda ctx, d: (seen.append(torch.is_grad_enabled()), d * 2)[1])
    x = leaf(torch)
    gradient(torch, F.apply(x), x)
    gradient(torch, F.apply(x), x, create_graph=True)
    assert seen == [False, True]


def test_second_and_third_derivatives(torch):
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx, d):
            (x,) = ctx.saved_tensors
            return 3 * x**2 * d

    x = leaf(torch)
    (first,) = gradient(torch, Cube.apply(x), x, create_graph=True)
    (second,) = gradient(torch, first, x, create_graph=True)
    (third,) = gradient(torch, second, x)
    assert second.tolist() == [6, 12, 18] and third.tolist() == [6, 6, 6]


def test_second_derivative_through_a_saved_output(torch):
    class Exp(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp()
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, d):
            (y,) = ctx.saved_tensors
            return d * y

    x = leaf(torch)
    (first,) = gradient(torch, Exp.apply(x), x, create_graph=True)
    (second,) = gradient(torch, first, x)
    assert torch.allclose(second, x.exp())


def test_functions_in_functions(torch):
    F = doubling(torch)

    def forward(ctx, x):
        with torch.enable_grad():
            inner = x.detach().requires_grad_()
            ctx.slope = gradient(torch, F.apply(inner) ** 2, inner)[0]
        return x * 3

    x = leaf(torch)
    assert gradient(torch, function(torch, forward, lambda ctx, d: d * ctx.slope).apply(x),
                    x)[0].tolist() == [8, 16, 24]


def test_backward_inside_backward(torch):
    """Checkpointing: forward runs unrecorded, backward runs it again, recorded, and differentiates that."""

    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp()

    def backward(ctx, d):
        x = ctx.saved_tensors[0].detach().requires_grad_()
        with torch.enable_grad():
            y = x.exp()
        y.backward(d)
        return x.grad

    x = leaf(torch)
    F = function(torch, forward, backward)
    F.apply(F.apply(x * 0)).sum().backward()
    expected = leaf(torch)
    (expected * 0).exp().exp().sum().backward()
    assert torch.allclose(x.grad, expected.grad)


@pytest.mark.parametrize("where", ["forward", "backward"])
def test_an_exception_leaves_everything_usable(torch, where):
    def failing(ctx, *x):
        raise KeyError("mine")

    x = leaf(torch)
    F = doubling(torch)
    setattr(F, where, staticmethod(failing))
    with pytest.raises(KeyError, match="mine"):
        F.apply(x * 2).sum().backward()
    assert torch.is_grad_enabled() and x.grad is None
    assert gradient(torch, doubling(torch).apply(x), x)[0].tolist() == [2, 2, 2]


def test_threads_share_a_retained_graph(torch):
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, d):
            (x,) = ctx.saved_tensors
            return sum([2 * x * d for _ in range(3)]) / 3

    x = leaf(torch, 0.5, 1.5)
    y = Square.apply(Square.apply(x))
    found = []

    def work():
        found.extend(gradient(torch, y, x, retain_graph=True)[0].tolist() for _ in range(50))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 200 and all(g == found[0] for g in found)
    assert found[0] == pytest.approx([0.5, 13.5])


def test_a_long_chain_is_built_run_and_freed(torch):
    F = doubling(torch)
    F.backward = staticmethod(lambda ctx, d: d)
    x = leaf(torch, 0.0)
    y = x
    for _ in range(20_000):
        y = F.apply(y)
    y.backward(torch.ones_like(y))
    assert x.grad.tolist() == [1]
    del y


# ------------------------------------------------------------------------------ differentiating only once

def test_once_differentiable_runs_unrecorded(torch):
    seen = []

    @torch.autograd.function.once_differentiable
    def backward(ctx, d):
        """The derivative."""
        seen.append(torch.is_grad_enabled())
        return d * 2

    assert backward.__doc__ == "The derivative."
    F = function(torch, lambda ctx, x: x * 2, backward)
    x = leaf(torch)
    gradient(torch, F.apply(x), x)
    (g,) = gradient(torch, F.apply(x), x, create_graph=True)
    assert seen == [False, False] and g.tolist() == [2, 2, 2]


def test_once_differentiable_refuses_the_second_time(torch):
    once_differentiable = torch.autograd.function.once_differentiable
    F = function(torch, lambda ctx, x, n: x * 2, once_differentiable(lambda ctx, d: (d * 2, None)))
    x, d = leaf(torch), leaf(torch)
    (g,) = torch.autograd.grad(F.apply(x, 3), x, d, create_graph=True)
    assert g.requires_grad and type(g.grad_fn).__name__ == "Error" and "grad_fn=<Error>" in repr(g)
    with pytest.raises(RuntimeError, match="trying to differentiate twice a function that was marked with "
                                           "@once_differentiable"):
        g.sum().backward()


def test_once_differentiable_where_gradients_and_saved_tensors_are_missing(torch):
    def forward(ctx, x, constant):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(None, constant)
        return x * 2, x * 3

    @torch.autograd.function.once_differentiable
    def backward(ctx, d, other):
        assert other is None and ctx.saved_tensors[0] is None
        return d * 2, None

    F = function(torch, forward, backward)
    x, constant, d = leaf(torch), torch.ones(3, dtype=torch.float64), leaf(torch)
    (g,) = gradient(torch, F.apply(x, constant)[0], x, create_graph=True)
    assert g.tolist() == [2, 2, 2] and not g.requires_grad
    (g,) = torch.autograd.grad(F.apply(x, constant)[0], x, d, create_graph=True)
    with pytest.raises(RuntimeError, match="trying to differentiate twice"):
        g.sum().backward()


def test_the_refusal_names_the_function():
    once_differentiable = minigrad.autograd.function.once_differentiable
    F = function(minigrad, lambda ctx, x: x * 2, once_differentiable(lambda ctx, d: d * 2), name="Rough")
    x = leaf(minigrad)
    (g,) = minigrad.autograd.grad(F.apply(x), x, leaf(minigrad), create_graph=True)
    with pytest.raises(RuntimeError, match="RoughBackward") as caught:
        g.sum().backward()
    assert caught.value.code == "MG110"


def saving(kept, forward, backward):
    """A Function that saves `kept(x, y)`, with a backward that must not be differentiated."""
    def run(ctx, x):
        y = forward(x)
        ctx.save_for_backward(kept(x, y))
        return y

    once_differentiable = minigrad.autograd.function.once_differentiable
    return function(minigrad, run, once_differentiable(lambda ctx, d: backward(d, ctx.saved_tensors[0])))


def packed(f):
    with minigrad.autograd.graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: t):
        return f()


@pytest.mark.parametrize("keeping", [lambda f: f(), packed])
@pytest.mark.parametrize("of_a_leaf", [True, False])
@pytest.mark.parametrize("F", [
    saving(lambda x, y: x, lambda x: x * x, lambda d, x: 2 * d * x),
    saving(lambda x, y: y, lambda x: x.exp(), lambda d, y: d * y),
    saving(lambda x, y: y / 2, lambda x: 2 * x.exp(), lambda d, half: 2 * d * half),
], ids=["an argument", "the output", "an intermediate result"])
def test_once_differentiable_refuses_a_derivative_through_what_was_saved(F, of_a_leaf, keeping):
    x = leaf(minigrad)
    (g,) = keeping(lambda: gradient(minigrad, F.apply(x if of_a_leaf else x * x), x, create_graph=True))
    with refuses(RuntimeError, "trying to differentiate twice", "MG110"):
        minigrad.autograd.grad(g.sum(), x)
    (g,) = keeping(lambda: gradient(minigrad, F.apply(x if of_a_leaf else x * x), x, create_graph=True))
    with refuses(RuntimeError, "trying to differentiate twice", "MG110"):
        g.sum().backward()


def test_once_differentiable_refuses_the_derivative_of_a_product_with_the_jacobian():
    F = saving(lambda x, y: x, lambda x: x * x, lambda d, x: 2 * d * x)
    with refuses(RuntimeError, "trying to differentiate twice", "MG110"):
        minigrad.autograd.functional.jvp(F.apply, minigrad.ones(3), minigrad.ones(3))


def test_once_differentiable_allows_what_cannot_depend_on_an_argument(torch):
    once_differentiable = torch.autograd.function.once_differentiable

    def masked(ctx, x):
        ctx.save_for_backward(x > 1)
        return x * (x > 1)

    F = function(torch, masked, once_differentiable(lambda ctx, d: d * ctx.saved_tensors[0]))
    x = leaf(torch)
    (g,) = gradient(torch, F.apply(x * x), x, create_graph=True)
    assert gradient(torch, g, x)[0].tolist() == [0, 2, 2]


@pytest.mark.parametrize("outer", ["grad", "jvp"])
def test_once_differentiable_in_a_transform(outer):
    once_differentiable = minigrad.autograd.function.once_differentiable

    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])
        ctx.save_for_forward(inputs[0])

    F = function(minigrad, lambda x: x * x, once_differentiable(lambda ctx, d: 2 * d * ctx.saved_tensors[0]),
                 setup_context, jvp=staticmethod(lambda ctx, t: 2 * t * ctx.saved_tensors[0]))
    slope = minigrad.func.grad(lambda x: F.apply(x).sum())
    assert slope(leaf(minigrad).detach()).tolist() == [2, 4, 6]
    if outer == "grad":
        with refuses(RuntimeError, "trying to differentiate twice", "MG110"):
            minigrad.func.grad(lambda x: slope(x).sum())(leaf(minigrad).detach())
    else:
        ones = minigrad.ones(3, dtype=minigrad.float64)
        assert minigrad.func.jvp(slope, (leaf(minigrad).detach(),), (ones,))[1].tolist() == [2, 2, 2]


def intermediate(constant=False, what=lambda x: x.exp(), decorate=lambda f: f):
    def forward(ctx, x):
        e = what(x)
        ctx.save_for_backward(x, e)
        if constant:
            ctx.mark_constant(e)
        return x * e

    return function(minigrad, forward, decorate(lambda ctx, d: d * ctx.saved_tensors[1]), name="Middle")


def twice(F):
    x = leaf(minigrad)
    return gradient(minigrad, F.apply(x * 1), x, create_graph=True)


def test_a_second_derivative_through_an_intermediate_warns():
    with pytest.warns(UserWarning, match=r"MiddleBackward: .*differentiated itself, and saved_tensors\[1\] is neither"):
        twice(intermediate())


def test_such_a_warning_names_all_intermediates():
    F = function(minigrad, lambda ctx, x: (ctx.save_for_backward(x.cos(), x, x.tan()), x.sin())[1],
                 lambda ctx, d: d * ctx.saved_tensors[0] * ctx.saved_tensors[1] * ctx.saved_tensors[2])
    with pytest.warns(UserWarning, match=r"saved_tensors\[0\], saved_tensors\[2\]"):
        twice(F)


KEPT = {"itself": lambda e: e, "in a list": lambda e: [1, e], "in a dict": lambda e: {"e": (e,)}}


def keeper(keep=lambda ctx, x: x.exp(), decorate=lambda f: f):
    def forward(ctx, x):
        ctx.kept = keep(ctx, x)
        return x * 2

    return function(minigrad, forward, decorate(lambda ctx, d: d * 2), name="Keeper")


@pytest.mark.parametrize("how", KEPT)
def test_a_second_derivative_through_an_attribute_warns(how):
    with pytest.warns(UserWarning, match=r"KeeperBackward: .*differentiated itself, and ctx.kept is neither"):
        twice(keeper(lambda ctx, x: KEPT[how](x.exp())))


def test_what_backward_keeps_warns_in_the_next():
    def backward(ctx, d):
        with minigrad.no_grad():
            ctx.kept = d * 2
        return d * ctx.kept

    F = function(minigrad, lambda ctx, x: x * 2, backward)
    x = leaf(minigrad)
    y = F.apply(x * 1)
    gradient(minigrad, y, x, create_graph=True)
    with pytest.warns(UserWarning, match="ctx.kept is neither"):
        gradient(minigrad, y, x, create_graph=True)


def constant_kept(ctx, x):
    e = x.exp()
    ctx.mark_constant(e)
    return e


@pytest.mark.parametrize("arguments", [
    {"keep": constant_kept}, {"keep": lambda ctx, x: x > 0}, {"keep": lambda ctx, x: [x.shape, 3, "name"]},
    {"decorate": minigrad.autograd.function.once_differentiable}])
def test_an_attribute_without_a_derivative_does_not_warn(arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        twice(keeper(**arguments))
        x = leaf(minigrad)
        gradient(minigrad, keeper().apply(x * 1), x)


def test_an_argument_without_history_may_be_an_attribute():
    def forward(ctx, x, k):
        ctx.kept = [k]
        return x * k

    F = function(minigrad, forward, lambda ctx, d: (d * ctx.kept[0], None))
    x = leaf(minigrad)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "KeeperBackward")
        warnings.filterwarnings("ignore", ".*holds an input of forward")
        gradient(minigrad, F.apply(x * 1, minigrad.ones(3, dtype=minigrad.float64)), x, create_graph=True)


def test_once_differentiable_refuses_what_an_attribute_may_hide():
    x = leaf(minigrad)
    g = gradient(minigrad, keeper(decorate=minigrad.autograd.function.once_differentiable).apply(x * 1), x,
                 create_graph=True)[0]
    with refuses(RuntimeError, "once_differentiable", "MG110"):
        gradient(minigrad, g, x)


@pytest.mark.parametrize(
    "arguments",
    [
        {"constant": True},
        {"what": lambda x: (x > 0)},
        {"what": lambda x: x},
        {"decorate": minigrad.autograd.function.once_differentiable},
    ],
    ids=["constant", "bool", "input", "once_differentiable"],
)
def test_and_does_not_where_it_is_right(arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        twice(intermediate(**arguments))


def test_a_first_derivative_or_a_look_does_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x = leaf(minigrad)
        y = intermediate().apply(x)
        y.grad_fn.saved_tensors
        y.sum().backward()


def test_a_gradient_on_another_device_is_refused():
    x = leaf(minigrad)
    F = function(minigrad, lambda ctx, x: x * 2, lambda ctx, d: d.to("meta"))
    with refuses(RuntimeError, "has returned a gradient on the device meta", "MG407"):
        gradient(minigrad, F.apply(x * 1), x)
    with refuses(RuntimeError, "invalid gradient at index 0 - expected device cpu but got meta", "MG407"):
        minigrad.func.vjp(lambda x: x * 2, minigrad.ones(2))[1](minigrad.ones(2, device="meta"))
