// What there is to see of an error beside its sentence: the shapes that met, what was expected and
// what came, what to do, and the repairs that were tried.

import { html, keepShapesWhole } from "./dom.js";

/** @import { Fault, ShapeRow } from "./payload.d.ts" */
/** @import { Words } from "./words.js" */

/** @type {(row: ShapeRow, words: Words) => HTMLElement} */
function shapeRow({ name, sizes, clash, note, odd }, words) {
  const cells = sizes.map((size, column) =>
    html("td", { "data-clash": clash.includes(column) }, size),
  );
  const remark = html("td", { class: "mp-meta", "data-clash": odd }, words.of(note));
  return html("tr", {}, html("th", { scope: "row" }, name), ...cells, remark);
}

/** @type {(fault: Fault, words: Words) => HTMLElement} */
export function faultCard({ rows, told }, words) {
  const parts = told.flatMap(([kind, text]) => [
    html("dt", { "data-told": kind }, words.say(`fault_${kind}`)),
    html("dd", {}, ...keepShapesWhole(words.of(text))),
  ]);
  const table = html("table", {}, html("tbody", {}, ...rows.map((row) => shapeRow(row, words))));
  return html(
    "section",
    { class: "mp-fault" },
    html("b", {}, `\u2717 ${words.say("fault")}`),
    ...(rows.length ? [table] : []),
    html("dl", {}, ...parts),
  );
}
