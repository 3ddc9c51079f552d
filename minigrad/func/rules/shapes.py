"""Batch rules of operations that do not notice an axis in front, and of those whose parameters are whole sizes.

Those that look at the last axes alone (``tril``, ``pad``, the inverse of a matrix) take a batch as it is, if only
the example has as many dims as they need.  A size among the parameters gets the batch in front: ``reshape`` to
(2, 3) is, for the batch, ``reshape`` to (B, 2, 3).
"""

from math import prod

from minigrad._core.levels import apply
from minigrad._core.errors import error
from minigrad.ops.copying import copy
from minigrad.ops.kinds import ROWS
from minigrad.ops.reductions.totals import sum_dim
from minigrad.ops.shapes.broadcasting import expand_to
from minigrad.ops.shapes.reshaping import clone, reshape_to
from minigrad.ops.shapes.slicing import diagonal, diagonal_backward

from .common import RULES, front, front_all, rank_of, ranked, rule, shape_of
from .elementwise import align


# ------------------------------------------------------------------------------ as they are

@rule("real", "imag", "view_as_real", "alias", "conj", "conj_copied", "times_i", "clone", "_to_copy", "scaled_back", "sgn", "abs", "angle",
      "power_of_abs", "signed_power", "constant_pad_nd", "constant_unpad", "reflection_pad1d", "reflection_pad2d", "reflection_pad3d",
      "replication_pad1d", "replication_pad2d", "replication_pad3d", "circular_pad1d", "circular_pad2d", "circular_pad3d", "pad_again")
def unchanged(op, mapped, payloads, size):
    return apply(op, payloads)


RULES.update({ROWS[name]: align for name in ("polar", "complex")})      # elementwise in all but name

#: how many dims an example must have, so that what works on the last ones does not meet the batch
LAST_DIMS = {"view_as_complex": 1, "pairs_to_complex": 1, "adjoint": 2, "tril": 2, "triu": 2, "mirrored": 2, "folded": 2, "linalg_inv": 2, "cofactors": 2,
             "linalg_det": 2, "slogdet_real": 2, "complex_logdet": 2, "infinite_inverse": 2, "turned": 2,
             "linalg_cholesky": 2, "solve_matrices": 2}


@rule(*LAST_DIMS)
def on_last_dims(op, mapped, payloads, size):
    if any([rank_of(x, m) < LAST_DIMS[op.name] for x, m in zip(payloads, mapped) if hasattr(x, "ndim")]):
        return None
    return apply(op, front_all(mapped, payloads, size))


@rule("singular_values", "spectral", "spectral_diagonal", "spectral_turn", "slogdet_size")
def with_leading_dims(op, mapped, payloads, size):
    """All tensors get the batch axis: a matrix has two dims more, its singular values one, and what is theirs none."""
    return apply(op, front_all(mapped, payloads, size))


@rule("view_dtype")
def read_as(op, mapped, payloads, size):
    x, dtype = payloads
    return op(x, dtype) if x.ndim > 1 or dtype.itemsize == x.dtype.itemsize else None


@rule("one_hot")
def one_hot(op, mapped, payloads, size):
    if payloads[1] < 0:
        raise error("MG117", "When vmap-ing torch.nn.functional.one_hot, please provide an explicit positive num_classes argument: "
                             "without it the largest class of each example would decide the shape of its result.")
    return op(*payloads)


@rule("laid_out")
def laid_out(op, mapped, payloads, size):
    """How a gradient lies in memory matters to nobody inside a transform."""
    return clone(front(payloads[0], mapped[0], size))


# ------------------------------------------------------------------------------ writes, and what only lends its shape

@rule("copy", "fill")
def copied(op, mapped, payloads, size):
    """The result has the shape of the first argument, whichever of the two is mapped."""
    x, value = payloads
    if op.name == "fill" and rank_of(value, mapped[1]):
        return None
    rank = rank_of(x, mapped[0])
    return copy(front(x, mapped[0], size), ranked(value, rank) if mapped[1] and rank_of(value, True) <= rank else value)


@rule("number_at")
def number_at(op, mapped, payloads, size):
    return op(front(payloads[0], mapped[0], size), *payloads[1:])


# ------------------------------------------------------------------------------ sizes

@rule("reshape_to", "view_to", "unsafe_view")
def reshaped(op, mapped, payloads, size):
    x, shape = payloads
    if -1 in shape:
        rest = prod([n for n in shape if n != -1])
        elements = prod(shape_of(x, True))
        if shape.count(-1) > 1 or not rest or elements % rest:
            return None
        shape = [elements // rest if n == -1 else n for n in shape]
    # An example's copy is in rows, that of the batch need not be.
    return (reshape_to if op.name == "unsafe_view" else op)(x, (size, *shape))


@rule("expand_to")
def expanded(op, mapped, payloads, size):
    x, shape = payloads
    new = len(shape) - (x.ndim - 1)
    if new < 0 or -1 in shape[:new]:
        return None
    return op(ranked(x, len(shape)), (size, *shape))


@rule("sum_to")
def summed_to(op, mapped, payloads, size):
    x, shape = payloads
    extra = x.ndim - 1 - len(shape)
    if extra < 0:
        return None
    out = op(x, (size, *(1,) * extra, *shape))
    return reshape_to(out, (size, *shape)) if extra else out


@rule("repeat_times")
def repeated(op, mapped, payloads, size):
    x, repeats = payloads
    return op(ranked(x, len(repeats)), (1, *repeats)) if len(repeats) >= x.ndim - 1 else None


@rule("repeat_backward")
def unrepeated(op, mapped, payloads, size):
    x, repeats, shape = payloads
    wide = (1,) * (len(repeats) - len(shape)) + tuple(shape)
    return reshape_to(op(x, (1, *repeats), (size, *wide)), (size, *shape))


@rule("pad_backward")
def pad_backward(op, mapped, payloads, size):
    x, padding, mode, shape = payloads
    return op(x, padding, mode, (size, *shape))


# ------------------------------------------------------------------------------ diagonals, memory

@rule("trace")
def trace(op, mapped, payloads, size):
    x, = payloads
    return sum_dim(diagonal(x, 0, 1, 2), 1) if x.ndim == 3 else None


@rule("on_diagonal")
def on_diagonal(op, mapped, payloads, size):
    x, shape = payloads
    return diagonal_backward(expand_to(reshape_to(x, (size, 1)), (size, min(shape))), (size, *shape), 0, 1, 2)


@rule("as_strided_view")
def as_strided(op, mapped, payloads, size):
    raise error("MG117", "as_strided speaks of memory, which a tensor inside vmap does not have of its own: use unfold, select or slicing.")
