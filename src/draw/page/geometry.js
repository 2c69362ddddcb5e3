// Places of things in the drawing, in pixels.

// In the widest of the usual fonts: `widths` are those of the characters from " " to "~" and of any other, in thousandths.
function textWidth(text, size) {
  const { widths } = data;
  const other = widths.length - 1;
  let sum = 0;
  for (const letter of text) sum += widths[Math.min(letter.codePointAt(0) - 32, other)] ?? widths[other];
  return sum * size / 1000;
}

const smallText = 12;
const heldLine = 15;

const nameOf = (vertex) => (vertex.detail ? `${vertex.label} ${vertex.detail}` : vertex.label);
const halfSize = (vertex) => ({ x: Math.max(16, textWidth(nameOf(vertex), 14) / 2 + 9), y: 14 });

const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

// The widest and the most lines that ranks ever hold, and the longest content of a message. Each text is measured once.
function extentOf(frames) {
  const extent = { widest: 0, lines: 1, content: 0 };
  const held = new Set();
  const contents = new Set();
  for (const frame of frames) {
    for (const { before, after } of frame.rows) {
      extent.lines = Math.max(extent.lines, before.length, after.length);
      for (const number of before) held.add(number);
      for (const number of after) held.add(number);
    }
    for (const number of frame.contents) contents.add(number);
  }
  for (const number of held) extent.widest = Math.max(extent.widest, textWidth(data.texts[number], smallText));
  for (const number of contents) extent.content = Math.max(extent.content, textWidth(data.texts[number], smallText));
  return extent;
}

// The factor by which the drawing must grow at least so that no two vertices with what they hold overlap.
function growthOf(vertices, scale, box) {
  let least = 1;
  vertices.forEach((a, k) => {
    for (const b of vertices.slice(0, k)) {
      const [dx, dy] = [Math.abs(a.at.x - b.at.x) * scale.x, Math.abs(a.at.y - b.at.y) * scale.y];
      least = Math.max(least, Math.min(dx > 0 ? box.x / dx : Infinity, dy > 0 ? box.y / dy : Infinity, 4));
    }
  });
  return least;
}

// Pixels for the layout's units: as large as fits a page, or as texts need.
function makeScale(layout, frames) {
  const extent = extentOf(frames);
  const { low, high } = layout;
  const nameWidth = 2 * Math.max(...layout.vertices.map((vertex) => halfSize(vertex).x));
  const box = { x: Math.max(nameWidth, extent.widest) + 16, y: 42 + extent.lines * heldLine };
  const between = Math.max(110, box.x + Math.min(extent.content, 60) + 10);
  const room = (space, units) => (units > 0 ? space / units : Infinity);
  const unit = {
    x: Math.min(Math.max(between, room(760, high.x - low.x)), 1.6 * between),
    y: Math.max(100, box.y + 26),
  };
  unit.y = Math.max(unit.y, Math.min(unit.x, room(440, high.y - low.y)));
  const growth = growthOf(layout.vertices, unit, box);
  const side = box.x / 2 + 30;
  return {
    lines: extent.lines,
    at: (p) => ({ x: side + (p.x - low.x) * unit.x * growth, y: 44 + (p.y - low.y) * unit.y * growth }),
    width: 2 * side + (high.x - low.x) * unit.x * growth,
    height: 44 + 34 + extent.lines * heldLine + (high.y - low.y) * unit.y * growth,
  };
}

// Returns the ways, of `speed` forward for each unit, at which one enters and leaves the range from `low` to `high`.
function crossing(speed, low, high) {
  if (speed === 0) return low < 0 && 0 < high ? [-Infinity, Infinity] : [Infinity, -Infinity];
  return speed > 0 ? [low / speed, high / speed] : [high / speed, low / speed];
}

// From a vertex's center towards a point, to just outside the boxes that belong to it.
function leave(center, boxes, towards) {
  const clear = 4;
  const [dx, dy] = [towards.x - center.x, towards.y - center.y];
  const length = Math.hypot(dx, dy) || 1;
  let out = 0;
  for (const box of boxes) {
    const [inX, outX] = crossing(dx / length, box.left - clear - center.x, box.right + clear - center.x);
    const [inY, outY] = crossing(dy / length, box.top - clear - center.y, box.bottom + clear - center.y);
    if (Math.max(inX, inY) < Math.min(outX, outY)) out = Math.max(out, Math.min(outX, outY));
  }
  out = Math.min(out, length / 2);
  return { x: center.x + (dx / length) * out, y: center.y + (dy / length) * out };
}

// One way over a cable: a path beside it, on the right-hand side, so that the two ways lie apart. `at(t)` is a point of
// it, for t from 0 to 1. `boxes` are those of all vertices.
function legOf(scale, layout, wires, boxes, from, to) {
  const apart = 5;
  const [a, b] = [layout.vertices[from], layout.vertices[to]];
  const wire = wires.get(from < to ? `${from}-${to}` : `${to}-${from}`);
  const [start, end] = [scale.at(a.at), scale.at(b.at)];
  const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  const normal = { x: -(end.y - start.y) / length, y: (end.x - start.x) / length };
  const aside = (p) => ({ x: p.x + apart * normal.x, y: p.y + apart * normal.y });
  const bend = wire?.control ? aside(scale.at(wire.control)) : null;
  const first = leave(aside(start), boxes[from], bend ?? aside(end));
  const last = leave(aside(end), boxes[to], bend ?? aside(start));
  const control = bend ?? { x: (first.x + last.x) / 2, y: (first.y + last.y) / 2 };
  const mix = (t, axis) => (1 - t) ** 2 * first[axis] + 2 * t * (1 - t) * control[axis] + t ** 2 * last[axis];
  const path = `M${first.x} ${first.y}` + (bend ? `Q${bend.x} ${bend.y} ` : "L") + `${last.x} ${last.y}`;
  return { path, normal, at: (t) => ({ x: mix(t, "x"), y: mix(t, "y") }) };
}

// The box of a vertex's shape, and, below it, the one of these lines.
function boxesOf(at, vertex, lines, height) {
  const half = halfSize(vertex);
  const shape = { left: at.x - half.x, right: at.x + half.x, top: at.y - half.y, bottom: at.y + half.y };
  const wide = Math.max(0, ...lines.map((line) => textWidth(line, smallText))) / 2;
  if (wide === 0) return [shape];
  return [shape, { left: at.x - wide, right: at.x + wide, top: shape.bottom, bottom: shape.bottom + 4 + height * heldLine }];
}

// A place for words of this width beside one of the legs, inside the drawing, where nothing else stands; null where there
// is none.
function placeBeside(legs, width, scale, taken) {
  const height = 16;
  for (const t of [0.5, 0.36, 0.64, 0.24, 0.76]) {
    for (const leg of legs) {
      for (const side of [1, -1]) {
        const out = side * ((width / 2) * Math.abs(leg.normal.x) + (height / 2) * Math.abs(leg.normal.y) + (side > 0 ? 4 : 12));
        const center = leg.at(t);
        const [x, y] = [center.x + out * leg.normal.x, center.y + out * leg.normal.y];
        const box = { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
        const inside = box.left >= 0 && box.top >= 0 && box.right <= scale.width && box.bottom <= scale.height;
        if (inside && !taken.some((other) => overlap(box, other))) return box;
      }
    }
  }
  return null;
}
