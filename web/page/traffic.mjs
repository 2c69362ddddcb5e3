// Traffic of many ranks, by groups of them and by moments of the run: small enough to be shown at once.

export const moments = 200;
const mostGroups = 64;

// Groups of as many ranks as a power of two.
function groupingOf(ranks) {
  let size = 1;
  while (Math.ceil(ranks / size) > mostGroups) size *= 2;
  return { size, groups: Math.ceil(ranks / size) };
}

// Bytes from group to group in each moment: `cells[moment]` maps sender * groups + receiver to those that arrive in it, `arrived[moment]` counts
// the messages that have arrived by then. `run` is what `simulate --timeline FILE.json` writes.
export function trafficOf(run) {
  const { size, groups } = groupingOf(run.ranks);
  const cells = Array.from({ length: moments + 1 }, () => new Map());
  const arrived = new Array(moments + 1).fill(0);
  for (const { from, to, bytes, end } of run.messages) {
    const moment = run.seconds > 0 ? Math.min(moments, Math.ceil((end / run.seconds) * moments * (1 - 1e-9))) : moments;
    const key = Math.floor(from / size) * groups + Math.floor(to / size);
    cells[moment].set(key, (cells[moment].get(key) ?? 0) + bytes);
    arrived[moment] += 1;
  }
  for (let k = 1; k <= moments; ++k) arrived[k] += arrived[k - 1];
  return { ranks: run.ranks, seconds: run.seconds, size, groups, cells, arrived };
}
