"""Utilities for networks: clipping gradients, parameters as one vector, and weights that are computed.

clip_grad.py, convert_parameters.py, fusion.py and skipping.py are a few lines each; rnn.py is about sequences of
several lengths.  parametrize.py replaces a parameter by a function of others, and parametrizations.py has three such
functions; weight_norm.py and spectral_norm.py are their older forms.
"""

from minigrad._core.errors.absent import answering as _answering
from minigrad.nn.utils import parametrizations, parametrize, prune, rnn, skipping as init, stateless
from minigrad.nn.utils.clip_grad import (clip_grad_norm, clip_grad_norm_, clip_grad_value_, clip_grads_with_norm_,
                                         get_total_norm)
from minigrad.nn.utils.convert_parameters import parameters_to_vector, vector_to_parameters
from minigrad.nn.utils.fusion import (fuse_conv_bn_eval, fuse_conv_bn_weights, fuse_linear_bn_eval,
                                      fuse_linear_bn_weights)
from minigrad.nn.utils.memory_format import (convert_conv2d_weight_memory_format,
                                              convert_conv3d_weight_memory_format)
from minigrad.nn.utils.skipping import skip_init
from minigrad.nn.utils.spectral_norm import remove_spectral_norm, spectral_norm
from minigrad.nn.utils.weight_norm import remove_weight_norm, weight_norm

__all__ = ["clip_grad_norm", "clip_grad_norm_", "clip_grad_value_", "clip_grads_with_norm_",
           "convert_conv2d_weight_memory_format", "convert_conv3d_weight_memory_format", "fuse_conv_bn_eval",
           "fuse_conv_bn_weights", "fuse_linear_bn_eval", "fuse_linear_bn_weights", "get_total_norm",
           "parameters_to_vector", "parametrizations", "parametrize", "prune", "remove_spectral_norm",
           "remove_weight_norm", "rnn", "skip_init", "spectral_norm", "stateless", "vector_to_parameters",
           "weight_norm"]

__getattr__ = _answering(__name__)
