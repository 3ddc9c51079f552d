"""The arguments of ``to``, for classes that have such a method beside a module's: ``torch._C._nn._parse_to``."""

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad.dtypes import as_device, dtype as dtypes

__all__ = []


def _parse_to(*args, **kwargs):
    """``(device, dtype, non_blocking, memory_format)``, with None for what is not given.

    >>> from minigrad._C._nn import _parse_to
    >>> _parse_to("cpu", torch.float64), _parse_to(torch.ones(1, dtype=torch.int32))[1]
    ((device(type='cpu'), torch.float64, False, None), torch.int32)
    """
    unknown = kwargs.keys() - {"device", "dtype", "non_blocking", "memory_format", "other", "tensor"}
    if unknown:
        raise error("MG204", f".to() does not accept {', '.join(sorted(unknown))} argument")
    given = list(args)
    if "other" in kwargs or "tensor" in kwargs:
        given.insert(0, kwargs.get("other", kwargs.get("tensor")))
    device, dtype = kwargs.get("device"), kwargs.get("dtype")
    if given and isinstance(given[0], Tensor):
        device, dtype = given[0].device, given.pop(0).dtype
    else:
        if given and not isinstance(given[0], (dtypes, bool)):
            device = given.pop(0)
        if given and isinstance(given[0], dtypes):
            dtype = given.pop(0)
    return (None if device is None else as_device(device, "to"), dtype,
            bool(given[0] if given else kwargs.get("non_blocking", False)), kwargs.get("memory_format"))
