"""What assert_close accepts, and what it says where it does not."""

import numpy as np
import torch
from torch.testing import assert_close, make_tensor


def said(actual, expected, **options):
    try:
        assert_close(actual, expected, **options)
        print("close")
    except (AssertionError, TypeError, ValueError) as wrong:
        print(next(c.__name__ for c in type(wrong).__mro__ if c.__module__ == "builtins"),
              str(wrong).replace("minigrad", "torch"))


t = torch.tensor
print("--- tensors")
said(t([1., 2.]), t([1., 2.000001]))
said(t([1., 2.]), t([1., 2.1]))
said(t([[1., 2.], [3., 4.]]), t([[1., 2.], [5., 0.]]), rtol=0.1, atol=0.01)
said(t([1., 2.], dtype=torch.float64), t([1., 2.000001], dtype=torch.float64))
said(t([1., 2.]).half(), t([1., 2.001]).half())
said(t([1, 2, 3]), t([1, 2, 5]))
said(t([True, False]), t([True, True]))
said(t([1 + 1j]), t([1 + 2j]))
said(t(1.), t(2.))
said(t(1), t(2))
said(t([]), t([]))
said(t([float("nan")]), t([float("nan")]))
said(t([float("nan")]), t([float("nan")]), equal_nan=True)
said(t([float("inf")]), t([float("inf")]))
said(t([1.], requires_grad=True), t([1.]))

print("--- attributes")
said(t([1.]), t([1., 2.]))
said(t([1.]), t([1]))
said(t([1.]), t([1]), check_dtype=False)
said(t([1.]), t([2.], dtype=torch.float64), check_dtype=False)
said(torch.ones(2, 3), torch.ones(3, 2).T)
said(torch.ones(2, 3), torch.ones(3, 2).T, check_stride=True)

print("--- numbers and others")
said(1, 1)
said(1, 2)
said(1., 1.00000001)
said(1., 1.1)
said(1, 1.)
said(1, 1., check_dtype=False)
said(True, True)
said(True, False)
said(None, None)
said(None, 1)
said(1j, 2j)
said("a", "a")
said(t(1.), 1.)
said(np.ones(2), np.ones(2))
said(np.ones(2), t([1., 1.]))
said(1., 2., rtol=0.1)

print("--- containers")
said([1, t([1.])], [1, t([1.])])
said([1, t([1.])], [1, t([2.])])
said((1, 2), (1, 2, 3))
said({"a": [1, 2]}, {"a": [1, 3]})
said({"a": 1}, {"b": 1})
said([t([1.])], [t([2.])], msg="mine")
said([t([1.])], [t([2.])], msg=lambda text: f"<{text}>")

print("--- make_tensor")
for dtype in (torch.float32, torch.int8, torch.uint8, torch.bool, torch.complex64):
    x = make_tensor(50, 4, dtype=dtype, device="cpu")
    y = make_tensor((3, 4), dtype=dtype, device="cpu", noncontiguous=True)
    print(x.shape, x.dtype, y.shape, y.is_contiguous())
x = make_tensor(1000, dtype=torch.int64, device="cpu", low=-2, high=2, exclude_zero=True)
print(sorted(set(x.tolist())), make_tensor(3, dtype=torch.float64, device="cpu", requires_grad=True).requires_grad)
