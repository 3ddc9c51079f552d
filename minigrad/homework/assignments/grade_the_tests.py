"""Grade the tests: students write tests of derivatives, and the judge plants wrong ones in the table."""

from minigrad.homework.spec import Assignment, Wrong

STARTER = '''
"""Tests of derivatives.

Each function whose name begins with test_ is a test: it raises an error (a failed assert, for example) if
a derivative is wrong. The judge runs your tests on the right table of derivatives, where all of them must
pass, and then on tables with one wrong derivative each. Your score is what you catch.

What may be wrong: the derivatives of mul, div, $exp, tanh, $sigmoid, sqrt, $log, abs, sum over dims, cumsum,
mm, and the second derivatives that follow from them. Half of the points are for what random numbers do not
show: think of kinks, of small and large numbers, of inputs that are equal, of dims of size 1, of empty ones.
"""

import minigrad as torch


def test_$exp():
    x = torch.tensor([0.5, 1.0], requires_grad=True)
    x.$exp().sum().backward()
    assert torch.allclose(x.grad, x.$slope())
'''

#: the rows that vary, with the formula that is planted in each
EXP = {"exp": "lambda d, result: 2 * d * result", "sinh": "lambda d, self: 2 * d * cosh(self)",
       "cosh": "lambda d, self: 2 * d * sinh(self)", "expm1": "lambda d, result: 2 * d * (result + 1)"}
SIGMOID = {"sigmoid": "lambda d, result: d * result", "atan": "lambda d, self: d / (self * self)",
           "asinh": "lambda d, self: d * rsqrt(self * self)"}
LOG = {"log": "lambda d, self: d / (self + 0.1 * (self > 30))",
       "log2": "lambda d, self: d / (math.log(2) * (self + 0.1 * (self > 30)))",
       "log10": "lambda d, self: d / (math.log(10) * (self + 0.3 * (self > 30)))",
       "log1p": "lambda d, self: d / (self + 1 + 0.1 * (self > 30))"}
SLOPES = {"exp": "exp", "sinh": "cosh", "cosh": "sinh", "expm1": "exp"}

homework = Assignment("Grade the tests", starter=STARTER, seconds=60, forbidden=("minigrad.ops", "ROWS", "plant"),
                      varies={"exp": tuple([{"exp": name, "slope": SLOPES[name]} for name in EXP]),
                              "sigmoid": tuple(SIGMOID), "log": tuple(LOG)})

#: what is wrong, the row of the table, the input, and the formula that is planted there
FAULTS = (
    ("a factor", "exp", "self", EXP),
    ("a sign", "div", "other", "lambda d, self, other: d * self / (other * other)"),
    ("an input that is left out", "mul", "self", "lambda d, other: d + 0 * other"),
    ("a square that is missing", "tanh", "self", "lambda d, result: d * (1 - result)"),
    ("a term that is missing", "sigmoid", "self", SIGMOID),
    ("the second input of a product of matrices", "mm", "mat2", "lambda d, self: 2 * mm(adjoint(self), d)"),
    ("a sum over some dims", "sum.dim_IntList", "self",
     "lambda d, self_shape, dim, keepdim: 0.5 * expand_reduced(d, self_shape, dim, keepdim)"),
    ("a running total in the wrong direction", "cumsum", "self", "lambda d, dim: cumsum(d, dim)"),
    ("a conjugate that is missing", "mm", "self", "lambda d, mat2: mm(d, mat2.t())"),
    ("a second derivative", "tanh_backward", "result", "lambda d, grad_output, result: 2 * d * grad_output * result"),
    ("small numbers", "sqrt", "self", "lambda d, result: d / (2 * result + 0.1 * (result < 0.05))"),
    ("large numbers", "log", "self", LOG),
    ("at its kink", "abs", "self", "lambda d, self: d * (sgn(self) + (abs(self) <= 0))"),
    ("a number divided by itself", "div", "other",
     "lambda d, self, other: -d * self / (other * other) * (1 + (abs(self - other) <= 0))"),
    ("dims of size 1", "sum.dim_IntList", "self",
     "lambda d, self_shape, dim, keepdim: expand_reduced(d, self_shape, dim, keepdim) * (1 + (1 in self_shape))"),
    ("a matrix with one column", "mm", "self", "lambda d, mat2: mm(d, adjoint(mat2)) * (1 + (mat2.shape[1] == 1))"),
    ("an empty matrix", "mm", "mat2", "lambda d, self: mm(adjoint(self), d) if self.shape[0] else mm(self, d)"),
)
#: what each fault is worth: one point for what gradcheck finds at random points, and as much for the others together
POINTS = 10 * (1,) + (1, 1, 2, 2, 2, 1, 1)


def failing(submission, row, of, formula, order):
    """The names of the tests that fail, on the right table and on one with a fault; in this order, or the other."""
    def names(faulty):
        if faulty:
            plant(row, of, formula)
        found = []
        try:
            fresh = again()             # what the file has computed on the right table is of no use
        except Exception:
            return ["the file"]
        for name, test in sorted(vars(fresh).items()):
            if name.startswith("test_") and callable(test):
                try:
                    test()
                except Exception:
                    found.append(name)
        return found

    first, second = apart(names, order), apart(names, not order)
    return (second, first) if order else (first, second)


def fault(number, what, row, of, formulas):
    """An item; with several formulas, {row: formula}, the row is that of the variant."""
    varied = isinstance(formulas, dict)

    def item(judge):
        planted = judge.variant[row] if varied else row
        formula = formulas[planted] if varied else formulas
        right, faulty = judge.run(failing, planted, of, formula, bool(judge.random.integers(2)))
        if right is None or right:              # once is enough for all items
            judge.kept["refused"] = ("on the right table no test may fail, and "
                                     + (f"{', '.join(right)} does" if right else "yours end the process"))
        if "refused" in judge.kept:
            raise Wrong(judge.kept["refused"])
        judge.require(faulty or faulty is None, "no test fails")

    item.__name__ = f"fault_{number}"
    homework.item(POINTS[number - 1], f"{'$' * varied}{row.partition('.')[0].removesuffix('_backward')}: {what}")(item)


for _number, _fault in enumerate(FAULTS, 1):
    fault(_number, *_fault)
