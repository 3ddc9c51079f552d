"""A pretended device: every operation gives the CPU's numbers there, and its rules are those of an accelerator."""

import copy
import gc
import io
import re

import numpy as np
import pytest

import minigrad
import minigrad as torch
from minigrad._core.dispatch.compute import count_across
from minigrad._core.graph import Tensor, wrap
from minigrad.autograd import grad
from tests.autograd.profiler.test_profiler_ranges import nvtx_calls, tree
from tests.checking import refuses
from tests.ops.samples import ROWS
from tests.ops.test_ops import bound, call, dtypes, flat

F = torch.nn.functional


@pytest.fixture
def gpu():
    with torch.cuda.pretend(devices=2) as block:
        yield block


# ------------------------------------------------------------------------------ the same numbers

def there(array, requires_grad):
    return wrap(array.copy()).to("cuda").requires_grad_(requires_grad)


def here(array, requires_grad):
    return wrap(array.copy(), requires_grad)


def computed(row, case, dtype, make):
    """The outputs of a sample, and the gradients of the first that has any."""
    torch.manual_seed(0)
    inputs, args, kwargs, _ = bound(make, row, case, dtype)
    outputs = [y for y in flat(call(minigrad, row, args, kwargs)) if isinstance(y, Tensor)]
    differentiable = [y for y in outputs if y.requires_grad]
    gradients = grad(differentiable, inputs, [torch.ones_like(y) for y in differentiable],
                     allow_unused=True) if inputs and differentiable else ()
    return [*outputs, *[g for g in gradients if g is not None]]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("row", ROWS, ids=str)
@pytest.mark.drawn
def test_every_operation_gives_the_numbers_of_the_cpu(row, gpu):
    for case in row.cases:
        for dtype in dtypes(row)[:1]:
            for a, b in zip(computed(row, case, dtype, there), computed(row, case, dtype, here), strict=True):
                assert a.device == torch.device("cuda:0") or b.device != torch.device("cpu")
                assert (a.shape, a.dtype) == (b.shape, b.dtype)
                np.testing.assert_allclose(a.numpy(force=True), b.numpy(force=True), 1e-12, 1e-14)


@pytest.mark.filterwarnings("ignore:To copy construct from a tensor")
def test_factories_and_what_is_like_a_tensor(gpu):
    torch.manual_seed(0)
    x = torch.randn(2, 3, device="cuda")
    torch.manual_seed(0)
    assert torch.equal(x.cpu(), torch.randn(2, 3))
    for made in (torch.zeros(2, device="cuda"), torch.tensor([1, 2], device="cuda"), torch.arange(3, device="cuda"),
                 torch.full((2,), 3., device="cuda:0"), torch.eye(2, device=torch.device("cuda")), x.new_ones(2),
                 torch.zeros_like(x), torch.rand_like(x), x.clone(), x.t(), x[0], x.detach(), x.data, x.double(),
                 torch.tensor(x.detach()), torch.as_tensor(x), copy.deepcopy(x), x.to(0), x.new_tensor([1.])):
        assert made.device == torch.device("cuda", 0) and made.is_cuda and not made.is_cpu and made.get_device() == 0
    assert repr(torch.ones(2, device="cuda")) == "tensor([1., 1.], device='cuda:0')"
    assert repr(torch.ones(1, device="cuda:1", dtype=torch.float64, requires_grad=True)) == (
        "tensor([1.], device='cuda:1', dtype=torch.float64, requires_grad=True)")
    assert x.type() == "torch.cuda.FloatTensor"
    with torch.device("cuda"):
        assert torch.ones(2).is_cuda and torch.nn.Linear(1, 1).weight.is_cuda
    assert torch.ones(2).is_cpu


# ------------------------------------------------------------------------------ the rules

def test_operands_lie_on_one_device(gpu):
    x, y = torch.ones(3, device="cuda"), torch.ones(3)
    for call in (lambda: x + y, lambda: y * x, lambda: torch.cat([x, y]), lambda: x @ y, lambda: x.add_(y),
                 lambda: x + torch.ones(3, device="cuda:1"), lambda: torch.where(x > 0, x, y),
                 lambda: x.gather(0, torch.tensor([0])), lambda: F.linear(x, torch.ones(2, 3))):
        with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device, but found at least two"):
            call()
    assert x.tolist() == [1, 1, 1]
    assert x[torch.tensor([0, 2])].is_cuda                          # positions may come from the CPU


def test_one_number_of_the_cpu_is_fetched_and_its_gradient_returns(gpu):
    x, s = torch.ones(3, device="cuda", requires_grad=True), torch.tensor(2., requires_grad=True)
    t = s * 1
    y = (x * t + t).sum()
    y.backward()
    assert x.grad.is_cuda and s.grad.is_cpu and s.grad.item() == 6 and x.grad.tolist() == [2, 2, 2]
    assert gpu.to_device == (2, 8) and gpu.to_host.calls >= 2


def test_a_move_is_recorded_and_goes_back(gpu):
    x = torch.ones(3, requires_grad=True)
    y = x.to("cuda") * 3
    assert type(x.cuda().grad_fn).__name__ == "ToCopyBackward0"
    y.sum().backward()
    assert x.grad.is_cpu and x.grad.tolist() == [3, 3, 3]
    z = torch.ones(2, device="cuda", requires_grad=True)
    first, = grad((z.cpu() ** 3).sum(), z, create_graph=True)
    second, = grad(first.sum(), z)
    assert first.is_cuda and second.is_cuda and second.tolist() == [6, 6]
    assert x.cpu() is x and z.cuda() is z and z.to("cuda:1").device.index == 1
    assert gpu.between.calls == 1
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(torch.ones(2), torch.tensor([1., 2.]))
        moved = torch.autograd.forward_ad.unpack_dual(dual.cuda() * 2)
    assert moved.tangent.is_cuda and moved.tangent.tolist() == [2, 4]
    batch = torch.func.vmap(lambda v: v.cuda() * 2)(torch.ones(2, 3))
    assert batch.is_cuda and batch.shape == (2, 3)


def test_a_write_from_another_device(gpu):
    source, target = torch.ones(3, requires_grad=True), torch.zeros(3, device="cuda")
    target.copy_(source).mul_(2).sum().backward()
    assert source.grad.is_cpu and source.grad.tolist() == [2, 2, 2]
    source, target = torch.ones(3, device="cuda", requires_grad=True), torch.zeros(3)
    target.copy_(source).mul_(3).sum().backward()
    assert target.is_cpu and source.grad.is_cuda and source.grad.tolist() == [3, 3, 3]
    number = torch.tensor(1.)
    with refuses(RuntimeError, "Expected all tensors to be on the same device", "MG407"):
        number.add_(torch.tensor(2., device="cuda"))
    assert number.item() == 1 and number._version == 0


def test_gradients_lie_where_their_tensors_do(gpu):
    """Also in a pass that begins on the CPU, whose gradients are arrays where there is no other device."""
    start = torch.ones(3, 2, device="cuda", requires_grad=True)
    middle = start * 2
    middle.retain_grad()
    heard = []
    middle.register_hook(lambda g: heard.append(g.device))
    (middle.t().cpu() * 2).sum().backward()
    assert start.grad.is_cuda and middle.grad.is_cuda and heard == [start.device]
    assert all(type(x._array) is not np.ndarray for x in [start.grad, middle.grad])
    for _ in range(2):
        (start.cpu() * 2).sum().backward()
    assert start.grad.is_cuda and start.grad.tolist() == [[8, 8]] * 3
    assert torch.autograd.grad((start * start).cpu().sum(), start)[0].is_cuda
    here = torch.ones(3, requires_grad=True)
    for _ in range(2):
        (here.cuda() * 2).sum().backward()
    assert type(here.grad._array) is np.ndarray and here.grad.tolist() == [4, 4, 4]


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_gradients_are_added_in_place(gpu, device):
    """An optimizer that holds .grad sees the sum, on this device and on the CPU."""
    x = torch.ones(3, device=device, requires_grad=True)
    held = torch.ones(3, device="cuda")
    x.sum().backward()
    first = x.grad
    (x.sum() * held.sum().cpu().item()).backward()
    assert x.grad is first and first.tolist() == [4, 4, 4] and first._version == 1


def test_no_array_is_counted_when_it_is_gone(gpu):
    """While there are any, passes on the CPU are slower: they may cross to the device."""
    gc.collect()
    before = count_across(0)
    there = torch.ones(3, device="cuda")
    views = there[1:], there * 2
    assert count_across(0) == before + 2
    del there, views
    gc.collect()
    assert count_across(0) == before


def test_copies_are_counted(gpu):
    x = torch.ones(3)
    y = x.cuda()
    assert gpu.to_device == (1, 12) and gpu.to_host == (0, 0)
    y.cpu(), y.sum().item(), y.tolist()
    assert gpu.to_host == (3, 28)
    torch.zeros(3).copy_(y)
    torch.zeros(3, device="cuda").copy_(x)
    assert gpu.to_host == (4, 40) and gpu.to_device == (2, 24)
    y.cuda(), y + y, y[1:]
    assert gpu.to_host == (4, 40) and gpu.to_device == (2, 24)


def test_memory_is_counted_while_it_is_held(gpu):
    gc.collect()
    held = torch.cuda.memory_allocated()
    x = torch.ones(256, device="cuda")
    views = x[1:], x.view(2, 128), x.detach()
    assert torch.cuda.memory_allocated() == held + 1024 and torch.cuda.memory_allocated("cuda:1") == 0
    y = x * 2
    assert torch.cuda.max_memory_allocated() == held + 2048
    del x, y, views
    gc.collect()
    assert torch.cuda.memory_allocated() == held and torch.cuda.max_memory_allocated() == held + 2048
    torch.cuda.reset_peak_memory_stats()
    assert torch.cuda.max_memory_allocated() == held


def test_save_on_cpu_frees_the_device(gpu):
    def bytes_and_gradient(block):
        x = torch.ones(1000, device="cuda", requires_grad=True)
        with block:
            y = x
            for _ in range(5):
                y = y.sin()
        held = torch.cuda.memory_allocated()
        y.sum().backward()
        return held, x.grad.cpu()

    kept, expected = bytes_and_gradient(torch.enable_grad())
    moved, gradient = bytes_and_gradient(torch.autograd.graph.save_on_cpu())
    assert moved < kept - 12000 and torch.equal(gradient, expected)


def test_writes_and_views(gpu):
    x = torch.zeros(2, 3, device="cuda")
    row = x[0]
    row.add_(1)
    x[1, 0] = 5
    x[:, 2] = torch.tensor(7.)
    assert x.tolist() == [[1, 1, 7], [5, 0, 7]] and row._is_view() and row._base is x and x._version == 3
    leaf = torch.ones(3, device="cuda", requires_grad=True)
    y = leaf.exp()
    y.add_(1)
    with refuses(RuntimeError, "modified by an inplace operation", "MG101"):
        y.sum().backward()


def test_the_gradient_of_a_write_through_a_view(gpu):
    x = torch.ones(3, device="cuda", requires_grad=True)
    w = torch.tensor(2., device="cuda", requires_grad=True)
    y = x * 1
    y[0].mul_(w * w)
    g = torch.autograd.grad((y * y).sum(), x, create_graph=True)[0]
    assert g.device == x.device and g.tolist() == [32, 2, 2]
    assert torch.autograd.grad(g.sum(), w)[0].item() == 64          # of 2 w^4


def test_training_on_it_gives_the_weights_of_the_cpu(gpu):
    def trained(device):
        torch.manual_seed(0)
        model = torch.nn.Sequential(torch.nn.Conv2d(1, 2, 3, bias=False), torch.nn.BatchNorm2d(2), torch.nn.ReLU(),
                                    torch.nn.Flatten(), torch.nn.Linear(18, 4)).to(device)
        optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
        x, target = torch.randn(4, 1, 5, 5).to(device), torch.tensor([0, 1, 2, 3]).to(device)
        for _ in range(3):
            optimizer.zero_grad()
            F.cross_entropy(model(x), target).backward()
            optimizer.step()
        return model

    for a, b in zip(trained("cuda").state_dict().values(), trained("cpu").state_dict().values()):
        assert a.is_cuda and torch.allclose(a.cpu(), b, 1e-6, 1e-6)


def test_gradcheck_and_transforms(gpu):
    x = torch.randn(3, device="cuda", dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(torch.sin, x, check_forward_ad=True, check_batched_grad=True)
    assert torch.autograd.gradgradcheck(torch.exp, x)
    hessian = torch.func.hessian(lambda v: (v ** 3).sum())(x.detach())
    assert hessian.is_cuda and torch.allclose(hessian.cpu(), torch.diag(6 * x.detach().cpu()))
    assert torch.func.vmap(torch.func.grad(torch.sin))(x.detach()).is_cuda


# ------------------------------------------------------------------------------ and what it is not

def test_it_is_never_taken_for_a_real_one():
    assert not torch.cuda.is_available()
    with torch.cuda.pretend() as block:
        assert torch.cuda.is_available() and torch.cuda.device_count() == 1
        assert "pretended" in torch.cuda.get_device_name()
        kept = torch.ones(2, device="cuda")
        torch.set_default_device("cuda")
        with refuses(RuntimeError, "invalid device ordinal", "MG404"):
            torch.ones(1, device="cuda:1")
        with refuses(RuntimeError, "cannot be nested", "MG404"), torch.cuda.pretend():
            pass
    assert not torch.cuda.is_available() and torch.ones(1).is_cpu and block.to_device == (0, 0)
    assert (kept * 2).cpu().tolist() == [2, 2]
    for call in (lambda: torch.ones(1, device="cuda"), lambda: torch.ones(1).cuda(), torch.cuda.current_device):
        with pytest.raises(RuntimeError, match="is available"):
            call()
    for wrong in (0, True, "2"):
        with refuses(ValueError, "devices must be an int of at least 1", "MG207"):
            torch.cuda.pretend(wrong)


def test_numpy_and_files_ask_for_the_cpu(gpu):
    x = torch.ones(2, device="cuda")
    for call in (x.numpy, lambda: np.asarray(x), lambda: torch.save(x, io.BytesIO())):
        with refuses(TypeError, "can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the "
                                "tensor to host memory first", "MG402"):
            call()
    assert x.numpy(force=True).tolist() == [1, 1]


def test_two_devices_and_the_current_one(gpu):
    torch.cuda.set_device(1)
    assert torch.cuda.current_device() == 1 and torch.ones(1, device="cuda").device == torch.device("cuda:1")
    torch.cuda.synchronize()


# ------------------------------------------------------------------------------ programs that are written for a GPU

@pytest.mark.parametrize("pin_memory", [False, True])
def test_what_save_on_cpu_moves_and_when(gpu, pin_memory):
    """Three factors, the second product in the block: its two factors wait on the CPU, those of the others do not."""
    size = 1000 * 4
    a, b, c = (torch.randn(1000, device="cuda", requires_grad=True) for _ in range(3))
    expected = [x.cpu() for x in (2 * a * b * c, a * a * c, a * a * b)]
    leaves = [a, b, c]
    sent, fetched = gpu.to_device, gpu.to_host
    first = a * b
    with torch.autograd.graph.save_on_cpu(pin_memory=pin_memory):
        second = first * c
    assert gpu.to_host == (fetched.calls + 2, fetched.bytes + 2 * size) and gpu.to_device == sent
    y = second * a
    before = torch.cuda.memory_allocated()
    del first                                                   # only on the CPU now
    assert torch.cuda.memory_allocated() == before - size
    del second                                                  # saved by the last product
    assert torch.cuda.memory_allocated() == before - size
    y.sum().backward()
    assert gpu.to_device == (sent.calls + 2, sent.bytes + 2 * size)
    assert gpu.to_host == (fetched.calls + 2, fetched.bytes + 2 * size)
    assert all(torch.allclose(x.grad.cpu(), g) for x, g in zip(leaves, expected))


def ranges_of_a_step(monkeypatch, device):
    """What NVTX is told of a step in CUDA's profiler: the texts of the outer ranges."""
    layer = torch.nn.Linear(2, 1).to(device)
    x = torch.ones(3, 2, device=device)
    with monkeypatch.context() as patch, pytest.warns(UserWarning, match="there is no CUDA here"):
        calls = nvtx_calls(patch)
        with torch.cuda.profiler.profile():
            layer(x)
            assert calls == []
            with torch.autograd.profiler.emit_nvtx():
                layer(x).sum().backward()
    return [re.sub(r"seq = \d+", "seq", text) for text, _ in tree(calls)]


def test_ranges_for_nvtx_are_those_of_the_cpu(gpu, monkeypatch):
    there = ranges_of_a_step(monkeypatch, "cuda")
    assert gpu.to_device.bytes == 4 * (2 + 1) and gpu.to_host == (0, 0)     # the parameters; nothing in the step
    assert there == ranges_of_a_step(monkeypatch, "cpu") != []
    assert any("linear" in text for text in there) and any("Backward" in text for text in there)
