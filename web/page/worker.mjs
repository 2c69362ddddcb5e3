// The worker: holds the core, and answers one call after the other.

import { callCore } from "./call.mjs";

let core = null;

async function startCore(module) {
  core = await tuttiCore({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(module, imports).then(done);
      return {};
    },
    print() {},
    printErr() {},
  });
}

// A core that has run out of memory, or of stack, is of no further use: the page starts another.
function answerTo(call) {
  const began = performance.now();
  try {
    return { ...callCore(core, call), number: call.number, milliseconds: performance.now() - began };
  } catch (error) {
    return { number: call.number, broken: true, error: `the explorer has no room for that (${error.message}); take fewer ranks, or run the command in a terminal` };
  }
}

addEventListener("message", async ({ data }) => {
  if (data.module) {
    await startCore(data.module);
    postMessage({ started: true });
  } else {
    postMessage(answerTo(data));
  }
});
