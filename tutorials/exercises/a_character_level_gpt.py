"""Exercises of "A character-level GPT"."""

# %% Exercise: One head of attention
# ``attend(q, k, v)`` takes queries, keys and values of shape (places, width) and returns the causal attention: each
# place may look at itself and at what comes before it.

# %% Starter
import minigrad as torch


def attend(q, k, v):
    return torch.softmax(q @ k.T, dim=1) @ v


# %% Check
torch.manual_seed(0)
q, k, v = (torch.randn(5, 4, dtype=torch.float64) for _ in range(3))
found = attend(q, k, v)
assert found.shape == (5, 4), "The result has a row for each place."
v.requires_grad_()
later, = torch.autograd.grad(attend(q, k, v)[1].sum(), v)
assert not later[2:].any(), "Place 1 depends on what comes after it."
wanted = torch.nn.functional.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=True)[0]
assert not torch.allclose(found, torch.softmax((q @ k.T).tril(), 1) @ v), "Zeros are scores too: use minus infinity."
assert torch.allclose(found, wanted), "The weights are wrong: are the scores divided by the root of the width?"

# %% Hint
# ``scores.masked_fill(mask, float("-inf"))``, where the mask is True above the diagonal.


# %% Exercise: Batches of text
# ``batch(data, size, length, generator)`` draws ``size`` pieces of ``length`` characters at random places of
# ``data``, a tensor of numbers, and returns the pieces and, for each place, the character that follows it.

# %% Starter
import minigrad as torch


def batch(data, size, length, generator=None):
    return ..., ...


# %% Check
data = torch.arange(30)
generator = torch.Generator().manual_seed(0)
starts, apart = set(), 0
for _ in range(200):
    x, y = batch(data, 4, 8, generator)
    assert x.shape == (4, 8) and y.shape == (4, 8), "Both have a row for each piece."
    assert torch.equal(y, x + 1), "In these data, the character that follows is larger by one."
    apart += len({*x[:, 0].tolist()}) > 1
    starts.update(x[:, 0].tolist())
assert apart > 100, "Each piece of a batch starts at a place of its own."
assert max(starts) == 21, "The last piece that has a successor for each place starts at 21; it must be drawn too."
assert min(starts) == 0, "The first piece starts at 0."

# %% Hint
# ``torch.randint(high, (size,), generator=generator)`` draws below ``high``.


# %% Exercise: Temperature
# ``distribution(scores, temperature, top)`` returns the probabilities with which the next character is drawn: the
# softmax of the scores divided by the temperature, of the ``top`` best scores only; all others have the probability
# 0.

# %% Starter
import minigrad as torch


def distribution(scores, temperature, top):
    return torch.softmax(scores, 0)


# %% Check
scores = torch.tensor([1.0, 3.0, 2.0, -1.0, 0.0])
p = distribution(scores, 1.0, 5)
assert torch.allclose(p, torch.softmax(scores, 0)), "At temperature 1, with all characters, it is the softmax."
assert (distribution(scores, 0.1, 5)[1] > 0.99), "In the cold the best one takes it all."
hot = distribution(scores, 100.0, 5)
assert hot.max() - hot.min() < 0.05, "In the heat all are nearly equal."
p = distribution(scores, 1.0, 2)
assert torch.allclose(p.sum(), torch.tensor(1.0)), "The probabilities of those that are left sum to 1."
assert p[[0, 3, 4]].tolist() == [0, 0, 0], "Only the two best may be drawn."
assert scores.tolist() == [1, 3, 2, -1, 0], "The scores must stay as they were."

# %% Hint
# ``torch.topk(scores, top).values[-1]`` is the worst score that may still be drawn.


# %% Project: 1
# 10 points: 3 for the two runs, 4 for the comparison at both lengths, 3 for an explanation.
#
# After 500 steps the loss is *not* worse: 3.32 bits held out, against 3.36 with places. After 2000 steps it is, 3.09
# against 2.58. In the short run a model learns how often characters and pairs occur; for that it need not know where
# they are, and 2048 more parameters that begin as noise only get in the way. Words need an order. A model of one block
# without places cannot have one: exchange two earlier characters, and its last score does not change. With two blocks
# it changes a little, because the mask lets the first block tell places apart by how much they see.
#
# The usual mistakes: to draw a conclusion from the 500 steps, and to compare runs that differ in their seed as well.


# %% Project: 2
# 10 points: 4 for the kept keys and values, 3 for scores that agree with those of the page, 3 for the measurement.
#
# For the first 64 characters the matrix products take a thirty-second of the arithmetic, and ``write`` is five to eight
# times as fast, on one core: for a single place most of the time goes into calls. No mask is needed, because nothing is
# kept that comes later. After 64 characters the trick ends. ``write`` then cuts off the first character, and all others
# move up by one place, so that their vectors, keys and values change; begin anew with the second half of the text, or
# let the model encode places in another way.
#
# The usual mistakes: to go on with old keys after the 64th character, and to join the new key along the wrong dim.


# %% Project: 3
# 10 points: 3 for the training, 4 for both losses over the steps, 3 for what slows the forgetting.
#
# Measure the held-out loss of *both* texts every few steps. The model forgets at once. With Alice read backwards for
# the new text, batches of four pieces, and a rate of 0.0005, the loss on Alice rises from 2.2 bits to 3.1 within 20
# steps, and after some 200 it is as if the model knew only how often each character occurs (4.5). The loss on the new
# text, meanwhile, falls from 7.4 bits to 4.1 and on to about 2.6. The cure is to keep reading Alice: with one of the
# four pieces of each batch from the old text, its loss is 2.75 after 20 steps, and later it falls again; the new text
# gets almost as far. Characters that the book does not have must be left out, since the model has no number for them.
#
# The usual mistake: to watch the loss on the new text alone, or only what the model writes.
