"""Modules that hold others: one after the other, in a list, or by name; and lists and dictionaries of parameters.

``Sequential`` calls its modules one after the other.  ``ModuleList`` and ``ModuleDict`` only keep theirs, so that they
are registered: ``self.layers = [...]`` would not be.  A list names its members "0", "1", ...

``ParameterList`` and ``ParameterDict`` do the same for parameters; a tensor put into one becomes a parameter, and
anything else is kept as it is.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from itertools import chain, islice
from operator import index as as_index

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad.nn.modules.module import Module, indented
from minigrad.nn.parameter import Parameter

__all__ = ["Container", "ModuleDict", "ModuleList", "ParameterDict", "ParameterList", "Sequential"]


class Container(Module):
    """The oldest form, kept for old programs: subclass Module instead."""

    def __init__(self, **kwargs):
        super().__init__()
        for name, module in kwargs.items():
            self.add_module(name, module)


def place(index, length):
    """The index of a member, counted from the front."""
    index = as_index(index)
    if not -length <= index < length:
        raise error("MG206", f"index {index} is out of range")
    return index % length


class _ListOfModules(Module):
    """What Sequential and ModuleList have in common: members named "0", "1", ..."""

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __getitem__(self, idx):
        if isinstance(idx, slice):
            return self._part(list(self._modules.items())[idx])
        return self._modules[self._name_at(place(idx, len(self)))]

    def __setitem__(self, idx, module):
        setattr(self, self._name_at(place(idx, len(self))), module)

    def __delitem__(self, idx):
        if isinstance(idx, slice):
            for name in list(self._modules)[idx]:
                delattr(self, name)
        else:
            idx = place(idx, len(self))
            name = self._name_at(idx)
            delattr(self, name)
            if idx == len(self) and name == str(idx):
                return                              # it was the last: the others keep their numbers
        self._renumber(list(self._modules.values()))

    def _name_at(self, place):
        """The name of the member that is at this place: "3", unless the members were given other names."""
        behind = len(self._modules) - 1 - place
        return next(islice(self._modules, place, None) if place < behind else
                    islice(reversed(self._modules), behind, None))

    def _renumber(self, modules):
        self._modules = {str(i): module for i, module in enumerate(modules)}

    def __dir__(self):
        return [name for name in super().__dir__() if not name.isdigit()]

    def append(self, module):
        """Add a module at the end; returns the container."""
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules):
        """Add several modules at the end; returns the container."""
        if not isinstance(modules, Iterable):
            raise not_iterable(type(self).__name__, "extend", modules)
        for module in list(modules):
            self.append(module)
        return self

    def insert(self, index, module):
        """Put a module before the one at ``index``; returns the container."""
        modules = list(self)
        if not isinstance(module, Module):
            raise error("MG702", f"{type(module).__name__} is not a Module subclass")
        modules.insert(index, module)
        self._renumber(modules)
        return self

    def pop(self, key):
        """Remove the module at ``key``, and return it."""
        module = self[key]
        del self[key]
        return module

    def __iadd__(self, other):
        return self.extend(other)


class Sequential(_ListOfModules):
    """Modules that are called one after the other, each with what the one before returned.

    It takes the modules, or one OrderedDict of them.

    >>> net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU())
    >>> net
    Sequential(
      (0): Linear(in_features=2, out_features=3, bias=True)
      (1): ReLU()
    )
    >>> net(torch.ones(5, 2)).shape
    torch.Size([5, 3])
    """

    def __init__(self, *args):
        super().__init__()
        named = args[0].items() if len(args) == 1 and isinstance(args[0], Mapping) else enumerate(args)
        for name, module in named:
            self.add_module(str(name), module)

    def forward(self, input):
        """The modules, one after the other."""
        for module in self._modules.values():
            input = module(input)
        return input

    def _part(self, members):
        part = type(self)()
        for name, module in members:
            part.add_module(name, module)
        return part

    def insert(self, index, module):
        if not isinstance(module, Module):
            raise error("MG702", f"module should be of type: {Module}, and not {type(module).__name__}")
        if not -len(self) <= index <= len(self):
            raise error("MG206", f"Index out of range: {index}")
        return super().insert(index, module)

    def __add__(self, other):
        if not isinstance(other, Sequential):
            raise error("MG207", "add operator supports only objects of Sequential class, but "
                                 f"{type(other)} is given.")
        return Sequential(*self, *other)

    def __mul__(self, other):
        return Sequential(*(module for _ in range(times(other)) for module in self))

    __rmul__ = __mul__

    def __imul__(self, other):
        modules = list(self)
        for _ in range(times(other) - 1):
            self.extend(modules)
        return self


def times(number):
    if not isinstance(number, int):
        raise error("MG205", f"unsupported operand type(s) for *: {Sequential} and {type(number)}")
    if number <= 0:
        raise error("MG207", f"Non-positive multiplication factor {number} for {Sequential}")
    return number


class ModuleList(_ListOfModules):
    """A list of modules that are registered.

    >>> layers = torch.nn.ModuleList([torch.nn.Linear(2, 2) for _ in range(3)])
    >>> len(layers), len(list(layers.parameters()))
    (3, 6)
    """

    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def _part(self, members):
        return type(self)(module for _, module in members)

    def _name_at(self, place):
        return str(place) if str(place) in self._modules else super()._name_at(place)

    def __add__(self, other):
        return type(self)(chain(self, other))

    def __repr__(self):
        shown = [repr(module) for module in self]
        if not shown:
            return f"{self._get_name()}()"
        lines, first = [], 0
        for i, text in enumerate(shown):            # equal neighbours are counted, not repeated
            if i + 1 == len(shown) or shown[i + 1] != text:
                where = f"({first})" if first == i else f"({first}-{i})"
                lines.append(f"{where}: " + indented(text if first == i else f"{i - first + 1} x {text}"))
                first = i + 1
        return f"{self._get_name()}(\n  " + "\n  ".join(lines) + "\n)"


class ModuleDict(Module):
    """A dictionary of modules that are registered.

    >>> ways = torch.nn.ModuleDict({"relu": torch.nn.ReLU(), "tanh": torch.nn.Tanh()})
    >>> ways["relu"](torch.tensor(-1.))
    tensor(0.)
    """

    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key):
        return self._modules[key]

    def __setitem__(self, key, module):
        self.add_module(key, module)

    def __delitem__(self, key):
        del self._modules[key]

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules)

    def __contains__(self, key):
        return key in self._modules

    def clear(self):
        """Remove all modules."""
        self._modules.clear()

    def pop(self, key):
        """Remove the module under ``key``, and return it."""
        return self._modules.pop(key)

    def keys(self):
        """The names."""
        return self._modules.keys()

    def items(self):
        """The names with their modules."""
        return self._modules.items()

    def values(self):
        """The modules."""
        return self._modules.values()

    def update(self, modules):
        """Add the modules of a mapping, or of pairs of names and modules."""
        for name, module in named_pairs("ModuleDict", modules):
            self[name] = module


class _OfParameters(Module):
    """What ParameterList and ParameterDict have in common."""

    def __call__(self, *args, **kwargs):
        raise error("MG305", f"{type(self).__name__} should not be called.")

    def extra_repr(self):
        return "\n".join(f"  ({name}): {self._shown(value)}" for name, value in self._named())

    def _shown(self, value):
        if not isinstance(value, Tensor):
            return f"Object of type: {type(value).__name__}"
        kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
        return f"{kind} containing: [{self._shown_type(value)} of size {'x'.join(map(str, value.shape))}]"


def as_parameter(value):
    return Parameter(value) if isinstance(value, Tensor) and not isinstance(value, Parameter) else value


class ParameterList(_OfParameters):
    """A list of parameters that are registered; tensors become parameters.

    >>> weights = torch.nn.ParameterList([torch.ones(2), torch.zeros(3)])
    >>> [tuple(w.shape) for w in weights.parameters()]
    [(2,), (3,)]
    """

    def __init__(self, values=None):
        super().__init__()
        self._size = 0
        if values is not None:
            self.extend(values)

    def __len__(self):
        return self._size

    def __iter__(self):
        return iter([self[i] for i in range(self._size)])

    def __getitem__(self, idx):
        if isinstance(idx, slice):
            return type(self)(self[i] for i in range(*idx.indices(self._size)))
        return getattr(self, str(place(idx, self._size)))

    def __setitem__(self, idx, param):
        setattr(self, str(place(idx, self._size)), as_parameter(param))

    def __dir__(self):
        return [name for name in super().__dir__() if not name.isdigit()]

    def append(self, value):
        """Add a parameter at the end; returns the list."""
        self._size += 1
        self[self._size - 1] = value
        return self

    def extend(self, values):
        """Add several parameters at the end; returns the list."""
        if not isinstance(values, Iterable) or isinstance(values, Tensor):
            raise not_iterable("ParameterList", "extend", values)
        for value in list(values):
            self.append(value)
        return self

    def __iadd__(self, parameters):
        return self.extend(parameters)

    def _named(self):
        return enumerate(self)

    def _shown_type(self, x):
        return x.dtype


class ParameterDict(_OfParameters):
    """A dictionary of parameters that are registered; tensors become parameters.

    >>> weights = torch.nn.ParameterDict({"left": torch.ones(2)})
    >>> weights["left"].requires_grad
    True
    """

    def __init__(self, parameters=None):
        super().__init__()
        self._keys = {}
        if parameters is not None:
            self.update(parameters)

    def __getitem__(self, key):
        name = attribute(key)
        if key not in self._keys:
            raise error("MG704", f"'ParameterDict' object has no attribute '{key}'")
        return getattr(self, name)

    def __setitem__(self, key, value):
        attribute(key)
        self._keys[key] = None
        setattr(self, attribute(key), as_parameter(value))

    def __delitem__(self, key):
        del self._keys[key]
        delattr(self, attribute(key))

    def __len__(self):
        return len(self._keys)

    def __iter__(self):
        return iter(self._keys)

    def __reversed__(self):
        return reversed(list(self._keys))

    def __contains__(self, key):
        return key in self._keys

    def copy(self):
        """Another dictionary of the same parameters."""
        return ParameterDict([(key, self[key]) for key in self])

    def get(self, key, default=None):
        """The parameter under ``key``, or ``default``."""
        return self[key] if key in self else default

    def setdefault(self, key, default=None):
        """The parameter under ``key``; ``default`` is put there if there is none."""
        if key not in self:
            self[key] = default
        return self[key]

    def pop(self, key):
        """Remove the parameter under ``key``, and return it."""
        value = self[key]
        del self[key]
        return value

    def popitem(self):
        """Remove the newest parameter, and return it with its name."""
        key, _ = self._keys.popitem()
        value = getattr(self, key)
        delattr(self, key)
        return key, value

    def clear(self):
        """Remove all parameters."""
        for key in list(self):
            del self[key]

    def fromkeys(self, keys, default=None):
        """A dictionary with ``default`` under each of the names."""
        return ParameterDict((key, default) for key in keys)

    def keys(self):
        """The names."""
        return self._keys.keys()

    def items(self):
        """The names with their parameters."""
        return [(key, self[key]) for key in self]

    def values(self):
        """The parameters."""
        return [self[key] for key in self]

    def update(self, parameters):
        """Add the parameters of a mapping, or of pairs of names and parameters; those of a plain dict by their names.

        Older versions of Python had no order of a dict, and the states of optimizers need one.
        """
        pairs = named_pairs("ParameterDict", parameters)
        if isinstance(parameters, Mapping) and not isinstance(parameters, OrderedDict):
            pairs.sort(key=lambda pair: pair[0])
        for key, value in pairs:
            self[key] = value

    def __or__(self, other):
        made = self.copy()
        made.update(other)
        return made

    def __ror__(self, other):
        made = other.copy()
        made.update(self)
        return made

    def __ior__(self, other):
        self.update(other)
        return self

    def _named(self):
        return self.items()

    def _shown_type(self, x):
        return x.type()


def attribute(key):
    """The name of the attribute that keeps an entry: its own."""
    if not isinstance(key, str):
        raise error("MG205", "Index given to ParameterDict cannot be used as a key as it is not a string (type is "
                             f"'{type(key).__name__}').")
    return key


def named_pairs(name, given):
    """The (name, member) pairs of what ``update`` takes."""
    if not isinstance(given, Iterable):
        raise not_iterable(name, "update", given)
    if isinstance(given, (Mapping, ModuleDict, ParameterDict)):
        return list(given.items())
    pairs = []
    for i, pair in enumerate(given):
        if not isinstance(pair, Iterable):
            raise error("MG205", f"{name} update sequence element #{i} should be Iterable; is {type(pair).__name__}")
        pairs.append(tuple(pair))
        if len(pairs[-1]) != 2:
            raise error("MG207", f"{name} update sequence element #{i} has length {len(pairs[-1])}; 2 is required")
    return pairs


def not_iterable(name, method, given):
    return error("MG205", f"{name}.{method} should be called with an iterable, but got {type(given).__name__}")
