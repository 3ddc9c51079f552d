"""What is taught where: links between the tutorials' cells and the reference, the matrix, and the badges.

``taught`` reads the cells.  Here the site makes use of it:

- a line below a cell says which entries of the reference it teaches, and the reference says where each is taught;
- ``.. taught-entries::`` is the matrix of all entries;
- a cell whose output agrees with what PyTorch printed, as ``tests/parity/records/cells`` has it, carries a badge.  The
  output compared is that of this very build;
- a picture gets the text that its cell has for it after ``# alt:``;
- claims that are not true are warnings, which fail the build.  That a cell shows something is judged by what it did
  show.
"""

import ast
import fnmatch
import itertools
import re
import textwrap

import minigrad
from docutils import nodes
from sphinx import addnodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx_gallery import py_source_parser

import taught
from rebuilding import only
from tests.parity.records.cells import agrees, recorded

logger = logging.getLogger(__name__)

remove_config_comments = py_source_parser.remove_config_comments

GENERATED = re.compile(r"^\.\. GENERATED FROM PYTHON SOURCE LINES (\d+)-\d+\n\n", re.MULTILINE)
PRINTED = re.compile(r"^\.\. rst-class:: sphx-glr-script-out\n\n \.\. code-block:: none\n\n((?:(?:    .*)?\n)*)",
                     re.MULTILINE)
DRAWN = re.compile(r"^( +:alt: ).*$", re.MULTILINE)
SHOWN = re.compile(r"^\.\. (rst-class:: sphx-glr-script-out|raw:: html|image-sg::)|sphx-glr-(horizontal|single-img)",
                   re.MULTILINE)


def without_claims(code):
    """The code as the page and the notebook show it."""
    return taught.without_claims(remove_config_comments(code))


# ------------------------------------------------------------------------------ the claims


def read_the_claims(app):
    """Read what all cells claim to teach, before any page is read."""
    entries = taught.listed()
    pages = [taught.Page(path) for path in taught.scripts()]
    references = [taught.Reference(path) for path in taught.references()]
    changed = only(app)
    for page in pages + references:
        if changed is not None and page.path.relative_to(taught.TUTORIALS.parent).as_posix() not in changed:
            continue                                # it had no fault when it was built
        for fault in taught.faults(page, entries):
            logger.warning(fault, location=str(page.path))
    by_entry = taught.taught(pages + references, entries)
    for name in taught.waiting() & {name for name, cells in by_entry.items() if cells}:
        logger.warning("%s is taught now: it need not wait in tutorials/entries.toml", name)
    for name, cells in by_entry.items():
        if not cells and name not in taught.waiting():
            logger.warning("nothing teaches %s", name)
    app.teaches = Teaches(entries, pages, by_entry)


class Teaches:
    def __init__(self, entries, pages, by_entry):
        self.entries = entries
        self.pages = {page.document: page for page in pages}
        self.by_entry = by_entry
        self.recorded = {page.name: recorded(page.name) for page in pages}
        self.by_object = {}
        for name, entry in entries.items():
            if not entry.printed and taught.YOURS not in name and "*" not in name:
                self.by_object.setdefault(identity(*taught.owner_and_object(name), name.rpartition(".")[2]), name)

    def links(self, name):
        """[(document, anchor, title of the page, section)] of the cells that teach an entry, one for each section."""
        found = {}
        for page, cell in self.by_entry[name]:
            found.setdefault((page.name, cell.section), (page.document, cell.anchor, page.title, cell.section))
        return list(found.values())

    def entry_of(self, signature):
        """The entry that a documented name stands for: minigrad.autograd.no_grad is torch.no_grad."""
        full = f"{signature.get('module') or 'minigrad'}.{signature['fullname'].removeprefix('minigrad.')}"
        names = full.split(".")[1:]
        owner, found = None, minigrad
        for name in names:
            owner, found = found, getattr(found, name, None)
            if found is None:
                return None
        return self.by_object.get(identity(owner, found, names[-1]))


def identity(owner, found, last):
    """What is the same for two names of one thing: the object, or, for a member, its class and its name."""
    return (owner, last) if isinstance(owner, type) else id(found)


def read_again(app, env, added, changed, removed):
    """The reference if the cells teach other entries than when it was read, and the pages recorded since."""
    taught_before, recorded_before = getattr(env, "teaches", ({}, {}))
    links = {name: app.teaches.links(name) for name in app.teaches.entries}
    env.teaches = links, app.teaches.recorded
    reference = [name for name in env.found_docs if name.startswith("reference/")] if links != taught_before else []
    return reference + [name for name, page in app.teaches.pages.items() if name in env.found_docs and (
        app.teaches.recorded[page.name] != recorded_before.get(page.name))]


# ------------------------------------------------------------------------------ below a cell


def mark_the_cells(app, docname, source):
    """Give each cell an anchor, and a line that says what it teaches and whether PyTorch prints the same."""
    page = app.teaches.pages.get(docname)
    if docname.startswith("reference/"):
        numbers = itertools.count(2)            # the first is the import, which no page of the reference shows
        source[0] = taught.EXAMPLE.sub(lambda match: f".. cell:: {next(numbers)}\n\n{match['examples']}", source[0])
    if page is None:
        return
    first, *parts = GENERATED.split(source[0])
    texts = {int(line): text for line, text in zip(parts[::2], parts[1::2])}
    cells = {cell.line: cell for cell in page.cells}
    judge_the_output(app.teaches, page, {cell.number: texts.get(line, "") for line, cell in cells.items()})
    result = [first]
    for line, text in texts.items():
        if line in cells:
            below = notes(app.teaches, page, cells[line], text)
            if cells[line].alt:
                text = DRAWN.sub(lambda match: match[1] + cells[line].alt, text)
            text = f".. cell:: {cells[line].number}\n\n{text.rstrip()}\n\n{below}"
        result.append(f".. GENERATED FROM PYTHON SOURCE LINES {line}\n\n{text}")
    source[0] = "".join(result)


def notes(teaches, page, cell, text):
    same = agrees(teaches.recorded[page.name], cell.key, output_of(text))
    lines = [".. cell-notes::", "   :same:" if same else "", ""]
    lines += [f"   {taught.meant(name, teaches.entries).name}" for name in cell.written]
    return "\n".join(lines) + "\n\n" if same or cell.written else ""


def output_of(text):
    found = PRINTED.search(text)
    return textwrap.dedent(found[1]) if found else ""


def judge_the_output(teaches, page, texts):
    """Warn of a cell that claims to teach and showed nothing, or did not print a name that it promised."""
    if not any(PRINTED.search(text) for text in texts.values()):
        return                          # the page was not run

    def showed(cell):
        asserts = any(isinstance(node, ast.Assert) for node in taught.running(cell.tree))
        return asserts or SHOWN.search(texts[cell.number]) is not None

    for cell in page.cells:
        for written in cell.written:
            entry = taught.meant(written, teaches.entries)
            shown = taught.shown_by(page, cell, showed)
            if shown is None:
                logger.warning("%s:%d: the cell teaches %s, and its output is empty", page.name, cell.line, entry.name)
            elif entry.printed and not fnmatch.fnmatch(texts[shown.number], f"*{entry.name}*"):
                logger.warning("%s:%d: no %s in what the cell printed", page.name, cell.line, entry.name)


class CellAnchor(SphinxDirective):
    """``.. cell:: 3``: the place that a link to the third cell leads to."""

    required_arguments = 1

    def run(self):
        return [nodes.raw("", f'<span id="cell-{self.arguments[0]}"></span>', format="html")]


class CellNotes(SphinxDirective):
    """``.. cell-notes::``: the entries that the cell above teaches, one a line, and the badge."""

    has_content = True
    option_spec = {"same": lambda argument: True}

    def run(self):
        line = nodes.paragraph(classes=["cell-notes"])
        names = [name for name in self.content if name.strip()]
        if names:
            entries = nodes.inline("", "Reference: ")
            for number, name in enumerate(names):
                entries += nodes.Text(", " if number else "")
                entries += pending(taught.listed()[name])
            line += entries
        if "same" in self.options:
            line += nodes.inline("", "same in PyTorch 2.13", classes=["same-in-pytorch"])
        return [line]


def pending(entry):
    """A link to the reference, resolved when all of it has been read; plain code where it has no such entry."""
    return EntryReference("", nodes.literal("", entry.shown), entry=entry.name)


class EntryReference(nodes.Inline, nodes.Element):
    """A name of the list, which becomes a link to its place in the reference."""


# ------------------------------------------------------------------------------ the reference and the matrix


class TaughtEntries(SphinxDirective):
    """``.. taught-entries::``: the matrix, a table for each section of the list."""

    def run(self):
        entries, found = taught.listed().values(), []
        for title in dict.fromkeys(entry.section for entry in entries):
            section = nodes.section("", nodes.title("", title), ids=[nodes.make_id(title)])
            section += self.table([entry for entry in entries if entry.section == title])
            found.append(section)
        return found

    def table(self, entries):
        links, _ = self.env.teaches
        body = nodes.tbody()
        for entry in entries:
            places = [paragraph_of_links([each]) for each in links[entry.name]]
            body += row(pending(entry), nodes.Text(entry.promise),
                        places or [nodes.paragraph("", "not yet")])
        group = nodes.tgroup(cols=3)
        group += [nodes.colspec(colwidth=width) for width in (28, 37, 35)]
        group += nodes.thead("", row(*[nodes.Text(each) for each in ("Entry", "What it promises", "Taught in")]))
        group += body
        return nodes.table("", group, classes=["taught-entries"])


def row(*cells):
    return nodes.row("", *[nodes.entry("", *cell) if isinstance(cell, list) else
                           nodes.entry("", nodes.paragraph("", "", cell)) for cell in cells])


class CellReference(nodes.Inline, nodes.Element):
    """A link to a cell of a tutorial: the title of its page, and the section."""


def paragraph_of_links(links, before=""):
    line = nodes.paragraph("", before)
    for number, (docname, anchor, title, section) in enumerate(links):
        line += nodes.Text("; " if number else "")
        line += CellReference("", nodes.emphasis("", title), to=docname, anchor=anchor)
        line += nodes.Text(f", {section}" if section else "")
    return line


def add_where_it_is_taught(app, domain, objtype, content):
    """Below the docstring of an entry: where the tutorials teach it."""
    if domain != "py":
        return
    for signature in content.parent.findall(addnodes.desc_signature):
        name = app.teaches.entry_of(signature)
        links = app.teaches.links(name) if name else []
        if links:
            line = paragraph_of_links(links, "Taught in: ")
            line["classes"].append("taught-in")
            content += line
        return


def resolve(app, doctree, docname):
    """Turn the references of this extension into links, now that all documents have been read."""
    for node in list(doctree.findall(CellReference)):
        uri = app.builder.get_relative_uri(docname, node["to"]) + "#" + node["anchor"]
        node.replace_self(nodes.reference("", "", *node.children, internal=True, refuri=uri))
    if any(True for _ in doctree.findall(EntryReference)):
        places = places_of_the_entries(app)
        for node in list(doctree.findall(EntryReference)):
            if node["entry"] in places:
                to, anchor = places[node["entry"]]
                uri = app.builder.get_relative_uri(docname, to) + "#" + anchor
                node.replace_self(nodes.reference("", "", *node.children, internal=True, refuri=uri))
            else:
                node.replace_self(node.children)


def places_of_the_entries(app):
    """{name of an entry: (document, anchor) in the reference}"""
    found = {}
    for name, described in app.env.domains.python_domain.objects.items():
        entry = app.teaches.entry_of({"fullname": name.removeprefix("minigrad.")})
        if entry:
            found.setdefault(entry, (described.docname, described.node_id))
    for name in app.teaches.entries:                # Tensor.exp is described with torch.exp
        function = "minigrad." + name.removeprefix("torch.Tensor.").removesuffix("_")
        described = app.env.domains.python_domain.objects.get(function)
        if name.startswith("torch.Tensor.") and described:
            found.setdefault(name, (described.docname, described.node_id))
    return found


def setup(app):
    app.setup_extension("rebuilding")
    app.add_node(CellReference)
    app.add_node(EntryReference)
    app.add_directive("cell", CellAnchor)
    app.add_directive("cell-notes", CellNotes)
    app.add_directive("taught-entries", TaughtEntries)
    app.connect("builder-inited", read_the_claims, priority=100)
    app.connect("env-get-outdated", read_again)
    app.connect("source-read", mark_the_cells, priority=600)
    app.connect("object-description-transform", add_where_it_is_taught)
    app.connect("doctree-resolved", resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
