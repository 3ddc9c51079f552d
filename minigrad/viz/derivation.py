"""A backward pass as mathematics: ``minigrad.viz.derive(loss)`` writes it as one would on paper.

    z = x @ W + b                           forward: each quantity by its variable's name
    loss = cross_entropy(z, t)
    z̅ = (softmax(z, 1) - onehot(t)) / 5      backward: the gradient of the loss with respect to each, in the order of
    b̅ = Σᵢ z̅ᵢⱼ                                        the pass, by the rule of the row that it is a gradient of
    W̅ = xᵀ @ z̅

Note [Derivations]
------------------
Everything comes from a recording (recording.py), forward and backward alike: a call of a row is an expression, by the
notation of its row, and so the formula that ran is what is printed.  A gradient that arrives at a node gets a name of
its own, a *cotangent*: that of the result of the node's call.  An equation leads from there to the nearest names::

    Flow  ---calls of the step--->  arrived at another step       W̅ = mm(adjoint(x), arrived)  =  xᵀ @ z̅
                                    a quantity of the forward pass

Where paths meet, the contributions of all flows are added.  Then come the levels: names that the program does not have
are put into the equations that use them (2), and identities are applied (3; notation/simplification.py).  At each level
what repeats is told once, for each t (recurrences.py).

``check`` computes all equations, one after the other, from what the program was given, and so shows that they are those
of the pass.
"""

import re
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import replace

import numpy as np

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad.autograd.grad_mode import no_grad
from minigrad.creation import ones, tensor, zeros
from minigrad.notation.calls import is_list, noted
from minigrad.notation.evaluation import value_of
from minigrad.notation.expressions import (BELOW, HOLE, Cotangent, Function, Item, Mark, Name, Number, Product, Sum,
                                           Tangent, With, substituted)
from minigrad.notation.rows import constant
from minigrad.notation.scalar_algebra import shortened
from minigrad.notation.simplification import simplified
from minigrad.viz.equations import Equation, Recurrence
from minigrad.viz.recording import Quantity, after_a_number, asked_for
from minigrad.viz.recurrences import alike, folded, terms_told
from minigrad.viz.replay import replayed
from minigrad.viz.sheet import formulas_as_html
from minigrad.viz.view_writes import AS_STRIDED, Unplaced, Wholes

__all__ = ["Derivation", "Equation", "Recurrence", "derive"]

EVERY_STEP, SUBSTITUTED, SIMPLIFIED = 1, 2, 3
LEVELS = {EVERY_STEP: "every step", SUBSTITUTED: "substituted", SIMPLIFIED: "simplified"}


class Derivation:
    """A forward and a backward pass as equations, the result of :func:`derive`.

    ``forward`` and ``backward`` have the :class:`Equation` of each step, in order, and a :class:`Recurrence` where
    equations are told for each number of an index; with ``mode="forward"`` those of tangents are in ``backward``.
    ``str`` is the text, a notebook shows them as formulas, and ``at(level)`` is the same at another level.
    """

    def __init__(self, every_step, forward, backward, level, inputs, fold, sympy=False):
        self.every_step, self.forward, self.backward, self.level = every_step, forward, backward, level
        self.inputs, self.fold, self.sympy = inputs, fold, sympy

    def __copy__(self):
        return Derivation(self.every_step, [*self.forward], [*self.backward], self.level, {**self.inputs}, self.fold,
                          self.sympy)

    def __deepcopy__(self, memo):
        return self.__copy__()          # of one recording, which is not copied

    def __reduce_ex__(self, protocol):
        raise error("MG205", "a Derivation cannot be pickled: it refers to its recording, so that check() can "
                             "compute it again. Keep its text, str(derivation), or derivation.latex; viz.code(loss) is "
                             "a program with its inputs, and can be pickled")

    def at(self, level):
        """The same derivation at another level: 1, every step; 2, without names that the program does not have; 3,
        simplified."""
        return self.every_step.at(level, self.fold, self.sympy)

    def check(self):
        """Compute every equation from the inputs, those of a recurrence for each number of its index, and raise
        RuntimeError at the first that differs from what the program computed.

        >>> x = torch.tensor([1., 2.], requires_grad=True)
        >>> minigrad.viz.derive(lambda x: (x * x).sum(), x).check()
        """
        values = dict(self.inputs)
        with no_grad():
            for each in self.forward + self.backward:
                for number, equation, name, like in each.rounds():
                    values[name] = numbers_of(equation.expression, values | number, like)
                    if self.every_step.is_intact(like) and not close(values[name].numpy(), like.array):
                        at = "".join([f" at {symbol.name} = {n}" for symbol, n in number.items()])
                        raise error("MG101", f"Derivation.check(): `{equation}`{at} gives other numbers than the "
                                             "program computed; please report the program")

    def _lines(self):
        parts = [[line for each in part for line in each.lines()] for part in (self.forward, self.backward)]
        wide = min(max([printed_width(text) for lines in parts for text, shape in lines], default=0), 70)
        first, second = [[text if shape is None else text + " " * (max(wide - printed_width(text), 0) + 3) + str(shape)
                          for text, shape in lines] for lines in parts]
        return first + ["" for _ in first[:1]] + second

    @property
    def latex(self):
        """The equations as an ``align*`` environment of LaTeX.

        >>> x = torch.tensor([1., 2.], requires_grad=True)
        >>> print(minigrad.viz.derive(lambda x: (x * x).sum(), x).latex.splitlines()[-2])
        \\bar{x} &= 2 \\, x \\\\
        """
        lines = [line for each in self.forward + self.backward for line in each.latex()]
        return "\n".join([r"\begin{align*}", *lines, r"\end{align*}"])

    def __str__(self):
        return "\n".join(self._lines())

    def __repr__(self):
        n, m = [sum([len(each.equations) for each in part]) for part in (self.forward, self.backward)]
        return f"<Derivation of {n} + {m} equations, {LEVELS[self.level]}: shown in a notebook, told by print()>"

    def _repr_html_(self):
        return formulas_as_html([row for each in self.forward + self.backward for row in each.rows()], self.latex)


def numbers_of(expression, values, like):
    """What an expression gives, in the shape and dtype of the quantity that it tells."""
    found = value_of(expression, values)
    found = found if isinstance(found, Tensor) else tensor(found)
    return found.to(like.dtype).broadcast_to(like.shape)


def close(a, b):
    return np.allclose(a, b, 1e-4, 1e-6, equal_nan=True)


def printed_width(text):
    """Without signs that are written above others."""
    return len(re.sub("[\N{COMBINING OVERLINE}\N{COMBINING DOT ABOVE}]", "", text))


class EveryStep:
    """The equations of a recorded pass, one for each call and for each gradient that arrived; and from them, the other
    levels."""

    def __init__(self, written, each):
        self.begin(written, each.roots)
        for call in written.needed_for([root for root in each.roots if root is not None]):
            if not each.begin <= call.number < each.end:
                self.tell_forward(call)
        for step in each.steps:
            if step.through_view:
                self.whole_at(step)
        self.telling = self.backward
        self.sent = {}              # id of a sum of what was sent -> [(Step, Flow)], in order
        for step in each.steps:
            self.tell_step(step)
            for flow in step.flows:
                if flow.gradient is not None:
                    self.sent.setdefault(id(flow.total), []).append((step, flow))

    def begin(self, written, roots):
        self.written, self.roots = written, roots
        self.names = {}             # id of a Quantity -> its name
        self.taken, self.numbers = set(), Counter()     # the last number of each name
        self.inputs = {}            # name -> numbers
        self.given = []             # the arrays of inputs, which began with these numbers
        self.forward, self.backward = [], []
        self.telling = self.forward     # where equations are told now
        self.wholes = Wholes(self)

    # -------------------------------------------------------------------------- names

    def fresh(self, wanted, form=Name):
        """A name that nothing else has: ``h``, ``h₂``, ``h₃``, and ``v₁`` for what has none."""
        name, n = wanted, self.numbers[wanted, form]
        while form(name or "v₁") in self.taken or not name:
            n += 1
            name = (wanted or "v") + str(n + bool(wanted)).translate(BELOW)
        self.numbers[wanted, form] = n
        self.taken.add(form(name))
        return form(name)

    def name_of(self, quantity):
        """The name of a quantity; one that has none yet is an input."""
        known = self.names.get(id(quantity))
        if known is None:
            if quantity.call is not None and quantity.kind == "result":
                return self.name_after_write(quantity)
            known = self.names[id(quantity)] = self.named(quantity, "c")
            self.inputs[known] = tensor(quantity.array if quantity.start is None else quantity.start)
            self.given.append(quantity.array)
        return known

    def name_after_write(self, quantity):
        """The name of what is read after a write to a view that shares its memory, which is told before it is used."""
        try:
            self.wholes.tell(quantity)
        except Unplaced:
            raise written_through(quantity) from None
        return self.names[id(quantity)]

    def named(self, quantity, otherwise=""):
        """A new name for a quantity."""
        return self.fresh(after_a_number(quantity.name) or otherwise)

    def tell(self, quantity, expression, like=None):
        """Tell what a quantity is; it is named ``like`` another."""
        name = self.names[id(quantity)] = self.named(like or quantity)
        self.telling.append(Equation(name, expression, quantity, self.is_own(quantity)))

    def is_own(self, quantity):
        """Has the program a name for it, or is it asked for?"""
        return bool(quantity.name) or quantity in self.roots

    def part_of(self, call):
        """The equations among which that of a call of the forward pass is told."""
        return self.forward

    def argument(self, x, inner):
        if isinstance(x, Quantity):
            return inner(x)
        if type(x) in (list, tuple) and any([isinstance(each, Quantity) for each in x]):
            return Function("list", tuple([self.argument(each, inner) for each in x]))
        return constant(x)

    # -------------------------------------------------------------------------- forward

    def tell_forward(self, call):
        self.telling = self.part_of(call)
        self.tell_call(call)
        if call.in_place:
            with suppress(Unplaced):        # which matters only if it is read
                self.wholes.whole_after(call.results[0], call.results[0].n_writes)

    def tell_call(self, call):
        if call.op is AS_STRIDED:
            expression = self.strided_part(call)
        else:
            expression = noted(call, [self.argument(x, self.name_of) for x in call.arguments])
        for i, quantity in enumerate(call.results):
            if quantity.kind == "drawn":
                self.name_of(quantity)
            elif id(quantity) not in self.names:
                self.tell(quantity, Item(expression, i) if is_list(call) else expression)

    def strided_part(self, call):
        try:
            return self.wholes.strided_part(call)
        except Unplaced:
            raise beyond_what_is_known(call) from None

    # -------------------------------------------------------------------------- backward

    def tell_step(self, step):
        step.names, step.about, step.cut = {}, None, None
        for i, arrived in enumerate(step.arrived):
            if arrived is None:
                continue
            expression = self.contributions(arrived, step)
            step.about = self.result_of(step, i, arrived)
            self.tell_arrived(step, arrived, expression, step.about)
        if step.through_view:
            self.tell_part(step)

    def tell_part(self, step):
        """The part of the gradient of a whole that goes through a write to a view."""
        part, cut = step.call.results[0], step.cut
        if cut is not None:
            place = substituted(self.wholes.place(part), {HOLE: step.names[id(cut.arguments[0])]})
            self.tell_arrived(step, cut.results[0], place, part)

    def tell_arrived(self, step, arrived, expression, about):
        """Give the gradient of what it is ``about`` a name, and tell what it is."""
        wanted = self.names[id(about)].name if about is not None and id(about) in self.names else (
            step.name.removesuffix("0").removesuffix("Backward") if about is None else about.name)
        mine = step.leaf is not None or about is None or bool(about.name) or about in self.roots
        name = step.names[id(arrived)] = self.fresh(wanted, Cotangent)
        self.backward.append(Equation(name, expression, arrived, mine))

    def result_of(self, step, i, arrived):
        """What the gradient that arrived at output ``i`` of a step is one of; None if nobody knows."""
        if step.leaf is not None:
            return step.leaf
        if step.through_view:
            return self.whole_at(step)
        if step.call is not None:
            return step.call.results[i] if i < len(step.call.results) else None
        sent = self.sent_to(step, arrived)          # a view that has been read anew: who read it?
        return sent[-1][0].input_of(sent[-1][1]) if sent and sent[-1][0].call is not None else None

    def whole_at(self, step):
        """What a write through a view made of the whole that the view is a part of; None if that cannot be told."""
        (part,) = step.call.results
        step.cut = next((call for call in step.calls if call.op.name == "as_strided_again"
                         and call.arguments[0] is step.arrived[0]), None)
        if step.cut is not None and (step.cut.results[0].shape != part.shape or not self.wholes.lies_as(
                part, step.arrived[0].shape, step.cut.arguments[4])):
            step.cut = None             # in real numbers, of complex ones; or the shape of a tensor has changed
        try:
            whole = self.wholes.whole_after(part, part.n_writes)
        except Unplaced:
            step.cut = None
            return part.base
        self.name_of(whole)
        return whole

    def contributions(self, arrived, step):
        """What arrives at a step: the sum of what was sent to it."""
        sent = self.sent_to(step, arrived)
        if not sent:
            return self.beginning(arrived)
        source, flow = sent[-1]
        if flow.total is flow.gradient:
            return self.sent_by(source, flow.gradient)
        terms = []
        for part in flow.total.call.quantities():
            terms.append(self.sent_by(source, part) if part is flow.gradient else self.contributions(part, step))
        return Sum.of(*terms)

    def sent_to(self, step, arrived):
        """[(Step, Flow)] that sent this gradient to a step, in order; others may have got the same one."""
        candidates = self.sent.get(id(arrived), [])
        return [each for each in candidates if each[1].to == (step.name, step.seq)] or candidates

    def beginning(self, arrived):
        """The gradient that the pass was given."""
        if (arrived.array == 1).all():
            one = Number("1", ones((), dtype=arrived.dtype))
            return one if not arrived.shape else Function("expand", (one, constant(arrived.shape)))
        return self.name_of(arrived)

    def sent_by(self, step, quantity):
        """What the formulas of a step made of what arrived there."""
        if id(quantity) in step.names:
            return step.names[id(quantity)]
        call = quantity.call
        if call is not None and any([call is each for each in step.calls]):
            parted = self.parted(step, call)
            if parted is not None:
                return parted
            shown = noted(call, [self.argument(x, lambda each: self.sent_by(step, each)) for x in call.arguments])
            return Item(shown, quantity.output) if is_list(call) else shown
        return self.name_of(quantity)

    def parted(self, step, call):
        """The gradient of a whole that is another in one part (Note [Whole and parts]); None for any other call."""
        if step.through_view and step.cut is not None and call.op.name == "where.self" and (
                call.arguments[2] is step.cut.arguments[0]):
            part = call.arguments[1].call.arguments[0]
            new = (Number("0", 0) if part.call is not None and part.call.op.name == "zeros_of" else
                   self.sent_by(step, part))
            return With(step.names[id(call.arguments[2])], self.wholes.place(step.call.results[0]), new)
        if step.call is None and step.about is not None and call.op.name == "as_strided_backward":
            part, shape, _, _, _, strides, _ = call.arguments
            dtype = call.results[0].dtype
            if part.shape == step.about.shape and self.wholes.lies_as(step.about, shape, strides):
                nothing = Function("zeros", (constant(tuple(shape)),), lambda shape: zeros(shape, dtype=dtype))
                with suppress(Unplaced):
                    return With(nothing, self.wholes.written_place(step.about), self.sent_by(step, part))

    def is_intact(self, quantity):
        """Does its memory still have its numbers?"""
        writes = [call for call in self.written.calls if call.in_place and call is not quantity.call
                  and (quantity.call is None or call.number > quantity.call.number)]
        return not any([np.may_share_memory(each, quantity.array) for each in
                        [call.results[0].array for call in writes] + self.given])

    # -------------------------------------------------------------------------- levels

    def at(self, level, fold=True, sympy=False):
        if level not in LEVELS:
            raise error("MG204", "viz.derive(): level is 1 (every step), 2 (substituted) or 3 (simplified), not "
                                 f"{level!r}")
        forward, backward = self.forward, self.backward
        shapes = ({name: tuple(value.shape) for name, value in self.inputs.items()}
                  | {each.name: each.shape for each in forward + backward})
        if level > EVERY_STEP:
            equations = put_together(forward + backward, lambda x: simplified(x, shapes) if level == SIMPLIFIED else x,
                                     *[*alike([forward, backward], shapes), terms_told] if fold else [])
            if sympy and level == SIMPLIFIED:
                equations = self.by_algebra(equations)
            begun = {each.name for each in forward}
            forward, backward = [[each for each in equations if (each.name in begun) == first]
                                 for first in (True, False)]
        inputs = self.inputs
        if fold:
            forward, backward, inputs = folded(forward, backward, inputs, shapes)
        return Derivation(self, forward, backward, level, inputs, fold, sympy)

    def by_algebra(self, equations):
        """Those of real scalars as SymPy shortens them, where that gives the numbers of the pass."""
        values, found = dict(self.inputs), []
        with no_grad():
            for each in equations:
                like = each.quantity
                values[each.name] = numbers_of(each.expression, values, like)
                short = shortened(each.expression) if like.shape == () and like.dtype.is_floating_point else None
                if short is not None and close(numbers_of(short, values, like), values[each.name]):
                    each = replace(each, expression=short)
                found.append(each)
        return found


class EveryTangent(EveryStep):
    """The equations of a recorded pass and of its tangents, which are those of a pass in forward mode."""

    def __init__(self, written, result, tangent, tangents):
        self.begin(written, [result, tangent])
        self.about = {}             # id of a tangent -> that of which it is: of two, the one with a name
        for primal, x in tangents:
            if id(x) not in self.about or not self.about[id(x)].name:
                self.about[id(x)] = primal
        primals = written.needed_for([result, *[primal for primal, _ in tangents]])
        self.told = {id(call) for call in primals}
        for call in primals + [call for call in written.needed_for([tangent]) if id(call) not in self.told]:
            self.tell_forward(call)
        moved = Tangent(self.names[id(result)].name)
        if self.name_of(tangent) != moved:              # it is that of another
            self.backward.append(Equation(moved, self.name_of(tangent), tangent))

    def named(self, quantity, otherwise=""):
        about = self.about.get(id(quantity))
        if about is None:
            return super().named(quantity, otherwise)
        return self.fresh(self.name_of(about).name, Tangent)

    def is_own(self, quantity):
        return super().is_own(self.about.get(id(quantity), quantity)) or quantity in self.roots

    def part_of(self, call):
        return self.forward if id(call) in self.told else self.backward


def put_together(equations, simple, groups=(), carried=(), shown=lambda x: x):
    """The same without the names that the program does not have, where what uses them stays short.

    ``groups`` has the place of each name in the rounds of a loop: of one place all are put in, or none; and what is
    ``carried`` from round to round is not if nothing else of the loop would be left.  ``shown`` is what is told of an
    expression, whose length counts.
    """
    kept = set()
    while True:
        left, refused = put_in_once(equations, lambda x: length(shown(simple(x))), kept)
        places = {groups[name] for name in refused if name in groups}
        loops = {groups[each.name][0] for each in left if each is not None and each.name in groups}
        more = {name for name in groups if groups[name] in places}.union(
            *[carried[loop] for loop in carried if loop not in loops]) - kept
        if not more:
            return [replace(each, expression=simple(each.expression)) for each in left if each is not None]
        kept |= more


def put_in_once(equations, length_of, kept):
    """(the equations, None for those that are put into others; names that would make others too long)."""
    # The terms of a long sum are pieces of their own, so that it is not read again for each of them.
    pieces, of = [], []
    for each in equations:
        terms = each.expression.terms if is_long_sum(each.expression) else (each.expression,)
        of.append(range(len(pieces), len(pieces) + len(terms)))
        pieces += terms
    left, users, refused = [*equations], {}, set()
    for i, piece in enumerate(pieces):
        for name in how_often(piece):
            users.setdefault(name, set()).add(i)
    for i, each in enumerate(equations):
        inside = whole([pieces[j] for j in of[i]])
        left[i] = replace(each, expression=inside)
        if each.own and not (isinstance(inside, Number) and each.shape == ()):
            continue
        using = sorted(users.get(each.name, ()))
        made = {j: substituted(pieces[j], {each.name: inside}) for j in using}
        several = len(using) > 1 or using and how_often(pieces[using[0]])[each.name] > 1
        long = several and not is_short(inside) and any([length_of(new) > LONG for new in made.values()])
        if each.name in kept or long:
            refused.add(each.name)
            continue
        for j, new in made.items():
            pieces[j] = new
            for name in how_often(inside):
                users.setdefault(name, set()).add(j)
        if not each.own:
            left[i] = None
    return left, refused


def is_long_sum(x):
    return isinstance(x, Sum) and len(x.terms) > MANY


def whole(pieces):
    return pieces[0] if len(pieces) == 1 else Sum.of(*pieces)


def is_short(x):
    return isinstance(x, (Name, Cotangent, Number)) or isinstance(x, (Mark, Function)) and length(x) <= 12


def length(x):
    """How long an expression is, whatever the numbers of its names: all rounds of a loop are told alike."""
    return printed_width(re.sub(r"[₀-₉]|(layer)?\d+", lambda found: "0" * found[0][-1].isdecimal(), x.text()))


def how_often(x):
    """{name: how often it is in an expression}."""
    found = Counter()
    if isinstance(x, (Name, Cotangent)):
        found[x] = 1
    elif isinstance(x, Product):
        for factor, often in x.above + x.below:
            for name, n in how_often(factor).items():
                found[name] += n * often
    else:
        for part in x.parts():
            found.update(how_often(part))
    return found


MANY = 8            # terms
LONG = 60           # an equation that is not made longer by what is used more than once


# ------------------------------------------------------------------------------ asking

def written_through(quantity):
    about = f"'{quantity.name}'" if quantity.name else f"a tensor of shape {list(quantity.shape)}"
    return error("MG204", f"viz.derive(): {about} is read after {quantity.call.op.written} has written to its memory"
                          f"{where(quantity.call)}, through a view in which elements lie upon each other, or which "
                          "shows more than the tensor that it was made from; an equation for that cannot be written. "
                          "Write through x[i] or another part of x, or compute a new tensor, for example with "
                          "torch.where or index_put")


def beyond_what_is_known(call):
    shown = call.arguments[0].name or "a tensor"
    return error("MG204", f"viz.derive(): as_strided reads memory around {shown}{where(call)}, which nothing in the "
                          "recording shows; an equation for that cannot be written. Begin the recording where the "
                          "tensor is made that has all of this memory, or select the part from that tensor, as in x[i]")


def where(call):
    return f", in {call.line}" if call.line is not None else ""


def derive(what, *inputs, level=SIMPLIFIED, gradient=None, mode="reverse", fold=True, sympy=False):
    """Write a forward and a backward pass as equations, as one would derive them on paper.

    Parameters
    ----------
    what : Tensor or callable
        a tensor that was computed in a :class:`recording`, also after the block; or a function, which is called with
        ``inputs`` and recorded. Copies of those of floating point are the leaves then.
    level : int
        1 writes every step; 2 puts quantities that the program gives no name into the equations that use them; 3 also
        applies identities, such as exp(z) / sum(exp(z)) = softmax(z).
    gradient : Tensor
        the gradient to start from, of the shape of the result, as in ``backward(gradient)``; 1 if it has one element.
    mode : str
        "reverse"; or "forward" for tangents, ``ż`` of ``z``, where each leaf moves by ones. Those of leaves are given.
    fold : bool
        tell the rounds of a loop, and layers that are alike, once: ``for t = 1, …, 200``. That is for rounds that
        differ in nothing but names, and in integers that grow evenly; with ``fold=False`` all steps are written.
    sympy : bool
        let SymPy, which must be installed, shorten the equations of real scalars at level 3. What does not give the
        numbers of the pass, as where a fraction is 0 / 0, is left as it was.

    Names are those of the program's variables and of the parameters of modules, ``layer0.weight`` for the first of a
    Sequential; ``v₁`` is a quantity without one, ``z₂`` the next that is called ``z``. ``z̅`` is the gradient of the
    result with respect to ``z``, and so is ``∇loss`` for a name of more letters; ``ż`` and ``δloss`` are tangents.
    Broadcasting is left out; ``Σᵢ z̅ᵢⱼ`` is a sum over the first dim.
    A recorded pass is told as it ran; else it is rehearsed, and leaves no trace.

    Returns a :class:`Derivation`.

    Raises: RuntimeError for a tensor that no recording has, for a level or a mode that there is not, for a tangent of
    what depends on no leaf, and where a tensor is read after a write to a view of it whose elements share memory;
    TypeError for what is neither a tensor nor a function.

    >>> x, t = torch.tensor([[1., 2.], [0., 3.]]), torch.tensor([0, 1])
    >>> W = torch.ones(2, 2, requires_grad=True)
    >>> with minigrad.viz.recording():
    ...     z = x @ W
    ...     loss = torch.nn.functional.cross_entropy(z, t)
    >>> print(minigrad.viz.derive(loss))
    z = x @ W                             [2, 2]
    loss = cross_entropy(z, t)            []
    <BLANKLINE>
    ∇loss = 1                             []
    z̅ = (softmax(z, 1) - onehot(t)) / 2   [2, 2]
    W̅ = xᵀ @ z̅                            [2, 2]

    >>> print(minigrad.viz.derive(lambda x: x * torch.sin(x), torch.tensor(2.), mode="forward"))
    result = x * sin(x)                     []
    <BLANKLINE>
    δresult = ẋ * sin(x) + ẋ * cos(x) * x   []

    The rounds of a loop have an index:

    >>> W, h = torch.eye(2, requires_grad=True), torch.ones(3, 2)
    >>> with minigrad.viz.recording():
    ...     for _ in range(50):
    ...         h = torch.tanh(h @ W)
    ...     loss = h.sum()
    >>> print(minigrad.viz.derive(loss))
    for t = 1, …, 50:
        hₜ = tanh(hₜ₋₁ @ W)               [3, 2]
    loss = sum(h₅₀)                       []
    <BLANKLINE>
    ∇loss = 1                             []
    h̅₅₀ = 1                               [3, 2]
    for t = 49, …, 1:
        h̅ₜ = h̅ₜ₊₁ * (1 - hₜ₊₁²) @ Wᵀ      [3, 2]
    W̅ = Σₜ₌₁⁵⁰ hₜ₋₁ᵀ @ (h̅ₜ * (1 - hₜ²))   [2, 2]

    A write to a part of a tensor makes a new one, ``x₂``:

    >>> a = torch.tensor([1., 2.], requires_grad=True)
    >>> with minigrad.viz.recording():
    ...     x = a * 3
    ...     x[0] = a[1] ** 2
    ...     y = (x * a).sum()
    >>> print(*minigrad.viz.derive(y).forward, sep="\\n")
    x = 3 * a
    x₂ = x with x[0] ← a[1]²
    y = sum(x₂ * a)
    >>> minigrad.viz.derive(torch.ones(2, requires_grad=True).sum())
    Traceback (most recent call last):
    minigrad._core.errors.AutogradRuntimeError: viz.derive(): loss was not computed in a recording, and the graph ...
    """
    if mode not in ("reverse", "forward"):
        raise error("MG204", f"viz.derive(): mode is 'reverse' or 'forward', not {mode!r}")
    written, what = asked_for("viz.derive", what, inputs, sys._getframe(1))
    if mode == "forward":
        root = written.quantity(what)
        again, result, tangent, tangents = replayed(written.needed_for([root]), root)
        if tangent is None:
            raise error("MG204", f"viz.derive(): {root.name or 'the result'} has no tangent: it does not depend on a "
                                 "leaf that requires grad")
        return EveryTangent(again, result, tangent, tangents).at(level, fold, sympy)
    return EveryStep(written, written.pass_of(what, gradient)).at(level, fold, sympy)
