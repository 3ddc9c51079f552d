"""Averages of a model over training, which often do better than the model of any one step.

    averaged = AveragedModel(model)             # a copy
    for x, y in data:
        train(model, x, y)
        averaged.update_parameters(model)       # averaged  <-  averaged + (model - averaged) / (n + 1)
    update_bn(data, averaged)                   # batch norm has kept statistics of other activations

Izmailov et al., "Averaging Weights Leads to Wider Optima and Better Generalization" (2018).  With ``get_ema_avg_fn`` it
is a mean that fades: averaged <- decay * averaged + (1 - decay) * model.
"""

import math
from copy import deepcopy
from itertools import chain

from minigrad._core.errors import error
from minigrad.autograd.grad_mode import no_grad
from minigrad.creation import tensor
from minigrad.dtypes import int64
from minigrad.nn.modules.batchnorm import _BatchNorm
from minigrad.nn.modules.module import Module
from minigrad.optim.lr_scheduler import LRScheduler, for_groups, warn_outside_step

__all__ = ["AveragedModel", "SWALR", "get_ema_avg_fn", "get_ema_multi_avg_fn", "get_swa_avg_fn",
           "get_swa_multi_avg_fn", "update_bn"]


def get_swa_avg_fn():
    """The function (averaged, current, number so far) -> the mean of all."""
    @no_grad()
    def swa_update(averaged_param, current_param, num_averaged):
        return averaged_param + (current_param - averaged_param) / (num_averaged + 1)
    return swa_update


def get_ema_avg_fn(decay=0.999):
    """The function (averaged, current, number so far) -> decay * averaged + (1 - decay) * current."""
    check_decay(decay)

    @no_grad()
    def ema_update(ema_param, current_param, num_averaged):
        return decay * ema_param + (1 - decay) * current_param
    return ema_update


def get_swa_multi_avg_fn():
    """The same as :func:`get_swa_avg_fn` for two lists, in place."""
    return for_lists(get_swa_avg_fn())


def get_ema_multi_avg_fn(decay=0.999):
    """The same as :func:`get_ema_avg_fn` for two lists, in place."""
    return for_lists(get_ema_avg_fn(decay))


def for_lists(average):
    @no_grad()
    def update(averaged_params, current_params, num_averaged):
        for averaged, current in zip(averaged_params, current_params, strict=True):
            averaged.copy_(average(averaged, current, num_averaged))
    return update


def check_decay(decay):
    if not 0.0 <= decay <= 1.0:
        raise error("MG711", f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")


class AveragedModel(Module):
    """A copy of a model whose parameters are averages of those of the model.

    Parameters
    ----------
    model : the module to copy
    device : where the copy is
    avg_fn : (averaged, current, number so far) -> the new average; by default the mean
    multi_avg_fn : the same for two lists, in place
    use_buffers : average buffers too; otherwise they are those of the model

    >>> model = torch.nn.ParameterList([torch.zeros(1)])
    >>> averaged = torch.optim.swa_utils.AveragedModel(model)
    >>> for value in (1., 2., 6.):
    ...     model[0].data.fill_(value)
    ...     averaged.update_parameters(model)
    tensor([1.])
    tensor([2.])
    tensor([6.])
    >>> averaged.module[0].data, averaged.n_averaged
    (tensor([3.]), tensor(3))
    """

    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise error("MG502", "Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", tensor(0, dtype=int64, device=device))
        self.avg_fn, self.multi_avg_fn, self.use_buffers = avg_fn, multi_avg_fn, use_buffers

    def forward(self, *args, **kwargs):
        """What the averaged model computes."""
        return self.module(*args, **kwargs)

    def update_parameters(self, model):
        """Take one more state of the model into the average."""
        mine, its = [[x.detach() for x in self._averaged(each)] for each in (self.module, model)]
        if self.n_averaged == 0:
            for averaged, current in zip(mine, its):
                averaged.copy_(current)
        else:
            average = self.multi_avg_fn or for_lists(self.avg_fn or get_swa_avg_fn())
            average(mine, its, self.n_averaged)
        if not self.use_buffers:
            for averaged, current in zip(self.module.buffers(), model.buffers(), strict=True):
                averaged.detach().copy_(current.detach())
        self.n_averaged += 1

    def _averaged(self, model):
        return chain(model.parameters(), model.buffers()) if self.use_buffers else model.parameters()


@no_grad()
def update_bn(loader, model, device=None):
    """Compute the running statistics of all batch norms of ``model`` anew: their means over the batches of ``loader``.

    A batch is a tensor, or a list or tuple that begins with one.
    """
    momenta = {module: module.momentum for module in model.modules() if isinstance(module, _BatchNorm)}
    if not momenta:
        return
    was_training = model.training
    model.train()
    for module in momenta:
        module.reset_running_stats()
        module.momentum = None                      # a plain mean over all batches
    for batch in loader:
        batch = batch[0] if isinstance(batch, (list, tuple)) else batch
        model(batch if device is None else batch.to(device))
    for module, momentum in momenta.items():
        module.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """The rate goes to ``swa_lr`` in ``anneal_epochs`` epochs, as half a cosine or in a line, and stays there.

    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.)
    >>> scheduler = torch.optim.swa_utils.SWALR(optimizer, swa_lr=0.5, anneal_epochs=2, anneal_strategy="linear")
    >>> for epoch in range(3):
    ...     optimizer.step()
    ...     scheduler.step()
    ...     print(scheduler.get_last_lr())
    [0.75]
    [0.5]
    [0.5]
    """

    def __init__(self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy="cos", last_epoch=-1):
        for group, lr in zip(optimizer.param_groups, for_groups("swa_lr", optimizer, swa_lr)):
            group["swa_lr"] = lr
        if anneal_strategy not in ("cos", "linear"):
            raise error("MG711", f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise error("MG711", f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self._anneal_strategy, self.anneal_epochs = anneal_strategy, anneal_epochs
        super().__init__(optimizer, last_epoch)

    def anneal_func(self, step):
        """How far the rate has gone at a step: from 0 to 1."""
        t = max(0, min(1, step / max(1, self.anneal_epochs)))
        return t if self._anneal_strategy == "linear" else (1 - math.cos(math.pi * t)) / 2

    def get_lr(self):
        warn_outside_step(self)
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = self.anneal_func(step - 1), self.anneal_func(step)
        rates = []
        for group in self.optimizer.param_groups:
            lr, goal = group["lr"], group["swa_lr"]
            first = goal if before == 1 else (lr - before * goal) / (1 - before)
            rates.append(goal * now + first * (1 - now))
        return rates
