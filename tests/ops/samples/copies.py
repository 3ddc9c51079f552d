"""Sample rows of copies.py, of what writes where a view shows it, and of other functions of shapes."""

import itertools

import numpy as np

from tests.ops.samples.shape import windows
from tests.ops.sampling import T, case, row

X = T(2, 3, 4)
EITHER = dict(complex=True, ints=True)


def put(view):
    """Written into a copy, where ``view(array, ...)`` shows it."""
    def function(x, src, *arguments, **keywords):
        out = x.copy()
        view(out, *arguments, **keywords)[...] = src
        return out
    return function


def sliced(x, dim=0, start=None, end=None, step=1):
    return x[(slice(None),) * (dim % x.ndim) + (slice(start, end, step),)]


def diagonal(x, *where):
    found = np.diagonal(x, *where)
    found.flags.writeable = True
    return found


def selected(x, dim, index):
    return x[(slice(None),) * dim + (index,)]


def strided(x, size, stride, offset=0):
    strides = [n * x.itemsize for n in stride]
    return np.lib.stride_tricks.as_strided(x.reshape(-1)[offset:], size, strides)


COPIES = [
    row("alias_copy", case(T(2, 3)), case(T()), numpy=np.copy, **EITHER),
    row("as_strided_copy", case(T(5), (3, 3), (1, 1)), case(T(2, 3), (2, 2), (1, 2), 1), numpy=strided, node=False,
        bad=case(T(5), (3, 3), (1,)), **EITHER, unmapped="memory"),
    row("detach_copy", case(T(2, 3)), numpy=np.copy, grad=False, kink=True, **EITHER),
    row("diagonal_copy", case(T(3, 4)), case(X, 1, -1, 1), case(T(2, 2), 5), numpy=np.diagonal, bad=case(X, 0, 1, 1),
        **EITHER),
    row("expand_copy", case(T(2, 1), (2, 3)), case(T(3), (2, -1)), case(T(1, 0), (2, 0)), bad=case(T(2), (3,)),
        numpy=lambda x, size: np.broadcast_to(x, [m if n < 0 else n for n, m in zip(size, (1, *x.shape)[-2:])]),
        **EITHER),
    row("narrow_copy", case(T(5), 0, 1, 3), case(X, -1, 1, 2), node=False,
        numpy=lambda x, dim, start, n: sliced(x, dim, start, start + n), bad=case(T(3), 0, 1, 3), **EITHER),
    # PyTorch has no gradient where it counts from the end
    row("narrow_copy", case(X, -1, -2, 2), numpy=lambda x, dim, start, n: x[..., 2:], torch=False, **EITHER),
    row("permute_copy", case(X, (2, 0, 1)), case(X, (-1, 1, 0)), numpy=np.transpose, bad=case(X, (0, 1)), **EITHER),
    row("select_copy", case(X, 0, 1), case(X, 2, -1), numpy=selected, bad=case(X, 0, 2), ints=True),
    row("select_copy", case(T(3), 0, 1), numpy=selected, complex=True, torch=False),     # PyTorch's is not recorded
    row("slice_copy", case(X), case(X, 1, 1), case(X, -1, None, 3, 2), case(X, 0, -1, 9), numpy=sliced,
        bad=case(X, 0, 0, 1, 0), ints=True),
    row("slice_copy", case(T(3), 0, 1), numpy=sliced, complex=True, torch=False),
    row("split_copy", case(T(5), 2), case(X, 1, 1), bad=case(X, -1), **EITHER,
        numpy=lambda x, n, dim=0: np.split(x, range(n, x.shape[dim], n), dim)),
    row("split_with_sizes_copy", case(T(5), [2, 3]), case(X, [1, 0, 2], 1), bad=case(X, [1, 2]), **EITHER,
        numpy=lambda x, sizes, dim=0: np.split(x, np.cumsum(sizes)[:-1], dim)),
    row("squeeze_copy", case(T(1, 3, 1)), case(T(1, 3, 1), 0), case(T(1, 3, 1), 1), case(T(1, 3, 1), (0, 1, 2)),
        numpy=lambda x, dim=(0, 1, 2): x.squeeze(tuple([k for k in np.atleast_1d(dim) if x.shape[k] == 1])), **EITHER),
    row("t_copy", case(T(2, 3)), case(T(3)), case(T()), numpy=np.transpose, bad=case(X), **EITHER),
    row("transpose_copy", case(X, 0, 2), case(X, -1, 1), numpy=np.swapaxes, bad=case(X, 0, 3), **EITHER),
    row("unbind_copy", case(T(2, 3)), case(X, 1), numpy=lambda x, dim=0: list(np.moveaxis(x, dim, 0)),
        bad=case(T()), **EITHER),
    row("unfold_copy", case(T(7), 0, 3, 2), case(X, 1, 2, 1), numpy=windows, bad=case(X, 1, 4, 1), **EITHER),
    row("unsqueeze_copy", case(T(2, 3), 1), case(T(), -1), numpy=np.expand_dims, bad=case(T(2), 2), **EITHER),
    row("view_copy", case(T(2, 3), (3, 2)), case(T(2, 3), (-1,)), case(T(0, 2), (2, 0)), numpy=np.reshape,
        bad=case(T(2, 3), (4,)), **EITHER),
    row("view_as_real_copy", case(T(2, 3, kind="complex")), bad=case(T(3)),
        numpy=lambda z: np.stack([z.real, z.imag], -1)),
    row("view_as_complex_copy", case(T(3, 2)), numpy=lambda x: x[..., 0] + 1j * x[..., 1], torch=False),
    row("view_as_complex_copy", case(T(4, 2)), grad=False, bad=case(T(2, 3))),
    row("unsafe_split", case(T(5), 2), case(X, 1, 1), bad=case(X, -1), **EITHER,
        numpy=lambda x, n, dim=0: np.split(x, range(n, x.shape[dim], n), dim)),
    row("unsafe_split_with_sizes", case(T(5), [2, 3]), case(X, [1, 0, 2], 1), bad=case(X, [1, 2]), **EITHER,
        numpy=lambda x, sizes, dim=0: np.split(x, np.cumsum(sizes)[:-1], dim)),
    row("unsafe_chunk", case(T(6), 2), case(X, 3, 1), numpy=np.split, bad=case(T(3), 0), **EITHER),
]

WRITES = [
    row("slice_scatter", case(X, T(2, 3, 2), 2, 1, 3), case(T(4), T(2), 0, None, None, 2), case(T(3), T(3)),
        case(T(3), T(0), 0, 3), numpy=put(sliced), bad=case(T(3), T(2)), ints=True),
    row("slice_scatter", case(T(3), T(2), 0, 1), numpy=put(sliced), complex=True, torch=False),
    row("diagonal_scatter", case(T(3, 4), T(3)), case(X, T(4, 1), 1, 1, 0), case(T(2, 2), T(0), 5), numpy=put(diagonal),
        bad=case(T(3, 4), T(4)), **EITHER),
    # PyTorch's gradient is that of what is overwritten
    row("as_strided_scatter", case(T(5), T(3), (3,), (2,)), case(T(2, 3), T(2, 2), (2, 2), (1, 3), 1),
        numpy=put(strided), torch=False, **EITHER, unmapped="memory"),
    row("as_strided_scatter", case(T(5), T(2), (2,), (2,)), bad=case(T(5), T(2), (3,), (2,)), grad=False, **EITHER,
        numpy=put(strided), unmapped="memory"),
    row("slice_inverse", case(T(4), T(2, 2)), where="method", numpy=lambda x, src: x.reshape(src.shape), torch=False,
        complex=True, unmapped="memory"),
]

OTHERS = [
    row("adjoint", case(T(2, 3)), case(X), numpy=lambda x: np.conj(x.swapaxes(-1, -2)), node=False, bad=case(T(3)),
        **EITHER),
    row("detach", case(T(2, 3)), numpy=np.copy, grad=False, kink=True, **EITHER),
    row("constant_pad_nd", case(X, (1, 2)), case(X, (-1, 2, 0, -2), 5), case(T(3), ()), bad=case(X, (1,)), **EITHER,
        numpy=lambda x, pad, value=0: np.pad(x[:, :3, 1:], ((0, 0), (0, 0), (0, 2)), constant_values=value)[:, :1]
        if len(pad) == 4 else np.pad(x, [(0, 0)] * (x.ndim - 1) + [pad]) if pad else x),
    row("resize", case(T(2, 3), 3, 2), case(T(2, 3), 6), where="method", numpy=lambda x, *size: x.reshape(*size),
        node=False, bad=case(T(3), 2), **EITHER),
    row("resize_as", case(T(2, 3), T(3, 2, grad=False)), kink=True, where="method",
        numpy=lambda x, y: x.reshape(y.shape), node=False, bad=case(T(3), T(2)), **EITHER),
    row("combinations", case(T(4)), case(T(3), 3), case(T(3), 2, True), case(T(2), 3), case(T(0)),
        numpy=lambda x, r=2, again=False: np.array(
            [*(itertools.combinations_with_replacement if again else itertools.combinations)(x, r)], x.dtype
        ).reshape(-1, r), node=False, bad=case(T(2, 2)), **EITHER),
    row("combinations", case(T(3), 0), numpy=lambda x, r: x[:0], grad=False, **EITHER),
]

ROWS = COPIES + WRITES + OTHERS
