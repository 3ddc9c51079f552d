"""Elementwise functions where they are not smooth: at knots, signed zeros, infinities, nan, tiny and huge numbers.

Each function is compared with PyTorch at points like these: its value, its gradient, the gradient of that, its tangent,
and the gradient of the tangent.  Values agree to the sign of a zero; of derivatives, nan, inf and the numbers agree.
What differs on purpose is listed in ``KNOWN`` with its reason, and nothing else may; nor is anything listed there that
no longer differs.

The public elementwise rows of the table take part by themselves.  Others are called in one of two tables here, and so
are calls with more arguments than tensors.  An elementwise row that runs in none of these calls is listed in
``ELSEWHERE``. """

import functools
import inspect
import itertools
import math
import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import minigrad
from minigrad._core.dispatch.op import Op
from minigrad._core.dispatch.overloads import Overloads
from minigrad.ops.exports import EXPORTS, ROWS
from minigrad.ops.kinds import elementwise, not_differentiable
from tests.checking import refuses, the_table_as_it_was
from tests.ops.samples import ROWS as SAMPLES

inf, nan = math.inf, math.nan

DIFFERENTIABLE = ("elementwise", "piecewise_constant")

POINTS = [0., -0., 0.1, -0.1, 0.3, .5, -.5, 1., -1., 1.5, -1.5, 2., -2., 2.5, -2.5, 3., -3., 4., -4., 6., -6., 7.25,
          -7.25, 20., -20., 20.001, 90., -90., 700., -700., 1e-3, 1e-8, -1e-8, 1e-30, -1e-30, 1e-40, -1e-40,
          1e6, -1e6, 3e38, -3e38, inf, -inf, nan]
EXTREME = [1e-310, -1e-310, 5e-324, 1e300, -1e300]          # float64 only
PAIRS = list(itertools.product([0., -0., .5, -.5, 1., -1., 1.5, 2., -2., 3., 1e-40, -3e38, 3e38, inf, -inf, nan],
                               repeat=2))


def rows_of(function):
    return [function] if isinstance(function, Op) else function.rows if isinstance(function, Overloads) else []


def needs(row):
    """The types of the parameters that a call may not leave out."""
    needed = [each.name for each in inspect.signature(row).parameters.values() if each.default is each.empty]
    return [type_ for name, type_ in zip(row.params, row.types) if name in needed]


def is_elementwise(row):
    """Is each element of the result made of one element of each tensor, and may these be floats?"""
    if row.kind in DIFFERENTIABLE:
        return True
    if row.kind != "not_differentiable" or row.list_output or any([type_.startswith("Dim") for type_ in row.types]):
        return False
    try:
        return row(*[minigrad.ones(2, 3) for _ in needs(row)]).shape == (2, 3)
    except minigrad.MinigradError:
        return False


def of_the_table(*types):
    """{name: call} of the elementwise functions that must be given arguments of these types, and no others.

    Not of clamp, which must be given one bound of two.
    """
    found, seen = {}, set()
    for module, functions in EXPORTS.items():
        for name, function in functions.items():
            for row in rows_of(function):
                if row not in seen and needs(row) == [*types] and is_elementwise(row) and row.function != "clamp":
                    seen.add(row)           # under its first name: the others are aliases
                    found[name] = named(name, module)
    return found


def named(name, module="minigrad"):
    """A call of this function of minigrad, or of the same of PyTorch."""
    inside = module.split(".")[1:]
    return lambda t, *x: getattr(functools.reduce(getattr, inside, t), name)(*x)


def each(label, values, function):
    """One entry for each value of a parameter.  ``KNOWN`` separates labels by spaces, so they have none."""
    assert " " not in label
    return {f"{label}({value})": lambda t, *x, value=value: function(t, *x, value) for value in values}


NUMBERS = [0., -0., .5, 1, 2., -2., 3, 1e-3, inf, -inf, nan]

#: of torch.special; they have no derivatives, and here an argument that requires grad is refused
UNDERIVED = """airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 modified_bessel_i0 modified_bessel_i1 modified_bessel_k0
               modified_bessel_k1 scaled_modified_bessel_k0 scaled_modified_bessel_k1 spherical_bessel_j0""".split()
POLYNOMIALS = """chebyshev_polynomial_t chebyshev_polynomial_u chebyshev_polynomial_v chebyshev_polynomial_w
                 hermite_polynomial_h hermite_polynomial_he laguerre_polynomial_l legendre_polynomial_p
                 shifted_chebyshev_polynomial_t shifted_chebyshev_polynomial_u shifted_chebyshev_polynomial_v
                 shifted_chebyshev_polynomial_w""".split()


def without_gradient(name):
    return lambda t, *x: getattr(t.special, name)(*[each.detach() for each in x])


UNARY = {
    **{name: without_gradient(name) for name in UNDERIVED},
    **{name: named(name) for name in ("abs", "angle", "positive", "sgn", "square")},
    **{name: named(name, "minigrad.nn.functional") for name in
       "elu celu selu silu softsign tanhshrink mish hardtanh relu6 leaky_relu hardsigmoid hardswish".split()},
    **each("hardtanh", [(-2., 3.), (-0., 0.), (0, 6)], lambda t, x, v: t.nn.functional.hardtanh(x, *v)),
    **each("threshold", [(.5, 20.), (0., -0.)], lambda t, x, v: t.nn.functional.threshold(x, *v)),
    **each("hardshrink", [0., 2.], lambda t, x, v: t.nn.functional.hardshrink(x, v)),
    **each("softshrink", [0., 2.], lambda t, x, v: t.nn.functional.softshrink(x, v)),
    **each("rrelu", [(.25, .75)], lambda t, x, v: t.nn.functional.rrelu(x, *v)),
    **each("leaky_relu", [0., -.5, 1], lambda t, x, v: t.nn.functional.leaky_relu(x, v)),
    **each("elu", [2., 0., -1.], lambda t, x, v: t.nn.functional.elu(x, v)),
    **each("celu", [2., -2.], lambda t, x, v: t.nn.functional.celu(x, v)),
    **each("gelu", ["tanh"], lambda t, x, v: t.nn.functional.gelu(x, approximate=v)),
    **each("softplus", [(2., 3.), (.5, 1.), (-1., 20.)], lambda t, x, v: t.nn.functional.softplus(x, *v)),
    **each("pow_number", [0, 1, 2, 3, 4, 5, -1, -2, .5, -.5, 1.5, -1.5, 1 / 3, 0., 1., inf, -inf, nan],
           lambda t, x, v: x**v),
    **each("number_pow", NUMBERS, lambda t, x, v: v**x),
    **each("clamp_numbers", [(0, 1), (0., -0.), (-0., 0.), (-.5, 3), (None, 0.), (0., None), (3, -3), (nan, 1.),
                             (1., nan), (-inf, inf)], lambda t, x, v: t.clamp(x, *v)),
    **each("clamp_min_number", [0., -0., 1, nan, inf], lambda t, x, v: t.clamp_min(x, v)),
    **each("clamp_max_number", [0., -0., 1, nan, inf], lambda t, x, v: t.clamp_max(x, v)),
    **each("remainder_number", NUMBERS, lambda t, x, v: t.remainder(x, v)),
    **each("fmod_number", NUMBERS, lambda t, x, v: t.fmod(x, v)),
    **each("copysign_number", NUMBERS, lambda t, x, v: t.copysign(x, v)),
    **each("div_number", NUMBERS, lambda t, x, v: t.div(x, v)),
    **each("div_number_floor", NUMBERS, lambda t, x, v: t.div(x, v, rounding_mode="floor")),
    **each("div_number_trunc", NUMBERS, lambda t, x, v: t.div(x, v, rounding_mode="trunc")),
    **each("number/x", NUMBERS, lambda t, x, v: v / x),
    **each("xlogy_number", NUMBERS, lambda t, x, v: t.xlogy(v, x)),
    **each("mvlgamma", [1, 2, 3], lambda t, x, v: t.mvlgamma(x, v)),
    **each("logit", [0., 1e-3, .1, .5, .7], lambda t, x, v: t.logit(x, v)),
    **each("round", [1, 3, -1], lambda t, x, v: t.round(x, decimals=v)),
    **each("nan_to_num", [(1., 2., 3.), (nan, inf, -inf)], lambda t, x, v: t.nan_to_num(x, *v)),
}

BINARY = {
    **{name: named(name) for name in ("clamp_min", "clamp_max", "isclose")},
    **each("div", ["floor", "trunc"], lambda t, x, y, v: t.div(x, y, rounding_mode=v)),
    **each("lerp", [.25, .75, 0., 1.], lambda t, x, y, v: t.lerp(x, y, v)),
    **each("addcmul", [.5], lambda t, x, y, v: t.addcmul(x, x, y, value=v)),
    **each("addcdiv", [.5], lambda t, x, y, v: t.addcdiv(x, x, y, value=v)),
    "clamp": lambda t, x, y: t.clamp(x, y, y + 1),
    "fill": lambda t, x, y: t.fill(x, y[5]),
    "prelu": lambda t, x, y: t.prelu(x.reshape(1, -1), y).reshape(-1),
    "lerp_tensor": lambda t, x, y: t.lerp(x, y, x),
    "igamma": lambda t, x, y: t.igamma(x.detach(), y),
    "igammac": lambda t, x, y: t.igammac(x.detach(), y),
    "zeta": lambda t, x, y: t.special.zeta(x.detach(), y),
    **{name: without_gradient(name) for name in POLYNOMIALS},
    "where": lambda t, x, y: t.where(x > y, x, y),
    "masked_fill": lambda t, x, y: x.masked_fill(x > y, 2.),
    "masked_fill tensor": lambda t, x, y: x.masked_fill(x > y, y.flatten()[5]),
    **each("mse_loss", ["none"], lambda t, x, y, v: t.nn.functional.mse_loss(x, y, reduction=v)),
    **each("l1_loss", ["none"], lambda t, x, y, v: t.nn.functional.l1_loss(x, y, reduction=v)),
    **each("smooth_l1_loss", [0, .5, 1.], 
           lambda t, x, y, v: t.nn.functional.smooth_l1_loss(x, y, reduction="none", beta=v)),
    **each("huber_loss", [.5, 1., 2.], 
           lambda t, x, y, v: t.nn.functional.huber_loss(x, y, reduction="none", delta=v)),
    **each("binary_cross_entropy", [None], 
           lambda t, x, y, v: t.nn.functional.binary_cross_entropy(x, y, reduction="none")),
    **each("kl_div", [False, True],
           lambda t, x, y, v: t.nn.functional.kl_div(x, y, reduction="none", log_target=v)),
    **each("poisson_nll_loss", [False, True],
           lambda t, x, y, v: t.nn.functional.poisson_nll_loss(x, y, log_input=v, full=True, reduction="none")),
    "gaussian_nll_loss": lambda t, x, y: t.nn.functional.gaussian_nll_loss(x, x * 0 + 1, y * y, reduction="none"),
    "hinge_embedding_loss": lambda t, x, y: t.nn.functional.hinge_embedding_loss(x, y.detach(), reduction="none"),
    "margin_ranking_loss": lambda t, x, y: t.nn.functional.margin_ranking_loss(x, y, y, 0.5, reduction="none"),
    "cosine_embedding_loss": lambda t, x, y: t.nn.functional.cosine_embedding_loss(
        t.stack([x, y], 1), t.tensor([[1., -1.]], dtype=x.dtype), y.detach(), reduction="none"),
    "triplet_margin_loss": lambda t, x, y: t.nn.functional.triplet_margin_loss(
        x.reshape(-1, 1), y.reshape(-1, 1), t.ones_like(x).reshape(-1, 1), reduction="none"),
    "soft_margin_loss": lambda t, x, y: t.nn.functional.soft_margin_loss(x, y.detach(), reduction="none"),
    **each("bce_with_logits", [None], 
           lambda t, x, y, v: t.nn.functional.binary_cross_entropy_with_logits(x, y, reduction="none")),
}


#: of these PyTorch has the values alone
WITHOUT_GRADIENTS = ("heaviside", "igamma", "igammac", "zeta")

WRITTEN_OUT = UNARY | BINARY
UNARY |= {name: call for name, call in of_the_table("Tensor").items() if name not in WRITTEN_OUT}
BINARY |= {name: call for name, call in of_the_table("Tensor", "Tensor").items() if name not in WRITTEN_OUT}


def can_be_derived(tensor):
    """False for what PyTorch records as having no derivative, itself or what it was multiplied with."""
    fn = tensor.grad_fn
    return fn is None or "NotImplemented" not in repr([fn, *[each for each, _ in fn.next_functions]])


def quantities(t, function, arrays):
    """The value, and under "d" and "t" the derivatives in reverse and forward mode: "d0d1" is that of "d0" in 1."""
    fw = t.autograd.forward_ad
    found = {}
    leaves = [t.tensor(array, requires_grad=True) for array in arrays]
    y = found["value"] = function(t, *leaves)
    values_alone = function in [SWEEP[name] for name in WITHOUT_GRADIENTS]
    if values_alone or not y.requires_grad or not can_be_derived(y):
        return found

    def derive(name, of):
        for i, x in enumerate(leaves):
            if name[:1] == "t" and function is BINARY["binary_cross_entropy(None)"]:
                continue                # PyTorch raises "ZeroTensors are immutable", or has nan
            (found[f"{name}d{i}"],) = t.autograd.grad(of, x, t.ones_like(of), create_graph=True, allow_unused=True)

    derive("", y)
    for i in range(len(leaves)):
        first = found[f"d{i}"]
        if first is not None and first.requires_grad and can_be_derived(first):
            derive(f"d{i}", first)
    for i, x in enumerate(leaves):
        with fw.dual_level():
            dual = function(t, *[fw.make_dual(z, t.ones_like(z).detach()) if z is x else z for z in leaves])
            tangent = found[f"t{i}"] = fw.unpack_dual(dual).tangent
            if tangent is not None and tangent.requires_grad and can_be_derived(tangent):
                derive(f"t{i}", tangent)
    return found


def as_array(tensor, like):
    """No gradient is a gradient of zero."""
    return np.zeros_like(like) if tensor is None else np.asarray(tensor.detach().numpy(force=True))


def differ(ours, theirs, signs):
    """Where: nan, inf, the number, or (with ``signs``) the sign of a zero."""
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
    if ours.dtype.kind == "b":
        return ours != theirs
    single = ours.dtype == np.float32
    with np.errstate(all="ignore"):
        far = ~np.isclose(ours, theirs, rtol=1e-4 if single else 1e-7, atol=1e-6 if single else 1e-8, equal_nan=True)
        return far | (signs & (ours == 0) & (theirs == 0) & (np.signbit(ours) != np.signbit(theirs)))


class Known:
    """A difference on purpose: of which functions, in which derivatives, at which points, and why.

    A function is named with its parameter or without, a derivative by its kind or as in ``quantities``.
    What differs on some processors only is said to be ``by_machine``.
    """

    def __init__(self, names, of, where, why, by_machine=False):
        self.names, self.of, self.where, self.why = names.split(), of.split(), where, why
        self.by_machine = by_machine

    def __str__(self):
        return f"{' '.join(self.names)}, {' '.join(self.of)}: {self.why}"

    def concerns(self, label):
        return not {label, label.split("(")[0]}.isdisjoint(self.names)

    def covers(self, label, quantity):
        return self.concerns(label) and not {kind(quantity), quantity}.isdisjoint(self.of)


def kind(quantity):
    return "second" if len(quantity) == 4 else {"v": "value", "t": "tangent", "d": "gradient"}[quantity[0]]


def at_the_edge(*x):
    """Where one of them is 0, inf or nan, or so small or large that a square is."""
    return np.any([~((abs(each) > 1e-37) & (abs(each) < 1e38)) for each in x], axis=0)


def at_nan(x, y):
    with np.errstate(invalid="ignore"):
        return np.isnan(x - y)


KNOWN = [
    Known("atan2", "gradient", lambda y, x: (np.abs(y) < 1e-37) & (np.abs(x) < 1e-37),
          "PyTorch's square of it is 0, and so is its gradient"),
    Known("acosh", "gradient tangent second", lambda x: x < 1, "no slope where there is no value; PyTorch's is finite"),
    Known("digamma", "gradient tangent", lambda x: (x < 0) & (x == np.floor(x)),
          "at the poles PyTorch's derivatives are large numbers"),
    Known("digamma lgamma", "second", lambda x: (x < 0) & (x == np.floor(x)),
          "at the poles PyTorch's derivatives are large numbers, or nan"),
    Known("digamma lgamma", "second", lambda x: ~(np.abs(x) < 1e-8),
          "PyTorch's psi_2 is nan at inf, and takes years at -3e38"),
    Known("logit", "second", lambda x: (x <= 1e-8) | (x >= 1) | (x != x), "inf and nan of a branch that is not taken"),
    Known("hardtanh relu6", "gradient tangent", lambda x: x != x,
          "by the length of the tensor PyTorch's gradient at nan is 1 or 0"),
    Known("hardshrink softshrink", "gradient tangent", lambda x: x != x,
          "by the length of the tensor PyTorch's gradient at nan is 1 or 0"),
    Known("prelu", "second tangent", lambda x, y: x == 0, "at 0 all derivatives follow the choice of the gradient"),
    Known("hardswish", "gradient tangent", lambda x: x != x, "by the length of the tensor PyTorch's is 1 or nan"),
    Known("softshrink", "value", lambda x: x <= 0, "which zero it is depends on the place in PyTorch", by_machine=True),
    Known("elu celu selu", "gradient tangent second", lambda x: x != x,
          "by the length of the tensor PyTorch's gradient at nan is nan or 1"),
    Known("gelu", "value", lambda x: np.abs(x) > 1e30, "0 or x, where PyTorch computes inf * 0"),
    Known("gelu(tanh)", "gradient tangent", lambda x: np.abs(x) > 1e30, "0 or 1, where PyTorch computes 0 * inf"),
    Known("gelu", "value", lambda x: (x == 0) | (x < -14), "which zero it is depends on the machine in PyTorch",
          by_machine=True),
    Known("acosh asinh atanh erf erfc", "second", lambda x: np.abs(x) > 1e30, "0, where PyTorch computes inf * 0"),
    Known("number/x(0.0) number/x(-0.0)", "gradient second", lambda x: (np.abs(x) < 1e-20) & (x != 0),
          "0, where the square in PyTorch's formula overflows"),
    Known("number/x(inf) number/x(-inf)", "gradient second", lambda x: np.isfinite(x) & (np.abs(x) > 1e30),
          "inf, where the square in PyTorch's formula vanishes"),
    Known("angle sgn", "second", lambda x: ~np.isfinite(x), "of nan comes nan"),
    Known("sinc", "gradient tangent second", lambda x: np.abs(x) < 0.01,
          "all digits near 0, where PyTorch's digits cancel, and no nan at 0"),
    Known("mish", "second", lambda x: x > 80, "0, where PyTorch computes inf / inf"),
    Known("number_pow(0.0) number_pow(-0.0)", "second", lambda x: x >= 0,
          "0**y does not move with y > 0; PyTorch computes 0 * inf"),
    Known("addcdiv", "gradient second", at_the_edge, "PyTorch's quotients are inf or nan earlier"),
    Known("div true_divide", "second", at_the_edge, "PyTorch computes with the quotient, which is inf or nan"),
    Known("pow", "second", lambda x, y: (x == 0) | (y == 0),
          "symmetric second derivatives, and 0 where a power of 0 is flat"),
    Known("pow", "t0d0 t0d1", lambda x, y: (x < 0) | at_the_edge(x, y),
          "below 0 and where powers are inf PyTorch's tangent has a gradient of nan, by way of a logarithm"),
    Known("atan2", "tangent second", at_the_edge,
          "at the origin all slopes are 0; far away PyTorch's second ones are nan"),
    Known("maximum minimum fmax clamp_min clamp_max", "tangent", lambda x, y: (x == y) | (x != x) | (y != y),
          "forward mode makes the choice of reverse mode"),
    Known("clamp", "tangent", lambda x, y: (x != x) | (y != y) | (y + 1 == y),
          "forward mode makes the choice of reverse mode"),
    Known("copysign copysign_number", "second", lambda x, *y: x == 0, "0, where PyTorch computes 0 / 0"),
    Known("remainder fmod", "value", at_the_edge, "exact even where the quotient overflows"),
    Known("smooth_l1_loss huber_loss", "second", at_nan, "at nan as that of hardtanh"),
    Known("maximum minimum clamp_min clamp_max lerp lerp_tensor", "value", lambda x, y: y == 0,
          "which zero it is depends on the length of the tensor in PyTorch", by_machine=True),
    Known("lerp_tensor", "value", lambda x, y: np.abs(y) > 1e38,
          "PyTorch rounds once for a product and a sum where the processor can", by_machine=True),
    Known("logaddexp", "second", lambda x, y: ~(np.abs(x - y) < 80), "0, where PyTorch computes inf / inf"),
    Known("logaddexp2", "second", lambda x, y: ~(np.abs(x - y) < 80), "0, where PyTorch computes inf / inf"),
    Known("ldexp", "value gradient tangent second", lambda x, y: (x == 0) | np.isinf(x),
          "exact where 2**y overflows: PyTorch computes 0 * inf"),
    Known("mse_loss", "tangent", lambda x, y: ~(np.abs(x - y) < 1e38), "the gradient is inf, and so is the tangent"),
    Known("bce_with_logits", "second", lambda x, y: x != x, "nan, where PyTorch has -1"),
    Known("binary_cross_entropy", "tangent", lambda x, y: (x == 0) | (x == 1),
          "forward mode is reverse mode turned around"),
    Known("kl_div", "gradient tangent", at_the_edge, "-inf, where PyTorch computes 0 / 0"),
    Known("kl_div(False)", "second", at_the_edge, "inf, where PyTorch computes 0 / 0"),
    Known("poisson_nll_loss", "gradient", lambda x, y: (y <= 0) | at_the_edge(x, y),
          "no nan of Stirling's formula where it is not taken"),
    Known("poisson_nll_loss", "second tangent", at_the_edge, "no nan of Stirling's formula where it is not taken"),
    Known("gaussian_nll_loss soft_margin_loss", "gradient tangent", at_the_edge,
          "where squares or exponentials are inf"),
    Known("gaussian_nll_loss soft_margin_loss", "second", at_the_edge, "where squares or exponentials are inf"),
    Known("soft_margin_loss", "value", at_the_edge, "without overflow, or with it"),
    Known("triplet_margin_loss", "tangent", at_the_edge, "nan, where PyTorch's is 0 although its value is nan"),
    Known("margin_ranking_loss cosine_embedding_loss", "tangent", at_the_edge,
          "forward mode is reverse mode turned around, and 0 * inf is nan"),
    Known("cosine_embedding_loss", "value", at_the_edge, "which zero it is", by_machine=True),
    Known("bce_with_logits", "value", at_the_edge, "inf and x y, where PyTorch computes inf - inf"),
    Known("bessel_j0 bessel_j1 bessel_y0 bessel_y1", "value", lambda x: np.abs(x) > 5,
          "PyTorch's are wrong by 1e-7 at 6 and by 1e-5 at 10^6"),
    Known("airy_ai", "value", lambda x: (x < -2) | np.isinf(x), "PyTorch's is wrong by 2e-7 at -2.5, and nan at inf"),
    Known("i0 i1", "value gradient tangent second", lambda x: ~(np.abs(x) < 80),
          "inf where the function is, and not where exp(x) is; PyTorch's is nan at inf, and its slopes finite at nan"),
    Known("i1", "second", lambda x: np.abs(x) < 0.01, "all digits near 0, where PyTorch's digits cancel"),
    Known("i1e", "gradient tangent", lambda x: x != x, "PyTorch's slope at nan is finite"),
    Known("i1e", "second", lambda x: ~(np.abs(x) > 0.01), "-1 and 1 beside 0, where PyTorch has 0"),
    Known("modified_bessel_i0 modified_bessel_i1", "value", lambda x: np.abs(x) > 80,
          "inf where the function is; PyTorch's is nan at inf"),
    Known("modified_bessel_k0 modified_bessel_k1 scaled_modified_bessel_k0 scaled_modified_bessel_k1", "value",
          lambda x: (x > 0) & (x < 1e-300), "right for subnormal numbers, too"),
    Known("erfcx", "gradient tangent", lambda x: x > 1e30, "0, where PyTorch computes inf * 0"),
    Known("erfcx", "second", lambda x: x > 5, "digits cancel in both"),
    Known("ndtr", "second", lambda x: np.abs(x) > 1e30, "0, where PyTorch computes inf * 0"),
    Known("log_ndtr", "gradient tangent second", lambda x: (x < -5) | (x > 1e30),
          "all digits in the tail, where PyTorch's cancel"),
    Known("mvlgamma", "gradient tangent", lambda x: x == 0, "at the pole the sign of zero counts, as in digamma"),
    Known("mvlgamma", "second", lambda x: x <= 1e-8, "at the poles PyTorch's derivatives are large numbers"),
    Known("zeta", "value", lambda s, q: ~(np.abs(s) < 1e30) | np.isinf(q), "0 for large numbers, nan of nan"),
    Known("igamma igammac", "value", lambda x, y: (x != x) | (y != y), "nan of nan"),
    Known("igamma", "value", lambda x, y: x < 1e-30, "right for subnormal numbers, too"),
    Known("chebyshev_polynomial_u chebyshev_polynomial_v chebyshev_polynomial_w hermite_polynomial_h "
          "hermite_polynomial_he laguerre_polynomial_l legendre_polynomial_p shifted_chebyshev_polynomial_t "
          "shifted_chebyshev_polynomial_u shifted_chebyshev_polynomial_v shifted_chebyshev_polynomial_w", "value",
          lambda x, n: ~(np.abs(x) < 1e30), "inf and not nan where they are too large, and nan of nan"),
]


def known(label, quantity, arrays):
    mask = np.zeros(arrays[0].shape, bool)
    for entry in KNOWN:
        if entry.covers(label, quantity):
            mask |= entry.where(*arrays)
    return mask


def points(dtype):
    return [np.array(POINTS + (EXTREME if dtype == "float64" else []), dtype)]


def pairs(label, dtype):
    x, y = np.array(PAIRS, dtype).T.copy()
    inside = np.ones(x.shape, bool)
    if "cross" in label or "bce" in label:
        inside = (y >= 0) & (y <= 1) & ((x >= 0) & (x <= 1) if "cross" in label else True)
        inside |= ("bce" in label) & np.isinf(y)
    return [x[inside], y[inside]]


SWEEP = UNARY | BINARY


def in_pytorch(label):
    """False if no sample of this function is compared with PyTorch, because that has none."""
    samples = [row for row in SAMPLES if row.name == label]
    return not samples or any(row.torch for row in samples)


@functools.cache
def differences(label, dtype):
    """The arguments; and of each quantity where it differs from PyTorch's, ours and theirs."""
    torch = pytest.importorskip("torch")
    arrays = points(dtype) if label in UNARY else pairs(label, dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours, theirs = [quantities(t, SWEEP[label], arrays) for t in (minigrad, torch)]
    found = {}
    for name in sorted(ours.keys() | theirs.keys()):
        a, b = as_array(ours.get(name), arrays[0]), as_array(theirs.get(name), arrays[0])
        found[name] = differ(a, b, signs=name == "value"), a, b
    return arrays, found


@pytest.mark.parity
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("label", [label for label in SWEEP if in_pytorch(label)])
def test_as_in_pytorch(label, dtype):
    arrays, found = differences(label, dtype)
    faults, of = [], {}
    for name, (wrong, a, b) in found.items():
        for i in np.flatnonzero(wrong & ~known(label, name, arrays))[:3]:
            faults.append(f"{name} at {[float(x[i]) for x in arrays]}: {a[i]} instead of {b[i]}")
            of[kind(name)] = True
    assert not faults, "\n".join([*faults, "Correct the row. If PyTorch's are the worse answers, say so in KNOWN:",
                                  f"Known({label.split('(')[0]!r}, {' '.join(of)!r}, lambda x: x < 0, 'why')"])


@pytest.mark.parity
@pytest.mark.parametrize("entry", [entry for entry in KNOWN if not entry.by_machine], ids=str)
def test_what_is_known_to_differ_still_does(entry):
    """For each of its functions and each of its derivatives there is a point that needs the entry."""
    needed = set()
    for label, dtype in itertools.product(filter(entry.concerns, SWEEP), ["float32", "float64"]):
        arrays, found = differences(label, dtype)
        needed |= {(name, of) for quantity, (wrong, *_) in found.items() if (wrong & entry.where(*arrays)).any()
                   for name in (label, label.split("(")[0]) for of in (kind(quantity), quantity)}
    assert [each for each in itertools.product(entry.names, entry.of) if each not in needed] == []


# ------------------------------------------------------------------------------ without PyTorch


#: the elementwise rows that the sweep does not run, and why not
ELSEWHERE = {
    **dict.fromkeys("zero fill.Scalar copy identity_like".split(),
                    "what is written does not depend on what was there"),
    **dict.fromkeys("""normal normal_mean normal_std normal_both bernoulli.float bernoulli.Tensor bernoulli_each
                       bernoulli_one uniform log_normal exponential cauchy random random.to random.from
                       geometric poisson_row binomial_row standard_gamma""".split(),
                    "numbers at random"),
    "halved_at_ties": "is the gradient of maximum and minimum, whose values are compared: it is linear, and leaves no "
                      "graph",
    "clamp_share": "is the gradient of clamp, which is compared: it is linear, and leaves no graph",
    "share": "runs in logcumsumexp: the tests of that are below",
    **{f"special_{name}": "has no derivative" for name in UNDERIVED + POLYNOMIALS},
    **dict.fromkeys("lstm_state lstm_output lstm_gate_backward lstm_tanh_backward".split(),
                    "is a part of lstm_cell, which PyTorch has as a whole"),
    "standard_gamma_grad": "is the gradient of a draw", "dirichlet_grad": "is the gradient of a draw",
    "gamma_density": "is the gradient of igamma and igammac, which PyTorch does not derive in forward mode",
}


@functools.cache
def rows_of_the_sweep():
    """The names of the nodes in the graphs of all quantities."""
    names, seen = set(), set()
    for label, function in SWEEP.items():
        arrays = points("float64") if label in UNARY else pairs(label, "float64")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            todo = [each.grad_fn for each in quantities(minigrad, function, arrays).values() if each is not None]
        while todo:
            node = todo.pop()
            if node is not None and node not in seen:
                seen.add(node)
                names.add(node.name())
                todo += [each for each, _ in node.next_functions]
        seen.clear()
    return names


def test_every_elementwise_row_takes_part_or_says_why_not():
    found = rows_of_the_sweep()
    left_out = {name for name, row in ROWS.items()
                if row.kind in DIFFERENTIABLE and row.node_name not in found}
    assert left_out <= ELSEWHERE.keys(), (
        f"no call of UNARY or BINARY runs {sorted(left_out - ELSEWHERE.keys())}: add one for each, such as "
        "**each('name', [.5, inf], lambda t, x, v: t.name(x, v)); where that is impossible, ELSEWHERE says why")
    assert ELSEWHERE.keys() <= left_out, f"ELSEWHERE lists rows that take part: {sorted(ELSEWHERE.keys() - left_out)}"


def test_a_new_elementwise_row_takes_part():
    with the_table_as_it_was():
        elementwise("bent(Tensor self, Scalar by=2)", lambda self, by: by * self, self=lambda d, by: by * d)
        elementwise("bent_both(Tensor self, Tensor other)", np.add, self=lambda d: d, other=lambda d: d)
        elementwise("bent_by(Tensor self, Scalar by)", lambda self, by: by * self, self=lambda d, by: by * d)
        assert "bent" in of_the_table("Tensor") and "bent_both" in of_the_table("Tensor", "Tensor")
        assert "bent_by" not in of_the_table("Tensor") | of_the_table("Tensor", "Tensor")


def test_what_compares_takes_part_if_it_answers_for_each_element():
    with the_table_as_it_was():
        not_differentiable("odd(Tensor self)", lambda self: self % 2 != 0)
        not_differentiable("any_odd(Tensor self)", lambda self: np.any(self % 2 != 0))
        assert "odd" in of_the_table("Tensor") and "any_odd" not in of_the_table("Tensor")


def same(a, b):
    """The same numbers (but for the last digits, which depend on the loop), nan, inf and signs of zero."""
    return not np.any(differ(np.asarray(a), np.asarray(b), signs=True))


@pytest.mark.parametrize("label", [label for label in UNARY if label not in ("number_pow(-0.0)", "number_pow(-inf)")])
def test_every_layout_and_vmap_agree(label):
    """Long and dense, with gaps, without dims, batched: NumPy and the core have a loop for each.

    (NumPy takes square roots where the exponent is a single 0.5, and the root of -0. is -0.)
    """
    function = UNARY[label]
    x = minigrad.tensor(np.tile(np.array(POINTS, np.float32), 5))
    expected = function(minigrad, x)
    apart = minigrad.stack([x, x], 1)[:, 0]
    assert not apart.is_contiguous()
    assert same(function(minigrad, apart), expected)
    assert same(minigrad.func.vmap(lambda z: function(minigrad, z))(x), expected)
    for number, value in zip(x[:len(POINTS)].unbind(), expected[:len(POINTS)].unbind(), strict=True):
        assert same(function(minigrad, number), value)


def signs(tensor):
    return "".join(["-" if each else "+" for each in tensor.signbit().tolist()])


def test_a_zero_keeps_its_sign():
    zeros = minigrad.tensor([0., -0.])
    F = minigrad.nn.functional
    for function in (minigrad.relu, F.relu6, F.hardtanh, F.elu, F.selu, F.celu, lambda x: x.clamp(0, 1),
                     lambda x: x.clamp_min(0), lambda x: x.clamp_max(0), lambda x: x.clamp(-0., 0.),
                     lambda x: x % 2, lambda x: x % -2):
        assert signs(function(zeros)) == "+-"
    assert signs(minigrad.fmax(zeros, -zeros)) == signs(minigrad.fmin(zeros, -zeros)) == "+-"
    assert signs(minigrad.tensor([-4., 4.]) % minigrad.tensor([2., -2.])) == "-+"


def second(function, x):
    x = minigrad.tensor(x, requires_grad=True)
    (g,) = minigrad.autograd.grad(function(x), x, create_graph=True)
    return minigrad.autograd.grad(g, x)[0].item()


def test_at_a_knot_the_second_derivative_is_that_of_the_straight_side():
    F, zero = minigrad.nn.functional, minigrad.tensor(0.)
    for function in (F.elu, F.selu, F.celu):
        assert second(function, 0.) == 0
    assert second(lambda x: F.softplus(x, 2., 3.), 1.5) == 0
    for knot in (2., -2.):
        assert second(lambda x: F.huber_loss(x, zero, delta=2.), knot) == 0
        assert second(lambda x: F.smooth_l1_loss(x, zero, beta=2.), knot) == 0
        assert second(lambda x: F.huber_loss(x, zero, delta=2.), 0.9 * knot) == 1


def test_a_power_whose_exponent_is_a_zero_tensor():
    """x**y has the mixed second derivative x^(y-1) (1 + y log x), 1/x at y = 0, in whichever order it is taken."""
    for x, expected in ((2., 0.5), (0.5, 2.)):
        x, y = minigrad.tensor(x, requires_grad=True), minigrad.tensor(0., requires_grad=True)
        by_x, by_y = minigrad.autograd.grad(x**y, [x, y], create_graph=True)
        assert by_x == 0
        mixed = [minigrad.autograd.grad(g, z, retain_graph=True)[0] for g, z in ((by_x, y), (by_y, x))]
        assert mixed == [expected, expected]
    for base in (0., -2.):
        x = minigrad.tensor(base, requires_grad=True)
        (by_x,) = minigrad.autograd.grad(x**minigrad.tensor(0.), x, create_graph=True)
        assert by_x == 0 and minigrad.autograd.grad(by_x, x)[0] == 0


def test_polygamma_ends_at_any_argument():
    """In a process of its own: a loop that climbs up from -1e300 would never end."""
    program = ("import minigrad as m; x = m.tensor([-1e6 - .5, -1e15 - .25, -1e300, -m.inf], dtype=m.float64); "
               "m.digamma(x), m.polygamma(1, x), m.polygamma(2, x), m.polygamma(10**6, x)")
    root = Path(__file__).resolve().parents[3]
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120,
                   env={**os.environ, "PYTHONPATH": str(root)})


def test_polygamma_far_below_zero_and_at_its_poles():
    x = minigrad.tensor([-1e6 - .5, -1e15 - .25, -1e300, -inf, inf, 0., -3., -5.5], dtype=minigrad.float64)
    assert minigrad.digamma(x)[:5].isnan().tolist() == [False, False, True, True, False]
    one, two = minigrad.polygamma(1, x), minigrad.polygamma(2, x)
    np.testing.assert_allclose(one[[0, 7]].numpy(), [math.pi**2 - 1e-6, 9.70331986534], rtol=1e-8)
    assert one[[2, 4, 5, 6]].tolist() == [inf, 0, inf, inf] and two[[2, 4, 5, 6]].tolist() == [-inf, 0, -inf, -inf]
    assert abs(two[0] + 1e-12) < 1e-13                      # the terms on both sides of zero cancel
    for n in (100, 171, 10**6):
        assert minigrad.polygamma(n, x).shape == x.shape


def test_hardtanh_of_integers_is_of_integers():
    F, whole = minigrad.nn.functional, minigrad.tensor([-3, 0, 9])
    assert F.hardtanh(whole).tolist() == [-1, 0, 1] and F.relu6(whole).dtype is minigrad.int64
    assert F.hardtanh(whole, -1.5, 2.5).tolist() == [-1, 0, 2]


@pytest.mark.parametrize("torch", [minigrad, pytest.param("torch", marks=pytest.mark.parity)])
def test_bounds_that_are_refused(torch):
    torch = pytest.importorskip("torch") if torch == "torch" else torch
    F = torch.nn.functional
    with refuses(ValueError, "min_val cannot be greater than max_val", "MG207"):
        F.hardtanh(torch.tensor([0.]), 1., -1.)
    with refuses(RuntimeError, "cannot do hardtanh on an unsigned type with negative limits", "MG204"):
        F.hardtanh(torch.tensor([0], dtype=torch.uint8))
    for outside in (-0.1, 1.1, nan):
        with refuses(RuntimeError, "all elements of target should be between 0 and 1", "MG204"):
            F.binary_cross_entropy(torch.tensor([0.5]), torch.tensor([outside]))


def reverse_and_forward(function, values):
    """The value, the gradient of its sum, that of the gradient, and the tangent along ones."""
    fw = minigrad.autograd.forward_ad
    x = minigrad.tensor(values, requires_grad=True)
    y = function(x)
    (first,) = minigrad.autograd.grad(y.sum(), x, create_graph=True)
    (again,) = minigrad.autograd.grad(first.sum(), x)
    with fw.dual_level():
        tangent = fw.unpack_dual(function(fw.make_dual(x.detach(), minigrad.ones_like(x)))).tangent
    return [each.tolist() for each in (y, first, again, tangent)]


@pytest.mark.parametrize("values, expected, gradient", [
    ([-inf, -inf, 0., 0.], [-inf, -inf, 0., math.log(2)], [0, 0, 1.5, 0.5]),
    ([-inf], [-inf], [0]),
    ([0., inf, 0.], [0, inf, inf], [1, 2, 0]),
    ([0., inf, inf, -inf], [0, inf, inf, inf], [1, 2, 1, 0]),
    ([3e38, 3e38, -3e38], [3e38, 3e38, 3e38], [2, 1, 0]),
    ([1000., -1000., 1000.], [1000, 1000, 1000 + math.log(2)], [2.5, 0, 0.5]),
])
def test_logcumsumexp_of_infinite_and_huge_entries(values, expected, gradient):
    """The shares of an entry in the sums after it are finite and add up to 1: PyTorch has nan, or [1, 1, 0] at 3e38."""
    y, first, again, tangent = reverse_and_forward(lambda x: minigrad.logcumsumexp(x, 0), values)
    assert y == pytest.approx(expected) and first == pytest.approx(gradient) and again == [0] * len(values)
    assert tangent == [0 if each == -inf else 1 for each in expected]
    slope = minigrad.func.grad(lambda x: minigrad.logcumsumexp(x, 0).sum())
    batch = minigrad.func.vmap(slope)(minigrad.tensor([values, values]))
    assert batch.tolist() == [pytest.approx(gradient)] * 2


def test_logcumsumexp_of_complex_numbers():
    x = minigrad.tensor([complex(-inf, 2), 1 + 1j, 2 - 1j, .5j], dtype=minigrad.complex128, requires_grad=True)
    y = minigrad.logcumsumexp(x, 0)
    np.testing.assert_allclose(y[1:].detach().exp().numpy(), x[1:].detach().exp().cumsum(0).numpy())
    (g,) = minigrad.autograd.grad(y[1:].abs().sum(), x)
    assert g[0] == 0 and g.isfinite().all()
    finite = x[1:].detach().requires_grad_()
    assert minigrad.autograd.gradcheck(lambda x: minigrad.logcumsumexp(x, 0), finite, check_forward_ad=True)
    assert minigrad.autograd.gradgradcheck(lambda x: minigrad.logcumsumexp(x, 0), finite)


@pytest.mark.parametrize("torch", [minigrad, pytest.param("torch", marks=pytest.mark.parity)])
def test_dtypes_and_dims_of_running_totals_and_rolls(torch):
    torch = pytest.importorskip("torch") if torch == "torch" else torch
    small = torch.tensor([100, 2], dtype=torch.int8)
    assert torch.cumprod(small, 0).tolist() == [100, 200]
    narrow = torch.cumprod(small, 0, dtype=torch.int8)
    assert narrow.dtype is torch.int8 and narrow.tolist() == [100, -56]
    assert torch.diff(small, n=0, prepend=small).tolist() == [100, 2]
    assert torch.roll(torch.tensor(3.), 1) == 3
    with refuses(IndexError, "Dimension specified as 0 but tensor has no dimensions", "MG206"):
        torch.roll(torch.tensor(3.), 1, 0)


@pytest.mark.parametrize("p", [1, 1.5, 2, 3, inf, -1])
def test_the_gradient_of_a_norm_at_zero_is_zero_and_so_is_that_of_the_gradient(p):
    y, first, again, tangent = reverse_and_forward(lambda x: minigrad.linalg.vector_norm(x, p), [0., 0., 0.])
    assert (y, first, again, tangent) == (0, [0] * 3, [0] * 3, 0)


def test_of_equal_entries_the_first_have_the_gradient_and_of_equal_modes_the_last():
    x = minigrad.tensor([1., 2., 2., 2.], requires_grad=True)
    for function, expected in ((lambda x: x.topk(2), [0, 1, 1, 0]), (lambda x: x.kthvalue(3), [0, 0, 1, 0]),
                               (lambda x: x.max(0), [0, 1, 0, 0]), (lambda x: x.mode(), [0, 0, 0, 1])):
        assert minigrad.autograd.grad(function(x).values.sum(), x)[0].tolist() == expected


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_each_infinity_is_found_in_every_floating_dtype(dtype):
    x = minigrad.tensor([1., math.nan, math.inf, -math.inf]).to(getattr(minigrad, dtype))
    assert minigrad.isposinf(x).tolist() == [False, False, True, False]
    assert minigrad.isneginf(x).tolist() == [False, False, False, True]


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64"])
def test_the_distance_of_integers_that_their_dtype_has_no_room_for(torch, dtype):
    least, most = torch.iinfo(getattr(torch, dtype)).min, torch.iinfo(getattr(torch, dtype)).max
    x, y = torch.tensor([[least, most, least, most, least], [0, 0, most, least, least]], dtype=getattr(torch, dtype))
    for options in ({}, {"rtol": 0, "atol": 0}, {"rtol": 0, "atol": 0.5}):
        assert torch.isclose(x, y, **options).tolist() == [False] * 4 + [True]
    assert torch.isclose(y, x, rtol=1).tolist() == [True, True, False, False, True]
    assert not torch.allclose(x, y) and not torch.allclose(y, x)


def test_the_distance_of_large_integers_is_exact():
    """PyTorch makes floats of them first."""
    x = minigrad.tensor([2**62 + 3, -2**62 - 3])
    y = minigrad.tensor([2**62, -2**62])
    assert minigrad.isclose(x, y, rtol=0, atol=3).all() and not minigrad.isclose(x, y, rtol=0, atol=2.5).any()
    x, y = minigrad.tensor([[2**64 - 1], [2**64 - 2]], dtype=minigrad.uint64)
    assert minigrad.isclose(x, y, rtol=0, atol=1) and not minigrad.isclose(x, y, rtol=0, atol=0.5)
    assert minigrad.isclose(x, y)


@pytest.mark.parametrize(("z", "expected", "dtype"), [
    (1e-19 + 1e-18j, 1e-19 + 1e-18j, "complex128"), (1e-9 + 1e-5j, 1.05e-9 + 1e-5j, "complex64"),
    (-1e-9 - 1e-5j, -9.5e-10 - 1e-5j, "complex64"), (3 + 4j, 0.5 * math.log(32) + 1j * math.pi / 4, "complex128"),
    (complex(-1, 0), complex(-math.inf, 0), "complex128"),
    (1e300 + 1e300j, 691.12210216 + 1j * math.pi / 4, "complex128")])
def test_the_logarithm_near_one_keeps_a_small_real_part(torch, z, expected, dtype):
    for shape in ((), (3,)):
        found = torch.log1p(torch.full(shape, z, dtype=getattr(torch, dtype))).flatten()[0].item()
        assert found.real == pytest.approx(expected.real, rel=1e-6, abs=0)
        assert found.imag == pytest.approx(expected.imag, rel=1e-6, abs=0)
