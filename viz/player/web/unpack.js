// A packed book (viz/player/pack.py): each chapter is unpacked when it is shown.

import { getOrMake } from "./numbers.js";
import { WhatIf } from "./whatif/what_if.js";

/** @import { Code, Graph, Instructed, Magnitude, Memory, Num, Packed, PackedCell, PackedChapter, PackedPart, PackedValue, Payload, Place, Step, Value } from "./payload.d.ts" */

/**
 * Place of a step: its chapter, and its number there.
 * @typedef {{ chapter: number, step: number }} Spot
 */

/**
 * Facts of a chapter that need no unpacking: the index of its first step among those of all
 * chapters, its number of steps, and its steps of memory.
 * @typedef {object} Outline
 * @property {number | null} round
 * @property {Graph} graph
 * @property {string} way  chapters of one way share their graph and steps, except for numbers
 * @property {number} first
 * @property {number} count
 * @property {number[]} ofMemory
 */

/** @typedef {ReturnType<typeof openBook>} Book */

const OPEN = 2; // number of chapters that stay unpacked, so that stepping between two is fast
const HOLE = "\ue000"; // replaces a number in a text

/**
 * Return a reader of trees whose subtrees are rows of a table. A tree without holes is read once
 * and then shared; `fill` returns the content of a hole, from its packed content and its number.
 * `graph` has the ids of the boxes and wires in the tree.
 * @param {Pick<Packed, "rows" | "keys">} packed
 */
function createReader({ rows, keys }) {
  /** @type {Map<number, any>} */
  const known = new Map();
  const numbersIn = (/** @type {number} */ row) => String(rows[row]).split(" "); // row 0 is empty
  /** @type {(part: PackedPart, graph?: Graph, fill?: (content: any, at: number) => unknown) => any} */
  return ([root, own = [], digits = 0, moves = 0], graph, fill = (content) => content) => {
    const numbers = numbersIn(digits);
    const distances = numbersIn(moves);
    const ids = [graph?.ids, graph?.wire_ids];
    const places = [0, 0]; // of the last box and of the last wire
    let filled = 0;
    let told = 0;
    let moved = 0;
    /** @type {(cell: PackedCell) => any} */
    const read = (cell) => {
      if (typeof cell === "string") return Number(cell);
      if (Array.isArray(cell)) return readRow(cell);
      if (typeof cell !== "number") return cell;
      if (!cell) return fill(own[filled], filled++);
      if (cell < 0) {
        places[~cell] += Number(distances[moved++]);
        return ids[~cell]?.[places[~cell]];
      }
      if (known.has(cell)) return known.get(cell);
      const before = filled + told + moved;
      const tree = readRow(rows[cell]);
      if (filled + told + moved === before) known.set(cell, tree);
      return tree;
    };
    /** @param {Packed["rows"][number]} row */
    const readRow = (row) => {
      if (typeof row === "string") return row.replaceAll(HOLE, () => numbers[told++]);
      if ("is" in row) return row.is;
      const [kind, ...cells] = row;
      const trees = cells.map(read);
      return kind === -1
        ? trees
        : Object.fromEntries(keys[Number(kind)].map((key, k) => [key, trees[k]]));
    };
    return read(root);
  };
}

/**
 * Return the rows of columns; the second one has places among ids.
 * @type {(columns: [number[], number[], unknown[]], ids: string[]) => any[]}
 */
const rowsOf = ([steps, places, rest], ids) =>
  steps.map((step, row) => [step, ids[places[row]], rest[row]]);

// Parts of instructions that are an operand, or a list of operands.
const OPERAND = new Set(["value", "of"]);
const OPERANDS = new Set(["sources", "operands", "indices"]);

/**
 * Return code with numbers of arrays in place of distances: of an instruction's array from that of
 * the one before, and of operands from it.
 * @param {Code} code
 * @returns {Code}
 */
function unpackCode({ arrays, code, fields }) {
  let made = -1;
  /** @type {(part: Instructed) => Instructed} */
  const number = (part) => (typeof part === "number" ? made - part : part);
  const rows = code.map(([kind, step, ...parts]) => {
    made += Number(step);
    const names = fields[String(kind)].slice(1);
    const read = parts.map((part, at) => {
      if (OPERANDS.has(names[at]) && Array.isArray(part)) return part.map(number);
      return OPERAND.has(names[at]) ? number(part) : part;
    });
    return [kind, made, ...read];
  });
  return { arrays, fields, code: rows };
}

/**
 * @param {Packed} packed
 */
export function openBook(packed) {
  const { rounds } = packed;
  const read = createReader(packed);
  /** @type {Value[]} */
  const values = []; // has gaps for values of chapters that are not unpacked
  /** @type {Map<number, Payload>} */
  const unpacked = new Map();
  /** @type {Map<string, Pick<Step, "shown">[]>} */
  const outlines = new Map();
  /** @type {Record<string, Magnitude["changes"]>[]} */
  const sizes = []; // chapter -> sizes, once they were requested
  const graphs = packed.graphs.map(({ graph }) => graph);
  /** @type {Memory[]} */
  const memories = packed.chapters.map(({ memory }) => read(memory));
  /** @type {Outline[]} */
  const chapters = packed.chapters.map(({ graph, round, first, count, steps }, at) => ({
    round,
    graph: graphs[graph],
    way: `${graph} ${steps[0]} ${steps[3]}`,
    first,
    count,
    ofMemory: memories[at].steps,
  }));
  const count = chapters.reduce((sum, chapter) => sum + chapter.count, 0);

  /** @type {(number: number) => Value} */
  function value(number) {
    values[number] ??= readValue(packed.values[number]);
    return values[number];
  }

  /** @type {(row: PackedValue) => Value} */
  const readValue = ([data, ...told]) => ({ data, ...read(told) });

  /** @type {(chapter: PackedChapter) => Step[]} */
  function stepsOf({ graph, steps, texts, checks }) {
    const told = read(texts);
    /** @type {Step[]} */
    const all = read(steps, graphs[graph]).map(
      (/** @type {Step} */ step, /** @type {number} */ at) => ({ ...step, text: told[at] }),
    );
    for (const [step, at, check] of read(checks)) all[step].shown[at].check = check;
    for (const { terms, shown } of all) {
      const numbers = shown.flatMap((entry) => [entry.value, entry.check?.value ?? null]);
      for (const number of [...terms.map((term) => term[1]), ...numbers]) {
        if (number !== null) value(number);
      }
    }
    return all;
  }

  /** @param {number} number */
  function sizesIn(number) {
    /** @type {Record<string, { places: [number[], number[]], sizes: Num[] }>} */
    const told = read(packed.chapters[number].magnitudes);
    const { ids } = chapters[number].graph;
    sizes[number] ??= Object.fromEntries(
      Object.entries(told).map(([by, { places, sizes }]) => [by, rowsOf([...places, sizes], ids)]),
    );
    return sizes[number];
  }

  /** @type {(number: number) => Payload} */
  function unpack(number) {
    const chapter = packed.chapters[number];
    const graph = graphs[chapter.graph];
    const magnitudes = Object.entries(sizesIn(number)).map(([by, changes]) => [
      by,
      { ...packed.scales[by], changes },
    ]);
    return {
      graph,
      steps: stepsOf(chapter),
      values,
      memory: memories[number],
      magnitudes: Object.fromEntries(magnitudes),
      costs: read(chapter.costs),
      statistics: read(chapter.statistics, graph),
      passes: read(chapter.passes),
      alarms: read(chapter.alarms),
      boxes: rowsOf(read(chapter.boxes), graph.ids).map((row) => row.flat()),
      flows: rowsOf(read(chapter.flows), graph.wire_ids),
      faults: read(chapter.faults),
      missing: read(chapter.missing),
      views: read(chapter.views),
    };
  }

  return {
    title: packed.title,
    note: packed.note,
    leftOut: packed.left_out,
    /** The two rounds that have all elements, counted from 1, if not all rounds do. */
    whole: packed.whole && { first: packed.whole[0] + 1, last: packed.whole[1] + 1 },
    rounds,
    ask: packed.ask ?? null,
    parameters: packed.parameters,
    problems: packed.problems,
    /** The name of the rounds' losses, if all have one that is not `loss`. */
    loss: packed.loss,
    /** Text about gradients that finite differences have not measured. */
    unmeasured: packed.unmeasured,
    sources: packed.sources,
    chapters,
    /** Number of steps. */
    count,
    /** Memory of each chapter. */
    memories,
    /** Whether any chapter has rows of memory or steps of memory. */
    hasMemory: memories.some((memory) => memory.rows.length),
    tellsMemory: memories.some((memory) => memory.steps.length),
    /** Names of groups that are open at first in any of the graphs. */
    open: new Set(packed.graphs.flatMap(({ open }) => open)),
    /** Chapter at which a page opens: the first round. */
    start: {
      chapter: Math.max(
        0,
        chapters.findIndex(({ round }) => round !== null),
      ),
      step: 0,
    },
    /** @type {(number: number) => Place[]}  lines of code of the steps of a chapter */
    linesOf: (number) => read(packed.chapters[number].lines),
    /** @type {(number: number) => Payload["views"]} */
    views: (number) => read(packed.chapters[number].views),
    phases: new Set(packed.chapters.flatMap(({ phases }) => read(phases))),
    value,
    /** @type {(number: number, by: string) => Magnitude["changes"]} */
    sizes: (number, by) => sizesIn(number)[by],
    /**
     * Return the outline of a chapter's steps, with places in `valuesOf` in place of values;
     * chapters of one way share it.
     * @type {(number: number) => Pick<Step, "shown">[]}
     */
    outline(number) {
      const { graph, way } = chapters[number];
      const readPlaces = () => read(packed.chapters[number].steps, graph, (_, at) => at);
      return getOrMake(outlines, way, readPlaces);
    },
    /** @type {(number: number) => (number | null)[]} */
    valuesOf: (number) => /** @type {number[]} */ (packed.chapters[number].steps[1] ?? []),
    /** Computes the consequences of edits. */
    whatIf: new WhatIf({
      program: packed.what_if && {
        ...packed.what_if,
        codes: packed.what_if.codes.map(unpackCode),
      },
      value,
    }),
    /**
     * @param {number} number
     * @returns {Payload}
     */
    chapter(number) {
      const known = unpacked.get(number) ?? unpack(number);
      unpacked.delete(number); // the latest one is last
      unpacked.set(number, known);
      for (const old of [...unpacked.keys()].slice(0, -OPEN)) unpacked.delete(old);
      return known;
    },
    /**
     * Return the index of a step among all chapters, as in `trace.steps`: readers count from 1.
     * @param {Spot} spot
     */
    indexOf: ({ chapter, step }) => (chapters[chapter]?.first ?? 0) + step,
    /**
     * Return the place of the step with an index, or of the nearest step.
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
