"""What the judge makes of rare answers, of a process that has gone, and of commands that cannot be carried out."""

import io
import os
import signal
import struct
import subprocess
import sys

import numpy as np
import pytest

from minigrad import homework
from minigrad._core.profiling.instruments import Calls
from minigrad.homework import child, cli, derivatives, judge, spec
from minigrad.homework.process import Failed, Process, Stopped
from minigrad.homework.report import Outcome, Result
from minigrad.homework.wire import Garbled, Other, decoded, encoded, read_frame

WATCHING = """
from minigrad.homework import Assignment

homework = Assignment("Slope", starter="def slope(x): pass")


@homework.item(1, "without steps")
def watched(judge):
    judge.call("slope", judge.draw(3), watch=True)
"""
LEAN = """
from minigrad.homework import Assignment

homework = Assignment("Lean", starter="def f(x): pass")


@homework.item(1, "little memory")
def lean(judge):
    judge.grow("f", lambda n: [judge.draw(n)], memory=500)
"""
needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="other systems end processes otherwise")


@pytest.mark.parametrize("found, reason", [(np.ones(2) * 1j, "is complex, where"), ([1., float("nan")], "nan or inf")])
def test_numbers_of_another_kind_are_not_the_same(found, reason):
    with pytest.raises(spec.Wrong, match=reason):
        derivatives.same(found, np.ones(2), "the result")


@pytest.mark.parametrize("size, earned", [(10, 1), (2000, 0)])
def test_the_memory_of_objects_for_each_entry_is_bounded(tmp_path, size, earned):
    (tmp_path / "lean.py").write_text(LEAN)
    (tmp_path / "mine.py").write_text(f"def f(x):\n    kept = [bytes({size}) for _ in x.tolist()]\n    return x\n")
    result = homework.check(tmp_path / "mine.py", tmp_path / "lean.py")
    assert result.earned == earned and (earned or "bytes of memory for 96 entries" in str(result)), str(result)


def test_complex_numbers_travel_and_other_objects_are_named():
    assert decoded(encoded(1 + 2j)) == 1 + 2j
    other = decoded(encoded(object()))
    assert isinstance(other, Other) and "object" in repr(other)
    assert isinstance(decoded(encoded(np.array(["a"]))), Other)


@pytest.mark.parametrize("size", [0, 2 ** 63])
def test_a_frame_of_an_impossible_size_is_refused(size):
    with pytest.raises(Garbled, match="impossible size"):
        read_frame(io.BytesIO(struct.pack("<Q", size)))


def test_an_assignment_is_found_by_itself_and_a_file_that_is_not_there_is_named():
    found = spec.find("ten_derivatives")
    assert spec.find(found) is found
    with pytest.raises(LookupError, match="there is no file 'nowhere.py'"):
        spec.find("nowhere.py")


def test_results_and_their_parts_show_what_was_earned():
    assignment = spec.find("ten_derivatives")
    outcome = Outcome(assignment.items[0], 1, "passed", [])
    assert repr(outcome) == f"{assignment.items[0].name}: 1 of {assignment.items[0].points:g}, passed"
    result = homework.check(__file__, assignment, items=[assignment.items[0].name])
    assert isinstance(result, Result) and repr(result).startswith("<") and "points in" in repr(result)


def test_a_file_may_begin_with_the_mark_that_windows_writes(tmp_path):
    path = tmp_path / "submission.py"
    path.write_text("def f(x):\n    return x\n", encoding="utf-8-sig")
    assert judge.source_of(path) == "def f(x):\n    return x\n"


def test_a_name_that_is_missing_is_the_reason():
    failed = Failed({"kind": "Missing", "message": "", "line": None, "missing": "double"})
    assert failed.unwritten and failed.reason == "`double` is not defined"


@needs_signals
@pytest.mark.parametrize("number, why", [(signal.SIGKILL, "SIGKILL"), (40, "signal 40")])
def test_a_process_that_was_ended_is_told_by_its_signal(number, why):
    process = Process("def f(x):\n    return x\n")
    try:
        os.kill(process.process.pid, number)
        process.process.wait()
        for _ in range(2):                      # the first finds the end of its answers, or a closed pipe
            with pytest.raises(Stopped, match=why) as stopped:
                process.ask("", name="f", arguments=["f", 1])
            assert stopped.value.verdict == "crash"
            process.answers.put(None)
    finally:
        process.close()


def test_where_no_copies_are_made_an_item_that_needs_them_says_so(monkeypatch):
    monkeypatch.delattr(os, "fork", raising=False)
    process = Process("x = 1\n")
    try:
        with pytest.raises(Stopped, match="copies of its process"):
            process.ask("def probe(submission):\n    return apart(submission.f)\n", name="probe", arguments=[])
    finally:
        process.close()


def test_an_item_may_watch_for_small_steps(tmp_path):
    (tmp_path / "slope.py").write_text(WATCHING)
    found = []
    for body in ("2 * x", "((x + 1e-6) ** 2 - x ** 2) / 1e-6"):
        (tmp_path / "submission.py").write_text(f"def slope(x):\n    return {body}\n")
        found.append(homework.check(tmp_path / "submission.py", tmp_path / "slope.py").earned)
    assert found == [1, 0]


@pytest.mark.parametrize("frame", ["values().gi_frame", "later().cr_frame", "both().ag_frame"])
def test_the_frame_of_a_generator_is_as_closed_as_others(tmp_path, frame):
    (tmp_path / "s.py").write_text("def values():\n    yield 1\n\n\nasync def later():\n    pass\n\n\n"
                                   f"async def both():\n    yield 1\n\n\n{frame}.f_code\n")
    result = homework.check(tmp_path / "s.py", "ten_derivatives", items=["add"])
    assert [outcome.verdict for outcome in result.outcomes] == ["foul"]


def test_what_is_not_a_command_ends_with_the_status_of_a_wrong_use(capsys):
    assert cli.main(["--nothing"]) == 2 and "usage" in capsys.readouterr().err


def test_a_reader_may_stop_reading_at_any_line():
    command = [sys.executable, "-c", "import sys\nfrom minigrad.homework import cli\nsys.exit(cli.main(['list']))"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert process.wait() == 0 and process.stderr.read() == b""
    process.stderr.close()


def test_a_file_without_an_assignment_is_left_out_of_a_report(tmp_path, capsys):
    (tmp_path / "anna.py").write_text("def f():\n    pass\n")
    cli.main(["report", str(tmp_path)])
    assert "anna.py: left out" in capsys.readouterr().err


def test_an_error_does_not_tell_where_the_instruments_are():
    try:
        Calls(print).function
    except AttributeError as failure:
        assert child.told(failure, None)["message"] == "'Calls' object has no attribute 'function'"


@pytest.mark.parametrize("name, told", [("ShapeError", "ShapeError"), ("Not2d", "Not2d"), ("log1p_of", "log1p_of"),
                                        ("x0y4z7", "ValueError"), ("[0.25, 1.5]", "ValueError")])
def test_a_name_in_which_numbers_can_be_hidden_is_not_told(name, told):
    try:
        raise type(name, (ValueError,), {})()
    except ValueError as failure:
        assert child.told(failure, None)["kind"] == told
