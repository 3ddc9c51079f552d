"""Anomaly mode: which line of the forward pass is to blame for an error, or a nan, in the backward pass.

    with torch.autograd.detect_anomaly():
        loss = model(x)
        loss.backward()

While it is on, every node notes where in the program it was made.  If it then fails in the backward pass, or one of
the gradients that it computes is a nan, the error says so: as a note on the exception, and in PyTorch's warning.
A nan is blamed on the first node that made one, from the loss on; the nodes below only hand it on.

All this costs time and memory, so it is for debugging, and off otherwise.
"""

import contextlib

import numpy as np

from minigrad._core import modes, watching
from minigrad._core.custom import PyNode
from minigrad._core.errors import error, warn
from minigrad._core.graph import Node, Tensor
from minigrad.autograd.grad_mode import _Mode

__all__ = ["detect_anomaly", "set_detect_anomaly"]

ENABLED = ("Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for "
           "debugging.")


class detect_anomaly(_Mode):
    """A block in which nodes note where they were made, and gradients are looked at; also a decorator.

    With ``check_nan=False`` only errors are explained, and nan passes.  What was before is put back at the end.

    >>> x = torch.zeros(1, requires_grad=True)
    >>> with torch.autograd.detect_anomaly():
    ...     (x.sqrt() * 0).sum().backward()
    Traceback (most recent call last):
    minigrad._core.errors.AutogradRuntimeError: Function 'SqrtBackward0' returned nan values in its 0th output. ...
    """

    def __init__(self, check_nan=True):
        self.check_nan = bool(check_nan)
        self._before = None
        warn(ENABLED)

    def __enter__(self):
        self._before = modes.is_anomaly(), modes.checks_nan(), self._before
        modes.set_anomaly(True, self.check_nan)

    def __exit__(self, kind, value, traceback):
        before = self._before
        modes.set_anomaly(before[0], before[1])
        self._before = before[2]

    def clone(self):
        return _without_warning(detect_anomaly, self.check_nan)


def _without_warning(cls, check_nan):
    mode = cls.__new__(cls)
    mode.check_nan, mode._before = check_nan, None
    return mode


class set_detect_anomaly:
    """Switch anomaly mode on or off, from here on in this thread or, in a ``with``, until the end of the block.

    >>> with torch.autograd.set_detect_anomaly(True):
    ...     torch.is_anomaly_enabled()
    True
    >>> torch.is_anomaly_enabled()
    False
    """

    def __init__(self, mode, check_nan=True):
        self._before = modes.is_anomaly(), modes.checks_nan()
        modes.set_anomaly(bool(mode), bool(check_nan))

    def __enter__(self):
        pass

    def __exit__(self, kind, value, traceback):
        modes.set_anomaly(self._before[0], self._before[1])


# ------------------------------------------------------------------------------ what is said

def tell_origin(node, exception):
    """Say, on the exception and in a warning, where the node that failed was made, and in whose backward, if in one."""
    text = f"Error detected in {Node.name(node)}. "
    if not node.metadata.get("traceback_"):
        text += "No forward pass information available. Enable detect anomaly during forward pass for more information."
    else:
        text += "Traceback of forward call that caused the error:\n" + "".join(node.metadata["traceback_"])
    for _ in range(20):                         # double, triple ... backward
        node = node.metadata.get("parent_")
        if node is None:
            break
        text += f"\n\nPrevious calculation was induced by {Node.name(node)}. "
        made = node.metadata.get("traceback_")
        text += "Traceback of forward call that induced the previous calculation:\n" + "".join(
            made) if made else "No forward pass information available."
    exception.add_note(text)
    warn(text)


def refuse_nan(node, output, incoming, gradient, above):
    """Raise for the first nan, and say what can be seen of how it came about: from what came in, and what was saved."""
    where = tuple([int(i) for i in np.argwhere(np.isnan(gradient))[0]])
    text = f"Function '{Node.name(node)}' returned nan values in its {output}th output."
    text += f" The first one is at {list(where)} of a gradient of shape {list(gradient.shape)}." if where else ""
    came = [d for d in incoming if d is not None]
    spoilt = [(name, _worst(x)) for name, x in _saved(node) if not np.isfinite(x).all()]
    zero = len(came) == 1 and came[0].shape == gradient.shape and came[0][where] == 0
    if any([np.isnan(d).any() for d in came]):
        text += " The gradient that came in has nan, too: it was given to backward(), or made by a hook."
    elif spoilt:
        text += f" It came from the forward pass: what was saved there (its {spoilt[0][0]}) has {spoilt[0][1]}."
        text += f" The gradient that came in is 0 there, but 0 times that is nan{_sender_of_0(above)}" if zero else ""
    elif any([np.isinf(d).any() for d in came]):
        text += (" The gradient that came in has inf, and inf times 0 is nan: there was a division by 0, or a root or "
                 "a logarithm at 0, between here and the loss.")
    elif zero:
        text += f" The gradient that came in is 0 there, and 0 times an infinite derivative is nan{_sender_of_0(above)}"
    else:
        text += " What came in has no nan: so it was made here, from the numbers of the forward pass."
    raise error("MG128", text)


def _sender_of_0(above):
    """The end of the sentence, where a 0 was meant to take a term out."""
    chosen = [name for name in map(Node.name, above)
              if name.startswith(("Where", "MaskedFill", "Index", "Clamp", "Relu", "Mul"))]
    if not chosen:
        return "."
    return (f"; the 0 came from {chosen[0]}: a branch that was not taken, or a factor 0, does not protect what is "
            "behind it. Give the operation an input at which its derivative is finite where its result is not used: "
            "torch.where(ok, x, 1).sqrt() before the outer torch.where.")


def _saved(node):
    """[(name, array)] of the numbers that the node has saved."""
    found = []
    with contextlib.suppress(Exception):        # an unpack hook may fail in its turn; it is the nan that is to be told
        if isinstance(node, PyNode):
            found = [(f"saved_tensors[{i}]", x) for i, x in enumerate(node._saved())]
        else:
            names = [name for name in dir(type(node)) if name.startswith("_saved_")]
            found = [(f"'{name.removeprefix('_saved_')}'", getattr(node, name)) for name in names]
    arrays = [(name, _array(x)) for name, x in found]
    return [(name, x) for name, x in arrays if isinstance(x, np.ndarray) and x.dtype.kind in "fc"]


def _array(x):
    """The numbers of a tensor, at whichever level of transforms it lives."""
    while isinstance(x, Tensor):
        x = x._array
    return x


def _worst(x):
    return "nan" if np.isnan(x).any() else "inf"


watching.register_anomaly(tell_origin, refuse_nan)
