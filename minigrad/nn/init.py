"""Initial values of parameters: functions that fill a tensor in place, and return it.

How far a weight spreads its inputs decides whether signals and gradients fade or explode over many layers.  The
variance that keeps them level depends on how many numbers an output is summed from, ``fan_in``, and into how many
outputs an input goes, ``fan_out``, and on the activation, whose part is the *gain*:

    xavier      std = gain sqrt(2 / (fan_in + fan_out))         Glorot and Bengio, 2010
    kaiming     std = gain / sqrt(fan_in)                       He et al., 2015

A uniform distribution over (-a, a) has the standard deviation a / sqrt(3).
"""

import math

from minigrad._core.errors import error, warn
from minigrad.autograd.grad_mode import no_grad
from minigrad.creation import empty_like
from minigrad.creation.ranges import eye as identity
from minigrad.linalg import qr
from minigrad.random import randperm

__all__ = ["calculate_gain", "constant", "constant_", "dirac", "dirac_", "eye", "eye_", "kaiming_normal",
           "kaiming_normal_", "kaiming_uniform", "kaiming_uniform_", "normal", "normal_", "ones_", "orthogonal",
           "orthogonal_", "sparse", "sparse_", "trunc_normal_", "uniform", "uniform_", "xavier_normal",
           "xavier_normal_", "xavier_uniform", "xavier_uniform_", "zeros_"]

#: the gains that depend on no parameter; that of leaky_relu does
GAINS = {**dict.fromkeys(("linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d",
                          "conv_transpose3d", "sigmoid"), 1),
         "tanh": 5 / 3, "relu": math.sqrt(2), "selu": 3 / 4}


def calculate_gain(nonlinearity, param=None):
    """By how much weights before an activation have to be larger, to make up for what it takes away.

    ``param`` is the slope of ``"leaky_relu"``, 0.01 by default.

    >>> torch.nn.init.calculate_gain("tanh")
    1.6666666666666667
    >>> torch.nn.init.calculate_gain("leaky_relu", 1.)
    1.0
    """
    if nonlinearity in GAINS:
        return GAINS[nonlinearity]
    if nonlinearity != "leaky_relu":
        raise error("MG207", f"Unsupported nonlinearity {nonlinearity}: choose one of {', '.join(GAINS)}, leaky_relu")
    if isinstance(param, bool) or not isinstance(param, (int, float, type(None))):
        raise error("MG207", f"negative_slope {param} not a valid number")
    return math.sqrt(2 / (1 + (0.01 if param is None else param) ** 2))


# ------------------------------------------------------------------------------ the same for every shape

def uniform_(tensor, a=0.0, b=1.0, generator=None):
    """Random numbers from the uniform distribution over [a, b).

    >>> torch.nn.init.uniform_(torch.empty(2), 3., 4.).floor()
    tensor([3., 3.])
    """
    with no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(tensor, mean=0.0, std=1.0, generator=None):
    """Random numbers from the normal distribution.

    >>> torch.nn.init.normal_(torch.empty(2), 5., 0.)
    tensor([5., 5.])
    """
    with no_grad():
        return tensor.normal_(mean, std, generator=generator)


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    """Random numbers from the normal distribution, without those outside [a, b].

    If most of the distribution is inside, numbers outside are drawn again.  If little is, that would take long: then
    numbers are drawn from the uniform distribution over [a, b], and each is kept with a probability in proportion to
    its density.

    >>> bool(torch.nn.init.trunc_normal_(torch.empty(100), std=5.).abs().max() <= 2)
    True
    """
    if mean < a - 2 * std or mean > b + 2 * std:
        warn("mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be "
             "incorrect.")
    if tensor.is_meta:
        return tensor
    with no_grad():
        if below((b - mean) / std) - below((a - mean) / std) > 0.3:
            return redrawn(tensor, mean, std, a, b, generator)
        return rejected(tensor, mean, std, a, b, generator)


def below(z):
    """The share of the normal distribution below ``z`` standard deviations."""
    return (1 + math.erf(z / math.sqrt(2))) / 2


def redrawn(tensor, mean, std, a, b, generator):
    least, most = tensor.new_tensor(a).item(), tensor.new_tensor(b).item()          # as its dtype has them
    tensor.normal_(mean, std, generator=generator)
    while (outside := (tensor < least) | (tensor > most)).any():
        tensor.copy_(empty_like(tensor).normal_(mean, std, generator=generator).where(outside, tensor))
    return tensor


def rejected(tensor, mean, std, a, b, generator):
    highest = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2

    def refused(candidates):
        """Whose density is below a random share of the highest."""
        density = ((candidates - mean) / std).pow(2) * -0.5 - highest
        return empty_like(tensor).uniform_(generator=generator).log_() > density
    pending = refused(tensor.uniform_(a, b, generator=generator))
    while pending.any():
        candidates = empty_like(tensor).uniform_(a, b, generator=generator)
        tensor.copy_(candidates.where(pending, tensor))
        pending = pending & refused(candidates)
    return tensor


def constant_(tensor, val):
    """The same number everywhere.

    >>> torch.nn.init.constant_(torch.empty(2), 0.5)
    tensor([0.5000, 0.5000])
    """
    with no_grad():
        return tensor.fill_(val)


def ones_(tensor):
    """Ones.

    >>> torch.nn.init.ones_(torch.empty(2))
    tensor([1., 1.])
    """
    return constant_(tensor, 1.)


def zeros_(tensor):
    """Zeros.

    >>> torch.nn.init.zeros_(torch.empty(2))
    tensor([0., 0.])
    """
    with no_grad():
        return tensor.zero_()


# ------------------------------------------------------------------------------ layers that pass their input on

def eye_(tensor):
    """The identity: ones on the diagonal of a matrix.

    >>> torch.nn.init.eye_(torch.empty(2, 3))
    tensor([[1., 0., 0.],
            [0., 1., 0.]])
    """
    must_be_a_matrix(tensor)
    with no_grad():
        return tensor.copy_(identity(*tensor.shape, dtype=tensor.dtype, device=tensor.device))


def dirac_(tensor, groups=1):
    """The identity of a convolution: output channel i is input channel i, in each of the ``groups``.

    >>> torch.nn.init.dirac_(torch.empty(2, 2, 3))
    tensor([[[0., 1., 0.],
             [0., 0., 0.]],
    <BLANKLINE>
            [[0., 0., 0.],
             [0., 1., 0.]]])
    """
    if tensor.dim() not in (3, 4, 5):
        raise error("MG207", "Only tensors with 3, 4, or 5 dimensions are supported: the weight of a convolution")
    outputs, inputs, *window = tensor.shape
    if outputs % groups:
        raise error("MG207", f"dim 0 must be divisible by groups: {outputs} by {groups}")
    centre = tuple(size // 2 for size in window)
    with no_grad():
        tensor.zero_()
        for first in range(0, outputs, outputs // groups) if outputs else ():
            for i in range(min(outputs // groups, inputs)):
                tensor[(first + i, i, *centre)] = 1
    return tensor


# ------------------------------------------------------------------------------ by the numbers of inputs and outputs

def _calculate_fan_in_and_fan_out(tensor):
    """(how many numbers an output is summed from, in how many outputs an input is) of a weight (outputs, inputs, ...).

    >>> torch.nn.init._calculate_fan_in_and_fan_out(torch.empty(5, 3, 2, 2))
    (12, 20)
    """
    if tensor.dim() < 2:
        raise error("MG207", "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions: this one "
                             f"has shape {list(tensor.shape)}")
    outputs, inputs, *window = tensor.shape
    return inputs * math.prod(window), outputs * math.prod(window)


def _calculate_correct_fan(tensor, mode):
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise error("MG207", f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    return _calculate_fan_in_and_fan_out(tensor)[mode == "fan_out"]


def xavier_uniform_(tensor, gain=1.0, generator=None):
    """Glorot's initialization, from a uniform distribution.

    >>> bool(torch.nn.init.xavier_uniform_(torch.empty(2, 4)).abs().max() <= 1)
    True
    """
    bound = math.sqrt(3) * xavier_std(tensor, gain)
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor, gain=1.0, generator=None):
    """Glorot's initialization, from a normal distribution.

    >>> torch.nn.init.xavier_normal_(torch.empty(3, 5)).shape
    torch.Size([3, 5])
    """
    return normal_(tensor, 0., xavier_std(tensor, gain), generator)


def xavier_std(tensor, gain):
    return gain * math.sqrt(2 / sum(_calculate_fan_in_and_fan_out(tensor)))


def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """He's initialization, from a uniform distribution.

    ``a`` is the slope of ``"leaky_relu"`` below 0.  ``mode`` is ``"fan_in"``, to keep the variance of activations, or
    ``"fan_out"``, that of gradients.

    >>> bool(torch.nn.init.kaiming_uniform_(torch.empty(2, 6)).abs().max() <= 1)
    True
    """
    std = kaiming_std(tensor, a, mode, nonlinearity)
    return tensor if std is None else uniform_(tensor, -math.sqrt(3) * std, math.sqrt(3) * std, generator)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """He's initialization, from a normal distribution: see :func:`kaiming_uniform_`.

    >>> torch.nn.init.kaiming_normal_(torch.empty(3, 5), mode="fan_out", nonlinearity="relu").shape
    torch.Size([3, 5])
    """
    std = kaiming_std(tensor, a, mode, nonlinearity)
    return tensor if std is None else normal_(tensor, 0., std, generator)


def kaiming_std(tensor, a, mode, nonlinearity):
    """The standard deviation, or None for a tensor without elements."""
    if 0 in tensor.shape:
        warn("Initializing zero-element tensors is a no-op")
        return None
    return calculate_gain(nonlinearity, a) / math.sqrt(_calculate_correct_fan(tensor, mode))


# ------------------------------------------------------------------------------ matrices of a kind

def orthogonal_(tensor, gain=1, generator=None):
    """A random orthogonal matrix times ``gain``: it keeps lengths (Saxe et al., 2013).

    Of a matrix that is not square the shorter rows or columns are orthonormal; the dims after the first count as one.
    It is the Q of a matrix of normal numbers, with the signs that make all orthogonal matrices equally probable.

    >>> w = torch.nn.init.orthogonal_(torch.empty(2, 3))
    >>> torch.allclose(w @ w.T, torch.eye(2), atol=1e-6)
    True
    """
    if tensor.dim() < 2:
        raise error("MG207", "Only tensors with 2 or more dimensions are supported: this one has shape "
                             f"{list(tensor.shape)}")
    if tensor.numel() == 0 or tensor.is_meta:
        return tensor
    rows = tensor.shape[0]
    with no_grad():
        random = tensor.new_empty((rows, tensor.numel() // rows)).normal_(0, 1, generator=generator)
        wide = rows < random.shape[1]
        q, r = qr(random.T if wide else random)
        q = q * r.diagonal().sign()
        return tensor.copy_((q.T if wide else q).reshape(tensor.shape)).mul_(gain)


def sparse_(tensor, sparsity, std=0.01, generator=None):
    """Normal numbers, of which the share ``sparsity`` in each column is 0 (Martens, 2010).

    >>> (torch.nn.init.sparse_(torch.empty(4, 3), 0.5) == 0).sum(0)
    tensor([2, 2, 2])
    """
    must_be_a_matrix(tensor)
    if tensor.is_meta:
        return tensor
    rows, columns = tensor.shape
    with no_grad():
        tensor.normal_(0, std, generator=generator)
        for column in range(columns):
            tensor[randperm(rows)[:math.ceil(sparsity * rows)], column] = 0
    return tensor


def must_be_a_matrix(tensor):
    if tensor.dim() != 2:
        raise error("MG207", f"Only tensors with 2 dimensions are supported: this one has shape {list(tensor.shape)}")


# ------------------------------------------------------------------------------ the oldest names

def without_underscore(function):
    """The name that ``function`` had once, which warns."""
    def old(*args, **kwargs):
        warn(f"`nn.init.{old.__name__}` is now deprecated in favor of `nn.init.{function.__name__}`.", FutureWarning)
        return function(*args, **kwargs)

    old.__name__ = old.__qualname__ = function.__name__[:-1]
    old.__doc__ = f"The old name of :func:`{function.__name__}`."
    return old


uniform, normal, constant, eye, dirac = map(without_underscore, (uniform_, normal_, constant_, eye_, dirac_))
xavier_uniform, xavier_normal = map(without_underscore, (xavier_uniform_, xavier_normal_))
kaiming_uniform, kaiming_normal = map(without_underscore, (kaiming_uniform_, kaiming_normal_))
orthogonal, sparse = map(without_underscore, (orthogonal_, sparse_))
