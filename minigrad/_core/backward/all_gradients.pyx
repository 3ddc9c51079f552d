"""Nodes that are asked for all their gradients at once.

Most nodes are run by the loop itself, formula by formula: each gradient is handed on before the next is computed
(`execute` in engine.pyx).  Here all gradients of a node are computed before any is handed on, because::

    by_function     the backward of a custom Function returns them together
    by_write        a CopySlices puts two of them together
    by_node         hooks on the node may replace any of them,
                    or saved tensors were packed, and each is unpacked once for all formulas,
                    or the pass is watched, and they are looked at first
    call_node       the user's code has called node(*gradients): user_engines.pyx
"""

from minigrad._core.backward.fitting cimport cast_like, fit, meta_of
from minigrad._core.backward.hooks cimport after_node, all_boxed, all_unboxed, arrived, ask, check_level
from minigrad._core.backward.pass_state cimport Pass, each_output, wanted
from minigrad._core.backward.watched_pass cimport look_for_nan
from minigrad._core.dispatch.op cimport TENSORS, Formula, Op
from minigrad._core.errors.refusals import not_one_gradient_each
from minigrad._core.graph cimport Node, Tensor, new_tensor, publish
from minigrad._core.graph.saved_tensors cimport second_time, unpack
from minigrad._core.graph.view_geometry cimport part_of, read_at, room_like_base
from minigrad._core.graph.view_history cimport CopySlices, with_part
from minigrad._core.runtime.core_ops cimport words
from minigrad._core.runtime.thread_state cimport NAN_ALLOWED


cdef list all_gradients(Pass p, Node n, object g):
    """One gradient per edge, None where there is none."""
    return by_write(p, <CopySlices>n, g) if isinstance(n, CopySlices) else by_node(p, n, g, n)


cdef list seen_gradients(Pass p, Node n, object g):
    """The same gradients, shown to a story, to the hooks that run after the node, and to anomaly mode."""
    cdef tuple incoming = arrived(p, n, g) if n.hooks is not None and n.hooks.after else None
    cdef list results = all_gradients(p, n, g)
    if p.story is not None:
        p.story.leave(publish(n), each_output(n, g), tuple(results))
    if incoming is not None:
        results = all_unboxed(p, after_node(p, n, all_boxed(p, results), incoming))
    if p.anomaly and not p.anomaly & NAN_ALLOWED:
        look_for_nan(p, n, g, results)
    return results


# ------------------------------------------------------------------------------ a row, a custom Function

# The edges of `outer` tell which gradients are wanted: it is the node itself, or the CopySlices around it.

cdef list by_node(Pass p, Node n, object g, Node outer):
    """What `execute` does edge by edge, for all edges."""
    cdef list results = []
    cdef list values
    cdef Op op
    cdef Formula f
    cdef InputWalk w = InputWalk(-1, 0, 0)
    if n.op is None:
        return by_function(p, n, g)
    if n.freed:
        raise second_time(n)
    op = <Op>n.op
    g = the_only(op, g)
    values = unpacked(p, n, outer) if n.packed and g is not None else None
    if p.story is not None and values is not None:
        p.story.unpacked(publish(n), tuple(values))
    while onward(&w, op, n):
        f = <Formula>op.formulas[op.formula_of[w.i]]
        r = gradient(p, f, op, n, g, values) if any_wanted(p, outer, &w) else None
        if op.type_of[w.i] == TENSORS:
            results += [None] * w.many if r is None else list(one_for_each(r, op, f, w.many))
        else:
            results.append(r if meta_of(n, w.first) != NULL else cast_like(r, g, n, w.first))
    return results


cdef object miscounted_gradients(Op op, Formula f, object r, int many):
    return not_one_gradient_each(op.name, f.of, f"a list of {len(r)}" if type(r) in (tuple, list) else "no list", many)


cdef list by_function(Pass p, Node n, object g):
    """The gradients of a custom Function: `_gradients` in autograd/function/context.py calls its backward."""
    cdef tuple incoming = tuple([x if x is None or p.tensors else new_tensor(x) for x in each_output(n, g)])
    cdef object returned = ask(p, n._gradients, incoming)
    for x in returned:
        if x is not None:
            check_level(p, x, n)
    return all_unboxed(p, returned)


# An unpack hook is the user's code, and may read a file. So each slot is unpacked once for all formulas, and only if
# one of those that will run needs it.

cdef list unpacked(Pass p, Node n, Node outer):
    """The slots that the wanted formulas need, and None for the others."""
    cdef Op op = <Op>n.op
    cdef unsigned int mask = 0
    cdef int k
    cdef InputWalk w = InputWalk(-1, 0, 0)
    while onward(&w, op, n):
        if any_wanted(p, outer, &w):
            mask |= 1u << op.formula_of[w.i]
    return [ask(p, unpack_slot, (n, k)) if op.slot[k].needed_by & mask else None for k in range(n.n_saved)]


def unpack_slot(Node n not None, int k):
    """The content of slot ``k``, for which an unpack hook may be called: the user's code."""
    return unpack(n, k)


# ------------------------------------------------------------------------------ a write through a view

cdef list by_write(Pass p, CopySlices c, object g):
    """Part of the base's gradient goes through the write, and the rest passes by: Note [Views] in view_history.pyx."""
    cdef Node inner = <Node>c.inner
    cdef list results
    cdef object room = None, part
    if g is None:
        return [None] * c.n_edges
    if p.tensors:
        part = read_at(c.part, c.base, g)
    else:
        room = room_like_base(c.base, g)
        part = part_of(c.part, room).copy()
    results = by_node(p, inner, part if not inner.several else [part], c)
    for e in range(c.n_edges):
        results[e] = fit(p, results[e], inner, e)
    if c.edges[c.which].node == NULL or not wanted(p, <Node>c.edges[c.which].node):
        results[c.which] = None
    elif p.tensors:
        results[c.which] = with_part(c, g, words.zeros_of(part) if results[c.which] is None else results[c.which])
    else:
        part_of(c.part, room)[...] = 0 if results[c.which] is None else results[c.which]
        results[c.which] = room
    return results
