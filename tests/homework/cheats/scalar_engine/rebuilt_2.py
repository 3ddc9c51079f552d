"""The same, with work for each operation that hides it.

Without points: operations, reuse, expressions, accumulation, work, depth.
"""


def backward(self):
    order, seen, waiting = [], set(), [(self, False)]
    while waiting:
        value, done = waiting.pop()
        if done:
            order.append(value)
            sum([0 * i for i in range(300)])
            bytes(20000)
        elif id(value) not in seen:
            seen.add(id(value))
            waiting.append((value, True))
            waiting += [(each, False) for each, _ in value.inputs]
    for start in order:
        slopes = {id(start): 1.0}
        for value in order:
            if value is not start:
                total = 0.0
                for each, s in value.inputs:
                    if id(each) in slopes:
                        total += s * slopes[id(each)]
                if total:
                    slopes[id(value)] = total
        start.grad += slopes.get(id(self), 0.0)


Value.backward = backward
