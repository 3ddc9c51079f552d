# Large loops, shared among several threads; see thread_pool.pyx.

from minigrad._core.runtime.numpy_api cimport PyUFuncGenericFunction, npy_intp


cdef extern from *:
    """
    #ifndef MG_JOB
    #define MG_JOB
    typedef void (*mg_Job)(void *what, npy_intp first, npy_intp last);
    #endif
    """
    # Called for the indices first ... last - 1, in any thread, without the GIL; it must not raise.
    ctypedef void (*Job "mg_Job")(void* what, npy_intp first, npy_intp last) noexcept nogil

cdef enum:
    PART = 16384                # elements that a thread takes at a time
    BLAS_IN_ONE = 64 * 64       # numbers of an operand, up to which BLAS has one thread whatever it may have
    WORTH_THREADS = 4 * PART    # elements from which on several threads are faster than one

cdef void hold_blas(int most) noexcept nogil
cdef void release_blas() noexcept nogil
cdef bint blas_obeys() noexcept nogil
cdef int threads_now() noexcept nogil
cdef int threads_for_lapack(npy_intp numbers) noexcept nogil
cdef void parallel_for(Job job, void* what, npy_intp n, npy_intp part) noexcept nogil
cdef void run_parts(PyUFuncGenericFunction f, void* data, int operands, char** at, npy_intp n,
                    const npy_intp* strides, npy_intp part) noexcept nogil
