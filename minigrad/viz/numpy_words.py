"""The words of a program in NumPy: short ways to write rows, and what stands for functions that are compiled.

``SHORT`` has for a row the expression that a reader expects, ``x @ w`` for ``mm``.  It is used where it gives what was
computed, which is tried (program.py); else, and for all other rows, the row's own general way is written out
(table_source.py).  So nothing here has to know a derivative, or every case of a row.
"""

import math

import numpy as np

from minigrad._core.backward.accumulate_grad import laid_out_kernel
from minigrad._core.dispatch import axes, compute
from minigrad._core.graph import view_geometry
from minigrad._core.kernels.algebra import lu_and_ldl
from minigrad._core.kernels.loops import copies, new_ufuncs, patched_ufuncs, special_functions
from minigrad._core.kernels.reductions import array_sums
from minigrad._core.runtime import memory_pool, type_promotion

__all__ = ["OF_ARRAYS", "SHORT", "Text", "replacement"]


# ------------------------------------------------------------------------------ short ways

def sums(x, axes, keepdim=False, dtype=None):
    return None if dtype is not None else f"{x}.sum({over(axes, keepdim)})"


def over(axes, keepdim):
    """The arguments of a reduction over axes, as NumPy takes them."""
    axis = "" if axes is None else f"axis={axes[0] if type(axes) is tuple and len(axes) == 1 else axes}"
    return ", ".join(filter(None, [axis, "keepdims=True" if keepdim else ""]))


def between(sign):
    return lambda a, b: f"{a} {sign} {b}"


def called(name):
    return lambda *arguments: f"{name}({', '.join(map(str, arguments))})"


def along(x, dim, index):
    """An index of one dim, from the front or from the back."""
    places = [":"] * dim + [str(index)] if dim >= 0 else ["...", str(index), *[":"] * ~dim]
    return f"{x}[{', '.join(places)}]"


def sliced(x, dim, start, end, step):
    start, end = "" if start in (None, 0) else start, "" if end is None or end == 2 ** 63 - 1 else end
    return along(x, dim, f"{start}:{end}" + ("" if step == 1 else f":{step}"))


def scaled(a, b, sign, alpha):
    return f"{a} {sign} {b}" if alpha == 1 else f"{a} {sign} {alpha} * {b}"


#: row -> the expression, from its arguments: texts of tensors, and other parameters as the kernel gets them.  A way
#: that returns None leaves these arguments to the general way.
SHORT = {
    "add": lambda a, b, alpha=1: scaled(a, b, "+", alpha),
    "sub": lambda a, b, alpha=1: scaled(a, b, "-", alpha),
    "rsub.Scalar": lambda a, b, alpha=1: scaled(b, a, "-", alpha),
    "mul": between("*"), "div": between("/"), "neg": lambda x: f"-{x}",
    "mm": between("@"), "mv": between("@"), "bmm": between("@"), "dot": between("@"), "times": between("@"),
    "addmm": lambda c, a, b, beta=1, alpha=1: f"{c} + {a} @ {b}" if beta == alpha == 1 else None,
    "pow.Tensor_Scalar": between("**"), "pow.Tensor_Tensor": between("**"),
    "exp": called("np.exp"), "log": called("np.log"), "sin": called("np.sin"), "cos": called("np.cos"),
    "tanh": called("np.tanh"), "sqrt": called("np.sqrt"), "abs": called("np.abs"), "sign": called("np.sign"),
    "sigmoid": lambda x: f"1 / (1 + np.exp(-{x}))",
    "relu": lambda x: f"np.maximum({x}, 0)",
    "reciprocal": lambda x: f"1 / {x}", "rsqrt": lambda x: f"1 / np.sqrt({x})", "square": lambda x: f"{x} * {x}",
    "eq": between("=="), "ne": between("!="), "lt": between("<"), "le": between("<="), "gt": between(">"),
    "ge": between(">="), "logical_not": lambda x: f"~{x}", "logical_and": between("&"), "logical_or": between("|"),
    "maximum": called("np.maximum"), "minimum": called("np.minimum"),
    "where.self": called("np.where"),
    "keep": lambda d, mask: f"np.where({mask}, {d}, 0)",
    "masked_fill.Scalar": lambda x, mask, value: f"np.where({mask}, {value}, {x})",
    "masked_fill.Tensor": lambda x, mask, value: f"np.where({mask}, {value}, {x})",
    "sum": lambda x, dtype=None: sums(x, None, False, dtype), "sum.dim_IntList": sums,
    "mean": lambda x, dtype=None: None if dtype is not None else f"{x}.mean()",
    "mean.dim": lambda x, axes=None, keepdim=False, dtype=None:
        None if dtype is not None else f"{x}.mean({over(axes, keepdim)})",
    "t": lambda x: f"{x}.T", "transpose": lambda x, a, b: f"{x}.swapaxes({a}, {b})",
    "permute": lambda x, dims: f"{x}.transpose({', '.join(map(str, dims))})",
    "view": lambda x, shape: f"{x}.reshape({shape})",
    "reshape_to": lambda x, shape: f"{x}.reshape({shape})",
    "unsqueeze": lambda x, dim: f"np.expand_dims({x}, {dim})", "squeeze.dim": lambda x, dim: f"{x}.squeeze({dim})",
    "expand": lambda x, shape, implicit=False: f"np.broadcast_to({x}, {shape})",
    "slice": sliced,
    "clone": lambda x, memory_format=None: f"{x}.copy()",
    "fill.Scalar": lambda x, value: value, "fill.Tensor": lambda x, value: value,
    "copy": lambda x, source, non_blocking=False: source,
    "zeros_of": called("np.zeros_like"),
    "conj": called("np.conj"), "real": lambda x: f"{x}.real", "imag": lambda x: f"{x}.imag",
    "tanh_backward": lambda d, y: f"{d} * (1 - {y} * {y})",
    "sigmoid_backward": lambda d, y: f"{d} * {y} * (1 - {y})",
    "threshold_backward": lambda d, x, threshold: f"np.where({x} > {threshold}, {d}, 0)",
    "cat": lambda tensors, dim=0: f"np.concatenate([{', '.join(tensors)}], axis={dim})",
    "stack": lambda tensors, dim=0: f"np.stack([{', '.join(tensors)}], axis={dim})",
}


# Of these the expression depends on the array.

def adjoint(x, array):
    transposed = f"{x}.T" if array.ndim == 2 else f"{x}.mT"
    return f"{transposed}.conj()" if array.dtype.kind == "c" else transposed


def summed_to(x, array, wanted):
    """The sum over what was broadcast from ``wanted``."""
    shape, wanted = array.shape, tuple(wanted)
    lead = len(shape) - len(wanted)
    axes = tuple([i for i, n in enumerate(shape) if i < lead or wanted[i - lead] == 1 and n != 1])
    if not axes:
        return f"{x}.reshape({wanted})"
    if not wanted:
        return f"{x}.sum()"
    plain = f"{x}.sum({over(axes, lead == 0)})"
    return plain if lead == 0 or len(axes) == lead else f"{plain}.reshape({wanted})"


def spread(x, array, shape, dim=None, keepdim=False):
    """A reduced array over the shape that was reduced."""
    own, shape = array.shape, tuple(shape)
    if not own:
        return f"np.broadcast_to({x}, {shape})"
    kept = tuple([1 if dim is None or i in dim else n for i, n in enumerate(shape)])
    return f"np.broadcast_to({x if kept == own else f'{x}.reshape({kept})'}, {shape})"


def selected(x, array, dim, index):
    """One place of a dim; of one dim NumPy's plain index would give a number, and no view."""
    return f"{x}[{index}, ...]" if array.ndim == 1 else along(x, dim, index)


OF_ARRAYS = {"adjoint": adjoint, "select": selected, "sum_to": summed_to, "expand_reduced": spread}


# ------------------------------------------------------------------------------ what stands for compiled functions

class Text:
    """An expression, and the imports that it needs."""

    def __init__(self, text, *imports):
        self.text, self.imports = text, imports


def scipys(name):
    return Text(f"special.{name}", "from scipy import special")


def total(array, axes=None, keepdims=False):
    """The sum over a tuple of axes, None for all; integers are added as int64, 16 bits in single precision."""
    if array.dtype.kind in "biu":
        return np.asarray(np.add.reduce(array, axis=axes, keepdims=keepdims, dtype=np.int64))
    return np.asarray(np.add.reduce(array, axis=axes, keepdims=keepdims))


def running(what, array, coefficients, axis, backwards=False):
    """Running sums, products, or s = a s + b along an axis, in double precision; None for other dtypes."""
    if array.dtype.kind != "f" or array.dtype.itemsize < 4:
        return None
    step = slice(None, None, -1 if backwards else 1)
    out = np.moveaxis(array, axis, 0)[step].astype(np.float64)
    factors = None if coefficients is None else np.moveaxis(coefficients, axis, 0)[step]
    for i in range(1, len(out)):
        if what == "product":
            out[i] *= out[i - 1]
        else:
            out[i] += out[i - 1] * (1 if factors is None else factors[i])
    return np.ascontiguousarray(np.moveaxis(out[step], 0, axis)).astype(array.dtype)


def erf(x):
    """The error function, number by number."""
    return np.vectorize(math.erf, otypes=[x.dtype])(x) if x.size else x.copy()


def erfc(x):
    """1 - erf(x), number by number."""
    return np.vectorize(math.erfc, otypes=[x.dtype])(x) if x.size else x.copy()


def normal_cdf(x):
    """The probability that a normal variable is below x."""
    return np.vectorize(lambda each: math.erfc(-each / math.sqrt(2)) / 2, otypes=[x.dtype])(x) if x.size else x.copy()


def lgamma(x):
    """The logarithm of |Gamma(x)|, number by number; inf at its poles."""
    def one(each):
        whole = each <= 0 and each == math.floor(each)
        return math.inf if whole or math.isinf(each) else math.lgamma(each)
    return np.vectorize(one, otypes=[x.dtype])(x) if x.size else x.copy()


def factor(a, pivots, info, pivot):
    """Make L and U of each matrix, in place, by elimination; ``info`` has the first pivot that is zero, or 0."""
    for i in np.ndindex(a.shape[:-2]):
        m, least = a[i], min(a.shape[-2:])
        for k in range(least):
            row = k + int(np.argmax(np.abs(m[k:, k]))) if pivot else k
            pivots.reshape(*a.shape[:-2], least)[i + (k,)] = row + 1
            if row != k:
                m[[k, row]] = m[[row, k]]
            if m[k, k] == 0:
                if not info.reshape(a.shape[:-2])[i]:
                    info.reshape(a.shape[:-2])[i] = k + 1
                continue
            m[k + 1:, k] /= m[k, k]
            m[k + 1:, k + 1:] -= np.outer(m[k + 1:, k], m[k, k + 1:])


def swap_rows(x, pivots, back):
    """Exchange the rows of each matrix in place as the pivots say, in their order or backwards."""
    pivots = pivots.reshape(*x.shape[:-2], -1)
    for i in np.ndindex(x.shape[:-2]):
        order = list(enumerate(pivots[i] - 1))
        for k, row in reversed(order) if back else order:
            if row != k:
                x[i][[k, row]] = x[i][[row, k]]


def substitute(a, x, upper, unit):
    """Put X in T X = B in the memory of B, for the upper or lower triangle T of each matrix ``a``."""
    n = a.shape[-1]
    for k in reversed(range(n)) if upper else range(n):
        rest = slice(k + 1, n) if upper else slice(0, k)
        x[..., k:k + 1, :] -= np.matmul(a[..., k:k + 1, rest], x[..., rest, :])
        if not unit:
            x[..., k, :] /= a[..., k, k][..., None]


def address(array):
    """Where the first element is in memory."""
    return array.__array_interface__["data"][0]


def laid_out(gradient, like):
    """A copy of the gradient."""
    return gradient.copy()


def one_dim(dim, ndim, name):
    """The axis, counted from the front."""
    return dim % max(ndim, 1)


def many_dims(dim, ndim, name):
    """A dim, several, or None for all, as axes."""
    if dim is None or dim == () or dim == []:
        return tuple(range(ndim))
    return tuple([axis % max(ndim, 1) for axis in (dim if isinstance(dim, (tuple, list)) else [dim])])


#: functions that are compiled -> functions in Python, or expressions
WORDS = [
    (array_sums.total, total), (array_sums.running, running), (laid_out_kernel, laid_out),
    (copies.converted, Text("(lambda array, dtype: array.astype(dtype))")),
    (view_geometry.address, address), (axes.one_dim, one_dim), (axes.many_dims, many_dims),
    (lu_and_ldl.factor, factor), (lu_and_ldl.swap_rows, swap_rows), (lu_and_ldl.substitute, substitute),
    (special_functions.erf, erf), (special_functions.erfc, erfc), (special_functions.normal_cdf, normal_cdf),
    (special_functions.lgamma, lgamma),
    (patched_ufuncs.sin, Text("np.sin")), (patched_ufuncs.cos, Text("np.cos")),
    (patched_ufuncs.fmax, Text("np.fmax")), (patched_ufuncs.fmin, Text("np.fmin")),
    (patched_ufuncs.remainder, Text("np.remainder")), (new_ufuncs.negative, Text("np.negative")),
    (new_ufuncs.where, Text("np.where")),
    (new_ufuncs.nan_to_num, Text("(lambda x, nan, posinf, neginf: np.nan_to_num(x, True, nan, posinf, neginf))")),
    (special_functions.xlog1py, scipys("xlog1py")), (special_functions.entr, scipys("entr")),
    (special_functions.digamma, scipys("digamma")), (special_functions.erfcx, scipys("erfcx")),
    (special_functions.erfinv, scipys("erfinv")), (special_functions.log_ndtr, scipys("log_ndtr")),
    (special_functions.ndtri, scipys("ndtri")), (special_functions.igamma, scipys("gammainc")),
    (special_functions.igammac, scipys("gammaincc")), (special_functions.hurwitz_zeta, scipys("zeta")),
    (special_functions.erfcx_slope, Text("(lambda x: 2 * x * special.erfcx(x) - x.dtype.type(2 / np.sqrt(np.pi)))",
                                         "from scipy import special")),
    (special_functions.gamma_density, Text("(lambda a, x: np.exp(special.xlogy(a - 1, x) - x - special.gammaln(a)))",
                                           "from scipy import special")),
    (special_functions.hazard, Text("(lambda x: np.sqrt(2 / np.pi).astype(x.dtype) / special.erfcx(-x / "
                                    "np.sqrt(x.dtype.type(2))))", "from scipy import special")),
    (special_functions.hazard_gap, Text("(lambda x: x + np.sqrt(2 / np.pi).astype(x.dtype) / special.erfcx(-x / "
                                        "np.sqrt(x.dtype.type(2))))", "from scipy import special")),
    (special_functions.bessel_i, Text("(lambda x, n: special.iv(n, x))", "from scipy import special")),
    (special_functions.bessel_ie, Text("(lambda x, n: special.ive(n, x))", "from scipy import special")),
    (special_functions.polygamma, Text("(lambda x, n: special.polygamma(int(n), x))", "from scipy import special")),
    (special_functions.spherical_j0, Text("(lambda x: special.spherical_jn(0, np.asarray(x, float)).astype(x.dtype))",
                                          "from scipy import special")),
    (special_functions.airy_ai, Text("(lambda x: special.airy(x)[0])", "from scipy import special")),
    *[(getattr(special_functions, name), scipys(name))
      for name in ("i0", "i0e", "i1", "i1e", "j0", "j1", "y0", "y1", "k0", "k0e", "k1", "k1e")],
    *[(getattr(special_functions, ours), Text(f"(lambda x, n: special.eval_{theirs}(n.astype(int), x))",
                                              "from scipy import special"))
      for ours, theirs in (("chebyshev_t", "chebyt"), ("chebyshev_u", "chebyu"), ("shifted_t", "sh_chebyt"),
                           ("shifted_u", "sh_chebyu"), ("hermite_h", "hermite"), ("hermite_he", "hermitenorm"),
                           ("laguerre_l", "laguerre"), ("legendre_p", "legendre"))],
    (memory_pool.empty, Text("np.empty")),
    (type_promotion.default_real, Text('(lambda: np.dtype("float32"))')),
    (type_promotion.result_dtype, Text("(lambda values: np.result_type(*values))")),
    (compute.check_number, Text("(lambda op, value, dtype: None)")),
]
_BY_ID = {id(compiled): word for compiled, word in WORDS}


def replacement(thing):
    """What stands for it in a program: itself, if it is not compiled."""
    word = _BY_ID.get(id(thing))
    return thing if word is None else word
