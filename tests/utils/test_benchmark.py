"""Times of statements: torch.utils.benchmark."""

import importlib
import itertools
import re

import pytest

from tests.checking import refuses


@pytest.fixture
def benchmark(torch):
    return importlib.import_module(f"{torch.__name__}.utils.benchmark")


def clock(*steps):
    """A clock that advances by these steps between its calls, in turn."""
    times = itertools.accumulate(itertools.cycle([0, *steps]))
    return lambda: next(times)


def measured(benchmark, times, n=1, **task):
    return benchmark.Measurement(n, times, benchmark.TaskSpec("f(x)", "pass", **task))


def test_a_timer_measures_its_statement_with_the_clock(benchmark):
    made = []
    timer = benchmark.Timer("f(torch)", "f = made.append", globals={"made": made}, timer=clock(2.), num_threads=1)
    m = timer.timeit(10)
    assert m.number_per_run == 10 and m.raw_times == [2.] and m.median == m.mean == 0.2 and m.iqr == 0
    assert len(made) == 12                                          # two runs do not count


def test_the_statement_runs_with_the_threads_that_are_asked_for(benchmark, torch):
    seen, before = [], torch.get_num_threads()
    benchmark.Timer("seen.append(torch.get_num_threads())", globals={"seen": seen}, num_threads=2).timeit(1)
    assert {*seen} == {2} and torch.get_num_threads() == before


def test_blocks_are_repeated_for_a_time(benchmark):
    seen = []
    m = benchmark.Timer("sum(range(100))").blocked_autorange(lambda *each: seen.append(each), min_run_time=0.01)
    assert sum(m.raw_times) >= 0.01 and seen == [(m.number_per_run, t) for t in m.raw_times]
    assert m.number_per_run in (10, 100, 1000, 10000, 100000)


def test_adaptive_blocks_end_at_their_longest_time(benchmark):
    timer = benchmark.Timer(timer=clock(1.))
    m = timer.adaptive_autorange(max_run_time=3)
    assert m.number_per_run == 1 and m.raw_times == [1.] * 4


def test_statistics(benchmark):
    m = measured(benchmark, [4e-6, 2e-6, 2.2e-6, 2.1e-6], 2)
    assert m.times == [2e-6, 1e-6, 1.1e-6, 1.05e-6] and m.median == pytest.approx(1.075e-6)
    assert m.mean == pytest.approx(1.2875e-6) and m.iqr == pytest.approx(0.2875e-6)
    assert m.has_warnings and not m.meets_confidence(0.25) and m.meets_confidence(0.3) and m.significant_figures == 1
    assert [each.raw_times for each in benchmark.Measurement.merge([m, m])] == [m.times * 2]


def test_how_a_measurement_prints(benchmark):
    m = measured(benchmark, [90e-6, 100e-6, 110e-6, 130e-6, 90e-6], 4, label="f", sub_label="large", description="new")
    head, *lines = repr(m).splitlines()
    assert re.fullmatch(r"<.*Measurement object at 0x\w+>", head)
    assert lines == ["f: large", "new", "  Median: 25.00 us", "  IQR:    5.00 us (22.50 to 27.50)",
                     "  5 measurements, 4 runs per measurement, 1 thread",
                     "  WARNING: Interquartile range is 20.0% of the median measurement.",
                     "           This could indicate system fluctuation."]


def table(benchmark):
    def m(size, way, times, **task):
        return measured(benchmark, times, label="f", sub_label=size, description=way, **task)
    return benchmark.Compare([m("small", "old", [2e-6, 2.1e-6, 2.2e-6, 4e-6]), m("large", "old", [9e-5]),
                              m("large", "new column", [5e-5, 9e-5, 13e-5])])


def test_tables(benchmark):
    plain = table(benchmark)
    assert [line.rstrip() for line in str(plain).splitlines()] == [
        "[--------------- f ---------------]", "             |  old   |  new column",
        "1 threads: ------------------------", "      small  |   2.1  |", "      large  |  90.0  |     90.0", "",
        "Times are in microseconds (us)."]
    warned = table(benchmark)
    warned.highlight_warnings()
    assert "  2.1 (! 27%)" in str(warned) and "(! XX%) Measurement has high variance" in str(warned)
    trimmed = table(benchmark)
    trimmed.trim_significant_figures()
    assert "|    2  |" in str(trimmed)
    for rowwise in (False, True):
        colored = table(benchmark)
        colored.colorize(rowwise)
        assert ("\033[31m\033[1m" in str(colored)) is not rowwise and "\033[92m\033[1m" in str(colored)


def test_units(benchmark):
    assert [benchmark.select_unit(t)[0] for t in (1e-9, 5e-7, 2e-6, 0.5, 7)] == ["ns", "ns", "us", "ms", "s"]
    assert benchmark.unit_to_english("ms") == "millisecond" and benchmark.trim_sigfig(123456., 2) == 120000.


def test_what_is_refused(benchmark):
    for wrong in ({"stmt": len}, {"language": "java"}, {"global_setup": "x"}):
        with pytest.raises(ValueError):
            benchmark.Timer(**wrong)
    with pytest.raises(ValueError, match="Expected an instance of `Measurement`"):
        benchmark.Compare([1.])
    for method in ("repeat", "autorange"):
        with refuses(NotImplementedError, "See `Timer.blocked_autorange.`", "MG503"):
            getattr(benchmark.Timer(), method)()


def test_instructions_are_not_counted():
    import minigrad
    with refuses(NotImplementedError, "which minigrad does not call", "MG503"):
        minigrad.utils.benchmark.Timer().collect_callgrind()


def test_titles_and_setups_of_several_lines(benchmark):
    def task(stmt, setup="pass", **named):
        return benchmark.TaskSpec(stmt, setup, **named)

    assert task("a\nb", sub_label="small").title == "stmt: (small)\n  a\n  b"
    assert task("a\nb", label="both", sub_label="small").title == "both: small"
    assert task("a", "import x").setup_str() == "setup: import x" and task("a", "").setup_str() == ""
    assert task("a", "b\nc").setup_str() == "setup:\n  b\n  c"
    assert task("a", "b\nc", description="d").summarize() == "a\nd\nsetup:\n  b\n  c\n"


def test_a_measurement_answers_for_its_task(benchmark):
    m = measured(benchmark, [1., 1.], label="f", env="here")
    assert (m.title, m.label, m.env, m.num_threads) == ("f", "f", "here", 1)
    with pytest.raises(AttributeError):
        m.other
    assert "IQR" not in repr(m) and "WARNING" not in repr(m)


def test_a_table_is_printed(benchmark, capsys):
    comparison = benchmark.Compare([measured(benchmark, [1e-6], label="f", sub_label="small", description="new")])
    comparison.print()
    assert capsys.readouterr().out == f"{comparison}\n"


def test_a_statement_that_takes_no_time_is_not_run_for_ever(benchmark):
    class Instant:
        def timeit(self, number):
            return 0.

    timer = benchmark.Timer()
    timer._timer = Instant()
    assert timer.adaptive_autorange(max_run_time=1e-9).number_per_run >= 2 ** 31 / 10
