"""Names, letter by letter: bigram counts, the same as a network, an MLP, one with batch norm, and a tree of layers."""
import torch
import torch.nn as nn
import torch.nn.functional as F

names = "emma olivia ava isabella sophia charlotte mia amelia harper evelyn abigail emily ella luna".split()
letters = ["."] + sorted(set("".join(names)))
number = {c: i for i, c in enumerate(letters)}
V = len(letters)

N = torch.zeros((V, V), dtype=torch.int32)
for name in names:
    text = ["."] + list(name) + ["."]
    for a, b in zip(text, text[1:]):
        N[number[a], number[b]] += 1
P = (N + 1).float()
P /= P.sum(1, keepdim=True)
g = torch.Generator().manual_seed(2147483647)
for _ in range(4):
    out, ix = [], 0
    while True:
        ix = torch.multinomial(P[ix], num_samples=1, replacement=True, generator=g).item()
        out.append(letters[ix])
        if ix == 0:
            break
    print("".join(out))

xs, ys = [], []
for name in names:
    text = ["."] + list(name) + ["."]
    for a, b in zip(text, text[1:]):
        xs.append(number[a])
        ys.append(number[b])
xs, ys = torch.tensor(xs), torch.tensor(ys)
W = torch.randn((V, V), generator=g, requires_grad=True)
for k in range(10):
    logits = F.one_hot(xs, num_classes=V).float() @ W
    probs = logits.exp() / logits.exp().sum(1, keepdims=True)
    loss = -probs[torch.arange(len(xs)), ys].log().mean() + 0.01 * (W ** 2).mean()
    W.grad = None
    loss.backward()
    W.data += -10 * W.grad
print(f"{loss.item():.4f}")

block = 3
X, Y = [], []
for name in names:
    context = [0] * block
    for c in name + ".":
        X.append(context)
        Y.append(number[c])
        context = context[1:] + [number[c]]
X, Y = torch.tensor(X), torch.tensor(Y)
g = torch.Generator().manual_seed(42)
C = torch.randn((V, 6), generator=g)
W1, b1 = torch.randn((18, 30), generator=g) * (5 / 3) / 18 ** 0.5, torch.randn(30, generator=g) * 0.1
W2, b2 = torch.randn((30, V), generator=g) * 0.01, torch.zeros(V)
gain, bias = torch.ones((1, 30)), torch.zeros((1, 30))
parameters = [C, W1, b1, W2, b2, gain, bias]
for p in parameters:
    p.requires_grad = True
for i in range(20):
    ix = torch.randint(0, X.shape[0], (16,), generator=g)
    h = C[X[ix]].view(16, -1) @ W1 + b1
    h = torch.tanh(gain * (h - h.mean(0, keepdim=True)) / h.std(0, keepdim=True) + bias)
    loss = F.cross_entropy(h @ W2 + b2, Y[ix])
    for p in parameters:
        p.grad = None
    loss.backward()
    for p in parameters:
        p.data += -0.1 * p.grad
    if i % 5 == 0:
        print(f"{i} {loss.item():.4f}")

torch.manual_seed(42)


class Pairs(nn.Module):
    def forward(self, x):
        B, T, C = x.shape
        return x.view(B, T // 2, C * 2).squeeze(1)


tree = nn.Sequential(nn.Embedding(V, 8), Pairs(), nn.Linear(16, 20, bias=False), nn.Tanh(), Pairs(),
                     nn.Linear(40, 20, bias=False), nn.BatchNorm1d(20), nn.Tanh(), nn.Linear(20, V))
X4 = torch.cat([torch.zeros(len(X), 1, dtype=torch.long), X], 1)
optimizer = torch.optim.AdamW(tree.parameters(), lr=1e-2)
for i in range(10):
    loss = F.cross_entropy(tree(X4), Y)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
print(f"{loss.item():.4f}", sum(p.nelement() for p in tree.parameters()))
