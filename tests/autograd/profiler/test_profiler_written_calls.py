"""A profile names the call that was written, and not the rows that it is made of."""

import pytest

import minigrad
from tests.autograd.profiler.profiles import check_nesting, inside, named, nodes, operations, ours, short


CALLS = {
    "an operator": (lambda torch, x, b: x @ x, "matmul"),
    "a method": (lambda torch, x, b: x.matmul(x), "matmul"),
    "a layer": (lambda torch, x, b: torch.nn.functional.linear(x, x, b), "linear"),
    "a layer without bias": (lambda torch, x, b: torch.nn.functional.linear(x, x), "linear"),
    "a view": (lambda torch, x, b: x.reshape(9), "reshape"),
    "a shape with a copy": (lambda torch, x, b: x.detach().transpose(0, 1).reshape(9), "reshape"),
    "a sum": (lambda torch, x, b: x.sum(0), "sum"),
    "a number in front": (lambda torch, x, b: 2 ** x, "pow"),
    "a conversion": (lambda torch, x, b: x.double(), "to"),
    "a conversion to what it is": (lambda torch, x, b: x.to(torch.float32), "to"),
    "another's dtype": (lambda torch, x, b: x.type_as(torch.ones(1).long()), "type_as"),
    "dropout": (lambda torch, x, b: torch.nn.functional.dropout(x, 0.5), "dropout"),
    "an angle": (lambda torch, x, b: torch.nn.functional.cosine_similarity(x, x), "cosine_similarity"),
    "splitting": (lambda torch, x, b: x.chunk(3), "chunk"),
    "a product of vectors": (lambda torch, x, b: torch.inner(b, b), "inner"),
}


@pytest.mark.parametrize("call", CALLS)
def test_the_outermost_event_is_the_call_that_was_written(torch, profiler, call):
    function, name = CALLS[call]
    x, b = torch.rand(3, 3, requires_grad=True), torch.rand(3, requires_grad=True)
    with profiler.profile() as prof:
        function(torch, x, b)
    assert operations(prof)[-1] == name and [each for each in operations(prof) if each == name] == [name]


def test_a_function_named_like_its_row_is_one_event_with_the_rows_arguments():
    x = minigrad.ones(2, 3)
    with ours(record_shapes=True) as prof:
        minigrad.sum(x, dim=0), x.clamp(0, 1), x.pow(2), x.sum(0).squeeze()
    assert [(event.name, event.cpu_parent) for event in prof.function_events] == [
        (name, None) for name in ("sum", "clamp", "pow", "sum", "squeeze")]
    assert prof.function_events[0].input_shapes[0] == [2, 3]


def test_a_call_that_raises_before_its_row_leaves_nothing_behind():
    x = minigrad.ones(2, 3)
    with ours() as prof:
        with pytest.raises(RuntimeError):
            x.reshape(7)
        with pytest.raises((IndexError, RuntimeError)):
            x.sum(5)
        x.view(6)
    assert prof.function_events[-1].name == "view" and prof.function_events[-1].cpu_parent is None
    check_nesting(prof.function_events)


def test_nodes_are_events_of_their_own_names(torch, profiler):
    x = torch.ones(3, requires_grad=True)
    y = x.clone()
    y[0] = x[1] * 2
    z = y.exp().sum()
    names, pending = set(), [z.grad_fn]
    while pending:
        node = pending.pop()
        names.add(node.name())
        pending += [each for each, _ in node.next_functions if each is not None]
    with profiler.profile() as prof:
        z.backward()
    seen = {event.name for event in prof.function_events if event.scope == 1} - {"torch::autograd::GraphRoot"}
    assert seen >= names and {"torch::autograd::AccumulateGrad", "torch::autograd::CopySlices"} <= seen


def test_what_is_handed_out_is_not_accumulated(torch, profiler):
    x, w = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
    y = x * w
    z = y.sum()
    with profiler.profile() as prof:
        torch.autograd.grad(z, (x, w), retain_graph=True)
        torch.autograd.grad(z, y, retain_graph=True)
    assert nodes(prof) == ["SumBackward0", "MulBackward0", "SumBackward0"]
    with profiler.profile() as prof:
        z.backward(inputs=[x])
    assert nodes(prof) == ["SumBackward0", "MulBackward0", "AccumulateGrad"]


def test_the_products_inside_the_backward_of_a_power(torch, profiler):
    for exponent in (2, 3, 4, 0.5, -1):
        x = torch.full((2,), 4.0, requires_grad=True)
        y = x ** exponent
        with profiler.profile(record_shapes=True) as prof:
            y.backward(torch.ones(2))
        node, = named(prof.function_events, "PowBackward0")
        assert [short(each) for each in inside(node)] == ["pow", "mul", "mul"]
        assert torch.allclose(x.grad, torch.full((2,), exponent * 4.0 ** (exponent - 1)))
        assert [event.input_shapes[0] for event in node.cpu_children] == [[2]] * 3
