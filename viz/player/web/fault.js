// Details of an error beside its sentence: the shapes that met, the expected and the received
// values, advice, and the repairs that were tried.

import { h, keepShapesWhole } from "./dom.js";

/** @import { Fault, ShapeRow } from "./payload.d.ts" */
/** @import { Words } from "./words.js" */

/** @type {(row: ShapeRow, words: Words) => HTMLElement} */
function shapeRow({ name, sizes, clash, note, odd }, words) {
  const cells = sizes.map((size, column) =>
    h("td", { "data-clash": clash.includes(column) }, size),
  );
  const remark = h("td.mp-meta", { "data-clash": odd }, words.of(note));
  return h("tr", h("th", { scope: "row" }, name), ...cells, remark);
}

/** @type {(fault: Fault, words: Words) => HTMLElement} */
export function faultCard({ rows, told }, words) {
  const parts = told.flatMap(([kind, text]) => [
    h("dt", { "data-told": kind }, words.say(`fault_${kind}`)),
    h("dd", ...keepShapesWhole(words.of(text))),
  ]);
  const table = h("table", h("tbody", ...rows.map((row) => shapeRow(row, words))));
  return h(
    "section.mp-fault",
    h("b", `\u2717 ${words.say("fault")}`),
    ...(rows.length ? [table] : []),
    h("dl", ...parts),
  );
}
