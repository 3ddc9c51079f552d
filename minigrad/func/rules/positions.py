"""Map reads and writes at positions: ``x[i]``, ``x[i] = v``, ``take``, ``index_add``, ``embedding`` ...

If the positions are the same for all examples, the batch is one more dim, which is taken whole.  If every example has
its own positions, the index of the example becomes one more position:

    x[i, j]  for each example      is      payload[arange(B)[:, None], i, j]     with i and j of shape (B, n)

The only difficulty is the order of the result's dims.  The dims of the index tensors take the place of the indexed
dims, or come first if there is a slice between them; so the batch may have to move to the front, or these dims back to
their place. """

from math import prod

import numpy as np

from minigrad._core.errors import error
from minigrad._core.graph import Tensor, wrap
from minigrad.ops.arguments import number_for, one_dim
from minigrad.ops.elementwise.arithmetic import add, keep, mul, sub
from minigrad.ops.elementwise.comparison import eq, ne
from minigrad.ops.positions.embedding import embedding_again, embedding_backward, embedding_rows
from minigrad.ops.positions.gathering import put, put_backward, take, take_backward
from minigrad.ops.positions.indexing import index, index_backward, index_erase, index_put_at
from minigrad.ops.positions.subscripting import is_mask
from minigrad.ops.positions.masking import argwhere, choose, masked_select
from minigrad.ops.positions.parts import (index_add, index_copy, index_fill_tensor, index_fill_value, index_keep,
                                          index_select, index_select_backward)
from minigrad.ops.reductions.sorting import search
from minigrad.ops.shapes.broadcasting import common_shape, expand
from minigrad.ops.shapes.reshaping import reshape_to
from minigrad.ops.shapes.slicing import diagonal_scatter, select, select_scatter, slice_scatter
from minigrad.ops.shapes.splitting import unbind
from minigrad.ops.shapes.transposing import permute, unpermute, unsqueeze

from .along_dims import behind
from .batch_rule import front, in_rows, rank_of, ranked, rule, shape_of


# ------------------------------------------------------------------------------ index tensors

def located(indices, mapped, rank, size, own=True):
    """The index tensors for a batch of tensors with ``rank`` dims, and the permutation for the dims of the result.

    The result must be (B, *result of one example); the permutation is None if it already is.  ``own`` is False for a
    tensor without the batch axis.
    """
    flags = mapped if isinstance(mapped, list) else [False] * len(indices)
    indices, flags = without_masks(indices, flags)
    at = [k for k, i in enumerate(indices) if i is not None]
    first, together = at[0], at[-1] - at[0] + 1 == len(at)
    n = max([rank_of(indices[k], flags[k]) for k in at])
    after = rank - len(at) - first if together else 0               # dims after those of the index tensors
    if not any(flags):
        order = None if together else (n, *range(n), *range(n + 1, n + 1 + rank - len(at)))
        return [None, *indices], order
    indices = [ranked(i, n) if m else i for i, m in zip(indices, flags)]
    if not own:
        moved = together and first
        return indices, (first, *range(first), *range(first + 1, first + 1 + n + after)) if moved else None
    every = reshape_to(wrap(np.arange(size, dtype=np.int64)), (size,) + (1,) * n)
    if not (together and first):
        return [every, *indices], None
    return [every, *indices], (0, *range(1 + n, 1 + n + first), *range(1, 1 + n),
                               *range(1 + n + first, 1 + n + first + after))


def without_masks(indices, flags):
    """Replace masks by the positions of their True elements, which must be the same for all examples."""
    found, mapped = [], []
    for i, m in zip(indices, flags):
        if i is None or not is_mask(i):
            found.append(i)
            mapped.append(m)
            continue
        if m:
            raise mapped_mask_as_index()
        positions = unbind(argwhere(i), 1)
        found += positions
        mapped += [False] * len(positions)
    return found, mapped


def mapped_mask_as_index():
    return error("MG117", "vmap: We do not support batching operators that can support dynamic shape. Attempting to "
                          "batch over indexing with a boolean mask: the number of selected elements would differ "
                          "between examples. Use torch.where(mask, x, y), which keeps the shape.")


@rule(index)
def read(op, mapped, payloads, size):
    x, indices = payloads
    keys, order = located(indices, mapped[1], rank_of(x, mapped[0]), size, mapped[0])
    out = index(x, keys)
    return out if order is None else permute(out, order)


@rule(index_backward)
def added_where_read(op, mapped, payloads, size):
    grad, shape, indices = payloads
    keys, order = located(indices, mapped[2], len(shape), size)
    grad = front(grad, mapped[0], size)
    return op(grad if order is None else unpermute(grad, order), (size, *shape), keys)


@rule(index_put_at)
def written(op, mapped, payloads, size):
    x, indices, values, accumulate = payloads
    rank = rank_of(x, mapped[0])
    keys, order = located(indices, mapped[1], rank, size)
    if mapped[2] or order is not None:
        at = [k for k in keys[1:] if k is not None]
        room = 1 + rank - len(at) + max([k.ndim for k in at]) - (keys[0] is not None)
        values = front(values, mapped[2], size)
        if values.ndim > room:
            return None
        values = ranked(values, room - 1)
        values = values if order is None else unpermute(values, order)
    return op(front(x, mapped[0], size), keys, values, accumulate)


@rule(index_erase)
def erased(op, mapped, payloads, size):
    x, indices, accumulate = payloads
    return op(front(x, mapped[0], size), located(indices, mapped[1], rank_of(x, mapped[0]), size)[0], accumulate)


# ------------------------------------------------------------------------------ elements of the flat tensor

@rule(take)
def taken(op, mapped, payloads, size):
    x, positions = payloads
    flat = in_rows(x, size) if mapped[0] else reshape_to(x, (prod(x.shape),))
    return read(index, [mapped[0], [mapped[1]]], [flat, [positions]], size)


@rule(take_backward)
def put_back(op, mapped, payloads, size):
    grad, shape, positions = payloads
    flat = (prod(shape),)
    out = added_where_read(index_backward, [mapped[0], False, [mapped[2]]], [grad, flat, [positions]], size)
    return reshape_to(out, (size, *shape))


@rule(put)
def written_flat(op, mapped, payloads, size):
    x, positions, source, accumulate = payloads
    shape, at = shape_of(x, mapped[0]), shape_of(positions, mapped[1])
    if source.dtype is not x.dtype or prod(shape_of(source, mapped[2])) != prod(at):
        return None                     # the row itself says what is wrong
    source = reshape_to(source, (size, *at) if mapped[2] else at)
    flat = in_rows(x, size) if mapped[0] else reshape_to(x, (prod(shape),))
    out = written(index_put_at, [mapped[0], [mapped[1]], mapped[2], False], [flat, [positions], source, accumulate],
                  size)
    return reshape_to(out, (size, *shape))


@rule(put_backward)
def erased_flat(op, mapped, payloads, size):
    grad, positions, accumulate = payloads
    shape = shape_of(grad, mapped[0])
    flat = in_rows(grad, size) if mapped[0] else reshape_to(grad, (prod(shape),))
    out = erased(index_erase, [mapped[0], [mapped[1]], False], [flat, [positions], accumulate], size)
    return reshape_to(out, (size, *shape))


# ------------------------------------------------------------------------------ parts along a dim

def parts(dim, rank, positions, mapped, op):
    """``index_select`` as a subscript: a full slice of each earlier dim, then the positions."""
    axis = one_dim(dim, rank, op.shown)
    positions = positions if rank_of(positions, mapped) else unsqueeze(positions, -1)
    return [None] * axis + [positions], [False] * axis + [mapped]


@rule(index_select)
def selected(op, mapped, payloads, size):
    x, dim, positions = payloads
    if not mapped[2]:
        return op(x, behind(dim, x.ndim - 1, op), positions) if x.ndim > 1 else None
    if not rank_of(x, mapped[0]):
        return None
    indices, flags = parts(dim, rank_of(x, mapped[0]), positions, True, op)
    return read(index, [mapped[0], flags], [x, indices], size)


@rule(index_select_backward)
def selected_backward(op, mapped, payloads, size):
    grad, shape, dim, positions = payloads
    if not len(shape):
        return None
    indices, flags = parts(dim, len(shape), positions, mapped[3], op)
    return added_where_read(index_backward, [mapped[0], False, flags], [grad, shape, indices], size)


@rule(select_scatter, slice_scatter, diagonal_scatter)
def part_written(op, mapped, payloads, size):
    x, part, *where = payloads
    x, part = front(x, mapped[0], size), front(part, mapped[1], size)
    if x.ndim == 1:
        return None
    return op(x, part, *[behind(each, x.ndim - 1, op) if type_ == "Dim" else each
                         for each, type_ in zip(where, op.types[2:])])


# With the same positions for all examples, the same operation on the batch; otherwise a write at positions.

@rule(index_add)
def added_parts(op, mapped, payloads, size):
    x, dim, positions, source, alpha = payloads
    if not mapped[2]:
        return on_all(op, mapped, payloads, size, front(source, mapped[3], size), alpha=alpha)
    return at_each(op, mapped, [x, dim, positions, source if alpha == 1 else mul(source, alpha)], size, True)


@rule(index_copy)
def copied_parts(op, mapped, payloads, size):
    if not mapped[2]:
        return on_all(op, mapped, payloads, size, front(payloads[3], mapped[3], size))
    return at_each(op, mapped, payloads, size)


@rule(index_fill_tensor)
def filled_parts(op, mapped, payloads, size):
    """With a mask, since a position that occurs twice must not count the gradient of the value twice."""
    x, dim, positions, value = payloads
    if not (mapped[2] or mapped[3]):
        return on_all(op, mapped, payloads, size, value)
    rank = rank_of(x, mapped[0])
    if not rank or value.dtype is not x.dtype:
        return None
    blank = wrap(np.zeros(shape_of(x, mapped[0]), np.bool_))
    filled = (parts_filled_with_number(index_fill_value, [False, False, True, False], [blank, dim, positions, 1], size)
              if mapped[2] else index_fill_value(blank, dim, positions, 1))
    return choose(filled, ranked(value, rank) if mapped[3] else value, x)


@rule(index_fill_value)
def parts_filled_with_number(op, mapped, payloads, size):
    x, dim, positions, value = payloads
    if not mapped[2]:
        return on_all(op, mapped, payloads, size, value)
    return at_each(op, mapped, [x, dim, positions, wrap(number_for("index_fill", value, x.dtype.numpy))], size)


@rule(index_keep)
def kept_parts(op, mapped, payloads, size):
    """The backward of ``index_fill``: everything outside the filled parts."""
    rest = parts_filled_with_number(index_fill_value, [*mapped, False], [*payloads, 0], size)
    return None if rest is None else sub(front(payloads[0], mapped[0], size), rest)


def on_all(op, mapped, payloads, size, *source, **options):
    """``op`` on the batch, if the positions are the same for all examples."""
    x, dim, positions = payloads[:3]
    rank = rank_of(x, mapped[0])
    return op(front(x, mapped[0], size), behind(dim, rank, op), positions, *source, **options) if rank else None


def at_each(op, mapped, payloads, size, accumulate=False):
    """``op`` as a write of a tensor at the positions of each example."""
    x, dim, positions, value = payloads
    rank = rank_of(x, mapped[0])
    if not rank or value.dtype is not x.dtype:
        return None
    indices, flags = parts(dim, rank, positions, mapped[2], op)
    return written(index_put_at, [mapped[0], flags, mapped[3], False], [x, indices, value, accumulate], size)


# ------------------------------------------------------------------------------ rows of a table

@rule(embedding_rows)
def embedded(op, mapped, payloads, size):
    weight, numbers, padding_idx, by_frequency = payloads
    if by_frequency:
        return None                     # each example has its own frequencies
    if not mapped[0]:
        return op(weight, numbers, padding_idx, False)
    out = read(index, [True, [mapped[1]]], [weight, [numbers]], size)
    if padding_idx < 0:
        return out
    # The rows of all tables that receive no gradient are one row of a table, and that is its padding.
    rows = select(weight, 1, padding_idx)
    padding = embedding_rows(reshape_to(rows, (1, rows.numel())), wrap(np.zeros(1, np.int64)), 0, False)
    return choose(unsqueeze(eq(numbers, padding_idx), -1), ranked(reshape_to(padding, tuple(rows.shape)), out.ndim - 1),
                  out)


@rule(embedding_again)
def embedded_again(op, mapped, payloads, size):
    weight, numbers, padding_idx, by_frequency = payloads
    if by_frequency:
        return None
    out = embedded(embedding_rows, mapped[:2], [weight, numbers, -1, False], size)
    if padding_idx < 0:
        return out
    used = unsqueeze(ne(numbers, padding_idx), -1)
    return keep(out, ranked(used, out.ndim - 1) if mapped[1] else used)


@rule(embedding_backward)
def embedded_backward(op, mapped, payloads, size):
    """Stack all tables into one: example b reads the rows from b * rows on."""
    grad, numbers, (rows, width), padding_idx, by_frequency = payloads
    grad, numbers = front(grad, mapped[0], size), front(numbers, mapped[1], size)
    if padding_idx >= 0:
        grad = keep(grad, unsqueeze(ne(numbers, padding_idx), -1))
    first = reshape_to(wrap(np.arange(size, dtype=np.int64) * rows), (size,) + (1,) * (numbers.ndim - 1))
    out = embedding_backward(grad, add(numbers, first), (size * rows, width), -1, by_frequency)
    return reshape_to(out, (size, rows, width))


# ------------------------------------------------------------------------------ masks, places in a sorted sequence

@rule(masked_select)
def selected_by_mask(op, mapped, payloads, size):
    x, mask = payloads
    if mapped[1]:
        raise mapped_mask()
    shape = common_shape("masked_select", [shape_of(x, True), tuple(mask.shape)])
    if mask.dtype.name != "bool" or not shape:
        return None
    x = expand(ranked(x, len(shape)), (size, *shape))
    return read(index, [True, [False]], [x, [expand(mask, shape)]], size)


def mapped_mask():
    return error("MG117", "vmap: Attempted to vmap over `mask` in torch.masked_select(self, mask). We cannot support "
                          "this because for each batch this would return a differently shaped Tensor. Use "
                          "torch.where(mask, x, 0), which keeps the shape.")


@rule(search)
def searched(op, mapped, payloads, size):
    line, x, sorter, *rest = payloads
    if not isinstance(x, Tensor):
        x = wrap(np.asarray(x, line.dtype.numpy if isinstance(x, int) or line.dtype.is_floating_point else None))
    if rank_of(line, mapped[0]) == 1 and not mapped[0] and not mapped[2]:
        return op(line, x, sorter, *rest)
    if not rank_of(line, mapped[0]):
        return None
    line, x, sorter = [front(y, m, size) for y, m in zip((line, x, sorter), mapped)]
    if line.ndim == 2:
        return reshape_to(op(line, in_rows(x, size), sorter, *rest), tuple(x.shape))
    return op(line, x, sorter, *rest)
