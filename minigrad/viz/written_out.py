"""The steps of a recorded pass as mathematics and as code: what two buttons of the player show.

The player's story (story.py) and a recording (recording.py) hear the same events of a pass, so step n of the one is
step n of the other.  A step has the equations of what it sends (derivation.py), and the lines that compute it
(program.py)::

    TanhBackward0       y̅ = h̅ * (1 - h²)                d_y = d_h * (1 - h * h)

The start of a pass has the forward pass, its end all gradients, simplified.
"""

import re
from dataclasses import dataclass

from minigrad._core.backward.watched_pass import set_story
from minigrad._core.errors import MinigradError
from minigrad._core.graph import Tensor
from minigrad._core.profiling.recorders import Scribe
from minigrad._core.runtime.scopes import Scope
from minigrad.notation.simplification import simplified
from minigrad.viz.derivation import SIMPLIFIED, EveryStep
from minigrad.viz.equations import starred
from minigrad.viz.program import reverse_program
from minigrad.viz.recording import leads_somewhere, listen, recording_of

__all__ = ["Statement", "WrittenOut", "recording_for", "together", "write_out"]

@dataclass
class Statement:
    """An equation, or what a step contributes to a sum: ``about`` says to which."""
    text: str
    mathml: str
    about: str = ""


@dataclass
class WrittenOut:
    """A slide of the player in both forms; either may be empty."""
    equations: list
    code: str = ""


# ------------------------------------------------------------------------------ listening

def recording_for(tensor, frame):
    """The recording in which the tensor was computed, with the names in the frame; None if there is none."""
    made = recording_of(tensor) if isinstance(tensor, Tensor) else None
    if made is None or not leads_somewhere(made, tensor):
        return None
    made.name_results(frame)
    return made


class Several:
    """Listeners to a story that hear the same events."""

    def __init__(self, *listeners):
        self.listeners = listeners

    def __getattr__(self, event):
        return lambda *told: [getattr(each, event)(*told) for each in self.listeners][0]


def together(listener, made):
    """A block in which this listener and a recording hear the passes."""
    return Scope((listen, Scribe(made)), (set_story, Several(listener, made._story)))


# ------------------------------------------------------------------------------ writing

def write_out(story, made, one):
    """Give a story the forms of its slides, from the same pass in a recording; or the reason why there are none."""
    slides = [WrittenOut([]) for _ in range(len(one.steps) + 2)]
    for form, write in (("mathematics", write_equations), ("code", write_code)):
        try:
            write(slides, made, one)
        except MinigradError as refused:
            story.not_written[form] = re.sub(r" \[MG\d+\].*", "", str(refused), flags=re.DOTALL)
    story.written = slides


def write_equations(slides, made, one):
    every = EveryStep(made, one)
    told = every.at(SIMPLIFIED, fold=False)
    whole = {equation.name: equation for equation in told.backward}
    shapes = ({name: tuple(value.shape) for name, value in every.inputs.items()}
              | {each.name: each.shape for each in every.forward + every.backward})
    found = {}                                                  # id of a step -> its statements
    for i, target in enumerate(one.steps):
        for arrived in filter(None, target.arrived):
            name, parts = target.names[id(arrived)], contributions(every, arrived, target, one.steps[:i])
            for source, flow in parts:
                expression = simplified(every.sent_by(source, flow.gradient), shapes)
                found.setdefault(id(source), []).append(statement(name, expression, len(parts) > 1))
            if target.leaf is not None and name in whole:
                found.setdefault(id(target), []).append(Statement(str(whole[name]), in_mathml(whole[name])))
    for slide, step in zip(slides[1:-1], one.steps):
        slide.equations = found.get(id(step), [])
    for slide, equations in ((slides[0], told.forward), (slides[-1], told.backward)):
        slide.equations = [Statement(str(each), in_mathml(each)) for each in equations]


def contributions(every, arrived, target, earlier):
    """[(Step, Flow)] of what is added up to what arrives at a step, in order, by the steps that ran earlier."""
    sent = [each for each in every.sent_to(target, arrived) if any([each[0] is step for step in earlier])]
    if not sent:
        return []
    source, flow = sent[-1]
    parts = [] if flow.total is flow.gradient else flow.total.call.quantities()
    before = [each for part in parts if part is not flow.gradient
              for each in contributions(every, part, target, earlier)]
    return [*before, (source, flow)]


def statement(name, expression, is_part):
    if is_part:
        return Statement(expression.text(), starred(expression).mathml(), f"to {name.text()}, a sum")
    return Statement(f"{name.text()} = {expression.text()}",
                     f"<mrow>{name.mathml()}<mo>=</mo>{starred(expression).mathml()}</mrow>")


def in_mathml(equation):
    return f"<mrow>{equation.name.mathml()}<mo>=</mo>{starred(equation.expression).mathml()}</mrow>"


def write_code(slides, made, one):
    program = reverse_program(made, one.roots[0], one, fold=False)
    forward = program.text.partition("# ---- forward\n")[2].partition("# ---- backward")[0]
    slides[0].code = forward.strip("\n")
    for slide, lines in zip(slides[1:-1], program.steps):
        slide.code = "\n".join(lines).strip("\n")
    slides[-1].code = "\n".join([f"print({name})    # {label}" for label, name in program.results])
