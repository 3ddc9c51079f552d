"""Shadow memory: numbers with more digits beside the numbers of arrays.

For a listener that watches what a program computes (minigrad/autograd/digits): where an array has its shadow, whether
it still has the numbers for which that was made, and how far they are from it.

Note [Shadow memory]
--------------------
Views share memory, and a write through one of them changes all.  So a shadow belongs to the memory and not to a tensor,
and every view finds its part of it at the same place::

    memory (float32)         [ a0 | a1 | a2 | a3 ]         x = a.view(2, 2)       y = a[1:3]
    shadow (float64)         [    A0 |    A1 |    A2 |    A3    ]                      |____ A1, A2

A byte of the memory at address k has its shadow at 2 k (at 4 k beside 16 bits), so a part has the offset and the
strides of the array that shows it, times 2.

A shadow belongs to certain numbers, and they may be overwritten without an operation: by NumPy, from a file, by the
loop in C of an optimizer.  So the numbers for which a shadow was made are kept, and the shadow is believed only where
the memory still has them.  The rest counts as exact, like everything without a shadow; `outside` says how many those
were.

Nobody changes a shadow while somebody else keeps it: it is replaced, or copied before a part of it changes (`lent`).

Functions for whole arrays are for the usual ones, without gaps, of float32 or float64; those that measure
answer None for any other.
"""

import weakref

import numpy as np

from libc.math cimport fabs, fmax
from libc.string cimport memcmp, memcpy
from minigrad._core.graph import wrap
from minigrad._core.graph cimport Tensor
from minigrad._core.kernels.loops.numpy_loops cimport Loop, number, resolve
from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.numpy_api cimport (NPY_DOUBLE, NPY_FLOAT, NPY_USERDEF, PyArray_BASE, PyArray_DATA,
                                               PyArray_DIMS, PyArray_ISCARRAY_RO, PyArray_ISONESEGMENT,
                                               PyArray_ITEMSIZE, PyArray_NBYTES, PyArray_NDIM, PyArray_SIZE,
                                               PyArray_STRIDES, PyArray_TYPE, PyTypeNum_ISCOMPLEX, PyTypeNum_ISFLOAT,
                                               ndarray, npy_intp, ufunc)
from minigrad._core.runtime.python_api cimport PyObject

cdef extern from "profiling/rounding_errors.h" nogil:
    double mg_largest_error_f(const float* low, const double* high, npy_intp n, double so_far) noexcept
    double mg_largest_error_d(const double* low, const double* high, npy_intp n, double so_far) noexcept
    void mg_errors_f(const float* low, const double* high, npy_intp n, npy_intp step, double floor, double* error,
                     double* typical) noexcept
    void mg_errors_d(const double* low, const double* high, npy_intp n, npy_intp step, double floor, double* error,
                     double* typical) noexcept
    void mg_raise(const float*, double*, npy_intp n) noexcept
    npy_intp mg_absorbed_f(const float*, const float*, npy_intp, const float*, npy_intp, npy_intp n, npy_intp) noexcept
    npy_intp mg_absorbed_d(const double*, const double*, npy_intp, const double*, npy_intp, npy_intp n,
                           npy_intp) noexcept


# ------------------------------------------------------------------------------ whole arrays

cdef bint is_usual(ndarray a) noexcept:
    return (PyArray_TYPE(a) == NPY_FLOAT or PyArray_TYPE(a) == NPY_DOUBLE) and PyArray_ISCARRAY_RO(a)


cpdef bint is_inexact(ndarray array):
    """Does it hold floating-point numbers, real or complex, or those of ml_dtypes?"""
    cdef int num = PyArray_TYPE(array)
    return PyTypeNum_ISFLOAT(num) or PyTypeNum_ISCOMPLEX(num) or (num >= NPY_USERDEF and
                                                                  array.dtype.name == "bfloat16")


cpdef ndarray owner_of(ndarray array):
    """The array to which the memory belongs."""
    cdef PyObject* base = PyArray_BASE(array)
    while base != NULL and isinstance(<object>base, ndarray):
        array = <ndarray>base
        base = PyArray_BASE(array)
    return array


def address(ndarray array not None):
    """Where its first element is."""
    return <size_t>PyArray_DATA(array)


cdef ndarray raised(ndarray array):
    """The numbers of an array of float32, in float64."""
    cdef ndarray out = new_array(PyArray_NDIM(array), PyArray_DIMS(array), NPY_DOUBLE)
    mg_raise(<float*>PyArray_DATA(array), <double*>PyArray_DATA(out), PyArray_SIZE(array))
    return out


def in_double(ndarray array not None, bint now):
    """A tensor of an array with its floating-point numbers in float64.

    Those of float32 stay as they are if they need not be raised ``now``.
    """
    cdef ndarray out = array
    if PyArray_TYPE(array) == NPY_FLOAT and PyArray_ISCARRAY_RO(array):
        out = raised(array) if now else array
    elif PyArray_TYPE(array) != NPY_DOUBLE and is_inexact(array):
        out = array.astype(np.complex128 if PyTypeNum_ISCOMPLEX(PyArray_TYPE(array)) else np.float64, copy=False)
    return wrap(out, False)


def all_in_double(args):
    """The arguments of a row, all tensors among them raised."""
    return [in_double((<Tensor>x).payload, True) if isinstance(x, Tensor) else
            all_in_double(x) if isinstance(x, list) else x for x in args]


cdef ndarray copy_of(ndarray array):
    """The same numbers, one row after the other."""
    cdef ndarray out
    if not PyArray_ISCARRAY_RO(array) or PyArray_TYPE(array) >= NPY_USERDEF:
        return array.copy()
    out = new_array(PyArray_NDIM(array), PyArray_DIMS(array), PyArray_TYPE(array))
    memcpy(PyArray_DATA(out), PyArray_DATA(array), PyArray_NBYTES(array))
    return out


cpdef bint same_bits(ndarray a, ndarray b) noexcept:
    """Do they have the same numbers?  No may also mean that they must be compared in another way."""
    cdef int k
    if (PyArray_TYPE(a) != PyArray_TYPE(b) or PyArray_NDIM(a) != PyArray_NDIM(b) or not PyArray_ISONESEGMENT(a) or
            not PyArray_ISONESEGMENT(b)):
        return False
    for k in range(PyArray_NDIM(a)):
        if PyArray_DIMS(a)[k] != PyArray_DIMS(b)[k] or PyArray_STRIDES(a)[k] != PyArray_STRIDES(b)[k]:
            return False
    return memcmp(PyArray_DATA(a), PyArray_DATA(b), PyArray_NBYTES(a)) == 0


cdef bint same_layout(ndarray a, ndarray b) noexcept:
    """Are both without gaps, and of the same shape?"""
    cdef int k
    if PyArray_NDIM(a) != PyArray_NDIM(b) or not PyArray_ISCARRAY_RO(a) or not PyArray_ISCARRAY_RO(b):
        return False
    for k in range(PyArray_NDIM(a)):
        if PyArray_DIMS(a)[k] != PyArray_DIMS(b)[k]:
            return False
    return True


def largest_error(ndarray low not None, ndarray high not None):
    """The largest relative error of ``low``: ``high`` has what its numbers should be."""
    cdef npy_intp n = PyArray_SIZE(low)
    if not is_usual(low) or not is_usual(high) or PyArray_TYPE(high) != NPY_DOUBLE or n != PyArray_SIZE(high):
        return None
    if PyArray_TYPE(low) == NPY_FLOAT:
        return mg_largest_error_f(<float*>PyArray_DATA(low), <double*>PyArray_DATA(high), n, 0)
    return mg_largest_error_d(<double*>PyArray_DATA(low), <double*>PyArray_DATA(high), n, 0)


def jumps(ndarray a not None, ndarray b not None, double most):
    """Do two numbers, in the same place, differ by more than this part of the larger one?"""
    cdef npy_intp i, n = PyArray_SIZE(a)
    cdef double* x = <double*>PyArray_DATA(a)
    cdef double* y = <double*>PyArray_DATA(b)
    cdef bint found = False
    if PyArray_TYPE(a) != NPY_DOUBLE or PyArray_TYPE(b) != NPY_DOUBLE or not same_layout(a, b):
        return None
    for i in range(n):
        found |= fabs(x[i] - y[i]) > most * fmax(fabs(x[i]), fabs(y[i]))
    return bool(found)


def sample_of_errors(ndarray low not None, ndarray high not None, npy_intp samples, double floor):
    """(the relative errors of at most this many numbers, the same for `typical`): see measuring.py."""
    cdef npy_intp n = PyArray_SIZE(low), step = max(1, (n + samples - 1) // max(samples, 1))
    cdef npy_intp many = (n + step - 1) // step
    cdef ndarray error, typical
    if not is_usual(low) or not is_usual(high) or PyArray_TYPE(high) != NPY_DOUBLE or n != PyArray_SIZE(high):
        return None
    error, typical = new_array(1, &many, NPY_DOUBLE), new_array(1, &many, NPY_DOUBLE)
    if PyArray_TYPE(low) == NPY_FLOAT:
        mg_errors_f(<float*>PyArray_DATA(low), <double*>PyArray_DATA(high), n, step, floor,
                    <double*>PyArray_DATA(error), <double*>PyArray_DATA(typical))
    else:
        mg_errors_d(<double*>PyArray_DATA(low), <double*>PyArray_DATA(high), n, step, floor,
                    <double*>PyArray_DATA(error), <double*>PyArray_DATA(typical))
    return error, typical


def absorbed_part(ndarray total not None, a, b, npy_intp samples):
    """Of the sums ``a + b``, the part in which one of the terms, which is not 0, was not felt.

    The terms are arrays of the same dtype, or numbers.  About this many ``samples`` are looked at.
    """
    cdef npy_intp n = PyArray_SIZE(total), step = max(1, n // max(samples, 1)), found
    cdef double first = 0, second = 0
    cdef float single_first, single_second
    cdef void* p
    cdef void* q
    if not is_usual(total) or not is_term(a, total, &first, &p) or not is_term(b, total, &second, &q):
        return None
    if PyArray_TYPE(total) == NPY_FLOAT:
        single_first, single_second = <float>first, <float>second
        found = mg_absorbed_f(<float*>PyArray_DATA(total), &single_first if p == NULL else <float*>p, p != NULL,
                              &single_second if q == NULL else <float*>q, q != NULL, n, step)
    else:
        found = mg_absorbed_d(<double*>PyArray_DATA(total), &first if p == NULL else <double*>p, p != NULL,
                              &second if q == NULL else <double*>q, q != NULL, n, step)
    return found / <double>max((n + step - 1) // step, 1)


# ------------------------------------------------------------------------------ elementwise, in one pass

cdef enum:
    BLOCK = 512                # numbers that are raised, computed with and measured while they are in the cache
    OPERANDS = 2

cdef class Found:
    """The inner loop of a ufunc for float64."""
    cdef Loop loop

_found = {}


def computed(ufunc u not None, list args not None, ndarray low):
    """(``u(*args)`` in float64; the largest relative error of ``low`` beside that, if it is an array).

    The arguments are arrays of float32 and float64, or numbers.  None if this is no such case.
    """
    cdef Found found = _found.get(u)
    cdef Loop* loop
    cdef ndarray a, like = None, out
    cdef char* p[OPERANDS]          # where operands begin
    cdef bint single[OPERANDS]
    cdef double numbers[OPERANDS]
    cdef npy_intp step[OPERANDS]
    cdef int j, n = u.nin
    cdef double worst
    if n > OPERANDS or u.nargs != n + 1 or len(args) != n:
        return None
    for j in range(n):
        x = args[j]
        single[j], step[j], p[j] = False, 0, <char*>&numbers[j]
        if type(x) is ndarray and PyArray_NDIM(<ndarray>x):
            a = x
            if not is_usual(a) or like is not None and not same_layout(a, like):
                return None
            like, step[j], p[j] = a, PyArray_ITEMSIZE(a), <char*>PyArray_DATA(a)
            single[j] = PyArray_TYPE(a) == NPY_FLOAT
        elif type(x) is ndarray and is_usual(<ndarray>x):
            numbers[j] = x
        elif not number(x, &numbers[j]):
            return None
    if like is None or low is not None and (PyArray_TYPE(low) != NPY_FLOAT or not same_layout(low, like)):
        return None
    if found is None:
        found = Found.__new__(Found)
        resolve(&found.loop, u)
        _found[u] = found
    if found.loop.f[1] == NULL:
        return None
    loop = &found.loop
    out = new_array(PyArray_NDIM(like), PyArray_DIMS(like), NPY_DOUBLE)
    with nogil:
        worst = in_blocks(loop, n, p, single, step, <double*>PyArray_DATA(out), PyArray_SIZE(out),
                          NULL if low is None else <float*>PyArray_DATA(low))
    return out, worst


cdef double in_blocks(Loop* loop, int n, char** p, bint* single, npy_intp* step, double* out, npy_intp size,
                      float* low) noexcept nogil:
    cdef double blocks[OPERANDS][BLOCK]
    cdef char* q[OPERANDS + 1]
    cdef npy_intp strides[OPERANDS + 1]
    cdef npy_intp start = 0, many
    cdef double worst = 0
    cdef int j
    while start < size:
        many = min(size - start, <npy_intp>BLOCK)
        for j in range(n):
            q[j], strides[j] = p[j] + start * step[j], step[j]
            if single[j]:
                mg_raise(<float*>q[j], blocks[j], many)
                q[j], strides[j] = <char*>blocks[j], sizeof(double)
        q[n], strides[n] = <char*>(out + start), sizeof(double)
        loop.f[1](q, &many, strides, loop.data[1])
        if low != NULL:
            worst = mg_largest_error_f(low + start, out + start, many, worst)
        start += many
    return worst


cdef bint is_term(object x, ndarray total, double* value, void** numbers):
    """Is it a number, or an array like the total?"""
    cdef ndarray a
    numbers[0] = NULL
    if not isinstance(x, ndarray):
        return number(x, value)
    a = <ndarray>x
    numbers[0] = PyArray_DATA(a)
    return PyArray_TYPE(a) == PyArray_TYPE(total) and same_layout(a, total)


# ------------------------------------------------------------------------------ memory

cdef class Memory:
    """One piece of memory: its shadow, and the numbers for which it was made."""
    cdef size_t at
    cdef int unit, scale                # bytes of a real number; and how many times as many its shadow has
    cdef ndarray known, high            # arrays like the owner, or bytes
    cdef object wide                    # the dtype of the shadow
    cdef bint lent                      # is the shadow kept elsewhere too?
    cdef readonly object record         # what wrote there last
    cdef readonly bint unknown          # was that something without a way in higher precision?

    cpdef bint fits(self, ndarray array):
        """May the elements of this array have their shadows here?"""
        return self.wide is None or unit_of(array) == self.unit

    cdef int fill(self, ndarray owner) except -1:
        """Room for a shadow: until something is written, the numbers as they are."""
        self.known = np.zeros(owner.nbytes, np.uint8)
        self.high = np.zeros(owner.nbytes * self.scale, np.uint8)
        if is_inexact(owner) and unit_of(owner) == self.unit:
            known, high = self.parts(owner)
            known[...], high[...] = owner, owner
        return 0

    cdef int to_change(self) except -1:
        if self.lent:
            self.high, self.lent = self.high.copy(), False
        return 0

    cdef bint is_whole(self, ndarray array) noexcept:
        """Does the array show all of it, in the same order?"""
        return PyArray_TYPE(self.known) == PyArray_TYPE(array) and same_layout(self.known, array)

    cpdef tuple parts(self, ndarray array):
        """(what the memory had, the shadow) for the elements that the array shows."""
        if self.is_whole(array):
            return self.known, self.high
        at = <size_t>PyArray_DATA(array) - self.at
        strides = [step * self.scale for step in array.strides]
        wide = np.result_type(self.wide, np.complex64) if array.dtype.kind == "c" else self.wide
        return (ndarray(array.shape, array.dtype, self.known, at, array.strides),
                ndarray(array.shape, wide, self.high, at * self.scale, strides))


cdef int unit_of(ndarray array) noexcept:
    """How many bytes has a real number?"""
    return <int>PyArray_ITEMSIZE(array) >> PyTypeNum_ISCOMPLEX(PyArray_TYPE(array))


class Reference(weakref.ref):
    """Of an owner, and what is known of its memory."""
    __slots__ = "key", "memory"


cdef class Operand:
    """A tensor among the arguments: its numbers, their shadow (None if they are exact), and who made them."""
    cdef public ndarray array, high
    cdef public object record
    cdef public bint unknown

    def __init__(self, ndarray array, ndarray high, record, bint unknown):
        self.array, self.high, self.record, self.unknown = array, high, record, unknown


class NotOurs(Exception):
    """A tensor of a transform, whose operations are seen one level down; or one without numbers."""


cdef class Shadows:
    """The shadows of all memory that has some.  ``wider(dtype)`` says what dtype they have; None if there is none."""
    cdef readonly dict memories         # id of the owner -> a Reference to it
    cdef readonly long long outside     # how many numbers were written by others
    cdef object wider, when_gone

    def __init__(self, wider):
        self.memories, self.wider = {}, wider
        self.when_gone = self.gone

    def gone(self, reference):
        """The owner has died, and its shadow with it."""
        if self.memories.get(reference.key) is reference:
            del self.memories[reference.key]

    cpdef Memory of(self, ndarray array):
        """The Memory of an array, or None."""
        cdef ndarray owner = owner_of(array)
        found = self.memories.get(<size_t><PyObject*>owner)
        return None if found is None else found.memory

    cpdef Operand read(self, ndarray array):
        """An array as an Operand: its shadow, where that can be believed."""
        cdef Operand x = Operand.__new__(Operand)
        cdef Memory memory = self.of(array) if is_inexact(array) and PyArray_SIZE(array) else None
        x.array = array
        if memory is None:
            return x
        x.record = memory.record
        if memory.unknown or not memory.fits(array):
            x.unknown = True
        elif memory.is_whole(array):
            x.high = memory.high if same_bits(memory.known, array) else self.corrected(memory, array)
        else:
            x.high = self.corrected(memory, array)
        if not x.unknown:
            x.record = memory.record
        return x

    cdef ndarray corrected(self, Memory memory, ndarray array):
        """The shadow, after numbers may have been written by others: these are exact."""
        known, high = memory.parts(array)
        if not same_bits(known, array):
            with np.errstate(invalid="ignore"):
                others = (known != array) & ((known == known) | (array == array))
            n = np.count_nonzero(others)
            if n:
                memory.to_change()
                known, high = memory.parts(array)
                self.outside += n
                high[others] = array[others]
                known[others] = array[others]
                if n == array.size:
                    memory.record = None
        return high

    def operand(self, x):
        """An argument: a tensor as an Operand, a list of them as a list, anything else as it is."""
        if isinstance(x, Tensor):
            x = (<Tensor>x).payload
            if type(x) is not ndarray:
                raise NotOurs
        if type(x) is ndarray:
            return self.read(x)
        if type(x) is list or type(x) is tuple and x and isinstance(x[0], (Tensor, ndarray)):
            return [self.operand(y) for y in x]
        return x

    def operands(self, arguments):
        """All arguments of a call."""
        return [self.operand(x) for x in arguments]

    def lend(self, ndarray array not None):
        """The shadow of this array is kept elsewhere too."""
        cdef Memory memory = self.of(array)
        if memory is not None:
            memory.lent = True

    def before(self, ndarray array not None, ndarray values not None):
        """The shadow that an array had when it held these values, or None."""
        cdef Memory memory = self.of(array)
        if memory is None or memory.unknown or not memory.fits(array):
            return None
        known, high = memory.parts(array)
        return high if same_bits(known, values) or np.array_equal(known, values, equal_nan=True) else None

    def write(self, ndarray array not None, ndarray high, record):
        """From now on the elements of the array have this shadow, as long as they are what they are; None: unknown.

        The array ``high`` may become the shadow itself: nobody may change it afterwards.
        """
        cdef ndarray owner = owner_of(array)
        cdef Memory memory = self.of(owner)
        wide = self.wider(array.dtype)
        cdef bint whole = False
        if (high is not None and PyArray_DATA(array) == PyArray_DATA(owner) and PyArray_NBYTES(array) ==
                PyArray_NBYTES(owner) and PyArray_ISONESEGMENT(array) and high.dtype is wide):
            if not PyArray_ISCARRAY_RO(array):
                array, high = array.T, high.T
            if PyArray_BASE(high) != NULL or not PyArray_ISCARRAY_RO(high):
                high = copy_of(high)
            whole = same_layout(array, high)
        if memory is None or not memory.fits(array):
            memory = self.room(owner, array, wide)
        memory.record = record
        memory.unknown = high is None or memory.unknown and PyArray_SIZE(array) != PyArray_SIZE(owner)
        if whole:
            if memory.known is not None and memory.is_whole(array):
                memcpy(PyArray_DATA(memory.known), PyArray_DATA(array), PyArray_NBYTES(array))
            else:
                memory.known = copy_of(array)
            memory.high, memory.lent = high, True
        elif not memory.unknown:
            if memory.known is None:
                memory.fill(owner)
            memory.to_change()
            known, shadow = memory.parts(array)
            known[...] = array
            shadow[...] = high

    cdef Memory room(self, ndarray owner, ndarray like, object wide):
        """A new Memory; without a dtype for its shadow it will be unknown."""
        cdef Memory memory = Memory.__new__(Memory)
        memory.at, memory.unit = <size_t>PyArray_DATA(owner), unit_of(like)
        if wide is not None:
            memory.wide = wide if wide.kind != "c" else np.empty(0, wide).real.dtype
            memory.scale = memory.wide.itemsize // memory.unit
        reference = Reference(owner, self.when_gone)
        reference.key, reference.memory = <size_t><PyObject*>owner, memory
        self.memories[reference.key] = reference
        return memory

    def alive(self):
        """The Memories that are still in use."""
        return [reference.memory for reference in [*self.memories.values()] if reference() is not None]


# ------------------------------------------------------------------------------ operands together

def flat(operands):
    """The Operands of a call, those in lists too."""
    cdef list found = []
    gather(operands, found)
    return found


def arrays_of(out):
    """The arrays of what a row returns; None for what is not a tensor of numbers."""
    return [array_in(y) for y in out] if isinstance(out, (tuple, list)) else [array_in(out)]


cdef object array_in(object x):
    if isinstance(x, Tensor):
        x = (<Tensor>x).payload
    return x if type(x) is ndarray else None


def makers(operands):
    """What a Record says of the arguments: who made them; numbers; None."""
    return [(<Operand>x).record if isinstance(x, Operand) else makers(x) if isinstance(x, list) else
            x if type(x) is int or isinstance(x, float) else None for x in operands]


cdef int gather(object operands, list found) except -1:
    for x in operands:
        if isinstance(x, Operand):
            found.append(x)
        elif isinstance(x, list):
            gather(x, found)
    return 0


def any_moved(list operands not None):
    """Has one of them a shadow that is another number?"""
    for x in operands:
        if (<Operand?>x).high is not None:
            return True
    return False


def any_unknown(list operands not None):
    for x in operands:
        if (<Operand?>x).unknown:
            return True
    return False


def widest(operands, arrays):
    """How many bytes a real number has in the widest of these, of those that are inexact; 0 if none is."""
    cdef int most = 0
    cdef ndarray a
    for x in operands:
        a = (<Operand?>x).array
        if is_inexact(a):
            most = max(most, unit_of(a))
    for x in arrays:
        if x is not None:
            a = x
            if is_inexact(a):
                most = max(most, unit_of(a))
    return most
