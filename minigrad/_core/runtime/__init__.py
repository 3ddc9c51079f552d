"""The thread that a program runs in: its modes, its memory, its helpers.

Only ``errors`` is below: nothing here knows what a tensor is.  Read ``thread_state`` first, the struct of switches that
every operation checks::

    with torch.no_grad():           grad_mode      enters, and leaves even if Ctrl-C comes
        |
        v
    state().grad_off = 1            thread_state   one C struct for each thread

Modes:

- ``thread_state``: the modes of a thread, in one struct
- ``grad_mode``: what ``no_grad``, ``enable_grad`` and ``inference_mode`` switch, and put back
- ``scopes``: blocks that change something and restore it, whatever happens
- ``errstate``: computing without NumPy's warnings
- ``source_lines``: lines of the user's program, for errors about another line than the one that raises

Memory:

- ``memory_pool``: memory of large arrays, kept for the next ones
- ``array_freelist``: small arrays that have died, kept for the next ones
- ``malloc``: memory that is not a Python object
- ``allocation_counter``: bytes of arrays, counted while a profiler asks for them
- ``dlpack``: memory that is shared with other libraries: the capsules of ``numpy_interface/dlpack.py``

Other foundations:

- ``thread_pool``: large loops, shared among several threads
- ``type_promotion``: the dtype of a result
- ``core_ops``: the few operations of the table that the core itself applies
- ``provided``: objects that modules in Python give to the core when the library is imported, ``core_ops`` among them
- ``python_api``, ``numpy_api``, ``numpy_table``: the parts of the C APIs of Python and NumPy that are used
"""
