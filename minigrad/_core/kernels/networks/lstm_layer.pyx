"""One layer of an LSTM over all steps of a sequence, and the way back: the kernels of two rows.

What the inputs give to the gates is one product for all steps.  Then each step is a product of the state, and one pass
over the gates of all examples (lstm_layer.h)::

    gates = input @ w_ih.T
    at each t:      gates[t], c, h  <-  gates[t] + bias + h @ w_hh.T, c

    at each t, from the last one on:    of_gates[t], of_c  <-  d[t] + of_gates[t + 1] @ w_hh, of_c

The gates are written where the products were, and kept for the way back.  BLAS multiplies few rows by a transposed
matrix at a third of its speed, so ``w_hh`` is transposed in memory, once for all steps.
"""

from minigrad._core.kernels.algebra.matrix_products cimport add_to, multiplied
from minigrad._core.kernels.loops.copies cimport copy_elements, new_copy
from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.kernels.loops.real cimport real
from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.numpy_api cimport (NPY_CORDER, NPY_DOUBLE, NPY_FLOAT, PyArray_DATA, PyArray_DIMS,
                                               PyArray_ISCARRAY_RO, PyArray_NDIM, PyArray_TYPE, PyArray_ZEROS, ndarray,
                                               npy_intp)
from minigrad._core.runtime.python_api cimport PyObject

cdef extern from "kernels/networks/lstm_layer.h":
    void lstm_forward_float(float*, float*, float*, float*, npy_intp, npy_intp, float*, float*) noexcept nogil
    void lstm_forward_double(double*, double*, double*, double*, npy_intp, npy_intp, double*, double*) noexcept nogil
    void lstm_back_float(float*, float*, float*, float*, float*, npy_intp, npy_intp, float*, float*,
                         float*) noexcept nogil
    void lstm_back_double(double*, double*, double*, double*, double*, npy_intp, npy_intp, double*, double*,
                          double*) noexcept nogil


cdef bint has(PyObject* x, int num, int ndim, npy_intp a, npy_intp b, npy_intp c) noexcept:
    """Is it an array of this dtype, without gaps, and of the first `ndim` of these sizes?"""
    cdef npy_intp[3] shape = [a, b, c]
    cdef int k
    if type(<object>x) is not ndarray or PyArray_TYPE(<ndarray>x) != num or not PyArray_ISCARRAY_RO(<ndarray>x):
        return False
    if PyArray_NDIM(<ndarray>x) != ndim:
        return False
    for k in range(ndim):
        if PyArray_DIMS(<ndarray>x)[k] != shape[k]:
            return False
    return True


cdef inline real* at(ndarray a, npy_intp t, npy_intp size, real* _) noexcept nogil:
    """Where step `t` begins; each has `size` numbers."""
    return <real*>PyArray_DATA(a) + t * size


cdef inline bint is_real(PyObject* x, int ndim) noexcept:
    return (type(<object>x) is ndarray and PyArray_NDIM(<ndarray>x) == ndim
            and PyArray_TYPE(<ndarray>x) in (NPY_FLOAT, NPY_DOUBLE))


# ------------------------------------------------------------------------------ forward

cdef object lstm_layer(Loop* loop, PyObject** args, int n):
    """(input, w_ih, w_hh, b_ih, b_hh, h, c, reverse)"""
    cdef npy_intp steps, examples, size
    cdef int num, k
    cdef bint reverse = <object>args[7]
    cdef ndarray bias, gates, outputs, cells, turned, h
    cdef npy_intp[3] shape
    if not is_real(args[0], 3) or not is_real(args[6], 2):
        return None
    num, steps = PyArray_TYPE(<ndarray>args[0]), PyArray_DIMS(<ndarray>args[0])[0]
    examples, size = PyArray_DIMS(<ndarray>args[6])[0], PyArray_DIMS(<ndarray>args[6])[1]
    if not (steps and examples and size and PyArray_DIMS(<ndarray>args[0])[1] == examples):
        return None
    if not (has(args[1], num, 2, 4 * size, PyArray_DIMS(<ndarray>args[0])[2], 0)
            and has(args[2], num, 2, 4 * size, size, 0)
            and has(args[5], num, 2, examples, size, 0) and has(args[6], num, 2, examples, size, 0)):
        return None
    shape[0] = 4 * size
    bias = PyArray_ZEROS(1, shape, num, 0)
    for k in range(3, 5):
        if <object>args[k] is not None:
            if not has(args[k], num, 1, 4 * size, 0, 0):
                return None
            add_to(bias, <ndarray>args[k])
    gates = multiplied(<ndarray>args[0], 2, <ndarray>args[1], 2, True)
    if gates is None:
        return None
    shape[0], shape[1], shape[2] = steps, examples, size
    outputs, cells = new_array(3, shape, num), new_array(3, shape, num)
    turned, h = (<object>args[2]).T, <ndarray>args[5]
    if steps > 1:
        turned = new_copy(turned, NPY_CORDER)
    if num == NPY_FLOAT:
        run(gates, bias, h, <ndarray>args[6], turned, outputs, cells, reverse, <float*>NULL)
    else:
        run(gates, bias, h, <ndarray>args[6], turned, outputs, cells, reverse, <double*>NULL)
    return outputs, cells, gates


cdef int run(ndarray gates, ndarray bias, ndarray h, ndarray c, ndarray turned, ndarray outputs, ndarray cells,
             bint reverse, real* _) except -1:
    cdef npy_intp steps = PyArray_DIMS(outputs)[0], examples = PyArray_DIMS(outputs)[1], size = PyArray_DIMS(outputs)[2]
    cdef npy_intp k, t, block = examples * size
    cdef real* before = at(c, 0, 0, _)
    cdef ndarray of_state
    for k in range(steps):
        t = steps - 1 - k if reverse else k
        of_state = multiplied(h, 2, turned, 2, False)
        with nogil:
            if real is float:
                lstm_forward_float(at(gates, t, 4 * block, _), at(of_state, 0, 0, _), at(bias, 0, 0, _), before,
                                   examples, size, at(cells, t, block, _), at(outputs, t, block, _))
            else:
                lstm_forward_double(at(gates, t, 4 * block, _), at(of_state, 0, 0, _), at(bias, 0, 0, _), before,
                                    examples, size, at(cells, t, block, _), at(outputs, t, block, _))
        before, h = at(cells, t, block, _), (<object>outputs)[t]
    return 0


# ------------------------------------------------------------------------------ back

cdef object lstm_layer_backward(Loop* loop, PyObject** args, int n):
    """(d, d_cell, cells, gates, w_hh, h, c, reverse)"""
    cdef npy_intp steps, examples, size
    cdef npy_intp* shape
    cdef int num
    cdef bint reverse = <object>args[7]
    cdef ndarray of_gates, of_state, of_cell, states
    if not is_real(args[2], 3):
        return None
    num, shape = PyArray_TYPE(<ndarray>args[2]), PyArray_DIMS(<ndarray>args[2])
    steps, examples, size = shape[0], shape[1], shape[2]
    if not (steps and examples and size and has(args[0], num, 3, steps, examples, size)
            and (<object>args[1] is None or has(args[1], num, 2, examples, size, 0))
            and has(args[2], num, 3, steps, examples, size) and has(args[3], num, 3, steps, examples, 4 * size)
            and has(args[4], num, 2, 4 * size, size, 0)
            and has(args[5], num, 2, examples, size, 0) and has(args[6], num, 2, examples, size, 0)):
        return None
    of_gates, states = new_array(3, PyArray_DIMS(<ndarray>args[3]), num), new_array(3, shape, num)
    of_state, of_cell = PyArray_ZEROS(2, shape + 1, num, 0), new_array(2, shape + 1, num)
    copy_elements(of_cell, of_state if <object>args[1] is None else <ndarray>args[1])
    if num == NPY_FLOAT:
        of_state = run_back(args, of_gates, of_state, of_cell, states, reverse, <float*>NULL)
    else:
        of_state = run_back(args, of_gates, of_state, of_cell, states, reverse, <double*>NULL)
    return of_gates, of_state, of_cell, states


cdef ndarray run_back(PyObject** args, ndarray of_gates, ndarray of_state, ndarray of_cell, ndarray states,
                      bint reverse, real* _):
    """Fill all of them; the gradient of the first state."""
    cdef ndarray d = <ndarray>args[0], cells = <ndarray>args[2], gates = <ndarray>args[3], w_hh = <ndarray>args[4]
    cdef npy_intp steps = PyArray_DIMS(cells)[0], examples = PyArray_DIMS(cells)[1], size = PyArray_DIMS(cells)[2]
    cdef npy_intp k, t, before, behind, block = examples * size
    cdef real* cell
    for k in range(steps):
        t = k if reverse else steps - 1 - k
        before, behind = t + 1 if reverse else t - 1, t - 1 if reverse else t + 1
        cell = at(cells, before, block, _) if k < steps - 1 else at(<ndarray>args[6], 0, 0, _)
        if k == 0:
            behind = t                                      # where it is written over: no step begins with it
        with nogil:
            if real is float:
                lstm_back_float(at(d, t, block, _), at(of_state, 0, 0, _), at(gates, t, 4 * block, _),
                                at(cells, t, block, _), cell, examples, size, at(of_cell, 0, 0, _),
                                at(of_gates, t, 4 * block, _), at(states, behind, block, _))
            else:
                lstm_back_double(at(d, t, block, _), at(of_state, 0, 0, _), at(gates, t, 4 * block, _),
                                 at(cells, t, block, _), cell, examples, size, at(of_cell, 0, 0, _),
                                 at(of_gates, t, 4 * block, _), at(states, behind, block, _))
        of_state = multiplied((<object>of_gates)[t], 2, w_hh, 2, False)
    copy_elements((<object>states)[steps - 1 if reverse else 0], <ndarray>args[5])
    return of_state
