"""Each assignment: a right solution gets all points, the starter none, and a faulty solution loses the right ones."""

import ast
import re
from pathlib import Path

import pytest

from minigrad import homework

SOLUTIONS = Path(__file__).parent / "solutions"
POINTS = {"scalar_engine": 15, "ten_derivatives": 30, "own_function": 14, "in_place": 14, "checkpointing": 15,
          "forward_mode": 18, "newton": 16, "classifier": 16, "grade_the_tests": 20}


def solution(name):
    return (SOLUTIONS / f"{name}.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", homework.names())
@pytest.mark.drawn
def test_a_right_solution_gets_all_points(name):
    result = homework.check(SOLUTIONS / f"{name}.py")
    assert result.earned == result.points == POINTS[name], result
    assert {each.verdict for each in result.outcomes} == {"right"} and result.assignment.name == name


@pytest.mark.parametrize("name", [name for name in homework.names() if name != "grade_the_tests"])
@pytest.mark.drawn
def test_the_starter_runs_and_gets_nothing(name, tmp_path):
    path = tmp_path / "anything.py"
    path.write_text(homework.find(name).started(), encoding="utf-8")
    result = homework.check(path)
    assert result.earned == 0 and {each.verdict for each in result.outcomes} == {"missing"}, result


@pytest.mark.parametrize("name", homework.names())
def test_a_starter_asks_for_what_the_solution_defines(name):
    def defined(source):
        return {node.name for node in ast.parse(source).body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}

    assert name == "grade_the_tests" or defined(homework.find(name).started()) <= defined(solution(name))
    assert all([len(line) <= 110 for line in homework.find(name).starter.splitlines()])


def test_the_starter_of_the_tests_gets_what_its_one_test_catches(tmp_path):
    path = tmp_path / "tests.py"
    path.write_text(homework.find("grade_the_tests").started(), encoding="utf-8")
    result = homework.check(path, items=["fault_1", "fault_2"])
    assert [each.earned for each in result.outcomes] == [1, 0] and result["fault_2"].reasons == ["no test fails"]


#: assignment, what is replaced by what in the solution, the items to check and the one that is not right, its verdict,
#: its points, and a part of the reason
FAULTS = {
    "paths instead of values": (
        "scalar_engine", "elif id(value) not in seen:", "else:", "work", "hang", 0, "no answer"),
    "a gradient that is replaced": (
        "scalar_engine", "value.grad += d", "value.grad = d", "accumulation", "wrong", 0, "0.5 times"),
    "a slope of tanh": ("scalar_engine", "1 - t * t", "1 - t", "operations", "partly", 3.5, "tanh"),
    "not differentiable twice": (
        "own_function", "x, y = ctx.saved_tensors", "x, y = [each.detach() for each in ctx.saved_tensors]",
        "second_derivative", "wrong", 0, "no gradient arrives"),
    "saved on the side": (
        "own_function", ("ctx.save_for_backward(x, y)", "x, y = ctx.saved_tensors"),
        ("ctx.saved = x, y", "x, y = ctx.saved"), "manners", "partly", 1, "overwritten"),
    "a gradient nobody needs": (
        "own_function", "if needed else None", "if True else None", "manners", "partly", 1, "does not require grad"),
    "a complex power": ("own_function", ").conj(), None", "), None", "power", "partly", 2, "conjugate"),
    "a view with its own counter": (
        "in_place", "self.array[index], self.counter)", "self.array[index])", "sharing", "partly", 1, "version 3"),
    "not marked dirty": ("in_place", "ctx.mark_dirty(x)", "pass", "clip", "partly", 3, "ctx.mark_dirty"),
    "no checkpoint at all": (
        "checkpointing", "    with saved_tensors_hooks(pack, unpack):\n        return function(x)",
        "    return function(x)", "memory", "wrong", 0, "percent of the memory"),
    "a second run for each tensor": (
        "checkpointing", "if not again:", "if again.clear() is None:", "calls", "partly", 1, "times: run it once"),
    "hooks that stay": ("checkpointing", "handle.remove()", "pass", "hooks", "partly", 2, "a hook is still there"),
    "the quotient rule": (
        "forward_mode", "- value * other.tangent", "+ value * other.tangent", "operations", "partly", 8, "the sign"),
    "two calls": ("forward_mode", "y = f(Dual(x, v))", "f(Dual(x, v))\n    y = f(Dual(x, v))", "whole", "partly", 3,
                  "one call"),
    "a difference of gradients": (
        "newton", "def hvp(f, x, v):\n", "def hvp(f, x, v):\n    g = [torch.autograd.grad(f(y), y)[0] for y in ("
        "(x + 1e-6 * v).requires_grad_(), (x - 1e-6 * v).requires_grad_())]\n    return (g[0] - g[1]) / 2e-6\n",
        "costs", "wrong", 0, "finite differences"),
    "a line search": (
        "newton", "        x = x - conjugate_gradient(product, slope.detach(), len(x))\n",
        "        p = conjugate_gradient(product, slope.detach(), len(x))\n"
        "        x = min([x.detach() - t * p for t in (1, 0.5, 0.25)], key=lambda x: f(x).item())\n",
        "minimizing", "wrong", 0, "a secant or a line search looks at others"),
    "a step too short": ("newton", "x = x - conj", "x = x - 0.5 * conj", "minimizing", "wrong", 0, "one step"),
    "a sum for a mean": ("classifier", "    d /= len(labels)\n", "", "gradients", "wrong", 0, "a constant factor"),
    "a linear classifier": ("classifier", "hidden = np.tanh(x @ w1 + b1)", "hidden = x @ w1 + b1", "nonlinear",
                            "wrong", 0, "percent of new points"),
    "a test that fails always": (
        "grade_the_tests", "def test_sums():\n", "def test_sums():\n    assert False\n", "fault_1", "wrong", 0,
        "on the right table no test may fail, and test_sums does"),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.drawn
def test_a_fault_costs_the_right_item(fault, tmp_path):
    name, right, wrong, item, verdict, earned, reason = FAULTS[fault]
    source = solution(name)
    for old, new in zip([right], [wrong]) if isinstance(right, str) else zip(right, wrong):
        assert source.count(old) == 1
        source = source.replace(old, new)
    path = tmp_path / "faulty.py"
    path.write_text(source, encoding="utf-8")
    found = homework.check(path, items=[item], seconds=3 if verdict == "hang" else None)[item]
    assert found.verdict == verdict and reason in " ".join(found.reasons), found.reasons
    assert earned is None or found.earned == earned, found.reasons


def test_a_pass_by_recursion_is_told_of_loops(tmp_path):
    path = tmp_path / "recursive.py"
    whole = solution("scalar_engine")
    start, end = whole.index("        order, seen, waiting"), whole.index("        flowing = ")
    path.write_text(whole[:start] + """\
        order, seen = [], set()

        def visit(value):
            if id(value) not in seen:
                seen.add(id(value))
                for each, _ in value.inputs:
                    visit(each)
                order.append(value)

        visit(self)
""" + whole[end:])
    result = homework.check(path)
    reasons = [reason for outcome in result.outcomes for reason in outcome.reasons]
    assert len(reasons) == 1 and "RecursionError" in reasons[0] and "a loop has no such limit" in reasons[0]


def test_forbidden_names_are_caught_under_other_names(tmp_path):
    path = tmp_path / "faulty.py"
    path.write_text(solution("own_function").replace(
        "x, = ctx.saved_tensors", "x, = ctx.saved_tensors\n        import minigrad\n"
        "        getattr(minigrad.autograd, 'gr' + 'ad')(x.sum(), x)"))
    result = homework.check(path, items=["power", "values"])
    assert result["power"].verdict == "foul" and "calls autograd.grad" in result["power"].reasons[0]
    assert result["values"].verdict == "right"


def test_a_submission_may_look_at_all_names(tmp_path):
    """Modules load the rest of their names then: all but the judge."""
    path = tmp_path / "newton.py"
    path.write_text("import minigrad as torch\nfrom minigrad import *\nfrom minigrad.nn import *\n"
                    "from builtins import range\n"                 # PyTorch's hides it, too
                    "assert 'vmap' in dir(torch) and 'homework' not in vars(torch)\n" + solution("newton"))
    result = homework.check(path, "newton")
    assert result.earned == result.points, str(result)


@pytest.mark.parametrize("found", ["vars(vars(torch)['func'])['hes' 'sian']", "getattr(torch.func, 'hes' 'sian')"])
def test_what_is_loaded_late_is_forbidden_too(found, tmp_path):
    path = tmp_path / "newton.py"
    path.write_text("import minigrad as torch\n"
                    f"{found}(lambda x: (x * x).sum())(torch.ones(2))\n")
    result = homework.check(path, "newton")
    assert {each.verdict for each in result.outcomes} == {"foul"}
    assert "calls func.hessian" in result.outcomes[0].reasons[0]


def test_no_assignment_knows_a_square_or_symmetric_shape():
    """A transposed gradient has another shape, so that it can be told from the right one."""
    for name in homework.names():
        text = (Path(homework.__file__).parent / "assignments" / f"{name}.py").read_text(encoding="utf-8")
        assert not re.search(r"judge\.draw\((\d), \1[,)]", text)
