"""Dispatch: from a call to a result, and to the node that remembers it.

``call`` is the story, and ``op`` what it is about::

    torch.mul(a, b)
      call        does a class of the user answer?             (torch_function)
      op          binds the arguments                          (arguments)
      call        checks the tensors, goes into a transform    (operands, levels)
      compute     the kernel in C; or one dtype for all, and   (axes)
                  the general way
      call        records a node, where a gradient may be wanted

An operation:

- ``op``: what an operation is, and the order of its arguments
- ``op_introspection``: what Python sees of it, and of its nodes
- ``symbols``: placeholders for tensors: a formula is called with them once, and its steps are noted (it is *traced*)
- ``overloads``: one public name, several operations
- ``numbers_first``: deprecated calls with the factor in front, ``add(x, alpha, y)`` for ``add(x, y, alpha=alpha)``
- ``composites``: public functions that are made of operations
- ``front_end``: functions of Python that are called in C first

A call:

- ``call``: from a call to a result and its node
- ``arguments``: arguments that are not tensors
- ``axes``: dims, as a kernel gets them
- ``operands``: what a call was given, checked, and the walk over its tensors
- ``compute``: from arrays to arrays
- ``torch_function``: calls that a class of the user's answers
- ``heard_calls``: calls, and the steps of formulas, told to a listener
- ``levels``: operations inside transforms (vmap, grad, jvp)
- ``operators``: ``a + b`` by the shortest path
- ``matmul``: which products matmul and linear are made of (``kernels/algebra`` has their loops)
"""
