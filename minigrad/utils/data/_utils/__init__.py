"""The files of ``torch.utils.data`` that programs name, although PyTorch calls them private."""

from minigrad.utils.data import collating as collate, workers as worker

__all__ = ["collate", "worker"]
