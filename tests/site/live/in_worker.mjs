// node in_worker.mjs STATIC LIVE QUESTIONS.json ANSWERS: what a page asks its worker, asked by Node
//
// The worker is the page's own, docs/_static/live-worker.js; only what a browser gives it is made here. QUESTIONS is
// a list of what the page would post; for each, ANSWERS gets a line of JSON with all that the worker said.
import { pathToFileURL } from "node:url";
import path from "node:path";
import fs from "node:fs";
import os from "node:os";

const [statics, live, questions, answers] = process.argv.slice(2);
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "minigrad-live-"));
// Node asks whether a script may import.
fs.writeFileSync(path.join(scratch, "package.json"), '{"type": "module"}');
for (const name of ["live-worker.js", "live-archive.js", "live-packages.js"]) {
  fs.copyFileSync(path.join(statics, name), path.join(scratch, name));
}

globalThis.fetch = async (address) => {
  const name = String(address).split("/").at(-1);
  const file = String(address).startsWith("file:") ? path.join(statics, name) : String(address);
  return new Response(fs.readFileSync(file));
};
globalThis.onmessage = null;
let said, done;
globalThis.postMessage = ({ kind, value }) => {
  if (kind === "text" || kind === "html") said.push([kind, value]);
  else if (["ready", "done", "broken"].includes(kind)) done([kind, value]);
};
function ask(data) {
  said = [];
  const answer = new Promise((resolve) => { done = resolve; });
  globalThis.onmessage({ data });
  return answer;
}

await import(pathToFileURL(path.join(scratch, "live-worker.js")));
const out = fs.openSync(answers, "w");
const [kind, times] = await ask({ kind: "load", sizes: {}, runtime: path.resolve(live) + path.sep });
fs.writeSync(out, JSON.stringify({ kind, value: times, said }) + "\n");
for (const question of kind === "ready" ? JSON.parse(fs.readFileSync(questions)) : []) {
  const [kind, value] = await ask(question);
  fs.writeSync(out, JSON.stringify({ kind, value, said }) + "\n");
}
fs.rmSync(scratch, { recursive: true });
