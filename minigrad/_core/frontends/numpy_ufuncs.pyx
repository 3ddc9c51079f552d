"""``array + tensor`` and ``np.exp(tensor)``: what a ufunc of NumPy's asks a tensor, answered in C first.

The function that knows every answer is in Python (numpy_interface/functions.py).  Most calls have one or two
operands, tensors and plain arrays, and no keywords.  Once the ufunc is known to mean an operation of minigrad, such a
call goes straight to it::

    array + x   ->  np.add asks x.__array_ufunc__(np.add, "__call__", array, x)   ->  add(tensor on array, x)
"""

cimport cython

from minigrad._core.dispatch.front_end cimport Wrapping
from minigrad._core.graph cimport Tensor, new_tensor
from minigrad._core.graph.type_objects cimport declare_vectorcall
from minigrad._core.kernels.shapes.strided_views cimport another
from minigrad._core.runtime.numpy_api cimport PyArray_ISCARRAY_RO, PyArray_TYPE, ndarray
from minigrad._core.runtime.python_api cimport PyDict_GetItem, PyObject, PyObject_Vectorcall, PyVectorcall_NARGS
from minigrad._core.runtime.thread_state cimport state
from minigrad._core.runtime.type_promotion cimport known_num

cdef dict known = {}            # ufunc -> the operation that answers to it


def remember(ufunc, function):
    """From now on, usual calls of `ufunc` go to `function`."""
    known[ufunc] = function


@cython.binding(False)
@cython.embedsignature(True)
cdef class UfuncCalls(Wrapping):
    """``Tensor.__array_ufunc__``."""

    def __init__(self, function):
        self.wrap(function, <void*>ask_tensor)


cdef PyObject* ask_tensor(PyObject* self, PyObject** args, size_t nargsf, PyObject* kwnames) except NULL:
    """args: the tensor that is asked, the ufunc, the name of its method, the operands."""
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf), i
    cdef PyObject* function
    cdef PyObject* operands[2]
    cdef object keep = None             # owns the tensors that stand for arrays
    if kwnames == NULL and 4 <= n <= 5 and not state().active and <object>args[2] == "__call__":
        function = PyDict_GetItem(known, <object>args[1])
        if function != NULL:
            for i in range(3, n):
                if type(<object>args[i]) is Tensor:
                    operands[i - 3] = args[i]
                elif is_plain(<object>args[i]):
                    tensor = new_tensor(another(<ndarray>args[i]))
                    operands[i - 3] = <PyObject*>tensor
                    keep = (tensor, keep)
                else:
                    break
            else:
                return PyObject_Vectorcall(function, operands, n - 3, NULL)
    return PyObject_Vectorcall(<PyObject*>(<UfuncCalls>self).__wrapped__, args, nargsf, kwnames)


cdef bint is_plain(object x) noexcept:
    """Is it an array of no subclass, that a tensor can lie on as it is?"""
    return type(x) is ndarray and PyArray_ISCARRAY_RO(<ndarray>x) and known_num(PyArray_TYPE(<ndarray>x))


cdef UfuncCalls some_calls = UfuncCalls.__new__(UfuncCalls)
declare_vectorcall(<PyObject*>UfuncCalls, <char*>&some_calls.vectorcall - <char*><PyObject*>some_calls)
