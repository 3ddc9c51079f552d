"""The little of ``torch._C`` that classes of tensors name, as PyTorch's documentation tells them to."""

from minigrad._core.dispatch.torch_function import (DisableTorchFunction, DisableTorchFunctionSubclass,
                                                    disabled_torch_function as _disabled_torch_function_impl)
from minigrad._core.graph import Tensor as _Tensor
from minigrad._lazy_modules import incomplete as _incomplete

__path__ = []                   # there are modules below it, which are inert
__all__ = ["DisableTorchFunction", "DisableTorchFunctionSubclass"]

_TensorMeta = type(_Tensor)

__getattr__ = _incomplete(__name__, {})
