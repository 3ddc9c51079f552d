"""The table of what answers to NumPy's functions where they are given tensors, in three parts::

    ufuncs           np.arctan2(array, x)    ->  torch.arctan2(tensor, x)       the same name, or that in UFUNCS
    functions        np.sum(x, axis=0)       ->  torch.sum(x, dim=0)            the same meaning: LIKE_OURS
                     np.std(x, axis=0)       ->  torch.std(x, dim=0, correction=0)      another one: OTHERWISE

What is not in it, a function or an argument of one, NumPy computes itself, on arrays: so it raises for a tensor that
requires grad, as ``x.numpy()`` does, and nothing is detached silently.
"""

from functools import cache
from inspect import signature
from itertools import takewhile
from math import prod

import numpy as np

from minigrad import creation, dtypes
from minigrad._core.dispatch.operands import unmasked
from minigrad._core.errors import error
from minigrad._core.forward import dual_tensors
from minigrad._core.frontends import numpy_ufuncs
from minigrad._core.graph import Tensor, wrap
from minigrad._core.kernels.shapes.strided_views import another
from minigrad.creation import arrays
from minigrad.ops.arguments import many_dims
from minigrad.ops.exports import EXPORTS, REGISTRY
from minigrad.tensors.to_python import numpy, values

linalg = EXPORTS["minigrad.linalg"]


# ------------------------------------------------------------------------------ ufuncs

#: what NumPy's ufuncs are called here, where it is not the same
UFUNCS = {"bitwise_count": None, "conjugate": "conj", "degrees": "rad2deg", "equal": "eq", "fabs": "abs",
          "invert": "bitwise_not", "left_shift": "bitwise_left_shift", "power": "pow", "radians": "deg2rad",
          "right_shift": "bitwise_right_shift", "rint": "round"}

#: the reductions that ``np.add.reduce`` and the like are, and the running totals that ``accumulate`` is
REDUCTIONS = {"add": "sum", "multiply": "prod", "maximum": "amax", "minimum": "amin", "logical_and": "all",
              "logical_or": "any"}
TOTALS = {"add": "cumsum", "multiply": "cumprod", "logaddexp": "logcumsumexp"}


@cache
def answer_to(ufunc, method):
    """What answers to a method of a ufunc, ``"__call__"`` or another; None if nothing does."""
    name = ufunc.__name__
    if getattr(np, name, None) is not ufunc:            # of another library, which may mean something else
        return None
    if method == "__call__":
        function = linalg.get(name) if name == "vecdot" else REGISTRY.get(UFUNCS.get(name, name))
        if function is not None:
            numpy_ufuncs.remember(ufunc, function)
        return function
    if method == "outer" and ufunc.nin == 2:
        return outer_of(REGISTRY.get(UFUNCS.get(name, name)))
    function = REGISTRY.get({"reduce": REDUCTIONS, "accumulate": TOTALS}.get(method, {}).get(name))
    if function is None:
        return None
    if method == "accumulate":
        return lambda array, axis=0: function(array, axis)
    return lambda array, axis=0, keepdims=False: function(array, *(() if axis is None else (axis,)), keepdim=keepdims)


def outer_of(function):
    return function and (lambda a, b: function(a.reshape(*a.shape, *[1] * b.ndim), b))


def answer_ufunc(ufunc, method, inputs, out, keywords):
    """What ``Tensor.__array_ufunc__`` returns."""
    for x in inputs:
        if type(x) not in USUAL and is_foreign(unmasked(x, f"np.{ufunc.__name__}()", "MG403")):
            return NotImplemented
    if out is not None and all([isinstance(each, Tensor) for each in out]):
        keywords["out"] = out[0] if len(out) == 1 else out
        out = None
    function = answer_to(ufunc, method) if out is None else None
    if function is not None and (not keywords or takes(function, keywords)):
        return with_or_without_numbers(function, [operand(x) for x in inputs], keywords)
    if method == "at" and isinstance(inputs[0], Tensor):
        raise not_into_a_tensor(ufunc)
    made = on_arrays(ufunc if method == "__call__" else getattr(ufunc, method), inputs,
                     keywords if out is None else {**keywords, "out": out})
    return tensors_of(made) if out is None else made


def with_or_without_numbers(function, operands, keywords):
    """The call; where the function takes no numbers, as ``maximum`` in PyTorch, with tensors for them."""
    try:
        return function(*operands, **keywords)
    except TypeError:
        if all([isinstance(x, Tensor) for x in operands]):
            raise
    return function(*[x if isinstance(x, Tensor) else creation.full((), x, dtype=dtypes.result_type(*operands))
                      for x in operands], **keywords)


def is_foreign(x):
    """Is that an array of another library, which may know more?"""
    return hasattr(type(x), "__array_ufunc__") and not isinstance(x, (Tensor, np.ndarray, np.generic))


def takes(function, keywords):
    """Does ``function`` have these keywords?  A function of the table is only given ``out``."""
    return keywords.keys() <= {"out"} or hasattr(function, "__code__") and (
        keywords.keys() <= set(function.__code__.co_varnames))


# ------------------------------------------------------------------------------ functions

#: NumPy's function -> its parameters, in its order.  The function here has the same name, or that before the colon;
#: its parameters have the same names, or those in CALLED.
LIKE_OURS = {
    "sum": "a axis dtype out keepdims", "nansum": "a axis dtype out keepdims",
    "mean": "a axis dtype out keepdims", "nanmean": "a axis dtype out keepdims",
    "max": "amax: a axis out keepdims", "amax": "amax: a axis out keepdims",
    "min": "amin: a axis out keepdims", "amin": "amin: a axis out keepdims",
    "all": "a axis out keepdims", "any": "a axis out keepdims", "count_nonzero": "a axis",
    "argmax": "a axis out keepdims", "argmin": "a axis out keepdims", "argwhere": "a",
    "concatenate": "cat: arrays axis out", "stack": "arrays axis out", "vstack": "tup", "hstack": "tup",
    "dstack": "tup", "column_stack": "tup", "unstack": "unbind: x axis",
    "reshape": "a shape", "squeeze": "a axis", "swapaxes": "a axis1 axis2", "moveaxis": "a source destination",
    "broadcast_to": "array shape", "fliplr": "m", "flipud": "m", "roll": "a shift axis", "rot90": "m k axes",
    "tile": "A reps", "tril": "m k", "triu": "m k", "diag": "v k", "diagflat": "v k",
    "diagonal": "a offset axis1 axis2", "clip": "a a_min a_max out min max",
    "real": "val", "imag": "val", "sinc": "x", "bincount": "x weights minlength",
    "searchsorted": "a v side sorter", "around": "round: a decimals out", "round": "a decimals out",
    "fix": "x out", "isin": "element test_elements assume_unique invert", "copy": "clone: a",
    "isposinf": "x out", "isneginf": "x out", "inner": "a b", "kron": "a b", "outer": "a b out",
    "linalg.inv": "a", "linalg.det": "a", "linalg.slogdet": "a", "linalg.cholesky": "a", "linalg.eigh": "a UPLO",
    "linalg.eigvalsh": "a UPLO", "linalg.eig": "a", "linalg.eigvals": "a", "linalg.svdvals": "x",
    "linalg.matrix_power": "a n", "linalg.norm": "x ord axis keepdims",
    "linalg.vector_norm": "x axis keepdims ord", "linalg.matrix_norm": "x keepdims ord", "linalg.cond": "x p",
    "linalg.multi_dot": "arrays", "linalg.tensorinv": "a ind", "linalg.tensorsolve": "a b axes",
    "linalg.pinv": "a rcond hermitian",
    "linalg.matrix_rank": "A tol hermitian", "linalg.cross": "x1 x2 axis", "linalg.outer": "outer: x1 x2",
    "linalg.matmul": "matmul: x1 x2", "linalg.vecdot": "x1 x2 axis",
    **{f"fft.{name}": "a n axis norm" for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")},
    **{f"fft.{name}": "a s axes norm" for name in ("fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn",
                                                   "irfftn")},
    "fft.fftshift": "x axes", "fft.ifftshift": "x axes",
    "zeros_like": "a dtype", "ones_like": "a dtype", "empty_like": "a dtype", "full_like": "a fill_value dtype",
}

#: what NumPy's parameters are called here, where it is not the same
CALLED = {"axis": "dim", "axes": "dim", "keepdims": "keepdim", "axis1": "dim1", "axis2": "dim2", "a_min": "min",
          "a_max": "max", "shift": "shifts", "rot90": {"axes": "dims"}, "roll": {"axis": "dims"},
          "swapaxes": {"axis1": "axis0", "axis2": "axis1"}, "broadcast_to": {"shape": "size"},
          "tile": {"reps": "dims"}, "tril": {"k": "diagonal"}, "triu": {"k": "diagonal"}, "diag": {"k": "diagonal"},
          "diagflat": {"k": "offset"}, "tensorsolve": {"axes": "dims"}, "pinv": {"rcond": "rtol"}}

#: parameters that are arrays, or lists of numbers that stand for one; and those that are lists of arrays
ARRAYS = {"a", "a1", "a2", "A", "arr", "ar", "array", "b", "condition", "element", "indices", "m", "repeats",
          "test_elements", "v", "val", "values", "weights", "x", "x1", "x2", "y", "prepend", "append", "ar1", "ar2",
          "f", "filt", "fp", "p", "xp"}
SEVERAL = {"arrays", "tup"}

#: the classes of nearly all operands
USUAL = {Tensor, np.ndarray, int, float, np.float64, np.float32, np.int64}

OTHERWISE = {}

#: what does not change if an argument changes by a little: NumPy's own answer, of the values
OF_VALUES = {"argpartition", "array2string", "array_equiv", "array_repr", "array_str", "diag_indices_from", "digitize",
             "einsum_path", "iscomplex", "iscomplexobj", "isreal", "isrealobj", "ix_", "lexsort", "may_share_memory",
             "nanargmax", "nanargmin", "packbits", "ravel_multi_index", "result_type", "shares_memory",
             "tril_indices_from", "triu_indices_from", "unpackbits", "unravel_index"}

#: what writes into its first argument
WRITES = {"copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask"}


class LeftToNumPy(Exception):
    """A function raises this where it has no answer to the arguments."""


def otherwise(function):
    """A function with NumPy's name and parameters, where ours of that name has others, or means something else."""
    OTHERWISE[function.__name__.removesuffix("_").replace("__", ".")] = function
    return function


def name_of(function):
    """``"linalg.inv"`` for ``np.linalg.inv``."""
    module = (getattr(function, "__module__", None) or "").removeprefix("numpy").removeprefix(".")
    return f"{module}.{function.__name__}" if module else function.__name__


@cache
def like_ours(name):
    """The function of LIKE_OURS for ``name``, and {NumPy's parameter: ours}; (None, {}) if there is none."""
    parameters = LIKE_OURS.get(name, "")
    renamed, _, parameters = parameters.rpartition(": ")
    module, _, short = (renamed or name).rpartition(".")
    exports = EXPORTS[f"minigrad.{module}" if module else "minigrad"]
    function = exports.get(short) or getattr(creation, short, None)
    own = CALLED.get(short) if isinstance(CALLED.get(short), dict) else {}
    return function, {each: own.get(each, CALLED.get(each, each)) for each in parameters.split()}


def answer_function(func, types, args, kwargs):
    """What ``Tensor.__array_function__`` returns."""
    if not all([issubclass(each, (Tensor, np.ndarray)) for each in types]):
        return NotImplemented                   # another library, which may know more
    name = name_of(func)
    if name in OTHERWISE:
        bound = bound_to(OTHERWISE[name], args, kwargs)
        try:
            if bound is not None:
                return OTHERWISE[name](*bound.args, **bound.kwargs)
        except LeftToNumPy:
            pass
    function, parameters = like_ours(name)
    if function is not None and len(args) <= len(parameters) and kwargs.keys() <= parameters.keys():
        given = {**dict(zip(parameters, args)), **kwargs}
        given = {key: argument(key, given[key]) for key in parameters if given.get(key) is not None}
        in_front = [*takewhile(given.__contains__, takewhile(is_array, parameters))]
        return function(*[given.pop(key) for key in in_front],
                        **{parameters[key]: value for key, value in given.items()})
    if name in OF_VALUES:
        return tensors_of(func(*[of_values(x) for x in args], **{key: of_values(x) for key, x in kwargs.items()}))
    if name in WRITES and args and isinstance(args[0], Tensor):
        raise no_write_into_a_tensor(func)
    return on_arrays(func, args, kwargs)


def of_values(x):
    """Arrays of the values of the tensors in an argument."""
    if isinstance(x, (list, tuple)):
        return type(x)([of_values(each) for each in x])
    return values(x, "NumPy's function") if isinstance(x, Tensor) else x


def operand_of(function, x):
    """An operand of ``function``: an array or a list of numbers as a tensor, unless lists mean something else there."""
    return x if isinstance(x, list) and function in KEEPS_LISTS else operand(x)


def bound_to(function, args, kwargs):
    """The arguments of NumPy's call as ``function`` takes them; None if it has no such parameters."""
    try:
        bound = signature(function).bind(*args, **kwargs)
    except TypeError:
        return None
    for key, value in bound.arguments.items():
        several = signature(function).parameters[key].kind == 2         # *arrays
        bound.arguments[key] = tuple([operand_of(function, x) for x in value]) if several else argument(key, value)
    return bound


# ------------------------------------------------------------------------------ arguments

def operand(x):
    """An argument that is an array, or a list of numbers, as a tensor; a number stays one."""
    if type(x) is np.ndarray and x.flags.c_contiguous and x.dtype in dtypes.BY_NUMPY:
        return wrap(another(x))
    if isinstance(x, (Tensor, int, float)):
        return x.item() if isinstance(x, np.generic) else x
    if isinstance(x, np.bool_):
        return x                                # a number where Python's bool is refused
    if isinstance(x, np.generic):
        return unmasked(x, "tensor()").item()
    if isinstance(x, (list, tuple)):
        return REGISTRY["stack"]([*map(operand, x)]) if any([isinstance(y, Tensor) for y in x]) else creation.tensor(x)
    if not isinstance(x, np.ndarray):
        return x
    array = np.asarray(unmasked(x, "tensor()"))
    kind = arrays.supported(array.dtype)
    shares = array.dtype.isnative and min(array.strides, default=0) >= 0
    return wrap(another(array) if shares else arrays.cast(np.ascontiguousarray(array), kind))


def is_array(name):
    return name in ARRAYS or name in SEVERAL


def argument(name, value):
    """An argument of a function: an array as a tensor, a dtype of NumPy's as ours."""
    if name in ARRAYS or isinstance(value, (np.ndarray, np.generic)):
        return operand(value)
    if name == "dtype" and not isinstance(value, dtypes.dtype):
        return arrays.supported(np.dtype(value))
    if name in SEVERAL and isinstance(value, (list, tuple)):
        return [operand(x) for x in value]
    return value


# ------------------------------------------------------------------------------ what NumPy computes

def on_arrays(function, args, kwargs):
    """NumPy's own result; an error for a tensor whose gradient or tangent would be lost, or that it would write to."""
    if any([isinstance(x, Tensor) for x in listed(kwargs.get("out"))]):
        raise not_into_a_tensor(function)
    return function(*[arrays_for(x) for x in args], **{key: arrays_for(x) for key, x in kwargs.items()})


def listed(x):
    return x if isinstance(x, (list, tuple)) else [x]


def arrays_for(x):
    """Arrays for the tensors in an argument.  They are read-only, since nobody would count what NumPy writes there."""
    if isinstance(x, Tensor):
        array = numpy(x)
        if type(x._array) is not np.ndarray or dual_tensors.is_open() and dual_tensors.tangent_of(x) is not None:
            raise with_a_tangent()
        array.flags.writeable = False
        return array
    if type(x) is list or type(x) is tuple:
        return type(x)([arrays_for(each) for each in x])
    return x


def tensors_of(made):
    """The results of a ufunc as tensors, if tensors have such a dtype."""
    if isinstance(made, tuple):
        return tuple([tensors_of(each) for each in made])
    if not isinstance(made, (np.ndarray, np.generic)) or dtypes.of_numpy(made.dtype) is None:
        return made
    return wrap(np.asarray(made))


# ------------------------------------------------------------------------------ functions that mean something else

@otherwise
def shape(a):
    return a.shape


@otherwise
def ndim(a):
    return a.ndim


@otherwise
def size(a, axis=None):
    return a.numel() if axis is None else prod([a.shape[each] for each in listed(axis)])


@otherwise
def var(a, axis=None, dtype=None, ddof=0, keepdims=False, *, correction=None):
    return spread("var", a, axis, dtype, ddof if correction is None else correction, keepdims)


@otherwise
def std(a, axis=None, dtype=None, ddof=0, keepdims=False, *, correction=None):
    return spread("std", a, axis, dtype, ddof if correction is None else correction, keepdims)


def spread(name, a, axis, dtype, correction, keepdims):
    return REGISTRY[name](a if dtype is None else a.to(dtype), axis, correction=correction, keepdim=keepdims)


@otherwise
def prod_(a, axis=None, dtype=None, out=None, keepdims=False):
    """Over one axis after another: PyTorch's goes over one, or all."""
    if dtype is not None:
        a = a.to(dtype)
    if axis is None and not keepdims:
        return REGISTRY["prod"](a, out=out)
    dims = () if axis == () else many_dims(axis, a.ndim, "prod")
    for dim in sorted(dims, reverse=True):
        a = REGISTRY["prod"](a, dim, keepdims)
    return a if out is None else out.copy_(a)


@otherwise
def ptp(a, axis=None, *, keepdims=False):
    dims = () if axis is None else (axis,)
    return a.amax(*dims, keepdim=keepdims) - a.amin(*dims, keepdim=keepdims)


@otherwise
def cumsum(a, axis=None, dtype=None):
    return (a.flatten() if axis is None else a).cumsum(axis or 0, dtype=dtype)


@otherwise
def cumprod(a, axis=None, dtype=None):
    return (a.flatten() if axis is None else a).cumprod(axis or 0, dtype=dtype)


@otherwise
def cumulative_sum(x, *, axis=None, dtype=None):
    return x.cumsum(0 if axis is None and x.ndim == 1 else axis, dtype=dtype)


@otherwise
def cumulative_prod(x, *, axis=None, dtype=None):
    return x.cumprod(0 if axis is None and x.ndim == 1 else axis, dtype=dtype)


@otherwise
def sort(a, axis=-1, *, stable=None):
    return (a.flatten() if axis is None else a).sort(-1 if axis is None else axis, stable=bool(stable))[0]


@otherwise
def argsort(a, axis=-1, *, stable=None):
    return (a.flatten() if axis is None else a).argsort(-1 if axis is None else axis, stable=bool(stable))


@otherwise
def nonzero(a):
    return a.nonzero(as_tuple=True)


@otherwise
def flatnonzero(a):
    return a.flatten().nonzero(as_tuple=True)[0]


@otherwise
def where(condition, x, y):
    return REGISTRY["where"](condition if condition.dtype is dtypes.bool_ else condition != 0, x, y)


@otherwise
def take(a, indices, axis=None):
    return (a.flatten() if axis is None else a)[(slice(None),) * ((axis or 0) % max(a.ndim, 1)) + (indices,)]


@otherwise
def take_along_axis(arr, indices, axis=-1):
    return REGISTRY["take_along_dim"](arr, indices, dim=axis)


@otherwise
def repeat(a, repeats, axis=None):
    return REGISTRY["repeat_interleave"](a, repeats, dim=axis)


@otherwise
def transpose(a, axes=None):
    return a.permute(tuple(range(a.ndim))[::-1] if axes is None else tuple(axes))


@otherwise
def ravel(a):
    return a.reshape(-1)


@otherwise
def expand_dims(a, axis):
    rank = a.ndim + len(listed(axis))
    for each in sorted([each % rank for each in listed(axis)]):
        a = a.unsqueeze(each)
    return a


@otherwise
def flip(m, axis=None):
    return m.flip(tuple(range(m.ndim)) if axis is None else axis)


@otherwise
def atleast_1d(*arys):
    return REGISTRY["atleast_1d"](*arys)


@otherwise
def atleast_2d(*arys):
    return REGISTRY["atleast_2d"](*arys)


@otherwise
def atleast_3d(*arys):
    return REGISTRY["atleast_3d"](*arys)


def must_carry(*arguments):
    """Leave a call to NumPy, which gives arrays as it does for PyTorch's tensors, unless a derivative has to pass.

    That is for functions by which programs prepare arrays, as matplotlib does with ``np.broadcast_arrays``: what they
    do with the results, tensors cannot do.
    """
    if not all([isinstance(x, Tensor) for x in arguments]) or not any([carries(x) for x in arguments]):
        raise LeftToNumPy


def carries(x):
    """Has a tensor a history, a tangent, or a transform that follows it?"""
    return x.requires_grad or x._level > 0 or dual_tensors.is_open() and dual_tensors.tangent_of(x) is not None


@otherwise
def broadcast_arrays(*args):
    must_carry(*args)
    return tuple(REGISTRY["broadcast_tensors"](*args))


@otherwise
def meshgrid(*xi, indexing="xy"):
    must_carry(*xi)
    axes = [*range(len(xi))]
    if indexing == "xy":
        axes[:2] = axes[1::-1]
    return broadcast_arrays(*[x.reshape([-1 if k == axis else 1 for k in range(len(xi))])
                              for axis, x in zip(axes, xi)])


@otherwise
def array_split(ary, indices_or_sections, axis=0):
    return list(ary.tensor_split(indices_or_sections, axis))


@otherwise
def split(ary, indices_or_sections, axis=0):
    if isinstance(indices_or_sections, int) and ary.shape[axis] % indices_or_sections:
        raise unequal_parts(ary, indices_or_sections, axis)
    return array_split(ary, indices_or_sections, axis)


@otherwise
def hsplit(ary, indices_or_sections):
    return list(REGISTRY["hsplit"](ary, indices_or_sections))


@otherwise
def vsplit(ary, indices_or_sections):
    return list(REGISTRY["vsplit"](ary, indices_or_sections))


@otherwise
def dsplit(ary, indices_or_sections):
    return list(REGISTRY["dsplit"](ary, indices_or_sections))


@otherwise
def trace(a, offset=0, axis1=0, axis2=1):
    return a.diagonal(offset, axis1, axis2).sum(-1)


@otherwise
def angle(z, deg=False):
    return REGISTRY["rad2deg"](REGISTRY["angle"](z)) if deg else REGISTRY["angle"](z)


@otherwise
def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    return REGISTRY["nan_to_num"](x, nan, posinf, neginf)


@otherwise
def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    return REGISTRY["isclose"](*of_one_dtype(a, b), rtol, atol, equal_nan)


@otherwise
def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    return REGISTRY["allclose"](*of_one_dtype(a, b), rtol, atol, equal_nan)


def of_one_dtype(a, b):
    common = dtypes.result_type(a, b)
    return [creation.as_tensor(x).to(common) for x in (a, b)]


@otherwise
def array_equal(a1, a2):
    return a1.shape == a2.shape and bool((a1 == a2).all())


@otherwise
def dot(a, b):
    if not (isinstance(a, Tensor) and isinstance(b, Tensor)) or a.ndim == 0 or b.ndim == 0:
        return REGISTRY["mul"](a, b)
    return a @ b if b.ndim <= 2 else REGISTRY["tensordot"](a, b, ([-1], [-2]))


@otherwise
def tensordot(a, b, axes=2):
    return REGISTRY["tensordot"](a, b, axes if isinstance(axes, int) else [listed(each) for each in axes])


@otherwise
def einsum(subscripts, *operands, optimize=False):
    """Also with lists of numbers in place of letters: one follows each array, and the last names the result's dims."""
    return REGISTRY["einsum"](subscripts, *operands)


KEEPS_LISTS = {einsum}


@otherwise
def linalg__solve(a, b):
    """NumPy's ``b`` is one vector, or matrices; PyTorch's may be a batch of vectors."""
    if 1 < b.ndim < a.ndim:
        b = b.expand(*a.shape[:-2], *b.shape[-2:])
    return linalg["solve"](a, b)


@otherwise
def linalg__svd(a, full_matrices=True, compute_uv=True):
    return linalg["svd"](a, full_matrices) if compute_uv else linalg["svdvals"](a)


@otherwise
def matrix_transpose(x):
    return x.mT


@otherwise
def linalg__matrix_transpose(x):
    return x.mT


@otherwise
def linalg__diagonal(x, *, offset=0):
    return x.diagonal(offset, -2, -1)


@otherwise
def linalg__trace(x, *, offset=0):
    return x.diagonal(offset, -2, -1).sum(-1)


@otherwise
def linalg__qr(a, mode="reduced"):
    result = linalg["qr"](a, mode=mode)
    return result[1] if mode == "r" else result


# ------------------------------------------------------------------------------ errors


def not_into_a_tensor(function):
    return error("MG210", f"np.{name_of(function)}(): no function of minigrad answers to this call, and NumPy would "
                          "write into the memory of a tensor, where nobody counts the write. Leave out= out")


def no_write_into_a_tensor(function):
    return error("MG210", f"np.{name_of(function)}(): NumPy would write into the memory of a tensor, where nobody "
                          "counts the write and no gradient is kept. Write with an operation of tensors, as "
                          "x[mask] = values, x.copy_(y) or x.fill_diagonal_(1.)")


def with_a_tangent():
    return error("MG117", "NumPy computes this itself, on numbers, and what a transform (grad, jvp) or a dual level "
                          "knows of the tensor would be lost: use a function of minigrad")


def unequal_parts(ary, sections, axis):
    return error("MG207", f"array split does not result in an equal division: {ary.shape[axis]} elements along axis "
                          f"{axis} into {sections} parts; np.array_split makes parts of different sizes")
