"""Anomaly mode: find the line of the forward pass that caused an error, or a nan, in the backward pass.

    with torch.autograd.detect_anomaly():
        loss = model(x)
        loss.backward()

While it is on, every node records where in the program it was made.  If the node fails in the backward pass, or
computes a gradient with a nan, this place is reported in a note on the exception, and in PyTorch's warning.
A nan is blamed on the node that produced it first, counting from the loss; the nodes below only pass it on.

This costs time and memory, so it is meant for debugging, and is off by default.
"""

import contextlib
import sys

import numpy as np

from minigrad._core.errors import error, warn
from minigrad._core.graph import Node, Tensor
from minigrad._core.graph.function_node import PyNode
from minigrad._core.runtime import thread_state
from minigrad._core.runtime.scopes import Scope, Undo
from minigrad.autograd.grad_mode import _Mode

__all__ = ["detect_anomaly", "set_detect_anomaly"]

ENABLED = ("Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for "
           "debugging.")


class detect_anomaly(_Mode, Scope):
    """A block in which nodes record where they were made, and gradients are checked for nan; also a decorator.

    With ``check_nan=False`` only errors are explained, and nan passes.  The previous setting returns at the end.

    >>> x = torch.zeros(1, requires_grad=True)
    >>> with torch.autograd.detect_anomaly():
    ...     (x.sqrt() * 0).sum().backward()
    Traceback (most recent call last):
    minigrad._core.errors.AutogradRuntimeError: Function 'SqrtBackward0' returned nan values in its 0th output. ...
    """

    def __init__(self, check_nan=True):
        self.check_nan = bool(check_nan)
        warn(ENABLED)

    def _changes(self):
        return [(thread_state.put_anomaly, (True, self.check_nan))]

    def clone(self):
        return _without_warning(detect_anomaly, self.check_nan)


def _without_warning(cls, check_nan):
    mode = cls.__new__(cls)
    mode.check_nan = check_nan
    return mode


class set_detect_anomaly(Undo):
    """Switch anomaly mode on or off: for the rest of this thread or, in a ``with``, until the end of the block.

    >>> with torch.autograd.set_detect_anomaly(True):
    ...     torch.is_anomaly_enabled()
    True
    >>> torch.is_anomaly_enabled()
    False
    """

    def __init__(self, mode, check_nan=True):
        self._before = thread_state.is_anomaly(), thread_state.checks_nan()
        thread_state.set_anomaly(bool(mode), bool(check_nan))

    def _changes(self):
        return [(thread_state.put_anomaly, self._before)]


# ------------------------------------------------------------------------------ the two reports

def tell_origin(node, exception):
    """Report where the failed node was made, on the exception and in a warning; and in whose backward, if in one."""
    text = f"Error detected in {Node.name(node)}. "
    if not node.metadata.get("traceback_"):
        text += "No forward pass information available. Enable detect anomaly during forward pass for more information."
    else:
        text += "Traceback of forward call that caused the error:\n" + "".join(node.metadata["traceback_"])
    parts = [text]
    for _ in range(20):                         # double, triple ... backward
        node = node.metadata.get("parent_")
        if node is None:
            break
        made = node.metadata.get("traceback_")
        parts.append(f"\n\nPrevious calculation was induced by {Node.name(node)}. "
                     + ("Traceback of forward call that induced the previous calculation:\n" + "".join(made) if made
                        else "No forward pass information available."))
    exception.add_note("".join(parts))
    for part in parts:
        try:
            warn(part)
        except Warning:                         # an error by the user's filters: it would take the place of this one
            print(part, file=sys.stderr)


def refuse_nan(node, output, incoming, gradient, above):
    """Raise for the first nan, and explain it as far as the incoming gradients and the saved tensors allow."""
    where = tuple([int(i) for i in np.argwhere(np.isnan(gradient))[0]])
    text = f"Function '{Node.name(node)}' returned nan values in its {output}th output."
    text += f" The first one is at {list(where)} of a gradient of shape {list(gradient.shape)}." if where else ""
    came = [d for d in incoming if d is not None]
    spoilt = [(name, _worst(x)) for name, x in _saved(node) if not np.isfinite(x).all()]
    zero = len(came) == 1 and came[0].shape == gradient.shape and came[0][where] == 0
    if any([np.isnan(d).any() for d in came]):
        text += " The incoming gradient already has nan: it was given to backward(), or made by a hook."
    elif spoilt:
        text += f" It came from the forward pass, which saved {spoilt[0][1]} (in {spoilt[0][0]})."
        text += f" The incoming gradient is 0 there, but 0 times that is nan{_sender_of_0(above)}" if zero else ""
    elif any([np.isinf(d).any() for d in came]):
        text += (" The incoming gradient has inf, and inf times 0 is nan: there was a division by 0, or a root or "
                 "a logarithm at 0, between here and the loss.")
    elif zero:
        text += f" The incoming gradient is 0 there, and 0 times an infinite derivative is nan{_sender_of_0(above)}"
    else:
        text += " The incoming gradients have no nan, so it was made here, from the numbers of the forward pass."
    raise error("MG128", text)


def _sender_of_0(above):
    """How the sentence ends: it names the operation whose factor 0 was meant to drop this term."""
    chosen = [name for name in map(Node.name, above)
              if name.startswith(("Where", "MaskedFill", "Index", "Clamp", "Relu", "Mul"))]
    if not chosen:
        return "."
    return (f"; the 0 came from {chosen[0]}: a branch that was not taken, or a factor 0, does not stop a nan "
            "behind it. Where the result is not used, give the operation an input at which its derivative is finite: "
            "torch.where(ok, x, 1).sqrt() before the outer torch.where.")


def _saved(node):
    """[(name, array)] of the numbers that the node has saved."""
    found = []
    with contextlib.suppress(Exception):        # an unpack hook may fail too, but the nan is the news
        if isinstance(node, PyNode):
            found = [(f"saved_tensors[{i}]", x) for i, x in enumerate(node._saved())]
        else:
            names = [name for name in dir(type(node)) if name.startswith("_saved_")]
            found = [(f"'{name.removeprefix('_saved_')}'", getattr(node, name)) for name in names]
    arrays = [(name, _array(x)) for name, x in found]
    return [(name, x) for name, x in arrays if isinstance(x, np.ndarray) and x.dtype.kind in "fc"]


def _array(x):
    """The numbers of a tensor, whatever its level of transforms."""
    while isinstance(x, Tensor):
        x = x._array
    return x


def _worst(x):
    return "nan" if np.isnan(x).any() else "inf"
