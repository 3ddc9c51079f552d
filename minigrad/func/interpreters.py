"""Levels: how grad, jvp and vmap nest, in three small interpreters.

A transform opens a level, wraps its inputs as tensors of that level, and calls the function.  Dispatch
passes every operation to the interpreter of the highest level among its arguments (see Note [Levels] in
``_core/dispatch/levels.pyx``); the interpreter works on payloads, one level down, by calling ops again.

============  ====================================  ==========================================
interpreter   its tensors carry                     an operation
============  ====================================  ==========================================
Tape          a payload and a history               runs on payloads and is recorded
Jvp           a primal and a tangent                runs on primals; the kind gives the tangent
Batch         a payload with one more leading axis  runs on payloads, by its batch rule
============  ====================================  ==========================================

For a level, tensors of lower levels are constants: they have no history, tangent or batch axis there.  So a
result that depends only on them stays on the lower level.
"""

import numpy as np

from minigrad._core.devices.device_arrays import made_on
from minigrad._core.dispatch.levels import (apply, give_back, lift, may_be_lifted, note_view, taken_apart,
                                            wrap_level)
from minigrad._core.forward import differentials
from minigrad._core.graph import Tensor
from minigrad._core.runtime import thread_state
from minigrad.creation import beside
from minigrad.func import custom_functions, inplace_layouts, inplace_writes
from minigrad.func.inplace_writes import tangent_of
from minigrad.func.level_below import lowered, set_aside
from minigrad.func.rules.apply import batched
from minigrad.func.rules.randomness import drawn_for, of_several_distributions
from minigrad.ops.shapes.transposing import movedim
from minigrad.random.arrays import refuse_in


class Lender:
    """A level that lifts arguments of its function which are not differentiated, but written to, while it is open."""

    #: (args, argnums, kwargs) of the function
    given = ((), (), {})
    #: the tensors that were lifted, in this order
    lent = ()
    #: does it compute its part of a Function, from tensors of the levels below?
    aside = False

    def __enter__(self):
        pass

    def __exit__(self, *problem):
        for tensor in reversed(self.lent):
            if tensor._level == self.level:
                give_back(tensor)


class Tape(Lender, differentials.ReverseLevel):
    """Records for reverse mode; formulas will run on payloads.

    ``no_grad`` outside the transform does not stop it, but then its operations on payloads are not recorded; so a Tape
    remembers the grad mode outside.  ``no_grad`` inside stops this level and all below, as in PyTorch.
    """

    def adopt(self, tensor):
        """Lift a tensor made by the function to this level, before something is written to it."""
        adopt(tensor, self.level)

    def lift(self, tensor):
        lift(tensor, self.level)

    def write(self, op, args, level):
        return inplace_writes.into_recorded(self, op, args, level)

    def alter(self, op, args, level):
        return inplace_layouts.of_recorded(self, op, args, level)

    def apply_function(self, cls, args, level):
        return set_aside(self, custom_functions.recorded, self, cls, args, level)

    def beside(self, tensor, array, alike):
        """A tensor of ``array`` at the level of ``tensor``, as for ``tensor.new_zeros(3)``."""
        return wrap_level(beside(tensor._array, array, alike=alike), self.level)


class Jvp(Lender):
    """Computes tangents along with primals.  Every tensor of this level has a tangent; others stay on the level
    below.

    Inference mode stops tangents, but for those of views.
    """

    maps = False

    def process(self, op, args, level):
        if op.is_view:
            inplace_writes.will_be_viewed(args[0])
        primals = [lowered(x, level) for x in args]
        result = apply(op, primals)
        if thread_state.is_inference() and not op.is_view:
            return result
        tangents = [tangent_of(x, level) for x in args]
        change = differentials.differential(op, primals, tangents, result)
        is_view = op.is_view and not (op.may_copy and inplace_writes.has_own_memory(result, primals[0]))
        out = dual(result, change if is_view else inplace_writes.own(change, tangents), level, is_view)
        return note_view(op, args, out) if is_view else out

    def adopt(self, tensor):
        adopt(tensor, self.level)

    def lift(self, tensor):
        """Lift it with a tangent of zeros."""
        if tensor.dtype.is_floating_point or tensor.dtype.is_complex:
            lift(tensor, self.level)
            tensor._tangent = inplace_writes.roomy_zeros(tensor, self.level)

    def write(self, op, args, level):
        return inplace_writes.into_dual(self, op, args, level)

    def alter(self, op, args, level):
        return inplace_layouts.of_carried(self, op, args, level)

    def apply_function(self, cls, args, level):
        if thread_state.is_inference():
            return cls.apply(*[lowered(x, level) for x in args])
        output, tangents, written = set_aside(self, custom_functions.carried, cls, args, level)
        results = [dual(x, t, level) if owner is None else owner
                   for x, t, owner in zip(custom_functions.as_tuple(output), tangents, written)]
        return custom_functions.like(results, output)

    def beside(self, tensor, array, alike):
        """The same as for a Tape, with a tangent of zeros, so that it may be written to."""
        made, tangent = beside(tensor._array, array, alike=alike), None
        if array.dtype.kind in "fcV":
            tangent = beside(tensor._tangent, made_on(tensor.device, np.zeros)(array.shape, array.dtype), alike=alike)
        return dual(made, tangent, self.level)


def adopt(tensor, level):
    """Lift a tensor made inside to all levels up to this one: its memory may receive values of any of them.

    An argument of the transformed functions is lifted as long as they run.
    """
    base = tensor._base
    if may_be_lifted(tensor, level):
        inplace_writes.raised(tensor, level)
    elif base is not None and may_be_lifted(base, level, tensor):
        inplace_writes.raised_with_its_view(base, tensor, level)
    elif tensor._level < level:
        inplace_writes.lend(tensor, base, level)


def dual(result, tangent, level, viewed=False):
    """The primal ``result`` with its tangent at this level; a list or tuple element by element."""
    if isinstance(result, tuple):
        pairs = [dual(r, t, level, viewed) for r, t in zip(result, tangent or [None] * len(result))]
        return type(result)(*pairs) if type(result) is not tuple else tuple(pairs)
    if tangent is None:
        return result
    out = wrap_level(result, level)
    out._tangent = tangent
    if viewed:
        out._viewed = True
    return out


class Batch:
    """Maps over the leading axis of payloads, which has ``size`` examples.

    ``randomness`` says how to draw random numbers: "error", the "same" for all examples, or "different" ones.
    """

    maps = True
    aside = False

    def __init__(self, size, randomness="error"):
        self.size = size
        self.randomness = randomness
        self.drawing = 0            # while random numbers are drawn according to ``randomness``, see random/arrays.py
        self.level = 0
        # id of a payload -> (the payload, the argument of vmap behind it, with its batch axis where the user has it)
        self.given = {}

    def moved(self, x, dim):
        """The argument ``x`` with its batch axis, ``dim``, in front."""
        payload = movedim(x, dim, 0)
        self.given[id(payload)] = payload, x, dim
        return payload

    def as_given(self, payload):
        """A payload as the user gave it to vmap, and its batch axis, for the ``vmap`` staticmethod of a Function."""
        _, x, dim = self.given.get(id(payload), (payload, payload, 0))
        return x, dim

    def process(self, op, args, level):
        mapped, payloads = taken_apart(args, level)
        if op.draws:
            out = self.drawn(op, mapped, payloads)
        else:
            out = batched(op, mapped, payloads, self.size)
        if isinstance(out, Tensor):
            out = wrap_level(out, level, 1)
            return note_view(op, args, out) if op.is_view else out
        results = [wrap_level(y, level, 1) for y in out]
        return tuple(results) if op.list_output else type(out)(*results)

    def adopt(self, tensor):
        """Do nothing: a tensor made inside is the same for all examples."""

    lift = adopt

    def write(self, op, args, level):
        return inplace_writes.into_mapped(self, op, args, level)

    def alter(self, op, args, level):
        return inplace_layouts.of_carried(self, op, args, level)

    def apply_function(self, cls, args, level):
        output, flags = set_aside(self, custom_functions.mapped, self, cls, args, level)
        written = custom_functions.Written(args, level)
        results = [written.at_level(x, 1) if m else x for x, m in zip(custom_functions.as_tuple(output), flags)]
        return custom_functions.like(results, output)

    def beside(self, tensor, array, alike):
        """One copy for each example."""
        shape = (self.size, *array.shape)
        copies = made_on(tensor.device, np.empty)(shape, array.dtype)
        if not tensor.is_meta:
            copies[...] = array
        return wrap_level(beside(tensor._array, copies, alike=alike), self.level, 1)

    def draws_for_each(self):
        """Does each example still need random numbers of its own?"""
        return self.randomness == "different" and not self.drawing

    def refuse_to_draw(self, op):
        """Before a write of random numbers that depend on mapped ones, to a tensor that is the same for all examples:
        the errors that come before the lack of room."""
        if op.draws and self.randomness == "error":
            refuse_in(self, op.shown)
        if op.draws and self.randomness == "same":
            raise of_several_distributions(op)

    def drawn(self, op, mapped, payloads):
        """The result of a row that draws random numbers."""
        if self.randomness == "error":
            refuse_in(self, op.shown)
        self.drawing += 1
        try:
            return drawn_for(op, mapped, payloads, self.size, self.randomness)
        finally:
            self.drawing -= 1
