"""The story of a backward pass: everything the engine did, step by step, as words and numbers.

The engine reports everything, as it happens, to a listener (``set_story``, Note [Stories] in
_core/backward/watched_pass.pyx)::

    begin     enter  hook  unpacked  leave  deliver  deliver     enter  accumulate  hook     end
    a Pass    a Step -----------------------------------------   a Step -----------------

A :class:`PassRecorder` listens, and makes a :class:`Pass` with its steps.  So nothing here computes a gradient: the
numbers shown are the numbers that flowed.  They are copied at once, since the engine adds to gradients in place.  When
a pass has ended, only words and numbers are left of its nodes and tensors (values.py).
"""

from dataclasses import dataclass, field
from math import prod

from minigrad._core.errors import MinigradError
from minigrad._core.graph import AccumulateGrad, Tensor
from minigrad._core.graph.function_node import PyNode
from minigrad._core.graph.saved_tensors import shown_slot
from minigrad._core.graph.view_history import CopySlices
from minigrad.notation.expressions import Item, Literal, Number, put_in
from minigrad.notation.rows import helpers, name_of, written
from minigrad.viz.mistakes import Derivation, derivation_of
from minigrad.viz.traversal import (EDGES, LIMIT, Gone, Picture, Start, called, nodes_below, picture_of, reason,
                                    what_is_saved)
from minigrad.viz.values import Value, about_row, line_of, name_and_line, origin_of, row_of, tag_of, value_of

__all__ = ["Flow", "Hooked", "Pass", "PassRecorder", "Saved", "Step"]

#: A formula is also written with numbers if no number is longer than this, and the whole not longer than that.
SHORT, LINE = 24, 60

TOO_MANY = (f"this backward pass runs through more than {LIMIT} nodes, or {EDGES:,} edges, too many to play. "
            "Record a part of it: the pass of an intermediate result, as in viz.play(h), or of a smaller "
            "input: fewer rounds of the loop, a shorter sequence")


# ------------------------------------------------------------------------------ the parts of a story

@dataclass
class Hooked:
    """A hook that ran."""
    where: str                  # "tensor", "prehook", "posthook" or "post-accumulate"
    function: str               # its name, and where it is defined
    before: list                # the gradients that it received
    after: list = None          # the gradients that it returned; None if it left them unchanged


@dataclass
class Saved:
    """Something that the node had saved, or a parameter of its operation."""
    name: str
    value: Value
    note: str = ""              # its version; whether a hook gave it back


@dataclass
class Flow:
    """A gradient on its way to one input of the operation."""
    of: str                     # the name of the input
    to: str                     # the name of its target node,
    vertex: int                 # the vertex of the target in the picture,
    output: int                 # and the output of the target that the input was
    number: int                 # the index of the edge among those of the node
    edge: int                   # the same edge in the picture
    formula: str = ""
    mathml: str = ""
    numbers: str = ""           # the formula with numbers for names, if that is short
    # a sentence for each function in it that is not public
    helpers: list = field(default_factory=list)
    result: Value = None        # the result of the formula
    hooked: Value = None        # the same after hooks, if they changed it
    gradient: Value = None      # the gradient that went along the edge
    where: str = ""             # the part to which the formula applies, if it is not the whole
    fitted: str = ""            # how the result was fitted to its input
    first: bool = True          # nothing had arrived at the target before
    total: Value = None         # the sum of everything that has arrived there
    derivation: Derivation = None       # for questions: the formula and all its values


@dataclass
class Step:
    """One node that ran."""
    name: str
    vertex: int                                     # in the picture
    kind: str = "op"                                # one of the kinds of traversal.py
    about: str = ""                                 # a description of the operation
    arrived: list = field(default_factory=list)     # one Value, or None, for each output of the operation
    outputs: tuple = ()                             # their names, if formulas call one of them d
    used: list = None                               # the same after hooks, if they changed anything
    hooks: list = field(default_factory=list)
    saved: list = field(default_factory=list)
    flows: list = field(default_factory=list)
    kept: list = field(default_factory=list)        # the gradients requested from autograd.grad
    leaf: str = ""                                  # the name of the leaf whose .grad is added to,
    before: Value = None                            # its .grad before (None: nothing),
    added: Value = None                             # None if nothing arrived
    after: Value = None
    edge: int = None                                # from here to the leaf, in the picture
    source: str = ""                                # the line of the forward pass, if anomaly mode recorded it
    code: str = ""                                  # where the backward of a custom Function is defined
    error: str = ""


@dataclass
class Pass:
    """One backward pass."""
    roots: list                                     # (name, Value of the initial gradient)
    picture: Picture
    steps: list = field(default_factory=list)
    keeps: bool = False                             # retain_graph
    creates: bool = False                           # create_graph
    rehearsed: bool = False                         # everything was restored afterwards
    within: str = ""                                # the step of another pass during which it ran
    # if it was recorded: a WrittenOut for its start, each step and its end; why there is no "mathematics", or no "code"
    written: list = field(default_factory=list)
    not_written: dict = field(default_factory=dict)
    error: str = ""


ABOUT = {
    "custom": "a custom Function: its backward is the user's own code",
    "write": "a write through a view: the gradient of the written part (here d) goes back through the operation, and "
             "the rest passes unchanged",
}


# ------------------------------------------------------------------------------ the listener

#: The meaning of the number that nodes save for ``reduction="mean"``.
REDUCTIONS = ("none", "mean", "sum")


class Telling:
    """A pass while it runs: the story so far, and the parts of the graph that it needs, which are released at the
    end."""

    def __init__(self, story, place, leaves, named):
        self.story, self.place, self.leaves, self.named = story, place, leaves, named
        self.edges = {(edge.source, edge.number): i for i, edge in enumerate(story.picture.edges)}
        self.arrivals = set()           # (node, output) at which something has arrived
        self.node = self.contents = None

    @property
    def step(self):
        return self.story.steps[-1]

    def of_saved(self, slot, value):
        """The Value of something saved, and a note on it: for a tensor, its name, version and origin; for a parameter,
        its meaning."""
        if isinstance(value, Gone):
            return Value(""), value.why
        if not isinstance(value, Tensor):
            return value_of(value) or Value("None"), REDUCTIONS[value] if slot == "reduction" else ""
        origin = origin_of(value)
        name = next((name for name, tensor in self.named.values() if tensor is value or origin is not None and origin
                     == origin_of(tensor)), "")
        came = f"version {value._version} as saved" if self.contents is None else "given back by the unpack hook"
        return value_of(value), ", ".join(filter(None, [name, came]))

    def name_of(self, node):
        """The name of the node; an accumulator's name includes its leaf."""
        return called(node) + (f" of {self.leaves[node]}" if node in self.leaves else "")

    def label(self, edge, words):
        """Label an edge with the gradient that flows along it."""
        edge = self.story.picture.edges[edge]
        edge.label = f"{edge.label} {words}".strip()


class PassRecorder:
    """Listens to the engine, and adds a :class:`Pass` to ``passes`` for each backward pass that begins.

    ``names`` returns the names of tensors, as :func:`minigrad.viz.values.names_around` does for a frame.  With ``ask``,
    each gradient keeps its derivation.
    """

    def __init__(self, passes, names, ask=False):
        self.passes, self.names, self.ask = passes, names, ask
        self.running = []               # the innermost pass is the last; None for one that was refused

    @property
    def now(self):
        return self.running[-1]

    def begin(self, roots, gradients, keep_graph, create_graph):
        """A pass begins; one of which this raises never ends."""
        depth = len(self.running)
        try:
            self.open(roots, gradients, keep_graph, create_graph)
        except BaseException:
            del self.running[depth:]
            raise

    def open(self, roots, gradients, keep_graph, create_graph):
        within = [f"step {len(telling.story.steps)}, {telling.step.name}" for telling in self.running if telling
                  and telling.story.steps]
        self.running.append(None)
        named = self.names()
        starts = [Start(node, nr, gradient, name_of_root(node, nr, named))
                  for (node, nr), gradient in zip(roots, gradients)]
        number, cut = nodes_below(starts, None, TOO_MANY)
        names = {key: name for key, (name, _) in named.items()}
        picture, place = picture_of(starts + on_the_way(named, number, roots), names, (number, cut), shapes=False)
        leaves = {node: names.get(id(node.variable), "the leaf") for node in number if isinstance(node, AccumulateGrad)}
        story = Pass([(start.name or "result", value_of(start.tensor)) for start in starts], picture,
                     keeps=bool(keep_graph), creates=bool(create_graph),
                     within=within[-1] if within else "")
        telling = self.running[-1] = Telling(story, place, leaves, named)
        seeds = {(place[start.node], start.output): value_of(start.tensor) for start in starts}
        for i, edge in enumerate(picture.edges):
            if picture.vertices[edge.source].kind == "result":
                telling.label(i, tag_of(seeds[edge.target, edge.output]))
        if roots:
            self.passes.append(story)

    def enter(self, node, gradients):
        now = self.now
        vertex = now.place[node]
        kind = now.story.picture.vertices[vertex].kind
        now.node, now.contents = node, None
        op = row_of(node)
        adds = f"adds what arrives to .grad of {now.leaves[node]}" if kind == "accumulate" else ABOUT.get(kind, "")
        about = about_row(op, op.shown) if op else adds
        step = Step(called(node), vertex, kind, about, [value_of(g) for g in gradients], op.outputs if op else (),
                    source=line_of(node), leaf=now.leaves.get(node, ""))
        # no, if once_differentiable has put a refusal into the graph
        if hasattr(type(node), "_forward_cls"):
            step.code = name_and_line(type(node)._forward_cls._get_user_fn())
        now.story.steps.append(step)

    def hook(self, node, where, function, received, returned):
        gradients = {"posthook": received[0], "prehook": received[0], "post-accumulate": ()}.get(where, received)
        after = None if returned is None else [value_of(g)
                                               for g in (returned if isinstance(returned, tuple) else (returned,))]
        step = self.now.step
        step.hooks.append(Hooked(where, name_and_line(function), [value_of(g) for g in gradients], after))
        if after and where == "posthook":
            for flow in step.flows:
                flow.hooked = after[flow.number]

    def unpacked(self, node, contents):
        self.now.contents = contents

    def leave(self, node, gradients, results):
        now, step = self.now, self.now.step
        if any([hooked.after for hooked in step.hooks]):
            step.used = [value_of(g) for g in gradients]
        step.flows = [Flow("", now.name_of(below), now.place[below], output, e, now.edges[step.vertex, e],
                           result=value_of(results[e]))
                      for e, (below, output) in enumerate(node.next_functions) if below is not None]
        inner = node._inner if isinstance(node, CopySlices) else node
        op = row_of(inner)
        if op is not None and any([g is not None for g in gradients]):
            write_formulas(step, inner, op, slots_of(inner, op, now.contents), gradients, results, self.ask)
            step.saved = [Saved(name_of(slot).text(), *now.of_saved(slot, value)) for slot, value in step.saved]

    def deliver(self, node, edge, gradient, total):
        now = self.now
        flow = next(flow for flow in now.step.flows if flow.number == edge)
        to = node.next_functions[edge]
        flow.gradient, flow.total = value_of(gradient), value_of(total)
        flow.fitted = fitted(flow.hooked or flow.result, flow.gradient)
        flow.first = to not in now.arrivals
        if gradient is not None:
            now.arrivals.add(to)
        now.label(flow.edge, tag_of(flow.gradient))

    def accumulate(self, node, leaf, before, gradient, after):
        now, step = self.now, self.now.step
        step.before, step.added, step.after = value_of(before), value_of(gradient), value_of(after)
        step.edge = now.edges[step.vertex, 0]
        now.label(step.edge, ("= " if before is None else "+= ") + tag_of(step.added))

    def capture(self, node, output, gradient):
        step = self.now.step
        step.kept.append(value_of(gradient))
        if step.leaf:
            step.about = f"the gradient of {step.leaf} was requested: nothing is added to .grad"

    def end(self, error):
        telling = self.running.pop()
        if telling is None or error is None:
            return
        telling.story.error = f"{type(error).__name__}: {error}"
        if telling.story.steps:
            telling.step.error = telling.story.error
            if getattr(error, "code", "") == "MG101" and not isinstance(telling.node, PyNode):
                overwritten = [(name, value) for name, value in what_is_saved(telling.node) if isinstance(value, Gone)]
                telling.step.saved += [Saved(name, Value(""), value.why) for name, value in overwritten]


# ------------------------------------------------------------------------------ names

def name_of_root(node, nr, named):
    for name, tensor in named.values():
        if origin_of(tensor) == (node, nr) or tensor is getattr(node, "variable", None):
            return name
    return ""


def on_the_way(named, number, roots):
    """Starts that are not roots: named tensors from which others were made.  Their names label the edges."""
    used = {edge for node in number for edge in node.next_functions} - set(roots)
    return [Start(*origin_of(tensor), tensor, name) for name, tensor in named.values() if origin_of(tensor) in used]


# ------------------------------------------------------------------------------ formulas with numbers

def slots_of(node, op, contents):
    """name -> the saved value of that name; from ``contents`` if hooks unpacked it."""
    if contents is not None:
        return dict(zip(op.slots, contents))
    found = {}
    for i, name in enumerate(op.slots):
        try:
            found[name] = shown_slot(node, i)
        except MinigradError as refused:        # overwritten, but no formula that ran needed it
            found[name] = Gone(reason(refused))
    return found


def write_formulas(step, node, op, slots, gradients, results, ask):
    """Give each flow of the step its formula, and the step the arguments of the formulas: pairs (name, saved value)."""
    real = not any([is_complex(x) for x in [*gradients, *results, *slots.values()]])
    needed, told = {}, []
    for flow in step.flows:
        formula, flow.of = formula_of_edge(op, flow.number, len(results))
        if formula.text is None:
            flow.formula = flow.numbers = "0"
            continue
        expression = written(op, formula.of, real, node)
        if expression is None:
            flow.formula = name_and_line(formula.text)
            continue
        if flow.of.endswith("]"):
            expression = Item(expression, flow.number)
        flow.formula, flow.mathml = expression.text(), expression.mathml()
        new = [helper for helper in helpers(expression) if helper not in told]
        told += new
        flow.helpers = [about_row(helper, helper.name) for helper in new]
        if flow.result is None or results[flow.number] is None:
            continue
        if step.kind == "write":
            flow.where = "in the written part, and d elsewhere" if flow.number == 0 else "of the written part"
        used = {name: slots[name] for name in formula.names}
        if expression.mentions("n") and "n" not in op.slots:
            used["n"] = prod(results[flow.number].shape) // max(1, prod(gradients[0].shape))
        needed.update(used)
        if len(gradients) == 1 and step.kind != "write":
            flow.numbers = with_numbers(expression, gradients[0], used)
            if ask:
                named = {name_of(slot).text(): value for slot, value in used.items()}
                flow.derivation = derivation_of(op, expression, gradients[0], named, results[flow.number])
    step.saved = [(name, needed[name]) for name in dict.fromkeys((*op.slots, "n")) if name in needed]


def formula_of_edge(op, edge, n_edges):
    """The formula whose result flows along the edge, and the name of the input; a list of tensors shares one
    formula."""
    if len(op.formulas) == 1 and n_edges > 1:
        return op.formulas[0], f"{op.formulas[0].of}[{edge}]"
    return op.formulas[edge], name_of(op.formulas[edge].of).text()


def with_numbers(expression, gradient, used):
    """The formula with numbers for names; nothing if there are many."""
    numbers = {"d": number_of(gradient)} | {name_of(slot).text(): number_of(value) for slot, value in used.items()}
    if any([len(number.text()) > SHORT for number in numbers.values()]):
        return ""
    text = put_in(expression, numbers).text()
    return text if len(text) <= LINE else ""


def number_of(x):
    value = value_of(x) or Value("None")
    return Number(value.line) if value.shape is None else Literal(value.line, not is_complex(x))


def is_complex(x):
    return hasattr(x, "dtype") and (x.dtype.is_complex if isinstance(x, Tensor) else x.dtype.kind == "c")


def fitted(before, after):
    """How a gradient was fitted on its edge to the shape and dtype of the input."""
    if before is None or after is None:
        return ""
    done = []
    if before.shape != after.shape:
        lead = len(before.shape) - len(after.shape)
        axes = [i for i, n in enumerate(before.shape) if i < lead or after.shape[i - lead] != n]
        larger = prod(after.shape) > prod(before.shape)
        done.append("expanded" if larger else f"summed over ax{'is' if len(axes) == 1 else 'es'} "
                                              f"{', '.join(map(str, axes))}" if axes else "reshaped")
        done[-1] += f", {before.shape} → {after.shape}"
    if before.dtype != after.dtype:
        done.append("its real part" if before.dtype.startswith("complex") and not after.dtype.startswith("complex")
                    else f"as {after.dtype}")
    return "; ".join(done)
