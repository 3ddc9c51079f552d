"""stable-baselines3: PPO, A2C and DQN on a pole, SAC on a pendulum, for a few steps each."""

import warnings

import numpy as np
import torch
from stable_baselines3 import A2C, DQN, PPO, SAC

warnings.simplefilter("ignore")
torch.set_num_threads(1)
small = {"net_arch": [8, 8]}
for kind, place, options, steps in ((PPO, "CartPole-v1", {"n_steps": 32, "batch_size": 16, "n_epochs": 2}, 96),
                                    (A2C, "CartPole-v1", {}, 60),
                                    (DQN, "CartPole-v1", {"learning_starts": 20, "batch_size": 16}, 60),
                                    (SAC, "Pendulum-v1", {"learning_starts": 10, "batch_size": 8}, 30)):
    agent = kind("MlpPolicy", place, policy_kwargs=small, seed=0, device="cpu", **options)
    agent.learn(steps)
    seen = agent.policy.obs_to_tensor(np.linspace(-1, 1, agent.observation_space.shape[0], dtype=np.float32))[0]
    acted = agent.predict(seen.numpy()[0], deterministic=True)[0]
    weights = sum(float(each.detach().abs().sum()) for each in agent.policy.parameters())
    print(kind.__name__, f"{weights:.4f}", np.round(acted, 4).tolist())
