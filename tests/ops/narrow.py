"""``python -m tests.ops.narrow [32]``: the dtypes of all that the general kernels return, as JSON.

With ``32``, NumPy's functions that find or count answer with int32, as they do where a pointer has 32 bits: in a web
page, for example.  PyTorch's indices are int64 everywhere.
"""

import functools
import json
import sys
import warnings

import numpy as np

FIND = ("argmax", "argmin", "argsort", "argpartition", "argwhere", "nonzero", "flatnonzero", "searchsorted",
        "count_nonzero", "bincount", "unravel_index", "ravel_multi_index", "tril_indices", "triu_indices", "digitize",
        "indices")


def narrowed(made):
    """What NumPy returns with each int64 as an int32."""
    if isinstance(made, tuple):
        return tuple(map(narrowed, made))
    return made.astype(np.int32) if getattr(made, "dtype", None) == np.int64 else made


def finding(function):
    """The function, with answers of 32 bits."""
    @functools.wraps(function)
    def call(*args, **keywords):
        return narrowed(function(*args, **keywords))
    return call


def unique(function):
    """np.unique, whose places and counts have 32 bits, and whose values remain."""
    @functools.wraps(function)
    def call(*args, **keywords):
        made = function(*args, **keywords)
        return (made[0], *narrowed(made[1:])) if isinstance(made, tuple) else made
    return call


def arange(function):
    """np.arange of ints, which has the size of a pointer where no dtype is named."""
    @functools.wraps(function)
    def call(*args, dtype=None, **keywords):
        made = function(*args, dtype=dtype, **keywords)
        wide = any([getattr(each, "dtype", None) == np.int64 for each in args])
        return made if dtype is not None or wide else narrowed(made)
    return call


def narrow():
    """Make this process's NumPy one of 32 bits, as far as indices go."""
    for name in FIND:
        setattr(np, name, finding(getattr(np, name)))
    np.unique, np.arange = unique(np.unique), arange(np.arange)


def kinds_of(made):
    """The dtypes of the arrays in a result."""
    if isinstance(made, (list, tuple)):
        return [kind for each in made for kind in kinds_of(each)]
    return [str(made.dtype)] if hasattr(made, "dtype") else []


def main():
    if sys.argv[1:] == ["32"]:
        narrow()
    from minigrad._core.dispatch.compute import on_arrays_general
    from minigrad.ops.exports import ROWS
    from tests.ops.calling import calls_of_rows
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, calls in sorted(calls_of_rows().items()):
            for i, args in enumerate(calls):
                try:
                    made = kinds_of(on_arrays_general(ROWS[name], *args))
                except Exception as reason:
                    made = f"{type(reason).__name__}: {reason}"
                found[f"{name} {i}"] = made
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
