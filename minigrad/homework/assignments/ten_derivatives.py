"""The derivatives of ten operations, as functions on arrays."""

import itertools

import numpy as np

import minigrad as torch
from minigrad.homework.spec import Assignment

STARTER = '''
"""The derivatives of ten operations, in NumPy.

Each function gets d, the gradient of the loss with respect to the result, and the inputs. It returns the
gradient with respect to each input: one array, or a tuple of them. Complex inputs count too: there the
gradient is d times the conjugate of the derivative.
"""

import numpy as np


def add_backward(d, x, y):
    """$add, which broadcast."""
    raise NotImplementedError


def mul_backward(d, x, y):
    """x * y, which broadcast."""
    raise NotImplementedError


def div_backward(d, x, y):
    """x / y, which broadcast."""
    raise NotImplementedError


def ${exp}_backward(d, x):
    """np.$exp(x)."""
    raise NotImplementedError


def ${tanh}_backward(d, x):
    """np.$tanh(x)."""
    raise NotImplementedError


def sum_backward(d, x, axis):
    """$sum."""
    raise NotImplementedError


def matmul_backward(d, x, y):
    """x @ y, of matrices, or of stacks of matrices that broadcast."""
    raise NotImplementedError


def cumsum_backward(d, x, axis):
    """$cumsum."""
    raise NotImplementedError


def where_backward(d, mask, x, y):
    """np.where(mask, x, y): the gradients of x and y."""
    raise NotImplementedError


def logsumexp_backward(d, x, axis):
    """np.log(np.exp(x).sum(axis)), even where exp(x) is larger than any float. Real numbers only."""
    raise NotImplementedError
'''

#: of the operations that vary, what they may be
ADD = {"x + y": torch.add, "x - y": torch.sub, "2 * x + y": lambda x, y: 2 * x + y,
       "x - 3 * y": lambda x, y: x - 3 * y, "2 * x - y": lambda x, y: 2 * x - y}
SUM = {"x.sum(axis)": torch.sum, "x.mean(axis)": torch.mean, "2 * x.sum(axis)": lambda x, axis: 2 * x.sum(axis),
       "3 * x.mean(axis)": lambda x, axis: 3 * x.mean(axis)}
CUMSUM = {"x.cumsum(axis)": torch.cumsum, "2 * x.cumsum(axis)": lambda x, axis: 2 * x.cumsum(axis),
          "-x.cumsum(axis)": lambda x, axis: -x.cumsum(axis),
          "x.cumsum(axis) / 3": lambda x, axis: x.cumsum(axis) / 3}
EXP = {"exp": "the exponential", "sinh": "the hyperbolic sine", "cosh": "the hyperbolic cosine",
       "expm1": "the exponential, less 1"}
TANH = {"tanh": "the hyperbolic tangent", "sin": "the sine", "cos": "the cosine", "tan": "the tangent"}

homework = Assignment("The derivatives of ten operations", starter=STARTER,
                      forbidden=("minigrad", "torch", "jax", "gradcheck"),
                      varies={"add": tuple(ADD), "sum": tuple(SUM), "cumsum": tuple(CUMSUM),
                              "exp": tuple([{"exp": name, "Exp": title} for name, title in EXP.items()]),
                              "tanh": tuple([{"tanh": name, "Tanh": title} for name, title in TANH.items()])})
#: how much may be computed for each entry of the arguments, and where entries do not meet; the most that loops over
#: lists need is a third of it
EACH, EACH_ENTRY = 100, 50
#: the shape of entries of which all digits are held
MANY = (7, 9)
PARTS = ((2, False, "real numbers"), (1, True, "complex numbers"))


def drawn(judge, shapes, is_complex, low, high):
    return [judge.draw(*shape, complex=is_complex, low=low, high=high) for shape in shapes]


def across(judge, shape):
    """Numbers of all magnitudes between 1e-9 and 1e9, with both signs."""
    return 10 ** judge.draw(*shape, low=-9, high=9) * judge.random.choice([-1.0, 1.0], shape)


def operation(name, title, forwards, *cases, names, grown, called="", domain=(-1.5, 1.5), options=((),), by_entry=False,
              each=EACH):
    """An item of three points: two for real numbers, one for complex ones, each with all shapes in ``cases`` and all
    ``options``.

    Each of ``grown`` says by the number of rows, or of columns, which shapes a larger question has.  ``called`` and
    ``forward`` may depend on the variant: {its choice: function}.  ``by_entry`` says that entries do not meet, so that
    no sum rounds, and all digits are held.
    """
    def item(judge):
        asked, more = f"{judge.variant.get(called, name)}_backward", options[0]
        forward = forwards[judge.variant[name]] if isinstance(forwards, dict) else forwards

        def first(*given):
            return forward(*given, *more)

        for points, is_complex, what in PARTS:
            with judge.part(points, what):
                for shapes, given in itertools.product(cases, options):
                    judge.pullback(lambda *inputs: forward(*inputs, *given), asked,
                                   *drawn(judge, shapes, is_complex, *domain), options=given, names=names)

                def question(shapes):
                    inputs = drawn(judge, shapes, is_complex, *domain)
                    return first(*map(torch.tensor, inputs)).numpy(), *inputs, *more

                for shapes in grown:
                    judge.grow(asked, lambda n: question(shapes(n)), each=each)
                if by_entry:
                    judge.digits(first, asked, *drawn(judge, [MANY] * len(names), is_complex, *domain), names=names)
                if not is_complex:
                    extreme = ([np.append(judge.draw(6, low=-20, high=20), judge.draw(6, low=-0.5, high=0.5))]
                               if name in ("exp", "tanh") else [across(judge, shape) for shape in cases[0]])
                    judge.extremes(first, asked, *extreme, options=more, names=names)

    item.__name__ = name
    homework.item(3, title)(item)


def rows(n):
    """The shapes of two arrays that broadcast, with n rows."""
    return [(n, 3), (3,)]


def columns(n):
    """The same with n columns: a unit vector for each of these computes all rows."""
    return [(3, n), (n,)]


operation("add", "addition, with broadcasting", ADD, [(2, 3), (3,)], [(4, 1), (1, 3)],
          names=("x", "y"), grown=(rows, columns), each=EACH_ENTRY)
operation("mul", "multiplication, with broadcasting", torch.mul, [(2, 3), (3,)], [(4, 1), (3,)],
          names=("x", "y"), grown=(rows, columns), each=EACH_ENTRY)
operation("div", "division, with broadcasting", torch.div, [(2, 3), (3,)], [(1, 3), (4, 1)], domain=(0.5, 2),
          names=("x", "y"), grown=(rows, columns), by_entry=True, each=EACH_ENTRY)
operation("exp", "$Exp", {name: getattr(torch, name) for name in EXP}, [(5,)], [(2, 3)], names=("x",), called="exp",
          grown=(lambda n: [(n, 3)],), by_entry=True, each=EACH_ENTRY)
operation("tanh", "$Tanh", {name: getattr(torch, name) for name in TANH}, [(5,)], [(2, 3)], domain=(-0.7, 0.7),
          names=("x",), called="tanh", grown=(lambda n: [(n, 3)],), by_entry=True, each=EACH_ENTRY)
operation("sum", "a sum over an axis", SUM, [(2, 3, 4)], options=((1,), (0,)), names=("x",),
          grown=(lambda n: [(n, 3, 2)], lambda n: [(3, n, 2)]))
operation("matmul", "products of matrices", torch.matmul, [(2, 3), (3, 4)], [(3, 2, 4), (4, 5)], [(3, 3), (3, 3)],
          names=("x", "y"), grown=(lambda n: [(n, 3), (3, 4)], lambda n: [(3, n), (n, 4)]))
operation("cumsum", "running totals", CUMSUM, [(2, 5)], options=((1,), (0,)), names=("x",),
          grown=(lambda n: [(n, 5)],))


@homework.item(3, "a choice between two arrays")
def where(judge):
    for points, is_complex, what in PARTS:
        with judge.part(points, what):
            mask = judge.random.permutation(6).reshape(2, 3) % 2 == 1
            x, y = judge.draw(2, 3, complex=is_complex), judge.draw(3, complex=is_complex)
            judge.pullback(lambda mask, x, y: torch.where(mask != 0, x, y), "where_backward", mask, x, y,
                           names=["x", "y"])

            def question(rows):
                x, y = judge.draw(rows, 3, complex=is_complex), judge.draw(3, complex=is_complex)
                return x, judge.random.integers(0, 2, (rows, 3)) == 1, x, y

            judge.grow("where_backward", question, each=EACH_ENTRY)
            if not is_complex:
                x, y = across(judge, (2, 3)), across(judge, (3,))
                judge.extremes(lambda mask, x, y: torch.where(mask != 0, x, y), "where_backward", mask, x, y,
                               names=["x", "y"])


@homework.item(3, "the logarithm of a sum of exponentials")
def logsumexp(judge):
    with judge.part(2, "real numbers"):
        judge.pullback(lambda x: torch.logsumexp(x, 1), "logsumexp_backward", judge.draw(3, 4),
                       options=(1,), names=["x"])
        judge.grow("logsumexp_backward", lambda rows: (judge.draw(rows), judge.draw(rows, 4), 1), each=EACH_ENTRY)
        judge.digits(lambda x: torch.logsumexp(x, 1), "logsumexp_backward", judge.draw(*MANY), options=(1,),
                     names=["x"])
    with judge.part(1, "large numbers"):
        x = judge.draw(4, 5) + 800
        weights = np.exp(x - x.max(0))
        found = judge.call("logsumexp_backward", np.ones(5), x, 0, watch=True)
        judge.same(found, weights / weights.sum(0), "the gradient")
