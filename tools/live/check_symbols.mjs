// node check_symbols.mjs LIVE: does Pyodide have every function that the side modules in site.tgz call?
//
// A side module is linked with holes, and a hole shows only when it is called. Here it shows before.
import { pathToFileURL } from "node:url";
import path from "node:path";
import fs from "node:fs";

const live = path.resolve(process.argv[2]), folder = path.join(live, "pyodide") + path.sep;
const { loadPyodide } = await import(pathToFileURL(folder + "pyodide.mjs"));
const python = await loadPyodide({ indexURL: folder });
const main = new WebAssembly.Module(fs.readFileSync(folder + "pyodide.asm.wasm"));
const known = new Set(WebAssembly.Module.exports(main).map((each) => each.name));
for (const each of WebAssembly.Module.imports(main)) known.add(each.name);
for (const name of Object.keys(python._module)) known.add(name.replace(/^_/, ""));
// libc++ calls it where a vector<bool> would be longer than memory.
known.add("_ZNKSt3__220__vector_base_commonILb1EE20__throw_length_errorEv");
const ofTheLoader = new RegExp("^(__memory_base|__table_base|__stack_pointer|__indirect_function_table|memory|" +
    "invoke_.*|__heap_base)$");

const packed = new Uint8Array(fs.readFileSync(path.join(live, "site.tgz")));
python.unpackArchive(packed.buffer, "tgz", { extractDir: "/site" });
const modules = python.runPython("import pathlib; [str(p) for p in pathlib.Path('/site').rglob('*.so')]").toJs();
let holes = 0;
for (const file of modules) {
    const module = new WebAssembly.Module(python.FS.readFile(file));
    const own = new Set(WebAssembly.Module.exports(module).map((each) => each.name));
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
        if (!["env", "GOT.func", "GOT.mem"].includes(from) || own.has(name) || known.has(name)) continue;
        if (ofTheLoader.test(name)) continue;
        holes++;
        console.error(`${file} calls ${name}, which Pyodide does not have`);
    }
}
process.exit(holes ? 1 : 0);
