# The allocator that counts; see counted_memory.pyx.

cdef object counting
cdef object set_handler(object handler)
