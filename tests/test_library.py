"""Operators of your own."""

import numpy as np
import pytest

import minigrad as torch
from minigrad.autograd import gradcheck
from tests.checking import refuses


def cubed():
    @torch.library.custom_op("mine::cube", mutates_args=())
    def cube(x: torch.Tensor, scale: float = 1.0) -> torch.Tensor:
        """Is documented."""
        return torch.from_numpy(scale * x.detach().numpy() ** 3)
    return cube


def test_it_is_called_as_its_function():
    cube = cubed()
    assert cube(torch.tensor([2.0])).tolist() == [8] and cube(torch.tensor([2.0]), scale=2.0).tolist() == [16]
    assert repr(cube) == "<CustomOpDef(mine::cube)>" and cube.__doc__ == "Is documented."
    assert cube.register_fake(len) is len and cube.register_vmap(len) is len
    again = torch.library.custom_op("mine::double", lambda x: x * 2, mutates_args=())
    assert again(torch.ones(1)).tolist() == [2]


def test_its_derivative_is_what_it_was_told():
    cube = cubed()

    def setup(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])
        ctx.scale = inputs[1]

    torch.library.register_autograd("torchvision::roi_align", None)         # an operator that nobody can call
    torch.library.register_autograd(
        "mine::cube", lambda ctx, grad: (grad * 3 * ctx.scale * ctx.saved_tensors[0] ** 2, None), setup_context=setup)
    x = torch.tensor([1.0, -2.0], dtype=torch.float64, requires_grad=True)
    assert gradcheck(lambda x: cube(x, 2.0), (x,))


def test_without_one_there_is_none():
    x = torch.ones(1, requires_grad=True)
    y = cubed()(x)
    assert y.requires_grad
    with refuses(NotImplementedError, "no autograd formula was registered", "MG305"):
        y.backward()
    with refuses(RuntimeError, "by their places", "MG204"):
        cubed()(x, scale=2.0)
    with refuses(ValueError, "'namespace::name'", "MG207"):
        torch.library.custom_op("cube", mutates_args=())


def test_a_kernel_for_the_cpu_takes_over():
    cube = cubed()
    other = torch.nn.ReLU6().forward
    assert cube.register_kernel("cuda")(other) == other and cube(torch.ones(1) * 2).tolist() == [8]
    assert cube.register_kernel("cpu", other) == other and cube(torch.ones(1) * 2).tolist() == [2]


def test_the_rest_is_a_name_alone():
    for call in (torch.library.define, torch.library.Library, torch.library.register_kernel):
        with refuses(NotImplementedError, "is a name alone here", "MG603"):
            call("mine::f", "(Tensor x) -> Tensor")
    assert torch.library.register_fake("torchvision::nms")(np.sin) is np.sin
    with pytest.raises(AttributeError):
        torch.library.nothing
