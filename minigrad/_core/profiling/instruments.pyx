"""Instruments that the measured program cannot reach: they count in C, and show none of what they hold.

The judge of homework (minigrad/homework) runs a submission in the interpreter in which it measures.  In Python every
function leads to its globals and every method to its object, so that a counter could be set back.  What is here has no
attributes, no globals and no Python code::

    Sealed(f)           calls f; f cannot be had from it; SealedMethod(f) is one of a class
    Calls(f)            calls f, and counts
    Meter()             what NumPy's ufuncs computed, what memory arrays took, and how often a source has ticked

Note [Ufuncs that are counted]
------------------------------
A ufunc is an object with a pointer of its own to the function that is called for it, `vectorcall`.  Operators between
arrays, functions of NumPy, and whoever calls a ufunc as a callback all go through this pointer, so one function in its
place sees each execution::

    x + y  ---\
    np.add  ---+---> ufunc.vectorcall ---> counted_call ---> NumPy's own
    map(np.add, ..) -/                          |
                                                +---> the elements of the result; a watcher, if there is one

Methods of a ufunc (``np.add.reduce``) and functions that are not ufuncs (``np.einsum``) do not go through it; the
arrays that they make are counted by their memory (allocation_counter.pyx).

What is computed without any of them, in lists by ``map`` or in one large integer, shows in the memory that Python's
objects take: its allocator is counted in the same way while there is a meter.  What ``map`` and its like compute, they
compute when they are asked, so that a tick returns an iterator in their place, which shows each result (`Following`).
"""

cimport cython

from itertools import accumulate, starmap
from types import MethodType

import numpy as np

from minigrad._core.runtime.allocation_counter cimport counting, set_handler
from minigrad._core.runtime.numpy_api cimport PyArray_SIZE, ndarray
from minigrad._core.runtime.python_api cimport PyObject
from minigrad._core.runtime.thread_state cimport state

cdef extern from *:
    """
    #include "runtime/numpy_api.h"
    typedef PyObject *(*mg_vectorcall)(PyObject *, PyObject **, size_t, PyObject *);     /* as Cython writes it */
    static mg_vectorcall mg_vectorcall_of(PyObject *ufunc)
    {
        return (mg_vectorcall)((PyUFuncObject *)ufunc)->vectorcall;
    }
    static void mg_set_vectorcall(PyObject *ufunc, mg_vectorcall function)
    {
        ((PyUFuncObject *)ufunc)->vectorcall = (vectorcallfunc)function;
    }
    static int mg_has_signature(PyObject *ufunc) { return ((PyUFuncObject *)ufunc)->core_enabled; }
    """
    ctypedef PyObject* (*mg_vectorcall)(PyObject*, PyObject**, size_t, PyObject*) noexcept
    mg_vectorcall mg_vectorcall_of(object ufunc)
    void mg_set_vectorcall(object ufunc, mg_vectorcall function)
    bint mg_has_signature(object ufunc)
    Py_ssize_t PyVectorcall_NARGS(size_t nargsf)

cdef extern from "Python.h":
    ctypedef struct PyMemAllocatorEx:
        void* ctx
        void* (*malloc)(void*, size_t) noexcept nogil
        void* (*calloc)(void*, size_t, size_t) noexcept nogil
        void* (*realloc)(void*, void*, size_t) noexcept nogil
        void (*free)(void*, void*) noexcept nogil

    ctypedef enum PyMemAllocatorDomain:
        PYMEM_DOMAIN_MEM
        PYMEM_DOMAIN_OBJ

    void PyMem_GetAllocator(PyMemAllocatorDomain domain, PyMemAllocatorEx* allocator)
    void PyMem_SetAllocator(PyMemAllocatorDomain domain, PyMemAllocatorEx* allocator)


# ------------------------------------------------------------------------------ functions that are out of reach


@cython.auto_pickle(False)
@cython.binding(False)
@cython.final
cdef class Sealed:
    """Calls a function, with any arguments; the function cannot be had from it."""

    cdef object function

    def __cinit__(self, function):
        self.function = function

    def __call__(self, *arguments, **keywords):
        return self.function(*arguments, **keywords)


@cython.auto_pickle(False)
@cython.binding(False)
@cython.final
cdef class SealedMethod:
    """The same, for a function that is a method of a class."""

    cdef object function

    def __cinit__(self, function):
        self.function = function

    def __call__(self, *arguments, **keywords):
        return self.function(*arguments, **keywords)

    def __get__(self, instance, owner):
        return self if instance is None else MethodType(self, instance)


@cython.auto_pickle(False)
@cython.binding(False)
@cython.final
cdef class Calls:
    """A function that counts how often it is called, and at how many different points.

    ``Calls(f).count`` counts calls, and ``.points`` the different first arguments.
    """

    cdef object function
    cdef set seen
    cdef readonly Py_ssize_t count

    def __cinit__(self, function):
        self.function, self.seen, self.count = function, set(), 0

    def __call__(self, *arguments, **keywords):
        self.count += 1
        first = arguments[0] if arguments else None
        value = _data(first)
        self.seen.add(_bytes(value) if isinstance(value, ndarray) else value if isinstance(value, (float, int))
                      else id(first))
        return self.function(*arguments, **keywords)

    @property
    def points(self):
        return len(self.seen)


# What NumPy and tensors do when they are asked, as it was when this file was loaded.
_bytes = np.ndarray.tobytes
cdef object data_of = None


def _data(value):
    """The numbers of a tensor as an array; anything else as it is."""
    return value if data_of is None else data_of(value)


# ------------------------------------------------------------------------------ what has been computed

cdef mg_vectorcall usual_call = NULL       # NumPy's own
cdef list counted_ufuncs = []
cdef long long computed, ticked             # elements of results; turns, calls and operators of a source
cdef long long highest                      # the most bytes of arrays that were held at one of these times
cdef object watcher = None                  # is shown each execution: watcher(ufunc, operands, result)
cdef bint watching = False                  # the watcher runs itself
cdef bint metering = False                  # there is a meter


cdef PyObject* counted_call(PyObject* ufunc, PyObject** operands, size_t n, PyObject* names) noexcept:
    """What is called for a ufunc; see Note [Ufuncs that are counted]."""
    cdef PyObject* result = usual_call(ufunc, operands, n, names)
    if result != NULL:
        try:
            note(<object>ufunc, operands, PyVectorcall_NARGS(n), <object>result)
        except Exception:
            pass
    return result


cdef inline void sample() noexcept:
    global highest
    cdef long long held = state().allocated - state().freed
    if held > highest:
        highest = held


cdef object note(object ufunc, PyObject** operands, Py_ssize_t n, object result):
    global computed
    cdef object first = result[0] if isinstance(result, tuple) else result
    cdef long long elements = PyArray_SIZE(first) if isinstance(first, ndarray) else 1
    if mg_has_signature(ufunc) and n and isinstance(<object>operands[0], ndarray):
        elements *= (<object>operands[0]).shape[-1]         # a product of matrices sums over the last dim of the first
    computed += elements
    sample()
    if watcher is not None and not watching:
        shown(ufunc, tuple([<object>operands[i] for i in range(n)]), result)


cdef object shown(object ufunc, tuple operands, object result):
    global watching
    watching = True
    try:
        watcher(ufunc, operands, result)
    except Exception:                   # of the watcher: the result is right all the same
        pass
    finally:
        watching = False


cdef object ticked_with(object value):
    """Note a result; returns it, or what shows its results in its place."""
    global ticked
    ticked += 1
    sample()
    if watcher is not None and not watching:
        shown(None, (), value)
    return Following(value) if type(value) in (map, starmap, accumulate) else value


@cython.auto_pickle(False)
@cython.binding(False)
@cython.final
cdef class Tick:
    """Called by the source of a submission with the result of each operator and call, which it returns."""

    def __call__(self, value=None):
        return ticked_with(value)


@cython.auto_pickle(False)
@cython.binding(False)
@cython.final
cdef class Following:
    """An iterator whose results are shown as those of a call are."""

    cdef object results

    def __cinit__(self, results):
        self.results = results

    def __iter__(self):
        return self

    def __next__(self):
        return ticked_with(next(self.results))


# Memory of Python's objects: for each domain the allocator that was there.
cdef PyMemAllocatorEx[2] usual_memory
cdef bint counting_objects = False
cdef long long objects = 0                  # bytes that Python's objects have taken


cdef void* counted_malloc(void* ctx, size_t size) noexcept nogil:
    global objects
    objects += size
    return (<PyMemAllocatorEx*>ctx).malloc((<PyMemAllocatorEx*>ctx).ctx, size)


cdef void* counted_calloc(void* ctx, size_t n, size_t size) noexcept nogil:
    global objects
    objects += n * size
    return (<PyMemAllocatorEx*>ctx).calloc((<PyMemAllocatorEx*>ctx).ctx, n, size)


cdef void* counted_realloc(void* ctx, void* memory, size_t size) noexcept nogil:
    global objects
    objects += size
    return (<PyMemAllocatorEx*>ctx).realloc((<PyMemAllocatorEx*>ctx).ctx, memory, size)


cdef void passed_on(void* ctx, void* memory) noexcept nogil:
    (<PyMemAllocatorEx*>ctx).free((<PyMemAllocatorEx*>ctx).ctx, memory)


cdef void count_objects(bint counting):
    """Count what Python's objects take from now on, or no longer."""
    global counting_objects
    cdef PyMemAllocatorEx counted
    cdef int i
    if counting == counting_objects:
        return
    counting_objects = counting
    for i, domain in enumerate((PYMEM_DOMAIN_MEM, PYMEM_DOMAIN_OBJ)):
        if counting:
            PyMem_GetAllocator(domain, &usual_memory[i])
            counted.ctx = &usual_memory[i]
            counted.malloc, counted.calloc = counted_malloc, counted_calloc
            counted.realloc, counted.free = counted_realloc, passed_on
            PyMem_SetAllocator(domain, &counted)
        else:
            PyMem_SetAllocator(domain, &usual_memory[i])


@cython.auto_pickle(False)
@cython.binding(False)
@cython.final
cdef class Shown:
    """Calls a function of numbers, such as ``math.exp``, and shows the call to the watcher as one of a ufunc."""

    cdef object function
    cdef readonly str __name__

    def __cinit__(self, function):
        self.function, self.__name__ = function, function.__name__

    def __call__(self, *arguments, **keywords):
        global computed
        result = self.function(*arguments, **keywords)
        computed += 1
        if watcher is not None and not watching:
            shown(self, arguments, result)
        return result


@cython.auto_pickle(False)
@cython.binding(False)
@cython.final
cdef class Meter:
    """The counts of this process; who has the meter can read them, and say who watches.

    Parameters
    ----------
    ufuncs : iterable of numpy.ufunc
        They are counted from now on.
    data : callable, optional
        ``data(value)`` returns the array of a tensor, and anything else as it is.

    There is one at a time: the class can be found among all classes, but a second meter cannot be had from it.
    """

    cdef object before                      # NumPy's allocator

    def __cinit__(self, ufuncs, data=None):
        global usual_call, data_of, metering
        if metering:
            raise RuntimeError("another meter counts")
        data_of = data
        count_objects(True)
        for ufunc in ufuncs:
            if usual_call == NULL:
                usual_call = mg_vectorcall_of(ufunc)
            if mg_vectorcall_of(ufunc) == usual_call:
                mg_set_vectorcall(ufunc, counted_call)
                counted_ufuncs.append(ufunc)
        self.before = set_handler(counting)
        metering = True

    def close(self):
        """Give NumPy its own functions back, and its allocator."""
        global data_of, watcher, metering
        metering = False
        set_handler(self.before)
        count_objects(False)
        for ufunc in counted_ufuncs:
            mg_set_vectorcall(ufunc, usual_call)
        counted_ufuncs.clear()
        data_of = watcher = None

    def watch(self, function):
        """Show each execution to ``function(ufunc, operands, result)``, and each tick with None as its ufunc."""
        global watcher
        watcher = function

    def read(self):
        """(elements computed, ticks, bytes taken by arrays, bytes given back)."""
        return computed, ticked, state().allocated, state().freed

    def objects(self):
        """Bytes that Python's objects have taken."""
        return objects

    def peak(self):
        """The most bytes of arrays that were held at a tick, or when a ufunc was called, since this was last asked."""
        global highest
        cdef long long most = highest
        highest = state().allocated - state().freed
        return most
