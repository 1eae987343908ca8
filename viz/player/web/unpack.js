// A book as it travelled (viz/player/pack.py): its chapters, each unpacked when it is looked at.

import { WhatIf } from "./what_if.js";

/** @import { Cost, Graph, Num, Packed, PackedChapter, PackedSlot, PackedValue, Payload, Shown, Slot, Stats, Step, Told, Track, Value } from "./payload.d.ts" */

/**
 * Where a step is: its chapter, and its number there.
 * @typedef {{ chapter: number, step: number }} Spot
 */

/**
 * What is known of a chapter before it is unpacked: the number of its first step among those of all
 * chapters, how many it has, and which of them tell of memory alone.
 * @typedef {object} Outline
 * @property {number | null} round
 * @property {Graph} graph
 * @property {number} way  chapters of one way have the same steps, but for their numbers
 * @property {number} first
 * @property {number} count
 * @property {number[]} ofMemory
 */

/** @typedef {ReturnType<typeof openBook>} Book */

/** @typedef {ReturnType<typeof createReader>} Reader */

const OPEN = 2; // chapters that stay unpacked: who steps to and fro between two waits for neither

/**
 * Takes the next few things of a list.
 * @template T
 * @param {T[]} list
 */
function taker(list) {
  let taken = 0;
  /** @param {number} count */
  return (count) => {
    taken += count;
    return list.slice(taken - count, taken);
  };
}

/**
 * @param {Packed} packed
 */
export function openBook(packed) {
  const { tables, rounds } = packed;
  const reader = createReader(packed);
  /** @type {Outline[]} */
  const chapters = packed.chapters.map(({ round, graph, way, first, memory }) => ({
    round,
    graph: packed.graphs[graph].graph,
    way,
    first,
    count: tables.ways[way].length,
    ofMemory: tables.memory[memory].steps,
  }));
  /** @type {Map<number, Payload>} */
  const unpacked = new Map();
  const count = chapters.reduce((sum, chapter) => sum + chapter.count, 0);
  return {
    title: packed.title,
    note: packed.note,
    leftOut: packed.left_out,
    /** The two rounds that alone have all elements, counted from 1, if not all fit. */
    whole: packed.whole && { first: packed.whole[0] + 1, last: packed.whole[1] + 1 },
    rounds,
    ask: packed.ask ?? null,
    parameters: packed.parameters,
    problems: packed.problems,
    /** Which gradients finite differences have not measured, and why. */
    unmeasured: packed.unmeasured,
    sources: packed.sources,
    chapters,
    /** The number of steps. */
    count,
    /** Whether any chapter knows who holds memory, and whether any has steps that tell of it. */
    hasMemory: tables.memory.some(({ rows }) => rows.length),
    tellsMemory: tables.memory.some(({ steps }) => steps.length),
    /** What is open at first in any of the graphs. */
    open: new Set(packed.graphs.flatMap(({ open }) => open)),
    /** Where a page opens: at the first round. */
    start: {
      chapter: Math.max(
        0,
        chapters.findIndex(({ round }) => round !== null),
      ),
      step: 0,
    },
    /** The lines of code that steps of any chapter come from. */
    lines: tables.moves.flatMap(([, , , line]) => (line ? [line] : [])),
    /** @param {number} number */
    linesOf: (number) =>
      tables.ways[chapters[number].way].flatMap((move) => {
        const [, , , line] = tables.moves[move];
        return line ? [line] : [];
      }),
    phases: new Set(tables.moves.map(([act]) => tables.acts[act][0])),
    /** The chapters as they travelled, for who looks at one thing in all of them. */
    packed: packed.chapters,
    tables,
    value: reader.value,
    /** What follows from other numbers. */
    whatIf: new WhatIf({ program: packed.what_if, value: reader.value }),
    /**
     * @param {number} number
     * @returns {Payload}
     */
    chapter(number) {
      const known = unpacked.get(number) ?? reader.chapter(packed.chapters[number]);
      unpacked.delete(number); // the one that was asked for last stands last
      unpacked.set(number, known);
      for (const old of [...unpacked.keys()].slice(0, -OPEN)) unpacked.delete(old);
      return known;
    },
    /**
     * The index of a step among those of all chapters, as in `trace.steps`: readers count from 1.
     * @param {Spot} spot
     */
    indexOf: ({ chapter, step }) => (chapters[chapter]?.first ?? 0) + step,
    /**
     * Where the step with an index is; the nearest one, if there is none.
     * @param {number} number
     * @returns {Spot}
     */
    spotOf(number) {
      const at = Math.max(0, Math.min(count - 1, number));
      const chapter = Math.max(
        0,
        chapters.findLastIndex(({ first, count }) => count > 0 && first <= at),
      );
      return { chapter, step: at < 0 ? 0 : at - chapters[chapter].first };
    },
  };
}

/**
 * Reads what stands in tables.
 * @param {Packed} packed
 */
function createReader(packed) {
  const { tables } = packed;
  const { acts, words, templates, said, pieces, kinds, moves } = tables;
  /** @type {Value[]} */
  const values = []; // with gaps where no chapter that was unpacked has one

  /**
   * @param {PackedValue} row
   * @returns {Value}
   */
  function readValue([kind, data, numbers]) {
    const { shape, dtype, counts, stats } = kinds[kind];
    /** @type {Stats} */
    const all = Object.fromEntries(stats.map((name, k) => [name, numbers[k]]));
    return { shape, dtype, data, stats: { ...all, ...counts } };
  }

  /** @param {number} number */
  function value(number) {
    values[number] ??= readValue(packed.values[number]);
    return values[number];
  }

  /** @typedef {(count: number) => string[]} Numbers  takes the next few */

  /**
   * A name or a formula; it takes as many numbers as it tells.
   * @type {(place: number, take: Numbers) => string}
   */
  function readName(place, take) {
    const row = pieces[place];
    const numbers = take(Math.max(-1, ...row.filter(Number.isInteger).map(Number)) + 1);
    return row.map((piece) => (typeof piece === "number" ? numbers[piece] : piece)).join("");
  }

  /**
   * A message; values that it tells are those of its step.
   * @type {(row: PackedSlot[], take: Numbers, values: (number | null)[]) => Told}
   */
  function readMessage([place, ...held], take, values) {
    const { slots, ...texts } = templates[Number(place)];
    if (!slots.length) return texts;
    const rows = held.map((each, at) => [slots[at], readSlot(each, take, values)]);
    return { ...texts, slots: Object.fromEntries(rows) };
  }

  /** @type {(held: PackedSlot, take: Numbers, values: (number | null)[]) => Slot} */
  function readSlot(held, take, values) {
    if (typeof held === "number") return readName(held, take);
    if (Array.isArray(held)) return readMessage(held, take, values);
    if ("value" in held) return { value: values[held.value] ?? -1 };
    if ("constant" in held) return { constant: readName(held.constant, take) };
    const { count, row } = held;
    return row === undefined ? count : { count, row: readSlot(row, take, values) };
  }

  /**
   * All that a chapter says, one text after the other.
   * @param {PackedChapter} chapter
   */
  function tellerOf(chapter) {
    const next = taker(tables.texts[chapter.texts]);
    const numbers = taker(tables.numbers[chapter.numbers].split(" "));
    return {
      name: () => readName(next(1)[0], numbers),
      /** @param {(number | null)[]} values */
      message: (values) => readMessage(said[next(1)[0]], numbers, values),
    };
  }

  /** @typedef {ReturnType<typeof tellerOf>} Teller */

  /** @type {(chapter: PackedChapter, graph: Graph, tell: Teller) => Step[]} */
  function readSteps(chapter, graph, tell) {
    const [named, told] = [taker(chapter.values), taker(chapter.further)];
    for (const number of [...chapter.values, ...chapter.further])
      if (number !== null) value(number);
    const steps = tables.ways[chapter.way].map((move) => {
      const [act, nodes, edges, line, forward, terms, entries, further] = moves[move];
      const [phase, kind] = acts[act];
      const own = named(terms + entries.length);
      const text = tell.message([...own, ...told(further)]);
      const formula = tell.name();
      const shownValues = taker(own);
      return {
        phase,
        kind,
        nodes: nodes.map((name) => nameIn(graph.ids, name)),
        edges: edges.map((name) => nameIn(graph.wire_ids, name)),
        text,
        line,
        forward_line: forward,
        formula,
        terms: shownValues(terms).map(
          (number) => /** @type {[string, number]} */ ([tell.name(), number ?? -1]),
        ),
        shown: entries.map(([role, node, sign]) => ({
          name: tell.name(),
          role: words[role],
          node: node === null ? null : nameIn(graph.ids, node),
          value: shownValues(1)[0],
          ...(sign ? { sign: tell.name() } : {}),
        })),
      };
    });
    for (const [step, at, number, agrees, place, numbers] of chapter.checks) {
      if (number !== null) value(number);
      /** @type {Shown} */ (steps[step].shown[at]).check = {
        value: number,
        agrees,
        text: readMessage(said[place], taker(numbers), []),
      };
    }
    return steps;
  }

  /** @type {(chapter: PackedChapter, graph: Graph, tell: Teller) => Track[]} */
  function readTracks({ statistics: [number, told] }, graph, tell) {
    const things = taker(told);
    /** @type {(steps: number[]) => [number, any][]} */
    const pairs = (steps) => things(steps.length).map((thing, k) => [steps[k], thing]);
    return tables.tracks[number].map(([kind, node, ...steps]) => ({
      kind: words[kind],
      name: tell.name(),
      node: nameIn(graph.ids, node),
      values: pairs(steps[0]),
      grads: pairs(steps[1]),
      updates: pairs(steps[2]),
    }));
  }

  return {
    value,
    /**
     * @param {PackedChapter} chapter
     * @returns {Payload}
     */
    chapter(chapter) {
      const { graph, open } = packed.graphs[chapter.graph];
      const tell = tellerOf(chapter);
      const magnitudes = Object.entries(chapter.magnitudes).map(([by, [places, sizes]]) => {
        const changes = tables.places[places].map(
          ([step, node], k) =>
            /** @type {[number, string, Num]} */ ([step, nameIn(graph.ids, node), sizes[k]]),
        );
        return [by, { ...packed.scales[by], changes }];
      });
      /** @type {(number: number) => Cost[]} */
      const readCosts = (number) =>
        tables.costs[number].map(([box, amount, outer]) => [
          nameIn(graph.ids, box),
          amount,
          outer === undefined ? null : nameIn(graph.ids, outer),
        ]);
      const costs = Object.entries(chapter.costs).map(([by, number]) => [by, readCosts(number)]);
      return {
        title: packed.title,
        graph,
        open,
        steps: readSteps(chapter, graph, tell),
        values,
        sources: packed.sources,
        memory: tables.memory[chapter.memory],
        magnitudes: Object.fromEntries(magnitudes),
        costs: Object.fromEntries(costs),
        statistics: readTracks(chapter, graph, tell),
        passes: tables.passes[chapter.passes],
        note: packed.note,
        left_out: packed.left_out,
        unmeasured: packed.unmeasured,
        alarms: chapter.alarms.map(([box, badges]) => [nameIn(graph.ids, box), badges]),
        faults: tables.faults[chapter.faults],
        missing: tables.missing[chapter.missing],
      };
    },
  };
}

/**
 * A box or a wire: its place in a graph, or a name that is not in it.
 * @type {(names: string[], name: number | string) => string}
 */
export const nameIn = (names, name) => (typeof name === "number" ? names[name] : name);
