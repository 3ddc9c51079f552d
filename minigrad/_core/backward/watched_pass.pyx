"""A backward pass that is watched: by a profiler, by anomaly mode, or by a recorder that tells its story.

A pass asks once, when it begins, whether one of them is on (`set_watch`).  If so, its nodes run in `watch`, which runs
the same node in the same way and reports it.  Otherwise none of this file runs.

Note [Stories]
--------------
A program that shows a backward pass step by step (the player in minigrad/viz) is told each step by the engine
itself, as it happens, so that the numbers shown are the numbers computed::

    begin(roots, gradients, keep, create_graph)
      enter(node, gradients)                        one for each output, summed
        hook(node, where, function, received, returned)
        unpacked(node, contents)                    by saved-tensor hooks, slot by slot
        leave(node, gradients, results)             after its formulas: one result for each edge
        deliver(node, edge, gradient, total)        fitted; and what has arrived there so far
        accumulate(node, leaf, before, gradient, after)
        capture(node, output, gradient)             for autograd.grad(..., inputs)
    end(error)

A story lives on the thread, is told of every pass that begins there, and must copy what it keeps: gradients are
added to in place.
"""

import numpy as np

from minigrad._core.backward.pass_state cimport Pass, captured, each_output, needed, waiting, wanted
from minigrad._core.graph cimport Node, Tensor, publish
from minigrad._core.graph.listener cimport NODE, Listener
from minigrad._core.runtime.provided cimport provided
from minigrad._core.runtime.python_api cimport PyObject, Py_INCREF, Py_XDECREF
from minigrad._core.runtime.thread_state cimport ANOMALY, State, state


def set_story(story):
    """From now on ``story`` is told of the backward passes of this thread; None ends that.

    Returns the story that was told before.
    """
    cdef State* st = state()
    before = None if st.story == NULL else <object>st.story
    Py_XDECREF(st.story)
    st.story = NULL
    if story is not None:
        Py_INCREF(story)
        st.story = <PyObject*>story
    return before


# ------------------------------------------------------------------------------ watching

cdef int set_watch(Pass p, State* st, list roots, list gradients) except -1:
    """One of the three is on in this thread: note in the pass which."""
    cdef Tensor t
    p.watched = True
    p.anomaly = st.anomaly if st.anomaly & ANOMALY else 0
    if st.listener != NULL:
        p.listener = <Listener>st.listener
        # Note [Calls in full] in listener.pyx
        p.tensors = p.tensors or p.listener.calls and not p.listener.watches
    if st.story != NULL:
        story = <object>st.story
        story.begin([(publish(<Node>p.roots[i]), t.nr) for i, t in enumerate(roots)], list(gradients), p.keep,
                    p.create_graph)
        p.story = story                 # it is told of the end only if it knows of the beginning
    return 0


cdef int watch(Pass p, Node n, Run run) except -1:
    """Run a node, and report it to anomaly mode, to a profiler or to a story."""
    cdef State* st = state()
    cdef PyObject* before = st.evaluating
    cdef Node outer = p.running
    cdef Listener listener = p.listener
    cdef int event = 0
    if p.pruned and not wanted(p, n):
        return run(p, n)
    if p.pruned and captured(p, n) and not needed(p, n):
        listener = None                         # its gradient is handed out, and the node itself does not run
    publish(n)
    p.running = n
    if p.story is not None:
        p.story.enter(n, each_output(n, waiting(p, n)))
    if listener is not None:
        event = listener.begin(type(n).name(n), NODE, -1 if n.accumulates else n.seq,
                               each_output(n, waiting(p, n)) if listener.shapes else None)
    if p.anomaly:
        st.evaluating = <PyObject*>n            # nodes made meanwhile note that this one's backward made them
    try:
        run(p, n)
    except Exception as e:
        if p.anomaly:
            provided.tell_origin(n, e)
        raise
    finally:
        st.evaluating = before
        p.running = outer
        if listener is not None:
            listener.end(event)
    return 0


cdef int tell_delivery(Pass p, Node n, int e, object gradient) except -1:
    """Tell the story what went along an edge, and what has arrived there so far."""
    cdef Node to = <Node>n.edges[e].node
    p.story.deliver(publish(n), e, gradient, each_output(to, waiting(p, to))[n.edges[e].nr])
    return 0


# ------------------------------------------------------------------------------ nans

# Anomaly mode checks what each node hands on. Of a nan it says which formula made it, from which gradients, and which
# nodes had sent those.

cdef int look_for_nan(Pass p, Node n, object g, list results) except -1:
    """Raise an error if there is a nan in `results`, which are arrays or Tensors."""
    for e, x in enumerate(results):
        array = array_of(x)
        # not any(), which raises a SystemError if there is no memory
        if type(array) is np.ndarray and np.count_nonzero(np.isnan(array)):
            incoming = [array_of(y) for y in each_output(n, g)]
            provided.refuse_nan(publish(n), e, incoming, array, [publish(m) for m in above(p, n)])
    return 0


cdef object array_of(object x):
    """The array at the bottom of a Tensor of a transform."""
    while isinstance(x, Tensor):
        x = (<Tensor>x).payload
    return x


cdef list above(Pass p, Node n):
    """The nodes of the pass that send their gradients to `n`."""
    cdef Py_ssize_t i
    cdef int e
    cdef Node m
    cdef list found = []
    for i in range(p.n_nodes):
        m = <Node>p.nodes[i]
        for e in range(m.n_edges):
            if m.edges[e].node == <PyObject*>n:
                found.append(m)
    return found
