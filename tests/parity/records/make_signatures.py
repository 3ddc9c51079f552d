"""Write signatures.json: the parameters of everything public that PyTorch has, for machines without PyTorch.

Run ``python tests/parity/records/make_signatures.py`` where torch 2.13 is installed.  Each name, ``torch.diff`` or
``torch.Tensor.diff``, has its overloads; an overload is the names of its parameters in order, ``input, n=, *, out=``:
``=`` marks what has a default, ``*sizes`` takes any number, and what follows ``*`` is given by keyword only.

Three places know: Python functions know themselves; the stubs that come with torch have every overload of what is
compiled; and the first line of a docstring is what is left for the rest.
"""

import ast
import importlib
import inspect
import json
import re
from pathlib import Path

FILE = Path(__file__).with_name("signatures.json")

#: Where functions and classes are looked for.
MODULES = ("torch", "torch.Tensor", "torch.nn.functional", "torch.linalg", "torch.special", "torch.fft", "torch.random",
           "torch.func",
           "torch.autograd", "torch.autograd.function", "torch.autograd.functional", "torch.autograd.forward_ad",
           "torch.autograd.gradcheck",
           "torch.autograd.graph", "torch.autograd.grad_mode", "torch.autograd.profiler", "torch.autograd.anomaly_mode",
           "torch.autograd.variable", "torch.testing", "torch.utils.checkpoint", "torch.nn.utils", "torch.profiler")

#: Which stub has the overloads of which module, and in which class they are there.
STUBS = {"torch": ("_C/_VariableFunctions.pyi", None), "torch.Tensor": ("_C/__init__.pyi", "TensorBase"),
         "torch.nn.functional": ("_C/_nn.pyi", None)}


def shown(parameters):
    """``input, n=, *, out=`` of (name, kind, has it a default) for each."""
    parts, by_keyword = [], False
    for name, kind, default in parameters:
        if kind is inspect.Parameter.VAR_POSITIONAL:
            parts.append(f"*{name}")
            by_keyword = True
            continue
        if kind is inspect.Parameter.KEYWORD_ONLY and not by_keyword:
            parts.append("*")
            by_keyword = True
        parts.append(f"**{name}" if kind is inspect.Parameter.VAR_KEYWORD else name + "=" * default)
    return ", ".join(parts)


def of_python(function):
    """The one signature of a Python function; without ``self`` for a method, which is found on its class."""
    function = inspect.unwrap(function)
    return shown([(p.name, p.kind, p.default is not p.empty) for p in inspect.signature(function).parameters.values()])


def of_stub(node):
    """The signature of a ``def`` in a stub."""
    a, kinds = node.args, inspect.Parameter
    positional = a.posonlyargs + a.args
    first = len(positional) - len(a.defaults)
    parameters = [(p.arg, kinds.POSITIONAL_OR_KEYWORD, i >= first) for i, p in enumerate(positional)]
    parameters += [(a.vararg.arg, kinds.VAR_POSITIONAL, False)] if a.vararg else []
    parameters += [(p.arg, kinds.KEYWORD_ONLY, default is not None) for p, default in zip(a.kwonlyargs, a.kw_defaults)]
    parameters += [(a.kwarg.arg, kinds.VAR_KEYWORD, False)] if a.kwarg else []
    return shown(parameters)


def of_docstring(doc, name):
    """The signature in the first line of a docstring, ``cholesky(A, *, upper=False, out=None) -> Tensor``; None where
    there is none."""
    found = re.match(r"\s*(?:[\w.]+\.)?" + re.escape(name) + r"\((.*?)\)(?:\s*->.*)?\n", (doc or "") + "\n")
    try:
        return of_stub(ast.parse(f"def f({found.group(1)}): ...").body[0]) if found else None
    except SyntaxError:
        return None


def stubs(torch, path, inside):
    """name -> the signatures of its overloads, from one stub."""
    body = ast.parse((Path(torch.__file__).parent / path).read_text()).body
    if inside is not None:
        body = next(node for node in body if isinstance(node, ast.ClassDef) and node.name == inside).body
    answers = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            answers.setdefault(node.name, []).append(of_stub(node))
    return answers


def overloads(module, name, value, known):
    """All signatures of one public name."""
    if inspect.isclass(value):
        return [of_python(value)]
    if inspect.isfunction(inspect.unwrap(value)) and of_python(value) != "*args, **kwargs":
        return [of_python(value)]
    found = known.get(name) or [of_docstring(value.__doc__, name)]
    return [each for each in found if each is not None]


def ask(torch):
    """The table, asked of ``torch``."""
    answers = {}
    for module in MODULES:
        home = torch.Tensor if module == "torch.Tensor" else importlib.import_module(module)
        known = stubs(torch, *STUBS[module]) if module in STUBS else {}
        for name in sorted(dir(home)):
            value = getattr(home, name)
            if name.startswith("_") or not callable(value) or inspect.ismodule(value):
                continue
            if not (getattr(value, "__module__", None) or "torch").startswith("torch"):
                continue                                # what was only imported there
            try:
                found = overloads(module, name, value, known)
            except (TypeError, ValueError):
                continue
            if found:
                answers[f"{module}.{name}"] = list(dict.fromkeys(found))
    return answers


if __name__ == "__main__":
    import torch

    table = ask(torch)
    lines = [f" {json.dumps(name)}: {json.dumps(found)}" for name, found in table.items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
