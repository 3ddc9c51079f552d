"""A device that is pretended: its tensors lie in the memory of the CPU, and obey the rules of an accelerator.

A program for a GPU has three things to get right that a CPU never asks of it: its tensors must lie on one device, what
moves between devices moves by a call, and each move takes time.  Inside `pretend` all three can be seen without a GPU::

    with torch.cuda.pretend() as gpu:
        x = torch.ones(3, device="cuda")        x.device is cuda:0
        x + torch.ones(3)                       raises, as it does there
        x.cpu()                                 a copy, and gpu.to_host counts it

Nothing is faster here, and nothing is taken for a real device: outside the block ``torch.cuda.is_available()`` is
False, as before.  A tensor that outlives the block keeps its device and still computes.

An operation runs the kernels of the CPU on the same memory (`PretendedArray.compute`), so it gives the same numbers;
random numbers are those of the CPU's generator.
"""

import weakref
from typing import NamedTuple

import numpy as np

from minigrad._core.devices import device_arrays
from minigrad._core.devices.device_arrays import DeviceArray
from minigrad._core.dispatch.compute import count_across, on_arrays
from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.runtime.core_ops import meaning
from minigrad.dtypes.sizes_and_devices import CPU, CURRENT, PRETENDED, default_device, device, set_default

__all__ = ["Moves", "PretendedArray", "pretend"]


class Moves(NamedTuple):
    """How often something was copied between devices, and how many bytes that was."""

    calls: int = 0
    bytes: int = 0

    def and_one(self, n):
        return Moves(self.calls + 1, self.bytes + n)


# ------------------------------------------------------------------------------ arrays

#: the methods that return numbers, and not the memory that they are in
READING = {"item", "tolist", "bool", "int", "float", "complex", "index", "format", "in", "repr"}


class PretendedArray(DeviceArray):
    """An array of a pretended device; a class of its own for each of them."""

    memory = None                       # the Memory of the device

    @classmethod
    def of(cls, array):
        cls.memory.hold(owner(array))
        return array.view(cls)

    def on_host(self):
        """The same memory as an ordinary array."""
        return self.view(np.ndarray)

    @classmethod
    def moved(cls, array, target):
        copy = array.view(np.ndarray).copy(order="K")
        count("to_device" if type(array) is np.ndarray else "to_host" if target is np.ndarray else "between", copy)
        return copy if target is np.ndarray else target.of(copy)

    @classmethod
    def compute(cls, op, args):
        if getattr(op.kernel, "moves", False):
            return op.kernel(*args)
        result = on_arrays(op, *[change(x, PretendedArray.on_host) for x in args])
        return change(list(result) if isinstance(result, tuple) else result, cls.of, np.ndarray)

    @classmethod
    def together(cls, op, args):
        if getattr(op.kernel, "moves", False):
            return args
        writes = any([op.is_cast(i) for i in range(op.n_params)])      # as copy_ does, into whatever device self is on
        home = args[0].device if writes else cls.device
        return [fetched(op, i, x, home) for i, x in enumerate(args)]

    def values(self, what):
        if what not in READING:
            raise of_another_device(what, self.device)
        count("to_host", self)
        return self.on_host()

    def put(self, result):
        np.copyto(self.on_host(), np.asarray(result), casting="unsafe")


def change(x, function, kind=PretendedArray):
    """``function`` of an array of this kind, also in a list; anything else as it is."""
    if isinstance(x, list):
        return [change(each, function, kind) for each in x]
    return function(x) if isinstance(x, kind) else x


def fetched(op, i, x, home):
    """Operand ``i`` on the device ``home``; an error if it may not come from where it is."""
    if isinstance(x, list):
        return [fetched(op, i, each, home) for each in x]
    if not isinstance(x, Tensor) or x.device == home:
        return x
    where = x.device
    if op.types[i] == "Tensor?[]" and where.type == "cpu":              # positions, as in x[i]
        return x
    if not op.is_cast(i) and (where.type != "cpu" or x.ndim):
        raise two_devices(op, home, where)
    return meaning("to_device")(x, str(home), str(where))


def owner(array):
    """The array that owns the memory."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


# ------------------------------------------------------------------------------ what is counted


class Memory:
    """The bytes that the tensors of one device hold: now, and at most so far.  Each block counts from zero."""

    def __init__(self):
        self.held, self.peak, self.owners = 0, 0, set()

    def reset(self):
        self.peak = self.held

    def hold(self, array):
        key, n = id(array), array.nbytes
        if key in self.owners:
            return
        held = self.held + n
        peak = max(self.peak, held)
        self.owners.add(key)
        try:
            weakref.finalize(array, self.free, key, n)
        except BaseException:           # of memory, or an interrupt
            self.owners.discard(key)
            raise
        self.held, self.peak = held, peak
        count_across(1)

    def free(self, key, n):
        self.owners.remove(key)
        self.held -= n
        count_across(-1)


#: the block that is open
open_block = []


def count(way, array):
    if open_block:
        block = open_block[0]
        setattr(block, way, getattr(block, way).and_one(array.nbytes))


class pretend:
    """A block in which ``device="cuda"`` is a device in the memory of the CPU.

    ``to_device``, ``to_host`` and ``between`` count the copies between the CPU and the device, back, and from one
    device to another: each has ``calls`` and ``bytes``. What ``x.item()`` and printing read is counted as well.

    Parameters
    ----------
    devices : int
        How many there are: cuda:0, cuda:1 and so on.

    Raises
    ------
    ValueError
        If ``devices`` is not an int of at least one.
    RuntimeError
        If such a block is open already.

    Examples
    --------
    >>> with torch.cuda.pretend() as gpu:
    ...     x = torch.ones(3, device="cuda", requires_grad=True)
    ...     y = (2 * x).sum()
    ...     y.backward()
    ...     print(x.grad)
    ...     x + torch.ones(3)
    Traceback (most recent call last):
    minigrad._core.errors.AutogradRuntimeError: add(): Expected all tensors to be on the same device, but found ...
    >>> x.grad
    tensor([2., 2., 2.], device='cuda:0')
    >>> gpu.to_host
    Moves(calls=1, bytes=12)
    >>> torch.cuda.is_available()
    False
    """

    def __init__(self, devices=1):
        if type(devices) is not int or devices < 1:
            raise error("MG207", f"cuda.pretend(): devices must be an int of at least 1, not {devices!r}")
        self.devices = devices
        self.to_device = self.to_host = self.between = Moves()

    def __enter__(self):
        if open_block:
            raise error("MG404", "cuda.pretend(): devices are pretended already: such blocks cannot be nested")
        for number in range(self.devices):
            class_of(number).memory = Memory()
        try:
            PRETENDED[:] = [class_of(number).device for number in range(self.devices)]
            CURRENT[0] = 0
            open_block.append(self)
        except BaseException:           # of memory, or an interrupt
            close()
            raise
        return self

    def __exit__(self, kind, value, traceback):
        close()                         # first, since it cannot fail
        if default_device().type == "cuda":
            set_default(CPU)


# To look up a method would need memory.
leave_block, forget_devices = open_block.clear, PRETENDED.clear


def close():
    leave_block()
    forget_devices()


classes = []


def class_of(number):
    """The class of the arrays of cuda:``number``."""
    while len(classes) <= number:
        name = f"cuda:{len(classes)}"
        classes.append(type(f"PretendedArray{len(classes)}", (PretendedArray,), {"memory": Memory()}))
        device_arrays.register(classes[-1], device(name))
    return classes[number]


# ------------------------------------------------------------------------------ errors


def of_another_device(what, where):
    return error("MG402", f"can't convert {where} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to "
                          f"host memory first: {what}() is for tensors of the CPU")


def two_devices(op, first, second):
    return error("MG407", f"{op.shown}(): Expected all tensors to be on the same device, but found at least two "
                          f"devices, {first} and {second}! Move one of them with x.to({str(first)!r}), or make it "
                          "there with device=")
