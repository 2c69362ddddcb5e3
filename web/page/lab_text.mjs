// A schedule as a program over tutti/lab.hpp, which proves it and prints its time: a text to go on with.

// Scratch memory is as long as a text asks for.
const sliceText = ({ buffer, first, count }) => (buffer === "scratch" ? `me.scratch(${first}, ${count})` : `{Buffer::${buffer}, ${first}, ${count}}`);
const slicesText = (slices) => `{${slices.map(sliceText).join(", ")}}`;

const callOf = {
  send: (operation) => `me.send(Slices${slicesText(operation.slices)}, ${operation.peer});`,
  receive: (operation) => `me.receive(Slices${slicesText(operation.slices)}, ${operation.peer});`,
  receive_reduce: (operation) => `me.receive_reduce(Slices${slicesText(operation.slices)}, Slices${slicesText(operation.operand)}, ${operation.peer});`,
  copy: (operation) => `me.copy(Slices${slicesText(operation.slices)}, Slices${slicesText(operation.operand)});`,
  reduce: (operation) => `me.reduce(Slices${slicesText(operation.slices)}, Slices${slicesText(operation.operand)}, Slices${slicesText(operation.second)});`,
};

function rankText(steps, rank) {
  const lines = steps.flatMap((operations) => [...operations.map((operation) => callOf[operation.kind](operation)), "me.wait();"]);
  return `      case ${rank}:\n${[...lines, "break;"].map((line) => `        ${line}\n`).join("")}`;
}

// Messages of a shift and of rooted collectives depend on distance and root, which stand in the problem.
function problemText({ ranks, count, root, distance }) {
  const fields = [`.ranks = ${ranks}`, `.count = ${count ?? 0}`, ...(root === undefined ? [] : [`.root = ${root}`]), ...(distance === undefined ? [] : [`.distance = ${distance}`])];
  return `{${fields.join(", ")}}`;
}

export function textOfLab(schedule, name) {
  const identifier = schedule.collective.replaceAll("-", "_");
  return `// ${schedule.collective} by ${name} over ${schedule.ranks} ranks, for ${schedule.count ?? "these"} elements alone: a rank's own steps.
#include <cstdio>
#include <tutti/lab.hpp>

using tutti::lab::Buffer;
using tutti::lab::Slices;

int main() {
  const tutti::lab::Algorithm mine(tutti::Collective::${identifier}, "my-${name}", [](tutti::lab::Rank& me) {
    switch (me.rank()) {
${schedule.operations.map(rankText).join("")}    }
  });
  const tutti::lab::Problem problem${problemText(schedule)};
  const tutti::lab::Proof proof = tutti::lab::prove(mine, problem);
  std::printf("%s\\n", proof ? "proved" : proof.reason.c_str());
  std::printf("%g s\\n", tutti::lab::simulate(mine, problem).seconds);
}
`;
}
