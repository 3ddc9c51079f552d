"""The versions that PyTorch tells of itself and of the libraries it was built with: there are none of these here.

>>> torch.version.cuda is None
True
"""

__all__ = ["__version__", "cuda", "debug", "git_version", "hip", "xpu"]

__version__ = "0.1.0"
cuda = hip = xpu = git_version = None
debug = False
