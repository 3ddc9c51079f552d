"""The little of ``torch._C`` that classes of tensors name, as PyTorch's documentation tells them to."""

from minigrad._core.dispatch.torch_function import (DisableTorchFunction, DisableTorchFunctionSubclass,
                                                    disabled_torch_function as _disabled_torch_function_impl)

__all__ = ["DisableTorchFunction", "DisableTorchFunctionSubclass"]
