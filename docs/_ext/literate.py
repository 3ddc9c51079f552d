"""Sources as pages to read: prose as prose, code as code, in the order of the file.

Each source of the library becomes a page; ``read.rst`` gives the best order in which to read them, and
Sphinx warns about a page that has no place there.  Prose is the module's docstring, and comments that start
at the margin.  A comment that is a line of dashes and a name opens a section; a comment that begins with ``Note [its
name]`` and a line of dashes is a note.  The rest is shown unchanged, with the line numbers of the file.
"""

import ast
import re
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_id

from prose import as_rst
from rebuilding import only

SECTION = re.compile(r"^# ?[-=]{8,} +(\S.*?)[ -=]*$")
DOCSTRING = re.compile(r'\A(?:#[^\n]*\n|\s*\n)*[rR]?("""(?:.|\n)*?""")\n?')
LANGUAGES = {".py": "python", ".pyx": "cython", ".pxd": "cython", ".h": "c", ".c": "c"}


def segments(source):
    """Yield ("docstring" | "section" | "prose" | "code", text, line) for a file from top to bottom."""
    lines = source.splitlines()
    start = 0
    if match := DOCSTRING.match(source):
        yield "docstring", ast.literal_eval(match.group(1)), 1
        start = match.group(0).count("\n")
    while start < len(lines):
        kind, end = kind_of(lines, start), start + 1
        if kind != "section":
            while end < len(lines) and kind_of(lines, end) in (kind, "blank"):
                end += 1
        text = lines[start:end]
        if kind == "section":
            yield kind, SECTION.match(text[0]).group(1), start + 1
        elif kind == "prose":
            yield kind, "\n".join(re.sub(r"^# ?", "", line) for line in text), start + 1
        elif kind == "code":
            yield kind, "\n".join(text).rstrip(), start + 1
        start = end


def kind_of(lines, number):
    line = lines[number]
    if not line.strip():
        return "blank"
    if SECTION.match(line):
        return "section"
    return "prose" if re.match(r"#( |$)(?! ?cython:)", line) else "code"


class Literate(SphinxDirective):
    """``.. literate:: minigrad/_core/backward/engine.pyx`` shows this file; the path is relative to the repository."""

    required_arguments = 1

    def run(self):
        path = Path(self.config.literate_root, self.arguments[0])
        self.env.note_dependency(str(path))
        found = place = []
        for kind, text, line in segments(path.read_text(encoding="utf-8")):
            if kind == "section":
                place = self.section(text, path.stem)
                found.append(place)
            elif kind == "code":
                place.append(self.code(text, line, path.suffix))
            else:
                place.extend(self.parse_text_to_nodes(as_rst(text)))
        return found

    def section(self, title, stem):
        title = title[0].upper() + title[1:]
        section = nodes.section("", nodes.title("", title))
        section["ids"].append(make_id(self.env, self.state.document, stem, title))
        return section

    def code(self, text, line, suffix):
        block = nodes.literal_block(text, text, language=LANGUAGES[suffix], force=True)
        block["linenos"] = True
        block["highlight_args"] = {"linenostart": line}
        block["classes"].append("literate")
        return block


def write_pages(app):
    """Write a page for each source of the library: a ``.pyx`` with its declarations below it, or declarations alone."""
    if only(app) is not None:                       # the library is as it was
        return
    root = Path(app.config.literate_root)
    folder = Path(app.srcdir, "reading")
    folder.mkdir(exist_ok=True)
    written = set()
    alone = [path for path in root.glob("minigrad/**/*.pxd") if not path.with_suffix(".pyx").exists()]
    for path in sorted([*root.glob("minigrad/**/*.py"), *root.glob("minigrad/**/*.pyx"), *alone]):
        name = path.relative_to(root).as_posix()
        title = f"``{name.removeprefix('minigrad/')}``"
        parts = [title, "=" * len(title), "", f".. literate:: {name}", ""]
        declarations = path.with_suffix(".pxd")
        if path.suffix == ".pyx" and declarations.exists():
            heading = f"Declarations: ``{declarations.name}``"
            parts += [heading, "-" * len(heading), "", f".. literate:: {declarations.relative_to(root).as_posix()}", ""]
        if path.stat().st_size:
            page = folder / (page_of(name) + ".rst")
            write_if_new(page, "\n".join(parts))
            written.add(page)
    for stale in set(folder.glob("*.rst")) - written:
        stale.unlink()


def page_of(name):
    """``minigrad/_core/graph/graph.pyx`` is read at ``reading/_core-graph-graph``."""
    return name.removeprefix("minigrad/").rpartition(".")[0].replace("/", "-")


def write_if_new(path, text):
    """Leave an unchanged page alone, so that Sphinx does not read it again."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def setup(app):
    app.setup_extension("rebuilding")
    app.add_config_value("literate_root", "", "env")
    app.add_directive("literate", Literate)
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
