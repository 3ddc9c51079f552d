"""``compiler.py emcc HEADERS ARGUMENTS...``: emscripten's compiler, as builds that know only Linux expect it.

Where a shared library is asked for it makes a *side module*, which is what a Python in a web page loads.  HEADERS
are those of that Python; they come before any that a build adds.
"""

import os
import sys


def command(compiler, headers, arguments):
    """The command that does for a web page what these arguments say for Linux."""
    kept, out, shared = [], None, "-shared" in arguments
    for argument, before in zip(arguments, ["", *arguments]):
        if before == "-o":
            out = argument
        # Flags of the GNU linker and of glibc.  -fexceptions would throw by way of JavaScript functions that Pyodide
        # does not have.
        if not argument.startswith("-Wl,") and argument not in (
                "-shared", "-fexceptions", "-static-libgcc", "-static-libstdc++", "-pthread", "-lm"):
            kept.append(argument)
    if not shared:
        return [compiler, f"-I{headers}", "-fPIC", "-g0", *kept]
    # Only what is named leaves a side module; the rest can be optimised away.
    module = os.path.basename(out).split(".")[0]
    exports = os.environ.get("LIVE_EXPORTS") or f"_PyInit_{module}"
    return [compiler, "-O2", "-g0", "-sSIDE_MODULE=2", f"-sEXPORTED_FUNCTIONS={exports}", "-sWASM_BIGINT", *kept]


if __name__ == "__main__":
    called = command(*sys.argv[1:3], sys.argv[3:])
    os.execvp(called[0], called)
