"""What each general row means, as a few lines of Python on arrays of numbers.

This is the other witness for the rows whose results depend on many elements: written from the definitions, not from
the table, without care for speed or for overflow.  The arrays hold Numbers (duals.py), so that a meaning computes an
enclosure of its own derivative along with its value.  It takes the arguments of its row in the order of the schema, and
returns what has a derivative, and what a formula asks for besides; None stands for an output that is neither.

What a formula calls (steps such as ``softmax_backward``) has a meaning here too, unless it is linear: then its matrix is
its meaning, which exact.py has found.  Matrix decompositions are in decompositions.py.
"""

import functools
import itertools
import math
import operator

import numpy as np

from .duals import Number, Undecided, conj, constant, mapped, number

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
    "polar": lambda size, angle: size * (mapped(Number.cos, angle) + number(1j) * mapped(Number.sin, angle)),
    "conj": conj,
    "frexp": lambda x: (mapped(mantissa, x), None),
}

# ------------------------------------------------------------------------------ losses


def reduced(losses, reduction):
    return losses if reduction == 0 else average(losses) if reduction == 1 else total(losses)


def halves(x, dim):
    return np.split(x, 2, dim)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def bce(x, target, weight, reduction):
    losses = -(target * np.log(x) + (1 - target) * np.log(1 - x))
    return reduced(losses if weight is None else weight * losses, reduction)


def bce_with_logits(x, target, weight, pos_weight, reduction):
    yes = target if pos_weight is None else pos_weight * target
    losses = -(yes * np.log(sigmoid(x)) + (1 - target) * np.log(sigmoid(-x)))
    return reduced(losses if weight is None else weight * losses, reduction)


def huber(x, delta):
    return x * x / 2 if abs(x) < delta else number(delta) * (abs(x) - number(delta) / 2)


def pairs(x, target, margin):
    """(row, wrong class, right class, what the right one lacks), where it lacks something."""
    rows = x.reshape(-1, x.shape[-1]) if x.ndim else x.reshape(1, 1)
    for i, y in enumerate(np.reshape(target, -1)):
        for j in range(rows.shape[1]):
            cost = number(margin) - rows[i, y] + rows[i, j]
            if j != y and cost > 0:
                yield i, j, y, cost


def multi_margin(x, target, p, margin, weight, reduction):
    losses = np.full(np.size(target), number(0), object)
    for i, j, y, cost in pairs(x, target, margin):
        losses[i] += (1 if weight is None else weight[y]) * cost ** p / x.shape[-1]
    return reduced(losses.reshape(np.shape(target)), reduction)


def multi_margin_slope(x, target, p, margin, weight):
    rows = np.full((np.size(target), x.shape[-1] if x.ndim else 1), number(0), object)
    for i, j, y, cost in pairs(x, target, margin):
        slope = (1 if weight is None else weight[y]) * p * cost ** (p - 1) / rows.shape[1]
        rows[i, j] += slope
        rows[i, y] -= slope
    return rows.reshape(x.shape)


def multi_margin_curvature(d, x, target, p, margin, weight):
    """The slope of the slope along ``d``."""
    moved = mapped(lambda x, d: Number(x.value, d.value), x, d)
    return mapped(lambda each: Number(0 * each.value if each.slope is None else each.slope),
                  multi_margin_slope(moved, target, p, margin, weight))


def multilabel_pairs(x, target):
    """(row, class that is no label, label, what it lacks), once for each time that the label is there."""
    rows = x.reshape(-1, x.shape[-1]) if x.ndim else x.reshape(1, 1)
    for i, listed in enumerate(np.reshape(target, rows.shape)):
        labels = list(itertools.takewhile(lambda label: label >= 0, listed))
        for y in labels:
            for j in set(range(rows.shape[1])) - set(labels):
                cost = 1 - rows[i, y] + rows[i, j]
                if cost > 0:
                    yield i, j, y, cost


def multilabel_margin(x, target, reduction):
    n = x.shape[-1] if x.ndim else 1
    losses = np.full(x.size // n, number(0), object)
    for i, _, _, cost in multilabel_pairs(x, target):
        losses[i] += cost / n
    return reduced(losses.reshape(x.shape[:-1]), reduction)


def multilabel_margin_slope(x, target):
    n = x.shape[-1] if x.ndim else 1
    rows = np.full((x.size // n, n), number(0), object)
    for i, j, y, _ in multilabel_pairs(x, target):
        rows[i, j] += number(1) / n
        rows[i, y] -= number(1) / n
    return rows.reshape(x.shape)


# ------------------------------------------------------------------------------ texts that are read


def readings(duration, characters, text, blank):
    """Each way to read a text: a character or blank for each time; repeated ones count once, and blanks not at all."""
    for path in itertools.product(range(characters), repeat=duration):
        if [c for c, _ in itertools.groupby(path) if c != blank] == list(text):
            yield path


def texts(targets, lengths):
    if targets.ndim == 2:
        return [row[:length] for row, length in zip(targets, lengths)]
    return np.split(targets, np.cumsum(lengths)[:-1])


def normalised(scores):
    """The logarithms of probabilities: the gradient of ctc_loss is that with respect to the scores, as in PyTorch."""
    return REDUCTIONS["log_softmax"](scores, -1)


def probability(log_probs, path):
    return product([log_probs[t, c].exp() for t, c in enumerate(path)])


def ctc_loss(scores, targets, input_lengths, target_lengths, blank, zero_infinity):
    log_probs, losses = normalised(scores), np.empty(scores.shape[1], object)
    for i, text in enumerate(texts(targets, target_lengths)):
        ways = [probability(log_probs[:, i], path)
                for path in readings(input_lengths[i], scores.shape[2], text, blank)]
        losses[i] = -sum(ways).log() if ways else number(np.inf)
    return losses, None


def ctc_slopes(log_probs, targets, input_lengths, target_lengths, losses, alpha, blank, zero_infinity):
    """At each time, how likely a character is, less how likely among the ways to read the text."""
    found = np.full(log_probs.shape, number(0), object)
    for i, text in enumerate(texts(targets, target_lengths)):
        ways = {path: probability(log_probs[:, i], path)
                for path in readings(input_lengths[i], log_probs.shape[2], text, blank)}
        if not ways:
            if zero_infinity:
                continue
            raise Undecided("a text that cannot be read")
        for t, c in np.ndindex(input_lengths[i], log_probs.shape[2]):
            found[t, i, c] = log_probs[t, i, c].exp() - (
                sum([way for path, way in ways.items() if path[t] == c], number(0)) / sum(ways.values()))
    return found


LOSSES = {
    "binary_cross_entropy": bce,
    "binary_cross_entropy_with_logits": bce_with_logits,
    "mse_loss": lambda x, y, reduction: reduced((x - y) * (x - y), reduction),
    "huber_loss": lambda x, y, reduction, delta: reduced(mapped(lambda each: huber(each, delta), x - y), reduction),
    "smooth_l1_loss": lambda x, y, reduction, beta: reduced(
        mapped(lambda each: huber(each, beta) / number(beta), x - y), reduction),
    "soft_margin_loss": lambda x, y, reduction: reduced(np.log(1 + np.exp(-y * x)), reduction),
    "multi_margin_loss": multi_margin, "multi_margin_slope": multi_margin_slope,
    "multi_margin_curvature": multi_margin_curvature,
    "multilabel_margin_loss": multilabel_margin, "multilabel_margin_slope": multilabel_margin_slope,
    "state_rows": lambda state, weight, turned, bias: np.matmul(state, weight.T) + (0 if bias is None else bias),
    "_ctc_loss": ctc_loss, "ctc_slopes": ctc_slopes,
    "glu": lambda x, dim: halves(x, dim)[0] * sigmoid(halves(x, dim)[1]),
    "glu_backward": lambda x, d, dim: np.concatenate(
        [d * sigmoid(halves(x, dim)[1]),
         d * halves(x, dim)[0] * sigmoid(halves(x, dim)[1]) * sigmoid(-halves(x, dim)[1])], dim),
}

# ------------------------------------------------------------------------------ normalised lines

LAYER, GROUP, BATCH = range(3)


class Lines:
    """The lines of an array that are brought to mean 0 and variance 1, as the rows of a matrix."""

    def __init__(self, x, n, over):
        """``n`` lines; ``over`` says of what: see the table in ops/networks/normalization.py."""
        self.over, self.shape, self.n = over, x.shape, n

    def of(self, x):
        return (np.moveaxis(x, 1, 0) if self.over == BATCH else x).reshape(self.n, -1)

    def back(self, lines):
        if self.over == BATCH:
            moved = (self.shape[1], self.shape[0], *self.shape[2:])
            return np.moveaxis(lines.reshape(moved), 0, 1)
        return lines.reshape(self.shape)

    def spread(self, weight):
        """A weight beside each number that it multiplies."""
        if weight is None:
            return np.full(self.shape, number(1), object)
        if self.over != LAYER:
            weight = weight.reshape(-1, *(1,) * (len(self.shape) - 2))
        return np.broadcast_to(weight, self.shape)

    def gathered(self, x, shape):
        """The sums of what belongs to each weight."""
        return x.reshape(-1, *shape).sum(0) if self.over == LAYER else total(x, (0, *range(2, x.ndim)))


def normalized(x, n, over, eps, centred=True):
    """(z, mean or None, r) in lines"""
    x = Lines(x, n, over).of(x)
    mean = average(x, 1, True) if centred else None
    away = x - mean if centred else x
    r = 1 / np.sqrt(average(away * away, 1, True) + eps)
    return away * r, mean, r


def again(x, mean, rstd, over):
    """The same, where a mean and r are given: they are functions of x, for an eps that follows from their values."""
    lines = constant(Lines(x, rstd.size, over).of(x))
    away = lines if mean is None else lines - average(lines, 1, True)
    eps = 1 / constant(rstd).reshape(-1, 1) ** 2 - average(away * away, 1, True)
    return normalized(x, rstd.size, over, eps, mean is not None)


def with_parameters(z, x, n, over, weight, bias):
    lines = Lines(x, n, over)
    out = lines.back(z) * lines.spread(weight)
    return out if bias is None else out + lines.spread(bias)


def layer_norm(x, sizes, weight, bias, eps, centred=True):
    shape = (*x.shape[:x.ndim - len(sizes)], *(1,) * len(sizes))
    n = int(np.prod(shape))
    z, mean, r = normalized(x, n, LAYER, number(eps), centred)
    out = with_parameters(z, x, n, LAYER, weight, bias)
    return (out, mean.reshape(shape), r.reshape(shape)) if centred else (out, r.reshape(shape))


def group_norm(x, weight, bias, N, C, HxW, group, eps):
    z, mean, r = normalized(x, N * group, GROUP, number(eps))
    return with_parameters(z, x, N * group, GROUP, weight, bias), mean.reshape(N, group), r.reshape(N, group)


def batch_norm(x, weight, bias, eps):
    z, mean, r = normalized(x, x.shape[1], BATCH, number(eps))
    return with_parameters(z, x, x.shape[1], BATCH, weight, bias), mean.reshape(-1), r.reshape(-1), None


def fixed_batch_norm(x, weight, bias, mean, variance, eps):
    lines = Lines(x, x.shape[1], BATCH)
    out = (x - lines.spread(mean)) / np.sqrt(lines.spread(variance) + number(eps)) * lines.spread(weight)
    return out if bias is None else out + lines.spread(bias)


def norm_backward(d, x, mean, rstd, weight, over):
    """The gradient of <d, z w> with respect to x."""
    lines, (z, _, r) = Lines(x, rstd.size, over), again(x, mean, rstd, over)
    g = lines.of(d * lines.spread(weight))
    return lines.back(r * (g - (0 if mean is None else average(g, 1, True)) - z * average(g * z, 1, True)))


def norm_weight_backward(d, x, mean, rstd, over, sizes):
    lines = Lines(x, rstd.size, over)
    return lines.gathered(d * lines.back(again(x, mean, rstd, over)[0]), sizes if over == LAYER else None)


def line_deviation(x, mean, rstd, over):
    z, _, r = again(x, mean, rstd, over)
    return Lines(x, rstd.size, over).back(np.broadcast_to(r, z.shape))


NORMS = {
    "native_layer_norm": layer_norm, "native_group_norm": group_norm, "native_batch_norm": batch_norm,
    "native_batch_norm.fixed": fixed_batch_norm, "norm_backward": norm_backward,
    "rms_norm": lambda x, sizes, weight, eps: layer_norm(x, sizes, weight, None, eps, False),
    "norm_weight_backward": norm_weight_backward, "line_deviation": line_deviation,
    "standardized": lambda x, mean, rstd, over: Lines(x, rstd.size, over).back(again(x, mean, rstd, over)[0]),
    "channel_scale": lambda weight, variance, eps: (1 if weight is None else weight) / np.sqrt(variance + number(eps)),
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

# ------------------------------------------------------------------------------ samples of planes

LINEAR, NEAREST, CUBIC = range(3)
BORDER, REFLECTION = 1, 2


def nearest_integer(x):
    """The integer below a number, which may not be one itself."""
    below = x.value.real.floor().unique_fmpz()
    if below is None:
        raise Undecided("a point on an element")
    return int(below)


def brought_back(x, size, padding, align_corners):
    """A position inside the plane: the nearest, or its reflection at the edges."""
    if padding == REFLECTION:
        low, high = (number(0), number(size - 1)) if align_corners else (number(-1) / 2, size - number(1) / 2)
        if high.value == low.value:
            return number(0)
        while not (x > low and x < high):
            x = 2 * low - x if x < low else 2 * high - x
    return number(0) if x < 0 else number(size - 1) if x > size - 1 else x


def cubic(t):
    """Keys' cubic convolution of the distance t, for a = -0.75 [Keys, 1981]."""
    a, t = number(-3) / 4, abs(t)
    if t < 1:
        return (a + 2) * t ** 3 - (a + 3) * t ** 2 + 1
    return a * t ** 3 - 5 * a * t ** 2 + 8 * a * t - 4 * a if t < 2 else number(0)


def weights(coordinate, size, mode, padding, align_corners):
    """{element: its weight at a position along one dim}"""
    x = (coordinate + 1) / 2 * (size - 1) if align_corners else ((coordinate + 1) * size - 1) / 2
    if padding and mode != CUBIC:
        x = brought_back(x, size, padding, align_corners)
    if x.slope is None and x.value.imag == 0 and x.value.real.is_integer():       # brought back to the edge
        return {int(x.value.real.unique_fmpz()): number(1)}
    if mode == NEAREST:
        return {nearest_integer(x + number(1) / 2): number(1)}
    below = nearest_integer(x)
    if mode == LINEAR:
        return {below: below + 1 - x, below + 1: x - below}
    found = {}
    for k in range(below - 1, below + 3):
        place = k
        if padding:
            place = int(brought_back_place(k, size, padding, align_corners))
        found[place] = found.get(place, number(0)) + cubic(x - k)
    return found


def brought_back_place(k, size, padding, align_corners):
    if padding == REFLECTION and size > 1:
        while not 0 <= k < size:
            k = (-k if k < 0 else 2 * (size - 1) - k) if align_corners else (-1 - k if k < 0 else 2 * size - 1 - k)
    return min(max(k, 0), size - 1)


def sloped_weights(coordinate, order, *options):
    """The derivatives of the weights, which are polynomials of degree 3: by divided differences, which are exact."""
    if not order:
        return weights(coordinate, *options)
    h = number(2) ** -30
    near = [weights(coordinate + k * h, *options) for k in range(4)]
    if any([each.keys() != near[0].keys() for each in near]):
        raise Undecided("a point beside an element")
    found = {}
    for place in near[0]:
        rows = [[each[place] for each in near]]
        for _ in range(3):
            rows.append([after - before for before, after in itertools.pairwise(rows[-1])])
        first, second, third = [row[0] for row in rows[1:]]
        found[place] = [(first - second / 2 + third / 3) / h, (second - third) / h ** 2, third / h ** 3][order - 1]
    return found


def read(sizes, grid, mode, padding, align_corners, order):
    """(index of a point, index of an element that is read there, its weight)"""
    for n, *point in np.ndindex(grid.shape[:-1]):
        along = [sloped_weights(grid[(n, *point, k)], order[k], size, mode, padding, align_corners)
                 for k, size in enumerate(reversed(sizes))][::-1]
        for places in itertools.product(*along):
            if all([0 <= place < size for place, size in zip(places, sizes)]):
                yield ((n, slice(None), *point), (n, slice(None), *places),
                       product([each[place] for each, place in zip(along, places)]))


def sample(x, grid, *options):
    out = np.full((*x.shape[:2], *grid.shape[1:-1]), number(0), object)
    for point, place, weight in read(x.shape[2:], grid, *options):
        out[point] += weight * x[place]
    return out


def sample_back(grad, sizes, grid, *options):
    out = np.full(sizes, number(0), object)
    for point, place, weight in read(sizes[2:], grid, *options):
        out[place] += weight * grad[point]
    return out


def sample_slope(grad, x, grid, mode, padding, align_corners, order):
    raised = [tuple([n + (i == k) for k, n in enumerate(order)]) for i in range(len(order))]
    return np.stack([total(grad * sample(x, grid, mode, padding, align_corners, each), 1) for each in raised], -1)


SAMPLES = {
    "grid_sampler_2d": lambda *arguments: sample(*arguments, (0, 0)),
    "grid_sampler_3d": lambda *arguments: sample(*arguments, (0, 0, 0)),
    "sample_order": sample, "sample_back": sample_back, "sample_slope": sample_slope,
}

MEANINGS = {**REDUCTIONS, **COMPLEX, **LOSSES, **NORMS, **DISTANCES, **PLACES, **SAMPLES}
