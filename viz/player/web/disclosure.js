// A button that shows a panel where a narrow player has no room to keep it open.

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
    /** Where there is room, it stands open by itself, and there is no button. */
    open() {
      if (knob.offsetWidth) turn(true);
    },
    /** True when it was open; what had the focus in it gives it to the button. */
    close() {
      const open = panel.hasAttribute("data-open");
      if (open && panel.contains(document.activeElement)) knob.focus({ preventScroll: true });
      turn(false);
      return open;
    },
  };
}
