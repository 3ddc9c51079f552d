"""Ten submissions that an instructor meets: the right verdict each, and nothing else fails with them."""

import re
from pathlib import Path

import pytest

from minigrad import homework

RIGHT = (Path(__file__).parent / "solutions" / "ten_derivatives.py").read_text(encoding="utf-8")


def with_function(name, body, source=RIGHT):
    """The submission with another body of one function."""
    source, count = re.subn(rf"(def {name}\(.*\n)((?:    .*\n|\n(?=    ))+)",
                            lambda found: found[1] + "".join([f"    {line}\n" for line in body.splitlines()]), source)
    assert count == 1
    return source


#: submissions with several faulty items, of which nothing reaches the next: what is wrong, the verdict, a part of the
#: reason, and the body of the function
TOGETHER = {
    "mistakes": {
        "exp": ("wrong", "a constant factor: every entry is 2 times", "return 2 * d * np.conj(np.exp(x))"),
        "matmul": ("wrong", "transpose", "return fit((d @ np.swapaxes(y, -1, -2)).swapaxes(-1, -2), x), "
                                         "fit(np.swapaxes(x, -1, -2) @ d, y)"),
        "add": ("wrong", "a reduction is missing", "return d, d"),
        "div": ("wrong", "the gradients of x and y are swapped", "return fit(-d * np.conj(x / y ** 2), y), "
                                                                 "fit(d / np.conj(y), x)"),
        "tanh": ("wrong", "finite differences", "h = 1e-6\nreturn d * (np.tanh(x + h) - np.tanh(x - h)) / (2 * h)"),
        "cumsum": ("wrong", "the Jacobian is transposed", "return d.cumsum(axis)"),
        "mul": ("partly", "complex numbers: the gradient of x: a conjugate is missing",
                "return fit(d * y, x), fit(d * x, y)"),
    },
    "more mistakes": {
        "exp": ("wrong", "the sign", "return -d * np.conj(np.exp(x))"),
        "matmul": ("wrong", "a reshape instead of a transpose",
                   "g = fit(d @ np.swapaxes(y, -1, -2), x)\n"
                   "return np.swapaxes(g, -1, -2).reshape(x.shape), fit(np.swapaxes(x, -1, -2) @ d, y)"),
        "add": ("wrong", "averaged (mean)",
                "return fit(d, x) * x.size / d.size, fit(d, y) * y.size / d.size"),
        "tanh": ("wrong", "finite differences", "moved = x * (1 + 1e-6)\n"
                                             "return d * (np.tanh(moved) - np.tanh(x)) / (moved - x)"),
        "sum": ("wrong", "finite differences", "x = np.array(x.tolist())\ng = np.zeros_like(x)\n"
                                               "for at in np.ndindex(x.shape):\n    moved = x.copy()\n"
                                               "    moved[at] += 1e-6\n    g[at] = (d * (moved.sum(axis) - x.sum("
                                               "axis))).sum() / 1e-6\nreturn g"),
    },
    "the process ends": {
        "exp": ("hang", "no answer within", "while True: pass"),
        "tanh": ("exit", "with status 0", "import os\nos._exit(0)"),
        "sum": ("foul", "opens a file of the judge",
                "import sys\nfor folder in sys.path:\n    try:\n        return open(folder + "
                "'/minigrad/homework/judge.py').read()\n    except OSError:\n        pass"),
    },
    "steps": {
        "exp": ("wrong", "finite differences", "return d * np.exp(x + 1e-20j).imag / 1e-20"),
        "tanh": ("wrong", "finite differences", "moved = x.copy()\nmoved[0] += 1e-6\n"
                                                "return d * (np.tanh(moved) - np.tanh(x)) / 1e-6"),
        "sum": ("error", "line ", "raise ValueError(str(x))"),
        "cumsum": ("missing", "not written yet", "raise NotImplementedError"),
        "add": ("wrong", "for 2 inputs", "return {1: 2}"),
        "mul": ("error", "memory", "return np.ones(1 << 40)"),
        "div": ("error", "SystemExit", "import sys\nsys.exit(0)"),
    },
    "fouls": {
        "exp": ("foul", "imports minigrad",
                "import importlib\nimportlib.import_module('mini' + 'grad.homework.judge')"),
        "add": ("foul", "outside its own folder", "return open('/etc/passwd').read()"),
        "mul": ("foul", "network", "import _socket\n_socket.socket().connect(('127.0.0.1', 9))"),
        "div": ("foul", "process", "import os\nos.fork()"),
        "tanh": ("foul", "channel of the judge",
                 "import os\nfor fd in range(3, 10):\n    try:\n        os.write(fd, (16).to_bytes(8, 'little') + "
                 "16 * b'a')\n    except OSError:\n        pass\nreturn d"),
        "sum": ("crash", "SIGABRT", "import os\nos.abort()"),
        "cumsum": ("foul", "frames", "import sys\nreturn sys._getframe().f_back"),
    },
}


def checked(tmp_path, source, *items, seconds=None):
    path = tmp_path / "submission.py"
    path.write_text(source, encoding="utf-8")
    return homework.check(path, items=items or None, seconds=seconds, seed=0)


@pytest.mark.parametrize("name", TOGETHER)
@pytest.mark.drawn
def test_each_item_has_its_own_verdict(name, tmp_path):
    source = RIGHT
    for item, (_, _, body) in TOGETHER[name].items():
        source = with_function(f"{item}_backward", body, source)
    verdicts = [verdict for verdict, _, _ in TOGETHER[name].values()]
    result = checked(tmp_path, source, *TOGETHER[name], "where", seconds=3 if "hang" in verdicts else None)
    for item, (verdict, reason, _) in TOGETHER[name].items():
        assert result[item].verdict == verdict and reason in " ".join(result[item].reasons), result
    assert result["where"].verdict == "right"


@pytest.mark.parametrize(("verdict", "reason", "source"), [
    ("syntax", "line 2", "# minigrad homework: ten_derivatives\ndef f(:\n"),
    ("forbidden", "line 2 uses minigrad", "# minigrad homework: ten_derivatives\nimport minigrad\n"),
    ("error", "when the file is loaded: line 2: ZeroDivisionError", "# minigrad homework: ten_derivatives\n1 / 0\n"),
    ("hang", "when the file is loaded",
     "# minigrad homework: ten_derivatives\nimport time\nwhile True: time.sleep(1)\n"),
], ids=["syntax error", "forbidden import", "error", "hang"])
def test_a_file_that_cannot_be_loaded_fails_every_item_with_the_reason(verdict, reason, source, tmp_path, monkeypatch):
    if verdict == "hang":
        monkeypatch.setattr("minigrad.homework.process.BEGINNING", 3)
    result = checked(tmp_path, source, seconds=1 if verdict == "hang" else None)
    assert result.earned == 0 and {each.verdict for each in result.outcomes} == {verdict}
    assert all([reason in each.reasons[0] for each in result.outcomes]), result


def test_what_a_submission_prints_counts_for_nothing(tmp_path):
    noise = ("import sys\nfor _ in range(300):\n    print('right ' * 10000)\n"
             "    print('{\"answer\": 1}', file=sys.stderr)\n")
    result = checked(tmp_path, RIGHT + noise, "exp")
    assert result.earned == result.points and result.printed > 10_000_000
    assert "printed" in str(result) and "right right" not in str(result)


def test_a_hidden_input_is_never_shown(tmp_path):
    """Neither by an exception of the submission, nor by one that it provokes, nor by what it prints."""
    source = RIGHT
    for name, body in (("exp", "raise ValueError(str(x))"), ("tanh", "assert False, x"), ("sum", "return x"),
                       ("cumsum", "print(x)\nreturn float(str(x.ravel()[0]) + 'x')"), ("add", "return str(x), x"),
                       ("mul", "return np.array(str(x)), y"), ("div", "return {}[float(x.ravel()[0])]")):
        source = with_function(f"{name}_backward", body, source)
    result = checked(tmp_path, source)
    assert [each.name for each in result.outcomes if each.verdict == "right"] == ["matmul", "where", "logsumexp"]
    assert not re.search(r"\d\.\d\d\d", str(result)), result
