"""``relu_(x)`` for ``relu(x, inplace=True)``, where PyTorch has it."""

from minigrad.ops.exports import NN_REGISTRY


def in_place(name):
    """The function ``name`` with ``inplace=True``."""
    def write(input, *args, **kwargs):
        return NN_REGISTRY[name](input, *args, **kwargs, inplace=True)

    write.__name__ = write.__qualname__ = name + "_"
    write.__module__ = "minigrad.nn.functional"
    write.__doc__ = f"The in-place form of :func:`{name}`: ``input`` takes the result, and is returned."
    return write


IN_PLACE = {name + "_": in_place(name) for name in ("celu", "elu", "hardtanh", "leaky_relu", "relu", "selu",
                                                    "threshold")}
