"""What the pages for instructors refer to is there, and in the order of the course."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEACHING = ROOT / "docs" / "teaching"
PAGES = [f"{part['folder']}/{page}"
         for part in tomllib.loads((ROOT / "tutorials" / "path.toml").read_text(encoding="utf-8"))["parts"]
         for page in part["pages"]]
ANSWERS = re.findall(r'^     - "(.+)" in :doc:`/tutorials/([\w/]+)`$',
                     (TEACHING / "misconceptions.rst").read_text(encoding="utf-8"), re.MULTILINE)


def test_misconceptions_are_in_the_order_of_the_course():
    order = [PAGES.index(page) for _, page in ANSWERS]
    assert order == sorted(order) and {*order} == {*range(len(PAGES))}      # at least one for each page


@pytest.mark.parametrize(("section", "page"), ANSWERS)
def test_a_misconception_is_answered_in_a_section_that_is_there(section, page):
    text = (ROOT / "tutorials" / f"{page}.py").read_text(encoding="utf-8")
    assert re.search(rf"^# {re.escape(section)}\n# -+$", text, re.MULTILINE), page


@pytest.mark.parametrize("path", sorted(TEACHING.glob("*.rst")), ids=lambda path: path.stem)
def test_the_pages_of_the_course_that_are_named_are_there(path):
    named = re.findall(r":doc:`(?:[^`<]*<)?/tutorials/([\w/]+)>?`", path.read_text(encoding="utf-8"))
    assert {*named} <= {*PAGES, "index"}


def plans():
    """[(plan, week, the pages read by then, the assignments of the week)]"""
    found = []
    for plan in re.split(r"^(?=(?:Six|Twelve) weeks$)", (TEACHING / "syllabi.rst").read_text(encoding="utf-8"),
                         flags=re.MULTILINE)[1:]:
        read = set()
        for number, week in re.findall(r"^   \* - (\d+)\n(.*?)(?=^   \* -|\Z)", plan, re.MULTILINE | re.DOTALL):
            read = read | {*re.findall(r"/tutorials/([\w/]+)", week)}
            found.append((plan.split()[0], int(number), read, re.findall(r"/homework/(\w+)", week)))
    return found


#: (plan, week, the parts of which a page was read by then, an assignment)
HOMEWORK = [(plan, week, {page.partition("/")[0] for page in read}, name)
            for plan, week, read, names in plans() for name in names]


def test_each_plan_has_homework():
    assert {plan for plan, *_ in HOMEWORK} == {"Six", "Twelve"} and len(HOMEWORK) >= 12


@pytest.mark.parametrize(("plan", "week", "read", "name"), HOMEWORK)
def test_homework_comes_after_pages_of_its_part(plan, week, read, name):
    page = (ROOT / "docs" / "homework" / f"{name}.rst").read_text(encoding="utf-8")
    part = re.search(r"It goes with the part :doc:`/tutorials/(\w+)/index`", page)
    assert part[1] in read


def test_installing_names_the_distribution():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    page = (TEACHING / "installing.rst").read_text(encoding="utf-8")
    assert page.count(project["name"]) >= 3 and f"{project['name'].replace('-', '_')}-{project['version']}-" in page
