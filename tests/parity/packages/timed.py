"""Run a program, and say in the last line of stderr how many seconds it took after its imports: ``timed.py PROGRAM``."""

import ast
import sys
import time

_path = sys.argv[1]
with open(_path, encoding="utf-8") as _file:
    _body = ast.parse(_file.read()).body
_last = max(k for k, each in enumerate(_body) if isinstance(each, (ast.Import, ast.ImportFrom))) + 1
exec(compile(ast.Module(_body[:_last], []), _path, "exec"), globals())      # classes are pickled as those of __main__
_began = time.perf_counter()
exec(compile(ast.Module(_body[_last:], []), _path, "exec"), globals())
print(time.perf_counter() - _began, file=sys.stderr)
