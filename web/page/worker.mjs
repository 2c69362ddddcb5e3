// The worker: holds the core, and answers one call after the other.

import { callCore } from "./call.mjs";
import { trafficOf } from "./traffic.mjs";

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

// Messages of many ranks are added up here, so that the page can be used meanwhile and gets no megabytes.
function withTraffic(answer, name) {
  const text = answer.files[name];
  return text ? { ...answer, files: {}, traffic: trafficOf(JSON.parse(text)) } : answer;
}

// A core that has run out of memory, or of stack, is of no further use: the page starts another.
function answerTo(call) {
  try {
    const answer = call.traffic ? withTraffic(callCore(core, { ...call, read: [call.traffic] }), call.traffic) : callCore(core, call);
    return { ...answer, number: call.number, memory: core.HEAPU8.length };
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
