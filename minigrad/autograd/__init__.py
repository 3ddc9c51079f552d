"""Automatic differentiation: the contents of ``torch.autograd``.

What runs when these are called is in the core, mostly in ``_core/graph`` and ``_core/backward``.  Here is what programs
write:

- ``reverse``: ``backward`` and ``grad``, the two ways to start a backward pass
- ``grad_mode``: recording off and on: no_grad, enable_grad, inference_mode
- ``function``: operations of your own, with their derivatives
- ``graph``: nodes, hooks, and saved tensors
- ``forward_ad``: forward mode, by dual tensors
- ``functional``: Jacobians, Hessians, and their products with vectors
- ``gradcheck``: a derivative checked against differences of the function
- ``anomaly_mode``: the line of the forward pass that caused an error in the backward pass
- ``digits``: the line where a number lost its digits, forward or backward
- ``why_no_grad``: in plain words, why ``x.grad`` is None
- ``profiler``: where the time goes
- ``profiler_util``: the results of a profile: events, averages, tables
- ``engines``: an engine of your own in place of minigrad's
- ``variable``: ``Variable``, from before tensors had gradients
"""

from minigrad._lazy_modules import incomplete as _incomplete
from minigrad.autograd import graph, why_no_grad
from minigrad.autograd.reverse import backward, grad
from minigrad.autograd.grad_mode import (enable_grad, enforce_grad_layout_policy, inference_mode,
                                         is_multithreading_enabled, no_grad, set_grad_enabled,
                                         set_multithreading_enabled)

__all__ = ["Variable", "Function", "backward", "grad", "NestedIOFunction", "detect_anomaly", "enable_grad",
           "enforce_grad_layout_policy", "GradcheckError", "grad_mode", "gradcheck", "gradgradcheck", "inference_mode",
           "no_grad", "set_detect_anomaly", "set_grad_enabled", "set_multithreading_enabled"]

# What the first tensor does not need is loaded the first time that it is used.
__getattr__ = _incomplete(__name__, {
    **{name: f"minigrad.autograd.{name}" for name in (
        "anomaly_mode", "engines", "forward_ad", "function", "functional", "profiler", "profiler_util", "variable")},
    **dict.fromkeys(("Function", "NestedIOFunction"), "minigrad.autograd.function"),
    **dict.fromkeys(("detect_anomaly", "set_detect_anomaly"), "minigrad.autograd.anomaly_mode"),
    **dict.fromkeys(("GradcheckError", "gradcheck", "gradgradcheck"), "minigrad.autograd.gradcheck:__dict__"),
    "digits": "minigrad.autograd.digits:__dict__",
    "Variable": "minigrad.autograd.variable",
})
