"""``x.why_no_grad()``: in plain words, why ``x.grad`` is None.

``backward()`` fills ``.grad`` of a tensor that requires grad, that is a leaf (or was told to keep its gradient), and
that a path of recorded operations connects with the result.  The functions below check these conditions one by one,
and the first that does not hold is the reason.

The only evidence is the tensor and its graph: a log of detach() and zero_grad() would slow down every operation.  So
where the tensor does not show what happened, the answer lists what may have happened, the likeliest first.  With the
result at hand, the graph can be walked, and the answer is certain.
"""

import textwrap

from minigrad._core.errors import error
from minigrad._core.graph import AccumulateGrad, Node, Tensor
from minigrad._core.graph.gradient_edges import accumulator_of, is_led_to, stored_grad
from minigrad._core.graph.saved_tensors import freed_at
from minigrad._core.graph.type_objects import attach

__all__ = ["Reason", "why_no_grad"]

WIDTH = 79
FEW = 3                 # up to this many operations behind a leaf, a tensor may have been meant to be that leaf


class Reason(str):
    """A text that a prompt shows as it is, without quotation marks."""

    __repr__ = str.__str__


def why_no_grad(self, result=None):
    """Why ``.grad`` of this tensor is None, in plain words and with a remedy; or that there is one.

    Parameters
    ----------
    result : Tensor, optional
        The tensor on which ``backward()`` was called.  With it, the answer also says whether a path leads from there to
        this tensor; without it, the answer lists what may have happened, the likeliest first.

    Returns a str, which a prompt shows as ``print()`` does.  Raises: TypeError if ``result`` is not a tensor.

    >>> w = torch.ones(2, requires_grad=True).double()
    >>> (w * w).sum().backward()
    >>> print(w.why_no_grad())
    It is not a leaf but the result of an operation (ToCopyBackward0), and
    backward() stores gradients in leaves only. Call x.retain_grad() before
    backward(), or request this gradient: torch.autograd.grad(loss, x).
    It was computed from one leaf (shape [2], torch.float32), through
    ToCopyBackward0. That leaf has the gradient. Was this tensor meant to be the
    leaf? Then ask for the gradient last: torch.randn(3).double().requires_grad_().
    >>> b = torch.zeros(2, requires_grad=True)
    >>> loss = (w * w + b.detach()).sum()
    >>> b.why_no_grad(loss)
    It is a leaf and requires grad, but no path leads to it from the result, which
    was not computed from this very tensor. Possible reasons, the likeliest first:
    - another tensor had its name: x = x.to(...), or a copy;
    - the path was cut: by .detach(), .data, .item(), NumPy, torch.tensor(x) or
      torch.tensor([a, b]) (torch.stack keeps it), or torch.no_grad();
    - the result does not depend on it.
    To see where the path ends: from minigrad import viz; print(viz.graph(result)).
    """
    if result is not None and not isinstance(result, Tensor):
        raise error("MG205", "why_no_grad(): pass the tensor on which backward() was called, not "
                             f"'{type(result).__name__}': x.why_no_grad(loss)")
    return Reason(next(filter(None, (look(self, result) for look in _CONDITIONS))))


def _text(*paragraphs):
    """The paragraphs, wrapped; a paragraph that begins with a dash is an item of a list."""
    return "\n".join(
        [textwrap.fill(each, WIDTH, subsequent_indent="  " * each.startswith("- "), break_long_words=False,
                       break_on_hyphens=False)
         for each in paragraphs]
    )


# ------------------------------------------------------------------------------ the conditions, in their order


def _has_one(x, result):
    grad = stored_grad(x)
    if grad is not None:
        return _text(f"There is one: x.grad is a tensor of shape {list(grad.shape)}. Each backward pass that reaches "
                     "this tensor adds to it, until it is cleared.")


def _belongs_to_a_transform(x, result):
    if x._level:
        return _text("It belongs to a transform (vmap, grad, jvp ...), which returns its derivatives and stores none "
                     "in .grad. Use what torch.func.grad or torch.func.vjp returns.")


def _is_inference(x, result):
    if x.is_inference() and not x.requires_grad:
        return _text("It was made under torch.inference_mode(): nothing is recorded there, and such a tensor cannot "
                     "require grad. Make a normal tensor from it outside, x.clone().requires_grad_(), or use "
                     "torch.no_grad() instead of inference mode.")


def _requires_none(x, result):
    if x.requires_grad:
        return None
    if not (x.is_floating_point() or x.is_complex()):
        return _text(f"It does not require grad, and with dtype {x.dtype} it cannot: integers and booleans have no "
                     "small changes, so no derivative. Convert it first: x.float().requires_grad_().")
    return _text("It does not require grad: what is computed from it is not recorded for its sake. The "
                 "likeliest first:",
                 "- it was never requested: write torch.tensor(data, requires_grad=True), or call x.requires_grad_() "
                 "before you compute with it;",
                 "- it has the values of another tensor, but not its history: .detach(), .data, torch.tensor(y), "
                 "torch.tensor([a, b]) (torch.stack keeps it), torch.from_numpy(...);",
                 "- it was computed under torch.no_grad(), or from tensors that do not require grad.")


def _is_no_leaf(x, result):
    if x.is_leaf:
        return None
    name = Node.name(x.grad_fn)
    if not x.retains_grad:
        said = [f"It is not a leaf but the result of an operation ({name}), and backward() stores gradients in leaves "
                "only. Call x.retain_grad() before backward(), or request this gradient: torch.autograd.grad(loss, x)."]
        leaf, steps = _only_leaf_behind(x.grad_fn)
        if leaf is not None:
            has = "has the gradient" if stored_grad(leaf) is not None else "has no gradient either, so far"
            said.append(f"It was computed from one leaf (shape {list(leaf.shape)}, {leaf.dtype}), through "
                        f"{' and '.join(steps)}. That leaf {has}. Was this tensor meant to be the leaf? Then ask for "
                        "the gradient last: torch.randn(3).double().requires_grad_().")
    else:
        place = freed_at(x.grad_fn)
        if place is None:
            happened = "but no backward pass has reached it since, or .grad was cleared."
        else:
            happened = (f"but a backward pass{f', called at {place},' if place else ''} has gone through {name} "
                        "already: retain_grad() came after it, or .grad was cleared since. Call it after x is computed "
                        "and before backward().")
        said = [f"It is not a leaf but the result of an operation ({name}). retain_grad() was called, {happened}"]
    if result is not None and not _leads_to(result, x):
        said.append("Besides, no path leads to it from the result that you gave.")
    return _text(*said)


def _is_a_view_without_history(x, result):
    if x._is_view() and accumulator_of(x)[0] is None:
        return _text("It is a view of a tensor that requires grad, and was made under torch.no_grad() or "
                     "torch.inference_mode(): it shares the memory, but receives no gradient. Look at .grad of its "
                     "base, or make the view outside.")


def _has_a_result_without_history(x, result):
    if result is not None and not result.requires_grad:
        return _text("It is a leaf and requires grad, but the result has no history: nothing was recorded when "
                     "it was computed, and its backward() is an error (MG103). Was it computed under torch.no_grad(), "
                     "or before this tensor required grad, or cut off by .detach(), .data, .item() or NumPy?")


def _is_on_no_path(x, result):
    if result is not None and not _leads_to(result, x):
        return _text("It is a leaf and requires grad, but no path leads to it from the result, which was not computed "
                     "from this very tensor. Possible reasons, the likeliest first:",
                     "- another tensor had its name: x = x.to(...), or a copy;",
                     "- the path was cut: by .detach(), .data, .item(), NumPy, torch.tensor(x) or torch.tensor([a, b]) "
                     "(torch.stack keeps it), or torch.no_grad();",
                     "- the result does not depend on it.",
                     "To see where the path ends: from minigrad import viz; print(viz.graph(result)).")


def _was_not_reached(x, result):
    if result is not None:
        gone = _pass_through(result)
        return _text("It is a leaf, requires grad, and a path leads to it from the result, and result.backward() can "
                     f"give it a gradient. {gone} The likeliest reasons:",
                     *([] if gone else ["- backward() has not been called yet;"]),
                     "- the gradient was cleared since: by zero_grad(), or x.grad = None;",
                     "- backward(inputs=[...]) named other tensors, or torch.autograd.grad(...) was used, which "
                     "returns gradients and stores none;",
                     "- a custom Function on the way returned None as the gradient, or the pass ended with an error.")
    if is_led_to(x):
        said = ["It is a leaf, requires grad, and something was computed from it. The likeliest reasons:",
                "- backward() has not been called yet, or was called on something not computed from this tensor;",
                "- the gradient was cleared since: by zero_grad(), or x.grad = None;",
                "- backward(inputs=[...]) named other tensors, or torch.autograd.grad(...) was used, which returns "
                "gradients and stores none."]
    else:
        said = ["It is a leaf and requires grad, but nothing that still exists was computed from it. The likeliest "
                "reasons:",
                "- another tensor had its name when the loss was computed: x = x.to(...), or a copy;",
                "- its results were cut off: by .detach(), .data, .item(), NumPy, torch.tensor(x) or "
                "torch.tensor([a, b]) (torch.stack keeps it), or torch.no_grad();",
                "- the gradient was cleared: by zero_grad(), or x.grad = None;",
                "- it has not been used yet."]
    return _text(*said, "With the result at hand the answer is certain: x.why_no_grad(loss).")


_CONDITIONS = (_has_one, _belongs_to_a_transform, _is_inference, _requires_none, _is_no_leaf,
               _is_a_view_without_history, _has_a_result_without_history, _is_on_no_path, _was_not_reached)


# ------------------------------------------------------------------------------ walks through the graph


def _only_leaf_behind(node):
    """If a result was computed from a single leaf, in a few operations: the leaf and their names; else (None, [])."""
    steps = []
    while len(steps) < FEW:
        steps.append(Node.name(node))
        behind = {each for each, _ in node.next_functions if each is not None}
        if len(behind) != 1:
            break
        node = behind.pop()
        if isinstance(node, AccumulateGrad):
            return node.variable, steps
    return None, []


def _leads_to(result, x):
    """Does a path lead from the result to ``x``, a leaf or the output of an operation?"""
    if x.grad_fn is None:
        return result is x or any([isinstance(node, AccumulateGrad) and node.variable is x
                                   for node, _ in _behind(result)])
    return (x.grad_fn, x.output_nr) in _behind(result)


def _behind(result):
    """All places in the graph that a gradient of ``result`` reaches: pairs of a node and one of its outputs."""
    found = {(result.grad_fn, result.output_nr)} if result.grad_fn is not None else set()
    waiting = list(found)
    for node, _ in waiting:
        for each in node.next_functions:
            if each[0] is not None and each not in found:
                found.add(each)
                waiting.append(each)
    return waiting


def _pass_through(result):
    """A sentence about an earlier pass through the graph of ``result``, or ""."""
    for node, _ in _behind(result):
        place = freed_at(node)
        if place is not None:
            return (f"A backward pass{f', called at {place},' if place else ''} has gone through {Node.name(node)} "
                    "already.")
    return ""


why_no_grad.__qualname__ = "Tensor.why_no_grad"
attach("why_no_grad", why_no_grad)
