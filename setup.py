"""Builds the compiled floor of minigrad; everything else about the project is in pyproject.toml.

Each ``minigrad/_core/*.pyx`` is a module: a new one needs no line here.  Cython turns a ``.pyx`` into a ``.c`` next to
it, and the C compiler turns that into an object file.  Both steps run only for what has changed, and on all cores.
Then all of them are linked into one shared library, which is loaded faster than one for each module would be, and
takes less memory; ``_core/__init__.py`` finds the modules in it.

The ``.c`` files are not in the repository.  They are in the source distribution, so that it builds
where Cython is absent; where Cython is present, it runs again and keeps what is up to date.

What differs between systems is in one file, ``_core/platform.h``.  The rest is C11 with the vectors and attributes of
GCC and Clang, which Microsoft's compiler does not have.  So on Windows the compiler is Clang, as it comes in the
package ``ziglang`` with the headers and libraries it needs: nothing else must be installed there.

With ``MINIGRAD_CHECKED=1`` in the environment the core is built to be watched (``make checked``): every None where an
object must be raises, and AddressSanitizer and UBSan look on.  It is slower, and no good for anything else.  With
``MINIGRAD_COVERED=1`` it counts which of its lines and branches run (``python -m tests.covered``).

Flags are portable: the same build runs on every machine of an architecture.  For one machine only,
``CFLAGS="-march=native" pip install .`` is yours to choose.
"""

import copy
import os
import re
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from glob import glob

import numpy
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist
from setuptools.modified import newer_group

try:
    from Cython.Build import cythonize
except ImportError:
    cythonize = None

CORE = "minigrad/_core"
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

# Division of C integers is C's.  Lists keep their bounds and negative indices: what must be fast is in
# C arrays.  Real signatures for help() and the site come from ``binding``, not from the docstring.  Methods of
# compiled classes do without it (``@cython.binding(False)``), since a bound function does not check that its self
# is of the class: there the signature is embedded where ``inspect`` finds it.
DIRECTIVES = {
    "language_level": 3,
    "cdivision": True,
    "initializedcheck": False,
    "binding": True,
    "embedsignature": False,
    "embedsignature.format": "clinic",
}

# A square root is one instruction where nobody asks errno of it.
FLAGS = ["-O3", "-g0", "-fno-math-errno"]
if sys.platform in ("darwin", "win32"):         # Clang: a product and a sum are rounded one by one, as NumPy does
    FLAGS += ["-ffp-contract=off"]
INCLUDED = ["-include", f"{CORE}/importing.h"]
LINKED = []
if os.environ.get("MINIGRAD_CHECKED"):
    DIRECTIVES |= {"nonecheck": True, "initializedcheck": True}
    LINKED = ["-fsanitize=address,undefined"]
    # Without the lists of what is kept for the next object, memory that is used after its owner has died is nobody's.
    FLAGS = ["-O1", "-g1", "-fno-omit-frame-pointer", "-DMINIGRAD_CHECKED", "-DCYTHON_USE_FREELISTS=0",
             "-Werror=incompatible-pointer-types", "-Wno-use-after-free", *LINKED]
    # A warning is an error, but for two that Cython's own code gives.
    FLAGS += ["-Wall", "-Wextra", "-Werror", "-Wno-type-limits", "-Wno-unused-function"]
COVERED = bool(os.environ.get("MINIGRAD_COVERED"))
if COVERED:
    # Each condition is a branch of its own, each function is counted where it is written, and threads count together.
    DIRECTIVES |= {"optimize.use_switch": False}
    LINKED = ["--coverage"]
    FLAGS = ["-Og", "-g0", "-w", "-fno-math-errno", "-fno-inline", "-fprofile-update=atomic", *LINKED]

#: what `python -m minigrad doctor` shows
SHOWN = " ".join([*os.environ.get("CFLAGS", "").split(), *FLAGS])

#: what Clang calls the systems that Python calls so
WINDOWS = {"win-amd64": "x86_64-windows-gnu", "win-arm64": "aarch64-windows-gnu"}

#: the modules of the core in one library; its sources are known when something is built
LIBRARY = Extension(
    CORE.replace("/", "."),
    [],
    include_dirs=[numpy.get_include(), CORE],
    depends=sorted(glob(f"{CORE}/*.h")),
    libraries=[] if sys.platform == "win32" else ["m"],
    # NumPy 2.0 has every function that is called. The headers of NumPy 2.0 to 2.2 declare them only if told so.
    # The headers of Python before 3.13 know Microsoft's compiler alone.
    define_macros=[("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION"), ("NPY_TARGET_VERSION", "NPY_2_0_API_VERSION"),
                   ("MINIGRAD_FLAGS", f'"{SHOWN}"'),
                   *([("MS_WIN64", "")] if sys.platform == "win32" else [])],
    extra_compile_args=[*FLAGS, *INCLUDED],
    extra_link_args=LINKED,
)


def translated():
    """The C of each module: from Cython, or as it lies in the source distribution."""
    if cythonize is not None:
        # Elsewhere, worker processes start from a fresh interpreter and would run this file again.
        workers = CORES if sys.platform == "linux" else 0
        modules = cythonize(f"{CORE}/*.pyx", compiler_directives=DIRECTIVES, nthreads=workers)
        found = sorted(module.sources[0] for module in modules)
        for path in found:
            mend(path)
        return found
    found = sorted(path.replace(os.sep, "/")[:-4] + ".c" for path in glob(f"{CORE}/*.pyx"))
    missing = [path for path in found if not os.path.exists(path)]
    if missing:
        raise SystemExit(
            "minigrad: Cython is needed to build from a clone: the generated C is only in the "
            f"source distribution. Missing here: {', '.join(missing)}.\n"
            "Write instead: python -m pip install 'cython>=3.1', then the same again."
        )
    return found


def mend(path):
    """Let a comprehension whose list cannot grow (no memory) give up the new item once; Cython 3.3.1 does so twice."""
    with open(path, encoding="utf-8") as file:
        code = file.read()
    append = "    int result = PyList_Append(list, x);\n    Py_DECREF(x);\n"
    mended = code.replace(append, append.replace("    Py_DECREF", "    if (likely(result == 0)) Py_DECREF"))
    if COVERED:
        mended = re.sub(r"(.*\n+ *)(\w+ = (__pyx_[tv]_[\w.>-]+);)(\n+ *\w+_bool_binop_done:;)", branch, mended)
    if mended != code:
        with open(path, "w", encoding="utf-8") as file:
            file.write(mended)


def branch(last):
    """The last operand of `and` and `or` is the result, true or false; here it becomes a branch like the others."""
    before, assignment, value, label = last.groups()
    if "__Pyx_INCREF" in before:            # an object, and not the answer to a question
        return last[0]
    yes, no = f'{assignment} __asm__ volatile ("");', assignment        # if they were the same, they would be one
    return f"{before}if ({value}) {{\n    {yes}\n  }} else {{\n    {no}\n  }}{label}"


class BuildLibrary(build_ext):
    """Compile what has changed, on all cores, and link."""

    def finalize_options(self):
        # Only when something is really built: ``egg_info`` and the like need no Cython.
        LIBRARY.sources[:] = translated()
        if sys.platform == "win32":
            python, target = sys.executable.replace(os.sep, "/"), WINDOWS[sysconfig.get_platform()]
            self.compiler = "mingw32"           # the flags of GCC
            os.environ["CC"] = f'"{python}" -m ziglang cc -target {target}'
        super().finalize_options()

    def get_export_symbols(self, library):
        """None by name: each module exports its own PyInit, and there is none for all of them together."""
        return []

    def build_extension(self, library):
        with ThreadPoolExecutor(self.parallel or CORES) as pool:
            objects = list(pool.map(lambda source: self.compiled(source, library), library.sources))
        rest = copy.copy(library)               # nothing is left to compile
        rest.sources, rest.extra_objects, rest.depends = [], objects, objects
        super().build_extension(rest)

    def compiled(self, source, library):
        """The object file of a module, compiled anew if it is older than its C or than a header."""
        path, = self.compiler.object_filenames([source], output_dir=self.build_temp)
        if self.force or newer_group([source, *library.depends], path):
            self.compiler.compile([source], self.build_temp, library.define_macros, library.include_dirs,
                                  extra_postargs=library.extra_compile_args)
        return path


class SourceDistribution(sdist):
    """Put the generated C next to the Cython sources first."""

    def run(self):
        translated()
        super().run()


setup(
    ext_modules=[LIBRARY],
    cmdclass={"build_ext": BuildLibrary, "sdist": SourceDistribution},
)
