"""Adamax: Adam with the largest gradient, which fades, in place of the root of the mean square.

Kingma and Ba, "Adam: A Method for Stochastic Optimization" (2014), algorithm 2; at step t:

    m      <-  beta1 * m + (1 - beta1) * grad
    u      <-  max(beta2 * u, |grad| + eps)
    param  <-  param - lr / (1 - beta1^t) * m / u
"""

from minigrad.creation import zeros_like
from minigrad.ops.exports import REGISTRY as table
from minigrad.optim.rules import Rule, check_betas, check_lr, checked, count_step, descend, kept, new_step

__all__ = ["Adamax"]


class Adamax(Rule):
    """Adam with a maximum in place of a mean of squares.

    The arguments are those of :class:`Adam`.

    >>> w = torch.tensor([1., -200.], requires_grad=True)
    >>> optimizer = torch.optim.Adamax([w], lr=0.5)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([   0.5000, -199.5000], requires_grad=True)
    """

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay: float = 0, foreach=None, *,
                 maximize=False,
                 differentiable=False, capturable=False):
        check_lr(lr)
        checked("epsilon value", eps)
        check_betas(betas)
        checked("weight_decay value", weight_decay)
        super().__init__(params, dict(
            lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, foreach=foreach, maximize=maximize,
            differentiable=differentiable, capturable=capturable))

    def begin(self, param, group):
        return {"step": new_step(), "exp_avg": zeros_like(param), "exp_inf": zeros_like(param)}

    def update(self, param, grad, state, group):
        m, u, (beta1, beta2) = state["exp_avg"], state["exp_inf"], group["betas"]
        t = count_step(state)
        m.lerp_(grad, 1 - beta1)
        u.copy_(table["maximum"](u * beta2, grad.abs().add(group["eps"])))
        descend(param, group["lr"] / (1 - beta1 ** t), m, kept(u))
