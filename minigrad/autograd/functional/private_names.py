"""Parts of ``functional`` by PyTorch's private names for them: published packages build Jacobians of their own so.

>>> from minigrad.autograd.functional import _as_tuple, _construct_standard_basis_for
>>> x, y = torch.ones(1), torch.ones(2)
>>> _construct_standard_basis_for((x, y), (1, 2))[1]
tensor([[0., 0.],
        [1., 0.],
        [0., 1.]])
>>> _as_tuple(x, "inputs", "f")
(False, (tensor([1.]),))
"""

from minigrad._core.graph import Tensor
from minigrad.autograd.functional.inputs_and_outputs import tensors_of
from minigrad.creation.ranges import eye

__all__ = ["_as_tuple", "_construct_standard_basis_for", "_grad_postprocess", "_tuple_postprocess"]


def _as_tuple(inp, arg_name=None, fn_name=None):
    """Whether the argument of a function is a tuple of tensors, and it as one; without names only the latter."""
    if arg_name is None and fn_name is None:
        return tuple(inp) if isinstance(inp, (tuple, list)) else (inp,)
    found, several = tensors_of(inp, arg_name, fn_name)
    return several, found


def _construct_standard_basis_for(tensors, tensor_numels):
    """The rows of an identity matrix, cut into one block of columns for each tensor: the unit vectors of all outputs
    together, of shape ``(sum(tensor_numels), numel)`` each."""
    total, begin, blocks = sum(tensor_numels), 0, []
    for tensor, numel in zip(tensors, tensor_numels, strict=True):
        blocks.append(eye(total, dtype=tensor.dtype, device=tensor.device)[:, begin:begin + numel].contiguous())
        begin += numel
    return tuple(blocks)


def _grad_postprocess(inputs, create_graph):
    """The tensors of nested tuples, without their history unless it is asked for."""
    if not isinstance(inputs[0], Tensor):
        return tuple([_grad_postprocess(each, create_graph) for each in inputs])
    return inputs if create_graph else tuple([each.detach() for each in inputs])


def _tuple_postprocess(res, to_unpack):
    """The results without the tuples of one element that ``_as_tuple`` made: ``to_unpack`` is what it returned, or a
    pair of those for a table of results, of the outputs and of the inputs."""
    outer, inner = to_unpack if isinstance(to_unpack, tuple) else (to_unpack, True)
    if not inner:
        res = tuple([each[0] for each in res])
    return res if outer else res[0]
