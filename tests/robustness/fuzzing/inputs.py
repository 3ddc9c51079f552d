"""The kinds of input: how one is made, how it is read, which errors are promised, and what a careful reader would find.
"""

import html.parser
import io
import json
import os
import pickle
import shutil
import sqlite3
import struct
import xml.etree.ElementTree as ElementTree
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import numpy as np
from numpy.lib.array_utils import byte_bounds

import minigrad as torch
from minigrad import __main__ as command, viz
from minigrad._core.errors import MinigradError
from minigrad.homework import judge, rules, wire
from minigrad.homework.process import Failed, Process, Stopped
from minigrad.serialization import SIGNATURE, get_unsafe_globals_in_checkpoint, safetensors

from . import files
from .files import changed, lie

__all__ = ["KINDS", "Kind", "Wrong"]


class Wrong(Exception):
    """The library finds something other than the input says."""


@dataclass
class Kind:
    """``make(rng, harm)`` gives an input, without ``harm`` a valid one; ``read(input, folder)`` reads it with the
    library, and ``check(input, what was read, folder)`` raises :class:`Wrong` afterwards."""

    name: str
    make: Callable
    read: Callable
    check: Callable = lambda *_: None
    errors: tuple = (MinigradError,)
    codes: tuple = ()                   # of the errors of the library; () for all
    allowed: tuple = ()                 # beginnings of audit events


# ------------------------------------------------------------------------------ files of tensors

def tensors_in(value):
    pending, found = [value], {}
    while pending:
        each = pending.pop()
        if isinstance(each, torch.Tensor):
            found[id(each)] = each
        elif isinstance(each, (list, tuple, set, frozenset)):
            pending += each
        elif isinstance(each, dict):
            pending += [*each, *each.values()]
    return list(found.values())


def loaded(data, folder):
    return torch.load(io.BytesIO(data))


def only_its_own_memory(data, found, folder):
    """Every element of a tensor lies in its storage, which is no longer than the file."""
    for x in tensors_in(found):
        if x.device.type == "meta":
            continue
        array = memory = x.detach().numpy()
        while isinstance(memory.base, np.ndarray):
            memory = memory.base
        (low, high), (begin, end) = byte_bounds(array), byte_bounds(memory)
        if memory.nbytes > len(data) or array.size and not begin <= low <= high <= end:
            raise Wrong(f"a tensor of {tuple(x.shape)} reaches beyond its storage of {memory.nbytes} bytes")


class Careful(pickle._Unpickler):
    """Python's own machine, without names and storages: a pickle of plain data runs nothing there."""

    def find_class(self, module, name):
        raise pickle.UnpicklingError

    persistent_load = find_class


def same_data(data, found, folder):
    """Python's machine must find the same; where it finds an error, ours may be more patient."""
    try:
        expected = Careful(io.BytesIO(data[len(SIGNATURE):])).load()
    except Exception:
        return
    try:
        if repr(expected) != repr(found):
            raise Wrong(f"{found!r:.200} was read, and not {expected!r:.200}")
    except RecursionError:
        return


def safe_read(data):
    """The tensors as the description of safetensors has them: an independent reader for valid files."""
    length, = struct.unpack_from("<Q", data)
    header = json.loads(data[8:8 + length])
    header.pop("__metadata__", None)
    dtypes = {"F32": "<f4", "U8": "u1", "I64": "<i8", "F64": "<f8", "I16": "<i2", "BOOL": "?"}
    return {name: np.frombuffer(data[8 + length:][slice(*entry["data_offsets"])], dtypes[entry["dtype"]])
            .reshape(entry["shape"]) for name, entry in header.items()}


def same_tensors(data, found, folder):
    expected = safe_read(data)
    if expected.keys() != found.keys():
        raise Wrong(f"{sorted(found)} was read, and not {sorted(expected)}")
    for name, x in found.items():
        if x.numpy().dtype != expected[name].dtype or x.numpy().tobytes() != expected[name].tobytes():
            raise Wrong(f"{name!r} is not what the file says")


# ------------------------------------------------------------------------------ traces of nvprof

TABLES = {"StringTable": ("_id_", "value"),
          "CUPTI_ACTIVITY_KIND_MARKER": ("id", "name", "timestamp", "objectId"),
          "CUPTI_ACTIVITY_KIND_RUNTIME": ("start", "end", "correlationId"),
          "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL": ("start", "end", "correlationId", "deviceId", "name")}
ROWS = {"StringTable": [(1, "a"), (2, "b")],
        "CUPTI_ACTIVITY_KIND_MARKER": [(1, 1, 10, 0), (2, 2, 20, 0), (2, 0, 30, 0), (1, 0, 90, 0)],
        "CUPTI_ACTIVITY_KIND_RUNTIME": [(22, 23, 5), (40, 41, 6)],
        "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL": [(100, 150, 5, 0, 1), (200, 300, 6, 0, 2)]}
#: a view that has no end, one that is huge, and a table that is computed
PROGRAMS = ("CREATE VIEW {table} AS WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) "
            "SELECT {all} FROM c", "CREATE VIEW {table} AS SELECT {large}",
            "CREATE TABLE {table} ({generated})")
VALUES = (None, "", "x", b"\xff", 0.5, -1, (1 << 63) - 1, -(1 << 63), 1, "</script>")


def database(rng, harm):
    """The bytes of an SQLite file."""
    trace = sqlite3.connect(":memory:")
    changes = {rng.randrange(8) for _ in range(2)} if harm else ()
    odd = rng.choice([*TABLES])
    for table, columns in TABLES.items():
        if table == odd and 0 in changes:
            trace.execute(rng.choice(PROGRAMS).format(
                table=table, all=", ".join([f"i AS {name}" for name in columns]),
                large=", ".join([f"randomblob(500000000) AS {name}" for name in columns]),
                generated=", ".join(["x", *[f"{name} AS (zeroblob(900000000))" for name in columns]])))
            continue
        if table == odd and 1 in changes:
            columns = columns[1:]
        trace.execute(f"CREATE TABLE {table} ({', '.join(columns)})")
        for row in ROWS[table] * (300 if table == odd and 2 in changes else 1):
            row = [rng.choice(VALUES) if 3 in changes and rng.random() < 0.1 else value for value in row]
            trace.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})", row[-len(columns):])
    if 4 in changes:
        trace.execute("INSERT INTO StringTable VALUES (1, CAST(x'ff' AS TEXT))" if odd != "StringTable" else "SELECT 1")
    trace.commit()
    data = bytearray(trace.serialize())
    trace.close()
    if 5 in changes:
        for _ in range(rng.randrange(1, 20)):
            data[rng.randrange(16, len(data))] = rng.randrange(256)
    if 6 in changes:
        data[18:20] = b"\2\2"                       # written with a log beside it
    return bytes(data[:rng.randrange(len(data))] if 7 in changes else data)


def read_trace(data, folder):
    return torch.autograd.profiler.load_nvprof(folder / "input.nvvp")


def as_table(data, events, folder):
    """What was read can be used."""
    for event in events:
        if type(event.name) is not str or type(event.time_range.start_ns) is not int:
            raise Wrong(f"an event {event.name!r} at {event.time_range.start_ns!r}")
    events.table()


# ------------------------------------------------------------------------------ homework

CODE = ("def f(x):\n    return x", "%magic", "!touch canary", "import os\nos.system('touch canary')", "\0", "\ud800",
        "(" * 500, "-" * 50_000 + "1", "x = " + "9" * 5000, "\\", "'''", "\t x\n y", "# coding: rot13", "{[" * 300,
        "__import__('os').system('touch canary')", "f'{" * 100, "lambda: " * 3000 + "0", "a." * 20_000 + "b")


def notebook(rng, harm):
    cells = [{"cell_type": rng.choice(("code", "markdown")), "source": rng.choice(
        ([rng.choice(CODE if harm else CODE[:1]) + "\n"], rng.choice(CODE if harm else CODE[:1])))}
        for _ in range(rng.randrange(5))]
    value = {"cells": cells, "nbformat": 4}
    for _ in range(rng.randrange(3) * bool(harm)):
        value = changed(rng, value)
    said = json.dumps(value)
    return rng.choice((said, said, said, said[:-1], "[" * 100_000, '{"cells":' * 9999, "9" * 5000) if harm else (said,)
                      ).encode()


def read_notebook(data, folder):
    return rules.read(judge.source_of(folder / "input.ipynb"), ["os.system"])


def answer(rng, harm):
    """What a submission's process could send."""
    kinds = ({"answer": np.arange(3.0), "seen": [], "work": [0, 0]}, {"foul": "x"},
             {"raised": {"kind": "E", "message": "", "line": 0, "missing": ""}})
    value = wire.packed(rng.choice(kinds) if harm else kinds[0])
    for _ in range(rng.randrange(1, 4) * bool(harm)):
        value = changed(rng, value)
        if rng.random() < 0.5:
            array = {"!": "array", "dtype": rng.choice(("<f8", "O", "(", "i4,i4", "V8", "i0", "f8,(", "U9", "M8[s]",
                                                        "b" * 999, "|b1", "c16")),
                     "shape": rng.choice(([], [0], [-1], [1 << 62], [lie(rng)] * 3, "a", 5)),
                     "data": rng.choice(("", "AAAA", "é", 5, "AAAAAAAAAAA="))}
            value = {"!": "dict", "items": [["answer", array], ["seen", []], ["work", [0, 0]]]}
    said = json.dumps(value)
    return (rng.choice((said, said, said[:-1], "[" * 100_000)) if harm else said).encode()


def read_answer(data, folder):
    return Process._answer(data)


# ------------------------------------------------------------------------------ the command line

PARTS = ("x", "y", "2", "1e999", "(", ")", "+", "**", "9**9**9", "'a'*10**9", "x[10**30]", "x[:]",
         "__import__('os')", "sin(x)", "x.__class__", "lambda: 0", "[x for x in y]", "exec('1')", "\0", "\ud800",
         "x.sum()", "{}", "f'{x}'", "reshape(x, 10**12)", "open('canary','w')", "(" * 90, "-" * 900, "zeros(10**12)",
         "x @ y", ":=", "x.save('canary')", "load('canary')", "x.numpy()", "expand(x, 10**15)", "1<<10**9",
         "'%999999999d'%1", "10**10**10", "await x", "[]")
ARGUMENTS = ("1", "[1,2]", "{[]:1}", "[" * 500, "9" * 5000, "-" * 9999, "__import__('os')", "'a'", "\0", "\ud800",
             "1e999", "{1:2}", "[[1],[2,3]]", "None", "1j", "True", "()", "b'a'", "{*()}", "{1}")


def command_line(rng, harm):
    if not harm:
        return ["play", "sin(x) * y", "x=1", "y=2", "--save", "out.html"]
    rule = rng.randrange(4)
    if rule == 0:
        return ["explain", rng.choice(("../../etc/passwd", "MG101", "\0", "\ud800", "x" * 5000, "MG999", "/etc/passwd",
                                       "", "[[" * 500, "..", "\x1b[2J", "%s%n"))]
    if rule == 1:       # nothing that can be run, which would do what it says: with "-", standard input is a program
        return ["run", rng.choice(("", "\0", "missing.py", ".", "../", "\ud800", "x" * 5000, "con", "-m", "-c",
                                   "--help"))]
    said = "".join([rng.choice(PARTS) for _ in range(rng.randrange(1, 5))])
    return ["play", said, f"x={rng.choice(ARGUMENTS)}", f"y={rng.choice(ARGUMENTS)}", "--save", "out.html"]


def run_command(arguments, folder):
    """The exit status, and what was printed."""
    printed = io.TextIOWrapper(io.BytesIO(), "utf-8", errors="backslashreplace")
    here = os.getcwd()
    with redirect_stdout(printed), redirect_stderr(printed):
        arguments = [str(folder / "out.html") if each == "out.html" else each for each in arguments]
        status = command.main(arguments)
    if os.getcwd() != here:
        raise Wrong("the working directory is another")
    return status


def a_status(arguments, status, folder):
    if status not in (0, 2):
        raise Wrong(f"the exit status is {status!r}")
    if (folder / "out.html").exists():
        skeleton((folder / "out.html").read_text("utf-8"))


# ------------------------------------------------------------------------------ names in pages, drawings and traces

PLAIN = "plain"
NAMES = ("</script>", "<script>alert(1)</script>", "'", '"', '" onload="x', "' onload='x", "<!--", "-->", "]]>", "&",
         "&lt;", "\0", "\x1b[2J", "\u202e", "\ud800", "\udfff", "a" * 5000, "\n", "\r", "\t", "\u2028",
         "<svg/onload=x>", "\uffff", "</title>", "</style>", "\\", "\\u003c", "{{", "${x}", "</desc>", "\x85",
         "<![CDATA[", "javascript:x", "é")


def name(rng, harm):
    return "".join([rng.choice(NAMES) for _ in range(rng.randrange(1, 4))]) if harm else PLAIN


class Skeleton(html.parser.HTMLParser):
    """The elements of a page with the names of their attributes."""

    def __init__(self):
        super().__init__()
        self.found, self.open = Counter(), 0

    def handle_starttag(self, tag, attributes):
        self.found[tag, tuple([key for key, _ in attributes])] += 1


def skeleton(page):
    parser = Skeleton()
    parser.feed(page)
    parser.close()
    return parser.found


def drawn(called, folder):
    """A drawing, a player and slides in which a tensor has the name."""
    x = torch.ones(2, requires_grad=True)
    loss = (x * 2).sum()
    drawing = viz.graph({called: x, "loss": loss})
    # a module's variable can have any name
    frame = {"viz": viz, called: x, "loss": loss, "player": None}
    function = type(play)(play.__code__, frame)
    player = function()
    drawing.save(folder / "out.svg")
    drawing.save(folder / "out.dot")
    player.save(folder / "out.html")
    player.slides(folder / "slides.html")
    return drawing._repr_html_(), player._repr_html_()


def play():
    return viz.play(loss)       # noqa: F821 (variables of the module that `drawn` makes up)


def nothing_smuggled(called, found, folder):
    ElementTree.parse(folder / "out.svg")
    pages = [*found, *[(folder / each).read_text("utf-8") for each in ("out.html", "slides.html", "out.svg")]]
    if called == PLAIN:
        nothing_smuggled.expected = [set(skeleton(page)) for page in pages]
        nothing_smuggled.scripts = [page.lower().count("</script") for page in pages]
    for page, expected, scripts in zip(pages, nothing_smuggled.expected, nothing_smuggled.scripts):
        if more := set(skeleton(page)) - expected - TEXT_MARKS:
            raise Wrong(f"the name put {more} into a page")
        if page.lower().count("</script") != scripts:
            raise Wrong("the name ends a script")


#: what long names may need besides
TEXT_MARKS = {("tspan", ()), ("title", ())}


def timeline(called, folder):
    with torch.autograd.profiler.profile() as profile:
        with torch.autograd.profiler.record_function(called):
            torch.ones(2).sin()
    profile.export_chrome_trace(str(folder / "out.json"), metadata={called: called})
    return called


def a_timeline(called, found, folder):
    said = (folder / "out.json").read_text("utf-8")
    trace = json.loads(said, parse_constant=lambda constant: refuse(f"{constant} is not JSON"))
    called = json.loads(json.dumps(called))         # JSON joins two surrogates to a character
    if called not in [event["name"] for event in trace["traceEvents"]] or trace[called] != called:
        raise Wrong("the name is another in the trace")
    if "<" in said:
        raise Wrong("a page that holds the trace could be ended by a name")


def refuse(why):
    raise Wrong(why)


# ------------------------------------------------------------------------------ all of them

FILE_CODES = ("MG202", "MG403", "MG404", "MG742")
KINDS = (
    Kind("archives", files.archive, loaded, only_its_own_memory, codes=FILE_CODES),
    Kind("names in archives", files.archive,
         lambda data, folder: get_unsafe_globals_in_checkpoint(io.BytesIO(data)), codes=FILE_CODES),
    Kind("mapped archives", files.archive, lambda data, folder: torch.load(folder / "input.pt", mmap=True),
         lambda data, found, folder: None, codes=FILE_CODES),
    Kind("pickles", lambda rng, harm: SIGNATURE + files.program(rng, 0, harm), loaded, same_data, codes=FILE_CODES),
    Kind("older files", files.several_pickles, loaded, only_its_own_memory, codes=FILE_CODES),
    Kind("safetensors", files.headed, lambda data, folder: safetensors.load(data), same_tensors, codes=("MG403",)),
    Kind("nvprof", database, read_trace, as_table, codes=("MG207",), allowed=("sqlite3.connect",)),
    Kind("notebooks", notebook, read_notebook, errors=(rules.Refused,), allowed=("compile",)),
    Kind("answers", answer, read_answer, errors=(Stopped, Failed)),
    Kind("command lines", command_line, run_command, a_status, errors=(), allowed=("compile", "write")),
    Kind("names in pages", name, drawn, nothing_smuggled, errors=(), allowed=("write",)),
    Kind("names in traces", name, timeline, a_timeline, errors=(), allowed=("write",)),
)


#: inputs that are read from a path, and the name of the file
PATHS = {"mapped archives": "input.pt", "nvprof": "input.nvvp", "notebooks": "input.ipynb"}


def put(kind, made, folder):
    """Empty the folder, and put the input there if it is read from a path."""
    for each in Path(folder).iterdir():
        (shutil.rmtree if each.is_dir() else os.unlink)(each)
    if kind.name in PATHS:
        (folder / PATHS[kind.name]).write_bytes(made)
