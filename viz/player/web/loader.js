// Module that anywidget loads for each player: it gets the code that all players share, and the
// payload, which several may show, and starts the player.

import { bytesIn, codeIn, inflated } from "./bytes.js";

/** @import { Model } from "./player.js" */

/** @param {{ model: Model, el: HTMLElement }} widget */
export async function render({ model, el }) {
  const [code, told] = await Promise.all(
    ["code", "told"].map((name) =>
      model.widget_manager.get_model(model.get(name).replace("IPY_MODEL_", "")),
    ),
  );
  const style = document.createElement("style");
  style.textContent = await inflated(codeIn(code.get("style"))); // in the head it misses a shadow root
  const host = document.createElement("div");
  el.replaceChildren(style, host);
  const script = await inflated(codeIn(code.get("script")));
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  try {
    const { renderWidget } = await import(address);
    return renderWidget(host, model, JSON.parse(await inflated(bytesIn(told.get("payload")))));
  } finally {
    URL.revokeObjectURL(address);
  }
}
