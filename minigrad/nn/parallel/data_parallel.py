"""A model on several GPUs, of which there are none here: ``DataParallel`` calls its model, as PyTorch's on the CPU."""

from minigrad.nn.modules.module import Module

__all__ = ["DataParallel"]


class DataParallel(Module):
    """A module that calls ``module``.  The keys of its state dict begin with "module.".

    >>> net = torch.nn.DataParallel(torch.nn.Linear(2, 1))
    >>> [*net.state_dict()], net(torch.ones(5, 2)).shape
    (['module.weight', 'module.bias'], torch.Size([5, 1]))

    The other arguments name GPUs, and have no effect, as in PyTorch where there is none.
    """

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module, self.device_ids = module, []

    def forward(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)
