"""Views and their bases: writes through a view, views of leaves, views made where nothing is recorded, and views that
reach beyond their base."""

import numpy as np
import pytest

import minigrad
from tests.autograd.programs import LEAF_WRITES, leaf, unchanged, write
from tests.checking import refuses


# ------------------------------------------------------------------------------ a write through a view

def test_views_are_written_through(torch):
    base = torch.zeros(2, 3)
    base.t()[1].add_(5)
    base[0:1].mul_(2)
    base.view(6)[5:].fill_(9)
    assert base.tolist() == [[0., 10., 0.], [0., 5., 9.]] and base._version == 3


def test_an_output_of_a_view_with_several(torch):
    x = torch.ones(2, 2, requires_grad=True)
    a, _ = (x * 1).unbind(0)
    with refuses(RuntimeError, "Output 0 of Unbind is a view and is being modified inplace", "MG116"):
        a.add_(1)
    assert a.tolist() == [1., 1.] and a._version == 0


VIEWS_OF_EVERYTHING = {
    "squeeze": lambda x: x.squeeze(), "squeeze dim": lambda x: x.squeeze(0), "expand": lambda x: x.expand(2, 3),
    "view": lambda x: x.view(2, 3),
    "reshape": lambda x: x.reshape(2, 3), "permute": lambda x: x.permute(0, 1),
    "transpose": lambda x: x.transpose(0, 0), "narrow": lambda x: x.narrow(0, 0, 2),
    "ellipsis": lambda x: x[...], "slice": lambda x: x[:], "flatten": lambda x: x.flatten(1, 1),
    "movedim": lambda x: x.movedim(0, 0),
    "unbind": lambda x: x.unbind(0)[1], "split": lambda x: x.split(2)[0], "chunk": lambda x: x.chunk(1)[0],
    "as_strided": lambda x: x.as_strided((2, 3), (3, 1)),
    "broadcast_to": lambda x: x.broadcast_to((2, 3)), "view_as": lambda x: x.view_as(x),
    "diagonal": lambda x: x.diagonal(), "T": lambda x: x.T,
    "unsqueeze": lambda x: x.unsqueeze(0), "real": lambda x: x.real, "contiguous": lambda x: x.contiguous(),
    "to": lambda x: x.to(x.dtype),
    "detach": lambda x: x.detach(), "unfold": lambda x: x.unfold(1, 2, 1)[0],
}


@pytest.mark.parametrize("name", VIEWS_OF_EVERYTHING)
def test_a_view_that_changes_nothing_is_a_view_all_the_same(torch, name):
    """What lies in the memory of a saved tensor counts its writes with it."""
    x, w = torch.ones(2, 3, requires_grad=True), torch.ones(2, 3)
    z = x * w
    VIEWS_OF_EVERYTHING[name](w).mul_(5)
    assert w._version == 1
    with refuses(RuntimeError, "modified by an inplace operation", "MG101"):
        z.sum().backward()


# ----------------------------------------------------------------------------- views of leaves, and of what was cut off

@pytest.mark.parametrize("name", LEAF_WRITES)
def test_a_view_of_such_a_leaf(torch, name):
    x = leaf(torch, 1., 2.)
    v, before = x[:1], unchanged(x)
    with refuses(RuntimeError, "a view of a leaf Variable that requires grad is being used in an in-place operation",
                 "MG105"):
        write(torch, v, name)
    assert unchanged(x) == before and v._version == 0


def test_a_view_made_under_no_grad(torch):
    x = leaf(torch, 1., 2.)
    y = x * 1
    with torch.no_grad():
        v = y[:1]
    with refuses(RuntimeError, "A view was created in no_grad mode and is being modified inplace with grad mode "
                 "enabled", "MG116"):
        v.mul_(x[:1])
    assert y.tolist() == [1., 2.] and y._version == 0


@pytest.mark.parametrize("asked", [
    lambda v: v > 0, lambda v: v == v, lambda v: v.argmax(), lambda v: v.isnan(), lambda v: v.any(),
    lambda v: v.nonzero(), lambda v: v.count_nonzero()])
def test_what_has_no_gradient_can_be_asked_of_a_view_without_a_history(torch, asked):
    y = leaf(torch, 1., 2., 3.) * 1
    with torch.no_grad():
        v = y[1:]
    y.mul_(2)
    assert asked(v).tolist() == asked(torch.tensor([4., 6.])).tolist()
    with pytest.raises(RuntimeError, match="A view was created in no_grad mode"):
        v * 2


def test_several_views_made_under_no_grad(torch):
    x = torch.ones(2)
    with torch.no_grad():
        first, second = x.unbind()
    x.requires_grad_()
    assert first.grad_fn is None
    (3 * first).backward()
    assert x.grad is None
    with refuses(RuntimeError, "A view was created in no_grad mode and is being modified inplace with grad mode "
                               "enabled", "MG116"):
        second.mul_(2)


def test_a_view_of_a_leaf_that_is_a_view():
    v = minigrad.ones(3)[1:].requires_grad_()
    for write in (lambda: v.view(1, 2).mul_(2), lambda: v[:].zero_(), lambda: v[:].__setitem__(0, 5.0)):
        with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad") as caught:
            write()
        assert caught.value.code == "MG105" and v.tolist() == [1, 1] and v.is_leaf and v._version == 0


def test_a_view_whose_base_was_cut_off():
    x = minigrad.ones(3, requires_grad=True)
    base = x * 1
    v = base[1:]
    base.detach_()
    with pytest.raises(RuntimeError, match="a view of a leaf"):
        v.mul_(2)
    base.zero_()
    assert v.grad_fn is None and not v.requires_grad
    assert minigrad.autograd.grad((v * x[1:]).sum() + x.sum(), x)[0].tolist() == [1, 1, 1]


@pytest.mark.parametrize("asked", ["requires_grad", "grad_fn", "is_leaf"])
def test_what_a_view_says_after_its_base_was_cut_off_does_not_depend_on_what_is_asked_first(asked):
    x = minigrad.ones(3, requires_grad=True)
    base = x * 1
    v = base[1:]
    base.detach_().zero_()
    getattr(v, asked)
    assert not v.requires_grad and v.grad_fn is None and v.is_leaf


# ------------------------------------------------------------------------------ views that reach beyond their base

def test_the_gradient_of_a_base_with_holes():
    w = minigrad.ones(5, requires_grad=True)
    base = minigrad.ones(10)[::2].detach()
    base.as_strided((5,), (1,), 0).mul_(w)
    for create_graph in (False, True):
        g, = minigrad.autograd.grad(base.sum(), w, create_graph=create_graph, retain_graph=True)
        assert g.tolist() == [1, 0, 1, 0, 1]


def base_with_holes(w):
    base = minigrad.ones(10)[::2].detach()
    return base, base.as_strided((5,), (1,), 0)


def base_cut_down(w):
    base = minigrad.ones(10) * minigrad.cat([w, w])
    view = base[:5]
    return base.as_strided_((5,), (2,)), view


@pytest.mark.parametrize("made", [base_with_holes, base_cut_down])
@pytest.mark.parametrize("use", [lambda v: v.grad_fn, lambda v: v.sum(), lambda v: v.cumsum_(0), lambda v: v.zero_()])
def test_what_lies_in_holes_and_has_a_history_is_not_lost_in_silence(made, use):
    w = minigrad.ones(5, requires_grad=True)
    base, view = made(w)
    if made is base_with_holes:
        view.mul_(w)
    before = view.tolist(), base._version
    with pytest.raises(RuntimeError, match="this view lies outside its base") as caught:
        use(view)
    assert caught.value.code == "MG116" and (view.tolist(), base._version) == before


def test_holes_that_hold_constants_are_read():
    x = minigrad.ones(5, requires_grad=True)
    base, view = base_with_holes(x)
    base.mul_(x)
    assert minigrad.autograd.grad((view * 2).sum(), x)[0].tolist() == [2, 2, 2, 0, 0]


def test_holes_hold_constants_after_another_layout_of_all_that_the_base_shows():
    x = minigrad.ones(5, requires_grad=True)
    base, view = base_with_holes(x)
    base.mul_(x)
    base.unsqueeze_(0)
    assert minigrad.autograd.grad((view * 2).sum(), x)[0].tolist() == [2, 2, 2, 0, 0]


def test_a_view_of_what_a_base_still_shows_is_read():
    x = minigrad.ones(10, requires_grad=True)
    base = x * 1
    view = base[:5:2]
    base.as_strided_((5,), (2,))
    base.mul_(3)
    view.mul_(2)
    assert minigrad.autograd.grad(view.sum(), x)[0].tolist() == [6, 0, 6, 0, 6, 0, 0, 0, 0, 0]


def test_a_view_of_a_base_that_was_emptied():
    w = minigrad.ones(2, requires_grad=True)
    base = minigrad.ones(3)
    v = base[1:]
    base.data = minigrad.ones(0)
    with pytest.raises(RuntimeError, match="this view lies outside its base"):
        v.mul_(w)
    assert v.tolist() == [1, 1]


# ------------------------------------------------------------------------------ passes that begin or end at a view

NOT_RECORDED = "does not require grad and does not have a grad_fn"


def view_of_leaf(torch):
    x = torch.tensor([1., 2.], requires_grad=True)
    with torch.no_grad():
        return x, x.view(-1)


def view_before_it_required_grad(torch):
    x = torch.tensor([1., 2.])
    with torch.no_grad():
        v = x.view(-1)
    return x.requires_grad_(), v


def view_of_view(torch):
    x = torch.tensor([1., 2.], requires_grad=True)
    y = x * 1
    with torch.no_grad():
        return x, y.view(2, 1).view(-1)


@pytest.mark.parametrize("made", [view_of_leaf, view_before_it_required_grad, view_of_view])
@pytest.mark.parametrize("looked_at", [False, True])
def test_a_view_made_under_no_grad_cannot_be_a_root(torch, made, looked_at):
    x, v = made(torch)
    ones = torch.ones(2)
    starts = [
        lambda: v.backward(ones),
        lambda: v.backward(ones, create_graph=True),
        lambda: torch.autograd.backward([(x * 2).sum(), v], [None, ones]),
        lambda: torch.autograd.grad(v, x, ones),
        lambda: torch.autograd.grad([v, x * 1], x, [ones, ones]),
    ]
    for start in starts:
        if looked_at:
            assert v.requires_grad and v.is_leaf and v.grad_fn is None
        with pytest.raises(RuntimeError, match=NOT_RECORDED):
            start()
    with torch.autograd.set_detect_anomaly(True), pytest.raises(RuntimeError, match=NOT_RECORDED):
        v.backward(ones)
    assert x.grad is None


def test_a_scalar_view_made_under_no_grad_cannot_be_a_root(torch):
    x = torch.tensor(1., requires_grad=True)
    with torch.no_grad():
        v = x.view(())
    assert v.is_leaf
    with pytest.raises(RuntimeError, match=NOT_RECORDED):
        v.backward()


def test_the_error_says_what_cut_a_view_off():
    _, v = view_of_leaf(minigrad)
    with refuses(RuntimeError, "It is a view that was made under torch.no_grad()", "MG103"):
        v.backward(minigrad.ones(2))


def test_a_view_made_under_no_grad_as_input_gets_no_gradient(torch):
    x, v = view_of_leaf(torch)
    assert torch.autograd.grad((x * 2).sum(), [v] * 9, allow_unused=True) == (None,) * 9
    with pytest.raises(RuntimeError, match="appears to not have been used in the graph"):
        torch.autograd.grad((x * 2).sum(), v)
    with pytest.raises((RuntimeError, AssertionError), match="Expected gradient function to be set"):
        torch.autograd.graph.get_gradient_edge(v)


def test_what_is_computed_from_a_view_made_under_no_grad_is_recorded_and_leads_nowhere(torch):
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            assert ctx.needs_input_grad == (True,)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    x, v = view_of_leaf(torch)
    for y in (v * 2, Twice.apply(v)):
        assert y.requires_grad and not y.is_leaf
        y.sum().backward()
    assert x.grad is None


def test_a_view_whose_base_was_detached_and_written_to_cannot_be_a_root():
    a = minigrad.tensor([1., 2.], requires_grad=True)
    y = a * 1
    v = y.view(-1)
    y.detach_().mul_(2)
    with refuses(RuntimeError, NOT_RECORDED, "MG103"):
        v.backward(minigrad.ones(2))


def test_a_view_follows_a_base_that_only_later_requires_grad():
    x = minigrad.tensor([1., 2.])
    v = x.view(-1)
    x.requires_grad_()
    v.backward(minigrad.ones(2))
    assert x.grad.tolist() == [1., 1.]


def test_so_does_one_of_several_views():
    x = minigrad.ones(2)
    first, second = x.unbind()
    x.requires_grad_()
    (3 * first + 5 * second).backward()
    assert x.grad.tolist() == [3., 5.]


def test_a_view_made_in_no_grad_says_that_it_requires_grad_after_a_write_to_its_base_too(torch):
    x = torch.ones(3, requires_grad=True) * 1
    with torch.no_grad():
        v = x[:2]
    x.mul_(2)
    assert v.requires_grad


def test_a_view_made_in_no_grad_requires_grad_no_longer_than_its_base(torch):
    x = torch.ones(3, requires_grad=True)
    with torch.no_grad():
        v = x[:2]
    assert v.requires_grad and v.is_leaf
    x.requires_grad_(False)
    assert not v.requires_grad and v.is_leaf


def test_a_write_through_a_view_is_named(torch):
    y = torch.ones(3, requires_grad=True) * 1
    y[:2].mul_(2)
    assert repr(y.grad_fn).startswith("<CopySlices object at 0x")
    assert y.grad_fn.name().endswith("CopySlices")


def test_a_leaf_that_is_a_view_stays_a_leaf_when_its_base_becomes_one(torch):
    x = torch.ones(3)
    v = x[1:].requires_grad_()
    x.requires_grad_()
    (v * 2).sum().backward()
    assert v.grad.tolist() == [2., 2.] and x.grad is None


def test_a_write_to_no_elements_beyond_the_end_of_the_base(torch):
    x = torch.ones(1, 3, requires_grad=True)
    y = torch.complex(x, x)
    y.imag.t()[..., 1:] = 0.
    torch.view_as_real(y).sum().backward()
    assert x.grad.tolist() == [[2., 2., 2.]]


@pytest.mark.parametrize("sizes", [(3, 0), (4, 3, 0)])
def test_a_write_through_a_view_of_a_base_without_elements(torch, sizes):
    w = torch.ones(1, 1, requires_grad=True)
    base = torch.from_numpy(np.zeros(sizes, np.float32).T)
    base[:, :1].mul_(w)
    base.sum().backward()
    assert base.requires_grad and w.grad.tolist() == [[0.]]


def test_a_write_to_a_part_of_a_base_without_elements(torch):
    """Memory of another library may lie with gaps between rows that have no elements."""
    base = torch.from_numpy(np.zeros((3, 4))[:, :0])
    w = torch.tensor(2., dtype=torch.float64, requires_grad=True)
    base[1].mul_(w)
    base.sum().backward()
    assert w.grad == 0 and base.shape == (3, 0)
