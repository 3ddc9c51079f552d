"""``allow_mutation_on_saved_tensors``: a copy is made before the write, wherever in the memory it goes."""

import gc
import threading

import pytest

import minigrad
from minigrad.autograd.graph import allow_mutation_on_saved_tensors
from tests.autograd.programs import leaf
from tests.checking import is_minigrad, refuses


def allowed(torch):
    return torch.autograd.graph.allow_mutation_on_saved_tensors()


# ------------------------------------------------------------------------------ right gradients

def test_the_example_of_the_manual(torch):
    with allowed(torch):
        a = torch.ones(2, 3, requires_grad=True)
        b = a.clone()
        out = (b ** 2).sum()
        b.sin_()
        out.sum().backward()
    assert a.grad.tolist() == [[2.] * 3] * 2 and b.tolist()[0] == pytest.approx([0.841471] * 3)


def test_without_it_the_pass_raises(torch):
    b = leaf(torch, 1., 2.) * 1
    out = (b ** 2).sum()
    b.sin_()
    with refuses(RuntimeError, "modified by an inplace operation", "MG101"):
        out.backward()


WRITES = {
    "add_": lambda torch, b: b.add_(5), "mul_": lambda torch, b: b.mul_(3), "zero_": lambda torch, b: b.zero_(),
    "copy_": lambda torch, b: b.copy_(torch.ones(3)),
    "sin_": lambda torch, b: b.sin_(), "index": lambda torch, b: b.__setitem__(slice(0, 2), 7.),
    "mask": lambda torch, b: b.__setitem__(b > 1, 0.),
    "by itself": lambda torch, b: b.mul_(b), "through a detached alias": lambda torch, b: b.detach().mul_(3),
    "unrecorded": lambda torch, b: unrecorded(torch, b), "twice": lambda torch, b: (b.mul_(2), b.mul_(2)),
}


def unrecorded(torch, b):
    with torch.no_grad():
        b.mul_(3)


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("f", ["square", "cube", "exp", "by itself", "sum of products"])
def test_the_values_of_before_are_used(torch, write, f):
    f = {"square": lambda b: b ** 2, "cube": lambda b: b ** 3, "exp": lambda b: b.exp(), "by itself": lambda b: b * b,
         "sum of products": lambda b: (b * b.sin()).cumsum(0)}[f]
    a = leaf(torch, 1., 2., 3.)
    (expected,) = torch.autograd.grad(f(a * 1).sum(), a)
    with allowed(torch):
        b = a * 1
        out = f(b).sum()
        WRITES[write](torch, b)
        out.backward()
    assert a.grad.tolist() == pytest.approx(expected.tolist())


def mark_dirty(torch, b):
    class Triple(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(3)

        @staticmethod
        def backward(ctx, g):
            return g * 3

    return Triple.apply(b)


ROWS = [0, 1]
METHODS = {
    "fill_": lambda torch, b: b.fill_(9.), "normal_": lambda torch, b: b.normal_(),
    "uniform_": lambda torch, b: b.uniform_(),
    "masked_fill_": lambda torch, b: b.masked_fill_(b > 1, 0.),
    "index_add_": lambda torch, b: b.index_add_(0, torch.tensor(ROWS), torch.ones(2, 2)),
    "index_copy_": lambda torch, b: b.index_copy_(0, torch.tensor(ROWS), torch.ones(2, 2)),
    "index_fill_": lambda torch, b: b.index_fill_(0, torch.tensor(ROWS), 5.),
    "index_put_": lambda torch, b: b.index_put_((torch.tensor(ROWS),), torch.ones(2, 2)),
    "scatter_": lambda torch, b: b.scatter_(0, torch.tensor([[0, 0]]), 7.),
    "scatter_add_": lambda torch, b: b.scatter_add_(0, torch.tensor([[0, 0]]), torch.ones(1, 2)),
    "addcmul_": lambda torch, b: b.addcmul_(torch.ones(1), torch.ones(1)),
    "lerp_": lambda torch, b: b.lerp_(torch.zeros(3, 2), 0.5),
    "clamp_": lambda torch, b: b.clamp_(0, 1), "out": lambda torch, b: torch.add(torch.ones(3, 2), 1, out=b.detach()),
    "a custom Function":
        mark_dirty, "the shape: t_": lambda torch, b: b.t_(), "the shape: unsqueeze_": lambda torch, b: b.unsqueeze_(0),
    "the shape: squeeze_":
        lambda torch, b: b.squeeze_(), "the memory: set_": lambda torch, b: b.detach().set_(torch.ones(3, 2)),
}


@pytest.mark.parametrize("name", METHODS)
def test_whichever_way_it_is_written_to(torch, name):
    a = torch.arange(1., 7.).reshape(3, 2).requires_grad_()
    with allowed(torch):
        b = a * 1
        out = (b ** 3).sum()
        METHODS[name](torch, b)
        out.backward()
    assert a.grad.tolist() == [[3., 12.], [27., 48.], [75., 108.]]


def test_writing_to_a_saved_result(torch):
    a = leaf(torch, 0., 1.)
    with allowed(torch):
        b = a.exp()
        out = b.sum()
        b.mul_(3)
        out.backward()
    assert a.grad.tolist() == pytest.approx([1., 2.7182817])


def test_writing_to_a_leaf(torch):
    a = leaf(torch, 1., 2.)
    with allowed(torch):
        out = (a ** 2).sum()
        with torch.no_grad():
            a.add_(10)
        out.backward()
    assert a.grad.tolist() == [2., 4.] and a.tolist() == [11., 12.]


def test_a_product_with_itself_in_place(torch):
    a = leaf(torch, 1., 2.)
    with allowed(torch):
        b = a * 1
        b.mul_(b)
        b.sum().backward()
    assert a.grad.tolist() == [2., 4.]


def test_each_saving_sees_the_values_of_its_time(torch):
    a = leaf(torch, 1., 2., 3.)
    with allowed(torch):
        b = a * 1
        first, second = (b ** 2).sum(), (b ** 3).sum()
        b.mul_(3)
        third = (b ** 2).sum()
        b.zero_()
        (first + second + third).backward()
    assert a.grad.tolist() == [2 * x + 3 * x * x + 18 * x for x in (1., 2., 3.)]


def test_a_custom_function(torch):
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x ** 2

        @staticmethod
        def backward(ctx, g):
            return 2 * g * ctx.saved_tensors[0]

    a = leaf(torch, 1., 2.)
    with allowed(torch):
        b = a * 1
        out = Square.apply(b).sum()
        b.mul_(3)
        out.backward()
    assert a.grad.tolist() == [2., 4.]


def test_a_double_backward(torch):
    a = leaf(torch, 1., 2., 3.)
    with allowed(torch):
        b = a * 1
        out = (b ** 3).sum()
        b.mul_(3)
        (g,) = torch.autograd.grad(out, a, create_graph=True)
        (h,) = torch.autograd.grad(g.sum(), a)
    assert g.tolist() == [3., 12., 27.] and h.tolist() == [6., 12., 18.]


def test_a_second_pass(torch):
    a = leaf(torch, 1., 2.)
    with allowed(torch):
        b = a * 1
        out = (b ** 2).sum()
        out.backward(retain_graph=True)
        b.mul_(3)
        out.backward()
        assert a.grad.tolist() == [4., 8.]
        with refuses(RuntimeError, "backward through the graph a second time", "MG102"):
            out.backward()


def test_what_is_shown_of_it(torch):
    a = leaf(torch, 1., 2.)
    with allowed(torch):
        b = a * 1
        node, before = (b ** 2).grad_fn, b.grad_fn
        b.mul_(3)
        assert node._saved_self.tolist() == [1., 2.] and node._saved_self.grad_fn is before and b.grad_fn is not before


# ---------------------------------------------------------------- views at any offset: PyTorch gets some of these wrong

VIEWS = {
    "the whole": lambda b: b, "from the start": lambda b: b[:2], "from an offset": lambda b: b[1:],
    "one element": lambda b: b[2],
    "every other": lambda b: b[::2],
    "of a view": lambda b: b[1:][1:], "reshaped": lambda b: b.view(3, 1)[1:], "turned": lambda b: b.view(1, 3).t()[1:],
}


@pytest.mark.parametrize("saved", VIEWS)
@pytest.mark.parametrize("written", VIEWS)
def test_saved_through_one_view_and_written_through_another(saved, written):
    import minigrad as torch

    a = leaf(torch, 1., 2., 3.)
    (expected,) = torch.autograd.grad((VIEWS[saved](a * 1) ** 3).sum(), a)
    with allowed(torch):
        b = a * 1
        out = (VIEWS[saved](b) ** 3).sum()
        VIEWS[written](b).mul_(10)
        out.backward()
    assert a.grad.tolist() == expected.tolist()


@pytest.mark.parametrize("index", [0, 1, -1, slice(1, None), slice(None, None, 2), [0, 2]])
def test_index_assignment_anywhere(index):
    import minigrad as torch

    a = leaf(torch, 1., 2., 3.)
    with allowed(torch):
        b = a * 1
        out = (b ** 2).sum()
        b[index] = 7.
        out.backward()
    assert a.grad.tolist() == [2., 4., 6.]


@pytest.mark.parametrize("written", [name for name in VIEWS if name not in ("one element", "reshaped", "turned")])
def test_saved_whole_and_written_in_part(torch, written):
    """What PyTorch gets right as well: the write at an offset, where the saved tensor begins at the beginning of it."""
    a = leaf(torch, 1., 2., 3.)
    with allowed(torch):
        b = a * 1
        v = VIEWS[written](b)
        out = (v ** 3).sum()
        v.mul_(10)
        out.backward()
    expected = [0., 0., 0.]
    for k in {"the whole": (0, 1, 2), "from the start": (0, 1), "from an offset": (1, 2), "every other": (0, 2),
              "of a view": (2,)}[written]:
        expected[k] = 3. * (k + 1) ** 2
    assert a.grad.tolist() == expected


# ------------------------------------------------------------------------------ the context

def test_the_state(torch):
    with allowed(torch) as context:
        assert type(context).__name__ == "_AllowMutationOnSavedContext"
        a = leaf(torch, 1., 2.)
        b = a * 1
        out = (b ** 2).sum()
        assert len(context.original) == 1 and len(context.cloned) == 0
        b.mul_(3)
        assert len(context.original) == 0 and len(context.cloned) == 1
        out.backward()
        assert len(context.original) == 0 and len(context.cloned) == 0
        kept = (b ** 2).sum()
        assert len(context.original) == 1
    assert len(context.original) == 0 and len(context.cloned) == 0 and kept is not None


def test_what_the_graph_lets_go_is_forgotten(torch):
    with allowed(torch) as context:
        a = leaf(torch, 1., 2.)
        for _ in range(3):
            b = a * 1
            out = (b ** 2).sum()
            b.mul_(3)
            del out, b
        gc.collect()
        assert len(context.original) == 0 and len(context.cloned) == 0


def test_nothing_is_copied_without_need():
    import minigrad as torch

    with allowed(torch) as context:
        a = leaf(torch, 1., 2.)
        b = a * 1
        out = b ** 2
        assert out.grad_fn._saved_self.data_ptr() == b.data_ptr()
        torch.ones(2).mul_(2)
        (a * 1).mul_(2)
        assert len(context.cloned) == 0
        out.sum().backward()
        b.mul_(3)                           # nobody needs it any more
        assert len(context.cloned) == 0


def test_backward_after_the_end(torch):
    with allowed(torch):
        a = leaf(torch, 1., 2.)
        b = a * 1
        written, untouched = (b ** 2).sum(), (a ** 2).sum()
        b.mul_(3)
    for out in (written, untouched):
        with refuses(AssertionError, "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context",
                     "MG124"):
            out.backward()
        with allowed(torch):
            with refuses(AssertionError, "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context",
                         "MG124"):
                out.backward()
    if is_minigrad(torch):
        with refuses(RuntimeError, "Trying to backward outside", "MG124"):
            untouched.backward()


def test_clear(torch):
    with allowed(torch) as context:
        out = (leaf(torch, 1., 2.) ** 2).sum()
        context.clear()
        with refuses(AssertionError, "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context",
                     "MG124"):
            out.backward()


def test_blocks_cannot_be_nested(torch):
    with allowed(torch):
        with refuses(RuntimeError, "allow_mutation_on_saved_tensors contexts cannot be nested", "MG122"):
            with allowed(torch):
                pass
    if is_minigrad(torch):                  # PyTorch forgets the outer one
        with allowed(torch):
            with pytest.raises(RuntimeError):
                with allowed(torch):
                    pass
            with refuses(RuntimeError, "cannot be nested", "MG122"):
                with allowed(torch):
                    pass
            a = leaf(torch, 1.)
            b = a * 1
            out = (b ** 2).sum()
            b.mul_(3)
            out.backward()
            assert a.grad.tolist() == [2.]
    with allowed(torch):
        pass


def test_a_block_that_raised_is_left(torch):
    with pytest.raises(KeyError):
        with allowed(torch):
            raise KeyError
    with allowed(torch):
        pass
    b = leaf(torch, 1.) * 1
    out = b ** 2
    b.mul_(3)
    with refuses(RuntimeError, "modified by an inplace operation", "MG101"):
        out.backward()


def test_as_a_decorator(torch):
    @torch.autograd.graph.allow_mutation_on_saved_tensors()
    def step():
        a = leaf(torch, 1., 2.)
        b = a * 1
        out = (b ** 2).sum()
        b.mul_(3)
        out.backward()
        return a.grad.tolist()

    assert step() == step() == [2., 4.]


def test_blocks_of_two_threads():
    """Each thread has its own; PyTorch has one for all."""
    import minigrad as torch

    results, both = [], threading.Barrier(2)

    def work():
        a = leaf(torch, 1., 2.)
        with allowed(torch):
            both.wait()
            b = a * 1
            out = (b ** 2).sum()
            b.mul_(3)
            both.wait()
            out.backward()
        results.append(a.grad.tolist())

    threads = [threading.Thread(target=work) for _ in range(2)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert results == [[2., 4.]] * 2


def test_a_block_does_not_act_in_another_thread():
    import minigrad as torch

    seen = []

    def work():
        b = leaf(torch, 1.) * 1
        out = b ** 2
        b.mul_(3)
        try:
            out.backward()
        except RuntimeError as mistake:
            seen.append(mistake.code)

    with allowed(torch):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert seen == ["MG101"]


def test_a_pass_in_another_thread(torch):
    a = leaf(torch, 1., 2.)
    with allowed(torch):
        b = a * 1
        out = (b ** 2).sum()
        b.mul_(3)
        thread = threading.Thread(target=out.backward)
        thread.start()
        thread.join()
    assert a.grad.tolist() == [2., 4.]


# ------------------------------------------------------------------------------ with the other contexts

def test_a_graph_from_before_the_block(torch):
    b = leaf(torch, 1., 2.) * 1
    out = (b ** 2).sum()
    with allowed(torch):
        b.mul_(3)
        with refuses(RuntimeError, "modified by an inplace operation", "MG101"):
            out.backward()


def test_a_write_after_the_block_to_a_graph_from_before(torch):
    a = leaf(torch, 1., 2.)
    with allowed(torch):
        b = a * 1
        out = (b ** 2).sum()
        out.backward(retain_graph=True)
    b.mul_(3)                               # nobody keeps anything any more
    assert a.grad.tolist() == [2., 4.] and b.tolist() == [3., 6.]


def test_inside_hooks_the_innermost_counts(torch):
    packed, a = [], leaf(torch, 1., 2.)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: (packed.append(1), t.detach())[1], lambda t: t):
        with allowed(torch):
            b = a * 1
            out = (b ** 2).sum()
            b.mul_(3)
            out.backward()
        assert packed == [] and a.grad.tolist() == [2., 4.]
        a.exp()
        assert packed == [1]


def test_hooks_inside_it_are_the_innermost(torch):
    a = leaf(torch, 1., 2.)
    with allowed(torch):
        b = a * 1
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t.tolist(), torch.tensor):
            out = (b ** 2).sum()
        b.mul_(3)
        out.backward()
    assert a.grad.tolist() == [2., 4.]


def test_a_write_that_was_counted_by_hand():
    """It has happened already: nothing can be copied any more, so the pass raises."""
    import minigrad as torch

    with allowed(torch):
        b = leaf(torch, 1., 2.) * 1
        out = (b ** 2).sum()
        b.detach().numpy()[0] = 100.
        torch.autograd.graph.increment_version(b)
        with refuses(RuntimeError, "modified by an inplace operation", "MG101"):
            out.backward()


def test_no_grad_and_inference_mode_in_it(torch):
    a = leaf(torch, 1., 2.)
    with allowed(torch):
        b = a * 1
        out = (b ** 2).sum()
        with torch.inference_mode():
            b.mul_(3)
        out.backward()
    assert a.grad.tolist() == [2., 4.]


def test_accumulating_into_a_gradient_that_was_saved():
    x, w = minigrad.ones(4, requires_grad=True), minigrad.ones(4, requires_grad=True)
    with allow_mutation_on_saved_tensors():
        x.grad = minigrad.ones(4)
        z = x.grad * w
        (x * 3).sum().backward()
        z.sum().backward()
    assert x.grad.tolist() == [4] * 4 and w.grad.tolist() == [1] * 4


def test_a_result_is_written_over_what_a_context_kept_that_has_ended():
    x, w = leaf(minigrad, 1., 2.), minigrad.tensor([3., 4.])
    with allow_mutation_on_saved_tensors():
        y = x * w
    minigrad.mul(w, w, out=w)
    assert w.tolist() == [9., 16.] and w._version == 1
    with refuses(RuntimeError, "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context", "MG124"):
        y.sum().backward()
