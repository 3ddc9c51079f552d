"""The expression is computed again for each of its values, with the slope with respect to this one: forward mode in
floats, from the recorded operations.

Without points: operations, reuse, expressions, accumulation, work, depth.
"""

made = Value.__init__


def backward(self):
    order, seen, waiting = [], set(), [(self, False)]
    while waiting:
        value, done = waiting.pop()
        if done:
            order.append(value)
        elif id(value) not in seen:
            seen.add(id(value))
            waiting.append((value, True))
            waiting += [(each, False) for each, _ in value.inputs]
    for start in order:
        slopes = {id(start): 1.0}
        for value in order:
            if value is not start:
                slopes[id(value)] = sum([s * slopes.get(id(each), 0.0) for each, s in value.inputs])
        start.grad += slopes[id(self)]


Value.backward = backward
