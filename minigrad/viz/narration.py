"""A story in words: each step as rows, for the terminal and the page alike.

    for other   d * self = 1. * 3. = 3.        a row: its label, and parts, which are words, Values, or Mathematics

``rows`` writes them; ``in_words`` formats them as text, page.py as HTML.  The player shows one *slide* at a time: the
start of a pass, a step, or the end.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from minigrad.viz.questions import Asked, Question
from minigrad.viz.values import Value

__all__ = ["Mathematics", "Note", "Row", "Slide", "in_words", "slides"]


@dataclass
class Mathematics:
    text: str
    mathml: str


@dataclass
class Note:
    """An additional remark."""
    text: str


class Row(NamedTuple):
    label: str
    parts: list
    question: Question = None       # the question that the row answers


@dataclass
class Slide:
    title: str
    about: str
    rows: list
    vertices: list = field(default_factory=list)        # the lit ones
    edges: list = field(default_factory=list)
    # the edges along which a gradient flows at this slide, and has flowed so far
    arrived: list = field(default_factory=list)
    failed: bool = False
    number: int = 0             # of the step; 0 for the start and the end
    written: object = None      # a WrittenOut, if the pass was recorded

    @property
    def heading(self):
        return f"Step {self.number}: {self.title}" if self.number else self.title

    @property
    def questions(self):
        """The questions that its rows answer, in order."""
        return list({id(row.question): row.question for row in self.rows if row.question}.values())

    def sentence(self):
        """The whole slide on one line, for a screen reader."""
        said = [f"{row.label}: {plain(row.parts)}." for row in self.rows]
        return " ".join([f"{self.heading}.", *said])


# ------------------------------------------------------------------------------ a pass as slides

def slides(story, asked=Asked()):
    """The slides of a pass, with the questions that are ``asked``."""
    numbers = {step.vertex: i for i, step in enumerate(story.steps, 1)}
    coming = Counter([(flow.vertex, flow.output) for step in story.steps for flow in step.flows
                      if flow.gradient is not None])
    made = [first_slide(story, asked),
            *[slide_of(step, i, numbers, coming, asked) for i, step in enumerate(story.steps, 1)], last_slide(story)]
    for slide, written in zip(made, story.written):
        slide.written = written
    return made


def first_slide(story, asked=Asked()):
    rows = [Row("gradient of " + name, [gradient], asked.root) for name, gradient in story.roots]
    about = ("the gradient of a result with respect to itself is 1, or whatever was given to backward; from here it "
             "flows down")
    if story.within:
        about = f"another pass runs inside {story.within}; " + about
    roots = [i for i, vertex in enumerate(story.picture.vertices) if vertex.kind == "result"]
    edges = [i for i, edge in enumerate(story.picture.edges) if edge.source in roots]
    return Slide("The pass begins", about, rows, roots, edges, edges)


def slide_of(step, number, numbers, coming, asked):
    edges = [flow.edge for flow in step.flows if flow.gradient is not None] + ([step.edge] if step.edge is not None
                                                                               else [])
    title = f"{step.name} of {step.leaf}" if step.leaf else step.name
    return Slide(title, step.about, rows(step, number, numbers, coming, asked), [step.vertex], edges, edges,
                 bool(step.error), number)


def last_slide(story):
    if story.error:
        where = f"at step {len(story.steps)}; later steps were not computed" if story.steps else "before its first step"
        return Slide("The pass failed", where, [] if story.steps else [Row("error", [story.error])], failed=True)
    ends = [Row(grad_of(step), [step.after]) for step in story.steps if step.after is not None]
    ends += [Row("returned", [kept]) for step in story.steps for kept in step.kept]
    if story.rehearsed:
        what = "a rehearsal, so no .grad has changed; a real pass would have left"
    elif story.creates:
        what = "the pass itself was recorded, so that it can be differentiated again (create_graph=True)"
    elif story.keeps:
        what = "the nodes keep their saved tensors, for another pass (retain_graph=True)"
    else:
        what = "the nodes have freed their saved tensors: a second pass would need retain_graph=True"
    return Slide("The pass is over", what, ends)


# ------------------------------------------------------------------------------ a step as rows

def rows(step, number, numbers, coming, asked):
    """The rows for one node."""
    found = [Row(*row) for row in rows_of_arrival(step)]
    for k, flow in enumerate(step.flows):
        gradient, total = asked.gradients.get((number - 1, k)), asked.sums.get((number - 1, k))
        found += [Row(*row, gradient) for row in rows_of_flow(flow)]
        found += [Row(*row, total or gradient) for row in rows_of_target(flow, numbers, coming)]
    found += [Row(*row_of_hook(hooked)) for hooked in step.hooks if hooked.where == "posthook"]
    found += [Row(*row, asked.grads.get(number - 1)) for row in grad_of_leaf(step)]
    found += [Row(*row_of_hook(hooked)) for hooked in step.hooks if hooked.where == "post-accumulate"]
    found += [Row("kept", ["for the caller of autograd.grad:", kept]) for kept in step.kept]
    if step.error:
        found.append(Row("error", [step.error]))
    return found


def rows_of_arrival(step):
    """[(label, parts)] of what was there before the node computed anything."""
    found = []
    if step.source:
        found.append(("recorded by", [step.source]))
    if step.code:
        found.append(("written in", [step.code]))
    found += arrivals(step)
    found += [row_of_hook(hooked) for hooked in step.hooks if hooked.where in ("tensor", "prehook")]
    if step.used is not None:
        found.append(("from here", gradients_in(step.used, step.outputs)))
    return found + [(f"saved {saved.name}" if saved.value.shape is not None or not saved.value.text else saved.name,
                     [*([saved.value] if saved.value.text else []), *([Note(saved.note)] if saved.note else [])])
                    for saved in step.saved]


def arrivals(step):
    if step.leaf:                       # it is shown below, where it is added
        return []
    return [("arrives", gradients_in(step.arrived, step.outputs))]


def gradients_in(values, outputs):
    """``d = ...``, for each output; if the outputs have names, only one is differentiable."""
    if outputs:
        came = [[value, Note(f"of {name}")] for value, name in zip(values, outputs) if value]
        return ["d", "=", *(came[0] if came else ["0, since no gradient came"])]
    parts = []
    for i, value in enumerate(values):
        parts += ["and"] * (i > 0) + [f"d[{i}]" if len(values) > 1 else "d", "=", value or "0, since no gradient came"]
    return parts


def row_of_hook(hooked):
    label = {"tensor": "hook", "prehook": "prehook", "posthook": "hook after",
             "post-accumulate": "hook after"}[hooked.where]
    if hooked.after is None:
        return label, [hooked.function, "ran" if hooked.where == "post-accumulate" else "looked at it"]
    changes = [[before or "None", "→", after or "None"] for before, after in zip(hooked.before, hooked.after) if before
               or after]
    return label, [hooked.function, "changed", *sum(changes, [])]


def rows_of_flow(flow):
    formula = Mathematics(flow.formula, flow.mathml)
    made = ([[formula, *([flow.where] if flow.where else [])]] if flow.formula
            else []) + ([[Mathematics(flow.numbers, "")]] if flow.numbers else [])
    if flow.result is not None and (not flow.numbers or flow.numbers != flow.result.line):
        made.append([flow.result])
    if flow.result is None:
        made.append(["not wanted" if flow.formula else "no gradient"])
    found = [(f"for {flow.of}" if flow.of else f"for input {flow.number}",
              [part for i, side in enumerate(made) for part in ["="] * (i > 0) + side])]
    found += [("where", [helper]) for helper in flow.helpers]
    if flow.hooked is not None:
        found.append(("after hooks", [flow.hooked]))
    if flow.fitted:
        found.append(("fitted", [flow.fitted, "=", flow.gradient]))
    return found


def rows_of_target(flow, numbers, coming):
    if flow.gradient is None:
        return []
    to = f"step {numbers[flow.vertex]}, {flow.to}" if flow.vertex in numbers else flow.to
    how_many = coming[flow.vertex, flow.output]
    if how_many == 1:
        return [("goes to", [to])]
    return [("goes to", [f"{to}:", f"the first of {how_many} to arrive there"] if flow.first
             else [f"{to}:", "added (+=) to the sum there, now", flow.total])]


def grad_of_leaf(step):
    if not step.leaf or step.kept:
        return []
    if step.added is None:
        return [(grad_of(step), ["unchanged: no gradient arrived"])]
    if step.before is None:
        return [(grad_of(step), ["None", "→", step.after])]
    return [(grad_of(step), [step.before, "+", step.added, "→", step.after])]


def grad_of(step):
    return f"{step.leaf}.grad" if step.leaf.isidentifier() else f".grad of {step.leaf}"


# ------------------------------------------------------------------------------ as text

def plain(parts):
    return " ".join(map(part_in_words, parts))


def part_in_words(part):
    if isinstance(part, Value):
        return part.line + kind_of(part)
    if isinstance(part, Note):
        return f"({part.text})"
    return part.text if isinstance(part, Mathematics) else part


def kind_of(value):
    """The shape, unless it is obvious from the numbers."""
    return f" {value.kind}" if value.shape and value.array is None or value.batch else ""


def in_words(stories):
    """The passes as text."""
    return "\n\n".join([pass_in_words(story, i, len(stories)) for i, story in enumerate(stories, 1)])


def title_of(story):
    return f"Backward pass from {', '.join([name for name, _ in story.roots])}"


def pass_in_words(story, number, passes):
    first, *steps, last = slides(story)
    lines = [(f"{number}. " if passes > 1 else "") + title_of(story)
             + (f" (inside {story.within})" if story.within else "")]
    for row in first.rows:
        lines.append(f"    {row.label} = {plain(row.parts)}")
    for i, slide in enumerate(steps, 1):
        lines += ["", f"{i:2}  {slide.title}" + (f"   {slide.about}" if slide.about else "")]
        lines += told(slide.rows)
    lines += ["", last.title + (f": {last.about}" if last.about else "")]
    return "\n".join(lines + told(last.rows))


def told(rows_):
    width = max([len(row.label) for row in rows_], default=0)
    return [f"    {row.label:{width}}  {plain(row.parts)}" for row in rows_]
