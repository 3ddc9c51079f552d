"""Sample calls of convolutions, and of windows laid side by side.

The reference places every window by itself, one loop for each of the indices of the sum.
"""

from itertools import product

import numpy as np

from tests.ops.sampling import T, case, row


def several(value, n):
    values = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    return values * n if len(values) == 1 else values


def terms(sizes, kernel, places, stride, padding, dilation):
    """All that meet: the element of the kernel, the window, and the element of the input that is there."""
    for k in product(*map(range, kernel)):
        for p in product(*map(range, places)):
            x = tuple([i * s + j * d - a for i, j, s, d, a in zip(p, k, stride, dilation, padding)])
            if all([0 <= i < n for i, n in zip(x, sizes)]):
                yield k, p, x


def convolved(x, w, b=None, stride=1, padding=0, dilation=1, groups=1):
    n = w.ndim - 2
    if x.ndim == n + 1:
        return convolved(x[None], w, b, stride, padding, dilation, groups)[0]
    stride, dilation, kernel = several(stride, n), several(dilation, n), w.shape[2:]
    spans = [(k - 1) * d for k, d in zip(kernel, dilation)]
    if padding == "same":
        padding, places = [span // 2 for span in spans], x.shape[2:]
    else:
        padding = several(0 if padding == "valid" else padding, n)
        places = [(m + 2 * a - span - 1) // s + 1 for m, a, span, s in zip(x.shape[2:], padding, spans, stride)]
    out = np.zeros((x.shape[0], w.shape[0], *places), x.dtype)
    for o in range(w.shape[0]):
        first = o // (w.shape[0] // groups) * w.shape[1]
        for k, p, i in terms(x.shape[2:], kernel, places, stride, padding, dilation):
            channels = x[(slice(None), slice(first, first + w.shape[1]), *i)]
            out[(slice(None), o, *p)] += channels @ w[(o, slice(None), *k)]
        if b is not None:
            out[:, o] += b[o]
    return out


def transposed(x, w, b=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    n = w.ndim - 2
    if x.ndim == n + 1:
        return transposed(x[None], w, b, stride, padding, output_padding, groups, dilation)[0]
    stride, dilation, padding, kernel = several(stride, n), several(dilation, n), several(padding, n), w.shape[2:]
    sizes = [(m - 1) * s - 2 * a + (k - 1) * d + 1 + more for m, s, a, k, d, more in zip(
        x.shape[2:], stride, padding, kernel, dilation, several(output_padding, n))]
    out = np.zeros((x.shape[0], w.shape[1] * groups, *sizes), x.dtype)
    for c in range(w.shape[0]):
        first = c // (w.shape[0] // groups) * w.shape[1]
        for k, p, i in terms(sizes, kernel, x.shape[2:], stride, padding, dilation):
            out[(slice(None), slice(first, first + w.shape[1]), *i)] += np.multiply.outer(
                x[(slice(None), c, *p)], w[(c, slice(None), *k)])
    return out if b is None else out + b.reshape(-1, *[1] * n)


def by_name(x, w, b, stride, padding, dilation, turned, output_padding, groups):
    if turned:
        return transposed(x, w, b, stride, padding, output_padding, groups, dilation)
    return convolved(x, w, b, stride, padding, dilation, groups)


def by_time(x, w, b, pad=0):
    return convolved(x.transpose(1, 2, 0), w.transpose(2, 1, 0), b, padding=pad).transpose(2, 0, 1)


def gradient_of_weight(x, y, size, stride, padding, dilation, groups):
    out, outputs = np.zeros(size, x.dtype), size[0] // groups
    for o in range(size[0]):
        first = o // outputs * size[1]
        for k, p, i in terms(x.shape[2:], size[2:], y.shape[2:], stride, padding, dilation):
            out[(o, slice(None), *k)] += y[(slice(None), o, *p)] @ x[(slice(None), slice(first, first + size[1]), *i)]
    return out


def columns(x, kernel_size, dilation=1, padding=0, stride=1):
    if x.ndim == 3:
        return columns(x[None], kernel_size, dilation, padding, stride)[0]
    kernel, dilation, padding, stride = [several(each, 2) for each in (kernel_size, dilation, padding, stride)]
    places = [(m + 2 * a - (k - 1) * d - 1) // s + 1
              for m, a, k, d, s in zip(x.shape[2:], padding, kernel, dilation, stride)]
    out = np.zeros((*x.shape[:2], *kernel, *places), x.dtype)
    for k, p, i in terms(x.shape[2:], kernel, places, stride, padding, dilation):
        out[(slice(None), slice(None), *k, *p)] = x[(slice(None), slice(None), *i)]
    return out.reshape(x.shape[0], x.shape[1] * kernel[0] * kernel[1], places[0] * places[1])


def image(x, output_size, kernel_size, dilation=1, padding=0, stride=1):
    if x.ndim == 2:
        return image(x[None], output_size, kernel_size, dilation, padding, stride)[0]
    size, kernel, dilation, padding, stride = [several(each, 2) for each in (
        output_size, kernel_size, dilation, padding, stride)]
    places = [(m + 2 * a - (k - 1) * d - 1) // s + 1 for m, a, k, d, s in zip(size, padding, kernel, dilation, stride)]
    x = x.reshape(x.shape[0], x.shape[1] // (kernel[0] * kernel[1]), *kernel, *places)
    out = np.zeros((*x.shape[:2], *size), x.dtype)
    for k, p, i in terms(size, kernel, places, stride, padding, dilation):
        out[(slice(None), slice(None), *i)] += x[(slice(None), slice(None), *k, *p)]
    return out


SIZES = ("input_sym_sizes", "weight_sym_sizes")         # what gives the gradients their shapes

CONVOLUTIONS = [
    row("conv1d", case(T(2, 3, 6), T(4, 3, 3), T(4)), case(T(3, 6), T(4, 3, 3), None, 2, 1),
        case(T(2, 4, 7), T(6, 2, 2), T(6), stride=(2,), padding=(2,), dilation=(3,), groups=2),
        case(T(1, 2, 5), T(3, 2, 3), padding="valid"), case(T(0, 3, 6), T(4, 3, 3), T(4)),
        numpy=convolved, complex=True, ints=True, node=False, bad=case(T(1, 2, 5), T(3, 1, 2))),
    row("conv1d", case(T(1, 2, 5), T(3, 2, 4), padding="same"), case(T(2, 5), T(3, 2, 3), padding="same", dilation=2),
        numpy=convolved, node=False, bad=case(T(1, 2, 5), T(3, 2, 4), padding="sane")),
    row("conv2d", case(T(2, 3, 5, 4), T(4, 3, 3, 2), T(4)), case(T(2, 3, 5, 4), T(4, 3, 1, 1)),
        case(T(2, 2, 5, 6), T(4, 1, 3, 2), None, (2, 1), (1, 0), (1, 2), 2),
        case(T(1, 3, 4, 4), T(3, 1, 3, 3), T(3), padding=1, groups=3), case(T(2, 2, 3, 1), T(2, 2, 3, 1)),
        numpy=convolved, ints=True, extra_saved=SIZES, bad=case(T(1, 2, 5, 5), T(3, 2, 6, 2))),
    row("conv2d", case(T(4, 4, 4), T(4, 2, 2, 2), groups=2), case(T(0, 2, 3, 3), T(3, 2, 2, 2)),
        case(T(2, 3, 3), T(2, 2, 2, 3), padding="same"),
        case(T(2, 2, 4, 3), T(3, 2, 2, 2), T(3), (2, 1)),
        numpy=convolved, complex=True, node=False, bad=case(T(2, 4, 4), T(4, 2, 2, 2), padding="same", stride=2)),
    row("conv3d", case(T(1, 2, 3, 4, 3), T(2, 2, 2, 3, 1), T(2)),
        case(T(2, 3, 2, 3), T(2, 1, 2, 1, 2), None, (1, 2, 1), (1, 0, 1), (2, 1, 1), 2),
        numpy=convolved, complex=True, node=False, bad=case(T(3, 3, 3), T(2, 2, 2, 2, 2))),
    row("conv_transpose1d", case(T(2, 3, 4), T(3, 2, 3), T(2)), case(T(4, 3), T(4, 3, 2), None, 3, 1, 2, 2, 2),
        case(T(1, 2, 4), T(2, 2, 3), stride=2, padding=1, output_padding=(1,)),
        case(T(1, 1, 3), T(1, 1, 2), dilation=4, output_padding=3), case(T(0, 3, 4), T(3, 2, 3)),
        numpy=transposed, complex=True, ints=True, node=False, bad=case(T(1, 2, 4), T(2, 2, 3), output_padding=1)),
    row("conv_transpose2d", case(T(2, 3, 3, 2), T(3, 2, 2, 3), T(2)), case(T(2, 3, 3, 2), T(3, 2, 1, 1)),
        case(T(2, 4, 2, 3), T(4, 1, 3, 2), None, (2, 1), (1, 0), (1, 0), 2, (1, 2)),
        numpy=transposed, extra_saved=SIZES, bad=case(T(1, 2, 3, 3), T(2, 2, 2, 2), padding=3)),
    row("conv_transpose2d", case(T(2, 2, 3, 2), T(2, 2, 2, 3), T(4), (1, 2), (0, 1), (0, 1), 2),
        numpy=transposed, complex=True, node=False, bad=case(T(1, 2, 3, 3), T(2, 2, 2, 2), T(4))),
    row("conv_transpose3d", case(T(1, 2, 2, 2, 1), T(2, 2, 2, 1, 3), T(2)),
        case(T(2, 1, 2, 2), T(2, 1, 1, 2, 2), None, (1, 2, 1), 0, (0, 1, 0), 2),
        numpy=transposed, complex=True, node=False, bad=case(T(1, 2, 2, 2, 2), T(3, 2, 2, 2, 2))),
    row("conv_tbc", case(T(4, 2, 3), T(2, 3, 2), T(2)), case(T(3, 1, 2), T(3, 2, 1), T(1), 1), numpy=by_time,
        ints=True, node=False, bad=case(T(4, 2, 3), T(2, 2, 2), T(2))),
    row("convolution", case(T(1, 2, 4), T(3, 2, 2), T(3), (2,), (1,), (1,), False, (0,), 1),
        case(T(1, 2, 3, 3), T(2, 2, 2, 2), None, [2], [1], [1], True, [1], 1),
        numpy=by_name, extra_saved=SIZES,
        bad=case(T(1, 2, 4), T(3, 2, 2), T(2), (1,), (0,), (1,), False, (0,), 1)),
    row("convolve_weight", case(T(2, 4, 5, 4), T(2, 2, 2, 3), (2, 2, 2, 2), (2, 1), (0, 1), (2, 3), 2),
        case(T(2, 3, 6), T(2, 4, 3), (4, 3, 2), (2,), (0,), (1,), 1), where="row", numpy=gradient_of_weight,
        complex=True),
]

COLUMNS = [
    row("unfold", case(T(2, 2, 3, 4), 2), case(T(2, 3, 4), (2, 3)), case(T(2, 1, 5, 4), (2, 3), (2, 1), (1, 0), (2, 1)),
        case(T(0, 2, 3, 3), 2), where="nn.functional", numpy=columns, complex=True, extra_saved=("self_sym_sizes",),
        bad=case(T(1, 2, 3, 4), 5)),
    row("fold", case(T(2, 8, 6), (3, 4), 2), case(T(12, 6), (4, 4), (2, 3)),
        case(T(2, 6, 10), (5, 4), (2, 3), (2, 1), (1, 0), (1, 1)), case(T(1, 4, 4), 3, 2), case(T(0, 4, 4), 3, 2),
        numpy=image, complex=True, bad=case(T(1, 7, 4), 3, 2)),
]

ROWS = [*CONVOLUTIONS, *COLUMNS]
