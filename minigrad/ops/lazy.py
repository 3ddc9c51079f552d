"""Objects that are there from the start, and filled when they are first used.

There are some 700 rows and 250 composites in 60 files, and most programs use few of them.  So ``import minigrad`` runs
few of these files.  ``index.py`` says which rows each of them has, and under which names they are found; for each row
there is an object without content, whose class is a subclass of its own (:func:`awaiting`).  When it is called, or when
anything is asked of it, its file is imported, and each row that is written there fills the object that waits for it
(:func:`fill`).  Then the object is of its own class, as if it had been there from the start, and a call of it costs
nothing more: Note [A node's public class] in _core/dispatch/op_introspection.pyx says how an object can do that.

Several threads may ask at once.  The file runs once, in one of them, since Python sees to that, and an object changes
its class when its file has run to the end.
"""

import sys
from _thread import RLock
from functools import cache
from importlib import import_module
from itertools import repeat

from minigrad._core.graph.type_objects import become, binding

#: an object that waits -> the file that fills it
_FILES = {}
#: the opposite: file -> what waits for it
_CONTENTS = {}
#: an object that waits for others -> (its class, what it is made from)
_MADE_FROM = {}
_lock = RLock()


@cache
def awaiting(cls):
    """The class of objects that will be of the class ``cls``."""
    class Awaiting(cls):
        __slots__ = ()

        def __getattribute__(self, name):
            if name == "__class__":         # isinstance asks; that is known
                return cls
            load(self)
            return cls.__getattribute__(self, name)

        def __call__(self, *args, **kwargs):
            load(self)
            return cls.__call__(self, *args, **kwargs)

        def __repr__(self):
            load(self)
            return cls.__repr__(self)

    Awaiting.__name__, Awaiting.__qualname__, Awaiting.__module__ = cls.__name__, cls.__qualname__, cls.__module__
    return Awaiting


def from_file(cls, file, n):
    """So many objects of this class, which the file will fill."""
    new, waiting = cls.__new__, awaiting(cls)
    made = [new(waiting) for _ in range(n)]
    _FILES.update(zip(made, repeat(file)))
    _CONTENTS.setdefault(file, []).extend(made)
    return made


def made_from(cls, *parts):
    """An object that will be ``cls(*parts)``, when it is used: some of the parts wait as well."""
    made = cls.__new__(awaiting(cls))
    _MADE_FROM[made] = cls, parts
    return made


def let_bind(x):
    """Let a function bind where it is an attribute of a class, as functions of Python do."""
    cls = type(x)
    become(x, awaiting(binding(cls.__base__)) if is_awaited(x) else binding(cls))


def is_awaited(x):
    """Has it no content yet?"""
    return x in _FILES or x in _MADE_FROM


def rows_of(overloads):
    """The rows of a public function that has several."""
    return _MADE_FROM[overloads][1] if overloads in _MADE_FROM else overloads.rows


def is_written(x):
    """Is this an object without content whose file is running, so that what is written there is meant for it?"""
    module = sys.modules.get(_FILES.get(x))
    return module is not None and module.__spec__._initializing


def fill(x, cls, *args, **kwargs):
    """``cls(*args, **kwargs)``: that is what ``x`` becomes, if it waits for the file that is running."""
    if not is_written(x):
        return cls(*args, **kwargs)
    cls.__init__(x, *args, **kwargs)
    return x


def load(x):
    """See to it that ``x`` has its content."""
    file = _FILES.get(x)
    if file is not None:
        if import_module(file).__spec__._initializing:      # its own file asks, while it runs
            return
        with _lock:
            for each in _CONTENTS.pop(file, ()):
                become(each)
                del _FILES[each]
    elif x in _MADE_FROM:
        for part in _MADE_FROM[x][1]:
            load(part)
        with _lock:
            if x in _MADE_FROM:
                cls, parts = _MADE_FROM[x]
                cls.__init__(x, *parts)
                become(x)
                del _MADE_FROM[x]
