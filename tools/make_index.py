"""Writes minigrad/ops/index.py: which rows each file of the table has, and under which names they are found.

    make stubs

It is read off the table, with all files loaded as if there were no such index.  A test compares the two.
"""

import importlib
import sys
import textwrap
from importlib import import_module
from pathlib import Path
from types import FunctionType

PATH = Path(__file__).resolve().parent.parent / "minigrad" / "ops" / "index.py"

HEAD = '''"""Made by `make stubs` from the table of derivatives: which rows each file has, and what they are called.

With it, a file is imported when one of its rows is first used: lazy.py.  What is not a row is named by the first place
where it is found, as ``minigrad.matmul`` and ``Tensor.index_put_``.
"""

'''


def main(arguments):
    """Write the file; with ``--check`` only say whether it is what would be written: the status of the process."""
    new, old = text(), PATH.read_text(encoding="utf-8") if PATH.exists() else ""
    if "--check" not in arguments:
        PATH.write_text(new, encoding="utf-8")
    elif new != old:
        print("not up to date: minigrad/ops/index.py\nIt is older than the table: write it with `make stubs`.")
        return 1
    return 0


def text():
    """What the file should say; to be asked before minigrad is imported."""
    sys.modules["minigrad.ops.index"] = None            # then all files are imported
    sources = written_in()
    from minigrad import ops
    from minigrad._core.dispatch.composites import Composite
    from minigrad._core.dispatch.op import Op
    from minigrad._core.dispatch.overloads import Overloads
    from minigrad._core.inplace.inplace_methods import WithInplace
    from minigrad.ops.exports import EXPORTS, INPLACE, INPLACE_FUNCTIONS, METHODS, ROWS

    places = [*EXPORTS.items(), ("Tensor", METHODS), ("Tensor", INPLACE)]
    known = {id(op): op.name for op in ROWS.values()}
    for module, functions in places:
        for name, function in functions.items():
            known.setdefault(id(function), f"{module}.{name}")
    everything = {known[id(each)]: each for each in [*ROWS.values(), *[f for _, fs in places for f in fs.values()]]}
    listed = {name: each for name, each in everything.items()
              if id(each) in sources and not isinstance(each, FunctionType)}

    def of(cls, file=None):
        """The names of those of a class, in all files or in one."""
        return [name for name, each in listed.items()
                if isinstance(each, cls) and file in (None, sources[id(each)])]

    def names(module, functions):
        for name, function in functions.items():
            if known[id(function)] in listed:
                place = known[id(function)]
                default = f"{module}.{name}" if f"{module}.{name}" in listed else name
                yield name if place == default else f"{name}={place}"

    parts = [HEAD, "#: file -> its rows, and its composites\nFILES = {\n"]
    for file in ops.FILES:
        full = f"minigrad.ops.{file}"
        parts.append(f'    "{file}": (\n{wrapped(of(Op, full), 8)},\n{wrapped(of(Composite, full), 8)}),\n')
    parts.append("}\n#: functions of several rows\nOVERLOADS = {\n")
    for place in of(Overloads):
        rows = [row.name for row in listed[place].rows]
        parts.append(f'    "{place}": (\n{wrapped(rows, 8)}),\n')
    parts.append("}\n#: functions with the argument ``inplace``\nWITH_INPLACE = (\n"
                 + wrapped([listed[place].row.name for place in of(WithInplace)], 4) + ")\n")
    parts.append("#: module -> its functions, each with the name of what it is, if that is another\nEXPORTS = {\n")
    for module, functions in EXPORTS.items():
        parts.append(f'    "{module}": (\n{wrapped(names(module, functions), 8)}),\n')
    parts.append("}\n#: the methods of Tensor, and those that write\n")
    parts.append(f'METHODS = (\n{wrapped(names("Tensor", METHODS), 4)})\n')
    parts.append(f'INPLACE = (\n{wrapped(names("Tensor", INPLACE), 4)})\n')
    parts.append(f"#: methods that write, which are functions too\nINPLACE_FUNCTIONS = (\n"
                 f"{wrapped(sorted(INPLACE_FUNCTIONS), 4)})\n")
    shown = {op.shown for op in ROWS.values()}
    inner = ("minigrad.linalg.", "minigrad.special.", "minigrad.fft.")      # heard with their prefix
    by_row = [place for place in of(Composite) if not place.startswith(inner)
              and {listed[place].__name__, listed[place].__name__.removesuffix("_")} & shown]
    parts.append(f"#: composites with the name of a row\nBY_ROW = (\n{wrapped(by_row, 4)})\n")
    return "".join(parts)


def written_in():
    """{id of a row or composite: the file that makes it}, filled while the files are imported, one after the other."""
    found = {}

    def importing(name, package=None):
        if not name.startswith("minigrad.ops."):            # rows that draw wait as well, without an index
            return import_module(name, package)
        if name in sys.modules:
            raise SystemExit(f"{name} is imported by a file before it: put it before that in minigrad/ops/__init__.py")
        module = import_module(name, package)
        exports = sys.modules["minigrad.ops.exports"]
        for functions in [exports.ROWS, *exports.EXPORTS.values(), exports.METHODS, exports.INPLACE]:
            for function in functions.values():
                found.setdefault(id(function), name)
        return module

    importlib.import_module = importing
    try:
        import_module("minigrad.ops")
    finally:
        importlib.import_module = import_module
    return found


def wrapped(words, indent):
    """The words as one string, in lines of source."""
    lines = textwrap.wrap(" ".join(words), 116 - indent, break_on_hyphens=False) or [""]
    lines = [line + " " for line in lines[:-1]] + lines[-1:]
    return "\n".join([" " * indent + f'"{line}"' for line in lines])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
