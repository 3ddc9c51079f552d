"""Composites: public functions that are made of rows, and differentiated by way of them."""

import inspect

from minigrad._core.dispatch.composites import Composite

from .exports import BY_ROW, EXPORTS, INPLACE_FUNCTIONS, METHODS, place_of, publish
from .lazy import fill, is_written
from .schema import taken_apart


def composite(*, name=None, public=True, method=True, nn=False, aliases=(), out=None, also=None, types="",
              front=None):
    """Decorator: a public function made of rows; it is differentiated by way of them.

    ``types`` are those of its parameters, in their order, as a schema writes them: ``"Tensor Tensor Dim"``.  The stubs
    show them; without them a parameter has the type that is usual for its name.
    ``also`` are other names for its arguments, besides those that ``self``, ``dim`` and the like have everywhere.
    ``out`` is as for a row; a composite casts unless it says "exact".
    ``front`` is where the usual calls begin, in C (_core/frontends/creation.pyx).
    A parameter whose default is a number takes numbers: a tensor that requires grad is refused there.
    """
    def decorate(function):
        called = name or function.__name__
        function.__name__ = function.__qualname__ = called      # as errors call it
        exports, short = place_of(called, nn)
        awaited = exports.get(short) if public and is_written(exports.get(short)) else None
        made = fill(awaited, Composite, function, public and not nn if out is None else bool(out), also,
                    numbers=_numbers(function, types), front=front)
        made.exact_out = out == "exact"
        made.types = _types(called, function, types)
        if public and short == called:                  # where pickle looks for it
            made.__module__ = next(module for module, known in EXPORTS.items() if known is exports)
        made.by_row = made in BY_ROW
        if awaited is None and public:
            publish(made, called, method, nn, aliases)
        return made
    return decorate


def _types(name, function, types):
    """{parameter: type} of a composite that says the types of its parameters."""
    if not types:
        return {}
    names = _parameters(function.__code__)
    if len(names) != len(types.split()):
        raise ValueError(f"{name}: types={types!r} must have a type for each of {names}")
    for each in types.split():
        if taken_apart(each) is None:
            raise ValueError(f"{name}: types={types!r}: {each!r} is not a type that a parameter can have")
    return dict(zip(names, types.split()))


def _parameters(code):
    """The names of a function's parameters in their order; inspect.signature takes ten times as long."""
    n = code.co_argcount + code.co_kwonlyargcount
    several, by_name = code.co_flags & inspect.CO_VARARGS > 0, code.co_flags & inspect.CO_VARKEYWORDS > 0
    named, starred = code.co_varnames[:n], code.co_varnames[n:n + several + by_name]
    return [*named[:code.co_argcount], *starred[:several], *named[code.co_argcount:], *starred[several:]]


def _numbers(function, types=""):
    """The parameters of a function whose defaults are numbers, and whose types are not those of anything."""
    defaults = function.__defaults__ or ()
    code = function.__code__
    names = code.co_varnames[code.co_argcount - len(defaults):code.co_argcount]
    typed = dict(zip(_parameters(code), types.split()))
    return [name for name, default in (*zip(names, defaults), *(function.__kwdefaults__ or {}).items())
            if type(default) in (int, float, complex) and typed.get(name) != "Any"]


def in_place(*names, function_too=False, also=None):
    """Decorator: a method of Tensor under these names, the in-place form of a composite.

    With ``function_too`` it is also a function, ``torch.index_put_(x, ...)``; ``also`` as for :func:`composite`.
    """
    def decorate(function):
        function.__qualname__ = names[0]        # as Python's own errors call it
        if function_too:
            INPLACE_FUNCTIONS.update(names)
        for name in names:
            method = add_method(name, function, also=also, numbers=_numbers(function))
            method.__name__, method.__qualname__ = name, f"Tensor.{name}"
        return function
    return decorate


def add_method(name, function, **options):
    """A method that is not the function of its name: a Composite of its own."""
    METHODS[name] = method = fill(METHODS.get(name), Composite, function, **options)
    method.by_row = method in BY_ROW
    return method
