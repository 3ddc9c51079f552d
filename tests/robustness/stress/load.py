"""Threads over shared leaves and graphs, forks at any moment, interrupts, and ends of the process."""

import gc
import os
import queue
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter

import minigrad as torch

forward_ad = torch.autograd.forward_ad
THREADS = 6
LATEST = 2.0                    # seconds from a signal to its KeyboardInterrupt, on a machine with other work
PATIENCE = 60                   # seconds until a thread that does not end is said to wait for ever


def leaf(n=3):
    return torch.ones(n, dtype=torch.float64, requires_grad=True)


class Square(torch.autograd.Function):
    """In Python, where threads change places."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, d):
        (x,) = ctx.saved_tensors
        return 2 * x * d


class Shared:
    """What the threads share, and how often each added a one to the gradient of the leaf."""

    def __init__(self):
        self.x, self.w = leaf(), leaf()
        self.loss = (Square.apply(self.w) * self.w).sum()
        self.once = self.x.sum()
        self.contested = [(self.w * self.w).sum()]
        self.left = queue.SimpleQueue()         # graphs that another thread frees
        self.added, self.lock = Counter(), threading.Lock()

    def add(self, count=1):
        with self.lock:
            self.added["ones"] += count


def reverse(s):
    s.x.sum().backward()
    s.add()


def retained(s):
    s.once.backward(retain_graph=True)
    s.add()


def gradient_of_a_gradient(s):
    (g,) = torch.autograd.grad(s.loss, s.w, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), s.w, retain_graph=True)     # it goes through s.loss, too
    assert g.tolist() == [3.] * 3 and h.tolist() == [6.] * 3, (g, h)


def forward_mode(s):
    tangent = float(random.randrange(1, 9))
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(s.w, torch.full_like(s.w, tangent))
        found = forward_ad.unpack_dual(dual * dual * dual).tangent
    assert found.tolist() == [3 * tangent] * 3, (found, tangent)


def grad_modes(s):
    mode, records = random.choice([(torch.no_grad, False), (torch.enable_grad, True), (torch.inference_mode, False)])
    with mode():
        y = s.w * 2
        assert y.requires_grad == records == torch.is_grad_enabled(), f"in grad_modes, {mode.__name__}"
    assert torch.is_grad_enabled() and not torch.is_inference_mode_enabled()


def hooks(s):
    """They come and go at the shared leaf while others run over it, and change nothing."""
    handles = [s.x.register_hook(lambda g: None), s.once.grad_fn.register_hook(lambda *g: None),
               s.x.register_post_accumulate_grad_hook(lambda t: None)]
    retained(s)
    random.shuffle(handles)
    for handle in handles:
        handle.remove()


def freed_elsewhere(s):
    y = s.w
    for _ in range(random.randrange(300)):
        y = y * s.w
    s.left.put(y)
    del y
    try:
        s.left.get_nowait()
    except queue.Empty:
        pass


def contested(s):
    """A graph that is not retained: each node is differentiated by one thread, and the others are told."""
    (y,) = s.contested
    if random.random() < 0.3:
        z = leaf()
        s.contested[:] = [(z * s.w * z).sum()]
    try:
        torch.autograd.grad(y, s.w, allow_unused=True)
    except RuntimeError as refusal:
        assert "a second time" in str(refusal), refusal


def collected(s):
    y = s.w * 2
    y.itself = y
    if random.random() < 0.05:
        gc.collect()


DEEDS = (reverse, retained, gradient_of_a_gradient, forward_mode, grad_modes, hooks, freed_elsewhere, contested,
         collected)


class Crowd:
    """Threads that do deeds until the end; what they raise is raised there."""

    def __init__(self):
        self.shared, self.ended, self.errors, self.done = Shared(), False, [], Counter()
        self.threads = [threading.Thread(target=self.work, daemon=True) for _ in range(THREADS)]

    def __enter__(self):
        sys.setswitchinterval(1e-5)
        for thread in self.threads:
            thread.start()
        return self

    def work(self):
        try:
            while not self.ended:
                deed = random.choice(DEEDS)
                deed(self.shared)
                self.done[deed.__name__] += 1
        except BaseException as error:
            self.errors.append(error)

    def __exit__(self, *raised):
        self.ended = True
        for thread in self.threads:
            thread.join(PATIENCE)
            assert not thread.is_alive(), "a thread waits for ever"
        if self.errors:
            raise self.errors[0]
        found, ones = self.shared.x.grad.tolist(), self.shared.added["ones"]
        assert found == [ones] * 3, f"{ones} gradients were added up to {found}"


def threads(seconds):
    with Crowd() as crowd:
        time.sleep(seconds)
        late = time.monotonic() + PATIENCE                  # other work on the machine may leave no time for a deed
        while len(crowd.done) < len(DEEDS) and time.monotonic() < late and not crowd.errors:
            time.sleep(0.1)
    assert {*crowd.done} == {deed.__name__ for deed in DEEDS}
    return f"{sum(crowd.done.values()):,} deeds of {THREADS} threads"


def forks(seconds):
    """A child begins while other threads are anywhere, differentiates, starts threads of its own and ends."""
    children, end = 0, time.monotonic() + seconds
    with Crowd() as crowd:
        while (time.monotonic() < end or not children) and not crowd.errors:
            time.sleep(random.random() * 0.01)
            process = os.fork()
            if not process:
                signal.alarm(20)                # who waits for a lock of a thread that is gone is ended
                os._exit(differentiated(crowd.shared))
            status = os.waitpid(process, 0)[1]
            assert status == 0, f"child {children} ended with {os.waitstatus_to_exitcode(status)}"
            children += 1
    return f"{children:,} forks"


def differentiated(shared):
    """0 if a forked child differentiates as it should, in two threads."""
    def work():
        x = leaf(200_000)
        (x * x).exp().sum().backward()
        (shared.x * 2).sum().backward()         # its .grad may have been in the making
        found.append(x.grad[0].item())

    found = []
    work()
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return 0 if len(found) == 2 and found[0] == found[1] and 5.4 < found[0] < 5.5 else 1


class Interrupted:
    """What a signal falls into, and the state that it must leave behind."""

    def __init__(self):
        from tests.robustness.out_of_memory import afterwards

        self.switches, self.gradients = afterwards.switches, afterwards.gradients
        self.large = torch.rand(1000, 1000)
        y = self.x = leaf(1)
        for _ in range(300_000):
            y = y + 1
        self.chain = y.sum()
        self.works = [self.deep_pass, self.kernels, self.products, self.sorting, self.recorded, self.passes]

    def deep_pass(self):
        self.chain.backward(retain_graph=True)

    def kernels(self):
        self.large.exp().sin().pow(0.3).softmax(-1)

    def products(self):
        self.large @ self.large

    def sorting(self):
        self.large.view(-1).sort()

    def recorded(self):
        y = leaf()
        for _ in range(1000):
            y = y * y
        del y

    def passes(self):
        x = self.large.clone().requires_grad_()
        x.tanh().cumsum(0).sum().backward()


def interrupts(seconds):
    """SIGINT at any moment: a KeyboardInterrupt soon, and after it all is as it was."""
    given = Interrupted()
    switched, expected = given.switches(), given.gradients()
    end, count, latest = time.monotonic() + seconds, 0, 0.0
    sent = []
    while time.monotonic() < end or not count:
        work = random.choice(given.works)

        def send():
            sent[:] = [time.monotonic()]
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(random.random() * 0.05, send)
        try:
            timer.start()
            while not sent or time.monotonic() < sent[0] + 2 * LATEST:
                work()
            raise AssertionError(f"no KeyboardInterrupt came in {work.__name__}")
        except KeyboardInterrupt:
            late = time.monotonic() - sent[0]
        timer.join()
        sent.clear()
        assert late < LATEST, f"in {work.__name__} it came after {late:.1f} s"
        latest, count = max(late, latest), count + 1
        assert given.switches() == switched, f"{work.__name__} left {given.switches()}"
        assert given.gradients() == expected, f"gradients after {work.__name__}"
        given.x.grad = None
    given.deep_pass()
    assert given.x.grad.tolist() == [1.]
    return f"{count:,} interrupts, the latest after {1000 * latest:.0f} ms"


BEGINNING = """
import atexit, sys, threading, time
import minigrad as torch
sys.setswitchinterval(1e-5)
torch.set_num_threads(3)
x = torch.ones(1000, requires_grad=True)
y = x
for _ in range(20_000):
    y = y * 1
loss = y.sum()

def work():
    while True:
        loss.backward(retain_graph=True)

def large():
    while True:
        torch.rand(1_000_000).requires_grad_().exp().sum().backward()

"""
ENDS = {
    "a graph is alive": "",
    "a graph knows itself": "y.itself = loss; x.register_hook(lambda g: g + x)\n",
    "daemons differentiate": "for f in 2 * [work, large]: threading.Thread(target=f, daemon=True).start()\n"
                             "time.sleep(0.02)\n",
    "a pass at exit": "atexit.register(loss.backward)\n",
    "an object at the end": "class Last:\n    def __del__(self): x.sum().backward()\nlast = Last()\n",
    "modes are open": "torch.no_grad().__enter__(); torch.autograd.forward_ad.enter_dual_level()\n",
    "exit within a pass": "def leave(g): sys.exit(0)\nx.register_hook(leave); loss.backward()\n",
    "exit in a generator": "def steps():\n    with torch.no_grad(): yield 1\nkept = steps(); next(kept)\n",
}


def exits(seconds):
    """A process ends with status 0 whatever is alive or at work then."""
    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end or count < len(ENDS):
        name = [*ENDS][count % len(ENDS)]
        ended = subprocess.run([sys.executable, "-W", "ignore", "-c", BEGINNING + ENDS[name]], capture_output=True,
                               text=True, timeout=120)
        assert ended.returncode == 0, f"{name}: it ended with {ended.returncode}: {ended.stderr[-800:]}"
        count += 1
    return f"{count:,} ends"


RUNS = threads, forks, interrupts, exits
