"""Layers with random options, and arrays that they can be called with.

``LAYERS`` has for each name a function of Dice that returns (positional arguments, options, inputs).  An option that is
an Array becomes a tensor.
"""

from functools import partial

from .drawing import Array, normal

# ------------------------------------------------------------------------------ windows


def images(dice, dims, channels, low=4, high=9):
    """A batch of them, or one without a batch dim."""
    return normal(*[dice.randint(1, 3)] * dice.yes(), channels, *dice.sizes(dims, low, high))


def convolution(dims, dice):
    groups = dice.randint(1, 2)
    channels, out = groups * dice.randint(1, 3), groups * dice.randint(1, 3)
    options = dice.all(bias=[True, False], groups=groups, stride=dice.one_or_each(dims, 1, 3),
                       dilation=dice.one_or_each(dims, 1, 2), padding=[dice.one_or_each(dims, 0, 2), "valid", "same"])
    if options["padding"] == "same":
        options["stride"] = 1
    options |= dice.some(padding_mode=["reflect", "replicate", "circular"])
    return (channels, out, dice.one_or_each(dims, 1, 3)), options, [images(dice, dims, channels, 5, 8)]


def transposed(dims, dice):
    groups = dice.randint(1, 2)
    channels, out = groups * dice.randint(1, 3), groups * dice.randint(1, 3)
    options = dice.all(bias=[True, False], groups=groups, stride=3, padding=dice.one_or_each(dims, 0, 1),
                       output_padding=dice.one_or_each(dims, 0, 2), dilation=dice.one_or_each(dims, 1, 2))
    return (channels, out, dice.one_or_each(dims, 1, 3)), options, [images(dice, dims, channels)]


def maxima(dims, dice):
    options = dice.some(stride=dice.one_or_each(dims, 1, 3), padding=1, dilation=dice.one_or_each(dims, 1, 2),
                        ceil_mode=True, return_indices=True)
    return (dice.one_or_each(dims, 2, 3),), options, [images(dice, dims, 2)]


def averages(dims, dice):
    options = dice.some(stride=dice.one_or_each(dims, 1, 3), padding=1, ceil_mode=True, count_include_pad=False)
    if dims > 1:
        options |= dice.some(divisor_override=dice.randint(1, 5))
    return (dice.one_or_each(dims, 2, 3),), options, [images(dice, dims, 2)]


def norms(dims, dice):
    size = dice.one_or_each(dims, 2, 3) if dims > 1 else 2
    return (dice.choice([1, 2, 3, 1.5]), size), dice.some(ceil_mode=True, stride=[1, 2]), [images(dice, dims, 2)]


def adaptive(dims, dice):
    size = dice.randint(1, 5)
    if dims > 1 and dice.yes():
        size = tuple([dice.choice([None, dice.randint(1, 5)]) for _ in range(dims)])
    return (size,), {}, [images(dice, dims, 2, 3, 8)]


def padding(dims, kind, dice):
    low = -1 if kind in ("Constant", "Zero") else 0
    widths = dice.sizes(2 * dims, low, 2) if dice.yes() else dice.randint(1, 2)
    return (widths, 1.5) if kind == "Constant" else (widths,), {}, [images(dice, dims, 2, 4, 6)]


def resizing(dice):
    mode, dims = dice.choice([("nearest", 1), ("nearest", 2), ("nearest", 3), ("nearest-exact", 2), ("linear", 1),
                              ("bilinear", 2), ("bicubic", 2), ("trilinear", 3)])
    # With other factors, PyTorch's gradient in the nearest mode is that of another computation.
    options = {"scale_factor": dice.choice([2, 1.5, 0.5])} if dice.yes() else {"size": dice.sizes(dims, 1, 7)}
    if "linear" in mode or mode == "bicubic":
        options |= dice.some(align_corners=[True, False])
    return (), {"mode": mode, **options}, [normal(2, 2, *dice.sizes(dims, 2, 5))]


def windows(dice):
    options = dice.some(stride=[1, 2], padding=[0, 1], dilation=[1, 2])
    return ((2, dice.randint(1, 2)),), options, [normal(2, 2, 5, 6)]

# ------------------------------------------------------------------------------ means and variances


def of_batch(dims, dice):
    channels = dice.randint(1, 4)
    options = dice.some(affine=False, track_running_stats=False, eps=1e-2, momentum=[0.5, None])
    shape = [dice.randint(2, 4), channels, *dice.sizes(dims, 2, 4)]
    return (channels,), options, [normal(*shape[:2] if dims == 1 and dice.yes() else shape)]


def of_instance(dims, dice):
    channels = dice.randint(1, 4)
    options = dice.some(affine=True, track_running_stats=True, eps=1e-2, momentum=0.5)
    shape = [dice.randint(2, 4), channels, *dice.sizes(dims, 2, 4)]
    return (channels,), options, [normal(*shape[dice.randint(0, 1):])]


def of_layer(dice):
    shape = dice.sizes(dice.randint(2, 4), 1, 4)
    n = dice.randint(1, len(shape))
    return (shape[-n:],), dice.some(elementwise_affine=False, eps=1e-2), [normal(*shape)]


def of_groups(dice):
    groups = dice.randint(1, 3)
    channels = groups * dice.randint(1, 3)
    shape = dice.randint(1, 3), channels, *dice.sizes(dice.randint(0, 3), 1, 4)
    return (groups, channels), dice.some(affine=False, eps=1e-2), [normal(*shape)]

# ------------------------------------------------------------------------------ sequences


def recurrent(kind, dice):
    size, hidden = dice.randint(1, 4), dice.randint(2, 4)
    options = dice.some(num_layers=[1, 2, 3], bias=False, batch_first=True, bidirectional=True, dropout=0.5)
    if kind == "RNN":
        options |= dice.some(nonlinearity="relu")
    if kind == "LSTM":
        options |= dice.some(proj_size=dice.randint(1, hidden - 1))
    return (size, hidden), options, [normal(*dice.sizes(1 + dice.yes(), 1, 4), size)]


def cell(kind, dice):
    size, hidden, batch = dice.randint(1, 4), dice.randint(1, 4), dice.sizes(dice.randint(0, 1), 1, 3)
    options = dice.some(bias=False, **{"nonlinearity": "relu"} if kind == "RNN" else {})
    states = [normal(*batch, hidden)] * (kind != "LSTM" and dice.yes())
    return (size, hidden), options, [normal(*batch, size), *states]


def attention(dice):
    heads = dice.randint(1, 3)
    size, batch, ours, theirs = heads * dice.randint(1, 3), *dice.sizes(3, 1, 4)
    options = dice.some(bias=False, add_bias_kv=True, add_zero_attn=True, batch_first=True)
    of_key = of_value = size
    if dice.yes():
        of_key, of_value = options["kdim"], options["vdim"] = dice.sizes(2, 1, 4)
    first = options.get("batch_first")
    shapes = [(batch, n) if first else (n, batch) for n in (ours, theirs, theirs)]
    return (size, heads), options, [normal(*shape, n) for shape, n in zip(shapes, (size, of_key, of_value))]


def transformer(inputs, dice):
    heads = dice.randint(1, 2)
    size, batch = heads * dice.randint(1, 3), dice.randint(1, 2)
    options = dice.all(dim_feedforward=dice.randint(1, 5), dropout=[0.0, 0.3], activation=["relu", "gelu"])
    options |= dice.some(batch_first=True, norm_first=True, bias=False)
    lengths = dice.sizes(inputs, 1, 4)
    return (size, heads), options, [normal(*(batch, n) if options.get("batch_first") else (n, batch), size)
                                    for n in lengths]


def bags(dice):
    options = dice.some(mode=["sum", "mean", "max"], padding_idx=0, max_norm=1.0)
    return (5, 3), options, [Array("number", dice.sizes(2, 1, 4), 5)]


def embedding(dice):
    options = dice.some(padding_idx=[0, -1], max_norm=1.0, norm_type=1.0, scale_grad_by_freq=True)
    return (5, 3), options, [Array("number", dice.sizes(2, 0, 4), 5)]

# ------------------------------------------------------------------------------ of each number


def of_any_shape(arguments, dice):
    return dice.choice(arguments), {}, [normal(*dice.sizes(dice.randint(1, 4), 1, 4))]


def of_shape(arguments, *shapes):
    return lambda dice: (dice.choice(arguments), {}, [normal(*shape) for shape in shapes])


ACTIVATIONS = {
    **dict.fromkeys(["ReLU", "ReLU6", "SELU", "Tanhshrink", "Hardsigmoid", "Hardswish", "LogSigmoid", "Mish", "SiLU",
                     "Sigmoid", "Softsign", "Tanh", "Identity"], [()]),
    "ELU": [(), (0.5,)], "CELU": [(), (0.5,)], "GELU": [(), ("tanh",)], "Hardshrink": [(), (0.3,)],
    "LeakyReLU": [(0.2,)], "Softshrink": [(), (0.3,)], "Hardtanh": [(), (-0.5, 0.7)], "Softplus": [(), (2.0, 1.0)],
    "Threshold": [(0.1, 2.0)],
    "Softmin": [(0,), (-1,)], "Softmax": [(0,), (-1,)], "LogSoftmax": [(0,), (-1,)], "PReLU": [(), (1, 0.5)],
    "RReLU": [(), (0.1, 0.2)], "Dropout": [(), (0.3,)], "AlphaDropout": [(0.3,)], "FeatureAlphaDropout": [(0.3,)],
    "Flatten": [(0,)],
}

# ------------------------------------------------------------------------------ losses


def loss(inputs, dice, reductions=("mean", "sum", "none"), **options):
    """``inputs(n, c)`` for n examples of c classes; ``options(c)`` are there or not."""
    n, classes = dice.randint(1, 4), dice.randint(2, 4)
    given = {name: value(classes) if callable(value) else value for name, value in options.items()}
    return (), {"reduction": dice.choice(reductions), **dice.some(**given)}, inputs(n, classes)


def weight(classes):
    return Array("share", [classes])


def cross_entropy(dice):
    n, classes = dice.randint(1, 4), dice.randint(2, 4)
    places = dice.sizes(dice.randint(0, 2), 1, 3)
    options = {"reduction": dice.choice(["mean", "sum", "none"]),
               **dice.some(weight=weight(classes), ignore_index=[0, 1], label_smoothing=0.2)}
    if dice.yes():
        options.pop("ignore_index", None)
        return (), options, [normal(n, classes, *places), Array("shares", [n, classes, *places])]
    return (), options, [normal(n, classes, *places), Array("number", [n, *places], classes)]


def ctc(dice):
    n, classes, length, longest = dice.randint(1, 4), dice.randint(2, 4), dice.randint(4, 6), dice.randint(1, 3)
    return (), {"reduction": dice.choice(["mean", "sum", "none"]), **dice.some(zero_infinity=True)}, [
        Array("logarithms", [length, n, classes + 1]), Array("label", [n, longest], classes + 1),
        Array("label", [n], length + 1), Array("label", [n], longest + 1)]


def two(n, c):
    return [normal(n, c), normal(n, c)]


def with_shares(n, c):
    return [normal(n, c), Array("share", [n, c])]


def two_shares(n, c):
    return [Array("share", [n, c]), Array("share", [n, c])]


LOSSES = {
    "CrossEntropyLoss": cross_entropy, "CTCLoss": ctc,
    "NLLLoss": partial(loss, lambda n, c: [normal(n, c, 2), Array("number", [n, 2], c)], weight=weight,
                       ignore_index=[0, 1]),
    "BCELoss": partial(loss, two_shares, weight=weight),
    "BCEWithLogitsLoss": partial(loss, with_shares, weight=weight, pos_weight=weight),
    "MSELoss": partial(loss, two), "L1Loss": partial(loss, two), "SmoothL1Loss": partial(loss, two, beta=[0.5, 0.0]),
    "HuberLoss": partial(loss, two, delta=0.3), "PoissonNLLLoss": partial(loss, two_shares, log_input=False, full=True),
    "KLDivLoss": partial(loss, with_shares, reductions=["mean", "sum", "none", "batchmean"], log_target=True),
    "GaussianNLLLoss": partial(loss, lambda n, c: [*two(n, c), Array("share", [n, c])], full=True),
    "MarginRankingLoss": partial(loss, lambda n, c: [normal(n), normal(n), Array("sign", [n])], margin=0.5),
    "HingeEmbeddingLoss": partial(loss, lambda n, c: [normal(n, c), Array("sign", [n, c])], margin=0.5),
    "SoftMarginLoss": partial(loss, lambda n, c: [normal(n, c), Array("sign", [n, c])]),
    "CosineEmbeddingLoss": partial(loss, lambda n, c: [*two(n, c), Array("sign", [n])], margin=0.3),
    "TripletMarginLoss": partial(loss, lambda n, c: [*two(n, c), normal(n, c)], margin=2.0, p=[1.0, 3.0], swap=True),
    "MultiMarginLoss": partial(loss, lambda n, c: [normal(n, c), Array("number", [n], c)], p=2, margin=0.5,
                               weight=weight),
    "MultiLabelSoftMarginLoss": partial(loss, lambda n, c: [normal(n, c), Array("bit", [n, c])], weight=weight),
    "MultiLabelMarginLoss": partial(loss, lambda n, c: [normal(n, c), Array("labels", [n, c], c)]),
}

# ------------------------------------------------------------------------------ all

LAYERS = {
    **{f"{name}{dims}d": partial(draw, dims) for dims in (1, 2, 3) for name, draw in {
        "Conv": convolution, "ConvTranspose": transposed, "MaxPool": maxima, "AvgPool": averages, "LPPool": norms,
        "AdaptiveAvgPool": adaptive, "AdaptiveMaxPool": adaptive, "BatchNorm": of_batch,
        "InstanceNorm": of_instance}.items()},
    **{f"{kind}Pad{dims}d": partial(padding, dims, kind) for dims in (1, 2, 3)
       for kind in ("Constant", "Zero", "Reflection", "Replication", "Circular")},
    **{name: partial(of_any_shape, arguments) for name, arguments in ACTIVATIONS.items()},
    **{kind: partial(recurrent, kind) for kind in ("RNN", "GRU", "LSTM")},
    **{f"{kind}Cell": partial(cell, kind) for kind in ("RNN", "GRU", "LSTM")},
    **LOSSES,
    "Upsample": resizing, "Unfold": windows, "LayerNorm": of_layer, "RMSNorm": of_layer, "GroupNorm": of_groups,
    "MultiheadAttention": attention, "TransformerEncoderLayer": partial(transformer, 1),
    "TransformerDecoderLayer": partial(transformer, 2), "Embedding": embedding, "EmbeddingBag": bags,
    "Linear": lambda dice: ((3, dice.randint(1, 4)), dice.some(bias=False), [normal(*dice.sizes(2, 0, 3), 3)]),
    "Bilinear": lambda dice: ((2, 3, 4), dice.some(bias=False), [normal(2, 2), normal(2, 3)]),
    "LocalResponseNorm": lambda dice: ((dice.randint(1, 4),), dice.some(alpha=0.5, beta=0.5, k=2.0), [normal(2, 4, 3)]),
    "CosineSimilarity": lambda dice: ((dice.randint(-2, 1),), {}, [normal(3, 4), normal(3, 4)]),
    "PairwiseDistance": lambda dice: ((), dice.some(p=[1.0, 3.0], keepdim=True), [normal(3, 4), normal(3, 4)]),
    "GLU": of_shape([(0,), (1,), (-1,)], (4, 6)), "PixelShuffle": of_shape([(2,)], (2, 8, 2, 3)),
    "PixelUnshuffle": of_shape([(2,)], (2, 2, 4, 6)), "ChannelShuffle": of_shape([(2,)], (2, 4, 3)),
    "Dropout1d": of_shape([(0.4,)], (2, 4, 3)), "Dropout2d": of_shape([(0.4,)], (2, 4, 3, 2)),
    "Dropout3d": of_shape([(0.4,)], (2, 4, 3, 2, 2)), "Softmax2d": of_shape([()], (2, 3, 2, 2)),
}
