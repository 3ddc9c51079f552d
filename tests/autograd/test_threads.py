"""Several threads: each with a graph of its own, and all over one graph."""

import sys
import threading

import pytest

from tests.checking import refuses


@pytest.fixture(autouse=True)
def switch_often():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def run_in_threads(work, n=4):
    """``work(i)`` in ``n`` threads that start together; their results, or the first exception."""
    barrier, results, errors = threading.Barrier(n), [None] * n, []

    def target(i):
        try:
            barrier.wait()
            results[i] = work(i)
        except BaseException as e:
            errors.append(e)

    threads = [threading.Thread(target=target, args=(i,)) for i in range(n)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    if errors:
        raise errors[0]
    return results


def python_square(torch):
    """x^2 with its derivative in Python, where threads change places."""
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            for _ in range(20):
                sum(range(10))
            return g * 2 * x

    return Square.apply


def test_each_thread_with_its_own_graph(torch):
    square = python_square(torch)

    def work(i):
        x = torch.tensor([1., 2.], dtype=torch.float64, requires_grad=True)
        for _ in range(30):
            y = x
            for _ in range(10):
                y = square(y.sin()) + x * (i + 1)
            y.sum().backward()
        return x.grad.tolist()

    together = run_in_threads(work)
    assert together == [work(i) for i in range(4)]


def test_threads_share_leaves(torch):
    """Gradients are accumulated under one lock or one interpreter: none is lost."""
    x = torch.zeros(3, dtype=torch.float64, requires_grad=True)
    (x * 0).sum().backward()

    def work(i):
        for _ in range(50):
            (x * (i + 1)).sum().backward()

    run_in_threads(work)
    assert x.grad.tolist() == [50. * (1 + 2 + 3 + 4)] * 3


@pytest.mark.parametrize("kind", ["plain", "half", "columns", "first"])
def test_threads_share_large_leaves(torch, kind):
    """Arrays so large that NumPy and we let other threads run meanwhile."""
    n, rounds = 200_000, 1 if kind == "first" else 25
    for _ in range(20 if kind == "first" else 2):
        x = torch.zeros(n, dtype=torch.float16 if kind == "half" else torch.float64)
        x = x.reshape(2, n // 2).t() if kind == "columns" else x
        x.requires_grad_()
        if kind != "first":
            (x * 0).sum().backward()

        def work(i):
            for _ in range(rounds):
                (x * float(i + 1)).sum().backward()

        run_in_threads(work)
        assert (x.grad == 10. * rounds).all()


def test_grad_over_one_retained_graph(torch):
    square = python_square(torch)
    x = torch.tensor([0.5, 0.7], dtype=torch.float64, requires_grad=True)
    y = x
    for _ in range(20):
        y = square(y.sin()) * x + y.cos() * y
    loss = y.sum()
    expected = torch.autograd.grad(loss, x, retain_graph=True)[0].tolist()

    def work(i):
        return [torch.autograd.grad(loss, x, retain_graph=True)[0].tolist() for _ in range(20)]

    for results in run_in_threads(work):
        assert results == [expected] * 20


def test_backward_over_one_retained_graph(torch):
    square = python_square(torch)
    x = torch.tensor([0.5, 0.7], dtype=torch.float64, requires_grad=True)
    loss = (square(square(x) * x) + x * 3).sum()
    (once,) = torch.autograd.grad(loss, x, retain_graph=True)
    x.grad = torch.zeros(2, dtype=torch.float64)

    def work(i):
        for _ in range(25):
            loss.backward(retain_graph=True)

    run_in_threads(work)
    assert x.grad.tolist() == pytest.approx((once * 100).tolist(), rel=1e-12)


def test_create_graph_over_one_graph(torch):
    square = python_square(torch)
    x = torch.tensor([0.5, 0.7], dtype=torch.float64, requires_grad=True)
    y = (square(square(x)) * x.exp()).sum()

    def work(i):
        (g,) = torch.autograd.grad(y, x, create_graph=True)
        return torch.autograd.grad(g.sum(), x, retain_graph=True)[0].tolist()

    first, *others = run_in_threads(work)
    assert others == [first] * 3


def test_different_inputs_of_one_graph(torch):
    square = python_square(torch)
    leaves = [torch.tensor([float(i)], requires_grad=True) for i in range(1, 5)]
    products = leaves[0]
    for t in leaves[1:]:
        products = square(products) * t
    expected = [torch.autograd.grad(products, t, retain_graph=True)[0].item() for t in leaves]

    def work(i):
        return [torch.autograd.grad(products, leaves[i], retain_graph=True)[0].item() for _ in range(20)]

    assert run_in_threads(work) == [[e] * 20 for e in expected]


@pytest.mark.parametrize("kind", ["float64", "complex128"])
def test_a_graph_that_is_not_retained(torch, kind):
    """One thread wins each node, the others are told so; nothing crashes."""
    for _ in range(30):
        a, b = (torch.ones(3, 3, dtype=getattr(torch, kind), requires_grad=True) for _ in range(2))
        y = a * b
        for _ in range(20):
            y = y * b
        g = torch.ones(3, 3, dtype=getattr(torch, kind))

        def work(i):
            try:
                torch.autograd.grad(y, [a, b], g)
                return True
            except RuntimeError as e:
                assert "a second time" in str(e)
                return False

        run_in_threads(work)
        with refuses(RuntimeError, "a second time", "MG102"):
            torch.autograd.grad(y, [a, b], g)


def test_modes_belong_to_the_thread(torch):
    barrier = threading.Barrier(2)

    def work(i):
        if i == 0:
            with torch.no_grad():
                barrier.wait()
                barrier.wait()
                return torch.is_grad_enabled()
        barrier.wait()
        seen = torch.is_grad_enabled()
        barrier.wait()
        return seen

    assert run_in_threads(work, 2) == [False, True]


def test_a_new_thread_records(torch):
    with torch.no_grad():
        assert run_in_threads(lambda i: torch.is_grad_enabled()) == [True] * 4


def test_a_pass_in_a_thread_with_recording_off(torch):
    x = torch.tensor([2.], requires_grad=True)
    y = x * x

    def work(i):
        with torch.no_grad():
            (g,) = torch.autograd.grad(y, x, retain_graph=True)
            return g.item(), torch.is_grad_enabled()

    assert run_in_threads(work) == [(4., False)] * 4


def test_a_failure_in_one_thread(torch):
    class FailOnce(torch.autograd.Function):
        failing = None

        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            if threading.get_ident() == FailOnce.failing:
                raise KeyError("boom")
            return g * 2

    x = torch.tensor([1.], requires_grad=True)
    y = FailOnce.apply(x * x).sin()

    def work(i):
        if i == 0:
            FailOnce.failing = threading.get_ident()
        found = []
        for _ in range(20):
            try:
                found.append(torch.autograd.grad(y, x, retain_graph=True)[0].item())
            except KeyError:
                found.append("boom")
        return found

    # PyTorch runs a Function's backward in the calling thread too, on the CPU
    results = run_in_threads(work)
    assert all([set(r) == {results[1][0]} for r in results[1:]]) and "boom" in results[0]


def test_threads_leave_nothing_behind():
    """Each had a list of dying nodes, a switch or two: all of that goes with it."""
    import pathlib

    import minigrad as torch

    status = pathlib.Path("/proc/self/statm")
    if not status.exists():
        pytest.skip("needs /proc")

    def build():
        y = torch.ones(3, requires_grad=True)
        for _ in range(5):
            y = y * 2

    def pages_after(n):
        for _ in range(n):
            t = threading.Thread(target=build)
            t.start()
            t.join()
        return int(status.read_text().split()[1])

    before = pages_after(300)
    assert (pages_after(2000) - before) * 4 < 1000      # kilobytes


def test_tensors_freed_in_another_thread_than_they_were_made_in(torch):
    def build(i):
        x = torch.ones(3, requires_grad=True)
        y = x
        for _ in range(3000):
            y = y * x
        return y

    graphs = run_in_threads(build)
    run_in_threads(lambda i: graphs.__setitem__(i, None))
    assert graphs == [None] * 4
    assert run_in_threads(lambda i: build(i).sum().requires_grad) == [True] * 4
