"""Devices: what the arrays of other devices than the CPU are.

The core computes on NumPy's arrays.  An array of "meta" has a shape and a dtype, and no numbers; one of a pretended
accelerator has its numbers elsewhere::

    a row on meta tensors    ->    meta_functions: the shape and dtype of the result    ->    meta

- ``device_arrays``: arrays that lie elsewhere
- ``meta``: arrays without numbers
- ``meta_functions``: what an operation would give for them
"""
