"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

import builtins
from typing import Any

