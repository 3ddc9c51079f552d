"""``torch.profiler``: profiles of some steps of a long program, on ``torch.autograd.profiler``.

A :func:`schedule` says for each step what is done; where one ends, ``on_trace_ready`` is called with the profile::

    with torch.profiler.profile(schedule=torch.profiler.schedule(wait=1, warmup=1, active=2),
                                on_trace_ready=lambda prof: print(prof.key_averages().table())) as prof:
        for _ in range(8):
            (torch.rand(100, 100) @ torch.rand(100, 100)).sum()
            prof.step()                         # the next step begins
"""

from minigrad._lazy_modules import incomplete as _incomplete
from minigrad.autograd.profiler import record_function
from minigrad.profiler.profiler import (ProfilerAction, ProfilerActivity, profile, schedule, supported_activities,
                                        tensorboard_trace_handler)

__all__ = ["ProfilerAction", "ProfilerActivity", "kineto_available", "profile", "record_function", "schedule",
           "supported_activities", "tensorboard_trace_handler"]


def kineto_available():
    """False: the library that PyTorch records GPUs with is not needed here.

    >>> torch.profiler.kineto_available()
    False
    """
    return False


__getattr__ = _incomplete(__name__, {})
