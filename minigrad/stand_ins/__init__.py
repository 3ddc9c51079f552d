"""Names of PyTorch that are *inert*: they are there, and compute nothing.

A published package names much that its user never needs: ``from torch.fx import GraphModule``, ``@torch.jit.unused``,
``if torch.jit.is_tracing()``.  For a program that only does so, minigrad has a placeholder; a call that needs the real
thing raises an error (MG603), which says why it is not here.  ``surface.txt`` has their names, by what may be done with
them; a placeholder is made when a program first asks for it::

    named       a module, a constant, or a function, which raises when it is called
    subclassed  a class: one can derive from it, and ask whether an object is an instance; to make one raises.  With a
                base in brackets: an exception, a Module, or an enumeration with its members
    decorates   gives back the function or class that it is given; called with options, it is such a decorator, and a
                block that changes nothing
    annotates   a type for annotations
    asks        a question, with the answer that is true here

Why a name is left out is in ``_core/errors/left_out.txt``, for these as for names that are absent.

>>> torch.fx.symbolic_trace(torch.sin)                                            # doctest: +ELLIPSIS
Traceback (most recent call last):
minigrad._core.errors.AutogradNotImplementedError: torch.fx.symbolic_trace is a name alone here: programs are not ...
>>> isinstance(torch.nn.Linear(2, 1), torch.fx.GraphModule), torch.jit.script_if_tracing(len) is len
(False, True)
"""

import ast
import builtins
import enum
import functools
import os
import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

from minigrad._core.errors import error
from minigrad._core.errors.absent import absent, because

__all__ = ["KINDS", "Operators", "answer", "at", "find", "is_function", "is_module", "names_in", "spec", "surface"]

KINDS = ("named", "subclassed", "decorates", "annotates", "asks")
_PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "surface.txt")


@functools.cache
def surface():
    """{namespace of PyTorch: {name: (kind, what the file says of it)}}."""
    found, names, kind = {}, None, None
    with open(_PATH, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if not words or line.startswith("#"):
                continue
            if not line.startswith(" "):
                names = found.setdefault(words.pop(0), {})
            else:
                kind = words.pop(0)
            for word in words:
                names[word.replace("=", "(", 1).partition("(")[0]] = kind, word
    for namespace in list(found):                       # what has modules below it is one
        while namespace != "torch":
            namespace, _, name = namespace.rpartition(".")
            found.setdefault(namespace, {}).setdefault(name, ("named", name))
    return found


def names_in(namespace):
    """The names that are inert in a module of minigrad, such as ``"minigrad.jit"``."""
    return surface().get(_theirs(namespace), {})


def _theirs(name):
    return name.replace("minigrad", "torch", 1)


def is_module(name):
    """Whether a whole module of minigrad, such as ``"minigrad.fx"``, is inert."""
    return _theirs(name) in surface()


def is_function(namespace, name):
    """Whether a function has this name: a package may have one that is called as the module that defines it."""
    return names_in(namespace).get(name, ("", ""))[1].endswith("()")


def find(namespace, name):
    """The placeholder of this name; None if there is none."""
    kind, said = names_in(namespace).get(name, (None, None))
    if is_module(f"{namespace}.{name}") and not is_function(namespace, name):
        return import_module(f"{namespace}.{name}")
    return kind and _MAKERS[kind](namespace, name, said)


# ------------------------------------------------------------------------------ one maker for each kind

def refusal(namespace, name):
    """The error of a call that would need the real thing."""
    full = f"{_theirs(namespace)}.{name}"
    return error("MG603", f"{full} is a name alone here: {because(full) or because(full + '.')}. Programs may name it, "
                          "and a call would need what minigrad does not have")


def _dressed(function, namespace, name):
    function.__name__ = function.__qualname__ = name
    function.__module__ = namespace
    function.__doc__ = f"Inert: ``{_theirs(namespace)}.{name}`` of PyTorch; see ``minigrad/stand_ins``."
    return function


def _named(namespace, name, said):
    """A function that raises, or a constant."""
    if said.endswith("()"):
        def refuse(*args, **kwargs):
            raise refusal(namespace, name)
        return _dressed(refuse, namespace, name)
    if "=" in said:
        return ast.literal_eval(said.partition("=")[2])
    return Named(f"{_theirs(namespace)}.{name}")


class Named:
    """A value that is told apart from others, and no more: a dtype that nothing is computed in."""

    def __init__(self, full):
        self._full = full

    def __repr__(self):
        return self._full

    def __getitem__(self, item):
        """In an annotation."""
        return self

    def __reduce__(self):
        return at, tuple(self._full.replace("torch", "minigrad", 1).rsplit(".", 1))


def at(namespace, name):
    """What a module has under a name: for pickles."""
    return getattr(import_module(namespace), name)


def _subclassed(namespace, name, said):
    """A class of which there are no objects."""
    base = said.partition("(")[2].rstrip(")")
    content = {"__module__": namespace, "__doc__": f"Inert: ``{_theirs(namespace)}.{name}`` of PyTorch; see "
                                                   "``minigrad/stand_ins``."}
    if base.startswith("Enum:"):
        return enum.Enum(name, base.removeprefix("Enum:").split(","), module=namespace)
    if base.startswith("IntEnum:"):
        members = [member.split(":") for member in base.removeprefix("IntEnum:").split(",")]
        return enum.IntEnum(name, {member: int(number) for member, number in members}, module=namespace)
    if hasattr(builtins, base):
        return type(name, (getattr(builtins, base),), content)      # a warning or an exception can be raised

    def __new__(cls, *args, **kwargs):
        raise refusal(namespace, name)

    place, _, kind = base.rpartition(".")
    bases = (getattr(import_module(place), kind),) if base else ()
    return type(name, bases, content | {"__new__": __new__, "__class_getitem__": classmethod(lambda cls, item: cls)})


class _Surrounds:
    """A decorator that gives back what it is given, and a block that changes nothing."""

    def __call__(self, what):
        return what

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return None


def _decorates(namespace, name, said):
    def decorate(*args, **kwargs):
        given = [each for each in (*args, *kwargs.values()) if callable(each)]
        return given[0] if given else _Surrounds()
    return _dressed(decorate, namespace, name)


def _asks(namespace, name, said):
    answered = ast.literal_eval(said.partition("=")[2])

    def ask(*args, **kwargs):
        return answered
    return _dressed(ask, namespace, name)


_MAKERS = {"named": _named, "subclassed": _subclassed, "decorates": _decorates, "annotates": _subclassed,
           "asks": _asks}


class Operators:
    """``torch.ops`` while PyTorch's name is lent: ``torch.ops.a.b`` has a name, and raises when it is called."""

    def __init__(self, full):
        self.__name__ = full

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        found = self.__dict__[name] = Operators(f"{self.__name__}.{name}")
        return found

    def __repr__(self):
        return self.__name__

    def load_library(self, path):
        """An OSError, as for a library that cannot be opened."""
        raise OSError(f"torch.ops.load_library: {path} is made for PyTorch's core, which is not here: operators are "
                      "not registered, and C++ is not compiled")

    def __call__(self, *args, **kwargs):
        raise refusal(*self.__name__.rsplit(".", 1))


# ------------------------------------------------------------------------------ modules

def spec(name):
    """How Python loads ``minigrad.fx``: for the finder of ``_paths``."""
    return ModuleSpec(name, _Loader, is_package=True)


class _Loader:
    @staticmethod
    def create_module(spec):
        """None: a plain module."""

    @staticmethod
    def exec_module(module):
        name = module.__name__
        module.__doc__ = f"Inert: ``{_theirs(name)}`` of PyTorch; see ``minigrad/stand_ins``."
        for each, (kind, said) in names_in(name).items():
            if not is_module(f"{name}.{each}"):
                setattr(module, each, _MAKERS[kind](name, each, said))
        module.__all__ = [each for each in vars(module) if not each.startswith("_")]
        module.__getattr__ = answer(name)


def answer(namespace):
    """The ``__getattr__`` of an inert module: for the modules in it, and for what is not recorded."""
    def __getattr__(name):
        found = None if name.startswith("__") else find(namespace, name)
        if found is None:
            raise absent(namespace, name)
        return found
    return __getattr__
