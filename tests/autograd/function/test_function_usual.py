"""Calls of custom Functions that pass in C do what the calls in Python do; and their nodes need no collector."""

import gc
import weakref

import pytest

import minigrad as torch

from .functions import function

Function = torch.autograd.Function


def leaf(*values):
    return torch.tensor(values or (1.0, 2.0, 3.0), requires_grad=True)


def cube():
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 3

    def backward(ctx, d):
        x, = ctx.saved_tensors
        return 3 * x ** 2 * d

    return function(torch, forward, backward)


def saved_output(ctx, x):
    y = x.exp()
    ctx.save_for_backward(y, None, x)
    return y


def with_attributes(ctx, x, k):
    ctx.k = k
    ctx.save_for_backward(x.sin())
    return x * k


def intermediate(ctx, x):
    ctx.save_for_backward(x.cos())
    return x.sin()


def two_intermediates(ctx, x):
    ctx.save_for_backward(x.cos(), x, x.tan())
    return x.sin()


def one_is_constant(ctx, x):
    constant = x.cos()
    ctx.save_for_backward(constant, x.tan())
    ctx.mark_constant(constant)
    return x.sin()


def inference_tensor():
    with torch.inference_mode():
        return torch.ones(3)


def keep_argument(ctx, inputs, output):
    ctx.x, = inputs


def times(ctx, d):
    return d * ctx.k, None


PROGRAMS = {
    "an argument saved": lambda: cube().apply(leaf()),
    "an argument with a history": lambda: cube().apply(leaf() * 2),
    "a view": lambda: cube().apply(leaf()[1:]),
    "twice": lambda: cube().apply(cube().apply(leaf())),
    "nothing requires grad": lambda: cube().apply(torch.ones(2)),
    "an output saved": lambda: function(torch, saved_output, lambda ctx, d: d * ctx.saved_tensors[0]).apply(leaf() * 1),
    "an attribute": lambda: function(torch, with_attributes, times).apply(leaf(), 3),
    "an intermediate": lambda: function(torch, intermediate, lambda ctx, d: d * ctx.saved_tensors[0]).apply(leaf()),
    "two intermediates": lambda: function(torch, two_intermediates, lambda ctx, d: d * ctx.saved_tensors[0]
                                          ).apply(leaf()),
    "a constant and an intermediate": lambda: function(torch, one_is_constant, lambda ctx, d: d * ctx.saved_tensors[1]
                                                       ).apply(leaf()),
    "a tensor without numbers saved": lambda: function(torch, lambda ctx, x: (ctx.save_for_backward(
        torch.ones(2, device="meta")), x * 2)[1], lambda ctx, d: d * len(ctx.saved_tensors[0])).apply(leaf()),
    "an inference tensor": lambda: cube().apply(inference_tensor()),
    "an inference tensor and a leaf": lambda: function(torch, lambda ctx, x, y: (ctx.save_for_backward(y), x * y)[1],
                                                       lambda ctx, d: (d, d)).apply(leaf(), inference_tensor()),
    "several outputs": lambda: function(torch, lambda ctx, x, y: (x * y, "text", x + y),
                                        lambda ctx, d, _, e: (d + e, d - e)).apply(leaf(), leaf(4.0, 5.0, 6.0)),
    "one output twice": lambda: function(torch, lambda ctx, x: (x * 2,) * 2, lambda ctx, d, e: d + e).apply(leaf()),
    "an output is an argument": lambda: function(torch, lambda ctx, x: x, lambda ctx, d: d * 5).apply(leaf()),
    "an output is a view": lambda: function(torch, lambda ctx, x: x[1:], lambda ctx, d: d.sum()).apply(leaf()),
    "integers": lambda: function(torch, lambda ctx, x: (x * 2, x.long()), lambda ctx, d, _: d).apply(leaf()),
    "not differentiable": lambda: function(torch, lambda ctx, x: (ctx.mark_non_differentiable(y := x * 2), y)[1],
                                           lambda ctx, d: d).apply(leaf()),
    "dirty": lambda: function(torch, lambda ctx, x: (ctx.mark_dirty(x), x.mul_(2))[1],
                              lambda ctx, d: d * 2).apply(leaf() * 1),
    "undeclared": lambda: function(torch, lambda ctx, x: x.mul_(2) + 1, lambda ctx, d: d).apply(leaf() * 1),
    "setup_context": lambda: function(torch, lambda x: x * 2, lambda ctx, d: d * ctx.x, keep_argument).apply(leaf()),
    "a gradient of another shape": lambda: function(torch, lambda ctx, x: x * 2, lambda ctx, d: d[0]).apply(leaf()),
    "a gradient that is summed": lambda: function(torch, lambda ctx, x: x * torch.ones(2, 3),
                                                  lambda ctx, d: d).apply(leaf()),
    "a gradient of another dtype": lambda: function(torch, lambda ctx, x: x * 2, lambda ctx, d: d.double()
                                                    ).apply(leaf()),
    "no gradient": lambda: function(torch, lambda ctx, x: x * 2, lambda ctx, d: None).apply(leaf()),
    "too many gradients": lambda: function(torch, lambda ctx, x: x * 2, lambda ctx, d: (d, d)).apply(leaf()),
    "a gradient of a number": lambda: function(torch, lambda ctx, x, k: x * 2, lambda ctx, d: (d, d)).apply(leaf(), 2),
    "no tensor": lambda: function(torch, lambda ctx, x: ctx.save_for_backward(3), lambda ctx, d: d).apply(leaf()),
    "saved twice": lambda: function(torch, lambda ctx, x: [ctx.save_for_backward(x) for _ in "12"],
                                    lambda ctx, d: d).apply(leaf()),
    "nothing saved": lambda: function(torch, lambda ctx, x: x * 2, lambda ctx, d: ctx.saved_tensors[0]).apply(leaf()),
    "forward raises": lambda: function(torch, lambda ctx, x: {}["key"], lambda ctx, d: d).apply(leaf()),
    "forward returns a number": lambda: function(torch, lambda ctx, x: 3, lambda ctx, d: d).apply(leaf()),
    "seventeen arguments": lambda: function(torch, lambda ctx, *xs: sum(xs), lambda ctx, d: (d,) * 17).apply(
        *[leaf() for _ in range(17)]),
}


def leaves_of(node, seen):
    if node is not None and node not in seen:
        seen.append(node)
        for child, _ in node.next_functions:
            leaves_of(child, seen)
    return [n.variable for n in seen if hasattr(n, "variable")]


def observed(program, create_graph):
    """Everything that can be seen of a program: results, nodes, gradients, warnings and errors."""
    try:
        results = program()
        seen = []
        for y in results if isinstance(results, tuple) else (results,):
            if not isinstance(y, torch.Tensor):
                seen.append(y)
                continue
            seen.append((y.tolist(), y.requires_grad, y.is_leaf, y._is_view(), y.output_nr, y._version))
            if y.grad_fn is None:
                continue
            node, leaves = y.grad_fn, leaves_of(y.grad_fn, [])
            seen += [node.name(), len(node.next_functions), getattr(node, "needs_input_grad", None)]
            given = [None if x is None else (x.tolist(), x.requires_grad, x.is_leaf)
                     for x in getattr(node, "saved_tensors", ())]
            grads = torch.autograd.grad(y.sum(), leaves, retain_graph=True, create_graph=create_graph,
                                        allow_unused=True)
            seen += [given, [None if g is None else (g.tolist(), g.dtype, g.requires_grad) for g in grads]]
        return seen
    except Exception as problem:
        return type(problem), str(problem), getattr(problem, "__notes__", None)


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.filterwarnings("ignore")
def test_a_usual_call_does_what_any_call_does(monkeypatch, name, create_graph):
    in_c = observed(PROGRAMS[name], create_graph)
    monkeypatch.setattr("minigrad.autograd.function.usual", lambda *arguments: NotImplemented)
    assert in_c == observed(PROGRAMS[name], create_graph)
    assert torch.is_grad_enabled()


@pytest.mark.filterwarnings("ignore:.*ctx.x holds an input of forward")
def test_usual_calls_pass_in_c(monkeypatch):
    """Without this the test above would compare one way with itself."""
    import minigrad.autograd.function as module

    ways = []
    monkeypatch.setattr(module, "usual", lambda *call, usual=module.usual: ways.append(usual(*call)) or ways[-1])
    cube().apply(leaf())
    function(torch, lambda x: x * 2, lambda ctx, d: d * ctx.x, keep_argument).apply(leaf())
    with torch.no_grad():
        cube().apply(leaf())
    assert all(way is not NotImplemented for way in ways) and len(ways) == 3
    with torch.inference_mode():
        cube().apply(leaf())
    assert ways[-1] is NotImplemented


# ------------------------------------------------------------------------------ the cyclic collector

def chain(n):
    apply, y = cube().apply, leaf(1.0)
    for _ in range(n):
        y = apply(y)
    return y


def test_a_chain_of_functions_has_nothing_for_the_collector():
    gc.collect()
    before = len(gc.get_objects())
    y = chain(1000)
    assert len(gc.get_objects()) - before < 50
    y.backward(torch.ones(1))


def dies(make):
    """Is the node that `make` returns freed by the collector, and not before?"""
    gc.collect()
    gc.disable()
    try:
        node = weakref.ref(make())
        before = node() is not None
        gc.collect()
        return before and node() is None
    finally:
        gc.enable()


def kept_in_forward():
    def forward(ctx, x):
        ctx.me = ctx
        return x * 2

    return function(torch, forward, lambda ctx, d: d).apply(leaf()).grad_fn


def kept_in_backward():
    def backward(ctx, d):
        ctx.me = ctx
        return d

    y = function(torch, lambda ctx, x: x * 2, backward).apply(leaf())
    y.sum().backward()
    return y.grad_fn


def kept_afterwards():
    node = chain(2).grad_fn
    node.me = node
    return node


def kept_in_its_dict():
    node = chain(2).grad_fn
    node.__dict__["me"] = [node]
    return node


def kept_with_its_output():
    y = chain(2)
    y.grad_fn.y = y
    return y.grad_fn


@pytest.mark.parametrize("make", [kept_in_forward, kept_in_backward, kept_afterwards, kept_in_its_dict,
                                  kept_with_its_output])
def test_a_cycle_through_an_attribute_of_ctx_is_collected(make):
    assert dies(make)


def test_attributes_of_ctx():
    node = chain(2).grad_fn
    assert vars(node) == {}
    node.k = 3
    assert vars(node) == {"k": 3} and node.k == 3
    del node.k
    assert not hasattr(node, "k")
    with pytest.raises(AttributeError):
        del node.k
