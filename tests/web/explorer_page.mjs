// The explorer in a browser: opened, asked and waited for.

import { resolve } from "node:path";

import { until, visit } from "./browser.mjs";

export const explorer = resolve(process.env.TUTTI_EXPLORER, "explorer.html");

const isDone = () => ["done", "error", "broken"].includes(document.body.dataset.state);
export const settled = (page) => until(page, isDone);

// Opens the page at that state, waits for its answer, and lets `see` look at it.
export const look = (hash, see, options = {}) => visit(explorer, async (page) => {
  await settled(page);
  await see(page);
}, { hash, ...options });

// Changes the address as a link does, and waits for what it asks for.
export async function go(page, hash) {
  await page.evaluate((to) => { document.body.dataset.state = "asked"; location.hash = to; }, hash);
  await settled(page);
}

export const inPage = (page, selector) => page.frameLocator("#view-explore iframe").locator(selector);
