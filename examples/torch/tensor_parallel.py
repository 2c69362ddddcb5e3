"""Tensor-parallel inference: a transformer block whose heads and hidden units the ranks share, one token at a time.

    python tensor_parallel.py --ranks 2 --hidden 4096 --backend tutti

The block is cut as in M. Shoeybi et al., Megatron-LM, 2019: query, key, value and the first layer of the MLP by columns,
the two matrices behind them by rows, so that a layer needs two all-reduces of a token's hidden values.
"""

import parallel
import torch
import torch.distributed as dist
import torch.nn.functional as F

PARTS = 8  # heads, and parts of the MLP: ranks divide it


class Block:
    """One layer's part on this rank."""

    def __init__(self, given, layer, communication):
        rank, ranks = dist.get_rank(), dist.get_world_size()
        if PARTS % ranks != 0:
            raise SystemExit(f"{ranks} ranks cannot share {PARTS} heads evenly: take 1, 2, 4 or 8")
        mine = range(rank * PARTS // ranks, (rank + 1) * PARTS // ranks)
        wide, width = given.hidden, given.hidden // PARTS
        self.communication, self.width, self.heads = communication, width, len(mine)

        def rows(name, number):
            made = [parallel.weights(given, f"{name}{layer}", part, number, wide) for part in mine]
            return torch.cat(made)

        def columns(name, number):
            made = [parallel.weights(given, f"{name}{layer}", part, wide, number) for part in mine]
            return torch.cat(made, 1)

        self.query, self.key, self.value = (rows(name, width) for name in ("query", "key", "value"))
        self.output = columns("output", width)
        self.widen, self.narrow = rows("widen", 4 * width), columns("narrow", 4 * width) / 2
        self.keys = torch.zeros(self.heads, given.context, width)
        self.values = torch.zeros(self.heads, given.context, width)

    def sum_over_ranks(self, partial):
        with self.communication:
            dist.all_reduce(partial)
        return partial

    def __call__(self, x, position):
        normal = F.layer_norm(x, x.shape[-1:])
        split = (self.heads, 1, self.width)
        self.keys[:, position] = F.linear(normal, self.key).reshape(self.heads, self.width)
        self.values[:, position] = F.linear(normal, self.value).reshape(self.heads, self.width)
        query = F.linear(normal, self.query).reshape(split)
        scores = query @ self.keys[:, : position + 1].transpose(1, 2) / self.width**0.5
        seen = scores.softmax(-1) @ self.values[:, : position + 1]
        x = x + self.sum_over_ranks(F.linear(seen.reshape(1, -1), self.output))
        hidden = F.gelu(F.linear(F.layer_norm(x, x.shape[-1:]), self.widen))
        return x + self.sum_over_ranks(F.linear(hidden, self.narrow))


@torch.no_grad()
def generate(given):
    communication = parallel.Stopwatch()
    given.context = given.warmup + given.steps
    blocks = [Block(given, layer, communication) for layer in range(given.layers)]
    state = [parallel.weights(given, "token", 0, 1, given.hidden) * given.hidden**0.5]

    def step(number):
        x = state[0]
        for block in blocks:
            x = block(x, number)
        state[0] = F.layer_norm(x, x.shape[-1:])
        return state[0].abs().mean().item()

    steps = parallel.Steps(given, communication)
    steps.report(f"tensor_parallel {given.hidden}", steps.run(step))


if __name__ == "__main__":
    parser = parallel.options(__doc__.splitlines()[0])
    parser.add_argument("--hidden", type=int, default=1024)
    parser.add_argument("--layers", type=int, default=2)
    parallel.run(generate, parser.parse_args())
