// What if: the edits of a page, and their consequences.
//
// A chapter has instructions and leaves. A leaf holds numbers of the page, or results of an earlier
// chapter. An edit changes a leaf; its chapter runs again, and so does each later one that it
// reaches. The results are compared with a run without edits: a number that does not depend on an
// edit stays the recorded one to its last digit.

import { bytesIn } from "../bytes.js";
import { flatten, getOrMake, rmsOf, sizeOf, toNumber } from "../numbers.js";
import { Machine } from "./machine.js";
import { MEMORIES } from "./strided.js";
import { nestNumbers, summaryOf } from "./summary.js";

/** @import { ChapterProgram, Code, Data, LeafSource, Programs, Scalar, Text, Value } from "../payload.d.ts" */
/** @import { JsonNumber } from "./instructions.js" */

/**
 * A value as it is now. `was` are the recorded elements, if they differ; `stale` is the reason why
 * it could not be computed; `kink`: rounding may have decided about it.
 * @typedef {Value & { was?: Data | null, stale?: string, kink?: boolean }} Entry
 */

/** @typedef {[chapter: number, value: number, at: number, number: Scalar]} Edit */

/** @typedef {number[]} Numbers  of an array, in the order of their indices */

/** @typedef {Map<number, { lost: string, unsure: boolean }>} Doubts  by leaf */

/**
 * Result of a run in one array: its numbers, whether they depend on an edit, and what is wrong.
 * @typedef {object} Computed
 * @property {Numbers} numbers
 * @property {boolean} changed
 * @property {string} stale
 * @property {boolean} kink
 * @property {Numbers} [finer]  the numbers, computed with more digits
 */

/**
 * Results of a run in the arrays that others read, and the numbers of the leaves that are not as
 * they were recorded.
 * @typedef {object} Outcome
 * @property {Map<number, Computed>} arrays
 * @property {Map<number, JsonNumber[]>} given
 * @property {Doubts} doubts
 */

/**
 * Parts of a book that edits need.
 * @typedef {object} Shelf
 * @property {Programs | null} program
 * @property {(number: number) => Value} value
 */

const SLICE = 8; // milliseconds of work between two frames
const PAUSE = 100; // least milliseconds between two pictures of rounds that are being computed
/** Relative rounding error of each dtype. @type {Record<string, number>} */
const OFF = { float32: 1.2e-7, float64: 1e-14 };
const UNSURE_FROM = 1e-5; // error, relative to an array, from which rounding has decided something

/** A machine with the leaves of one chapter at a time. */
class Runner {
  /**
   * `exact` rounds as NumPy does. Otherwise there are more digits, and leaves are off by a little, as
   * if they had been rounded once more: what comes out may differ from the exact machine's by as much
   * as NumPy's may.
   * @param {Code} code
   * @param {boolean} exact
   */
  constructor({ code, arrays: kinds, fields }, exact) {
    this.kinds = kinds;
    this.exact = exact;
    /** @type {Code["arrays"]} */
    const finer = kinds.map(([dtype, shape]) => [dtype === "float32" ? "float64" : dtype, shape]);
    this.machine = new Machine({
      arrays: exact ? kinds : finer,
      code: /** @type {any[][]} */ (code),
      fields,
    });
    this.chapter = -1;
    /** @type {Map<number, JsonNumber[]>} */
    this.given = new Map(); // to the leaves, last
  }

  /** @type {(numbers: JsonNumber[], dtype: string) => JsonNumber[]} */
  read(numbers, dtype) {
    if (this.exact) return numbers;
    return numbers.map((each, at) => {
      const number = toNumber(each);
      const exact = dtype === "float32" ? Math.fround(number) : number;
      const off = Number.isInteger(number) ? 0 : (OFF[dtype] ?? 0);
      return exact * (1 + (at % 3 === 1 ? -off : off));
    });
  }

  /**
   * @param {number} chapter
   * @param {{ array: number, recorded: JsonNumber[], now: JsonNumber[] }[]} leaves
   * @param {Doubts} doubts
   * @param {number} [until]  array with which the run may end
   */
  *run(chapter, leaves, doubts, until) {
    const { machine } = this;
    yield* machine.build();
    const other = this.chapter !== chapter;
    this.chapter = chapter;
    /** @type {number[]} */
    const moved = [];
    for (const { array, recorded, now } of leaves) {
      if (!other && this.given.get(array) === now) continue; // most leaves stay as they are
      this.given.set(array, now);
      const [dtype] = this.kinds[array];
      if (other) machine.record(array, this.read(recorded, dtype));
      if (machine.give(array, this.read(now, dtype)) || other) moved.push(array);
    }
    for (const [array, doubt] of doubts) machine.doubt(array, doubt);
    yield* machine.run(moved, until);
  }
}

export class WhatIf {
  /** @param {Shelf} book */
  constructor(book) {
    this.book = book;
    const { codes = [], chapters = [] } = book.program ?? {};
    /** @type {Code[]} */
    this.codes = codes;
    /** @type {ChapterProgram[]} */
    this.chapters = chapters;
    this.arrays = chapters.map(({ values }) => new Map(values));
    this.inputs = chapters.map(
      ({ inputs }) => new Map(inputs.map(([value, ...where]) => [value, where])),
    );
    this.fixed = chapters.map(({ fixed }) => new Set(fixed));
    this.asked = arraysToRead(chapters);
    /** @type {Edit[]} what the user changed */
    this.edits = [];
    /** @type {Map<LeafSource, JsonNumber[]>} the numbers of leaves that travelled */
    this.travelled = new Map();
    /** @type {Map<string, Runner>} by code, exact and not */
    this.runners = new Map();
    /** @type {Map<number, Outcome>} with no edits, by chapter */
    this.recorded = new Map();
    /** @type {Map<number, Outcome>} of chapters that edits reach */
    this.outcomes = new Map();
    /** @type {Map<string, Entry>} */
    this.entries = new Map();
    this.viewed = 0; // chapter in view
    this.behind = Number.POSITIVE_INFINITY; // first chapter whose outcome is that of earlier edits
    this.isShown = true; // whether the edits have reached the chapter that the reader looks at
    /** @type {Generator<void, void> | null} */
    this.job = null;
    this.isSweep = false; // whether the job asks for losses alone, and waits for no one
    /** @type {(() => void)[]} */
    this.listeners = [];
  }

  // ----- edits -----

  /**
   * Return whether a value of a chapter can be changed, and the reason if not.
   * @param {number} chapter
   * @param {number} value
   * @returns {{ editable: boolean, array: number, chapter: number, why?: Text }}
   */
  canEdit(chapter, value) {
    const { program } = this.book;
    const [at, array] = this.inputs[chapter]?.get(value) ?? [chapter, -1];
    if (array >= 0 && this.book.value(value).data !== null) {
      return { editable: true, array, chapter: at };
    }
    const isConstant = this.chapters[chapter]?.names.some(([, each]) => each === value);
    const reason = isConstant ? "constant" : "computed";
    const why = program?.left_out ?? program?.why[reason] ?? {};
    return { editable: false, array: -1, chapter, why };
  }

  /**
   * Return a function that gives a large array its elements, if it is a leaf, whose elements the
   * page has.
   * @param {number} chapter
   * @param {number} value
   * @returns {(() => void) | null}
   */
  unfolding(chapter, value) {
    const [at, array] = this.inputs[chapter]?.get(value) ?? [chapter, -1];
    const leaf = this.chapters[at]?.leaves.find(([each]) => each === array);
    const whole = leaf?.[1].whole;
    if (whole === undefined) return null;
    const entry = this.book.value(value);
    if (entry.data !== null) return null;
    return () => {
      entry.data = nestNumbers(decodeNumbers(whole, entry.dtype), entry.shape, entry.dtype);
    };
  }

  /** Number of edits. */
  get changed() {
    return this.edits.length;
  }

  /**
   * Replace all edits; skip those that cannot be made, or that give the recorded number.
   * @param {Edit[]} edits  the last one at each place counts
   */
  load(edits) {
    this.edits = this.kept(edits);
    this.start();
  }

  /**
   * Return the edits that change a number, one for each place.
   * @param {Edit[]} edits
   */
  kept(edits) {
    /** @type {Map<string, Edit>} */
    const known = new Map();
    for (const [chapter, value, at, number] of edits) {
      const { editable, chapter: home } = this.canEdit(chapter, value);
      const recorded = editable ? flatten(this.book.value(value).data ?? [])[at] : undefined;
      const key = `${home}/${value}/${at}`;
      if (recorded === undefined || Object.is(recorded, number)) known.delete(key);
      else known.set(key, [home, value, at, number]);
    }
    return [...known.values()];
  }

  // ----- consequences -----

  /** Whether something is still to be computed. */
  get busy() {
    return this.job !== null && !this.isSweep;
  }

  /**
   * Compute the consequences of the edits, in slices between frames, in place of any earlier job.
   * @param {Generator<void, void>} job
   */
  start(job = this.recompute(), isSweep = false) {
    this.job = job;
    this.isSweep = isSweep;
    const go = () => {
      if (this.job === job && !this.work(SLICE)) onNextFrame(go);
    };
    if (isSweep) return onNextFrame(go);
    if (this.work(SLICE)) return;
    this.tell();
    onNextFrame(go);
  }

  /** Stop computing losses for `sweep`. */
  rest() {
    if (this.isSweep) this.job = null;
  }

  /**
   * Compute for some milliseconds; return whether all is done.
   * @param {number} milliseconds
   */
  work(milliseconds) {
    const end = performance.now() + milliseconds;
    while (this.job && performance.now() < end) {
      if (!this.job.next().done) continue;
      this.job = null;
      if (!this.isSweep) this.tell();
    }
    return this.job === null;
  }

  /**
   * Call a listener when something has been computed, or will take longer than a frame.
   * @param {() => void} listener
   */
  subscribe(listener) {
    this.listeners.push(listener);
  }

  tell() {
    for (const listener of this.listeners) listener();
  }

  /** Compute all chapters that edits reach, the first one first; publish them one by one. */
  *recompute() {
    const outcomes = new Map(this.outcomes);
    this.isShown = false;
    let after = 0; // time until which no more is shown
    for (const chapter of this.chapters.keys()) {
      const outcome = yield* this.follow(this.edits, outcomes, chapter);
      if (outcome) outcomes.set(chapter, outcome);
      else outcomes.delete(chapter);
      if (!outcome || chapter < this.viewed || performance.now() < after) continue;
      if (chapter + 1 < this.chapters.length) this.publish(outcomes, chapter + 1);
      after = performance.now() + PAUSE;
    }
    this.publish(outcomes, Number.POSITIVE_INFINITY);
    for (const [chapter, outcome] of outcomes) yield* this.check(chapter, outcome);
    this.entries.clear();
  }

  /**
   * Let the page show these outcomes; from chapter `behind` on they belong to earlier edits.
   * @type {(outcomes: Map<number, Outcome>, behind: number) => void}
   */
  publish(outcomes, behind) {
    this.outcomes = outcomes;
    this.behind = behind;
    this.isShown = true;
    this.entries.clear();
    this.tell();
  }

  /**
   * Run a chapter if edits reach it, after the outcomes of the chapters before it.
   * @param {Edit[]} all
   * @param {Map<number, Outcome>} outcomes
   * @param {number} chapter
   * @param {number} [until]  array with which the run may end
   * @returns {Generator<void, Outcome | null>}
   */
  *follow(all, outcomes, chapter, until) {
    const edits = all.filter(([home]) => home === chapter);
    const links = this.chapters[chapter].leaves.filter(
      ([, { of }]) => of && this.differs(outcomes, of),
    );
    if (!edits.length && !links.length) return null;
    yield* this.ensureRecorded(chapter);
    const given = this.changedLeaves(chapter, edits);
    /** @type {Doubts} */
    const doubts = new Map();
    for (const [array, { of }] of links) {
      const [from, what] = /** @type {[number, number]} */ (of);
      if (given.has(array)) continue;
      const { stale, kink } = outcomes.get(from)?.arrays.get(what) ?? { stale: "", kink: false };
      if (stale || kink) doubts.set(array, { lost: stale, unsure: kink });
      given.set(array, this.now(outcomes, from, what));
    }
    return yield* this.run(chapter, given, doubts, until);
  }

  /**
   * Compute the loss of a chapter for lists of edits, one after the other, until something else is
   * to be computed.
   * @param {number} chapter
   * @param {() => Edit[] | null} next  returns the next edits
   * @param {(loss: number, stale: string) => void} report
   */
  *sweep(chapter, next, report) {
    const value = this.chapters[chapter].loss ?? -1;
    const array = this.arrays[chapter].get(value) ?? -1;
    for (let edits = next(); edits; edits = next()) {
      const all = this.kept(edits);
      /** @type {Map<number, Outcome>} */
      const outcomes = new Map();
      for (let at = 0; at <= chapter; at += 1) {
        const outcome = yield* this.follow(all, outcomes, at, at === chapter ? array : undefined);
        if (outcome) outcomes.set(at, outcome);
      }
      const known = outcomes.get(chapter)?.arrays.get(array);
      const [loss] = known
        ? this.now(outcomes, chapter, array)
        : machineNumbers(this.book.value(value));
      report(toNumber(loss), known?.stale ?? "");
    }
  }

  /**
   * Run a chapter with more digits, to see where rounding decides.
   * @param {number} chapter
   * @param {Outcome} outcome
   */
  *check(chapter, { arrays, given, doubts }) {
    const { code, leaves } = this.chapters[chapter];
    const runner = this.runnerOf(code, false);
    const precise = new Map(given);
    for (const [array, { of }] of leaves) {
      const known = of && this.outcomes.get(of[0])?.arrays.get(of[1])?.finer;
      if (known && !doubts.has(array) && given.has(array)) precise.set(array, known);
    }
    yield* runner.run(chapter, this.leavesOf(chapter, precise), doubts);
    for (const [array, known] of arrays) {
      if (known.stale || !runner.machine.state(array).changed) continue;
      known.finer = runner.machine.numbers(array);
      known.kink ||= isRounding(known.numbers, known.finer);
    }
  }

  /**
   * Return the leaves of a chapter that edits change, with their numbers.
   * @param {number} chapter
   * @param {Edit[]} edits
   */
  changedLeaves(chapter, edits) {
    /** @type {Map<number, JsonNumber[]>} */
    const leaves = new Map();
    for (const [, value, at, number] of edits) {
      const { array } = this.canEdit(chapter, value);
      const numbers = leaves.get(array) ?? machineNumbers(this.book.value(value));
      numbers[at] = Number(number);
      leaves.set(array, numbers);
    }
    return leaves;
  }

  /**
   * Run a chapter, and the chapters that it reads, with the recorded numbers.
   * @param {number} chapter
   * @returns {Generator<void, void>}
   */
  *ensureRecorded(chapter) {
    if (this.recorded.has(chapter)) return;
    this.recorded.set(chapter, yield* this.run(chapter, new Map(), new Map()));
  }

  /**
   * Run a chapter with these numbers in some of its leaves, and the recorded ones in the others.
   * @param {number} chapter
   * @param {Map<number, JsonNumber[]>} given
   * @param {Doubts} doubts
   * @param {number} [until]  array with which the run may end, the only one that is then read
   * @returns {Generator<void, Outcome>}
   */
  *run(chapter, given, doubts, until) {
    const { code, leaves } = this.chapters[chapter];
    for (const [, { of }] of leaves) {
      if (of && this.valueOf(of) === null) yield* this.ensureRecorded(of[0]);
    }
    const runner = this.runnerOf(code, true);
    yield* runner.run(chapter, this.leavesOf(chapter, given), doubts, until);
    /** @type {Outcome["arrays"]} */
    const arrays = new Map();
    for (const array of until === undefined ? this.asked[chapter] : [until]) {
      const { changed, stale, kink } = runner.machine.state(array);
      const numbers = runner.machine.numbers(array);
      arrays.set(array, { numbers, changed, stale, kink: changed && kink });
    }
    return { arrays, given, doubts };
  }

  /** @type {(code: number, exact: boolean) => Runner} */
  runnerOf(code, exact) {
    const make = () => new Runner(this.codes[code], exact);
    return getOrMake(this.runners, `${code} ${exact}`, make);
  }

  /**
   * Return the leaves of a chapter, with their recorded and their current numbers.
   * @param {number} chapter
   * @param {Map<number, JsonNumber[]>} given
   */
  leavesOf(chapter, given) {
    const { code, leaves } = this.chapters[chapter];
    return leaves.map(([array, source]) => {
      const recorded = this.numbersOf(source, this.codes[code].arrays[array]);
      return { array, recorded, now: given.get(array) ?? recorded };
    });
  }

  /**
   * Return the recorded numbers of a leaf; those that the page has are decoded once.
   * @param {LeafSource} source
   * @param {[dtype: string, shape: number[]]} kind
   * @returns {JsonNumber[]}
   */
  numbersOf(source, [dtype, shape]) {
    const { value, whole, of } = source;
    if (of) {
      const known = this.valueOf(of);
      if (known !== null) return machineNumbers(this.book.value(known));
      return this.recorded.get(of[0])?.arrays.get(of[1])?.numbers ?? [];
    }
    return getOrMake(this.travelled, source, () =>
      value === undefined
        ? decodeNumbers(whole ?? "", dtype).slice(0, sizeOf(shape))
        : machineNumbers(this.book.value(value)),
    );
  }

  /**
   * Return the value of the page that is an array of a chapter, or null if it has no elements.
   * @param {[chapter: number, array: number]} where
   */
  valueOf([chapter, array]) {
    const known = this.chapters[chapter].values.find(([, each]) => each === array);
    return known && this.book.value(known[0]).data !== null ? known[0] : null;
  }

  /**
   * Return whether an array of a chapter differs from the recorded one.
   * @param {Map<number, Outcome>} outcomes
   * @param {[chapter: number, array: number]} where
   */
  differs(outcomes, [chapter, array]) {
    const now = outcomes.get(chapter)?.arrays.get(array);
    const before = this.recorded.get(chapter)?.arrays.get(array)?.numbers ?? [];
    return !!now && (!!now.stale || now.numbers.some((each, at) => !Object.is(each, before[at])));
  }

  /**
   * Return the numbers of a chapter's array; those that do not differ have their recorded digits.
   * @param {Map<number, Outcome>} outcomes
   * @param {number} chapter
   * @param {number} array
   * @returns {JsonNumber[]}
   */
  now(outcomes, chapter, array) {
    const computed = outcomes.get(chapter)?.arrays.get(array)?.numbers ?? [];
    const before = this.recorded.get(chapter)?.arrays.get(array)?.numbers ?? [];
    const value = this.valueOf([chapter, array]);
    const recorded = value === null ? before : machineNumbers(this.book.value(value));
    return computed.map((number, at) => (Object.is(number, before[at]) ? recorded[at] : number));
  }

  // ----- values of the page -----

  /**
   * Return a value as it is now: the recorded entry itself while no number differs.
   * @param {number} chapter
   * @param {number} value
   * @returns {Entry}
   */
  entry(chapter, value) {
    const recorded = this.book.value(value);
    const outcome = this.outcomes.get(chapter);
    if (!outcome || this.fixed[chapter].has(value)) return recorded;
    const make = () => this.entryOf(chapter, value, recorded, outcome);
    return getOrMake(this.entries, `${chapter}/${value}`, make);
  }

  /** @type {(chapter: number, value: number, recorded: Value, outcome: Outcome) => Entry} */
  entryOf(chapter, value, recorded, { arrays }) {
    const array = this.arrays[chapter].get(value);
    const computed = array === undefined ? undefined : arrays.get(array);
    if (array === undefined || !computed) return { ...recorded, stale: "measured" };
    const { stale, kink } = computed;
    if (stale) return { ...recorded, stale };
    if (!this.differs(this.outcomes, [chapter, array])) {
      return kink ? { ...recorded, kink } : recorded;
    }
    const { shape, dtype, data } = recorded;
    const numbers = this.now(this.outcomes, chapter, array).map(Number);
    const elements = data === null ? null : nestNumbers(numbers, shape, dtype);
    const stats = summaryOf(numbers, dtype);
    return { shape, dtype, data: elements, stats, was: data, ...(kink && { kink }) };
  }

  /**
   * Return the current and the recorded loss of a chapter, or null if it has none.
   * @param {number} chapter
   */
  loss(chapter) {
    const value = this.chapters[chapter]?.loss ?? null;
    if (value === null) return null;
    const [now, was] = [this.entry(chapter, value), this.book.value(value)].map(
      ({ data }) => flatten(data ?? [])[0],
    );
    const { stale } = this.entry(chapter, value);
    return { now: stale ? null : now, was };
  }

  /**
   * Return the value that is the gradient of another one, and its current number at a place; null
   * without a loss.
   * @type {(chapter: number, value: number, at: number) => { value: number, grad?: number } | null}
   */
  slope(chapter, value, at) {
    const grad = this.gradOf(chapter, value);
    if (grad === undefined || this.loss(chapter) === null) return null;
    return { value: grad, grad: this.numbersNow(chapter, grad)?.[at] };
  }

  /**
   * Return the current numbers of a value, or null if its chapter must run first.
   * @type {(chapter: number, value: number) => number[] | null}
   */
  numbersNow(chapter, value) {
    const entry = this.entry(chapter, value);
    if (entry.data !== null) return machineNumbers(entry).map(toNumber);
    return this.computed(chapter, this.arrays[chapter].get(value) ?? -1);
  }

  /**
   * Return the current numbers of a leaf, or null if its chapter must run first.
   * @type {(chapter: number, leaf: number) => number[] | null}
   */
  leafNow(chapter, leaf) {
    const { code, leaves } = this.chapters[chapter];
    const [, source] = leaves.find(([each]) => each === leaf) ?? [0, {}];
    const [home, array] = source.of ?? [chapter, -1];
    const value = source.of ? this.valueOf(source.of) : source.value;
    if (value != null) return this.numbersNow(home, value);
    if (source.of) return this.computed(home, array);
    return this.numbersOf(source, this.codes[code].arrays[leaf]).map(toNumber);
  }

  /** @type {(chapter: number, array: number) => number[] | null} */
  computed(chapter, array) {
    return this.runOf(chapter)?.arrays.get(array)?.numbers ?? null;
  }

  /** @param {number} chapter */
  runOf(chapter) {
    return this.outcomes.get(chapter) ?? this.recorded.get(chapter);
  }

  /**
   * Run a chapter for its numbers that the page lacks.
   * @param {number} chapter
   */
  ensureRun(chapter) {
    if (!this.busy && !this.recorded.has(chapter)) this.start(this.ensureRecorded(chapter));
  }

  /** @type {(chapter: number, value: number) => number | undefined} */
  gradOf(chapter, value) {
    return this.chapters[chapter]?.grads.find(([each]) => each === value)?.[1];
  }

  /**
   * Compute the gradient of a value that is too large to be in the page.
   * @type {(chapter: number, value: number) => void}
   */
  ensureGrad(chapter, value) {
    const grad = this.gradOf(chapter, value);
    const known = grad === undefined || this.book.value(grad).data !== null;
    if (!known) this.ensureRun(chapter);
  }
}

/**
 * Return the arrays of each chapter that values of the page and later chapters read.
 * @param {ChapterProgram[]} chapters
 */
function arraysToRead(chapters) {
  const asked = chapters.map(({ values }) => new Set(values.map(([, array]) => array)));
  for (const [, { of }] of chapters.flatMap(({ leaves }) => leaves)) {
    if (of) asked[of[0]].add(of[1]);
  }
  return asked;
}

/**
 * Return whether rounding has decided about numbers of an array.
 * @param {Numbers} numbers
 * @param {Numbers} finer  the same, computed with more digits
 */
function isRounding(numbers, finer) {
  const size = rmsOf(numbers.filter(Number.isFinite));
  return numbers.some((each, at) => {
    const apart = Math.abs(each - finer[at]);
    if (!Number.isFinite(apart)) return !Object.is(each, finer[at]);
    return apart > UNSURE_FROM * Math.max(size, Math.abs(each));
  });
}

/**
 * Return the elements of a value in the form that a machine reads.
 * @param {Value} value
 * @returns {JsonNumber[]}
 */
function machineNumbers({ data }) {
  return flatten(data ?? []).map((each) => (typeof each === "boolean" ? Number(each) : each));
}

/**
 * Decode numbers that the page has as bytes.
 * @param {string} text
 * @param {string} dtype
 * @returns {number[]}
 */
function decodeNumbers(text, dtype) {
  const Reader =
    dtype === "int64" ? BigInt64Array : dtype === "bool" ? Uint8Array : MEMORIES[dtype];
  return Array.from(new Reader(bytesIn(text).buffer), Number);
}

/** @type {(go: () => void) => void} */
function onNextFrame(go) {
  if (typeof requestAnimationFrame === "function") requestAnimationFrame(go);
  else setTimeout(go);
}
