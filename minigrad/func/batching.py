"""How an operation runs on a whole batch at once: the rules by which vmap works.

Inside ``vmap`` the payload of a tensor has one axis more than the user sees, the first one; for the user's
shape (3, 4) the payload has shape (B, 3, 4).  A *batch rule* of an operation says how to compute its result for
all B examples by operations on payloads.  There is no rule for each operation; there is one for each way in which
operations look at axes:

- elementwise ones only need their ranks lined up, so that broadcasting leaves the batch alone     (``align``, here)
- those with dims or sizes among their parameters count one axis more                             (rules_dims.py)
- those that work on the last axes alone do not notice an axis in front                           (rules_shapes.py)
- products of matrices are products of more, or of larger, matrices                               (rules_products.py)
- reads and writes at positions get one more position, the number of the example                  (rules_positions.py)
- losses are taken element by element, and reduced afterwards                                     (rules_losses.py)

What has no rule is computed example by example and stacked, which is always right, and slow; it says so once.
What gives every example a shape of its own (``nonzero``) cannot be stacked, and is refused.

A rule is called as ``rule(op, mapped, payloads, size)``: ``mapped`` says for each payload whether it has the batch
axis (for a list of tensors it is a list), and ``size`` is B.  It returns the payload of the result, or several;
or None, where it does not cover this case.
"""

from math import prod

import numpy as np

from minigrad import dtypes
from minigrad._core.dispatch import apply, lined_up
from minigrad._core.errors import MinigradError, error, warn
from minigrad._core.graph import Tensor
from minigrad._core.promotion import result_dtype
from minigrad.ops.copying import to_copy
from minigrad.ops.kinds import ROWS
from minigrad.ops.shapes.broadcasting import expand_to
from minigrad.ops.shapes.joining import stack
from minigrad.ops.shapes.reshaping import reshape_to
from minigrad.ops.shapes.slicing import select

#: operation -> its batch rule
RULES = {}
#: the operations that have said that they are computed example by example
_said = set()


def rule(*names):
    """Decorator: the batch rule of the rows with these names."""
    def register(function):
        RULES.update({ROWS[name]: function for name in names})
        return function
    return register


# ------------------------------------------------------------------------------ running an operation

def batched(op, mapped, payloads, size):
    """The payload of the result, or a list of them, of ``op`` on a batch.

    Where a rule raises, the error would speak of shapes that the user does not see; so the examples are then
    tried one by one, and the first one raises it in the user's terms.
    """
    try:
        out = RULES[op](op, mapped, payloads, size) if op in RULES else None
    except MinigradError as refused:
        if refused.code == "MG117" or not size:
            raise
        out = None
    return example_by_example(op, mapped, payloads, size) if out is None else out


def example_by_example(op, mapped, payloads, size):
    """Compute every example on its own and stack the results: right for every operation, and slow."""
    if not size:
        raise error("MG117", f"vmap: Batching rule not implemented for {op.shown}. The fallback path does not support vmap over dims of size 0: "
                             "without an example there is nothing to learn the shape of the result from.")
    results = []
    for i in range(size):
        results.append(apply(op, [_example(x, m, i) for x, m in zip(payloads, mapped)]))
        if not i and op not in _said:
            _said.add(op)
            warn(f"There is a performance drop because we have not yet implemented the batching rule for {op.shown}: "
                 "vmap computes it for one example after the other.", UserWarning)
    if isinstance(results[0], tuple):
        return type(results[0])(*[stack(list(each)) for each in zip(*results)]) if op.outputs else tuple([stack(list(each)) for each in zip(*results)])
    return stack(results)


def _example(x, mapped, i):
    if isinstance(mapped, list):
        return [select(y, 0, i) if m else y for y, m in zip(x, mapped)]
    return select(x, 0, i) if mapped else x


# ------------------------------------------------------------------------------ what rules share

def shape_of(x, mapped):
    """The shape that the user sees, of one example."""
    return tuple(x.shape)[1:] if mapped else tuple(x.shape)


def rank_of(x, mapped):
    return x.ndim - 1 if mapped else x.ndim


def front(x, mapped, size):
    """``x`` with the batch axis: a tensor that is the same for all examples is repeated, without a copy."""
    return x if mapped or x is None else expand_to(x, (size, *x.shape))


def front_all(mapped, payloads, size):
    """The same for all tensors among the arguments, also in lists."""
    return [front(x, m, size) if isinstance(x, Tensor) else
            [front(y, n, size) for y, n in zip(x, m)] if isinstance(m, list) else x for x, m in zip(payloads, mapped)]


def ranked(x, rank):
    """The batch axis first, then ones, so that broadcasting from the right against ``rank`` dims leaves it alone."""
    if x.ndim == rank + 1:
        return x
    shape = tuple(x.shape)
    return reshape_to(x, shape[:1] + (1,) * (rank + 1 - len(shape)) + shape[1:])


def in_rows(x, size):
    """Each example's elements in one row."""
    return reshape_to(x, (size, prod(x.shape[1:])))


# ------------------------------------------------------------------------------ elementwise

#: these give the dtype of their first argument, whatever the others are
KEEP_DTYPE = ("copy", "fill", "masked_fill_value", "masked_fill_tensor")


def align(op, mapped, payloads, size):
    """Elementwise: the batch axis stands in front of as many dims as the largest rank among the examples."""
    if lined_up(mapped, payloads):
        return apply(op, payloads)
    rank, scalar, kind, mixed = 0, False, None, False
    for x, m in zip(payloads, mapped):
        if isinstance(x, Tensor):
            n = x.ndim
            if m:
                n -= 1
                scalar = scalar or not n
            if n > rank:
                rank = n
            if kind is None:
                kind = x.dtype
            elif x.dtype is not kind:
                mixed = True
    if mixed and scalar and op.promote is not None and op.name not in KEEP_DTYPE:
        payloads = promoted(mapped, payloads)
    return apply(op, [ranked(x, rank) if m else x for x, m in zip(payloads, mapped)])


def promoted(mapped, payloads):
    """The tensors in the dtype that an example's would be promoted to: there, a tensor without dims counts for less than one with dims."""
    numpy_type = result_dtype([np.empty((1,) * (rank_of(x, m) > 0), x.dtype.numpy) if isinstance(x, Tensor) else x
                               for x, m in zip(payloads, mapped) if x is not None])
    kind = dtypes.of_numpy(numpy_type)
    return [to_copy(x, kind) if isinstance(x, Tensor) and x.dtype is not kind and x.dtype.category else x for x in payloads]


#: not differentiable, and yet not elementwise; reductions are not either, but have rules of their own
NOT_ELEMENTWISE = ("histc",)

RULES.update({op: align for op in ROWS.values() if op.elementwise and op.name not in NOT_ELEMENTWISE})
