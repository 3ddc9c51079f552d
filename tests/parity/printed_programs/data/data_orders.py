"""The orders in which samples come, for one seed."""

import torch
from torch.utils.data import DataLoader, RandomSampler, SubsetRandomSampler, TensorDataset, random_split

data = TensorDataset(torch.arange(20.).reshape(10, 2), torch.arange(10))
torch.manual_seed(0)
for options in ({}, {"num_workers": 1}, {"num_workers": 1, "persistent_workers": True}, {"drop_last": True}):
    loader = DataLoader(data, batch_size=3, shuffle=True, **options)
    for epoch in range(2):
        print([y.tolist() for x, y in loader], torch.rand(1).item())
own = torch.Generator().manual_seed(3)
print([y.tolist() for x, y in DataLoader(data, batch_size=4, shuffle=True, generator=own)])
print([part.indices for part in random_split(range(10), [0.3, 0.7], generator=own)])
print([*RandomSampler(range(5), num_samples=12)], [*RandomSampler(range(5), replacement=True, num_samples=40)])
print([*SubsetRandomSampler([7, 8, 9], generator=own)], torch.rand(1).item())
