"""Machines that give a tensor other data while an operation or the step of an optimizer uses what it had.

Whoever calls a kernel must own its operands.  Where it does not, the array is freed here, and what had its memory is
overwritten::

    replaced     x = sample         another thread:     x.data = ..., x.set_(...), again and again
    collected    x = sample         the collector:      a __del__ or a weak reference's callback does, as it runs
    bitten       x = sample         its own options:    a str, int or float whose methods do, when they are compared
    stepped      p, p.grad          another thread:     p.data = ..., p.grad = None, entries of opt.state
"""

import gc
import importlib.util
import itertools
import time
import weakref

import numpy as np

import minigrad
from minigrad._core.graph import Tensor
from tests.ops.samples import ROWS as SAMPLES
from tests.ops.test_ops import bound, call, ours

#: Those of 16 bits become float32 first, in lists that the collector sees.
DTYPES = ["float64", "float32", "float16", *["bfloat16"] * (importlib.util.find_spec("ml_dtypes") is not None)]
ELEMENTS_FEW, ELEMENTS_LONG = 1 << 7, 1 << 13
NEVER = 1 << 62

#: what an operation may say of numbers that change under its hands
REFUSALS = (RuntimeError, IndexError, ValueError, TypeError, ArithmeticError, MemoryError, np.linalg.LinAlgError,
            NotImplementedError)


def tensors_in(x):
    if isinstance(x, Tensor):
        return [x]
    if isinstance(x, (list, tuple, dict)):
        return [t for y in (x.values() if isinstance(x, dict) else x) for t in tensors_in(y)]
    return []


class Others:
    """Gives each of several tensors other data; ``restore`` gives back its own.

    Mostly the other data are of the same numbers.  So a result has them too, whichever were read, unless it was
    computed from what was freed: that goes to tensors of another number, or to strings of bytes.
    """

    FOREIGN = 113               # in 16 bits, and among integers
    SPARE = 150                 # more than there are dead arrays of one shape for the next ones (array_freelist.pyx)

    def __init__(self, tensors, shrinks_in=4):
        self.tensors = tensors
        self.own = [t.detach() for t in tensors]
        self.shrinks_in = shrinks_in            # one of this number of turns gives other sizes
        self.turn, self.shrinks = 0, False

    def __call__(self):
        for t, own in zip(self.tensors, self.own):
            t.data = own.flatten()[:1].clone() if self.shrinks else own.clone()
        self.foreign = [minigrad.full_like(own, self.FOREIGN) for own in self.own
                        for _ in range(self.SPARE if own.numel() < 64 else 4)], overwritten()

    def restore(self):
        self.turn += 1
        self.shrinks = self.turn % self.shrinks_in == 0
        for t, own in zip(self.tensors, self.own):
            t.data = own.clone()


def overwritten():
    """Memory of the sizes that the objects of arrays have."""
    return [bytes([255]) * n for n in (24, 40, 56, 64, 72, 80, 88, 96, 128, 256) for _ in range(8)]


class Known:
    """What a call returns when nothing disturbs it; None where it is refused, or is another thing each time."""

    def __init__(self, ask):
        self.ask, self.numbers = ask, None
        try:
            first, second = numbers_of(ask()), numbers_of(ask())
        except REFUSALS:
            return
        if alike(first, second):
            self.numbers = first

    def check(self, others):
        found = numbers_of(self.ask())
        if self.numbers is not None and not others.shrinks and not alike(self.numbers, found):
            raise AssertionError(f"{found} in place of {self.numbers}")


def numbers_of(result):
    return [t._array.astype(complex) for t in tensors_in(result) if isinstance(t._array, np.ndarray)]


def alike(some, others):
    return len(some) == len(others) and all([a.shape == b.shape and np.allclose(a, b, 1e-2, 1e-3, equal_nan=True)
                                             for a, b in zip(some, others)])


def samples():
    """(name, case, what returns the row and its arguments) of each public function; what writes is asked elsewhere."""
    for row, dtype in itertools.product([row for row in SAMPLES if not row.name.endswith("_")], DTYPES):
        for number, case in enumerate(row.cases):
            yield f"{row.name} {number} of {dtype}", case, (lambda row=row, case=case, dtype=dtype: (
                row, *in_dtype(bound(ours, row, case, dtype if dtype == "float32" else "float64")[1:3], dtype)))


def in_dtype(arguments, dtype):
    """The arguments with tensors that are nobody's views, in this dtype if they are of floating point numbers."""
    def converted(x):
        if isinstance(x, Tensor):
            return x.detach().to(getattr(minigrad, dtype)).clone() if x.is_floating_point() else x.detach().clone()
        if isinstance(x, dict):
            return {key: converted(y) for key, y in x.items()}
        return type(x)([converted(y) for y in x]) if type(x) in (list, tuple) else x

    return converted(list(arguments[0])), converted(arguments[1])


def lengthened(row, args, kwargs):
    """Tensors of the same numbers again and again, so that loops let go of the lock; not where all meet with all."""
    try:
        outcome = call(minigrad, row, [repeated(x, ELEMENTS_FEW) for x in args], kwargs)
        if sum([t.numel() for t in tensors_in(outcome)]) > ELEMENTS_LONG:
            return args
    except REFUSALS:
        pass
    return [repeated(x, ELEMENTS_LONG) for x in args]


def repeated(x, elements):
    if not (isinstance(x, Tensor) and x.numel() and x.ndim):
        return x
    return x.repeat(-(-elements // x.numel()), *[1] * (x.ndim - 1))


def idle():
    time.sleep(1e-3)


# ------------------------------------------------------------------------------ another thread

def replaced():
    """Another thread gives the operands other data; the sample as it is, and a long one."""
    for name, case, begin in samples():
        for size, shrinks in itertools.product(("short", "long"), (False, True)):
            yield f"{name}, {size}{', shrinks' * shrinks}", against_a_thread(begin, size == "long", shrinks)


def against_a_thread(begin, is_long, shrinks):
    def attack():
        row, args, kwargs = begin()
        if is_long:
            args = lengthened(row, args, kwargs)
        others = Others(tensors_in([args, kwargs]), 1 if shrinks else NEVER)
        known = Known(lambda: call(minigrad, row, args, kwargs))

        def deed():
            others.restore()
            for _ in range(4):
                known.check(others)

        return deed, others

    return attack


# ------------------------------------------------------------------------------ the collector

class Cycle:
    """Dead as soon as it is made, and found by the collector, which runs what it was given."""

    def __init__(self, act, of_a_reference):
        self.me = self
        self.act = None if of_a_reference else act
        if of_a_reference:
            kept.append(weakref.ref(self, lambda _: act()))

    def __del__(self):
        if self.act is not None:
            self.act()


kept = []


def collected():
    """The collector runs inside the operation, each time at another moment, and gives the operands other data."""
    for name, case, begin in samples():
        yield name, against_the_collector(begin)


def against_the_collector(begin):
    def attack():
        row, args, kwargs = begin()
        others = Others(tensors_in([args, kwargs]))
        known = Known(lambda: call(minigrad, row, args, kwargs))
        turns = itertools.count()
        gc.freeze()                     # what there is need not be looked at again

        def deed():
            turn = next(turns)
            gc.disable()
            kept.clear()
            others.restore()
            gc.collect()                # Python keeps no dead lists then; so a new one is counted
            Cycle(others, turn & 1)
            gc.set_threshold(1 + turn // 2 % 16)
            gc.enable()
            try:
                known.check(others)
            finally:
                gc.disable()

        return deed, idle

    return attack


# ------------------------------------------------------------------------------ options

ASKED = ["__eq__", "__ne__", "__hash__", "__index__", "__int__", "__float__", "__bool__", "__lt__", "__le__", "__gt__",
         "__ge__", "__str__", "__neg__", "__add__", "__mul__"]


def biting(value, bite):
    """A value of a subclass whose methods run ``bite`` when it is compared, looked up or asked for its number."""
    def method(name):
        def bites(self, *args):
            bite()
            return getattr(base, name)(self, *args)

        return bites

    base = type(value)
    methods = {name: method(name) for name in ASKED if hasattr(base, name)}
    return type(f"Biting{base.__name__}", (base,), methods)(value)


def options(x, bite):
    """The arguments with options that bite; tensors as they are."""
    if type(x) in (str, int, float):
        return biting(x, bite)
    if isinstance(x, dict):
        return {key: options(y, bite) for key, y in x.items()}
    return type(x)([options(y, bite) for y in x]) if type(x) in (list, tuple) else x


def has_options(x):
    if isinstance(x, (list, tuple, dict)):
        return any([has_options(y) for y in (x.values() if isinstance(x, dict) else x)])
    return type(x) in (str, int, float)


def bitten():
    """The options of an operation give its operands other data when they are looked at; in place as well."""
    for name, case, begin in samples():
        if has_options([case.args, case.kwargs]):
            for written in (False, True):
                yield f"{name}{' in place' * written}", against_options(begin, written)


def against_options(begin, written):
    def attack():
        row, args, kwargs = begin()
        others = Others(tensors_in([args, kwargs]))
        in_place = getattr(Tensor, row.name + "_", None)

        def ask(args, kwargs):
            others.restore()
            if not written:
                return call(minigrad, row, args, kwargs)
            return in_place(*args, **kwargs) if in_place is not None else ()

        known = Known(lambda: ask(args, kwargs))
        biting_args, biting_kwargs = options(args, others), options(kwargs, others)
        known.ask = lambda: ask(biting_args, biting_kwargs)
        return (lambda: known.check(others)), idle

    return attack


# ------------------------------------------------------------------------------ optimizers

OPTIMIZERS = {
    "SGD": {"lr": 1e-3}, "SGD with momentum": {"lr": 1e-3, "momentum": 0.9, "nesterov": True},
    "Adam": {}, "Adam of the largest": {"amsgrad": True}, "AdamW": {}, "RMSprop": {}, "Adagrad": {},
}


class Colliding:
    """A key of ``opt.state`` that a parameter is compared with."""

    def __init__(self, like, act):
        self.hash, self.act, self.acts = hash(like), act, False

    def __hash__(self):
        return self.hash

    def __eq__(self, other):
        if not self.acts:               # what it does looks things up as well
            self.acts = True
            self.act()
            self.acts = False
        return False


def stepped():
    """Gradients are cleared, data and states replaced while an optimizer makes a step."""
    for name, kwargs in OPTIMIZERS.items():
        for n in (8, 1 << 20):
            for act in (clear, replace_data, replace_state):
                for by_key in (False, True):
                    yield (f"{name} of {n}: {act.__name__} {'by a key' if by_key else 'in a thread'}",
                           against_a_step(getattr(minigrad.optim, name.split()[0]), kwargs, n, act, by_key))


def clear(opt, p):
    opt.zero_grad()


def replace_data(opt, p):
    p.data = minigrad.zeros(p.shape)


def replace_state(opt, p):
    state = opt.state.get(p, {})
    for key, value in list(state.items()):
        if isinstance(value, Tensor) and value.ndim:
            state[key] = value.clone()


def against_a_step(make, kwargs, n, act, by_key):
    def attack():
        p = minigrad.nn.Parameter(minigrad.zeros(n))
        opt = make([p], **kwargs)
        others = [minigrad.zeros(n) for _ in range(8)]
        turn = itertools.count()

        def deed():
            p.grad = minigrad.ones(n)
            opt.step()
            if any([other.any() for other in others]):
                raise AssertionError("a step has written to a tensor that the optimizer does not know")

        def disturb():
            act(opt, p)
            others[next(turn) % len(others)] = minigrad.zeros(n)
            overwritten()

        if by_key:
            deed()                      # so that there is a state
            own = opt.state.pop(p, {})
            opt.state[Colliding(p, disturb)] = {}
            opt.state[p] = own
        return deed, idle if by_key else disturb

    return attack
