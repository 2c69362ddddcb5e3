// The order in which a reduction combines contributions, as a tree.

import { html } from "./elements.mjs";
import { note } from "./frame.mjs";

const space = "http://www.w3.org/2000/svg";
export const svg = (name, attributes, ...children) => {
  const element = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

// Leaves stand in a row; a sum stands above the middle of what it combines, one level for each combination in a row.
function placed(tree, next) {
  if (!Array.isArray(tree)) return { label: `${tree}`, x: next.x++, level: 0, parts: [] };
  const parts = tree.map((part) => placed(part, next));
  return { label: "+", x: (parts[0].x + parts.at(-1).x) / 2, level: 1 + Math.max(...parts.map((part) => part.level)), parts };
}

function drawn(node, at) {
  const here = at(node);
  const lines = node.parts.map((part) => svg("line", { x1: here.x, y1: here.y, x2: at(part).x, y2: at(part).y, class: "branch" }));
  const mark = [svg("circle", { cx: here.x, cy: here.y, r: 13, class: node.parts.length ? "sum" : "leaf" }),
                svg("text", { x: here.x, y: here.y + 4.5, "text-anchor": "middle" }, node.label)];
  return [...lines, ...node.parts.flatMap((part) => drawn(part, at)), ...mark];
}

function treeOf(tree, words) {
  const next = { x: 0 };
  const root = placed(tree, next);
  const [width, height] = [next.x * 36 + 20, root.level * 46 + 40];
  const at = (node) => ({ x: node.x * 36 + 28, y: (root.level - node.level) * 46 + 20 });
  return html("figure", { tabindex: 0, role: "region", "aria-label": words },
              svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": words, class: "order" }, ...drawn(root, at)));
}

const listed = (ranges) => ranges.map(({ first, count }) => (count === 1 ? `${first}` : `${first} to ${first + count - 1}`)).join(", ");

const mostOrders = 4;

export function showOrders(place, found) {
  const parts = found.results.slice(0, mostOrders).flatMap((result) => {
    const words = `Elements ${listed(result.elements)}: ${result.order}`;
    return [html("h3", {}, `Elements ${listed(result.elements)}, ${result.depth} combinations in a row`), html("p", { class: "formula" }, result.order),
            ...(result.tree ? [treeOf(result.tree, words)] : [])];
  });
  const more = found.results.length - mostOrders;
  place.replaceChildren(note(found.results.length === 1 ? "All elements are combined in one order; leaves are ranks." : `${found.results.length} orders: the bits of floating-point sums differ from element to element.`),
                        ...parts, ...(more > 0 ? [note(`${more} more orders are left out.`)] : []));
}
