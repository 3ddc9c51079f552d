"""The first pass of a result is kept, and a second one adds the same numbers without going through the graph; leaves
start at zero again when another result begins.

Without points: accumulation.
"""

once = Value.backward


def backward(self):
    if hasattr(self, "kept"):
        for value, d in self.kept:
            value.grad += d
        return
    reached, waiting = {}, [self]
    while waiting:
        value = waiting.pop()
        if id(value) not in reached:
            reached[id(value)] = value
            value.grad = 0.0
            waiting += [each for each, _ in value.inputs]
    once(self)
    self.kept = [(value, value.grad) for value in reached.values()]


Value.backward = backward
