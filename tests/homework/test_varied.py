"""What varies in the assignments: each variant can be solved, and the published solution loses what varies."""

import ast
import re
from pathlib import Path

import pytest

from minigrad import homework
from minigrad.homework import variants

SOLUTIONS = Path(__file__).parent / "solutions"
#: in terms of x, with a prefix for the functions
SLOPES = {"exp": "{0}exp(x)", "sinh": "{0}cosh(x)", "cosh": "{0}sinh(x)", "expm1": "{0}exp(x)", "log": "1 / x",
          "sqrt": "0.5 / {0}sqrt(x)", "tanh": "1 - {0}tanh(x) * {0}tanh(x)", "sin": "{0}cos(x)", "cos": "-{0}sin(x)",
          "tan": "1 + {0}tan(x) ** 2", "atan": "1 / (1 + x * x)"}
SUMS = {"x.sum(axis)": "1", "x.mean(axis)": "1 / x.shape[axis]", "2 * x.sum(axis)": "2",
        "3 * x.mean(axis)": "3 / x.shape[axis]"}
TOTALS = {"x.cumsum(axis)": "{}", "2 * x.cumsum(axis)": "2 * {}", "-x.cumsum(axis)": "-{}",
          "x.cumsum(axis) / 3": "{} / 3"}
ADDED = {"x + y": (1, 1), "x - y": (1, -1), "2 * x + y": (2, 1), "x - 3 * y": (1, -3), "2 * x - y": (2, -1)}
BLOCKS = {"function(x)": "{}", "x + function(x)": "x + {}", "x - function(x)": "x - {}",
          "2 * x + function(x)": "2 * x + {}", "x - 2 * function(x)": "x - 2 * {}"}
HIDDEN = {"tanh": ("np.tanh({})", "1 - hidden ** 2"), "atan": ("np.arctan({})", "1 / (1 + np.tan(hidden) ** 2)"),
          "sin": ("np.sin({})", "np.cos(x @ w1 + b1)"), "asinh": ("np.arcsinh({})", "1 / np.cosh(hidden)"),
          "sigmoid": ("1 / (1 + np.exp(-({})))", "hidden * (1 - hidden)")}


def engine(given):
    for name in ("exp", "tanh"):
        yield (rf"def {name}\(self\):\n        .*", f"def {given[name]}(self):\n        x = self.data\n        return "
               f"Value(math.{given[name]}(x), [(self, {SLOPES[given[name]].format('math.')})])")


def rows(given):
    a, b = ADDED[given["add"]]
    yield r"return fit\(d, x\), fit\(d, y\)", f"return fit({a} * d, x), fit({b} * d, y)"
    for name in ("exp", "tanh"):
        yield (rf"def {name}_backward\(d, x\):\n    .*",
               f"def {given[name]}_backward(d, x):\n    return d * np.conj({SLOPES[given[name]].format('np.')})")
    yield r"np.broadcast_to\(np.expand_dims\(d, axis\), x.shape\)", rf"\g<0> * ({SUMS[given['sum']]})"
    yield r"(?<=return )np.flip\(np.flip\(d, axis\).cumsum\(axis\), axis\)", TOTALS[given["cumsum"]].format(r"\g<0>")


def function(given):
    p, q, r = [given[name] for name in "pqr"]
    yield r"\(x \* x \+ y \* y\).sqrt\(\)", f"({p} * x * x + {q} * x * y + {r} * y * y).sqrt()"
    yield r"zip\(\(x, y\), ctx", f"zip(({p} * x + {q} * y / 2, {r} * y + {q} * x / 2), ctx"


def clip(given):
    kept, changed = ("<=", ">") if given["side"] == "larger" else (">=", "<")
    yield r"x <= bound", f"x {kept} bound"
    yield r"masked_fill_\(x > bound, bound\)", f"masked_fill_(x {changed} bound, {given['target']})"
    yield r"counter or \[0\]", f"counter or [{given['first']}]"
    yield r"counter\[0\] \+= 1", f"counter[0] += {'1' if given['counted'] == 'writes' else 'self.array[index].size'}"
    yield r"def write\(", f"def {given['write']}("
    yield r"RuntimeError", given["error"]


def blocks(given):
    yield r"(?<=        return )function\(x\)", BLOCKS[given["block"]].format("function(x)")


def duals(given):
    for name in ("sin", "cos"):
        f = given[name]
        slope = SLOPES[f].format("").replace("atan(", "np.arctan(")
        yield (rf"    def {name}\(self\):\n        return .*", f"    def {f}(self):\n        x = self.value\n        "
               f"return Dual({'arctan' if f == 'atan' else f}(x), self.tangent * ({slope}))")
    helpers = "".join([f"def {name}(x):\n    return x.{method}() if isinstance(x, Dual) else np.{name}(x)\n\n\n"
                       for name, method in (("sinh", "sinh"), ("cosh", "cosh"), ("tanh", "tanh"), ("arctan", "atan"))])
    yield r"(?=class Dual)", helpers


def second_order(given):
    damping = given["damping"]
    yield r"(?<=return torch.autograd.grad\(slope, x, v\)\[0\])", f" + {damping} * v"
    yield r"(?<=retain_graph=True\)\[0\])", f" + {damping} * v"


def network(given):
    of, slope = HIDDEN[given["activation"].__name__]
    yield r"np.tanh\(x @ w1 \+ b1\)", of.format("x @ w1 + b1")
    yield r"\(1 - hidden \*\* 2\)", f"({slope})"


def suites(given):
    kink = {"abs": ("0.0", "x.abs()"), "leaky_relu": ("0.0", "torch.nn.functional.leaky_relu(x, 0)"),
            "relu6": ("6.0", "torch.nn.functional.relu6(x)")}[given["kink"]]
    yield r"torch.exp\b", f"torch.{given['exp']}"
    yield r"torch.sigmoid\b", f"torch.{given['sigmoid']}"
    yield r"torch.log\b", f"torch.{given['log']}"
    yield r"torch.sqrt\b", f"torch.{given['small']}"
    yield r"\[0.0, -2.0\](.*\n    )x.abs\(\)", rf"[{kink[0]}, -2.0]\1{kink[1]}"
    yield r"\[0, -1\]", "[0, -1]" if given["kink"] == "abs" else "[0, 0]"
    yield r"gradcheck\(torch.div, \(x", f"gradcheck(torch.{given['tie']}, (x"
    yield r"x.sum\(1\)", f"x.{given['reduction']}(1)"
    yield r"copy_\(.*\)", {"copy_": "copy_(torch.ones(3))", "fill_": "fill_(2)", "zero_": "zero_()"}[given["overwrite"]]
    yield r"torch.tanh\(", f"torch.{given['kept']}("


SOLVED = {"scalar_engine": engine, "ten_derivatives": rows, "own_function": function, "in_place": clip,
          "checkpointing": blocks, "forward_mode": duals, "newton": second_order, "classifier": network,
          "grade_the_tests": suites}
#: what the published solution loses at least, as the page for instructors says: {name: (points, of)}
LOST = {name: (int(points), int(of)) for name, points, of in re.findall(
    r"^   \* - (\w+)\n     - .+\n(?:       .+\n)*     - (\d+) of (\d+)$",
    (Path(__file__).resolve().parents[2] / "docs" / "homework" / "own_work.rst").read_text("utf-8"), re.MULTILINE)}


def published(name):
    return (SOLUTIONS / f"{name}.py").read_text(encoding="utf-8")


def solved(name, given):
    source = published(name)
    for pattern, text in SOLVED[name](given):
        source, count = re.subn(pattern, text, source)
        assert count, pattern
    return source


def each_choice(name):
    """Variants in which every choice of every part occurs, without the published ones."""
    varies = homework.find(name).varies
    for number in range(max([len(choices) for choices in varies.values()]) - 1):
        yield "".join(["abcdefghij"[1 + number % (len(choices) - 1)] for choices in varies.values()])


CASES = [(name, word) for name in homework.names() for word in each_choice(name)]


def handed_in(folder, name, word, source):
    """A file that is marked with a variant, as one that was drawn with a secret."""
    path = folder / f"{name}.py"
    path.write_text(source.replace(f"# minigrad homework: {name}\n", f"# minigrad homework: {name} variant {word} "
                                   f"sealed {16 * '0'} for ada\n"), encoding="utf-8")
    return path


@pytest.mark.parametrize("name, word", CASES)
@pytest.mark.drawn
def test_a_variant_can_be_solved(name, word, tmp_path):
    given = variants.Variant(homework.find(name).varies, word, "ada")
    result = homework.check(handed_in(tmp_path, name, word, solved(name, given)))
    assert result.earned == result.points and result.student == "ada", str(result)


#: by its letter, of the variant of running totals, times the totals of unit vectors, and as a formula
MATRICES = {"a": "1 * {}", "b": "2 * {}", "c": "-{}", "d": "{} / 3"}


@pytest.mark.parametrize("units", ["np.eye(n).cumsum(0).T", "np.tri(n)"])
@pytest.mark.parametrize("letter", MATRICES)
def test_of_each_running_total_the_matrix_is_a_formula_and_totals_of_unit_vectors_are_not(letter, units, tmp_path):
    word = "".join([letter if name == "cumsum" else "a" for name in homework.find("ten_derivatives").varies])
    start, _, end = published("ten_derivatives").partition("    return np.flip(np.flip(d, axis).cumsum(axis), axis)")
    source = start + f"""    n = x.shape[axis]
    matrix = {MATRICES[letter].format(units)}
    return np.moveaxis(np.moveaxis(d, axis, -1) @ matrix, -1, axis)""" + end
    path = handed_in(tmp_path, "ten_derivatives", word, source) if letter != "a" else tmp_path / "a.py"
    path.write_text(source if letter == "a" else path.read_text("utf-8"), encoding="utf-8")
    result = homework.check(path, items=["cumsum"])
    assert result.earned == (3 if "tri" in units else 0), str(result)


@pytest.mark.parametrize("name", homework.names())
@pytest.mark.drawn
def test_the_published_solution_loses_what_varies(name, tmp_path):
    word = next(each_choice(name))
    result = homework.check(handed_in(tmp_path, name, word, published(name)))
    lost, points = LOST[name]
    assert points == result.points and result.points - result.earned >= lost >= 0.15 * points, str(result)


def test_the_page_for_instructors_lists_all_assignments():
    assert list(LOST) == homework.names()


@pytest.mark.parametrize("name, word", CASES)
def test_a_starter_says_what_varies(name, word):
    found = homework.find(name)
    other = found.of(variants.Variant(found.varies, word, "ada"))
    ast.parse(other.starter)
    assert other.starter != found.starter and "$" not in other.starter + "".join([item.title for item in other.items])
    assert all([len(line) <= 110 for line in other.starter.splitlines()])
    assert [(item.name, item.points) for item in other.items] == [(item.name, item.points) for item in found.items]


@pytest.mark.parametrize("name", homework.names())
def test_each_assignment_has_several_variants(name):
    drawn = {tuple(homework.find(name).drawn_for(f"student {number}").variant.word) for number in range(60)}
    assert len(drawn) >= 4 and not any(["a" in word for word in drawn])
