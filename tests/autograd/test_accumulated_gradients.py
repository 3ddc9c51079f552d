"""What is in ``.grad`` after a pass: sums, memory that nobody else has, shapes and dtypes."""

import contextlib
import warnings
import weakref

import numpy as np
import pytest

import minigrad
from minigrad.autograd.engines import plain
from minigrad.ops import kinds
from tests.autograd.function.functions import function
from tests.autograd.programs import leaf
from tests.checking import all_apart, is_minigrad, refuses, the_table_as_it_was


# ------------------------------------------------------------------------------ what is in .grad

def test_no_gradient_is_not_zero(torch):
    x, unused, zero = leaf(torch, 1.), leaf(torch, 1.), leaf(torch, 1.)
    (x + unused.detach() + zero * 0).sum().backward()
    assert x.grad.tolist() == [1.] and unused.grad is None and zero.grad.tolist() == [0.]


def test_gradients_accumulate_in_the_same_object(torch):
    x = leaf(torch, 1., 2.)
    (x * 2).sum().backward()
    first, address = x.grad, x.grad.data_ptr()
    (x * 3).sum().backward()
    assert x.grad is first and first.data_ptr() == address and first.tolist() == [5., 5.]
    assert first._version == 1


def test_nothing_is_added_to_a_gradient_that_was_expanded(torch):
    x = leaf(torch, 1., 2.)
    x.grad = torch.zeros(1).expand(2)
    with refuses(RuntimeError, "more than one element of the written-to tensor refers to a single", "MG116"):
        (x * torch.tensor([1., 2.])).sum().backward()
    assert x.grad.tolist() == [0., 0.] and x.grad._version == 0


def test_nothing_is_added_to_an_inference_tensor(torch):
    x = leaf(torch, 1., 2.)
    with torch.inference_mode():
        x.grad = torch.zeros(2)
    with refuses(RuntimeError, "Inplace update to inference tensor outside InferenceMode is not allowed", "MG112"):
        (x * 2).sum().backward()
    assert not is_minigrad(torch) or x.grad.tolist() == [0., 0.]        # PyTorch writes, and then raises


def test_create_graph_replaces_the_gradient(torch):
    x = leaf(torch, 1., 2.)
    (x * 2).sum().backward()
    first = x.grad
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (x * x).sum().backward(create_graph=True)
    assert x.grad is not first and first.tolist() == [2., 2.]
    assert x.grad.tolist() == [4., 6.] and x.grad.requires_grad


def test_a_gradient_assigned_by_the_user_is_accumulated_into(torch):
    x = leaf(torch, 1., 2.)
    mine = torch.tensor([10., 20.])
    x.grad = mine
    (x * 2).sum().backward()
    assert x.grad is mine and mine.tolist() == [12., 22.]


def test_gradients_carry_no_graph(torch):
    x = leaf(torch, 1., 2.)
    (x * x).sum().backward()
    assert not x.grad.requires_grad and x.grad.grad_fn is None and x.grad.is_leaf


def test_a_leaf_that_was_switched_off_gets_nothing(torch):
    x, w = leaf(torch, 1., 2.), leaf(torch, 1., 2.)
    y = (x * 3 + w).sum()
    x.requires_grad_(False)
    y.backward()
    assert x.grad is None and w.grad.tolist() == [1., 1.]


# ------------------------------------------------------------------------------ .grad is nobody else's memory

def test_the_gradient_that_the_user_gave(torch):
    a, b, g = leaf(torch, 1., 2.), leaf(torch, 3., 4.), torch.ones(2)
    (a + b).backward(g)
    assert all_apart(a.grad, b.grad, g)


def test_many_leaves_through_additions(torch):
    a, b, c, g = leaf(torch, 1.), leaf(torch, 2.), leaf(torch, 3.), torch.ones(1)
    ((a + b) + c).backward(g)
    assert all_apart(a.grad, b.grad, c.grad, g)


def test_one_leaf_used_twice(torch):
    x, g = leaf(torch, 1., 2.), torch.ones(2)
    (x + x).backward(g)
    assert x.grad.tolist() == [2., 2.] and g.tolist() == [1., 1.] and all_apart(x.grad, g)


@pytest.mark.parametrize("gradient_of", ["mul", "dot", "mm", "div"])
def test_saved_tensors(torch, gradient_of):
    if gradient_of == "mm":
        x, w = torch.eye(2, requires_grad=True), torch.full((2, 2), 3., requires_grad=True)
        (x @ w).sum().backward()
    else:
        x, w = leaf(torch, 1., 2.), leaf(torch, 3., 4.)
        {"mul": lambda: x * w, "dot": lambda: x.dot(w), "div": lambda: x / w}[gradient_of]().sum().backward()
    assert all_apart(x.grad, w.grad, x, w)


def test_a_product_with_gradient_one(torch):
    x, w = torch.tensor(2., requires_grad=True), torch.tensor(3., requires_grad=True)
    (x * w).backward()
    x.grad.add_(1)
    w.grad.add_(1)
    assert (x.item(), w.item(), x.grad.item(), w.grad.item()) == (2., 3., 4., 3.)


def test_a_sum_has_a_gradient_that_can_be_written_to(torch):
    x = torch.ones(2, 3, requires_grad=True)
    x.sum().backward()
    x.grad[0, 0] = 5
    assert x.grad.tolist() == [[5., 1., 1.], [1., 1., 1.]]


def test_expanded(torch):
    x, g = torch.ones(1, 3, requires_grad=True), torch.ones(1, 3)
    x.expand(1, 3).backward(g)
    assert all_apart(x.grad, g)
    y, g = torch.ones(1, 3, requires_grad=True), torch.ones(2, 3)
    y.expand(2, 3).backward(g)
    assert y.grad.tolist() == [[2., 2., 2.]] and all_apart(y.grad, g)


def test_transposed(torch):
    x, g = torch.ones(2, 3, requires_grad=True), torch.ones(3, 2)
    x.t().backward(g)
    assert all_apart(x.grad, g)


@pytest.mark.parametrize("way", ["view", "reshape", "unsqueeze", "narrow", "detour"])
def test_views(way):
    import minigrad as torch                # PyTorch lets .grad share memory with the user's gradient through view()

    x = torch.ones(2, 3, requires_grad=True)
    y = {"view": lambda: x.view(6), "reshape": lambda: x.reshape(3, 2), "unsqueeze": lambda: x.unsqueeze(1),
         "narrow": lambda: x.narrow(0, 0, 2), "detour": lambda: x.t().t().view(6).view(2, 3)}[way]()
    g = torch.ones(tuple(y.shape))
    y.backward(g)
    assert all_apart(x.grad, g)


def test_retained_gradients(torch):
    x, g = leaf(torch, 1., 2.), torch.ones(2)
    y = x + 0
    y.retain_grad()
    z = y + 0
    z.retain_grad()
    z.backward(g)
    assert all_apart(x.grad, y.grad, z.grad, g)


def test_what_a_function_returned(torch):
    class Constant(torch.autograd.Function):
        kept = torch.full((2,), 7.)

        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            return Constant.kept

    x = leaf(torch, 1., 2.)
    y = x * 1
    (Constant.apply(y) + Constant.apply(y) + Constant.apply(y)).sum().backward()
    assert Constant.kept.tolist() == [7., 7.] and x.grad.tolist() == [21., 21.]
    x.grad = None
    Constant.apply(x).sum().backward()
    assert all_apart(x.grad, Constant.kept)


def test_a_sum_of_gradients_is_not_written_into_one_of_them(torch):
    """Two gradients for one output of an op with several: the first to arrive is the user's own tensor."""
    x = torch.ones(2, 3, requires_grad=True)
    y, _ = x.unbind(0)
    g, h = torch.ones(3), torch.full((3,), 5.)
    for gradients in ([g, h], [h, g]):
        torch.autograd.backward([y + 0, y + 0], gradients)
        assert g.tolist() == [1., 1., 1.] and h.tolist() == [5., 5., 5.]
    assert x.grad.tolist() == [[12., 12., 12.], [0., 0., 0.]]


# ------------------------------------------------------------------------------ shapes and dtypes

SHAPES = [(), (1,), (3,), (1, 3), (2, 1), (2, 3), (4, 1, 1)]


@pytest.mark.parametrize("b_shape", SHAPES, ids=str)
@pytest.mark.parametrize("a_shape", [*SHAPES, (0,), (2, 0)], ids=str)
def test_a_gradient_is_summed_to_the_shape_of_its_input(a_shape, b_shape):
    import numpy as np

    import minigrad as torch

    try:
        shape = np.broadcast_shapes(a_shape, b_shape)
    except ValueError:
        pytest.skip("the shapes do not broadcast")
    a = torch.full(a_shape, 2., dtype=torch.float64, requires_grad=True)
    b = torch.full(b_shape, 4., dtype=torch.float64, requires_grad=True)
    (a * b + a / b - b).sum().backward()
    assert a.grad.shape == a_shape and b.grad.shape == b_shape
    copies = lambda t: int(np.prod(shape)) // max(int(np.prod(t)), 1)
    np.testing.assert_array_equal(a.grad.numpy(), np.full(a_shape, copies(a_shape) * 4.25))
    np.testing.assert_array_equal(b.grad.numpy(), np.full(b_shape, copies(b_shape) * 0.875))


@pytest.mark.parametrize("b_shape", SHAPES, ids=str)
@pytest.mark.parametrize("a_shape", SHAPES, ids=str)
def test_the_same_in_the_graph_of_gradients(a_shape, b_shape):
    import minigrad as torch

    try:
        a, b = torch.full(a_shape, 2., requires_grad=True), torch.full(b_shape, 3., requires_grad=True)
        y = (a * b * b).sum()
    except RuntimeError:
        pytest.skip("the shapes do not broadcast")
    ga, gb = torch.autograd.grad(y, [a, b], create_graph=True)
    assert ga.shape == a_shape and gb.shape == b_shape
    n = y.item() / 18                       # how many products were summed
    (haa, hab) = torch.autograd.grad((ga * 1).sum(), [a, b], allow_unused=True)
    assert haa is None and hab.shape == b_shape and hab.sum().item() == 6 * n


def test_a_gradient_has_the_dtype_of_its_input(torch):
    x, w, h = [torch.ones(2, dtype=d, requires_grad=True) for d in (torch.float32, torch.float64, torch.float16)]
    y = x * w * h
    assert y.dtype is torch.float64
    y.sum().backward()
    assert [t.grad.dtype for t in (x, w, h)] == [torch.float32, torch.float64, torch.float16]


def test_a_scalar_tensor_of_a_wider_dtype(torch):
    x, s = torch.ones(2, 3, requires_grad=True), torch.tensor(2., dtype=torch.float64, requires_grad=True)
    y = x * s
    y.sum().backward()
    assert y.dtype is torch.float32 and s.grad.dtype is torch.float64 and s.grad.item() == 6 and s.grad.shape == ()


def test_a_cast_and_back(torch):
    x = torch.ones(2, requires_grad=True)
    (x.double() * 3).to(torch.float16).float().sum().backward()
    assert x.grad.dtype is torch.float32 and x.grad.tolist() == [3., 3.]


def test_integers_stop_gradients(torch):
    x = torch.ones(2, requires_grad=True)
    assert not x.long().requires_grad and not (x > 0).requires_grad and not x.argmax().requires_grad
    (x * torch.tensor([1, 2])).sum().backward()
    assert x.grad.tolist() == [1., 2.]


@pytest.mark.parametrize("given", [1.0, 2, True])
def test_a_gradient_that_is_a_number(given):
    y = minigrad.ones(3, requires_grad=True) * 2
    with refuses(TypeError, "must be a Tensor, None, or a sequence of them, not", "MG114"):
        y.backward(given)
    with refuses(TypeError, "grad_outputs must be", "MG114"):
        minigrad.autograd.grad(y, y, given)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: (minigrad.ones(3, requires_grad=True) > 0).sum(),
         "Its dtype is torch.int64: integers and booleans"),
        (lambda: minigrad.ones(()), "Either no input had requires_grad=True, or the path was cut by detach()"),
    ],
)
def test_what_cut_the_way_is_told_where_it_can_be_seen(made, said):
    with refuses(RuntimeError, said, "MG103"):
        made().backward()


def test_the_mode_that_cut_the_way():
    x = minigrad.ones((), requires_grad=True)
    with minigrad.no_grad(), refuses(RuntimeError, "Recording is off here, because of torch.no_grad()", "MG103"):
        (x * 2).backward()
    with minigrad.inference_mode():
        y = x * 2
    with refuses(RuntimeError, "made under torch.inference_mode()", "MG103"):
        y.backward()


@pytest.mark.parametrize("dual", [False, True])
def test_a_gradient_that_has_a_history_keeps_what_it_shows(torch, dual):
    """With and without a dual level, in which tensors flow."""
    w, a = leaf(torch, 1., 1.), leaf(torch, 1., 1.)
    w.grad = a * 2
    if dual:
        with torch.autograd.forward_ad.dual_level():
            (w * 3).sum().backward()
    else:
        (w * 3).sum().backward()
    assert w.grad.tolist() == [5., 5.]


@pytest.mark.parametrize("create_graph", [False, True])
def test_retained_gradients_add_up_over_passes(torch, create_graph):
    x = leaf(torch, 1., 1.)
    y = x * x
    y.retain_grad()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(3):
            (y ** 3).sum().backward(retain_graph=True, create_graph=create_graph)
    assert y.grad.tolist() == [9., 9.] and x.grad.tolist() == [18., 18.] and y.grad.requires_grad == create_graph
    x.grad = y.grad = None


def test_of_several_outputs_only_those_that_are_used_retain_a_gradient(torch):
    class Both(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            return a + b, b * 1

        @staticmethod
        def backward(ctx, g, h):
            return g, None

    a, b = (leaf(torch, 1., 2., 3., 4.) * 1).split(2)
    c, d = Both.apply(a, b)
    for x in (a, b, c, d):
        x.retain_grad()
    c.sum().backward()
    assert a.grad.tolist() == c.grad.tolist() == [1., 1.] and b.grad is None and d.grad is None


def test_a_gradient_of_another_device_is_refused(torch):
    x = leaf(torch, 1., 2.)
    with refuses(RuntimeError, "attempting to assign a gradient with device type 'meta' to a tensor with device",
                 "MG118"):
        x.grad = torch.ones(2, device="meta")
    with refuses(RuntimeError, "`variable` and `tensor` have incompatible tensor type", "MG407"):
        x.data = torch.ones(2, device="meta")


@pytest.mark.parametrize("view", [lambda t: t, lambda t: t[:], lambda t: t.view(2, 1).view(2)])
def test_memory_that_belongs_to_no_array_does_not_become_the_gradient(view):
    room = bytearray(memoryview(np.ones(2, np.float32)).cast("B"))
    given = function(minigrad, lambda ctx, x: x * 1, lambda ctx, d: view(minigrad.frombuffer(room,
                                                                                             dtype=minigrad.float32)))
    x, y = leaf(minigrad, 1., 2.), leaf(minigrad, 1., 2.)
    given.apply(x).sum().backward()
    x.grad.add_(5)
    used_thrice = y * 1
    (given.apply(used_thrice) + given.apply(used_thrice) + given.apply(used_thrice)).sum().backward()
    assert x.grad.tolist() == [6., 6.] and y.grad.tolist() == [3., 3.]
    assert np.frombuffer(room, np.float32).tolist() == [1., 1.]


def test_gradients_whose_dtype_has_a_note_of_the_user_are_added():
    noted = np.ones(2, np.dtype("float32", metadata={"unit": "m"}))
    given = function(minigrad, lambda ctx, x: x * 1, lambda ctx, d: minigrad.from_numpy(noted.copy()))
    for use in (lambda x: given.apply(x) + x.exp(), lambda x: x.exp() + given.apply(x)):
        x = leaf(minigrad, 0., 0.)
        use(x * 1).sum().backward()
        assert x.grad.tolist() == [2., 2.] and x.grad.dtype is minigrad.float32


@pytest.fixture
def too_small():
    """A row whose formula gives a gradient that would broadcast: of a row that is not elementwise, it is not fitted."""
    with the_table_as_it_was():
        yield kinds.general("sum_of_rows(Tensor self)", lambda a: a.sum(0), self=lambda d: d * 1)


MODES = {"ordinary": (contextlib.nullcontext, False), "recorded": (contextlib.nullcontext, True),
         "dual": (minigrad.autograd.forward_ad.dual_level, False)}


@pytest.fixture(params=MODES)
def backward(request):
    """A pass on arrays, or on tensors."""
    level, create_graph = MODES[request.param]

    def run(y):
        with level(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            y.backward(create_graph=create_graph)
    return run


@pytest.mark.parametrize("first", [True, False])
def test_gradients_of_two_shapes_are_not_added(backward, too_small, first):
    x = minigrad.zeros(3, 2, requires_grad=True)
    used_twice = x * 1
    parts = [too_small(used_twice), used_twice.exp().sum(0)]
    with refuses(RuntimeError, "two gradients of one tensor have the shapes", "MG109"):
        backward((parts[first] + parts[not first]).sum())
    assert x.grad is None


def test_a_gradient_that_is_too_small_is_not_put_into_grad(backward, too_small):
    x = minigrad.zeros(3, 2, requires_grad=True)
    with refuses(RuntimeError, "the gradient has shape [2], and the tensor that it is for [3, 2]", "MG109"):
        backward(too_small(x).sum())
    retained = x * 1
    retained.retain_grad()
    with refuses(RuntimeError, "the gradient has shape [2], and the tensor that it is for [3, 2]", "MG109"):
        backward(too_small(retained).sum())
    assert x.grad is None and retained.grad is None


@pytest.mark.parametrize("value", [None, 1.])
@pytest.mark.parametrize("size", [1, 3])
def test_a_gradient_is_not_put_into_a_leaf_that_has_another_shape_now(backward, size, value):
    """PyTorch lets its .grad have another shape than the leaf, or broadcasts it."""
    x = minigrad.ones(4 - size, requires_grad=True)
    y = (x * 2).sum()
    x.data = minigrad.ones(size)
    x.grad = grad = value if value is None else minigrad.full((size,), value)
    with refuses(RuntimeError, "its .data was replaced by a tensor of another shape", "MG109"):
        backward(y)
    assert x.grad is grad and (grad is None or grad.tolist() == [1.] * size)


@pytest.mark.parametrize("size", [1, 3])
def test_a_gradient_is_not_added_to_one_of_another_shape(backward, size):
    x = minigrad.ones(4 - size, requires_grad=True)
    x.grad = minigrad.ones(4 - size)
    x.data = minigrad.ones(size)
    with refuses(RuntimeError, f"The size of tensor a ({4 - size}) must match the size of tensor b ({size})", "MG201"):
        backward((x * 2).sum())
    assert x.grad.tolist() == [1.] * (4 - size)


@pytest.mark.parametrize("mode", [contextlib.nullcontext, minigrad.autograd.forward_ad.dual_level])
@pytest.mark.filterwarnings("ignore")
def test_a_gradient_in_memory_that_is_read_only_is_replaced(mode):
    x, array = leaf(minigrad, 1., 2.), np.ones(2, np.float32)
    array.flags.writeable = False
    x.grad = minigrad.from_numpy(array)
    with mode():
        (x * 2).sum().backward()
    assert x.grad.tolist() == [3., 3.] and array.tolist() == [1., 1.]


@pytest.mark.parametrize("mode", [contextlib.nullcontext, minigrad.autograd.forward_ad.dual_level])
def test_a_gradient_of_a_transform_is_added_to(mode):
    """The user has put a tensor of the transform into .grad; PyTorch refuses backward() inside a transform."""
    x = leaf(minigrad, 1., 2.)

    def f(v):
        x.grad = v
        with mode():
            (x * 2).sum().backward()
        total, x.grad = x.grad, None
        return total

    def from_a_transform(v):
        x.grad = minigrad.ones(2)
        with mode():
            (x * 2).backward(v)
        total, x.grad = x.grad, None
        return total

    v = minigrad.tensor([[1., 2.], [3., 4.]])
    assert minigrad.vmap(f)(v).tolist() == [[3., 4.], [5., 6.]]
    assert minigrad.vmap(from_a_transform)(v).tolist() == [[3., 5.], [7., 9.]]


@pytest.mark.filterwarnings("ignore")
def test_a_pass_may_begin_while_a_gradient_is_replaced():
    """Where the old .grad dies, something may run that adds to the new one; it does not wait for itself."""
    x = leaf(minigrad, 1., 2.)
    x.grad = minigrad.zeros(2)
    weakref.finalize(x.grad, lambda: (5 * x).sum().backward())
    (3 * x).sum().backward(create_graph=True)
    assert x.grad.tolist() == [8., 8.]
    (x * 2).sum().backward()
    assert x.grad.tolist() == [10., 10.]


def test_where_no_gradient_comes_to_any_of_several_outputs_none_is_retained(torch):
    Nothing = function(torch, lambda ctx, x: x * 2, lambda ctx, d: None)
    w = leaf(torch, 1., 2., 3., 4.)
    a, b = (w * 1).split(2)
    for x in (a, b):
        x.retain_grad()
    (Nothing.apply(a).sum() + Nothing.apply(b).sum() + (w * 3).sum()).backward()
    assert a.grad is None and b.grad is None and w.grad.tolist() == [3., 3., 3., 3.]


# ------------------------------------------------------------------------------ in another dtype

def with_grad_dtype(torch, dtype, own="float32"):
    x = torch.ones(2, dtype=getattr(torch, own), requires_grad=True)
    x.grad_dtype = dtype and getattr(torch, dtype)
    return x


@pytest.mark.filterwarnings("ignore:Using backward")
@pytest.mark.parametrize("own, dtype", [("float32", "float64"), ("float32", "float16"), ("bfloat16", "float32"),
                                        ("float32", "complex64"), ("complex64", "float32")])
def test_gradients_are_cast_to_grad_dtype(torch, own, dtype):
    x, kind, seen = with_grad_dtype(torch, dtype, own), getattr(torch, dtype), []
    x.register_hook(lambda g: seen.append(g.dtype))
    x.register_post_accumulate_grad_hook(lambda x: seen.append(x.grad.dtype))
    for times in (2, 4):
        (x * 2).sum().abs().backward()
        assert x.grad.dtype is kind and x.grad.tolist() == [times, times]
    assert seen == [kind] * 4
    y = (x * 2).sum().abs()
    assert torch.autograd.grad(y, x)[0].dtype is kind
    x.grad, first = None, (x * x).sum().abs()
    first.backward(create_graph=True)
    assert x.grad.dtype is kind and x.grad.requires_grad
    assert torch.autograd.grad(x.grad.sum().abs(), x)[0].tolist() == [2, 2]


def test_grad_dtype_may_be_set_after_the_forward_pass(torch):
    x = with_grad_dtype(torch, "float64")
    y = (x * 2).sum()
    x.grad_dtype = torch.float16
    y.backward()
    assert x.grad.dtype is torch.float16


@pytest.mark.filterwarnings("ignore:Using backward")
@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("dtype", ["float64", None])
def test_a_gradient_comes_to_grad_dtype_in_one_step(torch, dtype, recorded):
    """Not by way of the leaf's own dtype: neither a promoted operation's nor that of a Function."""
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g.double() * (1 + 2 ** -40)

    fine = torch.tensor([1 + 2 ** -40, 1], dtype=torch.float64)
    for f in (lambda x: x * fine, lambda x: (fine - x).abs(), Twice.apply):
        x = with_grad_dtype(torch, dtype)
        f(x).sum().backward(create_graph=recorded)
        assert x.grad.dtype is torch.float64
    assert x.grad.tolist() == [1 + 2 ** -40] * 2
    x.grad = None
    (Twice.apply(x) + x * fine).sum().backward(create_graph=recorded)
    assert x.grad.dtype is torch.float64


def test_any_dtype_of_a_gradient_is_added_to_the_first(torch):
    x, fine = with_grad_dtype(torch, None), torch.ones(2, dtype=torch.float64)
    (x * fine).sum().backward()
    (x * 2).sum().backward()
    assert x.grad.dtype is torch.float64 and x.grad.tolist() == [3, 3]
    y = with_grad_dtype(torch, None)
    (y * 2).sum().backward()
    (y * fine).sum().backward()
    assert y.grad.dtype is torch.float32 and y.grad.tolist() == [3, 3]
    (y * 1j).sum().abs().backward()
    assert y.grad.dtype is torch.float32


def test_grad_dtype_with_an_engine_of_ones_own():
    x = with_grad_dtype(minigrad, "float64")
    with minigrad.use_engine(plain.engine):
        (x * minigrad.ones(2, dtype=minigrad.float64)).sum().backward()
    assert x.grad.dtype is minigrad.float64


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "complex64"])
def test_gradients_of_any_dtype_and_layout_are_added_up(dtype):
    """In a buffer of the pass, and in .grad, where the next gradient may be a view of that very memory."""
    dtype = getattr(minigrad, dtype)
    given = [minigrad.arange(12.).reshape(3, 4).to(dtype) * k for k in (1, 2, 3)]
    x = minigrad.zeros(3, 4, dtype=dtype, requires_grad=True)
    layouts = [lambda g: g, lambda g: g.mT.contiguous().mT, lambda g: minigrad.stack([g, g], -1)[..., 0]]
    for first in layouts:
        for second in layouts:
            x.grad = None
            minigrad.autograd.backward([x * 1, x * 1, x * 1], [first(given[0]), second(given[1]), first(given[2])])
            assert x.grad.dtype == dtype and x.grad.equal(given[0] * 6)
            x.backward(second(given[0]))
            assert x.grad.equal(given[0] * 7)
    y = minigrad.zeros(40, 40, dtype=dtype, requires_grad=True)
    numbers = minigrad.arange(1600.).remainder(31).reshape(40, 40).to(dtype)
    y.backward(numbers)
    y.backward(y.grad.t())
    assert y.grad.equal(numbers + numbers.t())
