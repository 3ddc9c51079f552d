"""minigrad: learn automatic differentiation by reading it.

With ``import minigrad as torch``, the examples in the documentation of ``torch.autograd`` run as written.  The library
is built in floors, and a file imports only from those below::

    distributions  viz  homework  exercises        built on all of it
    nn  optim  linalg  fft  serialization  utils   what programs are made of
    func                                           transforms of functions: vmap, jvp, hessian
    autograd                                       backward and grad, Function, grad modes, gradcheck, the profiler
    tensors  creation  random  numpy_interface     making and using tensors
    notation                                       the formulas of the table in textbook notation
    ops                                            the table: one row for each operation, with its derivative
    dtypes                                         the kinds of numbers, sizes and devices
    _core                                          what runs for every row; it has floors of its own

So what makes tensors lies below autograd, and knows nothing of it.  This file only collects names:
``_core/graph/graph.pyx`` defines tensors, ``ops/kinds.py`` defines operations, and gradients flow in
``_core/backward/engine.pyx``.
"""

import gc as _gc
from math import e, inf, nan, pi

# What is made here stays: to look for garbage among it, time and again, would take an eighth of the time.
_collects = _gc.isenabled()
_gc.disable()
try:
    from minigrad import _lazy_modules, _paths, dtypes, ops
    from minigrad import _tensor                    # gives Tensor its methods
    from minigrad._core.dispatch.torch_function import DisableTorchFunction, DisableTorchFunctionSubclass
    from minigrad._core.errors import MinigradError
    from minigrad._core.graph import Tensor
    from minigrad._core.runtime import provided as _provided
    from minigrad._core.runtime.thread_pool import (get_num_interop_threads, get_num_threads, set_num_interop_threads,
                                                    set_num_threads)
    from minigrad._core.runtime.thread_state import (checks_nan as is_anomaly_check_nan_enabled,
                                                     is_anomaly as is_anomaly_enabled, is_grad_enabled,
                                                     is_inference as is_inference_mode_enabled)
    from minigrad.ops.exports import INPLACE_FUNCTIONS as _INPLACE_FUNCTIONS, REGISTRY as _REGISTRY
    from minigrad.ops.lazy import let_bind as _let_bind
    from minigrad.version import __version__

    globals().update(_REGISTRY)
    globals().update({name: getattr(Tensor, name) for name in _INPLACE_FUNCTIONS})
    globals().update(dtypes.NAMES)

    from minigrad._tensor import is_complex, is_floating_point, is_tensor, numel
    from minigrad.creation import *
    from minigrad.creation.buffers import *
    from minigrad.creation.typed import *
    from minigrad.dtypes import *
    from minigrad.numpy_interface.dlpack import from_dlpack, to_dlpack
    from minigrad.random import (Generator, default_generator, get_rng_state, initial_seed, manual_seed, rand,
                                 rand_like, randint, randint_like, randn, randn_like, randperm, seed, set_rng_state)
    from minigrad.tensors.attributes import get_device, is_inference
    from minigrad.tensors.printing import set_printoptions
    from minigrad import autograd
    from minigrad.autograd import enable_grad, inference_mode, no_grad, set_grad_enabled
finally:
    if _collects:
        if not _gc.get_freeze_count():
            _gc.freeze()                        # all that there is is old now: it is looked at with what is old
            _gc.unfreeze()
        _gc.enable()

for _name in ("atleast_1d", "atleast_2d", "atleast_3d", "block_diag", "broadcast_tensors", "cartesian_prod", "cdist",
              "chain_matmul", "einsum", "meshgrid", "norm", "split", "stft", "tensordot", "unique",
              "unique_consecutive", "unravel_index"):
    _let_bind(globals()[_name])                     # functions of Python in PyTorch
newaxis = None
legacy_contiguous_format = contiguous_format

_SETTINGS = (
    "are_deterministic_algorithms_enabled", "compile", "compiled_with_cxx11_abi", "get_default_device",
    "get_deterministic_debug_mode", "get_float32_matmul_precision", "has_lapack", "has_mkl", "has_openmp",
    "has_spectral", "is_deterministic_algorithms_warn_only_enabled", "is_storage", "is_warn_always_enabled",
    "set_anomaly_enabled", "set_default_device", "set_deterministic_debug_mode", "set_float32_matmul_precision",
    "set_flush_denormal", "set_warn_always", "typename", "use_deterministic_algorithms"
)
_AUTOCAST = (
    "autocast_decrement_nesting", "autocast_increment_nesting", "clear_autocast_cache", "get_autocast_cpu_dtype",
    "get_autocast_dtype", "get_autocast_gpu_dtype", "is_autocast_cache_enabled", "is_autocast_cpu_enabled",
    "is_autocast_enabled", "set_autocast_cache_enabled", "set_autocast_cpu_dtype", "set_autocast_cpu_enabled",
    "set_autocast_dtype", "set_autocast_enabled", "set_autocast_gpu_dtype"
)
_FUNCTIONAL = {
    "inplace_activations:IN_PLACE": "celu_ selu_ threshold_", "randomized_relu": "rrelu rrelu_",
    "dropouts": "native_dropout",
    "dropouts:TOP_LEVEL": "alpha_dropout alpha_dropout_ dropout dropout_ feature_alpha_dropout feature_alpha_dropout_ "
                          "feature_dropout feature_dropout_",
    "rnn": "gru gru_cell lstm lstm_cell rnn_relu rnn_relu_cell rnn_tanh rnn_tanh_cell"
}
_FOREACH = ("abs acos add addcdiv addcmul asin atan ceil clamp_max clamp_min cos cosh div erf erfc exp expm1 floor "
            "frac lerp lgamma log log10 log1p log2 maximum minimum mul neg pow reciprocal round rsqrt sigmoid sign sin "
            "sinh sqrt sub tan tanh trunc")
#: what the first tensor does not need -> the module that is loaded when it is first used
_LATER = {"GradScaler": "amp", "as_torch": "_as_torch", "autocast": "amp", "check_engine": "autograd.engines",
          "UntypedStorage": "storage", "explain": "viz", "load": "serialization", "save": "serialization",
          "use_engine": "autograd.engines", "vmap": "func", "windows": "signal",
          **dict.fromkeys(_SETTINGS, "environment"), **dict.fromkeys(_AUTOCAST, "amp.autocast_mode"),
          **dict.fromkeys(("_assert", "_assert_async", "_check", "_check_index", "_check_is_size",
                           "_check_not_implemented", "_check_tensor_all", "_check_type", "_check_value",
                           "_check_with"), "_checks"),
          **dict.fromkeys([f"_foreach_{name}{ending}" for name in _FOREACH.split() for ending in ("", "_")]
                          + ["_foreach_" + name for name in "clone copy_ max mm norm powsum zero_".split()],
                          "_foreach"),
          **dict.fromkeys(("arange", "eye", "linspace", "logspace", "range", "tril_indices", "triu_indices"),
                          "creation.ranges"),
          **dict.fromkeys(("bartlett_window", "blackman_window", "hamming_window", "hann_window", "kaiser_window"),
                          "creation.windows"),
          **dict.fromkeys(("bernoulli", "normal"), "random.elementwise"),
          **dict.fromkeys(("_dirichlet_grad", "_sample_dirichlet", "_standard_gamma", "_standard_gamma_grad",
                           "binomial", "multinomial", "poisson"), "random.distributions"),
          **dict.fromkeys(("pca_lowrank", "svd_lowrank"), "linalg.low_rank"),
          **{name: f"nn.functional.{place}" for place, names in _FUNCTIONAL.items() for name in names.split()},
          **{module: module for module in ("_C", "__config__", "_utils", "accelerator", "amp", "array_api", "backends",
                                           "compiler", "cpu", "cuda", "distributed", "distributions", "exercises",
                                           "fft", "func", "functional", "futures", "homework", "hub", "jit",
                                           "library", "linalg", "masked", "memory",
                                           "mps", "multiprocessing", "nn", "optim", "overrides", "profiler",
                                           "quasirandom", "serialization", "signal", "special", "storage", "testing",
                                           "torch_version", "types",
                                           "utils", "viz", "xpu")}}
_MODULES = type(_paths), _lazy_modules.Incomplete
#: what a star import brings: no modules, so that Python's own `random` and `types` remain
__all__ = [name for name, value in globals().items() if name[0] != "_" and type(value) not in _MODULES]
__all__ += [name for name, place in _LATER.items() if name != place and name[0] != "_"]

__getattr__ = _lazy_modules.incomplete(__name__, {name: f"minigrad.{place}" for name, place in _LATER.items()})

_provided.provide(
    tell_origin=lambda *args: autograd.anomaly_mode.tell_origin(*args),
    refuse_nan=lambda *args: autograd.anomaly_mode.refuse_nan(*args),
    array_api=lambda: __getattr__("array_api"), vmap=lambda *args, **kwargs: __getattr__("vmap")(*args, **kwargs),
)
_provided.check_provided()
