// The pages that are looked at.

import { draw } from "./browser.mjs";

const broadcast = draw("broadcast", "broadcast", "--algorithm", "binomial", "--topology", "hypercube:3");
const ring = draw("all-reduce", "all-reduce", "--algorithm", "ring", "--topology", "ring:6");
const mesh = draw("all-gather", "all-gather", "--algorithm", "mesh", "--topology", "torus:4x4");
const tree = draw("tree", "broadcast", "--algorithm", "binomial", "--topology", "tree:8");
const alone = draw("alone", "broadcast", "--ranks", "1");
const reduce = draw("reduce", "reduce", "--algorithm", "binomial", "--topology", "linear:8");
const gpus = draw("gpus", "all-reduce", "--algorithm", "ring", "--topology", "dgx-1v");
const cube = draw("cube", "broadcast", "--algorithm", "mesh", "--topology", "torus:3x3x3");
const exchange = draw("exchange", "all-gather", "--algorithm", "recursive-doubling", "--topology", "hypercube:6");
const timed = draw("timed", "all-reduce", "--algorithm", "ring", "--topology", "ring:4", "--bytes", "64KiB", "--timeline");
export const trace = draw("trace", "--trace", draw("ring.json", "all-reduce", "--algorithm", "ring", "--ranks", "4", "--timeline"));
// All that have steps.
export const pages = { broadcast, ring, mesh, tree, alone, reduce, gpus, cube, exchange, timed };
