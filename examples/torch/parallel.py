"""Ranks, times and reports that the examples of torch.distributed share.

An example is started alone, and starts its ranks itself (`--ranks 4`), or by torchrun or mpirun, which say each
process its rank.
"""

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import time

import torch
import torch.distributed as dist

LAUNCHERS = {
    "RANK": ("RANK", "WORLD_SIZE"),
    "OMPI_COMM_WORLD_RANK": ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    "PMI_RANK": ("PMI_RANK", "PMI_SIZE"),
}


def options(description):
    """A parser with the options that all examples have."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--backend", choices=("gloo", "tutti"), default="tutti")
    parser.add_argument("--ranks", type=int, default=2, help="processes, where no launcher has started any")
    parser.add_argument("--steps", type=int, default=30, help="steps that are timed")
    parser.add_argument("--warmup", type=int, default=5, help="steps before these")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    return parser


def run(rank_program, given):
    """Runs the program on all ranks; in a process that is none, starts them and returns when all have ended."""
    names = next((names for name, names in LAUNCHERS.items() if name in os.environ), None)
    if names is None:
        sys.exit(start_ranks(given.ranks))
    rank, size = (os.environ[name] for name in names)
    if given.backend == "gloo" or "RANK" in os.environ:  # tutti asks an mpirun, which may have started several hosts
        job = {"RANK": rank, "WORLD_SIZE": size, "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29511"}
        os.environ.update({name: value for name, value in job.items() if name not in os.environ})
    if given.backend == "tutti":
        import tutti.torch

        tutti.torch.share_memory()
    torch.set_num_threads(max(1, len(os.sched_getaffinity(0)) // int(size)))
    torch.manual_seed(given.seed)
    dist.init_process_group(given.backend)
    try:
        rank_program(given)
    finally:
        dist.destroy_process_group()


def start_ranks(ranks):
    """Starts this program that many times; returns the status of the first that fails, whose end ends the others."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    job = {"WORLD_SIZE": str(ranks), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    started = [
        subprocess.Popen([sys.executable, *sys.argv], env={**os.environ, **job, "RANK": str(rank)})
        for rank in range(ranks)
    ]
    status = 0
    while started and status == 0:
        time.sleep(0.01)
        ended = [process for process in started if process.poll() is not None]
        started = [process for process in started if process not in ended]
        status = next((process.returncode for process in ended if process.returncode != 0), 0)
    for process in started:
        process.terminate()
        process.wait()
    return status if status >= 0 else 128 - status


class Stopwatch:
    """Seconds that this rank spends in collectives, where it waits for them."""

    def __init__(self):
        self.seconds = 0.0

    def __enter__(self):
        self._began = time.perf_counter()

    def __exit__(self, *_):
        self.seconds += time.perf_counter() - self._began


class Steps:
    """Runs steps and keeps, for each that is timed, its seconds, those in collectives, and those of the processor."""

    def __init__(self, given, communication):
        self.given, self.communication = given, communication
        self.seconds, self.waited, self.computed = [], [], []

    def run(self, step):
        """Calls step(number) for each step; returns what the steps return."""
        results = []
        for number in range(self.given.warmup + self.given.steps):
            before = self.communication.seconds
            began, began_cpu = time.perf_counter(), time.process_time()
            results.append(step(number))
            if number >= self.given.warmup:
                self.seconds.append(time.perf_counter() - began)
                self.computed.append(time.process_time() - began_cpu)
                self.waited.append(self.communication.seconds - before)
        return results

    def report(self, name, numbers, share=None):
        """Rank 0 prints times and the numbers by which runs are compared; a share that is None is that of waiting."""
        median = statistics.median(self.seconds)
        if share is None:
            share = sum(self.waited) / sum(self.seconds)
        found = {
            "example": name,
            "backend": self.given.backend,
            "ranks": dist.get_world_size(),
            "best_ms": min(self.seconds) * 1e3,
            "median_ms": median * 1e3,
            "cpu_ms": statistics.median(self.computed) * 1e3,
            "communication_share": share,
            "numbers": numbers,
        }
        if dist.get_rank() != 0:
            return
        if self.given.json:
            print(json.dumps(found), flush=True)
            return
        print(
            f"{name}, {found['ranks']} ranks, {found['backend']}: {found['median_ms']:.2f} ms a step "
            f"(best {found['best_ms']:.2f}, processor {found['cpu_ms']:.2f} on rank 0), "
            f"{100 * share:.0f} % in communication; result {numbers[-1]:.6f}",
            flush=True,
        )


def weights(given, name, part, rows, columns):
    """A matrix of random weights that depends on the part of the model alone, and not on the ranks that share it."""
    number = sum(ord(letter) << 8 * (k % 6) for k, letter in enumerate(name))
    generator = torch.Generator().manual_seed(given.seed * 1_000_003 + number * 131 + part)
    return torch.randn(rows, columns, generator=generator) / columns**0.5
