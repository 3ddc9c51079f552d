"""``torch.overrides``: functions that a class answers in its own way, by ``__torch_function__``.

Every function of minigrad that is called from Python asks its arguments; _core/overriding.pyx says how.  A function of
your own that takes tensor-likes asks them with :func:`has_torch_function` and :func:`handle_torch_function`.
"""

import functools

from minigrad._core.absent import answering as _answering
from minigrad._core.graph import Tensor
from minigrad._core.overriding import handle, overloaded
from minigrad.ops.kinds import EXPORTS, INPLACE, METHODS

__all__ = ["get_overridable_functions", "handle_torch_function", "has_torch_function", "is_tensor_like",
           "is_tensor_method_or_property", "resolve_name", "wrap_torch_function"]


def has_torch_function(relevant_args):
    """Whether one of the arguments has a ``__torch_function__`` to ask.

    >>> torch.overrides.has_torch_function((torch.ones(2), 3.0))
    False
    """
    return bool(overloaded(relevant_args))


def handle_torch_function(public_api, relevant_args, *args, **kwargs):
    """What the classes of ``relevant_args`` answer to a call of ``public_api``.

    >>> def double(x):
    ...     if torch.overrides.has_torch_function((x,)):
    ...         return torch.overrides.handle_torch_function(double, (x,), x)
    ...     return 2 * x
    >>> class Always:
    ...     def __torch_function__(self, func, types, args=(), kwargs=None):
    ...         return f"{func.__name__} of one"
    >>> double(Always()), double(3)
    ('double of one', 6)
    """
    relevant = overloaded(relevant_args)
    if not relevant:
        return public_api(*args, **kwargs)
    return handle(public_api, relevant, args, kwargs)


def wrap_torch_function(dispatcher):
    """A decorator that asks the arguments which ``dispatcher`` picks before the function runs.

    >>> @torch.overrides.wrap_torch_function(lambda x: (x,))
    ... def double(x):
    ...     return 2 * x
    >>> double(3)
    6
    """
    def decorate(function):
        @functools.wraps(function)
        def asking(*args, **kwargs):
            relevant = dispatcher(*args, **kwargs)
            if has_torch_function(relevant):
                return handle_torch_function(asking, relevant, *args, **kwargs)
            return function(*args, **kwargs)
        return asking
    return decorate


def is_tensor_like(inp):
    """Whether it is a tensor, or of a class with ``__torch_function__``.

    >>> torch.overrides.is_tensor_like(torch.ones(2)), torch.overrides.is_tensor_like([1.])
    (True, False)
    """
    return type(inp) is Tensor or hasattr(inp, "__torch_function__")


def is_tensor_method_or_property(func):
    """Whether it is a method of Tensor, or the ``__get__`` of a property.

    >>> torch.overrides.is_tensor_method_or_property(torch.Tensor.add)
    True
    """
    return func in _methods() or getattr(func, "__name__", None) == "__get__"


def resolve_name(f):
    """The name of a function, as a program writes it; None if it is not one that can be overridden.

    >>> torch.overrides.resolve_name(torch.add)
    'torch.add'
    """
    return _names().get(f)


def get_overridable_functions():
    """The functions that ask their arguments, by the namespace that they are in.

    >>> torch.add in torch.overrides.get_overridable_functions()["torch"]
    True
    """
    found = {namespace.replace("minigrad", "torch", 1): list(dict.fromkeys(functions.values()))
             for namespace, functions in EXPORTS.items()}
    return {**found, "torch.Tensor": _methods()}


def _methods():
    return list(dict.fromkeys([*METHODS.values(), *INPLACE.values()]))


@functools.cache
def _names():
    found = {}
    for namespace, functions in EXPORTS.items():
        for name, function in functions.items():
            found.setdefault(function, f"{namespace.replace('minigrad', 'torch', 1)}.{name}")
    for name, function in METHODS.items():
        found.setdefault(function, f"torch.Tensor.{name}")
    return found


__getattr__ = _answering(__name__)
