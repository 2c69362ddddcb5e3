#!/usr/bin/env node
// scripts/explorer-picture.mjs: takes the README's picture of the explorer, docs/guide/explorer.png.
//
// `make explorer-picture` builds what it needs: the explorer, and the driver of the browser.

import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const project = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const { chromium } = createRequire(resolve(project, "build/release/tests/web/package.json"))("playwright-core");

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
await page.goto(`file://${project}/build/explorer/explorer.html#collective=all-reduce&algorithm=ring&network=ring&ranks=8&bytes=64KiB&step=3`);
while (!(await page.evaluate(() => document.body.dataset.state === "done"))) await page.waitForTimeout(50);
await page.frameLocator("#view-explore iframe").locator('[aria-label="rank 3"], [data-choice="vertex 3"]').first().click();
await page.screenshot({ path: resolve(project, "docs/guide/explorer.png") });
await browser.close();
