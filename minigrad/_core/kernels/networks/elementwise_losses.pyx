"""Elementwise losses: the loss of each element, by an inner loop, and then the mean or the sum.

A row names the ufunc of the elements and its operands; what its parameter ``reduction`` says is done here to their
losses.  The sum is pairwise, as in pairwise_sums.pyx.  The ufuncs are made here, from the inner loops in
``elementwise_losses.h``.
"""

cimport cython

from minigrad._core.kernels.loops.copies cimport stored_as
from minigrad._core.kernels.loops.new_ufuncs cimport mg_function, ufunc_of
from minigrad._core.kernels.loops.numpy_loops cimport LARGE, Loop, binary_into, resolve
from minigrad._core.kernels.loops.real cimport real
from minigrad._core.kernels.loops.strided cimport Loops, elementwise, loops_of
from minigrad._core.kernels.reductions.pairwise_sums cimport sum_middle
from minigrad._core.kernels.shapes.strided_views cimport as_int
from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.numpy_api cimport (NPY_DOUBLE, NPY_FLOAT, PyArray_DATA, PyArray_SIZE, PyArray_TYPE, ndarray,
                                               npy_intp)
from minigrad._core.runtime.python_api cimport PyObject
from minigrad._core.runtime.type_promotion cimport in_tables

import numpy as np

cdef extern from "kernels/networks/elementwise_losses.h":
    mg_function FUNCTIONS[1]
    int N_FUNCTIONS "(int)(sizeof(FUNCTIONS) / sizeof(FUNCTIONS[0]))"

for _k in range(N_FUNCTIONS):
    globals()[FUNCTIONS[_k].name.decode()] = ufunc_of(&FUNCTIONS[_k])

cdef enum:
    NONE = 0                    # the reductions of ops/networks/loss.py
    MEAN = 1
    SUM = 2


@cython.final
cdef class Loss:
    """What `loss` needs to know: the loops of the elements, and which argument is the reduction.

    ``"self target weight=1 how"`` are the parameters of a row, where `how` is its reduction.  One with a number may be
    None, which means that number.  The target has a part in the dtype if it `promotes`.
    """

    def __init__(self, elements, str arguments, bint promotes):
        cdef list names = [], types = [], operands = []
        for word in arguments.split():
            parameter, _, number = word.partition("=")
            types.append("Tensor" if number or len(names) < 2 else "")
            names.append(parameter)
            if parameter != "how":
                operands.append((parameter, float(number)) if number else parameter)
        self.loops = loops_of((elements, *operands), tuple(names), tuple(types),
                              [True, promotes] + [False] * (len(names) - 2), None, "")
        self.how = names.index("how")


cdef object loss(Loop* loop, PyObject** args, int n):
    """The losses of the elements, their mean or their sum; None where that is left to the general kernel."""
    cdef Loss known = <Loss?><object>loop.told
    cdef npy_intp how = 0
    cdef ndarray a, out
    if not as_int(args[known.how], &how) or not NONE <= how <= SUM:
        return None
    if how != NONE and (type(<object>args[0]) is not ndarray or stored_as(in_tables(PyArray_TYPE(<ndarray>args[0])))):
        return None                                     # what is added up is not rounded to 16 bits before
    found = elementwise(known.loops, args)
    if found is None or how == NONE:
        return found
    a = <ndarray>found
    if PyArray_SIZE(a) == 0 or PyArray_TYPE(a) != NPY_FLOAT and PyArray_TYPE(a) != NPY_DOUBLE:
        return None
    out = new_array(0, NULL, PyArray_TYPE(a))
    if PyArray_TYPE(a) == NPY_FLOAT:
        total(<float*>PyArray_DATA(a), <float*>PyArray_DATA(out), PyArray_SIZE(a), how)
    else:
        total(<double*>PyArray_DATA(a), <double*>PyArray_DATA(out), PyArray_SIZE(a), how)
    return out


cdef void total(real* a, real* o, npy_intp size, npy_intp how) noexcept:
    if size > LARGE:
        with nogil:
            sum_middle(a, o, 1, size, 1)
    else:
        sum_middle(a, o, 1, size, 1)
    if how == MEAN:
        o[0] /= <real>size


cdef Loop DIVIDE
resolve(&DIVIDE, np.divide)


cdef object share_of(Loop* loop, PyObject** args, int n):
    """(grad, like, reduction): the gradient, which is divided by the size of `like` where the loss is a mean."""
    cdef npy_intp how = 0
    if not as_int(args[2], &how) or type(<object>args[0]) is not ndarray or type(<object>args[1]) is not ndarray:
        return None
    if PyArray_TYPE(<ndarray>args[0]) != NPY_FLOAT and PyArray_TYPE(<ndarray>args[0]) != NPY_DOUBLE:
        return None                                     # one of 16 bits becomes a copy
    if how != MEAN:
        return <object>args[0]
    if PyArray_SIZE(<ndarray>args[1]) == 0:
        return None
    return binary_into(&DIVIDE, <object>args[0], <double>PyArray_SIZE(<ndarray>args[1]), None)
