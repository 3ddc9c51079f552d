"""The explanations of all parts; each file has those of one, and the list of the files that were gone through."""

import importlib
import pkgutil

from ..explaining import EVERYWHERE

_parts = [importlib.import_module(f".{part.name}", __name__) for part in pkgutil.iter_modules(__path__)]

#: The files that were gone through, line by line.
READ = [name for part in _parts for name in part.READ]
ENTRIES = EVERYWHERE + [entry for part in _parts for entry in part.ENTRIES]
