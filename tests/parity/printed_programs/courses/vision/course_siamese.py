"""Embeddings from triplets, contrastive pairs and cosine similarity."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(27)
net = nn.Sequential(nn.Linear(6, 12), nn.PReLU(), nn.Linear(12, 3))
a, p, n = torch.randn(10, 6), torch.randn(10, 6), torch.randn(10, 6)
p = a + 0.1 * p
temperature = nn.Parameter(torch.tensor(0.0))
opt = torch.optim.NAdam([{"params": net.parameters()}, {"params": [temperature], "lr": 1e-1}], lr=1e-2)
losses = {"triplet": nn.TripletMarginLoss(margin=1.0), "cosine": nn.CosineEmbeddingLoss(margin=0.2)}
for step in range(6):
    fa, fp, fn = net(a), net(p), net(n)
    loss = losses["triplet"](fa, fp, fn) + losses["cosine"](fa, fn, -torch.ones(10))
    logits = F.normalize(fa, dim=1) @ F.normalize(fp, dim=1).T * temperature.exp()
    loss = loss + F.cross_entropy(logits, torch.arange(10)) + F.pairwise_distance(fa, fp).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f} {temperature.item():.4f}")
