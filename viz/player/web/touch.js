// Two fingers zoom the pane; one finger scrolls it, which the browser does by itself.

/**
 * @param {HTMLElement} pane
 * @param {(factor: number, at: { x: number, y: number }) => void} zoom
 */
export function pinch(pane, zoom) {
  /** @type {ReturnType<typeof read> | null} */
  let last = null;

  /** @param {TouchEvent} event */
  function read({ touches: [one, other] }) {
    const box = pane.getBoundingClientRect();
    return {
      apart: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY),
      x: (one.clientX + other.clientX) / 2 - box.left,
      y: (one.clientY + other.clientY) / 2 - box.top,
    };
  }

  pane.addEventListener(
    "touchstart",
    (event) => {
      last = event.touches.length === 2 ? read(event) : null;
      if (last && event.cancelable) event.preventDefault(); // no scrolling and no click come of it
    },
    { passive: false },
  );
  pane.addEventListener(
    "touchmove",
    (event) => {
      if (!last || event.touches.length !== 2) return;
      if (event.cancelable) event.preventDefault();
      const now = read(event);
      pane.scrollBy(last.x - now.x, last.y - now.y);
      if (last.apart > 0 && now.apart > 0) zoom(now.apart / last.apart, now);
      last = now;
    },
    { passive: false },
  );
  for (const end of ["touchend", "touchcancel"])
    pane.addEventListener(end, () => {
      last = null;
    });
}
