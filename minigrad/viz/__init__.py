"""See what autograd does: ``minigrad.viz.graph(loss)`` draws the graph, ``minigrad.viz.play(loss)`` plays the backward
pass.

**The drawing.** A notebook and this site show the result of ``graph`` as a picture; ``save("graph.svg")`` writes it to
a file, and ``print()`` describes it in words.  The result is at the top, the leaves are at the bottom, and gradients
flow downwards.  The shape of a vertex shows its kind:

=====================  ============================================================
box                    the result
ellipse                an operation
octagon, double        a custom ``Function``
parallelogram          a write through a view (``CopySlices``)
hexagon                ``AccumulateGrad``: adds to ``.grad`` of the leaf below it
rounded box            a leaf
dashed box             the saved tensors of the node above it (``saved=True``)
=====================  ============================================================

An edge is labelled with the shape of the gradient that flows along it, which is the shape of the tensor that took the
same path in the forward pass.

How it is made: traversal.py turns tensors into vertices and edges, layout.py gives each its place, svg.py and dot.py
write the files.  ``import minigrad`` loads none of this.

**The player** shows the same picture and the steps of a pass, one by one: which node runs, which gradient
arrives, which formula takes it on to each input, where it is summed or added, which hooks run, and how ``.grad``
changes.  It begins in player.py.  With ``ask=True`` it asks before it shows: questions.py makes the questions, and
mistakes.py the wrong answers.  expressions.py plays what somebody types.

**A derivation**, ``minigrad.viz.derive(loss)``, writes a pass as equations: derivation.py, from a recording.
What repeats in it, the rounds of a loop or the layers of a network, is found in repetition.py and told once, as
recurrences.py writes it; the equations are those of equations.py. For tangents, replay.py computes a recording again.

**A recording**, ``with minigrad.viz.recording():``, has every call in a block, and those of its backward passes:
recording.py.  ``code(loss)`` writes a recorded pass as a program that needs NumPy alone: program.py makes its lines,
with the words in numpy_words.py and the table's own source, table_source.py, and loops.py folds those that repeat.
sheet.py shows either in a page, and written_out.py gives the player each step in both forms.
"""

from pathlib import Path

from minigrad._core.errors import error
from minigrad.viz.derivation import Derivation, Equation, Recurrence, derive
from minigrad.viz.dot import to_dot
from minigrad.viz.expressions import play_expression
from minigrad.viz.player import Player, explain, play, record
from minigrad.viz.program import Program, code
from minigrad.viz.recording import Recording, recording
from minigrad.viz.svg import to_svg
from minigrad.viz.traversal import walk

__all__ = ["Derivation", "Equation", "Graph", "Player", "Program", "Recording", "Recurrence", "code", "derive",
           "explain", "graph", "play", "play_expression", "record", "recording"]


class Graph:
    """A drawing of a graph, the result of :func:`graph`.

    It consists of words and numbers only, and keeps neither tensors nor their graph alive.

    >>> x = torch.ones(3, requires_grad=True)
    >>> drawing = minigrad.viz.graph({"y": x.exp().sum(), "x": x})
    >>> print(drawing)
    y () -> SumBackward0
    SumBackward0 -> ExpBackward0 [(3,)]
    ExpBackward0 -> AccumulateGrad [(3,)]
    AccumulateGrad -> x (3,)
    """

    def __init__(self, picture):
        self._picture = picture
        self._svg = None

    @property
    def svg(self):
        """The drawing as the text of an SVG file.

        >>> x = torch.ones(3, requires_grad=True)
        >>> minigrad.viz.graph(x.sum()).svg[:4]
        '<svg'
        """
        if self._svg is None:
            self._svg = to_svg(self._picture, self._summary())
        return self._svg

    @property
    def dot(self):
        """The graph as the text of a Graphviz file.

        >>> x = torch.ones(3, requires_grad=True)
        >>> minigrad.viz.graph(x.sum()).dot.splitlines()[0]
        'digraph minigrad {'
        """
        return to_dot(self._picture)

    def save(self, path):
        """Write the drawing to ``path``, whose name ends in ``.svg`` or ``.dot``, and return the path.

        >>> x = torch.ones(3, requires_grad=True)
        >>> drawing = minigrad.viz.graph(x.sum())
        >>> drawing.save("graph.png")
        Traceback (most recent call last):
        minigrad._core.errors.AutogradRuntimeError: Graph.save(): a drawing is saved as .svg or .dot, not '.png'; ...
        """
        path = Path(path)
        if path.suffix not in (".svg", ".dot"):
            raise error("MG204", f"Graph.save(): a drawing is saved as .svg or .dot, not {path.suffix!r}; write "
                                 f"save({str(path.with_suffix('.svg'))!r})")
        path.write_text(self.svg if path.suffix == ".svg" else self.dot, encoding="utf-8")
        return path

    def _summary(self):
        nodes = sum([vertex.kind in ("op", "custom", "write", "accumulate") for vertex in self._picture.vertices])
        leaves = sum([vertex.kind == "leaf" for vertex in self._picture.vertices])
        return f"Graph of {nodes} node{'s' * (nodes != 1)} and {leaves} lea{'f' if leaves == 1 else 'ves'}"

    def _repr_svg_(self):
        return self.svg

    def _repr_html_(self):
        return ('<div style="max-width:100%;overflow-x:auto" tabindex="0" role="group" '
                f'aria-label="{self._summary()}">\n{self.svg}</div>')

    def __repr__(self):
        return f"<{self._summary()}: shown in a notebook, saved by .save('graph.svg'), told by print()>"

    def __str__(self):
        return self._picture.in_words()


def graph(tensors, *, saved=False, shapes=True, depth=None):
    """Draw the graph that autograd recorded for ``tensors``.

    Parameters
    ----------
    tensors :
        a tensor; or a list of tensors; or a dict of names and tensors, whose names appear in the picture: at a result,
        at a leaf, or on the edge to an intermediate tensor. A node, such as ``y.grad_fn``, can replace a tensor.
    saved : bool
        show the saved tensors of each node with their versions: ``self (2, 3) v0`` is a saved tensor named *self* at
        version 0. The picture shows if it has been overwritten since, or freed by ``backward``.
    shapes : bool
        write the shapes of gradients on the edges. Most follow from saved tensors; for the others, the node's formula
        is run with zeros, without hooks and without custom Functions.
    depth : int
        draw only this many steps from the start; "…" marks where the graph continues.

    Saved tensors are read, as in ``y.grad_fn._saved_self``, so hooks that unpack them run. With ``saved=False`` and
    ``shapes=False`` only nodes are read.

    Returns a :class:`Graph`, which a notebook displays, and which can be saved to a file.

    Raises: TypeError for anything that is not a tensor; RuntimeError for a tensor without a graph, and for more than
    400 nodes.

    >>> w = torch.ones(3, 2, requires_grad=True)
    >>> x = torch.ones(4, 3)
    >>> loss = (x @ w).relu().mean()
    >>> minigrad.viz.graph(loss)
    <Graph of 4 nodes and 1 leaf: shown in a notebook, saved by .save('graph.svg'), told by print()>
    >>> print(minigrad.viz.graph({"loss": loss, "w": w}))
    loss () -> MeanBackward0
    MeanBackward0 -> ReluBackward0 [(4, 2)]
    ReluBackward0 -> MmBackward0 [(4, 2)]
    MmBackward0 -> AccumulateGrad [(3, 2)]
    AccumulateGrad -> w (3, 2)
    >>> print(minigrad.viz.graph(loss, depth=1))
    result () -> MeanBackward0
    MeanBackward0 -> ReluBackward0 [(4, 2)]
    ReluBackward0 -> …
    >>> minigrad.viz.graph(x)
    Traceback (most recent call last):
    minigrad._core.errors.AutogradRuntimeError: viz.graph(): the argument, a tensor of shape (4, 3), has no graph: ...
    """
    if depth is not None and (isinstance(depth, bool) or not isinstance(depth, int)):
        raise error("MG205", f"viz.graph(): depth must be a number of steps, an int, not {type(depth).__name__}")
    if depth is not None and depth < 0:
        raise error("MG204", f"viz.graph(): depth must be 0 or more steps, but it is {depth}")
    return Graph(walk(tensors, saved=saved, shapes=shapes, depth=depth))
