"""Rprop: each element has a step of its own, which grows while the sign of the gradient stays, and shrinks otherwise.

Riedmiller and Braun, "A Direct Adaptive Method for Faster Backpropagation Learning: The RPROP Algorithm" (1993).  Only
the sign of the gradient is used:

    step   <-  step * etaplus        where grad has the sign of the gradient before
    step   <-  step * etaminus       where it has the other sign; there grad = 0, and the next step is free
    param  <-  param - sign(grad) * step
"""

from minigrad._core.errors import error
from minigrad.creation import as_tensor, ones_like, zeros_like
from minigrad.optim.rules import Rule, check_lr, count_step, kept, new_step, valued

__all__ = ["Rprop"]


class Rprop(Rule):
    """Steps by the sign of the gradient, for whole data sets and not for batches.

    Parameters
    ----------
    params, capturable, foreach, maximize, differentiable : those of :class:`Adam`
    lr : the first step
    etas : the factors with which a step shrinks and grows
    step_sizes : the smallest and the largest step

    >>> w = torch.tensor([1., -200.], requires_grad=True)
    >>> optimizer = torch.optim.Rprop([w], lr=0.5)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([   0.5000, -199.5000], requires_grad=True)
    """

    def __init__(self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), *, capturable=False, foreach=None,
                 maximize=False, differentiable=False):
        check_lr(lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise error("MG711", f"Invalid eta values: {etas[0]}, {etas[1]}")
        super().__init__(params, dict(
            lr=lr, etas=etas, step_sizes=step_sizes, foreach=foreach, maximize=maximize,
            differentiable=differentiable, capturable=capturable))

    def begin(self, param, group):
        first = valued(group["lr"]) * ((1 + 1j) if param.is_complex() else 1)
        return {"step": new_step(), "prev": zeros_like(param),
                "step_size": zeros_like(param.grad).copy_(as_tensor(first))}

    def update(self, param, grad, state, group):
        etaminus, etaplus = group["etas"]
        count_step(state)
        agreement = grad * kept(state["prev"])
        factor = ones_like(grad).masked_fill(agreement > 0, etaplus).masked_fill(agreement < 0, etaminus)
        step_size = state["step_size"].mul_(factor).clamp_(*group["step_sizes"])
        grad = grad.masked_fill(agreement < 0, 0)
        param.addcmul_(grad.sign(), kept(step_size), value=-1)
        state["prev"].copy_(grad)
