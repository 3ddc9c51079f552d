"""The backward pass.

This is all of it, as one would write it on a blackboard::

    def backward(roots, gradients):
        count(roots)                                    # node.deps: how many gradients will arrive at each node
        for root, gradient in zip(roots, gradients):
            deliver(root, gradient)
        while ready:
            node = ready.pop()                          # of the nodes that are ready, the one recorded latest
            g = node.buffer                             # the sum of all that has arrived
            if node.is_leaf:
                node.leaf.grad += g
            for edge, formula in zip(node.edges, node.formulas):
                deliver(edge.node, fit(formula(g, *node.saved), edge))

    def deliver(node, gradient):
        node.buffer += gradient
        node.deps -= 1
        if node.deps == 0:
            ready.push(node)

The file is this program in its order (`run`, the start, the heap, `deliver`, a node).  What the program does not show:

======================================================  ===============================================
the count; only what leads to `inputs`; other passes    pass_state.pyx, Note [Pruning], Note [Claims]
gradients that are returned: `inputs=`                  captured_gradients.pyx
formulas as programs on arrays                          formulas.pyx, Note [Formulas as programs]
shapes and dtypes: `fit`                                fitting.pyx
the two `+=`: what may be written to; a lock            accumulate_grad.pyx, Note [What may be written to]
hooks, and Ctrl-C                                       hooks.pyx
nodes that must know all their gradients at once        all_gradients.pyx
a profiler, anomaly mode, a story                       watched_pass.pyx, Note [Stories]
passes inside passes                                    nested_passes.pyx, Note [Passes in other threads]
an engine of the user's: use_engine                     user_engines.pyx
======================================================  ===============================================

There is no recursion anywhere, so a chain of a million nodes is as safe as one of ten.

Note [What flows]
-----------------
A gradient is an array or a Tensor, and one pass has gradients of one sort only::

    the pass                                   what flows          a formula runs as      recorded
    loss.backward()                            arrays              a program              no
    grad(..., create_graph=True)               Tensors             its text               yes
    grad(y, x, v), v mapped over by vmap       Tensors             its text               no
    in a dual level                            Tensors             its text               no, but tangents are
    inside func.grad: level 1                  Tensors of level 0  its text               as on level 0

In the first, that of a training loop, no Tensor is built at all.  In the last, `on_payloads`, the gradients of tensors
of level 1 flow as payloads, one level down (Note [Levels] in levels.pyx).  Hooks and custom Functions always see
Tensors.
"""

import sys

import numpy as np

from minigrad._core.backward.accumulate_grad cimport accumulate, retain_all, sum_two
from minigrad._core.backward.all_gradients cimport (InputWalk, any_wanted, gradient, is_last, one_for_each, onward,
                                                    seen_gradients, the_only)
from minigrad._core.backward.captured_gradients cimport captured_results, goes_on
from minigrad._core.backward.fitting cimport cast_like, fit, meta_of
from minigrad._core.backward.hooks cimport after_node, arrived, before_node, before_tensors, hear_signals
from minigrad._core.backward.nested_passes cimport elsewhere, is_deep
from minigrad._core.backward.pass_state cimport (Foreign, Pass, are_switched, count_all, count_needed, foreign,
                                                 give_back, mark_inputs, note_switches, put_back, visited)
from minigrad._core.backward.user_engines cimport Delegation, delegated, engine_of_thread, engines, pass_for, walk
from minigrad._core.backward.user_engines import set_engine
from minigrad._core.backward.watched_pass cimport set_watch, tell_delivery, watch
from minigrad._core.dispatch.compute cimport may_cross
from minigrad._core.dispatch.op cimport TENSORS, Formula, Op
from minigrad._core.errors.refusals import gradient_without_data, laid_out_otherwise, not_one_each, of_another_level
from minigrad._core.graph cimport NOTHING, VALUE, Edge, Node, Tensor, new_tensor, node_of, root_of
from minigrad._core.graph.listener cimport NODE
from minigrad._core.graph.saved_slots cimport release_saved
from minigrad._core.graph.saved_tensors cimport second_time
from minigrad._core.graph.view_history cimport CopySlices
from minigrad._core.runtime.array_freelist cimport leave, own
from minigrad._core.runtime.errstate cimport silence, unsilence
from minigrad._core.runtime.malloc cimport with_room
from minigrad._core.runtime.numpy_api cimport (NPY_ARRAY_OWNDATA, NPY_ARRAY_WRITEABLE, PyArray_BASE, PyArray_CHKFLAGS,
                                               PyArray_NDIM, PyArray_SIZE, ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport PyObject, Py_DECREF, Py_INCREF, Py_REFCNT
from minigrad._core.runtime.source_lines cimport note_call
from minigrad._core.runtime.thread_state cimport ANOMALY, State, state


# ------------------------------------------------------------------------------ the pass

# `run` makes the pass and sets the modes of the thread; `backward` is the program above. Whatever happens there, also
# in the user's hooks, `run` leaves the modes of the thread, and the claims on nodes, as it found them.

def run(list roots, list gradients, bint keep, bint create_graph, list inputs=None, bint accumulate=True,
        bint raw=False, bint delegate=True):
    """Run a backward pass.

    ``roots`` are tensors and ``gradients`` the tensors to start from.  Without ``inputs`` every leaf
    accumulates.  With ``inputs`` (tensors) only what leads to them runs: they accumulate, or, with
    ``accumulate=False``, their gradients are returned in a list, None for those that got none.
    ``raw`` returns the payloads of a transform's level rather than tensors of it.  The engine of the user walks, if the
    thread has one; ``delegate=False`` is for passes that are part of one operation.
    """
    cdef Pass p
    cdef Delegation users = None
    cdef State* st = state()
    cdef int grad_off = st.grad_off
    cdef PyObject* outer = st.task
    cdef bint finished = False, switched
    if st.task != NULL and is_deep(st):         # a pass in a pass in a pass: go on in a thread with a new stack
        return elsewhere(run_with, (engine_of_thread(), roots, gradients, keep, create_graph, inputs, accumulate, raw,
                                    delegate))
    p = Pass.__new__(Pass)
    p.keep = keep
    p.create_graph = create_graph
    p.call = note_call()
    check_start(p, roots, gradients)
    p.tensors = p.tensors or create_graph or st.forward != 0 or may_cross()
    p.grad_off = grad_off if p.on_payloads else not create_graph
    if engines and delegate and engine_of_thread() is not None:
        users = delegated(p, st, engine_of_thread(), inputs, accumulate)
    note_switches(p, st)
    p.quiet = silence()                 # 1/0 is inf without a warning, in a pass as in an operation
    st.task = <PyObject*>p
    st.depth += 1                       # passes inside each other on this stack, and
    st.nested += 1                      # with those in other threads: `is_deep` in nested_passes.pyx
    try:
        if inputs is not None:
            p.pruned = True
            p.captures = {}
            p.results = [None] * len(inputs)
            mark_inputs(p, inputs, accumulate and users is None)
        backward(p, st, roots, gradients, users)
        finished = True
    finally:                            # what cannot fail comes first, so that all is put back after an error too
        unsilence(p.quiet)
        switched = are_switched(p, st)
        st.grad_off = grad_off
        st.task = outer
        st.depth -= 1
        st.nested -= 1
        give_back(p)
        if switched:
            put_back(p, st)
            st.grad_off = grad_off
        if p.story is not None:
            p.story.end(None if finished else sys.exc_info()[1])
    return None if inputs is None or accumulate else captured_results(p, inputs, raw)


def run_with(engine, *arguments):
    """``run(*arguments)`` with an engine of the user's, in a thread that knows of none."""
    set_engine(engine)
    try:
        return run(*arguments)
    finally:
        set_engine(None)


cdef int backward(Pass p, State* st, list roots, list gradients, Delegation users) except -1:
    """Count, begin at the roots, and run nodes until none is ready."""
    cdef Node n
    cdef npy_intp work = 0              # how much work was done since the last look for Ctrl-C
    cdef int grad_off = st.grad_off
    if p.pruned:
        count_needed(p)
    else:
        count_all(p)
    st.grad_off = p.grad_off
    if st.anomaly & ANOMALY or st.listener != NULL or st.story != NULL:
        set_watch(p, st, roots, gradients)
    if users is not None:
        return walk(users, roots, gradients)
    seed(p, roots, gradients)
    while p.n_ready:
        n = <Node>pop(p)
        work += work_of(n)
        if work >= LONG:
            hear_signals(p, grad_off)
            work = 0
        if p.watched:
            watch(p, n, execute)
        else:
            execute(p, n)
        if are_switched(p, st):
            put_back(p, st)
    return 0


# Ctrl-C is heard between two nodes. Asking for signals costs as much as a small node, so the loop asks only after some
# work.

cdef enum:
    LONG = 64                   # in the units of `work_of`


cdef inline npy_intp work_of(Node n) noexcept:
    """About how long a node takes: 1 for one with a small gradient, and 1 more for every 64 elements."""
    if n.buffer == NULL or type(<object>n.buffer) is not ndarray:
        return 1
    return 1 + (PyArray_SIZE(<ndarray>n.buffer) >> 6)


# ------------------------------------------------------------------------------ the start

# The roots and their gradients come from outside, and nothing else reaches the pass unchecked. Their levels decide what
# flows; see Note [What flows].

cdef int check_start(Pass p, list roots, list gradients) except -1:
    """Check the roots and the gradients to start from, and decide what flows."""
    cdef Tensor t, g
    if len(gradients) != len(roots):
        raise not_one_each(roots, gradients)
    p.roots = [root_of(<Tensor?>x) for x in roots]
    p.n_roots = len(roots)
    p.level = (<Tensor>roots[0]).level if roots else 0
    if p.level:
        p.on_payloads = not p.create_graph
        p.tensors = True
    for i in range(p.n_roots):
        t = roots[i]
        g = <Tensor?>gradients[i]
        if g.payload is None:
            raise gradient_without_data(i)
        if t.level != p.level:
            raise of_another_level(i)
        p.tensors = p.tensors or g.level != 0 or type(t.payload) is not ndarray     # of a transform, or without data
    return 0


cdef int seed(Pass p, list roots, list gradients) except -1:
    """Deliver to the roots the gradients to start from."""
    cdef Tensor t, g
    cdef int i, event = 0
    if p.listener is not None:
        event = p.listener.begin("torch::autograd::GraphRoot", NODE, -1, gradients if p.listener.shapes else None)
    try:
        for i in range(len(roots)):
            t = roots[i]
            g = gradients[i]
            deliver(p, <Node>p.roots[i], t.nr,
                    g if p.tensors and not (p.on_payloads and g.level == t.level) else g.payload)
    finally:
        if p.listener is not None:
            p.listener.end(event)
    return 0


# ------------------------------------------------------------------------------ the ready heap

# Note [The ready heap]
# ---------------------
# A node is ready when its last gradient has come.  Of the ready ones the latest recorded runs first:
#
#     a = f(x)     seq 1            counts: f 2, g 1, h 1                heap
#     b = g(a)     seq 2            run h (3): g and f get one each      [g 2]
#     c = h(b, a)  seq 3            run g (2): f gets its second         [f 1]
#                                   run f (1)
#
# Counting alone would give right sums.  The order makes the pass deterministic, frees first what was saved
# last, and keeps few buffers alive.  AccumulateGrad nodes have the highest number of all: a leaf's gradient
# is put away as soon as it is complete.

cdef inline int push(Pass p, Node n) except -1:
    """`n` is ready."""
    cdef Py_ssize_t i = p.n_ready, parent
    if p.n_ready == p.room_ready:
        p.ready = <PyObject**>with_room(p.ready, &p.room_ready, sizeof(PyObject*))
    p.n_ready += 1
    while i:
        parent = (i - 1) >> 1
        if (<Node>p.ready[parent]).seq >= n.seq:
            break
        p.ready[i] = p.ready[parent]
        i = parent
    p.ready[i] = <PyObject*>n
    return 0


cdef inline PyObject* pop(Pass p) noexcept:
    """Of the nodes that are ready, the one recorded latest."""
    cdef PyObject* first = p.ready[0]
    cdef PyObject* last
    cdef Py_ssize_t i = 0, child
    p.n_ready -= 1
    last = p.ready[p.n_ready]
    while True:
        child = 2 * i + 1
        if child >= p.n_ready:
            break
        if child + 1 < p.n_ready and (<Node>p.ready[child + 1]).seq > (<Node>p.ready[child]).seq:
            child += 1
        if (<Node>p.ready[child]).seq <= (<Node>last).seq:
            break
        p.ready[i] = p.ready[child]
        i = child
    p.ready[i] = last
    return first


# ------------------------------------------------------------------------------ delivering

# The first gradient that arrives is the buffer; a second is added to it. A node with several outputs has a list, with a
# place for each. None arrives too, where an edge had nothing to send: it counts, and adds nothing. A node that another
# pass has claimed has its fields in a `Foreign`, `f`; Note [Claims] in pass_state.pyx.
#
# `sum_two` may add into a buffer if nobody else has a reference to it. So mind the references that are held here; see
# Note [What may be written to] in accumulate_grad.pyx.

cdef int deliver(Pass p, Node n, int nr, object g) except -1:
    """A gradient (or None) for output `nr` of `n` arrives."""
    cdef object old
    cdef Foreign f = None
    if n.task != <void*>p:
        f = foreign(p, n)
    if g is not None:
        if n.several or n.n_outputs > 1:
            deliver_to_list(p, n, f, nr, g)
        elif f is not None:
            f.buffer = g if f.buffer is None else sum_two(p, f.buffer, g)
        elif n.buffer == NULL:
            Py_INCREF(g)
            n.buffer = <PyObject*>g
        else:
            old = <object>n.buffer
            g = sum_two(p, old, g)
            Py_INCREF(g)
            n.buffer = <PyObject*>g
            Py_DECREF(old)
    if f is not None:
        f.deps -= 1
        if f.deps == 0:
            push(p, n)
    else:
        n.deps -= 1
        if n.deps == 0:
            push(p, n)
    return 0


cdef int deliver_to_list(Pass p, Node n, Foreign f, int nr, object g) except -1:
    """The same for a node with several outputs."""
    cdef list buffer
    cdef object old
    if f is not None:
        if f.buffer is None:
            f.buffer = [None] * n.n_outputs
        buffer = f.buffer
    else:
        if n.buffer == NULL:
            new = [None] * n.n_outputs
            Py_INCREF(new)
            n.buffer = <PyObject*>new
        buffer = <list>n.buffer
    old = buffer[nr]
    if old is not None:
        g = sum_two(p, old, g)
    buffer[nr] = g
    return 0


cdef object take(Pass p, Node n):
    """What has arrived at `n`; its buffer is empty afterwards."""
    cdef object g
    cdef Foreign f
    if n.task == <void*>p:
        if n.buffer == NULL:
            return None
        g = <object>n.buffer
        Py_DECREF(g)
        n.buffer = NULL
        return g
    f = foreign(p, n)
    g = f.buffer
    f.buffer = None
    return g


# ------------------------------------------------------------------------------ running a node

# The node of an op runs formula by formula: a gradient is handed on before the next is computed, so that only one of
# them is alive at a time. That is `execute`, and most of a pass is spent there. It goes over the edges with an
# `InputWalk`, since a list of tensors is one parameter with one formula, but has an edge for each tensor
# (all_gradients.pxd).
# `execute_leaf` ends at .grad, and `execute_general` is for everything that must see all gradients of a node together
# (all_gradients.pyx).

cdef int execute(Pass p, Node n) except -1:
    """Hooks, capture, the formulas, and on to the next nodes."""
    cdef object g = take(p, n)          # the gradient of the output
    cdef Op op
    cdef object r                       # that of an input
    cdef PyObject* last
    cdef Edge* edge
    cdef InputWalk w = InputWalk(-1, 0, 0)
    cdef int k
    if p.pruned and not goes_on(p, n, g):
        return 0
    if n.hooks is not None:
        g = before(p, n, g)
    elif n.accumulates and (<Tensor>n.op).hooks is not None:
        g = before_tensors(p, n, g)
    if n.accumulates:
        return execute_leaf(p, n, g)
    # A custom Function or CopySlices; saved-tensor hooks; a profiler, anomaly mode or a story; hooks after the node.
    if n.op is None or n.packed or p.watched or (n.hooks is not None and n.hooks.after):
        return execute_general(p, n, g)
    if n.freed:
        raise second_time(n)
    op = <Op>n.op
    g = the_only(op, g)                 # of several outputs, the one that has a gradient
    while onward(&w, op, n):
        r = None
        if any_wanted(p, n, &w):        # the last formula may write its result over `g`
            r = gradient(p, <Formula>op.formulas[op.formula_of[w.i]], op, n, g, None,
                         only_here(g) and is_last(p, n, &w))
        edge = &n.edges[w.first]
        if op.type_of[w.i] == TENSORS:
            r = one_for_each(r, op, <Formula>op.formulas[op.formula_of[w.i]], w.many)
            for k in range(w.many):
                if edge[k].node != NULL:
                    deliver(p, <Node>edge[k].node, edge[k].nr,
                            None if r is None else fit(p, r[k], n, w.first + k))
        elif edge.node != NULL:
            r = cast_like(r, g, n, w.first) if meta_of(n, w.first) == NULL else fit(p, r, n, w.first)
            deliver(p, <Node>edge.node, edge.nr, r)
            last = own(r)                       # the buffer has it now, or it has been added to what was there
            r = None
            leave(last)
    last = own(g)
    g = None
    leave(last)
    if not p.keep:
        let_go(p, n)
    return 0


cdef inline bint only_here(object g) noexcept:
    """Is the variable `g` all that refers to the array?  Note [What may be written to] in accumulate_grad.pyx."""
    return (type(g) is ndarray and Py_REFCNT(<PyObject*>g) == 1 and PyArray_BASE(<ndarray>g) == NULL
            and PyArray_CHKFLAGS(<ndarray>g, NPY_ARRAY_OWNDATA | NPY_ARRAY_WRITEABLE))


cdef object before(Pass p, Node n, object g):
    """Everything that happens to a gradient before the node uses it: tensor hooks, retained grads, node prehooks."""
    g = before_tensors(p, n, g)
    retain_all(p, n, g)
    return before_node(p, n, g) if n.hooks.before else g


cdef int execute_leaf(Pass p, Node n, object g) except -1:
    """An AccumulateGrad, and the hooks on it."""
    if n.in_place:
        raise laid_out_otherwise(n.op)
    accumulate(p, <Tensor>n.op, g)
    if n.hooks is not None and n.hooks.after:
        after_node(p, n, (), arrived(p, n, g))
    return 0


cdef int execute_general(Pass p, Node n, object g) except -1:
    """Compute all gradients, and only then deliver them: hooks, stories and anomaly mode see them in between."""
    cdef list results = seen_gradients(p, n, g)
    cdef int e
    for e in range(n.n_edges):
        if n.edges[e].node != NULL:
            fitted = fit(p, results[e], n, e)
            deliver(p, <Node>n.edges[e].node, n.edges[e].nr, fitted)
            if p.story is not None:
                tell_delivery(p, n, e, fitted)
    if not p.keep:
        let_go(p, n)
    return 0


# ------------------------------------------------------------------------------ after

# Without retain_graph the memory of the forward pass is given back while the backward pass runs.

cdef int let_go(Pass p, Node n) except -1:
    """Free what the node saved, unless it is only shapes and parameters: such a node may run again.

    A CopySlices, the node of a write through a view (view_history.pyx), has the node of the write itself inside it.  In
    a double backward that one may also be in the graph by itself, and runs later: then it keeps what it saved.
    """
    cdef int i
    if n.op is None and isinstance(n, CopySlices) and not visited(p, <Node>(<CopySlices>n).inner):
        let_go(p, <Node>(<CopySlices>n).inner)
    if n.saved == NULL:
        return 0
    for i in range(n.n_saved):
        if n.saved[i].kind != NOTHING and n.saved[i].kind != VALUE:
            n.freed = p.call
            release_saved(n)
            return 0
    return 0


def free(Node node not None):
    """Free what ``node`` saved: in a pass without retain_graph, an engine of the user's does this once it has run.

    >>> from minigrad.autograd import engines
    >>> node = torch.ones(2, requires_grad=True).exp().grad_fn
    >>> engines.free(node)
    >>> node(torch.ones(2))
    Traceback (most recent call last):
    minigrad._core.errors.AutogradRuntimeError: Trying to backward through the graph a second time ...
    """
    cdef Pass p = pass_for(node)
    if p.call == 0:
        p.call = note_call()
    let_go(p, node)
