// node snapshot.mjs LIVE FOLDER: the memory of a Python that has imported NumPy and minigrad, as FOLDER/memory, and
// where their compiled modules are in it, as FOLDER/modules.json; LIVE/site.tgz has the packages
//
// A page that begins with them has minigrad in a third of the time; live-packages.js says how.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [live, target] = process.argv.slice(2).map((each) => path.resolve(each));
const statics = fileURLToPath(new URL("../../docs/_static/", import.meta.url));
// Node would take a .js of the page for one without imports and exports.
const ofThePage = (name) => import(`data:text/javascript;base64,${fs.readFileSync(statics + name, "base64")}`);
const { gunzipped, untarred } = await ofThePage("live-archive.js");
const { HOME, SITE, bare, place, recorded } = await ofThePage("live-packages.js");

const folder = path.join(live, "pyodide") + path.sep;
const { loadPyodide } = await import(pathToFileURL(folder + "pyodide.mjs"));
const python = await loadPyodide({ indexURL: folder, env: { HOME }, _makeSnapshot: true });
const before = bare(python._module);
place(python, untarred(await gunzipped(fs.readFileSync(path.join(live, "site.tgz")))));
// Garbage is not collected until the page has the compiled modules, whose objects it would touch; live.py goes on.
python.runPython(`
import sys
sys.path.insert(0, "${SITE}")
import ast, base64, csv, ctypes, datetime, hashlib, hmac, html, mmap, numbers, pickle, platform, secrets
import numpy, minigrad
import gc
gc.collect()
gc.disable()
`);
fs.mkdirSync(target, { recursive: true });
fs.writeFileSync(path.join(target, "modules.json"), JSON.stringify(recorded(python._module, before)));
fs.writeFileSync(path.join(target, "memory"), python.makeMemorySnapshot());
