// Plays the steps.

const secondsOfStep = 1.6;

function wordsOfStep(frames, step, total) {
  const first = frames[0]?.step ?? 1;
  if (step === 0) return `Start: what ranks hold before ${first === 1 ? "the first" : `step ${first}`} of ${many(total, "step")}.`;
  const arrows = frames[step - 1].arrows;
  const most = 6;
  const said = arrows.slice(0, most).map((arrow) => `${arrow.from} sends ${arrow.content || "a signal"} to ${arrow.to}`);
  if (arrows.length > most) said.push(`and ${arrows.length - most} more`);
  const drawn = arrows.length > mostDrawn ? " The drawing has those of rank 0, or of the rank that is looked at." : "";
  return `Step ${frames[step - 1].step} of ${total}, ${many(arrows.length, "message")}: ${said.join("; ") || "nothing is sent"}.${frames[step - 1].phase ? ` Phase: ${frames[step - 1].phase}.` : ""}${drawn}`;
}

// Whether the element needs the key itself while it has the focus.
function needsKey(element, key) {
  if (element.matches("select")) return true;
  return element.matches('input[type="range"]') ? key !== " " : key === " " && element.matches("input, button, [role=button]");
}

// Keys play wherever the focus is, unless what has it needs them itself. What is changed by pointer gives them back.
function listenToKeys(moves) {
  let byPointer = false;
  const { signal } = lifetime;
  document.addEventListener("pointerdown", () => (byPointer = true), { capture: true, signal });
  document.addEventListener("change", (event) => byPointer && event.target.blur(), { signal });
  document.addEventListener("keydown", (event) => {
    byPointer = false;
    if (needsKey(event.target, event.key) || event.ctrlKey || event.altKey || event.metaKey || !Object.hasOwn(moves, event.key)) return;
    event.preventDefault();
    moves[event.key]();
  }, { signal });
}

// Shows what is pointed at or has the focus; keeps what is clicked.
function chooseIn(drawing, { see, keep }) {
  const choiceAt = (event) => event.target.closest("[data-choice]")?.dataset.choice ?? "";
  for (const kind of ["pointerover", "focusin"]) drawing.addEventListener(kind, (event) => see(choiceAt(event)));
  for (const kind of ["pointerleave", "focusout"]) drawing.addEventListener(kind, () => see(""));
  drawing.addEventListener("click", (event) => keep(choiceAt(event)));
  drawing.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    keep(choiceAt(event));
  });
  byId("look").addEventListener("change", (event) => keep(event.target.value));
}

function offerChoices(layout) {
  const offer = (value, words) => byId("look").append(html("option", { value }, words));
  layout.vertices.forEach((vertex, k) => offer(`vertex ${k}`, `${vertex.switch ? "switch" : "rank"} ${nameOf(vertex)}`));
  layout.wires.forEach((wire, k) =>
    offer(`wire ${k}`, `link ${layout.vertices[wire.a].label} – ${layout.vertices[wire.b].label}`));
}

// On paper every step is a picture.
function printSteps(layout, frames, steps) {
  const { signal } = lifetime;
  addEventListener("beforeprint", () => {
    byId("panels").replaceChildren(...[0, ...frames.keys()].map((_, step) => {
      const panel = makeStage(layout, frames);
      panel.show(step, 1);
      return html("figure", {}, html("figcaption", {}, wordsOfStep(frames, step, steps)), panel.element);
    }));
  }, { signal });
  addEventListener("afterprint", () => byId("panels").replaceChildren(), { signal });
}

// The address of a step is the page's with #step=3; #step=0 is the start.
const addressOf = (frames, step) => `#step=${step === 0 ? 0 : frames[step - 1].step}`;

// The index of the step that the address names, or null.
function stepInAddress(frames) {
  const named = /^#step=(\d+)$/.exec(location.hash);
  if (!named) return null;
  const step = Number(named[1]);
  const found = frames.findIndex((frame) => frame.step === step);
  return step === 0 ? 0 : found < 0 ? null : found + 1;
}

// A page in a frame has no address of its own: it tells the step to the page around it.
function tellStep(address) {
  if (parent === window) history.replaceState(null, "", address);
  else parent.postMessage({ step: address }, "*");
}

// `time` is the timeline below the steps, or null. Both are always at the same moment.
function setUpPlayer({ layout, frames, steps }, time) {
  const { signal } = lifetime;
  const stage = makeStage(layout, frames);
  const last = frames.length;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const state = { step: 0, part: 1, playing: false, clock: 0, drawing: 0, kept: "", seen: "" };
  const details = byId("details");
  const hint = [...details.childNodes];
  byId("stage").append(stage.element);
  byId("position").max = last;

  function showDetails() {
    const choice = state.seen || state.kept;
    stage.choose(choice);
    byId("look").value = state.kept;
    details.replaceChildren(...(choice ? detailsOf(choice, layout, frames, state.step) : hint));
    const current = details.querySelector("[aria-current]");
    if (current) details.scrollTop = current.offsetTop - details.clientHeight / 2;
  }

  function showControls() {
    byId("play").textContent = state.playing ? "Pause" : "Play";
    for (const id of ["first", "back"]) byId(id).disabled = state.step === 0;
    for (const id of ["step", "last"]) byId(id).disabled = state.step === last;
    byId("position").value = state.step;
    byId("position").setAttribute("aria-valuetext", `step ${state.step} of ${last}`);
  }

  const moments = time?.momentsOf(frames);

  function show() {
    stage.show(state.step, state.part);
    const moment = state.step > 0 ? moments?.[state.step - 1] : null;
    time?.show(moment ? moment.begin + state.part * (moment.end - moment.begin) : 0);
    document.body.dataset.step = state.step;
    document.body.dataset.playing = state.playing;
    showControls();
  }

  // Does not run while a step's messages move, so that words and details are written once a step.
  function goTo(step, part = 1) {
    state.step = Math.min(Math.max(step, 0), last);
    state.part = part;
    byId("now").textContent = wordsOfStep(frames, state.step, steps);
    document.querySelectorAll("#words li").forEach((item, k) =>
      k + 1 === state.step ? item.setAttribute("aria-current", "step") : item.removeAttribute("aria-current"));
    showDetails();
    show();
    const address = addressOf(frames, state.step);
    if (state.step !== (stepInAddress(frames) ?? 0)) tellStep(address);
  }

  let before = 0;
  function tick(now) {
    if (!state.playing || signal.aborted) return;
    const passed = Math.min((now - before) / 1000, 0.1) * Number(byId("speed").value);
    before = now;
    // A little pause after the messages have come, to look at what they brought.
    state.clock += passed / secondsOfStep;
    const moving = still.matches ? 1 : Math.min(1, state.clock / 0.7);
    if (state.clock >= 1 && state.step === last) return pause();
    if (state.clock >= 1) {
      state.clock = 0;
      goTo(state.step + 1, still.matches ? 1 : 0);
    } else if (moving !== state.part) {
      state.part = moving;
      show();
    }
    state.drawing = requestAnimationFrame(tick);
  }

  function play() {
    if (last === 0) return;
    state.playing = true;
    state.clock = 0;
    before = performance.now();
    goTo(state.step === last ? 1 : state.step + 1, still.matches ? 1 : 0);
    state.drawing = requestAnimationFrame(tick);
  }

  function stopAt(step, part = 1) {
    state.playing = false;
    cancelAnimationFrame(state.drawing);
    goTo(step, part);
  }

  const pause = () => stopAt(state.step);

  // At a moment between two steps the first one is shown, done.
  function stopAtTime(now) {
    const next = moments.findIndex((moment) => now < moment.end);
    const under = next >= 0 && now > moments[next].begin;
    stopAt(next < 0 ? last : under ? next + 1 : next, under ? (now - moments[next].begin) / (moments[next].end - moments[next].begin) : 1);
    time.show(now);
  }

  const moves = {
    " ": () => (state.playing ? pause() : play()),
    ArrowLeft: () => stopAt(state.step - 1),
    ArrowRight: () => stopAt(state.step + 1),
    Home: () => stopAt(0),
    End: () => stopAt(last),
  };
  const buttons = { play: " ", back: "ArrowLeft", step: "ArrowRight", first: "Home", last: "End" };
  for (const [id, key] of Object.entries(buttons)) byId(id).addEventListener("click", moves[key]);
  byId("fit").addEventListener("change", (event) => byId("stage").classList.toggle("fit", event.target.checked));
  byId("position").addEventListener("input", (event) => stopAt(Number(event.target.value)));
  time?.onInput(stopAtTime);

  addEventListener("hashchange", () => {
    const step = stepInAddress(frames);
    if (step !== null && step !== state.step) stopAt(step);
  }, { signal });
  listenToKeys(moves);
  chooseIn(stage.element, {
    see(choice) {
      state.seen = choice;
      showDetails();
    },
    keep(choice) {
      state.kept = choice;
      showDetails();
    },
  });
  offerChoices(layout);
  printSteps(layout, frames, steps);
  goTo(stepInAddress(frames) ?? 0);
}

// Begins with these data, a text, in the place of those before.
function begin(text) {
  lifetime.abort();
  lifetime = new AbortController();
  data = unpacked(JSON.parse(text));
  const timeline = data.timeline ? setUpTimeline(data.timeline) : null;
  if (data.frames) setUpPlayer(data, timeline);
  else timeline.onInput(timeline.show);
}

begin(byId("data").textContent);

// A page around this one may put other contents here, and then calls it: a new document takes longer.
window.beginPage = begin;
