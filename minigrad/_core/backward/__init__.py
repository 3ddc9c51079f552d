"""The backward pass: from the last node to ``.grad``.

Read ``formulas``, which is what happens at a node, then ``pass_state``, and ``engine``, which has the loop on its first
page::

    y.backward()
      pass_state        counts what will arrive at each node
      engine            takes the latest node whose gradients have arrived
        formulas        computes the gradients of its inputs
        fitting         brings them to the shapes and dtypes of the inputs
        accumulate_grad adds them up, in buffers, and at the end in .grad

``fitting`` and ``accumulate_grad`` call ``kernels`` for their sums; formulas reach kernels by way of ``dispatch``.

- ``engine``: the loop
- ``pass_state``: what a pass knows, and which nodes it will visit
- ``formulas``: derivatives as programs that run on arrays
- ``half_precision``: formulas on 16-bit floats
- ``fitting``: a gradient, in the shape and dtype of its input
- ``all_gradients``: nodes that compute the gradients of all inputs at once
- ``accumulate_grad``: gradients are added up
- ``captured_gradients``: those that ``autograd.grad`` returns
- ``hooks``: the user's hooks, run in a pass (``graph/hook_lists`` keeps them)
- ``nested_passes``: passes inside passes (reentrant backward)
- ``watched_pass``: a pass under a profiler, anomaly mode, or the player
- ``user_engines``: nodes, and whole passes, that the user's code runs
"""
