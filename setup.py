"""Builds the compiled floor of minigrad; everything else about the project is in pyproject.toml.

Each ``.pyx`` below ``minigrad/_core`` is a module: a new one needs no line here.  Cython turns a ``.pyx`` into a ``.c``
next to it, and the C compiler turns that into an object file.  Both steps run only for what has changed, and on all
cores: Cython knows which ``.pxd`` a module reads, and the compiler says which headers.  Then all of them are linked
into one shared library, which is loaded faster than one for each module would be, and takes less memory;
``_core/__init__.py`` finds the modules in it.  What Cython needs in every module (how a function takes its arguments,
how an exception is raised) is compiled once, as a module of its own, ``cython_shared``.

The ``.c`` files are not in the repository.  They are in the source distribution, so that it builds
where Cython is absent; where Cython is present, it runs again and keeps what is up to date.

What differs between systems is in one file, ``_core/runtime/platform.h``.  The rest is C11 with the vectors and
attributes of GCC and Clang, which Microsoft's compiler does not have.  So on Windows the compiler is Clang, as it comes
in the package ``ziglang`` with the headers and libraries it needs: nothing else must be installed there.

With ``MINIGRAD_CHECKED=1`` in the environment the core is built to be watched (``make checked``): None where an
object is required raises, and AddressSanitizer and UBSan watch.  It is slower, and of no other use.  With
``MINIGRAD_COVERED=1`` it counts which of its lines and branches run (``python -m tests.robustness.coverage``).  With
``MINIGRAD_QUICK=1`` (``make build QUICK=1``) what has changed is not optimized, for those who are working on it.

Flags are portable: the same build runs on every machine of an architecture.  For one machine only,
``CFLAGS="-march=native" pip install .`` is yours to choose.
"""

import copy
import json
import os
import re
import runpy
import sys
import sysconfig
import zlib
from concurrent.futures import ThreadPoolExecutor
from glob import glob

import numpy
from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist
from setuptools.errors import CompileError

try:
    from Cython import __version__ as CYTHON
    from Cython.Build import cythonize
    from Cython.Build.SharedModule import generate_shared_module
    from Cython.Compiler.Options import CompilationOptions
except ImportError:
    cythonize = None

CORE = "minigrad/_core"
SHARED = "cython_shared"
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

# Division of C integers is C's.  Lists keep their bounds and negative indices: what must be fast is in
# C arrays.  Real signatures for help() and the site come from ``binding``, not from the docstring.  Methods of
# compiled classes do without it (``@cython.binding(False)``), since a bound function does not check that its self
# is of the class: there the signature is embedded where ``inspect`` finds it.
DIRECTIVES = {
    "language_level": 3,
    "emit_code_comments": False,        # a fifth of the C, which nobody reads
    "cdivision": True,
    "initializedcheck": False,
    "binding": True,
    "embedsignature": False,
    "embedsignature.format": "clinic",
}

# A square root is one instruction if it need not set errno.
FLAGS = ["-g0", "-fno-math-errno", "-Wno-unused-function"]

if sys.platform == "linux":
    # Each function is a section of its own: the linker (LINKED) drops those that nobody calls, and puts those of one
    # name beside each other, which all modules have from Cython, so that a wheel is smaller.  Nothing is thrown through
    # them, so nobody needs the tables of how to unwind them.
    FLAGS += ["-ffunction-sections", "-fno-asynchronous-unwind-tables"]

# How much the compiler may think, which is most of the time that a build takes: -O3, which unrolls loops and computes
# many elements at a time, for whatever is not named here.

#: Modules that run once for each call, but not for each of the usual ones (dispatch, engine and their like are inlined
#: into each other where they are unrolled, which saves two instructions in a hundred): -O2.
CALLS = {
    "all_gradients", "arguments", "array_sums", "axes", "captured_gradients", "composites", "conversions",
    "creation", "deallocation", "differentials", "dual_tensors", "errstate", "formulas", "front_end",
    "function_apply", "function_node", "grad_mode", "half_precision", "hook_lists", "hooks", "inplace_layouts",
    "inplace_methods", "levels", "listener", "memory_overlap", "numpy_ufuncs", "op", "operands", "overloads",
    "queries", "random_tensors", "saved_tensors", "scopes", "source_lines", "special_methods", "stack_and_split",
    "subscripting", "thread_state", "torch_function", "view_geometry", "view_gradients", "view_history",
    "write_checks",
}
#: Modules of many loops over elements side by side: -O2 and the vectors of -O3, but no loop unrolled or written twice
#: for what it might meet.  They are as fast, smaller by a quarter, and compiled in three quarters of the time; where
#: lines are short, as in sums and windows, this does not hold.
VECTORS = {
    "activations", "along_dims", "at_positions", "block_indexing", "copies", "data_movement", "element_indexing",
    "elementwise_losses", "factorizations", "grid_sample", "least_squares", "linear_solves", "lu_and_ldl",
    "new_ufuncs", "normalization_loops", "random_arrays", "recurrent_layer", "search_and_histograms", "shadow_memory",
    "sorting", "special_functions", "strided_views",
}
#: Modules that run once for each row of the table, or when a program asks for what few do: -Os, which makes them
#: smaller by a third.
ONCE = {
    "core_ops", "dlpack", "gradient_edges", "heard_calls", "instruments", "nested_passes", "numpy_table",
    "op_introspection", "out_argument", "provided", "recorders", "saved_tensor_hooks", SHARED, "shared_memory",
    "symbols", "table", "table_of_matrices", "table_of_networks", "type_objects", "user_engines", "watched_pass",
}
QUICK = bool(os.environ.get("MINIGRAD_QUICK"))
if sys.platform in ("darwin", "win32"):         # Clang: a product and a sum are rounded one by one, as NumPy does
    FLAGS += ["-ffp-contract=off"]
INCLUDED = ["-include", f"{CORE}/importing.h"]
LINKED = []
if sys.platform == "linux":             # no table of symbols, which nobody reads in a wheel
    LINKED = ["-s", "-Wl,--gc-sections", "-Wl,--sort-section=name", "-Wl,--build-id=none"]
LEVEL = None                    # one for all modules, in place of the lists
if os.environ.get("MINIGRAD_CHECKED"):
    DIRECTIVES |= {"nonecheck": True, "initializedcheck": True}
    LINKED = ["-fsanitize=address,undefined"]
    # Without the lists of what is kept for the next object, memory that is used after its owner has died is nobody's.
    LEVEL = "-O1"
    FLAGS = ["-g1", "-fno-omit-frame-pointer", "-DMINIGRAD_CHECKED", "-DCYTHON_USE_FREELISTS=0",
             "-Werror=incompatible-pointer-types", "-Wno-use-after-free", *LINKED]
    # A warning is an error, but for two that Cython's own code gives.
    FLAGS += ["-Wall", "-Wextra", "-Werror", "-Wno-type-limits", "-Wno-unused-function"]
COVERED = bool(os.environ.get("MINIGRAD_COVERED"))
if COVERED:
    # Each condition is a branch of its own, each function is counted where it is written, and threads count together.
    DIRECTIVES |= {"optimize.use_switch": False, "emit_code_comments": True}     # comments say which line C came from
    LINKED = ["--coverage"]
    LEVEL = "-Og"
    FLAGS = ["-g0", "-w", "-fno-math-errno", "-fno-inline", "-fprofile-update=atomic", *LINKED]

#: what `python -m minigrad doctor` shows
SHOWN = " ".join([*os.environ.get("CFLAGS", "").split(), LEVEL or "-O3", *FLAGS])


def level(source):
    """How much the compiler may think about this file."""
    name = os.path.basename(source)[:-len(".c")]
    if LEVEL:
        return [LEVEL]
    usual = "-Os" if name in ONCE else "-O2" if name in CALLS or name in VECTORS else "-O3"
    vectors = ["-ftree-vectorize", "-fvect-cost-model=dynamic"] if name in VECTORS and sys.platform == "linux" else []
    return ["-O0" if QUICK else usual, *vectors]


#: what Clang calls the systems that Python calls so
WINDOWS = {"win-amd64": "x86_64-windows-gnu", "win-arm64": "aarch64-windows-gnu"}

#: the modules of the core in one library; its sources are known when something is built
LIBRARY = Extension(
    CORE.replace("/", "."),
    [],
    include_dirs=[numpy.get_include(), CORE],
    libraries=[] if sys.platform == "win32" else ["m"],
    # NumPy 2.0 has every function that is called. The headers of NumPy 2.0 to 2.2 declare them only if told so.
    # Before 3.13, Python's headers support only Microsoft's compiler.
    # Strings lie there as they are: to unpack them would take longer at each import, and a wheel is compressed anyway.
    define_macros=[("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION"), ("NPY_TARGET_VERSION", "NPY_2_0_API_VERSION"),
                   ("CYTHON_COMPRESS_STRINGS", "0"),
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
        modules = cythonize(f"{CORE}/**/*.pyx", compiler_directives=DIRECTIVES, nthreads=workers,
                            shared_utility_qualified_name=f"{CORE.replace('/', '.')}.{SHARED}")
        found = sorted([*(module.sources[0] for module in modules), shared()])
        for path in found:
            correct(path)
        return found
    found = sorted(path.replace(os.sep, "/")[:-4] + ".c" for path in [*glob(f"{CORE}/**/*.pyx", recursive=True),
                                                                      f"{CORE}/{SHARED}.pyx"])
    missing = [path for path in found if not os.path.exists(path)]
    if missing:
        raise SystemExit(
            "minigrad: Cython 3.3 or newer is needed to build from a clone: the generated C is only in the "
            f"source distribution. Missing here: {', '.join(missing)}.\n"
            "Write instead: python -m pip install 'cython>=3.3', then the same again."
        )
    return found


def shared():
    """The C of what Cython needs in every module, written once for each version of Cython."""
    path = f"{CORE}/{SHARED}.c"
    if not os.path.exists(path) or f"/* Generated by Cython {CYTHON} */" not in open(path, encoding="utf-8").readline():
        generate_shared_module(CompilationOptions(
            shared_c_file_path=path, module_name=f"{CORE.replace('/', '.')}.{SHARED}",
            compiler_directives=dict(DIRECTIVES), shared_utility_features_disabled=["MemoryView"]))
    return path


#: How Cython 3.3.1 puts an item on a list that must grow, in a comprehension, and how it should.
APPEND = "    int result = PyList_Append(list, x);\n    Py_DECREF(x);\n"
CORRECT = APPEND.replace("    Py_DECREF", "    if (likely(result == 0)) Py_DECREF")


def correct(path):
    """Let a comprehension whose list cannot grow (no memory) give up the new item once; Cython 3.3.1 does so twice."""
    with open(path, encoding="utf-8") as file:
        code = file.read()
    corrected = code.replace(APPEND, CORRECT)
    if "int __Pyx_ListComp_AppendAndDecref(PyObject* list, PyObject* x) {" in code and CORRECT not in corrected:
        raise SystemExit(f"minigrad: Cython {CYTHON} writes comprehensions in another way than 3.3.1. Does it still "
                         f"give an item up twice in {path} where memory runs out? Say so in correct(), in setup.py.")
    if COVERED:
        corrected = re.sub(r"(.*\n+ *)(\w+ = (__pyx_[tv]_[\w.>-]+);)(\n+ *\w+_bool_binop_done:;)", branch, corrected)
    if corrected != code:
        with open(path, "w", encoding="utf-8") as file:
            file.write(corrected)


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
        flags = {source: [*level(source), *library.extra_compile_args] for source in library.sources}
        objects = {source: self.compiler.object_filenames([source], output_dir=self.build_temp)[0] for source in flags}
        stale = [source for source in flags if self.force or not is_fresh(objects[source], flags[source])]
        # What takes long comes first, not alone at the end.
        stale.sort(key=lambda source: level(source) in (["-O2"], ["-Os"]))

        def compiled(numbered):
            number, source = numbered
            print(f"[{number}/{len(stale)}] Compiling {source}", flush=True)
            try:
                self.compiler.compile([source], self.build_temp, library.define_macros, library.include_dirs,
                                      extra_postargs=[*flags[source], "-MMD", "-MF", f"{objects[source]}.d"])
                note_flags(objects[source], flags[source])
                return True
            except CompileError:
                return False

        with ThreadPoolExecutor(self.parallel or CORES) as pool:
            done = list(pool.map(compiled, enumerate(stale, 1)))
        for numbered, succeeded in zip(enumerate(stale, 1), done):
            # Alone: it may have been one too many for the memory of this machine.
            if not (succeeded or compiled(numbered)):
                raise SystemExit(why_not_compiled(numbered[1]))
        rest = copy.copy(library)               # nothing is left to compile
        rest.sources, rest.extra_objects, rest.depends = [], sorted(objects.values()), sorted(objects.values())
        super().build_extension(rest)

    def run(self):
        super().run()
        with open(self.modules(), "w", encoding="utf-8") as file:
            file.writelines(f"{source[len(CORE) + 1:-len('.c')]}\n" for source in LIBRARY.sources)

    def modules(self):
        """Where the names of the library's modules are noted: `_core/__init__.py` tells Python what is in it."""
        return os.path.join(os.path.dirname(self.get_ext_fullpath(LIBRARY.name)), "_core.modules.txt")

    def get_outputs(self):
        return [*super().get_outputs(), self.modules()]


# What an object file was made from, the compiler writes beside it, as a rule for make; the flags are put above it.

def note_flags(path, flags):
    with open(f"{path}.d", "a+", encoding="utf-8") as file:
        file.seek(0)
        rule = file.read()
        file.truncate(0)
        file.write(" ".join(flags) + "\n" + rule)


def is_fresh(path, flags):
    """Is the object file newer than what it was made from, and made with these flags?  In a hurry, at any level."""
    try:
        with open(f"{path}.d", encoding="utf-8") as file:
            noted, _, rule = file.read().partition("\n")
        origins = re.split(r"(?<!\\)\s+", rule.partition(": ")[2].replace("\\\n", " ").strip())
        same = noted.split()[QUICK:] == " ".join(flags).split()[QUICK:]
        return same and all(os.path.getmtime(each.replace("\\ ", " ")) < os.path.getmtime(path) for each in origins)
    except OSError:
        return False


def why_not_compiled(source):
    """The cause in plain words, as far as it can be known, and the package that brings what is missing."""
    checks = "tools/check_machine.py"
    lacking = runpy.run_path(checks)["lacking_to_compile"]() if os.path.exists(checks) else []
    return "\n".join(f"minigrad: {each}" for each in lacking) or (
        f"minigrad: {source} was not compiled, for the reason that the compiler gives above.\n"
        "    If it was killed, the memory of this machine is too small even for one file at a time: 1 GB is needed."
    )


#: what of the course `python -m minigrad exercise` needs
COURSE = "tutorials/path.toml", "tutorials/exercises/*.py"


class BuildPackage(build_py):
    """Add the exercises of the course, without their solutions, as one file: in a clone they are read in place."""

    def run(self):
        super().run()
        if not self.editable_mode:
            texts = {}
            for path in sorted(path for pattern in COURSE for path in glob(pattern)):
                with open(path, encoding="utf-8") as file:
                    texts[os.path.basename(path)] = file.read()
            with open(os.path.join(self.build_lib, "minigrad", "exercises", "pages.json.zlib"), "wb") as file:
                file.write(zlib.compress(json.dumps(texts, ensure_ascii=False).encode(), 9))


class Wheel(bdist_wheel):
    """Pack as closely as zlib can: setuptools does not let one ask for it, and zipfile asks for the usual level."""

    def run(self):
        zlib.Z_DEFAULT_COMPRESSION = zlib.Z_BEST_COMPRESSION
        super().run()


class SourceDistribution(sdist):
    """Put the generated C next to the Cython sources first."""

    def run(self):
        translated()
        super().run()


setup(
    ext_modules=[LIBRARY],
    cmdclass={"build_ext": BuildLibrary, "build_py": BuildPackage, "bdist_wheel": Wheel, "sdist": SourceDistribution},
)
