"""What the processor can do."""

__all__ = ["get_cpu_capability"]


def get_cpu_capability():
    """"DEFAULT": the kernels are compiled for any processor of its family, and NumPy chooses its own when it runs.

    >>> torch.backends.cpu.get_cpu_capability()
    'DEFAULT'
    """
    return "DEFAULT"
