"""One process builds the whole site, and programs of many pages run in it: each is to start as in a fresh
interpreter."""

import minigrad


def start_afresh():
    """Same seed, same modes, same default dtype as when minigrad has just been imported."""
    minigrad.manual_seed(0)
    minigrad.set_default_dtype(minigrad.float32)
    minigrad.autograd.set_grad_enabled(True)
