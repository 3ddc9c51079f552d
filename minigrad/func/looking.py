"""Two of ``torch.func`` that compute nothing: what is inside a tensor of a transform, and a function as it is."""

import functools

from minigrad._core.errors import error
from minigrad._core.graph import Tensor

__all__ = ["debug_unwrap", "functionalize"]


def debug_unwrap(tensor, *, recurse=True):
    """What a tensor inside of a transform holds: the tensor with the batch axis, or the one that is differentiated.

    With ``recurse=False`` one level is taken off, else all.  It is for looking only: what is computed from it is
    unknown to the transform.

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
    """``func`` as it is: PyTorch returns a function that gives the same results without writing to intermediate
    tensors.

    That prepares a program for a compiler that knows no writes.  There is none here, so nothing has to be removed;
    ``remove`` is checked, "mutations" or "mutations_and_views".

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
