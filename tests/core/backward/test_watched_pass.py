"""A story of a backward pass hears of each step as it happens, with the numbers that are computed."""

import pytest

import minigrad
from minigrad._core.backward import watched_pass

STEPS = ["begin", "enter", "hook", "unpacked", "leave", "deliver", "accumulate", "capture", "end"]


class Story:
    """Writes down each step, with plain numbers in place of tensors and arrays, and names in place of nodes."""

    def __init__(self):
        self.steps = []

    def __getattr__(self, step):
        assert step in STEPS
        return lambda *told: self.steps.append((step, *map(plain, told)))

    def named(self, step):
        return [told for name, *told in self.steps if name == step]


def plain(x):
    if isinstance(x, (list, tuple)):
        return type(x)(map(plain, x))
    return (x.tolist() if hasattr(x, "tolist") else minigrad.autograd.graph.Node.name(x)
            if isinstance(x, minigrad.autograd.graph.Node) else x)


@pytest.fixture
def story():
    told = Story()
    before = watched_pass.set_story(told)
    yield told
    assert watched_pass.set_story(before) is told


def leaf(*values):
    return minigrad.tensor(values, requires_grad=True)


def test_each_step_in_its_order(story):
    x = leaf(2., 3.)
    x.grad = minigrad.tensor([10., 20.])
    (x * x).sum().backward()
    assert story.steps == [
        ("begin", [("SumBackward0", 0)], [1.], False, False),
        ("enter", "SumBackward0", (1.,)),
        ("leave", "SumBackward0", (1.,), ([1., 1.],)),
        ("deliver", "SumBackward0", 0, [1., 1.], [1., 1.]),
        ("enter", "MulBackward0", ([1., 1.],)),
        ("leave", "MulBackward0", ([1., 1.],), ([2., 3.], [2., 3.])),
        ("deliver", "MulBackward0", 0, [2., 3.], [2., 3.]),
        ("deliver", "MulBackward0", 1, [2., 3.], [4., 6.]),
        ("enter", "AccumulateGrad", ([4., 6.],)),
        ("accumulate", "AccumulateGrad", [2., 3.], [10., 20.], [4., 6.], [14., 26.]),
        ("end", None)]


@pytest.mark.filterwarnings("ignore:Using backward")
def test_what_is_delivered_fits_the_input(story):
    x, w = leaf(1., 1.), leaf(3.)
    (x * w).sum().backward(retain_graph=True, create_graph=True)
    assert story.steps[0] == ("begin", [("SumBackward0", 0)], [1.], True, True)
    assert story.named("leave")[1] == ["MulBackward0", ([1., 1.],), ([3., 3.], [1., 1.])]
    assert story.named("deliver")[1:] == [["MulBackward0", 0, [3., 3.], [3., 3.]], ["MulBackward0", 1, [2.], [2.]]]


def test_hooks(story):
    def thrice(gradient):
        return gradient * 3

    def before(gradients):
        return (gradients[0] * 5,)

    def after(results, gradients):
        return None

    def kept(tensor):
        tensor.grad = None

    x = leaf(1.)
    y = x.exp()
    y.register_hook(thrice)
    y.grad_fn.register_prehook(before)
    y.grad_fn.register_hook(after)
    x.register_post_accumulate_grad_hook(kept)
    y.backward()
    e = y.item()
    told = [(node, where, hook) for node, where, hook, _, _ in story.named("hook")]
    assert told == [("ExpBackward0", "tensor", thrice), ("ExpBackward0", "prehook", before),
                    ("ExpBackward0", "posthook", after), ("AccumulateGrad", "post-accumulate", kept)]
    assert [(received, returned) for _, _, _, received, returned in story.named("hook")][:3] == [
        (([1.],), [3.]), ((([3.],),), ([15.],)), ((([pytest.approx(15 * e)],), ([15.],)), None)]


def test_what_is_unpacked_and_captured(story):
    x = leaf(2.)
    with minigrad.autograd.graph.saved_tensors_hooks(lambda t: t.item(), lambda number: minigrad.tensor([number + 1])):
        y = x.pow(2)
    minigrad.autograd.grad(y, x)
    # each slot: the base, by way of the hooks, and the exponent
    assert story.named("unpacked") == [["PowBackward0", ([3.], 2)]]
    assert story.named("capture") == [["AccumulateGrad", 0, [6.]]] and story.named("accumulate") == []


def test_a_pass_that_fails(story):
    x = leaf(1.)
    y = x * 2
    y.register_hook(lambda gradient: 1 / 0)
    with pytest.raises(ZeroDivisionError) as caught:
        y.backward()
    assert story.steps[-1] == ("end", caught.value) and len(story.named("end")) == 1


def test_a_pass_inside_a_pass(story):
    inner, x = leaf(5.).exp(), leaf(1.)
    y = x * 2
    y.register_hook(lambda gradient: inner.backward())
    y.backward()
    assert [step for step, *_ in story.steps if step in ("begin", "end", "hook")] == ["begin", "begin", "end", "hook",
                                                                                      "end"]


def test_a_node_that_is_captured_and_needed_is_timed():
    x = leaf(2., 3.)
    y = x * x
    with minigrad.autograd.profiler.profile() as profile:
        dx, dy = minigrad.autograd.grad(y.exp().sum(), [x, y])
        dy_alone, = minigrad.autograd.grad((y * 2).sum(), [y])
    names = [event.name for event in profile.function_events]
    assert names.count("MulBackward0") == 2, "that of y once, and that of y * 2"
    assert dx.tolist() == (dy * 2 * x).tolist() and dy_alone.tolist() == [2, 2]
