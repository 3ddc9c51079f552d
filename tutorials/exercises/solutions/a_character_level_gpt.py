"""Solutions of the exercises of "A character-level GPT"."""

# %% Solution: One head of attention
import math

import minigrad as torch


def attend(q, k, v):
    scores = q @ k.T / math.sqrt(q.shape[1])
    later = torch.ones_like(scores, dtype=torch.bool).triu(1)
    return torch.softmax(scores.masked_fill(later, float("-inf")), dim=1) @ v


# %% Solution: Batches of text
import minigrad as torch


def batch(data, size, length, generator=None):
    starts = torch.randint(len(data) - length, (size,), generator=generator)
    x = torch.stack([data[i:i + length] for i in starts.tolist()])
    y = torch.stack([data[i + 1:i + length + 1] for i in starts.tolist()])
    return x, y


# %% Solution: Temperature
import minigrad as torch


def distribution(scores, temperature, top):
    worst = torch.topk(scores, top).values[-1]
    kept = scores.masked_fill(scores < worst, float("-inf"))
    return torch.softmax(kept / temperature, 0)


# %% Project: 1
import math
from pathlib import Path

import minigrad as torch

nn, F = torch.nn, torch.nn.functional
folder = next(path / "tutorials" / "data" for path in (Path.cwd(), *Path.cwd().parents)
              if (path / "tutorials" / "data").is_dir())
text = (folder / "alice.txt").read_text(encoding="utf-8")
number = {character: i for i, character in enumerate(sorted(set(text)))}
data = torch.tensor([number[character] for character in text])
block, cut = 64, len(data) * 9 // 10
later = torch.full((block, block), -math.inf).triu(1)


class GPT(nn.Module):
    def __init__(self, width, depth, with_places):
        super().__init__()
        self.character = nn.Embedding(len(number), width)
        self.place = nn.Embedding(block, width) if with_places else None
        self.blocks = nn.ModuleList([
            nn.TransformerEncoderLayer(width, 4, 4 * width, dropout=0.0, activation="gelu",
                                       batch_first=True, norm_first=True) for _ in range(depth)])
        self.norm, self.scores = nn.LayerNorm(width), nn.Linear(width, len(number))

    def forward(self, characters):
        places, x = characters.shape[1], self.character(characters)
        if self.place:
            x = x + self.place(torch.arange(places))
        for each in self.blocks:
            x = each(x, src_mask=later[:places, :places])
        return self.scores(self.norm(x))


def bits(model, starts):
    places = starts[:, None] + torch.arange(block)
    return F.cross_entropy(model(data[places]).flatten(0, 1), data[places + 1].flatten()) / math.log(2)


def held_out(with_places):
    """After 150 steps of a narrow model, on a fourth of the held-out part."""
    torch.manual_seed(1)
    model = GPT(16, 1, with_places)
    optimizer = torch.optim.AdamW(model.parameters(), betas=(0.9, 0.99))
    for step in range(150):
        optimizer.param_groups[0]["lr"] = 1e-2 * (1 - step / 150)
        optimizer.zero_grad()
        bits(model, torch.randint(cut - block, (8,))).backward()
        optimizer.step()
    with torch.no_grad():
        return bits(model, torch.arange(cut, len(data) - block, 4 * block)).item()


def moved(depth):
    """How far the last scores move if two earlier characters change places."""
    torch.manual_seed(1)
    model = GPT(32, depth, with_places=False)
    with torch.no_grad():
        one, other = model(data[torch.tensor([[0, 1, 2, 3, 4], [0, 2, 1, 3, 4]])])[:, -1]
    return (one - other).abs().max().item()


assert held_out(False) < held_out(True)
assert moved(1) < 1e-5 < 1e-3 < moved(2)


# %% Project: 2
import math
import time

import minigrad as torch
from minigrad.autograd import profiler

nn, F = torch.nn, torch.nn.functional
width, heads, block = 128, 4, 64


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.network = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x, kept=None):
        """``kept`` is a list, of nothing or of the keys and values of earlier places."""
        places = x.shape[1]
        q, k, v = self.qkv(self.norm1(x)).view(1, places, 3, heads, width // heads).permute(2, 0, 3, 1, 4)
        if kept is not None:
            if kept:
                k, v = torch.cat([kept[0], k], 2), torch.cat([kept[1], v], 2)
            kept[:] = k, v
        scores = q @ k.transpose(-2, -1) / math.sqrt(width // heads)
        if kept is None:
            scores = scores.masked_fill(torch.ones(places, places).triu(1).bool(), -math.inf)
        x = x + self.out((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))
        return x + self.network(self.norm2(x))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.character, self.place = nn.Embedding(67, width), nn.Embedding(block, width)
        self.blocks = nn.ModuleList([Block() for _ in range(3)])
        self.norm, self.scores = nn.LayerNorm(width), nn.Linear(width, 67)

    def forward(self, characters, first=0, kept=(None, None, None)):
        x = self.character(characters) + self.place(torch.arange(first, first + characters.shape[1]))
        for each, of_block in zip(self.blocks, kept):
            x = each(x, of_block)
        return self.scores(self.norm(x))[0, -1]


torch.manual_seed(0)
model, text = GPT(), torch.randint(67, (1, block))


@torch.no_grad()
def anew():
    return torch.stack([model(text[:, :i + 1]) for i in range(block)])


@torch.no_grad()
def with_kept():
    kept = [], [], []
    return torch.stack([model(text[:, i:i + 1], i, kept) for i in range(block)])


def cost(write):
    times = []
    for _ in range(3):
        start = time.perf_counter()
        write()
        times.append(time.perf_counter() - start)
    with profiler.profile(with_flops=True) as prof:
        write()
    return sum(event.flops for event in prof.function_events if event.name in ("mm", "addmm")), min(times)


assert torch.allclose(anew(), with_kept(), atol=1e-4)
(flops, seconds), (fewer, less) = cost(anew), cost(with_kept)
assert round(flops / fewer, 1) == 32.5 and seconds > 1.5 * less


# %% Project: 3
import math
from pathlib import Path

import minigrad as torch
from minigrad.serialization.safetensors import load_file

nn, F = torch.nn, torch.nn.functional
folder = next(path / "tutorials" / "data" for path in (Path.cwd(), *Path.cwd().parents)
              if (path / "tutorials" / "data").is_dir())
text = (folder / "alice.txt").read_text(encoding="utf-8")
number = {character: i for i, character in enumerate(sorted(set(text)))}
alice = torch.tensor([number[character] for character in text])
backwards = alice.flip(0)
block, cut = 64, len(alice) * 9 // 10
later = torch.full((block, block), -math.inf).triu(1)

#: the page's names of parameters, and those of the library's layer
NAMES = {"attention.qkv.": "self_attn.in_proj_", "attention.out.": "self_attn.out_proj.",
         "network.0.": "linear1.", "network.2.": "linear2."}


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.character, self.place = nn.Embedding(len(number), 128), nn.Embedding(block, 128)
        self.blocks = nn.ModuleList([
            nn.TransformerEncoderLayer(128, 4, 512, dropout=0.0, activation="gelu",
                                       batch_first=True, norm_first=True) for _ in range(3)])
        self.norm, self.scores = nn.LayerNorm(128), nn.Linear(128, len(number))
        loaded = load_file(folder / "alice.safetensors")
        for name, other in NAMES.items():
            loaded = {key.replace(name, other): values for key, values in loaded.items()}
        self.load_state_dict(loaded)

    def forward(self, characters):
        x = self.character(characters) + self.place(torch.arange(block))
        for each in self.blocks:
            x = each(x, src_mask=later)
        return self.scores(self.norm(x))


def bits(model, pieces):
    scores = model(pieces[:, :-1]).flatten(0, 1)
    return F.cross_entropy(scores, pieces[:, 1:].flatten()) / math.log(2)


def pieces(part, starts):
    return part[starts[:, None] + torch.arange(block + 1)]


def losses(model):
    """On both texts, on an eighth of the held-out pieces."""
    starts = torch.arange(cut, len(alice) - block, 8 * block)
    with torch.no_grad():
        return [bits(model, pieces(part, starts)).item() for part in (alice, backwards)]


def after_twenty_steps(of_alice):
    """The losses, if so many of the four pieces in each batch are from Alice."""
    torch.manual_seed(1)
    model = GPT()
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-4, betas=(0.9, 0.99))
    for _ in range(20):
        starts = torch.randint(cut - block, (4,))
        batch = torch.cat([pieces(alice, starts[:of_alice]), pieces(backwards, starts[of_alice:])])
        optimizer.zero_grad()
        bits(model, batch).backward()
        optimizer.step()
    return losses(model)


(knows, foreign), (forgot, new), (kept, _) = losses(GPT()), after_twenty_steps(0), after_twenty_steps(1)
assert 2.15 < knows < 2.3 and 2.9 < forgot < 3.3 and 2.6 < kept < 2.9
assert 7.3 < foreign < 7.5 and 3.9 < new < 4.4
