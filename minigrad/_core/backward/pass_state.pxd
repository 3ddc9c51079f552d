# A pass, and what its loop asks about a node.

cimport cython
from minigrad._core.dispatch.torch_function cimport modes_on
from minigrad._core.graph cimport Node
from minigrad._core.graph.listener cimport Listener
from minigrad._core.runtime.python_api cimport PyObject
from minigrad._core.runtime.thread_state cimport State


@cython.final
cdef class Foreign:
    """The fields of a node that another pass has claimed."""
    cdef object buffer
    cdef int deps
    cdef bint needed, captured


@cython.final
cdef class Pass:
    """One backward pass, while it runs."""
    # The nodes.
    cdef PyObject** nodes               # every node met, borrowed: the roots keep them alive
    cdef Py_ssize_t n_nodes, room_nodes
    cdef PyObject** ready               # a binary heap by sequence number, borrowed too
    cdef Py_ssize_t n_ready, room_ready
    cdef dict foreign                   # address of node -> Foreign; None as long as there is none; Note [Claims]
    cdef list roots                     # the nodes it begins at; then those of `inputs`, so that they stay alive
    cdef Py_ssize_t n_roots             # how many it begins at
    # What was asked for.
    cdef bint pruned                    # only what leads to `inputs` runs
    # Of each input: address of node -> [(output number, index into results)], or None where .grad accumulates.
    cdef dict captures
    cdef list results
    cdef bint keep                      # retain_graph
    cdef bint create_graph
    # What flows, and in which modes.
    cdef bint tensors                   # gradients are Tensors, not arrays
    cdef bint on_payloads               # ... namely payloads of a transform's level
    cdef int level                      # the level of the roots; Note [Levels] in levels.pyx
    cdef bint grad_off                  # the grad mode in which nodes and hooks run
    cdef object quiet                   # the context in which it runs: Note [Quiet contexts] in errstate.pyx
    # The switches of the thread as the pass found them; see `put_back`.
    cdef int active, hooked, modes_on
    cdef bint inference
    cdef PyObject* hooks_off            # held by `message`
    cdef object pair, message, modes, device, devices
    # Who watches, and what errors and hooks refer to.
    cdef bint watched                   # one of the next three is on: nodes are run by `watch`
    cdef int anomaly                    # the flags of anomaly mode
    cdef Listener listener              # hears of each node and operation; see listener.pyx
    cdef object story                   # is told every step; see Note [Stories] in watched_pass.pyx
    cdef Node running                   # the node whose hooks the story is told of
    cdef dict notes                     # what hooks keep for the time of this pass
    cdef int call                       # what called backward: Note [Where in the user's program] in source_lines.pyx


cdef int count_all(Pass p) except -1
cdef int count_needed(Pass p) except -1
cdef int mark_inputs(Pass p, list inputs, bint accumulate) except -1
cdef void give_back(Pass p) noexcept
cdef int note_switches(Pass p, State* st) except -1

cdef inline bint are_switched(Pass p, State* st) noexcept:
    """Has user code turned a switch of the thread, and left it so?"""
    return (st.active != p.active or st.grad_off != p.grad_off or st.hooks_off != p.hooks_off
            or modes_on != p.modes_on)

cdef int put_back(Pass p, State* st) except -1
cdef Foreign foreign(Pass p, Node n)
cdef bint visited(Pass p, Node n) except -1
cdef object waiting(Pass p, Node n)
cdef tuple each_output(Node n, object g)


# The three questions of Note [Pruning] in pass_state.pyx. They are asked for every edge, so they are here, where C can
# inline them.

cdef inline bint needed(Pass p, Node n) except -1:
    """Will the node run?"""
    return n.needed if n.task == <void*>p else foreign(p, n).needed


cdef inline bint captured(Pass p, Node n) except -1:
    """Was the gradient of one of its outputs asked for?"""
    return n.captured if n.task == <void*>p else foreign(p, n).captured


cdef inline bint wanted(Pass p, Node n) except -1:
    """Will anything be done with a gradient that arrives at the node?"""
    return not p.pruned or needed(p, n) or captured(p, n)
