"""Settings, devices and compilers: what a program asks for in its first lines."""

import importlib
import subprocess
import sys

import pytest

import minigrad
from tests.checking import refuses


def test_the_default_device_is_the_cpu(torch):
    assert torch.get_default_device() == torch.device("cpu")
    for device in ("cpu", torch.device("cpu"), None):
        torch.set_default_device(device)
    assert torch.ones(2).device.type == "cpu"


def test_another_default_device_is_refused():
    with refuses(RuntimeError, "set_default_device(): no device 'cuda' is available", "MG404"):
        minigrad.set_default_device("cuda")


@pytest.mark.parametrize(("call", "enabled", "warns", "number"), [
    ("use_deterministic_algorithms(True)", True, False, 2),
    ("use_deterministic_algorithms(True, warn_only=True)", True, True, 1),
    ("use_deterministic_algorithms(False)", False, False, 0),
    ("set_deterministic_debug_mode('warn')", True, True, 1), ("set_deterministic_debug_mode(2)", True, False, 2)])
def test_determinism_is_remembered(torch, call, enabled, warns, number):
    try:
        eval("torch." + call)
        assert torch.are_deterministic_algorithms_enabled() is enabled
        assert torch.is_deterministic_algorithms_warn_only_enabled() is warns
        assert torch.get_deterministic_debug_mode() == number
    finally:
        torch.set_deterministic_debug_mode("default")


@pytest.mark.parametrize(("call", "kind"), [
    ("set_deterministic_debug_mode('bad')", RuntimeError), ("set_deterministic_debug_mode(4)", RuntimeError),
    ("set_deterministic_debug_mode(None)", TypeError), ("use_deterministic_algorithms(1)", TypeError),
    ("set_warn_always(3)", (RuntimeError, TypeError)), ("set_flush_denormal(3)", (RuntimeError, TypeError)),
    ("compile(3)", (AssertionError, TypeError)), ("compile(len, mode='nosuch')", RuntimeError),
    ("compile(len, mode='default', options={'a': 1})", RuntimeError)])
def test_wrong_settings_are_refused(torch, call, kind):
    with pytest.raises(kind):
        eval("torch." + call)
    assert torch.get_deterministic_debug_mode() == 0


def test_precision_of_products_is_remembered(torch):
    try:
        torch.set_float32_matmul_precision("high")
        assert torch.get_float32_matmul_precision() == "high"
        with pytest.warns(UserWarning, match="bad is not one of 'highest', 'high', or 'medium'"):
            torch.set_float32_matmul_precision("bad")
        assert torch.get_float32_matmul_precision() == "high"
    finally:
        torch.set_float32_matmul_precision("highest")


def test_small_settings(torch):
    assert torch.is_warn_always_enabled() is False and torch.compiled_with_cxx11_abi() is True
    assert torch.is_storage(torch.ones(2)) is False and torch.has_lapack is True
    torch.set_warn_always(False)
    torch.set_anomaly_enabled(True)
    try:
        assert torch.is_anomaly_enabled()
    finally:
        torch.set_anomaly_enabled(False)


def test_numbers_below_the_normal_ones_are_kept():
    assert minigrad.set_flush_denormal(True) is False
    assert (minigrad.tensor(1e-40) * 1).item() > 0


@pytest.mark.parametrize(("thing", "name"), [
    ("torch.ones(2)", "torch.FloatTensor"), ("torch.ones(2, dtype=torch.int64)", "torch.LongTensor"), ("1", "int"),
    ("torch.float32", "torch.dtype"), ("[]", "list"), ("torch.Tensor", "torch.Tensor")])
def test_typename(torch, thing, name):
    assert torch.typename(eval(thing)).removeprefix("torch.dtypes.").removeprefix("torch._core.graph.").removeprefix(
        "torch.") == name.removeprefix("torch.")


def test_nothing_is_compiled():
    def double(x):
        return 2 * x
    for decorate in (minigrad.compile, minigrad.compile(mode="reduce-overhead"), minigrad.jit.script,
                     minigrad.jit.ignore, minigrad.jit.ignore(drop=True), minigrad.jit.unused, minigrad.jit.export,
                     minigrad.compiler.disable, minigrad.compiler.disable(recursive=False),
                     minigrad.compiler.allow_in_graph):
        assert decorate(double) is double
    assert minigrad.jit.trace(double, (minigrad.ones(2),)) is double


def test_an_unknown_compiler_is_refused(torch):
    assert torch.compile(len, backend="eager") is not None
    with pytest.raises(RuntimeError, match="Invalid backend: 'fast'"):
        torch.compile(len, backend="fast")(torch.ones(1))


def test_a_type_is_asked_for_with_that_of_its_items(torch):
    is_of = torch.jit.isinstance
    assert is_of([1], list[int]) and not is_of(["a"], list[int]) and is_of(3, (str, int))
    assert is_of((1, "a"), tuple[int, str]) and not is_of((1,), tuple[int, str])
    assert is_of({"a": [1.]}, dict[str, list[float]]) and not is_of({"a": [1]}, dict[str, list[float]])


def test_nobody_compiles(torch):
    assert not torch.jit.is_scripting() and not torch.jit.is_tracing() and not torch.compiler.is_compiling()


def test_there_is_no_accelerator(torch):
    assert torch.accelerator.is_available() is False and torch.accelerator.device_count() == 0
    assert torch.accelerator.current_accelerator() is None
    for name in ("synchronize", "current_device_index", "empty_cache"):
        with refuses(RuntimeError, "Cannot access accelerator device when none is available", "MG404"):
            getattr(torch.accelerator, name)()
    assert not torch.mps.is_available() and not torch.xpu.is_available() and not torch.mps.device_count()
    torch.mps.manual_seed(0)
    assert torch.cpu.is_available() and torch.cpu.device_count() == 1 and torch.cpu.current_device() == "cpu"
    torch.cpu.synchronize()


def test_of_cuda_only_harmless_things_can_be_asked(torch):
    assert torch.cuda.memory_allocated() == torch.cuda.max_memory_allocated() == 0
    torch.cuda.manual_seed(0)
    torch.cuda.manual_seed_all(0)
    torch.cuda.empty_cache()
    assert not torch.cuda.is_initialized() and not torch.cuda.is_bf16_supported()
    for name in ("synchronize", "current_device", "get_device_name"):
        with refuses(AssertionError, "Torch not compiled with CUDA enabled", "MG404"):
            getattr(torch.cuda, name)()


def test_backends(torch):
    assert not torch.backends.mps.is_available() and not torch.backends.cuda.is_built()
    assert not torch.backends.cudnn.is_available() and torch.backends.cudnn.version() is None
    torch.backends.cudnn.benchmark = True
    assert torch.backends.cudnn.benchmark is True
    with torch.backends.cudnn.flags(benchmark=False, deterministic=True):
        assert torch.backends.cudnn.deterministic is True and torch.backends.cudnn.benchmark is False
    assert torch.backends.cudnn.deterministic is False and torch.backends.cudnn.benchmark is True
    torch.backends.cudnn.benchmark = False
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.mha.set_fastpath_enabled(torch.backends.mha.get_fastpath_enabled())


@pytest.mark.parametrize("name", ["mkl", "mkldnn", "openmp", "opt_einsum"])
def test_libraries_that_are_not_used(name):
    assert getattr(minigrad.backends, name).is_available() is False


def test_mixed_precision_that_is_off_changes_nothing(torch):
    x = torch.ones(2, 2)
    with torch.autocast("cpu", enabled=False):
        assert (x @ x).dtype is torch.float32
    with torch.autocast("cuda", dtype=torch.float16, enabled=False), torch.amp.autocast("cpu", enabled=False):
        assert not torch.is_autocast_enabled()

    @torch.autocast("cpu", enabled=False)
    def product(x):
        return x @ x
    assert product(x).dtype is torch.float32
    with pytest.raises(RuntimeError, match="Expected one of cpu"):
        torch.autocast("none")


@pytest.mark.filterwarnings("ignore:`torch.cuda.amp.autocast")
def test_mixed_precision_for_a_gpu_warns(torch):
    with pytest.warns(UserWarning, match="is not available.*Disabling"):
        with torch.cuda.amp.autocast():
            assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype is torch.float32


def test_they_are_loaded_late_and_found_as_torch():
    modules = ("accelerator", "amp", "backends", "backends.cudnn", "compiler", "cpu", "jit", "mps", "xpu")
    code = (f"import sys, importlib, minigrad; names = {modules}\n"
            "assert not [name for name in names if 'minigrad.' + name in sys.modules]\n"
            "assert 'minigrad.environment' not in sys.modules\n"
            "minigrad.as_torch()\n"
            "for name in names: assert importlib.import_module('torch.' + name).__name__ == 'minigrad.' + name")
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
    assert minigrad.version.cuda is None and minigrad.version.__version__ == minigrad.__version__


@pytest.mark.parametrize("name", ["accelerator", "amp", "compiler", "cpu", "jit", "mps", "xpu"])
def test_a_name_that_is_missing_is_an_attribute_error(name):
    with pytest.raises(AttributeError):
        importlib.import_module(f"minigrad.{name}").nothing


def test_names_of_types(torch):
    class Own:
        pass

    names = [torch.typename(each) for each in (torch.ones(1), torch.LongTensor, torch.Tensor, 3, int, None, Own())]
    assert names[:6] == ["torch.FloatTensor", "torch.LongTensor", "torch.Tensor", "int", "int", "NoneType"]
    assert names[6].endswith("Own") and torch.jit.annotate(int, 3) == 3


def test_the_class_of_tensors_has_the_name_by_which_users_know_it():
    x = minigrad.ones(2)
    assert repr(type(x)) == "<class 'minigrad.Tensor'>" and type(x).__module__ == "minigrad"
    with pytest.raises(AttributeError, match="'minigrad.Tensor' object has no attribute 'gard'"):
        x.gard
    with pytest.raises(TypeError, match="unsupported operand type"):
        x + "text"
