/* Examples of the reference and of the pages of errors: a link that opens them in the workshop. */

import { make } from "./live-dom.js";
import { fromExamples, toFragment } from "./live-notebook.js";

const WORKSHOP = new URL("../workshop.html", import.meta.url);
const textOf = (block) => block.querySelector("pre").textContent;

/** Below each example: it opens with those before it that explain the same thing, whose variables it may use. */
export async function addLinks(examples) {
  for (const [i, block] of examples.entries()) {
    const before = examples.slice(0, i + 1).filter((each) => placeOf(each) === placeOf(block));
    const href = WORKSHOP.href + await toFragment(fromExamples(before.map(textOf)));
    block.after(make("p", { className: "live-open" }, make("a", { href }, "Open in the workshop")));
  }
}

const placeOf = (block) => block.closest("dl.py dd") ?? block.closest("article");
