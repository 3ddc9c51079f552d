"""One source of random choices."""

import random

import numpy as np


class Dice(random.Random):
    """Random choices, as the specifications of layers make them."""

    def yes(self):
        return self.random() < 0.5

    def some(self, **options):
        """Each of the options or not; a list is a choice among its items."""
        return {name: self.choice(value) if isinstance(value, list) else value
                for name, value in options.items() if self.yes()}

    def all(self, **options):
        return {name: self.choice(value) if isinstance(value, list) else value for name, value in options.items()}

    def sizes(self, n, low, high):
        return tuple([self.randint(low, high) for _ in range(n)])

    def one_or_each(self, n, low, high):
        """A number for all dims, or one for each of them."""
        return self.sizes(n, low, high) if self.yes() else self.randint(low, high)


class Array:
    """A random array: of what kind, of which shape, and below which number if it is one of integers."""

    def __init__(self, kind, shape, high=None):
        self.kind, self.shape, self.high = kind, tuple(shape), high

    def __repr__(self):
        return f"{self.kind}{list(self.shape)}"

    def drawn(self, rng):
        return getattr(self, self.kind)(rng)

    def may_move(self):
        """Is it asked for the gradient with respect to these numbers?"""
        return self.kind in ("normal", "share", "shares", "logarithms")

    def normal(self, rng):
        return rng.standard_normal(self.shape)

    def share(self, rng):
        """From 0.05 to 0.95."""
        return 0.05 + 0.9 * rng.random(self.shape)

    def shares(self, rng):
        """Numbers whose sum is one, along the second dim."""
        x = rng.random(self.shape)
        return x / x.sum(1, keepdims=True)

    def logarithms(self, rng):
        x = rng.standard_normal(self.shape)
        return x - np.log(np.exp(x).sum(-1, keepdims=True))

    def sign(self, rng):
        return rng.choice([-1.0, 1.0], self.shape)

    def bit(self, rng):
        return rng.integers(0, 2, self.shape).astype(float)

    def number(self, rng):
        return rng.integers(0, self.high, self.shape)

    def label(self, rng):
        """From 1 on."""
        return rng.integers(1, self.high, self.shape)

    def labels(self, rng):
        """In each row some of the classes, and then -1."""
        found = np.full(self.shape, -1)
        for row in found:
            n = rng.integers(0, self.high + 1)
            row[:n] = rng.permutation(self.high)[:n]
        return found


def normal(*shape):
    return Array("normal", shape)
