"""No edge, gradient or tensor that a user passes in ends the process: it is used correctly, or there is an error."""

import copy
import inspect
import pickle

import pytest

import minigrad
from minigrad._core.backward import engine
from minigrad._core.dispatch import composites, compute, op
from minigrad._core.errors import MinigradError
from minigrad._core.forward import dual_tensors
from minigrad._core.graph import (function_node, gradient_edges, graph, hook_lists, listener, saved_tensor_hooks,
                                  shared_memory, view_history)
from minigrad._core.kernels.shapes import memory_overlap
from minigrad._core.profiling import recorders
from tests.checking import refuses

GradientEdge = minigrad.autograd.graph.GradientEdge


def ended(transform):
    """A tensor of a transform that has ended."""
    leaked = []

    def leak(x):
        leaked.append(x)
        return (x * 2).sum()

    x = minigrad.ones(2)
    if transform == "vmap":
        minigrad.vmap(leak)(minigrad.ones(3, 2))
    elif transform == "grad":
        minigrad.func.grad(leak)(x)
    else:
        minigrad.func.jvp(leak, (x,), (x,))
    return leaked[0]


@pytest.fixture(params=["vmap", "grad", "jvp", "without data"])
def stray(request):
    return minigrad.Tensor.__new__(minigrad.Tensor) if request.param == "without data" else ended(request.param)


def returning(what, **methods):
    class Hands(minigrad.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            return what

    for name, method in methods.items():
        setattr(Hands, name, staticmethod(method))
    return Hands


def refused(f):
    """What is said, which is an error of ours that names itself."""
    with pytest.raises(MinigradError) as caught:
        f()
    assert caught.value.code.startswith("MG")
    return str(caught.value)


# ------------------------------------------------------------------------------ edges

@pytest.mark.parametrize("node", [None, 3, "a", "tensor"])
def test_an_edge_leads_to_a_node(node):
    x = minigrad.ones(2, requires_grad=True)
    edge = GradientEdge(x if node == "tensor" else node, 0)
    with refuses((TypeError, RuntimeError), "a GradientEdge consists of a node", "MG114"):
        minigrad.autograd.backward([edge], [minigrad.ones(2)])
    with refuses((TypeError, RuntimeError), "a GradientEdge consists of a node", "MG114"):
        minigrad.autograd.grad((x * 2).sum(), [edge])


@pytest.mark.parametrize("nr", [-1, 1, 5, None, "a"])
def test_an_edge_names_an_output_that_is_there(nr):
    x = minigrad.ones(2, requires_grad=True)
    text = refused(lambda: minigrad.autograd.backward([GradientEdge((x * 2).grad_fn, nr)], [minigrad.ones(2)]))
    assert "output" in text and "MG114" in text


# --------------------------------------------------------------------------- what comes from a transform that has ended

USES = {
    "the backward of a Function": lambda x, bad: returning(bad).apply(x).sum().backward(),
    "the backward of a Function, further down": lambda x, bad: (returning(bad).apply(x * 1) * 2).sum().backward(),
    "the backward of a Function, recorded":
        lambda x, bad: minigrad.autograd.grad(returning(bad).apply(x).sum(), x, create_graph=True),
    "a hook": lambda x, bad: (x.register_hook(lambda g: bad), (x * 2).sum().backward()),
    "a root": lambda x, bad: minigrad.autograd.grad([x * 1, bad], x, [minigrad.ones(2), minigrad.ones(2)]),
    "a gradient": lambda x, bad: (x * 1).backward(bad),
    "a gradient of grad": lambda x, bad: minigrad.autograd.grad(x, x, bad),
    "a gradient for a node": lambda x, bad: (x * 2).grad_fn(bad),
    "what is written to": lambda x, bad: bad.mul_(2),
    "a number": lambda x, bad: x.add(1, alpha=bad),
    "what is laid out otherwise": lambda x, bad: bad.unsqueeze_(0),
    "data": lambda x, bad: setattr(minigrad.ones(2), "data", bad),
    "an argument of a Function": lambda x, bad: returning(None).apply(bad),
    "a value that is assigned": lambda x, bad: minigrad.ones(2).__setitem__(0, bad),
    "what forward returns": lambda x, bad: returning(None, forward=lambda ctx, x: bad).apply(x),
}


@pytest.mark.parametrize("use", USES)
def test_what_a_transform_left_behind_is_refused(use, stray):
    x = minigrad.ones(2, requires_grad=True)
    try:
        USES[use](x, stray)
    except Exception as e:
        assert isinstance(e, (MinigradError, AttributeError)), e
    else:
        pytest.fail(f"{use}: went through, and x.grad is {x.grad}")
    assert x.grad is None


@pytest.mark.parametrize("hook", ["register_hook", "register_prehook"])
def test_hooks_on_nodes_hand_on_what_the_pass_can_compute_with(hook, stray):
    x = minigrad.ones(2, requires_grad=True)
    y = x * 2
    getattr(y.grad_fn, hook)(lambda *received: (stray,))
    refused(lambda: y.sum().backward())
    assert x.grad is None


def test_an_unpack_hook_gives_back_what_the_node_can_compute_with(stray):
    x = minigrad.ones(2, requires_grad=True)
    with minigrad.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: stray):
        y = (x * x).sum()
    assert "MG122" in refused(y.backward) and x.grad is None


def test_a_jvp_gives_back_what_forward_mode_can_compute_with(stray):
    fwAD = minigrad.autograd.forward_ad
    with fwAD.dual_level():
        dual = fwAD.make_dual(minigrad.ones(2), minigrad.ones(2))
        refused(lambda: returning(None, jvp=lambda ctx, t: stray).apply(dual))


def test_a_vmap_rule_computes_with_what_it_receives(stray):
    def rule(result):
        return returning(None, forward=lambda x: x * 1, setup_context=lambda ctx, inputs, output: None,
                         vmap=lambda info, dims, x: (result(x), 0))

    refused(lambda: minigrad.vmap(lambda x: rule(lambda _: stray).apply(x) * 2)(minigrad.ones(2, 2)))
    assert ("vmap staticmethod" in refused(lambda: minigrad.vmap(lambda x: rule(lambda _: x).apply(x) * 2)(
        minigrad.ones(2, 2))))


def test_a_hook_in_an_ordinary_pass_may_not_hand_on_what_vmap_maps_over():
    x = minigrad.ones(2, requires_grad=True)

    def inside(b):
        handle = x.register_hook(lambda g: b)
        try:
            return minigrad.autograd.grad((x * 2).sum(), x)[0]
        finally:
            handle.remove()

    assert "a tensor of a transform (vmap, grad, jvp)" in refused(lambda: minigrad.vmap(inside)(minigrad.ones(3, 2)))


def test_a_retained_gradient_is_added_to_whatever_it_is():
    x = minigrad.ones(2, requires_grad=True)
    y = x * 1
    y.retain_grad()
    y.grad = ended("grad")
    refused(lambda: y.sum().backward())


def test_data_of_another_shape_is_refused_where_there_is_a_history():
    x = minigrad.ones(2, 2, requires_grad=True)
    y = x * 1
    with refuses(RuntimeError, "data set to a tensor of shape [3]", "MG109"):
        y.data = minigrad.ones(3)
    assert minigrad.autograd.grad((y * 2).sum(), x)[0].tolist() == [[2., 2.], [2., 2.]]


# ------------------------------------------------------------------------------ types

@pytest.mark.parametrize("wrong", [None, 3, "a"])
def test_a_method_looks_at_what_it_is_called_on(wrong):
    for method in ("detach", "detach_", "retain_grad", "is_inference", "_is_view"):
        with pytest.raises(TypeError):
            getattr(minigrad.Tensor, method)(wrong)
    with pytest.raises(TypeError):
        graph.Node.name(wrong)
    with pytest.raises(TypeError):
        function_node.PyNode._saved(wrong)


@pytest.mark.parametrize("module",
                         [composites, compute, function_node, graph, op, saved_tensor_hooks, listener, recorders,
                          view_history],
                         ids=lambda module: module.__name__)
def test_the_methods_of_every_compiled_class_do_so(module):
    """Cython's own functions do not: such a class needs ``@cython.binding(False)``."""
    for cls in vars(module).values():
        # made by C, not by a class statement
        if inspect.isclass(cls) and cls.__module__ == module.__name__ and not cls.__flags__ & 1 << 9:
            bound = [name for name, value in vars(cls).items() if type(value).__name__ == "cython_function_or_method"
                     and "_cython__" not in name and name != "as_subclass"]     # is typed, and refuses None
            assert not bound, f"{cls.__name__}: {bound}"


def test_signatures_are_still_there():
    assert str(inspect.signature(minigrad.Tensor.detach)) == "(self, /)"
    assert list(inspect.signature(saved_tensor_hooks.SavedTensor.register_hooks).parameters) == ["self", "pack_hook",
                                                                                      "unpack_hook"]


@pytest.mark.parametrize("roots", [[None], [3], [minigrad.ones(2)]], ids=["None", "a number", "no history"])
def test_the_engine_checks_its_roots_itself(roots):
    with pytest.raises((TypeError, RuntimeError)):
        engine.run(roots, [minigrad.ones(2)], False, False)
    with pytest.raises((TypeError, RuntimeError)):
        engine.run([minigrad.ones(2, requires_grad=True)], [None], False, False)


def test_the_engine_takes_one_gradient_with_data_for_each_root():
    x = minigrad.ones(2, requires_grad=True)
    with refuses(RuntimeError, "got 1 tensors and 0 gradients", "MG113"):
        engine.run([x], [], False, False)
    with refuses(TypeError, "the gradient for element 0 is a Tensor without data", "MG114"):
        engine.run([x], [minigrad.Tensor.__new__(minigrad.Tensor)], False, False)


@pytest.mark.parametrize("function", [dual_tensors.tangent_of, lambda x: dual_tensors.put_tangent(x, x),
                                      memory_overlap.meets_itself])
def test_functions_of_both_languages_refuse_none(function):
    with pytest.raises(TypeError, match="and this is None"):
        function(None)


@pytest.mark.parametrize("function",
                         [gradient_edges.accumulator_of, gradient_edges.at_edge, shared_memory.bump_version,
                          hook_lists.tensor_hooks])
def test_functions_of_the_core_refuse_none(function):
    with pytest.raises(TypeError):
        function(*[None, 0][:1 if function not in (gradient_edges.at_edge,) else 2])


# ------------------------------------------------------------------------------ tensors without data

def empty():
    return minigrad.Tensor.__new__(minigrad.Tensor)


def assigned(name):
    setattr(minigrad.ones(2, requires_grad=True), name, empty())


@pytest.mark.parametrize("use", [
    lambda x: x.dtype, lambda x: x.detach(), lambda x: x.numpy(), lambda x: x.tolist(), lambda x: bool(x),
    lambda x: float(x), lambda x: copy.copy(x), lambda x: copy.deepcopy(x), lambda x: pickle.dumps(x),
    lambda x: x.backward(), lambda x: x.requires_grad_(), lambda x: minigrad.autograd.grad(x, x),
    lambda x: minigrad.autograd.functional.jacobian(minigrad.exp, x), lambda x: minigrad.nn.Parameter(x),
    lambda x: minigrad.func.grad(minigrad.sum)(x), lambda x: minigrad.func.jvp(minigrad.exp, (x,), (x,)),
    lambda x: minigrad.func.jvp(minigrad.exp, (minigrad.ones(2),), (x,)), lambda x: minigrad.func.vmap(minigrad.exp)(x),
    lambda x: minigrad.func.linearize(minigrad.exp, x), lambda x: assigned("grad"), lambda x: assigned("data")])
def test_of_a_tensor_without_data_it_is_said_that_it_has_none(use):
    said = refused(lambda: use(empty()))
    assert "MG205" in said and any([words in said for words in ("without data", "has none", "NoneType")]), said
