"""What surrounds training: loading data, checkpoints of a graph, the handles of hooks, and shared memory.

``tensorboard`` is imported by its name alone, since it needs a package of that name.
"""

from minigrad._lazy_modules import incomplete as _incomplete
from minigrad.utils import dlpack, hooks

__getattr__ = _incomplete(__name__, {name: f"minigrad.utils.{name}" for name in (
    "_pytree", "benchmark", "checkpoint", "data", "model_zoo")})
