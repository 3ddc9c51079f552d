"""A program watched in higher precision: each call of a row, each node of a backward pass, each sum of gradients.

Note [Two runs beside the program]
----------------------------------
The program computes what it would compute anyway.  Each call is then repeated with more precision
(higher_precision.py), from two beginnings::

    the program's inputs x       y  = op(x)         float32
    the same numbers, raised     y' = op(x)         float64     y - y'   what the operation lost itself
    their shadows X              Y  = op(X)         float64     y - Y    the whole error of the result;
                                                                         Y is the shadow of the result
    so y' - Y is what the errors of the inputs have become: the operation has inherited it, and may have amplified it

A subtraction loses nothing itself, 1.0001 - 1.0000 is exact.  But the digits that were right cancel, and the errors of
its inputs remain.  That is cancellation, and why both questions are asked.

What was made outside the block, and what has no shadow, is exact.  The run from the same numbers is spared where the
result has all its digits, or the inputs are exact.  Decisions are the program's: indices, masks and comparisons are
taken from it, and those of the shadows are only compared with them.  The backward pass is watched node by node, by the
same two runs of the formulas in the table.
"""

from functools import cache

import numpy as np

from minigrad._core.backward.watched_pass import set_story
from minigrad._core.errors import error
from minigrad._core.frontends.queries import watch_numbers
from minigrad._core.graph import Tensor, wrap
from minigrad._core.graph.function_node import PyNode
from minigrad._core.profiling.recorders import Watcher
from minigrad._core.profiling.shadow_memory import (NotOurs, Operand, Shadows, absorbed_part, address, any_moved,
                                                    any_unknown, arrays_of, flat, is_inexact, makers, owner_of)
from minigrad.autograd.digits.higher_precision import (DECIDING, Beside, NoWay, array_of, engine_for, fitted, gradient,
                                                       same)
from minigrad.autograd.digits.measuring import SAMPLE, SOUND, Measured, asks_for_own, measured, smallest, unit
from minigrad.autograd.digits.numbers_taken_out import WatchedFloat
from minigrad.autograd.digits.shadow_memory import wider

__all__ = ["Record", "Watching"]

#: the rows that add two operands: one of them may be too small to be felt
ADDING = ("add", "sub", "rsub")


class Record:
    """One result that is not exact: what made it, where, from what, and its digits."""

    __slots__ = ("name", "place", "inputs", "measured", "own", "additive", "absorbed", "trouble", "backward", "dtype",
                 "used", "number")

    def __init__(self, name, place, inputs, low, digits, own, additive=False, backward=False):
        self.name, self.place, self.inputs = name, place, inputs
        self.measured, self.own = digits, own           # Measured, or None where that is unknown
        self.additive, self.backward = additive, backward
        self.dtype = low.dtype
        self.absorbed = 0.0                             # the part of the entries in which an operand was not felt
        self.trouble = ""                               # "overflow", "underflow" or "invalid"
        self.used = False
        self.number = 0


class Made:
    """What a node of the backward pass needs from its call."""

    __slots__ = ("op", "values", "records", "place", "edges", "only", "part")

    def __init__(self, op, values, records, place, edges, only, part):
        self.op, self.values, self.records, self.place, self.edges = op, values, records, place, edges
        self.only = only                # of several outputs, the one that has a gradient; None if several have
        self.part = part                # of a write through a view, which elements of the base it has written


class Watching:
    """Keeps the shadows, and writes down a Record for each result that is not exact."""

    def __init__(self):
        self.shadows = Shadows(wider)
        self.records = []
        self.decisions = {}             # (name, place) -> how often the other precision would decide otherwise
        self.unknown = {}               # (name, place) -> how often
        self.nodes = {}                 # the number of a node -> Made
        self.passes = []                # of each pass that runs: {(id of a node, output): what has arrived there}
        self.flows = {}                 # of the node that runs: its edges -> (the gradient, its shadow, its Record)
        self.is_on = False
        self.watcher = Watcher(self.before, self.after, self.copied, self.taken)

    # ---------------------------------------------------------------------- the block

    def start(self):
        self.watcher.start()
        told = set_story(self)
        if told is not None:
            set_story(told)
            self.watcher.stop()
            raise error("MG505", "digits() inside a block that records backward passes (viz.record): a thread has one "
                                 "of them at a time. End the other one first.")
        watch_numbers(1)
        self.is_on = True

    def stop(self):
        self.is_on = False
        watch_numbers(-1)
        set_story(None)
        self.watcher.stop()
        self.nodes.clear()
        self.flows.clear()

    # ---------------------------------------------------------------------- calls

    def before(self, op, args):
        """A write is about to happen: what its arguments are before it, with copies where they share its memory."""
        try:
            operands = self.shadows.operands(args)
        except NotOurs:
            return None
        owner = owner_of(args[0]._array)
        for x in flat(operands):
            if owner_of(x.array) is owner:
                x.array = x.array.copy()
                x.high = None if x.high is None else x.high.copy()
        return operands

    def after(self, op, args, before, out):
        try:
            operands = self.shadows.operands(args) if before is None else before
        except NotOurs:
            return
        outs = arrays_of(out)
        if any([y is None for y in outs]):
            return
        place = self.watcher.line()
        tensors = flat(operands)
        highs = [None] * len(outs)
        records = highs
        if not op.is_view or before is None and not all([owner_of(y) is owner_of(tensors[0].array) for y in outs]):
            for x in tensors:
                if x.record is not None:
                    x.record.used = True
            try:
                highs, records = self.results(op, operands, tensors, outs, place, before is not None)
            except Exception:           # of any kind: the program must not notice
                if not any([is_inexact(y) for y in outs]):
                    return
                self.note_unknown(op.shown, place, outs, makers(operands))
        if before is not None and out._is_view():
            base = out._base
            if base.requires_grad:
                self.note_node(op, base.grad_fn, operands, outs, highs, records, place, 0,
                               positions(base._array, outs[0]))
        elif isinstance(out, Tensor) and out.requires_grad:
            self.note_node(op, out.grad_fn, operands, outs, highs, records, place, 0)
        elif isinstance(out, (tuple, list)):
            recorded = [i for i, y in enumerate(out) if y.requires_grad]
            if recorded:
                only = recorded[0] if len(recorded) == 1 and not op.list_output else None
                self.note_node(op, out[recorded[0]].grad_fn, operands, outs, highs, records, place, only)

    def copied(self, source, to):
        """Numbers were copied by no row: into ``out=``, or into .grad of a tensor that retains it."""
        low, to = array_of(source), array_of(to)
        if type(low) is not np.ndarray or type(to) is not np.ndarray or not is_inexact(to):
            return
        x = self.shadows.operand(low)
        if self.shadows.of(to) is None and x.high is None and not x.unknown:
            return
        if x.unknown or wider(to.dtype) is None:
            self.shadows.write(to, None, None)
        else:
            if x.record is not None:
                x.record.used = True
            self.shadows.lend(low)
            self.shadows.write(to, low if x.high is None else x.high, x.record)

    def taken(self, tensor, how, number):
        """The program takes a number out of a tensor; returns what it gets."""
        try:
            return self.beside(tensor, how, number)
        except Exception:               # of any kind: the program must not notice
            return number

    def beside(self, tensor, how, number):
        while isinstance(tensor, Tensor):
            tensor = tensor._array
        x = self.shadows.read(tensor) if type(tensor) is np.ndarray else None
        if x is None or x.high is None or x.array.dtype.kind == "c":
            return number
        if how == "bool_" and (x.high != 0) != number:
            self.decided("bool()")
        elif how == "int_" and int(x.high) != number:
            self.decided("int()")
        elif how in ("item", "tolist"):
            return self.watched(number, x.high, how)
        return number

    def watched(self, number, high, how):
        """A float, or a list of them, that remembers its shadow."""
        if isinstance(number, list):
            return [self.watched(x, y, how) for x, y in zip(number, high)]
        high = np.asarray(high).item()
        return number if number == high else WatchedFloat(number, high, how, self)

    def decided(self, what):
        """The program has decided by numbers that have left their tensors, and more digits would decide otherwise."""
        self.decide(what, self.watcher.line())

    def note_unknown(self, name, place, arrays, inputs):
        """These are results without a way in higher precision."""
        self.unknown[name, place] = self.unknown.get((name, place), 0) + 1
        for y in arrays:
            if is_inexact(y):
                self.shadows.write(y, None, self.record(Record(name, place, inputs, y, None, None)))

    def decide(self, name, place):
        self.decisions[name, place] = self.decisions.get((name, place), 0) + 1

    def results(self, op, operands, tensors, outs, place, writes):
        """The shadows of all outputs, and their Records; each None where the output is exact."""
        inexact = [i for i, y in enumerate(outs) if is_inexact(y)]
        moved = any_moved(tensors)
        none = [None] * len(outs)
        if not inexact and not moved:
            return none, none
        unknown = any_unknown(tensors) and not op.fills
        if op.draws or op.kind in DECIDING and unknown:         # what was drawn, or decided, is exact
            for y in outs:
                if self.shadows.of(y) is not None:
                    self.shadows.write(y, y, None)
            return none, none
        if unknown:
            raise NoWay
        engine = engine_for(tensors, outs)
        try:
            there, error = self.run_beside(engine, op, operands, outs)
        except NoWay:
            if op.kind not in DECIDING:
                raise
            there, error = [y.astype(wider(y.dtype)) if is_inexact(y) else y for y in outs], None
        if moved:
            there = self.followed(engine, op, operands, outs, there, place)
        if not inexact:
            return none, none
        here = None
        highs, records = [None] * len(outs), [None] * len(outs)
        for i in inexact:
            y, high = outs[i], there[i]
            if high.dtype != wider(y.dtype):
                high = high.real if y.dtype.kind != "c" else high
                high = high.astype(wider(y.dtype), copy=False)
            if high.shape != y.shape:
                high = np.broadcast_to(high, y.shape)
            if moved and op.kind in DECIDING:           # the program has decided
                if not same(y, high.astype(y.dtype)):
                    self.decide(op.shown, place)
                high, error = y.astype(wider(y.dtype)), None
            digits = measured(y, high, error)
            if not digits.error:
                if writes or self.shadows.of(y) is not None:
                    self.shadows.write(y, high, None)
                continue
            own = digits
            if moved and asks_for_own(digits, y, max([x.array.size for x in tensors])):
                here = here or self.run(engine, op, operands, False)
                own = measured(y, np.broadcast_to(here[i], y.shape)) if here[i].dtype.kind in "fc" else None
            elif moved and digits.error > SOUND * unit(y.dtype):
                own = None
            adds = op.function in ADDING
            record = self.record(Record(
                op.written if writes else op.shown, place, makers(operands), y, digits, own,
                adds or op.kind in ("linear", "multilinear", "windows")))
            find_trouble(record, y, high, tensors)
            if adds:
                record.absorbed = absorbed(y, operands)
            for x in tensors:
                if x.high is high:              # the row has returned its argument
                    self.shadows.lend(x.array)
            self.shadows.write(y, high, record)
            highs[i], records[i] = high, record
        return highs, records

    def record(self, record):
        record.number = len(self.records) + 1
        self.records.append(record)
        return record

    def run_beside(self, engine, op, operands, outs):
        """(what the row gives from the shadows, the largest relative error of the output if that is known)."""
        found = engine.measuring(op, operands, outs[0]) if len(outs) == 1 else None
        return (self.run(engine, op, operands, True), None) if found is None else ([found[0]], found[1])

    def run(self, engine, op, operands, shadows):
        """The row in higher precision, from the shadows of its arguments or from the numbers themselves: arrays."""
        return arrays_of(engine.call(op, [value(engine, x, shadows) for x in operands]))

    def followed(self, engine, op, operands, outs, there, place):
        """The outputs as they are if the program's decisions are followed: its indices, its truth values."""
        other = [i for i, y in enumerate(outs) if not is_inexact(y) and not same(y, there[i])]
        if not other:
            return there
        self.decide(op.shown, place)
        dim = operands[op.positions["dim"]] if "dim" in op.positions else None
        source = array_of(value(engine, operands[0], True)) if isinstance(operands[0], Operand) else None
        indices = outs[other[0]]
        if isinstance(dim, int) and source is not None and source.ndim:
            keep = indices if indices.ndim == source.ndim else np.expand_dims(indices, dim)
            chosen = np.take_along_axis(source, keep, dim).reshape(indices.shape)
            there = [chosen if is_inexact(y) and y.shape == indices.shape else t for y, t in zip(outs, there)]
        return there

    # ---------------------------------------------------------------------- nodes

    def note_node(self, op, node, operands, outs, highs, records, place, only, part=None):
        """Keep what the formulas of this node name: the numbers, and their shadows."""
        if node is None or not op.formulas:
            return
        values, named = {}, []
        for name, how, i in plan_of(op):
            x = operands[i] if how is not OUTPUT else Operand(outs[i], highs[i], records[i], self.is_unknown(outs[i]))
            values[name] = x if how is None or how is OUTPUT else how(x)
        for x in flat([*values.values()]):
            if x.high is not None:
                self.shadows.lend(x.array)
            if x.record is not None and x.record not in named:
                named.append(x.record)
        edges = [len(x) if isinstance(x, list) else 0 for x in [operands[op.positions[f.of]] for f in op.formulas]]
        self.nodes[node._sequence_nr()] = Made(op, values, sorted(named, key=lambda r: r.number), place, edges,
                                                only, part)

    def is_unknown(self, array):
        memory = self.shadows.of(array)
        return memory is not None and memory.unknown

    # ---------------------------------------------------------------------- the story of a pass

    def begin(self, roots, gradients, keep_graph, create_graph):
        self.passes.append({})

    def end(self, problem):
        self.passes.pop()

    def enter(self, node, gradients):
        self.flows = {}

    def unpacked(self, node, contents):
        """Nothing to do: the call has shown what the node saves."""

    def capture(self, node, output, gradient):
        """Nothing: the gradient that was asked for is the one that arrived."""

    def hook(self, node, where, function, received, returned):
        """A hook may have put another gradient in place of one, which has a shadow of its own."""
        if where == "posthook" and returned is not None:
            self.flows = {}

    def leave(self, node, gradients, results):
        if not any([isinstance(x, Tensor) for x in (*gradients, *results)]):    # else operations, seen one by one
            self.watcher.undisturbed(self.ran, (node, gradients, results))

    def careful(self, function, arguments, made):
        """``function(*arguments)``; if that fails, the result ``made`` is unknown, and the program does not notice."""
        try:
            self.watcher.undisturbed(function, arguments)
        except Exception:
            self.watcher.undisturbed(self.note_unknown, ("sum of gradients", (None, 0), [array_of(made)], []))

    def ran(self, node, gradients, results):
        """A node has run: its formulas, once more."""
        made = self.nodes.get(node._sequence_nr())
        if made is None:
            incoming = {id(owner_of(d)) for d in gradients if d is not None}
            for r in results:
                if r is not None and id(owner_of(r)) not in incoming and (
                        not isinstance(node, PyNode) or self.shadows.of(r) is None):
                    self.note_unknown(node.name(), (None, 0), [r], [])
            return
        name = node.name()
        try:
            self.gradients(made, name, [self.shadows.operand(d) for d in gradients], results)
        except Exception:
            self.note_unknown(name, made.place, [r for r in results if r is not None], made.records)

    def gradients(self, made, name, incoming, results):
        op = made.op
        arrived = [d for d in incoming if d is not None]
        if any_unknown(arrived) or any_unknown(flat([*made.values.values()])):
            raise NoWay
        for d in arrived:
            if d.record is not None:
                d.record.used = True
        d = incoming if made.only is None else incoming[made.only if len(incoming) > 1 else 0]
        whole = d
        if made.part is not None:
            high = None if d.high is None else d.high.ravel()[made.part]
            d = Operand(d.array.ravel()[made.part], high, d.record, False)
        engine = engine_for(arrived, results)

        def beside(v):
            if moves(v):
                return Beside(value(engine, v, True), lambda: value(engine, v, False))
            return Beside(value(engine, v, False))

        def passing_by(new):
            """The gradient of a base, of which a part was written."""
            def of(w, y):
                return engine.up(around(array_of(engine.up(array_of(w), True)), made.part, array_of(y)))

            old = beside(whole)
            if new is None:
                return Beside(of(old.there, None), (lambda: of(old.here(), None)) if old.moved else None)
            return Beside(of(old.there, new.there), lambda: of(old.here(), new.here()))

        first = 0
        for f, many in zip(op.formulas, made.edges):
            wanted = results[first:first + (many or 1)]
            if any([r is not None for r in wanted]):
                values = [beside(made.values[n]) for n in f.names]
                out = gradient(engine, op, f, values, beside(d), lambda row: self.decide(name, made.place))
                if made.part is not None and f.of == op.params[0]:
                    out = passing_by(out)
                for k, r in enumerate(wanted):
                    if r is None or out is None or not is_inexact(r):
                        continue

                    def own(out=out, k=k):
                        return array_of(out.here()[k] if many else out.here())

                    there = out.there[k] if many else out.there
                    if there is not None:
                        self.flow(first + k, r, array_of(there), own if out.moved else None, name, made.place,
                              [x.record for x in arrived] + made.records, d.array.size if made.only is not None else 0)
            first += many or 1

    def flow(self, edge, low, high, own, name, place, inputs, most):
        """The gradient ``low`` goes out along this edge, and should be ``high``.

        ``own()`` is what it should be from the numbers that were there; None if that is the same.  What arrived at the
        node has ``most`` entries.
        """
        kept, record = high, None
        if high.shape == low.shape:
            high = fitted(high, low)
            digits = measured(low, high)
            memory = self.shadows.of(low)
            if digits.error:
                lost = digits
                if own is not None and asks_for_own(digits, low, most):
                    lost = measured(low, fitted(own(), low))
                elif own is not None and digits.error > SOUND * unit(low.dtype):
                    lost = None
                record = self.record(Record(name, place, inputs, low, digits, lost, True, True))
                find_trouble(record, low, high, ())
            if (record is not None or memory is not None) and (
                    memory is None or record is not None and not shows(memory, low, high)):
                self.shadows.write(low, high, record)
                self.shadows.lend(low)
        self.flows[edge] = low, kept, record

    def deliver(self, node, edge, gradient, total):
        if not isinstance(gradient, Tensor) and gradient is not None:
            self.careful(self.arrive, (node, edge, gradient, total), total)

    def arrive(self, node, edge, gradient, total):
        """A gradient, fitted to its input, has been added to what was there."""
        low, high, record = self.flows.get(edge, (None, None, None))
        if low is not None and (low.shape != gradient.shape or low.dtype != gradient.dtype) and is_inexact(gradient):
            high = fitted(high, gradient)
            digits = measured(gradient, high)
            if digits.error:
                record = self.record(Record("sum to shape", (None, 0) if record is None else record.place, [record],
                                            gradient, digits, digits, True, True))
                self.shadows.write(gradient, high, record)
        to, nr = node.next_functions[edge]
        there = self.passes[-1]
        x = self.shadows.operand(gradient)
        if (id(to), nr) in there and not isinstance(total, Tensor):
            before, records = there[id(to), nr]
            self.add(total, before, x, records, "sum of gradients")
            x = self.shadows.operand(total)
        if x.high is not None:
            self.shadows.lend(x.array)
        elif not x.unknown and 0 not in x.array.strides:        # later ones may be added to it where it is
            x.high = x.array.astype(wider(x.array.dtype))
        there[id(to), nr] = None if x.unknown else x.array if x.high is None else x.high, x.record

    def add(self, total, before, x, record, name):
        """``total`` is the sum of what was there before and of ``x``."""
        if before is None or x.unknown:
            self.note_unknown(name, (None, 0), [total], [record, x.record])
            return
        high = np.add(before, x.array if x.high is None else x.high, dtype=wider(total.dtype))
        high = np.asarray(high)         # of two without dims NumPy's is a number
        digits = measured(total, high)
        made = None
        if digits.error:
            inputs = [r for r in (record, x.record) if r is not None]
            for r in inputs:
                r.used = True
            place = inputs[-1].place if inputs else (None, 0)
            made = self.record(Record(name, place, inputs, total, digits, None, True, True))
        self.shadows.write(total, high, made)

    def accumulate(self, node, leaf, before, gradient, after):
        if not isinstance(gradient, Tensor) and type(after._array) is np.ndarray:
            self.careful(self.accumulated, (before, gradient, after._array), after)

    def accumulated(self, before, gradient, after):
        """A gradient has been put into .grad of a leaf, or added to what was there."""
        x = self.shadows.operand(gradient)
        if before is not None:
            memory = self.shadows.of(after)
            old = None if memory is not None and memory.unknown else self.shadows.before(after, before._array)
            if old is None and (memory is None or not memory.unknown):
                old = before._array.astype(wider(after.dtype))
            self.add(after, old, x, None if memory is None else memory.record, "accumulation into .grad")
        elif owner_of(after) is not owner_of(gradient) and (x.high is not None or x.unknown):
            self.shadows.lend(gradient)
            self.shadows.write(after, x.high, x.record)


# ------------------------------------------------------------------------------ operands

OUTPUT = object()


@cache
def plan_of(op):
    """What the formulas of a row name: [(the name, how it is made of an argument, which one)].

    None as it is; OUTPUT if it is an output instead.
    """
    plan = []
    for name in sorted({name for f in op.formulas for name in f.names}):
        if name in op.positions:
            plan.append((name, as_tuple if name in op.int_lists else None, op.positions[name]))
        elif name.endswith("_shape"):
            plan.append((name, shape_of, op.positions[name[:-6]]))
        elif name.endswith("_dtype"):
            plan.append((name, dtype_of, op.positions[name[:-6]]))
        else:
            plan.append((name, OUTPUT, op.outputs.index(name) if op.outputs else 0))
    return plan


def as_tuple(x):
    return (x,) if type(x) is int else x


def shape_of(x):
    return [shape_of(y) for y in x] if isinstance(x, list) else x.array.shape if isinstance(x, Operand) else ()


def dtype_of(x):
    return "dtype", x.array.dtype


def moves(x):
    """Is its shadow another number than itself?"""
    return any([moves(y) for y in x]) if isinstance(x, list) else isinstance(x, Operand) and x.high is not None


def value(engine, x, shadow):
    """An argument for the engine: the shadow, or the number itself."""
    if type(x) is Operand:
        return engine.up(x.high if shadow and x.high is not None else x.array)
    if isinstance(x, list):
        return [value(engine, y, shadow) for y in x]
    if isinstance(x, tuple) and x and x[0] == "dtype":
        return engine.dtype(wider(x[1]) or x[1])
    return engine.parameter(x)


def positions(base, part):
    """The indices of the elements of ``part``, a view of ``base``, in the flat base."""
    owner, size = owner_of(base), base.itemsize
    numbers = np.full(owner.nbytes // size, -1)

    def shown(array):
        at = address(array) - address(owner)
        steps = [step // size * numbers.itemsize for step in array.strides]
        return np.ndarray(array.shape, numbers.dtype, numbers, at // size * numbers.itemsize, steps)

    shown(base)[...] = np.arange(base.size).reshape(base.shape)
    return shown(part).copy()


def around(whole, part, new):
    """The gradient of the base before a write: what passes by, and in the part that was written ``new``, or 0."""
    whole = whole.copy()
    flat = whole.reshape(-1)
    flat[part] = 0 if new is None else new
    return flat.reshape(whole.shape)


def shows(memory, low, high):
    """Does the shadow of the memory say this already?"""
    if memory.unknown or not memory.fits(low):
        return False
    known, there = memory.parts(low)
    return same(known, low) and same(there, high)


# ------------------------------------------------------------------------------ what happened

def find_trouble(record, low, high, operands):
    """Overflow, underflow, or a nan that need not be: what an entry has become that has no digits left."""
    own = record.own
    if record.measured.worst > 1 or own is not None and own.worst > 1:      # a digit is right, of itself at least
        return
    with np.errstate(all="ignore"):
        finite = np.isfinite(high)
        lost = finite & ~np.isfinite(low)
        if lost.any():
            entering = all([np.isfinite(x.array).all() for x in operands if is_inexact(x.array)])
            record.trouble = ("overflow" if (np.isinf(low) & lost).any() else "invalid") if entering else "inherited"
        elif (finite & (np.abs(high) > 0) & (np.abs(high) < smallest(low.dtype)) & (np.abs(low) < smallest(low.dtype))
              ).any():
            record.trouble = "underflow"


def absorbed(low, operands):
    """The part of the entries in which a sum is one of its terms, and the other one is not zero: of a sample of them.
    """
    first, second = [x.array if isinstance(x, Operand) else x for x in operands[:2]]
    part = absorbed_part(low, first, second, SAMPLE)
    if part is not None:
        return part
    if low.size > SAMPLE:
        at = np.unravel_index(range(0, low.size, low.size // SAMPLE), low.shape)
        first, second = [np.broadcast_to(x, low.shape)[at] if isinstance(x, np.ndarray) else x for x in (first, second)]
        low = low[at]
    with np.errstate(all="ignore"):
        same_as = (low == first) & (np.not_equal(second, 0)) | (np.abs(low) == np.abs(second)) & np.not_equal(first, 0)
    return float(np.count_nonzero(same_as)) / max(low.size, 1)
