# What a call was given for each parameter, checked; and the walk over the tensors among it.


from minigrad._core.dispatch.op cimport PLAIN, TENSORS, Op
from minigrad._core.graph cimport Tensor
from minigrad._core.runtime.python_api cimport PyList_GET_ITEM, PyList_GET_SIZE, PyObject

cdef list operands(Op op, PyObject** bound, bint inplace)
cdef object operand(Op op, int i, object x, bint inplace)
cdef object parameter(Op op, int i, object x, bint inplace)
cdef object number_given(str function, str argument, Tensor t)
cdef list payloads_of(Op op, list args, int level)
cdef int refuse_inference(Op op, PyObject** bound, unsigned int mask) except -1


cdef struct Inputs:
    # How far a walk over the tensors among the arguments has come; see Note [The walk over inputs] in operands.pyx.
    int i                       # the parameter
    Py_ssize_t k, many          # which place in it, and how many it has: one, or those of a list of tensors
    int edge                    # the edge that leads from there, where the parameter has a formula
    PyObject* tensor            # the Tensor in that place, borrowed; NULL where there is a number, or nothing


cdef inline Inputs from_the_first() noexcept:
    return Inputs(-1, 0, 0, 0, NULL)


cdef inline bint next_input(Inputs* w, Op op, PyObject** args) noexcept:
    """Go on to the next place where a tensor may be; False behind the last."""
    cdef PyObject* x
    if w.i >= 0 and op.formula_of[w.i] >= 0:
        w.edge += 1
    w.k += 1
    while w.k >= w.many:
        w.i += 1
        if w.i >= op.n_tensors:
            return False
        w.k = 0
        w.many = op.type_of[w.i] != PLAIN if op.type_of[w.i] != TENSORS else PyList_GET_SIZE(<object>args[w.i])
    x = PyList_GET_ITEM(<object>args[w.i], w.k) if op.type_of[w.i] == TENSORS else args[w.i]
    w.tensor = x if isinstance(<object>x, Tensor) else NULL
    return True
