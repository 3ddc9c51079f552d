# Calls that a user's class answers, by ``__torch_function__``; see torch_function.pyx.


from minigrad._core.graph cimport Tensor
from minigrad._core.runtime.python_api cimport PyObject

cdef extern from *:
    """
    #define mg_looked_up(cls, name) _PyType_Lookup((PyTypeObject *)(cls), (name))
    """
    PyObject* class_of_argument "(PyObject *)Py_TYPE"(PyObject*)
    PyObject* looked_up "mg_looked_up"(PyObject* cls, PyObject* name)

cdef PyObject* TORCH_FUNCTION       # the name of the method
cdef PyObject* DISABLED             # the method of a class, such as Parameter, that overrides nothing
cdef int modes_on                   # how many TorchFunctionModes, and autocasts, are in force in all threads together


cdef object modes_in_force()
cdef int switch_modes(object modes) except -1
cdef bint unusual_inside(PyObject* arguments) noexcept


cdef inline bint is_unusual(PyObject* x) noexcept:
    """Has the class of `x`, which nearly always is one of these, the method?"""
    cdef PyObject* cls = class_of_argument(x)
    if (cls == <PyObject*>Tensor or cls == <PyObject*>int or cls == <PyObject*>float or cls == <PyObject*>bool
            or <object>x is None or cls == <PyObject*>str):
        return False
    if cls == <PyObject*>tuple or cls == <PyObject*>list:
        return unusual_inside(x)
    return class_has_a_say(cls)


cdef inline bint class_has_a_say(PyObject* cls) noexcept:
    cdef PyObject* method = looked_up(cls, TORCH_FUNCTION)
    return method != NULL and method != DISABLED


cdef inline bint unusual(PyObject** args, Py_ssize_t n, PyObject* kwnames) noexcept:
    """Is there an argument that may override functions, or a mode?"""
    cdef Py_ssize_t i
    if modes_on:
        return True
    if kwnames != NULL:
        n += len(<tuple>kwnames)
    for i in range(n):
        if is_unusual(args[i]):
            return True
    return False


cdef inline bint either_unusual(PyObject* a, PyObject* b) noexcept:
    """The same for the operands of ``a + b``."""
    return modes_on or is_unusual(a) or is_unusual(b)


cdef object overridden(object function, PyObject** args, Py_ssize_t n, PyObject* kwnames)
cdef object DECLINED
cdef object operator_overridden(object function, object a, object b)
cdef object answered_or_declined(object function, list operands)
cdef object answered(object function, list given, dict keywords)
