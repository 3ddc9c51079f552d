"""Sample rows of the elementwise family: arithmetic, comparison, elementwise, piecewise, special, complex."""

import math

import numpy as np

from tests.ops.sampling import T, case, row


def unary(name, numpy, *cases, complex=True, **options):
    return row(name, *(cases or (case(T(2, 3)), case(T()))), numpy=numpy, complex=complex, **options)


def sgn(x):
    size = np.abs(x)
    return np.where(size == 0, 0, x / np.where(size == 0, 1, size))


def trunc_div(a, b):
    return np.trunc(a / b) if np.asarray(a).dtype.kind == "f" else np.trunc(a / b).astype(np.int64)


def one_by_one(function):
    return np.vectorize(function, otypes=[np.float64])


POSITIVE = (case(T(2, 3, kind="positive")), case(T(kind="positive")))
NONZERO = (case(T(2, 3, kind="nonzero")), case(T(kind="nonzero")))
INSIDE = (case(T(2, 3, low=-0.9, high=0.9)), case(T(low=-0.9, high=0.9)))
PAIR = (case(T(2, 3), T(3)), case(T(2, 1), T(3)), case(T(), T(2)), case(T(3), T(3)))
WITH_NUMBERS = (*PAIR, case(T(3), 2.5), case(T(2, 2), 2))
DIVISORS = (case(T(2, 3), T(3, kind="nonzero")), case(T(2, 1), T(3, kind="nonzero")), case(T(3), 2.5), case(T(3), 2))
UNEQUAL = case(T(2, 3), T(2))

ARITHMETIC = [
    row("add", *WITH_NUMBERS, numpy=np.add, complex=True, ints=True, bad=UNEQUAL),
    row("add", case(T(2, 3), T(3), alpha=2), case(T(2), T(2), alpha=-1), numpy=lambda a, b, alpha: a + alpha * b,
        complex=True, ints=True, bad=case(T(3, kind="int"), T(3, kind="int"), alpha=0.5)),
    row("add", case(T(3), T(3), alpha=0.5), numpy=lambda a, b, alpha: a + alpha * b, complex=True),
    row("sub", *WITH_NUMBERS, numpy=np.subtract, complex=True, ints=True, bad=UNEQUAL),
    row("sub", case(T(2, 3), T(3), alpha=2), numpy=lambda a, b, alpha: a - alpha * b, complex=True, ints=True),
    row("rsub", *WITH_NUMBERS, numpy=lambda a, b: b - a, complex=True, ints=True),
    row("rsub", case(T(2, 3), T(3), alpha=2), case(T(2), 3.0, alpha=2), numpy=lambda a, b, alpha: b - alpha * a,
        complex=True),
    row("mul", *WITH_NUMBERS, case(T(2), -1.5), numpy=np.multiply, complex=True, ints=True, bad=UNEQUAL),
    row("div", *DIVISORS, numpy=np.true_divide, complex=True, ints=True, bad=UNEQUAL),
    row("div", *[case(*c.args, rounding_mode="floor") for c in DIVISORS], grad=False,
        numpy=lambda a, b, rounding_mode: np.floor_divide(a, b), bad=case(T(3), T(3), rounding_mode="up")),
    row("div", *[case(*c.args, rounding_mode="trunc") for c in DIVISORS], grad=False,
        numpy=lambda a, b, rounding_mode: trunc_div(a, b)),
    row("div", case(T(values=[-7, 7, -6], kind="int"), 2, rounding_mode="floor"),
        case(T(values=[-7, 7], kind="int"), T(values=[2, -2], kind="int"), rounding_mode="trunc"),
        grad=False, inplace=False),
    row("true_divide", *DIVISORS, numpy=np.true_divide, complex=True, ints=True),
    row("floor_divide", *DIVISORS, numpy=np.floor_divide, grad=False, node=False,
        bad=case(T(3, kind="int"), T(values=[1, 0, 1], kind="int"))),
    row("remainder", *DIVISORS, numpy=np.remainder, ints=True,
        bad=case(T(3, kind="int"), T(values=[1, 0, 1], kind="int"))),
    row("fmod", *DIVISORS, numpy=np.fmod, ints=True, bad=case(T(3, kind="int"), T(values=[1, 0, 1], kind="int"))),
    unary("neg", np.negative, ints=True),
    row("positive", case(T(3)), numpy=np.positive, grad=False, complex=True, ints=True),
    unary("reciprocal", lambda x: 1 / x, *NONZERO),
    row("pow", *[case(T(2, 3, kind="positive"), n) for n in (2, 3, 0, 1, -1, 0.5, -1.5, 4)], numpy=np.power,
        complex=True),
    row("pow", *[case(T(2, 3), n) for n in (2, 3, 0, 1, 5)], numpy=np.power, complex=True, ints=True),
    row("pow", case(T(2, 3, kind="positive"), T(3)), case(T(2, 1, kind="positive"), T(3)),
        case(T(kind="positive"), T(2)), numpy=np.power, complex=True, bad=case(T(2, 3), T(2))),
    row("pow", case(T(3, kind="int"), T(3, kind="int")), case(T(3, kind="int", low=-3), 3), case(T(4, kind="int"), 0.5),
        case(T(values=[1, -1, 2, -1, 0], kind="int"), T(values=[-1, -3, -1, -2, 2], kind="int")), grad=False,
        inplace=False, bad=case(T(3, kind="int"), -1)),
    row("pow", case(2.5, T(2, 3)), case(2, T(3)), numpy=np.power, complex=True, inplace=False),
    row("square", case(T(2, 3)), case(T(3, kind="bool")),
        numpy=lambda x: np.power(x.astype(np.int64) if x.dtype == bool else x, 2),
        complex=True, ints=True),
    unary("sqrt", np.sqrt, *POSITIVE),
    unary("rsqrt", lambda x: 1 / np.sqrt(x), *POSITIVE),
    row("lerp", case(T(2, 3), T(3), 0.25), case(T(3), T(3), 0.75), case(T(3), T(3), 1.0),
        numpy=lambda a, b, w: a + w * (b - a), complex=True),
    row("lerp", case(T(2, 3), T(3), T(3)), case(T(2), T(2), T()), numpy=lambda a, b, w: a + w * (b - a), complex=True,
        bad=case(T(3), T(2), T(3))),
    row("addcmul", case(T(2, 3), T(3), T(2, 1)), case(T(3), T(3), T(3), value=0.5),
        numpy=lambda a, b, c, value=1: a + value * b * c,
        complex=True, bad=case(T(3), T(2), T(3))),
    row("addcdiv", case(T(2, 3), T(3), T(2, 1, kind="nonzero")), case(T(3), T(3), T(3, kind="nonzero"), value=0.5),
        numpy=lambda a, b, c, value=1: a + value * b / c, complex=True, bad=case(*[T(3, kind="int")] * 3)),
]

COMPARISON = [
    row(name, case(T(2, 3), T(3)), case(T(values=[1., 2., 3.]), T(values=[2., 2., 2.])), case(T(3), 0.5),
        case(T(4, kind="int"), 2),
        numpy=numpy, grad=False, ints=True, complex=name in ("eq", "ne"), bad=UNEQUAL)
    for name, numpy in [("eq", np.equal), ("ne", np.not_equal), ("lt", np.less), ("le", np.less_equal),
                        ("gt", np.greater),
    ("ge", np.greater_equal)]
] + [
    row("isclose", case(T(values=[1., 2., np.inf, np.nan]), T(values=[1.000001, 2.1, np.inf, np.nan])),
        case(T(values=[1., np.nan]), T(values=[1.05, np.nan]), rtol=0.1, equal_nan=True), numpy=np.isclose, grad=False,
        bad=case(T(3), T(3, kind="int"))),
    row("isclose", case(T(3), T(3)), grad=False, ints=True, complex=True, numpy=np.isclose),
    row("allclose", case(T(3), T(3)), case(T(values=[1., 2.]), T(values=[1., 2.])), numpy=np.allclose, grad=False,
        unmapped="control flow"),
    row("equal", case(T(values=[1., 2.]), T(values=[1., 2.])), case(T(2), T(3)), numpy=np.array_equal, grad=False,
        unmapped="control flow"),
] + [
    row(name, case(T(values=[1., np.nan, np.inf, -np.inf, -0.])), case(T(2, kind="int")), case(T(2, kind="bool")),
        numpy=numpy, grad=False,
        complex=name != "signbit", ints=True)
    for name, numpy in [("isnan", np.isnan), ("isinf", np.isinf), ("isfinite", np.isfinite), ("isreal", np.isreal),
                        ("signbit", lambda x: np.signbit(x) if x.dtype.kind == "f" else x < 0)]
] + [
    row(name, case(T(2, 3, kind="bool"), T(3, kind="bool")), case(T(values=[0., 1., 2.]), T(values=[0., 0., 1.])),
        case(T(3, kind="int", high=2), T(3)), numpy=numpy, grad=False, ints=True, complex=True, bad=UNEQUAL)
    for name, numpy in [("logical_and", np.logical_and), ("logical_or", np.logical_or), ("logical_xor", np.logical_xor)]
] + [
    row("logical_not", case(T(4, kind="bool")), case(T(values=[0., 1.])), numpy=np.logical_not, grad=False, ints=True,
        complex=True),
    row("bitwise_not", case(T(4, kind="bool")), case(T(4, kind="int")), numpy=np.invert, grad=False, bad=case(T(3))),
] + [
    row(name, case(T(2, 3, kind="bool"), T(3, kind="bool")),
        case(T(3, kind="int", high=100), T(3, kind="int", high=100)),
        case(T(3, kind="int", high=100), 5), numpy=numpy, grad=False, bad=case(T(3), T(3)))
    for name, numpy in [("bitwise_and", np.bitwise_and), ("bitwise_or", np.bitwise_or), ("bitwise_xor", np.bitwise_xor)]
] + [
    row(name, case(T(3, kind="int", low=-100, high=100), T(3, kind="int")),
        case(T(3, kind="int", low=-100, high=100), 2), case(T(3, kind="int", high=100), T(3, kind="bool")),
        numpy=numpy, grad=False, bad=case(T(3), T(3)))
    for name, numpy in [("bitwise_left_shift", np.left_shift), ("bitwise_right_shift", np.right_shift)]
]

FUNCTIONS = [
    unary("exp", np.exp), unary("exp2", lambda x: 2**x), unary("expm1", lambda x: np.exp(x) - 1),
    unary("log", np.log, *POSITIVE), unary("log2", lambda x: np.log(x) / math.log(2), *POSITIVE),
    unary("log10", lambda x: np.log(x) / math.log(10), *POSITIVE), unary("log1p", lambda x: np.log(1 + x), *POSITIVE),
    unary("sin", np.sin, ints=True), unary("cos", np.cos, ints=True), unary("tan", np.tan, *INSIDE),
        unary("asin", np.arcsin, *INSIDE),
    unary("acos", np.arccos, *INSIDE), unary("atan", np.arctan), unary("sinh", np.sinh), unary("cosh", np.cosh),
    unary("tanh", np.tanh, ints=True), unary("asinh", np.arcsinh), unary("atanh", np.arctanh, *INSIDE),
    unary("acosh", np.arccosh, case(T(2, 3, low=1.2, high=3))),
    row("acosh", case(T(3, low=-3, high=-1.2)), numpy=np.arccosh, complex=True, torch=False, grad=False),
    unary("sigmoid", lambda x: 1 / (1 + np.exp(-x)), ints=True),
    row("sigmoid", case(T(values=[-1000., -40., 40., 1000.])),
        numpy=lambda x: np.where(x < -100, 0, 1 / (1 + np.exp(-x))), atol=0),
    unary("sinc", lambda x: np.sin(np.pi * x) / (np.pi * x), *NONZERO, ints=True),
    row("sinc", case(T(values=[0., 1e-3, 0.2, 0.4, 1.])), numpy=np.sinc, torch=False),
    row("atan2", case(T(2, 3), T(3)), numpy=np.arctan2, ints=True, bad=UNEQUAL),
    row("atan2", case(T(2, 3, kind="nonzero"), T(2, 1, kind="nonzero")), numpy=np.arctan2),
    row("hypot", case(T(2, 3, kind="nonzero"), T(3)), numpy=np.hypot, bad=case(T(3, kind="int"), T(3, kind="int"))),
    unary("deg2rad", np.deg2rad, complex=False, ints=True), unary("rad2deg", np.rad2deg, complex=False, ints=True),
    row("hypotenuse", case(T(2, 3)), case(T()), numpy=lambda x: np.sqrt(1 + x * x), where="row", complex=True),
    row("radius", case(T(2, 3, kind="nonzero"), T(3)), case(T(3, kind="nonzero"), T(1)), numpy=np.hypot, where="row"),
    row("tanh_backward", case(T(3), T(3)), case(T(2, 1), T(3)), numpy=lambda d, y: d * (1 - y * y), where="row",
        complex=True),
    row("sigmoid_backward", case(T(3), T(3)), case(T(2, 1), T(3)), numpy=lambda d, y: d * y * (1 - y), where="row",
        complex=True),
]

PIECEWISE = [
    unary("sign", lambda x: np.where(x > 0, 1, 0) - np.where(x < 0, 1, 0), *NONZERO, case(T(values=[0., np.nan])),
        complex=False, ints=True, grad=False),
    unary("floor", np.floor, complex=False, ints=True), unary("ceil", np.ceil, complex=False, ints=True),
    unary("trunc", np.trunc, complex=False, ints=True),
    unary("round", np.round, case(T(2, 3)), case(T(values=[0.6, 1.7, -2.4])), complex=False, ints=True),
    row("round", case(T(values=[0.5, 1.5, 2.5, -0.5])), numpy=np.round, grad=False),
    row("round", case(T(3), decimals=2), case(T(3, low=100, high=900), decimals=-2),
        numpy=lambda x, decimals: np.round(x, decimals), grad=False),
    unary("frac", lambda x: np.modf(x)[0], complex=False),
    row("nan_to_num", case(T(3)), case(T(3), 1.0), numpy=np.nan_to_num, ints=True),
    row("nan_to_num", case(T(values=[np.nan, np.inf, -np.inf, 1.]), 2.0, 3.0, -4.0),
        numpy=lambda x, *replacements: np.array([2., 3., -4., 1.], x.dtype)),
    row("copysign", *[case(*c.args[:1], T(*c.args[1].shape, kind="nonzero")) for c in PAIR], case(T(3), -2),
        case(T(3), T(values=[0., -0., -1.], grad=False)), numpy=np.copysign, ints=True, bad=UNEQUAL),
    row("maximum", *PAIR, numpy=np.maximum, ints=True, bad=UNEQUAL),
    row("minimum", *PAIR, numpy=np.minimum, ints=True, bad=UNEQUAL),
    row("fmax", *PAIR, numpy=np.fmax, ints=True, bad=UNEQUAL),
    row("fmin", *PAIR, numpy=np.fmin, ints=True, bad=UNEQUAL),
    row("clamp", case(T(2, 3), -1, 1), case(T(3), 0.5), case(T(3), max=0.5), case(T(3), min=-0.5, max=0.5),
        case(T(3), 1, -1),
        numpy=lambda x, min=None, max=None: x if max is None and min is None else np.clip(x, min, max), ints=True,
        bad=case(T(3))),
    row("clamp", case(T(2, 3), T(3), T(3)), case(T(3), T(3)), case(T(3), max=T(3)), case(T(2, 3), T(1), T(2, 1)),
        numpy=lambda x, min=None, max=None: np.clip(x, min, max), ints=True, bad=case(T(3), T(2))),
    row("clamp_min", case(T(2, 3), 0.5), case(T(3), T(3)), numpy=np.maximum, ints=True),
    row("clamp_max", case(T(2, 3), 0.5), case(T(3), T(3)), numpy=np.minimum, ints=True),
]

SPECIAL = [
    unary("erf", one_by_one(math.erf), case(T(20, low=-4, high=4)), case(T()), complex=False, ints=True, rtol=2e-15,
          atol=0),
    unary("erfc", one_by_one(math.erfc), case(T(20, low=-3, high=26)), case(T()), complex=False, ints=True, rtol=2e-15,
          atol=0),
    unary("lgamma", one_by_one(math.lgamma), case(T(20, low=0.1, high=20)), case(T(values=[-0.5, -1.5, -3.3])),
          complex=False, rtol=2e-15, atol=2e-15),
    row("digamma", case(T(8, low=0.1, high=20)), case(T(values=[-0.5, -1.5, -3.3])), ints=True,
        rtol=2e-9),   # PyTorch's trigamma is good to nine digits
    row("polygamma", case(1, T(4, low=0.5, high=12)), case(2, T(4, low=0.5, high=12)), case(0, T(3, kind="positive")),
        case(3, T(2, kind="positive")),
        inplace=False, rtol=1e-8, bad=case(-1, T(3))),
    row("polygamma", case(T(3, kind="positive"), 1), where="method", torch=False),
    unary("logit", lambda x, eps=None: np.log(x / (1 - x)), case(T(2, 3, kind="unit")), case(T(3, kind="unit"), 0.01),
        complex=False),
    row("logit", case(T(values=[0.001, 0.5, 0.999]), 0.1),
        numpy=lambda x, eps: np.log(np.clip(x, 0.1, 0.9) / (1 - np.clip(x, 0.1, 0.9)))),
    row("xlogy", case(T(2, 3), T(3, kind="positive")), case(T(3), T(2, 1, kind="positive")),
        numpy=lambda x, y: x * np.log(y), ints=True, bad=UNEQUAL),
    row("xlogy", case(T(3), 2.5), case(2.5, T(3, kind="positive")), numpy=lambda x, y: x * np.log(y), node=False,
        inplace=False),
    row("logaddexp", *PAIR, numpy=lambda a, b: np.log(np.exp(a) + np.exp(b)), complex=True, bad=UNEQUAL),
]

COMPLEX = [
    unary("abs", np.abs, *NONZERO, ints=True),
    unary("sgn", sgn, *NONZERO, ints=True),
    unary("angle", np.angle, *NONZERO, ints=True),
    row("real", case(T(2, 3, kind="complex")), case(T(kind="complex")), numpy=np.real),
    row("imag", case(T(2, 3, kind="complex")), case(T(kind="complex")), numpy=np.imag, bad=case(T(3))),
    row("complex", case(T(2, 3), T(2, 3)), case(T(2, 1), T(3)), numpy=lambda a, b: a + 1j * b,
        bad=case(T(3), T(3, kind="int"))),
    row("complex", case(T(), T(0)), numpy=lambda a, b: a + 1j * b, bad=case(T(3), T(2))),
    # negative: PyTorch has the wrong sign
    row("polar", case(T(3), T(3)), numpy=lambda r, a: r * np.exp(1j * a), torch=False, bad=case(T(3), T(2))),
    row("polar", case(T(2, 3, kind="positive"), T(2, 3)), extra_saved=("angle",), numpy=lambda r, a: r * np.exp(1j * a),
        bad=case(T(3), T(3, kind="int"))),
    row("view_as_real", case(T(2, 3, kind="complex")), case(T(kind="complex")),
        numpy=lambda z: np.stack([z.real, z.imag], -1), bad=case(T(3))),
    row("view_as_complex", case(T(3, 2)), case(T(2)), numpy=lambda x: x[..., 0] + 1j * x[..., 1], bad=case(T(2, 3))),
    row("conj", case(T(2, 3)), case(T()), numpy=np.conj, complex=True),
    row("conj_physical", case(T(2, 3)), numpy=np.conj, complex=True),
    row("resolve_conj", case(T(2, 3)), numpy=np.array, complex=True),
    row("resolve_neg", case(T(2, 3)), numpy=np.array, complex=True),
    row("is_conj", case(T(2, 3)), grad=False, complex=True),
    row("is_neg", case(T(2, 3)), grad=False, complex=True),
]

# What PyTorch does at kinks and ties, at zero and beside nan: values and gradients are compared with it alone.
NAN, INF = math.nan, math.inf
KINKS = [
    row(name, case(*[T(values=v) if isinstance(v, list) else v for v in values]), kink=True,
        inplace=isinstance(values[0], list) and "." not in name)
    for name, *values in [
        ("abs", [0., -1., 2., NAN]), ("sgn", [0., -1., 2.]), ("sign", [0., -1., NAN]),
        ("relu", [0., -0., -1., 2., NAN, INF]),
        ("maximum", [1., NAN, 2., 3.], [1., 1., NAN, 2.]), ("minimum", [1., NAN, 2., 3.], [1., 1., NAN, 2.]),
        ("fmax", [1., NAN, 2., 3., NAN], [1., 1., NAN, 2., NAN]),
        ("fmin", [1., NAN, 2., 3., NAN], [1., 1., NAN, 2., NAN]),
        ("copysign", [1., -2., 0., NAN, INF], [-0., 0., -1., -1., -1.]), ("copysign", [1., -2., 0.], -0.),
        ("clamp", [0., 1., NAN, 2., -1.], 0, 1),
        ("clamp", [0., 1., NAN, 2., -1., 0.5], [0., 0, 0, 0, 0, 1.], [1., 1, 1, 1, 1, 0.]),
        ("clamp_min", [0., NAN, -1.], 0), ("clamp_max", [0., NAN, 1.], 0), ("clamp_min", [0., -1.], [0., 0.]),
        ("pow", [0., 1., 2.], 0), ("pow", [0., 1., 2.], 1), ("pow", [0., 1.], 0.5), ("pow", [0., 2.], 2),
        ("pow", [0., 0., 0., -2., 2.], [0., 2., -1., 2., 0.]), ("pow", 0., [0., 2., -1.]), ("pow", 0, [0., 2.]),
        ("atan2", [0., 0., 1.], [0., 1., 0.]), ("hypot", [0.], [0.]), ("angle", [0., -1., NAN]),
        ("xlogy", [0., 0., 1., 0., NAN], [0., -1., 0., NAN, 1.]), ("logit", [0., 1., -1., 0.5]),
        ("special.xlog1py", [0., 0., 1., 0., NAN], [-1., -2., -1., NAN, 1.]),
        ("logit", [0., 0.1, 0.5], 0.1),
        ("logaddexp", [INF, -INF, 0.], [INF, -INF, 0.]), ("remainder", [5., 3.], [-2., 0.]),
        ("fmod", [-5., 3.], [2., 0.]),
        ("sqrt", [0., -1.]), ("log", [0., -1.]), ("nan_to_num", [NAN, INF, 1.]), ("div", [1., 0.], [0., 0.]),
        ("reciprocal", [0.]), ("frac", [1., -1.5, INF]), ("round", [0.5, 1.5, 2.5]), ("lgamma", [0., -1., INF, NAN]),
        ("digamma", [0., -0., NAN]), ("sigmoid", [INF, -INF, NAN]), ("erf", [INF, -INF, NAN, 0.]),
        ("lerp", [1., INF], [2., 3.], 1.0),
    ]
]

ROWS = ARITHMETIC + COMPARISON + FUNCTIONS + PIECEWISE + SPECIAL + COMPLEX + KINKS
