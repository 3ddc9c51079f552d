# From arrays to arrays.

from minigrad._core.dispatch.op cimport Op, options_left_out
from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.kernels.loops.strided cimport AS_OPERANDS, Loops, elementwise, elementwise_into
from minigrad._core.runtime.numpy_api cimport NPY_CLONGDOUBLE, NPY_FLOAT, NPY_HALF, NPY_USERDEF, PyArray_TYPE, ndarray
from minigrad._core.runtime.python_api cimport PyObject, Py_DECREF


cdef inline bint floating(ndarray a) noexcept:
    """Can the dtype carry a gradient?  bfloat16 is a type from outside NumPy, with a number above its own."""
    cdef int t = PyArray_TYPE(a)
    return NPY_FLOAT <= t <= NPY_CLONGDOUBLE or t == NPY_HALF or t >= NPY_USERDEF


cdef inline bint half_type(int t) noexcept:
    """Is this the number of a 16-bit floating point type?"""
    return t == NPY_HALF or t >= NPY_USERDEF


# Kernels as functions that say nothing of errors, but return NULL: `try` would cost 2% of each small operation.
ctypedef PyObject* (*KernelInC)(Loop*, PyObject**, int) noexcept
ctypedef PyObject* (*LoopsInC)(Loops, PyObject**) noexcept


cdef inline object owned(PyObject* result):
    """A new reference as an object; or None, after an error that the general way will raise in our own words."""
    if result == NULL:
        leave_to_the_general_way()
        return None
    cdef object r = <object>result
    Py_DECREF(r)
    return r


cdef inline object run(Op op, PyObject** raw, int n):
    """The op on arrays (and numbers and parameters): a fast loop where the layout is plain, else the general way."""
    cdef object r = run_in_c(op, raw, n)
    return run_general(op, raw, n) if r is None else r


cdef inline object run_in_c(Op op, PyObject** raw, int n):
    """The op by its kernel in C; None where it has none, or none for such arguments."""
    cdef object r = None
    if op.fast == NULL and op.loops is None and op.loops_with_options is None:
        return None
    if not options_left_out(op, raw, n):
        if op.fast_reads_options:
            return owned((<KernelInC>op.fast)(&op.loop, raw, n))
        return None if op.loops_with_options is None else owned((<LoopsInC>elementwise)(op.loops_with_options, raw))
    if op.fast != NULL:
        r = owned((<KernelInC>op.fast)(&op.loop, raw, op.n_plain))
        if op.layout != AS_OPERANDS and r is not None:
            r = lying_in_c(op, raw, r)
    if r is None and op.loops is not None:
        r = owned((<LoopsInC>elementwise)(op.loops, raw))
    return r


cdef inline bint run_into(Op op, PyObject** raw, int n, ndarray out) except -1:
    """The op by its kernel in C, into given memory: that of the first argument, or memory that overlaps none.

    False, and nothing is written, where it has none, or none for such arguments.
    """
    if not options_left_out(op, raw, n):
        return op.loops_with_options is not None and elementwise_into(op.loops_with_options, raw, out)
    if op.fast != NULL and op.into == NULL:
        return False                    # what it computes may round otherwise than the loops
    if op.into != NULL and op.into(&op.loop, raw, op.n_plain, out):
        return True
    return op.loops is not None and elementwise_into(op.loops, raw, out)


cdef int leave_to_the_general_way() except -1
cdef bint may_cross() noexcept
cdef list on_one_device(Op op, list args, list payloads)
cdef object run_anywhere(Op op, PyObject** raw)
cdef object run_general(Op op, PyObject** raw, int n)
cdef object lying_in_c(Op op, PyObject** raw, object r)
cdef object widened(object x)
cdef object rounded(object x, object half)
cdef object explained(str name, object e, args)
