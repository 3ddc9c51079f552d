"""Windows that move over a tensor: convolutions, and what lays windows side by side.

- ``sliding``: where windows are: what the other files share
- ``convolution``: windows times a weight
- ``folding``: windows laid side by side, and put back: unfold, fold
- ``pooling``: the largest element or the mean of each window
- ``unpooling``: values put back where the largest ones were
- ``resizing``: interpolation: images with more elements, or fewer
- ``grids``: values read between elements: grid_sample, affine_grid
- ``shuffling``: elements moved between channels and places: pixel_shuffle
"""
