"""Look inside a tensor of a transform (``debug_unwrap``); and ``functionalize``, which has nothing to do here."""

import functools

from minigrad._core.errors import error
from minigrad._core.graph import Tensor

__all__ = ["debug_unwrap", "functionalize"]


def debug_unwrap(tensor, *, recurse=True):
    """The contents of a tensor inside a transform: the tensor with the batch axis, or the primal.

    With ``recurse=False`` only one level is removed, otherwise all.  It is for looking only: the transform does not
    know about anything computed from it.

    >>> seen = []
    >>> _ = torch.vmap(lambda x: seen.append(torch.func.debug_unwrap(x)) or x * 2)(torch.tensor([1., 2.]))
    >>> seen
    [tensor([1., 2.])]
    """
    if not isinstance(tensor, Tensor):
        raise error("MG205", f"debug_unwrap(): argument 'tensor' must be Tensor, not {type(tensor).__name__}")
    while tensor._level:
        tensor = tensor._array
        if not recurse:
            break
    return tensor


def functionalize(func, *, remove="mutations"):
    """A function that is the same as ``func``; PyTorch's gives the same results without writes to intermediate tensors.

    That prepares a program for a compiler that does not support writes.  There is no compiler here, so nothing is
    removed; ``remove`` is only checked: "mutations" or "mutations_and_views".

    >>> torch.func.functionalize(lambda x: x.clone().mul_(2))(torch.tensor([1., 2.]))
    tensor([2., 4.])
    """
    if remove not in ("mutations", "mutations_and_views"):
        raise error("MG204", "functionalize(f, remove='mutations'): received invalid argument for remove= options. "
                             f"Valid options are: \"mutations\", \"mutations_and_views\", and this is {remove!r}")

    @functools.wraps(func)
    def same(*args, **kwargs):
        return func(*args, **kwargs)

    return same
