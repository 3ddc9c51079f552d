"""Deallocation of tensors and nodes: without recursion, and into free lists for the next ones.

Reference counts say when a tensor or a node is not needed any more.  What happens then is set here for both classes
of graph.pyx, in the fields of the C type where Cython has put something that is right, but not for graphs: freeing a
long chain must not recurse (Note [Freeing without recursion]), and must cost little (Note [Spare nodes and tensors]).
In the same way a tensor gets room for attributes of the user's (Note [Attributes]).
"""

from minigrad._core.graph cimport SPARE, Node, Tensor, later, spare_nodes, spare_tensors
from minigrad._core.graph.saved_slots cimport KEEPS, keep_numbers, release_saved
from minigrad._core.graph.type_objects import attach
from minigrad._core.runtime.array_freelist cimport leave, own
from minigrad._core.runtime.python_api cimport (PyObject, PyObject_ClearWeakRefs, PyObject_Free, PyObject_GC_UnTrack,
                                                PyObject_GenericGetDict, PyTypeObject, Py_DECREF,
                                                Py_INCREF, Py_REFCNT, Py_SET_REFCNT, Py_SET_TYPE, Py_TYPE, Py_XDECREF,
                                                destructor_t)
from minigrad._core.runtime.thread_state cimport State, state

cdef extern from "Python.h":
    int PyObject_GenericSetDict(object, object, void*) except -1

# ------------------------------------------------------------------------------ chains

# Note [Freeing without recursion]
# --------------------------------
# A chain of a million nodes hangs on its last result.  Freed naively, each node's destructor would
# call that of the next, a million C frames deep:
#
#     free(node n) -> free(tensor saved by n) -> free(node n-1) -> free(tensor saved by n-1) -> ...
#
# So the last holder of a node does not free it, but hangs it on a list of the thread, by the field in which
# passes write their claims: no pass can meet it any more.  The outermost destructor empties the list; those
# that it calls only add to it, so that it takes no memory and a few frames however long the chain is:
#
#     free(node n)     frees what it saved, hangs up n-1       <- draining starts
#     free(node n-1)   frees what it saved, hangs up n-2       <- and so on
#
# All ways through a graph lead through nodes.  Two other chains are walked in loops of their own: views of views,
# and a .grad that has a .grad.

cdef void* LAST = <void*>&LAST          # marks the end of the list, where a field must not be NULL


cdef void bury(PyObject* n) noexcept:
    """Give up our reference to the node `n`: at once where others hold it too, else by way of the list, for `drain`."""
    cdef State* st
    if Py_REFCNT(n) > 1:
        Py_DECREF(<object>n)
        return
    st = state()
    (<Node>n).task = LAST if st.dying == NULL else <void*>st.dying
    st.dying = n


cdef void drain() noexcept:
    cdef State* st = state()
    cdef PyObject* n
    if st.draining:
        return
    st.draining = True
    while st.dying != NULL:
        n = st.dying
        st.dying = NULL if (<Node>n).task == LAST else <PyObject*>(<Node>n).task
        (<Node>n).task = NULL
        Py_DECREF(<object>n)
    st.draining = False


# ------------------------------------------------------------------------------ letting go

cdef void dismantle(Node n) noexcept:
    """Let go of everything that `n` holds outside its Python fields."""
    cdef int i
    cdef bint buried = False
    cdef PyObject* buffer = n.buffer
    if buffer != NULL:
        n.buffer = NULL
        Py_DECREF(<object>buffer)
    release_saved(n)
    if n.edges != NULL:
        for i in range(n.n_edges):
            if n.edges[i].node != NULL:
                bury(n.edges[i].node)
                buried = True
        if n.edges != &n.two[0]:
            PyObject_Free(n.edges)
        n.edges = NULL
    if n.fits != NULL:
        for i in range(n.n_edges):
            PyObject_Free(n.fits[i])
        PyObject_Free(n.fits)
        n.fits = NULL
    if n.accumulates and (<Tensor>n.op).accumulator == <PyObject*>n:
        (<Tensor>n.op).accumulator = NULL
    if buried:
        drain()


cdef void leave_graph(Tensor t) noexcept:
    """Let go of .grad, one after another where that has a .grad itself, and of the node:
    see Note [Freeing without recursion]."""
    cdef PyObject* n = <PyObject*>t.node
    cdef Tensor grad, next_grad
    if t.grad_ is not None:
        grad = <Tensor>t.grad_
        t.grad_ = None
        while grad is not None:
            next_grad = None
            if Py_REFCNT(<PyObject*>grad) == 1:
                next_grad = <Tensor>grad.grad_
                grad.grad_ = None
            grad = next_grad
    if t.node is not None:
        Py_INCREF(<object>n)
        t.node = None
        bury(n)
        drain()


cdef void lose_all(Tensor t) noexcept:
    """What a tensor holds outside its Python fields, and its place in the graph."""
    cdef PyObject* attributes = t.attributes
    t.attributes = NULL
    leave_graph(t)
    Py_XDECREF(attributes)


later.node_dies = dismantle
later.tensor_dies = lose_all


# ------------------------------------------------------------------------------ spares

# Note [Spare nodes and tensors]
# ------------------------------
# Every recorded operation makes a node and a tensor, and most of them die young.  What Cython does at
# birth and death (clear the memory, fill in None, save and restore a pending exception) costs more than
# the arithmetic on a small tensor.  So a dead one is kept as it is, emptied, and the next one is it:
#
#     count falls to 0 --> free_node --> let go of what it holds --> full? --yes--> memory given back
#                                                                      | no
#                                                                      v
#     spare_nodes  [ n0 | n1 | n2 |    |  ...    SPARE of them ]  <-- push
#                               |
#     new_node  <-- count 1 <-- pop                               (none left: Cython makes one)
#
# A spare has no references left and no count, and each field that holds a Python object holds None.  The blocks in
# which nodes save one or two things are kept in the same way.  Objects of a subclass are none of ours: Cython frees
# them.

cdef destructor_t free_node_slowly
cdef destructor_t free_tensor_slowly


cdef void free_node(PyObject* o) noexcept:
    if Py_TYPE(o).tp_basicsize != (<PyTypeObject*>Node).tp_basicsize or Py_TYPE(o).tp_dictoffset:
        free_node_slowly(o)
        return
    if (<Node>o).hooks is not None or Py_TYPE(o) != <PyTypeObject*>Node:    # a class of Python tracks what it frees
        PyObject_GC_UnTrack(o)
    Py_SET_REFCNT(o, 1)             # or a variable that holds it would bring it back to zero, and us here again
    empty_node(<Node>o)
    if KEEPS and spare_nodes.n < SPARE:     # only now: others may have died in between
        Py_SET_TYPE(o, <PyTypeObject*>Node)
        spare_nodes.objects[spare_nodes.n] = o
        spare_nodes.n += 1
    else:
        Py_DECREF(None)             # the two that the fields hold
        Py_DECREF(None)
        discard(o)


cdef void empty_node(Node n) noexcept:
    dismantle(n)
    n.op = None
    n.hooks = None
    n.task = NULL
    n.deps = 0
    n.n_edges = n.n_saved = 0
    n.level = 0
    n.freed = 0
    n.accumulates = n.several = n.needed = n.captured = n.packed = n.in_place = False


cdef inline void discard(PyObject* o) noexcept:
    """Give the memory back, past Cython's destructor: there is nothing left to destroy."""
    (<destructor_t>Py_TYPE(o).tp_free)(o)


cdef void free_tensor(PyObject* o) noexcept:
    if Py_TYPE(o) != <PyTypeObject*>Tensor:
        free_tensor_slowly(o)
        return
    PyObject_GC_UnTrack(o)
    if (<PyObject**>(<char*>o + (<PyTypeObject*>Tensor).tp_weaklistoffset))[0] != NULL:
        PyObject_ClearWeakRefs(o)   # asks for a count of 0, so before the next line
    Py_SET_REFCNT(o, 1)
    empty_tensor(<Tensor>o)
    if KEEPS and spare_tensors.n < SPARE:
        spare_tensors.objects[spare_tensors.n] = o
        spare_tensors.n += 1
    else:
        for field in range(7):
            Py_DECREF(None)
        discard(o)


cdef void empty_tensor(Tensor t) noexcept:
    cdef PyObject* attributes = t.attributes
    cdef PyObject* payload
    if t.version is not None and t.version.saver != NULL:
        keep_numbers(t)
    payload = own(t.payload)
    t.attributes = NULL
    t.accumulator = NULL
    t.payload = None
    leave(payload)
    t.version = None
    t.view = None
    t.tangent = None
    t.hooks = None
    t.hidden = t.born = 0
    t.nr = 0
    t.level = 0
    t.requires_grad_ = t.inference = t.reshaped = t.holes_have_history = False
    t.adding = 0
    if attributes != NULL:
        Py_DECREF(<object>attributes)
    leave_graph(t)


cdef int keep_spares() except -1:
    global free_node_slowly, free_tensor_slowly
    cdef PyTypeObject* cls = <PyTypeObject*>Node
    free_node_slowly = <destructor_t>cls.tp_dealloc
    cls.tp_dealloc = <void*>free_node
    cls = <PyTypeObject*>Tensor
    free_tensor_slowly = <destructor_t>cls.tp_dealloc
    cls.tp_dealloc = <void*>free_tensor
    return 0


keep_spares()


# ------------------------------------------------------------------------------ attributes

# Note [Attributes]
# -----------------
# A tensor may carry attributes of the user's (y.name = "logits"), but hardly any does, and a dictionary
# for each would cost as much as the tensor.  So the field is a bare pointer, which Python's own
# attribute machinery fills on the first write (tp_dictoffset); Cython would make the dictionary at once.
# The price is that the cyclic collector must be shown the way into it, for y.me = y.

ctypedef int (*visit_t)(PyObject*, void*) noexcept
ctypedef int (*traverse_t)(PyObject*, visit_t, void*) noexcept
ctypedef int (*clear_t)(PyObject*) noexcept
cdef traverse_t traverse_fields
cdef clear_t clear_fields


cdef int traverse_tensor(PyObject* self, visit_t visit, void* argument) noexcept:
    cdef PyObject* attributes = (<Tensor>self).attributes
    cdef int stop = 0
    if attributes != NULL:
        stop = visit(attributes, argument)
    return stop if stop else traverse_fields(self, visit, argument)


cdef int clear_tensor(PyObject* self) noexcept:
    cdef PyObject* attributes = (<Tensor>self).attributes
    (<Tensor>self).attributes = NULL
    Py_XDECREF(attributes)
    return clear_fields(self)


cdef int give_attributes() except -1:
    global traverse_fields, clear_fields
    cdef PyTypeObject* cls = <PyTypeObject*>Tensor
    cdef Tensor t = Tensor.__new__(Tensor)
    traverse_fields = <traverse_t>cls.tp_traverse
    clear_fields = <clear_t>cls.tp_clear
    cls.tp_traverse = <void*>traverse_tensor
    cls.tp_clear = <void*>clear_tensor
    cls.tp_dictoffset = <char*>&t.attributes - <char*><PyObject*>t
    attach("__dict__", property(_attributes, _set_attributes))
    return 0


def _attributes(self):
    return PyObject_GenericGetDict(self, NULL)


def _set_attributes(self, attributes):
    PyObject_GenericSetDict(self, attributes, NULL)


give_attributes()
