"""Records the names in PyTorch's public modules, for tests/parity/test_module_names.py.

    python tests/parity/records/make_module_names.py        (in an environment with torch)

For each module: what a star import brings, what else it has, and which of both a pickle finds by name; and which
functions are built in, and do not bind where a class has them as attributes.
"""

import contextlib
import io
import json
import pickle
import pkgutil
import warnings
from importlib import import_module
from pathlib import Path
from types import BuiltinFunctionType, ModuleType

import torch

#: packages that minigrad leaves out, or that a program does not import
LEFT_OUT = {"ao", "compiler", "contrib", "cuda", "distributed", "export", "fx", "headeronly",
            "lib", "mtia", "multiprocessing", "nativert", "nested", "numa", "onnx", "package",
            "quantization", "share", "sparse", "testing", "xpu"}


def path_of(package):
    return vars(package).get("__path__", ())


def public_modules():
    """torch and its modules, as far as all parts of their paths are public."""
    found, packages = ["torch"], ["torch"]
    while packages:
        package = packages.pop()
        for _, name, is_package in pkgutil.iter_modules(path_of(import_module(package))):
            path = f"{package}.{name}"
            if name.startswith("_") or path.split(".")[1] in LEFT_OUT:
                continue
            try:
                import_module(path)
            except Exception:                   # it needs what this machine does not have
                continue
            found.append(path)
            if is_package:
                packages.append(path)
    return sorted(found + ["torch.cuda", "torch.distributed", "torch.compiler", "torch.testing"])


def star(path):
    names = {}
    with contextlib.suppress(AttributeError):           # an __all__ that is not true: what comes before that name
        exec(f"from {path} import *", names)
    return {name for name in names if name != "__builtins__"}


def is_of(path, value):
    """Was it made in this module, or below it, and not imported for its own use?"""
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    return name is None or name.startswith(path)


def pickles(value):
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return callable(value) and pickle.loads(pickle.dumps(value)) is value
    except Exception:
        return False


def names_of(path):
    module = import_module(path)
    brought = {name for name in star(path) if name in getattr(module, "__all__", ())
               or not hasattr(module, "__all__") and is_of(path, getattr(module, name))}
    others = {name for name in dir(module) if not name.startswith("_")} - brought
    return {"star": sorted(brought), "others": sorted(others),
            "built_in": sorted(name for name in brought | others
                               if isinstance(getattr(module, name, None), BuiltinFunctionType)),
            "pickles": sorted(name for name in brought | others if pickles(getattr(module, name, None)))}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    record = {path: names_of(path) for path in public_modules()}
    lines = [f"{json.dumps(path)}: {json.dumps(names)}" for path, names in record.items()]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    Path(__file__).with_name("module_names.json").write_text(text, encoding="utf-8")
