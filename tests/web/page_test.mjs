// The page that plays steps, in a browser.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { draw, folder, installed, screenshot, start, stepOf, stop, textOf, until, visit } from "./browser.mjs";
import { pages, trace } from "./pages.mjs";

const { parse, serialize } = installed("parse5");
const axe = readFileSync(installed.resolve("axe-core/axe.min.js"), "utf8");

const { broadcast, ring, reduce, alone, timed } = pages;

before(start);
after(stop);

// But for what a parser may write in either way.
const bare = (text) => text.replace(/\s+|=""/g, "").replaceAll("&#39;", "'").replaceAll("&quot;", '"');

test("is well-formed HTML that needs nothing else", () => {
  for (const [name, file] of Object.entries({ ...pages, trace })) {
    const text = readFileSync(file, "utf8");
    const errors = [];
    const document = parse(text, { onParseError: (error) => errors.push(`${error.code} in line ${error.startLine}`) });
    assert.deepEqual(errors, [], name);
    assert.equal(bare(serialize(document)), bare(text), `${name}: the parser had nothing to mend`);
    assert.doesNotMatch(text, /(src|href)=/, name);
    const ids = [...text.split("<script")[0].matchAll(/ id="([^"]+)"/g)].map((match) => match[1]);
    assert.equal(new Set(ids).size, ids.length, name);
  }
});

test("plays to the end, and pauses", async () => {
  await visit(broadcast, async (page) => {
    // Looks within the click's own turn: on a busy machine some steps may have been played before the next question.
    const clickPlay = () =>
      page.evaluate(() => {
        const button = document.querySelector("#play");
        button.click();
        return { ...document.body.dataset, text: button.textContent.trim() };
      });
    await page.selectOption("#speed", "4");
    assert.equal((await clickPlay()).text, "Pause");
    await page.locator('body[data-step="3"][data-playing="false"]').waitFor();
    assert.equal(await textOf(page, "#play"), "Play");
    await page.selectOption("#speed", "0.25");
    assert.equal(Number((await clickPlay()).step), 1, "it plays again from the beginning");
    assert.equal((await clickPlay()).playing, "false");
  });
});

test("moves messages while it plays, unless motion is unwelcome", async () => {
  const dots = (page) => page.locator('.dot[visibility="visible"]').count();
  await visit(broadcast, async (page) => {
    await page.selectOption("#speed", "0.25");
    await page.click("#play");
    await page.locator(".dot[cx]").waitFor();
    assert.equal(await dots(page), 1);
    await page.keyboard.press("End");
    assert.equal(await dots(page), 0);
  });
  await visit(broadcast, async (page) => {
    await page.click("#play");
    assert.equal(await stepOf(page), 1);
    assert.equal(await dots(page), 0);
  }, { reducedMotion: "reduce" });
});

test("steps by buttons", async () => {
  await visit(broadcast, async (page) => {
    assert.match(await textOf(page, "#now"), /^Start/);
    assert.ok(await page.isDisabled("#back"));
    await page.click("#step");
    assert.equal(await textOf(page, "#now"), "Step 1 of 3, 1 message: 0 sends M to 4.");
    assert.equal(await page.locator(".arrow").count(), 1);
    assert.equal(await page.getAttribute("#words li:nth-child(1)", "aria-current"), "step");
    await page.click("#last");
    assert.equal(await page.locator(".arrow").count(), 4);
    assert.ok(await page.isDisabled("#step"));
    await page.click("#back");
    assert.equal(await stepOf(page), 2);
    assert.equal(await page.locator(".arrow").count(), 2);
    await page.click("#first");
    assert.equal(await stepOf(page), 0);
    assert.equal(await page.locator(".arrow").count(), 0);
    await page.fill("#position", "3");
    assert.equal(await stepOf(page), 3);
  });
});

test("steps by keys", async () => {
  await visit(broadcast, async (page) => {
    for (const [key, step] of [["ArrowRight", 1], ["ArrowRight", 2], ["ArrowLeft", 1], ["End", 3], ["ArrowRight", 3], ["Home", 0], ["ArrowLeft", 0]]) {
      await page.keyboard.press(key);
      assert.equal(await stepOf(page), step, key);
    }
    await page.keyboard.press(" ");
    assert.equal(await page.evaluate(() => document.body.dataset.playing), "true");
    await page.keyboard.press(" ");
    assert.equal(await page.evaluate(() => document.body.dataset.playing), "false");
    await page.focus("#step");
    await page.keyboard.press(" ");
    assert.equal(await stepOf(page), 2, "a focused button keeps its key");
    assert.equal(await page.evaluate(() => document.body.dataset.playing), "false");
  });
});

test("has an address for each step", async () => {
  await visit(broadcast, async (page) => {
    const hash = () => page.evaluate(() => location.hash);
    assert.equal(await hash(), "");
    await page.keyboard.press("ArrowRight");
    assert.equal(await hash(), "#step=1");
    await page.evaluate(() => { location.hash = "#step=3"; });
    await page.locator('body[data-step="3"]').waitFor();
    await page.reload();
    assert.equal(await stepOf(page), 3);
    await page.keyboard.press("Home");
    assert.equal(await hash(), "#step=0");
    await page.evaluate(() => { location.hash = "#step=99"; });
    assert.equal(await stepOf(page), 0, "the address of no step");
  });
});

test("is legible on a narrow screen, and has an arrowhead at each rank on a way", async () => {
  await visit(pages.mesh, async (page) => {
    await page.setViewportSize({ width: 390, height: 800 });
    const share = await page.evaluate(() => {
      const drawing = document.querySelector("#stage svg");
      return drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width;
    });
    assert.ok(10.5 * share >= 8.9, `the smallest letters have ${10.5 * share} pixels`);
  });
  await visit(reduce, async (page) => {
    await page.keyboard.press("End");
    const heads = await page.locator(".arrow [marker-end]").count();
    assert.equal(heads, 4, "three ranks are passed between 4 and 0");
  });
});

test("keeps its keys after a control was used", async () => {
  const playing = (page) => page.evaluate(() => document.body.dataset.playing);
  await visit(timed, async (page) => {
    const uses = {
      "Fit, by pointer": () => page.uncheck("#fit"),
      "Fit, by key": async () => {
        await page.focus("#fit");
        await page.keyboard.press(" ");
        assert.ok(await page.isChecked("#fit"), "a focused box keeps its key");
        await page.click("h1");
      },
      "a slider of the steps": () => page.click("#position"),
      "a slider of time": () => page.click("#time"),
    };
    for (const [what, use] of Object.entries(uses)) {
      await use();
      for (const [key, step] of [["Home", 0], ["ArrowRight", 1], ["End", 6], ["ArrowLeft", 5]]) {
        await page.keyboard.press(key);
        assert.equal(await stepOf(page), step, `${what}, ${key}`);
      }
      await page.keyboard.press(" ");
      assert.equal(await playing(page), "true", what);
      await page.keyboard.press(" ");
      assert.equal(await playing(page), "false", what);
    }
    await page.focus("#fit");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    assert.equal(await stepOf(page), 1, "a focused box leaves the other keys");
  });
});

// On a narrow screen a figure is moved rather than made illegible; the page itself never is.
test("opens with the whole network in a wide window, and legible in a narrow one", async () => {
  const wide = draw("wide", "all-gather", "--algorithm", "ring", "--topology", "ring:16", "--timeline");
  for (const [width, height] of [[1280, 900], [800, 600], [375, 667], [320, 568]]) {
    await visit(wide, async (page) => {
      const size = `${width} x ${height}`;
      for (const figure of ["#stage", "#lanes"]) {
        const [hidden, tall] = await page.evaluate((id) => {
          const it = document.querySelector(id);
          return [Math.max(it.scrollWidth - it.clientWidth, it.scrollHeight - it.clientHeight), it.querySelector("svg").getBoundingClientRect().height];
        }, figure);
        if (width < 640) continue;
        assert.equal(hidden, 0, `${figure} at ${size}`);
        if (figure === "#stage") assert.ok(tall <= height, size);
      }
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `the page at ${size}`);
      const smallest = await page.evaluate(() => Math.min(...[...document.querySelectorAll("#stage text")].map((text) =>
        parseFloat(getComputedStyle(text).fontSize) * Math.hypot(text.getScreenCTM().a, text.getScreenCTM().b))));
      if (width < 640) assert.ok(smallest >= 8.5, `letters of ${smallest} pixels at ${size}`);
      await screenshot(page, `wide-${width}`);
    }, { viewport: { width, height } });
  }
});

test("says what a rank holds and does", async () => {
  await visit(broadcast, async (page) => {
    await page.keyboard.press("ArrowRight");
    await page.hover('[data-choice="vertex 4"]');
    const details = await textOf(page, "#details");
    assert.match(details, /Rank 4 100/);
    assert.match(details, /before step 1\s+nothing/);
    assert.match(details, /after it\s+M/);
    assert.equal(await textOf(page, '#details [aria-current="step"] code'), "receive output[0..8) from 0");
    await page.keyboard.press("ArrowRight");
    assert.equal(await textOf(page, '#details [aria-current="step"] code'), "send output[0..8) to 6", "it follows the steps");
    await page.hover("h1");
    assert.match(await textOf(page, "#details"), /^Point at a rank/, "what is looked away from is not shown any longer");
    await page.click('[data-choice="vertex 2"]');
    await page.hover("h1");
    assert.match(await textOf(page, "#details"), /Rank 2 010/, "a click keeps it");
    await page.selectOption("#look", "vertex 7");
    assert.match(await textOf(page, "#details"), /Rank 7 111/);
  });
});

test("says what a link carries", async () => {
  await visit(broadcast, async (page) => {
    await page.keyboard.press("ArrowRight");
    const link = await page.evaluate(() => [...document.querySelectorAll("#look option")].find((o) => o.text === "link 0 – 4").value);
    await page.selectOption("#look", link);
    assert.match(await textOf(page, "#details"), /0 → 4\s+1 message, 8 elements in this step; 1 message, 8 elements in all/);
    assert.match(await textOf(page, "#details"), /4 → 0\s+nothing in this step/);
    await page.selectOption("#look", "");
    await page.hover(`[data-choice="${link}"] .reach`, { force: true });
    assert.match(await textOf(page, "#details"), /Link 0 – 4/);
  });
});

test("is usable by keyboard and screen reader", async () => {
  await visit(broadcast, async (page) => {
    await page.keyboard.press("End");
    await page.focus('[data-choice="vertex 5"]');
    assert.match(await page.getAttribute('[data-choice="vertex 5"]', "aria-label"), /^Rank 5 101 holds M, new$/);
    await page.keyboard.press("Enter");
    await page.focus("#play");
    assert.match(await textOf(page, "#details"), /Rank 5 101/);
    const reached = new Set();
    await page.focus("#theme");
    for (let k = 0; k < 40; ++k) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => document.activeElement.dataset.choice ?? document.activeElement.id));
    }
    for (const id of ["play", "position", "look", "vertex 0", "vertex 7"]) assert.ok(reached.has(id), id);
    assert.equal(await page.getAttribute("#now", "aria-live"), "polite");
  });
});

test("has no fault that axe-core knows, in light and in dark", async () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const file of [ring, timed]) {
      await visit(file, async (page) => {
        await page.keyboard.press("ArrowRight");
        await page.hover('[data-choice="vertex 1"]');
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => window.axe.run());
        assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes.map((node) => node.html).join(" ")}`), []);
      }, { colorScheme });
    }
  }
});

test("is light or dark, as the system or as chosen", async () => {
  const ground = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const [light, dark] = ["rgb(255, 255, 255)", "rgb(22, 24, 28)"];
  for (const [colorScheme, seen] of [["light", [light, light, dark, light]], ["dark", [dark, light, dark, dark]]]) {
    await visit(ring, async (page) => {
      await page.keyboard.press("ArrowRight");
      await page.click('[data-choice="vertex 1"]');
      await screenshot(page, `all-reduce-${colorScheme}`);
      for (const color of seen) {
        assert.equal(await ground(page), color, `${colorScheme}: ${await textOf(page, "#theme")}`);
        await page.click("#theme");
      }
    }, { colorScheme });
  }
});

test("is shown in the fonts that it is tested with", { skip: !process.env.TUTTI_FONTS }, async () => {
  await visit(ring, async (page) => {
    const widths = await page.evaluate((families) => families.map((family) => {
      const context = document.createElement("canvas").getContext("2d");
      context.font = `100px ${family}`;
      return context.measureText("Rank {60,61}").width;
    }), ["Helvetica, Arial, sans-serif", process.env.TUTTI_FONTS]);
    assert.equal(widths[0], widths[1]);
  });
});

// Every text of the drawing is readable: none lies over another, none outside.
test("keeps texts apart", async () => {
  for (const [name, file] of Object.entries(pages)) {
    await visit(file, async (page) => {
      const last = Number(await page.getAttribute("#position", "max"));
      for (let step = 0; step <= last; ++step) {
        await page.fill("#position", `${step}`);
        const faults = await page.evaluate(() => {
          const frame = document.querySelector("#stage svg").viewBox.baseVal;
          const boxes = [...document.querySelectorAll("#stage text")].map((text) => [text.textContent, text.getBBox()]);
          const found = boxes.filter(([, b]) => b.x < 0 || b.y < 0 || b.x + b.width > frame.width || b.y + b.height > frame.height)
            .map(([text]) => `${text} is outside`);
          boxes.forEach(([text, a], k) => boxes.slice(0, k).forEach(([other, b]) => {
            const slack = 2; // the boxes of letters reach beyond their ink
            const apart = a.x + a.width <= b.x + slack || b.x + b.width <= a.x + slack || a.y + a.height <= b.y + 3 || b.y + b.height <= a.y + 3;
            if (!apart) found.push(`${text} over ${other}`);
          }));
          return found;
        });
        assert.deepEqual(faults, [], `${name}, step ${step}`);
      }
      await screenshot(page, `${name}-end`);
    });
  }
});

test("prints every step", async () => {
  await visit(broadcast, async (page) => {
    await page.pdf({ path: join(folder, "broadcast.pdf"), format: "A4" });
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.equal(await page.locator("#panels figure:visible").count(), 4);
    assert.equal(await page.locator("#controls:visible").count(), 0);
    await screenshot(page, "broadcast-printed");
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    assert.equal(await page.locator("#panels figure").count(), 0);
  }, { colorScheme: "dark" });
});

test("moves through a timeline", async () => {
  await visit(timed, async (page) => {
    assert.match(await textOf(page, "#clock"), /^0s of /);
    const at = () => page.getAttribute("#lanes .cursor", "x1").then(Number);
    const begin = await at();
    await page.fill("#time", "500");
    const middle = await at();
    await page.fill("#time", "1000");
    assert.ok(begin < middle && Math.abs((await at()) - middle - (middle - begin)) < 1);
    await page.fill("#time", "100");
    assert.equal(await page.locator("#doing li").first().innerText(), "rank 0 (reduce-scatter): send to 3, receive from 1");
    assert.ok((await page.locator("#lanes .flight.live").count()) > 0);
    assert.deepEqual((await page.locator("#lanes .phase-name").allTextContents()).slice(0, 2), ["reduce-scatter", "all-gather"]);
    assert.match(await page.locator("#words li").first().innerText(), /^reduce-scatter: 0 sends /);
    await screenshot(page, "timed");
  });
});

test("zooms into a timeline, and shows the message that is pointed at", async () => {
  const many = draw("many", "all-to-all", "--algorithm", "linear", "--topology", "full:24", "--bytes", "4KiB", "--timeline");
  await visit(many, async (page) => {
    const flights = page.locator("#lanes .flight");
    assert.ok((await flights.count()) < 400, "few of many messages have arrows");
    const widthOf = () => page.evaluate(() => document.querySelector("#lanes").scrollWidth);
    const before = await widthOf();
    await page.fill("#zoom", "3");
    assert.ok((await widthOf()) > 6 * before, "eight times as wide");
    const name = await page.locator("#lanes .ranks text").first().boundingBox();
    await page.evaluate(() => (document.querySelector("#lanes").scrollLeft = 500));
    await until(page, (x) => Math.abs(document.querySelector("#lanes .ranks text").getBoundingClientRect().x - x) < 2, name.x);
    await page.fill("#zoom", "0");
    await page.locator("#lanes [data-message]").first().hover({ force: true });
    await until(page, () => document.querySelectorAll("#lanes .flight.pointed").length === 1);
  });
});

test("is at the same moment in its steps and in its timeline", async () => {
  await visit(timed, async (page) => {
    const time = () => page.inputValue("#time").then(Number);
    const position = () => page.inputValue("#position").then(Number);
    const last = Number(await page.getAttribute("#position", "max"));
    // Six messages of a rank, one after the other, of the same length, and nothing else.
    for (let step = 0; step <= last; ++step) {
      await page.fill("#position", `${step}`);
      assert.ok(Math.abs((await time()) - (1000 * step) / last) <= 1, `step ${step} is at ${await time()}`);
    }
    for (const [part, step] of [[0, 0], [1, 1], [100, 1], [170, 2], [500, 3], [700, 5], [1000, 6], [20, 1]]) {
      await page.fill("#time", `${part}`);
      assert.equal(await stepOf(page), step, `time ${part}`);
      assert.equal(await position(), step);
      assert.equal(await time(), part, "the slider stays where it was put");
    }
    assert.equal(await page.locator('.dot[visibility="visible"]').count(), 4, "messages are under way");
    await page.keyboard.press("Home");
    assert.equal(await time(), 0);
    await page.click("#play");
    await until(page, () => document.querySelector("#time").value > 0);
    await page.fill("#time", "400");
    assert.equal(await page.evaluate(() => document.body.dataset.playing), "false");
    assert.equal(await stepOf(page), 3);
  });
});

test("shows a run by itself", async () => {
  await visit(trace, async (page) => {
    assert.equal(await page.locator("#stage").count(), 0);
    await page.fill("#time", "500");
    assert.match(await textOf(page, "#doing"), /rank 3( \([a-z-]+\))?: .*send to/);
    await screenshot(page, "trace");
  });
});

test("marks what is new, not what is given away", async () => {
  await visit(reduce, async (page) => {
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator(".vertex.new").count(), 4);
    assert.equal(await page.getAttribute('[data-choice="vertex 1"]', "aria-label"), "Rank 1 holds nothing");
  });
});

test("shows those of one rank where there are very many messages at once", async () => {
  const crowd = draw("crowd", "all-to-all", "--algorithm", "linear", "--ranks", "64");
  await visit(crowd, async (page) => {
    await page.keyboard.press("ArrowRight");
    const ofRank = (rank) => page.locator(".arrow title").evaluateAll(
      (titles, rank) => titles.filter((title) => title.textContent.match(`: ${rank} to|to ${rank},`)).length, rank);
    assert.match(await textOf(page, "#now"), /4032 messages.* those of rank 0, or of the rank that is looked at\.$/);
    assert.deepEqual([await ofRank(0), await page.locator(".arrow").count()], [126, 126]);
    await page.selectOption("#look", "vertex 5");
    assert.deepEqual([await ofRank(5), await page.locator(".arrow").count()], [126, 126]);
    await screenshot(page, "crowd");
    const width = () => page.evaluate(() => document.querySelector("#stage svg").getBoundingClientRect().width);
    const fitted = await width();
    await page.uncheck("#fit");
    assert.ok(fitted < (await width()));
  });
});

test("shows one rank, and no step", async () => {
  await visit(alone, async (page) => {
    assert.match(await textOf(page, "#now"), /^Start/);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press(" ");
    assert.equal(await stepOf(page), 0);
    await page.hover('[data-choice="vertex 0"]');
    assert.match(await textOf(page, "#details"), /Rank 0/);
  });
});

test("takes names for what they are", async () => {
  const hostile = "<!--<script>alert(1)<\\script><img src=x onerror=alert(2)>&amp;'\"`${1}.json";
  const network = join(folder, hostile);
  writeFileSync(network, JSON.stringify({ ranks: 2, links: [{ from: 0, to: 1 }] }));
  const file = draw("hostile", "broadcast", "--topology", network);
  await visit(file, async (page) => {
    assert.ok((await textOf(page, "h1")).includes("<!--<script>alert(1)"));
    assert.equal(await page.locator("img").count(), 0);
    await page.keyboard.press("ArrowRight");
    assert.equal(await stepOf(page), 1);
  });
});
