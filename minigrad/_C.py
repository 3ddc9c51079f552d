"""The little of ``torch._C`` that classes of tensors name, as PyTorch's documentation tells them to."""

from minigrad._core.dispatch.torch_function import (DisableTorchFunction, DisableTorchFunctionSubclass,
                                                    disabled_torch_function as _disabled_torch_function_impl)
from minigrad._core.graph import Tensor as _Tensor
from minigrad._core.runtime.thread_state import levels as _levels
from minigrad._lazy_modules import incomplete as _incomplete

__path__ = []                   # there are modules below it, which are inert
__all__ = ["DisableTorchFunction", "DisableTorchFunctionSubclass", "DispatchKeySet"]


class DispatchKeySet(frozenset):
    """A set of keys by which PyTorch's core chooses kernels, which packages put together; nothing is chosen by it.

    >>> from minigrad._C import DispatchKey, DispatchKeySet
    >>> len(DispatchKeySet(DispatchKey.CPU) | DispatchKeySet(DispatchKey.CUDA))
    2
    """

    def __new__(cls, key):
        return super().__new__(cls, [key])


def _are_functorch_transforms_active():
    """Whether this runs inside ``vmap``, ``grad`` or another transform of ``torch.func``.

    >>> from minigrad._C import _are_functorch_transforms_active as inside
    >>> inside(), torch.func.vmap(lambda x: x + inside())(torch.zeros(2))
    (False, tensor([1., 1.]))
    """
    return bool(_levels())


_TensorMeta = type(_Tensor)

__getattr__ = _incomplete(__name__, {"_nn": "minigrad._C._nn"})
