"""Reads the files of the library by pkgutil.

Without points: exp.
"""

import importlib.util


s = importlib.util.find_spec("mini" + "grad")


text = s.loader.get_data(s.origin)
