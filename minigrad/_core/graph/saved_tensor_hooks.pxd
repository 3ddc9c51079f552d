# Saved-tensor hooks: the user decides how saved tensors are stored; see saved_tensor_hooks.pyx.

from minigrad._core.graph cimport Node, Tensor, Version


cdef class Packed:
    """A saved tensor in the hands of a pair of saved-tensor hooks; see Note [Packed tensors]."""
    cdef object content         # what the pack hook made of it
    cdef object hook            # the unpack hook; or the context, under allow_mutation_on_saved_tensors
    cdef Node node              # the history of the tensor that was packed, for the one that is unpacked
    cdef int nr
    cdef bint own               # an output of the node that saved it: a reference to that node would be a cycle
    cdef tuple shape
    cdef object dtype
    cdef int level
    cdef Tensor bearer          # of the tangent, until the dual level is closed; None where there was none
    cdef Version version        # of the tensor that was packed, and its value then
    cdef long long at
    cdef bint kept, copied      # under allow_mutation_on_saved_tensors: kept as it is, or copied before a write
    cdef object __weakref__


cdef int pack_slot(Node n, int i, object value) except -1
cdef object raw_slot(Node n, int i)
cdef int before_write(Version v) except -1
