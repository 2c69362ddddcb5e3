// The explorer in a browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { installed, start, stop, textOf, until } from "./browser.mjs";
import { drawnFrom, ofCommand } from "./explorer_core.mjs";
import { go, inPage, look, settled } from "./explorer_page.mjs";

const axe = readFileSync(installed.resolve("axe-core/axe.min.js"), "utf8");

before(start);
after(stop);

test("opens from a disk, proves, and plays", async () => {
  await look("", async (page) => {
    assert.match(await textOf(page, "#verdict"), /Proved: \d+ cases/);
    assert.match(await textOf(page, "#facts"), /binomial[^]*6\.072us/);
    await inPage(page, "#step").click();
    assert.match(await inPage(page, "#now").innerText(), /^Step 1 of 3/);
    await until(page, () => location.hash.includes("step=1"));
  });
});

test("restores a state from its address in a new window", async () => {
  const hash = "#collective=all-reduce&algorithm=ring&network=ring&ranks=5&bytes=64KiB&step=2";
  await look(hash, async (page) => {
    assert.equal(await page.inputValue("#field-collective"), "all-reduce");
    assert.match(await textOf(page, "#facts"), /ring/);
    await until(page, () => document.querySelector("#view-explore iframe").contentDocument.body.dataset.step === "2");
  });
});

test("shows one page after the other in one document", async () => {
  await look("#collective=all-reduce&algorithm=ring&network=ring&ranks=4&step=3", async (page) => {
    const frame = page.frameLocator("#view-explore iframe");
    await page.evaluate(() => { document.querySelector("#view-explore iframe").contentWindow.remembered = true; });
    await inPage(page, "#play").click();
    await go(page, "#collective=broadcast&algorithm=binomial&network=hypercube&ranks=8");
    assert.equal(await page.evaluate(() => document.querySelector("#view-explore iframe").contentWindow.remembered), true);
    assert.equal(await frame.locator("body").getAttribute("data-step"), "0");
    assert.equal(await frame.locator("body").getAttribute("data-playing"), "false");
    assert.match(await page.evaluate(() => document.querySelector("#view-explore iframe").contentDocument.title), /broadcast/);
    assert.equal(await frame.locator("#words li").count(), 3);
    assert.equal(await frame.locator("#stage svg .vertex").count(), 8);
    // The page before hears no keys: it would play on, or tell its own step.
    await inPage(page, "#stage").press("ArrowRight");
    assert.equal(await frame.locator("body").getAttribute("data-step"), "1");
    await until(page, () => location.hash.includes("step=1"));
    await go(page, "#collective=broadcast&network=hypercube&ranks=8&picture=timeline");
    assert.notEqual(await page.evaluate(() => document.querySelector("#view-explore iframe").contentWindow.remembered), true);
    assert.ok(await frame.locator("#lanes svg").isVisible());
  });
});

test("takes back and repeats changes", async () => {
  await look("", async (page) => {
    await page.selectOption("#field-collective", "all-gather");
    await until(page, () => document.body.dataset.state === "done" && document.querySelector("#facts").textContent.includes("56"));
    await page.click("#undo");
    assert.equal(await page.inputValue("#field-collective"), "broadcast");
    await page.click("#redo");
    assert.equal(await page.inputValue("#field-collective"), "all-gather");
    await settled(page);
  });
});

test("says what is wrong beside the field, in the command's words", async () => {
  const said = (words) => ofCommand({ words: ["simulate", "broadcast", "--topology", "hypercube", "--ranks", "8", ...words] }).error;
  for (const [key, value, words] of [["root", "9", ["--root", "9", "--bytes", "1KiB"]], ["bytes", "1QiB", ["--bytes", "1QiB"]], ["ts", "soon", ["--bytes", "1KiB", "--ts", "soon"]]]) {
    await look(`#${key}=${value}`, async (page) => {
      assert.equal(await textOf(page, `#field-${key}-error`), said(words));
      assert.equal(await page.getAttribute(`#field-${key}`, "aria-invalid"), "true");
    });
  }
});

test("answers 200 random changes without a complaint", async () => {
  const { oneOf } = drawnFrom(1);
  const draw = () => new URLSearchParams({ collective: oneOf(["broadcast", "all-reduce", "all-gather", "all-to-all", "scan", "scatter", "shift", "reduce", "barrier"]), network: oneOf(["", "ring", "hypercube", "torus", "linear"]), ranks: oneOf(["1", "2", "4", "8", "16", "64", "7"]), bytes: oneOf(["8", "1KiB", "1MiB"]), picture: oneOf(["steps", "timeline", "prices", "order", "text"]), late: oneOf(["", "", "1:5us"]) });
  await look("", async (page) => {
    for (let k = 0; k < 200; ++k) {
      const hash = `#${draw()}`;
      await go(page, hash);
      assert.notEqual(await page.evaluate(() => document.body.dataset.state), "broken", hash);
    }
  });
});

test("refuses a broken schedule, and names the place", async () => {
  await look("#view=break&collective=all-reduce&algorithm=ring&network=ring&ranks=4", async (page) => {
    assert.match(await textOf(page, "#broken-verdict"), /Right as it is/);
    await page.getByRole("button", { name: /^Remove send to/ }).first().click();
    await until(page, () => document.querySelector("#broken-verdict").classList.contains("bad"));
    assert.match(await textOf(page, "#broken-verdict"), /Refused\. \w+ \(rank \d+, step \d+\)/);
    await until(page, () => document.querySelector("#broken-picture img")?.complete);
    await page.click("#undo");
    await until(page, () => document.querySelector("#broken-verdict").classList.contains("good"));
  });
});

test("sees programs deadlock, and mended ones end", async () => {
  await look("#view=programs", async (page) => {
    assert.match(await textOf(page, "#program-verdict"), /Line 2: deadlock/);
    await page.selectOption("#program-example", "1");
    await until(page, () => document.querySelector("#program-verdict").classList.contains("good"));
    assert.match(await textOf(page, "#program-verdict"), /comes to its end/);
    await page.selectOption("#program-kind", "messages");
    await until(page, () => document.querySelector("#program-times table") !== null);
  });
});

test("shows each case of the gallery with its picture", async () => {
  const cases = JSON.parse(ofCommand({ words: ["gallery", "--json"] }).text);
  await look("#view=gallery", async (page) => {
    for (const each of cases) {
      await go(page, `#view=gallery&mistake=${each.name}`);
      assert.ok((await textOf(page, "#gallery-case")).includes(each.reason), each.name);
      await until(page, () => document.querySelector("#gallery-case img")?.naturalWidth > 0);
    }
  });
});

test("draws a network of one's own, and uses it", async () => {
  await look("#view=network", async (page) => {
    await page.click("text=Add a rank");
    await until(page, () => document.querySelectorAll(".editor .rank").length === 5);
    // A new node is chosen, so that another one that is chosen is linked with it.
    await page.locator('.editor [aria-label="rank 0"]').focus();
    await page.keyboard.press("Enter");
    await until(page, () => document.querySelectorAll(".editor .link").length === 5);
    await page.click("text=Use it");
    await until(page, () => document.body.dataset.state === "done" && !document.querySelector("#view-explore").hidden);
    assert.match(await textOf(page, "#verdict"), /Proved/);
  });
});

// Plays all pictures of the chapter that is shown, and looks for the formulas behind them.
async function playScenes(page, id) {
  for (const frame of await page.locator("#chapter iframe").all()) await frame.contentFrame().locator("#last").click();
  await until(page, () => [...document.querySelectorAll("#chapter .scene")].every((scene) => !scene.querySelector("iframe") || scene.querySelector(".formula")));
  assert.ok((await page.locator("#chapter .scene").count()) > 0, id);
}

async function answer(page, number, exercise, given) {
  const place = page.locator(`[data-number="${number}"]`);
  if (exercise.options?.length) {
    for (const box of await place.locator("input").all()) await box.setChecked(given.split(/, */).includes(await box.getAttribute("value")));
  } else await place.locator("input, textarea").first().fill(given);
  await place.locator("text=Check").first().click();
  await until(page, (of) => /(Right|Not right)/.test(document.querySelector(`[data-number="${of}"] .said`).textContent), number);
  const said = await place.locator(".said").innerText();
  await page.evaluate((of) => { document.querySelector(`[data-number="${of}"] .said`).textContent = ""; }, number);
  return said;
}

test("teaches: every lecture plays to its end, and its questions take right answers and refuse wrong ones", async () => {
  const exercises = new Map(JSON.parse(ofCommand({ words: ["exercise", "--json", "--solution"] }).text).flatMap((chapter) => chapter.exercises.map((each) => [each.number, each])));
  await look("#view=learn", async (page) => {
    const chapters = await page.locator("#contents button").count();
    assert.equal(chapters, 11);
    let asked = 0;
    for (let k = 0; k < chapters; ++k) {
      await page.locator("#contents button").nth(k).click();
      await settled(page);
      await playScenes(page, k);
      for (const number of await page.locator(".exercise").evaluateAll((all) => all.map((each) => each.dataset.number))) {
        const exercise = exercises.get(number);
        const wrong = exercise.mistakes[0]?.answer ?? exercise.options.filter((option) => !option.holds).map((option) => option.letter).join(",");
        assert.match(await answer(page, number, exercise, wrong), /^Not right/, number);
        assert.match(await answer(page, number, exercise, exercise.answer), /^Right/, number);
        ++asked;
      }
    }
    assert.ok(asked >= 60, `${asked} questions`);
  });
});

test("needs no pointer", async () => {
  await look("", async (page) => {
    await page.focus("#field-collective");
    await page.keyboard.type("scan");
    await until(page, () => document.querySelector("#field-collective").value === "scan" && document.body.dataset.state === "done");
    await page.focus("#picture-steps");
    await page.keyboard.press("ArrowRight");
    await until(page, () => document.querySelector("#picture-timeline").getAttribute("aria-selected") === "true");
    await settled(page);
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("End");
    await until(page, () => /step=\d/.test(location.hash));
    await page.keyboard.press("Control+z");
    await until(page, () => document.querySelector("#picture-steps").getAttribute("aria-selected") === "true");
  });
});

for (const [name, options] of [["on a phone", { viewport: { width: 390, height: 800 } }], ["in the dark", { colorScheme: "dark" }]]) {
  test(`is wide enough and accessible ${name}`, async () => {
    for (const hash of ["", "#view=break", "#view=programs", "#view=network", "#view=gallery", "#view=learn", "#picture=prices"]) {
      await look(hash, async (page) => {
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${hash}: wider than the window`);
        await page.evaluate(axe);
        const found = await page.evaluate(() => axe.run(document, { iframes: false }));
        assert.deepEqual(found.violations.map((each) => `${each.id}: ${each.nodes.map((node) => node.target).join(", ")}`), [], hash);
      }, { ...options, bypassCSP: true });
    }
  });
}
