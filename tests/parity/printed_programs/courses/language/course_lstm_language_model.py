"""A language model with an LSTM whose state is carried from chunk to chunk, and tied weights."""
import torch
import torch.nn as nn


class LanguageModel(nn.Module):
    def __init__(self, kind, ntoken, ninp, nlayers, dropout=0.2):
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = getattr(nn, kind)(ninp, ninp, nlayers, dropout=dropout)
        self.decoder = nn.Linear(ninp, ntoken)
        self.decoder.weight = self.encoder.weight
        nn.init.uniform_(self.encoder.weight, -0.1, 0.1)
        nn.init.zeros_(self.decoder.bias)

    def forward(self, input, hidden):
        output, hidden = self.rnn(self.drop(self.encoder(input)), hidden)
        return self.decoder(self.drop(output)).view(-1, self.decoder.out_features), hidden


def repackage(h):
    return h.detach() if isinstance(h, torch.Tensor) else tuple(repackage(v) for v in h)


for kind in ("LSTM", "GRU", "RNN"):
    torch.manual_seed(5)
    model = LanguageModel(kind, 12, 8, 2)
    data = (torch.arange(120) * 7 % 12).view(4, 30).t().contiguous()
    hidden = None
    criterion = nn.CrossEntropyLoss()
    for step in range(8):
        i = step * 3
        if hidden is not None:
            hidden = repackage(hidden)
        out, hidden = model(data[i:i + 3], hidden)
        loss = criterion(out, data[i + 1:i + 4].reshape(-1))
        model.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        with torch.no_grad():
            for p in model.parameters():
                p.add_(p.grad, alpha=-2.0)
    print(kind, f"{loss.item():.4f}", len(list(model.parameters())))
