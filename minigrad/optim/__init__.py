"""Optimizers: what moves the parameters after each backward pass.

Read ``optimizer.py`` and ``rules.py`` first; every algorithm is a file of a page, which names its paper.
"""

from minigrad._core.errors.absent import answering as _answering
from minigrad.optim import lr_scheduler, swa_utils
from minigrad.optim._adafactor import Adafactor
from minigrad.optim._muon import Muon
from minigrad.optim.adadelta import Adadelta
from minigrad.optim.adagrad import Adagrad
from minigrad.optim.adam import Adam
from minigrad.optim.adamax import Adamax
from minigrad.optim.adamw import AdamW
from minigrad.optim.asgd import ASGD
from minigrad.optim.lbfgs import LBFGS
from minigrad.optim.nadam import NAdam
from minigrad.optim.optimizer import Optimizer
from minigrad.optim.radam import RAdam
from minigrad.optim.rmsprop import RMSprop
from minigrad.optim.rprop import Rprop
from minigrad.optim.sgd import SGD
from minigrad.optim.sparse_adam import SparseAdam

__all__ = ["ASGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "LBFGS", "Muon", "NAdam",
           "Optimizer", "RAdam", "RMSprop", "Rprop", "SGD", "SparseAdam", "lr_scheduler", "swa_utils"]

__getattr__ = _answering(__name__)
