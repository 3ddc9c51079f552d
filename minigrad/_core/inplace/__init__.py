"""Writes: ``x += y``, ``x[0] = y``, ``out=x``, and what they do to the graph.

``write`` has the protocol: first everything is checked, then the numbers change, then the history::

    x.mul_(y)       inplace_methods    ->    write    ->    write_checks      may it be written to?
                                                            dispatch/compute  the numbers
                                                            view_history      what views of x learn

- ``write``: the protocol of a write
- ``write_checks``: what a write is refused for
- ``inplace_methods``: the ways to a write: ``x.mul_(y)``, ``x *= y``, ``inplace=True``
- ``inplace_views``: ``x.t_()``, ``x.resize_()``: another layout for the same tensor
- ``out_argument``: results in tensors of the user
"""
