"""Writes: ``x += y``, ``x[0] = y``, ``out=x``, and what they do to the graph.

``write`` has the protocol: check everything, compute, record, and only then touch the memory and count the write::

    x.mul_(y)       inplace_methods    ->    write    ->    write_checks      may it be written to?
                                                            dispatch/compute  the numbers
                                                            view_history      the history of x and its views
                                                            dual_tensors      the tangent of x, in forward mode
                                                            kernels           into the memory of x

- ``write``: the protocol of a write
- ``write_checks``: why a write may be refused
- ``inplace_methods``: the entry points: ``x.mul_(y)``, ``x *= y``, ``inplace=True``
- ``inplace_layouts``: ``x.t_()``, ``x.resize_()``: another layout for the same tensor
- ``out_argument``: results written into the user's tensors
"""
