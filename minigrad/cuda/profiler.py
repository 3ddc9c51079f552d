"""Switching CUDA's profiler on and off, where there is no CUDA: a warning says that nothing is profiled.

So a program that is written for NVIDIA's tools runs here as well; what minigrad computes,
:class:`minigrad.autograd.profiler.profile` measures.
"""

from minigrad._core.errors import warn

__all__ = ["profile", "start", "stop"]


def start():
    """Start CUDA's profiler: a warning, since there is no CUDA."""
    warn("torch.cuda.profiler: there is no CUDA here, and nothing is profiled by it: minigrad computes on the CPU. "
         "torch.autograd.profiler.profile measures what it computes.")


def stop():
    """Stop CUDA's profiler, which :func:`start` did not start."""


class profile:
    """A block with CUDA's profiler on: a warning, since there is no CUDA, and the block runs.

    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     with torch.cuda.profiler.profile():
    ...         y = torch.ones(2) * 2
    >>> y
    tensor([2., 2.])
    """

    def __enter__(self):
        start()

    def __exit__(self, *exception):
        stop()
