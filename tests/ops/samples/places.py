"""Sample rows of at_positions.py and places.py: reductions at positions, and where elements are."""

import numpy as np

from tests.ops.sampling import T, case, row


def I(values):
    """An index tensor."""
    return T(values=values, kind="int")


UFUNCS = {"sum": np.add, "mean": np.add, "prod": np.multiply, "amax": np.maximum, "amin": np.minimum}


def scattered(x, dim, index, src, reduce, include_self=True):
    lists = {}
    for place in np.ndindex(index.shape):
        target = place[:dim] + (int(index[place]),) + place[dim + 1:]
        lists.setdefault(target, [x[target]] * include_self).append(src[place])
    out = x.copy()
    for target, values in lists.items():
        found = UFUNCS[reduce].reduce(np.array(values, x.dtype))
        whole = x.dtype.kind in "iu"
        out[target] = found // len(values) if reduce == "mean" and whole else (
            found / len(values) if reduce == "mean" else found)
    return out


def in_parts(x, dim, index, source, reduce, include_self=True):
    spread = index.reshape([-1 if k == dim else 1 for k in range(x.ndim)])
    return scattered(x, dim, np.broadcast_to(spread, source.shape), source, reduce, include_self)


def segments(x, reduce, lengths, axis=0, initial=None):
    ends = np.cumsum(lengths)
    name = {"max": "amax", "min": "amin"}.get(reduce, reduce)
    found = [UFUNCS[name].reduce(x[end - n:end], 0) / (n if reduce == "mean" else 1) for n, end in zip(lengths, ends)]
    return np.stack(found)


X, NEW = T(3, 4, kind="distinct"), T(3, 3, kind="distinct", low=-1.9, high=1.7)
INDEX = I([[0, 3, 3], [1, 1, 0], [2, 0, 2]])
HALF = T(values=[[1., 2.], [2., 0.], [0., 0.]])

REDUCED = [
    row("scatter_reduce", *[case(X, 1, INDEX, NEW, reduce, include_self=both)
                            for reduce in UFUNCS for both in (True, False)],
        numpy=scattered, bad=case(X, 1, INDEX, NEW, "most"), ints=True, node=False),
    row("scatter_reduce", case(T(3), 0, T(0, kind="int"), T(0), "sum"),
        case(T(values=[2., 5., 1.]), 0, I([0, 1, 0]), T(values=[2., 3., 1.]), "amax", include_self=False),
        numpy=scattered, torch=False),                      # where PyTorch counts an element that has no part
    row("scatter_reduce", case(X, 1, INDEX, T(3, 5), "sum"), case(X, 0, I([[2, 0]]), T(2, 3), "prod"),
        numpy=scattered, complex=True, torch=False),                    # PyTorch's gradients do not fit
    row("scatter_reduce", case(HALF, 0, I([[0, 0], [0, 0], [1, 2]]), HALF, "prod"),
        case(HALF, 0, I([[0, 0], [0, 0], [1, 2]]), HALF, "prod", include_self=False), numpy=scattered, torch=False),
    row("scatter_reduce", case(T(values=[1., 2., 2.]), 0, I([1, 1, 0]), T(values=[2., 2., 0.]), "amax"), kink=True,
        numpy=scattered, node=False),
    row("index_reduce", *[case(X, 1, I([1, 1, 3]), NEW, reduce, include_self=both)
                          for reduce in ("prod", "mean", "amax", "amin") for both in (True, False)],
        case(T(5), 0, I([4, 4]), T(2), "prod"), case(T(2, 3), 0, T(0, kind="int"), T(0, 3), "prod"),
        numpy=in_parts, ints=True, bad=case(X, 1, I([1]), T(3, 2), "prod"),
        node=False),
    row("segment_reduce", *[case(T(6, 2, kind="distinct"), reduce, lengths=I([1, 2, 3]))
                            for reduce in ("sum", "mean", "prod", "max", "min")],
        numpy=segments, node=False, bad=case(T(3), "sum", lengths=I([1])), unmapped="calling .numpy()"),
]

PLACES = [
    row("isin", case(T(2, 3, kind="int"), T(2, kind="int")), case(T(values=[1., 2., np.nan]), T(values=[2., np.nan])),
        case(T(3, kind="int"), 2), case(T(3, kind="int"), T(2, kind="int"), invert=True), numpy=np.isin, grad=False,
        bad=case(T(2, kind="bool"), T(2, kind="bool"))),
    row("nonzero_static", case(T(2, 3, kind="int", high=2), size=4), case(T(4, kind="bool"), size=6, fill_value=9),
        grad=False, bad=case(T(3), size=-1),
        numpy=lambda x, size, fill_value=-1: np.concatenate(
            [np.argwhere(x)[:size], np.full((max(0, size - np.count_nonzero(x)), x.ndim), fill_value)])),
    row("unravel_index", case(I([3, 5, 0]), (2, 3)), case(I(4), (5,)), grad=False, numpy=np.unravel_index,
        bad=case(T(3), (2, 3))),
]

ROWS = REDUCED + PLACES
