// The explorer's main way in Firefox: choose and see, play, break, learn.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { startFirefox, stop, textOf, until } from "./browser.mjs";
import { go, inPage, look } from "./explorer_page.mjs";

before(startFirefox);
after(stop);

test("proves, plays, shows every picture, refuses a broken schedule, and checks an answer in Firefox", async () => {
  await look("#collective=all-reduce&algorithm=ring&network=ring&ranks=4", async (page) => {
    assert.match(await textOf(page, "#verdict"), /Proved: \d+ cases/);
    await inPage(page, "#step").click();
    assert.match(await inPage(page, "#now").innerText(), /^Step 1 of 6/);
    await until(page, () => location.hash.includes("step=1"));
    for (const picture of ["timeline", "prices", "order", "text"]) {
      await go(page, `#collective=all-reduce&algorithm=ring&network=ring&ranks=4&picture=${picture}`);
      await until(page, () => document.querySelector("#picture").textContent !== "" || document.querySelector("#picture iframe, #picture img") !== null);
    }
    await go(page, "#view=break&collective=all-reduce&algorithm=ring&network=ring&ranks=4");
    await page.getByRole("button", { name: /^Remove send to/ }).first().click();
    await until(page, () => document.querySelector("#broken-verdict").classList.contains("bad"));
    await go(page, "#view=learn");
    await page.locator('[data-number="1.2"] input').first().fill("0");
    await page.locator('[data-number="1.2"] >> text=Check').click();
    await until(page, () => /^(Right|Not right)/.test(document.querySelector('[data-number="1.2"] .said').textContent));
  });
});
