"""Sample calls of what changes shapes: views, parts, joining, repeating, reversing, diagonals, padding."""

import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view

from tests.ops.sampling import T, case, row

X = T(2, 3, 4)


def spread(*sizes):
    """Sizes as PyTorch takes them, in one tuple or one by one."""
    return tuple(sizes[0]) if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)) else sizes


def expanded(x, *sizes):
    sizes = spread(*sizes)
    old = (1,) * (len(sizes) - x.ndim) + x.shape
    return np.broadcast_to(x, [n if m == -1 else m for n, m in zip(old, sizes)])


def flattened(x, start_dim=0, end_dim=-1):
    shape = x.shape or (1,)
    start, end = start_dim % len(shape), end_dim % len(shape)
    return x.reshape(shape[:start] + (-1,) + shape[end + 1:])


def summed_to(x, size):
    kept = (1,) * (x.ndim - len(size)) + size
    return x.sum(axis=tuple([i for i, n in enumerate(kept) if n == 1]), keepdims=True).reshape(size)


def pieces(x, sizes, dim=0):
    """``split``, with a size or a list of sizes."""
    cuts = np.cumsum(sizes)[:-1] if isinstance(sizes, (list, tuple)) else range(sizes, x.shape[dim], sizes)
    return np.split(x, cuts, axis=dim)


def windows(x, dim, size, step):
    dim %= x.ndim
    return sliding_window_view(x, size, axis=dim)[(slice(None),) * dim + (slice(None, None, step),)]


def strided(x, size, stride, offset=0):
    return as_strided(x.ravel()[offset:], size, [n * x.itemsize for n in stride])


def moved(x, source, destination):
    return np.moveaxis(x, source, destination)


def on_diagonal(x, offset=0, dim1=-2, dim2=-1):
    size = x.shape[-1] + abs(offset)
    out = np.zeros(x.shape[:-1] + (size, size), x.dtype)
    for i in range(x.shape[-1]):
        out[..., i + max(0, -offset), i + max(0, offset)] = x[..., i]
    return np.moveaxis(out, (-2, -1), (dim1, dim2))


def blocks(*matrices):
    matrices = [np.atleast_2d(m) for m in matrices]
    out = np.zeros(np.sum([m.shape for m in matrices], axis=0), np.result_type(*matrices))
    row = column = 0
    for m in matrices:
        out[row:row + m.shape[0], column:column + m.shape[1]] = m
        row, column = row + m.shape[0], column + m.shape[1]
    return out


def padded(x, pad, mode="constant", value=0):
    """``F.pad`` by ``np.pad``, after cutting off what negative numbers cut off."""
    widths = [(0, 0)] * (x.ndim - len(pad) // 2) + list(zip(pad[::2], pad[1::2]))[::-1]
    x = x[tuple([slice(max(0, -a), n - max(0, -b)) for n, (a, b) in zip(x.shape, widths)])]
    widths = [(max(0, a), max(0, b)) for a, b in widths]
    if mode == "constant":
        return np.pad(x, widths, constant_values=value)
    return np.pad(x, widths, mode={"reflect": "reflect", "replicate": "edge", "circular": "wrap"}[mode])


def grid(*axes, indexing="ij"):
    return np.meshgrid(*axes, indexing=indexing)


EITHER = dict(complex=True, ints=True)          # it moves numbers, whatever their dtype
JOINED = dict(extra_saved=("tensors_sym_sizes",), **EITHER)

VIEWS = [
    row("view", case(X, 6, 4), case(X, (4, -1)), case(T(), 1), case(T(1), ()), case(T(0, 3), 3, 0), where="method",
        numpy=lambda x, *size: x.reshape(spread(*size)), bad=case(X, 5, 5), **EITHER),
    row("reshape", case(X, (6, 4)), case(X, (-1,)), case(T(2, 0), (0, 5)), numpy=lambda x, shape: x.reshape(shape),
        bad=case(X, (7, -1)), **EITHER),
    row("reshape_as", case(X, T(4, 6, grad=False)), where="method", numpy=lambda x, other: x.reshape(other.shape),
        **EITHER),
    row("view_as", case(X, T(24, grad=False)), where="method", numpy=lambda x, other: x.reshape(other.shape), **EITHER),
    row("flatten", case(X), case(X, 1), case(X, 0, 1), case(T()), case(T(3)), numpy=flattened, bad=case(X, 2, 1),
        **EITHER),
    row("ravel", case(X), case(T()), numpy=np.ravel, **EITHER),
    row("unflatten", case(X, 2, (2, 2)), case(X, -1, (-1, 2)), numpy=lambda x, dim, sizes: x.reshape(2, 3, *sizes),
        bad=case(X, 2, (3, 2)), **EITHER),
    row("clone", case(X), case(T()), numpy=np.copy, **EITHER),
    row("contiguous", case(X), where="method", numpy=np.ascontiguousarray, **EITHER),
    row("transpose", case(X, 0, 2), case(X, -1, 1), case(T(), 0, -1), numpy=lambda x, a, b: x.swapaxes(a, b) if x.ndim
        else x, bad=case(X, 0, 3), **EITHER),
    row("swapaxes", case(X, 0, -1), numpy=np.swapaxes, **EITHER),
    row("t", case(T(2, 3)), case(T(3)), case(T()), numpy=np.transpose, bad=case(X), **EITHER),
    row("permute", case(X, (2, 0, 1)), case(X, (-1, 0, 1)), case(T(), ()), numpy=np.transpose, bad=case(X, (0, 0, 1)),
        **EITHER),
    row("movedim", case(X, 0, 2), case(X, (0, 1), (-1, 0)), numpy=moved, bad=case(X, (0, 1), (2,)), **EITHER),
    row("squeeze", case(T(1, 3, 1)), case(T(1, 3, 1), 0), case(T(1, 3, 1), 1), case(T(1, 3, 1), (0, -1)), case(T()),
        bad=case(X, 3), numpy=lambda x, dim=None: x.squeeze(dim) if dim != 1 else x, **EITHER),
    row("unsqueeze", case(X, 0), case(X, -1), case(T(), 0), numpy=np.expand_dims, bad=case(X, 5), **EITHER),
    row("expand", case(T(3, 1), 2, 3, 4), case(T(3, 1), (-1, 4)), case(T(), 2), case(T(2, 3), 2, 3), where="method",
        numpy=expanded, bad=case(T(3, 2), 3, 4), **EITHER),
    row("expand_as", case(T(3, 1), T(2, 3, 4, grad=False)), where="method",
        numpy=lambda x, y: np.broadcast_to(x, y.shape), **EITHER),
    row("broadcast_to", case(T(3, 1), (2, 3, 4)), numpy=np.broadcast_to, **EITHER),
    row("sum_to_size", case(X, (3, 1)), case(X, (2, 1, 1)), case(X, (2, 3, 4)), case(X, ()), where="method",
        numpy=summed_to, node=False, bad=case(X, (3,)), **EITHER),
    row("broadcast_tensors", case(T(3, 1), T(2, 1, 4)), case(T(2)), numpy=lambda *x: np.broadcast_arrays(*x),
        bad=case(T(2), T(3)), **EITHER),
]

PARTS = [
    row("select", case(X, 1, 2), case(X, -1, -4), case(T(2), 0, 1), numpy=lambda x, dim, i: x.take(i, dim),
        bad=case(X, 1, 3), **EITHER),
    row("select_scatter", case(X, T(2, 4), 1, 2), case(X, T(2, 3), -1, -4), case(T(2), T(), 0, 1), ints=True,
        numpy=lambda x, src, dim, i: np.where(np.expand_dims(np.arange(x.shape[dim]) == i % x.shape[dim],
                                                             [axis for axis in range(x.ndim) if axis != dim % x.ndim]),
                                              np.expand_dims(src, dim), x),
        bad=case(X, T(4), 1, 2)),
    row("narrow", case(X, 1, 1, 2), case(X, -1, -2, 1), case(X, 0, 0, 0), bad=case(X, 1, 2, 5), **EITHER,
        numpy=lambda x, dim, start, n: x.take(np.arange(start, start + n), dim)),
    row("unbind", case(X), case(X, 1), case(T(1, 2)), case(T(0, 2)),
        numpy=lambda x, dim=0: list(np.moveaxis(x, dim, 0)),
        bad=case(X, 3), **EITHER),
    row("split", case(X, 2, 2), case(X, 3, -1), case(X, 5), case(X, [1, 2], 1), numpy=pieces, bad=case(X, -1),
        **EITHER),
    row("split_with_sizes", case(X, [1, 0, 2], 1), case(T(3), (3,)), numpy=pieces, bad=case(X, [1, 2]), **EITHER),
    row("chunk", case(X, 2, 1), case(X, 3, 2), case(T(5), 4), bad=case(X, 0), **EITHER,
        numpy=lambda x, n, dim=0: pieces(x, -(-x.shape[dim] // n), dim)),
    row("tensor_split", case(T(7), 3), case(X, 2, 2), case(X, (1, 3), 2),
        numpy=lambda x, n, dim=0: np.array_split(x, n, dim),
        bad=case(X, 0), **EITHER),
    row("hsplit", case(X, 3), case(T(4), 2), case(X, (1, 2)), case(X, sections=1), case(X, indices=[2, 1]),
        numpy=lambda x, n=None, sections=None, indices=None: np.hsplit(x, n or sections or indices),
        bad=case(X, 2), **EITHER),
    row("vsplit", case(X, 2), case(T(3, 2), [1]), numpy=lambda x, n: np.vsplit(x, n), bad=case(T(4), 2), **EITHER),
    row("dsplit", case(X, 2), case(X, (1, 3)), numpy=lambda x, n: np.dsplit(x, n), bad=case(X, 0), **EITHER),
    row("diagonal", case(T(3, 4)), case(X, 1, -1, 1), case(X, -1, 0, 2), case(T(2, 2), 5), numpy=np.diagonal,
        bad=case(X, 0, 1, 1), **EITHER),
    row("unfold", case(T(7), 0, 3, 1), case(T(7), 0, 3, 2), case(X, 1, 2, 1), case(X, -1, 2, 3), where="method",
        numpy=windows, bad=case(X, 1, 4, 1), **EITHER),
    row("as_strided", case(T(5), (3, 3), (1, 1)), case(T(2, 3), (2, 2), (1, 2), 1), case(T(4), (3,), (0,)),
        numpy=strided,
        extra_saved=("self_sym_sizes", "self_stride", "self_offset"), bad=case(T(5), (3, 3), (1,)), **EITHER,
        unmapped="memory"),
    row("as_strided_view", case(T(5), (3, 3), (1, 1), None, (1,), 0), case(T(2, 3), (2, 2), (1, 2), 1, (3, 1), 0),
        numpy=lambda x, size, stride, offset, *_: strided(x, size, stride, offset or 0), where="row",
        complex=True, ints=True, unmapped="memory"),
]

JOINS = [
    row("cat", case([T(2, 3), T(1, 3)]), case([T(2, 3), T(2, 1), T(2, 0)], -1), case([T(2), T(0), T(3)]),
        case([T(2, 3), T(0)], 1), case([T(2), T(3, kind="int")]), bad=case([T(2, 3), T(2, 4)]),
        numpy=lambda xs, dim=0: np.concatenate([x for x in xs if x.shape != (0,)], dim).astype(xs[0].dtype), **JOINED,
        loops="cat cat_backward cat_given"),
    row("concatenate", case([T(2, 3), T(2, 1)], 1), numpy=np.concatenate, **JOINED),
    row("stack", case([T(2, 3), T(2, 3)]), case([T(2), T(2), T(2)], -1), case([T(), T()]), numpy=np.stack,
        bad=case([T(2), T(3)]), **EITHER),
    row("hstack", case([T(2, 3), T(2, 1)]), case([T(2), T(3)]), case([T(), T()]), numpy=np.hstack, bad=case([]),
        **JOINED),
    row("vstack", case([T(2, 3), T(1, 3)]), case([T(3), T(3)]), numpy=np.vstack, bad=case([]), **JOINED),
    row("dstack", case([T(2, 3), T(2, 3)]), case([T(3), T(3)]), numpy=np.dstack, bad=case([]), **JOINED),
    row("column_stack", case([T(3), T(3, 2)]), case([T(), T()]), numpy=lambda xs: np.column_stack(xs), **JOINED),
    row("atleast_1d", case(T()), case(T(2), T()), numpy=np.atleast_1d, **EITHER),
    row("atleast_2d", case(T()), case(T(2)), case(T(2, 3), T(2)), numpy=np.atleast_2d, **EITHER),
    row("atleast_3d", case(T()), case(T(2)), case(T(2, 3)), case(X), numpy=np.atleast_3d, **EITHER),
    row("block_diag", case(T(2, 3), T(), T(2)), case(T(1, 2)), numpy=blocks, bad=case(X), **JOINED),
    row("meshgrid", case(T(2), T(3), indexing="ij"), case(T(2), T(3), T(4), indexing="xy"),
        case(T(), T(2), indexing="ij"), numpy=grid, bad=case(T(2), T(2, 2), indexing="ij"), **EITHER),
    row("cartesian_prod", case(T(2), T(3)), case(T(3)), bad=case(T(2, 2)), **EITHER,
        numpy=lambda *x: np.stack([g.ravel() for g in np.meshgrid(*x, indexing="ij")], 1) if len(x) > 1 else x[0]),
]

REARRANGED = [
    row("repeat", case(T(2, 3), 2, 1), case(T(2), 3, 2), case(T(), 2), case(T(2), 0), where="method",
        numpy=lambda x, *n: np.tile(x, n), bad=case(X, 2), **EITHER),
    row("tile", case(T(2, 3), (2,)), case(T(2), (2, 2)), numpy=np.tile, **EITHER),
    row("flip", case(X, (0,)), case(X, (0, -1)), numpy=np.flip, bad=case(X, (3,)), **EITHER),
    row("fliplr", case(T(2, 3)), numpy=np.fliplr, bad=case(T(2)), **EITHER),
    row("flipud", case(T(2, 3)), case(T(3)), numpy=np.flipud, bad=case(T()), **EITHER),
    row("rot90", case(T(2, 3)), case(T(2, 3), 2), case(X, -1, (0, 2)), case(X, 4, (1, 0)),
        numpy=lambda x, k=1, dims=(0, 1): np.rot90(x, k, dims),
        bad=case(X, 1, (0, 0)), **EITHER),
    row("roll", case(X, 1), case(X, 2, 1), case(X, (1, -2), (0, 2)), numpy=lambda x, n, dims=None: np.roll(x, n, dims),
        bad=case(X, (1, 2), 0), **EITHER),
    row("repeat_interleave", case(T(2, 3), 2), case(T(2, 3), 2, 1), case(T(2, 3), T(values=[2, 0, 1], kind="int"), 1),
        bad=case(X, -1), extra_saved=("self_sym_sizes",), numpy=lambda x, n, dim=None: np.repeat(x, n, dim), **EITHER,
        unmapped="dynamic shape"),
    row("tril", case(T(3, 4)), case(T(2, 3, 3), 1), case(T(3, 3), -1), numpy=np.tril, bad=case(T(3)), **EITHER),
    row("triu", case(T(3, 4)), case(T(2, 3, 3), 1), case(T(3, 3), -1), numpy=np.triu, bad=case(T(3)), **EITHER),
    row("diag", case(T(3)), case(T(3), -1), case(T(3, 4)), case(T(3, 4), 2), numpy=np.diag, bad=case(X), **EITHER),
    row("diag_embed", case(T(3)), case(T(2, 3), 1), case(T(2, 3), -1, 0, 2), numpy=on_diagonal, bad=case(T(3), 0, 0, 0),
        **EITHER),
    row("diagflat", case(T(2, 2)), case(T(3), 1), case(T()), numpy=np.diagflat, **EITHER),
    row("pad", case(X, (1, 2)), case(X, (1, 0, 2, 3)), case(X, (-1, 2, 0, -2)), case(X, (1, 1), value=5), numpy=padded,
        bad=case(X, (1,)), **EITHER),
    row("pad", case(T(2, 4), (2, 3), "reflect"), case(X, (1, 0, 2, 1), "reflect"), case(X, (-1, 2), "reflect"),
        case(T(1, 2, 2, 3), (1, 2, 0, 1, 1, 0), "reflect"), case(T(2, 4), (2, 5), "replicate"),
        case(X, (1, 0, 2, 1), "replicate"), case(T(1, 2, 2, 3), (1, 2, 0, 1, 2, 0), "replicate"), numpy=padded,
        extra_saved=("mode", "self_sym_sizes"), bad=case(X, (5, 0), "reflect"), complex=True),
    row("pad", case(T(2, 4), (2, 3), "circular"), case(X, (1, 0, 2, 1), "circular"), case(X, (2, -1), "circular"),
        case(T(1, 2, 2, 3), (1, 2, 0, 1, 2, 0), "circular"), numpy=padded, node=False,
        bad=case(X, (5, 0), "circular"), complex=True),
    row("pad_again", case(T(2, 4), (2, 3), "reflect"), case(X, (1, 0, 2, 1), "replicate"), where="row", numpy=padded,
        complex=True),
]

ROWS = VIEWS + PARTS + JOINS + REARRANGED
