"""Writes to views, as equations: what a write through one view does to all that shares its memory.

Note [Whole and parts]
----------------------
Quantities in one memory are parts of one *whole*, the quantity that is not a view of another.  A write through a part
makes a new whole, a named quantity like all others::

    v = x[0]                    v = x[0]
    v.mul_(2)                   v₂ = 2 * v
                                x₂ = x with x[0] ← v₂
    y = x.sum() + u.sum()       u₂ = x₂[1]                  another part, read after the write, is one of the new whole

The gradient of the new whole is cut at the same place: the part goes through the write, the rest passes by::

                                v̅₂ = x̅₂[0]
                                x̅ = x̅₂ with x̅₂[0] ← 2 * v̅₂

A *place* is the expression of a part, with a hole where the whole is: ``·[0]``, ``·[0]ᵀ``.  It comes from the calls
that made the view; from addresses, as as_strided, if nobody has seen these.
"""

import numpy as np

from minigrad.notation.calls import is_list, noted
from minigrad.notation.expressions import HOLE, Function, Item, With, substituted
from minigrad.notation.rows import constant
from minigrad.ops.exports import ROWS
from minigrad.ops.shapes.windows import places
from minigrad.viz.recording import Quantity, place_of

__all__ = ["AS_STRIDED", "Unplaced", "Wholes"]

AS_STRIDED = ROWS["as_strided_view"]


class Unplaced(Exception):
    """It cannot be told which part of the whole this is."""


class Wholes:
    """What each memory holds after each write to it; ``steps`` is the EveryStep that names and tells it."""

    def __init__(self, steps):
        self.steps, self.written = steps, steps.written
        self.found = {}             # id of the writes to a memory -> the wholes in it, in order
        self.made = {}              # (id of the writes, how many of them) -> the whole after them

    # -------------------------------------------------------------------------- places

    def shares(self, x, y):
        return self.written.memory_of(x) is self.written.memory_of(y)

    def origin(self, quantity):
        """(the quantity that is not a view of another, [(a call that made a view, which output)] from there)."""
        calls = []
        while True:
            while quantity.before is not None:
                quantity = quantity.before
            call = quantity.call
            source = next(call.quantities(), None) if call is not None else None
            if source is None or not self.shares(source, quantity):
                break
            if call.op.is_view or not call.in_place:
                calls.append((call, quantity.output))
            quantity = source
        return quantity, calls[::-1]

    def wholes(self, quantity):
        """The quantities in its memory that are not views of others: the largest, and the same begun anew."""
        key = id(self.written.memory_of(quantity))
        if key not in self.found:
            inside = [each for call in self.written.calls for each in (*call.quantities(), *call.results)
                      if self.shares(each, quantity)]
            origins = {id(each): each for each, _ in map(self.origin, [*inside, quantity])}
            largest = max(origins.values(), key=lambda each: extent(each.array))
            self.found[key] = [each for each in origins.values() if place_of(each.array) == place_of(largest.array)]
        return self.found[key]

    def place(self, quantity):
        """Where in the whole it lies."""
        whole = self.wholes(quantity)[0]
        if place_of(quantity.array) == place_of(whole.array):
            return HOLE
        top, calls = self.origin(quantity)
        if place_of(top.array) != place_of(whole.array) or any([call.op is AS_STRIDED for call, _ in calls]):
            return strided(quantity.array, whole.array)
        place = HOLE
        for call, output in calls:
            place = noted(call, [place if isinstance(x, Quantity) else constant(x) for x in call.arguments])
            place = Item(place, output) if is_list(call) else place
        return place

    def written_place(self, quantity):
        """The same, of what each element is one of the whole's alone."""
        far = 0
        for step, n in sorted([(abs(step), n) for step, n in zip(quantity.array.strides, quantity.shape) if n > 1]):
            if step < far or not step:
                raise Unplaced
            far = step * n
        return self.place(quantity)

    def lies_as(self, quantity, shape, strides):
        """Has the whole around a quantity this geometry?  Not if the shape of a tensor has been changed in place."""
        array = self.wholes(quantity)[0].array
        lies = [(n, step // array.itemsize) for n, step in zip(array.shape, array.strides) if n > 1]
        return lies == [(n, step) for n, step in zip(shape, strides) if n > 1] and array.shape == tuple(shape)

    # -------------------------------------------------------------------------- telling

    def strided_part(self, call):
        """What ``as_strided`` shows: of what it was called on, or, since it reads all of the memory, of the whole."""
        (shown,), source = call.results, call.arguments[0]
        try:
            return substituted(strided(shown.array, source.array), {HOLE: self.steps.name_of(source)})
        except Unplaced:
            whole = self.whole_after(source, source.n_writes)
            return substituted(strided(shown.array, whole.array), {HOLE: self.steps.name_of(whole)})

    def whole_after(self, quantity, n):
        """The whole in the memory of a quantity after ``n`` writes, which is told if it has not been yet."""
        writes, wholes = self.written.memory_of(quantity), self.wholes(quantity)
        begun = [each for each in wholes if each.n_writes <= n]
        if not begun:
            raise Unplaced
        whole = max(begun, key=lambda each: each.n_writes)
        start = whole.n_writes
        for at in range(start + 1, n + 1):
            key = id(writes), at
            if key not in self.made:
                self.made[key] = self.after_write(whole, writes[at - 1], at)
            whole = self.made[key]
        return whole

    def after_write(self, whole, write, n):
        """The whole after a write to a part of it; itself, if that changed the shape of a tensor alone."""
        if write.op.is_view:
            return whole
        (part,) = write.results
        place = self.written_place(part)
        if place == HOLE:
            return part
        if id(part) not in self.steps.names:
            self.steps.tell_call(write)
        base, value = self.steps.name_of(whole), self.steps.name_of(part)
        made = Quantity(whole.array, whole.dtype, "result", whole.name, call=write, before=whole, n_writes=n)
        self.steps.tell(made, With(base, place, value), like=whole)
        return made

    def tell(self, quantity):
        """Tell what a quantity is after writes to its memory."""
        whole = self.whole_after(quantity, quantity.n_writes)
        place = self.place(quantity)
        before = quantity.before
        if whole is quantity:
            self.steps.tell_call(quantity.call)
        elif place == HOLE:
            self.steps.names[id(quantity)] = self.steps.name_of(whole)
        elif before is not None and id(before) in self.steps.names and whole is self.whole_after(before,
                                                                                                 before.n_writes):
            self.steps.names[id(quantity)] = self.steps.names[id(before)]
        else:
            self.steps.tell(quantity, substituted(place, {HOLE: self.steps.name_of(whole)}))


def extent(array):
    """How many bytes lie between its first element and the end of its last."""
    return array.itemsize + sum([(n - 1) * abs(step) for n, step in zip(array.shape, array.strides)])


def strided(part, whole):
    """The place from addresses: elements between the first and the last of the whole."""
    size = whole.itemsize
    offset, left = divmod(part.__array_interface__["data"][0] - whole.__array_interface__["data"][0], size)
    strides = [divmod(step, size) for step in (*part.strides, *whole.strides)]
    if part.dtype != whole.dtype or left or offset < 0 or any([left for _, left in strides]):
        raise Unplaced
    last = offset + sum([(n - 1) * step for n, (step, _) in zip(part.shape, strides)])
    if last > sum([(n - 1) * abs(step) for n, step in zip(whole.shape, [each // size for each in whole.strides])]):
        raise Unplaced
    steps = [step for step, _ in strides]
    there, here = (whole.shape, tuple(steps[part.ndim:])), (part.shape, tuple(steps[:part.ndim]))
    if extent(whole) != whole.nbytes and not np.isin(places(*here, offset), places(*there, 0)).all():
        raise Unplaced
    arguments = (*here, offset, there[1], 0)
    return Function("as_strided", (HOLE, *map(constant, arguments)), ROWS["as_strided_again"])
