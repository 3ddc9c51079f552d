"""The base class of all neural network modules.

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.hidden = nn.Linear(2, 3)               # registers its parameters, by assignment
        def forward(self, x):
            return self.hidden(x).relu()

A module is a function with parameters: an object that keeps tensors and other modules by name, and calls ``forward``.
Autograd knows nothing of modules; it sees the tensors that ``forward`` computes with.

Its four parts are in four files: members.py (what it consists of), calls.py and backward_hooks.py (running it),
states.py (saving it).  Here are the conversions of all its tensors, its modes, and how it prints.
"""

from collections import OrderedDict

from minigrad._core.errors import error, warn
from minigrad._core.runtime.scopes import set_in_all, set_on_all
from minigrad.autograd.grad_mode import no_grad
from minigrad.dtypes import bfloat16, channels_last_3d, float16, float32, float64
from minigrad.nn.modules.calls import (Calls, begin_hooks, register_module_backward_hook,
                                       register_module_forward_hook, register_module_forward_pre_hook,
                                       register_module_full_backward_hook, register_module_full_backward_pre_hook)
from minigrad.nn.modules.members import (Members, register_module_buffer_registration_hook,
                                         register_module_module_registration_hook,
                                         register_module_parameter_registration_hook)
from minigrad.nn.modules.states import States, _IncompatibleKeys
from minigrad.nn.parameter import Parameter
from minigrad.creation import empty_like, zeros

__all__ = ["Module", "register_module_backward_hook", "register_module_buffer_registration_hook",
           "register_module_forward_hook", "register_module_forward_pre_hook", "register_module_full_backward_hook",
           "register_module_full_backward_pre_hook", "register_module_module_registration_hook",
           "register_module_parameter_registration_hook"]


class Module(Members, Calls, States):
    """A function with parameters: the base class of all layers and networks.

    A subclass calls ``super().__init__()``, assigns its parameters and submodules, and defines ``forward``.

    >>> class Scale(torch.nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.factor = torch.nn.Parameter(torch.tensor(3.))
    ...     def forward(self, x):
    ...         return self.factor * x
    >>> scale = Scale()
    >>> scale(torch.tensor(2.)).backward()
    >>> scale.factor.grad
    tensor(2.)
    """

    #: whether ``__init__`` of a subclass passes its arguments on, for classes with several bases
    call_super_init = False
    dump_patches = False
    training: bool

    def __init__(self, *args, **kwargs):
        if not self.call_super_init and (args or kwargs):
            raise no_arguments(self, args, kwargs)
        begin(self.__dict__)
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    def __setstate__(self, state):
        begin(self.__dict__)
        self.__dict__.update(state)

    # ------------------------------------------------------------------------------ modes

    def train(self, mode=True):
        """Set this module and all below it to training, or with False to evaluation; returns the module.

        Dropout drops only in training, and batch norm takes statistics of the batch only in training.

        >>> torch.nn.Dropout().eval().training
        False
        """
        if not isinstance(mode, bool):
            raise error("MG207", "training mode is expected to be boolean")
        usual, others = [vars(self)] if assigns_directly(self) else [], []
        for child in self.children():
            below(child, usual, others)
        set_in_all(usual, "training", mode)     # in all of them, whenever Ctrl-C comes
        if not assigns_directly(self):
            self.training = mode
        for module in others:
            module.train(mode)
        return self

    def eval(self):
        """``train(False)``."""
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        """Set ``requires_grad`` of all parameters; returns the module."""
        parameters = [*self.parameters()]
        if isinstance(requires_grad, bool) and all([type(x) is Parameter and x.is_leaf and not x._level
                                                    for x in parameters]):
            set_on_all(parameters, "requires_grad", requires_grad)      # likewise
            return self
        for param in parameters:
            param.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        """Let the gradients of all parameters be None, or with ``set_to_none=False`` zeros."""
        for param in self.parameters():
            if param.grad is None:
                continue
            if set_to_none:
                param.grad = None
            else:
                param.grad.detach_() if param.grad.grad_fn is not None else param.grad.requires_grad_(False)
                param.grad.zero_()

    # ------------------------------------------------------------------------------ conversions

    def apply(self, fn):
        """Call ``fn(module)`` for all modules, those below first; returns the module.

        >>> def ones(module):
        ...     if isinstance(module, torch.nn.Linear):
        ...         torch.nn.init.ones_(module.weight)
        >>> torch.nn.Sequential(torch.nn.Linear(1, 2)).apply(ones)[0].weight
        Parameter containing:
        tensor([[1.],
                [1.]], requires_grad=True)
        """
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def _apply(self, fn, recurse=True):
        """Replace every parameter, gradient and buffer ``x`` by ``fn(x)``.

        A parameter stays the same object, so that an optimizer that has it still has it: its data change.
        """
        if recurse:
            for module in self.children():
                module._apply(fn)
        for name, param in self._parameters.items():
            if param is None:
                continue
            with no_grad():
                changed, grad = fn(param), param.grad
                changed_grad = None if grad is None else fn(grad)
            if changed.device == param.device:
                param.grad = None                       # it would not fit for a moment
                param.data = changed
            else:
                param = self._parameters[name] = Parameter(changed, param.requires_grad)
            if grad is not None:
                param.grad = changed_grad.requires_grad_(grad.requires_grad)
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def to(self, *args, **kwargs):
        """Convert all floating-point and complex parameters and buffers: ``to(dtype)``, ``to(device)``, ``to(tensor)``.

        ``to(memory_format=torch.channels_last)`` gives another order in memory to those of 4 dims.

        >>> torch.nn.Linear(1, 1).to(torch.float64).weight.dtype
        torch.float64
        """
        if "copy" in kwargs or sum(isinstance(each, bool) for each in args) > 1:
            raise error("MG204", ".to() does not accept copy argument: a module converts its parameters in place. "
                                 "copy.deepcopy(module).to(...) is a copy")
        memory_format = kwargs.get("memory_format")
        dtype = zeros((0,) * (5 if memory_format is channels_last_3d else 4)).to(*args, **kwargs).dtype
        named = any(each is dtype or getattr(each, "dtype", None) is dtype for each in (*args, *kwargs.values()))
        if named and not (dtype.is_floating_point or dtype.is_complex):
            raise error("MG205", "nn.Module.to only accepts floating point or complex dtypes, but got desired "
                                 f"dtype={dtype}")
        if named and dtype.is_complex:
            warn("Complex modules are a new feature under active development whose design may change, and some modules "
                 "might not work as expected when using complex tensors as parameters or buffers.")
        if memory_format is not None:
            kwargs.pop("memory_format")
            moved = self.to(*args, **kwargs) if args or kwargs else self
            return moved._apply(lambda x: x.to(memory_format=memory_format) if x.dim() in (4, 5) else x)
        if not named:
            return self._apply(lambda x: x.to(*args, **kwargs))
        device = kwargs.get("device", next((each for each in args if each is not dtype and not isinstance(each, bool)
                                            and getattr(each, "dtype", None) is None), None))
        return self._apply(lambda x: x.to(device=device, dtype=dtype) if converts(x) else x.to(device=device))

    def type(self, dst_type):
        """Convert all parameters and buffers to a dtype."""
        return self._apply(lambda x: x.type(dst_type))

    def float(self):
        """Convert floating-point parameters and buffers to float32."""
        return self._apply(lambda x: x.to(float32) if x.is_floating_point() else x)

    def double(self):
        """Convert floating-point parameters and buffers to float64."""
        return self._apply(lambda x: x.to(float64) if x.is_floating_point() else x)

    def half(self):
        """Convert floating-point parameters and buffers to float16."""
        return self._apply(lambda x: x.to(float16) if x.is_floating_point() else x)

    def bfloat16(self):
        """Convert floating-point parameters and buffers to bfloat16."""
        return self._apply(lambda x: x.to(bfloat16) if x.is_floating_point() else x)

    def cpu(self):
        """Move everything to the CPU, where it is."""
        return self._apply(lambda x: x.cpu())

    def cuda(self, device=None):
        """An error if there is something to move: there is no GPU."""
        return self._apply(lambda x: x.cuda(device))

    def to_empty(self, *, device, recurse=True):
        """Give all parameters and buffers new memory on ``device`` that is not set, for a module made on ``"meta"``."""
        return self._apply(lambda x: empty_like(x, device=device), recurse)

    def share_memory(self):
        """Move parameters, gradients and buffers to memory that other processes can share: ``Tensor.share_memory_``."""
        for each in (*self.parameters(), *self.buffers()):
            each.share_memory_()
            if each.grad is not None:
                each.grad.share_memory_()
        return self

    def compile(self, *args, **kwargs):
        """Nothing: the module runs as it is written."""

    # ------------------------------------------------------------------------------ printing

    def _get_name(self):
        return type(self).__name__

    def extra_repr(self):
        """What ``repr`` says of the module itself; a class says which arguments it was made with."""
        return ""

    def __repr__(self):
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        below = [f"({name}): " + indented(repr(module)) for name, module in self._modules.items()]
        if not below and len(lines) <= 1:
            return f"{self._get_name()}({extra})"
        return f"{self._get_name()}(\n  " + "\n  ".join(lines + below) + "\n)"


def begin(own):
    """Enter the dictionaries of a module without members and hooks into its ``__dict__``."""
    own["training"] = True
    own["_parameters"], own["_buffers"], own["_modules"] = {}, {}, {}
    own["_non_persistent_buffers_set"] = set()
    begin_hooks(own)
    for name in ("_state_dict_hooks", "_state_dict_pre_hooks", "_load_state_dict_pre_hooks",
                 "_load_state_dict_post_hooks"):
        own[name] = OrderedDict()


def assigns_directly(module):
    """Is an assignment to ``module.training`` one to its dictionary?"""
    return type(module).__setattr__ is Module.__setattr__ and not hasattr(type(module), "training")


def below(module, usual, others):
    """Sort the modules from this one down: the dictionaries where ``training`` is set, and those with their own way."""
    if type(module).train is Module.train and "train" not in vars(module) and assigns_directly(module):
        usual.append(vars(module))
        for child in module.children():
            below(child, usual, others)
    else:
        others.append(module)


def indented(text):
    return text.replace("\n", "\n  ")


def converts(x):
    """Whether a conversion to a floating-point or complex dtype concerns it: indices and masks stay as they are."""
    return x.is_floating_point() or x.is_complex()


def no_arguments(module, args, kwargs):
    name = f"{type(module).__name__}.__init__()"
    if kwargs:
        return error("MG205", f"{name} got an unexpected keyword argument '{next(iter(kwargs))}'")
    return error("MG205", f"{name} takes 1 positional argument but {len(args) + 1} were given")
