"""Show operations to the profilers of vendors: each event becomes a range in NVTX (NVIDIA) or ITT (Intel).

The name of a range is pushed when an event begins, and popped when it ends:

    mul, seq = 5                              an operation: a node that it records gets the number 5
    MulBackward0, stashed seq = 5             that node, when it runs in a backward pass
    mul, seq = 0                              an operation inside the node, which records nothing
    mul, seq = 5, sizes = [[2, 3], []]        with record_shapes=True
    epoch                                     a block labelled by record_function (AccumulateGrad has no number either)

The library that talks to the profiler is a package of its own, imported the first time it is needed.  If it is
missing, there is a warning, and the program runs without ranges.
"""

import importlib

from minigrad._core.errors import error, warn
from minigrad._core.graph.listener import Listener
from minigrad._core.profiling.recorders import Emitter

__all__ = ["emit_itt", "emit_nvtx"]


def _text(name, kind, sequence, shapes):
    number = "" if kind == "user" or sequence < 0 else f", {'stashed ' if kind == 'node' else ''}seq = {sequence}"
    return f"{name}{number}" + (f", sizes = {shapes}" if shapes else "")


class _Ranges:
    """A context in which every event of this thread is a range; the ``package``, with functions to push and pop, comes
    from the vendor."""

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
            warn(f"{name}: no ranges are emitted, because the package {self.package}, through which they reach the "
                 f"profiler, is not installed. Install it: pip install {self.package} (or, in a clone of minigrad, "
                 "everything for profiling: pip install '.[profiling]').")
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

    Run the program under NVIDIA's Nsight Systems, for instance with ``nsys profile -t nvtx python train.py``, and its
    timeline will show the ranges.  Each range names its node: in the forward pass, ``mul, seq = 5`` is an operation
    whose node, if it records one, has the number 5; in the backward pass, ``MulBackward0, stashed seq = 5`` is that
    node.  Operations inside a backward pass record nothing and have ``seq = 0``, except with ``create_graph=True``.

    With ``enabled=False`` it does nothing.  With ``record_shapes=True`` ranges also show the shapes of their arguments,
    ``mul, seq = 5, sizes = [[2, 3], []]``: ``[]`` is a number, a 0-d tensor, or anything that is not a tensor.

    If the package ``nvtx`` is not installed, there are no ranges, and a warning says so.

    Raises: RuntimeError (MG505) if this thread is already being profiled, or on a second entry.

    Source of the names: PyTorch's documentation of ``emit_nvtx``, and its ``getNvtxStr``
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

    Run the program under Intel's VTune Profiler, and its timeline will show the tasks.  Arguments, names and errors
    are the same as for :class:`emit_nvtx`; the package is ``ittapi``.
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
