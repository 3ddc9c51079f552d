"""Modules that learn the sizes of their parameters from the first input.

    LazyLinear(3)  ---- first call with shape (5, 2) ---->  Linear(2, 3)

Until then their parameters are uninitialized (parameter.py).  A forward pre-hook gives them shapes, and changes the
class of the module; after that nothing is left of the mixin.  A state dict that is loaded gives shapes, too.
"""

from minigrad._core.errors import error
from minigrad.nn.parameter import UninitializedBuffer, UninitializedParameter, is_lazy

__all__ = ["LazyModuleMixin"]


class LazyModuleMixin:
    """The part of a lazy module that waits for the first input.

    A class derives from it and from the module that it becomes (``cls_to_become``), makes uninitialized parameters,
    and gives them shapes in ``initialize_parameters(input)``.

    >>> class LazyScale(torch.nn.modules.lazy.LazyModuleMixin, torch.nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.factor = torch.nn.UninitializedParameter()
    ...     def initialize_parameters(self, input):
    ...         self.factor.materialize(input.shape[-1:])
    ...         torch.nn.init.constant_(self.factor, 2.)
    ...     def forward(self, input):
    ...         return input * self.factor
    >>> LazyScale()(torch.tensor([1., 2.]))
    tensor([2., 4.], grad_fn=<MulBackward0>)
    """

    cls_to_become = None

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._load_hook = self._register_load_state_dict_pre_hook(self._lazy_load_hook)
        self._initialize_hook = self.register_forward_pre_hook(self._infer_parameters, with_kwargs=True)

    def _wait(self):
        """Let all parameters, and buffers of more than a number, be uninitialized."""
        for name, member in {**self._parameters, **self._buffers}.items():
            if member is not None and member.dim():
                kind = UninitializedParameter if name in self._parameters else UninitializedBuffer
                setattr(self, name, kind(device=member.device, dtype=member.dtype))

    def initialize_parameters(self, *args, **kwargs):
        """Give shapes and numbers to the parameters, for what ``forward`` is called with; every class defines it."""
        raise error("MG305", f"initialize_parameters is not implemented for {type(self).__name__}")

    def has_uninitialized_params(self):
        """Whether a shape is still open."""
        return any(is_lazy(each) for members in (self._parameters, self._buffers) for each in members.values())

    def _infer_parameters(self, module, args, kwargs=None):
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise error("MG701", f"module {self._get_name()} has not been fully initialized: its "
                                 "initialize_parameters must give every parameter a shape")
        for hook in ("_initialize_hook", "_load_hook"):
            getattr(module, hook).remove()
            delattr(module, hook)
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become

    def _lazy_load_hook(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        """Give members the shapes that they have in the state dict."""
        for name, member in {**self._parameters, **self._buffers}.items():
            given = state_dict.get(prefix + name)
            if member is not None and given is not None and is_lazy(member) and not is_lazy(given):
                member.materialize(given.shape)
