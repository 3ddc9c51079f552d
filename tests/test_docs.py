"""No example rots: those in the docs, and in every docstring of the public interface, are run.

Each runs in a fresh namespace where ``torch`` is minigrad and ``np`` is NumPy, as the examples have it.
"""

import doctest
import importlib
import pkgutil
import re
import sys
import textwrap
from pathlib import Path

import numpy
import pytest

import minigrad
from minigrad.error_pages.executing import UpToTheCode
from tests.checking import public_functions, the_table_as_it_was
from tests.ops import sampling

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(path for path in (ROOT / "docs").glob("**/*.rst") if not {"_build", "tutorials", "ops", "reading"}
               & set(path.relative_to(ROOT).parts))
MODULES = sorted(
    module.name for module in pkgutil.walk_packages(minigrad.__path__, "minigrad.") if not module.name.endswith(
        "__main__")
)
OPERATIONS = public_functions()


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
    doctest.DocTestRunner(UpToTheCode(), verbose=False, optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert not report, "".join(report)
    return len(test.examples)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_page(path):
    run(path.read_text(encoding="utf-8"), path.name)


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


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_every_operation_has_an_example_and_it_is_true(name):
    doc = OPERATIONS[name].__doc__
    assert doc, f"{name} has no docstring"
    assert run(doc, name), f"{name} has no example"


@pytest.mark.parametrize("name", MODULES)
def test_module(name):
    """Docstrings of a module and of what it defines; compiled modules too, which pytest would skip."""
    module = importlib.import_module(name)
    of_operations = {function.__doc__ for function in OPERATIONS.values()}
    if name == "minigrad._as_torch" and "torch" in sys.modules:
        pytest.skip("PyTorch is loaded: its name is taken, as tests/test_as_torch.py checks in processes of its own")
    for test in doctest.DocTestFinder().find(module, name, module=False if name.startswith("minigrad._core") else None):
        if test.examples and test.docstring not in of_operations:
            run(test.docstring, test.name, **vars(module))
