"""How much a tensor keeps alive: the nodes behind it, and the memory that they saved for backward.

    total += loss            # a graph that grows with every step of the loop, and keeps all of them
    print(torch.autograd.graph.saved_bytes(total))

Memory that grows from step to step is seldom a leak.  Usually the program still holds a result; the result holds its
node, and the node holds its saved tensors and the nodes before it, back to the leaves.  `saved_bytes` follows that
path and adds up the bytes.

Each piece of memory is counted once, at the first node that holds it, however many nodes and views share it.  It is
counted whole, because a view of ten elements keeps its whole base alive.  The memory of the leaves is counted
separately: parameters exist with or without the graph.
"""

import os
import re
import sys
from textwrap import fill

import numpy as np

from minigrad._core.errors import error
from minigrad._core.graph import AccumulateGrad, Node, Tensor
from minigrad._core.graph.gradient_edges import accumulator_of
from minigrad._core.graph.hook_lists import noted_traceback
from minigrad._core.graph.saved_tensor_hooks import held_by

__all__ = ["OpBytes", "SavedBytes", "saved_bytes"]

PLACE = re.compile(r'File "(.*)", line (\d+)')
SHOWN = 3               # this many lines of the program are named for each operation
WIDTH = 96              # of the remarks below the table
SUMS = 8                # this many additions in a row suggest a loop that adds up losses
CONTAINERS = (tuple, list, set, frozenset, dict)


class OpBytes:
    """The total for nodes of one name: ``nodes``, ``bytes``, and ``lines``, the code that made them: {place: count}."""

    def __init__(self):
        self.nodes = self.bytes = 0
        self.lines = {}

    def __repr__(self):
        return f"OpBytes(nodes={self.nodes}, bytes={self.bytes}, lines={self.lines})"


class SavedBytes:
    """The result of :func:`saved_bytes`, which prints as a table.

    Attributes
    ----------
    total : int
        Bytes that the graph keeps for backward, without the leaves; shared memory counts once.
    leaves : int
        Bytes of the leaves to which the graph leads.
    nodes : int
        The number of nodes; ``node_bytes`` is the size of the nodes themselves.
    pieces : int
        The number of separate pieces of memory in the total.
    unknown : int
        The number of saved tensors that a pack hook keeps in a form that cannot be measured, for instance on disk.
    by_op : dict
        Name of the node -> :class:`OpBytes`, the largest first.
    sums : int
        The number of consecutive additions behind the result: ``total += loss`` adds one with each step.
    """

    def __init__(self):
        self.total = self.leaves = self.nodes = self.node_bytes = self.pieces = self.unknown = self.sums = 0
        self.by_op = {}

    def __str__(self):
        rows = [("node", "count", "bytes", "made at")]
        for name, op in self.by_op.items():
            lines = sorted(op.lines.items(), key=lambda line: -line[1])
            places = [f"{place} (x{count})" if count > 1 else place for place, count in lines[:SHOWN]]
            rows.append((name, str(op.nodes), shown(op.bytes), ", ".join(places) + ", ..." * (len(lines) > SHOWN)))
        rows.append(("total", str(self.nodes), shown(self.total), ""))
        widths = [max([len(row[i]) for row in rows]) for i in range(3)]
        text = [f"{a:<{widths[0]}}  {b:>{widths[1]}}  {c:>{widths[2]}}  {d}".rstrip() for a, b, c, d in rows]
        return "\n".join([*text, *[fill(remark, WIDTH) for remark in self._remarks()]])

    __repr__ = __str__

    def _remarks(self):
        yield (f"{count(self.pieces, 'piece')} of memory; the nodes themselves take about {shown(self.node_bytes)}, "
               f"the leaves behind them {shown(self.leaves)}.")
        if self.unknown:
            yield f"{count(self.unknown, 'saved tensor')} packed by hooks into something that cannot be measured here."
        if self.sums >= SUMS:
            yield (f"{self.sums} additions follow one another: a loop such as `total += loss` keeps the graph of "
                   "every loss. To add up numbers, write total += loss.item(), or loss.detach().")
        if self.nodes and not any([op.lines for op in self.by_op.values()]):
            yield ("To see which lines made the nodes, run the forward pass in anomaly mode: "
                   "with torch.autograd.set_detect_anomaly(True).")


def saved_bytes(tensors):
    """How much memory the graph behind ``tensors`` keeps for backward, by operation.

    Use it when memory grows: a graph that is kept alive by accident shows up in the table.

    ``tensors`` is a Tensor, a :class:`GradientEdge`, a :class:`Node`, or a sequence of these; shared memory is counted
    once.  Nothing is changed, unpacked or run.  Memory that a backward pass has freed no longer counts.

    Returns a :class:`SavedBytes`, which a prompt shows as a table.  Raises: TypeError for anything else.

    >>> x = torch.ones(1000, requires_grad=True)
    >>> total = 0
    >>> for step in range(10):
    ...     total = total + (x * x).exp().sum()
    >>> torch.autograd.graph.saved_bytes(total)
    node          count     bytes  made at
    ExpBackward0     10  39.06 KB
    AddBackward0     10       0 B
    SumBackward0     10       0 B
    MulBackward0     10       0 B
    total            40  39.06 KB
    10 pieces of memory; the nodes themselves take about ... KB, the leaves behind them 3.91 KB.
    10 additions follow one another: a loop such as `total += loss` keeps the graph of every loss.
    To add up numbers, write total += loss.item(), or loss.detach().
    To see which lines made the nodes, run the forward pass in anomaly mode: with
    torch.autograd.set_detect_anomaly(True).
    """
    several = isinstance(tensors, (list, tuple)) and not hasattr(tensors, "node")       # a GradientEdge is a tuple too
    roots = [node_of(x) for x in (tensors if several else [tensors])]
    report, nodes, counted = SavedBytes(), reached(roots), {}
    for node in nodes:
        if isinstance(node, AccumulateGrad):
            report.leaves += enter(node.variable, counted)[0]
    n_leaves = len(counted)
    for node in nodes:
        if not isinstance(node, AccumulateGrad):
            count_in(report, node, counted)
    report.pieces = len(counted) - n_leaves
    report.total = sum([op.bytes for op in report.by_op.values()])
    report.by_op = dict(sorted(report.by_op.items(), key=lambda item: (-item[1].bytes, -item[1].nodes)))
    report.sums = max(map(sums_from, roots), default=0)
    return report


def node_of(x):
    if isinstance(x, Tensor):
        return accumulator_of(x)[0]
    node = getattr(x, "node", x)                # of an edge
    if not isinstance(node, Node):
        raise error("MG205", "saved_bytes(): give a Tensor, a GradientEdge, a Node, or a sequence of them, "
                             f"not '{type(x).__name__}'")
    return node


def reached(roots):
    """All nodes to which the roots lead, each once; without recursion, since a graph may be a million nodes deep."""
    found, waiting = {}, [node for node in reversed(roots) if node is not None]
    while waiting:
        node = waiting.pop()
        if id(node) in found:
            continue
        found[id(node)] = node
        waiting += [behind for behind, _ in reversed(node.next_functions)
                    if behind is not None and id(behind) not in found]
    return list(found.values())


def count_in(report, node, counted):
    """Add one node to the report, with the memory that no earlier node holds."""
    op = report.by_op.setdefault(Node.name(node), OpBytes())         # ctx.name may be the user's own
    op.nodes += 1
    report.nodes += 1
    report.node_bytes += sys.getsizeof(node)
    inner = getattr(node, "_inner", None)               # a write through a view contains the node of the write
    for part in (node, inner) if isinstance(inner, Node) else (node,):
        for held in held_by(part):
            added, known = enter(held, counted)
            op.bytes += added
            report.unknown += not known
        for kept in list(vars(part).values()) if hasattr(part, "__dict__") else ():         # ctx.x = x
            op.bytes += enter(kept, counted)[0]
    made = noted_traceback(node)
    if made:
        file, line = PLACE.search(made[-1]).groups()
        place = f"{os.path.basename(file)}:{line}"
        op.lines[place] = op.lines.get(place, 0) + 1


def enter(held, counted):
    """Enter the memory of ``held`` into ``counted``, {id: the array}.

    Return how many bytes are new, and whether everything could be measured.
    """
    added, known, waiting, seen = 0, True, [held], set()
    while waiting:
        x = waiting.pop()
        while isinstance(x, Tensor):            # a tensor of a transform wraps one of the level below
            x = x._array
        while isinstance(x, np.ndarray) and isinstance(x.base, np.ndarray):
            x = x.base
        if isinstance(x, CONTAINERS):           # made by a pack hook
            if id(x) not in seen:
                seen.add(id(x))
                waiting += x.values() if isinstance(x, dict) else x
        elif isinstance(x, (np.ndarray, bytes, bytearray)):
            if id(x) not in counted:
                counted[id(x)] = x
                added += x.nbytes if isinstance(x, np.ndarray) else len(x)
        elif x is not None and not isinstance(x, (bool, int, float, complex)):
            known = False
    return added, known


def sums_from(node):
    """The number of consecutive additions from here on: each has the next one among its inputs."""
    n = 0
    while node is not None and Node.name(node) == "AddBackward0":
        n += 1
        before = [behind for behind, _ in node.next_functions if behind is not None]
        node = next((behind for behind in before if Node.name(behind) == "AddBackward0"), None)
    return n


def shown(size):
    """A number of bytes, in the form of the profiler's tables."""
    for unit in ("B", "KB", "MB"):
        if size < 1024:
            return f"{size} {unit}" if unit == "B" else f"{size:.2f} {unit}"
        size /= 1024
    return f"{size:.2f} GB"


def count(n, what):
    return f"{n} {what}{'s' * (n != 1)}"
