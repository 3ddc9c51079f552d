"""Backward passes inside backward passes: as deep as they go, they end right, or with an error."""

import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest

from tests.autograd.programs import Alarm, failing, leaf
from tests.checking import refuses


def nest(torch, depth, innermost):
    """A pass in a pass ... ``depth`` times; in the last one ``innermost()`` runs.  The gradient is doubled by each."""
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, d):
            if depth == 1:
                innermost()
                return d * 2
            with torch.enable_grad():
                return nest(torch, depth - 1, innermost) * d

    x = torch.ones(1, dtype=torch.float64, requires_grad=True)
    Double.apply(x).sum().backward()
    return x.grad


@pytest.mark.parametrize("depth", [1, 39, 40, 41, 42, 81, 1000])
def test_passes_nest(torch, depth):
    before = threading.active_count()
    assert nest(torch, depth, lambda: None).tolist() == [2.]
    assert threading.active_count() == before or torch.__name__ == "torch"


@pytest.mark.parametrize("depth", [3, 60])
def test_hooks_nest(torch, depth):
    def run(depth):
        x = torch.ones(2, requires_grad=True)
        y = x * 3
        if depth > 1:
            y.register_hook(torch.enable_grad()(lambda g: g + run(depth - 1)))
        y.sum().backward()
        return x.grad

    def expected(depth):
        return 3. if depth == 1 else 3 * (1 + expected(depth - 1))

    assert run(depth).tolist() == pytest.approx([expected(depth)] * 2)


@pytest.mark.parametrize("depth", [5, 100])
def test_an_error_comes_out_of_the_innermost_pass(torch, depth):
    def fail():
        raise KeyError("boom")

    with pytest.raises(KeyError, match="boom"):
        nest(torch, depth, fail)
    assert torch.is_grad_enabled()
    assert nest(torch, 3, lambda: None).tolist() == [2.]


def test_the_modes_of_the_thread_go_along():
    import minigrad as torch
    from minigrad._core.graph import listener
    from minigrad._core.runtime import thread_state

    seen, other = [], []

    def look():
        other.append(threading.get_ident() != threading.main_thread().ident)
        seen.append((torch.is_grad_enabled(), torch.is_anomaly_enabled(), thread_state.saved_hooks_depth(),
                     np.geterr()["divide"], listener.listening() is not None))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with torch.autograd.detect_anomaly(), np.errstate(divide="raise"), torch.autograd.profiler.profile() as profile:
            with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
                for depth in (2, 100):
                    nest(torch, depth, look)
    assert other == [False, True] and seen[0] == seen[1] == (False, True, 1, "raise", True)
    assert len([e for e in profile.function_events if e.name == "DoubleBackward"]) == 102
    look()
    assert seen[-1] == (True, False, 0, "warn", False)


def test_a_deep_pass_adds_to_the_same_leaves():
    """The pass around it may hold the lock of .grad: it is the same thread, as far as that goes."""
    import minigrad as torch

    x = torch.zeros(3, requires_grad=True)
    nest(torch, 90, lambda: torch.autograd.backward([x], [torch.ones(3)]))
    assert x.grad.tolist() == [1.] * 3


def test_passes_without_end():
    import minigrad as torch

    class Endless(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, d):
            with torch.enable_grad():
                Endless.apply(torch.ones(1, requires_grad=True)).backward()

    x = torch.ones(1, requires_grad=True)
    y = Endless.apply(x)
    # In a web page there are no threads to go on in.
    limit = "can't start new thread" if sys.platform == "emscripten" else "maximum recursion depth exceeded"
    for _ in range(2):
        with refuses(RecursionError, limit, "MG129"):
            y.backward()
        assert torch.is_grad_enabled() and threading.active_count() == 1
    (x * 2).backward()
    assert x.grad.tolist() == [2.]


ON_A_SMALL_STACK = """
import sys, threading
sys.path[:0] = {path!r}
from tests.autograd.test_nested_passes import nest, test_passes_without_end
import minigrad as torch
sys.setrecursionlimit({limit})

def work():
    assert nest(torch, 1000, lambda: None).tolist() == [2.]

thread = threading.Thread(target=work)
thread.start()
thread.join()
work()
test_passes_without_end()
print("well")
"""


@pytest.mark.parametrize("limit", [1000, 10 ** 6])
def test_the_stack_never_ends_first(limit):
    """The limit of the stack is read when a process starts: so there is a shell in between."""
    code = ON_A_SMALL_STACK.format(path=sys.path, limit=limit)
    found = subprocess.run(["/bin/sh", "-c", 'ulimit -s 512; exec "$0" -c "$1"', sys.executable, code],
                           stdout=subprocess.PIPE, text=True)
    assert found.returncode == 0 and found.stdout == "well\n"


@pytest.mark.skipif(sys.platform == "emscripten", reason="there are no threads")
def test_a_pass_on_a_small_stack_goes_on_in_another_thread():
    import minigrad as torch

    threads, found = [], []
    before = threading.stack_size(128 * 1024)
    try:
        thread = threading.Thread(target=lambda: found.append(
            (nest(torch, 2, lambda: threads.append(threading.get_ident())), threading.get_ident())))
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    (gradient, started), = found
    assert gradient.tolist() == [2.] and threads != [started]


def test_the_system_may_refuse_a_thread(monkeypatch):
    import minigrad as torch
    from minigrad._core.backward import nested_passes

    def refuse(*_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(nested_passes, "start_new_thread", refuse)
    assert nest(torch, 40, lambda: None).tolist() == [2.]
    with refuses(RecursionError, "the system refuses: can't start new thread", "MG129"):
        nest(torch, 41, lambda: None)
    assert torch.is_grad_enabled()
    monkeypatch.undo()
    assert nest(torch, 41, lambda: None).tolist() == [2.]


@pytest.mark.usefixtures("no_collector")       # what a handler raises in a callback of the collector is lost
@pytest.mark.parametrize("where", ["python", "pass"])
@pytest.mark.parametrize("depth", [5, 50, 90])
def test_a_signal_ends_all_of_them(depth, where):
    import minigrad as torch

    went_on = []

    def spin():
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        end = time.time() + 30
        while time.time() < end:
            pass
        went_on.append("spin")

    def long_pass():
        y = x = torch.ones(1, requires_grad=True)
        with torch.enable_grad():
            for _ in range(400_000):
                y = y + x
            start = y.sum()
        start.register_hook(lambda g: signal.setitimer(signal.ITIMER_REAL, 0.002) and None)
        start.backward()
        went_on.append("pass")

    def handler(number, frame):
        raise Alarm

    before = signal.signal(signal.SIGALRM, handler)
    try:
        with pytest.raises(Alarm):
            nest(torch, depth, spin if where == "python" else long_pass)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert not went_on and torch.is_grad_enabled() and threading.active_count() == 1


# ------------------------------------------------------------------------------ a backward in a hook

def test_a_pass_over_another_graph(torch):
    w = leaf(torch, 3.)
    x = leaf(torch, 1.)
    other = w * w
    x.register_hook(lambda g: other.backward())
    (x * 2).backward()
    assert x.grad.tolist() == [2.] and w.grad.tolist() == [6.]


def test_a_pass_over_the_same_graph(torch):
    seen, entered = [], []
    x = leaf(torch, 2.)
    y = x * x
    z = y * y

    def again(g):
        if not entered:
            entered.append(True)
            seen.append(torch.autograd.grad(z, x, retain_graph=True)[0].item())

    y.register_hook(again)
    z.backward(retain_graph=True)
    assert seen == [32.] and x.grad.tolist() == [32.]


def test_a_pass_over_the_same_graph_frees_the_node_inside_a_write_through_a_view(torch):
    entered = []
    x, w = leaf(torch, 1., 1., 1.), leaf(torch, 2.)
    base = x * 1
    base[:2].mul_(w)
    z = base.sum()

    def again(g):
        if not entered:
            entered.append(True)
            torch.autograd.grad(z, w)

    base.register_hook(again)
    with refuses(RuntimeError, "a second time", "MG102"):
        z.backward()
    assert x.grad is None and w.grad is None


def test_a_pass_in_the_hook_of_the_leaf_it_accumulates_into(torch):
    x = leaf(torch, 2.)
    other, inside = x * 5, []

    def again(g):
        if not inside:
            inside.append(True)
            other.backward()

    x.register_hook(again)
    (x * 3).backward()
    assert x.grad.tolist() == [8.]


def test_a_post_accumulate_hook_that_starts_a_pass(torch):
    w, x = leaf(torch, 2.), leaf(torch, 1.)
    seen = []

    def hook(p):
        seen.append(p.grad.item())
        with torch.enable_grad():
            (w * 3).sum().backward()

    x.register_post_accumulate_grad_hook(hook)
    (x * 2).backward()
    assert seen == [2.] and w.grad.tolist() == [3.]


def test_a_post_accumulate_hook_that_starts_a_pass_into_its_own_leaf(torch):
    x, depth = leaf(torch, 1.), []

    def hook(p):
        if len(depth) < 3:
            depth.append(p.grad.item())
            with torch.enable_grad():
                (x * 10).backward()

    x.register_post_accumulate_grad_hook(hook)
    (x * 2).backward()
    assert x.grad.tolist() == [32.] and depth == [2., 12., 22.]


@pytest.mark.parametrize("where", ["tensor", "prehook", "hook", "leaf", "accumulator prehook", "accumulator hook",
                                   "post accumulate"])
def test_a_pass_over_the_same_graph_from_every_kind_of_hook(torch, where):
    """The inner pass finishes first, and both add up: twice the gradient, whichever hook it starts from."""
    x = leaf(torch, 3.)
    y = x * x
    z = y * y
    accumulator = y.grad_fn.next_functions[0][0]
    entered = []

    def again(*arguments):
        if not entered:
            entered.append(True)
            z.backward(retain_graph=True)

    {"tensor": lambda: y.register_hook(again), "prehook": lambda: y.grad_fn.register_prehook(again),
     "hook": lambda: y.grad_fn.register_hook(again),
     "leaf": lambda: x.register_hook(again), "accumulator prehook": lambda: accumulator.register_prehook(again),
     "accumulator hook": lambda: accumulator.register_hook(again),
     "post accumulate": lambda: x.register_post_accumulate_grad_hook(again)}[where]()
    z.backward(retain_graph=True)
    assert entered and x.grad.tolist() == [2 * 4 * 27.]


def test_passes_in_passes_in_passes(torch):
    x, depth = leaf(torch, 1.), []

    def hook(g):
        if len(depth) < 50:
            depth.append(1)
            with torch.enable_grad():
                y = x * 1
                y.register_hook(hook)
                y.backward()

    y = x * 1
    y.register_hook(hook)
    y.backward()
    assert x.grad.tolist() == [51.]


def test_an_inner_pass_that_raises_leaves_the_outer_one_alone(torch):
    x, w = leaf(torch, 1.), leaf(torch, 1.)
    inner = w * w

    def hook(g):
        inner.backward()
        with pytest.raises(RuntimeError, match="second time"):
            inner.backward()

    y = x * x
    y.register_hook(hook)
    (y * 2).backward()
    assert x.grad.tolist() == [4.] and w.grad.tolist() == [2.]


def test_threads_have_their_own_passes(torch):
    """Hooks are part of the graph: a pass runs them in its own thread, whoever registered them."""
    x, seen = leaf(torch, 1.), []
    y = x * 2
    y.register_hook(lambda g: seen.append(threading.get_ident()))
    thread = threading.Thread(target=y.backward)
    thread.start()
    thread.join()
    assert seen == [thread.ident] and x.grad.tolist() == [2.]


# ------------------------------------------------------------------------------ a backward in a backward

def test_recomputing_in_backward(torch):
    class Checkpoint(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x ** 3

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            with torch.enable_grad():
                again = x.detach().requires_grad_()
                y = again ** 3
            y.backward(g)
            return again.grad

    x = leaf(torch, 1., 2.)
    (Checkpoint.apply(x * 2) * 3).sum().backward()
    assert x.grad.tolist() == [3 * 3 * 4 * 2., 3 * 3 * 16 * 2.]


def test_inner_pass_over_nodes_of_the_outer_one(torch):
    """The outer pass has claimed y's nodes, and gradients for them are waiting."""
    x = leaf(torch, 1., 2.)
    y = x * x
    z = (y * y).sum()

    class Inner(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return a * 1

        @staticmethod
        def backward(ctx, g):
            (inner,) = torch.autograd.grad(z, x, retain_graph=True)
            return g * inner

    ((Inner.apply(y) * y).sum() + z).backward()
    # d/dx of z: 4x^3;  of Inner(y) y: y 4x^3 2x (by Inner) + y 2x
    assert x.grad.tolist() == [4 + 8 + 2., 32 + 4 * 32 * 4 + 4 * 4.]


def test_inner_pass_that_accumulates_into_the_same_leaf(torch):
    x = leaf(torch, 3.)
    other = (x * x * x).sum()

    class Inner(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return a * 1

        @staticmethod
        def backward(ctx, g):
            other.backward(retain_graph=True)
            return g

    Inner.apply(x * 2).backward()
    assert x.grad.tolist() == [2. + 27.]


def test_inner_pass_that_fails(torch):
    x = leaf(torch, 3.)
    y = x * x
    Fail = failing(torch)
    bad = Fail.apply(y)

    class Inner(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return a * 1

        @staticmethod
        def backward(ctx, g):
            with pytest.raises(KeyError):
                torch.autograd.grad(bad, x, retain_graph=True)
            return g

    (Inner.apply(y) + y).backward()
    assert x.grad.tolist() == [12.]


def test_passes_within_passes(torch):
    deepest = []

    class Nested(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, depth):
            ctx.depth = depth
            ctx.save_for_backward(a)
            return a * 2

        @staticmethod
        def backward(ctx, g):
            if not ctx.depth:
                deepest.append(threading.get_ident())
                return g * 2, None
            with torch.enable_grad():
                a = ctx.saved_tensors[0].detach().requires_grad_()
                y = Nested.apply(a, ctx.depth - 1)
            y.backward(g)
            return a.grad, None

    x = leaf(torch, 1.)
    Nested.apply(x, 50).backward()
    assert x.grad.tolist() == [2.] and len(deepest) == 1


@pytest.mark.parametrize("where", range(3))
def test_a_pass_over_a_node_with_several_outputs_that_another_pass_is_waiting_for(torch, where):
    seen = []
    x = torch.arange(4.).requires_grad_()
    a, b = (x * x).split(2)
    product, weighted = (a * b).sum(), (a * 3).sum() + (b * 5).sum()

    def inner(g):
        if not seen:
            seen.append(None)
            weighted.backward(retain_graph=True)
            seen.append(x.grad.tolist())

    (a, b, x)[where].register_hook(inner)
    product.backward(retain_graph=True)
    assert seen == [None, [0., 6., 20., 30.]] and x.grad.tolist() == [0., 24., 20., 36.]


def test_an_input_that_an_inner_pass_does_not_meet(torch):
    """The inner pass is over nodes that the outer one has claimed."""
    found, x, other = [], leaf(torch, 3.), leaf(torch, 4.)
    y = x * x
    z, apart = y * 2, other * 1

    def inner(g):
        if not found:
            found.append(None)
            found.append(torch.autograd.grad(z, [x, apart], retain_graph=True, allow_unused=True))

    y.register_hook(inner)
    (y * 5).sum().backward(retain_graph=True)
    assert found[1][0].tolist() == [12.] and found[1][1] is None and x.grad.tolist() == [30.]
