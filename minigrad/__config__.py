"""``torch.__config__``: with what the library was built, and how many threads it uses, as text for a report."""

import os

import numpy as np

from minigrad._core.errors.absent import answering as _answering
from minigrad._core.runtime.thread_pool import built_with, get_num_interop_threads, get_num_threads
from minigrad.version import __version__

__all__ = ["parallel_info", "show"]


def show():
    """The compiler, NumPy and its BLAS.

    >>> print(torch.__config__.show())                                            # doctest: +ELLIPSIS
    minigrad ... built with:
      - ...
      - NumPy ...
      - BLAS: ...
    <BLANKLINE>
    """
    blas = np.show_config(mode="dicts").get("Build Dependencies", {}).get("blas", {})
    library = " ".join(str(blas[key]) for key in ("name", "version") if key in blas) or "unknown"
    return f"minigrad {__version__} built with:\n  - {built_with()}\n  - NumPy {np.__version__}\n  - BLAS: {library}\n"


def parallel_info():
    """The threads that are used, and those that there are.

    >>> print(torch.__config__.parallel_info())                                   # doctest: +ELLIPSIS
    Parallel:
        get_num_threads() : ...
        get_num_interop_threads() : ...
    hardware threads : ...
    Environment variables:
        OMP_NUM_THREADS : ...
    <BLANKLINE>
    """
    return (f"Parallel:\n    get_num_threads() : {get_num_threads()}\n"
            f"    get_num_interop_threads() : {get_num_interop_threads()}\n"
            f"hardware threads : {os.cpu_count()}\n"
            f"Environment variables:\n    OMP_NUM_THREADS : {os.environ.get('OMP_NUM_THREADS', '[not set]')}\n")


__getattr__ = _answering(__name__)
