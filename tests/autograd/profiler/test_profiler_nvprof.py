"""Traces of nvprof: files with its tables, made here, and what is no such file."""

import pytest

sqlite3 = pytest.importorskip("sqlite3")

from minigrad.autograd.profiler import EventList, load_nvprof
from tests.checking import refuses

#: As nvprof declares them (CUPTI's records, field by field); of a kernel's many fields, those around the ones that are
#: read.
NVPROF = """
CREATE TABLE StringTable(_id_ INTEGER PRIMARY KEY AUTOINCREMENT, value TEXT UNIQUE);
CREATE TABLE CUPTI_ACTIVITY_KIND_MARKER(_id_ INTEGER PRIMARY KEY AUTOINCREMENT, flags INT NOT NULL, timestamp INT NOT NULL, id INT NOT NULL,
    objectKind INT NOT NULL, objectId BLOB NOT NULL, name INT NOT NULL, domain INT NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(_id_ INTEGER PRIMARY KEY AUTOINCREMENT, cbid INT NOT NULL, start INT NOT NULL, end INT NOT NULL,
    processId INT NOT NULL, threadId INT NOT NULL, correlationId INT NOT NULL, returnValue INT NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL(_id_ INTEGER PRIMARY KEY AUTOINCREMENT, start INT NOT NULL, end INT NOT NULL,
    completed INT NOT NULL, deviceId INT NOT NULL, contextId INT NOT NULL, streamId INT NOT NULL, correlationId INT NOT NULL,
    gridId INT NOT NULL, name INT NOT NULL);
"""
START, END, INSTANT, THREAD = 2, 4, 1, 2        # CUpti_ActivityFlag, CUpti_ActivityObjectKind


def nvprof_trace(path):
    """A backward node with a step inside it, each of which launches a kernel; an instant; and a range on another thread
    at the same time."""
    one, two = b"\x01\0\0\0\x0a\0\0\0", b"\x01\0\0\0\x0b\0\0\0"
    with sqlite3.connect(path) as trace:
        trace.executescript(NVPROF)
        names = ["MulBackward0, stashed seq = 5", "mul, seq = 0", "elementwise_kernel", "here", "elsewhere",
                 "reduce_kernel"]
        trace.executemany("INSERT INTO StringTable VALUES (?, ?)", enumerate(names, 1))
        trace.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_MARKER(flags, timestamp, id, objectKind, objectId, name, "
                          "domain) VALUES (?, ?, ?, ?, ?, ?, 0)", [
            (START, 1000, 11, THREAD, one, 1), (START, 2000, 12, THREAD, one, 2), (START, 2500, 14, THREAD, two, 5),
                              (INSTANT, 2600, 13, THREAD, one, 4),
            (END, 5000, 12, THREAD, one, 0), (END, 5500, 14, THREAD, two, 0), (END, 9000, 11, THREAD, one, 0)])
        trace.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME(cbid, start, end, processId, threadId, "
                          "correlationId, returnValue) VALUES (211, ?, ?, 1, 10, ?, 0)",
                          [(2100, 2200, 71), (7000, 7100, 72), (9500, 9600, 73)])
        trace.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL(start, end, completed, deviceId, "
                          "contextId, streamId, correlationId, gridId, name) VALUES (?, ?, 0, 0, 1, 7, ?, 0, ?)",
                          [(20_000, 20_400, 71, 3), (21_000, 21_150, 72, 6), (22_000, 23_000, 73, 3)])
    trace.close()


def test_a_trace_of_nvprof(tmp_path):
    nvprof_trace(tmp_path / "trace.nvvp")
    events = load_nvprof(tmp_path / "trace.nvvp")
    node, mul, elsewhere = events
    assert type(events) is EventList
    assert [event.name for event in events] == ["MulBackward0, stashed seq = 5", "mul, seq = 0", "elsewhere"]
    assert [event.total_ns for event in events] == [8000, 3000, 3000]
    assert [event.self_ns for event in events] == [5000, 3000, 3000]
    assert mul.cpu_parent is node and elsewhere.cpu_parent is None and elsewhere.thread != node.thread == mul.thread
    assert [(kernel.name, kernel.device, kernel.duration)
            for kernel in node.kernels] == [("elementwise_kernel", 0, 400), (
        "reduce_kernel", 0, 150)]
    assert (node.device_time_total, node.self_device_time_total, mul.device_time_total,
            elsewhere.device_time) == (0.55, 0.15, 0.4, 0)
    table = events.key_averages().table(sort_by="cuda_time_total")
    assert "Self CUDA" in table and "Self CUDA time total: 0.550us" in table
    assert table.index("MulBackward0") < table.index("elsewhere")
    assert str(load_nvprof(str(tmp_path / "trace.nvvp"))) == str(events)


def test_only_the_columns_that_are_used_need_be_there(tmp_path):
    nvprof_trace(tmp_path / "whole.nvvp")
    nvprof_trace(tmp_path / "bare.nvvp")
    used = {"StringTable": "_id_, value", "CUPTI_ACTIVITY_KIND_MARKER": "id, name, timestamp",
            "CUPTI_ACTIVITY_KIND_RUNTIME": "start, end, correlationId",
            "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL": "start, end, correlationId, name"}
    with sqlite3.connect(tmp_path / "bare.nvvp") as trace:
        for table, columns in used.items():
            trace.executescript(f"CREATE TABLE kept AS SELECT {columns} FROM {table}; DROP TABLE {table}; ALTER TABLE "
                                f"kept RENAME TO {table};")
    trace.close()
    whole, bare = load_nvprof(tmp_path / "whole.nvvp"), load_nvprof(tmp_path / "bare.nvvp")
    for a, b in zip(whole, bare, strict=True):
        assert (a.name, a.total_ns, a.kernels) == (b.name, b.total_ns, b.kernels) and b.thread == 0


@pytest.mark.parity
def test_a_trace_of_nvprof_as_pytorch_reads_it(tmp_path):
    torch = pytest.importorskip("torch")
    nvprof_trace(tmp_path / "trace.nvvp")
    ours, theirs = load_nvprof(tmp_path / "trace.nvvp"), torch.autograd.profiler.load_nvprof(
        str(tmp_path / "trace.nvvp"))
    assert [(event.id, event.name, event.total_ns, [kernel.duration for kernel in event.kernels])
            for event in ours] == [
        (event.id, event.name, event.time_range.elapsed_us(), [kernel.duration for kernel in event.kernels])
                for event in theirs]


def test_an_empty_trace_of_nvprof(tmp_path):
    trace = sqlite3.connect(tmp_path / "trace.nvvp")
    trace.executescript(NVPROF)
    trace.close()
    assert load_nvprof(tmp_path / "trace.nvvp") == []


def test_a_range_whose_name_is_missing(tmp_path):
    """It is left out, and its kernels belong to the range around it alone."""
    nvprof_trace(tmp_path / "trace.nvvp")
    trace = sqlite3.connect(tmp_path / "trace.nvvp")
    trace.execute("DELETE FROM StringTable WHERE value = 'mul, seq = 0'")
    trace.commit()
    trace.close()
    node, elsewhere = load_nvprof(tmp_path / "trace.nvvp")
    assert [kernel.duration for kernel in node.kernels] == [400, 150] and elsewhere.kernels == []


@pytest.mark.parametrize("size", [16, 100, 3000, 5000])
def test_a_file_that_is_cut_off(tmp_path, size):
    nvprof_trace(tmp_path / "trace.nvvp")
    whole = (tmp_path / "trace.nvvp").read_bytes()
    (tmp_path / "cut.nvvp").write_bytes(whole[:size])
    with refuses(ValueError, "is an SQLite file, but not a trace of nvprof", "MG207"):
        load_nvprof(tmp_path / "cut.nvvp")


def test_a_file_that_is_not_a_trace_of_nvprof(tmp_path):
    path = tmp_path / "trace.nvvp"
    with pytest.raises(FileNotFoundError):
        load_nvprof(path)
    assert not path.exists()
    path.write_text("==12== NVPROF is profiling process 12")
    with refuses(ValueError, "is not an SQLite file", "MG207"):
        load_nvprof(path)
    path.unlink()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE t(a)")
    other.close()
    with refuses(ValueError, "is an SQLite file, but not a trace of nvprof: no such table: CUPTI_ACTIVITY_KIND_MARKER",
                 "MG207"):
        load_nvprof(path)


@pytest.mark.parametrize("change", [
    "ALTER TABLE StringTable RENAME TO old; CREATE VIEW StringTable AS WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL "
    "SELECT i + 1 FROM c) SELECT i AS _id_, 'x' AS value FROM c",
    "ALTER TABLE StringTable RENAME TO old; CREATE TABLE StringTable (_id_, value AS (zeroblob(900000000)))",
    "UPDATE CUPTI_ACTIVITY_KIND_MARKER SET timestamp = 'soon'", "UPDATE StringTable SET value = CAST(_id_ AS BLOB)",
    "UPDATE CUPTI_ACTIVITY_KIND_MARKER SET id = 11", "UPDATE CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL SET end = 0.5",
], ids=["no end", "large", "time", "name", "ids", "kernel"])
def test_a_trace_from_a_stranger(tmp_path, change):
    path = tmp_path / "trace.nvvp"
    nvprof_trace(path)
    with sqlite3.connect(path) as trace:
        trace.executescript(change)
    trace.close()
    with refuses(ValueError, "is an SQLite file, but not a trace of nvprof", "MG207"):
        load_nvprof(path)


def test_a_column_whose_name_is_not_text(tmp_path):
    path = tmp_path / "trace.nvvp"
    nvprof_trace(path)
    path.write_bytes(path.read_bytes().replace(b"timestamp INT", b"\xff\xffmestamp INT"))
    with refuses(ValueError, "is an SQLite file, but not a trace of nvprof", "MG207"):
        load_nvprof(path)


def test_no_file_is_made_beside_a_trace(tmp_path):
    path = tmp_path / "trace.nvvp"
    nvprof_trace(path)
    content = bytearray(path.read_bytes())
    content[18:20] = b"\2\2"                     # as if it had been written with a log
    path.write_bytes(content)
    assert len(load_nvprof(path)) == 3
    assert [each.name for each in tmp_path.iterdir()] == ["trace.nvvp"] and path.read_bytes() == content
