"""Learning rates that change during training.

    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=30)

    for epoch in range(100):
        train(...)                          # calls optimizer.step()
        scheduler.step()                    # and then the rate of the next epoch is set

A scheduler writes into ``group["lr"]`` of the groups of an optimizer.  Most of them compute the next rate from the
present one, so that several can work on the same optimizer one after the other, and anything else that changed a rate
is kept:

    chainable form      lr  <-  lr * factor(epoch)          what step() uses
    closed form         lr   =  base_lr * f(epoch)          what step(epoch) uses, which jumps

``last_epoch`` counts the calls of ``step``; the first is made by ``__init__``.
"""

import math
import types
from bisect import bisect_right
from collections import Counter
from functools import wraps
from weakref import ref

from minigrad._core.errors import error, warn
from minigrad._core.graph import Tensor
from minigrad.optim.optimizer import Optimizer

__all__ = ["ChainedScheduler", "ConstantLR", "CosineAnnealingLR", "CosineAnnealingWarmRestarts", "CyclicLR",
           "ExponentialLR", "LRScheduler", "LambdaLR", "LinearLR", "MultiStepLR", "MultiplicativeLR", "OneCycleLR",
           "PolynomialLR", "ReduceLROnPlateau", "SequentialLR", "StepLR"]

EPOCH_DEPRECATION_WARNING = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where possible. Please use "
    "`scheduler.step()` to step the scheduler. During the deprecation, if epoch is different from None, the closed "
    "form is used instead of the new chainable form, where available.")
HOW_TO_ADJUST = "https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"


class LRScheduler:
    """Sets the learning rates of an optimizer; a subclass defines ``get_lr``, the rates of epoch ``last_epoch``.

    >>> class Halving(torch.optim.lr_scheduler.LRScheduler):
    ...     def get_lr(self):
    ...         return [base_lr / 2 ** self.last_epoch for base_lr in self.base_lrs]
    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.)
    >>> scheduler = Halving(optimizer)
    >>> for epoch in range(3):
    ...     optimizer.step()
    ...     scheduler.step()
    >>> scheduler.get_last_lr()
    [0.125]
    """

    _get_lr_called_within_step = False
    _is_initial = False

    def __init__(self, optimizer, last_epoch=-1):
        self.optimizer = checked_optimizer(optimizer)
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", own(group["lr"]))
            elif "initial_lr" not in group:
                raise not_resumed(i)
        self.base_lrs = values(optimizer, "initial_lr")
        self.last_epoch = last_epoch
        note_steps(optimizer)
        self._initial_step()

    def _initial_step(self):
        """The first step, which does not wait for one of the optimizer."""
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    def state_dict(self):
        """Everything but the optimizer, as a dictionary."""
        return {key: value for key, value in self.__dict__.items() if key != "optimizer"}

    def load_state_dict(self, state_dict):
        """Take over what ``state_dict`` returned."""
        self.__dict__.update(state_dict)

    def get_last_lr(self):
        """The rates that the scheduler set last, one for each group."""
        return self._last_lr

    def get_lr(self):
        """The rates of the epoch ``last_epoch``, one for each group; ``step`` calls it."""
        raise error("MG305", f"{type(self).__name__} does not define get_lr()")

    def step(self, epoch=None):
        """Set the rates of the next epoch; call it after the steps of the optimizer."""
        if self._step_count == 1:
            if not hasattr(self.optimizer.step, "_wrapped_by_lr_sched"):
                warn("Seems like `optimizer.step()` has been overridden after learning rate scheduler initialization. "
                     "Please, make sure to call `optimizer.step()` before `lr_scheduler.step()`. See more details at "
                     f"{HOW_TO_ADJUST}")
            elif not getattr(self.optimizer, "_opt_called", False):
                warn("Detected call of `lr_scheduler.step()` before `optimizer.step()`. Call them in the opposite "
                     "order: `optimizer.step()` before `lr_scheduler.step()`. Failure to do this will result in "
                     "PyTorch skipping the first value of the learning rate schedule. See more details at "
                     f"{HOW_TO_ADJUST}")
        self._step_count += 1
        if epoch is not None:
            warn(EPOCH_DEPRECATION_WARNING)
        self._update_lr(epoch)

    def _update_lr(self, epoch=None):
        self._get_lr_called_within_step = True
        try:
            self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
            jumps = epoch is not None and hasattr(self, "_get_closed_form_lr")
            rates = self._get_closed_form_lr() if jumps else self.get_lr()
        finally:
            self._get_lr_called_within_step = False
        self._set(rates)

    def _set(self, rates):
        for group, lr in zip(self.optimizer.param_groups, rates, strict=True):
            put(group, "lr", lr)
        self._last_lr = values(self.optimizer, "lr")


_LRScheduler = LRScheduler              # its name in older programs


# ------------------------------------------------------------------------------ what schedulers do with an optimizer

def checked_optimizer(optimizer):
    if not isinstance(optimizer, Optimizer):
        raise error("MG712", f"{type(optimizer).__name__} is not an Optimizer")
    return optimizer


def own(value):
    """A number, or a copy of a tensor."""
    return value.clone() if isinstance(value, Tensor) else value


def values(optimizer, key):
    return [own(group[key]) for group in optimizer.param_groups]


def put(group, key, value):
    """Set an option; a tensor stays the same tensor."""
    if isinstance(group[key], Tensor):
        group[key].fill_(value.squeeze() if isinstance(value, Tensor) else value)
    else:
        group[key] = value


def for_groups(name, optimizer, value):
    """An argument of a scheduler as a list with a value for each group."""
    number = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        return [own(value) for _ in range(number)]
    if len(value) != number:
        raise error("MG711", f"{name} must have the same length as optimizer.param_groups. {name} has {len(value)} "
                             f"values, param_groups has {number}.")
    return [own(each) for each in value]


def note_steps(optimizer):
    """From now on ``optimizer.step`` notes that it was called."""
    if hasattr(optimizer.step, "_wrapped_by_lr_sched"):
        return
    step, known = optimizer.step.__func__, ref(optimizer)       # a reference would close a cycle

    @wraps(step)
    def wrapper(*args, **kwargs):
        optimizer = known()
        optimizer._opt_called = True
        return step(optimizer, *args, **kwargs)

    wrapper._wrapped_by_lr_sched = True
    optimizer.step = wrapper


def warn_outside_step(scheduler):
    if not scheduler._get_lr_called_within_step:
        warn("To get the last learning rate computed by the scheduler, please use `get_last_lr()`.")


def not_resumed(i):
    return error("MG711", f"param 'initial_lr' is not specified in param_groups[{i}] when resuming scheduler with "
                          "last_epoch >= 0. Load the state of the optimizer first; a fresh run has last_epoch=-1.")


# ------------------------------------------------------------------------------ functions of the epoch

class LambdaLR(LRScheduler):
    """``base_lr * lr_lambda(epoch)``; one function for all groups, or a list of them.

    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.)
    >>> scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 0.5 ** epoch)
    >>> optimizer.step()
    >>> scheduler.step()
    >>> scheduler.get_last_lr()
    [0.5]
    """

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        self.optimizer = optimizer
        number = len(optimizer.param_groups)
        several = isinstance(lr_lambda, (list, tuple))
        if several and len(lr_lambda) != number:
            raise error("MG711", f"Expected {number} lr_lambdas, but got {len(lr_lambda)}")
        self.lr_lambdas = list(lr_lambda) if several else [lr_lambda] * number
        super().__init__(optimizer, last_epoch)

    def state_dict(self):
        """The state; of the functions, only objects that can be called have one."""
        state = super().state_dict()
        state.pop("lr_lambdas")
        state["lr_lambdas"] = [state_of(function) for function in self.lr_lambdas]
        return state

    def load_state_dict(self, state_dict):
        """Take over what ``state_dict`` returned."""
        self.__dict__.update({key: value for key, value in state_dict.items() if key != "lr_lambdas"})
        for function, state in zip(self.lr_lambdas, state_dict["lr_lambdas"]):
            if state is not None:
                function.__dict__.update(state)

    def get_lr(self):
        warn_outside_step(self)
        return [base_lr * function(self.last_epoch) for function, base_lr in zip(self.lr_lambdas, self.base_lrs)]


class MultiplicativeLR(LambdaLR):
    """``lr * lr_lambda(epoch)``: in each epoch another factor."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        for function in lr_lambda if isinstance(lr_lambda, (list, tuple)) else [lr_lambda]:
            if not callable(function):
                raise error("MG712", f"lr_lambda should be a function, but got {type(function).__name__}")
        super().__init__(optimizer, lr_lambda, last_epoch)

    def get_lr(self):
        warn_outside_step(self)
        rates = values(self.optimizer, "lr")
        return rates if self._is_initial else [lr * function(self.last_epoch)
                                               for lr, function in zip(rates, self.lr_lambdas)]


def state_of(function):
    """What a state dict keeps of a function: nothing, or the attributes of an object that can be called."""
    return None if isinstance(function, types.FunctionType) else function.__dict__.copy()


class ByFactor(LRScheduler):
    """A scheduler that multiplies all rates by the same number: ``factor``, or None for no change."""

    def get_lr(self):
        warn_outside_step(self)
        factor = self.factor_now()
        return [own(group["lr"]) if factor is None else group["lr"] * factor for group in self.optimizer.param_groups]

    def _get_closed_form_lr(self):
        return [base_lr * self.factor_of_base() for base_lr in self.base_lrs]


class StepLR(ByFactor):
    """The rate is multiplied by ``gamma`` every ``step_size`` epochs."""

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def factor_now(self):
        return self.gamma if self.last_epoch and self.last_epoch % self.step_size == 0 else None

    def factor_of_base(self):
        return self.gamma ** (self.last_epoch // self.step_size)


class MultiStepLR(ByFactor):
    """The rate is multiplied by ``gamma`` at each of the epochs ``milestones``."""

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self.milestones, self.gamma = Counter(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def factor_now(self):
        times = self.milestones[self.last_epoch]
        return self.gamma ** times if times else None

    def factor_of_base(self):
        return self.gamma ** bisect_right(sorted(self.milestones.elements()), self.last_epoch)


class ConstantLR(ByFactor):
    """The rate is multiplied by ``factor`` for the first ``total_iters`` epochs."""

    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
        if not 0 <= factor <= 1:
            raise error("MG711", "Constant multiplicative factor expected to be between 0 and 1.")
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def factor_now(self):
        if self.last_epoch == 0:
            return self.factor
        return 1.0 / self.factor if self.last_epoch == self.total_iters else None

    def factor_of_base(self):
        return self.factor + (self.last_epoch >= self.total_iters) * (1 - self.factor)


class LinearLR(ByFactor):
    """The rate goes from ``start_factor`` to ``end_factor`` times itself in a line, in ``total_iters`` epochs."""

    def __init__(self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
        if not 0 < start_factor <= 1:
            raise error("MG711", "Starting multiplicative factor expected to be greater than 0 and less or equal to 1.")
        if not 0 <= end_factor <= 1:
            raise error("MG711", "Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch)

    def factor_now(self):
        rise = self.end_factor - self.start_factor
        if self.last_epoch == 0:
            return self.start_factor
        if self._is_initial or self.last_epoch > self.total_iters:
            return None
        return 1.0 + rise / (self.total_iters * self.start_factor + (self.last_epoch - 1) * rise)

    def factor_of_base(self):
        done = min(self.total_iters, self.last_epoch) / self.total_iters
        return self.start_factor + (self.end_factor - self.start_factor) * done


class ExponentialLR(ByFactor):
    """The rate is multiplied by ``gamma`` in every epoch."""

    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def factor_now(self):
        return None if self._is_initial else self.gamma

    def factor_of_base(self):
        return self.gamma ** self.last_epoch


class PolynomialLR(ByFactor):
    """The rate falls to 0 as ``(1 - epoch / total_iters) ** power``."""

    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def factor_now(self):
        if self._is_initial or self.last_epoch > self.total_iters:
            return None
        return ((1.0 - self.last_epoch / self.total_iters) / (1.0 - (self.last_epoch - 1) / self.total_iters)
                ) ** self.power

    def factor_of_base(self):
        return (1.0 - min(self.total_iters, self.last_epoch) / self.total_iters) ** self.power


# ------------------------------------------------------------------------------ cosines

class CosineAnnealingLR(LRScheduler):
    """The rate falls to ``eta_min`` as half a cosine, in ``T_max`` epochs, and rises again.

    Loshchilov and Hutter, "SGDR: Stochastic Gradient Descent with Warm Restarts" (2016), without the restarts.
    """

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        warn_outside_step(self)
        lowest, groups = self.eta_min, self.optimizer.param_groups
        if self._is_initial:
            return values(self.optimizer, "lr")
        if self._step_count == 1 and self.last_epoch > 0:
            return self._get_closed_form_lr()
        if (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:          # from the bottom: no factor leads away
            rise = (1 - math.cos(math.pi / self.T_max)) / 2
            return [group["lr"] + (base_lr - lowest) * rise for base_lr, group in zip(self.base_lrs, groups)]
        factor = self.height(self.last_epoch) / self.height(self.last_epoch - 1)
        return [factor * (group["lr"] - lowest) + lowest for group in groups]

    def height(self, epoch):
        return 1 + math.cos(math.pi * epoch / self.T_max)

    def _get_closed_form_lr(self):
        return [self.eta_min + (base_lr - self.eta_min) * self.height(self.last_epoch) / 2
                for base_lr in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """The rate falls as half a cosine, begins anew after ``T_0`` epochs, and then after ``T_mult`` times as many.

    Loshchilov and Hutter, "SGDR: Stochastic Gradient Descent with Warm Restarts" (2016).  ``step`` may be called with
    parts of an epoch: ``scheduler.step(epoch + i / number_of_batches)``.
    """

    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0.0, last_epoch=-1):
        if T_0 <= 0 or not isinstance(T_0, int):
            raise error("MG711", f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise error("MG711", f"Expected integer T_mult >= 1, but got {T_mult}")
        if not isinstance(eta_min, (float, int)):
            raise error("MG711", f"Expected float or int eta_min, but got {eta_min} of type {type(eta_min)}")
        self.T_0, self.T_i, self.T_mult, self.eta_min, self.T_cur = T_0, T_0, T_mult, eta_min, last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        warn_outside_step(self)
        height = (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (base_lr - self.eta_min) * height for base_lr in self.base_lrs]

    def step(self, epoch=None):
        """Set the rates of the next epoch, or of ``epoch``, which may lie between two."""
        if epoch is None and self.last_epoch >= 0:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur %= self.T_i
                self.T_i *= self.T_mult
        else:
            self._jump(0 if epoch is None else epoch)
            epoch = epoch or 0
        self.last_epoch = math.floor(epoch)
        self._get_lr_called_within_step = True
        try:
            self._set(self.get_lr())
        finally:
            self._get_lr_called_within_step = False

    def _jump(self, epoch):
        """How long the period of ``epoch`` is, and how far in it that epoch is."""
        if epoch < 0:
            raise error("MG711", f"Expected non-negative epoch, but got {epoch}")
        self.T_i, self.T_cur = self.T_i if self.T_mult == 1 else self.T_0, epoch
        if epoch >= self.T_0:
            if self.T_mult == 1:
                self.T_cur = epoch % self.T_0
            else:
                n = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
                self.T_cur = epoch - self.T_0 * (self.T_mult ** n - 1) / (self.T_mult - 1)
                self.T_i = self.T_0 * self.T_mult ** n


# ------------------------------------------------------------------------------ cycles, of the momentum too

class Cycle(LRScheduler):
    """A scheduler that also turns the momentum, against the rate, if the optimizer has one."""

    def _begin_momentum(self, base_momentum, max_momentum, last_epoch):
        """The lists of the smallest and of the largest momentum of each group; training begins with the largest."""
        if "momentum" not in self.optimizer.defaults and "betas" not in self.optimizer.defaults:
            raise error("MG711", "optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
        self.use_beta1 = "betas" in self.optimizer.defaults
        lowest = for_groups("base_momentum", self.optimizer, base_momentum)
        highest = for_groups("max_momentum", self.optimizer, max_momentum)
        if last_epoch == -1:
            for group, low, high in zip(self.optimizer.param_groups, lowest, highest):
                self._put_momentum(group, high)
                group["max_momentum"], group["base_momentum"] = high, low
        return lowest, highest

    def _put_momentum(self, group, momentum):
        if self.use_beta1:
            group["betas"] = (momentum, *group["betas"][1:])
        else:
            group["momentum"] = momentum


class CyclicLR(Cycle):
    """The rate rises from ``base_lr`` to ``max_lr`` and falls again, over and over; the momentum goes the other way.

    Smith, "Cyclical Learning Rates for Training Neural Networks" (2015).  Call ``step`` after each batch.  The height
    of a cycle is multiplied by a function: 1 for ``mode="triangular"``, half as much in each cycle for
    ``"triangular2"``, ``gamma ** iteration`` for ``"exp_range"``, or your own ``scale_fn``.
    """

    def __init__(self, optimizer, base_lr, max_lr, step_size_up=2000, step_size_down=None, mode="triangular", gamma=1.0,
                 scale_fn=None, scale_mode="cycle", cycle_momentum=True, base_momentum=0.8, max_momentum=0.9,
                 last_epoch=-1):
        self.optimizer = checked_optimizer(optimizer)
        base_lrs = for_groups("base_lr", optimizer, base_lr)
        if last_epoch == -1:
            for group, lr in zip(optimizer.param_groups, base_lrs):
                put(group, "lr", lr)
        self.max_lrs = for_groups("max_lr", optimizer, max_lr)
        up = float(step_size_up)
        self.total_size = up + (up if step_size_down is None else float(step_size_down))
        self.step_ratio = up / self.total_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise error("MG711", "mode is invalid and scale_fn is None")
        self.mode, self.gamma, self._scale_fn_custom = mode, gamma, scale_fn
        self.scale_mode = scale_mode if scale_fn else "iterations" if mode == "exp_range" else "cycle"
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.base_momentums, self.max_momentums = self._begin_momentum(base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch)
        self.base_lrs = base_lrs

    def scale_fn(self, x):
        """The height of a cycle, or at an iteration."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        if self.mode == "exp_range":
            return self.gamma ** x
        return 1.0 if self.mode == "triangular" else 0.5 ** (x - 1)

    def get_lr(self):
        warn_outside_step(self)
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle
        height = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        scale = self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            for group, low, high in zip(self.optimizer.param_groups, self.base_momentums, self.max_momentums):
                self._put_momentum(group, high - (high - low) * height * scale)
        return [low + (high - low) * height * scale for low, high in zip(self.base_lrs, self.max_lrs)]

    def state_dict(self):
        """The state; of a function of yours, only an object that can be called has one."""
        state = super().state_dict()
        function = state.pop("_scale_fn_custom")
        state["_scale_fn_custom"] = None if function is None else state_of(function)
        return state

    def load_state_dict(self, state_dict):
        """Take over what ``state_dict`` returned."""
        super().load_state_dict({key: value for key, value in state_dict.items() if key != "_scale_fn_custom"})
        if state_dict["_scale_fn_custom"] is not None:
            self._scale_fn_custom.__dict__.update(state_dict["_scale_fn_custom"])


class OneCycleLR(Cycle):
    """One cycle for the whole training: up to ``max_lr``, down, and then far below where it began.

    Smith and Topin, "Super-Convergence: Very Fast Training of Neural Networks Using Large Learning Rates" (2017).
    Call ``step`` after each of the ``total_steps`` batches, which may also be given as ``epochs * steps_per_epoch``.

    Parameters
    ----------
    pct_start : which part of the steps the rate rises
    anneal_strategy : ``"cos"`` or ``"linear"``
    div_factor, final_div_factor : the first rate is max_lr / div_factor, the last is the first / final_div_factor
    three_phase : come down to the first rate as fast as up, and only then below it
    cycle_momentum, base_momentum, max_momentum : the momentum goes the other way
    """

    def __init__(self, optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None, pct_start=0.3,
                 anneal_strategy="cos", cycle_momentum=True, base_momentum=0.85, max_momentum=0.95, div_factor=25.0,
                 final_div_factor=1e4, three_phase=False, last_epoch=-1):
        self.optimizer = checked_optimizer(optimizer)
        given = dict(total_steps=total_steps) if total_steps is not None else dict(
            epochs=epochs, steps_per_epoch=steps_per_epoch)
        if None in given.values():
            raise error("MG711", "You must define either total_steps OR (epochs AND steps_per_epoch)")
        for name, value in given.items():
            if value <= 0 or not isinstance(value, int):
                raise error("MG711", f"Expected positive integer {name}, but got {value}")
        self.total_steps = math.prod(given.values())
        if pct_start < 0 or pct_start > 1 or not isinstance(pct_start, float):
            raise error("MG711", f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        rising = pct_start * self.total_steps
        self._schedule_phases = [phase(rising - 1, "initial_lr", "max_lr", "max_momentum", "base_momentum")]
        if three_phase:
            self._schedule_phases += [
                phase(2 * rising - 2, "max_lr", "initial_lr", "base_momentum", "max_momentum"),
                phase(self.total_steps - 1, "initial_lr", "min_lr", "max_momentum", "max_momentum")]
        else:
            self._schedule_phases += [
                phase(self.total_steps - 1, "max_lr", "min_lr", "base_momentum", "max_momentum")]
        if anneal_strategy not in ("cos", "linear"):
            raise error("MG711", f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self._anneal_func_type = anneal_strategy
        if last_epoch == -1:
            for group, highest in zip(optimizer.param_groups, for_groups("max_lr", optimizer, max_lr)):
                group["initial_lr"] = highest / div_factor
                group["max_lr"] = highest
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._begin_momentum(base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch)

    def _anneal_func(self, start, end, part):
        """Between two values, in a line or as half a cosine."""
        if self._anneal_func_type == "linear":
            return (end - start) * part + start
        return end + (start - end) / 2.0 * (math.cos(math.pi * part) + 1)

    def get_lr(self):
        warn_outside_step(self)
        step, begin = self.last_epoch, 0.0
        if step > self.total_steps:
            raise error("MG711", f"Tried to step {step} times. The specified number of total steps is "
                                 f"{self.total_steps}")
        for now in self._schedule_phases:
            if step <= now["end_step"]:
                break
            if now is not self._schedule_phases[-1]:
                begin = now["end_step"]
        part = (step - begin) / (now["end_step"] - begin)
        if self.cycle_momentum:
            for group in self.optimizer.param_groups:
                self._put_momentum(group, self._anneal_func(group[now["start_momentum"]], group[now["end_momentum"]],
                                                            part))
        return [self._anneal_func(group[now["start_lr"]], group[now["end_lr"]], part)
                for group in self.optimizer.param_groups]


def phase(end_step, start_lr, end_lr, start_momentum, end_momentum):
    """A phase of OneCycleLR: when it ends, and between which options of a group it leads."""
    return dict(end_step=end_step, start_lr=start_lr, end_lr=end_lr, start_momentum=start_momentum,
                end_momentum=end_momentum)


# ------------------------------------------------------------------------------ schedulers of schedulers

class Composed(LRScheduler):
    """A scheduler that has others."""

    def _check(self, schedulers, optimizer, what):
        name = type(self).__name__
        if not schedulers:
            raise error("MG711", f"{name} expects at least one scheduler{what}, but got no scheduler.")
        optimizer = optimizer or schedulers[0].optimizer
        for i, scheduler in enumerate(schedulers):
            if not hasattr(scheduler, "optimizer"):
                raise error("MG712", f"{name} at index {i} should have `optimizer` as its attribute.")
            if isinstance(scheduler, ReduceLROnPlateau):
                raise error("MG711", f"{name} does not support `ReduceLROnPlateau` scheduler as it requires additional "
                                     f"kwargs to be specified when calling `step`, but got one at index {i} in the "
                                     "given schedulers sequence.")
            if scheduler.optimizer is not optimizer:
                raise error("MG711", f"{name} expects all schedulers to belong to the same optimizer, but got "
                                     f"scheduler {type(scheduler).__name__} at index {i} has {scheduler.optimizer}, "
                                     f"which is different from {type(optimizer).__name__}.")
        return optimizer

    def state_dict(self):
        """The state, with a dictionary for each scheduler."""
        state = super().state_dict()
        state.pop("_schedulers")
        state["_schedulers"] = [scheduler.state_dict() for scheduler in self._schedulers]
        return state

    def load_state_dict(self, state_dict):
        """Take over what ``state_dict`` returned."""
        self.__dict__.update({key: value for key, value in state_dict.items() if key != "_schedulers"})
        for scheduler, state in zip(self._schedulers, state_dict["_schedulers"]):
            scheduler.load_state_dict(state)


class SequentialLR(Composed):
    """One scheduler after the other: the next takes over, at its epoch 0, when ``last_epoch`` reaches a milestone.

    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.)
    >>> warmup = torch.optim.lr_scheduler.ConstantLR(optimizer, factor=0.1, total_iters=2)
    >>> decay = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
    >>> scheduler = torch.optim.lr_scheduler.SequentialLR(optimizer, [warmup, decay], milestones=[2])
    >>> for epoch in range(4):
    ...     print(scheduler.get_last_lr())
    ...     optimizer.step()
    ...     scheduler.step()
    [0.1]
    [0.1]
    [1.0]
    [0.5]
    """

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        self._check(schedulers, optimizer, "")
        if len(milestones) != len(schedulers) - 1:
            raise error("MG711", "Sequential Schedulers expects number of schedulers provided to be one more than the "
                                 f"number of milestone points, but got number of schedulers {len(schedulers)} and the "
                                 f"number of milestones to be equal to {len(milestones)}")
        self._schedulers, self._milestones = schedulers, milestones
        self.last_epoch, self.optimizer = last_epoch + 1, optimizer
        for group in optimizer.param_groups:            # all schedulers have made their first steps: undo them
            put(group, "lr", group["initial_lr"])
        self.recursive_undo()
        first = schedulers[bisect_right(milestones, 0)]
        first._initial_step()
        self._last_lr = first.get_last_lr()

    def recursive_undo(self, sched=None):
        """Count one epoch less in all schedulers, and in those that they have."""
        scheduler = self if sched is None else sched
        if hasattr(scheduler, "_schedulers"):
            for each in scheduler._schedulers:
                self.recursive_undo(each)
        elif hasattr(scheduler, "last_epoch"):
            scheduler.last_epoch -= 1

    def step(self):
        """Set the rates of the next epoch."""
        self.last_epoch += 1
        i = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[i]
        if i > 0 and self._milestones[i - 1] == self.last_epoch:
            scheduler._update_lr(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()


class ChainedScheduler(Composed):
    """Several schedulers at once: each changes what the one before it has set."""

    def __init__(self, schedulers, optimizer=None):
        self.optimizer = self._check(schedulers, optimizer, " to be chained")
        self._schedulers = schedulers
        self._last_lr = values(self.optimizer, "lr")

    def step(self):
        """Step all schedulers."""
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = values(self.optimizer, "lr")


# ------------------------------------------------------------------------------ by what training achieves

class ReduceLROnPlateau(LRScheduler):
    """The rate is multiplied by ``factor`` when a metric has not become better for more than ``patience`` epochs.

    Parameters
    ----------
    mode : ``"min"`` if less is better, else ``"max"``
    threshold, threshold_mode : how much better it must be: a part of the best (``"rel"``), or a number (``"abs"``)
    cooldown : epochs after a reduction that are not counted
    min_lr : no rate falls below; a number, or one for each group
    eps : a smaller change is not made

    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.)
    >>> scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=1)
    >>> for loss in (3., 2., 2., 2., 2.):
    ...     scheduler.step(loss)
    >>> scheduler.get_last_lr()
    [0.1]
    """

    def __init__(self, optimizer, mode="min", factor=0.1, patience=10, threshold=1e-4, threshold_mode="rel",
                 cooldown=0, min_lr=0, eps=1e-8):
        if factor >= 1.0:
            raise error("MG711", "Factor should be < 1.0.")
        self.factor, self.optimizer = factor, checked_optimizer(optimizer)
        several, number = isinstance(min_lr, (list, tuple)), len(optimizer.param_groups)
        if several and len(min_lr) != number:
            raise error("MG711", f"expected {number} min_lrs, got {len(min_lr)}")
        self.default_min_lr = None if several else min_lr
        self.min_lrs = list(min_lr) if several else [min_lr] * number
        self.patience, self.cooldown, self.eps, self.last_epoch = patience, cooldown, eps, 0
        self._last_lr = values(optimizer, "lr")
        if mode not in ("min", "max"):
            raise error("MG711", f"mode {mode} is unknown!")
        if threshold_mode not in ("rel", "abs"):
            raise error("MG711", f"threshold mode {threshold_mode} is unknown!")
        self.mode_worse = math.inf if mode == "min" else -math.inf
        self.mode, self.threshold, self.threshold_mode = mode, threshold, threshold_mode
        self._reset()

    def _reset(self):
        self.best, self.cooldown_counter, self.num_bad_epochs = self.mode_worse, 0, 0

    def step(self, metrics, epoch=None):
        """Hear of the metric of an epoch."""
        metric = float(metrics)
        if epoch is not None:
            warn(EPOCH_DEPRECATION_WARNING)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self._is_better(metric, self.best):
            self.best, self.num_bad_epochs = metric, 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce_lr()
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = values(self.optimizer, "lr")

    def _reduce_lr(self):
        groups = self.optimizer.param_groups
        if len(groups) != len(self.min_lrs):
            if self.default_min_lr is None:
                raise error("MG713", f"The number of param groups in the `optimizer` ({len(groups)}) differs from when "
                                     f"`ReduceLROnPlateau` was initialized ({len(self.min_lrs)}), usually due to a new "
                                     "param group being added to the optimizer. Please modify the `min_lrs` field to "
                                     "match the length of the `optimizer` param groups.")
            self.min_lrs = [self.default_min_lr] * len(groups)
        for group, lowest in zip(groups, self.min_lrs):
            before = float(group["lr"])
            lr = max(before * self.factor, lowest)
            if before - lr > self.eps:
                put(group, "lr", lr)

    @property
    def in_cooldown(self):
        """Whether epochs are not counted just now."""
        return self.cooldown_counter > 0

    def _is_better(self, metric, best):
        sign = 1 if self.mode == "min" else -1
        limit = best * (1 - sign * self.threshold) if self.threshold_mode == "rel" else best - sign * self.threshold
        return sign * metric < sign * limit
