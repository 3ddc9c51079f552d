"""Optimizers that are an update rule: how one parameter moves, given its gradient and its state.

An algorithm says what it remembers of a parameter (``begin``), and the formula (``update``).  The loop around them is
here, with what all of them have in common: a closure, ``maximize``, ``weight_decay`` as a part of the gradient, and
complex parameters, whose real and imaginary parts are parameters of their own.

Steps may be differentiable. With ``differentiable=True`` the step is recorded, so that a loss after it can be
differentiated with respect to what the gradients depend on. Then a formula must not save what the next step
overwrites: it takes ``kept(x)``.
"""

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.runtime.thread_state import is_grad_enabled
from minigrad.autograd.grad_mode import enable_grad, no_grad
from minigrad.creation import tensor
from minigrad.dtypes import float32, float64, get_default_dtype
from minigrad.optim.optimizer import Optimizer
from minigrad.ops.exports import REGISTRY as table

__all__ = ["Rule", "checked", "count_step", "descend", "kept", "new_step", "parts", "valued"]


class Rule(Optimizer):
    """An optimizer that moves each parameter by itself."""

    #: the options that older state dicts may lack
    later_options = {"maximize": False, "foreach": None, "capturable": False, "differentiable": False}
    #: whether the formula needs the parts of complex numbers apart
    parts_of_complex = True

    def begin(self, param, group):
        """The state of a parameter before its first step."""
        return {}

    def update(self, param, grad, state, group):
        """Move the parameter, in place: the formula of the algorithm."""
        raise error("MG305", f"{type(self).__name__} does not define update()")

    def step(self, closure=None):
        """Move every parameter that has a gradient.

        ``closure``, if given, is a function that computes the loss and its gradients; its result is returned.
        """
        with enable_grad() if self.defaults["differentiable"] else no_grad():
            loss = None
            if closure is not None:
                with enable_grad():
                    loss = closure()
            for group in self.param_groups:
                for param in self.move_in_c(group):         # those that are left
                    grad = param.grad               # once: another thread may take it away
                    if grad is not None:
                        self.step_of(param, grad, group)
        return loss

    def adds_decay(self, group):
        """Whether ``weight_decay`` adds the parameter to its gradient, as a penalty on the sum of squares does."""
        return not group.get("decoupled_weight_decay")

    def move_in_c(self, group):
        """Move the parameters that a kernel can, by the same formula; return the others."""
        return group["params"]

    def state_of(self, param, group):
        """What is remembered of a parameter; at its first step, what ``begin`` says."""
        state = self.state[param]
        if not state:
            state.update(self.begin(param, group))
        return state

    def step_of(self, param, grad, group):
        """One step of one parameter with this gradient."""
        if group.get("capturable"):
            raise needs_a_gpu()
        if group.get("fused") and not param.is_floating_point():
            raise not_fused(param)
        state = self.state_of(param, group)
        if group.get("maximize"):
            grad = -grad
        if group.get("weight_decay") and self.adds_decay(group):
            grad = with_decay(grad, param, group["weight_decay"])
        if self.parts_of_complex and param.is_complex():
            param, grad, state = parts(param), parts(grad), {name: parts(value) for name, value in state.items()}
        self.update(param, grad, state, group)

    def __setstate__(self, state):
        super().__setstate__(state)
        for group in self.param_groups:
            for name, default in self.later_options.items():
                group.setdefault(name, default)
            for param in group["params"]:
                own = self.state.get(param)
                if own and "step" in own and not isinstance(own["step"], Tensor):
                    own["step"] = new_step(own["step"])


# ------------------------------------------------------------------------------ words of the formulas

def new_step(value=0.0):
    """The number of steps so far, as a tensor: it is counted up in place."""
    return tensor(float(value), dtype=float64 if get_default_dtype() is float64 else float32)


def count_step(state):
    """One step more in the state of a parameter; how many there are then."""
    if not isinstance(state["step"], Tensor):
        raise error("MG713", "`state_steps` argument must contain a list of singleton tensors: state['step'] of a "
                             f"parameter is of {type(state['step']).__name__}, and is counted up in place. Let it be "
                             "torch.tensor(float(n)).")
    if state["step"].requires_grad and is_grad_enabled():
        raise error("MG713", "`requires_grad` is not supported for `step` in differentiable mode: formulas take it "
                             "as a number. Give state['step'].detach().")
    return state["step"].add_(1).item()


def valued(x):
    """An option, or an entry of the state, as a number; in a recorded step as it is, if it has a gradient to lose."""
    return kept(x) if isinstance(x, Tensor) and x.requires_grad and is_grad_enabled() else float(x)


def parts(x):
    """Real and imaginary parts along a last dim, on the same memory."""
    return table["view_as_real"](x) if isinstance(x, Tensor) and x.is_complex() else x


def kept(x):
    """A tensor that a recorded formula may save, although the next step overwrites ``x``."""
    return x.clone() if is_grad_enabled() else x


def with_decay(grad, param, weight_decay):
    """The gradient of the loss with the penalty weight_decay / 2 * |param|^2."""
    if isinstance(weight_decay, Tensor) and weight_decay.requires_grad:
        return grad.addcmul(kept(param), weight_decay)
    return grad.add(param, alpha=float(weight_decay))


def descend(param, rate, numerator, denominator=None):
    """param -= rate * numerator / denominator; the rate may be a tensor, and may require grad."""
    if isinstance(rate, Tensor) and rate.requires_grad:
        numerator, rate = kept(numerator) * rate, 1
    if denominator is None:
        param.add_(numerator, alpha=-float(rate))
    else:
        param.addcdiv_(kept(numerator), denominator, value=-float(rate))


# ------------------------------------------------------------------------------ options

def checked(what, value, below=None):
    """Raise unless an option is at least 0, and less than ``below``; nan is neither."""
    if not (0.0 <= value and (below is None or value < below)):
        raise error("MG711", f"Invalid {what}: {value}")


def check_lr(lr):
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise error("MG711", "Tensor lr must be 1-element")
    checked("learning rate", lr)


def check_betas(betas):
    checked("beta parameter at index 0", betas[0], 1.0)
    checked("beta parameter at index 1", betas[1], 1.0)


def check_forms(foreach, fused, differentiable):
    """Raise for forms that exclude each other.  Here all of them compute the same."""
    if fused and differentiable:
        raise error("MG713", "`fused` does not support `differentiable`")
    if fused and foreach:
        raise error("MG713", "`fused` and `foreach` cannot be `True` together.")


def needs_a_gpu():
    return error("MG404", "If capturable=True, params and state_steps must be on supported devices: a graph of CUDA "
                          "captures nothing on the CPU. Leave capturable=False.")


def not_fused(param):
    return error("MG713", "`fused=True` requires all the params to be floating point Tensors of supported devices, but "
                          f"one is of {param.dtype}")
