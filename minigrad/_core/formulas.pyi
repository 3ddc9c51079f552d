"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

import builtins
from typing import Any


def program(op, of) -> Any:
    """The formula of ``op`` for the input ``of``, as a Program; None where it cannot be traced."""

def register(conj, zeros_of) -> Any:
    """The ops that this module itself applies to gradients that are Tensors."""
