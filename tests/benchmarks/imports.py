"""What `import` costs: time and resident memory of a fresh interpreter, over what `import numpy` has cost already.

NumPy's own column is over bare Python, so no ratio is shown.  One round is run first and thrown away: it warms the file
caches and writes the byte code, which an ordinary user has too (so PYTHONDONTWRITEBYTECODE is taken back here).
"""

import os
import subprocess
import sys

CHILD = """\
import sys
from time import perf_counter_ns
from tests.benchmarks.memory import resident
if sys.argv[1] != "numpy":
    import numpy
bytes_before, start = resident(), perf_counter_ns()
__import__(sys.argv[1])
print(perf_counter_ns() - start, (resident() - bytes_before) / 2**20)
"""


def measure(name):
    """Nanoseconds and MiB of one import in a new interpreter."""
    command = [sys.executable, "-c", CHILD, name]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    spent, grown = done.stdout.split()
    return int(spent), float(grown)


def run(session):
    names = list(session.contestants)
    rounds = [{name: measure(name) for name in names} for _ in range(session.plan.rounds + 1)][1:]
    for case, column, unit, bound in (("import, time", 0, "ns", 30e6), ("import, memory", 1, "MiB", 6)):
        samples = {name: [results[name][column] for results in rounds] for name in names}
        session.emit(case, samples, unit, bound=bound)
