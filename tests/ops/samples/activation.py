"""Sample rows of activations and losses."""

import math

import numpy as np

from tests.ops.sampling import T, case, row

erf = np.vectorize(math.erf, otypes=[np.float64])
NONZERO = (case(T(2, 3, kind="nonzero")), case(T(kind="nonzero")))
ANY = (case(T(2, 3)), case(T()))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x, dim, dtype=None):
    e = np.exp(x.astype(dtype or x.dtype))
    return e / e.sum(dim, keepdims=True)


def log_softmax(x, dim, dtype=None):
    return np.log(softmax(x, dim, dtype))


def gelu(x, approximate="none"):
    if approximate == "none":
        return x * (1 + erf(x / math.sqrt(2))) / 2
    return x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))) / 2


def gelu_backward(d, x, approximate="none"):
    """The slope from differences: of the sixth order, so that it has 10 digits."""
    h = 0.01
    ahead = [gelu(x + k * h, approximate) - gelu(x - k * h, approximate) for k in (1, 2, 3)]
    return d * (45 * ahead[0] - 9 * ahead[1] + ahead[2]) / (60 * h)


def elu(x, alpha=1.0):
    return np.where(x > 0, x, alpha * (np.exp(x) - 1))


def cosine(x, y, dim):
    return (x * y).sum(dim) / np.sqrt((x * x).sum(dim) * (y * y).sum(dim))


ACTIVATIONS = [
    row("relu", *NONZERO, numpy=lambda x: np.where(x > 0, x, 0), ints=True, bad=case(T(3, kind="bool"))),
    row("relu", *NONZERO, where="nn.functional", numpy=lambda x: np.where(x > 0, x, 0)),
    row("relu6", case(T(6, low=-2, high=9)), numpy=lambda x: np.clip(x, 0, 6), ints=True),
    row("hardtanh", case(T(2, 3)), case(T(4), -0.5, 1.5), numpy=lambda x, low=-1, high=1: np.clip(x, low, high)),
    row("threshold", case(T(2, 3), 0.5, 2.0), case(T(), 0.5, 2.0), ints=True,
        numpy=lambda x, threshold, value: np.where(x > threshold, x, value)),
    row("threshold", case(T(2, 3), 0.5, 2.0), where="nn.functional",
        numpy=lambda x, threshold, value: np.where(x > threshold, x, value)),
    row("hardshrink", *ANY, case(T(2, 3), 0.25), case(T(0, 3), lambd=1.0), bad=case(T(3, kind="int")),
        numpy=lambda x, lambd=0.5: np.where(np.abs(x) > lambd, x, 0)),
    row("hardshrink", case(T(2, 3), 0.25), where="nn.functional",
        numpy=lambda x, lambd=0.5: np.where(np.abs(x) > lambd, x, 0)),
    row("softshrink", *ANY, case(T(2, 3), 0.25), case(T(2, 3), lambd=0.0), bad=case(T(3), -1.0),
        numpy=lambda x, lambd=0.5: np.sign(x) * np.maximum(np.abs(x) - lambd, 0)),
    row("hardsigmoid", case(T(2, 4, low=-5, high=5)), case(T()), numpy=lambda x: np.clip(x / 6 + 0.5, 0, 1), rtol=1e-7,
        bad=case(T(3, kind="int"))),
    row("hardswish", case(T(2, 4, low=-5, high=5)), case(T()), numpy=lambda x: x * np.clip(x / 6 + 0.5, 0, 1)),
    row("leaky_relu", *NONZERO, case(T(3, kind="nonzero"), 0.2),
        numpy=lambda x, slope=0.01: np.where(x > 0, x, slope * x)),
    row("elu", *NONZERO, case(T(3, kind="nonzero"), 1.5), case(T(3, kind="nonzero"), alpha=0.5), numpy=elu),
    row("celu", *NONZERO, case(T(3, kind="nonzero"), 2.0),
        numpy=lambda x, alpha=1: np.where(x > 0, x, alpha * (np.exp(x / alpha) - 1))),
    row("selu", *NONZERO, numpy=lambda x: 1.0507009873554805 * elu(x, 1.6732632423543772)),
    row("gelu", *ANY, case(T(2, 3), approximate="tanh"), numpy=gelu, bad=case(T(3), approximate="some")),
    row("silu", *ANY, numpy=lambda x: x * sigmoid(x)),
    row("mish", *ANY, numpy=lambda x: x * np.tanh(np.log1p(np.exp(x)))),
    row("sigmoid", *ANY, where="nn.functional", numpy=sigmoid),
    row("tanh", *ANY, where="nn.functional", numpy=np.tanh),
    row("softplus", *ANY, case(T(2, 3), 2.0), numpy=lambda x, beta=1: np.log1p(np.exp(beta * x)) / beta),
    row("softplus", case(T(values=[-50., 0.5, 3., 50.]), 1.5, 2.0), numpy=lambda x, beta, threshold: np.where(
        beta * x > threshold, x, np.log1p(np.exp(beta * np.minimum(x, 9))) / beta)),
    row("logsigmoid", *ANY, case(T(values=[-1000., 1000.])),
        numpy=lambda x: np.where(x < -100, x, -np.log1p(np.exp(-np.maximum(x, -100)))),
        extra_saved=()),
    row("softsign", *NONZERO, numpy=lambda x: x / (1 + np.abs(x))),
    row("tanhshrink", *ANY, numpy=lambda x: x - np.tanh(x)),
    row("gelu_backward", case(T(2, 3), T(2, 3)), case(T(2, 3), T(2, 3), approximate="tanh"), case(T(2, 1), T(3)),
        where="row", numpy=gelu_backward),
    row("threshold_backward", case(T(2, 3), T(3, kind="nonzero", grad=False), 0.1), where="row",
        numpy=lambda d, x, threshold: np.where(x > threshold, d, 0)),
]

SOFTMAX = [
    row(name, case(T(2, 3), 1), case(T(2, 3), 0), case(T(2, 3, 2), -2), case(T(3), dim=0), case(T(), 0),
        numpy=lambda x, dim, f=f: f(x, dim) if x.ndim else f(x.reshape(1), 0)[0],
        bad=case(T(2, 3), 2))
    for name, f in (("softmax", softmax), ("log_softmax", log_softmax))
] + [
    row(name, case(T(2, 3), dim=1, dtype="float64"), case(T(2, 3, kind="int"), dim=0, dtype="float32"), numpy=f)
    for name, f in (("softmax", softmax), ("log_softmax", log_softmax))
] + [
    row(name, case(T(2, 3), dim=1), case(T(2, 3), dim=0, dtype="float64"), numpy=f, where="nn.functional")
    for name, f in (("softmax", softmax), ("log_softmax", log_softmax),
    ("softmin", lambda x, dim, dtype=None: softmax(-x, dim, dtype)))
] + [
    row("softmax", case(T(values=[[1000., 1001.], [-1000., -math.inf], [0., 0.]]), 1), kink=True),
    row("log_softmax", case(T(values=[[1000., 1001.], [-1000., -1001.], [0., 0.]]), 1), kink=True),
    row("softmax", case(T(0, 3), 1), case(T(3, 0), 1), kink=True),
    row("softmax_backward", case(T(2, 3), T(2, 3), 1), case(T(2, 3), T(2, 3), 0), where="row",
        numpy=lambda d, y, dim: y * (d - (d * y).sum(dim, keepdims=True))),
    row("log_softmax_backward", case(T(2, 3), T(2, 3), 1), case(T(2, 3), T(2, 3), -2), where="row",
        numpy=lambda d, y, dim: d - np.exp(y) * d.sum(dim, keepdims=True)),
]


def each_reduction(*args, **kwargs):
    return [case(*args, reduction=reduction, **kwargs) for reduction in ("mean", "sum", "none")]


def reduced(losses):
    """A reference: what ``losses`` gives for each element, reduced."""
    def reference(*args, reduction="mean", **kwargs):
        out = losses(*args, **kwargs)
        return out.mean() if reduction == "mean" else out.sum() if reduction == "sum" else out
    return reference


def smooth_l1(x, y, beta=1.0):
    z = np.abs(x - y)
    return np.where(z < beta, z * z / 2 / (beta or 1), z - beta / 2)


def huber(x, y, delta=1.0):
    return delta * smooth_l1(x, y, delta)


def nll(logp, target, weight=None, ignore_index=-100, reduction="mean"):
    """Written as loops over the batch and the rest."""
    batched = logp if logp.ndim > 1 else logp[None]
    flat = batched.reshape(*batched.shape[:2], -1)
    targets = target.reshape(len(flat), -1)
    losses, total = np.zeros(targets.shape), 0.0
    for n in range(targets.shape[0]):
        for k in range(targets.shape[1]):
            t = targets[n, k]
            if t != ignore_index:
                w = 1.0 if weight is None else weight[t]
                losses[n, k] = -w * flat[n, t, k]
                total += w
    return losses.reshape(target.shape) if reduction == "none" else losses.sum() / (total if reduction == "mean" else 1)


def cross_entropy(scores, target, **options):
    return nll(log_softmax(scores, 0 if scores.ndim == 1 else 1), target, **options)


def soft_cross_entropy(scores, target, weight=None, label_smoothing=0.0, reduction="mean"):
    dim = 0 if scores.ndim == 1 else 1
    classes = scores.shape[dim]
    target = target * (1 - label_smoothing) + label_smoothing / classes
    terms = -log_softmax(scores, dim) * target
    if weight is not None:
        terms = terms * weight.reshape([-1] + [1] * (scores.ndim - 2))
    losses = terms.sum(dim)
    return losses if reduction == "none" else losses.sum() / (scores.size // classes if reduction == "mean" else 1)


def smoothed(scores, target, label_smoothing, weight=None, reduction="mean", ignore_index=-100):
    """Class numbers and label smoothing: a mixture of the hard targets and even ones."""
    dim = 0 if scores.ndim == 1 else 1
    logp = log_softmax(scores, dim)
    classes = scores.shape[dim]
    counted = target != ignore_index
    w = np.ones(classes) if weight is None else weight
    even = -(logp * w.reshape([-1] + [1] * (scores.ndim - 2) if scores.ndim > 1 else -1)).sum(dim) * counted
    if reduction != "none":
        even = even.sum()
    if reduction == "mean":
        even = even / (w[np.where(counted, target, 0)] * counted).sum()
    return (1 - label_smoothing) * nll(logp, target, weight, ignore_index, reduction) + label_smoothing / classes * even


def with_logits(x, y, weight=1.0, pos_weight=1.0):
    return -weight * (pos_weight * y * np.log(sigmoid(x)) + (1 - y) * np.log(1 - sigmoid(x)))


TARGETS = T(values=[0, 2, 1], kind="int")
WEIGHT = T(values=[0.5, 1.0, 2.0], grad=False)
PLACES = T(2, 4, kind="int", high=3)
PROBABILITIES = T(values=[[0.2, 0.3, 0.5], [1.0, 0.0, 0.0]])

LOSSES = [
    row("mse_loss", *each_reduction(T(2, 3), T(2, 3)), case(T(3), T(3, grad=False)), case(T(), T()),
        numpy=reduced(lambda x, y: (x - y)**2), bad=case(T(3), T(3), reduction="most")),
    row("mse_loss", *each_reduction(T(2, 3), T(2, 3), weight=T(2, 3, kind="positive", grad=False))),
    row("l1_loss", *each_reduction(T(2, 3), T(2, 3)), case(T(3), T(3, grad=False)),
        numpy=reduced(lambda x, y: np.abs(x - y))),
    row("l1_loss", *each_reduction(T(2, 3), T(2, 3), weight=T(2, 3, kind="positive", grad=False))),
    row("smooth_l1_loss", *each_reduction(T(2, 3), T(2, 3)), *each_reduction(T(2, 3), T(2, 3), beta=0.3),
        case(T(3), T(3), beta=0.0),
        numpy=reduced(smooth_l1), bad=case(T(3), T(3), beta=-1.0)),
    row("huber_loss", *each_reduction(T(2, 3), T(2, 3)), *each_reduction(T(2, 3), T(2, 3), delta=2.5),
        numpy=reduced(huber), bad=case(T(3), T(3), delta=0.0)),
    row("huber_loss", *each_reduction(T(2, 3), T(2, 3), weight=T(2, 3, kind="positive", grad=False))),
    row("nll_loss", *each_reduction(T(3, 3), TARGETS), *each_reduction(T(3, 3), TARGETS, weight=WEIGHT),
        *each_reduction(T(3, 3), TARGETS, ignore_index=2), case(T(3), T(kind="int", high=3)), numpy=nll,
        extra_saved=("self_sym_sizes",), bad=case(T(3, 3), T(values=[0, 3, 1], kind="int")),
        loops="nll_loss nll_loss_backward"),
    row("nll_loss", *each_reduction(T(2, 3, 4), PLACES),
        *each_reduction(T(2, 3, 4), PLACES, weight=WEIGHT, ignore_index=1),
        case(T(2, 3, 2, 2), T(2, 2, 2, kind="int", high=3)), numpy=nll, node=False,
        bad=case(T(2, 3, 4), T(2, 5, kind="int")), loops="nll_loss nll_loss2d nll_loss_backward"),
    row("nll_loss", case(T(2, 3), T(values=[-100, -100], kind="int")), kink=True, bad=case(T(3, 3), T(2, kind="int")),
        extra_saved=("self_sym_sizes",)),
    row("nll_loss", case(T(2, 3), T(values=[1, 0], kind="int")), numpy=nll, bad=case(T(2, 3), T(2)),
        extra_saved=("self_sym_sizes",)),
    row("cross_entropy", *each_reduction(T(3, 3), TARGETS), *each_reduction(T(3, 3), TARGETS, weight=WEIGHT),
        *each_reduction(T(3, 3), TARGETS, ignore_index=2), *each_reduction(T(2, 3, 4), PLACES),
        case(T(3), T(kind="int", high=3)), numpy=cross_entropy, node=False, bad=case(T(3, 3), T(3, 2)),
        loops="nll_loss nll_loss_backward"),
    row("cross_entropy", *each_reduction(T(3, 3), TARGETS, label_smoothing=0.1),
        *each_reduction(T(3, 3), TARGETS, label_smoothing=0.1, weight=WEIGHT),
        *each_reduction(T(3, 3), TARGETS, label_smoothing=0.1, weight=WEIGHT, ignore_index=2),
        case(T(3), T(kind="int", high=3), label_smoothing=0.2),
        *each_reduction(T(2, 3, 4), PLACES, label_smoothing=0.3, weight=WEIGHT), numpy=smoothed,
        bad=case(T(3, 3), TARGETS, label_smoothing=2.0), loops="nll_loss nll_loss2d nll_loss_backward"),
    row("cross_entropy", *each_reduction(T(2, 3), PROBABILITIES),
        *each_reduction(T(2, 3), PROBABILITIES, weight=WEIGHT),
        *each_reduction(T(2, 3), PROBABILITIES, label_smoothing=0.1), case(T(3), T(3, kind="unit")),
        case(T(2, 3, 2), T(2, 3, 2, kind="unit"), weight=WEIGHT), numpy=soft_cross_entropy, node=False),
    row("binary_cross_entropy", *each_reduction(T(2, 3, kind="unit"), T(2, 3, kind="unit")),
        *each_reduction(T(2, 3, kind="unit"), T(2, 3, kind="unit"), weight=T(3, kind="positive", grad=False)),
        numpy=reduced(lambda x, y, weight=1.0: -weight * (y * np.log(x) + (1 - y) * np.log(1 - x))),
        bad=case(T(3), T(2))),
    row("binary_cross_entropy", case(T(values=[0., 1., 0.5]), T(values=[1., 1., 0.], grad=False)), kink=True, rtol=1e-8,
        bad=case(T(values=[1.5]), T(values=[0.]))),
    row("binary_cross_entropy_with_logits", *each_reduction(T(2, 3), T(2, 3, kind="unit")),
        *each_reduction(T(2, 3), T(2, 3, kind="unit"), weight=T(3, kind="positive", grad=False)),
        *each_reduction(T(2, 3), T(2, 3, kind="unit"), pos_weight=T(3, kind="positive", grad=False)),
        numpy=reduced(with_logits), where="nn.functional", bad=case(T(3), T(2))),
    row("binary_cross_entropy_with_logits", case(T(values=[-1000., 1000., 0.]), T(values=[1., 1., 0.])),
        where="nn.functional", kink=True),
    row("nll_loss_backward", case(T(), TARGETS, None, (3, 3), 1, -100), case(T(3), TARGETS, WEIGHT, (3, 3), 0, -100),
        where="row", loops="nll_loss nll_loss_backward"),
]

def prelu(x, weight):
    if weight.ndim and x.ndim > 1:
        weight = weight.reshape(1, -1, *[1] * (x.ndim - 2))
    return np.where(x > 0, x, x * weight).reshape(x.shape)


def glu(x, dim=-1):
    a, b = np.split(x, 2, dim)
    return a * sigmoid(b)


def d_glu(d, a, b, dim):
    return np.concatenate([d * sigmoid(b), d * a * sigmoid(b) * sigmoid(-b)], dim)


GATES = [
    row("glu", case(T(2, 4)), case(T(4, 3), 0), case(T(2, 6, 2), dim=-2), case(T(0, 4)), case(T(3, 0)), numpy=glu,
        bad=case(T(2, 3))),
    row("glu_backward", case(T(2, 4), T(2, 2), 1), case(T(4, 2), T(2, 2), -2), where="row",
        numpy=lambda x, d, dim: d_glu(d, *np.split(x, 2, dim), dim)),
    row("prelu", case(T(2, 3, kind="nonzero"), T(3)), case(T(2, 3, 2, kind="nonzero"), T(3)),
        case(T(3, kind="nonzero"), T()), case(T(2, 3, kind="nonzero"), T(1)), case(T(kind="nonzero"), T(1)),
        case(T(0, 3), T(3)), numpy=prelu, bad=case(T(2, 3), T(2))),
    row("rrelu", case(T(2, 3, kind="nonzero")), case(T(3, kind="nonzero"), 0.1, 0.5),
        case(T(kind="nonzero"), training=False),
        numpy=lambda x, lower=1 / 8, upper=1 / 3, training=False: np.where(x > 0, x, x * (lower + upper) / 2),
        bad=case(T(3), 0.5, 0.25)),
    row("rrelu", case(T(2, 3, kind="nonzero")), where="nn.functional",
        numpy=lambda x: np.where(x > 0, x, x * 11 / 48)),
]

LAYERS = [
    row("linear", case(T(4, 3), T(2, 3), T(2)), case(T(4, 3), T(2, 3)), case(T(3), T(2, 3), T(2)),
        case(T(2, 2, 3), T(2, 3), T(2)),
        case(T(2, 3), T(3)), numpy=lambda x, w, b=0: x @ w.T + b, complex=True, node=False, bad=case(T(2, 3), T(4, 2))),
    row("dropout", case(T(3), training=False), case(T(3), 0.0), case(T(3), 1.0),
        numpy=lambda x, p=0.5, training=True: x * (p < 1),
        grad=False, bad=case(T(3), 2.0), unmapped="randomness error mode"),
    row("normalize", case(T(2, 3)), case(T(2, 3), dim=0), case(T(3), 2.0, 0),
        numpy=lambda x, p=2, dim=1: x / np.sqrt((x * x).sum(dim, keepdims=True))),
    row("cosine_similarity", case(T(2, 3), T(2, 3)), case(T(2, 3), T(2, 3), dim=0), case(T(2, 3), T(3)),
        case(T(3), T(2, 3), dim=-2), case(T(2, 1, 3), T(4, 1), dim=1), case(T(2, 1, 3), T(4, 1), dim=0),
        case(T(2, 1), T(1, 3), -1), node=False, numpy=lambda x, y, dim=1: cosine(*np.broadcast_arrays(x, y), dim)),
]

ROWS = ACTIVATIONS + SOFTMAX + LOSSES + GATES + LAYERS
