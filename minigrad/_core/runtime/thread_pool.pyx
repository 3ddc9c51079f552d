"""Large loops, shared among several threads.

From some 65,000 elements on, a loop is cut into parts that the threads of a pool take one after the other.  A part is
computed by the same inner loop as the whole, and begins where that loop would begin a new vector of numbers: every
element comes out bit for bit as in one thread.  `parallel_for` is the whole interface: a job in C, called for parts of
a range, without the GIL.

The threads are plain: they know nothing of Python, wait for work, and never end.

Note [One region at a time]
---------------------------
The caller opens a *region*, a job and the number of the next part, and begins to work on it at once; helpers join
it while it is open, each takes the next part until none is left, and the caller closes it::

    caller    open | part 0 | part 2 | part 3 | part 5 | closed, wait for part 4 | return
    helper          wake up | part 1 |     part 4         | leave

The caller never waits for a helper that has not begun: if the machine is busy, and no helper gets a processor, it does
everything itself.  It waits for one that has, at most for one part.  While a region is open, other threads of the
program that come with a loop of their own compute it alone; so does a job that calls `parallel_for` itself.

A helper that has nothing to do looks for the next region for 20 us (so that in a chain of operations it is there
without a call to the system) and then sleeps.  It works with the floating-point settings of its caller.

Note [On a busy machine]
------------------------
Where all processors are at work for others, two threads are not faster than one, and can be far slower: a helper that
loses its processor in the middle of a part keeps its caller waiting for some milliseconds.  So lost time is paid back:
a caller that has waited for a time t works alone for 10 t, and so does everyone after three regions in a row to which
no helper came.  Waiting can never take more than a tenth of the time.  A helper that wakes up on the very processor of
its caller, which it must have interrupted, goes back to sleep.

After a fork the child has no helpers, whatever they were doing, and starts its own when it needs them.  At exit, they
end with the process.

Note [BLAS in one thread]
-------------------------
OpenBLAS, which multiplies matrices for NumPy, has threads of its own.  They divide each product evenly, and look again
and again whether the others are done: where one of them has lost its processor, all of them wait, and a product can
take forty times as long.  So it is *held*: while a product of ours runs, it has one thread, and `parallel_for` gives
parts of the product to the pool, each of which OpenBLAS multiplies in the thread that asks.  What NumPy computes for
others is not touched::

    caller    hold | rows 0 ... 511   | rows 1024 ... 1535 | release
    helper           rows 512 ... 1023

Decompositions are LAPACK's, which divides nothing but its products: those of matrices of up to 512 rows have one
thread, and larger ones all.

Which parts there are depends on the shapes and on the number of threads, never on who takes them: the same program
gives the same bits on a busy machine.  Another BLAS, which says nothing of its threads, multiplies as it likes.

A part must not raise: an exception belongs to the thread that has it.  So loops over integers, among which is the power
that raises, are not shared (`shareable` in strided.pyx), and loops of ours that refuse their operands write that down
(Note [A loop that refuses], there).
"""

import os

import numpy as np

from minigrad._core.errors import error

cdef extern from "runtime/thread_pool.h":
    void mg_parallel(Job, void*, npy_intp, npy_intp, int) noexcept nogil
    void mg_find_blas(const char*) noexcept
    void mg_hold_blas(int) noexcept nogil
    void mg_release_blas() noexcept nogil
    void mg_let_blas_have(int) noexcept
    bint mg_blas_obeys() noexcept nogil
    void mg_before_fork() noexcept nogil
    void mg_fork_in_parent() noexcept nogil
    void mg_fork_in_child() noexcept nogil

cdef extern from "runtime/platform.h":
    void mg_at_fork(void (*)() noexcept nogil, void (*)() noexcept nogil, void (*)() noexcept nogil)

cdef extern from *:
    """
    #ifdef __clang__
    #define MG_COMPILER __VERSION__
    #else
    #define MG_COMPILER "GCC " __VERSION__
    #endif
    #ifndef MINIGRAD_FLAGS
    #define MINIGRAD_FLAGS ""
    #endif
    """
    const char* MG_COMPILER
    const char* MINIGRAD_FLAGS          # setup.py

cdef enum:
    MOST = 4096                 # threads: no machine of today has more
    MAX_OPERANDS = 5
    LARGE_MATRIX = 512 * 512    # numbers, up to which LAPACK, whose products are small, gains little by threads

cdef int threads = 1, interop_threads = 0


cdef void parallel_for(Job job, void* what, npy_intp n, npy_intp part) noexcept nogil:
    """job(what, first, last) for parts of 0 ... n, which begin at multiples of `part`; returns when all is done.

    The GIL is not held.  With one thread, or where another thread has the helpers, there is one part.
    """
    mg_parallel(job, what, n, part, threads - 1)


# ------------------------------------------------------------------------------ BLAS

cdef void hold_blas(int most) noexcept nogil:
    """OpenBLAS has no more threads than `most` until `release_blas`: Note [BLAS in one thread]."""
    mg_hold_blas(most)


cdef void release_blas() noexcept nogil:
    mg_release_blas()


cdef bint blas_obeys() noexcept nogil:
    """Can it be held, and called by several threads at the same time?"""
    return mg_blas_obeys()


cdef int threads_now() noexcept nogil:
    return threads


cdef int threads_for_lapack(npy_intp numbers) noexcept nogil:
    """The threads of OpenBLAS for a decomposition of a matrix that has this many numbers."""
    return threads if numbers > LARGE_MATRIX else 1


# ------------------------------------------------------------------------------ inner loops of ufuncs

cdef struct Parts:
    PyUFuncGenericFunction f
    void* data
    int operands
    char** at
    const npy_intp* strides


cdef void one_part(void* what, npy_intp first, npy_intp last) noexcept nogil:
    cdef Parts* w = <Parts*>what
    cdef char* at[MAX_OPERANDS]
    cdef npy_intp n = last - first
    cdef int i
    for i in range(w.operands):
        at[i] = w.at[i] + first * w.strides[i]
    w.f(at, &n, w.strides, w.data)


cdef void run_parts(PyUFuncGenericFunction f, void* data, int operands, char** at, npy_intp n,
                    const npy_intp* strides, npy_intp part) noexcept nogil:
    """The inner loop of a ufunc over n elements."""
    cdef Parts w
    w.f, w.data, w.operands, w.at, w.strides = f, data, operands, at, strides
    parallel_for(one_part, &w, n, part)


# ------------------------------------------------------------------------------ how many

def get_num_threads():
    """How many threads compute a large operation.

    >>> torch.get_num_threads() > 0
    True
    """
    return threads


def set_num_threads(num, /):
    """Let large operations be computed by this many threads, from now on and for the whole process.

    At the beginning there are as many as there are processors for the process, or as the environment variable
    ``MINIGRAD_NUM_THREADS`` says, or else ``OMP_NUM_THREADS``.  Elementwise results do not depend on it, not in a
    single bit.  OpenBLAS, where NumPy has it, gets as many, also for calls of NumPy itself, but never more than it had
    at the beginning; another BLAS has threads of its own, which this does not change.

    A number that is not positive is an error (MG204).

    >>> before = torch.get_num_threads()
    >>> torch.set_num_threads(1)
    >>> torch.get_num_threads()
    1
    >>> torch.set_num_threads(before)
    """
    global threads
    threads = checked("set_num_threads", num)
    mg_let_blas_have(threads)


def get_num_interop_threads():
    """How many operations PyTorch would run at the same time; here they run one after the other, whatever it is.

    >>> torch.get_num_interop_threads() > 0
    True
    """
    return interop_threads or available()


def set_num_interop_threads(num, /):
    """Remember the number, and do nothing with it: operations run one after the other.

    As in PyTorch, a second call is an error (MG204).
    """
    global interop_threads
    cdef int asked = checked("set_num_interop_threads", num)
    if interop_threads:
        raise error("MG204", "cannot set number of interop threads after parallel work has started or "
                             "set_num_interop_threads called. Call it once, at the beginning of the program.")
    interop_threads = asked


def built_with():
    """The compiler of the core, and the flags that it was given."""
    return f"{MG_COMPILER.decode()} {MINIGRAD_FLAGS.decode()}".rstrip()


cdef int checked(str name, object num) except -1:
    if type(num) is not int:
        raise error("MG204", f"{name} expects an int, but got {type(num).__name__}")
    if num < 1:
        raise error("MG204", f"{name} expects a positive integer, and got {num}. 1 means: nothing is shared.")
    return min(num, MOST)


cdef int available() except -1:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


cdef int at_first() except -1:
    """What the environment says, where it says a number, and else one for each processor."""
    for name in ("MINIGRAD_NUM_THREADS", "OMP_NUM_THREADS"):
        asked = os.environ.get(name, "")
        if asked.isdecimal() and int(asked) > 0:
            return min(int(asked), MOST)
    return min(available(), MOST)


threads = at_first()
library = getattr(getattr(np.linalg, "_umath_linalg", None), "__file__", None)
if library is not None:
    mg_find_blas(os.fsencode(library))
mg_at_fork(mg_before_fork, mg_fork_in_parent, mg_fork_in_child)
