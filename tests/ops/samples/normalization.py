"""Sample rows of normalisations: layer, RMS, group, batch, instance and local response norm, and their ways back."""

import numpy as np

from tests.ops.sampling import T, case, row

LAYER, GROUP, BATCH = range(3)


def standardized(x, axes, eps, centred=True):
    mean = x.mean(axes, keepdims=True) if centred else 0
    return (x - mean) / np.sqrt(((x - mean) ** 2).mean(axes, keepdims=True) + eps)


def affine(z, weight, bias, shape):
    z = z if weight is None else z * weight.reshape(shape)
    return z if bias is None else z + bias.reshape(shape)


def layer(x, sizes, weight=None, bias=None, eps=1e-5):
    return affine(standardized(x, tuple(range(-len(sizes), 0)), eps), weight, bias, sizes)


def rms(x, sizes, weight=None, eps=np.finfo(np.float64).eps):
    return affine(standardized(x, tuple(range(-len(sizes), 0)), eps, False), weight, None, sizes)


def of_channels(x):
    return (1, -1, *(1,) * (x.ndim - 2))


def group(x, groups, weight=None, bias=None, eps=1e-5):
    z = standardized(x.reshape(len(x), groups, -1), -1, eps).reshape(x.shape)
    return affine(z, weight, bias, of_channels(x))


def batch(x, mean, variance, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    if training:
        z = standardized(x, (0, *range(2, x.ndim)), eps)
    else:
        z = (x - mean.reshape(of_channels(x))) / np.sqrt(variance.reshape(of_channels(x)) + eps)
    return affine(z, weight, bias, of_channels(x))


def instance(x, mean=None, variance=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-5):
    if use_input_stats:
        return affine(standardized(x, tuple(range(2, x.ndim)), eps), weight, bias, of_channels(x))
    return batch(x, mean, variance, weight, bias, eps=eps)


def local_response(x, size, alpha=1e-4, beta=0.75, k=1.0):
    mean = np.zeros_like(x)
    for c in range(x.shape[1]):
        mean[:, c] = (x[:, max(0, c - size // 2):c + (size - 1) // 2 + 1] ** 2).sum(1) / size
    return x / (k + alpha * mean) ** beta


def by_hand(function, stats):
    """The same with what the native functions return beside it."""
    def reference(*args):
        return (function(*args), *stats(*args))
    return reference


def layer_stats(x, sizes, weight, bias, eps):
    axes = tuple(range(-len(sizes), 0))
    return x.mean(axes, keepdims=True), 1 / np.sqrt(x.var(axes, keepdims=True) + eps)


def native_group(x, weight, bias, N, C, HxW, groups, eps):
    lines = x.reshape(N, groups, -1)
    return group(x, groups, weight, bias, eps), lines.mean(-1), 1 / np.sqrt(lines.var(-1) + eps)


def native_batch(x, weight, bias, mean, variance, training, momentum, eps):
    out = batch(x, mean, variance, weight, bias, training, momentum, eps)
    if not training:
        return out, np.empty(0), np.empty(0)
    axes = (0, *range(2, x.ndim))
    return out, x.mean(axes), 1 / np.sqrt(x.var(axes) + eps)


W, POSITIVE = T(4), T(4, kind="positive", grad=False)
GIVEN = T(4, grad=False)
SHAPES = ("weight_sym_sizes", "bias_sym_sizes")

LAST_DIMS = [
    row("layer_norm", case(T(2, 3, 4), (4,)), case(T(2, 3, 4), (3, 4), T(3, 4), T(3, 4)), case(T(4), [4], None, T(4)),
        case(T(3, 5), (5,), T(5), eps=0.5), case(T(2, 3, 4), (4,), bias=T(4)), where="nn.functional", numpy=layer,
        extra_saved=SHAPES, bad=case(T(2, 3), (2,))),
    row("layer_norm", case(T(2, 3), (3,), T(3), T(3), 1e-3, False), where="torch",
        numpy=lambda x, sizes, weight, bias, eps, cudnn_enable: layer(x, sizes, weight, bias, eps), extra_saved=SHAPES,
        bad=case(T(2, 3), ())),
    row("layer_norm", case(T(0, 3), (3,), T(3), T(3)), case(T(2, 0), (0,)), kink=True, gradgrad=False,
        where="nn.functional", loops="native_layer_norm norm_backward norm_weight_backward parameter_sum",
        extra_saved=SHAPES, bad=case(T(2, 3), (3,), T(2))),
    row("native_layer_norm", case(T(2, 3, 4), (4,), T(4), T(4), 1e-3), case(T(2, 3), (2, 3), None, None, 1e-3),
        numpy=by_hand(layer, layer_stats), kink=True, extra_saved=SHAPES,
        bad=case(T(2, 3, kind="int"), (3,), None, None, 1e-3)),
    row("rms_norm", case(T(2, 3, 4), (4,)), case(T(2, 3, 4), (3, 4), T(3, 4)), case(T(4), [4], T(4), 1e-3),
        case(T(3, 5), (5,), eps=0.5), where="nn.functional", numpy=rms, complex=True, node=False,
        extra_saved=("normalized_shape", "weight", "input", "rstd"), bad=case(T(2, 3), (2,))),
    row("rms_norm", case(T(2, 3), (3,), T(3), 1e-3), where="torch", numpy=rms, node=False, bad=case(T(2, 3), ())),
]

CHANNELS = [
    row("group_norm", case(T(2, 4, 1), 2, bias=W), where="nn.functional", numpy=group, torch=False,
        bad=case(T(2, 4), -2)),                 # PyTorch fails to differentiate it with create_graph
    row("group_norm", case(T(2, 4, 3), 2), case(T(2, 4, 3), 2, W, T(4)), case(T(3, 4), 1, W),
        case(T(1, 4, 2, 3), 4, W, T(4), 0.5), where="nn.functional", numpy=group,
        extra_saved=SHAPES, bad=case(T(2, 4, 3), 3)),
    row("group_norm", case(T(2, 4, 3), 2, W, T(4), 1e-3, True), where="torch",
        numpy=lambda x, groups, weight, bias, eps, cudnn_enabled: group(x, groups, weight, bias, eps),
        extra_saved=SHAPES, bad=case(T(4), 1)),
    row("group_norm", case(T(0, 4, 3), 2), kink=True, gradgrad=False, where="nn.functional", extra_saved=SHAPES,
        bad=case(T(1, 4), 4)),
    row("native_group_norm", case(T(2, 4, 3), W, T(4), 2, 4, 3, 2, 1e-3), case(T(2, 4), None, None, 2, 4, 1, 1, 1e-3),
        numpy=native_group, node=False, bad=case(T(2, 4, 3), None, None, 2, 4, 4, 2, 1e-3)),
    row("batch_norm", case(T(3, 4), None, None, training=True), case(T(2, 4, 3), None, None, W, T(4), True),
        case(T(2, 4, 2, 2), GIVEN, POSITIVE, T(4), None, True, 0.3),
        case(T(2, 4, 1), None, None, None, W, True, eps=0.5), case(T(2, 4, 3), GIVEN, POSITIVE),
        case(T(3, 4), GIVEN, POSITIVE, W, T(4), False, 0.1, 1e-3),
        case(T(1, 4), GIVEN, POSITIVE, bias=W), where="nn.functional", numpy=batch,
        unmapped="while the running_mean or running_var", extra_saved=SHAPES,
        bad=case(T(1, 4), None, None, training=True)),
    row("batch_norm", case(T(2, 4, 3), W, T(4), GIVEN, POSITIVE, True, 0.2, 1e-3, False), where="torch",
        numpy=lambda x, weight, bias, mean, variance, training, momentum, eps, cudnn_enabled:
            batch(x, mean, variance, weight, bias, training, momentum, eps),
        unmapped="while the running_mean or running_var", extra_saved=SHAPES,
        bad=case(T(2, 4), None, None, None, None, False, 0.1, 1e-3, False)),
    row("batch_norm", case(T(0, 4), None, None, training=True), kink=True, gradgrad=False, where="nn.functional",
        node=False, bad=case(T(2, 4), GIVEN, None, training=True)),
    row("native_batch_norm", case(T(2, 4, 3), W, T(4), None, None, True, 0.1, 1e-3),
        case(T(2, 4), None, None, GIVEN, POSITIVE, False, 0.1, 1e-3),
        numpy=native_batch, kink=True, extra_saved=SHAPES,
        bad=case(T(2, 4, kind="int"), None, None, None, None, True, 0.1, 1e-3)),
    row("instance_norm", case(T(2, 4, 3)), case(T(2, 4, 2, 2), None, None, W, T(4)),
        case(T(2, 4, 3), GIVEN, POSITIVE, W, None, True, 0.3, 1e-3), case(T(2, 4, 3), GIVEN, POSITIVE, W, T(4), False),
        unmapped="while the running_mean or running_var", where="nn.functional",
        numpy=instance, bad=case(T(2, 4, 1))),
    row("instance_norm", case(T(2, 4, 3), W, T(4), None, None, True, 0.1, 1e-3, False), where="torch",
        numpy=lambda x, weight, bias, mean, variance, use, momentum, eps, cudnn_enabled:
            instance(x, mean, variance, weight, bias, use, momentum, eps),
        bad=case(T(2, 4, 3), None, None, None, None, False, 0.1, 1e-3, False)),
    row("local_response_norm", case(T(2, 4, 3), 2), case(T(2, 5, 2, 2), 3, 0.5, 0.5, 2.0),
        case(T(2, 3, 2), 9, alpha=1.0),
        numpy=local_response, bad=case(T(2, 3), 2)),
]


def lines_of(x, over):
    """(N, G, D, L), and the axes of the lines; for groups of two channels."""
    if over == LAYER:
        return x.reshape(len(x), 1, -1, 1), (2, 3)
    n, c = x.shape[:2]
    return (x.reshape(n, c, 1, -1), (0, 3)) if over == BATCH else (x.reshape(n, c // 2, 2, -1), (2, 3))


def parameters_of(w, x, over):
    return w if over == LAYER else w.reshape(of_channels(x))


def for_parameter(x, over, sizes):
    return x.sum(0) if over == LAYER else x.sum((0, *range(2, x.ndim)))


def spread(w, over, sizes):
    return np.broadcast_to(w if over == LAYER else w.reshape(1, -1, *(1,) * (len(sizes) - 2)), sizes)


def z_of(x, mean, r, over):
    four, axes = lines_of(x, over)
    shape = [1 if k in axes else n for k, n in enumerate(four.shape)]
    return ((four - (0 if mean is None else mean.reshape(shape))) * r.reshape(shape)).reshape(x.shape), r.reshape(shape)


def back(d, x, mean, r, weight, over):
    z, r = z_of(x, mean, r, over)
    g = d if weight is None else d * parameters_of(weight, d, over)
    (g, axes), (z, _) = lines_of(g, over), lines_of(z, over)
    rest = 0 if mean is None else g.mean(axes, keepdims=True)
    return (r * (g - rest - z * (g * z).mean(axes, keepdims=True))).reshape(x.shape)


#: x, its mean and r by hand: the formulas of the rows for x hold only where these two are made of it
X = np.array([[[1., 2.], [4., 0.]], [[3., 3.], [-1., 1.]]])


def of(x, over, centred=True):
    four, axes = lines_of(x, over)
    mean = four.mean(axes) if centred else None
    r = 1 / np.sqrt(((four - (four.mean(axes, keepdims=True) if centred else 0)) ** 2).mean(axes) + 0.1)
    shape = {LAYER: (len(x), 1, 1), GROUP: (len(x), 1), BATCH: (2,)}[over]
    return [None if each is None else T(values=each.reshape(shape).tolist(), grad=False) for each in (mean, r)]


WAYS_BACK = [row(name, *cases, where="row", torch=False, kink=True, numpy=numpy) for name, cases, numpy in (
    ("norm_backward",
     [case(T(2, 2, 2), T(values=X.tolist()), *of(X, over, centred), w, over) for over in (LAYER, GROUP, BATCH)
      for centred in (True, False) for w in (None, T(2, 2) if over == LAYER else T(2))
      if centred or over == LAYER], back),
    ("norm_weight_backward",
     [case(T(2, 2, 2), T(values=X.tolist()), *of(X, over), over, (2, 2) if over == LAYER else (2,))
      for over in (LAYER, GROUP, BATCH)],
     lambda d, x, mean, r, over, sizes: for_parameter(d * z_of(x, mean, r, over)[0], over, sizes)),
    ("standardized", [case(T(values=X.tolist()), *of(X, over), over) for over in (LAYER, GROUP, BATCH)],
     lambda x, mean, r, over: z_of(x, mean, r, over)[0]),
    ("line_deviation", [case(T(values=X.tolist()), *of(X, over), over) for over in (LAYER, GROUP, BATCH)],
     lambda x, mean, r, over: np.broadcast_to(z_of(x, mean, r, over)[1], lines_of(x, over)[0].shape).reshape(x.shape)),
)] + [
    row("line_mean", *[case(T(2, 2, 3), T(values=np.zeros(shape).tolist(), grad=False), over)
                       for over, shape in ((LAYER, (2, 1, 1)), (GROUP, (2, 1)), (BATCH, (2,)))],
        where="row", torch=False,
        numpy=lambda x, like, over: np.broadcast_to(
            lines_of(x, over)[0].mean(lines_of(x, over)[1], keepdims=True), lines_of(x, over)[0].shape
        ).reshape(x.shape)),
    row("parameter_sum", case(T(2, 4, 3), LAYER, (4, 3)), case(T(2, 4, 3), GROUP, (4,)), case(T(2, 4), BATCH, (4,)),
        where="row", torch=False, numpy=for_parameter),
    row("spread_parameter", case(T(4, 3), LAYER, (2, 4, 3)), case(T(4), GROUP, (2, 4, 3)), case(T(4), BATCH, (2, 4)),
        where="row", torch=False, numpy=spread),
    row("scaled", case(T(2, 4, 3), T(4, 3), LAYER), case(T(2, 4, 3), T(4), GROUP), case(T(2, 4), None, BATCH),
        where="row", torch=False,
        numpy=lambda x, w, over: x if w is None else x * parameters_of(w, x, over)),
    row("channel_scale", case(T(4), POSITIVE, 0.1), case(None, POSITIVE, 0.1), where="row", torch=False,
        numpy=lambda w, variance, eps: (1 if w is None else w) / np.sqrt(variance + eps)),
]

ROWS = LAST_DIMS + CHANNELS + WAYS_BACK
