// The explanation of a number at which the reader points: its sources, and the results that it
// affects, lit in the tables of the step and written below them. A tap and the arrow keys do the
// same.

import { cellAt, indexOfCell } from "./arrays.js";
import { createChain } from "./chain.js";
import { h } from "./dom.js";
import { entriesOfStep, isResult } from "./factors.js";
import { drawPlot, plotOf } from "./function_plot.js";
import { getOrMake, indexAt, placeOf } from "./numbers.js";
import { cellName, Telling } from "./telling.js";
import { elementsOfStep, stepThatComputes } from "./whatif/elements.js";
import { Lost } from "./whatif/expressions.js";
import { followPaths } from "./whatif/gradient_paths.js";

/** @import { Card } from "./card.js" */
/** @import { Term } from "./formula.js" */
/** @import { Shown, Step } from "./payload.d.ts" */
/** @import { Page } from "./player.js" */
/** @import { Part } from "./whatif/derivative.js" */
/** @import { Found } from "./whatif/gradient_paths.js" */
/** @import { Saying, Target } from "./telling.js" */
/** @import { StepElements } from "./whatif/elements.js" */

/**
 * Elements as `value/place`: sources, elements among which one was chosen, and affected results.
 * @typedef {{ step: Step, from: Set<string>, among: Set<string>, to: Set<string> }} Lit
 */

const NAMED_ROLES = new Set(["rate", "constant"]); // numbers of the code, which no step shows
const GRADIENTS = new Set(["grad_out", "grad_in"]); // roles whose numbers have paths from the loss
const FIRST_SLICE = 40; // milliseconds until the first results are shown
const LONGEST = 400; // milliseconds for a search
const HASTE = 60; // milliseconds for an element while the reader only points at it
const PATIENCE = 1000;

/**
 * @param {Page} page
 * @param {() => Card[]} cardsNow
 */
export function createExplanation({ words, store, view, book, edits }, cardsNow) {
  const line = h("p.mp-terms", {
    role: "status",
    "aria-live": "polite",
    "data-idle": words.text("elementIdle"),
  });
  const chain = createChain(words, view, (nodes) => {
    store.set({ traced: nodes });
  });
  const { whatIf } = book;
  /** @type {{ key: string, elements: StepElements } | null} */
  let latest = null;
  /** @type {Target | null} */
  let told = null;
  let turn = 0; // number of the explanation; a job of an earlier one ends
  let isOpen = false; // whether all terms are listed
  let patience = PATIENCE;
  /** @type {Lit} */
  let lit = { step: view.step(), from: new Set(), among: new Set(), to: new Set() };

  // ----- the step -----

  /** @type {(at: number, entry: Shown) => StepElements} */
  function elementsOf(at, entry) {
    const { chapter, moved } = store.state;
    const named = NAMED_ROLES.has(entry.role) ? [entry] : [];
    const key = [chapter, at, moved, ...named.map(({ name }) => name)].join();
    if (latest?.key !== key) {
      const { steps } = book.chapter(chapter);
      latest = { key, elements: elementsOfStep(whatIf, chapter, steps, at, named) };
    }
    latest.elements.expressions.patience = patience;
    return latest.elements;
  }

  /** @param {number} value */
  const shapeOf = (value) => book.value(value).shape;

  // ----- results -----

  /** @param {Saying} said */
  function show({ start, terms = [], more = [], rest = { count: 0, total: 0 }, end = "" }) {
    /** @type {(term: Term, at: number) => (string | HTMLElement)[]} */
    const spanOf = ({ text, product, sign = "+" }, at) => [
      at ? ` ${sign} ` : "",
      h("span.mp-term", { "data-term": product }, text),
    ];
    const count = more.length + rest.count;
    const listed = h(
      "span",
      { hidden: !isOpen && "" },
      more.flatMap((term) => spanOf(term, 1)),
      rest.count > 0 && [
        " + ",
        h("span", { "data-rest": rest.total }, words.tell("elementMore", { count: rest.count })),
      ],
    );
    const knob = h(
      "button.mp-change",
      {
        hidden: isOpen && "",
        onclick() {
          isOpen = true;
          listed.hidden = false;
          knob.hidden = true;
        },
      },
      words.tell("elementMore", { count }),
    );
    line.replaceChildren(
      start,
      ...terms.flatMap(spanOf),
      ...(count ? [" + ", knob, listed] : []),
      end,
    );
  }

  /** @type {(target: Target, telling: Telling) => void} */
  function explainResult(target, telling) {
    const { said, cells, from, among } = telling.origin(target);
    light(telling.step, from, among, []);
    show(said);
    if (cells) line.append(h("span.mp-made-from", cells));
    const value = target.entry.value ?? 0;
    const isVariable = patience === PATIENCE && target.entry.role === "output";
    const plot =
      isVariable && plotOf(telling.elements, value, placeOf(target.index, shapeOf(value)));
    if (!plot) return;
    chain.fill(drawPlot(plot, target, words));
    bringBack(target);
  }

  /** Bring a number back into view after something has opened over it. @param {Target} target */
  function bringBack({ entry, index }) {
    const card = cardsNow().find((each) => each.entry === entry);
    cellAt(card?.element, index)?.scrollIntoView({ block: "nearest" });
  }

  // ----- operands -----

  /** @type {(target: Target, telling: Telling) => void} */
  function explainOperand(target, telling) {
    const { step, elements } = telling;
    const value = target.entry.value ?? 0;
    const place = placeOf(target.index, shapeOf(value));
    /** @type {{ result: Shown, at: number }[]} */
    const found = [];
    const seen = (/** @type {Shown} */ result) => {
      const card = cardsNow().find(({ entry }) => entry === result);
      return [...(card?.element.querySelectorAll(".mp-cell") ?? [])].map((cell) =>
        placeOf(indexOfCell(cell), shapeOf(result.value ?? 0)),
      );
    };
    function* collect() {
      for (const each of elements.actsOn({ value, at: place }, seen)) {
        if (each) found.push(each);
        yield;
      }
    }
    const update = (/** @type {IteratorResult<void, void>} */ { done }) => {
      light(step, [], [], found);
      show(telling.acts(target, found, !!done));
    };
    runInSlices(collect(), update, (work) => attempt(target, telling, work));
  }

  /**
   * Run a job between frames, until it ends, takes too long, or another element is asked for.
   * @template Result
   * @param {Generator<void, Result>} job
   * @param {(next: IteratorResult<void, Result>) => void} update  called after each slice
   * @param {(work: () => void) => void} guard  runs each slice
   */
  function runInSlices(job, update, guard) {
    const own = turn;
    let left = LONGEST;
    /** @param {number} slice */
    function work(slice) {
      if (own !== turn) return;
      const end = performance.now() + slice;
      let next = job.next();
      while (!next.done && performance.now() < end) next = job.next();
      left -= slice;
      update(next);
      if (!next.done && left > 0) requestAnimationFrame(() => guard(() => work(FIRST_SLICE / 4)));
    }
    guard(() => work(FIRST_SLICE));
  }

  // ----- the chain rule -----

  /** @param {Target} target */
  function explainChain({ entry, index }) {
    const { chapter, step } = store.state;
    const { steps } = book.chapter(chapter);
    const own = steps.findIndex((each) => entriesOfStep(each).includes(entry));
    /** @type {Map<number, StepElements>} */
    const known = new Map();
    const elementsAt = (/** @type {number} */ at) =>
      getOrMake(known, at, () => elementsOfStep(whatIf, chapter, steps, at));
    const place = placeOf(index, shapeOf(entry.value ?? 0));
    const job = followPaths(steps, own < 0 ? step : own, entry, place, elementsAt);
    const update = (/** @type {IteratorResult<void, Found>} */ next) => {
      if (!next.done) return;
      chain.show(next.value, cellName(entry.name, index));
      bringBack({ entry, index });
    };
    runInSlices(job, update, (work) => {
      try {
        work();
      } catch (error) {
        if (!(error instanceof Lost)) throw error; // explained again after the run
      }
    });
  }

  // ----- lights -----

  /** @type {(step: Step, from: Part[], among: Part[], to: { result: Shown, at: number }[]) => void} */
  function light(step, from, among, to) {
    const keysOf = (/** @type {Part[]} */ parts) =>
      new Set(parts.map(({ value, at }) => `${value}/${at}`));
    lit = {
      step,
      from: keysOf(from),
      among: keysOf(among),
      to: new Set(to.map(({ result, at }) => `${result.value}/${at}`)),
    };
    showLight();
    if (patience === PATIENCE) bringIntoView(step, from, to);
  }

  /**
   * Show lit numbers in tables that show a part of their array, unless a lit one is in view.
   * @type {(step: Step, from: Part[], to: { result: Shown, at: number }[]) => void}
   */
  function bringIntoView(step, from, to) {
    for (const { entry, element, show } of cardsNow()) {
      const { value } = entry;
      if (value === null || !entriesOfStep(step).includes(entry)) continue;
      if (element.querySelector("[data-lit]")) continue;
      const found = isResult(entry)
        ? to.find(({ result }) => result === entry)
        : from.find((part) => part.value === value);
      if (found) show(indexAt(found.at, shapeOf(value)));
    }
  }

  /** Mark the numbers that are lit in the tables. */
  function showLight() {
    const { step, from, among, to } = lit;
    for (const { entry, element } of cardsNow()) {
      const isShown = entriesOfStep(step).includes(entry);
      const cells = isShown ? ".mp-cell" : ".mp-cell:is([data-lit], [data-among])";
      for (const cell of element.querySelectorAll(cells)) {
        const key = `${entry.value}/${placeOf(indexOfCell(cell), shapeOf(entry.value ?? 0))}`;
        const result = isResult(entry);
        const isLit = isShown && (result ? to : from).has(key);
        if (isLit) cell.setAttribute("data-lit", result ? "to" : "from");
        else cell.removeAttribute("data-lit");
        cell.toggleAttribute("data-among", isShown && !result && among.has(key));
      }
    }
  }

  // ----- requests -----

  /**
   * Explain an element, or write why it cannot be explained.
   * @type {(target: Target, telling: Telling, explain: () => void) => void}
   */
  function attempt(target, telling, explain) {
    try {
      explain();
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      if (error.reason === "waiting") {
        line.replaceChildren(words.say("computing"));
        whatIf.ensureRun(view.chapter()); // after which it is explained again, perhaps at once
        return;
      }
      /** @type {Record<string, string>} */
      const own = { many: "elementLarge", hasty: "elementHasty", unlisted: "elementUnlisted" };
      const key = own[error.reason];
      const reason = key ? words.say(key) : words.of(edits.why(error.reason));
      show(telling.say("elementBare", target, { reason }));
    }
  }

  /** @param {Target} target */
  function explain(target) {
    const { entry } = target;
    const { steps } = view.payload();
    const own = steps.findIndex((step) => entriesOfStep(step).includes(entry));
    const at = own < 0 ? store.state.step : stepThatComputes(steps, own, entry); // or in the code
    if (!steps[at]) return;
    const isAsked = steps[at].shown.some((each) => "hidden" in each);
    const elements = whatIf.chapters[view.chapter()] ? elementsOf(at, entry) : null;
    const telling = new Telling(words, steps, at, elements, view.value);
    const reason = isAsked ? words.say("askHidden") : telling.refusal(entry);
    const tell = isResult(entry) ? explainResult : explainOperand;
    if (reason) show(telling.say("elementBare", target, { reason }));
    else attempt(target, telling, () => tell(target, telling));
  }

  return {
    element: h("div.mp-explained", chain.element, line),
    showLight,
    /**
     * Explain an element, or clear the explanation.
     * @param {Target | null} target
     * @param {boolean} isChosen  by more than pointing at it
     */
    show(target, isChosen) {
      patience = isChosen ? PATIENCE : HASTE;
      const same = target?.entry === told?.entry && target?.index.join() === told?.index.join();
      if (!same) isOpen = false;
      told = target;
      turn += 1;
      line.replaceChildren();
      light(view.step(), [], [], []);
      chain.fill();
      if (target && target.entry.value !== null && !view.doubtful) {
        explain(target);
        const isListed = whatIf.chapters[view.chapter()];
        if (isChosen && isListed && GRADIENTS.has(target.entry.role)) explainChain(target);
      }
    },
  };
}
