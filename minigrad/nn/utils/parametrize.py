"""A parameter that is a function of others.

    register_parametrization(layer, "weight", Symmetric())

    layer.weight   ->   Symmetric()(layer.parametrizations.weight.original)

The tensor moves to ``layer.parametrizations.weight``, and the class of this one layer becomes a new subclass in which
``weight`` is a property: reading it computes it, assigning to it sets the original by ``right_inverse``.  Several
parametrizations follow one another.
"""

from collections.abc import Sequence
from copy import deepcopy

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.runtime.scopes import Block, Counter
from minigrad.autograd.grad_mode import no_grad
from minigrad.nn.modules.containers import ModuleDict, ModuleList
from minigrad.nn.parameter import Parameter

__all__ = ["ParametrizationList", "cached", "is_parametrized", "register_parametrization",
           "remove_parametrizations", "transfer_parametrizations_and_params", "type_before_parametrizations"]

_blocks = Counter()             # how many blocks of cached() we are in
_values = {}                    # (id of a module, name) -> the tensor that was computed in them


def cached():
    """In this block, each parametrized tensor is computed once, and kept until its end."""
    return _Cached(lambda: [(_blocks.add, 1)])


class _Cached(Block):
    """The block of ``cached``."""

    def _left(self):
        if not _blocks.value:
            _values.clear()


class ParametrizationList(ModuleList):
    """The parametrizations of one tensor, in the order in which they are applied, and what the first is applied to:
    ``original``, or ``original0``, ``original1``, ... if ``right_inverse`` gives several tensors."""

    def __init__(self, modules, original, unsafe=False):
        if not modules:
            raise error("MG207", "ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        shape, kind = original.shape, original.dtype
        with no_grad():
            new = original
            for module in reversed(list(self)):
                new = inverted(module, new)
        if not isinstance(new, (Tensor, Sequence)):
            raise not_tensors(new)
        self.is_tensor = isinstance(new, Tensor)
        self.ntensors = 1 if self.is_tensor else len(new)
        if self.is_tensor:
            if new.dtype != kind:
                raise other_dtype(kind, new)
            put(original, new)
            register(self, "original", original)
        else:
            for i, x in enumerate(new):
                if not isinstance(x, Tensor):
                    raise not_tensors(x, i)
                x = Parameter(x) if isinstance(original, Parameter) else x
                register(self, f"original{i}", x.requires_grad_(original.requires_grad))
        if not unsafe:
            check_result(self(), shape, kind, "unparametrized", "parametrized", "`unsafe` flag")

    def right_inverse(self, value):
        """Set the originals so that ``forward`` gives ``value``: what assigning to the tensor does."""
        with no_grad():
            for module in reversed(list(self)):
                if not hasattr(module, "right_inverse"):
                    raise error("MG204", f"parametrization {type(module).__name__} does not implement right_inverse.")
                value = module.right_inverse(value)
            if self.is_tensor:
                if not isinstance(value, Tensor):
                    raise error("MG207", f"`right_inverse` should return a tensor. Got {type(value).__name__}")
                if value.dtype != self.original.dtype:
                    raise error("MG207", f"The tensor returned by `right_inverse` has dtype {value.dtype} while "
                                         f"`original` has dtype {self.original.dtype}")
                put(self.original, value)
                return
            if not isinstance(value, Sequence):
                raise error("MG207", "'right_inverse' must return a sequence of tensors. Got "
                                     f"{type(value).__name__}.")
            if len(value) != self.ntensors:
                raise error("MG207", f"'right_inverse' must return a sequence of tensors of length {self.ntensors}. "
                                     f"Got a sequence of length {len(value)}.")
            for i, (original, x) in enumerate(zip(self._originals(), value)):
                if not isinstance(x, Tensor):
                    raise error("MG207", "'right_inverse' must return a sequence of tensors. Got "
                                         f"{type(x).__name__} at position {i}.")
                if x.dtype != original.dtype:
                    raise error("MG207", f"Tensor {i} returned by `right_inverse` has dtype {x.dtype} while "
                                         f"`original{i}` has dtype {original.dtype}")
            for original, x in zip(self._originals(), value):
                put(original, x)

    def _originals(self):
        return [self.original] if self.is_tensor else [getattr(self, f"original{i}") for i in range(self.ntensors)]

    def forward(self):
        """The tensor, computed."""
        first, *others = self
        x = first(*self._originals())
        for module in others:
            x = module(x)
        return x


def inverted(module, value):
    """What the module makes ``value`` of, where it knows."""
    try:
        return module.right_inverse(value) if hasattr(module, "right_inverse") else value
    except NotImplementedError:
        return value


def put(original, value):
    """Let a tensor that others hold have the elements of another."""
    if value is not original:
        original.data = value.detach()


def register(module, name, x):
    (module.register_parameter if isinstance(x, Parameter) else module.register_buffer)(name, x)


def register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    """Let a parameter or a buffer of a module be a function of what it was; returns the module.

    Parameters
    ----------
    module, tensor_name : whose tensor it is, and its name
    parametrization : a module that computes the tensor from what is learned; its ``right_inverse``, if it has one, is
        applied to the present value, and when the tensor is assigned to
    unsafe : do not call it to see whether shape and dtype stay the same

    >>> class Symmetric(torch.nn.Module):
    ...     def forward(self, x):
    ...         return x.triu() + x.triu(1).T
    >>> layer = torch.nn.utils.parametrize.register_parametrization(torch.nn.Linear(3, 3), "weight", Symmetric())
    >>> torch.equal(layer.weight, layer.weight.T)
    True
    >>> [name for name, p in layer.named_parameters()]
    ['bias', 'parametrizations.weight.original']
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        if not unsafe:
            check_next(module, tensor_name, parametrization)
        module.parametrizations[tensor_name].append(parametrization)
        module.parametrizations[tensor_name].unsafe |= unsafe
        return module
    if tensor_name not in module._buffers and tensor_name not in module._parameters:
        raise error("MG207", f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with "
                             f"name '{tensor_name}'")
    parametrizations = ParametrizationList([parametrization], getattr(module, tensor_name), unsafe=unsafe)
    delattr(module, tensor_name)
    if not is_parametrized(module):
        give_a_class_of_its_own(module)
        module.parametrizations = ModuleDict()
    setattr(type(module), tensor_name, computed(tensor_name))
    module.parametrizations[tensor_name] = parametrizations
    return module


def give_a_class_of_its_own(module):
    cls = type(module)
    own = {"__getstate__": refuse_to_pickle}
    if not hasattr(cls, "__deepcopy__"):
        own["__deepcopy__"] = copied
    module.__class__ = type(f"Parametrized{cls.__name__}", (cls,), own)


def copied(module, memo):
    if id(module) not in memo:
        memo[id(module)] = made = type(module).__new__(type(module))
        made.__dict__ = deepcopy(module.__dict__, memo)
    return memo[id(module)]


def refuse_to_pickle(module):
    raise error("MG204", "Serialization of parametrized modules is only supported through state_dict(): their class "
                         "is made when they are parametrized, and has no name to be found by")


def computed(name):
    """The property of a parametrized tensor."""
    def get(module):
        if not _blocks.value:
            return module.parametrizations[name]()
        key = id(module), name
        if key not in _values:
            _values[key] = module.parametrizations[name]()
        return _values[key]

    def put_original(module, value):
        module.parametrizations[name].right_inverse(value)

    return property(get, put_original)


def is_parametrized(module, tensor_name=None):
    """Whether the tensor of that name, or any tensor of the module, is parametrized."""
    parametrizations = getattr(module, "parametrizations", None)
    if not isinstance(parametrizations, ModuleDict):
        return False
    return len(parametrizations) > 0 if tensor_name is None else tensor_name in parametrizations


def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    """Make the tensor an ordinary member again, with its present value, or with that of its original; returns the
    module."""
    if not is_parametrized(module, tensor_name):
        raise error("MG207", f"Module {module} does not have a parametrization on {tensor_name}")
    parametrizations = module.parametrizations[tensor_name]
    if parametrizations.is_tensor:
        original = parametrizations.original
        if leave_parametrized:
            with no_grad():
                put(original, getattr(module, tensor_name))
    elif leave_parametrized:
        value = getattr(module, tensor_name)
        original = Parameter(value.detach()) if value.requires_grad else value
    else:
        raise error("MG207", "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized "
                             "in terms of a sequence of tensors.")
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    register(module, tensor_name, original)
    if not is_parametrized(module):
        del module.parametrizations
        module.__class__ = type(module).__bases__[0]
    return module


def type_before_parametrizations(module):
    """The class that the module was made of."""
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(from_module, to_module, tensor_name=None):
    """Give a module the parametrizations of another, and the tensors that they compute from; returns the module."""
    if not is_parametrized(from_module):
        return to_module
    for name in from_module.parametrizations if tensor_name is None else [tensor_name]:
        given = from_module.parametrizations[name]
        if not hasattr(to_module, name):
            setattr(to_module, name, Parameter(getattr(from_module, name).detach()))
        for parametrization in given:
            register_parametrization(to_module, name, parametrization)
        for original in ["original"] if given.is_tensor else [f"original{i}" for i in range(given.ntensors)]:
            setattr(to_module.parametrizations[name], original, getattr(given, original))
    return to_module


# ------------------------------------------------------------------------------ what is refused

def check_next(module, name, parametrization):
    """A parametrization that follows others keeps the shape and the dtype, in both directions."""
    value = getattr(module, name)
    result = parametrization(value)
    names = f"module.{name}", f"parametrization(module.{name})"
    check_result(result, value.shape, value.dtype, *names, "the `unsafe` flag", ".")
    if hasattr(parametrization, "right_inverse"):
        try:
            back = parametrization.right_inverse(result)
        except NotImplementedError:
            return
        if not isinstance(back, Tensor):
            raise error("MG207", f"parametrization.right_inverse must return a tensor. Got: {type(back).__name__}")
        for what in ("dtype", "shape"):
            if getattr(back, what) != getattr(value, what):
                raise error("MG207", f"The tensor returned by parametrization.right_inverse must have the same {what} "
                                     f"as module.{name}, unless the `unsafe` flag is enabled.\nmodule.{name}.{what}: "
                                     f"{getattr(value, what)}\nreturned {what}: {getattr(back, what)}")


def check_result(result, shape, kind, before, after, flag, joined=" "):
    if not isinstance(result, Tensor):
        raise error("MG207", f"A parametrization must return a tensor. Got {type(result).__name__}.")
    for what, wanted in (("dtype", kind), ("shape", shape)):
        if getattr(result, what) != wanted:
            raise error("MG207", f"Registering a parametrization may not change the {what} of the tensor, unless "
                                 f"{flag} is enabled.\n{before}{joined}{what}: {wanted}\n{after}{joined}{what}: "
                                 f"{getattr(result, what)}")


def not_tensors(given, place=None):
    which = "" if place is None else f"element {place} of the sequence with type "
    return error("MG207", "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got "
                          f"{which}{type(given).__name__}{'' if place is None else '.'}")


def other_dtype(kind, new):
    return error("MG207", "When `right_inverse` outputs one tensor, it may not change the dtype.\noriginal.dtype: "
                          f"{kind}\nright_inverse(original).dtype: {new.dtype}")
