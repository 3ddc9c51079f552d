"""Solutions of the exercises of "Watch a backward pass"."""

# %% Solution: How many gradients arrive?
arrivals = {"product": 4, "square": 2, "power": 1}


# %% Solution: A layer that unlearns
import minigrad as torch


def reverse(x):
    y = x.clone()
    y.register_hook(lambda gradient: -gradient)
    return y


# %% Solution: Follow the pass by hand
import minigrad as torch


def cotangents(w, x, t):
    of_difference = 2 * (w * x - t)
    of_product = of_difference
    return of_difference, of_product, of_product * x
