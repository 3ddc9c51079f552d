"""Lend minigrad PyTorch's name, so that programs and textbook examples run as written.

    import minigrad
    minigrad.as_torch()
    import torch                                  # minigrad
    import torch.autograd.forward_ad as fwAD      # minigrad.autograd.forward_ad, as far as it exists

For a block:  `with minigrad.as_torch(): ...`.   For a script:  `python -m minigrad run script.py`.

One idea: an import looks for the name in `sys.modules` first, then asks the finders in `sys.meta_path`.  So a finder
goes in front that answers for `torch` and everything below it with *the module itself* (`torch.nn` is `minigrad.nn`,
not a copy: a class has one identity under both names).  Modules that are already loaded are entered into `sys.modules`
at once: importing one for the first time would also set it on its package, where `gradcheck` must remain the function.
"""

import copyreg
import importlib
import os
import sys
from importlib.machinery import ModuleSpec

from minigrad import stand_ins
from minigrad._core.errors import PACKAGE, error
from minigrad._core.errors.absent import Absent, absent_module, pytorchs
from minigrad._core.graph import Tensor
from minigrad._core.graph.type_objects import TensorMeta, attach, unattach
from minigrad.nn.parameter import Parameter
from minigrad.torch_version import TorchVersion

__all__ = ["as_torch"]

# The modules that PyTorch has under the same name; the rest of minigrad (floors, extras) is not part of `torch`.
_SHARED = frozenset(
    ("accelerator", "amp", "autograd", "backends", "compiler", "cpu", "cuda", "distributed", "distributions", "fft",
     "func", "functional", "futures", "hub", "jit", "library", "linalg", "masked", "mps",
     "multiprocessing", "nn", "optim", "overrides",
     "profiler",
     "quasirandom", "random", "serialization", "signal", "special", "storage", "testing", "torch_version", "types",
     "utils", "version", "xpu")
)

# The private modules that published packages import; each is here under PyTorch's name.
_PRIVATE = frozenset(("_C", "_C._nn", "__config__", "_utils", "_vmap_internals", "utils._pytree", "utils.data._utils",
                      "utils.data._utils.collate", "utils.data._utils.worker"))

# The part of another package that works on tensors; the rest of that package stays its own.
SAFETENSORS = "safetensors.torch"

# The version of PyTorch that programs may assume; minigrad.__version__ includes it while the name is lent.
_VERSION = "2.13.0"


class _Finder:
    """Answers imports of `torch` and `torch.x.y`; it is its own loader."""

    def find_spec(self, name, path=None, target=None):
        if _is_torch(name):
            return ModuleSpec(name, self, is_package=True)
        return None

    def find_distributions(self, context):
        """What ``importlib.metadata.version("torch")`` reads, where PyTorch's name is asked for, or every name."""
        name = getattr(context, "name", None)
        return [_distribution()] if name in (None, "torch") else []

    def create_module(self, spec):
        return None  # an empty one, which exec_module replaces

    def exec_module(self, module):
        name = module.__spec__.name
        sys.modules[name] = _counterpart(name)


def _distribution():
    """An installed package called torch, of the version that programs may assume."""
    from importlib.metadata import Distribution

    class Lent(Distribution):
        def read_text(self, filename):
            return {"METADATA": f"Metadata-Version: 2.1\nName: torch\nVersion: {sys.modules['minigrad'].__version__}\n",
                    "top_level.txt": "torch\n"}.get(filename)

        def locate_file(self, path):
            return os.path.join(os.path.dirname(PACKAGE.rstrip(os.sep)), path)

    return Lent()


def _counterpart(name):
    """The module of minigrad that answers to `name`, such as `torch.nn.functional`."""
    if name == SAFETENSORS:
        return importlib.import_module("minigrad.serialization.safetensors")
    ours = "minigrad" + name.removeprefix("torch")
    if not (_is_shared(ours) or stand_ins.is_module(ours)):
        raise absent_module(name, ours)
    try:
        return importlib.import_module(ours)
    except ModuleNotFoundError as missing:
        if missing.name != ours:
            raise  # something else is missing, further down
        raise absent_module(name, ours) from None


def _is_shared(ours):
    """Does PyTorch have a module of the same name, judging by the name?"""
    parts = ours.split(".")[1:]
    public = not any(part.startswith("_") for part in parts)
    return not parts or ".".join(parts) in _PRIVATE or parts[0] in _SHARED and public


_finder = _Finder()


class as_torch:
    """Make `import torch` import minigrad, from this call on; in a `with`, until the end of the block.

    It raises (MG601) if the real PyTorch has already been imported, because two libraries under one name would mix.
    At the end only the name `torch` is returned; everything that the program has imported stays as it is.

    >>> import minigrad
    >>> with minigrad.as_torch():
    ...     import torch.nn.functional as F
    ...     from torch import autograd
    >>> F is minigrad.nn.functional, autograd is minigrad.autograd
    (True, True)

    Meanwhile ``torch.__version__`` is the version of PyTorch that minigrad follows, with minigrad's own version added,
    so that programs may compare it, and ``importlib.metadata.version("torch")`` says the same; tensors are of the class
    ``torch.Tensor``; and an error (MG602) explains if PyTorch's tensors have a method that ours lack.

    >>> with minigrad.as_torch():
    ...     minigrad.__version__ >= "2.1", minigrad.__version__.partition("+")[0]
    (True, '2.13.0')
    >>> with minigrad.as_torch():
    ...     minigrad.Tensor, minigrad.Tensor.__module__
    (<class 'torch.Tensor'>, 'torch')
    """

    def __init__(self):
        real = [name for name, module in sys.modules.items() if _is_torch(name) and module is not None
                and not _is_ours(module)]
        if real:
            raise error(
                "MG601",
                "as_torch(): the real PyTorch is loaded already, and two libraries cannot share its name. Call "
                "minigrad.as_torch() before anything imports torch, or write import minigrad as torch.",
            )
        self._installed = _finder not in sys.meta_path
        if self._installed:
            sys.meta_path.insert(0, _finder)
            for name in [name for name in sys.modules if name.partition(".")[0] == "minigrad" and _is_shared(name)]:
                sys.modules["torch" + name.removeprefix("minigrad")] = sys.modules[name]
            _dress()

    def __enter__(self):
        return sys.modules["minigrad"]

    def __exit__(self, kind, value, traceback):
        if not self._installed:
            return  # an earlier as_torch() still holds
        if _finder in sys.meta_path:
            sys.meta_path.remove(_finder)
            _undress()
        for name in [name for name in sys.modules if _is_torch(name)]:
            del sys.modules[name]


# ------------------------------------------------------------------------------ changes while the name is lent

#: what the library says of itself, to be said again when the name is given back
_own = {}


def _dress():
    """Show PyTorch's name and version, its operators, and explain missing methods of its tensors."""
    minigrad = sys.modules["minigrad"]
    _own.update(version=minigrad.__version__, ops=minigrad.ops)
    version = TorchVersion(f"{_VERSION}+minigrad{minigrad.__version__}")
    _say("torch", version, stand_ins.Operators("torch.ops"))
    for name in pytorchs("torch.Tensor"):
        if not hasattr(Tensor, name):
            attach(name, Absent(name))


def _undress():
    _say("minigrad", _own["version"], _own["ops"])
    for name, value in list(vars(Tensor).items()):
        if isinstance(value, Absent):
            unattach(name)


def _say(name, version, ops):
    """Let the library, its tensors and its parameters be of this name."""
    minigrad = sys.modules["minigrad"]
    minigrad.__name__, minigrad.__version__, minigrad.ops = name, version, ops
    sys.modules["minigrad.version"].__version__ = version
    attach("__module__", name)
    if name == "torch":
        minigrad.torch = minigrad                       # as PyTorch has it, and annotations say it
        TensorMeta.__repr__ = lambda cls: f"<class '{cls.__module__}.{cls.__qualname__}'>"      # C would say minigrad's
        copyreg.pickle(TensorMeta, _reduced)
    else:
        del minigrad.torch, TensorMeta.__repr__, copyreg.dispatch_table[TensorMeta]
    Parameter.__module__ = f"{name}.nn.parameter"


def _reduced(cls):
    """A pickle names the class where it is at home, so that it is read where nobody has PyTorch's name, too."""
    if cls is Tensor or cls is Parameter:
        return stand_ins.at, (cls.__module__.replace("torch", "minigrad", 1), cls.__name__)
    return cls.__qualname__


def _is_torch(name):
    return name in ("torch", SAFETENSORS) or name.startswith("torch.")


def _is_ours(module):
    return module is sys.modules["minigrad"] or getattr(module, "__name__", "").partition(".")[0] == "minigrad"
