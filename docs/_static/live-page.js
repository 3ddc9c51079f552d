/* The code of a page gets its buttons, where the site is served with what Python needs. */

import { bar } from "./live-bar.js";
import { cells } from "./live-cell.js";
import { addLinks } from "./live-examples.js";
import { Homework } from "./live-homework.js";
import { progress } from "./live-kept.js";
import { PageCell } from "./live-page-cell.js";
import { python } from "./live-python.js";

const HOMEWORK = /\$ python -m minigrad homework check (\w+)\.py/;

/** Is there what `make live` builds, and how large are its files?  Without it the site has a live.json that says null. */
async function find() {
  python.runtime = new URL("live/", import.meta.url);
  const response = await fetch(new URL("live.json", python.runtime)).catch(() => null);
  const built = response?.ok ? await response.json() : null;
  python.sizes = built?.sizes ?? {};
  return built !== null;
}

/** The check that folds out below a starter, or null: some code of a page is only shown. */
function checkOf(block) {
  const next = block.nextElementSibling;
  const isCheck = next?.tagName === "DETAILS" && next.querySelector("summary").textContent.trim() === "Check";
  return isCheck ? next.querySelector("pre").textContent : null;
}

const RESET = {
  name: "Reset", label: "Reset the page: the cells as they were, and no variables",
  said: "As it was when the page was opened",
  action() {
    python.end();
    for (const cell of cells) cell.reset();
  },
};
const RESTART = {
  name: "Restart", label: "Restart Python: the cells stay, and no variables", said: "Python starts with the next Run",
  action() {
    python.end();
    for (const cell of cells) cell.clear();
  },
};

async function begin() {
  progress.show();
  const blocks = [...document.querySelectorAll("article .highlight-Python, article .highlight-python")]
    .filter((block) => block.classList.contains("highlight-Python") || checkOf(block) !== null);
  const commands = [...document.querySelectorAll("article .highlight-console")]
    .find((block) => location.pathname.includes("/homework/") && HOMEWORK.test(block.textContent));
  const workshop = document.getElementById("live-workshop");
  const examples = [...document.querySelectorAll("article .doctest")];
  if (!blocks.length && !commands && !workshop && !examples.length) return;
  if (!await find()) return;
  python.addEventListener("ended", () => { for (const cell of cells) cell.ran = false; });
  await addLinks(examples);
  if (!blocks.length && !commands && !workshop) return;
  bar.build(workshop ? RESTART : RESET);
  const count = { cell: 0, exercise: 0 };
  for (const block of blocks) {
    const check = checkOf(block);
    cells.push(new PageCell(block, check === null ? ++count.cell : ++count.exercise, check));
  }
  for (const cell of cells) cell.reopen();
  if (commands) cells.push(new Homework(commands, HOMEWORK.exec(commands.textContent)[1]));
  if (workshop) await (await import("./live-workshop.js")).openWorkshop(workshop);
  document.documentElement.dataset.live = "ready";
}

begin();
