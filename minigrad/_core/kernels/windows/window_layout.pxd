# The layout of the windows of a convolution; see window_layout.pyx.

from libc.stddef cimport ptrdiff_t
from minigrad._core.kernels.loops.real cimport real
from minigrad._core.runtime.numpy_api cimport npy_intp
from minigrad._core.runtime.python_api cimport PyObject

cdef struct Problem:
    # Of each dim of three; the first ones have size 1 where there are fewer.
    npy_intp images, groups
    npy_intp channels, outputs  # of a group
    npy_intp size[3]            # of the input
    npy_intp kernel[3]
    npy_intp places[3]          # of windows
    npy_intp stride[3]
    npy_intp padding[3]
    npy_intp dilation[3]
    npy_intp room[3]            # of a phase: what the windows read there, along each dim
    npy_intp remainders[3]      # how many there are among the elements of the kernel
    npy_intp* remainder[3]      # and which, for each
    npy_intp* number[3]         # of the remainder of each element of the kernel
    npy_intp inputs, results    # numbers of one channel of x and of y
    npy_intp elements           # of the kernel
    npy_intp phases
    npy_intp plane              # numbers of a phase
    npy_intp length             # of the run of all windows
    npy_intp* phase             # that an element of the kernel reads
    npy_intp* begins            # and where there
    npy_intp bunch              # images that are laid out as one

cdef bint read(Problem* p, int ndim, npy_intp* x, npy_intp* w, npy_intp* y, PyObject** args) except -1
cdef bint turn_around(Problem* p) noexcept
cdef bint measure(Problem* p) except -1
cdef bint lies_well(Problem* p) noexcept nogil
cdef void windows_begin(Problem* p, npy_intp images, npy_intp step, ptrdiff_t* point) noexcept
cdef void elements_begin(Problem* p, npy_intp pitch, ptrdiff_t* place) noexcept
cdef void lay_out(Problem* p, real* x, npy_intp count, real* out, npy_intp pitch) noexcept nogil
cdef void bring_back(Problem* p, real* out, npy_intp pitch, npy_intp count, real* x, real filled) noexcept nogil
cdef void spread(Problem* p, real* y, npy_intp count, real* out) noexcept nogil
cdef void without_gaps(Problem* p, real* out, npy_intp count, real* y) noexcept nogil
