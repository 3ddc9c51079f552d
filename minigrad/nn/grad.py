"""The gradients of convolutions as functions, where one of them alone is wanted: PyTorch's ``nn.grad``.

``conv2d_input(x.shape, weight, d)`` is what ``autograd.grad(conv2d(x, weight), x, d)`` gives, and ``conv2d_weight`` the
same for the weight.  Both are rows of the table (ops/windows/convolution.py), and can be differentiated again.
"""

from minigrad._core.errors import error
from minigrad._core.errors.absent import answering as _answering
from minigrad._core.graph import Tensor
from minigrad.ops.arguments import ints, must_be_tensors, one_int
from minigrad.ops.windows.convolution import (check_dtypes, convolve_back, convolve_weight, per_dim, shape_of_result)

__all__ = ["conv1d_input", "conv1d_weight", "conv2d_input", "conv2d_weight", "conv3d_input", "conv3d_weight"]

__getattr__ = _answering(__name__)


def conv1d_input(input_size, weight, grad_output, stride=1, padding=0, dilation=1, groups=1):
    """The gradient of ``conv1d`` with respect to its input, whose shape is ``input_size``.

    ``grad_output`` is that of the result, and has its shape; anything else is an error (MG201).

    >>> d, weight = torch.ones(1, 1, 2), torch.tensor([[[1., 10.]]])
    >>> torch.nn.grad.conv1d_input((1, 1, 3), weight, d)
    tensor([[[ 1., 11., 10.]]])
    """
    return of_input("conv1d_input", 1, input_size, weight, grad_output, stride, padding, dilation, groups)


def conv1d_weight(input, weight_size, grad_output, stride=1, padding=0, dilation=1, groups=1):
    """The gradient of ``conv1d`` with respect to its weight, whose shape is ``weight_size``.

    >>> d, x = torch.ones(1, 1, 2), torch.tensor([[[1., 10., 100.]]])
    >>> torch.nn.grad.conv1d_weight(x, (1, 1, 2), d)
    tensor([[[ 11., 110.]]])
    """
    return of_weight("conv1d_weight", 1, input, weight_size, grad_output, stride, padding, dilation, groups)


def conv2d_input(input_size, weight, grad_output, stride=1, padding=0, dilation=1, groups=1):
    """The gradient of ``conv2d`` with respect to its input, whose shape is ``input_size``.

    >>> torch.nn.grad.conv2d_input((1, 1, 2, 3), torch.ones(1, 1, 2, 2), torch.ones(1, 1, 1, 2))
    tensor([[[[1., 2., 1.],
              [1., 2., 1.]]]])
    """
    return of_input("conv2d_input", 2, input_size, weight, grad_output, stride, padding, dilation, groups)


def conv2d_weight(input, weight_size, grad_output, stride=1, padding=0, dilation=1, groups=1):
    """The gradient of ``conv2d`` with respect to its weight, whose shape is ``weight_size``.

    >>> torch.nn.grad.conv2d_weight(torch.ones(1, 1, 2, 3), (1, 1, 2, 2), torch.ones(1, 1, 1, 2))
    tensor([[[[2., 2.],
              [2., 2.]]]])
    """
    return of_weight("conv2d_weight", 2, input, weight_size, grad_output, stride, padding, dilation, groups)


def conv3d_input(input_size, weight, grad_output, stride=1, padding=0, dilation=1, groups=1):
    """The gradient of ``conv3d`` with respect to its input, whose shape is ``input_size``.

    >>> torch.nn.grad.conv3d_input((1, 1, 1, 1, 3), torch.ones(1, 1, 1, 1, 2), torch.ones(1, 1, 1, 1, 2))
    tensor([[[[[1., 2., 1.]]]]])
    """
    return of_input("conv3d_input", 3, input_size, weight, grad_output, stride, padding, dilation, groups)


def conv3d_weight(input, weight_size, grad_output, stride=1, padding=0, dilation=1, groups=1):
    """The gradient of ``conv3d`` with respect to its weight, whose shape is ``weight_size``.

    >>> torch.nn.grad.conv3d_weight(torch.ones(1, 1, 1, 1, 3), (1, 1, 1, 1, 2), torch.ones(1, 1, 1, 1, 2))
    tensor([[[[[2., 2.]]]]])
    """
    return of_weight("conv3d_weight", 3, input, weight_size, grad_output, stride, padding, dilation, groups)


def of_input(op, n, input_size, weight, grad_output, stride, padding, dilation, groups):
    if not (isinstance(weight, Tensor) and isinstance(grad_output, Tensor)):
        raise must_be_tensors(op, weight=weight, grad_output=grad_output)
    input_size = tuple(ints(op, "input_size", (input_size,)))
    options = checked(op, n, input_size, tuple(weight.shape), grad_output, stride, padding, dilation, groups)
    check_dtypes(op, grad_output, weight=weight)
    return convolve_back(grad_output, weight, None, input_size, *options)


def of_weight(op, n, input, weight_size, grad_output, stride, padding, dilation, groups):
    if not (isinstance(input, Tensor) and isinstance(grad_output, Tensor)):
        raise must_be_tensors(op, input=input, grad_output=grad_output)
    weight_size = tuple(ints(op, "weight_size", (weight_size,)))
    options = checked(op, n, tuple(input.shape), weight_size, grad_output, stride, padding, dilation, groups)
    check_dtypes(op, input, grad_output=grad_output)
    return convolve_weight(input, grad_output, weight_size, *options)


def checked(op, n, input_size, weight_size, grad_output, stride, padding, dilation, groups):
    """The options of the convolution, of which ``grad_output`` must be a gradient."""
    if len(input_size) != n + 2 or len(weight_size) != n + 2:
        raise not_of_dims(op, n, input_size, weight_size)
    stride, padding, dilation = [per_dim(op, name, value, n) for name, value in (
        ("stride", stride), ("padding", padding), ("dilation", dilation))]
    groups = one_int(op, "groups", groups)
    size = shape_of_result(op, input_size, weight_size, stride, padding, dilation, False, (0,) * n, groups)
    if tuple(grad_output.shape) != size:
        raise no_such_result(op, input_size, weight_size, size, grad_output.shape)
    return stride, padding, dilation, groups


# ------------------------------------------------------------------------------ errors


def not_of_dims(op, n, input_size, weight_size):
    return error("MG201", f"{op}(): Expected {n + 2}-dimensional input and weight, but got sizes {list(input_size)} "
                          f"and {list(weight_size)}")


def no_such_result(op, input_size, weight_size, size, given):
    return error("MG201", f"{op}(): Expected grad_output of size {list(size)}, that of the convolution of an input of "
                          f"size {list(input_size)} with a weight of size {list(weight_size)}, but got {list(given)}")
