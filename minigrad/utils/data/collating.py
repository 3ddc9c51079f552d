"""From samples to a batch: tensors of equal shapes are stacked, and what holds tensors is taken apart and put together.

    [(x0, "a"), (x1, "b")]    ->    [stack([x0, x1]), ("a", "b")]
"""

from collections.abc import Mapping, MutableMapping, MutableSequence, Sequence
from copy import copy

import numpy as np

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad.creation import as_tensor, tensor
from minigrad.dtypes import float64
from minigrad.ops.exports import EXPORTS

__all__ = ["collate", "default_collate", "default_collate_fn_map", "default_convert"]


def default_collate(batch):
    """The batch of a list of samples: each tensor, array or number of a sample becomes a tensor with a first dim more.

    Strings stay as they are.  Tuples become lists, other containers keep their classes.

    >>> torch.utils.data.default_collate([{"x": 1., "name": "a"}, {"x": 2., "name": "b"}])
    {'x': tensor([1., 2.], dtype=torch.float64), 'name': ['a', 'b']}
    """
    return collate(batch, collate_fn_map=default_collate_fn_map)


def default_convert(data):
    """Arrays and NumPy's numbers in a sample as tensors; everything else as it is.

    >>> import numpy as np
    >>> torch.utils.data.default_convert([np.array([0, 1]), "a"])
    [tensor([0, 1]), 'a']
    """
    if isinstance(data, (np.ndarray, np.generic)) and not isinstance(data, np.str_):
        return data if is_of_text(data) else as_tensor(data)
    if isinstance(data, Tensor) or not is_container(data):
        return data
    return rebuilt(data, [default_convert(each) for each in parts_of(data)])


def collate(batch, *, collate_fn_map=None):
    """The batch of a list of samples, by functions for their classes: ``{cls: function(batch, collate_fn_map=)}``."""
    first, functions = batch[0], collate_fn_map or {}
    function = functions.get(type(first))
    for cls in functions if function is None else ():
        if isinstance(first, cls):
            function = functions[cls]
            break
    if function is not None:
        return function(batch, collate_fn_map=collate_fn_map)
    if not is_container(first):
        raise not_a_sample(type(first))
    if isinstance(first, Mapping):
        columns = [[each[key] for each in batch] for key in first]
    else:
        is_named = hasattr(first, "_fields")
        if not is_named and any(len(each) != len(first) for each in batch):
            raise error("MG204", "each element in list of batch should be of equal size")
        columns = zip(*batch)
    return rebuilt(first, [collate(column, collate_fn_map=collate_fn_map) for column in columns])


def is_container(data):
    return isinstance(data, Mapping) or isinstance(data, Sequence) and not isinstance(data, (str, bytes))


def parts_of(data):
    return [data[key] for key in data] if isinstance(data, Mapping) else data


def rebuilt(data, parts):
    """A container like ``data`` of other parts; one that cannot be made so becomes a dictionary or a list."""
    if isinstance(data, tuple):
        return type(data)(*parts) if hasattr(data, "_fields") else parts
    keys = [*data] if isinstance(data, Mapping) else range(len(parts))
    try:
        if not isinstance(data, (MutableMapping, MutableSequence)):
            return type(data)(dict(zip(keys, parts)) if isinstance(data, Mapping) else parts)
        made = copy(data)                               # it may know more than its items
        for key, part in zip(keys, parts):
            made[key] = part
        return made
    except TypeError:
        return dict(zip(keys, parts)) if isinstance(data, Mapping) else parts


def is_of_text(array):
    return array.dtype.kind in "SUOa"


def of_tensors(batch, *, collate_fn_map=None):
    return EXPORTS["minigrad"]["stack"](batch, 0)


def of_arrays(batch, *, collate_fn_map=None):
    if is_of_text(batch[0]):
        raise not_a_sample(batch[0].dtype)
    return collate([as_tensor(each) for each in batch], collate_fn_map=collate_fn_map)


def of_numpy_scalars(batch, *, collate_fn_map=None):
    return as_tensor(np.array(batch))


def of_floats(batch, *, collate_fn_map=None):
    return tensor(batch, dtype=float64)


def of_integers(batch, *, collate_fn_map=None):
    return tensor(batch)


def of_text(batch, *, collate_fn_map=None):
    return batch


default_collate_fn_map = {Tensor: of_tensors, np.ndarray: of_arrays,
                          (np.bool_, np.number, np.object_): of_numpy_scalars, float: of_floats, int: of_integers,
                          str: of_text, bytes: of_text}


def not_a_sample(cls):
    return error("MG205", "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found "
                          f"{cls}. Give the loader a collate_fn that knows what to do with it")
