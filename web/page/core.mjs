// The core behind the page: workers that hold it, and questions to them.

import { byId } from "./elements.mjs";

let compiled = null;

// The core as the build has put it into the page: WebAssembly, compressed, as letters.
async function moduleInPage() {
  const letters = atob(byId("core").textContent.trim());
  // A loop: a function for each letter takes a tenth of a second.
  const bytes = new Uint8Array(letters.length);
  for (let k = 0; k < letters.length; ++k) bytes[k] = letters.charCodeAt(k);
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(plain, { headers: { "Content-Type": "application/wasm" } }));
}

const compiledCore = () => (compiled ??= moduleInPage());

// WebAssembly gives no memory back. A worker that has needed more than this, in bytes, makes room for another, which begins at once.
const mostMemory = 2 ** 27;

// A lane asks one question at a time, of a worker of its own.
class Lane {
  constructor() {
    this.waiting = [];
    this.current = null;
    this.worker = null;
  }

  async begin() {
    const text = new Blob([byId("worker").textContent], { type: "text/javascript" });
    const worker = new Worker(URL.createObjectURL(text));
    this.worker = worker;
    this.ready = false;
    worker.onmessage = ({ data }) => this.hear(worker, data);
    worker.onerror = (event) => this.hear(worker, { broken: true, error: `the core has stopped: ${event.message}` });
    const module = await compiledCore();
    if (this.worker === worker) worker.postMessage({ module });
  }

  hear(worker, data) {
    if (worker !== this.worker) return;
    if (data.started) this.ready = true;
    else this.finish(data);
    this.next();
  }

  finish(answer) {
    const { done } = this.current ?? {};
    this.current = null;
    if (answer.broken) this.end();
    if (answer.memory > mostMemory) {
      this.end();
      this.begin();
    }
    done?.(answer);
  }

  end() {
    this.worker?.terminate();
    this.worker = null;
  }

  next() {
    if (this.current || this.waiting.length === 0) return;
    if (!this.worker) return void this.begin();
    if (!this.ready) return;
    this.current = this.waiting.shift();
    this.current.began = performance.now();
    this.worker.postMessage({ ...this.current.call, number: this.current.number });
  }

  // A question of the same purpose replaces one that waits; one that has been computed for longer than a moment is given up.
  ask(call, purpose, number) {
    const stale = this.waiting.filter((each) => each.purpose === purpose);
    this.waiting = this.waiting.filter((each) => each.purpose !== purpose);
    for (const each of stale) each.done(null);
    if (this.current?.purpose === purpose && performance.now() - this.current.began > 250) {
      const given = this.current;
      this.current = null;
      this.end();
      given.done(null);
    }
    return new Promise((done) => {
      this.waiting.push({ call, purpose, number, done });
      this.next();
    });
  }
}

// Proofs and prices of many ranks may take seconds: they do not keep pictures waiting.
const lanes = { quick: new Lane(), slow: new Lane() };
let number = 0;

// Starts the worker of quick answers while the core is being compiled; the other one starts with its first question.
export const startCore = () => lanes.quick.begin();

// Answers a command line: { status, text, remarks, files } or { error }; null where a newer question of that purpose has replaced it.
// `traffic` names a file of messages, of which the answer has the traffic in place of the file.
export function ask(words, { files = {}, read = [], traffic = "", purpose = `once ${number}`, lane = "quick" } = {}) {
  return lanes[lane].ask({ words, files, read, traffic }, purpose, ++number);
}

// The answer as data. An error stays a field.
export async function askJson(words, options = {}) {
  const answer = await ask([...words, "--json"], options);
  if (!answer || answer.error) return answer;
  return { ...answer, value: JSON.parse(answer.text) };
}
