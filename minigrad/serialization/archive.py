"""Zip archives as PyTorch writes them: records that are not compressed, and a directory at the end.

    header of name/data.pkl    padding    the pickle       sizes
    header of name/data/0      padding    a storage        sizes
    header of name/data/1      padding    a storage        sizes
    ...
    directory: the name, size, checksum and place of each record
    where the directory is

The one idea: the bytes of each record begin at a multiple of 64, so that a file can be mapped into memory and read as
arrays where it lies.  The padding is an extra field of the header, which other readers of zip files skip.

The reader believes nothing: places and sizes must lie inside the file, records must not overlap (a short file could
otherwise describe terabytes), names must be different and lead nowhere, and the checksum is compared.

Source of the format: PKWARE's APPNOTE.TXT, sections 4.3 and 4.5.
"""

import mmap
import struct
import zlib

import numpy as np

from minigrad._core.errors.refusals import damaged
from minigrad._core.runtime import memory_pool
from minigrad.serialization.unpickler import PIECE

__all__ = ["Archive", "Writer"]

ALIGNMENT = 64
STORED = 0                          # the method of compression: none
SIZES_FOLLOW, UTF8 = 8, 0x800       # flags
ENCRYPTED = 1
SHORT, LONG = 0xFFFF, 0xFFFFFFFF    # "too large for this field: look elsewhere"

HEADER = struct.Struct("<4sHHHHHIIIHH")
ENTRY = struct.Struct("<4sHHHHHHIIIHHHHHII")
END = struct.Struct("<4sHHHHIIH")
LONG_END = struct.Struct("<4sQHHIIQQQQ")
LOCATOR = struct.Struct("<4sIQI")
MISPLACED = "the directory of the archive is not where it should be, or the file holds several archives"
LONG_SIZES = 1                      # the extra field with numbers of eight bytes


# ------------------------------------------------------------------------------ writing

class Writer:
    """Write records to ``file``, in a directory of the archive called ``name``."""

    def __init__(self, file, name):
        self.file, self.name = file, name
        self.place = 0
        self.entries = []
        self.checksum = 0

    def add(self, record, data):
        """Write one record; ``data`` is bytes or a flat array of bytes."""
        name = f"{self.name}/{record}".encode()
        size, checksum, place = len(data), zlib.crc32(data), self.place
        long = _long_sizes(size, place)
        start = place + HEADER.size + len(name) + len(long) + 4
        padding = -start % ALIGNMENT
        extra = long + struct.pack("<2sH", b"FB", padding) + b"Z" * padding
        flags = UTF8 | (SIZES_FOLLOW if size else 0)
        self.write(HEADER.pack(b"PK\3\4", 0, flags, STORED, 0, 0, 0, 0, 0, len(name), len(extra)) + name + extra)
        self.write(data)
        if size:
            self.write(struct.pack("<4sIQQ" if long else "<4sIII", b"PK\7\x08", checksum, size, size))
        self.entries.append((name, flags, checksum, size, place, long))
        self.checksum = zlib.crc32(struct.pack("<I", checksum) + name, self.checksum)

    def write(self, data):
        self.file.write(data)
        self.place += len(data)

    def close(self):
        """Write the directory, which makes the archive whole."""
        start = self.place
        for name, flags, checksum, size, place, long in self.entries:
            shown = min(size, LONG)
            self.write(ENTRY.pack(b"PK\1\2", 0, 0, flags, STORED, 0, 0, checksum, shown, shown, len(name), len(long),
                                  0, 0, 0, 0, min(place, LONG)) + name + long)
        count, end = len(self.entries), self.place
        self.write(LONG_END.pack(b"PK\6\6", LONG_END.size - 12, 0x31E, 45, 0, 0, count, count, end - start, start))
        self.write(LOCATOR.pack(b"PK\6\7", 0, end, 1))
        count = min(count, SHORT)
        self.write(END.pack(b"PK\5\6", 0, 0, count, count, min(end - start, LONG), min(start, LONG), 0))


def _long_sizes(size, place):
    """The extra field for numbers that four bytes do not hold."""
    numbers = [*[size] * 2 * (size >= LONG), *[place] * (place >= LONG)]
    return struct.pack(f"<HH{len(numbers)}Q", LONG_SIZES, 8 * len(numbers), *numbers) if numbers else b""


# ------------------------------------------------------------------------------ reading

class Archive:
    """The records of the archive that begins where ``file`` is and ends where it ends.

    With ``mapped``, records are parts of the file in memory, which the system reads when they are used; what is written
    there does not reach the file.  Their checksums are not compared then.
    """

    def __init__(self, file, mapped=False):
        self.file = file
        self.map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY) if mapped else None
        self.start = file.tell()
        self.size = file.seek(0, 2) - self.start
        self.records = {}                           # name without the directory -> (place, size, checksum)
        try:
            self.directory, entries = self.find_directory()
            self.read_directory(*entries)
        except (struct.error, UnicodeDecodeError) as problem:
            raise damaged(problem) from None
        places = sorted([place for place, _, _ in self.records.values()])
        self.next_place = dict(zip(places, [*places[1:], self.directory]))

    def __contains__(self, name):
        return name in self.records

    def part(self, place, size):
        """Some bytes of the archive."""
        if place < 0 or place + size > self.size:
            raise damaged("a part of the archive is beyond the end of the file")
        return self.array(place, size).tobytes()

    def array(self, place, size):
        """The same as an array, without a second copy on the way."""
        data = memory_pool.empty((size,), np.dtype(np.uint8))
        self.file.seek(self.start + place)
        # Of an array, readinto hides a MemoryError behind a TypeError.
        done = self.file.readinto(memoryview(data)) if hasattr(self.file, "readinto") else 0
        while done < size:
            piece = self.file.read(min(PIECE, size - done))
            if not piece:
                raise damaged("it ends too early")
            data[done:done + len(piece)] = np.frombuffer(piece, np.uint8)
            done += len(piece)
        return data

    def find_directory(self):
        """The place of the directory, and (its bytes, how many records)."""
        tail = min(self.size, END.size + SHORT)
        end = self.part(self.size - tail, tail).rfind(b"PK\5\6") + self.size - tail
        if end < self.size - tail or end + END.size > self.size:
            raise damaged("the end of the archive is missing")
        _, _, _, _, count, size, place, _ = END.unpack(self.part(end, END.size))
        if end >= LOCATOR.size:
            signature, _, long_end, _ = LOCATOR.unpack(self.part(end - LOCATOR.size, LOCATOR.size))
            if signature == b"PK\6\7":
                signature, *_, count, size, place = LONG_END.unpack(self.part(long_end, LONG_END.size))
                if signature != b"PK\6\6":
                    raise damaged(MISPLACED)
                end = long_end
        if place + size != end:
            raise damaged(MISPLACED)
        return place, (self.part(place, size), count)

    def read_directory(self, data, count):
        at, top = 0, None
        for _ in range(count):
            if at + ENTRY.size > len(data):
                raise damaged("the directory of the archive ends too early")
            entry = ENTRY.unpack_from(data, at)
            signature, _, _, flags, method, _, _, checksum, packed, size, length, extra, comment, *_, place = entry
            at += ENTRY.size
            name, more = data[at:at + length].decode(), data[at + length:at + length + extra]
            at += length + extra + comment
            if signature != b"PK\1\2" or at > len(data):
                raise damaged("the directory of the archive is not one")
            if LONG in (size, place):
                packed, size, place = _long_numbers(more, packed, size, place)
            if method != STORED or flags & ENCRYPTED or packed != size:
                raise damaged(f"record {name!r} is compressed or encrypted")
            folder, _, record = name.partition("/")
            top = folder if top is None else top
            if folder != top or not folder or not record or {"", ".", ".."} & {*record.split("/")} or "\\" in name:
                raise damaged(f"{name!r} is not a name of a record")
            if record in self.records:
                raise damaged(f"there are two records {name!r}")
            self.records[record] = place, size, checksum
        if at != len(data):
            raise damaged("the directory of the archive is longer than its records")
        self.name = top

    def find(self, record):
        """(place of the bytes, how many, their checksum) of a record."""
        if record not in self.records:
            raise damaged(f"there is no record {record!r}")
        place, size, checksum = self.records[record]
        header = HEADER.unpack(self.part(place, HEADER.size))
        begin = place + HEADER.size + header[-2] + header[-1]
        name = self.part(place + HEADER.size, header[-2])
        if header[0] != b"PK\3\4" or header[3] != STORED or name != f"{self.name}/{record}".encode():
            raise damaged(f"record {record!r} is not where the directory says")
        if begin + size > self.next_place[place]:
            raise damaged(f"record {record!r} overlaps what follows it")
        return begin, size, checksum

    def read(self, record):
        """The bytes of a record, as an array that can be written to."""
        place, size, checksum = self.find(record)
        if self.map is not None and size and place % ALIGNMENT == 0:
            return np.frombuffer(self.map, np.uint8, size, self.start + place)
        data = self.array(place, size)
        # PyTorch writes 0 where it was told not to compute any.
        if checksum and zlib.crc32(data) != checksum:
            raise damaged(f"record {record!r} was altered: its checksum is another")
        return data


def _long_numbers(extra, *numbers):
    """(packed size, size, place) where those that four bytes do not hold are read from the extra field."""
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        at += 4
        if kind == LONG_SIZES:
            size, place = numbers[1:]
            wanted = 2 * (size == LONG) + (place == LONG)
            found = struct.unpack_from(f"<{wanted}Q", extra, at)
            return *(found[:2] if size == LONG else numbers[:2]), found[-1] if place == LONG else place
        at += length
    raise damaged("a long size is missing")
