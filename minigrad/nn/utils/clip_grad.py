"""Clipping gradients before a step: all together by their norm, or each element by its value."""

from collections.abc import Generator as PythonGenerator

from minigrad._core.errors import error, warn
from minigrad._core.graph import Tensor
from minigrad.autograd.grad_mode import no_grad
from minigrad.creation import tensor
from minigrad.linalg import vector_norm
from minigrad.ops.shapes.joining import stack

__all__ = ["clip_grad_norm", "clip_grad_norm_", "clip_grad_value_", "clip_grads_with_norm_", "get_total_norm"]


def gradients(parameters):
    return [p.grad for p in parameters if p.grad is not None]


def listed(parameters):
    return [parameters] if isinstance(parameters, Tensor) else list(parameters)


@no_grad()
def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Multiply all gradients with one factor, so that their norm is at most ``max_norm``; returns the norm they had.

    It is the norm of all gradients as one vector.  The factor is max_norm / (norm + 1e-6), and at most 1.

    >>> w = torch.tensor([3., 4.], requires_grad=True)
    >>> w.grad = torch.tensor([3., 4.])
    >>> torch.nn.utils.clip_grad_norm_(w, max_norm=1.)
    tensor(5.)
    >>> w.grad
    tensor([0.6000, 0.8000])
    """
    given, parameters = parameters, listed(parameters)
    if isinstance(given, PythonGenerator) and not parameters:
        warn("`parameters` is an empty generator, no gradient clipping will occur.")
    total_norm = get_total_norm(gradients(parameters), norm_type, error_if_nonfinite)
    clip_grads_with_norm_(parameters, max_norm, total_norm)
    return total_norm


def clip_grad_norm(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """The older name of :func:`clip_grad_norm_`."""
    warn("`torch.nn.utils.clip_grad_norm` is now deprecated in favor of `torch.nn.utils.clip_grad_norm_`.",
         FutureWarning)
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


@no_grad()
def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """The norm of several tensors as one vector."""
    tensors, norm_type = listed(tensors), float(norm_type)
    if not tensors:
        return tensor(0.)
    total = vector_norm(stack([vector_norm(x, norm_type) for x in tensors]), norm_type)
    if error_if_nonfinite and not total.isfinite():
        raise not_finite(norm_type)
    return total


@no_grad()
def clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    """The second half of :func:`clip_grad_norm_`, for a norm that is known already."""
    factor = (float(max_norm) / (total_norm + 1e-6)).clamp(max=1.)
    for grad in gradients(listed(parameters)):
        grad.mul_(factor)


@no_grad()
def clip_grad_value_(parameters, clip_value, foreach=None):
    """Cut every element of every gradient to the range from ``-clip_value`` to ``clip_value``."""
    for grad in gradients(listed(parameters)):
        grad.clamp_(-float(clip_value), float(clip_value))


def not_finite(norm_type):
    return error("MG204", f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it "
                          "cannot be clipped. With `error_if_nonfinite=False` they are divided by that norm anyway")
