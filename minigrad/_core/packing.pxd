# Saved tensors in the hands of hooks.

from minigrad._core.graph cimport Node, Version


cdef class Packed:
    """A saved tensor in the hands of a pair of saved-tensor hooks; see Note [Packed tensors]."""
    cdef object content         # what the pack hook made of it
    cdef object hook            # the unpack hook; the context, where it is kept under allow_mutation_on_saved_tensors
    cdef Node node              # the history of the tensor that went in: what comes out gets it back
    cdef int nr
    cdef bint own               # it is an output of the very node that saved it: no reference, which would be a cycle
    cdef tuple shape
    cdef object dtype
    cdef int level
    cdef Version version        # of the tensor that went in, and its value then
    cdef long long at
    cdef bint kept, copied      # under allow_mutation_on_saved_tensors; a write has come, and a copy was made before it
    cdef object __weakref__


cdef int pack_slot(Node n, int i, object value) except -1
cdef object raw_slot(Node n, int i)
cdef int before_write(Version v) except -1
