"""Engines of your own: Python functions that walk the graph in place of minigrad's engine.

    def my_engine(roots, gradients, inputs, keep_graph):
        (node, _), = roots
        node, _ = node.next_functions[0]
        node(*gradients)                # that of a leaf: adds to its .grad

    x = torch.ones(3, requires_grad=True)
    with torch.use_engine(my_engine):
        x.clone().backward(torch.ones(3))

Inside the block every backward pass of the thread is handed to the function.  It works with what a node offers to
Python: ``node(*gradients)``, ``node.next_functions`` and ``node._sequence_nr()``, and with the functions below, for
hooks and for freeing what a node saved.  The protocol is published in the reference, :doc:`/reference/engines`.

- ``plain``: an engine in a hundred lines
- ``using``: the block
- ``checklist``: which parts of the protocol an engine gets right

What minigrad does when a pass is handed over is in ``_core/backward/user_engines.pyx``.
"""

from minigrad._core.backward.engine import free
from minigrad._core.backward.user_engines import outputs_of, posthooks, prehooks, tensor_hooks
from minigrad.autograd.engines.checklist import check_engine
from minigrad.autograd.engines.using import use_engine

__all__ = ["check_engine", "free", "outputs_of", "posthooks", "prehooks", "tensor_hooks", "use_engine"]
