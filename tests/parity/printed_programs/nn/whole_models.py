"""The models of the benchmark, each trained for twenty steps."""
# to 1e-3
import torch

from tests.benchmarks.models import MODELS, training

for name in MODELS:
    print(name, *[f"{loss:.4f}" for loss in training(torch, name).losses])
