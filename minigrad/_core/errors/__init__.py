"""The class and the code of every error that a user can meet.

A code names one kind of mistake and stays the same for ever, so that a message can be looked up, and a course can
speak of "an MG102".  The code decides the exception class, which is the one that PyTorch raises in the same situation
(or a subclass of it).  The message is written where the error is found, in the user's own terms: what happened, why it
matters, what to write instead.

Beside this file, ``refusals`` has the sentences of what the core refuses, and ``absent`` answers for names of PyTorch
that minigrad does not have.

>>> raise error("MG102", "this graph was used up")
Traceback (most recent call last):
minigrad._core.errors.AutogradRuntimeError: this graph was used up [MG102]
"""

import functools
import os
import sys
import warnings
from types import CodeType

__all__ = ["CATALOGUE", "LinAlgError", "MinigradError", "PACKAGE", "error", "located", "shown_path", "warn"]

#: where the files of minigrad are
PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep


class MinigradError(Exception):
    """Mixed into every exception that minigrad raises itself; ``code`` is its stable name."""

    code = None


class AutogradRuntimeError(MinigradError, RuntimeError):
    pass


class AutogradTypeError(MinigradError, TypeError):
    pass


class AutogradValueError(MinigradError, ValueError):
    pass


class AutogradIndexError(MinigradError, IndexError):
    pass


class AutogradNotImplementedError(MinigradError, NotImplementedError):
    pass


class DeviceError(AutogradRuntimeError, AssertionError):
    """PyTorch raises AssertionError or RuntimeError for a missing device; this is both."""


class MutationError(AutogradRuntimeError, AssertionError):
    """PyTorch raises AssertionError here, and RuntimeError for everything alike; this is both."""


class NestedTooDeeply(AutogradRuntimeError, RecursionError):
    """PyTorch starts threads until the system refuses, Python raises RecursionError; this is both."""


class ExchangeError(AutogradRuntimeError, BufferError, AssertionError):
    """PyTorch raises BufferError, AssertionError or RuntimeError here; this is all three."""


class WithoutData(AutogradNotImplementedError, TypeError):
    """PyTorch raises NotImplementedError, which is a RuntimeError, or for numpy() TypeError; this is both."""


class ProfilerError(AutogradRuntimeError, AssertionError):
    """PyTorch raises RuntimeError or AssertionError here; this is both."""


class ArgumentError(AutogradValueError, AssertionError):
    """PyTorch raises AssertionError here; a wrong value is a ValueError; this is both."""


class GradcheckError(MinigradError, RuntimeError):
    """A derivative is wrong; the message says where, by how much and, if possible, why."""

    __module__ = "minigrad.autograd.gradcheck"      # which is loaded when it is first used


class CheckpointFailure(AutogradRuntimeError):
    """``torch.utils.checkpoint.CheckpointError``."""


class NotClose(MinigradError, AssertionError):
    """What ``torch.testing.assert_close`` raises."""


class AutogradAttributeError(MinigradError, AttributeError):
    pass


class MemberError(AutogradTypeError, KeyError, AssertionError):
    """PyTorch raises TypeError or AssertionError for a wrong member of a module, KeyError for a wrong name; this is
    all three."""

    __str__ = Exception.__str__


class OptionError(AutogradValueError, KeyError):
    """PyTorch raises ValueError for a wrong option and KeyError for a missing one; this is both."""

    __str__ = Exception.__str__


class StepError(AutogradRuntimeError, AssertionError):
    """PyTorch raises RuntimeError, or in a GradScaler AssertionError; this is both."""


class LinAlgError(AutogradRuntimeError):
    """A matrix has not what was asked of it, such as an inverse; ``torch.linalg.LinAlgError``."""


class ZeroDivision(AutogradRuntimeError, ZeroDivisionError):
    """PyTorch raises RuntimeError here, Python ZeroDivisionError; this is both."""


class DistributedError(AutogradRuntimeError):
    """``torch.distributed.DistBackendError``."""


class DistributedArgumentError(AutogradRuntimeError, ValueError):
    """PyTorch raises RuntimeError, ValueError or AssertionError for what does not fit the ranks."""


#: code -> (exception class, what has gone wrong, in one line)
CATALOGUE = {
    "MG101": (AutogradRuntimeError, "A saved tensor was modified in place"),
    "MG102": (AutogradRuntimeError, "The graph was already used by an earlier backward and freed"),
    "MG103": (AutogradRuntimeError, "The tensor does not require grad"),
    "MG104": (AutogradRuntimeError, "Only a scalar has an implicit gradient"),
    "MG105": (AutogradRuntimeError, "A leaf that requires grad was written to in place"),
    "MG106": (AutogradRuntimeError, "An input was not used in the graph"),
    "MG107": (AutogradRuntimeError, "A Function returned wrong gradients"),
    "MG108": (AutogradRuntimeError, "numpy() of a tensor that requires grad"),
    "MG109": (AutogradRuntimeError, "The given gradient does not fit its tensor"),
    "MG110": (AutogradRuntimeError, "Differentiating twice through a once_differentiable backward"),
    "MG111": (AutogradRuntimeError, "This dtype cannot require grad"),
    "MG112": (AutogradRuntimeError, "An inference tensor was used where autograd needs it"),
    "MG113": (AutogradRuntimeError, "Wrong argument to backward or grad"),
    "MG114": (AutogradTypeError, "An argument to backward or grad has the wrong type"),
    "MG115": (AutogradValueError, "An argument to backward or grad has a wrong value"),
    "MG116": (AutogradRuntimeError, "An in-place operation on this view is refused"),
    "MG117": (AutogradRuntimeError, "This is not supported in the present mode"),
    "MG118": (AutogradRuntimeError, "The assigned .grad does not fit its tensor"),
    "MG119": (AutogradRuntimeError, "A hook returned something that cannot be used"),
    "MG120": (AutogradRuntimeError, "A flag of this tensor cannot be changed"),
    "MG121": (AutogradTypeError, "A hook returned something of a wrong type"),
    "MG122": (AutogradRuntimeError, "Saved-tensor hooks cannot be used here, or not in this way"),
    "MG123": (AutogradTypeError, "A saved-tensor hook, or its result, has the wrong type"),
    "MG124": (MutationError, "Backward outside the allow_mutation_on_saved_tensors context of its graph"),
    "MG125": (AutogradRuntimeError, "A pack hook modified the tensor that it received"),
    "MG126": (AutogradRuntimeError, "A tangent, or a dual level, is not available here"),
    "MG127": (AutogradValueError, "This dtype cannot have a tangent"),
    "MG128": (AutogradRuntimeError, "Anomaly mode found a nan"),
    "MG129": (NestedTooDeeply, "Backward passes have begun inside each other too often"),
    "MG130": (AutogradRuntimeError, "An engine of your own did not keep to the protocol"),
    "MG141": (AutogradRuntimeError, "The solver of an implicit function has not found a solution"),
    "MG142": (AutogradRuntimeError, "The residual of an implicit function uses a tensor that is not a parameter"),
    "MG143": (LinAlgError, "An implicit function has no derivative here, or a linear system was not solved"),
    "MG201": (AutogradRuntimeError, "Shapes do not match"),
    "MG202": (AutogradRuntimeError, "Dtypes do not match, or are not supported here"),
    "MG203": (AutogradIndexError, "The dimension is out of range"),
    "MG204": (AutogradRuntimeError, "An argument has a wrong value"),
    "MG205": (AutogradTypeError, "An argument has the wrong type"),
    "MG206": (AutogradIndexError, "The index is out of range"),
    "MG207": (AutogradValueError, "An argument has a wrong value"),
    "MG208": (ZeroDivision, "Integer division by zero"),
    "MG209": (AutogradRuntimeError, "A value does not fit the dtype"),
    "MG210": (AutogradRuntimeError, "out= cannot be used here"),
    "MG211": (AutogradRuntimeError, "This tensor cannot be resized, given other memory, or written element by element"),
    "MG212": (AutogradRuntimeError, "There is no derivative with respect to this argument"),
    "MG220": (LinAlgError, "A matrix is singular, not positive-definite, or an algorithm did not converge"),
    "MG301": (AutogradRuntimeError, "ctx was used in a wrong way"),
    "MG302": (AutogradRuntimeError, "The Function is not defined correctly"),
    "MG303": (AutogradTypeError, "The Function received or returned a wrong type"),
    "MG305": (AutogradNotImplementedError, "The Function lacks a method"),
    "MG401": (AutogradRuntimeError, "The tensor cannot be made or converted"),
    "MG402": (AutogradTypeError, "The tensor cannot be made from this type"),
    "MG403": (AutogradValueError, "The tensor cannot be made from this value"),
    "MG404": (DeviceError, "The device is not available"),
    "MG405": (ExchangeError, "The memory cannot be shared with another library"),
    "MG406": (WithoutData, "A tensor on the device 'meta' has no data"),
    "MG407": (AutogradRuntimeError, "The tensors are on different devices"),
    "MG501": (GradcheckError, "gradcheck found a wrong derivative"),
    "MG502": (ArgumentError, "An argument of gradcheck or of functional has a wrong value"),
    "MG503": (AutogradNotImplementedError, "This combination of arguments is not supported"),
    "MG505": (ProfilerError, "A profiler cannot be used like this"),
    "MG601": (AutogradRuntimeError, "minigrad cannot take PyTorch's name here"),
    "MG602": (AutogradAttributeError, "PyTorch has this name, and minigrad does not"),
    "MG603": (AutogradNotImplementedError, "This is a name alone here, and was called"),
    "MG701": (AutogradRuntimeError, "A parameter or a buffer has no shape yet"),
    "MG702": (MemberError, "A module cannot have this member, or not under this name"),
    "MG703": (AutogradRuntimeError, "A state dict does not fit its module"),
    "MG704": (AutogradAttributeError, "A module has no such member, or has not begun"),
    "MG705": (ArgumentError, "A layer cannot be made with this option"),
    "MG711": (OptionError, "An optimizer or a scheduler was given a wrong value"),
    "MG712": (AutogradTypeError, "An optimizer or a scheduler was given something of a wrong type"),
    "MG713": (StepError, "An optimizer cannot take this step"),
    "MG721": (ArgumentError, "A dataset cannot be made of this"),
    "MG722": (AutogradRuntimeError, "A worker of a DataLoader has ended, or is late"),
    "MG723": (CheckpointFailure, "A checkpointed function computed something else"),
    "MG724": (AutogradRuntimeError, "A tensor cannot go to another process, or be shared with it"),
    "MG731": (AutogradValueError, "A parameter, a value or a transform of a distribution is not valid"),
    "MG732": (AutogradNotImplementedError, "The distribution has no such quantity"),
    "MG741": (AutogradRuntimeError, "The format of files has no such tensors"),
    "MG742": (AutogradValueError, "Files are not written or read in this way"),
    "MG751": (NotClose, "Two values are not close"),
    "MG801": (AutogradValueError, "There is no group of processes, or there is one already"),
    "MG802": (DistributedError, "The ranks disagree about what they do together"),
    "MG803": (DistributedError, "A rank waits for ever, or MPI is not there"),
    "MG804": (DistributedArgumentError, "An argument does not fit the ranks of the group"),
    "MG805": (DistributedError, "The gradients of a distributed model are not all there"),
}


def error(code, message):
    """Return the exception of ``code`` with ``message``; the caller raises it.

    Below a traceback a note says how to read the page of the code; it is not part of the message.
    """
    exception = CATALOGUE[code][0](f"{message} [{code}]")
    exception.code = code
    exception.add_note(f"(python -m minigrad explain {code})")
    return exception


def warn(message, category=UserWarning):
    """Warn at the line of the user's program that called minigrad, however many of our frames are in between."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back
    names = frame.f_globals
    module = names.get("__name__") or "<string>"    # as Python calls it; for None there would be no warning
    warnings.warn_explicit(message, category, frame.f_code.co_filename, frame.f_lineno, module,
                           names.setdefault("__warningregistry__", {}))


# ------------------------------------------------------------------------------ where it is written


def shown_path(file):
    """The name of a source file for a message: relative to the current folder if it is below that."""
    try:
        return file.removeprefix(os.getcwd() + os.sep)
    except OSError:  # the current folder was removed
        return file


def located(function):
    """The name of a function of the user's, and where it is defined: for errors that are raised elsewhere.

    A function that is not written in Python (of NumPy, or an operation) has only its name.

    >>> located(len)
    'len'
    >>> located(error)  # doctest: +ELLIPSIS
    'error, at ...errors/__init__.py:...'
    """
    seen = set()  # a function may wrap itself
    while (id(function) not in seen
           and (isinstance(function, functools.partial) or "__wrapped__" in getattr(function, "__dict__", ()))):
        seen.add(id(function))
        function = function.func if isinstance(function, functools.partial) else function.__wrapped__
    # an object that can be called has no code of its own
    written = function if hasattr(function, "__code__") else getattr(type(function), "__call__", None)
    code = getattr(written, "__code__", None)
    name = getattr(function, "__qualname__", None) or getattr(function, "__name__", None) or type(function).__qualname__
    place = f", at {shown_path(code.co_filename)}:{code.co_firstlineno}" if isinstance(code, CodeType) else ""
    return str(name).rpartition("<locals>.")[2] + place
