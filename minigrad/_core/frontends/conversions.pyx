"""The usual conversions, called in C first: to a dtype, to the CPU, from an array.

Most of them change nothing: ``x.float()`` of a float32 tensor, ``x.to("cpu")`` and ``torch.as_tensor(x)`` return the
tensor itself.  Another dtype is a call of the row that copies.  The functions in Python know the rest (_tensor.py and
creation/__init__.py), as elsewhere: see creation.pyx.
"""

cimport cython

from minigrad._core.dispatch.front_end cimport FrontEnd, Wrapping, front
from minigrad._core.dispatch.torch_function cimport overridden, unusual
from minigrad._core.frontends.creation cimport data_as, is_cpu, is_dtype, keeps_rows
from minigrad._core.graph cimport Tensor, new_tensor
from minigrad._core.graph.type_objects cimport declare_vectorcall
from minigrad._core.kernels.loops.numpy_loops cimport aligned
from minigrad._core.kernels.shapes.strided_views cimport another
from minigrad._core.runtime.core_ops cimport words
from minigrad._core.runtime.numpy_api cimport (PyArray_ISWRITEABLE, PyArray_IS_C_CONTIGUOUS, PyArray_ITEMSIZE,
                                               PyArray_NDIM, PyArray_STRIDES, PyArray_TYPE, ndarray)
from minigrad._core.runtime.python_api cimport PyObject, PyObject_Vectorcall, PyVectorcall_NARGS, Py_INCREF
from minigrad._core.runtime.thread_state cimport state
from minigrad._core.runtime.type_promotion cimport known_num


@cython.binding(False)
@cython.embedsignature(True)
cdef class Conversion(Wrapping):
    """A function of Python that is called in C first; to a listener, it is what it is made of.

    With a ``dtype``, that is what it converts to: ``x.double()``.
    """
    cdef FrontEnd front
    cdef object to

    def __init__(self, function, FrontEnd front=None, dtype=None):
        self.front = front
        self.to = dtype
        self.wrap(function, <void*>convert)


cdef PyObject* convert(PyObject* self, PyObject** args, size_t nargsf, PyObject* kwnames) except NULL:
    cdef Conversion conversion = <Conversion>self
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf)
    cdef object made = None
    if unusual(args, n, kwnames):
        made = overridden(conversion, args, n, kwnames)
        if made is not NotImplemented:
            Py_INCREF(made)
            return <PyObject*>made
        made = None
    if not state().active:
        if conversion.front is not None:
            made = conversion.front.make(args, n, kwnames)
        elif n == 1:
            made = converted(args, n, kwnames, conversion.to)
        if made is not None:
            Py_INCREF(made)
            return <PyObject*>made
    return PyObject_Vectorcall(<PyObject*>conversion.__wrapped__, args, nargsf, kwnames)


cdef Conversion a_conversion = Conversion.__new__(Conversion)
declare_vectorcall(<PyObject*>Conversion, <char*>&a_conversion.vectorcall - <char*><PyObject*>a_conversion)


# ------------------------------------------------------------------------------ a tensor

cdef inline bint is_ordinary(object x) noexcept:
    return isinstance(x, Tensor) and type((<Tensor>x).payload) is ndarray


cdef inline object in_dtype(Tensor t, object dtype):
    """The tensor itself, or a copy in another dtype."""
    return t if t.dtype is dtype else words.to_dtype(t, dtype)


cdef object converted(PyObject** args, Py_ssize_t n, PyObject* kwnames, object dtype):
    """The tensor ``args[0]`` in a dtype, None for its own, where the keywords ask for nothing but that.

    They may name the dtype, where the call has given none, the CPU, the layout that the result has in any case, and
    whether to wait; and they may not ask for a copy where nothing changes.
    """
    cdef Tensor t
    cdef object value
    cdef bint copy = False, given = dtype is not None
    cdef Py_ssize_t k
    if not is_ordinary(<object>args[0]):
        return None
    t = <Tensor>args[0]
    for k in range(0 if kwnames == NULL else len(<tuple>kwnames)):
        keyword, value = (<tuple>kwnames)[k], <object>args[n + k]
        if keyword == "dtype" and not given:
            if value is not None and not is_dtype(value):
                return None
            dtype = value
        elif keyword == "device" and n == 1:
            if value is not None and not is_cpu(value):
                return None
        elif keyword == "memory_format":
            if value is not None and not (PyArray_IS_C_CONTIGUOUS(<ndarray>t.payload) and keeps_rows(value)):
                return None
        elif keyword == "copy" and (value is True or value is False):
            copy = value
        elif not (keyword == "non_blocking" and (value is True or value is False)):
            return None
    if copy and (dtype is None or t.dtype is dtype):
        return None
    return t if dtype is None else in_dtype(t, dtype)


cdef object convert_to(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """to(dtype), to(other), to("cpu"), to("cpu", dtype), each with keywords; to(dtype=dtype)"""
    cdef object target
    if n == 1 and kwnames != NULL:
        return converted(args, n, kwnames, None)
    if n < 2 or n > 3:
        return None
    target = <object>args[1]
    if n == 3:
        return (converted(args, n, kwnames, <object>args[2]) if is_cpu(target) and is_dtype(<object>args[2])
                else None)
    if is_ordinary(target):
        target = (<Tensor>target).dtype
    elif is_cpu(target):
        target = None
    elif not is_dtype(target):
        return None
    return converted(args, n, kwnames, target)


cdef object convert_type(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """type(dtype)"""
    return (in_dtype(<Tensor>args[0], <object>args[1])
            if n == 2 and kwnames == NULL and is_ordinary(<object>args[0]) and is_dtype(<object>args[1]) else None)


cdef object convert_type_as(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """type_as(other)"""
    return (in_dtype(<Tensor>args[0], (<Tensor>args[1]).dtype)
            if n == 2 and kwnames == NULL and is_ordinary(<object>args[0]) and is_ordinary(<object>args[1]) else None)


cdef object stay(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """cpu(memory_format=)"""
    if n != 1 or kwnames != NULL and (len(<tuple>kwnames) != 1 or (<tuple>kwnames)[0] != "memory_format"):
        return None
    return converted(args, n, kwnames, None)


# ------------------------------------------------------------------------------ an array, and other data

cdef bint shareable(ndarray a) noexcept:
    """Can a tensor have this memory, without a warning?"""
    cdef int k
    if not known_num(PyArray_TYPE(a)) or not aligned(a) or not PyArray_ISWRITEABLE(a):
        return False
    if PyArray_IS_C_CONTIGUOUS(a):
        for k in range(PyArray_NDIM(a)):
            if PyArray_STRIDES(a)[k] < 0:               # along a dim of one element
                return False
        return True
    for k in range(PyArray_NDIM(a)):
        if PyArray_STRIDES(a)[k] < 0 or PyArray_STRIDES(a)[k] % PyArray_ITEMSIZE(a):
            return False
    return True


cdef object share(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """from_numpy(array)"""
    if n != 1 or kwnames != NULL or type(<object>args[0]) is not ndarray or not shareable(<ndarray>args[0]):
        return None
    return new_tensor(another(<ndarray>args[0]))


cdef object as_it_is(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """as_tensor(data, dtype), asarray(data): without a copy, where that can be"""
    cdef object data, dtype = None
    if kwnames != NULL and (len(<tuple>kwnames) != 1 or (<tuple>kwnames)[0] != "dtype"):
        return None
    if n == 1:
        data, dtype = <object>args[0], <object>args[1] if kwnames != NULL else None
    elif n == 2 and kwnames == NULL:
        data, dtype = <object>args[0], <object>args[1]
    else:
        return None
    if dtype is not None and not is_dtype(dtype):
        return None
    if is_ordinary(data):
        return data if dtype is None else in_dtype(<Tensor>data, dtype)
    if type(data) is ndarray:
        return share(args, 1, NULL) if dtype is None else None
    return data_as(data, dtype)


cdef object as_it_is_alone(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """asarray(data)"""
    return as_it_is(args, n, kwnames) if n == 1 and kwnames == NULL else None


to = front(convert_to)
type_ = front(convert_type)
type_as = front(convert_type_as)
cpu = front(stay)
from_numpy = front(share)
as_tensor = front(as_it_is)
asarray = front(as_it_is_alone)
