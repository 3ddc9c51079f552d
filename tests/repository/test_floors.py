"""The house has floors: a file imports only from below, at its top, and never in a cycle.

Which file imports which is read from the sources, not tried: an import that runs in a cycle often works by luck of the
order.  The Cython sources are read as text, the Python ones as syntax trees.  For each claim a fault is planted, which
must be found. """

import ast
import functools
import re
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "minigrad"

#: From the ground up.  A top-level module or subpackage of minigrad is on exactly one floor.
FLOORS = [
    ["_core"],
    ["dtypes"],
    ["ops"],
    ["notation"],
    ["_tensor", "tensors", "creation", "numpy_interface", "random", "types", "_paths", "_lazy_modules",
     "stand_ins", "storage"],
    ["autograd"],
    ["func"],
    ["environment", "_checks", "accelerator", "amp", "array_api", "backends", "compiler", "cpu", "distributed", "jit",
     "mps", "multiprocessing", "optim", "overrides", "version", "xpu", "nn", "serialization", "linalg", "special",
     "fft", "signal", "cuda", "memory", "teaching", "testing", "utils", "torch_version", "_vmap_internals", "_as_torch",
     "error_pages", "quasirandom", "__config__", "_C", "_utils", "futures", "hub", "_foreach",
     "library", "profiler"],
    ["__init__"],
    ["distributions", "viz", "homework", "exercises", "doctor", "functional", "masked", "__main__"],
]
FLOOR = {name: number for number, names in enumerate(FLOORS) for name in names}

#: The same for the folders of the core, and of its kernels.  Folders on one floor do not know each other.
CORE_FLOORS = [["errors"], ["runtime"], ["kernels", "graph"], ["dispatch"], ["backward", "devices"], ["forward"],
               ["inplace"], ["frontends", "profiling"]]
KERNEL_FLOORS = [["loops"], ["shapes"], ["algebra", "positions", "random", "reductions"],
                 ["fourier", "networks", "statistics", "windows"]]
TOP = 99, ""        # for what lies in none of its folders: the tables of kernels, and what opens the library

SOURCES = sorted(path for ending in ("*.py", "*.pyx", "*.pxd") for path in PACKAGE.rglob(ending))
STRINGS = re.compile(r'("""|\'\'\')(?:.|\n)*?\1')
CYTHON_IMPORT = re.compile(
    r"^(?P<indent>[ \t]*)(?:from[ \t]+(?P<origin>[\w.]+)[ \t]+c?import[ \t]+(?P<names>[^\n(]+|\([^)]*\))|c?import[ "
    r"\t]+(?P<module>[\w.]+))",
    re.MULTILINE,
)


def module_name(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(path):
    """[(what is imported, as a full name; line; whether inside a function)] for one source file."""
    return imports_in(path.read_text(encoding="utf-8"), path)


@functools.cache
def imports_in(text, path):
    package = module_name(path) if path.stem == "__init__" else module_name(path).rpartition(".")[0]
    if path.suffix != ".py":
        return list(cython_imports(text, package))
    tree = ast.parse(text)
    found = []

    def visit(node, function):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):         # has no statements in it
                continue
            inside = function
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                # A module's own __getattr__ may load what few need, when it is asked for.
                inside = function or not (isinstance(node, ast.Module) and child.name == "__getattr__")
            if isinstance(child, ast.Import):
                found.extend((alias.name, child.lineno, function) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                origin = absolute("." * child.level + (child.module or ""), package)
                found.extend((f"{origin}.{alias.name}", child.lineno, function) for alias in child.names)
            visit(child, inside)

    visit(tree, False)
    return found


def cython_imports(text, package):
    text = STRINGS.sub(lambda match: "\n" * match.group().count("\n"), text)
    for match in CYTHON_IMPORT.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        if match["module"]:
            yield match["module"], line, bool(match["indent"])
            continue
        origin = absolute(match["origin"], package)
        for name in re.findall(r"(\w+)(?:\s+as\s+\w+)?", match["names"].split("#")[0]):
            yield f"{origin}.{name}", line, bool(match["indent"])


def absolute(origin, package):
    """``..ops`` seen from ``minigrad.autograd`` is ``minigrad.ops``."""
    level = len(origin) - len(origin.lstrip("."))
    if not level:
        return origin
    base = package.split(".")[: len(package.split(".")) - level + 1]
    return ".".join(base + [origin.lstrip(".")] if origin.lstrip(".") else base)


def imports_when_called(path):
    """The same for ``import_module("minigrad.func")`` in a function, as far as a name is written there.

    What a module's own ``__getattr__`` loads may be above it.
    """
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py" or "import_module" not in text:
        return []
    tree = ast.parse(text)
    late = {id(inner) for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "__getattr__"
            for inner in ast.walk(node)}
    return [(name, node.lineno, True) for node in ast.walk(tree)
            if isinstance(node, ast.Call) and node.args and id(node) not in late
            and getattr(node.func, "id", getattr(node.func, "attr", "")).endswith("import_module")
            and (name := written_name(node.args[0]))]


def written_name(node):
    """The text, or that before the first part that is computed."""
    if isinstance(node, ast.JoinedStr):
        node = node.values[0]
    value = getattr(node, "value", None)
    return value.strip(".") if isinstance(value, str) and value.startswith("minigrad.") else None


MODULES = {module_name(path) for path in SOURCES}


def module_of(name):
    """The module of minigrad that ``name`` is, or is in; None for what is not ours."""
    if name.split(".")[0] != "minigrad":
        return None
    while name not in MODULES:
        name = name.rpartition(".")[0]
    return name


def floors_of(module):
    """The floor of a module and what is on it, in the house; the same in the core, and among its kernels."""
    parts = module.split(".") + [""] * 3
    yield FLOOR[parts[1] or "__init__"], parts[1]
    if parts[1] == "_core":
        yield next(((number, parts[2]) for number, names in enumerate(CORE_FLOORS) if parts[2] in names), TOP)
        if parts[2] == "kernels":
            yield next(((number, parts[3]) for number, names in enumerate(KERNEL_FLOORS) if parts[3] in names), TOP)


def is_above(target, module):
    """Is the target on a floor above, or in another folder of the core on the same one?"""
    for depth, (theirs, ours) in enumerate(zip(floors_of(target), floors_of(module))):
        if theirs != ours:
            return theirs[0] > ours[0] or theirs[0] == ours[0] and depth > 0
    return False


def upward(path):
    """The imports of a file that come from a floor above."""
    return [f"line {line}: {name}" for name, line, _ in [*imports_of(path), *imports_when_called(path)]
            if (target := module_of(name)) and is_above(target, module_name(path))]


def hidden(path):
    """The imports of ours inside functions: what is optional or rarely needed from elsewhere may be loaded late, since
    it cannot close a cycle."""
    return [f"line {line}: {name}" for name, line, inside in imports_of(path) if inside and module_of(name)]


def outside(path):
    """The packages that a file imports, and that the library does not ask for."""
    extras = {"ml_dtypes", "mpi4py", "sympy"}
    if path.parent.name == "tensorboard":           # imported by its name alone, where these are installed
        extras |= {"tensorboard", "google", "PIL", "matplotlib"}
    allowed = {"minigrad", "numpy", "cython", "cpython", "libc", *extras} | sys.stdlib_module_names
    return {name.split(".")[0] for name, _, _ in imports_of(path)} - allowed


def found_in(sources, look):
    """{path: what ``look`` finds in this file}, where it finds something."""
    return {str(path.relative_to(PACKAGE)): found for path in sources if (found := look(path))}


def test_imports_run_downward():
    assert found_in(SOURCES, upward) == {}, "these import from a floor above their own"


def test_no_import_hides_in_a_function():
    assert found_in(SOURCES, hidden) == {}, "imports belong at the top of a file"


def folder_of(module):
    """The folder that ``module`` lies in, where a floor has folders; otherwise the module itself."""
    parts = module.split(".")
    depth = 4 if parts[1:3] == ["_core", "kernels"] and (PACKAGE / "/".join(parts[1:4])).is_dir() else 3
    return ".".join(parts[:depth]) if len(parts) > 3 or (PACKAGE / "/".join(parts[1:])).is_dir() else module


def cycle(sources, shown):
    """The modules, or folders, that import each other; None where there are none."""
    graph = {}
    for path in sources:
        module = shown(module_name(path))
        below = {shown(target) for name, _, _ in imports_of(path) if (target := module_of(name))}
        graph.setdefault(module, set()).update(below - {module})
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as found:
        return found.args[1]
    return None


@pytest.mark.parametrize("shown", [str, folder_of], ids=["modules", "folders"])
def test_no_cycle(shown):
    assert cycle(SOURCES, shown) is None


def without_a_floor(sources):
    return sorted({path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in sources} ^ FLOOR.keys())


def test_every_module_is_on_a_floor():
    assert not without_a_floor(SOURCES), "give what is new a floor, and take away that of what is gone"


def test_the_library_asks_for_numpy_only():
    assert found_in(SOURCES, outside) == {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from minigrad.ops import kinds", ["minigrad.ops.kinds"]),
        ("cimport numpy as cnp", ["numpy"]),
        ("from minigrad._core.graph cimport (Node,\n    Tensor)  # why",
         ["minigrad._core.graph.Node", "minigrad._core.graph.Tensor"]),
        ('"""\nfrom here import nothing\n"""', []),
    ],
)
def test_cython_imports_are_read(text, found):
    assert [name for name, _, _ in cython_imports(text, "minigrad._core")] == found


@pytest.fixture
def planted(tmp_path, monkeypatch):
    """Writes a file of a library elsewhere."""
    here = sys.modules[__name__]
    monkeypatch.setattr(here, "ROOT", tmp_path)
    monkeypatch.setattr(here, "PACKAGE", tmp_path / "minigrad")

    def write(name, text):
        path = tmp_path / "minigrad" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        monkeypatch.setattr(here, "MODULES", MODULES | {module_name(path)})
        return path

    return write


def test_an_import_in_a_function_is_found(planted):
    path = planted("ops/planted.py", "def f():\n    import json\n    from ..autograd import grad\n")
    assert hidden(path) == ["line 3: minigrad.autograd.grad"]
    assert hidden(planted("_core/planted.pyx", "def f():\n    from minigrad import ops\n")) == ["line 2: minigrad.ops"]
    assert not hidden(planted("planted.py", "def __getattr__(name):\n    from . import func\n"))


def test_an_import_from_above_is_found(planted):
    assert upward(planted("ops/planted.py", "from ..autograd import grad\nfrom . import kinds\n")) == [
        "line 1: minigrad.autograd.grad"]
    assert upward(planted("_core/planted.pxd", "import numpy\nfrom minigrad.ops cimport kinds\n")) == [
        "line 2: minigrad.ops.kinds"]
    assert not upward(planted("autograd/planted.py", "from minigrad.ops import kinds\nfrom . import function\n"))


@pytest.mark.parametrize(("place", "text", "found"), [
    ("runtime/planted.pyx", "from minigrad._core.graph cimport Tensor", True),
    ("graph/planted.pyx", "from minigrad._core.kernels.shapes.strided_views cimport another", True),
    ("kernels/loops/planted.pyx", "from minigrad._core.graph.graph cimport Tensor", True),
    ("kernels/loops/planted.pyx", "from minigrad._core.kernels.shapes.padding cimport pad", True),
    ("kernels/algebra/planted.pyx", "from minigrad._core.kernels.reductions.softmax cimport softmax", True),
    ("kernels/loops/planted.pyx", "from minigrad._core.kernels.table cimport Kernel", True),
    ("devices/planted.py", "from minigrad._core.backward.engine import run", True),
    ("dispatch/planted.pyx", "from minigrad._core.graph cimport Tensor", False),
    ("kernels/planted.pyx", "from minigrad._core.kernels.windows cimport pooling", False),
    ("kernels/windows/planted.pyx", "from minigrad._core.kernels.algebra.microkernels cimport sums", False),
    ("backward/planted.pyx", "from minigrad._core.backward.engine cimport run", False),
])
def test_a_folder_of_the_core_that_knows_one_above_or_beside_it_is_found(planted, place, text, found):
    assert bool(upward(planted(f"_core/{place}", text))) == found


def test_an_import_by_name_is_one(planted):
    assert upward(planted("ops/planted.py", "from importlib import import_module\ndef f():\n"
                                            "    import_module('minigrad.func')\n")) == ["line 3: minigrad.func"]
    assert upward(planted("ops/planted.py", "def f(x):\n    importlib.import_module(f'minigrad.nn.{x}')\n"))
    assert not upward(planted("ops/planted.py", "def __getattr__(x):\n    return import_module('minigrad.func')\n"))


# ------------------------------------------------------------------------------ how the floors are drawn

def drawn(text, floors):
    """The floors as a page draws them, from the ground up; names are set apart by two spaces or more."""
    number = {name: at for at, names in enumerate(floors) for name in names}
    lines = [[number[name] for name in re.split(r"\s{2,}|\|", line) if name in number] for line in text.splitlines()]
    return [line for line in reversed(lines) if line]


def faults_of_drawing(text, floors, left_out=()):
    found = drawn(text, floors)
    yield from [f"floors {line} on one line" for line in found if len({*line}) > 1]
    order = [line[0] for line in found]
    yield from [f"floor {above} is drawn below {below}" for below, above in zip(order, order[1:]) if above < below]
    yield from [f"{names} is not drawn" for at, names in enumerate(floors) if at not in order and names != left_out]


def docstring(path):
    return ast.get_docstring(ast.parse((PACKAGE / path).read_text(encoding="utf-8")))


DESIGN = (ROOT / "docs" / "notes" / "design.rst").read_text(encoding="utf-8").partition("\nA row\n")[0]


@pytest.mark.parametrize(("text", "floors"), [
    (docstring("__init__.py"), FLOORS), (docstring("_core/__init__.py"), CORE_FLOORS),
    (DESIGN.partition("The core has floors")[0], FLOORS), (DESIGN.partition("The core has floors")[2], CORE_FLOORS),
], ids=["minigrad", "_core", "design", "design, core"])
def test_the_floors_are_drawn_as_they_are(text, floors):
    assert list(faults_of_drawing(text, floors, left_out=["__init__"])) == []


def test_a_wrong_drawing_is_found():
    text = docstring("__init__.py")
    assert "is drawn below" in " ".join(faults_of_drawing(text.replace("    func  ", "    ops  "), FLOORS))
    assert list(faults_of_drawing(text.replace("    notation  ", "    nothing  "), FLOORS, ["__init__"])) == [
        "['notation'] is not drawn"]
    assert "on one line" in " ".join(faults_of_drawing(text.replace("    nn  ", "    ops  "), FLOORS))


def test_every_folder_of_the_core_is_on_a_floor():
    for floors, place in ((CORE_FLOORS, PACKAGE / "_core"), (KERNEL_FLOORS, PACKAGE / "_core" / "kernels")):
        assert sorted(sum(floors, [])) == sorted(path.parent.name for path in place.glob("*/__init__.py"))


def test_a_cycle_is_found(planted):
    one = planted("ops/shapes/one.py", "from ..positions import two\n")
    two = planted("ops/positions/two.py", "import numpy\nfrom .three import f\n")
    three = planted("ops/positions/three.py", "f = 1\n")
    four = planted("ops/positions/four.py", "from ..shapes import one\n")
    assert cycle([one, two, three, four], str) is None
    assert {*cycle([one, two, three, four], folder_of)} == {"minigrad.ops.shapes", "minigrad.ops.positions"}
    three.write_text("from ..shapes.one import g\n")
    assert len(cycle([one, two, three, four], str)) == 4            # the first comes again at the end


def test_a_module_without_a_floor_is_found(planted):
    assert "planted" in without_a_floor([planted("planted.py", "")])
    assert "ops" not in without_a_floor([planted("ops/planted.py", "")])
    assert without_a_floor([]) == sorted(FLOOR)


def test_another_package_is_found(planted):
    assert outside(planted("planted.py", "import json, numpy\ndef f():\n    import scipy.special\n")) == {"scipy"}
    assert outside(planted("_core/planted.pyx", "cimport scipy\nfrom libc.math cimport sin\n")) == {"scipy"}


# ------------------------------------------------------------------------------ rows are not known by name

#: The name of a row, or what errors call it, beside a string: ``op.name == "sub"``, ``name in ("sub", "add")``.
NAME = r"(?:\b(?!dtype\b)\w+\.(?:name|shown|written|node_name)|(?<!for )\b(?:name|row_name|op_name))"
BY_NAME = re.compile(rf"(?<![.\w]){NAME}(?:\s*[!=]=\s*[\"']|\s+(?:not\s+)?in\s*[(\[{{]\s*[\"'])"
                     rf"|[\"']\s*[!=]=\s*{NAME}\b")


def known_by_name(text):
    return [line.strip() for line in text.splitlines() if BY_NAME.search(line)]


def test_nothing_below_the_table_knows_a_row_by_its_name():
    """What is particular to a row is a property of the row: fast=, refuse=, promote= and the rest of its options."""
    below = [path for path in SOURCES if path.relative_to(PACKAGE).parts[0] in ("_core", "func")]
    assert found_in(below, lambda path: known_by_name(path.read_text(encoding="utf-8"))) == {}


@pytest.mark.parametrize("line", ['if op.name == "sub":', 'if name == "mm":', "if row.name in ('add', 'sub'):",
                                  'if "sub" == op.name:', 'x = op.shown not in ("where", "copy")'])
def test_a_row_that_is_known_by_its_name_is_found(line):
    assert known_by_name(line) == [line]


@pytest.mark.parametrize("line", ['if mask.dtype.name != "bool":', 'if op.kind == "view":', 'if call.name == name:',
                                  'for name in ("a", "b"):'])
def test_other_names_are_not_rows(line):
    assert not known_by_name(line)
