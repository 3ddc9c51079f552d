"""Skip-grams with negative samples, and n-grams."""
import torch
import torch.nn as nn
import torch.nn.functional as F

text = "we learn what a word means by the words that a word is seen beside".split()
vocabulary = sorted(set(text))
number = {w: i for i, w in enumerate(vocabulary)}
torch.manual_seed(26)
inner, outer = nn.Embedding(len(vocabulary), 5), nn.Embedding(len(vocabulary), 5)
nn.init.zeros_(outer.weight)
pairs = torch.tensor([[number[text[i]], number[text[j]]] for i in range(len(text))
                      for j in range(max(0, i - 2), min(len(text), i + 3)) if i != j])
noise = torch.ones(len(vocabulary)).pow(0.75)
opt = torch.optim.SGD([*inner.parameters(), *outer.parameters()], lr=1.0)
for epoch in range(5):
    for chunk in pairs[torch.randperm(len(pairs))].split(10):
        negative = torch.multinomial(noise, len(chunk) * 3, replacement=True).view(len(chunk), 3)
        v = inner(chunk[:, 0])
        loss = -(F.logsigmoid((v * outer(chunk[:, 1])).sum(1)).mean()
                 + F.logsigmoid(-(outer(negative) @ v.unsqueeze(2)).squeeze(2)).sum(1).mean())
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(f"{loss.item():.4f}")
with torch.no_grad():
    near = F.cosine_similarity(inner.weight[number["word"]].unsqueeze(0), inner.weight).topk(3)
print(near.values)


class NGram(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.embeddings = nn.Embedding(size, 10)
        self.linear1, self.linear2 = nn.Linear(20, 32), nn.Linear(32, size)

    def forward(self, inputs):
        return F.log_softmax(self.linear2(F.relu(self.linear1(self.embeddings(inputs).view((1, -1))))), dim=1)


model = NGram(len(vocabulary))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(2):
    total = 0
    for a, b, c in zip(text, text[1:], text[2:]):
        model.zero_grad()
        loss = nn.NLLLoss()(model(torch.tensor([number[a], number[b]], dtype=torch.long)), torch.tensor([number[c]]))
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"{total:.4f}")
