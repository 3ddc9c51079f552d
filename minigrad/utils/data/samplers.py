"""Samplers: the order in which a loader asks for samples.

What is drawn follows PyTorch: a sampler without a generator draws a seed from the default one, and makes a generator of
its own from that.  So the numbers that a program draws between two batches do not change the order.
"""

from itertools import islice
from typing import Generic, TypeVar

from minigrad._core.errors import error
from minigrad.creation import as_tensor, empty
from minigrad.dtypes import float64, int64
from minigrad.random import Generator, randint, randperm
from minigrad.random.distributions import multinomial

__all__ = ["BatchSampler", "RandomSampler", "Sampler", "SequentialSampler", "SubsetRandomSampler",
           "WeightedRandomSampler"]

_Index = TypeVar("_Index", covariant=True)


class Sampler(Generic[_Index]):
    """An iterable of indices, or of lists of indices: a subclass defines ``__iter__``, and mostly ``__len__``."""

    def __init__(self, data_source=None):
        pass

    def __iter__(self):
        raise error("MG305", f"{type(self).__name__} lacks __iter__, which gives the indices")


class SequentialSampler(Sampler[int]):
    """0, 1, 2, ...

    >>> [*torch.utils.data.SequentialSampler("abc")]
    [0, 1, 2]
    """

    def __init__(self, data_source):
        self.data_source = data_source

    def __iter__(self):
        return iter(range(len(self.data_source)))

    def __len__(self):
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """All indices in random order; or ``num_samples`` of them, with ``replacement`` each drawn from all.

    >>> sorted(torch.utils.data.RandomSampler("abcd"))
    [0, 1, 2, 3]
    """

    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        self.data_source, self.replacement, self.generator = data_source, replacement, generator
        self._num_samples = num_samples
        if not isinstance(replacement, bool):
            raise error("MG205", f"replacement should be a boolean value, but got replacement={replacement}")
        if not isinstance(self.num_samples, int) or self.num_samples <= 0:
            raise not_positive("num_samples", self.num_samples)

    @property
    def num_samples(self):
        """How many indices there are in a pass: by default as many as samples."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self):
        n, left = len(self.data_source), self.num_samples
        generator = self.generator
        if generator is None:
            generator = Generator().manual_seed(drawn_seed())
        while left > 0:
            if self.replacement:
                drawn = randint(0, n, (min(left, 32),), generator=generator)
            else:
                drawn = randperm(n, generator=generator)
            yield from drawn.tolist()[:left]
            left -= len(drawn)
        if left == 0 and not self.replacement:
            randperm(n, generator=generator)            # PyTorch draws it, and takes nothing of it

    def __len__(self):
        return self.num_samples


def drawn_seed(generator=None):
    """A seed from the default generator, or from a given one."""
    return empty((), dtype=int64).random_(generator=generator).item()


class SubsetRandomSampler(Sampler[int]):
    """The given indices in random order."""

    def __init__(self, indices, generator=None):
        self.indices, self.generator = indices, generator

    def __iter__(self):
        for i in randperm(len(self.indices), generator=self.generator).tolist():
            yield self.indices[i]

    def __len__(self):
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """``num_samples`` indices, each drawn with a probability in proportion to its weight."""

    def __init__(self, weights, num_samples, replacement=True, generator=None):
        if not isinstance(num_samples, int) or isinstance(num_samples, bool) or num_samples <= 0:
            raise not_positive("num_samples", num_samples)
        if not isinstance(replacement, bool):
            raise error("MG207", f"replacement should be a boolean value, but got replacement={replacement}")
        self.weights = as_tensor(weights, dtype=float64)
        if self.weights.dim() != 1:
            raise error("MG207", "weights should be a 1d sequence but given weights have shape "
                                 f"{tuple(self.weights.shape)}")
        self.num_samples, self.replacement, self.generator = num_samples, replacement, generator

    def __iter__(self):
        # drawn by the first next(), as PyTorch does: a seed that is set after iter() counts
        yield from multinomial(self.weights, self.num_samples, self.replacement, generator=self.generator).tolist()

    def __len__(self):
        return self.num_samples


class BatchSampler(Sampler[list]):
    """The indices of another sampler in lists of ``batch_size``; the last may be shorter, or is dropped.

    >>> [*torch.utils.data.BatchSampler(range(5), batch_size=2, drop_last=False)]
    [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler, batch_size, drop_last):
        if not isinstance(batch_size, int) or isinstance(batch_size, bool) or batch_size <= 0:
            raise not_positive("batch_size", batch_size)
        if not isinstance(drop_last, bool):
            raise error("MG207", f"drop_last should be a boolean value, but got drop_last={drop_last}")
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self):
        indices = iter(self.sampler)
        while batch := [*islice(indices, self.batch_size)]:
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self):
        n = len(self.sampler)
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)


def not_positive(name, value):
    return error("MG207", f"{name} should be a positive integer value, but got {name}={value}")
