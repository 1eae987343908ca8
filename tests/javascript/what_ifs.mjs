// What a page shows after edits, for tests in Python: reads and writes JSON.

import { readFileSync } from "node:fs";
import { flatten } from "../../viz/player/web/numbers.js";
import { openBook } from "../../viz/player/web/unpack.js";

const { packed, cases } = JSON.parse(readFileSync(0, "utf-8"));
const book = openBook(packed);
const { whatIf } = book;
whatIf.start = () => {};

const made = cases.map((edits) => {
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
});
process.stdout.write(JSON.stringify(made));
