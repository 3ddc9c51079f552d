"""REINFORCE and an actor-critic on a walk of seven places."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(7, 16)
        self.action_head = nn.Linear(16, 2)
        self.value_head = nn.Linear(16, 1)

    def forward(self, x):
        x = F.relu(self.affine1(x))
        return F.softmax(self.action_head(x), dim=-1), self.value_head(x)


torch.manual_seed(12)
model = Policy()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-2)
for episode in range(8):
    place, saved, rewards = 3, [], []
    for t in range(20):
        probs, value = model(F.one_hot(torch.tensor(place), 7).float())
        m = Categorical(probs)
        action = m.sample()
        saved.append((m.log_prob(action), value))
        place = min(max(place + (1 if action.item() else -1), 0), 6)
        rewards.append(1.0 if place == 6 else -0.1)
        if place in (0, 6):
            break
    R, returns = 0, []
    for r in rewards[::-1]:
        R = r + 0.9 * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std(unbiased=False) + 1e-6)
    losses = [-log_prob * (R - value.item()) + F.smooth_l1_loss(value, R.reshape(1))
              for (log_prob, value), R in zip(saved, returns)]
    optimizer.zero_grad()
    loss = torch.stack([each.sum() for each in losses]).sum()
    loss.backward()
    optimizer.step()
    print(episode, len(rewards), place, f"{loss.item():.4f}")
