# Computing without warnings; see errstate.pyx.

cdef object silence(bint large=*)
cdef void unsilence(object quiet) noexcept
cdef void pause(object quiet) noexcept
cdef void resume(object quiet) noexcept
