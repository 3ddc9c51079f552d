"""What surrounds ``torch.compile``.  Nothing is compiled here: its decorators return what they are given.

>>> torch.compiler.is_compiling()
False
"""

from minigrad._core.errors.absent import answering as _answering
from minigrad.environment import compile

__all__ = ["allow_in_graph", "assume_constant_result", "compile", "cudagraph_mark_step_begin", "disable",
           "is_compiling", "is_dynamo_compiling", "is_exporting", "list_backends", "reset"]


def is_compiling():
    """False: programs run as Python.

    >>> torch.compiler.is_compiling()
    False
    """
    return False


is_dynamo_compiling = is_exporting = is_compiling


def disable(fn=None, recursive=True, *, reason=None):
    """The function itself; a decorator, with or without arguments.

    >>> torch.compiler.disable(len) is len
    True
    """
    return fn if fn is not None else lambda function: function


def allow_in_graph(fn):
    """The function itself.

    >>> torch.compiler.allow_in_graph(len) is len
    True
    """
    return fn


assume_constant_result = allow_in_graph


def reset():
    """Forget what was compiled, which is nothing.

    >>> torch.compiler.reset()
    """


def cudagraph_mark_step_begin():
    """Nothing: a mark for GPUs.

    >>> torch.compiler.cudagraph_mark_step_begin()
    """


def list_backends(exclude_tags=("debug", "experimental")):
    """The compilers that there are: none.

    >>> torch.compiler.list_backends()
    []
    """
    return []


__getattr__ = _answering(__name__)
