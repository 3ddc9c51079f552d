"""contiguous, flatten and unflatten, for ordinary tensors: in most cases there is nothing to copy.

Each returns its argument, or a view of it, where the elements lie in order in memory.  Here these cases are told from
the array, and ``contiguous()`` copies what lies otherwise; any other call, and every error, is for the functions in
ops/shapes/reshaping.py, whose front ends these are.
"""

from minigrad._core.dispatch.arguments cimport all_ints
from minigrad._core.dispatch.front_end cimport front
from minigrad._core.dispatch.matmul cimport reshaped
from minigrad._core.frontends.creation cimport keeps_rows
from minigrad._core.graph cimport Tensor
from minigrad._core.kernels.shapes.strided_views cimport MAX_DIMS, as_ints, axis_at, place_of
from minigrad._core.runtime.core_ops cimport words
from minigrad._core.runtime.numpy_api cimport PyArray_DIMS, PyArray_IS_C_CONTIGUOUS, PyArray_NDIM, ndarray, npy_intp
from minigrad._core.runtime.python_api cimport PyObject


cdef ndarray in_order(PyObject* x):
    """The array of an ordinary tensor, if its elements lie in order; else None."""
    if not isinstance(<object>x, Tensor) or type((<Tensor>x).payload) is not ndarray:
        return None
    return <ndarray>(<Tensor>x).payload if PyArray_IS_C_CONTIGUOUS(<ndarray>(<Tensor>x).payload) else None


cdef object contiguous_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """(self, memory_format=)"""
    if n != 1 or not isinstance(<object>args[0], Tensor) or type((<Tensor>args[0]).payload) is not ndarray:
        return None
    if kwnames != NULL and not (<tuple>kwnames == ("memory_format",) and keeps_rows(<object>args[1])):
        return None
    if in_order(args[0]) is not None:
        return <object>args[0]
    return words.clone(<object>args[0], memory_format="contiguous_format") if kwnames == NULL else None


cdef object flatten_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """(self, start_dim=0, end_dim=-1)"""
    cdef ndarray a = in_order(args[0]) if 1 <= n <= 3 and kwnames == NULL else None
    cdef int ndim, start = 0, end, k
    cdef npy_intp size = 1
    if a is None:
        return None
    ndim = PyArray_NDIM(a)
    end = max(ndim, 1) - 1
    if n > 1 and not axis_at(args[1], max(ndim, 1), &start) or n > 2 and not axis_at(args[2], max(ndim, 1), &end):
        return None
    if start > end:
        return None
    if ndim and start == end:
        return <object>args[0]
    for k in range(start, min(end + 1, ndim)):
        size *= PyArray_DIMS(a)[k]
    shape = (<object>a).shape
    return reshaped(<Tensor>args[0], shape[:start] + (size,) + shape[end + 1:])


cdef object unflatten_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """(self, dim, sizes), of which none is -1"""
    cdef ndarray a = in_order(args[0]) if n == 3 and kwnames == NULL else None
    cdef npy_intp sizes[MAX_DIMS]
    cdef npy_intp product = 1
    cdef int axis = 0, several, k
    if a is None or not axis_at(args[1], PyArray_NDIM(a), &axis):
        return None
    several = as_ints(args[2], sizes)
    if several <= 0:
        return None
    for k in range(several):
        if sizes[k] <= 0 or product > PyArray_DIMS(a)[axis]:
            return None
        product *= sizes[k]
    if product != PyArray_DIMS(a)[axis]:
        return None
    shape = (<object>a).shape
    return words.view(<object>args[0], shape[:axis] + <tuple>args[2] + shape[axis + 1:])


cdef object as_strided_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """(self, size, stride, storage_offset=None)"""
    cdef object steps, first
    if (n != 3 and n != 4) or kwnames != NULL or not all_ints(args[1]) or not all_ints(args[2]):
        return None
    if not isinstance(<object>args[0], Tensor) or type((<Tensor>args[0]).payload) is not ndarray:
        return None
    steps, first = place_of(<ndarray>(<Tensor>args[0]).payload)
    return words.as_strided(<object>args[0], <object>args[1], <object>args[2], <object>args[3] if n == 4 else None,
                            steps, first)


contiguous = front(contiguous_in_c)
flatten = front(flatten_in_c)
unflatten = front(unflatten_in_c)
as_strided = front(as_strided_in_c)
