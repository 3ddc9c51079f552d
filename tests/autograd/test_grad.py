"""``grad``: returns gradients and touches nothing; its arguments, and with them derivatives of derivatives."""

import math

import pytest

import minigrad

from tests.autograd.programs import leaf
from tests.checking import refuses


# ------------------------------------------------------------------------------ what it returns

def test_a_tuple_in_the_order_of_the_inputs(torch):
    x, w = leaf(torch, 2., 3.), leaf(torch, 5., 7.)
    result = torch.autograd.grad((x * w).sum(), [w, x])
    assert type(result) is tuple and [g.tolist() for g in result] == [[2., 3.], [5., 7.]]


def test_it_touches_no_grad(torch):
    x, w = leaf(torch, 2.), leaf(torch, 3.)
    torch.autograd.grad(x * w, x)
    assert x.grad is None and w.grad is None


def test_a_single_input(torch):
    x = leaf(torch, 2.)
    assert torch.autograd.grad(x * x, x)[0].tolist() == [4.]


def test_with_respect_to_an_intermediate_result(torch):
    x = leaf(torch, 2., 3.)
    y = x * x
    gy, gx = torch.autograd.grad((y * y).sum(), [y, x])
    assert gy.tolist() == [8., 18.] and gx.tolist() == [32., 108.]
    assert not y.retains_grad


def test_with_respect_to_itself(torch):
    x = leaf(torch, 2., 3.)
    y = x.sum()
    assert torch.autograd.grad(y, y)[0].item() == 1
    assert torch.autograd.grad(x, x, torch.tensor([1., 5.]))[0].tolist() == [1., 5.]


def test_with_respect_to_one_output_of_several(torch):
    x = torch.tensor([[1., 2.], [3., 4.]], requires_grad=True)
    a, b = x.unbind(0)
    y = (a * a + b).sum()
    ga, gb, gx = torch.autograd.grad(y, [a, b, x])
    assert ga.tolist() == [2., 4.] and gb.tolist() == [1., 1.] and gx.tolist() == [[2., 4.], [1., 1.]]


def test_the_same_input_twice(torch):
    x = leaf(torch, 2.)
    a, b = torch.autograd.grad(x * 3, [x, x])
    assert a.tolist() == b.tolist() == [3.]


def test_several_outputs_add_up(torch):
    x = leaf(torch, 2., 3.)
    assert torch.autograd.grad([x.sum(), x * x], x, [None, torch.tensor([1., 10.])])[0].tolist() == [5., 61.]


def test_all_that_leads_to_an_input_counts(torch):
    """y is an input, and also on the way to x."""
    x = leaf(torch, 2.)
    y = x * 3
    z = y * y + x
    gx, gy = torch.autograd.grad(z, [x, y])
    assert gx.tolist() == [37.] and gy.tolist() == [12.]


def test_the_result_carries_no_graph(torch):
    x = leaf(torch, 2.)
    (g,) = torch.autograd.grad(x * x, x)
    assert not g.requires_grad and g.grad_fn is None


def test_shape_and_dtype_of_the_input(torch):
    x = torch.ones(1, 3, dtype=torch.float16, requires_grad=True)
    w = torch.ones(2, 3, dtype=torch.float64, requires_grad=True)
    gx, gw = torch.autograd.grad((x * w).sum(), [x, w])
    assert gx.shape == (1, 3) and gx.dtype is torch.float16 and gx.tolist() == [[2., 2., 2.]]
    assert gw.shape == (2, 3) and gw.dtype is torch.float64


# ------------------------------------------------------------------------------ what it refuses

def test_an_unused_input(torch):
    x, z = leaf(torch, 1.), leaf(torch, 1.)
    with refuses(RuntimeError, "The differentiated Tensor at index 1 appears to not have been used in the graph",
                 "MG106") as caught:
        torch.autograd.grad(x * 2, [x, z])
    assert "Set allow_unused=True if this is the desired behavior" in str(caught.value)


def test_an_unused_input_when_there_is_no_output(torch):
    x = leaf(torch, 1.)
    with refuses(RuntimeError, "appears to not have been used in the graph", "MG106"):
        torch.autograd.grad([], x)
    assert torch.autograd.grad([], x, allow_unused=True) == (None,)


def test_an_input_that_does_not_require_grad(torch):
    x = leaf(torch, 1.)
    for keywords in ({}, {"allow_unused": True}):
        with refuses(RuntimeError, "One of the differentiated Tensors does not require grad", "MG103"):
            torch.autograd.grad(x * 2, torch.ones(1), **keywords)


def test_an_input_switched_off_after_use(torch):
    x = leaf(torch, 1.)
    y = x * 2
    x.requires_grad_(False)
    with refuses(RuntimeError, "One of the differentiated Tensors does not require grad", "MG103"):
        torch.autograd.grad(y, x)


def test_no_inputs(torch):
    x = leaf(torch, 1.)
    with refuses(RuntimeError, "`inputs` argument to `grad()` cannot be empty", "MG113"):
        torch.autograd.grad(x * 2, [])


@pytest.mark.parametrize("wrong", [1.0, None, "a"])
def test_an_input_is_a_tensor(torch, wrong):
    x = leaf(torch, 1.)
    with refuses(RuntimeError, f"all inputs have to be Tensors or GradientEdges, but got {type(wrong).__name__}",
                 "MG113"):
        torch.autograd.grad(x * 2, [wrong])


def test_inputs_and_outputs_must_be_given(torch):
    x = leaf(torch, 1.)
    with pytest.raises(TypeError):
        torch.autograd.grad(x * 2, None)
    with pytest.raises(TypeError):
        torch.autograd.grad(None, x)
    with pytest.raises((TypeError, AssertionError)):
        torch.autograd.grad([None], x)


def test_a_vector_has_no_implicit_gradient(torch):
    x = leaf(torch, 1., 2.)
    with refuses(RuntimeError, "grad can be implicitly created only for scalar outputs", "MG104"):
        torch.autograd.grad(x * 2, x)


def test_an_output_that_was_not_recorded(torch):
    x = leaf(torch, 1.)
    with refuses(RuntimeError, "element 0 of tensors does not require grad and does not have a grad_fn", "MG103"):
        torch.autograd.grad(x.detach() * 2, x)


@pytest.mark.parametrize("shape", [(3,), (1, 2), ()])
def test_the_shape_of_grad_outputs(torch, shape):
    x = leaf(torch, 1., 2.)
    with refuses(RuntimeError, "Mismatch in shape: grad_output[0] has a shape of", "MG109"):
        torch.autograd.grad(x * 2, x, torch.ones(shape))


def test_as_many_grad_outputs_as_outputs(torch):
    x = leaf(torch, 1., 2.)
    with refuses(RuntimeError, "got 2 tensors and 1 gradients", "MG113"):
        torch.autograd.grad([x * 2, x * 3], x, [torch.ones(2)])


def test_an_error_leaves_the_graph_as_it_was(torch):
    x = leaf(torch, 3.)
    y = x * x
    for arguments in (([],), ([1.0],), (torch.ones(1),), (x, torch.ones(2)), (x, [None])):
        with pytest.raises((RuntimeError, TypeError, ValueError)):
            torch.autograd.grad([y, y], *arguments)
    assert torch.autograd.grad(y, x)[0].tolist() == [6.]


# ------------------------------------------------------------------------- allow_unused, materialize_grads, only_inputs

def test_allow_unused(torch):
    x, z = leaf(torch, 1.), leaf(torch, 1.)
    gx, gz = torch.autograd.grad(x * 2, [x, z], allow_unused=True)
    assert gx.tolist() == [2.] and gz is None


def test_materialize_grads(torch):
    x, z = leaf(torch, 1.), torch.ones(2, 3, dtype=torch.float64, requires_grad=True)
    gx, gz = torch.autograd.grad(x * 2, [x, z], materialize_grads=True)
    assert gx.tolist() == [2.] and gz.tolist() == [[0.] * 3] * 2 and gz.dtype is torch.float64 and not gz.requires_grad


def test_materialized_gradients_require_grad_with_create_graph(torch):
    x, z = leaf(torch, 1.), leaf(torch, 1.)
    gx, gz = torch.autograd.grad(x * x, [x, z], materialize_grads=True, create_graph=True)
    assert gx.requires_grad and gz.requires_grad


def test_materialize_grads_contradicts_allow_unused_false(torch):
    x = leaf(torch, 1.)
    with refuses(ValueError, "Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
                             "allow_unused=False.", "MG115"):
        torch.autograd.grad(x * 2, x, allow_unused=False, materialize_grads=True)
    assert torch.autograd.grad(x * 2, x, allow_unused=True, materialize_grads=True)[0].tolist() == [2.]


def test_only_inputs_is_deprecated(torch):
    x = leaf(torch, 1.)
    with pytest.warns(FutureWarning, match="only_inputs argument is deprecated and is ignored now"):
        assert torch.autograd.grad(x * 2, x, only_inputs=False)[0].tolist() == [2.]


# --------------------------------------------------------------------- only what is needed runs, and only that is freed

def test_only_needed_nodes_run(torch):
    ran = []

    class Watched(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, name):
            ctx.name = name
            return x * 2

        @staticmethod
        def backward(ctx, g):
            ran.append(ctx.name)
            return g * 2, None

    x, w = leaf(torch, 1.), leaf(torch, 1.)
    below = Watched.apply(x, "below")
    middle = Watched.apply(below, "middle")
    aside = Watched.apply(w, "aside")
    torch.autograd.grad(Watched.apply(middle, "above") + aside, middle)
    assert ran == ["above"]


def test_only_nodes_that_ran_are_freed(torch):
    x, w = leaf(torch, 3.), leaf(torch, 5.)
    a, b = x * x, w * w
    torch.autograd.grad(a + b, x)
    assert torch.autograd.grad(b, w)[0].tolist() == [10.]
    with refuses(RuntimeError, "a second time", "MG102"):
        torch.autograd.grad(a, x)


@pytest.mark.parametrize("hooked", [False, True])
def test_a_node_that_ran_is_freed_for_formulas_that_need_nothing_of_it(torch, hooked):
    b, x, w = (leaf(torch, 3.) for _ in range(3))
    y = torch.addcmul(b, x, w)
    if hooked:
        y.grad_fn.register_hook(lambda outgoing, incoming: None)
    torch.autograd.grad(y, x)
    with refuses(RuntimeError, "a second time", "MG102"):
        torch.autograd.grad(y, b)


def test_a_node_above_the_input_is_not_freed(torch):
    x = leaf(torch, 3.)
    y = x * x
    torch.autograd.grad(y * y, y)
    assert torch.autograd.grad(y, x)[0].tolist() == [6.]


def test_an_unused_input_is_found_after_the_pass(torch):
    """As in PyTorch: the graph is used up although the call failed."""
    x, z = leaf(torch, 3.), leaf(torch, 1.)
    y = x * x
    with pytest.raises(RuntimeError):
        torch.autograd.grad(y, [x, z])
    with refuses(RuntimeError, "a second time", "MG102"):
        torch.autograd.grad(y, x)


# ------------------------------------------------------------------------------ derivatives of derivatives

def test_create_graph(torch):
    x = leaf(torch, 2., 3.)
    (first,) = torch.autograd.grad((x ** 4).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x, create_graph=True)
    (third,) = torch.autograd.grad(second.sum(), x, create_graph=True)
    (fourth,) = torch.autograd.grad(third.sum(), x)
    assert first.tolist() == [32., 108.] and second.tolist() == [48., 108.] and third.tolist() == [48., 72.]
    assert fourth.tolist() == [24., 24.]


def test_the_graph_of_a_gradient_reaches_grad_outputs(torch):
    x, v = leaf(torch, 2., 3.), leaf(torch, 5., 7.)
    (g,) = torch.autograd.grad(x * x, x, v, create_graph=True)
    gx, gv = torch.autograd.grad(g.sum(), [x, v])
    assert gx.tolist() == [10., 14.] and gv.tolist() == [4., 6.]


def test_without_create_graph_grad_outputs_are_constants(torch):
    x, v = leaf(torch, 2.), leaf(torch, 5.)
    assert not torch.autograd.grad(x * x, x, v)[0].requires_grad


def test_a_constant_gradient_has_no_graph(torch):
    x = leaf(torch, 2.)
    (g,) = torch.autograd.grad(x * 3, x, create_graph=True)
    assert g.tolist() == [3.] and not g.requires_grad


def test_a_product_of_a_hessian_and_a_vector(torch):
    x = leaf(torch, 1., 2., 3., dtype=torch.float64)
    v = torch.tensor([1., -1., 2.], dtype=torch.float64)
    y = (x * x).sum() * x[0]
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    (hv,) = torch.autograd.grad(g, x, v)
    # H = 2 (x e0' + e0 x') + 2 x0 I
    assert hv.tolist() == [2 * (1 * 1 + (1 - 2 + 6)) + 2 * 1, 2 * 2 * 1 + 2 * -1, 2 * 3 * 1 + 2 * 2]


def test_gradient_penalty(torch):
    """Backward through a gradient, added to an ordinary loss."""
    x, w = leaf(torch, 1., 2., dtype=torch.float64), leaf(torch, 3., 4., dtype=torch.float64)
    y = (w * x * x).sum()
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    (y + (g * g).sum()).backward()
    # dy/dw = x^2, d(4 w^2 x^2)/dw = 8 w x^2; dy/dx = 2wx, d(4 w^2 x^2)/dx = 8 w^2 x
    assert w.grad.tolist() == [1 + 24, 4 + 128] and x.grad.tolist() == [6 + 72, 16 + 256]


@pytest.mark.parametrize("name", ["relu", "relu6", "hardtanh", "threshold"])
def test_the_gradient_of_a_kink_has_a_graph_whose_derivative_is_zero(torch, name):
    x = leaf(torch, 1.5, -0.7)
    y = {"threshold": lambda: torch.nn.functional.threshold(x, 0, 5.)}.get(name,
                                                                           lambda: getattr(torch.nn.functional,
                                                                                           name)(x))()
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    assert g.tolist() == ([0., 1.] if name == "hardtanh" else [1., 0.]) and g.requires_grad
    assert torch.autograd.grad(g.sum(), x)[0].tolist() == [0., 0.]


FUNCTIONS = {
    "exp": (lambda x: x.exp(), [math.exp(0.7)] * 3),
    "sin": (lambda x: x.sin(), [math.cos(0.7), -math.sin(0.7), -math.cos(0.7)]),
    "log": (lambda x: x.log(), [1 / 0.7, -1 / 0.7 ** 2, 2 / 0.7 ** 3]),
    "reciprocal": (lambda x: 1 / x, [-0.7 ** -2, 2 * 0.7 ** -3, -6 * 0.7 ** -4]),
    "sqrt": (lambda x: x.sqrt(), [0.5 * 0.7 ** -0.5, -0.25 * 0.7 ** -1.5, 0.375 * 0.7 ** -2.5]),
    "power": (lambda x: x ** 3, [3 * 0.49, 6 * 0.7, 6]),
    "tanh": (lambda x: x.tanh(), None),
    "sigmoid": (lambda x: x.sigmoid(), None),
    "product": (lambda x: x * x.sin() / x.cosh(), None),
    "sums": (lambda x: (x * x).sum(0, keepdim=True) * x + x.mean(), None),
    "matrices": (lambda x: (x.reshape(1, 1) @ x.exp().reshape(1, 1)).reshape(1), None),
    "views": (lambda x: x.reshape(1, 1).t().expand(3, 1).unsqueeze(0).sum() * x ** 2, None),
    "softmax": (lambda x: (x * x.new_ones(3).cumsum(0)).softmax(0)[1:2], None),
    "parts": (lambda x: (x.repeat(4) * x.new_ones(4).cumsum(0)).reshape(2, 2).unbind(0)[1].prod().reshape(1), None),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_three_derivatives(torch, name):
    function, expected = FUNCTIONS[name]
    x = leaf(torch, 0.7, dtype=torch.float64)

    def derivatives(at):
        y, found = function(at), []
        for _ in range(3):
            (y,) = torch.autograd.grad(y.sum(), at, create_graph=True)
            found.append(y.item())
        return found

    found = derivatives(x)
    if expected is not None:
        assert found == pytest.approx(expected)
    h = 1e-5
    above, below = (derivatives(leaf(torch, 0.7 + s, dtype=torch.float64)) for s in (h, -h))
    assert found[1:] == pytest.approx([(a - b) / (2 * h) for a, b in zip(above[:2], below[:2])], rel=1e-6, abs=1e-6)


def test_mixed_derivatives_agree(torch):
    x, w = leaf(torch, 0.3, dtype=torch.float64), leaf(torch, 1.7, dtype=torch.float64)
    y = (x * w).sin() * w.exp() / x
    gx, gw = torch.autograd.grad(y, [x, w], create_graph=True)
    (xw,) = torch.autograd.grad(gx, w, retain_graph=True)
    (wx,) = torch.autograd.grad(gw, x)
    assert xw.item() == pytest.approx(wx.item())


# ------------------------------------------------------------------------------ many vectors at once

@pytest.mark.parametrize("create_graph", [False, True])
def test_batched_vectors(torch, create_graph):
    x = torch.tensor([1., 2., 3.], requires_grad=True)
    w = torch.tensor([2., 2., 2.], requires_grad=True)
    unused = torch.ones(1, requires_grad=True)
    y = x ** 2 * w
    gx, gu, gw = torch.autograd.grad(y, (x, unused, w), torch.eye(3), create_graph=create_graph, allow_unused=True,
                                     is_grads_batched=True)
    assert gx.tolist() == [[4, 0, 0], [0, 8, 0], [0, 0, 12]] and gu is None
    assert gw.tolist() == [[1, 0, 0], [0, 4, 0], [0, 0, 9]]
    assert gx.requires_grad == create_graph
    if create_graph:
        assert torch.autograd.grad(gx.sum(), x)[0].tolist() == [4, 4, 4]


def test_batched_vectors_of_several_outputs(torch):
    x = torch.tensor([1., 2.], requires_grad=True)
    y, z = x * 3, x.sum()
    v, u = torch.tensor([[1., 0.], [0., 1.]]), torch.tensor([10., 20.])
    g, = torch.autograd.grad((y, z), x, (v, u), is_grads_batched=True)
    assert g.tolist() == [[13, 10], [20, 23]]


def test_batched_vectors_must_be_there_and_fit(torch):
    x = torch.tensor([1., 2.], requires_grad=True)
    y = x * 3
    for wrong in (None, torch.ones(4, 3)):
        with pytest.raises((RuntimeError, ValueError)):
            torch.autograd.grad(y, x, wrong, is_grads_batched=True)


# ------------------------------------------------------------------------------ what is not a tensor

def test_a_number_is_not_an_input():
    x = minigrad.ones(1, requires_grad=True)
    for call in (lambda: minigrad.autograd.grad(x * 2, 2.0), lambda: minigrad.autograd.backward(3.0),
                 lambda: minigrad.autograd.grad(3.0, x)):
        with pytest.raises(TypeError,
                           match="take a Tensor, a GradientEdge, or a sequence of them, not float") as caught:
            call()
        assert caught.value.code == "MG114"
    assert x.grad is None
