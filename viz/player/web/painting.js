// A picture made from SVG tags, attributes and texts (viz/many_ranks/page.py).

import { h } from "./dom.js";

/** @import { PaintedPart, Painted } from "./payload.d.ts" */

/** @param {PaintedPart} part */
function group({ role, id, row, title, marks }) {
  return h(
    "g",
    {
      class: `mp-part mp-part-${role}`,
      "data-row": row,
      "data-rank": role === "column" ? id : null,
      "data-collective": role === "collective" ? id : null,
    },
    title && h("title", title),
    marks.map(([tag, attributes, text]) => h(tag, attributes, text || null)),
  );
}

/**
 * Return the picture, and its parts that belong to a row.
 * @param {Painted} painted
 */
export function paintingOf({ left, width, height, parts }) {
  const groups = parts.map((part) => ({ ...part, element: group(part) }));
  const element = h(
    "svg.mp-painting",
    { viewBox: `${left} 0 ${width} ${height}`, "aria-hidden": "true" },
    ...groups.map((each) => each.element),
  );
  return { element, width, height, parts: groups.filter(({ row }) => row !== null) };
}
