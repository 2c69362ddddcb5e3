"""Data-parallel training: a small convolutional network learns handwritten digits with DistributedDataParallel.

    python ddp_digits.py --ranks 2 --backend tutti
    torchrun -r 1 -t 1 --nproc_per_node 2 ddp_digits.py --backend tutti

Each rank takes its part of a batch, DDP averages the gradients while they are computed. The share in communication is
that by which steps with it take longer than the same steps without (no_sync), taken in turn.
"""

import gzip
import os
import statistics
import time

import parallel
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "digits.csv.gz")


def digits():
    """Images of 8 x 8 pixels from 0 to 1, and their labels."""
    with gzip.open(DATA, "rt", encoding="ascii") as lines:
        rows = torch.tensor([[float(word) for word in line.split(",")] for line in lines])
    return rows[:, :64].reshape(-1, 1, 8, 8) / 16, rows[:, 64].long()


def network():
    return nn.Sequential(
        nn.Conv2d(1, 32, 3, padding=1), nn.ReLU(), nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(64 * 16, 256), nn.ReLU(), nn.Linear(256, 10),
    )  # fmt: skip


def train(given):
    rank, ranks = dist.get_rank(), dist.get_world_size()
    images, labels = digits()
    held_out = len(images) // 5
    order = torch.randperm(len(images), generator=torch.Generator().manual_seed(given.seed))
    tested, learnt = order[:held_out], order[held_out:]
    model = DistributedDataParallel(network(), bucket_cap_mb=given.bucket)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    steps = parallel.Steps(given, parallel.Stopwatch())
    alone = []

    def batch(number):
        each = given.batch // ranks
        first = number * given.batch + rank * each
        picked = learnt[torch.arange(first, first + each) % len(learnt)]
        return images[picked], labels[picked]

    def step(number):
        taken, wanted = batch(number)
        optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(taken), wanted)
        loss.backward()
        optimizer.step()
        return loss.detach()

    def step_alone(number):
        """As long as a step, without communication, and of no effect."""
        taken, wanted = batch(number)
        began = time.perf_counter()
        with model.no_sync():
            F.cross_entropy(model(taken), wanted).backward()
        optimizer.zero_grad(set_to_none=True)
        alone.append(time.perf_counter() - began)

    losses = torch.stack(steps.run(step))
    dist.all_reduce(losses)  # each rank has the loss of its part
    accuracy = (model.module(images[tested]).argmax(1) == labels[tested]).float().mean().item()
    for number in range(given.warmup + given.steps):
        step_alone(number)
    share = max(0.0, 1 - statistics.median(alone[given.warmup :]) / statistics.median(steps.seconds))
    steps.report("ddp_digits", (losses / ranks).tolist() + [accuracy], share)


if __name__ == "__main__":
    parser = parallel.options(__doc__.splitlines()[0])
    parser.add_argument("--batch", type=int, default=64, help="digits a step, over all ranks")
    parser.add_argument("--bucket", type=float, default=25, help="MiB of gradients that DDP reduces at once")
    parallel.run(train, parser.parse_args())
