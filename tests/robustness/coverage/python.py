"""What the package ``coverage`` has seen of the Python modules."""

import ast
import dataclasses
import json
import subprocess
import sys

__all__ = ["File", "counted", "way"]


@dataclasses.dataclass
class File:
    lines: dict             # by line: whether it ran
    branches: dict          # by line and the next line, which is negative where the code is left: whether that was seen
    tree: ast.Module


def counted(copy):
    """The Python modules by their names, as the processes that ended so far have seen them."""
    tool = [sys.executable, "-m", "coverage"]
    subprocess.run([*tool, "combine", "--quiet", "--append"], cwd=copy, check=False)
    answer = copy / "python.json"
    subprocess.run([*tool, "json", "--quiet", "-o", answer], cwd=copy, check=True)
    files = {}
    for name, file in json.loads(answer.read_text(encoding="utf-8"))["files"].items():
        lines = dict.fromkeys(file["executed_lines"], True) | dict.fromkeys(file["missing_lines"], False)
        branches = {tuple(pair): True for pair in file["executed_branches"]}
        branches |= {tuple(pair): False for pair in file["missing_branches"]}
        files[name] = File(lines, branches, ast.parse((copy / name).read_text(encoding="utf-8")))
    return files


def way(tree, line, then):
    """What it means that the line `then` never followed this one."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.If, ast.While)) and node.test.lineno <= line <= node.test.end_lineno:
            return "always false" if then == node.body[0].lineno else "always true"
        if isinstance(node, (ast.For, ast.AsyncFor)) and node.lineno == line:
            return "never any to go through" if then == node.body[0].lineno else "never comes to the end"
        if isinstance(node, ast.match_case) and node.pattern.lineno == line:
            return "never matches" if then == node.body[0].lineno else "always matches"
    return f"never followed by line {then}" if then > 0 else "never leaves from here"
