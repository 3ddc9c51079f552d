"""Formulas on paper: every one of the table can be written, and what is written means what the engine computes."""

import ast
import cmath
import math
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from minigrad._core.dispatch.compute import on_arrays
from minigrad.notation.expressions import (Bar, Cases, Function, Infix, Item, Literal, Mark, Matmul, Name, Not, Number,
                                           Power, Product, Sum, negated, put_in)
from minigrad.notation.rows import conjugate, helpers, name_of, written
from minigrad.ops.exports import ROWS

FORMULAS = [pytest.param(op, formula, id=f"{op.name}-{formula.of}") for op in ROWS.values() if op.traceable
            for formula in op.formulas if formula.text is not None]

a, b, c = map(Name, "abc")
SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def as_python(text):
    """The text as an expression of Python: powers and marks spelled out."""
    text = text.replace("⁻¹", ".I").replace("ᵀ", ".T").replace("ᴴ", ".H").replace("π", "pi")
    found, power = "", ""
    for letter in text + " ":
        if letter in "⁰¹²³⁴⁵⁶⁷⁸⁹⁻":
            power += letter.translate(SUPERSCRIPT)
            continue
        found, power = found + (f"**({power})" if power else "") + letter, ""
    return found.strip()


# ------------------------------------------------------------------------------ all of them

@pytest.mark.parametrize("real", [True, False])
@pytest.mark.parametrize("op, formula", FORMULAS)
def test_every_formula_can_be_written(op, formula, real):
    expression = written(op, formula.of, real)
    ast.parse(as_python(expression.text()), mode="eval")
    ElementTree.fromstring(f"<math>{expression.mathml()}</math>")
    assert "Symbol" not in expression.text() and "<" not in expression.text().replace(" <", "")


def run(program, inputs):
    """The steps of a program on arrays: what the engine does, without the engine."""
    registers = [*inputs, *program.constants]
    for op, arguments in program.steps:
        registers.append(on_arrays(op, *[registers[i] for i in arguments]))
    return registers[program.result]


def functions():
    """What the names in a formula mean, on single numbers."""
    names = {name: op for name, op in ROWS.items()}
    names |= {op.shown: op for op in ROWS.values() if op.shown not in names}

    def on_numbers(op):
        return lambda *arguments: complex(
            on_arrays(op, *[np.asarray(x, x.dtype) if hasattr(x, "dtype") else x for x in arguments]))

    known = {name: on_numbers(op) for name, op in names.items() if op.elementwise}
    known |= {"ln": cmath.log, "sqrt": cmath.sqrt, "exp": cmath.exp, "pi": math.pi,
              "conj": lambda z: complex(z).conjugate()}
    known |= {name: getattr(cmath, name) for name in ("sin", "cos", "sinh", "cosh", "tanh")}
    known["div"] = lambda a, b, mode=None: known["div.mode"](a, b, mode) if mode else a / b
    return known


#: Parameters of operations that are not tensors; some have the same name as a tensor elsewhere.
PARAMETERS = {"alpha": 0.7, "value": 1.3, "weight": 0.25, "eps": 0.1, "order": 1, "n": 1, "exponent": 2.5,
              "threshold": 0.2, "negative_slope": 0.1,
              "scale": 1.1, "input_scale": 0.9, "beta": 1.5, "min_val": -1.0, "max_val": 1.0, "min": 0.1, "max": 0.9}
TENSORS = {"lerp.Tensor", "pow.Tensor_Tensor", "pow.Scalar", "times_log", "clamp.Tensor", "clamp_min.Tensor",
           "clamp_max.Tensor", "rises", "pow_tensor_slope"}

#: What has no derivative in closed form, and the order of a matrix, which is not a number like others.
NOT_EVALUATED = {"standard_gamma_grad-self", "standard_gamma_grad-output", "dirichlet_grad-x", "dirichlet_grad-alpha",
                 "dirichlet_grad-total", "gamma_density-self", "igamma-self", "igammac-self", "special_zeta-self",
                 "mvlgamma-self", "mvlgamma_derivative-self"}
EVALUATED = [param for param in FORMULAS if param.values[0].kind == "elementwise" and param.id not in NOT_EVALUATED]

#: What is not there for complex numbers.
REAL_ONLY = ("clamp", "nan_to_num", "maximum", "minimum", "fmax", "fmin", "halved", "xlogy", "deg2rad", "rad2deg",
             "remainder", "fmod", "weighted", "times_excess", "hardswish", "logit_loss")


def inputs_of(op, formula, number):
    """A value for each name in the formula."""
    found = {}
    found["d"] = np.asarray(number)
    for i, name in enumerate(formula.names, 1):
        if name in ("mask", "condition"):
            found[name_of(name).text()] = np.asarray(True)
        elif name in PARAMETERS and name in op.params and op.name not in TENSORS:
            found[name_of(name).text()] = PARAMETERS[name]
        else:
            found[name_of(name).text()] = np.asarray(number + 0.17 * i + (op.name == "acosh"))
    return found


@pytest.mark.parametrize("number", [0.4, 0.6 + 0.3j])
@pytest.mark.parametrize("op, formula", EVALUATED)
@pytest.mark.filterwarnings("ignore:Casting complex values")
def test_the_text_computes_the_same_as_the_row(op, formula, number):
    """The text, read as Python, gives the value of the program; of complex numbers, the conjugate of its value at
    conj(d)."""
    if isinstance(number, complex) and ("c" in op.refuse or op.name.startswith(REAL_ONLY)):
        pytest.skip("not for complex numbers")
    inputs = inputs_of(op, formula, number)
    turned = isinstance(number, complex) and op.conjugate
    given = {**inputs, "d": np.asarray(np.conj(inputs["d"]))} if turned else inputs
    try:
        expected = complex(run(op.program(formula.of),
                               [given["d"], *[given[name_of(name).text()] for name in formula.names]]))
    except (TypeError, RuntimeError) as refused:
        if isinstance(number, float):
            raise
        pytest.skip(f"not for complex numbers: {refused}")
    expected = expected.conjugate() if turned else expected
    assert cmath.isfinite(expected)
    text = as_python(written(op, formula.of, isinstance(number, float)).text())
    found = complex(eval(text, functions(),
                         {name: value[()] if isinstance(value, np.ndarray) else value
                          for name, value in inputs.items()}))
    assert cmath.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-12), text


def test_enough_of_them_are_evaluated():
    assert len(EVALUATED) > 100


# ------------------------------------------------------------------------------ some of them, word by word

@pytest.mark.parametrize("name, of, text, of_complex", [
    ("add", "self", "d", "d"),
    ("mul", "self", "d * other", "d * conj(other)"),
    ("div", "other", "-d * self / other²", "-d * conj(self) / conj(other)²"),
    ("tanh", "self", "d * (1 - result²)", "d * (1 - conj(result)²)"),
    ("exp2", "self", "d * result * ln(2)", "d * conj(result) * ln(2)"),
    ("asin", "self", "d / sqrt(1 - self²)", "d / conj(sqrt(1 - self²))"),
    ("erf", "self", "d * 2 * exp(-self²) / sqrt(π)", None),
    ("pow.Tensor_Scalar", "self", "d * exponent * self**(exponent - 1)", None),
    ("mm", "self", "d @ mat2ᵀ", "d @ mat2ᴴ"),
    ("mm", "mat2", "selfᵀ @ d", "selfᴴ @ d"),
    ("linalg_inv", "A", "-resultᵀ @ d @ resultᵀ", "-resultᴴ @ d @ resultᴴ"),
    ("relu", "self", "d if result > 0 else 0", None),
    ("maximum", "self", "d if self > other else d / 2 if self == other else 0", None),
    ("softmax", "self", "result * (d - sum(d * result, dim))", None),
    ("sum", "self", "expand(d, self.shape)", None),
    ("sum.dim_IntList", "self", "expand(restore_dims(d, dim, keepdim), self.shape)", None),
    ("mean.dim", "self", "expand(restore_dims(d, dim, keepdim), self.shape) / n", None),
    ("clamp", "self", "d if min <= self and self <= max else 0", None),
    ("clamp.Tensor", "max", "d if self > max or max < min else 0", None),
    ("mean", "self", "expand(d, self.shape) / n", None),
    ("reshape_to", "self", "reshape(d, self.shape)", None),
    ("mish", "self", "d * (tanh(softplus(self)) + self * (1 - tanh(softplus(self))²) * sigmoid(self))", None),
    ("cofactors", "self", "(self⁻¹)ᵀ * sum(d * result, (-2, -1), True) - (resultᵀ @ d @ self⁻¹)ᵀ", None),
    ("tanh_backward", "result", "-d * 2 * grad * result", "-d * 2 * conj(grad) * conj(result)"),
    ("silu", "self", "d * sigmoid(self) * (1 + self * (1 - sigmoid(self)))", None),
])
def test_a_formula_reads_as_in_a_textbook(name, of, text, of_complex):
    assert written(ROWS[name], of).text() == text
    if of_complex:
        assert written(ROWS[name], of, real=False).text() == of_complex


def test_numbers_take_the_place_of_names():
    square = written(ROWS["pow.Tensor_Scalar"], "self")
    assert put_in(square, {"d": Literal("1."), "exponent": Number("2"),
                           "self": Literal("-3.")}).text() == "1. * 2 * (-3.)"
    assert put_in(square, {"d": Literal("1."), "exponent": Number("3"),
                           "self": Literal("-3.")}).text() == "1. * 3 * (-3.)²"
    assert put_in(written(ROWS["mul"], "self", False),
                  {"d": Literal("1.+2.j", False), "other": Literal("3.", False)}).text() == "(1.+2.j) * conj(3.)"
    assert put_in(written(ROWS["mul"], "self"), {"d": Literal("2."), "other": Literal("2.")}).text() == "2. * 2."


def test_conjugates_move_inwards():
    assert conjugate(Product.of([Number("1j"), a])).text() == "(-1j) * conj(a)" and conjugate(Bar(a)) == a
    assert conjugate(Sum.of(Power(a, Number("2")), Number("3"))).text() == "conj(a)² + 3"
    assert conjugate(Power(a, b)).text() == "conj(a**b)"
    assert conjugate(Product.of([Name("d"), a]), of_d=True).text() == "d * conj(a)"


def test_a_bound_that_is_none_bounds_nothing():
    numbers = {"d": Literal("[1.]"), "self": Literal("[2.]"), "min": Number("0"), "max": Number("None")}
    assert put_in(written(ROWS["clamp"], "self"), numbers).text() == "[1.] if 0 <= [2.] else 0"
    assert put_in(written(ROWS["clamp.Tensor"], "min"), numbers).text() == "[1.] if [2.] < 0 else 0"


@pytest.mark.parametrize("name, of, told", [("mul", "self", []), ("sum.dim_IntList", "self", ["restore_dims"]),
                                            ("expand", "self", ["sum_to"]),
                                            ("gelu", "self", ["gelu_backward"]),
                                            ("var_over", "self", ["restore_dims", "deviation"])])
def test_functions_that_no_user_calls_are_told(name, of, told):
    assert [op.name for op in helpers(written(ROWS[name], of))] == told


# ------------------------------------------------------------------------------ brackets

@pytest.mark.parametrize("expression, text", [
    (Product.of([Sum.of(a, b), c]), "(a + b) * c"),
    (Product.of([a], [Product.of([b, c])]), "a / (b * c)"),
    (Product.of([a], [Product.of([b], [c])]), "a * c / b"),
    (Product.of([], [a]), "1 / a"),
    (Product.of([a, a, b, a]), "a³ * b"),
    (Product.of([a, Number("1")]), "a"),
    (Product.of([a, Number("-2")]), "-a * 2"),
    (negated(negated(a)), "a"),
    (negated(Sum.of(a, b)), "-(a + b)"),
    (Sum.of(a, negated(Sum.of(b, c))), "a - (b + c)"),
    (Sum.of(negated(a), b), "-a + b"),
    (Sum.of(a, Sum.of(b, c)), "a + b + c"),
    (Power(negated(a), Number("2")), "(-a)²"),
    (Power(Sum.of(a, b), c), "(a + b)**c"),
    (Power(Power(a, b), c), "(a**b)**c"),
    (Power(a, negated(b)), "a**(-b)"),
    (Mark(Matmul(a, b), "ᵀ"), "(a @ b)ᵀ"),
    (Matmul(a, Matmul(b, c)), "a @ (b @ c)"),
    (Matmul(Matmul(a, b), c), "a @ b @ c"),
    (Matmul(a, Product.of([b, c])), "a @ (b * c)"),
    (Product.of([a, Matmul(b, c)]), "a * (b @ c)"),
    (Not(Infix("or", a, b)), "not (a or b)"),
    (Infix("and", Infix("or", a, b), c), "(a or b) and c"),
    (Product.of([a, Cases(((b, c),), Number("0"))]), "a * (b if c else 0)"),
    (Cases(((Cases(((a, b),), c), b),), c), "(a if b else c) if b else c"),
    (Bar(Sum.of(a, b)), "conj(a + b)"),
    (Function("f", (Sum.of(a, b), c)), "f(a + b, c)"),
    (Item(Function("f", (a,)), 1), "f(a)[1]"),
    (Item(Sum.of(a, b), 0), "(a + b)[0]"),
])
def test_brackets_are_where_they_are_needed(expression, text):
    assert expression.text() == text
    ElementTree.fromstring(f"<math>{expression.mathml()}</math>")


def test_mathml_needs_fewer_brackets():
    """A fraction, a root and an exponent hold together what is in them."""
    assert "(" not in Product.of([Sum.of(a, b)], [Sum.of(a, c)]).mathml()
    assert "(" not in Power(a, Sum.of(b, c)).mathml() and "(" not in Function("sqrt", (Sum.of(a, b),)).mathml()
    assert "<mo stretchy=\"false\">(</mo>" in Product.of([Sum.of(a, b), c]).mathml()


def test_text_is_escaped():
    assert "<b>" not in Name("<b>&").mathml() and "<b>" not in Function("<b>", (Number("<i>"),)).mathml()
