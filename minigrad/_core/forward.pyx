"""Forward mode: the tangent of a result from the tangents of what went in.

A dual number is a value together with its tangent, the rate at which it changes: (x, t).  Every operation
takes duals to duals, with the derivative that its row already has::

    (x, t) * (y, u) = (x * y,  t * y + x * u)

`differential` says how, kind by kind.  It is all that a transform's level needs (minigrad/func), and all
that tensors outside of transforms need, whose tangents live on the tensors themselves: `carry` sees to
those after each operation, and `carry_write` after each write in place.

Note [Tangents of views]
------------------------
A view has no tangent of its own: it reads it off the tensor whose memory it shows, as it reads off its
history (Note [Views] in views.pyx)::

    x = zeros(4)            memory  [ 0  0  0  0 ]         tangent  none
    v, u = x[1:3], x[2:]
    v.copy_(dual)           memory  [ 0  a  b  0 ]         tangent  [ 0  a' b' 0 ]      belongs to x
                                         v  v                            v        v.tangent = [a' b']
                                            u  u                            u     u.tangent = [b' 0]

So a write through v need not look for u, and a view that was made before x had a tangent has one now.
The tensor that owns the tangent is the base of the view, with one exception: what make_dual returns is a
view as far as memory and history go, but owns its tangent (`View.dual`), and so do views of it read from there.

Note [The transpose of the transpose]
-------------------------------------
Rows of the kind `general` write out the vjp only.  It is linear in the cotangent d, for fixed values::

    vjp(d) = J^T d

So its own transpose is the jvp: record vjp on a tape, with d as the only variable, and run that tape backward
from the tangent: J t = (J^T)^T t.  The numbers in d do not matter, so it is zeros.  (J. Townsend, "A new trick
for calculating Jacobian vector products", 2017.)  A complex J works as well: what the engine computes is the
adjoint for the real inner product, and of that the adjoint is J again.
"""

from cpython.ref cimport PyObject, Py_INCREF, Py_DECREF

import weakref

from minigrad._core.modes cimport State, state
from minigrad._core.graph cimport OUTPUT, Node, NodeHooks, Tensor, View, given, hooks_of, upward
from minigrad._core.dispatch cimport no_derivative
from minigrad._core.op cimport PLAIN, REFUSES, TENSORS, Formula, Op
from minigrad._core.formulas cimport run_text
from minigrad._core.levels import apply, call_on_payloads
from minigrad._core.engine import run as run_backward
from minigrad._core.graph import wrap_level
from minigrad._core.modes import pop_level, push_level, set_grad_enabled
from minigrad._core.views cimport part_of_tensor, tensor_with_part
from minigrad._core.vocabulary cimport words

# ------------------------------------------------------------------------------ one operation

def differential(Op op not None, primals, tangents, result):
    """The tangent of the result of ``op(*primals)``; a tuple of them where there are several results.

    ``tangents`` has an entry for each parameter: a tensor, None, or for a list of tensors a list.  None
    in the answer stands for zero.  What is given must not carry tangents itself.
    """
    cdef Formula f
    cdef object total = None, term
    cdef int i
    refuse_tangents(op, tangents)
    if op.recorded and not op.zero_gradient and op.elementwise:
        values = values_by_name(op, primals, result)
        for f in op.formulas:
            i = op.positions[f.of]
            if tangents[i] is not None:
                term = run_text(f, op, tangents[i], [values[name] for name in f.names])
                if term is not None:
                    total = term if total is None else words.add(total, term)
        return None if total is None else fitted(total, result)
    if op.zero_gradient or not op.recorded:
        return None
    if op.kind == "linear" or op.kind == "view":
        total = apply(op, [argument_of_linear(op, i, primals[i], tangents[i]) for i in range(op.n_params)])
        return tuple(total) if op.list_output or op.outputs else fitted(total, result)
    if op.kind == "multilinear":
        for i in range(op.n_params):
            if tangents[i] is not None:
                term = apply(op, [tangents[i] if k == i else x for k, x in enumerate(primals)])
                total = term if total is None else words.add(total, term)
        return fitted(total, result)
    return transposed(op, primals, tangents, result)


cdef int refuse_tangents(Op op, tangents, bint inplace=False) except -1:
    """No tangent may come in by an argument that has no formula, and would need one."""
    cdef int i
    for i in range(op.n_tensors):
        if op.formula_of[i] == REFUSES and tangents[i] is not None:
            raise no_derivative(op, i, inplace)
    return 0


cdef object argument_of_linear(Op op, int i, object primal, object tangent):
    """What a linear row is applied to: tangents where it is linear, with zeros for missing ones and for constants that it writes."""
    if op.formula_of[i] < 0:
        return 0 if op.params[i] == "value" and op.type_of[i] == PLAIN else primal
    if op.type_of[i] == TENSORS:
        tangent = [None] * len(primal) if tangent is None else tangent
        return [None if x is None else words.zeros_of(x) if t is None else t for x, t in zip(primal, tangent)]
    return words.zeros_of(primal) if tangent is None and isinstance(primal, Tensor) else 0 * primal if tangent is None and primal is not None else tangent


cdef dict values_by_name(Op op, primals, result):
    """Everything that a formula may name."""
    cdef dict values = dict(zip(op.params, primals))
    for name in op.slots:
        if name not in values:
            if name.endswith("_shape"):
                values[name] = shape_of(values[name[:-6]])
            elif name.endswith("_dtype"):
                values[name] = values[name[:-6]].dtype
    if op.outputs:
        values.update(zip(op.outputs, result))
    elif "result" not in values:
        values["result"] = result
    return values


cdef object shape_of(x):
    if isinstance(x, Tensor):
        return tuple(x.shape)
    return [None if y is None else tuple(y.shape) for y in x] if isinstance(x, (list, tuple)) else ()


cdef object fitted(object tangent, object result):
    """The tangent in the shape and dtype of the result that it is for; None for whole numbers, which have none."""
    if not (result.dtype.is_floating_point or result.dtype.is_complex):
        return None
    if tuple(tangent.shape) != tuple(result.shape):
        tangent = words.expand(tangent, tuple(result.shape))
    if tangent.dtype is not result.dtype:
        tangent = words.to_dtype(words.real(tangent) if tangent.dtype.is_complex and not result.dtype.is_complex else tangent, result.dtype)
    return tangent


# ------------------------------------------------------------------------------ general rows

class Tape:
    """The level of reverse mode: what is done to its tensors is recorded, and formulas will run on payloads.

    Payloads are recorded, further down, where grad mode is on here and was on outside.
    """

    maps = False                        # its tensors have one value each

    def __init__(self):
        self.outside = not state().grad_off

    def process(self, op, args, level):
        inside = not state().grad_off
        if self.outside or not inside:
            return call_on_payloads(op, args, level, inside)
        set_grad_enabled(False)
        try:
            return call_on_payloads(op, args, level, inside)
        finally:
            set_grad_enabled(inside)


cdef object transposed(Op op, primals, tangents, result):
    """See Note [The transpose of the transpose]."""
    cdef bint several = op.list_output or op.outputs != ()
    cdef list outputs = list(result) if several else [result]
    cdef list followed = [k for k in range(len(outputs)) if op.list_output or op.differentiable >> k & 1]
    cdef list totals = [None] * len(outputs)
    cdef State* st = state()
    cdef int hooked = st.hooked
    cdef Formula f
    cdef int i, level
    values = values_by_name(op, primals, result)
    for f in op.formulas:
        i = op.positions[f.of]
        if tangents[i] is None or f.text is None:
            continue
        tape = Tape()
        grad_on = set_grad_enabled(True)
        level = push_level(tape)
        st.hooked = 0                   # the tape is ours: saved-tensor hooks are not asked about it
        try:
            ds = [wrap_level(words.zeros_of(outputs[k]), level) for k in followed]
            for d in ds:
                d.requires_grad = True
            cotangent = ds[0] if not several or op.only >= 0 else tuple([ds[followed.index(k)] if k in followed else None for k in range(len(outputs))])
            back = run_text(f, op, cotangent, [values[name] for name in f.names])
            terms = [None] * len(ds)
            pairs = zip(back, tangents[i], primals[i]) if op.type_of[i] == TENSORS else [(back, tangents[i], primals[i])]
            kept = [(as_input(g, x), t) for g, t, x in pairs if g is not None and t is not None and g._level == level]
            kept = [(g, t) for g, t in kept if g.requires_grad]
            if kept:
                set_grad_enabled(grad_on)
                terms = run_backward([g for g, t in kept], [t for g, t in kept], False, False, ds, False, True)
        finally:
            st.hooked = hooked
            set_grad_enabled(grad_on)
            pop_level()
        for k, term in zip(followed, terms):
            if term is not None:
                term = fitted(term, outputs[k])
                totals[k] = term if totals[k] is None else words.add(totals[k], term)
    return tuple(totals) if several else totals[0]


cdef object as_input(object g, object x):
    """What the engine does at an edge: the gradient in the shape and dtype of the input."""
    if tuple(g.shape) != tuple(x.shape):
        g = words.sum_to(g, tuple(x.shape))
    if g.dtype.is_complex and not x.dtype.is_complex:
        g = words.real(g)
    return g if g.dtype is x.dtype else words.to_dtype(g, x.dtype)


# ------------------------------------------------------------------------------ tangents outside of transforms

def enter():
    """Open the dual level of this thread."""
    cdef State* st = state()
    cdef list owners = []
    Py_INCREF(owners)
    st.owners = <PyObject*>owners
    st.forward = 1
    st.active += 1


def leave():
    """Close it: no tensor has a tangent any more."""
    cdef State* st = state()
    cdef list owners = <list>st.owners
    Py_DECREF(owners)
    st.owners = NULL
    st.forward = 0
    st.active -= 1
    for owner in owners:
        if type(owner) is NodeHooks:
            (<NodeHooks>owner).tangents = None
        else:
            t = owner()
            if t is not None:
                (<Tensor>t).tangent = None


cdef int owns(object owner) except -1:
    """Note that a tensor (by a weak reference), or what hangs on a node, has a tangent, until the level is closed."""
    if state().owners != NULL:
        (<list>state().owners).append(owner)
    return 0


def is_open():
    """May tensors have tangents now, and do operations look at them?"""
    return state().forward != 0


def level_is_open():
    """Is there a dual level, though what runs now may not look at tangents?"""
    return state().owners != NULL


class paused:
    """Within the block operations do not look at tangents."""

    def __enter__(self):
        self.before = state().forward
        state().forward = 0

    def __exit__(self, kind, value, traceback):
        state().forward = self.before


cdef Tensor owner_of(Tensor t):
    """The tensor whose tangent that of `t` is a part of; see Note [Tangents of views]."""
    cdef View v
    if t.view is None:
        return t
    v = <View>t.view
    if v.dual == 1:
        return t
    return v.base if v.owner is None else <Tensor>v.owner


cpdef object tangent_of(Tensor t):
    """The tangent of a tensor outside of transforms, or None."""
    given(t)
    cdef Tensor owner
    if t.level:
        return None
    owner = owner_of(t)
    if owner.tangent is None or owner is t:
        return owner.tangent
    if t.data.dtype.kind not in "fcV":
        return None
    return part_of_tensor(owner.tangent, t.data, owner.data)


cdef object tangent_here(Tensor t):
    return tangent_of(t)


def set_tangent(Tensor t not None, tangent):
    """``t``, which is no view but of what make_dual made, gets ``tangent``, or loses the one that it has."""
    t.tangent = tangent
    if tangent is not None:
        owns(weakref.ref(t))


def make_owner(Tensor dual not None, tangent):
    """``dual``, an alias of a tensor, gets a tangent of its own."""
    if dual.view is not None:
        (<View>dual.view).dual = 1
    set_tangent(dual, tangent)


cdef list tangents_of(Op op, list args, bint* found):
    cdef list tangents = []
    cdef int i
    found[0] = False
    for i in range(op.n_params):
        x = args[i]
        t = None
        if op.type_of[i] == TENSORS and x is not None:
            t = [None if y is None else tangent_of(<Tensor>y) for y in x]
            if any([y is not None for y in t]):
                found[0] = True
            else:
                t = None
        elif op.type_of[i] != PLAIN and isinstance(x, Tensor):
            t = tangent_of(<Tensor>x)
            found[0] = found[0] or t is not None
        tangents.append(t)
    return tangents


cdef object without_tangents(Op op, list args, list tangents, object result):
    """`differential`, while nobody else looks at tangents."""
    cdef State* st = state()
    st.forward = 0
    try:
        return differential(op, args, tangents, result)
    finally:
        st.forward = 1


cdef int carry(object op_, list args, object out) except -1:
    """After `out = op(*args)`: give it the tangent that it has by those of the arguments."""
    cdef Op op = <Op>op_
    cdef bint found
    cdef Tensor t
    cdef list tangents
    if state().inference:
        return 0
    tangents = tangents_of(op, args, &found)
    if not found:
        return 0
    several = isinstance(out, tuple)
    if several and not out:
        return 0                    # the pieces of an empty dim
    if (<Tensor>(out[0] if several else out)).view is not None and op.is_view:
        return 0                    # it reads its tangent off its base
    answer = without_tangents(op, args, tangents, out)
    for k, t in enumerate(out if several else (out,)):
        if t.data.dtype.kind not in "fcV":
            continue
        tangent = None if answer is None else answer[k] if several else answer
        if tangent is None and op.recorded:
            tangent = words.zeros_of(t)
        if tangent is not None:
            set_tangent(t, tangent)
            if t.node is not None:
                remember(<Node>t.node, t.nr, tangent)
    return 0


cpdef int remember(Node n, int nr, object tangent) except -1:
    """A node that saved its own output keeps the tangent of it too, for a backward pass within the dual level."""
    given(n)
    cdef int k
    for k in range(n.n_saved):
        if n.saved[k].kind == OUTPUT and n.saved[k].nr == nr:
            h = hooks_of(n)
            if h.tangents is None:
                h.tangents = {}
                owns(h)
            h.tangents[nr] = tangent
    return 0


upward.carry = carry
upward.tangent_of = tangent_here


# ------------------------------------------------------------------------------ writes

cdef tuple before_writing(Op op, list args):
    """What a write to args[0] needs to know of the time before: (arguments, tangents), or None if no tangent is involved."""
    cdef State* st = state()
    cdef Tensor target = <Tensor>args[0]
    cdef bint found
    cdef list tangents
    if st.inference or target.data.dtype.kind not in "fcV":
        return None
    tangents = tangents_of(op, args, &found)
    if not found:
        return None
    refuse_tangents(op, tangents, True)
    st.forward = 0
    try:
        return [unchanged(x, target) for x in args], tangents
    finally:
        st.forward = 1


cdef object unchanged(object x, Tensor target):
    """The argument `x` as it is now, though `target` is written to."""
    cdef Tensor t
    if isinstance(x, list):
        return [unchanged(y, target) for y in x]
    if not isinstance(x, Tensor):
        return x
    t = <Tensor>x
    return words.clone(t) if t is target or (t.version is not None and t.version is target.version) else t


cdef int carry_write(Op op, tuple before, Tensor target, Node node) except -1:
    """After a write to `target`, which `node` recorded, or None: its memory has the tangent of what was written."""
    cdef object result = target, tangent
    cdef State* st = state()
    args, tangents = before
    st.forward = 0
    try:
        tangent = differential(op, args, tangents, target)
        tangent = words.zeros_of(target) if tangent is None else fitted(tangent, target)
        put_tangent(target, tangent)
        if node is not None:
            remember(node, 0, tangent)
    finally:
        st.forward = 1
    return 0


cpdef int put_tangent(Tensor target, object tangent) except -1:
    """Make `tangent` that of `target`, and so of the part of memory that it shows."""
    given(target)
    cdef Tensor owner = owner_of(target)
    if owner is target:
        set_tangent(owner, tangent)
    else:
        whole = words.zeros_of(owner) if owner.tangent is None else owner.tangent
        set_tangent(owner, tensor_with_part(whole, tangent, target.data, owner.data))
    return 0


cdef int overwritten(Tensor target) except -1:
    """`target` is filled with numbers: its tangent, if it has one, is zero there."""
    cdef State* st = state()
    if not st.inference and tangent_of(target) is not None:
        st.forward = 0
        try:
            put_tangent(target, words.zeros_of(target))
        finally:
            st.forward = 1
    return 0


upward.overwritten = overwritten
