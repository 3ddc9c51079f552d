"""Sample calls of what chooses elements: by number (gather, index_select ...) and by mask (where, masked_fill ...)."""

import numpy as np

from tests.ops.sampling import T, case, row


def I(values):
    """An index tensor."""
    return T(values=values, kind="int")


def M(values):
    """A mask."""
    return T(values=values, kind="bool")


X = T(3, 4)
ROWS_OF_X = I([2, 0, 2])
MASK = M([[True, False, True, True], [False] * 4, [True, True, False, True]])
ALONG = I([[0, 3], [1, 1], [2, 0]])             # for each row of X, two of its columns
SHARED = dict(complex=True, ints=True)


def each_place(index, axis):
    """For each element of ``index``: its place, and the place that it points to."""
    for place in np.ndindex(index.shape):
        yield place, place[:axis] + (int(index[place]),) + place[axis + 1:]


def gathered(x, dim, index):
    out = np.zeros(index.shape, x.dtype)
    for place, source in each_place(index, dim):
        out[place] = x[source]
    return out


def scattered(x, dim, index, src, reduce=None):
    out = x.copy()
    for place, target in each_place(index, dim):
        value = src[place] if isinstance(src, np.ndarray) else src
        out[target] = out[target] + value if reduce == "add" else out[target] * value if reduce == "multiply" else value
    return out


def scattered_one(x, index, value):
    out = np.atleast_1d(x.copy())
    out[index.item()] = value.item() if isinstance(value, np.ndarray) else value
    return out.reshape(x.shape)


def along(x, indices, dim=None):
    return np.take_along_axis(x.ravel() if dim is None else x, indices.ravel() if dim is None else indices,
                              0 if dim is None else dim)


def index_added(x, dim, index, source, alpha=1):
    out = x.copy()
    for n, i in enumerate(index):
        out[(slice(None),) * dim + (i,)] += alpha * source.take(n, dim)
    return out


def index_copied(x, dim, index, source):
    out = x.copy()
    for n, i in enumerate(index):
        out[(slice(None),) * dim + (i,)] = source.take(n, dim)
    return out


def index_filled(x, dim, index, value):
    out = x.copy()
    for i in index:
        out[(slice(None),) * dim + (i,)] = value
    return out


def put(x, indices, values, accumulate=False):
    out = x.copy()
    if accumulate:
        np.add.at(out, indices, values)
    else:
        out[indices] = values
    return out


def put_flat(x, index, source, accumulate=False):
    return put(x.ravel(), index.ravel(), source.ravel(), accumulate).reshape(x.shape)


def masked_scattered(x, mask, source):
    out = np.array(np.broadcast_to(x, np.broadcast_shapes(x.shape, mask.shape)))
    np.place(out, np.broadcast_to(mask, out.shape), source.ravel())
    return out


def read(x, mask):
    x, mask = np.broadcast_arrays(x, mask)
    return x[mask]


BY_NUMBER = [
    row("gather", case(X, 1, ALONG), case(X, -1, ALONG), case(X, 0, I([[0, 2, 1, 1]])), case(T(5), 0, I([4, 4, 0])),
        case(T(), 0, I(0)),
        case(X, 1, T(3, 0, kind="int")), numpy=lambda x, dim, index: gathered(x, dim % max(x.ndim, 1), index) if x.ndim
        else x, extra_saved=("self_sym_sizes",), bad=case(X, 1, I([[4], [0], [0]])), **SHARED),
    row("scatter", case(X, 1, I([[0, 3], [1, 2], [2, 0]]), T(3, 2)), case(X, 0, I([[2, 0, 1, 1]]), T(1, 4)),
        case(X, 1, ALONG, 1.5), case(X, 0, I([[1, 1, 2, 0]]), 2), numpy=scattered, extra_saved=("src_sym_sizes",),
        bad=case(X, 1, I([[4], [0], [0]]), 1.0), complex=True),
    row("scatter", case(X, 1, ALONG, T(3, 2), reduce="add"), case(X, 1, ALONG, 2.0, reduce="add"),
        case(X, 1, ALONG, 2.0, reduce="multiply"), case(T(3, 4, kind="complex"), 1, ALONG, 1 + 2j, reduce="multiply"),
        numpy=scattered, torch=False, bad=case(X, 1, ALONG, 1.0, reduce="max")),
    row("scatter", case(T(3), 0, I([1]), T()), case(T(3), 0, I(2), T()), case(T(), 0, I(0), T()),
        case(T(3), 0, I([1]), value=2.5),
        numpy=lambda x, dim, index, src=None, value=None: scattered_one(x, index, value if src is None else src),
        extra_saved=("src_sym_sizes",), **SHARED, loops="scatter.src scatter.value gather_into gather_backward"),
    row("scatter", case(X, 1, ALONG, T(3, 2, grad=False), reduce="multiply"), numpy=scattered, grad=False),
    row("take_along_dim", case(X, I([[-1, 0], [1, -4], [2, -2]]), 1), case(X, I([[-3, 0, 1, -1]]), 0), numpy=along,
        node=False, **SHARED),
    row("scatter_add", case(X, 1, ALONG, T(3, 2)), case(X, 0, I([[2, 0, 1, 1]]), T(1, 4)),
        case(T(3), 0, I([1, 1, 1]), T(3)),
        numpy=lambda *a: scattered(*a, reduce="add"), extra_saved=("src_sym_sizes",),
        bad=case(X, 1, I([[4], [0], [0]]), T(3, 1)), **SHARED),
    row("take_along_dim", case(X, ALONG, 1), case(X, I([[1, 0, 2, 2]]), 0), case(X, I([11, 0])),
        case(T(2, 1, 3), T(1, 4, 5, kind="int", high=3), -1),
        numpy=lambda x, i, dim=None: along(np.broadcast_to(x, (2, 4, 3)), np.broadcast_to(i, (2, 4, 5)), dim) if x.ndim
        == 3 else along(x, i, dim), extra_saved=("self_sym_sizes",), bad=case(X, I([0]), 1), **SHARED),
    row("index_select", case(X, 0, ROWS_OF_X), case(X, -1, I([3, 3, 1])), case(X, 1, I(2)), case(T(), 0, I([0])),
        case(X, 0, T(0, kind="int")),
        numpy=lambda x, dim, i: x.take(np.atleast_1d(i), dim) if x.ndim else x, bad=case(X, 0, I([3])), **SHARED,
        loops="index_select index_select_backward"),
    row("index_add", case(X, 0, ROWS_OF_X, T(3, 4)), case(X, 1, I([1, 1]), T(3, 2), alpha=-2),
        case(T(3), 0, I([0]), T(1)), numpy=index_added, bad=case(X, 0, I([0, 1]), T(1, 4)), **SHARED),
    row("index_copy", case(X, 0, I([2, 0]), T(2, 4)), case(X, 1, I([1]), T(3, 1)), numpy=index_copied,
        bad=case(X, 0, I([3]), T(1, 4)), **SHARED),
    row("index_fill", case(X, 0, ROWS_OF_X, 1.5), case(X, 1, I([-1]), 2), case(X, 1, I([1, 1]), T()),
        numpy=index_filled, extra_saved=("value_sym_sizes",), bad=case(X, 0, I([3]), 1.0), **SHARED),
    row("take", case(X, I([0, 11, 0])), case(X, I([[1, -1], [5, -12]])), case(X, I(3)), numpy=lambda x, i: x.ravel()[i],
        extra_saved=("self_sym_sizes",), bad=case(X, I([12])), **SHARED),
    row("put", case(X, I([11, 0, -5]), T(3)), case(X, I([[3, -1]]), T(2, 1)), case(T(), I(0), T()),
        case(X, I([2, 2, 0]), T(3), True), case(X, T(0, kind="int"), T(0)), numpy=put_flat,
        extra_saved=("source_sym_sizes",), bad=case(X, I([12]), T(1)), **SHARED),
    row("index", case(X, [I([0, 2, 0])]), case(X, [None, I([[1], [3]])]), case(X, [I([0, 2]), I([1, 1])]),
        case(X, [MASK]), numpy=lambda x, indices: x[tuple([slice(None) if i is None else i for i in indices])],
        where="row", complex=True, unmapped="boolean mask"),
    row("index_put", case(X, (I([0, 2]),), T(4)), case(X, (I([0, 2]), I([1, 1])), T(2)),
        case(X, (I([0, 0]),), T(2, 4), True),
        case(X, (MASK,), T()), numpy=put, extra_saved=("values_sym_sizes",), bad=case(X, (I([0, 2]),), T(3)), **SHARED,
        unmapped="boolean mask"),
    row("one_hot", case(I([0, 2, 1])), case(I([[1], [0]]), 4),
        numpy=lambda i, n=-1: np.eye(i.max() + 1 if n < 0 else n, dtype=np.int64)[i],
        grad=False, bad=case(I([3]), 2), unmapped="num_classes"),
]

BY_MASK = [
    row("where", case(MASK, X, T(3, 4)), case(M([True, False, True, False]), T(3, 1), T(4)), case(MASK, X, 0.0),
        case(MASK, 1.5, X), case(M(True), T(), T()), numpy=np.where, bad=case(T(3), T(3), T(3)), **SHARED),
    row("where", case(MASK), case(M(True)), numpy=lambda x: np.nonzero(np.atleast_1d(x)), grad=False,
        unmapped="dynamic shape"),
    row("nonzero", case(T(2, 3, kind="int", high=2)), case(T(4, kind="bool")), case(I(2)), case(I(0)),
        numpy=np.argwhere, grad=False, unmapped="dynamic shape"),
    row("nonzero", case(T(2, 3, kind="int", high=2), as_tuple=True), numpy=lambda x, as_tuple: np.nonzero(x),
        grad=False, unmapped="dynamic shape"),
    row("argwhere", case(T(2, 3, kind="int", high=2)), numpy=np.argwhere, grad=False, unmapped="dynamic shape"),
    row("masked_fill", case(X, MASK, 1.5), case(X, M([True, False, True, False]), -1), case(T(4), MASK, 2),
        case(X, MASK, T()),
        numpy=lambda x, mask, value: np.where(mask, np.asarray(value).astype(x.dtype), x), bad=case(X, T(3, 4), 1.0),
        **SHARED),
    row("masked_select", case(X, MASK), case(X, M([True, False, True, False])), case(T(4), MASK), case(X, M([[False]])),
        numpy=read, extra_saved=("self_sym_sizes",), bad=case(X, T(3, 4)), **SHARED, unmapped="differently shaped"),
    row("masked_write", case(T(2), M([True, False, True]), (3,)), case(T(8), MASK, (3, 4)), where="row",
        numpy=lambda source, mask, sizes: masked_scattered(np.zeros(sizes, source.dtype), mask, source), complex=True),
    row("masked_scatter", case(X, MASK, T(3, 4)), case(X, M([True, False, True, False]), T(6)), case(T(4), MASK, T(6)),
        numpy=masked_scattered, extra_saved=("self_sym_sizes",), bad=case(X, MASK, T(2)), **SHARED),
]

ROWS = BY_NUMBER + BY_MASK
