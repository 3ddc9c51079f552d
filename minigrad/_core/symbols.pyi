"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

import builtins
from typing import Any


class Symbol:
    """Stands for a value while a formula is traced."""

    key: Any

class Tracer:
    """The list of steps of one formula."""


class Untraceable(TypeError):
    """A formula asked a symbol for its value."""


def emit(op, args) -> Any:
    """Note down that ``op`` is applied to ``args``, some of which are Symbols; returns the Symbol of the result."""

def register(operators) -> Any:
    """The ops behind the operators of a Symbol, by name."""
