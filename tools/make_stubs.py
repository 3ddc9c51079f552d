"""Writes the stubs by which an editor completes and explains what it cannot read for itself.

    make stubs

The compiled classes, and the operations (which are published from the table when minigrad is imported),
have no Python source that an editor could look at.  Everything here comes from the live objects; what an
operation returns is learnt by running the example in its docstring.  A test compares the files with what
this program would write.
"""

import ast
import doctest
import importlib
import inspect
import sys
import types
from pathlib import Path

import minigrad
import numpy
from minigrad import nn
from minigrad._core import dispatch, graph
from minigrad.dtypes import dtype
from minigrad.ops import kinds

ROOT = Path(__file__).resolve().parent.parent
Tensor = minigrad.Tensor
minigrad.vmap, minigrad.viz             # what is loaded when it is asked for, is asked for

HEAD = '''"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

import builtins
from typing import Any
'''

#: Attributes of Tensor and Node whose type an editor should know.  (``builtins``: Tensor has methods bool, int, float.)
ATTRIBUTES = {
    "data": "Tensor", "grad": "Tensor | None", "grad_fn": "Node | None", "requires_grad": "builtins.bool", "is_leaf": "builtins.bool",
    "retains_grad": "builtins.bool", "shape": "Size", "dtype": "dtype", "ndim": "builtins.int", "output_nr": "builtins.int", "variable": "Tensor",
    "next_functions": "tuple[tuple[Node | None, builtins.int], ...]", "metadata": "dict[Any, Any]",
    "T": "Tensor", "mT": "Tensor", "H": "Tensor", "mH": "Tensor", "real": "Tensor", "imag": "Tensor",
    "nbytes": "builtins.int", "itemsize": "builtins.int", "is_cuda": "builtins.bool", "is_sparse": "builtins.bool", "is_quantized": "builtins.bool",
}

#: Methods that are not in the table and do not return a Tensor.
METHODS = {
    "is_inference": "builtins.bool", "is_floating_point": "builtins.bool", "is_complex": "builtins.bool", "is_contiguous": "builtins.bool", "item": "Any",
    "tolist": "Any", "numpy": "Any", "stride": "Any", "storage_offset": "builtins.int", "data_ptr": "builtins.int", "numel": "builtins.int",
    "nelement": "builtins.int", "size": "Any", "dim": "builtins.int", "ndimension": "builtins.int", "element_size": "builtins.int", "backward": "None",
    "type": "Any", "retain_grad": "None", "why_no_grad": "str", "register_hook": "Any", "register_post_accumulate_grad_hook": "Any",
    "name": "str", "register_prehook": "Any", "is_conj": "builtins.bool", "is_neg": "builtins.bool",
}

#: Functions of the modules that make tensors which return something else.
NOT_TENSORS = {"manual_seed", "seed", "initial_seed", "set_rng_state"}

#: Every compiled module but that of the data model, which has a stub written with more care.
COMPILED = [
    importlib.import_module(f"minigrad._core.{path.stem}")
    for path in sorted((ROOT / "minigrad" / "_core").glob("*.pyx"))
    if path.stem != "graph"
]

OPERATORS = {
    "Tensor": ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift"],
    "unary": ["neg", "pos", "abs", "invert"],
    "compare": ["eq", "ne", "lt", "le", "gt", "ge"],
}


def first_sentence(value):
    doc = inspect.cleandoc(getattr(value, "__doc__", None) or "")
    line = " ".join(doc.split("\n\n")[0].split())
    return line.replace("\\", "\\\\").replace('"""', "'''")


def written(indent, head, value):
    """A definition with its first sentence; on one line where there is none."""
    sentence = first_sentence(value)
    if not sentence:
        return f"{indent}{head}: ..."
    return f'{indent}{head}:\n{indent}    """{sentence}"""'


# ------------------------------------------------------------------------------ what a call returns


def returned(name, function):
    """The type that the examples of an operation show, as an annotation."""
    if isinstance(function, dispatch.Op):
        if function.outputs:
            return "tuple[" + ", ".join(["Tensor"] * len(function.outputs)) + "]"
        return "tuple[Tensor, ...]" if function.list_output else "Tensor"
    found = {annotation(value) for value in results_of_examples(name, function)} - {None}
    return " | ".join(sorted(found)) or "Any"


def results_of_examples(name, function):
    """What the operation answers wherever an example in its docstring calls it."""
    space = {"torch": minigrad, "np": numpy}
    names = {name, *(each for each, other in [*kinds.REGISTRY.items(), *kinds.METHODS.items()] if other is function)}
    for example in doctest.DocTestParser().get_examples(inspect.cleandoc(function.__doc__ or "")):
        for node in ast.walk(ast.parse(example.source)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in names:
                yield eval(ast.unparse(node), space)
        exec(example.source, space)


def annotation(value):
    if isinstance(value, Tensor):
        return "Tensor"
    if isinstance(value, tuple):
        return "tuple[Tensor, ...]" if all(isinstance(each, Tensor) for each in value) else "tuple[Any, ...]"
    return f"builtins.{type(value).__name__}" if isinstance(value, bool | int | float) else None


# ------------------------------------------------------------------------------ what a call takes


def parameters(function):
    """The parameters as Python writes them, without brackets."""
    if isinstance(function, dispatch.Op):
        differentiable = {formula.of for formula in function.formulas}
        text = dispatch.signature(function)
        words = kinds.split_commas(text[text.index("(") + 1:-1])
        return ", ".join(f"{word}: Tensor" if word in differentiable else word for word in words)
    try:
        signature = inspect.signature(function)
    except ValueError:
        return "*args: Any, **kwargs: Any"
    plain = [each.replace(default=each.default if is_plain(each.default) else ...) for each in signature.parameters.values()]
    return str(signature.replace(parameters=plain, return_annotation=inspect.Signature.empty))[1:-1].replace("Ellipsis", "...")


def is_plain(default):
    return default is None or default is inspect.Parameter.empty or isinstance(default, bool | int | float | str | tuple)


def as_method(text):
    """The same parameters with ``self`` in front, whatever the function calls its first one."""
    words = kinds.split_commas(text)
    if words and words[0].startswith("*"):
        return ", ".join(["self", *words])
    return ", ".join(["self", *words[1:]])


# ------------------------------------------------------------------------------ the files


def graph_stub():
    lines = [HEAD, "from minigrad.dtypes import Size, dtype", ""]
    for cls in (Tensor, graph.Node, graph.AccumulateGrad):
        base = "" if cls.__base__ is object else f"({cls.__base__.__name__})"
        lines += ["", f"class {cls.__name__}{base}:", f'    """{first_sentence(cls)}"""', ""]
        lines += members(cls)
        if cls is Tensor:
            lines += operators()
    lines += ["", "", "def wrap(array: Any, requires_grad: bool = ...) -> Tensor: ..."]
    return "\n".join(lines) + "\n"


def members(cls):
    for name, value in sorted(vars(cls).items()):
        if name.startswith("_"):
            continue
        if name in kinds.METHODS and cls is Tensor:
            yield written("    ", f"def {name}({as_method(parameters(kinds.METHODS[name]))}) -> {returned(name, kinds.METHODS[name])}", value)
        elif name in kinds.INPLACE and cls is Tensor:
            yield written("    ", f"def {name}({as_method(parameters(kinds.INPLACE[name]))}) -> Tensor", value)
        elif inspect.isroutine(value) and not inspect.isgetsetdescriptor(value):
            yield written("    ", f"def {name}({parameters(value)}) -> {METHODS.get(name, 'Tensor' if cls is Tensor else 'Any')}", value)
        elif inspect.isdatadescriptor(value):
            yield f"    {name}: {ATTRIBUTES.get(name, 'Any')}" + (f"  # {first_sentence(value)}" if first_sentence(value) else "")
        else:
            yield f"    {name}: {ATTRIBUTES.get(name, 'Any')}"


def operators():
    for name in OPERATORS["Tensor"]:
        yield f"    def __{name}__(self, other: Any) -> Tensor: ..."
        yield f"    def __r{name}__(self, other: Any) -> Tensor: ..."
    for name in OPERATORS["unary"]:
        yield f"    def __{name}__(self) -> Tensor: ..."
    for name in OPERATORS["compare"]:
        yield f"    def __{name}__(self, other: Any) -> Tensor: ...  # type: ignore[override]"
    yield "    def __getitem__(self, index: Any) -> Tensor: ..."
    yield "    def __setitem__(self, index: Any, value: Any) -> None: ..."
    yield "    def __len__(self) -> builtins.int: ..."
    yield "    def __bool__(self) -> builtins.bool: ..."
    yield "    def __float__(self) -> builtins.float: ..."
    yield "    def __int__(self) -> builtins.int: ..."


def namespace_stub(module, registry):
    """What a module offers whose names come from the table: operations written out, the rest imported by name."""
    imports, values, functions = [], [], []
    for name, value in sorted(vars(module).items()):
        if name.startswith("_"):
            continue
        if registry.get(name) is value or makes_tensors(value):
            functions.append("\n" + written("", f"def {name}({parameters(value)}) -> {returned(name, value)}", value))
        elif isinstance(value, types.ModuleType):
            if value.__name__ == f"minigrad.{name}":
                imports.append(f"from minigrad import {name} as {name}")
        elif isinstance(value, dtype):
            values.append(f"{name}: dtype")
        elif getattr(value, "__module__", "").startswith("minigrad") and hasattr(value, "__name__"):
            imports.append(f"from {value.__module__} import {value.__name__} as {name}")
        else:
            values.append(f"{name}: Any")
    if module is minigrad:
        imports.append("from minigrad.dtypes import dtype as dtype")
        values.append("__version__: str")
    elif not any(line.endswith("Tensor as Tensor") for line in imports):
        imports.append("from minigrad._core.graph import Tensor as Tensor")
    return "\n".join([HEAD, *sorted(set(imports)), "", *values, *functions]) + "\n"


def makes_tensors(value):
    """A function of a module that makes tensors: it has a source, but no annotation that says so."""
    return isinstance(inspect.unwrap(value), types.FunctionType) and value.__module__ in (
        "minigrad.creation", "minigrad.ranges", "minigrad.random", "minigrad.nn.functional"
    ) and value.__name__ not in NOT_TENSORS


def compiled_stub(module):
    """The functions and classes of a compiled module, as far as they can be seen from outside."""
    lines = [HEAD]
    for name, value in sorted(vars(module).items()):
        if name.startswith("_") or getattr(value, "__module__", None) != module.__name__:
            continue
        if isinstance(value, type):
            base = value.__base__
            if base.__module__ == "minigrad._core.graph":
                lines.append(f"from {base.__module__} import {base.__name__} as {base.__name__}")
            lines += ["", f"class {name}{'' if base is object else f'({base.__name__})'}:", f'    """{first_sentence(value)}"""', ""]
            lines += members(value)
        else:
            lines += ["", written("", f"def {name}({parameters(value)}) -> Any", value)]
    return "\n".join(lines) + "\n"


def stubs():
    """{path: text} of every stub."""
    return {
        **{ROOT / f"minigrad/_core/{module.__name__.rpartition('.')[2]}.pyi": compiled_stub(module) for module in COMPILED},
        ROOT / "minigrad/_core/graph.pyi": graph_stub(),
        ROOT / "minigrad/__init__.pyi": namespace_stub(minigrad, kinds.REGISTRY),
        ROOT / "minigrad/nn/functional.pyi": namespace_stub(nn.functional, kinds.NN_REGISTRY),
    }


def main(arguments):
    """Write the stubs; with ``--check`` only name those that are not up to date, and fail if there are any."""
    stale = 0
    for path, text in stubs().items():
        ast.parse(text)
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale += 1
        print(("not up to date: " if "--check" in arguments else "written: ") + str(path.relative_to(ROOT)))
        if "--check" not in arguments:
            path.write_text(text, encoding="utf-8")
    return stale if "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
