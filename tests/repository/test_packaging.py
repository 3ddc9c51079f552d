"""The installed package is as intended: versions pinned, NumPy alone at run time, nothing heavy at import."""

import importlib.util
import os
import pkgutil
import re
import subprocess
import sys
import tomllib
from importlib.machinery import PathFinder
from pathlib import Path

import pytest

import minigrad
from minigrad import _core
from minigrad._core import backward
from tests import starting

pytestmark = pytest.mark.usefixtures("interpreters")

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]


def name_of(requirement):
    return re.match(r"[\w.-]+", requirement).group().lower().replace("_", "-")


@pytest.fixture(scope="module")
def pinned():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if line and not line.startswith("#"))


def test_the_version_is_said_once():
    assert PROJECT["project"]["version"] == minigrad.__version__


def test_it_needs_nothing_but_numpy():
    assert [name_of(each) for each in PROJECT["project"]["dependencies"]] == ["numpy"]


def test_the_name_is_not_somebody_elses():
    assert name_of(PROJECT["project"]["name"]) != "minigrad"


@pytest.mark.parametrize("extra", ["test", "docs", "parity"])
def test_what_the_commands_install_is_pinned(extra, pinned):
    names = {name.lower().replace("_", "-") for name in pinned}
    wanted = {name_of(each) for each in [*EXTRAS[extra], *PROJECT["build-system"]["requires"]]}
    assert wanted <= names


def test_the_data_of_tutorials_are_in_the_source_distribution_and_not_in_the_wheel(monkeypatch):
    """As setuptools reads MANIFEST.in; of what is not a package, a wheel has only package data."""
    egg_info, find = pytest.importorskip("setuptools.command.egg_info"), pytest.importorskip("setuptools").find_packages
    monkeypatch.chdir(ROOT)
    files = egg_info.FileList()
    for line in (ROOT / "MANIFEST.in").read_text(encoding="utf-8").splitlines():
        if line.split()[:1] in (["graft"], ["prune"], ["global-exclude"]) and "minigrad" not in line:
            files.process_template_line(line)
    data = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tutorials" / "data").iterdir()}
    assert len(data) == 3 and data <= {path.replace("\\", "/") for path in files.files}
    settings = PROJECT["tool"]["setuptools"]
    packages = find(include=settings["packages"]["find"]["include"])
    assert {name.partition(".")[0] for name in packages} == {"minigrad"} and not settings["include-package-data"]


def test_sources_of_the_core_are_in_the_source_distribution_and_not_in_the_wheel(monkeypatch):
    """A wheel has what was made from them, and who reads them has the clone or the site."""
    egg_info = pytest.importorskip("setuptools.command.egg_info")
    monkeypatch.chdir(ROOT)
    files = egg_info.FileList()
    assert "graft minigrad" in (ROOT / "MANIFEST.in").read_text(encoding="utf-8").splitlines()
    files.process_template_line("graft minigrad")
    assert all(sum(path.endswith(ending) for path in files.files) > 50 for ending in (".pyx", ".pxd"))
    endings = {name for names in PROJECT["tool"]["setuptools"]["package-data"].values() for name in names}
    assert "*.pyi" in endings and not any(ending in name for name in endings for ending in ("pyx", "pxd"))


def test_the_library_says_which_modules_it_has():
    """Where there are sources, each of them, and what Cython needs in every module; a wheel has this list alone."""
    package = Path(minigrad.__file__).parent
    listed = (package / "_core.modules.txt").read_text(encoding="utf-8").split()
    sources = {path.relative_to(package / "_core").with_suffix("").as_posix()
               for path in (package / "_core").rglob("*.pyx")}
    assert len(listed) == len(set(listed)) > 100 and set(listed) == sources | {"cython_shared"}
    found = [module.name for module in pkgutil.walk_packages(_core.__path__, "minigrad._core.")]
    assert {f"minigrad._core.{path.replace('/', '.')}" for path in listed} <= set(found)
    assert PathFinder.find_spec("minigrad._core.backward.no_such_module", backward.__path__) is None


def test_flags_are_portable():
    assert "-march" not in (ROOT / "setup.py").read_text(encoding="utf-8").partition('"""\n\n')[2]


def test_the_package_says_that_it_is_typed():
    assert Path(minigrad.__file__).with_name("py.typed").exists()


def printed(code):
    return starting.run(code, check=True).stdout.split()


#: What NumPy has not loaded and minigrad may: each one costs, so each one is named.
MAY_LOAD = {"gc"}


def test_import_loads_little_besides_numpy():
    code = (
        "import sys, numpy; before = set(sys.modules); import minigrad; "
        "print(*{name.partition('.')[0] for name in set(sys.modules) - before})"
    )
    assert {name for name in printed(code) if "cython" not in name} - {"minigrad"} <= MAY_LOAD


def test_the_core_is_one_library():
    """Python loads it once, not one for each of some ninety modules."""
    modules = [name for name in sys.modules if name.startswith("minigrad._core.")]
    compiled = {Path(sys.modules[name].__file__) for name in modules if not sys.modules[name].__file__.endswith(".py")}
    assert [each.parent for each in compiled] == [Path(minigrad.__file__).parent] and len(modules) > 50


#: what is loaded when it is first used
LATER = ["arange", "as_torch", "autograd.Function", "autograd.anomaly_mode", "autograd.digits", "autograd.engines",
         "autograd.forward_ad", "autograd.function", "autograd.functional", "autograd.gradcheck",
         "autograd.graph.saved_bytes",
         "autograd.profiler", "autograd.profiler_util", "bernoulli", "celu_", "check_engine", "cuda", "dropout",
         "exercises", "explain", "fft", "func", "homework", "linalg", "lstm", "memory", "multinomial", "nn", "normal",
         "rrelu", "special", "svd_lowrank", "torch_version", "use_engine", "utils", "viz", "vmap"]


def test_what_few_programs_need_is_loaded_when_it_is_used():
    loaded = printed("import sys, minigrad; print(*[name for name in sys.modules if name.startswith('minigrad.')])")
    late = {f"minigrad.{name}" for name in (
        *LATER, "_as_torch", "notation", "error_pages", "__main__", "creation.ranges", "numpy_interface.dlpack_devices",
        "random.distributions", "random.elementwise", "random.fills")}
    assert not [name for name in loaded if {name, name.rpartition(".")[0]} & late]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks on this system")
def test_what_is_loaded_later_is_there():
    """Each in a process that has used nothing else: forked from one that has imported minigrad.  This one, in the end,
    lists them, which loads all."""
    code = (f"import operator, os, sys, minigrad\n"
            f"names = [(name, sys.modules[f'minigrad.{{package}}'.rstrip('.')], short)\n"
            f"         for name in {LATER} for package, _, short in [name.rpartition('.')]]\n"
            f"for name, package, short in names:\n"
            f"    if (child := os.fork()) == 0:\n"
            f"        found = getattr(package, short)\n"
            f"        if getattr(package, short) is found is operator.attrgetter(name)(minigrad) and (\n"
            f"                found.__name__.endswith(short)):\n"
            f"            print(name, flush=True)\n"
            f"        os._exit(0)\n"
            f"    os.waitpid(child, 0)\n"
            f"for name, package, short in names:\n"
            f"    if short in dir(package) and getattr(package, short) is operator.attrgetter(name)(minigrad):\n"
            f"        print(name)\n")
    assert printed(code) == LATER + LATER


def test_every_row_is_known_before_its_file_runs():
    """Whoever goes through the table finds all of it, whatever was used before."""
    assert printed("import minigrad, importlib, pkgutil\n"
                   "from minigrad.ops.exports import ROWS\n"
                   "known = set(ROWS)\n"
                   "for package in (minigrad.ops, minigrad.random):\n"
                   "    for each in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):\n"
                   "        importlib.import_module(each.name)\n"
                   "print(len(known) > 600, set(ROWS) == known)") == ["True", "True"]


@pytest.mark.parametrize("first", ["", "import minigrad.autograd.gradcheck", "minigrad.autograd.Function",
                                   "from minigrad.autograd.gradcheck import gradgradcheck", "vars(minigrad.autograd)"])
def test_a_function_with_the_name_of_its_module_is_the_function(first):
    """However the module is imported: Python makes it an attribute of its package."""
    assert printed(f"import minigrad\n{first}\nprint(minigrad.autograd.gradcheck.__qualname__)") == ["gradcheck"]


def test_no_matrix_is_factored_at_import():
    """LAPACK would be loaded for it, two megabytes."""
    printed("import numpy.linalg as of\nfor name in ('inv', 'det', 'svd', 'solve', 'slogdet', 'cholesky'):\n"
            "    setattr(of, name, None)\nimport minigrad")


def test_the_core_does_not_wait_for_the_package_that_is_being_imported():
    """Python's import would, a thousand times; once for each module is enough: _core/importing.h."""
    counted = printed("import importlib._bootstrap as importing\n"
                      "asked, ask = [], importing._lock_unlock_module\n"
                      "importing._lock_unlock_module = lambda name: (asked.append(name), ask(name))[1]\n"
                      "import minigrad, sys\n"
                      "print(asked.count('minigrad'), sum(each.startswith('minigrad') for each in sys.modules))")
    times, modules = map(int, counted)
    assert times <= modules


def test_no_module_says_that_it_does_without_the_lock_of_python():
    """A build of Python without that lock takes it again for such a module: nothing is declared that is not tested."""
    sources = sorted((ROOT / "minigrad" / "_core").rglob("*.c"))
    if not sources:
        pytest.skip("the generated C is not here")
    for path in sources:
        code = path.read_text(encoding="utf-8")
        assert "{Py_mod_gil, __Pyx_FREETHREADING_COMPATIBLE}" in code, path.name
        assert not re.search(r"#define CYTHON_FREETHREADING_COMPATIBLE (?!0)", code), path.name
    assert "freethreading_compatible" not in (ROOT / "setup.py").read_text(encoding="utf-8")
    assert not any("Free Threading" in each for each in PROJECT["project"]["classifiers"])


# ------------------------------------------------------------------------------ the wheels that are published

PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
BUILDS = PROJECT["tool"]["cibuildwheel"]
WORKFLOW = ROOT / ".github" / "workflows" / "wheels.yml"
#: the machines that a wheel is built for, by what cibuildwheel calls the system; it runs on a machine of the same kind
MACHINES = {"linux": {"manylinux_x86_64", "manylinux_aarch64"}, "macos": {"macosx_x86_64", "macosx_arm64"},
            "windows": {"win_amd64", "win_arm64"}}


def test_wheels_are_built_for_each_python_with_its_lock():
    """A pattern such as cp313-* does not choose cp313t, the build without the lock; nor does anything else."""
    assert BUILDS["build"] == [f"cp{version.replace('.', '')}-*" for version in PYTHONS]
    assert "enable" not in BUILDS
    lowest = PROJECT["project"]["requires-python"].removeprefix(">=")
    named = {each.rpartition(" ")[2] for each in PROJECT["project"]["classifiers"] if "Python :: 3." in each}
    assert lowest == PYTHONS[0] and named == set(PYTHONS)


def test_wheels_are_built_for_three_systems_on_both_machines():
    if not WORKFLOW.exists():
        pytest.skip("outside the clone")
    systems = re.search(r"os: \[(.*)\]", WORKFLOW.read_text(encoding="utf-8")).group(1).split(", ")
    kinds = {(each.partition("-")[0], "intel" if each.endswith("intel") else "arm" if each.endswith("arm") else "")
             for each in systems}
    assert kinds == {("ubuntu", ""), ("ubuntu", "arm"), ("macos", "intel"), ("macos", ""), ("windows", ""),
                     ("windows", "arm")}
    assert BUILDS["archs"] == ["auto64"]            # on each of these, its own


def test_wheels_are_tested_outside_the_clone():
    """cibuildwheel runs the command in an empty folder, unless the command names the project or files are copied."""
    for options in (BUILDS, BUILDS["pyodide"]):
        assert "minigrad" in options["test-command"]
        assert not re.search(r"\{(project|package)\}", options["test-command"])
        assert "test-sources" not in options


@pytest.mark.parametrize("system", MACHINES)
def test_cibuildwheel_reads_the_same(system):
    """What it would build, asked of itself where it is installed."""
    if importlib.util.find_spec("cibuildwheel") is None:
        pytest.skip("cibuildwheel is not installed")
    asked = subprocess.run([sys.executable, "-m", "cibuildwheel", "--print-build-identifiers", "--platform", system,
                            "--archs", "all", str(ROOT)], capture_output=True, text=True)
    assert asked.returncode == 0, asked.stderr
    found = {tuple(each.split("-", 1)) for each in asked.stdout.split()}
    assert {machine for _, machine in found} >= MACHINES[system]
    assert {python for python, _ in found} == {f"cp{version.replace('.', '')}" for version in PYTHONS}
