"""PyTorch's compiler for a part of Python.  Nothing is compiled here: its functions return what they are given.

>>> @torch.jit.script
... def double(x):
...     return 2 * x
>>> double(torch.ones(2))
tensor([2., 2.])
"""

from typing import Final

from minigrad._core.absent import answering as _answering

__all__ = ["Final", "annotate", "export", "ignore", "is_scripting", "is_tracing", "script", "trace", "unused"]


def script(obj, optimize=None, _frames_up=0, _rcb=None, example_inputs=None):
    """The function, class or module itself.

    >>> torch.jit.script(len) is len
    True
    """
    return obj


def trace(func, example_inputs=None, optimize=None, check_trace=True, check_inputs=None, check_tolerance=1e-5,
          strict=True, _force_outplace=False, _module_class=None, _compilation_unit=None, example_kwarg_inputs=None,
          _store_inputs=True):
    """The function or module itself; it is not called.

    >>> torch.jit.trace(len, torch.ones(2)) is len
    True
    """
    return func


def annotate(the_type, the_value):
    """The value itself.

    >>> torch.jit.annotate(int, 3)
    3
    """
    return the_value


def ignore(drop=False, **kwargs):
    """Mark a method that is not to be compiled: with or without arguments, it returns the method.

    >>> torch.jit.ignore(len) is len
    True
    """
    return drop if callable(drop) else lambda function: function


def unused(fn):
    """The method itself.

    >>> torch.jit.unused(len) is len
    True
    """
    return fn


def export(fn):
    """The method itself.

    >>> torch.jit.export(len) is len
    True
    """
    return fn


def is_scripting():
    """False: programs run as Python.

    >>> torch.jit.is_scripting()
    False
    """
    return False


def is_tracing():
    """False: calls are not recorded for a compiler.

    >>> torch.jit.is_tracing()
    False
    """
    return False


__getattr__ = _answering(__name__)
