"""The reference of the operations, written from the table of derivatives when the site is built.

There is a page for each file below ``minigrad/ops`` that has public operations, and a list of all from A to Z.  The
operations and their docstrings come from the live registries in ``minigrad.ops.exports``; the lines of the rows and the
text of their formulas from the source.  So a new row has its entry without any change here. """

import ast
import functools
import importlib
import inspect
import re
from pathlib import Path

import minigrad
from minigrad import stand_ins
from minigrad._core.dispatch import op, overloads
from minigrad._core.inplace import inplace_methods
from minigrad.ops import exports
from minigrad.ops.schema import parse
from sphinx.ext.napoleon.docstring import NumpyDocstring
from sphinx.errors import ExtensionError
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from formulas_as_code import as_code, formulas_of
from general_ways import general_way
from literate import page_of, write_if_new
from proved import badge
from prose import as_rst
from rebuilding import only

logger = logging.getLogger(__name__)

TABLE = Path(exports.__file__).parent

#: Where operations are published; an operation has its entry in the first place that names it.
PLACES = list(exports.EXPORTS.items())

KINDS = {"elementwise", "linear", "view", "multilinear", "windows", "general", "piecewise_constant",
         "not_differentiable"}
#: so many operations are named in the title of their page
IN_TITLE = 4
#: how a title may begin that keeps its capital
PROPER = ("Bessel", "Fourier")


class Family:
    """One file of the table: its title and introduction, its rows, its composites."""

    def __init__(self, path):
        self.name = path.stem
        self.file = path.relative_to(TABLE.parent.parent).as_posix()
        self.source = path.read_text(encoding="utf-8")
        self.lines = self.source.encode().split(b"\n")                 # ast counts columns in bytes
        self.tree = ast.parse(self.source)
        title, _, rest = (ast.get_docstring(self.tree) or self.name).partition("\n\n")
        title = " ".join(title.split()).rstrip(".")
        # "Extremes: the greatest entry, the least" is a title and its explanation.
        self.title, _, self.subtitle = title.replace("? ", "?: ").replace("``", "").partition(": ")
        self.introduction = as_rst(rest)
        self.rows = dict(self._rows())
        self.bound = {name.id for node in self.tree.body if isinstance(node, ast.Assign)
                      for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name)}

    def _rows(self):
        """Yield the name of each row, and {input: text of its formula}."""
        for node in ast.walk(self.tree):
            if not (isinstance(node, ast.Call) and name_of(node.func) in KINDS and node.args):
                continue
            schema = node.args[0]
            if isinstance(schema, ast.Constant) and isinstance(schema.value, str):
                name, params = parse(schema.value)
                inputs = {parameter[0] for parameter in params}
                yield name, {k.arg: self._text(k.value) for k in node.keywords if k.arg in inputs}

    def _text(self, formula):
        if isinstance(formula, ast.Lambda):
            body = formula.body
            lines = self.lines[body.lineno - 1:body.end_lineno]
            lines[-1] = lines[-1][:body.end_col_offset]
            lines[0] = lines[0][body.col_offset:]
            return " ".join(b" ".join(lines).decode().split())
        return ast.unparse(formula)

    @functools.cache
    def public(self):
        """(prefix, name, function) for each public operation of this file, in alphabetical order."""
        return [(prefix, name, function) for prefix, registry in PLACES for name, function in sorted(registry.items())
                if published_as(function) == (prefix, name) and self._wrote(function)]

    def _wrote(self, function):
        """Whether the function's row is written out here, or what a rule makes of it is bound to a name here."""
        if rows_of(function):
            return rows_of(function)[0].name in self.rows or published_as(function)[1] in self.bound
        return inspect.unwrap(function).__module__ == self.file.removesuffix(".py").replace("/", ".")


def name_of(node):
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", None)


def rows_of(function):
    """The rows of a public function: one, several overloads, or none if it is composed of rows."""
    if isinstance(function, inplace_methods.WithInplace):
        return [function.row]
    if isinstance(function, op.Op):
        return [function]
    return function.rows if isinstance(function, overloads.Overloads) else []


@functools.cache
def first_names(how_many):
    """{identity of a function: (prefix, name) under which it was published first}, while there are so many names."""
    found = {}
    for prefix, registry in PLACES:
        for name, function in registry.items():
            found.setdefault(id(function), (prefix, name))
    return found


def published_as(function):
    """(prefix, name) under which the operation was published first; other names are aliases."""
    return first_names(sum(len(registry) for _, registry in PLACES)).get(id(function))


def link(function, shown):
    prefix, name = published_as(function)
    return f":py:func:`{shown} <{prefix}.{name}>`"


def names_of(function, registry):
    return [name for name, other in registry.items() if other is function]


def facts(function, prefix, name):
    """A line below the docstring: kind, node, other ways to call it."""
    words = []
    rows = rows_of(function)
    if rows:
        kinds_of_rows = dict.fromkeys([row.kind.replace("_", " ") for row in rows])
        words.append("Kind: " + ", ".join([f":doc:`{kind} </notes/kinds>`" for kind in kinds_of_rows]))
        nodes = dict.fromkeys([row.node_name for row in rows if row.kind != "not_differentiable"])
        if nodes:
            words.append(f"node{'s' * (len(nodes) > 1)}: " + ", ".join([f"``{node}``" for node in nodes]))
    if exports.METHODS.get(name) is function:
        words.append(f"method: ``Tensor.{name}``")
    if f"{name}_" in {**exports.INPLACE, **exports.METHODS} and prefix == "minigrad":
        words.append(f"in place: ``Tensor.{name}_``" + f", ``{name}_``" * (f"{name}_" in exports.INPLACE_FUNCTIONS))
    others = [f"{place}.{each}" for place, registry in PLACES for each in names_of(function, registry)]
    others = [each.removeprefix("minigrad.") for each in others if each != f"{prefix}.{name}"]
    if others:
        words.append("also called " + ", ".join(f"``{each}``" for each in others))
    return " · ".join(words)


def entry(family, prefix, name, function):
    doc = inspect.cleandoc(function.__doc__ or "")
    body = str(NumpyDocstring(as_rst(doc))).strip().splitlines()
    rows = rows_of(function)
    written_out = not rows or isinstance(function, inplace_methods.WithInplace)
    calls = [str(inspect.signature(function))[1:]] if written_out else [
        op.signature(row).partition("(")[2] for row in rows]
    lines = [f".. py:function:: {prefix}.{name}({calls[0]}"]
    lines += [f"                 {prefix}.{name}({call}" for call in dict.fromkeys(calls[1:]) if call != calls[0]]
    lines += ["", *["   " + line if line else "" for line in body]]
    for row in rows:
        formulas = family.rows.get(row.name)        # a row of another page is explained there
        if formulas:
            width = max(map(len, formulas)) + 1
            lines += ["", f"   {row.__doc__}"] if len(rows) > 1 else []
            lines += ["", "   .. code-block:: python", "      :class: formulas", ""]
            lines += [f"      {of + ':':{width}} {text}" for of, text in formulas.items()]
            lines += ["", "   .. raw:: html", "", f"      {as_mathematics(row)}"]
        if formulas and (code := as_code(row.name)):
            lines += ["", "   .. dropdown:: As code: the gradients of one call", "", "      .. code-block:: python", ""]
            lines += [f"         {line}" for line in code]
    ways = [way for row in rows if row.name in family.rows or len(rows) == 1 if (way := "\n".join(general_way(row)))]
    lines += ["   " + line if line else "" for way in dict.fromkeys(ways) for line in way.split("\n")]
    proved = "; ".join([known for row in rows if (known := badge(row))])
    if words := " · ".join([part for part in (facts(function, prefix, name), f"derivative: {proved}") if part and (
            proved or not part.startswith("derivative"))]):
        lines += ["", "   .. rst-class:: facts", "", f"   {words}"]
    return [*lines, ""]


def as_mathematics(row):
    """The same formulas as in the player: for real numbers, in reverse mode."""
    rows = [f'<dt>for <code>{of}</code></dt><dd tabindex="0"><math '
            f'displaystyle="true">{expression.mathml()}</math></dd>'
            for of, expression in formulas_of(row)]
    return f'<dl class="mathematics">{"".join(rows)}</dl>'


def names_in(family):
    """The operations by their short names, in the order in which the file speaks of them."""
    names = dict.fromkeys([name.removesuffix("_") for _, name, _ in family.public()])
    return sorted(names, key=lambda name: re.search(rf"\b{name}|\Z", family.source, re.IGNORECASE).start())


def title_of(family, code="``"):
    """The first operations of the file, and what it is about: softmax, log_softmax: from scores to probabilities."""
    names, (first, rest) = names_in(family), (family.title[:1], family.title[1:])
    shown = ", ".join([f"{code}{name}{code}" for name in names[:IN_TITLE]]) + ", ..." * (len(names) > IN_TITLE)
    return f"{shown}: {first if family.title.startswith(PROPER) else first.lower()}{rest}"


def page(family):
    title = title_of(family)
    lines = [title, "=" * len(title), "", subtitle(family), "", family.introduction, ""]
    lines += [f"The rows are in :doc:`{family.file} </reading/{page_of(family.file)}>`.", ""]
    for prefix, name, function in family.public():
        lines += entry(family, prefix, name, function)
    return "\n".join(lines)


def subtitle(family):
    return as_rst(family.subtitle[:1].upper() + family.subtitle[1:] + ".") if family.subtitle else ""


def contents(families):
    """The page that lists all operations: one table for each family, one line for each operation."""
    lines = ["Operations", "==========", "", INTRODUCTION, ""]
    lines += [".. toctree::", "   :hidden:", "", *(f"   {family.name}" for family in families), ""]
    for family in families:
        heading = f":doc:`{title_of(family, code='')} <{family.name}>`"
        lines += [heading, "-" * len(heading), "", subtitle(family), ""]
        lines += [".. list-table::", "   :widths: 30 70", "   :class: operations", ""]
        for prefix, name, function in family.public():
            shown = f"{prefix}.{name}".removeprefix("minigrad.")
            lines += [f"   * - {link(function, shown)}", f"     - {first_sentence(function)}"]
        lines.append("")
    return "\n".join(lines)


INTRODUCTION = """\
Every operation below is a function, ``minigrad.sin(x)``; most are methods too, ``x.sin()``, and some have a form that
works in place, ``x.sin_()``. Where an entry shows formulas, they are the row of the table itself: ``d`` is the
perturbation on its way through, and one formula for each input serves both directions (:doc:`/notes/kinds`). *As code*
has the backward pass of one call as :func:`minigrad.viz.code` writes it, in NumPy alone. Below is the function of NumPy
that computes the result, unless a kernel in C does so first; inside :func:`minigrad.teaching.without_kernels` it always
does. An entry without either is composed of other operations, and
is differentiated through them."""


def a_to_z(families):
    """The page that lists each operation under its letter, by each of its names."""
    known = {id(function): (prefix, name) for family in families for prefix, name, function in family.public()}
    letters = {}
    for prefix, registry in PLACES:
        for name, function in registry.items():
            if id(function) in known:
                shown = f"{prefix}.{name}".removeprefix("minigrad.")
                letters.setdefault(name[0].upper(), []).append((name.lower(), shown, function))
    lines = ["Operations from A to Z", "======================", "", "Each operation by all of its names; "
             ":doc:`index` has them by what they do.", ""]
    for letter, entries in sorted(letters.items()):
        lines += [letter, "-", "", ".. list-table::", "   :widths: 40 60", "   :class: operations", ""]
        for _, shown, function in sorted(entries, key=lambda entry: entry[:2]):
            lines += [f"   * - {link(function, shown)}", f"     - {first_sentence(function)}"]
        lines.append("")
    return "\n".join(lines)


def first_place(family):
    """Families come in the order of their imports, so that a family comes after those that it is made of."""
    order = [(prefix, name) for prefix, registry in PLACES for name in registry]
    return min(order.index((prefix, name)) for prefix, name, _ in family.public())


def first_sentence(function):
    first = inspect.cleandoc(function.__doc__ or "").split("\n\n")[0].replace("\n", " ")
    return as_rst(re.split(r"(?<=\.) +(?=[A-Z`])", first)[0]).strip()


def write_pages(app):
    if only(app) is not None:                       # the table is as it was
        return
    folder = Path(app.srcdir, "reference", "ops")
    folder.mkdir(parents=True, exist_ok=True)
    families = [Family(path) for path in sorted(TABLE.rglob("*.py"))]
    families = sorted((family for family in families if any(family.public())), key=first_place)
    names = [family.name for family in families]
    if twice := {name for name in names if names.count(name) > 1}:
        raise ExtensionError(f"two files of the table have the same name, so one page would replace the other: {twice}")
    pages = {folder / f"{family.name}.rst": page(family) for family in families}
    pages[folder / "index.rst"] = contents(families)
    pages[folder / "a_to_z.rst"] = a_to_z(families)
    for path, text in pages.items():
        write_if_new(path, text)
    for stale in set(folder.glob("*.rst")) - pages.keys():
        stale.unlink()


class TensorMembers(SphinxDirective):
    """``.. tensor-members::`` documents Tensor's own members, then lists those from the table."""

    def run(self):
        attributes, methods, in_place = [], [], []
        for name, value in sorted(vars(minigrad.Tensor).items()):
            if name.startswith("_"):
                continue
            if name in exports.INPLACE or name.endswith("_") and name[:-1] in exports.METHODS:
                in_place.append(name)
            elif name not in exports.METHODS:
                (methods if inspect.isroutine(value) and not inspect.isgetsetdescriptor(value) else attributes).append(
                    name)
        lines = heading("Attributes")
        for name in attributes:
            value = vars(minigrad.Tensor)[name]
            doc = inspect.getdoc(value) if inspect.isdatadescriptor(value) else None
            lines += [f".. py:attribute:: minigrad.Tensor.{name}", ""]
            lines += [f"   {line}" for line in as_rst(doc or "").splitlines()] + [""]
        lines += heading("Methods")
        for name in methods:
            lines += [f".. automethod:: minigrad.Tensor.{name}", ""]
        lines += heading("Methods from the table")
        lines += ["``x.name(...)`` is ``minigrad.name(x, ...)``:", ""]
        lines += [" ".join(reference(name) for name in sorted(exports.METHODS)), ""]
        lines += heading("In-place forms")
        lines += ["``x.name_(...)`` puts the result of ``x.name(...)`` into the memory of ``x``:", ""]
        lines += [" ".join(f"``{name}``" for name in in_place), ""]
        return self.parse_text_to_nodes("\n".join(lines), allow_section_headings=True)


def heading(title):
    return [title, "-" * len(title), ""]


def reference(name):
    """A link to the entry of an operation, or its name if it is only a method."""
    function = exports.METHODS[name]
    return link(function, name) if published_as(function) else f"``{name}``"


class FunctionsOf(SphinxDirective):
    """``.. functions-of:: minigrad.creation`` documents the public functions of that module, in ``minigrad`` or its
    own namespace."""

    required_arguments = 1

    def run(self):
        module = importlib.import_module(self.arguments[0])
        lines = []
        for name, value in vars(module).items():
            if (name.startswith("_") or not callable(value) or getattr(value, "__module__", None) != module.__name__
                or published_as(value)):
                continue
            prefix = "minigrad" if getattr(minigrad, name, None) is value else module.__name__
            if prefix == "minigrad" or name in getattr(module, "__all__", ()):
                kind = "class" if isinstance(value, type) else "function"
                lines += [f".. auto{kind}:: {prefix}.{name}", ""]
        return self.parse_text_to_nodes("\n".join(lines))


class NamesOf(SphinxDirective):
    """``.. names-of:: minigrad.linalg`` lists the operations of the table that are in a module of their own."""

    required_arguments = 1

    def run(self):
        module = importlib.import_module(self.arguments[0])
        lines = [".. list-table::", "   :widths: 30 70", "   :class: operations", ""]
        for name in module.__all__:
            function = getattr(module, name)
            if published_as(function) is None:
                continue
            lines += [f"   * - {link(function, name)}", f"     - {first_sentence(function)}"]
        return self.parse_text_to_nodes("\n".join(lines))


def complain_of_what_is_missing(app, env):
    """Every public name must be on the site: a missing one is a warning, and so an error."""
    documented = env.domaindata["py"]["objects"]
    expected = {".".join(published_as(function)) for _, registry in PLACES for function in registry.values()}
    autograd = vars(minigrad.autograd).values()
    inert = stand_ins.names_in("minigrad")
    expected |= {f"minigrad.{name}" for name, value in vars(minigrad).items() if is_public(name, value)
                 and value not in autograd and name not in inert}
    expected |= {f"minigrad.autograd.{name}" for name in minigrad.autograd.__all__
                 if not inspect.ismodule(getattr(minigrad.autograd, name))}
    for name in sorted(expected - documented.keys()):
        logger.warning("%s is public and not documented anywhere", name)


def is_public(name, value):
    return (not name.startswith("_") and callable(value) and name not in exports.REGISTRY
            and name not in exports.INPLACE_FUNCTIONS)


def setup(app):
    app.setup_extension("rebuilding")
    app.add_directive("functions-of", FunctionsOf)
    app.add_directive("names-of", NamesOf)
    app.add_directive("tensor-members", TensorMembers)
    app.connect("builder-inited", write_pages)
    app.connect("env-check-consistency", complain_of_what_is_missing)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
