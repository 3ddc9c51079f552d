"""The checked build is run by ``make checked``; here is what can be said of it without building."""

import ast
import pathlib

from .__main__ import NAMES, TESTS, none_of, sanitizer
from .planted import MISTAKES, SOURCE


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
    tests = pathlib.Path(__file__).parent.parent
    defined = {node.name for name in TESTS for path in (tests / name).rglob("test_*.py")
               for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.FunctionDef)}
    assert set(NAMES) <= defined
