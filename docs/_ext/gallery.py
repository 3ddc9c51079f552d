"""Additions to sphinx-gallery: a fresh start for each tutorial, and notebooks and outputs that read well.

sphinx-gallery runs a tutorial, and writes it as a page and as a notebook.  For notebooks it
understands only plain reStructuredText, so Sphinx's roles and equation labels become Markdown first.  On pages a
progress bar leaves a line for each of its states; only the last one is kept.
"""

import re
from pathlib import Path

import matplotlib
from sphinx_gallery import notebook

from fresh import start_afresh

rst2md = notebook.rst2md

ROLE = re.compile(r":(?!math\b)[a-z:]+:`(?:([^`<]+?)\s*<[^`>]+>|~[^`]*?([^`.]+)|([^`]+))`")
LABEL = re.compile(r"^(\.\. math::.*)\n +:label: *(\S+)((?:\n|.)*?)(?=\n\S|\Z)", re.MULTILINE)
BAR = re.compile(r"^ .*\d+%\|.*\|.*\n(?= .*\d+%\|.*\|)", re.MULTILINE)


def reset_minigrad(gallery_conf, script):
    """Start every tutorial as in a fresh interpreter; no figure is cut off."""
    matplotlib.rcParams["savefig.bbox"] = "tight"
    start_afresh()


def with_tag(match):
    """``:label: chain`` becomes LaTeX's own tag, at the end of the equation."""
    directive, label, equation = match.groups()
    return f"{directive}\n{equation.rstrip()} \\tag{{{label}}}\n"


def rst2markdown(text, *args, **kwargs):
    text = LABEL.sub(with_tag, text)
    text = re.sub(r":eq:`([^`]+)`", r"(\1)", text)
    text = ROLE.sub(lambda match: f"`{next(filter(None, match.groups()))}`", text)
    return rst2md(text, *args, **kwargs)


def keep_the_last_state(app, docname, source):
    """Keep only the last of the consecutive states of a progress bar."""
    if docname.startswith("tutorials/"):
        source[0] = BAR.sub("", source[0])


def remove_stale_pages(app):
    """Remove the pages of tutorials that were renamed or removed."""
    scripts = {path.stem for path in Path(app.srcdir, "..", "tutorials").glob("*.py")}
    for page in Path(app.srcdir, "tutorials").glob("[0-9][0-9]_*"):
        if page.name.partition(".")[0].removesuffix("_codeobj") not in scripts:
            page.unlink()


def setup(app):
    notebook.rst2md = rst2markdown
    app.connect("builder-inited", remove_stale_pages, priority=100)
    app.connect("source-read", keep_the_last_state)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
