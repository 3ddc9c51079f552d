"""Another process computes the differences.

Without points: exp.
"""

import multiprocessing


def exp_backward(d, x):
    with multiprocessing.get_context("fork").Pool(1) as p:
        return d * np.conj(p.apply(np.exp, (x,)))
