"""One process builds the whole site, and runs the programs of many pages: each must start as in a fresh
interpreter."""

import minigrad


def start_afresh():
    """Restore the seed, the modes and the default dtype that minigrad has after its import."""
    minigrad.manual_seed(0)
    minigrad.set_default_dtype(minigrad.float32)
    minigrad.autograd.set_grad_enabled(True)
