"""Weight normalization in its older form: a hook that computes the weight before each forward pass.

``torch.nn.utils.parametrizations.weight_norm`` is the newer one, and has the formula.
"""

from minigrad._core.errors import error, warn
from minigrad.nn.parameter import Parameter, is_lazy
from minigrad.nn.utils.parametrizations import length_of, with_length

__all__ = ["WeightNorm", "remove_weight_norm", "weight_norm"]


class WeightNorm:
    """The hook: ``weight_g`` is the length, and ``weight_v`` the direction."""

    def __init__(self, name, dim):
        self.name, self.dim = name, -1 if dim is None else dim

    def compute_weight(self, module):
        """The weight."""
        return with_length(getattr(module, f"{self.name}_g"), getattr(module, f"{self.name}_v"), self.dim)

    def __call__(self, module, inputs):
        setattr(module, self.name, self.compute_weight(module))


def weight_norm(module, name="weight", dim=0):
    """Replace a weight by its length and its direction: ``weight_g`` and ``weight_v``; returns the module."""
    warn("`torch.nn.utils.weight_norm` is deprecated in favor of `torch.nn.utils.parametrizations.weight_norm`.",
         FutureWarning)
    if hook_of(module, name, WeightNorm) is not None:
        raise error("MG204", f"Cannot register two weight_norm hooks on the same parameter {name}")
    weight, hook = getattr(module, name), WeightNorm(name, dim)
    if is_lazy(weight):
        raise error("MG207", "The module passed to `WeightNorm` can't have uninitialized parameters. Make sure to run "
                             "the dummy forward before applying weight normalization")
    del module._parameters[name]
    module.register_parameter(f"{name}_g", Parameter(length_of(weight, hook.dim).data))
    module.register_parameter(f"{name}_v", Parameter(weight.data))
    hook(module, None)
    module.register_forward_pre_hook(hook)
    return module


def remove_weight_norm(module, name="weight"):
    """Make the weight a parameter again; returns the module."""
    key = hook_of(module, name, WeightNorm)
    if key is None:
        raise error("MG207", f"weight_norm of '{name}' not found in {module}")
    weight = module._forward_pre_hooks.pop(key).compute_weight(module)
    for each in (name, f"{name}_g", f"{name}_v"):
        delattr(module, each)
    setattr(module, name, Parameter(weight.data))
    return module


def hook_of(module, name, cls):
    """The number of the hook of that class for a weight, or None."""
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, cls) and hook.name == name:
            return key
    return None
