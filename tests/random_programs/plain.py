"""A third library that runs the same programs: arrays that know no derivatives, only what autograd must believe.

Here are the names that a random program uses, on a tensor that is made of

* ``primal``, what the memory holds: a NumPy array, so that views share it as NumPy's views do;
* ``tangents``, how much more it would hold if the leaves had been a little different: one array for each small step
  that is tried, with the geometry of ``primal``.

An op computes ``f(primal + tangent) - f(primal)``, and a write does that to the memory it writes to: no formula is
differentiated here.  What autograd does not record leaves the tangents as they are: what runs under ``no_grad``, and
``detach()``, whose result shares the primal and has tangents of its own, all zero.  So the tangent of the loss, over
the length of the step, is what every right gradient must say of it.

The second idea: what must be refused is part of what is specified.  Where a program writes to a leaf that requires
grad, to a view that must not be written to, or over what it reads, this library raises ``Refused``, and then all
others must have refused.
"""

import collections
import contextlib
import functools
import types

import numpy as np

from . import numpy_ops
from .numpy_ops import Undecided

__all__ = ["Library", "Refused", "Tensor", "Undecided"]

LARGEST = 1e3       # larger numbers leave too few digits for differences


class Refused(Exception):
    """What all others must refuse too; its text says why, as a key of ``running.PHRASES``."""


class Counter:
    """How often a memory was written to: shared by views and by what is detached from them, but not with ``.data``."""

    def __init__(self, alone=True):
        self.n, self.alone = 0, alone


class History:
    """What autograd knows of a tensor: shared by all views of one base, and not with what is detached from it."""

    def __init__(self, base, requires_grad):
        self.base, self.requires_grad, self.leaf = base, requires_grad, False
        # the number of its last change, and of the one whose gradient is retained
        self.event = self.retained_at = None
        self.direction = None                    # in which it was moved, where it was
        self.has_views = False


def blank_like(array):
    """Zeros in a memory of their own, laid out as ``array`` is, overlaps and all."""
    size = array.itemsize + sum([(n - 1) * s for n, s in zip(array.shape, array.strides, strict=True)])
    return np.ndarray(array.shape, array.dtype, buffer=np.zeros(size, np.uint8), strides=array.strides)


def raw(index):
    """An index with arrays in place of tensors."""
    if isinstance(index, tuple):
        return tuple([raw(i) for i in index])
    return index.primal if isinstance(index, Tensor) else index


def is_basic(index):
    return all([i is None or i is Ellipsis or isinstance(i, (int, slice)) for i in index])


def same_elements(a, b):
    return place(a.primal) == place(b.primal)


def place(array):
    """Where the elements are, in which order."""
    return array.__array_interface__["data"][0], array.dtype, [(n, s) for n, s in zip(array.shape, array.strides,
                                                                                      strict=True) if n != 1]


def offsets(array):
    """Of each element, in bytes from the first."""
    return np.tensordot(array.strides, np.indices(array.shape), 1) if array.ndim else np.zeros(1)


def nothing(a, b):
    return False


def anything(a, b):
    return True


class Tensor:
    """``view_of`` is the tensor that this one is a view of, ``several`` whether it is one of several views made at
    once."""

    def __init__(self, lib, primal, tangents, history, counter, sure, view_of=None, several=False):
        self.lib, self.primal, self.tangents, self.counter = lib, primal, tangents, counter
        self.made_at, self.born = counter.n, lib.events
        self.is_complex, self.is_number = primal.dtype.kind == "c", primal.dtype.kind in "fc"
        self.sure = sure            # that torch's strides are these
        self.origin, self.depth, self.by_data, self.hidden, self.retains = "", 0, False, False, False
        self.leads = view_of is None or lib.recording       # a view that is made under no_grad leads nowhere
        self.history = history if view_of is not None else History(self, history)
        if view_of is not None:
            history.has_views = True
            lib.features["a view made under no_grad"] += history.requires_grad and not lib.recording
            self.hidden = view_of.hidden or not lib.recording
            fresh = "" if lib.recording and not several else "several" if lib.recording else "no_grad"
            self.origin, self.depth, self.by_data = view_of.origin or fresh, view_of.depth + 1, view_of.by_data

    shape = property(lambda self: self.primal.shape)
    ndim = property(lambda self: self.primal.ndim)
    requires_grad = property(lambda self: self.history.requires_grad)
    is_whole = property(lambda self: self.primal.flags.c_contiguous)
    _version = property(lambda self: self.counter.n)

    @property
    def is_dense(self):
        """Whether the elements fill their stretch of memory, in whatever order: only of these PyTorch checks an
        overlap."""
        at = offsets(self.primal)
        return (at.max() + self.primal.itemsize == self.primal.size * self.primal.itemsize and len(np.unique(at))
                == self.primal.size)

    @property
    def overlaps_itself(self):
        return self.primal.size > 0 and any([n > 1 and s == 0 for n, s in zip(self.shape, self.primal.strides)])

    @property
    def has_doubles(self):
        """Whether elements lie in one place, as those of an expanded tensor, and of windows that overlap."""
        return not self.is_whole and len(np.unique(offsets(self.primal))) < self.primal.size

    @property
    def hides_base(self):
        """A view made in no_grad is a constant, until a write makes it forbidden."""
        return self.hidden and self.counter.n == self.made_at

    @property
    def lags(self):
        """A view that was there before its base was made to require grad."""
        return self.depth > 0 and self.history.leaf and self.born < self.history.event

    def read(self):
        """A recorded op looks for the history of this tensor."""
        if self.lib.recording and self.origin and self.requires_grad and self.counter.n != self.made_at:
            raise Refused("stale view")

    # ------------------------------------------------------------------------------ results and views

    def view(self, f):
        self.read()
        return Tensor(self.lib, f(self.primal), [f(t) for t in self.tangents], self.history, self.counter, self.sure,
                      view_of=self)

    def views(self, f):
        self.read()
        primals, tangents = f(self.primal), [f(t) for t in self.tangents]
        return [
            Tensor(self.lib, p, [t[i] for t in tangents], self.history, self.counter, self.sure, view_of=self,
                   several=True)
            for i, p in enumerate(primals)
        ]

    def reshape(self, *shape):
        if np.shares_memory(self.primal.reshape(shape), self.primal):
            return self.view(lambda a: a.reshape(shape))
        return self.lib.compute(lambda a: a.reshape(shape), self)

    def __getitem__(self, index):
        index = index if isinstance(index, tuple) else (index,)
        if is_basic(index):
            # With an Ellipsis NumPy answers a single element with a view, too.
            whole = index if Ellipsis in index else (*index, Ellipsis)
            return self.view(lambda a: a[whole])
        index = raw(index)
        return self.lib.compute(lambda a: a[index], self)

    def detach(self):
        if self.by_data:
            raise Undecided("what .data shares its memory with")
        return Tensor(self.lib, self.primal, [blank_like(t) for t in self.tangents], False, self.counter, self.sure)

    @property
    def data(self):
        self.counter.alone = False
        alias = Tensor(self.lib, self.primal, [blank_like(t) for t in self.tangents], False, Counter(alone=False),
                       self.sure)
        alias.by_data = True
        return alias

    real = property(lambda self: self.view(lambda a: a.real))
    imag = property(lambda self: self.view(lambda a: a.imag))

    def __gt__(self, number):
        if np.abs(self.primal - number).min() < 1e-6:
            raise Undecided("a value at the bound of a mask")
        return self.lib.tensor(self.primal > number)

    # ------------------------------------------------------------------------------ writing

    def write(self, f, *args, casts=False, may_read=same_elements, lenient=False):
        """Put ``f`` of the old values and ``args`` where the old values are.

        ``casts`` says that the args may be of any dtype, ``may_read`` which others in the same memory may be among
        them, ``lenient`` that an expanded tensor is written to all the same, as PyTorch does here with a warning.
        """
        operands = [a for a in args if isinstance(a, Tensor)]
        recorded = self.check_write(operands)
        if not casts and not self.is_complex and any([t.is_complex for t in operands]):
            raise Refused("cast")
        if self.overlaps_itself and not lenient and self not in operands:
            raise Refused("overlaps itself")
        if self.has_doubles:
            raise Undecided("several elements written to one place, in an order that nobody specifies")
        if recorded and self.history.base.has_doubles:
            raise Undecided("a part of an expanded tensor that was detached, whose other elements are written to as "
                            "well")
        for t in operands:
            self.check_overlap(t, may_read)
        new, steps = self.lib.evaluate(f, (self, *args))
        if new.shape != self.shape:
            raise Refused("shape")
        self.primal[...] = new
        for tangent, step in zip(self.tangents, steps, strict=True) if self.lib.recording else ():
            tangent[...] = step
        self.counter.n += 1
        self.lib.wrote(self, recorded)
        return self

    def alter(self, f):
        """The tensor lies otherwise in its memory, and so do its tangents:
        whether that is recorded is of no matter to them."""
        self.check_write([])
        if not self.depth:
            if self.history.leaf:
                raise Undecided("a leaf that lies otherwise than the graphs that lead to it know")
            unrecorded = self.requires_grad and not self.lib.recording
            self.lib.features["a result laid out otherwise under no_grad"] += unrecorded
        elif self.requires_grad and not self.lib.recording:
            self.lib.features["a view laid out otherwise under no_grad"] += 1
            self.lib.features["an expanded or unfolded view laid out otherwise under no_grad"] += self.has_doubles
        if self.retains or self.history.retained_at is not None:
            raise Undecided("a retained gradient that lies otherwise than its tensor")
        self.primal, self.tangents = f(self.primal), [f(t) for t in self.tangents]
        self.counter.n += 1
        if self.requires_grad and not self.depth:
            self.lib.happened(self.history)
        return self

    def check_overlap(self, other, may_read):
        """Whether the write may read ``other``, or that is refused; what PyTorch now refuses and now does not is not
        drawn."""
        shares = np.shares_memory(self.primal, other.primal)
        if not shares or may_read is anything or (other is self and may_read is same_elements):
            return
        if same_elements(self, other):
            alike = (other.shape, other.primal.strides) == (self.shape, self.primal.strides) and self.primal.size > 1
            if alike and may_read is same_elements:
                return
            if not alike or other is not self and not (self.sure and self.is_dense):
                raise Undecided("the same elements, laid out otherwise, or perhaps with others between them")
        elif not (self.sure and other.sure and self.is_dense and other.is_dense and self.primal.dtype
                  == other.primal.dtype):
            raise Undecided("an overlap that is hard to see")
        raise Refused("overlap")

    def check_write(self, operands):
        """Whether autograd records the write; what it must not record is refused."""
        recorded = self.lib.recording and any([t.requires_grad for t in (self, *operands)])
        if recorded and self.origin:
            raise Refused("view made in no_grad" if self.origin == "no_grad" else "several views")
        if recorded and self.history.leaf:
            raise Refused("view of a leaf" if self.depth else "leaf")
        return recorded

    def __setitem__(self, index, value):
        index = raw(index if isinstance(index, tuple) else (index,))
        if is_basic(index):
            # What is written to is the view, and it is the view that may overlap itself.
            fills = np.size(raw(value)) == 1
            self[index].write(lambda a, v: numpy_ops.put_at(a, ..., v), value, casts=True,
                              may_read=anything if fills else same_elements)
        else:
            self.put(index, value)

    def put(self, indices, value, accumulate=False):
        if value is self:
            raise Undecided("a tensor put into itself by an index, which PyTorch refuses now and then")
        if isinstance(value, Tensor) and value.primal.dtype != self.primal.dtype:
            raise Undecided("an index assignment that casts, which PyTorch refuses now and then")
        # One value at a mask is a masked_fill_, which reads the value first.
        fills = len(indices) == 1 and indices[0].dtype == bool and np.size(raw(value)) == 1
        may_read = anything if fills else nothing
        if fills and isinstance(value, Tensor) and np.shares_memory(value.primal, self.primal):
            raise Undecided("an element put at a mask of its own tensor")
        return self.write(lambda a, v: numpy_ops.put_at(a, indices, v, accumulate), value, casts=True,
                          may_read=may_read, lenient=True)

    def index_put_(self, indices, value, accumulate=False):
        return self.put(raw(indices), value, accumulate)

    def index_add_(self, dim, index, source):
        return self.write(lambda a, v: numpy_ops.added_at(a, dim, raw(index), v), source)

    def masked_fill_(self, mask, value):
        if np.iscomplexobj(raw(value)) and not self.is_complex:
            raise Undecided("a complex number that may or may not be real")
        if isinstance(value, Tensor) and np.shares_memory(value.primal, self.primal):
            raise Undecided("a value that is read before it is overwritten, or is not")
        return self.write(lambda a, v: np.where(raw(mask), v, a), value, may_read=anything, lenient=True)

    # ------------------------------------------------------------------------------ flags and hooks

    def requires_grad_(self):
        if self.has_doubles:
            raise Undecided("elements that lie in one place, and have a gradient each")
        if not self.requires_grad:
            self.lib.later = True
            self.lib.features["a base that only later requires grad"] += self.history.has_views
            self.lib.late_leaves += self.history.has_views
            self.become_leaf()
        return self

    def become_leaf(self):
        self.history.requires_grad = self.history.leaf = True
        self.lib.happened(self.history, leaf=True)

    def retain_grad(self):
        self.look()
        if self.retains:
            raise Undecided("a gradient that is retained twice")
        self.retains = True
        if not self.history.leaf and not self.depth:
            self.history.retained_at = self.history.event

    def register_hook(self, hook):
        """A hook that multiplies the gradient, put on a tensor that nobody has used yet, multiplies its tangents."""
        self.look()
        changed = hook(self.lib.tensor(1.0))
        self.lib.scaled |= changed is not None
        for tangent in self.tangents if changed is not None else ():
            tangent *= changed.primal

    def check_root(self):
        """May a backward pass begin here?"""
        self.read()
        if not self.requires_grad or not self.leads:
            raise Refused("requires no grad")

    @property
    def grad_fn(self):
        if self.origin and self.requires_grad and self.counter.n != self.made_at:
            raise Refused("stale view")

    def look(self):
        if not self.requires_grad:
            raise Refused("requires no grad")
        if self.origin or self.lags:
            raise Undecided("a hook on a view whose history may not be looked at, or is not there yet")


def set_methods():
    """The methods that are one line of a table each."""
    for name, f in numpy_ops.OPERATORS.items():
        setattr(Tensor, f"__{name}__", lambda self, other, f=f: self.lib.compute(f, self, other))
        setattr(Tensor, f"__r{name}__", lambda self, other, f=f: self.lib.compute(f, other, self))
        setattr(Tensor, f"__i{name}__", lambda self, other, f=f: self.write(f, other))
    for name, f in numpy_ops.RESULTS.items():
        setattr(Tensor, name, lambda self, *args, f=f, **k: self.lib.compute(lambda a: f(a, *args, **k), self))
    for name, f in numpy_ops.WRITES.items():
        setattr(Tensor, name, lambda self, *args, f=f, **k: self.write(lambda *arrays: f(*arrays, **k), *args))
    for name, f in numpy_ops.REPLACEMENTS.items():
        rules = {"casts": True, "lenient": name != "copy_", "may_read": anything if name == "fill_" else same_elements}
        setattr(Tensor, name, lambda self, *args, f=f, rules=rules: self.write(f, *args, **rules))
    for name, f in numpy_ops.VIEWS.items():
        setattr(Tensor, name, lambda self, *args, f=f: self.view(lambda a: f(a, *args)))
    for name, f in numpy_ops.ALTERATIONS.items():
        setattr(Tensor, name, lambda self, *args, f=f: self.alter(lambda a: f(a, *args)))
    for name, f in numpy_ops.SEVERAL_VIEWS.items():
        setattr(Tensor, name, lambda self, *args, f=f: self.views(lambda a: f(a, *args)))


set_methods()


class Library:
    """``torch``, for one run of one program.

    ``steps`` are the small steps that are tried, each a pair of numbers: how far along a vector of ones, and how far
    along a random direction.  They move the leaves that require grad, or with ``points``, tensors at the
    moments in their life that these numbers name.
    """

    float64, complex128 = np.float64, np.complex128

    def __init__(self, steps=(), points=None):
        self.steps, self.points = steps, points
        self.recording, self.events = True, 0
        self.features, self.late_leaves, self.undecided = collections.Counter(), 0, None
        self.later = self.scaled = False        # whether a leaf required grad only later; whether a hook multiplies
        for name in ("Doubled", "Exponentiated"):
            setattr(self, name, types.SimpleNamespace(apply=getattr(self, name.lower())))
        self.nn = types.SimpleNamespace(functional=types.SimpleNamespace(linear=self.linear, softmax=self.softmax))

    # ------------------------------------------------------------------------------ making tensors

    def tensor(self, values, dtype=None, requires_grad=False):
        primal = np.array(values, dtype)
        t = Tensor(self, primal, [np.zeros_like(primal) for _ in self.steps], False, Counter(), sure=True)
        if requires_grad:
            t.become_leaf()
        return t

    def where(self, condition, a, b):
        return self.compute(lambda x, y: np.where(condition.primal, x, y), a, b)

    def cat(self, tensors, dim=0):
        return self.compute(lambda *arrays: np.concatenate(arrays, dim), *tensors)

    def stack(self, tensors, dim=0):
        return self.compute(lambda *arrays: np.stack(arrays, dim), *tensors)

    def einsum(self, subscripts, *tensors):
        return self.compute(lambda *arrays: np.einsum(subscripts, *arrays), *tensors)

    def linear(self, x, weight, bias=None):
        return self.compute(numpy_ops.linear, *(x, weight) if bias is None else (x, weight, bias))

    def softmax(self, t, dim):
        return self.compute(lambda a: numpy_ops.softmax(a, dim), t)

    def logsumexp(self, t, dim):
        return self.compute(lambda a: np.log(np.exp(a).sum(dim)), t)

    def var(self, t, dim):
        return self.compute(lambda a: np.var(a, dim, ddof=1), t)

    def sort(self, t, dim):
        return self.compute(lambda a: numpy_ops.in_order(a, dim), t), "indices"

    def max(self, t, dim):
        return self.compute(lambda a: numpy_ops.in_order(a, dim).take(-1, dim), t), "indices"

    def index_select(self, t, dim, index):
        return self.compute(lambda a: np.take(a, raw(index), dim), t)

    def view_as_real(self, t):
        return t.view(numpy_ops.real_pair)

    def view_as_complex(self, t):
        if any([stride % 16 for stride in t.primal.strides[:-1]]):
            raise Undecided("pairs that do not lie side by side")
        return t.view(numpy_ops.complex_of)

    def doubled(self, t):
        return self.by_function(t, lambda a: a * 2)

    def exponentiated(self, t):
        return self.by_function(t, np.exp)

    def by_function(self, t, f):
        """A Function's write counts in forward, and again as a modified input; what is refused then has already
        happened."""
        try:
            t.write(f)
        except Refused as why:
            raise Undecided("a Function that writes what it must not") from why
        t.counter.n += 1
        return t

    @contextlib.contextmanager
    def no_grad(self):
        before, self.recording = self.recording, False
        try:
            yield
        finally:
            self.recording = before

    # ------------------------------------------------------------------------------ computing

    def evaluate(self, f, args):
        """``f`` of the values, and for each step, how much it changes."""
        for a in args:
            if isinstance(a, Tensor):
                a.read()
        with np.errstate(over="ignore"):                # what overflows is too large
            value = self.checked(f(*[raw(a) for a in args]))
            return value, [np.asarray(self.checked(f(*[moved(a, k) for a in args])) - value)
                           for k in range(len(self.steps))]

    def checked(self, value):
        value = np.array(value, order="C")
        if value.dtype.kind in "fc" and not (np.abs(value) < LARGEST).all():
            raise Undecided("a number too large")
        return value

    def compute(self, f, *args):
        tensors = [a for a in args if isinstance(a, Tensor)]
        value, steps = self.evaluate(f, args)
        requires_grad = self.recording and any([t.requires_grad for t in tensors])
        steps = steps if self.recording else [np.zeros_like(s) for s in steps]
        made = Tensor(self, value, steps, requires_grad, Counter(), sure=all([t.sure and t.is_whole for t in tensors]))
        self.happened(made.history)
        return made

    # ------------------------------------------------------------------------------ what happened

    def wrote(self, t, recorded):
        if not t.counter.alone:
            self.undecided = "a write to memory that .data shares, which nobody notices"
        self.features["a write through a view"] += t.depth > 0
        self.features["a write through a view of a view"] += t.depth > 1
        self.features["a write under no_grad"] += not self.recording
        if recorded:
            self.features["a base that only later requires grad"] += t.history.has_views and not t.requires_grad
            t.history.requires_grad = True
            self.happened(t.history)
            if t.history.retained_at is not None:
                t.history.retained_at = t.history.event

    def happened(self, history, leaf=False):
        """The history changed: the moment, if this is the one, to move what it is the history of."""
        self.events += 1
        history.event = self.events
        if leaf if self.points is None else self.events in self.points:
            primal = history.base.primal
            history.direction = direction = random_direction(self.events, primal.shape, primal.dtype.kind == "c")
            for tangent, (along_ones, along_direction) in zip(history.base.tangents, self.steps, strict=True):
                tangent += along_ones + along_direction * direction


def moved(a, k):
    """The argument as step ``k`` would have it."""
    if not isinstance(a, Tensor):
        return a
    return a.primal + a.tangents[k] if a.is_number and not a.hides_base else a.primal


@functools.lru_cache(maxsize=10_000)
def random_direction(seed, shape, is_complex):
    draw = np.random.default_rng(seed)
    real = draw.uniform(0.5, 1.5, shape) * draw.choice([-1, 1], shape)
    return real + 1j * draw.uniform(-1, 1, shape) if is_complex else real
