"""Training steps of whole models: modules, a loss, backward and a step of the optimizer, in float32 on one thread.

Each model is a function of the module ``torch``, which may be PyTorch or minigrad, and returns one training step.  With
the same seed both draw the same weights and the same masks of dropout, so that their losses must be the same, step
after step: before anything is timed, twenty of them are compared.  What PyTorch's are is also on record, as
``tests/parity/printed_programs/nn/whole_models.txt``, so that the programs are tested where PyTorch is not installed.

The sizes are those of lessons: nanoGPT's for a computer without a GPU, makemore's for a list of names.
"""

import math
from types import SimpleNamespace

from .contestants import Disagreement, TorchLike
from .timing import calls

STEPS = 20


# ------------------------------------------------------------------------------ a small GPT


def gpt_of(torch):
    """The class of nanoGPT's model: blocks of attention and a small network, each added to what it is given."""
    nn, f = torch.nn, torch.nn.functional

    class Attention(nn.Module):
        def __init__(self, width, heads):
            super().__init__()
            self.heads, self.into, self.out = heads, nn.Linear(width, 3 * width), nn.Linear(width, width)

        def forward(self, x):
            n, t, width = x.size()
            q, k, v = [part.view(n, t, self.heads, -1).transpose(1, 2) for part in self.into(x).split(width, dim=2)]
            y = f.scaled_dot_product_attention(q, k, v, is_causal=True)
            return self.out(y.transpose(1, 2).contiguous().view(n, t, width))

    class Block(nn.Module):
        def __init__(self, width, heads):
            super().__init__()
            self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
            self.attention = Attention(width, heads)
            self.mlp, self.out = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU()), nn.Linear(4 * width, width)

        def forward(self, x):
            x = x + self.attention(self.before(x))
            return x + self.out(self.mlp(self.between(x)))

    class GPT(nn.Module):
        def __init__(self, symbols, context, layers, heads, width):
            super().__init__()
            self.symbols, self.places = nn.Embedding(symbols, width), nn.Embedding(context, width)
            self.blocks = nn.ModuleList([Block(width, heads) for _ in range(layers)])
            self.after, self.head = nn.LayerNorm(width), nn.Linear(width, symbols, bias=False)
            for name, p in self.named_parameters():                 # the sum of all blocks has the variance of one
                if p.dim() > 1:
                    nn.init.normal_(p, 0.0, 0.02 / (math.sqrt(2 * layers) if name.endswith("out.weight") else 1))
            self.symbols.weight = self.head.weight

        def forward(self, x):
            x = self.symbols(x) + self.places(torch.arange(x.size(1)))
            for block in self.blocks:
                x = block(x)
            return self.head(self.after(x))

    return GPT


def text(torch, symbols, shape):
    """Texts in which each symbol mostly says what the next is, and the same texts one place further."""
    x = torch.randint(0, symbols, (shape[0], shape[1] + 1))
    x[:, 1::2] = (x[:, 0:-1:2] * 5 + 3) % symbols
    return x[:, :-1].contiguous(), x[:, 1:].contiguous()


def of_text(torch, model, symbols, shape, optimizer, clip=None):
    """A step on texts: the logits of the next symbol, their cross-entropy, and the update."""
    x, y = text(torch, symbols, shape)
    parameters = list(model.parameters())

    def step():
        logits = model(x)
        loss = torch.nn.functional.cross_entropy(logits.view(-1, symbols), y.view(-1), ignore_index=-1)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        if clip is not None:
            torch.nn.utils.clip_grad_norm_(parameters, clip)
        optimizer.step()
        return loss

    return step


def nano_gpt(torch):
    """Four layers of width 128, 12 texts of 64 symbols, as nanoGPT is trained on the plays without a GPU."""
    model = gpt_of(torch)(65, 64, 4, 4, 128)
    groups = [{"params": [p for p in model.parameters() if p.dim() > 1], "weight_decay": 0.1},
              {"params": [p for p in model.parameters() if p.dim() < 2], "weight_decay": 0.0}]
    return of_text(torch, model, 65, (12, 64), torch.optim.AdamW(groups, lr=1e-3, betas=(0.9, 0.99)), clip=1.0)


# ------------------------------------------------------------------------------ the models of makemore

SYMBOLS, CONTEXT, WIDTH, NAMES = 27, 16, 64, 32


def of_names(torch, model):
    """A step of makemore: 32 names of at most 15 letters, and AdamW."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=0.01, betas=(0.9, 0.99), eps=1e-8)
    return of_text(torch, model, SYMBOLS, (NAMES, CONTEXT), optimizer)


def bigram(torch):
    """The logits of the next letter are a row of a table."""
    nn = torch.nn

    class Bigram(nn.Module):
        def __init__(self):
            super().__init__()
            self.logits = nn.Parameter(torch.zeros(SYMBOLS, SYMBOLS))

        def forward(self, x):
            return self.logits[x]

    return of_names(torch, Bigram())


def mlp(torch):
    """The last 16 letters are looked up, one beside the other, and go through two layers (Bengio et al., 2003)."""
    nn = torch.nn

    class MLP(nn.Module):
        def __init__(self):
            super().__init__()
            self.letters = nn.Embedding(SYMBOLS + 1, WIDTH)         # one more: before the first letter
            self.layers = nn.Sequential(nn.Linear(CONTEXT * WIDTH, WIDTH), nn.Tanh(), nn.Linear(WIDTH, SYMBOLS))

        def forward(self, x):
            seen = []
            for _ in range(CONTEXT):
                seen.append(self.letters(x))
                x = torch.roll(x, 1, 1)
                x[:, 0] = SYMBOLS
            return self.layers(torch.cat(seen, -1))

    return of_names(torch, MLP())


def bag_of_words(torch):
    """Each place sees the mean of the letters up to it."""
    nn, f = torch.nn, torch.nn.functional

    class Mean(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("mask", torch.tril(torch.ones(CONTEXT, CONTEXT)).view(1, CONTEXT, CONTEXT))

        def forward(self, x):
            n, t, _ = x.size()
            weights = torch.zeros((n, t, t)).masked_fill(self.mask[:, :t, :t] == 0, float("-inf"))
            return f.softmax(weights, dim=-1) @ x

    class Bag(nn.Module):
        def __init__(self):
            super().__init__()
            self.letters, self.places = nn.Embedding(SYMBOLS, WIDTH), nn.Embedding(CONTEXT, WIDTH)
            self.mean = Mean()
            self.layers = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.Tanh(), nn.Linear(WIDTH, WIDTH))
            self.head = nn.Linear(WIDTH, SYMBOLS)

        def forward(self, x):
            x = self.letters(x) + self.places(torch.arange(x.size(1)).unsqueeze(0))
            x = x + self.mean(x)
            return self.head(x + self.layers(x))

    return of_names(torch, Bag())


def recurrent(torch, cell):
    """A cell of layers goes from letter to letter."""
    nn = torch.nn

    class Tanh(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(2 * WIDTH, WIDTH)

        def forward(self, x, h):
            return torch.tanh(self.layer(torch.cat([x, h], dim=1)))

    class Gated(nn.Module):
        def __init__(self):
            super().__init__()
            self.update, self.reset, self.candidate = [nn.Linear(2 * WIDTH, WIDTH) for _ in range(3)]

        def forward(self, x, h):
            both = torch.cat([x, h], dim=1)
            reset, update = torch.sigmoid(self.reset(both)), torch.sigmoid(self.update(both))
            new = torch.tanh(self.candidate(torch.cat([x, reset * h], dim=1)))
            return (1 - update) * h + update * new

    class Recurrent(nn.Module):
        def __init__(self):
            super().__init__()
            self.start = nn.Parameter(torch.zeros(1, WIDTH))
            self.letters = nn.Embedding(SYMBOLS, WIDTH)
            self.cell = {"tanh": Tanh, "gated": Gated}[cell]()
            self.head = nn.Linear(WIDTH, SYMBOLS)

        def forward(self, x):
            n, t = x.size()
            letters, h, states = self.letters(x), self.start.expand((n, -1)), []
            for i in range(t):
                h = self.cell(letters[:, i, :], h)
                states.append(h)
            return self.head(torch.stack(states, 1))

    return of_names(torch, Recurrent())


def transformer(torch):
    """The same blocks as above, and the gelu written out with a tanh, as makemore has it."""
    class Gelu(torch.nn.Module):
        def forward(self, x):
            return 0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))))

    model = gpt_of(torch)(SYMBOLS, CONTEXT, 4, 4, WIDTH)
    for block in model.blocks:
        block.mlp[1] = Gelu()
    return of_names(torch, model)


# ------------------------------------------------------------------------------ other lessons


def lstm(torch):
    """A language model of an LSTM with dropout: 20 texts of 35 words, of 1000."""
    nn = torch.nn

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.drop = nn.Dropout(0.2)
            self.words, self.rnn, self.head = nn.Embedding(1000, 32), nn.LSTM(32, 64), nn.Linear(64, 1000)

        def forward(self, x):
            return self.head(self.drop(self.rnn(self.drop(self.words(x)))[0]))

    model = Model()
    return of_text(torch, model, 1000, (35, 20), torch.optim.SGD(model.parameters(), lr=5.0), clip=0.25)


def conv_net(torch):
    """Two convolutions with batch norm and pooling, and two layers: 32 images of 1 x 28 x 28."""
    nn, f = torch.nn, torch.nn.functional
    model = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
                          nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
                          nn.Flatten(), nn.Linear(32 * 7 * 7, 64), nn.ReLU(), nn.Dropout(0.25), nn.Linear(64, 10))
    images, labels = torch.randn(32, 1, 28, 28), torch.randint(0, 10, (32,))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

    def step():
        optimizer.zero_grad()
        loss = f.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
        return loss

    return step


def ddpm(torch):
    """A denoising model (Ho et al., 2020) of 1 x 16 x 16: a small U-Net that is told the time."""
    nn, f = torch.nn, torch.nn.functional

    class Block(nn.Module):
        def __init__(self, into, out, of_time):
            super().__init__()
            self.norm, self.first = nn.GroupNorm(4, into), nn.Conv2d(into, out, 3, padding=1)
            self.time, self.second = nn.Linear(of_time, out), nn.Conv2d(out, out, 3, padding=1)
            self.beside = nn.Conv2d(into, out, 1) if into != out else nn.Identity()

        def forward(self, x, time):
            y = self.first(f.silu(self.norm(x))) + self.time(time)[:, :, None, None]
            return self.second(f.silu(y)) + self.beside(x)

    class UNet(nn.Module):
        def __init__(self, width=16):
            super().__init__()
            self.time = nn.Sequential(nn.Linear(width, 4 * width), nn.SiLU(), nn.Linear(4 * width, 4 * width))
            self.into = nn.Conv2d(1, width, 3, padding=1)
            self.down, self.shrink = Block(width, width, 4 * width), nn.Conv2d(width, 2 * width, 3, stride=2, padding=1)
            self.middle, self.grow = Block(2 * width, 2 * width, 4 * width), nn.ConvTranspose2d(2 * width, width, 2, 2)
            self.up, self.out = Block(2 * width, width, 4 * width), nn.Conv2d(width, 1, 3, padding=1)
            self.register_buffer("waves", torch.exp(torch.arange(width // 2) * (-math.log(10000.0) / (width // 2))))

        def forward(self, x, t):
            angles = t[:, None].float() * self.waves[None]
            time = self.time(torch.cat([angles.sin(), angles.cos()], 1))
            x = self.down(self.into(x), time)
            y = self.grow(self.middle(self.shrink(x), time))
            return self.out(self.up(torch.cat([x, y], 1), time))

    model = UNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    kept = torch.cumprod(1 - torch.linspace(1e-4, 0.02, 100), 0)
    images = torch.randn(16, 1, 16, 16)

    def step():
        t, noise = torch.randint(0, 100, (16,)), torch.randn_like(images)
        a = kept[t].view(-1, 1, 1, 1)
        loss = f.mse_loss(model(a.sqrt() * images + (1 - a).sqrt() * noise, t), noise)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    return step


# ------------------------------------------------------------------------------ the cases

MODELS = {
    "nanoGPT": nano_gpt,
    "makemore: bigram": bigram,
    "makemore: MLP": mlp,
    "makemore: bag of words": bag_of_words,
    "makemore: RNN": lambda torch: recurrent(torch, "tanh"),
    "makemore: GRU": lambda torch: recurrent(torch, "gated"),
    "makemore: transformer": transformer,
    "LSTM language model": lstm,
    "conv net": conv_net,
    "DDPM": ddpm,
}


def training(torch, name, programs=MODELS):
    """A model with the weights of one seed: its ``step``, and the ``losses`` of the first twenty."""
    torch.manual_seed(3407)
    step = programs[name](torch)
    return SimpleNamespace(step=step, losses=[step().item() for _ in range(STEPS)])


def make(contestants, name, programs=MODELS):
    """Every contestant's training, after a check that their losses are the same."""
    made = {key: training(lib.torch, name, programs) for key, lib in contestants.items() if isinstance(lib, TorchLike)}
    (first, expected), *others = made.items()
    for key, task in others:
        for k, (want, got) in enumerate(zip(expected.losses, task.losses)):
            if not math.isclose(want, got, rel_tol=1e-3):
                raise Disagreement(f"{name}: the loss of step {k} is {got} with {key}, and {want} with {first}")
    return made


def run(session):
    for lib in session.contestants.values():
        if isinstance(lib, TorchLike):
            lib.torch.set_num_threads(1)
    for name in MODELS:
        loops = {key: calls(task.step) for key, task in make(session.contestants, name).items()}
        session.race(f"{name} step", loops, targets={"torch": 0.9})
