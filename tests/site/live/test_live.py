"""What builds and serves minigrad for web pages: tools/live."""

import gzip
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import threading
import urllib.error
import urllib.request

import pytest

from minigrad.exercises import pages
from tests.site.live.suite import FOLDERS

TOOLS = pathlib.Path(__file__).resolve().parents[3] / "tools/live"


def tool(name):
    spec = importlib.util.spec_from_file_location(f"live_{name}", TOOLS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def address(tmp_path):
    """A served site of one page, and a build of one file."""
    for name in ("site/page.html", "live/pyodide/pyodide.mjs", "live/core.wasm", "live/live.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    with tool("serve").server(tmp_path / "site", tmp_path / "live") as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("path, text, kind", [
    ("/page.html", "site/page.html", "text/html"),
    ("/_static/live/pyodide/pyodide.mjs", "live/pyodide/pyodide.mjs", "text/javascript"),
    ("/_static/live/core.wasm", "live/core.wasm", "application/wasm"),
])
def test_the_server_isolates_pages_and_knows_types(address, path, text, kind):
    with urllib.request.urlopen(address + path) as response:
        assert response.read().decode() == text
        assert response.headers["Content-Type"] == kind
        assert response.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert response.headers["Cross-Origin-Embedder-Policy"] == "require-corp"


@pytest.mark.parametrize("path", ["/_static/live/../site/none.html", "/_static/live/page.html", "/core.wasm"])
def test_the_server_keeps_both_folders_apart(address, path):
    with pytest.raises(urllib.error.HTTPError):
        urllib.request.urlopen(address + path)


def test_a_site_without_a_build_has_a_file_that_says_so(tmp_path):
    """Pages ask for it, and a server would answer with 404."""
    said = tool("serve").ROOT / "docs/_static/live/live.json"
    assert json.loads(said.read_text()) is None
    (tmp_path / "live").mkdir()                         # begun, and not finished
    handler = object.__new__(tool("serve").Handler)
    handler.live, handler.directory = tmp_path / "live", str(tmp_path / "site")
    assert handler.translate_path("/_static/live/live.json") == str(tmp_path / "site/_static/live/live.json")


def test_a_shared_library_becomes_a_side_module():
    command = tool("compiler").command
    made = command("emcc", "/headers", ["-shared", "-Wl,--as-needed", "a.o", "-pthread", "-o", "x/spam.cpython.so"])
    assert made[-3:] == ["a.o", "-o", "x/spam.cpython.so"]
    assert "-sSIDE_MODULE=2" in made and "-sEXPORTED_FUNCTIONS=_PyInit_spam" in made
    made = command("emcc", "/headers", ["-c", "-fexceptions", "a.c"])
    assert made == ["emcc", "-I/headers", "-fPIC", "-g0", "-c", "a.c"]


def test_a_page_has_the_exercises_of_the_course_and_no_solutions(tmp_path, monkeypatch):
    build = tool("build")
    made = tmp_path / build.EXERCISES
    made.parent.mkdir(parents=True)
    made.write_bytes(build.exercises())
    in_a_clone = pages.sources.__wrapped__()
    monkeypatch.setattr(pages, "ARCHIVE", made)
    assert pages.sources.__wrapped__() == in_a_clone and pages.ARCHIVE.name == build.EXERCISES.name
    assert "# %% Solution" not in "".join(in_a_clone.values()) and len(build.exercises()) < 150_000


def test_the_build_says_what_to_install(tmp_path):
    said = subprocess.run([sys.executable, TOOLS / "build.py", tmp_path], capture_output=True, text=True,
                          env={**os.environ, "PATH": str(tmp_path), "HOME": str(tmp_path), "PYTHON313": ""})
    assert said.returncode == 3
    for words in ("emcc: apt install", "node: apt install", "npm: apt install", "PYTHON313="):
        assert words in said.stderr
    assert not list(tmp_path.iterdir())


def test_an_archive_has_each_python_file_with_its_bytecode_and_is_always_the_same(tmp_path):
    for name in ("a/one.py", "a/data.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("1")
    packed = []
    for name in ("first", "second"):
        tool("packing").pack(tmp_path / f"{name}.tgz", [tmp_path / "a"])
        packed.append((tmp_path / f"{name}.tgz").read_bytes())
        (tmp_path / "a/one.py").touch()
    assert packed[0] == packed[1]
    with tarfile.open(tmp_path / "first.tgz") as made:
        assert made.getnames() == ["data.txt", "one.py", importlib.util.cache_from_source("one.py")]


def test_the_editor_is_told_of_what_the_course_imports():
    names = tool("names")
    found = names.all_names()
    assert set(found) == {*names.MODULES, *names.CLASSES}
    signature, text, members = found["minigrad.nn"]["Linear"]
    assert signature.startswith("(in_features, out_features, bias=True") and ">>> " in text
    assert "parameters" in found[members] and found["minigrad"]["nn"][2] == "minigrad.nn"
    tensor = found["minigrad.Tensor"]
    assert tensor["sum"][0].startswith("(dim") and "accumulated" in tensor["grad"][1]
    unexplained = [f"{path}.{name}" for path, each in found.items() for name, entry in each.items()
                   if entry[0] is not None and not entry[1]]
    assert len(unexplained) < 10, unexplained
    assert not re.search(r"0x[0-9a-f]{6}|:[a-z]+:`", json.dumps(found))


def test_the_editor_is_small_and_its_licences_are_beside_it():
    bundle = tool("bundle")
    assert len(gzip.compress((bundle.STATIC / bundle.SCRIPT).read_bytes())) < 200_000
    licences = (bundle.STATIC / bundle.LICENCES).read_text(encoding="utf-8")
    for name, version in bundle.PACKAGES.items():
        assert f"{name} {version}\n" in licences
    assert licences.count("granted, free of charge") == licences.count("Copyright")


@pytest.mark.drawn
@pytest.mark.skipif(shutil.which("npm") is None, reason="there is no npm")
def test_the_editor_is_what_npm_gives(tmp_path):
    bundle = tool("bundle")
    try:
        bundle.bundle(tmp_path)
    except subprocess.CalledProcessError as problem:
        if problem.cmd[0] == "npm":
            pytest.skip("npm's registry cannot be reached")
        raise
    for name in (bundle.SCRIPT, bundle.LICENCES):
        assert (tmp_path / name).read_bytes() == (bundle.STATIC / name).read_bytes(), "python tools/live/bundle.py"


@pytest.mark.drawn
def test_the_tests_that_run_in_webassembly_are_collected_where_numpy_alone_is_compiled():
    """One that makes a bfloat16 tensor for its parameters, say, ends there before the first test."""
    absent = ("ml_dtypes", "scipy", "torch", "sympy", "flint", "mpi4py", "matplotlib", "sklearn", "pandas")
    code = ("import sys, pytest; sys.modules.update(dict.fromkeys(sys.argv[1].split())); "
            "sys.exit(pytest.main(['--collect-only', '-qq', '-p', 'no:cacheprovider', *sys.argv[2:]]))")
    folders = [f"tests/{folder}" for folder in FOLDERS]
    done = subprocess.run([sys.executable, "-c", code, " ".join(absent), *folders], cwd=TOOLS.parent.parent,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]
