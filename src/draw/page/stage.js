// The network with what moves on it, as one drawing for one step.

const wireKey = (a, b) => (a < b ? `${a}-${b}` : `${b}-${a}`);

// With more messages at once only those of one rank are drawn: together they would be a blot.
const mostDrawn = 200;

// By color: whether the receiver stores the message, or combines it with what it holds; or which message it is, where
// messages pass other ranks.
const colors = 6;
const kindOf = (arrow) => ("color" in arrow ? `apart-${arrow.color}` : arrow.combined ? "combined" : "stored");
const kinds = ["stored", "combined", ...Array.from({ length: colors }, (_, k) => `apart-${k}`)];

// The message's number on a disk, and what it carries where there is room for that.
function labelElement(arrow, legs, scale, taken) {
  const disk = Math.max(18, textWidth(`${arrow.number}`, 10.5) + 7);
  const gap = 4;
  const width = disk + gap + textWidth(arrow.content, smallText);
  const whole = arrow.content ? placeBeside(legs, width, scale, taken) : null;
  const middle = legs[0].at(0.5);
  const box = whole ?? placeBeside(legs, disk, scale, taken) ??
    { left: middle.x - disk / 2, right: middle.x + disk / 2, top: middle.y - disk / 2, bottom: middle.y + disk / 2 };
  taken.push(box);
  const [x, y] = [box.left + disk / 2, (box.top + box.bottom) / 2];
  const label = svg("g", { class: kindOf(arrow) }, svg("rect", { class: "disk", x: box.left, y: y - 9, width: disk, height: 18, rx: 9 }),
                    svg("text", { class: "number", x, y: y + 3.5 }, `${arrow.number}`));
  if (whole) label.append(svg("text", { class: "size halo", x: x + disk / 2 + gap, y: y + 4 }, arrow.content));
  return label;
}

// `taken` are the boxes in which labels may not stand.
function arrowElement(scale, layout, wires, boxes, arrow, taken) {
  const legs = arrow.route.slice(1).map((to, k) => legOf(scale, layout, wires, boxes, arrow.route[k], to));
  const path = svg("path", { class: "way", d: legs.map((leg) => leg.path).join(""), "marker-end": `url(#${scale.head}-${kindOf(arrow)})` });
  const dot = svg("circle", { class: "dot", r: 6, visibility: "hidden" });
  // Each vertex on its way has an arrowhead, too.
  const passing = legs.slice(0, -1).map((leg) => svg("path", { class: "passing", d: leg.path, "marker-end": `url(#${scale.head}-${kindOf(arrow)})` }));
  const words = `${arrow.number}: ${arrow.from} to ${arrow.to}, ${arrow.content || "a signal"}`;
  const label = labelElement(arrow, legs, scale, taken);
  return { dot, path, label, element: svg("g", { class: `arrow ${kindOf(arrow)}`, "data-number": arrow.number }, svg("title", {}, words), path, ...passing, dot) };
}

function wireElement(scale, layout, wire, index) {
  const [start, end] = [scale.at(layout.vertices[wire.a].at), scale.at(layout.vertices[wire.b].at)];
  const control = wire.control ? scale.at(wire.control) : null;
  const d = `M${start.x} ${start.y}` + (control ? `Q${control.x} ${control.y} ` : "L") + `${end.x} ${end.y}`;
  return svg("g", { class: "wire", "data-choice": `wire ${index}` },
             svg("path", { class: "line", d }), svg("path", { class: "reach", d }));
}

// A box around what is of each node, below all else; none where nodes are among one another.
function nodeElements(scale, vertices) {
  const nodes = Math.max(-1, ...vertices.map((vertex) => vertex.node ?? -1)) + 1;
  const roomOf = (vertex) => {
    const [at, half] = [scale.at(vertex.at), halfSize(vertex)];
    const below = vertex.switch ? 8 : 14 + scale.lines * heldLine;
    return { left: at.x - half.x - 8, right: at.x + half.x + 8, top: at.y - half.y - 8, bottom: at.y + half.y + below };
  };
  const boxes = [...Array(nodes).keys()].map((node) => {
    const rooms = vertices.filter((vertex) => vertex.node === node).map(roomOf);
    const most = (pick, side) => pick(...rooms.map((room) => room[side]));
    return { left: most(Math.min, "left"), right: most(Math.max, "right"), top: most(Math.min, "top"), bottom: most(Math.max, "bottom") };
  });
  const isCrossed = (box, node) => vertices.some((vertex) => vertex.node !== node && overlap(box, roomOf(vertex)));
  if (boxes.some(isCrossed)) return [];
  return boxes.map((box) =>
    svg("rect", { class: "node", x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top, rx: 6 }));
}

function vertexElement(scale, vertex, index) {
  const [at, half] = [scale.at(vertex.at), halfSize(vertex)];
  const group = svg("g", { class: vertex.switch ? "vertex switch" : "vertex", "data-choice": `vertex ${index}` },
    svg("rect", { x: at.x - half.x, y: at.y - half.y, width: 2 * half.x, height: 2 * half.y, rx: vertex.switch ? 2 : 13 }),
    svg("text", { class: "name", x: at.x, y: at.y + 5 }, nameOf(vertex)));
  if (!vertex.switch) fill(group, { tabindex: 0, role: "button" }, []);
  return group;
}

// The share of its size at which the smallest letters have 9 pixels.
const legibleShare = 9 / 10.5;

// Arrowheads have a name of their own in each drawing, because those of one that is hidden are not drawn elsewhere.
let stages = 0;

// `show(step, part)`: step 0 is the start; while `part` is below 1 the step's messages are under way.
function makeStage(layout, frames) {
  const scale = { ...makeScale(layout, frames), head: `head-${++stages}` };
  const wires = new Map(layout.wires.map((wire) => [wireKey(wire.a, wire.b), wire]));
  const wireElements = layout.wires.map((wire, k) => wireElement(scale, layout, wire, k));
  const vertexElements = layout.vertices.map((vertex, k) => vertexElement(scale, vertex, k));
  const arrowLayer = svg("g");
  const labelLayer = svg("g", { class: "labels" });
  const heads = kinds.map((kind) =>
    svg("marker", { id: `${scale.head}-${kind}`, viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: 5, markerHeight: 5, orient: "auto" },
        svg("path", { class: `heads ${kind}`, d: "M0 0L10 5L0 10z" })));
  const element = svg("svg", { viewBox: `0 0 ${scale.width} ${scale.height}`, width: scale.width, height: scale.height },
                      svg("defs", {}, ...heads), svg("g", {}, ...nodeElements(scale, layout.vertices)), svg("g", {}, ...wireElements), arrowLayer, svg("g", {}, ...vertexElements), labelLayer);
  // On a narrow screen the drawing is moved rather than made illegible.
  element.style.setProperty("--legible", `${legibleShare * scale.width}px`);
  let drawn = null;
  let arrows = [];
  let rankLookedAt = 0;

  const hasFrame = (rank) => frames.length > 0 && rank < frames[0].ranks.length && !layout.vertices[rank].switch;

  function holdingOf(rank, step, part) {
    const mine = frames[Math.max(0, step - 1)].ranks[rank];
    const arrived = step > 0 && part >= 1;
    return { held: arrived ? mine.after : mine.before, changed: arrived && mine.after.some((line) => !mine.before.includes(line)) };
  }

  function showHoldings(step, part) {
    layout.vertices.forEach((vertex, rank) => {
      if (!hasFrame(rank)) return;
      const { held, changed } = holdingOf(rank, step, part);
      const group = vertexElements[rank];
      group.querySelectorAll(".held").forEach((line) => line.remove());
      const at = scale.at(vertex.at);
      held.forEach((line, k) => group.append(svg("text", { class: "held halo", x: at.x, y: at.y + 28 + k * heldLine }, line)));
      group.classList.toggle("new", changed);
      group.setAttribute("aria-label", `Rank ${nameOf(vertex)} holds ${held.join(", ") || "nothing"}${changed ? ", new" : ""}`);
    });
  }

  // Returns each vertex's boxes that arrows end at and labels keep out of: with what ranks hold before and after the step.
  function boxesAt(step) {
    return layout.vertices.map((vertex, rank) => {
      const { before, after } = hasFrame(rank) ? frames[Math.max(0, step - 1)].ranks[rank] : { before: [], after: [] };
      return boxesOf(scale.at(vertex.at), vertex, [...before, ...after], Math.max(before.length, after.length));
    });
  }

  function showMessages(step) {
    const frame = step > 0 ? frames[step - 1] : { arrows: [], loads: [] };
    const boxes = boxesAt(step);
    const taken = boxes.flat();
    const ofOne = frame.arrows.length > mostDrawn;
    const shown = frame.arrows.filter((arrow) => !ofOne || arrow.from === rankLookedAt || arrow.to === rankLookedAt);
    arrows = shown.map((arrow) => arrowElement(scale, layout, wires, boxes, arrow, taken));
    arrowLayer.replaceChildren(...arrows.map((arrow) => arrow.element));
    labelLayer.replaceChildren(...arrows.map((arrow) => arrow.label));
    const loaded = new Set(frame.loads.map((load) => wireKey(load.from, load.to)));
    layout.wires.forEach((wire, k) => wireElements[k].classList.toggle("loaded", loaded.has(wireKey(wire.a, wire.b))));
  }

  function moveDots(part) {
    for (const { dot, path } of arrows) {
      dot.setAttribute("visibility", part < 1 ? "visible" : "hidden");
      if (part >= 1) continue;
      const at = path.getPointAtLength(part * path.getTotalLength());
      fill(dot, { cx: at.x, cy: at.y }, []);
    }
  }

  return {
    element,
    show(step, part) {
      const key = `${step} ${part >= 1}`;
      if (drawn?.step !== step) showMessages(step);
      if (drawn?.key !== key) showHoldings(step, part);
      drawn = { step, key, part };
      moveDots(part);
    },
    choose(choice) {
      element.querySelectorAll(".chosen").forEach((other) => other.classList.remove("chosen"));
      if (choice) element.querySelector(`[data-choice="${choice}"]`)?.classList.add("chosen");
      const [kind, number] = choice.split(" ");
      const rank = kind === "vertex" ? Number(number) : 0;
      if (rank === rankLookedAt) return;
      rankLookedAt = rank;
      if (!(drawn?.step > 0 && frames[drawn.step - 1].arrows.length > mostDrawn)) return;
      showMessages(drawn.step);
      moveDots(drawn.part);
    },
  };
}
