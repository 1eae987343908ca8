// Keeps what the playground has loaded, so that later visits need no network.
//
// The file `settings.json` lists what a visit needs at once. Pyodide's files never change under
// their address, so a kept one is used unasked; of other files a newer one is asked for first.

const NAME = "minipaddle-play";

self.addEventListener("install", (event) => {
  const fill = async () => {
    const { files } = await (await fetch("settings.json", { cache: "no-cache" })).json();
    await (await caches.open(NAME)).addAll(files);
    await self.skipWaiting();
  };
  event.waitUntil(fill());
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

/** Ask the network, and keep its answer. */
async function ask(request, cache) {
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

/** Answer a request from the network or from what is kept. */
async function answer(request) {
  const cache = await caches.open(NAME);
  const kept = await cache.match(request, { ignoreSearch: true });
  const lasting = request.url.includes("/pyodide/");
  if (kept && lasting) return kept;
  try {
    return await ask(request, cache);
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith("http")) {
    event.respondWith(answer(event.request));
  }
});
