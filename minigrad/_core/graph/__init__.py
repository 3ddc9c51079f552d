"""The graph: tensors, the nodes that made them, and the edges on which gradients will flow.

``graph.pxd`` is the data model on one page: read it before anything else::

    x    tensor                 y.node ->  Node of mul  --edge-->  Node of exp  --edge-->  AccumulateGrad of x
                                           | saved: what its formula will need

A node refers to its operation and knows little more of it: how operations compute is for ``kernels``, which this folder
does not know, and how a pass runs is for ``backward``.  While it runs, a pass keeps its own state in fields of the
nodes: how many gradients are still to come (``deps``), and the sum so far (``buffer``).

The data model:

- ``graph``: tensors, versions, nodes, edges
- ``special_methods``: what Python asks of a tensor: ``x + y``, ``len(x)``
- ``type_objects``: what Cython cannot express about a class, written in C
- ``deallocation``: how tensors and nodes die without recursion, and how the next take their place (free lists)
- ``gradient_edges``: places in the graph, for Python code: ``accumulator_of(x)``, and what ``GradientEdge`` needs
- ``shared_memory``: memory that several tensors share, for Python code: ``same_memory(x, y)``, ``bump_version(x)``
- ``listener``: what is told of every operation, such as a profiler

What a node saves:

- ``saved_slots``: the slots of a node
- ``saved_tensors``: what is in them, checked, and given back to the formulas
- ``saved_tensor_hooks``: saved tensors that the user's hooks pack and unpack

Views, hooks, custom Functions:

- ``view_geometry``: where a view lies in the memory of its base
- ``view_history``: what a write through one view does to the history of the others
- ``hook_lists``: hooks and retained gradients, kept with their tensor or node (``minigrad/autograd/graph/hooks.py``
  registers them, ``backward/hooks`` runs them)
- ``function_node``: the node of a custom Function
"""

from minigrad._core.graph.graph import AccumulateGrad, Node, Tensor, wrap

__all__ = ["AccumulateGrad", "Node", "Tensor", "wrap"]
