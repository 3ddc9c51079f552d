"""The tutorials do what they say: each runs as a script, prints what its prose speaks of, and makes a good notebook.

Most claims are asserted by the tutorials themselves, so running them is checking them.  The rest is checked here: what
a reader must find in the output, that each page has its parts in order, and that the first and the third run with
PyTorch too, as the first one promises, with one line changed. """

import collections
import itertools
import re
import tomllib
from pathlib import Path

import pytest

from tests.site import tutorials_run

ROOT = Path(__file__).resolve().parents[2]
PARTS = tomllib.loads((ROOT / "tutorials" / "path.toml").read_text(encoding="utf-8"))["parts"]
PAGES = [f"{part['folder']}/{page}.py" for part in PARTS for page in part["pages"]]
EXERCISES = [*(ROOT / "tutorials" / "exercises").glob("*.py")]
GRADIENTS = "first_gradients/gradients_of_one_expression.py"
FUNCTION = "your_own_functions/your_own_function.py"
DIGITS = "first_gradients/reading_digits.py"


def text_of(name):
    return (ROOT / "tutorials" / name).read_text(encoding="utf-8")


# Draws nothing: what a tutorial computes can be compared where matplotlib is not installed.
NO_FIGURES = """
class Silent:
    def __getattr__(self, name): return self
    def __call__(self, *args, **kwargs): return self
    def __iter__(self): return iter((self, self))

def subplots(*args, **kwargs): return Silent(), Silent()
def show(): pass
"""


@pytest.fixture
def output_of(run_of):
    """What a tutorial prints, by its name."""
    return lambda name: run_of(ROOT / "tutorials" / name).output


# ------------------------------------------------------------------------------ the path


def test_the_path_leads_to_every_page():
    assert sorted(PAGES) == sorted(path.relative_to(ROOT / "tutorials").as_posix()
                                   for path in (ROOT / "tutorials").glob("*/*.py") if path.parent.name != "exercises")


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part["folder"])
def test_a_part_builds_on_earlier_parts_and_has_a_page_of_its_own(part):
    folders = [each["folder"] for each in PARTS]
    assert all(folders.index(needed) < folders.index(part["folder"]) for needed in part["needs"])
    header = text_of(f"{part['folder']}/GALLERY_HEADER.rst")
    assert header.startswith(part["title"] + "\n===") and "After this part you can" in header
    assert all(10 <= minutes <= 60 for minutes in part["pages"].values())


# ------------------------------------------------------------------------------ what a reader must find


@pytest.mark.drawn(first=0)             # those that test_taught.py draws
@pytest.mark.parametrize("name", PAGES)
def test_it_runs_as_a_script(name, output_of):
    assert output_of(name)


def test_gradients_by_hand_and_by_minigrad_agree(output_of):
    output = output_of(GRADIENTS)
    pairs = re.findall(r"cotangent of \w: (\S+) by hand, (\S+) by minigrad", output)
    assert len(pairs) == 5 and all(by_hand == by_minigrad for by_hand, by_minigrad in pairs)
    assert "v.grad     = tensor(1.5440)" in output
    assert "v.grad = tensor(3.0880)   by hand 1.544" in output          # accumulated


@pytest.mark.parametrize("code", ["MG102", "MG103", "MG104", "MG105"])
def test_gradients_show_the_usual_errors(code, output_of):
    assert f"[{code}]" in output_of(GRADIENTS)


@pytest.mark.parametrize("said", [
    "30 of 36 differ",
    "multiply by the incoming gradient.",
    "(analytical / numerical = 3)",
    "a constant factor: every entry is 3 times what it should be.",
    "version 0 became version 1",
    "has been modified by an inplace operation: [torch.DoubleTensor [6]]",
    "SoftplusBackward saved it",
    "[MG101]",
    "Careless: ctx.x holds an input of forward",
    "ThriftyBackward saved an intermediate of forward",
    "trying to differentiate twice a function that was marked with @once_differentiable",
    "ShortBackward returned an incorrect number of gradients (expected 2, got 1)",
    "the precision of torch.float32",
    "the function has a kink or a jump at this point",
])
def test_planted_mistakes_are_found_and_named(said, output_of):
    assert said in " ".join(output_of(FUNCTION).split())


@pytest.mark.parametrize("said", [
    "Trying to backward through the graph a second time",
    "(python -m minigrad explain MG102)",
    *[f"[MG{number}]" for number in (101, 102, 103, 104, 105)],
    "It is not a leaf but the result of an operation (MulBackward0)",
    "no path leads to it from the result",
    "second = first * first # this one",
    "mistakes.grad: tensor(1.) scores.grad: None",
])
def test_errors_are_read(said, output_of):
    assert said in " ".join(output_of("first_gradients/read_an_error.py").split())


@pytest.mark.parametrize("said", [
    "step 0: loss 2.5568, gradient [nan, nan]",
    "step 1: loss nan, gradient [nan, nan]",
    "The line: squares = (place - beacons).square().sum(dim=1)",
    "the 0 came from WhereBackward0",
    "the phone is at [1.0, 2.0]",
    "loss: inf",
    "loss: 1000.0 gradient: [[1.0, -1.0]]",
    "It came from the forward pass, which saved inf (in 'other').",
    "not finite: powers",
    "the phone stays at [0.0, 0.0]",
])
def test_nans_are_found(said, output_of):
    assert said in " ".join(output_of("first_gradients/find_a_nan.py").split())


@pytest.mark.slow
def test_digits_are_read(output_of):
    output = output_of(DIGITS)
    percentage, = re.findall(r"^held-out images: (\S+)% right", output, flags=re.MULTILINE)
    assert float(percentage) >= 96
    assert re.search(r"100%\|.+\| 30/30 \[.*held out " + re.escape(percentage), output)     # the progress bar
    assert re.search(r"^\d+ mistakes in 360 images$", output, flags=re.MULTILINE)


# ------------------------------------------------------------------------------ how a page is made


@pytest.mark.parametrize("name", PAGES)
def test_a_problem_comes_first_and_exercises_last(name):
    headings = re.findall(r"^# (\S.*)\n# -+$", text_of(name), flags=re.MULTILINE)
    assert headings[0] == "The problem" and any("wrong" in heading for heading in headings)
    if (ROOT / "tutorials" / "exercises" / Path(name).name).exists():
        assert headings[-2:] == ["Exercises", "Projects"]
    else:
        assert headings[-1] == "Exercises"
        assert len(re.findall(r"^# \d\. ", text_of(name).split("# Exercises")[1], flags=re.MULTILINE)) >= 4


@pytest.mark.parametrize("name", PAGES)
def test_code_fits_a_page(name):
    is_code = True
    for number, line in enumerate(text_of(name).splitlines(), 1):
        is_code ^= line == '"""'
        assert len(line) <= (92 if is_code and not line.startswith("#") else 120), f"{name}:{number}"


@pytest.mark.parametrize("name", PAGES)
def test_the_notebook_has_no_markup_left(name, monkeypatch, tmp_path):
    pytest.importorskip("sphinx_gallery")
    from sphinx_gallery.py_source_parser import split_code_and_text_blocks

    monkeypatch.syspath_prepend(str(ROOT / "docs" / "_ext"))
    import gallery

    count = itertools.count(1)
    levels = collections.defaultdict(lambda: next(count))
    for block in split_code_and_text_blocks(str(ROOT / "tutorials" / name))[1]:
        if block[0] == "text":
            markdown = gallery.rst2markdown(block[1], {}, str(tmp_path), levels)
            assert not re.search(r":\w+:`|^\.\. \w+::", markdown, flags=re.MULTILINE), markdown


@pytest.mark.parametrize("name", [*PAGES, *sorted(f"exercises/{path.name}" for path in EXERCISES)])
def test_its_mathematics_becomes_mathml(name):
    tex2mathml = pytest.importorskip("docutils.utils.math.latex2mathml").tex2mathml
    text = re.sub(r"^# ?", "", text_of(name), flags=re.MULTILINE)
    assert not re.search(r"\\d?frac\d", text), "docutils takes all of 12 in \\frac12 for the numerator"
    blocks = re.findall(r"^\.\. math::((?:.*\n)(?:[ ]+.*\n|\n)*)", text, flags=re.MULTILINE)
    for block in blocks:
        lines = [line.strip() for line in block.splitlines() if not line.strip().startswith(":")]
        tex2mathml("\n".join(lines).strip(), as_block=True)
    for formula in re.findall(r":math:`([^`]+)`", text):
        tex2mathml(formula)


# ------------------------------------------------------------------------------ the promise: one line changed


def with_torch(name, tmp_path):
    pytest.importorskip("torch")
    (tmp_path / "matplotlib").mkdir()
    (tmp_path / "matplotlib" / "__init__.py").write_text("")
    (tmp_path / "matplotlib" / "pyplot.py").write_text(NO_FIGURES)
    source = text_of(name)
    changed = re.sub(r"^import minigrad as torch$", "import torch", source, flags=re.MULTILINE)
    changed = re.sub(r"^torch\.viz\.play\(.*\n", "", changed, flags=re.MULTILINE)        # minigrad's own
    assert source.count("import minigrad as torch\n") == 1 and changed != source
    path = tmp_path / "changed.py"
    path.write_text(changed, encoding="utf-8")
    return tutorials_run.output_of([path], tutorials_run.environment(OMP_NUM_THREADS="1"))


@pytest.mark.parity
def test_gradients_are_the_same_with_torch(tmp_path):
    output = with_torch(GRADIENTS, tmp_path)
    assert "v.grad     = tensor(1.5440)\ntheta.grad = tensor(8.9224)\nDivBackward0\n    MulBackward0" in output
    assert len(re.findall(r"cotangent of \w: (\S+) by hand, \1 by minigrad", output)) == 5


@pytest.mark.slow
def test_digits_are_read_with_torch_as_well(tmp_path):
    for package in "sklearn", "tqdm":
        pytest.importorskip(package)
    assert "training images: " in with_torch(DIGITS, tmp_path)
