"""Adadelta: steps in the units of the parameter, as the mean size of the latest steps takes the place of a rate.

Zeiler, "ADADELTA: An Adaptive Learning Rate Method" (2012), algorithm 1:

    v      <-  rho * v + (1 - rho) * grad^2
    step    =  sqrt(u + eps) / sqrt(v + eps) * grad
    u      <-  rho * u + (1 - rho) * step^2
    param  <-  param - lr * step
"""

from minigrad._core.errors import error
from minigrad.creation import zeros_like
from minigrad.optim.rules import Rule, check_lr, checked, count_step, descend, new_step

__all__ = ["Adadelta"]


class Adadelta(Rule):
    """Steps whose size is that of the latest steps.

    ``rho`` is how much of the two running means remains from step to step; the other arguments are those of
    :class:`Adam`.

    >>> w = torch.tensor([1., -200.], requires_grad=True)
    >>> optimizer = torch.optim.Adadelta([w], eps=1e-2)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([   0.6877, -199.6838], requires_grad=True)
    """

    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay: float = 0, foreach=None, *, capturable=False,
                 maximize=False, differentiable=False):
        check_lr(lr)
        if not 0.0 <= rho <= 1.0:
            raise error("MG711", f"Invalid rho value: {rho}")
        checked("epsilon value", eps)
        checked("weight_decay value", weight_decay)
        super().__init__(params, dict(
            lr=lr, rho=rho, eps=eps, weight_decay=weight_decay, maximize=maximize, capturable=capturable,
            foreach=foreach, differentiable=differentiable))

    def begin(self, param, group):
        return {"step": new_step(), "square_avg": zeros_like(param), "acc_delta": zeros_like(param)}

    def update(self, param, grad, state, group):
        rho, eps, v, u = group["rho"], group["eps"], state["square_avg"], state["acc_delta"]
        count_step(state)
        v.mul_(rho).addcmul_(grad, grad, value=1 - rho)
        step = u.add(eps).sqrt() / v.add(eps).sqrt() * grad
        u.mul_(rho).addcmul_(step, step, value=1 - rho)
        descend(param, group["lr"], step)
