"""What the rows of neural networks mean, on arrays of numbers: losses, texts, normalised lines, samples of planes.

See array_meanings.py for what a meaning is.
"""

import itertools

import numpy as np

from .array_meanings import REDUCTIONS, average, product, total
from .balls import Undecided
from .duals import Number, constant, mapped, number

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
    """(row, wrong class, label, what it lacks), if it does; once for each time that the label is there."""
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
        slopes = (first - second / 2 + third / 3) / h, (second - third) / h ** 2, third / h ** 3
        found[place] = slopes[order - 1] if order <= len(slopes) else number(0)
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

MEANINGS = {**LOSSES, **NORMS, **SAMPLES}
