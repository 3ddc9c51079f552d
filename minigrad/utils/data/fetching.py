"""How samples become what a loader gives: in batches or one by one, from a dataset with indices or from an iterable."""

from itertools import islice

from minigrad.utils.data.datasets import fetched

__all__ = ["DatasetKind", "Exhausted", "fetcher", "fetches"]


class DatasetKind:
    """What a dataset is read by: indices, or iteration."""

    Map, Iterable = 0, 1


class Exhausted:
    """What comes instead of a batch: an iterable dataset has no more samples."""


def fetches(loader):
    """What a fetcher needs to know of a loader besides the dataset."""
    return loader._dataset_kind, loader._auto_collation, loader.collate_fn, loader.drop_last


def fetcher(dataset, kind, in_batches, collate_fn, drop_last):
    """A function from what the sampler gives, indices or one index, to the batch or sample."""
    cls = FromIterable if kind == DatasetKind.Iterable else FromIndices
    return cls(dataset, in_batches, collate_fn, drop_last)


class FromIndices:
    iterates = False

    def __init__(self, dataset, in_batches, collate_fn, drop_last):
        self.dataset, self.in_batches, self.collate_fn = dataset, in_batches, collate_fn

    def __call__(self, indices):
        return self.collate_fn(fetched(self.dataset, indices) if self.in_batches else self.dataset[indices])


class FromIterable:
    """The next samples, however the indices read: only their number counts."""

    iterates = True

    def __init__(self, dataset, in_batches, collate_fn, drop_last):
        self.samples = iter(dataset)
        self.in_batches, self.collate_fn, self.drop_last = in_batches, collate_fn, drop_last
        self.ended = False

    def __call__(self, indices):
        if not self.in_batches:
            return self.collate_fn(next(self.samples))
        batch = [] if self.ended else [*islice(self.samples, len(indices))]
        self.ended = len(batch) < len(indices)
        if not batch or self.ended and self.drop_last:
            raise StopIteration
        return self.collate_fn(batch)
