"""Writes the stubs by which an editor completes and explains what it cannot read for itself.

    make stubs          (and make build, where the library has changed)

The compiled classes, and the operations (which are published from the table when minigrad is imported),
have no Python source that an editor could look at.  Everything here comes from the live objects; what an
operation returns is learnt by running the example in its docstring.  Of the files, only the data model's stub is in
the repository, to be read there; a test compares all with what this program would write.
"""

import ast
import doctest
import importlib
import inspect
import sys
import types
import warnings
from pathlib import Path

import minigrad
import numpy
import stub_types
from minigrad._core.dispatch import composites, op, overloads
from minigrad._core.graph import graph
from minigrad.dtypes import dtype
from minigrad.dtypes.sizes_and_devices import layout, memory_format
from minigrad.ops import exports, schema

ROOT = Path(__file__).resolve().parent.parent
Tensor = minigrad.Tensor
OFFERED = {*dir(minigrad)}
minigrad.vmap, minigrad.viz, minigrad.utils             # what is loaded when it is asked for, is asked for

HEAD = '''"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

''' + stub_types.IMPORTS

#: What is said of a parameter without a type.
NO_TYPE = """\
{function}() has a parameter {name!r}, and no stub can be written: nothing says its type.
In a composite, write the types of all parameters as a schema has them, in their order: @composite(types="Tensor Dim").
In any other function, write '{function}.{name}' behind its type in tools/stub_types.py."""

#: Functions of the modules that make tensors which return something else.
NOT_TENSORS = {"manual_seed", "seed", "initial_seed", "set_rng_state", "in_place"}

#: Every compiled module but that of the data model, which has a stub written with more care.
COMPILED = [
    importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    for path in sorted((ROOT / "minigrad" / "_core").rglob("*.pyx"))
    if path.stem != "graph"
]

#: Special methods of Tensor that are not operators.
SPECIAL = """\
    def __new__(cls, *args: Any, **kwargs: Any) -> Self: ...
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getitem__(self, index: Index) -> Tensor: ...
    def __setitem__(self, index: Index, value: TensorLike) -> None: ...
    def __iter__(self) -> Iterator[Tensor]: ...
    def __contains__(self, element: Operand) -> _bool: ...
    def __len__(self) -> _int: ...
    def __bool__(self) -> _bool: ...
    def __int__(self) -> _int: ...
    def __float__(self) -> _float: ...
    def __complex__(self) -> complex: ...
    def __index__(self) -> _int: ...
    def __hash__(self) -> _int: ...
    def __array__(self, dtype: Any = None, copy: _bool | None = None) -> np.ndarray[Any, Any]: ..."""

OPERATORS = {
    "Tensor":
        ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift"],
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
    """The type of the result: as stub_types.py says, as the row says, or as the examples in the docstring show."""
    if name in stub_types.RETURNS:
        return stub_types.RETURNS[name]
    if name.endswith("_"):
        return "Tensor"
    row = row_of(function)
    if row is not None:
        if row.outputs:
            return stub_types.NAMED[row.outputs]
        return "tuple[Tensor, ...]" if row.list_output else "Tensor"
    if not isinstance(function, composites.Composite):
        return "Tensor"
    found = {annotation(value) for value in results_of_examples(name, function)} - {None}
    return " | ".join(sorted(found)) or "Any"


def results_of_examples(name, function):
    """What the operation answers wherever an example in its docstring calls it."""
    space = {"torch": minigrad, "np": numpy}
    known = [*exports.REGISTRY.items(), *exports.METHODS.items()]
    names = {name, *(each for each, other in known if other is function)}
    results = []
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".* is deprecated", UserWarning)      # as its docstring says
        for example in doctest.DocTestParser().get_examples(inspect.cleandoc(function.__doc__ or "")):
            for node in ast.walk(ast.parse(example.source)):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in names:
                    results.append(eval(ast.unparse(node), space))
            exec(example.source, space)
    return results


def annotation(value):
    if isinstance(value, Tensor):
        return "Tensor"
    if getattr(value, "_fields", None) in stub_types.NAMED:
        return stub_types.NAMED[value._fields]
    if isinstance(value, tuple):
        return "tuple[Tensor, ...]" if all(isinstance(each, Tensor) for each in value) else "tuple[Any, ...]"
    return f"_{type(value).__name__}" if isinstance(value, bool | int | float) else None


# ------------------------------------------------------------------------------ what a call takes


def parameters(name, function, in_one=False):
    """The parameters as Python writes them, with their types, in a list; with ``in_one`` sizes are one tuple."""
    try:
        signature = inspect.signature(function)
    except ValueError:
        return ["*args: Any", "**kwargs: Any"]
    words = []
    types = types_of(name, function)
    for each in signature.parameters.values():
        if in_one and each.kind is each.VAR_POSITIONAL:
            each = each.replace(kind=each.POSITIONAL_OR_KEYWORD)
        if each.kind is each.KEYWORD_ONLY and not any(word.startswith("*") for word in words):
            words.append("*")
        words.append(typed(name, each, types))
    if getattr(function, "takes_out", False) and "out" not in signature.parameters and not name.endswith("_"):
        words += [*([] if any(word.startswith("*") for word in words) else ["*"]),
                  "out: Tensor | tuple[Tensor, ...] | None = None"]
    return words


def typed(function, parameter, types):
    """One parameter with its type and default: as ``types`` has it, or as its name says."""
    name = parameter.name
    if name == "self":
        return "self" if parameter.default is parameter.empty else "self=..."
    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        stars = "*" if parameter.kind is parameter.VAR_POSITIONAL else "**"
        return f"{stars}{name}: {'_int' if name in types else stub_types.SPREAD.get(name, 'Any')}"
    kind = types.get(name) or type_of(function, name)
    if kind is None:
        raise SystemExit(NO_TYPE.format(function=function, name=name))
    if parameter.default is parameter.empty:
        return f"{name}: {kind}"
    if parameter.default is None and "None" not in kind and kind != "Any":
        kind += " | None"
    return f"{name}: {kind} = {parameter.default!r}" if is_plain(parameter.default) else f"{name}: {kind} = ..."


def row_of(function):
    """The row that is published as this function, if it is one."""
    return function if isinstance(function, op.Op) else getattr(function, "row", None)


def types_of(name, function):
    """{parameter: its type, as Python writes it} where a schema says it, or a composite in the words of schemas."""
    row = row_of(function)
    if row is not None:
        shown = inspect.signature(row).parameters       # "from" is from_ there
        return {name: in_schema(type_, row, param) for name, param, type_ in zip(shown, row.params, row.types)}
    if name.endswith("_"):
        function = exports.REGISTRY.get(name[:-1], function)      # whose in-place form this is
    types = getattr(function, "types", {}) if isinstance(function, composites.Composite) else {}
    return {param: in_schema(type_) for param, type_ in types.items()}


def in_schema(written, row=None, name=None):
    """A type of a schema, as Python writes it; of the parameter ``name`` of a row, what else may be given."""
    type_ = schema.taken_apart(written)
    kind = stub_types.SCHEMA[type_.base]
    if row is not None:
        operands = [param for param, of in zip(row.params, row.types) if of == "Tensor"]
        if row.promote is not None and len(operands) == 2 and name == operands[1]:
            kind = "Operand"                            # the second of two may be a number
        elif type_.base == "Scalar" and "c" in row.refuse:
            kind = "Number"
    if type_.alone:
        kind = "Sizes" if type_.base == "Sizes" else "Dims"
    elif type_.many:
        kind = "Tensors" if type_.is_tensor and not type_.gaps else f"Sequence[{kind}{' | None' * type_.gaps}]"
    return f"{kind} | None" if type_.optional else kind


def type_of(function, name):
    """The type that a parameter has by its name: in this function, in the one that this is the in-place form of, or
    everywhere."""
    for each in (f"{function}.{name}", f"{function.removesuffix('_')}.{name}", name):
        if each in stub_types.PARAMETERS:
            return stub_types.PARAMETERS[each]
    return None


def is_plain(default):
    return default is None or isinstance(default, bool | int | float | str | tuple)


def definitions(indent, name, function, value, method):
    """The function, or each of its overloads, as text; as a method it has ``self`` in place of its first parameter."""
    if name in stub_types.OVERLOADS:
        first = "self" if method else "condition: Tensor" if name == "where" else "input: Tensor"
        for after, result in stub_types.OVERLOADS[name]:
            yield f"{indent}@overload"
            yield written(indent, f"def {name}({', '.join([first, after] if after else [first])}) -> {result}", value)
        return
    rows = function.rows if isinstance(function, overloads.Overloads) else [function]
    ways = [(row, in_one) for row in rows for in_one in ([True, False] if is_spread(row) else [False])]
    for row, in_one in ways:
        if len(ways) > 1:
            yield f"{indent}@overload"
        yield definition(indent, name, row, value, method, in_one)


def is_spread(function):
    """Can its sizes be given one by one?  The stub has an overload for each way."""
    return isinstance(function, op.Op) and any(each.kind is each.VAR_POSITIONAL
                                               for each in inspect.signature(function).parameters.values())


def definition(indent, name, function, value, method, in_one=False):
    words = parameters(name, function, in_one)
    if method and not words[:1] == ["self"]:
        words = ["self", *words] if words[:1] and words[0].startswith("*") else ["self", *words[1:]]
    elif not method and words[:1] == ["self"]:
        words[0] = f"self: {type_of(name.removesuffix('_'), 'self') or 'Tensor'}"
    return written(indent, f"def {name}({', '.join(words)}) -> {returned(name, function)}", value)


# ------------------------------------------------------------------------------ the files


def graph_stub():
    lines = [HEAD, "from minigrad.autograd.graph import RemovableHandle", "from minigrad.dtypes import Size",
             "from minigrad.storage import UntypedStorage", "from minigrad.types import _device", ""]
    for fields, name in stub_types.NAMED.items():
        lines += ["", f"class {name}(NamedTuple):", *[f"    {field}: Tensor" for field in fields]]
    for cls in (Tensor, graph.Node, graph.AccumulateGrad):
        base = f"({cls.__base__.__name__})" if cls is graph.AccumulateGrad else ""
        lines += ["", f"class {cls.__name__}{base}:", f'    """{first_sentence(cls)}"""', ""]
        lines += members(cls)
        if cls is Tensor:
            lines += operators()
        if cls is graph.Node:       # what a node saved, under names of its own
            lines += ["    def __call__(self, *gradients: Tensor | None) -> Any: ...",
                      "    def __getattr__(self, name: str) -> Any: ..."]
    lines += ["", "", "def wrap(array: Any, requires_grad: _bool = ...) -> Tensor: ..."]
    return "\n".join(lines) + "\n"


def members(cls):
    in_table = {**exports.INPLACE, **exports.METHODS} if cls is Tensor else {}
    for name, value in sorted(vars(cls).items()):
        if name.startswith("_") and name not in stub_types.ATTRIBUTES:
            continue
        if not inspect.isdatadescriptor(value) and (name in in_table or inspect.isroutine(value)):
            yield from definitions("    ", name, in_table.get(name, value), value, method=True)
        else:
            yield from attribute(name, value)


def attribute(name, value):
    """Anything that is not a method."""
    kind = stub_types.ATTRIBUTES.get(name, "Any")
    if isinstance(kind, tuple):
        yield "    @property"
        yield written("    ", f"def {name}(self) -> {kind[0]}", value)
        yield f"    @{name}.setter\n    def {name}(self, value: {kind[1]}) -> None: ..."
        yield f"    @{name}.deleter\n    def {name}(self) -> None: ..."
        return
    sentence = first_sentence(value) if inspect.isdatadescriptor(value) else ""
    yield f"    {name}: {kind}" + (f"  # {sentence}" if sentence else "")


def operators():
    for name in OPERATORS["Tensor"]:
        yield f"    def __{name}__(self, other: Operand) -> Tensor: ..."
        yield f"    def __r{name}__(self, other: Operand) -> Tensor: ..."
        yield f"    def __i{name}__(self, other: Operand) -> Self: ..."
    for name in OPERATORS["unary"]:
        yield f"    def __{name}__(self) -> Tensor: ..."
    for name in OPERATORS["compare"]:
        ignore = "  # type: ignore[override]" if name in ("eq", "ne") else ""
        yield f"    def __{name}__(self, other: Operand) -> Tensor: ...{ignore}"
    yield from SPECIAL.splitlines()


def namespace_stub(module, registry):
    """What a module offers whose names come from the table: operations written out, the rest imported by name."""
    imports, values, functions = [], [], []
    for name in sorted(dir(module)):            # what is loaded when it is first used, too
        if name.startswith("_") and name != "__version__":
            continue
        value = getattr(module, name)
        at_home = isinstance(value, composites.Composite) and value.__module__ == module.__name__
        if is_operation(name, value, registry) or at_home:
            row = exports.INPLACE.get(name) if name in exports.INPLACE_FUNCTIONS else None
            functions += ["", *definitions("", name, row or value, value, method=False)]
        elif isinstance(value, types.ModuleType):
            if value.__name__ == f"minigrad.{name}" and name in OFFERED:
                imports.append(f"from minigrad import {name} as {name}")
        elif value is None or type(value) is float:
            values.append(f"{name}: {value if value is None else '_float'}")
        elif isinstance(value, dtype):
            values.append(f"{name}: _dtype")
        elif home(value) == module.__name__:
            values.append(f"{name}: Any")
        elif home(value).startswith("minigrad") and hasattr(value, "__name__"):
            its_own = value.__name__
            imports.append(f"from {home(value)} import {its_own} as {name if its_own == name else '_' + name}")
            if its_own != name:         # a name that is imported under another one is not exported
                values.append(f"{name} = _{name}")
        else:
            values.append(f"{name}: {type_of_value(value)}")
    if module is minigrad:
        imports.append("from minigrad.dtypes import dtype as dtype")
    if not any(line.endswith("Tensor as Tensor") for line in imports):
        imports.append("from minigrad._core.graph.graph import Tensor as Tensor")
    imports.append(f"from minigrad._core.graph.graph import {', '.join(stub_types.NAMED.values())}")
    return "\n".join([HEAD, *sorted(set(imports)), "", *values, *functions]) + "\n"


def home(value):
    """The module whose stub has it: that of Tensor is not the one after which users know it."""
    return "minigrad._core.graph.graph" if value is Tensor else getattr(value, "__module__", "")


def is_operation(name, value, registry):
    return name in registry and registry[name] is value or name in exports.INPLACE_FUNCTIONS or makes_tensors(value)


def type_of_value(value):
    if isinstance(value, str):
        return "str"
    return f"_{type(value).__name__}" if type(value) in (bool, int, float, layout, memory_format) else "Any"


def makes_tensors(value):
    """A function of a module that makes tensors: it has a source, but no annotation that says so."""
    return isinstance(inspect.unwrap(value), types.FunctionType) and value.__module__ in (
        "minigrad.creation", "minigrad.creation.ranges", "minigrad.creation.windows", "minigrad.creation.frequencies",
        "minigrad.random", "minigrad.nn.functional"
    ) and value.__name__ not in NOT_TENSORS


def compiled_stub(module):
    """The functions and classes of a compiled module, as far as they can be seen from outside, for readers, so without
    types; no text where there are none."""
    lines = []
    for name, value in sorted(vars(module).items()):
        if name.startswith("_") or getattr(value, "__module__", None) != module.__name__:
            continue
        if isinstance(value, type):
            base = value.__base__
            if home(base) == "minigrad._core.graph.graph":
                lines.append(f"from {home(base)} import {base.__name__} as {base.__name__}")
            lines += ["", f"class {name}{'' if base is object else f'({base.__name__})'}:",
                      f'    """{first_sentence(value)}"""', ""]
            if "__call__" in vars(value):
                lines.append("    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...")
            for member, what in sorted(vars(value).items()):
                if member.startswith("_"):
                    continue
                if isinstance(what, classmethod | staticmethod):
                    lines.append(f"    @{type(what).__name__}")
                    what = what.__func__
                if inspect.isroutine(what) and not inspect.isgetsetdescriptor(what):
                    lines.append(written("    ", f"def {member}({untyped(what)}) -> Any", what))
                else:
                    lines += attribute(member, what)
        else:
            lines += ["", written("", f"def {name}({untyped(value)}) -> Any", value)]
    return "\n".join([HEAD, *lines]) + "\n" if lines else ""


def untyped(function):
    """The parameters of a function that only the library calls: ``...`` for a default that is not a literal."""
    try:
        signature = inspect.signature(function)
    except ValueError:
        return "*args: Any, **kwargs: Any"
    words = []
    for each in signature.parameters.values():
        default = "" if each.default is each.empty else f" = {each.default!r}" if is_plain(each.default) else " = ..."
        kind = "" if each.name in ("self", "cls") else ": Any"
        words.append({each.VAR_POSITIONAL: "*", each.VAR_KEYWORD: "**"}.get(each.kind, "") + each.name + kind + default)
    return ", ".join(words)


def stubs():
    """{path: text} of every stub."""
    return {
        **{ROOT / f"{module.__name__.replace('.', '/')}.pyi": text for module in COMPILED
           if (text := compiled_stub(module))},
        ROOT / "minigrad/_core/graph/graph.pyi": graph_stub(),
        **{stub_of(sys.modules[name]): namespace_stub(sys.modules[name], functions)
           for name, functions in exports.EXPORTS.items()},
    }


def stub_of(module):
    return ROOT / Path(module.__file__).relative_to(Path(minigrad.__file__).parent.parent).with_suffix(".pyi")


def main(arguments):
    """Write the stubs; with ``--check`` only name those that are not up to date, and fail if there are any."""
    stale, wanted = 0, stubs()
    for path in sorted({*(ROOT / "minigrad" / "_core").rglob("*.pyi")} - {*wanted}):
        stale += 1
        print(("not wanted: " if "--check" in arguments else "removed: ") + str(path.relative_to(ROOT)))
        if "--check" not in arguments:
            path.unlink()
    for path, text in wanted.items():
        ast.parse(text)
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale += 1
        print(("not up to date: " if "--check" in arguments else "written: ") + str(path.relative_to(ROOT)))
        if "--check" not in arguments:
            path.write_text(text, encoding="utf-8")
    if stale and "--check" in arguments:
        print("The stubs are older than the library: write them with `make stubs`.")
    return stale if "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
