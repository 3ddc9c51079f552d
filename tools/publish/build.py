"""``python tools/publish/build.py SITE FOLDER``: the site as one folder that any web server can publish.

The folder has the pages; what cells need to run in them, if ``--live`` names what ``make live`` built; the wheels that
``--wheels`` names, for notebooks; a compressed copy beside each file that is worth it; the two headers that Stop needs,
for servers that read them from files, and a service worker for those that do not (isolation.js); serve.py, for a
machine without a server; and manifest.json, with the size and the hash of each file.  Every link in it is relative, so
it may be published at any address.

``--at`` is that address: notebooks then install the wheel that fits from there.
"""

import argparse
import concurrent.futures
import gzip
import hashlib
import importlib.util
import json
import os
import re
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
#: what Sphinx leaves beside the pages
LEFT_OUT = shutil.ignore_patterns(".doctrees", ".buildinfo*", "__pycache__", "*.pyc", "checked.pickle")
#: what servers may send compressed; pictures, fonts, wheels and archives are compressed as they are
COMPRESSED = {".html", ".css", ".js", ".mjs", ".json", ".svg", ".txt", ".py", ".ipynb", ".wasm", ".xml", ".inv"}
SMALLEST = 1000
#: in a notebook, where it looks for wheels
PLACE = "path/to/wheelhouse"
SCRIPT = re.compile(r'[ \t]*<script\b[^>]*\bsrc="[^"]*_static/live\.js[^"]*"[^>]*></script>\n?')
HEADERS = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp"}
APACHE = """\
<IfModule mod_headers.c>
{headers}
</IfModule>
AddType application/wasm .wasm
AddType text/javascript .js .mjs
AddType application/x-ipynb+json .ipynb
"""


def make(site, folder, live=None, wheels=(), at=None):
    """Make the folder anew; returns what its manifest has."""
    new = folder.with_name(folder.name + ".new")
    shutil.rmtree(new, ignore_errors=True)
    shutil.copytree(site, new, ignore=LEFT_OUT)
    runs = live is not None and (live / "live.json").exists()
    if runs:
        shutil.copytree(live, new / "_static" / "live", dirs_exist_ok=True)
        shutil.copy(HERE / "isolation.js", new)
    for path in new.rglob("*.html"):
        prepare(path, new, runs)
    names = add_wheels(new, wheels)
    if at:
        for path in new.rglob("*.ipynb"):
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace(PLACE, f"{at.rstrip('/')}/wheels/"), encoding="utf-8")
    add_for_servers(new)
    compress(new)
    manifest = {"minigrad": version_of(site), "at": at, "cells run": runs, "wheels": names, "files": {
        path.relative_to(new).as_posix(): {"size": path.stat().st_size, "sha256": digest(path)}
        for path in sorted(new.rglob("*")) if path.is_file()}}
    (new / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    new.rename(folder)
    return manifest


def prepare(path, top, runs):
    """Where cells run, a page loads isolation.js first; elsewhere it asks for nothing that is not there."""
    text = path.read_text(encoding="utf-8")
    if runs:
        up = "../" * (len(path.relative_to(top).parts) - 1)
        changed = SCRIPT.sub(lambda match: f'<script src="{up}isolation.js"></script>\n{match[0]}', text, count=1)
    else:
        changed = SCRIPT.sub("", text)
    if changed != text:
        path.write_text(changed, encoding="utf-8")


def add_wheels(new, places):
    """Copy the wheels, with a page of links, which ``pip --find-links`` reads; returns their names."""
    found = {path.name: path for place in places for path in sorted(Path(place).glob("*.whl"))}
    if found:
        (new / "wheels").mkdir()
        links = "".join(f'<li><a href="{name}">{name}</a></li>\n' for name in sorted(found))
        (new / "wheels" / "index.html").write_text(
            '<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><title>Wheels</title>\n<h1>Wheels</h1>\n'
            "<p>pip takes the one that fits: <code>pip install minigrad-autograd --find-links</code>, and the address "
            f"of this page.</p>\n<ul>\n{links}</ul>\n</html>\n", encoding="utf-8")
    for name, path in found.items():
        shutil.copy(path, new / "wheels" / name)
    return sorted(found)


def add_for_servers(new):
    lines = "".join(f"  {name}: {value}\n" for name, value in HEADERS.items())
    (new / "_headers").write_text(f"/*\n{lines}", encoding="utf-8")                 # Netlify, Cloudflare Pages
    lines = "\n".join(f'  Header always set {name} "{value}"' for name, value in HEADERS.items())
    (new / ".htaccess").write_text(APACHE.format(headers=lines), encoding="utf-8")
    (new / ".nojekyll").touch()                         # GitHub's Pages would leave out what begins with _
    shutil.copy(HERE / "serve.py", new)


def compress(new):
    """Write ``.gz`` beside each file that becomes a tenth smaller, and ``.br`` where Python has brotli."""
    brotli = importlib.util.find_spec("brotli") and importlib.import_module("brotli")
    found = [path for path in sorted(new.rglob("*"))
             if path.suffix in COMPRESSED and path.is_file() and path.stat().st_size >= SMALLEST]

    def one(path):
        content = path.read_bytes()
        copies = {".gz": gzip.compress(content, 9, mtime=0)}
        if brotli:
            copies[".br"] = brotli.compress(content)
        for ending, short in copies.items():
            if len(short) < 0.9 * len(content):
                path.with_name(path.name + ending).write_bytes(short)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, found))


def version_of(site):
    options = (site / "_static" / "documentation_options.js").read_text(encoding="utf-8")
    found = re.search(r"VERSION: '([^']*)'", options)
    return found[1] if found else None


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main(arguments):
    parser = argparse.ArgumentParser(description="The site as one folder that any web server can publish.")
    parser.add_argument("site", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--live", type=Path, help="what `make live` has built")
    parser.add_argument("--wheels", type=Path, action="append", default=[], help="a folder with wheels")
    parser.add_argument("--at", metavar="URL", help="the address at which the folder will be")
    given = parser.parse_args(arguments)
    if given.at and not re.match(r"https?://", given.at):
        parser.error(f"--at must be an address, as in https://example.org/course/, not {given.at!r}")
    if not (given.site / "index.html").exists():
        parser.error(f"there is no site in {given.site}: make site builds it")
    manifest = make(given.site, given.folder, given.live, given.wheels, given.at)
    sizes = {name: file["size"] for name, file in manifest["files"].items()}
    plain = sum(size for name, size in sizes.items() if not name.endswith((".gz", ".br")))
    print(f"{given.folder}: {len(sizes)} files, {sum(sizes.values()) / 1e6:.0f} MB ({plain / 1e6:.0f} MB without "
          "compressed copies).")
    print("Cells run in its pages." if manifest["cells run"] else
          "Cells do not run in its pages: make live builds what they need.")
    print(f"Notebooks find {len(manifest['wheels'])} wheels there." if manifest["wheels"] and given.at else
          "It has wheels, but notebooks do not know where: make publish AT=https://..." if manifest["wheels"] else
          "It has no wheels for notebooks: make dist builds one for machines like this.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
