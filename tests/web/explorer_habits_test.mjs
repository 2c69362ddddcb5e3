// Habits of people who use the explorer: pasting, dropping, saving, printing, keys alone, no motion, many ranks, numbers with units.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { start, stop, textOf, until } from "./browser.mjs";
import { ofCommand } from "./explorer_core.mjs";
import { go, inPage, look, settled } from "./explorer_page.mjs";

before(start);
after(stop);

const matrix = `\tGPU0\tGPU1\tGPU2\tGPU3\tCPU Affinity\tNUMA Affinity
GPU0\t X \tNV2\tNV1\tSYS\t0-15\t0
GPU1\tNV2\t X \tSYS\tNV1\t0-15\t0
GPU2\tNV1\tSYS\t X \tNV2\t16-31\t1
GPU3\tSYS\tNV1\tNV2\t X \t16-31\t1
`;

test("takes what nvidia-smi topo -m prints", async () => {
  await look("#view=network", async (page) => {
    await page.fill("#own-text", matrix);
    await page.locator("#own-text").blur();
    await until(page, () => document.querySelector("#own-facts img")?.naturalWidth > 0);
    assert.equal(await textOf(page, "#own-error"), "");
    await page.click("text=Use it");
    await until(page, () => document.body.dataset.state === "done" && !document.querySelector("#view-explore").hidden);
    const files = { "network.txt": matrix };
    const { seconds } = JSON.parse(ofCommand({ words: ["simulate", "broadcast", "--topology", "network.txt", "--bytes", "1KiB", "--json"], files }).text);
    assert.ok((await textOf(page, "#facts")).includes(`${Number((seconds * 1e6).toPrecision(4))}us`));
    await page.fill("#field-bytes", "2KiB");
    await page.locator("#field-bytes").blur();
    await settled(page);
  });
});

test("sets the speed of a link, with a unit, and refuses what is none beside its field", async () => {
  await look("#view=network", async (page) => {
    await page.locator('.editor [aria-label="link of rank 0 and rank 1"]').focus();
    await page.keyboard.press("Enter");
    await page.fill("#link-tw", "20ns");
    await page.keyboard.press("Tab");
    await until(page, () => document.querySelector(".editor .speed")?.textContent === "20ns");
    assert.equal(await page.evaluate(() => document.activeElement.id), "link-ts");
    const own = await page.inputValue("#own-text");
    await page.fill("#link-tw", "soon");
    await page.keyboard.press("Tab");
    const said = ofCommand({ words: ["topology", "network.json"], files: { "network.json": own.replace("20ns", "soon") } }).error;
    await until(page, () => document.querySelector("#link-error").textContent !== "");
    assert.equal(await textOf(page, "#link-error"), said);
    await page.click("#undo");
    await until(page, () => document.querySelector("#link-tw").value === "20ns" && document.querySelector("#link-error").textContent === "");
  });
});

test("shows a run that is dropped beside its prediction", async () => {
  const { "run.json": run } = ofCommand({ words: ["draw", "all-reduce", "--algorithm", "ring", "--ranks", "4", "--timeline", "-o", "run.json"], read: ["run.json"] }).files;
  await look("#view=trace&collective=all-reduce&algorithm=ring&network=&ranks=4", async (page) => {
    await page.evaluate((text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], "run.json", { type: "application/json" }));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }, run);
    await until(page, () => ["#trace-run", "#trace-prediction"].every((place) => document.querySelector(`${place} iframe`)?.contentDocument?.querySelector("#lanes svg")));
  });
});

async function saved(page, name) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name, exact: true }).click()]);
  return readFileSync(await download.path(), "utf8");
}

test("saves pictures, numbers, schedules and traces", async () => {
  await look("#collective=all-reduce&algorithm=ring&network=ring&ranks=4", async (page) => {
    const call = ["all-reduce", "--topology", "ring", "--ranks", "4", "--algorithm", "ring", "--bytes", "1KiB"];
    const written = (words, file) => ofCommand({ words: [...words, "-o", file], read: [file] }).files[file];
    assert.match(await saved(page, "SVG of the steps"), /^<\?xml/);
    assert.equal(await saved(page, "JSON"), ofCommand({ words: ["simulate", ...call, "--json"] }).text);
    assert.equal(await saved(page, "Schedule"), written(["explain", ...call], "schedule.json"));
    assert.equal(await saved(page, "Trace for Perfetto"), written(["draw", ...call, "--timeline"], "trace.json"));
    await page.getByRole("button", { name: "Copy as C++ for lab.hpp" }).click();
    await until(page, () => document.querySelector("#copied").textContent.includes("tutti::lab::prove"));
  });
});

test("prints the answer with every step", async () => {
  await look("", async (page) => {
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.equal(await inPage(page, "#panels figure").count(), 4);
    const heights = () => page.evaluate(() => {
      const frame = document.querySelector("#view-explore iframe");
      return { frame: frame.clientHeight, page: frame.contentDocument.body.scrollHeight };
    });
    const { frame, page: inner } = await heights();
    assert.ok(frame >= inner, `${frame} pixels for ${inner}`);
    for (const hidden of ["#fields", "nav", "#tools", "#pictures"]) assert.equal(await page.locator(hidden).isVisible(), false, hidden);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    assert.equal(await inPage(page, "#panels figure").count(), 0);
  });
});

test("moves in few pictures where no motion is wanted", async () => {
  await look("#collective=all-reduce&network=&ranks=128", async (page) => {
    await page.getByRole("button", { name: "Play" }).click();
    const shown = await page.evaluate(() => new Promise((done) => {
      const [slider, found] = [document.querySelector('[aria-label="Time"]'), new Set()];
      const watch = setInterval(() => {
        found.add(slider.value);
        if (slider.value === slider.max) done([...found], clearInterval(watch));
      }, 50);
    }));
    assert.ok(shown.length <= 11, `${shown.length} pictures`);
  }, { reducedMotion: "reduce" });
});

test("shows 1,024 and 4,096 ranks by groups", async () => {
  for (const [collective, algorithm, ranks] of [["broadcast", "", "4096"], ["all-reduce", "recursive-doubling", "4096"], ["all-gather", "ring", "1024"], ["all-reduce", "ring", "4096"]]) {
    await look(`#${new URLSearchParams({ collective, algorithm, network: "", ranks })}`, async (page) => {
      await until(page, () => document.querySelector(".many canvas") !== null);
      assert.match(await textOf(page, "#picture [role=status]"), /([\d,]+) messages of \1 have arrived/);
      if (algorithm === "ring") assert.match(await textOf(page, "#picture"), /more than a picture can show.* among (256|128) ranks/);
    });
  }
});

test("shows the run that it priced, in the segments that the core chose", async () => {
  await look("#collective=broadcast&network=hypercube&ranks=128&bytes=64KiB", async (page) => {
    await until(page, () => document.querySelector(".many canvas") !== null);
    const facts = await textOf(page, "#facts");
    const [, messages] = /Messages\s+([\d,]+)/.exec(facts);
    assert.match(await textOf(page, "#picture [role=status]"), new RegExp(` messages of ${messages} have arrived`), facts);
  });
});

// Each option that a field has is on the command's line, and does something.
const calls = {
  nodes: ["#collective=all-reduce&algorithm=leaders&network=&nodes=4%2B4&twOutside=2ns", ["--algorithm", "leaders", "--nodes", "4+4", "--tw-outside", "2ns"]],
  grid: ["#collective=all-reduce&algorithm=mesh&network=&grid=2x4", ["--algorithm", "mesh", "--grid", "2x4"]],
  routing: ["#collective=all-reduce&algorithm=ring&network=torus&ranks=16&routing=valiant%3A3", ["--algorithm", "ring", "--topology", "torus", "--ranks", "16", "--routing", "valiant:3"]],
  background: ["#collective=all-reduce&algorithm=ring&network=ring&background=4%3A1", ["--algorithm", "ring", "--topology", "ring", "--ranks", "8", "--background", "4:1"]],
  eager: ["#collective=all-reduce&algorithm=reduce-broadcast&network=ring&late=4%3A20us&eager=64KiB", ["--algorithm", "reduce-broadcast", "--topology", "ring", "--ranks", "8", "--skew", "4:20us", "--eager", "64KiB"]],
  packet: ["#collective=all-reduce&algorithm=recursive-doubling&network=ring&switching=store-and-forward&packet=64", ["--algorithm", "recursive-doubling", "--topology", "ring", "--ranks", "8", "--switching", "store-and-forward", "--packet", "64"]],
};

for (const [key, [hash, words]] of Object.entries(calls)) {
  test(`has a field for ${key}`, async () => {
    await look(hash, async (page) => {
      const { seconds } = JSON.parse(ofCommand({ words: ["simulate", "all-reduce", "--bytes", "1KiB", ...words, "--json"] }).text);
      assert.ok((await textOf(page, "#facts")).includes(`${Number((seconds * 1e6).toPrecision(4))}us`), `${seconds}: ${await textOf(page, "#facts")}`);
      assert.ok(await page.locator(`#field-${key}`).isVisible());
    });
  });
}

test("is used by keys alone, from the question to a broken schedule", async () => {
  await look("", async (page) => {
    const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.textContent);
    const tabTo = async (wanted) => {
      for (let k = 0; k < 80 && (await focused()) !== wanted; ++k) await page.keyboard.press("Tab");
      assert.equal(await focused(), wanted);
    };
    await tabTo("field-ranks");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("4");
    await page.keyboard.press("Tab");
    await until(page, () => location.hash.includes("ranks=4"));
    assert.equal(await focused(), "field-ranks-slider");
    await page.keyboard.press("ArrowRight");
    await until(page, () => !location.hash.includes("ranks="));
    await settled(page);
    await page.keyboard.press("Shift+Tab");
    await tabTo("result");
    await page.keyboard.press("Tab");
    await go(page, "#view=break&collective=broadcast&ranks=4");
    await page.evaluate(() => document.activeElement.blur());
    await tabTo("broken-rank");
    await page.keyboard.press("Tab");
    while (!/^Remove/.test(await page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? ""))) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await until(page, () => document.querySelector("#broken-verdict").classList.contains("bad"));
  });
});
