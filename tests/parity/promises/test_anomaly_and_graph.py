"""Statements 111 to 158: anomaly detection, nodes, saved tensors and the hooks on them, hooks on several tensors,
writes to what was saved."""

import contextlib
import gc
import io
import traceback
import warnings
import weakref

import pytest


def leaf(torch, *values):
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)


@pytest.fixture
def failing(torch):
    """A Function whose backward raises, or makes a nan, and what the user calls."""
    class Failing(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, problem):
            ctx.problem = problem
            return x.clone()

        @staticmethod
        def backward(ctx, d):
            if ctx.problem == "error":
                raise RuntimeError("Some error in backward")
            return d * float("nan"), None

    def the_forward_call_of_the_user(x, problem):
        return Failing.apply(x, problem)

    return the_forward_call_of_the_user


def told_of(torch, mode, failing, problem):
    """Everything that is said of the failure, on the error and in warnings."""
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stderr(io.StringIO()) as printed, mode:
        warnings.simplefilter("always")
        x = leaf(torch, 1.0, 2.0)
        with pytest.raises(RuntimeError) as error:
            failing(x, problem).sum().backward()
    return "".join(traceback.format_exception(error.value)) + "".join(str(w.message)
                                                                      for w in caught) + printed.getvalue()


# ------------------------------------------------------------------------------ anomaly detection


@pytest.mark.parametrize("problem", ["error", "nan"])
@pytest.mark.filterwarnings("ignore:Anomaly Detection has been enabled")
def test_s111_s116_an_error_of_backward_shows_the_forward_call(torch, failing, problem):
    assert "the_forward_call_of_the_user" in told_of(torch, torch.autograd.detect_anomaly(), failing, problem)


@pytest.mark.filterwarnings("ignore:Anomaly Detection has been enabled")
def test_s112_any_nan_raises_by_default(torch, failing):
    assert "returned nan values" in told_of(torch, torch.autograd.detect_anomaly(), failing, "nan")


@pytest.mark.filterwarnings("ignore")
def test_s113_nan_passes_without_check_nan(torch, failing):
    x = leaf(torch, 1.0)
    with torch.autograd.detect_anomaly(check_nan=False):
        failing(x, "nan").sum().backward()
    assert x.grad.isnan().all()


def test_s114_a_warning_says_that_it_is_for_debugging(torch):
    with pytest.warns(UserWarning, match="Anomaly Detection has been enabled"), torch.autograd.detect_anomaly():
        pass


def test_s115_without_the_mode_no_forward_call_is_shown(torch, failing):
    assert "the_forward_call_of_the_user" not in told_of(torch, contextlib.nullcontext(), failing, "error")


@pytest.mark.filterwarnings("ignore")
def test_s117_s118_set_detect_anomaly_is_a_function_and_a_context(torch, failing):
    before = torch.is_anomaly_enabled()
    try:
        torch.autograd.set_detect_anomaly(True)
        assert torch.is_anomaly_enabled()
        with torch.autograd.set_detect_anomaly(False):
            assert not torch.is_anomaly_enabled()
        assert torch.is_anomaly_enabled()
        with torch.autograd.set_detect_anomaly(True, check_nan=False):
            failing(leaf(torch, 1.0), "nan").sum().backward()
    finally:
        torch.autograd.set_detect_anomaly(before)


# ------------------------------------------------------------------------------ nodes


def test_s119_behaviour_can_be_put_in_between(torch):
    x = leaf(torch, 1.0)
    y = x * 2
    y.grad_fn.register_hook(lambda inputs, outputs: tuple(g * 10 for g in inputs if g is not None)
                            + (None,) * (len(inputs) - 1))
    y.sum().backward()
    assert x.grad.tolist() == [20]


def test_s120_grad_fn_is_a_node_where_the_operation_was_recorded(torch, graph):
    x, plain = leaf(torch, 1.0), torch.ones(1)
    assert isinstance((x * 2).grad_fn, graph.Node) and (plain * 2).grad_fn is None
    with torch.no_grad():
        assert (x * 2).grad_fn is None


def test_s121_s122_what_an_operation_keeps_is_an_attribute(torch):
    a = torch.tensor([0.0, 0.0, 0.0], requires_grad=True)
    b = a.exp()
    assert torch.equal(b.grad_fn._saved_result, b)
    factor = torch.ones(3)
    assert (a * factor).grad_fn._saved_other is factor


def test_s123_dir_of_a_node(torch):
    names = dir(torch.ones(3, requires_grad=True).exp().grad_fn)
    assert {"_raw_saved_result", "_register_hook_dict", "_saved_result", "metadata", "name", "next_functions",
            "register_hook", "register_prehook", "requires_grad"} <= set(names)


# ------------------------------------------------------------------------------ hooks on what is saved


def test_s124_packing_can_put_what_is_saved_on_a_disk(torch, graph, tmp_path):
    def pack(t):
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.pt"
        torch.save(t, path)
        return path

    x = leaf(torch, 1.0, 2.0)
    with graph.saved_tensors_hooks(pack, torch.load):
        y = (x.detach() * x).exp()
    assert len(list(tmp_path.iterdir())) == 2
    y.sum().backward()
    assert torch.allclose(x.grad, x.detach() * (x.detach() ** 2).exp())


def square(torch):
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, d):
            return 2 * ctx.saved_tensors[0] * d

    return Square.apply


def test_s126_pack_runs_for_built_in_operations_and_for_functions(torch, graph):
    packed, x = [], leaf(torch, 1.0, 2.0)
    with graph.saved_tensors_hooks(lambda t: packed.append(t) or t, lambda t: t):
        x.exp()
        assert len(packed) == 1
        square(torch)(x)
        assert len(packed) == 2


def test_s127_s128_what_pack_returns_is_stored_and_unpacked_when_wanted(torch, graph):
    said, x = [], leaf(torch, 1.0, 2.0)
    with graph.saved_tensors_hooks(lambda t: ("kept", t.tolist()),
                                   lambda kept: said.append(kept) or torch.tensor(kept[1], dtype=torch.float64)):
        y = x.exp()
    assert said == []
    torch.autograd.grad(y.sum(), x, retain_graph=True)
    y.sum().backward()
    assert said == [("kept", y.tolist())] * 2


def test_s129_s130_each_result_of_pack_suits_unpack(torch, graph):
    def pack(t):
        return t.detach().numpy().tobytes()

    def unpack(content):
        return torch.tensor(memoryview(content).cast("d").tolist(), dtype=torch.float64)

    x = leaf(torch, 1.0, 2.0)
    with graph.saved_tensors_hooks(pack, unpack):
        y = (x * x.detach()).sum()
    y.backward()
    assert x.grad.tolist() == [1, 2]


def test_s131_another_shape_is_refused(minigrad):
    x = leaf(minigrad, 1.0, 2.0)
    with minigrad.autograd.graph.saved_tensors_hooks(lambda t: t.detach(), lambda t: t[:1]):
        y = x.exp().sum()
    with pytest.raises(RuntimeError, match="shape"):
        y.backward()


def test_s132_a_product_packs_its_first_factor_first(minigrad):
    """PyTorch 2.13 does it the other way round."""
    said = []
    a, b = leaf(minigrad, 1.0), leaf(minigrad, 2.0)
    with minigrad.autograd.graph.saved_tensors_hooks(lambda t: said.append(("pack", t.item())) or t,
                                                     lambda t: said.append(("unpack", t.item())) or t):
        y = a * b
    y.backward()
    assert said == [("pack", 1), ("pack", 2), ("unpack", 1), ("unpack", 2)]


def test_s133_a_pack_hook_that_writes_to_its_input_is_refused(torch, graph):
    x = leaf(torch, 1.0, 2.0)
    with pytest.raises(RuntimeError), graph.saved_tensors_hooks(lambda t: t.add_(1), lambda t: t):
        (x * 1).exp().sum().backward()


def test_s134_only_the_innermost_pair_is_applied(torch, graph):
    asked, x = [], leaf(torch, 1.0)
    with graph.saved_tensors_hooks(lambda t: asked.append("outer") or t, lambda t: t), graph.saved_tensors_hooks(
            lambda t: asked.append(
        "inner") or t, lambda t: t):
        x.exp()
    assert asked == ["inner"]


def test_s135_s137_save_on_cpu_copies_nothing_that_is_there_already(torch, graph):
    x = leaf(torch, 1.0, 2.0)
    with graph.save_on_cpu():
        y = x * x
    assert y.grad_fn._saved_self.data_ptr() == x.data_ptr() and y.grad_fn._saved_self.device.type == "cpu"
    y.sum().backward()
    assert x.grad.tolist() == [2, 4]


def test_s139_s140_save_on_cpu_takes_pin_memory_and_device_type(minigrad):
    """PyTorch needs a device for pinned memory."""
    x = leaf(minigrad, 1.0, 2.0)
    with minigrad.autograd.graph.save_on_cpu(pin_memory=True, device_type="cuda"):
        y = x * x
    y.sum().backward()
    assert x.grad.tolist() == [2, 4]


def test_s141_only_what_is_kept_inside_the_block_is_moved(torch, graph):
    packed, x = [], leaf(torch, 1.0, 2.0)
    x.exp()
    with graph.saved_tensors_hooks(lambda t: packed.append(t) or t, lambda t: t):
        x.exp()
    x.exp()
    assert len(packed) == 1


def test_s142_after_backward_all_intermediates_are_released(torch, graph):
    class Kept:
        def __init__(self, tensor):
            self.tensor = tensor

    alive, x = weakref.WeakSet(), leaf(torch, 1.0, 2.0)

    def pack(t):
        kept = Kept(t.detach().clone())
        alive.add(kept)
        return kept

    with graph.saved_tensors_hooks(pack, lambda kept: kept.tensor):
        y = x.exp().sin().sum()
    assert len(alive) == 2
    y.backward()
    gc.collect()
    assert len(alive) == 0


def test_s143_to_s145_disabled_hooks_raise_the_given_message(torch, graph):
    with graph.disable_saved_tensors_hooks("not here, please"):
        with pytest.raises(RuntimeError, match="not here, please"), graph.saved_tensors_hooks(lambda t: t, lambda t: t):
            pass
        with pytest.raises(RuntimeError, match="not here, please"), graph.save_on_cpu():
            pass
    with graph.save_on_cpu():
        pass


# ------------------------------------------------------------------------------ hooks on several tensors


def test_s146_to_s149_and_s151_a_hook_on_several_tensors(torch, graph):
    a, b = leaf(torch, 1.0), leaf(torch, 2.0)
    c, d = a * b, a * b
    seen = []
    handle = graph.register_multi_grad_hook((a, b, c, d), lambda grads: seen.append([g is not None for g in grads]))
    c.sum().backward(retain_graph=True)                         # d is not part of it
    c.sum().backward(inputs=(a,), retain_graph=True)            # b is not needed for it
    assert seen == [[True, True, True, False], [True, False, True, False]]
    handle.remove()
    c.sum().backward()
    assert len(seen) == 2


def test_s152_multi_hooks_run_as_hooks_of_their_tensors_do(torch, graph):
    """Once the last gradient is known, and before it is used."""
    a, order = leaf(torch, 1.0), []
    b = a * 2
    a.register_post_accumulate_grad_hook(lambda leaf: order.append("accumulated"))
    graph.register_multi_grad_hook((a, b), lambda grads: order.append("all known"))
    b.register_hook(lambda g: order.append("b known"))
    b.sum().backward()
    assert order == ["b known", "all known", "accumulated"]


# ------------------------------------------------------------------------------ writes to what was saved


def test_s153_to_s158_writes_to_saved_tensors_can_be_allowed(torch, graph):
    x = leaf(torch, 1.0, 2.0)
    with graph.allow_mutation_on_saved_tensors() as state:
        y = x * 1
        z = y.sin()                             # saves y
        y.mul_(100)
        assert len(state.cloned) == 1
        z.sum().backward()
    assert torch.allclose(x.grad, x.detach().cos())             # of the original values
    assert len(state.original) == len(state.cloned) == 0


def test_s155_outside_the_block_the_write_is_an_error(torch):
    x = leaf(torch, 1.0, 2.0)
    y = x * 1
    z = y.sin()
    y.mul_(100)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()


def test_s156_backward_after_the_block_is_an_error(torch, graph):
    x = leaf(torch, 1.0, 2.0)
    with graph.allow_mutation_on_saved_tensors():
        y = x * 1
        z = y.sin()
        y.mul_(100)
    with pytest.raises((RuntimeError, AssertionError)):
        z.sum().backward()
