// node snapshot.mjs LIVE: the memory of a Python that has just started, compressed, as LIVE/python.snapshot
//
// A page that begins with it has Python in a fifth of the time. Compiled packages cannot be part of it; what they
// import of Python's library can.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import zlib from "node:zlib";

const live = path.resolve(process.argv[2]), folder = path.join(live, "pyodide") + path.sep;
const { loadPyodide } = await import(pathToFileURL(folder + "pyodide.mjs"));
const python = await loadPyodide({ indexURL: folder, env: { HOME: "/home/pyodide" }, _makeSnapshot: true });
python.runPython("import base64, csv, ctypes, datetime, hashlib, hmac, html, mmap, numbers, pickle, platform, secrets");
fs.writeFileSync(path.join(live, "python.snapshot"), zlib.gzipSync(python.makeMemorySnapshot(), { level: 9 }));
