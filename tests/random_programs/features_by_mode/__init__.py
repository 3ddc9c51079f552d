"""Every feature in every mode: the derivatives of one function, asked for in fifty ways, are those of its differences.

Random programs reach what operations and writes do.  Here are the features that a user writes out: custom Functions of
every form, saved-tensor hooks, checkpoints, hooks, modules, writes, derivatives of derivatives.  Each is a
function of three numbers (features.py), and each mode asks for the same first, second or third derivative (modes.py).
"""
