"""The checked build is run by ``make checked``; here is what can be said of it without building."""

import ast
import re
import types

from .__main__ import NAMES, ROOT, TESTS, none_of, sanitizer
from .planted import MISTAKES, SOURCE
from .share import MANY, SHARE, is_chosen, pytest_collection_modifyitems


def test_a_compiler_without_sanitizers_is_noticed():
    assert sanitizer(["false"]) is None and sanitizer(["/no/such/compiler"]) is None
    assert sanitizer(["echo"]) is None          # what a compiler says that does not know the library


def test_each_mistake_calls_what_is_planted():
    for mistake in MISTAKES:
        called = ast.parse(mistake.code).body[0].value.func
        assert f"\ndef {called.attr}(" in SOURCE and mistake.caught


def test_what_is_left_out_is_an_expression_of_pytest():
    assert none_of({"slow": "", "parity": ""}) == "not slow and not parity"


def test_each_test_that_is_left_out_exists():
    tests = ROOT / "tests"
    defined = {node.name for name in TESTS for path in (tests / name).rglob("test_*.py")
               for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.FunctionDef)}
    assert set(NAMES) <= defined


def test_a_fifth_of_many_cases_is_run_and_all_of_a_few(monkeypatch):
    monkeypatch.setenv("MINIGRAD_CHECKED_SEED", "3")
    names = [f"test_a.py::test_{which}[{case}]" for which, count in [("few", MANY), ("many", 8 * MANY)]
             for case in range(count)]
    items, left_out = [types.SimpleNamespace(nodeid=name) for name in names], []
    hook = types.SimpleNamespace(pytest_deselected=lambda items: left_out.extend(items))
    pytest_collection_modifyitems(types.SimpleNamespace(hook=hook), items)
    assert sorted(item.nodeid for item in items + left_out) == sorted(names)
    assert sum("few" in item.nodeid for item in items) == MANY
    assert abs(sum("many" in item.nodeid for item in items) / (8 * MANY) - SHARE) < 0.05


def test_many_runs_meet_every_case():
    assert all(any(is_chosen(f"test_a.py::test_b[{case}]", seed) for seed in range(60)) for case in range(1000))


def test_every_branch_of_a_condition_in_c_defines_the_same_macros():
    """What is compiled on other machines, and under the sanitizers, is seldom compiled here."""
    for path in sorted((ROOT / "minigrad" / "_core").rglob("*")):
        if path.suffix not in (".h", ".pyx", ".pxd"):
            continue
        open_conditions = []
        for line in path.read_text(encoding="utf-8").splitlines():
            found = re.match(r"\s*#(ifn?def|if|elif|else|endif|define)\b\W*(\w*)", line)
            if found is None:
                continue
            word, name = found.groups()
            if word in ("if", "ifdef", "ifndef"):
                open_conditions.append([set()])
            elif word == "endif":
                branches = open_conditions.pop()
                assert len(branches) == 1 or all([each == branches[0] for each in branches]), (path.name, branches)
            elif word == "define":
                if open_conditions and name not in {"NOMINMAX", "WIN32_LEAN_AND_MEAN"}:     # switches of windows.h
                    open_conditions[-1][-1].add(name)
            else:
                open_conditions[-1].append(set())
