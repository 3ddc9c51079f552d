"""Each pass writes the gradients anew, times the number of passes of this result, in place of adding to them.

Without points: accumulation.
"""

once = Value.backward


def backward(self):
    self.passes = getattr(self, "passes", 0) + 1
    reached, waiting = {}, [self]
    while waiting:
        value = waiting.pop()
        if id(value) not in reached:
            reached[id(value)] = value
            value.grad = 0.0
            waiting += [each for each, _ in value.inputs]
    for _ in range(self.passes):
        once(self)


Value.backward = backward
