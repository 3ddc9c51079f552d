"""`Variable`, once the class of tensors with gradients: it still works, and returns tensors.

Old programs write `Variable(tensor, requires_grad=True)`; today tensors have gradients themselves:
`torch.tensor(data, requires_grad=True)`, or `tensor.requires_grad_()`.
"""


import numpy as np

from minigrad._core.errors import error, warn
from minigrad._core.graph import Tensor, wrap

__all__ = ["VariableMeta", "Variable"]


class VariableMeta(type):
    """Makes every tensor an instance of `Variable`, and makes a call of `Variable` return a tensor."""

    def __instancecheck__(cls, instance):
        return isinstance(instance, Tensor)

    def __call__(cls, data=None, requires_grad=False, volatile=None, *rest):
        """Return a tensor on the memory of `data`, without its history."""
        if volatile:
            warn("volatile was removed and now has no effect. Use `with torch.no_grad():` instead.")
        if data is None:
            data = wrap(np.zeros(0, np.float32))
        if not isinstance(data, Tensor):
            raise error(
                "MG205",
                f"Variable data has to be a tensor, but got {type(data).__name__}. Write torch.tensor(data).",
            )
        variable = data.detach()
        if requires_grad:
            variable.requires_grad = True
        return variable


class Variable(metaclass=VariableMeta):
    """Deprecated: `Variable(tensor, requires_grad)` returns a tensor on the same memory.

    >>> x = torch.autograd.Variable(torch.ones(2), requires_grad=True)
    >>> x
    tensor([1., 1.], requires_grad=True)
    >>> isinstance(x, torch.autograd.Variable), type(x) is torch.Tensor
    (True, True)
    """
