"""Fourier transforms along dims of an array, by the inner loops of NumPy's ufuncs, which are M. Reinecke's pocketfft.

A transform over several dims is one *pass* after the other.  A pass takes the array as lines along its axis, each of
which is transformed by itself, from one array into another or in its place::

    shape (2, 4, 3), axis 1         2 x 3 lines of 4 numbers; the 3 go to the loop as one run

Threads take turns at lines.  The three kinds of pass, and what their transposes are, is told in ops/fourier/pairs.py,
whose rows these are the kernels of.

Note [Errors of helpers]
------------------------
The loops need memory of their own.  Where there is none they raise, although they run without the GIL: NumPy takes it,
sets the error of the thread, and the caller finds it when the loop has returned.  A helper (thread_pool.pyx) is unknown
to Python.  NumPy would make it a state for just this moment, and the error would be gone with it, and the lines of the
helper be wrong, silently.  So a helper has a state of its own while it works here, in which it looks for an error.

Python 3.11 crashes if it gets no memory for a state.  So the helper first asks for as much, and gives it back.
"""

from libc.math cimport sqrt
from minigrad._core.kernels.loops.copies cimport new_copy
from minigrad._core.kernels.loops.numpy_loops cimport Loop, aligned
from minigrad._core.kernels.loops.real cimport real
from minigrad._core.kernels.shapes.strided_views cimport MAX_DIMS, as_int, as_ints
from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.numpy_api cimport (NPY_CDOUBLE, NPY_CFLOAT, NPY_CORDER, NPY_DOUBLE, NPY_FLOAT, PyArray_DATA,
                                               PyArray_DIMS, PyArray_ITEMSIZE, PyArray_NDIM, PyArray_SIZE,
                                               PyArray_STRIDES, PyArray_TYPE, PyUFuncGenericFunction, ndarray, npy_intp,
                                               ufunc)
from minigrad._core.runtime.python_api cimport (PyErr_Occurred, PyEval_RestoreThread, PyGILState_GetThisThreadState,
                                                PyInterpreterState, PyInterpreterState_Get, PyMem_RawFree,
                                                PyMem_RawMalloc, PyObject, PyThreadState, PyThreadState_Clear,
                                                PyThreadState_DeleteCurrent, PyThreadState_New, error_of_thread)
from minigrad._core.runtime.thread_pool cimport Job, parallel_for

import numpy as np

cdef enum:
    FORWARD, BACK, HALF_OF_EVEN, HALF_OF_ODD, TO_REAL, KINDS    # what a pass computes
    SHARED = 16384              # numbers from which on threads share a pass
    AT_ONCE = 4096              # numbers that a thread takes at a time, at least

cdef struct Transform:
    PyUFuncGenericFunction f[2]         # of single and of double precision
    void* data[2]

cdef Transform transforms[KINDS]
cdef int known = -1             # 1 once the loops are there, 0 where NumPy has none such

cdef struct AxisPass:
    PyUFuncGenericFunction f
    void* data
    char* of
    char* to
    char* scale
    npy_intp n_of, n_to                 # numbers of a line
    npy_intp of_step, to_step           # bytes from one of them to the next
    int ndim                            # of the lines
    npy_intp dims[MAX_DIMS]
    npy_intp of_steps[MAX_DIMS]
    npy_intp to_steps[MAX_DIMS]
    PyInterpreterState* interpreter
    bint failed                         # has a helper had no memory?


# ------------------------------------------------------------------------------ NumPy's loops

#: The ufunc of each kind of pass, and what its loops take and give in single and in double precision.
NAMES = (("fft", "Ff->F", "Dd->D"), ("ifft", "Ff->F", "Dd->D"), ("rfft_n_even", "ff->F", "dd->D"),
         ("rfft_n_odd", "ff->F", "dd->D"), ("irfft", "Ff->f", "Dd->d"))


cdef bint found() except -1:
    """Are there loops?  numpy.fft is loaded when the first transform is asked for: few programs need it."""
    global known
    if known < 0:
        known = look_up()
    return known


cdef bint look_up() except -1:
    cdef int kind, k
    cdef ufunc u
    module = getattr(np.fft, "_pocketfft_umath", None)
    for kind in range(KINDS):
        name, *types = NAMES[kind]
        function = getattr(module, name, None)
        for k in range(2):
            if not isinstance(function, np.ufunc) or types[k] not in function.types:
                return False
            u, i = function, function.types.index(types[k])
            transforms[kind].f[k] = <PyUFuncGenericFunction><void*>u.functions[i]
            transforms[kind].data[k] = u.data[i] if u.data != NULL else NULL
            if not agrees(function, kind, types[k]):
                return False
    return True


cdef bint agrees(object function, int kind, str types) except -1:
    """Does the bare loop give what the ufunc does?  With a NumPy that keeps its loops elsewhere we are slower."""
    cdef int size = 3 if kind == HALF_OF_ODD else 4
    cdef int n_to = size // 2 + 1 if kind == HALF_OF_EVEN or kind == HALF_OF_ODD else size
    cdef ndarray x = np.array([[1., 2., 3.5, -4.], [5., 6., 7.25, 1.]]).astype(types[0])[:, :size]
    cdef ndarray out = np.empty((2, n_to), types[-1])
    along(x, out, 1, kind, 0.5)
    return np.allclose(out, function(x, 0.5, np.empty_like(out), axes=[(1,), (), (1,)]))


# ------------------------------------------------------------------------------ a pass

cdef void some_lines(void* what, npy_intp first, npy_intp last) noexcept nogil:
    """The lines first ... last - 1.  See Note [Errors of helpers]."""
    cdef AxisPass* p = <AxisPass*>what
    cdef PyThreadState* own
    cdef void* room
    if PyGILState_GetThisThreadState() != NULL:
        run_of_lines(p, first, last)
        return
    room = PyMem_RawMalloc(sizeof(PyThreadState))
    PyMem_RawFree(room)
    own = NULL if room == NULL else PyThreadState_New(p.interpreter)
    if own == NULL:
        p.failed = True
        return
    run_of_lines(p, first, last)
    PyEval_RestoreThread(own)
    if error_of_thread() != NULL:
        p.failed = True
    PyThreadState_Clear(own)
    PyThreadState_DeleteCurrent()


cdef void run_of_lines(AxisPass* p, npy_intp first, npy_intp last) noexcept nogil:
    """In runs along the last of their dims."""
    cdef char* at[3]
    cdef npy_intp sizes[3]
    cdef npy_intp steps[5]
    cdef npy_intp place, rest
    cdef int k, end = p.ndim - 1
    sizes[1], sizes[2] = p.n_of, p.n_to
    steps[0], steps[1], steps[2], steps[3], steps[4] = p.of_steps[end], 0, p.to_steps[end], p.of_step, p.to_step
    while first < last:
        at[0], at[1], at[2] = p.of, p.scale, p.to
        rest = first
        for k in range(end, -1, -1):
            place = rest % p.dims[k]
            at[0] += place * p.of_steps[k]
            at[2] += place * p.to_steps[k]
            rest //= p.dims[k]
        sizes[0] = min(last - first, p.dims[end] - first % p.dims[end])
        p.f(at, sizes, steps, p.data)
        first += sizes[0]


cdef int along(ndarray a, ndarray out, int axis, int kind, double factor) except -1:
    """Transform the lines of `a` into those of `out`, which may be `a`; all is multiplied by the factor."""
    cdef AxisPass p
    cdef float single = <float>factor
    cdef bint precise = PyArray_TYPE(a) == NPY_DOUBLE or PyArray_TYPE(a) == NPY_CDOUBLE
    cdef int k
    cdef npy_intp lines = 1, n
    p.f, p.data = transforms[kind].f[precise], transforms[kind].data[precise]
    p.scale = <char*>&factor if precise else <char*>&single
    p.of, p.to = <char*>PyArray_DATA(a), <char*>PyArray_DATA(out)
    p.n_of, p.of_step = PyArray_DIMS(a)[axis], PyArray_STRIDES(a)[axis]
    p.n_to, p.to_step = PyArray_DIMS(out)[axis], PyArray_STRIDES(out)[axis]
    if kind == HALF_OF_EVEN or kind == HALF_OF_ODD:
        p.n_to = p.n_of // 2 + 1                # of an array that has room for the other half
    p.ndim, p.interpreter, p.failed = 0, PyInterpreterState_Get(), False
    for k in range(PyArray_NDIM(a)):
        if k == axis or PyArray_DIMS(a)[k] == 1:
            continue
        p.dims[p.ndim], lines = PyArray_DIMS(a)[k], lines * PyArray_DIMS(a)[k]
        p.of_steps[p.ndim], p.to_steps[p.ndim] = PyArray_STRIDES(a)[k], PyArray_STRIDES(out)[k]
        p.ndim += 1
    if p.ndim == 0:
        p.dims[0], p.of_steps[0], p.to_steps[0] = 1, 0, 0
        p.ndim = 1
    n = max(p.n_of, p.n_to)
    if lines * n < SHARED:
        some_lines(&p, 0, lines)
    else:
        with nogil:
            parallel_for(some_lines, &p, lines, 1 + AT_ONCE // n)
    if p.failed:
        raise MemoryError()
    return -1 if PyErr_Occurred() != NULL else 0        # there was no memory


# ------------------------------------------------------------------------------ what is passed over

cdef struct Dims:
    npy_intp axis[MAX_DIMS]
    int n
    npy_intp normalization
    double factor


cdef ndarray operand(PyObject* x, bint pairs):
    """The array of complex numbers, or of real ones, that loops can read; None for any other."""
    cdef int num
    if not isinstance(<object>x, ndarray) or not found():
        return None
    num = PyArray_TYPE(<ndarray>x)
    if not (num == NPY_CFLOAT or num == NPY_CDOUBLE if pairs else num == NPY_FLOAT or num == NPY_DOUBLE):
        return None
    return <ndarray>x if aligned(<ndarray>x) else None


cdef bint read(ndarray a, PyObject* dim, PyObject* normalization, Dims* dims) except -1:
    """The dims, one at least, each once, of which none is empty; False for others."""
    cdef unsigned long long seen = 0
    cdef int i
    if a is None or not as_int(normalization, &dims.normalization) or not 0 <= dims.normalization <= 2:
        return False
    dims.n = as_ints(dim, dims.axis)
    for i in range(dims.n):
        if not 0 <= dims.axis[i] < PyArray_NDIM(a) or PyArray_DIMS(a)[dims.axis[i]] < 1:
            return False
        if seen >> dims.axis[i] & 1:
            return False
        seen |= 1ull << dims.axis[i]
    return dims.n > 0


cdef void set_factor(Dims* dims, ndarray a, npy_intp last) noexcept:
    """What the sums are multiplied by; the last of the dims counts as so many."""
    cdef double n = last
    cdef int i
    for i in range(dims.n - 1):
        n *= PyArray_DIMS(a)[dims.axis[i]]
    dims.factor = 1. if dims.normalization == 0 else 1 / sqrt(n) if dims.normalization == 1 else 1 / n


cdef inline double once(Dims* dims) noexcept:
    """The factor, for the first pass alone."""
    cdef double factor = dims.factor
    dims.factor = 1.
    return factor


cdef ndarray with_size(ndarray a, npy_intp axis, npy_intp size, bint pairs):
    """New memory in the form of `a`, with another size of one dim, for real numbers or complex ones."""
    cdef npy_intp shape[MAX_DIMS]
    cdef bint precise = PyArray_TYPE(a) == NPY_DOUBLE or PyArray_TYPE(a) == NPY_CDOUBLE
    cdef int k
    for k in range(PyArray_NDIM(a)):
        shape[k] = PyArray_DIMS(a)[k]
    shape[axis] = size
    if pairs:
        return new_array(PyArray_NDIM(a), shape, NPY_CDOUBLE if precise else NPY_CFLOAT)
    return new_array(PyArray_NDIM(a), shape, NPY_DOUBLE if precise else NPY_FLOAT)


cdef ndarray sums(ndarray a, Dims* dims, int n, int kind):
    """The transforms over the first n of the dims, one after the other, in new memory; `a` itself for none."""
    cdef ndarray out
    cdef int i
    if n == 0:
        return a
    out = with_size(a, dims.axis[0], PyArray_DIMS(a)[dims.axis[0]], True)
    for i in range(n):
        along(a if i == 0 else out, out, <int>dims.axis[i], kind, once(dims))
    return out


# ------------------------------------------------------------------------------ halves of spectra

cdef void count_of(real* half, npy_intp outer, npy_intp row, npy_intp inner, npy_intp first, npy_intp last,
                   real factor) noexcept nogil:
    cdef npy_intp i, k
    for i in range(outer):
        for k in range(first * inner, last * inner):
            half[i * row + k] *= factor


cdef void count(ndarray half, npy_intp axis, npy_intp n, double factor) noexcept:
    """Multiply in place what stands for two elements of a spectrum of n; the array lies in rows."""
    cdef npy_intp outer = 1, inner = 2, k, size = PyArray_DIMS(half)[axis]
    for k in range(axis):
        outer *= PyArray_DIMS(half)[k]
    for k in range(axis + 1, PyArray_NDIM(half)):
        inner *= PyArray_DIMS(half)[k]
    if PyArray_TYPE(half) == NPY_CFLOAT:
        count_of(<float*>PyArray_DATA(half), outer, size * inner, inner, 1, (n + 1) // 2, <float>factor)
    else:
        count_of(<double*>PyArray_DATA(half), outer, size * inner, inner, 1, (n + 1) // 2, factor)


cdef void fill_rest_of(real* x, npy_intp outer, npy_intp n, npy_intp inner) noexcept nogil:
    cdef npy_intp i, j, k
    cdef real* to
    cdef real* of
    for i in range(outer):
        for j in range(n // 2 + 1, n):
            to = x + 2 * inner * (i * n + j)
            of = x + 2 * inner * (i * n + n - j)
            for k in range(inner):
                to[2 * k], to[2 * k + 1] = of[2 * k], -of[2 * k + 1]


cdef void fill_rest(ndarray whole, npy_intp axis) noexcept:
    """y[n - k] = conj(y[k]), where the first half is there."""
    cdef npy_intp outer = 1, inner = 1, k
    for k in range(axis):
        outer *= PyArray_DIMS(whole)[k]
    for k in range(axis + 1, PyArray_NDIM(whole)):
        inner *= PyArray_DIMS(whole)[k]
    if PyArray_TYPE(whole) == NPY_CFLOAT:
        fill_rest_of(<float*>PyArray_DATA(whole), outer, PyArray_DIMS(whole)[axis], inner)
    else:
        fill_rest_of(<double*>PyArray_DATA(whole), outer, PyArray_DIMS(whole)[axis], inner)


cdef void real_parts_of(real* of, real* to, npy_intp n) noexcept nogil:
    cdef npy_intp i
    for i in range(n):
        to[i] = of[2 * i]


cdef ndarray real_parts(ndarray a):
    cdef ndarray out = with_size(a, 0, PyArray_DIMS(a)[0], False)
    if PyArray_TYPE(a) == NPY_CFLOAT:
        real_parts_of(<float*>PyArray_DATA(a), <float*>PyArray_DATA(out), PyArray_SIZE(a))
    else:
        real_parts_of(<double*>PyArray_DATA(a), <double*>PyArray_DATA(out), PyArray_SIZE(a))
    return out


# ------------------------------------------------------------------------------ the kernels of the rows

cdef object in_direction(PyObject** args, bint forward):
    cdef Dims dims
    cdef ndarray a = operand(args[0], True)
    if not read(a, args[1], args[2], &dims):
        return None
    set_factor(&dims, a, PyArray_DIMS(a)[dims.axis[dims.n - 1]])
    return sums(a, &dims, dims.n, FORWARD if forward else BACK)


cdef object c2c(Loop* loop, PyObject** args, int n):
    """(self, dim, normalization, forward)"""
    return in_direction(args, <object>args[3] is True)


cdef object c2c_backward(Loop* loop, PyObject** args, int n):
    """(d, dim, normalization, forward)"""
    return in_direction(args, <object>args[3] is not True)


cdef ndarray to_half(ndarray a, Dims* dims, bint onesided):
    cdef npy_intp axis = dims.axis[dims.n - 1]
    cdef npy_intp size = PyArray_DIMS(a)[axis]
    cdef ndarray out = with_size(a, axis, size // 2 + 1 if onesided else size, True)
    cdef int i
    set_factor(dims, a, size)
    along(a, out, <int>axis, HALF_OF_ODD if size & 1 else HALF_OF_EVEN, once(dims))
    if not onesided:
        fill_rest(out, axis)
    for i in range(dims.n - 1):
        along(out, out, <int>dims.axis[i], FORWARD, 1.)
    return out


cdef object r2c(Loop* loop, PyObject** args, int n):
    """(self, dim, normalization, onesided)"""
    cdef Dims dims
    cdef ndarray a = operand(args[0], False)
    return to_half(a, &dims, <object>args[3] is True) if read(a, args[1], args[2], &dims) else None


cdef ndarray to_real(ndarray a, Dims* dims, npy_intp size):
    cdef npy_intp axis = dims.axis[dims.n - 1]
    cdef ndarray out
    set_factor(dims, a, size)
    a = sums(a, dims, dims.n - 1, BACK)
    out = with_size(a, axis, size, False)
    along(a, out, <int>axis, TO_REAL, once(dims))
    return out


cdef object c2r(Loop* loop, PyObject** args, int n):
    """(self, dim, normalization, last_dim_size)"""
    cdef Dims dims
    cdef npy_intp size = 0
    cdef ndarray a = operand(args[0], True)
    if not read(a, args[1], args[2], &dims) or not as_int(args[3], &size) or size < 1:
        return None
    return to_real(a, &dims, size) if PyArray_DIMS(a)[dims.axis[dims.n - 1]] == size // 2 + 1 else None


cdef object r2c_backward(Loop* loop, PyObject** args, int n):
    """(d, input_sizes, dim, normalization, onesided)"""
    cdef Dims dims
    cdef npy_intp sizes[MAX_DIMS]
    cdef npy_intp axis, size
    cdef ndarray d = operand(args[0], True)
    if not read(d, args[2], args[3], &dims) or as_ints(args[1], sizes) != PyArray_NDIM(d):
        return None
    axis = dims.axis[dims.n - 1]
    size = sizes[axis]
    if PyArray_DIMS(d)[axis] != (size // 2 + 1 if <object>args[4] is True else size) or size < 1:
        return None
    if <object>args[4] is not True:
        set_factor(&dims, d, size)
        return real_parts(sums(d, &dims, dims.n, BACK))
    d = new_copy(d, NPY_CORDER)
    count(d, axis, size, 0.5)
    return to_real(d, &dims, size)


cdef object c2r_backward(Loop* loop, PyObject** args, int n):
    """(d, dim, normalization, last_dim_size)"""
    cdef Dims dims
    cdef npy_intp axis, size = 0
    cdef ndarray out, d = operand(args[0], False)
    if not read(d, args[1], args[2], &dims) or not as_int(args[3], &size):
        return None
    axis = dims.axis[dims.n - 1]
    if PyArray_DIMS(d)[axis] != size:
        return None
    out = to_half(d, &dims, True)
    count(out, axis, size, 2)
    return out
