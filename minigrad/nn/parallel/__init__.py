"""Models that several devices or processes train: there is one device here, and there may be several processes."""

from importlib import import_module as _import_module

from minigrad._core.errors.absent import absent as _absent

from .data_parallel import DataParallel

__all__ = ["DataParallel"]


def __getattr__(name):
    """Load what works with several processes the first time that it is used."""
    if name == "distributed":
        return _import_module("minigrad.nn.parallel.distributed")
    if name == "DistributedDataParallel":
        return _import_module("minigrad.nn.parallel.distributed").DistributedDataParallel
    raise _absent(__name__, name)
