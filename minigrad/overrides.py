"""``torch.overrides``: functions that a class or a mode answers in its own way, by ``__torch_function__``.

Every function of minigrad that is called from Python asks its arguments; _core/dispatch/torch_function.pyx says how.  A
function of your own that takes tensor-likes asks them with :func:`has_torch_function` and
:func:`handle_torch_function`.
"""

import functools
import sys
from inspect import signature

from minigrad._core.dispatch.front_end import Wrapping
from minigrad._core.dispatch.torch_function import (Asked, handle, ignored, is_redispatched, mode_is_on, overloaded,
                                                     redispatched, unwrapped)
from minigrad._core.errors import error
from minigrad._core.errors.absent import answering as _answering
from minigrad._core.graph import Tensor
from minigrad.ops.exports import EXPORTS
from minigrad.tensors.subclasses import that_asks

__all__ = ["BaseTorchFunctionMode", "TorchFunctionMode", "get_default_nowrap_functions", "get_ignored_functions",
           "get_overridable_functions", "get_testing_overrides", "handle_torch_function", "has_torch_function",
           "has_torch_function_unary", "has_torch_function_variadic", "is_tensor_like",
           "is_tensor_method_or_property", "redispatch_function", "resolve_name", "wrap_torch_function"]

#: the functions of the modules that make tensors from numbers, and so have nobody to ask but a mode
_FACTORIES = ("arange", "as_tensor", "asarray", "bartlett_window", "blackman_window", "empty", "empty_permuted",
              "empty_strided", "eye", "from_numpy", "frombuffer", "full", "hamming_window", "hann_window",
              "kaiser_window", "linspace", "logspace", "ones", "rand", "randint", "randn", "randperm", "scalar_tensor",
              "tensor", "tril_indices", "triu_indices", "zeros")


class TorchFunctionMode(Asked):
    """A mode: in its block, each function asks its ``__torch_function__`` first.

    Modes nest.  Inside the method this mode is not in force, so that it can call ``func`` itself.

    >>> class Logging(torch.overrides.TorchFunctionMode):
    ...     def __torch_function__(self, func, types, args=(), kwargs=None):
    ...         print(torch.overrides.resolve_name(func))
    ...         return func(*args, **(kwargs or {}))
    >>> with Logging():
    ...     x = torch.ones(2)
    ...     y = torch.exp(x)
    torch.ones
    torch.exp
    """

    def __init__(self):
        pass

    def __torch_function__(self, func, types, args=(), kwargs=None):
        raise error("MG305", f"{type(self).__name__} does not say what functions do while it is on: define "
                             "__torch_function__(self, func, types, args=(), kwargs=None), which answers each call")


class BaseTorchFunctionMode(TorchFunctionMode):
    """A mode that changes nothing.

    >>> with torch.overrides.BaseTorchFunctionMode():
    ...     torch.ones(2).sum()
    tensor(2.)
    """

    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


def has_torch_function(relevant_args):
    """Whether one of the arguments has a ``__torch_function__`` to ask.

    >>> torch.overrides.has_torch_function((torch.ones(2), 3.0))
    False
    """
    return (mode_is_on() or bool(overloaded(relevant_args))) and not is_redispatched()


def has_torch_function_unary(arg):
    """The same for one argument.

    >>> torch.overrides.has_torch_function_unary(torch.ones(2))
    False
    """
    return has_torch_function((arg,))


def has_torch_function_variadic(*args):
    """The same for arguments that are given one by one.

    >>> torch.overrides.has_torch_function_variadic(torch.ones(2), 3.0)
    False
    """
    return has_torch_function(args)


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
    if not relevant and not mode_is_on():
        return public_api(*args, **kwargs)
    return handle(public_api, relevant, args, kwargs)


def redispatch_function(func, types, args, kwargs):
    """The function's own answer, in a ``__torch_function__`` that goes on being asked about the calls within it.

    >>> class Logged(torch.Tensor):
    ...     @classmethod
    ...     def __torch_function__(cls, func, types, args=(), kwargs=None):
    ...         print(func.__name__)
    ...         return torch.overrides.redispatch_function(func, types, args, kwargs)
    >>> def double(x):
    ...     if torch.overrides.has_torch_function((x,)):
    ...         return torch.overrides.handle_torch_function(double, (x,), x)
    ...     return x * 2
    >>> double(torch.ones(2).as_subclass(Logged))
    double
    mul
    tensor([2., 2.])
    """
    return redispatched(func, args, kwargs)


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
    """Whether it is a method of Tensor, or the ``__get__``, ``__set__`` or ``__delete__`` of one of its properties.

    >>> torch.overrides.is_tensor_method_or_property(torch.Tensor.add)
    True
    """
    return func in _of_tensor().values() or getattr(func, "__name__", None) in ("__get__", "__set__", "__delete__")


def resolve_name(f):
    """The name of a function, as a program writes it; None if it is not one that can be overridden.

    A function and the method of that name are one object here, which has the name of the function.

    >>> torch.overrides.resolve_name(torch.add), torch.overrides.resolve_name(torch.Tensor.shape.__get__)
    ('torch.add', 'torch.Tensor.shape.__get__')
    """
    return _names().get(f)


def get_overridable_functions():
    """The functions that ask their arguments, by the module, class or property that they belong to.

    >>> torch.add in torch.overrides.get_overridable_functions()[torch]
    True
    """
    found = {module: [*dict.fromkeys([f for f in functions.values() if f not in _ignored()])]
             for module, functions in _modules().items()}
    found[Tensor] = []
    for name, attribute in _of_tensor().items():
        if callable(attribute):
            found[Tensor].append(attribute)
        else:
            found[attribute] = [attribute.__get__]
    return found


def get_ignored_functions():
    """The public functions that do not ask the classes of their arguments: those that make tensors of numbers.

    >>> torch.tensor in torch.overrides.get_ignored_functions()
    True
    """
    return set(_ignored())


def get_default_nowrap_functions():
    """The functions whose results keep their class, although a subclass of Tensor was given.

    >>> torch.Tensor.grad.__get__ in torch.overrides.get_default_nowrap_functions()
    True
    """
    return set(unwrapped())


def get_testing_overrides():
    """For each function that can be overridden, one with the same parameters that returns -1.

    >>> torch.overrides.get_testing_overrides()[torch.exp](torch.ones(2))
    -1
    """
    found = {}
    for functions in get_overridable_functions().values():
        for function in functions:
            found[function] = _dummy(function)
    return found


def _dummy(function):
    def minus_one(*args, **kwargs):
        return -1
    try:
        minus_one.__signature__ = signature(function)
    except (TypeError, ValueError):                 # a method-wrapper has none
        minus_one.__signature__ = signature(minus_one)
    return minus_one


@functools.cache
def _modules():
    """{module: {name: function}}: the table's, and those above it that ask as well."""
    found = {}
    for namespace, functions in EXPORTS.items():
        module = sys.modules[namespace]
        above = {name: value for name, value in vars(module).items()
                 if isinstance(value, Wrapping) and not name.startswith("_")}
        found[module] = {**above, **functions}
    return found


@functools.cache
def _ignored():
    torch = sys.modules["minigrad"]
    return frozenset({*ignored, *[getattr(torch, name) for name in _FACTORIES]})


@functools.cache
def _of_tensor():
    """{name: attribute} of Tensor: the methods and properties that ask."""
    found = {}
    for base in Tensor.__mro__[:-1]:
        for name, attribute in vars(base).items():
            if not name.startswith("_") and callable(attribute) or that_asks(name, attribute) is not None:
                found[name] = getattr(Tensor, name) if callable(attribute) else attribute
    found.update({name: getattr(Tensor, name) for name in _OPERATORS})
    return found


#: the operators, which ask as methods do
_OPERATORS = [f"__{each}__" for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and",
                                         "or", "xor", "lshift", "rshift") for each in (name, f"r{name}")] + [
    f"__{name}__" for name in ("iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", "iand", "ior", "ixor",
                               "ilshift", "irshift", "getitem", "setitem", "eq", "ne", "lt", "le", "gt", "ge", "neg",
                               "pos", "abs", "invert")]


@functools.cache
def _names():
    found = {}
    for module, functions in _modules().items():
        for name, function in functions.items():
            own = function.__name__ in (name, f"{module.__name__.rpartition('.')[2]}_{name}")
            if own or function not in found:
                found[function] = f"{module.__name__.replace('minigrad', 'torch', 1)}.{name}"
    for name, attribute in _of_tensor().items():
        if callable(attribute):
            found.setdefault(attribute, f"torch.Tensor.{name}")
            continue
        for way in ("__get__", "__set__", "__delete__"):
            found[getattr(attribute, way)] = f"torch.Tensor.{name}.{way}"
    return found


__getattr__ = _answering(__name__)
