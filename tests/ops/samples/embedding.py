"""Sample rows of embeddings: rows of a table, and bags of them."""

import numpy as np

from tests.ops.sampling import T, case, row

NUMBERS = T(7, kind="int", values=[4, 1, 3, 4, 2, 0, 3])
STARTS = T(4, kind="int", values=[0, 4, 5, 5])
SQUARE = T(2, 3, kind="int", values=[[0, 1, 4], [2, 2, 1]])
TABLE = T(5, 3, kind="distinct")
BAGS = (T(4, kind="int", values=[4, 2, 4, 0]), T(4, kind="int", values=[0, 0, 0, 2]),
        T(3, kind="int", values=[3, 0, 1]))


def bag(numbers, table, offsets=None, mode="mean", per_sample_weights=None, include_last_offset=False,
        padding_idx=None):
    """A loop over bags."""
    if numbers.ndim == 2:
        bags = [(x, None if per_sample_weights is None else w) for x, w in
                zip(numbers, numbers if per_sample_weights is None else per_sample_weights)]
    else:
        ends = [*offsets, *([] if include_last_offset else [len(numbers)])]
        bags = [(numbers[a:b], None if per_sample_weights is None else per_sample_weights[a:b])
                for a, b in zip(ends, ends[1:])]
    out = np.zeros((len(bags), table.shape[1]))
    for k, (chosen, weights) in enumerate(bags):
        counted = chosen != (None if padding_idx is None else padding_idx % len(table))
        rows = table[chosen] if weights is None else table[chosen] * weights[:, None]
        if counted.any():
            out[k] = {"sum": np.sum, "mean": np.mean, "max": np.max}[mode](rows[counted], 0)
    return out


def starts_of(numbers, starts):
    """The bag of each number, and the sizes of the bags."""
    sizes = np.diff([*starts, len(numbers)])
    return np.repeat(np.arange(len(starts)), sizes), sizes


def bag_sums(table, factors, numbers, bags, sizes, mean, padding):
    """One number after the other."""
    out = np.zeros((len(sizes), table.shape[1]))
    for i, (n, b) in enumerate(zip(numbers, bags)):
        if n != padding:
            out[b] += table[n] * (1 if factors is None else factors[i]) / (max(sizes[b], 1) if mean else 1)
    return out


def one(rows, columns, n, c):
    """Zeros, and a one there."""
    out = np.zeros((rows, columns))
    out[n, c] = 1
    return out


ROWS = [
    row("embedding", case(SQUARE, TABLE), case(T(kind="int", values=1), T(3, 2)), where="nn.functional",
        numpy=lambda numbers, table: table[numbers], extra_saved=("weight_sym_sizes",),
        bad=case(T(1, kind="int", values=[3]), T(3, 2))),
    row("embedding", case(SQUARE, TABLE, 2), case(SQUARE, TABLE, padding_idx=-1),
        case(SQUARE, TABLE, scale_grad_by_freq=True), where="nn.functional", kink=True,
        numpy=lambda numbers, table, padding_idx=None, scale_grad_by_freq=False: table[numbers],
        extra_saved=("weight_sym_sizes",), loops="embedding_rows embedding_again", bad=case(SQUARE, TABLE, 5)),
    row("embedding", case(TABLE, NUMBERS), where="torch", numpy=lambda table, numbers: table[numbers],
        extra_saved=("weight_sym_sizes",), bad=case(T(5), NUMBERS)),
    row("embedding", case(TABLE, SQUARE, 1), case(TABLE, SQUARE, -1, True), where="torch", kink=True,
        extra_saved=("weight_sym_sizes",), loops="embedding_rows embedding_again",
        bad=case(TABLE, T(2, kind="int", values=[1, 9]))),
    row("embedding_bag", case(NUMBERS, TABLE, STARTS), case(NUMBERS, TABLE, STARTS, mode="sum"), case(SQUARE, TABLE),
        case(NUMBERS, TABLE, STARTS, mode="sum", per_sample_weights=T(7)), case(SQUARE, TABLE, mode="max"),
        case(NUMBERS, TABLE, STARTS, mode="max"), case(NUMBERS, TABLE, STARTS, padding_idx=-1),
        case(NUMBERS, TABLE, STARTS, mode="max", padding_idx=4), case(SQUARE, TABLE, mode="sum",
                                                                      per_sample_weights=T(2, 3), padding_idx=2),
        case(NUMBERS, TABLE, T(4, kind="int", values=[0, 2, 4, 7]), include_last_offset=True), where="nn.functional",
        numpy=bag, node=False, bad=case(NUMBERS, TABLE)),
    row("embedding_bag", case(TABLE, NUMBERS, STARTS), case(TABLE, NUMBERS, STARTS, False, 1), where="torch",
        torch=False, grad=False, bad=case(TABLE, NUMBERS, T(2, kind="int", values=[1, 2])),
        numpy=lambda table, numbers, starts, by_frequency=False, mode=0: (
            bag(numbers, table, starts, ("sum", "mean")[mode]), *starts_of(numbers, starts), np.zeros(0))),
    row("embedding_bag", case(T(0, kind="int"), TABLE, T(2, kind="int", values=[0, 0])),
        case(T(0, kind="int"), TABLE, T(2, kind="int", values=[0, 0]), mode="max"), kink=True, where="nn.functional",
        node=False, bad=case(NUMBERS, TABLE, STARTS, mode="max", per_sample_weights=T(7))),
    row("embedding_bags", case(NUMBERS, STARTS, 5, False, -1), where="row", torch=False, grad=False,
        numpy=lambda numbers, starts, rows, last, padding: starts_of(numbers, starts)),
    row("largest_in_bags", case(T(4, 2, values=[[1., 5.], [2., 3.], [9., 9.], [0., 1.]], grad=False),
                                T(3, kind="int", values=[0, 1, 3]), T(3, kind="int", values=[0, 0, 2]),
                                T(3, kind="int", values=[2, 0, 1]), -1),
        where="row", torch=False, grad=False, numpy=lambda *_: np.array([[1, 0], [0, 0], [3, 3]])),
    row("bag_sums", case(TABLE, None, *BAGS, False, -1), case(TABLE, T(4), *BAGS, True, 2), where="row", torch=False,
        numpy=lambda table, factors, *rest: bag_sums(table, factors, *rest)),
    row("bag_spread", case(T(3, 3), None, *BAGS, True, -1, (5, 3)), case(T(3, 3), T(4), *BAGS, True, 2, (5, 3)),
        where="row", torch=False, numpy=lambda d, factors, *rest: sum(
            d[b, k] * np.array([[bag_sums(one(5, 3, n, c), factors, *rest[:-1])[b, k] for c in range(3)]
                                for n in range(5)]) for b in range(3) for k in range(3))),
    row("bag_products", case(TABLE, T(3, 3), *BAGS, True, -1), case(TABLE, T(3, 3), *BAGS, False, 2), where="row",
        torch=False, numpy=lambda table, d, *rest: np.array(
            [(bag_sums(table, np.arange(4) == i, *rest) * d).sum() for i in range(4)])),
    row("uses_of_rows", case(NUMBERS, (5, 3)), where="row", torch=False, grad=False,
        numpy=lambda numbers, sizes: np.array([[max((numbers == n).sum(), 1)] for n in range(5)])),
    row("divided_by_use", case(TABLE, NUMBERS), where="row", torch=False, kink=True, numpy=lambda table, _: table),
    row("embedding_renorm_", case(T(5, 3, grad=False), NUMBERS, 0.7, 2.), case(T(2, 3, grad=False), T(1, kind="int",
                                                                                values=[1]), 0.5, 1.),
        where="torch", grad=False, kink=True, unmapped="it writes to weight",
        numpy=lambda table, numbers, size, order: np.where(
            np.isin(np.arange(len(table)), numbers)[:, None]
            & (np.linalg.norm(table, order, axis=1, keepdims=True) > size),
            table * size / (np.linalg.norm(table, order, axis=1, keepdims=True) + 1e-7), table),
        bad=case(T(5, 3, grad=False), T(2, kind="int", values=[1, 9]), 0.7, 2.)),
]
