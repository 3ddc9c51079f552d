"""Custom Functions: what apply does with arguments and outputs, what ctx can do, and what is refused.
Saved tensors, gradients, and writes into arguments have files of their own.

Tests with the fixture `torch` hold for PyTorch too; the others are about what minigrad adds.
"""

import pytest

import minigrad
from tests.autograd.function.functions import doubling, function, gradient, leaf
from tests.checking import refuses


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
def test_an_output_that_is_not_a_tensor_at_all(torch, result):
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


def test_integers_and_marked_outputs_are_not_differentiable(torch):
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


def test_what_forward_made_with_a_graph_loses_it_where_it_is_marked(torch):
    mine = leaf(torch)

    def forward(ctx, x):
        with torch.enable_grad():
            made = leaf(torch)
            found = made * 2
            part = found[1:]
        ctx.mark_non_differentiable(mine, made, found)
        return x * 2, mine, made, found, part

    y, mine_again, made, found, part = function(torch, forward, lambda ctx, d, *rest: d * 2).apply(leaf(torch))
    assert y.requires_grad and part.requires_grad and mine_again is mine
    assert not any(each.requires_grad for each in (mine, made, found)) and found.is_leaf


def test_vmap_is_for_the_author_to_write(torch):
    with refuses(NotImplementedError, "you must either override the vmap staticmethod or set generate_vmap_rule=True",
                 "MG305"):
        torch.autograd.Function.vmap(None, (0,))


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
    """Unchecked, and with a None for anything that is not a tensor: `ctx.apply(g)` of PyTorch's documentation."""

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
