"""What an editor shows: hover text and completion, asked of pyright's language server as an editor asks it."""

import itertools
import json
import os
import shutil
import subprocess
import sys

import pytest

from tests.repository.types.test_types import ROOT, works

#: a program with ``|`` where the pointer or the cursor is, by what is asked there
PROGRAM = """\
import minigrad as torch
import minigrad.nn.functional as F
from minigrad import nn
x = torch.ones(3, requires_grad=True)
y = x.re|shape(3, 1)
y = x.cum|sum(0)
y = torch.si|n(x)
y = torch.autograd.gr|ad(x.sum(), x)
layer = nn.Lin|ear(3, 2)
y = F.re|lu(x)
w = layer.weig|ht
k = nn.Conv2d(1, 2, 3).kernel_si|ze
torch.autograd.|
x.|
nn.|
layer.|
"""
HOVERS = {  # what is hovered: the signature has the first, the text below it the second
    "x.reshape": ("-> Tensor", "shape"),
    "x.cumsum": ("dim: _int", "The sum of each entry"),
    "torch.sin": ("out: Tensor", "The sine of an angle in radians."),
    "torch.autograd.grad": ("grad_outputs: Tensor", "gradient"),
    "nn.Linear": ("in_features: int", "A fully connected layer"),
    "layer.weight": ("Parameter",),
    "nn.Conv2d(1, 2, 3).kernel_size": ("tuple[int, ...]",),
    "F.relu": ("inplace: _bool = False", "its slope at 0 is 0"),
}
COMPLETIONS = {
    "torch.autograd.": {"grad", "backward", "Function", "gradcheck", "functional", "graph", "no_grad", "forward_ad"},
    "x.": {"backward", "grad", "requires_grad_", "sum", "cumsum", "register_hook", "detach", "shape", "T"},
    "nn.": {"Linear", "Module", "Parameter", "Conv2d", "functional", "CrossEntropyLoss"},
    "layer.": {"parameters", "zero_grad", "state_dict", "weight", "bias", "in_features", "out_features"},
}


class Editor:
    """A conversation with the language server about one program."""

    def __init__(self, folder):
        self.server = subprocess.Popen([sys.executable, "-m", "pyright.langserver", "--stdio"], cwd=folder,
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.numbers = itertools.count()
        self.ask("initialize", {
            "processId": None, "rootUri": folder.as_uri(),
            "workspaceFolders": [{"uri": folder.as_uri(), "name": "work"}],
            "capabilities": {"textDocument": {"hover": {"contentFormat": ["markdown"]}}, "workspace": {
                "configuration": True}}})
        self.tell("initialized", {})
        self.document = {"uri": (folder / "program.py").as_uri()}
        self.tell("textDocument/didOpen", {"textDocument": {
            **self.document, "languageId": "python", "version": 1, "text": PROGRAM.replace("|", "")}})

    def send(self, message):
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        self.server.stdin.flush()

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def received(self):
        length = 0
        while line := self.server.stdout.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        assert length, "the language server has ended"
        return json.loads(self.server.stdout.read(length))

    def ask(self, method, params):
        """The answer; what the server asks meanwhile is answered too."""
        number = next(self.numbers)
        self.send({"id": number, "method": method, "params": params})
        while True:
            message = self.received()
            if "method" not in message and message["id"] == number:
                return message["result"]
            if "method" in message and "id" in message:
                items = message.get("params", {}).get("items", [])
                self.send({"id": message["id"], "result": [
                    {"pythonPath": sys.executable} if each["section"] == "python" else {} for each in items] or None})

    def at(self, text, mark):
        """Ask at the ``|`` in the line that has this text, which ends with it or goes on."""
        (row, line), = [(row, line) for row, line in enumerate(PROGRAM.splitlines())
                        if (line == text + "|" if mark == "end" else line.replace("|", "").endswith(text)
                            or text + "(" in line.replace("|", ""))]
        return {"textDocument": self.document, "position": {"line": row, "character": line.index("|")}}

    def hover(self, text):
        found = self.ask("textDocument/hover", self.at(text, "inside"))
        return "" if found is None else found["contents"]["value"]

    def completions(self, text):
        found = self.ask("textDocument/completion", self.at(text, "end"))
        return {each["label"] for each in (found if isinstance(found, list) else found["items"])}

    def close(self):
        self.ask("shutdown", None)
        self.tell("exit", None)
        self.server.communicate(timeout=60)


@pytest.fixture(scope="module")
def language_server():
    """Is it here?"""
    if not works("pyright"):
        if os.environ.get("MINIGRAD_TYPES") == "required":
            pytest.fail("MINIGRAD_TYPES=required, and pyright does not run")
        pytest.skip("pyright is not installed, or does not run")


@pytest.fixture
def open_editor(language_server, tmp_path):
    """Starts an editor beside the package's sources, in one of which a text may be replaced."""
    editors = []

    def start(path=None, old="", new=""):
        shutil.copytree(ROOT / "minigrad", tmp_path / "minigrad", ignore=lambda folder, names: [
            name for name in names if not (name.endswith((".py", ".pyi")) or (ROOT / folder / name).is_dir())])
        if path:
            text = (tmp_path / path).read_text(encoding="utf-8")
            assert old in text
            (tmp_path / path).write_text(text.replace(old, new), encoding="utf-8")
        editors.append(Editor(tmp_path))
        return editors[0]

    yield start
    for editor in editors:
        editor.close()


def faults(editor):
    """What the editor does not show."""
    missing = []
    for name, wanted in HOVERS.items():
        shown = editor.hover(name)
        missing += [f"hover on {name}: {each!r}" for each in wanted if each not in shown]
    for name, wanted in COMPLETIONS.items():
        missing += [f"completion of {name}{each}" for each in sorted(wanted - editor.completions(name))]
    return missing


def test_hover_and_completion_name_the_api(open_editor):
    assert faults(open_editor()) == []


def test_a_planted_fault_is_noticed(open_editor):
    editor = open_editor("minigrad/nn/functional/__init__.pyi", "its slope at 0 is 0", "")
    assert faults(editor) == ["hover on F.relu: 'its slope at 0 is 0'"]
