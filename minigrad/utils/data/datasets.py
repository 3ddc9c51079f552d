"""Datasets: what has samples by index, or gives them one after the other."""

from bisect import bisect_right
from itertools import accumulate
from math import floor, isclose
from typing import Generic, TypeVar

from minigrad._core.errors import error, warn
from minigrad.random import randperm

__all__ = ["ChainDataset", "ConcatDataset", "Dataset", "IterableDataset", "StackDataset", "Subset", "TensorDataset",
           "random_split"]

_Sample = TypeVar("_Sample", covariant=True)


class Dataset(Generic[_Sample]):
    """Samples by index: a subclass defines ``__getitem__`` and ``__len__``.

    It may define ``__getitems__(indices)`` as well, which a loader calls for a whole batch.

    >>> class Squares(torch.utils.data.Dataset):
    ...     def __len__(self):
    ...         return 4
    ...     def __getitem__(self, i):
    ...         return i * i
    >>> [batch.tolist() for batch in torch.utils.data.DataLoader(Squares(), batch_size=3)]
    [[0, 1, 4], [9]]
    """

    def __getitem__(self, index):
        raise error("MG305", "Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other):
        return ConcatDataset([self, other])


class IterableDataset(Dataset[_Sample]):
    """Samples one after the other: a subclass defines ``__iter__``.

    In a worker process ``get_worker_info`` tells it which part to give; otherwise each worker gives everything.
    """

    def __iter__(self):
        raise error("MG305", "Subclasses of IterableDataset should implement __iter__.")

    def __add__(self, other):
        return ChainDataset([self, other])


class TensorDataset(Dataset):
    """The slices of tensors along their first dim.

    >>> data = torch.utils.data.TensorDataset(torch.arange(4).reshape(2, 2), torch.tensor([0., 1.]))
    >>> data[1]
    (tensor([2, 3]), tensor(1.))
    """

    def __init__(self, *tensors):
        if any(x.shape[0] != tensors[0].shape[0] for x in tensors):
            raise error("MG721", f"Size mismatch between tensors: the first dims are {[x.shape[0] for x in tensors]}")
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple([x[index] for x in self.tensors])

    def __len__(self):
        return self.tensors[0].shape[0]


class StackDataset(Dataset):
    """Several datasets side by side: a sample is a tuple, or for named datasets a dictionary, of theirs.

    >>> data = torch.utils.data.StackDataset(x=[1, 2], y=["a", "b"])
    >>> data[1]
    {'x': 2, 'y': 'b'}
    """

    def __init__(self, *args, **kwargs):
        if bool(args) == bool(kwargs):
            raise tuple_or_dict(args)
        self.datasets = args or kwargs
        parts = args or [*kwargs.values()]
        self._length = len(parts[0])
        if any(len(each) != self._length for each in parts):
            raise error("MG207", "Size mismatch between datasets")

    def _joined(self, parts):
        return dict(zip(self.datasets, parts)) if isinstance(self.datasets, dict) else tuple(parts)

    def _parts(self):
        return self.datasets.values() if isinstance(self.datasets, dict) else self.datasets

    def __getitem__(self, index):
        return self._joined([each[index] for each in self._parts()])

    def __getitems__(self, indices):
        columns = [fetched(each, indices) for each in self._parts()]
        for column in columns:
            if len(column) != len(indices):
                raise error("MG207", "Nested dataset's output size mismatch. Expected "
                                     f"{len(indices)}, got {len(column)}")
        return [self._joined(row) for row in zip(*columns)]

    def __len__(self):
        return self._length


def fetched(dataset, indices):
    """The samples with these indices, which some datasets give at once."""
    if callable(getattr(dataset, "__getitems__", None)):
        return dataset.__getitems__(indices)
    return [dataset[i] for i in indices]


class ConcatDataset(Dataset):
    """Datasets one after the other.

    >>> data = torch.utils.data.ConcatDataset([[1, 2], [3]])
    >>> len(data), data[2], data[-1]
    (3, 3, 3)
    """

    def __init__(self, datasets):
        self.datasets = list(datasets)
        if not self.datasets:
            raise error("MG721", "datasets should not be an empty iterable")
        if any(isinstance(each, IterableDataset) for each in self.datasets):
            raise error("MG721", "ConcatDataset does not support IterableDataset: see ChainDataset")
        self.cumulative_sizes = self.cumsum(self.datasets)

    @staticmethod
    def cumsum(sequence):
        """Where each of the datasets ends."""
        return [*accumulate(len(each) for each in sequence)]

    def __len__(self):
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx):
        if idx < -len(self):
            raise error("MG207", "absolute value of index should not exceed dataset length")
        idx = idx + len(self) if idx < 0 else idx
        number = bisect_right(self.cumulative_sizes, idx)
        return self.datasets[number][idx - (self.cumulative_sizes[number - 1] if number else 0)]


class ChainDataset(IterableDataset):
    """Iterable datasets one after the other."""

    def __init__(self, datasets):
        self.datasets = datasets

    def _checked(self):
        for each in self.datasets:
            if not isinstance(each, IterableDataset):
                raise error("MG721", "ChainDataset only supports IterableDataset: see ConcatDataset")
            yield each

    def __iter__(self):
        for each in self._checked():
            yield from each

    def __len__(self):
        return sum([len(each) for each in self._checked()])


class Subset(Dataset):
    """The samples of a dataset with the given indices.

    >>> data = torch.utils.data.Subset("abcd", [3, 0])
    >>> data[0], len(data)
    ('d', 2)
    """

    def __init__(self, dataset, indices):
        self.dataset, self.indices = dataset, indices
        if type(self).__getitem__ is not Subset.__getitem__ and type(self).__getitems__ is Subset.__getitems__:
            raise half_overridden(type(self))

    def __getitem__(self, idx):
        if isinstance(idx, list):
            return self.dataset[[self.indices[i] for i in idx]]
        return self.dataset[self.indices[idx]]

    def __getitems__(self, indices):
        return fetched(self.dataset, [self.indices[i] for i in indices])

    def __len__(self):
        return len(self.indices)


def random_split(dataset, lengths, generator=None):
    """Subsets of a dataset that have no sample in common, of these lengths or fractions, drawn at random.

    What fractions leave over by rounding down goes to the first subsets, one sample each.

    >>> train, test = torch.utils.data.random_split(range(10), [0.75, 0.25])
    >>> len(train), len(test)
    (8, 2)
    """
    if isclose(sum(lengths), 1) and sum(lengths) <= 1:
        lengths = from_fractions(lengths, len(dataset))
    if sum(lengths) != len(dataset):
        raise error("MG207", "Sum of input lengths does not equal the length of the input dataset!")
    order = randperm(sum(lengths), generator=generator).tolist()
    return [Subset(dataset, order[end - n:end]) for n, end in zip(lengths, accumulate(lengths))]


def from_fractions(fractions, total):
    for i, fraction in enumerate(fractions):
        if not 0 <= fraction <= 1:
            raise error("MG207", f"Fraction at index {i} is not between 0 and 1")
    lengths = [floor(total * fraction) for fraction in fractions]
    for i in range(total - sum(lengths)):
        lengths[i % len(lengths)] += 1
    for i, n in enumerate(lengths):
        if n == 0:
            warn(f"Length of split at index {i} is 0. This might result in an empty dataset.")
    return lengths


# ------------------------------------------------------------------------------ what the errors say

def tuple_or_dict(given):
    return error("MG207", "Supported either ``tuple``- (via ``args``) or``dict``- (via ``kwargs``) like input/output, "
                          "but both types are given." if given else "At least one dataset should be passed")


def half_overridden(cls):
    return error("MG305", f"{cls.__name__} overrides __getitem__ but not __getitems__, which a loader calls for a "
                          "whole batch: it would not see your __getitem__. Define it as well: def __getitems__(self, "
                          "indices): return [self[i] for i in indices]")
