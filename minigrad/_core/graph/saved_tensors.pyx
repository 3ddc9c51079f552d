"""Saved tensors: checked, and given back to the formulas.

A formula needs the values that its tensors had in the forward pass.  A node keeps each in a slot (``Saved`` in
``graph.pxd``), together with the version that the tensor had then.  The backward pass gets it back, unless the tensor
was written to since (MG101), or an earlier pass has let go of it (MG102).
"""

from minigrad._core.errors import error
from minigrad._core.graph cimport (INPUT, NOTHING, OUTPUT, PACKED, PASSED, SEVERAL, VALUE, Edge, Node, Saved, Tensor,
                                   Version, new_tensor, publish, later, written_at)
from minigrad._core.graph.saved_slots cimport bring_back, number_of
from minigrad._core.runtime.python_api cimport given
from minigrad._core.runtime.source_lines cimport shown_call


# ------------------------------------------------------------------------------ the content of a slot

# Note [Saved outputs]
# --------------------
# The derivative of exp needs its own result.  If the node saved the result's Tensor, each would hold the other:
#
#     y ---grad_fn---> ExpBackward0 ---saved---> y         a cycle: only the collector would free it
#     y ---grad_fn---> ExpBackward0 ---saved---> payload, Version, number           what we do
#
# When a formula or the user asks for it, a Tensor is made of these (`saved_output`).  An input that has a node is kept
# in the same way (PASSED): its node is at the end of our edge.  The Version tells whether the payload has changed.
# Where nobody could change it any more, a number is kept without the two (Note [Numbers in slots] in saved_slots.pyx).

cdef Tensor saved_output(Node n, Saved* s):
    """The node's own output, as a Tensor again."""
    cdef Tensor t
    bring_back(n, s)
    t = new_tensor(<object>s.value)
    t.node = n
    t.nr = s.nr
    t.level = n.level
    t.requires_grad_ = True
    t.version = <Version>s.version if s.version != NULL else None
    lend_own_tangent(n, t)
    return t


cdef int lend_own_tangent(Node n, Tensor t) except -1:
    """Give an output of the node that is a Tensor again the tangent that it had."""
    if n.hooks is not None and n.hooks.tangents is not None and t.nr in n.hooks.tangents:
        later.lend_tangent(t, n.hooks.tangents[t.nr])
    return 0


cdef Tensor passed_input(Node n, Saved* s):
    """An input that came from another node, as a Tensor again: that node is at the end of our edge."""
    cdef Edge* edge = &n.edges[s.nr]
    cdef Tensor t
    bring_back(n, s)
    t = new_tensor(<object>s.value)
    t.node = <Node>edge.node
    t.nr = edge.nr
    t.level = n.level
    t.requires_grad_ = True
    t.version = <Version>s.version
    return t


cdef object unpack(Node n, int i):
    """The content of slot `i` as a Tensor (or parameter); for formulas that run on Tensors."""
    cdef Saved* s = &n.saved[i]
    if n.saved == NULL:                         # another thread was here first
        raise second_time(n)
    if s.kind == NOTHING:
        return None
    check_version(n, i)
    if s.kind == OUTPUT:
        return saved_output(n, s)
    if s.kind == PASSED:
        return passed_input(n, s)
    if s.kind == PACKED:
        return later.opened(n, i, <object>s.value)
    if s.kind == SEVERAL:
        return [x if x is None or isinstance(x, Tensor) else later.opened(n, i, x) for x, at in <list>s.value]
    return <object>s.value


cdef object payload_of(Node n, int i):
    """The content of slot `i` as an array (or parameter); for formulas that run on arrays."""
    cdef Saved* s = &n.saved[i]
    cdef Version v
    if n.saved == NULL:                         # another thread was here first
        raise second_time(n)
    if s.number:
        return number_of(s)
    if s.kind == INPUT:
        v = (<Tensor>s.value).version
        if v is not None and v.value != s.at:
            check_version(n, i)
        if (<Tensor>s.value).level != n.level:
            return <object>s.value              # a tensor of a lower level is its own payload here
        return (<Tensor>s.value).payload
    if s.kind == VALUE or ((s.kind == PASSED or s.kind == OUTPUT)
                           and (s.version == NULL or (<Version>s.version).value == s.at)):
        return <object>s.value
    if s.kind == NOTHING:
        return None
    check_version(n, i)
    if s.kind == SEVERAL:
        return [None if t is None else (<Tensor>t).payload if (<Tensor>t).level == n.level else t
                for t, at in <list>s.value]
    return <object>s.value


cpdef object shown_slot(Node n, int i):
    """The content of slot `i` as users see it: a Tensor, a tuple of Tensors, a parameter, or None if it is empty."""
    given(n)
    if i >= n.n_saved and n.op is not None:     # an option that was left out: Note [Options] in op.pyx
        return n.op.defaults[n.op.positions[n.op.slots[i]]]
    if n.freed:
        raise second_time(n)
    value = unpack(n, i) if n.saved != NULL else None
    return tuple(value) if isinstance(value, list) else value


# ------------------------------------------------------------------------------ written to since

cdef int check_version(Node n, int i) except -1:
    """Raise if the tensor in slot `i` was written to since it was saved, and name the first argument that was."""
    cdef int k
    if is_outdated(n, i):
        for k in range(i + 1):
            if is_outdated(n, k):
                complain(n, k)
    return 0


cdef bint is_outdated(Node n, int i) except -1:
    cdef Saved* s = &n.saved[i]
    if s.kind == INPUT:
        return (<Tensor>s.value).version is not None and (<Tensor>s.value).version.value != s.at
    if s.kind == PASSED or s.kind == OUTPUT:
        return not s.number and s.version != NULL and (<Version>s.version).value != s.at
    return s.kind == SEVERAL and first_outdated(<list>s.value) is not None


cdef Tensor first_outdated(list several):
    for x, at in several:
        if isinstance(x, Tensor) and (<Tensor>x).version is not None and (<Tensor>x).version.value != at:
            return x
    return None


cdef int complain(Node n, int i) except -1:
    cdef Saved* s = &n.saved[i]
    cdef Tensor t
    if s.kind == SEVERAL:
        t = first_outdated(<list>s.value)
        for x, at in <list>s.value:
            if x is t:
                raise modified(n, i, t, t.version, at)
    t = <Tensor>s.value if s.kind == INPUT else passed_input(n, s) if s.kind == PASSED else saved_output(n, s)
    raise modified(n, i, t, t.version, s.at)


# ------------------------------------------------------------------------------ what the errors say

def freed_at(Node n not None):
    """Where the pass was called that freed what ``n`` had saved: "" if that is unknown, None if nothing was freed."""
    return shown_call(n.freed) if n.freed else None


cdef object second_time(Node n):
    cdef object line = freed_at(n)
    if line:
        line = f", in the pass that was called at {line}"
    return error("MG102", "Trying to backward through the graph a second time (or directly access saved tensors "
                          f"after they have already been freed): {Node.name(n)} has already been run and let go of "
                          f"what it had saved{line or ''}. Usually a part of the graph was built once, outside the "
                          "loop that calls backward(): compute it anew each time, or cut it off with .detach(). "
                          "Specify retain_graph=True on the earlier call if you do mean to go through it again.")


cdef object modified(Node n, int i, Tensor t, Version now, long long then):
    """Which node saved it as which argument, both versions, where it was written to, and what to write instead."""
    cdef object slot = f"its argument {n.op.slots[i]!r}" if n.op is not None else f"saved_tensors[{i}]"
    cdef object which = "a leaf" if t.node is None else f"output {t.nr} of {Node.name(<Node>publish(<Node>t.node))}"
    cdef long long writes = now.value - then
    cdef str line = written_at(now)
    if n.op is not None and n.saved != NULL and n.saved[i].kind == OUTPUT:
        slot = f"its own {n.op.slots[i]!r}"
    if line:
        line = f" It was written to {f'{writes} times since, last ' if writes > 1 else 'since, '}at {line}."
    cdef str cure = ("Write that operation out of place (x = x + 1 instead of x += 1, x = torch.where(...) instead "
                     "of x[i] = ...), or give the later one a clone() to write to.")
    if t.node is None and t.requires_grad_:
        cure = ("To update a leaf, call backward() first and write afterwards, or compute the result anew after the "
                "update.")
    cdef str hint = ""
    if n.hooks is None or "traceback_" not in n.hooks.metadata:
        hint = (f" Hint: enable anomaly detection to find where {Node.name(n)} was made, with "
                "torch.autograd.set_detect_anomaly(True, check_nan=False).")
    return error("MG101", "one of the variables needed for gradient computation has been modified by an inplace "
                          f"operation: [{t.type()} {list(t.shape)}], which is {which}, is at version {now.value}; "
                          f"expected version {then} instead. {Node.name(n)} saved it ({slot}), because the formula of "
                          f"its derivative needs the values that it had.{line} {cure}{hint}")
