"""Read a file written by ``nvprof -o trace.nvvp``: an SQLite database with a table for each kind of activity.

=====================================  ================================================================================
table                                  a row is
=====================================  ================================================================================
StringTable                            a name, ``value``, and its number, ``_id_``, which other tables use instead
CUPTI_ACTIVITY_KIND_MARKER             the start (``name`` is not 0) or the end (0) of the range ``id`` at ``timestamp``
CUPTI_ACTIVITY_KIND_RUNTIME            a call of the CUDA runtime from ``start`` to ``end``
CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL  a kernel that ran on the device from ``start`` to ``end``
=====================================  ================================================================================

A kernel has the ``correlationId`` of the call that launched it; a call belongs to the ranges around it.
All times are nanoseconds.  Source: NVIDIA's CUPTI documentation, Activity API: CUpti_ActivityMarker, _API and _Kernel.
"""

import contextlib
from pathlib import Path

from minigrad._core.errors import error
from minigrad.autograd.profiler_util import EventList, FunctionEvent

__all__ = ["load_nvprof"]

#: {thread} and {device} are columns, or 0 in a file without them.
_RANGES = """
    SELECT start.id, names.value, start.timestamp, end.timestamp, {thread}
    FROM CUPTI_ACTIVITY_KIND_MARKER AS start
    INNER JOIN CUPTI_ACTIVITY_KIND_MARKER AS end ON start.id = end.id
    INNER JOIN StringTable AS names ON start.name = names._id_
    WHERE start.name != 0 AND end.name = 0
    ORDER BY start.timestamp, end.timestamp DESC
"""
_KERNELS = """
    SELECT start.id, names.value, {device}, kernel.end - kernel.start
    FROM CUPTI_ACTIVITY_KIND_MARKER AS start
    INNER JOIN CUPTI_ACTIVITY_KIND_MARKER AS end ON start.id = end.id
    INNER JOIN CUPTI_ACTIVITY_KIND_RUNTIME AS call ON start.timestamp < call.start AND call.end < end.timestamp
    INNER JOIN CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL AS kernel ON kernel.correlationId = call.correlationId
    INNER JOIN StringTable AS names ON kernel.name = names._id_
    INNER JOIN StringTable AS range_names ON start.name = range_names._id_
    WHERE start.name != 0 AND end.name = 0
"""


_TABLES = ("StringTable", "CUPTI_ACTIVITY_KIND_MARKER", "CUPTI_ACTIVITY_KIND_RUNTIME",
           "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL")
#: of a name, in bytes: SQLite would make longer ones of a few bytes in the file
_LONGEST = 1 << 20


def load_nvprof(path):
    """Return the ranges in a trace of nvprof, such as :class:`emit_nvtx` makes, as an :class:`EventList`.

    Only the columns used here must be present; without threads or devices, everything is on one.

    An event's ``kernels`` are those launched during its range, on any device; ``device_time_total`` is
    their time.

    Raises: OSError if the file cannot be opened; ValueError (MG207) if it is not a trace of nvprof. """
    with open(path, "rb") as file:
        if file.read(16) != b"SQLite format 3\0":
            raise error("MG207", f"load_nvprof(): {path} is not an SQLite file, and a trace that nvprof -o has "
                        f"written is one")
    import sqlite3                  # only here: a Python for web pages has none

    # immutable: SQLite makes no files beside this one, and does not look for a journal there
    with contextlib.closing(sqlite3.connect(f"{Path(path).resolve().as_uri()}?immutable=1", uri=True)) as trace:
        trace.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
        try:
            if computed := [table for table in _TABLES if not _is_stored(trace, table)]:
                raise _not_a_trace(path, f"{computed[0]} is not a table of stored columns")
            thread = _column(trace, "CUPTI_ACTIVITY_KIND_MARKER", "start", "objectId")
            device = _column(trace, "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL", "kernel", "deviceId")
            markers, = trace.execute("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_MARKER").fetchone()
            ranges = trace.execute(_RANGES.format(thread=thread)).fetchmany(markers + 1)
            if len(ranges) > markers:
                raise _not_a_trace(path, "several ranges have the same id")
            kernels = trace.execute(_KERNELS.format(device=device)).fetchall()
        except (sqlite3.DatabaseError, UnicodeDecodeError) as problem:     # the latter for the name of a column
            raise _not_a_trace(path, problem) from None
    if not all([_are(int, marker, start, end) and _are(str, name) for marker, name, start, end, _ in ranges]):
        raise _not_a_trace(path, "a range has a time that is not a number, or a name that is not text")
    if not all([_are(int, duration) and _are(str, name) for _, name, _, duration in kernels]):
        raise _not_a_trace(path, "a kernel has a time that is not a number, or a name that is not text")
    return _events(ranges, kernels)


def _not_a_trace(path, problem):
    return error("MG207", f"load_nvprof(): {path} is an SQLite file, but not a trace of nvprof: {problem}")


def _are(kind, *values):
    return all([type(value) is kind for value in values])


def _is_stored(trace, table):
    """Are all columns of the table in the file?  A view, a virtual table or a generated column is a program instead,
    which may have no end."""
    stored = trace.execute("SELECT type, rootpage FROM sqlite_master WHERE name = ? COLLATE NOCASE AND type != 'index'",
                           [table]).fetchall()
    hidden = [column[6] for column in trace.execute(f"PRAGMA table_xinfo({table})")]
    # no table of that name is for the queries to say
    return not any(hidden) and all([kind == "table" and page for kind, page in stored])


def _column(trace, table, row, name):
    """The column of a row in a query; 0 if the table has none of that name."""
    names = [column[1] for column in trace.execute(f"PRAGMA table_info({table})")]
    return f"{row}.{name}" if name in names else "0"


def _events(ranges, kernels):
    began = ranges[0][2] if ranges else 0
    threads = {}
    events = EventList([
        FunctionEvent(marker, name, threads.setdefault(thread, len(threads)), start - began, end - began,
                      trace_name=name)
        for marker, name, start, end, thread in ranges
    ])
    _nest(events)
    by_marker = {event.id: event for event in events}
    for marker, name, device, duration in kernels:
        by_marker[marker].append_kernel(name, device, duration)
    return events


def _nest(events):
    """Nest the ranges of each thread: a range that begins inside another is its child if it also ends inside it, and
    overlaps it otherwise."""
    open_ranges = {}
    for event in events:
        around = open_ranges.setdefault(event.thread, [])
        while around and event.time_range.end_ns > around[-1].time_range.end_ns:
            around.pop()
        if around:
            event.set_cpu_parent(around[-1])
        around.append(event)
