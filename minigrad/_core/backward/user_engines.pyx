"""Nodes run by the user's code: a single one, ``node(gradient)``, or a whole pass, by the user's own engine.

Inside ``with use_engine(my_engine):`` a pass begins like any other (engine.pyx): roots and gradients are checked, modes
are set, nodes are counted and claimed.  Then, in place of the loop, comes `walk`::

    run                     my_engine(roots, gradients, inputs, keep_graph)
      walk  ------------->    tensor_hooks(node, gradients)       a gradient has arrived
                              prehooks(node, gradients)
            <-------------    node(*gradients)                    its formulas
                              posthooks(node, results, gradients)
                              free(node)                          (engine.pyx)
            <-------------    [one gradient for each input]

The engine decides when a node runs and where gradients go.  It calls what is on the right, and each of these finds the
pass that it belongs to (`pass_for`): so formulas run only for what leads to the inputs, and hooks, the profiler and
anomaly mode work as in any other pass.  What flows is always Tensors (in a transform, one level down), with the grad
mode of the pass, so that with ``create_graph`` whatever the engine computes is recorded.

What the engine returns is checked; ``grad`` then returns it, and ``backward(inputs=...)`` adds it to ``.grad``.
"""

from minigrad._core.backward.accumulate_grad cimport accumulate, retain_all
from minigrad._core.backward.all_gradients cimport all_gradients
from minigrad._core.backward.fitting cimport fit
from minigrad._core.backward.hooks cimport (after_node, all_unboxed, ask, before_node, before_tensors, check_level,
                                            unboxed)
from minigrad._core.backward.pass_state cimport Pass, each_output, foreign, visited, waiting
from minigrad._core.backward.watched_pass cimport look_for_nan, watch
from minigrad._core.errors import error, located
from minigrad._core.errors.refusals import laid_out_otherwise
from minigrad._core.graph cimport Node, Tensor, grad_dtype_of, later, node_of, publish
from minigrad._core.runtime.errstate cimport pause, resume, silence, unsilence
from minigrad._core.runtime.numpy_api cimport ndarray
from minigrad._core.runtime.python_api cimport PyObject, Py_INCREF, Py_XDECREF
from minigrad._core.runtime.thread_state cimport NAN_ALLOWED, State, state

cdef extern from *:
    """
    static _Thread_local PyObject *mg_engine;        /* the user's engine of this thread, or NULL */
    static _Thread_local PyObject *mg_delegation;    /* the innermost pass of this thread that one walks, or NULL */
    """
    PyObject* mg_engine
    PyObject* mg_delegation

engines = 0


def set_engine(engine):
    """From now on ``engine`` walks the backward passes of this thread; None ends that.  Returns the one before."""
    global engines, mg_engine
    cdef PyObject* old = mg_engine
    engines += (engine is not None) - (old != NULL)
    mg_engine = NULL
    if engine is not None:
        Py_INCREF(engine)
        mg_engine = <PyObject*>engine
    before = None if old == NULL else <object>old
    Py_XDECREF(old)
    return before


cdef object engine_of_thread():
    return None if mg_engine == NULL else <object>mg_engine


# ------------------------------------------------------------------------------ the pass

cdef Delegation delegated(Pass p, State* st, object engine, list inputs, bint accumulate):
    """The pass `p`, which has begun, as one of the user's engine."""
    cdef Delegation d = Delegation.__new__(Delegation)
    if st.story != NULL:
        raise cannot_be_shown(engine)
    d.p, d.engine, d.inputs, d.accumulate = p, engine, inputs, accumulate
    d.retained = set()
    p.tensors = True
    return d


cdef int walk(Delegation d, list roots, list gradients) except -1:
    """Let the engine walk, and use the gradients that it returns."""
    global mg_delegation
    cdef PyObject* outer = mg_delegation
    cdef Pass p = d.p
    cdef list returned
    starts = tuple([edge_of(t) for t in roots])
    gradients = all_unboxed(p, gradients)
    ends = () if d.inputs is None else tuple([edge_of(t) for t in d.inputs])
    mg_delegation = <PyObject*>d
    try:
        returned = checked(d, ask(p, d.engine, (starts, tuple(gradients), ends, bool(p.keep))))
        for i, g in enumerate(returned):
            if g is None:
                continue
            if d.accumulate:
                add_to_input(d, d.inputs[i], g)
            else:
                p.results[i] = unboxed(p, g.detach() if not p.create_graph and not p.level and g.requires_grad else g)
    finally:
        mg_delegation = outer
    return 0


cdef tuple edge_of(Tensor t):
    """The place of a tensor in the graph, as in ``next_functions``."""
    cdef Node n = node_of(t)
    return (None, 0) if n is None else (publish(n), t.nr)


cdef int add_to_input(Delegation d, Tensor t, object g) except -1:
    """``backward(inputs=[t])``: t.grad += g.  Of a result, `tensor_hooks` may have done that already."""
    cdef Node n = node_of(t)
    if n.accumulates:
        add_to_leaf(d.p, n, g)
    elif n.hooks is not None and <size_t><PyObject*>n not in d.retained:        # an edge may come without its tensor
        retain_all(d.p, n, [g if nr == t.nr else None for nr in range(n.n_outputs)] if has_several(n) else g)
    return 0


# ------------------------------------------------------------------------------ a node

# Outside a pass of the user's engine, and for a node that does not belong to it, each call has a pass of its own.

cdef Pass pass_for(Node n):
    """The pass in which the user's code runs the node."""
    cdef Pass p
    if mg_delegation != NULL:
        p = (<Delegation>mg_delegation).p
        if state().task == <PyObject*>p and visited(p, n):
            return p
    p = Pass.__new__(Pass)
    p.tensors = True
    p.level = n.level
    p.keep = True
    return p


cdef inline bint has_several(Node n) noexcept:
    """True if what arrives at `n` is a list."""
    return n.several or n.n_outputs > 1


cdef bint step_in(Pass p):
    """The pass goes on, with the grad mode that the user's code has set; returns its own, for `step_out`."""
    cdef bint grad_off = p.grad_off
    p.grad_off = state().grad_off
    if p.quiet is None:
        p.quiet = silence()
    else:
        resume(p.quiet)
    return grad_off


cdef void step_out(Pass p, bint grad_off) noexcept:
    """And on with the user's code."""
    p.grad_off = grad_off
    if p.roots is None:                 # a pass of this call alone
        unsilence(p.quiet)
    else:
        pause(p.quiet)


cdef object arrived(Pass p, Node n, object gradients):
    """One gradient, or None, for each output of `n`, in the form in which they flow."""
    gradients = tuple(gradients)
    if len(gradients) != n.n_outputs:
        raise miscounted(n, gradients)
    for g in gradients:
        if g is None:
            continue
        if not isinstance(g, Tensor):
            raise not_a_gradient(n, g)
        check_level(p, g, n)
    gradients = all_unboxed(p, gradients)
    if not has_several(n):
        return gradients[0]
    return gradients if any([g is not None for g in gradients]) else None


cdef object call_node(Node n, tuple gradients):
    """`node(*gradients)`: the gradients of the node's inputs from Tensors for its outputs.

    What the node saved is kept, as in a pass with retain_graph.  Hooks do not run, except for those that wait for .grad
    of a leaf.
    """
    cdef Pass p = pass_for(n)
    cdef object g = arrived(p, n, gradients)
    cdef bint grad_off = step_in(p)
    try:
        if p.watched:
            put(p, n, g)
            watch(p, n, run_called)
            results = take(p, n)
        else:
            results = called(p, n, g)
    finally:
        step_out(p, grad_off)
    return results[0] if len(results) == 1 else results


later.call_node = call_node


cdef tuple called(Pass p, Node n, object g):
    """One gradient for each edge of `n`; none for an AccumulateGrad, which adds what it is given to .grad."""
    cdef list results
    if n.accumulates:
        add_to_leaf(p, n, g)
        return ()
    results = all_gradients(p, n, g)
    if p.anomaly and not p.anomaly & NAN_ALLOWED:
        look_for_nan(p, n, g, results)
    return tuple([fit(p, x, n, e) for e, x in enumerate(results)])


# `watch` looks for the gradients in the buffer of the node, where they wait in a pass of the loop. Here they are put
# there for the time of the call, and the results come back the same way.

cdef int run_called(Pass p, Node n) except -1:
    put(p, n, called(p, n, take(p, n)))
    return 0


cdef int put(Pass p, Node n, object x) except -1:
    """Let `x`, or nothing if it is None, be the buffer of a node that the pass has visited."""
    cdef PyObject* old
    if n.task != <void*>p:
        foreign(p, n).buffer = x
        return 0
    old = n.buffer
    n.buffer = NULL
    if x is not None:
        Py_INCREF(x)
        n.buffer = <PyObject*>x
    Py_XDECREF(old)
    return 0


cdef object take(Pass p, Node n):
    """What `put` left there."""
    cdef object x = waiting(p, n)
    put(p, n, None)
    return x


# With recording off, .grad of an ordinary leaf is added to in place, as in a plain pass: whoever holds the tensor sees
# the sum. The caller may keep the gradient, so it must be copied: `array` is one more reference to it, and
# Note [What may be written to] in accumulate_grad.pyx says why that is enough.

cdef int add_to_leaf(Pass p, Node n, object g) except -1:
    """leaf.grad += g, after a check of what comes from outside."""
    cdef Tensor leaf = <Tensor>n.op
    cdef State* st = state()
    cdef Pass plain
    cdef object array
    if n.in_place:
        raise laid_out_otherwise(leaf)
    if g is not None and (g.dtype is not grad_dtype_of(leaf, g.dtype) or tuple(g.shape) != tuple(leaf.shape)):
        raise does_not_fit(leaf, g)
    if (g is None or type((<Tensor>g).payload) is not ndarray or type(leaf.payload) is not ndarray
            or not p.grad_off or st.forward):
        return accumulate(p, leaf, g)
    plain = Pass.__new__(Pass)
    plain.grad_off = True
    plain.quiet = p.quiet
    plain.listener = p.listener
    array = (<Tensor>g).payload
    return accumulate(plain, leaf, array)


# ------------------------------------------------------------------------------ hooks

# A pass of the loop runs them between two nodes. The engine of a user asks for them where they belong.

def tensor_hooks(Node node not None, gradients):
    """Run the hooks of the tensors that are outputs of ``node``, and fill ``.grad`` of those with ``retain_grad()``.

    ``gradients`` has a Tensor, or None, for each output.  Returns a tuple of what the hooks made of them.

    >>> from minigrad.autograd import engines
    >>> y = torch.ones(2, requires_grad=True).exp()
    >>> handle = y.register_hook(lambda gradient: gradient * 10)
    >>> engines.tensor_hooks(y.grad_fn, [torch.ones(2)])
    (tensor([10., 10.]),)
    """
    cdef Pass p = pass_for(node)
    cdef object g = arrived(p, node, gradients)
    cdef bint grad_off = step_in(p)
    try:
        g = before_tensors(p, node, g)
        if node.hooks is not None:
            retain_all(p, node, g)
            if p.roots is not None:
                (<Delegation>mg_delegation).retained.add(<size_t><PyObject*>node)
    finally:
        step_out(p, grad_off)
    return each_output(node, g)


def prehooks(Node node not None, gradients):
    """Run the hooks that were registered with ``node.register_prehook``.

    ``gradients`` has a Tensor, or None, for each output.  Returns a tuple of what the hooks made of them.

    >>> from minigrad.autograd import engines
    >>> node = torch.ones(2, requires_grad=True).exp().grad_fn
    >>> handle = node.register_prehook(lambda gradients: (gradients[0] + 1,))
    >>> engines.prehooks(node, [torch.ones(2)])
    (tensor([2., 2.]),)
    """
    cdef Pass p = pass_for(node)
    cdef object g = arrived(p, node, gradients)
    cdef bint grad_off = step_in(p)
    try:
        if node.hooks is not None and node.hooks.before:
            g = before_node(p, node, g)
    finally:
        step_out(p, grad_off)
    return each_output(node, g)


def posthooks(Node node not None, results, gradients):
    """Run the hooks that were registered with ``node.register_hook``, after the node.

    ``results`` has a Tensor, or None, for each edge of the node, and ``gradients`` is what the node was called with.
    Returns a tuple of what the hooks made of the results.

    >>> from minigrad.autograd import engines
    >>> node, one = torch.ones(2, requires_grad=True).exp().grad_fn, torch.ones(2)
    >>> handle = node.register_hook(lambda results, gradients: (results[0] + 100 * gradients[0],))
    >>> engines.posthooks(node, [one], [one])
    (tensor([101., 101.]),)
    """
    cdef Pass p = pass_for(node)
    cdef bint grad_off
    results, gradients = tuple(results), tuple(gradients)
    arrived(p, node, gradients)
    if len(results) != node.n_edges:
        raise not_one_for_each_edge(node, results)
    if node.hooks is None or not node.hooks.after:
        return results
    grad_off = step_in(p)
    try:
        return after_node(p, node, results, gradients)
    finally:
        step_out(p, grad_off)


def outputs_of(Node node not None):
    """How many outputs the operation had.  The node is called with one gradient (or None) for each.

    >>> from minigrad.autograd import engines
    >>> first, second, third = torch.ones(3, requires_grad=True).unbind()
    >>> engines.outputs_of(first.grad_fn)
    3
    """
    return node.n_outputs


# ------------------------------------------------------------------------------ what the engine returned

cdef list checked(Delegation d, object returned):
    """One gradient, or None, for each input, each of its shape and dtype."""
    cdef Tensor t
    cdef int many = 0 if d.inputs is None else len(d.inputs)
    if returned is None and not many:
        return []
    if not isinstance(returned, (list, tuple)):
        raise not_a_list(d, returned, many)
    if len(returned) != many:
        raise another_number(d, returned, many)
    for i, g in enumerate(returned):
        if g is None:
            continue
        if not isinstance(g, Tensor):
            raise no_tensor(d, i, g)
        check_level(d.p, g, d.engine)
        t = d.inputs[i]
        if t.payload is None:           # the end of an edge, of which no more is known
            continue
        if d.p.on_payloads and t.level > (<Tensor>g).level:
            t = <Tensor>t.payload       # gradients flow one level down, where a batch has one dim more
        if tuple(g.shape) != tuple(t.shape):
            raise another_shape(d, i, g, t)
        if g.dtype is not t.dtype:
            raise another_dtype(d, i, g, t)
    return list(returned)


# ------------------------------------------------------------------------------ what the errors say

cdef object miscounted(Node n, tuple gradients):
    return error("MG114", f"{Node.name(n)}: expected {n.n_outputs} arguments, got {len(gradients)} instead: one "
                          "gradient (or None) for each output")


cdef object not_a_gradient(Node n, object g):
    return error("MG114", f"{Node.name(n)}: a gradient must be a Tensor or None, not {type(g).__name__}")


cdef object not_one_for_each_edge(Node n, tuple results):
    return error("MG114", f"posthooks(): {Node.name(n)} has {n.n_edges} edges (next_functions), and results has "
                          f"{len(results)} entries: give one gradient, or None, for each edge")


cdef object does_not_fit(Tensor leaf, object g):
    return error("MG114", f"AccumulateGrad was called with a gradient of shape {list(g.shape)} and dtype {g.dtype}, "
                          f"and its leaf has shape {list(leaf.shape)} and dtype {leaf.dtype}. A node returns gradients "
                          "that fit its inputs: hand them on as they are, and only add those that meet.")


cdef str said(Delegation d):
    return f"the engine {located(d.engine)}"


cdef object cannot_be_shown(object engine):
    return error("MG130", "a recording (viz.record, viz.play) is told each step by minigrad's own engine, and "
                          f"use_engine has handed this pass to {located(engine)}. Record outside its block, or inside "
                          "a `with use_engine(None):`.")


cdef object not_a_list(Delegation d, object returned, int many):
    what = "None" if returned is None else f"an object of type {type(returned).__name__}"
    return error("MG130", f"{said(d)} returned {what}: it returns a list or tuple with one gradient (or None) for each "
                          f"of the edges in inputs: here {many or 'none, as in every backward() without inputs'}.")


cdef object another_number(Delegation d, object returned, int many):
    if many:
        asked = "that of 1 input" if many == 1 else f"those of {many} inputs"
        return error("MG130", f"{said(d)} returned {len(returned)} gradients, and was asked for {asked}: return one "
                              "for each, in the order of inputs, and None where none arrived.")
    return error("MG130", f"{said(d)} returned {len(returned)} gradients, and was asked for none: backward() without "
                          "inputs adds to .grad of the leaves, which calling an AccumulateGrad node does.")


cdef object no_tensor(Delegation d, int i, object g):
    return error("MG130", f"gradient {i} that {said(d)} returned is a {type(g).__name__}: it must be a Tensor, or None "
                          "where nothing arrived.")


cdef object another_shape(Delegation d, int i, object g, object t):
    return error("MG130", f"gradient {i} that {said(d)} returned has shape {list(g.shape)}, and input {i} has shape "
                          f"{list(t.shape)}: a gradient has the shape of what it is the gradient of. Are the "
                          "gradients in the order of inputs?")


cdef object another_dtype(Delegation d, int i, object g, object t):
    return error("MG130", f"gradient {i} that {said(d)} returned has dtype {g.dtype}, and input {i} has dtype "
                          f"{t.dtype}: a gradient has the dtype of what it is the gradient of.")
