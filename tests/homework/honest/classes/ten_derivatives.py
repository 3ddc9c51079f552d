# minigrad homework: ten_derivatives
"""The derivatives of ten operations. Each operation is a small class that knows its inputs and its pullback."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np


@dataclass(frozen=True)
class Source:
    """An input that may have been broadcast."""

    array: np.ndarray

    @classmethod
    def of(cls, thing) -> "Source":
        return cls(np.asarray(thing))

    @property
    def conj(self):
        return self.array.conj()

    @property
    def shape(self):
        return self.array.shape

    def collect(self, g):
        """The sum of g over everything that this input was stretched along."""
        g = np.asarray(g)
        while g.ndim > self.array.ndim:
            g = g.sum(axis=0)
        for axis, length in enumerate(self.shape):
            if length == 1:
                g = g.sum(axis=axis, keepdims=True)
        if np.iscomplexobj(g) and not np.iscomplexobj(self.array):
            g = g.real
        return g


class Operation(ABC):
    """An operation; `pull` takes the gradient of its result back to its inputs."""

    @abstractmethod
    def pull(self, d): ...


@dataclass(frozen=True)
class Binary(Operation):
    x: Source
    y: Source

    @classmethod
    def on(cls, x, y):
        return cls(Source.of(x), Source.of(y))

    def pull(self, d):
        return self.x.collect(d * self.x_rate), self.y.collect(d * self.y_rate)


class Add(Binary):
    x_rate = y_rate = 1


class Mul(Binary):
    @property
    def x_rate(self):
        return self.y.conj

    @property
    def y_rate(self):
        return self.x.conj


class Div(Binary):
    @property
    def x_rate(self):
        return np.reciprocal(self.y.conj * 1.0)

    @property
    def y_rate(self):
        return -self.x.conj / np.square(self.y.conj)


class MatMul(Binary):
    def pull(self, d):
        return (
            self.x.collect(np.matmul(d, np.swapaxes(self.y.conj, -1, -2))),
            self.y.collect(np.matmul(np.swapaxes(self.x.conj, -1, -2), d)),
        )


@dataclass(frozen=True)
class Where(Binary):
    mask: Any = None

    def pull(self, d):
        mask = np.asarray(self.mask, dtype=bool)
        return self.x.collect(d * mask), self.y.collect(d * ~mask)


@dataclass
class Unary(Operation):
    x: np.ndarray

    def pull(self, d):
        return d * np.conj(self.rate)


class Exp(Unary):
    @property
    def rate(self):
        return np.exp(self.x)


class Tanh(Unary):
    @cached_property
    def value(self):
        return np.tanh(self.x)

    @property
    def rate(self):
        return (1 - self.value) * (1 + self.value)


@dataclass
class Along(Operation):
    """An operation along an axis."""

    x: np.ndarray
    axis: Any
    name: ClassVar[str] = "along"


class Sum(Along):
    def pull(self, d):
        kept = np.sum(self.x, axis=self.axis, keepdims=True).shape
        return np.ones(np.shape(self.x)) * np.reshape(d, kept)


class CumSum(Along):
    def pull(self, d):
        # everything, minus what came before
        total = np.sum(d, axis=self.axis, keepdims=True)
        return total - np.cumsum(d, axis=self.axis) + d


class LogSumExp(Along):
    @cached_property
    def softmax(self):
        shifted = self.x - np.amax(self.x, axis=self.axis, keepdims=True)
        weights = np.exp(shifted)
        return weights / weights.sum(axis=self.axis, keepdims=True)

    def pull(self, d):
        return np.expand_dims(np.asarray(d), self.axis) * self.softmax


def add_backward(d, x, y):
    return Add.on(x, y).pull(d)


def mul_backward(d, x, y):
    return Mul.on(x, y).pull(d)


def div_backward(d, x, y):
    return Div.on(x, y).pull(d)


def exp_backward(d, x):
    return Exp(x).pull(d)


def tanh_backward(d, x):
    return Tanh(x).pull(d)


def sum_backward(d, x, axis):
    return Sum(x, axis).pull(d)


def matmul_backward(d, x, y):
    return MatMul.on(x, y).pull(d)


def cumsum_backward(d, x, axis):
    return CumSum(x, axis).pull(d)


def where_backward(d, mask, x, y):
    return Where(Source.of(x), Source.of(y), mask).pull(d)


def logsumexp_backward(d, x, axis):
    return LogSumExp(np.asarray(x), axis).pull(d)
