"""Watch a backward pass: ``minigrad.viz.play(loss)``, or ``minigrad.explain(loss)`` in a terminal.

``play`` rehearses ``loss.backward()`` and returns a :class:`Player`.  A notebook and this site show it as a picture
with buttons, step by step: which node runs, what arrives, which formula takes it on, where gradients add up.  To
watch the passes of a program itself, whatever calls them, use :class:`record`.

How it is made: story.py listens to the engine, narration.py describes each step in words, minigrad/notation writes the
derivatives as mathematics, questions.py makes questions of it, and page.py turns it all into a page.  Where the loss
was recorded, written_out.py adds each step as its equation, and as its code.
"""

import sys
from functools import partial
from pathlib import Path

from minigrad._core.backward.watched_pass import set_story
from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.runtime.scopes import Scope
from minigrad._core.graph.listener import listening as hearing
from minigrad._core.profiling.recorders import Watcher
from minigrad.viz.narration import in_words, title_of
from minigrad.viz.page import as_html, as_page, as_slides
from minigrad.viz.story import TOO_MANY, PassRecorder
from minigrad.viz.traversal import grads_put_aside
from minigrad.viz.values import names_around
from minigrad.viz.written_out import recording_for, together, write_out

__all__ = ["Player", "explain", "play", "record"]


class Player:
    """Recorded backward passes: the result of :func:`play` and of :class:`record`.

    It consists of words and numbers only, and keeps neither tensors nor their graph alive. ``print`` shows it as text.
    """

    def __init__(self, ask=False):
        self.passes, self.ask = [], ask

    @property
    def steps(self):
        """The steps of all passes, in order: one for each node that ran.

        A step has a ``name``, the gradients that ``arrived``, the ``hooks`` that ran, the ``saved`` tensors, and its
        ``flows``: for each input ``formula``, ``result`` and ``gradient``. A value has a ``text``, as it is printed,
        and an ``array`` of its numbers if there are at most 20.

        >>> x = torch.tensor(3., requires_grad=True)
        >>> for step in minigrad.viz.play(x * x).steps:
        ...     print(step.name, [(flow.formula, flow.gradient.text) for flow in step.flows])
        MulBackward0 [('d * other', '3.'), ('d * self', '3.')]
        AccumulateGrad []
        """
        return [step for story in self.passes for step in story.steps]

    def save(self, path):
        """Write a self-contained page to ``path``, whose name ends in ``.html``, and return the path.

        >>> x = torch.tensor(3., requires_grad=True)
        >>> minigrad.viz.play(x * x).save("pass.gif")
        Traceback (most recent call last):
        minigrad._core.errors.AutogradRuntimeError: Player.save(): a player is saved as .html, not '.gif'; ...
        """
        return self._write(path, "save", as_page)

    def slides(self, path):
        """Write slides for a lecture to ``path``, whose name ends in ``.html``, and return the path.

        The page shows one step at a time in large letters, stepped with the arrow keys, the space bar or a presenter's
        remote control. Printed, each step is a sheet with its own picture. If the player asks, so do the slides, and
        the next key shows the answer.

        >>> import tempfile, pathlib
        >>> x = torch.tensor(3., requires_grad=True)
        >>> minigrad.viz.play(x * x).slides(pathlib.Path(tempfile.mkdtemp()) / "lecture.html").name
        'lecture.html'
        """
        return self._write(path, "slides", as_slides)

    def _write(self, path, method, page):
        path = Path(path)
        if path.suffix != ".html":
            raise error("MG204", f"Player.{method}(): a player is saved as .html, not {path.suffix!r}; write "
                                 f"{method}({str(path.with_suffix('.html'))!r})")
        path.write_text(page(self.passes, self._title(), self.ask), encoding="utf-8", errors="backslashreplace")
        return path

    def _title(self):
        return "; ".join([title_of(story) for story in self.passes]) or "No backward pass"

    def _repr_html_(self):
        return as_html(self.passes, self._title(), self.ask)

    def __repr__(self):
        passes, steps = len(self.passes), len(self.steps)
        return (f"<Player of {passes} backward pass{'es' * (passes != 1)}, {steps} step{'s' * (steps != 1)}: shown in "
                "a notebook, saved by .save('pass.html'), told by print()>")

    def __str__(self):
        return in_words(self.passes) if self.passes else "No backward pass has run."


# ------------------------------------------------------------------------------ recording

class record(Scope):
    """Record every backward pass that this thread runs in a ``with`` block, whatever calls it.

    The passes have all their effects: they add to ``.grad`` and free graphs. Recording them takes extra time. A pass
    that fails is recorded up to the failure. Tensors are named after the variables of the calling function. A pass
    through more than 400 nodes raises RuntimeError before it begins. With ``ask=True``, the player asks for each
    gradient before it shows it, as in :func:`play`.

    >>> x = torch.tensor(3., requires_grad=True)
    >>> with minigrad.viz.record() as passes:
    ...     (x * 2).backward()
    ...     (x * 2).backward()
    >>> passes
    <Player of 2 backward passes, 4 steps: shown in a notebook, saved by .save('pass.html'), told by print()>
    >>> for step in passes.steps:
    ...     if step.leaf:
    ...         print(step.before and step.before.text, "+=", step.added.text, "->", step.after.text)
    None += 2. -> 2.
    2. += 2. -> 4.
    """

    def __init__(self, *, ask=False):
        self._ask = ask

    def _changes(self):
        self.value = player = Player(self._ask)
        return [(set_story, listener_of(player, partial(names_around, sys._getframe(1))))]


def listening(player, names, made=None):
    """Within the block, the engine reports to ``player``, and to the recording ``made``; ``names`` returns the names of
    tensors."""
    listener = listener_of(player, names)
    return Scope((set_story, listener)) if made is None else together(listener, made)


def listener_of(player, names):
    if isinstance(hearing(), Watcher):
        raise error("MG505", "viz.play(), viz.record() and explain() inside a block of digits(): both follow the steps "
                             "of a pass, and a thread has one of them at a time. End the other one first.")
    return PassRecorder(player.passes, names, player.ask)


# ------------------------------------------------------------------------------ rehearsing

def play(tensor, gradient=None, *, ask=False):
    """Rehearse ``tensor.backward(gradient)``, and return a :class:`Player` to watch it.

    Afterwards everything is as before: the graph is kept, and every ``.grad`` is the same object with the same
    values. Hooks and the backward of custom Functions run as in any pass, and their side effects remain. If the pass
    fails, the player shows it up to the failure, and nothing is raised.

    Parameters
    ----------
    tensor : Tensor
        the result to start from.
    gradient : Tensor
        its gradient, of the same shape. It may be left out, and is then 1, if ``tensor`` has a single element.
    ask : bool
        ask for each gradient before it is shown. The reader types the numbers, or their shape if there are many, and a
        wrong answer gets its reason: the term that is missing, the other operand, a sign, a transpose, a sum that was
        not taken. A button turns the questions off.

    Tensors are named after the variables of the calling function. If the tensor was computed in a
    :class:`recording`, the buttons *as mathematics* and *as code* (or the keys m and c) show each step as its equation
    and as its lines of NumPy, as :func:`derive` and :func:`code` write them.

    Raises: the errors of ``backward`` if no pass can begin (the tensor does not require grad, or ``gradient`` is
    missing or has another shape), TypeError for anything that is not a tensor, RuntimeError for more than 400 nodes.

    >>> x = torch.tensor(3., requires_grad=True)
    >>> y = x * x
    >>> minigrad.viz.play(y)
    <Player of 1 backward pass, 2 steps: shown in a notebook, saved by .save('pass.html'), told by print()>
    >>> x.grad is None
    True
    """
    frame = sys._getframe(1)
    return rehearsed(tensor, gradient, partial(names_around, frame), "viz.play()", ask, recording_for(tensor, frame))


def explain(tensor, gradient=None):
    """Print, step by step, what ``tensor.backward(gradient)`` does: :func:`minigrad.viz.play` for the terminal.

    It shows which node runs, which gradient arrives, which formula takes it on to which input, and what is added to
    ``.grad``. It is a rehearsal: afterwards everything is as before. Arguments and errors are the same as for
    :func:`minigrad.viz.play`.

    (``python -m minigrad explain MG101`` does something else: it explains an error.)

    >>> x = torch.tensor(3., requires_grad=True)
    >>> y = x * x
    >>> minigrad.explain(y)
    Backward pass from y
        gradient of y = 1.
    <BLANKLINE>
     1  MulBackward0   mul: The product, elementwise, with broadcasting and type promotion
        arrives      d = 1.
        saved self   3. (x, version 0 as saved)
        saved other  3. (x, version 0 as saved)
        for self     d * other = 1. * 3. = 3.
        goes to      step 2, AccumulateGrad of x: the first of 2 to arrive there
        for other    d * self = 1. * 3. = 3.
        goes to      step 2, AccumulateGrad of x: added (+=) to the sum there, now 6.
    <BLANKLINE>
     2  AccumulateGrad of x   adds what arrives to .grad of x
        x.grad  None → 6.
    <BLANKLINE>
    The pass is over: a rehearsal, so no .grad has changed; a real pass would have left
        x.grad  6.
    """
    print(rehearsed(tensor, gradient, partial(names_around, sys._getframe(1)), "explain()"))


def rehearsed(tensor, gradient, names, caller, ask=False, made=None):
    """The Player of a pass that leaves no trace; with a recording of what the tensor was computed from, its steps are
    written out."""
    if not isinstance(tensor, Tensor):
        hint = "; to explain an error: python -m minigrad explain MG101" if isinstance(tensor, str) else ""
        raise error("MG205", f"{caller}: expected a Tensor, the result to start from, but got "
                    f"'{type(tensor).__name__}'{hint}")
    player = Player(ask)
    begun = 0 if made is None else len(made.passes)
    with grads_put_aside(tensor, TOO_MANY), listening(player, names, made):
        try:
            tensor.backward(gradient, retain_graph=True)
        except (MemoryError, SystemError):  # NumPy's, where it is refused memory: there may be half a story
            raise
        except Exception:
            if not player.passes:           # it never began; otherwise the story includes the error
                raise
    player.passes[0].rehearsed = True
    if made is not None and not player.passes[0].error:
        write_out(player.passes[0], made, made.passes[begun])
    return player
