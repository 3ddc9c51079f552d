"""Modules that load a part of their names when it is first needed, and look complete to everyone who asks.

A name that is missing is looked for by the module's ``__getattr__``.  But ``vars(nn)``, ``"ReLU" in nn.__dict__``,
``dir(nn)`` and ``from torch.nn import *`` read the ``__dict__``, and that is a plain dict: nobody notices what is not
in it.  So until it is complete, the module is of a class whose ``__dict__`` is a property, which loads the rest first.
Every other attribute is found as in any module, at the same cost.
"""

import sys
from importlib import import_module
from types import ModuleType

from minigrad._core.errors.absent import absent

#: the ``__dict__`` of a module as it is now: loads nothing
loaded_part = ModuleType.__dict__["__dict__"].__get__


class Incomplete(ModuleType):
    """A module of which a part is not loaded yet."""

    @property
    def __dict__(self):
        contents = loaded_part(self)
        for name in contents["__getattr__"].later:
            getattr(self, name)
        for place in contents["__getattr__"].collected:
            _collect(contents, place)
        inert = stand_ins(contents["__name__"])
        for name in inert:
            getattr(self, name, None)
        if "__all__" in contents:
            contents["__all__"] = self.__all__
        self.__class__ = ModuleType
        return contents

    @property
    def __all__(self):
        """What a star import brings, the public placeholders with it."""
        contents = loaded_part(self)
        if "__all__" not in contents:
            raise AttributeError(f"module {contents['__name__']!r} has no attribute '__all__'")
        brought = dict.fromkeys(contents["__all__"])
        return [*brought, *(name for name in stand_ins(contents["__name__"])
                            if name[0] != "_" and name not in brought and hasattr(self, name))]

    def __setattr__(self, name, value):
        """Python makes a module that it imports an attribute of its package, where a function may have its name."""
        if isinstance(value, ModuleType):
            if loaded_part(self)["__getattr__"].later.get(name) == f"{value.__name__}:__dict__":
                value = getattr(value, name)
            elif value.__name__ == f"{loaded_part(self)['__name__']}.{name}" and is_inert_function(value.__name__):
                return
        super().__setattr__(name, value)


def stand_ins(namespace):
    """The names that are inert in a module: see ``minigrad/stand_ins``, which is read when a name is missing."""
    return import_module("minigrad.stand_ins").names_in(namespace)


def is_inert_function(path):
    """Whether a function of PyTorch has the name of the module that defines it, and is inert."""
    namespace, _, name = path.rpartition(".")
    return "minigrad.stand_ins" in sys.modules and import_module("minigrad.stand_ins").is_function(namespace, name)


def _collect(contents, place):
    module = import_module(place)
    for name in module.__all__:
        contents.setdefault(name, getattr(module, name))


def incomplete(namespace, later, collected=()):
    """The ``__getattr__`` of a module that gets some names later: {name: the module that has it, or is it}.

    With ``module:TABLE``, a dict of the module has it; what has the name of its own module is in ``module:__dict__``.
    It also has all public names of the modules in ``collected``, which are not known before these are loaded.
    """
    contents = loaded_part(sys.modules[namespace])

    def __getattr__(name):
        if name in later:
            place, _, table = later[name].partition(":")
            module = import_module(place)
            contents[name] = (getattr(module, table)[name] if table else
                              module if place.rpartition(".")[2] == name else getattr(module, name))
        elif name.startswith("__") and name.endswith("__"):
            raise absent(namespace, name)
        for place in collected if name not in contents else ():
            _collect(contents, place)
        if name not in contents and name in stand_ins(namespace):
            contents[name] = import_module("minigrad.stand_ins").find(namespace, name)
        if name in contents:
            return contents[name]           # found at once from now on
        raise absent(namespace, name)

    __getattr__.later, __getattr__.collected = later, collected
    sys.modules[namespace].__class__ = Incomplete
    return __getattr__
