// The explorer's core and the command say the same, byte for byte, to questions that are drawn at random. Of drawings the texts are
// the same: where shapes lie depends on the last bits of sines, which are those of the mathematical library.
//
// TUTTI_EXPLORER_SEED draws others; TUTTI_EXPLORER_QUESTIONS says how many (500).

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { withEdits } from "../../web/page/break.mjs";
import { drawnFrom, ofCommand, ofCore, startedCore } from "./explorer_core.mjs";

const seed = Number(process.env.TUTTI_EXPLORER_SEED ?? 1);
const questions = Number(process.env.TUTTI_EXPLORER_QUESTIONS ?? 500);
const { below, oneOf } = drawnFrom(seed);
const chance = (words, percent = 30) => (below(100) < percent ? words : []);

let core = null;
let algorithms = [];
let exercises = [];
let schedules = [];

before(async () => {
  core = await startedCore();
  algorithms = JSON.parse(ofCommand({ words: ["list", "--json"] }).text);
  exercises = JSON.parse(ofCommand({ words: ["exercise", "--json"] }).text).flatMap((chapter) => chapter.exercises.map((each) => each.number));
  const shapes = [["broadcast", "binomial"], ["all-reduce", "ring"], ["all-to-all", "bruck"], ["scan", "hypercube"], ["reduce-scatter", "ring"]];
  schedules = shapes.map(([collective, algorithm]) => JSON.parse(ofCommand({ words: ["explain", collective, "--algorithm", algorithm, "--ranks", "4", "--bytes", "8", "-o", "schedule.json"], read: ["schedule.json"] }).files["schedule.json"]));
});

// A schedule with up to three random changes, as the page makes them.
function brokenSchedule() {
  const place = () => `${below(4)}.${below(4)}`;
  const edit = () => oneOf([() => `r${place()}.${below(2)}`, () => `p${place()}.${below(2)}=${below(6)}`, () => `f${place()}.${below(2)}=${below(9)}`, () => `s${place()}`, () => `w${place()}`])();
  return JSON.stringify(withEdits(oneOf(schedules), Array.from({ length: below(4) }, edit)));
}

const networks = ["ring:8", "ring:5", "linear:6", "torus:4x4", "mesh:3x3", "torus:3x3x3", "hypercube:3", "hypercube:4", "tree:8", "fat-tree:4x3x2", "clos:4x4x2", "dragonfly:2x4x2", "dgx-1v", "numa:2x2x2", "rails:2x4"];
const files = {
  "network.json": '{"ranks": 4, "switches": 1, "links": [{"from": 0, "to": 4}, {"from": 1, "to": 4, "lanes": 2}, {"from": 2, "to": 4, "tw": 1e-9}, {"from": 3, "to": 4}, {"from": 0, "to": 1}]}',
  "deadlock.txt": "ranks 3\nall: send +1 4KiB; wait; receive -1\n",
  "ring.txt": "ranks 6\nall: send +1 1KiB; receive -1\n",
};

function place(own) {
  const kind = below(10);
  if (kind < 4) return ["--ranks", `${1 + below(17)}`];
  return kind < 9 || !own ? ["--topology", oneOf(networks)] : ["--topology", "network.json"];
}

function problem(own = true) {
  const { collective, name } = oneOf(algorithms);
  return [collective, ...chance(["--algorithm", name], 70), ...place(own), ...chance(["--root", `${below(9)}`], 20)];
}

// Springs place the nodes of a network from a file, and their last bits are those of the mathematical library: it is not drawn here.
const drawnProblem = () => problem(false);

const bytes = () => ["--bytes", oneOf(["1", "8", "1000", "1KiB", "5000B", "64KiB", "1MiB", "3GiB", "0"])];
const machine = () => [...chance(["--switching", oneOf(["store-and-forward", "cut-through"])]), ...chance(["--ts", oneOf(["2us", "0.7us", "13ns"])]),
                       ...chance(["--tw", oneOf(["0.3ns", "2ns"])]), ...chance(["--th", "50ns"]), ...chance(["--tc", "0.1ns"])];

const kinds = [
  () => ["simulate", ...problem(), ...bytes(), ...machine(), ...chance(["--skew", "1:5us"], 15), ...chance(["--bottleneck"], 10), "--json"],
  () => ["price", ...problem(), ...bytes(), ...machine(), "--json"],
  () => ["price", ...problem(), "--bytes", "8..64KiB", ...machine(), "--plot", "out.svg", "--json"],
  () => ["verify", ...problem(), "--json"],
  () => ["explain", ...problem(), ...chance(["--steps"], 50), "--json"],
  () => ["draw", ...drawnProblem(), ...bytes(), "-o", oneOf(["out.svg", "out.html"])],
  () => ["draw", ...drawnProblem(), ...bytes(), ...machine(), "--timeline", "-o", oneOf(["out.svg", "out.html", "out.json"])],
  () => ["topology", oneOf(networks), ...chance(["-o", "out.svg"]), "--json"],
  () => ["simulate", "messages", "0-2", `1-3:${1 + below(9)}KiB`, "--topology", oneOf(networks.slice(0, 9)), ...machine(), "--json"],
  () => [oneOf(["verify", "simulate"]), "program", oneOf(["deadlock.txt", "ring.txt"]), "--json"],
  () => ["draw", "program", oneOf(["deadlock.txt", "ring.txt"]), "-o", "out.svg"],
  () => ["exercise", oneOf(exercises), ...(below(2) ? ["--answer", oneOf(["a", "4", "ts + tw m", "(ts + tw m) log p", "1.4e6", "all: send +1; receive -1"])] : ["--solution"]), "--json"],
  () => [oneOf(["verify", "simulate"]), "schedule", "schedule.json", "--json"],
  () => ["draw", "schedule", "schedule.json", "-o", "out.svg"],
  () => ["gallery", "bruck-as-printed", "-o", "out.svg"],
];

// Texts of a drawing, in the order of the alphabet; other answers as they are.
function withTextsOfDrawings(answer) {
  const texts = (name, text) => (/\.(svg|html)$/.test(name) && text ? [...text.matchAll(/>([^<>]+)</g)].map((match) => match[1].trim()).sort() : text);
  return { ...answer, files: Object.fromEntries(Object.entries(answer.files ?? {}).map(([name, text]) => [name, texts(name, text)])) };
}

test(`answers ${questions} questions of seed ${seed} as the command does`, () => {
  const read = ["out.svg", "out.html", "out.json"];
  let answered = 0;
  for (let k = 0; k < questions; ++k) {
    const words = oneOf(kinds)();
    const question = { words, files: { ...files, "schedule.json": brokenSchedule() }, read };
    const { remarks: _, ...own } = ofCore(core, question);
    const commands = ofCommand(question);
    answered += own.status === 2 ? 0 : 1;
    assert.deepEqual(withTextsOfDrawings(own), withTextsOfDrawings(commands), `question ${k}: tutti ${words.join(" ")}`);
  }
  assert.ok(answered > questions / 3, `only ${answered} of ${questions} questions had an answer`);
});
