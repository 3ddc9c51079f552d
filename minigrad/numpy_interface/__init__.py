"""NumPy's functions, called with tensors: ``np.sin(x)``, ``np.add(array, x)``, ``np.linalg.inv(x)``.

NumPy asks its arguments first whether one of them wants to answer in its place (``__array_ufunc__``,
``__array_function__``).  A tensor does, wherever a function of minigrad means the same: the call is recorded, gradients
flow, and the dtypes are PyTorch's.  The answers are one table, in three files, which are loaded the first time NumPy
asks:

    functions       ufuncs, and the functions that mean the same here as there
    rearranging     those that insert, take away, sort out and put together
    statistics      statistics, polynomials and the like, written with operations of minigrad

``dlpack`` shares memory with other libraries; ``dlpack_devices`` has its numbers of devices.
"""

from importlib import import_module

from minigrad._core.errors.refusals import masked_array
from minigrad._core.frontends import numpy_ufuncs


def table():
    import_module(f"{__name__}.statistics")         # it needs the other two
    return import_module(f"{__name__}.functions")


@numpy_ufuncs.UfuncCalls
def __array_ufunc__(self, ufunc, method, *inputs, out=None, **keywords):
    """What NumPy asks when a ufunc is given a tensor: ``np.sin(x)``, ``np.add.reduce(x)``.

    >>> import numpy as np
    >>> x = torch.tensor([0., 1.], requires_grad=True)
    >>> np.exp(x)
    tensor([1.0000, 2.7183], grad_fn=<ExpBackward0>)
    """
    return table().answer_ufunc(ufunc, method, inputs, out, keywords)


def __array_function__(self, func, types, args, kwargs):
    """What NumPy asks when another of its functions is given a tensor: ``np.sum(x)``, ``np.linalg.inv(x)``.

    >>> import numpy as np
    >>> x = torch.tensor([[1., 2.], [3., 4.]], requires_grad=True)
    >>> np.sum(x, axis=0)
    tensor([4., 6.], grad_fn=<SumBackward1>)
    """
    return table().answer_function(func, types, args, kwargs)


def data_for_a_masked_array(self):
    """What NumPy's masked arrays ask an operand for, before anything else; they know no other dtypes than NumPy's.

    A subclass may have an attribute of this name.
    """
    try:
        return self.__dict__["_data"]
    except KeyError:
        raise masked_array("numpy.ma", "MG402") from None


def set_data(self, value):
    self.__dict__["_data"] = value


def delete_data(self):
    if self.__dict__.pop("_data", set_data) is set_data:
        raise AttributeError("_data")


METHODS = {"__array_ufunc__": __array_ufunc__, "__array_function__": __array_function__,
           "_data": property(data_for_a_masked_array, set_data, delete_data)}
