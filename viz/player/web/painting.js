// A picture that comes as marks with places: rectangles, lines, patches and words.

import { h } from "./dom.js";

/** @import { Mark, PaintedPart, Painted } from "./payload.d.ts" */

/** @type {(name: string | null) => string} */
const colour = (name) => (name ? `var(--${name})` : "none");

/** @param {Mark} mark */
function draw(mark) {
  switch (mark[0]) {
    case "rect": {
      const [, x, y, width, height, rx, fill, stroke, wide] = mark;
      const style = `fill: ${colour(fill)}; stroke: ${colour(stroke)}; stroke-width: ${wide}`;
      return h("rect", { x, y, width, height, rx, style });
    }
    case "line": {
      const [, d, stroke, wide, dashed] = mark;
      const dash = dashed ? "; stroke-dasharray: 6 4" : "";
      return h("path", {
        d,
        style: `fill: none; stroke: ${colour(stroke)}; stroke-width: ${wide}${dash}`,
      });
    }
    case "patch": {
      const [, points, fill] = mark;
      return h("polygon", { points, style: `fill: ${colour(fill)}` });
    }
    default: {
      const [, x, y, text, size, fill, anchor, bold, mono, halo] = mark;
      const around = halo ? `; stroke: ${colour(halo)}` : "";
      const look = ["mp-words", mono ? "mp-mono" : "", halo ? "mp-halo" : ""].join(" ").trim();
      return h(
        "text",
        {
          x,
          y,
          class: look,
          "text-anchor": anchor,
          "font-size": size,
          "font-weight": bold ? 600 : null,
          style: `fill: ${colour(fill)}${around}`,
        },
        text,
      );
    }
  }
}

/** @param {PaintedPart} part */
function group({ role, id, row, title, marks }) {
  const name = title ? [h("title", title)] : [];
  return h(
    "g",
    {
      class: `mp-part mp-part-${role}`,
      "data-row": row,
      "data-rank": role === "column" ? id : null,
      "data-collective": role === "collective" ? id : null,
    },
    ...name,
    ...marks.map(draw),
  );
}

/**
 * The picture, and its parts that belong to a row.
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
