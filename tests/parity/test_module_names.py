"""Every public module has what it has in each of Python's ways, as PyTorch's modules do.

records/module_names.json says what is in PyTorch's.  A name that minigrad leaves out is another matter
(test_decisions.py); what is found as an attribute must be in the module's ``__dict__`` and ``dir``, in a star import
where PyTorch's has it, and be pickled by its name.
"""

import json
import pickle
from importlib import import_module
from inspect import getmembers
from pathlib import Path

import pytest

from tests import starting

pytestmark = pytest.mark.usefixtures("interpreters")

RECORDED = json.loads(Path(__file__).with_name("records").joinpath("module_names.json").read_text(encoding="utf-8"))
#: a module is under this name, where PyTorch's package has a function; a variable of types that nothing here needs;
#: a layer that is in a file of its own here
OTHERWISE = {("torch.autograd", "variable"), ("torch.nn.common_types", "T"),
             ("torch.nn.modules.activation", "MultiheadAttention"),
             *[("torch.nn.parallel", name) for name in ("data_parallel", "parallel_apply", "replicate")]}
#: one object here, which torch.sigmoid is too; deprecated functions that raise; what is loaded when it is first used
DO_NOT_BIND = {"sigmoid", "tanh", "eig", "lobpcg", "lstsq", "lu", "matrix_rank", "pca_lowrank", "solve", "svd_lowrank",
               "symeig", "fractional_max_pool2d", "fractional_max_pool2d_with_indices", "fractional_max_pool3d",
               "fractional_max_pool3d_with_indices", "multi_head_attention_forward"}
#: questions about modes and dtypes, and forms in place, which are written in Python here
BIND = {"autocast_decrement_nesting", "autocast_increment_nesting", "can_cast", "celu_", "clear_autocast_cache",
        "detach_", "elu_", "get_autocast_cpu_dtype", "get_autocast_dtype", "get_autocast_gpu_dtype",
        "get_default_dtype", "get_device", "get_num_interop_threads", "get_num_threads", "hardtanh_",
        "is_anomaly_check_nan_enabled", "is_anomaly_enabled", "is_autocast_cache_enabled", "is_autocast_cpu_enabled",
        "is_autocast_enabled", "is_grad_enabled", "is_inference", "is_inference_mode_enabled", "leaky_relu_",
        "promote_types", "relu_", "result_type", "selu_", "set_anomaly_enabled", "set_autocast_cache_enabled",
        "set_autocast_cpu_dtype", "set_autocast_cpu_enabled", "set_autocast_dtype", "set_autocast_enabled",
        "set_autocast_gpu_dtype", "set_flush_denormal", "set_num_interop_threads", "set_num_threads", "threshold_",
        "to_dlpack"}
#: in a new interpreter: the names in __dict__, before anything is asked of the module, and those that it has then
LOOK = """
import importlib, json, warnings, minigrad
warnings.simplefilter("ignore")
module, names = importlib.import_module(PATH), NAMES
there = {name for name in names if name in vars(module)}
print(json.dumps([sorted(there ^ {name for name in names if hasattr(module, name)}), type(module).__name__]))
"""


def ours(path):
    """The module that has this path in PyTorch; None if minigrad has none."""
    try:
        return import_module(path.replace("torch", "minigrad", 1))
    except ImportError:
        return None


OURS = [path for path in RECORDED if ours(path) is not None]


def present(path, *kinds):
    """(name, value) of what PyTorch has there, as far as minigrad does."""
    module = ours(path)
    names = [name for kind in kinds for name in RECORDED[path][kind] if (path, name) not in OTHERWISE]
    return [(name, getattr(module, name)) for name in names if hasattr(module, name)]


def test_there_are_many():
    assert len(OURS) > 150


@pytest.mark.parametrize("path", OURS)
@pytest.mark.filterwarnings("ignore")
def test_all_ways_find_the_same(path):
    module = ours(path)
    members, everything = dict(getmembers(module)), dir(module)
    for name, value in present(path, "star", "others"):
        assert vars(module)[name] is value and members[name] is value and name in everything, name


@pytest.mark.parametrize("path", OURS)
@pytest.mark.filterwarnings("ignore")
def test_a_star_import_brings_what_pytorchs_brings(path):
    brought = {}
    exec(f"from {ours(path).__name__} import *", brought)
    assert [name for name, value in present(path, "star") if brought.get(name, brought) is not value] == []


@pytest.mark.parametrize("path", OURS)
@pytest.mark.filterwarnings("ignore")
def test_what_pytorch_pickles_by_name_is_pickled(path):
    for name, value in present(path, "pickles"):
        assert pickle.loads(pickle.dumps(value)) is value, name


@pytest.mark.parametrize("path", ["torch", "torch.nn", "torch.nn.functional", "torch.nn.parallel", "torch.autograd",
                                  "torch.cuda", "torch.utils"])
def test_a_module_of_which_a_part_comes_later_is_complete_when_its_dict_is_read(path):
    names = [*RECORDED[path]["star"], *RECORDED[path]["others"]]
    look = LOOK.replace("PATH", repr(path.replace("torch", "minigrad", 1))).replace("NAMES", repr(names))
    assert json.loads(starting.run(look, check=True).stdout) == [[], "module"]


def test_a_star_import_leaves_pythons_modules_alone():
    names = {"random": None, "types": None}
    exec("from minigrad import *", names)
    assert names["random"] is names["types"] is None


@pytest.mark.parametrize("path", ["torch", "torch.nn.functional", "torch.linalg", "torch.fft", "torch.special"])
def test_what_is_built_in_does_not_bind_and_functions_of_python_do(path):
    known = {name for kind in ("star", "others") for name in RECORDED[path][kind]}
    functions = {name: value for name, value in vars(ours(path)).items()
                 if name in known and callable(value) and not isinstance(value, type) and name[-6:] != "Tensor"}
    binding = {name for name, value in functions.items() if hasattr(value, "__get__")}
    assert binding & {*RECORDED[path]["built_in"]} <= BIND
    assert functions.keys() - binding - {*RECORDED[path]["built_in"]} <= DO_NOT_BIND
