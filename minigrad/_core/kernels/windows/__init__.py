"""Windows that move over images: convolution, pooling, interpolation.

A convolution is a product of windows with a weight.  The matrix of all windows is never written down; an image is laid
out so that windows are runs of numbers (``window_layout``), and the tiles of ``kernels/algebra`` multiply runs::

    image    ->    window_layout    ->    convolution           ->    result
                                          convolution_weight    <-    its gradient

- ``window_layout``: windows as runs of numbers
- ``convolution``: windows times a weight, and the gradient of the image
- ``convolution_weight``: the gradient of the weight
- ``unfold_fold``: the matrix of windows, where it is asked for (im2col), and back
- ``planes``: windows along each dim of what they move over, for the three that follow
- ``pooling``: the largest or the mean of each window
- ``unpooling``: elements put where the largest ones were
- ``resizing``: interpolation, by windows with weights
- ``grid_sample``: images read between their pixels
- ``pixel_shuffle``: pixels and channels in another order
"""
