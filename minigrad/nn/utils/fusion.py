"""A layer and the batch norm after it as one layer: in evaluation mode it only scales and shifts.

    (w x + b - mean) / sqrt(var + eps) * scale + shift   =   w' x + b'
"""

from copy import deepcopy

from minigrad._core.errors import error
from minigrad.creation import ones_like, zeros_like
from minigrad.nn.parameter import Parameter

__all__ = ["fuse_conv_bn_eval", "fuse_conv_bn_weights", "fuse_linear_bn_eval", "fuse_linear_bn_weights"]


def fuse_conv_bn_eval(conv, bn, transpose=False):
    """A convolution that computes what ``conv`` and then ``bn`` do, both in evaluation.

    With ``transpose``, ``conv`` is a transposed convolution.

    >>> conv, bn = torch.nn.Conv1d(2, 3, 1).eval(), torch.nn.BatchNorm1d(3).eval()
    >>> x = torch.randn(4, 2, 5)
    >>> torch.allclose(torch.nn.utils.fuse_conv_bn_eval(conv, bn)(x), bn(conv(x)), atol=1e-6)
    True
    """
    return fused(conv, bn, lambda *values: fuse_conv_bn_weights(*values, transpose))


def fuse_linear_bn_eval(linear, bn):
    """A linear layer that computes what ``linear`` and then ``bn`` do, both in evaluation."""
    if bn.num_features not in (1, linear.out_features):
        raise error("MG705", "To fuse, linear.out_features == bn.num_features or bn.num_features == 1, got "
                             f"linear.out_features={linear.out_features} and bn.num_features={bn.num_features}")
    return fused(linear, bn, fuse_linear_bn_weights)


def fused(layer, bn, weights):
    if layer.training or bn.training:
        raise error("MG705", "Fusion only for eval! In training, batch norm takes statistics of each batch")
    if bn.running_mean is None or bn.running_var is None:
        raise error("MG705", "bn.running_mean and bn.running_var must not be None")
    made = deepcopy(layer)
    made.weight, made.bias = weights(made.weight, made.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight,
                                     bn.bias)
    return made


def fuse_conv_bn_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, transpose=False):
    """The weight and the bias of such a convolution."""
    shape = [1] * conv_w.dim()
    shape[1 if transpose else 0] = -1
    return fused_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, shape)


def fuse_linear_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b):
    """The weight and the bias of such a linear layer."""
    return fused_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, [-1, 1])


def fused_weights(w, b, mean, var, eps, scale, shift, shape):
    kind = w.dtype if b is None else b.dtype
    b = zeros_like(mean) if b is None else b
    factor = (var + eps).rsqrt() * (ones_like(mean) if scale is None else scale)
    bias = (b - mean) * factor + (zeros_like(mean) if shift is None else shift)
    return (Parameter((w * factor.reshape(shape)).to(w.dtype), w.requires_grad),
            Parameter(bias.to(kind), b.requires_grad))
