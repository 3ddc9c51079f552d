"""Grade the tests: students write tests of derivatives, and the judge plants wrong ones in the table."""

from minigrad.homework.spec import Assignment

STARTER = '''
"""Tests of derivatives.

Each function whose name begins with test_ is a test: it raises an error (a failed assert, for example) if
a derivative is wrong. The judge runs your tests on the right table of derivatives, where all of them must
pass, and then on tables with one wrong derivative each. Your score is what you catch.

What may be wrong: the derivatives of mul, div, $tie, $exp, tanh, $sigmoid, $small, $log, $kink,
$reduction over dims, cumsum, mm, and $overwrite, which works in place; the second derivatives that follow
from them; and what is said of a result of $kept that was saved for the backward pass, and then overwritten.
Half of the points are for what random numbers do not show: think of kinks, of small and large numbers, of
inputs that are equal, of dims of size 1, of empty ones, of writes in place.
"""

import minigrad as torch


def test_$exp():
    x = torch.tensor([0.5, 1.0], requires_grad=True)
    x.$exp().sum().backward()
    assert torch.allclose(x.grad, x.$slope())
'''

# Formulas to plant, where `wrong` is 1 for the fault, and 0 for a right derivative that is only written otherwise.  So
# a test that looks at how a formula is made fails on the right table.

EXP = {"exp": "lambda d, result: (1 + wrong) * d * result", "sinh": "lambda d, self: (1 + wrong) * d * cosh(self)",
       "cosh": "lambda d, self: (1 + wrong) * d * sinh(self)",
       "expm1": "lambda d, result: (1 + wrong) * d * (result + 1)"}
SIGMOID = {"sigmoid": "lambda d, result: 1 * (sigmoid_backward(d, result), d * result)[wrong]",
           "atan": "lambda d, self: d / ((1 - wrong) + self * self)",
           "asinh": "lambda d, self: d / (1 * (hypotenuse(self), self * self)[wrong])"}
SMALL = {"sqrt": "lambda d, result: d / (2 * result) * (1 + wrong * (abs(result) < 0.05))",
         "rsqrt": "lambda d, result: -0.5 * d * (result * result * result) * (1 + wrong * (abs(result) > 20))",
         "reciprocal": "lambda d, result: -d * result * result * (1 + wrong * (abs(result) > 400))"}
LOG = {name: f"lambda d, self: d / {divisor} * (1 + wrong * (abs(self) > 30))" for name, divisor in (
    ("log", "self"), ("log2", "(self * math.log(2))"), ("log10", "(self * math.log(10))"), ("log1p", "(self + 1)"))}
KINK = {"abs": "lambda d, self: d * (sgn(self) + wrong * (abs(self) <= 0))",
        "leaky_relu": "lambda d, self, negative_slope: "
                      "d * (leaky_relu_slope(self, negative_slope) + wrong * (abs(self) <= 0))",
        "relu6": "lambda d, self: 1 * (hardtanh_backward(d, self, 0, 6), d * (self > 0) * (self <= 6))[wrong]"}
TIE = {"div": "lambda d, self, other: -d * (self / other) / other * (1 + wrong * (abs(self - other) <= 0))",
       "atan2": "lambda d, self, other: over_square(-d, self, other) * (1 + wrong * (abs(self - other) <= 0))",
       "logaddexp": "lambda d, self, other: d * sigmoid(other - self) * (1 + wrong * (abs(self - other) <= 0))"}
SUM = {"sum": ("sum.dim_IntList",
               "lambda d, self_shape, dim, keepdim: {} * expand_reduced(d, self_shape, dim, keepdim)"),
       "mean": ("mean.dim", "lambda d, self_shape, dim, keepdim: {} * mean_backward(d, self_shape, dim, keepdim)")}
HALF = {name: (row, formula.format("(1 - 0.5 * wrong)")) for name, (row, formula) in SUM.items()}
ONE = {name: (row, formula.format("(1 + wrong * (1 in self_shape))")) for name, (row, formula) in SUM.items()}
WRITTEN = "lambda d: 1 * (zeros_of(d), d)[wrong]"
OVERWRITE = {"copy_": ("copy", WRITTEN), "zero_": ("zero", WRITTEN), "fill_": ("fill.Scalar", WRITTEN)}
#: rows that save their results, whose formulas stay as they are
KEPT = {name: (name, "") for name in ("tanh", "tan", "sqrt", "sigmoid")}
SLOPES = {"exp": "exp", "sinh": "cosh", "cosh": "sinh", "expm1": "exp"}

homework = Assignment("Grade the tests", starter=STARTER, seconds=60, forbidden=("minigrad.ops", "ROWS", "plant"),
                      varies={"exp": tuple([{"exp": name, "slope": SLOPES[name]} for name in EXP]),
                              "sigmoid": tuple(SIGMOID), "log": tuple(LOG), "small": tuple(SMALL),
                              "kink": tuple(KINK), "tie": tuple(TIE), "reduction": tuple(SUM),
                              "overwrite": tuple(OVERWRITE), "kept": tuple(KEPT)})

#: what is wrong, the row of the table or the part of the variant that names it, the input, and what is planted there
FAULTS = (
    ("a factor", "exp", "self", EXP),
    ("a sign", "div", "other", "lambda d, self, other: (2 * wrong - 1) * d * (self / other) / other"),
    ("an input that is left out", "mul", "self", "lambda d, other: d * ((1 - wrong) * other + wrong)"),
    ("a square that is missing", "tanh", "self",
     "lambda d, result: 1 * (tanh_backward(d, result), d * (1 - result))[wrong]"),
    ("a term that is missing", "sigmoid", "self", SIGMOID),
    ("the second input of a product of matrices", "mm", "mat2", "lambda d, self: (1 + wrong) * mm(adjoint(self), d)"),
    ("a part of the gradient is missing", "reduction", "self", HALF),
    ("a running total in the wrong direction", "cumsum", "self",
     "lambda d, dim: 1 * (reverse_cumsum(d, dim), cumsum(d, dim))[wrong]"),
    ("a conjugate that is missing", "mm", "self", "lambda d, mat2: 1 * mm(d, (adjoint(mat2), mat2.t())[wrong])"),
    ("a second derivative", "tanh_backward", "result", "lambda t, d, result: (4 * wrong - 2) * t * d * result"),
    ("small numbers", "small", "self", SMALL),
    ("large numbers", "log", "self", LOG),
    ("at its kink", "kink", "self", KINK),
    ("two inputs that are equal", "tie", "other", TIE),
    ("dims of size 1", "reduction", "self", ONE),
    ("a matrix with one column", "mm", "self",
     "lambda d, mat2: mm(d, adjoint(mat2)) * (1 + wrong * (mat2.shape[1] == 1))"),
    ("an empty matrix", "mm", "mat2",
     "lambda d, self: 1 * (mm(adjoint(self), d) if self.shape[0] or not wrong else mm(self, d))"),
    ("in place", "overwrite", "self", OVERWRITE),
    ("a saved result that is overwritten", "kept", "", KEPT),
)
#: what each fault is worth: one point for what gradcheck finds at random points, and as much for the others together
POINTS = 18 * (1,) + (2,)


def failing(submission, row, of, formula, order):
    """The names of the tests that fail, on the right table and on one with a fault; in this order, or the other.

    ``formula`` is a formula for each of these tables.  Without a row nothing is planted, and one table is enough.
    """
    def names(wrong):
        if row and of:
            plant(row, of, formula[wrong])
        elif row:
            unguard(row, wrong)
        found = []
        try:
            fresh = again()             # what the file has computed on the right table is of no use
        except Exception:
            return ["the file"]
        for name, test in sorted(vars(fresh).items()):
            if name.startswith("test_") and callable(test):
                try:
                    test()
                except Exception as failure:
                    if of or "saved tensor hooks" not in str(failure):      # which are what `unguard` works with
                        found.append(name)
        return found

    first, second = apart(names, order), apart(names, 1 - order) if row else None
    return (second, first) if order else (first, second)


#: what is said of the right table names no test: a name could tell what the test has seen there
OTHERWISE = ("on the right table no test may fail, and one of yours does, or ends the process, where a formula is only "
             "written otherwise, or at times: with minigrad as it is, all of them pass")


def untouched(judge):
    """Raise `Wrong` if a test fails with minigrad as it is, as it does for everyone; tried once, before anything is
    planted, for all items."""
    if "untouched" not in judge.kept:
        found, _ = judge.run(failing, "", "self", "", 0)
        judge.kept["untouched"] = "" if found == [] else (
            "on the right table no test may fail, and " + ("yours end the process" if found is None else
                                                           f"{', '.join(found)} does"))
    judge.require(not judge.kept["untouched"], judge.kept["untouched"])


def written_otherwise(judge, formula):
    """The right formula and the wrong one, each multiplied by one, up to three times: no graph is that of the table."""
    head, _, body = formula.partition(": ")
    return [f"{head}: {'1 * (' * (n := int(judge.random.integers(1, 4)))}{body}{')' * n}".replace("wrong", wrong)
            for wrong in "01"]


def fault(number, what, row, of, formulas):
    """An item; of several formulas, {operation: formula or (row, formula)}, it takes the one of the variant."""
    varied = isinstance(formulas, dict)

    def item(judge):
        untouched(judge)
        planted, formula = judge.variant[row] if varied else row, formulas
        if varied:
            found = formulas[planted]
            planted, formula = found if isinstance(found, tuple) else (planted, found)
        right, faulty = judge.run(failing, planted, of, written_otherwise(judge, formula),
                                  int(judge.random.integers(2)))
        if right is None or right:              # once is enough for all items
            judge.kept["refused"] = OTHERWISE
        judge.require("refused" not in judge.kept, judge.kept.get("refused"))
        judge.require(faulty or faulty is None, "no test fails")

    item.__name__ = f"fault_{number}"
    homework.item(POINTS[number - 1], f"{'$' * varied}{row.removesuffix('_backward')}: {what}")(item)


for _number, _fault in enumerate(FAULTS, 1):
    fault(_number, *_fault)
