"""A loss that is multiplied, so that its gradients do not become zeros in 16 bits."""

import math
import struct
from collections.abc import Iterable
from enum import Enum

from minigrad import dtypes
from minigrad._core.errors import error, warn
from minigrad._core.graph import Tensor
from minigrad.autograd import no_grad
from minigrad.creation import full

__all__ = ["GradScaler", "OptState"]


class OptState(Enum):
    """What was called last for an optimizer: nothing since ``update``, ``unscale_``, or ``step``."""

    READY, UNSCALED, STEPPED = 0, 1, 2


class GradScaler:
    """Multiplies a loss, so that small gradients do not become zeros in 16 bits; the optimizer's are divided.

        scaler.scale(loss).backward()
        scaler.step(optimizer)              # no step if a gradient is inf or nan
        scaler.update()                     # then the scale is reduced; after many good steps it is increased

    Parameters
    ----------
    device : str
        With ``"cuda"``, the default, a warning says that there is none, and the scaler is disabled: it returns the
        loss as it is, and ``step`` is the optimizer's.  With ``"cpu"`` it works.
    init_scale : float
    growth_factor, backoff_factor : float
        By what the scale is multiplied, after ``growth_interval`` good steps in turn, and after a bad one.
    growth_interval : int
    enabled : bool

    >>> w = torch.tensor([1.], requires_grad=True)
    >>> scaler, optimizer = torch.amp.GradScaler("cpu", init_scale=8.), torch.optim.SGD([w], lr=0.5)
    >>> scaler.scale((w * 2).sum()).backward()
    >>> w.grad
    tensor([16.])
    >>> scaler.step(optimizer)
    >>> scaler.update()
    >>> w
    tensor([0.], requires_grad=True)
    """

    def __init__(self, device="cuda", init_scale=2.**16, growth_factor=2., backoff_factor=0.5, growth_interval=2000,
                 enabled=True):
        if enabled and device == "cuda":
            warn("torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.")
            enabled = False
        if enabled and growth_factor <= 1:
            raise error("MG713", "The growth factor must be > 1.0.")
        if enabled and backoff_factor >= 1:
            raise error("MG713", "The backoff factor must be < 1.0.")
        self._enabled, self._scale, self._begun, self._good_steps = enabled, float(init_scale), False, 0
        self._growth_factor, self._backoff_factor = growth_factor, backoff_factor
        self._growth_interval = growth_interval
        self._stages = {}                       # id of an optimizer -> (what was called last, is a gradient not finite)

    def scale(self, outputs):
        """The scaled tensor, or a list or tuple of scaled tensors."""
        if not self._enabled:
            return outputs
        if isinstance(outputs, Tensor):
            if not self._begun:
                self._scale = as_scale(self._scale)
            self._begun = True
            return outputs * self._scale
        if not isinstance(outputs, Iterable):
            raise error("MG207", "outputs must be a Tensor or an iterable of Tensors")
        scaled = map(self.scale, outputs)
        return type(outputs)(scaled) if isinstance(outputs, (list, tuple)) else scaled

    def unscale_(self, optimizer):
        """Take the scale out of the gradients now, to clip them for instance; ``step`` does it otherwise."""
        if not self._enabled:
            return
        self._must_have_begun("unscale_")
        stage, _ = self._stages.get(id(optimizer), (OptState.READY, False))
        if stage == OptState.UNSCALED:
            raise error("MG713", "unscale_() has already been called on this optimizer since the last update().")
        if stage == OptState.STEPPED:
            raise error("MG713", "unscale_() is being called after step().")
        gradients = [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        if any(gradient.dtype is dtypes.float16 for gradient in gradients):
            raise error("MG207", "Attempting to unscale FP16 gradients. Keep the parameters in float32, and convert "
                                 "them to float16 in the forward pass.")
        if not gradients:
            raise error("MG713", "No inf checks were recorded for this optimizer: none of its parameters has a "
                                 "gradient. Call backward() on the scaled loss first.")
        finite = True
        with no_grad():
            for gradient in gradients:
                finite = finite and bool(gradient.isfinite().all())
                gradient.mul_(in_float32(1 / self._scale) if self._scale else math.inf)
        self._stages[id(optimizer)] = OptState.UNSCALED, not finite

    def step(self, optimizer, *args, **kwargs):
        """``optimizer.step`` with unscaled gradients, unless one of them is inf or nan."""
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise error("MG713", "Closure use is not currently supported if GradScaler is enabled.")
        self._must_have_begun("step")
        stage, _ = self._stages.get(id(optimizer), (OptState.READY, False))
        if stage == OptState.STEPPED:
            raise error("MG713", "step() has already been called since the last update().")
        if stage == OptState.READY:
            self.unscale_(optimizer)
        _, overflow = self._stages[id(optimizer)]
        result = None if overflow else optimizer.step(*args, **kwargs)
        self._stages[id(optimizer)] = OptState.STEPPED, overflow
        return result

    def update(self, new_scale=None):
        """Adapt the scale to what the steps met; or set it."""
        if not self._enabled:
            return
        self._must_have_begun("update")
        if new_scale is not None:
            self._scale = as_scale(float(new_scale))
        elif not self._stages:
            raise error("MG713", "No inf checks were recorded prior to update. Call step(optimizer) first.")
        elif any(overflow for _, overflow in self._stages.values()):
            self._scale, self._good_steps = in_float32(self._scale * self._backoff_factor), 0
        else:
            self._good_steps += 1
            if self._good_steps == self._growth_interval:
                larger = in_float32(self._scale * self._growth_factor)
                self._scale, self._good_steps = larger if math.isfinite(larger) else self._scale, 0
        self._stages = {}

    def _must_have_begun(self, function):
        if not self._begun:
            raise error("MG713", f"Attempted {function} but _scale is None.  This may indicate your script did not use "
                                 "scaler.scale(loss or outputs) earlier in the iteration.")

    def get_scale(self):
        """The scale, 1.0 if disabled."""
        return self._scale if self._enabled else 1.0

    def get_growth_factor(self):
        return self._growth_factor

    def set_growth_factor(self, new_factor):
        self._growth_factor = new_factor

    def get_backoff_factor(self):
        return self._backoff_factor

    def set_backoff_factor(self, new_factor):
        self._backoff_factor = new_factor

    def get_growth_interval(self):
        return self._growth_interval

    def set_growth_interval(self, new_interval):
        self._growth_interval = new_interval

    def is_enabled(self):
        return self._enabled

    def state_dict(self):
        """The scale, the three options and the number of good steps; empty if disabled."""
        if not self._enabled:
            return {}
        return {"scale": self._scale, "growth_factor": self._growth_factor, "backoff_factor": self._backoff_factor,
                "growth_interval": self._growth_interval, "_growth_tracker": self._good_steps}

    def load_state_dict(self, state_dict):
        """Continue from a state; a disabled scaler ignores it."""
        if not self._enabled:
            return
        if not state_dict:
            raise error("MG713", "The source state dict is empty, possibly because it was saved from a disabled "
                                 "instance of GradScaler.")
        self._scale, self._good_steps = float(state_dict["scale"]), state_dict["_growth_tracker"]
        self._growth_factor, self._backoff_factor = state_dict["growth_factor"], state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]


def as_scale(number):
    """A scale of the user's as PyTorch keeps it, in float32; an error if it is too large for that."""
    return full((), number, dtype=dtypes.float32).item()


def in_float32(number):
    """A number rounded to float32, inf where it is too large."""
    return struct.unpack("f", struct.pack("f", number))[0]
