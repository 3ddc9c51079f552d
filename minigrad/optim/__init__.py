"""Optimizers: what moves the parameters after each backward pass.

Read ``optimizer.py`` and ``rules.py`` first; every algorithm is a file of a page, which names its paper.
"""

from minigrad._core.absent import answering as _answering
from minigrad.optim.adam import Adam, AdamW
from minigrad.optim.optimizer import Optimizer
from minigrad.optim.sgd import SGD

__all__ = ["Adam", "AdamW", "Optimizer", "SGD"]

__getattr__ = _answering(__name__)
