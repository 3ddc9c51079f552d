"""`python -m minigrad doctor`: a sound machine passes, and a wrong derivative is found."""

import json
import re
from pathlib import Path

import pytest

from minigrad import __main__, doctor

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "doctor.rst"


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


# ------------------------------------------------------------------------------ the page that says how to read it


def labels(text):
    """(section, label, kind of value) of each line: figures differ from machine to machine, and so do names."""
    found, section = [], None
    for line in text.splitlines():
        label, _, value = line.strip().rpartition(": ") if ": " in line else (line.strip().rstrip(":"), "", "")
        if not line.startswith(" "):
            section = label
        figure = re.fullmatch(r"\d+(\.\d+)?", value)
        found.append((section, label, value if section == "checks" else "a figure" if figure else "a text"))
    return found


@pytest.fixture
def sample():
    """What the page shows."""
    block = re.search(r"   \$ python -m minigrad doctor\n((?:   .*\n)+)", PAGE.read_text(encoding="utf-8")).group(1)
    return labels("".join(line[3:] for line in block.splitlines(keepends=True)))


def test_the_page_shows_what_is_printed(sample, capsys):
    """Each line of the page is printed, in its order; of what is printed, the page leaves out some checks only."""
    __main__.main(["doctor"])
    printed = labels(capsys.readouterr().out)
    assert sample == [each for each in printed if each in sample]
    assert {section for section, label, kind in printed if (section, label, kind) not in sample} == {"checks"}


def test_the_page_says_how_to_read_each_section(sample):
    text = PAGE.read_text(encoding="utf-8")
    for section in {section for section, _, _ in sample}:
        assert f"\n**{section}** " in text
