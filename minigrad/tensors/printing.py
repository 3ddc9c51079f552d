"""Print tensors as PyTorch does, character by character.

``tensor_str`` turns an array into the text of a tensor; ``set_printoptions`` sets the precision, the line width,
and when to abbreviate.

The one idea: look at all numbers that will be shown, choose *one* format for them (integers as ``1.``, fixed
point, or scientific), and then lay them out in columns.

    tensor([[ 1.0000e+00, -2.5000e+03],        numbers: NumberFormat
            [        nan,  1.0000e-05]],       brackets, commas, line breaks: _layout
           dtype=torch.float64, ...)           the rest: _append

Nothing here depends on Tensor: the arguments are an ndarray and a dtype (dtypes), so that any
payload can be shown.
"""

import numpy as np

from minigrad import dtypes
from minigrad._core.devices.device_arrays import DeviceArray
from minigrad._core.devices.meta import is_meta
from minigrad._core.errors import error

__all__ = ["set_printoptions"]

PROFILES = {
    "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80},
    "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
    "full": {"precision": 4, "threshold": float("inf"), "edgeitems": 3, "linewidth": 80},
}


class Options:
    """The options for printing numbers; ``OPTIONS`` holds the current ones."""

    __slots__ = ("precision", "threshold", "edgeitems", "linewidth", "sci_mode")


OPTIONS = Options()


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None):
    """Choose how tensors are printed.

    Parameters
    ----------
    precision : int
        Digits after the point (4).
    threshold : int
        Tensors with more elements are abbreviated with ``...`` (1000).
    edgeitems : int
        The number of elements that an abbreviated tensor shows at each end of a dimension (3).
    linewidth : int
        The length at which lines are broken (80).
    profile : str
        "default", "short" or "full": values for all of the above.
    sci_mode : bool or None
        Scientific notation always, never, or (None) if the numbers require it.

    >>> torch.set_printoptions(precision=2)
    >>> torch.tensor([1.23456])
    tensor([1.23])
    >>> torch.set_printoptions(profile="default")
    """
    chosen = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    if profile is not None:
        if profile not in PROFILES:
            raise error("MG207", f"set_printoptions(): profile is {profile!r}; "
                                 "the profiles are 'default', 'short' and 'full'")
        for option, value in PROFILES[profile].items():
            setattr(OPTIONS, option, value)
    for option, value in chosen.items():
        if value is not None:
            setattr(OPTIONS, option, value)
    OPTIONS.sci_mode = sci_mode


set_printoptions(profile="default")


# --- Numbers -----------------------------------------------------------------------------------

class NumberFormat:
    """One format for all the numbers in ``shown``, an array of bools, integers or float64.

    Floats take one of three forms: integers (``3.``) if all are; fixed (``3.1416``); or scientific if the largest is
    over 1e8 or over 1000 times the smallest, or if not all are integers and the smallest is below 1e-4.  Zeros, nans
    and infinities do not count, here or in the width. """

    def __init__(self, shown, options):
        self.floating = shown.dtype.kind == "f"
        digits = options.precision
        self.fixed, self.scientific = f".{digits}f", f".{digits}e"
        if not self.floating:
            self.width = max(len(str(value)) for value in shown.ravel().tolist())
            return
        telling = shown[np.isfinite(shown) & (shown != 0)]
        self.form = self._choose(telling, options.sci_mode) if telling.size else "whole"
        self.width = max((len(self._bare(value)) for value in telling.tolist()), default=1)

    @staticmethod
    def _choose(telling, scientific):
        whole = bool((telling == np.ceil(telling)).all())
        sizes = np.abs(telling)
        low, high = float(sizes.min()), float(sizes.max())
        if scientific is None:
            scientific = high / low > 1000 or high > 1e8 or (low < 1e-4 and not whole)
        return "scientific" if scientific else "whole" if whole else "fixed"

    def _bare(self, value):
        if not self.floating:
            return str(value)
        if self.form == "scientific":
            return format(value, self.scientific)
        if self.form == "fixed":
            return format(value, self.fixed)
        text = format(value, ".0f")
        return text if text[-1] in "fn" else text + "."         # inf and nan take no point

    def __call__(self, value):
        return self._bare(value).rjust(self.width)


class ComplexFormat:
    """A format for the real parts and one for the imaginary parts, ``1.0000-2.j``."""

    def __init__(self, shown, options):
        self.real, self.imag = NumberFormat(shown.real, options), NumberFormat(shown.imag, options)
        self.width = self.real.width + self.imag.width + 1

    def __call__(self, value):
        imag = self.imag(value.imag).lstrip()
        sign = "" if imag[0] in "+-" else "+"
        return f"{self.real(value.real)}{sign}{imag}j"


# --- Layout ------------------------------------------------------------------------------------

def _corners(array, edge):
    """The elements of an abbreviated print: ``edge`` from both ends of each dimension."""
    for axis, length in enumerate(array.shape):
        if length > 2 * edge:
            array = np.take(array, [*range(edge), *range(length - edge, length)], axis)
    return array


def _layout(array, indent, number, abbreviate, options):
    """The nested brackets, the first one in column ``indent``."""
    if array.ndim == 0:
        return number(array.item())
    edge = options.edgeitems
    cut = abbreviate and len(array) > 2 * edge
    head, tail = (array[:edge], array[len(array) - edge:]) if cut else (array, array[:0])
    if array.ndim == 1:
        entries = [number(v) for v in head.tolist()] + [" ..."] * cut + [number(v) for v in tail.tolist()]
        per_line = max(1, (options.linewidth - indent) // (number.width + 2))
        lines = [", ".join(entries[i:i + per_line]) for i in range(0, len(entries), per_line)]
        return "[" + f",\n{' ' * (indent + 1)}".join(lines) + "]"
    rows = ([_layout(row, indent + 1, number, abbreviate, options) for row in head] + ["..."] * cut
            + [_layout(row, indent + 1, number, abbreviate, options) for row in tail])
    separator = "," + "\n" * (array.ndim - 1) + " " * (indent + 1)
    return "[" + separator.join(rows) + "]"


def _append(text, suffixes, indent):
    """Add ``, suffix`` for each suffix, on a new line where it would pass the line width."""
    column = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if column + len(suffix) + 2 > OPTIONS.linewidth:
            text += ",\n" + " " * indent + suffix
            column = indent + len(suffix)
        else:
            text += ", " + suffix
            column += len(suffix) + 2
    return text


def array_str(array, indent=0, options=OPTIONS):
    """The numbers of ``array`` with their brackets, as inside ``tensor(...)``."""
    if array.size == 0:
        return "[]"
    abbreviate = array.ndim > 0 and array.size > options.threshold
    if abbreviate and options.edgeitems == 0:
        return "[...]"
    shown = _corners(array, options.edgeitems) if abbreviate else array
    if array.dtype.kind == "c":
        number = ComplexFormat(shown.astype(np.complex128), options)
    else:
        number = NumberFormat(shown if array.dtype.kind in "biu" else shown.astype(np.float64), options)
    return _layout(array, indent, number, abbreviate, options)


def tensor_str(array, dtype, *, requires_grad=False, grad_fn_name=None, tangent=None, prefix="tensor("):
    """The text of a tensor.

    Parameters
    ----------
    array : numpy.ndarray
        Its numbers.
    dtype : dtypes.dtype
        Shown unless it is obvious: the default dtype, its complex counterpart, int64, bool.
    requires_grad, grad_fn_name, tangent
        Autograd's additions: ``requires_grad=True``, ``grad_fn=<MulBackward0>``, ``tangent=...`` (a tensor).
    prefix : str
        The text before the numbers.
    """
    default = dtypes.get_default_dtype()
    suffixes = []
    if isinstance(array, DeviceArray):
        suffixes.append(f"device='{array.device}'")
        array = array if is_meta(array) else array.values("repr")
    if is_meta(array):
        suffixes.append(f"size={tuple(array.shape)}")
    elif array.ndim != 1 if array.size == 0 else OPTIONS.edgeitems == 0:      # if the brackets do not show it
        suffixes.append(f"size={tuple(array.shape)}")
    unsaid = (default,)
    if array.size and not is_meta(array):       # without numbers, int64 and float32 look the same
        unsaid += (default.to_complex(), dtypes.int64, dtypes.bool_)
    if dtype not in unsaid:
        suffixes.append(f"dtype={dtype!r}")
    if grad_fn_name is not None:
        suffixes.append(f"grad_fn=<{grad_fn_name}>")
    elif requires_grad:
        suffixes.append("requires_grad=True")
    if tangent is not None:
        suffixes.append(f"tangent={tangent}")
    indent = len(prefix)
    shown = "..." if is_meta(array) else array_str(array, indent)
    return _append(prefix + shown, suffixes, indent) + ")"
