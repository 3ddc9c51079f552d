"""The search page: what leads where, and in which order it is shown."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "docs" / "_static"
NAMES = {
    "objects": {"reference/nn": ["nn.Linear", "nn.Conv2d"], "reference/functional": ["nn.functional.linear"],
                "reference/creation": ["tensor"], "reference/tensor": ["Tensor", "Tensor.backward"],
                "reference/autograd": ["autograd.backward", "autograd.grad"], "reference/ops/convolution": ["conv2d"]},
    "titles": [["tutorials/a/hooks", "Hooks on tensors and nodes", ""], ["homework/hooks", "Hooks", ""],
               ["teaching/installing", "Installing", ""], ["reading/hooks", "hooks.py", ""],
               ["tutorials/a/hooks", "What a leaf is", "what"]],
    "terms": [["teaching/glossary", "leaf", "term-leaf"]],
    "errors": [["MG101", "A saved tensor was modified in place", "one of the variables needed for gradient computation "
                "has been modified by an inplace operation: [torch.FloatTensor [2]], output 0 of ExpBackward0"],
               ["MG102", "The graph was already used", "Trying to backward through the graph a second time"]],
    "beliefs": [["tutorials/a/hooks", "A hook sees the gradient of the loss."]],
    "parameters": {"retain_graph": [["reference/autograd", "minigrad.autograd.grad"]]},
}
QUERIES = {
    "torch.nn.Linear": "torch.nn.Linear", "Linear": "torch.nn.Linear", "linear": "torch.nn.functional.linear",
    "Conv2d": "torch.nn.Conv2d", "torch.tensor": "torch.tensor", "Tensor": "torch.Tensor",
    "loss.backward()": "torch.Tensor.backward", "from torch.nn import Conv2d": "torch.nn.Conv2d",
    "how to install": "Installing", "install torch": "Installing", "hooks": "Hooks on tensors and nodes",
    "what is a leaf?": "leaf, in the glossary", "retain_graph": "torch.autograd.grad(…, retain_graph, …)",
    "mg102": "MG102",
    "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: "
    "[torch.cuda.FloatTensor [64, 10]], which is output 0 of AddmmBackward": "MG101",
    "a hook sees the gradient of the loss": "Hooks on tensors and nodes", "zebra": None,
}


def test_what_is_typed_finds_its_page_first(tmp_path):
    """Under Node, which needs no browser; the file is a module that touches the page only where there is one."""
    if (node := shutil.which("node")) is None:
        pytest.skip("no Node.js was found")
    shutil.copy(STATIC / "search.js", tmp_path / "search.mjs")
    script = tmp_path / "ask.mjs"
    script.write_text("import { named, prepared } from './search.mjs';\n"
                      f"const names = prepared({json.dumps(NAMES)}), queries = {json.dumps([*QUERIES])};\n"
                      "console.log(JSON.stringify(queries.map((query) => named(query, names)[0]?.title)));")
    run = subprocess.run([node, script], capture_output=True, text=True, check=True, timeout=60)
    found = dict(zip(QUERIES, json.loads(run.stdout)))
    assert all((title or "").startswith(QUERIES[query] or "") and bool(title) == bool(QUERIES[query])
               for query, title in found.items()), found


@pytest.fixture
def searching(monkeypatch):
    pytest.importorskip("sphinx")
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "_ext"))
    import searching

    return searching


def test_messages_are_found_in_the_sources_without_what_is_filled_in(searching):
    found = searching.messages()
    assert any("shapes cannot be multiplied" in said for said in found["MG201"])
    assert len(found) > 60 and all("{" not in said for said in found["MG102"])


def test_public_names_are_written_down_with_their_pages(searching):
    objects = [("minigrad.nn.Linear", "nn.Linear", "class", "reference/nn", "minigrad.nn.Linear", 1),
               ("minigrad.nn.linear.Linear", "Linear", "class", "reference/nn", "minigrad.nn.Linear", -1),
               ("minigrad._core.graph.Node", "Node", "class", "reference/graph", "minigrad._core.graph.Node", 1)]
    domains = {"py": objects, "std": [("leaf", "leaf", "term", "teaching/glossary", "term-leaf", -1)]}
    env = SimpleNamespace(titles={}, get_domain=lambda name: SimpleNamespace(get_objects=lambda: domains[name]),
                          minigrad_parameters={"reference/nn": [("in_features", "minigrad.nn.Linear")]})
    found = searching.names(SimpleNamespace(env=env))
    assert found["objects"] == {"reference/nn": ["nn.Linear"]}
    assert found["parameters"] == {"in_features": [["reference/nn", "minigrad.nn.Linear"]]}
    assert found["terms"] == [["teaching/glossary", "leaf", "term-leaf"]]
    assert next(messages for code, _, messages in found["errors"] if code == "MG101").startswith("one of the variables")


def test_a_search_that_finds_another_page_is_told(monkeypatch, tmp_path, capsys):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    sys.modules.pop("check_search", None)
    import check_search

    (tmp_path / "pagefind").mkdir()
    (tmp_path / "_static").mkdir()
    (tmp_path / "pagefind" / "pagefind.js").touch()
    (tmp_path / "_static" / "search-names.json").write_text(json.dumps(NAMES), encoding="utf-8")
    monkeypatch.setattr(check_search, "chromium", lambda: "a browser")
    pages = {query: wanted[:1] for query, wanted in [*check_search.typed(), *check_search.of_the_site(NAMES)]}
    loaded = [5]
    monkeypatch.setattr(check_search, "asked",
                        lambda site, browser, queries: ([pages[each] for each in queries if each in pages], *loaded))
    assert check_search.main(tmp_path) == 0
    assert "Search: 0 of" in capsys.readouterr().out
    pages["torch.nn.Linear"] = ["changelog"]
    assert check_search.main(tmp_path) == 1
    assert re.search("'torch.nn.Linear' finds changelog; wanted first: reference/nn", capsys.readouterr().out)
    loaded[0] = 2_000_000
    pages["torch.nn.Linear"] = ["reference/nn"]
    assert check_search.main(tmp_path) == 1
