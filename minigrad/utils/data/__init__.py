"""Data in batches: datasets, samplers that order them, and the loader that puts both together.

    for x, y in DataLoader(dataset, batch_size=32, shuffle=True):
        ...

A dataset gives a sample for an index; a sampler gives indices; ``collate_fn`` makes a batch of samples.  Read loader.py
first: without worker processes it is these three lines.
"""

import sys as _sys

from minigrad._core.errors.absent import answering as _answering
from minigrad.utils.data import _utils, datasets as dataset, loader as dataloader, samplers as sampler
from minigrad.utils.data.collating import default_collate, default_convert
from minigrad.utils.data.datasets import (ChainDataset, ConcatDataset, Dataset, IterableDataset, StackDataset, Subset,
                                          TensorDataset, random_split)
from minigrad.utils.data.distributed import DistributedSampler
from minigrad.utils.data.loader import DataLoader
from minigrad.utils.data.samplers import (BatchSampler, RandomSampler, Sampler, SequentialSampler, SubsetRandomSampler,
                                          WeightedRandomSampler)
from minigrad.utils.data.workers import get_worker_info

__all__ = ["BatchSampler", "ChainDataset", "ConcatDataset", "DataLoader", "Dataset", "DistributedSampler",
           "IterableDataset", "RandomSampler", "Sampler", "SequentialSampler", "StackDataset", "Subset",
           "SubsetRandomSampler", "TensorDataset", "WeightedRandomSampler", "default_collate", "default_convert",
           "get_worker_info", "random_split"]

# PyTorch's names of the files
for _module, _name in ((dataset, "dataset"), (dataloader, "dataloader"), (sampler, "sampler")):
    _sys.modules[f"{__name__}.{_name}"] = _module

__getattr__ = _answering(__name__)
