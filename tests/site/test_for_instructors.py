"""What the pages for instructors refer to is there, in the order of the course; plans, lectures and labs add up."""

import collections
import functools
import re
import tomllib
from pathlib import Path

import pytest

from tests.site.test_language import slips

ROOT = Path(__file__).resolve().parents[2]
TEACHING = ROOT / "docs" / "teaching"
MINUTES = {f"{part['folder']}/{page}": minutes
           for part in tomllib.loads((ROOT / "tutorials" / "path.toml").read_text(encoding="utf-8"))["parts"]
           for page, minutes in part["pages"].items()}
PAGES = [*MINUTES]
FULL = {page.rpartition("/")[2]: page for page in PAGES}
ANSWERS = re.findall(r'^     - "(.+)" in :doc:`/tutorials/([\w/]+)`$',
                     (TEACHING / "misconceptions.rst").read_text(encoding="utf-8"), re.MULTILINE)


def test_misconceptions_are_in_the_order_of_the_course():
    order = [PAGES.index(page) for _, page in ANSWERS]
    assert order == sorted(order) and {*order} == {*range(len(PAGES))}      # at least one for each page


@pytest.mark.parametrize(("section", "page"), ANSWERS)
def test_a_misconception_is_answered_in_a_section_that_is_there(section, page):
    text = (ROOT / "tutorials" / f"{page}.py").read_text(encoding="utf-8")
    assert re.search(rf"^# {re.escape(section)}\n# -+$", text, re.MULTILINE), page


@pytest.mark.parametrize("path", sorted(TEACHING.rglob("*.rst")), ids=lambda path: path.stem)
def test_the_pages_of_the_course_that_are_named_are_there(path):
    named = re.findall(r":doc:`(?:[^`<]*<)?/tutorials/([\w/]+)>?`", path.read_text(encoding="utf-8"))
    assert {*named} <= {*PAGES, "index"}


def test_installing_names_the_distribution():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    page = (TEACHING / "installing.rst").read_text(encoding="utf-8")
    assert page.count(project["name"]) >= 3 and f"{project['name'].replace('-', '_')}-{project['version']}-" in page


# ------------------------------------------------------------------------------ the plans

PLANS = tomllib.loads((TEACHING / "plans.toml").read_text(encoding="utf-8"))
HOURS = PLANS.pop("hours")
LECTURES = {path.stem: tomllib.loads(path.read_text(encoding="utf-8"))
            for path in sorted((TEACHING / "lectures").glob("*.toml"))}
WEEKS = [(plan, number) for plan, data in PLANS.items() for number in range(1, len(data["weeks"]) + 1)]


def up_to(plan, number):
    """The weeks of a plan, up to this one."""
    return PLANS[plan]["weeks"][:number]


def plans():
    """[(plan, week, the pages read by then, the assignments of the week)]"""
    return [(plan, number, {FULL[page] for week in up_to(plan, number) for page in week["read"]},
             up_to(plan, number)[-1]["homework"]) for plan, number in WEEKS]


def test_the_plans_are_as_long_as_they_say():
    assert {plan: len(data["weeks"]) for plan, data in PLANS.items()} == {"six": 6, "twelve": 12}
    assert {week["lecture"] for week in PLANS["twelve"]["weeks"]} == LECTURES.keys()


@pytest.mark.parametrize(("plan", "number"), WEEKS)
def test_a_week_reads_pages_that_are_there_once_and_not_too_many(plan, number):
    week = up_to(plan, number)[-1]
    read = collections.Counter(page for each in up_to(plan, number) for page in each["read"])
    assert {*read} <= FULL.keys() and max(read.values()) == 1
    assert 0 < sum(MINUTES[FULL[page]] for page in week["read"]) <= 120


@pytest.mark.parametrize(("plan", "number"), WEEKS)
def test_a_lecture_is_about_what_was_read_and_comes_after_what_it_builds_on(plan, number):
    lecture = LECTURES[up_to(plan, number)[-1]["lecture"]]
    assert lecture["pages"][0] in up_to(plan, number)[-1]["read"]
    soon = {page for week in up_to(plan, number + 1) for page in week["read"]}
    assert {*lecture["pages"]} <= soon
    assert {*lecture.get("after", [])} <= {week["lecture"] for week in up_to(plan, number - 1)}


@pytest.mark.parametrize(("plan", "number", "read", "homework"), plans())
def test_homework_comes_after_pages_of_its_part(plan, number, read, homework):
    parts = {page.partition("/")[0] for page in read}
    for name in homework:
        page = (ROOT / "docs" / "homework" / f"{name}.rst").read_text(encoding="utf-8")
        part = re.search(r"It goes with the part :doc:`/tutorials/(\w+)/index`", page)
        assert part[1] in parts and HOURS[name] > 0


@pytest.mark.parametrize("plan", PLANS)
def test_what_a_homework_needs_was_read(plan):
    weeks = {name: number for number, week in enumerate(PLANS[plan]["weeks"]) for name in week["homework"]}
    read = {page: number for number, week in enumerate(PLANS[plan]["weeks"]) for page in week["read"]}
    assert read["build_your_engine"] <= weeks["scalar_engine"]
    assert read["checking_your_gradients"] <= weeks["grade_the_tests"]
    assert read["find_a_nan"] < len(PLANS[plan]["weeks"]) / 3


def test_every_assignment_is_in_the_long_plan():
    assert {name for week in PLANS["twelve"]["weeks"] for name in week["homework"]} == HOURS.keys()


# ------------------------------------------------------------------------------ lectures and labs


@pytest.fixture(scope="module")
def extension():
    """A module of docs/_ext, where sphinx-gallery is installed."""
    pytest.importorskip("sphinx_gallery")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "docs" / "_ext"))
        yield __import__


def texts_of(value):
    """Every text in a lecture, whatever holds it."""
    if isinstance(value, str):
        return [value]
    return [text for each in (value.values() if isinstance(value, dict) else value if isinstance(value, list) else [])
            for text in texts_of(each)]


@pytest.mark.parametrize("name", LECTURES)
def test_a_lecture_takes_45_minutes_and_its_lab_90(name):
    slides, parts = LECTURES[name]["slides"], LECTURES[name]["lab"]["parts"]
    assert abs(sum(slide["minutes"] for slide in slides) - 45) <= 5 and min(slide["minutes"] for slide in slides) > 0
    assert abs(sum(part["minutes"] for part in parts) - 90) <= 5
    assert len(slides) >= 10 and sum("ask" in slide for slide in slides) >= 6
    assert all(("ask" in slide) == ("answer" in slide) and slide["notes"] for slide in slides)


@pytest.mark.parametrize("name", LECTURES)
def test_the_cells_that_a_lecture_shows_are_there(name, extension):
    lectures = extension("lectures")
    lecture = lectures.lecture(name)
    for slide in lecture.slides:
        assert slide.text or slide.cell or slide.play, slide.title
        if slide.cell:
            _, cell = lectures.found(lecture.pages, slide.cell)
            assert lectures.lines_of(cell.code, slide.start, slide.to), slide.title


@pytest.mark.parametrize("name", LECTURES)
def test_the_texts_of_a_lecture_are_markup_in_plain_english(name, extension):
    lectures = extension("lectures")
    lecture = lectures.lecture(name)
    for slide in lecture.slides:
        for text in (slide.title, slide.text, slide.ask, slide.answer, slide.notes, slide.board):
            assert "system-message" not in lectures.markup(text)
    found = [slip for text in texts_of(LECTURES[name]) for slip in slips(text)]
    assert not found


@pytest.mark.parametrize("name", LECTURES)
def test_a_program_that_a_lecture_plays_makes_something_to_show(name, extension):
    for slide in extension("lectures").lecture(name).slides:
        if slide.play:
            assert "<svg" in extension("lectures").drawn(slide.play)


@pytest.mark.parametrize("name", LECTURES)
def test_the_exercises_of_a_lab_are_there_and_it_has_a_sheet(name, extension):
    plans = extension("plans")
    for part in LECTURES[name]["lab"]["parts"]:
        assert plans.part_as_rst(part, 0)
        assert "result" not in part or plans.printed(part["result"]).strip()
    exercises = [part for part in LECTURES[name]["lab"]["parts"] if "exercise" in part]
    assert len(exercises) == 3 and len(LECTURES[name]["lab"]["parts"]) == 5
    started = re.findall(r"^   \$ python -m minigrad exercise start (\w+)$",
                         plans.lab_as_rst(extension("lectures").lecture(name)), re.MULTILINE)
    assert started == [*dict.fromkeys(plans.exercise(part["exercise"])[0].rpartition("/")[2] for part in exercises)]
    assert f".. lab-sheet:: {name}" in (TEACHING / "labs" / f"{name}.rst").read_text(encoding="utf-8")
    assert f"   {name}\n" in (TEACHING / "labs" / "index.rst").read_text(encoding="utf-8")


PAGE = """
.. GENERATED FROM PYTHON SOURCE LINES 1-5

.. code-block:: Python


    print(1)

.. rst-class:: sphx-glr-script-out

 .. code-block:: none

    0:  10%|#   | 1
    0: 100%|####| 2
    1

.. GENERATED FROM PYTHON SOURCE LINES 7-9

.. raw:: html

    <div>
    <b>a player</b>

    </div>

.. image-sg:: /tutorials/x/images/y_001.png
   :alt: A curve
   :srcset: /tutorials/x/images/y_001.png
"""


def test_what_a_cell_printed_and_drew_is_read_from_its_page(extension):
    outputs_of = extension("lectures").outputs_of
    assert outputs_of(PAGE, 1) == {"printed": "0: 100%|####| 2\n1"}
    assert outputs_of(PAGE, 7) == {"player": "<div>\n<b>a player</b>\n\n</div>",
                                   "picture": ("/tutorials/x/images/y_001.png", "A curve")}


def test_the_texts_are_read_by_docutils_while_sphinx_has_directives_of_its_own(extension):
    from docutils.parsers.rst import directives
    from sphinx.directives.patches import MathDirective
    from sphinx.util.docutils import docutils_namespace

    with docutils_namespace():
        directives.register_directive("math", MathDirective)
        assert "<math" in extension("lectures").markup(".. math:: x^2\n")
        assert directives._directives["math"] is MathDirective


def test_a_piece_of_code_that_is_not_there_or_not_alone_is_refused(extension):
    lectures = extension("lectures")
    pages = ["first_gradients/gradients_of_one_expression"]
    for piece, said in (("no such line", "none of first_gradients"), ("import", "cell 1"),
                        ("digits = load_digits()", "but in first_gradients/reading_digits")):
        with pytest.raises(LookupError, match=said):
            lectures.found(pages, piece)
    with pytest.raises(LookupError, match="no line has 'c'"):
        lectures.lines_of("a\nb\n", "c", "")
    with pytest.raises(LookupError, match="no line from 'b' on has 'a'"):
        lectures.lines_of("a\nb\n", "b", "a")
    assert lectures.lines_of("if a:\n    b\n    c\nd\n", "b", "c") == "b\nc"
    hidden = "# sphinx_gallery_start_ignore\nb\n# sphinx_gallery_end_ignore\nc\n# sphinx_gallery_multi_image = 2\n"
    assert lectures.lines_of(f"a\n{hidden}", "", "") == "a\nc"


# ------------------------------------------------------------------------------ the test before the course


def test_the_test_has_twenty_questions_with_one_number_each(extension):
    prerequisites = extension("prerequisites")
    questions = [question for topic in prerequisites.topics() for question in topic["questions"]]
    assert len(questions) == 20
    for question in questions:
        value, printed = prerequisites.answer_of(question)
        assert value == value and abs(value) < 1000 and not slips(question["text"])
        assert not printed or float(printed) == value           # what it asks for is what the program prints


def test_the_answers_are_computed_and_not_typed(extension):
    answer_of = extension("prerequisites").answer_of
    assert answer_of({"answer": "slope(lambda x: x ** 3, 2)"}) == (12, "")
    assert answer_of({"program": "a = 2\nprint(a)\n", "answer": "a"}) == (2, "2\n")


# ------------------------------------------------------------------------------ the tutors' notes

NOTES = tomllib.loads((TEACHING / "tutors.toml").read_text(encoding="utf-8"))["assignments"]
CASES = [(each["name"], wrong) for each in NOTES for wrong in each["wrong"]]


def test_each_assignment_has_wrong_submissions_and_questions():
    assert {each["name"] for each in NOTES} == HOURS.keys()
    assert all(len(each["wrong"]) >= 2 and len(each["oral"]) == 3 for each in NOTES)
    assert not [slip for each in NOTES for text in [*each["oral"], *[wrong["belief"] for wrong in each["wrong"]]]
                for slip in slips(text)]


def test_the_verdicts_are_of_these_submissions(extension):
    said = extension("tutors").said()
    assert [(name, wrong["belief"]) for name, wrong in CASES] == [
        (name, belief) for name, beliefs in said.items() for belief in beliefs]
    assert all(items for beliefs in said.values() for items in beliefs.values())


def masked(reason):
    """A reason without its numbers, which may differ from computer to computer."""
    return re.sub(r"\d+([.,]\d+)*", "#", reason)


@pytest.mark.drawn
@pytest.mark.parametrize(("name", "wrong"), CASES, ids=lambda value: value if isinstance(value, str) else "")
def test_the_judge_says_what_the_notes_say(name, wrong, extension, tmp_path):
    tutors = extension("tutors")
    item, title, earned, points, verdict, reason = tutors.said()[name][wrong["belief"]][0]
    (found,) = tutors.judged(tmp_path / "submission.py", name, wrong, [item])
    assert found[:5] == [item, title, earned, points, verdict] and masked(found[5]) == masked(reason)


def test_a_notes_page_shows_no_edit(extension):
    """It is public: it names mistakes, and not the lines of a solution."""
    shown = extension("tutors").as_rst()
    for _, wrong in CASES:
        assert wrong["belief"] in shown
        for old, new in wrong.get("edits", []):
            assert len(old) < 12 or old.strip() not in shown


# ------------------------------------------------------------------------------ the glossary

GLOSSARY = re.findall(r"^   (\w[\w ]*)\n((?:      .*\n|\n)+)", (TEACHING / "glossary.rst").read_text(encoding="utf-8"),
                      re.MULTILINE)
COURSE = "\n".join((ROOT / "tutorials" / f"{page}.py").read_text(encoding="utf-8") for page in PAGES)


@pytest.mark.parametrize(("word", "meaning"), GLOSSARY, ids=[word for word, _ in GLOSSARY])
def test_a_word_of_the_glossary_is_used_in_the_course(word, meaning):
    assert re.search(rf"\b{word}", COURSE, re.IGNORECASE)


@pytest.mark.parametrize("name", sorted({*re.findall(r"``torch\.([\w.]+)``", " ".join(text for _, text in GLOSSARY))}))
def test_what_the_glossary_calls_pytorchs_is_there(name):
    import minigrad

    assert functools.reduce(getattr, name.split("."), minigrad) is not None
