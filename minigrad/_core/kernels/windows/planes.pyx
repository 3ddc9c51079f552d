"""Planes: what windows move over, a line, an image or a volume, the last one, two or three dims.

The dims before them only say how many planes there are, and threads share these.  A line is a volume of 1 x 1 x n, so
that there are always three dims.  Which elements a window has along each dim is in planes.h.
"""

from minigrad._core.kernels.loops.numpy_loops cimport LARGE
from minigrad._core.kernels.shapes.data_movement cimport copied, movable
from minigrad._core.kernels.shapes.strided_views cimport as_int, as_ints
from minigrad._core.runtime.malloc cimport memory
from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.numpy_api cimport NPY_FLOAT, PyArray_DATA, PyArray_IS_C_CONTIGUOUS, PyArray_TYPE
from minigrad._core.runtime.python_api cimport PyLong_CheckExact, PyObject_Free
from minigrad._core.runtime.thread_pool cimport PART, WORTH_THREADS, parallel_for


cdef ndarray plain(PyObject* x, int num):
    """The argument, in the order of its dims, and of a dtype; None where it is none."""
    cdef ndarray a
    if type(<object>x) is not ndarray:
        return None
    a = <ndarray>x
    if PyArray_TYPE(a) != num or not movable(a):
        return None
    return a if PyArray_IS_C_CONTIGUOUS(a) else copied(a)


cdef ndarray real_numbers(PyObject* x):
    cdef ndarray a = plain(x, NPY_FLOAT)
    return plain(x, NPY_FLOAT + 1) if a is None else a


cdef bint planes_of(Planes* p, ndarray a, npy_intp* dims, int total, int ndim, bint any_number) noexcept:
    """Let `p` know the planes of an array of these sizes, with the dtype of `a`; False if there are none.

    A public function takes one or two dims before them, which are channels and examples, and nothing but these may be
    empty; a formula takes any number.
    """
    cdef int k, lead = total - ndim
    if lead < 0 or not 1 <= ndim <= DIMS or not (any_number or lead == 1 or lead == 2):
        return False
    p.ndim, p.single, p.n, p.inside, p.divisor = ndim, PyArray_TYPE(a) == NPY_FLOAT, 1, 1, 1
    p.a, p.room, p.at, p.lead = <char*>PyArray_DATA(a), NULL, NULL, lead
    for k in range(DIMS):
        p.w[k].size = p.w[k].n = p.w[k].step = 1
        p.w[k].first = p.w[k].count = p.w[k].divisor = NULL
        p.w[k].weights = NULL
        p.w[k].start, p.w[k].to, p.w[k].stride = 0, 1, 1
        if k >= DIMS - ndim:
            p.w[k].size = dims[k + total - DIMS]
            p.inside *= p.w[k].size
            if p.w[k].size < 1 or p.inside > HUGE:
                return False
    for k in range(lead):
        p.dims[k] = dims[k]
        p.n *= p.dims[k]
        if p.dims[k] == 0 and (k or lead == 1) and not any_number:
            return False
    return True


cdef bint ints_of(PyObject* x, int ndim, npy_intp least, npy_intp* values) except -1:
    """One int for each dim of a plane, or one for all, none of them less than `least`."""
    cdef npy_intp found[MAX_DIMS]
    cdef int k, n
    if PyLong_CheckExact(<object>x):
        n = 1
        if not as_int(x, found):
            return False
    else:
        n = as_ints(x, found)
    if n != 1 and n != ndim:
        return False
    for k in range(ndim):
        values[k] = found[0 if n == 1 else k]
        if not least <= values[k] <= HUGE:
            return False
    return True


cdef ndarray result_of(Planes* p, int num):
    """A new array of the results of all windows."""
    cdef int k
    for k in range(p.ndim):
        p.dims[p.lead + k] = p.w[DIMS - p.ndim + k].n
    return new_array(p.lead + p.ndim, p.dims, num)


cdef npy_intp parts(Planes* p) noexcept:
    """Into how many planes the work is cut; returns the work for one."""
    cdef npy_intp each = max(p.inside, p.outside)
    p.part = PART // each if each < PART else 1
    return each


cdef void run(Planes* p, Job job) noexcept:
    """The job for all planes: without the GIL where it takes long, and by several threads where it takes longer."""
    cdef npy_intp each = parts(p)
    if p.n * each >= WORTH_THREADS:
        with nogil:
            parallel_for(job, p, p.n, p.part)
    elif p.n * each > LARGE:
        with nogil:
            job(p, 0, p.n)
    else:
        job(p, 0, p.n)


cdef int with_room(Planes* p, Job job) except -1:
    """Run the job, with memory for each part of it."""
    if p.n == 0:
        return 0
    parts(p)
    p.room = <char*>memory(((p.n - 1) // p.part + 1) * p.room_each + 1)
    run(p, job)
    PyObject_Free(p.room)
    return 0
