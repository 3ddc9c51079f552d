"""Write autograd_signatures.json: the keywords of all that PyTorch's autograd and func offer.  Needs torch 2.13.

    python tests/parity/records/make_autograd_signatures.py
"""

import importlib
import inspect
import json
import sys
from pathlib import Path

import torch

NAMESPACES = ("torch.autograd", "torch.autograd.anomaly_mode", "torch.autograd.forward_ad", "torch.autograd.function",
              "torch.autograd.functional",
              "torch.autograd.grad_mode", "torch.autograd.gradcheck", "torch.autograd.graph", "torch.func")
METHODS = ("backward", "register_hook", "register_post_accumulate_grad_hook")
PATH = Path(__file__).with_name("autograd_signatures.json")


def keywords(function):
    """The parameters that may be given by name; None where Python cannot tell."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    return [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) and not p.name.startswith(
        "_")]


def main():
    found = {}
    for name in NAMESPACES:
        importlib.import_module(name)
        module = sys.modules[name]
        for each in module.__all__:
            known = keywords(getattr(module, each)) if callable(getattr(module, each)) else None
            if known:
                found[f"{name}.{each}"] = known
    for name in METHODS:
        found[f"torch.Tensor.{name}"] = [k for k in keywords(getattr(torch.Tensor, name)) if k != "self"]
    for name in ("register_hook", "register_prehook"):
        found[f"torch.autograd.graph.Node.{name}"] = [k for k in keywords(getattr(torch.autograd.graph.Node, name)) if k
                                                      != "self"]
    PATH.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
