"""hsplit, vstack and their relatives, for ordinary tensors: the views and joins that they are made of.

They are functions of rows (ops/shapes/splitting.py and joining.py), which know every error.  Here are the front ends:
whole sections that divide a dim, indices to cut at, tensors of the usual number of dims.

::

    chunk(x, 2)              split(x, 3)                        of a dim of 5 or 6
    tensor_split(x, 2)       x[:3], x[3:]                       vsplit, hsplit and dsplit where nothing is left over
    hstack([a, b])           cat([a, b], 1)
    vstack([u, v])           cat([u[None], v[None]], 0)
"""

from minigrad._core.dispatch.arguments cimport all_ints
from minigrad._core.dispatch.front_end cimport front
from minigrad._core.dispatch.matmul cimport reshaped
from minigrad._core.graph cimport Tensor
from minigrad._core.kernels.shapes.concatenation cimport MOST_PIECES
from minigrad._core.kernels.shapes.strided_views cimport as_int, axis_at
from minigrad._core.runtime.core_ops cimport words
from minigrad._core.runtime.numpy_api cimport PyArray_DIMS, PyArray_NDIM, ndarray, npy_intp
from minigrad._core.runtime.python_api cimport PyLong_CheckExact, PyObject


cdef ndarray array_of(PyObject* x):
    """The array of an ordinary tensor; None for anything else."""
    if not isinstance(<object>x, Tensor) or type((<Tensor>x).payload) is not ndarray:
        return None
    return <ndarray>(<Tensor>x).payload


# ------------------------------------------------------------------------------ taken apart

cdef ndarray cut(PyObject** args, Py_ssize_t n, PyObject* kwnames, int* axis):
    """The array of (self, how to cut it, dim=0), with its axis; None for any other call, and without dims."""
    cdef ndarray a = array_of(args[0]) if (n == 2 or n == 3) and kwnames == NULL else None
    axis[0] = 0
    if a is None or PyArray_NDIM(a) == 0 or n == 3 and not axis_at(args[2], PyArray_NDIM(a), axis):
        return None
    return a


cdef object split_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """(self, split_size_or_sections, dim=0)"""
    cdef int axis
    cdef object how, dim
    if cut(args, n, kwnames, &axis) is None:
        return None
    how, dim = <object>args[1], <object>args[2] if n == 3 else 0
    if PyLong_CheckExact(how):
        return words.split(<object>args[0], how, dim)
    return words.split_with_sizes(<object>args[0], how, dim) if type(how) is list or type(how) is tuple else None


cdef object chunk_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """(self, chunks, dim=0)"""
    cdef int axis
    cdef npy_intp chunks = 0, size
    cdef ndarray a = cut(args, n, kwnames, &axis)
    if a is None or not as_int(args[1], &chunks) or chunks <= 0:
        return None
    size = PyArray_DIMS(a)[axis]
    if size == 0:
        return None
    return words.split(<object>args[0], 1 + (size - 1) // chunks, <object>args[2] if n == 3 else 0)


cdef object tensor_split_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """(self, indices_or_sections, dim=0)"""
    cdef int axis
    cdef ndarray a = cut(args, n, kwnames, &axis)
    return None if a is None else in_pieces(<object>args[0], args[1], PyArray_DIMS(a)[axis],
                                            <object>args[2] if n == 3 else 0)


cdef tuple in_pieces(object x, PyObject* how, npy_intp size, object dim):
    """As many slices as an int says, or cut at the indices of a tuple or list; None for anything else."""
    cdef npy_intp sections = 0, start = 0, end, small, larger, i
    cdef object first = 0
    cdef list pieces = []
    if as_int(how, &sections):
        if not 0 < sections <= MOST_PIECES:
            return None
        small, larger = size // sections, size % sections
        for i in range(sections):
            end = start + small + (i < larger)
            pieces.append(words.slice_(x, dim, start, end, 1))
            start = end
        return tuple(pieces)
    indices = tuple(<object>how) if type(<object>how) is list else <object>how
    if not all_ints(<PyObject*>indices):
        return None
    for last in (*indices, size):
        pieces.append(words.slice_(x, dim, first, last, 1))
        first = last
    return tuple(pieces)


cdef object evenly(PyObject** args, Py_ssize_t n, PyObject* kwnames, int axis, int least_dims):
    """(self, indices_or_sections), where sections must be of one size"""
    cdef int first
    cdef npy_intp sections = 0, size
    cdef ndarray a = cut(args, n, kwnames, &first)
    if a is None or n != 2 or PyArray_NDIM(a) < least_dims:
        return None
    size = PyArray_DIMS(a)[axis]
    if as_int(args[1], &sections) and (sections <= 0 or size % sections):
        return None
    return in_pieces(<object>args[0], args[1], size, axis)


cdef object hsplit_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    cdef ndarray a = array_of(args[0]) if n else None
    return None if a is None else evenly(args, n, kwnames, 0 if PyArray_NDIM(a) == 1 else 1, 1)


cdef object vsplit_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return evenly(args, n, kwnames, 0, 2)


cdef object dsplit_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return evenly(args, n, kwnames, 2, 3)


# ------------------------------------------------------------------------------ put together

cdef list together(PyObject** args, Py_ssize_t n, PyObject* kwnames, int ndim, bint as_columns=False):
    """The tensors of (tensors), each with so many dims at least; None unless they are ordinary, and there are any."""
    cdef list found = []
    cdef object tensors
    cdef ndarray a
    if n != 1 or kwnames != NULL:
        return None
    tensors = <object>args[0]
    if not (type(tensors) is list or type(tensors) is tuple) or len(tensors) == 0:
        return None
    for x in tensors:
        a = array_of(<PyObject*>x)
        if a is None:
            return None
        if PyArray_NDIM(a) == 0:
            x = words.view(x, (1,) * ndim)
        elif PyArray_NDIM(a) == 1 and as_columns:
            x = reshaped(<Tensor>x, (-1, 1))
        elif PyArray_NDIM(a) == 1 and ndim > 1:
            x = words.unsqueeze(x, 0)
        if 0 < PyArray_NDIM(a) < 3 <= ndim:
            x = words.unsqueeze(x, -1)
        found.append(x)
    return found


cdef object hstack_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    cdef list tensors = together(args, n, kwnames, 1)
    if tensors is None:
        return None
    return words.cat(tensors, 0 if PyArray_NDIM(<ndarray>(<Tensor>tensors[0]).payload) == 1 else 1)


cdef object vstack_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    cdef list tensors = together(args, n, kwnames, 2)
    return None if tensors is None else words.cat(tensors, 0)


cdef object dstack_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    cdef list tensors = together(args, n, kwnames, 3)
    return None if tensors is None else words.cat(tensors, 2)


cdef object column_stack_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    cdef list tensors = together(args, n, kwnames, 2, True)
    return None if tensors is None else words.cat(tensors, 1)


#: the most pieces that a tensor is taken apart into
MOST = MOST_PIECES

split = front(split_in_c)
chunk = front(chunk_in_c)
tensor_split = front(tensor_split_in_c)
hsplit = front(hsplit_in_c)
vsplit = front(vsplit_in_c)
dsplit = front(dsplit_in_c)
hstack = front(hstack_in_c)
vstack = front(vstack_in_c)
dstack = front(dstack_in_c)
column_stack = front(column_stack_in_c)
