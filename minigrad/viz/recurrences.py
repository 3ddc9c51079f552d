"""Equations of a pass, folded: the rounds of a loop are told once, for each t, and so are the layers of a network.

    h₂ = tanh(h @ W)                    for t = 1, …, 200:
    h₃ = tanh(h₂ @ W)                       hₜ = tanh(hₜ₋₁ @ W)
    ...

    W̅ = h₂₀₀ᵀ @ z̅₂₀₀ + ...              W̅ = Σₜ₌₁²⁰⁰ hₜ₋₁ᵀ @ z̅ₜ

repetition.py finds what repeats.  Here its names get numbers: those of a family (Note [Families]) become one letter
with an index, the gradient of each has the index of what it belongs to, and sums and lists of members that are numbered
evenly become sums and lists over an index.  What cannot be numbered so is left as it is.
"""

from dataclasses import fields, replace
from itertools import count

from minigrad._core.dispatch.op import Op
from minigrad.notation.evaluation import CONSTANTS
from minigrad.notation.expressions import (BELOW, INDICES, Cotangent, Expression, Function, Index, Indexed, Item, Name,
                                           Number, Run, Series, Sum, SumOver, Tangent, rebuilt)
from minigrad.viz.equations import Equation, Recurrence
from minigrad.viz.recording import Quantity
from minigrad.viz.repetition import FEWEST, Families, Family, Step, is_even, repetitions, stem

__all__ = ["alike", "folded", "terms_told"]

#: Letters of an index, in the order in which they are tried, and those for what the program gives no name.
LOOPS, LAYERS, UNNAMED = "tsrup", "lpru", "vuwpqsyzabcdefg"


def folded(forward, backward, inputs, shapes):
    """The equations with recurrences, and the values of the inputs by their new names.

    ``forward`` and ``backward`` are lists of Equations, ``inputs`` is {name: value}, and ``shapes`` has the shape of
    each name.
    """
    return Folding(forward, backward, inputs, shapes).result()


# ------------------------------------------------------------------------------ expressions

def is_name(x):
    return isinstance(x, Cotangent) or isinstance(x, Name) and x.name not in CONSTANTS


def is_whole(x):
    return isinstance(x, Number) and x.written.removeprefix("-").isdecimal() and type(x.value) in (int, type(None))


def dissected(x):
    """(form, names, integers) of an expression: the form is all the rest."""
    names, numbers = [], []

    def form(x):
        if isinstance(x, Expression) and is_name(x):
            names.append(x)
            return type(x)
        if is_whole(x):
            numbers.append(int(x.written))
            return int
        if isinstance(x, Item):
            numbers.append(x.number)
            return Item, form(x.sequence)
        if isinstance(x, Function):
            return Function, x.name, form(x.arguments), identity(x.op)
        if isinstance(x, Expression):
            return (type(x), *[form(getattr(x, each.name)) for each in fields(x) if each.compare])
        return tuple(map(form, x)) if isinstance(x, tuple) else x

    return form(x), tuple(names), tuple(numbers)


def identity(function):
    """What makes a function of an expression what it is: a row, or a few lines with what they have been given."""
    if not hasattr(function, "__closure__"):
        return id(function)
    given = [cell.cell_contents for cell in function.__closure__ or ()]
    return function.__code__, tuple([(x.dtype, x.shape) if isinstance(x, Quantity) else id(x) if isinstance(x, Op)
                                     else repr(x) for x in given])


def put_together(x, names, numbers):
    """The expression with others in place of its names and integers, in the order of ``dissected``."""
    names, numbers = iter(names), iter(numbers)

    def put(x):
        if isinstance(x, Expression) and is_name(x):
            return next(names)
        if is_whole(x):
            number = next(numbers)
            return number if isinstance(number, Index) else x
        if isinstance(x, Item):
            number = next(numbers)
            return Item(put(x.sequence), number)
        if isinstance(x, Expression):
            return type(x)(**{each.name: put(getattr(x, each.name)) if each.compare else getattr(x, each.name)
                              for each in fields(x)})
        return tuple(map(put, x)) if isinstance(x, tuple) else x

    return put(x)


# ------------------------------------------------------------------------------ folding

class Refused(Exception):
    """These blocks have no numbers."""


class Folding:
    def __init__(self, forward, backward, inputs, shapes):
        self.equations = forward, backward
        self.inputs, self.shapes = inputs, shapes
        self.made = {each.name: each for each in forward + backward}
        self.names = {*self.made, *inputs}
        self.families = Families()
        self.told = set()               # families whose members have been told
        texts = {each.name for each in self.names}
        used = {letter for each in forward + backward for letter in indices(each.expression)}
        self.letters = ["".join([letter for letter in letters if letter not in texts | used])
                        for letters in (LOOPS, LAYERS)]

    def result(self):
        forward, backward = self.equations
        found = [self.placed(forward, self.line_of)]
        self.add_gradients()
        found.append(self.placed(backward, self.number_of))
        self.add_gradients()
        self.add_what_gradients_are_of()
        self.name_families()
        parts = [self.rewritten(*each) for each in zip(self.equations, found)]
        return *parts, {self.new.get(name, name): value for name, value in self.inputs.items()}

    # -------------------------------------------------------------------------- finding

    def line_of(self, equation):
        call = equation.quantity.call
        return (call.line, call.module) if call is not None else None

    def number_of(self, equation):
        """The number of what a gradient belongs to."""
        place = self.families.places.get(equation.name)
        return None if place is None else place[1]

    def placed(self, equations, place_of):
        """[(Repetition, numbers, symbol, aliases)]: those whose names have got their numbers."""
        found, places = [], [place_of(each) for each in equations]
        for i in reversed(range(len(places) - 1)):
            places[i] = places[i + 1] if places[i] is None else places[i]
        for whole in repetitions(steps_of(equations, self.shapes, places), stem_of):
            if len({id(each.quantity.call) for each in equations[whole.begin:whole.end]}) == 1:
                continue                # what one call has returned, one after the other
            for repetition in whole.parts():
                before = len(self.families.added)
                try:
                    found.append((repetition, *self.numbered(repetition)))
                    break
                except Refused:
                    self.families.undo(before)
        return found

    def numbered(self, repetition):
        """Give the names of the blocks their numbers: (numbers of the blocks, symbol, aliases)."""
        made = [names for j in range(repetition.period) for names in repetition.makes(j)]
        read = [names for j in range(repetition.period) for names in repetition.reads(j) if len({*names}) > 1]
        carried = repetition.carried()
        numbers = self.numbers_for(made, read, carried, repetition.times)
        step = numbers[1] - numbers[0]
        symbol = self.symbol_for(made + read)
        aliases = []
        for j, names in enumerate(made):
            family, own = self.family_of(names, numbers, symbol)
            for distance, name in carried.get((j, 0), {}).items():
                number = own[0] - distance * step
                place = self.families.places.get(name)
                if place == (family, number):
                    continue
                if number in family.members:
                    raise Refused
                if place is None:
                    self.families.add(family, number, name)
                else:
                    self.families.add(family, number)
                    aliases.append((family, number, name))
        inside = {name for names in made for name in names}
        for names in read:
            if names[-1] not in inside:
                self.family_of(names, numbers, symbol)
        return numbers, symbol, aliases

    def numbers_for(self, made, read, carried, times):
        """The numbers of the blocks: those of what a gradient belongs to, or of what is read; or from 1 on."""
        for sequences in (made, read):
            known = [found[1] for found in map(self.families.sequence, sequences)
                     if found is not None and abs(found[1][1] - found[1][0]) == 1]
            if known:
                return max(known) if sequences is read else known[0]
        first = max([1, *[distance for names in carried.values() for distance in names]])
        return [*range(first, first + times)]

    def symbol_for(self, sequences):
        for names in sequences:
            if names[0] in self.families.places:
                return self.families.places[names[0]][0].symbol
        layers = any(["#." in stem(names[0].name) and names[0] in self.inputs for names in sequences])
        if not self.letters[layers]:
            raise Refused
        return self.letters[layers][0]

    def family_of(self, names, numbers, symbol):
        """(family, numbers) of names, which may be a new family with the numbers of the blocks."""
        places = [(k, *self.families.places[name]) for k, name in enumerate(names) if name in self.families.places]
        if places:
            return self.joined(names, places)
        family = Family(names[0], symbol)
        for number, name in zip(numbers, names):
            self.families.add(family, number, name)
        return family, numbers

    def joined(self, names, places):
        """(family, numbers) of names of which some are of a family: the others get the numbers between or beside."""
        family = places[0][1]
        if len(places) < 2 or any([each is not family for _, each, _ in places]):
            raise Refused
        (k, _, start), (later, _, number) = places[:2]
        slope = (number - start) // (later - k)
        numbers = [start + (i - k) * slope for i in range(len(names))]
        if slope == 0 or any([numbers[i] != number for i, _, number in places]):
            raise Refused
        placed = {i for i, _, _ in places}
        for i, (number, name) in enumerate(zip(numbers, names)):
            if i not in placed:
                if number in family.members:
                    raise Refused
                self.families.add(family, number, name)
        return family, numbers

    def add_gradients(self):
        """The gradient and the tangent of each member have the number of that."""
        partners = {(family.partner, type(family.like)): family for family, _ in self.families.places.values()
                    if family.partner is not None}
        for name, (family, number) in [*self.families.places.items()]:
            for form in (Cotangent, Tangent) if isinstance(name, Name) else ():
                gradient = form(name.name)
                if gradient in self.names and gradient not in self.families.places:
                    if (family, form) not in partners:
                        partners[family, form] = Family(gradient, family.symbol, family)
                    if number not in partners[family, form].members:
                        self.families.add(partners[family, form], number, gradient)

    def add_what_gradients_are_of(self):
        """What a numbered gradient is the gradient of has its number, though it is made behind the loop."""
        for name, (family, number) in [*self.families.places.items()]:
            primal = Name(name.name)
            if family.partner is not None and primal in self.names and primal not in self.families.places and (
                    number not in family.partner.members):
                self.families.add(family.partner, number, primal)

    # -------------------------------------------------------------------------- naming

    def name_families(self):
        """A letter for each family that nothing else has, and so the new name of each member."""
        self.bases, self.new = {}, {}
        families = [*dict.fromkeys([family for family, _ in self.families.places.values()])]
        taken = {name for name in self.names if name not in self.families.places}
        for family in families:
            if family.partner is not None:
                continue
            own = [family, *[each for each in families if each.partner is family]]
            for base in self.bases_for(family.like):
                names = {each: {number: type(each.like)(base + str(number).translate(BELOW)) for number in each.members}
                         for each in own}
                if not taken & {name for each in names.values() for name in each.values()}:
                    break
            for each in own:
                self.bases[each] = type(each.like)(base)
                taken |= {*names[each].values()}
                self.new |= {name: names[each][number] for number, name in each.members.items() if name is not None}
        self.by_name = {self.new[name]: place for name, place in self.families.places.items()}

    def bases_for(self, like):
        """``h``, ``h′``, ..., of ``layers.0.weight`` ``weight``."""
        family, _ = self.families.places[like]
        base = of_module([name.name for name in family.members.values() if name is not None])[1]
        base = base or stem(like.name).replace("#", "").strip("._") or "x"
        about = self.made.get(like)
        if about is not None and isinstance(like, Name) and not about.quantity.name:
            yield from UNNAMED
        for n in count():
            yield base + "′" * n

    # -------------------------------------------------------------------------- writing

    def rewritten(self, equations, found):
        parts, at = [], 0
        for repetition, numbers, symbol, aliases in found:
            parts += [self.alone(each) for each in equations[at:repetition.begin]]
            for family, number, name in aliases:
                base = self.bases[family]
                parts.append(Equation(type(base)(base.name + str(number).translate(BELOW)), self.new.get(name, name),
                                      self.made[name].quantity if name in self.made else Given(self.inputs[name])))
            parts.append(self.recurrence(equations, repetition, numbers, symbol))
            at = repetition.end
        return parts + [self.alone(each) for each in equations[at:]]

    def alone(self, equation):
        """An equation of its own, by its new names."""
        _, names, numbers = dissected(equation.expression)
        expression = put_together(equation.expression, [self.new.get(name, name) for name in names], numbers)
        return replace(equation, name=self.new.get(equation.name, equation.name), expression=self.summed(expression))

    def recurrence(self, equations, repetition, numbers, symbol):
        written, members = [], []
        steps = {}                      # name that is made here -> how far it is from that of the block before
        for (names,) in map(repetition.makes, range(repetition.period)):
            before, last = [self.families.places[name][1] for name in names[-2:]]
            steps |= dict.fromkeys(names, last - before)
        for j in range(repetition.period):
            first = equations[repetition.begin + j]
            names = [self.indexed(each, numbers, symbol, members, steps) for each in repetition.reads(j)]
            counts = [each[0] if len({*each}) == 1 else index_of(each, numbers, symbol)
                      for each in repetition.numbers(j)]
            (made,) = repetition.makes(j)
            written.append(replace(first, name=self.indexed(made, numbers, symbol, members, steps),
                                   expression=put_together(first.expression, names, counts)))
        quantities = [tuple([each.quantity for each in equations[begin:begin + repetition.period]])
                      for begin in range(repetition.begin, repetition.end, repetition.period)]
        span = range(numbers[0], numbers[-1] + (1 if numbers[1] > numbers[0] else -1), numbers[1] - numbers[0])
        return Recurrence(symbol, span, tuple(written), tuple(quantities), tuple(members))

    def indexed(self, names, numbers, symbol, members, steps):
        if len({*names}) == 1:
            return self.new.get(names[0], names[0])
        family, last = self.families.places[names[-1]]
        # What is carried has names of another place, or none of its own, in the first blocks.
        before = last - steps[names[-1]] if names[-1] in steps else self.families.places[names[-2]][1]
        index = index_of([before, last], numbers[-2:], symbol)
        if family not in self.told and "#" in stem(family.like.name) and isinstance(family.like, Name):
            modules, rest = of_module([name.name for name in names])
            members.append((Indexed(self.bases[family], index), bool(rest),
                            tuple(modules) if rest else tuple([name.name for name in names])))
            self.told.add(family)
        return Indexed(self.bases[family], index)

    # -------------------------------------------------------------------------- sums and lists

    def summed(self, x):
        """With sums over an index, and lists."""
        if isinstance(x, Function) and x.name == "list":
            for skipped, left in cuts([*x.arguments]):
                series = self.series(left, Run)
                if series is not None:
                    end = len(x.arguments) - skipped - len(left)
                    return replace(x, arguments=(*x.arguments[:skipped], series,
                                                 *x.arguments[len(x.arguments) - end:]))
        if not isinstance(x, Sum):
            return rebuilt(x, self.summed) if long(x) else x
        groups = {}
        for term in x.terms:
            form, names, _ = dissected(term)
            groups.setdefault((form, *[self.by_name.get(name, (name,))[0] for name in names]), []).append(term)
        terms = []
        for group in groups.values():
            for skipped, left in cuts(group):
                series = self.series(left, Series)
                if series is not None:
                    terms += [*group[:skipped], series, *group[skipped + len(left):]]
                    break
            else:
                terms += group
        return Sum(tuple(terms)) if len(terms) > 1 else terms[0]

    def series(self, terms, form):
        """The same terms over an index, if their names and numbers are even; or None."""
        parts = [dissected(term) for term in terms]
        if len(terms) < FEWEST or any([part[0] != parts[0][0] for part in parts]):
            return None
        names, counts = [*zip(*[part[1] for part in parts])], [*zip(*[part[2] for part in parts])]
        placed = []
        for each in names:
            places = [self.by_name.get(name) for name in each]
            if len({*each}) == 1:
                placed.append(None)
            elif None in places or any([family is not places[0][0] for family, _ in places]):
                return None
            else:
                placed.append([number for _, number in places])
        varying = [each for each in placed if each is not None] + [each for each in counts if len({*each}) > 1]
        if not varying or not all([is_even(each) for each in varying]):
            return None
        numbers = max([[*each] for each in varying if abs(each[1] - each[0]) == 1], default=None)
        if numbers is None:
            return None
        families = [self.by_name[each[0]][0] for each, own in zip(names, placed) if own is not None]
        symbol = families[0].symbol if families else self.letters[0][:1]
        if not symbol:
            return None
        term = put_together(
            terms[0],
            [each[0] if own is None else Indexed(self.bases[self.by_name[each[0]][0]], index_of(own, numbers, symbol))
             for each, own in zip(names, placed)],
            [each[0] if len({*each}) == 1 else index_of(each, numbers, symbol) for each in counts])
        return form(term, symbol, numbers[0], numbers[-1])


class Given:
    """An input, in place of the Quantity of an equation."""

    def __init__(self, value):
        self.array, self.shape, self.dtype, self.call = value.numpy(), tuple(value.shape), value.dtype, None


def of_module(names):
    """(``[layers.0, layers.1, ...]``, ``weight``) of the names of parameters."""
    parts = [name.split(".") for name in names]
    at = next((i for i, each in enumerate(zip(*parts)) if len({*each}) > 1), 0) + 1
    return [".".join(each[:at]) for each in parts], ".".join(parts[0][at:])


def stem_of(name):
    return type(name), stem(name.name)


def steps_of(equations, shapes, places):
    steps = []
    for each, place in zip(equations, places):
        form, names, numbers = dissected(each.expression)
        around = each.shape, each.quantity.dtype, tuple([shapes[name] for name in names])
        steps.append(Step((form, stem_of(each.name), around), names, (each.name,), numbers, place))
    return steps


def alike(parts, shapes):
    """({name: (which loop, its place in the rounds)}, {which loop: names that lead to themselves})."""
    places, carried = {}, {}
    for which, part in enumerate(parts):
        for repetition in repetitions(steps_of(part, shapes, part), stem_of):
            loop = which, repetition.begin
            for j in range(repetition.period):
                (names,) = repetition.makes(j)
                places |= dict.fromkeys(names, (loop, j))
            carried[loop] = {name for j in repetition.recurrent() for name in repetition.makes(j)[0]}
    return places, carried


def terms_told(x):
    """With one of the terms that a sum over an index tells together."""
    if isinstance(x, Sum):
        terms = {dissected(term)[0]: term for term in x.terms}
        x = Sum(tuple(terms.values())) if len(terms) > 1 else x.terms[0]
    return rebuilt(x, terms_told)


def index_of(own, numbers, symbol):
    """The Index that is ``own`` where the symbol is ``numbers``, which go in steps of 1 or -1."""
    slope = (own[1] - own[0]) * (numbers[1] - numbers[0])
    return Index(symbol, slope, own[0] - slope * numbers[0])


def cuts(terms):
    """(how many are left out before, the terms): all, or without the first or the last."""
    n = len(terms)
    return [(first, terms[first:n - last]) for first, last in ((0, 0), (1, 0), (0, 1), (1, 1))
            if n - first - last >= FEWEST]


def long(x):
    """Does an expression have a part with many parts?"""
    return len(x.parts()) >= FEWEST or any(map(long, x.parts()))


def indices(x):
    """The letters of the sums over dims in an expression."""
    here = {INDICES[i] for i in range(x.dims)} if isinstance(x, SumOver) else set()
    return here.union(*map(indices, x.parts()))
