"""Whatever autograd and func take by name in PyTorch, they take here;
recorded by tests/parity/records/make_autograd_signatures.py."""

import importlib
import inspect
import json
import sys
from pathlib import Path

import pytest

import minigrad

RECORDS = Path(__file__).parents[1] / "parity" / "records"
RECORDED = json.loads((RECORDS / "autograd_signatures.json").read_text(
    encoding="utf-8"))

#: What is in PyTorch and not here, with the reason.
ABSENT = {
    "torch.autograd.graph.region_activation_memory_budget": "for a compiler",
    "torch.autograd.graph.set_warn_on_accumulate_grad_stream_mismatch": "for streams of a GPU",
    "torch.autograd.graph.set_override_stale_capture_stream": "for streams of a GPU",
    "torch.func.rearrange": "einops notation, no transform",
}
#: Keywords that are taken under no name here, with the reason.
REFUSED = {
    "torch.autograd.function.FunctionMeta": "a metaclass, called by class statements alone",
}


CLASSES = {"torch.Tensor": minigrad.Tensor, "torch.autograd.graph.Node": minigrad.autograd.graph.Node}


def ours(name):
    """The object of that name in the same namespace, and None where there is none."""
    namespace, _, last = name.rpartition(".")
    if namespace not in CLASSES:                # autograd.gradcheck is a function there, and a module to import from
        importlib.import_module(namespace.replace("torch", "minigrad", 1))
    return getattr(CLASSES.get(namespace) or sys.modules[namespace.replace("torch", "minigrad", 1)], last, None)


@pytest.mark.parametrize("name", sorted(set(RECORDED) - set(ABSENT) - set(REFUSED)))
def test_it_takes_every_keyword(name):
    found = ours(name)
    assert found is not None, f"minigrad has no {name}"
    parameters = inspect.signature(found).parameters.values()
    taken = {p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
    assert set(RECORDED[name]) <= taken or any(p.kind is p.VAR_KEYWORD for p in parameters)


def test_the_absent_names_are_absent():
    assert [name for name in ABSENT if ours(name) is not None] == []
    assert set(ABSENT) | set(REFUSED) <= set(RECORDED)
