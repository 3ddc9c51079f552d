"""Deep Q-learning on a short corridor: replay, a target network, epsilon-greedy choices."""
import copy
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(31)
random.seed(31)
policy = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 2))
target = copy.deepcopy(policy)
optimizer = torch.optim.AdamW(policy.parameters(), lr=1e-2, amsgrad=True)
memory = deque([], maxlen=100)
state = 2
for step in range(60):
    s = F.one_hot(torch.tensor(state), 5).float()
    action = policy(s).max(0).indices.item() if random.random() > 0.3 else random.randrange(2)
    after = min(max(state + 2 * action - 1, 0), 4)
    memory.append((s, action, float(after == 4), F.one_hot(torch.tensor(after), 5).float(), after in (0, 4)))
    state = 2 if after in (0, 4) else after
    if len(memory) < 16:
        continue
    batch = random.sample(memory, 8)
    S, A, R, S2, done = zip(*batch)
    q = policy(torch.stack(S)).gather(1, torch.tensor(A).unsqueeze(1)).squeeze(1)
    with torch.no_grad():
        best = target(torch.stack(S2)).max(1).values * (~torch.tensor(done)).float()
    loss = F.smooth_l1_loss(q, torch.tensor(R) + 0.9 * best)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_value_(policy.parameters(), 100)
    optimizer.step()
    for key, value in policy.state_dict().items():
        target.state_dict()[key].mul_(0.9).add_(value, alpha=0.1)
    if step % 15 == 14:
        print(step, f"{loss.item():.5f}", state)
print(policy(torch.eye(5)).argmax(1).tolist())
