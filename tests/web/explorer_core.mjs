// The explorer's core in node, and the command beside it: the same questions to both.
//
// Environment: TUTTI, the command; TUTTI_EXPLORER, the folder in which `make explorer` builds.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { callCore } from "../../web/page/call.mjs";

const built = resolve(process.env.TUTTI_EXPLORER, "web/explorer_core.js");

export async function startedCore() {
  return createRequire(built)(built)({ wasmBinary: readFileSync(built.replace(/js$/, "wasm")), print() {}, printErr() {} });
}

export const ofCore = (core, question) => callCore(core, question);

// The command, in a folder of its own with the question's files: the same fields as the core's.
export function ofCommand({ words, files = {}, read = [] }) {
  const folder = mkdtempSync(join(tmpdir(), "tutti-explorer-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { status, stdout, stderr } = spawnSync(resolve(process.env.TUTTI), words, {
    cwd: folder, encoding: "utf8", maxBuffer: 2 ** 28, env: { PATH: process.env.PATH, TUTTI_CONFIG: "none", HOME: folder },
  });
  const written = Object.fromEntries(read.filter((name) => existsSync(join(folder, name))).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
  rmSync(folder, { recursive: true });
  return status === 2 ? { status, error: stderr.trim().split("\n").at(-1).replace(/^tutti: /, ""), files: written } : { status, text: stdout, files: written };
}

// Numbers of a seed, in [0, n): the same on every machine.
export function drawnFrom(seed) {
  let state = BigInt(seed) & 0xffffffffffffffffn;
  const next = () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number(state >> 33n);
  };
  return { below: (n) => next() % n, oneOf: (list) => list[next() % list.length] };
}
