"""Checks of a program's own conditions, which raise an error of the class that their name says: ``torch._check``.

Their names begin with an underscore, and programs use them nevertheless: they are documented in PyTorch, and libraries
on top of it state in them what they expect of their arguments.
"""

from minigrad._core.errors import error
from minigrad._core.graph import Tensor

__all__ = ["_assert", "_assert_async", "_check", "_check_index", "_check_is_size", "_check_not_implemented",
           "_check_tensor_all", "_check_type", "_check_value", "_check_with"]


def _check_with(error_type, cond, message=None):
    """Raise an error of this class if the condition is False; ``message()`` is what it says.

    >>> torch._check_with(ValueError, 1 < 2)
    """
    if isinstance(cond, Tensor):
        raise error("MG205", "cond must be a bool, but got a Tensor. For tensor conditions, use "
                             "torch._check_tensor_all() to assert that all elements are true.")
    if not isinstance(cond, bool):
        raise error("MG205", f"cond must be a bool, but got {type(cond)}")
    if cond:
        return
    if message is not None and not callable(message):
        raise error("MG205", f"message must be a callable, not {type(message).__name__}: lambda: 'what is wrong'")
    raise error_type("Expected cond to be True, but got False." if message is None else str(message()))


def _check(cond, message=None):
    """A RuntimeError if the condition is False; ``message()`` is what it says.

    >>> torch._check(2 < 1, lambda: "2 is not less than 1")
    Traceback (most recent call last):
    RuntimeError: 2 is not less than 1
    """
    _check_with(RuntimeError, cond, message)


def _check_is_size(i, message=None, *, max=None):
    """A RuntimeError if the number is negative, or above ``max``.

    >>> torch._check_is_size(3, max=4)
    """
    _check(i >= 0, message)
    _check(max is None or i <= max, message)


def _check_index(cond, message=None):
    """The same with an IndexError.

    >>> torch._check_index(0 < 1)
    """
    _check_with(IndexError, cond, message)


def _check_value(cond, message=None):
    """The same with a ValueError.

    >>> torch._check_value(0 < 1)
    """
    _check_with(ValueError, cond, message)


def _check_type(cond, message=None):
    """The same with a TypeError.

    >>> torch._check_type(0 < 1)
    """
    _check_with(TypeError, cond, message)


def _check_not_implemented(cond, message=None):
    """The same with a NotImplementedError.

    >>> torch._check_not_implemented(0 < 1)
    """
    _check_with(NotImplementedError, cond, message)


def _check_tensor_all(cond, message=None):
    """A RuntimeError if an element of a tensor of bools is False.

    >>> torch._check_tensor_all(torch.tensor([1., 2.]) > 0)
    """
    if not isinstance(cond, Tensor):
        raise error("MG205", f"cond must be a tensor, but got {type(cond)}")
    if cond.dtype.name != "bool":
        raise error("MG205", f"cond tensor must have dtype torch.bool, but got {cond.dtype}")
    _check(bool(cond.all()), message)


def _assert(condition, message):
    """``assert condition, message`` as a function, so that what traces a program sees it.

    >>> torch._assert(torch.ones(1) > 0, "not positive")
    """
    assert condition, message


def _assert_async(tensor, assert_msg=None):
    """A RuntimeError if a tensor of one element is zero.

    >>> torch._assert_async(torch.tensor(3))
    """
    if tensor.numel() != 1:
        raise error("MG204", "Boolean value of Tensor with more than one value is ambiguous, or there is none: "
                             "torch._assert_async takes a tensor of one element")
    if not tensor.item():
        raise error("MG204", assert_msg or "Expected Tensor with single nonzero value, but got zero")
