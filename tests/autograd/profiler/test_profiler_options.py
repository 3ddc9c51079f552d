"""What can be asked of a profiler, what is refused, and what does nothing here."""

import contextlib
import gc
import inspect
import json
import operator
import subprocess
import sys
import threading
import warnings
import weakref
from pathlib import Path

import numpy as np
import pytest

import minigrad
from tests.autograd.profiler.profiles import FOUR, ONES, check_nesting, inside, named, nodes, operations, ours, short
from tests.checking import refuses


# ------------------------------------------------------------------------------ what can be asked for

def test_shapes(torch, profiler):
    x = torch.ones(2, 3)
    with profiler.profile(record_shapes=True) as prof:
        x * x
        torch.mm(x, x.t())
    events = {short(event.name): event.input_shapes for event in prof.function_events}
    assert events["mul"] == [[2, 3], [2, 3]] and events["mm"] == [[2, 3], [3, 2]]
    with profiler.profile() as prof:
        x * x
    assert not prof.function_events[0].input_shapes


def test_shapes_of_lists():
    with ours(record_shapes=True) as prof:
        minigrad.cat([ONES, FOUR])
        minigrad.stack((ONES, ONES), dim=1)
    assert [named(prof.function_events, name)[0].input_shapes for name in ("cat", "stack")] == [[[[3], [4]], []],
                                                                                                [[[3], [3]], []]]


def test_numbers_where_nothing_is_recorded():
    """An operation that cannot record a node has the number 0, in each of its forms."""
    x = minigrad.ones(3, requires_grad=True)
    with ours() as prof, minigrad.no_grad():
        x * x
        minigrad.ones(3).mul_(x)
        minigrad.nn.functional.linear(x, x)
    assert {event.sequence_nr for event in prof.function_events} == {0}
    with ours() as prof:
        y = x * x
    assert prof.function_events[0].sequence_nr == y.grad_fn._sequence_nr()


@pytest.mark.parametrize(("call", "name", "flops"), [
    (lambda torch: torch.mm(torch.ones(3, 4), torch.ones(4, 5)), "mm", 120),
    (lambda torch: torch.ones(3, 4) @ torch.ones(4, 5), "mm", 120),
    (lambda torch: torch.bmm(torch.ones(2, 3, 4), torch.ones(2, 4, 5)), "bmm", 240),
    (lambda torch: torch.addmm(torch.ones(5), torch.ones(3, 4), torch.ones(4, 5)), "addmm", 120),
    (lambda torch: torch.nn.functional.linear(torch.ones(3, 4), torch.ones(6, 4), torch.ones(6)), "addmm", 144),
    (lambda torch: torch.baddbmm(torch.ones(2, 3, 5), torch.ones(2, 3, 4), torch.ones(2, 4, 5)), "baddbmm", 240),
    (lambda torch: torch.mm(torch.ones(3, 0), torch.ones(0, 5)), "mm", 0),
    (lambda torch: torch.mv(torch.ones(3, 4), torch.ones(4)), "mv", 0),
    (lambda torch: torch.dot(torch.ones(4), torch.ones(4)), "dot", 0),
    (lambda torch: torch.ones(3, 4) * torch.ones(4), "mul", 12),
    (lambda torch: torch.ones(1, 4) * torch.ones(3, 1), "mul", 4),
    (lambda torch: torch.ones(3, 4) * 2, "mul", 12),
    (lambda torch: torch.tensor(2.0) * torch.ones(3, 4), "mul", 1),
    (lambda torch: torch.ones(3, 4) + 2, "add", 12),
    (lambda torch: torch.ones(3, 4) - 2, "sub", 0),
    (lambda torch: torch.ones(3, 4).mul_(2), "mul_", 0),
    (lambda torch: torch.ones(3).exp(), "exp", 0),
])
def test_flops(torch, profiler, call, name, flops):
    with profiler.profile(with_flops=True) as prof:
        call(torch)
    assert [event.flops for event in prof.function_events if short(event.name) == name] == [flops]
    assert sum([event.flops for event in prof.function_events]) == flops
    with profiler.profile(record_shapes=True) as prof:
        call(torch)
    assert all([not event.flops for event in prof.function_events])


def call_exp(x):
    return x.exp()


def test_stacks():
    exp = f"{__file__}({call_exp.__code__.co_firstlineno + 1}): call_exp"
    x = minigrad.ones(3, requires_grad=True)
    with ours(with_stack=True) as prof:
        y = call_exp(x).sum()
        y.backward()
    events = prof.function_events
    forward, = named(events, "exp")
    assert forward.stack[0] == exp
    assert forward.stack[1].startswith(f"{__file__}(") and forward.stack[1].endswith("): test_stacks")
    node, = named(events, "ExpBackward0")
    assert node.made_by is forward and node.stack == forward.stack and node.cpu_children[0].stack == forward.stack
    assert node.fwd_thread == forward.thread == threading.get_native_id()
    accumulate, = named(events, "torch::autograd::AccumulateGrad")
    assert accumulate.stack[0].endswith("): test_stacks") and accumulate.made_by is None
    with ours() as prof:
        call_exp(x)
    assert prof.function_events[0].stack == []


@pytest.mark.parametrize("name", [None, 5, "minigrad_of_mine"])
def test_stacks_of_a_program_without_a_name(name):
    with ours(with_stack=True) as prof:
        exec(compile("x * 2", "<cell>", "exec"), {"x": ONES, "__name__": name})
    assert prof.function_events[0].stack[0] == "<cell>(1): <module>"


def test_only_operations_have_flops():
    class mul(minigrad.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x * y

    with ours(with_flops=True) as prof:
        mul.apply(FOUR, FOUR)
    assert [(event.name, event.flops) for event in prof.function_events] == [("mul", 0), ("mul", 4)]


def test_a_node_knows_the_operation_that_recorded_it():
    x = minigrad.ones(3, 3, requires_grad=True)
    with ours() as prof:
        x.detach().sin()                            # records nothing, with the same number on hand
        y = minigrad.nn.functional.linear(x.exp(), x).sum()
        y.backward(retain_graph=True)
        y.backward()
    made = [(event.name, event.made_by.name) for event in prof.function_events if event.made_by is not None]
    assert made == 2 * [("SumBackward0", "sum"), ("MmBackward0", "mm"), ("TBackward0", "t"), ("ExpBackward0", "exp")]


def test_memory():
    gc.collect()
    x = minigrad.ones(1000)
    with ours(profile_memory=True) as prof:
        with minigrad.autograd.profiler.record_function("outer"):
            y = x.exp()
            z = x.sin()
            del z
        w = x * x
        del y, w
    events = prof.function_events
    assert [named(events, name)[0].cpu_memory_usage for name in ("exp", "sin", "mul")] == [4000, 4000, 4000]
    outer, = named(events, "outer")
    assert outer.cpu_memory_usage == 4000 and outer.self_cpu_memory_usage == -4000
    assert sum([event.cpu_memory_usage for event in named(events, "[memory]")]) == -8000
    assert sum([event.self_cpu_memory_usage for event in events]) == 0
    with ours() as prof:
        x.exp()
    assert [event.cpu_memory_usage for event in prof.function_events] == [0]


def test_memory_that_grows_and_shrinks():
    """An array that is resized gives back what it had."""
    with ours(profile_memory=True) as prof:
        x = np.ones(1000)
        x.resize(5000, refcheck=False)
        x.resize(100, refcheck=False)
    assert sum([event.cpu_memory_usage for event in prof.function_events]) == 800
    x.resize(3000, refcheck=False)      # and may be resized and freed when the profile is over


def test_a_second_profile_begins_with_nothing():
    with ours(profile_memory=True):
        kept = minigrad.ones(1000)
    with ours(profile_memory=True) as prof:
        pass
    assert prof.function_events == [] and len(kept) == 1000


def test_a_profile_is_gone_when_nobody_has_it():
    """With everything that was written down: names, shapes, stacks."""
    class Label(str):
        """A text that a weak reference can be made to."""

    def gone():
        name = Label("label")
        with ours(record_shapes=True, with_stack=True, profile_memory=True), minigrad.autograd.profiler.record_function(
                name):
            for _ in range(100):
                FOUR * FOUR
        return weakref.ref(name)

    gone()
    gc.collect()
    before = len(gc.get_objects())
    reference = gone()
    gc.collect()
    assert reference() is None and len(gc.get_objects()) - before < 100


def test_the_node_of_a_custom_function():
    """Its number is that of the event of its forward; frames of minigrad itself are nobody's business; shapes come only
    where they are wanted."""
    class Twice(minigrad.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, d):
            return d * 2

    x = minigrad.ones(3, requires_grad=True)
    for options in ({"with_stack": True}, {"record_shapes": True}):
        with ours(**options) as prof:
            (Twice.apply(x) * minigrad.ones(2, 3)).sum().backward()
        events = prof.function_events
        node, = named(events, "TwiceBackward")
        assert node.made_by is named(events, "Twice")[0]
        assert not any([frame.startswith(str(Path(minigrad.__file__).parent)) for event in events
                        for frame in event.stack])
        assert any([event.input_shapes for event in events]) == ("record_shapes" in options)


# ------------------------------------------------------------------------------ what is refused, and what does nothing

def test_an_error_in_the_block():
    with pytest.raises(KeyError), ours() as prof:
        with minigrad.autograd.profiler.record_function("fails"):
            ONES.exp()
            raise KeyError
    assert [event.name for event in prof.function_events] == ["fails", "exp"]
    check_nesting(prof.function_events)
    with ours() as prof:            # it is off, another one can begin
        pass


def test_a_label_that_is_left_in_another_thread():
    """It lasts until the profile ends, and its memory is what this thread used."""
    with ours(profile_memory=True) as prof:
        label = minigrad.autograd.profiler.record_function("label")
        label.__enter__()
        kept = minigrad.ones(1000)
        leaves = threading.Thread(target=lambda: (minigrad.ones(10), label.__exit__(None, None, None)))
        leaves.start()
        leaves.join()
        kept = [kept, minigrad.ones(10)]
    label, = named(prof.function_events, "label")
    assert inside(label) == ["ones", "ones"] and label.cpu_memory_usage == 4040 and label.self_cpu_memory_usage == 0


def test_a_hook_ends_a_profile_and_begins_another():
    """The first hears of nothing from then on; the second of operations at once, and of nodes from the next pass on."""
    first, second = ours(), ours()
    x = minigrad.ones(3, requires_grad=True)
    y = x * 2
    z = y.exp().sum()
    first.__enter__()
    recorder = first._recorder
    y.register_hook(lambda gradient: (first.__exit__(None, None, None), second.__enter__()) and None)
    z.backward()
    (x * x).sum().backward()
    second.__exit__(None, None, None)
    assert len(recorder.records()) == len(first.function_events) and first.function_events[-1].name == "MulBackward0"
    assert nodes(second) == ["SumBackward0", "MulBackward0", "AccumulateGrad"]
    assert operations(second)[:3] == ["mul", "mul", "sum"]


def test_an_error_in_an_operation():
    with ours() as prof:
        with refuses(RuntimeError, "", "MG201"):
            ONES + minigrad.ones(4)
        ONES.exp()
    assert [(event.name, event.cpu_parent) for event in prof.function_events][-1] == ("exp", None)
    check_nesting(prof.function_events)


def test_a_profile_cannot_be_entered_twice(torch, profiler):
    prof = profiler.profile()
    with prof:
        pass
    with refuses(RuntimeError, "Profiler context manager is not reentrant", "MG505"), prof:
        pass


def test_a_profile_ends_once_and_not_before_it_was_entered():
    prof = ours()
    with refuses(RuntimeError, "the block was not entered", "MG505"):
        prof.__exit__(None, None, None)
    with prof:
        ONES.exp()
    with refuses(RuntimeError, "the block has ended already", "MG505"):
        prof.__exit__(None, None, None)
    assert operations(prof) == ["exp"]
    with refuses(RuntimeError, "the block was not entered", "MG505"):
        minigrad.autograd.profiler.emit_nvtx().__exit__(None, None, None)


def test_profiles_cannot_be_nested():
    with ours() as prof:
        with refuses(RuntimeError, "cannot be nested", "MG505"), ours():
            pass
        ONES.exp()
    assert [event.name for event in prof.function_events] == ["exp"]


@pytest.mark.parametrize("ask", [
    lambda prof: prof.table(), lambda prof: prof.key_averages(), lambda prof: prof.total_average(),
    lambda prof: prof.self_cpu_time_total,
    lambda prof: prof.export_chrome_trace("never"), lambda prof: prof.export_stacks("never"),
    lambda prof: prof.function_events])
def test_results_before_the_end(ask):
    with refuses(RuntimeError, "not entered yet", "MG505"):
        ask(ours())
    with ours(with_stack=True) as prof:
        with refuses(RuntimeError, "when the with block has ended", "MG505"):
            ask(prof)


def test_printing_before_the_end(torch, profiler):
    with profiler.profile() as prof:
        assert str(prof) == repr(prof) == "<unfinished torch.autograd.profile>"


def test_printing_is_the_table():
    with ours() as prof:
        ONES.exp()
    assert str(prof) == prof.table() and repr(prof).startswith("[<FunctionEvent id=0 name=exp cpu_time=")


def test_it_can_be_switched_off(torch, profiler, tmp_path):
    prof = profiler.profile(enabled=False, use_cpu=False)
    with prof as given:
        torch.ones(3).exp()
    if torch is minigrad:               # PyTorch gives None, and its methods fail
        assert given is prof
        assert prof.total_average().count == 0 and repr(prof) == "[]"
        prof.export_chrome_trace(tmp_path / "trace.json")
        prof.export_stacks(tmp_path / "stacks.txt")
        assert json.loads((tmp_path / "trace.json").read_text())["traceEvents"][0]["ph"] == "M"
        assert not (tmp_path / "stacks.txt").read_text()
        assert prof.function_events == [] and str(prof) == prof.table() == "" and prof.self_cpu_time_total == 0
        assert prof.key_averages() == []
        with prof:                          # does nothing, so may do it again
            pass


@pytest.mark.parametrize(("options", "message"), [
    ({}, "Device-only events supported only with Kineto (use_kineto=True)"),
    ({"use_kineto": True}, "No activities specified for the profiler")])
def test_without_the_cpu(torch, profiler, options, message):
    with refuses(AssertionError, message, "MG505"):
        profiler.profile(use_cpu=False, **options)


@pytest.mark.parametrize("options", [{"use_cuda": True}, {"use_device": "cuda"}, {"use_device": "abacus"}])
def test_there_is_no_device(torch, profiler, options):
    with pytest.warns(UserWarning, match="not available|not a valid device"):
        prof = profiler.profile(**options)
    with prof:
        torch.ones(3).exp()
    assert "exp" in operations(prof)


def test_a_name_is_a_text():
    for name in (None, 5, b"x"):
        with refuses(TypeError, f"record_function(): the name is a text, not {type(name).__name__}", "MG205"):
            minigrad.autograd.profiler.record_function(name)


def test_arguments_without_effect():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with ours(with_modules=True, use_kineto=True,
                  experimental_config=minigrad.autograd.profiler._ExperimentalConfig(),
                  acc_events=True, post_processing_timeout_s=1.5, activity_filters={}) as prof:
            ONES.exp()
    assert [event.name for event in prof.function_events] == ["exp"]
    with pytest.warns(UserWarning, match="mtia is not available"):
        ours(use_mtia=True)


def test_arguments_of_a_wrong_type_or_value():
    with refuses(TypeError, "experimental_config is an _ExperimentalConfig, not dict", "MG205"):
        ours(experimental_config={"verbose": True})
    with refuses(TypeError, "custom_trace_id_callback is a function that returns a text, not str", "MG205"):
        ours(custom_trace_id_callback="mine")


def test_a_negative_timeout(torch, profiler):
    with refuses(ValueError, "post_processing_timeout_s must be non-negative", "MG207"):
        profiler.profile(post_processing_timeout_s=-1)


def test_the_name_of_a_profile(torch, profiler):
    with profiler.profile(custom_trace_id_callback=lambda: "the third run") as prof:
        torch.ones(3).exp()
    assert prof.trace_id == "the third run"
    with profiler.profile() as first, contextlib.suppress():
        torch.ones(3).exp()
    with profiler.profile() as second:
        torch.ones(3).exp()
    assert len(first.trace_id) == 32 and first.trace_id != second.trace_id


def test_the_options_of_kineto(torch, profiler):
    config = profiler._ExperimentalConfig(["metric"], True, verbose=True)
    assert not profiler._ExperimentalConfig().trace_only
    if torch is minigrad:
        assert (config.profiler_metrics, config.profiler_measure_per_kernel, config.verbose) == (["metric"], True, True)
    with profiler.profile(experimental_config=profiler._ExperimentalConfig()) as prof:
        torch.ones(3).exp()
    assert "exp" in operations(prof)


@pytest.mark.parity
def test_the_arguments_are_those_of_pytorch():
    theirs, mine = pytest.importorskip("torch").autograd, minigrad.autograd
    for path in ("profiler.profile", "profiler.profile.key_averages", "profiler.profile.export_chrome_trace",
                 "profiler.profile.export_stacks", "profiler_util.EventList.key_averages",
                 "profiler_util.EventList.table", "profiler_util.EventList.export_stacks", "profiler.emit_nvtx",
                 "profiler.emit_itt", "profiler.record_function", "profiler.load_nvprof"):
        a, b = (inspect.signature(operator.attrgetter(path)(each)) for each in (theirs, mine))
        # of the documentation of PyTorch 2.1
        b = [parameter for parameter in b.parameters.values() if parameter.name != "use_mtia"]
        assert [(p.name, p.kind, p.default) for p in a.parameters.values()] == [(p.name, p.kind, p.default)
                                                                                for p in b], path


def test_grouping_by_the_name_of_an_overload_changes_nothing(torch, profiler):
    with profiler.profile() as prof:
        torch.ones(3) + 1
    assert ([event.key for event in prof.key_averages(group_by_overload_name=True)]
            == [event.key for event in prof.key_averages()])
    assert {event.overload_name for event in prof.key_averages()} == {""}


def test_it_is_loaded_late():
    code = ("import sys, minigrad; assert not [name for name in sys.modules if 'autograd.profiler' in name or name == "
            "'sqlite3'];assert 'profiler' in dir(minigrad.autograd); "
            "minigrad.autograd.profiler.profile;minigrad.as_torch(); from torch.autograd.profiler import profile, "
            "record_function; from torch.autograd.profiler_util import EventList;import torch; assert profile is "
            "torch.autograd.profiler.profile is minigrad.autograd.profiler.profile")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        minigrad.autograd.nothing
