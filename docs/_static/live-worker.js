/* Python, in a thread of its own: the page stays alive, and can end what does not end.  live.js starts it. */

import { gunzipped, untarred } from "./live-archive.js";
import { HOME, SITE, compiled, place, restore } from "./live-packages.js";

// A loop that prints without end would bury the page: prints that follow each other closely wait for each other, and
// of one cell no more than this many characters are shown.
const MOST = 200_000, PAUSE = 50, CLOSE = 20;

const say = (kind, value) => postMessage({ kind, value });
let python, run, starter, homework;

const prints = {
  waiting: "", since: 0, posted: 0, length: 0,

  write(text) {
    if (this.length > MOST) return;
    this.length += text.length;
    this.waiting += this.length > MOST ? "\n… (there is more, which is not shown)\n" : text;
    const now = performance.now();
    if (now - this.since > PAUSE) { this.since = now; this.posted = 0; }
    if (this.posted++ < CLOSE || this.length > MOST) this.flush();
  },

  flush() {
    if (this.waiting) say("text", this.waiting);
    this.waiting = "";
  },
};

/** What the page waits for: bytes that are on their way, of how many, and then what Python does. */
const progress = {
  got: 0, total: 0,

  more(bytes) {
    this.got += bytes;
    const megabytes = (number) => (number / 1e6).toFixed(1);
    const of = this.got < this.total ? ` of ${megabytes(this.total)}` : "";
    say("progress", { text: `Downloading Python, ${megabytes(this.got)}${of} MB`,
                      at: 0.5 * Math.min(1, this.got / (this.total || 2 * this.got)) });
  },

  step(text, at) {
    say("progress", { text, at });
  },
};

/** A file of live/.  Its size is known from live.json: the length of what is compressed on its way is another. */
async function fetched({ runtime, sizes }, name) {
  progress.total += sizes[name] ?? 0;
  const response = await fetch(runtime + name);
  if (!response.ok) throw new Error(`${runtime}${name}: ${response.status} ${response.statusText}`);
  return gunzipped(response.body, (bytes) => progress.more(bytes));
}

async function text(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return response.text();
}

async function load({ runtime, sizes, errors, interrupt }) {
  const began = performance.now(), times = {};
  const lap = (name) => { times[name] = Math.round(performance.now() - began); };
  const snapshot = fetched({ runtime, sizes }, "python.snapshot").then(untarred).then(Object.fromEntries);
  const packages = fetched({ runtime, sizes }, "site.tgz").then(untarred);
  const scripts = Promise.all(["live.py", "live_pyplot.py"].map((name) => text(new URL(name, import.meta.url))));
  const { loadPyodide } = await import(`${runtime}pyodide/pyodide.mjs`);
  // Its own files come while the snapshot does.
  const _loadSnapshot = snapshot.then(({ memory }) => {
    if (!memory) throw new Error("what was built for this page is of an older version: make live builds it anew");
    lap("downloaded");
    progress.step("Starting Python", 0.5);
    return memory;
  });
  const codes = Promise.all([snapshot, packages]).then(async ([{ "modules.json": list }, files]) => {
    const modules = JSON.parse(new TextDecoder().decode(list));
    return [modules, await compiled(modules, files)];
  });
  codes.catch(() => {});                    // whatever failed is told below
  python = await loadPyodide({ indexURL: `${runtime}pyodide/`, _loadSnapshot });
  lap("python");
  if (interrupt) python.setInterruptBuffer(interrupt);
  place(python, await packages);
  // Tutorials look for their data in the folder where they run.
  python.FS.symlink(`${SITE}/tutorials`, `${HOME}/tutorials`);
  const [runner, pyplot] = await scripts;
  python.FS.mkdirTree(`${SITE}/matplotlib`);
  python.FS.writeFile(`${SITE}/matplotlib/__init__.py`, "");
  python.FS.writeFile(`${SITE}/matplotlib/pyplot.py`, pyplot);
  python.FS.writeFile(`${SITE}/live.py`, runner);
  lap("unpacked");
  progress.step("Loading NumPy and minigrad", 0.7);
  restore(python._module, ...await codes);
  lap("modules");
  const live = python.pyimport("live");
  live.begin(errors);
  ({ run, starter, homework } = live);
  lap("begun");
  say("ready", times);
}

/** A file of the reader's, in the folder where cells run. */
function bring({ name, bytes }) {
  const path = `${HOME}/${name}`;
  python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
  python.FS.writeFile(path, bytes);
}

onmessage = async ({ data }) => {
  try {
    if (data.kind === "load") return await load(data);
    if (data.kind === "file") return bring(data);
    prints.length = 0;
    const began = performance.now();
    const show = (html) => { prints.flush(); say("html", html); };
    const write = (text) => prints.write(text);
    let outcome = "done", value;
    if (data.kind === "starter") value = starter(data.name);
    else if (data.kind === "homework") {
      outcome = homework(data.name, data.code, show, write, (points) => { value = points; });
    }
    else outcome = run(data.code, data.check, data.apart, data.name, show, write, (line) => say("line", line));
    prints.flush();
    say("done", { outcome, value, ms: Math.round(performance.now() - began) });
  } catch (failure) {
    say("broken", String(failure));
  }
};
