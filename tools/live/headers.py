"""Python's headers, as Pyodide's Python was built: 32-bit longs and pointers, and a 64-bit time_t."""

import json
import re
import shutil
import subprocess


def settings_of(pyodide):
    """What the sysconfig of Pyodide's Python says of its build."""
    code = """
import { pathToFileURL } from "node:url";
const folder = process.argv[1] + "/";
const { loadPyodide } = await import(pathToFileURL(folder + "pyodide.mjs"));
const python = await loadPyodide({ indexURL: folder });
process.stdout.write(python.runPython(`
import json, sys, sysconfig
values = {k: v for k, v in sysconfig.get_config_vars().items() if isinstance(v, (int, str))}
json.dumps({"version": sys.version.split()[0], **values})`));
"""
    return json.loads(subprocess.run(["node", "--input-type=module", "-e", code, str(pyodide)], check=True,
                                     capture_output=True, text=True).stdout)


def make(settings, host, sysroot, to):
    """Copy the headers of a CPython of the same minor version from ``host``, and write two of them anew in ``to``."""
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(host, to)
    names = set(re.findall(r"^(?:#define|/\* #undef) ([A-Z]\w+)", (host / "pyconfig.h").read_text(), re.M))
    names |= {name for name in settings if re.match(r"(HAVE|SIZEOF|ALIGNOF|PY|Py|WITH)_", name)}
    # sysconfig forgets names that begin with an underscore; without this one, musl hides much of what NumPy calls.
    lines = ["#ifndef _GNU_SOURCE", "#define _GNU_SOURCE 1", "#endif"]
    for name in sorted(names):
        value = settings.get(name)
        if isinstance(value, int) and (value or name.startswith(("SIZEOF", "ALIGNOF"))):
            lines.append(f"#define {name} {value}")
    (to / "pyconfig.h").write_text("\n".join(["#ifndef Py_PYCONFIG_H", "#define Py_PYCONFIG_H", *lines, "#endif\n"]))
    # The time_t of emscripten 3 is a long, and that of Pyodide's emscripten 4 a long long.
    types, mended = re.subn(r"typedef\s+(long|_Int64|int)\s+time_t;", "typedef long long time_t;",
                            (sysroot / "bits/alltypes.h").read_text())
    if mended:
        (to / "bits").mkdir()
        (to / "bits/alltypes.h").write_text(types)
