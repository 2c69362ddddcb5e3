"""Mixture of experts: each token goes to the rank of the expert that a gate picks for it, and comes back.

    python mixture_of_experts.py --ranks 4 --backend tutti

Counts of tokens are exchanged by one all_to_all_single, the tokens by a second one with uneven splits, the results by a
third. The gate is fixed, the experts learn; W. Fedus et al., Switch Transformers, 2021.
"""

import parallel
import torch
import torch.distributed as dist
import torch.nn.functional as F


class Exchange(torch.autograd.Function):
    """All-to-all of rows by counts; its gradient goes back by the same counts."""

    @staticmethod
    def forward(context, rows, sent, received, communication):
        context.counts, context.communication = (sent, received), communication
        arrived = rows.new_empty(sum(received), rows.shape[1])
        with communication:
            dist.all_to_all_single(arrived, rows.contiguous(), received, sent)
        return arrived

    @staticmethod
    def backward(context, gradient):
        sent, received = context.counts
        return Exchange.apply(gradient, received, sent, context.communication), None, None, None


def exchanged_counts(counts, communication):
    """Tokens that this rank receives: a row for each sender, a column for each of this rank's experts."""
    received = torch.empty_like(counts)
    with communication:
        dist.all_to_all_single(received, counts)
    return received.reshape(dist.get_world_size(), -1)


def layer(tokens, expert_of, experts, communication):
    """The experts' answers, in the tokens' order. Experts that follow one another are on one rank."""
    ranks, here = dist.get_world_size(), len(experts)
    order = expert_of.argsort(stable=True)
    counts = torch.bincount(expert_of, minlength=ranks * here)
    received = exchanged_counts(counts, communication)
    sent_rows = counts.reshape(ranks, here).sum(1).tolist()
    received_rows = received.sum(1).tolist()
    arrived = Exchange.apply(tokens[order], sent_rows, received_rows, communication)
    blocks = list(arrived.split(received.flatten().tolist()))  # by sender, then by expert
    for number, (widen, narrow) in enumerate(experts):
        for place in range(number, len(blocks), here):
            blocks[place] = F.linear(F.relu(F.linear(blocks[place], widen)), narrow)
    back = Exchange.apply(torch.cat(blocks), received_rows, sent_rows, communication)
    return torch.empty_like(back).index_copy(0, order, back)


def train(given):
    rank, ranks = dist.get_rank(), dist.get_world_size()
    if given.experts % ranks != 0 or given.tokens % ranks != 0:
        raise SystemExit(f"{ranks} ranks cannot share {given.experts} experts and {given.tokens} tokens evenly")
    communication = parallel.Stopwatch()
    mine = range(rank * given.experts // ranks, (rank + 1) * given.experts // ranks)
    hidden = given.hidden
    experts = [
        (
            parallel.weights(given, "widen", expert, 4 * hidden, hidden).requires_grad_(),
            parallel.weights(given, "narrow", expert, hidden, 4 * hidden).requires_grad_(),
        )
        for expert in mine
    ]
    gate = parallel.weights(given, "gate", 0, given.experts, hidden)
    whole = parallel.weights(given, "tokens", 0, given.tokens, hidden) * hidden**0.5
    x = whole.chunk(ranks)[rank]
    expert_of = F.linear(x, gate).argmax(1)
    optimizer = torch.optim.SGD([matrix for expert in experts for matrix in expert], lr=0.5)

    def step(_):
        optimizer.zero_grad(set_to_none=True)
        loss = ((layer(x, expert_of, experts, communication) - x) ** 2).sum() / given.tokens / hidden
        loss.backward()
        optimizer.step()
        total = loss.detach().clone()
        with communication:
            dist.all_reduce(total)
        return total.item()

    steps = parallel.Steps(given, communication)
    steps.report("mixture_of_experts", steps.run(step))


if __name__ == "__main__":
    parser = parallel.options(__doc__.splitlines()[0])
    parser.add_argument("--tokens", type=int, default=1024, help="tokens over all ranks")
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--experts", type=int, default=8)
    parallel.run(train, parser.parse_args())
