"""Devices besides the CPU: what their arrays are, and how an operation computes with them.

The payload of a tensor is an ndarray.  On another device it is one of a subclass, `DeviceArray`, with a class for each
device, so that `type(payload) is ndarray` tells the ordinary tensors, and no fast path takes any other.  A class says
what an operation makes of its arrays (`compute`) and how a result is written into one (`put`).  There are two kinds:
those of the device "meta", which have no numbers (meta.py), and those of a device that is pretended
(minigrad/cuda/pretending.py), whose numbers lie in the memory of the CPU.

Note [Operands on one device]
-----------------------------
The operands of a call must lie on one device.  A tensor of one number may come from the CPU, and is moved there by an
operation of its own, which is recorded; so on the way back its gradient returns to the CPU, and no formula has to know
about devices::

    x of cuda:0  ---------------+
                                 mul ---> on cuda:0
    s of the CPU --- to_device --+
"""

import numpy as np

from minigrad._core.dispatch.compute import DeviceArray
from minigrad._core.graph import Tensor, wrap

__all__ = ["DeviceArray", "array_on", "arrays_in", "constant", "made_on", "moved"]


def arrays_in(args):
    for x in args:
        if isinstance(x, np.ndarray):
            yield x
        elif type(x) is list:
            yield from arrays_in(x)


def payload_of(x):
    while isinstance(x, Tensor):
        x = x._array
    return x


# ------------------------------------------------------------------------------ arrays that a function makes for itself

#: device -> the class of its arrays, for all but the CPU
CLASSES = {}


def register(cls, device):
    """Tell of a device, a ``torch.device``, and the class of its arrays."""
    cls.device = device
    CLASSES[device] = cls


def array_on(device, array):
    """The ordinary array on this device; itself on the CPU."""
    return CLASSES[device].of(array) if device in CLASSES else array


def made_on(device, make):
    """``make``, such as ``np.zeros``, or what makes the same on this device."""
    cls = CLASSES.get(device)
    return make if cls is None else lambda *args, **kwargs: cls.make(make, *args, **kwargs)


def moved(array, device):
    """A copy of the array on this device."""
    source, target = type(array), CLASSES.get(device, np.ndarray)
    return (source if source is not np.ndarray else target).moved(array, target)


def constant(array, like):
    """A tensor of an array that a function has made for itself, and may keep, on the device of the tensor ``like``."""
    device = like.device
    return wrap(array_on(device, array.copy()) if device in CLASSES else array)
