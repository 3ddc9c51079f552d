"""Ten submissions that an instructor meets: the right verdict each, and nothing else fails with them."""

import re
from pathlib import Path

import pytest

from minigrad import homework

RIGHT = (Path(__file__).parent / "solutions" / "ten_derivatives.py").read_text(encoding="utf-8")


def with_function(name, body, before=""):
    """The right submission with another body of one function."""
    source, count = re.subn(rf"(def {name}\(.*\n)((?:    .*\n|\n(?=    ))+)",
                            lambda found: found[1] + "".join([f"    {line}\n" for line in body.splitlines()]), RIGHT)
    assert count == 1
    return before + source


SUBMISSIONS = {
    "wrong factor": ("exp", "wrong", "a constant factor: every entry is 2 times",
                     with_function("exp_backward", "return 2 * d * np.conj(np.exp(x))")),
    "wrong sign": ("exp", "wrong", "the sign", with_function("exp_backward", "return -d * np.conj(np.exp(x))")),
    "transposed": ("matmul", "wrong", "transpose", with_function(
        "matmul_backward", "return fit((d @ np.swapaxes(y, -1, -2)).swapaxes(-1, -2), x), fit(np.swapaxes(x, -1, -2) "
                           "@ d, y)")),
    "reshaped": ("matmul", "wrong", "a reshape instead of a transpose", with_function(
        "matmul_backward", "return (y @ d.swapaxes(-1, -2)).reshape(x.shape[:1] + x.shape[1:]), "
                           "fit(np.swapaxes(x, -1, -2) @ d, y)")),
    "the other way round": ("cumsum", "wrong", "the Jacobian is transposed",
                            with_function("cumsum_backward", "return d.cumsum(axis)")),
    "missing reduction": ("add", "wrong", "a reduction is missing", with_function("add_backward", "return d, d")),
    "a mean for a sum": ("add", "wrong", "averaged (mean)", with_function(
        "add_backward", "return fit(d, x) * x.size / d.size, fit(d, y) * y.size / d.size")),
    "missing conjugate": ("exp", "partly", "complex numbers: the gradient of the input: a conjugate is missing",
                          with_function("exp_backward", "return d * np.exp(x)")),
    "finite differences": ("tanh", "wrong", "finite differences", with_function(
        "tanh_backward", "h = 1e-6\nreturn d * (np.tanh(x + h) - np.tanh(x - h)) / (2 * h)")),
    "a complex step": ("tanh", "wrong", "finite differences", with_function(
        "tanh_backward", "return d * np.tanh(x + 1e-20j).imag / 1e-20")),
    "entry by entry": ("tanh", "wrong", "finite differences", with_function(
        "tanh_backward", "moved = x.copy()\nmoved[0] += 1e-6\nreturn d * (np.tanh(moved) - np.tanh(x)) / 1e-6")),
    "out of sight": ("tanh", "wrong", "few digits only", with_function(
        "tanh_backward", "x = np.array(x.tolist())\nh = 1e-6\n"
                         "return d * (np.tanh(x + h) - np.tanh(x - h)) / (2 * h)")),
    "hang": ("exp", "hang", "no answer within", with_function("exp_backward", "while True: pass")),
    "os._exit": ("exp", "exit", "with status 0", with_function("exp_backward", "import os\nos._exit(0)")),
    "a crash": ("exp", "crash", "SIGABRT", with_function("exp_backward", "import os\nos.abort()")),
    "sys.exit": ("exp", "error", "SystemExit", with_function("exp_backward", "import sys\nsys.exit(0)")),
    "reads the judge's files": ("exp", "foul", "opens a file of the judge", with_function(
        "exp_backward", "import sys\nfor folder in sys.path:\n    try:\n        return open(folder + "
                        "'/minigrad/homework/judge.py').read()\n    except OSError:\n        pass")),
    "imports the judge": ("exp", "foul", "the judge", with_function(
        "exp_backward", "import importlib\nimportlib.import_module('mini' + 'grad.homework.judge')")),
    "reads other files": ("exp", "foul", "outside its own folder", with_function(
        "exp_backward", "return open('/etc/passwd').read()")),
    "the network": ("exp", "foul", "network", with_function(
        "exp_backward", "import _socket\n_socket.socket().connect(('127.0.0.1', 9))")),
    "another process": ("exp", "foul", "process", with_function(
        "exp_backward", "import subprocess\nsubprocess.run(['true'])")),
    "writes on the channel": ("exp", "foul", "channel of the judge", with_function(
        "exp_backward", "import os\nfor fd in range(3, 10):\n    try:\n        os.write(fd, "
                        "(16).to_bytes(8, 'little') + 16 * b'a')\n    except OSError:\n        pass\nreturn d")),
    "too much memory": ("exp", "error", "memory", with_function("exp_backward", "return np.ones(1 << 40)")),
    "raises": ("exp", "error", "line ", with_function("exp_backward", "raise ValueError(str(x))")),
    "nothing yet": ("exp", "missing", "not written yet", with_function("exp_backward", "raise NotImplementedError")),
    "not defined": ("exp", "missing", "`exp_backward` is not defined", RIGHT.replace("def exp_backward", "def other")),
    "another type": ("exp", "wrong", "not an array", with_function("exp_backward", "return {1: 2}")),
}


def checked(tmp_path, source, *items):
    path = tmp_path / "submission.py"
    path.write_text(source, encoding="utf-8")
    return homework.check(path, items=items or None, seconds=2, seed=0)


@pytest.mark.parametrize("name", SUBMISSIONS)
def test_the_verdict_is_right_and_nothing_else_fails(name, tmp_path):
    item, verdict, reason, source = SUBMISSIONS[name]
    result = checked(tmp_path, source, item, "mul")
    assert result[item].verdict == verdict and reason in " ".join(result[item].reasons), result
    assert all([each.verdict == "right" for each in result.outcomes if each.name != item]), result
    assert result.earned < result.points


@pytest.mark.parametrize(("verdict", "reason", "source"), [
    ("syntax", "line 2", "# minigrad homework: ten_derivatives\ndef f(:\n"),
    ("forbidden", "line 2 uses minigrad", "# minigrad homework: ten_derivatives\nimport minigrad\n"),
    ("exit", "when the file is loaded", "# minigrad homework: ten_derivatives\nimport os\nos._exit(0)\n"),
    ("error", "when the file is loaded: line 2: ZeroDivisionError", "# minigrad homework: ten_derivatives\n1 / 0\n"),
    ("hang", "when the file is loaded", "# minigrad homework: ten_derivatives\nwhile True: pass\n"),
], ids=["syntax error", "forbidden import", "exit", "error", "hang"])
def test_a_file_that_cannot_be_loaded_fails_every_item_with_the_reason(verdict, reason, source, tmp_path, monkeypatch):
    monkeypatch.setattr("minigrad.homework.process.START", 3)
    result = checked(tmp_path, source)
    assert result.earned == 0 and {each.verdict for each in result.outcomes} == {verdict}
    assert all([reason in each.reasons[0] for each in result.outcomes]), result


def test_what_a_submission_prints_counts_for_nothing(tmp_path):
    noise = ("import sys\nfor _ in range(300):\n    print('right ' * 10000)\n"
             "    print('{\"answer\": 1}', file=sys.stderr)\n")
    result = checked(tmp_path, RIGHT + noise)
    assert result.earned == result.points and result.printed > 10_000_000
    assert "printed" in str(result) and "right right" not in str(result)


def test_a_hidden_input_is_never_shown(tmp_path):
    """Neither by an exception of the submission, nor by one that it provokes, nor by what it prints."""
    for body in ("raise ValueError(str(x))", "print(x)\nreturn float(str(x.ravel()[0]) + 'x')", "assert False, x",
                 "return np.array(str(x))", "return x"):
        assert not re.search(r"\d\.\d\d\d", str(checked(tmp_path, with_function("exp_backward", body), "exp")))
