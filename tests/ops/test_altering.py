"""Shape forms in place: ``x.t_()``, ``x.unsqueeze_(0)``.  That they do what their views do is in test_inplace_forms.py."""

import numpy as np
import pytest

import minigrad
from minigrad._core.graph import wrap

FORMS = {
    "t_": (), "transpose_": (0, 1), "swapaxes_": (0, 1), "swapdims_": (0, 1), "unsqueeze_": (1,), "squeeze_": (), "as_strided_": ((3, 2), (1, 3)),
}
each = pytest.mark.parametrize("name, args", FORMS.items(), ids=FORMS)


def numbers(*shape):
    return wrap(np.arange(1.0, 1 + np.prod(shape)).reshape(shape))


@each
def test_the_object_and_its_memory_stay(name, args):
    x = numbers(2, 3)
    pointer, alias = x.data_ptr(), x.detach()
    assert getattr(x, name)(*args) is x
    assert x.data_ptr() == pointer and x._version == alias._version == 1 and not x._is_view()
    assert alias.shape == (2, 3)
    x.mul_(2)
    assert alias[0, 1].item() == 4 and alias._version == 2


@each
def test_what_was_saved_is_noticed(name, args):
    w, x = numbers(2, 3).requires_grad_(), numbers(2, 3)
    y = w * x
    getattr(x, name)(*args)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_a_chain_of_forms_and_writes():
    leaf = numbers(2, 3).requires_grad_()
    y = leaf * 1
    y.t_().unsqueeze_(0).mul_(2)
    assert [type(y.grad_fn).__name__, y.grad_fn.next_functions[0][0].name(), y._version] == ["MulBackward0", "UnsqueezeBackward1", 3]
    d = np.arange(6.0).reshape(1, 3, 2)
    y.backward(wrap(d))
    assert np.array_equal(leaf.grad.numpy(), 2 * d[0].T)


def test_a_view_that_changes_its_shape_is_still_a_view():
    leaf = numbers(2, 3).requires_grad_()
    base = leaf * 1
    view = base[1:]
    view.t_()
    assert view._base is base and view.shape == (3, 1) and base.shape == (2, 3)
    assert view._version == base._version == 1
    view.mul_(10)
    assert base.tolist() == [[1, 2, 3], [40, 50, 60]]
    (base.sum() + view.sum()).backward()
    assert leaf.grad.tolist() == [[1] * 3, [20] * 3]


def test_a_base_that_changes_its_shape_is_still_the_base():
    leaf = numbers(2, 3).requires_grad_()
    base = leaf * 1
    view = base[1]
    base.t_()
    view.mul_(10)
    assert base.tolist() == [[1, 40], [2, 50], [3, 60]]
    base.backward(wrap(np.arange(6.0).reshape(3, 2)))
    assert leaf.grad.tolist() == [[0, 2, 4], [10, 30, 50]]


@each
def test_what_is_refused_has_changed_nothing(name, args):
    leaf = numbers(2, 3).requires_grad_()
    with minigrad.no_grad():
        stale = (leaf * 1)[...]
        of_leaf = leaf[...]
    with minigrad.inference_mode():
        inference = numbers(2, 3)
    many = (leaf * 1).unsqueeze(0).unbind(0)[0]
    for target, code in ((leaf, "MG105"), (leaf[...], "MG105"), (of_leaf, "MG116"), (many, "MG116"), (inference, "MG112")):
        node = target.grad_fn
        with pytest.raises(RuntimeError) as caught:
            getattr(target, name)(*args)
        assert caught.value.code == code and target.shape == (2, 3) and target.grad_fn is node
        if target is not inference:
            assert target._version == 0
    getattr(stale, name)(*args)                 # nobody records it


@pytest.mark.parametrize("name, args", [("t_", ()), ("transpose_", (0, 3)), ("unsqueeze_", (5,)), ("squeeze_", (4,)), ("squeeze_", ((0, 0),)),
                                        ("as_strided_", ((9, 9), (9, 1))), ("as_strided_", ((2,), (1, 1)))])
def test_wrong_arguments_change_nothing(name, args):
    x = numbers(2, 3, 1)
    with pytest.raises((RuntimeError, IndexError)) as caught:
        getattr(x, name)(*args)
    assert caught.value.code.startswith("MG") and x.shape == (2, 3, 1) and x._version == 0


def test_without_recording():
    x = numbers(2, 3).requires_grad_()
    with minigrad.no_grad():
        x.t_()
    assert x.shape == (3, 2) and x.is_leaf and x.requires_grad and x._version == 1
    expanded = numbers(1, 3).expand(2, 3)
    assert expanded.t_().shape == (3, 2)        # nothing is written, so elements may share memory


@pytest.mark.parity
@each
def test_as_pytorch(name, args):
    torch = pytest.importorskip("torch")
    mine = numbers(2, 3).requires_grad_()
    yours = torch.arange(1.0, 7, dtype=torch.float64).reshape(2, 3).requires_grad_()
    results = []
    for leaf in (mine, yours):
        y = leaf * 1
        view = y[:, 1:]
        getattr(y, name)(*args)
        y.mul_(y.detach().clone())
        view.exp_()
        (y.sum() + view.sum() * 2).backward()
        results.append((y.shape, y._version, view._version, type(y.grad_fn).__name__, type(view.grad_fn).__name__, y.tolist(), leaf.grad.tolist()))
    mine, yours = results
    assert mine[:5] == yours[:5]
    for a, b in zip(mine[5:], yours[5:]):
        np.testing.assert_allclose(a, b)
