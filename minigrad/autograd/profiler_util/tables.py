"""Tables of a profile: each column has a header, an explanation, and a function that formats its entry for an event.

A legend below each table explains its columns.
"""

from collections.abc import Callable
from typing import NamedTuple

from minigrad._core.errors import error

__all__ = ["build_table", "format_memory", "format_time"]


# ------------------------------------------------------------------------------ quantities as text

_UNITS = {"s": 1e6, "ms": 1e3, "us": 1}


def format_time(us, unit=None):
    """Microseconds as a text, in ``unit`` or a unit that fits: 0.250us, 1.500ms, 2.000s."""
    unit = unit or next((each for each, size in _UNITS.items() if us >= size), "us")
    return f"{us / _UNITS[unit]:.3f}{unit}"


def format_memory(count):
    """Bytes as a text, in a unit that fits: 12 B, 1.50 KB."""
    for unit, size in (("GB", 2**30), ("MB", 2**20), ("KB", 2**10)):
        if abs(count) >= size:
            return f"{count / size:.2f} {unit}"
    return f"{count} B"


def _share(part, whole):
    return f"{100 * part / whole:.2f}%" if whole else "NaN"


def _flops_unit(events):
    """The unit in which the smallest number of flops is at least 1, and its size."""
    smallest = min([event.flops for event in events if event.flops])
    units = [("FLOPs", 1), ("KFLOPs", 10**3), ("MFLOPs", 10**6), ("GFLOPs", 10**9), ("TFLOPs", 10**12),
             ("PFLOPs", 10**15)]
    return [each for each in units if smallest >= each[1]][-1]


def _cut(text, width):
    return text if width is None or len(text) <= width else text[: max(width - 3, 0)] + "..."


def _cut_before(text, width):
    return text if width is None or len(text) <= width else "..." + text[len(text) - max(width - 3, 0):]


# ------------------------------------------------------------------------------ columns

class _Column(NamedTuple):
    header: str
    meaning: str
    cell: Callable[[object], str]
    align: str = ">"


def _columns(events, unit, widths, profile_memory, with_flops):
    """The columns that a table of ``events`` has."""
    whole = sum([event.self_ns for event in events])
    on_device = sum([event.self_device_ns for event in events])
    yield _Column("Name", "an operation, a node of the backward pass (...Backward), or a label of yours",
                  lambda e: _cut(
        " ".join(e.key.split()), widths["name"]), "<")
    yield _Column("Self CPU %", "Self CPU as a share of all Self CPU", lambda e: _share(e.self_ns, whole))
    yield _Column("Self CPU", "time in it, without the operations it calls; the column adds up to the time measured",
                  lambda e: format_time(e.self_cpu_time_total, unit))
    yield _Column("CPU total %", "CPU total as a share of all Self CPU; adds up to more, as what is called "
                  "counts again",
                  lambda e: "--" if e.is_async else _share(e.total_ns, whole))
    yield _Column("CPU total", "time in it, with everything it calls", lambda e: format_time(e.cpu_time_total, unit))
    yield _Column("CPU time avg", "CPU total of one call", lambda e: format_time(e.cpu_time, unit))
    if on_device:
        yield _Column("Self CUDA", "time of the kernels that it starts itself",
                      lambda e: format_time(e.self_device_time_total, unit))
        yield _Column("Self CUDA %", "Self CUDA as a share of all Self CUDA",
                      lambda e: _share(e.self_device_ns, on_device))
        yield _Column("CUDA total", "time of the kernels that it starts, with everything it calls",
                      lambda e: format_time(e.device_time_total, unit))
        yield _Column("CUDA time avg", "CUDA total of one call", lambda e: format_time(e.device_time, unit))
    if profile_memory:
        yield _Column("CPU Mem", "bytes allocated minus bytes released, with everything it calls",
                      lambda e: format_memory(e.cpu_memory_usage))
        yield _Column("Self CPU Mem", "the same, without the operations it calls",
                      lambda e: format_memory(e.self_cpu_memory_usage))
    yield _Column("# of Calls", "how often it ran", lambda e: str(e.count))
    if any([event.input_shapes for event in events]):
        yield _Column("Input Shapes", "of its arguments, in order; [] for a number, a 0-d tensor, or anything else",
                      lambda e: _cut(str(e.input_shapes), widths["shapes"]))
    if with_flops and any([event.flops for event in events]):
        name, size = _flops_unit(events)
        yield _Column(f"Total {name}", "arithmetic of matrix products, mul and add, counted from their shapes",
                      lambda e: f"{e.flops / size:.3f}" if e.flops else "--")
    if any([event.stack for event in events]):
        yield _Column("Source Location",
                      "the line that called it, and its callers; for a node, the line of its forward operation",
                      lambda e: _cut_before(e.stack[0], widths["source"]) if e.stack else "", "<")


# ------------------------------------------------------------------------------ the table

_SORTABLE = ("cpu_time", "cpu_time_total", "self_cpu_time_total", "device_time", "device_time_total",
             "self_device_time_total",
             "cpu_memory_usage", "self_cpu_memory_usage", "device_memory_usage", "self_device_memory_usage", "count",
             "flops")


def _sorted(events, sort_by):
    name = sort_by
    for device in ("cuda", "xpu", "privateuse1"):
        name = str(name).replace(f"{device}_", "device_")
    if name not in _SORTABLE:
        raise error("MG207", f"table(): cannot sort by {sort_by!r}; sort_by is one of "
                             f"{', '.join(map(repr, _SORTABLE))}, or None")
    return sorted(events, key=lambda event: getattr(event, name), reverse=True)


def build_table(events, sort_by, row_limit, source_width, name_width, shapes_width, header, top_level_only, time_unit,
                profile_memory, with_flops, large_arrays=None):
    """The text of :meth:`EventList.table`; empty if there are no events."""
    if time_unit is not None and time_unit not in _UNITS:
        raise error("MG207", f"table(): time_unit is one of {', '.join(map(repr, _UNITS))}, or None, not {time_unit!r}")
    shown = list(events) if sort_by is None else _sorted(events, sort_by)
    if not shown:
        return ""
    widths = {"name": name_width, "shapes": shapes_width, "source": source_width}
    columns = list(_columns(shown, time_unit, widths, profile_memory, with_flops))
    if top_level_only:
        shown = [event for event in shown if event.cpu_parent is None]
    rows = []
    for event in shown if row_limit < 0 else shown[:row_limit]:
        rows.append([column.cell(event) for column in columns])
        if columns[-1].header == "Source Location":
            rows += [[""] * (len(columns) - 1) + [_cut_before(frame, source_width)] for frame in event.stack[1:]]
    lengths = [max(map(len, texts)) for texts in zip([column.header for column in columns], *rows)]

    def line(texts):
        return "  ".join([f"{text:{column.align}{length}}"
                          for text, column, length in zip(texts, columns, lengths)]).rstrip()

    rule = line(["-" * length for length in lengths])
    measured = format_time(sum([event.self_ns for event in events]) / 1000, time_unit)
    on_device = sum([event.self_device_ns for event in events])
    lines = ["=" * len(rule), header] if header is not None else []
    lines += ["=" * len(rule), "This report only display top-level ops statistics"] if top_level_only else []
    lines += [rule, line([column.header for column in columns]), rule, *map(line, rows), rule,
              f"Self CPU time total: {measured}"]
    lines += [f"Self CUDA time total: {format_time(on_device / 1000, time_unit)}"] if on_device else []
    if large_arrays is not None and large_arrays["made"]:
        lines += [f"Large arrays: {large_arrays['made']}, of which {large_arrays['reused']} in memory that was kept; "
                  f"{format_memory(large_arrays['kept'])} are kept now"]
    return "\n".join([*lines, "", *_legend(columns)]) + "\n"


def _legend(columns):
    width = max([len(column.header) for column in columns])
    return [f"{column.header:{width}}  {column.meaning}" for column in columns]
