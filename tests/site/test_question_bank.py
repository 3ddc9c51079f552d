"""The bank of questions: every variant that is drawn has one right answer, and what is exported can be used."""

import base64
import collections
import dataclasses
import importlib
import re
import sys
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.site.test_language import slips
from tools.question_bank import __main__ as command_line
from tools.question_bank import bank, building, exams, moodle, paper

ROOT = Path(__file__).resolve().parents[2]
SEEDS = range(8)
QUESTIONS = bank.questions()
WRITTEN = {each["name"]: each for path in sorted((bank.HERE / "questions").glob("*.toml"))
           for each in tomllib.loads(path.read_text(encoding="utf-8"))["questions"]}

# ------------------------------------------------------------------------------ the bank as it is written


def unknown_pages(pages):
    """The names in ``pages.toml`` that no page of the course has."""
    return sorted({*pages} - {*bank.pages_of_the_course()})


def test_the_pages_are_those_of_the_course():
    assert unknown_pages(bank.pages_of_questions()) == [], "see tools/question_bank/pages.toml"
    assert unknown_pages([*bank.pages_of_questions(), "a_page_that_moved"]) == ["a_page_that_moved"]


def test_every_page_has_three_questions_and_all_have_150():
    counts = collections.Counter(question.page for question in QUESTIONS.values())
    assert {page: counts[page] for page in bank.pages_of_the_course() if counts[page] < 3} == {}
    assert len(QUESTIONS) >= 150


def test_every_question_belongs_to_one_page():
    names = [name for names in bank.pages_of_questions().values() for name in names]
    assert sorted(names) == sorted(WRITTEN) and len(names) == len({*names})


def test_there_are_questions_of_each_kind_and_level():
    kinds = collections.Counter(question.kind for question in QUESTIONS.values())
    levels = collections.Counter(question.difficulty for question in QUESTIONS.values())
    assert {*kinds} == {*bank.KINDS} and {*levels} == {*bank.LEVELS}
    assert min(*kinds.values(), *levels.values()) >= 10


@pytest.mark.parametrize("path", sorted(bank.HERE.rglob("*.toml")), ids=lambda path: path.stem)
def test_the_files_are_plain_and_not_too_wide(path):
    text = path.read_text(encoding="utf-8")
    assert slips(text) == [] and max(map(len, text.splitlines())) <= 120


# ------------------------------------------------------------------------------ variants


NUMBER = r"-?(?:\binf\b|\bnan\b|(?<![\w.])\d+\.?\d*(?:e[+-]?\d+)?)j?"


def too_close(a, b):
    """Could one answer be taken for the other: the same words, and the same numbers, however they are written?"""
    if re.sub(r"\s+", "", a.lower()) == re.sub(r"\s+", "", b.lower()):
        return True
    a, b = ((re.sub(r"\s+", "", re.sub(NUMBER, "#", text)), re.findall(NUMBER, text)) for text in (a, b))
    if a[0] != b[0] or any(set(text) & {*"abcdfghklmpqswxyz@*/"} for text in (a[0].replace("tensor", ""),)):
        return False
    if all(each.lstrip("-").isdecimal() for each in a[1] + b[1]):
        return a[1] == b[1]
    return np.allclose([complex(each) for each in a[1]], [complex(each) for each in b[1]], rtol=0.01, atol=1e-9,
                       equal_nan=True)


@pytest.mark.drawn
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_is_sound(name):
    """Several variants of it, each with one right answer that no other could be taken for, and a reason for each."""
    question, offered, variants = QUESTIONS[name], set(), []
    for seed in SEEDS:
        each = building.built(question, seed)
        said = [each.text, each.program, each.why, *[part for choice in each.choices for part in (choice.text,
                                                                                              choice.why)]]
        assert not any("$" in part for part in said) and not re.search(r"--\d|\+ -\d", " ".join(said))
        assert each.text.strip() and each.why.strip()
        assert max(map(len, each.program.splitlines()), default=0) <= 84      # so that no line breaks on paper
        assert all(choice.why.rstrip().endswith((".", ".)")) for choice in each.choices)
        offered |= {choice.why for choice in each.choices if not choice.right}
        if not any(each.same_as(other) for other in variants):
            variants.append(each)
        if question.kind == "drawing":
            assert each.picture.svg.startswith("<svg") and "AccumulateGrad" in str(each.picture)
            continue
        assert [choice.right for choice in each.choices].count(True) == 1
        assert len(each.choices) >= (3 if question.kind == "choice" else 2)
        texts = [choice.text for choice in each.choices]
        assert not any(too_close(a, b) for i, a in enumerate(texts) for b in texts[:i]), texts
        if question.kind == "number":
            assert all(isinstance(choice.value, int | float) for choice in each.choices)
    assert len(variants) >= 2
    assert never_offered(question, offered) == []


def never_offered(question, offered):
    """The reasons of wrong answers that were in no variant, though there was room for them."""
    if len(question.wrong) >= building.CHOICES:
        return []
    patterns = [(reason, re.sub(r"\\\$\w+", ".*", re.escape(" ".join(reason.split()))))
                for _, reason in question.wrong]
    return [reason for reason, pattern in patterns if not any(re.fullmatch(pattern, why) for why in offered)]


@pytest.mark.parametrize("name", ["grad_is_added_to", "draw_a_layer", "which_write_fails", "weights_in_numbers"])
def test_a_seed_gives_the_same_variant_again(name):
    first, again, other = (building.built(QUESTIONS[name], seed) for seed in (1, 1, 3))
    assert first.same_as(again) and not first.same_as(other)


def test_a_program_changes_nothing_for_the_next():
    import minigrad

    before = minigrad.get_rng_state()
    question = dataclasses.replace(QUESTIONS["grad_is_added_to"], after="torch.set_default_dtype(torch.float64)")
    building.built(question, 1)
    assert minigrad.get_default_dtype() == minigrad.float32 and minigrad.equal(before, minigrad.get_rng_state())


# ------------------------------------------------------------------------------ faults that are planted


def test_a_wrong_answer_that_is_right_is_not_offered():
    question = QUESTIONS["grad_is_added_to"]
    question = dataclasses.replace(question, wrong=[["$n * $a", "This is right."], *question.wrong])
    each = building.built(question, 1)
    assert "This is right." not in {choice.why for choice in each.choices}
    assert never_offered(question, {choice.why for choice in each.choices if not choice.right})[:1] == [
        "This is right."] or len(question.wrong) >= building.CHOICES


def test_two_right_answers_are_refused():
    question = QUESTIONS["which_write_fails"]
    bad = question.options[0]
    with pytest.raises(building.Unsound, match="not one answer is right"):
        building.built(dataclasses.replace(question, options=[*question.options, bad]), 1)
    with pytest.raises(building.Unsound, match="not one answer is right"):
        building.built(dataclasses.replace(question, options=question.options[1:]), 1)


def test_too_few_answers_are_refused():
    question = dataclasses.replace(QUESTIONS["inner_derivative"], wrong=[["x.grad", "It is right."]])
    with pytest.raises(building.Unsound, match="too few"):
        building.built(question, 1)


def test_an_answer_that_is_rounded_is_the_same():
    assert building.alike(0.333333, 1 / 3) and not building.alike(63, 64) and building.alike(2, 2.0)
    assert building.alike("(2, 3)", (2, 3)) and not building.alike((2, 3), (3, 2))
    assert too_close("tensor([1., 2.])", "tensor([1.0000, 2.0010])") and not too_close("tensor(1.)", "tensor([1.])")
    assert too_close("-2.0", "-2.001") and not too_close("99", "100") and not too_close("True 2.0", "False 2.0")
    assert too_close("tensor(nan)", "tensor( nan)") and not too_close("x.T @ z", "x @ z")


# ------------------------------------------------------------------------------ exams


def test_an_exam_is_drawn_evenly():
    pages = ["reading_the_graph", "in_place_operations", "views_and_history"]
    exam = exams.drawn(pages, 6, seed=5)
    assert collections.Counter(QUESTIONS[name].page for name in exam.names) == dict.fromkeys(pages, 2)
    levels = [QUESTIONS[name].difficulty for name in exam.names]
    assert levels == sorted(levels)
    assert exam.names == exams.drawn(pages, 6, seed=5).names != exams.drawn(pages, 6, seed=6).names
    easy = exams.drawn(pages, 4, seed=5, levels=[1], kinds=["choice", "number"])
    assert {QUESTIONS[name].difficulty for name in easy.names} == {1}


def test_an_exam_is_read_from_its_file(tmp_path):
    exam = exams.drawn(["reading_the_graph"], 3, seed=5, title='The "graph" of \u03b1')
    (tmp_path / "exam.toml").write_text(exams.written(exam), encoding="utf-8")
    assert exams.read(tmp_path / "exam.toml") == exam


def test_the_list_has_every_question(capsys):
    assert command_line.main(["list"]) == 0
    assert re.findall(r"^    (\w+)", capsys.readouterr().out, re.MULTILINE) == list(QUESTIONS)


def test_an_exam_that_cannot_be_drawn_says_why():
    with pytest.raises(LookupError, match="no page gone"):
        exams.drawn(["gone"], 1, seed=1)
    with pytest.raises(LookupError, match="there are only"):
        exams.drawn(["reading_the_graph"], 100, seed=1)


@pytest.mark.parametrize("plan", ["six", "twelve"])
def test_weeks_are_those_of_the_syllabi(plan):
    weeks = 6 if plan == "six" else 12
    assert {*bank.pages_of_weeks(plan, range(1, weeks + 1))} <= {*bank.pages_of_the_course()}
    with pytest.raises(LookupError, match="no week"):
        bank.pages_of_weeks(plan, [weeks + 1])


def test_the_three_commands(tmp_path, capsys):
    file, page, solutions, quiz = (str(tmp_path / name) for name in ("exam.toml", "e.html", "s.html", "m.xml"))
    assert command_line.main(["draw", file, "--weeks", "1-3", "--plan", "six", "--count", "6", "--seed", "3"]) == 0
    assert command_line.main(["paper", file, page]) == 0
    assert command_line.main(["solutions", file, solutions]) == 0
    assert command_line.main(["moodle", file, quiz, "--variants", "2"]) == 0
    assert len(exams.read(file).names) == 6
    assert command_line.main(["draw", file, "--pages", "gone", "--seed", "3"]) == 2
    assert "no page gone" in capsys.readouterr().err


# ------------------------------------------------------------------------------ on paper


class Outline(HTMLParser):
    """Counts elements, checks that they nest, and keeps what is fetched from elsewhere."""

    def __init__(self):
        super().__init__()
        self.counts, self.open, self.fetched = collections.Counter(), [], []

    def handle_starttag(self, tag, attributes):
        self.counts[tag] += 1
        self.open += [tag] if tag not in ("meta", "img", "br") else []
        self.fetched += [value for name, value in attributes if name in ("src", "href") and "://" in (value or "")]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def whole():
    """An exam with a question of each kind from each part that has one."""
    part = {page: part["folder"] for page, part in bank.pages_of_the_course().items()}
    seen = {(part[question.page], question.kind): question.name for question in QUESTIONS.values()}
    return exams.Exam("Everything", 11, list(seen.values()))


def outline(text):
    found = Outline()
    found.feed(text)
    assert found.open == [] and found.fetched == []
    return found.counts


def test_the_paper_does_not_tell(whole):
    text, built = paper.exam_page(whole), whole.built()
    counts = outline(text)
    assert counts["section"] == len(whole.names) and counts["svg"] == 0
    assert 'class="right"' not in text and built[0].why not in text
    assert sum(each.question.kind == "drawing" for each in built) == text.count('class="canvas"')


def test_the_solutions_tell_all(whole):
    text = paper.solutions_page(whole)
    counts, built = outline(text), whole.built()
    assert text.count('class="right"') == sum(each.question.kind == "choice" for each in built)
    assert counts["svg"] == sum(each.question.kind == "drawing" for each in built) > 0
    for each in built:
        for choice in each.choices:
            assert paper.inline(choice.why) in text


def test_markup_of_a_line():
    assert paper.inline("`a * b` is *not* `c * d`, 2 * 3 < 7") == (
        "<code>a * b</code> is <em>not</em> <code>c * d</code>, 2 * 3 &lt; 7")


# ------------------------------------------------------------------------------ for Moodle

COMMON = {"name", "questiontext", "generalfeedback", "defaultgrade", "penalty", "hidden", "idnumber", "tags"}
#: What Moodle's reader of this format takes from a question of each type, besides.
SPECIAL = {
    "multichoice": {"single", "shuffleanswers", "answernumbering", "showstandardinstruction", "correctfeedback",
                    "partiallycorrectfeedback", "incorrectfeedback", "answer"},
    "numerical": {"answer", "unitgradingtype", "unitpenalty", "showunits", "unitsleft"},
    "shortanswer": {"usecase", "answer"},
    "essay": {"responseformat", "responserequired", "responsefieldlines", "minwordlimit", "maxwordlimit",
              "attachments", "attachmentsrequired", "maxbytes", "filetypeslist", "graderinfo", "responsetemplate"},
}


def faults(quiz):
    """What is wrong with a quiz in Moodle's format."""
    found = [] if quiz.tag == "quiz" else ["the root is not a quiz"]
    for question in quiz:
        kind = question.get("type")
        if kind == "category":
            path = question.findtext("category/text", "")
            found += [] if path.startswith("$course$/top/") else [f"a category is called {path}"]
            continue
        name = question.findtext("name/text")
        if kind not in SPECIAL or {child.tag for child in question} != COMMON | SPECIAL[kind]:
            found.append(f"{name}: the elements are not those of {kind}")
        found += [f"{name}: {child.tag} has no text" for child in question.iter()
                  if child.get("format") and child.find("text") is None]
        fractions = [answer.get("fraction") for answer in question.findall("answer")]
        right = {answer.findtext("text") for answer in question.findall("answer") if answer.get("fraction") == "100"}
        if kind != "essay" and (not right or {*fractions} != {"0", "100"}):
            found.append(f"{name}: the fractions are {fractions}")
        if kind == "multichoice" and fractions.count("100") != 1:
            found.append(f"{name}: not one choice is right")
        for answer in question.findall("answer"):
            text = answer.findtext("text")
            if kind == "numerical" and float(answer.findtext("tolerance")) > 0.02 * abs(float(text)):
                found.append(f"{name}: the tolerance is too large")
            if kind == "shortanswer" and re.search(r"(?<!\\)\*", text):
                found.append(f"{name}: an asterisk takes every answer")
    return found


@pytest.fixture(scope="module")
def quiz(whole):
    return ElementTree.fromstring(moodle.quiz(whole, 2))


def test_moodle_can_read_the_quiz(quiz):
    assert faults(quiz) == []
    assert {question.get("type") for question in quiz} == {"category", *SPECIAL}


def test_a_faulty_quiz_is_found(quiz):
    broken = ElementTree.fromstring(ElementTree.tostring(quiz))
    choice = next(question for question in broken if question.get("type") == "multichoice")
    for answer in choice.findall("answer"):
        answer.set("fraction", "100")
    short = next(question for question in broken if question.get("type") == "shortanswer")
    short.find("answer/text").text = "*"
    essay = next(question for question in broken if question.get("type") == "essay")
    essay.remove(essay.find("graderinfo"))
    assert len(faults(broken)) == 4


def test_a_category_has_variants_of_one_question(quiz, whole):
    categories = [question.findtext("category/text") for question in quiz if question.get("type") == "category"]
    assert [path.rpartition("/")[2] for path in categories] == whole.names and len({*categories}) == len(categories)
    texts = [ElementTree.tostring(question) for question in quiz if question.get("type") != "category"]
    assert len({*texts}) == len(texts) > 1.8 * len(categories)


def test_whoever_grades_a_drawing_sees_it(quiz):
    for essay in quiz.iterfind("question[@type='essay']"):
        picture = base64.b64decode(essay.findtext("graderinfo/file")).decode("utf-8")
        assert picture.startswith("<svg") and ElementTree.fromstring(picture) is not None
        assert 'src="@@PLUGINFILE@@/graph.svg"' in essay.findtext("graderinfo/text")
        assert "AccumulateGrad" not in essay.findtext("questiontext/text")


def test_spellings_of_a_short_answer():
    assert moodle.spellings("(2, 3)") == ["(2, 3)", "(2,3)"] and moodle.spellings("a*b") == [r"a\*b"]


# ------------------------------------------------------------------------------ the page


def test_the_table_of_the_page_counts_every_question():
    pytest.importorskip("sphinx")
    sys.path.insert(0, str(ROOT / "docs" / "_ext"))
    try:
        table = importlib.import_module("questions").table()
    finally:
        sys.path.remove(str(ROOT / "docs" / "_ext"))
    rows = re.findall(r"^   \* - (.+)\n((?:     - .+\n)+)", table, re.MULTILINE)
    numbers = {name: [int(each) for each in re.findall(r"- (\d+)", cells)] for name, cells in rows[1:]}
    assert len(numbers) == len(bank.pages_of_the_course()) + 1
    *pages, total = numbers.values()
    assert [sum(column) for column in zip(*pages)] == total and total[-1] == len(QUESTIONS) == sum(total[:-1])


def test_the_example_of_the_page_is_the_question_itself():
    page = (ROOT / "docs" / "teaching" / "question_bank.rst").read_text(encoding="utf-8")
    block = re.search(r"   \[\[questions\]\]\n(?:   .*\n|\n)+", page)[0]
    shown = tomllib.loads(re.sub(r"^   ", "", block, flags=re.MULTILINE))["questions"][0]
    question = WRITTEN[shown["name"]]
    assert {field: shown[field] for field in ("text", "draw", "program", "answer")} == {
        field: question[field] for field in ("text", "draw", "program", "answer")}
