"""What `import` costs: time and resident memory of a fresh interpreter, over what `import numpy` has cost already.

NumPy's own line is over bare Python.  The file caches and byte code are warm: one round is run first and thrown away.
"""

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
    done = subprocess.run([sys.executable, "-c", CHILD, name], check=True, stdout=subprocess.PIPE, text=True)
    spent, grown = done.stdout.split()
    return int(spent), float(grown)


def run(session):
    names = list(session.contestants)
    rounds = [{name: measure(name) for name in names} for _ in range(session.plan.rounds + 1)][1:]
    for case, column, unit, bound in (("import, time", 0, "ns", 30e6), ("import, memory", 1, "MiB", 6)):
        samples = {name: [results[name][column] for results in rounds] for name in names}
        session.emit(case, samples, unit, bound=bound)
