"""Adafactor: the mean square of a matrix of gradients is kept as that of its rows and of its columns.

Shazeer and Stern, "Adafactor: Adaptive Learning Rates with Sublinear Memory Cost" (2018), algorithm 5; at step t:

    keep    =  1 - t^beta2_decay
    r      <-  keep * r + (1 - keep) * mean of grad^2 over a row;  c  the same over a column
    v       =  r c / mean of r                                     a vector keeps all of v
    u       =  grad / sqrt(v),  clipped to a root mean square of d
    param  <-  param - max(eps2, rms(param)) * min(lr, 1 / sqrt(t)) * u
"""

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad.creation import zeros_like
from minigrad.dtypes import finfo
from minigrad.optim.rules import Rule, count_step, new_step

__all__ = ["Adafactor"]


class Adafactor(Rule):
    """Steps relative to the size of the parameter, with little memory for state.

    Parameters
    ----------
    params, foreach, maximize : those of :class:`Adam`
    lr : the largest relative step
    beta2_decay : the power with which the mean forgets
    eps : the smallest root mean square of a gradient, by default that of its dtype, and of a parameter
    d : the largest root mean square of an update
    weight_decay : shrinks the parameter itself

    >>> w = torch.tensor([1., -200.], requires_grad=True)
    >>> optimizer = torch.optim.Adafactor([w])
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([  -0.4142, -198.5858], requires_grad=True)
    """

    later_options = {"foreach": None}

    def __init__(self, params, lr=1e-2, beta2_decay=-0.8, eps=(None, 1e-3), d=1.0, weight_decay: float = 0.0, *,
                 foreach=None,
                 maximize=False):
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise error("MG711", "Tensor lr must be 1-element")
        for fine, what, value in ((0.0 <= lr, "Learning rate should be >= 0", lr),
                                  (0.0 >= beta2_decay, "beta2_decay should be <= 0", beta2_decay),
                                  (eps[0] is None or 0.0 <= eps[0], "epsilon1 should be >= 0", eps[0]),
                                  (0.0 <= eps[1], "epsilon2 should be >= 0", eps[1]),
                                  (1.0 <= d, "Clipping threshold d should be >= 1", d),
                                  (0.0 <= weight_decay, "weight_decay should be >= 0", weight_decay)):
            if not fine:
                raise error("MG711", f"{what} but is: {value}")
        super().__init__(params, dict(lr=lr, beta2_decay=beta2_decay, eps=eps, d=d, weight_decay=weight_decay,
                                      foreach=foreach, maximize=maximize))
        self.defaults.setdefault("differentiable", False)

    def adds_decay(self, group):
        return False

    def begin(self, param, group):
        if param.is_complex():
            raise error("MG713", "Adafactor does not support complex parameters")
        shape = tuple(param.shape)
        if len(shape) < 2:
            return {"step": new_step(), "variance": zeros_like(param.grad)}
        return {"step": new_step(), "row_var": param.grad.new_zeros((*shape[:-1], 1)),
                "col_var": param.grad.new_zeros((*shape[:-2], 1, shape[-1]))}

    def update(self, param, grad, state, group):
        lr, (eps1, eps2) = float(group["lr"]), group["eps"]
        eps1 = finfo(param.dtype).eps if eps1 is None else eps1
        t = count_step(state)
        new = t ** group["beta2_decay"]
        rate = max(eps2, rms(param)) * min(lr, t ** -0.5)
        if group["weight_decay"]:
            param.mul_(1 - lr * group["weight_decay"])
        if grad.dim() > 1:
            row = state["row_var"].lerp_((grad * grad).mean(-1, keepdim=True), new)
            column = state["col_var"].lerp_((grad * grad).mean(-2, keepdim=True), new)
            v = row @ column / row.mean(-2, keepdim=True).clamp(min=eps1)
        else:
            v = state["variance"].lerp_(grad * grad, new)
        u = v.clamp(min=eps1 * eps1).rsqrt() * grad
        param.add_(u, alpha=-rate / max(1.0, rms(u) / group["d"]))


def rms(x):
    """The root of the mean square."""
    return x.norm().item() / x.numel() ** 0.5
