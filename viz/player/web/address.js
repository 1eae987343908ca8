// What the reader chose on a page, kept in its address: a file has no other safe place.

const readAddress = () => new URLSearchParams(location.hash.slice(1));

/**
 * @template {string} Choice
 * @param {string} name
 * @param {Choice[]} allowed
 */
export function recall(name, allowed) {
  const choice = readAddress().get(name);
  return allowed.find((each) => each === choice) ?? null;
}

/**
 * @param {string} name
 * @param {string} value
 */
export function remember(name, value) {
  const parameters = readAddress();
  parameters.set(name, value);
  try {
    history.replaceState(null, "", `#${parameters}`);
  } catch {
    // a frame may have no address
  }
}
