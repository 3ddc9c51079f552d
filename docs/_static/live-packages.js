/* The packages of Python: their files, and their compiled modules in the snapshot of a Python that has imported them.

   A snapshot is Python's memory.  What it does not have of a compiled module is the code, and the table through which
   functions are called: the module is made again from its file, at the same place in both, and its memory is put back
   as it was.  tools/live/snapshot.mjs calls `recorded` when it makes the snapshot, and a page calls `restore`.  Nothing
   is imported here, since both load this file. */

// Engines differ in what they have of WebAssembly, and Python begins with a few more functions in one than in another.
const ROOM = 64;
export const HOME = "/home/pyodide", SITE = `${HOME}/site`;

/** Put files, [[name, bytes]], where Python looks for packages. */
export function place({ FS }, files) {
  const folders = new Set();
  for (const [name, bytes] of files) {
    const folder = `${SITE}/${name.slice(0, name.lastIndexOf("/") + 1)}`;
    if (!folders.has(folder)) FS.mkdirTree(folder);
    folders.add(folder);
    FS.writeFile(`${SITE}/${name}`, bytes, { canOwn: true });
  }
}

const addressesOf = (GOT) => new Map(Object.entries(GOT).map(([name, { value }]) => [name, value]));

/** What a Python without packages has in its table, with room for what it has elsewhere, and as addresses of names. */
export function bare({ wasmTable, GOT }) {
  wasmTable.grow(ROOM);
  return { length: wasmTable.length, addresses: addressesOf(GOT) };
}

/** Where a Python that began as `before` has its compiled modules, and what else their functions need to be called. */
export function recorded({ HEAPU32, LDSO, GOT, wasmTable }, before) {
  const functions = new Map(), modules = [];
  const know = (exports, index) => {
    for (const [name, value] of Object.entries(exports)) {
      if (typeof value === "function") functions.set(value, [index, name]);
    }
  };
  know(LDSO.loadedLibsByName.__main__.exports, -1);
  for (const [handle, { name, exports, global }] of Object.entries(LDSO.loadedLibsByHandle)) {
    if (name === "__main__") continue;
    know(exports, modules.length);
    // As Emscripten has it there: the beginning and the length of the module's memory, and of its part of the table.
    const [memory, size, table, length] = HEAPU32.subarray(handle / 4 + 3, handle / 4 + 7);
    modules.push({ path: name, handle: Number(handle), global: Boolean(global), memory, size, table, length });
  }
  const entries = [];                       // of the table, outside the parts of the modules
  for (let at = before.length; at < wasmTable.length; at++) {
    if (modules.some(({ table, length }) => at >= table && at < table + length)) continue;
    const known = functions.get(wasmTable.get(at));
    if (!known) throw new Error(`nobody knows what function the table has at ${at}`);
    entries.push([at, ...known]);
  }
  const addresses = [...addressesOf(GOT)].filter(([name, value]) => before.addresses.get(name) !== value);
  return { length: wasmTable.length, begins: before.length, modules, entries, addresses };
}

/** The code of the modules that were recorded, from the files of their packages. */
export function compiled({ modules }, files) {
  const found = new Map(files);
  return Promise.all(modules.map(({ path }) => WebAssembly.compile(found.get(path.slice(SITE.length + 1)))));
}

/** Make the modules of a snapshot again in a Python that has begun with it. */
export function restore({ HEAPU8, LDSO, GOT, wasmTable, setWasmTableEntry, updateTableMap }, state, codes) {
  if (wasmTable.length > state.begins) throw new Error("the snapshot is of another Python");
  const main = LDSO.loadedLibsByName.__main__.exports;
  const address = (name) => GOT[name] ??= new WebAssembly.Global({ value: "i32", mutable: true });
  for (const [name, value] of state.addresses) address(name).value = value;
  wasmTable.grow(state.length - wasmTable.length);
  const addresses = new Proxy({}, { get: (_, name) => address(name) });
  const made = state.modules.map(({ path, handle, global, memory, size, table, length }, i) => {
    const kept = HEAPU8.slice(memory, memory + size), exports = {}, late = {};
    const env = new Proxy({}, { get(_, name) {
      if (name === "__memory_base") return memory;
      if (name === "__table_base") return table;
      if (name in main && !main[name].stub) return main[name];
      return late[name] ??= (...given) => {         // it is the module's own, or another has brought it since
        const found = exports[name] ?? main[name];
        if (!found || found.stub) throw new Error(`Python has no function ${name}`);
        return found(...given);
      };
    } });
    const instance = new WebAssembly.Instance(codes[i], { env, "GOT.mem": addresses, "GOT.func": addresses });
    for (const [name, value] of Object.entries(instance.exports)) {
      exports[name] = value instanceof WebAssembly.Global ? value.value + memory : value;
    }
    HEAPU8.set(kept, memory);               // the instance has begun it anew
    updateTableMap(table, length);
    LDSO.loadedLibsByHandle[handle] = LDSO.loadedLibsByName[path] = { refcount: Infinity, name: path, exports, global };
    return exports;
  });
  for (const [at, index, name] of state.entries) {
    setWasmTableEntry(at, index < 0 ? main[name] : made[index][name]);
    updateTableMap(at, 1);
  }
}
