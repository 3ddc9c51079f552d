# Exercises of "Your own minigrad" (capstone)

# %% 1. The engine
import heapq


def engine(roots, gradients, inputs, keep_graph):
    arrivals, waiting = {}, []

    def count(node):
        if node not in arrivals:
            arrivals[node] = 0
            waiting.append(node)
        arrivals[node] += 1

    for node, _ in roots:
        count(node)
    while waiting:
        for node, _ in waiting.pop().next_functions:
            if node is not None:
                count(node)

    sums, ready = {}, []

    def deliver(node, gradient):
        if gradient is not None:
            sums[node] = gradient if sums.get(node) is None else sums[node] + gradient
        arrivals[node] -= 1
        if not arrivals[node]:
            heapq.heappush(ready, (-node._sequence_nr(), id(node), node))

    for (node, _), gradient in zip(roots, gradients):
        deliver(node, gradient)
    while ready:
        *_, node = heapq.heappop(ready)
        gradient = sums.pop(node, None)
        if gradient is None:
            results = [None] * len(node.next_functions)
        else:
            results = node(gradient)
            results = results if isinstance(results, tuple) else (results,)
        for (following, _), result in zip(node.next_functions, results):
            if following is not None:
                deliver(following, result)


# %% 2. Tensors that remember
import itertools

import numpy as np

numbers = itertools.count()


class Node:
    def __init__(self, operands, pullbacks):
        self.next_functions = tuple((operand.grad_fn, 0) for operand in operands)
        self.pullbacks, self.number = pullbacks, next(numbers)

    def __call__(self, gradient):
        return tuple(None if node is None else pullback(gradient)
                     for (node, _), pullback in zip(self.next_functions, self.pullbacks))

    def _sequence_nr(self):
        return self.number


class Leaf:
    next_functions = ()

    def __init__(self, tensor):
        self.tensor = tensor

    def __call__(self, gradient):
        self.tensor.grad = gradient if self.tensor.grad is None else self.tensor.grad + gradient
        return ()

    def _sequence_nr(self):
        return -1


class Tensor:
    def __init__(self, data, requires_grad=False):
        self.data, self.grad = np.asarray(data, dtype=np.float64), None
        self.grad_fn = Leaf(self) if requires_grad else None

    @property
    def requires_grad(self):
        return self.grad_fn is not None

    @property
    def shape(self):
        return self.data.shape

    def backward(self, gradient=None):
        gradient = np.ones(self.shape) if gradient is None else gradient
        engine([(self.grad_fn, 0)], [gradient], (), False)

    def __add__(self, other):
        return add(self, other)

    def __sub__(self, other):
        return add(self, mul(other, -1.0))

    def __mul__(self, other):
        return mul(self, other)

    def __truediv__(self, other):
        return mul(self, power(other, -1.0))

    def __matmul__(self, other):
        return matmul(self, other)

    __radd__, __rmul__ = __add__, __mul__


def as_tensor(x):
    return x if isinstance(x, Tensor) else Tensor(x)


def record(data, operands, pullbacks):
    result = Tensor(data)
    if any(operand.requires_grad for operand in operands):
        result.grad_fn = Node(operands, pullbacks)
    return result


def sum_to(gradient, shape):
    gradient = gradient.sum(tuple(range(gradient.ndim - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1)
    return gradient.sum(stretched, keepdims=True)


def add(a, b):
    a, b = as_tensor(a), as_tensor(b)
    return record(a.data + b.data, (a, b), (lambda g: sum_to(g, a.shape), lambda g: sum_to(g, b.shape)))


def mul(a, b):
    a, b = as_tensor(a), as_tensor(b)
    return record(a.data * b.data, (a, b),
                  (lambda g: sum_to(g * b.data, a.shape), lambda g: sum_to(g * a.data, b.shape)))


# %% 3. Ten rows
def power(x, exponent):
    x = as_tensor(x)
    return record(x.data ** exponent, (x,), (lambda g: g * exponent * x.data ** (exponent - 1),))


def exp(x):
    result = np.exp(x.data)
    return record(result, (x,), (lambda g: g * result,))


def log(x):
    return record(np.log(x.data), (x,), (lambda g: g / x.data,))


def sum(x, dim=None, keepdim=False):
    def spread(g):
        if dim is not None and not keepdim:
            g = np.expand_dims(g, dim)
        return np.broadcast_to(g, x.shape)
    return record(x.data.sum(dim, keepdims=keepdim), (x,), (spread,))


def matmul(a, b):
    return record(a.data @ b.data, (a, b), (lambda g: sum_to(g @ b.data.swapaxes(-1, -2), a.shape),
                                            lambda g: sum_to(a.data.swapaxes(-1, -2) @ g, b.shape)))


def reshape(x, shape):
    return record(x.data.reshape(shape), (x,), (lambda g: g.reshape(x.shape),))


def transpose(x, dim0, dim1):
    return record(x.data.swapaxes(dim0, dim1), (x,), (lambda g: g.swapaxes(dim0, dim1),))


def take(x, rows):
    def put(g):
        result = np.zeros(x.shape)
        np.add.at(result, rows, g)
        return result
    return record(x.data[rows], (x,), (put,))


# %% 4. Modules, and a loss
class Module:
    def parameters(self):
        found = []
        for value in vars(self).values():
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, Module):
                    found += each.parameters()
                elif isinstance(each, Tensor) and each.requires_grad:
                    found.append(each)
        return found


class Linear(Module):
    def __init__(self, n_in, n_out, random):
        bound = n_in ** -0.5
        self.weight = Tensor(random.uniform(-bound, bound, (n_in, n_out)), requires_grad=True)
        self.bias = Tensor(np.zeros(n_out), requires_grad=True)

    def __call__(self, x):
        return x @ self.weight + self.bias


class Embedding(Module):
    def __init__(self, n, width, random):
        self.weight = Tensor(random.normal(0, 0.1, (n, width)), requires_grad=True)

    def __call__(self, ids):
        return take(self.weight, ids)


class LayerNorm(Module):
    def __init__(self, width):
        self.weight = Tensor(np.ones(width), requires_grad=True)
        self.bias = Tensor(np.zeros(width), requires_grad=True)

    def __call__(self, x):
        n = x.shape[-1]
        centred = x - sum(x, -1, True) * (1 / n)
        variance = sum(centred * centred, -1, True) * (1 / n)
        return centred * power(variance + 1e-5, -0.5) * self.weight + self.bias


def relu(x):
    return x * (x.data > 0)


def softmax(x):
    e = exp(x - x.data.max(-1, keepdims=True))
    return e / sum(e, -1, True)


def cross_entropy(scores, targets):
    shifted = scores - scores.data.max(-1, keepdims=True)
    log_p = shifted - log(sum(exp(shifted), -1, True))
    chosen = np.eye(scores.shape[-1])[targets]
    return sum(log_p * chosen) * (-1 / targets.size)


# %% 5. An optimizer
class AdamW:
    def __init__(self, parameters, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        self.parameters, self.lr, self.betas, self.eps, self.decay = list(parameters), lr, betas, eps, weight_decay
        self.means = [np.zeros(p.shape) for p in self.parameters]
        self.squares = [np.zeros(p.shape) for p in self.parameters]
        self.steps = 0

    def zero_grad(self):
        for p in self.parameters:
            p.grad = None

    def step(self):
        self.steps += 1
        first, second = self.betas
        for p, mean, square in zip(self.parameters, self.means, self.squares):
            if p.grad is None:
                continue
            mean += (1 - first) * (p.grad - mean)
            square += (1 - second) * (p.grad ** 2 - square)
            m, v = mean / (1 - first ** self.steps), square / (1 - second ** self.steps)
            p.data = p.data * (1 - self.lr * self.decay) - self.lr * m / (np.sqrt(v) + self.eps)


# %% 6. The model
class Block(Module):
    def __init__(self, width, heads, random):
        self.heads = heads
        self.norm1, self.norm2 = LayerNorm(width), LayerNorm(width)
        self.qkv, self.out = Linear(width, 3 * width, random), Linear(width, width, random)
        self.up, self.down = Linear(width, 4 * width, random), Linear(4 * width, width, random)

    def attention(self, x):
        batch, places, width = x.shape
        parts = reshape(self.qkv(x), (batch, places, 3, self.heads, width // self.heads))
        parts = transpose(transpose(parts, 0, 2), 1, 3)     # (3, heads, batch, places, width of a head)
        q, k, v = (take(parts, i) for i in range(3))
        scores = q @ transpose(k, -1, -2) * (width // self.heads) ** -0.5
        scores = scores + np.triu(np.full((places, places), -1e9), 1)
        mixed = transpose(transpose(softmax(scores) @ v, 0, 1), 1, 2)
        return self.out(reshape(mixed, (batch, places, width)))

    def __call__(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.down(relu(self.up(self.norm2(x))))


class GPT(Module):
    def __init__(self, alphabet, context, width, heads, depth, seed=0):
        random = np.random.default_rng(seed)
        self.character = Embedding(alphabet, width, random)
        self.place = Embedding(context, width, random)
        self.blocks = [Block(width, heads, random) for _ in range(depth)]
        self.norm, self.scores = LayerNorm(width), Linear(width, alphabet, random)

    def __call__(self, ids):
        x = self.character(ids) + self.place(np.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.scores(self.norm(x))


# %% 7. It learns a poem
def train(model, ids, context, steps, seed=0):
    random = np.random.default_rng(seed)
    optimizer = AdamW(model.parameters(), lr=6e-3)
    losses = []
    for step in range(steps):
        starts = random.integers(0, len(ids) - context, 8)
        pieces = ids[starts[:, None] + np.arange(context + 1)]
        optimizer.lr = 6e-3 * (1 - step / steps)
        optimizer.zero_grad()
        loss = cross_entropy(model(pieces[:, :-1]), pieces[:, 1:])
        loss.backward()
        optimizer.step()
        losses.append(float(loss.data))
    return losses


def write(model, ids, context, length):
    ids = list(ids)
    for _ in range(length):
        scores = model(np.array([ids[-context:]]))
        ids.append(int(scores.data[0, -1].argmax()))
    return ids
