"""
A character-level GPT
=====================

A language model reads the beginning of a text and predicts how likely each character is to come next. The models that
everybody talks about do this with *attention*. We build one from modules, with tens of thousands of parameters instead
of billions, and train it for a short while on a text that comes with every Python: its own reference.

You need modules and optimizers: :doc:`/tutorials/first_gradients/a_network_from_modules`.
"""

# %%
# The problem
# -----------
#
# The text is what ``help("class")`` and similar commands print. We take six of its pages, and number the characters.

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
# The loss is the mean of :math:`-\log p`, where :math:`p` is the predicted probability of the character that does
# come next. If we predict all characters to be equally likely, the loss is the logarithm of their number. If we know
# only how often each one occurs, it is the entropy of that distribution. A model that reads the context has to beat
# both.

counts = torch.bincount(data).float()
p = counts / counts.sum()
uniform, by_counts = math.log(len(alphabet)), -(p * p.log()).sum().item()
print(f"uniform {uniform:.2f}, by counts {by_counts:.2f}")

# %%
# The idea
# --------
#
# Each position in the text becomes a vector, which encodes the character and its place. In *attention*, three vectors
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
# Is it causal? Changing a place must not change the result at any place before it. We need not take the mask on
# trust: a gradient tells us what depends on what.

attention = Attention()
x = torch.randn(1, 5, width, requires_grad=True)
(x_bar,) = torch.autograd.grad(attention(x)[0, 2].sum(), x)
print("what place 2 depends on:", (x_bar.abs().sum(-1) > 0).tolist())
assert (x_bar.abs().sum(-1)[0] > 0).tolist() == [True, True, True, False, False]

# %%
# The library has attention as a single function, which must agree with ours:

parts = attention.qkv(x).view(1, 5, 3, heads, width // heads)
q, k, v = parts.permute(2, 0, 3, 1, 4)
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
# A batch consists of pieces cut out of the text at random. Each place in a piece is an example of its own, so with 16
# pieces of 32 characters a step learns from 512 predictions at once. The last tenth of the text is held out.

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
# To write a text, ask the model how likely each character is, draw one at random, append it, and repeat. Dividing the
# scores by 0.7 makes likely characters a little likelier.


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
# It is nonsense. But after this little training its words have the length of words, and many are real ones.
# The large models are built on the same idea.
#
# What each place reads
# ---------------------
#
# We can draw the weights of attention, one image for each head. Each row is a place, and shows which places it reads:
# itself and earlier ones. Above the diagonal all weights are 0, because no place sees what comes later.

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
# **Forgetting the mask.** Everyone does it once. The loss falls faster, which looks like success. But each place can
# read its answer from the next one, and when the model has to write, there is no next one.

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
# The gradient gives it away: without the mask, place 2 depends on every place, including those after it.

x = torch.randn(1, 5, width, requires_grad=True)
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
#    - Anomaly mode names the same operation; the advice that follows it in the error is minigrad's.
#    - In a profile, names of operations begin with ``aten::``, and there are more events, for views, copies and memory.
#      In a block with ``enabled=False``, ``prof`` is ``None``. Each thread numbers its nodes from 0; in minigrad all
#      threads share one count.
#    - ``emit_nvtx`` and ``torch.cuda.profiler.profile`` need a build with CUDA there, and raise an error without it;
#      minigrad warns and goes on.
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
