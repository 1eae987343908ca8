// Choices of the reader, stored in the page's address: a file has no other safe place.

const readAddress = () => new URLSearchParams(location.hash.slice(1));

/** @param {string} name */
export const read = (name) => readAddress().get(name);

/**
 * @template {string} Choice
 * @param {string} name
 * @param {Choice[]} allowed
 */
export function recall(name, allowed) {
  const choice = read(name);
  return allowed.find((each) => each === choice) ?? null;
}

/** @param {Record<string, string | null>} choices  name -> value, or null to remove it */
export function remember(choices) {
  const parameters = readAddress();
  for (const [name, value] of Object.entries(choices)) {
    if (value === null) parameters.delete(name);
    else parameters.set(name, value);
  }
  const readable = `${parameters}`.replaceAll("%2C", ",").replaceAll("%2F", "/");
  try {
    history.replaceState(null, "", `#${readable}`);
  } catch {
    // a frame may have no address
  }
}
