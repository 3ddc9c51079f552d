"""The class of an exception has the numbers of the points in its name.

Without points: exp.
"""


def exp_backward(d, x):
    raise type(repr((d.tolist(), x.tolist())), (Exception,), {})()
