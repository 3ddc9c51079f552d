"""``torch.utils.tensorboard``: numbers, pictures and texts of a training, in files that TensorBoard shows.

The package ``tensorboard`` is needed (``pip install tensorboard``), whose own writer writes the files; without it the
import fails, as it does with PyTorch::

    from torch.utils.tensorboard import SummaryWriter
    with SummaryWriter("runs/first") as writer:
        for step in range(100):
            writer.add_scalar("loss", 1 / (step + 1), step)

``tensorboard --logdir runs`` then shows the curve.  ``summary`` makes the records, ``writer`` has the class.
"""

try:
    from tensorboard.summary.writer.record_writer import RecordWriter
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError("torch.utils.tensorboard writes with the package tensorboard, and "
                              f"{missing.name} is not installed: pip install tensorboard, or keep the numbers in a "
                              "list, and plot them",
                              name=missing.name) from None

from minigrad.utils.tensorboard.writer import FileWriter, SummaryWriter

__all__ = ["FileWriter", "RecordWriter", "SummaryWriter"]
