"""One layer of a recurrent network over all steps of a sequence, and the way back: the kernels of two rows.

What the inputs give to the gates is one product for all steps.  Then each step is a product of the state, and one pass
over the gates of all examples; what that pass computes is the cell (recurrent_layer.h)::

    gates = input @ w_ih.T
    at each t:      gates[t], h, kept[t]  <-  cell(gates[t] + b_ih, h @ w_hh.T + b_hh)

    at each t, from the last one on:    of_gates[t], of_hidden[t]  <-  d[t] + of_hidden[t + 1] @ w_hh

The gates are written where the products were, and kept for the way back: 4 numbers of an LSTM, 3 of a GRU, of a simple
network the state.  Besides them, an LSTM keeps c, and a GRU what the state gives to n.  Their states go on by
themselves too, past the gates: c of an LSTM, h of a GRU.

BLAS multiplies few rows by a transposed matrix at a third of its speed, so ``w_hh`` is transposed in memory, once for
all steps.
"""

from minigrad._core.kernels.algebra.matrix_products cimport add_to, multiplied
from minigrad._core.kernels.loops.copies cimport copy_elements, new_copy
from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.memory_pool cimport new_array, new_zeros
from minigrad._core.runtime.numpy_api cimport (NPY_CORDER, NPY_DOUBLE, NPY_FLOAT, PyArray_DATA, PyArray_DIMS,
                                               PyArray_ISCARRAY_RO, PyArray_NDIM, PyArray_STRIDES, PyArray_TYPE,
                                               ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport PyObject

cdef extern from "kernels/networks/recurrent_layer.h":
    enum:
        LSTM, GRU, RNN_TANH, RNN_RELU
    void step_forward(int cell, int in_double, void* gates, void* of_h, void* b_ih, void* b_hh, void* before,
                      npy_intp examples, npy_intp size, void* kept, void* outputs) nogil
    void step_back(int cell, int in_double, void* d, void* later, void* gates, void* kept, void* before,
                   npy_intp examples, npy_intp size, void* carried, void* of_gates, void* of_hidden,
                   void* states) nogil
    void step_again(int in_double, void* gates, void* before, npy_intp examples, npy_intp size, void* states) nogil

cdef tuple CELLS = ("lstm", "gru", "rnn_tanh", "rnn_relu")      # in the order of recurrent_layer.h
cdef int[4] GATES = [4, 3, 1, 1]


cdef bint has(PyObject* x, int num, int ndim, npy_intp a, npy_intp b, npy_intp c) noexcept:
    """Is it an array of this dtype, without gaps, and of the first `ndim` of these sizes?"""
    cdef npy_intp[3] shape = [a, b, c]
    cdef int k
    if not is_real(x, ndim) or PyArray_TYPE(<ndarray>x) != num or not PyArray_ISCARRAY_RO(<ndarray>x):
        return False
    for k in range(ndim):
        if PyArray_DIMS(<ndarray>x)[k] != shape[k]:
            return False
    return True


cdef inline bint is_real(PyObject* x, int ndim) noexcept:
    return (type(<object>x) is ndarray and PyArray_NDIM(<ndarray>x) == ndim
            and PyArray_TYPE(<ndarray>x) in (NPY_FLOAT, NPY_DOUBLE))


cdef inline char* at(ndarray a, npy_intp t) noexcept nogil:
    """Where step `t` begins; if there are no steps, where they would."""
    return <char*>PyArray_DATA(a) + (t * PyArray_STRIDES(a)[0] if PyArray_DIMS(a)[0] else 0)


cdef inline ndarray steps_if(bint wanted, npy_intp* shape, int num):
    """An array of three dims; without steps if it is not wanted."""
    cdef npy_intp[3] dims = [shape[0] if wanted else 0, shape[1], shape[2]]
    return new_array(3, dims, num)


# ------------------------------------------------------------------------------ forward

cdef object recurrent_layer(Loop* loop, PyObject** args, int n):
    """(input, w_ih, w_hh, b_ih, b_hh, h, c, cell, reverse)"""
    cdef npy_intp steps, examples, size, rows, k, t
    cdef npy_intp[3] shape
    cdef int num, cell = CELLS.index(<object>args[7])
    cdef bint reverse = <object>args[8]
    cdef char* before
    cdef ndarray zeros, b_ih, b_hh, gates, outputs, kept, turned, of_h, h
    if not is_real(args[0], 3) or not is_real(args[5], 2):
        return None
    num, steps = PyArray_TYPE(<ndarray>args[0]), PyArray_DIMS(<ndarray>args[0])[0]
    examples, size = PyArray_DIMS(<ndarray>args[5])[0], PyArray_DIMS(<ndarray>args[5])[1]
    rows = GATES[cell] * size
    if not (steps and examples and size and PyArray_DIMS(<ndarray>args[0])[1] == examples
            and has(args[1], num, 2, rows, PyArray_DIMS(<ndarray>args[0])[2], 0) and has(args[2], num, 2, rows, size, 0)
            and (<object>args[3] is None or has(args[3], num, 1, rows, 0, 0))
            and (<object>args[4] is None or has(args[4], num, 1, rows, 0, 0))
            and has(args[5], num, 2, examples, size, 0) and (cell != LSTM or has(args[6], num, 2, examples, size, 0))):
        return None
    gates = multiplied(<ndarray>args[0], 2, <ndarray>args[1], 2, True)
    if gates is None:
        return None
    zeros = new_zeros(1, &rows, num)
    b_ih = zeros if <object>args[3] is None else <ndarray>args[3]
    b_hh = zeros if <object>args[4] is None else <ndarray>args[4]
    shape = [steps, examples, size]
    outputs, kept = new_array(3, shape, num), steps_if(cell in (LSTM, GRU), shape, num)
    turned, h = (<object>args[2]).T, <ndarray>args[5]
    if steps > 1:
        turned = new_copy(turned, NPY_CORDER)
    before = at(<ndarray>args[6 if cell == LSTM else 5], 0)
    for k in range(steps):
        t = steps - 1 - k if reverse else k
        of_h = multiplied(h, 2, turned, 2, False)
        with nogil:
            step_forward(cell, num == NPY_DOUBLE, at(gates, t), at(of_h, 0), at(b_ih, 0), at(b_hh, 0), before, examples,
                         size, at(kept, t), at(outputs, t))
        before, h = at(kept if cell == LSTM else outputs, t), (<object>outputs)[t]
    return outputs, kept, gates


# ------------------------------------------------------------------------------ back

cdef object recurrent_layer_backward(Loop* loop, PyObject** args, int n):
    """(d, d_cell, kept, gates, w_hh, h, c, cell, reverse)"""
    cdef npy_intp steps, examples, size, k, t, first
    cdef npy_intp* shape
    cdef int num, step, cell = CELLS.index(<object>args[7])
    cdef bint reverse = <object>args[8]
    cdef char* before
    cdef ndarray d, kept, gates, h, of_gates, of_hidden, hidden, of_h, carried, states, begin
    if not is_real(args[0], 3):
        return None
    num, shape = PyArray_TYPE(<ndarray>args[0]), PyArray_DIMS(<ndarray>args[0])
    steps, examples, size = shape[0], shape[1], shape[2]
    if not (steps and examples and size and has(args[0], num, 3, steps, examples, size)
            and (<object>args[1] is None or has(args[1], num, 2, examples, size, 0))
            and has(args[2], num, 3, steps if cell in (LSTM, GRU) else 0, examples, size)
            and has(args[3], num, 3, steps, examples, GATES[cell] * size)
            and has(args[4], num, 2, GATES[cell] * size, size, 0)
            and has(args[5], num, 2, examples, size, 0) and (cell != LSTM or has(args[6], num, 2, examples, size, 0))):
        return None
    d, kept, gates, h = <ndarray>args[0], <ndarray>args[2], <ndarray>args[3], <ndarray>args[5]
    of_gates = steps_if(True, PyArray_DIMS(gates), num)
    of_hidden = steps_if(cell == GRU, PyArray_DIMS(gates), num)
    hidden = of_hidden if cell == GRU else of_gates
    of_h, carried, states = new_zeros(2, shape + 1, num), new_zeros(2, shape + 1, num), new_array(3, shape, num)
    if <object>args[1] is not None:
        copy_elements(carried, <ndarray>args[1])
    first, step = steps - 1 if reverse else 0, -1 if reverse else 1
    if cell == GRU:
        with nogil:
            for k in range(steps - 1):
                t = first + step * k
                step_again(num == NPY_DOUBLE, at(gates, t), at(states, t) if k else at(h, 0), examples, size,
                           at(states, t + step))
    begin = <ndarray>args[6] if cell == LSTM else h
    for k in range(steps):
        t = first + step * (steps - 1 - k)
        with nogil:
            before = at(begin, 0) if k == steps - 1 else at(states, t) if cell == GRU else at(kept, t - step)
            # No step begins with the state of the last one: it is written over.
            step_back(cell, num == NPY_DOUBLE, at(d, t), at(of_h, 0), at(gates, t), at(kept, t), before, examples, size,
                      at(carried, 0), at(of_gates, t), at(hidden, t), at(states, t + step if k else t))
        of_h = multiplied((<object>hidden)[t], 2, <ndarray>args[4], 2, False)
    copy_elements((<object>states)[first], h)
    if cell == GRU:
        add_to(of_h, carried)
    return of_gates, of_hidden, of_h, carried, states
