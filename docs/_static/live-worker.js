/* Python, in a thread of its own: the page stays alive, and can end what does not end.  live.js starts it. */

const HOME = "/home/pyodide", SITE = `${HOME}/site`;
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

async function fetched(url, label, from, to) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  // The length of what is compressed on its way is another.
  const total = response.headers.get("Content-Encoding") ? 0 : Number(response.headers.get("Content-Length"));
  const parts = [];
  let got = 0;
  for (const reader = response.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    got += value.length;
    const share = total ? got / total : 0.5;
    say("progress", { text: `${label}, ${(got / 1e6).toFixed(1)} MB`, at: from + (to - from) * share });
  }
  return new Blob(parts).arrayBuffer();
}

async function text(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return response.text();
}

async function load({ runtime, errors, interrupt }) {
  const began = performance.now(), times = {};
  const lap = (name) => { times[name] = Math.round(performance.now() - began); };
  say("progress", { text: "Python", at: 0.05 });
  const packages = fetched(`${runtime}site.zip`, "NumPy and minigrad", 0.1, 0.5);
  const scripts = Promise.all(["live.py", "live_pyplot.py"].map((name) => text(new URL(name, import.meta.url))));
  const { loadPyodide } = await import(`${runtime}pyodide/pyodide.mjs`);
  python = await loadPyodide({ indexURL: `${runtime}pyodide/` });
  lap("python");
  if (interrupt) python.setInterruptBuffer(interrupt);
  python.unpackArchive(await packages, "zip", { extractDir: SITE });
  // Tutorials look for their data in the folder where they run.
  python.FS.symlink(`${SITE}/tutorials`, `${HOME}/tutorials`);
  const [runner, pyplot] = await scripts;
  python.FS.mkdirTree(`${SITE}/matplotlib`);
  python.FS.writeFile(`${SITE}/matplotlib/__init__.py`, "");
  python.FS.writeFile(`${SITE}/matplotlib/pyplot.py`, pyplot);
  python.FS.writeFile(`${SITE}/live.py`, runner);
  lap("unpacked");
  say("progress", { text: "NumPy", at: 0.6 });
  python.runPython(`import sys; sys.path.insert(0, "${SITE}"); import numpy`);
  lap("numpy");
  say("progress", { text: "minigrad", at: 0.8 });
  const live = python.pyimport("live");
  live.errors = errors;
  ({ run, starter, homework } = live);
  lap("minigrad");
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
