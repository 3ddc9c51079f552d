"""The building blocks of neural networks: activations, softmax, losses, normalization.

- ``activation``: relu and its relatives
- ``shrinking``: activations made of straight pieces: hardshrink, hardsigmoid, hardswish
- ``gates``: glu, and leaky relus whose slopes are not fixed: prelu, rrelu
- ``softmax``: from scores to probabilities (their kernels are in ``_core/kernels/reductions``)
- ``loss``: the losses of single elements: mse_loss, binary_cross_entropy
- ``classification``: one of several classes: nll_loss, cross_entropy
- ``divergence``: how far two distributions are apart: kl_div
- ``margin``: losses that are zero where a margin is kept
- ``multi_margin``: a margin between the classes of a sample
- ``ctc``: ctc_loss: sequences of labels that are shorter than what they are read from
- ``normalization``: lines of numbers brought to mean 0 and variance 1: layer and RMS norm
- ``channel_norms``: the same for the channels of images: group, batch and instance norm
- ``similarity``: distances and cosines of vectors, and the bilinear layer
- ``bags``: embedding_bag: sums, means and maxima of embedded vectors
- ``recurrent``: the state of a recurrent network, step after step
"""
