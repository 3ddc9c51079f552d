"""Map convolutions: the examples of a batch become more of the convolution's own batch, or more of its groups.

With a batch B of inputs, and one weight for all of them, they are one batch:

    x (B, N, C, ...)   w (O, C, ...)            x (B N, C, ...)        w (O, C, ...)

With a batch of weights, as of an ensemble, or of the gradients for single examples, each has a group of its own:

    x (B, N, C, ...)   w (B, O, C, ...)         x (N, B C, ...)        w (B O, C, ...)         B groups

If the input is the same for all weights, they are one weight with more outputs.

The three rows are the derivatives of one sum T(x, w, y) (ops/windows/convolution.py), which is symmetric enough for one
rule: the roles x, w and y are those of two arguments and the result.
"""

from minigrad.ops.elementwise.arithmetic import add
from minigrad.ops.shapes.reshaping import reshape_to
from minigrad.ops.shapes.transposing import transpose
from minigrad.ops.windows.convolution import convolve, convolve_back, convolve_weight

from .batch_rule import front, rule

#: the roles of the two factors and of the result
ROLES = {convolve: "xwy", convolve_back: "ywx", convolve_weight: "xyw"}


def beside(x, role, size):
    """A batch of tensors as one, whose channels are those of all: of a weight the outputs."""
    if role == "w":
        return reshape_to(x, (size * x.shape[1], *x.shape[2:]))
    x = transpose(x, 0, 1)
    return reshape_to(x, (x.shape[0], size * x.shape[2], *x.shape[3:]))


def apart(x, role, size):
    """The other way round."""
    axis = 0 if role == "w" else 1
    shape = tuple(x.shape)
    x = reshape_to(x, (*shape[:axis], size, shape[axis] // size, *shape[axis + 1:]))
    return x if role == "w" else transpose(x, 0, 1)


def product(op, mapped, factors, shape, options, size):
    """The product of two factors, at least one of which is mapped; the result has the shape ``shape``."""
    *lengths, groups = options
    roles = ROLES[op]
    by_role = dict(zip(roles, mapped))
    if "w" in by_role and not by_role["w"]:             # one weight: a larger batch
        at = roles.index("w")
        other = factors[1 - at]
        flat = reshape_to(other, (size * other.shape[1], *other.shape[2:]))
        pair = [factors[0], flat] if at == 0 else [flat, factors[1]]
        out = call(op, pair, (size * shape[0], *shape[1:]), options)
        return reshape_to(out, (size, *shape))
    axis = 0 if roles[2] == "w" else 1
    shape = (*shape[:axis], size * shape[axis], *shape[axis + 1:])
    if groups == 1 and not by_role.get("x", True):      # one input: a weight, or a gradient, with more channels
        pair = [beside(f, r, size) if m else f for f, r, m in zip(factors, roles, mapped)]
    else:
        pair, groups = [beside(front(f, m, size), r, size) for f, r, m in zip(factors, roles, mapped)], size * groups
    return apart(call(op, pair, shape, (*lengths, groups)), roles[2], size)


def call(op, factors, shape, options):
    return op(*factors, shape, *options) if op is convolve_weight else op(*factors, None, shape, *options)


@rule(convolve, convolve_back)
def convolved(op, mapped, payloads, size):
    *factors, bias, shape, stride, padding, dilation, groups = payloads
    options = (stride, padding, dilation, groups)
    if not size and mapped[1]:                  # no weight: no group has channels
        return None
    if not (mapped[0] or mapped[1]):
        out = front(call(op, factors, shape, options), False, size)
    elif bias is not None and not mapped[2] and not mapped[1]:
        x, w = factors
        out = op(reshape_to(x, (size * x.shape[1], *x.shape[2:])), w, bias, (size * shape[0], *shape[1:]), *options)
        return reshape_to(out, (size, *shape))
    else:
        out = product(op, mapped[:2], factors, shape, options, size)
    if bias is None:
        return out
    of_channels = (1, bias.shape[-1], *[1] * (len(shape) - 2))
    return add(out, reshape_to(bias, (size, *of_channels) if mapped[2] else of_channels))


@rule(convolve_weight)
def weighed(op, mapped, payloads, size):
    *factors, shape, stride, padding, dilation, groups = payloads
    return product(op, mapped[:2], factors, shape, (stride, padding, dilation, groups), size) if size else None
