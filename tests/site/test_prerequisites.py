"""No page uses what only a later one teaches, and no homework asks for what has not been read by then."""

import ast
import importlib
import itertools
import re
import sys
import tomllib
from pathlib import Path

import pytest

pytest.importorskip("sphinx_gallery")

from docs._ext import taught  # noqa: E402
from tests.site import prerequisites  # noqa: E402
from tests.site.prerequisites import COMPLEX, Learned, learned, needs, too_early, used  # noqa: E402
from tests.site.test_for_instructors import plans  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
#: What pages still use too early, or without any page that explains it.  The list may only become shorter.
WAITING = {
    ("at_work/a_character_level_gpt", "torch.nn.Embedding"),
    ("at_work/a_character_level_gpt", "torch.nn.GELU"),
    ("at_work/a_character_level_gpt", "torch.nn.LayerNorm"),
    ("at_work/a_character_level_gpt", "torch.nn.functional.scaled_dot_product_attention"),
    ("at_work/a_character_level_gpt", "torch.nn.utils.clip_grad_norm_"),
    ("at_work/a_character_level_gpt", "torch.optim.AdamW"),
}


@pytest.fixture(scope="module")
def pages():
    """What each page uses and teaches, in the order of the course."""
    sys.path.insert(0, str(ROOT / "docs" / "_ext"))
    exercises_of = importlib.import_module("exercises").exercises_of
    sys.path.remove(str(ROOT / "docs" / "_ext"))
    return [learned(taught.Page(path), [program for each in exercises_of(path.stem)
                                        for program in (each.check, each.solution)]) for path in taught.scripts()]


def test_nothing_is_used_before_it_is_taught(pages):
    """If this fails since a name is taught in time now, remove it from ``WAITING``."""
    found = {(page, name): f"tutorials/{page}.py:{line}: {name} is taught " + (f"later, by {teacher}" if teacher else
             "by no page: its text does not explain it") for page, line, name, teacher in too_early(pages)}
    early = "\n".join(found[each] for each in found.keys() - WAITING)
    assert not early, early
    assert WAITING <= found.keys(), WAITING - found.keys()


def early(pages):
    return {(page, name) for page, _, name, _ in too_early(pages)}


def swapped(pages, one, other):
    changed = list(pages)
    at, to = [next(i for i, page in enumerate(pages) if page.page.endswith(f"/{name}")) for name in (one, other)]
    changed[at], changed[to] = changed[to], changed[at]
    return changed


@pytest.mark.parametrize(("one", "other", "said"), [
    ("gradients_of_one_expression", "read_an_error", ".backward"),
    ("your_own_function", "checking_your_gradients", "torch.autograd.Function"),
    ("checkpointing", "memory_and_checkpointing", "torch.utils.checkpoint.checkpoint"),
])
def test_two_pages_that_are_swapped_are_noticed(pages, one, other, said):
    assert said in {name for _, name in early(swapped(pages, one, other)) - early(pages)}


def test_no_page_can_change_places_with_one_that_it_needs(pages):
    """A use that waits is early already: swapping cannot make it so."""
    before, waiting, unnoticed = early(pages), {page for page, _ in WAITING}, []
    for page, needed in needs(pages).items():
        for other in set() if page in waiting else needed - waiting:
            if early(swapped(pages, page.partition("/")[2], other.partition("/")[2])) <= before:
                unnoticed.append((page, other))
    assert not unnoticed


def test_a_page_needs_earlier_pages_only(pages):
    order = [page.page for page in pages]
    allowed = {page for page, _ in WAITING}
    for page, needed in needs(pages).items():
        later = {other for other in needed if order.index(other) > order.index(page)}
        assert not later or page in allowed, (page, later)


def test_a_part_builds_on_the_parts_that_its_pages_need(pages):
    parts, known = tomllib.loads((ROOT / "tutorials" / "path.toml").read_text(encoding="utf-8"))["parts"], {}
    for part in parts:
        known[part["folder"]] = {part["folder"]}.union(*[known[other] for other in part["needs"]])
    for page, needed in needs(pages).items():
        beyond = {other for other in needed if other.partition("/")[0] not in known[page.partition("/")[0]]}
        assert not beyond, (page, beyond)


def test_a_page_says_that_it_needs_earlier_pages_only():
    order = [f"{path.parent.name}/{path.stem}" for path in taught.scripts()]
    for path, here in zip(taught.scripts(), order):
        text = ast.get_docstring(ast.parse(path.read_text("utf-8"))) + "\n"
        said = re.search(r"^You need (.+?)\.\s", text, re.MULTILINE | re.DOTALL)
        for name in re.findall(r":doc:`(?:/tutorials/)?([\w/]+)`", said[1] if said else ""):
            name = name if "/" in name else f"{path.parent.name}/{name}"
            assert order.index(name) < order.index(here), (here, name)


# ------------------------------------------------------------------------------ the homework


def asked_for(assignment):
    """The names that the text of an assignment speaks of; not those that it forbids."""
    text = (ROOT / "docs" / "homework" / f"{assignment}.rst").read_text("utf-8")
    text = "\n\n".join(part for part in text.split("\n\n") if not part.startswith("Forbidden"))
    words = {word.rpartition(".")[2] for word in re.findall(r"``([\w.]+)(?:\(.*?\))?``", text)}
    return {prerequisites.short(name) for name in (*prerequisites.MEMBERS, *prerequisites.OBJECTS.values())
            if name.rpartition(".")[2] in words}


def test_homework_asks_for_names():
    assert asked_for("own_function") >= {"torch.autograd.Function", ".save_for_backward"}
    assert "torch.autograd.grad" not in asked_for("own_function") and ".mark_dirty" in asked_for("in_place")


@pytest.mark.parametrize(("plan", "week", "read", "assignments"), [
    (plan, week, read, assignments) for plan, week, read, assignments in plans() if assignments])
def test_homework_asks_for_what_has_been_read(pages, plan, week, read, assignments):
    known = set().union(*[page.teaches for page in pages if page.page in read])
    for assignment in assignments:
        assert asked_for(assignment) <= known, (plan, week, assignment)


@pytest.mark.parametrize(("plan", "week", "read"), [(plan, week, read) for plan, week, read, _ in plans()])
def test_a_plan_reads_what_a_page_needs_before_it(pages, plan, week, read):
    """Of the pages that a page needs, those that the plan has at all are not in a later week."""
    all_of_it = set().union(*[pages_read for name, _, pages_read, _ in plans() if name == plan])
    graph = needs(pages)
    for page in read - {page for page, _ in WAITING}:
        assert graph[page] & all_of_it <= read, (plan, week, page)


# ------------------------------------------------------------------------------ how it is found


def page_of(tmp_path, text, code, name="page"):
    path = tmp_path / f"{name}.py"
    path.write_text(f'"""\nA page\n======\n"""\nimport minigrad as torch\n\n# %%\n# {text}\n\n{code}\n')
    return taught.Page(path)


@pytest.mark.parametrize(("code", "name"), [
    ("torch.nn.functional.cross_entropy(x, y)", "torch.nn.functional.cross_entropy"),
    ("F = torch.nn.functional\nF.cross_entropy(x, y)", "torch.nn.functional.cross_entropy"),
    ("model = torch.nn.Sequential()", "torch.nn.Sequential"),
    ("torch.func.vmap(f)(x)", "torch.vmap"),
    ("y = x.detach()", ".detach"),
    ("assert x.is_leaf", ".is_leaf"),
    ("z = torch.tensor(1 + 2j)", COMPLEX),
    ("z = torch.zeros(2, dtype=torch.cfloat)", COMPLEX),
    ("@torch.no_grad()\ndef f():\n    pass", "torch.no_grad"),
    ("class Twice(torch.autograd.Function):\n    pass", "torch.autograd.Function"),
    ("x.register_hook(print)", ".register_hook"),
    ("torch.sin(torch.linspace(0, 1, 3))", None),
    ("torch.linalg.solve(a, b)", None),
])
def test_what_a_cell_uses_is_read_from_its_tree(tmp_path, code, name):
    page = page_of(tmp_path, "Text.", code)
    found = set(itertools.chain(*[used(page, cell.tree) for cell in page.cells]))
    assert found == ({name} if name else set())


@pytest.mark.parametrize(("text", "code", "teaches"), [
    ("``no_grad`` records nothing.", "# teaches: no_grad\nwith torch.no_grad():\n    print(1)", {"torch.no_grad"}),
    ("``no_grad`` is an entry, and not claimed.", "with torch.no_grad():\n    print(1)", set()),
    ("``cross_entropy`` is the loss.", "print(torch.nn.functional.cross_entropy(x, y))",
     {"torch.nn.functional.cross_entropy"}),
    ("It is not named.", "print(torch.nn.functional.cross_entropy(x, y))", set()),
    ("``cross_entropy`` shows nothing.", "z = torch.nn.functional.cross_entropy(x, y)", set()),
])
def test_what_a_page_teaches(tmp_path, text, code, teaches):
    assert learned(page_of(tmp_path, text, code)).teaches == teaches


def test_an_exercise_teaches_too(tmp_path):
    page = page_of(tmp_path, "``cross_entropy`` shows nothing.", "z = torch.nn.functional.cross_entropy(x, y)")
    assert learned(page, ["torch.nn.functional.cross_entropy(x, y)"]).teaches == {"torch.nn.functional.cross_entropy"}


def test_a_use_before_it_is_taught_is_found_with_its_line(tmp_path):
    first = learned(page_of(tmp_path, "Text.", "x = 1\ny = x.detach()"))
    second = learned(page_of(tmp_path, "Text.", "# teaches: Tensor.detach\nprint(x.detach())", "second"))
    assert [(line, name, teacher) for _, line, name, teacher in too_early([first, second])] == [
        (11, ".detach", second.page)]
    assert not list(too_early([second, first])) and needs([second, first])[first.page] == {second.page}
    assert Learned("page").uses == {}
