"""Sequences turned round by an encoder and a decoder with attention and teacher forcing."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Attention(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.Wa, self.Ua, self.Va = nn.Linear(size, size), nn.Linear(size, size), nn.Linear(size, 1)

    def forward(self, query, keys):
        scores = self.Va(torch.tanh(self.Wa(query) + self.Ua(keys))).squeeze(2).unsqueeze(1)
        weights = F.softmax(scores, dim=-1)
        return torch.bmm(weights, keys), weights


class Model(nn.Module):
    def __init__(self, vocabulary, size):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, size, padding_idx=0)
        self.encoder = nn.GRU(size, size, batch_first=True)
        self.attention = Attention(size)
        self.decoder = nn.GRU(2 * size, size, batch_first=True)
        self.out = nn.Linear(size, vocabulary)

    def forward(self, x, target):
        keys, hidden = self.encoder(self.embedding(x))
        token, outputs = torch.ones(x.size(0), 1, dtype=torch.long), []
        for i in range(target.size(1)):
            context, weights = self.attention(hidden.permute(1, 0, 2), keys)
            output, hidden = self.decoder(torch.cat((self.embedding(token), context), dim=2), hidden)
            output = self.out(output)
            outputs.append(output)
            token = target[:, i].unsqueeze(1) if i % 2 else output.topk(1)[1].squeeze(-1).detach()
        return F.log_softmax(torch.cat(outputs, dim=1), dim=-1), weights


torch.manual_seed(21)
model = Model(9, 12)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
x = torch.randint(2, 9, (6, 5))
y = x.flip(1)
for step in range(10):
    optimizer.zero_grad()
    log_probs, weights = model(x, y)
    loss = nn.NLLLoss()(log_probs.view(-1, 9), y.reshape(-1))
    loss.backward()
    optimizer.step()
print(f"{loss.item():.4f}", weights.shape, weights[0].sum().item(), model.embedding.weight.grad[0].abs().sum().item())
