// Lanes of ranks against time, with a cursor.

const laneLeft = 70;
const laneWidth = 1000;
const rowHeight = 14;

function laneElements(timeline, x, tops) {
  const spans = [];
  timeline.lanes.forEach((lane, rank) => {
    for (const span of lane.spans) {
      const words = `rank ${rank}, ${span.words}: ${wordsForTime(span.begin)} to ${wordsForTime(span.end)}`;
      spans.push(svg("rect", {
        class: "span", x: x(span.begin), y: tops[rank] + span.row * rowHeight, height: rowHeight - 2,
        width: Math.max(0.6, x(span.end) - x(span.begin)), fill: `var(--${span.kind})`,
      }, svg("title", {}, words)));
    }
  });
  return spans;
}

function flightElements(timeline, x, tops) {
  return timeline.messages.map((message) => svg("line", {
    class: "flight", x1: x(message.begin), y1: tops[message.from] + (message.fromRow + 0.4) * rowHeight,
    x2: x(message.end), y2: tops[message.to] + (message.toRow + 0.4) * rowHeight,
  }, svg("title", {}, `${message.from} to ${message.to}, ${message.bytes} B`)));
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
  const x = (time) => laneLeft + (timeline.seconds > 0 ? time / timeline.seconds : 0) * laneWidth;
  const tops = [];
  let height = 8;
  for (const lane of timeline.lanes) {
    tops.push(height);
    height += lane.rows * rowHeight + 10;
  }
  const cursor = svg("line", { class: "cursor", y1: 0, y2: height });
  const flights = flightElements(timeline, x, tops);
  const names = tops.map((top, rank) => svg("text", { x: 4, y: top + 11 }, `rank ${rank}`));
  const rules = tops.map((top) => svg("line", { class: "lane", x1: 0, x2: laneLeft + laneWidth, y1: top - 5, y2: top - 5 }));
  byId("lanes").append(svg("svg", { viewBox: `0 0 ${laneLeft + laneWidth + 10} ${height}` },
                           ...rules, ...names, ...laneElements(timeline, x, tops), ...flights, cursor));
  for (const kind of timeline.kinds)
    byId("kinds").append(html("span", {}, html("i", { style: `background: var(--${kind})` }), kind));

  function show(now) {
    byId("time").value = timeline.seconds > 0 ? (now / timeline.seconds) * byId("time").max : 0;
    fill(cursor, { x1: x(now), x2: x(now) }, []);
    byId("clock").textContent = `${wordsForTime(now)} of ${wordsForTime(timeline.seconds)}`;
    byId("time").setAttribute("aria-valuetext", wordsForTime(now));
    timeline.messages.forEach((message, k) => flights[k].classList.toggle("live", message.begin <= now && now < message.end));
    const doing = timeline.lanes.map((lane, rank) => {
      const spans = lane.spans.filter((span) => span.begin <= now && now < span.end && span.kind !== "call");
      return html("li", {}, `rank ${rank}: ${listOf(spans.map((span) => span.words))}`);
    });
    byId("doing").replaceChildren(html("ul", {}, ...doing));
  }

  const onInput = (see) => byId("time").addEventListener(
    "input", (event) => see((Number(event.target.value) / Number(event.target.max)) * timeline.seconds));
  show(0);
  return { show, onInput, momentsOf: (frames) => momentsOf(frames, timeline) };
}

const timeline = data.timeline ? setUpTimeline(data.timeline) : null;
if (timeline && !data.frames) timeline.onInput(timeline.show);
