// The order in which a reduction combines contributions, as a tree.

import { html } from "./elements.mjs";
import { note } from "./frame.mjs";

const namespace = "http://www.w3.org/2000/svg";
export const svg = (name, attributes, ...children) => {
  const element = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

const mostLeaves = 96;
const groupsOfLeaves = 32;

const isSum = Array.isArray;
const leavesOf = (tree) => (isSum(tree) ? tree.flatMap(leavesOf) : [tree]);

// Sums of few neighbours as one leaf each, named by the first and the last: of many ranks the upper part of the tree is shown.
function grouped(tree, size) {
  const leaves = leavesOf(tree);
  if (leaves.length > size) return tree.map((part) => grouped(part, size));
  return leaves.length === 1 ? tree : `${leaves[0]} … ${leaves.at(-1)}`;
}

function readable(tree) {
  const { length } = leavesOf(tree);
  return length <= mostLeaves ? tree : grouped(tree, 2 ** Math.ceil(Math.log2(length / groupsOfLeaves)));
}

// Leaves stand in a row; a sum stands above the middle of what it combines, one level for each combination in a row.
function placed(tree, next) {
  if (!isSum(tree)) return { label: `${tree}`, x: next.x++, level: 0, parts: [] };
  const parts = tree.map((part) => placed(part, next));
  return { label: "+", x: (parts[0].x + parts.at(-1).x) / 2, level: 1 + Math.max(...parts.map((part) => part.level)), parts };
}

const halfWidth = (label) => Math.max(13, 4 * label.length + 4);

function drawn(node, at) {
  const here = at(node);
  const half = halfWidth(node.label);
  const lines = node.parts.map((part) => svg("line", { x1: here.x, y1: here.y, x2: at(part).x, y2: at(part).y, class: "branch" }));
  const mark = [svg("rect", { x: here.x - half, y: here.y - 13, width: 2 * half, height: 26, rx: 13, class: node.parts.length ? "sum" : "leaf" }),
                svg("text", { x: here.x, y: here.y + 4.5, "text-anchor": "middle" }, node.label)];
  return [...lines, ...node.parts.flatMap((part) => drawn(part, at)), ...mark];
}

function treeOf(tree, words) {
  const shown = readable(tree);
  const leaves = leavesOf(shown);
  if (leaves.length > mostLeaves) return note("Ranks are combined one after the other here: such a tree is as deep as it is wide, and is not drawn.");
  const space = 10 + 2 * Math.max(...leaves.map((label) => halfWidth(`${label}`)));
  const root = placed(shown, { x: 0 });
  const [width, height] = [leaves.length * space + 20, root.level * 46 + 40];
  const at = (node) => ({ x: (node.x + 0.5) * space + 10, y: (root.level - node.level) * 46 + 20 });
  return html("figure", { tabindex: 0, role: "region", "aria-label": words },
              svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": words, class: "order" }, ...drawn(root, at)));
}

const mostLetters = 600;
const shortened = (formula) => (formula.length > mostLetters ? `${formula.slice(0, mostLetters)} …` : formula);

const listed = (ranges) => ranges.map(({ first, count }) => (count === 1 ? `${first}` : `${first} to ${first + count - 1}`)).join(", ");

const mostOrders = 4;

export function showOrders(place, found) {
  const parts = found.results.slice(0, mostOrders).flatMap((result) => {
    const order = shortened(result.order);
    const words = `Elements ${listed(result.elements)}: ${order}`;
    return [html("h3", {}, `Elements ${listed(result.elements)}, ${result.depth} combinations in a row`), html("p", { class: "formula" }, order),
            ...(result.tree ? [treeOf(result.tree, words)] : [])];
  });
  const more = found.results.length - mostOrders;
  place.replaceChildren(note(found.results.length === 1 ? "All elements are combined in one order; leaves are ranks." : `${found.results.length} orders: the bits of floating-point sums differ from element to element.`),
                        ...parts, ...(more > 0 ? [note(`${more} more orders are left out.`)] : []));
}
