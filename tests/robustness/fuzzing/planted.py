"""Faults in what reads hostile input: each must be noticed within the inputs of its kind."""

import io
import os
import pickle
import sqlite3
from dataclasses import dataclass
from typing import Callable

import minigrad
from minigrad import serialization
from minigrad.autograd.profiler import nvprof
from minigrad.autograd.profiler_util import traces
from minigrad.homework import judge, wire
from minigrad.serialization import archive, safetensors, unpickler
from minigrad.viz import expressions, svg


@dataclass
class Fault:
    kind: str                   # of the inputs that must notice it
    shown: str                  # in what they say then
    plant: Callable


def replace(owner, name, value):
    setattr(owner, name, value)


def trusting(file, *_):
    return pickle.Unpickler(file).load()


def importing(self, module, name):
    return __import__(module)


def writing(path, load=nvprof.load_nvprof):
    try:
        return load(path)
    finally:
        open(f"{path}-shm", "wb").close()


def endless(path, source_of=judge.source_of):
    source = source_of(path)
    while "return" in source:
        pass
    return source


def greedy(self, place, size, array=archive.Archive.array):
    bytearray(1 << 40)
    return array(self, place, size)


def connected(place, connect=sqlite3.connect, **more):
    return connect(place.replace("immutable=1", "mode=rw"), **more)


def believing(x):
    return x


FAULTS = {
    "load runs the pickle": Fault("pickles", "pickle.find_class", lambda: replace(serialization, "_run", trusting)),
    "any name is imported": Fault("pickles", "it did harm: import", lambda: replace(
        unpickler.Machine, "find", importing)),
    "a tensor has more than the file": Fault("archives", "reaches beyond", lambda: replace(
        minigrad, "load", lambda file: minigrad.ones(1 << 20))),
    "a number is another": Fault("pickles", "was read, and not", lambda: replace(unpickler, "_whole", len)),
    "SQLite makes files": Fault("nvprof", "files appeared", lambda: replace(sqlite3, "connect", connected)),
    "memory is not bounded": Fault("archives", "MemoryError", lambda: replace(archive.Archive, "array", greedy)),
    "errors of Python come out": Fault("older files", "IndexError", lambda: replace(serialization, "FAULTS", ())),
    "a dtype is taken for another": Fault("safetensors", "is not what the file says", lambda: safetensors.DTYPES.update(
        F32=minigrad.int32)),
    "a header may be anything": Fault("safetensors", "TypeError", lambda: replace(safetensors, "damaged", TypeError)),
    "a trace leaves a file behind": Fault("nvprof", "it did harm: open", lambda: replace(
        minigrad.autograd.profiler, "load_nvprof", writing)),
    "times may be texts": Fault("nvprof", "TypeError", lambda: replace(nvprof, "_are", lambda *_: True)),
    "a notebook without end": Fault("notebooks", "no end within", lambda: replace(judge, "source_of", endless)),
    "answers are unpickled": Fault("answers", "pickle.find_class", lambda: replace(
        wire, "unpacked", lambda value: pickle.load(io.BytesIO(b"cos\ngetcwd\n)R.")))),
    "an expression is evaluated": Fault("command lines", "it did harm: exec", lambda: replace(
        expressions, "parsed", lambda text: eval(text, {}))),
    "names are not escaped": Fault("names in pages", "ParseError", lambda: replace(svg, "escape", believing)),
    "a trace can end a script": Fault("names in traces", "could be ended", lambda: replace(
        traces.json, "dumps", lambda value, dumps=traces.json.dumps, **more: Unchanged(dumps(value, **more)))),
    "a program is started": Fault("names in traces", "os.system", lambda: replace(
        traces, "_arrows", lambda events: [] if os.system("true") else [])),
}


class Unchanged(str):
    def replace(self, *_):
        return self
