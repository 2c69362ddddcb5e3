// Size of the explorer, and how soon it answers: explorer.mjs [CHANGES].
//
// Environment: TUTTI, the command; TUTTI_WEB, a folder with node_modules; TUTTI_EXPLORER, the folder of `make explorer`; CHROMIUM.

import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

import { drawnFrom, ofCommand } from "../../tests/web/explorer_core.mjs";

const changes = Number(process.argv[2] ?? 200);
const file = resolve(process.env.TUTTI_EXPLORER, "explorer.html");
const { chromium } = createRequire(resolve(process.env.TUTTI_WEB, "package.json"))("playwright-core");

const sorted = (numbers) => numbers.toSorted((a, b) => a - b);
const median = (numbers) => sorted(numbers)[Math.floor(numbers.length / 2)];
const words = (numbers) => `median ${median(numbers).toFixed(0)} ms, worst ${Math.max(...numbers).toFixed(0)} ms`;

async function until(page, holds, argument) {
  while (!(await page.evaluate(holds, argument))) await page.waitForTimeout(5);
}

const isDone = () => ["done", "error", "broken"].includes(document.body.dataset.state);

async function opened(browser, hash) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(`file://${file}${hash}`);
  await until(page, isDone);
  return page;
}

// Milliseconds from the page's beginning until a picture stands in it.
async function firstPicture(browser) {
  const page = await browser.newPage();
  await page.goto(`file://${file}`, { waitUntil: "commit" });
  await until(page, () => document.querySelector("#picture iframe")?.contentDocument?.body?.dataset.step !== undefined);
  const passed = await page.evaluate(() => performance.now());
  await page.close();
  return passed;
}

const collectives = ["broadcast", "all-reduce", "all-gather", "scatter", "reduce", "scan", "gather", "reduce-scatter"];
const networks = ["", "ring", "hypercube", "torus"];

// A change is answered when the numbers and the picture stand there; the proof may follow.
async function answers(browser, ranks, changes, { oneOf }) {
  const page = await opened(browser, `#ranks=${ranks}`);
  const [shown, ratios] = [[], []];
  let slowest = "";
  let largest = 0;
  let before = "";
  for (let k = 0; k < changes; ++k) {
    const [collective, network, bytes] = [oneOf(collectives), oneOf(networks), oneOf(["8", "1KiB", "64KiB", "1MiB"])];
    const to = `#${new URLSearchParams({ collective, network, ranks, bytes })}`;
    if (to === before) continue; // no change
    before = to;
    await page.evaluate((to) => { document.body.dataset.state = "asked"; location.hash = to; }, to);
    await until(page, () => ["shown", "done", "error", "broken"].includes(document.body.dataset.state));
    const passed = Number(await page.evaluate(() => document.body.dataset.shown));
    if (passed > Math.max(...shown)) slowest = to;
    shown.push(passed);
    largest = Math.max(largest, largestProcess());
    if (k % 20 !== 0) continue;
    const began = performance.now();
    ofCommand({ words: ["simulate", collective, ...(network ? ["--topology", network] : []), "--ranks", `${ranks}`, "--bytes", bytes, "--json"] });
    ratios.push(passed / (performance.now() - began));
  }
  console.log(`${ranks} ranks, ${shown.length} random changes: ${words(shown)}; ${median(ratios).toFixed(1)} times the command's simulation (median of ${ratios.length}); slowest ${slowest}; at most ${largest.toFixed(0)} MiB`);
  await page.close();
}

async function frames(browser) {
  const page = await opened(browser, "#collective=all-reduce&algorithm=recursive-doubling&ranks=64");
  const gaps = await page.evaluate(() => new Promise((done) => {
    const inner = document.querySelector("#picture iframe").contentWindow;
    inner.document.querySelector("#play").click();
    const gaps = [];
    let before = performance.now();
    const tick = (now) => {
      gaps.push(now - before);
      before = now;
      if (inner.document.body.dataset.playing === "true" && gaps.length < 600) inner.requestAnimationFrame(tick);
      else done(gaps.slice(1));
    };
    inner.requestAnimationFrame(tick);
  }));
  console.log(`64 ranks playing: ${gaps.length} frames, ${gaps.filter((gap) => gap > 25).length} dropped, worst gap ${Math.max(...gaps).toFixed(0)} ms`);
  await page.close();
}

// The largest process that renders pages, in MiB.
function largestProcess() {
  const sizes = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map((pid) => {
    try {
      const [line, status] = [readFileSync(`/proc/${pid}/cmdline`, "utf8"), readFileSync(`/proc/${pid}/status`, "utf8")];
      return line.includes("--type=renderer") ? Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024 : 0;
    } catch {
      return 0;
    }
  });
  return Math.max(...sizes);
}

const text = readFileSync(file);
console.log(`size: ${(text.length / 2 ** 20).toFixed(2)} MiB, ${(gzipSync(text, { level: 9 }).length / 2 ** 20).toFixed(2)} MiB compressed`);
console.log(`load of this machine: ${loadavg()[0].toFixed(1)}`);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
const firsts = [];
for (let k = 0; k < 5; ++k) firsts.push(await firstPicture(browser));
console.log(`first picture: ${words(firsts)} (5 times)`);
for (const ranks of [64, 1024]) await answers(browser, ranks, changes, drawnFrom(ranks));
await answers(browser, 4096, Math.ceil(changes / 10), drawnFrom(4096));
await frames(browser);
await browser.close();
