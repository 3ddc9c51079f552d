"""The version that a program written for PyTorch sees and may compare: ``torch.__version__ >= "2.1"``.

As text, "2.13" would come before "2.2".  So this is a str that compares by its numbers, with a str or a tuple of
numbers; PyTorch has such a class under the same name.
"""

import operator
import re

__all__ = ["TorchVersion"]

_VERSION = re.compile(r"v?(\d+(?:\.\d+)*)[-_.]?(a|b|c|rc|alpha|beta|pre|dev)?[-_.]?(\d*)[^+]*(?:\+(.*))?")
_STAGES = ("dev", "a", "alpha", "b", "beta", "c", "pre", "rc")


class TorchVersion(str):
    """A version number, compared by its numbers.

    >>> from minigrad.torch_version import TorchVersion
    >>> TorchVersion("2.13.0") > "2.2", TorchVersion("2.13.0") >= (2, 13), TorchVersion("2.13.0rc1") < "2.13"
    (True, True, True)
    """

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other):
        return _compared(operator.eq, self, other)

    def __ne__(self, other):
        return _compared(operator.ne, self, other)

    def __lt__(self, other):
        return _compared(operator.lt, self, other)

    def __le__(self, other):
        return _compared(operator.le, self, other)

    def __gt__(self, other):
        return _compared(operator.gt, self, other)

    def __ge__(self, other):
        return _compared(operator.ge, self, other)


def _compared(compare, one, other):
    """As versions; or as text, where one of them is not a version."""
    if isinstance(other, (tuple, list)):
        other = ".".join(map(str, other))
    keys = _key(one), _key(other)
    return compare(str(one), str(other)) if None in keys else compare(*keys)


def _key(version):
    """A sort key: the numbers without trailing zeros; prereleases sort before a release, local versions after it."""
    found = _VERSION.fullmatch(str(version))
    if not found:
        return None
    numbers, stage, which, local = found.groups()
    numbers = [int(n) for n in numbers.split(".")]
    while len(numbers) > 1 and not numbers[-1]:
        numbers.pop()
    return tuple(numbers), _STAGES.index(stage) if stage else len(_STAGES), int(which or 0), local or ""
