"""What the namespace says of itself: ``xp.__array_namespace_info__()``."""

from minigrad import dtypes
from minigrad.array_api.dtypes import KINDS, isdtype


class Info:
    """What arrays of minigrad can do."""

    def capabilities(self):
        """What may be relied on."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self):
        """The CPU."""
        return dtypes.CPU

    def default_dtypes(self, *, device=None):
        """The dtypes of new arrays."""
        real = dtypes.get_default_dtype()
        return {"real floating": real, "complex floating": real.to_complex(), "integral": dtypes.int64,
                "indexing": dtypes.int64}

    def dtypes(self, *, device=None, kind=None):
        """The dtypes by name; only those of a kind, if one is given."""
        return {each.name: each for each in KINDS if kind is None or isdtype(each, kind)}

    def devices(self):
        """The CPU."""
        return [dtypes.CPU]


def __array_namespace_info__():
    """What arrays of minigrad can do: their dtypes, devices and capabilities."""
    return Info()
