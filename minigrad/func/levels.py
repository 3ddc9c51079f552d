"""Levels: how grad, jvp and vmap nest, in three small interpreters.

A transform opens a level, wraps its inputs as tensors of that level, and calls the function.  Dispatch
hands every operation to the interpreter of the highest level among its arguments (see Note [Levels] in
``_core/dispatch.pyx``); the interpreter works on payloads, one level down, by calling ops again.

============  ====================================  ==========================================
interpreter   its tensors carry                     an operation
============  ====================================  ==========================================
Tape          a payload and a history               runs on payloads and is recorded
Jvp           a primal and a tangent                runs on primals; the kind gives the tangent
Batch         a payload with one more leading axis  runs on payloads, by the rule of its kind
============  ====================================  ==========================================

The theory of a kind (``ops/kinds.py``) is all that Jvp and Batch need to know of an operation, for the
kinds that have one; an operation without a rule is refused by name.
"""

import numpy as np

from minigrad._core import dispatch, engine, graph, modes
from minigrad._core.errors import error
from minigrad._core.graph import Tensor, wrap, wrap_level
from minigrad.ops.kinds import ROWS


class Tape:
    """Records, for reverse mode: formulas will run on payloads."""

    def process(self, op, args, level):
        return dispatch.call_on_payloads(op, args, level, True)

    def shape(self, tensor):
        return tensor._array.shape


class Jvp:
    """Carries tangents along."""

    def shape(self, tensor):
        return tensor._array.shape

    def process(self, op, args, level):
        primals = [_payload(x, level) for x in args]
        tangents = [x._tangent if isinstance(x, Tensor) and x._level == level else None for x in args]
        result = op(*primals)
        out = wrap_level(result, level)
        out._tangent = _tangent(op, primals, tangents, result)
        return out


def _tangent(op, primals, tangents, result):
    """The differential of ``op``: a sum over the inputs that have a tangent."""
    if op.kind == "linear" or op.kind == "view":
        inputs = [f.of for f in op.formulas]
        return op(*[_or_zeros(t, p) if name in inputs else p for name, p, t in zip(op.params, primals, tangents)])
    total = None
    for f in op.formulas:
        i = op.params.index(f.of)
        if tangents[i] is None or f.text is None:       # no tangent, or a derivative that is zero
            continue
        if op.kind == "elementwise":
            values = {"result": result, **dict(zip(op.params, primals))}
            term = f.text(tangents[i], *[values[name] for name in f.names])
        elif op.kind == "multilinear":
            term = op(*[tangents[i] if k == i else p for k, p in enumerate(primals)])
        else:
            raise error("MG117", f"forward mode has no rule for {op.name} (kind {op.kind}) yet")
        total = term if total is None else total + term
    return total


def _or_zeros(tangent, primal):
    return ROWS["zeros_of"](primal) if tangent is None else tangent


class Batch:
    """Maps over the leading axis of payloads."""

    def shape(self, tensor):
        return tensor._array.shape[1:]

    def process(self, op, args, level):
        rule = BATCH_RULES.get(op.name)
        mapped = [isinstance(x, Tensor) and x._level == level for x in args]
        payloads = [_payload(x, level) for x in args]
        if rule is not None:
            return wrap_level(rule(mapped, *payloads), level)
        if op.kind in ("elementwise", "piecewise_constant", "not_differentiable"):
            ranks = [len(p.shape) - m for p, m in zip(payloads, mapped) if isinstance(p, Tensor)]
            return wrap_level(op(*[_aligned(p, max(ranks)) if m else p for p, m in zip(payloads, mapped)]), level)
        raise error("MG117", f"vmap has no rule for {op.name} (kind {op.kind}) yet")


def _aligned(payload, rank):
    """The batch axis first, then ones, so that broadcasting from the right leaves it alone."""
    shape = tuple(payload.shape)
    return payload if len(shape) == rank + 1 else ROWS["reshape_to"](payload, (shape[0],) + (1,) * (rank + 1 - len(shape)) + shape[1:])


def _batched_mm(mapped, a, b):
    if mapped == [True, True]:
        return ROWS["bmm"](a, b)
    if mapped[1]:                               # (B, k, n) by one (m, k): as the transposed product
        return ROWS["transpose"](_batched_mm([True, False], ROWS["transpose"](b, 1, 2), ROWS["t"](a)), 1, 2)
    n, m, k = a.shape
    return ROWS["reshape_to"](ROWS["mm"](ROWS["reshape_to"](a, (n * m, k)), b), (n, m, b.shape[1]))


BATCH_RULES = {
    "mm": _batched_mm,
    "t": lambda mapped, a: ROWS["transpose"](a, 1, 2),
    "adjoint": lambda mapped, a: ROWS["adjoint"](a),
    "sum_all": lambda mapped, a, dtype=None: ROWS["sum_dim"](a, tuple(range(1, len(a.shape))), False, dtype) if len(a.shape) > 1 else a,
    "zeros_of": lambda mapped, a: ROWS["zeros_of"](a),
    "expand_reduced": lambda mapped, d, shape, dim, keepdim: ROWS["expand_to"](_aligned(d, len(shape)), (d.shape[0],) + tuple(shape)),
    "sum_to": lambda mapped, a, size: ROWS["sum_to"](a, (a.shape[0],) + (1,) * (len(a.shape) - 1 - len(size)) + tuple(size)),
    "reshape_to": lambda mapped, a, size: ROWS["reshape_to"](a, (a.shape[0],) + tuple(size)),
}


def _payload(x, level):
    return x._array if isinstance(x, Tensor) and x._level == level else x


class _Level:
    """``with _Level(interpreter) as n``: level ``n`` is open."""

    def __init__(self, interpreter):
        self.interpreter = interpreter

    def __enter__(self):
        return modes.push_level(self.interpreter)

    def __exit__(self, *exception):
        modes.pop_level()


def grad(f):
    """The function that returns the gradient of the scalar function ``f`` with respect to its first argument."""
    def gradient(x, *rest):
        with _Level(Tape()) as level:
            inner = wrap_level(x, level)
            inner.requires_grad = True
            y = f(inner, *rest)
            if y._level != level:
                return ROWS["zeros_of"](x)
            one = wrap(np.ones(tuple(y.shape), y.dtype.numpy))
            g, = engine.run([y], [one], False, False, [inner], False, True)
            return ROWS["zeros_of"](x) if g is None else g
    return gradient


def jvp(f, primal, tangent):
    """``(f(primal), J tangent)`` for a function of one tensor."""
    with _Level(Jvp()) as level:
        x = wrap_level(primal, level)
        x._tangent = tangent
        y = f(x)
        return (y._array, y._tangent) if y._level == level else (y, ROWS["zeros_of"](y))


def vmap(f, in_dims=0):
    """``f`` mapped over the leading axis of every argument whose entry in ``in_dims`` is 0 rather than None."""
    def mapped(*args):
        dims = in_dims if isinstance(in_dims, tuple) else (in_dims,) * len(args)
        with _Level(Batch()) as level:
            y = f(*[wrap_level(x, level) if d == 0 else x for x, d in zip(args, dims)])
            return y._array
    return mapped


graph.register(slots={"level_shape": lambda t: modes.levels()[t._level - 1].shape(t)})
