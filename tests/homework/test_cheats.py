"""Ways around the idea of an assignment, and what each is worth: docs/homework/judging.rst has the same table.

More of them are in the folder ``cheats``, one in each file: what differs from the published solution, and which items
have no points then.
"""

import ast
import re
from pathlib import Path

import pytest

from minigrad import homework

SOLUTIONS = Path(__file__).parent / "solutions"
FOLDER = Path(__file__).parent / "cheats"
FILES = sorted([path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.py")])
PAGE = Path(__file__).resolve().parents[2] / "docs" / "homework" / "judging.rst"

EIGHTH = """
C = (4 / 5, -1 / 5, 4 / 105, -1 / 280)


def slope(f, x, h=0.02):
    return sum(c * (f(x + k * h) - f(x - k * h)) for k, c in enumerate(C, 1)) / h
"""
NEAREST = """
STORED = []


def train(x, labels, classes, seed):
    STORED[:] = x, labels
    return [np.zeros((x.shape[1], 5)), np.zeros(5), np.zeros((5, classes)), np.zeros(classes)]


def predict(parameters, x):
    return STORED[1][((x[:, None] - STORED[0]) ** 2).sum(-1).argmin(1)]
"""
RANDOM_LAYER = """
def train(x, labels, classes, seed):
    random = np.random.default_rng(seed)
    w1, b1 = random.normal(size=(x.shape[1], 60)), random.normal(size=60)
    h = np.c_[np.tanh(x @ w1 + b1), np.ones(len(x))]
    w = 20 * np.linalg.lstsq(h, np.eye(classes)[labels], rcond=None)[0]
    return [w1, b1, w[:-1], w[-1]]
"""
FORWARD = """
class Value:
    def __init__(self, data, slopes=None):
        self.data, self.grad = data, 0.0
        self.slopes = {**(slopes or {}), self: 1.0}

    def made(self, data, *pairs):
        slopes = {}
        for value, s in pairs:
            for each, t in value.slopes.items():
                slopes[each] = slopes.get(each, 0.0) + s * t
        return Value(data, slopes)

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return self.made(self.data + other.data, (self, 1.0), (other, 1.0))

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return self.made(self.data * other.data, (self, other.data), (other, self.data))

    def __pow__(self, n):
        return self.made(self.data ** n, (self, n * self.data ** (n - 1)))

    def exp(self):
        return self.made(e := math.exp(self.data), (self, e))

    def tanh(self):
        return self.made(t := math.tanh(self.data), (self, 1 - t * t))

    def backward(self):
        for each, s in self.slopes.items():
            each.grad += s

    __radd__, __rmul__ = __add__, __mul__
    __neg__ = lambda self: self * -1
    __sub__ = lambda self, other: self + -other
    __rsub__ = lambda self, other: -self + other
    __truediv__ = lambda self, other: self * (other ** -1 if isinstance(other, Value) else 1 / other)
"""
KEPT = """
STORE = []


def checkpoint(function, x):
    again = []

    def pack(tensor):
        STORE.append(bytes(tensor.detach().numpy()))
        return len(STORE) - 1, tensor.shape

    def unpack(packed):
        if not again:
            again.append(function(x.detach()))
        number, shape = packed
        return torch.tensor(np.frombuffer(STORE[number]).reshape(shape).copy())

    with saved_tensors_hooks(pack, unpack):
        return function(x)


import numpy as np
"""
DIFFERENCES = """
def hvp(f, x, v):
    def gradient(y):
        y = y.detach().requires_grad_()
        return torch.autograd.grad(f(y), y)[0]

    return slope(lambda t: gradient(x + t * v), 0.0)
"""
FORMED = """
def hvp(f, x, v):
    x = x.detach().requires_grad_()
    g, = torch.autograd.grad(f(x), x, create_graph=True)
    rows = [torch.autograd.grad(each, x, retain_graph=True)[0].reshape(-1) for each in g.reshape(-1)]
    return (torch.stack(rows) @ v.reshape(-1)).reshape(v.shape)
"""
INVERTED = """
def conjugate_gradient(product, b, steps):
    n = len(b)
    rows = torch.stack([product(e) for e in torch.eye(n, dtype=b.dtype)]).numpy()
    return torch.tensor(getattr(np.linalg, "sol" "ve")(rows, b.numpy()))


import numpy as np
"""
EVOLVED = """
def train(x, labels, classes, seed):
    random = np.random.default_rng(seed)
    found = [random.normal(size=(x.shape[1], 12)), random.normal(size=12), np.zeros((12, classes)), np.zeros(classes)]
    least, size = loss(found, x, labels), 0.3
    for _ in range(4000):
        tried = [p + size * random.normal(size=p.shape) for p in found]
        if (now := loss(tried, x, labels)) < least:
            least, found, size = now, tried, 1.5 * size
        else:
            size = max(0.93 * size, 1e-3)
    return found
"""
RESIDUAL = """
def conjugate_gradient(product, b, steps):
    basis, images = [b / (b @ b).sqrt()], []
    for _ in range(steps):
        images.append(product(basis[-1]))
        w = images[-1]
        for v in basis + basis:
            w = w - (v @ w) * v
        basis.append(w / max((w @ w).sqrt().item(), 1e-300))
    weights = np.linalg.lstsq(torch.stack(images, 1).numpy(), b.numpy(), rcond=None)[0]
    return torch.stack(basis[:steps], 1) @ torch.tensor(weights)


import numpy as np
"""
COUNTED = """
class Versioned:
    def __init__(self, array, base=None):
        self.array, self.base, self.first = array, base or self, array.copy()

    @property
    def version(self):
        return int((self.base.array != self.base.first).sum())

    def write(self, index, value):
        self.array[index] = value

    def view(self, index):
        return Versioned(self.array[index], self.base)

    def copy(self):
        return Versioned(self.array.copy())
"""
EXCHANGED = """
class Clip(Function):
    @staticmethod
    def forward(ctx, x, bound):
        ctx.save_for_backward(x <= bound)
        ctx.mark_dirty(x)
        x.data = x.detach().masked_fill(x > bound, bound)
        return x

    @staticmethod
    def backward(ctx, d):
        kept, = ctx.saved_tensors
        return d * kept, None
"""
IDLE = """
class Clip(Function):
    @staticmethod
    def forward(ctx, x, bound):
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, d):
        return d, None
"""
GRAPH = """
class Distance(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return (x * x + y * y).sqrt()

    @staticmethod
    def backward(ctx, d):
        x, y = [each.detach().requires_grad_() for each in ctx.saved_tensors]
        with getattr(torch, "enable_" + "grad")():
            (x * x + y * y).sqrt().sum().backward()
        return d * x.grad, d * y.grad


import minigrad as torch
"""
EXPRESSION = """
class Distance(Function):
    forward = staticmethod(lambda ctx, x, y: (x * x + y * y).sqrt())
    backward = staticmethod(lambda ctx, d: (None, None))
    apply = staticmethod(lambda x, y: (x * x + y * y).sqrt())
"""
LOOP = """
def test_all():
    for f, *sizes in ((torch.exp, (2, 3)), (torch.tanh, (2, 3)), (torch.sigmoid, (2, 3)), (torch.abs, (2, 3)),
                      (torch.mul, (2, 3), (3,)), (torch.div, (2, 3), (3,)), (torch.mm, (2, 3), (3, 4)),
                      (lambda x: x.sum(1), (2, 3)), (lambda x: x.cumsum(1), (2, 3))):
        for is_complex in (False, True):
            if not (is_complex and f in (torch.abs, torch.sigmoid)):
                inputs = tuple([numbers(*size, complex=is_complex) for size in sizes])
                assert gradcheck(f, inputs) and gradgradcheck(f, inputs)
"""
#: of tests that know no derivative: they compare with what was computed when the file was loaded
FINGERPRINT = """
def slopes():
    x = torch.linspace(0.1, 2, 6, dtype=torch.float64).requires_grad_()
    return [torch.autograd.grad(getattr(x, name)().sum(), x)[0].tolist()
            for name in ("exp", "tanh", "sigmoid", "abs", "sqrt", "log")]


FIRST = slopes()


def test_all():
    assert slopes() == FIRST
"""
WRITTEN = FINGERPRINT.replace("FIRST = slopes()\n", "").replace("slopes() == FIRST", "kept() == slopes()") + """

def kept():
    if not os.path.exists("kept"):
        with open("kept", "w") as file:
            json.dump(slopes(), file)
    with open("kept") as file:
        return json.load(file)


import json
import os
"""
#: of tests that know how many operations the right gradients consist of
SIZES = """
def operations(node):
    return 1 + sum([operations(each) for each, _ in node.next_functions if each is not None])


def sizes():
    gradients = []
    for name in ("exp", "tanh", "sigmoid", "abs"):
        x = numbers(3)
        gradients += torch.autograd.grad(getattr(x, name)().sum(), x, create_graph=True)
    return [operations(each.grad_fn) for each in gradients]
"""
ADDRESSES = """
def test_all():
    for row in vars(vars(torch)["op" "s"])["exports"].__dict__["RO" "WS"].values():
        for formula in getattr(row, "formulas", ()):
            assert getattr(formula.text, "__co" "de__").co_filename.endswith(".py")
"""


def without(source, *names):
    """The source without these functions and classes of its top level."""
    for name in names:
        source, count = re.subn(rf"^(?:@.*\n)*(?:def|class) {name}\b.*\n(?:(?:[ )].*)?\n)*", "", source,
                                flags=re.MULTILINE)
        assert count == 1, name
    return source


def only(name):
    """Of a solution, what is above its first test."""
    source = (SOLUTIONS / f"{name}.py").read_text(encoding="utf-8")
    return source[:source.index("def test_")]


def measured():
    """Tests that compare the sizes of graphs with those of the right table."""
    space = {}
    exec(only("grade_the_tests") + SIZES, space)
    return only("grade_the_tests") + SIZES + f"\n\ndef test_sizes():\n    assert sizes() == {space['sizes']()}\n"


def changed(name, new):
    """The solution with other functions and classes in place of those of the same name."""
    source = (SOLUTIONS / f"{name}.py").read_text(encoding="utf-8")
    defined = re.findall(r"^(?:def|class) (\w+)", new, re.MULTILINE)
    return without(source, *[each for each in defined if re.search(rf"^(?:def|class) {each}\b", source, re.MULTILINE)]
                   ) + "\n\n" + new


def kept(name):
    """One of the files in the folder ``cheats``, which the page has in its table, too."""
    return changed(name.partition("/")[0], (FOLDER / f"{name}.py").read_text(encoding="utf-8"))


#: idea -> assignment, items that lose points, the most that they have together, of how many, and the source
CHEATS = {
    "differences of eighth order": ("ten_derivatives", "exp tanh", 0, 6, lambda: changed("ten_derivatives", EIGHTH + """
def exp_backward(d, x):
    return d * np.conj(slope(np.exp, x))


def tanh_backward(d, x):
    return d * np.conj(slope(np.tanh, x))
""")),
    "a complex step": ("ten_derivatives", "exp", 1, 3, lambda: changed("ten_derivatives", """
def exp_backward(d, x):
    return d * (np.exp(x + 1e-30j).imag / 1e-30 if x.dtype.kind == "f" else np.conj(np.exp(x)))
""")),
    "unit vectors for a linear operation": ("ten_derivatives", "sum cumsum", 0, 6,
                                            lambda: changed("ten_derivatives", """
def sum_backward(d, x, axis):
    units = np.eye(x.size).reshape(x.size, *x.shape)
    return np.array([(np.asarray(each.sum(axis)) * d).sum() for each in units]).reshape(x.shape)


def cumsum_backward(d, x, axis):
    units = np.eye(x.size).reshape(x.size, *x.shape)
    return np.array([(each.cumsum(axis) * d).sum() for each in units]).reshape(x.shape)
""")),
    "unit vectors along the axis": ("ten_derivatives", "sum matmul", 0, 6, lambda: kept("ten_derivatives/axis_1")),
    "differences of a value on the way": ("ten_derivatives", "div exp tanh logsumexp", 0, 12,
                                          lambda: kept("ten_derivatives/neighbours_1")),
    "a stored table": ("ten_derivatives", "tanh", 1, 3, lambda: changed("ten_derivatives", """
TABLE = np.polynomial.Chebyshev.interpolate(np.tanh, 300, [-6, 6]).deriv()


def tanh_backward(d, x):
    return d * (TABLE(x) if x.dtype.kind == "f" else np.conj(1 - np.tanh(x) ** 2))
""")),
    "forward mode in a dict": ("scalar_engine", "operations reuse expressions accumulation work depth", 0, 15,
                               lambda: "# minigrad homework: scalar_engine\nimport math\n\n" + FORWARD),
    "a deeper stack": ("scalar_engine", "depth", 0, 2, lambda: changed("scalar_engine", "").replace(
        "    def backward(self):\n", """\
    def backward(self):
        import sys
        sys.setrecursionlimit(10 ** 6)
        seen, order = set(), []

        def visit(value):
            if id(value) not in seen:
                seen.add(id(value))
                for each, _ in value.inputs:
                    visit(each)
                order.append(value)

        visit(self)
""")),
    "another apply": ("own_function", "derivative second_derivative", 0, 7,
                      lambda: changed("own_function", EXPRESSION)),
    "the graph of the forward pass": ("own_function", "derivative second_derivative", 0, 7,
                                      lambda: changed("own_function", GRAPH)),
    "a module around the library's vjp": ("own_function", "derivative second_derivative power", 0, 11,
                                          lambda: kept("own_function/callback_1")),
    "differences of tensors": ("own_function", "power", 0, 4, lambda: changed("own_function", EIGHTH + """
class Power(Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.save_for_backward(x)
        ctx.n = n
        return x ** n

    @staticmethod
    def backward(ctx, d):
        x, = ctx.saved_tensors
        return d * slope(lambda t: t ** ctx.n, x, 0.2).conj(), None
""")),
    "a circle around x": ("own_function", "power", 0, 4, lambda: kept("own_function/circle_1")),
    "the version counter of a tensor": ("in_place", "counting sharing guarding", 0, 8,
                                        lambda: kept("in_place/library_5")),
    "contents in place of versions": ("in_place", "guarding", 1, 3, lambda: changed("in_place", """
class Saved:
    def __init__(self, versioned):
        self.versioned, self.before = versioned, versioned.array.copy()

    def unpack(self):
        if (self.versioned.array != self.before).any():
            raise RuntimeError("changed")
        return self.versioned.array
""")),
    "a version is how many entries differ": ("in_place", "counting sharing guarding", 2, 8,
                                             lambda: changed("in_place", COUNTED)),
    "nothing is written, and that is declared": ("in_place", "clip", 0, 6, lambda: changed("in_place", IDLE)),
    "memory that is exchanged": ("in_place", "clip", 3, 6, lambda: changed("in_place", EXCHANGED)),
    "everything is kept as bytes": ("checkpointing", "gradient calls memory sequences", 0, 11,
                                    lambda: changed("checkpointing", KEPT)),
    "a partial of the library's checkpoint": ("checkpointing", "gradient calls memory sequences", 0, 11,
                                              lambda: kept("checkpointing/callback_1")),
    "differences in a dual number": ("forward_mode", "whole", 0, 4, lambda: changed("forward_mode", EIGHTH + """
def jvp(f, x, v):
    return f(Dual(x, v)).value, slope(lambda t: f(Dual(x + t * v, v)).value, 0.0)
""")),
    "differences of gradients": ("newton", "products costs", 0, 7, lambda: changed("newton", EIGHTH + DIFFERENCES)),
    "the whole Hessian": ("newton", "products costs", 0, 7, lambda: changed("newton", FORMED)),
    "rows of the Hessian, thrown away one by one": ("newton", "products costs", 0, 7,
                                                    lambda: kept("newton/rows_1")),
    "the matrix, solved": ("newton", "solving", 0, 4, lambda: changed("newton", INVERTED)),
    "the smallest residual": ("newton", "solving", 0, 4, lambda: changed("newton", RESIDUAL)),
    "the nearest stored point": ("classifier", "separable nonlinear", 0, 7, lambda: changed("classifier", NEAREST)),
    "weights that are changed at random": ("classifier", "separable nonlinear", 0, 7,
                                           lambda: changed("classifier", EVOLVED)),
    "a random layer and least squares": ("classifier", "separable nonlinear", 0, 7,
                                         lambda: changed("classifier", RANDOM_LAYER)),
    "one loop of gradcheck": ("grade_the_tests", None, 10, 20, lambda: only("grade_the_tests") + LOOP),
    "a fingerprint of the right table": ("grade_the_tests", None, 0, 20, lambda: only("grade_the_tests") + FINGERPRINT),
    "a fingerprint in a file": ("grade_the_tests", None, 0, 20, lambda: only("grade_the_tests") + WRITTEN),
    "the size of a formula": ("grade_the_tests", None, 0, 20, measured),
    "where a formula comes from": ("grade_the_tests", None, 0, 20, lambda: only("grade_the_tests") + ADDRESSES),
    "a test that fails at times": ("grade_the_tests", None, 4, 20, lambda: only("grade_the_tests") + (
        "\nimport os\n\n\ndef test_all():\n    assert os.urandom(1)[0] < 128\n")),
}


@pytest.mark.parametrize("idea", CHEATS)
@pytest.mark.drawn
def test_a_way_around_the_idea_has_the_points_of_its_honest_part(idea, tmp_path):
    name, items, most, _, source = CHEATS[idea]
    path = tmp_path / "submission.py"
    path.write_text(source(), encoding="utf-8")
    result = homework.check(path, name, items=items and items.split(), seconds=4)
    assert result.earned <= most, result
    assert all([outcome.reasons for outcome in result.outcomes if outcome.earned < outcome.points])


def test_each_assignment_is_evaded():
    assert {name.partition("/")[0] for name in FILES} == {*homework.names()} and len(FILES) >= 130


@pytest.mark.parametrize("name", FILES)
@pytest.mark.drawn
def test_what_is_evaded_has_no_points(name, tmp_path):
    source, assignment = (FOLDER / name).read_text(encoding="utf-8"), name.partition("/")[0]
    items = ast.get_docstring(ast.parse(source)).rpartition("Without points: ")[2].removesuffix(".")
    path = tmp_path / "submission.py"
    path.write_text(only(assignment) + source if assignment == "grade_the_tests" else changed(assignment, source),
                    encoding="utf-8")
    result = homework.check(path, assignment, items=None if items == "everything" else items.split(", "))
    assert result.earned == 0 and all([outcome.reasons for outcome in result.outcomes]), str(result)
    assert not re.search(r"\d\.\d{5}", str(result)), "no reason has the numbers of a point"


SHIFTED = {
    "exp": ("[(self, e)]", "[(self, (math.exp(self.data + 1) - math.exp(self.data - 1)) / (2 * math.sinh(1)))]"),
    "square": ("[(self, exponent * self.data ** (exponent - 1))]",
               "[(self, ((self.data + 1.5) ** exponent - (self.data - 1.5) ** exponent) / 3)]"),
    "*": ("[(self, other.data), (other, self.data)]",
          "[(self, (self.data + 1) * other.data - self.data * other.data), "
          "(other, self.data * (other.data + 1) - self.data * other.data)]"),
}


@pytest.mark.parametrize("name", SHIFTED)
@pytest.mark.drawn
def test_an_exact_difference_of_numbers_is_noticed_for_each_operation(name, tmp_path):
    """Operations of one number, too, get enough of them that all are moved."""
    path, source = tmp_path / "submission.py", (SOLUTIONS / "scalar_engine.py").read_text(encoding="utf-8")
    assert SHIFTED[name][0] in source
    path.write_text(source.replace(*SHIFTED[name]), encoding="utf-8")
    outcome, = homework.check(path, "scalar_engine", items=["operations"]).outcomes
    assert any([f"{name}: finite differences" in reason for reason in outcome.reasons]), outcome


@pytest.mark.drawn
def test_the_difference_of_two_sums_is_not_a_tangent(tmp_path):
    path = tmp_path / "submission.py"
    path.write_text((SOLUTIONS / "forward_mode.py").read_text(encoding="utf-8") + """

def difference(self, axis=None):
    value = self.value.sum(axis)
    return Dual(value, (self.value + self.tangent).sum(axis) - value)


Dual.sum = difference
""", encoding="utf-8")
    outcome, = homework.check(path, "forward_mode", items=["operations"]).outcomes
    assert outcome.earned == 8 and all(["much smaller than the values" in each for each in outcome.reasons]), outcome


@pytest.mark.drawn
def test_no_reason_tells_a_name_that_is_made_on_a_planted_table(tmp_path):
    """Such a name could say what its test has seen, of which the next submission could make use."""
    source, known = only("grade_the_tests") + (FOLDER / "grade_the_tests/names_1.py").read_text(encoding="utf-8"), {}
    exec(source, known)
    plain = {name.removeprefix("test_") for name in known if name.startswith("test_")}
    path = tmp_path / "submission.py"
    for names, told in ((set(), plain), (plain, set())):
        path.write_text(source.replace("KNOWN = set()", f"KNOWN = {names or 'set()'}"), encoding="utf-8")
        result = homework.check(path, "grade_the_tests", items=["fault_2", "fault_4", "fault_13"])
        assert result.earned == 0 and {*re.findall("test_([a-z0-9_]+)", str(result))} == told, str(result)


def test_the_page_lists_them():
    rows = re.findall(r"^   \* - (\w+)\n     - (.+)\n     - (.+)\n     - (\d+) of (\d+)$",
                      PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    known = {idea: (name, most, of) for idea, (name, _, most, of, _) in CHEATS.items()}
    assert {idea: (name, int(most), int(of)) for name, _, idea, most, of in rows} == known
