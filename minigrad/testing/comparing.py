"""assert_close: two tensors, numbers, or containers of them are equal but for rounding.

Two numbers are near enough if

    |actual - expected| <= atol + rtol |expected|
"""

from collections.abc import Mapping, Sequence

import numpy as np

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad.creation import as_tensor
from minigrad.dtypes import (bfloat16, complex64, complex128, float16, float32, float64, int64, promote_types, uint16,
                             uint32, uint64)
from minigrad.ops.exports import EXPORTS

__all__ = ["assert_close"]

#: (rtol, atol) by dtype; integers and bools have to be equal
TOLERANCES = {float16: (1e-3, 1e-5), bfloat16: (1.6e-2, 1e-5), float32: (1.3e-6, 1e-5), float64: (1e-7, 1e-7),
              complex64: (1.3e-6, 1e-5), complex128: (1e-7, 1e-7)}
OF_NUMBERS = {int: (0., 0.), float: TOLERANCES[float64], complex: TOLERANCES[complex128]}


def assert_close(actual, expected, *, allow_subclasses=True, rtol=None, atol=None, equal_nan=False, check_device=True,
                 check_dtype=True, check_layout=True, check_stride=False, msg=None):
    """Raise an AssertionError (MG751) that says what differs, unless ``actual`` and ``expected`` are close.

    Parameters
    ----------
    actual, expected : tensors, arrays, numbers, None, or sequences and mappings of these
    allow_subclasses : whether the types may differ if one is a subclass of the other
    rtol, atol : relative and absolute tolerance: both, or the default for the dtype
    equal_nan : whether nan equals nan
    check_device, check_dtype, check_layout, check_stride : compare these as well
    msg : another message, or a function that makes one of the default message

    >>> torch.testing.assert_close(torch.tensor([1., 2.]), torch.tensor([1., 2.000001]))
    >>> torch.testing.assert_close(torch.tensor([1., 2.]), torch.tensor([1., 3.]))
    Traceback (most recent call last):
        ...
    minigrad._core.errors.NotClose: Tensor-likes are not close!
    <BLANKLINE>
    Mismatched elements: 1 / 2 (50.0%)
    Greatest absolute difference: 1.0 at index (1,) (up to 1e-05 allowed)
    Greatest relative difference: 0.3333333432674408 at index (1,) (up to 1.3e-06 allowed) [MG751]
    """
    if (rtol is None) != (atol is None):
        raise error("MG207", "Both 'rtol' and 'atol' must be either specified or omitted, but got no "
                             f"{'rtol' if rtol is None else 'atol'}.")
    options = {"allow_subclasses": allow_subclasses, "tolerances": None if rtol is None else (rtol, atol),
               "equal_nan": equal_nan, "device": check_device, "dtype": check_dtype, "layout": check_layout,
               "stride": check_stride}
    for place, a, b in pairs(actual, expected, ()):
        complaint = a if b is None and isinstance(a, Complaint) else difference(a, b, options)
        if complaint:
            raise not_close(complaint, place, msg)


class Complaint(str):
    """What is wrong with two containers."""


def pairs(actual, expected, place):
    """(place, one, other) for everything that two containers hold, or for two other values."""
    if both(actual, expected, Sequence) and not both(actual, expected, str):
        if len(actual) != len(expected):
            yield place, Complaint(f"The length of the sequences mismatch: {len(actual)} != {len(expected)}"), None
        else:
            for i, (a, b) in enumerate(zip(actual, expected)):
                yield from pairs(a, b, (*place, i))
    elif both(actual, expected, Mapping):
        missing, more = expected.keys() - actual.keys(), actual.keys() - expected.keys()
        if missing or more:
            yield place, Complaint("The keys of the mappings do not match:\n"
                                   f"Missing keys in the actual mapping: {sorted(missing)}\n"
                                   f"Additional keys in the actual mapping: {sorted(more)}"), None
        else:
            for key in expected:
                yield from pairs(actual[key], expected[key], (*place, key))
    else:
        yield place, actual, expected


def both(a, b, kind):
    return isinstance(a, kind) and isinstance(b, kind)


def difference(actual, expected, options):
    """What is wrong with two values, containers excepted, or an empty string."""
    if actual is None or expected is None:
        return "" if actual is expected else f"None mismatch: {actual} is not {expected}"
    if both(actual, expected, (bool, np.bool_)):
        return "" if actual == expected else f"Booleans mismatch: {actual} is not {expected}"
    if both(actual, expected, (int, float, complex, np.number)):
        return between_numbers(actual, expected, options)
    related = isinstance(actual, type(expected)) or isinstance(expected, type(actual))
    if not both(actual, expected, (Tensor, np.ndarray)) or not related or not (
            options["allow_subclasses"] or type(actual) is type(expected)):
        raise not_comparable(actual, expected)
    return between_tensors(as_tensor(actual).detach(), as_tensor(expected).detach(), options)


def between_numbers(actual, expected, options):
    actual, expected = [x.item() if isinstance(x, np.number) else x for x in (actual, expected)]
    if options["dtype"] and type(actual) is not type(expected):
        return f"The (d)types do not match: {type(actual)} != {type(expected)}."
    rtol, atol = options["tolerances"] or max(OF_NUMBERS[type(actual)], OF_NUMBERS[type(expected)])
    nans = options["equal_nan"] and actual != actual and expected != expected
    if nans or actual == expected or abs(actual - expected) <= atol + rtol * abs(expected) < np.inf:
        return ""
    return numbers_differ(actual, expected, rtol, atol)


def between_tensors(actual, expected, options):
    for name, checked in (("shape", True), ("layout", options["layout"]), ("stride()", options["stride"]),
                          ("device", options["device"]), ("dtype", options["dtype"])):
        a, b = [x.stride() if name == "stride()" else getattr(x, name) for x in (actual, expected)]
        if checked and a != b:
            return f"The values for attribute '{name}' do not match: {a} != {b}."
    if actual.is_meta or expected.is_meta:
        return ""
    kinds = [x.dtype for x in (actual, expected)]
    rtol, atol = options["tolerances"] or [max(each) for each in zip(*[TOLERANCES.get(k, (0., 0.)) for k in kinds])]
    if kinds[0] != kinds[1]:
        common = promote_types(*[int64 if k in (uint16, uint32, uint64) else k for k in kinds])
        actual, expected = actual.to(common), expected.to(common)
    close = EXPORTS["minigrad"]["isclose"](actual, expected, rtol=rtol, atol=atol, equal_nan=options["equal_nan"])
    if close.all():
        return ""
    if not actual.shape:
        return numbers_differ(actual.item(), expected.item(), rtol, atol)
    return elements_differ(actual, expected, close, rtol, atol)


# ------------------------------------------------------------------------------ what the errors say

def numbers_differ(actual, expected, rtol, atol):
    apart = abs(actual - expected)
    return "\n".join([headline("Scalars", rtol, atol), f"Expected {expected} but got {actual}.",
                      f"Absolute difference: {apart}{allowed(atol, rtol, atol)}",
                      f"Relative difference: {apart / abs(expected) if expected else float('inf')}"
                      f"{allowed(rtol, rtol, atol)}"])


def elements_differ(actual, expected, close, rtol, atol):
    if not actual.is_floating_point() and not actual.is_complex():
        actual, expected = actual.to(int64), expected.to(int64)
    apart = (actual - expected).abs().masked_fill(close, 0)
    lines = [headline("Tensor-likes", rtol, atol)]
    wrong, n = int((~close).sum()), close.numel()
    lines.append(f"Mismatched elements: {wrong} / {n} ({wrong / n:.1%})")
    for name, each, tolerance in (("absolute", apart, atol), ("relative", apart / expected.abs(), rtol)):
        each = each.masked_fill(close, 0).flatten()
        at = int(each.argmax())
        index = tuple([int(i) for i in np.unravel_index(at, tuple(close.shape))])
        lines.append(f"Greatest {name} difference: {each[at].item()} at index {index}{allowed(tolerance, rtol, atol)}")
    return "\n".join(lines)


def headline(what, rtol, atol):
    return f"{what} are not {'close' if rtol or atol else 'equal'}!\n"


def allowed(tolerance, rtol, atol):
    return f" (up to {tolerance} allowed)" if rtol or atol else ""


def not_close(complaint, place, msg):
    said = str(complaint)
    if place:
        said += "\n\nThe failure occurred for item " + "".join([f"[{each!r}]" for each in place])
    return error("MG751", said if msg is None else msg(said) if callable(msg) else msg)


def not_comparable(actual, expected):
    return error("MG205", f"No comparison pair was able to handle inputs of type {type(actual)} and "
                          f"{type(expected)}.")
