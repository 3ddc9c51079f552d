"""PyTorch's own tests of autograd, functorch, nn and optim, run with minigrad in place of torch.

Their files are brought when they run: ``python -m tests.parity.own_tests`` clones the part of PyTorch that has them, or
finds them in a folder: ``--files FOLDER``, a clone at the tag v2.13.0, or any folder with ``test`` and ``torch``
(``--torch`` names another one, such as that of an installed PyTorch, whose ``torch/testing/_internal`` is the same).

stage.py lends the name and has substitutes for what is not here, running.py runs one file, and known.txt lists the
tests that fail, each with the reason.  A test that fails and is not in the list is reported, and so is one in it that
passes.
"""
