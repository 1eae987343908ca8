// What a page shows after edits, for tests in Python: reads and writes JSON.

import { readFileSync } from "node:fs";
import { flatten } from "../../viz/player/web/numbers.js";
import { openBook } from "../../viz/player/web/unpack.js";

const { packed, cases, sweep } = JSON.parse(readFileSync(0, "utf-8"));
const book = openBook(packed);
const { whatIf } = book;
whatIf.start = () => {};

/** The losses of a chapter, as a curve asks for them; a reason where there is none. */
function losses(chapter) {
  const made = [];
  const rest = [...cases];
  const told = (loss, stale) => made.push(stale || loss);
  for (const _ of whatIf.sweep(chapter, () => rest.shift() ?? null, told));
  return made;
}

const changed = (edits) => {
  whatIf.load(edits);
  whatIf.job = whatIf.recompute();
  while (!whatIf.work(Number.POSITIVE_INFINITY));
  return packed.chapters.flatMap((_, chapter) =>
    [...new Set(book.valuesOf(chapter))].flatMap((value) => {
      if (value === null) return [];
      const entry = whatIf.entry(chapter, value);
      if (entry === book.value(value)) return [];
      const { data, stats, stale = "", kink = false } = entry;
      const numbers = data === null ? null : flatten(data);
      return [{ chapter, value, numbers, stats, stale, kink }];
    }),
  );
};
const made = sweep === null ? cases.map(changed) : losses(sweep);
process.stdout.write(JSON.stringify(made));
