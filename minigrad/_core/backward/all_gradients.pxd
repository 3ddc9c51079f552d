# Nodes that are asked for all their gradients at once; see all_gradients.pyx.  `execute` in engine.pyx shares the walk.

from minigrad._core.backward.formulas cimport apply_formula, apply_text
from minigrad._core.backward.pass_state cimport Pass, wanted
from minigrad._core.dispatch.op cimport TENSORS, Formula, Op
from minigrad._core.graph cimport Node

cdef list all_gradients(Pass p, Node n, object g)
cdef list seen_gradients(Pass p, Node n, object g)
cdef object miscounted_gradients(Op op, Formula f, object r, int many)


cdef struct InputWalk:
    # Over the inputs of a node that have a formula, in the order of the arguments. A tensor has one edge, and a list of
    # tensors one for each of them.
    int i                       # the parameter of the op
    int first                   # its first edge
    int many                    # and how many


cdef inline bint onward(InputWalk* w, Op op, Node n) noexcept:
    """The next input; False when there are no more.  A walk begins with InputWalk(-1, 0, 0)."""
    w.first += w.many
    w.i += 1
    while w.i < op.n_tensors and op.formula_of[w.i] < 0:
        w.i += 1
    if w.i >= op.n_tensors:
        return False
    w.many = n.n_edges - (op.n_formulas - 1) if op.type_of[w.i] == TENSORS else 1
    return True


cdef inline bint any_wanted(Pass p, Node n, InputWalk* w) except -1:
    """True if one of these edges of `n` leads to a node that is wanted."""
    cdef int e
    for e in range(w.first, w.first + w.many):
        if n.edges[e].node != NULL and wanted(p, <Node>n.edges[e].node):
            return True
    return False


cdef inline bint is_last(Pass p, Node n, InputWalk* w) except -1:
    """True if no edge after these leads to a node that is wanted."""
    cdef int e
    for e in range(w.first + w.many, n.n_edges):
        if n.edges[e].node != NULL and wanted(p, <Node>n.edges[e].node):
            return False
    return True


cdef inline object the_only(Op op, object g):
    """What formulas are given of `g`: where only one of several outputs is differentiable, its gradient alone."""
    return g[op.only] if op.only >= 0 and g is not None else g


cdef inline object gradient(Pass p, Formula f, Op op, Node n, object g, list values, bint over=False):
    """The gradient of one input; of a list of tensors, a list of gradients.  With `over` it may be written over `g`."""
    if g is None:
        return None
    if not p.tensors:
        return apply_formula(f, op, g, n, values, over)
    return apply_text(f, op, g, n, p.on_payloads, values)


cdef inline object one_for_each(object r, Op op, Formula f, int many):
    """The gradients of a list of tensors as they are, if there is one for each."""
    if r is not None and (type(r) not in (tuple, list) or len(r) != many):
        raise miscounted_gradients(op, f, r, many)
    return r
