"""The course as one PDF, from the built site: every tutorial in the order of the path, the solutions at the end.

    python tools/make_pdf.py docs/_build/html docs/_build/minigrad-course.pdf

The tutorials become one long page, ``course.html`` beside the site's own, and Chromium prints it.
"""

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

from bs4 import BeautifulSoup

from browsers import OPTIONS, WHAT_TO_INSTALL, chromium

ROOT = Path(__file__).resolve().parent.parent
STYLE = """
@page { size: A4; margin: 18mm 16mm; }
body { font-size: 10.5pt; }
main.content { width: auto; max-width: none; padding: 0; }
.chapter, .part { break-before: page; }
.part + .chapter { break-before: auto; }
.cover { text-align: center; padding-top: 30%; }
.list-of-pages ol { list-style: none; padding-left: 1.5em; }
"""
#: What a page has for a screen only.
ON_SCREEN = ".headerlink, .sphx-glr-footer, .part-map, script, .copybtn, .mgp-controls"


def parts_of_the_path():
    return tomllib.loads((ROOT / "tutorials" / "path.toml").read_text(encoding="utf-8"))["parts"]


def article(site, page):
    """The text of a page, with what links to other pages of the course leading to their places in the PDF."""
    folder = f"tutorials/{page.rpartition('/')[0]}"
    soup = BeautifulSoup((site / "tutorials" / f"{page}.html").read_text(encoding="utf-8"), "html.parser")
    text = soup.find("article")
    for element in text.select(ON_SCREEN):
        element.decompose()
    for element in text.find_all(id=True):
        element["id"] = anchor(page, element["id"])
    for element in text.find_all(attrs={"src": True}):
        element["src"] = f"{folder}/{element['src']}"
        element.attrs.pop("srcset", None)
    for link in text.find_all("a", href=True):
        follow(link, site, folder, page)
    return text


def anchor(page, name=""):
    return f"{page.rpartition('/')[2]}--{name}"


def follow(link, site, folder, page):
    """Let a link lead to a place in the PDF, or to nothing: the rest of the site is not in it."""
    parts = urlsplit(link["href"])
    if parts.scheme:
        return
    goal = (site / folder / parts.path).resolve() if parts.path else site / "tutorials" / f"{page}.html"
    try:
        other = goal.relative_to(site / "tutorials").with_suffix("").as_posix()
    except ValueError:
        other = None
    if other in {f"{part['folder']}/{name}" for part in parts_of_the_path() for name in part["pages"]}:
        link["href"] = "#" + anchor(other, parts.fragment)
    else:
        link.unwrap()


def take_solutions(text):
    """Remove what is folded from the exercises and projects of a page; return {title: solution, or what to expect}."""
    found, title = {}, ""
    for element in text.select("p.rubric, details"):
        if element.name == "p":
            title = element.get_text()
        elif element.summary.get_text(strip=True) == "Solution":
            element.summary.decompose()
            found[title] = element.extract()
        elif (said := element.summary.get_text(strip=True)).startswith("Project"):
            element.summary.decompose()
            found[said] = element.extract()
        elif said.startswith("Hint"):
            element.extract()
        else:
            element["open"] = ""
    for solution in found.values():
        solution.name = "div"
    return found


def course(site):
    """The page that Chromium prints."""
    soup = BeautifulSoup((site / "tutorials" / "index.html").read_text(encoding="utf-8"), "html.parser")
    for sheet in soup.find_all("link", rel="stylesheet"):
        sheet["href"] = "tutorials/" + sheet["href"]
    sheets = "\n".join(map(str, soup.find_all("link", rel="stylesheet")))
    styles = "\n".join(map(str, soup.head.find_all("style")))
    contents, chapters, solutions = [], [], []
    for part in parts_of_the_path():
        entries = []
        chapters.append(f'<div class="part"><h1>{part["title"]}</h1><p>{part["about"]}</p></div>')
        for name in part["pages"]:
            page = f"{part['folder']}/{name}"
            text = article(site, page)
            title = text.find("h1").get_text(strip=True)
            for exercise, solution in take_solutions(text).items():
                solutions.append(f"<h3>{title}: {exercise}</h3>{solution}")
            entries.append(f'<li><a href="#{anchor(page)}">{title}</a></li>')
            chapters.append(f'<div class="chapter" id="{anchor(page)}">{text}</div>')
        contents.append(f"<li>{part['title']}<ol>{''.join(entries)}</ol></li>")
    if solutions:
        chapters.append(f'<div class="chapter" id="solutions"><h1>Solutions</h1>{"".join(solutions)}</div>')
        contents.append('<li><a href="#solutions">Solutions</a></li>')
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>minigrad: the course</title>{sheets}'
            f'{styles}<style>{STYLE}</style></head>\n<body data-theme="light"><main class="content">'
            f'<div class="cover"><h1>minigrad</h1><p>The course</p></div>'
            f'<div class="list-of-pages chapter"><h1>Contents</h1><ol>{"".join(contents)}</ol></div>'
            f'{"".join(chapters)}</main></body></html>\n')


def main(folder, goal):
    site, goal, browser = Path(folder).resolve(), Path(goal).resolve(), chromium()
    if browser is None:
        print(WHAT_TO_INSTALL)
        return 1
    page = site / "course.html"
    page.write_text(course(site), encoding="utf-8")
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run([browser, *OPTIONS, f"--user-data-dir={profile}", "--no-pdf-header-footer",
                        "--generate-pdf-document-outline", f"--print-to-pdf={goal}", page.as_uri()],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600)
    page.unlink()
    print(f"The course is in {goal}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
