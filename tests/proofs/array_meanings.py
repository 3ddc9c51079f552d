"""What each general row means, as a few lines of Python on arrays of numbers.

This is the other witness for the rows whose results depend on many elements: written from the definitions, not from
the table, without care for speed or for overflow.  The arrays hold Numbers (duals.py), so that a meaning computes an
enclosure of its own derivative along with its value.  It takes the arguments of its row in the order of the schema, and
returns what has a derivative, and what a formula asks for besides; None stands for an output that is neither.

What a formula calls (steps such as ``softmax_backward``) has a meaning here too, unless it is linear: then its meaning
is its matrix, as exact.py has found.  Matrix decompositions are in decompositions.py.
"""

import functools
import itertools
import math
import operator

import numpy as np

from .duals import I, Number, conj, mapped, number

# ------------------------------------------------------------------------------ lines of arrays


def axes(x, dim):
    """The axes that ``dim`` names: all for None."""
    if dim is None:
        return tuple(range(x.ndim))
    return tuple([each % x.ndim for each in (dim if isinstance(dim, (tuple, list)) else [dim])]) if x.ndim else ()


def total(x, dim=None, keepdim=False):
    x = np.asarray(x, object)
    return np.add.reduce(x, axis=axes(x, dim), keepdims=keepdim)


def on_lines(function, dim, *arrays):
    """``function`` of lists of numbers, for each line along a dim; None is all elements in a row."""
    shape = np.broadcast_shapes(*[each.shape for each in arrays])
    arrays = [np.broadcast_to(each, shape) for each in arrays]
    if dim is None or not shape:
        flat = np.empty(int(np.prod(shape)), object)
        flat[:] = function(*[list(each.reshape(-1)) for each in arrays])
        return flat.reshape(shape)
    out = np.empty(shape, object)
    arrays, lines = [np.moveaxis(each, dim, -1) for each in arrays], np.moveaxis(out, dim, -1)
    for i in np.ndindex(lines.shape[:-1]):
        lines[i] = function(*[list(each[i]) for each in arrays])
    return out


def product(numbers):
    return functools.reduce(operator.mul, numbers, number(1))


def average(x, dim=None, keepdim=False):
    x = np.asarray(x, object)
    count = int(np.prod([x.shape[axis] for axis in axes(x, dim)]))
    return total(x, dim, keepdim) / count


def squares(x):
    return mapped(lambda each: (each.conjugate() * each).real, x)


def maximum(numbers):
    return functools.reduce(lambda x, y: x if x > y else y, numbers)


# ------------------------------------------------------------------------------ reductions and running totals


def recurrence(b, a, step):
    """s[i] = b[i] + a[i] s[i - step]"""
    order, before, found = range(len(b))[::step], number(0), [None] * len(b)
    for i in order:
        found[i] = before = b[i] + a[i] * before
    return found


def recurrence_back(b, a, step):
    """r[i] = b[i] + a[i + step] r[i + step]"""
    order, after, found = range(len(b))[::-step], number(0), [None] * len(b)
    for i in order:
        found[i] = b[i] + after
        after = a[i] * found[i]
    return found


def variance(x, dim, correction, keepdim):
    count = int(np.prod([x.shape[axis] for axis in axes(x, dim)]))
    away = x - average(x, dim, True)
    return total(squares(away), dim, keepdim) / (count - number(1 if correction is None else correction))


def norm(x, p, dim, keepdim, dtype=None):
    sizes = mapped(abs, x) if p != 2 else None
    if p == 2:
        return mapped(Number.sqrt, total(squares(x), dim, keepdim))
    if abs(p) == np.inf:
        sign = 1 if p > 0 else -1
        found = on_extremes(lambda line: sign * maximum([sign * each for each in line]), sizes, axes(x, dim))
        return found if keepdim else np.asarray(found.squeeze(axes(x, dim)), object)
    if p == 0:
        return total(mapped(lambda each: number(1), sizes), dim, keepdim)
    return mapped(lambda each: each ** (1 / number(p)), total(mapped(lambda each: each ** p, sizes), dim, keepdim))


def on_extremes(function, x, over):
    """One number for the elements along some axes, which are kept."""
    shape = [1 if axis in over else n for axis, n in enumerate(x.shape)]
    out = np.empty(shape, object)
    for i in np.ndindex(*shape):
        out[i] = function(list(x[tuple([slice(None) if axis in over else k for axis, k in enumerate(i)])].reshape(-1)))
    return out


def share(x, y):
    """exp(x) / (exp(x) + exp(y)), where one of them may be minus infinity."""
    if infinite(x) or infinite(y):
        return number(0 if infinite(x) else 1)
    return 1 / (1 + (y - x).exp())


def infinite(x):
    return not x.value.is_finite()


REDUCTIONS = {
    "softmax": lambda x, dim: np.exp(x) / total(np.exp(x), dim, True),
    "log_softmax": lambda x, dim: x - np.log(total(np.exp(x), dim, True)),
    "softmax_backward": lambda d, y, dim: y * (d - total(d * y, dim, True)),
    "log_softmax_backward": lambda d, y, dim: d - np.exp(y) * total(d, dim, True),
    "logsumexp": lambda x, dim, keepdim: np.log(total(np.exp(x), dim, keepdim)),
    "logcumsumexp": lambda x, dim: on_lines(
        lambda line: [each.log() for each in itertools.accumulate([each.exp() for each in line])], dim, x),
    "share": lambda x, y: mapped(share, x, y),
    "shift_in": lambda x, dim, step, fill: on_lines(
        lambda line: [number(fill), *line[:-1]] if step > 0 else [*line[1:], number(fill)], dim, x),
    "prod": lambda x, dtype: np.multiply.reduce(x, axis=None),
    "prod.dim_int": lambda x, dim, keepdim, dtype: np.multiply.reduce(x, axis=axes(x, dim), keepdims=keepdim),
    "product_of_others": lambda x, result, dim, keepdim: on_lines(
        lambda line: [product(line[:i] + line[i + 1:]) for i in range(len(line))], dim, x),
    "cumprod": lambda x, dim, dtype: on_lines(lambda line: list(itertools.accumulate(line, operator.mul)), dim, x),
    "exclusive_cumprod": lambda x, dim, step: on_lines(
        lambda line: [product(line[:i] if step > 0 else line[i + 1:]) for i in range(len(line))], dim, x),
    "scan": lambda b, a, dim, step: on_lines(lambda b, a: recurrence(b, a, step), dim, b, a),
    "scan_back": lambda b, a, dim, step: on_lines(lambda b, a: recurrence_back(b, a, step), dim, b, a),
    "var_over": variance,
    "std_over": lambda *arguments: mapped(Number.sqrt, variance(*arguments)),
    **dict.fromkeys(["norm_0", "norm_1", "norm_2", "norm_inf", "norm_p"], norm),
    "ones_of": lambda x: mapped(lambda each: number(1), x),
    "power_of_abs": lambda x, p: mapped(lambda each: abs(each) ** p, x),
    "signed_power": lambda x, p: mapped(lambda each: each / abs(each) * abs(each) ** p, x),
}

# ------------------------------------------------------------------------------ complex numbers


def angle(x):
    if x.is_real():
        return number(0) if x > 0 else number(np.pi)
    return x.angle()


def mantissa(x):
    """Of a number times a power of 2, which stays the same near it."""
    return x / number(2) ** math.frexp(float(x))[1]


COMPLEX = {
    "abs": lambda x: mapped(abs, x),
    "sgn": lambda x: mapped(lambda each: each / abs(each), x),
    "angle": lambda x: mapped(angle, x),
    "polar": lambda size, angle: size * (mapped(Number.cos, angle) + I * mapped(Number.sin, angle)),
    "conj": conj,
    "frexp": lambda x: (mapped(mantissa, x), None),
}

# ------------------------------------------------------------------------------ distances


def slope_of_length(difference, length, p):
    """The derivative of the p-norm of a vector, by its elements; ``length`` is that norm.  At 0 it is 0."""
    if p == 0 or all([each.value == 0 for each in difference]):
        return 0 * difference
    if p == np.inf:
        sizes = [abs(each) for each in difference]
        first = sizes.index(maximum(sizes))
        return np.array([each / abs(each) if i == first else number(0) for i, each in enumerate(difference)])
    return np.array([each / abs(each) * abs(each) ** (p - 1) / length ** (p - 1) for each in difference])


def distances(x1, x2, p):
    return norm(x1[..., :, None, :] - x2[..., None, :, :], p, -1, False)


def distances_backward(grad, x1, x2, lengths, p):
    out = np.full(x1.shape, number(0), object)
    for (*batch, i, j), d in np.ndenumerate(grad):
        out[(*batch, i)] += d * slope_of_length(x1[(*batch, i)] - x2[(*batch, j)], lengths[(*batch, i, j)], p)
    return out


DISTANCES = {
    "distances": distances, "distances_backward": distances_backward,
    "distances_by_products": lambda x1, x2: distances(x1, x2, 2),
    "distances_of_pairs": lambda x, p: np.array(
        [norm(x[i] - x[j], p, None, False)[()] for i, j in itertools.combinations(range(len(x)), 2)], object),
}

# ------------------------------------------------------------------------------ what is written to one place


def written_to(x, source, targets, reduce, include_self):
    flat = [[each] for each in x.reshape(-1)]
    written = {}
    for place, each in zip(targets, source):
        written.setdefault(int(place), []).append(each)
    for place, several in written.items():
        flat[place] = (flat[place] if include_self else []) + several
    combine = {"sum": lambda all_of_them: sum(all_of_them, number(0)), "prod": product, "amax": maximum,
               "mean": lambda all_of_them: sum(all_of_them, number(0)) / len(all_of_them),
               "amin": lambda all_of_them: -maximum([-each for each in all_of_them])}[reduce]
    out = np.empty(len(flat), object)
    out[:] = [combine(each) for each in flat]
    return out.reshape(x.shape)


def scattered(x, dim, index, source, reduce):
    out = x.copy()
    for i in np.ndindex(index.shape):
        place = (*i[:dim], int(index[i]), *i[dim + 1:])
        each = source[i] if isinstance(source, np.ndarray) else number(source)
        out[place] = out[place] + each if reduce == "add" else out[place] * each
    return out


PLACES = {
    "scatter_reduce_at": written_to, "index_reduce_at": written_to,
    "scatter.reduce": scattered, "scatter.value_reduce": scattered,
}

MEANINGS = {**REDUCTIONS, **COMPLEX, **DISTANCES, **PLACES}
