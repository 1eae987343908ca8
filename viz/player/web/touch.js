// Two fingers zoom the pane; one finger scrolls it, which the browser does by itself.

export function pinch(pane, zoom) {
  let last = null;

  function read({ touches: [one, other] }) {
    const box = pane.getBoundingClientRect();
    return { apart: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY),
      x: (one.clientX + other.clientX) / 2 - box.left, y: (one.clientY + other.clientY) / 2 - box.top };
  }

  pane.addEventListener("touchstart", (event) => {
    if (event.touches.length !== 2) return void (last = null);
    if (event.cancelable) event.preventDefault(); // no scrolling and no click come of it
    last = read(event);
  }, { passive: false });
  pane.addEventListener("touchmove", (event) => {
    if (!last || event.touches.length !== 2) return;
    if (event.cancelable) event.preventDefault();
    const now = read(event);
    pane.scrollBy(last.x - now.x, last.y - now.y);
    if (last.apart > 0 && now.apart > 0) zoom(now.apart / last.apart, now);
    last = now;
  }, { passive: false });
  for (const end of ["touchend", "touchcancel"]) pane.addEventListener(end, () => { last = null; });
}
