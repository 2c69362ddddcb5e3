// Lanes of ranks against time, with a cursor.

const laneLeft = 70;
const laneWidth = 1000;
const rowHeight = 14;

const leastWidth = 0.6;  // least width of a span that is seen

// With more messages only those under way, and those of the span that is pointed at, have an arrow.
const mostFlights = 400;

const fillOf = (span) => (span.ground === undefined ? span.kind : `${span.kind}-${span.ground}`);

function laneElements(timeline, x, tops) {
  const spans = [];
  timeline.lanes.forEach((lane, rank) => {
    for (const span of lane.spans) {
      const words = `rank ${rank}, ${span.words}: ${wordsForTime(span.begin)} to ${wordsForTime(span.end)}`;
      const critical = span.critical ? " and is on the critical path" : "";
      const message = span.message === undefined ? {} : { "data-message": span.message };
      const width = x(span.end) - x(span.begin);
      spans.push(svg("rect", {
        class: `span ${span.kind}${span.critical ? " critical" : ""}`, x: x(span.begin), y: tops[rank] + span.row * rowHeight, height: rowHeight - 2,
        width: Math.max(leastWidth, width), "data-width": width, fill: `var(--${fillOf(span)})`, ...message,
      }, svg("title", {}, words + critical)));
    }
  });
  return spans;
}

function flightElement(message, x, tops) {
  return svg("line", {
    class: "flight", x1: x(message.begin), y1: tops[message.from] + (message.fromRow + 0.4) * rowHeight,
    x2: x(message.end), y2: tops[message.to] + (message.toRow + 0.4) * rowHeight,
  }, svg("title", {}, `${message.from} to ${message.to}, ${message.bytes} B`));
}

// The arrows of messages: `at(now)` marks those under way, `point(k)` that of one message; null for none.
function setUpFlights(messages, x, tops) {
  const layer = svg("g");
  const few = messages.length <= mostFlights;
  const elements = few ? messages.map((message) => flightElement(message, x, tops)) : [];
  layer.append(...elements);
  let now = 0;
  let pointed = null;
  const isLive = (message) => message.begin <= now && now < message.end;
  function draw() {
    if (few) {
      elements.forEach((element, k) => {
        element.classList.toggle("live", isLive(messages[k]));
        element.classList.toggle("pointed", k === pointed);
      });
      return;
    }
    layer.replaceChildren();
    messages.forEach((message, k) => {
      if (!isLive(message) && k !== pointed) return;
      const element = flightElement(message, x, tops);
      element.classList.add(k === pointed ? "pointed" : "live");
      layer.append(element);
    });
  }
  return {
    layer,
    at(moment) {
      now = moment;
      draw();
    },
    point(message) {
      if (message === pointed) return;
      pointed = message;
      draw();
    },
  };
}

const phaseLetters = 11;

// Phases' names, where they have room; they do not grow with what has times. `at(zoom)` writes them.
function setUpPhaseNames(timeline, x, tops) {
  const layer = svg("g", { class: "labels" });
  const phases = timeline.lanes.flatMap((lane, rank) =>
    lane.spans.filter((span) => span.kind === "phase").map((span) => ({
      words: span.words, from: x(span.begin), wide: x(span.end) - x(span.begin), needed: textWidth(span.words, phaseLetters) + 4,
      y: tops[rank] + (span.row + 1) * rowHeight - 4.5,
    })));
  return {
    layer,
    at(zoom) {
      const named = phases.filter((phase) => phase.needed <= phase.wide * zoom);
      layer.replaceChildren(...named.map(({ words, from, y }) => svg("text", { class: "phase-name halo", x: laneLeft + from * zoom + 2, y }, words)));
    },
  };
}

// Parts that have times grow sideways; ranks' names stay in sight.
function setUpZoom(drawing, timed, names, phaseNames, height) {
  const figure = byId("lanes");
  const margin = laneLeft + 10;
  const short = [...timed.querySelectorAll(".span")].filter((span) => Number(span.dataset.width) < leastWidth);
  let zoom = 1;
  const follow = () => names.setAttribute("transform", `translate(${(figure.scrollLeft * (margin + laneWidth * zoom)) / drawing.clientWidth || 0} 0)`);
  function set(next) {
    const middle = (figure.scrollLeft + figure.clientWidth / 2) / figure.scrollWidth;
    zoom = next;
    timed.setAttribute("transform", `translate(${laneLeft} 0) scale(${zoom} 1)`);
    for (const span of short) span.setAttribute("width", Math.max(leastWidth / zoom, Number(span.dataset.width)));
    phaseNames.at(zoom);
    drawing.setAttribute("viewBox", `0 0 ${margin + laneWidth * zoom} ${height}`);
    drawing.style.width = `${(100 * (margin + laneWidth * zoom)) / (margin + laneWidth)}%`;
    figure.scrollLeft = middle * figure.scrollWidth - figure.clientWidth / 2;
    follow();
  }
  figure.addEventListener("scroll", follow);
  byId("zoom").addEventListener("input", (event) => set(2 ** Number(event.target.value)));
  set(1);
}

// For each step when its messages are under way, one step after the other: what is under way while an earlier step's
// messages are counts from their end on. The messages of a pair of ranks have the same order in the steps and in time.
function momentsOf(frames, timeline) {
  const ofPair = new Map();
  const inOrder = [...timeline.messages].sort((a, b) => a.begin - b.begin);
  for (const message of inOrder) {
    const pair = `${message.from}-${message.to}`;
    if (!ofPair.has(pair)) ofPair.set(pair, []);
    ofPair.get(pair).push(message);
  }
  const taken = new Map();
  let done = 0;
  return frames.map((frame) => {
    let begin = Infinity;
    let end = done;
    for (const { from, to } of frame.arrows) {
      const pair = `${from}-${to}`;
      const message = ofPair.get(pair)?.[taken.get(pair) ?? 0];
      taken.set(pair, (taken.get(pair) ?? 0) + 1);
      if (!message) continue;
      begin = Math.min(begin, message.begin);
      end = Math.max(end, message.end);
    }
    const moment = { begin: begin === Infinity ? done : Math.max(begin, done), end };
    done = end;
    return moment;
  });
}

function setUpTimeline(timeline) {
  const x = (time) => (timeline.seconds > 0 ? time / timeline.seconds : 0) * laneWidth;
  const tops = [];
  let height = 8;
  for (const lane of timeline.lanes) {
    tops.push(height);
    height += lane.rows * rowHeight + 10;
  }
  const cursor = svg("line", { class: "cursor", y1: 0, y2: height });
  const flights = setUpFlights(timeline.messages, x, tops);
  const rules = tops.map((top) => svg("line", { class: "lane", x1: 0, x2: laneWidth, y1: top - 5, y2: top - 5 }));
  const names = svg("g", { class: "ranks" }, svg("rect", { class: "names", width: laneLeft - 4, height }),
                    ...tops.map((top, rank) => svg("text", { x: 4, y: top + 11 }, `rank ${rank}`)));
  const timed = svg("g", {}, ...rules, ...laneElements(timeline, x, tops), flights.layer, cursor);
  const phaseNames = setUpPhaseNames(timeline, x, tops);
  const drawing = svg("svg", {}, timed, phaseNames.layer, names);
  byId("lanes").append(drawing);
  setUpZoom(drawing, timed, names, phaseNames, height);
  const messageAt = (event) => event.target.closest("[data-message]")?.dataset.message;
  drawing.addEventListener("pointerover", (event) => flights.point(messageAt(event) === undefined ? null : Number(messageAt(event))));
  drawing.addEventListener("pointerleave", () => flights.point(null));
  for (const { words, fill } of timeline.keys)
    byId("kinds").append(html("span", {}, html("i", { style: `background: var(--${fill})` }), words));

  function show(now) {
    byId("time").value = timeline.seconds > 0 ? (now / timeline.seconds) * byId("time").max : 0;
    fill(cursor, { x1: x(now), x2: x(now) }, []);
    byId("clock").textContent = `${wordsForTime(now)} of ${wordsForTime(timeline.seconds)}`;
    byId("time").setAttribute("aria-valuetext", wordsForTime(now));
    flights.at(now);
    const doing = timeline.lanes.map((lane, rank) => {
      const spans = lane.spans.filter((span) => span.begin <= now && now < span.end && span.kind !== "call");
      const phase = spans.find((span) => span.kind === "phase");
      const words = spans.filter((span) => span !== phase).map((span) => span.words);
      return html("li", {}, `rank ${rank}${phase ? ` (${phase.words})` : ""}: ${listOf(words)}`);
    });
    byId("doing").replaceChildren(html("ul", {}, ...doing));
  }

  const onInput = (see) => byId("time").addEventListener(
    "input", (event) => see((Number(event.target.value) / Number(event.target.max)) * timeline.seconds));
  show(0);
  return { show, onInput, momentsOf: (frames) => momentsOf(frames, timeline) };
}
