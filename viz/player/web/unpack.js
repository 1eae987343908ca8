// A payload as it travelled (viz/player/pack.py) as the parts of a page read it.

/** @import { Packed, PackedShown, PackedStep, PackedValue, Payload, Sentence, Shown, Stats, Step, Text, Value } from "./payload.d.ts" */

/**
 * @param {Packed} packed
 * @returns {Payload}
 */
export function unpack(packed) {
  const { graph, tables } = packed;
  const { acts, words, templates, kinds } = tables;
  /** @type {(name: number | string) => string} */
  const boxName = (name) => (typeof name === "number" ? graph.ids[name] : name);
  /** @type {(name: number | string) => string} */
  const wireName = (name) => (typeof name === "number" ? graph.wire_ids[name] : name);

  /**
   * @param {Sentence} sentence
   * @returns {Text}
   */
  function readText([template, numbers]) {
    const texts = Object.entries(templates[template]).map(([lang, pieces]) => [
      lang,
      pieces.map((piece) => (typeof piece === "number" ? numbers[piece] : piece)).join(""),
    ]);
    return Object.fromEntries(texts);
  }

  /**
   * @param {PackedShown} row
   * @returns {Shown}
   */
  const readShown = ([name, role, node, value, sign]) => ({
    name: words[name],
    role: words[role],
    node: node === null ? null : boxName(node),
    value,
    ...(sign === undefined ? {} : { sign: words[sign] }),
  });

  /**
   * @param {PackedStep} row
   * @returns {Step}
   */
  function readStep([act, nodes, edges, sentence, line, forward, formula, terms, entries, checks]) {
    const [phase, kind] = acts[act];
    const shown = entries.map(readShown);
    for (const [at, value, agrees, text] of checks) {
      shown[at].check = { value, agrees, text: readText(text) };
    }
    return {
      phase,
      kind,
      nodes: nodes.map(boxName),
      edges: edges.map(wireName),
      text: readText(sentence),
      line,
      forward_line: forward,
      formula: words[formula],
      terms: terms.map(([name, value]) => [words[name], value]),
      shown,
    };
  }

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

  const magnitudes = Object.entries(packed.magnitudes).map(([by, magnitude]) => [
    by,
    {
      ...magnitude,
      changes: magnitude.changes.map(([step, node, size]) => [step, boxName(node), size]),
    },
  ]);
  const { tables: _, ...rest } = packed;
  return {
    ...rest,
    steps: packed.steps.map(readStep),
    values: packed.values.map(readValue),
    magnitudes: Object.fromEntries(magnitudes),
    statistics: packed.statistics.map(([kind, name, node, values, grads, updates]) => ({
      kind: words[kind],
      name: words[name],
      node: boxName(node),
      values,
      grads,
      updates,
    })),
  };
}
