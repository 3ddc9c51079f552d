"""A Function of one's own that can be differentiated twice."""

import sys

import numpy as np

import minigrad as torch
from minigrad.homework.spec import Assignment

STARTER = '''
"""A Function that can be differentiated twice: the distance sqrt($form), entry by entry.

x and y have the same shape and are real. Save what backward needs with ctx.save_for_backward.
"""

import minigrad as torch
from minigrad.autograd import Function


class Distance(Function):
    @staticmethod
    def forward(ctx, x, y):
        raise NotImplementedError

    @staticmethod
    def backward(ctx, d):
        """The gradients of x and y; None for an input that does not require grad."""
        raise NotImplementedError


class Power(Function):
    """x ** n for an integer n >= 1, where x may be complex; n is not a tensor."""

    @staticmethod
    def forward(ctx, x, n):
        raise NotImplementedError

    @staticmethod
    def backward(ctx, d):
        raise NotImplementedError
'''

#: of p x^2 + q x y + r y^2
FORMS = ({"form": "x^2 + y^2", "p": 1, "q": 0, "r": 1}, {"form": "x^2 + 3 y^2", "p": 1, "q": 0, "r": 3},
         {"form": "2 x^2 + y^2", "p": 2, "q": 0, "r": 1}, {"form": "x^2 + x y + y^2", "p": 1, "q": 1, "r": 1},
         {"form": "2 x^2 + x y + 3 y^2", "p": 2, "q": 1, "r": 3},
         {"form": "3 x^2 + 2 x y + y^2", "p": 3, "q": 2, "r": 1})

homework = Assignment("A Function with a double backward", starter=STARTER,
                      forbidden=("autograd.grad", "autograd.backward", "autograd.gradcheck", "autograd.functional.vjp",
                                 "autograd.functional.jacobian", "autograd.functional.jvp", "autograd.functional.hvp",
                                 "autograd.functional.vhp", "autograd.functional.hessian", "func.vjp", "func.grad",
                                 "func.jvp", "func.grad_and_value", "func.linearize", "func.jacrev", "func.jacfwd",
                                 "func.hessian", "func.jet", "func.taylor", "autograd.forward_ad.make_dual",
                                 "enable_grad", "set_grad_enabled", "hypot", "numpy.polyder", "poly1d.deriv"),
                      varies={"form": FORMS})


# A class may have an `apply` of its own, which records something else: the probes take that of Function itself.


def forward_of(submission, x, y):
    return applied(submission.Distance, torch.tensor(x), torch.tensor(y))


def first(submission, d, x, y):
    x, y = torch.tensor(x, requires_grad=True), torch.tensor(y, requires_grad=True)
    return torch.autograd.grad(applied(submission.Distance, x, y), (x, y), torch.tensor(d))


def second(submission, v, d, x, y):
    """The gradients of <v, the gradient of x> with respect to d, x and y."""
    given = [torch.tensor(each, requires_grad=True) for each in (d, x, y)]
    slope, = torch.autograd.grad(applied(submission.Distance, *given[1:]), given[1], given[0], create_graph=True)
    if not slope.requires_grad:
        return [np.zeros_like(v)] * 3
    found = torch.autograd.grad(slope, given, torch.tensor(v), allow_unused=True)
    return [np.zeros_like(v) if g is None else g for g in found]


def recorded(submission, name, *inputs):
    """Are tensors saved for another pass while backward runs, and nothing differentiates the gradient?  And which nodes
    run then, and when something does?"""
    saved, ran = [], []
    for create in (False, True):
        tensors = [torch.tensor(each, requires_grad=True) for each in inputs if isinstance(each, np.ndarray)]
        z = applied(getattr(submission, name), *tensors,
                    *[each for each in inputs if not isinstance(each, np.ndarray)])
        with torch.autograd.graph.saved_tensors_hooks(lambda x: saved.append(create) or x, lambda x: x):
            ran.append(nodes(lambda: torch.autograd.grad(z, tensors, torch.ones_like(z), create_graph=create))[1])
    return False in saved, ran


def of_table(submission, name, *inputs):
    """The gradients, without and with a graph, in two copies of this process: as they are, and where minigrad's own
    formulas, and the functions that it has for these, give twice of theirs."""
    def gradients(planted):
        double(planted)
        found = []
        for create in (False, True):
            tensors = [torch.tensor(each, requires_grad=True) for each in inputs if isinstance(each, np.ndarray)]
            z = applied(getattr(submission, name), *tensors,
                        *[each for each in inputs if not isinstance(each, np.ndarray)])
            found += torch.autograd.grad(z, tensors, torch.ones_like(z), create_graph=create, allow_unused=True)
        return [np.zeros(0) if g is None else g.detach().numpy() for g in found]

    return [apart(gradients, planted) for planted in (False, True)]


TAKEN = ("the gradient changes with minigrad's own formulas for derivatives, and the functions that it and NumPy have "
         "for these, which nothing else uses here: it is computed by one of them; write your own")
RECORDED = ("backward records a history of its own, although nothing differentiates the gradient: write the gradient "
            "as a formula")
PASSED = "a backward pass of minigrad's runs in backward, through {}: write the gradient as a formula"


def by_formula(judge, name, *inputs):
    """A gradient that minigrad computes, however its functions are reached, needs a history of its own; and a formula
    that is taken out of its table changes with the table."""
    has_saved, ran = judge.run(recorded, name, *inputs)
    judge.require(not has_saved, RECORDED)
    inner = [each for names in ran for each in [name for name in names if not name.startswith("torch::")][1:]]
    judge.require(not inner, PASSED.format(", ".join(inner)))
    if sys.platform != "emscripten":                # where a process has no copies
        plain, planted = judge.run(of_table, name, *inputs)
        judge.require(plain is None or planted is not None and all(map(np.array_equal, plain, planted)), TAKEN)


def form(judge):
    return [judge.variant[name] for name in "pqr"]


def distance(x, y, p, q, r):
    return (p * x * x + q * x * y + r * y * y) ** 0.5


SHAPES = ((2, 3), (5,), (1, 4))
#: how much may be computed for each entry; the most that a formula needs is a third of it
EACH = 80


@homework.item(1, "Distance: the values")
def values(judge):
    for shape in SHAPES:
        x, y = judge.draw(*shape), judge.draw(*shape)
        judge.same(judge.run(forward_of, x, y), distance(x, y, *form(judge)), "the result")


@homework.item(3, "Distance: the first derivative")
def derivative(judge):
    by_formula(judge, "Distance", judge.draw(2, 3, low=0.5), judge.draw(2, 3, low=0.5))
    for shape in SHAPES:
        judge.probe_pullback(lambda x, y: distance(x, y, *form(judge)), first, judge.draw(*shape, low=0.5),
                             judge.draw(*shape, low=0.5), names=["x", "y"])
    judge.digits(lambda x, y: distance(x, y, *form(judge)), first, judge.draw(7, 9, low=0.5),
                 judge.draw(7, 9, low=0.5), names=["x", "y"], each=EACH)


@homework.item(4, "Distance: the second derivative")
def second_derivative(judge):
    by_formula(judge, "Distance", judge.draw(2, 3, low=0.5), judge.draw(2, 3, low=0.5))
    p, q, r = form(judge)

    def slope(d, x, y):
        return d * (p * x + q * y / 2) / distance(x, y, p, q, r)

    for shape in SHAPES:
        inputs = [judge.draw(*shape, low=0.5) for _ in range(3)]
        judge.probe_pullback(slope, second, *inputs, names=["d", "x", "y"])
    judge.digits(slope, second, *[judge.draw(7, 9, low=0.5) for _ in range(3)], names=["d", "x", "y"], each=EACH)


def conduct(submission, x, y, p, q, r):
    """What numbers do not show: how often backward runs, what it returns for an input that needs nothing, and whether
    a saved tensor is guarded."""
    runs, returned = [0], []
    true_backward = submission.Distance.backward

    def backward(ctx, d):
        runs[0] += 1
        found = true_backward(ctx, d)
        returned.append([each is None for each in found])
        return found

    submission.Distance.backward = staticmethod(backward)
    try:
        a, b = torch.tensor(x, requires_grad=True), torch.tensor(y)
        torch.autograd.backward(applied(submission.Distance, a, b).sum())
        plain = a.grad.requires_grad
        a, b = torch.tensor(x, requires_grad=True), torch.tensor(y, requires_grad=True)
        scale = a * 1
        z = applied(submission.Distance, scale, b)
        with torch.no_grad():
            scale.mul_(2)
        try:
            torch.autograd.backward(z.sum())
            slope = (p * a + q * b / 2) / (p * a * a + q * a * b + r * b * b).sqrt()
            guarded = torch.allclose(a.grad, slope.detach())
        except RuntimeError as failure:
            guarded = "modified by an inplace operation" in str(failure)
    finally:
        submission.Distance.backward = staticmethod(true_backward)
    packed, slopes = [], []
    for factor in (1, 3):       # of the first tensor that is saved
        def pack(tensor):
            packed.append(tensor)
            return tensor.detach() * factor if len(packed) in (1, count + 1) else tensor

        count = len(packed)
        a, b = torch.tensor(x, requires_grad=True), torch.tensor(y, requires_grad=True)
        with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
            z = applied(submission.Distance, a, b)
        slopes.append(torch.autograd.grad(z.sum(), (a, b)))
    used = any([not torch.equal(one, three) for one, three in zip(*slopes)])
    return {"runs": runs[0], "needless": not returned[0][1], "recorded": plain, "guarded": guarded and used}


@homework.item(2, "Distance: what numbers do not show")
def manners(judge):
    seen = judge.run(conduct, judge.draw(2, 3, low=0.5), judge.draw(2, 3, low=0.5), *form(judge))
    with judge.part(1, "an input that does not require grad"):
        judge.require(not seen["needless"], "backward computes a gradient for it; ctx.needs_input_grad says that none "
                                            "is needed, and None is enough")
    with judge.part(1, "a saved tensor that is overwritten"):
        judge.require(seen["guarded"], "the backward pass goes on with a changed tensor, and gives a wrong gradient: "
                                       "save tensors with ctx.save_for_backward, which checks their versions")


def power_first(submission, d, x):
    x = torch.tensor(x, requires_grad=True)
    return torch.autograd.grad(applied(submission.Power, x, 3), x, torch.tensor(d))


def power_second(submission, v, d, x):
    d, x = torch.tensor(d, requires_grad=True), torch.tensor(x, requires_grad=True)
    slope, = torch.autograd.grad(applied(submission.Power, x, 3), x, d, create_graph=True)
    return torch.autograd.grad(slope, (d, x), torch.tensor(v))


@homework.item(4, "Power, of complex numbers too")
def power(judge):
    by_formula(judge, "Power", judge.draw(2, 3), 3)
    for points, is_complex, what in ((2, False, "real numbers"), (2, True, "complex numbers")):
        with judge.part(points, what):
            for shape in SHAPES:
                x, d = judge.draw(*shape, complex=is_complex), judge.draw(*shape, complex=is_complex)
                judge.probe_pullback(lambda x: x ** 3, power_first, x, names=["x"])
                judge.probe_pullback(lambda d, x: d * (3 * x ** 2).conj(), power_second, d, x, names=["d", "x"])
            x, d = judge.draw(7, 9, complex=is_complex), judge.draw(7, 9, complex=is_complex)
            judge.digits(lambda x: x ** 3, power_first, x, names=["x"], each=EACH)
            judge.digits(lambda d, x: d * (3 * x ** 2).conj(), power_second, d, x, names=["d", "x"], each=EACH)
            x, d = judge.draw(1, 4, complex=is_complex), judge.draw(1, 4, complex=is_complex)
            # Spread, not drawn alone: four draws are all large once in ten times.
            x *= 10 ** ([-8, -3, 3, 8] + judge.draw(*SHAPES[-1], low=-1, high=1)) / np.abs(x)
            judge.require(np.allclose(judge.run(power_first, d, x)[0], d * (3 * x ** 2).conj(), 1e-9, 0),
                          "the gradient is not right for entries that differ by many powers of ten")
