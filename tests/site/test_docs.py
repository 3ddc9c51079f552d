"""No example rots: those in the docs, and in every docstring of the public interface, are run.

Each runs in a fresh namespace where ``torch`` is minigrad and ``np`` is NumPy, as the examples have it.
"""

import ast
import contextlib
import doctest
import importlib
import pkgutil
import re
import sys
import textwrap
import warnings
from pathlib import Path

import numpy
import pytest

import minigrad
from minigrad.error_pages.executing import UpToTheCode, failures, is_for_ranks
from tests.checking import public_functions, the_table_as_it_was
from tests.ops import sampling

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(path for path in (ROOT / "docs").glob("**/*.rst") if not {"_build", "tutorials", "ops", "reading"}
               & set(path.relative_to(ROOT).parts))
MODULES = sorted(
    module.name for module in pkgutil.walk_packages(minigrad.__path__, "minigrad.") if not module.name.endswith(
        "__main__")
)
OPERATIONS = public_functions()


@pytest.fixture(autouse=True, scope="module")
def nobodys_progress(tmp_path_factory):
    """Examples check exercises, and nobody has done them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MINIGRAD_PROGRESS", str(tmp_path_factory.mktemp("progress") / "exercises.json"))
        yield


@pytest.fixture(autouse=True)
def as_it_was():
    """An example may change the default dtype, the grad mode or the seed, or add to the table; the next one must not
    see it."""
    minigrad.manual_seed(0)
    with the_table_as_it_was():
        yield
    minigrad.set_default_dtype(minigrad.float32)
    minigrad.autograd.set_grad_enabled(True)


def run(text, name, **known):
    names = {**known, "torch": minigrad, "minigrad": minigrad, "np": numpy}
    test = doctest.DocTestParser().get_doctest(text, names, name, name, 0)
    report = []
    # verbose=False, since doctest takes the -v of pytest for its own, and reports what passes
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".* is deprecated")       # as the text beside the example says
        doctest.DocTestRunner(UpToTheCode(), verbose=False, optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert not report, "".join(report)
    return len(test.examples)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_page(path):
    text = path.read_text(encoding="utf-8")
    if is_for_ranks(text):
        pytest.importorskip("mpi4py")
        found = failures(path.name, text)
        assert not found, "".join(found)
        return
    run(text, path.name)


# ------------------------------------------------------------------------------ code without a prompt

#: What the code of a page that defines names may use of the tests' own notation.
NOTATION = {"docs/notes/adding.rst": sampling}
BLOCK = re.compile(r"^\.\. code-block:: *(\w*)\n(?: +:.*\n)*\n((?: +.*\n|\n)+)", re.MULTILINE)
#: What is not Python: shown, and not run.
SHOWN = {"text", "console"}


def blocks(text):
    """(language, code) of each block of code in a page."""
    return [(language, textwrap.dedent(code).strip()) for language, code in BLOCK.findall(text)]


def is_in_the_table(code):
    """Is this a row of the table, or its beginning?"""
    words = " ".join(code.removesuffix(")").split())
    return any(words in " ".join(path.read_text(encoding="utf-8").split())
               for path in (ROOT / "minigrad" / "ops").rglob("*.py"))


BLOCKS = [(str(path.relative_to(ROOT)), language, code) for path in PAGES
          for language, code in blocks(path.read_text(encoding="utf-8")) if language not in SHOWN]


@pytest.mark.parametrize(("page", "language", "code"), BLOCKS, ids=[page for page, _, _ in BLOCKS])
def test_code_without_a_prompt_is_in_the_table_or_runs(page, language, code):
    assert language == "python"
    if not is_in_the_table(code):
        exec(compile(code, page, "exec"), {**vars(NOTATION.get(page, minigrad)), "torch": minigrad})


def test_blocks_of_code_are_found():
    assert blocks(".. code-block:: python\n\n   x = 1\n\n   y = 2\n\nprose\n\n.. code-block:: text\n\n   x\n") == [
        ("python", "x = 1\n\ny = 2"), ("text", "x")]
    assert len(BLOCKS) >= 3
    assert is_in_the_table("exp = elementwise(\"exp(Tensor self)\", np.exp)")
    assert not is_in_the_table("exp = elementwise(\"exp(Tensor self)\", np.cos)")


# ------------------------------------------------------------------------------ code that opens a module

#: What the code in the docstring of a module speaks of without making it.
GIVEN = {
    "amp/__init__.py": "x, model = torch.ones(2, requires_grad=True), torch.exp; scaler = torch.amp.GradScaler('cpu')",
    "amp/autocast_mode.py": "x = w = torch.ones(2, 2)",
    "autograd/anomaly_mode.py": "x, model = torch.ones(2, requires_grad=True), torch.sum",
    "autograd/digits/__init__.py": "x, model = torch.ones(2, requires_grad=True), torch.sum",
    "autograd/forward_ad.py": "import minigrad.autograd.forward_ad as fwAD; x = v = torch.ones(2); f = torch.exp",
    "autograd/function/__init__.py": "x = torch.ones(2, requires_grad=True)",
    "autograd/grad_mode.py": "weight = torch.ones(2, requires_grad=True); weight.sum().backward()",
    "autograd/gradcheck/__init__.py": "my_function = torch.sin",
    "autograd/graph/saved_memory.py": "total = 0; loss = torch.ones(2, requires_grad=True).exp().sum()",
    "autograd/graph/saved_tensors.py": "pack = unpack = lambda x: x; "
                                       "x, model = torch.ones(2, requires_grad=True), lambda x: x.exp().sum()",
    "autograd/profiler/__init__.py": "x, model = torch.ones(2, requires_grad=True), torch.sum",
    "distributions/constraint_registry.py": "from minigrad.distributions import constraints, transform_to; "
                                            "unconstrained = torch.ones(2)",
    "distributions/distribution.py": "from minigrad.distributions import Normal",
    "distributions/transforms.py": "from minigrad.distributions import AffineTransform; x = torch.ones(2)",
    "homework/spec.py": "from minigrad.homework import Assignment; STARTER = ''",
    "nn/modules/batchnorm.py": "from math import sqrt; x = torch.ones(2); mean = var = weight = bias = eps = 1.",
    "nn/modules/layer.py": "from minigrad.nn.modules.layer import Layer; F = torch.nn.functional",
    "nn/modules/module.py": "nn = torch.nn",
    "optim/lr_scheduler.py": "optimizer = torch.optim.SGD([torch.ones(2)]); train = lambda *_: optimizer.step()",
    "optim/optimizer.py": "model, loss = torch.nn.Linear(2, 1), torch.nn.MSELoss(); "
                          "x, y = torch.ones(3, 2), torch.ones(3, 1)",
    "optim/swa_utils.py": "from minigrad.optim.swa_utils import AveragedModel, update_bn; "
                          "model, data, train = torch.nn.Linear(2, 1), [(torch.ones(3, 2), None)], lambda *_: None",
    "teaching.py": "from minigrad.teaching import *; result = x = torch.ones(2); by_formula = torch.sin",
    "types.py": "Tensor = torch.Tensor",
    "utils/benchmark.py": "from minigrad.utils.benchmark import Timer; a = b = torch.ones(2, 2)",
    "utils/data/__init__.py": "from minigrad.utils.data import *; "
                              "dataset = TensorDataset(torch.ones(4, 2), torch.ones(4))",
}
#: What looks like Python, and is a sketch or mathematics; or a program of its own, of several processes for example,
#: which tests/distributed runs.
SKETCHES = {"_as_torch.py", "_core/backward/engine.pyx", "distributed/__init__.py", "distributed/nn/functional.py",
            "exercises/pages.py", "homework/__init__.py", "ops/positions/subscripting.py",
            "optim/adadelta.py", "utils/data/loader.py", "utils/tensorboard/__init__.py"}
DOCSTRING = re.compile(r'\A(?:#[^\n]*\n|\s*\n)*[rR]?"""(.*?)"""', re.DOTALL)
INDENTED = re.compile(r"(?:^ {4}.*\n|^\n)+", re.MULTILINE)


def programs(text):
    """The indented code in the docstring of a module, as far as it has statements."""
    docstring = DOCSTRING.match(text)
    for block in INDENTED.findall(docstring[1]) if docstring else ():
        code = textwrap.dedent(block.strip("\n"))
        with contextlib.suppress(SyntaxError):
            if ">>>" not in code and any(not isinstance(each, ast.Expr) for each in ast.parse(code).body):
                yield code


PROGRAMS = [(path.relative_to(ROOT / "minigrad").as_posix(), code)
            for path in sorted((ROOT / "minigrad").rglob("*.py*")) if path.suffix in (".py", ".pyx")
            for code in programs(path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize(("file", "code"), [each for each in PROGRAMS if each[0] not in SKETCHES],
                         ids=[file for file, _ in PROGRAMS if file not in SKETCHES])
def test_code_that_opens_a_module_runs(file, code, capsys):
    if not is_in_the_table(code):
        names = {"torch": minigrad}
        exec(GIVEN.get(file, ""), names)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(code, file, "exec"), names)


def test_code_in_docstrings_is_found():
    assert list(programs('"""What it is.\n\n    x = 1\n\n    f(x)\n\nMore:\n\n    f(x) -> y\n    >>> f\n"""')) == [
        "x = 1\n\nf(x)"]
    files = {file for file, _ in PROGRAMS}
    assert len(files) > 20 and {*GIVEN, *SKETCHES} <= files


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_every_operation_has_an_example_and_it_is_true(name):
    doc = OPERATIONS[name].__doc__
    assert doc, f"{name} has no docstring"
    assert run(doc, name), f"{name} has no example"


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.filterwarnings("ignore:.*is deprecated")
@pytest.mark.filterwarnings("ignore:Anomaly Detection has been enabled")
@pytest.mark.filterwarnings("ignore:Error detected in SqrtBackward0")
def test_module(name):
    """Docstrings of a module and of what it defines; compiled modules too, which pytest would skip."""
    if name.startswith("minigrad.utils.tensorboard"):
        pytest.importorskip("tensorboard")
    module = importlib.import_module(name)
    of_operations = {function.__doc__ for function in OPERATIONS.values()}
    if name == "minigrad._as_torch" and "torch" in sys.modules:
        pytest.skip("PyTorch is loaded: its name is taken, as tests/test_as_torch.py checks in processes of its own")
    for test in doctest.DocTestFinder().find(module, name, module=False if name.startswith("minigrad._core") else None):
        if test.examples and test.docstring not in of_operations:
            run(test.docstring, test.name, **vars(module))
