"""DataLoader: a dataset in batches, fetched here or by worker processes.

Without workers a pass is

    for indices in batch_sampler:
        yield collate_fn([dataset[i] for i in indices])

With workers the indices go to them in turn, some batches ahead, and the batches are given in the order of the indices.
"""

import multiprocessing
import os
import weakref
from collections.abc import Callable
from itertools import cycle, repeat
from typing import Any, Generic, TypeVar

from minigrad._core.errors import error, warn
from minigrad.utils.data.collating import default_collate, default_convert
from minigrad.utils.data.datasets import IterableDataset
from minigrad.utils.data.fetching import DatasetKind, Exhausted, fetcher, fetches
from minigrad.utils.data.samplers import BatchSampler, RandomSampler, Sampler, SequentialSampler, drawn_seed
from minigrad.utils.data.workers import Failure, Worker, get_worker_info, received, shut_down

__all__ = ["DataLoader", "default_collate", "default_convert", "get_worker_info"]

_Sample = TypeVar("_Sample", covariant=True)
_DatasetKind = DatasetKind
#: PyTorch's types of the functions that a loader is given
_collate_fn_t, _worker_init_fn_t = Callable[[list], Any], Callable[[int], None]


class DataLoader(Generic[_Sample]):
    """A dataset in batches: an iterable, each pass of which goes through the dataset once.

    Parameters
    ----------
    dataset : anything with ``__getitem__`` and ``__len__``, or an IterableDataset
    batch_size : how many samples are in a batch; None gives single samples
    shuffle : whether each pass is in another random order
    sampler, batch_sampler : other orders: iterables of indices, or of lists of indices
    num_workers : how many processes fetch batches ahead of time; with 0 it is done here
    collate_fn : makes a batch of a list of samples; by default :func:`default_collate`
    drop_last : leave out a last batch that is smaller than the others
    timeout : seconds to wait for a batch of a worker; 0 waits for ever
    worker_init_fn : called in each worker with its number, before anything else
    generator : what orders and the seeds of workers are drawn from
    prefetch_factor : how many batches each worker is ahead, 2 by default
    persistent_workers : keep the workers from pass to pass
    pin_memory : without effect: there is no GPU

    An exception in a worker is raised here, with the traceback of the worker in its message; a worker that ends in any
    other way is a RuntimeError (MG722).

    >>> x, y = torch.arange(6.).reshape(3, 2), torch.tensor([0, 1, 2])
    >>> for inputs, labels in torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), batch_size=2):
    ...     print(inputs, labels)
    tensor([[0., 1.],
            [2., 3.]]) tensor([0, 1])
    tensor([[4., 5.]]) tensor([2])
    """

    def __init__(self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0,
                 collate_fn=None, pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None,
                 multiprocessing_context=None, generator=None, *, prefetch_factor=None, persistent_workers=False,
                 pin_memory_device="", in_order=True):
        check_workers(num_workers, timeout, prefetch_factor, persistent_workers)
        check_order(isinstance(dataset, IterableDataset), batch_size, shuffle, sampler, batch_sampler, drop_last)
        if batch_sampler is not None:
            batch_size = None
        if sampler is None:
            if isinstance(dataset, IterableDataset):
                sampler = _Unordered()
            else:
                sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        if batch_size is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.dataset, self.sampler, self.batch_sampler, self.generator = dataset, sampler, batch_sampler, generator
        self.batch_size, self.drop_last = batch_size, drop_last
        self.num_workers, self.timeout, self.worker_init_fn = num_workers, timeout, worker_init_fn
        self.prefetch_factor = 2 if num_workers and prefetch_factor is None else prefetch_factor
        self.persistent_workers, self.in_order = persistent_workers, in_order
        self.pin_memory, self.pin_memory_device = pin_memory, pin_memory_device
        self.multiprocessing_context = as_context(multiprocessing_context, num_workers)
        self.collate_fn = collate_fn or (default_convert if batch_sampler is None else default_collate)
        self._iterator = None
        self._IterableDataset_len_called = None         # the length that an iterable dataset gave when it was asked
        self._begun = True
        self.check_worker_number_rationality()

    def __setattr__(self, name, value):
        if name in ("batch_size", "batch_sampler", "sampler", "drop_last", "dataset",
                    "persistent_workers") and "_begun" in self.__dict__:
            raise error("MG207", f"{name} attribute should not be set after {type(self).__name__} is initialized")
        object.__setattr__(self, name, value)

    def __iter__(self):
        if not self.num_workers:
            return _SingleProcessDataLoaderIter(self)
        if not self.persistent_workers:
            return _MultiProcessingDataLoaderIter(self)
        if self._iterator is None:
            self._iterator = _MultiProcessingDataLoaderIter(self)
        else:
            self._iterator.begin()
        return self._iterator

    def __len__(self):
        """The number of batches; for an iterable dataset as it says itself."""
        if not isinstance(self.dataset, IterableDataset):
            return len(self._index_sampler)
        n = len(self.dataset)
        if self.batch_size is not None:
            n = n // self.batch_size if self.drop_last else -(-n // self.batch_size)
        self._IterableDataset_len_called = n
        return n

    # What an iterator asks: these are PyTorch's names, since packages give its iterators loaders of their own.

    @property
    def _auto_collation(self):
        return self.batch_sampler is not None

    @property
    def _index_sampler(self):
        return self.batch_sampler if self._auto_collation else self.sampler

    @property
    def _dataset_kind(self):
        return DatasetKind.Iterable if isinstance(self.dataset, IterableDataset) else DatasetKind.Map

    def check_worker_number_rationality(self):
        """Warn if there are more workers than CPUs for them."""
        cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        if cpus and self.num_workers > cpus:
            warn(f"This DataLoader will create {self.num_workers} worker processes in total. Our suggested max number "
                 f"of worker in current system is {cpus}, which is smaller than what this DataLoader is going to "
                 "create. Please be aware that excessive worker creation might get DataLoader running slow or even "
                 "freeze, lower the worker number to avoid potential slowness/freeze if necessary.")


class _Unordered(Sampler):
    """For an iterable dataset, which has no indices."""

    def __iter__(self):
        return repeat(None)


class _BaseDataLoaderIter:
    """One pass through the data."""

    def __init__(self, loader):
        self.loader, self.base_seed = loader, drawn_seed(loader.generator)
        self.begin()

    def begin(self):
        self.orders = iter(self.loader._index_sampler)
        self.given, self.said = 0, self.loader._IterableDataset_len_called

    def __iter__(self):
        return self

    def __len__(self):
        return len(self.loader._index_sampler)

    def __next__(self):
        batch = self.next_batch()
        self.given += 1
        if self.said is not None and self.given == self.said + 1:
            warn(too_many(self.loader, self.given))
        return batch


class _SingleProcessDataLoaderIter(_BaseDataLoaderIter):
    """A pass without workers."""

    def begin(self):
        super().begin()
        self.fetch = fetcher(self.loader.dataset, *fetches(self.loader))

    def next_batch(self):
        return self.fetch(next(self.orders))


class _MultiProcessingDataLoaderIter(_BaseDataLoaderIter):
    """A pass with workers."""

    def __init__(self, loader):
        self.workers = []
        self.tasks, self.batches = {}, {}               # task -> its worker, in order; task -> its batch
        super().__init__(loader)

    def begin(self):
        super().begin()
        if self.workers:
            self._forget()
        else:
            self._start()
        self.turns = cycle(self.workers)
        for _ in range(self.loader.prefetch_factor * len(self.workers)):
            self._send_next()

    def _start(self):
        loader = self.loader
        context = loader.multiprocessing_context or multiprocessing.get_context()
        for i in range(loader.num_workers):
            self.workers.append(Worker(context, i, loader.num_workers, self.base_seed, loader, self.workers))
        self.sent = 0
        self.end = weakref.finalize(self, shut_down, self.workers)

    def _forget(self):
        """Take and drop what is left of the pass before, and tell the workers that another begins."""
        while self.tasks.keys() > self.batches.keys():
            _, (task, batch) = self._received()
            self.batches[task] = batch
        self.tasks.clear()
        self.batches.clear()
        for worker in self.workers:
            worker.active = True
            worker.send(("again", None))

    def _send_next(self):
        """Give the next indices to the next worker that has samples left."""
        for _ in self.workers:
            worker = next(self.turns)
            if worker.active:
                break
        else:
            return
        indices = next(self.orders, self)
        if indices is self:
            return
        self.tasks[self.sent] = worker
        worker.send((self.sent, indices))               # if it has ended, the next wait says so
        self.sent += 1

    def next_batch(self):
        while self.tasks:
            task = next(iter(self.tasks)) if self.loader.in_order else next(iter(self.batches), None)
            if task not in self.batches:
                worker, (task, batch) = self._received()
                self.batches[task] = batch
                continue
            worker, batch = self.tasks.pop(task), self.batches.pop(task)
            if isinstance(batch, Exhausted):
                if worker.active:
                    worker.active = False
                    self._send_next()
                continue
            self._send_next()
            if isinstance(batch, Failure):
                raise batch.again()
            return batch
        if not self.loader.persistent_workers:
            self.end()
        raise StopIteration

    def _received(self):
        """The next message of a worker that is waited for."""
        try:
            message = received(self.workers, self.loader.timeout)
            if message is None:
                raise too_late(self.loader.timeout)
            return message
        except Exception:
            self._stop()
            raise

    def _stop(self):
        """After an error that ends the pass: no worker is left, and the next pass starts others."""
        self.end()
        self.loader._iterator = None
        self.tasks, self.batches = {}, {}


# ------------------------------------------------------------------------------ what is refused

def check_workers(num_workers, timeout, prefetch_factor, persistent_workers):
    if num_workers < 0:
        raise error("MG207", "num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
    if timeout < 0:
        raise error("MG207", "timeout option should be non-negative")
    if num_workers == 0 and prefetch_factor is not None:
        raise error("MG207", "prefetch_factor option could only be specified in multiprocessing.let num_workers > 0 "
                             "to enable multiprocessing, otherwise set prefetch_factor to None.")
    if prefetch_factor is not None and prefetch_factor < 0:
        raise error("MG207", "prefetch_factor option should be non-negative")
    if persistent_workers and num_workers == 0:
        raise error("MG207", "persistent_workers option needs num_workers > 0")


def check_order(iterable, batch_size, shuffle, sampler, batch_sampler, drop_last):
    for name, given in (("shuffle", shuffle or None), ("sampler", sampler), ("batch_sampler", batch_sampler)):
        if iterable and given is not None:
            raise error("MG207", f"DataLoader with IterableDataset: expected unspecified {name} option, but got "
                                 f"{name}={given}")
    if sampler is not None and shuffle:
        raise error("MG207", "sampler option is mutually exclusive with shuffle")
    if batch_sampler is not None and (batch_size != 1 or shuffle or sampler is not None or drop_last):
        raise error("MG207", "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and "
                             "drop_last")
    if batch_sampler is None and batch_size is None and drop_last:
        raise error("MG207", "batch_size=None option disables auto-batching and is mutually exclusive with drop_last")


def as_context(given, num_workers):
    """The way to start processes: fork, spawn, forkserver, or None for that of the system."""
    if given is None:
        return None
    if num_workers == 0:
        raise error("MG207", "multiprocessing_context can only be used with multi-process loading (num_workers > 0), "
                             f"but got num_workers={num_workers}")
    if isinstance(given, str):
        ways = multiprocessing.get_all_start_methods()
        if given not in ways:
            raise error("MG207", f"multiprocessing_context option should specify a valid start method in {ways!r}, "
                                 f"but got multiprocessing_context={given!r}")
        return multiprocessing.get_context(given)
    if not isinstance(given, multiprocessing.context.BaseContext):
        raise error("MG205", "multiprocessing_context option should be a valid context object or a string specifying "
                             f"the start method, but got multiprocessing_context={given}")
    return given


def too_late(timeout):
    return error("MG722", f"DataLoader timed out after {timeout} seconds: no worker has sent a batch. Give it a longer "
                          "timeout, or see with num_workers=0 how long a batch takes")


def too_many(loader, given):
    said = loader._IterableDataset_len_called
    return (f"Length of IterableDataset {loader.dataset} was reported to be {said} (when accessing len(dataloader)), "
            f"but {given} samples have been fetched. With workers, each gives all samples unless the dataset "
            "gives each of them a part: see torch.utils.data.get_worker_info")
