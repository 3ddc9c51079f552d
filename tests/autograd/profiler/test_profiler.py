"""Profiles: which events there are, what lies inside what, and that the times add up to the nanosecond."""

import asyncio
import threading
import time
import warnings

import pytest
from hypothesis import given, strategies as st

import minigrad
from tests.autograd.profiler.profiles import FOUR, ONES, check_nesting, inside, named, nodes, operations, ours, short
from tests.checking import refuses

# ------------------------------------------------------------------------------ which events there are

PROGRAMS = {
    "a product": (lambda torch, x, w: x * w, ["mul"]),
    "elementwise": (lambda torch, x, w: (x.exp() + w) / x.sin() - 1, ["exp", "add", "sin", "div", "sub"]),
    "a power": (lambda torch, x, w: x ** 2, ["pow"]),
    "a product of matrices": (lambda torch, x, w: torch.mm(x, w).tanh(), ["mm", "tanh"]),
    "a bias": (lambda torch, x, w: torch.addmm(x, x, w), ["addmm"]),
    "shapes": (lambda torch, x, w: x.t().unsqueeze(0), ["t", "unsqueeze"]),
    "in place": (lambda torch, x, w: x.mul(2).mul_(3).add_(w), ["mul", "mul_", "add_"]),
    "an element": (lambda torch, x, w: x[0], ["select"]),
    "made and written":
        (lambda torch, x, w: torch.ones(3) + torch.rand(3).add_(w[0]), ["ones", "rand", "select", "add_", "add"]),
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_operations_of_the_forward_pass(torch, profiler, program):
    function, expected = PROGRAMS[program]
    x, w = torch.ones(3, 3, requires_grad=True), torch.ones(3, 3, requires_grad=True)
    with profiler.profile() as prof:
        function(torch, x, w)
    assert operations(prof) == expected


def test_a_write_through_a_subscript():
    """Whether it is recorded or not, it shows."""
    x = minigrad.zeros(4)
    y = minigrad.zeros(4, requires_grad=True) * 2
    for target, value in ((x, 1), (x, ONES[0]), (y, 1), (y, ONES[0])):
        for subscript, write in ((0, ("copy_", "fill_")), (minigrad.tensor([1, 2]), ("index_put_",))):
            with ours() as prof:
                target[subscript] = value
            assert prof.function_events[-1].name in write


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_nodes_of_the_backward_pass(torch, profiler, program):
    x, w = torch.ones(3, 3, requires_grad=True), torch.ones(3, 3, requires_grad=True)
    y = PROGRAMS[program][0](torch, x, w).sum()
    graph = [y.grad_fn]
    for node in graph:
        for each, _ in node.next_functions:
            if each is not None and each not in graph:
                graph.append(each)
    with profiler.profile() as prof:
        y.backward()
    assert sorted(nodes(prof)) == sorted([short(node.name()) for node in graph])


def test_how_often(torch, profiler):
    x = torch.ones(1, 1, requires_grad=True)
    with profiler.profile() as prof:
        for _ in range(10):
            y = x ** 2
            y.backward()
    counts = {short(average.key): average.count for average in prof.key_averages()}
    assert counts["pow"] == 20 and counts["PowBackward0"] == 10 and counts["AccumulateGrad"] == 10


def test_a_node_contains_the_steps_of_its_formula():
    x, w = minigrad.ones(3, requires_grad=True), minigrad.ones(3, requires_grad=True)
    y = x * w
    with ours() as prof:
        y.backward(ONES)
    assert [event.name for event in prof.function_events if event.cpu_parent is None] == [
        "torch::autograd::GraphRoot", "MulBackward0", "torch::autograd::AccumulateGrad",
        "torch::autograd::AccumulateGrad"]
    assert inside(named(prof.function_events, "MulBackward0")[0]) == ["mul", "mul"]


def test_a_custom_function(torch, profiler):
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, d):
            return d * 2

    x = torch.ones(3, requires_grad=True)
    with profiler.profile() as prof:
        Twice.apply(x).backward(torch.ones(3))
    for name in ("Twice", "TwiceBackward"):
        event, = named(prof.function_events, name)
        assert [short(each) for each in inside(event)][0] == "mul"


def test_a_label_contains_what_runs_in_its_block(torch, profiler):
    x = torch.ones(3, requires_grad=True)
    with profiler.profile() as prof:
        with profiler.record_function("outer"):
            x.exp()
            with profiler.record_function("inner"):
                x.sin()
    outer, = named(prof.function_events, "outer")
    inner, = named(prof.function_events, "inner")
    assert [short(each) for each in inside(outer)] == ["exp", "inner"]
    assert [short(each) for each in inside(inner)] == ["sin"]
    assert outer.scope == inner.scope == 7 and outer.is_user_annotation and outer.sequence_nr == -1
    assert outer.cpu_time_total >= inner.cpu_time_total > 0


def test_a_label_around_a_backward_pass():
    x = minigrad.ones(3, requires_grad=True)
    y = x.exp().sum()
    with ours() as prof, minigrad.autograd.profiler.record_function("backward"):
        y.backward()
    assert {"SumBackward0", "ExpBackward0"} <= set(inside(named(prof.function_events, "backward")[0]))


def test_a_labelled_function(torch, profiler):
    @profiler.record_function("countdown")
    def countdown(x, n):
        return countdown(x.exp(), n - 1) if n else x

    with profiler.profile() as prof:
        countdown(torch.ones(3), 2)
    assert countdown.__name__ == "countdown"
    assert [short(event.name) for event in prof.function_events].count("exp") == 2
    if torch is minigrad:       # PyTorch puts labels of the same name that lie in one another together
        first, second, third = named(prof.function_events, "countdown")
        assert second.cpu_parent is first and third.cpu_parent is second


def test_one_label_entered_twice():
    label = minigrad.autograd.profiler.record_function("again", "some arguments")
    with ours() as prof, label, label:
        ONES.exp()
    outer, inner = named(prof.function_events, "again")
    assert inner.cpu_parent is outer and inside(inner) == ["exp"]


def test_a_label_without_a_profile_does_nothing(torch, profiler):
    with profiler.record_function("nobody listens"):
        torch.ones(3).exp()


def test_a_label_whose_profile_ended_inside():
    prof, label = ours(), minigrad.autograd.profiler.record_function("longer")
    prof.__enter__()
    label.__enter__()
    ONES.exp()
    prof.__exit__(None, None, None)
    ONES.sin()
    label.__exit__(None, None, None)
    event, = named(prof.function_events, "longer")
    assert inside(event) == ["exp"] and event.self_ns >= 0
    with label:                     # and it is of use again
        pass


def test_a_profile_that_a_hook_ends_in_the_midst_of_an_operation():
    prof, x = ours(), minigrad.ones(3, requires_grad=True)

    def pack(t):
        if not prof.ended:
            prof.__exit__(None, None, None)
        return t

    prof.__enter__()
    with minigrad.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        y = (x * 2).exp()
    event, = named(prof.function_events, "exp")
    assert event.self_ns >= 0 and [e.name for e in prof.function_events] == ["mul", "exp"]
    y.sum().backward()
    assert minigrad.allclose(x.grad, 2 * y)

def test_double_backward():
    x = minigrad.ones(3, requires_grad=True)
    with ours() as prof:
        slope, = minigrad.autograd.grad((x ** 3).sum(), x, create_graph=True)
        slope.sum().backward()
    first = named(prof.function_events, "PowBackward0")[0]
    recorded = [event for event in first.cpu_children if event.sequence_nr > 0]
    assert recorded and all([event.made_by in first.cpu_children for event in prof.function_events
                             if event.scope == 1 and event.made_by is not None and event.made_by.cpu_parent is first])
    assert any([event.made_by in recorded for event in prof.function_events if event.scope == 1])


def test_vmap_forward_mode_and_hooks():
    seen = []
    x = minigrad.ones(4, 3, requires_grad=True)
    x.register_hook(lambda grad: seen.append(grad.abs()))
    with ours() as prof:
        minigrad.vmap(minigrad.func.grad(lambda row: row.sin().sum()))(x.detach())
        with minigrad.autograd.forward_ad.dual_level():
            minigrad.autograd.forward_ad.make_dual(x.detach(), minigrad.ones(4, 3)).cosh()
        with minigrad.autograd.graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: t.neg()):
            x.exp().sum().backward()
        with minigrad.no_grad():
            x.add_(1)
    names = [event.name for event in prof.function_events]
    assert {"sin", "cosh", "exp", "clone", "neg", "abs", "add_"} <= set(names) and len(seen) == 1
    check_nesting(prof.function_events)


def test_in_anomaly_mode():
    x = minigrad.zeros(2, requires_grad=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with ours() as prof, minigrad.autograd.detect_anomaly():
            with refuses(RuntimeError, "returned nan values", "MG128"):
                (x.sqrt() * 0).sum().backward()
    assert "SqrtBackward0" in nodes(prof)
    check_nesting(prof.function_events)


# ------------------------------------------------------------------------------ times

def test_self_times_add_up_to_the_nanosecond():
    x = minigrad.randn(20, 20, requires_grad=True)
    with ours() as prof:
        for _ in range(20):
            with minigrad.autograd.profiler.record_function("step"):
                (x @ x.exp() + x).tanh().sum().backward()
    events = prof.function_events
    assert len(events) > 200 and len(named(events, "step")) == 20
    check_nesting(events)
    assert prof.self_cpu_time_total == sum([event.self_ns for event in events]) / 1000 == events.self_cpu_time_total


def test_times_are_those_of_the_clock():
    before = time.perf_counter_ns()
    with ours() as prof:
        with minigrad.autograd.profiler.record_function("sleep"):
            time.sleep(0.02)
        ONES.exp()
    passed = time.perf_counter_ns() - before
    event, = named(prof.function_events, "sleep")
    assert 20e6 <= event.total_ns <= passed
    assert event.cpu_time_total == event.total_ns / 1000 == event.time_range.elapsed_us()
    assert 0 <= event.time_range.start < named(prof.function_events, "exp")[0].time_range.start <= passed / 1000


# ------------------------------------------------------------------------------ threads and tasks

def test_another_thread_is_not_heard():
    found = []
    with minigrad.autograd.profiler.profile() as prof:
        thread = threading.Thread(target=lambda: found.append(minigrad.nn.functional.softmin(minigrad.zeros(2), 0)))
        thread.start()
        thread.join()
        minigrad.zeros(2).exp()
    assert found[0].tolist() == [0.5, 0.5] and operations(prof) == ["zeros", "exp"]


def test_another_thread_cannot_end_a_profile():
    prof, found = minigrad.autograd.profiler.profile(), []

    def end():
        with refuses(RuntimeError, "cannot be stopped here", "MG505"):
            prof.__exit__(None, None, None)
        found.append("refused")

    with prof:
        thread = threading.Thread(target=end)
        thread.start()
        thread.join()
        minigrad.zeros(2).exp()
    assert found == ["refused"] and operations(prof) == ["zeros", "exp"]


def test_each_thread_has_a_profile_of_its_own():
    barrier, found = threading.Barrier(2), {}

    def work(name, other):
        x = minigrad.ones(3, requires_grad=True)
        with ours() as prof:
            for _ in range(20):
                barrier.wait()
                getattr(x, name)().sum().backward()
        found[name] = prof.function_events, threading.get_native_id()

    threads = [threading.Thread(target=work, args=names) for names in (("exp", "sin"), ("sin", "exp"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name, other in (("exp", "sin"), ("sin", "exp")):
        events, thread = found[name]
        assert len(named(events, name)) == 20 and not named(events, f"{other.title()}Backward0")
        assert {event.thread for event in events} == {thread}
        check_nesting(events)


def test_numbers_of_nodes_where_threads_take_turns():
    """Another thread may take the number that was foreseen for an operation."""
    x, found, together = minigrad.ones(200, 200, requires_grad=True), [], threading.Barrier(4)

    def work():
        numbers = []
        with ours() as prof:
            for _ in range(100):
                together.wait()
                numbers.append(minigrad.mm(x, x).grad_fn._sequence_nr())
        found.append((numbers, [event.sequence_nr for event in named(prof.function_events, "mm")]))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and all([numbers == events for numbers, events in found])
    assert all([max(numbers) - min(numbers) > 200 for numbers, _ in found])         # they did take turns


def test_another_thread_is_not_profiled():
    with ours() as prof:
        thread = threading.Thread(target=lambda: ONES.exp())
        thread.start()
        thread.join()
    assert prof.function_events == []


def test_tasks_of_asyncio():
    @minigrad.autograd.profiler.record_function("task")
    async def task(x):
        x = x.exp()
        await asyncio.sleep(0)
        return x.sin()

    async def both():
        return await asyncio.gather(task(ONES), task(FOUR))

    with ours() as prof, minigrad.autograd.profiler.record_function("all"):
        results = asyncio.run(both())
    assert [len(result) for result in results] == [3, 4] and asyncio.iscoroutinefunction(task)
    events = prof.function_events
    assert sorted(event.name for event in events) == ["all", "exp", "exp", "sin", "sin", "task", "task"]
    check_nesting(events)
    overlapping = [event for event in named(events, "task") if event.is_async]
    assert overlapping and all([event.self_cpu_time_total == 0 and not event.cpu_children and event.cpu_time_total > 0
                                for event in overlapping])
    assert all([event.cpu_parent is not None for event in events if event.name in ("exp", "sin")])


@given(st.lists(st.integers(0, 4), max_size=30))
def test_labels_that_begin_and_end_in_any_order(toggles):
    """Each number opens its label, or closes it; after each an operation runs.  What is left open, the end of the
    profile closes."""
    x, labels, begun = ONES, {}, 0
    with ours() as prof:
        for number in toggles:
            if number in labels:
                labels.pop(number).__exit__(None, None, None)
            else:
                labels[number] = minigrad.autograd.profiler.record_function("label")
                labels[number].__enter__()
                begun += 1
            x.exp()
    events = prof.function_events
    check_nesting(events)
    assert len(named(events, "label")) == begun and len(named(events, "exp")) == len(toggles)
    for event in named(events, "exp"):      # it lies in the innermost label around it that is in order
        around = [each for each in named(events, "label") if not each.is_async
                  and each.time_range.start_ns <= event.time_range.start_ns and event.time_range.end_ns
                  <= each.time_range.end_ns]
        assert event.cpu_parent is (around[-1] if around else None)


def test_a_label_that_outlives_what_it_began_in():
    """A hook opens a label in the middle of a node, and it is closed after the pass."""
    label = minigrad.autograd.profiler.record_function("late")
    x = minigrad.ones(3, requires_grad=True)
    y = x.exp()
    y.grad_fn.register_prehook(lambda grads: label.__enter__() and None)
    with ours() as prof:
        y.sum().backward()
        ONES.sin()
        label.__exit__(None, None, None)
    check_nesting(prof.function_events)
    assert named(prof.function_events, "late")[0].is_async and named(prof.function_events, "sin")[0].cpu_parent is None


def test_a_function_that_is_called_while_another_reads_its_arguments():
    """Both have the name of a row: the one that waits for its row begins before the other one."""
    x = minigrad.ones(2)

    class Word(str):
        def __hash__(self):
            minigrad.nn.functional.softmax(x, 0)
            return str.__hash__(self)

        def __eq__(self, other):
            minigrad.nn.functional.softmax(x, 0)
            return str.__eq__(self, other)

    with minigrad.autograd.profiler.profile() as prof:
        minigrad.nn.functional.kl_div(x, x, reduction=Word("sum"))
    events = prof.function_events
    assert events[0].name == "kl_div" and events[0].cpu_parent is None
    assert events[1].name == "softmax" and events[1].cpu_parent is events[0]
