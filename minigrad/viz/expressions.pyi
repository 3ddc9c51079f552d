from collections.abc import Mapping
from typing import Any

from minigrad.viz.player import Player

def play_expression(expression: str, variables: Mapping[str, Any], *, ask: bool = False) -> Player: ...
def __getattr__(name: str) -> Any: ...
