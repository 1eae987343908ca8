// What single elements are made from and act on, for tests in Python: reads and writes JSON.

import { readFileSync } from "node:fs";
import { sizeOf } from "../../viz/player/web/numbers.js";
import { openBook } from "../../viz/player/web/unpack.js";
import { elementsOfStep } from "../../viz/player/web/whatif/elements.js";

const { pages, most } = JSON.parse(readFileSync(0, "utf-8"));

/** All places of a value, or so many. */
function placesOf({ shape }) {
  const size = sizeOf(shape);
  const every = Math.max(1, Math.ceil(size / most));
  return Array.from({ length: Math.ceil(size / every) }, (_, at) => at * every);
}

/** Each element with what is said of it, or why nothing is. */
function explained(book, entries, explain) {
  return entries.map(({ value, name }) => {
    const elements = placesOf(book.value(value)).map((at) => {
      try {
        return { at, ...explain(value, at) };
      } catch (error) {
        if (!error.reason) throw error;
        return { at, reason: error.reason };
      }
    });
    return { value, name, elements };
  });
}

function ofStep(book, chapter, steps, at) {
  const step = elementsOfStep(book.whatIf, chapter, steps, at);
  const results = explained(book, step.results, (value, at) => {
    const { parts, linear, constant } = step.origin(value, at);
    return { parts, linear: [...linear], constant };
  });
  const operands = explained(book, step.operands, (value, at) => ({
    acts: [...step.actsOn({ value, at }, () => [])]
      .filter((each) => each)
      .map(({ result, at }) => [step.results.indexOf(result), at]),
  }));
  return { results, operands };
}

function ofPage(packed) {
  const book = openBook(packed);
  const { whatIf } = book;
  whatIf.start = () => {};
  return packed.chapters.map((_, chapter) => {
    if (!whatIf.chapters[chapter]) return null;
    whatIf.job = whatIf.ensureRecorded(chapter);
    while (!whatIf.work(Number.POSITIVE_INFINITY));
    const { steps } = book.chapter(chapter);
    return steps.map((_, at) => ofStep(book, chapter, steps, at));
  });
}

process.stdout.write(JSON.stringify(pages.map(ofPage)));
