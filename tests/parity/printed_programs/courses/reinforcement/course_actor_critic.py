"""An actor and a critic with clipped ratios (PPO, Schulman et al. 2017) learn to balance a one-dimensional point."""
import torch
from torch import nn
from torch.distributions import Normal


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
        self.critic = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
        self.log_std = nn.Parameter(torch.full((1,), -0.5))
        self.apply(self.initialize)

    @staticmethod
    def initialize(layer):
        if isinstance(layer, nn.Linear):
            nn.init.orthogonal_(layer.weight, 2 ** 0.5)
            nn.init.zeros_(layer.bias)

    def forward(self, state):
        return Normal(self.actor(state), self.log_std.exp()), self.critic(state).squeeze(-1)


@torch.no_grad()
def rollout(model, points=8, steps=6):
    state, rows = torch.randn(points, 2), []
    for _ in range(steps):
        law, value = model(state)
        action = law.sample()
        after = torch.stack([state[:, 0] + 0.3 * state[:, 1], state[:, 1] + 0.3 * action.clamp(-2, 2)[:, 0]], 1)
        rows.append((state, action, law.log_prob(action).sum(-1), value, -after.square().sum(1)))
        state = after
    return [torch.stack(column) for column in zip(*rows)] + [model(state)[1]]


def advantages(rewards, values, last, gamma=0.95, decay=0.9):
    found, running = torch.zeros_like(rewards), torch.zeros_like(last)
    for t in reversed(range(len(rewards))):
        after = last if t == len(rewards) - 1 else values[t + 1]
        running = rewards[t] + gamma * after - values[t] + gamma * decay * running
        found[t] = running
    return found


torch.manual_seed(43)
model = ActorCritic()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3, eps=1e-5)
scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=8)
for update in range(8):
    states, actions, old, values, rewards, last = rollout(model)
    gain = advantages(rewards, values, last)
    goal = (gain + values).flatten()
    gain = ((gain - gain.mean()) / (gain.std() + 1e-8)).flatten()
    states, actions, old = states.flatten(0, 1), actions.flatten(0, 1), old.flatten()
    for rows in torch.randperm(len(states)).split(16):
        law, value = model(states[rows])
        ratio = (law.log_prob(actions[rows]).sum(-1) - old[rows]).exp()
        clipped = torch.min(ratio * gain[rows], ratio.clamp(0.8, 1.2) * gain[rows]).mean()
        loss = -clipped + 0.5 * (value - goal[rows]).pow(2).mean() - 0.01 * law.entropy().mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        size = nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
    scheduler.step()
    print(update, f"{loss.item():.4f} {size.item():.4f} {rewards.mean().item():.4f} {scheduler.get_last_lr()[0]:.6f}")
