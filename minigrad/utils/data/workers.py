"""Worker processes that fetch batches ahead of time.

Each worker has one pipe.  The parent sends it (number, indices), and gets (number, batch) back:

    parent   -- (0, [3, 1]) -->  worker 0  -- (0, batch) -->   parent
             -- (1, [2, 0]) -->  worker 1  -- (1, batch) -->

A worker's thread reads the pipe while its main thread fetches, so that the parent never waits when it sends.  Nothing
is shared by two workers: one that is killed leaves no lock behind, and the parent, which waits for the pipes and for
the ends of the processes at once, notices.  A worker notices in the same way that the parent has ended.
"""

import random
from dataclasses import dataclass
from multiprocessing import connection, parent_process
from os import _exit as exit_at_once
from queue import SimpleQueue
from signal import strsignal
from threading import Thread
from traceback import format_exc
from typing import Any

import numpy as np

from minigrad._core.errors import error
from minigrad._core.runtime.thread_pool import set_num_threads
from minigrad.random import manual_seed
from minigrad.utils.data.fetching import Exhausted, fetcher, fetches

__all__ = ["Failure", "Worker", "WorkerInfo", "get_worker_info"]

_info = None

#: seconds that a worker has to end after it was told to
PATIENCE = 5


@dataclass(frozen=True)
class WorkerInfo:
    """What a worker knows of itself: its ``id``, ``num_workers``, its ``seed`` and its copy of the ``dataset``."""

    id: int
    num_workers: int
    seed: int
    dataset: Any


def get_worker_info():
    """In a worker process of a loader what it knows of itself; elsewhere None.

    >>> print(torch.utils.data.get_worker_info())
    None
    """
    return _info


# ------------------------------------------------------------------------------ in the parent

class Worker:
    """A worker process, as the parent sees it."""

    def __init__(self, context, number, count, base_seed, loader, earlier):
        self.number, self.active = number, True
        self.pipe, theirs = context.Pipe()
        inherited = []
        if context.get_start_method() == "fork":        # a fork has all open files of the parent
            inherited = [*[worker.pipe for worker in earlier], self.pipe]
        self.process = context.Process(target=work, daemon=True, args=(
            theirs, inherited, number, count, base_seed, loader.dataset, fetches(loader), loader.worker_init_fn))
        self.process.start()
        theirs.close()

    def send(self, message):
        """Give the worker something to do; False if it has ended."""
        try:
            self.pipe.send(message)
        except (BrokenPipeError, ConnectionResetError):
            return False
        return True


def received(workers, timeout):
    """The next (worker, message) of any of the workers; None after ``timeout`` seconds, or never if that is 0."""
    places = {worker.pipe: worker for worker in workers}
    ends = {worker.process.sentinel: worker for worker in workers}
    ready = connection.wait([*places, *ends], timeout or None)
    for place in ready:
        if place in places:
            try:
                return places[place], place.recv()
            except (EOFError, ConnectionResetError):
                raise has_ended(places[place]) from None
    for place in ready:
        raise has_ended(ends[place])
    return None


def shut_down(workers):
    """Tell the workers to end, and end those that do not."""
    for worker in workers:
        if worker.process.is_alive():
            worker.send(None)
        worker.pipe.close()
    for worker in workers:
        worker.process.join(PATIENCE)
        if worker.process.is_alive():
            worker.process.terminate()
            worker.process.join(PATIENCE)


class Failure:
    """An exception of a worker on its way to the parent: its class and its traceback as text."""

    def __init__(self, exception, number):
        self.kind, self.number, self.text = type(exception), number, format_exc()

    def again(self):
        """An exception of the same class, with the traceback of the first as its message."""
        said = f"Caught {self.kind.__name__} in DataLoader worker process {self.number}.\nOriginal {self.text}"
        if self.kind is KeyError:
            said = Quoted(said)                         # KeyError shows the repr of its message
        try:
            return self.kind(said)
        except Exception:                               # a class that wants other arguments
            return RuntimeError(said)


class Quoted(str):
    """A text that is its own repr."""

    __repr__ = str.__str__


def has_ended(worker):
    """The error for a worker that has ended without being told to."""
    worker.process.join(PATIENCE)
    code, pid = worker.process.exitcode, worker.process.pid
    if code is not None and code < 0:
        how = f"(pid {pid}) is killed by signal: {strsignal(-code)}"
    else:
        how = f"(pid(s) {pid}) exited unexpectedly, with code {code}"
    return error("MG722", f"DataLoader worker {how}. Something outside ended it, as where memory was short, or it "
                          "crashed. num_workers=0 fetches in this process, where an error has a traceback")


# ------------------------------------------------------------------------------ in the worker

def work(pipe, inherited, number, count, base_seed, dataset, options, init):
    """What a worker process does until it is told to end."""
    global _info
    for each in inherited:
        each.close()
    tasks = SimpleQueue()
    Thread(target=read, args=(pipe, tasks), daemon=True).start()
    seed = base_seed + number
    set_num_threads(1)
    random.seed(seed)
    manual_seed(seed)
    np.random.seed(_generate_state(base_seed, number))
    _info = WorkerInfo(number, count, seed, dataset)
    try:
        fetch = failed = None
        try:
            if init is not None:
                init(number)
            fetch = fetcher(dataset, *options)
        except Exception as exception:
            failed = Failure(exception, number)
        while (task := tasks.get()) is not None:
            name, indices = task
            if name == "again":                         # another pass of a loader that keeps its workers
                fetch = fetcher(dataset, *options)
                continue
            give(pipe, name, failed or attempt(fetch, indices, number), number)
    except (KeyboardInterrupt, BrokenPipeError):
        pass                                            # the parent says what has happened


def _generate_state(base_seed, worker_id):
    """The seed of NumPy's own numbers in a worker: four numbers, as PyTorch has them, and packages of their own.

    >>> from minigrad.utils.data.workers import _generate_state
    >>> _generate_state(0, 1)
    [1835504127, 1731038949, 1320224556, 2330041505]
    """
    entropy = [worker_id, base_seed & 0xffffffff, base_seed >> 32, 0]
    return np.random.SeedSequence(entropy).generate_state(4).tolist()


def give(pipe, name, batch, number):
    """Send a batch; or why it cannot be sent, as where it has a history."""
    try:
        pipe.send((name, batch))
    except BrokenPipeError:
        raise
    except Exception as exception:
        pipe.send((name, Failure(exception, number)))


def attempt(fetch, indices, number):
    """The batch; or what tells the parent that there is none."""
    try:
        return fetch(indices)
    except StopIteration as exception:
        return Exhausted() if fetch.iterates else Failure(exception, number)
    except Exception as exception:
        return Failure(exception, number)


def read(pipe, tasks):
    """Pass on what the parent sends; once it has ended, end the process at once."""
    parent = parent_process().sentinel
    while True:
        try:
            if parent in connection.wait([pipe, parent]):
                exit_at_once(1)
            task = pipe.recv()
        except (EOFError, OSError):
            task = None
        tasks.put(task)
        if task is None:
            return
