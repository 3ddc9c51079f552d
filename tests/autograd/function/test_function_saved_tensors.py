"""What a custom Function keeps for its backward: ``save_for_backward``, attributes of ctx, and how long they live."""

import gc
import warnings
import weakref

import pytest

import minigrad
from tests.autograd.function.functions import doubling, function, gradient, leaf


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


@pytest.mark.parametrize("save", ["save_for_backward", "save_for_forward"])
def test_saving_a_returned_input_beside_setup_context(torch, save):
    F = function(torch, lambda x: x, setup_context=lambda ctx, inputs, output: getattr(ctx, save)(inputs[0]))
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


def test_of_an_argument_with_a_history_only_the_value_is_kept():
    class Squared(minigrad.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            return 2 * g * ctx.saved_tensors[0]

    x = minigrad.tensor([1., 2.], requires_grad=True)
    y = x * 3
    z = Squared.apply(y)
    kept = weakref.ref(y)
    del y
    assert kept() is None
    z.sum().backward()
    assert x.grad.tolist() == [18., 36.]


def test_a_tensor_with_a_history_may_be_saved_that_was_not_an_argument(torch):
    """It is another output of the node that an argument comes from, or comes from a node of its own."""
    x = torch.tensor([1., 2.], requires_grad=True)
    for other in (torch.unbind(x * 2), (x[0] * 2, x[1] * 2)):
        a, b = other

        def forward(ctx, t, b=b):
            ctx.save_for_backward(b)
            return t * b

        scaled = function(torch, forward, lambda ctx, g: g * ctx.saved_tensors[0])
        y = scaled.apply(a)
        (saved,) = y.grad_fn.saved_tensors
        assert saved.grad_fn is b.grad_fn and saved.output_nr == b.output_nr
        (g,) = torch.autograd.grad(y, x)
        assert g.tolist() == [8, 0]


def test_a_leaf_whose_edge_was_asked_for_is_saved_itself(torch):
    x = leaf(torch)
    torch.autograd.graph.get_gradient_edge(x)
    assert saving(torch, "x").apply(x).grad_fn.saved_tensors[0] is x


def test_an_argument_from_outside_a_transform_is_saved(torch):
    class Product(torch.autograd.Function):
        @staticmethod
        def forward(a, b):
            return a * b

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx, g):
            a, b = ctx.saved_tensors
            return g * b, g * a

    x = torch.tensor(3., requires_grad=True)
    outside = x * x
    slope = torch.func.grad(lambda a: Product.apply(a, outside) * a)(torch.tensor(2.))
    assert slope.item() == 36
    (g,) = torch.autograd.grad(slope, x)
    assert g.item() == 24


def test_the_collector_is_told_that_a_node_holds_its_attributes():
    def forward(ctx, x):
        ctx.factor = 2
        return x * 2

    node = function(minigrad, forward, lambda ctx, d: d * ctx.factor).apply(leaf(minigrad)).grad_fn
    assert any(holder is node for holder in gc.get_referrers(vars(node)))


def test_a_function_saves_a_leaf_that_hooks_gave_back(torch):
    """What the unpack hook returns has the history of the leaf, and a second Function saves it."""
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x ** 3

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * 3 * x ** 2

    class Fourth(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x ** 4

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * 4 * Cube.apply(x)

    x = torch.tensor([1., 2.], requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t):
        y = Fourth.apply(x)
        (first,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        (second,) = torch.autograd.grad(first.sum(), x, create_graph=True)
        (third,) = torch.autograd.grad(second.sum(), x)
    assert [first.tolist(), second.tolist(), third.tolist()] == [[4., 32.], [12., 48.], [24., 48.]]
