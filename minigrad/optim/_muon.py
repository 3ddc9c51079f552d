"""Muon: momentum for matrices, whose singular values are all brought near 1 before the step.

Jordan et al., "Muon: An optimizer for hidden layers in neural networks" (2024):

    b      <-  momentum * b + (1 - momentum) * grad
    u       =  grad + momentum * (b - grad)  with nesterov, else b
    u      <-  a u + (b' u u^T + c (u u^T)^2) u         a few times, from u / |u|: the singular values approach 1
    param  <-  (1 - lr * weight_decay) * param - lr * adjusted * u
"""

import math

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad.creation import zeros_like
from minigrad.ops.exports import REGISTRY as table
from minigrad.optim.rules import Rule

__all__ = ["Muon"]


class Muon(Rule):
    """Momentum whose steps are nearly orthogonal matrices; for parameters with two dims.

    Parameters
    ----------
    params, lr, momentum, nesterov : those of :class:`SGD`
    weight_decay : shrinks the parameter itself
    ns_coefficients, ns_steps, eps : of the iteration that makes a matrix orthogonal, which runs in bfloat16
    adjust_lr_fn : how the rate depends on the shape: ``"original"``, the default, or ``"match_rms_adamw"``

    >>> w = torch.eye(2).mul_(2).requires_grad_()
    >>> optimizer = torch.optim.Muon([w], lr=0.5, weight_decay=0)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w.argmax(0)
    tensor([0, 1])
    """

    def __init__(self, params, lr=1e-3, weight_decay=0.1, momentum=0.95, nesterov=True,
                 ns_coefficients=(3.4445, -4.7750, 2.0315), eps=1e-7, ns_steps=5, adjust_lr_fn=None):
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise error("MG711", "Tensor lr must be 1-element")
        for what, value in (("Learning rate", lr), ("momentum", momentum), ("weight decay", weight_decay)):
            if not 0.0 <= value:
                raise error("MG711", f"{what} should be >= 0 but is: {value}")
        if adjust_lr_fn not in (None, "original", "match_rms_adamw"):
            raise error("MG711", f"Adjust learning rate function {adjust_lr_fn} is not supported")
        super().__init__(params, dict(
            lr=lr, weight_decay=weight_decay, momentum=momentum, nesterov=nesterov, ns_coefficients=ns_coefficients,
            eps=eps, ns_steps=ns_steps, adjust_lr_fn=adjust_lr_fn))
        self.defaults.setdefault("differentiable", False)
        for group in self.param_groups:
            for param in group["params"]:
                if param.dim() != 2:
                    raise error("MG711", "Muon only supports 2D parameters whereas we found a parameter with size: "
                                         f"{param.size()}")

    later_options = {}

    def adds_decay(self, group):
        return False

    def begin(self, param, group):
        if param.is_complex():
            raise error("MG713", "Muon does not support complex parameters")
        return {"momentum_buffer": zeros_like(param.grad)}

    def update(self, param, grad, state, group):
        lr, b = float(group["lr"]), state["momentum_buffer"]
        b.lerp_(grad, 1 - group["momentum"])
        u = orthogonal(grad.lerp(b, group["momentum"]) if group["nesterov"] else b, group["ns_coefficients"],
                       group["ns_steps"], group["eps"])
        rows, columns = param.shape
        adjusted = (0.2 * math.sqrt(max(rows, columns)) if group["adjust_lr_fn"] == "match_rms_adamw"
                    else math.sqrt(max(1, rows / columns)))
        param.mul_(1 - lr * group["weight_decay"])
        param.add_(u, alpha=-lr * adjusted)


def orthogonal(grad, coefficients, steps, eps):
    """The matrix, with singular values of about 0.5 to 1.5: an odd polynomial of them, applied again and again."""
    if steps >= 100:
        raise error("MG711", "Number of steps must be less than 100 for computational efficiency")
    if len(coefficients) != 3:
        raise error("MG711", "Coefficients must be a tuple of exactly 3 values")
    a, b, c = coefficients
    u = grad.bfloat16()
    tall = u.size(0) > u.size(1)
    u = u.T if tall else u
    u = u / u.norm().clamp(min=eps)
    for _ in range(steps):
        gram = u @ u.T
        u = table["addmm"](u, table["addmm"](gram, gram, gram, beta=b, alpha=c), u, beta=a)
    return u.T if tall else u
