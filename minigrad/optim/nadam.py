"""NAdam: Adam with Nesterov's momentum, which looks one step ahead along the mean of the gradients.

Dozat, "Incorporating Nesterov Momentum into Adam" (2016); at step t, with m and v of Adam:

    mu_t   =   beta1 * (1 - 0.96^(t * momentum_decay) / 2)
    param  <-  param - lr * ((1 - mu_t) / (1 - mu_1 ... mu_t) * grad
                             + mu_t+1 / (1 - mu_1 ... mu_t+1) * m) / (sqrt(v') + eps)
"""

from minigrad.creation import zeros_like
from minigrad.optim.rules import Rule, check_betas, check_lr, checked, count_step, descend, kept, new_step, valued

__all__ = ["NAdam"]


class NAdam(Rule):
    """Adam with Nesterov's momentum.

    ``momentum_decay`` is how fast the momentum grows to ``betas[0]``; the other arguments are those of
    :class:`Adam`.

    >>> w = torch.tensor([1., -200.], requires_grad=True)
    >>> optimizer = torch.optim.NAdam([w], lr=0.5)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([   0.4718, -199.4718], requires_grad=True)
    """

    later_options = {**Rule.later_options, "decoupled_weight_decay": False}

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay: float = 0, momentum_decay=4e-3,
                 decoupled_weight_decay=False, *, foreach=None, maximize=False, capturable=False,
                 differentiable=False):
        check_lr(lr)
        checked("epsilon value", eps)
        check_betas(betas)
        checked("weight_decay value", weight_decay)
        checked("momentum_decay value", momentum_decay)
        super().__init__(params, dict(
            lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, momentum_decay=momentum_decay,
            decoupled_weight_decay=decoupled_weight_decay, maximize=maximize, foreach=foreach, capturable=capturable,
            differentiable=differentiable))

    def begin(self, param, group):
        return {"step": new_step(), "mu_product": new_step(1), "exp_avg": zeros_like(param),
                "exp_avg_sq": zeros_like(param)}

    def update(self, param, grad, state, group):
        lr, decay, (beta1, beta2) = group["lr"], group["weight_decay"], group["betas"]
        m, v = state["exp_avg"], state["exp_avg_sq"]
        t = count_step(state)
        if decay and group["decoupled_weight_decay"]:
            param.mul_(1 - lr * decay)
        mu, mu_next = [beta1 * (1 - 0.5 * 0.96 ** (when * group["momentum_decay"])) for when in (t, t + 1)]
        state["mu_product"].copy_(kept(state["mu_product"]) * mu)
        product = valued(state["mu_product"])
        m.lerp_(grad, 1 - beta1)
        v.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        root = v.div(1 - beta2 ** t).sqrt().add(group["eps"])
        descend(param, lr * (1 - mu) / (1 - product), grad, root)
        descend(param, lr * mu_next / (1 - product * mu_next), m, root)
