// A browser, and the pages that `tutti draw` writes.
//
// Environment: TUTTI, the command; TUTTI_WEB, a folder with node_modules, into which pages and screenshots are written;
// CHROMIUM and FIREFOX, where they are not in /usr/bin; TUTTI_FONTS, the family that is installed as the only one.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";

export const folder = process.env.TUTTI_WEB;
export const installed = createRequire(join(folder, "package.json"));
const { chromium, _bidiFirefox: firefox } = installed("playwright-core");

// Runs the command, and gives the path of the page that it wrote, or of another file where the name has an ending.
export function draw(name, ...words) {
  const file = join(folder, name.includes(".") ? name : `${name}.html`);
  execFileSync(process.env.TUTTI, ["draw", ...words, "-o", file], { stdio: ["ignore", "ignore", "pipe"] });
  return file;
}

let browser = null;

export async function start() {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
}

// Firefox as Debian has it, by WebDriver BiDi: playwright's own protocol needs a Firefox of its own.
export async function startFirefox() {
  browser = await firefox.launch({ executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr" });
}

export const stop = () => browser.close();

// Opens the page, lets `look` at it, and holds that nothing was said on the console, thrown or fetched meanwhile.
// The explorer's worker and its pictures have addresses of their own, which are blobs of the page. `hash` stands behind the file's address.
export async function visit(file, look, { hash = "", ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints = [];
  page.on("console", (message) => complaints.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`thrown: ${error.message}`));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!/^(file|blob|data):/.test(request.url())) complaints.push(`fetched: ${request.url()}`);
  });
  await page.goto(`file://${encodeURI(file)}${hash}`);
  await look(page);
  await context.close();
  assert.deepEqual(complaints, []);
}

// Waits until `look` holds on the page. Its own waitForFunction() evaluates a text there, which pages forbid.
export async function until(page, look, argument) {
  const end = Date.now() + 60_000;
  while (!(await page.evaluate(look, argument))) {
    assert.ok(Date.now() < end, `within a minute: ${look}`);
    await page.waitForTimeout(20);
  }
}

export const screenshot = (page, name) => page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
export const stepOf = async (page) => Number(await page.evaluate(() => document.body.dataset.step));
export const textOf = (page, selector) => page.locator(selector).innerText();
