"""Errors: one constructor, one catalogue, stable codes; and nothing raw comes out of a public function."""

import ast
import collections
import functools
import re
from pathlib import Path

import pytest

import minigrad
from minigrad._core import errors
from minigrad._core.errors import CATALOGUE, MinigradError, error, located, shown_path
from minigrad.ops.exports import METHODS
from tests.checking import public_functions

PACKAGE = Path(minigrad.__file__).parent
PYTHON = sorted(PACKAGE.rglob("*.py"))
CYTHON = sorted(PACKAGE.rglob("*.pyx"))
USED = re.compile(r'error\(\s*"(MG\d+)"')

# Raised without a code on purpose: Python's own protocols, and mistakes of authors of rows, which no user meets.
PLAIN = {
    # which linecache catches, where it is refused a file of the judge
    ("fence.py", "PermissionError"),
    # what the import protocol asks for
    ("_as_torch.py", "absent_module"), ("_paths.py", "absent_module"), ("_lazy_modules.py", "absent"),
    ("__init__.py", "ImportError"), ("__init__.py", "absent"), ("__init__.py", "OSError"),
    ("__init__.py", "ModuleNotFoundError"),
    ("_lazy_modules.py", "AttributeError"),
    # what the caller of torch._check_with has chosen; what another process raised
    ("_checks.py", "error_type"), ("_checks.py", "AssertionError"),
    ("spawn.py", "self._failure"), ("__init__.py", "AssertionError"),
    # what hasattr(dtype, ...) asks for
    ("__init__.py", "AttributeError"), ("absent.py", "absent"),
    # a row that is wrong
    ("compute.pyx", "ValueError"), ("call.pyx", "ValueError"), ("op.pyx", "ValueError"),
    ("rows.py", "ValueError"), ("exports.py", "ValueError"), ("composites.py", "ValueError"),
    ("schema.py", "ValueError"), ("provided.pyx", "ValueError"),
    ("type_objects.pyx", "TypeError"),
    # what the callers in Python make sure of
    ("random_arrays.pyx", "TypeError"), ("random_arrays.pyx", "AssertionError"),
    ("formulas.pyx", "KeyError"), ("symbols.pyx", "Untraceable"),
    *[(file, "MemoryError") for file in ("ctc_loss.pyx", "new_ufuncs.pyx", "formulas.pyx", "margin_losses.pyx",
                                         "fft_passes.pyx")],
    # what hasattr(module, ...) asks for
    ("members.py", "AttributeError"), ("reports.py", "AttributeError"),
    # which the same module catches, or the one that called it
    ("higher_precision.py", "NoWay"), ("watching.py", "NoWay"), ("shadow_memory.pyx", "NotOurs"),
    # what a worker raised, in the parent
    ("loader.py", "batch.again"), ("fetching.py", "StopIteration"), ("loader.py", "StopIteration"),
    ("checkpoint.py", "_Enough"), ("teaching.py", "AssertionError"),
    # of cases that an engine fails, for the report; and an error on purpose
    ("checklist.py", "Wrong"), ("checklist.py", "ZeroDivisionError"),
    # for NumPy's functions, which then answer themselves
    ("functions.py", "LeftToNumPy"), ("rearranging.py", "LeftToNumPy"), ("statistics.py", "LeftToNumPy"),
    # for the kernel that called, which says it in the user's words
    ("solving.py", "np.linalg.LinAlgError"), ("matrices.py", "np.linalg.LinAlgError"),
    ("lu_and_ldl.pyx", "ValueError"), ("reporting.py", "COMPLAINTS[op]"),
    # why a row has no program, which viz.code catches, and says with a code
    ("program.py", "Untranslatable"), ("table_source.py", "Untranslatable"),
    ("recurrences.py", "Refused"),
    # which part of a tensor a view shows, which viz.derive catches
    ("view_writes.py", "Unplaced"),
    ("reshaping.py", "ValueError"),
    # what other ranks have made fail
    ("agreement.py", "self._broken"), ("agreement.py", "exception"),
    # between the parts of homework, and for its users: it is not about tensors
    *[("child.py", name) for name in ("ValueError", "AttributeError", "ImportError")],
    ("instruments.pyx", "RuntimeError"), ("judge.py", "Differences"), ("wire.py", "Garbled"), ("wire.py", "ValueError"),
    ("rules.py", "Refused"),
    ("process.py", "Failed"), ("process.py", "Stopped"),
    ("in_process.py", "Foul"), ("in_process.py", "Stopped"), ("in_process.py", "Failed"),
    *[(file, "without_copies") for file in ("process.py", "in_process.py")],
    ("process.py", "self._ended"), ("judge.py", "LookupError"), ("spec.py", "LookupError"),
    *[(file, "LookupError") for file in ("cli.py", "formats.py", "variants.py")],
    ("cli.py", "NotADirectoryError"), ("judge.py", "rules.Refused"),
    ("report.py", "AssertionError"), ("report.py", "KeyError"), ("checkpointing.py", "KeyError"),
    *[(file, "Wrong") for file in ("judge.py", "derivatives.py", "scalar_engine.py")],
    ("scalar_engine.py", "judge.kept['forwards']"),
    # the same of exercises
    *[(file, "LookupError") for file in ("pages.py", "words.py", "work.py")], ("pages.py", "ValueError"),
    ("progress.py", "TypeError"), ("progress.py", "ValueError"),
    ("words.py", "AssertionError"), ("words.py", "FileNotFoundError"),
    # what has kept a block from putting something back
    ("scopes.pyx", "problem"),
    *[("nested_passes.pyx", handed_on) for handed_on in ("errand", "first", "interrupted")],
}


# ------------------------------------------------------------------------------ the catalogue

def test_codes_are_codes():
    for code, (kind, line) in CATALOGUE.items():
        assert re.fullmatch(r"MG[1-9]\d\d", code)
        assert issubclass(kind, MinigradError) and issubclass(kind, Exception)
        assert line and not line.endswith(".") and len(line) < 90


def test_codes_are_written_once_and_in_order():
    text = (PACKAGE / "_core" / "errors" / "__init__.py").read_text()
    codes = re.findall(r'^    "(MG\d+)":', text, re.M)
    assert codes == sorted(set(codes)) and set(codes) <= set(CATALOGUE) and len(codes) > 60


def test_a_class_is_also_the_one_that_pytorch_raises():
    for code, (kind, _) in CATALOGUE.items():
        assert issubclass(kind, (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError,
                                 AttributeError, AssertionError)), code


def test_an_error_carries_its_code():
    e = error("MG102", "a message")
    assert isinstance(e, RuntimeError) and e.code == "MG102" and str(e) == "a message [MG102]"
    assert e.__notes__ == ["(python -m minigrad explain MG102)"]            # how to read its page, below the traceback
    with pytest.raises(KeyError):
        error("MG999", "no such code")


def test_device_and_division_errors_are_of_both_classes():
    assert isinstance(error("MG208", ""), (RuntimeError)) and isinstance(error("MG208", ""), ZeroDivisionError)
    assert isinstance(error("MG404", ""), AssertionError) and isinstance(error("MG404", ""), RuntimeError)


def test_every_code_in_the_sources_is_in_the_catalogue():
    used = {}
    for path in PYTHON + CYTHON:
        for code in USED.findall(path.read_text()):
            used.setdefault(code, path.name)
    assert set(used) <= set(CATALOGUE), {c: used[c] for c in set(used) - set(CATALOGUE)}


def test_every_code_of_the_catalogue_is_used():
    text = "".join([path.read_text() for path in PYTHON + CYTHON if path.name != "errors.py"])
    assert [code for code in CATALOGUE if f'"{code}"' not in text] == []


# ------------------------------------------------------------------------------ places

def here(function):
    file = Path(__file__).relative_to(Path.cwd()) if Path(__file__).is_relative_to(Path.cwd()) else __file__
    return f"{file}:{function.__code__.co_firstlineno}"


class Scale:
    def by(self, x):
        return x

    def __call__(self, x):
        return x


def decorated(function):
    @functools.wraps(function)
    def wrapper(*arguments):
        return function(*arguments)
    return wrapper


def plain(x):
    return x


def test_a_function_has_a_name_and_a_place():
    assert located(plain) == f"plain, at {here(plain)}"
    assert located(Scale.by) == located(Scale().by) == f"Scale.by, at {here(Scale.by)}"
    inner = lambda x: x
    assert located(inner) == f"<lambda>, at {here(inner)}"             # and not the test that it is in


def test_the_place_is_that_of_what_the_author_wrote():
    assert (located(decorated(plain)) == located(functools.partial(plain, 3))
            == located(functools.partial(decorated(plain))) == located(plain))
    assert located(Scale()) == f"Scale, at {here(Scale.__call__)}"


def test_what_is_not_written_in_python_has_a_name():
    assert located(len) == "len" and located(minigrad.from_numpy).startswith("from_numpy")
    assert located([].append) == "list.append"


def test_an_object_that_has_every_attribute_does_no_harm():
    class Anything:
        def __getattr__(self, name):
            return self

        def __call__(self, *arguments):
            return self

    assert "Anything" in located(Anything())


@pytest.mark.parametrize("names", [{}, {"__name__": None}, {"__name__": "theirs"}])
def test_code_is_warned_in_a_namespace_of_any_name(names):
    with pytest.warns(UserWarning, match="there is no CUDA here"):
        exec("minigrad.cuda.profiler.start()", {"minigrad": minigrad, **names})


def test_a_file_is_named_from_the_folder_we_are_in(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert shown_path(str(tmp_path / "homework.py")) == "homework.py"
    assert shown_path("/elsewhere/homework.py") == "/elsewhere/homework.py"


# ------------------------------------------------------------------------------ the sources

#: makers of errors in type_promotion.pyx and refusals.pyx whose result helpers in Python return
OF_THE_CORE = {"uncastable", "must_be_tensor"}


Parts = collections.namedtuple("Parts", "returned handled made raised")


@functools.cache
def parts_of(text):
    """Of a Python source: (function, what it returns the result of), names of handled errors, (name, whose result it
    is), (line, what is raised)."""
    found = Parts([], set(), [], [])

    def visit(node, functions):
        if isinstance(node, ast.FunctionDef):
            functions = (*functions, node.name)
        elif isinstance(node, ast.Return) and called_by_name(node.value):
            found.returned.extend([(name, node.value.func.id) for name in functions])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.handled.add(node.name)
        elif isinstance(node, ast.Assign) and called_by_name(node.value):
            found.made.extend([(t.id, node.value.func.id) for t in node.targets if isinstance(t, ast.Name)])
        elif isinstance(node, ast.Assert):
            found.raised.append((node.lineno, "AssertionError"))
        elif isinstance(node, ast.Raise) and node.exc is not None:
            for raised in (node.exc.body, node.exc.orelse) if isinstance(node.exc, ast.IfExp) else (node.exc,):
                called = raised.func if isinstance(raised, ast.Call) else raised
                found.raised.append((node.lineno, called.id if isinstance(called, ast.Name) else ast.unparse(called)))
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.expr):         # which has no statements in it
                visit(child, functions)

    visit(ast.parse(text), ())
    return found


def called_by_name(node):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name)


def makes_errors(text):
    """The functions of a module that return what `error` makes."""
    names = {"error"} | OF_THE_CORE
    while more := {name for name, maker in parts_of(text).returned if maker in names} - names:
        names |= more
    return names


@functools.cache
def imported_makers():
    """Helpers that other modules import: the same name anywhere counts."""
    names = set()
    for path in PYTHON:
        names |= makes_errors(path.read_text(encoding="utf-8"))
    return names


def raised_in_python(text):
    """(line, name) of all that a Python source raises past the catalogue."""
    makers = imported_makers() | makes_errors(text)
    known = makers | parts_of(text).handled | {name for name, maker in parts_of(text).made if maker in makers}
    return [(line, name) for line, name in parts_of(text).raised if name not in known]


@functools.cache
def makers_in(text):
    """The functions of a Cython source that return an error of the catalogue."""
    made = re.finditer(r"^(?:cdef object|def) (\w+)\(.*?\):\n(?=(?:    .*\n|\n)*?    (?:    )*return "
                       rf"(?:{'|'.join(imported_makers())}|error)\()", text, re.M)
    return {"error"} | {m[1] for m in made}


@functools.cache
def makers_in_the_core():
    """One file makes them, others raise them too; most are in refusals.py."""
    return imported_makers().union(*[makers_in(path.read_text(encoding="utf-8")) for path in CYTHON])


def raised_in_cython(text):
    """The same for a Cython source, read as text."""
    makers = makers_in(text) | makers_in_the_core()
    for line, code in enumerate(text.splitlines(), 1):
        found = re.match(r"\s+(?:.*: )?(?:raise (\w+)|(assert) )", code)
        if found and found[1] not in makers:
            yield line, found[1] or "AssertionError"


@functools.cache
def raised_in(path):
    read = raised_in_python if path.suffix == ".py" else raised_in_cython
    return list(read(path.read_text(encoding="utf-8")))


def test_only_the_catalogue_raises():
    past = [f"{path.relative_to(PACKAGE)}:{line} raises {name}" for path in PYTHON + CYTHON
            for line, name in raised_in(path) if (path.name, name) not in PLAIN]
    assert not past, past


@pytest.mark.skipif(not CYTHON, reason="an installed wheel has no sources of the core")
def test_every_exception_to_that_is_needed():
    assert {(path.name, name) for path in PYTHON + CYTHON for _, name in raised_in(path)} == PLAIN


@pytest.mark.parametrize(
    ("fault", "name"),
    [
        ("raise ValueError('no code')", "ValueError"),
        ("raise KeyError", "KeyError"),
        ("raise errors.AutogradRuntimeError('no code')", "errors.AutogradRuntimeError"),
        ("raise error('MG101', 'right') if x else TypeError('wrong')", "TypeError"),
        ("problem = RuntimeError('no code')\nraise problem", "problem"),
        ("assert x, 'no code'", "AssertionError"),
    ],
)
def test_an_error_past_the_catalogue_is_found(fault, name):
    assert name in [found for _, found in raised_in_python(fault)]


@pytest.mark.parametrize("right", ["raise error('MG101', 'x')", "try:\n    f()\nexcept ValueError as e:\n    raise e",
                                   "raise",
                                   "def bad(x):\n    return error('MG101', x)\nraise bad(3)",
                                   "problem = error('MG101', 'x')\nraise problem from None"])
def test_what_the_catalogue_makes_may_be_raised(right):
    assert not list(raised_in_python(right))


@pytest.mark.parametrize(("fault", "name"), [
    ("    raise ValueError('no code')", "ValueError"), ("    if x: raise KeyError", "KeyError"),
    ("    assert x", "AssertionError"),
])
def test_an_error_past_the_catalogue_is_found_in_cython(fault, name):
    assert list(raised_in_cython(f"def f(x):\n{fault}\n")) == [(2, name)]


def test_what_the_catalogue_makes_may_be_raised_in_cython():
    assert not list(raised_in_cython("cdef object bad(x):\n    return error('MG101', x)\n\ndef f(x):\n    raise "
                                     "bad(x)\n    raise error('MG101', '')\n    raise\n"))


# ------------------------------------------------------------------------------ what users meet

def tensors():
    t = minigrad
    return [t.arange(6.).reshape(2, 3), t.tensor(2.), t.tensor([0, 1, 2]), t.tensor([True, False]), t.tensor([1 + 2j]),
            t.ones(0, 3)]


WRONG = ["a", None, object(), 99, -99, 1.5, [1, 2], [], [None], (5, 5), 1j, {}, True]
PYTHONS_OWN = re.compile(r"positional argument|unexpected keyword|required|takes \d+")


def refusals(function):
    """Every exception without a code that silly arguments bring out of ``function``."""
    for t in tensors():
        for wrong in [*WRONG, minigrad.ones(7, 5), minigrad.tensor([5, -9])]:
            for arguments in ((wrong,), (t, wrong), (t, t, wrong), (t, 0, wrong)):
                try:
                    function(*arguments)
                except Exception as e:
                    if (getattr(e, "code", None) is None
                        and not (isinstance(e, TypeError) and PYTHONS_OWN.search(str(e)))):
                        shown = ", ".join([f"<tensor {list(a.shape)}>" if isinstance(a, minigrad.Tensor) else repr(a)
                                           for a in arguments])
                        yield f"({shown}): {type(e).__name__}: {e}"


@pytest.mark.drawn
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(public_functions()))
def test_every_refusal_has_a_code(name):
    found = list(refusals(public_functions()[name]))
    assert not found, f"{name}{found[0]} (and {len(found) - 1} more)"


def test_methods_exist_for_functions():
    assert len(METHODS) > 150


def test_the_module_says_what_it_is():
    assert errors.__doc__ and set(errors.__all__) >= {"CATALOGUE", "MinigradError", "error"}
