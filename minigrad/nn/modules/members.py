"""What a module consists of: parameters, buffers and submodules, entered by assignment and found by name.

    self.weight = nn.Parameter(...)       self._parameters["weight"]
    self.hidden = nn.Linear(3, 2)         self._modules["hidden"]
    self.register_buffer("mean", ...)     self._buffers["mean"]

The one idea: ``__setattr__`` looks at the class of what is assigned, and keeps it in one of three dictionaries instead
of the instance's own.  Python calls ``__getattr__`` for what it does not find there, and that looks into the three.
All the rest is a walk: a module's own members, then those of its submodules, with the names joined by dots.

Neighbours: states.py (all members as one dictionary), calls.py (calling a module).
"""

from collections import OrderedDict
from inspect import signature

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad.autograd.graph import RemovableHandle
from minigrad.nn.parameter import Buffer, Parameter

__all__ = ["Members"]

#: hooks that hear of everything that any module registers, by what it is
registration_hooks = {kind: OrderedDict() for kind in ("buffer", "module", "parameter")}


class Members:
    """The part of Module that keeps and finds its members."""

    # ------------------------------------------------------------------------------ registration

    def register_parameter(self, name, param):
        """Add a parameter, or None instead of one: it is ``module.name`` from now on."""
        self._check_begun("parameters")
        self._check_name("parameter", name, self._parameters)
        if param is not None and not isinstance(param, Parameter):
            raise wrong_member(name, param, "parameter", "torch.nn.Parameter or None required")
        if param is not None and param.grad_fn is not None:
            raise not_a_leaf(name)
        self._parameters[name] = heard("parameter", self, name, param)

    def register_buffer(self, name, tensor, persistent=True):
        """Add a tensor that belongs to the state of the module and is not learned; without ``persistent`` it is not
        in the state dict.

        >>> m = torch.nn.Module()
        >>> m.register_buffer("mean", torch.zeros(2))
        >>> m.mean
        tensor([0., 0.])
        """
        self._check_begun("buffer")
        self._check_name("buffer", name, self._buffers)
        if not may_be_buffer(tensor):
            raise wrong_member(name, tensor, "buffer", "torch Tensor or None required")
        self._buffers[name] = heard("buffer", self, name, tensor)
        (self._non_persistent_buffers_set.discard if persistent else self._non_persistent_buffers_set.add)(name)

    def add_module(self, name, module):
        """Add a submodule, or None instead of one: it is ``module.name`` from now on."""
        if module is not None and not isinstance(module, Members):
            raise error("MG702", f"{type(module).__name__} is not a Module subclass")
        self._check_begun("module")
        self._check_name("module", name, self._modules)
        self._modules[name] = heard("module", self, name, module)

    def register_module(self, name, module):
        """Another name for :meth:`add_module`."""
        self.add_module(name, module)

    def _check_name(self, kind, name, members):
        if not isinstance(name, str):
            raise error("MG702", f"{kind} name should be a string. Got {type(name).__name__}")
        if "." in name or not name:
            raise error("MG702", f"{kind} name can't contain \".\", got: {name}" if name
                        else f"{kind} name can't be empty string \"\"")
        if hasattr(self, name) and name not in members:
            raise error("MG702", f"attribute '{name}' already exists")

    def _check_begun(self, what):
        if "_modules" not in self.__dict__:
            raise not_begun(what)

    # ------------------------------------------------------------------------------ attributes

    def __setattr__(self, name, value):
        own = self.__dict__
        if isinstance(value, Parameter):
            self._check_begun("parameters")
            self._forget(name, but="_parameters")
            self.register_parameter(name, value)
        elif name in own.get("_parameters", ()):
            if value is not None:
                raise wrong_member(name, value, "parameter", "torch.nn.Parameter or None expected", "as")
            self.register_parameter(name, None)
        elif isinstance(value, Members):
            self._check_begun("module")
            self._forget(name, but="_modules")
            self._modules[name] = heard("module", self, name, value)
        elif name in own.get("_modules", ()):
            if value is not None:
                raise wrong_member(name, value, "child module", "torch.nn.Module or None expected", "as")
            self._modules[name] = heard("module", self, name, None)
        elif name in own.get("_buffers", ()) or isinstance(value, Buffer):
            self._set_buffer(name, value)
        else:
            object.__setattr__(self, name, value)

    def _set_buffer(self, name, value):
        if not may_be_buffer(value):
            raise wrong_member(name, value, "buffer", "torch.nn.Buffer, torch.Tensor or None expected", "as")
        if isinstance(value, Buffer) and name not in self.__dict__.get("_buffers", ()):
            self._check_begun("buffer")
            self._enter_buffer(name, value, value.persistent)
        else:
            persistent = value.persistent if isinstance(value, Buffer) else name not in self._non_persistent_buffers_set
            self._enter_buffer(name, value, persistent)

    def _enter_buffer(self, name, value, persistent):
        """Call register_buffer, which a subclass may have defined without the last parameter."""
        if type(self).register_buffer is Members.register_buffer or "persistent" in signature(
                self.register_buffer).parameters:
            self.register_buffer(name, value, persistent)
        elif persistent:
            self.register_buffer(name, value)
        else:
            raise error("MG702", "Registering a non-persistent buffer on a Module subclass that implements "
                                 "register_buffer() without the persistent argument is not allowed. Define "
                                 f"{type(self).__name__}.register_buffer(self, name, tensor, persistent=True)")

    def _forget(self, name, but):
        """Whatever else had this name gives way to what is assigned; a member of the same kind keeps its place."""
        for kind in ("_parameters", "_buffers", "_modules"):
            if kind != but:
                self.__dict__[kind].pop(name, None)
        self.__dict__.pop(name, None)
        self._non_persistent_buffers_set.discard(name)

    def __getattr__(self, name):
        own = self.__dict__
        if "_parameters" in own:                        # written out, as every access to a member passes here
            if name in (members := own["_parameters"]):
                return members[name]
            if name in (members := own["_modules"]):
                return members[name]
            if name in (members := own["_buffers"]):
                return members[name]
        return not_found(self, name)

    def __delattr__(self, name):
        for members in (self._parameters, self._buffers, self._modules):
            if name in members:
                del members[name]
                self._non_persistent_buffers_set.discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self):
        names = {*object.__dir__(self), *self._parameters, *self._modules, *self._buffers}
        return sorted(name for name in names if not name[0].isdigit())      # a number is not an attribute

    # ------------------------------------------------------------------------------ walks

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        """Yield (name, module) for this module, whose name is empty, and for all below it.

        A module that is reached twice is given once, unless ``remove_duplicate`` is False.

        >>> net = torch.nn.Sequential(torch.nn.Linear(1, 2), torch.nn.ReLU())
        >>> [name for name, module in net.named_modules()]
        ['', '0', '1']
        """
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(memo, f"{prefix}.{name}" if prefix else name, remove_duplicate)

    def modules(self):
        """Yield this module and all below it."""
        for _, module in self.named_modules():
            yield module

    def named_children(self):
        """Yield (name, module) for the submodules of this module itself."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self):
        """Yield the submodules of this module itself."""
        for _, module in self.named_children():
            yield module

    def _named_members(self, members_of, prefix="", recurse=True, remove_duplicate=True):
        """Yield (name, member) of whatever ``members_of(module)`` gives, over all modules."""
        seen = set()
        modules = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for path, module in modules:
            for name, member in members_of(module):
                if member is None or id(member) in seen:
                    continue
                if remove_duplicate:
                    seen.add(id(member))
                yield f"{path}.{name}" if path else name, member

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        """Yield (name, parameter), of this module and of all below it.

        >>> [name for name, w in torch.nn.Linear(2, 1).named_parameters()]
        ['weight', 'bias']
        """
        return self._named_members(lambda module: module._parameters.items(), prefix, recurse, remove_duplicate)

    def parameters(self, recurse=True):
        """Yield the parameters, of this module and of all below it: what an optimizer takes."""
        for _, param in self.named_parameters(recurse=recurse):
            yield param

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        """Yield (name, buffer), of this module and of all below it."""
        return self._named_members(lambda module: module._buffers.items(), prefix, recurse, remove_duplicate)

    def buffers(self, recurse=True):
        """Yield the buffers, of this module and of all below it."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    # ------------------------------------------------------------------------------ by name

    def get_submodule(self, target):
        """The module below this one with a name such as ``"net.0.linear"``; the empty name is this module.

        >>> net = torch.nn.Sequential(torch.nn.Linear(1, 2), torch.nn.ReLU())
        >>> net.get_submodule("1")
        ReLU()
        """
        module = self
        for name in target.split(".") if target else ():
            if not hasattr(module, name):
                raise no_such_member(module, name)
            module = getattr(module, name)
            if not isinstance(module, Members):
                raise error("MG704", f"`{name}` is not an nn.Module")
        return module

    def set_submodule(self, target, module, strict=False):
        """Put a module in the place that ``target`` names; with ``strict`` there must be one already."""
        path, _, name = target.rpartition(".")
        if not name:
            raise error("MG207", "Cannot set the submodule without a target name!")
        if not isinstance(module, Members):
            raise error("MG207", f"`module` is not an nn.Module, found {type(module)}")
        owner = self.get_submodule(path)
        if strict and not hasattr(owner, name):
            raise no_such_member(owner, name)
        if hasattr(owner, name) and not isinstance(getattr(owner, name), Members):
            raise error("MG704", f"`{name}` is not an nn.Module")
        setattr(owner, name, module)

    def get_parameter(self, target):
        """The parameter with a name such as ``"net.0.weight"``."""
        return self._member(target, lambda module, found: isinstance(found, Parameter), "an nn.Parameter")

    def get_buffer(self, target):
        """The buffer with a name such as ``"net.1.running_mean"``."""
        return self._member(target, lambda module, found: any(found is each for each in module._buffers.values()),
                            "a buffer")

    def _member(self, target, is_one, what):
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise no_such_member(module, name)
        found = getattr(module, name)
        if not is_one(module, found):
            raise error("MG704", f"`{name}` is not {what}")
        return found


# ------------------------------------------------------------------------------ hooks on registration

def heard(kind, module, name, value):
    """What is registered after the hooks on registration: each may return something else."""
    for hook in registration_hooks[kind].values():
        answer = hook(module, name, value)
        value = value if answer is None else answer
    return value


def hear(kind, hook):
    handle = RemovableHandle(registration_hooks[kind])
    registration_hooks[kind][handle.id] = hook
    return handle


def register_module_buffer_registration_hook(hook):
    """Call ``hook(module, name, buffer)`` whenever any module registers a buffer; it may return another one."""
    return hear("buffer", hook)


def register_module_module_registration_hook(hook):
    """Call ``hook(module, name, submodule)`` whenever any module registers a submodule; it may return another one."""
    return hear("module", hook)


def register_module_parameter_registration_hook(hook):
    """Call ``hook(module, name, param)`` whenever any module registers a parameter; it may return another one."""
    return hear("parameter", hook)


def not_found(module, name):
    """What a property raises, since Python forgets its AttributeError and asks for the name; or that it is missing."""
    of_class = getattr(type(module), name, None)
    if hasattr(of_class, "__get__"):
        return of_class.__get__(module, type(module))
    if "_parameters" not in module.__dict__ and not name.startswith("__"):
        raise not_begun_yet(module, name)
    raise AttributeError(f"'{type(module).__name__}' object has no attribute '{name}'")


# ------------------------------------------------------------------------------ what the errors say

def not_begun(what):
    return error("MG704", f"cannot assign {what} before Module.__init__() call: write super().__init__() as the first "
                          "line of your module's __init__")


def not_begun_yet(module, name):
    return error("MG704", f"'{type(module).__name__}' object has no attribute '{name}': its __init__ has not called "
                          "Module.__init__(). Write super().__init__() as its first line")


def may_be_buffer(value):
    """None, a tensor, or what passes for one."""
    return value is None or isinstance(value, Tensor) or hasattr(value, "__torch_function__")


def wrong_member(name, value, kind, wanted, joined="object to"):
    shown = value.type() if isinstance(value, Tensor) else type(value).__name__
    return error("MG702", f"cannot assign '{shown}' {joined} {kind} '{name}' ({wanted})")


def not_a_leaf(name):
    return error("MG207", f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created "
                          f"explicitly. To express '{name}' as a function of another Tensor, compute the value in the "
                          "forward() method.")


def no_such_member(module, name):
    return error("MG704", f"{type(module).__name__} has no attribute `{name}`")
