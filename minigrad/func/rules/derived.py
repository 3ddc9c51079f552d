"""Find the batch rule of any row: its own, or the one that follows from its kind and its types."""

from minigrad.ops.shapes.copies import VIEW_OF
from minigrad.ops.shapes.reshaping import clone

from .along_dims import Along, counts_axes, each
from .elementwise import align
from .losses import compared
from .shapes import on_last_dims
from .batch_rule import OWN


class Rules(dict):
    """row -> its batch rule, found at the first use; None if the row is computed example by example."""

    def __missing__(self, op):
        found = self[op] = OWN[op] if op in OWN else derived(op)
        return found


RULES = Rules()


def shown_and_copied(op, mapped, payloads, size):
    """A copy of what a view shows of the batch."""
    shown = OWN[VIEW_OF[op]](VIEW_OF[op], mapped, payloads, size)
    return None if shown is None else each(shown, lambda part: clone(part, memory_format="contiguous_format"))


def derived(op):
    """The rule that follows from the row's kind and types; None if there is none."""
    if op.batch == "loop":
        return None
    if VIEW_OF.get(op) in OWN:
        return shown_and_copied
    if counts_axes(op):
        return Along(op)
    if "reduction" in op.params:
        return compared
    if op.last_dims is None:
        return align if op.elementwise and "Tensor[]" not in op.types else None
    return align if op.last_dims == 0 and "Tensor" in op.types else on_last_dims       # or its argument is a list
