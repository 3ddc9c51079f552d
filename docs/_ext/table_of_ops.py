"""The reference of the operations, written from the table of derivatives when the site is built.

One page for each file of ``minigrad/ops`` that has public operations.  Which operations there are, and
their docstrings, come from the live registries in ``minigrad.ops.kinds``; where a row stands and the
text of its formulas come from the source.  So a new row has its entry without anything written here.
"""

import ast
import inspect
from pathlib import Path

from minigrad.ops import kinds
from sphinx.ext.napoleon.docstring import NumpyDocstring

from literate import page_of, write_if_new

KINDS = {"elementwise", "linear", "view", "multilinear", "general", "piecewise_constant", "not_differentiable"}


class Family:
    """What one file of the table says: its title and introduction, its rows, its composites."""

    def __init__(self, path):
        self.name = path.stem
        self.source = path.read_text(encoding="utf-8")
        self.tree = ast.parse(self.source)
        docstring = (ast.get_docstring(self.tree) or self.name).split("\n\n")
        self.title = docstring[0].replace("\n", " ").rstrip(".")
        self.introduction = docstring[1] if len(docstring) > 1 else ""
        self.rows = dict(self._rows())

    def _rows(self):
        """Yield the name of each row, with its parameters and {input: text of its formula}."""
        for node in ast.walk(self.tree):
            if not (isinstance(node, ast.Call) and name_of(node.func) in KINDS and node.args):
                continue
            schema = node.args[0]
            if isinstance(schema, ast.Constant) and isinstance(schema.value, str):
                name, params = kinds.parse(schema.value)
                inputs = {parameter[0] for parameter in params}
                yield name, (params, {k.arg: self._text(k.value) for k in node.keywords if k.arg in inputs})

    def _text(self, formula):
        if isinstance(formula, ast.Lambda):
            return " ".join(ast.get_source_segment(self.source, formula.body).split())
        return ast.unparse(formula)

    def public(self):
        """Yield (prefix, name, function) for each public operation of this file, in alphabetical order."""
        for registry, prefix in ((kinds.REGISTRY, "minigrad"), (kinds.NN_REGISTRY, "minigrad.nn.functional")):
            for name, function in sorted(registry.items()):
                own = name_in_table(function)
                if own == name and (own in self.rows if is_row(function) else self._wrote(function)):
                    yield prefix, name, function

    def _wrote(self, function):
        return inspect.unwrap(function).__module__ == f"minigrad.ops.{self.name}"


def name_of(node):
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", None)


def is_row(function):
    return isinstance(function, kinds.Op)


def name_in_table(function):
    """The name under which the function was published first; later ones are aliases."""
    for registry in (kinds.REGISTRY, kinds.NN_REGISTRY):
        for name, other in registry.items():
            if other is function:
                return name


def names_of(function, registry):
    return [name for name, other in registry.items() if other is function]


def signature_of(params):
    """The parameters of a row as Python writes them, without the types of the schema."""
    words, starred = [], False
    for name, _, default, keyword_only in params:
        if keyword_only and not starred:
            words.append("*")
            starred = True
        words.append(name if default is ... else f"{name}={default!r}")
    return f"({', '.join(words)})"


def facts(function, name, is_nn):
    """One quiet line below the docstring: kind, node, the other ways to call it."""
    words = []
    if is_row(function):
        words.append(f"Kind: :doc:`{function.kind.replace('_', ' ')} </notes/kinds>`")
        if function.kind != "not_differentiable":
            words.append(f"node: ``{function.node_name}``")
    if function in kinds.METHODS.values():
        words.append(f"method: ``Tensor.{name}``")
    if in_place := [each for each in names_of(function, kinds.INPLACE) if each == name + "_"]:
        words.append(f"in place: ``Tensor.{in_place[0]}``")
    registry = kinds.NN_REGISTRY if is_nn else kinds.REGISTRY
    if aliases := [each for each in names_of(function, registry) if each != name]:
        words.append("also called " + ", ".join(f"``{each}``" for each in aliases))
    return " · ".join(words)


def entry(family, prefix, name, function):
    doc = inspect.cleandoc(function.__doc__ or "")
    body = str(NumpyDocstring(doc)).strip().splitlines()
    if is_row(function):
        params, formulas = family.rows[name]
        signature = signature_of(params)
    else:
        formulas, signature = {}, inspect.signature(function)
    lines = [f".. py:function:: {prefix}.{name}{signature}", ""]
    lines += ["   " + line if line else "" for line in body]
    if formulas:
        width = max(map(len, formulas)) + 1
        lines += ["", "   .. code-block:: python", "      :class: formulas", ""]
        lines += [f"      {of + ':':{width}} {text}" for of, text in formulas.items()]
    if words := facts(function, name, prefix != "minigrad"):
        lines += ["", "   .. rst-class:: facts", "", f"   {words}"]
    return [*lines, ""]


def page(family):
    title = family.title
    found = list(family.public())
    lines = [title, "=" * len(title), "", family.introduction, ""]
    lines += [f"The rows are in :doc:`minigrad/ops/{family.name}.py </reading/{page_of(f'minigrad/ops/{family.name}.py')}>`.", ""]
    for prefix, name, function in found:
        lines += entry(family, prefix, name, function)
    return "\n".join(lines) if found else None


def write_pages(app):
    folder = Path(app.srcdir, "reference", "ops")
    folder.mkdir(parents=True, exist_ok=True)
    written = set()
    for path in sorted(Path(kinds.__file__).parent.glob("*.py")):
        if text := page(Family(path)):
            target = folder / f"{path.stem}.rst"
            write_if_new(target, text)
            written.add(target)
    for stale in set(folder.glob("*.rst")) - written:
        stale.unlink()


def setup(app):
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
