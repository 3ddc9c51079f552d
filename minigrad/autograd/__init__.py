"""Automatic differentiation: what ``torch.autograd`` offers."""

from minigrad.autograd import anomaly_mode, forward_ad, functional, graph, why_no_grad
from minigrad.autograd.anomaly_mode import detect_anomaly, set_detect_anomaly
from minigrad.autograd.reverse import backward, grad
from minigrad.autograd.grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
from minigrad.autograd.function import Function
from minigrad.autograd.gradcheck import GradcheckError, gradcheck, gradgradcheck
from minigrad.autograd.variable import Variable

__all__ = ["backward", "grad", "detect_anomaly", "set_detect_anomaly", "enable_grad", "inference_mode", "no_grad", "set_grad_enabled", "Function", "GradcheckError", "gradcheck",
           "gradgradcheck", "Variable"]
