"""Sequence-sharded attention: each rank has a part of a long sequence, and attends with a part of the heads to all of it.

    python sequence_attention.py --ranks 2 --sequence 1024 --backend tutti

An all-to-all turns parts of the sequence with all heads into the whole sequence with some, and another one back:
S. A. Jacobs et al., DeepSpeed Ulysses, 2023. The layer is trained, so that its gradients go the same ways.
"""

import parallel
import torch
import torch.distributed as dist
import torch.nn.functional as F


class Exchange(torch.autograd.Function):
    """All-to-all of blocks along the first dimension; its gradient is the all-to-all of gradients."""

    @staticmethod
    def forward(context, blocks, communication):
        context.communication = communication
        blocks = blocks.contiguous()
        received = torch.empty_like(blocks)
        with communication:
            dist.all_to_all_single(received, blocks)
        return received

    @staticmethod
    def backward(context, gradient):
        return Exchange.apply(gradient, context.communication), None


def by_heads(x, communication):
    """[tokens here, heads, width] becomes [all tokens, heads here, width]."""
    tokens, heads, width = x.shape
    ranks = dist.get_world_size()
    blocks = x.reshape(tokens, ranks, heads // ranks, width).transpose(0, 1)
    return Exchange.apply(blocks, communication).reshape(ranks * tokens, heads // ranks, width)


def by_tokens(x, communication):
    """[all tokens, heads here, width] becomes [tokens here, heads, width]."""
    tokens, heads, width = x.shape
    ranks = dist.get_world_size()
    blocks = Exchange.apply(x.reshape(ranks, tokens // ranks, heads, width), communication)
    return blocks.transpose(0, 1).reshape(tokens // ranks, ranks * heads, width)


def attention(x, matrices, heads, communication):
    into, out = matrices
    split = F.linear(x, into).reshape(len(x), 3 * heads, -1)
    query, key, value = (by_heads(each, communication).transpose(0, 1) for each in split.chunk(3, 1))
    scores = (query @ key.transpose(1, 2) / query.shape[-1] ** 0.5).softmax(-1)
    return F.linear(by_tokens((scores @ value).transpose(0, 1), communication).reshape(len(x), -1), out)


def train(given):
    rank, ranks = dist.get_rank(), dist.get_world_size()
    if given.heads % ranks != 0 or given.sequence % ranks != 0:
        raise SystemExit(f"{ranks} ranks cannot share {given.heads} heads and {given.sequence} tokens evenly")
    communication = parallel.Stopwatch()
    hidden = given.hidden
    matrices = [parallel.weights(given, "into", 0, 3 * hidden, hidden), parallel.weights(given, "out", 0, hidden, hidden)]
    for matrix in matrices:
        matrix.requires_grad_()
    whole = parallel.weights(given, "tokens", 0, given.sequence, hidden) * hidden**0.5
    x = whole.chunk(ranks)[rank]
    wanted = whole.roll(1, 0).chunk(ranks)[rank]
    optimizer = torch.optim.SGD(matrices, lr=0.3)

    def step(_):
        optimizer.zero_grad(set_to_none=True)
        loss = ((attention(x, matrices, given.heads, communication) - wanted) ** 2).sum() / given.sequence
        loss.backward()
        with communication:
            for matrix in matrices:
                dist.all_reduce(matrix.grad)
            total = loss.detach().clone()
            dist.all_reduce(total)
        for matrix in matrices:
            matrix.grad /= hidden
        optimizer.step()
        return total.item() / hidden

    steps = parallel.Steps(given, communication)
    steps.report("sequence_attention", steps.run(step))


if __name__ == "__main__":
    parser = parallel.options(__doc__.splitlines()[0])
    parser.add_argument("--sequence", type=int, default=1024, help="tokens over all ranks")
    parser.add_argument("--hidden", type=int, default=512)
    parser.add_argument("--heads", type=int, default=8)
    parallel.run(train, parser.parse_args())
