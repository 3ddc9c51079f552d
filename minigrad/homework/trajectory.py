"""The parameters of a network while a submission trains it.

Training has no interface for its steps: it gets data, and returns parameters.  But each forward pass calls the
activation, and at that moment the parameters are at hand: in a variable of the function that calls it or of one further
out, by themselves, in a list, as attributes, or in a closure; or in a global variable.  There they are copied::

    train(x, labels, ...)       found = [W1, b1, W2, b2]; speed = [...]
      gradients(p, x, labels)
        hidden(p, x)            np.tanh(x @ p[0] + p[1])        ->  {("p", "0"): W1, ("p", "1"): b1, ...}

Of several arrays of one shape, those are the parameters that come closest to what training returns.  Where there are
none of these shapes, larger arrays are searched for them: a vector of all weights, or a matrix with the biases as its
last row; and where there are none either, the operands of products and sums are taken, or what operators and calls in
the source have made since the activation was called before.  A training that keeps its parameters in another way is not
seen, and then nothing is said about it.
"""

from array import array as numbers_array
from collections import deque
from functools import partial
from math import prod
from types import FunctionType, MemberDescriptorType as Slot, MethodType, ModuleType

from numpy import abs as size_of, array, array_equal, errstate, frombuffer, inf, isfinite, ndarray, sqrt
from numpy.lib.stride_tricks import sliding_window_view

from minigrad.homework.fence import FILE, JUDGE, outer_frames

__all__ = ["answering", "followed"]

#: how deep an array may lie in containers, and how many things one of these may have
DEEP, MANY = 4, 64
#: how far parameters may be from those that are returned, as a part of these: an average of several may be returned
NEAR = 0.5
#: the same for a part of a larger array
INSIDE = 0.3
#: steps that are kept, and those that are told: the first, and two of each so many later ones
MOST, FIRST, LATER = 4000, 100, 50
#: steps that are told after other numbers have been written
AFTER = 60
#: arrays that are remembered of what is made between two calls of the activation
MADE = 40
#: how far the first layer goes in a leap, as a part of its size, and how many leaps are told, the last
LEAP, LEAPS = 0.5, 8
#: the least cosine of the angle between two steps in one direction
STRAIGHT = 0.999
#: what takes the weights and the biases of a layer
COMBINING = {"matmul", "add"}
#: what may have the weights in it as bytes
BUFFERS = bytes, bytearray, memoryview, numbers_array
#: functions of NumPy and of `math` that an activation may call
ACTIVATIONS = {"tanh", "exp", "expm1", "arctan", "atan", "sin", "arcsinh", "asinh", "log"}


#: bytes with something else in them give any numbers
quietly = errstate(all="ignore")


def followed(meter, train, inputs, hidden, classes):
    """What is seen of ``train()``: (steps, leaps), both empty if they are not seen.

    ``steps`` are [W1, b1, W2, b2] before and after its steps.  ``leaps`` are pairs of such, of the whole run, between
    which the first layer changes by much, and comes to where it has not been before.
    """
    shapes, total = shapes_of(inputs, hidden, classes)
    steps = steps_of(*recorded(meter, train, shapes, total), shapes)
    return told(steps), leaps_in(steps)


def answering(meter, train, inputs, hidden, classes, parts, new):
    """What ``train()`` does where other numbers are written into the weights of both layers on its way: (steps and
    leaps as above, [steps after the first writing, after the second, ...], [for each writing, how much is left of the
    way that W1 was moved by it]); without writings that were undone at once.

    ``parts`` say after which parts of its steps, and ``new(W1, W2)`` makes the numbers.  The training runs twice, first
    as it is, to find out how many steps it has, and where it keeps these weights.
    """
    shapes, total = shapes_of(inputs, hidden, classes)
    first = recorded(meter, train, shapes, total)
    steps = steps_of(*first, shapes)
    paths = places_of(first[0], first[-1]) if steps else {}
    number = sum([function in paths for function, _ in first[0]])
    turns, seen, written = [int(part * number) for part in parts if number], [], []

    def write(function, arrays):
        layers = [arrays.get(path) for path in paths[function][::2]] if function in paths else []
        if layers and all([weights is not None for weights in layers]):
            seen.append(True)
            if turns and len(seen) > turns[0] and all([weights.flags.writeable for weights in layers]):
                turns.pop(0)
                before = [weights.astype(float) for weights in layers]
                written.append((before, new(*before)))
                for weights, now in zip(layers, written[-1][1]):
                    weights[...] = now

    answers, left = [], []
    if turns:
        usual, rows = listed(first[0], paths), listed(recorded(meter, train, shapes, total, write)[0], paths)
        for before, now in written:
            at = next((i for i, step in enumerate(rows) if array_equal(step[2], now[1])), len(rows))
            after = changing(rows[at:at + 2 * AFTER])[:AFTER]
            if len(after) > 1 and apart_from(after[1][2], now[1]) < apart_from(after[1][2], before[1]):
                answers.append(after)
                end = min(len(rows), len(usual)) - 1
                left.append(min([remains(rows[i][0] - usual[i][0], now[0] - before[0])
                                 for i in (min(end, at + 2 * AFTER), end)]) if end > at else 1.0)
    return told(steps), leaps_in(steps), answers, left


@quietly
def remains(apart, moved):
    """Which part of a move is still there, in what two runs are apart?  All of it if they are not: then the training
    has begun anew."""
    part = (apart * moved).sum() / (moved * moved).sum() if apart.any() else 1.0
    return part if isfinite(part) else 1.0


@quietly
def steps_of(records, combined, made, returned, shapes):
    """The parameters before and after each step that changes them, wherever they are found; else nothing."""
    if [each.shape for each in returned] != shapes:
        return []
    return (chosen(records, returned) or unpacked(records, returned) or chosen(combined, returned)
            or chosen(made[1:], returned))                      # before the first call others have been made


def told(steps):
    """Those of the steps that the judge is told."""
    return [step for i, step in enumerate(steps) if i < FIRST or i % LATER < 2][:2 * FIRST]


def shapes_of(inputs, hidden, classes):
    """Of W1, b1, W2 and b2, and how many numbers they are."""
    shapes = [(inputs, hidden), (hidden,), (hidden, classes), (classes,)]
    return shapes, inputs * hidden + hidden + hidden * classes + classes


def recorded(meter, train, shapes, total, write=None):
    """(records at the activation, records of operands, records of what is made, what ``train()`` returns);
    ``write(function, arrays)`` may change the arrays that are seen before they are copied."""
    records, combined, made, operated, recent = [], [], [], {}, {}

    def watch(ufunc, operands, result):
        if max(len(records), len(combined), len(made)) >= MOST:
            return
        if ufunc is None:
            note_made(result)
            return
        name = ufunc.__name__
        if name in COMBINING:
            for number, each in enumerate(operands[:2]):
                each = array(each) if type(each) is memoryview else each
                if isinstance(each, ndarray) and each.shape in shapes and each.dtype.kind == "f":
                    operated[name, str(number), str(each.shape)] = each.astype(float)
        elif name in ACTIVATIONS:
            add(records, *record_of(outer_frames(1), shapes, total))
            if has_all(operated, shapes):
                add(combined, "", operated)
                operated.clear()
            if has_all(recent, shapes):
                add(made, "", recent)
            recent.clear()

    def note_made(result):
        for each in result if type(result) in (list, tuple) else [result]:
            if isinstance(each, ndarray) and each.shape in shapes and each.dtype.kind == "f" and len(recent) < MADE:
                number = sum([one.shape == each.shape for one in recent.values()])
                recent[str(each.shape), str(number)] = each.astype(float)

    def add(kept, function, found):
        if found and not (kept and alike(kept[-1], (function, found))):
            if write:
                write(function, found)
            kept.append((function, {path: each.astype(float) for path, each in found.items()}))

    meter.watch(watch)
    try:
        return records, combined, made, [array(each, float) for each in train()]
    finally:
        meter.watch(None)


def record_of(frames, shapes, total):
    """(name of a function, {path: array}) of the innermost function of the submission that has the parameters, or else
    arrays in which they may lie; no arrays if there is neither."""
    larger, names = [], None
    for frame in frames:
        file = frame.f_code.co_filename
        if file == JUDGE:
            break
        if file == FILE:
            names = frame.f_globals
            record = frame.f_code.co_name, dict(arrays_in(frame.f_locals, (), shapes, total))
            if has_all(record[1], shapes):
                return record
            larger.append(record)
    if names is not None:
        record = "", dict(arrays_in(names, (), shapes, total))
        if has_all(record[1], shapes):
            return record
        larger.append(record)
    return next((record for record in larger if sum([each.size for each in record[1].values()]) >= total), ("", {}))


def has_all(found, shapes):
    return {each.shape for each in found.values()} >= {*shapes}


def alike(one, other):
    return one[0] == other[0] and one[1].keys() == other[1].keys() and all(
        array_equal(each, other[1][path]) for path, each in one[1].items())         # the first tells, most times


def arrays_in(value, path, shapes, total):
    """(path, array) of each array in a value and in what it contains that has one of these shapes, or may contain
    others of them; lists of numbers, and bytes, too."""
    kind = type(value)
    if kind is ndarray:
        if fits(value, shapes, total) and value.dtype.kind == "f":
            yield path, value
        return
    if kind in BUFFERS:
        yield from [((*path, str(shape)), each) for shape, each in numbers_of_bytes(value, shapes, total)]
        return
    if len(path) > DEEP or kind in (str, int, float, ModuleType) or issubclass(kind, type):
        return
    if issubclass(kind, (list, tuple)):
        numbers = numbers_in(value) if value else None
        if numbers is not None:
            if fits(numbers, shapes, total):
                yield path, numbers
            return
        inner = enumerate(value)
    elif issubclass(kind, dict):
        inner = value.items()
    else:
        inner = attributes_of(value)
    for name, each in list(inner)[:MANY]:
        yield from arrays_in(each, (*path, str(name)), shapes, total)


def numbers_of_bytes(value, shapes, total):
    """(shape, array) for each of these shapes that bytes may have as floats; without a shape as one vector."""
    numbers = memoryview(value)
    if numbers.nbytes % 8 or not numbers.c_contiguous:
        return
    flat = frombuffer(numbers.cast("B"))
    for shape in shapes:
        if flat.size == prod(shape):
            yield shape, flat.reshape(shape)
    if flat.size >= total and fits(flat, shapes, total):
        yield "", flat


def attributes_of(value):
    """(name, value) of what an object has: attributes, also in slots; of a function, the variables of the one around
    it; of a method, its object; of a partial, the arguments; of a deque, the elements."""
    kind = type(value)
    if kind is FunctionType:
        cells = zip(value.__code__.co_freevars, value.__closure__ or ())
        return [(name, inner) for name, cell in cells for inner in contents_of(cell)]
    if kind is MethodType:
        return [("self", value.__self__)]
    if kind is partial:
        return [*enumerate(value.args), *value.keywords.items()]
    if issubclass(kind, deque):
        return enumerate(value)
    slots = [(name, slot) for base in kind.__mro__ for name, slot in vars(base).items() if type(slot) is Slot]
    return [*getattr(value, "__dict__", {}).items(),
            *[(name, inner) for name, slot in slots for inner in contents_of(slot, value)]]


def contents_of(place, *owner):
    """What a cell has in it, or a slot of an object; nothing if it is empty."""
    try:
        return [place.__get__(*owner) if owner else place.cell_contents]
    except (AttributeError, ValueError):
        return []


def fits(each, shapes, total):
    return each.shape in shapes or shapes[1][0] < each.size <= 2 * total


def numbers_in(value):
    """A list of floats, or of lists of them, as an array; None if it is something else."""
    rows = value if type(value[0]) in (list, tuple) else [value]
    is_even = all([type(row) in (list, tuple) and len(row) == len(rows[0]) for row in rows])
    return array(value, float) if is_even and all([isinstance(each, float) for row in rows for each in row]) else None


def chosen(records, returned):
    """Of all records the parameters, where they change; nothing if it cannot be told which they are."""
    return changing(listed(records, places_of(records, returned)))


def listed(records, paths):
    """The parameters in each record of a function of which it is known where it has them."""
    return [[found[path] for path in paths[function]] for function, found in records
            if function in paths and all([path in found for path in paths[function]])]


@quietly
def places_of(records, returned):
    """{function: paths of W1, b1, W2 and b2}, where they can be told, by what comes closest to what is returned."""
    nearest = {}                                            # of each function and path
    sizes = [largest(wanted) for wanted in returned]
    for function, found in records:
        for path, each in found.items():
            for number, wanted in enumerate(returned):
                if each.shape == wanted.shape:
                    paths = nearest.setdefault((function, number), {})
                    paths[path] = min(paths.get(path, inf), apart(each, wanted, sizes[number]))
    known = {function: paths_in(function, nearest) for function in {function for function, _ in records}}
    return {function: paths for function, paths in known.items() if paths}


def largest(wanted):
    return max(size_of(wanted).max(), 1e-9)


def apart(each, wanted, size):
    """How far the numbers are from those that are wanted, as a part of the largest of these."""
    most = size_of(each - wanted).max() / size
    return most if isfinite(most) else inf


@quietly
def apart_from(each, wanted):
    return apart(each, wanted, largest(wanted))


def changing(steps):
    """The steps, without those that change nothing."""
    return [step for i, step in enumerate(steps) if i == 0 or not all(map(array_equal, step, steps[i - 1]))]


def paths_in(function, nearest):
    """Where a function has W1, b1, W2 and b2, by the second layer, which no scaling of the inputs changes; or None."""
    if not all([(function, number) in nearest for number in range(4)]):
        return None
    second = min(nearest[function, 2], key=lambda path: (nearest[function, 2][path], -len(path)))
    if nearest[function, 2][second] > NEAR:
        return None

    def rank(item):
        path, apart = item
        return apart > NEAR, -sum([a == b for a, b in zip(path, second)]), apart

    return [second if number == 2 else min(nearest[function, number].items(), key=rank)[0] for number in range(4)]


# ------------------------------------------------------------------------------ in larger arrays


def unpacked(records, returned):
    """The parameters as parts of larger arrays, where they change, found by the last record of a function."""
    for function, last in {function: found for function, found in records}.items():
        places = [place_in(last, wanted) for wanted in returned]
        if all([place and place[0] <= INSIDE for place in places]):
            paths = {path for _, path, *_ in places}
            return changing([[part_of(found[path], wanted.shape, *place)
                              for (_, path, *place), wanted in zip(places, returned)]
                             for name, found in records if name == function and paths <= {*found} and all(
                                 [found[path].shape == last[path].shape for path in paths])])
    return []


def place_in(found, wanted):
    """(how far apart, path, is the array transposed?, is the part?, where it begins) of the part that comes closest."""
    places = []
    for path, each in found.items():
        if each.size >= wanted.size:
            for is_array in (False, True)[:each.ndim]:
                for is_part in (False, True)[:wanted.ndim]:
                    parts = sliding_window_view((each.T if is_array else each).ravel(), wanted.size)
                    apart = size_of(parts - (wanted.T if is_part else wanted).ravel()).max(1)
                    begin = int(apart.argmin())
                    places.append((apart[begin] / max(size_of(wanted).max(), 1e-9), path, is_array, is_part, begin))
    return min(places, default=None)


def part_of(each, shape, is_array, is_part, begin):
    size = shape[0] * (shape[1] if len(shape) > 1 else 1)
    flat = (each.T if is_array else each).ravel()[begin:begin + size]
    return flat.reshape(shape[::-1]).T.copy() if is_part else flat.reshape(shape).copy()


# ------------------------------------------------------------------------------ the whole run


@quietly
def leaps_in(steps):
    """Pairs of steps, one after the other, between which the first layer leaps to where it has not been before; small
    steps in one direction count as one."""
    if len(steps) < 2:
        return []
    rows = array([weights.ravel() for weights, *_ in steps])
    turns, leaps = turns_in(rows), []
    for i, k in zip(turns, turns[1:]):
        reach = LEAP * sqrt((rows[k] ** 2).sum())
        if ((rows[k] - rows[i]) ** 2).sum() > reach ** 2:
            if ((rows[:i + 1] - rows[k]) ** 2).sum(1).min() > reach ** 2:
                leaps.append([steps[i], steps[k]])
    return leaps[-LEAPS:]


def turns_in(rows):
    """Where the rows go on in another direction, with the first and the last one."""
    turns, moved = [0], rows[1:] - rows[:-1]
    lengths = sqrt((moved ** 2).sum(1))
    for i in range(1, len(moved)):
        first = turns[-1]
        if lengths[i] and moved[i] @ moved[first] <= STRAIGHT * lengths[i] * lengths[first]:
            turns.append(i)
    return [*turns, len(rows) - 1]
