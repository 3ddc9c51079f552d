"""
A character-level GPT
=====================

A language model reads the beginning of a text and says, for each character, how likely it is to come next. The models
that everybody talks about do this with *attention*. We build one from modules, with 32 thousand parameters instead of
billions, and train it for a few seconds on a text that every Python has: its own reference.
"""

# %%
# The problem
# -----------
#
# The text is what ``help("class")`` and its likes print. We take a part of it, and number its characters.

import math
import pydoc_data.topics

import matplotlib.pyplot as plt

import minigrad as torch
from minigrad import nn

F = nn.functional
torch.manual_seed(1)

topics = pydoc_data.topics.topics
pages = ("assignment", "class", "for", "function", "if", "while")
text = " ".join("".join(topics[name] for name in pages).split())
alphabet = sorted(set(text))
number = {character: i for i, character in enumerate(alphabet)}
data = torch.tensor([number[character] for character in text])
print(len(text), "characters,", len(alphabet), "different ones")
print(text[:72])

# %%
# If all characters were equally likely, the loss (the mean of :math:`-\log p` of the character that comes) would be
# the logarithm of their number. If we know only how often each occurs, it is the entropy of that distribution. A
# model that reads the context has to beat both.

counts = torch.bincount(data).float()
p = counts / counts.sum()
uniform, by_counts = math.log(len(alphabet)), -(p * p.log()).sum().item()
print(f"uniform {uniform:.2f}, by counts {by_counts:.2f}")

# %%
# The idea
# --------
#
# Each place of the text is a vector, which says what character is there and where it is. In *attention* each place
# asks a question (a *query*), each place has a label (a *key*) and something to say (a *value*). A place receives the
# mean of all values, weighted by how well the keys answer its query:
#
# .. math::
#
#    a_{ij} = \operatorname{softmax}_j \Bigl(\frac{q_i \cdot k_j}{\sqrt{d}}\Bigr), \qquad y_i = \sum_j a_{ij} \, v_j
#
# A place must not look at what comes after it, since that is what it has to predict. So scores for :math:`j > i` are
# set to minus infinity, and the softmax makes them 0. That is called *causal*. Several such *heads* work side by side
# on parts of the vector.

block, width, heads, depth = 32, 32, 4, 2


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        later = torch.ones(block, block).triu(1).bool()
        self.register_buffer("later", later, persistent=False)

    def weights(self, x):
        """The weights a[i, j] for each head, and the values."""
        batch, places, _ = x.shape
        parts = self.qkv(x).view(batch, places, 3, heads, width // heads)
        q, k, v = parts.permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) / math.sqrt(width // heads)
        return scores.masked_fill(self.later[:places, :places], -math.inf).softmax(-1), v

    def forward(self, x):
        weights, v = self.weights(x)
        return self.out((weights @ v).transpose(1, 2).flatten(2))


# %%
# Is it causal? If we change the last place, no place before it may notice. We need not trust the mask: the gradient
# says what depends on what.

attention = Attention()
x = torch.randn(1, 5, width, requires_grad=True)
(x_bar,) = torch.autograd.grad(attention(x)[0, 2].sum(), x)
print("what place 2 depends on:", (x_bar.abs().sum(-1) > 0).tolist())
assert (x_bar.abs().sum(-1)[0] > 0).tolist() == [True, True, True, False, False]

# %%
# The table has all of attention as one function, which must agree with ours:

parts = attention.qkv(x).view(1, 5, 3, heads, width // heads)
q, k, v = parts.permute(2, 0, 3, 1, 4)
fused = F.scaled_dot_product_attention(q, k, v, is_causal=True)
weights, _ = attention.weights(x)
assert torch.allclose(fused, weights @ v, atol=1e-6)

# %%
# The model
# ---------
#
# A *block* adds two things to each vector: what attention brings from other places, and what a small network makes of
# the vector itself. That they are *added* is what lets gradients reach the first block: each addition passes them on
# unchanged. A layer norm before each of them keeps the numbers at a good size.


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.attention = nn.LayerNorm(width), Attention()
        self.norm2 = nn.LayerNorm(width)
        self.network = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.network(self.norm2(x))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.character = nn.Embedding(len(alphabet), width)
        self.place = nn.Embedding(block, width)
        self.blocks = nn.Sequential(*[Block() for _ in range(depth)])
        self.norm = nn.LayerNorm(width)
        self.scores = nn.Linear(width, len(alphabet))

    def forward(self, characters):
        x = self.character(characters) + self.place(torch.arange(characters.shape[1]))
        return self.scores(self.norm(self.blocks(x)))


model = GPT()
print(sum(p.numel() for p in model.parameters()), "parameters")

# %%
# Training
# --------
#
# A batch is a few pieces of the text, cut out at random. Each place of a piece is an example of its own: from 16
# pieces of 32 characters a step learns 512 predictions at once. The last tenth of the text is held out.

cut = len(data) * 9 // 10


def batch(part, pieces=16):
    starts = torch.randint(len(part) - block, (pieces,))
    places = starts.unsqueeze(1) + torch.arange(block)
    return part[places], part[places + 1]


def loss_on(part, pieces=16):
    characters, following = batch(part, pieces)
    return F.cross_entropy(model(characters).flatten(0, 1), following.flatten())


optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
losses = []
for step in range(400):
    optimizer.zero_grad()
    loss = loss_on(data[:cut])
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    losses.append(loss.item())

with torch.no_grad():
    held_out = loss_on(data[cut:], 100).item()
print(f"first {losses[0]:.2f}, last {losses[-1]:.2f}, held out {held_out:.2f}")
assert held_out < by_counts - 0.4

figure, axes = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
axes.plot(losses, linewidth=1.2)
axes.axhline(uniform, color="gray", linestyle=":", label="uniform")
axes.axhline(by_counts, color="gray", linestyle="--", label="by counts")
axes.set(xlabel="step", ylabel="loss")
axes.legend(frameon=False)
axes.grid(alpha=0.3)
plt.show()

# %%
# What it writes
# --------------
#
# To write, let the model say how likely each character is, draw one, append it, and begin again.


def write(beginning: str, length: int) -> str:
    characters = torch.tensor([[number[c] for c in beginning]])
    with torch.no_grad():
        for _ in range(length):
            scores = model(characters[:, -block:])[:, -1]
            following = torch.multinomial((scores / 0.7).softmax(-1), 1)
            characters = torch.cat([characters, following], dim=1)
    return "".join(alphabet[i] for i in characters[0].tolist())


print(write("The ", 200))

# %%
# It is nonsense, but it has words, spaces, quotes and brackets at about the right places, after a few seconds. Larger
# models differ in size, not in kind.
#
# Where it looks
# --------------
#
# The weights of attention can be looked at. Each row is a place, and shows which earlier places it reads; above the
# diagonal there is nothing, since nobody looks ahead.

sample = "for x in range(10): print(x)"
with torch.no_grad():
    x = model.character(torch.tensor([[number[c] for c in sample]]))
    x = x + model.place(torch.arange(len(sample)))
    weights, _ = model.blocks[0].attention.weights(model.blocks[0].norm1(x))

figure, rows = plt.subplots(1, heads, figsize=(7.2, 2.1), layout="constrained")
for axes, head in zip(rows, weights[0]):
    axes.imshow(head.numpy(), cmap="Blues")
    axes.set(xticks=[], yticks=[])
plt.show()

# %%
# What goes wrong
# ---------------
#
# The mistake that everyone makes once is to forget the mask. The loss then falls much faster and much lower, which
# looks like success: each place simply reads its answer from the next one. The model cannot write anything, though.

torch.manual_seed(1)
cheat = GPT()
for each in cheat.blocks:
    each.attention.later.zero_()
model, honest = cheat, model
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
for step in range(150):
    optimizer.zero_grad()
    loss = loss_on(data[:cut])
    loss.backward()
    optimizer.step()
print(f"without a mask, after 150 steps: {loss.item():.2f}; with it: {losses[149]:.2f}")
print(write("The ", 60))

# %%
# A gradient would have given it away, as it did above: place 2 must not depend on place 3.
#
# Summary
# -------
#
# - Attention takes, for each place, a mean of values, weighted by how well keys answer a query.
# - The mask makes it causal; without the mask the loss falls, and the model learns nothing that it could use.
# - A gradient tells what depends on what: it is a test for masks.
#
# .. admonition:: Now in PyTorch
#
#    Cells with a badge print the same in PyTorch 2.13 with the imports changed, losses included: the random streams are
#    the same. The profiler's table has the same columns; its numbers are another
#    machine's. The operation in which a ``nan`` was born is named by anomaly mode in both; the advice below it is
#    minigrad's.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Leave out ``self.place``. How much worse is the loss? What can attention not know without it?
# 2. Let the matrix of ``scores`` be that of ``character`` (they have the same shape). How many parameters does that
#    save, and what does it do to the loss?
# 3. Replace attention by ``nn.LSTM(width, width, batch_first=True)``. Which is better for equal numbers of
#    parameters?
