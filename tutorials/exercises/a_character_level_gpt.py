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
starts = set()
for _ in range(200):
    x, y = batch(data, 4, 8, generator)
    assert x.shape == (4, 8) and y.shape == (4, 8), "Both have a row for each piece."
    assert torch.equal(y, x + 1), "In these data, the character that follows is larger by one."
    starts.update(x[:, 0].tolist())
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
