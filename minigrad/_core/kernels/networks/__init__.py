"""Neural networks: activations, losses and normalization, without arrays in between.

What takes NumPy several calls, with an array between each two, is one call here::

    layer_norm      normalization    ->    normalization_loops: mean, deviation and result of a line
    mse_loss        elementwise_losses: what each element costs, and the sum of it

- ``activations``: gates, and activations with kinks
- ``elementwise_losses``: what each element costs, and its mean or sum
- ``nll_loss``: the loss of classification, and its gradient
- ``margin_losses``: losses between the classes of a row
- ``ctc_loss``: the probability of a label sequence, summed over all alignments
- ``normalization``: layer, group, batch and RMS norm: the kernels of the rows
- ``normalization_loops``: their loops over lines
- ``recurrent_layer``: one layer of a recurrent network over all steps of a sequence, and the way back
- ``embedding_bags``: sums over bags of rows
"""
