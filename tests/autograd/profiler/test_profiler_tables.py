"""What a profile adds up to, and the tables: on events with times that are known, and beside PyTorch's."""

import re

import pytest

import minigrad
from minigrad.autograd.profiler.records import events_of
from minigrad.autograd.profiler_util.tables import format_memory, format_time
from minigrad.autograd.profiler_util import EventList, FunctionEventAvg
from tests.checking import refuses


def record(name, start, end, parent=-1, kind="op", sequence=0, shapes=None, stack=None, allocated=0, freed=0,
           asynchronous=False):
    return name, kind, start, end, parent, sequence, shapes, stack, allocated, freed, asynchronous


#: Nanoseconds: step 0-10000 has mul 1000-3000 and a node 4000-9000, which has mul 5000-6500; then exp, and memory that
#: was given back.
RECORDS = [
    record("step", 0, 10_000, kind="user", allocated=600, freed=100),
    record("mul", 1_000, 3_000, 0, sequence=5, shapes=[[2, 3], []],
           stack=(("a b.py", 3, "f"), ("main.py", 9, "<module>")), allocated=400),
    record("MulBackward0", 4_000, 9_000, 0, kind="node", sequence=5, shapes=[[2, 3]],
           stack=(("main.py", 10, "<module>"),), allocated=200, freed=100),
    record("mul", 5_000, 6_500, 2, shapes=[[3], []], stack=(("main.py", 10, "<module>"),), allocated=200),
    record("exp", 11_000, 11_500, shapes=[[4]], stack=(("main.py", 11, "<module>"),), allocated=2048),
    record("[memory]", 12_000, 12_000, kind="memory", freed=2548),
]


def test_a_name_of_several_lines():
    """It stays in its row."""
    table = known([record("two\nlines", 0, 10, kind="user")]).table()
    assert "two lines" in table and "two\nlines" not in table


def known(records=RECORDS, profile_memory=False, with_flops=False):
    return EventList(events_of(records, 0, 77, with_flops), profile_memory=profile_memory, with_flops=with_flops)


def cells(table):
    """{name: [the other cells of its row]} and the headers; further lines of a stack have no name."""
    lines = table.split("\n")
    rule = next(line for line in lines if line.startswith("-"))
    spans = [match.span() for match in re.finditer("-+", rule)]
    first, second, third = [place for place, line in enumerate(lines) if line == rule]
    split = [[line[start:stop].strip() for start, stop in spans]
             for line in (lines[first + 1], *lines[second + 1:third])]
    return {row[0]: row[1:] for row in split[1:] if row[0]}, split[0]


# ------------------------------------------------------------------------------ events

def test_total_and_self():
    step, mul, node, inner, exp, memory = known()
    assert [event.total_ns for event in known()] == [10_000, 2_000, 5_000, 1_500, 500, 0]
    assert [event.self_ns for event in known()] == [3_000, 2_000, 3_500, 1_500, 500, 0]
    assert (step.cpu_time_total, step.self_cpu_time_total, step.cpu_time, step.count) == (10.0, 3.0, 10.0, 1)
    assert (step.cpu_time_str, inner.self_cpu_time_total_str) == ("10.000us", "1.500us")
    assert [event.self_cpu_memory_usage for event in known()] == [0, 400, -100, 200, 2048, -2548]
    assert inner.cpu_parent is node and node.cpu_children == [inner] and step.cpu_children == [mul, node]
    assert exp.cpu_parent is None
    assert (exp.time_range.start, exp.time_range.end, exp.time_range.elapsed_us()) == (11.0, 11.5, 0.5)
    assert (step.key, step.trace_name, memory.trace_name, exp.thread) == ("step", "step", None, 77)
    assert [event.scope for event in known()] == [7, 0, 1, 0, 0, 0] and not exp.is_remote and exp.node_id == -1


def test_lines_of_the_forward_pass():
    step, mul, node, inner, exp, _ = known()
    assert step.stack == [] and mul.stack == ["a b.py(3): f", "main.py(9): <module>"]
    assert exp.stack == ["main.py(11): <module>"]
    assert node.made_by is mul and node.stack == mul.stack and inner.stack == mul.stack


def test_asynchronous_events():
    """Two tasks take turns: a 0-6, b 2-9, with an operation of each, and one in b alone."""
    events = known([
        record("all", 0, 10, kind="user"), record("a", 0, 6, 0, kind="user", asynchronous=True), record("exp", 1, 2, 1),
        record("b", 2, 9, 1, kind="user"), record("sin", 3, 5, 3), record("cos", 7, 8, 3),
    ])
    everything, a, exp, b, sin, cos = events
    assert exp.cpu_parent is everything and b.cpu_parent is everything and sin.cpu_parent is cos.cpu_parent is b
    assert a.cpu_parent is None and a.cpu_children == []
    assert (a.total_ns, a.self_ns, a.self_cpu_memory_usage) == (6, 0, 0)
    assert sum([event.self_ns for event in events]) == everything.total_ns == 10
    assert cells(events.key_averages().table())[0]["a"][2] == "--"


# ------------------------------------------------------------------------------ sums

def test_averages():
    averages = known().key_averages()
    assert [average.key for average in averages] == ["step", "mul", "MulBackward0", "exp", "[memory]"]
    mul = averages[1]
    assert (mul.count, mul.cpu_time_total, mul.self_cpu_time_total, mul.cpu_time) == (2, 3.5, 3.5, 1.75)
    assert (mul.cpu_memory_usage, mul.self_cpu_memory_usage, mul.input_shapes, mul.stack) == (600, 600, [], [])
    assert averages.self_cpu_time_total == known().self_cpu_time_total == 10.5


def test_a_label_is_not_an_operation():
    averages = known([record("mul", 0, 5, kind="user"), record("mul", 1, 2, 0)]).key_averages()
    assert [(average.count, average.is_user_annotation) for average in averages] == [(1, True), (1, False)]


def test_averages_by_shapes():
    averages = known().key_averages(group_by_input_shapes=True)
    assert [(each.key, each.input_shapes, each.count) for each in averages if each.key
            == "mul"] == [("mul", [[2, 3], []], 1), (
        "mul", [[3], []], 1)]


def test_averages_by_lines():
    events = known([record("mul", n, n + 1, stack=((file, line, "f"), ("main.py", 1, "g"))) for n, (file, line) in
                    enumerate([("a.py", 1), ("a.py", 2), ("a.py", 1), ("b.py", 1)])])
    for depth, expected in ((0, [4]), (1, [2, 1, 1]), (2, [2, 1, 1])):
        averages = events.key_averages(group_by_stack_n=depth)
        assert [average.count for average in averages] == expected
        assert all([len(average.stack) == depth for average in averages])


def test_total_average():
    total = known().total_average()
    assert (total.key, total.count, total.cpu_time_total, total.self_cpu_time_total) == ("Total", 6, 19.0, 10.5)
    assert (total.cpu_memory_usage, total.self_cpu_memory_usage) == (500 + 400 + 100 + 200 + 2048 - 2548, 0)
    empty = EventList().total_average()
    assert (empty.key, empty.count, empty.cpu_time) == ("Total", 0, 0.0)


def test_averages_of_averages():
    total = FunctionEventAvg()
    for average in known().key_averages():
        total += average
    assert (total.key, total.count, total.self_cpu_time_total) == ("step", 6, 10.5)
    assert repr(total).startswith("<FunctionEventAvg key=step count=6 self_cpu_time=10.500us")


@pytest.mark.parity
def test_sums_are_those_of_pytorch():
    """The same events in the lists of both libraries; PyTorch's constructor takes microseconds."""
    util = pytest.importorskip("torch.autograd.profiler_util")
    ours = known()
    theirs = util.EventList([
        util.FunctionEvent(event.id, event.name, event.thread, event.time_range.start, event.time_range.end,
                           input_shapes=event.input_shapes,
                           stack=event.stack, cpu_memory_usage=event.cpu_memory_usage, sequence_nr=event.sequence_nr,
                           flops=event.id)
        for event in ours
    ])
    theirs._tree_built = True
    theirs._populate_cpu_children()
    for event in ours:
        event.flops = event.id
    def same(value):
        return pytest.approx(value) if isinstance(value, float) else value

    names = ("key", "count", "cpu_time_total", "self_cpu_time_total", "cpu_time", "cpu_memory_usage",
             "self_cpu_memory_usage", "stack", "flops", "cpu_time_str", "cpu_time_total_str", "self_cpu_time_total_str")
    for options in ({}, {"group_by_input_shapes": True}, {"group_by_stack_n": 1},
                    {"group_by_stack_n": 5, "group_by_input_shapes": True}):
        for mine, other in zip(ours.key_averages(**options), theirs.key_averages(**options), strict=True):
            for name in names:
                assert getattr(mine, name) == same(getattr(other, name)), name
            assert not options.get("group_by_input_shapes") or mine.input_shapes == other.input_shapes
    mine, other = ours.total_average(), theirs.total_average()
    assert all([getattr(mine, name) == same(getattr(other, name)) for name in names[:7]])
    assert ours.self_cpu_time_total == pytest.approx(theirs.self_cpu_time_total)


# ------------------------------------------------------------------------------ tables

def test_a_table():
    assert known(profile_memory=True, with_flops=True).key_averages().table(sort_by="self_cpu_time_total", header="Known times") == """\
=========================================================================================================================
Known times
------------  ----------  --------  -----------  ---------  ------------  --------  ------------  ----------  -----------
Name          Self CPU %  Self CPU  CPU total %  CPU total  CPU time avg   CPU Mem  Self CPU Mem  # of Calls  Total FLOPs
------------  ----------  --------  -----------  ---------  ------------  --------  ------------  ----------  -----------
mul               33.33%   3.500us       33.33%    3.500us       1.750us     600 B         600 B           2        9.000
MulBackward0      33.33%   3.500us       47.62%    5.000us       5.000us     100 B        -100 B           1           --
step              28.57%   3.000us       95.24%   10.000us      10.000us     500 B           0 B           1           --
exp                4.76%   0.500us        4.76%    0.500us       0.500us   2.00 KB       2.00 KB           1           --
[memory]           0.00%   0.000us        0.00%    0.000us       0.000us  -2.49 KB      -2.49 KB           1           --
------------  ----------  --------  -----------  ---------  ------------  --------  ------------  ----------  -----------
Self CPU time total: 10.500us

Name          an operation, a node of the backward pass (...Backward), or a label of yours
Self CPU %    Self CPU as a share of all Self CPU
Self CPU      time in it, without the operations it calls; the column adds up to the time measured
CPU total %   CPU total as a share of all Self CPU; adds up to more, as what is called counts again
CPU total     time in it, with everything it calls
CPU time avg  CPU total of one call
CPU Mem       bytes allocated minus bytes released, with everything it calls
Self CPU Mem  the same, without the operations it calls
# of Calls    how often it ran
Total FLOPs   arithmetic of matrix products, mul and add, counted from their shapes
"""


def test_the_legend_has_each_column_and_no_other():
    for options, given in (({}, {}), ({"profile_memory": True, "with_flops": True}, {}), ({}, {"group_by_stack_n": 2}),
                           ({}, {"group_by_input_shapes": True})):
        table = known(**options).key_averages(**given).table()
        legend = table.split("\n\n")[1].strip("\n").split("\n")
        width = max(map(len, cells(table)[1]))
        assert [line[:width].strip() for line in legend] == cells(table)[1]
        assert all([len(line) > width + 5 for line in legend])
        assert max(map(len, legend)) <= 120


def test_the_usual_table_is_readable_in_105_columns():
    x = minigrad.randn(1, 1, requires_grad=True)
    with minigrad.autograd.profiler.profile() as prof:
        for _ in range(100):
            y = x ** 2
            y.backward()
    table = prof.key_averages().table(sort_by="self_cpu_time_total")
    assert "torch::autograd::AccumulateGrad" in cells(table)[0] and max(map(len, table.split("\n"))) <= 105


def test_percentages_are_of_all_self_times():
    rows, headers = cells(known().table(row_limit=1))
    assert list(rows) == ["step"] and rows["step"][headers.index("CPU total %") - 1] == "95.24%"


@pytest.mark.parametrize("key", ["cpu_time", "cpu_time_total", "self_cpu_time_total", "cpu_memory_usage",
                                 "self_cpu_memory_usage", "count", "flops"])
def test_sorting(key):
    averages = known(with_flops=True).key_averages()
    expected = [average.key for average in sorted(averages, key=lambda average: getattr(average, key), reverse=True)]
    assert list(cells(averages.table(sort_by=key))[0]) == expected


def test_sorting_by_what_is_not_there():
    with refuses(ValueError, "cannot sort by 'self_cpu'; sort_by is one of 'cpu_time', 'cpu_time_total', "
                 "'self_cpu_time_total'", "MG207"):
        known().table(sort_by="self_cpu")
    assert list(cells(known().key_averages().table(sort_by="cuda_time_total"))[0]) == ["step", "mul", "MulBackward0",
                                                                                       "exp", "[memory]"]


def test_rows():
    table = known().table(row_limit=2)
    assert list(cells(table)[0]) == ["step", "mul"] and "Self CPU time total: 10.500us" in table
    assert len(cells(known().key_averages().table(row_limit=-1))[0]) == 5
    top = known().table(top_level_events_only=True)
    assert list(cells(top)[0]) == ["step", "exp", "[memory]"]
    assert "This report only display top-level ops statistics" in top
    assert list(cells(known().table(top_level_events_only=True, row_limit=2))[0]) == ["step", "exp"]


def test_long_texts_are_cut():
    events = known([record("n" * 80, 0, 1, shapes=[[1000 + n] for n in range(40)],
                           stack=(("/long/path/" + "p" * 90 + ".py", 1, "f"),))])
    rows, headers = cells(events.table())
    name, row = next(iter(rows.items()))
    assert name == "n" * 52 + "..." and len(row[headers.index("Input Shapes") - 1]) == 80
    source = row[headers.index("Source Location") - 1]
    assert len(source) == 75 and source.startswith("...ppp") and source.endswith("ppp.py(1): f")
    rows, headers = cells(events.table(max_name_column_width=None, max_shapes_column_width=None,
                                       max_src_column_width=None))
    assert list(rows) == ["n" * 80] and rows["n" * 80][headers.index("Source Location") - 1] == events[0].stack[0]


def test_a_line_for_each_frame():
    table = known().table()
    assert cells(table)[1][-1] == "Source Location"
    lines = [line for line in table.split("\n") if line.endswith("main.py(9): <module>")]
    assert len(lines) == 3 and all([line.strip() == "main.py(9): <module>" for line in lines])


def test_units():
    assert cells(known().table(time_unit="ms"))[0]["step"][1] == "0.003ms"
    assert "Self CPU time total: 0.011ms" in known().table(time_unit="ms")
    assert [format_time(us) for us in (0, 0.25, 999.9, 1000, 1.5e6)] == ["0.000us", "0.250us", "999.900us", "1.000ms",
                                                                         "1.500s"]
    assert [format_memory(n) for n in (0, -5, 1023, 1024, -1536, 3 * 2**20, 2**31)] == ["0 B", "-5 B", "1023 B",
                                                                                        "1.00 KB", "-1.50 KB",
                                                                                        "3.00 MB", "2.00 GB"]
    with refuses(ValueError, "time_unit is one of 's', 'ms', 'us', or None, not 'minutes'", "MG207"):
        known().table(time_unit="minutes")


def test_the_unit_of_flops():
    with minigrad.autograd.profiler.profile(with_flops=True) as prof:
        minigrad.ones(100, 100) @ minigrad.ones(100, 100)
    assert cells(prof.table())[0]["mm"][-1] == "2.000" and cells(prof.table())[1][-1] == "Total MFLOPs"


def test_empty_tables():
    assert EventList().table() == str(EventList()) == "" and EventList().table(sort_by="count") == ""
    with minigrad.autograd.profiler.profile() as prof:
        pass
    assert str(prof) == "" and prof.function_events == [] and prof.self_cpu_time_total == 0


@pytest.mark.parity
def test_quantities_are_written_as_in_pytorch():
    util = pytest.importorskip("torch.autograd.profiler_util")
    for number in (0, 0.4, 1, 999.9996, 1000, 31415.9, 999999, 1e6, 5e9):
        assert format_time(number) == util._format_time(number)
    for number in (0, 1, -1, 1023, 1024, -3000, 2**20, 5 * 2**30):
        assert format_memory(number) == util._format_memory(number)
