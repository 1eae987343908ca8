// What the number is made from, and what it acts on, at which the reader points: lit in the tables of
// the step, and told below them. Pointing, a tap and the arrow keys do the same.

import { h } from "./dom.js";
import { indexAt, nameOfValue, placeOf } from "./edit.js";
import { shownIn } from "./factors.js";
import { elementAt, fillFormula, termsOfSum } from "./formula.js";
import { digitsOf } from "./moved.js";
import { appendTo } from "./numbers.js";
import { elementsOfStep, endsCall, isResult } from "./whatif/elements.js";
import { Lost } from "./whatif/expressions.js";

/** @import { Card } from "./card.js" */
/** @import { Term } from "./formula.js" */
/** @import { Scalar, Shown, Slot, Step, Told } from "./payload.d.ts" */
/** @import { Page } from "./player.js" */
/** @import { Part } from "./whatif/derivative.js" */
/** @import { StepElements } from "./whatif/elements.js" */

/** @typedef {{ entry: Shown, index: number[] }} Target  an element of what a card shows */

/**
 * Elements as `value/place`: those that one is made from, those among which it was chosen, and those
 * that one acts on.
 * @typedef {{ step: Step, from: Set<string>, among: Set<string>, to: Set<string> }} Lit
 */

/** @type {Record<string, Scalar>} */
const ODD_TEXTS = { NaN: "nan", Infinity: "inf", "-Infinity": "-inf" };
const NAMED_ROLES = new Set(["rate", "constant"]); // numbers of the code, which no step shows
const MOST_TERMS = 30; // terms that are listed
const SPOKEN = 6; // terms, or numbers, that are told at once
const NAMED_CELLS = 4; // elements that are told one by one
const FIRST_SLICE = 40; // milliseconds until what is known is told
const LONGEST = 400; // milliseconds that are spent on looking for elements
const HASTE = 60; // milliseconds for an element while the reader only points at it
const PATIENCE = 1000;

/**
 * An element as Python writes it: `w[0, 1]`, `(x @ w)[2]`, or `loss` for a single number.
 * @type {(name: string, index: (number | string)[]) => string}
 */
export function cellName(name, index) {
  return index.length ? `${bracketed(name)}[${index.join(", ")}]` : name;
}

/** @param {string} name */
function bracketed(name) {
  let depth = 0;
  for (const letter of name) {
    depth += Number("([".includes(letter)) - Number(")]".includes(letter));
    if (letter === " " && !depth) return `(${name})`;
  }
  return name.startsWith("−") ? `(${name})` : name;
}

/**
 * Places along an axis as a slice, null where they are none.
 * @type {(row: number[], size: number) => string | null}
 */
function sliceOf(row, size) {
  const [first, last] = [row[0], row[row.length - 1]];
  if (row.length === 1) return `${first}`;
  if (last - first + 1 !== row.length) return null;
  return `${first || ""}:${last + 1 === size ? "" : last + 1}`;
}

/**
 * A set of elements: a slice, if it is one; a few by their names; null for many.
 * @type {(name: string, places: number[], shape: number[]) => string[] | null}
 */
export function namesOfCells(name, places, shape) {
  const indices = places.map((at) => indexAt(at, shape));
  const rows = shape.map((_, axis) =>
    [...new Set(indices.map((index) => index[axis]))].sort((one, other) => one - other),
  );
  const slices = rows.map((row, axis) => sliceOf(row, shape[axis]));
  const isWhole = rows.reduce((size, row) => size * row.length, 1) === places.length;
  if (isWhole && slices.every((slice) => slice !== null)) return [cellName(name, slices)];
  return places.length > NAMED_CELLS ? null : indices.map((index) => cellName(name, index));
}

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
  const { whatIf } = book;
  /** @type {{ key: string, elements: StepElements } | null} */
  let latest = null;
  /** @type {Target | null} */
  let told = null;
  let turn = 0; // to give up what is no longer asked
  let isOpen = false; // whether all terms are listed
  let patience = PATIENCE;
  /** @type {Lit} */
  let lit = { step: view.step(), from: new Set(), among: new Set(), to: new Set() };

  /** @type {(key: string, slots: Record<string, Slot>) => Told} */
  const message = (key, slots) => ({ [words.lang]: words.say(key), slots });

  /** @type {(key: string, slots?: Record<string, Slot>) => string} */
  const tell = (key, slots = {}) => words.of(message(key, slots));

  /** @type {(items: string[], last?: string) => string} */
  const rowOf = (items, last = "rowAnd") =>
    items.reduce((row, next, at) =>
      tell(at === items.length - 1 ? last : "rowNext", { row, next }),
    );

  /** @type {(sets: [name: string, places: number[], shape: number[]][]) => string} */
  const describe = (sets) =>
    rowOf([
      ...new Set(
        sets.map(([name, places, shape]) => {
          const names = namesOfCells(name, places, shape);
          if (names) return rowOf(names, "rowNext");
          return tell("elementCounted", { count: places.length, name });
        }),
      ),
    ]);

  /** @param {number} number */
  const text = (number) =>
    digitsOf(Number.isFinite(number) ? number + 0 : ODD_TEXTS[String(number)]);

  // ----- the step -----

  /**
   * The step that computes a value: the one that shows it, or an earlier one.
   * @param {Shown} entry
   */
  function stepOf(entry) {
    const { steps } = view.payload();
    const own = steps.findIndex((step) => shownIn(step).includes(entry));
    /** @type {(at: number) => boolean} */
    const computes = (at) =>
      steps[at].kind !== "save" &&
      steps[at].shown.some((each) => !isResult(each) && each.value !== null);
    if (own < 0) return store.state.step; // a number of the code
    if (computes(own) || !isResult(entry) || endsCall(steps[own])) return own;
    /** @type {(each: Shown) => boolean} */
    const isSame = (each) => isResult(each) && each.value === entry.value;
    for (let at = own - 1; at >= 0; at--) {
      if ((computes(at) || endsCall(steps[at])) && steps[at].shown.some(isSame)) return at;
    }
    return own;
  }

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

  /** @type {(at: number, value: number) => string} */
  function nameOf(at, value) {
    const { steps } = view.payload();
    return nameOfValue([steps[at]], value) || nameOfValue(steps.slice(0, at), value);
  }

  /** @type {(name: string, places: number[], value: number) => [string, number[], number[]]} */
  const setOf = (name, places, value) => [name, places, shapeOf(value)];

  /** @param {number} value */
  const shapeOf = (value) => book.value(value).shape;

  /** @type {(at: number, part: { value: number, at: number }) => string} */
  const nameOfPart = (step, { value, at }) =>
    cellName(nameOf(step, value), indexAt(at, shapeOf(value)));

  // ----- sentences -----

  /** @param {Target} target */
  function slotsOf({ entry, index }) {
    const { data } = view.value(entry.value ?? 0);
    const number = data === null ? "" : digitsOf(elementAt(data, index));
    return { element: cellName(entry.name || words.say(entry.role), index), value: number };
  }

  /** @param {Target} target */
  const isGradient = ({ entry }) => entry.role === "grad_out";

  /** @type {(target: Target, reason: string) => void} */
  function tellNothing(target, reason) {
    line.replaceChildren(tell("elementBare", { ...slotsOf(target), reason }));
  }

  /** @type {(parts: Part[], at: number) => string} */
  function numbersOf(parts, at) {
    const items = parts
      .slice(0, SPOKEN)
      .map((part) => `${nameOfPart(at, part)} = ${text(part.number)}`);
    const more = parts.length - items.length;
    return rowOf(more ? [...items, tell("elementMore", { count: more })] : items);
  }

  /**
   * The right side of the formula of a result with the numbers of an element.
   * @type {(target: Target, step: Step) => string}
   */
  function filledFor({ entry, index }, step) {
    const { shape } = view.value(entry.value ?? 0);
    const values = new Map(step.terms.map(([name, value]) => [name, view.value(value)]));
    for (const { name, value } of step.shown) {
      if (value !== null) values.set(name, view.value(value));
    }
    const alike = step.shown.filter((each) => isResult(each) && each.name === entry.name);
    if (alike.length > 1) return "";
    if (step.formula.includes("= ")) {
      return fillFormula(step.formula, values, { index, shape }, entry.name) ?? "";
    }
    values.delete(entry.name); // the formula is then this
    return fillFormula(step.formula, values, { index, shape }) ?? "";
  }

  /** @type {(target: Target, terms: Term[], constant: number) => void} */
  function tellSum(target, terms, constant) {
    const { element, value } = slotsOf(target);
    const all = [...terms.slice(0, MOST_TERMS)];
    if (constant || !terms.length) all.push({ text: text(constant), product: constant });
    const rest = terms.slice(MOST_TERMS).reduce((sum, { product }) => sum + product, 0);
    /** @type {(term: Term, at: number) => (string | HTMLElement)[]} */
    const spanOf = ({ text: shown, product, sign = "+" }, at) => [
      at ? ` ${sign} ` : "",
      h("span.mp-term", { "data-term": product }, shown),
    ];
    const [spoken, more] = [all.slice(0, SPOKEN), all.slice(SPOKEN)];
    const count = terms.length - MOST_TERMS;
    const listed = h(
      "span",
      { hidden: !isOpen && "" },
      more.flatMap((term) => spanOf(term, 1)),
      count > 0 && [" + ", h("span", { "data-rest": rest }, tell("elementMore", { count }))],
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
      tell("elementMore", { count: more.length + Math.max(0, count) }),
    );
    line.replaceChildren(
      `${element} = `,
      ...spoken.flatMap(spanOf),
      ...(more.length ? [" + ", knob, listed] : []),
      all.length === 1 && all[0].text === value ? "" : ` = ${value}`,
    );
  }

  // ----- results -----

  /** @type {(target: Target, at: number) => void} */
  function explainResult(target, at) {
    const { steps } = view.payload();
    const step = steps[at];
    const value = target.entry.value ?? 0;
    const elements = elementsOf(at, target.entry);
    const place = placeOf(target.index, shapeOf(value));
    const { parts, linear, constant } = elements.origin(value, place);
    const turnOf = (/** @type {Part} */ part) => elements.order.indexOf(part.value);
    parts.sort((one, other) => turnOf(one) - turnOf(other) || one.at - other.at);
    const read = parts.filter(({ isRead }) => isRead);
    const [only] = read;
    const number = elements.numbers(value)[place];
    const isChosen =
      !linear.size &&
      read.length === 1 &&
      parts.length > 1 &&
      Math.abs(only.number - number) <= 1e-5 * Math.abs(number);
    light(step, read, isChosen ? parts : [], []);
    const chosen = { index: target.index, shape: shapeOf(value) };
    const { shown, phase, kind } = step;
    const isUpdate = phase === "optimize" || kind === "execute"; // of a Program, too
    if (isChosen) {
      const source = nameOfPart(at, only);
      const slots = { ...slotsOf(target), source, count: parts.length };
      line.replaceChildren(tell("elementChosen", slots));
      return;
    }
    const sum = isUpdate ? termsOfSum(shown, view.value, target.entry, chosen) : [];
    if (sum.length) tellSum(target, sum, 0);
    else if (linear.size) tellTerms(target, at, read, linear, constant);
    else tellOther(target, at, parts, read, number);
    const sets = elements.order.flatMap((each) => {
      const places = read.filter((part) => part.value === each).map((part) => part.at);
      return places.length ? [setOf(nameOf(at, each), places, each)] : [];
    });
    if (sets.length) {
      const cells = describe(sets);
      line.append(h("span.mp-made-from", tell("elementMadeFrom", { cells })));
    }
  }

  /** @type {(target: Target, at: number, read: Part[], linear: Set<number>, constant: number) => void} */
  function tellTerms(target, at, read, linear, constant) {
    const parts = read.filter(({ value }) => linear.has(value));
    parts.sort((a, b) => Math.abs(b.number * b.slope) - Math.abs(a.number * a.slope));
    const [only] = parts;
    if (!only && !constant) return tellZero(target, at, linear);
    if (parts.length > 1 || constant) return tellSum(target, parts.map(termOf), constant);
    const others = read.length > 1;
    const filled = others ? filledFor(target, view.payload().steps[at]) : "";
    const shown = only.slope === 1 ? nameOfPart(at, only) : filled;
    const term = termOf(only);
    tellSum(target, [shown ? { ...term, text: shown } : term], 0);
  }

  /** @type {(part: Part) => Term} */
  function termOf({ number, slope }) {
    const shown = slope === 1 ? text(number) : `${text(number)} × ${text(slope)}`;
    return { text: shown, product: number * slope + 0 };
  }

  /**
   * Nothing moves it: the term with a factor of 0, if there is one at its place.
   * @type {(target: Target, at: number, linear: Set<number>) => void}
   */
  function tellZero(target, at, linear) {
    const value = target.entry.value ?? 0;
    const own = [...linear].find((each) => shapeOf(each).join() === shapeOf(value).join());
    if (own === undefined) {
      const key = isGradient(target) ? "elementNothing" : "elementAlone";
      line.replaceChildren(tell(key, slotsOf(target)));
      return;
    }
    const number = elementsOf(at, target.entry).numbers(own)[placeOf(target.index, shapeOf(own))];
    tellSum(target, [{ text: `${text(number)} × 0`, product: 0 }], 0);
  }

  /** @type {(target: Target, at: number, parts: Part[], read: Part[], number: number) => void} */
  function tellOther(target, at, parts, read, number) {
    const slots = slotsOf(target);
    const step = view.payload().steps[at];
    const filled = parts.length ? filledFor(target, step) : "";
    if (filled) {
      line.replaceChildren(`${slots.element} = ${filled} = ${slots.value}`);
      return;
    }
    if (!parts.length && !isGradient(target)) return tellSum(target, [], number);
    if (!read.length) {
      line.replaceChildren(tell(parts.length ? "elementAlone" : "elementNothing", slots));
      return;
    }
    const { formula } = step;
    const others = step.shown.filter((each) => isResult(each) && each.name !== target.entry.name);
    const isOwn = formula && others.every(({ name }) => !formula.startsWith(`${name} `));
    const numbers = numbersOf(read, at);
    line.replaceChildren(
      tell(isOwn ? "elementFormula" : "elementFrom", { ...slots, numbers, formula }),
    );
  }

  // ----- operands -----

  /** @type {(target: Target, at: number) => void} */
  function explainOperand(target, at) {
    const step = view.payload().steps[at];
    const value = target.entry.value ?? 0;
    const elements = elementsOf(at, target.entry);
    const place = placeOf(target.index, shapeOf(value));
    /** @type {{ result: Shown, at: number }[]} */
    const found = [];
    const seen = (/** @type {Shown} */ result) => {
      const card = cardsNow().find(({ entry }) => entry === result);
      return [...(card?.element.querySelectorAll(".mp-cell") ?? [])].map((cell) =>
        placeOf(indexOfCell(cell), shapeOf(result.value ?? 0)),
      );
    };
    const job = elements.actsOn({ value, at: place }, seen);
    const own = turn;
    let left = LONGEST;
    /** @param {number} slice */
    function work(slice) {
      if (own !== turn) return;
      const end = performance.now() + slice;
      let next = job.next();
      for (; !next.done; next = job.next()) {
        if (next.value) found.push(next.value);
        if (performance.now() >= end) break;
      }
      left -= slice;
      light(step, [], [], found);
      tellActs(target, found, !!next.done);
      if (!next.done && left > 0)
        requestAnimationFrame(() => attempt(target, () => work(FIRST_SLICE / 4)));
    }
    work(FIRST_SLICE);
  }

  /** @type {(target: Target, found: { result: Shown, at: number }[], isAll: boolean) => void} */
  function tellActs(target, found, isAll) {
    const slots = slotsOf(target);
    /** @type {Map<Shown, number[]>} */
    const places = new Map();
    for (const { result, at } of found) appendTo(places, result, at);
    const rows = [...places].map(([{ name, value }, all]) => setOf(name, all, value ?? 0));
    const key = isAll ? "elementActs" : "elementActsAtLeast";
    if (rows.length) line.replaceChildren(tell(key, { ...slots, cells: describe(rows) }));
    else if (isAll) line.replaceChildren(tell("elementStill", slots));
    else tellNothing(target, words.say("elementLarge"));
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
   * Of tables that show a part of their array, show what is lit; not below the pointer.
   * @type {(step: Step, from: Part[], to: { result: Shown, at: number }[]) => void}
   */
  function bringIntoView(step, from, to) {
    for (const { entry, element, show } of cardsNow()) {
      const { value } = entry;
      if (value === null || !shownIn(step).includes(entry)) continue;
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
      const isShown = shownIn(step).includes(entry);
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

  // ----- what is asked -----

  /**
   * Explain an element, or say why that cannot be.
   * @type {(target: Target, explain: () => void) => void}
   */
  function attempt(target, explain) {
    try {
      explain();
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      if (error.reason === "waiting") {
        line.replaceChildren(words.say("computing"));
        whatIf.ensureRun(view.chapter()); // after which all is told anew, perhaps at once
        return;
      }
      /** @type {Record<string, string>} */
      const own = { many: "elementLarge", hasty: "elementHasty", unlisted: "elementUnlisted" };
      const reason = own[error.reason];
      tellNothing(target, reason ? words.say(reason) : words.of(edits.why(error.reason)));
    }
  }

  /** @param {Target} target */
  function explain(target) {
    const { entry } = target;
    const at = stepOf(entry);
    const { steps } = view.payload();
    const step = steps[at];
    const { dtype } = view.value(entry.value ?? 0);
    if (!step) return;
    const isAsked = step.shown.some((each) => "hidden" in each);
    if (isAsked) return tellNothing(target, words.say("askHidden"));
    if (!whatIf.chapters[view.chapter()]) return tellNothing(target, words.say("elementUnlisted"));
    if (step.kind === "seed")
      return tellNothing(target, words.say(isResult(entry) ? "elementSeed" : "elementAside"));
    const elements = elementsOf(at, target.entry);
    if (!elements.results.length) return tellNothing(target, words.say("elementNoStep"));
    if (/^(bool|u?int)/.test(dtype)) return tellNothing(target, tell("elementWhole", { dtype }));
    if (elements.isAside(entry)) return tellNothing(target, words.say("elementAside"));
    if (!isResult(entry)) return explainOperand(target, at);
    if (!elements.operands.length) return tellNothing(target, words.say("elementGiven"));
    explainResult(target, at);
  }

  return {
    element: line,
    showLight,
    /**
     * Tell of an element, or of none.
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
      if (target && target.entry.value !== null && !view.doubtful)
        attempt(target, () => explain(target));
    },
  };
}

/** @param {Element} cell */
export function indexOfCell(cell) {
  const text = /** @type {HTMLElement} */ (cell).dataset.index;
  return text ? text.split(",").map(Number) : [];
}
