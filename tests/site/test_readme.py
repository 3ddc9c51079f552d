"""What the README shows is what one gets: its examples are run, its commands and links exist."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import minigrad
from minigrad.error_pages.executing import UpToTheCode

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)


def test_the_examples_print_what_they_say():
    examples = blocks("pycon")
    assert examples
    for example in examples:
        test = doctest.DocTestParser().get_doctest(example, {}, "README.md", "README.md", 0)
        assert doctest.DocTestRunner(UpToTheCode()).run(test) == (0, len(test.examples))


def test_a_command_prints_what_it_says():
    shown = [block.split("\n", 1) for block in blocks("console") if block.startswith("$ python -c")]
    assert shown
    for command, output in shown:
        program, environment = shlex.split(command)[-1], {**os.environ, "PYTHONIOENCODING": "utf-8"}
        ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True,
                             encoding="utf-8", check=True)
        assert ran.stdout == output


def test_the_first_example_is_ten_lines():
    assert len([line for line in blocks("pycon")[0].splitlines() if line.startswith(">>>")]) <= 10


def test_every_make_target_exists():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    code = "\n".join([*blocks("console"), *re.findall(r"`([^`\n]+)`", README)])
    named = set(re.findall(r"^(?:\$ )?make ([a-z]+)", code, flags=re.MULTILINE))
    assert {"tutorials", "test"} <= named <= targets


def test_every_link_leads_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


def test_the_names_that_it_tells_of_are_there():
    assert minigrad.__version__
    assert callable(minigrad.as_torch)
