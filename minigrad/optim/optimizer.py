"""The base class of all optimizers.

    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    optimizer.zero_grad()                   # .grad of every parameter is None
    loss(model(x), y).backward()            # .grad is the gradient
    optimizer.step()                        # the parameters move against it

An optimizer keeps two things.  ``param_groups`` is a list of dictionaries: the parameters of a group (``"params"``) and
their options (``"lr"`` ...), which may be changed at any time.  ``state`` has a dictionary for each parameter: what the
algorithm remembers from step to step, such as a running mean of the gradients.

Neighbours: rules.py (the loop over the parameters), and a file for each algorithm.
"""

import functools
from collections import OrderedDict, defaultdict
from collections.abc import Iterable
from copy import deepcopy
from itertools import chain

from minigrad._core.errors import error, warn
from minigrad._core.graph import Tensor
from minigrad.autograd.graph import RemovableHandle
from minigrad.autograd.profiler import record_function
from minigrad.dtypes import float32
from minigrad.environment import typename

__all__ = ["Optimizer", "ParamsT", "register_optimizer_step_post_hook", "register_optimizer_step_pre_hook", "required"]

#: what an optimizer is made from: tensors, (name, tensor) pairs, or groups
ParamsT = Iterable[Tensor] | Iterable[dict] | Iterable[tuple[str, Tensor]]

#: the hooks of an optimizer, each kind in a dictionary of its own
HOOKS = ("_optimizer_step_pre_hooks", "_optimizer_step_post_hooks", "_optimizer_state_dict_pre_hooks",
         "_optimizer_state_dict_post_hooks", "_optimizer_load_state_dict_pre_hooks",
         "_optimizer_load_state_dict_post_hooks")

#: hooks on the steps of all optimizers
step_pre_hooks, step_post_hooks = OrderedDict(), OrderedDict()


class _RequiredParameter:
    """In ``defaults``: the value of an option that every group must have."""

    def __repr__(self):
        return "<required parameter>"


required = _RequiredParameter()


class Optimizer:
    """Keeps parameters in groups, and state for each of them; a subclass defines ``step``.

    Parameters
    ----------
    params : tensors, pairs (name, tensor), or dictionaries, each of which is a group and has its own options
    defaults : the options of the groups that do not say otherwise

    >>> w = torch.tensor([3.], requires_grad=True)
    >>> class SignDescent(torch.optim.Optimizer):
    ...     def __init__(self, params, lr):
    ...         super().__init__(params, {"lr": lr})
    ...     @torch.no_grad()
    ...     def step(self):
    ...         for group in self.param_groups:
    ...             for param in group["params"]:
    ...                 param -= group["lr"] * param.grad.sign()
    >>> optimizer = SignDescent([w], lr=0.5)
    >>> (w * w).backward()
    >>> optimizer.step()
    >>> w
    tensor([2.5000], requires_grad=True)
    """

    def __init__(self, params, defaults):
        if isinstance(params, Tensor):
            raise error("MG712", "params argument given to the optimizer should be an iterable of Tensors or dicts, "
                                 f"but got {typename(params)}")
        groups = list(params)
        if not groups:
            raise no_parameters()
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        self.defaults, self.state, self.param_groups = defaults, defaultdict(dict), []
        self._begin_hooks()
        self._taken = set()                         # all parameters of the groups so far: `_check_apart`
        for group in groups:
            self.add_param_group(group)
        del self._taken

    def _begin_hooks(self):
        for name in HOOKS:
            self.__dict__.setdefault(name, OrderedDict())
        self._patch_step_function()

    def step(self, closure=None):
        """Move the parameters once; every algorithm defines it.

        ``closure``, if given, is a function that computes the loss and its gradients; its result is returned.
        """
        raise error("MG305", f"{type(self).__name__} does not define step()")

    def zero_grad(self, set_to_none=True):
        """Forget the gradients of all parameters: None, or with ``set_to_none=False`` zeros.

        Gradients add up over backward passes, so that most programs call this before each.
        """
        with record_function(self._zero_grad_profile_name):
            for group in self.param_groups:
                for param in group["params"]:
                    if set_to_none:
                        param.grad = None
                    elif param.grad is not None:
                        param.grad.detach_() if param.grad.grad_fn is not None else param.grad.requires_grad_(False)
                        param.grad.zero_()

    # ------------------------------------------------------------------------------ groups

    def add_param_group(self, param_group):
        """Add a group: a dictionary with ``"params"``, and the options in which it differs from the defaults.

        Raises TypeError (MG712) for anything that is not a tensor, and ValueError (MG711) if a tensor is not a leaf or
        is in another group already.

        >>> a, b = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
        >>> optimizer = torch.optim.SGD([a], lr=0.1)
        >>> optimizer.add_param_group({"params": b, "lr": 0.01})
        >>> [group["lr"] for group in optimizer.param_groups]
        [0.1, 0.01]
        """
        if not isinstance(param_group, dict):
            raise error("MG712", f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        if isinstance(params, set):
            raise error("MG712", "optimizer parameters need to be organized in ordered collections, but the ordering "
                                 "of tensors in sets will change between runs. Please use a list instead.")
        params = [params] if isinstance(params, Tensor) else list(params)
        names = [each[0] for each in params if isinstance(each, tuple)]
        params = param_group["params"] = [each[1] if isinstance(each, tuple) else each for each in params]
        if names:
            if len(names) != len(params):
                raise error("MG711", "all optimizer params should be with/without names. Some param names are missing")
            param_group["param_names"] = names
        for param in params:
            self._check_param(param)
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise error("MG711", "parameter group didn't specify a value of required optimization parameter "
                                     f"{name}")
            param_group.setdefault(name, default)
        self._check_apart(param_group)
        self.param_groups.append(param_group)

    def _check_param(self, param):
        if not isinstance(param, Tensor):
            raise error("MG712", f"optimizer can only optimize Tensors, but one of the params is {typename(param)}")
        if not (self.defaults.get("differentiable") or param.is_leaf or param.retains_grad):
            raise error("MG711", "can't optimize a non-leaf Tensor: the next forward pass computes another one. "
                                 "Optimize the leaves that it comes from, or detach() it.")

    def _check_apart(self, param_group):
        """Raise if a parameter of the new group is in an earlier one, or if only some groups have names."""
        params = {*param_group["params"]}
        if len(params) != len(param_group["params"]):
            warn("optimizer contains a parameter group with duplicate parameters; in future, this will cause an error; "
                 "see github.com/pytorch/pytorch/issues/40967 for more information")
        named = "param_names" in param_group
        taken = vars(self).get("_taken")            # in __init__, where nobody else changes the groups
        earlier = self.param_groups if taken is None else self.param_groups[-1:]
        if any(named != ("param_names" in group) for group in earlier):
            raise error("MG711", "all optimizer param groups should be with/without names. cannot add param group "
                                 f"{'with' if named else 'without'} names to the optimizer")
        others = [group["params"] for group in earlier] if taken is None else [taken]
        if not all([params.isdisjoint(each) for each in others]):
            raise error("MG711", "some parameters appear in more than one parameter group")
        if taken is not None:
            taken |= params

    # ------------------------------------------------------------------------------ saving and loading

    def state_dict(self):
        """The state of all parameters and the options of all groups, to be saved; parameters are numbered.

        >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=0.1)
        >>> state = optimizer.state_dict()
        >>> state["state"], state["param_groups"][0]["params"]
        ({}, [0])
        """
        for hook in self._optimizer_state_dict_pre_hooks.values():
            hook(self)
        numbers, groups, begin = {}, [], 0
        for group in self.param_groups:
            for i, param in enumerate(group["params"], begin):
                numbers.setdefault(param, i)
            begin += len(group["params"])
            groups.append({key: value for key, value in group.items() if key != "params"})
            groups[-1]["params"] = [numbers[param] for param in group["params"]]
        state = {numbers[key] if isinstance(key, Tensor) else key: value for key, value in self.state.items()}
        state_dict = {"state": state, "param_groups": groups}
        for hook in self._optimizer_state_dict_post_hooks.values():
            answer = hook(self, state_dict)
            state_dict = state_dict if answer is None else answer
        return state_dict

    def load_state_dict(self, state_dict):
        """Take over the state and the options that ``state_dict`` returned, here or in another optimizer.

        The parameters are told apart by their order alone.  State is converted to the dtype of its parameter.  Raises
        ValueError (MG711) if the groups differ in number or in size.
        """
        state_dict = state_dict.copy()
        for hook in self._optimizer_load_state_dict_pre_hooks.values():
            answer = hook(self, state_dict)
            state_dict = state_dict if answer is None else answer
        groups, saved = self.param_groups, deepcopy(state_dict["param_groups"])
        if len(groups) != len(saved):
            raise error("MG711", "loaded state dict has a different number of parameter groups")
        if any(len(group["params"]) != len(other["params"]) for group, other in zip(groups, saved)):
            raise error("MG711", "loaded state dict contains a parameter group that doesn't match the size of "
                                 "optimizer's group")
        params = {number: (param, other) for group, other in zip(groups, saved)
                  for number, param in zip(other["params"], group["params"])}
        state = defaultdict(dict)
        for key, value in state_dict["state"].items():
            if key in params:
                state[params[key][0]] = converted(value, *params[key])
            else:
                state[key] = value
        for group, other in zip(groups, saved):
            other["params"] = group["params"]
            if "param_names" in group:
                other.setdefault("param_names", group["param_names"])
        self.__setstate__({"state": state, "param_groups": saved})
        for hook in self._optimizer_load_state_dict_post_hooks.values():
            hook(self)

    def __getstate__(self):
        """What is pickled and copied; hooks are not."""
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state):
        self.__dict__.update(state)
        self._begin_hooks()
        self.defaults.setdefault("differentiable", False)

    # ------------------------------------------------------------------------------ hooks

    @staticmethod
    def profile_hook_step(func):
        """``step`` between its hooks, and with a label in profiles."""
        @functools.wraps(func)
        def wrapper(self, *args, **kwargs):
            args = (self, *args)
            with record_function(f"Optimizer.step#{type(self).__name__}.step"):
                for hook in (*step_pre_hooks.values(), *self._optimizer_step_pre_hooks.values()):
                    answer = hook(self, args, kwargs)
                    if answer is not None:
                        if not (isinstance(answer, tuple) and len(answer) == 2):
                            raise error("MG119", f"{func} must return None or a tuple of (new_args, new_kwargs), but "
                                                 f"got {answer}.")
                        args, kwargs = answer
                result = func(*args, **kwargs)
                for hook in (*self._optimizer_step_post_hooks.values(), *step_post_hooks.values()):
                    hook(self, args, kwargs)
            return result
        return wrapper

    def _patch_step_function(self):
        """Put the ``step`` of this class between its hooks, once."""
        cls = type(self)
        self._zero_grad_profile_name = f"Optimizer.zero_grad#{cls.__name__}.zero_grad"
        if not getattr(cls.step, "hooked", False):
            cls.step = self.profile_hook_step(cls.step)
            cls.step.hooked = True

    def register_step_pre_hook(self, hook):
        """Call ``hook(optimizer, args, kwargs)`` before each step; it may return other ``(args, kwargs)``.

        >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=0.1)
        >>> handle = optimizer.register_step_pre_hook(lambda optimizer, args, kwargs: print("a step"))
        >>> optimizer.step()
        a step
        """
        return registered(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook):
        """Call ``hook(optimizer, args, kwargs)`` after each step."""
        return registered(self._optimizer_step_post_hooks, hook)

    def register_state_dict_pre_hook(self, hook, prepend=False):
        """Call ``hook(optimizer)`` before a state dict is made."""
        return registered(self._optimizer_state_dict_pre_hooks, hook, prepend)

    def register_state_dict_post_hook(self, hook, prepend=False):
        """Call ``hook(optimizer, state_dict)`` when a state dict is made; what it returns replaces it."""
        return registered(self._optimizer_state_dict_post_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(self, hook, prepend=False):
        """Call ``hook(optimizer, state_dict)`` before a state dict is loaded; what it returns is loaded instead."""
        return registered(self._optimizer_load_state_dict_pre_hooks, hook, prepend)

    def register_load_state_dict_post_hook(self, hook, prepend=False):
        """Call ``hook(optimizer)`` when a state dict is loaded."""
        return registered(self._optimizer_load_state_dict_post_hooks, hook, prepend)

    def __repr__(self):
        text = f"{type(self).__name__} ("
        for i, group in enumerate(self.param_groups):
            text += f"\nParameter Group {i}\n"
            text += "".join([f"    {key}: {group[key]}\n" for key in sorted(group) if key != "params"])
        return text + ")"


def registered(hooks, hook, prepend=False):
    """The handle of a hook that was added to ``hooks``."""
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def register_optimizer_step_pre_hook(hook):
    """Call ``hook(optimizer, args, kwargs)`` before the steps of all optimizers; it may return other
    ``(args, kwargs)``."""
    return registered(step_pre_hooks, hook)


def register_optimizer_step_post_hook(hook):
    """Call ``hook(optimizer, args, kwargs)`` after the steps of all optimizers."""
    return registered(step_post_hooks, hook)


def converted(value, param, group, key=None):
    """State from a state dict, as the optimizer keeps it: tensors have the dtype of the parameter, but for ``step``."""
    if isinstance(value, Tensor):
        if key == "step":
            return value.to(float32) if group.get("capturable") or group.get("fused") else value
        return value.to(param.dtype) if param.is_floating_point() else value
    if isinstance(value, dict):
        return {name: converted(each, param, group, name) for name, each in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return type(value)([converted(each, param, group) for each in value])
    return value


def no_parameters():
    return error("MG711", "optimizer got an empty parameter list: model.parameters() finds what is an attribute of a "
                          "module. Layers in a plain list or dict are not found: use nn.ModuleList or "
                          "nn.ModuleDict. A generator that was read before is empty, too")
