"""Settings of PyTorch that a program makes in its first lines: default device, determinism, precision, warnings.

There is one device and one way to compute, so most of these settings have one value, which they accept and report.
What would need another one is refused, since a program that asks for it relies on it.
"""

from minigrad import dtypes
from minigrad._core.errors import error, warn
from minigrad._core.graph import Tensor
from minigrad._core.runtime import thread_state
from minigrad.creation.typed import TYPE_NAMES, tensortype

__all__ = ["are_deterministic_algorithms_enabled", "compile", "compiled_with_cxx11_abi", "get_default_device",
           "get_deterministic_debug_mode", "get_float32_matmul_precision", "has_lapack", "has_mkl", "has_openmp",
           "has_spectral", "is_deterministic_algorithms_warn_only_enabled", "is_storage", "is_warn_always_enabled",
           "set_anomaly_enabled", "set_default_device", "set_deterministic_debug_mode",
           "set_float32_matmul_precision", "set_flush_denormal", "set_warn_always", "typename",
           "use_deterministic_algorithms"]

#: NumPy brings LAPACK and Fourier transforms; Intel's library and OpenMP are not used.
has_lapack, has_spectral, has_mkl, has_openmp = True, True, False, False

_DEBUG_MODES = ("default", "warn", "error")
_COMPILE_MODES = ("default", "lite", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs")
_BACKENDS = ("aot_eager", "aot_ts", "cudagraphs", "eager", "inductor", "onnxrt", "openxla", "tvm")
_PRECISIONS = ("highest", "high", "medium")
_settings = {"debug_mode": 0, "precision": "highest", "warn_always": False}


def set_default_device(device):
    """Where tensors of this thread are made if a call does not say: on the CPU, or on "meta", without numbers.

    >>> torch.set_default_device("cpu")
    >>> torch.get_default_device()
    device(type='cpu')
    >>> torch.set_default_device("cuda")
    Traceback (most recent call last):
    minigrad._core.errors.DeviceError: set_default_device(): no device 'cuda' is available: ...
    """
    dtypes.set_default(dtypes.CPU if device is None else dtypes.placed(device, "set_default_device"))


def get_default_device():
    """Where tensors are made if a call does not say.

    >>> torch.get_default_device().type
    'cpu'
    """
    return dtypes.default_device()


def use_deterministic_algorithms(mode, *, warn_only=False):
    """Ask for results that are the same each time.  They always are: a sum has one order, however many threads add.

    >>> torch.use_deterministic_algorithms(True)
    >>> torch.are_deterministic_algorithms_enabled()
    True
    >>> torch.use_deterministic_algorithms(False)
    """
    for argument, value in (("mode", mode), ("warn_only", warn_only)):
        if not isinstance(value, bool):
            raise error("MG205", f"use_deterministic_algorithms(): argument '{argument}' must be bool, not "
                                 f"{type(value).__name__}")
    _settings["debug_mode"] = 0 if not mode else 1 if warn_only else 2


def are_deterministic_algorithms_enabled():
    """Has the program asked for them?

    >>> torch.are_deterministic_algorithms_enabled()
    False
    """
    return _settings["debug_mode"] != 0


def is_deterministic_algorithms_warn_only_enabled():
    """Has the program asked for them with ``warn_only=True``?

    >>> torch.is_deterministic_algorithms_warn_only_enabled()
    False
    """
    return _settings["debug_mode"] == 1


def set_deterministic_debug_mode(debug_mode):
    """``use_deterministic_algorithms`` by name, "default", "warn" or "error", or by number, 0, 1 or 2.

    >>> torch.set_deterministic_debug_mode("error")
    >>> torch.get_deterministic_debug_mode()
    2
    >>> torch.set_deterministic_debug_mode(0)
    """
    if not isinstance(debug_mode, (int, str)):
        raise error("MG205", f"debug_mode must be str or int, but got {type(debug_mode).__name__}")
    if isinstance(debug_mode, str):
        if debug_mode not in _DEBUG_MODES:
            raise error("MG204", "invalid value of debug_mode, expected one of `default`, `warn`, `error`, but got "
                                 f"{debug_mode}")
        debug_mode = _DEBUG_MODES.index(debug_mode)
    if debug_mode not in (0, 1, 2):
        raise error("MG204", f"invalid value of debug_mode, expected 0, 1, or 2, but got {debug_mode}")
    _settings["debug_mode"] = debug_mode


def get_deterministic_debug_mode():
    """0 for "default", 1 for "warn", 2 for "error".

    >>> torch.get_deterministic_debug_mode()
    0
    """
    return _settings["debug_mode"]


def set_float32_matmul_precision(precision):
    """"highest", "high" or "medium".  Products of float32 matrices are computed in float32, whatever is set.

    >>> torch.set_float32_matmul_precision("high")
    >>> torch.get_float32_matmul_precision()
    'high'
    >>> torch.set_float32_matmul_precision("highest")
    """
    if precision in _PRECISIONS:
        _settings["precision"] = precision
    else:
        warn(f"{precision} is not one of 'highest', 'high', or 'medium'; set_float32_matmul_precision has no effect")


def get_float32_matmul_precision():
    """What ``set_float32_matmul_precision`` was given.

    >>> torch.get_float32_matmul_precision()
    'highest'
    """
    return _settings["precision"]


def set_flush_denormal(mode):
    """False, which says that it could not be set: numbers below the smallest normal one are kept, as NumPy has them.

    >>> torch.set_flush_denormal(True)
    False
    """
    if not isinstance(mode, bool):
        raise error("MG205", f"set_flush_denormal expects a bool, but got {type(mode).__name__}")
    return False


def set_warn_always(b, /):
    """Whether warnings should be repeated.  Python's filters decide that, as for any library.

    >>> torch.set_warn_always(False)
    """
    if not isinstance(b, bool):
        raise error("MG205", f"setWarnOnlyOnce expects a bool, but got {type(b).__name__}")
    _settings["warn_always"] = b


def is_warn_always_enabled():
    """What ``set_warn_always`` was given.

    >>> torch.is_warn_always_enabled()
    False
    """
    return _settings["warn_always"]


def set_anomaly_enabled(mode, check_nan=True):
    """Turn anomaly mode on or off, until further notice: see :func:`torch.autograd.set_detect_anomaly`.

    >>> torch.set_anomaly_enabled(False)
    """
    thread_state.set_anomaly(bool(mode), bool(check_nan))


def compiled_with_cxx11_abi():
    """True, as in every build of PyTorch by now.

    >>> torch.compiled_with_cxx11_abi()
    True
    """
    return True


def is_storage(obj, /):
    """False: the memory of a tensor is a NumPy array.

    >>> torch.is_storage(torch.ones(2))
    False
    """
    return False


def typename(obj, /):
    """The type of an object as text, that of a tensor as PyTorch names it.

    >>> torch.typename(torch.ones(2)), torch.typename([1])
    ('torch.FloatTensor', 'list')
    """
    if isinstance(obj, Tensor):
        return f"torch.{TYPE_NAMES[obj.dtype.name]}Tensor"
    if isinstance(obj, tensortype):
        return f"torch.{obj.__name__}"
    named = obj if hasattr(obj, "__qualname__") and hasattr(obj, "__module__") else type(obj)
    module = "" if named.__module__ == "builtins" else named.__module__.replace("minigrad", "torch", 1) + "."
    return module + named.__qualname__


def compile(model=None, *, fullgraph=False, dynamic=None, backend="inductor", mode=None, options=None, name=None,
            disable=False, recompile_limit=None, isolate_recompiles=False, shapes_spec=None):
    """The function or module itself: nothing is compiled.  It may be used as a decorator, with or without arguments.

    >>> @torch.compile
    ... def double(x):
    ...     return 2 * x
    >>> double(torch.ones(2))
    tensor([2., 2.])
    """
    if mode is not None and options is not None:
        raise error("MG204", "Either mode or options can be specified, but both can't be specified at the same time.")
    if mode is not None and mode not in _COMPILE_MODES:
        raise error("MG204", f"Unrecognized mode={mode}, should be one of: {', '.join(_COMPILE_MODES)}")
    if isinstance(backend, str) and backend not in _BACKENDS:
        raise error("MG204", f"Invalid backend: {backend!r}, see `torch._dynamo.list_backends()` for available "
                             f"backends: {', '.join(_BACKENDS)}. (Nothing is compiled here, with any of them.)")
    if model is None:
        return lambda model: model
    if not callable(model):
        raise error("MG205", f"A callable function is expected, but {type(model)} is provided")
    return model
