"""Shape forms in place: ``x.t_()``, ``x.unsqueeze_(0)``.  That they do what their views do is in
test_inplace_forms.py."""

import itertools

import numpy as np
import pytest

import minigrad
from minigrad._core.graph import wrap
from tests.checking import refuses

FORMS = {
    "t_": (), "transpose_": (0, 1), "swapaxes_": (0, 1), "swapdims_": (0, 1), "unsqueeze_": (1,), "squeeze_": (),
    "as_strided_": ((3, 2), (1, 3)),
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
def test_a_saved_tensor_that_was_written_to_is_noticed(name, args):
    w, x = numbers(2, 3).requires_grad_(), numbers(2, 3)
    y = w * x
    getattr(x, name)(*args)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_a_chain_of_forms_and_writes():
    leaf = numbers(2, 3).requires_grad_()
    y = leaf * 1
    y.t_().unsqueeze_(0).mul_(2)
    assert [type(y.grad_fn).__name__, y.grad_fn.next_functions[0][0].name(),
            y._version] == ["MulBackward0", "UnsqueezeBackward1", 3]
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
    for target, code in ((leaf, "MG105"), (leaf[...], "MG105"), (of_leaf, "MG116"), (many, "MG116"),
                         (inference, "MG112")):
        node = target.grad_fn
        with pytest.raises(RuntimeError) as caught:
            getattr(target, name)(*args)
        assert caught.value.code == code and target.shape == (2, 3) and target.grad_fn is node
        if target is not inference:
            assert target._version == 0
    getattr(stale, name)(*args)                 # nobody records it


@pytest.mark.parametrize("name, args", [("t_", ()), ("transpose_", (0, 3)), ("unsqueeze_", (5,)), ("squeeze_", (4,)), (
    "squeeze_", ((0, 0),)),
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
        results.append((y.shape, y._version, view._version, type(y.grad_fn).__name__, type(view.grad_fn).__name__,
                        y.tolist(), leaf.grad.tolist()))
    mine, yours = results
    assert mine[:5] == yours[:5]
    for a, b in zip(mine[5:], yours[5:]):
        np.testing.assert_allclose(a, b)


# ------------------------------------------------------------------------------ under no_grad

VIEWS = {
    "itself": lambda x: x,
    "view": lambda x: x.view(3, 2),
    "transpose": lambda x: x.transpose(0, 1),
    "slice": lambda x: x[:, 1:],
    "slice of a transpose": lambda x: x.t()[1:],
    "expand": lambda x: x[:, :1].expand(2, 3),
    "unfold": lambda x: x[0].unfold(0, 2, 1),
}
NARROW = {**FORMS, "unsqueeze_": (0,), "as_strided_": ((2,), (1,))}


def altered(torch, leaf, show, name, args, targets, grad_mode, look):
    """(base, view) where one of them, or both, have been given another shape."""
    base = leaf * 1
    view = show(base)
    if look:
        view.grad_fn
    with torch.set_grad_enabled(grad_mode):
        for target in ({"view": [view], "base": [base], "both": [view, base]}[targets])[:1 if view is base else 2]:
            getattr(target, name)(*args)
    return base, view


def is_possible(show, name, targets, grad_mode):
    """With as_strided_ a base may show less than its views, and a view elements that it did not show before."""
    return name != "as_strided_" or show == "itself" or (targets == "view" and (show != "expand" or not grad_mode))


CASES = [case for case in itertools.product(VIEWS, NARROW, ["view", "base", "both"], [True, False])
         if is_possible(*case)]


@pytest.mark.parametrize("show, name, targets, grad_mode", CASES)
@pytest.mark.parametrize("create_graph", [False, True])
def test_a_gradient_goes_where_the_elements_lie(show, name, targets, grad_mode, create_graph):
    args = NARROW[name]
    for look in (False, True):
        places = altered(minigrad, wrap(np.arange(6.0).reshape(2, 3)), VIEWS[show], name, args, targets,
                         grad_mode, look)
        leaf = numbers(2, 3).requires_grad_()
        for t, place in zip(altered(minigrad, leaf, VIEWS[show], name, args, targets, grad_mode, look), places):
            weights = 3.0 ** np.arange(place.numel())
            d, = minigrad.autograd.grad((t * wrap(weights.reshape(tuple(place.shape)))).sum(), leaf,
                                        create_graph=create_graph, retain_graph=True)
            assert np.array_equal(d.detach().numpy(),
                                  np.bincount(place.numpy().ravel().astype(int), weights, 6).reshape(2, 3))


@pytest.mark.parity
@pytest.mark.parametrize("show", [name for name in VIEWS if name != "itself"])
@pytest.mark.parametrize("name, args", NARROW.items(), ids=NARROW)
def test_a_view_altered_under_no_grad_is_read_anew_as_in_pytorch(show, name, args):
    def seen(torch):
        leaf = torch.tensor([[1., 2., 3.], [4., 5., 6.]], requires_grad=True)
        base, view = altered(torch, leaf, VIEWS[show], name, args, "view", False, True)
        return view.requires_grad, view.is_leaf, type(view.grad_fn).__name__, view._version, tuple(view.shape), type(
            base.grad_fn).__name__

    assert seen(minigrad) == seen(pytest.importorskip("torch"))


def test_a_view_that_cannot_follow_says_so():
    leaf = numbers(2, 3).requires_grad_()
    base = leaf * 1
    with minigrad.no_grad():
        view = base.view(3, 2)
        view.t_()
    with refuses(RuntimeError, "A view was created in no_grad mode and its base or another view of its base has been "
                               "modified inplace", "MG116"):
        view.sum()
    row = (leaf * 1).unbind()[0]
    with minigrad.no_grad():
        row.unsqueeze_(0)
    with refuses(RuntimeError, "This view is the output of a function that returns multiple views", "MG116"):
        row.sum()


def test_a_hook_on_the_old_layout_sees_the_old_layout():
    leaf, seen = numbers(2, 3).requires_grad_(), []
    y = leaf * 1
    y.register_hook(lambda g: seen.append(g.shape))
    y.retain_grad()
    with minigrad.no_grad():
        y.t_()
    y.register_hook(lambda g: seen.append(g.shape))
    y.sum().backward()
    assert seen == [(3, 2), (2, 3)] and y.grad.shape == (3, 2) and leaf.grad.shape == (2, 3)


@pytest.mark.parametrize("make", [lambda: numbers(2, 2), lambda: numbers(4).view(2, 2), lambda: numbers(3, 2)[:2]],
                         ids=["itself", "all of another", "a part of another"])
def test_a_graph_that_leads_to_a_leaf_of_another_layout_says_so(make):
    leaf = make().requires_grad_()
    loss = (leaf * numbers(2, 2)).sum()
    with minigrad.no_grad():
        leaf.t_()
    with refuses(RuntimeError, "a leaf, now of shape [2, 2], was laid out otherwise", "MG101"):
        loss.backward()
    assert leaf.grad is None
    del loss
    (leaf * numbers(2, 2)).sum().backward()
    assert leaf.grad.tolist() == [[1, 2], [3, 4]]


def test_an_alteration_in_a_dual_level_takes_the_tangent_along():
    fwAD = minigrad.autograd.forward_ad
    with fwAD.dual_level(), minigrad.no_grad():
        x = fwAD.make_dual(numbers(2, 3), numbers(2, 3)) * 1
        view = x[:, 1:]
        view.t_()
        assert fwAD.unpack_dual(view).tangent.tolist() == [[2, 5], [3, 6]]
        x.t_()
        assert fwAD.unpack_dual(x).tangent.tolist() == [[1, 4], [2, 5], [3, 6]]


@pytest.mark.parity
@pytest.mark.parametrize("index", [0, (0, 0), slice(1, None), slice(None), ..., (0, ...), None, (slice(None), 0), [0],
                                   (0, [0])], ids=str)
def test_an_assignment_names_a_leaf_or_a_view_of_one_as_pytorch_does(index):
    def said(torch):
        leaf = torch.ones(2, 2, requires_grad=True)
        with pytest.raises(RuntimeError) as caught:
            leaf[index] = 1.
        return str(caught.value).partition(" is being used in an in-place operation")[0]

    assert said(minigrad) == said(pytest.importorskip("torch"))


def test_an_assignment_to_a_part_of_a_leaf_says_so():
    leaf = numbers(2, 3).requires_grad_()
    with refuses(RuntimeError, "a view of a leaf Variable that requires grad is being used in an in-place operation",
                 "MG105"):
        leaf[0] = 1.
    with refuses(RuntimeError, "a leaf Variable that requires grad is being used in an in-place operation", "MG105"):
        leaf[...] = 1.
