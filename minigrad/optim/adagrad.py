"""Adagrad: the gradient, divided by the root of the sum of all its squares.

Duchi, Hazan and Singer, "Adaptive Subgradient Methods for Online Learning and Stochastic Optimization" (2011); at
step t:

    s      <-  s + grad^2
    param  <-  param - lr / (1 + (t - 1) * lr_decay) * grad / (sqrt(s) + eps)
"""

from minigrad.creation import full_like
from minigrad.optim.rules import Rule, check_forms, check_lr, checked, count_step, descend, new_step

__all__ = ["Adagrad"]


class Adagrad(Rule):
    """The gradient, divided by the root of the sum of all its squares: steps become smaller and smaller.

    Parameters
    ----------
    params, lr, weight_decay, foreach, maximize, differentiable, fused : those of :class:`Adam`
    lr_decay : how fast the learning rate falls
    initial_accumulator_value : where the sum begins
    eps : added to the root, so that nothing is divided by zero

    >>> w = torch.tensor([1., -200.], requires_grad=True)
    >>> optimizer = torch.optim.Adagrad([w], lr=0.5)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([   0.5000, -199.5000], requires_grad=True)
    """

    later_options = {"foreach": None, "maximize": False, "differentiable": False, "fused": None}

    def __init__(self, params, lr=1e-2, lr_decay: float = 0, weight_decay: float = 0,
                 initial_accumulator_value: float = 0, eps=1e-10,
                 foreach=None, *, maximize=False, differentiable=False, fused=None):
        check_lr(lr)
        checked("lr_decay value", lr_decay)
        checked("weight_decay value", weight_decay)
        checked("initial_accumulator_value value", initial_accumulator_value)
        checked("epsilon value", eps)
        super().__init__(params, dict(
            lr=lr, lr_decay=lr_decay, eps=eps, weight_decay=weight_decay,
            initial_accumulator_value=initial_accumulator_value, foreach=foreach, maximize=maximize,
            differentiable=differentiable, fused=fused))
        check_forms(foreach, fused, differentiable)
        for group in self.param_groups:
            for param in group["params"]:
                self.state_of(param, group)

    def begin(self, param, group):
        first = self.defaults["initial_accumulator_value"]
        return {"step": new_step(), "sum": full_like(param, complex(first, first) if param.is_complex() else first)}

    def share_memory(self):
        """Move the sums of squares to memory that other processes can share: ``Tensor.share_memory_``."""
        for group in self.param_groups:
            for param in group["params"]:
                self.state[param]["sum"].share_memory_()

    def update(self, param, grad, state, group):
        t = count_step(state)
        s = state["sum"].addcmul_(grad, grad)
        descend(param, group["lr"] / (1 + (t - 1) * group["lr_decay"]), grad, s.sqrt().add(group["eps"]))
