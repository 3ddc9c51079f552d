"""``packing.py TARGET FOLDER...``: the files of the folders as one compressed tar, each Python file with its bytecode.

Run by a Python of the version that will read the bytecode, which is never compared with its source; it makes the first
import twice as fast.  ``--imported FILE`` names Python files that are never imported again, and need none.  A tar is
compressed as a whole, so that the browser unpacks it in one go.
"""

import argparse
import gzip
import importlib.util
import pathlib
import py_compile
import tarfile
import tempfile


def plain(information):
    """The same bytes from the same files, whoever packs them and when."""
    information.mtime = information.uid = information.gid = 0
    information.uname = information.gname = ""
    return information


def pack(target, folders, imported=()):
    with open(target, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed, \
            tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as made, \
            tempfile.TemporaryDirectory() as scratch:
        for folder in folders:
            for path in sorted(folder.rglob("*")):
                if path.is_dir():
                    continue
                name = str(path.relative_to(folder))
                made.add(path, name, filter=plain)
                if path.suffix == ".py" and name not in imported:
                    compiled = py_compile.compile(
                        str(path), f"{scratch}/compiled", dfile=name, doraise=True,
                        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
                    made.add(compiled, importlib.util.cache_from_source(name), filter=plain)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("target")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--imported", type=pathlib.Path)
    given = parser.parse_args()
    pack(given.target, given.folders, given.imported.read_text().splitlines() if given.imported else ())
