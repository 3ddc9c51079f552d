"""The examples of the documentation of `torch.autograd` run, and mean the same on both libraries.

They are the documentation's programs, completed by what they only announce: inputs, a backward pass, the values.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def once_differentiable(torch):
    return torch.autograd.function.once_differentiable


# ------------------------------------------------------------------------------ ctx


def test_function(torch, Function):
    class Exp(Function):
        @staticmethod
        def forward(ctx, i):
            result = i.exp()
            ctx.save_for_backward(result)
            return result

        @staticmethod
        def backward(ctx, grad_output):
            (result,) = ctx.saved_tensors
            return grad_output * result

    input = torch.tensor([0.0, 1.0], dtype=torch.double, requires_grad=True)
    output = Exp.apply(input)
    output.sum().backward()
    assert torch.equal(input.grad, output.detach()) and output.grad_fn.name() == "ExpBackward"
    assert torch.autograd.gradcheck(Exp.apply, (input,)) and torch.autograd.gradgradcheck(Exp.apply, (input,))


def test_save_for_backward(torch, Function, once_differentiable):
    class Func(Function):
        @staticmethod
        def forward(ctx, x: torch.Tensor, y: torch.Tensor, z: int):
            w = x * z
            out = x * y + y * z + w * y
            ctx.save_for_backward(x, y, w, out)
            ctx.z = z  # z is not a tensor
            return out

        @staticmethod
        @once_differentiable
        def backward(ctx, grad_out):
            x, y, w, out = ctx.saved_tensors
            z = ctx.z
            gx = grad_out * (y + y * z)
            gy = grad_out * (x + z + w)
            gz = None
            return gx, gy, gz

    a = torch.tensor(1.0, requires_grad=True, dtype=torch.double)
    b = torch.tensor(2.0, requires_grad=True, dtype=torch.double)
    c = 4
    d = Func.apply(a, b, c)
    assert d.item() == 18
    d.backward()
    assert (a.grad.item(), b.grad.item()) == (10, 9)
    assert torch.autograd.gradcheck(lambda a, b: Func.apply(a, b, c), (a, b))
    one = torch.tensor(1.0, dtype=torch.double, requires_grad=True)
    (g,) = torch.autograd.grad(Func.apply(a, b, c), a, one, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        g.backward()


def test_save_for_backward_with_an_intermediate_on_ctx(torch, Function):
    class Func(Function):
        @staticmethod
        def forward(ctx, x: torch.Tensor, y: torch.Tensor, z: int):
            w = x * y * z
            out = x * y + y * z + w
            ctx.save_for_backward(x, y, out)
            ctx.z = z  # z is not a tensor
            ctx.w = w  # w is neither input nor output
            return out

        @staticmethod
        def backward(ctx, grad_out):
            x, y, out = ctx.saved_tensors
            z = ctx.z
            gx = grad_out * (y + y * z)
            gy = grad_out * (x + z + x * z)
            gz = None
            return gx, gy, gz

    a = torch.tensor(1.0, requires_grad=True, dtype=torch.double)
    b = torch.tensor(2.0, requires_grad=True, dtype=torch.double)
    c = 4
    d = Func.apply(a, b, c)
    d.backward()
    assert (d.item(), a.grad.item(), b.grad.item()) == (18, 10, 9)


def test_mark_dirty(torch, Function, once_differentiable):
    class Inplace(Function):
        @staticmethod
        def forward(ctx, x):
            x_npy = x.numpy()  # x_npy shares storage with x
            x_npy += 1
            ctx.mark_dirty(x)
            return x

        @staticmethod
        @once_differentiable
        def backward(ctx, grad_output):
            return grad_output

    a = torch.tensor(1.0, requires_grad=True, dtype=torch.double).clone()
    b = a * a
    Inplace.apply(a)  # This would lead to wrong gradients!
    assert a.item() == 2
    with pytest.raises(RuntimeError, match="needed for gradient computation has been modified by an inplace operation"):
        b.backward()


def test_mark_non_differentiable(torch, Function, once_differentiable):
    class Func(Function):
        @staticmethod
        def forward(ctx, x):
            sorted, idx = x.sort()
            ctx.mark_non_differentiable(idx)
            ctx.save_for_backward(x, idx)
            return sorted, idx

        @staticmethod
        @once_differentiable
        def backward(ctx, g1, g2):  # still need to accept g2
            x, idx = ctx.saved_tensors
            grad_input = torch.zeros_like(x)
            grad_input.index_add_(0, idx, g1)
            return grad_input

    x = torch.tensor([3.0, 1.0, 2.0], requires_grad=True)
    sorted, idx = Func.apply(x)
    assert sorted.requires_grad and not idx.requires_grad
    (sorted * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
    assert x.grad.tolist() == [100, 1, 10]


def test_set_materialize_grads(torch, Function, once_differentiable):
    class SimpleFunc(Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone(), x.clone()

        @staticmethod
        @once_differentiable
        def backward(ctx, g1, g2):
            return g1 + g2  # No check for None necessary

    # We modify SimpleFunc to handle non-materialized grad outputs
    class Func(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(False)
            ctx.save_for_backward(x)
            return x.clone(), x.clone()

        @staticmethod
        @once_differentiable
        def backward(ctx, g1, g2):
            (x,) = ctx.saved_tensors
            grad_input = torch.zeros_like(x)
            if g1 is not None:  # We must check for None now
                grad_input += g1
            if g2 is not None:
                grad_input += g2
            return grad_input

    for F in (SimpleFunc, Func):
        a = torch.tensor(1.0, requires_grad=True)
        b, _ = F.apply(a)  # induces g2 to be undefined
        b.backward()
        assert a.grad.item() == 1


def test_save_for_forward_beside_vjp(torch, Function):
    class Func(Function):
        @staticmethod
        def forward(ctx, x: torch.Tensor, y: torch.Tensor, z: int):
            ctx.save_for_backward(x, y)
            ctx.save_for_forward(x, y)
            ctx.z = z
            return x * y * z

        @staticmethod
        def jvp(ctx, x_t, y_t, _):
            x, y = ctx.saved_tensors
            z = ctx.z
            return z * (y * x_t + x * y_t)

        @staticmethod
        def vjp(ctx, grad_out):
            x, y = ctx.saved_tensors
            z = ctx.z
            return z * grad_out * y, z * grad_out * x, None

    a = torch.tensor(1.0, requires_grad=True, dtype=torch.double)
    b = torch.tensor(2.0, requires_grad=True, dtype=torch.double)
    c = 4
    d = Func.apply(a, b, c)
    d.backward()
    assert (d.item(), a.grad.item(), b.grad.item()) == (8, 8, 4)


# ------------------------------------------------------------------------------ tensors, grads and modes


def test_saved_attributes_of_a_node(torch):
    a = torch.tensor([0.0, 0.0, 0.0], requires_grad=True)
    b = a.exp()
    assert torch.allclose(b.grad_fn._saved_result, b)
    assert "_saved_result" in dir(b.grad_fn) and "next_functions" in dir(b.grad_fn)


def test_factory_methods_take_requires_grad(torch):
    autograd_tensor = torch.randn((2, 3, 4), requires_grad=True)
    assert autograd_tensor.requires_grad and autograd_tensor.is_leaf and autograd_tensor.grad is None


def test_variable(torch):
    Variable = torch.autograd.Variable
    tensor = torch.ones(2)
    var = Variable(tensor, requires_grad=True)
    (var * 3).sum().backward()
    assert type(var) is torch.Tensor and var.grad.tolist() == [3, 3]
    assert not var.detach().requires_grad and var.data.tolist() == tensor.data.tolist()


@pytest.mark.filterwarnings("ignore:grad and param do not obey")  # said of rule 3
def test_gradient_layouts(torch):
    values = np.arange(6.0).reshape(2, 3)
    dense = torch.from_numpy(np.asfortranarray(values)).requires_grad_()
    (dense * dense).sum().backward()
    assert dense.grad.stride() == dense.stride() == (1, 2)  # rule 1
    overlapping = torch.from_numpy(values[:, ::2]).requires_grad_()
    (overlapping * overlapping).sum().backward()
    assert overlapping.grad.stride() == (2, 1)  # rule 2
    kept = dense.grad
    (dense * dense).sum().backward()
    assert dense.grad is kept and kept.stride() == (1, 2) and kept[1, 2].item() == 20  # rule 3
    manual = torch.ones(2, 3, requires_grad=True)
    manual.grad = torch.zeros(3, 2).t()
    (manual * 2).sum().backward()
    assert manual.grad.stride() == (1, 2)


@pytest.mark.filterwarnings("ignore:Using backward.. with create_graph=True")
def test_gradients_are_replaced_where_the_backward_pass_is_recorded(torch):
    x = torch.ones(2, requires_grad=True)
    x.grad = torch.zeros(2)
    before = x.grad
    (x * x).sum().backward(create_graph=True)  # rule 4
    assert x.grad is not before and x.grad.requires_grad and x.grad.tolist() == [2, 2]
    x.grad = None


def test_grads_start_anew_after_none(torch):
    w = torch.ones(2, requires_grad=True)
    for _ in range(3):
        w.grad = None
        (w * 3).sum().backward()
    assert w.grad.tolist() == [3, 3]


# ------------------------------------------------------------------------------ the profiler


def test_profile(torch, capsys):
    x = torch.randn((1, 1), requires_grad=True)
    with torch.autograd.profiler.profile() as prof:
        for _ in range(100):  # any normal python code, really!
            y = x ** 2
            y.backward()
    print(prof.key_averages().table(sort_by="self_cpu_time_total"))
    table = capsys.readouterr().out
    for name in ("pow", "mul", "PowBackward0", "torch::autograd::AccumulateGrad"):
        assert name in table
    counts = {average.key.removeprefix("aten::"): average.count for average in prof.key_averages()}
    assert counts["mul"] == counts["pow"] == 200
    assert "Self CPU time total: " in table
    assert {average.count for average in prof.key_averages() if average.key == "PowBackward0"} == {100}


def test_record_function(torch):
    x = torch.randn((1, 1), requires_grad=True)
    with torch.autograd.profiler.profile() as prof:
        y = x ** 2
        with torch.autograd.profiler.record_function("label-z"):  # label the block
            z = y ** 3
        y.backward()
    label, = [average for average in prof.key_averages() if average.key == "label-z"]
    assert label.count == 1 and label.cpu_time_total > label.self_cpu_time_total > 0 and z.requires_grad


@pytest.mark.filterwarnings("ignore:emit_itt. no ranges are emitted")
def test_emit_itt(torch):
    with torch.autograd.profiler.emit_itt():
        pass


# ------------------------------------------------------------------------------ as they are written


ANOMALY = """\
import torch
from torch import autograd
class MyFunc(autograd.Function):
    @staticmethod
    def forward(ctx, inp):
        return inp.clone()
    @staticmethod
    def backward(ctx, gO):
        # Error during the backward pass
        raise RuntimeError("Some error in backward")
        return gO.clone()
def run_fn(a):
    out = MyFunc.apply(a)
    return out.sum()
inp = torch.rand(10, 10, requires_grad=True)
out = run_fn(inp)
try:
    out.backward()
except RuntimeError as error:
    print(error, torch.is_grad_enabled(), inp.grad)
from torch.autograd.function import once_differentiable, FunctionCtx, BackwardCFunction
import torch.nn.functional as F
print(F.relu(torch.tensor([-1., 2.], requires_grad=True)))
"""


def test_programs_run_under_pytorchs_name(tmp_path):
    script = tmp_path / "example.py"
    script.write_text(ANOMALY)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "minigrad", "run", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60)
    assert done.stdout == "Some error in backward True None\ntensor([0., 2.], grad_fn=<ReluBackward0>)\n", done.stderr
