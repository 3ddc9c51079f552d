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
