"""What editors and type checkers are told: mypy and pyright accept every tutorial, know the public API, and find
mistakes.

The two checkers are not part of the test environment (``pip install mypy pyright``); ``MINIGRAD_TYPES=required`` fails
where one is missing.  That the stubs written by hand say what the modules have is tested without them. """

import ast
import functools
import importlib
import importlib.util
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).resolve().parent
TUTORIALS = sorted(str(path) for path in (ROOT / "tutorials").glob("*/*.py") if path.parent.name != "exercises")
GENERATED = "Made by `make stubs`"


def run_checker(name, *arguments):
    """Its answer, with the lines of the tutorials or programs that it complains of."""
    if not works(name):
        if os.environ.get("MINIGRAD_TYPES") == "required":
            pytest.fail(f"MINIGRAD_TYPES=required, and {name} does not run")
        pytest.skip(f"{name} is not installed, or does not run")
    done = run_module(name, *arguments)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


@functools.cache
def works(name):
    """pyright fetches itself when it first runs, so it may be installed and not work."""
    return importlib.util.find_spec(name) is not None and run_module(name, "--version").returncode == 0


def run_module(name, *arguments):
    return subprocess.run([sys.executable, "-m", name, *arguments], cwd=ROOT,
                          env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True)


@pytest.fixture(scope="module")
def mypy(tmp_path_factory):
    """Runs mypy, which keeps what it knows of NumPy from one test to the next."""
    cache = tmp_path_factory.mktemp("mypy")
    return lambda *arguments: run_checker("mypy", "--cache-dir", str(cache), "--no-error-summary", *arguments)


def pyright(*arguments):
    return run_checker("pyright", "--pythonpath", sys.executable, *arguments)


def lines_in(answer, path):
    """The numbers of the lines in which there are errors."""
    return {int(number) for number in re.findall(rf"{re.escape(Path(path).name)}:(\d+)(?::\d+)?(?: -|:) error", answer)}


def marked(path):
    return {number for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
            if line.endswith("# wrong")}


# ------------------------------------------------------------------------------ with the checkers


def test_mypy_accepts_every_tutorial(mypy):
    """Scripts bind a name again as notebooks do, and use packages that have no types, or are not installed."""
    lenient = ["--allow-redefinition-new", "--local-partial-types", "--check-untyped-defs",
               *(f"--disable-error-code={code}"
                 for code in ("import-untyped", "import-not-found", "var-annotated", "no-redef", "has-type"))]
    assert mypy(*lenient, *TUTORIALS) == ""


def test_pyright_accepts_every_tutorial():
    answer = pyright("-p", str(HERE / "tutorials.json"))
    assert "0 errors" in answer, answer


def test_mypy_knows_the_types_of_the_public_api(mypy):
    assert mypy("--strict", str(HERE / "accepted.py")) == ""


def test_pyright_knows_the_types_of_the_public_api():
    """In its strict mode nothing may be unknown."""
    answer = pyright(str(HERE / "accepted.py"))
    assert "0 errors" in answer, answer


def test_mypy_finds_every_mistake(mypy):
    path = HERE / "mistakes.py"
    assert lines_in(mypy("--strict", str(path)), path) == marked(path) != set()


def test_pyright_finds_every_mistake():
    path = HERE / "mistakes.py"
    assert lines_in(pyright(str(path)), path) == marked(path) != set()


# ------------------------------------------------------------------------------ the stubs written by hand


def written_by_hand():
    return [path for path in sorted((ROOT / "minigrad").rglob("*.pyi"))
            if GENERATED not in path.read_text(encoding="utf-8")]


def module_of(path):
    return importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))


def parameters_in(definition):
    a = definition.args
    return [*(p.arg for p in (*a.posonlyargs, *a.args)), *([f"*{a.vararg.arg}"] if a.vararg else []),
            *(p.arg for p in a.kwonlyargs), *([f"**{a.kwarg.arg}"] if a.kwarg else [])]


def parameters_of(function):
    marks = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    return [marks.get(p.kind, "") + p.name for p in inspect.signature(function).parameters.values()]


def defaults_in(definition):
    """Which parameters have a default."""
    a = definition.args
    named = (*a.posonlyargs, *a.args)
    return {p.arg for p in named[len(named) - len(a.defaults):]} | {p.arg for p, d in zip(a.kwonlyargs, a.kw_defaults)
                                                                    if d is not None}


def is_overload(definition):
    return any(isinstance(d, ast.Name) and d.id == "overload" for d in definition.decorator_list)


def differences(module, body, prefix=""):
    """Where functions, and the methods of classes, have other parameters than the stub says."""
    for definition in body:
        if isinstance(definition, ast.ClassDef):
            yield from differences(getattr(module, definition.name), definition.body, f"{prefix}{definition.name}.")
        if not isinstance(definition, ast.FunctionDef) or definition.name.startswith("__") or is_overload(definition):
            continue
        if not hasattr(module, definition.name):
            yield f"{prefix}{definition.name} is not there"
            continue
        function = inspect.getattr_static(module, definition.name)
        function = getattr(function, "__func__", getattr(function, "fget", None) or function)
        said, has = parameters_in(definition), parameters_of(function)
        if said != has and said != ["*args", "**kwargs"]:       # what users override takes what they like
            yield f"{prefix}{definition.name} takes {has}; the stub says {said}"
        elif said == has and defaults_in(definition) != {p.name for p in inspect.signature(function).parameters.values()
                                                         if p.default is not p.empty}:
            yield f"{prefix}{definition.name} has other defaults than the stub says"


@pytest.mark.parametrize("path", written_by_hand(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_stub_says_what_the_module_has(path):
    module, tree = module_of(path), ast.parse(path.read_text(encoding="utf-8"))
    vars(module)                        # loads what is loaded later: inspect.getattr_static asks no module for it
    said = {alias.asname or alias.name for node in tree.body if isinstance(node, ast.ImportFrom)
            for alias in node.names}
    said |= {node.name for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    said |= {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)}
    assert set(getattr(module, "__all__", ())) <= said or "__getattr__" in said
    assert list(differences(module, tree.body)) == []


def test_the_stub_of_nn_names_every_class_that_is_loaded_later():
    nn = importlib.import_module("minigrad.nn")
    tree = ast.parse((ROOT / "minigrad" / "nn" / "__init__.pyi").read_text(encoding="utf-8"))
    said = {alias.asname for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert {*nn.modules.__all__, *nn.parameter.__all__} <= said


def test_every_parameter_of_the_public_stubs_has_a_type():
    generated = ("__init__.pyi", "_core/graph/graph.pyi", "nn/functional/__init__.pyi", "linalg/__init__.pyi",
                 "special.pyi", "fft.pyi")
    for path in [*written_by_hand(), *[ROOT / "minigrad" / name for name in generated]]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                a = node.args
                untyped = [p.arg for p in (*a.args, *a.kwonlyargs) if p.annotation is None
                           and p.arg not in ("self", "cls")]
                assert not untyped and node.returns is not None, f"{path.name}: {node.name}({', '.join(untyped)})"
