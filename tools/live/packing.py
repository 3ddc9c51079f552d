"""``packing.py TARGET FOLDER...``: the files of the folders as one zip, each Python file with its bytecode.

Run by a Python of the version that will read the bytecode.  A zip keeps no useful times, so the bytecode is never
compared with its source; it makes the first import twice as fast.
"""

import importlib.util
import pathlib
import py_compile
import sys
import tempfile
import zipfile


def pack(target, folders):
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made, \
            tempfile.TemporaryDirectory() as scratch:
        for folder in folders:
            for path in sorted(folder.rglob("*")):
                if path.is_dir():
                    continue
                name = str(path.relative_to(folder))
                made.write(path, name)
                if path.suffix == ".py":
                    compiled = py_compile.compile(
                        str(path), f"{scratch}/compiled", dfile=name, doraise=True,
                        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
                    made.write(compiled, importlib.util.cache_from_source(name))


if __name__ == "__main__":
    pack(sys.argv[1], [pathlib.Path(folder) for folder in sys.argv[2:]])
