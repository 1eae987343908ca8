// What the reader chose on a page, kept in its address: a file has no other safe place.

export function recall(name, allowed) {
  const found = new URLSearchParams(location.hash.slice(1)).get(name);
  return allowed.includes(found) ? found : null;
}

export function remember(name, value) {
  const kept = new URLSearchParams(location.hash.slice(1));
  kept.set(name, value);
  try { history.replaceState(null, "", `#${kept}`); } catch { /* a frame may have no address */ }
}
