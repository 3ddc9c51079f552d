"""What the cells of the tutorials, and examples of the reference, teach: which entries they name, whether they use
them, and whether they show them.

``tutorials/entries.toml`` lists the entries.  A cell that teaches some says so in a line of its own::

    # teaches: FunctionCtx.mark_dirty, Tensor.detach_

and three things must then be true: the list has the names, the code of the cell uses them, and the cell shows
something: it prints, asserts, draws, or ends in an expression.  A cell that only defines a function or a class is shown
by the next one that uses it.  All this is read from the syntax tree; nothing runs.

An example of ``docs/reference`` counts as a cell, if a comment before it says ``.. teaches: torch.half``.  What a
reader looks up, and need not read on the way through the course, has its place there.  The tests run these examples.

The one idea: a name in a program stands for an object, so ``fwAD.dual_level`` is resolved through the imports of the
script, and compared with the object that the list means.  The method of a tensor can be told by its name alone, since
nobody knows the class of an expression before it runs.
"""

import ast
import doctest
import fnmatch
import functools
import hashlib
import importlib
import inspect
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import minigrad

TUTORIALS = Path(__file__).parents[2] / "tutorials"
LINE = re.compile(r"^[ \t]*# teaches:[ \t]*(.*?)[ \t]*$\n?", re.MULTILINE)
#: ``.. teaches: torch.half``, and the examples after it, up to the next line of text.
EXAMPLE = re.compile(r"^\.\. teaches: (?P<names>.+)\n\n(?P<examples>(?:>>> .*\n(?:.+\n)*\n?)+)", re.MULTILINE)
#: What a picture shows, for those who do not see it: ``# alt: A line that falls``, in lines as many as it takes.
ALT = re.compile(r"^[ \t]*# alt:[ \t]+(.*(?:\n[ \t]*#  +\S.*)*)\n?", re.MULTILINE)
HEADING = re.compile(r"^(\S.*)\n([-=~^])\2+$", re.MULTILINE)
YOURS = "<yours>"

#: A cell that ends in one of these shows nothing: they return None, or nothing worth looking at.
SILENT = {"append", "backward", "close", "extend", "remove", "seed", "manual_seed", "step", "update", "zero_grad"}


# ------------------------------------------------------------------------------ the list


@dataclass(frozen=True)
class Entry:
    name: str
    promise: str
    section: str
    printed: bool = False

    @property
    def shown(self):
        """The name, with its module or class alone before it where that says enough."""
        parts = self.name.split(".")
        return ".".join(parts[1:] if "cuda" in parts else parts[-2:])


@functools.cache
def listed(path=TUTORIALS / "entries.toml"):
    """The entries by name, in the order of the list."""
    sections = tomllib.loads(path.read_text(encoding="utf-8"))["sections"]
    return {name: Entry(name, promise, section["title"], kind == "printed")
            for section in sections for kind in ("entries", "printed")
            for name, promise in section.get(kind, {}).items()}


def waiting(path=TUTORIALS / "entries.toml"):
    """The entries that no tutorial teaches yet."""
    return set(tomllib.loads(path.read_text(encoding="utf-8"))["waiting"])


def meant(written, entries):
    """The entry that a cell names; ValueError if there is none, or more than one."""
    found = [e for e in entries if e == written] or [e for e in entries if e.endswith("." + written)]
    if len(found) != 1:
        raise ValueError(f"{written} is not in tutorials/entries.toml" if not found else
                         f"{written} may be {' or '.join(found)}: write more of it")
    return entries[found[0]]


@functools.cache
def owner_and_object(name):
    """What holds the entry, and what it is (None where only instances have it): found from minigrad, as torch."""
    owner, found = None, minigrad
    for part in name.split(".")[1:]:
        owner, before = found, found
        found = getattr(before, part, None)
        if found is None and inspect.ismodule(before):
            found = importlib.import_module(f"{before.__name__}.{part}")
    return owner, found


# ------------------------------------------------------------------------------ the cells


def without_claims(code):
    """The code of a cell without the lines that say what it teaches and what its picture shows."""
    return ALT.sub("", LINE.sub("", code))


@dataclass
class Cell:
    number: int                 # among the cells of code, from 1
    line: int                   # of the script, as sphinx-gallery counts
    code: str                   # without the lines that say what it teaches and what its picture shows
    section: str                # the heading above it
    written: list               # the names in those lines
    key: str                    # of this code and of all before it: what it prints depends on both
    alt: str = ""               # what its picture shows

    @property
    def anchor(self):
        return f"cell-{self.number}"

    @functools.cached_property
    def tree(self):
        return ast.parse(self.code)


class Page:
    """A tutorial: its cells, and what its names stand for, which is found out when it is asked for."""

    def __init__(self, path):
        self.path = Path(path)
        self.name = self.path.with_suffix("").as_posix().removeprefix(TUTORIALS.as_posix() + "/")
        self.cells, section, before = [], "", hashlib.sha256()
        blocks = self.blocks()
        headings = HEADING.findall(blocks[0][1])
        self.title = headings[0][0] if headings else self.path.stem
        for kind, text, line in blocks:
            if kind == "text":
                section = ([heading for heading, _ in HEADING.findall(text)] or [section])[-1]
                continue
            code = without_claims(text)
            alt = " ".join(re.sub(r"\n[ \t]*# +", " ", shown) for shown in ALT.findall(text))
            written = [name.strip() for names in LINE.findall(text) for name in names.split(",")]
            before.update(code.strip().encode())
            self.cells.append(Cell(len(self.cells) + 1, line, code, section, written, before.hexdigest()[:16],
                                   alt))

    @functools.cached_property
    def nodes(self):
        return [node for cell in self.cells for node in ast.walk(cell.tree)]

    @functools.cached_property
    def without_result(self):
        """The functions of the script that return nothing."""
        return {node.name for node in self.nodes if isinstance(node, ast.FunctionDef) and not any(
            isinstance(each, (ast.Return, ast.Yield)) and each.value for each in ast.walk(node))}

    @property
    def document(self):
        """The name that Sphinx has for the page."""
        return f"tutorials/{self.name}"

    def blocks(self):
        """(``"text"`` or ``"code"``, the text, its line), one after the other."""
        from sphinx_gallery.py_source_parser import split_code_and_text_blocks
        return split_code_and_text_blocks(str(self.path))[1]

    @functools.cached_property
    def names(self):
        """What the names of the script stand for, as far as they come from minigrad: "minigrad.autograd.grad"."""
        names = {}
        for node in self.nodes:
            if isinstance(node, ast.Import):
                names |= {alias.asname or alias.name.partition(".")[0]: alias.name if alias.asname else
                          alias.name.partition(".")[0] for alias in node.names if alias.name.startswith("minigrad")}
            elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("minigrad"):
                names |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
        for node in self.nodes:         # get_gradient_edge = torch.autograd.graph.get_gradient_edge
            if isinstance(node, ast.Assign):
                for target, value in pairs(node):
                    stands_for = dotted(value, names)
                    if isinstance(value, ast.Attribute) and stands_for and in_minigrad(stands_for) is not None:
                        names.setdefault(target.id, stands_for)
        return names

    @functools.cached_property
    def functions(self):
        """The subclasses of Function that the script defines."""
        found = set()
        for node in self.nodes:
            if isinstance(node, ast.ClassDef):
                bases = {base.id if isinstance(base, ast.Name) else None for base in node.bases}
                if bases & found or any(self.object(base) is minigrad.autograd.Function for base in node.bases):
                    found.add(node.name)
        return found

    @functools.cached_property
    def showing(self):
        """The functions of the script, and of the helpers it imports, that print or draw; their calls show as well."""
        imported = {alias.asname or alias.name for node in self.nodes if isinstance(node, ast.ImportFrom)
                    for alias in node.names if alias.name in showing_in(node.module)}
        return those_that_show(self.nodes, {"print", *imported})

    def object(self, expression):
        name = dotted(expression, self.names)
        return in_minigrad(name) if name else None


class Reference(Page):
    """A page of the reference: its cells are the examples that say what they teach."""

    def __init__(self, path):
        super().__init__(path)
        self.name = f"reference/{self.path.stem}"

    @property
    def document(self):
        return self.name

    def blocks(self):
        text, found, after = self.path.read_text(encoding="utf-8"), [], 0
        for claim in EXAMPLE.finditer(text):
            line = text.count("\n", 0, claim.start()) + 1
            examples = doctest.DocTestParser().get_examples(claim["examples"])
            found.append(("text", text[after:claim.start()], line))
            found.append(("code", f"# teaches: {claim['names']}\n" + "".join([each.source for each in examples]), line))
            after = claim.end()
        return [("text", text, 1), ("code", "import minigrad as torch", 0), *found]


def pairs(assignment):
    """(target, value) for ``a = x`` and for ``a, b = x, y``, where the targets are names."""
    target, value = assignment.targets[0], assignment.value
    both = zip(target.elts, value.elts) if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) else [
        (target, value)]
    return [(target, value) for target, value in both if isinstance(target, ast.Name)]


def dotted(expression, names):
    """The full name of ``fwAD.dual_level``, if its first part stands for something of minigrad; else None."""
    parts = []
    while isinstance(expression, ast.Attribute):
        parts.append(expression.attr)
        expression = expression.value
    if isinstance(expression, ast.Name) and expression.id in names:
        return ".".join([names[expression.id], *reversed(parts)])


@functools.cache
def in_minigrad(name):
    """The object of this full name, or None."""
    try:
        return functools.reduce(getattr, name.split(".")[1:], minigrad)
    except AttributeError:
        return None


def those_that_show(nodes, showing):
    """``showing``, and the functions among these nodes that call one of them, or one that does."""
    bodies = {node.name: node for node in nodes if isinstance(node, ast.FunctionDef)}
    more = {name for name, body in bodies.items() if calls(body) & showing or draws(body)} - showing
    return those_that_show(nodes, showing | more) if more else showing


@functools.cache
def showing_in(module):
    """The functions of a module that print, such as minigrad.teaching.expect_error."""
    try:
        return those_that_show(ast.parse(inspect.getsource(importlib.import_module(module))).body, {"print"})
    except (ImportError, OSError, TypeError):       # it is compiled, or not installed
        return set()


def calls(tree):
    """The names of the functions that are called in it."""
    return {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}


def draws(tree):
    return any(isinstance(node, ast.Attribute) and node.attr == "show" and getattr(node.value, "id", None) == "plt"
               for node in ast.walk(tree))


# ------------------------------------------------------------------------------ does it use the entry?


def uses(page, cell, entry):
    """Whether the code of the cell uses the entry.  What is found in the output only is looked for there."""
    if entry.printed:
        return True
    of_class = entry.name.rpartition(".")[2]
    owner, found = owner_and_object(entry.name) if of_class != YOURS and "*" not in of_class else (None, None)
    nodes = list(ast.walk(cell.tree))
    if entry.name in SPECIAL:
        return SPECIAL[entry.name](page, nodes)
    if "*" in of_class:
        return any(isinstance(node, ast.Attribute) and fnmatch.fnmatch(node.attr, of_class) for node in nodes)
    if inspect.isclass(owner):
        return uses_member(page, nodes, owner, of_class)
    if inspect.ismodule(found):
        return any(passes_through(name, found) for name in map(page_name(page), nodes) if name)
    used = [node for node in nodes if name_is(page, node, found, of_class)]
    if inspect.isclass(found) or not callable(found):
        return bool(used)
    called = [node.func for node in nodes if isinstance(node, ast.Call)]
    called += [each for node in nodes for each in getattr(node, "decorator_list", [])]
    return any(node in called for node in used)


def page_name(page):
    return lambda node: dotted(node, page.names) if isinstance(node, (ast.Name, ast.Attribute)) else None


def name_is(page, node, found, last):
    """Whether the expression means this object, and calls it by this name: torch.float is not torch.float32."""
    name = page_name(page)(node)
    return name is not None and name.rpartition(".")[2] == last and in_minigrad(name) is found


def passes_through(name, module):
    """Whether a full name leads through the module: minigrad.autograd.functional.jacobian does, through functional."""
    parts = name.split(".")
    return any(in_minigrad(".".join(parts[:end])) is module for end in range(1, len(parts)))


def uses_member(page, nodes, owner, member):
    """Whether an attribute of this name is used as one of this class would be."""
    parents = {child: node for node in nodes for child in ast.iter_child_nodes(node)}
    if owner is minigrad.autograd.Function and member != "apply":
        return any(isinstance(node, ast.FunctionDef) and node.name == member and
                   getattr(parents.get(node), "name", None) in page.functions for node in nodes)
    found = getattr(owner, member, None)
    is_method = callable(found)
    for node in nodes:
        if is_method and name_is(page, node, found, member):        # torch.Tensor.sin_, given to another function
            return True
        if not (isinstance(node, ast.Attribute) and node.attr == member) or dotted(node.value, page.names):
            continue
        parent = parents.get(node)
        if is_method and not (isinstance(parent, ast.Call) and parent.func is node):
            continue
        if RECEIVERS.get(owner, lambda page, receiver: True)(page, node.value):
            return True
    return False


def is_function(page, receiver):
    return isinstance(receiver, ast.Name) and receiver.id in page.functions


def is_node(receiver):
    return re.search(r"grad_fn|node|next_functions|accumul", ast.unparse(receiver)) is not None


#: Classes whose members have the names of others: what must be before the dot.
RECEIVERS = {
    minigrad.autograd.Function: is_function,
    minigrad.autograd.function.BackwardCFunction: lambda page, receiver: not is_function(page, receiver),
    minigrad.autograd.function.FunctionCtx: lambda page, receiver: isinstance(receiver, ast.Name),
    minigrad.autograd.graph.Node: lambda page, receiver: is_node(receiver),
    minigrad.Tensor: lambda page, receiver: not is_node(receiver),
}


def of_contexts(page, nodes):
    """The attributes that are read or set on the ctx of a Function in these nodes."""
    for owner in nodes:
        if isinstance(owner, ast.ClassDef) and owner.name in page.functions:
            for method in owner.body:
                if isinstance(method, ast.FunctionDef) and method.args.args:
                    ctx = method.args.args[0].arg
                    yield from [node for node in ast.walk(method) if isinstance(node, ast.Attribute) and
                                isinstance(node.value, ast.Name) and node.value.id == ctx]


def own_attributes(page, nodes):
    known = set(dir(minigrad.autograd.function.FunctionCtx))
    return any(isinstance(node.ctx, ast.Store) and node.attr not in known for node in of_contexts(page, nodes))


def calls_of_nodes(page, nodes):
    """A call of ``y.grad_fn`` itself, or of a variable called node."""
    functions = [node.func for node in nodes if isinstance(node, ast.Call)]
    return any(isinstance(f, ast.Attribute) and f.attr == "grad_fn" or isinstance(f, ast.Name) and "node" in f.id
               for f in functions)


def state_of_the_block(page, nodes):
    allow = minigrad.autograd.graph.allow_mutation_on_saved_tensors
    return any(isinstance(node, ast.withitem) and node.optional_vars is not None and
               isinstance(node.context_expr, ast.Call) and page.object(node.context_expr.func) is allow
               for node in nodes)


#: Entries that are used in a way of their own.
SPECIAL = {
    "torch.Tensor": lambda page, nodes: any(isinstance(n, ast.keyword) and n.arg == "requires_grad" for n in nodes),
    "torch.autograd.function.FunctionCtx": lambda page, nodes: any(True for _ in of_contexts(page, nodes)),
    f"torch.autograd.function.FunctionCtx.{YOURS}": own_attributes,
    "torch.autograd.graph.Node.__call__": calls_of_nodes,
    "torch.autograd.graph._AllowMutationOnSavedContext": state_of_the_block,
}


# ------------------------------------------------------------------------------ does it show anything?


def running(tree):
    """The nodes that run when the cell does: not the bodies of the functions that it defines."""
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node
            yield from running(node)


def shows(page, cell):
    """Whether the cell prints, asserts, draws, or ends in an expression that is displayed."""
    for node in running(cell.tree):
        if isinstance(node, ast.Assert) or isinstance(node, ast.Name) and node.id in page.showing:
            return True
    last = cell.tree.body[-1] if cell.tree.body else None
    if isinstance(last, ast.Expr):
        called = last.value.func if isinstance(last.value, ast.Call) else None
        return getattr(called, "attr", None) not in SILENT and getattr(called, "id", None) not in page.without_result
    return draws(cell.tree)


def shown_by(page, cell, showing=None):
    """The cell itself if it shows something, or the next that uses what it defines and does; else None.

    ``showing`` decides of a cell whether it shows something: by default its syntax does, on the site its output.
    """
    showing = showing or (lambda each: shows(page, each))
    if showing(cell):
        return cell
    defined = {node.name for node in cell.tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    for later in page.cells[cell.number:]:
        used = {node.id for node in ast.walk(later.tree) if isinstance(node, ast.Name)}
        if used & defined and showing(later):
            return later


# ------------------------------------------------------------------------------ all pages together


def faults(page, entries):
    """What is wrong with the page's claims: a sentence for each, with file and line."""
    for cell in page.cells:
        for written in cell.written:
            try:
                entry = meant(written, entries)
            except ValueError as wrong:
                yield f"{page.name}:{cell.line}: {wrong}"
                continue
            if not uses(page, cell, entry):
                yield f"{page.name}:{cell.line}: the cell says that it teaches {entry.name}, and does not use it"
            if shown_by(page, cell) is None:
                yield f"{page.name}:{cell.line}: the cell says that it teaches {entry.name}, and shows nothing"


def taught(pages, entries):
    """{name of an entry: the pairs of page and cell that teach it}, with nothing for what is not taught."""
    found = {name: [] for name in entries}
    for page in pages:
        for cell in page.cells:
            for written in cell.written:
                try:
                    found[meant(written, entries).name].append((page, cell))
                except ValueError:
                    pass                # `faults` reports it
    return found


def scripts():
    """The scripts of the tutorials, part after part."""
    parts = tomllib.loads((TUTORIALS / "path.toml").read_text(encoding="utf-8"))["parts"]
    return [TUTORIALS / part["folder"] / f"{page}.py" for part in parts for page in part["pages"]]


def references():
    """The pages of the reference that have examples which teach."""
    return [path for path in sorted((TUTORIALS.parent / "docs" / "reference").glob("*.rst"))
            if EXAMPLE.search(path.read_text(encoding="utf-8"))]
