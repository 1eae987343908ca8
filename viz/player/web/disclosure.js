// A button that opens a panel in a narrow player, which has no room for it.

/**
 * @template {HTMLElement} Panel
 * @param {HTMLElement} knob
 * @param {Panel} panel
 */
export function createDisclosure(knob, panel) {
  /** @param {boolean} open */
  function turn(open) {
    panel.toggleAttribute("data-open", open);
    knob.setAttribute("aria-expanded", String(open));
  }
  knob.addEventListener("click", () => turn(!panel.hasAttribute("data-open")));
  turn(false);
  return {
    knob,
    panel,
    /** Open the panel if its button is there; without a button it is always open. */
    open() {
      if (knob.offsetWidth) turn(true);
    },
    /** Close the panel, give its focus to the button, and return whether it was open. */
    close() {
      const open = panel.hasAttribute("data-open");
      if (open && panel.contains(document.activeElement)) knob.focus({ preventScroll: true });
      turn(false);
      return open;
    },
  };
}
