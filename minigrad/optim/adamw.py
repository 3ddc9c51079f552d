"""AdamW: Adam that shrinks the parameter itself, where Adam adds its decay to the gradient, which m and v then hide.

    param  <-  (1 - lr * weight_decay) * param          and then a step of Adam

Loshchilov and Hutter, "Decoupled Weight Decay Regularization" (2017).
"""

from minigrad.optim.adam import Adam

__all__ = ["AdamW"]


class AdamW(Adam):
    """Adam whose weight decay does not pass through the running means: ``param *= 1 - lr * weight_decay``.

    The arguments are those of :class:`Adam`, but that the decay is decoupled, and 0.01 by default.

    >>> w = torch.tensor([1., -200.], requires_grad=True)
    >>> optimizer = torch.optim.AdamW([w], lr=0.5, weight_decay=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([   0.4500, -189.5000], requires_grad=True)
    """

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, *,
                 maximize=False, foreach=None, capturable=False, differentiable=False, fused=None):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, foreach=foreach, maximize=maximize,
                         capturable=capturable, differentiable=differentiable, fused=fused,
                         decoupled_weight_decay=True)

    def __setstate__(self, state):
        super().__setstate__(state)
        for group in self.param_groups:
            group["decoupled_weight_decay"] = True
