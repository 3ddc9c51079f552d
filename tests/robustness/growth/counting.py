"""How much a program executes, by two counts that do not depend on how busy the machine is."""

import gc
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
MOST = 5.5              # times as much, for four times as many things

CHILD = """\
import gc, os, sys
from tests.robustness.growth import programs, planted
every = {**vars(programs), **vars(planted)}
gc.disable()
sizes = eval(sys.argv[1])
for name in sys.argv[2:]:
    if not os.fork():
        every[name](2)()                    # valgrind translates the code, and what is kept once is there
        for n in sizes:
            if not os.fork():
                go = every[name](n)
                run = os.fork()             # a program that is only made, and one that is run too
                if run:
                    os.wait()
                    print(name, n, os.getpid(), run, flush=True)
                else:
                    go()
                os._exit(0)
            os.wait()
        os._exit(0)
    os.wait()
"""


def steps(function):
    """How many instructions of Python's a call executes."""
    counted = 0

    def watch(frame, event, _):
        nonlocal counted
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        counted += event == "opcode"
        return watch

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        function()
    finally:
        sys.settrace(before)
    return counted


def instructions(names, sizes):
    """{name: how many instructions the processor executes, for each size}, as valgrind counts them.

    One process imports the library; each program runs in a fork of it, which begins with what was counted so far.
    """
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [shutil.which("valgrind"), "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=" + os.devnull,
             f"--log-file={folder}/%p", sys.executable, "-c", CHILD, str(sizes), *names],
            check=True, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT)

        def counted(pid):
            return int(re.search(r"I\s+refs:\s+([\d,]+)", (Path(folder) / pid).read_text())[1].replace(",", ""))

        counts = {}
        for line in done.stdout.splitlines():
            name, n, made, run = line.split()
            counts[name, int(n)] = counted(run) - counted(made)
    return {name: [counts[name, n] for n in sizes] for name in names}


def counted_steps(program, sizes):
    """How many instructions of Python's the program executes at each size."""
    found = []
    for n in sizes:
        go = program(n)
        gc.disable()                    # which may call functions of its own at any time
        try:
            found.append(steps(go))
        finally:
            gc.enable()
    return found
