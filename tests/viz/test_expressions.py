"""Expressions that somebody types: what they compute, what is refused and how, and the command that plays them."""

import subprocess
import sys
import webbrowser
from pathlib import Path

import numpy as np
import pytest

import minigrad as torch
from minigrad import __main__ as command
from minigrad.viz import play_expression


def gradients(expression, **values):
    player = play_expression(expression, values)
    return {step.leaf: step.after.array.tolist() for step in player.steps if step.leaf}


@pytest.mark.parametrize("expression, values", [
    ("sin(x) * y + x", {"x": 1.0, "y": 2.0}),
    ("torch.exp(-x ** 2 / 2) / sqrt(2 * pi * y)", {"x": 0.5, "y": 2.0}),
    ("(x @ y.T).sum() - x.mean()", {"x": [[1.0, 2.0]], "y": [[3.0, 4.0], [5.0, 6.0]]}),
    ("F.softmax(x, dim=0)[1] + relu(x)[-1]", {"x": [1.0, -2.0, 0.5]}),
    ("where(x > y, x * y, x / y)", {"x": 3.0, "y": 2.0}),
    ("cat([x, y[1:]]).prod() + +stack((x, y)).max()", {"x": [1.0, 2.0], "y": [3.0, 4.0]}),
    ("(x * (1 + 2j)).abs() + (y * 1j).imag", {"x": 1.0, "y": 2.0}),
])
def test_an_expression_is_what_python_computes(expression, values):
    leaves = {name: torch.tensor(value, requires_grad=True) for name, value in values.items()}
    names = {**torch.__dict__, "torch": torch, "F": torch.nn.functional, "pi": np.pi, "relu": torch.relu, **leaves}
    eval(expression, names).backward()
    assert gradients(expression, **values) == {name: leaf.grad.tolist() for name, leaf in leaves.items()}


def test_integers_are_numbers_and_tensors_are_taken_as_they_are():
    fixed, double = torch.tensor(3.0), torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    assert gradients("x * x * c", x=2, c=fixed) == {"x": 12.0}
    assert gradients("x * x", x=double) == {"x": 4.0} and double.grad is None


def test_names_in_the_player():
    player = play_expression(" sin( x )*y ", {"x": 1, "y": 2})
    assert str(player).startswith("Backward pass from sin(x) * y\n    gradient of sin(x) * y = 1.")
    assert {step.leaf for step in player.steps} - {""} == {"x", "y"}
    assert play_expression("x * x", {"x": 1}, ask=True).ask and not player.ask


@pytest.mark.parametrize("expression, values, words", [
    ("sine(x)", {"x": 1}, "there is no function 'sine'; did you mean 'sin'"),
    ("ln(x)", {"x": 1}, "there is no function 'ln'; did you mean 'log'"),
    ("x ^ 2", {"x": 1}, "a power is written x ** 2"),
    ("x +", {"x": 1}, "'x +' is not an expression of Python"),
    ("x * y", {"x": 1}, "y has no value; give it one"),
    ("x * x", {"x": 1, "y": 2}, "y was given a value, and 'x * x' does not mention it"),
    ("x * exp", {"x": 1}, "exp is a function, and is called with its arguments"),
    ("x * 2", {"x": [1, 2]}, "has the shape (2,), and a backward pass begins at a single number; write sum(x * 2)"),
    ("x", {"x": 1}, "a variable alone"),
    ("3 * 4", {}, "depends on no variable"),
    ("x * 9.0 ** 9 ** 9", {"x": 1}, "a number in the expression cannot be computed"),
    ("x / (1 - 1) + 1 / 0", {"x": 1}, "division by zero"),
    ("-" * 900 + "x", {"x": 1}, "nested too deeply"),
    ("x" * 1001, {"x": 1}, "1001 characters"),
    ("x * 1", {"x": [[1, 2], [3]]}, "rows of different lengths"),
    ("x * 1", {"x y": 1}, "cannot be the name of a variable"),
    ("1 < x < 2", {"x": 1}, "a comparison has two sides"),
    ("sum(*x)", {"x": 1}, "has a star"),
    ("x * pi.T", {"x": 1}, "'pi' in 'pi.T' is not a tensor"),
    ("x * 2[0]", {"x": 1}, "'2' in '2[0]' has no entries"),
])
def test_mistakes_are_told(expression, values, words):
    with pytest.raises(RuntimeError) as caught:
        play_expression(expression, values)
    assert words in str(caught.value)
    assert caught.value.code == "MG204" and str(caught.value).startswith("viz.play_expression(): ")


@pytest.mark.parametrize("expression, values", [(3, {}), ("x", {"x": "1"}), ("x", {"x": True}), ("x", {"x": []})])
def test_values_of_a_wrong_type(expression, values):
    with pytest.raises(TypeError) as caught:
        play_expression(expression, values)
    assert caught.value.code == "MG205"


@pytest.mark.parametrize("expression", [
    "__import__('os').system('true')", "x.__class__.__mro__", "x.data", "x.grad_fn", "().__class__", "open('a')",
    "torch.load('a')", "torch.utils", "x.backward()", "x.register_hook(x)", "x.sin_()", "x.numpy()", "(lambda: x)()",
    "[x for x in x]", "x if x else x", "f'{x}'", "(y := x)", "sin.__globals__", "x.sin.__self__", "'a' * 10",
    "[x] * 1000000000", "x.save('a')", "set_default_dtype(x)", "manual_seed(0)", "x and x", "{1: x}", "{x}",
    "await_(x)", "eval('1')", "__builtins__", "x.__getattribute__('data')",
])
def test_nothing_else_is_reached(expression):
    with pytest.raises((RuntimeError, TypeError)) as caught:
        play_expression(expression, {"x": 1.0})
    assert caught.value.code in ("MG204", "MG205")


# ------------------------------------------------------------------------------ the command

def test_play_writes_a_page_and_opens_it(monkeypatch, capsys):
    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    assert command.main(["play", "sin(x) * y + sum(z)", "x=1", "y=2.5", "z=[1, 2]"]) == 0
    path = capsys.readouterr().out.strip()
    assert opened == [Path(path).as_uri()]
    with open(path, encoding="utf-8") as page:
        text = page.read()
    assert "Backward pass from sin(x) * y + sum(z)" in text and "data-ask" not in text


def test_play_saves_asks_and_makes_slides(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(webbrowser, "open", lambda url: pytest.fail("it opened a page"))
    path = tmp_path / "page.html"
    assert command.main(["play", "--ask", "x * x", "x=3", "--slides", "--save", str(path)]) == 0
    text = path.read_text(encoding="utf-8")
    assert capsys.readouterr().out.strip() == str(path) and "data-ask" in text and "mgp-sheets" in text


@pytest.mark.parametrize("arguments, words", [
    ([], "play what? Write an expression."), (["sine(x)", "x=1"], "there is no function 'sine'"),
    (["x * x", "x"], "'x' gives no variable a value"), (["x * x", "x=one"], "the value of x must be a number"),
    (["x * x", "x={[]: 1}"], "the value of x must be a number"),
    (["x * x", "x=3", "--fast"], "there is no option --fast"), (["x * x", "x=3", "--save"], "--save needs a file"),
    (["--ask"], "an expression is missing"), (["x * x", "x=3", "--save", "pass.gif"], "saved as .html"),
])
def test_what_play_cannot_do(arguments, words, monkeypatch, capsys):
    monkeypatch.setattr(webbrowser, "open", lambda url: pytest.fail("it opened a page"))
    assert command.main(["play", *arguments]) == 2
    said = capsys.readouterr()
    assert words in said.err and said.out == ""


def test_the_command_line_itself(tmp_path):
    path = tmp_path / "page.html"
    run = subprocess.run([sys.executable, "-m", "minigrad", "play", "x * x", "x=3", "--save", str(path)],
                         capture_output=True, text=True, timeout=120)
    assert run.returncode == 0 and run.stderr == "" and path.exists()
