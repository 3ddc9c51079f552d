"""Map normalisations of lines: the examples bring channels of their own.

    x (B, N, C, ...)    becomes     (N, B C, rest)          the channels of one example after those of another

With that, each row of ops/networks/normalization.py is its own batch rule: layer norm becomes a group norm, with one
group for each example.  Where all examples share the weights of a layer norm, or have none, even that is not needed:
the batch stays in front, and there are more lines.
"""

from math import prod

from minigrad._core.dispatch.levels import apply
from minigrad.ops.networks.channel_norms import batch_norm_row, channel_scale, fixed_batch_norm, group_norm_row
from minigrad.ops.networks.normalization import (BATCH, GROUP, LAYER, layer_norm_row, line_deviation, line_mean,
                                                 norm_backward, norm_weight_backward, parameter_sum, rms_norm_row,
                                                 scaled, spread_parameter, standardized)
from minigrad.ops.shapes.reshaping import reshape_to
from minigrad.ops.shapes.transposing import permute

from .batch_rule import front, rule, shape_of

#: what the tensors of these rows are, by name: numbers that are normalised, or what belongs to lines, or to channels
DATA, STATS = ("d", "input", "self"), ("mean", "rstd", "like")
PARAMETERS = ("weight", "bias", "running_mean", "running_var")


class Fold:
    """The way of tensors into the shape above and back; ``shape`` is that of the data of one example."""

    def __init__(self, shape, over, lines, size):
        self.shape, self.over, self.size = shape, over, size
        self.rows = lines if over == LAYER else shape[0]
        self.channels = prod(shape) // max(lines, 1) if over == LAYER else shape[1]
        self.rest = 1 if over == LAYER else prod(shape[2:])

    def beside(self, x, columns):
        """(B, rows, columns) as (rows, B, columns)."""
        return permute(reshape_to(x, (self.size, self.rows, columns)), (1, 0, 2))

    def data(self, x):
        return reshape_to(self.beside(x, self.channels * self.rest), self.folded)

    @property
    def folded(self):
        return self.rows, self.size * self.channels, self.rest

    def apart(self, x, shape, columns):
        """Back from (rows, B, columns), for examples of this shape."""
        return reshape_to(permute(reshape_to(x, (self.rows, self.size, columns)), (1, 0, 2)), (self.size, *shape))

    def data_back(self, x):
        return self.apart(x, self.shape, self.channels * self.rest)

    def stats(self, r):
        if self.over == BATCH:
            return reshape_to(r, (self.size * self.channels,))
        groups = 1 if self.over == LAYER else r.shape[-1]
        return reshape_to(self.beside(r, groups), (self.rows, self.size * groups))

    def stats_back(self, r, shape, groups):
        return reshape_to(r, (self.size, *shape)) if self.over == BATCH else self.apart(r, shape, groups)

    def results_back(self, results, shape, groups):
        """Data, and statistics that have this shape for an example."""
        out, *stats = results
        return type(results)(self.data_back(out), *[self.stats_back(each, shape, groups) for each in stats])

    def parameters(self, w):
        return reshape_to(w, (self.size * self.channels,))


def with_batch(x, mapped, size):
    return None if x is None else front(x, mapped, size)


# ------------------------------------------------------------------------------ forward

@rule(layer_norm_row, rms_norm_row)
def normalized_last_dims(op, mapped, payloads, size):
    x, sizes, *parameters, eps = payloads
    if not any(mapped[2:]):
        return apply(op, [x, *payloads[1:]])
    shape, count = shape_of(x, mapped[0]), len(sizes)
    if not count or shape[-count:] != tuple(sizes):
        return None
    if any([p is not None and shape_of(p, m) != tuple(sizes) for p, m in zip(parameters, mapped[2:])]):
        return None
    lines = shape[:len(shape) - count]
    if op is rms_norm_row:
        results = op(front(x, mapped[0], size), sizes, None, eps)
        out = scaled_by_parameter(scaled, [True, mapped[2], False], [results[0], parameters[0], LAYER], size)
        return type(results)(out, results[1])
    fold = Fold(shape, LAYER, prod(lines), size)
    weight, bias = [None if p is None else fold.parameters(front(p, m, size)) for p, m in zip(parameters, mapped[2:])]
    data = fold.data(front(x, mapped[0], size))
    results = group_norm_row(data, weight, bias, *data.shape, size, eps)
    return fold.results_back(results, (*lines, *(1,) * count), 1)


@rule(group_norm_row, batch_norm_row, fixed_batch_norm)
def normalized_channels(op, mapped, payloads, size):
    given, of = dict(zip(op.params, payloads)), dict(zip(op.params, mapped))
    shape = shape_of(given["input"], of["input"])
    names = [name for name in PARAMETERS if given.get(name) is not None]
    if len(shape) < 2 or any([shape_of(given[name], of[name]) != shape[1:2] for name in names]):
        return None
    over = GROUP if op is group_norm_row else BATCH
    fold = Fold(shape, over, 0, size)
    given.update({name: fold.parameters(front(given[name], of[name], size)) for name in names})
    given["input"] = fold.data(front(given["input"], of["input"], size))
    if op is fixed_batch_norm:
        return fold.data_back(apply(op, given.values()))
    if op is batch_norm_row:
        return fold.results_back(apply(op, given.values()), shape[1:2], 1)
    groups = given["group"]
    if groups < 1 or shape[1] % groups or prod(shape) != given["N"] * given["C"] * given["HxW"]:
        return None
    given.update(C=size * shape[1], group=size * groups)
    return fold.results_back(apply(op, given.values()), (shape[0], groups), groups)


# ------------------------------------------------------------------------------ back

@rule(norm_backward, norm_weight_backward, standardized, line_deviation, line_mean)
def with_lines(op, mapped, payloads, size):
    given = dict(zip(op.params, [with_batch(x, m, size) if t.startswith("Tensor") else x
                                 for x, m, t in zip(payloads, mapped, op.types)]))
    over, r = given["over"], given["like" if op is line_mean else "rstd"]
    name = "self" if op is line_mean else "input"
    shape, lines = tuple(given[name].shape)[1:], prod(tuple(r.shape)[1:])
    at = op.positions.get("weight")
    if over == LAYER and op is not norm_weight_backward and not (at is not None and mapped[at]):
        if at is not None:
            given["weight"] = payloads[at]      # of all examples
        return apply(op, given.values())
    fold = Fold(shape, over, lines, size)
    for name, x in given.items():
        if x is not None and name in DATA:
            given[name] = fold.data(x)
        elif x is not None and name in STATS:
            given[name] = fold.stats(x)
        elif x is not None and name in PARAMETERS:
            given[name] = fold.parameters(x)
    given["over"] = BATCH if over == BATCH else GROUP
    if op is not norm_weight_backward:
        return fold.data_back(apply(op, given.values()))
    sizes = given["sizes"]
    given["sizes"] = (size * fold.channels,)
    return reshape_to(apply(op, given.values()), (size, *sizes))


@rule(scaled)
def scaled_by_parameter(op, mapped, payloads, size):
    x, weight, over = payloads
    x = front(x, mapped[0], size)
    if weight is None:
        return op(x, None, over)
    shape = shape_of(weight, mapped[1])
    fold = Fold(tuple(x.shape)[1:], over, lines_beside(tuple(x.shape)[1:], shape), size)
    return fold.data_back(op(fold.data(x), fold.parameters(front(weight, mapped[1], size)), GROUP))


@rule(parameter_sum)
def summed_for_parameter(op, mapped, payloads, size):
    x, over, sizes = payloads
    fold = Fold(shape_of(x, mapped[0]), over, lines_beside(shape_of(x, mapped[0]), sizes), size)
    return reshape_to(op(fold.data(x), GROUP, (size * fold.channels,)), (size, *sizes))


@rule(spread_parameter)
def spread_over_data(op, mapped, payloads, size):
    x, over, sizes = payloads
    fold = Fold(tuple(sizes), over, lines_beside(sizes, shape_of(x, mapped[0])), size)
    return fold.data_back(op(fold.parameters(x), GROUP, fold.folded))


def lines_beside(shape, parameter):
    """How many lines of a layer norm data of this shape are, for parameters of that shape."""
    return prod(shape[:len(shape) - len(parameter)])


@rule(channel_scale)
def scale_of_channels(op, mapped, payloads, size):
    weight, variance, eps = payloads
    return op(with_batch(weight, mapped[0], size), front(variance, mapped[1], size), eps)
