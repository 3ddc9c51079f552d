"""Kernels of the table as source text that needs NumPy alone.

A kernel of a row is a function of NumPy, or a short function in Python, which calls others.  :class:`Source` copies
such a function out of its file, with everything that it refers to::

    softmax_array  ->  shifted  ->  scratch             each a `def` of the program
                   ->  total                            compiled: numpy_words.py says in NumPy what it computes
                   ->  np.exp, np.divide                as they are

What a kernel was made with, as ``op`` in ``over_dim("softmax", softmax_array)``, is put in its place.  Refusals and
warnings are left out: the program computes with arguments that have been checked.
"""

import ast
import builtins
import functools
import keyword
import linecache
import math
import sys
import types

import numpy as np

from minigrad._core.dispatch.op import Op
from minigrad._core.errors import PACKAGE
from minigrad.viz import numpy_words

__all__ = ["Source", "Untranslatable", "literal"]


class Untranslatable(Exception):
    """Why something has no source text."""


# ------------------------------------------------------------------------------ constants

def literal(x):
    """``x`` as an expression."""
    kind = getattr(x, "numpy", None)
    if isinstance(kind, np.dtype):                      # a torch.dtype
        x = kind
    if isinstance(x, np.dtype):
        if x.kind == "V":
            raise Untranslatable(f"NumPy has no dtype {x.name}")
        return f'np.dtype("{x.name}")'
    if isinstance(x, (bool, type(None), str, bytes, type(Ellipsis))):
        return "..." if x is ... else repr(x)
    if isinstance(x, int):
        return repr(int(x))
    if isinstance(x, float):
        return repr(float(x)) if math.isfinite(x) else "np.nan" if x != x else "np.inf" if x > 0 else "-np.inf"
    if isinstance(x, complex):
        return f"complex({literal(x.real)}, {literal(x.imag)})"
    if isinstance(x, np.generic):
        return f"np.{x.dtype.name}({literal(x.item())})"
    if isinstance(x, slice):
        return f"slice({literal(x.start)}, {literal(x.stop)}, {literal(x.step)})"
    if isinstance(x, tuple):
        return "(" + ", ".join(map(literal, x)) + ("," * (len(x) == 1)) + ")"
    if isinstance(x, list):
        return "[" + ", ".join(map(literal, x)) + "]"
    if type(x) is dict:
        return "{" + ", ".join([f"{literal(k)}: {literal(v)}" for k, v in x.items()]) + "}"
    if isinstance(x, (set, frozenset)):
        return type(x).__name__ + "(" + literal(sorted(x, key=repr)) + ")"
    if isinstance(x, np.ndarray):
        return f'np.array({literal(x.tolist())}, "{x.dtype.name}")'
    raise Untranslatable(f"a {type(x).__name__} cannot be written down")


# ------------------------------------------------------------------------------ where a function is written

@functools.cache
def functions_in(file):
    """{first line: [nodes of functions that begin there]} of a file."""
    found = {}
    for node in ast.walk(ast.parse("".join(linecache.getlines(file)))):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            first = min([node.lineno, *[each.lineno for each in getattr(node, "decorator_list", [])]])
            found.setdefault(first, []).append(node)
    return found


def node_of(function):
    """The syntax tree of a function of Python; among several lambdas of a line the one that has its instructions."""
    code = function.__code__
    found = functions_in(code.co_filename).get(code.co_firstlineno, [])
    found = [node for node in found if getattr(node, "name", "<lambda>") == code.co_name]
    places = [(line, column) for line, _, column, _ in code.co_positions() if line and column]
    inside = [node for node in found
              if not isinstance(node, ast.Lambda) or all([(node.lineno, node.col_offset) <= place
                                                          <= (node.end_lineno, node.end_col_offset)
                                                          for place in places])]
    if not inside:
        raise Untranslatable(f"the source of {code.co_qualname} was not found")
    return min(inside, key=lambda node: (node.end_lineno - node.lineno, node.end_col_offset - node.col_offset))


@functools.cache
def read(node):
    """The text of a function, and the names that are its own."""
    own = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)}
    own |= {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}
    own |= {each.name for each in ast.walk(node) if isinstance(each, ast.FunctionDef) and each is not node}
    return ast.unparse(node), own


# ------------------------------------------------------------------------------ translating

STDLIB = ("math", "itertools", "functools", "operator", "sys", "types")


class Source:
    """The functions and constants that a program needs, in order; ``taken`` has the names that are not free.

    ``define(text)`` is called with each of them, dependencies first.
    """

    def __init__(self, taken, define):
        self.taken, self.define = taken, define
        self.texts = []
        self.imports = set()
        self.known = {}                 # id -> (name, the object, which keeps the id)

    def new_name(self, hint):
        hint = "".join([letter if letter.isalnum() else "_" for letter in hint]) or "function"
        if hint[0].isdigit() or keyword.iskeyword(hint):
            hint = "_" + hint
        name, n = hint, 1
        while name in self.taken:
            n += 1
            name = f"{hint}_{n}"
        self.taken.add(name)
        return name

    def name_of(self, thing, hint=""):
        """An expression for anything that a kernel refers to."""
        thing = numpy_words.replacement(thing)
        if isinstance(thing, numpy_words.Text):
            self.imports.update(thing.imports)
            return thing.text
        if hasattr(thing, "cache_info"):                    # functools.cache
            return self.name_of(thing.__wrapped__, hint or thing.__wrapped__.__name__)
        if isinstance(thing, type) and sys.modules[thing.__module__].__dict__.get("__file__", "").startswith(PACKAGE):
            return self.written_class(thing)
        if not isinstance(thing, (types.FunctionType, functools.partial)):
            found = self.public(thing)
            if found is not None:
                return found
        if isinstance(thing, types.FunctionType):
            if not thing.__code__.co_filename.startswith(PACKAGE):
                found = self.public(thing)
                if found is None:
                    raise Untranslatable(f"{thing.__qualname__} is not public")
                return found
            return self.function(thing, hint)
        if isinstance(thing, functools.partial):
            self.imports.add("import functools")
            parts = [self.name_of(thing.func), *[self.name_of(x) for x in thing.args],
                     *[f"{k}={self.name_of(v)}" for k, v in thing.keywords.items()]]
            return f"functools.partial({', '.join(parts)})"
        if type(thing) in (dict, list, tuple):
            text = self.container(thing)
        else:
            text = literal(thing)
        if len(text) <= 20:
            return text
        return self.constant(thing, text, hint)

    def container(self, thing):
        """A dict, a list or a tuple of anything."""
        if type(thing) is dict:
            return "{" + ", ".join([f"{self.name_of(k)}: {self.name_of(v)}" for k, v in thing.items()]) + "}"
        inside = ", ".join(map(self.name_of, thing))
        return f"[{inside}]" if type(thing) is list else f"({inside}{',' * (len(thing) == 1)})"

    def written_class(self, thing):
        """The name of a class of the program."""
        if id(thing) not in self.known:
            file = sys.modules[thing.__module__].__file__
            node = next((node for node in ast.parse("".join(linecache.getlines(file))).body
                         if isinstance(node, ast.ClassDef) and node.name == thing.__name__), None)
            if node is None:
                raise Untranslatable(f"the source of {thing.__name__} was not found")
            name = self.new_name(thing.__name__)
            self.known[id(thing)] = name, thing
            node.name = name
            if "NamedTuple" in ast.unparse(node):
                self.imports.add("from typing import NamedTuple")
            self.add(ast.unparse(node))
        return self.known[id(thing)][0]

    def public(self, thing):
        """The path of something in NumPy or the standard library, or a builtin; None if it is neither."""
        if isinstance(thing, types.ModuleType):
            if thing is np:
                return "np"
            if thing.__name__ in STDLIB:
                self.imports.add(f"import {thing.__name__}")
                return thing.__name__
            if thing.__name__.startswith("numpy."):
                return "np" + thing.__name__.removeprefix("numpy")
            raise Untranslatable(f"it uses the module {thing.__name__}")
        name = getattr(thing, "__name__", "")
        for place, module in (("np.", np), ("np.linalg.", np.linalg), ("np.fft.", np.fft)):
            if name and getattr(module, name, None) is thing:
                return place + name
        if name and getattr(builtins, name, None) is thing:
            return name
        home = getattr(thing, "__module__", None) or ""
        home = home.removeprefix("_")
        if home in STDLIB and name:
            self.imports.add(f"import {home}")
            return f"{home}.{name}"
        if isinstance(thing, np.ufunc):
            raise Untranslatable(f"NumPy has no {thing.__name__}")
        if callable(thing) and not isinstance(thing, np.dtype):
            raise Untranslatable(f"{getattr(thing, '__qualname__', type(thing).__name__)} is compiled, or a class")
        return None

    def constant(self, thing, text, hint):
        if id(thing) not in self.known:
            name = self.new_name(hint or "constant")
            self.known[id(thing)] = name, thing
            self.add(f"{name} = {text}")
        return self.known[id(thing)][0]

    def function(self, function, hint=""):
        """The name of a `def` of the program."""
        if id(function) in self.known:
            return self.known[id(function)][0]
        plain = function.__name__ if function.__name__ not in ("<lambda>", "kernel", "function") else hint
        name = self.new_name(plain or hint or "function")
        self.known[id(function)] = name, function
        try:
            node = Translator(self, function).translated()
            node.name = name
            self.add(ast.unparse(ast.fix_missing_locations(node)))
        except Untranslatable:
            del self.known[id(function)]
            raise
        return name

    def add(self, text):
        self.define(text)
        self.texts.append(text)


MISSING = object()


class Translator(ast.NodeTransformer):
    """The syntax tree of one function, in which every name that is not its own has become one of the program."""

    def __init__(self, source, function):
        self.source, self.given = source, function
        self.outside = dict(zip(function.__code__.co_freevars, [cell.cell_contents for cell in function.__closure__
                                                                or ()]))
        self.text, self.own = read(node_of(function))

    def translated(self):
        node = ast.parse(self.text).body[0]
        if isinstance(node, ast.Expr):
            node = ast.FunctionDef("kernel", node.value.args, [ast.Return(node.value.body)], [], type_params=[])
        node.decorator_list, node.returns = [], None
        defaults, more = self.given.__defaults__ or (), self.given.__kwdefaults__ or {}
        node.args.defaults, node.args.kw_defaults = [], []
        node = self.generic_visit(node)
        node.args.defaults = [self.expression(self.source.name_of(x)) for x in defaults]
        node.args.kw_defaults = [self.expression(self.source.name_of(more[each.arg])) if each.arg in more else None
                                 for each in node.args.kwonlyargs]
        if not node.body:
            node.body = [ast.Pass()]
        return node

    def expression(self, text):
        return ast.parse(text, mode="eval").body

    def resolved(self, node):
        """What a name, or an attribute of a module, refers to."""
        if isinstance(node, ast.Name):
            if node.id in self.outside:
                return self.outside[node.id]
            if node.id in self.own:
                return MISSING
            return self.given.__globals__.get(node.id, MISSING)
        if isinstance(node, ast.Attribute):
            base = self.resolved(node.value)
            if isinstance(base, Op) or isinstance(base, types.ModuleType) and base.__name__.startswith("minigrad"):
                return getattr(base, node.attr, MISSING)
        return MISSING

    def visit_Name(self, node):
        thing = self.resolved(node)
        return node if thing is MISSING else self.expression(self.source.name_of(thing, node.id))

    def visit_Attribute(self, node):
        thing = self.resolved(node)
        if thing is not MISSING:
            return self.expression(self.source.name_of(thing, node.attr))
        if node.attr == "numpy":                        # of a torch.dtype, which is NumPy's here
            return self.visit(node.value)
        return self.generic_visit(node)

    # What refuses or warns is left out.

    def visit_Raise(self, node):
        return None

    def visit_If(self, node):
        if only_refuses(node.body):
            return [y for x in node.orelse for y in as_list(self.visit(x))]
        node = self.generic_visit(node)
        if not node.body and not node.orelse:
            return None
        node.body = node.body or [ast.Pass()]
        return node

    def visit_Try(self, node):
        if all([only_refuses(each.body) for each in node.handlers]):
            return [y for x in [*node.body, *node.orelse, *node.finalbody] for y in as_list(self.visit(x))]
        return self.generic_visit(node)

    def visit_For(self, node):
        node = self.generic_visit(node)
        return node if node.body else None

    def visit_Expr(self, node):
        if isinstance(node.value, ast.Call):
            thing = self.resolved(node.value.func)
            if getattr(thing, "__name__", "") in ("warn",) or only_checks(thing):
                return None
        return self.generic_visit(node)

    def visit_ImportFrom(self, node):
        module = __import__(node.module, fromlist=["*"], level=0)
        for each in node.names:
            self.outside[each.asname or each.name] = getattr(module, each.name)
        return None


def as_list(x):
    return [] if x is None else x if isinstance(x, list) else [x]


def only_refuses(statements):
    return bool(statements) and isinstance(statements[-1], ast.Raise)


def only_checks(function):
    """Is this a function whose statements only refuse or warn?"""
    if not isinstance(function, types.FunctionType) or not function.__code__.co_filename.startswith(PACKAGE):
        return False
    try:
        node = node_of(function)
    except Untranslatable:
        return False
    return isinstance(node, ast.FunctionDef) and all([checks(x, function) for x in node.body])


def checks(statement, function):
    if isinstance(statement, ast.Raise):
        return True
    if isinstance(statement, ast.If):
        return all([checks(x, function) for x in [*statement.body, *statement.orelse]])
    if isinstance(statement, ast.For):
        return all([checks(x, function) for x in statement.body])
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return True
    if isinstance(statement, ast.Assign):
        return isinstance(statement.targets[0], ast.Name)
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        called = statement.value.func
        thing = function.__globals__.get(called.id) if isinstance(called, ast.Name) else None
        return getattr(thing, "__name__", "") == "warn" or thing is not function and only_checks(thing)
    return False
