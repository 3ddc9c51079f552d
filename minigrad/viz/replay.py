"""A recorded pass with tangents: ``replayed(calls, root)``.

A recording has no tangents, but it can be computed again, call by call, on tensors that have some: the leaves, each of
which moves by ones.  What forward mode then calls is recorded like all else.
"""

import numpy as np

from minigrad._core.dispatch.levels import apply
from minigrad._core.forward.dual_tensors import tangent_of
from minigrad._core.graph import wrap
from minigrad._core.inplace.inplace_methods import write_bound
from minigrad.autograd import forward_ad, no_grad
from minigrad.viz.recording import Block, Quantity, alike, array_of, tensors_in

__all__ = ["replayed"]


def replayed(calls, root):
    """The calls once more on tensors with tangents: a Recording, the result, its tangent, pairs (primal, tangent)."""
    with no_grad(), forward_ad.dual_level():
        duals = {leaf: forward_ad.make_dual(wrap(leaf.start.copy("K")), wrap(np.ones_like(leaf.start)))
                 for leaf in leaves_of(calls, root)}
        with Block() as made:
            tensors = Replay(made, duals).tensors_of(calls, root)
            tangents = []
            for quantity, x in tensors.items():
                known = made.quantity(x)
                tangent = forward_ad.unpack_dual(x).tangent if known is not None else None
                if tangent is not None and made.quantity(tangent) is not None:
                    tangents.append((known, made.quantity(tangent)))
                while known is not None:
                    known.name = known.name or quantity.name
                    known = known.before
            result = made.quantity(tensors[root])
    found = [tangent for primal, tangent in tangents if primal is result]
    return made, result, found[0] if found else None, tangents


def leaves_of(calls, root):
    """The leaves that the calls read, each once."""
    found = {}
    for quantity in [root, *[each for call in calls for each in call.quantities()]]:
        while quantity.start is None and quantity.before is not None:
            quantity = quantity.before
        if quantity.kind == "leaf":
            found[quantity] = True
    return [*found]


class Replay:
    """The tensors of a recording, computed again."""

    def __init__(self, made, duals):
        self.made, self.tensors = made, {}
        for leaf, dual in duals.items():
            self.tensors[leaf] = dual
            made._read(dual).name = leaf.name
            made._read(forward_ad.unpack_dual(dual).tangent)

    def tensor_of(self, quantity):
        if quantity not in self.tensors:
            if quantity.start is None:
                self.tensors[quantity] = self.tensor_of(quantity.before)
            else:
                self.tensors[quantity] = wrap(quantity.start.copy("K"))
                self.made._read(self.tensors[quantity]).name = quantity.name
        return self.tensors[quantity]

    def given(self, x):
        return (self.tensor_of(x) if isinstance(x, Quantity) else [self.given(y) for y in x] if type(x) is list else x)

    def follow(self, arguments, result):
        """What moves just as an argument does, as ``x + 3``, has a copy of its tangent, which no row has made."""
        tangent = tangent_of(result)
        sources = [found for x in tensors_in(arguments) if (found := tangent_of(x)) is not None]
        if tangent is None or len(sources) != 1 or not alike(array_of(tangent), array_of(sources[0])):
            return
        known, source = self.made.quantity(tangent), self.made.quantity(sources[0])
        if known is None and source is not None:
            self.made._alias(array_of(tangent), source)

    def tensors_of(self, calls, root):
        """{Quantity: its tensor} after all calls."""
        for call in calls:
            self.made._line = call.line
            if call.op.draws:
                for quantity in call.results:
                    if call.in_place:
                        self.tensor_of(call.arguments[0]).copy_(wrap(quantity.start))
                        self.tensors[quantity] = self.tensor_of(call.arguments[0])
                continue
            arguments = [self.given(x) for x in call.arguments]
            out = write_bound(call.op, tuple(arguments)) if call.in_place else apply(call.op, arguments)
            for quantity, y in zip(call.results, out if isinstance(out, (tuple, list)) else [out]):
                self.tensors[quantity] = y
                if not call.op.is_view:
                    self.follow(arguments, y)
        self.tensor_of(root)
        return self.tensors
