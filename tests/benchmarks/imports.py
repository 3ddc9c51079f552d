"""What `import` costs: time and resident memory of a fresh interpreter, over what `import numpy` has cost already.

NumPy's own column is over bare Python, so no ratio is shown.  One round is run first and thrown away: it warms the file
caches and writes the byte code, which an ordinary user has too (so PYTHONDONTWRITEBYTECODE is taken back here).

    python -m tests.benchmarks.imports      the instructions, where valgrind is installed
"""

import os
import re
import shutil
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


def instructions(code):
    """How many instructions a new interpreter executes for this code, as valgrind counts them: no load changes that."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}     # threads that wait are counted too
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)
    counted = subprocess.run([shutil.which("valgrind"), "--tool=cachegrind", "--cache-sim=no",
                              "--cachegrind-out-file=" + os.devnull, sys.executable, "-c", code],
                             check=True, stderr=subprocess.PIPE, text=True, env=environment)
    return int(re.search(r"I\s+refs:\s+([\d,]+)", counted.stderr)[1].replace(",", ""))


def run(session):
    names = list(session.contestants)
    rounds = [{name: measure(name) for name in names} for _ in range(session.plan.rounds + 1)][1:]
    for case, column, unit, bound in (("import, time", 0, "ns", 30e6), ("import, memory", 1, "MiB", 6)):
        samples = {name: [results[name][column] for results in rounds] for name in names}
        session.emit(case, samples, unit, bound=bound)


if __name__ == "__main__":
    numpy, minigrad = instructions("import numpy"), instructions("import minigrad")
    print(f"import minigrad: {minigrad / 1e6:.0f} million instructions, {minigrad / numpy:.2f} times those of "
          f"import numpy ({numpy / 1e6:.0f} million)")
