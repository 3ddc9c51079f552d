"""`load_digits`, from the file of scikit-learn, which `make live` puts beside this one."""

import gzip
from pathlib import Path
from types import SimpleNamespace

import numpy as np

FILE = Path(__file__).parent / "digits.csv.gz"


def load_digits():
    """1797 digits: ``images`` (1797, 8, 8), ``data`` (1797, 64) and ``target`` (1797)."""
    with gzip.open(FILE, "rt") as file:
        table = np.loadtxt(file, delimiter=",")
    pixels, digits = table[:, :-1], table[:, -1].astype(np.int64)
    return SimpleNamespace(data=pixels, images=pixels.reshape(-1, 8, 8), target=digits)
