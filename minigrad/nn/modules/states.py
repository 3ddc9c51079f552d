"""The state of a module as one dictionary: state_dict and load_state_dict.

    OrderedDict([("hidden.weight", ...), ("hidden.bias", ...), ("norm.running_mean", ...)])

Its keys are the names of the parameters and of the persistent buffers, joined by dots, so that the same keys come from
every module of the same structure, and from PyTorch's.  Its tensors are detached, and on the memory of the module's
own.  Beside the tensors lies ``_metadata``: for each module the version of its format.

Both directions go module by module: a class may save and load its own part in another way (``_save_to_state_dict``,
``_load_from_state_dict``, ``get_extra_state``), and hooks hear of each.

Neighbours: members.py (where the names come from).
"""

import weakref
from collections import OrderedDict, namedtuple
from collections.abc import Mapping
from typing import Any

from minigrad._core.errors import error, warn
from minigrad.autograd.graph import RemovableHandle
from minigrad.nn.parameter import Parameter, is_lazy
from minigrad.autograd.grad_mode import no_grad
from minigrad.overrides import is_tensor_like

__all__ = ["States"]

EXTRA_STATE = "_extra_state"


class _IncompatibleKeys(namedtuple("_IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    """What ``load_state_dict`` returns."""

    __slots__ = ()

    def __repr__(self):
        return super().__repr__() if self.missing_keys or self.unexpected_keys else "<All keys matched successfully>"

    __str__ = __repr__


class States:
    """The part of Module that is saved and loaded."""

    #: the version of the format, kept in the state dict; a class counts it up when it changes its members
    _version = 1

    # ------------------------------------------------------------------------------ saving

    def state_dict(self, *args: Any, destination: Any = None, prefix: str = "",
                   keep_vars: bool = False) -> "OrderedDict[str, Any]":
        """All parameters and persistent buffers by name, detached; with ``keep_vars`` as they are.

        >>> list(torch.nn.BatchNorm1d(2).state_dict())
        ['weight', 'bias', 'running_mean', 'running_var', 'num_batches_tracked']
        """
        destination, prefix, keep_vars = (*args, *(destination, prefix, keep_vars)[len(args):])
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        local_metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = local_metadata
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        for hook in self._state_dict_hooks.values():
            answer = hook(self, destination, prefix, local_metadata)
            if not getattr(hook, "_from_public_api", False):
                destination = destination if answer is None else answer
            elif answer is not None:
                raise error("MG119", "state_dict post-hook must return None")
        return destination

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        """Enter this module's own members; a class whose state is more than these has its own form."""
        for name, member in self._own_state().items():
            destination[prefix + name] = member if keep_vars else member.detach()
        if type(self).get_extra_state is not States.get_extra_state:
            destination[prefix + EXTRA_STATE] = self.get_extra_state()

    def _own_state(self):
        """{name: tensor} of what is saved of this module alone."""
        persistent = {name: buffer for name, buffer in self._buffers.items()
                      if name not in self._non_persistent_buffers_set}
        return {name: member for name, member in {**self._parameters, **persistent}.items() if member is not None}

    def get_extra_state(self):
        """What a class has to save besides tensors; with ``set_extra_state`` it is in the state dict."""
        raise error("MG305", "get_extra_state(): this module has no extra state; define it together with "
                             "set_extra_state()")

    def set_extra_state(self, state):
        """Take over what ``get_extra_state`` returned."""
        raise error("MG305", "set_extra_state(): this module has no extra state; define it together with "
                             "get_extra_state()")

    # ------------------------------------------------------------------------------ loading

    def load_state_dict(self, state_dict, strict=True, assign=False):
        """Copy the tensors of a state dict into this module and all below it.

        Parameters
        ----------
        state_dict : a mapping from names to tensors
        strict : raise unless the names are the same as those of the module
        assign : make the tensors of the state dict members of the module, instead of copying their numbers

        Returns (missing_keys, unexpected_keys).  If anything does not fit, the error (a RuntimeError, MG703) lists
        all of it; the tensors that fit have been loaded by then, as in PyTorch.

        >>> torch.nn.Linear(2, 1).load_state_dict(torch.nn.Linear(2, 1).state_dict())
        <All keys matched successfully>
        """
        if not isinstance(state_dict, Mapping):
            raise error("MG205", f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        metadata = getattr(state_dict, "_metadata", None)
        given = OrderedDict(state_dict)                             # the classes' own forms may change it
        if metadata is not None:
            given._metadata = metadata
        missing, unexpected, messages = [], [], []
        self._load_all(given, "", metadata or {}, assign, missing, unexpected, messages)
        if strict:
            messages[:0] = [f"{what} key(s) in state_dict: {quoted(keys)}. "
                            for what, keys in (("Missing", missing), ("Unexpected", unexpected)) if keys]
        if messages:
            raise does_not_fit(self, messages)
        return _IncompatibleKeys(missing, unexpected)

    def _load_all(self, given, prefix, metadata, assign, missing, unexpected, messages):
        """Load this module and all below it; what does not fit is added to the three lists."""
        local_metadata = metadata.get(prefix[:-1], {})
        if assign:
            local_metadata["assign_to_params_buffers"] = True
        self._load_from_state_dict(given, prefix, local_metadata, True, missing, unexpected, messages)
        of_child = {name: {} for name in self._modules}             # in one pass over the keys, for all children
        for key, x in given.items():
            if key.startswith(prefix):
                name, dot, _ = key[len(prefix):].partition(".")
                if dot and name in of_child:
                    of_child[name][key] = x
        for name, child in self._modules.items():
            if child is not None:
                child._load_all(of_child[name], f"{prefix}{name}.", metadata, assign, missing, unexpected, messages)
        for hook in self._load_state_dict_post_hooks.values():
            if hook(self, _IncompatibleKeys(missing, unexpected)) is not None:
                raise must_return_nothing()

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys,
                              error_msgs):
        """Load this module's own members; what does not fit is added to the three lists."""
        for hook in self._load_state_dict_pre_hooks.values():
            hook(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
        own = self._own_state()
        for name, member in own.items():
            if prefix + name in state_dict:
                self._load_member(name, member, prefix + name, state_dict[prefix + name],
                                  local_metadata.get("assign_to_params_buffers", False), error_msgs)
            elif strict:
                missing_keys.append(prefix + name)
        has_extra_state = type(self).set_extra_state is not States.set_extra_state
        extra = prefix + EXTRA_STATE
        if has_extra_state and extra in state_dict:
            self.set_extra_state(state_dict[extra])
        elif strict and has_extra_state:
            missing_keys.append(extra)
        elif strict and extra in state_dict:
            unexpected_keys.append(extra)
        if strict:
            for key in state_dict:
                if key.startswith(prefix) and key != extra:
                    first, dot, _ = key[len(prefix):].partition(".")
                    if first not in (self._modules if dot else own):
                        unexpected_keys.append(key)

    def _load_member(self, name, member, key, given, assign, error_msgs):
        if not is_tensor_like(given):
            error_msgs.append(f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object '
                              f"from checkpoint but received {type(given)}")
            return
        if not is_lazy(member):
            if member.dim() == 0 and tuple(given.shape) == (1,):            # saved by PyTorch before 0.4
                given = given[0]
            if given.shape != member.shape:
                error_msgs.append(f"size mismatch for {key}: copying a param with shape {given.shape} from checkpoint, "
                                  f"the shape in current model is {member.shape}.")
                return
        try:
            with no_grad():
                if not assign:
                    if member.is_meta and not given.is_meta and not is_lazy(member):
                        warn(nothing_copied(key))
                    member.copy_(given)
                elif isinstance(member, Parameter) and not isinstance(given, Parameter):
                    setattr(self, name, Parameter(given, requires_grad=member.requires_grad))
                else:
                    setattr(self, name, given.requires_grad_(member.requires_grad))
        except Exception as wrong:
            error_msgs.append(f'While copying the parameter named "{key}", whose dimensions in the model are '
                              f"{member.size()} and whose dimensions in the checkpoint are {given.size()}, an "
                              f"exception occurred : {wrong.args}.")

    # ------------------------------------------------------------------------------ hooks

    def register_state_dict_pre_hook(self, hook):
        """Call ``hook(module, prefix, keep_vars)`` before the state dict is made."""
        return registered(self._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self, hook):
        """Call ``hook(module, state_dict, prefix, local_metadata)`` when this module's part is entered."""
        hook._from_public_api = True
        return registered(self._state_dict_hooks, hook)

    def _register_state_dict_hook(self, hook):
        """The older form: what the hook returns replaces the state dict."""
        if getattr(hook, "_from_public_api", False):
            raise error("MG113", "Cannot register the same function as the state dict post hook that was previously "
                                 "registered via register_state_dict_post_hook")
        return registered(self._state_dict_hooks, hook)

    def register_load_state_dict_pre_hook(self, hook):
        """Call ``hook(module, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)``
        before this module's part is loaded."""
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def _register_load_state_dict_pre_hook(self, hook, with_module=False):
        return registered(self._load_state_dict_pre_hooks, WithModule(hook, self) if with_module else hook)

    def register_load_state_dict_post_hook(self, hook):
        """Call ``hook(module, incompatible_keys)`` when this module and all below it are loaded; the hook may change
        the two lists."""
        return registered(self._load_state_dict_post_hooks, hook)


def quoted(keys):
    return ", ".join(f'"{key}"' for key in keys)


class WithModule:
    """A hook that receives the module first, which it does not keep alive."""

    def __init__(self, hook, module):
        self.hook, self.module = hook, weakref.ref(module)

    def __call__(self, *args):
        return self.hook(self.module(), *args)

    def __getstate__(self):
        return self.hook, self.module()

    def __setstate__(self, state):
        self.hook, self.module = state[0], weakref.ref(state[1])


def registered(hooks, hook, prepend=False):
    """The handle of a hook that was added to ``hooks``."""
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


# ------------------------------------------------------------------------------ what the errors say

def does_not_fit(module, messages):
    return error("MG703", "Error(s) in loading state_dict for {}:\n\t{}".format(
        type(module).__name__, "\n\t".join(messages)))


def must_return_nothing():
    return error("MG119", "Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return new "
                          "values; change the lists of incompatible_keys instead")


def nothing_copied(key):
    return (f"for {key}: copying from a non-meta parameter in the checkpoint to a meta parameter in the current model, "
            "which is a no-op. (Did you mean to pass `assign=True` to assign items in the state dictionary to their "
            "corresponding key in the module instead of copying them in place?)")
