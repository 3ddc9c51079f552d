"""Memory that several tensors share, as Python code asks for it: writes that are counted, and who else lies there."""

from minigrad._core.graph cimport Tensor, count_write, version_of, written_at


def bump_version(Tensor t not None):
    """Count one in-place write to the memory of ``t``."""
    count_write(version_of(t))


def last_written_at(Tensor t not None):
    """Where the memory of ``t`` was last written to, for a message; "" where that is not known."""
    return "" if t.version is None else written_at(t.version)


def same_memory(Tensor a not None, Tensor b not None):
    """True if writing to one may change the other."""
    return a is b or (a.version is not None and a.version is b.version)
