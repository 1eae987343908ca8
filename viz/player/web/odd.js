// Where the first NaN and the first infinity are: a button that leads there.

import { html } from "./dom.js";

export function createOdd(odd, words, go) {
  const found = Object.entries(odd ?? {}).sort(([, one], [, other]) => one - other);
  return found.map(([kind, step]) => {
    const name = html("span");
    words.follow(() => { name.textContent = `${words.say(`first_${kind}`)} ${step + 1}${words.say("stepEnd")}`; });
    const sign = html("span", { "aria-hidden": "true" }, "⚠ ");
    const button = html("button", { type: "button", class: "mp-odd", "data-odd": kind }, sign, name);
    button.addEventListener("click", () => go(step));
    return button;
  });
}
