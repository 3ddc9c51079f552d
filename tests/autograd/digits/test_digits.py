"""How digits are counted, where shadows live, what other modes see of it, and that all is as it was afterwards."""

import gc
import threading
import weakref

import numpy as np
import pytest

import minigrad
from minigrad import nn
from minigrad._core.backward import watched_pass
from minigrad._core.graph import Tensor
from minigrad._core.graph.listener import listening
from minigrad.autograd.digits import HAS_EXTENDED
from tests.checking import refuses

torch = minigrad        # as users call it


@pytest.fixture(autouse=True)
def the_same_numbers_in_every_run():
    torch.manual_seed(0)


def positive(*shape, grad=False, dtype=None):
    return (torch.rand(*shape, dtype=dtype) + 0.5).requires_grad_(grad)


def shadow(report, x):
    """What ``x`` would be with more precision."""
    found = report._watching.shadows.read(x._array)
    assert not found.unknown
    return x.numpy(force=True).astype(float) if found.high is None else np.asarray(found.high, float)


# ------------------------------------------------------------------------------ digits

def test_full_digits_by_dtype():
    for dtype, digits in ((torch.float16, "3.3"), (torch.float32, "7.2"), (torch.float64, "16.0")):
        with torch.autograd.digits() as report:
            x = torch.ones(3, dtype=dtype)
        assert str(report.of(x)) == f"{digits} of {digits} digits"


def test_bfloat16():
    pytest.importorskip("ml_dtypes")
    with torch.autograd.digits() as report:
        y = torch.ones(3, dtype=torch.bfloat16) / 3
    assert 2.4 < report.of(y).full < 2.5 and report.of(y).worst > 2.4


def test_half_an_ulp_is_all_digits():
    with torch.autograd.digits() as report:
        y = torch.tensor(1.) / 3
    assert report.of(y).worst == report.of(y).full and report.losses == []


def test_an_entry_has_the_digits_of_its_own():
    with torch.autograd.digits() as report:
        y = torch.exp(torch.tensor([1e-5, 1., 1.])) - 1
    assert report.of(y).worst < 3.6 < 7 < report.of(y).median


def test_what_is_nearly_0_among_large_numbers_is_not_reported():
    x = torch.tensor([1e-5, *[1.] * 30])
    with torch.autograd.digits() as report:
        y = torch.exp(x) - 1
    assert report.of(y).worst < 3.6 and report.losses == []


def test_complex_numbers():
    z = torch.tensor([1 + 1e-5j, 2 + 1j])
    with torch.autograd.digits() as report:
        y = (z * 1.1) * (z * 1.3)
        w = torch.exp(z[:1] * 1e-6) - 1
    assert report.of(y).worst > 6.5
    assert report.worst.kind == "cancellation" and report.of(w).worst < 3


def test_inputs_are_exact_whatever_they_are():
    with torch.autograd.digits() as report:
        y = torch.tensor(0.1) * 1
    assert report.of(y).error == 0


@pytest.mark.skipif(not HAS_EXTENDED, reason="longdouble is double here")
def test_what_has_no_way_is_unknown_and_so_is_what_comes_of_it():
    x = torch.rand(3, dtype=torch.float64) + 1
    with torch.autograd.digits() as report:
        y = torch.special.digamma(x)
        z = y + 1
        known = x.exp() + 1
    assert report.of(y) is None and report.of(z) is None and report.of(known) is not None
    assert "unknown: digamma" in report.table()


def test_without_more_precision_float64_is_unknown(monkeypatch):
    from minigrad.autograd.digits import higher_precision, shadow_memory
    monkeypatch.setattr(higher_precision, "HAS_EXTENDED", False)
    monkeypatch.setattr(shadow_memory, "HAS_EXTENDED", False)
    shadow_memory.wider.cache_clear()
    try:
        with torch.autograd.digits() as report:
            y = torch.rand(3, dtype=torch.float64).exp()
            z = torch.rand(3).exp()
        assert report.of(y) is None and report.of(z).worst > 6
    finally:
        shadow_memory.wider.cache_clear()


# ------------------------------------------------------------------------------ shadows

def in_double(program):
    """What the program gives in float64, from the same float32 numbers."""
    return program(lambda x: torch.from_numpy(x.astype(float)))


def chain(given):
    x = given(np.linspace(0.5, 2, 24, dtype=np.float32).reshape(4, 6)).requires_grad_()
    return x, torch.tanh(x.exp() * 0.3 @ x.T).sum()


def writes(given):
    x = given(np.linspace(0.5, 2, 12, dtype=np.float32).reshape(3, 4)).requires_grad_()
    y = x * 1.25
    y[0] = x[1] * x[2]
    y.T[2:].mul_(x.T[:2].exp())
    y[:, 1].add_(y[:, 0], alpha=0.5)
    return x, y.log().sum() + y[1:, ::2].sum()


def used_often(given):
    x = given(np.linspace(0.5, 2, 5, dtype=np.float32)).requires_grad_()
    h = torch.stack((x, x * x, x.sin()))
    return x, (h[0] * h[1] - h[2].cumsum(0)).softmax(0)[2] + h.max(0).values.sum() + torch.cat((x, x)).norm()


def hooked(given):
    x = given(np.linspace(0.5, 2, 5, dtype=np.float32)).requires_grad_()
    x.register_hook(lambda d: d * 1.5)
    h = x.exp()
    h.register_hook(lambda d: d / 3)
    h.grad_fn.register_hook(lambda given, arrived: tuple([d * 1.25 for d in given]))
    return x, h.sum()


def twice(given):
    x, y = chain(given)
    d, = torch.autograd.grad(y, x, create_graph=True)
    return x, (d * d).sum()


def mapped(given):
    x = given(np.linspace(0.5, 2, 12, dtype=np.float32).reshape(3, 4)).requires_grad_()
    return x, torch.vmap(lambda row: (row.exp() * row).sum() / row[0])(x).sum()


def layers(given):
    x = given(np.linspace(0.1, 2, 72, dtype=np.float32).reshape(2, 1, 6, 6)).requires_grad_()
    weight = given(np.linspace(0.1, 0.4, 9, dtype=np.float32).reshape(1, 1, 3, 3))
    y = nn.functional.conv2d(x, weight).relu()
    return x, nn.functional.max_pool2d(y, 2).square().mean()


def large(given):
    x = given(np.linspace(0.5, 2, 9000, dtype=np.float32).reshape(90, 100)).requires_grad_()
    h = (x.exp() * 0.3 + x - 2 / x).abs().sqrt() + 0.5
    h[::2] *= x[1::2]
    return x, ((h @ x.T).relu() * x[:, :90].T.contiguous()).mean() + h.T.reshape(-1)[5:].sum()


@pytest.mark.parametrize("program", [chain, writes, used_often, hooked, twice, mapped, layers, large])
def test_shadows_are_the_program_in_double(program):
    with torch.autograd.digits() as report:
        x, y = program(torch.from_numpy)
        y.backward()
    exact, wanted = in_double(program)
    wanted.backward()
    assert not report._watching.unknown
    np.testing.assert_allclose(shadow(report, y), wanted.numpy(force=True), rtol=1e-12)
    np.testing.assert_allclose(shadow(report, x.grad), exact.grad.numpy(force=True), rtol=1e-11)
    assert (x.grad.numpy(force=True) != exact.grad.numpy(force=True)).any()


def test_a_gradient_is_added_to_grad_with_its_digits():
    x = positive(5, grad=True)
    with torch.autograd.digits() as report:
        for _ in range(3):
            x.exp().sum().backward()
    exact = x.detach().double().exp().numpy() * 3
    np.testing.assert_allclose(shadow(report, x.grad), exact, rtol=1e-14)


def test_retained_gradients_and_out():
    x, z = positive(5, grad=True), torch.empty(5)
    with torch.autograd.digits() as report:
        h = x.exp()
        h.retain_grad()
        (h * h).sum().backward()
        torch.exp(x.detach(), out=z)
    np.testing.assert_allclose(shadow(report, h.grad), 2 * x.detach().double().exp().numpy(), rtol=1e-14)
    np.testing.assert_allclose(shadow(report, z), x.detach().double().exp().numpy(), rtol=1e-14)


def test_numbers_of_others_are_exact_and_counted():
    with torch.autograd.digits() as report:
        x = positive(5).exp()
        x.numpy()[2] = 7
        y = x * 1.0
    assert shadow(report, y)[2] == 7 and (shadow(report, y) != y.numpy().astype(float)).any()
    assert "1 numbers were not written by operations" in report.table()


def test_random_numbers_are_exact():
    with torch.autograd.digits() as report:
        x = torch.randn(5)
        y = x.exp().normal_()
        z = torch.bernoulli(torch.sigmoid(x))
    assert all([report.of(t).error == 0 for t in (x, y, z)])


def test_a_graph_from_before_the_block_is_unknown():
    x = positive(3, grad=True)
    y = x.exp().sum()
    with torch.autograd.digits() as report:
        y.backward()
        z = x.grad * 2
    assert report.of(x.grad) is None and report.of(z) is None


def test_shadows_go_with_their_tensors():
    with torch.autograd.digits() as report:
        x = positive(50).exp()
        n = len(report._watching.shadows.memories)
        for _ in range(20):
            x.exp()
        assert len(report._watching.shadows.memories) == n


# ------------------------------------------------------------------------------ decisions

def test_a_comparison_that_would_turn_out_otherwise():
    x = torch.tensor(1e8)
    with torch.autograd.digits() as report:
        y = (x + 1) > 1e8
    assert not y and "gt at " in report.table() and "would decide otherwise" in report.table()


def test_an_index_is_followed():
    x = torch.tensor([1e8, 1e8])
    with torch.autograd.digits() as report:
        y = x + torch.tensor([0., 1.])
        found = y.max(0)
        place = y.argmax()
    assert found.indices == 0 and place == 0
    assert shadow(report, found.values) == 1e8
    assert "max at " in report.table() and "argmax at " in report.table()


def test_a_kink_is_where_the_program_has_it():
    x = torch.tensor(1e8, requires_grad=True)
    with torch.autograd.digits() as report:
        y = ((x + 1) - 1e8).relu()
        y.backward()
    assert x.grad == 0 and shadow(report, x.grad) == 0
    assert "ReluBackward0 at " in report.table()


def test_sound_decisions_are_silent():
    with torch.autograd.digits() as report:
        x = positive(50).exp()
        torch.where(x > 2, x, -x).sort()
    assert "otherwise" not in report.table()


# ------------------------------------------------------------------------------ the report

def one_pass(x):
    return (x * x).mean() - x.mean() ** 2


def test_the_worst_loss():
    x = torch.tensor([10000., 10001., 10002.])
    with torch.autograd.digits() as report:
        variance = one_pass(x)
    loss = report.worst
    assert (loss.kind, loss.operation, loss.result) == ("cancellation", "sub", "sub")
    assert loss.file == __file__ and loss.text == "return (x * x).mean() - x.mean() ** 2"
    assert "torch.var" in loss.advice and loss.digits == report.of(variance).worst == 0
    assert str(loss).startswith("cancellation at ") and "`return (x * x).mean()" in str(loss)
    assert repr(loss).startswith("<cancellation in sub, ")


def test_the_table_begins_with_what_lost_most():
    with torch.autograd.digits() as report:
        one_pass(torch.tensor([10000., 10001., 10002.]))
    head, rule, first, *rest = report.table().splitlines()
    assert head.split() == ["digits", "median", "itself", "inherited", "calls", "operation", "line"]
    assert set(rule) == {"-"}
    assert first.split()[:8] == ["0.0", "of", "7.2", "0.0", "0.0", "7.2", "1", "sub"]
    assert len([line for line in rest if "test_digits.py" in line]) >= 3
    assert "lines more" in report.table(row_limit=1)


def test_a_sound_table_says_so():
    with torch.autograd.digits() as report:
        y = positive(3).exp()
    assert "No result has lost half of its digits." in report.table() and y is not None


def test_the_backward_pass_is_in_it():
    x = torch.tensor(1e-4, requires_grad=True)
    with torch.autograd.digits() as report:
        y = (torch.exp(x) - 1) / x
        y.backward()
    assert report.worst.result == "sum of gradients" and "DivBackward0" in report.table()
    assert report.of(x.grad).worst < 1 < report.of(y).worst


def test_what_a_large_result_has_lost_itself():
    x = positive(5000)
    x[:2] = 1e-5
    with torch.autograd.digits() as report:
        few = torch.exp(torch.where(x < 0.1, x, 5.)) - 1           # two entries of 5000 have lost their digits
        many = torch.exp(x * 1e-5) - 1
        part = torch.exp(torch.where(x[:4000] < 0.1, x[:4000], 5.)) - 1
    few, many, part = [report._watching.shadows.read(y._array).record for y in (few, many, part)]
    assert few.own is None and few.measured.worst < 4 and not few.measured.is_bad
    assert many.own.worst == part.own.worst == many.own.full > part.measured.worst
    line, = [line for line in report.table().splitlines() if " sub " in line and "few" in line]
    assert line.split()[4:6] == ["1", "sub"]


def test_what_does_not_matter_is_in_the_table_alone():
    def kahan(numbers):
        total = lost = torch.zeros(())
        for x in numbers:
            y = x - lost
            new = total + y
            lost = (new - total) - y
            total = new
        return total

    numbers = positive(100)
    with torch.autograd.digits() as report:
        total = kahan(numbers)
    assert report.losses == [] and report.of(total).worst > 7
    assert report.table().splitlines()[2].startswith("0.0 of 7.2")


def test_the_drawing(tmp_path):
    with torch.autograd.digits() as report:
        variance = one_pass(torch.tensor([10000., 10001., 10002.]))
        unknown = torch.special.digamma(torch.rand(3, dtype=torch.float64)).exp()
    drawing = report.graph()
    assert drawing.svg.startswith("<svg") and "mg-tone-0" in drawing.svg and "mg-tone-4" in drawing.svg
    assert str(drawing).startswith("sub 0.0 of 7.2") and " -> mean 7.2 of 7.2" in str(drawing)
    assert drawing.save(tmp_path / "digits.svg").read_text().count("mg-vertex mg-tone") == 4
    assert "digraph" in drawing.dot and variance is not unknown


def test_unknown_is_grey():
    with torch.autograd.digits() as report:
        y = torch.special.digamma(torch.rand(3, dtype=torch.float64)).exp()
    assert "mg-tone-unknown" in report.graph().svg and y is not None


def test_a_large_drawing_is_cut():
    with torch.autograd.digits() as report:
        x = positive(3)
        for _ in range(100):
            x = x.sin()
    assert report.graph().svg.count('<g class="mg-vertex') == 40


def test_nothing_to_draw():
    with torch.autograd.digits() as report:
        pass
    with refuses(RuntimeError, "nothing to draw", "MG204"):
        report.graph()


def test_it_is_read_after_the_block():
    with torch.autograd.digits() as report:
        with refuses(RuntimeError, "read it after the `with`", "MG505"):
            report.table()
        assert "has not ended" in repr(report)
    assert "0 results" in repr(report)
    with refuses(TypeError, "expected a tensor", "MG205"):
        report.of(3)


# ------------------------------------------------------------------------------ other modes, and the end

def test_all_is_as_it_was_after_an_error():
    class Problem(Exception):
        pass

    with pytest.raises(Problem):
        with torch.autograd.digits() as report:
            assert listening() is not None
            x = torch.exp(torch.tensor(1e-5)) - 1
            raise Problem
    assert listening() is None and watched_pass.set_story(None) is None
    assert report.worst.kind == "cancellation" and x is not None


def test_an_operation_that_fails_leaves_it_on():
    with torch.autograd.digits() as report:
        with pytest.raises(RuntimeError):
            torch.ones(2, 3) @ torch.ones(2, 3)
        y = torch.exp(torch.tensor(1e-5)) - 1
    assert report.of(y).worst < 3.6


def test_an_interrupt_passes(monkeypatch):
    def interrupted(self, *args):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        with torch.autograd.digits() as report:
            monkeypatch.setattr(report._watching, "results", interrupted.__get__(report._watching))
            torch.ones(3).exp()
    assert listening() is None


def test_one_at_a_time():
    with torch.autograd.digits():
        with refuses(RuntimeError, "cannot be nested", "MG505"):
            with torch.autograd.digits():
                pass
        with refuses(RuntimeError, "cannot be nested", "MG505"):
            with torch.autograd.profiler.profile():
                pass
        assert listening() is not None
    block = torch.autograd.digits()
    with block:
        pass
    with refuses(RuntimeError, "entered before", "MG505"):
        with block:
            pass


def test_beside_a_recorded_pass():
    before = watched_pass.set_story(object())
    try:
        with refuses(RuntimeError, "viz.record", "MG505"):
            with torch.autograd.digits():
                pass
        assert listening() is None
    finally:
        watched_pass.set_story(before)


def test_other_threads_are_not_watched():
    results = []
    with torch.autograd.digits() as report:
        thread = threading.Thread(target=lambda: results.append(torch.exp(torch.tensor(1e-5)) - 1))
        thread.start()
        thread.join()
    assert report.losses == [] and report._watching.records == []


def in_no_grad(x):
    with torch.no_grad():
        return x.exp() - 1


def in_inference_mode(x):
    with torch.inference_mode():
        return x.exp() - 1


def in_a_dual_level(x):
    with torch.autograd.forward_ad.dual_level():
        y = torch.autograd.forward_ad.make_dual(x, torch.ones_like(x)).exp() - 1
        return torch.autograd.forward_ad.unpack_dual(y).primal


def under_hooks(x):
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        return (x.clone().requires_grad_().exp() - 1).detach()


def by_jvp(x):
    return torch.func.jvp(lambda x: x.exp() - 1, (x,), (x,))[0]


def by_vmap(x):
    return torch.vmap(lambda x: x.exp() - 1)(x)


def under_a_checkpoint(x):
    from minigrad.utils.checkpoint import checkpoint
    return checkpoint(lambda x: x.exp() - 1, x, use_reentrant=False)


@pytest.mark.parametrize("program", [in_no_grad, in_inference_mode, in_a_dual_level, under_hooks, by_jvp, by_vmap,
                                     under_a_checkpoint])
def test_in_other_modes(program):
    x = torch.full((3,), 1e-5)
    with torch.autograd.digits() as report:
        y = program(x)
    assert report.of(y).worst < 3.6 and report.worst.kind == "cancellation", report.table()
    assert torch.equal(y, program(x)) and y.is_inference() == (program is in_inference_mode)


@pytest.mark.parametrize("optimizer", [torch.optim.SGD, torch.optim.Adam, torch.optim.RMSprop])
def test_training_changes_by_no_bit(optimizer):
    def train():
        torch.manual_seed(0)
        w = torch.randn(20, requires_grad=True)
        steps = optimizer([w], lr=0.1)
        for _ in range(5):
            steps.zero_grad()
            (w.sin() * w).sum().backward()
            steps.step()
        return w.detach().numpy()

    plain = train()
    with torch.autograd.digits():
        watched = train()
    np.testing.assert_array_equal(plain, watched)


def test_no_tensor_is_kept_alive():
    with torch.autograd.digits() as report:
        x = positive(10, grad=True)
        y = x.exp().sum()
        y.backward()
        gone = weakref.ref(y)
        del y
    del x
    gc.collect()
    assert gone() is None and not report._watching.shadows.alive()


def test_a_subclass_and_a_function_of_ones_own():
    class Own(Tensor):
        pass

    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x ** 3

        @staticmethod
        def backward(ctx, d):
            return 3 * ctx.saved_tensors[0] ** 2 * d

    x = positive(5, grad=True)
    with torch.autograd.digits() as report:
        y = x.detach().as_subclass(Own).exp() - 1
        Cube.apply(x).sum().backward()
    assert type(y) is Own and report.of(y).worst > 6
    np.testing.assert_allclose(shadow(report, x.grad), 3 * x.detach().double().numpy() ** 2, rtol=1e-14)


def test_numpy_inside_a_backward_of_ones_own_is_unknown():
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, d):
            return torch.from_numpy(2 * ctx.saved_tensors[0].numpy() * d.numpy())

    x = positive(5, grad=True)
    with torch.autograd.digits() as report:
        Square.apply(x).sum().backward()
    assert report.of(x.grad) is None


def test_a_player_inside_is_refused():
    x = torch.tensor([1., 2.], requires_grad=True)
    with torch.autograd.digits():
        y = (x * x).sum()
        for watch in (lambda: torch.viz.play(y), lambda: torch.viz.record().__enter__()):
            with refuses(RuntimeError, "inside a block of digits()", "MG505"):
                watch()
        y.backward()
    assert x.grad.tolist() == [2., 4.]
