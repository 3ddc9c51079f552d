"""``make publish``: the folder is whole and small, and its cells may be stopped on any server, under any address."""

import functools
import gzip
import hashlib
import http.server
import importlib
import importlib.util
import json
import queue
import re
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path

import pytest

from tests.site.page.served import browsing

ROOT = Path(__file__).resolve().parents[3]
PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>A page</title>
<link rel="icon" href="data:,">
<script defer="defer" src="{up}_static/live.js?v=1"></script></head>
<body><p>{text}</p><a href="{up}tutorials/part/page.html">on</a>
<script>
addEventListener("load", async () => {{
  for (const began = performance.now(); !crossOriginIsolated && performance.now() - began < 60000;)
    await new Promise((done) => setTimeout(done, 50));
  const worker = new Worker(new URL("{up}_static/worker.js", location));
  worker.onerror = () => fetch("/result", {{ method: "POST", body: JSON.stringify("the worker does not start") }});
  worker.onmessage = ({{ data }}) => fetch("/result", {{ method: "POST", body: JSON.stringify(
    {{ isolated: crossOriginIsolated, shares: typeof SharedArrayBuffer, worker: data, path: location.pathname }}) }});
}});
</script></body></html>
"""


def load(name):
    spec = importlib.util.spec_from_file_location(f"publish_{name}", ROOT / "tools" / "publish" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def site(tmp_path):
    """A site of two pages, as Sphinx leaves it."""
    folder = tmp_path / "site"
    notebook = {"cells": [{"cell_type": "code", "source": ["wheels = \"path/to/wheelhouse\"\n"]}]}
    for name, text in {
            "index.html": PAGE.format(up="", text="One. " * 1000),
            "tutorials/part/page.html": PAGE.format(up="../../", text="Two."),
            "_static/documentation_options.js": "const DOCUMENTATION_OPTIONS = {\n    VERSION: '1.2',\n};\n",
            "_static/live.js": "// cells\n",
            "_static/worker.js": "postMessage(self.crossOriginIsolated);\n",
            "_downloads/1/page.ipynb": json.dumps(notebook),
            ".doctrees/index.doctree": "", ".buildinfo": "", "_static/__pycache__/live.cpython-311.pyc": ""}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def live(tmp_path):
    folder = tmp_path / "live"
    folder.mkdir()
    (folder / "live.json").write_text("{}")
    return folder


@pytest.fixture
def wheels(tmp_path):
    folder = tmp_path / "dist"
    folder.mkdir()
    (folder / "minigrad_autograd-1.2-cp311-cp311-linux_x86_64.whl").write_bytes(b"wheel")
    return folder


def published(site, *options):
    folder = site.with_name("web") / "course"
    assert load("build").main([str(site), str(folder), *map(str, options)]) == 0
    return folder


# ------------------------------------------------------------------------------ the folder


def test_the_folder_is_whole(site, live, wheels, capsys):
    folder = published(site, "--live", live, "--wheels", wheels, "--at", "https://example.org/course/")
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert {".nojekyll", "_headers", ".htaccess", "serve.py", "manifest.json", "isolation.js", "index.html.gz",
            "_static/live/live.json", "wheels/minigrad_autograd-1.2-cp311-cp311-linux_x86_64.whl"} <= there
    assert not [name for name in there if ".doctrees" in name or "pycache" in name or "buildinfo" in name]
    manifest = json.loads((folder / "manifest.json").read_text())
    assert {*manifest["files"]} == there - {"manifest.json"} and manifest["minigrad"] == "1.2"
    for name, known in manifest["files"].items():
        content = (folder / name).read_bytes()
        assert known == {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    assert gzip.decompress((folder / "index.html.gz").read_bytes()) == (folder / "index.html").read_bytes()
    assert "tutorials/part/page.html.gz" in there or len((folder / "tutorials/part/page.html").read_bytes()) < 1000
    assert "Cross-Origin-Embedder-Policy: require-corp" in (folder / "_headers").read_text()
    assert 'Header always set Cross-Origin-Opener-Policy "same-origin"' in (folder / ".htaccess").read_text()
    assert '<a href="minigrad_autograd-1.2' in (folder / "wheels" / "index.html").read_text()
    assert "https://example.org/course/wheels/" in (folder / "_downloads" / "1" / "page.ipynb").read_text()
    said = capsys.readouterr().out
    assert "Cells run in its pages" in said and "1 wheels" in said and " MB" in said


def test_the_scripts_of_cells_come_with_what_they_need(site, live):
    with_cells = published(site, "--live", live)
    assert '<script src="isolation.js"></script>\n<script defer="defer" src="_static/live.js' in (
        with_cells / "index.html").read_text()
    assert '<script src="../../isolation.js"></script>' in (with_cells / "tutorials/part/page.html").read_text()
    without = published(site, "--live", site / "gone")
    assert "live.js" not in (without / "index.html").read_text() and not (without / "isolation.js").exists()
    assert not [path for path in without.rglob("*") if "live.json" in path.name]     # nothing of before is left


def test_what_cannot_be_published_is_said(site, tmp_path, capsys):
    build = load("build")
    for arguments, said in (([tmp_path / "gone", tmp_path / "web"], "make site"),
                            ([site, tmp_path / "web", "--at", "example.org"], "must be an address")):
        with pytest.raises(SystemExit) as ended:
            build.main([*map(str, arguments)])
        assert ended.value.code == 2 and said in capsys.readouterr().err


# ------------------------------------------------------------------------------ the first cell of a notebook


@pytest.fixture
def first_cell(monkeypatch):
    """Runs the first cell, without minigrad; its ``%pip`` calls a function that is given."""
    pytest.importorskip("sphinx_gallery")
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "_ext"))
    cell = importlib.import_module("gallery").FIRST_CELL
    assert load("build").PLACE in cell
    installed = []
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: installed or None)

    def run(pip):
        joined = cell.replace("\\\n", "")
        before, line, after = re.match(r"(.*?)^ *%pip ([^\n]*)\n(.*)", joined, re.DOTALL | re.MULTILINE).groups()
        exec(f"{before}    pip(f{line!r}.split())\n{after}", {"pip": lambda words: installed.extend(pip(words) or ())})

    return run


def test_the_first_cell_installs_the_wheel_that_fits(first_cell):
    asked = []
    first_cell(lambda words: [asked.append(words)])
    (words,) = asked
    assert words[:4] == ["install", "--quiet", "--find-links", '"path/to/wheelhouse"']
    assert words[4:7] == ["--only-binary", "minigrad-autograd", "minigrad-autograd"]


def test_the_first_cell_says_how_to_build_a_wheel_where_none_fits(first_cell):
    with pytest.raises(ModuleNotFoundError, match="pip wheel . --wheel-dir wheelhouse") as told:
        first_cell(lambda words: None)
    assert f"Python {sys.version.split()[0]}" in str(told.value)


# ------------------------------------------------------------------------------ servers


def test_serve_and_check(site, live):
    folder = published(site, "--live", live)
    spec = importlib.util.spec_from_file_location("published_serve", folder / "serve.py")
    serve = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(serve)
    with serve.server(port=0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with urllib.request.urlopen(f"http://127.0.0.1:{server.server_address[1]}/index.html") as answer:
            assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
            assert answer.headers["Content-Type"] == "text/html"
            assert answer.read() == (folder / "index.html").read_bytes()
        server.shutdown()
    check = [sys.executable, folder / "serve.py", "--check"]
    assert subprocess.run(check, capture_output=True).returncode == 0
    (folder / "_static" / "live.js").unlink()
    (folder / "index.html").write_text("damaged")
    found = subprocess.run(check, capture_output=True, text=True)
    assert found.returncode == 1
    assert found.stdout.splitlines()[:2] == ["_static/live.js is missing", "index.html is damaged"]


class Plain(http.server.SimpleHTTPRequestHandler):
    """A server that knows no headers, and keeps what a page tells it."""

    def __init__(self, *arguments, answers, missing, **keywords):
        self.answers, self.missing = answers, missing
        super().__init__(*arguments, **keywords)

    def do_POST(self):
        self.answers.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def send_error(self, *arguments, **keywords):
        self.missing.append(self.path)
        super().send_error(*arguments, **keywords)

    def log_message(self, *arguments):
        pass


@pytest.mark.parametrize("path", ["index.html", "tutorials/part/page.html"])
def test_a_plain_server_is_enough_for_stop(browser, site, live, tmp_path, path):
    """Under /course/, by a server that sends none of the headers, a page and its worker share memory."""
    folder, answers, missing = published(site, "--live", live), queue.Queue(), []
    handler = functools.partial(Plain, directory=str(folder.parent), answers=answers, missing=missing)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with browsing(browser, tmp_path, f"http://127.0.0.1:{server.server_address[1]}/course/{path}"):
            answer = answers.get(timeout=150)
        server.shutdown()
    assert answer == {"isolated": True, "shares": "function", "worker": True, "path": f"/course/{path}"}
    assert missing == []
