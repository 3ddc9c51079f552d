"""Switch CUDA's profiler on and off: there is no CUDA, so a warning says that nothing is profiled.

So a program written for NVIDIA's tools runs here as well; to profile minigrad itself, use
:class:`minigrad.autograd.profiler.profile`.
"""

from minigrad._core.errors import warn

__all__ = ["profile", "start", "stop"]


def start():
    """Start CUDA's profiler: only a warning, since there is no CUDA.

    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     torch.cuda.profiler.start()
    >>> str(caught[0].message)
    'torch.cuda.profiler: there is no CUDA here, so nothing is profiled: minigrad computes on the CPU. ...'
    """
    warn("torch.cuda.profiler: there is no CUDA here, so nothing is profiled: minigrad computes on the CPU. To profile "
         "its operations, use torch.autograd.profiler.profile.")


def stop():
    """Stop CUDA's profiler: does nothing, since :func:`start` has not started it.

    >>> torch.cuda.profiler.stop()
    """


class profile:
    """A block with CUDA's profiler on: there is no CUDA, so it gives a warning and runs the block.

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
