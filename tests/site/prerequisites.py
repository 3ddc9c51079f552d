"""What a page of the course uses, and on which page that is taught: both are read from the files, never declared.

A *name* is what the course must explain before a reader can be expected to know it: an entry of
``tutorials/entries.toml``, anything that is reached through a module of the library, such as
``torch.nn.functional.cross_entropy``, and complex numbers.  What ``torch`` itself holds, such as ``torch.sin`` and
``torch.linspace``, a reader knows from NumPy.

- A cell *uses* a name if its syntax tree has it.
- A page *teaches* an entry if one of its cells says so: docs/_ext/taught.py checks that this is true, and that the cell
  shows something.  It teaches any other name if its text has it, in ``double quotes``, and a cell that uses it shows
  something, or an exercise uses it.
- What a tensor, a node or a ctx has is told by the name after the dot alone, so ``Module.zero_grad`` and
  ``Optimizer.zero_grad`` are one name.

A page must not use what only a later page teaches.
"""

import ast
import re
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace

from docs._ext import taught

ENTRIES = taught.listed()
#: The section of the entries that a reader knows from NumPy.
KNOWN = "Operations in the examples"
#: What a page may use of other modules without explaining it: linear algebra, as in NumPy, and minigrad's own workings.
UNSAID = ("torch.linalg", "torch.ops", "torch.notation", "torch.autograd.engines", "torch.error_pages")
COMPLEX = "complex numbers"
#: Dtypes and functions that make complex numbers.
MAKES_COMPLEX = {"cfloat", "cdouble", "complex64", "complex128", "complex", "view_as_complex", "polar"}
DTYPES = {"half", "float", "double", "bfloat16", "cfloat", "cdouble"}


def listed():
    """(the entries that are members of a class, the names of the others by the objects that they mean)."""
    members, objects = {}, {}
    for name, entry in ENTRIES.items():
        last = name.rpartition(".")[2]
        if entry.section == KNOWN or entry.printed or last in DTYPES:
            continue
        if "*" in last or last == taught.YOURS or name in taught.SPECIAL:
            members[name] = entry
            continue
        owner, found = taught.owner_and_object(name)
        if isinstance(owner, type):
            members[name] = entry
        elif not isinstance(found, ModuleType):
            objects[id(found)] = name
    return members, objects


MEMBERS, OBJECTS = listed()


def short(name):
    """The name of a member without its class: ``.zero_grad``."""
    return "." + name.rpartition(".")[2] if name in MEMBERS else name


def name_of(dotted):
    """The name of what a page calls by this full name; None if a reader is supposed to know it."""
    found = taught.in_minigrad(dotted)
    if id(found) in OBJECTS:
        return OBJECTS[id(found)]
    name = dotted.replace("minigrad", "torch", 1)
    if found is None or isinstance(found, ModuleType) or name.count(".") == 1 or name.startswith(UNSAID):
        return None
    return None if name in MEMBERS or name.startswith("torch.Tensor.") else name


def used(page, tree):
    """{name: the line of this tree where it is first used}."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, complex):
            found.setdefault(COMPLEX, node.lineno)
        elif isinstance(node, (ast.Name, ast.Attribute)) and (dotted := taught.dotted(node, page.names)):
            name = COMPLEX if dotted.rpartition(".")[2] in MAKES_COMPLEX else name_of(dotted)
            if name:
                found.setdefault(name, node.lineno)
    for statement in tree.body:
        alone, there = SimpleNamespace(tree=ast.Module([statement], [])), words(page, statement)
        for name, entry in MEMBERS.items():
            if short(name) not in found and could_be_in(there, name) and taught.uses(page, alone, entry):
                found[short(name)] = statement.lineno
    return found


def words(page, statement):
    """The attributes, the functions and the last parts of names in a statement."""
    return {getattr(node, "attr", getattr(node, "name", None)) or
            page.names.get(getattr(node, "id", None), "").rpartition(".")[2] for node in ast.walk(statement)}


def could_be_in(there, name):
    """A member whose name is not among the words need not be looked for, unless it is told by something else."""
    last = name.rpartition(".")[2]
    return last in there or "*" in last or last == taught.YOURS or name in taught.SPECIAL


def explained(text, name):
    """Whether a text has a name."""
    if name == COMPLEX:
        return "complex number" in text.lower()
    last = re.escape(name.rpartition(".")[2])
    return re.search(rf"``[^`\n]*(?<!\w){last}(?!\w)[^`\n]*``", text) is not None


@dataclass
class Learned:
    """What a page uses, {name: line}, and the names that it teaches."""

    page: str
    uses: dict = field(default_factory=dict)
    teaches: set = field(default_factory=set)


def learned(page, exercises=()):
    """`Learned` of a `taught.Page`; ``exercises`` are the programs that solve and check its exercises."""
    from sphinx_gallery.py_source_parser import split_code_and_text_blocks

    text = "\n".join(text for kind, text, _ in split_code_and_text_blocks(str(page.path))[1] if kind == "text")
    result, tried = Learned(page.name), set()
    for program in exercises:
        tried |= used(page, ast.parse(program)).keys()
    for cell in page.cells:
        result.teaches |= {short(taught.meant(written, ENTRIES).name) for written in cell.written}
        shown = taught.shown_by(page, cell) is not None
        for name, line in used(page, cell.tree).items():
            result.uses.setdefault(name, cell.line + line - 1)
            if name not in ENTRIES and not name.startswith(".") and explained(text, name) and (shown or name in tried):
                result.teaches.add(name)
    if {f"torch.{name}" for name in MAKES_COMPLEX} & {taught.meant(written, ENTRIES).name for cell in page.cells
                                                      for written in cell.written}:
        result.teaches.add(COMPLEX)
    return result


def too_early(pages):
    """(page, line, name, the page that teaches it or None) of each use before it is taught, pages in their order."""
    teacher = {}
    for page in pages:
        for name in page.teaches:
            teacher.setdefault(name, page.page)
        for name, line in page.uses.items():
            if name not in teacher:
                yield page.page, line, name, next((p.page for p in pages if name in p.teaches), None)


def needs(pages):
    """{page: {the pages that first teach what it uses and does not teach itself}}: the graph of prerequisites."""
    teacher = {}
    for page in pages:
        for name in page.teaches:
            teacher.setdefault(name, page.page)
    return {page.page: {teacher[name] for name in page.uses.keys() - page.teaches if name in teacher}
            for page in pages}
