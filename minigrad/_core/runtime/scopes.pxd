# Blocks that change something and restore it; see scopes.pyx.

cdef class Scope:
    cdef object changes             # what each entry does, unless `_changes` says otherwise
    cdef list undo                  # what the innermost entry puts back; None outside
    cdef public object value        # what `with ... as` gives
    cdef object outer               # (the same of the entry around it, and so on)
