// Texts that travel deflated: payloads, styles and the player's code.

/**
 * Return the text of deflated bytes that are written in base64.
 * @param {string} packed
 */
export async function inflated(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}
