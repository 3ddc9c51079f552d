"""The path through the course, from ``tutorials/path.toml``: the order of parts and pages, and where a page is.

Each page gets a line that names its part, its place there and how long it takes, and a map of the part in which the
page is marked. Each part gets its time and the parts that it needs.
"""

import html
import re
import tomllib
from pathlib import Path

TUTORIALS = Path(__file__).resolve().parents[2] / "tutorials"
PARTS = tomllib.loads((TUTORIALS / "path.toml").read_text(encoding="utf-8"))["parts"]
#: "folder/page" of every page, in the order of reading.
PAGES = [f"{part['folder']}/{page}" for part in PARTS for page in part["pages"]]
TITLE = re.compile(r"^(?P<line>=+)\n(?P<over>\S.*)\n(?P=line)$|^(?P<title>\S.*)\n=+$", re.MULTILINE)


class Order:
    """The key by which sphinx-gallery sorts the pages of a part."""

    def __init__(self, folder):
        self.names = [page.rpartition("/")[2] + ".py" for page in PAGES]

    def __call__(self, name):
        return self.names.index(name)


def letter(part):
    """A for the first part, B for the second."""
    return "ABCDEFGHIJ"[PARTS.index(part)]


def title_of(page):
    """The title of a page, without markup: the first line of its script's docstring."""
    lines = (TUTORIALS / f"{page}.py").read_text(encoding="utf-8").splitlines()
    first = next(line for line in lines if line.strip('r" '))
    return re.sub(r"``|:\w+:|`", "", first).strip()


def duration(minutes):
    hours, rest = divmod(minutes, 60)
    if not hours:
        return f"{minutes} minutes"
    return f"{hours} h {rest} min" if rest else f"{hours} h"


def map_of(part, here=None):
    """The pages of a part as stations on a line, each a link; the page ``here`` is marked."""
    stations = []
    for page in part["pages"]:
        title = html.escape(title_of(f"{part['folder']}/{page}"))
        current = ' class="here" aria-current="page"' if page == here else ""
        stations.append(f'<li{current}><a href="{page}.html">{title}</a></li>')
    return f'<nav class="part-map" aria-label="The pages of this part"><ol>{"".join(stations)}</ol></nav>'


def place_of(docname):
    """What is said under the title of ``docname``, as reStructuredText; None for pages outside the course."""
    _, _, rest = docname.partition("tutorials/")
    folder, _, page = rest.partition("/")
    part = next((part for part in PARTS if part["folder"] == folder), None)
    if part is None or page not in (*part["pages"], "index"):
        return None
    if page == "index":
        needs = [f":doc:`{other['title']} </tutorials/{other['folder']}/index>`"
                 for other in PARTS if other["folder"] in part["needs"]]
        words = f"Part {letter(part)} takes about {duration(sum(part['pages'].values()))}. "
        words += f"It builds on {' and '.join(needs)}." if needs else "It needs some Python and NumPy."
        return f".. rst-class:: place\n\n{words}\n\n"
    number = [*part["pages"]].index(page) + 1
    words = (f"Part {letter(part)}, :doc:`{part['title']} </tutorials/{folder}/index>`: page {number} of "
             f"{len(part['pages'])}, about {duration(part['pages'][page])}.")
    return f".. rst-class:: place\n\n{words}\n\n.. raw:: html\n\n   {map_of(part, page)}\n\n"


def add_place(app, docname, source):
    """Insert the place of a page under its title; in the index of the course, that of a part under each part's."""
    if docname == "tutorials/index":
        titles = {match.group("title"): match.end() for match in TITLE.finditer(source[0])}
        for part in reversed(PARTS):
            insert(source, titles[part["title"]], place_of(f"tutorials/{part['folder']}/index"))
    elif docname.startswith("tutorials/") and (place := place_of(docname)):
        insert(source, TITLE.search(source[0]).end(), place)


def insert(source, end, place):
    source[0] = f"{source[0][:end]}\n\n{place}{source[0][end:]}"


def setup(app):
    app.connect("source-read", add_place)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
