"""Datasets, samplers, batches and loaders; and processes that fail."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections import OrderedDict, namedtuple
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

import minigrad
from minigrad.utils import data as ours
from minigrad.utils.data import DataLoader, Dataset, IterableDataset, TensorDataset, get_worker_info
from tests.checking import refuses

# The tests have up to three workers, which are many for some machines.
pytestmark = pytest.mark.filterwarnings("ignore:This DataLoader will create:UserWarning")

Point = namedtuple("Point", ["x", "y"])


@pytest.fixture
def data(torch):
    return pytest.importorskip(f"{torch.__name__}.utils.data")


class Numbers(Dataset):
    """0, 1, 2, ..., and something else where one of them is asked for."""

    def __init__(self, n=8, **special):
        self.n, self.special = n, special

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if i == self.special.get("wrong"):
            raise KeyError("a sample")
        if i == self.special.get("killed"):
            os.kill(os.getpid(), signal.SIGKILL)
        if i == self.special.get("slow"):
            time.sleep(30)
        return i


class Part(IterableDataset):
    """Numbers, of which each worker gives its part."""

    def __init__(self, n):
        self.n = n

    def __iter__(self):
        info = get_worker_info()
        return iter(range(self.n) if info is None else range(info.id, self.n, info.num_workers))


class Seeds(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        info = get_worker_info()
        return info.id, info.num_workers, info.seed, minigrad.initial_seed(), minigrad.get_num_threads()


def batches(loader):
    return [batch.tolist() for batch in loader]


# ------------------------------------------------------------------------------ datasets

def test_datasets_of_datasets(torch, data):
    tensors = data.TensorDataset(torch.arange(6).reshape(3, 2), torch.tensor([7., 8., 9.]))
    assert len(tensors) == 3 and [x.tolist() for x in tensors[-1]] == [[4, 5], 9.]
    joined = data.ConcatDataset([[1, 2], [3], [4, 5, 6]])
    assert [joined[i] for i in range(len(joined))] == [1, 2, 3, 4, 5, 6] and joined[-4] == 3
    assert joined.cumulative_sizes == [2, 3, 6]
    part = data.Subset(joined, [5, 0])
    assert len(part) == 2 and part[0] == 6 and part.__getitems__([1, 0]) == [1, 6]
    stacked = data.StackDataset([1, 2], "ab")
    assert stacked[1] == (2, "b") and stacked.__getitems__([1, 0]) == [(2, "b"), (1, "a")]
    assert data.StackDataset(x=[1], y=[2])[0] == {"x": 1, "y": 2}


def test_parts_that_do_not_make_a_dataset(torch, data):
    with refuses(AssertionError, "Size mismatch between tensors", "MG721"):
        data.TensorDataset(torch.ones(2), torch.ones(3))
    with refuses(ValueError, "Size mismatch between datasets", "MG207"):
        data.StackDataset([1], [1, 2])
    with refuses(AssertionError, "datasets should not be an empty iterable", "MG721"):
        data.ConcatDataset([])
    with refuses(ValueError, "absolute value of index should not exceed dataset length", "MG207"):
        data.ConcatDataset([[1]])[-2]
    with refuses(ValueError, "Sum of input lengths does not equal the length of the input dataset!", "MG207"):
        data.random_split([1, 2, 3], [1, 1])
    with refuses(ValueError, "Fraction at index 0 is not between 0 and 1", "MG207"):
        data.random_split(range(4), [1.5, -0.5])
    with refuses(ValueError, "At least one dataset should be passed", "MG207"):
        data.StackDataset()
    with refuses(ValueError, "both types are given", "MG207"):
        data.StackDataset([1], x=[2])
    with refuses(AssertionError, "ConcatDataset does not support IterableDataset", "MG721"):
        data.ConcatDataset([data.ChainDataset([])])
    with refuses(AssertionError, "ChainDataset only supports IterableDataset", "MG721"):
        [*data.ChainDataset([[1, 2]])]


def test_what_a_subclass_has_to_define(data):
    with refuses(NotImplementedError, "Subclasses of Dataset should implement __getitem__", "MG305"):
        data.Dataset()[0]
    # PyTorch leaves it to Python to say so of these two.
    with refuses(NotImplementedError, "Subclasses of IterableDataset should implement __iter__", "MG305"):
        iter(ours.IterableDataset())
    with refuses(NotImplementedError, "Sampler lacks __iter__, which gives the indices", "MG305"):
        iter(ours.Sampler())

    class Half(data.Subset):
        def __getitem__(self, i):
            return -super().__getitem__(i)
    with refuses(NotImplementedError, "__getitem__", "MG305"):
        Half([1, 2], [0])


def test_datasets_are_added(data):
    class Letters(data.Dataset):
        def __getitem__(self, i):
            return "ab"[i]

        def __len__(self):
            return 2

    class Numbers(data.IterableDataset):
        def __iter__(self):
            return iter((1, 2))

        def __len__(self):
            return 2

    joined = Letters() + Letters()
    assert type(joined) is data.ConcatDataset and [joined[i] for i in range(4)] == ["a", "b", "a", "b"]
    chained = Numbers() + Numbers()
    assert type(chained) is data.ChainDataset and [*chained] == [1, 2, 1, 2] and len(chained) == 4
    assert len(data.StackDataset(Letters(), Letters())) == 2


def test_several_samples_at_once(torch, data):
    class AtOnce(data.Dataset):
        def __getitem__(self, i):
            return i if isinstance(i, int) else [-each for each in i]

        def __getitems__(self, indices):
            return indices[1:]

        def __len__(self):
            return 3

    assert data.Subset(AtOnce(), [2, 0, 1])[[0, 2]] == [-2, -1]
    with refuses(ValueError, "Nested dataset's output size mismatch. Expected 2, got 1", "MG207"):
        data.StackDataset(AtOnce(), [1, 2, 3]).__getitems__([0, 1])


def test_a_split_without_samples_is_told(data):
    with pytest.warns(UserWarning, match="Length of split at index 1 is 0. This might result in an empty dataset."):
        assert [len(part) for part in data.random_split(range(2), [0.9, 0.1])] == [2, 0]


def test_a_split_has_every_sample_once(torch, data):
    parts = data.random_split(range(10), [0.35, 0.35, 0.3])
    assert [len(part) for part in parts] == [4, 3, 3]
    assert sorted(i for part in parts for i in part.indices) == list(range(10))


# ------------------------------------------------------------------------------ samplers

def test_orders(torch, data):
    assert [*data.SequentialSampler("abc")] == [0, 1, 2]
    assert sorted(data.RandomSampler(range(5))) == [0, 1, 2, 3, 4]
    assert len([*data.RandomSampler(range(5), num_samples=12)]) == 12
    assert len([*data.RandomSampler(range(5), replacement=True, num_samples=70)]) == 70
    assert sorted(data.SubsetRandomSampler([3, 1])) == [1, 3]
    assert [*data.BatchSampler(range(5), 2, False)] == [[0, 1], [2, 3], [4]]
    assert [*data.BatchSampler(range(5), 2, True)] == [[0, 1], [2, 3]]
    assert len(data.BatchSampler(range(5), 2, True)) == 2 and len(data.BatchSampler(range(5), 2, False)) == 3


def test_what_is_drawn_between_batches_does_not_change_the_order(torch, data):
    def order(draws):
        torch.manual_seed(1)
        found = []
        for batch in data.DataLoader(range(9), batch_size=3, shuffle=True):
            found += batch.tolist()
            torch.rand(draws)
        return found
    assert order(0) == order(5)


def test_sizes_that_are_refused(torch, data):
    with refuses(ValueError, "batch_size should be a positive integer value, but got batch_size=0", "MG207"):
        data.BatchSampler([1], 0, False)
    with refuses(ValueError, "num_samples should be a positive integer value, but got num_samples=0", "MG207"):
        data.RandomSampler([])
    with refuses(ValueError, "weights should be a 1d sequence but given weights have shape (1, 1)", "MG207"):
        data.WeightedRandomSampler([[1.]], 1)
    with refuses(ValueError, "num_samples should be a positive integer value, but got num_samples=True", "MG207"):
        data.WeightedRandomSampler([1.], True)
    with refuses(ValueError, "replacement should be a boolean value, but got replacement=1", "MG207"):
        data.WeightedRandomSampler([1.], 1, 1)
    with refuses(TypeError, "replacement should be a boolean value, but got replacement=1", "MG205"):
        data.RandomSampler([1.], replacement=1)
    with refuses(ValueError, "drop_last should be a boolean value, but got drop_last=1", "MG207"):
        data.BatchSampler([1], 2, 1)


# ------------------------------------------------------------------------------ batches

@pytest.mark.parametrize("samples", [
    [1, 2], [1.5, 2.5], ["a", "b"], [b"a"], [(1, "a"), (2, "b")], [[1, 2.], [3, 4.]], [Point(1, 2.), Point(3, 4.)],
    [{"a": 1, "b": [2, 3]}, {"a": 4, "b": [5, 6]}], [OrderedDict(a=1), OrderedDict(a=2)],
    [np.float32(1), np.float32(2)], [np.ones(2), np.zeros(2)], [True, False], [np.array(1), np.array(2)],
], ids=str)
@pytest.mark.parity
def test_batches_are_pytorchs(samples):
    theirs = pytest.importorskip("torch.utils.data")
    assert repr(ours.default_collate(samples)) == repr(theirs.default_collate(samples))
    assert repr(ours.default_convert(samples)) == repr(theirs.default_convert(samples))


def test_tensors_are_stacked(torch, data):
    assert data.default_collate([torch.ones(2), torch.zeros(2)]).tolist() == [[1, 1], [0, 0]]
    with refuses(TypeError, "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists",
                 "MG205"):
        data.default_collate([object()])
    with refuses(RuntimeError, "each element in list of batch should be of equal size", "MG204"):
        data.default_collate([[1], [1, 2]])
    with refuses(TypeError, "default_collate: batch must contain tensors, numpy arrays", "MG205"):
        data.default_collate([np.array(["a"])])
    assert data.default_collate([np.ones(2), np.zeros(2)]).tolist() == [[1, 1], [0, 0]]
    assert data.default_collate([np.float32(1), np.float32(2)]).dtype == torch.float32


class Frozen(Mapping):
    """A mapping that cannot be written to, made of a dictionary."""

    def __init__(self, items):
        self.items_ = items

    def __getitem__(self, key):
        return self.items_[key]

    def __iter__(self):
        return iter(self.items_)

    def __len__(self):
        return len(self.items_)


class Bound(Frozen):
    """Another, which wants more than a dictionary."""

    def __init__(self, items, more):
        super().__init__(items)


def test_containers_of_other_classes(torch, data):
    batch = data.default_collate([Frozen({"a": 1}), Frozen({"a": 2})])
    assert type(batch) is Frozen and batch["a"].tolist() == [1, 2]
    batch = data.default_collate([Bound({"a": 1}, 0), Bound({"a": 2}, 0)])
    assert type(batch) is dict and batch["a"].tolist() == [1, 2]
    assert [x.tolist() for x in data.default_collate([range(2), range(2)])] == [[0, 0], [1, 1]]


def test_a_function_for_a_class_of_samples(torch, data):
    from_ = pytest.importorskip(f"{data.__name__}._utils.collate") if torch is not minigrad else ours.collating
    class Count(int):
        pass
    functions = {str: lambda batch, *, collate_fn_map=None: "".join(batch),
                 int: lambda batch, *, collate_fn_map=None: sum(batch)}
    assert from_.collate([("a", Count(1)), ("b", Count(2))], collate_fn_map=functions) == ["ab", 3]


# ------------------------------------------------------------------------------ loaders

@pytest.mark.parametrize("options", [
    {"num_workers": -1}, {"timeout": -1}, {"prefetch_factor": 2}, {"persistent_workers": True},
    {"sampler": [0], "shuffle": True}, {"batch_sampler": [[0]], "batch_size": 2},
    {"batch_size": None, "drop_last": True}, {"multiprocessing_context": "spawn"}, {"batch_size": 0},
    {"num_workers": 1, "multiprocessing_context": "thread"},
], ids=str)
@pytest.mark.parity
def test_options_that_do_not_go_together(options):
    theirs = pytest.importorskip("torch.utils.data")
    with pytest.raises(ValueError) as expected:
        theirs.DataLoader([1], **options)
    with refuses(ValueError, str(expected.value), "MG207"):
        DataLoader([1], **options)


def test_a_loader_without_workers(torch, data):
    assert batches(data.DataLoader(range(5), batch_size=2)) == [[0, 1], [2, 3], [4]]
    assert batches(data.DataLoader(range(5), batch_size=2, drop_last=True)) == [[0, 1], [2, 3]]
    assert [*data.DataLoader(range(3), batch_size=None)] == [0, 1, 2]
    assert batches(data.DataLoader(range(5), batch_sampler=[[4], [0, 1]])) == [[4], [0, 1]]
    assert [*data.DataLoader(range(4), batch_size=2, collate_fn=sum)] == [1, 5]
    assert len(data.DataLoader(range(5), batch_size=2)) == 3
    with refuses(ValueError, "batch_size attribute should not be set after DataLoader is initialized", "MG207"):
        data.DataLoader(range(5)).batch_size = 3
    one = iter(data.DataLoader(range(5), batch_size=2))
    assert len(one) == 3 and iter(one) is one


@pytest.mark.parametrize("phrase, options", [
    ("num_workers option should be non-negative", {"num_workers": -1}),
    ("timeout option should be non-negative", {"timeout": -1}),
    ("prefetch_factor option could only be specified in multiprocessing", {"prefetch_factor": 2}),
    ("prefetch_factor option should be non-negative", {"num_workers": 1, "prefetch_factor": -1}),
    ("persistent_workers option needs num_workers > 0", {"persistent_workers": True}),
    ("sampler option is mutually exclusive with shuffle", {"sampler": [0], "shuffle": True}),
    ("batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last",
     {"batch_sampler": [[0]], "batch_size": 2}),
    ("batch_size=None option disables auto-batching and is mutually exclusive with drop_last",
     {"batch_size": None, "drop_last": True}),
    ("multiprocessing_context can only be used with multi-process loading", {"multiprocessing_context": "spawn"}),
    ("multiprocessing_context option should specify a valid start method in",
     {"num_workers": 1, "multiprocessing_context": "thread"}),
], ids=str)
def test_options_that_do_not_go_together_are_refused(data, phrase, options):
    with refuses(ValueError, phrase, "MG207"):
        data.DataLoader([1], **options)


def test_a_context_is_a_name_or_a_context(data):
    with refuses(TypeError, "multiprocessing_context option should be a valid context object or a string specifying "
                            "the start method", "MG205"):
        data.DataLoader([1], num_workers=1, multiprocessing_context=3)
    given = multiprocessing.get_context("spawn")
    assert data.DataLoader([1], num_workers=1, multiprocessing_context=given).multiprocessing_context is given


def test_more_samples_than_a_dataset_says_are_told(data):
    class Count(data.IterableDataset):
        def __iter__(self):
            return iter(range(3))

        def __len__(self):
            return 1

    loader = data.DataLoader(Count(), batch_size=None)
    assert len(loader) == 1
    with pytest.warns(UserWarning, match=r"was reported to be 1 ?\(when accessing len\(dataloader\)\), but 2 samples"):
        assert [*loader] == [0, 1, 2]


@pytest.mark.parametrize("make", [
    lambda data: data.WeightedRandomSampler([1., 2., 3., 4.], 6), lambda data: data.RandomSampler(range(9)),
    lambda data: data.RandomSampler(range(9), replacement=True, num_samples=40),
    lambda data: data.SubsetRandomSampler(range(9)),
    lambda data: data.BatchSampler(data.WeightedRandomSampler([1., 2., 3., 4.], 6), 2, False)])
def test_a_sampler_draws_at_the_first_next(data, torch, make):
    sampler = make(data)
    begun = iter(sampler)
    torch.manual_seed(3)
    first = [*begun]
    torch.manual_seed(3)
    assert first == [*sampler]


@pytest.mark.parametrize("context", ["fork", "spawn"])
def test_workers_give_batches_in_order(context):
    loader = DataLoader(range(9), batch_size=2, num_workers=2, multiprocessing_context=context)
    assert batches(loader) == [[0, 1], [2, 3], [4, 5], [6, 7], [8]]


def test_workers_may_be_kept():
    loader = DataLoader(Numbers(5), num_workers=2, persistent_workers=True, batch_size=2)
    workers = []
    for _ in range(3):
        one = iter(loader)
        next(one)                                                   # left in the middle
        assert batches(loader) == [[0, 1], [2, 3], [4]]
        workers.append([worker.process.pid for worker in loader._iterator.workers])
    assert workers[0] == workers[1] == workers[2]


def test_a_worker_knows_itself():
    rows = sorted(zip(*[column.tolist() for column in next(iter(DataLoader(Seeds(), 2, num_workers=2)))]))
    (number, count, seed, drawn_from, threads), _ = rows
    assert (number, count, threads) == (0, 2, 1) and seed == drawn_from
    assert get_worker_info() is None


def test_iterable_datasets(torch, data):
    class Count(data.IterableDataset):
        def __iter__(self):
            return iter(range(5))

        def __len__(self):
            return 5

    assert batches(data.DataLoader(Count(), batch_size=2)) == [[0, 1], [2, 3], [4]]
    assert batches(data.DataLoader(Count(), batch_size=2, drop_last=True)) == [[0, 1], [2, 3]]
    assert len(data.DataLoader(Count(), batch_size=2)) == 3
    assert batches(data.DataLoader(data.ChainDataset([Count(), Count()]), batch_size=10)) == [[0, 1, 2, 3, 4] * 2]
    with refuses(ValueError, "DataLoader with IterableDataset: expected unspecified shuffle option", "MG207"):
        data.DataLoader(Count(), shuffle=True)


def test_workers_share_an_iterable_dataset():
    assert batches(DataLoader(Part(7), batch_size=2, num_workers=2)) == [[0, 2], [1, 3], [4, 6], [5]]
    assert sorted(DataLoader(Part(7), batch_size=None, num_workers=3, in_order=False)) == list(range(7))


def test_gradients_are_not_carried_by_a_batch():
    x = minigrad.ones(4, 2)
    (batch,), = DataLoader(TensorDataset(x), batch_size=4, num_workers=1)
    assert batch.tolist() == x.tolist()


# ------------------------------------------------------------------------------ workers that fail

def test_an_exception_of_a_worker_is_raised_here():
    batches_of = iter(DataLoader(Numbers(wrong=1), num_workers=1))
    assert next(batches_of).item() == 0
    with pytest.raises(KeyError) as caught:
        next(batches_of)
    assert "Caught KeyError in DataLoader worker process 0.\nOriginal Traceback" in str(caught.value)
    assert 'raise KeyError("a sample")' in str(caught.value)
    assert next(batches_of).item() == 2                             # the worker goes on


class TwoArguments(Exception):
    def __init__(self, one, two):
        super().__init__(one, two)


def fail(number):
    raise TwoArguments(number, "at the beginning")


def test_a_worker_that_cannot_begin_and_an_exception_that_cannot_be_made_again():
    with refuses(RuntimeError, "Caught TwoArguments in DataLoader worker process 0.\nOriginal Traceback"):
        next(iter(DataLoader(Numbers(), num_workers=1, worker_init_fn=fail)))


def test_a_worker_begins_with_a_function_of_its_number():
    begun = multiprocessing.get_context("fork").Queue()
    assert len(list(DataLoader(range(2), num_workers=2, worker_init_fn=begun.put,
                               multiprocessing_context="fork"))) == 2
    assert sorted([begun.get(timeout=20), begun.get(timeout=20)]) == [0, 1]


def test_a_killed_worker_is_noticed():
    loader = DataLoader(Numbers(killed=2), num_workers=2)
    began = time.monotonic()
    with refuses(RuntimeError, "is killed by signal: Killed", "MG722"):
        list(loader)
    assert time.monotonic() - began < 20


def test_a_late_worker_is_noticed():
    with refuses(RuntimeError, "DataLoader timed out after 0.3 seconds", "MG722"):
        next(iter(DataLoader(Numbers(slow=0), num_workers=1, timeout=0.3)))


def test_large_batches_and_long_orders_do_not_block():
    loader = DataLoader(Numbers(200_000), batch_size=100_000, num_workers=1)
    assert [len(batch) for batch in loader] == [100_000, 100_000]


PROGRAM = """
import minigrad
from minigrad.utils.data import DataLoader
loader = DataLoader(list(range(1000)), num_workers=2, persistent_workers={})
batches = iter(loader)
next(batches)
print(*[worker.process.pid for worker in batches.workers], flush=True)
{}
"""


@pytest.mark.parametrize("end", ["", "import os; os._exit(0)", "raise SystemExit(0)"])
def test_no_worker_outlives_its_program(end):
    done = subprocess.run([sys.executable, "-c", PROGRAM.format("True", end)], capture_output=True, text=True,
                          timeout=60, check=True)
    assert not done.stderr
    deadline = time.monotonic() + 10
    left = done.stdout.split()
    while left and time.monotonic() < deadline:
        left = [pid for pid in left if (stat := Path(f"/proc/{pid}/stat")).exists() and " Z " not in stat.read_text()]
        time.sleep(0.05)
    assert len(done.stdout.split()) == 2 and not left


def test_a_loader_of_a_package_may_use_the_iterators():
    """fastai gives them an object with PyTorch's private attributes."""
    from minigrad.utils.data.loader import (_DatasetKind, _MultiProcessingDataLoaderIter,
                                            _SingleProcessDataLoaderIter)

    class Fake:
        _IterableDataset_len_called, _auto_collation, drop_last, in_order = None, False, False, True
        generator, prefetch_factor, persistent_workers, timeout, worker_init_fn = None, 2, False, 0, None
        multiprocessing_context = None
        _dataset_kind = _DatasetKind.Iterable

        def __init__(self, num_workers):
            self.dataset, self.num_workers, self.collate_fn = self, num_workers, tuple
            self._index_sampler = range(10 ** 9)

        def __iter__(self):
            return iter([[1, 2], [3]])

    assert [*_SingleProcessDataLoaderIter(Fake(0))] == [(1, 2), (3,)]
    assert [*_MultiProcessingDataLoaderIter(Fake(1))] == [(1, 2), (3,)]
