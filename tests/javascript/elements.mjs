// What single elements are made from and act on, for tests in Python: reads and writes JSON.

import { readFileSync } from "node:fs";
import { plotOf } from "../../viz/player/web/function_plot.js";
import { indexAt, placeOf, sizeOf } from "../../viz/player/web/numbers.js";
import { Telling } from "../../viz/player/web/telling.js";
import { openBook } from "../../viz/player/web/unpack.js";
import { createWords } from "../../viz/player/web/words.js";
import { elementsOfStep, stepThatComputes } from "../../viz/player/web/whatif/elements.js";
import { followPaths } from "../../viz/player/web/whatif/gradient_paths.js";

const { pages, most, catalogue } = JSON.parse(readFileSync(0, "utf-8"));

/** All places of a value, or so many. */
function placesOf({ shape }) {
  const size = sizeOf(shape);
  const every = Math.max(1, Math.ceil(size / most));
  return Array.from({ length: Math.ceil(size / every) }, (_, at) => at * every);
}

const words = createWords(Object.keys(catalogue)[0], catalogue);

/** A sentence as a page shows it. */
function textOf({ start, terms = [], more = [], rest = { count: 0 }, end = "" }) {
  const told = terms.map(({ text, sign = "+" }, at) => (at ? ` ${sign} ${text}` : text));
  const count = more.length + rest.count;
  if (count) told.push(` + ${words.tell("elementMore", { count })}`);
  return start + told.join("") + end;
}

/** Each element with what is said of it, or why nothing is; `place` is that in the step. */
function explained({ book, chapter, steps }, at, step, entries, explain) {
  return entries.map((entry) => {
    const { value, name } = entry;
    const own = stepThatComputes(steps, at, entry);
    const elements = own === at ? step : elementsOfStep(book.whatIf, chapter, steps, own);
    const telling = new Telling(words, steps, own, elements, book.value);
    const { shape } = book.value(value);
    const found = placesOf(book.value(value)).map((at) => {
      const target = { entry, index: indexAt(at, shape) };
      const reason = telling.refusal(entry);
      try {
        const { said, ...more } = explain(telling, target, at);
        const told = reason ? telling.say("elementBare", target, { reason }) : said;
        return { at, ...more, said: textOf(told) };
      } catch (error) {
        if (!error.reason) throw error;
        return { at, reason: error.reason };
      }
    });
    return { value, name, place: placeIn(steps[at].shown, entry), elements: found };
  });
}

/** The place of a value, which the page may show in another order, among what a step has. */
const placeIn = (shown, { name, role, value }) =>
  shown.findIndex((each) => each.name === name && each.role === role && each.value === value);

/** The paths of a gradient from the loss: what each brings, and its factors. */
function chainOf({ book, chapter, steps }, at, { entry, index }) {
  const elementsOf = (step) => elementsOfStep(book.whatIf, chapter, steps, step);
  const place = placeOf(index, book.value(entry.value).shape);
  const job = followPaths(steps, at, entry, place, elementsOf);
  let next = job.next();
  while (!next.done) next = job.next();
  const { paths, ...rest } = next.value;
  const factorsOf = (passed) => [passed[0].number, ...passed.map(({ factor }) => factor)];
  const begins = (passed) => steps[passed[0].step].kind;
  return {
    ...rest,
    paths: paths.map(({ brings, passed, end }) => [
      brings,
      factorsOf(passed),
      begins(passed),
      steps[end].kind,
    ]),
  };
}

function ofStep(of, at) {
  const step = elementsOfStep(of.book.whatIf, of.chapter, of.steps, at);
  const place = at;
  const results = explained(of, at, step, step.results, (telling, target, at) => {
    const { parts, linear, constant } = telling.elements.origin(target.entry.value, at);
    const found = { parts, linear: [...linear], constant, said: telling.origin(target).said };
    if (target.entry.role === "grad_out") return { ...found, chain: chainOf(of, place, target) };
    return { ...found, plot: plotOf(telling.elements, target.entry.value, at) };
  });
  const { shown } = of.steps[at];
  const inOrder = step.operands.toSorted((...pair) => {
    const [one, other] = pair.map((entry) => placeIn(shown, entry));
    return one - other;
  });
  const operands = explained(of, at, step, inOrder, (telling, target, at) => {
    const { value } = target.entry;
    const found = [...step.actsOn({ value, at }, () => [])].filter((each) => each);
    return {
      acts: found.map(({ result, at }) => [step.results.indexOf(result), at]),
      said: telling.acts(target, found, true),
    };
  });
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
    return steps.map((_, at) => ofStep({ book, chapter, steps }, at));
  });
}

process.stdout.write(JSON.stringify(pages.map(ofPage)));
