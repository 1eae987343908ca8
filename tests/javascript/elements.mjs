// What single elements are made from and act on, for tests in Python: reads and writes JSON.

import { readFileSync } from "node:fs";
import { sizeOf } from "../../viz/player/web/numbers.js";
import { openBook } from "../../viz/player/web/unpack.js";
import { StepElements } from "../../viz/player/web/whatif/elements.js";

const { packed, most } = JSON.parse(readFileSync(0, "utf-8"));
const book = openBook(packed);
const { whatIf } = book;
whatIf.start = () => {};

function run(chapter) {
  whatIf.job = whatIf.ensureRecorded(chapter);
  while (!whatIf.work(Number.POSITIVE_INFINITY));
}

/** Some places of a value, or all. */
function placesOf(value) {
  const size = sizeOf(book.value(value).shape);
  const every = Math.max(1, Math.ceil(size / most));
  return Array.from({ length: Math.ceil(size / every) }, (_, at) => at * every);
}

const made = packed.chapters.map((_, chapter) => {
  run(chapter);
  const { steps } = book.chapter(chapter);
  return steps.map((_, at) => {
    const step = new StepElements(whatIf, chapter, steps, at);
    const rows = (entries, tell) =>
      entries.map(({ value, name }) => {
        const all = placesOf(value).map((place) => {
          try {
            return { place, ...tell(value, place) };
          } catch (error) {
            if (!error.reason) throw error;
            return { place, reason: error.reason };
          }
        });
        return { value, name, all };
      });
    const results = rows(step.results, (value, place) => {
      const { parts, linear, constant } = step.origin(value, place);
      return { parts, linear: [...linear], constant };
    });
    const operands = rows(step.operands, (value, place) => ({
      acts: [...step.actsOn({ value, at: place }, () => [])]
        .filter((each) => each)
        .map(({ result, at }) => ({ name: result.name, value: result.value, at })),
    }));
    return { results, operands };
  });
});
process.stdout.write(JSON.stringify(made));
