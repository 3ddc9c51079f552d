"""Attributes and methods of Tensor that ask ``__torch_function__``: ``x.shape``, ``x.grad = g``, ``x.backward()``.

Operations ask their arguments by themselves (_core/dispatch/torch_function.pyx).  Whatever else a tensor has would be
slower for all tensors if it asked, too, and only tensors of subclasses have anything to ask.  So a new subclass
receives, for each such attribute of Tensor, one of the same name that asks and then does what Tensor's does::

    class Named(Tensor): ...      ->   Named.shape        an AskingAttribute
    x.shape                       ->   Named.__torch_function__(Tensor.shape.__get__, (Named,), (x,))
"""

from functools import wraps
from types import FunctionType

from minigrad._core.dispatch.torch_function import ask, disabled_torch_function
from minigrad._core.graph import Tensor
from minigrad._core.graph.type_objects import as_method

#: special methods that ask, as in PyTorch; the operators do so by themselves, and ``__iter__`` and ``__hash__`` do not
SPECIAL = {"__array__", "__bool__", "__complex__", "__contains__", "__deepcopy__", "__dlpack__", "__dlpack_device__",
           "__float__", "__format__", "__index__", "__int__", "__len__", "__reduce_ex__", "__repr__", "__reversed__",
           "_base", "_is_view", "_version"}

#: methods that do not ask: they are about the class itself
SILENT = {"as_subclass", "why_no_grad"}

METHODS = (FunctionType, type(Tensor.detach), type(Tensor.__repr__), type(Tensor.__format__))


class AskingAttribute:
    """An attribute of a subclass, like ``attribute``, that of Tensor."""

    def __init__(self, name, attribute):
        self.__name__, self.attribute = name, attribute

    def __get__(self, x, owner=None):
        if x is None:
            return self.attribute.__get__(None, Tensor)
        return ask(self.attribute.__get__, x)

    def __set__(self, x, value):
        ask(self.attribute.__set__, x, value)

    def __delete__(self, x):
        ask(self.attribute.__delete__, x)


def asking(name):
    """A method of a subclass, like that of Tensor, which a program may replace."""
    @wraps(getattr(Tensor, name))
    def ask_first(self, *args, **kwargs):
        return ask(getattr(Tensor, name), self, *args, **kwargs)
    return ask_first


def that_asks(name, attribute):
    """What a subclass has for an attribute of Tensor; None where that of Tensor will do."""
    if name in SILENT or name.startswith("_") and name not in SPECIAL:
        return None
    if isinstance(attribute, METHODS):
        return asking(name)
    return AskingAttribute(name, attribute) if hasattr(type(attribute), "__set__") else None


def init_subclass(cls, **keywords):
    """What Python calls with each new subclass: give it attributes that ask, where it has none of its own."""
    super(Tensor, cls).__init_subclass__(**keywords)
    for name, value in list(vars(cls).items()):
        if as_method(value) is not value:
            setattr(cls, name, value)           # which makes it a method: Note [Functions and methods]
    if cls.__torch_function__ is disabled_torch_function:
        return
    for base in Tensor.__mro__[:-1]:
        for name, attribute in vars(base).items():
            if inherited(cls, name) is attribute:
                made = that_asks(name, attribute)
                if made is not None:
                    setattr(cls, name, made)


def inherited(cls, name):
    """What stands for the name, which Tensor has, in the class, or the first of its bases that has it."""
    return next(vars(base)[name] for base in cls.__mro__ if name in vars(base))
