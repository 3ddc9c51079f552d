"""What each op of a random program computes and each view selects, on NumPy arrays: the tables that ``plain.py`` is
made of."""

import math

import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view

__all__ = ["Undecided", "ALTERATIONS", "OPERATORS", "RESULTS", "VIEWS", "SEVERAL_VIEWS", "WRITES", "REPLACEMENTS",
           "added_at", "put_at", "real_pair", "complex_of"]


class Undecided(Exception):
    """Finite differences have nothing to say here: a kink, a number too large, a memory with two counters."""


# ------------------------------------------------------------------------------ results

OPERATORS = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "truediv": np.divide, "pow": np.power,
             "matmul": np.matmul}


def sigmoid(a):
    return 1 / (1 + np.exp(-a))


def reduction(f):
    return lambda a, *dim, keepdim=False: f(a, *dim, keepdims=keepdim)


def linear(x, weight, bias=0):
    return x @ weight.swapaxes(-1, -2) + bias


def softmax(a, dim):
    return np.exp(a) / np.exp(a).sum(dim, keepdims=True)


def in_order(a, dim):
    a = np.sort(a, dim)
    if np.abs(np.diff(a, axis=dim)).min(initial=1) < 1e-3:
        raise Undecided("two numbers of which either might be the greater")
    return a


RESULTS = {
    "__neg__": np.negative,
    "sin": np.sin,
    "cos": np.cos,
    "exp": np.exp,
    "tanh": np.tanh,
    "sigmoid": sigmoid,
    "sum": reduction(np.sum),
    "mean": reduction(np.mean),
    "prod": reduction(np.prod),
    "cumsum": np.cumsum,
    "flip": np.flip,
    "clone": np.copy,
}


# ------------------------------------------------------------------------------ writes

def clamp(a, low, high):
    if min(np.abs(a - low).min(), np.abs(a - high).min()) < 1e-3:
        raise Undecided("a value at the bound of a clamp")
    return np.clip(a, low, high)


def put_at(a, indices, values, accumulate=False):
    if np.iscomplexobj(values) and not np.iscomplexobj(a):
        raise Undecided("the imaginary part that is discarded")
    a = np.array(a)
    if accumulate:
        np.add.at(a, indices, values)
    else:
        a[indices] = values
    return a


def added_at(a, dim, index, source):
    return put_at(a, (slice(None),) * dim + (index,), source, accumulate=True)


WRITES = {
    "add_": lambda a, b, alpha=1: a + alpha * b,
    "sub_": lambda a, b, alpha=1: a - alpha * b,
    "mul_": np.multiply,
    "div_": np.divide,
    "pow_": np.power,
    "neg_": np.negative,
    "sin_": np.sin,
    "exp_": np.exp,
    "tanh_": np.tanh,
    "sigmoid_": sigmoid,
    "clamp_": clamp,
    "addcmul_": lambda a, b, c, value=1: a + value * b * c,
    "lerp_": lambda a, b, weight: a + weight * (b - a),
}

# These put new values in place of the old ones, whatever those are.
REPLACEMENTS = {
    "zero_": lambda a: np.zeros_like(a),
    "fill_": lambda a, value: np.full_like(a, value),
    "copy_": lambda a, b: put_at(a, ..., b),
}


# ------------------------------------------------------------------------------ views

def at(a, dim, index):
    """The index that is ``index`` along ``dim``; with its Ellipsis NumPy answers a single element with a view, too."""
    return (*(slice(None),) * (dim % a.ndim), index, ...)


def narrow(a, dim, start, length):
    return a[at(a, dim, slice(start, start + length))]


def expand(a, *shape):
    added = len(shape) - a.ndim
    shape = [a.shape[i - added] if n == -1 else n for i, n in enumerate(shape)]
    strides = [0 if old == 1 != new else s for old, new, s in zip(a.shape, shape[added:], a.strides, strict=True)]
    return as_strided(a, shape, [0] * added + strides)


def diagonal(a, offset=0, dim1=0, dim2=1):
    made = np.diagonal(a, offset, dim1, dim2)
    made.flags.writeable = True
    return made


def squeezed(a, dim):
    return np.squeeze(a, dim) if a.shape[dim] == 1 else a[...]


def unfold(a, dim, size, step):
    windows = sliding_window_view(a, size, dim % a.ndim, writeable=True)
    return windows[at(a, dim, slice(None, None, step))]


def real_pair(a):
    return as_strided(a.real, (*a.shape, 2), (*a.real.strides, a.real.itemsize))


def complex_of(a):
    return a.view(np.complex128)[..., 0]


VIEWS = {
    "transpose": np.swapaxes,
    "permute": lambda a, *dims: a.transpose(dims),
    "t": np.transpose,
    "movedim": np.moveaxis,
    "unsqueeze": np.expand_dims,
    "squeeze": squeezed,
    "expand": expand,
    "diagonal": diagonal,
    "narrow": narrow,
    "select": lambda a, dim, index: a[at(a, dim, index)],
    "unfold": unfold,
    "as_strided": lambda a, size, stride: as_strided(a, size, [s * a.itemsize for s in stride]),
}


# These leave the memory as it is, and change how the tensor lies in it.
ALTERATIONS = {f"{name}_": VIEWS[name] for name in ("transpose", "t", "unsqueeze", "squeeze", "as_strided")} | {
    "swapaxes_": np.swapaxes}


def split(a, sizes, dim=0):
    if isinstance(sizes, int):
        sizes = [min(sizes, a.shape[dim] - start) for start in range(0, a.shape[dim], sizes)]
    return [narrow(a, dim, sum(sizes[:i]), size) for i, size in enumerate(sizes)]


SEVERAL_VIEWS = {
    "split": split,
    "chunk": lambda a, chunks, dim=0: split(a, math.ceil(a.shape[dim] / chunks), dim),
    "unbind": lambda a, dim=0: [a[at(a, dim, i)] for i in range(a.shape[dim])],
}
