"""make_tensor: a tensor of a shape and a dtype, with random numbers in a range."""

from minigrad._core.errors import error
from minigrad.creation import empty
from minigrad.dtypes import NAMES, Size, as_dtype, finfo, iinfo
from minigrad.ops.exports import EXPORTS
from minigrad.random import randint

__all__ = ["make_tensor"]


def make_tensor(*shape, dtype, device, low=None, high=None, requires_grad=False, noncontiguous=False,
                exclude_zero=False, memory_format=None):
    """A tensor of random numbers from ``low`` (included) to ``high`` (excluded).

    Without these, they are from -9 to 9 for floating-point, complex and signed dtypes, from 0 to 9 for unsigned ones.

    Parameters
    ----------
    shape : sizes, or one sequence of them
    dtype, device, requires_grad : as elsewhere
    noncontiguous : let the elements lie apart, where there are several
    exclude_zero : replace zeros by the smallest positive number, or by one
    memory_format : how the elements lie

    >>> x = torch.testing.make_tensor(2, 3, dtype=torch.float32, device="cpu", low=0)
    >>> x.shape, bool((x >= 0).all())
    (torch.Size([2, 3]), True)
    """
    shape = Size(shape[0]) if len(shape) == 1 and not isinstance(shape[0], int) else Size(shape)
    dtype = as_dtype(dtype)
    if noncontiguous and memory_format is not None:
        raise error("MG207", "The parameters `noncontiguous` and `memory_format` are mutually exclusive, but got "
                             f"noncontiguous={noncontiguous} and memory_format={memory_format}")
    low, high = limits(dtype, low, high)
    continuous = dtype.is_floating_point or dtype.is_complex
    if low > high or low == high and not continuous:
        raise error("MG207", f"`low` must be less than `high`, but got {low} >= {high}")
    if requires_grad and not continuous:
        raise error("MG207", "`requires_grad` must be False for integral and boolean dtypes, but got "
                             f"requires_grad=True and dtype={dtype}")
    sizes = (*shape[:-1], 2 * shape[-1]) if noncontiguous and shape.numel() > 1 else shape
    if continuous:
        made = empty(sizes, dtype=dtype, device=device)
        (EXPORTS["minigrad"]["view_as_real"](made) if dtype.is_complex else made).uniform_(low, high)
    else:
        made = randint(int(low), int(high), sizes, dtype=dtype, device=device)
    made = made[..., ::2] if len(sizes) and sizes != shape else made
    if memory_format is not None:
        made = made.clone(memory_format=memory_format)
    if exclude_zero:
        made[made == 0] = finfo(dtype).tiny if continuous else 1
    return made.requires_grad_() if requires_grad else made


def limits(dtype, low, high):
    """The range: the given one, or the default for the dtype, within what the dtype can represent."""
    floating = dtype.is_floating_point or dtype.is_complex
    if dtype is NAMES["bool"]:
        default, ends = (0, 2), (0, 2)
    elif floating:
        default, ends = (-9, 9), (finfo(dtype).min, finfo(dtype).max)
    else:
        default, ends = (-9, 10), (iinfo(dtype).min, iinfo(dtype).max + (dtype is not NAMES["int64"]))
    low, high = [default[i] if given is None else given for i, given in enumerate((low, high))]
    return max(low, ends[0]), min(high, ends[1])
