"""Front ends: the usual calls, answered in C before Python is asked.

Functions such as ``torch.zeros`` and ``x.to`` are written in Python, which knows everything about arguments and errors.
Most calls need little of that.  A front end answers those, and leaves the others to Python::

    torch.zeros(2, 3)    ->    creation.zeros, in C    ->    a tensor
                                   | None
                                   v
                               zeros in creation/__init__.py, in Python

Like most of ``kernels``, this folder only makes things faster.  It reads arguments and hardly computes, so front ends
stay on when the kernels are turned off; the exceptions are the steps of optimizers, and writes at chosen places
(``x[index] = y``), which do compute.

New tensors:

- ``creation``: from lists and sizes: ``torch.tensor``, ``torch.zeros``
- ``ranges``: ``arange``, ``linspace``, ``eye``
- ``random_tensors``: ``rand``, ``randn``, ``randint``
- ``conversions``: ``x.to(...)``, ``from_numpy``, ``as_tensor``

Questions and other shapes:

- ``queries``: ``x.size()``, ``x.item()``, ``x.tolist()``
- ``subscripting``: ``x[i]``, for reading and for writing
- ``reshaping``: contiguous, flatten, unflatten
- ``stack_and_split``: hsplit, vstack and their relatives
- ``fourier``: fft, rfft2, irfftn and their relatives
- ``numpy_ufuncs``: ``np.exp(x)``, ``array + x``

Autograd:

- ``start_backward``: shortcuts into a backward pass
- ``function_apply``: ``Function.apply``, for the usual calls
- ``optimizer_steps``: one step of an optimizer, in one pass over memory
"""
