"""The backward pass.

From the roots the engine walks the graph once to count, for every node, how many gradients will arrive.
Then it runs nodes as they become ready, the one recorded latest first::

    seed -> count -> pop the latest ready node -> hooks -> its formulas -> fit to the edge -> add to the
    buffer of the next node -> ... -> AccumulateGrad adds to .grad of the leaf

There is no recursion anywhere, so a chain of a million nodes is as safe as one of ten.

What flows is, in a plain pass, bare arrays: no Tensor is built.  With ``create_graph=True`` it is
Tensors, so that everything done to them is recorded in turn; inside a transform it is the payloads of
that transform's level (which are Tensors too).  Hooks and custom Functions always see Tensors.

Note [Claims]
-------------
The fields of a pass (gradients still to come, the buffer) live on the node itself, because looking
them up in a dictionary costs more than everything else together.  So a pass claims each node that it
meets by writing its own address on it:

    node.task -> pass A             A uses node.deps, node.buffer
    node.task -> pass A, B meets it B keeps these fields in B.foreign[node]

Two passes meet where a hook or a custom Function starts another backward over the same graph, or where
two threads do.  A pass gives its claims back when it ends, also when it ends with an exception.
"""

cimport cython
from cpython.ref cimport PyObject, Py_INCREF, Py_DECREF, Py_XDECREF
from posix.unistd cimport usleep
cimport numpy as cnp
from numpy cimport ndarray, npy_intp

import sys

import numpy as np

from minigrad._core.errors import error, place_of
from minigrad._core.modes cimport ANOMALY, NAN_ALLOWED, State, interpreter_of, is_alive, state, thread_number
from minigrad._core.nesting cimport elsewhere, heed_sender, is_deep
from minigrad._core.places cimport note_call
from minigrad._core.graph cimport (NOTHING, VALUE, Edge, Meta, Node, NodeHooks, Tensor, TensorHooks, Version,
                                   count_write, dtype_of, new_tensor, node_of, publish, release_saved, root_of, version_of,
                                   with_room)
from minigrad._core.saved cimport second_time, unpack
from minigrad._core.packing cimport before_write
from minigrad._core.computing cimport resume, silence, unsilence
from minigrad._core.op cimport TENSORS, Formula, Op
from minigrad._core.formulas cimport apply_formula, apply_text
from minigrad._core.profiling cimport NODE, OP, Listener
from minigrad._core.loops cimport add, add_into, same_shape
from minigrad._core.reductions cimport sum_of, sum_rows, total
from minigrad._core.views cimport CopySlices, part_of, read_part, room_like_base, with_part
from minigrad._core.vocabulary cimport words

cnp.import_array()

cdef extern from "Python.h":
    Py_ssize_t Py_REFCNT(PyObject*)
    void PyMem_Free(void*)
    int PyErr_CheckSignals() except -1

cdef extern from "numpy/arrayobject.h":
    int PyArray_NDIM(ndarray) nogil
    npy_intp* PyArray_DIMS(ndarray) nogil
    npy_intp* PyArray_STRIDES(ndarray) nogil
    npy_intp PyArray_ITEMSIZE(ndarray) nogil
    int PyArray_TYPE(ndarray) nogil
    int PyArray_CHKFLAGS(ndarray, int) nogil
    PyObject* PyArray_BASE(ndarray) nogil
    npy_intp PyArray_SIZE(ndarray) nogil


# ------------------------------------------------------------------------------ what a pass knows

@cython.final
cdef class Foreign:
    """The fields of a node that another pass has claimed."""
    cdef object buffer
    cdef int deps
    cdef bint needed, captured


@cython.final
cdef class Pass:
    cdef PyObject** visited             # every node met, borrowed: the roots keep them alive
    cdef Py_ssize_t n_visited, room_visited
    cdef PyObject** ready               # a binary heap by sequence number, borrowed too
    cdef Py_ssize_t n_ready, room_ready
    cdef dict foreign                   # address of node -> Foreign; None as long as there is none
    cdef list roots                     # the nodes it begins at, and those of the inputs, which it thereby keeps
    cdef Py_ssize_t n_roots             # how many of them are the first kind
    cdef dict captures                  # (address of node, output number) -> places in results
    cdef list results
    cdef bint keep                      # retain_graph
    cdef bint create_graph
    cdef bint grad_off                  # the grad mode in which nodes and hooks run
    cdef dict notes                     # what hooks keep for the time of this pass
    cdef object quiet                   # the context in which it runs: Note [Quiet contexts] in computing.pyx
    cdef bint tensors                   # gradients are Tensors, not arrays
    cdef bint on_payloads               # ... namely payloads of a transform's level
    cdef int level                      # the level of the roots; Note [Levels] in levels.pyx
    cdef bint pruned                    # only what leads to `inputs` runs
    cdef bint watched                   # one of the three is on: nodes are run by `watch`
    cdef int anomaly                    # the flags of anomaly mode
    cdef Listener listener              # hears of each node and operation; see profiling.pyx
    cdef object story                   # is told every step; see Note [Stories]
    cdef Node running                   # the node whose hooks the story is told of
    cdef int call                       # the number of the place that called backward; Note [Where in the user's program] in places.pyx

    def __dealloc__(self):
        PyMem_Free(self.visited)
        PyMem_Free(self.ready)


cdef object _tell_origin, _refuse_nan


def register_anomaly(tell_origin, refuse_nan):
    """What anomaly mode says of an error, ``tell_origin(node, error)``, and of a nan; see autograd/anomaly_mode.py."""
    global _tell_origin, _refuse_nan
    _tell_origin, _refuse_nan = tell_origin, refuse_nan


def laid_out_kernel(g, like):
    """A copy of the gradient ``g`` with the strides that .grad of a tensor of the array ``like`` is to have."""
    return laid_out_as(g, new_tensor(like))


# ------------------------------------------------------------------------------ the pass

def run(list roots, list gradients, bint keep, bint create_graph, list inputs=None, bint accumulate=True, bint raw=False):
    """Run a backward pass.

    ``roots`` are tensors and ``gradients`` the tensors to start from.  Without ``inputs`` every leaf
    accumulates.  With ``inputs`` (tensors) only what leads to them runs: they accumulate, or, with
    ``accumulate=False``, their gradients are returned in a list, None for those that got none.
    ``raw`` returns the payloads of a transform's level rather than tensors of it.
    """
    cdef Pass p
    cdef State* st = state()
    cdef int grad_off = st.grad_off
    cdef PyObject* outer = st.task
    cdef Node n
    cdef bint whole = False
    cdef npy_intp deaf = 0
    if st.task != NULL and is_deep(st):
        return elsewhere(run, (roots, gradients, keep, create_graph, inputs, accumulate, raw))
    p = Pass.__new__(Pass)
    p.keep = keep
    p.create_graph = create_graph
    p.call = note_call()
    check_start(p, roots, gradients)
    p.tensors = p.tensors or create_graph or st.forward != 0
    p.quiet = silence()                 # 1/0 is inf without a word, in a pass as in an operation
    st.task = <PyObject*>p
    st.depth += 1
    st.nested += 1
    try:
        if inputs is not None:
            p.pruned = True
            p.captures = {}
            p.results = [None] * len(inputs)
            mark_inputs(p, inputs, accumulate)
            count_needed(p)
        else:
            count_all(p)
        p.grad_off = not create_graph if not p.on_payloads else grad_off
        st.grad_off = p.grad_off
        if st.anomaly & ANOMALY or st.listener != NULL or st.story != NULL:
            set_watch(p, st, roots, gradients)
        seed(p, roots, gradients)
        while p.n_ready:
            n = <Node>pop(p)
            deaf += work_of(n)
            if deaf >= LONG:
                hear_signals(p, grad_off)
                deaf = 0
            if p.watched:
                watch(p, n)
            else:
                execute(p, n)
        whole = True
    finally:                            # first what cannot fail: after an error, too, all is as before
        unsilence(p.quiet)
        st.grad_off = grad_off
        st.task = outer
        st.depth -= 1
        st.nested -= 1
        end(p)
        if p.story is not None:
            p.story.end(None if whole else sys.exc_info()[1])
    if inputs is None or accumulate:
        return None
    return [None if x is None else wrap_result(p, x, inputs[i], raw) for i, x in enumerate(p.results)]


cdef enum:
    LONG = 64                   # so much work, in the units of `work_of`, and then we listen for Ctrl-C


cdef inline npy_intp work_of(Node n) noexcept:
    """About how long a node takes: 1 for one with a small gradient, and 1 more for every 64 elements."""
    if n.buffer == NULL or type(<object>n.buffer) is not ndarray:
        return 1
    return 1 + (PyArray_SIZE(<ndarray>n.buffer) >> 6)


cdef int hear_signals(Pass p, int grad_off) except -1:
    """Let Python's signal handlers run, in the modes of the one who called backward:
    Ctrl-C ends a pass between two nodes."""
    cdef State* st = state()
    unsilence(p.quiet)
    st.grad_off = grad_off
    try:
        PyErr_CheckSignals()
        if st.errand != NULL:
            heed_sender(st)
    finally:
        resume(p.quiet)
        st.grad_off = p.grad_off
    return 0


cdef int check_start(Pass p, list roots, list gradients) except -1:
    """Take the roots and what is to start from them: nothing else reaches the pass unchecked."""
    cdef Tensor t, g
    if len(gradients) != len(roots):
        raise error("MG113", f"got {len(roots)} tensors and {len(gradients)} gradients: a backward pass needs one "
                             "gradient for each")
    p.roots = [root_of(<Tensor?>x) for x in roots]
    p.n_roots = len(roots)
    p.level = (<Tensor>roots[0]).level if roots else 0
    if p.level:
        p.on_payloads = not p.create_graph
        p.tensors = True
    for i in range(p.n_roots):
        t = roots[i]
        g = <Tensor?>gradients[i]
        if g.data is None:
            raise error("MG114", f"the gradient for element {i} is a Tensor without data, made by __new__ alone: use "
                                 "torch.tensor(...)")
        if t.level != p.level:
            raise error("MG117", f"element {i} of tensors comes from another transform (vmap, grad, jvp) than element "
                                 "0, or from none: differentiate them one after the other")
        p.tensors = p.tensors or g.level != 0       # a transform maps over the cotangents
    return 0


cdef int seed(Pass p, list roots, list gradients) except -1:
    """Hand the roots the gradients to start from."""
    cdef Tensor t, g
    cdef int i, place = 0
    if p.listener is not None:
        place = p.listener.begin("torch::autograd::GraphRoot", NODE, -1, gradients if p.listener.shapes else None)
    try:
        for i in range(len(roots)):
            t = roots[i]
            g = gradients[i]
            deliver(p, <Node>p.roots[i], t.nr, (g.data if p.on_payloads and g.level == t.level else g) if p.tensors else g.data)
    finally:
        if p.listener is not None:
            p.listener.end(place)
    return 0


def run_scalar(Tensor root not None):
    """``root.backward()`` for an ordinary real scalar, the case of every training loop; False where `root` is something else."""
    if (type(root.data) is not ndarray or PyArray_NDIM(<ndarray>root.data) or (<ndarray>root.data).dtype.kind != "f"
            or node_of(root) is None):
        return False
    run([root], [new_tensor(np.array(1, (<ndarray>root.data).dtype))], False, False)
    return True


def pass_notes():
    """A dict that belongs to the backward pass that runs in this thread, innermost, and goes with it; None outside of one."""
    cdef PyObject* task = state().task
    cdef Pass p
    if task == NULL:
        return None
    p = <Pass>task
    if p.notes is None:
        p.notes = {}
    return p.notes


def hooks_to_run():
    """The hooks of every tensor whose gradient the running pass will see, one dict for each tensor that has some."""
    cdef PyObject* task = state().task
    cdef Pass p
    cdef Node n
    cdef Py_ssize_t i
    cdef list found = []
    if task == NULL:
        return found
    p = <Pass>task
    for i in range(p.n_visited):
        n = <Node>p.visited[i]
        if not wanted(p, n):
            continue
        if n.accumulates:
            if (<Tensor>n.op).hooks is not None:
                found.append((<TensorHooks>(<Tensor>n.op).hooks).before)
        elif n.hooks is not None:
            found += [(<TensorHooks>h).before for h in n.hooks.tensors.values()]
    return found


cdef object wrap_result(Pass p, object x, Tensor of, bint raw):
    cdef Tensor t
    if not p.tensors:
        return new_tensor(x)
    if p.on_payloads and not raw:
        t = new_tensor(x)
        t.level = of.level
        return t
    return x


cdef void end(Pass p) noexcept:
    """Give back every claim, and drop what is left in the buffers."""
    cdef Py_ssize_t i
    cdef Node n
    cdef PyObject* buffer
    for i in range(p.n_visited):
        n = <Node>p.visited[i]
        if n.task == <void*>p:
            n.task = NULL
            n.deps = 0
            n.needed = n.captured = False
            if n.buffer != NULL:
                buffer = n.buffer
                n.buffer = NULL
                Py_DECREF(<object>buffer)
    p.foreign = None


# ------------------------------------------------------------------------------ counting

cdef Foreign foreign(Pass p, Node n):
    return <Foreign>p.foreign[<size_t><PyObject*>n]


cdef inline bint visit(Pass p, Node n) except -1:
    """One more gradient will come to `n`; True when it is met for the first time."""
    cdef Foreign f
    if n.task == <void*>p:
        n.deps += 1
        return False
    if p.n_visited == p.room_visited:   # before the claim: one that is not written down would never be given back
        p.visited = <PyObject**>with_room(p.visited, &p.room_visited, sizeof(PyObject*))
    if n.task == NULL:
        n.task = <void*>p
        n.deps = 1
        n.needed = not p.pruned
    else:
        if p.foreign is None:
            p.foreign = {}
        f = <Foreign>p.foreign.get(<size_t><PyObject*>n)
        if f is not None:
            f.deps += 1
            return False
        f = Foreign.__new__(Foreign)
        f.deps = 1
        f.needed = not p.pruned
        p.foreign[<size_t><PyObject*>n] = f
    p.visited[p.n_visited] = <PyObject*>n
    p.n_visited += 1
    return True


cdef bint visited(Pass p, Node n) except -1:
    return n.task == <void*>p or (p.foreign is not None and <size_t><PyObject*>n in p.foreign)


cdef int count_all(Pass p) except -1:
    cdef Py_ssize_t i = 0
    cdef int e
    cdef Node n
    for n in p.roots:
        visit(p, n)
    while i < p.n_visited:
        n = <Node>p.visited[i]
        i += 1
        for e in range(n.n_edges):
            if n.edges[e].node != NULL:
                visit(p, <Node>n.edges[e].node)
    return 0


cdef int mark_inputs(Pass p, list inputs, bint accumulate) except -1:
    """Note whose gradients are wanted."""
    cdef Tensor t
    cdef Node n
    cdef int i
    for i, x in enumerate(inputs):
        t = <Tensor?>x
        n = node_of(t)
        if n is None:                           # nothing leads there
            continue
        p.roots.append(n)
        if accumulate:
            p.captures[<size_t><PyObject*>n] = None
        else:
            p.captures.setdefault(<size_t><PyObject*>n, []).append((t.nr, i))
    return 0


cdef int count_needed(Pass p) except -1:
    """Depth first, children before parents: a node is needed if one of its children is, or is wanted."""
    cdef Py_ssize_t i, top = 0, room = 0
    cdef Place* stack = <Place*>with_room(NULL, &room, sizeof(Place))
    cdef Node n, child
    cdef int e
    cdef bint needed
    try:
        for i in range(p.n_roots):
            n = <Node>p.roots[i]
            if not visit(p, n):
                continue
            stack[0].node = <PyObject*>n
            stack[0].edge = 0
            top = 1
            while top:
                n = <Node>stack[top - 1].node
                e = stack[top - 1].edge
                if e < n.n_edges:
                    stack[top - 1].edge = e + 1
                    if n.edges[e].node != NULL:
                        child = <Node>n.edges[e].node
                        if visit(p, child):
                            if top == room:
                                stack = <Place*>with_room(stack, &room, sizeof(Place))
                            stack[top].node = <PyObject*>child
                            stack[top].edge = 0
                            top += 1
                    continue
                top -= 1
                needed = False
                for e in range(n.n_edges):
                    if n.edges[e].node != NULL and wanted(p, <Node>n.edges[e].node):
                        needed = True
                        break
                mark(p, n, needed)
    finally:
        PyMem_Free(stack)
    return 0


cdef struct Place:
    # How far the walk has come at one node.
    PyObject* node
    int edge


cdef int mark(Pass p, Node n, bint needed) except -1:
    cdef bint captured = False
    cdef Foreign f
    if is_input(p, n):
        if p.captures[<size_t><PyObject*>n] is None:
            needed = True
        else:
            captured = True
    if n.task == <void*>p:
        n.needed = needed
        n.captured = captured
    else:
        f = foreign(p, n)
        f.needed = needed
        f.captured = captured
    return 0


cdef bint is_input(Pass p, Node n) except -1:
    """Is `n` the node of one of the inputs?  For a few of them comparing is quicker than a dictionary."""
    cdef Py_ssize_t i, many = len(p.roots)
    if many - p.n_roots > 8:
        return <size_t><PyObject*>n in p.captures
    for i in range(p.n_roots, many):
        if <PyObject*>p.roots[i] == <PyObject*>n:
            return True
    return False


cdef inline bint wanted(Pass p, Node n) except -1:
    """Will anything be done with a gradient that arrives at `n`?"""
    if not p.pruned:
        return True
    return needed(p, n) or captured(p, n)


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
# Counting alone would give right sums; the order makes the pass deterministic, frees what the end of the
# program saved first, and keeps few buffers alive.  AccumulateGrad nodes have the highest number of all: a
# leaf's gradient is put away as soon as it is complete.

cdef inline int push(Pass p, Node n) except -1:
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

# Note [What may be written to]
# -----------------------------
# A formula may hand on what it got (add: both edges get the same array), or a part of what was saved.  So a
# buffer is added to in place only if nobody else can see it, and a reference count says just that:
#
#     buffer of n ---1---> array <---1--- the variable that looks at it (`old`, or `mine` of put_away)
#
# A third reference is another buffer, a hook's tensor, or a saved one; and a view (base is not NULL) shares
# its memory whatever its count.  The counts rely on who holds what in `deliver`, `deliver_to_list` and
# `execute` -> `put_away`: change these only with tests/autograd/test_layouts.py at hand.

cdef inline bint ours(object g) noexcept:
    """Does nobody but one holder, and the caller, know the array?  See Note [What may be written to]."""
    return (Py_REFCNT(<PyObject*>g) <= 2 and type(g) is ndarray and PyArray_BASE(<ndarray>g) == NULL
            and PyArray_CHKFLAGS(<ndarray>g, cnp.NPY_ARRAY_OWNDATA | cnp.NPY_ARRAY_WRITEABLE))


cdef object sum_two(Pass p, object a, object b):
    """The sum of two gradients for one place; `a` is in a buffer."""
    cdef int place
    if p.tensors:
        return words.add(a, b)
    if p.listener is not None:
        place = p.listener.begin("add", OP, 0, [a, b])
        try:
            return add(a, b)
        finally:
            p.listener.end(place)
    if ours(a) and (<object>a).dtype is (<object>b).dtype and same_shape(<ndarray>a, <ndarray>b):
        return add_into(a, b)
    return add(a, b)


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


# ------------------------------------------------------------------------------ fitting to the edge

cdef object fit(Pass p, object g, Meta* m):
    """Reduce a gradient to the input that it is for: summed over broadcast axes, made real, cast."""
    cdef ndarray a
    cdef int i
    cdef bint same
    if m == NULL or g is None:
        return g
    if p.tensors:
        return fit_tensor(g, m)
    a = <ndarray>g
    same = PyArray_NDIM(a) == m.ndim
    for i in range(m.ndim if same else 0):
        if PyArray_DIMS(a)[i] != m.dims[i]:
            same = False
    if not same:
        a = sum_to(a, m) if p.listener is None else sum_to_heard(p, a, m)
    return a if PyArray_TYPE(a) == m.type_num else cast(a, m.type_num)


cdef inline object like(object r, object g):
    """The gradient for an input that needs no fit: it had the dtype of the output, and so have their gradients."""
    if type(r) is ndarray:
        if type(g) is ndarray and PyArray_TYPE(<ndarray>r) != PyArray_TYPE(<ndarray>g):
            return cast(<ndarray>r, PyArray_TYPE(<ndarray>g))
    elif isinstance(r, Tensor) and isinstance(g, Tensor) and not same_type(<Tensor>r, <Tensor>g):
        return words.to_dtype(words.real(r) if r.dtype.is_complex and not g.dtype.is_complex else r, g.dtype)
    return r


cdef inline bint same_type(Tensor a, Tensor b) except -1:
    if type(a.data) is ndarray and type(b.data) is ndarray:
        return PyArray_TYPE(<ndarray>a.data) == PyArray_TYPE(<ndarray>b.data)
    return a.dtype is b.dtype


cdef ndarray cast(ndarray a, int type_num):
    """The gradient as `type_num`: made real first, where only it is complex."""
    target = cnp.PyArray_DescrFromType(type_num)
    if a.dtype.kind == "c" and target.kind != "c":
        a = np.asarray(a.real)
    return a.astype(target)


cdef ndarray sum_to(ndarray a, Meta* m):
    cdef int lead = PyArray_NDIM(a) - m.ndim, i
    cdef object r
    cdef bint plain = lead == 1
    if m.ndim == 0:
        r = sum_of(a)
        return total(a) if r is None else r
    for i in range(m.ndim if plain else 0):
        if PyArray_DIMS(a)[i + 1] != m.dims[i]:
            plain = False
    if plain:
        r = sum_rows(a)
        if r is not None:
            return r
    axes = tuple([i for i in range(PyArray_NDIM(a)) if i < lead or (m.dims[i - lead] == 1 and PyArray_DIMS(a)[i] != 1)])
    shape = tuple([m.dims[i] for i in range(m.ndim)])
    if lead < 0:
        return np.broadcast_to(a, shape)
    return total(a, axes, True).reshape(shape)


cdef ndarray sum_to_heard(Pass p, ndarray a, Meta* m):
    cdef int place = p.listener.begin("sum", OP, 0, [a])
    try:
        return sum_to(a, m)
    finally:
        p.listener.end(place)


cdef object fit_tensor(object g, Meta* m):
    cdef tuple shape = tuple([m.dims[i] for i in range(m.ndim)])
    target = cnp.PyArray_DescrFromType(m.type_num)
    if target.kind != "c" and g.dtype.is_complex:
        g = words.real(g)
    if tuple(g.shape) != shape:
        g = words.sum_to(g, shape)
    if g.dtype.numpy != target:
        g = words.to_dtype(g, dtype_of[target])
    return g


# ------------------------------------------------------------------------------ running a node

cdef int execute(Pass p, Node n) except -1:
    """Hooks, capture, the formulas, and on to the next nodes."""
    cdef object g = take(p, n)
    cdef Op op
    cdef Formula f
    cdef object r
    cdef Edge* edge
    cdef int i, k, e, several
    if p.pruned and not goes_on(p, n, g):
        return 0
    if n.hooks is not None:
        g = before(p, n, g)
    elif n.accumulates:
        g = before_tensors(p, n, g)
    if n.accumulates:
        return execute_leaf(p, n, g)
    if n.op is None or n.packed or p.watched or (n.hooks is not None and n.hooks.after):
        return execute_general(p, n, g)
    if n.freed:
        raise second_time(n)
    op = <Op>n.op
    g = the_only(op, g)
    e = 0
    for i in range(op.n_tensors):
        if op.formula_of[i] < 0:
            continue
        f = <Formula>op.formulas[op.formula_of[i]]
        if op.type_of[i] == TENSORS:
            several = n.n_edges - (op.n_formulas - 1)
            r = None
            for k in range(several):
                if n.edges[e + k].node != NULL and wanted(p, <Node>n.edges[e + k].node):
                    r = gradient(p, f, op, n, g, None)
                    break
            for k in range(several):
                edge = &n.edges[e + k]
                if edge.node != NULL:
                    deliver(p, <Node>edge.node, edge.nr, None if r is None else fit(p, r[k], n.fits[e + k] if n.fits != NULL else NULL))
            e += several
            continue
        edge = &n.edges[e]
        if edge.node != NULL:
            if not p.pruned or wanted(p, <Node>edge.node):
                r = gradient(p, f, op, n, g, None)
                r = fit(p, r, n.fits[e]) if n.fits != NULL and n.fits[e] != NULL else like(r, g)
            else:
                r = None
            deliver(p, <Node>edge.node, edge.nr, r)
            r = None
        e += 1
    if not p.keep:
        let_go(p, n)
    return 0


cdef inline object the_only(Op op, object g):
    """Of the gradients of several outputs, the one that formulas see, where they see only one."""
    return g[op.only] if op.only >= 0 and g is not None else g


cdef bint goes_on(Pass p, Node n, object g) except -1:
    """In a pass that is pruned: keep the gradient for who asked for it, and tell whether the node is to run."""
    if not wanted(p, n):
        return False
    if not captured(p, n):
        return True
    if needed(p, n):                            # kept as it came: the hooks run when the node does
        capture(p, n, g)
        return True
    g = before_tensors(p, n, g)                 # all that is wanted of it is the gradient: with its hooks
    if n.hooks is not None:
        retain_all(p, n, g)
    capture(p, n, g)
    return False


cdef int execute_leaf(Pass p, Node n, object g) except -1:
    """An AccumulateGrad, and the hooks on it."""
    if n.in_place:
        raise error("MG101", "one of the variables needed for gradient computation has been modified by an inplace "
                             "operation: a leaf, now of shape "
                             f"{list((<Tensor>n.op).shape)}, was laid out otherwise (by transpose_, unsqueeze_ or the "
                             "like) after the forward pass, so that its gradient would not lie as it does. Call "
                             "backward() first, or use the out-of-place form.")
    accumulate(p, <Tensor>n.op, g)
    if n.hooks is not None:
        for hook in list(n.hooks.after.values()):
            changed = ask_hook(p, "posthook", hook, ((), as_tensors(p, n, g)))
            if changed is not None:
                checked(p, hook, changed, ())
    return 0


cdef inline object gradient(Pass p, Formula f, Op op, Node n, object g, list values):
    if g is None:
        return None
    if not p.tensors:
        return apply_formula(f, op, g, n, values)
    return apply_text(f, op, g, n, p.on_payloads, values)


cdef int let_go(Pass p, Node n) except -1:
    """Free what the node saved, unless it is only shapes and parameters: such a node may run again.

    The node inside a CopySlices may also run by itself, later in the pass: in a double backward its result is an input.
    """
    cdef int i
    if isinstance(n, CopySlices) and not visited(p, <Node>(<CopySlices>n).inner):
        let_go(p, <Node>(<CopySlices>n).inner)
    if n.saved == NULL:
        return 0
    for i in range(n.n_saved):
        if n.saved[i].kind != NOTHING and n.saved[i].kind != VALUE:
            n.freed = p.call
            release_saved(n)
            return 0
    return 0


cdef inline bint captured(Pass p, Node n) except -1:
    return n.captured if n.task == <void*>p else foreign(p, n).captured


cdef inline bint needed(Pass p, Node n) except -1:
    return n.needed if n.task == <void*>p else foreign(p, n).needed


cdef int capture(Pass p, Node n, object g) except -1:
    """Keep the gradient for the inputs that asked for it."""
    if g is None:
        return 0
    for nr, place in p.captures[<size_t><PyObject*>n]:
        p.results[place] = g[nr] if n.several or n.n_outputs > 1 else g
        if p.story is not None:
            p.story.capture(publish(n), nr, p.results[place])
    return 0


cdef int execute_general(Pass p, Node n, object g) except -1:
    """A custom Function, a CopySlices, or a node with hooks on its results or on what it saved: all results first, then on."""
    cdef list results
    cdef int e
    cdef tuple incoming = None
    if n.hooks is not None and n.hooks.after:
        incoming = as_tensors(p, n, g)
    results = copy_slices(p, <CopySlices>n, g) if isinstance(n, CopySlices) else all_gradients(p, n, g, n)
    if p.story is not None:
        p.story.leave(publish(n), each_output(n, g), tuple(results))
    if incoming is not None:
        outgoing = tuple([None if x is None else boxed(p, x) for x in results])
        for hook in list(n.hooks.after.values()):
            changed = ask_hook(p, "posthook", hook, (outgoing, incoming))
            if changed is not None:
                outgoing = checked(p, hook, changed, outgoing)
        results = [None if x is None else unboxed(p, x) for x in outgoing]
    if p.anomaly and not p.anomaly & NAN_ALLOWED:
        look_for_nan(p, n, g, results)
    for e in range(n.n_edges):
        if n.edges[e].node != NULL:
            fitted = fit(p, results[e], n.fits[e] if n.fits != NULL else NULL)
            deliver(p, <Node>n.edges[e].node, n.edges[e].nr, fitted)
            if p.story is not None:
                p.story.deliver(publish(n), e, fitted, arrived(p, <Node>n.edges[e].node, n.edges[e].nr))
    if not p.keep:
        let_go(p, n)
    return 0


cdef list all_gradients(Pass p, Node n, object g, Node outer):
    """One gradient per edge, None where there is none: what `execute` does edge by edge, for those who must see all at once.

    Which of them are wanted is told by the edges of `outer`: the node itself, or the CopySlices that it is in.
    """
    cdef list results = []
    cdef list values
    cdef Op op
    cdef Formula f
    cdef int i, k, e, several
    if n.op is None:
        returned = ask(p, n._gradients, as_tensors(p, n, g))
        for x in returned:
            if x is not None:
                check_level(p, x, n)
        return [None if x is None else unboxed(p, x) for x in returned]
    if n.freed:
        raise second_time(n)
    op = <Op>n.op
    g = the_only(op, g)
    values = unpacked(p, n, outer) if n.packed and g is not None else None
    if p.story is not None and values is not None:
        p.story.unpacked(publish(n), tuple(values))
    e = 0
    for i in range(op.n_tensors):
        if op.formula_of[i] < 0:
            continue
        f = <Formula>op.formulas[op.formula_of[i]]
        several = n.n_edges - (op.n_formulas - 1) if op.type_of[i] == TENSORS else 1
        r = None
        if any_wanted(p, outer, e, several):
            r = gradient(p, f, op, n, g, values)
        if op.type_of[i] == TENSORS:
            results += list(r) if r is not None else [None] * several
        else:
            results.append(r if n.fits != NULL and n.fits[e] != NULL else like(r, g))
        e += several
    return results


cdef bint any_wanted(Pass p, Node n, int first, int several) except -1:
    cdef int k
    for k in range(first, first + several):
        if n.edges[k].node != NULL and wanted(p, <Node>n.edges[k].node):
            return True
    return False


cdef list unpacked(Pass p, Node n, Node outer):
    """What the wanted formulas need of the slots, each unpacked once, in the order of the arguments."""
    cdef Op op = <Op>n.op
    cdef unsigned int mask = 0
    cdef int i, k, several, e = 0
    for i in range(op.n_tensors):
        if op.formula_of[i] >= 0:
            several = n.n_edges - (op.n_formulas - 1) if op.type_of[i] == TENSORS else 1
            if any_wanted(p, outer, e, several):
                mask |= 1u << op.formula_of[i]
            e += several
    return [ask(p, unpack_slot, (n, k)) if op.slot[k].needed_by & mask else None for k in range(op.n_slots)]


def unpack_slot(Node n not None, int k):
    """The content of slot ``k``, by way of the unpack hook, which is the user's code."""
    return unpack(n, k)


cdef list copy_slices(Pass p, CopySlices c, object g):
    """Part of the gradient of the base goes through the write, the rest passes by: Note [Views] in views.pyx."""
    cdef Node inner = <Node>c.inner
    cdef list results
    cdef object room = None, part
    if g is None:
        return [None] * c.n_edges
    if p.tensors:
        part = read_part(c, g)
    else:
        room = room_like_base(c, g)
        part = part_of(c, room).copy()
    results = all_gradients(p, inner, part if not inner.several else [part], c)
    for e in range(c.n_edges):
        results[e] = fit(p, results[e], inner.fits[e] if inner.fits != NULL else NULL)
    if c.edges[c.which].node == NULL or not wanted(p, <Node>c.edges[c.which].node):
        results[c.which] = None
    elif p.tensors:
        results[c.which] = with_part(c, g, words.zeros_of(part) if results[c.which] is None else results[c.which])
    else:
        part_of(c, room)[...] = 0 if results[c.which] is None else results[c.which]
        results[c.which] = room
    return results


def call_node(Node n not None, tuple gradients):
    """``node(*gradients)``: the gradients of the node's inputs from Tensors for its outputs, as in a pass with retain_graph."""
    cdef Pass p = Pass.__new__(Pass)
    p.tensors = True
    p.level = n.level
    if len(gradients) != n.n_outputs:
        raise error("MG114", f"{Node.name(n)}: expected {n.n_outputs} arguments, got {len(gradients)} instead: one gradient (or None) for each output")
    for g in gradients:
        if g is None:
            continue
        if not isinstance(g, Tensor):
            raise error("MG114", f"{Node.name(n)}: a gradient must be a Tensor or None, not {type(g).__name__}")
        check_level(p, g, n)
    p.keep = True
    p.grad_off = state().grad_off
    p.quiet = silence()
    try:
        if n.accumulates:
            accumulate(p, <Tensor>n.op, gradients[0])
            return ()
        g = list(gradients) if n.several or n.n_outputs > 1 else gradients[0]
        results = copy_slices(p, <CopySlices>n, g) if isinstance(n, CopySlices) else all_gradients(p, n, g, n)
        results = [fit(p, x, n.fits[e] if n.fits != NULL else NULL) for e, x in enumerate(results)]
    finally:
        unsilence(p.quiet)
    return results[0] if len(results) == 1 else tuple(results)


# ------------------------------------------------------------------------------ watching

# Note [Stories]
# --------------
# Who wants to tell a backward pass step by step (the player in minigrad/viz) is told each step by the engine
# itself, as it happens, so that the numbers shown are the numbers computed:
#
#     begin(roots, gradients, keep, create_graph)
#       enter(node, gradients)                        one for each output, summed
#         hook(node, where, function, received, returned)
#         unpacked(node, contents)                    by saved-tensor hooks, slot by slot
#         leave(node, gradients, results)             after its formulas: one result for each edge
#         deliver(node, edge, gradient, total)        fitted; and what has arrived there so far
#         accumulate(node, leaf, before, gradient, after)
#         capture(node, output, gradient)             for autograd.grad(..., inputs)
#     end(error)
#
# A story lives on the thread, is told of every pass that begins there, and must copy what it keeps: gradients are
# added to in place.  A pass that nobody watches does not know of stories, profilers or anomaly mode at all: it asks
# once when it begins (`set_watch`), and `watch` stands before `execute` only where one of the three is on.

def set_story(story):
    """From now on ``story`` is told of the backward passes of this thread; None ends that.  Returns who was told before."""
    cdef State* st = state()
    before = None if st.story == NULL else <object>st.story
    Py_XDECREF(st.story)
    st.story = NULL
    if story is not None:
        Py_INCREF(story)
        st.story = <PyObject*>story
    return before


cdef int set_watch(Pass p, State* st, list roots, list gradients) except -1:
    cdef Tensor t
    p.watched = True
    p.anomaly = st.anomaly if st.anomaly & ANOMALY else 0
    if st.listener != NULL:
        p.listener = <Listener>st.listener
    if st.story != NULL:
        p.story = <object>st.story
        p.story.begin([(publish(<Node>p.roots[i]), t.nr) for i, t in enumerate(roots)], list(gradients), p.keep, p.create_graph)
    return 0


cdef int watch(Pass p, Node n) except -1:
    """Run a node, with all that anomaly mode, a profiler or a story wants to know of it."""
    cdef State* st = state()
    cdef PyObject* before = st.evaluating
    cdef Node outer = p.running
    cdef Listener listener = p.listener
    cdef int place = 0
    if p.pruned and not wanted(p, n):
        return execute(p, n)
    if p.pruned and captured(p, n) and not needed(p, n):
        listener = None                         # its gradient is handed out, and the node itself does not run
    publish(n)
    p.running = n
    if p.story is not None:
        p.story.enter(n, each_output(n, waiting(p, n)))
    if listener is not None:
        place = listener.begin(type(n).name(n), NODE, -1 if n.accumulates else n.seq,
                               each_output(n, waiting(p, n)) if listener.shapes else None)
    if p.anomaly:
        st.evaluating = <PyObject*>n            # nodes that are made meanwhile know whose backward made them
    try:
        execute(p, n)
    except Exception as e:
        if p.anomaly:
            _tell_origin(n, e)
        raise
    finally:
        st.evaluating = before
        p.running = outer
        if listener is not None:
            listener.end(place)
    return 0


cdef object waiting(Pass p, Node n):
    """What has arrived at `n`, and stays there."""
    if n.task != <void*>p:
        return foreign(p, n).buffer
    return None if n.buffer == NULL else <object>n.buffer


cdef tuple each_output(Node n, object g):
    """What has arrived, as a tuple of one gradient, or None, for each output."""
    if not (n.several or n.n_outputs > 1):
        return (g,)
    return (None,) * n.n_outputs if g is None else tuple(g)


cdef object arrived(Pass p, Node n, int nr):
    return each_output(n, waiting(p, n))[nr]


cdef int look_for_nan(Pass p, Node n, object g, list results) except -1:
    """Raise if the node made a nan; results are arrays or Tensors."""
    for e, x in enumerate(results):
        array = array_of(x)
        # any() answers with a SystemError where it gets no memory
        if array is not None and array.dtype.kind in "fc" and np.count_nonzero(np.isnan(array)):
            _refuse_nan(publish(n), e, [array_of(y) for y in (g if isinstance(g, (list, tuple)) else [g])], array, [publish(m) for m in above(p, n)])
    return 0


cdef object array_of(object x):
    while isinstance(x, Tensor):
        x = (<Tensor>x).data
    return x


cdef list above(Pass p, Node n):
    """The nodes of the pass that send their gradients to `n`."""
    cdef Py_ssize_t i
    cdef int e
    cdef Node m
    cdef list found = []
    for i in range(p.n_visited):
        m = <Node>p.visited[i]
        for e in range(m.n_edges):
            if m.edges[e].node == <PyObject*>n:
                found.append(m)
    return found


# ------------------------------------------------------------------------------ hooks

cdef object ask(Pass p, object function, tuple arguments):
    """Call the user's code: with NumPy's warnings as they were, and whatever it leaves the grad mode at."""
    unsilence(p.quiet)
    try:
        return function(*arguments)
    finally:
        resume(p.quiet)
        state().grad_off = p.grad_off


cdef object ask_hook(Pass p, str where, object hook, tuple received):
    """Call a hook."""
    cdef object returned = ask(p, hook, received)
    if p.story is not None:
        p.story.hook(p.running, where, hook, received, returned)
    return returned


cdef object boxed(Pass p, object x):
    """A gradient as hooks and custom Functions see it: a Tensor."""
    return x if p.tensors else new_tensor(x)


cdef object unboxed(Pass p, object x):
    """A Tensor, of which `check_level` knows, as it flows."""
    cdef Tensor t = <Tensor?>x
    return t.data if not p.tensors or (p.on_payloads and t.level == p.level) else t


cdef int check_level(Pass p, object gradient, object giver) except -1:
    """What the user's code gives back as a gradient, a hook or the backward of the node `giver`, must be something
    that this pass can compute with.

    What flows in a plain pass are arrays, so a tensor that holds another one would be taken for what it is not.
    """
    cdef Tensor t = <Tensor?>gradient
    if t.level == 0 and type(t.data) is ndarray:
        return 0
    if isinstance(giver, Node):
        who = f"{Node.name(giver)}: its backward"
    else:
        who = f"hook '{called(giver)}' (see {place_of(giver)})"
    if t.data is None:
        raise error("MG114", f"{who} has returned a Tensor without data, made by __new__ alone: use torch.tensor(...)")
    if p.tensors and (t.level == p.level or interpreter_of(t.level) is not None):
        return 0
    if interpreter_of(t.level) is None:
        raise error("MG117", f"{who} has returned a tensor that comes from a transform (vmap, grad, jvp ...) that has "
                             "already ended. Return it from the transformed function instead of storing it elsewhere.")
    raise error("MG117", f"{who} has returned a tensor of a transform (vmap, grad, jvp), but the pass differentiates "
                         "ordinary tensors from outside of it. Give that tensor to autograd.grad as grad_outputs, or "
                         "differentiate with torch.func.vjp.")


cdef tuple as_tensors(Pass p, Node n, object g):
    if n.n_outputs == 1 and not n.several:
        return (None if g is None else boxed(p, g),)
    if g is None:
        return (None,) * n.n_outputs
    return tuple([None if x is None else boxed(p, x) for x in g])


cdef object checked(Pass p, object hook, object changed, tuple was):
    """What a hook on a node returned, if it can take the place of the gradients that the hook received."""
    if not isinstance(changed, tuple):
        raise error("MG121", f"expected tuple, but hook returned '{type(changed).__name__}': a hook on a node returns None, or a tuple with one gradient "
                             f"(or None) for each that it received. See {place_of(hook)}.")
    if len(changed) != len(was):
        raise error("MG119", f"hook '{called(hook)}' has returned an incorrect number of values (got {len(changed)}, but expected {len(was)}). See {place_of(hook)}.")
    for new, old in zip(changed, was):
        if new is None:
            continue
        if not isinstance(new, Tensor):
            raise error("MG121", f"expected Variable, but hook returned '{type(new).__name__}'. See {place_of(hook)}.")
        if old is None:
            raise error("MG119", f"hook '{called(hook)}': can't replace a None gradient with a non-None value. See {place_of(hook)}.")
        check_replacement(p, hook, new, old)
    return changed


cdef object called(object hook):
    return getattr(hook, "__name__", hook)


cdef int check_replacement(Pass p, object hook, object new, object old) except -1:
    check_level(p, new, hook)
    if tuple(new.shape) != tuple(old.shape):
        raise error("MG119", f"hook '{called(hook)}' has changed the size of value: the gradient had shape "
                             f"{list(old.shape)}, what the hook returned has {list(new.shape)}. See {place_of(hook)}.")
    if new.dtype is not old.dtype:
        raise error("MG119", f"hook '{called(hook)}' has changed the type of value (was {old.type()} got {new.type()}). See {place_of(hook)}.")
    return 0


cdef object tensor_hooks(Pass p, object hooks, object g):
    """The hooks of one tensor, in the order in which they were registered, each on the result of the one before; of None too."""
    cdef object t, changed
    if not hooks:
        return g
    t = None if g is None else boxed(p, g)
    for hook in list(hooks.values()):
        changed = ask_hook(p, "tensor", hook, (t,))
        if changed is not None:
            if not isinstance(changed, Tensor):
                raise error("MG121", f"expected Variable, but hook returned '{type(changed).__name__}': a hook on a tensor returns a Tensor "
                                     f"that takes the gradient's place, or None to leave it as it is. See {place_of(hook)}.")
            if t is None:
                raise error("MG119", f"hook '{called(hook)}': can't replace a None gradient with a non-None value. See {place_of(hook)}.")
            check_replacement(p, hook, changed, t)
            t = changed
    return None if t is None else unboxed(p, t)


cdef object before_tensors(Pass p, Node n, object g):
    """The hooks of the tensors that were the outputs of `n`, in the order of their numbers; or those of the leaf that it is for."""
    cdef bint several = n.several or n.n_outputs > 1
    cdef list gradients
    if n.accumulates:
        return tensor_hooks(p, (<TensorHooks>(<Tensor>n.op).hooks).before, g) if (<Tensor>n.op).hooks is not None else g
    if n.hooks is None:
        return g
    gradients = [g] if not several else ([None] * n.n_outputs if g is None else list(g))
    for nr in sorted(n.hooks.tensors):
        gradients[nr] = tensor_hooks(p, (<TensorHooks>n.hooks.tensors[nr]).before, gradients[nr])
    if g is None:
        return None                     # they heard of it, and could not make a gradient where there is none
    return gradients if several else gradients[0]


cdef object before(Pass p, Node n, object g):
    """Everything that happens to a gradient before the node uses it: tensor hooks, retained grads, node prehooks."""
    cdef NodeHooks h = n.hooks
    cdef bint several = n.several or n.n_outputs > 1
    cdef list gradients
    g = before_tensors(p, n, g)
    retain_all(p, n, g)
    if not h.before:
        return g
    gradients = ([None] * n.n_outputs if g is None else list(g)) if several else [g]
    boxes = tuple([None if x is None else boxed(p, x) for x in gradients])
    for hook in list(h.before.values()):
        changed = ask_hook(p, "prehook", hook, (boxes,))
        if changed is not None:
            boxes = checked(p, hook, changed, boxes)
    if g is None:
        return None
    gradients = [None if x is None else unboxed(p, x) for x in boxes]
    return gradients if several else gradients[0]


cdef int retain_all(Pass p, Node n, object g) except -1:
    """Fill .grad of the tensors that asked for it with retain_grad."""
    cdef bint several = n.several or n.n_outputs > 1
    for nr, reference in n.hooks.retained.items():
        t = reference()
        x = g[nr] if several and g is not None else g
        if t is not None and x is not None:
            retain(p, <Tensor>t, x)
    return 0


cdef int retain(Pass p, Tensor t, object g) except -1:
    cdef int held = lock_grad(t)
    try:
        if p.tensors:
            t.grad_ = words.clone(g) if t.grad_ is None else words.add(t.grad_, g)
        elif t.grad_ is None:
            t.grad_ = new_tensor(np.array(g))
        elif type((<Tensor>t.grad_).data) is not ndarray:       # the user's, from a transform
            t.grad_ = words.add(t.grad_, new_tensor(g))
        else:
            t.grad_ = new_tensor(np.asarray((<Tensor>t.grad_).data + g))
    finally:
        unlock_grad(t, held)
    return 0


# ------------------------------------------------------------------------------ the leaves

# Note [The lock of .grad]
# ------------------------
# To add to .grad is to read it, to compute, and to write it back; while we compute, NumPy and Python let other threads
# run.  So each tensor has a lock, in its field `adding`: the number of the thread that adds to its .grad, or 0.
#
#     thread 1   lock   read .grad = g ... g + 1 ... write   unlock
#     thread 2   wait ........................................... lock   read .grad = g + 1 ...
#
# * What the user hooks on runs outside of it, and so may itself wait for other threads that come to the same leaf.
# * A thread that has it gets it again: a pass that a destructor begins meanwhile does not wait for itself.
# * A waiting thread has let go of the GIL, and hears signals.
# * In a forked process, locks of threads that are not there count for nothing (Note [Numbers of threads] in modes.pyx).

cdef int lock_grad(Tensor t) except -1:
    """Keep other threads from adding to .grad of `t`.

    What is returned is for `unlock_grad`: did we have the lock before?
    """
    cdef unsigned long me = thread_number()
    cdef int microseconds = 10
    while t.adding != 0 and t.adding != me and is_alive(t.adding):
        PyErr_CheckSignals()
        with nogil:
            usleep(microseconds)
        microseconds = min(2 * microseconds, 1000)
    if t.adding == me:
        return 1
    t.adding = me
    return 0


cdef inline void unlock_grad(Tensor t, int held) noexcept:
    if not held:
        t.adding = 0


cdef int accumulate(Pass p, Tensor leaf, object g) except -1:
    """leaf.grad += g, by the rules for layouts that docs/notes/layouts explains."""
    cdef TensorHooks h = None
    cdef object before = None
    if leaf.hooks is not None:
        h = <TensorHooks>leaf.hooks
    if g is None or not leaf.requires_grad_:
        return 0
    if p.story is not None and leaf.grad_ is not None:
        before = leaf.grad_.detach().clone()
    add_to_grad(p, leaf, g)
    if p.story is not None:
        p.story.accumulate(p.running, leaf, before, g, leaf.grad_)
    if h is not None and h.after:
        for hook in list(h.after.values()):
            returned = ask_hook(p, "post-accumulate", hook, (leaf,))
            if returned is None or returned is leaf:            # the leaf itself: `lambda p: p.add_(p.grad, alpha=-lr)`
                continue
            if not isinstance(returned, Tensor):
                raise error("MG121", f"expected Variable, but hook returned '{type(returned).__name__}': a post "
                                     f"accumulate grad hook should return None. See {place_of(hook)}.")
            raise error("MG119", f"Tensor post accumulate grad hooks should return None. See {place_of(hook)}.")
    return 0


cdef int add_to_grad(Pass p, Tensor leaf, object g) except -1:
    """leaf.grad += g: see Note [The lock of .grad]."""
    cdef object total
    cdef int place
    cdef int held = lock_grad(leaf)
    try:
        if p.tensors:
            total = words.laid_out(g, leaf if leaf.grad_ is None else leaf.grad_)
            if leaf.grad_ is not None:
                total = words.add(leaf.grad_, total)
            if not p.create_graph and (<Tensor>total).node is not None:
                total = total.detach()
            leaf.grad_ = total
        elif p.listener is not None and leaf.grad_ is not None:
            place = p.listener.begin("add_", OP, 0, [leaf.grad_, g])
            try:
                put_away(leaf, g)
            finally:
                p.listener.end(place)
        else:
            put_away(leaf, g)
    finally:
        unlock_grad(leaf, held)
    return 0


cdef int put_away(Tensor leaf, object g) except -1:
    cdef Tensor grad
    cdef Version v
    cdef object mine
    if type(leaf.data) is ndarray and not same_shape(<ndarray>leaf.data, <ndarray>g):
        raise error("MG109", f"the gradient has shape {list(g.shape)}, and the leaf that it is for "
                             f"{list(leaf.shape)}: " + (
                             "its .data was replaced by a tensor of another shape after the forward pass."
                             if leaf.reshaped else
                             "a formula of the operation that received this leaf returned a gradient of another "
                             "shape. Only the gradients of elementwise rows are summed to the shape of an argument "
                             "that was broadcast; any other formula does that itself, with sum_to."))
    if leaf.grad_ is None:
        mine = g                        # of the two references that `ours` allows for, `execute` has the other
        leaf.grad_ = new_tensor(mine if ours(mine) and same_layout(<ndarray>g, leaf) else laid_out_as(<ndarray>g, leaf))
        return 0
    grad = <Tensor>leaf.grad_
    if type(grad.data) is ndarray and not same_shape(<ndarray>grad.data, <ndarray>g):
        raise error("MG201", f"The size of tensor a ({grad.numel()}) must match the size of tensor b ({g.size}): .grad has shape "
                             f"{list(grad.shape)} and the gradient to be added to it {list(g.shape)}. "
                             "Set .grad to None after the shape of a leaf has changed.")
    if type(grad.data) is ndarray and PyArray_CHKFLAGS(<ndarray>grad.data, cnp.NPY_ARRAY_WRITEABLE):
        v = version_of(grad)
        if v.keepers != NULL:
            before_write(v)
        add_into(grad.data, g)
        count_write(v)
    else:
        leaf.grad_ = words.add(grad, new_tensor(g))
    return 0


cdef bint same_layout(ndarray g, Tensor leaf) except -1:
    """Are the strides those that .grad of `leaf` is to have: the leaf's own where it is dense, else those of rows?"""
    cdef ndarray a
    cdef int i
    if type(leaf.data) is not ndarray:
        return True
    a = <ndarray>leaf.data
    if PyArray_CHKFLAGS(a, cnp.NPY_ARRAY_C_CONTIGUOUS):
        return PyArray_CHKFLAGS(g, cnp.NPY_ARRAY_C_CONTIGUOUS)
    if not dense(a):
        return PyArray_CHKFLAGS(g, cnp.NPY_ARRAY_C_CONTIGUOUS)
    for i in range(PyArray_NDIM(a)):
        if PyArray_STRIDES(a)[i] != PyArray_STRIDES(g)[i] and PyArray_DIMS(a)[i] != 1:
            return False
    return True


cdef ndarray laid_out_as(ndarray g, Tensor leaf):
    cdef ndarray new
    if type(leaf.data) is ndarray and dense(<ndarray>leaf.data):
        new = np.empty_like(leaf.data, dtype=g.dtype, order="K", subok=False)
    else:
        new = np.empty((<object>g).shape, g.dtype)
    np.copyto(new, g)
    return new


cdef bint dense(ndarray a) except -1:
    """Non-overlapping and dense: sorted by stride, each axis steps over exactly what the smaller ones cover."""
    cdef npy_intp step = PyArray_ITEMSIZE(a)
    if PyArray_CHKFLAGS(a, cnp.NPY_ARRAY_C_CONTIGUOUS) or PyArray_CHKFLAGS(a, cnp.NPY_ARRAY_F_CONTIGUOUS):
        return True
    for stride, size in sorted([((<object>a).strides[i], (<object>a).shape[i]) for i in range(PyArray_NDIM(a)) if (<object>a).shape[i] != 1]):
        if stride != step:
            return False
        step *= size
    return True
