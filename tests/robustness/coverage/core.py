"""What gcov counted in the C of the core, told of the lines that were written: of the .pyx, .pxd and .h files.

Cython says in comments of the C which line of which file each part of it comes from.  Its C tests much that was never
written, such as whether a call has failed.  What was written as a condition is a test of a variable alone, and so the
conditions are found again: an ``if``, a ``while``, a conditional expression, each operand of ``and`` and ``or``.
"""

import collections
import dataclasses
import json
import re
import subprocess

__all__ = ["Condition", "File", "attributed", "counted", "operand"]

MARK = re.compile(r'\s*/\* "([^"]+)":(\d+)$')
TEST = re.compile(r"\s*(?:\} else )?if \((?:unlikely\(|likely\()?(!?)(__pyx_[tv]_[\w.>-]+)\){1,2} (?:\{|break;)")
#: Tests that were not written: of loops, of ``except`` and of ``with``.
OWN = re.compile(r"IterNext|PyErr_ExceptionMatches|__exit__|__pyx_t_\d+ == NULL")

#: What Cython makes of a name.
NAME = re.compile(r"__pyx_(?:v|f|k|e|d|mstate_global->__pyx_\w+?)_(\w*)")


@dataclasses.dataclass
class Condition:
    """How often it was true, and false."""

    true: int = 0
    false: int = 0


@dataclasses.dataclass
class File:
    """Of one file: how often each line ran, and its conditions by line and by what is asked there."""

    lines: dict = dataclasses.field(default_factory=lambda: collections.defaultdict(int))
    conditions: dict = dataclasses.field(default_factory=lambda: collections.defaultdict(Condition))


def attributed(code):
    """Of each line of C, the file and the line that it comes from, or None: what frames a function comes from none."""
    here, in_mark, found = None, False, []
    for line in code.split("\n"):
        mark = MARK.match(line)
        if mark:
            here, in_mark = (mark[1], int(mark[2])), True
        elif in_mark:
            in_mark = not line.startswith("*/")
        elif line.startswith(("}", "/* ")) or "/* function exit code */" in line or "/* Python wrapper */" in line:
            here = None
        found.append(None if in_mark else here)
    return found


def operand(code, number, name, depth=3):
    """What the variable of a test was set to before that line, in the words of the source as far as they are left.

    None where nothing of the kind was written: ``and`` and ``or`` have operands that are conditions of their own, and
    loops, ``except``, ``with``, ``min`` and ``max`` are tests in C alone.
    """
    for at in range(number - 1, max(0, number - 60) - 1, -1):
        text = code[at].strip()
        if text.endswith("_bool_binop_done:;") and any([line.strip().startswith(f"{name} = ")
                                                        for line in code[max(0, at - 6):at]]):
            return None
        if text.startswith(f"{name} = "):
            value = text[len(name) + 3:].split(";")[0]
            if OWN.search(value) or re.fullmatch(r"\(__pyx_t_\d+ [<>] __pyx_t_\d+\)", value):
                return None
            if depth:
                for inner in set(re.findall(r"__pyx_t_\d+", value)):
                    within = operand(code, number - 1, inner, depth - 1) if inner != name else None
                    value = re.sub(rf"\b{inner}\b", lambda found: f"({within})" if within else "...", value)
            if value in ("...", "(!...)"):              # of several operands
                return None if name.startswith("__pyx_t_") else plain(name)
            return plain(value)
    return plain(name)


def plain(text):
    text = re.sub(r"__pyx_fuse_[\d_]*?(?=[a-z])", "", text)
    text = NAME.sub(lambda found: without_module(found[1]), text)
    text = re.sub(r"\(\((?:struct )?[\w ]+ ?\*\)(\w+)\)", r"\1", text)
    text = re.sub(r"\(\(struct \w+ \*\)([^()]+)\)", r"\1", text)
    text = text.replace("((PyObject *)Py_TYPE", "(Py_TYPE")
    while text.startswith("(") and text.endswith(")") and balanced(text[1:-1]):
        text = text[1:-1]
    return text


def without_module(name):
    """``f`` for ``8minigrad_5_core_8dispatch_4call_f``: each name has its length in front."""
    within, core, rest = name.partition("8minigrad_5_core")
    if within or not core:
        return name
    while found := re.match(r"_(\d+)", rest):
        rest = rest[found.end() + int(found[1]):]
    return rest.removeprefix("_")


def balanced(text):
    depth = 0
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth < 0:
            return False
    return depth == 0


def counted(copy, notes):
    """The files of the core by their names, as the processes that ended so far have counted; `notes` is where the
    compiler put its .gcno files."""
    files = collections.defaultdict(File)
    for path in sorted(notes.glob("*.gcno")):
        ran = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", path.name], cwd=notes,
                             check=True, capture_output=True, text=True)
        for answer in ran.stdout.splitlines():
            for file in json.loads(answer)["files"]:
                name = file["file"]
                if name.startswith("minigrad/_core/"):
                    if name.endswith(".c"):
                        begun = {function["start_line"]: function["execution_count"] for function in file["functions"]}
                        add_translated(files, (copy / name).read_text(encoding="utf-8"), file["lines"], begun)
                    else:
                        add_written(files[name], file["lines"])
    return files


def add_translated(files, code, lines, begun):
    """Add what was counted in the C of one module; `begun` says how often the function on each line was called.  A
    function that is not there is one that nobody calls: the compiler has left it out."""
    origins, code = attributed(code), code.split("\n")
    for number, line in enumerate(code, 1):
        origin = origins[number - 1]
        if line.startswith("static ") and line.endswith(") {") and origin and origin[0].startswith("minigrad/_core/"):
            files[origin[0]].lines[origin[1]] += begun.get(number, 0)
    ran = {line["line_number"] - 1: line["count"] for line in lines}
    for line in lines:
        number, count = line["line_number"] - 1, line["count"]
        if number >= len(origins) or origins[number] is None:
            continue
        name, written = origins[number]
        if not name.startswith("minigrad/_core/"):
            continue
        files[name].lines[written] += count
        test = TEST.match(code[number])
        if test and len(line["branches"]) == 2:
            asked = operand(code, number, test[2])
            if asked is not None:
                ways = then_and_else(code, number, [branch["count"] for branch in line["branches"]], ran)
                condition = files[name].conditions[written, asked]
                condition.true += ways[bool(test[1])]
                condition.false += ways[not test[1]]


def then_and_else(code, number, ways, ran):
    """The counts of both ways of a test in C, the one into its block first; `ran` says how often each line ran.

    The compiler names them in either order.  So the first statement in the block tells: it runs as often as its way is
    taken.  Where the block is empty or only breaks off, it is the first of what comes otherwise::

        if (t) {                    if (!t) break;
        } else {                    here
          here
    """
    block = code[number].endswith("{")
    for at in range(number + 1, min(number + 60, len(code))):
        text = code[at].strip()
        if text == "} else {":
            block = False
        elif text.startswith(("}", "case ", "default:")):
            break
        elif at in ran:
            nearest = min(ways, key=lambda way: abs(way - ran[at]))
            return ways if (nearest == ways[0]) == block else ways[::-1]
    return ways


def add_written(file, lines):
    """Add what was counted in a header.  A line with one condition has two ways; where a macro makes many conditions
    of a line, only the line is counted."""
    for line in lines:
        file.lines[line["line_number"]] += line["count"]
        if len(line["branches"]) == 2:
            condition = file.conditions[line["line_number"], ""]
            condition.true += line["branches"][0]["count"]
            condition.false += line["branches"][1]["count"]
