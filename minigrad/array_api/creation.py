"""New arrays, by the standard."""

from minigrad import creation, dtypes
from minigrad.creation import ranges
from minigrad.dtypes import COMPLEX
from minigrad.numpy_interface import dlpack
from minigrad.ops.exports import REGISTRY

__all__ = ["arange", "asarray", "empty", "empty_like", "eye", "from_dlpack", "full", "full_like", "linspace",
           "meshgrid", "ones", "ones_like", "tril", "triu", "zeros", "zeros_like"]


def asarray(obj, /, *, dtype=None, device=None, copy=None):
    """A number, nested lists, or another array as an array."""
    return creation.asarray(obj, dtype=dtype, device=device, copy=copy)


def from_dlpack(x, /, *, device=None, copy=None):
    """An array on the memory of an array of another library."""
    return dlpack.from_dlpack(x, device=device, copy=copy)


def arange(start, /, stop=None, step=1, *, dtype=None, device=None):
    """The numbers from ``start``, or 0, up to ``stop``, without it; none if ``step`` leads the other way."""
    start, stop = (0, start) if stop is None else (start, stop)
    if (stop - start) * step <= 0:
        whole = all([isinstance(x, int) for x in (start, stop, step)])
        return creation.empty(0, dtype=dtype or (dtypes.int64 if whole else None), device=device)
    return ranges.arange(start, stop, step, dtype=dtype, device=device)


def linspace(start, stop, /, num, *, dtype=None, device=None, endpoint=True):
    """``num`` numbers at equal distances; without ``endpoint``, the last is one step before ``stop``."""
    if isinstance(start, complex) or isinstance(stop, complex) or dtype is not None and dtype.category == COMPLEX:
        kind = dtype or dtypes.get_default_dtype().to_complex()
        steps = linspace(0.0, 1.0, num, dtype=dtypes.float64, endpoint=endpoint)
        return (start + (stop - start) * steps).to(kind)
    made = ranges.linspace(start, stop, num if endpoint else num + 1, dtype=dtype, device=device)
    return made if endpoint else made[:-1]


def eye(n_rows, n_cols=None, /, *, k=0, dtype=None, device=None):
    """A matrix with ones on its ``k``-th diagonal and zeros elsewhere."""
    made = creation.zeros(n_rows, n_rows if n_cols is None else n_cols, dtype=dtype, device=device)
    if -made.shape[0] < k < made.shape[1]:
        made.diagonal(k).fill_(1)
    return made


def full(shape, fill_value, *, dtype=None, device=None):
    """An array of one value."""
    return creation.full((shape,) if isinstance(shape, int) else shape, fill_value, dtype=dtype, device=device)


def full_like(x, /, fill_value, *, dtype=None, device=None):
    """An array of one value, in the shape and dtype of another."""
    return creation.full_like(x, fill_value, dtype=dtype, device=device)


def tril(x, /, *, k=0):
    """The matrices with zeros above the ``k``-th diagonal."""
    return REGISTRY["tril"](x, k)


def triu(x, /, *, k=0):
    """The matrices with zeros below the ``k``-th diagonal."""
    return REGISTRY["triu"](x, k)


def meshgrid(*arrays, indexing="xy"):
    """The coordinates of a grid."""
    return [*REGISTRY["meshgrid"](*arrays, indexing=indexing)] if arrays else []


def of_shape(name):
    make = getattr(creation, name)

    def made(shape, *, dtype=None, device=None):
        return make((shape,) if isinstance(shape, int) else tuple(shape), dtype=dtype, device=device)
    return named(made, name, make)


def like_another(name):
    make = getattr(creation, name)

    def made(x, /, *, dtype=None, device=None):
        return make(x, dtype=dtype, device=device)
    return named(made, name, make)


def named(function, name, origin):
    """The function under the name of the standard, with the documentation of the one that it calls."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"``{name}`` of the standard: :func:`minigrad.{origin.__name__}`."
    return function


zeros, ones, empty = map(of_shape, ("zeros", "ones", "empty"))
zeros_like, ones_like, empty_like = map(like_another, ("zeros_like", "ones_like", "empty_like"))
