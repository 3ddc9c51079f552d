# What tensors and nodes carry besides the graph: hooks, retained gradients, notes.

from minigrad._core.graph cimport Node, Tensor

cdef int replace_history(Tensor t, Node n, int nr) except -1
cdef int note_origin(Node n) except -1
