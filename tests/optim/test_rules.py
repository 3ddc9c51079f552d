"""Differentiable steps, against finite differences; and small things that the recorded programs do not show."""

import copy

import pytest

import minigrad as torch
from tests.checking import refuses

ALGORITHMS = [("SGD", {"momentum": 0.9}), ("SGD", {"momentum": 0.9, "nesterov": True}), ("Adam", {"amsgrad": True}),
              ("AdamW", {}), ("NAdam", {}), ("RAdam", {"betas": (0.5, 0.9)}), ("Adamax", {}),
              ("RMSprop", {"centered": True, "momentum": 0.5}), ("Adagrad", {}), ("Adadelta", {"eps": 1e-2}),
              ("ASGD", {})]


def after_steps(name, options, start, lr):
    w = start.clone()
    optimizer = getattr(torch.optim, name)([w], lr=lr, differentiable=True, **options)
    for i in range(3):
        now = w.clone()                     # the step writes to w, and the gradient needs its value
        loss = (now * now * now).sum() * (i + 1)
        w.grad, = torch.autograd.grad(loss, w, create_graph=True)
        optimizer.step()
    return w


@pytest.mark.parametrize(("name", "options"), ALGORITHMS)
def test_a_differentiable_step_is_differentiable(name, options):
    start = torch.tensor([1.0, -2.0], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda start: after_steps(name, options, start, 0.01), (start,))


@pytest.mark.parametrize(("name", "options"), [pair for pair in ALGORITHMS if pair[0] != "ASGD"])
def test_it_is_so_with_respect_to_the_learning_rate(name, options):
    start = torch.tensor([1.0, -2.0], dtype=torch.float64)
    lr = torch.tensor(0.01, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(
        lambda lr: after_steps(name, options, start.clone().requires_grad_(), lr), (lr,))


def after_steps_with_given_gradients(name, options):
    """The parameters after steps with given gradients: options and state alone are differentiated."""
    w = torch.tensor([1., -2., .5], dtype=torch.float64, requires_grad=True).clone()
    optimizer = getattr(torch.optim, name)([w], differentiable=True, **{"lr": .1, **options})
    for grad in ([.3, -1., 2.], [.5, 1.5, -1.], [1., 2., 3.]):
        w.grad = torch.tensor(grad, dtype=torch.float64)
        optimizer.step()
    return w


@pytest.mark.parametrize(("name", "option", "value"), [
    ("NAdam", "momentum_decay", .1), ("NAdam", "beta1", .8), ("ASGD", "lr", .1), ("ASGD", "lambd", .1),
    ("ASGD", "alpha", .75), ("ASGD", "t0", -1.5), ("Rprop", "lr", .1), ("SGD", "lr", .1), ("SGD", "momentum", .8),
    ("SGD", "weight_decay", .1), ("Adam", "lr", .1), ("Adam", "weight_decay", .1), ("Adam", "eps", .1),
    ("AdamW", "weight_decay", .1), ("RAdam", "lr", .1), ("RAdam", "weight_decay", .1), ("Adamax", "lr", .1),
    ("Adamax", "eps", .1), ("Adagrad", "lr", .1), ("Adagrad", "lr_decay", .1), ("Adadelta", "lr", .1),
    ("Adadelta", "eps", .1), ("RMSprop", "lr", .1), ("RMSprop", "momentum", .8), ("RMSprop", "eps", .1)])
def test_no_option_loses_its_gradient(name, option, value):
    more = {"ASGD": {"lambd": .1}}.get(name, {})

    def final(x):
        options = {**more, **({"betas": (x, .9)} if option == "beta1" else {option: x})}
        return after_steps_with_given_gradients(name, options)

    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)      # of the states that are numbers
    try:
        x = torch.tensor(value, requires_grad=True)
        assert torch.autograd.gradcheck(final, (x,))
    finally:
        torch.set_default_dtype(before)


def test_the_products_of_momentum_keep_their_gradient():
    w = torch.tensor([1., -2.], dtype=torch.float64, requires_grad=True)
    product = torch.tensor(.9, dtype=torch.float64, requires_grad=True)

    def after_two_steps(product):
        moved = w.clone()
        optimizer = torch.optim.NAdam([moved], lr=.1, differentiable=True)
        optimizer.state[moved] = {"step": torch.tensor(5.), "mu_product": product.clone(),
                                  "exp_avg": torch.ones_like(w), "exp_avg_sq": torch.ones_like(w)}
        for _ in range(2):
            moved.grad = torch.tensor([.5, 1.], dtype=torch.float64)
            optimizer.step()
        return moved

    assert torch.autograd.gradcheck(after_two_steps, (product,))


@pytest.mark.parametrize("name", ["Adam", "NAdam", "RAdam", "Adamax", "Adagrad", "ASGD"])
def test_a_step_that_requires_grad_is_refused(name):
    w = torch.ones(2, requires_grad=True)
    optimizer = getattr(torch.optim, name)([w], differentiable=True)
    moved = w.clone()
    optimizer.param_groups[0]["params"][0] = moved
    moved.grad = torch.ones(2)
    optimizer.state[moved] = optimizer.begin(moved, optimizer.param_groups[0])
    optimizer.state[moved]["step"] = torch.tensor(1., requires_grad=True)
    with refuses(RuntimeError, "`requires_grad` is not supported for `step` in differentiable mode", "MG713"):
        optimizer.step()


def test_sparse_adam_is_refused():
    with refuses(NotImplementedError, "please consider Adam instead", "MG503"):
        torch.optim.SparseAdam([torch.ones(1, requires_grad=True)])


def test_capturable_is_refused_at_the_step():
    w = torch.ones(1, requires_grad=True)
    optimizer = torch.optim.Adam([w], capturable=True)
    w.grad = torch.ones(1)
    with refuses(AssertionError, "If capturable=True", "MG404"):
        optimizer.step()
    assert w.item() == 1


@pytest.mark.parametrize("name", ["Adam", "AdamW", "Adagrad", "Adamax", "NAdam", "RAdam", "RMSprop", "Rprop",
                                  "Adadelta", "Adafactor"])
def test_a_number_of_steps_that_is_not_a_tensor_is_refused(torch, name):
    w = torch.ones(2, 2, requires_grad=True)
    w.grad = torch.ones(2, 2)
    optimizer = getattr(torch.optim, name)([w])
    optimizer.step()
    optimizer.state[w]["step"] = 1
    with refuses(RuntimeError, "`state_steps` argument must contain a list of singleton tensors", "MG713"):
        optimizer.step()


def test_muon_brings_the_singular_values_near_one():
    w = torch.zeros(3, 5, requires_grad=True)
    optimizer = torch.optim.Muon([w], lr=1.0, weight_decay=0)
    w.grad = torch.arange(15.).reshape(3, 5).sin()
    optimizer.step()
    values = torch.linalg.svdvals(w.detach())
    assert values.min() > 0.3 and values.max() < 1.6


def test_a_state_dict_goes_over_to_another_model():
    """Training goes on as if it had not been interrupted."""
    def make():
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        return w, torch.optim.Adam([w], lr=0.1)

    def train(w, optimizer):
        optimizer.zero_grad()
        (w ** 4).sum().backward()
        optimizer.step()

    w, optimizer = make()
    train(w, optimizer)
    other, its = make()
    other.data.copy_(w.data)
    its.load_state_dict(copy.deepcopy(optimizer.state_dict()))
    for _ in range(3):
        train(w, optimizer)
        train(other, its)
    assert torch.equal(w, other)


def test_lbfgs_finds_the_minimum():
    w = torch.tensor([-1.5, 2.0], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([w], max_iter=60, line_search_fn="strong_wolfe")

    def closure():
        optimizer.zero_grad()
        loss = (1 - w[0]) ** 2 + 100 * (w[1] - w[0] ** 2) ** 2
        loss.backward()
        return loss

    optimizer.step(closure)
    assert torch.allclose(w.detach(), torch.ones(2, dtype=torch.float64), atol=1e-5)


def test_update_bn_computes_the_statistics_of_all_batches():
    norm = torch.nn.BatchNorm1d(1)
    batches = [torch.tensor([[0.], [2.]]), [torch.tensor([[4.], [6.]]), "label"]]
    torch.optim.swa_utils.update_bn(batches, norm)
    assert norm.running_mean.item() == 3 and norm.running_var.item() == 2 and norm.momentum == 0.1


class Fleeting(torch.nn.Parameter):
    """Another thread takes its gradient away as soon as it was asked for."""

    @property
    def grad(self):
        grad, self.kept = self.kept, None
        return grad


@pytest.mark.parametrize("name", ["NAdam", "RMSprop", "Adagrad"])
def test_a_gradient_is_read_once_in_a_step(name):
    w = Fleeting(torch.zeros(2))
    w.kept = torch.ones(2)
    getattr(torch.optim, name)([w]).step()
    assert (w < 0).all()
