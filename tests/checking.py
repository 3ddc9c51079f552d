"""What tests of errors and of memory share."""

import contextlib

import numpy as np
import pytest

import minigrad
from minigrad._core.kernels.table import USED_AT_FIRST
from minigrad.ops import exports

#: For tests of kernels in C.  MINIGRAD_KERNELS=0 turns them off, and then tests of operations test the general ways.
of_kernels = pytest.mark.skipif(not USED_AT_FIRST, reason="kernels in C are off (MINIGRAD_KERNELS=0)")


@contextlib.contextmanager
def refuses(kind, phrase, code=None):
    """The block raises ``kind`` with ``phrase`` in its text; where minigrad raises it, with ``code`` too.

    ``kind`` may be a tuple where PyTorch's exception is of another class than ours.
    """
    with pytest.raises(kind) as caught:
        yield caught
    assert phrase in str(caught.value)
    ours = getattr(caught.value, "code", None)
    if type(caught.value).__module__.startswith("minigrad"):
        assert ours == code, f"{ours} instead of {code}: {caught.value}"
        assert str(caught.value).endswith(f"[{code}]")


def public_functions():
    """{name: function}, as ``linalg.det``, of all that the table exports; each once, under its first name."""
    found = {}
    for module, functions in exports.EXPORTS.items():
        for name, function in functions.items():
            found.setdefault(function, f"{module}.{name}".removeprefix("minigrad."))
    return {name: function for function, name in found.items()}


@contextlib.contextmanager
def the_table_as_it_was():
    """Rows that are added in the block are taken away again at its end."""
    tables = (exports.ROWS, exports.METHODS, exports.INPLACE, *exports.EXPORTS.values())
    before = [dict(table) for table in tables]
    try:
        yield
    finally:
        for table, content in zip(tables, before):
            table.clear()
            table.update(content)


def is_minigrad(torch):
    return torch.__name__ == "minigrad"


def share_memory(a, b):
    """Does writing to one change the other?"""
    return bool(np.shares_memory(a.detach().numpy(), b.detach().numpy()))


def all_apart(*tensors):
    """No two of the tensors lie in the same memory."""
    return not any([share_memory(a, b) for i, a in enumerate(tensors) for b in tensors[:i]])


def is_tensor(t, values, dtype, shape=None):
    """Whether ``t`` holds ``values`` as ``dtype``."""
    assert type(t) is minigrad.Tensor and t.dtype is dtype
    assert shape is None or t.shape == shape
    np.testing.assert_array_equal(t._array, np.asarray(values))
    return True
