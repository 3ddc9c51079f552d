"""The commands, and the functions of the same names."""

import json
import os
import subprocess
import sys

import pytest

import minigrad
from minigrad import exercises
from minigrad.exercises import cli, words
from minigrad.exercises.progress import file_of_progress

RIGHT = """
    # %% 1. One
    x = 1

    # %% 2. Twice
    def twice(x):
        return 2 * x
"""


#: the command, on the course of these tests
COURSE = """
import os, pathlib, sys
from minigrad.exercises import cli, pages
pages.TUTORIALS = pathlib.Path(os.environ["COURSE"])
sys.exit(cli.main(sys.argv[1:]))
"""


@pytest.fixture
def run(course, capsys):
    """run(*arguments): (the exit status, what was printed, what was complained of)."""
    def ran(*arguments):
        status = cli.main([*map(str, arguments)])
        said = capsys.readouterr()
        return status, said.out, said.err
    return ran


class TestStart:
    def test_it_writes_a_file_that_is_not_written_yet(self, run):
        assert run("start", "small")[0] == 0
        status, said, _ = run("check", "small_numbers.py")
        assert status == 1 and said.count("not written yet: it is the starter") == 2 and "0 of 2 right." in said

    def test_it_makes_a_folder(self, run, tmp_path):
        assert run("start", "small", "a/b")[0] == 0
        assert (tmp_path / "work" / "a" / "b" / "small_numbers.py").exists()

    def test_it_writes_a_notebook(self, run):
        assert "mine.ipynb: write your answers there" in run("start", "small", "mine.ipynb")[1]
        status, said, _ = run("check", "mine.ipynb")
        assert status == 1 and said.count("not written yet: it is the starter") == 2

    def test_it_overwrites_no_work(self, run, write):
        write("small_numbers.py", RIGHT)
        status, _, complaint = run("start", "small")
        assert status == 2 and "small_numbers.py is there already, and is not overwritten" in complaint
        assert run("check", "small")[0] == 0

    def test_a_wrong_name_says_what_is_there(self, run):
        status, _, complaint = run("start", "small_nubmers")
        assert status == 2 and "Did you mean small_numbers?" in complaint


class TestCheck:
    def test_a_right_answer_is_ticked_and_kept(self, run, write, progress):
        write("small_numbers.py", RIGHT)
        status, said, _ = run("check", "small")
        assert status == 0 and "✓ 1. One" in said and "2 of 2 right." in said
        assert [*json.loads(progress.read_text())["right"]["small_numbers"]] == ["One", "Twice"]

    @pytest.mark.parametrize(("answer", "said"), [
        ("x = 2", "not yet: It is 1."),
        ("x = 1 / 0", "line 3: ZeroDivisionError: division by zero"),
        ("x = (", "line 3: SyntaxError: '(' was never closed"),
        ("raise NotImplementedError", "line 3: not written yet"),
        ("assert 1 == 2", "line 3: AssertionError"),
        ("y = 1", "the check cannot use this answer: NameError: name 'x' is not defined"),
        ("raise ValueError('a\\nb')", "line 3: ValueError: a\n       b\n"),
        ("import os; os._exit(3)", "its process ended with status 3, before the check did"),
        ("raise SystemExit", "line 3: SystemExit")])
    def test_a_wrong_answer_is_told_why(self, run, write, answer, said):
        write("small_numbers.py", f"\n# %% 1. One\n{answer}\n")
        status, printed, _ = run("check", "small_numbers.py", 1)
        assert status == 1 and said in printed and "hint small_numbers 1" in printed

    def test_a_loop_without_end_is_ended(self, run, write):
        write("small_numbers.py", "# %% 1. One\nwhile True: pass\n")
        status, printed, _ = run("check", "small", 1, "--seconds", "1")
        assert status == 1 and "no end within 1 seconds: a loop that does not end" in " ".join(printed.split())

    def test_what_it_starts_is_ended_with_it(self, run, write):
        write("small_numbers.py", "# %% 1. One\nimport subprocess, sys\n"
                                  "subprocess.run([sys.executable, '-c', 'while True: pass'])\n")
        assert "no end within" in run("check", "small", 1, "--seconds", "1")[1]

    def test_it_shows_what_was_printed_which_is_not_the_verdict(self, run, write):
        write("small_numbers.py", '# %% 1. One\nprint(\'{"kind": null}\')\nx = 3\n')
        status, printed, _ = run("check", "small", 1)
        assert status == 1 and 'it printed:\n         {"kind": null}' in printed

    def test_each_exercise_has_variables_of_its_own(self, run, write):
        write("small_numbers.py", "# %% 1. One\nx, twice = 1, lambda x: 2 * x\n# %% 2. Twice\npass\n")
        assert "NameError: name 'twice' is not defined" in run("check", "small")[1]

    def test_a_stage_goes_on_from_those_before_it(self, run, write):
        write("built_up.py", "# %% 1. First (3 points)\nx = 1\n# %% 2. Second (7 points)\ny = x + 1\n")
        status, printed, _ = run("check", "built")
        assert status == 0 and "First [3/3]" in printed and "2 of 2 right, 10 of 10 points." in printed
        write("built_up.py", "# %% 1. First\nx = 1\n# %% 2. Second\ny = x + 2\n")
        assert "1 of 2 right, 3 of 10 points." in run("check", "built")[1]

    def test_an_error_in_an_earlier_stage_has_its_line(self, run, write):
        write("built_up.py", "# %% 1. First\nx = 1 / 0\n# %% 2. Second\ny = 1 + 1\n")
        assert "line 2: ZeroDivisionError" in run("check", "built", 2)[1]

    def test_a_cell_that_was_removed_is_missed(self, run, write):
        write("small_numbers.py", "# %% 2. Twice\ntwice = abs\n")
        said = " ".join(run("check", "small")[1].split())
        assert 'there is no cell "# %% 1. One" in the file' in said and "Twice 2 is 4, not 2." in said

    @pytest.mark.parametrize(("work", "said"), [
        ("small", "there is no file small_numbers.py here; to begin: python -m minigrad exercise start small_numbers"),
        ("small_numbers.py", "there is no file 'small_numbers.py'; to begin: python -m minigrad exercise start"),
        ("elsewhere.py", "there is no file 'elsewhere.py'"), ("nothing", "no page with exercises is called 'nothing'")])
    def test_a_file_that_is_not_there_is_missed(self, run, work, said):
        status, _, complaint = run("check", work)
        assert status == 2 and said in complaint

    def test_a_number_that_is_not_there_is_refused(self, run, write):
        write("small_numbers.py", RIGHT)
        assert run("check", "small", 7)[2].endswith("numbered from 1: there is no number 7\n")

    def test_a_file_and_a_notebook_are_one_too_many(self, run, write):
        write("small_numbers.py", RIGHT), write("small_numbers.ipynb", "{}")
        assert "say which one to check" in run("check", "small")[2]

    def test_an_answer_may_leave_out_an_import_of_the_starter(self, tmp_path, progress):
        path = tmp_path / "watch_a_backward_pass.py"
        path.write_text("# %% 2. As few as possible\ndef twelfth(x):\n    x = x * x\n    x = x * x\n"
                        "    return x * x * x\n")
        assert exercises.check(path, 2)
        assert "twelfth power" in repr(exercises.check("watch_a_backward_pass", 2, {"twelfth": lambda x: x}))

    def test_a_notebook_checks_its_variables_and_keeps_them(self, course):
        names = {"x": 1, "twice": lambda x: 3 * x}
        report = exercises.check("small", names=names)
        assert not report and "in this notebook" in repr(report) and "Twice 2 is 4, not 6." in repr(report)
        assert [*names] == ["x", "twice"] and exercises.check("small", 1, names)
        assert "NameError" in repr(exercises.check("small", 1, {}))
        with pytest.raises(AssertionError, match="Twice 2 is 4"):
            report.require()


class TestHint:
    def test_one_comes_after_the_other(self, run):
        first, second, third = [run("hint", "small", 1)[1] for _ in range(3)]
        assert "hint 1 of 2\n\nCount.\n\nOne more" in first and "hint 2 of 2\n\nCount to `1`.\n\nThat is the" in second
        assert third == second

    def test_it_is_for_the_first_that_is_not_right(self, run, write):
        write("small_numbers.py", "# %% 1. One\nx = 1\n")
        run("check", "small")
        assert run("hint", "small")[1].startswith("small_numbers 2. Twice: hint 1 of 1\n\nAdd.")
        write("small_numbers.py", RIGHT)
        run("check", "small")
        assert run("hint", "small")[1].startswith("All exercises of small_numbers are right.")


class TestProgress:
    def test_the_list_has_a_tick_for_what_is_right(self, run, write):
        write("small_numbers.py", "# %% 2. Twice\ntwice = lambda x: x + x\n")
        run("check", "small", 2)
        for said in run()[1], run("list")[1]:
            assert "A  Numbers\n   ·✓       small_numbers  Small numbers\n" in said

    def test_the_status_says_what_comes_next_and_where_it_is_kept(self, run, write, progress):
        write("small_numbers.py", "# %% 2. Twice\ntwice = lambda x: x + x\n")
        run("check", "small")
        said = run("status")[1]
        assert said.startswith("1 of 4 exercises are right\n    1 of   2   Numbers\n")
        assert "small_numbers: · One, ✓ Twice" in said and "Next: small_numbers 1. One" in said
        assert said.endswith(f"Kept in {progress}\n")

    def test_what_was_right_stays_so(self, run, write):
        write("small_numbers.py", RIGHT)
        run("check", "small")
        write("small_numbers.py", "# %% 1. One\nx = 2\n")
        run("check", "small")
        assert "2 of   2   Numbers" in run("status")[1]

    def test_another_file_is_left_as_it_is(self, run, write, progress):
        progress.parent.mkdir()
        progress.write_text("[]")
        assert "is not a file of progress that minigrad can read" in run("status")[2]
        write("small_numbers.py", RIGHT)
        status, said, _ = run("check", "small")
        assert status == 0 and "The progress was not kept: " in said and progress.read_text() == "[]"

    def test_a_place_that_cannot_be_written_does_not_hold_back_the_verdict(self, run, write, monkeypatch):
        monkeypatch.setenv("MINIGRAD_PROGRESS", write("a_file", "") + "/progress.json")
        write("small_numbers.py", RIGHT)
        status, said, _ = run("check", "small")
        assert status == 0 and "The progress was not kept: " in said

    def test_it_is_where_the_system_keeps_the_state_of_programs(self, monkeypatch, tmp_path):
        monkeypatch.delenv("MINIGRAD_PROGRESS")
        for system, name in ("linux", "XDG_STATE_HOME"), ("win32", "LOCALAPPDATA"):
            monkeypatch.setattr(sys, "platform", system)
            monkeypatch.setenv(name, str(tmp_path))
            assert file_of_progress() == tmp_path / "minigrad" / "exercises.json"
        monkeypatch.setattr(sys, "platform", "linux")
        monkeypatch.delenv("XDG_STATE_HOME")
        assert file_of_progress().parts[-4:] == (".local", "state", "minigrad", "exercises.json")

    def test_a_terminal_without_ticks_gets_letters(self, monkeypatch, course):
        monkeypatch.setattr(sys, "stdout", type("Old", (), {"encoding": "cp1252"})())
        assert "   ..       small_numbers" in words.overview()


class TestCommand:
    def test_what_is_not_understood_has_status_2(self, run):
        assert run("begin")[0] == 2 and run("check")[0] == 2

    def test_a_closed_pipe_is_not_an_error(self):
        command = [sys.executable, "-m", "minigrad", "exercise"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            process.stdout.close()
            assert process.stderr.read() == b"" and process.wait() == 0

    def test_a_terminal_with_few_characters_shows_the_others_as_question_marks(self, course, write):
        write("small_numbers.py", "# %% 1. One\nprint('Aᵀ')\nx = 2\n")
        ran = subprocess.run([sys.executable, "-c", COURSE, "check", "small_numbers.py", "1"], capture_output=True,
                             env={**os.environ, "PYTHONIOENCODING": "ascii", "COURSE": str(course)}, text=True)
        assert ran.returncode == 1 and "  . 1. One" in ran.stdout and "A?" in ran.stdout and not ran.stderr

    def test_an_interrupt_ends_it_quietly(self, run, write, monkeypatch):
        write("small_numbers.py", RIGHT)
        monkeypatch.setattr(words, "checked", lambda *given: (_ for _ in ()).throw(KeyboardInterrupt))
        status, _, complaint = run("check", "small")
        assert status == 130 and complaint == "\nminigrad exercise: stopped\n"

    def test_help_lists_it(self):
        ran = subprocess.run([sys.executable, "-m", "minigrad", "--help"], capture_output=True, text=True)
        assert "python -m minigrad exercise [start PAGE | check FILE" in ran.stdout

    def test_a_notebook_has_the_same_words(self, course, write):
        assert exercises.names() == ["small_numbers", "built_up"] and minigrad.exercises is exercises
        assert str(exercises.start("small")) == "small_numbers.py"
        assert repr(exercises.status()).startswith("0 of 4") and "hint 1 of 2" in repr(exercises.hint("small"))
