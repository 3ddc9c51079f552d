"""``torch.hub``: models from a folder that has a module ``hubconf``, and weights from files that are there.

Nothing is downloaded here.  Such a folder is loaded with ``source="local"``; and ``load_state_dict_from_url`` reads the
file of that name from the folder ``checkpoints`` in :func:`get_dir`, where a browser, or PyTorch, has put it.
"""

import importlib.util
import os
import re
import sys
from urllib.parse import urlparse

from minigrad._core.errors import error
from minigrad.serialization import load as _load_file

__all__ = ["download_url_to_file", "get_dir", "help", "list", "load", "load_state_dict_from_url", "set_dir"]

#: how the name of a file says the beginning of its checksum
HASH_REGEX = re.compile(r"-([a-f0-9]*)\.")
_MODULE = "hubconf"
_folder = None


class tqdm:
    """A bar of progress that shows nothing, as PyTorch's where the package tqdm is not installed."""

    def __init__(self, iterable=(), *args, **kwargs):
        self.iterable, self.n = iterable, 0

    def __iter__(self):
        return iter(self.iterable)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return None

    def update(self, n=1):
        """Count."""
        self.n += n

    def close(self):
        """Nothing is shown."""


def _get_torch_home():
    """Where PyTorch keeps what it downloads."""
    cache = os.environ.get("XDG_CACHE_HOME", os.path.join("~", ".cache"))
    return os.path.expanduser(os.environ.get("TORCH_HOME", os.path.join(cache, "torch")))


def get_dir():
    """The folder of files: that of ``set_dir``, or ``hub`` in ``$TORCH_HOME``, which is ``~/.cache/torch``."""
    return os.path.join(_get_torch_home(), "hub") if _folder is None else _folder


def set_dir(d):
    """Look for files in another folder."""
    global _folder
    _folder = os.path.expanduser(d)


def _refusal(what):
    return error("MG204", f"{what} is not here, and nothing is downloaded. Get it by other means, and name its folder: "
                          'torch.hub.load(folder, model, source="local")')


def _module(repo_or_dir, source):
    """The module ``hubconf`` of a folder."""
    if source != "local":
        raise _refusal(f"torch.hub: the repository {repo_or_dir!r}")
    path = os.path.join(repo_or_dir, f"{_MODULE}.py")
    if not os.path.isfile(path):
        raise error("MG204", f"torch.hub: there is no {_MODULE}.py in {repo_or_dir!r}")
    spec = importlib.util.spec_from_file_location("hubconf", path)
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(repo_or_dir))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(repo_or_dir))
    return module


def _entry(module, name):
    if not isinstance(name, str):
        raise error("MG207", "Invalid input: model should be a string of function name")
    lacks = [each for each in getattr(module, "dependencies", ()) if importlib.util.find_spec(each) is None]
    if lacks:
        raise error("MG204", f"Missing dependencies: {', '.join(lacks)}")
    function = getattr(module, name, None)
    if not callable(function):
        raise error("MG204", f"Cannot find callable {name} in hubconf")
    return function


def list(github, force_reload=False, skip_validation=False, trust_repo=None, verbose=True, *, source="github"):
    """The names of the models that a folder offers, with ``source="local"``."""
    module = _module(github, source)
    return [name for name, value in vars(module).items() if callable(value) and not name.startswith("_")]


def help(github, model, force_reload=False, skip_validation=False, trust_repo=None, *, source="github"):
    """What a folder says of a model, with ``source="local"``."""
    return _entry(_module(github, source), model).__doc__


def load(repo_or_dir, model, *args, source="github", trust_repo=None, force_reload=False, verbose=True,
         skip_validation=False, **kwargs):
    """What the function ``model`` of the folder's module ``hubconf`` returns for the other arguments.

    Raises: RuntimeError (MG204) without ``source="local"``, or if the folder has no such function.

    >>> torch.hub.load("pytorch/vision", "resnet18")                              # doctest: +ELLIPSIS
    Traceback (most recent call last):
    minigrad._core.errors.AutogradRuntimeError: torch.hub: the repository 'pytorch/vision' is not here, and ...
    """
    return _entry(_module(repo_or_dir, source), model)(*args, **kwargs)


def load_state_dict_from_url(url, model_dir=None, map_location=None, progress=True, check_hash=False, file_name=None,
                             weights_only=False):
    """The state dict in the file of this name in ``model_dir``, which is the folder ``checkpoints`` of
    :func:`get_dir`.

    Raises: RuntimeError (MG204) if it is not there.
    """
    path = os.path.join(model_dir or os.path.join(get_dir(), "checkpoints"),
                        file_name or os.path.basename(urlparse(url).path))
    if not os.path.exists(path):
        raise error("MG204", f"{url} is not here, and nothing is downloaded. Save it as {path}, and it is read "
                             "from there")
    return _load_file(path, map_location=map_location, weights_only=weights_only)


def download_url_to_file(url, dst, hash_prefix=None, progress=True):
    """An error (MG204): nothing is downloaded here."""
    raise error("MG204", f"{url} is not here, and nothing is downloaded. Save it as {dst} by other means")
