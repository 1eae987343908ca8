// Questions of a page about the steps of a story: the question of a step, the parts that are hidden
// until it is answered, and the check of answers.

import { blueprintOf } from "./blueprint.js";
import { faceOf } from "./compose.js";
import { typedNumber, typedSizes } from "./edit.js";
import { elementAt } from "./formula.js";
import { briefly, flatten, rmsOf, shapeText, sizeOf } from "./numbers.js";

/** @import { Data, Graph, Payload, Said, Scalar, Shown, Step } from "./payload.d.ts" */
/** @import { Book, Spot } from "./unpack.js" */
/** @import { Entry } from "./whatif/what_if.js" */
/** @import { Words } from "./words.js" */

/** @typedef {ReturnType<typeof createQuestions>} Questions */
/** @typedef {"value" | "sign" | "shape" | "next"} Asks */
/** @typedef {"minus" | "zero" | "plus"} Sign */

/**
 * @typedef {object} Question
 * @property {Asks} ask
 * @property {number} number  index of the step among those of all chapters
 * @property {Shown} entry  the value in question
 * @property {string} of  name of the value, with the place of the element
 * @property {{ index: number[], shape: number[] } | null} element
 * @property {number | number[] | Sign | string} truth  a number, sizes, a sign, a box
 * @property {number} [rms]  root mean square of the array of a number
 * @property {string[]} choices  signs or boxes
 * @property {string[]} hidden  wires that would show the answer
 */

/**
 * State that questions depend on.
 * @typedef {object} AskState
 * @property {boolean} quiz  whether steps ask questions
 * @property {ReadonlySet<number>} answered  indices of the steps whose questions are answered
 * @property {number} stopped  counts the attempts to step past a question
 */

/** @type {Asks[]} */
export const ASKS = ["value", "sign", "shape", "next"];
/** @type {Sign[]} */
const ANSWER_SIGNS = ["minus", "zero", "plus"];
const BACKWARD = new Set(["visit", "unbroadcast", "accumulate", "return"]);
const RESULTS = new Set(["grad_out", "after"]);
const BY_HAND = 64; // maximum size of arrays from which an element is computed by hand
const NEAR_ENOUGH = 0.01; // maximum relative error of an answer
const MOST_CHOICES = 4;

/**
 * Return a function that draws numbers from 0 to 1, which depend on a seed and a step only.
 * @type {(seed: number, step: number) => () => number}
 */
export function chance(seed, step) {
  let state = Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(step + 1, 0x85ebca6b);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * @template T
 * @param {T[]} list
 * @param {() => number} draw
 * @returns {T[]}
 */
function shuffle(list, draw) {
  return list
    .map((each) => ({ each, at: draw() }))
    .sort((a, b) => a.at - b.at)
    .map(({ each }) => each);
}

/** @param {Step} step */
const results = (step) =>
  step.shown.filter(
    ({ role, value }) =>
      value !== null && (step.phase === "forward" ? role === "output" : RESULTS.has(role)),
  );

/** @param {Step} step */
export const asksByItself = (step) => step.phase === "backward" && BACKWARD.has(step.kind);

/**
 * @param {Data | null} data
 * @returns {data is Data}
 */
const isNumbers = (data) => data !== null && flatten(data).every((n) => typeof n === "number");

/**
 * Return the wires that backward steps use, with the numbers of their ends.
 * @type {(graph: Graph, steps: Step[]) => { id: string, source: number, target: number }[]}
 */
function backwardWires({ wires, wire_ids }, steps) {
  const used = new Set(steps.flatMap(({ phase, edges }) => (phase === "backward" ? edges : [])));
  const all = wires.map(([source, target], k) => ({ id: wire_ids[k], source, target }));
  return all.filter(({ id }) => used.has(id));
}

/**
 * Return the wires from a box that later backward steps use, and their targets.
 * @param {Payload} payload
 * @param {number} at
 * @param {string} box
 */
export function waysOn({ graph, steps }, at, box) {
  const later = backwardWires(graph, steps.slice(at + 1));
  const onward = later.filter(({ source }) => graph.ids[source] === box);
  const targets = new Set(onward.map(({ target }) => graph.ids[target]));
  return { wires: onward.map(({ id }) => id), targets: [...targets] };
}

/**
 * Return the question of a step, or null if it can have none of these kinds; `entryOf` returns the
 * current values, which edits may have changed.
 * @type {(payload: Payload, at: number, number: number, asks: Asks[], seed: number, label: (box: string) => string, entryOf: (value: number) => Entry) => Question | null}
 */
export function questionOf(payload, at, number, asks, seed, label, entryOf) {
  const step = payload.steps[at];
  const draw = chance(seed, number);
  const [entry] = shuffle(results(step), draw);
  if (!entry || entry.value === null) return null;
  const { data, shape, stale } = entryOf(entry.value);
  const given = step.shown.filter(({ role }) => role === "grad_in" || role === "input");
  const small = given.every(
    ({ value }) => value === null || sizeOf(entryOf(value).shape) <= BY_HAND,
  );
  const index = shape.map((size) => Math.floor(draw() * size));
  const whole = !stale && isNumbers(data) && sizeOf(shape) > 0;
  const found = whole ? Number(elementAt(data, index)) : 0;
  const ways = waysOn(payload, at, entry.node ?? "");
  /** @type {Omit<Question, "ask" | "truth">} */
  const common = { number, entry, of: entry.name, element: null, choices: [], hidden: [] };
  const named = `${entry.name}${index.length ? shapeText(index) : ""}`;
  const ofElement = { ...common, of: named, element: { index, shape } };
  /** @type {Record<Asks, () => Question | null>} */
  const kinds = {
    value() {
      if (!whole || !small || sizeOf(shape) > BY_HAND) return null;
      return { ...ofElement, ask: "value", truth: found, rms: rmsOf(flatten(data).map(Number)) };
    },
    sign() {
      const truth = ANSWER_SIGNS[Math.sign(found) + 1];
      return whole ? { ...ofElement, ask: "sign", truth, choices: ANSWER_SIGNS } : null;
    },
    shape: () => (shape.length ? { ...common, ask: "shape", truth: shape } : null),
    next() {
      const [truth, ...more] = ways.targets;
      const others = otherTargets(payload, truth, label, draw);
      if (truth === undefined || more.length || !others.length || step.phase === "forward") {
        return null;
      }
      const choices = shuffle([truth, ...others], draw);
      return { ...common, ask: "next", truth, choices, hidden: ways.wires };
    },
  };
  for (const ask of shuffle(asks, draw)) {
    const question = kinds[ask]();
    if (question) return question;
  }
  return null;
}

/**
 * Return boxes that gradients go to, with labels other than the right answer's.
 * @type {(payload: Payload, truth: string | undefined, label: (box: string) => string, draw: () => number) => string[]}
 */
function otherTargets({ graph, steps }, truth, label, draw) {
  if (truth === undefined) return [];
  const targets = backwardWires(graph, steps).flatMap(({ target }) =>
    laneOf(graph, target) === "backward" ? [graph.ids[target]] : [],
  );
  /** @type {Map<string, string>} */
  const byLabel = new Map([[label(truth), truth]]);
  for (const box of shuffle([...new Set(targets)], draw)) {
    if (!byLabel.has(label(box))) byLabel.set(label(box), box);
  }
  return [...byLabel.values()].slice(1, MOST_CHOICES);
}

/** @type {(graph: Graph, box: number) => string | undefined} */
const laneOf = ({ looks, look }, box) => looks[look[box]]?.lane;

// ----- answers -----------------------------------------------------------------------------------

/**
 * Return a typed number, or a quotient such as 1/6, as a number; null for other texts.
 * @param {string} text
 */
export function numberGiven(text) {
  const [top, below = 1, ...more] = text.split("/").map((part) => typedNumber(part, "float"));
  const number = (top ?? Number.NaN) / (below ?? Number.NaN);
  return more.length || !Number.isFinite(number) ? null : number;
}

/**
 * Return a typed or chosen answer, or null if it cannot be read.
 * @type {(question: Question, text: string) => number | number[] | string | null}
 */
export function readAnswer({ ask, choices }, text) {
  if (ask === "value") return numberGiven(text);
  if (ask === "shape") return typedSizes(text);
  return choices.includes(text) ? text : null;
}

/**
 * Return whether an answer is right; a number may be off by a hundredth of itself, or of the root
 * mean square of its array if that is larger.
 * @type {(question: Question, given: number | number[] | string) => boolean}
 */
export function isRight({ ask, truth, rms = 0 }, given) {
  if (ask === "value") {
    const near = NEAR_ENOUGH * Math.max(Math.abs(Number(truth)), rms);
    return Math.abs(Number(given) - Number(truth)) <= near;
  }
  return String(given) === String(truth);
}

/**
 * Return the truth, or an answer, as text.
 * @type {(question: Question, answer: Question["truth"], name: (key: string) => string) => string}
 */
export function inWords({ ask }, answer, name) {
  if (ask === "shape") return shapeText(/** @type {number[]} */ (answer));
  return ask === "value" ? briefly(/** @type {Scalar} */ (answer)) : name(String(answer));
}

// ----- questions of a page -----------------------------------------------------------------------

/**
 * Return the label of a box, in all languages.
 * @type {(graph: Graph, box: string) => Said}
 */
function labelOf(graph, box) {
  const item = blueprintOf(graph).named.get(box);
  return item ? faceOf(item).label : box;
}

/**
 * Return functions that make the questions of a book, and its steps as shown before an answer.
 * @param {Book} book
 * @param {Words} words
 */
export function createQuestions(book, words) {
  const spec = book.ask?.kind === "quiz" ? book.ask : null;
  const wanted = spec?.steps ? new Set(spec.steps) : null;
  /** @type {Map<number, Question | null>} */
  const known = new Map();
  book.whatIf.subscribe(() => known.clear()); // edits change the truth
  /** @type {{ payload: Payload, question: Question, lang: string, masked: Payload } | null} */
  let latest = null;

  /**
   * @param {Spot} spot
   * @returns {Question | null}
   */
  function at({ chapter, step }) {
    const number = book.indexOf({ chapter, step });
    const found = known.get(number);
    if (found !== undefined) return found;
    const payload = book.chapter(chapter);
    const own = payload.steps[step];
    const asks = own && (wanted ? wanted.has(number) : asksByItself(own));
    const name = (/** @type {string} */ box) => JSON.stringify(labelOf(payload.graph, box));
    const question = asks
      ? questionOf(payload, step, number, spec?.asks ?? ASKS, spec?.seed ?? 0, name, (value) =>
          book.whatIf.entry(chapter, value),
        )
      : null;
    known.set(number, question);
    return question;
  }

  /**
   * Return the question at a step if it is open, else null.
   * @param {Spot & AskState} state
   */
  function open({ quiz, answered, ...spot }) {
    const question = quiz ? at(spot) : null;
    return question && !answered.has(question.number) ? question : null;
  }

  /**
   * Return the first step in a range whose question is open, or -1.
   * @type {(state: Spot & AskState, from: number, to: number) => number}
   */
  function firstOpen(state, from, to) {
    for (let step = from; step < to; step += 1) if (open({ ...state, step })) return step;
    return -1;
  }

  /** @type {(payload: Payload, step: number, question: Question) => Step} */
  function maskStep(payload, step, question) {
    const whole = payload.steps[step];
    const box = whole.nodes.at(-1) ?? "";
    const told = question.ask === "next" ? [] : results(whole);
    const shown = whole.shown.map((entry) =>
      told.includes(entry) ? { ...entry, value: null, check: undefined, hidden: true } : entry,
    );
    const text = words.tell("askFirst", { box: words.of(labelOf(payload.graph, box)) });
    const masks = Object.keys(whole.text).map((lang) => [lang, text]);
    return { ...whole, text: Object.fromEntries(masks), shown };
  }

  return {
    open,
    /**
     * Return the question of a step, open or not, if questions are asked.
     * @param {Spot & AskState} state
     */
    at: ({ quiz, ...spot }) => (quiz ? at(spot) : null),
    /**
     * Return the parts of the drawing that would show the answer.
     * @param {Spot & AskState} state
     */
    hidden(state) {
      const question = open(state);
      const { ask, hidden = [] } = question ?? {};
      return { boxes: ask === "shape", wires: hidden, results: !!ask && ask !== "next" };
    },
    /**
     * Return whether a chapter has an open question, from the current step on.
     * @type {(chapter: number, state: Spot & AskState) => boolean}
     */
    ahead(chapter, state) {
      const from = chapter === state.chapter ? state.step : 0;
      const { length } = state.quiz ? book.chapter(chapter).steps : [];
      return firstOpen({ ...state, chapter }, from, length) >= 0;
    },
    /**
     * Return a payload without the answer of an open question.
     * @type {(payload: Payload, state: Spot & AskState & { lang: string }) => Payload}
     */
    hide(payload, state) {
      const [question, { lang }] = [open(state), state];
      if (!question) return payload;
      const known = latest?.payload === payload && latest.question === question;
      if (!latest || !known || latest.lang !== lang) {
        const steps = payload.steps.with(state.step, maskStep(payload, state.step, question));
        latest = { payload, question, lang, masked: { ...payload, steps } };
      }
      return latest.masked;
    },
    /**
     * Rule of the store: the reader cannot step past an open question of a chapter.
     * @type {(now: Spot & AskState & { playing: boolean }, before: Spot & AskState) => Partial<Spot & AskState & { playing: boolean }>}
     */
    rule(now, before) {
      if (!now.quiz || now.chapter !== before.chapter || now.step <= before.step) return {};
      const step = firstOpen(now, before.step, now.step);
      return step < 0 ? {} : { step, playing: false, stopped: now.stopped + 1 };
    },
  };
}
