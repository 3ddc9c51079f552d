"""The loops in C of SGD and Adam: the same numbers as the formulas, and only for what is plain."""

import collections
import threading

import numpy as np
import pytest

import minigrad as torch
from minigrad._core.frontends import optimizer_steps
from minigrad.nn import Parameter

CASES = [*[("SGD", dict(lr=0.1, momentum=momentum, dampening=dampening, weight_decay=decay, nesterov=nesterov))
           for momentum in (0, 0.9) for dampening in (0, 0.3) for decay in (0, 0.1) for nesterov in (False, True)
           if not nesterov or momentum and not dampening],
         *[(name, dict(lr=0.1, betas=betas, weight_decay=decay, amsgrad=amsgrad)) for name in ("Adam", "AdamW")
           for betas in ((0.9, 0.999), (0.3, 0.4)) for decay in (0, 0.1) for amsgrad in (False, True)]]


def steps(name, options, dtype, shape, in_c, maximize=False, n=7):
    rng = np.random.default_rng(1)
    w = torch.tensor(rng.normal(size=shape), dtype=dtype, requires_grad=True)
    optimizer = getattr(torch.optim, name)([w], maximize=maximize, **options)
    if not in_c:
        optimizer.move_in_c = lambda group: group["params"]
    for _ in range(n):
        w.grad = torch.tensor(rng.normal(size=shape), dtype=dtype)
        optimizer.step()
    return [w.detach(), *optimizer.state[w].values()]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("shape", [(), (0,), (13, 15)])
def test_the_loops_compute_what_the_formulas_say_to_the_last_bit(dtype, shape):
    for name, options in CASES:
        for maximize in (False, True):
            for ours, formula in zip(steps(name, options, dtype, shape, True, maximize),
                                     steps(name, options, dtype, shape, False, maximize), strict=True):
                assert ours.dtype is formula.dtype and torch.equal(ours, formula), (name, options)


@pytest.mark.parametrize("name", ["SGD", "Adam"])
def test_large_parameters_are_shared_among_threads(name):
    before = torch.get_num_threads()
    try:
        results = []
        for threads in (1, 3):
            torch.set_num_threads(threads)
            results.append(steps(name, dict(lr=0.1), torch.float32, (100_003,), True, n=3))
    finally:
        torch.set_num_threads(before)
    assert all(torch.equal(one, three) for one, three in zip(*results, strict=True))


def test_nan_and_inf_spread_as_in_the_formula():
    for name, options in CASES:
        ends = []
        for in_c in (True, False):
            w = torch.ones(4, requires_grad=True)
            optimizer = getattr(torch.optim, name)([w], **options)
            if not in_c:
                optimizer.move_in_c = lambda group: group["params"]
            for grad in ([1., 2., 3., 0.], [np.nan, np.inf, -np.inf, -0.0], [1., 1., 1., 0.]):
                w.grad = torch.tensor(grad)
                optimizer.step()
            ends.append(w.detach().numpy())
        np.testing.assert_array_equal(*ends, err_msg=f"{name} {options}")


def rest(w, state=None, **modes):
    with torch.no_grad():
        return optimizer_steps.sgd(Parameter, [w], state or {}, 0.1, 0, 0, 0, False, False)


def plain():
    w = torch.ones(2, 3, requires_grad=True)
    w.grad = torch.ones(2, 3)
    return w


def test_a_plain_parameter_is_moved_and_counted():
    w = plain()
    assert rest(w) == [] and w._version == 1 and torch.equal(w.detach(), torch.full((2, 3), 0.9))


def no_grad_of_its_own(w):
    w.grad = None
    return w


def its_own_gradient(w):
    w.grad = w.detach()
    return w


def a_transposed_gradient(w):
    w.grad = torch.ones(3, 2).t()
    return w


def in_reduced_precision(w):
    w = torch.ones(3, dtype=torch.float16, requires_grad=True)
    w.grad = torch.ones(3, dtype=torch.float16)
    return w


def complex_numbers(w):
    w = torch.ones(3, dtype=torch.complex64, requires_grad=True)
    w.grad = torch.ones(3, dtype=torch.complex64)
    return w


def a_view(w):
    w = torch.ones(4, 3).detach()[1:3].requires_grad_()
    w.grad = torch.ones(2, 3)
    return w


def by_columns(w):
    w = torch.ones(3, 2).t().clone().requires_grad_()
    w.grad = torch.ones(2, 3)
    return w


def of_a_subclass(w):
    class Own(torch.Tensor):
        pass
    w = torch.ones(3).as_subclass(Own).requires_grad_()
    w.grad = torch.ones(3)
    return w


def a_gradient_of_inference_mode(w):
    with torch.inference_mode():
        gradient = torch.ones(2, 3)
    w.grad = gradient
    return w


def not_a_leaf(w):
    w = torch.ones(3)
    w.mul_(torch.ones(3, requires_grad=True)).retain_grad()
    w.sum().backward()
    return w


@pytest.mark.parametrize("change", [no_grad_of_its_own, its_own_gradient, a_transposed_gradient, in_reduced_precision,
                                    complex_numbers, a_view, by_columns, of_a_subclass, a_gradient_of_inference_mode,
                                    not_a_leaf])
def test_other_parameters_are_left_to_the_formula(change):
    w = change(plain())
    before, version = w.detach().clone(), w._version
    left = rest(w)
    assert len(left) == 1 and left[0] is w and torch.equal(w.detach(), before) and w._version == version


def test_options_that_are_tensors_are_left_to_the_formula():
    w = plain()
    with torch.no_grad():
        assert optimizer_steps.sgd(Parameter, [w], {}, torch.tensor(0.1), 0, 0, 0, False, False) == [w]
    assert optimizer_steps.sgd(Parameter, [w], {}, 0.1, 0, 0, 0, False, False) == [w]   # something may be recorded


def test_a_state_that_is_not_whole_is_left_to_the_formula():
    w = plain()
    whole = {"step": torch.tensor(1.), "exp_avg": torch.zeros(2, 3), "exp_avg_sq": torch.zeros(2, 3)}
    for name in whole:
        for wrong in (None, torch.zeros(5, dtype=torch.int64), torch.zeros(3), torch.zeros(2, 1), 7.):
            own = {**whole, name: wrong}
            if wrong is None:
                del own[name]
            with torch.no_grad():
                left = optimizer_steps.adam(Parameter, [w], {w: own}, 0.1, 0.9, 0.999, 1e-8, 0, False, False, False)
            assert left[0] is w and whole["step"].item() == 1 and w._version == 0


def a_dictionary_of_their_own(optimizer, w):
    optimizer.state[w] = collections.OrderedDict(optimizer.state[w])


def all_states_in_another_kind_of_dictionary(optimizer, w):
    optimizer.state = collections.UserDict(optimizer.state)


@pytest.mark.parametrize("change", [a_dictionary_of_their_own, all_states_in_another_kind_of_dictionary])
@pytest.mark.parametrize("name, options, expected", [("SGD", {"lr": 0.1, "momentum": 0.5}, 0.75),
                                                     ("Adam", {"lr": 0.1}, 0.8)])
def test_a_state_in_another_kind_of_dictionary(name, options, expected, change):
    """The numbers are those of PyTorch."""
    w = plain()
    optimizer = getattr(torch.optim, name)([w], **options)
    optimizer.step()
    change(optimizer, w)
    optimizer.step()
    assert torch.allclose(w.detach(), torch.full((2, 3), expected))


@pytest.mark.parametrize("step", [torch.tensor(3), torch.tensor([3.]), torch.tensor(3., dtype=torch.float64),
                                  torch.tensor(3., dtype=torch.float16)])
def test_a_number_of_steps_of_another_form(step):
    """The numbers are those of PyTorch."""
    w = plain()
    optimizer = torch.optim.Adam([w], lr=0.1)
    optimizer.step()
    optimizer.state[w]["step"] = step.clone()
    optimizer.step()
    assert torch.allclose(w.detach(), torch.full((2, 3), 0.8219), atol=1e-4)
    assert optimizer.state[w]["step"].dtype is step.dtype and optimizer.state[w]["step"].item() == 4


@pytest.mark.parametrize("lose", [lambda own: own.update(momentum_buffer=None), lambda own: own.clear(),
                                  lambda own: own.update(other=own.pop("momentum_buffer"))])
def test_a_velocity_that_was_lost_begins_anew(lose):
    w = plain()
    optimizer = torch.optim.SGD([w], lr=0.1, momentum=0.5)
    optimizer.step()
    lose(optimizer.state[w])
    optimizer.step()
    assert torch.allclose(w.detach(), torch.full((2, 3), 0.8))
    assert torch.equal(optimizer.state[w]["momentum_buffer"], torch.ones(2, 3))


def test_steps_are_counted_in_double_precision_where_that_is_the_default():
    before = torch.get_default_dtype()
    try:
        torch.set_default_dtype(torch.float64)
        w = plain()
        optimizer = torch.optim.Adam([w])
        optimizer.step()
        optimizer.step()
    finally:
        torch.set_default_dtype(before)
    assert optimizer.state[w]["step"].dtype is torch.float64 and optimizer.state[w]["step"].item() == 2


def test_a_step_in_another_thread_leaves_what_is_kept_in_this_one():
    w = plain()
    optimizer = torch.optim.SGD([w], lr=0.5)
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        loss = (w * w).sum()
        stepper = threading.Thread(target=optimizer.step)
        stepper.start()
        stepper.join()
        optimizer.zero_grad()
        loss.backward()
    assert torch.equal(w.detach(), torch.full((2, 3), 0.5)) and torch.equal(w.grad, torch.full((2, 3), 2.))


def test_writes_to_state_are_counted_too():
    w = plain()
    optimizer = torch.optim.Adam([w])
    optimizer.step()
    before = [x._version for x in optimizer.state[w].values()]
    optimizer.step()
    assert all(x._version > version for x, version in zip(optimizer.state[w].values(), before, strict=True))


def test_a_saved_parameter_is_found_modified():
    w = plain()
    loss = (w * w).sum()
    torch.optim.SGD([w], lr=0.1).step()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


def test_a_profiler_hears_the_operations():
    w = plain()
    optimizer = torch.optim.SGD([w], lr=0.1)
    with torch.autograd.profiler.profile() as prof:
        optimizer.step()
    names = [event.name for event in prof.function_events]
    assert "Optimizer.step#SGD.step" in names and any("add_" in name for name in names)
