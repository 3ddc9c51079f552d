"""Builds the compiled floor of minigrad; everything else about the project is in pyproject.toml.

One extension for each ``minigrad/_core/*.pyx``: a new module needs no line here.  Cython turns a
``.pyx`` into a ``.c`` next to it, and the C compiler turns that into the extension.  Both steps run
only for what has changed, and on all cores.

The ``.c`` files are not in the repository.  They are in the source distribution, so that it builds
where Cython is absent; where Cython is present, it runs again and keeps what is up to date.

With ``MINIGRAD_CHECKED=1`` in the environment the core is built to be watched (``make checked``): every None where an
object must be raises, and AddressSanitizer and UBSan look on.  It is slower, and no good for anything else.

Flags are portable: the same build runs on every machine of an architecture.  For one machine only,
``CFLAGS="-march=native" pip install .`` is yours to choose.
"""

import os
import sys
from glob import glob

import numpy
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

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

FLAGS = ["-O3", "-g0"]
CHECKED = []
if os.environ.get("MINIGRAD_CHECKED"):
    DIRECTIVES |= {"nonecheck": True, "initializedcheck": True}
    CHECKED = ["-fsanitize=address,undefined"]
    # Without the lists of what is kept for the next object, memory that is used after its owner has died is nobody's.
    FLAGS = ["-O1", "-g1", "-fno-omit-frame-pointer", "-DMINIGRAD_CHECKED", "-DCYTHON_USE_FREELISTS=0",
             "-Wno-use-after-free", *CHECKED]


#: what an extension needs to be linked with: the distributions of NumPy are a library in C
NUMPY = os.path.dirname(numpy.__file__)
LIBRARIES = {"randomness": ["npyrandom", "npymath"]}


def extensions(suffix):
    """One extension for each module of the core, built from its ``.pyx`` or its ``.c``."""
    return [
        Extension(
            module.replace("/", "."),
            [module + suffix],
            include_dirs=[numpy.get_include(), CORE],
            depends=sorted(glob(f"{CORE}/*.h")),
            libraries=[*LIBRARIES.get(os.path.basename(module), []), "m"],
            library_dirs=[f"{NUMPY}/random/lib", f"{NUMPY}/_core/lib"],
            define_macros=[("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION")],
            extra_compile_args=FLAGS,
            extra_link_args=CHECKED,
        )
        for module in sorted(name.replace(os.sep, "/")[:-4] for name in glob(f"{CORE}/*.pyx"))
    ]


def translated():
    """The extensions with C sources: by Cython, or as they lie in the source distribution."""
    if cythonize is not None:
        # Elsewhere, worker processes start from a fresh interpreter and would run this file again.
        workers = CORES if sys.platform == "linux" else 0
        found = cythonize(extensions(".pyx"), compiler_directives=DIRECTIVES, nthreads=workers)
        for extension in found:
            mend(extension.sources[0])
        return found
    found = extensions(".c")
    missing = [c for extension in found for c in extension.sources if not os.path.exists(c)]
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
    if mended != code:
        with open(path, "w", encoding="utf-8") as file:
            file.write(mended)


class BuildExtensions(build_ext):
    """Translate only when something is really built (``egg_info`` and the like need no Cython)."""

    def finalize_options(self):
        self.distribution.ext_modules[:] = translated()
        super().finalize_options()
        self.parallel = self.parallel or CORES


class SourceDistribution(sdist):
    """Put the generated C next to the Cython sources first."""

    def run(self):
        translated()
        super().run()


setup(
    ext_modules=extensions(".pyx"),
    cmdclass={"build_ext": BuildExtensions, "sdist": SourceDistribution},
)
