"""Autocast: a block in which products are computed in 16 bits, and what would suffer from that in float32.

    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = x @ w                   is          x.to(torch.bfloat16) @ w.to(torch.bfloat16)

A function that has a rule below is called with tensors of another dtype; the casts are operations like others, so that
gradients come back in the dtypes that the tensors had.  Every other function takes what it is given.  It is the
functions that the program calls, and those that a composite is made of, that are cast, and nothing below them: the
backward pass has the dtypes of the forward pass.

How a call comes here, and costs nothing without autocast, is in _core/dispatch/torch_function.pyx.
"""

import functools
import weakref
from _thread import _local as local
from collections.abc import Iterable, Mapping

import numpy as np

from minigrad import dtypes
from minigrad._core.dispatch.composites import Composite
from minigrad._core.dispatch.op import Op
from minigrad._core.dispatch.overloads import Overloads
from minigrad._core.dispatch.torch_function import autocast_in_force, put_autocast
from minigrad._core.errors import error, warn
from minigrad._core.graph import Tensor
from minigrad._core.inplace.inplace_methods import WithInplace
from minigrad._core.runtime.scopes import Itself
from minigrad.dtypes import bfloat16, float16, float32, float64

__all__ = ["autocast", "autocast_decorator", "custom_bwd", "custom_fwd", "is_autocast_available"]

# ------------------------------------------------------------------------------ the rules

#: the functions whose operands become 16 bits wide: products, of which most of the time is spent
IN_LOWER_PRECISION = """
    addbmm addmm affine_grid baddbmm bmm chain_matmul conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d
    conv_transpose3d inner linalg_multi_dot linalg_vecdot linear lstm matmul mm multi_head_attention_forward prelu
    rnn_relu rnn_relu_cell rnn_tanh rnn_tanh_cell scaled_dot_product_attention tensordot"""

#: those whose operands become float32: losses, long sums and products, and what only has an algorithm in it
IN_FLOAT32 = """
    adaptive_avg_pool3d adaptive_max_pool3d avg_pool3d binary_cross_entropy binary_cross_entropy_with_logits cdist
    cholesky cholesky_inverse cholesky_solve cosine_embedding_loss cross_entropy ctc_loss fft_fft fft_fft2 fft_fftn
    fft_hfft fft_ifft fft_ifft2 fft_ifftn fft_ihfft fft_irfft fft_irfft2 fft_irfftn fft_rfft fft_rfft2 fft_rfftn
    fractional_max_pool2d fractional_max_pool3d geqrf grid_sample grid_sampler grid_sampler_2d grid_sampler_3d
    hinge_embedding_loss huber_loss inverse kl_div l1_loss linalg_cholesky linalg_cholesky_ex linalg_cond linalg_eig
    linalg_eigh linalg_eigvals linalg_eigvalsh linalg_householder_product linalg_inv linalg_inv_ex linalg_lstsq
    linalg_matrix_rank linalg_qr linalg_solve linalg_svd linalg_svdvals linalg_tensorinv linalg_tensorsolve lu_solve
    margin_ranking_loss max_pool3d max_unpool1d max_unpool2d max_unpool3d mse_loss multi_margin_loss
    multilabel_margin_loss nanquantile nll_loss orgqr ormqr pinverse poisson_nll_loss polar prod qr quantile
    reflection_pad1d reflection_pad2d replication_pad1d replication_pad2d replication_pad3d smooth_l1_loss
    soft_margin_loss stft svd trace triangular_solve triplet_margin_loss view_as_complex"""

#: those whose operands become as wide as the widest of them
IN_THE_WIDEST = "cat index_copy stack"

#: made of one of the functions above here, and not in PyTorch
AS_GIVEN = "multilabel_soft_margin_loss"


def _lower(tensors):
    return _here.dtype


def _as_given(tensors):
    return None


def _single(tensors):
    return float32


def _widest(tensors):
    """Float32 if one of them has it; in 16 bits there is no dtype above bfloat16 and float16."""
    found = {x.dtype for x in tensors if _is_eligible(x)}
    if float32 in found:
        return float32
    if found - {_here.dtype}:
        raise unexpected(found - {_here.dtype})
    return _here.dtype


#: name of a function -> the dtype in which it computes, by the tensors that it was given; None leaves them as they are
RULES = {name: rule for rule, names in ((_lower, IN_LOWER_PRECISION), (_single, IN_FLOAT32), (_widest, IN_THE_WIDEST),
                                        (_as_given, AS_GIVEN)) for name in names.split()}


# ------------------------------------------------------------------------------ a call

class _OfThread(local):
    """The settings of a thread, besides whether autocast is on."""

    def __init__(self):
        self.enabled = {}                       # of other devices, where nothing is computed
        self.dtypes = {"cpu": bfloat16}
        self.cache_enabled, self.cache, self.nesting = True, {}, 0

    @property
    def dtype(self):
        return self.dtypes["cpu"]


_here = _OfThread()


def _call(function, given, keywords):
    """The call in the dtype of its rule; NotImplemented where the function is made of others, which have rules."""
    rule, keywords = RULES.get(getattr(function, "__name__", None)), keywords or {}
    if rule is None and not isinstance(function, (Op, Overloads, WithInplace)):
        return NotImplemented
    if rule is not None and keywords.get("out") is None:
        dtype = rule([*_tensors_in(given), *_tensors_in(keywords.values())])
        if dtype is not None:
            given = [_cast(x, dtype) for x in given]
            keywords = {name: _cast(x, dtype) for name, x in keywords.items()}
    return function(*given, **keywords)


def _tensors_in(arguments):
    for x in arguments:
        if isinstance(x, Tensor):
            yield x
        elif type(x) in (list, tuple):
            yield from _tensors_in(x)


def _is_eligible(x):
    """Float64 is asked for on purpose, and stays."""
    return x.is_floating_point() and x.dtype is not float64 and x.device.type == "cpu"


def _cast(x, dtype):
    if type(x) in (list, tuple):
        return type(x)([_cast(each, dtype) for each in x])
    if not isinstance(x, Tensor) or not _is_eligible(x) or x.dtype is dtype:
        return x
    if _here.cache_enabled and dtype is _here.dtype and x.dtype is float32 and x.requires_grad and x.is_leaf:
        return _cast_once(x, dtype)
    return x.to(dtype)


def _cast_once(x, dtype):
    """A parameter is cast once in a block, however often it is used, unless it has been written to since."""
    held, version, found = _here.cache.get(id(x), (None, None, None))
    if held is not None and held() is x and version == x._version and found.dtype is dtype:
        return found
    found = x.to(dtype)
    if found.requires_grad and not x._is_view():            # recorded, and so of use wherever it is asked for next
        _here.cache[id(x)] = weakref.ref(x), x._version, found
    return found


# ------------------------------------------------------------------------------ a block

class autocast(Itself):
    """A block, or a function, in which the functions listed below compute in ``dtype`` or in float32.

    Products are computed in ``dtype``: ``matmul`` and its relatives, ``linear``, convolutions, attention and LSTMs.
    Losses, Fourier transforms, decompositions, ``prod``, ``quantile`` and pooling in three dims are computed in
    float32; ``cat``, ``stack`` and ``index_copy`` in the widest dtype among their tensors.  Everything else takes what
    it is given.  Float64 stays as it is, and so do calls in place and with ``out=``.  Call ``backward`` after the
    block: the backward pass has the dtypes of the forward pass anyway.

    Parameters
    ----------
    device_type : str
        ``"cpu"``; another device is accepted, and nothing is computed there.
    dtype : torch.dtype, optional
        ``torch.bfloat16``, the default, or ``torch.float16``.
    enabled : bool
        With False, computes in the dtypes that the tensors have, as outside.
    cache_enabled : bool
        Whether a parameter is cast once in a block, or each time.

    >>> w = torch.ones(2, 2, requires_grad=True)
    >>> with torch.autocast("cpu"):
    ...     y = torch.ones(2, 2) @ w
    ...     loss = torch.nn.functional.mse_loss(y, torch.zeros(2, 2))
    >>> y.dtype, loss
    (torch.bfloat16, tensor(4., grad_fn=<MseLossBackward0>))
    >>> loss.backward()
    >>> w.grad.dtype
    torch.float32
    """

    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        if not isinstance(device_type, str):
            raise not_a_device_type(device_type)
        self.device = dtypes.device(device_type).type
        self.fast_dtype = get_autocast_dtype(self.device) if dtype is None else dtype
        self._cache_enabled = _here.cache_enabled if cache_enabled is None else cache_enabled
        if enabled and self.device == "cuda":
            warn("CUDA is not available or torch_xla is imported. Disabling autocast.")
            enabled = False
        elif enabled and self.fast_dtype not in (bfloat16, float16):
            warn(f"In {self.device.upper()} autocast, but the target dtype is not supported. Disabling autocast.\n"
                 f"{self.device.upper()} Autocast only supports dtypes of torch.bfloat16, torch.float16 currently.")
            enabled = False
        self._enabled = enabled

    def _changes(self):
        check_enabled(self._enabled)
        check_dtype(self.fast_dtype)
        whether = ((put_autocast, _call if self._enabled else None) if self.device == "cpu"
                   else (_here.enabled, self.device, self._enabled))
        return (whether, (_here.dtypes, self.device, self.fast_dtype), (_here, "cache_enabled", self._cache_enabled),
                (_here, "nesting", _here.nesting + 1))

    def _left(self):
        if not _here.nesting:
            clear_autocast_cache()

    def __call__(self, func):
        if not callable(func):
            raise not_callable(func)
        return autocast_decorator(self, func)


def autocast_decorator(autocast_instance, func):
    """The function, each call of which is a block of ``autocast_instance``."""
    @functools.wraps(func)
    def within(*args, **kwargs):
        with autocast_instance:
            return func(*args, **kwargs)
    return within


def as_now():
    """A block with the autocast of now, for a function that runs again."""
    return autocast("cpu", get_autocast_dtype("cpu"), is_autocast_enabled("cpu"))


# ------------------------------------------------------------------------------ Functions

def custom_fwd(fwd=None, *, device_type, cast_inputs=None):
    """A decorator for the ``forward`` of a Function, which notes whether autocast is on, for ``custom_bwd``.

    With ``cast_inputs`` a forward that is called in an autocast block has its tensors cast to that dtype, and runs
    without autocast.

    >>> class Product(torch.autograd.Function):
    ...     @staticmethod
    ...     @torch.amp.custom_fwd(device_type="cpu", cast_inputs=torch.float32)
    ...     def forward(ctx, a, b):
    ...         return a @ b
    >>> with torch.autocast("cpu"):
    ...     Product.apply(torch.ones(2, 2), torch.ones(2, 2)).dtype
    torch.float32
    """
    if not isinstance(device_type, str):
        raise not_a_device_type(device_type)
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def noting(ctx, *args, **kwargs):
        on, ctx._dtype = is_autocast_enabled(device_type), get_autocast_dtype(device_type)
        ctx._fwd_used_autocast = on and cast_inputs is None
        if not on or cast_inputs is None:
            return fwd(ctx, *args, **kwargs)
        with autocast(device_type, enabled=False):
            return fwd(ctx, *_all_cast(args, device_type, cast_inputs), **_all_cast(kwargs, device_type, cast_inputs))
    return noting


def custom_bwd(bwd=None, *, device_type):
    """A decorator for the ``backward`` of a Function: autocast is on in it if it was on in the ``forward``."""
    if not isinstance(device_type, str):
        raise not_a_device_type(device_type)
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def as_in_forward(ctx, *args, **kwargs):
        with autocast(device_type, ctx._dtype, ctx._fwd_used_autocast):
            return bwd(ctx, *args, **kwargs)
    return as_in_forward


def _all_cast(value, device_type, dtype):
    """Tensors in any containers, cast."""
    if isinstance(value, Tensor):
        eligible = value.is_floating_point() and value.device.type == device_type and value.dtype is not float64
        return value.to(dtype) if eligible else value
    if isinstance(value, Mapping):
        return {_all_cast(key, device_type, dtype): _all_cast(x, device_type, dtype) for key, x in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, np.ndarray)):
        all_of_them = (_all_cast(x, device_type, dtype) for x in value)
        return type(value)(all_of_them) if isinstance(value, (list, tuple)) else all_of_them
    return value


# ------------------------------------------------------------------------------ questions and switches

_DEVICES = ("cpu", "cuda", "hpu", "ipu", "maia", "mps", "mtia", "xla", "xpu")


def is_autocast_available(device_type):
    """Whether there is autocast for such a device, even if there is no such device.

    >>> torch.amp.is_autocast_available("cpu"), torch.amp.is_autocast_available("meta")
    (True, False)
    """
    return as_device("_is_autocast_available", device_type) in _DEVICES


def is_autocast_enabled(device_type="cuda"):
    """Whether autocast is on for this device, in this thread.

    >>> with torch.autocast("cpu"):
    ...     torch.is_autocast_enabled("cpu"), torch.is_autocast_enabled()
    (True, False)
    """
    device = with_autocast("is_autocast_enabled", device_type)
    return autocast_in_force() is not None if device == "cpu" else _here.enabled.get(device, False)


def set_autocast_enabled(device_type, enabled=None):
    """Switch it on or off in this thread; ``torch.autocast`` does it for a block."""
    position = 1 if enabled is None else 2
    if enabled is None:
        device_type, enabled = "cuda", device_type
    check_enabled(enabled, position=position)
    device = with_autocast("set_autocast_enabled", device_type)
    if device == "cpu":
        put_autocast(_call if enabled else None)
    else:
        _here.enabled[device] = enabled


def get_autocast_dtype(device_type):
    """The dtype of products.

    >>> torch.get_autocast_dtype("cpu")
    torch.bfloat16
    """
    return _here.dtypes.get(with_autocast("get_autocast_dtype", device_type), float16)


def set_autocast_dtype(device_type, dtype):
    """The dtype of products from now on, in this thread."""
    check_dtype(dtype)
    _here.dtypes[with_autocast("set_autocast_dtype", device_type)] = dtype


def is_autocast_cache_enabled():
    """Whether a parameter is cast once in a block, or each time.

    >>> torch.is_autocast_cache_enabled()
    True
    """
    return _here.cache_enabled


def set_autocast_cache_enabled(enabled):
    """Say whether a parameter is cast once in a block, or each time."""
    check_enabled(enabled, "set_autocast_cache_enabled", 1)
    _here.cache_enabled = enabled


def clear_autocast_cache():
    """Cast parameters anew from now on; the end of the outermost block does it, too."""
    _here.cache.clear()


def autocast_increment_nesting():
    """A block begins; returns how many are open then.

    >>> torch.autocast_increment_nesting(), torch.autocast_decrement_nesting()
    (1, 0)
    """
    _here.nesting += 1
    return _here.nesting


def autocast_decrement_nesting():
    """A block ends; returns how many are still open."""
    _here.nesting -= 1
    return _here.nesting


def _of_before(name, new, device, signature=""):
    """A function of before there was autocast for every device."""
    def function(*args):
        now = f"{new.__name__}('{device}'{', ' if signature else ''}{signature})"
        warn(f"torch.{name}({signature}) is deprecated. Please use torch.{now} instead.", DeprecationWarning)
        return new(device, *args)
    function.__name__ = function.__qualname__ = name
    return function


get_autocast_cpu_dtype = _of_before("get_autocast_cpu_dtype", get_autocast_dtype, "cpu")
get_autocast_gpu_dtype = _of_before("get_autocast_gpu_dtype", get_autocast_dtype, "cuda")
is_autocast_cpu_enabled = _of_before("is_autocast_cpu_enabled", is_autocast_enabled, "cpu")
set_autocast_cpu_dtype = _of_before("set_autocast_cpu_dtype", set_autocast_dtype, "cpu", "dtype")
set_autocast_cpu_enabled = _of_before("set_autocast_cpu_enabled", set_autocast_enabled, "cpu", "enabled")
set_autocast_gpu_dtype = _of_before("set_autocast_gpu_dtype", set_autocast_dtype, "cuda", "dtype")


def as_device(function, device_type):
    """The type of the device that a string names."""
    if not isinstance(device_type, str):
        raise error("MG205", f"{function}(): argument 'device_type' (position 1) must be str, not "
                             f"{type(device_type).__name__}")
    return dtypes.device(device_type).type


def with_autocast(function, device_type):
    """The same; an error if there is no autocast for it."""
    device = as_device(function, device_type)
    if device not in _DEVICES:
        raise error("MG204", f"User specified an unsupported autocast device_type '{device}': {function}() takes one "
                             f"of {', '.join(_DEVICES)}")
    return device


def check_enabled(enabled, function="set_autocast_enabled", position=2):
    if not isinstance(enabled, bool):
        raise error("MG205", f"{function}(): argument 'enabled' (position {position}) must be bool, not "
                             f"{type(enabled).__name__}")


def check_dtype(dtype):
    if not isinstance(dtype, dtypes.dtype):
        raise error("MG205", "set_autocast_dtype(): argument 'dtype' (position 2) must be torch.dtype, not "
                             f"{type(dtype).__name__}")


# ------------------------------------------------------------------------------ errors

def not_a_device_type(device_type):
    return error("MG207", f"Expected `device_type` of type `str`, got: `{type(device_type)}`")


def not_callable(func):
    return error("MG205", f"autocast()(func) requires a callable, but got {type(func).__name__}. Did you mean to use "
                          "autocast as a context manager? For example:\n    with torch.autocast(device_type=...):\n"
                          "        output = model(input)")


def unexpected(found):
    others = ", ".join(sorted(map(repr, found)))
    return error("MG202", f"Unexpected floating ScalarType in at::autocast::prioritize: autocast computes in "
                          f"{_here.dtype!r}, and there is no dtype of 16 bits for that and {others}; convert these "
                          "tensors with .to() first")
