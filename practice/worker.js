// The worker's first script: brings the module, tells the page how far it has come, starts it.
// The names and the size are put in by `cargo xtask practice`.
import init from "./PRACTICE_JS";

const arrived = (bytes) => postMessage(`p${Math.min(100, Math.floor((bytes * 100) / PRACTICE_BYTES))}`);
try {
  const response = await fetch(new URL("./PRACTICE_WASM", import.meta.url));
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream({
      transform(chunk, out) {
        arrived((bytes += chunk.length));
        out.enqueue(chunk);
      },
    }),
  );
  const type = { headers: { "content-type": "application/wasm" } };
  await init({ module_or_path: new Response(counted, type) });
} catch (error) {
  postMessage(`x${error}`);
}
