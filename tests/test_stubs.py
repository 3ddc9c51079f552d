"""The stubs say what the library is: they are what ``make stubs`` would write today."""

import ast
import os
import subprocess
import sys
from pathlib import Path

from minigrad.ops import kinds

ROOT = Path(__file__).resolve().parent.parent


def test_they_are_up_to_date():
    """Asked in a fresh interpreter: here, other tests may have imported what ``import minigrad`` does not."""
    command = [sys.executable, "tools/make_stubs.py", "--check"]
    answer = subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True,
                            text=True)
    assert answer.returncode == 0, f"write them anew: make stubs\n{answer.stdout}{answer.stderr}"


def test_every_method_is_offered():
    tree = ast.parse((ROOT / "minigrad/_core/graph.pyi").read_text(encoding="utf-8"))
    tensor = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Tensor")
    offered = {node.name for node in tensor.body if isinstance(node, ast.FunctionDef)}
    # real and imag are attributes
    offered |= {node.target.id for node in tensor.body if isinstance(node, ast.AnnAssign)}
    assert {name for name in (*kinds.METHODS, *kinds.INPLACE) if not name.startswith("_")} <= offered


def test_every_operation_is_offered():
    tree = ast.parse((ROOT / "minigrad/__init__.pyi").read_text(encoding="utf-8"))
    offered = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert kinds.REGISTRY.keys() <= offered
