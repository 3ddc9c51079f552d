"""Custom Functions: what apply does with arguments and outputs, what ctx can do, and what is refused.

Tests with the fixture `torch` hold for PyTorch too; the others are about what minigrad adds.
"""

import gc
import threading
import warnings
import weakref

import numpy as np
import pytest

import minigrad


def function(torch, forward, backward=None, setup_context=None, name="F", **members):
    """A Function class of the given pieces."""
    members["forward"] = staticmethod(forward)
    if backward is not None:
        members["backward"] = staticmethod(backward)
    if setup_context is not None:
        members["setup_context"] = staticmethod(setup_context)
    return type(torch.autograd.Function)(name, (torch.autograd.Function,), members)


def doubling(torch):
    return function(torch, lambda ctx, x: x * 2, lambda ctx, d: d * 2)


def leaf(torch, *values):
    return torch.tensor(values or (1.0, 2.0, 3.0), dtype=torch.float64, requires_grad=True)


def gradient(torch, y, *inputs, **arguments):
    return torch.autograd.grad(y.sum(), inputs, **arguments)


# ------------------------------------------------------------------------------ the two styles of forward


def test_forward_with_ctx(torch):
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
    y = Cube.apply(x)
    assert y.tolist() == [1, 8, 27] and not y.is_leaf
    y.sum().backward()
    assert x.grad.tolist() == [3, 12, 27]


def test_forward_beside_setup_context(torch):
    seen = {}

    class Power(torch.autograd.Function):
        @staticmethod
        def forward(x, n=2):
            return x**n

        @staticmethod
        def setup_context(ctx, inputs, output):
            seen.update(inputs=inputs, output=output, recording=torch.is_grad_enabled())
            x, ctx.n = inputs
            ctx.save_for_backward(x)

        @staticmethod
        def backward(ctx, d):
            (x,) = ctx.saved_tensors
            return ctx.n * x ** (ctx.n - 1) * d, None

    x = leaf(torch)
    y = Power.apply(x)
    assert seen["inputs"][0] is x and seen["inputs"][1] == 2, "default values are inputs too"
    assert seen["output"] is y and seen["recording"] is False
    assert gradient(torch, y, x)[0].tolist() == [2, 4, 6]
    assert gradient(torch, Power.apply(x, n=3), x)[0].tolist() == [3, 12, 27]


def test_keyword_arguments_find_their_place(torch):
    F = function(torch, lambda ctx, x, scale: x * scale, lambda ctx, d: (d * 2, d * 3))
    x, scale = leaf(torch), leaf(torch)
    for y in (F.apply(x, scale=scale), F.apply(scale=scale, x=x)):
        assert [g.tolist() for g in gradient(torch, y, x, scale)] == [[2, 2, 2], [3, 3, 3]]


@pytest.mark.parametrize("arguments, keywords", [((1, 2), {"y": 3}), ((1,), {"z": 3}), ((), {"only": 1, "x": 2})])
def test_arguments_that_do_not_fit_the_signature(torch, arguments, keywords):
    def forward(ctx, x, y=0, *, only=1):
        return x

    with pytest.raises(TypeError):
        function(torch, forward).apply(*arguments, **keywords)


def test_too_many_arguments_beside_setup_context(torch):
    F = function(torch, lambda x: x * 2, setup_context=lambda ctx, inputs, output: None)
    with pytest.raises(TypeError, match="too many positional arguments"):
        F.apply(1, 2)


def test_class_methods_and_plain_functions_work_too(torch):
    class A(torch.autograd.Function):
        @classmethod
        def forward(cls, ctx, x):
            return x * 2

        @classmethod
        def backward(cls, ctx, d):
            return d * 2

    class B(torch.autograd.Function):
        def forward(ctx, x):
            return x * 2

        def backward(ctx, d):
            return d * 2

    x = leaf(torch)
    for F in (A, B):
        assert gradient(torch, F.apply(x), x)[0].tolist() == [2, 2, 2]


def test_vjp_is_another_name_of_backward(torch):
    x = leaf(torch)
    F = function(torch, lambda ctx, x: x * 2, vjp=staticmethod(lambda ctx, d: d * 5))
    assert gradient(torch, F.apply(x), x)[0].tolist() == [5, 5, 5]
    F = function(torch, lambda ctx, x: x * 2, lambda ctx, d: d, vjp=staticmethod(lambda ctx, d: d))
    with pytest.raises(RuntimeError, match="Implementing both 'backward' and 'vjp' for a custom Function is not "
                       "allowed"):
        gradient(torch, F.apply(x), x)


# ------------------------------------------------------------------------------ names, identity, definition errors


def test_ctx_is_the_node(torch):
    kept = []
    F = function(torch, lambda ctx, x: (kept.append(ctx), x * 2)[1], lambda ctx, d: (kept.append(ctx), d)[1],
                 name="MyFunc")
    x = leaf(torch)
    y = F.apply(x)
    assert y.grad_fn is kept[0] and y.output_nr == 0
    assert y.grad_fn.name() == "MyFuncBackward" == type(y.grad_fn).__name__
    assert isinstance(y.grad_fn, torch.autograd.function.BackwardCFunction)
    assert "MyFuncBackward object at" in repr(y.grad_fn) and "grad_fn=<MyFuncBackward>" in repr(y)
    (edge,) = y.grad_fn.next_functions
    assert type(edge[0]).__name__ == "AccumulateGrad" and edge[0].variable is x
    y.sum().backward()
    assert kept[1] is kept[0]


def test_a_subclass_has_its_own_name(torch):
    G = type("G", (doubling(torch),), {})
    assert G.apply(leaf(torch)).grad_fn.name() == "GBackward"


def test_one_edge_for_each_tensor_argument(torch):
    F = function(torch, lambda ctx, x, n, c, y: x * y * n, lambda ctx, d: (d, None, None, d * 2))
    x, y = leaf(torch), leaf(torch)
    out = F.apply(x, 3, torch.ones(3), y)
    edges = out.grad_fn.next_functions
    assert [None if node is None else node.variable for node, _ in edges] == [x, None, y]


def test_a_function_is_not_to_be_instantiated(torch):
    F = doubling(torch)
    with pytest.warns(DeprecationWarning, match="should not be instantiated"):
        instance = F()
    with pytest.raises(RuntimeError, match="Legacy autograd function with non-static forward method is deprecated"):
        instance(leaf(torch))


def test_missing_methods(torch):
    x = leaf(torch)
    with pytest.raises(NotImplementedError,
                       match="You must implement the forward function for custom autograd.Function"):
        type("F", (torch.autograd.Function,), {}).apply(x)
    y = function(torch, lambda ctx, x: x * 2).apply(x)
    with pytest.raises(NotImplementedError, match="You must implement either the backward or vjp method"):
        y.sum().backward()


def test_a_forward_without_ctx_or_setup_context(torch):
    with pytest.raises(TypeError, match="takes 1 positional argument but 2 were given"):
        function(torch, lambda x: x * 2).apply(leaf(torch))


# ------------------------------------------------------------------------------ outputs


def test_several_outputs(torch):
    received = []
    F = function(torch, lambda ctx, x: (x * 2, x * 3), lambda ctx, *d: (received.append(d), d[0] * 2 + d[1] * 3)[1])
    x = leaf(torch)
    a, b = F.apply(x)
    assert a.grad_fn is b.grad_fn and (a.output_nr, b.output_nr) == (0, 1)
    assert gradient(torch, a + 10 * b, x)[0].tolist() == [32, 32, 32]
    a, b = F.apply(x)
    assert gradient(torch, b, x)[0].tolist() == [3, 3, 3]
    assert received[1][0].tolist() == [0, 0, 0], "an output that nothing used counts as zeros"


def test_a_tuple_of_one_stays_a_tuple(torch):
    (y,) = function(torch, lambda ctx, x: (x * 2,), lambda ctx, d: d).apply(leaf(torch))
    assert y.requires_grad


def test_what_is_not_a_tensor_is_handed_on(torch):
    received = []
    F = function(torch, lambda ctx, x: (x * 2, None, "s", 5), lambda ctx, *d: (received.extend(d), d[0])[1])
    y, *rest = F.apply(leaf(torch))
    assert rest == [None, "s", 5]
    y.sum().backward()
    assert received[1:] == [None, None, None]


@pytest.mark.parametrize("result", [None, 3, {"a": 1}, ()])
def test_an_output_that_is_no_tensor_at_all(torch, result):
    assert function(torch, lambda ctx, x: result).apply(leaf(torch)) == result


def test_a_list_is_one_output_and_no_tensor(torch):
    (y,) = function(torch, lambda ctx, x: [x * 2]).apply(leaf(torch))
    assert not y.requires_grad


def test_a_named_tuple_becomes_a_tuple(torch):
    from collections import namedtuple

    Pair = namedtuple("Pair", "a b")
    result = function(torch, lambda ctx, x: Pair(x * 2, x * 3), lambda ctx, *d: d[0]).apply(leaf(torch))
    assert type(result) is tuple and all(y.requires_grad for y in result)


def test_no_argument_requires_grad(torch):
    y = doubling(torch).apply(torch.ones(3))
    assert not y.requires_grad and y.grad_fn is None
    assert function(torch, lambda ctx, n: torch.ones(n)).apply(3).tolist() == [1, 1, 1]


def test_no_grad(torch):
    with torch.no_grad():
        y = doubling(torch).apply(leaf(torch))
    assert not y.requires_grad


def test_whole_numbers_and_marked_outputs_are_not_differentiable(torch):
    received = []

    def forward(ctx, x):
        values, indices = x.sort()
        free = x * 2
        ctx.mark_non_differentiable(free)
        return values, indices, free

    F = function(torch, forward, lambda ctx, *d: (received.extend(d), d[0])[1])
    values, indices, free = F.apply(leaf(torch, 3.0, 1.0, 2.0))
    assert values.requires_grad and not indices.requires_grad and not free.requires_grad
    values.sum().backward()
    assert [d.tolist() for d in received] == [[1, 1, 1], [0, 0, 0], [0, 0, 0]]
    assert received[1].dtype == torch.int64 and received[2].dtype == torch.float64


def test_materialize_grads_off(torch):
    received = []

    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 2, x * 3, x > 0

    F = function(torch, forward, lambda ctx, *d: (received.extend(d), d[0])[1])
    F.apply(leaf(torch))[0].sum().backward()
    assert received[0].tolist() == [1, 1, 1] and received[1:] == [None, None]


def test_an_input_returned_as_it_came(torch):
    F = function(torch, lambda ctx, x: x, lambda ctx, d: d * 2)
    x = leaf(torch)
    y = F.apply(x)
    assert y is not x and y.grad_fn.name() == "FBackward" and x.is_leaf
    assert y._is_view() and y._base is x and y.data_ptr() == x.data_ptr()
    assert gradient(torch, y, x)[0].tolist() == [2, 2, 2]
    assert gradient(torch, F.apply(x * 3), x)[0].tolist() == [6, 6, 6]


def test_an_input_returned_without_recording(torch):
    F = function(torch, lambda ctx, x: x)
    x = leaf(torch)
    with torch.no_grad():
        y = F.apply(x)
    assert y is not x and not y.requires_grad and y.data_ptr() == x.data_ptr()
    z = torch.ones(3)
    y = F.apply(z)
    assert y is not z and y._base is z


def test_an_input_returned_twice(torch):
    F = function(torch, lambda ctx, x: (x, x), lambda ctx, a, b: a * 2 + b * 3)
    x = leaf(torch)
    a, b = F.apply(x)
    assert a is not b and (a.output_nr, b.output_nr) == (0, 1)
    assert gradient(torch, a + b, x)[0].tolist() == [5, 5, 5]


def test_a_view_of_an_input_returned(torch):
    F = function(torch, lambda ctx, x: x.view(3, 1), lambda ctx, d: d.view(3) * 2)
    x = leaf(torch)
    y = F.apply(x)
    assert y.grad_fn.name() == "FBackward" and y._is_view() and y.data_ptr() == x.data_ptr()
    assert gradient(torch, y, x)[0].tolist() == [2, 2, 2]


@pytest.mark.parametrize("forward", [lambda ctx, x: x, lambda ctx, x: x.view(3)])
def test_writing_to_a_returned_view_is_refused(torch, forward):
    y = function(torch, forward, lambda ctx, d: d).apply(leaf(torch))
    with pytest.raises(RuntimeError, match="view"):
        y.mul_(2)


def test_a_detached_input_returned(torch):
    F = function(torch, lambda ctx, x: x.detach(), lambda ctx, d: d * 2)
    x = leaf(torch)
    y = F.apply(x)
    assert y.grad_fn.name() == "FBackward" and gradient(torch, y, x)[0].tolist() == [2, 2, 2]


def test_a_non_differentiable_input_returned(torch):
    def forward(ctx, x):
        ctx.mark_non_differentiable(x)
        return x

    x = leaf(torch)
    y = function(torch, forward).apply(x)
    assert y is not x and not y.requires_grad and x.requires_grad


def test_complex_values(torch):
    def forward(ctx, z):
        ctx.save_for_backward(z)
        return z * z

    F = function(torch, forward, lambda ctx, d: d * (2 * ctx.saved_tensors[0]).conj())
    z = torch.tensor([1 + 2j, 3 - 1j], dtype=torch.complex128, requires_grad=True)
    F.apply(z).abs().sum().backward()
    expected = z.grad.clone()
    z.grad = None
    (z * z).abs().sum().backward()
    assert torch.allclose(z.grad, expected)


# ------------------------------------------------------------------------------ in place


def adding_one(ctx, x):
    ctx.mark_dirty(x)
    return x.add_(1)


def test_a_modified_input_is_the_output(torch):
    F = function(torch, adding_one, lambda ctx, d: d * 5)
    x = leaf(torch)
    a = x * 2
    before = a._version
    y = F.apply(a)
    assert y is a and a.grad_fn.name() == "FBackward" and a._version > before
    assert a.tolist() == [3, 5, 7]
    assert gradient(torch, a, x)[0].tolist() == [10, 10, 10]


def test_a_value_saved_before_the_modification_is_missed(torch):
    F = function(torch, adding_one, lambda ctx, d: d)
    a = leaf(torch).clone()
    b = a * a
    F.apply(a)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        b.sum().backward()


def test_a_write_through_numpy_counts_when_it_is_declared(torch):
    def forward(ctx, x):
        array = x.numpy()
        array += 1
        ctx.mark_dirty(x)
        return x

    F = function(torch, forward, lambda ctx, d: d)
    a = leaf(torch).clone()
    b = a * a
    assert F.apply(a).tolist() == [2, 3, 4]
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        b.sum().backward()


def test_a_modified_leaf(torch):
    F = function(torch, adding_one, lambda ctx, d: d)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad has been used in an in-place operation"):
        F.apply(leaf(torch))
    x = torch.ones(2)
    assert F.apply(x) is x and x.tolist() == [2, 2]


def test_a_modified_input_without_recording(torch):
    F = function(torch, adding_one)
    a = leaf(torch).clone()
    with torch.no_grad():
        y = F.apply(a)
    assert y is not a and not y.requires_grad and y.tolist() == a.tolist() == [2, 3, 4]
    assert a.grad_fn.name() == "CloneBackward0"


def test_a_modified_input_must_be_returned(torch):
    def forward(ctx, x):
        ctx.mark_dirty(x.add_(1))
        return x * 2

    with pytest.raises(RuntimeError, match="Some elements marked as dirty during the forward method were not returned "
                                           "as output"):
        function(torch, forward).apply(leaf(torch).clone())


def test_a_modified_view_allows_one_output_only(torch):
    def forward(ctx, x):
        ctx.mark_dirty(x.add_(1))
        return x, x * 2

    with pytest.raises(RuntimeError, match="your Function cannot return more than one Tensor"):
        function(torch, forward, lambda ctx, *d: d[0]).apply(leaf(torch).clone()[:2])


def test_marking_what_is_no_input_warns(torch):
    def forward(ctx, x):
        y = x * 2
        ctx.mark_dirty(y)
        return y

    with pytest.warns(UserWarning, match="received a tensor that was not an input"):
        y = function(torch, forward, lambda ctx, d: d).apply(leaf(torch).clone())
    assert y.requires_grad


def test_an_undeclared_modification_is_caught():
    F = function(minigrad, lambda ctx, x, weight: weight.add_(1) * x, lambda ctx, d: (d, d), name="Sloppy")
    x = leaf(minigrad)
    with pytest.raises(RuntimeError,
                       match="Sloppy.forward modified its argument 'weight' in place without saying so") as caught:
        F.apply(x, leaf(minigrad).clone())
    assert caught.value.code == "MG301" and "ctx.mark_dirty(weight)" in str(caught.value)
    with minigrad.no_grad():
        F.apply(x, leaf(minigrad).clone())


def test_an_undeclared_modification_of_what_needs_no_gradient_warns():
    """A running mean, say: right as long as no gradient should flow into it."""
    F = function(minigrad, lambda ctx, x, mean: (mean.add_(1), x * 2)[1], lambda ctx, d: (d, None))
    with pytest.warns(UserWarning, match="modified its argument 'mean' in place"):
        F.apply(leaf(minigrad), minigrad.zeros(3))


def test_a_view_of_a_declared_argument_is_declared():
    def forward(ctx, a, b):
        ctx.mark_dirty(a.add_(1))
        return a

    a = leaf(minigrad).clone()
    F = function(minigrad, forward, lambda ctx, d: (d, None))
    assert F.apply(a, a.detach()) is a


# ------------------------------------------------------------------------------ saved tensors


def saving(torch, *names):
    """A Function that saves its input x, its output y and the intermediate e, as asked."""

    def forward(ctx, x):
        e = x.exp()
        y = e * 2
        ctx.save_for_backward(*[{"x": x, "y": y, "e": e, "none": None}[name] for name in names])
        return y

    return function(torch, forward, lambda ctx, d: d * ctx.saved_tensors[0])


def test_saved_tensors_come_back_in_order(torch):
    x = leaf(torch)
    y = saving(torch, "x", "none", "y", "e").apply(x)
    saved = y.grad_fn.saved_tensors
    assert saved[0] is x and saved[1] is None
    assert saved[2].tolist() == y.tolist() and saved[2].grad_fn is y.grad_fn and saved[2].output_nr == 0
    assert not saved[3].requires_grad


def test_nothing_saved(torch):
    y = doubling(torch).apply(leaf(torch))
    assert y.grad_fn.saved_tensors == ()


def test_saved_tensors_are_checked_for_modification(torch):
    a = leaf(torch) * 1
    y = saving(torch, "x").apply(a)
    a.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_saved_tensors_are_freed_by_backward(torch):
    y = saving(torch, "x").apply(leaf(torch))
    y.backward(torch.ones_like(y), retain_graph=True)
    y.backward(torch.ones_like(y))
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        y.backward(torch.ones_like(y))
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        y.grad_fn.saved_tensors


def test_a_function_that_saved_nothing_may_run_again(torch):
    y = doubling(torch).apply(leaf(torch))
    y.backward(torch.ones_like(y))
    y.backward(torch.ones_like(y))


@pytest.mark.parametrize("value, position", [(3, 1), ([1], 1)])
def test_only_tensors_can_be_saved(torch, value, position):
    def forward(ctx, x):
        ctx.save_for_backward(x, value)
        return x * 2

    message = f"save_for_backward can only save variables, but argument {position} is of type {type(value).__name__}"
    with pytest.raises(TypeError, match=message):
        function(torch, forward).apply(leaf(torch))


@pytest.mark.parametrize("method", ["mark_dirty", "mark_non_differentiable"])
def test_only_tensors_can_be_marked(torch, method):
    def forward(ctx, x):
        getattr(ctx, method)(3)
        return x * 2

    with pytest.raises(RuntimeError, match=f"{method} (can only accept|only accepts) variable"):
        function(torch, forward).apply(leaf(torch))


def test_a_ctx_of_its_own_serves_to_try_forward_out(torch):
    ctx, x = torch.autograd.function.FunctionCtx(), leaf(torch)
    assert saving(torch, "x").forward(ctx, x).requires_grad
    assert ctx.to_save == (x,)


def test_materialize_grads_wants_a_bool(torch):
    with pytest.raises(TypeError):
        function(torch, lambda ctx, x: (ctx.set_materialize_grads(0), x)[1]).apply(leaf(torch))


def test_a_saved_output_makes_no_cycle(torch):
    gc.disable()
    try:
        y = saving(torch, "y").apply(leaf(torch))
        alive = weakref.ref(y.grad_fn)
        del y
        assert alive() is None
    finally:
        gc.enable()


def test_a_cycle_of_the_users_own_is_collected(torch):
    def forward(ctx, x):
        y = x * 2
        ctx.y = y
        return y

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y = function(torch, forward, lambda ctx, d: d).apply(leaf(torch))
    alive = weakref.ref(y.grad_fn)
    del y
    gc.collect()
    assert alive() is None


def test_saving_a_returned_input_beside_setup_context(torch):
    F = function(torch, lambda x: x, setup_context=lambda ctx, inputs, output: ctx.save_for_backward(inputs[0]))
    with pytest.raises(RuntimeError, match="input that has been returned as-is as output is being saved for backward"):
        F.apply(leaf(torch))


def test_declarations_belong_into_forward():
    y = function(minigrad, lambda ctx, x: x * 2, lambda ctx, d: ctx.save_for_backward(d)).apply(leaf(minigrad))
    with pytest.raises(RuntimeError,
                       match=r"ctx.save_for_backward\(\) was called after forward had returned") as caught:
        y.sum().backward()
    assert caught.value.code == "MG301"


@pytest.mark.parametrize("method", ["save_for_backward", "save_for_forward", "mark_dirty", "mark_non_differentiable"])
def test_each_declaration_is_made_once(method):
    def forward(ctx, x):
        getattr(ctx, method)(x)
        getattr(ctx, method)(x)
        return x

    with pytest.raises(RuntimeError, match=rf"ctx.{method}\(\) was called twice"):
        function(minigrad, forward).apply(minigrad.ones(2))


@pytest.mark.parametrize("keep, harm", [("x", "an input of forward"), ("y", "an output of forward")])
def test_a_tensor_kept_on_ctx_warns_once(keep, harm):
    def forward(ctx, x):
        y = x * 2
        ctx.kept = {"x": x, "y": y}[keep]
        ctx.number = 3
        return y

    F = function(minigrad, forward, lambda ctx, d: d, name="Keeper")
    with pytest.warns(UserWarning, match=f"Keeper: ctx.kept holds {harm}.*save_for_backward"):
        F.apply(leaf(minigrad))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        F.apply(leaf(minigrad))


def test_other_attributes_do_not_warn():
    def forward(ctx, x):
        ctx.shape, ctx.n, ctx.e = x.shape, 3, x.exp()
        return x * 2

    F = function(minigrad, forward, lambda ctx, d: d * 2 * ctx.n)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x = leaf(minigrad)
        assert gradient(minigrad, F.apply(x), x)[0].tolist() == [6, 6, 6]


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


def test_an_argument_used_twice_gets_both_gradients(torch):
    F = function(torch, lambda ctx, x, y: x * y, lambda ctx, d: (d * 2, d * 3))
    x = leaf(torch)
    assert gradient(torch, F.apply(x, x), x)[0].tolist() == [5, 5, 5]


def test_backward_runs_unrecorded_unless_it_is_to_be_differentiated(torch):
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


def test_the_refusal_names_the_function():
    once_differentiable = minigrad.autograd.function.once_differentiable
    F = function(minigrad, lambda ctx, x: x * 2, once_differentiable(lambda ctx, d: d * 2), name="Rough")
    x = leaf(minigrad)
    (g,) = minigrad.autograd.grad(F.apply(x), x, leaf(minigrad), create_graph=True)
    with pytest.raises(RuntimeError, match="RoughBackward") as caught:
        g.sum().backward()
    assert caught.value.code == "MG110"


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


# ------------------------------------------------------------------------------ what comes later, what was once


def test_inplace_function(torch):
    class F(torch.autograd.function.InplaceFunction):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, d):
            return d * 2

    x = leaf(torch)
    assert gradient(torch, F.apply(x), x)[0].tolist() == [2, 2, 2]
    with pytest.warns(DeprecationWarning):
        assert F(True).inplace is True


def test_nested_io_function():
    """PyTorch keeps the class, but it has not worked there since Functions became static."""

    class F(minigrad.autograd.function.NestedIOFunction):
        @staticmethod
        def forward_extended(ctx, pair, extra):
            a, b = pair
            return {"sum": a + b, "rest": [a * extra["c"], 7]}

        @staticmethod
        def backward_extended(ctx, d):
            s, (p, _) = d["sum"], d["rest"]
            return [s + 2 * p, s], {"c": 3 * p, "n": None}

    a, b, c = leaf(minigrad), leaf(minigrad), leaf(minigrad)
    out = F.apply([a, b], {"c": c, "n": 1})
    assert out["rest"][1] == 7
    found = gradient(minigrad, out["sum"] + 10 * out["rest"][0], a, b, c)
    assert [g.tolist() for g in found] == [[21, 21, 21], [1, 1, 1], [30, 30, 30]]


def test_variable_gives_tensors(torch):
    Variable = torch.autograd.Variable
    data = torch.ones(2)
    x = Variable(data, requires_grad=True)
    assert type(x) is torch.Tensor and x.requires_grad and x.data_ptr() == data.data_ptr() and not data.requires_grad
    assert isinstance(data, Variable) and not isinstance(3, Variable)
    assert not Variable(x).requires_grad and Variable(x * 2).is_leaf and Variable().shape == (0,)
    with pytest.raises(TypeError, match="Variable data has to be a tensor, but got int"):
        Variable(3)
    with pytest.warns(UserWarning, match="volatile was removed"):
        Variable(data, volatile=True)


def test_apply_of_a_node_is_what_backward_returns(torch):
    """Unchecked, and with a None for what is no tensor: `ctx.apply(g)` of PyTorch's documentation."""

    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, n):
            return x * n

        @staticmethod
        def backward(ctx, d):
            return d * 3, None

    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, d):
            return d * 2

    x = torch.ones(2, requires_grad=True)
    g, nothing = Scale.apply(x, 3).grad_fn.apply(torch.ones(2))
    assert g.tolist() == [3., 3.] and nothing is None
    assert Double.apply(x).grad_fn.apply(torch.ones(2)).tolist() == [2., 2.]
    Scale.apply(x, 3).sum().backward()
    assert x.grad.tolist() == [3., 3.]
