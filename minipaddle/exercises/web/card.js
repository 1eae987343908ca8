// A card: what the kernel says, buttons that open a hint each, and perhaps a question.
// All texts are here from the start, so a button works while the kernel is busy, and without one.

/**
 * @typedef {{ label: string, text: string, code: boolean }} Help
 * @typedef {{ prompt: string, choices: string[], example: string, send: string }} Question
 * @typedef {{ html: string, buttons: Help[], question: Question | null }} Face
 * @typedef {{ get(name: "face"): Face, send(message: object): void,
 *   on(name: string, call: () => void): void, off(name: string, call: () => void): void }} Model
 */

/**
 * @param {string} tag
 * @param {Record<string, string>} attributes
 * @param {(Node | string)[]} children
 */
function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

let made = 0; // so that a button can name what it opens

/**
 * Buttons in a row, each of which opens its text; the next one waits until its forerunner was open.
 *
 * @param {Help[]} helps
 * @param {(number: number) => void} tell
 */
function helpRow(helps, tell) {
  const row = element("div", { class: "mp-card-buttons" });
  const texts = element("div", { class: "mp-card-texts" });
  /** @type {HTMLButtonElement[]} */
  const buttons = helps.map(({ label, text, code }, number) => {
    const id = `mp-card-text-${made++}`;
    const shown = element(code ? "pre" : "p", { id, hidden: "" }, text);
    const button = /** @type {HTMLButtonElement} */ (
      element("button", { type: "button", "aria-expanded": "false", "aria-controls": id }, label)
    );
    button.disabled = number > 0;
    let told = false;
    button.addEventListener("click", () => {
      shown.hidden = !shown.hidden;
      button.setAttribute("aria-expanded", String(!shown.hidden));
      if (number + 1 < buttons.length) buttons[number + 1].disabled = false;
      if (!told) tell(number);
      told = true;
    });
    texts.append(shown);
    return button;
  });
  row.append(...buttons);
  return [row, texts];
}

/**
 * @param {Question} question
 * @param {(answer: string) => void} send
 */
function questionForm({ prompt, choices, example, send: label }, send) {
  const group = `mp-card-question-${made++}`;
  const fields = choices.length
    ? choices.map((choice) =>
        element(
          "label",
          {},
          element("input", { type: "radio", name: group, value: choice, required: "" }),
          ` ${choice}`,
        ),
      )
    : [
        element("input", {
          type: "text",
          name: group,
          placeholder: example,
          required: "",
          "aria-label": prompt,
        }),
      ];
  const form = /** @type {HTMLFormElement} */ (
    element(
      "form",
      { class: "mp-card-question" },
      element("fieldset", {}, element("legend", {}, prompt), ...fields),
      element("button", { type: "submit" }, label),
    )
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(String(new FormData(form).get(group)));
  });
  return form;
}

export default {
  /** @param {{ model: Model, el: HTMLElement }} widget */
  render({ model, el }) {
    const draw = () => {
      const { html, buttons, question } = model.get("face");
      const card = element("div", { class: "mp-card" });
      card.innerHTML = html; // made and escaped by cards.py, which notebooks keep as it is
      const inside = card.firstElementChild ?? card;
      if (question) inside.append(questionForm(question, (answer) => model.send({ answer })));
      if (buttons.length) inside.append(...helpRow(buttons, (opened) => model.send({ opened })));
      el.replaceChildren(card);
    };
    // JupyterLab's command mode would take Enter and letters for its own.
    const keep = (/** @type {Event} */ event) => event.stopPropagation();
    el.addEventListener("keydown", keep);
    model.on("change:face", draw);
    draw();
    return () => {
      el.removeEventListener("keydown", keep);
      model.off("change:face", draw);
    };
  },
};
