"""Levels: operations inside transforms.

``vmap``, ``func.grad`` and ``func.jvp`` are interpreters of operations (minigrad/func).  Here is what they share:
tensors of a level, and the way of an operation from one level to the one below.
"""

from cpython.sequence cimport PySequence_Fast_ITEMS
from numpy cimport PyArray_NDIM, PyArray_TYPE, ndarray

from minigrad._core.errors import error
from minigrad._core.graph cimport Tensor, Version, new_tensor, version_of
from minigrad._core.modes cimport interpreter_of
from minigrad._core.op cimport REFUSES, Op
from minigrad._core.operands cimport Inputs, from_the_first, next_input, payloads_of
from minigrad._core.dispatch cimport call, wrap_outputs
from minigrad._core.refusals import no_derivative


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
    return t


def lift(Tensor t not None, int level):
    """``t``, a tensor of a lower level made inside a transform, becomes one of its level, on the same memory.

    What it is on its level now is left to its payload: a history there, which a custom Function gave it, a tangent, and
    the Version, which nodes of that level may have saved.  Its own goes on from there, for those that have saved ``t``.
    """
    cdef Tensor payload = new_tensor(t.payload)
    payload.version = version_of(t)
    t.version = Version.__new__(Version)
    t.version.value = payload.version.value
    payload.level = t.level
    payload.tangent = t.tangent
    payload.node, payload.nr, payload.requires_grad_ = t.node, t.nr, t.requires_grad_
    t.payload = payload
    t.level = level
    t.tangent = t.node = None
    t.nr = t.requires_grad_ = 0


def apply(Op op not None, args):
    """``op`` on all arguments, including keyword-only ones, in the order of its schema."""
    cdef list keep = list(args)
    return call(op, PySequence_Fast_ITEMS(keep))


def call_on_payloads(Op op not None, list args, int level, bint recording):
    """Run ``op`` one level down and wrap the result for ``level``, recorded there if ``recording``."""
    cdef unsigned int mask = 0
    cdef Inputs w = from_the_first()
    while next_input(&w, op, PySequence_Fast_ITEMS(args)):
        if w.tensor != NULL and (<Tensor>w.tensor).level == level and (<Tensor>w.tensor).requires_grad_:
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


cdef object not_a_tensor(object payload):
    given = "a Tensor without data" if isinstance(payload, Tensor) else type(payload).__name__
    return error("MG205", f"a transform (vmap, grad, jvp) was given {given}, and works on tensors: make one with "
                          "torch.tensor(...)")
