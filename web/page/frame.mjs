// Pages that the core writes, inside this page.

import { html } from "./elements.mjs";

let current = null;

// The page's own heading and its colors' button are this page's business; a frame is as high as what it holds, so that no share of it is a height.
const innerStyle = "header { display: none } body { max-width: none; padding: 0 } figure.fit#stage svg { max-height: 30rem }";

function fit(frame) {
  const inner = frame.contentDocument;
  if (inner?.body) frame.style.height = `${inner.body.scrollHeight + 24}px`;
}

// Places of a page of the core that hold what differs from one page to the next: its title, its heading, its contents and its data.
const places = [["<title>", "</title>"], ["<h1>", "</h1>"], ["<main>", "</main>"], ['id="data">', "<\/script>"]];

// The page's parts at these places, and all else, which is its shell; null for a page that has not all of them.
function partsOf(page) {
  let shell = "";
  let at = 0;
  const parts = [];
  for (const [before, after] of places) {
    const begin = page.indexOf(before, at) + before.length;
    const end = page.indexOf(after, begin);
    if (begin < before.length || end < 0) return null;
    shell += page.slice(at, begin);
    parts.push(page.slice(begin, end));
    at = end;
  }
  return { shell: shell + page.slice(at), parts };
}

function dress(frame, step) {
  const inner = frame.contentDocument;
  inner.documentElement.dataset.theme = document.documentElement.dataset.theme;
  if (step) inner.defaultView.location.hash = `#step=${step}`;
  new frame.contentWindow.ResizeObserver(() => fit(frame)).observe(inner.body);
  fit(frame);
}

// Another page of the shell that the frame has: it begins in the frame's document, which need not be made anew.
function change(frame, [, heading, contents, data], title, step) {
  const inner = frame.contentDocument;
  frame.title = title;
  inner.querySelector("h1").innerHTML = heading;
  inner.title = inner.querySelector("h1").textContent;
  inner.querySelector("main").innerHTML = contents;
  const address = step ? `#step=${step}` : "";
  if (inner.defaultView.location.hash !== address) inner.defaultView.location.hash = address;
  inner.defaultView.beginPage(data);
  fit(frame);
}

function framed(place, page, title, step) {
  const frame = html("iframe", { title, class: "page" });
  frame.loaded = new Promise((done) => frame.addEventListener("load", () => done(dress(frame, step)), { once: true }));
  frame.srcdoc = page;
  place.replaceChildren(frame);
  return frame;
}

// A frame with that page, in the place of what `place` held. `step` is where it begins, `style` is added to its own, `loaded` ends when it
// can be played.
export function showPage(place, page, title, { step = "", style = "" } = {}) {
  const whole = page.replace("</style>", `${innerStyle}${style}</style>`);
  const cut = partsOf(whole);
  const there = place.children.length === 1 ? place.firstElementChild : null;
  const isReused = cut !== null && there?.shell === cut.shell && there.contentWindow.beginPage !== undefined;
  if (isReused) change(there, cut.parts, title, step);
  current = isReused ? there : framed(place, whole, title, step);
  current.shell = cut?.shell;
  return current;
}

export function dressFrames() {
  for (const frame of document.querySelectorAll("iframe.page")) {
    if (frame.contentDocument?.documentElement) frame.contentDocument.documentElement.dataset.theme = document.documentElement.dataset.theme;
  }
}

function turnMedia(inner, from, to) {
  for (const sheet of inner.styleSheets) {
    for (const rule of sheet.cssRules) if (rule.media?.mediaText === from) rule.media.mediaText = to;
  }
}

// On paper a frame is as high as all steps of its page. Its style for paper holds before the browser asks for it, so that the height is known.
export function setUpPrinting() {
  const turn = (kind, from, to) => addEventListener(kind, () => {
    for (const frame of document.querySelectorAll("iframe.page")) {
      const inner = frame.contentDocument;
      inner.defaultView.dispatchEvent(new inner.defaultView.Event(kind));
      turnMedia(inner, from, to);
      fit(frame);
    }
  });
  turn("beforeprint", "print", "all");
  turn("afterprint", "all", "print");
}

// Keys that play reach the page inside, wherever the focus is, unless what has it needs them.
export function passKeys() {
  const playing = [" ", "ArrowLeft", "ArrowRight", "Home", "End"];
  document.addEventListener("keydown", (event) => {
    if (!playing.includes(event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target !== document.body && !event.target.closest("#result > .picture")) return;
    const inner = current?.isConnected ? current.contentDocument : null;
    if (!inner) return;
    event.preventDefault();
    inner.body.dispatchEvent(new inner.defaultView.KeyboardEvent("keydown", { key: event.key, bubbles: true }));
  });
}

// Calls `told` with the step of the page that plays.
export function listenToSteps(told) {
  addEventListener("message", (event) => {
    if (event.source === current?.contentWindow && typeof event.data?.step === "string") told(event.data.step.replace("#step=", ""));
  });
}

// A picture that the core drew; its colors follow those of the page.
export function pictureOf(svg, words) {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  return html("figure", { class: "paper", tabindex: 0, role: "region", "aria-label": words },
              html("img", { src: address, alt: words, load: () => URL.revokeObjectURL(address) }));
}

// Shows the answer of a drawing command: page.html, figure.svg, or why there is neither.
export function showDrawn(place, drawn, words) {
  if (drawn.files?.["page.html"]) return showPage(place, drawn.files["page.html"], words);
  place.replaceChildren(drawn.files?.["figure.svg"] ? pictureOf(drawn.files["figure.svg"], words) : note(drawn.error ?? ""));
  return null;
}

export const note = (words) => html("p", { class: "note" }, words);
