"""The process in which a submission runs: it answers the judge's questions, and may do nothing else.

It is started by process.py, in an empty folder (start.py), and never sees the assignment.  The judge sends the
submission, and then one *probe* after the other: a small function, as source, that calls the submission and returns
data.  What the data should be is known to the judge alone, in the other process.

    judge   ->  {"probe": source, "arguments": [...]}
    child   ->  {"answer": ..., "seen": [...], "work": [n, m]}  or  {"raised": ...}  or  {"foul": ...}

The channel lies where standard input and output were; what the submission prints goes elsewhere.  A fence (fence.py)
ends the process at the first *foul*.

The submission runs in the same interpreter, so it gets nothing through which the judge's functions can be reached: what
a probe hands to it is sealed (instruments.pyx) or made for this one question, no class of the judge has a method in
Python, and the frames of the judge are behind the fence.  The counts are read after the answer has been written out:
an answer that computes something when it is read counts with the rest.
"""

import builtins
import cmath
import linecache
import math
import os
import re
import shutil
import socket
import sys
import traceback
import types
from functools import partial
from importlib import import_module

import numpy as np

from minigrad._core.profiling.instruments import Calls, Meter, Sealed, SealedMethod, Shown, Tick
from minigrad.homework.captured import captured, loaded_part
from minigrad.homework.fence import FILE, JUDGE, forbid, guard, limit, outer_frames
from minigrad.homework.finite_differences import compiled, evidence
from minigrad.homework.trajectory import answering, followed
from minigrad.homework.wire import (NONCE, decoded, dictionary, numbers_of, read_frame, write_data, write_frame,
                                    written)

__all__ = ["FILE", "answered", "made", "main", "own_builtins", "tools", "told"]

#: what a submission may import besides Python's own modules
MODULES = ("numpy", "submission")


# ------------------------------------------------------------------------------ what a probe can use


def call(submission, name, *arguments):
    """The probe of ``judge.call``."""
    return getattr(submission, name)(*arguments)


def planted(rows):
    def plant(row, of, formula):
        """Replace a formula in the table of derivatives: ``plant("exp", "self", "lambda d, result: 2 * d * result")``.

        The formula has the parameters of the right one, and uses the names of its module.  It must be planted before
        the row is differentiated for the first time.  Its code has the name, the file and the line of the right one.
        """
        found, = [each for each in rows[row].formulas if each.of == of]
        right = found.text.__code__
        found.text.__code__ = eval(formula).__code__.replace(
            co_name=right.co_name, co_filename=right.co_filename, co_firstlineno=right.co_firstlineno,
            co_qualname=right.co_qualname, co_linetable=right.co_linetable)
    return plant


def unguarded(rows, torch):
    node_of, data_of = torch.Tensor.grad_fn.__get__, torch.Tensor.data.__get__
    hooks = torch.autograd.graph.saved_tensors_hooks

    def unguard(row, wrong):
        """Let nobody notice that a result of the row is overwritten after it was saved; with 0, all is noticed."""
        def pack(tensor):
            is_result = (node := node_of(tensor)) is not None and node.name() == name
            return data_of(tensor) if wrong and is_result else tensor       # `data` has no part in the versions

        name = rows[row].node_name
        hooks(Sealed(pack), Sealed(lambda packed: packed)).__enter__()
    return unguard


#: in the names of rows and functions that only formulas use
SLOPES = re.compile("slope|derivative|curvature|backward").search


def doubling(rows, use_kernels):
    def double(planted):
        """Compute without kernels in C; and if ``planted``, let every formula in the table of derivatives, every
        function of minigrad's that is made for formulas alone, and NumPy's derivatives of polynomials give twice what
        they should."""
        every = [rows[name] for name in rows]
        use_kernels(False, every)
        if planted:
            files = [module for name, module in list(sys.modules.items()) if name.startswith("minigrad.ops.")]
            texts = [formula.text for row in every for formula in row.formulas]
            helpers = [value for file in files for name, value in loaded_part(file).items() if SLOPES(name)]
            kernels = [row.kernel for row in every if SLOPES(row.name)]
            functions = {id(each): each for each in texts + helpers + kernels + of_polynomials()
                         if isinstance(each, types.FunctionType) and not each.__closure__}
            for function in functions.values():
                code = function.__code__
                right = types.FunctionType(code, function.__globals__, code.co_name, function.__defaults__)
                right.__kwdefaults__ = function.__kwdefaults__
                function.__code__, function.__kwdefaults__ = PASSED_ON, {"to": partial(twice, right)}
    return double


def of_polynomials():
    """NumPy's functions for derivatives of polynomials of all kinds, such as ``polyder``."""
    return [getattr(value, "_implementation", value) for file, module in list(sys.modules.items())
            if file.startswith("numpy") and module
            for name, value in list(vars(module).items()) if name.endswith("der")]


def twice(function, *arguments, **keywords):
    """What the function returns, with twice the numbers."""
    def doubled(value):
        return (value if value is None or isinstance(value, (bool, str)) else
                type(value)(map(doubled, value)) if isinstance(value, (list, tuple)) else value + value)

    return doubled(function(*arguments, **keywords))


#: not empty while the judge starts a copy, or removes files, which nothing else may
forking = []


def apart(function, *arguments):
    """What the function returns in a copy of this process, of which nothing remains; None if the copy ends."""
    reading, writing = pipe()
    forking.append(True)
    copy = fork()
    forking.clear()
    if copy == 0:
        try:
            with fdopen(writing, "wb") as file:
                write_frame(file, bytes(NONCE), function(*arguments))
        finally:
            _exit(0)
    close(writing)
    with fdopen(reading, "rb") as file:
        frame = read_frame(file)
    waitpid(copy, 0)
    return decoded(frame[1]) if frame else None


pipe, fork, fdopen, close, _exit = os.pipe, getattr(os, "fork", None), os.fdopen, os.close, os._exit
waitpid = getattr(os, "waitpid", None)
listdir, remove, isdir, rmtree = os.listdir, os.remove, os.path.isdir, shutil.rmtree


def listening(recorder):
    def nodes(function):
        """(what the function returns, the nodes that have run in it, by their names)."""
        heard = recorder()
        heard.start()
        try:
            result = function()
        finally:
            heard.stop()
        return result, [name for name, kind, *_ in heard.records() if kind == "node"]
    return nodes


def tools(torch, meter, again=None):
    """What the probes see: NumPy and minigrad as they are now, the instruments, and `again`, which loads the submission
    anew."""
    def peak(function):
        """(what the function returns, the bytes that are held afterwards, the most that were held at one time)."""
        meter.peak()
        before, traced = held()
        result = function()
        after, traced_now = held()
        return result, max(after - before, traced_now - traced), max(meter.peak(), after) - before

    def taken(function):
        """(what the function returns, the bytes that Python's objects have taken in it, kept or not)."""
        before = meter.objects()
        return function(), meter.objects() - before

    def held():
        """Bytes of arrays, by the core's counter, and all that Python has taken."""
        *_, taken, given = meter.read()
        return taken - given, allocated_blocks() * 32

    def names():
        found = {"np": captured(np), "Calls": Calls, "peak": Sealed(peak), "taken": Sealed(taken),
                 "apart": Sealed(apart), "again": Sealed(again), "followed": Sealed(partial(followed, meter)),
                 "answering": Sealed(partial(answering, meter))}
        if torch is not None:
            found |= {"torch": captured(torch), "plant": Sealed(plant), "unguard": Sealed(unguard),
                      "applied": Sealed(applied), "double": Sealed(double), "nodes": Sealed(nodes)}
        return found

    if torch is not None:
        apply = vars(torch.autograd.Function)["apply"]

        def applied(function, *inputs):
            """``function.apply(*inputs)``, by the `apply` of Function, whatever the class has under this name."""
            return apply.__get__(None, function)(*inputs)

        rows = torch.ops.exports.ROWS
        use_kernels = import_module("minigrad._core.dispatch.op").use_kernels
        plant, unguard, double = planted(rows), unguarded(rows, torch), doubling(rows, use_kernels)
        nodes = listening(import_module("minigrad._core.profiling.recorders").Recorder)
    probe_names = names()
    return lambda: dict(probe_names, __builtins__=dict(BUILTINS))


#: of a function that is called as any other one is
PASSED_ON = (lambda *arguments, to, **keywords: to(*arguments, **keywords)).__code__
BUILTINS = dict(vars(builtins))
allocated_blocks = sys.getallocatedblocks


# ------------------------------------------------------------------------------ the submission


def made(torch, numpy_only=False):
    """(the module of the submission, a function that runs its source in it, the meter, a function for the numbers of
    tensors, a function that loads a source into another module)."""
    data = None
    if torch is not None:
        tensor, detach, numbers = torch.Tensor, torch.Tensor.detach, torch.Tensor.numpy

        def data(value):
            return numbers(detach(value)) if isinstance(value, tensor) else value
        numbers_of[:] = [data]
    meter = Meter([value for value in vars(np).values() if isinstance(value, np.ufunc)], data)
    tick, loaded = Tick(), []
    submission = types.ModuleType("submission")
    vars(submission)["__builtins__"] = own_builtins(tick)
    if numpy_only:
        vars(submission)["__builtins__"]["__import__"] = Sealed(importing_absent(loaded))

    def run(source):
        exec(compiled(source, FILE, tick), vars(submission))
        loaded.append(True)

    def again(source):
        """The submission, loaded anew, without the files that it has written."""
        forking.append(True)
        for name in listdir():
            rmtree(name) if isdir(name) else remove(name)
        forking.clear()
        fresh = sys.modules["submission"] = sys.modules["__main__"] = types.ModuleType("submission")
        vars(fresh)["__builtins__"] = own_builtins(tick)
        exec(compiled(source, FILE, tick), vars(fresh))
        return fresh

    return submission, run, meter, data, again


def own_builtins(tick):
    """Python's builtins for a submission, of which those that run text let the judge read it."""
    def compile_(source, filename, mode, flags=0, dont_inherit=False, optimize=-1, **more):
        if not isinstance(source, (str, bytes)):
            raise ValueError("a syntax tree cannot be compiled here: write the code itself")
        if isinstance(source, bytes):
            source = source.decode()
        return compiled(source.lstrip() if mode == "eval" else source, "<text>", tick, mode)

    def run(code, globals, locals, mode):
        if isinstance(code, (str, bytes)):
            code = compile_(code, "<text>", mode)
        globals.setdefault("__builtins__", own)
        return evaluated(code, globals, locals)

    def eval_(source, globals=None, locals=None):
        return run(source, *names(globals, locals), "eval")

    def exec_(source, globals=None, locals=None):
        run(source, *names(globals, locals), "exec")

    def names(globals, locals):
        if globals is None:
            frame = next(outer_frames(2))
            return frame.f_globals, frame.f_locals
        return globals, globals if locals is None else locals

    evaluated = eval
    own = dict(vars(builtins)) | {"compile": Sealed(compile_), "eval": Sealed(eval_), "exec": Sealed(exec_)}
    return own


def importing_absent(loaded):
    """What ``import`` calls where an item is for NumPy alone: the file may use minigrad in its other parts, so that it
    is loaded with a placeholder, which can be called no more when the list ``loaded`` has something in it."""
    def made(name):
        placeholder = Absent()
        vars(placeholder)["name"] = name
        return placeholder

    def attribute(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return made(f"{self.name}.{name}")

    def call(self, *arguments, **keywords):
        if loaded:
            raise ImportError(f"{self.name} is not there: this item is for NumPy alone")
        return arguments[0] if arguments and callable(arguments[0]) else self       # of a decorator, the function

    def itself(self, other=None):
        return self

    methods = dict.fromkeys([f"__{name}__" for name in ("getitem", "or", "ror", "neg", "add", "radd", "sub", "rsub",
                                                        "mul", "rmul", "truediv", "rtruediv")], itself)
    methods |= {"__getattr__": attribute, "__call__": call, "__mro_entries__": lambda self, bases: (),
                "__instancecheck__": lambda self, value: False}
    Absent = type("Absent", (), {name: SealedMethod(method) for name, method in methods.items()} | {"__iter__": None})

    def import_(name, globals=None, locals=None, fromlist=(), level=0):
        root = name.partition(".")[0]
        if root != "minigrad" or level:
            return imported(name, globals, locals, fromlist, level)
        return made(name if fromlist else root)

    imported = __import__
    return import_


# ------------------------------------------------------------------------------ the channel


def opened():
    """(next question, write an answer): the way to the judge, with the nonce of the question that is being answered."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    nonce = [bytes(NONCE)]

    def following():
        frame = read_frame(questions)
        if frame is None:
            _exit(0)
        nonce[0], data = frame
        return decoded(data)

    def answer(pairs):
        write_data(answers, nonce[0], written(dictionary(pairs)).encode("utf-8"))

    return following, answer


# ------------------------------------------------------------------------------ answering


#: an error of Python names a class with its module, which says where to look for the rest of it
without_core = partial(re.compile(r"\bminigrad\._core\.(\w+\.)*").sub, "")
without_numbers = partial(re.compile(r"[-+]?\d*\.\d+(e[-+]?\d+)?|\d{4,}").sub, "...")
#: a name that has no numbers in it, but a digit or two
is_name = re.compile(r"[A-Za-z_]{1,60}(\d[A-Za-z_]{0,60}){0,2}").fullmatch
classes_of, name_of = vars(type)["__mro__"].__get__, vars(type)["__name__"].__get__


def told(failure, submission):
    """What an exception says, and the line of the submission where it arose; no numbers of the hidden inputs."""
    lines = [line for frame, line in traceback.walk_tb(failure.__traceback__) if frame.f_code.co_filename == FILE]
    message = "" if said_by_itself(failure.__traceback__) else str(failure).partition("\n")[0]
    is_missing = isinstance(failure, AttributeError) and failure.obj is submission
    kind = next(name for name in map(name_of, classes_of(type(failure))) if is_name(name))
    return {"kind": kind, "line": lines[-1] if lines else 0, "message": without_numbers(without_core(message))[:300],
            "missing": failure.name if is_missing and is_name(failure.name) else ""}


def said_by_itself(trace):
    """Does the submission raise this itself?  Then its words could be the hidden inputs."""
    *_, (frame, line) = traceback.walk_tb(trace)
    return (frame.f_code.co_filename == FILE
            and linecache.getline(FILE, line).lstrip().startswith(("raise", "assert")))


def answered(submission, question, names, meter, data):
    """The pairs of an answer, of which each is made when the one before has been written out."""
    probe = call
    if question["probe"]:
        space = names()
        exec(compile(question["probe"], JUDGE, "exec"), space)
        probe = space[question["name"]]
    given = question["arguments"]
    watch, sentences = evidence([given[number] for number in question["watched"]], data, given)
    meter.watch(watch if question["watched"] else None)
    before = *meter.read(), meter.objects()
    yield "answer", probe(submission, *given)
    after = *meter.read(), meter.objects()
    meter.watch(None)
    yield "seen", sentences()
    elements, ticks, taken, _, objects = [now - then for now, then in zip(after, before)]
    yield "work", [elements + ticks + taken // 8, objects]


def main(torch):
    following, answer = opened()
    start = following()
    for module in (math, cmath):
        for name, function in list(vars(module).items()):
            if callable(function) and name[0] != "_":
                setattr(module, name, Shown(function))
    submission, run, meter, data, again = made(torch, start["numpy_only"])
    names = tools(torch, meter, lambda: again(start["source"]))
    sys.modules["submission"] = sys.modules["__main__"] = submission
    socket.socket = None
    linecache.cache[FILE] = len(start["source"]), None, start["source"].splitlines(True), FILE
    limit(start["seconds"], start["megabytes"])
    caught = []

    def foul(what):
        if not caught:
            caught.append(what)
            answer([("foul", what)])
        _exit(1)

    guard(foul, forking, with_minigrad=torch is not None,
          modules={*MODULES, *(["minigrad"] if torch is not None else [])} - {*start["forbidden"]})
    if "numpy" in start["forbidden"]:
        watch, _ = evidence([[0.25, 0.5, 0.75, 1.25], np.arange(3.0)])
        watch(np.add, (np.arange(3.0), 1.0), np.arange(3.0) + 1.0)      # NumPy imports what it needs for the first time
        for value in (1.5, 2.5, 1.0, 1.5j, [0.5, 1.5, 2.5], np.eye(3), np.eye(3).cumsum(0)):
            watch(None, (), value)
        for name in [name for name in sys.modules if name.partition(".")[0] == "numpy"]:
            del sys.modules[name]
    sys.setrecursionlimit = Sealed(lambda limit: None)      # a loop has no such limit
    if torch is not None:
        forbid(start["forbidden"], foul, torch)
    question = None
    while True:
        try:
            if question is None:
                run(start["source"])
                answer([("answer", "loaded"), ("seen", []), ("work", [0, 0])])
            else:
                answer(answered(submission, question, names, meter, data))
        except BaseException as failure:        # of the submission, or of an answer that has no end
            meter.watch(None)
            answer([("raised", told(failure, submission))])
        question = following()
