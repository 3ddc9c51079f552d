"""Ranges for other profilers: their texts, that each that is pushed is popped, and what is said where the package is
absent."""

import importlib.util
import sys
import warnings

import pytest

import minigrad
from minigrad._core.profiling.recorders import Emitter
from minigrad.autograd.profiler import emit_itt, emit_nvtx, profile, record_function
from tests.checking import refuses

ONES, MATRIX = minigrad.ones(3), minigrad.ones(2, 3)


def nvtx_calls(monkeypatch):
    """Let the real functions of nvtx say what they were called with: the text of a push, None for a pop."""
    nvtx, calls = pytest.importorskip("nvtx"), []
    push, pop = nvtx.push_range, nvtx.pop_range
    monkeypatch.setattr(nvtx, "push_range", lambda text, **options: (calls.append(text), push(text, **options)))
    monkeypatch.setattr(nvtx, "pop_range", lambda **options: (calls.append(None), pop(**options)))
    return calls


def itt_calls(monkeypatch):
    ittapi, calls = pytest.importorskip("ittapi"), []
    begin, end = ittapi.task_begin, ittapi.task_end
    monkeypatch.setattr(ittapi, "task_begin", lambda domain, name: (calls.append(str(name)), begin(domain, name)))
    monkeypatch.setattr(ittapi, "task_end", lambda domain: (calls.append(None), end(domain)))
    return calls


EMITTERS = pytest.mark.parametrize(("emit", "listen"), [(emit_nvtx, nvtx_calls), (emit_itt, itt_calls)])


def tree(calls):
    """[(text, [what lies inside])], which there is only where each range that is pushed is popped."""
    levels = [[]]
    for call in calls:
        if call is None:
            levels.pop()
        else:
            inside = []
            levels[-1].append((call, inside))
            levels.append(inside)
    assert len(levels) == 1
    return levels[0]


@EMITTERS
def test_ranges(monkeypatch, emit, listen):
    calls = listen(monkeypatch)
    x, w = minigrad.ones(2, 3, requires_grad=True), minigrad.ones(3, requires_grad=True)
    with emit():
        with record_function("forward"):
            y = x * w
        number = y.grad_fn._sequence_nr()
        y.backward(MATRIX)
    forward, root, node, *leaves = tree(calls)
    assert forward == ("forward", [(f"mul, seq = {number}", [])]) and root == ("torch::autograd::GraphRoot", [])
    assert node[0] == f"MulBackward0, stashed seq = {number}"
    assert {text for text, _ in node[1]} == {"mul, seq = 0", "sum, seq = 0"}
    assert [text for text, _ in leaves] == 2 * ["torch::autograd::AccumulateGrad"]
    x * w                               # and it is off again
    assert len(tree(calls)) == 5


@EMITTERS
def test_ranges_with_create_graph(monkeypatch, emit, listen):
    calls = listen(monkeypatch)
    x = minigrad.ones(3, requires_grad=True)
    with emit():
        slope, = minigrad.autograd.grad((x * x).sum(), x, create_graph=True)
        slope.sum().backward()
    stashed = [text for text in calls if text and "stashed" in text]
    assert len(set(stashed)) == len(stashed) and " seq = 0" not in "".join(stashed)
    inner = dict(tree(calls))
    first = next(inside for text, inside in inner.items() if text.startswith("MulBackward0"))
    numbers = [text.rpartition(" ")[2] for text, _ in first]
    assert numbers and "0" not in numbers
    assert any([f", stashed seq = {number}" in text for text in stashed for number in numbers])


@EMITTERS
def test_ranges_with_sizes(monkeypatch, emit, listen):
    calls = listen(monkeypatch)
    with emit(record_shapes=True), minigrad.no_grad():
        MATRIX * 2
    assert calls == ["mul, seq = 0, sizes = [[2, 3], []]", None]


@EMITTERS
def test_ranges_are_popped_where_something_is_raised(monkeypatch, emit, listen):
    calls = listen(monkeypatch)
    with pytest.raises(ZeroDivisionError), emit(), record_function("fails"):
        with refuses(RuntimeError, "", "MG201"):
            ONES @ minigrad.ones(4)
        1 / 0
    assert tree(calls)[0][0] == "fails"


@EMITTERS
def test_a_label_that_is_open_at_the_end(monkeypatch, emit, listen):
    """It is popped when the context ends, and not a second time."""
    calls, label = listen(monkeypatch), record_function("longer")
    with emit():
        label.__enter__()
        ONES.exp()
    label.__exit__(None, None, None)
    assert [text for text, _ in tree(calls)] == ["longer"]


@EMITTERS
def test_ranges_end_where_a_hook_ends_them(monkeypatch, emit, listen):
    """The pass goes on without them."""
    calls, ranges = listen(monkeypatch), emit()
    x = minigrad.ones(3, requires_grad=True)
    y = (x * 2).exp()
    y.register_hook(lambda g: ranges.__exit__(None, None, None))
    ranges.__enter__()
    (y * 3).backward(ONES)
    last, inside = tree(calls)[-1]
    assert last.startswith("ExpBackward0") and inside == []
    assert minigrad.allclose(x.grad, 6 * y)


def test_a_range_that_cannot_be_popped():
    """The error is the package's; recording goes on as it was."""
    class Double(minigrad.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x + x

    def pop():
        raise OSError("the profiler is gone")

    emitter = Emitter(lambda *event: depth.append(event), lambda: depth.pop() and len(depth) == 0 and pop())
    depth = []
    emitter.start()
    with pytest.raises(OSError, match="the profiler is gone"):
        Double.apply(ONES)
    emitter.stop()
    assert minigrad.is_grad_enabled()


@EMITTERS
def test_one_listener_at_a_time(monkeypatch, emit, listen):
    calls = listen(monkeypatch)
    ranges = emit()
    with ranges:
        with refuses(RuntimeError, "cannot be nested", "MG505"), profile():
            pass
        with refuses(RuntimeError, "annotation context manager is not reentrant", "MG505"), ranges:
            pass
    with refuses(RuntimeError, "annotation context manager is not reentrant", "MG505"), ranges:
        pass
    with profile():
        with refuses(RuntimeError, "cannot be nested", "MG505"), emit():
            pass
    assert calls == []


@EMITTERS
def test_no_ranges(monkeypatch, emit, listen):
    calls = listen(monkeypatch)
    with emit(enabled=False) as given:
        ONES.exp()
    assert given is None and calls == []


@pytest.mark.parametrize(("emit", "package"), [(emit_nvtx, "nvtx"), (emit_itt, "ittapi")])
def test_a_package_that_is_not_installed(monkeypatch, emit, package):
    monkeypatch.setitem(sys.modules, package, None)
    ranges = emit()
    x = minigrad.ones(3, requires_grad=True)
    with pytest.warns(UserWarning, match=f"{emit.__name__}: no ranges are emitted, because the package {package}, "
                                         "through which they reach the profiler, is not installed") as caught:
        with ranges as given:
            x.exp().sum().backward()
            with refuses(RuntimeError, "annotation context manager is not reentrant", "MG505"), ranges:
                pass
            with refuses(RuntimeError, "cannot be nested", "MG505"), profile():
                pass
    assert given is ranges and x.grad is not None and [warning.filename for warning in caught] == [__file__]
    with refuses(RuntimeError, "annotation context manager is not reentrant", "MG505"), ranges:
        pass
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with emit(enabled=False):       # needs nothing
            pass
    with profile() as prof:             # and nothing is left on
        ONES.exp()
    assert len(prof.function_events) == 1


@pytest.mark.parity
def test_arguments_of_the_emitters_are_those_of_pytorch():
    torch = pytest.importorskip("torch")
    with torch.autograd.profiler.emit_itt(True, record_shapes=True) as given:
        torch.ones(3).exp()
    assert isinstance(given, torch.autograd.profiler.emit_itt)
    if importlib.util.find_spec("ittapi"):
        with minigrad.autograd.profiler.emit_itt(True, record_shapes=True) as given:
            ONES.exp()
        assert isinstance(given, emit_itt)


def test_a_label_that_was_not_begun_cannot_be_left(torch):
    label = torch.autograd.profiler.record_function("x")
    with refuses(AssertionError, "Expected record to be set", "MG505"):
        label.__exit__(None, None, None)
    with label:
        pass
