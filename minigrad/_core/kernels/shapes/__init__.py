"""Shapes: the same numbers in another view, or in another place.

A view costs nothing: only where it begins, its sizes and its strides are new.  What no view can express is copied::

    [ a b c d e f ]     strided_views      x[1:4], x.t(), x.expand(...)         the same memory
                        data_movement      x.flip(0), x.repeat(2), x.roll(1)    new memory

- ``strided_views``: views, as offsets, sizes and strides
- ``view_gradients``: the gradients of views, put among zeros
- ``data_movement``: reversed, shifted, repeated, cut to a triangle, put on a diagonal
- ``concatenation``: cat, stack, split
- ``padding``: margins of a number or of copies
- ``memory_overlap``: whether elements lie at one location
"""
