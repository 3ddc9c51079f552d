"""What the first lines of a course's program import: it is there under PyTorch's path, or its absence is explained."""

import importlib
import re

import pytest

from tests.checking import refuses
from tests.test_as_torch import run

#: the file of PyTorch -> what programs import from it
PATHS = {
    "nn.modules.module": "Module", "nn.modules.linear": "Linear Identity", "nn.modules.conv": "_ConvNd Conv2d",
    "nn.modules.batchnorm": "_BatchNorm BatchNorm2d", "nn.modules.instancenorm": "_InstanceNorm InstanceNorm2d",
    "nn.modules.loss": "_Loss _WeightedLoss CrossEntropyLoss", "nn.modules.rnn": "RNNBase LSTM",
    "nn.modules.transformer": "TransformerEncoderLayer", "nn.modules.container": "Sequential ModuleList",
    "nn.modules.activation": "MultiheadAttention ReLU", "nn.modules.normalization": "LayerNorm",
    "nn.modules.dropout": "Dropout", "nn.modules.pooling": "MaxPool2d", "nn.modules.padding": "ZeroPad2d",
    "nn.modules.sparse": "Embedding", "nn.modules.upsampling": "Upsample", "nn.modules.lazy": "LazyModuleMixin",
    "nn.modules.utils": "_single _pair _triple _quadruple _ntuple consume_prefix_in_state_dict_if_present",
    "nn.common_types": "_size_1_t _size_2_t _size_any_t _ratio_2_t", "nn.parameter": "Parameter is_lazy",
    "nn.parallel": "DataParallel DistributedDataParallel", "distributed": "init_process_group all_reduce ReduceOp",
    "nn.utils.init": "skip_init", "nn.utils.rnn": "pad_sequence",
    "nn.utils.prune": "l1_unstructured", "nn.utils.memory_format": "convert_conv2d_weight_memory_format",
    "nn.attention": "SDPBackend sdpa_kernel", "optim.optimizer": "Optimizer", "optim.sgd": "SGD", "optim.adam": "Adam",
    "optim.lr_scheduler": "_LRScheduler LRScheduler", "utils.data.dataloader": "DataLoader default_collate",
    "utils.data.dataset": "Dataset TensorDataset random_split", "utils.data.sampler": "Sampler RandomSampler",
    "utils.data.distributed": "DistributedSampler",
    "utils.benchmark": "Timer", "overrides": "has_torch_function", "types": "Number Device",
    "amp": "autocast GradScaler custom_fwd custom_bwd", "cuda.amp": "autocast GradScaler custom_fwd custom_bwd",
    "distributions.normal": "Normal", "distributions.categorical": "Categorical",
}


@pytest.mark.parametrize("path", PATHS)
def test_the_files_of_pytorch_have_what_is_imported_from_them(torch, path):
    module = importlib.import_module(f"{torch.__name__}.{path}")
    for name in PATHS[path].split():
        assert getattr(module, name), name


def test_they_are_found_under_pytorchs_name():
    run(f"""
        import importlib, minigrad
        minigrad.as_torch()
        for path, names in {PATHS!r}.items():
            module = importlib.import_module("torch." + path)
            assert module.__name__.startswith("minigrad."), path
            assert all(hasattr(module, name) for name in names.split()), path
        import torch.nn.modules.container, torch.utils.data.dataset
        from torch.nn.modules.activation import MultiheadAttention
        assert MultiheadAttention is torch.nn.MultiheadAttention
        assert torch.utils.data.dataset.Dataset is torch.utils.data.Dataset
    """)


#: a statement -> why it cannot be had, and what to write instead
REFUSED = {
    "from torch.utils.data.datapipes.iter import IterableWrapper": "write a Dataset or an IterableDataset",
}


#: a program -> what it says, in part, where it calls what is a name alone
CALLED = {
    "from torch.utils.cpp_extension import load; load('f', ['f.cpp'])": "as a torch.autograd.Function",
    "import torch.onnx; torch.onnx.export(None, (), 'f.onnx')": "save the state dict with torch.save",
    "import torch.distributed.rpc as rpc; rpc.init_rpc('a')": "no process calls the functions of another here",
    "from torch.distributed.device_mesh import init_device_mesh; init_device_mesh('cpu', (1,))":
        "each rank has whole tensors here",
    "import torch.fx; torch.fx.symbolic_trace(len)": "programs are not compiled, traced or exported here",
    "import torch.sparse; torch.sparse.mm(1, 2)": "minigrad has dense ones alone",
    "import torch.ao.quantization as q; q.quantize_dynamic(None)": "quantized tensors are left out",
    "import torch; torch.distributed.TCPStore('localhost', 0)": "MPI finds the processes here",
}


def test_what_can_be_named_and_not_called_says_why():
    out = run(f"""
        import minigrad
        minigrad.as_torch()
        for program in {[*CALLED]!r}:
            try:
                exec(program)
            except NotImplementedError as refused:
                print(program, "|", refused)
    """)
    said = dict(line.split(" | ") for line in out.splitlines())
    assert [each for each, reason in CALLED.items() if reason not in said.get(each, "")] == []


def test_an_import_that_cannot_be_had_says_why():
    """As a ModuleNotFoundError, so that a program may do without."""
    out = run(f"""
        import minigrad
        minigrad.as_torch()
        for statement in {[*REFUSED]!r}:
            try:
                exec(statement)
            except ModuleNotFoundError as refused:
                print(statement, "|", refused)
    """)
    said = dict(line.split(" | ") for line in out.splitlines())
    assert [each for each, reason in REFUSED.items() if reason not in said.get(each, "")] == []
    assert "No module named 'torch.utils.data.datapipes" in out and "minigrad, which replaces torch here, has no" in out


def test_tensorboard_is_written_where_it_is_installed():
    """And a program may do without."""
    out = run("""
        import sys, minigrad
        minigrad.as_torch()
        sys.modules["tensorboard"] = None
        for statement in ("from torch.utils.tensorboard import SummaryWriter",
                          "from torch.utils.tensorboard.writer import SummaryWriter"):
            try:
                exec(statement)
            except ModuleNotFoundError as refused:
                print(refused)
    """)
    assert out.count("pip install tensorboard, or keep the numbers in a list, and plot them") == 2


@pytest.mark.parametrize("path", ["utils.tensorboard.SummaryWriter",
                                  "contrib", "nativert"])
def test_a_name_that_cannot_be_had_says_why(path):
    import minigrad
    with refuses(AttributeError, "is in PyTorch, and not in minigrad: ", "MG602"):
        value = minigrad
        for name in path.split("."):
            value = getattr(value, name)


def test_settings_that_courses_make(torch):
    """None of them changes a number."""
    before = torch.get_float32_matmul_precision()
    torch.backends.cudnn.deterministic, torch.backends.cudnn.benchmark = True, False
    torch.backends.cudnn.enabled = torch.backends.cuda.matmul.allow_tf32 = True
    torch.set_float32_matmul_precision("high")
    torch.use_deterministic_algorithms(True)
    try:
        assert not torch.cuda.is_available() and not torch.backends.mps.is_available()
        with torch.amp.autocast("cuda", enabled=False), torch.autocast(device_type="cpu", enabled=False):
            assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == torch.float32
        torch.cuda.manual_seed_all(0)
        torch.cuda.empty_cache()
    finally:
        torch.set_float32_matmul_precision(before)
        torch.use_deterministic_algorithms(False)
        torch.backends.cudnn.deterministic = torch.backends.cuda.matmul.allow_tf32 = False


def test_a_compiled_model_is_the_model():
    import minigrad as torch
    net = torch.nn.Linear(2, 1)
    assert torch.compile(net) is net and torch.compile(mode="reduce-overhead")(net) is net
    assert torch.jit.script(net) is net


# ------------------------------------------------------------------------------ what is not large enough for a file

def test_a_model_on_no_gpus_is_called_as_it_is(torch):
    net = torch.nn.Linear(2, 1)
    parallel = torch.nn.DataParallel(net, device_ids=[0, 1])
    assert [*parallel.state_dict()] == ["module.weight", "module.bias"] and parallel.module is net
    assert parallel(torch.ones(3, 2)).tolist() == net(torch.ones(3, 2)).tolist() and parallel.device_ids == []
    state = parallel.state_dict()
    importlib.import_module(f"{torch.__name__}.nn.modules.utils").consume_prefix_in_state_dict_if_present(
        state, "module.")
    assert [*state] == ["weight", "bias"] and "module" not in state._metadata
    net.load_state_dict(state)


def test_attention_by_an_implementation_that_the_cpu_has(torch):
    attention = importlib.import_module(f"{torch.__name__}.nn.attention")
    x = torch.arange(8.).view(1, 2, 4)
    plain = torch.nn.functional.scaled_dot_product_attention(x, x, x)
    for backends in (attention.SDPBackend.MATH, [attention.SDPBackend.FLASH_ATTENTION, attention.SDPBackend.MATH]):
        with attention.sdpa_kernel(backends):
            assert torch.allclose(torch.nn.functional.scaled_dot_product_attention(x, x, x), plain)
    with refuses(AssertionError, "Backend must be an instance of SDPBackend", "MG502"):
        with attention.sdpa_kernel("math"):
            pass
    with refuses(RuntimeError, "No viable backend for scaled_dot_product_attention was found", "MG204"):
        with attention.sdpa_kernel([attention.SDPBackend.CUDNN_ATTENTION]):
            torch.nn.functional.scaled_dot_product_attention(x, x, x)


def test_weights_in_another_order_in_memory(torch):
    net = torch.nn.Sequential(torch.nn.Conv2d(2, 3, 2), torch.nn.ConvTranspose2d(3, 2, 2), torch.nn.Conv3d(2, 2, 2))
    before = net[0].weight.tolist()
    assert torch.nn.utils.convert_conv2d_weight_memory_format(net, torch.channels_last) is net
    assert net[0].weight.stride() == (8, 1, 4, 2) and net[1].weight.stride() == (8, 1, 4, 2)
    assert net[0].weight.tolist() == before and net[2].weight.is_contiguous()
    torch.nn.utils.convert_conv3d_weight_memory_format(net, torch.channels_last_3d)
    assert net[2].weight.stride() == (16, 1, 8, 4, 2)


def test_a_sampler_draws_by_weights_as_pytorch_does(torch):
    data, weights = torch.utils.data, [0.1, 0.9, 0.4, 0.7, 3.0, 0.6]
    torch.manual_seed(3)
    assert [*data.WeightedRandomSampler(weights, 8)] == DRAWN[0]
    assert [*data.WeightedRandomSampler(weights, 5, replacement=False)] == DRAWN[1]
    generator = torch.Generator().manual_seed(5)
    assert [*data.WeightedRandomSampler(torch.tensor(weights), 1, True, generator)] == DRAWN[2]
    assert [*data.WeightedRandomSampler(torch.tensor(weights), 6, False, generator)] == DRAWN[3]


#: what PyTorch draws
DRAWN = [[1, 3, 4, 1, 4, 4, 2, 4], [4, 2, 5, 3, 1], [4], [4, 5, 3, 1, 2, 0]]


# ------------------------------------------------------------------------------ GradScaler

def scaled(torch, **options):
    w = torch.nn.Parameter(torch.tensor([1., 2.]))
    return w, torch.optim.SGD([w], lr=0.5), torch.amp.GradScaler("cpu", **options)


def test_the_scale_is_a_number_of_32_bits_and_grows_no_further(torch):
    w, optimizer, scaler = scaled(torch, init_scale=1e38, growth_interval=1)
    for _ in range(2):
        scaler.scale((w * 1e-30).sum()).backward()
        scaler.step(optimizer)
        scaler.update()
        assert scaler.get_scale() == torch.tensor(2e38).item()


@pytest.mark.parametrize("scale", [1e39, -1e39])
def test_a_scale_that_is_too_large_for_32_bits_is_refused(torch, scale):
    w, _, scaler = scaled(torch, init_scale=scale)
    with refuses(RuntimeError, "value cannot be converted to type float", "MG209"):
        scaler.scale(w)
    w, _, scaler = scaled(torch, init_scale=0.1)
    scaler.scale(w)
    assert scaler.get_scale() == torch.tensor(0.1).item()
    with refuses(RuntimeError, "value cannot be converted to type float", "MG209"):
        scaler.update(scale)
    assert scaler.get_scale() == torch.tensor(0.1).item()
    scaler.update(float("inf"))
    assert scaler.get_scale() == float("inf")


def test_gradients_that_were_scaled_by_zero_are_not_known(torch):
    w, optimizer, scaler = scaled(torch, init_scale=0.)
    scaler.scale(w.sum()).backward()
    scaler.unscale_(optimizer)
    assert w.grad.isnan().all()


def test_gradients_are_scaled_and_the_step_is_not(torch):
    w, optimizer, scaler = scaled(torch, init_scale=8., growth_interval=2)
    for scale in (8., 8., 16.):
        assert scaler.get_scale() == scale
        optimizer.zero_grad()
        scaler.scale((w * 3).sum()).backward()
        assert w.grad.tolist() == [3 * scale] * 2
        assert scaler.step(optimizer) is None
        assert w.grad.tolist() == [3, 3]
        scaler.update()
    assert w.tolist() == [-3.5, -2.5]
    assert scaler.state_dict() == {"scale": 16., "growth_factor": 2., "backoff_factor": 0.5, "growth_interval": 2,
                                   "_growth_tracker": 1}


@pytest.mark.parametrize("bad", [float("inf"), float("nan")])
def test_a_bad_gradient_halves_the_scale_without_a_step(torch, bad):
    w, optimizer, scaler = scaled(torch)
    scaler.scale((w * torch.tensor([bad, 1.])).sum()).backward()
    scaler.step(optimizer)
    scaler.update()
    assert w.tolist() == [1, 2] and scaler.get_scale() == 2.**15


def test_gradients_can_be_clipped_between(torch):
    w, optimizer, scaler = scaled(torch, init_scale=4.)
    loss, other = scaler.scale([w.sum(), w.prod()])
    (loss + other).backward()
    scaler.unscale_(optimizer)
    assert w.grad.tolist() == [3, 2]
    with refuses(RuntimeError, "unscale_() has already been called on this optimizer", "MG713"):
        scaler.unscale_(optimizer)
    scaler.step(optimizer)
    with refuses(RuntimeError, "unscale_() is being called after step()", "MG713"):
        scaler.unscale_(optimizer)
    with refuses(RuntimeError, "step() has already been called since the last update()", "MG713"):
        scaler.step(optimizer)
    scaler.update(3.)
    assert scaler.get_scale() == 3 and w.tolist() == [-0.5, 1]


def test_calls_in_the_wrong_order(torch):
    w, optimizer, scaler = scaled(torch)
    for call in (lambda: scaler.step(optimizer), scaler.update, lambda: scaler.unscale_(optimizer)):
        with refuses(AssertionError, "but _scale is None", "MG713"):
            call()
    scaler.scale(w.sum())
    with refuses(AssertionError, "No inf checks were recorded", "MG713"):
        scaler.step(optimizer)
    with refuses(AssertionError, "No inf checks were recorded", "MG713"):
        scaled(torch)[2].__class__.update(scaler)
    with refuses(RuntimeError, "Closure use is not currently supported", "MG713"):
        scaler.step(optimizer, closure=len)
    for options, phrase in (({"growth_factor": 1.}, "growth factor must be > 1.0"),
                            ({"backoff_factor": 1.}, "backoff factor must be < 1.0")):
        with refuses(AssertionError, phrase, "MG713"):
            torch.amp.GradScaler("cpu", **options)
    half = torch.nn.Parameter(torch.ones(1, dtype=torch.float16))
    scaler.scale(half.sum()).backward()
    with refuses(ValueError, "Attempting to unscale FP16 gradients.", "MG207"):
        scaler.unscale_(torch.optim.SGD([half], lr=1.))


def test_without_a_gpu_the_scaler_is_disabled(torch):
    with pytest.warns(UserWarning, match=re.escape("GradScaler is enabled, but CUDA is not available.  Disabling.")):
        scaler = torch.amp.GradScaler("cuda")
    w, optimizer, _ = scaled(torch)
    loss = w.sum()
    assert scaler.scale(loss) is loss and not scaler.is_enabled() and scaler.get_scale() == 1
    loss.backward()
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    scaler.load_state_dict({"scale": 3.})
    assert w.tolist() == [0.5, 1.5] and scaler.state_dict() == {}


def test_a_scaler_continues_from_its_state(torch):
    *_, one = scaled(torch, init_scale=4., growth_interval=7)
    *_, other = scaled(torch)
    other.load_state_dict(one.state_dict())
    assert other.state_dict() == one.state_dict() and other.get_growth_interval() == 7
    one.set_growth_factor(3.), one.set_backoff_factor(0.1), one.set_growth_interval(5)
    assert (one.get_growth_factor(), one.get_backoff_factor(), one.get_growth_interval()) == (3, 0.1, 5)
    with refuses(RuntimeError, "The source state dict is empty", "MG713"):
        one.load_state_dict({})


def test_decorators_of_functions_change_nothing_here(torch):
    class Double(torch.autograd.Function):
        @staticmethod
        @torch.amp.custom_fwd(device_type="cuda", cast_inputs=torch.float16)
        def forward(ctx, x):
            return x * 2

        @staticmethod
        @torch.amp.custom_bwd(device_type="cuda")
        def backward(ctx, d):
            return d * 2

    x = torch.ones(2, requires_grad=True)
    Double.apply(x).sum().backward()
    assert x.grad.tolist() == [2, 2]
    with refuses(ValueError, "Expected `device_type` of type `str`", "MG207"):
        torch.amp.custom_fwd(len, device_type=3)
