"""Published packages, installed without PyTorch and run as they are: ``python -m tests.parity.packages``.

Each program in ``programs`` uses one of them, and prints what it prints with PyTorch; the tests that a package ships
pass too.
"""
