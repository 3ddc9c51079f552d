"""What a backward pass knows, and which nodes it will visit.

Before a pass runs any node, it walks the graph once.  For every node that it meets it counts the edges that lead
there: this many gradients will arrive, and when the last one has come, the node is ready.  What happens then comes
next, in engine.pyx.

Note [Claims]
-------------
The fields of a pass (gradients still to come, the buffer) live on the node itself, because looking
them up in a dictionary costs more than everything else together.  So a pass claims each node that it
meets by writing its own address on it:

    node.task -> pass A                 A uses node.deps, node.buffer
    node.task -> pass A, B meets it     B keeps these fields in B.foreign[node]

Two passes meet where a hook or a custom Function starts another backward over the same graph, or where
two threads do.  A pass gives its claims back when it ends, even when it ends with an exception.  A may end while
B still counts: making an object can start the garbage collector, whose callbacks let other threads run.  So a node
that B has found claimed by A stays foreign to B, or its gradients would be counted in two places.

Note [Pruning]
--------------
``backward()`` runs every node that can be reached.  ``grad(y, [h])`` and ``backward(inputs=[h])`` run only those that
lead to what was asked for.  With ``h = a * b`` and ``y = h.sin() + c.exp()``, ``grad(y, [h])`` sees::

                 Add                    needed: an edge leads to Sin
                /   \\
             Sin     Exp                Sin is needed, Exp is not: it leads only to c, which was not asked for
              |       |
             Mul    leaf c              Mul is captured: what arrives there is the gradient of h
            /   \\
       leaf a   leaf b

* A node is *needed* if one of its edges leads to a node that is wanted.  It will run.  With ``backward(inputs=[a])``
  the AccumulateGrad of a is needed too: it runs, and adds to a.grad.
* It is *captured* if the gradient of one of its outputs must be returned.  It need not run for that: Mul does not.
* It is *wanted* if it is one or the other.  For an edge to a node that is not wanted no formula is run, and None is
  delivered.

Whether a node is needed is known when it is known of its children, the nodes that its edges lead to.  So the walk is
depth first, and marks a node on its way back, with a stack of its own in place of recursion: a chain of a million nodes
is as safe as one of ten.  Edges into nodes that are not wanted are counted like all others: since None is delivered on
them too, the counts stay right.
"""

from minigrad._core.dispatch.torch_function cimport modes_in_force, modes_on, switch_modes
from minigrad._core.graph cimport Node, Tensor, node_of
from minigrad._core.runtime.malloc cimport with_room
from minigrad._core.runtime.provided cimport provided
from minigrad._core.runtime.python_api cimport PyMem_Free, PyObject, Py_DECREF
from minigrad._core.runtime.thread_state cimport State, switch_devices, switch_hooks, switch_inference


cdef class Foreign:
    pass


cdef class Pass:
    def __dealloc__(self):
        PyMem_Free(self.nodes)
        PyMem_Free(self.ready)


# ------------------------------------------------------------------------------ the switches of the thread

# Hooks, unpack hooks and custom Functions are the user's code.  A switch that they turn, and leave so, is put back when
# their node has run: nodes that run later find what the pass began with, and so does the program when it has ended.

cdef int note_switches(Pass p, State* st) except -1:
    """Note the switches of the thread."""
    p.active, p.hooked, p.modes_on = st.active, st.hooked, modes_on
    p.inference = st.inference != 0
    p.hooks_off = st.hooks_off
    p.message = None if st.hooks_off == NULL else <object>st.hooks_off
    if st.active:
        p.pair = None if st.saved_hooks == NULL else <object>st.saved_hooks
        p.device, p.devices = provided.cpu._of_thread.set, provided.cpu._of_thread.within
    if modes_on:
        p.modes = modes_in_force()
    return 0


cdef int put_back(Pass p, State* st) except -1:
    """Turn the switches of the thread back to what was noted."""
    st.grad_off = p.grad_off
    switch_hooks(st, p.pair, p.hooked, p.message)
    switch_inference(st, p.inference)
    if modes_on != p.modes_on:
        switch_modes(p.modes)
        p.modes_on = modes_on           # another thread may have entered one
    if st.active != p.active:
        switch_devices(st, provided.cpu if p.device is None else p.device, () if p.devices is None else p.devices)
        p.active = st.active            # a dual level that was opened stays open
    return 0


# ------------------------------------------------------------------------------ claiming

# `visit` runs once for every edge of the graph, and is most of what counting costs. It makes room in the list of nodes
# before it claims one: a claim that is not in the list would never be given back.

cdef inline bint visit(Pass p, Node n) except -1:
    """One more gradient will come to `n`; True when it is met for the first time."""
    cdef Foreign f
    if n.task == <void*>p:
        n.deps += 1
        return False
    if p.n_nodes == p.room_nodes:
        p.nodes = <PyObject**>with_room(p.nodes, &p.room_nodes, sizeof(PyObject*))
    if p.foreign is not None:                   # even if the other pass has given it back since
        f = <Foreign>p.foreign.get(<size_t><PyObject*>n)
        if f is not None:
            f.deps += 1
            return False
    if n.task == NULL:
        n.task = <void*>p
        n.deps = 1
        n.needed = not p.pruned
    else:
        if p.foreign is None:
            p.foreign = {}
        f = Foreign.__new__(Foreign)
        f.deps = 1
        f.needed = not p.pruned
        p.foreign[<size_t><PyObject*>n] = f
    p.nodes[p.n_nodes] = <PyObject*>n
    p.n_nodes += 1
    return True


cdef Foreign foreign(Pass p, Node n):
    """What the pass knows of a node that another has claimed."""
    return <Foreign>p.foreign[<size_t><PyObject*>n]


cdef bint visited(Pass p, Node n) except -1:
    """Has the pass met this node?"""
    return n.task == <void*>p or (p.foreign is not None and <size_t><PyObject*>n in p.foreign)


cdef void give_back(Pass p) noexcept:
    """Give back every claim, and drop what is left in the buffers."""
    cdef Py_ssize_t i
    cdef Node n
    cdef PyObject* buffer
    for i in range(p.n_nodes):
        n = <Node>p.nodes[i]
        if n.task == <void*>p:
            n.task = NULL
            n.deps = 0
            n.needed = n.captured = False
            if n.buffer != NULL:
                buffer = n.buffer
                n.buffer = NULL
                Py_DECREF(<object>buffer)
    p.foreign = None


cdef object waiting(Pass p, Node n):
    """What has arrived at `n`, left where it is (`take` in engine.pyx removes it)."""
    if n.task != <void*>p:
        return foreign(p, n).buffer
    return None if n.buffer == NULL else <object>n.buffer


cdef tuple each_output(Node n, object g):
    """The gradient `g` that arrived at `n` as a tuple: for each output its gradient, or None."""
    if not (n.several or n.n_outputs > 1):
        return (g,)
    return (None,) * n.n_outputs if g is None else tuple(g)


# ------------------------------------------------------------------------------ counting

# Without `inputs` every node that can be reached will run, so the order of the walk does not matter: the list of the
# nodes met is itself the queue.

cdef int count_all(Pass p) except -1:
    """Count, for every node that can be reached, the edges that lead there."""
    cdef Py_ssize_t i = 0
    cdef int e
    cdef Node n
    for n in p.roots:                   # the gradient that the user gives is one to come, too
        visit(p, n)
    while i < p.n_nodes:
        n = <Node>p.nodes[i]
        i += 1
        for e in range(n.n_edges):
            if n.edges[e].node != NULL:
                visit(p, <Node>n.edges[e].node)
    return 0


# ------------------------------------------------------------------------------ pruning

# The same with `inputs`; see Note [Pruning].

cdef int mark_inputs(Pass p, list inputs, bint accumulate) except -1:
    """Note in `captures` whose gradients were asked for: to be added to .grad, or to be returned."""
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


cdef struct Progress:
    # How far the walk has come at one node.
    PyObject* node
    int edge


cdef int count_needed(Pass p) except -1:
    """Count as `count_all` does, depth first, and mark each node once its children are marked."""
    cdef Py_ssize_t i, top = 0, room = 0
    cdef Progress* stack = <Progress*>with_room(NULL, &room, sizeof(Progress))
    cdef Node n, child
    cdef int e
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
                                stack = <Progress*>with_room(stack, &room, sizeof(Progress))
                            stack[top].node = <PyObject*>child
                            stack[top].edge = 0
                            top += 1
                else:
                    top -= 1
                    mark(p, n)
    finally:
        PyMem_Free(stack)
    return 0


cdef int mark(Pass p, Node n) except -1:
    """The children of `n` are marked: is it needed, and is it captured?"""
    cdef bint needed = False, captured = False
    cdef Foreign f
    cdef int e
    for e in range(n.n_edges):
        if n.edges[e].node != NULL and wanted(p, <Node>n.edges[e].node):
            needed = True
            break
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
