"""The search: its index, what names and titles lead where, and stems that are found once.

Readers mostly type a name, an error's message or the title of something.  `names` writes down where these are, and
``_static/search.js`` answers with them first.  The text of the pages is found by Pagefind, whose index is in many small
files, so that a search loads only some of them.  Without Pagefind, Sphinx's own search answers.
"""

import importlib.util
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import minigrad
from docutils import nodes
from minigrad import error_pages
from sphinx import addnodes
from sphinx.search.en import SearchEnglish
from sphinx.util import logging

logger = logging.getLogger(__name__)

stem = SearchEnglish.stem
INDEXED = importlib.util.find_spec("pagefind") is not None and importlib.util.find_spec("pagefind_bin") is not None
#: A message on an error page: the last lines of a traceback, from the class on.
MESSAGE = re.compile(r"^(?:[\w.]+\.)?\w+(?:Error|Warning|Exception): (.+?)(?=\n\n|\n>>>|\Z)", re.MULTILINE | re.DOTALL)
#: A message in the sources: the code, and strings that follow each other.
RAISED = re.compile(r'"(MG\d+)",\s*((?:f?"(?:[^"\\\n]|\\.)*"\s*)+)')
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


def parameters(env, pages):
    """{the name of a parameter: [page, anchor] of each signature that has it}; names of one word are too many."""
    found = {}
    for page in sorted(pages):
        for signature in env.get_doctree(page).findall(addnodes.desc_signature):
            for one in signature.findall(addnodes.desc_parameter):
                name = one.astext().partition("=")[0].strip("* ")
                if "_" in name and signature["ids"]:
                    found.setdefault(name, []).append([page, signature["ids"][0]])
    return found


def write(app, failure):
    if failure or app.builder.format != "html":
        return
    found = json.dumps(names(app), ensure_ascii=False, separators=(",", ":"))
    Path(app.outdir, "_static", "search-names.json").write_text(found, encoding="utf-8")
    if INDEXED:
        command = [sys.executable, "-m", "pagefind", "--site", str(app.outdir), "--root-selector", "article",
                   "--exclude-selectors", ".headerlink, .linenos", "--quiet"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            logger.warning("Pagefind made no index of the site: %s", (done.stderr or done.stdout).strip())


def setup(app):
    SearchEnglish.stem = cache(stem)
    app.config.html_context["pagefind"] = INDEXED
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
