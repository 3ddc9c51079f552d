"""Automatic differentiation: the contents of ``torch.autograd``."""

from importlib import import_module as _import_module

from minigrad._core.errors.absent import absent as _absent
from minigrad.autograd import anomaly_mode, forward_ad, graph, why_no_grad
from minigrad.autograd.anomaly_mode import detect_anomaly, set_detect_anomaly
from minigrad.autograd.reverse import backward, grad
from minigrad.autograd.grad_mode import (enable_grad, enforce_grad_layout_policy, inference_mode,
                                         is_multithreading_enabled, no_grad, set_grad_enabled,
                                         set_multithreading_enabled)
from minigrad.autograd.function import Function, NestedIOFunction
from minigrad.autograd.gradcheck import GradcheckError, gradcheck, gradgradcheck
from minigrad.autograd.variable import Variable

__all__ = ["Variable", "Function", "backward", "grad", "NestedIOFunction", "detect_anomaly", "enable_grad",
           "enforce_grad_layout_policy", "GradcheckError", "gradcheck", "gradgradcheck", "inference_mode", "no_grad",
           "set_detect_anomaly", "set_grad_enabled", "set_multithreading_enabled"]

_LATER = ("engines", "functional", "profiler", "profiler_util")


def __getattr__(name):
    """Load what few programs need the first time it is used."""
    if name not in _LATER:
        raise _absent(__name__, name)
    return _import_module(f"minigrad.autograd.{name}")


def __dir__():
    return sorted({*globals(), *_LATER})
