"""The search: its index, what names and titles lead where, and stems that are found once.

Readers mostly type a name, an error's message or the title of something.  `names` writes down where these are, and
``_static/search.js`` answers with them first.  The text of the pages is found by Pagefind, whose index is in many small
files, so that a search loads only some of them.  The sources have an index of their own, since most of the words are
theirs: a change of another page leaves it as it is.  Without Pagefind, Sphinx's own search answers.
"""

import hashlib
import importlib.util
import json
import re
import shutil
import subprocess
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path

import minigrad
from docutils import nodes
from minigrad import error_pages
from sphinx import addnodes
from sphinx.environment.collectors import EnvironmentCollector
from sphinx.search import IndexBuilder
from sphinx.search.en import SearchEnglish
from sphinx.util import logging
from sphinx.util.index_entries import split_index_msg

logger = logging.getLogger(__name__)

stem, freeze = SearchEnglish.stem, IndexBuilder.freeze
INDEXED = importlib.util.find_spec("pagefind") is not None and importlib.util.find_spec("pagefind_bin") is not None
#: A message on an error page: the last lines of a traceback, from the class on.
MESSAGE = re.compile(r"^(?:[\w.]+\.)?\w+(?:Error|Warning|Exception): (.+?)(?=\n\n|\n>>>|\Z)", re.MULTILINE | re.DOTALL)
#: A message in the sources: the code, and strings that follow each other.
RAISED = re.compile(r'"(MG\d+)",\s*((?:f?"(?:[^"\\\n]|\\.)*"\s*)+)')
#: Where an index is, and whether it has the sources.
INDEXES = {"pagefind": False, "pagefind-sources": True}
OPTIONS = ("--root-selector", "article", "--exclude-selectors", ".headerlink, .linenos", "--quiet")
CHAPTERS = ("tutorials", "homework", "reference", "notes", "teaching", "index", "read")


def names(app):
    """What leads where.

    These are ``objects`` by page, ``titles`` and ``terms``, each [page, text, anchor], ``errors``, each [code, title,
    messages], ``beliefs`` of students, each [the page that answers it, text], and `parameters`.
    """
    env = app.env
    objects, titles, errors, beliefs = {}, [], [], []
    for name, _, _, page, anchor, _ in env.get_domain("py").get_objects():
        short = name.removeprefix("minigrad.")
        if name == anchor and not any(part.startswith("_") and not part.endswith("__") for part in short.split(".")):
            objects.setdefault(page, []).append(short)
    for page, title in sorted(env.titles.items()):
        titles.append([page, title.astext(), ""])
        if page.partition("/")[0] in CHAPTERS:
            titles += [[page, link.astext(), link["anchorname"][1:]] for link in env.tocs[page].findall(nodes.reference)
                       if link["anchorname"] and not link["anchorname"].startswith("#minigrad.")]
    raised = messages()
    for code in error_pages.names():
        said = " ".join([*MESSAGE.findall(error_pages.page(code)), *raised.get(code, [])])
        errors.append([code, error_pages.title(code), " ".join(said.split())])
    believed = "teaching/misconceptions"
    for row in env.get_doctree(believed).findall(nodes.row) if believed in env.titles else []:
        for link in list(row.findall(addnodes.pending_xref))[:1]:
            beliefs.append([link["reftarget"].removeprefix("/"), row[0].astext()])
    terms = [[page, name, anchor] for name, _, kind, page, anchor, _ in env.get_domain("std").get_objects()
             if kind == "term"]
    return {"objects": objects, "titles": titles, "terms": terms, "errors": errors, "beliefs": beliefs,
            "parameters": parameters(env, objects)}


def messages():
    """How the messages with each code begin, as the sources have them, without what is filled in."""
    found = {}
    for path in sorted(Path(minigrad.__file__).parent.rglob("*.p*")):
        if path.suffix in (".py", ".pyx", ".pxd"):
            for code, strings in RAISED.findall(path.read_text(encoding="utf-8")):
                said = "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', strings))
                found.setdefault(code, []).append(" ".join(re.sub(r"\{+[^{}]*\}+", " ", said).split()[:15]))
    return found


class Parameters(EnvironmentCollector):
    """[(the name of a parameter, anchor)] of the signatures on a page, noted when it is read.

    Names of one word are too many.
    """

    def clear_doc(self, app, env, docname):
        env.minigrad_parameters.pop(docname, None)

    def merge_other(self, app, env, docnames, other):
        env.minigrad_parameters |= {name: other.minigrad_parameters.get(name, []) for name in docnames}

    def process_doc(self, app, doctree):
        found = []
        for signature in doctree.findall(addnodes.desc_signature):
            for one in signature.findall(addnodes.desc_parameter):
                name = one.astext().partition("=")[0].strip("* ")
                if "_" in name and signature["ids"]:
                    found.append((name, signature["ids"][0]))
        app.env.minigrad_parameters[app.env.current_document.docname] = found


def parameters(env, pages):
    """{the name of a parameter: [page, anchor] of each signature that has it}"""
    found = {}
    for page in sorted(pages):
        for name, anchor in env.minigrad_parameters.get(page, ()):
            found.setdefault(name, []).append([page, anchor])
    return found


def frozen(self):
    """Sphinx's index, as after a build of everything: it forgets the index entries of pages that were not written
    again, and keeps words that are gone."""
    for mapping in (self._mapping, self._title_mapping):
        for word in [word for word, pages in mapping.items() if not pages]:
            del mapping[word]
    for page, entries in sorted(self._domains.index_domain.entries.items()):
        self._index_entries.pop(page, None)                 # or the order would be that of writing
        self._index_entries[page] = sorted({(part, target or "", main) for kind, value, target, main, _ in entries
                                            for part in split_index_msg(kind, value)})
    return freeze(self)


def prepare(app):
    if not hasattr(app.env, "minigrad_parameters"):
        app.env.minigrad_parameters = {}


def index(app, place, pages):
    """Have Pagefind index these pages, unless they are the same as when it last did."""
    folder, known = Path(app.outdir, place), Path(app.doctreedir, f"{place}.sha256")
    digest = hashlib.sha256(repr((version("pagefind-bin"), OPTIONS)).encode())
    for page in pages:
        digest.update(page.as_posix().encode() + b"\0" + Path(app.outdir, page).read_bytes())
    if folder.exists() and known.exists() and known.read_text() == digest.hexdigest():
        return
    shutil.rmtree(folder, ignore_errors=True)               # it would keep the files of the index before
    names = sorted({f"{page.parts[0]}/**/*.html" if page.parts[1:] else page.name for page in pages})
    command = [sys.executable, "-m", "pagefind", "--site", str(app.outdir), "--output-subdir", place, "--glob",
               f"{{{','.join(names)}}}", *OPTIONS]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        logger.warning("Pagefind made no index of the site: %s", (done.stderr or done.stdout).strip())
    else:
        known.write_text(digest.hexdigest())


def write(app, failure):
    if failure or app.builder.format != "html":
        return
    found = json.dumps(names(app), ensure_ascii=False, separators=(",", ":"))
    Path(app.outdir, "_static", "search-names.json").write_text(found, encoding="utf-8")
    if INDEXED:
        pages = sorted(path.relative_to(app.outdir) for path in Path(app.outdir).rglob("*.html"))
        for place, sources in INDEXES.items():
            index(app, place, [page for page in pages if (page.parts[0] == "reading") == sources])


def setup(app):
    SearchEnglish.stem = cache(stem)
    IndexBuilder.freeze = frozen
    app.config.html_context["pagefind"] = INDEXED
    app.add_env_collector(Parameters)
    app.connect("builder-inited", prepare)
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "env_version": 1}
