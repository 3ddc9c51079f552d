"""What a block of ``digits`` has found: the losses, a table of all operations, and a drawing."""

import linecache
from importlib import import_module
import sys

from minigrad._core.errors import error, shown_path
from minigrad._core.graph import Tensor
from minigrad.autograd.digits.causes import losses
from minigrad.autograd.digits.measuring import Measured, full_digits
from minigrad.autograd.digits.shadow_memory import is_inexact

__all__ = ["Loss", "Report"]


def __getattr__(name):
    """The drawing is made where drawings are made, which is above."""
    if name == "draw":
        return import_module("minigrad.viz.digits").draw
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


# ------------------------------------------------------------------------------ lines of the program

def line_of(place):
    """(file, number) of a line of the user's program; ("", 0) if it is unknown."""
    code, instruction = place
    if code is None:
        return "", 0
    for start, end, line in code.co_lines():
        if start <= instruction < end:
            return code.co_filename, line or 0
    return code.co_filename, code.co_firstlineno


def where(place):
    """The same in words: "program.py:12"."""
    file, line = line_of(place)
    return f"{shown_path(file)}:{line}" if file else "?"


def source(place):
    """The text of the line."""
    file, line = line_of(place)
    return linecache.getline(file, line).strip() if file else ""


# ------------------------------------------------------------------------------ the report

HAPPENED = {
    "cancellation": "Its result is small beside its terms, whose errors remain.",
    "absorption": "A term was too small to be felt: the sum has the digits of the other one.",
    "overflow": "The result is too large for {dtype}, and became inf.",
    "underflow": "The result is too small for {dtype}, and became 0 or lost its bits.",
    "invalid": "It gave nan where there is a number.",
    "ill-conditioned": "It makes small errors of its arguments large.",
    "accumulation": "Many small errors of this line have added up.",
    "rounding": "It has rounded its result to fewer digits.",
}


class Loss:
    """Digits that a result has lost, and the operation that explains it.

    ``kind`` is one of cancellation, absorption, overflow, underflow, invalid, ill-conditioned, accumulation and
    rounding; ``operation`` the name of the operation that explains the loss, ``file`` and ``line`` where it is called
    (for a node of the backward pass, where its operation was); ``result`` the name of what has lost the digits, and
    ``digits`` how many of ``full`` are left; ``advice`` what to write instead.
    """

    def __init__(self, cause):
        self._cause = cause
        self.kind, self.advice = cause.kind, cause.advice
        self.operation, self.result = cause.record.name, cause.result.name
        self.file, self.line = line_of(cause.record.place)
        self.text = source(cause.record.place)
        self.digits, self.full = cause.result.measured.typical, cause.result.measured.full

    def __repr__(self):
        return f"<{self.kind} in {self.operation}, {where(self._cause.record.place)}: {self.digits:.1f} of " \
               f"{self.full:.1f} digits left>"

    def __str__(self):
        cause = self._cause
        lines = [f"{self.kind} at {where(cause.record.place)}" + (f", `{self.text}`" if self.text else ""),
                 f"    {self.result} has {self.digits:.1f} of {self.full:.1f} digits."
                 + (f" What explains it is {self.operation}." if cause.record is not cause.result else "")
                 + " " + HAPPENED[self.kind].format(dtype=cause.record.dtype.name)]
        if self.advice:
            lines.append(f"    Write {self.advice}.")
        return "\n".join(lines)


class Report:
    """What :func:`digits` has found, once its block has ended.

    ``losses`` has a :class:`Loss` for each result that has lost half of its digits or more, the worst first, and
    ``worst`` the first of them, or None.  A result is what the block leaves behind: a tensor that still exists and from
    which nothing else was computed, or a ``.grad``.  Losses on the way that did not matter are in the table alone.
    """

    def __init__(self, watching):
        self._watching = watching
        self._results = None

    def _close(self):
        """The block has ended: what is left of its tensors are the results."""
        alive = [memory.record for memory in self._watching.shadows.alive()]
        self._results = sorted({r for r in alive if r is not None and not r.used}, key=lambda r: r.number)
        self._losses = [Loss(cause) for cause in losses(self._results)]

    def _closed(self):
        if self._results is None:
            raise error("MG505", "digits(): the report is made when the block ends: read it after the `with`.")
        return self

    @property
    def losses(self):
        """The results that have lost half of their digits or more, the worst first."""
        return self._closed()._losses

    @property
    def worst(self):
        """The first of ``losses``, or None."""
        return self.losses[0] if self.losses else None

    def of(self, tensor):
        """The digits of a tensor: ``worst``, ``median`` and ``full``; None if they are unknown.

        >>> x = torch.tensor(1e-3)
        >>> with torch.autograd.digits() as report:
        ...     y = torch.exp(x) - 1
        >>> print(report.of(y))
        4.6 of 7.2 digits
        """
        if not isinstance(tensor, Tensor):
            raise error("MG205", f"report.of(): expected a tensor, not {type(tensor).__name__}")
        self._closed()
        memory = self._watching.shadows.of(tensor._array)
        if memory is None or memory.record is None and not memory.unknown:
            full = full_digits(tensor._array.dtype) if is_inexact(tensor._array) else float("inf")
            return Measured(full, full, full, full)
        return None if memory.record is None else memory.record.measured

    def table(self, row_limit=20):
        """A line for each operation of each line of the program, those that have lost most first; then what happened.

        ``itself`` is what the operation has lost, its arguments taken as exact, and ``inherited`` the rest, each at the
        worst entry; both are left open for sums of gradients, and for a large result that has lost digits in few of its
        entries only.  Nodes of the backward pass are named like those of the graph, with the line of the forward pass.
        """
        self._closed()
        groups = {}
        for r in self._watching.records:
            groups.setdefault((r.name, r.place), []).append(r)
        rows = [row_of(name, place, records) for (name, place), records in groups.items()]
        rows.sort(key=lambda row: -row[0])
        head = ("digits", "median", "itself", "inherited", "calls", "operation", "line")
        lines = in_columns([head, *[row[1:] for row in rows[:row_limit]]])
        if len(rows) > row_limit:
            lines.append(f"... and {len(rows) - row_limit} lines more: table(row_limit={len(rows)})")
        return "\n".join([*lines, *self._notes()])

    def _notes(self):
        """What is said below the table."""
        told, watching = {}, self._watching
        for loss in self._losses:
            told.setdefault((loss.kind, loss._cause.record.place, loss.advice), str(loss))
        notes = [*told.values()]
        if not told:
            notes.append("No result has lost half of its digits.")
        for (name, place), n in watching.decisions.items():
            notes.append(f"{name} at {where(place)} would decide otherwise with more digits{times(n)}; the program's "
                         "decision was followed.")
        for (name, place), n in [*watching.unknown.items()][:5]:
            notes.append(f"unknown: {name} at {where(place)}{times(n)} has no way in higher precision.")
        if len(watching.unknown) > 5:
            notes.append(f"unknown: {len(watching.unknown) - 5} operations more.")
        if watching.shadows.outside:
            notes.append(f"{watching.shadows.outside} numbers were not written by operations, but by NumPy or the loop "
                         "of an optimizer, for example: they count as exact from there.")
        return ["", *notes]

    def graph(self):
        """A drawing of what the worst results were computed from: colours from green, all digits, to red, none.

        Grey is unknown.  It is shown in notebooks, and saved by ``save("digits.svg")``; see :func:`minigrad.viz.graph`.
        """
        self._closed()
        results = [loss._cause.result for loss in self._losses] or self._results
        if not results:
            raise error("MG204", "report.graph(): every result of the block is exact, so there is nothing to draw.")
        return sys.modules[__name__].draw(results, where)

    def __repr__(self):
        if self._results is None:
            return "<report of digits(), whose block has not ended>"
        n = len(self._losses)
        return f"<report of digits(): {n} result{'s' * (n != 1)} with less than half of the digits; read .table()>"


def times(n):
    return f", {n} times" if n > 1 else ""


def row_of(name, place, records):
    """What sorts a row, and its columns."""
    known = [r for r in records if r.measured is not None]
    line = f"{where(place)}  {source(place)}".strip()[:72]
    if not known:
        return -1, "unknown", "", "", "", str(len(records)), name, line
    worst = min(known, key=lambda r: r.measured.worst)
    digits = worst.measured
    lost = digits.full - digits.worst
    shares = "", ""
    if worst.own is not None:
        itself = worst.own.full - worst.own.worst
        shares = f"{itself:.1f}", f"{max(lost - itself, 0):.1f}"
    return (lost, f"{digits.worst:.1f} of {digits.full:.1f}", f"{digits.median:.1f}", *shares, str(len(records)), name,
            line)


def in_columns(rows):
    """Lines of text, with a rule below the first one: numbers to the right, words to the left."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = ["  ".join([cell.rjust(width) if i < 5 else cell.ljust(width)
                        for i, (cell, width) in enumerate(zip(row, widths))]).rstrip() for row in rows]
    return [lines[0], "-" * max(map(len, lines)), *lines[1:]]
