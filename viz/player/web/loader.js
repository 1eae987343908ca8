// Module that anywidget loads for each player: it gets the code that all players share, and the
// payload, which several may show, and starts the player.

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
    style.textContent = code.get("style"); // styles in the head do not apply in a shadow root
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
