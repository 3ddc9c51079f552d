"""The precision in which products are computed: the questions that a training script asks of it."""

import functools

from minigrad import dtypes
from minigrad._core.errors import error, warn

__all__ = ["autocast", "custom_bwd", "custom_fwd", "is_autocast_available", "is_autocast_enabled"]


class autocast:
    """A block or function in which products would be computed in ``dtype``, if there were a GPU.

    Parameters
    ----------
    device_type : str
        ``"cuda"`` and the like give a warning, as in PyTorch, and have no effect; ``"cpu"`` is refused unless
        ``enabled=False``.
    dtype : torch.dtype, optional
        Not used.
    enabled : bool
        With False nothing is done.

    >>> with torch.autocast("cpu", enabled=False):
    ...     (torch.ones(2, 2) @ torch.ones(2, 2)).dtype
    torch.float32
    """

    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        if not isinstance(device_type, str):
            raise not_a_device_type(device_type)
        self.device, self.dtype = dtypes.device(device_type).type, dtypes.as_dtype(dtype, "autocast")
        if enabled and self.device == "cpu":
            raise not_on_the_cpu()
        if enabled:
            warn(f"User provided device_type of '{self.device}', but {self.device.upper()} is not available. Disabling")

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        return False

    def __call__(self, function):
        @functools.wraps(function)
        def within(*args, **kwargs):
            return function(*args, **kwargs)
        return within


def is_autocast_available(device_type):
    """False: nothing is computed in another precision than its tensors have.

    >>> torch.amp.is_autocast_available("cuda")
    False
    """
    dtypes.device(device_type)
    return False


def is_autocast_enabled(device_type=None):
    """False.

    >>> torch.is_autocast_enabled()
    False
    """
    return False


def custom_fwd(fwd=None, *, device_type, cast_inputs=None):
    """A decorator for the ``forward`` of a Function, which returns it as it is: ``autocast`` changes nothing here.

    >>> torch.amp.custom_fwd(device_type="cuda")(len) is len
    True
    """
    if not isinstance(device_type, str):
        raise not_a_device_type(device_type)
    return fwd if fwd is not None else lambda function: function


def custom_bwd(bwd=None, *, device_type):
    """A decorator for the ``backward`` of a Function, which returns it as it is.

    >>> torch.amp.custom_bwd(len, device_type="cuda") is len
    True
    """
    return custom_fwd(bwd, device_type=device_type)


# ------------------------------------------------------------------------------ errors

def not_a_device_type(device_type):
    return error("MG207", f"Expected `device_type` of type `str`, got: `{type(device_type)}`")


def not_on_the_cpu():
    return error("MG404", "autocast('cpu'): minigrad computes in the precision that tensors have, and does not choose "
                          "one. Write autocast('cpu', enabled=False), or convert the tensors: x.to(torch.bfloat16)")
