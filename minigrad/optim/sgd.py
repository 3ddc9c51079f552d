"""Gradient descent, with momentum.

The update, with the velocity b of Sutskever et al., "On the importance of initialization and momentum in deep
learning" (2013):

    b      <-  momentum * b + (1 - dampening) * grad            the first time:  b = grad
    param  <-  param - lr * b                                   nesterov:  param - lr * (grad + momentum * b)
"""

from minigrad._core.errors import error
from minigrad._core.frontends import optimizer_steps
from minigrad.nn.parameter import Parameter
from minigrad.optim.rules import Rule, check_forms, check_lr, checked, descend

__all__ = ["SGD"]


class SGD(Rule):
    """Gradient descent: ``param -= lr * param.grad``, with momentum if asked for.

    Parameters
    ----------
    params : tensors, pairs (name, tensor), or dictionaries, each of which is a group
    lr : the learning rate, a number or a tensor of one element
    momentum : how much of the velocity remains from step to step
    dampening : how much of the gradient does not reach the velocity
    weight_decay : the factor of the parameter that is added to its gradient
    nesterov : look ahead along the velocity
    maximize : move along the gradient, not against it
    foreach, fused : accepted; the numbers are the same
    differentiable : record the steps

    Raises ValueError (MG711) for options out of range.

    >>> w = torch.tensor([1., -2.], requires_grad=True)
    >>> optimizer = torch.optim.SGD([w], lr=0.25)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([ 0.5000, -1.0000], requires_grad=True)
    """

    later_options = {"nesterov": False, "maximize": False, "foreach": None, "differentiable": False, "fused": False}
    parts_of_complex = False                # the formula is linear

    def __init__(self, params, lr=1e-3, momentum: float = 0, dampening: float = 0, weight_decay: float = 0,
                 nesterov=False, *, maximize=False,
                 foreach=None, differentiable=False, fused=None):
        check_lr(lr)
        checked("momentum value", momentum)
        checked("weight_decay value", weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise error("MG711", "Nesterov momentum requires a momentum and zero dampening")
        super().__init__(params, dict(
            lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay, nesterov=nesterov,
            maximize=maximize, foreach=foreach, differentiable=differentiable, fused=fused))
        check_forms(foreach, fused, differentiable)

    def state_of(self, param, group):
        return self.state[param] if group["momentum"] else {}

    def move_in_c(self, group):
        return group["params"] if group["differentiable"] else optimizer_steps.sgd(
            Parameter, group["params"], self.state, group["lr"], group["momentum"], group["dampening"],
            group["weight_decay"], group["nesterov"], group["maximize"])

    def update(self, param, grad, state, group):
        momentum = group["momentum"]
        if momentum:
            b = state.get("momentum_buffer")
            if b is None:
                b = state["momentum_buffer"] = grad.clone()      # not detached: steps are differentiable
            else:
                b.mul_(momentum).add_(grad, alpha=1 - group["dampening"])
            grad = grad.add(b, alpha=momentum) if group["nesterov"] else b
        descend(param, group["lr"], grad)
