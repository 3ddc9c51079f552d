"""Reading the graph: nodes, what they are called and lead to, edges, and versions counted by hand."""

import gc
import weakref

import pytest

from tests.autograd.programs import leaf
from tests.checking import is_minigrad, refuses


def doubling(torch):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    return Double


# ------------------------------------------------------------------------------ nodes

def test_what_a_node_is(torch):
    Node = torch.autograd.graph.Node
    x = leaf(torch, 1., 2.)
    y = x * 2
    nodes = [y.grad_fn, y.grad_fn.next_functions[0][0], doubling(torch).apply(x).grad_fn, (y + y).unbind()[1].grad_fn]
    assert all(isinstance(n, Node) and issubclass(type(n), Node) for n in nodes)
    assert not any(isinstance(other, Node) for other in (3, None, x, Node))


def test_nobody_makes_one(torch):
    with refuses(TypeError, "Can't instantiate abstract class Node", "MG205"):
        torch.autograd.graph.Node()


def test_names(torch):
    x = leaf(torch, 1., 2.)
    y = x * 2
    assert y.grad_fn.name() == "MulBackward0" == type(y.grad_fn).__name__
    assert y.grad_fn.next_functions[0][0].name() == "torch::autograd::AccumulateGrad"
    assert doubling(torch).apply(x).grad_fn.name() == "DoubleBackward"


def test_where_a_node_leads(torch):
    x, w = leaf(torch, 1., 2.), torch.ones(2)
    y = x * w
    a, b = (x * 3).unbind()
    (first, nr), constant = y.grad_fn.next_functions
    assert first.variable is x and nr == 0 and constant == (None, 0)
    assert (b * 2).grad_fn.next_functions[0] == (b.grad_fn, 1) and b.output_nr == 1 and a.grad_fn is b.grad_fn


def test_a_node_is_one_object(torch):
    """Notes, hooks and identity last as long as the node does."""
    x = leaf(torch, 1.)
    y = x * 2
    z = y + 1
    assert y.grad_fn is y.grad_fn is z.grad_fn.next_functions[0][0]
    y.grad_fn.metadata["note"] = "here"
    assert z.grad_fn.next_functions[0][0].metadata == {"note": "here"}
    assert (x * 1).grad_fn.next_functions[0][0] is not None


def test_all_operations_on_a_leaf_lead_to_one_accumulator(torch):
    x = leaf(torch, 1.)
    y, z = x * 2, x + 1
    assert y.grad_fn.next_functions[0][0] is z.grad_fn.next_functions[0][0]


def test_walking_the_graph(torch):
    x, w = leaf(torch, 1., 2.), leaf(torch, 3., 4.)
    loss = ((x * w).exp() + x).sum()
    names, queue, seen = [], [loss.grad_fn], set()
    while queue:
        node = queue.pop(0)
        if node is None or node in seen:
            continue
        seen.add(node)
        names.append(type(node).__name__)
        queue += [n for n, _ in node.next_functions]
    assert names == ["SumBackward0", "AddBackward0", "ExpBackward0", "AccumulateGrad", "MulBackward0", "AccumulateGrad"]


def test_nodes_have_numbers_in_the_order_of_recording(torch):
    x = leaf(torch, 1.)
    a, b = x * 2, x * 3
    assert a.grad_fn._sequence_nr() < b.grad_fn._sequence_nr() < (a + b).grad_fn._sequence_nr()


def test_every_node_requires_grad(torch):
    y = leaf(torch, 1.) * 2
    assert y.grad_fn.requires_grad is True and y.grad_fn.next_functions[0][0].requires_grad is True


def test_calling_a_node(torch):
    x = leaf(torch, 2.)
    assert [g if g is None else g.tolist() for g in (x * 3).grad_fn(torch.tensor([10.]))] == [[30.], None]
    assert x.exp().log().grad_fn(torch.ones(1)).tolist() == pytest.approx([0.135335], rel=1e-4)


def test_what_a_node_lists(torch):
    x, w = leaf(torch, 1.), leaf(torch, 2.)
    assert {"_saved_self", "_saved_other", "_raw_saved_self", "_raw_saved_other"} <= set(dir((x * w).grad_fn))
    assert {"_saved_result", "_raw_saved_result"} <= set(dir(x.exp().grad_fn))
    assert {"name", "metadata", "next_functions", "register_hook", "register_prehook", "_register_hook_dict",
            "requires_grad", "__call__"} <= set(
        dir((x * w).grad_fn))
    assert "variable" in dir((x * w).grad_fn.next_functions[0][0])
    assert not [name for name in dir((x + w).grad_fn) if name.startswith("_raw_saved")]


def test_an_operation_saves_what_its_formulas_need(torch):
    x, w, c = leaf(torch, 1.), leaf(torch, 2.), torch.tensor([3.])
    assert (x * w).grad_fn._saved_self is x and (x * w).grad_fn._saved_other is w
    assert (x * c).grad_fn._saved_self is None and (x * c).grad_fn._saved_other is c
    y = x.exp()
    assert y.grad_fn._saved_result.tolist() == y.tolist() and y.grad_fn._saved_result.grad_fn is y.grad_fn


def test_a_node_outlives_its_tensors(torch):
    x = leaf(torch, 1.)
    y = x * 2
    z = y * 3
    node = y.grad_fn
    node.metadata["kept"] = True
    del y
    gc.collect()
    assert z.grad_fn.next_functions[0][0] is node and node.metadata == {"kept": True}


# ------------------------------------------------------------------------------ hooks of one tensor at another node

def test_register_hook_dict(torch):
    seen, x = [], leaf(torch, 1., 2.)
    y, z = x * 2, x * 3
    y.register_hook(lambda g: (seen.append(g.tolist()), g * 10)[1])
    z.grad_fn._register_hook_dict(y)
    (z * 5).sum().backward()
    assert seen == [[5., 5.]] and x.grad.tolist() == [150., 150.]


def test_register_hook_dict_next_to_hooks_of_its_own(torch):
    seen, x = [], leaf(torch, 1.)
    y, z = x * 2, x * 3
    z.register_hook(lambda g: seen.append("of z"))
    y.register_hook(lambda g: seen.append("of y"))
    z.grad_fn._register_hook_dict(y)
    z.backward()
    assert sorted(seen) == ["of y", "of z"]


def test_register_hook_dict_takes_a_tensor():
    """PyTorch crashes."""
    import minigrad as torch

    with refuses(TypeError, "_register_hook_dict(): the argument must be a Tensor, not int", "MG205"):
        (leaf(torch, 1.) * 2).grad_fn._register_hook_dict(3)


# ------------------------------------------------------------------------------ edges

def test_the_edge_of_a_tensor(torch):
    graph = torch.autograd.graph
    x = leaf(torch, 1., 2.)
    y = x * 2
    edge = graph.get_gradient_edge(y)
    assert edge.node is y.grad_fn and edge.output_nr == 0 and edge.ownership_token is None
    assert edge == graph.get_gradient_edge(y) == (y.grad_fn, 0, None) and hash(edge) == hash(graph.get_gradient_edge(y))
    assert repr(edge) == f"GradientEdge(node={y.grad_fn!r}, output_nr=0, ownership_token=None)"
    assert graph.get_gradient_edge(x).node is y.grad_fn.next_functions[0][0]
    assert graph.get_gradient_edge(y.unbind()[1])[:2][1] == 1
    assert graph.GradientEdge(y.grad_fn, 0) == edge and edge._replace(output_nr=1).output_nr == 1
    assert isinstance(edge, tuple)


def test_the_edge_of_a_function(torch):
    y = doubling(torch).apply(leaf(torch, 1.))
    edge = torch.autograd.graph.get_gradient_edge(y)
    assert edge.node is y.grad_fn and edge.output_nr == 0


def test_an_edge_by_hand_leads_to_a_node_that_has_saved_nothing(torch):
    x = leaf(torch, 1., 2.)
    edge = torch.autograd.graph.GradientEdge((x + 1).grad_fn, 0)
    assert torch.autograd.grad(edge, x, torch.tensor([3., 4.]))[0].tolist() == [3., 4.]
    with refuses(RuntimeError, "grad can be implicitly created only for scalar outputs", "MG104"):
        torch.autograd.grad(edge, x)


def test_an_edge_by_hand_leads_to_a_node_that_has_let_go_of_what_it_saved(torch):
    x = leaf(torch, 1., 2.)
    y = x.exp()
    y.backward(torch.ones(2))
    with refuses(RuntimeError, "Trying to backward through the graph a second time", "MG102"):
        torch.autograd.grad(torch.autograd.graph.GradientEdge(y.grad_fn, 0), x, torch.ones(2))


def test_an_edge_of_a_tensor_without_data(torch):
    x = torch.ones(3, device="meta", requires_grad=True)
    edge = torch.autograd.graph.GradientEdge(x.exp().grad_fn, 0)
    g = torch.autograd.grad(edge, x, torch.ones(3, device="meta"))[0]
    assert g.shape == (3,) and g.device.type == "meta"


@pytest.mark.parametrize("by_hand", [True, False])
def test_an_edge_of_a_transform(torch, by_hand):
    graph = torch.autograd.graph

    def slope(x):
        y = x.exp()
        edge = graph.GradientEdge(y.grad_fn, 0) if by_hand else graph.get_gradient_edge(y)
        return (torch.autograd.grad(edge, x, torch.tensor([1., 3.]), create_graph=True)[0] * x).sum()

    x = torch.tensor([0., 1.])
    expected = torch.tensor([1., 3.]) * (x.exp() + x * x.exp())
    torch.testing.assert_close(torch.func.grad(slope)(x), expected)


def test_tensors_without_an_edge(torch):
    with refuses(RuntimeError, "It is not possible to get the gradient edge for a Tensor that does not require "
                 "gradients", "MG103"):
        torch.autograd.graph.get_gradient_edge(torch.ones(2))
    with refuses((AttributeError, TypeError), "'int' object has no", "MG205"):
        torch.autograd.graph.get_gradient_edge(3)


def test_an_edge_stands_for_its_tensor(torch):
    """As an output and as an input, of grad and of backward."""
    edge = torch.autograd.graph.get_gradient_edge
    x = leaf(torch, 1., 2.)
    y = x * 2
    z = (y * y).sum()
    grad = torch.autograd.grad
    assert grad(z, edge(y), retain_graph=True)[0].tolist() == grad(z, y, retain_graph=True)[0].tolist() == [4., 8.]
    assert grad(z, edge(x), retain_graph=True)[0].tolist() == [8., 16.]
    assert ([g.tolist() for g in grad(edge(z), [edge(y), x], torch.tensor(1.), retain_graph=True)]
            == [[4., 8.], [8., 16.]])
    assert grad([z, edge(y)], [x], [torch.tensor(1.), torch.ones(2)], retain_graph=True)[0].tolist() == [10., 18.]
    torch.autograd.backward(edge(z), torch.tensor(10.), retain_graph=True)
    assert x.grad.tolist() == [80., 160.]
    z.backward(inputs=[x], retain_graph=True)
    assert x.grad.tolist() == [88., 176.]


def test_an_edge_keeps_the_graph_but_not_the_tensor(torch):
    x = leaf(torch, 1., 2.)
    y = x * 2
    z = y.sum()
    edge = torch.autograd.graph.get_gradient_edge(y)
    alive = weakref.ref(y)
    del y
    assert alive() is None
    assert torch.autograd.grad(z, edge)[0].tolist() == [1., 1.]
    assert torch.autograd.grad(edge, x, torch.ones(2))[0].tolist() == [2., 2.]


def test_an_edge_of_a_scalar_is_a_root(torch):
    edge = torch.autograd.graph.get_gradient_edge
    x = leaf(torch, 1., 2.)
    assert torch.autograd.grad(edge((x * x).sum()), x)[0].tolist() == [2., 4.]
    assert torch.autograd.grad(edge((x * x).sum(0, keepdim=True)), x)[0].tolist() == [2., 4.]
    assert torch.autograd.grad(edge((x * x).split(1)[1]), x)[0].tolist() == [0., 4.]
    torch.autograd.backward([edge(x.sum()), edge((x * x).sum())])
    assert x.grad.tolist() == [3., 5.]
    w = torch.tensor(3., requires_grad=True)
    torch.autograd.backward(edge(w))
    assert w.grad == 1


def test_an_edge_knows_the_shape_and_dtype_of_its_tensor(torch):
    edge = torch.autograd.graph.get_gradient_edge
    x = leaf(torch, 1., 2.)
    with refuses(RuntimeError, "grad can be implicitly created only for scalar outputs", "MG104"):
        torch.autograd.grad(edge(x * x), x)
    with refuses(RuntimeError, "grad can be implicitly created only for real scalar outputs", "MG104"):
        torch.autograd.grad(edge((x * (1 + 1j)).sum()), x)
    with refuses(RuntimeError, "Mismatch in shape: grad_output[0] has a shape of torch.Size([3])", "MG109"):
        torch.autograd.grad(edge(x * x), x, torch.ones(3))
    g, = torch.autograd.grad(edge(x.sum()), x, torch.tensor(2., dtype=torch.float64))
    assert g.dtype is torch.float32 and g.tolist() == [2., 2.]
    g, = torch.autograd.grad(edge(x.sum()), x, torch.ones(4), is_grads_batched=True)
    assert g.shape == (4, 2)


def test_an_edge_put_together_by_hand():
    """Nodes know the shape of what they made only where they saved it, or a Function or a leaf is theirs."""
    import minigrad as torch
    Edge = torch.autograd.graph.GradientEdge
    x = torch.tensor(1., requires_grad=True)
    assert torch.autograd.grad(Edge(x.exp().grad_fn, 0), x)[0] == torch.exp(torch.tensor(1.))
    assert torch.autograd.grad(Edge(doubling(torch).apply(x).grad_fn, 0), x)[0] == 2
    with refuses(RuntimeError, "since it was made by hand: give grad_outputs", "MG104"):
        torch.autograd.grad(Edge((x * 2).grad_fn, 0), x)
    assert torch.autograd.grad(Edge((x * 2).grad_fn, 0), x, torch.tensor(3.))[0] == 6


def test_an_edge_is_not_made_into_zeros(torch):
    x, w = leaf(torch, 1., 2.), leaf(torch, 1., 2., 3.)
    with refuses(RuntimeError, "materialize_grads cannot be used when the given input is a GradientEdge", "MG113"):
        torch.autograd.grad(x.sum(), torch.autograd.graph.get_gradient_edge(w * 2), materialize_grads=True)


def test_what_a_node_receives(torch):
    x = torch.ones(2, 3, requires_grad=True)
    for node, shape in ((torch.autograd.graph.get_gradient_edge(x).node, [2, 3]), (x.exp().grad_fn, [2, 3]),
                        (doubling(torch).apply(x[0]).grad_fn, [3])):
        metadata, = node._input_metadata
        assert [*metadata.shape] == shape and metadata.dtype is torch.float32 and metadata.device == torch.device("cpu")
        assert not metadata.is_nested_tensor
    assert len(x.unbind()[0].grad_fn._input_metadata) == 2


@pytest.mark.parametrize("call", [
    lambda x: x.sum(0), lambda x: x.sum((0, 1)), lambda x: x.mean(0), lambda x: x.nansum(0), lambda x: x.amax(1),
    lambda x: x.amax(), lambda x: x.var(0), lambda x: x.std(0), lambda x: x.logsumexp(0), lambda x: x.norm(dim=1),
    lambda x: x.var(),
], ids=["sum", "sum of two", "mean", "nansum", "amax", "amax of all", "var", "std", "logsumexp", "norm", "var of all"])
def test_a_saved_dim_is_a_tuple_where_it_is_a_list(torch, call):
    expected = {"sum": (0,), "sum of two": (0, 1), "mean": (0,), "nansum": (0,), "amax": (1,), "amax of all": (),
                "var": (0,), "std": (0,), "logsumexp": (0,), "norm": (1,), "var of all": None}
    dims = {call(torch.rand(2, 3, requires_grad=True)).grad_fn._saved_dim}
    assert dims <= {*expected.values()}


# ------------------------------------------------------------------------------ versions counted by hand

def test_counting_a_write(torch):
    increment = torch.autograd.graph.increment_version
    t = torch.ones(2)
    view, alias = t[0], t.detach()
    increment(t)
    assert t._version == view._version == alias._version == 1
    increment(view)
    increment([t, alias])
    increment(iter((t,)))
    increment([])
    assert t._version == 5


def test_a_write_that_was_counted_is_noticed(torch):
    x, w = leaf(torch, 1., 2.), torch.tensor([3., 4.])
    y = (x * w).sum()
    w.numpy()[0] = 100.
    torch.autograd.graph.increment_version(w)
    with refuses(RuntimeError, "modified by an inplace operation", "MG101"):
        y.backward()


def test_a_leaf_can_be_counted(torch):
    x = leaf(torch, 1.)
    torch.autograd.graph.increment_version(x)
    assert x._version == 1 and x.requires_grad and x.is_leaf


def test_an_inference_tensor_has_no_version(torch):
    with torch.inference_mode():
        t = torch.ones(2)
    torch.autograd.graph.increment_version(t)
    torch.autograd.graph.increment_version([t, torch.ones(1)])


@pytest.mark.parametrize("wrong", [3, None])
def test_what_cannot_be_counted(torch, wrong):
    with refuses(RuntimeError, "increment_version expect a Iterable[Tensor] as input", "MG204"):
        torch.autograd.graph.increment_version(wrong)
    t = torch.ones(2)
    with refuses(RuntimeError, "increment_version expects each element of the iterable to be a tensor", "MG204"):
        torch.autograd.graph.increment_version([t, wrong])
    if is_minigrad(torch):
        assert t._version == 0              # all are looked at before one is counted


@pytest.mark.parametrize("number", [2, 2.5, True, 2j])
def test_a_number_that_was_saved_is_shown_as_a_tensor(torch, number):
    saved = (leaf(torch, 1., 2.) * number).grad_fn._saved_other
    assert isinstance(saved, torch.Tensor) and saved.shape == () and saved.item() == number
