"""What the reference shows as the general way of a row is its kernel, as it is written in the file that it leads to."""

import ast
import functools
import re
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from minigrad.ops.exports import ROWS

pytest.importorskip("sphinx")

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "_ext"))
import general_ways
import literate
sys.path.remove(str(ROOT / "docs" / "_ext"))

OPS = [*(ROOT / "minigrad" / "ops").rglob("*.py")]
PAGE = re.compile(r":doc:`(\S+) </reading/(\S+)>`")


def shown(name):
    return "\n".join(general_ways.general_way(ROWS[name]))


def code_in(text):
    return textwrap.dedent(text.partition(".. code-block:: python\n")[2].partition("\nComputed")[0])


@pytest.mark.drawn
@pytest.mark.parametrize("name", sorted(ROWS))
def test_the_code_is_in_the_file_that_the_link_leads_to(name):
    text = shown(name)
    assert text.startswith("\nComputed ")
    for short, page in PAGE.findall(text):
        files = [path for path in paths_of(short.rpartition("/")[2])
                 if literate.page_of(path.relative_to(ROOT).as_posix()) == page]
        assert len(files) == 1, page
    code = code_in(text)
    assert bool(code) == ("code-block" in text)
    if code:
        ast.parse(code)
        first, *others = [without_notes(part) for part in code.split("\n\n\n")]
        assert first in words_of(files[0])
        assert all([other in words_of(*OPS) for other in others])


@functools.cache
def paths_of(name):
    return [*ROOT.glob("minigrad/**/" + name)]


def without_notes(code):
    """Words alone, without what a page adds: what names mean, and parentheses around a lambda of several lines."""
    words = " ".join(re.sub(r"\A\s*# .*\n", "", code).split())
    return words[1:-1] if words.startswith("(lambda") else words


@functools.cache
def words_of(*files):
    return " ".join(" ".join([path.read_text(encoding="utf-8") for path in files]).split())


@pytest.mark.parametrize(("name", "words"), [
    ("exp", "Computed by ``np.exp``."),
    ("erf", "``erf``, which is written in C (:doc:`special_functions.pyx "
            "</reading/_core-kernels-loops-special_functions>`)"),
    ("relu", "   lambda self: between(self, 0, None)"),
    ("all", "# op = 'all', ufunc = np.logical_and\n"),
    ("softmax", "def softmax_array("),
    ("remainder.Tensor", "ufunc = patched_ufuncs.remainder"),
    ("cat", "def "),
    ("laid_out", "``laid_out_kernel``, which is written in C (:doc:`accumulate_grad.pyx"),
])
def test_each_kind_of_kernel_is_shown(name, words):
    assert words in shown(name)


def test_a_call_without_options_comes_first():
    assert shown("add").index("Computed by ``np.add``.") < shown("add").index("lambda self, other, alpha:")


def test_a_function_that_is_only_called_as_one_of_numpy_is_not_taken_for_it():
    def exp(x):
        return x

    assert general_ways.numpy_name(np.exp) == "np.exp" and general_ways.numpy_name(exp) is None


def test_a_lambda_that_cannot_be_found_is_an_error():
    code = (lambda nowhere: 0).__code__
    with pytest.raises(LookupError, match="no function begins at line"):
        general_ways.source("minigrad/ops/formats.py", code.replace(co_firstlineno=1))
