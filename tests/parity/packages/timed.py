"""``timed.py PROGRAM``: run a program; the last line of stderr says what it took after its imports, and with them.

In seconds of the processor, since others may be at work on the machine.
"""

import ast
import sys
import time

_path = sys.argv[1]
with open(_path, encoding="utf-8") as _file:
    _body = ast.parse(_file.read()).body
_last = max(k for k, each in enumerate(_body) if isinstance(each, (ast.Import, ast.ImportFrom))) + 1
exec(compile(ast.Module(_body[:_last], []), _path, "exec"), globals())      # classes are pickled as those of __main__
_began = time.process_time()
exec(compile(ast.Module(_body[_last:], []), _path, "exec"), globals())
print(time.process_time() - _began, time.process_time(), file=sys.stderr)
