// Loaded by anywidget for each player: asks the notebook for the code that all players share and
// for the story, which several may show, and starts that code.

/** @import { Model } from "./player.js" */

export default {
  /** @param {{ model: Model, el: HTMLElement }} widget */
  async render({ model, el }) {
    const [code, told] = await Promise.all(
      ["code", "told"].map((name) =>
        model.widget_manager.get_model(model.get(name).replace("IPY_MODEL_", "")),
      ),
    );
    const style = document.createElement("style");
    style.textContent = code.get("style"); // here, because the head does not reach a shadow root
    const host = document.createElement("div");
    el.replaceChildren(style, host);
    const address = URL.createObjectURL(
      new Blob([code.get("script")], { type: "text/javascript" }),
    );
    try {
      const { renderWidget } = await import(address);
      return renderWidget(host, model, told.get("payload"));
    } finally {
      URL.revokeObjectURL(address);
    }
  },
};
