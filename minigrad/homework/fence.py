"""The fence around a submission: an audit hook, which Python has no way to remove, functions that refuse, and bounds.

The hook ends the process at the first *foul*: a file of others, the network, another process, a look into the frames
of the judge.  It decides by the stack: below a frame of the submission, everything is done for the submission, also
by way of other functions.  A frame is the submission's unless its code is of a file of Python, NumPy or minigrad, or
the judge's; code that was made from text has no file, and is the submission's.

What is called here was looked up before the submission ran.
"""

import _thread
import os
import re
import sys
import sysconfig
import threading
import types
from errno import EACCES
from opcode import _nb_ops, opmap
from os import fsdecode, getcwd
from sys import _getframe

import numpy as np

from minigrad._core.profiling.instruments import Sealed, SealedMethod
from minigrad.homework.captured import loaded_part, paths

__all__ = ["FILE", "JUDGE", "forbid", "guard", "is_below", "limit", "outer_frames"]

realpath, dirname = (path := paths()).realpath, path.dirname
FILE = "submission.py"
#: the file that the code of a probe says it is from
JUDGE = "<the judge>"
HERE = dirname(realpath(__file__)) + os.sep
PACKAGE = dirname(dirname(HERE)) + os.sep
STANDARD = tuple([realpath(sysconfig.get_path(folder)) + os.sep for folder in ("stdlib", "platstdlib")])
#: where bytecode is kept, below the whole path of its source, if it is not beside it
BYTECODE = realpath(sys.pycache_prefix) if sys.pycache_prefix else None
NUMPY = realpath(dirname(np.__file__))
#: what is installed with NumPy: its libraries, and what is said of its version, which ``np.testing`` reads
NUMPYS = tuple([each + os.sep for each in (NUMPY, NUMPY + ".libs", f"{NUMPY}-{np.__version__}.dist-info")])
#: below the folders of Python lie packages of others
OTHERS = tuple([os.sep + name + os.sep for name in ("site-packages", "dist-packages")])
DEVICES = (realpath(os.devnull), "/dev/urandom", "/dev/random")
#: what may happen below these names of audit events
HARMLESS = ("os.listdir", "os.scandir", "os.walk", "os.fwalk", "os.putenv", "os.unsetenv")
REFUSED = {
    "socket.": "uses the network", "subprocess.": "starts a process", "os.": "reaches outside its process",
    "shutil.": "changes files", "ctypes.": "calls machine code", "gc.get_": "searches the memory of the process",
    "pty.": "starts a process", "sys.setprofile": "watches the process", "sys.settrace": "watches the process",
    "sys.monitoring": "watches the process", "sys._current_": "inspects the frames of the process",
    "signal.": "reaches outside its process", "sqlite3.": "opens a database", "marshal.loads": "makes code from bytes",
    "function.__new__": "makes a function from code", "code.__new__": "makes code from code",
    "sys.addaudithook": "watches the process", "cpython.": "reaches outside its process",
    "pickle.find_class": "loads objects by their names",
}
#: modules in C that open files without an audit event
UNSEEN = ("_dbm", "_gdbm")
#: modules of Python that hand out frames
HANDING_OUT = ("inspect", "traceback", "pdb", "bdb", "code", "trace")
#: modules of Python that read the lines of a traceback
LINES = ("linecache", "tokenize", "traceback", "codecs")
#: what leads to the frames of the judge, or to the code of a function
INSPECTING = ("tb_frame", "gi_frame", "cr_frame", "ag_frame", "f_back", "f_globals", "f_locals", "f_builtins",
              "gi_code", "cr_code", "ag_code", "__code__")
#: functions of Python's library that make code from text, and are meant to; `where` is the outermost of their frames
MAKERS = {("dataclasses", "dataclass"), ("dataclasses", "wrap"), ("dataclasses", "make_dataclass"),
          ("dataclasses", "_process_class"), ("__init__", "namedtuple"), ("typing", "__new__"),
          ("typing", "NamedTuple")}
#: functions of Python's library that read code, and say of it the parameters, or one flag
READERS = {("inspect", name) for name in ("signature", "isgeneratorfunction", "iscoroutinefunction")}
#: what code does that names a type, such as ``dict[str, float] | None``: nothing else, and no call
NAMING = {opmap[name] for name in (
    "RESUME", "CACHE", "NOP", "EXTENDED_ARG", "LOAD_NAME", "LOAD_ATTR", "LOAD_CONST", "LOAD_SMALL_INT", "BINARY_SUBSCR",
    "BINARY_OR", "BUILD_TUPLE", "BUILD_LIST", "RETURN_VALUE", "RETURN_CONST") if name in opmap}
OPERATOR, TYPES = opmap.get("BINARY_OP"), [i for i, (_, sign) in enumerate(_nb_ops) if sign in ("|", "[]")]
#: the code of a function, whatever has been written into its class
code_of = types.FunctionType.__code__.__get__

#: not empty while the judge itself asks for a frame
asking = []


def outer_frames(depth):
    """The frames below the caller of the caller, outwards."""
    asking.append(True)
    try:
        frame = _getframe(depth + 1)
    finally:
        asking.pop()
    while frame is not None:
        yield frame
        frame = frame.f_back


def is_others(file):
    """Is this not a file of Python, NumPy or minigrad, and not the judge's?"""
    if file == JUDGE or file.startswith("<frozen "):
        return False
    if file not in known:
        real = realpath(file)
        known[file] = not (real.startswith((*STANDARD, *NUMPYS, PACKAGE))
                           and (not any([part in real for part in OTHERS]) or real.startswith((*NUMPYS, PACKAGE))))
    return known[file]


#: this file, whose functions lie between the submission and what it calls, and the folder of the judge
OWN = outer_frames.__code__.co_filename
JUDGES = OWN.removesuffix("fence.py")
#: {file of a frame: whether it is the submission's}
known = {}


def is_below():
    """Is this done for the submission: is there a frame of it, from the caller of the caller out to the judge's?"""
    for frame in outer_frames(2):
        file = frame.f_code.co_filename
        if file.startswith(JUDGES) and file != OWN:
            return False
        if is_others(file):
            return True
    return False


def is_asked():
    """Does the submission itself ask for this: is it the innermost frame, but for those of Python's import system and
    of the judge?"""
    for frame in outer_frames(2):
        file = frame.f_code.co_filename
        if not file.startswith(("<frozen importlib", JUDGES)):
            return is_others(file)
    return False


def is_asked_by_minigrad():
    """Does minigrad itself ask, as ``no_grad`` does whether the function that it decorates is a generator?

    What draws and explains formulas would hand out what it finds.
    """
    file = realpath(next(outer_frames(2)).f_code.co_filename)
    return file.startswith(PACKAGE) and not file.startswith((JUDGES, PACKAGE + "viz" + os.sep))


def is_annotation(code):
    """Does it do no more than name a type, as annotations in quotes do, which ``singledispatch`` evaluates?"""
    pairs = zip(code.co_code[::2], code.co_code[1::2])
    return all([what in NAMING or what == OPERATOR and of in TYPES for what, of in pairs])


def is_for_a_traceback():
    """Does minigrad look for the lines of a traceback, as ``detect_anomaly`` does?  It goes on without some."""
    for frame in outer_frames(2):
        file = frame.f_code.co_filename
        if stem(file) not in LINES and not file.startswith("<frozen "):
            file = realpath(file)
            return file.startswith(PACKAGE) and not file.startswith(JUDGES)
    return False


def is_signature(function):
    """Does Python's library look for the parameters of a function of the submission?"""
    maker = None
    for frame in outer_frames(2):
        code = frame.f_code
        if is_others(code.co_filename):
            break
        maker = stem(code.co_filename), code.co_name
    if maker not in READERS or type(function) is not types.FunctionType:
        return False
    asking.append(True)
    try:
        return is_others(code_of(function).co_filename)
    finally:
        asking.pop()


def looks():
    """Does the submission ask for a frame, by itself or by a module that hands frames out?"""
    frame = next(outer_frames(2))
    file = frame.f_code.co_filename
    return is_others(file) or stem(file) in HANDING_OUT and is_below()


def guard(foul, forking, *, with_minigrad, modules):
    """Call ``foul(what)`` at the first foul, from now on.

    ``modules`` are the names of what may be imported besides Python's own modules.
    """
    here = realpath(getcwd()) + os.sep
    readable = (*STANDARD, *NUMPYS, *([PACKAGE] if with_minigrad else []))
    writes = re.compile("[wax+]").search

    def may_open(path, mode):
        if isinstance(path, int):                       # a file that is open already
            return True
        real = realpath(fsdecode(path))
        if real.startswith(here) or real in DEVICES:
            return True
        real = of_source(real)
        if writes(mode or "r") or not real.startswith(readable) or real.startswith(HERE):
            return False
        return real.startswith((*NUMPYS, PACKAGE)) or not any([part in real for part in OTHERS])

    def refuse_file(path):
        real = of_source(realpath(fsdecode(path)))
        if real.startswith(HERE):
            foul("opens a file of the judge")
        package = part_of(real)
        foul(f"imports {package}, which this assignment does not allow" if package else
             "opens a file outside its own folder")

    def hook(event, arguments):
        if event == "open":
            path, mode, _ = arguments
            if not may_open(path, mode):
                if is_for_a_traceback():
                    raise PermissionError(EACCES, "lines of the judge are not shown", path)
                refuse_file(path)
        elif event == "import":
            name, file, *_ = arguments
            if name.startswith("minigrad.homework") or name.rpartition(".")[2] == "instruments":
                foul("imports the judge")
            if name in UNSEEN:
                foul("opens a database")
            root = name.partition(".")[0]
            if root not in modules and root not in sys.stdlib_module_names and is_asked():
                foul(f"imports {root}, which this assignment does not allow")
            if file and not may_open(file, "r"):
                refuse_file(file)
        elif event == "sys._getframe":
            if not asking and looks():
                foul("inspects the frames of the process")
        elif event == "object.__getattr__":
            if arguments[1] in INSPECTING and not asking and is_below():
                if arguments[1] not in ("__code__", "gi_code", "cr_code", "ag_code"):
                    foul("inspects the frames of the process")
                if by_text() and not is_asked_by_minigrad() and not is_signature(arguments[0]):
                    foul("looks at the code of a function")
        elif event == "object.__setattr__":
            if arguments[1] == "__code__" and is_below():
                foul("replaces the code of a function")
        elif event == "compile":
            file = arguments[1]
            if isinstance(file, bytes):
                file = fsdecode(file)
            if isinstance(file, str) and not (file == FILE or is_others(file)) and file[:1] != "<" and by_text():
                foul("gives its code the name of another file")
            if file == JUDGE and is_below():
                foul("gives its code the name of the judge")
        elif event == "exec":
            if by_text() and not is_annotation(arguments[0]):
                foul("runs text as code where the judge cannot read it")
        elif forking and event in ("os.fork", "os.remove", "os.rmdir", "shutil.rmtree"):
            return
        elif event not in HARMLESS:
            for prefix, what in REFUSED.items():
                if event.startswith(prefix):
                    if event.endswith((".__new__", "marshal.loads", "find_class")) and not by_text():
                        return
                    foul(what)

    sys.addaudithook(hook)
    start = Sealed(lambda *arguments: foul("starts a thread"))      # of which Python says nothing to a hook
    _thread.start_new_thread = _thread.start_new = threading._start_new_thread = start


def of_source(real):
    """A path; of bytecode that is kept apart, without the folder where it is kept."""
    return real[len(BYTECODE):] if BYTECODE and real.startswith(BYTECODE + os.sep) else real


def stem(file):
    """The name of a file, without its folder and its ending."""
    return file.rpartition(os.sep)[2].removesuffix(".py")


def part_of(path):
    """The package of others in which a file lies, or ""."""
    for part in OTHERS:
        _, found, rest = path.partition(part)
        if found:
            parts = rest.split(os.sep)
            return parts[parts[0] == "__pycache__"].partition(".")[0]
    return "minigrad" if path.startswith(PACKAGE) else ""


def by_text():
    """Does the submission make code from text, other than by what Python's library has for that?

    From the caller outwards: Python's own import system and the judge may, and classes and tuples are made from text.
    """
    frames = outer_frames(2)
    maker = None
    for frame in frames:
        code = frame.f_code
        if code.co_filename.startswith("<frozen importlib") or code.co_filename == JUDGE:
            return False
        if code.co_filename.startswith(JUDGES):
            return False
        if is_others(code.co_filename):
            return maker not in MAKERS
        maker = stem(code.co_filename), code.co_name
    return False


# ------------------------------------------------------------------------------ functions that refuse


def forbid(names, foul, minigrad):
    """Let functions such as ``autograd.grad`` call ``foul``, whoever calls them.

    The judge got the functions themselves before (`captured`), so that whatever comes by their names now comes from the
    submission: a partial of one, a module whose forward it is and whose hooks are the submission's, a callback of the
    library.  Nobody has to be found on the stack.  A method of tensors that has the last part of the name is forbidden
    with it, and a module with everything that it defines.  Returns a function that takes all of this back.
    """
    def refusing(name, function):
        def refused(*arguments, **keywords):
            foul(f"calls {name}, which this assignment forbids")
            return function(*arguments, **keywords)
        return refused

    def replace(owner, name, new):
        before.append((owner, name, vars(owner).get(name)))
        setattr(owner, name, new)

    def seal(cls, name):
        """A class stays where it is, since its base leads to it as well; what it defines refuses."""
        replace(cls, "__init__", SealedMethod(refusing(name, cls.__init__)))
        for method, value in list(vars(cls).items()):
            if isinstance(value, types.FunctionType):
                replace(cls, method, SealedMethod(refusing(name, value)))
            elif isinstance(value, staticmethod):
                replace(cls, method, Sealed(refusing(name, value.__func__)))

    pairs, before = [], []
    for name in names:
        found = minigrad
        for part in name.split("."):
            found = getattr(found, part, None)
        inner = defined_by(found) if isinstance(found, types.ModuleType) else {"": found} if callable(found) else {}
        for last, function in inner.items():
            full = f"{name}.{last}" if last else name
            if isinstance(function, type):
                seal(function, full)
            else:
                pairs.append((function, Sealed(refusing(full, function))))
        last = name.rpartition(".")[2]
        method = getattr(minigrad.Tensor, last, None)
        if callable(method):
            sealed = SealedMethod(refusing(f"{last} of a tensor", method))
            pairs.append((method, sealed))
            replace(minigrad.Tensor, last, sealed)
    for function, _ in pairs:
        repr(function)          # what waits for its file (ops/lazy.py) is filled now: later its place is taken
    exchange(pairs)

    def undo():
        exchange([(after, function) for function, after in pairs])
        for owner, name, value in reversed(before):
            if value is None:
                delattr(owner, name)
            else:
                setattr(owner, name, value)
    return undo


def defined_by(module):
    """{name: function or class} of what a module defines itself."""
    return {name: value for name, value in loaded_part(module).items()
            if isinstance(value, (type, types.FunctionType)) and value.__module__ == module.__name__}


def exchange(pairs):
    """Replace functions wherever minigrad's modules have them now, and the dictionaries in these: [(before, after)].

    A module that is not complete gets the rest from those that are, so what it lacks is replaced as well.
    """
    modules = [module for name, module in list(sys.modules.items()) if name.partition(".")[0] == "minigrad"]
    spaces = [(module, loaded_part(module)) for module in modules]
    inner = dictionaries_in([space for _, space in spaces])
    tables = inner + dictionaries_in(inner)
    for before, after in pairs:
        for module, space in spaces:
            for name in [name for name, value in space.items() if value is before]:
                setattr(module, name, after)
        for table in tables:
            for key in [key for key, value in table.items() if value is before]:
                table[key] = after


def dictionaries_in(spaces):
    """The dictionaries among the values of dictionaries, each of them once."""
    return list({id(value): value for space in spaces for value in space.values() if type(value) is dict}.values())


# ------------------------------------------------------------------------------ bounds


def limit(seconds, megabytes):
    """Bounds that the system holds, where it has them: processor time, memory, size of files, no core."""
    try:
        import resource
    except ImportError:
        return
    for what, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, megabytes << 20),
                       (resource.RLIMIT_FSIZE, 16 << 20), (resource.RLIMIT_CORE, 0)):
        soft, hard = resource.getrlimit(what)
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(what, (bound, bound))
        except (ValueError, OSError):
            pass
