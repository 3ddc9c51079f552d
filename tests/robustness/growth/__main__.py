"""``python -m tests.robustness.growth [WORD...]``: instructions of the processor for programs of n things.

The exit status is 1 if one grows faster than its work.
"""

import sys

from .counting import MOST, instructions
from .programs import PROGRAMS
from .test_growth import LARGE

chosen = [name for name in PROGRAMS if not sys.argv[1:] or any(word in name for word in sys.argv[1:])]
counts = instructions(chosen, LARGE)
print(f"instructions for each of n things{'n =':>9}" + "".join([f"{n:12,}" for n in LARGE]))
for name, (few, many) in counts.items():
    print(f"{name:42} {few / LARGE[0]:12,.0f}{many / LARGE[1]:12,.0f}  {many / few:5.2f}"
          f"{'  !' if many > MOST * few else ''}")
sys.exit(any([many > MOST * few for few, many in counts.values()]))
