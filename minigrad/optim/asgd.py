"""ASGD: gradient descent that keeps the mean of its parameters, which is what to use in the end.

Polyak and Juditsky, "Acceleration of stochastic approximation by averaging" (1992); at step t:

    param  <-  (1 - lambd * eta) * param - eta * grad
    ax     <-  ax + mu * (param - ax)                                   the mean, from step t0 on
    eta    <-  lr / (1 + lambd * lr * t)^alpha,     mu  <-  1 / max(1, t - t0)
"""

from minigrad.creation import as_tensor, zeros_like
from minigrad.optim.rules import Rule, check_lr, checked, count_step, descend, new_step, valued

__all__ = ["ASGD"]


class ASGD(Rule):
    """Averaged gradient descent: the mean of each parameter is ``optimizer.state[param]["ax"]``.

    Parameters
    ----------
    params, lr, weight_decay, foreach, maximize, differentiable, capturable : those of :class:`Adam`
    lambd : the decay term
    alpha : the power with which the learning rate falls
    t0 : the step at which averaging begins

    >>> w = torch.tensor([1., -200.], requires_grad=True)
    >>> optimizer = torch.optim.ASGD([w], lr=0.25)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([  0.5000, -99.9950], requires_grad=True)
    """

    def __init__(self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay: float = 0, foreach=None,
                 maximize=False,
                 differentiable=False, capturable=False):
        check_lr(lr)
        checked("weight_decay value", weight_decay)
        super().__init__(params, dict(
            lr=lr, lambd=lambd, alpha=alpha, t0=t0, weight_decay=weight_decay, foreach=foreach, maximize=maximize,
            differentiable=differentiable, capturable=capturable))

    def begin(self, param, group):
        eta = new_step().copy_(as_tensor(valued(group["lr"])))
        return {"step": new_step(), "eta": eta, "mu": new_step(1), "ax": zeros_like(param)}

    def update(self, param, grad, state, group):
        lr, lambd, ax = valued(group["lr"]), group["lambd"], state["ax"]
        t, eta, mu = count_step(state), valued(state["eta"]), valued(state["mu"])
        param.mul_(1 - lambd * eta)
        descend(param, eta, grad)
        if mu == 1:
            ax.copy_(param)
        else:
            ax.add_(param.sub(ax).mul_(mu))
        state["eta"].copy_(as_tensor(lr / (1 + lambd * lr * t) ** group["alpha"]))
        state["mu"].copy_(as_tensor(1 / max(1, t - group["t0"])))
