"""Inspect the graph, and watch a backward pass: nodes and hooks.

``y.grad_fn`` is a :class:`Node`; its ``next_functions`` lead towards the leaves.  A *hook* is called with the gradients
that a backward pass computes; a *saved-tensor hook*, with the tensors that a node saves for it.  A
:class:`GradientEdge` names a place in the graph without keeping its tensor.

- ``hooks``: hooks on tensors and nodes, and their handles
- ``saved_tensors``: hooks for what nodes save: saved_tensors_hooks, save_on_cpu
- ``saved_memory``: how much a graph keeps alive: saved_bytes
"""

from collections import namedtuple
from functools import cache

from minigrad._core.errors import error
from minigrad._core.graph import Node, Tensor
from minigrad._core.graph.gradient_edges import accumulator_of, shape_and_dtype_of, shapes_and_dtypes_of
from minigrad._core.graph.shared_memory import bump_version
from minigrad._core.graph.type_objects import attach
from minigrad._lazy_modules import incomplete as _incomplete
from minigrad.autograd.graph.hooks import RemovableHandle, _MultiHandle, register_multi_grad_hook
from minigrad.autograd.graph.saved_tensors import (_AllowMutationOnSavedContext, allow_mutation_on_saved_tensors,
                                                   disable_saved_tensors_hooks, save_on_cpu, saved_tensors_hooks)
from minigrad.dtypes import of_numpy
from minigrad.dtypes.sizes_and_devices import device

__all__ = ["GradientEdge", "Node", "RemovableHandle", "allow_mutation_on_saved_tensors", "disable_saved_tensors_hooks",
           "get_gradient_edge", "increment_version", "register_multi_grad_hook", "save_on_cpu", "saved_bytes",
           "saved_tensors_hooks"]

__getattr__ = _incomplete(__name__, {"saved_bytes": "minigrad.autograd.graph.saved_memory",
                                     "saved_memory": "minigrad.autograd.graph.saved_memory"})


# ------------------------------------------------------------------------------ the gradients that a node receives

@cache
def _InputMetadata():
    """The class of what is known of an output, as PyTorch shows it; few ask for one."""
    return namedtuple("_InputMetadata", "shape dtype device is_nested_tensor is_cpp_nested_tensor",
                      defaults=(False, False))


@property
def _input_metadata(self):
    """The ``shape``, ``dtype`` and ``device`` of each output of the operation, whose gradients this node will receive.

    None where the node does not know.  An AccumulateGrad knows its leaf, a custom Function all its outputs, and other
    nodes only the outputs that they saved: recording the rest would slow down every operation.

    >>> x = torch.ones(2, 3, requires_grad=True)
    >>> metadata, = x.exp().grad_fn._input_metadata
    >>> metadata.shape, metadata.dtype
    ([2, 3], torch.float32)
    """
    return tuple([known and _InputMetadata()([*known[0]], of_numpy(known[1]), device("cpu"))
                  for known in known_shapes_and_dtypes(self)])


def known_shapes_and_dtypes(node):
    """The (shape, NumPy dtype) of each output of the operation, or None where the node does not know."""
    return getattr(node, "_results", None) or shapes_and_dtypes_of(node)


# ------------------------------------------------------------------------------ edges and versions

class GradientEdge(namedtuple("_Edge", "node output_nr ownership_token", defaults=(None,))):
    """Where the gradient of a tensor goes: ``(node, output_nr)``.

    ``grad`` and ``backward`` take it in place of the tensor; it keeps the graph alive, but not the tensor and its
    memory.  An edge from :func:`get_gradient_edge` knows the shape and dtype of its tensor.  For an edge made by hand,
    ``grad_outputs`` must be given, because few nodes know the shapes of their outputs.  ``ownership_token`` is
    part of PyTorch's interface, and always None here.

    >>> x = torch.tensor(3., requires_grad=True)
    >>> edge = torch.autograd.graph.GradientEdge((x * x).grad_fn, 0)
    >>> torch.autograd.grad(edge, x, grad_outputs=torch.tensor(1.))
    (tensor(6.),)
    """

    _shape_and_dtype = None     # (shape, NumPy dtype) of the tensor


def get_gradient_edge(tensor):
    """The :class:`GradientEdge` of a tensor that requires grad.

    >>> x = torch.tensor(3., requires_grad=True)
    >>> edge = torch.autograd.graph.get_gradient_edge(x * x)
    >>> edge.node.name(), edge.output_nr
    ('MulBackward0', 0)
    >>> torch.autograd.grad(edge, x)
    (tensor(6.),)
    """
    if not isinstance(tensor, Tensor):
        raise edge_of_no_tensor(tensor)
    if not tensor.requires_grad:
        raise error("MG103", "It is not possible to get the gradient edge for a Tensor that does not require gradients")
    node, nr = accumulator_of(tensor)
    if node is None:
        raise edge_of_unrecorded_view()
    edge = GradientEdge(node, nr)
    edge._shape_and_dtype = shape_and_dtype_of(tensor)
    return edge


def increment_version(tensor):
    """Count a write to the memory of ``tensor`` (or of each of several) that minigrad could not see.

    In-place operations are counted automatically.  Call this after writing to the memory in another way, for instance
    through NumPy: a backward pass that needs the old values then raises, where it would have been silently wrong.
    Inference tensors have no version and are ignored.

    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> w = torch.tensor([3., 4.])
    >>> y = (x * w).sum()
    >>> w.numpy()[0] = 100.
    >>> torch.autograd.graph.increment_version(w)
    >>> y.backward()
    Traceback (most recent call last):
    minigrad._core.errors.AutogradRuntimeError: one of the variables needed for gradient computation has been...
    """
    if isinstance(tensor, Tensor):
        tensor = (tensor,)
    try:
        tensors = list(tensor)
    except TypeError:
        raise version_of_no_tensor(tensor) from None
    for place, each in enumerate(tensors):
        if not isinstance(each, Tensor):
            raise version_of_no_element(place, each)
    for each in tensors:
        if not each.is_inference():
            bump_version(each)


attach("_input_metadata", _input_metadata, Node)


# ------------------------------------------------------------------------------ errors


def edge_of_no_tensor(tensor):
    return error("MG205", f"get_gradient_edge(): the argument must be a Tensor, and an '{type(tensor).__name__}' "
                          "object has no gradient")


def edge_of_unrecorded_view():
    return error("MG103", "Expected gradient function to be set: this is a view that was made under "
                          "torch.no_grad(), so nothing was recorded between its base and it. Make the view "
                          "outside no_grad.")


def version_of_no_tensor(tensor):
    return error("MG204", "increment_version expect a Iterable[Tensor] as input: a Tensor, or several, not "
                          f"{type(tensor).__name__}")


def version_of_no_element(place, each):
    return error("MG204", "increment_version expects each element of the iterable to be a tensor: element "
                          f"{place} is of type {type(each).__name__}")
