"""The memory of large arrays, which is kept for the next ones.

Memory of arrays of 64 KiB and more is not given back to the system at once when they die: the next arrays of that size
take it, and that is faster than new memory.  At most :func:`get_limit` bytes are kept beyond what the program needs.
PyTorch has this for GPUs, as ``torch.cuda.empty_cache`` and its neighbours; for the CPU it leaves it to the C library.

>>> from minigrad import memory
>>> sorted(memory.figures())
['in_use', 'kept', 'kept_blocks', 'limit', 'reused', 'taken']
"""

from minigrad._core.runtime.memory_pool import figures, get_limit, release, set_limit

__all__ = ["figures", "get_limit", "release", "set_limit"]
