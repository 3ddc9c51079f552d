"""Corners of writes, views and hooks that went wrong once: memory out of line, hooks that free what they look at,
leaves that are views."""

import os
import sys

import numpy as np
import pytest

import minigrad as torch
from minigrad.autograd.graph import allow_mutation_on_saved_tensors, register_multi_grad_hook, saved_tensors_hooks


# ------------------------------------------------------------------------------ memory

def out_of_line():
    """Floats that begin at an odd address, as in a file that is mapped behind a header."""
    array = np.zeros(17, np.uint8)[1:].view(np.float32)
    array[:] = [1, 2, 3, 4]
    assert not array.flags.aligned
    return torch.from_numpy(array)


@pytest.mark.parametrize("name, expected", [("add_", [2, 3, 4, 5]), ("sub_", [0, -1, -2, -3]), ("mul_", [1, 2, 3, 4])])
@pytest.mark.parametrize("requires_grad", [False, True])
def test_an_operand_that_is_not_aligned(name, expected, requires_grad):
    y = torch.ones(4, requires_grad=requires_grad) * 1
    getattr(y, name)(out_of_line())
    assert y.tolist() == expected and y._version == 1


def test_a_target_that_is_not_aligned():
    t = out_of_line()
    t.mul_(torch.full((4,), 10.0))
    t += 1
    assert t.tolist() == [11, 21, 31, 41] and t._version == 2


def test_the_gradient_of_a_base_with_holes():
    w = torch.ones(5, requires_grad=True)
    base = torch.ones(10)[::2].detach()
    base.as_strided((5,), (1,), 0).mul_(w)
    for create_graph in (False, True):
        g, = torch.autograd.grad(base.sum(), w, create_graph=create_graph, retain_graph=True)
        assert g.tolist() == [1, 0, 1, 0, 1]


def base_with_holes(w):
    base = torch.ones(10)[::2].detach()
    return base, base.as_strided((5,), (1,), 0)


def base_cut_down(w):
    base = torch.ones(10) * torch.cat([w, w])
    view = base[:5]
    return base.as_strided_((5,), (2,)), view


@pytest.mark.parametrize("made", [base_with_holes, base_cut_down])
@pytest.mark.parametrize("use", [lambda v: v.grad_fn, lambda v: v.sum(), lambda v: v.cumsum_(0), lambda v: v.zero_()])
def test_what_lies_in_holes_and_has_a_history_is_not_lost_in_silence(made, use):
    w = torch.ones(5, requires_grad=True)
    base, view = made(w)
    if made is base_with_holes:
        view.mul_(w)
    before = view.tolist(), base._version
    with pytest.raises(RuntimeError, match="this view lies outside of its base") as caught:
        use(view)
    assert caught.value.code == "MG116" and (view.tolist(), base._version) == before


def test_holes_that_hold_constants_are_read():
    x = torch.ones(5, requires_grad=True)
    base, view = base_with_holes(x)
    base.mul_(x)
    assert torch.autograd.grad((view * 2).sum(), x)[0].tolist() == [2, 2, 2, 0, 0]


def test_a_view_of_what_a_base_still_shows_is_read():
    x = torch.ones(10, requires_grad=True)
    base = x * 1
    view = base[:5:2]
    base.as_strided_((5,), (2,))
    base.mul_(3)
    view.mul_(2)
    assert torch.autograd.grad(view.sum(), x)[0].tolist() == [6, 0, 6, 0, 6, 0, 0, 0, 0, 0]


# ------------------------------------------------------------------------------ what is refused

def test_a_view_of_a_leaf_that_is_a_view():
    v = torch.ones(3)[1:].requires_grad_()
    for write in (lambda: v.view(1, 2).mul_(2), lambda: v[:].zero_(), lambda: v[:].__setitem__(0, 5.0)):
        with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad") as caught:
            write()
        assert caught.value.code == "MG105" and v.tolist() == [1, 1] and v.is_leaf and v._version == 0


def test_a_view_whose_base_was_cut_off():
    x = torch.ones(3, requires_grad=True)
    base = x * 1
    v = base[1:]
    base.detach_()
    with pytest.raises(RuntimeError, match="a view of a leaf"):
        v.mul_(2)
    base.zero_()
    assert v.grad_fn is None and not v.requires_grad
    assert torch.autograd.grad((v * x[1:]).sum() + x.sum(), x)[0].tolist() == [1, 1, 1]


@pytest.mark.parametrize("write", [lambda i, v: i.copy_(v), lambda i, v: i.__setitem__(slice(None), v),
                                   lambda i, v: i.logical_and_(v)])
@pytest.mark.parametrize("dtype", [torch.int64, torch.bool])
def test_whole_numbers_have_no_gradient(write, dtype):
    x = torch.tensor([1.7, 2.2], requires_grad=True)
    i = torch.zeros(2, dtype=dtype)
    write(i, x * 2)
    assert not i.requires_grad and i.grad_fn is None and i._version == 1


# ------------------------------------------------------------------------------ one value for many places

MASK = torch.tensor([True, False, True])


@pytest.mark.parametrize("value", [torch.tensor(5), torch.tensor([5]), torch.tensor(5.0, dtype=torch.float64),
                                   torch.tensor([[5]])])
@pytest.mark.parametrize("requires_grad", [False, True])
def test_one_value_for_a_mask_is_cast(value, requires_grad):
    x = torch.zeros(3, requires_grad=requires_grad) * 1
    x[MASK] = value
    assert x.tolist() == [5, 0, 5]
    y = torch.zeros(3) * 1
    assert y.index_put_((MASK,), value).tolist() == [5, 0, 5]


@pytest.mark.parametrize("write, expected, gradient", [
    (lambda y: y.fill_(y[1]), [2, 2, 2], [0, 111, 0]),
    (lambda y: y.__setitem__(slice(None), y[1]), [2, 2, 2], [0, 111, 0]),
    (lambda y: y.__setitem__(slice(0, 2), y[2:]), [3, 3, 3], [0, 0, 111]),
    (lambda y: y.__setitem__(MASK, y[0]), [1, 2, 1], [101, 10, 0]),
    (lambda y: y.masked_fill_(MASK, y[1]), [2, 2, 2], [0, 111, 0]),
])
def test_one_of_the_elements_that_are_written_to(write, expected, gradient):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 1
    write(y)
    assert y.tolist() == expected
    assert torch.autograd.grad((y * torch.tensor([1.0, 10.0, 100.0])).sum(), x)[0].tolist() == gradient
    y = torch.tensor([1.0, 2.0, 3.0])
    write(y)
    assert y.tolist() == expected


# ------------------------------------------------------------------------------ hooks

class Saves(torch.autograd.Function):
    @staticmethod
    def forward(ctx, *ts):
        ctx.save_for_backward(*ts)
        return ts[0] * 1

    @staticmethod
    def backward(ctx, *d):
        return d * 3


def test_saving_that_is_broken_off_leaves_nothing_behind():
    a = [torch.ones(3, requires_grad=True) for _ in range(3)]

    def pack(t):
        raise ValueError("no room")

    for _ in range(50):
        Saves.apply(*a).sum().backward()
        with pytest.raises(ValueError, match="no room"), saved_tensors_hooks(pack, lambda t: t):
            Saves.apply(*a)
    assert all([x.tolist() == [1, 1, 1] for x in a])
    before = [sys.getrefcount(x) for x in a]
    with pytest.raises(ValueError, match="no room"), saved_tensors_hooks(pack, lambda t: t):
        Saves.apply(*a)
    assert [sys.getrefcount(x) for x in a] == before


def test_a_pack_hook_that_runs_the_node():
    x = torch.ones(2, requires_grad=True)
    y = x.clone().exp()
    array = y._array
    kept = [array] * 50
    counted = sys.getrefcount(array)

    def pack(t):
        y.backward(torch.ones(2))
        return 0

    with pytest.raises(RuntimeError, match="ExpBackward0 has already been run") as caught:
        y.grad_fn._raw_saved_result.register_hooks(pack, lambda t: t)
    assert caught.value.code == "MG102" and len(kept) == 50
    del caught
    assert sys.getrefcount(array) == counted - 1            # the node let go of it, once


class Half(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        return a + b

    @staticmethod
    def backward(ctx, d):
        return d, None


def test_hooks_hear_of_a_gradient_that_is_undefined():
    x = torch.ones(2, requires_grad=True)
    a, b = x * 2, x * 3
    heard, alone = [], []
    register_multi_grad_hook((a, b), lambda gradients: heard.append([g is not None for g in gradients]))
    b.register_hook(alone.append)
    Half.apply(a, b).sum().backward()
    assert heard == [[True, False]] and alone == [None] and x.grad.tolist() == [2, 2]


def test_a_hook_cannot_make_a_gradient_of_none():
    x = torch.ones(2, requires_grad=True)
    a, b = x * 2, x * 3
    b.register_hook(lambda g: torch.ones(2))
    with pytest.raises(RuntimeError, match="can't replace a None gradient with a non-None value"):
        Half.apply(a, b).sum().backward()


# ------------------------------------------------------------------------------ where nobody looks

def test_accumulating_into_a_gradient_that_was_saved():
    x, w = torch.ones(4, requires_grad=True), torch.ones(4, requires_grad=True)
    with allow_mutation_on_saved_tensors():
        x.grad = torch.ones(4)
        z = x.grad * w
        (x * 3).sum().backward()
        z.sum().backward()
    assert x.grad.tolist() == [4] * 4 and w.grad.tolist() == [1] * 4


def test_the_message_without_a_working_directory(tmp_path):
    x = torch.ones(2, requires_grad=True)
    y = x * 1
    z = y * y
    here = os.getcwd()
    gone = tmp_path / "gone"
    gone.mkdir()
    os.chdir(gone)
    gone.rmdir()
    try:
        y.add_(1)
        with pytest.raises(RuntimeError, match="It was written to since, at .*test_dark_corners.py") as caught:
            z.sum().backward()
        assert caught.value.code == "MG101"
    finally:
        os.chdir(here)


def test_a_view_of_a_base_that_was_emptied():
    w = torch.ones(2, requires_grad=True)
    base = torch.ones(3)
    v = base[1:]
    base.data = torch.ones(0)
    with pytest.raises(RuntimeError, match="this view lies outside of its base"):
        v.mul_(w)
    assert v.tolist() == [1, 1]
