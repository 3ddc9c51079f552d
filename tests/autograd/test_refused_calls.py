"""What autograd refuses that no other file here asks it for, and cases at its edges; in both libraries."""

import pytest

import minigrad
from minigrad.autograd.graph.saved_memory import shown
from tests.checking import is_minigrad, refuses


def leaf(torch, *values):
    return torch.tensor(values, requires_grad=True)


def test_a_level_that_is_not_the_last(torch):
    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        with refuses(RuntimeError, "Trying to exit a forward AD level that was not the last one", "MG126"):
            forward_ad.exit_dual_level(level=3)
        assert forward_ad.make_dual(torch.ones(1), torch.ones(1)).sum().item() == 1


def test_a_backward_that_returns_no_tensor(torch):
    class Three(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return 2 * x

        @staticmethod
        def backward(ctx, g):
            return 3

    with refuses(RuntimeError, "expected Variable or None (got int)", "MG107"):
        Three.apply(leaf(torch, 1.)).backward()


def test_a_function_without_a_rule_for_batches(torch):
    class Cloned(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x.clone()

        @staticmethod
        def setup_context(ctx, inputs, output):
            pass

        @staticmethod
        def backward(ctx, g):
            return g

    with refuses(RuntimeError, "You tried to vmap over Cloned, but it does not have vmap support", "MG302"):
        torch.vmap(Cloned.apply)(torch.ones(2))
    with pytest.raises(NotImplementedError):
        torch.autograd.Function.setup_context(None, (), None)


@pytest.mark.parametrize("made", [lambda x: x, lambda x: x * 1, lambda x: (x * 1)[:1]])
@pytest.mark.parametrize("dirty", [False, True])
def test_an_argument_that_is_returned_and_not_differentiable(torch, made, dirty):
    class Same(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_non_differentiable(x)
            if dirty:
                ctx.mark_dirty(x.add_(1))
            return x

        @staticmethod
        def backward(ctx, g):
            return g

    x = made(leaf(torch, 1.))
    if dirty and x.is_leaf:
        return                          # refused: a leaf is written to
    y = Same.apply(x)
    assert not y.requires_grad and y.grad_fn is None and y.tolist() == [2. if dirty else 1.]


def test_an_inference_tensor_as_another_argument_of_a_function(torch):
    class First(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x + y

        @staticmethod
        def backward(ctx, g):
            return g, None

    with torch.inference_mode():
        y = torch.ones(1)
    x = leaf(torch, 1.)
    First.apply(x, y).backward()
    assert x.grad.tolist() == [1.]


def test_functions_of_trees_want_their_extended_methods(torch):
    nested = torch.autograd.function.NestedIOFunction
    for method, given in ((nested.forward_extended, (None,)), (nested.backward_extended, (None, 1))):
        with pytest.raises(NotImplementedError):
            method(*given)


def test_modes_are_bools(torch):
    with refuses(TypeError, "must be bool, not int", "MG205"):
        torch.set_grad_enabled(3)
    assert torch.is_grad_enabled()


def test_edges_as_inputs_of_a_pass(torch):
    x = leaf(torch, 1.)
    y = 2 * x
    y.backward(inputs=[torch.autograd.graph.get_gradient_edge(x)], retain_graph=True)
    assert x.grad.tolist() == [2.]


def test_an_edge_to_no_leaf_is_an_input_whose_node_runs(torch):
    """Nothing has a .grad there; what it says is seen by hooks, and leaves beside it accumulate."""
    edge, seen = torch.autograd.graph.get_gradient_edge, []
    x, z = leaf(torch, 1., 2.), leaf(torch, 3., 4.)
    y = x * z
    loss = (y * y).sum()
    y.register_hook(lambda g: seen.append(g.tolist()))
    y.grad_fn.register_hook(lambda *_: seen.append("ran"))
    for inputs, found in (([edge(y)], None), (edge(y), None), ([x, edge(y)], [18., 64.])):
        loss.backward(inputs=inputs, retain_graph=True)
        assert (x.grad if found is None else x.grad.tolist()) == found and z.grad is None
    assert seen == [[6., 16.], "ran"] * 3
    loss.backward(inputs=[edge(leaf(torch, 1.) * 2)])
    assert x.grad.tolist() == [18., 64.]
    loss.backward(inputs=[edge(y)])
    with refuses(RuntimeError, "a second time", "MG102"):
        y.sum().backward()


def test_a_subclass_is_asked_first(torch):
    class Asked(torch.Tensor):
        @classmethod
        def __torch_function__(cls, function, types, args=(), kwargs=None):
            return "asked", function.__name__

    x = torch.ones(1).as_subclass(Asked)
    assert torch.autograd.backward(x) == ("asked", "backward")
    assert torch.autograd.grad(x, leaf(torch, 1.)) == ("asked", "grad")


def test_a_function_that_is_not_finite_is_told_from_a_wrong_gradient(torch):
    kind = torch.autograd.gradcheck.__globals__["GradcheckError"]
    with pytest.raises(kind) as caught:                     # the root of 1e-7 - 1e-6
        torch.autograd.gradcheck(torch.sqrt, torch.tensor([1e-7], dtype=torch.float64, requires_grad=True))
    assert "nan" in str(caught.value)
    if is_minigrad(torch):
        assert "the function itself gives nan or inf near this input" in str(caught.value)


def test_how_much_memory_an_operation_keeps():
    x = minigrad.ones(300, requires_grad=True)
    kept = minigrad.autograd.graph.saved_bytes(x.exp())
    assert repr(kept.by_op) == "{'ExpBackward0': OpBytes(nodes=1, bytes=1200, lines={})}"
    assert [shown(size) for size in (3, 3 << 10, 3 << 20, 3 << 30, 3 << 40)] == [
        "3 B", "3.00 KB", "3.00 MB", "3.00 GB", "3072.00 GB"]
