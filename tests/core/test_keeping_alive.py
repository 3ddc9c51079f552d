"""docs/notes/alive.rst lists every struct of the core that points to memory, and says what keeps that alive; and every
place where the number of references decides what may be written to."""

import gc
import re
import tracemalloc
from pathlib import Path

import pytest

import minigrad

ROOT = Path(__file__).resolve().parent.parent.parent
CORE = ROOT / "minigrad" / "_core"
PAGE = ROOT / "docs" / "notes" / "alive.rst"
with_the_sources = pytest.mark.skipif(not (ROOT / "setup.py").exists(), reason="an installed wheel is tested")
with_the_page = pytest.mark.skipif(not PAGE.exists(), reason="the notes are not in this copy")

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
    return {(name, path.name) for path in sorted(CORE.rglob("*")) if path.suffix in (".pyx", ".pxd")
            for name in holders(path.read_text(encoding="utf-8"))}


def on_the_page():
    return re.findall(r"^   \* - ``(\w+)``\n     - ``([\w.]+)``\n", PAGE.read_text(encoding="utf-8"), re.M)


@with_the_page
def test_the_page_lists_all_that_points_to_memory():
    listed, found = on_the_page(), in_the_core()
    assert len(listed) == len({*listed})
    assert found - {*listed} == set(), "say in docs/notes/alive.rst what keeps alive what these point to"
    assert {*listed} - found == set(), "these are gone"


@with_the_sources
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

cdef extern from "kernels/windows/grid_sample.h":
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


# ------------------------------------------------------------------------------ bare pointers to payloads

BARE = re.compile(r"<PyObject\*>\S*\.payload\b")
FUNCTION = re.compile(r"(?: {4})?(?:cdef|cpdef|def) (?:inline )?(?:[\w.*]+ )*\*?(\w+)\(")

#: Where one is taken, and why nothing can happen to the array.
TAKEN = {
    ("call.pyx", "look"): "it is owned at once",
    ("write.pyx", "ordinary"): "write_shortly owns it at once",
    ("function_node.pyx", "keep"): "it is owned already",
    ("dual_tensors.pyx", "memory_of"): "it is compared, and no more",
    ("saved_slots.pyx", "keep_numbers"): "no code runs before it is given up",
    ("subscripting.pyx", "setitem"): "array_at owns it at once",
}


def places(pattern, names=("*.pyx", "*.pxd")):
    """(file, function) of each line of the core's code in which the pattern is."""
    found = set()
    for path in [path for name in names for path in sorted(CORE.rglob(name))]:
        function = None
        for line in path.read_text(encoding="utf-8").splitlines():
            if named := FUNCTION.match(line):
                function = named[1]
            if re.search(pattern, line.split("#")[0]):
                found.add((path.name, function))
    return found


@with_the_sources
def test_a_bare_pointer_to_a_payload_is_taken_where_nothing_can_happen_to_it():
    assert places(BARE) == {*TAKEN}


def test_such_a_pointer_is_found():
    for line in ("raw[0] = <PyObject*>target.payload", "raw[i] = <PyObject*>(<Tensor>x).payload",
                 "s.value = <PyObject*>(<Tensor>bound[i]).payload"):
        assert BARE.search(line)
    assert not BARE.search("cdef object array = target.payload") and not BARE.search("<PyObject*>payloads[i]")


# ------------------------------------------------------------------------------ counts

@with_the_page
def test_the_page_lists_where_counts_decide():
    asked = places(r"Py_REFCNT\(") - {("python_api.pxd", None)}
    section = PAGE.read_text(encoding="utf-8").partition("Where counts decide\n---")[2].partition(".. _read-once:")[0]
    assert asked == {*re.findall(r"^   \* - ``([\w.]+)``\n     - ``(\w+)``\n", section, re.M)}


NUMBERS = 1000                  # so many that an array of them is not kept for the next one


def most_at_once(loss):
    """How many arrays a backward pass has at most, beside what there was."""
    gc.collect()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        loss.backward()
        return (tracemalloc.get_traced_memory()[1] - before) // (8 * NUMBERS)
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("f, arrays", [
    (lambda x, w: (x * w).sin().exp().sin(), 2),            # each formula writes over the gradient that it got
    (lambda x, w: x * w + x * w.neg() + x.sin(), 3),        # a sum is added up in place
    (lambda x, w: (x * w).tanh(), 2),
])
def test_memory_of_gradients_is_used_again(f, arrays):
    x = minigrad.ones(NUMBERS, dtype=minigrad.float64, requires_grad=True)
    w = minigrad.ones(NUMBERS, dtype=minigrad.float64)
    f(x, w).sum().backward()
    x.grad = None
    assert most_at_once(f(x, w).sum()) == arrays


def test_a_gradient_is_added_to_that_of_a_leaf_in_place():
    x = minigrad.ones(NUMBERS, dtype=minigrad.float64, requires_grad=True)
    (x * 2).sum().backward()
    assert most_at_once((x * 2).sum()) == 1


# ------------------------------------------------------------------------------ the lock of Python

@with_the_sources
def test_no_module_declares_that_it_needs_no_lock():
    """A Python without a GIL turns it on for modules that do not: docs/notes/threads.rst says what depends on it."""
    for path in [ROOT / "setup.py", *CORE.rglob("*.pyx")]:
        assert "freethreading_compatible" not in path.read_text(encoding="utf-8")
