"""Every function and method that PyTorch has too, called in twenty-five ways on sixteen tensors, compared with PyTorch.

Most of these calls make little sense, and both libraries refuse them.  What both answer must be the same: values,
dtypes and shapes, what requires grad, gradients, and gradients of gradients.

calls.py has the calls, judging.py compares two answers, known.py says where they differ on purpose.
"""
