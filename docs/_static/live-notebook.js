/* Cells as data, {kind: "code" or "markdown", source, homework}: as notebooks, as scripts, and in links.  `homework` is
   the name of the assignment that the cell is a submission of, if it is one. */

const MARK = "#cells=";

/** A notebook, as Jupyter writes it. */
export function toNotebook(cells) {
  const written = cells.map(({ kind, source, homework }, i) => ({
    cell_type: kind, id: `cell-${i + 1}`, metadata: homework ? { minigrad: { homework } } : {}, source: source.split(/(?<=\n)/),
    ...(kind === "code" ? { execution_count: null, outputs: [] } : {}),
  }));
  const kernelspec = { display_name: "Python 3", language: "python", name: "python3" };
  return `${JSON.stringify({ cells: written, metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;
}

/** The cells of a file: of a notebook, or of a script, whose cells begin with # %%. */
export function fromFile(name, text) {
  if (!name.endsWith(".ipynb")) return text.split(/^# ?%%.*\n/m).filter((part) => part.trim()).map(code);
  const { cells } = JSON.parse(text);
  return checked(cells.map(({ cell_type, source, metadata }) => ({
    kind: cell_type === "code" ? "code" : "markdown", source: [source].flat().join(""),
    homework: metadata?.minigrad?.homework,
  })));
}

/** The cells of examples, which are lines with prompts and what Python says to them. */
export function fromExamples(texts) {
  const sources = texts.map((text) => text.split("\n").filter((line) => /^(>>>|\.\.\.)( |$)/.test(line))
    .map((line) => line.slice(4)).join("\n"));
  const imports = sources.some((source) => /^import .*\btorch$/m.test(source)) ? [] : ["import torch"];
  return [...imports, ...sources].map(code);
}

function code(source) {
  return { kind: "code", source: source.replace(/\s+$/, "") };
}

/** What a link to the workshop ends with, to bring cells along.  No server sees it. */
export async function toFragment(cells) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(cells)));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return MARK + text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The cells of a fragment: null where it has none, and an error where it is damaged. */
export async function fromFragment(fragment) {
  if (!fragment.startsWith(MARK)) return null;
  const text = atob(fragment.slice(MARK.length).replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = await through(new DecompressionStream("deflate-raw"), Uint8Array.from(text, (c) => c.charCodeAt(0)));
  return checked(JSON.parse(new TextDecoder().decode(bytes)));
}

/** Cells that come from elsewhere, as nothing but kinds, texts and names. */
export function checked(cells) {
  return cells.map(({ kind, source, homework }) => ({
    kind: kind === "markdown" ? kind : "code", source: String(source),
    ...(kind !== "markdown" && /^\w+$/.test(homework ?? "") ? { homework: String(homework) } : {}),
  }));
}

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}
