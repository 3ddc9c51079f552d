"""What comes out of a check: text, tables, the formats of other programs; and the command line."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from minigrad import homework
from minigrad.homework import cli

SOLUTION = Path(__file__).parent / "solutions" / "ten_derivatives.py"
ASSIGNMENT = '''
from minigrad.homework import Assignment

homework = Assignment("Doubling", starter="def double(x):\\n    raise NotImplementedError\\n")


@homework.item(2, "doubles & <more>")
def doubles(judge):
    x = judge.draw(3)
    judge.same(judge.call("double", x), 2 * x, "the result")


@homework.item(1, "is there")
def present(judge):
    judge.call("double", judge.draw(2))
'''


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    path = tmp_path_factory.mktemp("assignment") / "doubling.py"
    path.write_text(ASSIGNMENT, encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def submission(tmp_path_factory):
    path = tmp_path_factory.mktemp("submission") / "=cmd.py"
    path.write_text("def double(x):\n    return 3 * x\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def result(submission, assignment):
    return homework.check(submission, assignment)


def test_an_assignment_is_one_file(result, assignment):
    assert result.earned == 1 and result.points == 3 and result.assignment.name == "doubling"
    assert result["doubles"].reasons == ["the result is not right: every entry is 1.5 times what it should be"]
    assert result["present"].verdict == "right"


def test_it_is_shown_as_text_and_as_html(result):
    assert "1 of 3 points" in str(result) and "1.5 times" in str(result)
    page = result._repr_html_()
    assert "doubles &amp; &lt;more&gt;" in page and "<more>" not in page
    with pytest.raises(AssertionError, match="1.5 times"):
        result.require()
    with pytest.raises(KeyError):
        result["another"]


def test_gradescope(result):
    data = json.loads(homework.FORMATS["gradescope"](result))
    assert data["score"] == 1 and data["stdout_visibility"] == "hidden" and data["execution_time"] > 0
    assert [(test["score"], test["max_score"], test["status"]) for test in data["tests"]] == [
        (0, 2, "failed"), (1, 1, "passed")]
    assert {"name", "number", "output", "visibility"} <= data["tests"][0].keys()


#: what the format's description allows: https://gradescope-autograders.readthedocs.io/en/latest/specs/
GRADESCOPE = {"score": (int, float), "execution_time": (int, float), "output": str, "output_format": str,
              "visibility": str, "stdout_visibility": str, "tests": list}
GRADESCOPE_TEST = {"score": (int, float), "max_score": (int, float), "status": str, "name": str, "number": str,
                   "output": str, "output_format": str, "tags": list, "visibility": str}
#: https://docs.prairielearn.com/externalGrading/
PRAIRIELEARN = {"gradable": bool, "score": float, "message": str, "output": str, "tests": list}
PRAIRIELEARN_TEST = {"name": str, "description": str, "points": (int, float), "max_points": (int, float),
                     "message": str, "output": str}


@pytest.mark.parametrize(("name", "fields", "of_a_test"), [
    ("gradescope", GRADESCOPE, GRADESCOPE_TEST), ("prairielearn", PRAIRIELEARN, PRAIRIELEARN_TEST)])
def test_other_programs_find_the_fields_that_they_describe(name, fields, of_a_test, result):
    data = json.loads(homework.FORMATS[name](result))
    for found, known in [(data, fields), *[(test, of_a_test) for test in data["tests"]]]:
        assert found.keys() == known.keys()
        assert all([isinstance(value, known[key]) for key, value in found.items()])
        assert found.get("visibility", "visible") in ("visible", "hidden", "after_due_date", "after_published")
        assert found.get("status", "passed") in ("passed", "failed")
        assert found.get("output_format", "text") in ("text", "html", "simple_format", "md", "ansi")


def test_prairielearn(result, assignment, tmp_path):
    data = json.loads(homework.FORMATS["prairielearn"](result))
    assert data["gradable"] is True and data["score"] == pytest.approx(1 / 3)      # a part of 1, not points
    assert [(test["points"], test["max_points"]) for test in data["tests"]] == [(0, 2), (1, 1)]
    broken = tmp_path / "broken.py"
    broken.write_text("def double(x:\n", encoding="utf-8")
    data = json.loads(homework.FORMATS["prairielearn"](homework.check(broken, assignment)))
    assert data["gradable"] is False and "line 1" in data["format_errors"][0]


def test_the_table_has_a_row_for_each_and_no_formulas(result):
    head, row = csv.reader(io.StringIO(homework.table([result])))
    assert head == ["submission", "assignment", "points", "of", "doubles", "present", "verdicts", "reasons"]
    assert row[:6] == ["'=cmd.py", "doubling", "1", "3", "0", "1"] and "1.5 times" in row[-1]


def test_the_tests_for_otter_are_python(tmp_path, capsys):
    assert cli.main(["otter", "newton", str(tmp_path / "tests")]) == 0
    files = sorted((tmp_path / "tests").iterdir())
    assert [path.stem for path in files] == sorted([item.name for item in homework.find("newton").items])
    for path in files:
        text = path.read_text(encoding="utf-8")
        compile(text, path.name, "exec")
        assert "OK_FORMAT = False" in text and "@test_case(points=" in text and f'name = "{path.stem}"' in text


def test_a_test_for_otter_passes_and_fails(tmp_path, monkeypatch):
    """With a module in place of otter, which only has to hand the function back."""
    package = type(sys)("otter")
    package.test_files = type(sys)("otter.test_files")
    package.test_files.test_case = lambda **given: lambda function: function
    monkeypatch.setitem(sys.modules, "otter", package)
    monkeypatch.setitem(sys.modules, "otter.test_files", package.test_files)
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(homework.otter_tests("ten_derivatives")["exp.py"], names)
    source = SOLUTION.read_text(encoding="utf-8")
    (tmp_path / "ten_derivatives.py").write_text(source, encoding="utf-8")
    names["test_exp"]()
    (tmp_path / "ten_derivatives.py").write_text(source.replace("return d * np.conj(np.exp(x))", "return -d"), "utf-8")
    with pytest.raises(AssertionError, match="the gradient of x"):
        names["test_exp"]()


def test_the_tests_for_otter_of_an_own_assignment_name_its_file(assignment):
    text = homework.otter_tests(assignment)["doubles.py"]
    assert 'homework.check("my_doubling.py", "doubling.py", items=["doubles"])["doubles"]' in text
    assert 'homework.check("a.py", "doubling.py", ' in homework.otter_tests(assignment, "a.py")["doubles.py"]


def test_a_notebook_is_a_submission(tmp_path, assignment):
    cells = [{"cell_type": "markdown", "source": ["# Title"]},
             {"cell_type": "code", "source": ["%matplotlib inline\n", "def double(x):\n", "    return x + x\n"]}]
    path = tmp_path / "notebook.ipynb"
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    homework.check(path, assignment).require()
    path.write_text("half a notebook", encoding="utf-8")
    assert {each.verdict for each in homework.check(path, assignment).outcomes} == {"syntax"}
    with pytest.raises(LookupError, match="does not say which assignment"):
        homework.check(path)


def test_an_item_that_is_not_there_is_not_passed_over(submission, assignment):
    with pytest.raises(LookupError, match="doubling has no item 'triples'; it has doubles, present"):
        homework.check(submission, assignment, items=["doubles", "triples"])


# ------------------------------------------------------------------------------ the command line


def test_list_and_start(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == homework.names()
    assert cli.main(["start", "newton"]) == 0
    assert (tmp_path / "newton.py").read_text(encoding="utf-8") == homework.find("newton").started()
    assert "homework check newton.py" in capsys.readouterr().out
    assert cli.main(["start", "newton"]) == 2                                                # work is not written over
    assert "newton.py is there already, and is not overwritten" in capsys.readouterr().err
    assert cli.main(["start", "nothing"]) == 2 and "there is no assignment 'nothing'" in capsys.readouterr().err


def test_what_fails_for_want_of_a_file_is_said_in_words(tmp_path, capsys):
    gone, secret = tmp_path / "gone.py", tmp_path / "secret"
    for arguments, said in (
            (["check", str(gone)], f"there is no file {str(gone)!r}"),
            (["check", str(tmp_path)], f"{str(tmp_path)!r} is a folder"),
            (["start", "newton", "--for", "ada", "--secret", str(secret)], f"there is no file {str(secret)!r}")):
        assert cli.main(arguments) == 2
        complaint = capsys.readouterr().err
        assert said in complaint and "Errno" not in complaint
    assert cli.main(["start", "newton", "--to", str(tmp_path / "new" / "mine.py")]) == 0
    assert (tmp_path / "new" / "mine.py").is_file()


def test_check_and_report(tmp_path, assignment, capsys):
    folder = tmp_path / "submissions"
    folder.mkdir()
    (folder / "ada.py").write_text("def double(x):\n    return 2 * x\n", encoding="utf-8")
    (folder / "bob.py").write_text("import os\nos._exit(0)\n", encoding="utf-8")
    (folder / "readme.txt").write_text("not a submission", encoding="utf-8")
    for hidden in (".ipynb_checkpoints", "eve/__pycache__"):
        (folder / hidden).mkdir(parents=True)
        (folder / hidden / "copy.py").write_text("", encoding="utf-8")
    (folder / "eve" / "late.ipynb").write_text("{", encoding="utf-8")
    assert cli.main(["check", str(folder / "ada.py"), "--assignment", assignment]) == 0
    assert "3 of 3 points" in capsys.readouterr().out
    assert cli.main(["check", str(folder / "eve" / "late.ipynb"), "--assignment", assignment]) == 1
    capsys.readouterr()
    assert cli.main(["report", str(folder), "--assignment", assignment]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["submission"], row["points"]) for row in rows] == [("ada.py", "3"), ("bob.py", "0"),
                                                                    ("eve/late.ipynb", "0")]
    assert "os._exit" in rows[1]["reasons"]
    assert cli.main(["check", str(folder / "ada.py")]) == 2
    assert "does not say which assignment" in capsys.readouterr().err
    assert cli.main(["report", str(folder / "nowhere")]) == 2 and "there is no folder" in capsys.readouterr().err


def test_a_result_may_go_to_a_folder_that_is_not_there_yet(tmp_path, assignment, submission, capsys):
    target = tmp_path / "results" / "results.json"
    assert cli.main(["check", str(submission), "--assignment", assignment, "--format", "gradescope",
                     "--to", str(target)]) == 0
    assert json.loads(target.read_text(encoding="utf-8"))["score"] == 1
    assert cli.main(["start", assignment, "--to", str(tmp_path / "mine.py")]) == 0
    assert f"check {tmp_path / 'mine.py'} --assignment {assignment}" in capsys.readouterr().out


def test_the_command_is_part_of_minigrads():
    ran = subprocess.run([sys.executable, "-m", "minigrad", "homework", "list"], capture_output=True, text=True)
    assert ran.returncode == 0 and "ten_derivatives" in ran.stdout
