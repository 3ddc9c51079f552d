"""A warning names the line of the user's program, however deep in minigrad it is given."""

import re
import warnings
from pathlib import Path

import pytest

import minigrad
from minigrad.func.rules import apply
from minigrad.nn import functional as F

PACKAGE = Path(minigrad.__file__).parent


class Forgetful(minigrad.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.kept = x
        return x * 1

    @staticmethod
    def backward(ctx, d):
        return d


def through_a_hook():
    x = minigrad.ones(2, requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: y.grad)           # the hook's line, not that of backward
    y.sum().backward()


CASES = {
    "grad of a non-leaf": lambda: (minigrad.ones(2, requires_grad=True) * 2).grad,
    "in a hook": through_a_hook,
    "a parameter of an operation": lambda: F.softmax(minigrad.ones(2)),
    "a method": lambda: minigrad.ones(1).var(),
    "an index": lambda: minigrad.ones(2)[minigrad.ones(2, dtype=minigrad.uint8)],
    "creation": lambda: minigrad.tensor(minigrad.ones(2)),
    "out=": lambda: minigrad.add(minigrad.ones(2), 1, out=minigrad.ones(3)),
    "create_graph": lambda: minigrad.ones(2, requires_grad=True).sum().backward(create_graph=True),
    "anomaly mode": lambda: minigrad.autograd.detect_anomaly(),
    "a Function": lambda: type("Fresh", (Forgetful,), {}).apply(minigrad.ones(2, requires_grad=True)),
    "vmap": lambda: apply._said.clear() or minigrad.vmap(lambda x: x.histc(2))(minigrad.ones(2, 3)),
}


@pytest.mark.parametrize("given", CASES)
def test_it_names_the_users_line(given):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        CASES[given]()
    assert caught, "no warning"
    lines = Path(__file__).read_text().splitlines()
    for each in caught:
        assert each.filename == __file__
        assert "lambda" in lines[each.lineno - 1] or "create_graph" in lines[each.lineno - 1]


def test_at_the_top_of_a_script():
    code = compile("import minigrad\ny = minigrad.ones(2, requires_grad=True) * 2\ny.grad\n", "script.py", "exec")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        exec(code, {"__name__": "__main__"})
    assert [(each.filename, each.lineno) for each in caught] == [("script.py", 3)]


def test_once_for_each_line_as_python_does_it():
    y = minigrad.ones(2, requires_grad=True) * 2
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(3):
            y.grad
        y.grad
    assert len(caught) == 2


def test_no_file_counts_frames_of_its_own():
    for path in [*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.pyx")]:
        if path.name != "errors.py":
            assert not re.search(r"warnings\.warn\(|\bstacklevel=", path.read_text()), path
