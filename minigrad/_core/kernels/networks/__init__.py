"""Neural networks: activations, losses and normalization, each in one pass over memory.

What takes NumPy several passes, with an array between each two, is done here in one::

    layer_norm      normalization    ->    normalization_loops: mean, deviation and result of a line
    mse_loss        elementwise_losses: what each element costs, and the sum of it

- ``activations``: gates, and activations with a few corners
- ``elementwise_losses``: what each element costs, and its mean or sum
- ``nll_loss``: the loss of classification, and its way back
- ``margin_losses``: losses between the classes of a row
- ``ctc_loss``: the probability of a text over all ways to read it
- ``normalization``: layer, group, batch and RMS norm: the kernels of the rows
- ``normalization_loops``: their loops over lines
- ``embedding_bags``: sums over bags of rows
"""
