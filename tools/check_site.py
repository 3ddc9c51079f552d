"""Checks the built site: no page loads anything from the network, and every local link has its end.

    python tools/check_site.py docs/_build/html [FILE]

A page that needs a CDN is blank on a train.  Links that a reader may follow are free to lead outside;
what the browser loads by itself is not.  No id comes twice in a page.  Notebooks are
read too: valid, and free of Sphinx's markup.  FILE remembers what was read, and a page that is the same is not read
again.
"""

import hashlib
import json
import pickle
import posixpath
import re
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: element -> the attribute through which the browser loads something by itself
LOADS = {
    "script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "audio": "src",
    "embed": "src", "object": "data", "link": "href",
}
URL = re.compile(r"url\(\s*['\"]?([^'\")]+)")
OUTSIDE = re.compile(r"^(?:[a-z]+:)?//")


class Page(HTMLParser):
    """Collects what a page loads, where it links to, the names that others may link to, and the ids that come twice."""

    def __init__(self, text):
        super().__init__()
        self.loads, self.links, self.names, self.ids, self.twice = [], [], set(), set(), set()
        self.feed(text)

    def handle_starttag(self, tag, pairs):
        attributes = dict(pairs)
        if name := attributes.get("id"):
            (self.twice if name in self.ids else self.ids).add(name)
        self.names.update(filter(None, (attributes.get("id"), attributes.get("name"))))
        if tag == "link" and "canonical" in (attributes.get("rel") or ""):
            return
        if target := attributes.get(LOADS.get(tag)):
            self.loads.append(target)
        for candidate in (attributes.get("srcset") or "").split(","):
            self.loads.extend(candidate.split()[:1])
        self.loads.extend(URL.findall(attributes.get("style") or ""))
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])


def outside(target):
    return bool(OUTSIDE.match(target))


def read(text):
    """(what a page loads, its links, its names, ids that come twice)."""
    page = Page(text)
    return [*dict.fromkeys(page.loads)], [*dict.fromkeys(page.links)], page.names, sorted(page.twice)


def pages_of(site, kept=None):
    """{path from the site: what `read` found}; ``kept`` is a file that remembers it, by what a page contains."""
    known = pickle.loads(kept.read_bytes()) if kept and kept.exists() else {}
    pages, now = {}, {}
    for path in sorted(site.rglob("*.html")):
        content = path.read_bytes()
        key = hashlib.sha256(content).digest()
        pages[path.relative_to(site).as_posix()] = now[key] = known.get(key) or read(content.decode("utf-8"))
    if kept:
        kept.write_bytes(pickle.dumps(now))
    return pages


def broken(site, pages):
    """Yield one line for each thing that is wrong with a page."""

    @cache
    def place_of(folder, target):
        """(the page or file that is meant, from the site, or None if it is not there; the place in it).

        From all pages of a folder, a link has the same end, and most of their links are in their sidebars.
        """
        parts = urlsplit(target)
        if parts.scheme or parts.netloc:
            return "", ""
        if not parts.path:
            return ".", unquote(parts.fragment)
        goal = posixpath.normpath(posixpath.join(folder, unquote(parts.path)))
        return goal if goal in pages or (site / goal).exists() else None, unquote(parts.fragment)

    for where, (loads, links, names, twice) in pages.items():
        folder = posixpath.dirname(where)
        for target in loads:
            if outside(target):
                yield f"{where} loads {target} from the network"
        for name in twice:
            yield f"{where} has the id {name} twice"
        for target in dict.fromkeys([*links, *loads]):
            goal, place = place_of(folder, target)
            if goal == ".":
                goal = where
            if goal is None:
                yield f"{where} points to {target}, which is not there"
            elif place and goal in pages and place not in pages[goal][2]:
                yield f"{where} points to {target}, and that page has no such place"


def styles_that_load(site):
    for path in sorted(site.rglob("*.css")):
        for target in URL.findall(path.read_text(encoding="utf-8")):
            if outside(target):
                yield f"{path.relative_to(site)} loads {target} from the network"


def notebooks_with_markup(site):
    for path in sorted(site.rglob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            text = "".join(cell["source"])
            if cell["cell_type"] == "markdown" and (left := re.search(r"^\.\. \w+|:\w+:`|:label:", text, re.M)):
                yield f"{path.name}: {left.group(0)!r} is left in: {text[:60]!r}"


def main(folder, kept=None):
    site = Path(folder).resolve()
    pages = pages_of(site, kept and Path(kept))
    found = [*broken(site, pages), *styles_that_load(site), *notebooks_with_markup(site)]
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{len(pages)} pages checked: {len(found)} wrong, "
          + ("see above" if found else "nothing loaded from the network"))
    return 1 if found or not pages else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
