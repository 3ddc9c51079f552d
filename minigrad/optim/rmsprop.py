"""RMSprop: the gradient, divided by the root of a running mean of its square.

Tieleman and Hinton, lecture 6.5 of "Neural Networks for Machine Learning" (2012); ``centered`` is from Graves,
"Generating Sequences With Recurrent Neural Networks" (2013):

    v      <-  alpha * v + (1 - alpha) * grad^2         centered: less the square of the mean of grad
    b      <-  momentum * b + grad / (sqrt(v) + eps)
    param  <-  param - lr * b
"""

from minigrad.creation import zeros_like
from minigrad.optim.rules import Rule, check_lr, checked, count_step, descend, kept, new_step

__all__ = ["RMSprop"]


class RMSprop(Rule):
    """The gradient, divided by the root of a running mean of its square.

    Parameters
    ----------
    params, lr, weight_decay, capturable, foreach, maximize, differentiable : those of :class:`Adam`
    alpha : how much of the mean remains from step to step
    eps : added to the root, so that nothing is divided by zero
    momentum : how much of the velocity remains
    centered : divide by an estimate of the standard deviation

    >>> w = torch.tensor([1., -200.], requires_grad=True)
    >>> optimizer = torch.optim.RMSprop([w], lr=0.05)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([   0.5000, -199.5000], requires_grad=True)
    """

    later_options = {"momentum": 0, "centered": False, **Rule.later_options}

    def __init__(self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay: float = 0, momentum: float = 0,
                 centered=False,
                 capturable=False, foreach=None, maximize=False, differentiable=False):
        check_lr(lr)
        checked("epsilon value", eps)
        checked("momentum value", momentum)
        checked("weight_decay value", weight_decay)
        checked("alpha value", alpha)
        super().__init__(params, dict(
            lr=lr, momentum=momentum, alpha=alpha, eps=eps, centered=centered, weight_decay=weight_decay,
            capturable=capturable, foreach=foreach, maximize=maximize, differentiable=differentiable))

    def begin(self, param, group):
        names = ["square_avg"] + ["momentum_buffer"] * (group["momentum"] > 0) + ["grad_avg"] * bool(group["centered"])
        return {"step": new_step(), **{name: zeros_like(param) for name in names}}

    def update(self, param, grad, state, group):
        alpha, v = group["alpha"], state["square_avg"]
        count_step(state)
        v.mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
        if group["centered"]:
            mean = state["grad_avg"].lerp_(grad, 1 - alpha)
            v = v.addcmul(kept(mean), kept(mean), value=-1)
        root = v.sqrt().add(group["eps"])
        if group["momentum"] > 0:
            b = state["momentum_buffer"].mul_(group["momentum"]).addcdiv_(grad, root)
            descend(param, group["lr"], b)
        else:
            descend(param, group["lr"], grad, root)
