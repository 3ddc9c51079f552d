"""The benchmark: what does recording and differentiating cost, next to the same program written by hand?

    python -m tests.benchmarks                     everything, some minutes
    python -m tests.benchmarks mlp rnn --quick     two groups, fewer and shorter rounds
    python -m tests.benchmarks --json out.json     the same, with every sample kept

The idea is to trust ratios only.  A time says something about one machine at one moment; the ratio of two programs that
were timed in turns, in one process, says something about the programs.  So each case runs the *same computation* as
several *contestants* (`contestants.py`): NumPy with the backward pass written by hand, which is the limit, minigrad,
and those of PyTorch, MyGrad and HIPS autograd that are installed.  Before anything is timed, their gradients are
compared: a fast wrong answer is no answer.

How time is taken is in `timing.py`; how the figures are shown, in `report.py`.  The cases are one file per group:

    ops          one recorded operation, one backward node          chains       1e3 to 1e6 nodes: linear? how large?
    mlp          training steps of two multilayer perceptrons       rnn          200 small steps, one after the other
    convnet      training steps of two convolutional networks       attention    batched products and a softmax
    elementwise  a million elements at a time                       hvp          a Hessian-vector product
    transforms   vmap of grad, and a Jacobian at once               imports      what `import` costs
    watching     what a profiler, anomaly mode and a player cost    models       training steps of whole models
    programs     training steps, and their products alone           every_op     every operation, small and large

Every public operation, one call at a time and against PyTorch alone, is also a command: `every_op.py`.

Nothing here asserts a time: a benchmark that fails on a busy machine teaches people to ignore it.  The targets are
printed beside the ratios, and a `!` marks a ratio that misses its target.
"""
