"""Run an operation on a batch: by its rule, or example by example."""

from minigrad._core.dispatch.levels import apply
from minigrad._core.errors import MinigradError, error, warn
from minigrad.ops.shapes.joining import stack
from minigrad.ops.shapes.slicing import select

from .derived import RULES

#: the operations that have already warned that they are computed example by example
_said = set()


def batched(op, mapped, payloads, size):
    """The payload of the result, or a list of payloads, of ``op`` on a batch.

    If a rule raises, its error would name shapes that the user does not see; so the examples are then
    tried one by one, and the first to fail raises in the user's terms.
    """
    try:
        rule = RULES[op]
        out = None if rule is None else rule(op, mapped, payloads, size)
    except MinigradError as refused:
        if refused.code == "MG117" or not size:
            raise
        out = None
    return example_by_example(op, mapped, payloads, size) if out is None else out


def example_by_example(op, mapped, payloads, size):
    """Compute every example on its own and stack the results: right for every operation, but slow."""
    if not size:
        raise without_examples(op)
    results = []
    for i in range(size):
        results.append(apply(op, [_example(x, m, i) for x, m in zip(payloads, mapped)]))
        if not i and op not in _said:
            _said.add(op)
            warn(one_by_one(op), UserWarning)
    if isinstance(results[0], tuple):
        several = [stack(list(each)) for each in zip(*results)]
        return type(results[0])(*several) if op.outputs else tuple(several)
    return stack(results)


def _example(x, mapped, i):
    if isinstance(mapped, list):
        return [select(y, 0, i) if m else y for y, m in zip(x, mapped)]
    return select(x, 0, i) if mapped else x


def without_examples(op):
    return error("MG117", f"vmap: Batching rule not implemented for {op.shown}. The fallback path does not support "
                          "vmap over dims of size 0: without an example, nothing shows the shape of the "
                          "result from.")


def one_by_one(op):
    return (f"There is a performance drop because we have not yet implemented the batching rule for {op.shown}: "
            "vmap computes it one example at a time.")
