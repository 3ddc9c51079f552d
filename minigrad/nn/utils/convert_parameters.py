"""All parameters as one vector, and back."""

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad.ops.shapes.joining import cat

__all__ = ["parameters_to_vector", "vector_to_parameters"]


def parameters_to_vector(parameters):
    """The elements of all parameters, one after the other: differentiable.

    >>> net = torch.nn.Linear(2, 1)
    >>> torch.nn.utils.parameters_to_vector(net.parameters()).shape
    torch.Size([3])
    """
    return cat([p.reshape(-1) for p in parameters])


def vector_to_parameters(vec, parameters):
    """Let the parameters be views of consecutive parts of a vector.

    >>> net = torch.nn.Linear(2, 1)
    >>> torch.nn.utils.vector_to_parameters(torch.tensor([1., 2., 3.]), net.parameters())
    >>> net.weight.data, net.bias.data
    (tensor([[1., 2.]]), tensor([3.]))
    """
    if not isinstance(vec, Tensor):
        raise error("MG205", f"expected torch.Tensor, but got: {type(vec).__name__}")
    begin = 0
    for p in parameters:
        p.data = vec[begin:begin + p.numel()].view_as(p).data
        begin += p.numel()
