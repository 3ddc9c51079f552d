"""PyTorch's compiler for a part of Python.  Nothing is compiled here: its functions return what they are given.

>>> @torch.jit.script
... def double(x):
...     return 2 * x
>>> double(torch.ones(2))
tensor([2., 2.])
"""

import types
from typing import Final, Union, get_args, get_origin

from minigrad._lazy_modules import incomplete as _incomplete

__path__ = []                   # there are modules below it, which are inert
__all__ = ["Final", "annotate", "export", "ignore", "is_scripting", "is_tracing", "isinstance",
           "script", "trace", "unused"]


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


_is_of_class = isinstance


def isinstance(obj, target_type):
    """Whether an object is of a type, that of its items included; a tuple of types means any of them.

    >>> torch.jit.isinstance([1, 2], list[int]), torch.jit.isinstance({"a": 1}, dict[str, float])
    (True, False)
    """
    if _is_of_class(target_type, tuple):
        return any(isinstance(obj, each) for each in target_type)
    kind, inner = get_origin(target_type) or target_type, get_args(target_type)
    if kind in (Union, types.UnionType):
        return any(isinstance(obj, each) for each in inner)
    if not _is_of_class(obj, kind) or not inner:
        return _is_of_class(obj, kind)
    if kind is dict:
        return all(isinstance(key, inner[0]) and isinstance(value, inner[1]) for key, value in obj.items())
    if kind is tuple:
        return len(obj) == len(inner) and all(map(isinstance, obj, inner))
    return all(isinstance(each, inner[0]) for each in obj)


__getattr__ = _incomplete(__name__, {})
