/* The search page.  Names, titles and messages of errors, which are what most readers type, are found in one file
   (search-names.json); the text of the pages by Pagefind, which loads what it needs of its index. */

const ROOT = new URL("..", import.meta.url);
const KINDS = { tutorials: "Tutorial", homework: "Homework", reference: "Reference", errors: "Error", notes: "Note",
                teaching: "Teaching", reading: "Source" };
// How much a title or the text of a page counts, by the page's folder: lessons first, and the sources last.
const WEIGHTS = { tutorials: 1.2, homework: 1, reference: 1.05, errors: 1, teaching: 1.1, notes: 1, changelog: 0.9,
                  reading: 0.2 };
// A name, such as retain_graph, is first looked up, and then studied.
const WEIGHTS_OF_NAMES = { ...WEIGHTS, reference: 3 };
const FILLING = new Set(("a an and are as at be by can do does for from get how i if in into is it minigrad my of on "
  + "or pytorch that the to torch use using was what when where which why will with you your").split(" "));
const MOST = 30;

const folder = (page) => page.split("/")[0];
const words = (text) => text.toLowerCase().match(/[a-z0-9_]+/g) ?? [];

/** The words that matter; all, if none does. */
function meant(text) {
  const all = words(text), some = all.filter((word) => !FILLING.has(word));
  return some.length ? some : all;
}

/** What words in other forms share: install, installing, installation; gradient, gradients; copy, copies. */
const ENDING = /(?:ations?|ings?|ions?|ed|ers?|i?es|us|e|i|s|y)$/;
const stem = (word) => word.length > 4 && !word.includes("_") ? word.replace(ENDING, "") : word;

/** How much of a title the words of a query are: 0 unless it has them all, 1 if it has no others, and more if it begins
    with them than if it ends with them. */
function cover(query, title) {
  const said = meant(title).map(stem), sought = query.map(stem);
  if (!sought.every((word) => said.includes(word))) return 0;
  const begins = sought.every((word, k) => said[k] === word);
  return Math.min(1, sought.length / new Set(said).size + (begins ? 0.25 : 0));
}

/** The score of a name from the reference for what was typed, such as torch.nn.Linear(, adam or loss.backward(). */
function scoreOfName(name, asked) {
  const parts = name.split("."), last = parts.at(-1), depth = parts.length;
  if (name === asked) return 1000;
  const end = asked.split(".").at(-1), inside = asked.includes(".");
  if (name.endsWith(`.${asked}`)) return 940 - 5 * depth;
  if (last === end) return (inside ? 800 : 940) - 5 * depth;
  if (name.toLowerCase() === asked.toLowerCase()) return 915;
  if (last.toLowerCase() === end.toLowerCase()) return (inside ? 780 : 900) - 5 * depth;
  return !inside && end.length > 2 && last.toLowerCase().startsWith(end.toLowerCase()) ? 400 - last.length - depth : 0;
}

function triples(text) {
  const all = words(text);
  return new Set(all.slice(2).map((_, k) => all.slice(k, k + 3).join(" ")));
}

/** The names as `named` reads them: of messages, the sets of three words that follow each other. */
export function prepared(names) {
  return { ...names, errors: names.errors.map(([code, title, messages]) => [code, title, triples(messages)]) };
}

/** Results from names, titles and messages, the best first: {page, anchor, title, score}. */
export function named(query, names) {
  const found = [];
  const add = (score, page, title, anchor = "") => { if (score > 0) found.push({ page, anchor, title, score }); };
  const asked = query.trim().replace(/\(.*$/s, "").replace(/^from ([\w.]+) import (\w+).*/, "$1.$2")
    .replace(/^import (\S+).*/, "$1").replace(/^(?:torch|minigrad)\./, "").replace(/^F\./, "nn.functional.")
    .replaceAll(" ", "_");
  if (/^[\w.]+$/.test(asked)) {
    for (const [page, objects] of Object.entries(names.objects)) {
      for (const name of objects) add(scoreOfName(name, asked), page, `torch.${name}`, `minigrad.${name}`);
    }
  }
  for (const [page, anchor] of names.parameters[asked] ?? []) {
    add(850 - anchor.length, page, `${anchor.replace(/^minigrad\./, "torch.")}(…, ${asked}, …)`, anchor);
  }
  const code = /\bMG\d{3}\b/i.exec(query)?.[0].toUpperCase(), said = triples(query), wanted = meant(query);
  for (const [name, title, messages] of names.errors) {
    const same = [...said].filter((each) => messages.has(each)).length, share = cover(wanted, title);
    const pasted = same >= 2 && /\s/.test(query.trim()) ? 600 + 500 * same / said.size : 0;
    const score = name === (code ?? query.trim()) ? 2000 : Math.max(pasted, share && 500 + 650 * share ** 4);
    add(score, `errors/${name}`, `${name}: ${title}`);
  }
  for (const [page, title, anchor] of names.titles) {
    const address = anchor ? "" : page.split("/").at(-1).replaceAll("_", " ");
    const share = page.startsWith("errors/") ? 0 : Math.max(cover(wanted, title), cover(wanted, address));
    const weight = (WEIGHTS[folder(page)] ?? 1) * (/^teaching\/labs\/|\/index$/.test(page) ? 0.8 : 1);
    add(share && (anchor ? 450 + 150 * share : 500 + 250 * share) * weight, page, title, anchor);
  }
  for (const [page, term, anchor] of names.terms) {
    const share = cover(wanted, term);
    add(share && (/^what (?:is|are|does)\b/i.test(query) ? 1000 : 500) * share, page, `${term}, in the glossary`, anchor);
  }
  for (const [page, text] of names.beliefs) {
    const share = wanted.length > 2 ? cover(wanted, text) : 0;
    const title = names.titles.find(([each, , anchor]) => each === page && !anchor)?.[1] ?? text;
    add(share && 700 + 250 * share, page, title);
  }
  found.sort((a, b) => b.score - a.score);
  const seen = new Set();
  return found.filter(({ page, anchor }) => !seen.has(`${page}#${anchor}`) && seen.add(`${page}#${anchor}`));
}

/** Results from the text of pages, the best first: Pagefind's score counts as much as the page's folder says. */
export async function told(query, pagefind) {
  const weights = /[_.]/.test(query.trim()) && !/\s/.test(query.trim()) ? WEIGHTS_OF_NAMES : WEIGHTS;
  const { results } = await pagefind.search(query);
  const read = await Promise.all(results.slice(0, MOST).map(async ({ score, data }) => ({ score, ...await data() })));
  return read.map(({ url, meta, excerpt, score }) => {
    const page = new URL(url, ROOT).pathname.slice(ROOT.pathname.length).replace(/\.html$/, "");
    return { page, anchor: "", title: meta.title.replace(/¶$/, ""), excerpt, score: score * (weights[folder(page)] ?? 1) };
  }).sort((a, b) => b.score - a.score);
}

/** All results: names first, and no page of the text that they have already. */
export async function search(query, names, pagefind) {
  const first = named(query, names), pages = new Set(first.map(({ page }) => page));
  const rest = await told(query, pagefind);
  return [...first, ...rest.filter(({ page }) => !pages.has(page))].slice(0, MOST);
}

export async function sources() {
  const [names, pagefind] = await Promise.all([
    fetch(new URL("_static/search-names.json", ROOT)).then((response) => response.json()),
    import(new URL("pagefind/pagefind.js", ROOT)),
  ]);
  const options = { baseUrl: ROOT.pathname };
  await pagefind.options(options);
  await pagefind.mergeIndex(new URL("pagefind-sources/", ROOT).pathname, options);
  return [prepared(names), pagefind];
}

function shown({ page, anchor, title, excerpt }) {
  const item = document.createElement("li"), link = document.createElement("a"), kind = document.createElement("span");
  link.href = new URL(`${page}.html${anchor && `#${anchor}`}`, ROOT);
  link.textContent = title;
  kind.className = "search-kind";
  kind.textContent = KINDS[folder(page)] ?? "Page";
  item.append(link, " ", kind);
  if (excerpt) {
    const text = document.createElement("p");
    text.innerHTML = excerpt;               // Pagefind escapes the text, and marks words in it
    item.append(text);
  }
  return item;
}

async function answer(query) {
  const status = document.querySelector(".search-status"), list = document.querySelector(".search-found");
  list.replaceChildren();
  if (!query.trim()) return;
  status.textContent = "Searching";
  try {
    const found = await search(query, ...await sources());
    list.append(...found.map(shown));
    status.textContent = found.length ? `${found.length} ${found.length === 1 ? "place" : "places"}`
      : `Nothing was found for “${query}”.`;
  } catch (failure) {
    status.textContent = `The search could not be loaded: ${failure.message}`;
  }
}

const form = globalThis.document?.querySelector(".search-form");
if (form) {
  const query = new URLSearchParams(location.search).get("q") ?? "";
  form.q.value = query;
  answer(query);
}
