"""What the tutorials claim to teach is true: each claim is checked, and each check is tried on a planted fault."""

import io

import pytest

pytest.importorskip("sphinx_gallery")

import minigrad  # noqa: E402
from docs._ext import taught  # noqa: E402
from tests.parity.records import cells  # noqa: E402

ENTRIES = taught.listed()
PAGES = [taught.Page(path) for path in taught.scripts()]
REFERENCES = [taught.Reference(path) for path in taught.references()]
#: How many entries no tutorial taught when the list was begun: a number that may only become smaller.
ONCE_WAITING = 0


def page(tmp_path, *code):
    """A tutorial of these cells, below an introduction and a heading each."""
    path = tmp_path / "page.py"
    parts = [f"# %%\n# Part {number}\n# ------\n\n{each}\n\n" for number, each in enumerate(code, 1)]
    path.write_text('"""\nA page\n======\n"""\nimport minigrad as torch\n\n' + "".join(parts))
    return taught.Page(path)


def faults(tmp_path, *code):
    return list(taught.faults(page(tmp_path, *code), ENTRIES))


# ------------------------------------------------------------------------------ the tutorials


@pytest.mark.parametrize("which", PAGES + REFERENCES, ids=lambda which: which.document)
def test_what_a_page_says_that_it_teaches_is_used_and_shown(which):
    assert not list(taught.faults(which, ENTRIES))


def test_every_entry_is_taught_or_known_to_be_missing():
    """If this fails since an entry is taught now, remove it from `waiting` in tutorials/entries.toml."""
    missing = {name for name, found in taught.taught(PAGES + REFERENCES, ENTRIES).items() if not found}
    assert taught.waiting() == missing


def test_the_list_of_missing_entries_only_shrinks():
    assert len(taught.waiting()) <= ONCE_WAITING


def test_every_entry_exists():
    for name, entry in ENTRIES.items():
        if entry.printed or "*" in name or taught.YOURS in name:
            continue
        owner, found = taught.owner_and_object(name)
        assert found is not None or isinstance(owner, type), name


# ------------------------------------------------------------------------------ planted faults


@pytest.mark.parametrize(("code", "said"), [
    ("# teaches: autograd.gard\nprint(1)", "is not in tutorials/entries.toml"),
    ("# teaches: backward\nx.backward()\nprint(x.grad)", "write more of it"),
    ("# teaches: Tensor.backward\nprint(x.grad)", "does not use it"),
    ("# teaches: Tensor.backward\nprint('x.backward()')    # x.backward()", "does not use it"),
    ("# teaches: Tensor.backward\nprint(x.backward)", "does not use it"),
    ("# teaches: Tensor.backward\ntorch.autograd.backward(x)\nprint(x.grad)", "does not use it"),
    ("# teaches: Tensor.backward\nx.backward()", "shows nothing"),
    ("# teaches: Tensor.backward\ny = 3\nx.backward()", "shows nothing"),
    ("# teaches: Tensor.backward\ndef f(x):\n    x.backward()\n    print(x.grad)", "shows nothing"),
    ("# teaches: torch.float\nprint(torch.zeros(2, dtype=torch.float32))", "does not use it"),
    ("# teaches: functional.jvp\nprint(torch.func.jvp(torch.sin, (x,), (x,)))", "does not use it"),
    ("# teaches: Function.vjp\nclass F(torch.autograd.Function):\n    def backward(ctx, g): return g\nprint(F)",
     "does not use it"),
    ("# teaches: FunctionCtx.<yours>\nclass F(torch.autograd.Function):\n    def forward(ctx, x): return ctx.y\n"
     "print(F)", "does not use it"),
    ("# teaches: Node.register_hook\nx.register_hook(print)", "does not use it"),
    ("# teaches: Tensor.register_hook\nx.grad_fn.register_hook(print)", "does not use it"),
    ("# teaches: Node._saved_*\nprint(x.grad_fn._raw_saved_self)", "does not use it"),
    ("# teaches: autograd.forward_ad\nprint(torch.autograd.grad(x, x))", "does not use it"),
    ("# teaches: no_grad\nprint(torch.no_grad)\nwith torch.enable_grad(): print(1)", None),
])
def test_a_fault_is_found(tmp_path, code, said):
    found = faults(tmp_path, code)
    assert [said in each for each in found] == [True] if said else not found


@pytest.mark.parametrize("code", [
    "# teaches: Tensor.backward, Tensor.grad\nx.backward()\nprint(x.grad)",
    "# teaches: Tensor.backward\nx.backward()\nassert x.grad is None",
    "# teaches: Tensor.grad\nx.grad",
    "# teaches: Tensor.grad\nx.grad = None\nprint(x)",
    "# teaches: autograd.grad\nfrom minigrad.autograd import grad\nprint(grad(x, x))",
    "# teaches: forward_ad, dual_level\nimport minigrad.autograd.forward_ad as fwAD\n"
    "with fwAD.dual_level():\n    print(1)",
    "# teaches: functional.vhp, functional.hvp\n"
    "vhp, hvp = torch.autograd.functional.vhp, torch.autograd.functional.hvp\n"
    "print(vhp(f, x), hvp(f, x))",
    "# teaches: once_differentiable\n@torch.autograd.function.once_differentiable\ndef f(): pass\nprint(f)",
    "# teaches: Function.vjp, FunctionCtx.mark_dirty, FunctionCtx.<yours>\nclass F(torch.autograd.Function):\n"
    "    def forward(c, x):\n        c.mark_dirty(x)\n        c.scale = 2\n    def vjp(c, g): return g\n"
    "print(F.apply(x))",
    "# teaches: Tensor.sin_\nprint(map(torch.Tensor.sin_, [x]))",
    "# teaches: Tensor.register_hook\nx.register_hook(lambda g: print(g))\nx.backward()",
    "# teaches: torch.float\nprint(torch.zeros(2, dtype=torch.float))",
    "# teaches: Node.__call__\nprint(x.grad_fn(x))",
    "# teaches: Node._saved_*\nprint(x.grad_fn._saved_result)",
    "# teaches: graph.Node\nprint(isinstance(x.grad_fn, torch.autograd.graph.Node))",
])
def test_a_true_claim_passes(tmp_path, code):
    assert not faults(tmp_path, code)


def test_a_definition_is_shown_by_the_next_cell_that_uses_it(tmp_path):
    define = "# teaches: Tensor.backward\ndef f(x):\n    x.backward()"
    assert faults(tmp_path, define, "print(1)")
    assert faults(tmp_path, define, "f(x)")
    assert not faults(tmp_path, define, "print(1)", "print(f(x))")


def test_a_function_that_prints_shows_for_its_callers(tmp_path):
    assert not faults(tmp_path, "def inner(x):\n    print(x)\n\n\ndef outer(x):\n    inner(x)",
                      "# teaches: Tensor.backward\nouter(x.backward())")


def test_a_claim_knows_its_section_and_is_not_part_of_the_code(tmp_path):
    cell = page(tmp_path, "x = 1", "# teaches: no_grad,\n#  more\n# teaches: Tensor.grad\nprint(x)").cells[2]
    assert (cell.section, cell.anchor, cell.written) == ("Part 2", "cell-3", ["no_grad", "", "Tensor.grad"])
    assert cell.code.strip() == "#  more\nprint(x)"


def test_what_is_taught_twice_is_found_twice(tmp_path):
    both = page(tmp_path, "# teaches: Tensor.grad\nprint(x.grad)", "# teaches: Tensor.grad\nprint(x.grad)")
    found = taught.taught([both], ENTRIES)
    assert len(found["torch.Tensor.grad"]) == 2 and found["torch.no_grad"] == []


REFERENCE_PAGE = """Tensors
=======

A number
--------

.. teaches: torch.half, Tensor.backward

>>> x = torch.tensor(3., dtype=torch.half, requires_grad=True)
>>> (x * x).backward()
>>> x.grad
tensor(6., dtype=torch.float16)

Not claimed.

>>> x.detach()
tensor(3.)

.. teaches: Tensor.detach

>>> x.grad
tensor(6.)
"""


def test_an_example_of_the_reference_teaches_too(tmp_path):
    path = tmp_path / "tensor.rst"
    path.write_text(REFERENCE_PAGE)
    which = taught.Reference(path)
    assert (which.title, which.document) == ("Tensors", "reference/tensor")
    assert [(cell.section, cell.anchor, cell.line) for cell in which.cells[1:]] == [
        ("A number", "cell-2", 7), ("A number", "cell-3", 19)]
    assert [cell.number for _, cell in taught.taught([which], ENTRIES)["torch.half"]] == [2]
    fault, = taught.faults(which, ENTRIES)
    assert "teaches torch.Tensor.detach, and does not use it" in fault


# ------------------------------------------------------------------------------ the site


GRADIENTS = PAGES[0]
REFERENCE = "Reference\n=========\n\n.. py:function:: minigrad.autograd.grad(outputs)\n\n   Returns gradients.\n"
CODE = ".. code-block:: Python\n\n    x = 1\n\n"
OUTPUT = ".. rst-class:: sphx-glr-script-out\n\n .. code-block:: none\n\n    {}\n\n"


@pytest.fixture
def build(tmp_path, monkeypatch):
    """Build a small site: the first tutorial, whose cells print as the test says, and a page of reference."""
    pytest.importorskip("sphinx")
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    monkeypatch.syspath_prepend(str(cells.FOLDER.parents[3] / "docs" / "_ext"))
    import teaches
    from sphinx_gallery import py_source_parser
    monkeypatch.setattr(py_source_parser, "remove_config_comments", py_source_parser.remove_config_comments)
    monkeypatch.setattr(teaches, "recorded", lambda page: {cell.key: "agreed" for cell in GRADIENTS.cells})

    def site(output):
        source = tmp_path / "source"
        place = source / "tutorials" / GRADIENTS.name
        place.parent.mkdir(parents=True, exist_ok=True)
        parts = [f".. GENERATED FROM PYTHON SOURCE LINES {cell.line}-{cell.line}\n\n{CODE}{output(cell)}"
                 for cell in GRADIENTS.cells]
        place.with_suffix(".rst").write_text("A page\n======\n\n" + "".join(parts))
        (source / "reference").mkdir(exist_ok=True)
        (source / "reference" / "taught.rst").write_text(REFERENCE + "\n.. taught-entries::\n")
        (source / "index.rst").write_text(f"Index\n=====\n\n.. toctree::\n\n   tutorials/{GRADIENTS.name}\n"
                                          "   reference/taught\n")
        (source / "conf.py").write_text("extensions = ['teaches']\n")
        warned = io.StringIO()
        with patch_docutils(), docutils_namespace():
            Sphinx(source, source, tmp_path / "html", tmp_path / "trees", "html", status=None, warning=warned).build()
        pages = [tmp_path / "html" / f"{name}.html" for name in (f"tutorials/{GRADIENTS.name}", "reference/taught")]
        return warned.getvalue(), *[path.read_text(encoding="utf-8") for path in pages]

    return site


def test_cells_and_reference_lead_to_each_other(build):
    warned, tutorial, reference = build(lambda cell: OUTPUT.format("agreed" if cell.number < 10 else "not so"))
    assert not warned
    cell = next(cell for cell in GRADIENTS.cells if "autograd.grad" in cell.written)
    assert f'id="{cell.anchor}"' in tutorial
    assert 'href="../../reference/taught.html#minigrad.autograd.grad"' in tutorial
    described, _, table = reference.partition("taught-entries")
    for part in described, table:
        assert f'href="../tutorials/{GRADIENTS.name}.html#{cell.anchor}"' in part
    assert tutorial.count("same in PyTorch") == 9


def test_a_cell_that_shows_nothing_when_it_runs_is_reported(build):
    silent = next(cell for cell in GRADIENTS.cells if "Tensor.grad_fn" in cell.written)
    warned, *_ = build(lambda cell: "" if cell is silent else OUTPUT.format("agreed"))
    assert "the cell teaches torch.Tensor.grad_fn, and its output is empty" in warned


def test_a_claim_is_not_in_the_code_of_page_and_notebook(monkeypatch):
    pytest.importorskip("sphinx")
    monkeypatch.syspath_prepend(str(cells.FOLDER.parents[3] / "docs" / "_ext"))
    import teaches
    code = "# teaches: Tensor.grad\nx.grad\n    # teaches: no_grad\n\n# it teaches: nothing\n"
    assert teaches.without_claims(code) == "x.grad\n\n# it teaches: nothing\n"


# ------------------------------------------------------------------------------ the cells that PyTorch agrees with


def test_a_key_changes_with_the_cell_and_all_before_it(tmp_path):
    before = [cell.key for cell in page(tmp_path, "x = 1", "y = 2", "z = 3").cells]
    after = [cell.key for cell in page(tmp_path, "x = 1", "y = 5", "z = 3").cells]
    assert [a == b for a, b in zip(before, after)] == [True, True, False, False]
    named = [cell.key for cell in page(tmp_path, "x = 1", "# teaches: Tensor.grad\ny = 2", "z = 3").cells]
    assert named == before


@pytest.mark.parametrize("which", PAGES, ids=lambda which: which.name)
def test_no_recording_is_stale(which):
    stale = cells.recorded(which.name).keys() - {cell.key for cell in which.cells}
    assert not stale, f"{which.name} has changed: run python -m tests.parity.records.cells changed"


def test_every_recording_is_of_a_page():
    recorded = {path.relative_to(cells.FOLDER).with_suffix("").as_posix() for path in cells.FOLDER.rglob("*.json")}
    assert recorded <= {which.name for which in PAGES}


def test_only_cells_that_print_the_same_agree():
    recording = {"key": "loss 0.12345\ntensor([1., 2.])"}
    assert cells.agrees(recording, "key", "\nloss 0.123449\n\ntensor([1., 2.])\n")
    for key, printed in [("other", recording["key"]), ("key", ""), ("key", "loss 0.1244\ntensor([1., 2.])"),
                         ("key", "lost 0.12345\ntensor([1., 2.])"), ("key", "loss 0.12345")]:
        assert not cells.agrees(recording, key, printed)


def test_a_cell_that_only_minigrad_can_run_is_left_out(tmp_path):
    pytest.importorskip("torch")
    which = page(tmp_path, "import minigrad.viz\nfrom minigrad.autograd import grad\nx = torch.tensor(2.)\nprint(x)",
                 "print(torch.viz)", "print(torch.__name__)", "x + 1")
    try:
        same = cells.compared(which)
    finally:
        cells.start_afresh(minigrad)
    assert list(same) == [which.cells[1].key, which.cells[4].key]
    assert list(same.values()) == ["tensor(2.)", "tensor(3.)"]


@pytest.mark.drawn(first=0)             # those that test_tutorials.py draws
@pytest.mark.slow
@pytest.mark.parametrize("which", PAGES, ids=lambda which: which.name)
def test_minigrad_prints_what_pytorch_printed(which, run_of):
    recording, printed = cells.recorded(which.name), run_of(which.path).cells
    assert [key for key, text in printed.items() if key in recording and not cells.agrees(recording, key, text)] == []
