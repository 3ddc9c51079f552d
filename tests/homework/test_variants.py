"""No two alike: what is drawn for whom, what the first line says of it, and what becomes of a line that was changed."""

import csv
import io
import json
import os
import subprocess
import sys

import pytest

from minigrad import homework
from minigrad.homework import cli, variants

ASSIGNMENT = '''
from minigrad.homework import Assignment

homework = Assignment("Times $factor", varies={"factor": (2, 3, 4, 5, 6, 7, 8, 9),
                                               "name": ({"name": "first", "at": 0}, {"name": "last", "at": -1},
                                                        {"name": "second", "at": 1})}, starter=\'\'\'
def times(x):
    """$factor * x."""
    raise NotImplementedError


def ${name}_of(x):
    raise NotImplementedError
\'\'\')


@homework.item(2, "times $factor")
def times(judge):
    x = judge.draw(3)
    judge.same(judge.call("times", x), judge.variant["factor"] * x, "the result")


@homework.item(1, "the $name")
def entry(judge):
    x = judge.draw(3)
    judge.same(judge.call(judge.variant["name"] + "_of", x), x[judge.variant["at"]], "the entry")
'''
VARIES = {"factor": (2, 3, 4, 5, 6, 7, 8, 9), "name": ({"name": "first", "at": 0}, {"name": "last", "at": -1},
                                                      {"name": "second", "at": 1})}
PUBLISHED = "# minigrad homework: multiples\ndef times(x):\n    return 2 * x\n\n\ndef first_of(x):\n    return x[0]\n"
SECRET = b"what only the instructor knows"


@pytest.fixture
def assignment(tmp_path):
    path = tmp_path / "multiples.py"
    path.write_text(ASSIGNMENT, encoding="utf-8")
    return str(path)


def solved(mark, variant):
    return (f"{mark}\ndef times(x):\n    return {variant['factor']} * x\n\n\n"
            f"def {variant['name']}_of(x):\n    return x[{variant['at']}]\n")


def for_student(assignment, student, secret=b""):
    """(the first line, the variant) of a student."""
    drawn = homework.find(assignment).drawn_for(student, secret)
    return drawn.started(secret).partition("\n")[0], drawn.variant


def judged(tmp_path, source, assignment, **given):
    path = tmp_path / "handed_in.py"
    path.write_text(source, encoding="utf-8")
    return homework.check(path, assignment, **given)


# ------------------------------------------------------------------------------ the draw


def test_a_draw_is_the_same_everywhere_and_always():
    words = {student: variants.drawn("multiples", VARIES, student).word for student in ("ada", "grace", "Zoë", "007")}
    assert words == {"ada": "gb", "grace": "eb", "Zoë": "bc", "007": "cb"}
    assert variants.drawn("multiples", VARIES, "ada", SECRET).word == "cc"
    code = f"from minigrad.homework import variants; print(variants.drawn('multiples', {VARIES}, 'ada').word)"
    for seed in ("1", "2"):
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                             env=os.environ | {"PYTHONHASHSEED": seed})
        assert ran.stdout.strip() == words["ada"]


def test_nobody_draws_what_is_published_and_everything_else_is_drawn():
    drawn = [variants.drawn("multiples", VARIES, f"student {number}") for number in range(200)]
    assert {each["factor"] for each in drawn} == {3, 4, 5, 6, 7, 8, 9}
    assert {each["name"] for each in drawn} == {"last", "second"}
    assert variants.published(VARIES) == {"factor": 2, "name": "first", "at": 0}


def test_a_part_with_no_choice_is_refused():
    with pytest.raises(LookupError, match="'power' of example has no choice but the published one"):
        variants.drawn("example", {"power": (3,)}, "ada")


def test_an_id_is_what_is_read_not_how_it_is_coded():
    composed, decomposed = "Zo\u00eb  Lovelace", " Zoe\u0308 Lovelace\n"
    assert variants.drawn("m", VARIES, composed) == variants.drawn("m", VARIES, decomposed)
    assert variants.drawn("m", VARIES, composed).student == "Zo\u00eb Lovelace"
    with pytest.raises(LookupError, match="the ID is empty"):
        variants.drawn("m", VARIES, " ")


def test_without_an_id_all_is_as_it_was(assignment, tmp_path):
    found = homework.find(assignment)
    assert found.started().startswith('# minigrad homework: multiples\ndef times(x):\n    """2 * x."""')
    assert [item.title for item in found.items] == ["times 2", "the first"]
    result = judged(tmp_path, PUBLISHED, assignment)
    assert result.earned == result.points and result.note == "" and result.student == ""
    assert "for" not in homework.table([result]).partition("\n")[0].split(",")


def test_an_assignment_in_which_nothing_varies_says_so(tmp_path, capsys):
    (tmp_path / "same.py").write_text("from minigrad.homework import Assignment\nhomework = Assignment('S', "
                                      "starter='x = 5 # $5\\n')\n")
    assert homework.find(tmp_path / "same.py").started().endswith("x = 5 # $5\n")
    assert cli.main(["start", str(tmp_path / "same.py"), "--for", "ada", "--to", str(tmp_path / "new.py")]) == 2
    assert "nothing varies in same" in capsys.readouterr().err and not (tmp_path / "new.py").exists()


# ------------------------------------------------------------------------------ the judge


@pytest.mark.parametrize("secret", [b"", SECRET])
@pytest.mark.parametrize("student", ["ada", "Zoë von Lovelace, 2nd", "42"])
def test_the_judge_judges_the_variant_that_the_file_is_for(student, secret, assignment, tmp_path):
    mark, variant = for_student(assignment, student, secret)
    assert mark.endswith(f" for {student}") and (" sealed " if secret else " drawn ") in mark
    right = judged(tmp_path, solved(mark, variant), assignment, secret=secret)
    assert right.earned == right.points and right.student == student and right.note == ""
    assert [each.title for each in right.outcomes] == [f"times {variant['factor']}", f"the {variant['name']}"]
    copied = judged(tmp_path, PUBLISHED.replace("# minigrad homework: multiples", mark), assignment, secret=secret)
    assert copied.earned == 0 and [each.verdict for each in copied.outcomes] == ["wrong", "missing"]


def test_a_neighbours_solution_under_ones_own_line_loses_what_varies(assignment, tmp_path):
    own, _ = for_student(assignment, "ada")
    _, theirs = for_student(assignment, "Zoë")
    assert judged(tmp_path, solved(own, theirs), assignment).earned == 0


@pytest.mark.parametrize("change", ["the word", "the ID", "the seal"])
def test_a_line_that_was_changed_is_told_and_the_variant_is_the_one_of_the_id(change, assignment, tmp_path):
    own, variant = for_student(assignment, "ada")
    theirs, other = for_student(assignment, "Zoë")
    mark, solution = {"the word": (own.replace(f" {variant.word} ", f" {other.word} "), other),
                      "the ID": (theirs.replace("for Zoë", "for ada"), other),
                      "the seal": (own.replace(own.split()[7], 16 * "0"), variant)}[change]
    assert mark != own
    result = judged(tmp_path, solved(mark, solution), assignment)
    assert result.earned == (result.points if change == "the seal" else 0) and result.student == "ada"
    assert "'ada', but the variant in it is not the one that is drawn for that ID" in str(result)


@pytest.mark.parametrize("line", ["variant", "variant zz drawn 0123456789abcdef", "variant eb",
                                  "variant zz sealed 0123456789abcdef for ada",
                                  "variant bbb sealed 0123456789abcdef for ada"])
def test_a_line_that_says_nothing_is_not_judged(line, assignment, tmp_path):
    with pytest.raises(LookupError, match="the first line is not as `homework start` has written it"):
        judged(tmp_path, f"# minigrad homework: multiples {line} \n" + PUBLISHED.partition("\n")[2], assignment)


def test_words_behind_the_name_of_the_published_variant_change_nothing(assignment, tmp_path):
    judged(tmp_path, PUBLISHED.replace("multiples", "multiples  (due on Friday)"), assignment).require()


# ------------------------------------------------------------------------------ the secret


def test_only_who_has_the_secret_draws_what_it_draws():
    with_it, without, with_another = [[variants.drawn("m", VARIES, f"student {number}", secret).word
                                       for number in range(20)] for secret in (SECRET, b"", b"another secret")]
    assert with_it != without and with_it != with_another and without != with_another


def test_without_the_secret_a_sealed_line_is_believed_and_with_it_checked(assignment, tmp_path):
    mark, variant = for_student(assignment, "ada", SECRET)
    open_mark, open_variant = for_student(assignment, "ada")
    assert variant.word != open_variant.word
    result = judged(tmp_path, solved(mark, variant), assignment)
    assert result.earned == result.points and "is checked with the secret" in result.note
    assert judged(tmp_path, solved(mark, variant), assignment, secret=SECRET).note == ""
    forged = mark.replace(f" {variant.word} ", f" {open_variant.word} ")
    assert judged(tmp_path, solved(forged, open_variant), assignment).earned == 3
    for line in (forged, open_mark):                    # changed by hand, and drawn without the secret
        result = judged(tmp_path, solved(line, open_variant), assignment, secret=SECRET)
        assert result.earned < 3 and "not the one that is drawn for that ID with this secret" in result.note


def test_with_the_secret_the_published_variant_is_not_judged(assignment, tmp_path):
    with pytest.raises(LookupError, match="does not say for whom it is"):
        judged(tmp_path, PUBLISHED, assignment, secret=SECRET)


def test_an_instructor_may_say_whose_it_is(assignment, tmp_path):
    mark, variant = for_student(assignment, "ada", SECRET)
    assert judged(tmp_path, solved(mark, variant), assignment, student="ada", secret=SECRET).note == ""
    other, theirs = for_student(assignment, "grace", SECRET)
    result = judged(tmp_path, solved(other, theirs), assignment, student="ada", secret=SECRET)
    assert result.earned < 3 and result.student == "ada" and "not for that ID" in result.note


# ------------------------------------------------------------------------------ the commands


def test_start_check_and_report(assignment, tmp_path, capsys):
    secret, folder = tmp_path / "secret.txt", tmp_path / "submissions"
    secret.write_bytes(SECRET + b"\n")
    folder.mkdir()
    for student in ("ada", "grace"):
        path = folder / f"{student}.py"
        assert cli.main(["start", assignment, "--for", student, "--secret", str(secret), "--to", str(path)]) == 0
        mark, variant = for_student(assignment, student, SECRET)
        assert path.read_text(encoding="utf-8").startswith(mark + "\n")
        path.write_text(solved(mark, variant), encoding="utf-8")
    (folder / "nobody.py").write_text(PUBLISHED, encoding="utf-8")
    capsys.readouterr()
    check = ["check", str(folder / "ada.py"), "--assignment", assignment]
    assert cli.main([*check, "--secret", str(secret)]) == 0 and "3 of 3" in capsys.readouterr().out
    assert cli.main([*check, "--secret", str(secret), "--for", "grace"]) == 1
    assert "not for that ID" in capsys.readouterr().out
    assert cli.main(["report", str(folder), "--assignment", assignment, "--secret", str(secret)]) == 0
    out, err = capsys.readouterr()
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(row["submission"], row["points"], row["for"], row["remark"]) for row in rows] == [
        ("ada.py", "3", "ada", ""), ("grace.py", "3", "grace", "")]
    assert "nobody.py: left out: multiples: the file does not say for whom it is" in err


def test_a_secret_that_can_be_guessed_is_refused(assignment, tmp_path, capsys):
    (tmp_path / "short.txt").write_text("hunter2\n")
    given = ["start", assignment, "--secret", str(tmp_path / "short.txt"), "--to", str(tmp_path / "new.py")]
    assert cli.main([*given, "--for", "ada"]) == 2 and "has 7 characters" in capsys.readouterr().err
    (tmp_path / "short.txt").write_bytes(SECRET)
    assert cli.main(given) == 2 and "say of whom" in capsys.readouterr().err
    assert cli.main([*given[:3], str(tmp_path / "none.txt"), "--for", "ada"]) == 2
    assert not (tmp_path / "new.py").exists()


def test_what_is_said_of_the_line_is_in_every_format(assignment, tmp_path):
    own, variant = for_student(assignment, "ada")
    result = judged(tmp_path, solved(own.replace(own.split()[7], 16 * "0"), variant), assignment)
    for name in ("gradescope", "prairielearn"):
        assert "not the one that is drawn" in json.loads(homework.FORMATS[name](result))["output"]
    assert "not the one that is drawn" in result._repr_html_() and "not the one" in homework.FORMATS["csv"](result)
