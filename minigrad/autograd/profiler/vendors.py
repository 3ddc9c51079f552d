"""Show operations to profilers of the vendors: each event becomes a range in NVTX (NVIDIA) or ITT (Intel).

A range is a text that is pushed when an event begins, and popped when it ends:

    mul, seq = 5                              an operation: a node that it records gets the number 5
    MulBackward0, stashed seq = 5             that node, as it runs in a backward pass
    mul, seq = 0                              an operation inside it; with create_graph=True it would record a node
    mul, seq = 5, sizes = [[2, 3], []]        with record_shapes=True
    epoch                                     a block that record_function labels (AccumulateGrad has no number either)

The library that speaks to the profiler is a package of its own, which is imported when it is first needed.  Without
it a warning says so, and the program runs as it would, without ranges.
"""

import importlib

from minigrad._core.errors import error, warn
from minigrad._core.profiling import Listener
from minigrad._core.recorders import Emitter

__all__ = ["emit_itt", "emit_nvtx"]


def _text(name, kind, sequence, shapes):
    number = "" if kind == "user" or sequence < 0 else f", {'stashed ' if kind == 'node' else ''}seq = {sequence}"
    return f"{name}{number}" + (f", sizes = {shapes}" if shapes else "")


class _Ranges:
    """A context in which every event of this thread is a range; ``package``, and the functions that push and pop, are
    the vendor's."""

    package = vendor = None

    def __init__(self, enabled=True, record_shapes=False):
        self.enabled = enabled
        self.entered = False
        self.record_shapes = record_shapes

    def __enter__(self):
        if not self.enabled:
            return None
        name = type(self).__name__
        if self.entered:
            raise error("MG505", f"{name}: the {self.vendor} annotation context manager is not reentrant: it was "
                                 "entered before. Make a new one.")
        try:
            package = importlib.import_module(self.package)
        except ImportError:
            package = None
            warn(f"{name}: no ranges are emitted, because the package {self.package} is not installed, through which "
                 f"they reach the profiler. Install it: pip install {self.package} (or, in a clone of minigrad, what "
                 "all of its profiling needs: pip install '.[profiling]').")
        self._emitter = Listener() if package is None else Emitter(*self.functions(package), self.record_shapes)
        self._emitter.start()
        self.entered = True
        return self

    def __exit__(self, kind, value, traceback):
        if self.enabled:
            if not self.entered:
                raise error("MG505", f"{type(self).__name__}: the block was not entered. Use it as: with "
                                     f"{type(self).__name__}(): ...")
            self._emitter.stop()


class emit_nvtx(_Ranges):
    """A context in which every operation, every node of a backward pass and every label is an NVTX range.

    Run the program under NVIDIA's Nsight Systems, for instance, ``nsys profile -t nvtx python train.py``, and they are
    part of its timeline.  Each range says which node it belongs to: ``mul, seq = 5`` in the forward pass is an
    operation that gives its node, if it records one, the number 5; ``MulBackward0, stashed seq = 5`` in the backward
    pass is that node.  Operations inside a backward pass record nothing and have ``seq = 0``, except with
    ``create_graph=True``.

    ``enabled=False`` makes it do nothing.  With ``record_shapes=True`` ranges say the shapes of their arguments, too,
    ``mul, seq = 5, sizes = [[2, 3], []]``: ``[]`` stands for a number, a 0-d tensor, or anything that is not a tensor.

    Where the package ``nvtx`` is not installed, a warning says so, and there are no ranges.

    Raises: RuntimeError (MG505) where this thread is being profiled already, or on a second entry.

    Source of the texts: PyTorch's documentation of ``emit_nvtx``, and its ``getNvtxStr``
    (torch/csrc/profiler/util.cpp). """

    package = "nvtx"
    vendor = "NVTX"

    @staticmethod
    def functions(nvtx):
        def push(name, kind, sequence, shapes):
            nvtx.push_range(_text(name, kind, sequence, shapes), domain="minigrad")

        def pop():
            nvtx.pop_range(domain="minigrad")

        return push, pop


class emit_itt(_Ranges):
    """A context in which every operation, every node of a backward pass and every label is an ITT task.

    Run the program under Intel's VTune Profiler, and the tasks are part of its timeline.  Arguments, texts and errors
    are those of :class:`emit_nvtx`; the package is ``ittapi``.
    """

    package = "ittapi"
    vendor = "ITT"

    @staticmethod
    def functions(ittapi):
        domain = ittapi.domain("minigrad")

        def push(name, kind, sequence, shapes):
            ittapi.task_begin(domain, ittapi.string_handle(_text(name, kind, sequence, shapes)))

        def pop():
            ittapi.task_end(domain)

        return push, pop
