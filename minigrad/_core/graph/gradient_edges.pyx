"""Places in the graph, as Python code asks for them: the ends of edges (``GradientEdge``), and leaves."""


from minigrad._core.errors import error
from minigrad._core.graph cimport OUTPUT, Node, Tensor, new_tensor, node_of, publish
from minigrad._core.graph.saved_slots cimport in_slot
from minigrad._core.runtime.numpy_api cimport ndarray


def accumulator_of(Tensor t not None):
    """The node of ``t`` in the graph, as ``(node, output number)``; ``(None, 0)`` where it does not require grad."""
    cdef Node n = node_of(t)
    return (None, 0) if n is None else (publish(n), t.nr)


def at_edge(Node node not None, int nr, payload=None):
    """A tensor that stands for output ``nr`` of ``node``:
    where its place in the graph matters, and at most its shape and dtype."""
    if not 0 <= nr < node.n_outputs:
        raise error("MG114", f"there is no output {nr} of {Node.name(node)}: it has {node.n_outputs}, counted from 0")
    cdef Tensor t = new_tensor(payload if node.level == 0 or payload is None else new_tensor(payload))
    t.node = node
    t.nr = nr
    t.level = node.level
    t.requires_grad_ = True
    return t


def shapes_and_dtypes_of(Node n not None):
    """For each output of ``n`` its (shape, NumPy dtype), or None where the node has nothing that tells."""
    cdef list found = [None] * n.n_outputs
    cdef int i
    if n.accumulates:
        return [shape_and_dtype_of(n.op)]
    for i in range(n.n_saved if n.saved != NULL else 0):
        if n.saved[i].kind == OUTPUT:
            held = in_slot(&n.saved[i])
            if type(held) is ndarray:
                found[n.saved[i].nr] = held.shape, held.dtype
    return found


def shape_and_dtype_of(Tensor t not None):
    """The (shape, NumPy dtype) of a tensor; None for one without data."""
    if isinstance(t.payload, ndarray):
        return (<object>t.payload).shape, (<object>t.payload).dtype
    return None if t.payload is None else (tuple(t.shape), t.dtype.numpy)


def stored_grad(Tensor t not None):
    """``t.grad`` as it is, without the warning that there will be none."""
    return t.grad_


def is_led_to(Tensor t not None):
    """True where a graph that still exists leads to the leaf ``t``."""
    return t.accumulator != NULL
