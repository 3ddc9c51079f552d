"""What a profile becomes outside Python: timelines and flame graphs."""

import collections
import json

import pytest

import minigrad
from minigrad.autograd.profiler import EventList, FunctionEvent, profile, record_function
from minigrad.autograd.profiler.records import events_of
from tests.autograd.profiler.test_profiler_tables import known, record
from tests.checking import refuses


def train(steps=3):
    x = minigrad.randn(5, 5, requires_grad=True)
    for _ in range(steps):
        with record_function("step"):
            (x @ x.exp()).tanh().sum().backward()


# ------------------------------------------------------------------------------ the trace-event format

REQUIRED = {"X": {"name", "cat", "ts", "dur"}, "b": {"name", "cat", "ts", "id"}, "e": {"name", "cat", "ts", "id"},
            "s": {"name", "cat", "ts", "id"},
            "f": {"name", "cat", "ts", "id", "bp"}, "C": {"name", "ts", "args"}, "M": {"name", "args"}}
TYPES = {"name": str, "cat": str, "ph": str, "bp": str, "ts": (int, float), "dur": (int, float), "pid": int, "tid": int,
         "id": (int, str), "args": dict}


def nanoseconds(us):
    return round(us * 1000)


def complaints(text):
    """The faults of a trace, by the rules of the format: keys and types by phase, nesting by thread, arrows and pairs
    by id."""
    document = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    if type(document) is not dict or type(document.get("traceEvents")) is not list:
        return ["there is no list of traceEvents"]
    found, complete, arrows, pairs = [], collections.defaultdict(list), collections.defaultdict(
        list), collections.defaultdict(list)
    for event in document["traceEvents"]:
        phase = event.get("ph")
        if phase not in REQUIRED:
            found.append(f"phase {phase}")
            continue
        faults = [f"{phase} lacks {key}" for key in sorted((REQUIRED[phase] | {"pid", "tid"}) - event.keys())]
        faults += [f"{key} of {phase} is {event[key]!r}" for key in event.keys() & TYPES.keys()
                   if not isinstance(event[key], TYPES[key]) or isinstance(event[key], bool)]
        if faults:
            found += faults
            continue
        if event.get("dur", 0) < 0:
            found.append("dur is negative")
        if phase == "X":
            complete[event["pid"], event["tid"]].append((nanoseconds(event["ts"]), nanoseconds(event["ts"])
                                                         + nanoseconds(event["dur"])))
        elif phase in "sf":
            arrows[event["cat"], event["id"]].append(event)
        elif phase in "be":
            pairs[event["cat"], event["id"]].append(event)
        elif phase == "C" and not all([isinstance(value, (int, float)) for value in event["args"].values()]):
            found.append("a counter is not a number")
        elif phase == "M" and not isinstance(event["args"].get("name"), str):
            found.append("a name is missing")
    for spans in complete.values():
        around = []
        for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
            while around and around[-1] <= start:
                around.pop()
            if around and end > around[-1]:
                found.append("overlap")
            around.append(end)
    for group, phases in ((arrows, ["s", "f"]), (pairs, ["b", "e"])):
        for events in group.values():
            if ([event["ph"] for event in events] != phases or events[0]["ts"] > events[1]["ts"] or events[0]["name"]
                != events[1]["name"]):
                found.append(f"unmatched {events[0]['ph']}")
    for events in arrows.values():
        for event in events:
            if not any([start <= nanoseconds(event["ts"]) <= end
                        for start, end in complete[event["pid"], event["tid"]]]):
                found.append("an arrow that is tied to nothing")
    return found


def trace_of(prof, path):
    prof.export_chrome_trace(path)
    text = path.read_text(encoding="utf-8")
    assert complaints(text) == []
    return json.loads(text)["traceEvents"]


def of_phase(trace, phase):
    return [event for event in trace if event["ph"] == phase]


def test_a_trace(tmp_path):
    with profile(record_shapes=True, with_stack=True, profile_memory=True, with_flops=True) as prof:
        train()
    trace = trace_of(prof, tmp_path / "trace.json")
    shown = [event for event in prof.function_events if event.name != "[memory]"]
    complete = of_phase(trace, "X")
    assert [event["name"] for event in complete] == [event.name for event in shown]
    assert [nanoseconds(event["dur"]) for event in complete] == [event.total_ns for event in shown]
    assert {event["tid"] for event in complete} == {shown[0].thread}
    product = next(event for event in complete if event["name"] == "mm")
    assert product["args"]["Input Dims"] == [[5, 5], [5, 5]] and product["args"]["Flops"] == 250
    assert product["args"]["Bytes"] == 100
    assert product["args"]["Sequence number"] > 0 and "train" in product["args"]["Call stack"][0]
    assert {event["name"] for event in of_phase(trace, "M")} == {"process_name", "thread_name"}


def test_arrows_lead_from_operations_to_their_nodes(tmp_path):
    with profile() as prof:
        train(2)
    trace = trace_of(prof, tmp_path / "trace.json")
    ends = {}
    for phase in "sf":
        starts = {event["ts"]: event["name"] for event in of_phase(trace, "X")}
        ends[phase] = [starts[event["ts"]] for event in of_phase(trace, phase)]
    assert list(zip(ends["s"], ends["f"])) == 2 * [("sum", "SumBackward0"), ("tanh", "TanhBackward0"),
                                                   ("mm", "MmBackward0"), ("exp", "ExpBackward0")]
    assert all([event["bp"] == "e" for event in of_phase(trace, "f")])


def test_a_graph_that_is_used_twice_has_two_arrows(tmp_path):
    x = minigrad.ones(3, requires_grad=True)
    with profile() as prof:
        y = x.exp()
        y.backward(minigrad.ones(3), retain_graph=True)
        y.backward(minigrad.ones(3))
    assert len(of_phase(trace_of(prof, tmp_path / "trace.json"), "s")) == 2


def test_the_memory_in_use(tmp_path):
    with profile(profile_memory=True) as prof:
        y = minigrad.ones(1000)
        z = y.exp()
        del y
        w = z.sin()
    counted = of_phase(trace_of(prof, tmp_path / "trace.json"), "C")
    assert [event["args"]["bytes"] for event in counted][-1] == 8000
    assert max([event["args"]["bytes"] for event in counted]) == 8000
    del w
    with profile() as prof:
        minigrad.ones(1000).exp()
    assert of_phase(trace_of(prof, tmp_path / "trace.json"), "C") == []


def test_overlapping_labels_in_a_trace(tmp_path):
    events = EventList(events_of([
        record("a", 0, 6_000, kind="user", asynchronous=True), record("exp", 1_000, 2_000, 0),
        record("b", 3_000, 9_000, 0, kind="user"),
    ], 0, 1, False))
    trace = trace_of(events, tmp_path / "trace.json")
    assert [(event["ph"], event["name"], event["ts"]) for event in trace if event["ph"] in "be"] == [("b", "a", 0.0), (
        "e", "a", 6.0)]


def test_an_empty_trace_and_odd_names(tmp_path):
    assert [event["name"] for event in trace_of(EventList(), tmp_path / "trace.json")] == ["process_name"]
    with profile() as prof, record_function('quotes " and \\ and \n and é'):
        pass
    assert of_phase(trace_of(prof, tmp_path / "trace.json"), "X")[0]["name"] == 'quotes " and \\ and \n and é'


@pytest.mark.parametrize(("change", "complaint"), [
    (lambda trace: trace[2].pop("dur"), "X lacks dur"),
    (lambda trace: trace[2].update(dur=-1), "dur is negative"),
    (lambda trace: trace[2].update(ts="0"), "ts of X is '0'"),
    (lambda trace: trace[3].update(dur=1e9), "overlap"),
    (lambda trace: trace[2].update(ph="Z"), "phase Z"),
    (lambda trace: of_phase(trace, "f")[0].update(id=99), "unmatched f"),
    (lambda trace: of_phase(trace, "s")[0].update(ts=-5), "an arrow that is tied to nothing"),
    (lambda trace: of_phase(trace, "C")[0]["args"].update(bytes="12"), "a counter is not a number"),
    (lambda trace: trace[0]["args"].clear(), "a name is missing"),
    (lambda trace: of_phase(trace, "f")[0].pop("bp"), "f lacks bp"),
])
def test_a_faulty_trace_is_found(tmp_path, change, complaint):
    trace = trace_of(known(profile_memory=True), tmp_path / "trace.json")
    change(trace)
    assert any([complaint in each for each in complaints(json.dumps({"traceEvents": trace}, default=str))])


# ------------------------------------------------------------------------------ flame graphs

def test_folded_stacks(tmp_path):
    known().export_stacks(tmp_path / "stacks.txt", "self_cpu_time_total")
    assert (tmp_path / "stacks.txt").read_text() == (
        "main.py(9):_<module>;a_b.py(3):_f 2\nmain.py(9):_<module>;a_b.py(3):_f 3\nmain.py(9):_<module>;a_b.py(3):_f "
        "1\n")
    assert known().supported_export_stacks_metrics()[0] == "self_cpu_time_total"


@pytest.mark.parity
def test_folded_stacks_are_written_as_in_pytorch(tmp_path):
    util = pytest.importorskip("torch.autograd.profiler_util")
    ours = known()
    theirs = util.EventList([util.FunctionEvent(event.id, event.name, event.thread, event.time_range.start,
                                                event.time_range.end, stack=event.stack)
                             for event in ours])
    theirs._populate_cpu_children()
    assert theirs.supported_export_stacks_metrics() == ours.supported_export_stacks_metrics()
    for metric in ours.supported_export_stacks_metrics():
        ours.export_stacks(tmp_path / "ours.txt", metric)
        theirs.export_stacks(str(tmp_path / "theirs.txt"), metric)
        assert (tmp_path / "ours.txt").read_text() == (tmp_path / "theirs.txt").read_text()


def test_stacks_of_a_program(tmp_path):
    with profile(with_stack=True) as prof:
        train(5)
    prof.export_stacks(tmp_path / "stacks.txt")
    lines = (tmp_path / "stacks.txt").read_text().splitlines()
    assert lines and all([line.rpartition(" ")[2].isdigit() and ":_train" in line.rpartition(" ")[0].rpartition(";")[2]
                          for line in lines])


def test_stacks_that_were_not_recorded(tmp_path):
    with profile() as prof:
        pass
    with refuses(RuntimeError, "export_stacks() requires with_stack=True", "MG505"):
        prof.export_stacks(tmp_path / "stacks.txt")
    with refuses(ValueError, "metric should be one of: ['self_cpu_time_total'", "MG207"):
        known().export_stacks(tmp_path / "stacks.txt", "time")


def test_stacks_of_a_file_whose_name_is_not_unicode(tmp_path):
    event = FunctionEvent(0, "mul", 1, 0, 5000, stack=["a\udcff.py(3): f"])
    EventList([event]).export_stacks(tmp_path / "stacks", "self_cpu_time_total")
    assert (tmp_path / "stacks").read_text(encoding="utf-8") == "a\\udcff.py(3):_f 5\n"


def test_a_label_ends_no_script_that_holds_the_trace(tmp_path):
    name = "</script><script>alert(1)</script><!-- \ud800 \u2028 \"quoted\""
    with profile() as prof, record_function(name):
        minigrad.ones(2).exp()
    prof.export_chrome_trace(tmp_path / "trace.json", metadata={"author": "</script>"})
    text = (tmp_path / "trace.json").read_text(encoding="utf-8")
    trace = json.loads(text)
    assert "<" not in text and "\u2028" not in text
    assert trace["author"] == "</script>" and trace["trace_id"] == prof.trace_id
    assert name in [event["name"] for event in trace["traceEvents"]]


def test_every_stack_is_one_line(tmp_path):
    with profile(with_stack=True) as prof:
        exec(compile("import time\nwith label('slow'):\n    time.sleep(0.001)", "a;b\rc\x85d\u2028e f.py", "exec"),
             {"label": record_function})
    prof.export_stacks(tmp_path / "stacks.txt", "self_cpu_time_total")
    lines = (tmp_path / "stacks.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 and "a_b_c_d_e_f.py(2):_<module>" in lines[0]
