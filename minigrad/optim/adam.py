"""Adam: each element has a learning rate of its own, from the means of its gradient and of its square.

Kingma and Ba, "Adam: A Method for Stochastic Optimization" (2014), algorithm 1; at step t:

    m      <-  beta1 * m + (1 - beta1) * grad
    v      <-  beta2 * v + (1 - beta2) * grad^2
    param  <-  param - lr * m' / (sqrt(v') + eps)       m' = m / (1 - beta1^t),   v' = v / (1 - beta2^t)

m and v begin as zeros, and the two divisions undo the bias that this gives to their first values.  With ``amsgrad``
the largest v so far takes the place of v (Reddi, Kale and Kumar, "On the Convergence of Adam and Beyond", 2018).
"""

from minigrad._core.errors import error
from minigrad._core.frontends import optimizer_steps
from minigrad._core.graph import Tensor
from minigrad.creation import zeros_like
from minigrad.nn.parameter import Parameter
from minigrad.optim.rules import Rule, check_betas, check_forms, checked, count_step, descend, kept, new_step
from minigrad.ops.exports import REGISTRY as table

__all__ = ["Adam"]


class Adam(Rule):
    """Adam: steps of about ``lr``, whatever the size of the gradients.

    Parameters
    ----------
    params : tensors, pairs (name, tensor), or dictionaries, each of which is a group
    lr : the learning rate, a number or a tensor of one element
    betas : how much of the two running means remains from step to step; two numbers, or two tensors
    eps : added to the root, so that nothing is divided by zero
    weight_decay : the factor of the parameter that is added to its gradient
    amsgrad : divide by the largest mean square so far
    foreach, fused : accepted; the numbers are the same
    maximize : move along the gradient, not against it
    capturable : an error at the first step, as there is no GPU
    differentiable : record the steps
    decoupled_weight_decay : shrink the parameter instead of adding to its gradient: :class:`AdamW`

    Raises ValueError (MG711) for options out of range.

    >>> w = torch.tensor([1., -200.], requires_grad=True)
    >>> optimizer = torch.optim.Adam([w], lr=0.5)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([   0.5000, -199.5000], requires_grad=True)
    """

    later_options = {"amsgrad": False, **Rule.later_options, "decoupled_weight_decay": False, "fused": None}

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay: float = 0, amsgrad=False, *,
                 foreach=None,
                 maximize=False, capturable=False, differentiable=False, fused=None, decoupled_weight_decay=False):
        for name, value in (("lr", lr), ("betas[0]", betas[0]), ("betas[1]", betas[1])):
            check_tensor_option(name, value, foreach, capturable)
        checked("learning rate", lr)
        checked("epsilon value", eps)
        check_betas(betas)
        checked("weight_decay value", weight_decay)
        if not any(isinstance(betas[0], kind) and isinstance(betas[1], kind) for kind in (float, Tensor)):
            raise error("MG711", "betas must be either both floats or both Tensors")
        betas = tuple([beta.squeeze() if isinstance(beta, Tensor) else beta for beta in betas])
        super().__init__(params, dict(
            lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize,
            foreach=foreach, capturable=capturable, differentiable=differentiable, fused=fused,
            decoupled_weight_decay=decoupled_weight_decay))
        check_forms(foreach, fused, differentiable)

    def begin(self, param, group):
        names = ["exp_avg", "exp_avg_sq"] + ["max_exp_avg_sq"] * bool(group["amsgrad"])
        return {"step": new_step(), **{name: zeros_like(param) for name in names}}

    def move_in_c(self, group):
        return group["params"] if group["differentiable"] or group["capturable"] else optimizer_steps.adam(
            Parameter, group["params"], self.state, group["lr"], *group["betas"], group["eps"], group["weight_decay"],
            group["amsgrad"], group["maximize"], group["decoupled_weight_decay"])

    def update(self, param, grad, state, group):
        lr, eps, decay, (beta1, beta2) = group["lr"], group["eps"], group["weight_decay"], group["betas"]
        m, v = state["exp_avg"], state["exp_avg_sq"]
        t = count_step(state)
        if decay and group["decoupled_weight_decay"]:
            param.mul_(1 - lr * decay)
        m.lerp_(grad, 1 - beta1)
        if isinstance(beta2, Tensor):
            v.lerp_(grad * grad, 1 - beta2)
        else:
            v.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        if group["amsgrad"]:
            v = state["max_exp_avg_sq"].copy_(table["maximum"](kept(state["max_exp_avg_sq"]), kept(v)))
        root = (v.sqrt() / (1 - beta2 ** t) ** 0.5).add_(eps)
        descend(param, lr / (1 - beta1 ** t), m, root)


def check_tensor_option(name, value, foreach, capturable):
    if isinstance(value, Tensor):
        if foreach and not capturable:
            raise error("MG711", f"{name} as a Tensor is not supported for capturable=False and foreach=True")
        if value.numel() != 1:
            raise error("MG711", f"Tensor {name} must be 1-element")
