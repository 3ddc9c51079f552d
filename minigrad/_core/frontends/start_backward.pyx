"""Shortcuts into a backward pass.

``backward`` and ``grad`` (autograd/reverse.py) take sequences, edges, defaults and batches, and name everything that
can be wrong with them.  Mostly there is one result or a few, ordinary tensors with a history, and a gradient of the
same shape and dtype for each.  This is quick to check, and then the pass can begin.  For anything else these
functions return None, and the long way is taken.
"""


import numpy as np

from minigrad._core.backward.engine import run
from minigrad._core.graph cimport Tensor, new_tensor, node_of
from minigrad._core.kernels.loops.numpy_loops cimport same_shape
from minigrad._core.runtime.numpy_api cimport PyArray_DIMS, PyArray_NDIM, PyArray_TYPE, ndarray


cdef bint ordinary(object x) except -1:
    """Is it a tensor of no transform and no subclass, with a history?"""
    return type(x) is Tensor and type((<Tensor>x).payload) is ndarray and node_of(<Tensor>x) is not None


cdef object gradient_for(object root, object given):
    """The gradient to start from, which is 1 where none is given; None if it needs a closer look."""
    cdef ndarray a = <ndarray>(<Tensor>root).payload, g
    if given is None:
        return new_tensor(np.array(1, a.dtype)) if PyArray_NDIM(a) == 0 and a.dtype.kind == "f" else None
    if not isinstance(given, Tensor) or type((<Tensor>given).payload) is not ndarray:
        return None
    g = <ndarray>(<Tensor>given).payload
    return given if PyArray_TYPE(g) == PyArray_TYPE(a) and same_shape(g, a) else None


cdef list tensors_in(object x):
    """One or several ordinary tensors as a list; None where there is anything else."""
    if type(x) is Tensor:
        return [x] if ordinary(x) else None
    if type(x) is not list and type(x) is not tuple or not len(x):
        return None
    for each in x:
        if not ordinary(each):
            return None
    return list(x)


def start_backward(root, gradient, retain_graph):
    """``root.backward(gradient, retain_graph)``; None where that is not one of the usual calls."""
    if not ordinary(root) or not (retain_graph is None or retain_graph is True or retain_graph is False):
        return None
    gradient = gradient_for(root, gradient)
    if gradient is None:
        return None
    run([root], [gradient], retain_graph is True, False)
    return True


def start_grad(outputs, inputs, gradients, retain_graph, bint create_graph):
    """What ``grad`` computes, as a list; None where it is not one of the usual calls."""
    cdef list roots = tensors_in(outputs), targets = tensors_in(inputs), given
    cdef int i
    if roots is None or targets is None:
        return None
    if gradients is None:
        given = [None] * len(roots)
    elif isinstance(gradients, (list, tuple)):
        given = list(gradients)
    else:
        given = [gradients]
    if len(given) != len(roots):
        return None
    for i in range(len(roots)):
        given[i] = gradient_for(roots[i], given[i])
        if given[i] is None:
            return None
    return run(roots, given, create_graph if retain_graph is None else bool(retain_graph), create_graph, targets, False)
