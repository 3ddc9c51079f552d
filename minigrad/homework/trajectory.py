"""The parameters of a network while a submission trains it.

Training has no interface for its steps: it gets data, and returns parameters.  But each forward pass calls the
activation, and at that moment the parameters are at hand: in a variable of the function that calls it or of one further
out, by themselves, in a list, or as attributes.  There they are copied::

    train(x, labels, ...)       found = [W1, b1, W2, b2]; speed = [...]
      gradients(p, x, labels)
        hidden(p, x)            np.tanh(x @ p[0] + p[1])        ->  {("p", "0"): W1, ("p", "1"): b1, ...}

Of several arrays of one shape, those are the parameters that come closest to what training returns.  A training that
keeps its parameters in another way is not seen, and then nothing is said about it.
"""

from numpy import abs as size_of, array, array_equal, inf, isfinite, ndarray

from minigrad.homework.fence import FILE, JUDGE, outer_frames

__all__ = ["followed"]

#: how deep an array may lie in containers, and how many things one of these may have
DEEP, MANY = 4, 64
#: how far parameters may be from those that are returned, as a part of these: an average of several may be returned
NEAR = 0.5
#: steps that are kept: the first, and two of each so many later ones
FIRST, LATER = 100, 50
#: functions of NumPy and of `math` that an activation may call
ACTIVATIONS = {"tanh", "exp", "expm1", "arctan", "atan", "sin", "arcsinh", "asinh", "log"}


def followed(meter, train, inputs, hidden, classes):
    """[W1, b1, W2, b2] before and after the steps of ``train()``, each a list; an empty list if they are not seen."""
    shapes = [(inputs, hidden), (hidden,), (hidden, classes), (classes,)]
    records, count = [], 0

    def watch(ufunc, operands, result):
        nonlocal count
        if ufunc is None or ufunc.__name__ not in ACTIVATIONS:
            return
        for frame in outer_frames(1):
            if frame.f_code.co_filename == JUDGE:
                return
            if frame.f_code.co_filename != FILE:
                continue
            found = dict(arrays_in(frame.f_locals, (), shapes))
            if {each.shape for each in found.values()} >= {*shapes}:
                record = frame.f_code.co_name, found
                if not records or not alike(records[-1], record):
                    count += 1
                    if count > FIRST and count % LATER > 1:         # the last one is always there
                        records.pop()
                    records.append(record)
                return

    meter.watch(watch)
    try:
        returned = [array(each, float) for each in train()]
    finally:
        meter.watch(None)
    return chosen(records, returned, shapes) if [each.shape for each in returned] == shapes else []


def alike(one, other):
    return one[0] == other[0] and one[1].keys() == other[1].keys() and all(
        [array_equal(each, other[1][path]) for path, each in one[1].items()])


def arrays_in(value, path, shapes):
    """(path, copy) of each array of one of these shapes in a value and in what it contains; lists of numbers too."""
    kind = type(value)
    if kind is ndarray:
        if value.shape in shapes and value.dtype.kind == "f":
            yield path, value.astype(float)
        return
    if len(path) > DEEP or kind in (str, bytes, int, float) or issubclass(kind, type):
        return
    if issubclass(kind, (list, tuple)):
        numbers = numbers_in(value) if value else None
        if numbers is not None:
            if numbers.shape in shapes:
                yield path, numbers
            return
        inner = enumerate(value)
    else:
        inner = (value if issubclass(kind, dict) else getattr(value, "__dict__", {})).items()
    for name, each in list(inner)[:MANY]:
        yield from arrays_in(each, (*path, str(name)), shapes)


def numbers_in(value):
    """A list of floats, or of lists of them, as an array; None if it is something else."""
    rows = value if type(value[0]) in (list, tuple) else [value]
    is_even = all([type(row) in (list, tuple) and len(row) == len(rows[0]) for row in rows])
    return array(value, float) if is_even and all([isinstance(each, float) for row in rows for each in row]) else None


def chosen(records, returned, shapes):
    """Of all records the parameters, where they change; nothing if it cannot be told which they are."""
    nearest = {}                                            # of each function and path
    for function, found in records:
        for path, each in found.items():
            for number, wanted in enumerate(returned):
                if each.shape == wanted.shape:
                    apart = size_of(each - wanted).max() / max(size_of(wanted).max(), 1e-9)
                    paths = nearest.setdefault((function, number), {})
                    paths[path] = min(paths.get(path, inf), apart if isfinite(apart) else inf)
    steps = []
    known = {function: paths_in(function, nearest) for function in {function for function, _ in records}}
    for function, found in records:
        if known[function] and all([path in found for path in known[function]]):
            step = [found[path] for path in known[function]]
            if not steps or not all(map(array_equal, step, steps[-1])):
                steps.append(step)
    return steps[:2 * FIRST]


def paths_in(function, nearest):
    """Where a function has W1, b1, W2 and b2, by the second layer, which no scaling of the inputs changes; or None."""
    second = min(nearest[function, 2], key=lambda path: (nearest[function, 2][path], -len(path)))
    if nearest[function, 2][second] > NEAR:
        return None

    def rank(item):
        path, apart = item
        return apart > NEAR, -sum([a == b for a, b in zip(path, second)]), apart

    return [second if number == 2 else min(nearest[function, number].items(), key=rank)[0] for number in range(4)]
