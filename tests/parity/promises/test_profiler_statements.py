"""What the seed documents say of profilers, one test for each statement that can be tested; its number is in the name.

The vendors' libraries are stood in for by modules that note what they are told.
"""

import asyncio
import json
import re
import sqlite3
import sys
import threading
import time
import types

import pytest

import minigrad as torch
from minigrad.autograd.profiler import emit_itt, emit_nvtx, load_nvprof, profile
from tests.checking import refuses


def names(prof):
    return [event.name for event in prof.function_events]


def counts(prof):
    return {average.key: average.count for average in prof.key_averages()}


def squares(n=100, **options):
    x = torch.randn((1, 1), requires_grad=True)
    with profile(**options) as prof:
        for _ in range(n):
            y = x ** 2
            y.backward()
    return prof


# ------------------------------------------------------------------------------ profile

def test_s062_the_context_manager_holds_the_summary():
    prof = squares(2)
    assert prof.key_averages() and prof.table() and prof.total_average().count == len(prof.function_events)


def test_s063_any_code_may_be_in_the_block_and_only_operations_are_reported():
    with profile() as prof:
        text = "".join([str(i) for i in range(10)])
        torch.ones(3).exp()
        assert sorted(text) and json.dumps([1])
    assert names(prof) == ["ones", "exp"]


def test_s064_it_belongs_to_its_thread():
    with profile() as prof:
        other = threading.Thread(target=lambda: torch.ones(3).sin())
        other.start()
        other.join()
        torch.ones(3).exp()
    assert names(prof) == ["ones", "exp"]


def test_s065_asynchronous_tasks_belong_to_it():
    async def task(function):
        await asyncio.sleep(0)
        return function(torch.ones(3))

    async def both():
        await asyncio.gather(task(torch.exp), task(torch.sin))

    with profile() as prof:
        asyncio.run(both())
    assert {"exp", "sin"} <= set(names(prof))


def test_s066_switched_off_it_does_nothing():
    with profile(enabled=False) as prof:
        torch.ones(3).exp()
    assert prof.key_averages() == [] and prof.self_cpu_time_total == 0 and prof.table() == ""


def test_s067_timing_with_cuda_says_that_there_is_none():
    with pytest.warns(UserWarning, match="cuda is not available"):
        prof = profile(use_cuda=True)
    with prof:
        torch.ones(3).exp()
    assert names(prof) == ["ones", "exp"]


def test_s068_shapes_of_inputs():
    with profile(record_shapes=True) as prof:
        torch.ones(2, 3) @ torch.ones(3, 4)
    assert prof.function_events[-1].input_shapes == [[2, 3], [3, 4]]


def test_s069_groups_by_shapes():
    with profile(record_shapes=True) as prof:
        torch.ones(2).exp(), torch.ones(3).exp(), torch.ones(3).exp()
    grouped = [(each.input_shapes, each.count)
               for each in prof.key_averages(group_by_input_shape=True) if each.key == "exp"]
    assert grouped == [([[2]], 1), ([[3]], 2)]


def test_s072_s073_flops_of_matrix_products():
    x, w = torch.ones(2, 3), torch.ones(3, 4)
    with profile(with_flops=True) as prof:
        x @ w, x.exp()
    assert [(event.name, event.flops) for event in prof.function_events] == [("matmul", 0), ("mm", 48), ("exp", 0)]


def test_s074_memory_that_is_taken_and_given_back():
    with profile(profile_memory=True) as prof:
        x = torch.ones(1000)
        y = x.exp()
        del y
    exp, = [event for event in prof.function_events if event.name == "exp"]
    assert exp.cpu_memory_usage == 4000 and sum([event.self_cpu_memory_usage for event in prof.function_events]) == 4000


def test_s075_file_and_line():
    with profile(with_stack=True) as prof:
        torch.ones(3).exp()
    line = test_s075_file_and_line.__code__.co_firstlineno + 2
    assert prof.function_events[-1].stack[0] == f"{__file__}({line}): test_s075_file_and_line"


def test_s076_s077_s079_modules_kineto_and_its_options_are_accepted():
    config = torch.autograd.profiler._ExperimentalConfig(verbose=True)
    with profile(with_modules=True, use_kineto=True, experimental_config=config) as prof:
        torch.ones(3)
    assert names(prof) == ["ones"]


def test_s078_without_the_cpu_there_must_be_kineto():
    with refuses(RuntimeError, "Device-only events supported only with Kineto (use_kineto=True)", "MG505"):
        profile(use_cpu=False)


@pytest.mark.parametrize("option", [{"use_device": "cuda"}, {"use_mtia": True}])
def test_s080_devices(option):
    with pytest.warns(UserWarning, match="is not available"):
        profile(**option)


def test_s081_a_hundred_squares():
    """The rows of the example: 200 mul, 200 pow, and 100 of each node."""
    assert {key: count for key, count in counts(squares()).items() if key != "add_"} == {
        "mul": 200, "pow": 200, "PowBackward0": 100, "torch::autograd::AccumulateGrad": 100,
        "torch::autograd::GraphRoot": 100}


def test_s082_the_most_expensive_first():
    prof = squares(20)
    times = [each.self_cpu_time_total for each in prof.key_averages()]
    table = prof.key_averages().table(sort_by="self_cpu_time_total").split("\n")
    first = next(each.key for each in prof.key_averages() if each.self_cpu_time_total == max(times))
    assert table[3].startswith(first)


def test_s083_the_sum_of_all_self_times():
    prof = squares(20)
    assert prof.self_cpu_time_total == pytest.approx(sum([event.self_cpu_time_total for event in prof.function_events]))


def test_s084_averages_by_key():
    prof = squares(10)
    average, = [each for each in prof.key_averages() if each.key == "PowBackward0"]
    runs = [event.cpu_time_total for event in prof.function_events if event.name == "PowBackward0"]
    assert average.count == len(runs) == 10 and average.cpu_time == pytest.approx(sum(runs) / 10)


def test_s085_one_average_of_all():
    prof = squares(10)
    total = prof.total_average()
    assert total.key == "Total" and total.count == len(prof.function_events)
    assert total.self_cpu_time_total == pytest.approx(prof.self_cpu_time_total)


def test_s086_a_file_for_chrome(tmp_path):
    prof = squares(2)
    prof.export_chrome_trace(tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    assert [event["name"] for event in events if event["ph"] == "X"] == names(prof)


# ------------------------------------------------------------------------------ ranges

class Vendor(types.ModuleType):
    """In place of nvtx and of ittapi: notes the text of each range that begins, None for each that ends."""

    def __init__(self, name):
        super().__init__(name)
        self.calls = []

    def push_range(self, text, domain):
        self.calls.append(text)

    def pop_range(self, domain):
        self.calls.append(None)

    def domain(self, name):
        return name

    def string_handle(self, text):
        return text

    def task_begin(self, domain, text):
        self.calls.append(text)

    def task_end(self, domain):
        self.calls.append(None)

    @property
    def texts(self):
        assert self.calls.count(None) * 2 == len(self.calls)
        return [text for text in self.calls if text is not None]


@pytest.fixture
def nvtx(monkeypatch):
    vendor = Vendor("nvtx")
    monkeypatch.setitem(sys.modules, "nvtx", vendor)
    return vendor


@pytest.fixture
def ittapi(monkeypatch):
    vendor = Vendor("ittapi")
    monkeypatch.setitem(sys.modules, "ittapi", vendor)
    return vendor


def number(text):
    return int(re.search(r"seq = (\d+)", text)[1])


def test_s087_every_operation_is_an_nvtx_range(nvtx):
    x = torch.ones(3, requires_grad=True)
    with emit_nvtx():
        x.exp().sum().backward()
    assert [text.split(",")[0] for text in nvtx.texts][:2] == ["exp", "sum"]
    assert any("ExpBackward0" in text for text in nvtx.texts)


def test_s091_switched_off_it_emits_nothing(nvtx):
    with emit_nvtx(enabled=False):
        torch.ones(3).exp()
    assert nvtx.texts == []


def test_s092_ranges_with_sizes(nvtx):
    x = torch.ones(2, 3)
    with emit_nvtx(record_shapes=True), torch.no_grad():
        x * 2
        x + torch.ones(3)
    assert nvtx.texts[0].endswith("sizes = [[2, 3], []]") and nvtx.texts[-1].endswith("sizes = [[2, 3], [3]]")


def test_s095_a_warm_up_changes_nothing(nvtx):
    """The example: the model once before, then once in the context; the outer one says that there is no CUDA."""
    def model(x):
        return x.exp()

    x = torch.ones(3)
    with pytest.warns(UserWarning, match="there is no CUDA here"):
        with torch.cuda.profiler.profile():
            model(x)
            with emit_nvtx():
                model(x)
    assert len(nvtx.texts) == 1


def test_s096_s097_s098_ranges_of_the_forward_pass_carry_a_running_number(nvtx):
    x = torch.ones(3, requires_grad=True)
    with emit_nvtx():
        torch.ones(3) > 0                       # records nothing, so the next one carries the same number
        y = x.exp()
        z = y.sin()
    compare, exp, sin = [number(text) for text in nvtx.texts[-3:]]
    assert compare == exp == y.grad_fn._sequence_nr() and sin == z.grad_fn._sequence_nr() == exp + 1


def test_s099_s100_nodes_carry_the_number_of_the_operation_that_made_them(nvtx):
    x = torch.ones(3, requires_grad=True)
    with emit_nvtx():
        x.exp().sin().backward(torch.ones(3))
    forward = {text.split(",")[0]: number(text) for text in nvtx.texts if text.startswith(("exp,", "sin,"))}
    stashed = {text.split(",")[0]: number(text) for text in nvtx.texts if "stashed seq" in text}
    assert stashed == {"ExpBackward0": forward["exp"], "SinBackward0": forward["sin"]}


def test_s101_operations_inside_a_backward_pass_carry_zero(nvtx):
    x = torch.ones(3, requires_grad=True)
    y = x.exp()
    with emit_nvtx():
        y.backward(torch.ones(3))
    inside = [number(text) for text in nvtx.texts if text.startswith("mul")]
    assert inside and set(inside) == {0}


@pytest.mark.filterwarnings("ignore:Using backward.. with create_graph=True")
def test_s103_s104_s105_double_backward_can_be_matched(nvtx):
    x = torch.ones(3, requires_grad=True)
    with emit_nvtx():
        slope, = torch.autograd.grad(x.exp().sum(), x, create_graph=True)
        first = list(nvtx.texts)
        slope.sum().backward()
    made = {number(text) for text in first if text.startswith("mul") and "stashed" not in text}
    second = {number(text) for text in nvtx.texts[len(first):] if "stashed" in text}
    assert 0 not in made and made & second


def test_s106_every_operation_is_an_itt_range(ittapi):
    x = torch.ones(3, requires_grad=True)
    with emit_itt():
        x.exp().sum().backward()
    assert [text.split(",")[0] for text in ittapi.texts][:2] == ["exp", "sum"]


def test_s109_itt_ranges_have_the_same_arguments_and_texts(nvtx, ittapi):
    x = torch.ones(2, 3)
    with emit_itt(enabled=False):
        x.exp()
    for emit in (emit_nvtx, emit_itt):
        with emit(record_shapes=True), torch.no_grad():
            x * 2
    assert nvtx.texts == ittapi.texts == ["mul, seq = 0, sizes = [[2, 3], []]"]


def test_s107_the_example_runs_where_the_package_is_absent(monkeypatch):
    monkeypatch.setitem(sys.modules, "ittapi", None)
    with pytest.warns(UserWarning, match="the package ittapi, .* is not installed"):
        with torch.autograd.profiler.emit_itt():
            y = torch.ones(3).exp()
    assert y.shape == (3,)


def test_s090_s110_load_nvprof_reads_annotations(tmp_path):
    with sqlite3.connect(tmp_path / "trace.prof") as trace:
        trace.executescript("""
            CREATE TABLE StringTable(_id_ INTEGER, value TEXT);
            CREATE TABLE CUPTI_ACTIVITY_KIND_MARKER(id INT, name INT, timestamp INT);
            CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INT, end INT, correlationId INT);
            CREATE TABLE CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL(start INT, end INT, correlationId INT, name INT);
            INSERT INTO StringTable VALUES (1, 'mul, seq = 5'), (2, 'kernel');
            INSERT INTO CUPTI_ACTIVITY_KIND_MARKER VALUES (7, 1, 1000), (7, 0, 4000);
            INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (2000, 2100, 3);
            INSERT INTO CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL VALUES (5000, 5500, 3, 2);
        """)
    trace.close()
    event, = load_nvprof(tmp_path / "trace.prof")
    assert (event.name, event.cpu_time_total, event.device_time_total) == ("mul, seq = 5", 3.0, 0.5)


def test_s071_inner_events_lose_no_time_to_outer_ones():
    with profile(record_shapes=True) as prof:
        torch.ones(3, 3) @ torch.ones(3, 3)
        time.sleep(0.001)
    matmul, mm = prof.function_events[-2:]
    assert (matmul.name, mm.name, mm.cpu_parent) == ("matmul", "mm", matmul)
    assert matmul.total_ns == matmul.self_ns + mm.total_ns
