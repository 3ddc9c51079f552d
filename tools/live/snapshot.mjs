// node snapshot.mjs LIVE PACKAGES.tgz TARGET IMPORTED: a Python that has imported NumPy and minigrad
//
// Its memory becomes TARGET/memory, and where their compiled modules are in it TARGET/modules.json. A page that begins
// with them has minigrad in half of the time; docs/_static/live-packages.js says how. IMPORTED gets the names of the
// Python files that are in the memory: a page does not need their bytecode.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [live, packages, target, imported] = process.argv.slice(2).map((each) => path.resolve(each));
const statics = fileURLToPath(new URL("../../docs/_static/", import.meta.url));
// Node would take a .js of the page for one without imports and exports.
const ofThePage = (name) => import(`data:text/javascript;base64,${fs.readFileSync(statics + name, "base64")}`);
const { gunzipped, untarred } = await ofThePage("live-archive.js");
const { HOME, SITE, bare, place, recorded } = await ofThePage("live-packages.js");

const core = path.join(live, "pyodide") + path.sep;
const { loadPyodide } = await import(pathToFileURL(core + "pyodide.mjs"));
const python = await loadPyodide({ indexURL: core, env: { HOME }, _makeSnapshot: true });
const before = bare(python._module);
place(python, untarred(await gunzipped(new Blob([fs.readFileSync(packages)]).stream())));
fs.writeFileSync(imported, python.runPython(`
import sys
sys.path.insert(0, "${SITE}")
import ast, base64, csv, ctypes, datetime, hashlib, hmac, html, mmap, numbers, pickle, platform, secrets, traceback
import numpy, minigrad

def use():
    """What first cells do, for the files that are loaded where they are first needed."""
    x = minigrad.tensor([[1.0, 2.0]], requires_grad=True)
    model = minigrad.nn.Sequential(minigrad.nn.Linear(2, 3), minigrad.nn.ReLU(), minigrad.nn.Linear(3, 1))
    optimizer = minigrad.optim.SGD(model.parameters(), lr=0.1)
    loss = ((model(x) - minigrad.ones(1)) ** 2).mean() + (x @ x.T).exp().sum() + minigrad.randn(2).sum()
    loss.backward()
    optimizer.step()
    return repr(loss), repr(x.grad)

use()
del use
# It knows folders as they are here; and garbage is not looked for until the page has the compiled modules, whose
# objects that would touch. live.py goes on.
for path in [path for path in sys.path_importer_cache if path.startswith("${SITE}")]:
    del sys.path_importer_cache[path]
import gc
gc.collect()
gc.freeze()
gc.disable()
"\\n".join(sorted(file.removeprefix("${SITE}/") for module in list(sys.modules.values())
                 if (file := getattr(module, "__file__", None) or "").startswith("${SITE}/") and file.endswith(".py")))
`));
fs.mkdirSync(target, { recursive: true });
fs.writeFileSync(path.join(target, "modules.json"), JSON.stringify(recorded(python._module, before)));
fs.writeFileSync(path.join(target, "memory"), python.makeMemorySnapshot());
