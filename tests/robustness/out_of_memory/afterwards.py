"""What must be as before when an allocation has been refused: modes, levels, claims and gradients."""

import warnings

import numpy as np

import minigrad as torch
from tests.robustness.out_of_memory.passes import KEPT, M, W, X, leaf, loss
from minigrad._core.backward.hooks import pass_notes
from minigrad._core.dispatch.torch_function import mode_is_on
from minigrad._core.forward import dual_tensors
from minigrad._core.graph import listener
from minigrad._core.runtime import thread_state


def switches():
    return {"grad mode": torch.is_grad_enabled(), "inference mode": thread_state.is_inference(),
            "NumPy": tuple(np.geterr().values()), "levels": thread_state.levels(),
            "anomaly mode": thread_state.is_anomaly(), "saved-tensor hooks": thread_state.saved_hooks_depth(),
            "dual level": dual_tensors.level_is_open(), "listener": listener.listening(), "pass": pass_notes(),
            "allocator": np._core.multiarray.get_handler_name(), "warnings": len(warnings.filters),
            "dtype": torch.get_default_dtype(), "device": str(torch.get_default_device()),
            "autocast": torch.is_autocast_enabled("cpu"), "overrides": mode_is_on(),
            "accelerator": torch.cuda.is_available(), "threads": torch.get_num_threads()}


def forget():
    X.grad = W.grad = M.grad = None


def gradients():
    """Of a graph that was there before, of a fresh one, and of one with a view, a write and hooks."""
    forget()
    KEPT.backward(retain_graph=True)
    found = [X.grad.tolist(), W.grad.tolist()]
    forget()
    x, w = leaf(1., 2., 3.), leaf(4., 5., 6.)
    loss(x, w).backward()
    y = w * 2
    y.retain_grad()
    y[1:].mul_(3)
    y.register_hook(lambda g: g)
    y.sum().backward()
    return found + [x.grad.tolist(), w.grad.tolist(), y.grad.tolist()]


def other_gradients(expected):
    """What is wrong with them: a list, which is empty if nothing is."""
    try:
        return [] if gradients() == expected else ["gradients"]
    except Exception as e:
        return [f"gradients: {e}"]
