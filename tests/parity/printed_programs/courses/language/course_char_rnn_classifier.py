"""Names classified by an RNN written as a module of its own, one letter at a time."""
import torch
import torch.nn as nn

letters = "abcdefghijklmnopqrstuvwxyz"
names = {"it": ["rossi", "bianchi", "ricci"], "pl": ["nowak", "kowalski", "wozniak"], "jp": ["sato", "suzuki", "ito"]}
kinds = list(names)


def to_tensor(line):
    tensor = torch.zeros(len(line), 1, 26)
    for i, letter in enumerate(line):
        tensor[i][0][letters.find(letter)] = 1
    return tensor


class RNN(nn.Module):
    def __init__(self, input_size, hidden_size, output_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.i2h = nn.Linear(input_size, hidden_size)
        self.h2h = nn.Linear(hidden_size, hidden_size)
        self.h2o = nn.Linear(hidden_size, output_size)
        self.softmax = nn.LogSoftmax(dim=1)

    def forward(self, input, hidden):
        hidden = torch.tanh(self.i2h(input) + self.h2h(hidden))
        return self.softmax(self.h2o(hidden)), hidden


torch.manual_seed(20)
rnn = RNN(26, 16, 3)
criterion = nn.NLLLoss()
for step in range(30):
    kind = step % 3
    line = names[kinds[kind]][step // 3 % 3]
    hidden = torch.zeros(1, 16)
    rnn.zero_grad()
    for letter in to_tensor(line):
        output, hidden = rnn(letter, hidden)
    loss = criterion(output, torch.tensor([kind]))
    loss.backward()
    for p in rnn.parameters():
        p.data.add_(p.grad.data, alpha=-0.05)
    if step % 10 == 9:
        print(line, kinds[output.topk(1)[1][0].item()], f"{loss.item():.4f}")
