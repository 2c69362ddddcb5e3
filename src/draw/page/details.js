// Details of the rank, switch or link that is looked at.

const listOf = (words) => (words.length ? words.join(", ") : "nothing");

function entry(term, ...words) {
  return [html("dt", {}, term), html("dd", {}, ...words)];
}

// The rank's own text of the algorithm, its operations of the step at hand marked.
function programOf(frames, rank, step) {
  const list = html("ol", { class: "program" });
  frames.forEach((frame, k) => {
    const operations = frame.ranks[rank].operations;
    const item = html("li", k + 1 === step ? { "aria-current": "step" } : {}, `Step ${frames[k].step}`,
                      ...(operations.length ? operations : ["—"]).map((words) => html("code", {}, words)));
    list.append(item);
  });
  return list;
}

function rankDetails(vertex, rank, frames, step) {
  if (frames.length === 0 || rank >= frames[0].ranks.length) return [html("h2", {}, `Rank ${nameOf(vertex)}`)];
  const mine = frames[Math.max(0, step - 1)].ranks[rank];
  const held = step === 0 ? entry("Holds at the start", listOf(mine.before))
                          : [...entry(`Held before step ${frames[step - 1].step}`, listOf(mine.before)), ...entry("Holds after it", listOf(mine.after))];
  return [html("h2", {}, `Rank ${nameOf(vertex)}`), html("dl", {}, ...held, ...entry("Its text of the algorithm", programOf(frames, rank, step)))];
}

// Loads of one way, in one step or in several.
function loadWords(frames, from, to) {
  const loads = frames.flatMap((frame) => frame.loads).filter((load) => load.from === from && load.to === to);
  const sum = (field) => loads.reduce((total, load) => total + load[field], 0);
  return loads.length ? `${many(sum("messages"), "message")}, ${amount(sum("elements"))}` : "nothing";
}

function wireDetails(wire, vertices, frames, step) {
  const [a, b] = [vertices[wire.a].label, vertices[wire.b].label];
  const now = step > 0 ? [frames[step - 1]] : [];
  const way = (from, to, words) => entry(words, `${loadWords(now, from, to)} in this step; ${loadWords(frames, from, to)} in all`);
  const lanes = wire.lanes === 1 ? [] : entry("Lanes", `${wire.lanes}`);
  return [html("h2", {}, `Link ${a} – ${b}`),
          html("dl", {}, ...way(wire.a, wire.b, `${a} → ${b}`), ...way(wire.b, wire.a, `${b} → ${a}`), ...lanes)];
}

// `choice` is "vertex 3" or "wire 7", as in the drawing's data-choice.
function detailsOf(choice, layout, frames, step) {
  const [kind, number] = choice.split(" ");
  if (kind === "wire") return wireDetails(layout.wires[Number(number)], layout.vertices, frames, step);
  const vertex = layout.vertices[Number(number)];
  return vertex.switch ? [html("h2", {}, `Switch ${nameOf(vertex)}`), html("p", {}, "Passes messages on; it holds nothing.")]
                       : rankDetails(vertex, Number(number), frames, step);
}
