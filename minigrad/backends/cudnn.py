"""NVIDIA's library for neural networks, which is not here.  Its switches are kept, and have no effect.

>>> torch.backends.cudnn.benchmark = False
"""

from minigrad._core.runtime.scopes import Block as _Block

__all__ = ["flags", "is_available", "set_flags", "version"]

enabled, benchmark, benchmark_limit, deterministic, allow_tf32 = True, False, None, False, True
_SWITCHES = ("enabled", "benchmark", "benchmark_limit", "deterministic", "allow_tf32")


def is_available():
    """False.

    >>> torch.backends.cudnn.is_available()
    False
    """
    return False


def version():
    """None, for there is no such library.

    >>> torch.backends.cudnn.version()
    """
    return None


def set_flags(_enabled=None, _benchmark=None, _benchmark_limit=None, _deterministic=None, _allow_tf32=None,
              _fp32_precision="none", _depthwise_kernel=None):
    """Set the switches that are given, and return all as they were.

    >>> torch.backends.cudnn.set_flags(_benchmark=True)
    (True, False, None, False, True)
    >>> torch.backends.cudnn.benchmark
    True
    >>> before = torch.backends.cudnn.set_flags(_benchmark=False)
    """
    given = zip(_SWITCHES, (_enabled, _benchmark, _benchmark_limit, _deterministic, _allow_tf32))
    before = tuple(globals()[name] for name in _SWITCHES)
    globals().update({name: value for name, value in given if value is not None})
    return before


def flags(enabled=False, benchmark=False, benchmark_limit=10, deterministic=False, allow_tf32=True,
          fp32_precision="none", depthwise_kernel="auto"):
    """Set the switches for a block.

    >>> with torch.backends.cudnn.flags(enabled=False):
    ...     torch.backends.cudnn.enabled
    False
    """
    given = dict(zip(_SWITCHES, (enabled, benchmark, benchmark_limit, deterministic, allow_tf32)))
    return _Block(lambda: [(globals(), name, value) for name, value in given.items() if value is not None])
