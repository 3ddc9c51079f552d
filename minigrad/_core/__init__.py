"""The core: what runs for every row of the table of operations (``minigrad/ops``).

A row is one operation: its schema, its kernel, and the formulas of its derivative.

It is built in floors.  A file knows only its own folder and those below; what it needs from above, it is told when the
library is imported (Note [Told later] in provided.pyx)::

    frontends   usual calls, answered in C      |   profiling   listeners; needs graph and runtime only
    --------------------------------------------+--------------------------------
    inplace     writes
    --------------------------------------------+--------------------------------
    forward     tangents
    --------------------------------------------+--------------------------------
    backward    from the last node to .grad     |   devices     arrays elsewhere
    --------------------------------------------+--------------------------------
    dispatch    from a call to a result and its node
    --------------------------------------------+--------------------------------
    graph       tensors, nodes, edges           |   kernels     numbers only
    --------------------------------------------+--------------------------------
    runtime     the thread: modes, memory, the pool of threads
    --------------------------------------------+--------------------------------
    errors      every error has a code

``graph`` and ``kernels`` do not know each other: what an operation does with numbers and how it is differentiated are
separate concerns.  ``dispatch`` is the lowest folder that knows both; those above it call kernels, too, as ``backward``
does to add gradients up.

A few of these files tell the main story; read in this order, they take an evening:

1. ``graph``         in graph: the data model: tensors, versions, nodes
2. ``op``            in dispatch: what an operation is
3. ``call``          in dispatch: from a call to a result
4. ``symbols``       in dispatch: placeholders for tensors: a formula is called with them once, and its steps are noted
5. ``formulas``      in backward: derivatives as programs that run on arrays
6. ``pass_state``    in backward: what a backward pass knows, and which nodes it will visit
7. ``engine``        in backward: the backward pass
8. ``fitting``       in backward: a gradient, in the shape and dtype of its input
9. ``view_history``  in graph: the history of memory that several tensors share

The others are machinery: they are looked up when the story, or a question, leads there.  Each folder opens with what
its files are for.

The modules that Cython compiles, a ``.pyx`` for each, lie in one shared library beside this folder (setup.py), which
is loaded once, whatever folder they belong to.  Below, Python is told to look for them there.
"""

import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec
from importlib.util import spec_from_file_location

_HERE = os.path.dirname(__file__)
_LIBRARY = _HERE + EXTENSION_SUFFIXES[0]
try:
    os.stat(_LIBRARY)
    with open(_HERE + ".modules.txt", encoding="utf-8") as file:
        _MODULES = file.read().split()          # as setup.py has linked them: backward/engine, ...
except FileNotFoundError as error:
    from minigrad._core.unbuilt import why
    raise ImportError(why(error.filename)) from None


class _Library:
    """The library, as an entry of the paths of this package and of its folders, in which Python looks for modules."""

    def __init__(self, entry):
        if not entry.startswith(_LIBRARY):
            raise ImportError(f"{entry} is not in the library of the core")
        self.entry = entry
        self.folder = _HERE + entry[len(_LIBRARY):]
        inside = entry[len(_LIBRARY) + 1:].replace(os.sep, "/")
        paths = [module.rpartition("/") for module in _MODULES]
        self.compiled = {name for folder, _, name in paths if folder == inside}

    def find_spec(self, name, target=None):
        last = name.rpartition(".")[2]
        if last in self.compiled:
            return ModuleSpec(name, ExtensionFileLoader(name, _LIBRARY), origin=_LIBRARY)
        folder, entry = os.path.join(self.folder, last), os.path.join(self.entry, last)
        if os.path.isdir(folder):
            _found(entry)
            return spec_from_file_location(name, os.path.join(folder, "__init__.py"),
                                           submodule_search_locations=[entry, folder])

    def iter_modules(self, prefix=""):
        return [(prefix + name, False) for name in sorted(self.compiled)]


def _found(entry):
    """Tell Python who looks there; else it would first try whether the library is a zip file."""
    sys.path_importer_cache[entry] = _Library(entry)


sys.path_hooks.append(_Library)         # if that is forgotten
_found(_LIBRARY)
__path__.insert(0, _LIBRARY)

from minigrad._core.runtime import numpy_table      # before the others, which call NumPy through it
