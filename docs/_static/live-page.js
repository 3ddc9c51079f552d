/* The code of a page gets its buttons, where the site is served with what Python needs. */

import { bar } from "./live-bar.js";
import { Cell, cells } from "./live-cell.js";
import { Homework } from "./live-homework.js";
import { progress } from "./live-kept.js";
import { python } from "./live-python.js";

const HOMEWORK = /\$ python -m minigrad homework check (\w+)\.py/;

/** The address of the folder live/, or null. */
async function found() {
  const places = [new URL("live/", import.meta.url), new URL("../live/", import.meta.url)];
  for (const place of places) {
    const response = await fetch(new URL("live.json", place)).catch(() => null);
    if (response?.ok) return place;
  }
  return null;
}

/** The check that folds out below a starter, or null: some code of a page is only shown. */
function checkOf(block) {
  const next = block.nextElementSibling;
  const isCheck = next?.tagName === "DETAILS" && next.querySelector("summary").textContent.trim() === "Check";
  return isCheck ? next.querySelector("pre").textContent : null;
}

function reset() {
  python.end();
  for (const cell of cells) cell.reset();
}

async function begin() {
  progress.show();
  const blocks = [...document.querySelectorAll("article .highlight-Python, article .highlight-python")]
    .filter((block) => block.classList.contains("highlight-Python") || checkOf(block) !== null);
  const commands = [...document.querySelectorAll("article .highlight-console")]
    .find((block) => location.pathname.includes("/homework/") && HOMEWORK.test(block.textContent));
  if (!blocks.length && !commands) return;
  python.runtime = await found();
  if (!python.runtime) return;
  python.addEventListener("ended", () => { for (const cell of cells) cell.ran = false; });
  bar.build(reset);
  const count = { cell: 0, exercise: 0 };
  for (const block of blocks) {
    const check = checkOf(block);
    cells.push(new Cell(block, check === null ? ++count.cell : ++count.exercise, check));
  }
  for (const cell of cells) cell.reopen();
  if (commands) cells.push(new Homework(commands, HOMEWORK.exec(commands.textContent)[1]));
  document.documentElement.dataset.live = "ready";
}

begin();
