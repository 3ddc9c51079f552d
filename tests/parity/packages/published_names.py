"""Write names.txt beside this file: which names of PyTorch published packages say, and how many of them.

    python tests/parity/packages/published_names.py SITE_PACKAGES

in an environment that has torch, about a folder with the packages of small.txt and large.txt, and others, which the
file names.
A name that one package says is written where it is public; a private one, where two say it.
The sources are read, not run: ``torch.fx.Node`` counts, and ``Node`` after ``from
torch.fx import Node``.
"""

import ast
import importlib
import sys
import textwrap
import warnings
from collections import Counter
from importlib.metadata import version
from pathlib import Path

PATH = Path(__file__).with_name("names.txt")
#: how many packages must say a private name, for it to be written
PRIVATE = 2


def said_in(text):
    """The dotted names of torch in a source."""
    tree, aliases, found = ast.parse(text), {}, set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                if name.name.split(".")[0] == "torch":
                    aliases[name.asname or "torch"] = name.name if name.asname else "torch"
                    found.add(name.name)
        elif isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").split(".")[0] == "torch":
            for name in node.names:
                aliases[name.asname or name.name] = f"{node.module}.{name.name}"
                found.add(f"{node.module}.{name.name}")
    for node in ast.walk(tree):
        parts = []
        while isinstance(node, ast.Attribute):
            parts.insert(0, node.attr)
            node = node.value
        if parts and isinstance(node, ast.Name) and node.id in aliases:
            found.add(".".join([aliases[node.id], *parts]))
    return found


def pytorchs(name):
    """``(module, name)`` of the first name below a module on a dotted path, as far as PyTorch has it; else None."""
    module, parts = importlib.import_module("torch"), name.split(".")[1:]
    path = "torch"
    for part in parts:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                value = getattr(module, part, None)
                if value is None or type(value).__name__ == "_Ops":
                    value = importlib.import_module(f"{path}.{part}")
        except Exception:                                   # a module of another device, or nothing
            return f"{path}.{part}" if hasattr(module, part) else None
        if type(value).__name__ != "module" or not value.__name__.startswith("torch"):
            return f"{path}.{part}"
        module, path = value, f"{path}.{part}"
    return path


def count(site):
    """{name: how many packages say it}, and the packages that say any."""
    said, packages = Counter(), []
    for package in sorted(Path(site).iterdir()):
        if package.name == "torch" or package.name.startswith(("torch-", "nvidia", "triton")):
            continue
        names = set()
        is_package = (package / "__init__.py").exists()
        for path in package.rglob("*.py") if is_package else [package] if package.suffix == ".py" else ():
            try:
                text = path.read_text(encoding="utf-8")
                names |= said_in(text) if "torch" in text else set()
            except (SyntaxError, UnicodeDecodeError, RecursionError):
                continue
        said.update(names)
        packages += [package.name] if names else []
    counted = {}
    for name, number in said.items():
        known = pytorchs(name)
        if known:
            counted.setdefault(known, []).append(number)
    return {name: max(numbers) for name, numbers in counted.items()}, packages


def main(site):
    counted, packages = count(site)
    lines = [f"{name} {number}" for name, number in sorted(counted.items(), key=lambda item: (-item[1], item[0]))
             if number >= PRIVATE or not any(part.startswith("_") for part in name.split("."))]
    said = textwrap.fill(f"Names of PyTorch {version('torch').partition('+')[0]} that published packages say, and how "
                         f"many of them, private ones from {PRIVATE} on; written by published_names.py, from "
                         f"{', '.join(packages)}.", 118, break_on_hyphens=False)
    PATH.write_text(textwrap.indent(said, "# ") + "\n" + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(sys.argv[1])
