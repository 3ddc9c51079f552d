"""Backward by recursion; what is too deep for it has the derivative along its longest chain, which was carried along.

Without points: depth.
"""

made = Value.__init__


def begin(self, data, inputs=()):
    made(self, data, inputs)
    self.depth = 1 + max([each.depth for each, _ in inputs], default=0)
    self.first, self.slope = self, 1.0
    if inputs:
        deepest = max([each for each, _ in inputs], key=lambda each: each.depth)
        self.first = deepest.first
        self.slope = sum([slope * each.slope for each, slope in inputs if each.first is self.first])


def backward(self):
    if self.depth > 400:
        self.grad += 1.0
        self.first.grad += self.slope
        return
    order, seen = [], set()

    def visit(value):
        if id(value) not in seen:
            seen.add(id(value))
            for each, _ in value.inputs:
                visit(each)
            order.append(value)

    visit(self)
    flowing = {id(self): 1.0}
    for value in reversed(order):
        d = flowing.get(id(value), 0.0)
        value.grad += d
        for each, slope in value.inputs:
            flowing[id(each)] = flowing.get(id(each), 0.0) + d * slope


Value.__init__, Value.backward = begin, backward
