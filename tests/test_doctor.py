"""`python -m minigrad doctor`: a sound machine passes, and a wrong derivative is found."""

import json
import re

import pytest

from minigrad import __main__, doctor


def test_a_sound_machine(capsys):
    assert __main__.main(["doctor", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["checks"].values()) == {"OK"}
    assert all(speed > 0 for speed in found["speed"].values())
    assert set(found["installed"]) == {"minigrad", "built with", "Python", "NumPy", "BLAS", "platform", "threads"}
    assert re.match(r"(GCC|.*Clang) .*\d+\.\d+.* -O[13] ", found["installed"]["built with"])


@pytest.mark.parametrize("name", list(doctor._SAMPLE))
def test_a_wrong_derivative_is_found(monkeypatch, capsys, name):
    right = doctor._SAMPLE[name]
    monkeypatch.setitem(doctor._SAMPLE, name, lambda x: right(x) + right(x.detach()))
    assert __main__.main(["doctor"]) == 1
    assert f"gradient of {name}: GradcheckError" in capsys.readouterr().out


def test_an_unknown_option(capsys):
    assert __main__.main(["doctor", "--fast"]) == 2
    assert "--json" in capsys.readouterr().err
