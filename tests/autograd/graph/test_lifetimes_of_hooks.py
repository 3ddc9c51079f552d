"""With the collector off, training with every kind of hook, saved-tensor hooks, writes and views keeps nothing: memory
stays flat."""

import sys
import tracemalloc

import pytest

import minigrad as torch
from minigrad.autograd import graph
from minigrad.memory import release

pytestmark = pytest.mark.usefixtures("no_collector")


class Training:
    """A small network, and a step that uses what can be used."""

    def __init__(self):
        torch.manual_seed(0)
        self.data, self.target = torch.randn(4, 3), torch.randn(4, 2)
        self.w = torch.randn(3, 2, requires_grad=True)
        self.b = torch.zeros(2, requires_grad=True)
        self.seen = 0
        self.b.register_hook(lambda g: g * 1)
        self.w.register_post_accumulate_grad_hook(self.note)
        graph.register_multi_grad_hook((self.w, self.b), self.note)

    def note(self, *anything):
        self.seen += 1

    def loss(self):
        h = self.data @ self.w + self.b
        h.register_hook(lambda g: g * 1)
        h.grad_fn.register_prehook(self.note)
        handle = h.grad_fn.register_hook(self.note)
        h[1:].mul_(2)                           # a write through a view, recorded
        h[0, :1] = self.b[:1]
        h.t().retain_grad()
        out = h.tanh()
        graph.register_multi_grad_hook((h, out), self.note)
        graph.register_multi_grad_hook((h, out), self.note, mode="any")
        handle.remove()
        return ((out - self.target) ** 2).mean()

    def step(self):
        with graph.saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t):
            self.loss().backward()
        with graph.saved_tensors_hooks(lambda t: t, lambda t: t):
            (g,) = torch.autograd.grad(self.loss(), self.w, create_graph=True)
            g.sum().backward()
        with graph.allow_mutation_on_saved_tensors():
            a = self.w * 1
            out = (a ** 2).sum()
            a[1:].mul_(0.5)
            kept = (a ** 2).exp()
            out.backward()
        with graph.save_on_cpu():
            loss = self.loss()
        loss.backward(inputs=[self.w])
        loss.grad_fn.metadata["kept"] = kept
        with torch.no_grad():
            for p in (self.w, self.b):
                p.sub_(p.grad, alpha=0.01)
                p.grad = None
        return loss.item()

    def failing_step(self):
        """What breaks off keeps nothing either."""
        def fail(*anything):
            raise KeyError

        def attempt(block):
            try:
                with block, graph.register_multi_grad_hook((h, self.w), self.note):
                    (h * h).sum().backward(retain_graph=True)
            except KeyError:
                return
            raise AssertionError

        h = self.w * self.w
        for register in (h.register_hook, h.grad_fn.register_prehook, h.grad_fn.register_hook):
            attempt(register(fail))
        attempt(graph.saved_tensors_hooks(fail, fail))
        attempt(graph.saved_tensors_hooks(lambda t: t, fail))
        self.w.grad = None


def growth(step, times, traced=True):
    """How many blocks of memory, and how many bytes, are in use after ``times`` further steps that were not before.

    Every Python object and everything that a node allocates is a block; the bytes, which take time to trace, count
    NumPy's memory too. """
    for _ in range(50):
        step()
    release()                           # the small arrays that are kept for the next steps do not count
    if traced:
        tracemalloc.start()
        step()
    blocks, memory = sys.getallocatedblocks(), tracemalloc.get_traced_memory()[0]
    for _ in range(times):
        step()
    release()
    blocks, memory = sys.getallocatedblocks() - blocks, tracemalloc.get_traced_memory()[0] - memory
    tracemalloc.stop()
    return blocks, memory


def test_a_few_hundred_steps():
    training = Training()
    blocks, memory = growth(training.step, 300)
    assert blocks < 200 and memory < 20_000 and training.seen > 300


def test_steps_that_fail():
    blocks, memory = growth(Training().failing_step, 100)
    assert blocks < 200 and memory < 20_000


@pytest.mark.slow
@pytest.mark.drawn
def test_ten_thousand_steps():
    training = Training()
    first = training.step()
    blocks, _ = growth(training.step, 10_000, traced=False)
    assert blocks < 200
    assert training.step() != first             # the parameters have moved
