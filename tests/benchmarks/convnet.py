"""Training steps of two convolutional networks: forward, cross-entropy, backward and gradient descent, in float32.

`small` has 8 images of 3 x 32 x 32, convolutions of 3 x 3 to 16 and 32 channels, a pooling, and a layer of 8192 by 10.
`LeNet` is the one of 1998, with relu and maxima, for 16 images of 1 x 32 x 32.  minigrad and PyTorch have the same
number of threads, one and then two; the BLAS of NumPy, which minigrad uses for the smallest products only, has one.
"""

import numpy as np

from .contestants import TorchLike, tasks
from .timing import calls

SMALL = [(16, 3, 3, 3), (32, 16, 3, 3), (10, 32 * 16 * 16)]
LENET = [(6, 1, 5, 5), (16, 6, 5, 5), (120, 400), (84, 120), (10, 84)]


def small(lib, params, x, labels):
    f = lib.torch.nn.functional
    w1, b1, w2, b2, w3, b3 = params
    x = f.conv2d(f.conv2d(x, w1, b1, padding=1).relu(), w2, b2, padding=1).relu()
    return f.cross_entropy(f.linear(f.max_pool2d(x, 2).flatten(1), w3, b3), labels)


def lenet(lib, params, x, labels):
    f = lib.torch.nn.functional
    w1, b1, w2, b2, *layers, w, b = params
    x = f.max_pool2d(f.conv2d(x, w1, b1).relu(), 2)
    x = f.max_pool2d(f.conv2d(x, w2, b2).relu(), 2).flatten(1)
    for i in range(0, len(layers), 2):
        x = f.linear(x, layers[i], layers[i + 1]).relu()
    return f.cross_entropy(f.linear(x, w, b), labels)


# ------------------------------------------------------------------------------ by hand
# A layer is a function of its input, which returns its output and the function that takes the gradient back.


def windows(x, size):
    return np.lib.stride_tricks.sliding_window_view(x, (size, size), (2, 3))


def padded(x, n):
    return np.pad(x, ((0, 0), (0, 0), (n, n), (n, n)))


def convolution(x, w, b, padding, grads):
    seen, size = windows(padded(x, padding), w.shape[-1]), w.shape[-1]
    y = np.tensordot(seen, w, ((1, 4, 5), (1, 2, 3))).transpose(0, 3, 1, 2) + b[:, None, None]

    def back(d):
        grads[:0] = [np.tensordot(d, seen, ((0, 2, 3), (0, 2, 3))), d.sum((0, 2, 3))]
        around = windows(padded(d, size - 1 - padding), size)
        return np.tensordot(around, w[:, :, ::-1, ::-1], ((1, 4, 5), (0, 2, 3))).transpose(0, 3, 1, 2)

    return y, back


def relu(x):
    return np.maximum(x, 0), lambda d: d * (x > 0)


def pooling(x):
    n, c, h, w = x.shape
    blocks = x.reshape(n, c, h // 2, 2, w // 2, 2).transpose(0, 1, 2, 4, 3, 5).reshape(n, c, h // 2, w // 2, 4)
    at = blocks.argmax(-1)[..., None]

    def back(d):
        out = np.zeros_like(blocks)
        np.put_along_axis(out, at, d[..., None], -1)
        return out.reshape(n, c, h // 2, w // 2, 2, 2).transpose(0, 1, 2, 4, 3, 5).reshape(x.shape)

    return np.take_along_axis(blocks, at, -1)[..., 0], back


def layer(x, w, b, grads):
    def back(d):
        grads[:0] = [d.T @ x, d.sum(0)]
        return d @ w

    return x @ w.T + b, back


def by_hand(params, x, labels, padding):
    """Convolutions first, each with relu; a pooling after the last, and without padding after each; then layers."""
    grads, backs = [], []
    for i in range(0, len(params), 2):
        w, b = params[i], params[i + 1]
        steps = []
        if w.ndim == 4:
            steps = [lambda x: convolution(x, w, b, padding, grads), relu]
            if not padding or params[i + 2].ndim == 2:
                steps.append(pooling)
        else:
            if x.ndim == 4:
                shape = x.shape
                backs.append(lambda d: d.reshape(shape))
                x = x.reshape(len(x), -1)
            steps = [lambda x: layer(x, w, b, grads)] + [relu] * (i + 2 < len(params))
        for step in steps:
            x, back = step(x)
            backs.append(back)
    x = x - x.max(1, keepdims=True)
    total = np.exp(x).sum(1, keepdims=True)
    rows = np.arange(len(labels))
    loss = (np.log(total[:, 0]) - x[rows, labels]).mean()
    d = np.exp(x) / total
    d[rows, labels] -= 1
    d /= np.float32(len(labels))
    for back in reversed(backs):
        d = back(d)
    return loss, grads


# ------------------------------------------------------------------------------ the cases


def make(contestants, program, shapes, images, padding):
    rng = np.random.default_rng(4)
    params = []
    for shape in shapes:
        params.append((rng.standard_normal(shape) * (2 / np.prod(shape[1:])) ** 0.5).astype(np.float32))
        params.append((rng.standard_normal(shape[0]) * 0.1).astype(np.float32))
    data = [rng.standard_normal(images).astype(np.float32), rng.integers(0, 10, images[0])]
    known = {name: lib for name, lib in contestants.items() if name == "numpy" or isinstance(lib, TorchLike)}
    return tasks("convnet", known, program, lambda p, x, labels: by_hand(p, x, labels, padding), params, data, 1e-3)


def make_small(contestants):
    return make(contestants, small, SMALL, (8, 3, 32, 32), 1)


def make_lenet(contestants):
    return make(contestants, lenet, LENET, (16, 1, 32, 32), 0)


def run(session):
    for threads in (1, 2):
        for lib in session.contestants.values():
            if isinstance(lib, TorchLike):
                lib.torch.set_num_threads(threads)
        count = f"{threads} thread{'s' * (threads > 1)}"
        for case, made in ((f"small conv net step, {count}", make_small), (f"LeNet step, {count}", make_lenet)):
            loops = {name: calls(task.step) for name, task in made(session.contestants).items()}
            session.race(case, loops, targets={"torch": 0.9})
