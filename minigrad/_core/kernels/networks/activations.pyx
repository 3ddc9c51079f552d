"""Piecewise activations (relu and its relatives), and gates.

The ufuncs are made here, from the inner loops in ``activations.h``; a row names one as its fast kernel.  A gated linear
unit has both of its operands in one array, which are seen as two (Dauphin et al., 2017)::

    self            a        b          along `dim`
    glu             a * sigmoid(b)
    glu_backward    d * sigmoid(b)      d * a * sigmoid'(b)

The state and the output of an LSTM, and their gradients, are each one ufunc too (ops/networks/recurrent.py).
"""

from minigrad._core.kernels.loops.new_ufuncs cimport mg_function, ufunc_of
from minigrad._core.kernels.loops.numpy_loops cimport Loop, aligned
from minigrad._core.kernels.loops.strided cimport Loops, elementwise, elementwise_into, loops_of
from minigrad._core.kernels.shapes.strided_views cimport Geometry, array_at, axis_at, range_of, seen_as, take_geometry
from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.numpy_api cimport (NPY_DOUBLE, NPY_FLOAT, PyArray_DIMS, PyArray_NDIM, PyArray_TYPE, ndarray,
                                               npy_intp)
from minigrad._core.runtime.python_api cimport PyObject

cdef extern from "kernels/networks/activations.h":
    mg_function FUNCTIONS[1]
    int N_FUNCTIONS "(int)(sizeof(FUNCTIONS) / sizeof(FUNCTIONS[0]))"

for _k in range(N_FUNCTIONS):
    globals()[FUNCTIONS[_k].name.decode()] = ufunc_of(&FUNCTIONS[_k])


cdef Loops with_operands(object ufunc, int n):
    names = ("x", "y", "z")[:n]
    return loops_of(ufunc, names, ("Tensor",) * n, [True] * n, None, "")


cdef Loops GATED = with_operands(globals()["gated"], 2)
cdef Loops GATE_BACKWARD = with_operands(globals()["gate_backward"], 3)


cdef object half(ndarray a, int axis, bint second):
    """One half of an array along an axis, as a view."""
    cdef Geometry g
    cdef npy_intp n = PyArray_DIMS(a)[axis] // 2
    take_geometry(a, &g)
    range_of(&g, axis, n if second else 0, 2 * n if second else n, 1)
    return seen_as(a, &g)


cdef bint in_halves(PyObject** args, ndarray a, int* axis) except -1:
    """Is it an array of real numbers with two halves along the axis that an argument says?"""
    return (PyArray_NDIM(a) > 0 and PyArray_TYPE(a) in (NPY_FLOAT, NPY_DOUBLE) and aligned(a)
            and axis_at(args[0], PyArray_NDIM(a), axis) and PyArray_DIMS(a)[axis[0]] % 2 == 0)


cdef object glu(Loop* loop, PyObject** args, int n):
    """(self, dim)"""
    cdef int axis = 0
    cdef PyObject* operands[2]
    if type(<object>args[0]) is not ndarray or not in_halves(args + 1, <ndarray>args[0], &axis):
        return None
    x, y = half(<ndarray>args[0], axis, False), half(<ndarray>args[0], axis, True)
    operands[0], operands[1] = <PyObject*>x, <PyObject*>y
    return elementwise(GATED, operands)


cdef object glu_backward(Loop* loop, PyObject** args, int n):
    """(self, d, dim)"""
    cdef int axis = 0
    cdef PyObject* operands[3]
    cdef ndarray a, out
    if type(<object>args[0]) is not ndarray or type(<object>args[1]) is not ndarray:
        return None
    a = <ndarray>args[0]
    if not in_halves(args + 2, a, &axis) or PyArray_TYPE(<ndarray>args[1]) != PyArray_TYPE(a):
        return None
    x, y = half(a, axis, False), half(a, axis, True)
    out = new_array(PyArray_NDIM(a), PyArray_DIMS(a), PyArray_TYPE(a))
    operands[0], operands[1], operands[2] = args[1], <PyObject*>y, <PyObject*>x
    if not elementwise_into(GATED, operands, half(out, axis, False)):
        return None
    operands[0], operands[2] = <PyObject*>x, args[1]
    return out if elementwise_into(GATE_BACKWARD, operands, half(out, axis, True)) else None
