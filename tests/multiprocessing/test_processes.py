"""Tensors in several processes: shared memory, what is sent, and what is refused; spawned programs."""

import importlib
import multiprocessing
import os
import pickle
import subprocess
import sys
import zipfile
from multiprocessing.reduction import ForkingPickler

import pytest

import minigrad
from minigrad import multiprocessing as mp, nn
from minigrad.tensors.copy_and_pickle import Announcement, reduce_for_process
from minigrad.utils.data import DataLoader, Dataset
from tests.checking import refuses


def add_two(rank, module):
    with minigrad.no_grad():
        module.weight += 2.


def fail(rank):
    if rank == 1:
        raise KeyError("one")


def end(rank, code):
    os._exit(code) if code >= 0 else os.kill(os.getpid(), -code)


def answer(shared, out, received):
    shared += 1
    out.put((shared, minigrad.ones(2)))
    received.wait()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_write_to_shared_parameters(method):
    module = nn.Linear(1, 1)
    nn.init.zeros_(module.weight)
    assert module.share_memory() is module and module.bias.is_shared()
    mp.start_processes(add_two, (module,), nprocs=2, start_method=method)
    assert module.weight.item() in (2, 4)                   # as in PyTorch, nothing keeps two writers apart


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_what_a_queue_brings_is_shared_if_it_was(method):
    context = mp.get_context(method)
    out, received = context.Queue(), context.Event()
    x = minigrad.arange(6.).reshape(2, 3).clone().share_memory_()
    process = context.Process(target=answer, args=(x[:, 1], out, received))
    process.start()
    column, ones = out.get(timeout=60)
    received.set()
    process.join()
    assert x.tolist() == [[0, 2, 2], [3, 5, 5]] and column.tolist() == [2, 5] and ones.tolist() == [1, 1]
    column.zero_()
    assert x.tolist() == [[0, 0, 2], [3, 0, 5]]
    assert column.is_shared() and not ones.is_shared()


@pytest.mark.parametrize("make", [
    lambda: minigrad.ones(()), lambda: minigrad.empty(0), lambda: minigrad.ones(2, 3).t().clone(),
    lambda: minigrad.ones(2, dtype=minigrad.bfloat16), lambda: minigrad.tensor([True]),
    lambda: nn.Parameter(minigrad.ones(2, 3)), lambda: minigrad.ones(3, requires_grad=True)])
def test_sharing_changes_nothing_else(make):
    x, other = make(), make()
    version = x._version
    assert x.share_memory_() is x and x.is_shared() and x.share_memory_() is x
    assert minigrad.equal(x, other) and x.stride() == other.stride() and x.dtype is other.dtype
    assert x.requires_grad == other.requires_grad and type(x) is type(other) and x._version == version
    assert not x.clone().is_shared() and not pickle.loads(pickle.dumps(x)).is_shared()


def test_a_shared_leaf_learns():
    w = minigrad.ones(2, requires_grad=True).share_memory_()
    (w * w).sum().backward()
    optimizer = minigrad.optim.SGD([w], lr=.5)
    optimizer.step()
    assert w.tolist() == [0, 0] and w.is_shared() and not w.grad.is_shared()


def test_adagrad_shares_its_sums():
    w = minigrad.ones(2, requires_grad=True)
    optimizer = minigrad.optim.Adagrad([w])
    optimizer.share_memory()
    assert optimizer.state[w]["sum"].is_shared()


def test_who_looks_at_the_memory_would_stay_behind():
    x = minigrad.ones(3)
    view = x[1:]
    for each in (x, view):
        with refuses(RuntimeError, "share_memory_(): other tensors or arrays look at", code="MG724"):
            each.share_memory_()
    assert not x.is_shared() and view.tolist() == [1, 1]
    y = minigrad.ones(3, requires_grad=True).exp()              # it is saved for its gradient
    with refuses(RuntimeError, "look at", code="MG724"):
        y.share_memory_()
    assert not y.is_shared()


def test_shared_memory_does_not_grow():
    with refuses(RuntimeError, "Trying to resize storage that is not resizable", code="MG211"):
        minigrad.ones(2).share_memory_().resize_(9)


# ------------------------------------------------------------------------------ histories

def test_a_history_is_not_sent():
    w = minigrad.ones(2, requires_grad=True)
    ours, theirs = multiprocessing.Pipe()
    with refuses(RuntimeError, "Cowardly refusing to serialize non-leaf tensor which requires_grad", code="MG724"):
        ours.send([w * 2])
    ours.send([(w * 2).detach(), w])
    doubled, leaf = theirs.recv()
    assert doubled.tolist() == [2, 2] and not doubled.requires_grad and leaf.requires_grad


class Computed(Dataset):
    def __init__(self, w):
        self.w = w

    def __len__(self):
        return 2

    def __getitem__(self, i):
        return self.w * i


def test_a_worker_sends_no_history():
    w = minigrad.ones(1, requires_grad=True)
    with pytest.raises(RuntimeError, match="a DataLoader with num_workers=0 keeps it"):
        next(iter(DataLoader(Computed(w), batch_size=2, num_workers=1)))
    next(iter(DataLoader(Computed(w), batch_size=2))).sum().backward()
    assert w.grad.tolist() == [1]


class Unsendable(Computed):
    def __getitem__(self, i):
        return lambda: i


def test_what_cannot_be_sent_is_named():
    with pytest.raises(Exception, match="Caught .* in DataLoader worker process 0"):
        next(iter(DataLoader(Unsendable(None), batch_size=None, num_workers=1)))


@pytest.mark.parametrize("import_first", ["", "import multiprocessing; "])
def test_the_pickler_is_told_whichever_is_imported_first(import_first):
    program = (import_first + "import minigrad, sys; found = len(sys.meta_path)\n"
               "from multiprocessing.reduction import ForkingPickler as F\n"
               "x = minigrad.ones(1, requires_grad=True)\n"
               "for y in (x, minigrad.nn.Parameter(x.detach())): F.dumps(y)\n"
               "try: F.dumps(x * 2)\n"
               "except RuntimeError: print('refused', found - len(sys.meta_path))")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["refused", "0" if import_first else "1"]


def test_pickle_goes_on_without_history(torch):
    y = torch.ones(2, requires_grad=True) * 2
    again = pickle.loads(pickle.dumps(y))
    assert again.requires_grad and again.is_leaf and again.tolist() == [2, 2]


@pytest.mark.parametrize("write", [
    lambda torch, x, file: pickle.dumps(x), lambda torch, x, file: torch.save(x, file),
    lambda torch, x, file: ForkingPickler.dumps(x)])
def test_a_hook_that_is_left_out_is_named(torch, write, tmp_path):
    x = torch.ones(2, requires_grad=True)
    handle = x.register_hook(len)
    with pytest.warns(UserWarning, match="backward hook <built-in function len> on tensor will not be serialized"):
        write(torch, x, tmp_path / "file")
    handle.remove()
    marked = torch.utils.hooks.unserializable_hook(lambda g: g)
    x.register_hook(marked)
    write(torch, x, tmp_path / "file")                      # a warning would be an error here


# ------------------------------------------------------------------------------ spawn

def test_a_process_that_raises():
    with pytest.raises(mp.ProcessRaisedException, match="(?s)-- Process 1 terminated with the following error:"
                                                        ".*KeyError: 'one'") as caught:
        mp.spawn(fail, nprocs=2)
    raised = caught.value
    assert raised.error_index == 1 and pickle.loads(pickle.dumps(raised)).error_pid == raised.error_pid


@pytest.mark.parametrize("code, how", [(3, "exit code 3"), (-9, "signal SIGKILL")])
def test_a_process_that_ends(code, how):
    with pytest.raises(mp.ProcessExitedException, match=f"process 0 terminated with {how}") as caught:
        mp.start_processes(end, (code,), start_method="fork")
    assert caught.value.exit_code == code == pickle.loads(pickle.dumps(caught.value)).exit_code


def test_processes_that_are_joined_later():
    module = nn.Linear(1, 1).share_memory()
    context = mp.start_processes(add_two, (module,), nprocs=2, join=False, start_method="fork")
    while not context.join(timeout=60):
        pass
    assert len(context.pids()) == 2 and context.join()
    with pytest.warns(FutureWarning, match="only supports start_method=spawn"):
        mp.spawn(fail, nprocs=0, start_method="fork")


def test_strategies():
    assert mp.get_sharing_strategy() in mp.get_all_sharing_strategies()
    mp.set_sharing_strategy("file_system")
    with pytest.raises(AssertionError, match="invalid sharing strategy"):
        mp.set_sharing_strategy("pigeon")


HOGWILD = """
import torch
import torch.multiprocessing as mp
from torch import nn, optim

def train(rank, model, data):
    torch.manual_seed(rank)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    for x, y in data:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()

if __name__ == "__main__":
    mp.set_start_method("spawn", force=True)
    model = nn.Linear(2, 1, bias=False)
    nn.init.zeros_(model.weight)
    model.share_memory()
    x = torch.tensor([[1., 2.], [-2., 1.]])
    processes = [mp.Process(target=train, args=(rank, model, [(x, x @ torch.ones(2, 1))] * 60)) for rank in range(2)]
    for process in processes: process.start()
    for process in processes: process.join()
    print((model.weight - 1).abs().max().item() < .1)
"""


def test_hogwild(tmp_path):
    (tmp_path / "hogwild.py").write_text(HOGWILD)
    done = subprocess.run([sys.executable, "-m", "minigrad", "run", str(tmp_path / "hogwild.py")],
                          capture_output=True, text=True)
    assert done.stdout.split() == ["True"], done.stderr


def test_python_may_be_in_a_zip_file_whose_modules_have_one_loader(tmp_path, monkeypatch):
    class Zipped(Announcement):
        place, classes = "zipped_reduction", [minigrad.Tensor]

    registered = []
    monkeypatch.setitem(vars(minigrad), "zipped_registered", registered)
    with zipfile.ZipFile(tmp_path / "library.zip", "w") as library:
        library.writestr("zipped_util.py", "")
        library.writestr("zipped_reduction.py",
                         "import minigrad, zipped_util\n"
                         "class ForkingPickler:\n"
                         "    register = lambda *args: minigrad.zipped_registered.append(args)\n")
    monkeypatch.syspath_prepend(tmp_path / "library.zip")
    monkeypatch.setattr(sys, "meta_path", [Zipped(), *sys.meta_path])
    importlib.import_module("zipped_reduction")
    assert registered == [(minigrad.Tensor, reduce_for_process)]
