"""Spectral normalization in its older form: a hook that computes the weight before each forward pass.

``torch.nn.utils.parametrizations.spectral_norm`` is the newer one.
"""

from minigrad._core.errors import error
from minigrad.autograd.grad_mode import no_grad
from minigrad.nn.functional import normalize
from minigrad.nn.parameter import Parameter, is_lazy
from minigrad.nn.utils.parametrizations import as_matrix, check_iterations, dim_of_outputs, direction
from minigrad.nn.utils.weight_norm import hook_of

__all__ = ["SpectralNorm", "remove_spectral_norm", "spectral_norm"]


class SpectralNorm:
    """The hook: ``weight_orig`` is learned, and ``weight_u`` and ``weight_v`` are the singular vectors."""

    _version = 1

    def __init__(self, name="weight", n_power_iterations=1, dim=0, eps=1e-12):
        check_iterations(n_power_iterations)
        self.name, self.dim, self.eps, self.n_power_iterations = name, dim, eps, n_power_iterations

    def compute_weight(self, module, do_power_iteration):
        """The weight; in training the singular vectors are brought nearer first."""
        weight, u, v = [getattr(module, self.name + part) for part in ("_orig", "_u", "_v")]
        matrix = as_matrix(weight, self.dim)
        if do_power_iteration:
            with no_grad():
                for _ in range(self.n_power_iterations):
                    v.copy_(normalize(matrix.t().mv(u), dim=0, eps=self.eps))
                    u.copy_(normalize(matrix.mv(v), dim=0, eps=self.eps))
                u, v = u.clone(), v.clone()             # the buffers change again before a backward pass
        return weight / u.dot(matrix.mv(v))

    def __call__(self, module, inputs):
        setattr(module, self.name, self.compute_weight(module, module.training))


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """Let each forward pass divide a weight by its largest singular value; returns the module."""
    if hook_of(module, name, SpectralNorm) is not None:
        raise error("MG204", f"Cannot register two spectral_norm hooks on the same parameter {name}")
    hook = SpectralNorm(name, n_power_iterations, dim_of_outputs(module, dim), eps)
    weight = module._parameters[name]
    if weight is None:
        raise error("MG207", f"`SpectralNorm` cannot be applied as parameter `{name}` is None")
    if is_lazy(weight):
        raise error("MG207", "The module passed to `SpectralNorm` can't have uninitialized parameters. Make sure to "
                             "run the dummy forward before applying spectral normalization")
    matrix = as_matrix(weight, hook.dim)
    u, v = direction(matrix, 0, eps), direction(matrix, 1, eps)
    delattr(module, name)
    module.register_parameter(f"{name}_orig", weight)
    setattr(module, name, weight.data)                  # an attribute, which the hook replaces
    module.register_buffer(f"{name}_u", u)
    module.register_buffer(f"{name}_v", v)
    module.register_forward_pre_hook(hook)
    module._register_state_dict_hook(EnterVersion(hook))
    return module


class EnterVersion:
    """A hook of the state dict: PyTorch reads there how the weight was saved."""

    def __init__(self, hook):
        self.of = hook

    def __call__(self, module, state_dict, prefix, local_metadata):
        local_metadata.setdefault("spectral_norm", {})[f"{self.of.name}.version"] = self.of._version


def remove_spectral_norm(module, name="weight"):
    """Make the weight a parameter again; returns the module."""
    key = hook_of(module, name, SpectralNorm)
    if key is None:
        raise error("MG207", f"spectral_norm of '{name}' not found in {module}")
    hook = module._forward_pre_hooks.pop(key)
    with no_grad():
        weight = hook.compute_weight(module, False)
    for each in (name, f"{name}_u", f"{name}_v", f"{name}_orig"):
        delattr(module, each)
    module.register_parameter(name, Parameter(weight.detach()))
    for key, each in list(module._state_dict_hooks.items()):
        if getattr(each, "of", None) is hook:
            del module._state_dict_hooks[key]
    return module
