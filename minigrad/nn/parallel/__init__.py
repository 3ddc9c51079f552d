"""Models that several devices or processes train: there is one device here, and there may be several processes."""

from minigrad._lazy_modules import incomplete as _incomplete

from .data_parallel import DataParallel

__all__ = ["DataParallel", "DistributedDataParallel"]

# What works with several processes is loaded the first time that it is used.
__getattr__ = _incomplete(__name__, dict.fromkeys(("distributed", "DistributedDataParallel"),
                                                  "minigrad.nn.parallel.distributed"))
