"""Additions to sphinx-gallery: a fresh start for each tutorial, and notebooks and outputs that read well.

sphinx-gallery runs a tutorial, and writes it as a page and as a notebook.  For notebooks it
understands only plain reStructuredText, so Sphinx's roles and equation labels become Markdown first.  On pages a
progress bar leaves a line for each of its states; only the last one is kept.  Code between ``start_ignore`` and
``end_ignore`` only draws: a page shows what it draws, and a notebook has the code as well.  Each build makes the same
downloads.
"""

import hashlib
import os
import re
import zipfile
from pathlib import Path
from textwrap import dedent

import matplotlib
from sphinx_gallery import gen_rst, notebook, py_source_parser

import exercises
import teaches
from course import PAGES, TUTORIALS, title_of
from fresh import start_afresh
from rebuilding import forget_runs_with_another, only

rst2md, add_code_cell = notebook.rst2md, notebook.add_code_cell
codestr2rst = gen_rst.codestr2rst
ROOT = TUTORIALS.parent

ROLE = re.compile(r":(?!math\b)[a-z:]+:`(?:([^`<]+?)\s*<[^`>]+>|~[^`]*?([^`.]+)|([^`]+))`")
PAGE = re.compile(r":doc:`(?:([^`<]+?)\s*<([^`>]+)>|([^`]+))`")
LABEL = re.compile(r"^(\.\. math::.*)\n +:label: *(\S+)((?:\n|.)*?)(?=\n\S|\Z)", re.MULTILINE)
BOX = re.compile(r"^\.\. admonition:: (.+)\n\n((?: {3}.*\n?|\n)+)", re.MULTILINE)
DROPDOWN = re.compile(r"^\.\. dropdown:: (.+)\n\n((?: {3}.*\n?|\n)+)", re.MULTILINE)
FOLDED = re.compile(r"^\.\. folded:: (.+)$", re.MULTILINE)
IGNORED = re.compile(r"(?<=# )sphinx_gallery_(start|end)_ignore$", re.MULTILINE)
#: What the marks of hidden code become while a page and a notebook are made of one script.
MARKS = re.compile(r"^[ \t]*# (?:start|end) of hidden code\n?", re.MULTILINE)
HIDDEN = re.compile(r"^[ \t]*# start of hidden code\n.*?^[ \t]*# end of hidden code\n?", re.MULTILINE | re.DOTALL)
BAR = re.compile(r"^ .*\d+%\|.*\|.*\n(?= .*\d+%\|.*\|)", re.MULTILINE)
TAGS = re.compile(r"^\.\. raw:: html\n\n  <div id='sg-tag-list'[^\n]*</div>\n", re.MULTILINE)

#: The first cell of every notebook.  `make publish AT=...` writes the address of the site's own wheels into it.
FIRST_CELL = """\
# Where minigrad is installed, this cell does nothing. Elsewhere it installs the wheel that
# fits, from a folder of wheels: its address, or its path.
wheels = "path/to/wheelhouse"

import importlib.util
import sys

if importlib.util.find_spec("minigrad") is None:
    %pip install --quiet --find-links "{wheels}" --only-binary minigrad-autograd \\
        minigrad-autograd matplotlib scikit-learn tqdm
    importlib.invalidate_caches()
    if importlib.util.find_spec("minigrad") is None:
        raise ModuleNotFoundError(
            f"No wheel of minigrad in {wheels} fits Python {sys.version.split()[0]} on this machine. "
            f"Build one in a clone of minigrad, with {sys.executable} -m pip wheel . --wheel-dir "
            "wheelhouse, and write the path of that folder above.")"""


def start_a_tutorial(gallery_conf, script):
    """Say which tutorial runs, and start it as in a fresh interpreter; no figure is cut off."""
    page, = (page for page in PAGES if page.endswith("/" + Path(script).stem))
    print(f"[{PAGES.index(page) + 1}/{len(PAGES)}] {title_of(page)}", flush=True)
    matplotlib.rcParams["savefig.bbox"] = "tight"
    start_afresh()


def with_tag(match):
    """``:label: chain`` becomes LaTeX's own tag, at the end of the equation."""
    directive, label, equation = match.groups()
    return f"{directive}\n{equation.rstrip()} \\tag{{{label}}}\n"


def with_notebook(match):
    """A page of the course, told by its title and its notebook: a link from a download would lead nowhere."""
    title, target, alone = match.groups()
    name = (target or alone).rpartition("/")[2]
    page = next((page for page in PAGES if page.endswith(f"/{name}")), None)
    if page is None:
        return title or f"`{name}`"
    return f"{title or f'*{title_of(page)}*'} (`{name}.ipynb`)"


def quoted(match):
    """A box with a title becomes a quotation."""
    title, body = match.groups()
    lines = [f"**{title}**", "", *dedent(body).strip().splitlines()]
    return "".join(f"> {line}".rstrip() + "\n" for line in lines) + "\n"


def unfolding(match):
    """What a page folds, a notebook folds as well."""
    words, body = match.groups()
    return f"<details><summary>{words}</summary>\n\n{dedent(body).strip()}\n\n</details>\n\n"


def rst2markdown(text, *args, **kwargs):
    text = LABEL.sub(with_tag, text)
    text = BOX.sub(quoted, text)
    text = DROPDOWN.sub(unfolding, text)
    text = FOLDED.sub(r"*\1:*", text)
    text = PAGE.sub(with_notebook, text)
    text = re.sub(r":eq:`([^`]+)`", r"(\1)", text)
    text = ROLE.sub(lambda match: f"`{next(filter(None, match.groups()))}`", text)
    return rst2md(text, *args, **kwargs)


def keep_the_last_state(app, docname, source):
    """Keep only the last of the consecutive states of a progress bar."""
    if docname.startswith("tutorials/"):
        source[0] = BAR.sub("", source[0])


def leave_out_the_tags(app, docname, source):
    """Of tags, which this course has none of, sphinx-gallery writes an empty list for each part, all with one id."""
    if docname.startswith("tutorials/"):
        source[0] = TAGS.sub("", source[0])


def keep_hidden_code(code):
    """sphinx-gallery would leave it out here, of the notebook too."""
    return IGNORED.sub(r"\1 of hidden code", code)


def code_of_a_page(code, *args, **kwargs):
    return codestr2rst(HIDDEN.sub("", code), *args, **kwargs)


def add_code_to_notebook(made, code):
    add_code_cell(made, MARKS.sub("", code))


def zip_files(paths, archive, folder):
    """sphinx-gallery's own, without the times of the files: those of the notebooks are of the build."""
    with zipfile.ZipFile(archive, "w") as made:
        for path in map(Path, paths):
            made.writestr(zipfile.ZipInfo(path.relative_to(folder).as_posix()), path.read_bytes())


def digest_of_the_package():
    """A number that changes with the library's sources: what a tutorial prints depends on them too."""
    digest = hashlib.sha256()
    for path in sorted(ROOT.glob("minigrad/**/*.p[yx]*")) + sorted(ROOT.glob("minigrad/**/*.h")):
        if path.suffix in (".py", ".pyx", ".pxd", ".h"):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def start_no_processes_for_one(app):
    """Where no tutorial or one has changed, this process runs it."""
    changed = only(app)
    if changed is not None and sum(name.startswith("tutorials/") for name in changed) < 2:
        app.config.sphinx_gallery_conf["parallel"] = False


def remove_stale_pages(app):
    """Remove the pages of tutorials that were renamed, and have all run again if the library has changed."""
    folder = Path(app.srcdir, "tutorials")
    forget_runs_with_another(digest_of_the_package(), folder)
    scripts = {page.replace("/", os.sep) for page in PAGES}
    for page in folder.rglob("*.*"):
        name = str(page.relative_to(folder)).partition(".")[0].removesuffix("_codeobj")
        pictured = page.is_dir() or page.parent.name in ("images", "thumb")
        if not pictured and page.stem not in ("index", "package") and name not in scripts:
            page.unlink()


# Tutorials run in several processes, which write notebooks too. Each imports this file, and sets up no extension.
gen_rst.save_notebook = exercises.save_with_exercises
py_source_parser.remove_config_comments = teaches.without_claims
notebook.rst2md = rst2markdown
notebook.add_code_cell = add_code_to_notebook
gen_rst.codestr2rst = code_of_a_page
gen_rst.zip_files = zip_files
py_source_parser.remove_ignore_blocks = keep_hidden_code


def setup(app):
    app.setup_extension("rebuilding")
    app.connect("builder-inited", start_no_processes_for_one, priority=100)
    app.connect("builder-inited", remove_stale_pages, priority=100)
    app.connect("source-read", keep_the_last_state)
    app.connect("source-read", leave_out_the_tags)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
