"""How wrong is a prediction?  The losses of ``minigrad.nn.functional``.

A loss compares ``input`` with ``target`` element by element and then reduces: to the mean, to the sum,
or not at all.  Its gradient therefore is a product of two things: the slope of the comparison, which
is elementwise, and the share of ``d`` that an element gets, ``share_of(d, ...)``: all of it, or d / n
for a mean over n.  ``d`` of a reduced loss has no dims; broadcasting spreads it.

``nll_loss`` picks one entry of each row; it is linear in its input, and so are both it and its
transpose ``nll_loss_backward``, each the formula of the other.  ``cross_entropy`` is ``log_softmax``
followed by it.

PyTorch's nodes save the reduction as a number: 0 for none, 1 for the mean, 2 for the sum.

Neighbours: activation.py (log_softmax, sigmoid), reduction.py (mean and sum).
"""

import warnings

import numpy as np

from minigrad._core.errors import error

from .activation import log_softmax, logsigmoid, softplus_kernel
from .arithmetic import div, mul, neg, sub, xlogy_free
from .comparison import eq, refuse
from .dims import one_dim, scalar_name
from .elementwise import exp, sigmoid
from .kinds import composite, elementwise, general, linear
