"""Tensors that a module owns: parameters, which an optimizer changes, and buffers, which it does not.

A ``Parameter`` is a tensor of another class.  The class says only that the tensor is learned: assigned to a
module it is entered among ``module.parameters()``.  Whatever is computed from it is an ordinary tensor.

A ``Buffer`` is an ordinary tensor with a mark, which a module reads when the tensor is assigned to it.

The uninitialized forms stand for tensors whose shapes are not known before a lazy module sees its first input.
"""

from minigrad._core.dispatch.torch_function import DisableTorchFunctionSubclass, disabled_torch_function, make_subclass
from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad.creation import empty
from minigrad.tensors.copy_and_pickle import announcement, warn_if_has_hooks

__all__ = ["Buffer", "Parameter", "UninitializedBuffer", "UninitializedParameter", "UninitializedTensorMixin",
           "is_lazy"]


class Parameter(Tensor):
    """A tensor that is a parameter of the module that it is assigned to.

    It is a leaf on the memory of ``data`` (an empty tensor by default).  With ``requires_grad=False`` it is still a
    parameter, which is not learned.

    >>> w = torch.nn.Parameter(torch.tensor([1., 2.]))
    >>> w
    Parameter containing:
    tensor([1., 2.], requires_grad=True)
    >>> w * 2
    tensor([2., 4.], grad_fn=<MulBackward0>)
    """

    __torch_function__ = disabled_torch_function

    def __new__(cls, data=None, requires_grad=True):
        data = empty(0) if data is None else data
        if not isinstance(data, Tensor):
            raise not_a_tensor(cls, data)
        return make_subclass(cls, data, requires_grad)

    def __init__(self, data=None, requires_grad=True):
        pass                                                    # __new__ has done it; subclasses may say more

    def __deepcopy__(self, memo):
        if id(self) not in memo:            # a module's own __deepcopy__ may call this, and tie two names to it
            memo[id(self)] = type(self)(self.data.clone(), self.requires_grad)
        return memo[id(self)]

    def __reduce_ex__(self, protocol):
        warn_if_has_hooks(self)
        return _rebuilt, (type(self), self.data, self.requires_grad, dict(self.__dict__))

    def __repr__(self):
        return f"Parameter containing:\n{self._as_tensor()!r}"

    def _as_tensor(self):
        """The same numbers as an ordinary leaf, which prints as one."""
        return self.detach().requires_grad_(self.requires_grad)


class _Marked(type(Tensor)):
    """The class of Buffer: a tensor with the mark is an instance."""

    def __instancecheck__(cls, instance):
        return isinstance(instance, Tensor) and getattr(instance, "_is_buffer", False)


class Buffer(Tensor, metaclass=_Marked):
    """A tensor that is a buffer of the module that it is assigned to; without ``persistent`` it is not in the state
    dict.

    >>> class Scaled(torch.nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.scale = torch.nn.Buffer(torch.tensor(2.))
    >>> Scaled().state_dict()
    OrderedDict([('scale', tensor(2.))])
    """

    def __new__(cls, data=None, *, persistent=True):
        data = empty(0) if data is None else data
        if not isinstance(data, Tensor):
            raise not_a_tensor(cls, data)
        made = data.detach().requires_grad_(data.requires_grad)
        made._is_buffer, made.persistent = True, persistent
        return made


class UninitializedTensorMixin:
    """A tensor whose shape is not known yet; :meth:`materialize` gives it one."""

    #: what can be done before: everything that changes the dtype and nothing else
    allowed = frozenset(("size", "copy_", "is_complex", "is_floating_point", "half", "float", "double", "char", "short",
                         "int", "long", "cuda", "cpu", "to", "get_device", "detach", "requires_grad_"))

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if getattr(func, "__name__", "__get__") not in cls.allowed | {"__get__", "__set__"}:
            raise used_before_its_shape(cls, func)
        with DisableTorchFunctionSubclass():
            return func(*args, **(kwargs or {}))

    @property
    def shape(self):
        raise no_shape_yet(type(self))

    def share_memory_(self):
        raise no_shape_yet(type(self), "share memory on")

    @property
    def data(self):
        """An empty tensor; of a parameter a plain one, which a program may already fill as if there were something."""
        data = Tensor.data.__get__(self)
        return data.as_subclass(Tensor) if isinstance(self, Parameter) else data

    @data.setter
    def data(self, value):
        kind, self.__class__ = type(self), self.cls_to_become       # the shapes before and after are compared
        try:
            Tensor.data.__set__(self, value)
        finally:
            self.__class__ = kind

    def detach(self):
        """The tensor itself: it has no history, and a state dict shows that it waits."""
        return self

    def materialize(self, shape, device=None, dtype=None):
        """Become a tensor of ``shape`` whose elements are not set, of dtype ``dtype`` or the present one."""
        data = empty(shape, dtype=self.data.dtype if dtype is None else dtype, device=device)
        self.__class__ = self.cls_to_become             # from here on it has a shape
        self.data = data

    def __repr__(self):
        return f"<{type(self).__name__}>"

    def __reduce_ex__(self, protocol):
        return type(self), (self.requires_grad,)

    def __deepcopy__(self, memo):
        return memo.setdefault(id(self), type(self)(self.requires_grad, dtype=self.data.dtype))


class UninitializedParameter(UninitializedTensorMixin, Parameter):
    """A parameter of a lazy module whose shape is not known yet.

    >>> w = torch.nn.UninitializedParameter()
    >>> w
    <UninitializedParameter>
    >>> w.materialize((2, 3))
    >>> type(w).__name__, w.shape
    ('Parameter', torch.Size([2, 3]))
    """

    cls_to_become = Parameter

    def __new__(cls, requires_grad=True, device=None, dtype=None):
        return make_subclass(cls, empty(0, device=device, dtype=dtype), requires_grad)

    def __init__(self, requires_grad=True, device=None, dtype=None):
        pass


class _Initialized(Tensor):
    """A buffer that had no shape at first; Python does not let an instance become a plain Tensor."""

    __torch_function__ = disabled_torch_function

    def __repr__(self):
        return repr(self.detach())


class UninitializedBuffer(UninitializedTensorMixin, Tensor):
    """A buffer of a lazy module whose shape is not known yet."""

    cls_to_become = _Initialized

    def __new__(cls, requires_grad=False, device=None, dtype=None, persistent=True):
        made = make_subclass(cls, empty(0, device=device, dtype=dtype), requires_grad)
        made._is_buffer, made.persistent = True, persistent
        return made

    def __init__(self, requires_grad=False, device=None, dtype=None, persistent=True):
        pass


def is_lazy(param):
    """Whether the shape of a parameter or a buffer is still open.

    >>> torch.nn.parameter.is_lazy(torch.nn.UninitializedParameter()), torch.nn.parameter.is_lazy(torch.ones(2))
    (True, False)
    """
    return isinstance(param, UninitializedTensorMixin)


def _rebuilt(cls, data, requires_grad, attributes):
    made = cls(data, requires_grad)
    made.__dict__.update(attributes)
    return made


announcement.add(Parameter)


# ------------------------------------------------------------------------------ what the errors say

def not_a_tensor(cls, data):
    return error("MG205", f"{cls.__name__}(): data must be a tensor, not {type(data).__name__}; write "
                          f"{cls.__name__}(torch.tensor(...))")


def no_shape_yet(cls, what="access the shape of"):
    return error("MG701", f"Can't {what} an uninitialized parameter or buffer ({cls.__name__}): its shape is "
                          "known after a first forward pass. Call `forward` before you load a state dict into another "
                          "module, or look at shapes")


def used_before_its_shape(cls, function):
    return error("MG207", f"Attempted to use an uninitialized parameter in {getattr(function, '__name__', function)}. "
                          f"A {cls.__name__} has no shape before the first forward pass of its lazy module: call the "
                          "module with a batch first")
