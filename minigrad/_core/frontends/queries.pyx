"""What a program asks of a tensor: how many elements, which strides, the one number in it.

Programs ask in every step of a loop, ``loss.item()`` and ``x.size(0)``, and an answer takes a few instructions.  The
functions that know every answer, and every error, are in Python (_tensor.py, tensors/to_python.py).  They are made
Questions::

    @partial(Question, answer=asking.numel)
    def numel(input): ...

    x.numel()   ->  count(array of x)       in C, where x is an ordinary tensor: its payload is an array
                ->  numel(x)                in a transform; with other arguments; where the answer is None

Note [Numbers that leave]
-------------------------
With a number the program computes without tensors, and decides: ``if loss.item() < best``.  Two may want to know of
that: a warning, for the first float that is taken out of a graph, and a listener that watches the numbers.  So an
answer that is a number has a flag, `attended`, for both of them.  It is down while neither wants to know, and to ask
for it costs what it cost to ask for the warning.
"""

cimport cython
from libc.string cimport memcmp

from minigrad._core.dispatch.front_end cimport Wrapping, front
from minigrad._core.dispatch.torch_function cimport overridden, unusual
from minigrad._core.errors import warn
from minigrad._core.graph cimport Tensor, needs_grad
from minigrad._core.graph.listener cimport Listener
from minigrad._core.graph.type_objects cimport declare_vectorcall
from minigrad._core.kernels.shapes.strided_views cimport another
from minigrad._core.runtime.numpy_api cimport (NPY_DOUBLE, NPY_FLOAT, NPY_USERDEF, PyArray_BASE, PyArray_DATA,
                                               PyArray_DIMS, PyArray_GETITEM, PyArray_ISCARRAY_RO,
                                               PyArray_IS_C_CONTIGUOUS, PyArray_ITEMSIZE, PyArray_NDIM, PyArray_SIZE,
                                               PyArray_STRIDES, PyArray_TYPE, PyTypeNum_ISBOOL, PyTypeNum_ISCOMPLEX,
                                               PyTypeNum_ISFLOAT, PyTypeNum_ISINTEGER, ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport (PyComplex_CheckExact, PyComplex_FromDoubles, PyFloat_AS_DOUBLE,
                                                PyFloat_CheckExact, PyLong_AsLongLongAndOverflow, PyLong_Check,
                                                PyLong_CheckExact, PyObject, PyObject_Vectorcall, PyTuple_New,
                                                PyTuple_SET_ITEM, PyVectorcall_NARGS, Py_DECREF, Py_INCREF)
from minigrad._core.runtime.thread_state cimport State, state

cdef extern from "Python.h":
    object PyNumber_Float(object)
    object PyNumber_Long(object)


# ------------------------------------------------------------------------------ questions

# Of an array, and where a question `takes_dim`, the argument after it, or NULL; None where Python must answer.
ctypedef object (*answer_t)(ndarray a, PyObject* dim)


cdef class Answer:
    """How a Question is answered in C."""
    cdef answer_t of
    cdef bint takes_dim
    cdef bint leaves_graph              # a float, of which there is a warning if it is taken out of a graph
    cdef bint attended                  # Note [Numbers that leave]
    cdef bint unrecorded                # Python must answer, or refuse to, for a tensor that requires grad


cdef Answer answer(answer_t of, bint takes_dim=False):
    cdef Answer it = Answer.__new__(Answer)
    it.of = of
    it.takes_dim = takes_dim
    return it


cdef list numbers = []                  # the answers that are numbers


cdef Answer number(answer_t of, bint leaves_graph=False):
    cdef Answer it = answer(of)
    it.leaves_graph = it.attended = leaves_graph
    numbers.append(it)
    return it


cdef Answer memory(answer_t of):
    cdef Answer it = answer(of)
    it.unrecorded = True
    return it


cdef bint warned = False
cdef int watchers = 0                   # how many threads have a listener that watches


def watch_numbers(int more):
    """As many threads ``more`` have a listener that is told of the numbers that leave their tensors."""
    global watchers
    cdef Answer it
    watchers += more
    for it in numbers:
        it.attended = watchers or it.leaves_graph and not warned


def warn_of_a_number(Tensor self not None):
    """Warn of the first number that is taken out of a graph, and of no other, as PyTorch does."""
    global warned
    # Of more than one number it is an error, which needs no warning.
    if not warned and needs_grad(self) and not state().grad_off and self.numel() == 1:
        warned = True
        watch_numbers(0)
        warn("Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\nConsider using "
             "tensor.detach() first. (What is computed from the number has no gradient.)")


@cython.binding(False)
@cython.embedsignature(True)
cdef class Question(Wrapping):
    """A function that asks something of its first argument: answered in C first, where that is an ordinary tensor."""
    cdef Answer answer

    def __init__(self, function, Answer answer not None):
        self.answer = answer
        self.wrap(function, <void*>ask)


cdef PyObject* ask(PyObject* self, PyObject** args, size_t nargsf, PyObject* kwnames) except NULL:
    cdef Question question = <Question>self
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf)
    cdef object answer
    if unusual(args, n, kwnames):
        answer = overridden(question, args, n, kwnames)
        if answer is not NotImplemented:
            Py_INCREF(answer)
            return <PyObject*>answer
    if (question.answer.attended and n and isinstance(<object>args[0], Tensor)
            and (watchers or (<Tensor>args[0]).requires_grad_)):
        answer = attend(question, args, nargsf, kwnames)
        if answer is not NotImplemented:
            Py_INCREF(answer)
            return <PyObject*>answer
    if (kwnames == NULL and (n == 1 or n == 2 and question.answer.takes_dim) and isinstance(<object>args[0], Tensor)
            and type((<Tensor>args[0]).payload) is ndarray
            and not (question.answer.unrecorded and needs_grad(<Tensor>args[0]))):
        answer = question.answer.of(<ndarray>(<Tensor>args[0]).payload, args[1] if n == 2 else NULL)
        if answer is not None:
            Py_INCREF(answer)
            return <PyObject*>answer
    return PyObject_Vectorcall(<PyObject*>question.__wrapped__, args, nargsf, kwnames)


cdef object attend(Question question, PyObject** args, size_t nargsf, PyObject* kwnames):
    """Note [Numbers that leave]: what a listener makes of the number; NotImplemented where there is none."""
    cdef State* st = state()
    cdef PyObject* out
    cdef object number
    if question.answer.leaves_graph and not warned and (<Tensor>args[0]).requires_grad_:
        warn_of_a_number(<Tensor>args[0])
    if st.listener == NULL:
        return NotImplemented
    out = PyObject_Vectorcall(<PyObject*>question.__wrapped__, args, nargsf, kwnames)
    number = <object>out
    Py_DECREF(number)
    return (<Listener>st.listener).taken(<object>args[0], question.__wrapped__.__name__, number)


cdef Question a_question = Question.__new__(Question)
declare_vectorcall(<PyObject*>Question, <char*>&a_question.vectorcall - <char*><PyObject*>a_question)


# ------------------------------------------------------------------------------ its shape, and where it lies

cdef int axis_of(ndarray a, PyObject* dim) except -2:
    """Which axis `dim` is; -1 if it is none, or not a plain int."""
    cdef long long axis
    cdef int overflow = 0
    if not PyLong_CheckExact(<object>dim):
        return -1
    axis = PyLong_AsLongLongAndOverflow(<object>dim, &overflow)
    if overflow or not -PyArray_NDIM(a) <= axis < PyArray_NDIM(a):
        return -1
    return <int>(axis + PyArray_NDIM(a) if axis < 0 else axis)


cdef object count_dims(ndarray a, PyObject* dim):
    return PyArray_NDIM(a)


cdef object count(ndarray a, PyObject* dim):
    return PyArray_SIZE(a)


cdef object size_along(ndarray a, PyObject* dim):
    if dim == NULL:
        return None                     # the whole shape, a Size
    cdef int axis = axis_of(a, dim)
    return None if axis < 0 else PyArray_DIMS(a)[axis]


cdef object stride_along(ndarray a, PyObject* dim):
    cdef int axis
    cdef npy_intp itemsize = PyArray_ITEMSIZE(a)
    cdef object step
    cdef tuple strides
    if PyArray_SIZE(a) == 0:            # NumPy has other strides than PyTorch there
        return None
    if dim == NULL:
        strides = PyTuple_New(PyArray_NDIM(a))
        for axis in range(PyArray_NDIM(a)):
            step = PyArray_STRIDES(a)[axis] // itemsize
            Py_INCREF(step)
            PyTuple_SET_ITEM(strides, axis, step)
        return strides
    axis = axis_of(a, dim)
    return None if axis < 0 else PyArray_STRIDES(a)[axis] // itemsize


cdef object lies_by_rows(ndarray a, PyObject* dim):
    return bool(PyArray_IS_C_CONTIGUOUS(a))


cdef object offset_of(ndarray a, PyObject* dim):
    cdef PyObject* owner = <PyObject*>a
    cdef PyObject* base = PyArray_BASE(a)
    while base != NULL and isinstance(<object>base, ndarray):
        owner = base
        base = PyArray_BASE(<ndarray>owner)
    return (<char*>PyArray_DATA(a) - <char*>PyArray_DATA(<ndarray>owner)) // PyArray_ITEMSIZE(a)


cdef object address_of(ndarray a, PyObject* dim):
    return <size_t>PyArray_DATA(a)


cdef object bytes_of_each(ndarray a, PyObject* dim):
    return PyArray_ITEMSIZE(a)


cdef object has_floats(ndarray a, PyObject* dim):
    return None if PyArray_TYPE(a) >= NPY_USERDEF else bool(PyTypeNum_ISFLOAT(PyArray_TYPE(a)))


cdef object has_complex(ndarray a, PyObject* dim):
    return None if PyArray_TYPE(a) >= NPY_USERDEF else bool(PyTypeNum_ISCOMPLEX(PyArray_TYPE(a)))


dim = answer(count_dims)
numel = answer(count)
size = answer(size_along, takes_dim=True)
stride = answer(stride_along, takes_dim=True)
is_contiguous = answer(lies_by_rows)
storage_offset = answer(offset_of)
data_ptr = answer(address_of)
element_size = answer(bytes_of_each)
is_floating_point = answer(has_floats)
is_complex = answer(has_complex)


# ------------------------------------------------------------------------------ its one number

cdef object the_number(ndarray a, PyObject* dim):
    """As a number of Python: what NumPy's item() gives, too."""
    return PyArray_GETITEM(a, PyArray_DATA(a)) if PyArray_SIZE(a) == 1 else None


cdef object as_bool(ndarray a, PyObject* dim):
    return bool(PyArray_GETITEM(a, PyArray_DATA(a))) if PyArray_SIZE(a) == 1 else None


cdef object as_int(ndarray a, PyObject* dim):
    number = the_number(a, dim)
    return PyNumber_Long(number) if PyLong_Check(number) or PyFloat_CheckExact(number) else None


cdef object as_float(ndarray a, PyObject* dim):
    number = the_number(a, dim)
    return PyNumber_Float(number) if PyLong_Check(number) or PyFloat_CheckExact(number) else None


cdef object as_complex(ndarray a, PyObject* dim):
    number = the_number(a, dim)
    if PyFloat_CheckExact(number):
        return PyComplex_FromDoubles(PyFloat_AS_DOUBLE(number), 0)
    return number if PyComplex_CheckExact(number) else None


cdef object as_index(ndarray a, PyObject* dim):
    number = the_number(a, dim)
    return PyNumber_Long(number) if PyLong_Check(number) else None


cdef object as_lists(ndarray a, PyObject* dim):
    return a.tolist()


item = number(the_number)
bool_ = number(as_bool)
int_ = number(as_int)
float_ = number(as_float, leaves_graph=True)
complex_ = number(as_complex, leaves_graph=True)
index = number(as_index)
tolist = number(as_lists)


cdef object the_memory(ndarray a, PyObject* dim):
    return another(a)


numpy = memory(the_memory)


# ------------------------------------------------------------------------------ all its numbers

ctypedef fused floating:
    float
    double

cdef enum:
    BLOCK = 1024                # of numbers compared before it is asked whether all were equal


cdef object compare(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """Are two tensors equal?  Of one dtype, and both contiguous; None for others."""
    cdef ndarray a, b
    cdef int axis
    if kwnames != NULL or n != 2 or not (isinstance(<object>args[0], Tensor) and isinstance(<object>args[1], Tensor)):
        return None
    if type((<Tensor>args[0]).payload) is not ndarray or type((<Tensor>args[1]).payload) is not ndarray:
        return None
    a, b = (<Tensor>args[0]).payload, (<Tensor>args[1]).payload
    if PyArray_TYPE(a) != PyArray_TYPE(b) or not (PyArray_ISCARRAY_RO(a) and PyArray_ISCARRAY_RO(b)):
        return None
    if PyArray_NDIM(a) != PyArray_NDIM(b):
        return False
    for axis in range(PyArray_NDIM(a)):
        if PyArray_DIMS(a)[axis] != PyArray_DIMS(b)[axis]:
            return False
    if PyTypeNum_ISINTEGER(PyArray_TYPE(a)) or PyTypeNum_ISBOOL(PyArray_TYPE(a)):
        return (PyArray_DATA(a) == PyArray_DATA(b)          # each number equals itself
                or memcmp(PyArray_DATA(a), PyArray_DATA(b), PyArray_SIZE(a) * PyArray_ITEMSIZE(a)) == 0)
    if PyArray_TYPE(a) == NPY_FLOAT:
        return same(<float*>PyArray_DATA(a), <float*>PyArray_DATA(b), PyArray_SIZE(a))
    if PyArray_TYPE(a) == NPY_DOUBLE:
        return same(<double*>PyArray_DATA(a), <double*>PyArray_DATA(b), PyArray_SIZE(a))
    return None


cdef bint same(const floating* a, const floating* b, npy_intp n) noexcept:
    """Are these numbers equal?  That nan differs from itself, and 0.0 not from -0.0, forbids to compare bytes."""
    cdef npy_intp i, start = 0, end
    cdef int differ = 0
    while start < n and not differ:
        end = min(start + BLOCK, n)
        for i in range(start, end):
            differ |= a[i] != b[i]
        start = end
    return not differ


equal = front(compare)
