"""RAdam: Adam without a divisor as long as the mean of the squares rests on too few gradients.

Liu et al., "On the Variance of the Adaptive Learning Rate and Beyond" (2019), algorithm 2; at step t, with m and v of
Adam:

    rho_inf  =  2 / (1 - beta2) - 1
    rho      =  rho_inf - 2 * t * beta2^t / (1 - beta2^t)           the length of the mean, in gradients
    r        =  sqrt((rho - 4) (rho - 2) rho_inf / ((rho_inf - 4) (rho_inf - 2) rho))
    param   <-  param - lr * m' * r * sqrt(1 - beta2^t) / (sqrt(v) + eps)       if rho > 5
    param   <-  param - lr * m'                                                 otherwise
"""

from minigrad.creation import zeros_like
from minigrad.optim.rules import Rule, check_betas, check_lr, checked, count_step, descend, new_step

__all__ = ["RAdam"]


class RAdam(Rule):
    """Adam with a rectified learning rate, which needs no warm-up.

    The arguments are those of :class:`Adam`.

    >>> w = torch.tensor([1., -2.], requires_grad=True)
    >>> optimizer = torch.optim.RAdam([w], lr=0.25)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([ 0.5000, -1.0000], requires_grad=True)
    """

    later_options = {**Rule.later_options, "decoupled_weight_decay": False}

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay: float = 0,
                 decoupled_weight_decay=False, *,
                 foreach=None, maximize=False, capturable=False, differentiable=False):
        check_lr(lr)
        checked("epsilon value", eps)
        check_betas(betas)
        checked("weight_decay value", weight_decay)
        super().__init__(params, dict(
            lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, maximize=maximize, foreach=foreach,
            capturable=capturable, decoupled_weight_decay=decoupled_weight_decay, differentiable=differentiable))

    def begin(self, param, group):
        return {"step": new_step(), "exp_avg": zeros_like(param), "exp_avg_sq": zeros_like(param)}

    def update(self, param, grad, state, group):
        lr, decay, (beta1, beta2) = group["lr"], group["weight_decay"], group["betas"]
        m, v = state["exp_avg"], state["exp_avg_sq"]
        t = count_step(state)
        if decay and group["decoupled_weight_decay"]:
            param.mul_(1 - lr * decay)
        m.lerp_(grad, 1 - beta1)
        v.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        rho_inf = 2 / (1 - beta2) - 1
        rho = rho_inf - 2 * t * beta2 ** t / (1 - beta2 ** t)
        move = m / (1 - beta1 ** t)
        if rho > 5:
            rectified = ((rho - 4) * (rho - 2) * rho_inf / ((rho_inf - 4) * (rho_inf - 2) * rho)) ** 0.5
            move = move * (rectified * (1 - beta2 ** t) ** 0.5) / v.sqrt().add(group["eps"])
        descend(param, lr, move)
