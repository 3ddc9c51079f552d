"""Dual tensors: what has a tangent and when, views and writes, both modes together, errors; each also on PyTorch where
it is there."""

import gc
import threading
import weakref

import numpy as np
import pytest

import minigrad
from tests.checking import refuses


def fw(torch):
    return torch.autograd.forward_ad


def is_minigrad(torch):
    return torch is minigrad


def refused(torch, kind, text, code, call):
    with pytest.raises(kind, match=text) as caught:
        call()
    assert not is_minigrad(torch) or caught.value.code == code


@pytest.fixture
def dual(torch):
    """Within a dual level: x = [1, 2, 3], moving along [1, 0, 2]."""
    with fw(torch).dual_level():
        yield fw(torch).make_dual(torch.tensor([1.0, 2.0, 3.0]), torch.tensor([1.0, 0.0, 2.0]))


def tangent(torch, x):
    t = fw(torch).unpack_dual(x).tangent
    return None if t is None else t.tolist()


# ------------------------------------------------------------------------------ what has a tangent

def test_a_dual_and_what_is_computed_from_it(torch, dual):
    assert tangent(torch, dual) == [1, 0, 2] and tangent(torch, dual * 2 + 1) == [2, 0, 4]
    assert tangent(torch, dual * dual) == [2, 0, 12] and tangent(torch, dual.sum()) == 3
    assert tangent(torch, torch.ones(3)) is None
    primal, t = fw(torch).unpack_dual(dual)
    assert tangent(torch, primal) is None and primal.tolist() == [1, 2, 3] and t.tolist() == [1, 0, 2]


@pytest.mark.parametrize("fill", [lambda x: x.zero_(), lambda x: x.fill_(2.), lambda x: x.uniform_()],
                         ids=["zero_", "fill_", "uniform_"])
def test_numbers_written_give_a_tangent_of_zero_to_a_dual_alone(torch, dual, fill):
    x, y = torch.ones(3), dual * 1
    fill(x)
    fill(y)
    assert tangent(torch, x) is None and tangent(torch, y) == [0, 0, 0]


@pytest.mark.parametrize("x", [1., None, [1.]])
def test_only_a_tensor_becomes_a_dual(torch, x):
    with fw(torch).dual_level(), pytest.raises((TypeError, AttributeError)):
        fw(torch).make_dual(x, torch.ones(()))
    with fw(torch).dual_level(), pytest.raises((TypeError, AttributeError)):
        fw(torch).make_dual(torch.ones(()), x)


def test_the_tensor_itself_stays_as_it_is(torch):
    x = torch.ones(2)
    with fw(torch).dual_level():
        d = fw(torch).make_dual(x, torch.ones(2))
        assert tangent(torch, x) is None and tangent(torch, x * 2) is None and tangent(torch, d) == [1, 1]


def test_a_step_function_has_a_tangent_of_zero_and_a_comparison_none(torch, dual):
    assert tangent(torch, dual.floor()) == [0, 0, 0]
    assert tangent(torch, dual > 1) is None and tangent(torch, dual.argmax()) is None
    assert tangent(torch, dual.long()) is None
    values, indices = dual.max(0)
    assert tangent(torch, values) == 2 and tangent(torch, indices) is None


def test_no_grad_does_not_stop_it_but_detach_and_inference_mode_do(torch, dual):
    with torch.no_grad():
        assert tangent(torch, dual * 3) == [3, 0, 6]
    assert tangent(torch, dual.detach()) is None
    with torch.inference_mode():
        assert tangent(torch, dual * 3) is None


@pytest.mark.parametrize("write", [lambda x: x.mul_(3), lambda x: x.zero_(), lambda x: x[1:].fill_(2.)])
def test_a_write_in_inference_mode_leaves_the_tangent_as_it_is(torch, dual, write):
    x = dual * 1
    with torch.inference_mode():
        write(x)
    assert tangent(torch, x) == [1, 0, 2] and tangent(torch, x * 2) == [2, 0, 4]


@pytest.mark.parametrize("take_apart", [lambda torch, x: torch.split_copy(x, 2), lambda torch, x: x.tensor_split(2),
                                        lambda torch, x: torch.unsafe_split(x, 2),
                                        lambda torch, x: torch.split_with_sizes_copy(x, [2, 1])])
def test_pieces_have_the_pieces_of_the_tangent(torch, dual, take_apart):
    found = [tangent(torch, piece) for piece in take_apart(torch, dual)]
    assert found == [[1, 0], [2]]
    assert [tangent(torch, y) for y in take_apart(torch, torch.ones(3))] == [None, None]


def test_a_write_of_all_that_the_target_shows_has_a_tangent_with_a_history():
    """PyTorch computes it from the new values."""
    torch = minigrad
    x, t = torch.tensor([1., 2.], requires_grad=True), torch.tensor([3., 4.], requires_grad=True)
    with fw(torch).dual_level():
        d = fw(torch).make_dual(x, t) * 2
        found = fw(torch).unpack_dual(d.mul_(d.view(-1))).tangent
        assert found.tolist() == [24, 64]               # of 4 x^2 it is 8 x t
        assert [g.tolist() for g in torch.autograd.grad(found.sum(), (x, t))] == [[24, 32], [8, 16]]


def test_dtypes_and_broadcasting(torch, dual):
    assert fw(torch).unpack_dual(dual.double()).tangent.dtype == torch.float64
    assert tangent(torch, dual.expand(2, 3)) == [[1, 0, 2]] * 2
    assert tangent(torch, dual + torch.zeros(2, 1)) == [[1, 0, 2]] * 2
    assert fw(torch).unpack_dual(dual * 1j).tangent.dtype == torch.complex64


def test_it_is_printed(torch, dual):
    assert repr(dual) == "tensor([1., 2., 3.], tangent=tensor([1., 0., 2.]))"


def test_when_the_level_is_left_nothing_has_a_tangent(torch):
    with fw(torch).dual_level():
        d = fw(torch).make_dual(torch.ones(2), torch.ones(2))
        y = d * 2
        kept = weakref.ref(fw(torch).unpack_dual(y).tangent)
    assert fw(torch).unpack_dual(y).tangent is None and repr(y) == "tensor([2., 2.])"
    assert kept() is None or not is_minigrad(torch)
    with fw(torch).dual_level():
        assert tangent(torch, d) is None and tangent(torch, y) is None


def test_an_exception_leaves_the_level_too(torch):
    with pytest.raises(KeyError), fw(torch).dual_level():
        raise KeyError
    with fw(torch).dual_level():
        pass


def test_tangents_are_freed_by_reference_count():
    gc.collect()
    gc.disable()
    try:
        with fw(minigrad).dual_level():
            x = minigrad.ones(2, requires_grad=True)
            d = fw(minigrad).make_dual(x, minigrad.ones(2))
            y = (d.exp() * d).tanh()
            alive = weakref.ref(y)
        del y, d, x
        assert alive() is None
    finally:
        gc.enable()


# ------------------------------------------------------------------------------ views and writes

def test_a_write_gives_the_base_and_all_its_views_a_tangent(torch, dual):
    z = torch.zeros(4)
    before, v = z[2:], z[1:]
    v.copy_(dual)
    after = z.view(2, 2)
    assert tangent(torch, z) == [0, 1, 0, 2] and tangent(torch, v) == [1, 0, 2]
    assert tangent(torch, before) == [0, 2] and tangent(torch, after) == [[0, 1], [0, 2]]
    before.mul_(10)
    assert tangent(torch, z) == [0, 1, 0, 20]
    z[0] = dual[2]
    assert tangent(torch, after) == [[2, 1], [0, 20]]


def test_the_tangent_of_a_write_has_a_history_that_outlives_it():
    v = minigrad.tensor([4., 5., 6.], requires_grad=True)
    with fw(minigrad).dual_level():
        y = minigrad.tensor([1., 2., 3.]) * 1
        y.mul_(fw(minigrad).make_dual(minigrad.ones(3), v))         # its tangent is y as it was, times v
        z = fw(minigrad).make_dual(minigrad.zeros(3), v) * 1
        z.exp_()                                                    # and that of z is the result, times v
        first, second = fw(minigrad).unpack_dual(y).tangent, fw(minigrad).unpack_dual(z).tangent
        y.mul_(0)                                                   # PyTorch's gradient is 0 now, silently
        z.mul_(0)
    first.sum().backward()
    assert v.grad.tolist() == [1, 2, 3]
    second.sum().backward()
    assert v.grad.tolist() == [2, 3, 4]


def test_writes_of_constants(torch, dual):
    y = dual.clone()
    y[0] = 5.0
    assert tangent(torch, y) == [0, 0, 2]
    y.fill_(1.0)
    assert tangent(torch, y) == [0, 0, 0] and tangent(torch, dual) == [1, 0, 2]
    y = dual.clone()
    y[torch.tensor([2])] = torch.zeros(1)
    y.add_(1)
    assert tangent(torch, y) == [1, 0, 0]
    y.uniform_()
    assert tangent(torch, y) == [0, 0, 0]


@pytest.mark.parametrize("write, expected", [
    (lambda y: y.exp_(), [np.exp(1), 0, 2 * np.exp(3)]),
    (lambda y: y.pow_(2), [2, 0, 12]),
    (lambda y: y.clamp_(max=2), [1, 0, 0]),
    (lambda y: y.mul_(y.flip(0)), [3 + 2, 0, 2 + 3]),
    (lambda y: y.neg_().sub_(1), [-1, 0, -2]),
])
@pytest.mark.parametrize("requires_grad", [False, True])
def test_in_place_operations(torch, write, expected, requires_grad):
    with fw(torch).dual_level():
        x = torch.tensor([1.0, 2.0, 3.0], requires_grad=requires_grad)
        y = fw(torch).make_dual(x, torch.tensor([1.0, 0.0, 2.0])).clone()
        write(y)
        assert tangent(torch, y) == pytest.approx(expected)


def test_a_tensor_multiplied_by_itself_in_place(torch, dual):
    y = dual.clone()
    y.mul_(y)
    assert (tangent(torch, y) == [2, 0, 12]) == is_minigrad(torch)      # PyTorch 2.13 is silently wrong


def test_shapes_that_change_in_place(torch, dual):
    y = dual.clone().view(1, 3).clone()
    y.t_()
    assert tangent(torch, y) == [[1], [0], [2]]
    y.unsqueeze_(0)
    assert tangent(torch, y) == [[[1], [0], [2]]]
    y.data = torch.ones(2)
    assert tangent(torch, y) is None or not is_minigrad(torch)


def test_views_of_complex_numbers(torch):
    with fw(torch).dual_level():
        z = fw(torch).make_dual(torch.tensor([1 + 2j, 3 - 1j]), torch.tensor([1j, 2 + 0j]))
        assert tangent(torch, z.real) == [0, 2] and tangent(torch, z.imag) == [1, 0]
        assert tangent(torch, torch.view_as_real(z)) == [[0, 1], [2, 0]]
        w = z.clone()
        w.imag.mul_(3)
        assert tangent(torch, w) == [3j, 2]
        assert tangent(torch, z.abs()) == pytest.approx([2 / 5 ** 0.5, 6 / 10 ** 0.5])


def test_a_view_of_a_part_that_is_not_dense(torch):
    with fw(torch).dual_level():
        matrix = torch.arange(6.0).reshape(2, 3)
        d = fw(torch).make_dual(matrix[:, 1], torch.tensor([5.0, 7.0]))
        assert tangent(torch, d[1:]) == [7] and tangent(torch, matrix) is None
        d[0] = 0.0
        assert tangent(torch, d) == [0, 7] and matrix[0, 1] == 0


# ------------------------------------------------------------------------------ both modes together

def test_forward_over_reverse(torch):
    with fw(torch).dual_level():
        d = fw(torch).make_dual(torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([1.0, 3.0]))
        y = (d ** 3).sum() + (d.exp() * d).sum() + d.clone().mul_(d).sum()
        g, = torch.autograd.grad(y, d)
        e = np.exp([1.0, 2.0])
        assert tangent(torch, g) == pytest.approx(list((6 * np.array([1, 2]) + e * np.array([3, 4]) + 2) * [1, 3]),
                                                  rel=1e-5)


def test_reverse_over_forward(torch):
    x, v = torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([1.0, 3.0], requires_grad=True)
    with fw(torch).dual_level():
        y = (fw(torch).make_dual(x, v) ** 3).sum()
        jvp = fw(torch).unpack_dual(y).tangent
    gx, gv = torch.autograd.grad(jvp, [x, v])
    assert gx.tolist() == [6, 36] and gv.tolist() == [3, 12]


def test_a_block_in_a_block_is_refused(torch):
    with fw(torch).dual_level():
        with pytest.raises(RuntimeError, match="Nested forward mode AD is not supported"), fw(torch).dual_level():
            raise AssertionError("the block must not run")
        assert tangent(torch, fw(torch).make_dual(torch.ones(1), torch.ones(1)) * 2) == [2]


def test_backward_accumulates_within_a_level(torch):
    x = torch.tensor([2.0], requires_grad=True)
    with fw(torch).dual_level():
        (fw(torch).make_dual(x, torch.ones(1)) ** 2).sum().backward()
    assert x.grad.tolist() == [4]


def test_threads_have_levels_of_their_own():
    found = []
    with fw(minigrad).dual_level():
        thread = threading.Thread(target=lambda: found.append(minigrad._core.forward.dual_tensors.is_open()))
        thread.start()
        thread.join()
    assert found == [False]


# ------------------------------------------------------------------------------ errors

def test_levels_do_not_nest(torch):
    with fw(torch).dual_level():
        refused(torch, RuntimeError, "Nested forward mode AD is not supported at the moment", "MG126",
                fw(torch).enter_dual_level)
        assert tangent(torch, fw(torch).make_dual(torch.ones(1), torch.ones(1))) == [1]
    assert fw(torch).enter_dual_level() == 0
    fw(torch).exit_dual_level(level=0)
    refused(torch, RuntimeError, "Dual level must be a positive number", "MG126", fw(torch).exit_dual_level)


def test_it_decorates(torch):
    @fw(torch).dual_level()
    def slope(x):
        return fw(torch).unpack_dual(fw(torch).make_dual(x, torch.ones_like(x)) ** 2).tangent.tolist()

    assert slope(torch.tensor([3.0])) == [6] and slope(torch.tensor([4.0])) == [8]


@pytest.mark.parametrize("make, kind, text, code", [
    (lambda torch: (torch.ones(2, dtype=torch.int64), torch.ones(2)), ValueError,
     "Expected primal to be floating point or complex, but got: torch.int64", "MG127"),
    (lambda torch: (torch.ones(2), torch.ones(2, dtype=torch.int64)), ValueError,
     "Expected tangent to be floating point or complex, but got: torch.int64", "MG127"),
    (lambda torch: (torch.ones(3), torch.ones(2)), RuntimeError,
     r"forward gradient that has a different size .* Tensor is of size \[3\] .* size \[2\]", "MG126"),
    (lambda torch: (fw(torch).make_dual(torch.ones(2), torch.ones(2)), torch.ones(2)), RuntimeError,
     "already has a forward gradient at the same level 0", "MG126"),
])
def test_bad_duals(torch, make, kind, text, code):
    with fw(torch).dual_level():
        refused(torch, kind, text, code, lambda: fw(torch).make_dual(*make(torch)))


def test_outside_a_level(torch):
    refused(torch, RuntimeError, "no level exists, make sure to enter_dual_level", "MG126",
            lambda: fw(torch).make_dual(torch.ones(1), torch.ones(1)))
    x = torch.ones(1)
    primal, t = fw(torch).unpack_dual(x)
    assert t is None and primal.tolist() == [1]


def test_results_that_must_go_elsewhere(torch, dual):
    out = torch.zeros(3)
    refused(torch, (RuntimeError, NotImplementedError), "out=|forward AD", "MG210", lambda: torch.sin(dual, out=out))
    assert out.tolist() == [0, 0, 0] or not is_minigrad(torch)


# ------------------------------------------------------------------------------ custom Functions

def product(torch, jvp, **attributes):
    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_forward(x, y)
            return x * y

    if jvp is not None:
        Product.jvp = staticmethod(jvp)
    for name, value in attributes.items():
        setattr(Product, name, staticmethod(value))
    return Product


def test_jvp_of_a_function(torch, dual):
    seen = []

    def jvp(ctx, tx, ty):
        x, y = ctx.saved_tensors
        seen.append((tx.tolist(), ty.tolist(), torch.is_grad_enabled(), fw(torch).unpack_dual(x).tangent))
        return tx * y + x * ty

    assert tangent(torch, product(torch, jvp).apply(dual, torch.full((3,), 2.0))) == [2, 0, 4]
    assert tangent(torch, product(torch, jvp).apply(dual, dual)) == [2, 0, 12]
    assert seen == [([1, 0, 2], [0, 0, 0], True, None), ([1, 0, 2], [1, 0, 2], True, None)]
    product(torch, jvp).apply(torch.ones(3), torch.ones(3))
    assert len(seen) == 2                               # nobody asked


@pytest.mark.parametrize("jvp, kind, text, code", [
    (None, NotImplementedError, "You must implement the jvp function for custom autograd.Function to use it with "
     "forward mode AD", "MG305"),
    (lambda ctx, *t: (t[0], t[0]), RuntimeError,
     r"jvp returned an invalid number of forward gradients \(expected 1 but got 2\)", "MG107"),
    (lambda ctx, *t: t[0][:2], RuntimeError, r"different size than that of the original Tensor.*\[3\].*\[2\]", "MG126"),
    (lambda ctx, *t: 3, RuntimeError, r"expected Variable or None \(got int\) for grad output 0", "MG107"),
])
def test_bad_jvps(torch, dual, jvp, kind, text, code):
    refused(torch, kind, text, code, lambda: product(torch, jvp).apply(dual, dual))
    assert tangent(torch, dual * 1) == [1, 0, 2]        # the level goes on


def test_jvp_and_what_is_not_differentiable(torch, dual):
    def forward(ctx, x, k):
        ctx.set_materialize_grads(False)
        whole = x.long()
        ctx.mark_non_differentiable(whole)
        ctx.k = k
        return x * k, whole

    y, whole = product(torch, lambda ctx, t, tk: (t * ctx.k, None), forward=forward).apply(dual, 5)
    assert tangent(torch, y) == [5, 0, 10] and tangent(torch, whole) is None
    refused(torch, RuntimeError, "jvp returned a gradient at position 1, but +the corresponding forward output is not "
            "a differentiable", "MG107",
            lambda: product(torch, lambda ctx, t, tk: (t, t), forward=forward).apply(dual, 5))


def test_jvp_of_a_function_that_writes(torch, dual):
    def forward(ctx, x, y):
        ctx.mark_dirty(x)
        return x.mul_(2)

    y = dual.clone()
    assert product(torch, lambda ctx, tx, ty: tx.mul_(2), forward=forward).apply(y, y.detach()) is y
    assert tangent(torch, y) == [2, 0, 4] and y.tolist() == [2, 4, 6]
    refused(torch, RuntimeError, "is not modifying the forward mode gradients inplace", "MG302",
            lambda: product(torch, lambda ctx, tx, ty: tx * 2, forward=forward).apply(dual.clone(), dual.detach()))


def test_jvp_of_a_function_that_returns_a_view(torch, dual):
    def forward(ctx, x, y):
        return x.view(3, 1)

    y = product(torch, lambda ctx, tx, ty: tx.view(3, 1), forward=forward).apply(dual, torch.ones(1))
    assert tangent(torch, y) == [[1], [0], [2]]
    refused(torch, RuntimeError, "returning a view.* but the jvp is not returning a view", "MG302",
            lambda: product(torch, lambda ctx, tx, ty: tx.clone().view(3, 1),
                            forward=forward).apply(dual, torch.ones(1)))
    refused(torch, RuntimeError, "returning a view.* but the jvp is not returning a view", "MG302",
            lambda: product(torch, lambda ctx, tx, ty: torch.ones(3, 1),
                            forward=forward).apply(dual, torch.ones(1)))


def test_reverse_through_a_jvp(torch, dual):
    class Product(torch.autograd.Function):
        @staticmethod
        def forward(x, y):
            return x * y

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_forward(*inputs)

        @staticmethod
        def jvp(ctx, tx, ty):
            x, y = ctx.saved_tensors
            return tx * y + x * ty

    y = torch.full((3,), 4.0, requires_grad=True)
    t = fw(torch).unpack_dual(Product.apply(dual, y)).tangent
    assert torch.autograd.grad(t.sum(), y)[0].tolist() == [1, 0, 2]


def test_forward_over_reverse_of_a_function_that_saves_its_result(torch):
    class Exp(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp()
            ctx.save_for_backward(y)
            ctx.save_for_forward(y)
            return y

        @staticmethod
        def backward(ctx, d):
            y, = ctx.saved_tensors
            return d * y

        @staticmethod
        def jvp(ctx, t):
            y, = ctx.saved_tensors
            return t * y

    x = torch.tensor([0.5, 1.0], requires_grad=True)
    with fw(torch).dual_level():
        d = fw(torch).make_dual(x, torch.tensor([1.0, 2.0]))
        g, = torch.autograd.grad(Exp.apply(d).sum(), d)
        assert tangent(torch, g) == pytest.approx([np.exp(0.5), 2 * np.exp(1.0)])


# ------------------------------------------------------------------------------ corners

def test_a_level_is_open_for_forward_too(torch, dual):
    def forward(ctx, x, y):
        with pytest.raises(RuntimeError, match="Nested forward mode AD"):
            fw(torch).enter_dual_level()
        return x * 2

    assert (tangent(torch, product(torch, lambda ctx, tx, ty: tx * 2, forward=forward).apply(dual, torch.ones(1)))
            == [2, 0, 4])


def test_shapes_of_a_dual_itself_change_in_place(torch):
    with fw(torch).dual_level():
        d = fw(torch).make_dual(torch.arange(6.0).reshape(2, 3), torch.arange(6.0).reshape(2, 3))
        d.t_()
        assert tangent(torch, d) == [[0, 3], [1, 4], [2, 5]] and tangent(torch, d[1]) == [1, 4]
        d.unsqueeze_(0)
        assert tangent(torch, d * 2) == [[[0, 6], [2, 8], [4, 10]]] and tangent(torch, d[0, 2]) == [2, 5]


def test_a_dual_that_was_turned_is_freed_by_reference_count():
    gc.collect()
    gc.disable()
    try:
        with fw(minigrad).dual_level():
            d = fw(minigrad).make_dual(minigrad.ones(2, 3), minigrad.ones(2, 3))
            d.t_()
            alive = weakref.ref(d)
            del d
        assert alive() is None
    finally:
        gc.enable()


def test_saved_tensor_hooks_are_not_asked_about_tangents(torch, dual):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    plain = tangent(torch, dual.softmax(0))
    packed = []
    with torch.autograd.graph.saved_tensors_hooks(lambda t: packed.append(t) or t, lambda t: t):
        assert tangent(torch, dual.softmax(0)) == pytest.approx(plain)
        assert tangent(torch, fw(torch).make_dual(x, torch.ones(3)).logsumexp(0)) == pytest.approx(1)
        assert tangent(torch, dual.std()) == pytest.approx(tangent(torch, dual.std()))


def test_a_dual_of_an_expanded_tensor():
    """PyTorch refuses it."""
    with fw(minigrad).dual_level():
        d = fw(minigrad).make_dual(minigrad.ones(1).expand(3), minigrad.tensor([1.0, 2.0, 3.0]))
        assert tangent(minigrad, d) == [1, 2, 3] and tangent(minigrad, d[1:]) == [2, 3]
        assert tangent(minigrad, d * d) == [2, 4, 6]


def test_a_write_that_reaches_an_element_twice():
    with fw(minigrad).dual_level():
        d = fw(minigrad).make_dual(minigrad.ones(4), minigrad.ones(4))
        y = d.clone()
        with pytest.raises(RuntimeError, match="more than one element of the written-to tensor") as caught:
            y.unfold(0, 2, 1).mul_(minigrad.ones(3, 2))
        assert caught.value.code == "MG116" and y._version == 0 and tangent(minigrad, y) == [1, 1, 1, 1]


def test_integers_have_no_tangent(torch, dual):
    z = torch.zeros(3, dtype=torch.int64)
    z.copy_(dual)
    assert tangent(torch, z) is None and z.tolist() == [1, 2, 3]
    assert tangent(torch, dual.bool().float() * 1) in (None, [0, 0, 0])


# ------------------------------------------------------------------------- which object a tangent is, and where it ends

def test_the_tangent_of_a_dual_is_the_one_that_was_given(torch):
    for make in (lambda: torch.ones(2), lambda: torch.ones(3, 2).t(), lambda: torch.ones(2, requires_grad=True)):
        v = make()
        with fw(torch).dual_level():
            dual = fw(torch).make_dual(make(), v)
            assert fw(torch).unpack_dual(dual).tangent is v and fw(torch).unpack_dual(dual).tangent is v
            y = dual * 2
            assert fw(torch).unpack_dual(y).tangent is fw(torch).unpack_dual(y).tangent
        with fw(torch).dual_level():
            assert fw(torch).unpack_dual(fw(torch).make_dual(make(), v)).tangent is v


def test_detach_in_place_ends_the_tangent_too(torch, dual):
    w = torch.ones(3, requires_grad=True)
    y = dual * w
    assert y.detach_() is y and tangent(torch, y) is None and not y.requires_grad
    assert tangent(torch, y * dual) == [1, 0, 6]
    y.mul_(dual)
    assert tangent(torch, y) == [1, 0, 6]


def test_it_does_not_take_that_of_a_view():
    """PyTorch's view would keep it: the base alone is detached."""
    import minigrad as torch
    with fw(torch).dual_level():
        y = fw(torch).make_dual(torch.ones(2), torch.ones(2)) * 2
        view = y[:1]
        with pytest.raises(RuntimeError, match="to which another tensor looks.*MG116"):
            y.detach_()
        assert tangent(torch, view) == tangent(torch, y)[:1] == [2]
        assert tangent(torch, y.detach()) is None


@pytest.mark.parametrize("make", [lambda dual: dual, lambda dual: dual * 2, lambda dual: dual[:3]],
                         ids=["given", "computed", "view"])
def test_a_dual_tensor_is_not_a_tangent(torch, dual, make):
    with pytest.raises(RuntimeError, match="Setting a forward grad that itself has a forward gradient at the same "
                                           "level"):
        fw(torch).make_dual(torch.ones(3), make(dual))


def test_nor_is_one_that_a_jvp_returns(torch, dual):
    class Captured(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def jvp(ctx, t):
            return dual

    with pytest.raises(RuntimeError, match="Setting a forward grad that itself has a forward gradient at the same "
                                           "level"):
        Captured.apply(dual)


# ------------------------------------------------------------------------------ formulas on arrays

# Where nothing is recorded, elementwise rows carry tangents by their formulas as programs on arrays. Where an input
# requires grad, the same formulas run on tensors.

ELEMENTWISE = {
    "product": lambda torch, x, y: x * y,
    "square": lambda torch, x, y: x * x,
    "sum": lambda torch, x, y: x + y,
    "the identity": lambda torch, x, y: x + 1,
    "difference": lambda torch, x, y: torch.sub(x, y, alpha=3),
    "quotient": lambda torch, x, y: x / y,
    "power": lambda torch, x, y: x.abs() ** y,
    "constant": lambda torch, x, y: x.sign() + x.round(),
    "exp": lambda torch, x, y: x.exp(),
    "chain": lambda torch, x, y: (x.sin() * y.cosh()).tanh().log1p(),
    "choice": lambda torch, x, y: torch.where(x > 0, x, y),
    "maximum": lambda torch, x, y: torch.maximum(x, y),
    "clamp": lambda torch, x, y: x.clamp(-1, 1),
    "relu": lambda torch, x, y: torch.relu(x),
    "lerp": lambda torch, x, y: torch.lerp(x, y, 0.5),
    "addcmul": lambda torch, x, y: torch.addcmul(x, y, x, value=2),
    "gelu": lambda torch, x, y: torch.nn.functional.gelu(x, approximate="tanh"),
    "broadcast": lambda torch, x, y: x * y[0] + x[:1],
    "transposed": lambda torch, x, y: x.reshape(2, 3).t() * y.reshape(3, 2),
    "complex": lambda torch, x, y: torch.complex(x, y) * torch.complex(y, x),
    "two dtypes": lambda torch, x, y: x * y.float(),
    "half precision": lambda torch, x, y: x.half() * y.half(),
    "empty": lambda torch, x, y: x[:0] * y[:0],
}


@pytest.mark.parametrize("which", [(True, True), (True, False), (False, True)])
@pytest.mark.parametrize("name", ELEMENTWISE)
@pytest.mark.filterwarnings("ignore")
def test_tangents_are_the_same_whether_the_operation_is_recorded_or_not(name, which):
    import minigrad as torch

    values = (torch.tensor([-1.5, -0.0, 0.0, 0.5, 2.0, float("inf")], dtype=torch.float64),
              torch.linspace(-1, 2, 6).double())
    found = []
    for recorded in (False, True):
        with fw(torch).dual_level():
            x, y = [fw(torch).make_dual(v.clone().requires_grad_(recorded), v.cos()) if moves else v
                    for v, moves in zip(values, which)]
            result, tangent = fw(torch).unpack_dual(ELEMENTWISE[name](torch, x, y))
            found.append((result.tolist(), tangent is not None and (tangent.tolist(), tangent.dtype, tangent.shape)))
    assert repr(found[0]) == repr(found[1])


def test_a_long_computation_has_no_references_for_the_collector():
    import minigrad as torch

    def references():
        return sum(type(x) is weakref.ref for x in gc.get_objects())

    with fw(torch).dual_level():
        y = fw(torch).make_dual(torch.ones(2), torch.ones(2))
        before = references()
        for _ in range(1000):
            y = y * y
        assert references() - before < 50


def test_a_dual_level_is_left_only_once(torch):
    level = fw(torch).dual_level()
    with level:
        assert fw(torch).unpack_dual(fw(torch).make_dual(torch.ones(2), torch.ones(2))).tangent is not None
    with pytest.raises(RuntimeError):
        level.__exit__(None, None, None)
    with level:
        pass


def test_a_pass_in_a_level_adds_to_grad_in_place(torch):
    x = torch.ones(2, requires_grad=True)
    x.sum().backward()
    held = x.grad
    with fw(torch).dual_level():
        d = fw(torch).make_dual(x, torch.tensor([1.0, 2.0]))
        (d * d).sum().backward()
        assert x.grad is held and held.tolist() == [3, 3] and tangent(torch, held) == [2, 4]
    assert x.grad is held and tangent(torch, held) is None


@pytest.mark.parametrize("alter", [lambda y: y.as_strided_((6,), (1,)), lambda y: y.as_strided_((2, 2), (1, 2), 1),
                                   lambda y: y.t_(), lambda y: y.unsqueeze_(1)])
def test_another_layout_for_a_tensor_whose_tangent_lies_otherwise(torch, alter):
    """The tangent of a sum with a number that is broadcast is an expanded tensor, or lies as it was given."""
    x, t = torch.arange(6.).reshape(2, 3).t(), torch.arange(6.).reshape(3, 2)
    expected = alter(t.t().clone(memory_format=torch.contiguous_format).t())        # lies as x does
    with fw(torch).dual_level():
        d = fw(torch).make_dual(x, t)
        assert tangent(torch, alter(d - 0)) == expected.tolist()
        d = fw(torch).make_dual(torch.tensor(1.), torch.tensor(5.))
        assert set(torch.tensor(tangent(torch, alter(d + x))).reshape(-1).tolist()) == {5.}


@pytest.mark.parametrize("write", [lambda x: x.apply_(lambda each: 2 * each), lambda x: x[:2].apply_(abs),
                                   lambda x: x.map_(minigrad.ones(3), lambda a, b: a + b)])
def test_numbers_that_python_computed_have_no_tangent(write):
    """PyTorch keeps the tangent of the old ones."""
    with fw(minigrad).dual_level():
        x = fw(minigrad).make_dual(minigrad.ones(3), minigrad.tensor([1., 2., 3.]))
        whole = write(x) is x
        assert tangent(minigrad, x) == ([0., 0., 0.] if whole else [0., 0., 3.])


@pytest.mark.parametrize(("name", "args"), [
    ("normal_", ()), ("uniform_", ()), ("random_", ()), ("bernoulli_", (0.5,)), ("exponential_", ()), ("cauchy_", ()),
    ("geometric_", (0.5,)), ("log_normal_", ()), ("zero_", ()), ("fill_", (2.,))])
def test_numbers_that_are_drawn_or_given_have_no_tangent(torch, name, args):
    forward_ad, numbers = torch.autograd.forward_ad, torch.tensor([0.7, -0.3])
    with forward_ad.dual_level():
        whole, other = [forward_ad.make_dual(torch.ones(2), numbers.clone()) * 1 for _ in range(2)]
        view, written = whole[:1], other[:1]
        getattr(whole, name)(*args)
        getattr(written, name)(*args)
        found = [forward_ad.unpack_dual(t).tangent.tolist() for t in (whole, view, other, written)]
    assert found == [[0., 0.], [0.], pytest.approx([0., -0.3]), [0.]]


def test_scaling_rows_of_an_embedding_leaves_their_tangents(torch):
    """As in reverse mode: the derivative is that of reading rows that are as they are by then."""
    table, t = torch.tensor([[3., 4.], [0.1, 0.2]]), torch.tensor([[1., 2.], [3., 4.]])
    with fw(torch).dual_level():
        weight = fw(torch).make_dual(table, t)
        out = torch.nn.functional.embedding(torch.tensor([1, 0]), weight, max_norm=1.)
        assert tangent(torch, out) == [[3., 4.], [1., 2.]] and tangent(torch, weight) == t.tolist()
        assert torch.allclose(table[0], torch.tensor([0.6, 0.8]))


@pytest.mark.parametrize("name, write", [
    ("set_", lambda torch, d: d.set_(torch.ones(2))), ("set_", lambda torch, d: torch.ones(2).set_(d)),
    ("embedding_renorm_", lambda torch, d: torch.embedding_renorm_(d, torch.tensor([0]), 1., 2.))])
def test_what_says_nothing_of_tangents_refuses_them(torch, name, write):
    with fw(torch).dual_level():
        d = fw(torch).make_dual(torch.ones(2, 2), torch.full((2, 2), 3.))
        with refuses(NotImplementedError, f"Trying to use forward AD with {name} that does not support it", "MG305"):
            write(torch, d)
        if torch is minigrad:                   # PyTorch has written by then
            assert torch.equal(d, torch.ones(2, 2)) and tangent(torch, d) == [[3., 3.], [3., 3.]]


@pytest.mark.parametrize("write", [lambda d: d.resize_(6), lambda d: d.resize_(2),
                                   lambda d: d.resize_as_(d.new_zeros(3))])
def test_a_dual_tensor_is_not_resized(torch, write):
    with fw(torch).dual_level():
        d = fw(torch).make_dual(torch.ones(2, 2), torch.ones(2, 2)) * 1
        with refuses(RuntimeError, "cannot resize variables that has a forward grad", "MG211"):
            write(d)
        if torch is minigrad:                   # PyTorch has resized it by then
            assert d.shape == (2, 2)


@pytest.mark.parametrize("written", [
    lambda t, dual: t.zeros(2).copy_(dual), lambda t, dual: t.zeros(2).add_(dual), lambda t, dual: dual + t.ones(3, 2),
    lambda t, dual: t.where(t.tensor(True), dual, dual), lambda t, dual: assigned(t.zeros(2), slice(None), dual),
    lambda t, dual: assigned(t.zeros(3, 2), 1, dual)])
def test_tangents_share_no_memory(torch, written):
    with fw(torch).dual_level():
        tangent = torch.tensor([3., 4.])
        result = written(torch, fw(torch).make_dual(torch.ones(2), tangent))
        before = fw(torch).unpack_dual(result).tangent.tolist()
        tangent.zero_()
        assert fw(torch).unpack_dual(result).tangent.tolist() == before
        fw(torch).unpack_dual(result).tangent.fill_(9.)
        assert tangent.tolist() == [0., 0.]


def test_a_dual_tensor_keeps_its_tangent_where_a_constant_is_added_in_place(torch):
    with fw(torch).dual_level():
        tangent = torch.tensor([3., 4.])
        dual = fw(torch).make_dual(torch.ones(2), tangent)
        dual.add_(1)
        tangent.zero_()
        assert fw(torch).unpack_dual(dual).tangent.tolist() == [0., 0.]


def assigned(target, index, value):
    target[index] = value
    return target
