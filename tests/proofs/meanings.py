"""What each elementwise row means, as an expression of SymPy.

This is the other witness: it is written from the definitions of the functions, not from the table.  symbolic.py
differentiates it, and compares with the formula of the row.  Each meaning takes the arguments of its row in the order
of the schema; an option that is left out is None.

Guards are conditions: ``where(x > 0, x, 0)``.  What a formula calls besides (comparisons, masks, slopes that are
constant piece by piece) has a meaning here as well.
"""

import sympy as s
from sympy import Abs, And, Eq, Max, Min, Ne, Not, Or, Rational, exp, gamma, log, pi, polygamma, sign, sqrt, tanh

LITTLE = Rational(1, 10 ** 12)          # what PyTorch adds to the squares of cosine_embedding_loss
ALPHA, SCALE = Rational("1.6732632423543772"), Rational("1.0507009873554805")       # of selu, as doubles print them


def where(condition, this, other):
    return s.Piecewise((this, condition), (other, True))


def trunc(x):
    return sign(x) * s.floor(Abs(x))


def sigmoid(x):
    return 1 / (1 + exp(-x))


def cdf(x):
    """The distribution function of the normal distribution."""
    return (1 + s.erf(x / sqrt(2))) / 2


def hazard(x):
    return exp(-x ** 2 / 2) / sqrt(2 * pi) / cdf(x)


def erfcx(x):
    return exp(x ** 2) * s.erfc(x)


def slope_of(function):
    """The meaning of a row that is the derivative of another one in its first argument."""
    def meaning(x, *rest):
        t = s.Dummy("t", **x._assumptions_orig) if isinstance(x, s.Symbol) else s.Dummy("t", real=True)
        return s.diff(function(t, *rest), t).subs(t, x)
    return meaning


# ------------------------------------------------------------------------------ sums, products, powers

SUMS = {
    "add": lambda x, y, alpha: x + alpha * y,
    "sub": lambda x, y, alpha: x - alpha * y,
    "rsub.Scalar": lambda x, y, alpha: y - alpha * x,
    "rsub.Tensor": lambda x, y, alpha: y - alpha * x,
    "neg": lambda x: -x,
    "mul": lambda x, y: x * y,
    "div": lambda x, y, rounding_mode: x / y,
    "true_divide": lambda x, y: x / y,
    "reciprocal": lambda x: 1 / x,
    "addcmul": lambda x, y, z, value: x + value * y * z,
    "addcdiv": lambda x, y, z, value: x + value * y / z,
    "lerp.Scalar": lambda x, end, weight: x + weight * (end - x),
    "lerp.Tensor": lambda x, end, weight: x + weight * (end - x),
    "apart": lambda x, y, eps: x - y + eps,
    "weighted": lambda x, weight: x if weight is None else x * weight,
    "times_excess": lambda x, weight: s.Integer(0) if weight is None else x * (weight - 1),
    "times_or_zero": lambda x, y: x * y,
    "divide_or_zero": lambda x, y: x / y,
    "square": lambda x: x ** 2,
    "sqrt": sqrt,
    "rsqrt": lambda x: 1 / sqrt(x),
    "pow.Tensor_Scalar": lambda x, n: x ** n,
    "pow.Tensor_Tensor": lambda x, n: x ** n,
    "pow.Scalar": lambda x, n: x ** n,
    "pow_slope": lambda x, n, order: s.ff(n, order) * x ** (n - order),
    "pow_tensor_slope": lambda x, n: n * x ** (n - 1),
    "times_log": lambda result, x, n: result * log(x),
    "hypot": lambda x, y: sqrt(x ** 2 + y ** 2),
    "radius": lambda x, y: sqrt(x ** 2 + y ** 2), "hypotenuse": lambda x: sqrt(1 + x ** 2),
    "ldexp": lambda x, n: x * 2 ** n,
    "deg2rad": lambda x: x * pi / 180,
    "rad2deg": lambda x: x * 180 / pi,
}

# ------------------------------------------------------------------------------ elementary and special functions

FUNCTIONS = {
    "exp": exp, "log": log, "sin": s.sin, "cos": s.cos, "tan": s.tan, "sinh": s.sinh, "cosh": s.cosh, "tanh": tanh,
    "asin": s.asin, "acos": s.acos, "atan": s.atan, "asinh": s.asinh, "acosh": s.acosh, "atanh": s.atanh,
    "exp2": lambda x: 2 ** x,
    "expm1": lambda x: exp(x) - 1,
    "log2": lambda x: log(x) / log(2),
    "log10": lambda x: log(x) / log(10),
    "log1p": lambda x: log(1 + x),
    "atan2": s.atan2,
    "sinc": lambda x: s.sin(pi * x) / (pi * x),
    "sinc_derivative": lambda x, n: s.diff(s.sin(pi * x) / (pi * x), x, n),
    "sigmoid": sigmoid,
    "sigmoid_backward": lambda d, y: d * y * (1 - y),
    "tanh_backward": lambda d, y: d * (1 - y ** 2),
    "logit": lambda x, eps: log(x / (1 - x)) if eps is None else log(Min(Max(x, eps), 1 - eps)
                                                                      / (1 - Min(Max(x, eps), 1 - eps))),
    "logit_slope": lambda x, eps: 1 / (x * (1 - x)) if eps is None else where(
        And(x >= eps, x <= 1 - eps), 1 / (x * (1 - x)), 0),
    "logaddexp": lambda x, y: log(exp(x) + exp(y)),
    "logaddexp2": lambda x, y: log(2 ** x + 2 ** y) / log(2),
    "share": lambda x, y: exp(x) / (exp(x) + exp(y)),
    "xlogy": lambda x, y: x * log(y),
    "special_xlog1py": lambda x, y: x * log(1 + y),
    "special_entr": lambda x: -x * log(x),
    "erf": s.erf, "erfc": s.erfc, "erfinv": s.erfinv,
    "special_erfcx": erfcx,
    "erfcx_slope": lambda x: 2 * x * erfcx(x) - 2 / sqrt(pi),
    "special_ndtr": cdf,
    "special_ndtri": lambda p: sqrt(2) * s.erfinv(2 * p - 1),
    "special_log_ndtr": lambda x: log(cdf(x)),
    "hazard": hazard,
    "hazard_gap": lambda x: hazard(x) + x,
    "lgamma": s.loggamma,
    "digamma": lambda x: polygamma(0, x),
    "polygamma": lambda x, n: polygamma(n, x),
    "mvlgamma": lambda x, p: p * (p - 1) * log(pi) / 4 + s.Add(*[s.loggamma(x - Rational(k, 2)) for k in range(p)]),
    "mvlgamma_derivative": lambda x, p, n: s.Add(*[polygamma(n, x - Rational(k, 2)) for k in range(p)]),
    "igamma": lambda a, x: s.lowergamma(a, x) / gamma(a),
    "igammac": lambda a, x: s.uppergamma(a, x) / gamma(a),
    "gamma_density": lambda a, x: x ** (a - 1) * exp(-x) / gamma(a),
    "special_zeta": s.zeta,
    "i0": lambda x: s.besseli(0, x),
    "special_i1": lambda x: s.besseli(1, x),
    "special_i0e": lambda x: exp(-Abs(x)) * s.besseli(0, x),
    "special_i1e": lambda x: exp(-Abs(x)) * s.besseli(1, x),
    "bessel_i": lambda x, n: s.besseli(n, x),
    "bessel_ie": lambda x, n: exp(-Abs(x)) * s.besseli(n, x),
}

# ------------------------------------------------------------------------------ guards, kinks and jumps

GUARDS = {
    "keep": lambda x, mask: where(nonzero(mask), x, 0),
    "where.self": lambda condition, x, y: where(nonzero(condition), x, y),
    "masked_fill.Scalar": lambda x, mask, value: where(nonzero(mask), value, x),
    "masked_fill.Tensor": lambda x, mask, value: where(nonzero(mask), value, x),
    "fill.Scalar": lambda x, value: value,
    "fill.Tensor": lambda x, value: value,
    "zero": lambda x: s.Integer(0),
    "copy": lambda x, y, non_blocking: y,
    "nan_to_num": lambda x, nan, posinf, neginf: x,
    "nextafter": lambda x, y: x,
    "frac": lambda x: x - trunc(x),
    "fmod.Scalar": lambda x, y: x - y * trunc(x / y),
    "fmod.Tensor": lambda x, y: x - y * trunc(x / y),
    "remainder.Scalar": lambda x, y: x - y * s.floor(x / y),
    "remainder.Tensor": lambda x, y: x - y * s.floor(x / y),
    "copysign": lambda x, y: Abs(x) * where(y < 0, -1, 1),
    "copysign.Scalar": lambda x, y: Abs(x) * where(y < 0, -1, 1),
    "heaviside": lambda x, value: where(x < 0, 0, where(x > 0, 1, value)),
    "maximum": Max, "minimum": Min, "fmax": Max, "fmin": Min,
    "halved_at_ties": lambda d, x, y: where(x > y, d, where(x < y, 0, d / 2)),
    "clamp": lambda x, low, high: between(x, low, high),
    "clamp.Tensor": lambda x, low, high: between(x, low, high),
    "clamp_min": lambda x, low: Max(x, low),
    "clamp_min.Tensor": lambda x, low: Max(x, low),
    "clamp_max": lambda x, high: Min(x, high),
    "clamp_max.Tensor": lambda x, high: Min(x, high),
    "clamp_share": lambda d, x, low, high, of: where(followed(x, low, high, of), d, 0),
    "variance": lambda x, eps: x,       # it is max(x, eps), and has the gradient of x on purpose, as in PyTorch
}


def nonzero(mask):
    return Ne(mask, 0) if isinstance(mask, s.Symbol) else mask


def between(x, low, high):
    x = x if low is None else Max(x, low)
    return x if high is None else Min(x, high)


def followed(x, low, high, of):
    """Is it ``of`` that the result of clamp is equal to?"""
    low, high = -s.oo if low is None else low, s.oo if high is None else high
    return {"self": And(low <= x, x <= high), "min": And(x < low, low < high),
            "max": Or(x > high, high < low)}[of]

# ------------------------------------------------------------------------------ neural networks


def elu_slope(x, alpha, scale, input_scale):
    return where(x > 0, scale, scale * alpha * input_scale * exp(x * input_scale))


def elu(x, alpha, scale=1, input_scale=1):
    return scale * where(x > 0, x, alpha * (exp(x * input_scale) - 1))


def softplus(x, beta, threshold):
    return where(beta * x > threshold, x, log(1 + exp(beta * x)) / beta)


def gelu(x, approximate):
    if approximate == "none":
        return x * cdf(x)
    return x / 2 * (1 + tanh(sqrt(2 / pi) * (x + Rational("0.044715") * x ** 3)))


def hardswish(x):
    return x * Min(Max(x + 3, 0), 6) / 6


NETWORKS = {
    "relu": lambda x: Max(x, 0),
    "relu6": lambda x: Min(Max(x, 0), 6),
    "hardtanh": lambda x, low, high: Min(Max(x, low), high),
    "threshold": lambda x, threshold, value: where(x > threshold, x, value),
    "leaky_relu": lambda x, slope: where(x > 0, x, slope * x),
    "prelu_kernel": lambda x, weight: where(x > 0, x, weight * x),
    "rrelu_with_noise": lambda x, noise: where(x > 0, x, noise * x),
    "elu": elu,
    "elu_slope": elu_slope,
    "selu": lambda x: elu(x, ALPHA, SCALE),
    "celu": lambda x, alpha: elu(x, alpha, 1, 1 / alpha),
    "gelu": gelu,
    "gelu_backward": lambda d, x, approximate: d * slope_of(gelu)(x, approximate),
    "silu": lambda x: x * sigmoid(x),
    "mish": lambda x: x * tanh(log(1 + exp(x))),
    "softplus": softplus,
    "softplus_slope": lambda x, beta, threshold: where(beta * x > threshold, 1, sigmoid(beta * x)),
    "logsigmoid": lambda x: -log(1 + exp(-x)),
    "hardsigmoid": lambda x: Min(Max(x + 3, 0), 6) / 6,
    "hardswish": hardswish,
    "hardswish_slope": lambda x: where(x <= -3, 0, where(x >= 3, 1, x / 3 + Rational(1, 2))),
    "hardshrink": lambda x, bound: where(Abs(x) > bound, x, 0),
    "softshrink": lambda x, bound: where(x > bound, x - bound, where(x < -bound, x + bound, 0)),
    "beyond": lambda d, x, bound: where(Abs(x) > bound, d, 0),
    "inside": lambda d, x, bound: where(Abs(x) < bound, d, 0),
    "not_above_zero": lambda d, x: where(x > 0, 0, d),
    "threshold_backward": lambda d, x, threshold: where(x > threshold, d, 0),
    "hardtanh_backward": lambda d, x, low, high: where(And(x > low, x < high), d, 0),
    "prelu_backward": lambda d, x, weight: where(x > 0, d, weight * d),
    "lstm_state": lambda i, f, g, c: sigmoid(f) * c + sigmoid(i) * tanh(g),
    "lstm_output": lambda o, c: sigmoid(o) * tanh(c),
    "lstm_gate_backward": lambda d, g, i: d * tanh(g) * slope_of(sigmoid)(i),
    "lstm_tanh_backward": lambda d, g, i: d * sigmoid(i) * slope_of(tanh)(g),
}

LOSSES = {
    "binary_cross_entropy_slope": lambda x, t: (x - t) / (x * (1 - x)),
    "logit_loss_slope": lambda x, t, weight: (1 - t) * sigmoid(x) - t * (1 if weight is None else weight) * sigmoid(-x),
    "soft_margin_slope": lambda x, t: -t * sigmoid(-t * x),
    "cosine": lambda dot, x, y: dot / sqrt((x + LITTLE) * (y + LITTLE)),
    "cosine_embedding": lambda c, t, margin: where(Eq(t, 1), 1 - c, where(Eq(t, -1), Max(c - margin, 0), 0)),
    "hinge_embedding": lambda x, t, margin: where(Eq(t, 1), x, where(Eq(t, -1), Max(margin - x, 0), 0)),
    "margin_ranking": lambda x, y, t, margin: Max(-t * (x - y) + margin, 0),
    "triplet": lambda near, far, margin: Max(margin + near - far, 0),
    "gaussian_nll": lambda x, t, v: (log(v) + (x - t) ** 2 / v) / 2,
    "kl_div": lambda x, t: t * (log(t) - x),
    "kl_div_of_logs": lambda x, t: exp(t) * (t - x),
    "poisson_of_log": lambda x, t: exp(x) - t * x,
    "poisson_of_rate": lambda x, t, eps: x - t * log(x + eps),
    "stirling": lambda t: where(t > 1, t * log(t) - t + log(2 * pi * t) / 2, 0),
}

# ------------------------------------------------------------------------------ what has no derivative of its own

HELPERS = {
    "eq": Eq, "ne": Ne, "gt": s.Gt, "ge": s.Ge, "lt": s.Lt, "le": s.Le,
    "logical_and": And, "logical_or": Or, "logical_not": Not,
    "isnan": lambda x: s.false, "isfinite": lambda x: s.true,
    "sign": sign,
    "zeros_of": lambda x: s.Integer(0),
    "rises": lambda x, n: Or(Ne(x, 0), n <= 1),
    "div.mode": lambda x, y, mode: {"trunc": trunc, "floor": s.floor}[mode](x / y),
    "leaky_relu_slope": lambda x, slope: where(x > 0, 1, slope),
    "cosine_embedding_slope": lambda c, t, margin: where(Eq(t, 1), -1, where(And(Eq(t, -1), c >= margin), 1, 0)),
    "hinge_embedding_slope": lambda x, t, margin: where(Eq(t, 1), 1, where(And(Eq(t, -1), x <= margin), -1, 0)),
    "margin_ranking_reached": lambda x, y, t, margin: where(-t * (x - y) + margin >= 0, 1, 0),
    "triplet_reached": lambda near, far, margin: where(margin + near - far >= 0, 1, 0),
}

MEANINGS = {**SUMS, **FUNCTIONS, **GUARDS, **NETWORKS, **LOSSES, **HELPERS}

# ------------------------------------------------------------------------------ where the rows are defined

POSITIVE, UNIT, ANY, ABOVE_ONE, WIDE = (0, 3), (0, 1), (-3, 3), (1, 4), (-9, 9)

#: row -> {parameter: the interval from which it is drawn}, where that is not ANY
DOMAINS = {
    **dict.fromkeys(["log", "log2", "log10", "sqrt", "rsqrt", "special_entr", "lgamma", "digamma", "polygamma",
                     "pow.Tensor_Scalar", "pow_slope"], {"self": POSITIVE}),
    **dict.fromkeys(["pow.Tensor_Tensor", "pow_tensor_slope", "times_log", "pow.Scalar"], {"self": POSITIVE}),
    **dict.fromkeys(["asin", "acos", "atanh", "erfinv"], {"self": (-1, 1)}),
    **dict.fromkeys(["special_ndtri", "logit", "logit_slope"], {"self": UNIT, "eps": (0, Rational(1, 3))}),
    **dict.fromkeys(["relu6", "hardsigmoid", "hardswish", "hardswish_slope"], {"self": WIDE}),
    "acosh": {"self": ABOVE_ONE},
    "log1p": {"self": (-1, 3)},
    "xlogy": {"other": POSITIVE},
    "special_xlog1py": {"other": (-1, 3)},
    **dict.fromkeys(["mvlgamma", "mvlgamma_derivative"], {"self": (2, 5)}),
    **dict.fromkeys(["igamma", "igammac", "gamma_density"], {"self": POSITIVE, "other": POSITIVE}),
    "special_zeta": {"self": ABOVE_ONE, "other": POSITIVE},
    "binary_cross_entropy_slope": {"self": UNIT, "target": UNIT},
    "cosine": {"square1": POSITIVE, "square2": POSITIVE},
    "gaussian_nll": {"var": POSITIVE},
    "kl_div": {"target": POSITIVE},
    "poisson_of_rate": {"self": POSITIVE, "eps": UNIT},
    "stirling": {"self": POSITIVE},
    **dict.fromkeys(["hardshrink", "softshrink", "beyond", "inside"], {"lambd": POSITIVE, "bound": POSITIVE}),
    **dict.fromkeys(["softplus", "softplus_slope"], {"beta": POSITIVE}),
    **dict.fromkeys(["celu", "elu", "elu_slope"], {"alpha": POSITIVE, "input_scale": POSITIVE}),
    **dict.fromkeys(["hardtanh", "hardtanh_backward"], {"min_val": (-2, 0), "max_val": POSITIVE}),
}

#: row -> constants of its formulas that only keep a denominator from zero, and are taken for 0
WITHOUT = {"binary_cross_entropy_slope": {1e-12}}

#: row -> the values of parameters that are not real numbers, one call after the other
VARIANTS = {
    "bessel_i": [{"n": n} for n in (0, 1, 2, 5)],
    "bessel_ie": [{"n": n} for n in (0, 1, 2, 5)],
    "polygamma": [{"n": n} for n in (0, 1, 2, 5)],
    "mvlgamma": [{"p": p} for p in (1, 2, 3)],
    "mvlgamma_derivative": [{"p": p, "n": n} for p in (1, 2) for n in (0, 1, 3)],
    "sinc_derivative": [{"n": n} for n in (0, 1, 2)],
    "pow_slope": [{"order": n} for n in (1, 2, 3)],
    "gelu": [{"approximate": "none"}, {"approximate": "tanh"}],
    "gelu_backward": [{"approximate": "none"}, {"approximate": "tanh"}],
    **dict.fromkeys(["clamp", "clamp.Tensor"], [{}, {"min": None}, {"max": None}]),
    "clamp_share": [{"of": "self"}, {"of": "min"}, {"of": "max"}, {"of": "self", "min": None},
                    {"of": "self", "max": None}, {"of": "min", "max": None}, {"of": "max", "min": None}],
    "copy": [{"non_blocking": False}],
    "div": [{"rounding_mode": None}],
    **dict.fromkeys(["hinge_embedding", "cosine_embedding"], [{"target": s.Integer(t)} for t in (1, -1)]),
}
