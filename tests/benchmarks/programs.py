"""Training steps in which products of matrices rule, next to the time of these products alone.

The programs are those of tutorials and examples at their usual sizes, in float32 on one thread.  Beside each is the
list of its *products*.  A layer that turns ``rows`` of ``into`` numbers into rows of ``out`` numbers is

    y = x @ w                   [rows, into] @ [into, out]
    dx = dy @ w.T               [rows, out]  @ [out, into]          not where x is the data
    dw = x.T @ dy               [into, rows] @ [rows, out]

and a convolution is one whose rows are the pixels of its output, and whose ``into`` are the numbers under its window.
NumPy does these products and nothing else, in arrays that are there already: a library that calls the same ``sgemm``
cannot take less time, and what it takes longer is the cost of everything else in the step, from layouts and
activations to the optimizer.  That is the column ``numpy`` of this group.

The losses of twenty steps are compared before anything is timed, as in models.py.  Memory is that of a process which
imports one library and runs one program: how far its resident set grew while three steps ran.
"""

import importlib
import subprocess
import sys

import numpy as np

from .contestants import TorchLike
from .models import make, nano_gpt, of_text
from .timing import calls, thread_time_ns


def layer(rows, into, out, times=1, data=False, batch=()):
    """The three products of a layer, two where its input is the data; of a product in batches, those of all."""
    return [(times, (*batch, rows, into), (*batch, into, out), flip)
            for flip in ("", "left") + (() if data else ("right",))]


def steps_of(torch, parameters, loss_of, optimizer=None):
    """A training step: the loss, its gradients, and the update."""
    optimizer = optimizer or torch.optim.SGD(parameters, lr=1e-2)

    def step():
        optimizer.zero_grad()
        loss = loss_of()
        loss.backward()
        optimizer.step()
        return loss

    return step


# ------------------------------------------------------------------------------ layers and convolutions


def mlp(torch):
    """784-128-256-10, 64 images."""
    nn = torch.nn
    model = nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 256), nn.ReLU(), nn.Linear(256, 10))
    x, y = torch.randn(64, 784), torch.randint(0, 10, (64,))
    return steps_of(torch, model.parameters(), lambda: nn.functional.cross_entropy(model(x), y))


def conv_net(torch):
    """That of pytorch/examples/mnist: two convolutions, dropout, two layers and Adadelta; 64 images."""
    nn = torch.nn
    model = nn.Sequential(nn.Conv2d(1, 32, 3), nn.ReLU(), nn.Conv2d(32, 64, 3), nn.ReLU(), nn.MaxPool2d(2),
                          nn.Dropout(0.25), nn.Flatten(), nn.Linear(9216, 128), nn.ReLU(), nn.Dropout(0.5),
                          nn.Linear(128, 10), nn.LogSoftmax(1))
    x, y = torch.randn(64, 1, 28, 28), torch.randint(0, 10, (64,))
    return steps_of(torch, model.parameters(), lambda: nn.functional.nll_loss(model(x), y),
                    torch.optim.Adadelta(model.parameters(), lr=0.1))


def residual_net(torch):
    """Three stages of a residual block, of 16, 32 and 64 planes; 32 images of the size of CIFAR's."""
    nn = torch.nn

    class Block(nn.Module):
        def __init__(self, into, out, stride):
            super().__init__()
            self.first = nn.Conv2d(into, out, 3, stride, 1, bias=False)
            self.second = nn.Conv2d(out, out, 3, 1, 1, bias=False)
            self.norms = nn.ModuleList([nn.BatchNorm2d(out), nn.BatchNorm2d(out)])
            self.beside = nn.Conv2d(into, out, 1, stride, bias=False) if into != out else nn.Identity()

        def forward(self, x):
            y = self.norms[0](self.first(x)).relu()
            return (self.norms[1](self.second(y)) + self.beside(x)).relu()

    model = nn.Sequential(nn.Conv2d(3, 16, 3, 1, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU(), Block(16, 16, 1),
                          Block(16, 32, 2), Block(32, 64, 2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10))
    x, y = torch.randn(32, 3, 32, 32), torch.randint(0, 10, (32,))
    return steps_of(torch, model.parameters(), lambda: nn.functional.cross_entropy(model(x), y),
                    torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, weight_decay=1e-4))


def vae(torch):
    """A variational autoencoder (Kingma and Welling, 2014), 784-400-20, 128 images, with Adam."""
    nn, f = torch.nn, torch.nn.functional
    into, mean, spread = nn.Linear(784, 400), nn.Linear(400, 20), nn.Linear(400, 20)
    back, out = nn.Linear(20, 400), nn.Linear(400, 784)
    model, x = nn.ModuleList([into, mean, spread, back, out]), torch.rand(128, 784)

    def loss():
        h = f.relu(into(x))
        m, v = mean(h), spread(h)
        z = m + torch.randn_like(v) * torch.exp(0.5 * v)
        seen = torch.sigmoid(out(f.relu(back(z))))
        return f.binary_cross_entropy(seen, x, reduction="sum") - 0.5 * torch.sum(1 + v - m.pow(2) - v.exp())

    return steps_of(torch, model.parameters(), loss, torch.optim.Adam(model.parameters(), lr=1e-3))


def dcgan(torch):
    """Both players of a DCGAN (Radford et al., 2016) in one step: 16 images of 3 x 32 x 32."""
    nn, f = torch.nn, torch.nn.functional
    g = nn.Sequential(nn.ConvTranspose2d(64, 64, 4, 1, 0, bias=False), nn.BatchNorm2d(64), nn.ReLU(),
                      nn.ConvTranspose2d(64, 32, 4, 2, 1, bias=False), nn.BatchNorm2d(32), nn.ReLU(),
                      nn.ConvTranspose2d(32, 16, 4, 2, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU(),
                      nn.ConvTranspose2d(16, 3, 4, 2, 1, bias=False), nn.Tanh())
    d = nn.Sequential(nn.Conv2d(3, 16, 4, 2, 1, bias=False), nn.LeakyReLU(0.2),
                      nn.Conv2d(16, 32, 4, 2, 1, bias=False), nn.BatchNorm2d(32), nn.LeakyReLU(0.2),
                      nn.Conv2d(32, 64, 4, 2, 1, bias=False), nn.BatchNorm2d(64), nn.LeakyReLU(0.2),
                      nn.Conv2d(64, 1, 4, 1, 0, bias=False), nn.Flatten())
    of_d, of_g = [torch.optim.Adam(m.parameters(), lr=2e-5, betas=(0.5, 0.999)) for m in (d, g)]
    x, ones, zeros = torch.randn(16, 3, 32, 32), torch.ones(16, 1), torch.zeros(16, 1)
    judge = f.binary_cross_entropy_with_logits

    def step():
        made = g(torch.randn(16, 64, 1, 1))
        of_d.zero_grad()
        loss = judge(d(x), ones) + judge(d(made.detach()), zeros)
        loss.backward()
        of_d.step()
        of_g.zero_grad()
        judge(d(made), ones).backward()
        of_g.step()
        return loss

    return step


def unet(torch):
    """A small U-Net (Ronneberger et al., 2015) with GroupNorm: two sizes, 8 images of 32 x 32."""
    nn = torch.nn

    def block(into, out):
        return nn.Sequential(nn.Conv2d(into, out, 3, 1, 1), nn.GroupNorm(4, out), nn.SiLU(),
                             nn.Conv2d(out, out, 3, 1, 1), nn.GroupNorm(4, out), nn.SiLU())

    first, middle, last, out = block(3, 16), block(16, 32), block(32, 16), nn.Conv2d(16, 3, 1)
    shrink, grow = nn.MaxPool2d(2), nn.ConvTranspose2d(32, 16, 2, 2)
    model, x = nn.ModuleList([first, middle, last, out, grow]), torch.randn(8, 3, 32, 32)

    def loss():
        y = first(x)
        return nn.functional.mse_loss(out(last(torch.cat([y, grow(middle(shrink(y)))], 1))), x)

    return steps_of(torch, model.parameters(), loss, torch.optim.Adam(model.parameters(), lr=1e-3))


# ------------------------------------------------------------------------------ attention


def masked_attention(torch):
    """Attention written out, with its mask, in two layers of width 64: 16 texts of 64 symbols."""
    nn, f = torch.nn, torch.nn.functional

    class Block(nn.Module):
        def __init__(self, width=64, heads=4):
            super().__init__()
            self.heads, self.into, self.out = heads, nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.norms = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])
            self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))
            self.register_buffer("mask", torch.tril(torch.ones(64, 64)).view(1, 1, 64, 64))

        def forward(self, x):
            n, t, width = x.shape
            q, k, v = [part.view(n, t, self.heads, -1).transpose(1, 2)
                       for part in self.into(self.norms[0](x)).split(width, dim=2)]
            weights = q @ k.transpose(-2, -1) * (width // self.heads) ** -0.5
            weights = f.softmax(weights.masked_fill(self.mask == 0, float("-inf")), dim=-1)
            x = x + self.out((weights @ v).transpose(1, 2).contiguous().view(n, t, width))
            return x + self.mlp(self.norms[1](x))

    model = nn.Sequential(nn.Embedding(65, 64), Block(), Block(), nn.LayerNorm(64), nn.Linear(64, 65))
    return of_text(torch, model, 65, (16, 64), torch.optim.AdamW(model.parameters(), lr=1e-3))


def encoder(torch):
    """nn.TransformerEncoder of two layers of width 64, with its dropout: 16 sequences of 32."""
    nn = torch.nn
    model = nn.TransformerEncoder(nn.TransformerEncoderLayer(64, 4, 128, batch_first=True), 2)
    x, y = torch.randn(16, 32, 64), torch.randn(16, 32, 64)
    return steps_of(torch, model.parameters(), lambda: nn.functional.mse_loss(model(x), y))


# ------------------------------------------------------------------------------ recurrent layers


def recurrent(torch, layer, symbols, shape):
    """A language model of a recurrent layer."""
    nn = torch.nn

    class Model(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.words, self.layer, self.head = nn.Embedding(symbols, width), layer, nn.Linear(width, symbols)

        def forward(self, x):
            return self.head(self.layer(self.words(x))[0])

    model = Model(layer.hidden_size)
    return of_text(torch, model, symbols, shape, torch.optim.SGD(model.parameters(), lr=0.1))


def lstm_cell(torch):
    """nn.LSTMCell of width 64 in a loop over 32 steps, 32 sequences."""
    nn = torch.nn
    cell, out = nn.LSTMCell(64, 64), nn.Linear(64, 10)
    x, y = torch.randn(32, 32, 64), torch.randint(0, 10, (32,))

    def loss():
        h = c = torch.zeros(32, 64)
        for step in x:
            h, c = cell(step, (h, c))
        return nn.functional.cross_entropy(out(h), y)

    return steps_of(torch, [*cell.parameters(), *out.parameters()], loss)


# ------------------------------------------------------------------------------ the cases

PROGRAMS = {
    "MLP": mlp,
    "conv net": conv_net,
    "residual net": residual_net,
    "character GPT": nano_gpt,
    "masked attention": masked_attention,
    "VAE": vae,
    "DCGAN": dcgan,
    "U-Net": unet,
    "TransformerEncoder": encoder,
    "GRU": lambda torch: recurrent(torch, torch.nn.GRU(64, 64), 65, (32, 32)),
    "LSTM cell in a loop": lstm_cell,
    "LSTM 2 x 200": lambda torch: recurrent(torch, torch.nn.LSTM(200, 200, 2), 500, (35, 20)),
    "LSTM 2 x 128": lambda torch: recurrent(torch, torch.nn.LSTM(128, 128, 2), 65, (50, 32)),
}


def transformer_layers(texts, length, width, heads, inner, times, data=0):
    """The layers of some blocks of attention and a small network; the input of ``data`` of them is the data."""
    rows, each = texts * length, width // heads
    pairs = {"times": times, "batch": (texts * heads,)}
    return [*layer(rows, width, 3 * width, times - data), *layer(rows, width, 3 * width, data, data=True),
            *layer(rows, width, width, times), *layer(rows, width, inner, times), *layer(rows, inner, width, times),
            *layer(length, each, length, **pairs), *layer(length, length, each, **pairs)]


def recurrent_layers(gates, width, length, rows, times=1, data=False):
    """Those of a recurrent layer: of its inputs for all steps at once, of its states step by step."""
    inputs, states = (length * rows, times), (rows, times * length)
    return [step for (n, often), known in ((inputs, data), (states, False))
            for step in layer(n, width, gates * width, often, known)]


PRODUCTS = {
    "MLP": [*layer(64, 784, 128, data=True), *layer(64, 128, 256), *layer(64, 256, 10)],
    "conv net": [*layer(64 * 26 * 26, 9, 32, data=True), *layer(64 * 24 * 24, 9 * 32, 64), *layer(64, 9216, 128),
                 *layer(64, 128, 10)],
    "residual net": [*layer(32 * 1024, 27, 16, data=True), *layer(32 * 1024, 144, 16, 2), *layer(32 * 256, 144, 32),
                     *layer(32 * 256, 288, 32), *layer(32 * 256, 16, 32), *layer(32 * 64, 288, 64),
                     *layer(32 * 64, 576, 64), *layer(32 * 64, 32, 64), *layer(32, 64, 10)],
    "character GPT": [*transformer_layers(12, 64, 128, 4, 512, 4), *layer(12 * 64, 128, 65)],
    "masked attention": [*transformer_layers(16, 64, 64, 4, 256, 2), *layer(16 * 64, 64, 65)],
    "VAE": [*layer(128, 784, 400, data=True), *layer(128, 400, 20, 2), *layer(128, 20, 400), *layer(128, 400, 784)],
    # D sees the images, and twice what G made; G is read from its outputs to its inputs, as a transposed convolution is
    "DCGAN": [*layer(16 * 256, 48, 16, 2, data=True), *layer(16 * 256, 48, 16), *layer(16 * 64, 256, 32, 3),
              *layer(16 * 16, 512, 64, 3), *layer(16, 1024, 1, 3), *layer(16, 64, 1024, data=True),
              *layer(16 * 16, 64, 512), *layer(16 * 64, 32, 256), *layer(16 * 256, 16, 48)],
    "U-Net": [*layer(8 * 1024, 27, 16, data=True), *layer(8 * 1024, 144, 16, 2), *layer(8 * 256, 144, 32),
              *layer(8 * 256, 288, 32), *layer(8 * 256, 32, 64), *layer(8 * 1024, 288, 16), *layer(8 * 1024, 16, 3)],
    "TransformerEncoder": transformer_layers(16, 32, 64, 4, 128, 2, data=1),
    "GRU": [*recurrent_layers(3, 64, 32, 32), *layer(1024, 64, 65)],
    "LSTM cell in a loop": [*recurrent_layers(4, 64, 32, 32, data=True), *layer(32, 64, 10)],
    "LSTM 2 x 200": [*recurrent_layers(4, 200, 35, 20, 2), *layer(700, 200, 500)],
    "LSTM 2 x 128": [*recurrent_layers(4, 128, 50, 32, 2), *layer(1600, 128, 65)],
}


def flops(name):
    """The multiplications and additions of the products of a step."""
    return sum([2 * times * int(np.prod(x)) * w[-1] for times, x, w, _ in PRODUCTS[name]])


def products_alone(name):
    """A function that does the products of one step, and nothing else."""
    rng, work = np.random.default_rng(0), []
    for times, x, w, flip in PRODUCTS[name]:
        a, b = [rng.standard_normal(shape, np.float32) for shape in (x, w)]
        if flip:                                # the gradient, and what it is multiplied by as it lies there
            grad = rng.standard_normal((*x[:-1], w[-1]), np.float32)
            a, b = (a.swapaxes(-1, -2), grad) if flip == "left" else (grad, b.swapaxes(-1, -2))
        work += [(a, b, a @ b)] * times

    def step():
        for a, b, out in work:
            np.matmul(a, b, out=out)

    return step


def peak_memory(library, name):
    """How many MiB the resident set of a fresh process grows by when three steps of the program run."""
    command = [sys.executable, "-m", __name__, library, name]
    return float(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)


def run(session):
    made = {key: lib for key, lib in session.contestants.items() if isinstance(lib, TorchLike)}
    for lib in made.values():
        lib.torch.set_num_threads(1)
    for name in PROGRAMS:
        steps = {key: task.step for key, task in make(made, name, PROGRAMS).items()}
        if "numpy" in session.contestants:
            steps["numpy"] = products_alone(name)
        loops = {key: calls(step, thread_time_ns) for key, step in steps.items()}
        session.race(f"{name} step", loops, targets={"torch": 0.9, "numpy": 1.3})
        if not session.plan.quick:
            session.emit(f"{name}, peak memory", {key: [peak_memory(key, name)] for key in made}, "MiB",
                         targets={"torch": 1})


if __name__ == "__main__":
    import resource

    from .memory import resident

    torch = importlib.import_module(sys.argv[1])
    torch.set_num_threads(1)
    small = torch.nn.Linear(8, 8)               # what is loaded when it is first used
    steps_of(torch, small.parameters(), lambda: small(torch.ones(8, 8)).sum())()
    before, step = resident(), PROGRAMS[sys.argv[2]](torch)
    for _ in range(3):
        step()
    print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before) / 2**20)
