"""A recording: every call of a row in a block, written down so that it can be computed again, or told.

``with viz.recording() as written:`` hears each call (Note [Calls in full] in _core/graph/listener.pyx) and each
backward pass (Note [Stories] in _core/backward/watched_pass.pyx), and makes of them::

    h = torch.tanh(x @ w)       Call mm    [x, w]   -> [.]          Quantity  x  input       Quantity  w  parameter
    loss = h.sum()              Call tanh  [.]      -> [h]          Quantity  h  result of the call tanh
                                Call sum   [h]      -> [loss]
    loss.backward()             Pass: Step SumBackward0     its calls: expand   [.]  -> [.]
                                      Step TanhBackward0    its calls: tanh_backward ...
                                      Step MmBackward0      ...
                                      Step AccumulateGrad

The calls of a pass are calls like all others, since its formulas run on Tensors while somebody writes them down: what a
formula computes, the sum over what was broadcast, the sum where paths meet.  So one list has everything that was
computed, in order, forward and back.

Note [Quantities]
-----------------
A :class:`Quantity` is what a tensor held between two writes.  It is known by its array, which the recording keeps
alive: a saved tensor comes back as another Tensor on the same array.  A write to memory makes a new quantity of each
tensor that shows it, when that is read next::

    x.mul_(2)       x, version 0   --- Call mul, in place --->   x, version 1       `before` is version 0
    v[0]            v, which shows x, has another `call` too: the write is the latest that reached it

What the recording has not seen being made is an input: data, parameters, what NumPy or a factory has made, and random
numbers, which come as they were drawn.  Its numbers are copied when it is first read, into ``start``, since it may be
written to later.  A leaf that requires grad begins anew after each write, as a graph does.
"""

import linecache
import sys
from bisect import bisect_right
from dataclasses import dataclass, field
from inspect import CO_OPTIMIZED

import numpy as np

from minigrad._core.backward.watched_pass import set_story
from minigrad._core.errors import MinigradError, PACKAGE, error, shown_path
from minigrad._core.graph import AccumulateGrad, Tensor
from minigrad._core.graph.listener import listening
from minigrad._core.graph.saved_tensors import shown_slot
from minigrad._core.graph.view_history import CopySlices
from minigrad._core.profiling.recorders import Scribe, flags_now
from minigrad._core.runtime.scopes import Scope
from minigrad.viz.traversal import called, grads_put_aside

__all__ = ["Call", "Flow", "Line", "Pass", "Quantity", "Recording", "Step", "recording", "recording_of"]


# ------------------------------------------------------------------------------ what is written down

@dataclass(frozen=True)
class Line:
    """A line of the user's program."""
    file: str
    number: int
    text: str

    def __str__(self):
        return f"{shown_path(self.file)}:{self.number}" + (f", `{self.text}`" if self.text else "")


@dataclass(eq=False)
class Quantity:
    """What a tensor held between two writes: Note [Quantities]."""
    array: np.ndarray           # in the memory of the tensor: it has the latest numbers
    dtype: object
    kind: str                   # "leaf" (requires grad), "given" (not seen being made), "drawn" or "result"
    name: str = ""              # the user's variable, or the name of a parameter: "layers.0.weight"
    is_parameter: bool = False  # named by the module that has it
    start: np.ndarray = None    # of an input, its numbers when it was first read
    call: object = None         # the Call that made it, or the last that wrote to its memory
    output: int = 0             # which result of the call
    base: object = None         # a view: the Quantity of which it shows a part
    before: object = None       # the quantity in the same array before the write
    requires_grad: bool = False
    aliases: list = field(default_factory=list)     # other arrays with these numbers; alive, so that none gets their id
    n_writes: int = 0           # how many writes to its memory it has seen
    seen_version: int = 0       # that of its tensor, when it was last seen

    @property
    def shape(self):
        return self.array.shape

    @property
    def version(self):
        """How often what it shows was written to."""
        return 0 if self.before is None else 1 + self.before.version

    def __repr__(self):
        return f"<{self.name or 'unnamed'} {list(self.shape)}, {self.kind}>"


@dataclass(eq=False)
class Call:
    """A row was called."""
    number: int                 # its place among the calls
    op: object                  # the row
    # In the order of the schema, options too: a Quantity for a tensor, a list of them for a list, the rest as given.
    arguments: tuple
    in_place: bool              # its result was written into the first argument
    results: tuple = ()         # Quantities
    line: Line = None           # of the user's program
    function: str = ""          # the function that the user called, if the row is a part of it: "cross_entropy"
    module: str = ""            # the path of the module in whose forward it ran: "layers.0"
    step: object = None         # the Step of a backward pass in which it ran
    seq: int = 0                # of the node that recorded it, or one before
    node: str = ""              # the name of that node

    def quantities(self):
        """The Quantities among the arguments."""
        for x in self.arguments:
            yield from [y for y in x if isinstance(y, Quantity)] if type(x) is list else [x] * isinstance(x, Quantity)

    def argument(self, name):
        """The argument of this name: of a parameter of the schema."""
        return self.arguments[self.op.positions[name]]

    def __repr__(self):
        return f"<Call {self.number}: {self.op.written if self.in_place else self.op.shown}>"


@dataclass(eq=False)
class Flow:
    """What a node sent along an edge."""
    number: int                 # of the edge
    to: tuple                   # the node that it leads to: its name and its sequence number
    raw: Quantity               # what the formula gave, or None
    gradient: Quantity = None   # the same, summed to the shape of the input and in its dtype
    total: Quantity = None      # the sum of all that has arrived there so far


@dataclass(eq=False)
class Step:
    """A node of a backward pass that ran."""
    name: str                   # "TanhBackward0"
    seq: int                    # its sequence number
    call: Call                  # which this node differentiates; None of a custom Function, a view, a leaf
    arrived: list               # a Quantity, or None, for each output
    flows: list = field(default_factory=list)
    calls: list = field(default_factory=list)       # the calls of its formulas, of the sums behind them, of its hooks
    leaf: Quantity = None       # whose gradient this is
    gradient: Quantity = None   # what was added to .grad of the leaf, or was asked for
    line: Line = None
    begin: int = 0              # how many calls there were before it ran

    @property
    def through_view(self):
        """Is it that of a write through a view?  What arrives is the gradient of the base then."""
        return self.name == "CopySlices" and self.call is not None

    def input_of(self, flow):
        """The Quantity that a flow is the gradient of."""
        formulas = self.call.op.formulas
        if len(formulas) == 1 and type(self.call.argument(formulas[0].of)) is list:
            given = self.call.argument(formulas[0].of)
            each = given[flow.number] if flow.number < len(given) else None
        else:
            each = self.call.argument(formulas[flow.number].of) if flow.number < len(formulas) else None
        return each if isinstance(each, Quantity) else None


@dataclass(eq=False)
class Pass:
    """A backward pass."""
    roots: list                 # Quantities, None for one that is unknown
    gradients: list             # those to start from
    keys: list                  # (sequence number, output) of the roots
    steps: list = field(default_factory=list)
    begin: int = 0              # its calls are calls[begin:end] of the recording
    end: int = None
    failed: bool = False

    @property
    def leaves(self):
        """[(leaf, gradient)], in the order in which they were complete."""
        return [(step.leaf, step.gradient) for step in self.steps
                if step.leaf is not None and step.gradient is not None]


class Memory:
    """What is known of one piece of memory."""

    def __init__(self, owner):
        self.owner = owner              # the array, kept alive
        self.writes = []                # the Calls that wrote to it
        self.version = 0                # of its tensors, after the last of them
        self.first = None               # the first Quantity in it


# ------------------------------------------------------------------------------ the recording

class Recording:
    """What ``viz.recording()`` has written down.

    ``calls`` has the calls in order, ``passes`` the backward passes, with a Step for each node that ran.
    ``quantity(tensor)`` is what is known of a tensor, ``pass_of(loss)`` the pass that began at it, which is rehearsed
    if there was none, and ``needed_for(quantities)`` the calls that these were computed by.
    """

    def __init__(self):
        self.calls, self.passes = [], []
        self._known = {}                # id of an array -> Quantity, whose array is kept alive by it
        self._copies = set()            # ids of arrays that hold the numbers of a Quantity in other memory
        self._places = {}               # where an array lies -> Quantity
        self._memories = {}             # id of the array that owns the memory -> Memory
        self._numbered = ([], [])       # sequence numbers, and the calls that may have made them
        self._names = Names()
        self._around = []               # what is being called: (name, kind)
        self._begun = []                # calls that have begun: (arguments, how many calls there were, Quantities, ...)
        self._seq = 0
        self._line = None               # the line of the calls that are computed again, if it is not that of the caller
        self._story = Story(self)

    def __repr__(self):
        return f"<Recording of {len(self.calls)} calls and {len(self.passes)} backward passes>"

    def __reduce_ex__(self, protocol):
        raise error("MG205", "a Recording cannot be pickled or copied: it knows tensors by their memory. Keep what was "
                             "made of it: the text of viz.derive(loss) or its .latex, or viz.code(loss), a program "
                             "with its inputs, which can be pickled and saved")

    # -------------------------------------------------------------------------- listening

    def begin(self, name, kind, seq):
        self._around.append((name, kind))
        self._seq = seq

    def end(self):
        if self._around:
            self._around.pop()

    def calling(self, op, arguments, in_place):
        before = None
        if in_place and not any([at_a_level(x) for x in tensors_in(arguments)]):        # as it was before
            before = [self._read(x) if isinstance(x, Tensor) else x for x in arguments]
        self._begun.append((arguments, len(self.calls), before, self._seq, len(self._around) if in_place else None))

    def called(self, op, arguments, result, in_place):
        told, begun, before, seq, _ = self._begun.pop()
        while told is not arguments:                    # a call that raised has not returned
            told, begun, before, seq, _ = self._begun.pop()
        if op.is_view and self._is_writing():
            return                      # a view gets the history that it has after the write
        outputs = (result,) if isinstance(result, Tensor) else tuple(result)
        if any([at_a_level(x) for x in (*tensors_in(arguments), *outputs)]):
            return                      # of a transform, whose calls one level down are told, too
        seen = self._names.look()
        call = Call(begun, op, (), in_place, line=self._line or seen.line, function=self._function(op),
                    module=seen.module, step=self._story.now, seq=seq)
        call.arguments = tuple([self._argument(x, seen, None if before is None else before[i])
                                for i, x in enumerate(arguments)])
        self.calls.insert(begun, call)                  # the tangents of its result are told before it
        for i, later in enumerate(self.calls[begun + 1:], begun + 1):
            later.number = i
        if in_place:
            call.results = (self._after_write(call, outputs[0], call.arguments[0]),)
        else:
            call.results = tuple([self._made(call, i, y) for i, y in enumerate(outputs)])
        if outputs and not in_place and flags_now(outputs[0])[0]:
            call.node = op.node_name
        elif in_place and seq:
            call.node = op.in_place_name or op.node_name
        if call.step is not None:
            call.step.calls.append(call)
        elif seq:
            self._numbered[0].append(seq)
            self._numbered[1].append(call)

    def _is_writing(self):
        """Is what has been called a part of a write?"""
        depth = self._begun[-1][-1] if self._begun else None
        return depth is not None and len(self._around) >= depth

    def _function(self, op):
        """The outermost function around the row, if it is another: the row has been ended already."""
        names = [name for name, kind in self._around if kind == "op"]
        return names[0] if names and names[0] not in (op.shown, op.written) else ""

    def _argument(self, x, seen, before):
        if isinstance(x, Tensor):
            return self._named(before or self._read(x), x, seen)
        if type(x) in (list, tuple) and any([isinstance(y, Tensor) for y in x]):
            return [self._named(self._read(y), y, seen) if isinstance(y, Tensor) else y for y in x]
        return x

    def _named(self, quantity, tensor, seen):
        if not quantity.name:
            quantity.name, quantity.is_parameter = seen.name_of(tensor)
        return quantity

    # -------------------------------------------------------------------------- quantities

    def _read(self, tensor):
        """The Quantity of a tensor that is read; an input if it is unknown."""
        array = array_of(tensor)
        known = self._known.get(id(array))
        if id(array) in self._copies:
            return known
        memory = self._memory(array)
        if known is None and array.size:
            known = self._places.get(place_of(array))
            if known is not None:
                self._known[id(array)] = known
                known.aliases.append(array)
        if known is not None:
            current = self._up_to_date(known, tensor, memory)
            if current is not None:
                return current
        leaf = is_leaf(tensor)
        made = Quantity(array, tensor.dtype, "leaf" if leaf else "given", start=array.copy("K"),
                        requires_grad=flags_now(tensor)[0])
        made.name = known.name if known is not None else ""
        made.is_parameter = known is not None and known.is_parameter
        return self._keep(made, memory, tensor)

    def _up_to_date(self, known, tensor, memory):
        """The same after the writes that it has not seen; None if it must begin anew."""
        if tensor._version > max(memory.version, known.seen_version):
            return None                                 # somebody wrote who was not heard
        leaf = is_leaf(tensor)
        if leaf and known.kind != "leaf":
            return None
        if known.n_writes == len(memory.writes):
            return known
        if known.kind == "leaf":
            return None
        write = memory.writes[-1]
        made = Quantity(known.array, known.dtype, "result", known.name, known.is_parameter, call=write, base=known.base,
                        before=known, requires_grad=flags_now(tensor)[0])
        return self._keep(made, memory, tensor)

    def _made(self, call, i, tensor):
        """The Quantity of a result."""
        array = array_of(tensor)
        known = self._known.get(id(array))
        if known is not None and (known.kind != "given" or known in call.quantities()):
            return known                        # the row gave its argument back
        memory = self._memory(array)
        base = memory.first
        if known is not None:                   # its tangent was computed before the call was told
            known.kind, known.start, known.call, known.output = "result", None, call, i
            return known
        made = Quantity(array, tensor.dtype, "drawn" if call.op.draws else "result", call=call, output=i, base=base,
                        requires_grad=flags_now(tensor)[0])
        if call.op.draws:
            made.start = array.copy("K")
        return self._keep(made, memory, tensor)

    def _after_write(self, call, tensor, target):
        array = array_of(tensor)
        memory = self._memory(array)
        memory.writes.append(call)
        memory.version = tensor._version
        made = Quantity(array, tensor.dtype, "result", target.name, target.is_parameter, call=call, base=target.base,
                        before=target if target.array is array else None, requires_grad=flags_now(tensor)[0])
        if call.op.draws:
            made.kind, made.start = "drawn", array.copy("K")
        return self._keep(made, memory, tensor)

    def _keep(self, quantity, memory, tensor):
        quantity.n_writes, quantity.seen_version = len(memory.writes), tensor._version
        self._known[id(quantity.array)] = quantity
        if quantity.array.size:
            self._places[place_of(quantity.array)] = quantity
        if memory.first is None:
            memory.first = quantity
        return quantity

    def _memory(self, array):
        owner = owner_of(array)
        memory = self._memories.get(id(owner))
        if memory is None:
            memory = self._memories[id(owner)] = Memory(owner)
        return memory

    def _alias(self, array, quantity):
        """``array`` holds the numbers of ``quantity``: a copy that a node has saved."""
        self._known[id(array)] = quantity
        self._copies.add(id(array))
        quantity.aliases.append(array)

    # -------------------------------------------------------------------------- asking

    def quantity(self, tensor):
        """What is known of a tensor; None if it was not in the recording."""
        array = array_of(tensor)
        known = self._known.get(id(array))
        return known if known is not None or not array.size else self._places.get(place_of(array))

    def memory_of(self, quantity):
        """The Calls that wrote to the memory of a quantity, in order."""
        return self._memory(quantity.array).writes

    def call_of(self, seq, name):
        """The call that made the node of this sequence number and name."""
        i = bisect_right(self._numbered[0], seq) - 1
        call = self._numbered[1][i] if i >= 0 else None
        return call if call is not None and name in (call.op.node_name, call.op.in_place_name) else None

    def root_of(self, node, nr):
        """The output of a node; None if no call is known to have made it."""
        if isinstance(node, AccumulateGrad):
            return self.quantity(node.variable)
        call = self.call_of(node._sequence_nr(), called(node))
        return call.results[nr] if call is not None and nr < len(call.results) else None

    def pass_of(self, tensor, gradient=None):
        """The backward pass from this tensor: the one in the recording, or one that is rehearsed now, which leaves no
        trace."""
        key = key_of(tensor)
        for each in self.passes:
            if each.keys == [key] and not each.failed and (gradient is None or
                                                           each.gradients[0] is self.quantity(gradient)):
                return each
        with grads_put_aside(tensor, None), self._resumed():
            tensor.backward(gradient, retain_graph=True)
        return self.passes[-1]

    def needed_for(self, quantities):
        """The calls by which these were computed, in order: makers, and writes to their memory."""
        wanted, waiting = set(), [(q, len(self.calls)) for q in quantities]
        seen = set()
        while waiting:
            quantity, until = waiting.pop()
            if quantity is None or (id(quantity), until) in seen:
                continue
            seen.add((id(quantity), until))
            calls = [] if quantity.call is None else [quantity.call]
            at = quantity
            while at is not None:
                calls += [at.call] * (at.call is not None)
                at = at.before
            calls += [write for write in self._memory(quantity.array).writes
                      if write.number < until and quantity.kind != "leaf"]
            for call in calls:
                if call.number not in wanted:
                    wanted.add(call.number)
                    waiting += [(x, call.number) for x in call.quantities()]
            if quantity.base is not None and quantity.kind != "leaf":
                waiting.append((quantity.base, until))
        return [self.calls[i] for i in sorted(wanted)]

    def _resumed(self):
        return Scope((listen, Scribe(self)), (set_story, self._story))

    def name_results(self, frame):
        """Give the variables of a frame their names, those that nothing has read since included."""
        seen = self._names.look(frame, arrays=True)
        for quantity in [*self._known.values()]:
            if not quantity.name and quantity.kind != "drawn":
                for array in (quantity.array, *quantity.aliases):
                    quantity.name = quantity.name or seen.by_array.get(id(array), "")


def listen(scribe):
    """From now on ``scribe`` hears the calls of this thread; None ends that.  Returns the scribe before."""
    before = listening()
    if isinstance(before, Scribe):
        before.stop()
    if scribe is not None:
        scribe.start()
    return before if isinstance(before, Scribe) else None


# ------------------------------------------------------------------------------ backward passes

class Story:
    """What the engine tells of its passes: Note [Stories] in _core/backward/watched_pass.pyx."""

    def __init__(self, recording):
        self.recording = recording
        self.running = []               # (Pass, the Step that runs), innermost last

    @property
    def now(self):
        return self.running[-1][1] if self.running else None

    def begin(self, roots, gradients, keep_graph, create_graph):
        made = self.recording
        each = Pass([made.root_of(node, nr) for node, nr in roots], [quantity_of(made, g) for g in gradients],
                    [(node._sequence_nr(), nr) for node, nr in roots], begin=len(made.calls))
        seen = made._names.look(arrays=True)
        for root in each.roots:
            if root is not None and not root.name:
                root.name = seen.by_array.get(id(root.array), "")
        made.passes.append(each)
        self.running.append([each, None])

    def enter(self, node, gradients):
        made = self.recording
        inner = node._inner if isinstance(node, CopySlices) else node
        name = called(node)
        call = made.call_of(inner._sequence_nr(), called(inner)) if not isinstance(node, AccumulateGrad) else None
        step = Step(name, node._sequence_nr(), call, [quantity_of(made, g) for g in gradients],
                    line=None if call is None else call.line, begin=len(made.calls))
        if isinstance(node, AccumulateGrad) and isinstance(node.variable, Tensor):
            step.leaf = made._read(node.variable)
        if call is not None:
            self.alias_saved(inner, call)
        self.running[-1][0].steps.append(step)
        self.running[-1][1] = step

    def alias_saved(self, node, call, contents=None):
        """What the node has saved is what its call was given: a write saves a copy of its target, hooks anything."""
        for i, slot in enumerate(call.op.slots):
            if slot not in call.op.positions:
                continue
            given = call.argument(slot)
            try:
                saved = contents[i] if contents is not None else shown_slot(node, i)
            except (MinigradError, IndexError):
                continue
            pairs = zip(saved, given) if type(given) is list and saved is not None else [(saved, given)]
            for tensor, quantity in pairs:
                if not isinstance(tensor, Tensor) or not isinstance(quantity, Quantity) or at_a_level(tensor):
                    continue
                array = array_of(tensor)
                if id(array) not in self.recording._known and (contents is None or alike(array, quantity.array)):
                    self.recording._alias(array, quantity)

    def hook(self, node, where, function, received, returned):
        """Its calls are among those of the step."""

    def unpacked(self, node, contents):
        step = self.now
        if step is not None and step.call is not None:
            self.alias_saved(node, step.call, contents)

    def leave(self, node, gradients, results):
        step = self.now
        step.flows = [Flow(e, (called(below), below._sequence_nr()), quantity_of(self.recording, results[e]))
                      for e, (below, _) in enumerate(node.next_functions) if below is not None]

    def deliver(self, node, edge, gradient, total):
        made = self.recording
        for flow in self.now.flows:
            if flow.number == edge:
                flow.gradient, flow.total = quantity_of(made, gradient), quantity_of(made, total)

    def accumulate(self, node, leaf, before, gradient, after):
        self.now.gradient = quantity_of(self.recording, gradient)

    def capture(self, node, output, gradient):
        step = self.now
        step.gradient = quantity_of(self.recording, gradient)
        if step.leaf is None:
            step.leaf = self.recording.root_of(node, output)

    def end(self, error):
        each, _ = self.running.pop()
        each.end, each.failed = len(self.recording.calls), error is not None


def quantity_of(recording, x):
    return recording._read(x) if isinstance(x, Tensor) and not at_a_level(x) else None


# ------------------------------------------------------------------------------ names and lines

@dataclass
class Seen:
    """What the frames of the program show at a moment."""
    line: Line
    module: str
    by_tensor: dict             # id of a tensor -> (name, is a parameter's)
    by_array: dict              # id of an array -> name

    def name_of(self, tensor):
        return self.by_tensor.get(id(tensor), ("", False))


class Names:
    """Finds the user's line, the names of variables, and the modules around."""

    def __init__(self):
        self.roots = {}                 # id of a module -> (the module, {id: path}, {id of a parameter: name})
        self.lines = {}                 # (file, number) -> Line

    def look(self, frame=None, arrays=False):
        """What is around the call that is being told, or around the function in ``frame``; with ``arrays``, too, which
        variables have which arrays."""
        at = frame or sys._getframe(2)
        users, modules = None, []
        while at is not None:
            own = at.f_code.co_filename.startswith(PACKAGE)
            if users is None and not own:
                users = at
            inside = at.f_locals.get("self") if "self" in at.f_code.co_varnames[:1] else None
            if hasattr(inside, "named_parameters") and hasattr(inside, "named_modules"):
                modules.append(inside)
            cleared(at)
            at = at.f_back
        by_tensor, by_array = variables_of(users, arrays) if users is not None else ({}, {})
        path = ""
        if modules:
            paths, parameters = self.inside(modules[-1], users)
            by_tensor = {**by_tensor, **parameters}
            path = next((paths[id(m)] for m in modules if id(m) in paths), "")
        return Seen(self.line(users), path, by_tensor, by_array)

    def inside(self, root, frame):
        """The paths of modules in ``root``, and the names of its parameters and buffers: ``fc.weight`` for those of its
        own, where a variable ``fc`` in the frame has it."""
        known = self.roots.get(id(root))
        if known is None:
            variable = next((f"{name}." for name, x in (frame.f_locals if frame else {}).items() if x is root), "")
            own = {name for name, _ in root.named_parameters(recurse=False)} if variable != "self." else ()
            named = {id(x): ((variable if name in own else "") + name, True)
                     for name, x in [*root.named_buffers(), *root.named_parameters()]}
            if frame is not None:
                cleared(frame)
            known = self.roots[id(root)] = root, {id(m): name for name, m in root.named_modules()}, named
        return known[1:]

    def line(self, frame):
        if frame is None:
            return None
        key = frame.f_code.co_filename, frame.f_lineno
        if key not in self.lines:
            self.lines[key] = Line(*key, linecache.getline(*key).strip())
        return self.lines[key]


#: A list of more tensors than this is not searched for names.
MANY = 64


def variables_of(frame, arrays):
    """{id of a tensor: (its name, False)} for the variables of a frame, tensors in its lists, and attributes of
    ``self``; with ``arrays`` the same for arrays, too."""
    found = {}
    local = frame.f_locals
    for names in ([] if frame.f_globals is local else [frame.f_globals]) + [getattr(local.get("self"), "__dict__", {}),
                                                                            local]:
        for name, value in [*names.items()]:
            if isinstance(value, Tensor):
                if not name.startswith("_"):
                    found[id(value)] = name, value
            elif type(value) in (list, tuple) and 0 < len(value) <= MANY and not name.startswith("_"):
                for i, each in enumerate(value):
                    if isinstance(each, Tensor):
                        found.setdefault(id(each), (f"{name}_{i}", each))
    cleared(frame)
    by_array = {id(array_of(x)): name for name, x in found.values()} if arrays else {}
    return {key: (name, False) for key, (name, _) in found.items()}, by_array


def cleared(frame):
    """Before Python 3.13 a frame keeps a copy of its variables, which would keep the tensors alive."""
    local = frame.f_locals
    if isinstance(local, dict) and frame.f_code.co_flags & CO_OPTIMIZED:
        local.clear()


# ------------------------------------------------------------------------------ tensors

def array_of(tensor):
    array = tensor
    while isinstance(array, Tensor):
        array = array._array
    return array


def is_leaf(tensor):
    """Is it a leaf that requires grad, and not a view of one?"""
    requires_grad, leaf = flags_now(tensor)
    return requires_grad and leaf


def at_a_level(tensor):
    return isinstance(tensor._array, Tensor)


def tensors_in(arguments):
    for x in arguments:
        if isinstance(x, Tensor):
            yield x
        elif type(x) in (list, tuple):
            yield from [y for y in x if isinstance(y, Tensor)]


def owner_of(array):
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def alike(a, b):
    """Do two arrays have the same bits?"""
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def after_a_number(name):
    """``layer0.weight`` of ``0.weight``, since a name does not begin with a digit."""
    return f"layer{name}" if name[:1].isdigit() else name


def place_of(array):
    return array.__array_interface__["data"][0], array.shape, array.strides, array.dtype.str


def key_of(tensor):
    node = tensor.grad_fn
    return (node._sequence_nr(), tensor.output_nr) if node is not None else (None, id(tensor))


# ------------------------------------------------------------------------------ the block

class Block(Scope):
    """A block whose calls and passes are written down, in a recording that no other call looks for."""

    def __init__(self):
        self._frame = None

    def _changes(self):
        self.value = made = Recording()
        self._frame = sys._getframe(1)
        return [(set_story, made._story), (listen, Scribe(made))]

    def _left(self):
        self.value.name_results(self._frame)
        self._frame = None


class recording(Block):
    """Write down everything that a ``with`` block computes, so that it can be told or computed again.

    Every call of a row and every backward pass of this thread is written down, whatever calls it; tensors are named
    after the variables of the program and the parameters of its modules. Nothing that is computed changes, except the
    last bit of a gradient: formulas run on Tensors meanwhile, as with ``create_graph=True``. All results are kept
    alive, so record one step of a training, and not all of it.

    Returns a :class:`Recording`. The latest recording is remembered until the next one begins; for others keep what the
    block returns.

    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> with minigrad.viz.recording() as written:
    ...     y = (x * x).sum()
    >>> written.calls
    [<Call 0: mul>, <Call 1: sum>]
    >>> written.calls[0].arguments
    (<x [2], leaf>, <x [2], leaf>)
    >>> [(step.name, [call.op.name for call in step.calls]) for step in written.pass_of(y).steps[:2]]
    [('SumBackward0', ['expand_reduced']), ('MulBackward0', ['mul', 'mul', 'add'])]
    """

    def _changes(self):
        global latest
        changes = super()._changes()
        latest, self._frame = self.value, sys._getframe(1)
        return changes


#: The latest recording that a program has asked for.
latest = None


def recording_of(tensor, written=None):
    """The recording in which this tensor was computed; None if there is none."""
    for each in (written, latest):
        if each is not None and each.quantity(tensor) is not None:
            return each
    return None


# ------------------------------------------------------------------------------ what somebody asks about

def asked_for(caller, what, inputs, frame):
    """(a recording, a tensor in it) for a tensor that was recorded, with the names in the frame; or for a function,
    which is recorded with these inputs."""
    if isinstance(what, Tensor):
        made = recording_of(what)
        if inputs:
            raise error("MG205", f"{caller}(): inputs belong to a function; of a tensor that was recorded write "
                                 f"{caller}(loss)")
        if made is None or not leads_somewhere(made, what):
            raise not_recorded(caller, next((name for name, x in frame.f_locals.items() if x is what), "loss"))
        made.name_results(frame)
        return made, what
    if not callable(what):
        raise error("MG205", f"{caller}(): expected a Tensor or a function, not '{type(what).__name__}'")
    leaves = [x.detach().clone().requires_grad_() if isinstance(x, Tensor) and (x.is_floating_point() or x.is_complex())
              else x for x in inputs]
    with Block() as made:               # the latest recording stays that of the program
        result = what(*leaves)
    if not isinstance(result, Tensor):
        raise error("MG205", f"{caller}(): the function must return a Tensor, and returned '{type(result).__name__}'")
    names = getattr(getattr(what, "__code__", None), "co_varnames", ())
    for name, x in zip(names, leaves):
        quantity = made.quantity(x) if isinstance(x, Tensor) else None
        if quantity is not None:
            quantity.name = name
    quantity = made.quantity(result)
    if quantity is None:
        raise not_recorded(caller, "the result")
    quantity.name = quantity.name or "result"
    return made, result


def leads_somewhere(made, tensor):
    quantity = made.quantity(tensor)
    return quantity.kind in ("result", "leaf") and not (quantity.kind == "leaf" and tensor.grad_fn is not None)


def not_recorded(caller, name):
    return error("MG204", f"{caller}(): {name} was not computed in a recording, and the graph alone does not know what "
                          f"was computed. Write\n\n    with minigrad.viz.recording():\n        {name} = ...\n\nor give "
                          f"a function and its inputs, as in {caller}(f, x)")
