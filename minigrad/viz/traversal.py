"""Turn tensors into the vertices and edges of a picture: walk the graph, and find the label of each edge.

This uses only attributes of nodes that any user can read: ``next_functions``, ``name()``, ``variable`` and
``_saved_...``.  The result, a :class:`Picture`, consists of words and numbers only, so that a drawing
keeps neither a tensor nor the graph alive.

Each vertex has a *kind*, which decides its shape:

==============  ============================================================
``result``      a tensor to start from
``op``          the node of an operation
``custom``      the node of a custom ``Function``
``write``       ``CopySlices``: a write through a view
``accumulate``  ``AccumulateGrad``: adds to ``.grad`` of a leaf
``leaf``        that leaf
``more``        the graph continues beyond ``depth``
==============  ============================================================
"""

import re
from collections import Counter, deque
from dataclasses import dataclass, field
from math import prod

from minigrad._core.errors import MinigradError, error
from minigrad._core.graph import AccumulateGrad, Node, Tensor
from minigrad._core.graph.function_node import PyNode
from minigrad._core.graph.hook_lists import node_hooks
from minigrad._core.graph.view_history import CopySlices
from minigrad._core.runtime.scopes import Scope
from minigrad.autograd.grad_mode import no_grad
from minigrad.autograd.graph import get_gradient_edge
from minigrad.creation import zeros
from minigrad.viz.layout import ranks

__all__ = ["EDGES", "LIMIT", "Edge", "Picture", "Vertex", "called", "grads_put_aside", "walk"]

#: The most nodes and edges to draw: a larger picture could not be read.
LIMIT, EDGES = 400, 1600

TOO_MANY = (f"viz.graph(): this graph has more than {LIMIT} nodes, or {EDGES:,} edges, too many for a readable "
            "picture. Draw a part of it: viz.graph(y, depth=20) stops 20 steps below y, and a tensor or a node from "
            "within the computation starts further down")

#: Formulas are run to find shapes (Note [Shapes]) only if the gradient has at most this many entries.
LARGEST = 1 << 20

#: The longest text in a picture.
LONGEST = 28


@dataclass
class Vertex:
    kind: str
    title: str
    lines: list = field(default_factory=list)       # below the title
    notes: list = field(default_factory=list)       # its saved tensors, if requested


@dataclass
class Edge:
    source: int
    target: int
    output: int = 0         # the number of the target's output
    label: str = ""
    number: int = 0         # the index among the edges of the source


@dataclass
class Picture:
    vertices: list
    edges: list

    def in_words(self):
        """The picture in words, line by line from the top, for anyone who cannot see it."""
        rank = ranks(len(self.vertices), [(edge.source, edge.target) for edge in self.edges])
        downwards = sorted(range(len(self.vertices)), key=rank.__getitem__)
        called = self.told_apart(downwards)
        below = [[] for _ in self.vertices]
        for edge in self.edges:
            below[edge.source].append(called[edge.target] + (f" [{edge.label}]" if edge.label else ""))
        lines = []
        for i in downwards:
            if below[i]:
                about = "".join([f"; saved {note}" for note in self.vertices[i].notes])
                lines.append(f"{called[i]} -> {', '.join(below[i])}{about}")
        return "\n".join(lines)

    def told_apart(self, downwards):
        """A name for each vertex; equal ones are numbered."""
        names = [" ".join([vertex.title, *vertex.lines]) for vertex in self.vertices]
        often, seen, called = Counter(names), Counter(), {}
        for i in downwards:
            seen[names[i]] += 1
            called[i] = f"{names[i]} #{seen[names[i]]}" if often[names[i]] > 1 else names[i]
        return called


# ------------------------------------------------------------------------------ where to start

@dataclass
class Start:
    """A place to start from: a node, and the tensor that led to it, if it was one."""
    node: Node
    output: int
    tensor: Tensor = None
    name: str = ""


def starts_of(tensors):
    """``(starts, names of tensors)`` for the user's argument, or an error that explains its mistake."""
    if isinstance(tensors, dict):
        given = [(str(name), f"{name!r}", thing) for name, thing in tensors.items()]
    elif isinstance(tensors, (list, tuple)):
        given = [("", f"number {i}", thing) for i, thing in enumerate(tensors)]
    else:
        given = [("", "the argument", tensors)]
    if not given:
        raise nothing_to_draw()
    starts = []
    for name, where, thing in given:
        if isinstance(thing, Node):
            starts.append(Start(thing, 0, name=name))
        elif not isinstance(thing, Tensor):
            raise not_drawable(where, thing)
        elif thing.grad_fn is not None:
            starts.append(Start(thing.grad_fn, thing.output_nr, thing, name))
        elif not thing.requires_grad and not isinstance(tensors, dict):
            raise without_graph(where, thing)
        elif thing.requires_grad:
            starts.append(Start(get_gradient_edge(thing).node, 0, None, name))
    if not starts:
        raise all_without_graph(given)
    named = {id(thing): name for name, _, thing in given if name and isinstance(thing, Tensor)}
    return starts, named


# ------------------------------------------------------------------------------ the walk

def nodes_below(starts, depth, too_many=TOO_MANY):
    """node -> its number, in order of distance; and the nodes at which the walk stopped. ``too_many`` is what an error
    says of a graph that is too large to be looked at; with None any size will do."""
    number, edges = {}, 0
    inner = [start.node for start in starts if not isinstance(start.node, AccumulateGrad)]
    waiting = deque([(node, 0) for node in inner])
    while waiting:
        node, far = waiting.popleft()
        if node in number or (depth is not None and far > depth):
            continue
        number[node] = len(number)
        edges += len(node.next_functions)
        if too_many is not None and (len(number) > LIMIT or edges > EDGES):
            raise error("MG204", too_many)
        waiting.extend([(below, far + 1) for below, _ in node.next_functions if below is not None])
    if depth is None or not inner:          # leaves given by the user, although nothing leads to them
        for start in starts:
            number.setdefault(start.node, len(number))
    cut = {node for node in number if any(below is not None and below not in number
                                          for below, _ in node.next_functions)}
    return number, cut


def grads_put_aside(tensor, too_many):
    """Within the block, every ``.grad`` that a pass from ``tensor`` could change is a copy; afterwards it is the
    original object again."""
    nodes, _ = nodes_below([Start(*get_gradient_edge(tensor))], None, too_many) if tensor.requires_grad else ((), ())
    filled = [node.variable for node in nodes if isinstance(node, AccumulateGrad)]
    filled += [retained() for node in nodes for retained in node_hooks(node).retained.values()]
    return Scope(*[(each, "grad", None if each.grad is None else each.grad.detach().clone())
                   for each in filled if each is not None])


def walk(tensors, *, saved=False, shapes=True, depth=None):
    """The :class:`Picture` of the graph below ``tensors``."""
    starts, named = starts_of(tensors)
    picture, _ = picture_of(starts, named, nodes_below(starts, depth), saved=saved, shapes=shapes)
    return picture


def picture_of(starts, named, found, *, saved=False, shapes=True):
    """The picture of the nodes ``found`` below ``starts``, and node -> its vertex.

    ``named`` gives the names of tensors, by ``id``.
    """
    number, cut = found
    contents = {node: what_is_saved(node) if shapes or saved else [] for node in number}
    known = find_shapes(starts, number, contents) if shapes else {}
    outputs = outputs_used(number)
    boxes, on_edges = results_and_names(starts, outputs, saved)

    vertices = [*boxes.values(), *map(vertex_of, number)]
    place = {node: len(boxes) + i for node, i in number.items()}
    edges = [Edge(i, place[node], output) for i, (node, output) in enumerate(boxes)]
    for node, contents_of_node in contents.items():
        if saved:
            vertices[place[node]].notes = notes_of(contents_of_node, named, on_edges)
        for i, (below, output) in enumerate(node.next_functions):
            if below in number:
                label = label_of((below, output), on_edges, outputs[below] != {0}, known)
                edges.append(Edge(place[node], place[below], output, label, i))
        if node in cut:
            edges.append(Edge(place[node], len(vertices)))
            vertices.append(Vertex("more", "…"))
        if isinstance(node, AccumulateGrad):
            edges.append(Edge(place[node], len(vertices)))
            vertices.append(box_of("leaf", named.get(id(node.variable)), node.variable, saved))
    return Picture(vertices, edges), place


def outputs_used(number):
    """node -> the outputs that were used by other nodes."""
    outputs = {}
    for node in number:
        for below, output in node.next_functions:
            outputs.setdefault(below, set()).add(output)
    return outputs


def results_and_names(starts, outputs, saved):
    """(node, output) -> the box of a tensor to start from; or, if other nodes used it, its name for the label of
    edges."""
    boxes, on_edges = {}, {}
    for start in starts:
        key = (start.node, start.output)
        if start.tensor is None:
            continue
        if start.name and start.output in outputs.get(start.node, ()):
            on_edges[key] = start.name
        elif key in boxes:
            boxes[key].title = short(", ".join(filter(None, [boxes[key].title, start.name])))
        else:
            boxes[key] = box_of("result", start.name, start.tensor, saved)
    return boxes, on_edges


def box_of(kind, name, tensor, saved):
    return Vertex(kind, short(name or kind), [shown(tensor.shape), *([f"version {tensor._version}"] if saved else [])])


def label_of(edge, on_edges, several, known):
    shape, _ = known.get(edge, (None, None))
    return " ".join(filter(None, [short(on_edges.get(edge, "")), f"output {edge[1]}" if several else "", shown(shape)]))


def vertex_of(node):
    name = called(node)
    if isinstance(node, AccumulateGrad):
        return Vertex("accumulate", name)
    if isinstance(node, CopySlices):
        return Vertex("write", name, [short(called(node._inner))])
    return Vertex("custom" if isinstance(node, PyNode) else "op", short(name))


def called(node):
    """The node's name, from its class, since a custom Function may have set a ``name`` of its own on its ctx."""
    return type(node).name(node).removeprefix("torch::autograd::")


def short(text):
    """``text`` on one line, shortened, and without characters that no file can hold."""
    text = " ".join("".join([letter if letter.isprintable() else " " for letter in text]).split())
    return text if len(text) <= LONGEST else text[:LONGEST - 1] + "…"


def shown(shape):
    return "" if shape is None else str(tuple(shape))


# ------------------------------------------------------------------------------ saved tensors

@dataclass
class Gone:
    """Replaces something that can no longer be shown."""
    why: str


def what_is_saved(node):
    """[(name, value)] of the saved tensors, or tuples of tensors; :class:`Gone` for one that cannot be read."""
    found = []
    if isinstance(node, PyNode):
        try:
            return [(f"tensor {i}", tensor) for i, tensor in enumerate(node._saved())]
        except MinigradError as refused:
            return [("tensors", Gone(reason(refused)))]
    for attribute in sorted([name for name in dir(type(node)) if name.startswith("_raw_saved_")]):
        try:
            value = getattr(node, attribute.removeprefix("_raw"))
        except MinigradError as refused:
            value = Gone(reason(refused))
        found.append((attribute.removeprefix("_raw_saved_"), value))
    return found


def reason(refused):
    if refused.code == "MG102":
        return "freed"
    versions = re.search(r"version (\d+); expected version (\d+)", str(refused))
    return f"overwritten: v{versions[2]}, now v{versions[1]}" if versions else "cannot be unpacked"


def notes_of(contents, named, on_edges):
    notes = []
    for name, value in contents:
        if isinstance(value, Gone):
            notes.append(f"{name}: {value.why}")
        elif isinstance(value, Tensor):
            known = named.get(id(value)) or on_edges.get((value.grad_fn, value.output_nr))
            notes.append(f"{name} {shown(value.shape)} v{value._version}" + (f" = {short(known)}" if known else ""))
        elif value is not None:
            notes.append(f"{name}: {len(value)} tensors")
    return notes


# Note [Shapes]
# -------------
# A node does not remember the shape of its output, since it does not need it.  But there are witnesses: leaves have
# shapes, so do the tensors to start from, and so does every saved tensor, which knows its own node:
#
#     result ()  ->  PowBackward0         saved self (4, 8), whose grad_fn is AddBackward0, output 0
#                         |
#                         v  (4, 8)       so this is the shape here
#                    AddBackward0
#
# Where there is no witness, formulas help: a node computes the gradients of its inputs from zeros of the shape of its
# output.  This runs neither hooks nor other code of the user; custom Functions are left out.

def find_shapes(starts, number, contents):
    """(node, output) -> (shape, dtype), as far as it is known."""
    known = {(start.node, start.output): (start.tensor.shape, start.tensor.dtype)
             for start in starts if start.tensor is not None}
    for node, saved in contents.items():
        if isinstance(node, AccumulateGrad):
            known[node, 0] = (node.variable.shape, node.variable.dtype)
        for _, value in saved:
            for tensor in value if isinstance(value, (list, tuple)) else (value,):
                if isinstance(tensor, Tensor) and tensor.grad_fn in number:
                    known[tensor.grad_fn, tensor.output_nr] = (tensor.shape, tensor.dtype)
    nodes = list(number)
    rank = ranks(len(nodes), [(number[node], number[below]) for node in nodes for below, _ in node.next_functions
                              if below in number])
    for node in sorted(nodes, key=lambda node: rank[number[node]]):         # each after its predecessors
        below = node.next_functions
        if any(edge not in known for edge in below if edge[0] in number):
            for edge, tensor in zip(below, asked(node, known)):
                if tensor is not None:
                    known.setdefault(edge, (tensor.shape, tensor.dtype))
    return known


def asked(node, known):
    """The gradients that a node computes from zeros; nothing if it cannot, or should not, be run."""
    outputs = []
    while (node, len(outputs)) in known:
        outputs.append(known[node, len(outputs)])
    inner = node._inner if isinstance(node, CopySlices) else node
    if not outputs or isinstance(inner, (PyNode, AccumulateGrad)) or any(prod(shape) > LARGEST for shape, _ in outputs):
        return ()
    try:
        with no_grad():
            gradients = node(*[zeros(shape, dtype=dtype) for shape, dtype in outputs])
    except MinigradError:
        return ()
    return gradients if isinstance(gradients, tuple) else (gradients,)


# ------------------------------------------------------------------------------ errors


def nothing_to_draw():
    return error("MG204", "viz.graph(): there is nothing to draw: the collection of tensors is empty. Pass a "
                          "result, as in viz.graph(loss)")


def not_drawable(where, thing):
    return error("MG205", "viz.graph(): expected a Tensor, a node, a list of them, or a dict of names and "
                          f"Tensors, but {where} is of type '{type(thing).__name__}'")


def without_graph(where, thing):
    return error("MG204", f"viz.graph(): {where}, a tensor of shape {tuple(thing.shape)}, has no graph: it does "
                          "not require grad and has no grad_fn, so nothing was recorded. It was computed from "
                          "tensors that do not require grad, under no_grad(), or detached. Call "
                          "requires_grad_() on the parameters before you compute with them")


def all_without_graph(given):
    return error("MG204", f"viz.graph(): none of {', '.join([where for _, where, _ in given])} has a graph: they do "
                          "not require grad and have no grad_fn. Pass a result that was computed from tensors that "
                          "require grad")
