"""The addresses that counting.c has noted, as functions of libraries: of the one that was refused, and of a crash."""

import bisect
import ctypes
import functools
import re
import subprocess
from pathlib import Path

import minigrad

DEPTH = 64
CORE = Path(minigrad.__file__).parent / "_core"


class Notes(ctypes.Structure):
    """As in counting.c."""
    _fields_ = [*[(name, ctypes.c_int64) for name in ("on", "first", "beyond", "seen", "refused", "alive", "depth",
                                               "depth_of_crash")],
                ("callers", ctypes.c_uint64 * DEPTH), ("crashed", ctypes.c_uint64 * DEPTH)]


def mapped(folder):
    """[(first address, last address, the file's first address, file)] of the process that wrote its maps there."""
    found, begins = [], {}
    for line in Path(folder, "maps").read_text().splitlines():
        parts = line.split(maxsplit=5)
        if len(parts) == 6 and parts[5].startswith("/"):
            first, last = (int(each, 16) for each in parts[0].split("-"))
            begin = begins.setdefault(parts[5], first - int(parts[2], 16))
            found.append((first, last, begin, parts[5]))
    return found


@functools.cache
def symbols(file):
    """([address, ...], [name, ...]) of the functions of a library: the exported ones where it is stripped."""
    listed = ""
    for options in ("-n", "-nD"):
        listed = listed or subprocess.run(["nm", options, "--defined-only", file], capture_output=True,
                                          text=True).stdout
    rows = [line.split(maxsplit=2) for line in listed.splitlines()]
    rows = [row for row in rows if len(row) == 3 and row[1] in "tTwW"]
    return [int(row[0], 16) for row in rows], [row[2] for row in rows]


def function_at(address, areas):
    """file:function; without symbols of its own, a file has only wrong names for its functions."""
    for first, last, begin, file in areas:
        if first <= address < last:
            addresses, names = symbols(file)
            at = bisect.bisect_right(addresses, address - begin) - 1
            return f"{Path(file).name.split('.')[0]}:{names[at] if at >= 0 else hex(address - begin)}"
    return hex(address)


@functools.cache
def areas_of(text):
    return [area for area in mapped(text) if "/_core." in area[3]]


def module_at(address, folder):
    """The compiled module of the core that has this function, or None."""
    for first, last, *_ in areas_of(folder):
        if first <= address < last:
            return module_of(function_at(address, areas_of(folder)))
    return None


def module_of(function):
    """``"engine"`` for ``__pyx_f_8minigrad_5_core_8backward_6engine_run``: each name has its length in front."""
    rest, place = function.partition("_8minigrad_5_core")[2], CORE
    while found := re.match(r"_(\d+)", rest):
        name, rest = rest[found.end():][:int(found[1])], rest[found.end() + int(found[1]):]
        if (place / f"{name}.pyx").exists():
            return name
        place /= name
    return None


def names(addresses):
    """The functions of this process that have these addresses."""
    areas = mapped("/proc/self")
    return [function_at(each, areas) for each in addresses]


def traces(folder):
    """(who was refused, who crashed), the innermost first."""
    notes = Notes.from_buffer_copy(Path(folder, "notes").read_bytes())
    areas = mapped(folder)
    return ([function_at(notes.callers[i], areas) for i in range(notes.depth)],
            [function_at(notes.crashed[i], areas) for i in range(notes.depth_of_crash)])
