"""docs/notes/alive.rst lists every struct of the core that points to memory, and says what keeps that alive."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CORE = ROOT / "minigrad" / "_core"
PAGE = ROOT / "docs" / "notes" / "alive.rst"

DECLARED = re.compile(r"\s*(?:cdef|ctypedef) (?:packed )?(?:struct|union|class) (?:\w+\.)*(\w+).*:\s*(?:#.*)?$")
EXTERN = re.compile(r'cdef extern from (?:"(.*)"|\*)')
POINTER = re.compile(r"^(?:cdef )?(?:public |readonly )?(?:const )?[\w.]+ ?\*+ ?\w+")


def indent(line):
    return len(line) - len(line.lstrip())


def holders(text):
    """The structs, classes and variables of a module that have a pointer among their fields, or are one."""
    lines, foreign, quoted = text.splitlines(), None, False
    for number, line in enumerate(lines):
        quoted ^= line.count('"""') % 2
        if quoted or not line.strip():
            continue
        if foreign is not None and indent(line) <= foreign:
            foreign = None
        if (found := EXTERN.match(line.strip())) and found[1] and not (CORE / found[1]).exists():
            foreign = indent(line)
        if foreign is not None:
            continue
        if found := DECLARED.match(line):
            if any(POINTER.match(field) for field in fields(lines, number)):
                yield found[1]
        elif line.startswith("cdef ") and (found := re.match(r"cdef (?!inline )(?:const )?[\w.]+ ?\*+ ?([\w, *=<>&]+)",
                                                             line)) and "(" not in line.split("#")[0]:
            yield re.match(r"\w+", found[1])[0]


def fields(lines, number):
    """The declarations directly in the body that begins behind this line."""
    body, depth, quoted = [], None, False
    for line in lines[number + 1:]:
        quoted ^= line.count('"""') % 2
        if not line.strip() or quoted:
            continue
        if indent(line) <= indent(lines[number]):
            break
        depth = indent(line) if depth is None else depth
        field = line.split("#")[0].strip()
        if indent(line) == depth and "(" not in field and (field.startswith("cdef ") or "class" not in lines[number]):
            body.append(field)
    return body


def in_the_core():
    return {(name, path.name) for path in sorted(CORE.iterdir()) if path.suffix in (".pyx", ".pxd")
            for name in holders(path.read_text(encoding="utf-8"))}


def on_the_page():
    return re.findall(r"^   \* - ``(\w+)``\n     - ``([\w.]+)``\n", PAGE.read_text(encoding="utf-8"), re.M)


def test_the_page_lists_all_that_points_to_memory():
    listed, found = on_the_page(), in_the_core()
    assert len(listed) == len({*listed})
    assert found - {*listed} == set(), "say in docs/notes/alive.rst what keeps alive what these point to"
    assert {*listed} - found == set(), "these are gone"


def test_what_is_found():
    assert [*holders("""
cdef struct Sizes:
    int n

cdef struct Work:
    # of one call
    char* data          # of the operand

    int n

cdef extern from "Python.h":
    ctypedef struct PyObject:
        void* type

cdef extern from "grids.h":
    ctypedef struct Grid "mg_grid":
        const char* name

cdef class Holder:
    cdef object kept
    cdef PyObject* borrowed

    cdef int method(self, char* x):
        cdef char* local

cdef PyObject* latest = NULL
cdef char* function(int n):
    cdef char* local
""")] == ["Work", "Grid", "Holder", "latest"]
