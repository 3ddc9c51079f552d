"""The errors on the site: ``.. error-catalogue::`` lists them all, ``.. error-page:: MG101`` shows the page of one.

The pages are the text files of ``minigrad/error_pages``, which the command line prints; here each becomes a page of
its own, ``errors/MG101``, and the list links to them.

Where a page says ``>>> print(torch.viz.graph(...))``, the terminal shows the graph in words.  The site shows it like a
notebook: ``>>> torch.viz.graph(...)`` and the drawing, made here by the page's own program.

Every program of a page runs while the site is built, and must give the error, and the results, that the page shows.
"""

import contextlib
import doctest
import io
import re
import warnings
from pathlib import Path

from docutils import nodes
from docutils.nodes import make_id
from minigrad import error_pages
from minigrad._core.errors import CATALOGUE
from minigrad.error_pages.executing import failures
from sphinx import addnodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from fresh import start_afresh
from literate import write_if_new
from rebuilding import only

logger = logging.getLogger(__name__)

#: The line of a page that prints a graph in words, and the words.
TOLD = re.compile(r"^>>> print\((torch\.viz\.graph\(.*\))\)\n(?:.|\n)*", re.MULTILINE)


def graphs_of(text):
    """The graphs that a page prints in words, found by running its programs from top to bottom; these fail, as they
    should."""
    start_afresh()
    names, found = {}, []
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for example in doctest.DocTestParser().get_examples(text):
            told = TOLD.match(f">>> {example.source}")
            if told:
                found.append(eval(told[1], names))
            else:
                with contextlib.suppress(Exception):
                    exec(compile(example.source, "<page>", "exec"), names)
    return found


class ErrorCatalogue(SphinxDirective):
    def run(self):
        return [
            nodes.section("", nodes.title(heading, heading), *map(self.entry, names), ids=[make_id(heading)])
            for heading, names in error_pages.groups()
        ]

    def entry(self, name):
        title = error_pages.title(name)
        if name not in CATALOGUE:
            return nodes.paragraph("", "", self.link(name, title), ids=[name])
        exception = CATALOGUE[name][0]
        base = next(each for each in exception.__mro__ if each.__module__ == "builtins" and each is not Exception)
        kind = nodes.inline(base.__name__, base.__name__, classes=["error-class"])
        code = nodes.literal("", "", self.link(name, name))
        return nodes.paragraph("", "", code, nodes.Text(f"  {title}. "), kind, ids=[name])

    def link(self, name, text):
        where = {"refdomain": "std", "reftype": "doc", "reftarget": f"/errors/{name}", "refdoc": self.env.docname}
        return addnodes.pending_xref("", nodes.inline(text, text), **where, refexplicit=True, refwarn=True)


class ErrorPage(SphinxDirective):
    """A page below its title, and the class to catch, from the catalogue."""

    required_arguments = 1

    def run(self):
        name = self.arguments[0]
        self.env.note_dependency(str(Path(error_pages.__file__).with_name(f"{name}.rst")))
        text = error_pages.page(name).split("\n", 2)[2]
        start_afresh()
        for report in failures(name, text):
            logger.warning("the page of %s does not show the output of its program:\n%s", name, report,
                           location=self.get_location())
        body = self.parse_text_to_nodes(text, allow_section_headings=True)
        for drawing in [block for part in body for block in part.findall(nodes.literal_block)]:
            drawing["language"] = "text"  # or numbers and words in it would be coloured as Python
        graphs = iter(graphs_of(text))
        for told in [block for part in body for block in part.findall(nodes.doctest_block)
                     if TOLD.search(block.astext())]:
            shown = TOLD.sub(r">>> \1", told.astext())
            told.replace_self([nodes.doctest_block(shown, shown),
                               nodes.raw("", next(graphs)._repr_html_(), format="html")])
        return [*body, *self.caught(name)]

    def caught(self, name):
        command = f"In a terminal: `python -m minigrad explain {name}`."
        if name in CATALOGUE:
            bases = [each.__name__ for each in CATALOGUE[name][0].__mro__ if each.__module__ == "builtins"]
            named = " or ".join(f"`except {each}`" for each in bases[: bases.index("Exception")])
            command = f"To catch it: {named}; its `code` is `\"{name}\"`. {command}"
        return [nodes.transition(), *self.parse_text_to_nodes(command)]


def write_pages(app):
    """Write a small file for each page, with the title for Sphinx's tables of contents, and the directive."""
    if only(app) is not None:                       # the library is as it was
        return
    folder = Path(app.srcdir, "errors")
    folder.mkdir(exist_ok=True)
    written = set()
    for name in error_pages.names():
        title = error_pages.page(name).partition("\n")[0]
        page = folder / f"{name}.rst"
        write_if_new(page, f"{title}\n{'=' * len(title)}\n\n.. error-page:: {name}\n")
        written.add(page)
    for stale in set(folder.glob("*.rst")) - written:
        stale.unlink()


def setup(app):
    app.setup_extension("rebuilding")
    app.add_directive("error-catalogue", ErrorCatalogue)
    app.add_directive("error-page", ErrorPage)
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
