"""What all tensors have in common: conversion to Python, printing, copies, attributes.

- ``to_python``: ``item``, ``tolist``, ``numpy``, and what makes a tensor behave like a number
- ``printing``: ``print(x)``
- ``copy_and_pickle``: ``copy.deepcopy`` and ``pickle``, which keep shared memory shared
- ``attributes``: device, layout and the like
- ``subclasses``: attributes that ask ``__torch_function__``

The class itself is compiled (``_core/graph``); ``_tensor.py`` puts all of this into it.
"""
