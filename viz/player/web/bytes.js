// Bytes that travel as text: arrays, and the deflated payloads, styles and code of players.

/** Return the bytes of a text in base64. @param {string} text */
export const bytesIn = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/**
 * Return the text of deflated bytes that are written in base64.
 * @param {string} packed
 */
export async function inflated(packed) {
  const stream = new Blob([bytesIn(packed)]).stream();
  return new Response(stream.pipeThrough(new DecompressionStream("deflate"))).text();
}
