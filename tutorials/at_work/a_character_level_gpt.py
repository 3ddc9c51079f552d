"""
A character-level GPT
=====================

A language model reads the beginning of a text and predicts how likely each character is to come next. The models that
everybody talks about do this with *attention*. We build one from modules, with 600,000 parameters instead of billions,
and have it learn from *Alice's Adventures in Wonderland*. At the end of the page it writes English.

Afterwards you can write causal attention, and turn the scores of a model into the probabilities of the next character
at any temperature. The exercises check both.

You need modules and optimizers: :doc:`/tutorials/first_gradients/a_network_from_modules`.
"""

# %%
# The problem
# -----------
#
# The text is Lewis Carroll's book of 1865, one line for each paragraph. We number its characters. A clone of minigrad
# has it, and the weights that we load later, in ``tutorials/data``. If you downloaded this page alone, download
# :download:`alice.txt </../tutorials/data/alice.txt>` and
# :download:`alice.safetensors </../tutorials/data/alice.safetensors>` too, and put them beside it.

import math
import re
import textwrap
import zlib
from pathlib import Path

import matplotlib.pyplot as plt

import minigrad as torch
from minigrad import nn

F = nn.functional
torch.manual_seed(1)

above = [path / "tutorials" / "data" for path in (Path.cwd(), *Path.cwd().parents)]
folder = next(path for path in (Path.cwd(), *above) if (path / "alice.txt").exists())
text = (folder / "alice.txt").read_text(encoding="utf-8")
alphabet = sorted(set(text))
number = {character: i for i, character in enumerate(alphabet)}
data = torch.tensor([number[character] for character in text])
print(len(text), "characters,", len(alphabet), "different ones")
print(text[text.index("Alice was"):][:73])

# %%
# The loss is the mean of :math:`-\log_2 p`, where :math:`p` is the predicted probability of the character that does
# come next. With this logarithm it is counted in *bits* per character, as the size of a compressed file is. If we
# predict all characters to be equally likely, the loss is the logarithm of their number. If we know only how often each
# one occurs, it is the entropy of that distribution. A program that compresses files does better, because it looks at
# what came before. Can we beat it?

p = torch.bincount(data) / len(data)
uniform, by_counts = math.log2(len(alphabet)), -(p * p.log2()).sum().item()
compressed = 8 * len(zlib.compress(text.encode(), 9)) / len(text)
print(f"in bits: uniform {uniform:.2f}, by counts {by_counts:.2f}, zlib {compressed:.2f}")

# %%
# The idea
# --------
#
# Each place in the text becomes a vector, which encodes the character and its place. In *attention*, three vectors
# are computed from it: a question (the *query*), a label (the *key*) and something to say (the *value*). Each place
# then receives a mean of the values of all places, weighted by how well their keys match its query:
#
# .. math::
#
#    a_{ij} = \operatorname{softmax}_j \Bigl(\frac{q_i \cdot k_j}{\sqrt{d}}\Bigr), \qquad y_i = \sum_j a_{ij} \, v_j
#
# A place must not see what comes after it, because that is what it has to predict. So the scores for :math:`j > i`
# are set to minus infinity, which the softmax turns into weights of 0. Such attention is called *causal*. Several
# *heads* do this side by side, each on its own part of the vector.

block, heads = 64, 4


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        later = torch.ones(block, block).triu(1).bool()
        self.register_buffer("later", later, persistent=False)

    def weights(self, x):
        """The weights a[i, j] for each head, and the values."""
        batch, places, width = x.shape
        parts = self.qkv(x).view(batch, places, 3, heads, width // heads)
        q, k, v = parts.permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) / math.sqrt(width // heads)
        return scores.masked_fill(self.later[:places, :places], -math.inf).softmax(-1), v

    def forward(self, x):
        weights, v = self.weights(x)
        return self.out((weights @ v).transpose(1, 2).flatten(2))


# %%
# Is it causal? Changing a place must not change the result at any place before it. We need not take the mask on
# trust: a gradient tells us what depends on what.

attention = Attention(32)
x = torch.randn(1, 5, 32, requires_grad=True)
(x_bar,) = torch.autograd.grad(attention(x)[0, 2].sum(), x)
print("what place 2 depends on:", (x_bar.abs().sum(-1) > 0).tolist())
assert (x_bar.abs().sum(-1)[0] > 0).tolist() == [True, True, True, False, False]

# %%
# A mean has no order. If two earlier places change places, a later one does not notice. So the model could not tell
# "was" from "saw", and this is why the vectors encode places as well.

exchanged = attention(x[:, [1, 0, 2, 3, 4]])
assert torch.allclose(exchanged[0, 4], attention(x)[0, 4], atol=1e-6)

# %%
# The library has attention as a single function, which must agree with ours:

q, k, v = attention.qkv(x).view(1, 5, 3, heads, 32 // heads).permute(2, 0, 3, 1, 4)
fused = F.scaled_dot_product_attention(q, k, v, is_causal=True)
weights, _ = attention.weights(x)
assert torch.allclose(fused, weights @ v, atol=1e-6)

# %%
# The model
# ---------
#
# A *block* adds two things to each vector: what attention collects from other places, and what a small network
# computes from the vector itself. Because they are *added*, gradients reach the first block easily: an addition
# passes them on unchanged. A layer norm before each step keeps the numbers in a moderate range.


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm1, self.attention = nn.LayerNorm(width), Attention(width)
        self.norm2 = nn.LayerNorm(width)
        self.network = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.network(self.norm2(x))


class GPT(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.character = nn.Embedding(len(alphabet), width)
        self.place = nn.Embedding(block, width)
        self.blocks = nn.Sequential(*[Block(width) for _ in range(depth)])
        self.norm = nn.LayerNorm(width)
        self.scores = nn.Linear(width, len(alphabet))

    def forward(self, characters):
        x = self.character(characters) + self.place(torch.arange(characters.shape[1]))
        return self.scores(self.norm(self.blocks(x)))


# %%
# Training from nothing
# ---------------------
#
# A batch consists of pieces cut out of the book at random. Each place in a piece is an example of its own, so with 8
# pieces of 64 characters a step learns from 512 predictions at once. The last tenth of the book is held out.

cut = len(data) * 9 // 10


def bits(model, characters, following):
    """The loss of these pieces, in bits per character."""
    scores = model(characters).flatten(0, 1)
    return F.cross_entropy(scores, following.flatten()) / math.log(2)


def batch(part, pieces):
    starts = torch.randint(len(part) - block, (pieces,))
    places = starts.unsqueeze(1) + torch.arange(block)
    return part[places], part[places + 1]


def train(model, steps, rate):
    """Train while the rate falls to zero, and return the losses."""
    optimizer = torch.optim.AdamW(model.parameters(), betas=(0.9, 0.99))
    losses = []
    for step in range(steps):
        optimizer.param_groups[0]["lr"] = rate * (1 - step / steps)
        optimizer.zero_grad()
        loss = bits(model, *batch(data[:cut], 8))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    return losses


@torch.no_grad()
def held_out(model):
    """The loss on the held-out part, cut into pieces."""
    starts = torch.arange(cut, len(data) - block, block).unsqueeze(1)
    places = starts + torch.arange(block)
    return bits(model, data[places], data[places + 1]).item()


# %%
# We train a small model for a few seconds:

small = GPT(width=32, depth=2)
print(sum(p.numel() for p in small.parameters()), "parameters")
before = held_out(small)
losses = train(small, 500, 1e-2)
print(f"held out: {before:.2f} bits before, {held_out(small):.2f} after")
assert compressed < held_out(small) < by_counts - 0.8

# sphinx_gallery_start_ignore
figure, axes = plt.subplots(figsize=(6.4, 3.2), layout="constrained")
axes.plot(losses, linewidth=1.2)
for level, name in ((uniform, "uniform"), (by_counts, "by counts"), (compressed, "zlib")):
    axes.axhline(level, color="gray", linestyle=":", linewidth=1)
    axes.text(500, level, name, ha="right", va="bottom", color="gray")
axes.set(title=f"500 steps: from {losses[0]:.1f} bits to {losses[-1]:.1f},\n"
               f"below {by_counts:.1f}, by counts, but not to zlib's {compressed:.1f}",
         xlabel="step", ylabel="bits per character")
# sphinx_gallery_end_ignore
plt.show()

# %%
# What it writes
# --------------
#
# To write a text, ask the model how likely each character is, draw one at random, append it, and repeat. First the
# scores are divided by a *temperature*. If it is below 1, likely characters become likelier still.


def write(model, length, temperature=0.6, beginning="\n"):
    characters = torch.tensor([[number[c] for c in beginning]])
    with torch.no_grad():
        for _ in range(length):
            scores = model(characters[:, -block:])[0, -1]
            following = torch.multinomial((scores / temperature).softmax(0), 1)
            characters = torch.cat([characters, following[None]], dim=1)
    return "".join([alphabet[i] for i in characters[0, len(beginning):].tolist()])


def show(written):
    for paragraph in written.splitlines():
        print(textwrap.fill(paragraph, 92))


show(write(small, 300))

# %%
# It is nonsense, but some words are real. Which part of them occurs in the book?


def words(written):
    return re.findall(r"[a-z]+(?:'[a-z]+)*", written.lower())


vocabulary = set(words(text))


def share_of_words(written):
    """The part of the words that the book has, without the last, which may be cut off."""
    found = [word in vocabulary for word in words(written)[:-1]]
    return sum(found) / len(found)


of_small = share_of_words(write(small, 1000))
print(f"the book has {len(vocabulary)} words; of those written, it has {of_small:.0%}")
assert of_small < 0.75

# %%
# Weights that took longer
# ------------------------
#
# A larger model does better if it is trained for longer. The one that we load has read the book some thirty-five times,
# in five minutes of one processor: ``tools/train_gpt.py`` trained it. The file has 16 bits for each weight.

from minigrad.serialization.safetensors import load_file

model = GPT(width=128, depth=3)
model.load_state_dict(load_file(folder / "alice.safetensors"))
print(sum(p.numel() for p in model.parameters()), "parameters")
loaded = held_out(model)
print(f"held out: {loaded:.2f} bits")
assert loaded < compressed - 0.5

# %%
# This is far below zlib, on chapters that the model has never seen. Here it writes a thousand characters:

torch.manual_seed(3)
written = write(model, 1000)
show(written)
of_loaded = share_of_words(written)
print(f"\n{of_loaded:.0%} of the words are words of the book")
assert of_loaded >= 0.9

# %%
# That is English, if you do not ask for sense: sentences, quotations, and who said them. It is not copied, either.
# This is the longest piece that the book has too:


def longest_copy(written):
    start = length = 0
    for i in range(len(written)):
        while i + length < len(written) and written[i:i + length + 1] in text:
            start, length = i, length + 1
    return written[start:start + length]


copied = longest_copy(written)
print(len(copied), "characters:", repr(copied))
assert len(copied) < 60 and "said" in written

# %%
# The probabilities themselves can be looked at, too. Who said it? The likeliest are the initials of the Gryphon, the
# King, the Mock Turtle, and the Duchess, the Dodo and the Dormouse, who share one.

beginning = "'I don't know what you mean,' said the "
with torch.no_grad():
    scores = model(torch.tensor([[number[c] for c in beginning]]))[0, -1]

best = scores.topk(8).indices
names = [repr(alphabet[i]) for i in best.tolist()]
# sphinx_gallery_start_ignore
figure, columns = plt.subplots(1, 2, figsize=(6.4, 2.6), layout="constrained")
for axes, temperature in zip(columns, (1, 0.6)):
    axes.barh(names, (scores / temperature).softmax(0)[best].tolist())
    axes.invert_yaxis()
    axes.set(title=f"temperature {temperature}", xlabel="probability")
figure.suptitle("After 'said the': G, K, M, D; a low temperature favours the likely ones")
# sphinx_gallery_end_ignore
plt.show()

assert {alphabet[i] for i in best[:4].tolist()} == {"G", "K", "M", "D"}

# %%
# More training
# -------------
#
# One can start from loaded weights. The tool trained at a constant rate, whose steps are too long for the bottom of the
# valley. We go on for a few seconds, while the rate falls to zero:

train(model, 100, 5e-4)
trained = held_out(model)
more = write(model, 1000)
show(more[:400])

# %%
# This is what training has added. The share of words varies by a percent or two with the draw, the loss does not:

of_random, of_trained = share_of_words(write(GPT(32, 2), 1000)), share_of_words(more)
print(f"random weights    {before:.2f} bits {of_random:4.0%} words")
print(f"500 steps, small  {held_out(small):.2f} bits {of_small:4.0%} words")
print(f"loaded            {loaded:.2f} bits {of_loaded:4.0%} words")
print(f"100 steps more    {trained:.2f} bits {of_trained:4.0%} words")
assert of_random < of_small < of_loaded and of_trained >= 0.9
assert trained < loaded - 0.01

# %%
# What each place reads
# ---------------------
#
# We can draw the weights of attention, one image for each head. Each row is a place, and shows which places it reads.
# At least one head of the first block has learned to read the character just before.

sample = "Alice thought it over"
with torch.no_grad():
    x = model.character(torch.tensor([[number[c] for c in sample]]))
    x = x + model.place(torch.arange(len(sample)))
    weights, _ = model.blocks[0].attention.weights(model.blocks[0].norm1(x))
of_previous = weights[0].diagonal(-1, 1, 2).mean(1)
print("mean weight of the place before:", [round(w, 2) for w in of_previous.tolist()])

# sphinx_gallery_start_ignore
figure, rows = plt.subplots(1, heads, figsize=(7.2, 2.4), layout="constrained")
for i, (axes, head) in enumerate(zip(rows, weights[0])):
    axes.imshow(head.numpy(), cmap="Blues")
    axes.set(xticks=[], yticks=[], title=f"head {i}")
figure.suptitle(f"Nothing above the diagonal; head {of_previous.argmax()} reads one back")
# sphinx_gallery_end_ignore
plt.show()

assert not weights.triu(1).any() and of_previous.max() > 0.8

# %%
# What goes wrong
# ---------------
#
# **Forgetting the mask.** Everyone does it once. The loss falls faster, which looks like success. But each place can
# read its answer from the next one, and when the model has to write, there is no next one.

torch.manual_seed(1)
cheat = GPT(width=32, depth=2)
for each in cheat.blocks:
    each.attention.later.zero_()
train(cheat, 500, 1e-2)
print(f"held out: {held_out(cheat):.2f} bits without a mask, {held_out(small):.2f} with it")
show(write(cheat, 100))
assert held_out(cheat) < held_out(small) - 1

# %%
# The gradient gives it away: without the mask, place 2 depends on every place, including those after it.

x = torch.randn(1, 5, 32, requires_grad=True)
(x_bar,) = torch.autograd.grad(cheat.blocks[0].attention(x)[0, 2].sum(), x)
print("what place 2 depends on:", (x_bar.abs().sum(-1) > 0).tolist())
assert (x_bar.abs().sum(-1) > 0).all()

# %%
# Summary
# -------
#
# - Attention gives each place a mean of values, weighted by how well the keys match its query.
# - The mask makes attention causal. Without it the loss falls faster, but the model learns to copy, not to write.
# - A gradient tells you what depends on what, so it is a test for masks.
#
# .. admonition:: Now in PyTorch
#
#    Cells with a badge print the same in PyTorch 2.13 with the imports changed, losses included: the random numbers are
#    the same. What differs:
#
#    - ``load_file`` is in the package safetensors: ``from safetensors.torch import load_file``.
#    - Anomaly mode names the same operation; the advice that follows it in the error is minigrad's.
#    - In a profile, names of operations begin with ``aten::``, and there are more events, for views, copies and memory.
#      With ``enabled=False``, ``prof`` is ``None``. Each thread numbers its nodes from 0; here all share one count.
#    - ``emit_nvtx`` and ``torch.cuda.profiler.profile`` raise an error without CUDA; minigrad warns and goes on.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Leave out ``self.place``, and train the small model again, for 500 steps and for 2000. How much worse is the
#    loss?
# 2. The keys and values of earlier places do not change when a character is appended. Keep them, and compute only
#    those of the new place. How much faster does ``write`` become, and up to which character?
# 3. Train the model further on a text of your own, for some minutes. When does it forget Alice, and what slows that
#    down?
