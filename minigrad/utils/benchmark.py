"""How long a statement takes, as PyTorch measures it: ``timeit`` of Python, repeated, with a median and a spread.

    timer = Timer("a @ b", globals={"a": a, "b": b})
    print(timer.blocked_autorange())

A Timer makes Measurements; ``Compare`` prints many of them as a table.  The statement runs in this process, with
``num_threads`` threads.
"""

import math
import sys
import textwrap
import timeit
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass, fields
from enum import Enum
from statistics import fmean, median, pstdev

import numpy as np

from minigrad._core.errors import error
from minigrad._core.errors.absent import answering as _answering
from minigrad._core.runtime.thread_pool import get_num_threads, set_num_threads

__all__ = ["Colorize", "Compare", "Measurement", "TaskSpec", "Timer", "select_unit", "timer", "trim_sigfig",
           "unit_to_english"]

#: the clock; nothing must be waited for on the CPU
timer = timeit.default_timer

_UNITS = {"s": ("second", 1.), "ms": ("millisecond", 1e-3), "us": ("microsecond", 1e-6), "ns": ("nanosecond", 1e-9)}
_LEAST_INTERVAL = 25e-9             # a clock is no better than this
_SPREAD, _LARGE_SPREAD = 0.1, 0.25  # an interquartile range, as a part of the median, that is told


def select_unit(t):
    """The unit for a time of ``t`` seconds, and its length.

    >>> torch.utils.benchmark.select_unit(0.0025)
    ('ms', 0.001)
    """
    unit = {-3: "ns", -2: "us", -1: "ms"}.get(int(math.log10(t) // 3), "s")
    return unit, _UNITS[unit][1]


def unit_to_english(u):
    """
    >>> torch.utils.benchmark.unit_to_english("us")
    'microsecond'
    """
    return _UNITS[u][0]


def trim_sigfig(x, n):
    """``x`` rounded to ``n`` significant figures.

    >>> torch.utils.benchmark.trim_sigfig(1234., 2)
    1200.0
    """
    scale = 10. ** (math.ceil(math.log10(abs(x))) - n)
    return float(round(x / scale) * scale)


# ------------------------------------------------------------------------------ measurements

@dataclass(frozen=True, repr=False)
class TaskSpec:
    """What was measured, and the words for it in tables."""

    stmt: str
    setup: str
    global_setup: str = ""
    label: str | None = None
    sub_label: str | None = None
    description: str | None = None
    env: str | None = None
    num_threads: int = 1

    @property
    def title(self):
        named = self.label if self.label is not None else self.stmt
        if self.label is None and "\n" in self.stmt:
            more = f" ({self.sub_label})" if self.sub_label else ""
            return f"stmt:{more}\n{textwrap.indent(self.stmt, '  ')}"
        return f"{named}: {self.sub_label}" if self.sub_label else named

    def setup_str(self):
        if self.setup in ("", "pass"):
            return ""
        return f"setup:\n{textwrap.indent(self.setup, '  ')}" if "\n" in self.setup else f"setup: {self.setup}"

    def summarize(self):
        parts = [self.title, self.description or "", self.setup_str()]
        return "\n".join([f"{part}\n" if "\n" in part else part for part in parts if part])


_OF_THE_TASK = frozenset(field.name for field in fields(TaskSpec))


@dataclass(repr=False)
class Measurement:
    """Times of a statement, in seconds: ``times``, their ``median``, ``mean`` and interquartile range ``iqr``.

    >>> from minigrad.utils.benchmark import Measurement, TaskSpec
    >>> task = TaskSpec("a + b", "pass", label="Sum")
    >>> m = Measurement(number_per_run=10, raw_times=[1e-3, 2e-3, 3e-3], task_spec=task)
    >>> print(round(m.median, 6), round(m.mean, 6), round(m.iqr, 6))
    0.0002 0.0002 0.0001
    """

    number_per_run: int
    raw_times: list[float]
    task_spec: TaskSpec
    metadata: dict | None = None

    def __getattr__(self, name):
        if name in _OF_THE_TASK:
            return getattr(self.task_spec, name)
        return object.__getattribute__(self, name)

    @property
    def times(self):
        return [t / self.number_per_run for t in self.raw_times]

    @property
    def median(self):
        return median(self.times)

    @property
    def mean(self):
        return fmean(self.times)

    @property
    def iqr(self):
        low, high = self._quartiles()
        return high - low

    def _quartiles(self):
        return [float(each) for each in np.quantile(self.times, (0.25, 0.75))]

    @property
    def significant_figures(self):
        """How many figures of the median mean something, judged by the middle half of the times."""
        n = len(self.times)
        middle = sorted(self.times)[n // 4:math.ceil(3 * n / 4)]
        interval = max(1.645 * pstdev(middle) / math.sqrt(len(middle)), _LEAST_INTERVAL)
        return min(max(math.floor(math.log10(self.median / interval)), 1), 4)

    def meets_confidence(self, threshold=_SPREAD):
        """Whether the interquartile range is less than this part of the median."""
        return self.iqr / self.median < threshold

    @property
    def has_warnings(self):
        return not self.meets_confidence()

    @property
    def title(self):
        return self.task_spec.title

    @property
    def as_row_name(self):
        return self.sub_label or self.stmt or "[Unknown]"

    def __repr__(self):
        n, (low, high) = len(self.times), self._quartiles()
        unit, scale = select_unit(self.median)
        several = n > 1
        lines = [object.__repr__(self), self.task_spec.summarize(),
                 f"  {'Median: ' if several else ''}{self.median / scale:.2f} {unit}"]
        if n >= 4:
            lines.append(f"  IQR:    {self.iqr / scale:.2f} {unit} ({low / scale:.2f} to {high / scale:.2f})")
        lines.append(f"  {n} measurement{'s' if several else ''}, {self.number_per_run} runs "
                     f"{'per measurement,' if several else ','} {self.num_threads} "
                     f"thread{'s' if self.num_threads > 1 else ''}")
        if self.has_warnings:
            cause = ("This could indicate system fluctuation." if self.meets_confidence(_LARGE_SPREAD) else
                     "This suggests significant environmental influence.")
            lines += [f"  WARNING: Interquartile range is {self.iqr / self.median * 100:.1f}% of the median "
                      f"measurement.\n           {cause}"]
        return "\n".join(lines)

    @staticmethod
    def merge(measurements):
        """One measurement for each task, with the times of all."""
        groups = defaultdict(list)
        for each in measurements:
            groups[each.task_spec] += each.times
        return [Measurement(1, times, task) for task, times in groups.items()]


# ------------------------------------------------------------------------------ the timer

class Timer:
    """Measures a statement.

    Parameters
    ----------
    stmt, setup : str
        What is measured, and what runs once before.  The name ``torch`` is known to both.
    timer : callable
        The clock.
    globals : dict, optional
        Other names that are known to both.
    label, sub_label, description, env : str, optional
        Words for tables: see :class:`Compare`.
    num_threads : int

    >>> timer = torch.utils.benchmark.Timer("x * 2", globals={"x": torch.ones(3)})
    >>> m = timer.timeit(100)
    >>> m.number_per_run, m.mean > 0
    (100, True)
    """

    def __init__(self, stmt="pass", setup="pass", global_setup="", timer=timer, globals=None, label=None,
                 sub_label=None, description=None, env=None, num_threads=1, language="python"):
        if not isinstance(stmt, str):
            raise error("MG207", "Currently only a `str` stmt is supported.")
        if language not in ("py", "python"):
            raise error("MG207", f"Invalid language `{language}`: statements are in Python here")
        if global_setup:
            raise error("MG207", f"global_setup is C++ only, got `{global_setup}`. Most likely this code can simply be "
                                 "moved to `setup`.")
        stmt, setup = [textwrap.dedent(code).removeprefix("\n").rstrip() for code in (stmt, setup)]
        self._timer = timeit.Timer(stmt, setup, timer, {"torch": sys.modules["minigrad"], **(globals or {})})
        self._task_spec = TaskSpec(stmt, setup, "", label, sub_label, description, env, num_threads)

    def _time(self, number):
        return max(self._timer.timeit(number), 1e-9)            # the clock may not have moved

    def _measured(self, number, times):
        return Measurement(number, times, self._task_spec)

    def timeit(self, number=1000000):
        """One measurement of ``number`` runs, after a few that do not count."""
        with threads(self._task_spec.num_threads):
            self._time(max(number // 100, 2))
            return self._measured(number, [self._time(number)])

    def blocked_autorange(self, callback=None, min_run_time=0.2):
        """Blocks of runs that are long compared to a look at the clock, for ``min_run_time`` seconds."""
        number = self._block(min_run_time)
        return self._repeated(number, lambda times: True, min_run_time, math.inf, callback)

    def adaptive_autorange(self, threshold=0.1, *, min_run_time=0.01, max_run_time=10.0, callback=None):
        """Blocks, until the interquartile range is less than ``threshold`` times the median."""
        number = self._block(0.05)
        return self._repeated(
            number, lambda times: len(times) > 3 and self._measured(number, times).meets_confidence(threshold),
            min_run_time, max_run_time, callback)

    def _block(self, min_run_time):
        """The runs of a block: 10, 100, ..."""
        with threads(self._task_spec.num_threads):
            overhead, number = median([self._time(0) for _ in range(5)]), 1
            while True:
                taken = self._time(number)
                if overhead <= 1e-4 * taken and taken >= min_run_time / 1000 or taken > min_run_time:
                    return number
                if number * 10 > 2**31 - 1:
                    return number
                number *= 10

    def _repeated(self, number, enough, min_run_time, max_run_time, callback):
        times = []
        with threads(self._task_spec.num_threads):
            while (sum(times) < min_run_time or not enough(times)) and sum(times) <= max_run_time:
                times.append(self._time(number))
                if callback is not None:
                    callback(number, times[-1])
        return self._measured(number, times)

    def repeat(self, repeat=-1, number=-1):
        raise use_blocks("repeat")

    def autorange(self, callback=None):
        raise use_blocks("autorange")

    def collect_callgrind(self, number=100, *, repeats=None, collect_baseline=True, retain_out_file=False):
        raise error("MG503", "Timer.collect_callgrind() counts instructions with Valgrind, another program, which "
                             "minigrad does not call. Timer.blocked_autorange() measures times.")


@contextmanager
def threads(n):
    """A block with ``n`` threads."""
    before = get_num_threads()
    set_num_threads(n)
    try:
        yield
    finally:
        set_num_threads(before)


# ------------------------------------------------------------------------------ tables

class Colorize(Enum):
    NONE = "none"
    COLUMNWISE = "columnwise"
    ROWWISE = "rowwise"


#: the codes of a terminal for times that are at most this many times the best, and for those that are more
_GOOD = ((1.01, "\033[92m\033[1m"), (1.1, "\033[34m\033[1m"), (2, ""), (5, "\033[2m\033[91m"),
         (math.inf, "\033[31m\033[1m"))
_END = "\033[0m\033[0m"


class Compare:
    """Measurements as tables: one for each ``label``, a row for each ``sub_label``, a column for each ``description``.

    >>> from minigrad.utils.benchmark import Compare, Measurement, TaskSpec
    >>> def m(size, way, time):
    ...     task = TaskSpec("f(x)", "pass", label="f", sub_label=size, description=way)
    ...     return Measurement(1, [time], task)
    >>> print(Compare([m("small", "old", 2e-6), m("small", "new", 1e-6), m("large", "old", 9e-6),
    ...                m("large", "new", 3e-6)]))
    [----------- f -----------]
                 |  old  |  new
    1 threads: ----------------
          small  |  2.0  |  1.0
          large  |  9.0  |  3.0
    <BLANKLINE>
    Times are in microseconds (us).
    <BLANKLINE>
    """

    def __init__(self, results):
        self._results, self._trims, self._colors, self._warns = [], False, Colorize.NONE, False
        self.extend_results(results)

    def extend_results(self, results):
        """Add measurements."""
        results = [*results]
        for each in results:
            if not isinstance(each, Measurement):
                raise error("MG207", f"Expected an instance of `Measurement`, got {type(each)} instead.")
        self._results += results

    def trim_significant_figures(self):
        """Print only figures that mean something."""
        self._trims = True

    def colorize(self, rowwise=False):
        """Color the best and the worst times of each column, or row."""
        self._colors = Colorize.ROWWISE if rowwise else Colorize.COLUMNWISE

    def highlight_warnings(self):
        """Print the spread of measurements that vary."""
        self._warns = True

    def print(self):
        print(self)

    def __str__(self):
        groups = defaultdict(list)
        for each in Measurement.merge(self._results):
            groups[each.label].append(each)
        return "\n".join([self._table(label, group) for label, group in groups.items()])

    def _table(self, label, results):
        unit, scale = select_unit(min(each.median for each in results))
        rows = sorted(dict.fromkeys([row_of(each) for each in results]), key=lambda row: row[:2])
        columns = [*dict.fromkeys([each.description for each in results])]
        cells = {(row_of(each), each.description): each for each in results}
        warns = self._warns and any(each.has_warnings for each in results)
        texts = [self._column([cells.get((row, column)) for row in rows], scale, column) for column in columns]
        names, envs, before = [], {env for _, env, _ in rows}, None
        for number, env, name in rows:
            shown = f"({env})" if len(envs) > 1 and (number, env) != before else ""
            width = max(map(len, envs)) + 4 if len(envs) > 1 else 4
            names.append(f"  {shown.ljust(width)}{name}")
            before = number, env
        first = max(map(len, names))
        widths = [max(map(len, [column or "", *text])) for column, text in zip(columns, texts)]
        head = "  |  ".join([" " * first, *[(column or "").center(w) for column, w in zip(columns, widths)]])
        title = f" {label or ''} ".center(len(head) - 2, "-")
        lines, number = [f"[{title}]", head], None
        for i, row in enumerate(rows):
            if row[0] != number:
                number = row[0]
                lines.append(f"{number} threads: ".ljust(len(head), "-"))
            parts = [names[i].ljust(first)]
            for column, text, width in zip(columns, texts, widths):
                here = cells.get((row, column))
                parts.append(self._colored(text[i].center(width), here, self._best(cells, rows, columns, row, column)))
            lines.append("  |  ".join(parts))
        lines += ["", f"Times are in {unit_to_english(unit)}s ({unit})."]
        if warns:
            lines.append("(! XX%) Measurement has high variance, where XX is the IQR / median * 100.")
        return "\n".join([*lines, ""])

    def _column(self, cells, scale, column):
        """The texts of a column, all of one width."""
        there = [each for each in cells if each is not None]
        digits = [math.ceil(math.log10(each.median / scale)) for each in there]
        decimals = 1
        if self._trims:
            decimals = min(max(each.significant_figures - n, 0) for n, each in zip(digits, there))
        width = max(digits) + decimals + (1 if decimals else 0)
        mark = 7 if self._warns and any(each.has_warnings for each in there) else 0
        texts = []
        for each in cells:
            if each is None:
                texts.append(" " * (len(f"{1:>{width}.{decimals}f}") + mark))
                continue
            value = each.median / scale
            value = trim_sigfig(value, each.significant_figures) if self._trims else value
            spread = f" (! {each.iqr / each.median * 100:.0f}%)" if mark and each.has_warnings else ""
            texts.append(f"{value:>{width}.{decimals}f}{spread:>{mark}}")
        return texts

    def _best(self, cells, rows, columns, row, column):
        """The least time that a cell is compared with: in its row, or in its column for as many threads."""
        if self._colors is Colorize.ROWWISE:
            others = [cells.get((row, each)) for each in columns]
        else:
            others = [cells.get((each, column)) for each in rows if each[0] == row[0]]
        return min([each.median for each in others if each is not None], default=None)

    def _colored(self, text, here, best):
        if self._colors is Colorize.NONE or here is None:
            return text
        if here.median <= best + 1e-7:
            return f"{_GOOD[0][1]}{text}{_END}"
        code = next(code for most, code in _GOOD if here.median <= best * most)
        return f"{code}{text}{_END}" if code else text


def row_of(measurement):
    """What the measurements of a row have in common."""
    return measurement.num_threads, measurement.env or "Unspecified env", measurement.as_row_name


__getattr__ = _answering(__name__)


# ------------------------------------------------------------------------------ what the errors say

def use_blocks(method):
    return error("MG503", f"Timer.{method}() is not there. See `Timer.blocked_autorange.`, which chooses the number of "
                          "runs")
