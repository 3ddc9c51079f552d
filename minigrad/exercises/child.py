"""Runs in a process of its own: the answers to one exercise, and then its check.

The question comes as JSON on the standard input; what happened is written to the file that is the argument, so that
whatever the answer prints is not mistaken for it.
"""

import json
import linecache
import sys
import traceback

CHECK = "<the check>"


def executed(source, line, file, names):
    """Run the code as lines of the file from ``line`` on, so that tracebacks name and quote the student's lines."""
    padded = "\n" * (line - 1) + source
    if file.startswith("<"):
        linecache.cache[file] = len(padded), None, padded.splitlines(True), file
    exec(compile(padded, file, "exec"), names)


def lent(imports, names):
    """Let the check use what the starter imports: an answer that does without it may have left it out."""
    brought = {}
    exec(imports, brought)
    for name, value in brought.items():
        names.setdefault(name, value)


def outcome(question):
    """{"kind": the class of what was raised, or None; "said"; "line", of the student's file; "asserted" by the check}.
    """
    names = {"__name__": "__main__"}
    file = question["answers"][-1]["file"]
    try:
        for answer in question["answers"]:
            executed(answer["source"], answer["line"], answer["file"], names)
        lent(question["imports"], names)
        executed(question["check"], 1, CHECK, names)
    except BaseException as failure:
        frames = traceback.extract_tb(failure.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == file]
        if isinstance(failure, SyntaxError) and failure.filename == file:
            lines.append(failure.lineno)
        said = failure.msg if isinstance(failure, SyntaxError) else str(failure)
        # An assertion of the answer's own is an error in it; one that the library makes for the check is a verdict.
        asserted = isinstance(failure, AssertionError) and frames[-1].filename != file
        return {"kind": type(failure).__name__, "said": said, "line": lines[-1] if lines else None,
                "asserted": asserted}
    return {"kind": None}


def main():
    question = json.loads(sys.stdin.buffer.read())
    found = outcome(question)
    with open(sys.argv[1], "w", encoding="utf-8") as result:
        json.dump(found, result)
