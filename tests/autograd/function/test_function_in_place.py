"""Custom Functions that write into their arguments: ``mark_dirty``, and writes to what they returned."""

import pytest

import minigrad
from tests.autograd.function.functions import function, gradient, leaf


def adding_one(ctx, x):
    ctx.mark_dirty(x)
    return x.add_(1)


def test_a_modified_input_is_the_output(torch):
    F = function(torch, adding_one, lambda ctx, d: d * 5)
    x = leaf(torch)
    a = x * 2
    before = a._version
    y = F.apply(a)
    assert y is a and a.grad_fn.name() == "FBackward" and a._version > before
    assert a.tolist() == [3, 5, 7]
    assert gradient(torch, a, x)[0].tolist() == [10, 10, 10]


def test_a_value_saved_before_the_modification_is_missed(torch):
    F = function(torch, adding_one, lambda ctx, d: d)
    a = leaf(torch).clone()
    b = a * a
    F.apply(a)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        b.sum().backward()


def test_a_write_through_numpy_counts_when_it_is_declared(torch):
    def forward(ctx, x):
        array = x.numpy()
        array += 1
        ctx.mark_dirty(x)
        return x

    F = function(torch, forward, lambda ctx, d: d)
    a = leaf(torch).clone()
    b = a * a
    assert F.apply(a).tolist() == [2, 3, 4]
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        b.sum().backward()


def test_a_modified_leaf(torch):
    F = function(torch, adding_one, lambda ctx, d: d)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad has been used in an in-place operation"):
        F.apply(leaf(torch))
    x = torch.ones(2)
    assert F.apply(x) is x and x.tolist() == [2, 2]


def test_a_modified_input_without_recording(torch):
    F = function(torch, adding_one)
    a = leaf(torch).clone()
    with torch.no_grad():
        y = F.apply(a)
    assert y is not a and not y.requires_grad and y.tolist() == a.tolist() == [2, 3, 4]
    assert a.grad_fn.name() == "CloneBackward0"


def test_a_modified_input_must_be_returned(torch):
    def forward(ctx, x):
        ctx.mark_dirty(x.add_(1))
        return x * 2

    with pytest.raises(RuntimeError, match="Some elements marked as dirty during the forward method were not returned "
                                           "as output"):
        function(torch, forward).apply(leaf(torch).clone())


def test_a_modified_view_allows_one_output_only(torch):
    def forward(ctx, x):
        ctx.mark_dirty(x.add_(1))
        return x, x * 2

    with pytest.raises(RuntimeError, match="your Function cannot return more than one Tensor"):
        function(torch, forward, lambda ctx, *d: d[0]).apply(leaf(torch).clone()[:2])


def test_marking_what_is_not_an_input_warns(torch):
    def forward(ctx, x):
        y = x * 2
        ctx.mark_dirty(y)
        return y

    with pytest.warns(UserWarning, match="received a tensor that was not an input"):
        y = function(torch, forward, lambda ctx, d: d).apply(leaf(torch).clone())
    assert y.requires_grad


def sloppy(torch):
    """The doubled sine, whose forward writes to its argument and does not say so."""
    def forward(ctx, x):
        x.mul_(2)
        ctx.save_for_backward(x)
        return x.sin()

    return function(torch, forward, lambda ctx, d: 2 * d * ctx.saved_tensors[0].cos(), name="Sloppy")


MADE = {"leaf": lambda x: x, "clone": lambda x: x.clone(), "product": lambda x: 3 * x,
        "view": lambda x: (3 * x)[1:], "view of a clone": lambda x: x.clone()[1:]}


@pytest.mark.filterwarnings("ignore:Sloppy.forward modified its argument")
@pytest.mark.parametrize("made", MADE)
def test_an_undeclared_modification_leaves_the_gradient_that_backward_gives(torch, made):
    x = leaf(torch)
    values = x.detach().clone().requires_grad_()
    sloppy(torch).apply(MADE[made](x)).sum().backward()
    (2 * MADE[made](values)).sin().sum().backward()
    torch.testing.assert_close(x.grad, values.grad)


@pytest.mark.filterwarnings("ignore:Sloppy.forward modified its argument")
@pytest.mark.parametrize("made", [name for name in MADE if name != "leaf"])
def test_what_was_modified_undeclared_has_no_gradient_afterwards(made):
    """PyTorch gives the derivative of what it was before."""
    x = leaf(minigrad)
    y = MADE[made](x)
    for again in [y] if y._base is None else [y, y._base]:
        z = sloppy(minigrad).apply(y).sum() + again.sum()
        with pytest.raises(RuntimeError, match="Sloppy.forward modified its argument 'x' in place without") as caught:
            z.backward()
        assert caught.value.code == "MG301"


@pytest.mark.filterwarnings("ignore:Sloppy.forward modified its argument")
def test_a_leaf_that_was_modified_undeclared_has_the_gradient_for_its_new_value(torch):
    x = leaf(torch)
    (sloppy(torch).apply(x).sum() * 0 + (x * x).sum()).backward()
    torch.testing.assert_close(x.grad, 2 * x.detach())


@pytest.mark.filterwarnings("ignore:Sloppy.forward modified its argument")
def test_what_was_saved_before_an_undeclared_modification_is_missed(torch):
    x = leaf(torch).clone()
    y = x * x
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        (sloppy(torch).apply(x).sum() + y.sum()).backward()


def test_an_undeclared_modification_warns():
    F = function(minigrad, lambda ctx, x, weight: weight.add_(1) * x, lambda ctx, d: (d, d), name="Sloppy")
    x = leaf(minigrad)
    with pytest.warns(UserWarning, match=r"argument 'weight' in place without declaring it.*ctx.mark_dirty\(weight\)"):
        F.apply(x, leaf(minigrad).clone())
    with minigrad.no_grad():
        F.apply(x, leaf(minigrad).clone())
    with minigrad.autograd.forward_ad.dual_level():
        dual = minigrad.autograd.forward_ad.make_dual(leaf(minigrad).clone(), x.detach())
        F.jvp = staticmethod(lambda ctx, a, b: a)
        with pytest.raises(RuntimeError, match="argument 'weight' in place without declaring it") as caught:
            F.apply(x, dual)
        assert caught.value.code == "MG301"


def test_an_undeclared_modification_of_what_needs_no_gradient_warns():
    """A running mean, say: right as long as no gradient should flow into it."""
    F = function(minigrad, lambda ctx, x, mean: (mean.add_(1), x * 2)[1], lambda ctx, d: (d, None))
    with pytest.warns(UserWarning, match="modified its argument 'mean' in place"):
        F.apply(leaf(minigrad), minigrad.zeros(3))


def test_a_view_of_a_declared_argument_is_declared():
    def forward(ctx, a, b):
        ctx.mark_dirty(a.add_(1))
        return a

    a = leaf(minigrad).clone()
    F = function(minigrad, forward, lambda ctx, d: (d, None))
    assert F.apply(a, a.detach()) is a


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("create_graph", [False, True])
def test_a_write_to_a_view_without_a_gradient_stops_only_that_of_the_view(create_graph):
    """PyTorch drops the gradient of the elements beside the view, too."""
    def forward(ctx, v):
        ctx.mark_dirty(v)
        return v.mul_(2)

    x = minigrad.ones(4, requires_grad=True)
    y = x * 1
    function(minigrad, forward, lambda ctx, d: None).apply(y[:2])
    (y * 3).sum().backward(create_graph=create_graph)
    assert y.tolist() == [2., 2., 1., 1.] and x.grad.tolist() == [0., 0., 3., 3.]
