"""Share memory with other libraries, by DLPack: ``from_dlpack``, ``to_dlpack``, and what other libraries ask.

``np.from_dlpack(tensor)``, or the same of JAX or CuPy, asks the tensor where it lies (``__dlpack_device__``) and then
for a capsule (``__dlpack__``); ``from_dlpack(array)`` asks the same of an array of theirs.  Nothing is copied, and the
memory lives as long as either side needs it.  What a capsule is, is in _core/runtime/dlpack.pyx.

The one idea is that of tensors/to_python.py: leaving the tensor means leaving the graph, so a tensor that requires grad
is not given away.
"""

from importlib import import_module

from minigrad import dtypes
from minigrad._core.dispatch.operands import unmasked
from minigrad._core.errors import error
from minigrad._core.graph import Tensor, wrap
from minigrad._core.runtime import dlpack
from minigrad._core.runtime.provided import provisions
from minigrad._lazy_modules import incomplete
from minigrad.creation import arrays
from minigrad.creation.arrays import KINDS, code_of
from minigrad.tensors.to_python import values

__all__ = ["from_dlpack", "to_dlpack"]

__getattr__ = incomplete(__name__, {"DLDeviceType": "minigrad.numpy_interface.dlpack_devices"})


#: where tensors lie: the first device of the kind "CPU"; dlpack_devices.py has all kinds
HERE = (1, 0)

#: the versions of the array API standard that minigrad.array_api implements; each contains those after it
VERSIONS = ("2024.12", "2023.12", "2022.12", "2021.12")


# --- What other libraries ask ------------------------------------------------------------------

def __dlpack_device__(self):
    """Where the tensor lies, in DLPack's numbers: on the CPU.

    >>> torch.ones(2).__dlpack_device__()
    (<DLDeviceType.kDLCPU: 1>, 0)
    """
    if self.is_meta:
        raise error("MG403", "Unknown device type meta for Dlpack: the tensor has no memory to share")
    return import_module("minigrad.numpy_interface.dlpack_devices").HERE


def __dlpack__(self, *, stream=-1, max_version=None, dl_device=None, copy=None):
    """A capsule with the memory of the tensor, for the ``from_dlpack`` of another library.

    >>> import numpy as np
    >>> x = torch.zeros(2)
    >>> np.from_dlpack(x)[0] = 5
    >>> x
    tensor([5., 0.])
    """
    if stream is not None and type(stream) is not int:
        raise error("MG205", f"stream must be ``int`` or ``none``, not {type(stream).__name__}")
    if stream not in (None, -1):
        raise error("MG405", f"stream should be None on cpu: it is {stream}, and only other devices have streams")
    if max_version is not None and not (isinstance(max_version, tuple) and max_version):
        raise error("MG205", f"__dlpack__(): max_version must be a tuple, such as (1, 0), or None, not {max_version!r}")
    if dl_device is not None and tuple(dl_device) != HERE:
        raise not_moved(dl_device, copy)
    if self.requires_grad:
        raise has_a_history()
    if self.is_meta:
        raise error("MG405", "Cannot pack tensors on meta: the tensor has no memory to share")
    array = values(self, "__dlpack__")
    if copy:
        array = array.copy()
    return _exported(array, self.dtype, max_version is not None and max_version[0] >= 1, bool(copy))


def to_device(self, device, /, *, stream=None):
    """The tensor itself, which is on the only device there is: the name that the array API standard has for ``to``.

    >>> x = torch.ones(2)
    >>> x.to_device("cpu") is x
    True
    """
    if stream is not None:
        raise error("MG405", f"to_device(): stream should be None on cpu: it is {stream!r}, and only other devices "
                             "have streams")
    return self.to(device)


def __array_namespace__(self, /, *, api_version=None):
    """The functions of the array API standard for tensors: ``minigrad.array_api``.

    >>> x = torch.tensor([3., 4.], requires_grad=True)
    >>> xp = x.__array_namespace__()
    >>> xp.linalg.vector_norm(x)
    tensor(5., grad_fn=<LinalgVectorNormBackward0>)
    """
    if api_version not in (None, *VERSIONS):
        raise error("MG207", f"__array_namespace__(): minigrad has the array API of {VERSIONS[0]}, and not of "
                             f"{api_version!r}")
    return provisions.array_api()


def _exported(array, kind, versioned, copied=False):
    if not (versioned or array.flags.writeable):
        raise cannot_say_read_only()
    return dlpack.export(array, code_of(kind), versioned, copied)


# --- The functions -----------------------------------------------------------------------------

def to_dlpack(tensor):
    """A capsule with the memory of the tensor, of the first version of DLPack.

    ``from_dlpack(tensor)`` needs none.

    >>> torch.utils.dlpack.to_dlpack(torch.ones(2))
    <capsule object "dltensor" at ...>
    """
    if not isinstance(tensor, Tensor):
        raise error("MG205", f"to_dlpack(): argument 'tensor' must be Tensor, not {type(tensor).__name__}")
    return tensor.__dlpack__()


def from_dlpack(ext_tensor, *, device=None, copy=None):
    """A tensor on the memory of an array of another library, or of a capsule: nothing is copied.

    ``copy=True`` copies, and ``copy=False`` raises if the other library would have to.

    >>> import numpy as np
    >>> array = np.arange(3.)
    >>> x = torch.from_dlpack(array)
    >>> x[0] = 7
    >>> array
    array([7., 1., 2.])
    """
    if not hasattr(ext_tensor, "__dlpack__"):
        if device is not None or copy is not None:
            raise error("MG405", "device and copy kwargs not supported when ext_tensor is already a DLPack capsule.")
        return _tensor_on(dlpack.take(ext_tensor, KINDS))
    unmasked(ext_tensor, "from_dlpack()")
    if device is not None:
        dtypes.as_device(device, "from_dlpack")
    place = ext_tensor.__dlpack_device__()
    if tuple(place) != HERE:
        raise error("MG405", f"from_dlpack(): the array is on device {tuple(place)} of DLPack, and minigrad computes "
                             "on the CPU, (1, 0): copy it there first")
    options = {"max_version": (1, 0)}
    if copy is not None:
        options["copy"] = copy
    array = dlpack.take(_capsule_of(ext_tensor, options), KINDS)
    return _tensor_on(array.copy() if copy and "copy" not in options else array)


def _capsule_of(producer, options):
    """What the library of ``producer`` exports, asked with as many options as it knows; the others are taken away."""
    while options:
        try:
            return producer.__dlpack__(**options)
        except TypeError:
            options.popitem()
    return producer.__dlpack__()


def _tensor_on(array):
    arrays.shareable(array)
    return wrap(array)


METHODS = {"__dlpack__": __dlpack__, "__dlpack_device__": __dlpack_device__, "to_device": to_device,
           "__array_namespace__": __array_namespace__}


# ------------------------------------------------------------------------------ errors


def has_a_history():
    return error("MG405", "Can't export tensors that require gradient, use tensor.detach(): another library does not "
                          "record, so gradients would silently stop there; detach() says that you mean it.")


def not_moved(dl_device, copy):
    if copy is False:
        return error("MG403", f"cannot move (i.e. copy=False) tensor from cpu to device {tuple(dl_device)} of DLPack "
                              "without copying.")
    return error("MG404", f"__dlpack__(): no device {tuple(dl_device)} of DLPack is available: tensors are on the CPU, "
                          "(1, 0)")


def cannot_say_read_only():
    return error("MG405", "Can't export read-only memory to a library that knows no version 1 of DLPack: it would be "
                          "written to. Export a copy: __dlpack__(copy=True), or tensor.clone().")
