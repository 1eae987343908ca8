// Small curves of the selection over all rounds, in the inspector; a click on one goes to a round.

import { blueprintOf } from "./blueprint.js";
import { h, partUnder, setAttributes } from "./dom.js";
import { briefly } from "./numbers.js";
import { drawCurve, drawGaps, rangeOf } from "./plot.js";
import { unknownRounds } from "./rounds.js";
import { elementsOf, parameterSizes, sizesOf } from "./series.js";
import { cellName } from "./telling.js";

/** @import { Face } from "./compose.js" */
/** @import { Chosen } from "./formula.js" */
/** @import { Shown } from "./payload.d.ts" */
/** @import { Rounds } from "./rounds.js" */
/** @import { Series } from "./series.js" */
/** @import { Page } from "./player.js" */

/** @typedef {ReturnType<typeof createTrends>} Trends */

const TOLD = 24; // maximum number of numbers in a description

/**
 * @param {Page} page
 * @param {Rounds} rounds
 */
export function createTrends({ book, words, view, edits, isAsked }, rounds) {
  /**
   * Return a description of a series: evenly spread rounds, always including the last.
   * @param {Series} series
   */
  function describe(series) {
    const known = series.flatMap((size, at) =>
      size === null ? [] : [`${at + 1}: ${briefly(size)}`],
    );
    const every = Math.ceil(known.length / TOLD);
    return known.filter((_, k) => k % every === 0 || k === known.length - 1).join("; ");
  }

  /**
   * @param {Series} series
   * @param {string} name  name of the quantity
   * @param {string} by  value or grad
   * @param {string} about
   * @param {Series} [before]  recorded series, if different
   */
  function figure(series, name, by, about, before = []) {
    const at = rounds.now();
    const drawing = drawCurve(series, undefined, [], before);
    const told = `${name}, ${about}, ${words.say("byRound")} ${describe(series)}`;
    setAttributes(drawing, { "aria-hidden": "false", role: "img", "aria-label": told });
    const size = at === null ? null : series[at];
    const range = rangeOf([...before, ...series]);
    const head = h("div.mp-playhead", { hidden: at === null && "" });
    head.style.left = `${(100 * ((at ?? 0) + 0.5)) / series.length}%`;
    /** @param {MouseEvent} event */
    const onclick = (event) => rounds.goTo(partUnder(event, plot, series.length));
    const plot = h("div.mp-trend-plot", { onclick }, drawGaps(series, before), drawing, head);
    const caption = h(
      "figcaption",
      `${about}${words.say("colon")}`,
      h("b", size === null || size === undefined ? "–" : briefly(size)),
      range && h("span.mp-hint", range.map(briefly).join(" … ")),
    );
    return h("figure.mp-trend", { "data-of": by }, caption, plot);
  }

  /**
   * Return the recorded series if it differs, else an empty one.
   * @type {(series: Series, recorded: Series) => Series}
   */
  const apart = (series, recorded) =>
    recorded.some((size, round) => size !== series[round]) ? recorded : [];

  /** @param {Series} series */
  const isCurve = (series) => series.filter((size) => size !== null).length > 1;

  /** @type {(key: string) => HTMLElement} */
  const hint = (key) => h("p.mp-hint", words.say(key));

  /**
   * Return the recorded and the current sizes of a box; for a parameter, also in rounds without
   * recorded steps.
   * @type {(box: Face, by: string) => { recorded: Series, series: Series }}
   */
  function sizesIn({ id, label }, by) {
    const graph = view.graph();
    const name = blueprintOf(graph).named.get(id)?.look?.name ?? words.of(label);
    const known = parameterSizes(book, name, by);
    const recorded = sizesOf(book, graph, id, by).map((size, at) => size ?? known[at]);
    const isUnknown = unknownRounds(book, edits.reaches);
    const series = sizesOf(book, graph, id, by, edits).map((size, round) => {
      const { chapter } = book.rounds[round];
      const kept = chapter === null ? !isUnknown(round) : !edits.reaches(chapter);
      return kept ? recorded[round] : size;
    });
    return { recorded, series };
  }

  return {
    /** @param {Face} box */
    ofBox(box) {
      const name = words.of(box.label);
      const curves = ["value", "grad"]
        .map((by) => ({ by, ...sizesIn(box, by) }))
        .filter(({ recorded }) => isCurve(recorded));
      if (curves.length && isAsked(view.chapter())) return [hint("curvesAsked")];
      const isLost = curves.some(({ recorded, series }) =>
        series.some((size, at) => size === null && recorded[at] !== null),
      );
      return [
        ...curves.map(({ by, recorded, series }) =>
          figure(series, name, by, words.say(`size_${by}`), apart(series, recorded)),
        ),
        ...(isLost ? [hint("staleCurves")] : []),
      ];
    },
    /**
     * Draw the curve of the chosen element of a value that a step shows.
     * @param {Shown} entry
     * @param {Chosen} chosen
     */
    ofElement(entry, chosen) {
      if (!book.rounds.length) return [];
      const asked = { ...entry, chapter: view.chapter() };
      const { series, brief } = elementsOf(book, asked, chosen.index, edits.entry);
      const { series: recorded } = elementsOf(book, asked, chosen.index);
      const before = apart(series, recorded);
      const by = entry.role.startsWith("grad") ? "grad" : "value";
      const name = cellName(entry.name, chosen.index);
      return [
        ...(isCurve(recorded) ? [figure(series, name, by, words.say("overRounds"), before)] : []),
        ...(brief.length && book.whole
          ? [h("p.mp-hint", words.tell("briefElement", book.whole))]
          : []),
      ];
    },
  };
}
