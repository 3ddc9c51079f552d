"""Devices: arrays on devices other than the CPU.

The core computes on NumPy's arrays.  A meta array has a shape and a dtype, and no numbers; one of a pretended
accelerator (``cuda/pretending.py``) has its numbers in the memory of the CPU, but counts as another device: no
operation takes one of its arrays together with an array of the CPU, unless that is a single number::

    a row on meta tensors    ->    meta_functions: the shape and dtype of the result    ->    meta

- ``device_arrays``: what an array of a device must be able to do
- ``meta``: arrays without numbers
- ``meta_functions``: what an operation would give for them
"""
