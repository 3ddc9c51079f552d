"""Floor 1: the table of derivatives, one row for each operation."""
import importlib, os, sys
for _m in ("copying", "comparison", "arithmetic", "elementwise", "piecewise", "complex", "shape", "slicing", "arranging", "indexing", "gathering", "reduction", "extremes", "norms", "cumulative", "linalg", "einsum", "sorting", "activation", "loss"):
    if os.path.exists(os.path.join(os.path.dirname(__file__), _m + ".py")):
        try:
            importlib.import_module("minigrad.ops." + _m)
        except ImportError as e:
            print("not yet:", _m, e, file=sys.stderr)
