"""``python tools/live/names.py FILE``: what the editor of the page says of minigrad's names, as JSON.

``{"minigrad.nn": {"Linear": ["(in_features, ...)", "A fully connected layer ...", "minigrad.nn.Module"], ...}, ...}``:
for each module, and each class whose objects programs keep in variables, its public names with their signature, the
beginning of their docstring, and, of modules and classes, where their own names are listed.  All of it comes from the
library itself.
"""

import importlib
import inspect
import json
import pathlib
import re
import sys
import types

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))
import minigrad

#: what the course imports from
MODULES = ["minigrad", *[f"minigrad.{name}" for name in (
    "amp autograd autograd.forward_ad autograd.functional autograd.graph distributions fft func linalg nn "
    "nn.functional nn.init nn.utils optim optim.lr_scheduler random special testing utils utils.checkpoint "
    "utils.data viz").split()]]
#: whose members are listed; a subclass has those of the first that it derives from
CLASSES = {
    "minigrad.Tensor": minigrad.Tensor, "minigrad.nn.Module": minigrad.nn.Module,
    "minigrad.optim.Optimizer": minigrad.optim.Optimizer,
    "minigrad.optim.lr_scheduler.LRScheduler": minigrad.optim.lr_scheduler.LRScheduler,
    "minigrad.utils.data.DataLoader": minigrad.utils.data.DataLoader,
    "minigrad.distributions.Distribution": minigrad.distributions.Distribution,
}
#: lines of an example
LINES = 5
ROLE, ADDRESS = re.compile(r":\w+:`~?([^`]+)`"), re.compile(r"<([\w.]+)[^<>]* at 0x[0-9a-f]+>")


def said(value):
    """The first paragraph of a docstring, and the beginning of its first example."""
    paragraphs = ROLE.sub(r"``\1``", inspect.getdoc(value) or "").split("\n\n")
    example = next((part for part in paragraphs[1:] if part.startswith(">>> ")), "")
    return "\n\n".join(filter(None, [" ".join(paragraphs[0].split()), "\n".join(example.split("\n")[:LINES])]))


def signature(value, is_method):
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return None
    parameters = [each for each in found.parameters.values()][int(is_method):]
    return ADDRESS.sub(r"\1", str(found.replace(parameters=parameters)))


def entry(value, path, is_method=False):
    if isinstance(value, types.ModuleType):
        return [None, said(value), value.__name__]
    if isinstance(value, type):
        listed = next((name for name, known in CLASSES.items() if issubclass(value, known)), path)
        return [signature(value, False), said(value), listed]
    if not callable(value):
        # Properties explain themselves; of a number, its type would be explained.
        return [None, said(value) if is_method else f"``{value!r}``" if isinstance(value, (int, float)) else ""]
    return [signature(value, is_method), said(value)]


def public(names):
    return [name for name in names if not name.startswith("_")]


def module(path):
    """The names that a module offers: those that it lists, or else all that are minigrad's."""
    value = importlib.import_module(path)
    names = getattr(value, "__all__", None) or public(dir(value))
    below = [name.rpartition(".")[2] for name in MODULES if name.rpartition(".")[0] == path]
    found = {name: getattr(value, name) for name in sorted({*names, *below})}
    return {name: entry(each, f"{path}.{name}") for name, each in found.items()
            if not isinstance(each, types.ModuleType) or each.__name__ in MODULES}


def members(path, known):
    found = {name: inspect.getattr_static(known, name) for name in public(dir(known))}
    return {name: entry(each if isinstance(each, property) else getattr(known, name), path, True)
            for name, each in found.items()}


def all_names():
    return ({path: module(path) for path in MODULES}
            | {path: members(path, known) for path, known in CLASSES.items()})


if __name__ == "__main__":
    pathlib.Path(sys.argv[1]).write_text(json.dumps(all_names(), separators=(",", ":")))
