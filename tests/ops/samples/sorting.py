"""Sample calls of what has to do with order: sorting, ranks, distinct values, places, bins."""

import numpy as np

from tests.ops.sampling import T, case, row

TIES = [[2, 2, 1, 3, 2], [0, 1, 0, 1, 0]]
NANS = [[1.0, float("nan"), 0.0, 1.5], [float("nan"), 3.0, float("nan"), -4.0]]


def line_by_line(function):
    """A function of one line (1-d, entries first) as one along a dim, with the index outputs that it returns."""
    def reference(x, *parameters, dim=-1, keepdim=True, **options):
        if not x.ndim:
            values, indices = function(x.reshape(1), *parameters, **options)
            return np.reshape(values, ()), np.reshape(indices, ())
        lines = np.moveaxis(x, dim, -1)
        found = [function(lines[place], *parameters, **options) for place in np.ndindex(lines.shape[:-1])]
        outputs = []
        for n in range(2):
            stacked = np.array([each[n] for each in found], (x.dtype, np.int64)[n]).reshape(lines.shape[:-1] + (-1,))
            stacked = np.moveaxis(stacked, -1, dim)
            outputs.append(stacked if keepdim else stacked.squeeze(dim))
        return outputs
    return reference


def order(line, descending=False):
    """The places of the entries in order, found with Python's stable sort; nan counts as the greatest."""
    key = [(entry != entry, 0 if entry != entry else entry) for entry in line.tolist()]
    return sorted(range(len(line)), key=lambda i: (not key[i][0], -key[i][1]) if descending else key[i])


def sorted_line(line, descending=False, stable=False):
    places = order(line, descending)
    return line[places], places


def top(line, k, largest=True):
    places = order(line, largest)[:k]
    return line[places], places


def of_rank(rank):
    def function(line, *parameters):
        place = order(line)[rank(line, *parameters)]
        return line[place], place
    return function


def most_frequent(line):
    values, counts = np.unique(line, return_counts=True)
    value = values[counts.argmax()]
    return value, np.flatnonzero(line == value)[-1]


def sort_reference(x, dim=-1, descending=False, stable=False):
    return line_by_line(sorted_line)(x, dim=dim, descending=descending)


def rank_reference(rank):
    def reference(x, dim=None, keepdim=False):
        if dim is None:
            return of_rank(rank)(x.reshape(-1))[0]
        return line_by_line(of_rank(rank))(x, dim=dim, keepdim=keepdim)
    return reference


def lower_middle(line):
    numbers = len(line) - int((line != line).sum())
    return numbers if numbers < len(line) else (len(line) - 1) // 2


def lower_middle_of_numbers(line):
    return max(len(line) - int((line != line).sum()) - 1, 0) // 2


def numpy_unique(x, sorted=True, return_inverse=False, return_counts=False, dim=None):
    values, inverse, counts = np.unique(x, return_inverse=True, return_counts=True, axis=dim)
    found = (values,) + (inverse.reshape(x.shape if dim is None else -1),) * return_inverse + (counts,) * return_counts
    return found if len(found) > 1 else values


def search(sequence, values, right=False, **options):
    side = "right" if right else "left"
    if sequence.ndim == 1:
        return np.searchsorted(sequence, values, side)
    return np.array([np.searchsorted(line, sought, side) for line, sought in zip(sequence, values)])


def histogram(x, bins=100, low=0, high=0):
    if low == high:
        widened = x.min() == x.max()
        low, high = x.min() - widened, x.max() + widened
    return np.histogram(x, bins, (low, high))[0]


SORTED = T(4, kind="int", values=[1, 3, 3, 5])

ROWS = [
    row("sort", case(T(5, kind="distinct")), case(T(3, 4, kind="distinct"), 0),
        case(T(3, 4, kind="distinct"), -1, True),
        case(T()), case(T(2, 5, kind="int", values=TIES), 1, True), case(T(2, 3, kind="bool")), case(T(0, 3), 0),
        numpy=sort_reference, ints=True, bad=case(T(2, 3), 2)),
    row("sort", case(T(values=NANS), 1), case(T(values=NANS), 1, True), numpy=sort_reference, kink=True),
    row("argsort", case(T(5)), case(T(5), stable=True), case(T(3, 4), 0), case(T(3, 4), descending=True),
        case(T(2, 5, kind="int", values=TIES), 1, True), case(T()), grad=False,
        numpy=lambda *args, **kwargs: sort_reference(*args, **kwargs)[1], ints=True, bad=case(T(2, 3), 2)),
    row("msort", case(T(4, 3, kind="distinct")), case(T(3, kind="distinct")), numpy=lambda x: np.sort(x, axis=0)),
    row("topk", case(T(5, kind="distinct"), 2), case(T(3, 4, kind="distinct"), 3, 0),
        case(T(3, 4, kind="distinct"), 2, -1, False), case(T(3, 4, kind="distinct"), 0), case(T(), 1),
        numpy=lambda x, k, dim=-1, largest=True, sorted=True: line_by_line(top)(x, k, dim=dim, largest=largest),
        bad=case(T(3), 4)),
    row("kthvalue", case(T(5, kind="distinct"), 2), case(T(3, 4, kind="distinct"), 3, 0, True),
        case(T(3, 4, kind="distinct"), 1), case(T(), 1),
        numpy=lambda x, k, dim=-1, keepdim=False: line_by_line(of_rank(lambda line: k - 1))(x, dim=dim,
                                                                                            keepdim=keepdim),
        bad=case(T(3), 4)),
    row("median", case(T(5, kind="distinct")), case(T(3, 4, kind="distinct")), case(T(3, 4, kind="distinct"), 0),
        case(T(3, 4, kind="distinct"), -1, True), case(T()), case(T(), 0), numpy=rank_reference(lower_middle),
        bad=case(T(0, 3), 0)),
    row("median", case(T(values=[2.0, 2.0, 1.0, 3.0])), case(T(values=[1.0, float("nan"), 0.0])),
        numpy=rank_reference(lower_middle), kink=True),
    row("nanmedian", case(T(3, 4, kind="distinct")), case(T(3, 4, kind="distinct"), 0),
        case(T(3, 4, kind="distinct"), -1, True), case(T(values=NANS[0])),
        numpy=rank_reference(lower_middle_of_numbers), bad=case(T(0, 3), 0)),
    row("nanmedian", case(T(values=NANS)), case(T(values=NANS), 1), case(T(values=[2.0, 2.0, 1.0])),
        numpy=rank_reference(lower_middle_of_numbers), kink=True),
    row("mode", case(T(2, 5, kind="int", values=TIES)), case(T(2, 5, kind="int", values=TIES), 1, True),
        case(T(2, 5, kind="int", values=TIES), 0), case(T(3, 4, kind="distinct")), case(T()),
        numpy=lambda x, dim=-1, keepdim=False: line_by_line(most_frequent)(x, dim=dim, keepdim=keepdim),
        bad=case(T(0, 3), 0)),
    row("unique", case(T(2, 5, kind="int", values=TIES)),
        case(T(2, 5, kind="int", values=TIES), return_inverse=True, return_counts=True),
        case(T(2, 5, kind="int", values=TIES), dim=1, return_inverse=True, return_counts=True), case(T(5, grad=False)),
        numpy=numpy_unique, grad=False, bad=case(T(2, 3), dim=2), unmapped="dynamic shape"),
    row("unique_consecutive", case(T(6, kind="int", values=[1, 1, 2, 2, 2, 1]), return_inverse=True,
                                   return_counts=True),
        case(T(2, 3, kind="int", values=[[1, 1, 2], [1, 1, 3]]), dim=1),
                                   case(T(2, 2, kind="int", values=[[1, 1], [1, 2]])),
        grad=False, bad=case(T(2, 3), dim=2), unmapped="dynamic shape"),
    row("searchsorted", case(SORTED, T(2, 3, kind="int", high=7)), case(SORTED, T(kind="int"), right=True),
        case(SORTED, 3), case(T(2, 3, kind="int", values=[[1, 3, 5], [2, 4, 6]]), T(2, 2, kind="int"), right=True),
        case(SORTED, T(4, grad=False)), case(SORTED, T(4, grad=False), out_int32=True), grad=False, numpy=search,
        bad=case(SORTED, T(3), side="middle")),
    row("bucketize", case(T(2, 3, kind="int", high=7), SORTED), case(T(2, 3, kind="int", high=7), SORTED, right=True),
        case(3, SORTED), grad=False, numpy=lambda x, boundaries, **options: search(boundaries, x, **options)),
    row("bincount", case(T(6, kind="int")), case(T(6, kind="int"), T(6, grad=False), 8),
        case(T(0, kind="int"), minlength=3), grad=False,
        numpy=lambda x, weights=None, minlength=0: np.bincount(x, weights, minlength), bad=case(T(2, 3, kind="int")),
        unmapped="dynamic shape"),
    row("histc", case(T(20), 5, -1, 1), case(T(20), bins=4), case(T(values=[2.0, 2.0]), 4), case(T(9), 3, 2, 2),
        numpy=histogram, grad=False, bad=case(T(3), 0)),
]
