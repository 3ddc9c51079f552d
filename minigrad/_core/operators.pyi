"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

import builtins
from typing import Any


def register(operators, mm, pow_number, rsub, rdiv) -> Any:
    """The ops behind ``+ - * / @ ** -``; ``mm`` and ``pow_number`` are the short ways of ``@`` and ``**``, ``rsub`` and ``rdiv`` are ``1 - x`` and ``1 / x``."""
