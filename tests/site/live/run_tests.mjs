// node run_tests.mjs LIVE TESTS.zip RESULT FILES: test files in WebAssembly; a line of JSON for each test in RESULT
//
// They run where those of a page would, on the memory with which a page begins.
import { pathToFileURL } from "node:url";
import path from "node:path";
import fs from "node:fs";

const [live, tests, result, files] = process.argv.slice(2);
const page = (name) => {
  const file = new URL(`../../../docs/_static/${name}`, import.meta.url);
  return import(`data:text/javascript;base64,${fs.readFileSync(file, "base64")}`);
};
const { gunzipped, untarred } = await page("live-archive.js");
const { SITE, compiled, place, restore } = await page("live-packages.js");
const unpacked = async (name) => untarred(await gunzipped(new Blob([fs.readFileSync(path.join(live, name))]).stream()));
const folder = path.join(path.resolve(live), "pyodide") + path.sep;
const { loadPyodide } = await import(pathToFileURL(folder + "pyodide.mjs"));
const { memory, "modules.json": list } = Object.fromEntries(await unpacked("python.snapshot"));
const modules = JSON.parse(new TextDecoder().decode(list)), packages = await unpacked("site.tgz");
const codes = await compiled(modules, packages);
const python = await loadPyodide({ indexURL: folder, _loadSnapshot: memory });
place(python, packages);
restore(python._module, modules, codes);
python.unpackArchive(new Uint8Array(fs.readFileSync(tests)).buffer, "zip", { extractDir: SITE });
const out = fs.openSync(result, "w");
python.globals.set("write", (line) => { fs.writeSync(out, line + "\n"); });
python.globals.set("files", python.toPy(JSON.parse(files)));
python.runPython(`
import asyncio, gc, json, os, subprocess, sys, threading
gc.enable()
sys.dont_write_bytecode = True
os.chdir("${SITE}")
import pytest

def refuse(what):
    def refused(*arguments, **keywords):
        pytest.skip(f"there are no {what} in WebAssembly")
    return refused

def run_no_coroutine(coroutine, **keywords):
    coroutine.close()               # or it would complain, in a later test, that nobody awaited it
    pytest.skip("there are no event loops in WebAssembly")

asyncio.run = run_no_coroutine
threading.Thread.start = refuse("threads")
subprocess.Popen.__init__ = os.fork = refuse("processes")

# What is said where a test asks the core, asyncio, signal or threading for what there is not, or for a dtype of the
# package ml_dtypes, which is compiled.
WITHOUT = ("can't start new thread", "has no attribute 'setitimer'", "stack switching not supported",
           "has no attribute 'get_native_id'", "torch.bfloat16 needs the package ml_dtypes")

class Report:
    def pytest_addoption(self, parser):
        parser.addini("faulthandler_timeout", "of a plugin that needs threads")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call):
        report = yield
        if report.failed and any(words in str(call.excinfo.value) for words in WITHOUT):
            report.outcome, report.longrepr = "skipped", ("WebAssembly", 0, str(call.excinfo.value))
        return report

    def pytest_runtest_logstart(self, nodeid, location):
        write(json.dumps({"started": nodeid}))

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.outcome != "passed":
            self.write(report)

    def pytest_collectreport(self, report):
        if report.outcome != "passed":
            self.write(report)

    def write(self, report):
        text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr or "")
        outcome = "xfailed" if hasattr(report, "wasxfail") else report.outcome
        write(json.dumps({"test": report.nodeid, "outcome": outcome, "why": text[-3000:]}))

status = pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:faulthandler", "--no-header", "--tb=short",
                      "--continue-on-collection-errors", *files], plugins=[Report()])
write(json.dumps({"ended": int(status)}))
`);
