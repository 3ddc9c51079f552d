"""``python tools/live/build.py [FOLDER]``: what a web page needs to run minigrad, in FOLDER/live (.venv/live/live).

With ``--check`` it only says whether the tools that it needs are here.

===================  ===================================================================================================
``pyodide/``         Python for web pages, from npm: pyodide.mjs, pyodide.asm.wasm and the standard library
``site.tgz``         NumPy, minigrad and what tutorials import besides, unpacked where Python looks for packages
``python.snapshot``  the memory of a Python that has imported NumPy and minigrad, with which a page begins
``names.json``       what the editor of a page says of minigrad's names
``live.json``        the versions, and the size of each file in bytes
===================  ===================================================================================================

NumPy publishes no wheel for web pages, so it is compiled from its source distribution: minutes, once.  A step is done
again only if what it is made from has changed.  Nothing comes from anywhere but npm's and Python's package registries.
"""

import concurrent.futures
import hashlib
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import headers

#: versions that were tested together
PYODIDE, NUMPY, CYTHON = "0.29.5", "2.2.6", "3.3.1"
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
#: the scripts of the page, one of which also makes the snapshot
PAGE = ROOT / "docs/_static"
SUFFIX = ".cpython-313-wasm32-emscripten.so"
JOBS = int(os.environ.get("JOBS", 0)) or (
    len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
#: what Pyodide needs of its npm package
CORE = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
#: NumPy's folders that a page has no use for
LEFT_OUT = {"tests", "f2py", "distutils", "_pyinstaller", "include", "src", "code_generators", "__pycache__", "doc"}
#: pure Python that tutorials import besides, copied from the environment in which the site is built
COPIED = ("tqdm", "threadpoolctl")
#: the digits; of the rest of scikit-learn, and of SciPy, there is what the folder small/ has
DIGITS = "datasets/data/digits.csv.gz"
#: the data that are the tutorials' own: the worker puts them where a tutorial looks for them
DATA = pathlib.Path("tutorials/data")
#: the exercises of the course, without their solutions: where a wheel has them, as setup.py writes them
EXERCISES = pathlib.Path("minigrad/exercises/pages.json.zlib")
FLAGS = ["-O2", "-fno-strict-aliasing", "-fno-math-errno", "-Wno-everything",
         "-Werror=implicit-function-declaration", "-DNPY_NO_DEPRECATED_API=NPY_2_0_API_VERSION",
         "-DNPY_TARGET_VERSION=NPY_2_0_API_VERSION",
         # Sizes and places have 32 bits there: a number of 64 that is put into one silently becomes another.
         "-Werror=shorten-64-to-32", "-Werror=constant-conversion", "-Werror=shift-count-overflow",
         # WebAssembly has no floating-point exceptions. What fails in LAPACK leaves nan there, as in NumPy.
         "-DFE_INVALID=0"]


def find_python():
    """A CPython 3.13 with its headers: PYTHON313, one on the path, or one of pyenv's."""
    pyenv = sorted(pathlib.Path.home().glob(".pyenv/versions/3.13*/bin/python3.13"))
    named = os.environ.get("PYTHON313")
    for candidate in [named] if named else ["python3.13", *map(str, pyenv)]:
        if shutil.which(candidate) is None:
            continue
        code = "import sys, sysconfig; print(sys.version_info[:2] == (3, 13), sysconfig.get_path('include'))"
        said = subprocess.run([candidate, "-c", code], capture_output=True, text=True).stdout.split()
        if said[:1] == ["True"] and (pathlib.Path(said[1]) / "Python.h").exists():
            return candidate, pathlib.Path(said[1])
    return None, None


def missing():
    """What must be installed first, a line for each."""
    lines = []
    for tool, package in (("emcc", "emscripten"), ("node", "nodejs"), ("npm", "npm")):
        if shutil.which(tool) is None:
            lines.append(f"{tool}: apt install --no-install-recommends {package}")
    if find_python()[0] is None:
        lines.append("CPython 3.13 with its headers: apt install python3.13-dev, or pyenv install 3.13; "
                     "PYTHON313=/path/to/python3.13 says where it is")
    return lines


class Build:
    """The steps, each a method whose docstring says what it does."""

    def __init__(self, work):
        self.work = work
        self.live = work / "live"
        self.host, self.include = find_python()
        self.python = work / "python/bin/python"
        self.numpy = work / "numpy"
        self.began = time.monotonic()
        self.environment = {**os.environ, "PATH": f"{work / 'python/bin'}:{os.environ['PATH']}"}
        # The Makefile pins packages of its own environment; this one has other versions.
        self.environment.pop("PIP_CONSTRAINT", None)

    def say(self, text):
        print(f"  {time.monotonic() - self.began:4.0f} s  {text}", flush=True)

    def run(self, *command, **options):
        subprocess.run([str(each) for each in command], check=True, env=self.environment, stdout=self.log,
                       stderr=subprocess.STDOUT, **options)

    def step(self, method, *inputs):
        """Call the method, unless it was called before with the same inputs."""
        made = method.__name__
        key = hashlib.sha256(repr(inputs).encode()).hexdigest()
        done = self.work / "done" / made
        if done.exists() and done.read_text() == key:
            return
        done.unlink(missing_ok=True)
        self.say(method.__doc__)
        path = self.work / "log" / f"{made}.log"
        with open(path, "w") as self.log:
            try:
                method()
            except subprocess.CalledProcessError as problem:
                self.log.flush()
                lines = path.read_text(errors="replace").splitlines()[-30:]
                raise SystemExit("\n".join([*lines, f"{made} failed ({problem}); all of it: {path}"])) from None
        done.write_text(key)

    def compiler(self, name="emcc"):
        return [str(self.python), str(HERE / "compiler.py"), name, str(self.work / "headers")]

    def all(self):
        for folder in ("done", "log"):
            (self.work / folder).mkdir(parents=True, exist_ok=True)
        emcc = subprocess.run(["emcc", "--version"], capture_output=True, text=True).stdout.splitlines()[0]
        wrapper = digest(HERE / "compiler.py")
        self.step(self.tools, self.host, NUMPY, CYTHON)
        self.step(self.pyodide, PYODIDE)
        self.step(self.headers, PYODIDE, self.host, emcc, digest(HERE / "headers.py"))
        self.step(self.numpy_source, NUMPY)
        self.step(self.numpy_modules, NUMPY, PYODIDE, self.host, emcc, wrapper)
        self.step(self.numpy_package, NUMPY, PYODIDE, self.host, emcc, wrapper)
        sources = sorted(path for path in (ROOT / "minigrad").rglob("*") if is_source(path))
        key = [(str(path.relative_to(ROOT)), digest(path)) for path in sources]
        small = [(str(path), digest(path)) for path in sorted((HERE / "small").rglob("*.py"))]
        data = [(path.name, digest(path)) for path in sorted((ROOT / DATA).iterdir())]
        self.step(self.others, small, data, *[(str(place), place.stat().st_mtime) for place in map(place_of, COPIED)])
        self.step(self.core, key, FLAGS, emcc, wrapper, NUMPY)
        self.step(self.names, key, digest(HERE / "names.py"))
        content = key, small, data, exercises(), FLAGS, emcc, wrapper, NUMPY, PYODIDE
        scripts = digest(HERE / "snapshot.mjs"), digest(PAGE / "live-packages.js"), digest(PAGE / "live-archive.js")
        content += (digest(HERE / "packing.py"),)
        self.step(self.package, content)
        self.step(self.snapshot, content, scripts)
        self.step(self.site, content, scripts)
        self.step(self.listing, *[(str(path), digest(path)) for path in self.files()])
        self.step(self.check, key, FLAGS, emcc, wrapper, NUMPY, PYODIDE)

    # ------------------------------------------------------------------------------ what others have made

    def tools(self):
        """an environment of Python 3.13 with Cython, ninja and NumPy"""
        self.run(self.host, "-m", "venv", "--clear", self.work / "python")
        # NumPy for this machine, for what Cython reads of it.
        self.run(self.python, "-m", "pip", "install", f"cython=={CYTHON}", "ninja", "setuptools", f"numpy=={NUMPY}")

    def pyodide(self):
        """Pyodide, from npm"""
        shutil.rmtree(self.work / "package", ignore_errors=True)
        self.run("npm", "pack", "--silent", f"pyodide@{PYODIDE}", cwd=self.work)
        self.run("tar", "xzf", f"pyodide-{PYODIDE}.tgz", cwd=self.work)
        shutil.rmtree(self.live / "pyodide", ignore_errors=True)
        (self.live / "pyodide").mkdir(parents=True)
        for name in CORE:
            shutil.copyfile(self.work / "package" / name, self.live / "pyodide" / name)

    def headers(self):
        """Python's headers as Pyodide was built"""
        cache = subprocess.run(["em-config", "CACHE"], capture_output=True, text=True, check=True).stdout.strip()
        # Emscripten makes its own headers when it first compiles.
        (self.work / "empty.c").write_text("")
        self.run("emcc", "-c", "empty.c", "-o", "empty.o", cwd=self.work)
        headers.make(headers.settings_of(self.live / "pyodide"), self.include,
                     pathlib.Path(cache) / "sysroot/include", self.work / "headers")

    # ------------------------------------------------------------------------------ NumPy

    def numpy_source(self):
        """NumPy's source distribution"""
        fetched, backend = self.work / "sdist", self.work / "sdist/backend"
        for folder in (fetched, self.numpy):
            shutil.rmtree(folder, ignore_errors=True)
        backend.mkdir(parents=True)
        # pip asks the build backend of a source distribution for its metadata, and NumPy's would configure a whole
        # build to answer.  This one, of the same name, knows the answer.
        (backend / "mesonpy.py").write_text(f'''
import os
def get_requires_for_build_wheel(config_settings=None):
    return []
def prepare_metadata_for_build_wheel(directory, config_settings=None):
    os.mkdir(os.path.join(directory, "numpy.dist-info"))
    with open(os.path.join(directory, "numpy.dist-info", "METADATA"), "w") as file:
        file.write("Metadata-Version: 2.1\\nName: numpy\\nVersion: {NUMPY}\\n")
    return "numpy.dist-info"
''')
        self.environment["PYTHONPATH"] = str(backend)
        self.run(self.python, "-m", "pip", "download", "--no-deps", "--no-binary", "numpy", "--no-build-isolation",
                 "-d", fetched, f"numpy=={NUMPY}")
        del self.environment["PYTHONPATH"]
        self.run("tar", "xzf", fetched / f"numpy-{NUMPY}.tar.gz", cwd=self.work)
        (self.work / f"numpy-{NUMPY}").rename(self.numpy)
        # numpy.testing takes one name from NumPy's own tests, which are left out.
        path = self.numpy / "numpy/testing/_private/utils.py"
        path.write_text(path.read_text().replace("from numpy._core.tests._natype import pd_NA", "pd_NA = object()"))

    def numpy_modules(self):
        """NumPy, compiled for web pages (minutes)"""
        build = self.numpy / "build"
        shutil.rmtree(build, ignore_errors=True)
        cross = self.work / "cross.ini"
        cross.write_text(f"""
[binaries]
c = {self.compiler("emcc")}
cpp = {self.compiler("em++")}
ar = 'emar'
cython = '{self.work}/python/bin/cython'
python = '{self.python}'
[built-in options]
c_args = ['-Wno-everything']
cpp_args = ['-Wno-everything']
[properties]
needs_exe_wrapper = true
skip_sanity_check = true
longdouble_format = 'IEEE_QUAD_LE'
[host_machine]
system = 'emscripten'
cpu_family = 'wasm32'
cpu = 'wasm'
endian = 'little'
""")
        self.run(self.python, "vendored-meson/meson/meson.py", "setup", "build", "--cross-file", cross,
                 "-Dbuildtype=release", "-Dallow-noblas=true", "-Dblas=none", "-Dlapack=none", "-Dcpu-baseline=none",
                 "-Dcpu-dispatch=none", "-Ddisable-optimization=true", cwd=self.numpy)
        self.run("ninja", f"-j{JOBS}", *self.targets(), cwd=build)

    def targets(self):
        """NumPy's modules, but those of its own tests and of SIMD."""
        said = subprocess.run(["ninja", "-t", "targets", "all"], cwd=self.numpy / "build", env=self.environment,
                              capture_output=True, text=True, check=True).stdout
        found = re.findall(r"^(.*\.so): ", said, re.M)
        return [path for path in found if "_tests." not in path and "_simd." not in path]

    def numpy_package(self):
        """what a page needs of NumPy"""
        build, package = self.numpy / "build", self.work / "packages/numpy"
        shutil.rmtree(package, ignore_errors=True)
        for path in (self.numpy / "numpy").rglob("*.py"):
            inside = path.relative_to(self.numpy / "numpy")
            if not LEFT_OUT & set(inside.parts[:-1]) and path.name not in ("setup.py", "conftest.py"):
                copy(path, package / "numpy" / inside)
        for name in ("__config__.py", "version.py"):
            if (build / "numpy" / name).exists():
                copy(build / "numpy" / name, package / "numpy" / name)
        for target in self.targets():
            path = build / target
            copy(path, package / pathlib.Path(target).parent / (path.name.split(".")[0] + SUFFIX))
        included = self.work / "numpy_headers"
        shutil.rmtree(included, ignore_errors=True)
        shutil.copytree(self.numpy / "numpy/_core/include", included)
        for name in ("_numpyconfig.h", "__multiarray_api.h", "__ufunc_api.h"):
            copy(next(build.rglob(name)), included / "numpy" / name)
        copy(build / "numpy/_core/libnpymath.a", included / "libnpymath.a")

    # ------------------------------------------------------------------------------ what tutorials import besides

    def others(self):
        """the data of tutorials, and the packages that they import besides"""
        package = self.work / "packages/others"
        shutil.rmtree(package, ignore_errors=True)
        places = {HERE / "small": package}
        for name in COPIED:
            place = place_of(name)
            places[place] = package / place.name
        for place, to in places.items():
            for path in [place] if place.is_file() else place.rglob("*.py"):
                copy(path, to / path.relative_to(place) if place.is_dir() else to)
        copy(place_of("sklearn") / DIGITS, package / "sklearn/datasets" / pathlib.Path(DIGITS).name)
        for path in (ROOT / DATA).iterdir():
            copy(path, package / DATA / path.name)

    # ------------------------------------------------------------------------------ minigrad

    def core(self):
        """minigrad's core, compiled (what has changed)"""
        copies = self.work / "minigrad"
        wanted = {path.relative_to(ROOT): path for path in (ROOT / "minigrad").rglob("*") if is_source(path)}
        for inside, path in wanted.items():
            if not (copies / inside).exists() or (copies / inside).read_bytes() != path.read_bytes():
                copy(path, copies / inside)
        for path in [*copies.rglob("*")]:
            if is_source(path) and path.relative_to(copies) not in wanted:
                path.unlink()
        core, objects = copies / "minigrad/_core", self.work / "objects"
        objects.mkdir(exist_ok=True)
        modules = {path.relative_to(ROOT).with_suffix(".c"): path for path in (ROOT / "minigrad/_core").rglob("*.pyx")}
        modules[pathlib.Path("minigrad/_core/cython_shared.c")] = None
        for inside, origin in modules.items():      # setup.py has translated them, and corrected what Cython gets wrong
            source = ROOT / inside
            if not source.exists() or origin and source.stat().st_mtime < origin.stat().st_mtime:
                raise SystemExit(f"{source} is missing or old: make build writes it")
            if not (copies / inside).exists() or (copies / inside).read_bytes() != source.read_bytes():
                copy(source, copies / inside)
        changed = max(path.stat().st_mtime for path in core.rglob("*.h"))
        compile_one = [*self.compiler(), "-c", *FLAGS, "-include", core / "importing.h",
                       f"-I{self.work / 'numpy_headers'}", f"-I{core}"]

        def compiled(inside):
            source, made = copies / inside, objects / f"{inside.stem}.o"
            if not made.exists() or made.stat().st_mtime < max(changed, source.stat().st_mtime):
                self.run(*compile_one, source, "-o", made)
            return made

        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            linked = list(pool.map(compiled, sorted(modules)))
        # All modules are one library, as setup.py links them.
        self.environment["LIVE_EXPORTS"] = ",".join([f"_PyInit_{inside.stem}" for inside in sorted(modules)])
        self.run(*self.compiler(), "-shared", *linked, self.work / "numpy_headers/libnpymath.a",
                 "-o", copies / f"minigrad/_core{SUFFIX}")
        inside = sorted(path.relative_to("minigrad/_core").with_suffix("").as_posix() for path in modules)
        (copies / "minigrad/_core.modules.txt").write_text("\n".join(inside), encoding="utf-8")
        del self.environment["LIVE_EXPORTS"]

    def names(self):
        """what the editor says of names"""
        self.run(sys.executable, HERE / "names.py", self.live / "names.json")

    def package(self):
        """all packages, with their bytecode"""
        package = self.work / "packages/minigrad"
        shutil.rmtree(package, ignore_errors=True)
        for path in (self.work / "minigrad/minigrad").rglob("*"):
            if path.is_file() and path.suffix not in (".c", ".pyx", ".pxd", ".pyi", ".h"):
                copy(path, package / path.relative_to(self.work / "minigrad"))
        (package / EXERCISES).write_bytes(exercises())
        self.run(self.python, HERE / "packing.py", self.work / "packages.tgz", *self.packages())

    def snapshot(self):
        """the memory of a Python that has imported NumPy and minigrad"""
        self.run("node", HERE / "snapshot.mjs", self.live, self.work / "packages.tgz", self.work / "snapshot",
                 self.work / "imported.txt")
        self.pack("python.snapshot", self.work / "snapshot")

    def site(self):
        """site.tgz"""
        self.pack("site.tgz", *self.packages(), "--imported", self.work / "imported.txt")

    def packages(self):
        return [self.work / "packages" / name for name in ("numpy", "minigrad", "others")]

    def pack(self, name, *what):
        """Put it into its place when it is whole."""
        self.run(self.python, HERE / "packing.py", self.work / name, *what)
        (self.work / name).replace(self.live / name)

    def files(self):
        return [path for path in sorted(self.live.rglob("*")) if path.is_file() and path.name != "live.json"]

    def listing(self):
        """live.json"""
        version = re.search(r'^version = "(.*)"', (ROOT / "pyproject.toml").read_text(), re.M)[1]
        (self.live / "live.json").write_text(json.dumps({
            "pyodide": PYODIDE, "numpy": NUMPY, "minigrad": version, "site": digest(self.live / "site.tgz"),
            "sizes": {str(path.relative_to(self.live)): path.stat().st_size for path in self.files()}}, indent=4)
            + "\n")

    def check(self):
        """does Pyodide have all that the modules call?"""
        self.run("node", HERE / "check_symbols.mjs", self.live)


def place_of(name):
    """The folder of a package, or the file of a module."""
    spec = importlib.util.find_spec(name)
    if spec is None:
        raise SystemExit(f"{sys.executable} has no {name}: `make live` runs this in the environment of the site")
    origin = pathlib.Path(spec.origin)
    return origin.parent if origin.name == "__init__.py" else origin


def exercises():
    files = [ROOT / "tutorials/path.toml", *sorted((ROOT / "tutorials/exercises").glob("*.py"))]
    texts = {path.name: path.read_text(encoding="utf-8") for path in files}
    return zlib.compress(json.dumps(texts, ensure_ascii=False).encode(), 9)


def is_source(path):
    return path.is_file() and path.suffix not in (".so", ".c", ".o", ".pyc", ".pyd")


def copy(path, to):
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, to)


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main():
    lines = missing()
    if lines:
        print("minigrad: to build what runs in web pages, install first:", *lines, sep="\n    ", file=sys.stderr)
        raise SystemExit(3)
    if sys.argv[1:] == ["--check"]:
        print("The tools for web pages are here. What is built takes 400 MB, of which pages need some 22 MB.")
        return
    work = pathlib.Path(sys.argv[1] if sys.argv[1:] else ROOT / ".venv/live").resolve()
    build = Build(work)
    try:
        build.all()
    except KeyboardInterrupt:
        raise SystemExit("\nStopped. The next call goes on from here.") from None
    total = sum(json.loads((build.live / "live.json").read_text())["sizes"].values())
    build.say(f"{build.live}: {total / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
