"""Levels: operations inside transforms.

``vmap``, ``func.grad`` and ``func.jvp`` are interpreters of operations (minigrad/func).  Here is what they share:
tensors of a level, and the way of an operation from one level to the one below.
"""

from minigrad._core.dispatch.call cimport become_view, call, wrap_outputs
from minigrad._core.dispatch.op cimport REFUSES, Op
from minigrad._core.dispatch.operands cimport Inputs, from_the_first, next_input, payloads_of
from minigrad._core.errors import MinigradError, error
from minigrad._core.errors.refusals import no_derivative
from minigrad._core.graph cimport (Node, Tensor, View, count_write, is_alone, later as graph_later,
                                   new_tensor, new_view, version_of)
from minigrad._core.graph.hook_lists cimport replace_history
from minigrad._core.runtime.core_ops cimport words
from minigrad._core.runtime.numpy_api cimport PyArray_NDIM, PyArray_TYPE, ndarray
from minigrad._core.runtime.python_api cimport PySequence_Fast_ITEMS
from minigrad._core.runtime.thread_state cimport interpreter_of, is_inside


# Note [Levels]
# -------------
# A transform (vmap, func.grad, func.jvp) opens a level, wraps its inputs as tensors of that level, and
# calls the function.  The payload of a tensor of level n is a tensor of a lower level:
#
#     vmap(grad(f))(x):     level 2, tape     Tensor(level 2) -+
#                           level 1, batch                     +-> Tensor(level 1) -+
#                           level 0, arrays                                         +-> Tensor -> ndarray
#
# An operation belongs to the highest level among its arguments.  That level's interpreter handles it
# by calling ops on payloads, which are one level down, and so on until arrays are reached.  A tape
# level records exactly as level 0 does: the formulas then run on payloads, whatever those are.
#
# All of them lie in one memory, so they share its Version: a write to any of them, or to a view of any, is noticed by
# the formulas of every level that have saved one of them.

def wrap_level(payload, int level, int hidden=0):
    """A tensor of transform level ``level`` around ``payload``, whose first ``hidden`` dims are not shown.

    The payload is a tensor of a lower level; or of a later transform, if that maps over cotangents of this level.
    """
    cdef Tensor t
    if not isinstance(payload, Tensor) or (<Tensor>payload).payload is None:
        raise not_a_tensor(payload)
    if (<Tensor>payload).level >= level and ((<Tensor>payload).level == level
                                             or interpreter_of((<Tensor>payload).level) is None):
        raise from_inside()
    t = new_tensor(payload)
    t.level = level
    t.hidden = hidden
    t.version = version_of(<Tensor>payload)
    t.born = (<Tensor>payload).born
    return t


# What a transformed function has made itself on a lower level, such as torch.zeros(3), it may write to with values of
# the transform: the tensor is lifted to that level.  What it has captured it may not write to.  Note [Lifting] in
# func/inplace_writes.py tells how.

def was_made_inside(Tensor t not None, int level):
    """Has an operation made ``t`` since this level was opened, and not as a view?"""
    return is_inside(t.born, level)


def may_be_lifted(Tensor t not None, int level, Tensor view=None):
    """May ``t`` become a tensor of this level?  Nothing but ``view`` may know it as a tensor of its own level."""
    return could_be_lifted(t, level) and is_known_alone(t, view)


def payload_may_be_lifted(Tensor t not None, int level):
    """The same for the payload of a tensor that is known to be alone."""
    return could_be_lifted(<Tensor>t.payload, level)


def may_be_lent(Tensor t not None, int level, Tensor view=None):
    """The same for ``t`` that was made outside, and is an argument of the transformed function."""
    return t.level < level and is_free(t) and is_known_alone(t, view)


cdef bint could_be_lifted(Tensor t, int level) except -1:
    """Was it made inside the level?"""
    return t.level < level and is_inside(t.born, level) and is_free(t)


cdef bint is_free(Tensor t) noexcept:
    """Is it neither a view nor a leaf that requires grad, and has no hooks?"""
    return t.view is None and t.hooks is None and (t.node is not None or not t.requires_grad_)


def is_known_alone(Tensor t not None, Tensor view=None):
    """Does nothing but ``view``, which can be read from it again, know the memory of ``t``?"""
    return is_alone(t, view) and (view is None or not (<View>view.view).made_in)


def note_view(Op op not None, list args, result):
    """``result`` shows part of the first argument, on a level that keeps no history: let it be known as a view."""
    if isinstance(result, Tensor):
        become_view(op, PySequence_Fast_ITEMS(args), <Tensor>result)
        if (<Tensor>result).view is not None:
            (<View>(<Tensor>result).view).made_in = ""
    return result


def lift(Tensor t not None, int level):
    """``t``, a tensor of a lower level made inside a transform, becomes one of its level, on the same memory.

    What it is on its level now is left to its payload: a history there, and a tangent.
    """
    cdef Tensor payload = new_tensor(t.payload)
    payload.version = version_of(t)
    payload.level, payload.hidden, payload.inference, payload.born = t.level, t.hidden, t.inference, t.born
    payload.tangent = t.tangent
    payload.node, payload.nr, payload.requires_grad_ = t.node, t.nr, t.requires_grad_
    t.payload = payload
    t.level = level
    t.tangent = t.node = None
    t.hidden = t.nr = t.requires_grad_ = 0


def give_back(Tensor t not None):
    """``t``, which was lifted for the time of a transform, becomes what its payload is on the level below."""
    cdef Tensor payload = <Tensor>t.payload
    t.payload, t.level, t.hidden, t.inference, t.born = (payload.payload, payload.level, payload.hidden,
                                                         payload.inference, payload.born)
    t.tangent, t.node, t.nr, t.requires_grad_ = payload.tangent, payload.node, payload.nr, payload.requires_grad_


def become(Tensor view not None, Tensor other not None):
    """``view``, whose base was lifted, becomes ``other``, which shows the same of the base on its new level."""
    view.payload, view.version, view.view, view.level = other.payload, other.version, other.view, other.level
    view.tangent, view.node, view.nr, view.requires_grad_ = other.tangent, other.node, other.nr, other.requires_grad_
    view.hidden = other.hidden


def apply(Op op not None, args):
    """``op`` on all arguments, including keyword-only ones, in the order of its schema."""
    cdef list keep = list(args)
    return call(op, PySequence_Fast_ITEMS(keep))


def take_layout(Op op not None, list args, Tensor other not None, bint recorded):
    """The first of ``args`` gets the layout of ``other``, which is what ``op`` returned for them, and its history.

    That is, if one was ``recorded``; else a view catches up when it is next used.
    """
    cdef Tensor t = args[0]
    if t.view is None:
        t._layouts = (*getattr(t, "_layouts", ()), (op, args[1:], tuple(t.shape)))
    if recorded:
        replace_history(t, <Node>other.node, other.nr)
    t.payload, t.tangent = other.payload, other.tangent
    if t.view is not None:
        t.view = new_view(t, op, tuple(args[1:]), "")
    count_write(version_of(t))
    if t.view is not None and recorded:
        (<View>t.view).at = t.version.value
    return t


def place_of(Tensor x not None):
    """Where the elements of ``x`` lie in memory."""
    cdef object payload = x
    while isinstance(payload, Tensor):
        payload = (<Tensor>payload).payload
    steps = [step for step, n in zip(payload.strides, payload.shape) if n > 1]
    return payload.__array_interface__["data"], payload.shape, steps


def steps_to(Tensor view not None, Tensor base not None):
    """The operations, with their arguments, that lead from the base to the view.

    If the base has another layout than when the view was made (``base.t_()``), that is undone first: one change of
    layout after the other, until the view is where it must be.
    """
    cdef list undo = []
    cdef tuple chain = () if view.view is None else (<View>view.view).chain
    if not hasattr(base, "_layouts"):
        return chain
    for made, arguments, shape in (*base._layouts[::-1], (None, None, None)):
        try:
            if place_of(along((*undo, *chain), base)) == place_of(view):
                return *undo, *chain
        except MinigradError:           # the layout has too few dims for that
            pass
        if made is not None:
            undo.append((made, arguments) if len(shape) == along(undo, base).ndim else (words.view, (shape,)))
    raise seen_otherwise()


cdef object along(object steps, object base):
    for made, arguments in steps:
        base = apply(made, [base, *arguments])
    return base


cdef object replayed_in_c(Tensor view, Tensor base):
    return along(steps_to(view, base), base)


graph_later.replayed = replayed_in_c


def replayed(Tensor view not None, Tensor base not None):
    """A view, recorded anew as a part of its base, which are tensors of a transform: by the steps that made it."""
    return replayed_in_c(view, base)


def call_on_payloads(Op op not None, list args, int level, bint recording):
    """Run ``op`` one level down and wrap the result for ``level``, recorded there if ``recording``."""
    cdef unsigned int mask = 0
    cdef Inputs w = from_the_first()
    while next_input(&w, op, PySequence_Fast_ITEMS(args)):
        if w.tensor == NULL or (<Tensor>w.tensor).level != level:
            continue
        if (<Tensor>w.tensor).view is not None and recording:       # a write does not come by way of dispatch
            graph_later.catch_up(<Tensor>w.tensor)
        if (<Tensor>w.tensor).requires_grad_:
            if op.formula_of[w.i] >= 0:
                mask |= 1u << op.formula_of[w.i]
            elif op.formula_of[w.i] == REFUSES and recording:
                raise no_derivative(op, w.i)
    result = apply(op, payloads_of(op, args, level))
    return wrap_outputs(op, PySequence_Fast_ITEMS(args), result, mask if recording else 0, level)


def taken_apart(list args, int level):
    """Two lists, with an entry for each argument: is it a tensor of ``level``, and its payload if so, else itself.

    For a list of tensors both entries are lists.
    """
    cdef list mapped = [], payloads = [], flags, inner
    cdef bint any_mapped
    for x in args:
        if isinstance(x, Tensor):
            if (<Tensor>x).level == level:
                mapped.append(True)
                payloads.append((<Tensor>x).payload)
                continue
        elif type(x) is list:
            flags, inner = taken_apart(<list>x, level)
            payloads.append(inner)
            mapped.append(flags if True in flags else False)
            continue
        mapped.append(False)
        payloads.append(x)
    return mapped, payloads


def lined_up(list mapped, list payloads):
    """True if payloads that have one leading dim more, where ``mapped``, broadcast with the others as they are.

    That is so if the others have fewer dims.  False also in cases that need a closer look: several dtypes, or payloads
    that belong to a transform themselves.
    """
    cdef int i, ndim = -1, others = 0, dtype = -1
    cdef object x
    for i in range(len(payloads)):
        x = payloads[i]
        if isinstance(x, Tensor):
            if type((<Tensor>x).payload) is not ndarray or (dtype >= 0 and PyArray_TYPE((<Tensor>x).payload) != dtype):
                return False
            dtype = PyArray_TYPE((<Tensor>x).payload)
            if mapped[i] is not True:
                others = max(others, PyArray_NDIM((<Tensor>x).payload))
            elif ndim >= 0 and PyArray_NDIM((<Tensor>x).payload) != ndim:
                return False
            else:
                ndim = PyArray_NDIM((<Tensor>x).payload)
    return ndim > others


# ------------------------------------------------------------------------------ what the errors say

cdef object from_inside():
    return error("MG117", "a tensor of a transform (vmap, grad, jvp) was given where one from outside it is needed: "
                          "a vmap staticmethod, for example, must compute with the tensors that it receives, which "
                          "have the batch as a dim, and not with those of the mapped function")


cdef object seen_otherwise():
    return error("MG117", "a view of a tensor that has had another layout since (t_(), squeeze_() ...), inside a "
                          "transform (grad, vjp, jacrev), cannot be read again after a write to either of them. Use "
                          "the out-of-place form, as in y = y.t()")


cdef object not_a_tensor(object payload):
    given = "a Tensor without data" if isinstance(payload, Tensor) else type(payload).__name__
    return error("MG205", f"a transform (vmap, grad, jvp) was given {given}, and works on tensors: make one with "
                          "torch.tensor(...)")
