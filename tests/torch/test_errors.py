"""Errors reach every rank, with what is wrong: mismatches, killed ranks, exceptions, late ranks."""

import concurrent.futures
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from datetime import timedelta

import pytest
import torch
import torch.distributed as dist

import tutti
from ranks import raised, run

kills = int(os.environ.get("TUTTI_TORCH_KILLS", "12"))


def differ_in_shape(rank):
    dist.all_reduce(torch.zeros(4 + rank))


def differ_in_dtype(rank):
    dist.all_reduce(torch.zeros(4, dtype=torch.float64 if rank else torch.float32))


def differ_in_operator(rank):
    dist.all_reduce(torch.zeros(4), dist.ReduceOp.MAX if rank else dist.ReduceOp.SUM)


def differ_in_order(rank):
    calls = [lambda: dist.all_reduce(torch.zeros(4)), lambda: dist.barrier()]
    for call in calls if rank else reversed(calls):
        call()


def differ_in_root(rank):
    """Each rank broadcasts from itself, and waits for nobody: the barrier shows it."""
    dist.broadcast(torch.zeros(4), rank)
    dist.barrier()


def mismatch(rank, size, call):
    error = raised(lambda: call(rank))
    return type(error).__name__, str(error)


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("call", [differ_in_shape, differ_in_dtype, differ_in_operator, differ_in_order, differ_in_root])
def test_mismatch_is_raised_on_every_rank(call, size):
    for kind, text in run(mismatch, size, call):
        assert kind == "Mismatch" and "rank" in text, (kind, text)


def two_waits(rank, size):
    """Two threads wait for messages that do not come."""
    works = [dist.irecv(torch.zeros(3), 1 - rank, tag=tag) for tag in (5, 6)]
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        errors = list(threads.map(lambda work: raised(lambda: work.wait(timedelta(milliseconds=300))), works))
    return [type(error).__name__ for error in errors]


def test_waits_of_two_threads_end_by_their_timeout():
    for kinds in run(two_waits, 2):
        assert kinds == ["Timeout", "Timeout"]


def wrong_arguments(rank, size):
    errors = [
        raised(lambda: dist.all_reduce(torch.zeros(3), dist.ReduceOp.BAND)),
        raised(lambda: dist.all_to_all_single(torch.zeros(3), torch.zeros(3), [1, 1], [2, 1])),
        raised(lambda: dist.send(torch.zeros(3), (rank + 1) % size, tag=1 << 30)),
    ]
    dist.barrier()  # the group goes on
    return [type(error).__name__ for error in errors]


def test_wrong_arguments_are_refused_and_the_group_goes_on():
    for kinds in run(wrong_arguments, 2):
        assert kinds == ["Unsupported", "InvalidArgument", "InvalidArgument"]


def loop(rank, size, path, victim, how, seed):
    """Calls without end; the victim is killed, or raises, after some of them."""
    store = dist.FileStore(path, size)
    dist.init_process_group("tutti", store=store, rank=rank, world_size=size, timeout=timedelta(seconds=60))
    ends_after = random.Random(seed).randrange(50)
    calls = [
        lambda: dist.all_reduce(torch.ones(random.Random(seed).randrange(1, 50000))),
        lambda: dist.barrier(),
        lambda: dist.all_gather([torch.zeros(9000) for _ in range(size)], torch.ones(9000)),
        lambda: dist.all_reduce(torch.ones(10), async_op=True).get_future().wait(),
    ]
    for k in range(10**9):
        if rank == victim and k == ends_after:
            if how == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            raise ValueError("no such row in the table")
        calls[k % len(calls)]()


def _end_of_loop(queue, rank, *arguments):
    try:
        loop(rank, *arguments)
    except Exception as error:
        if isinstance(error, ValueError) and not isinstance(error, tutti.Error):
            sys.excepthook(type(error), error, error.__traceback__)
            os._exit(1)
        queue.put((rank, str(error)))
        queue.close()
        queue.join_thread()
    os._exit(0)


def test_ranks_that_end_are_named():
    fork = multiprocessing.get_context("fork")
    for seed in range(kills):
        chance = random.Random(seed)
        size, how = chance.choice([2, 3, 4]), chance.choice(["kill", "raise"])
        victim = chance.randrange(size)
        with tempfile.TemporaryDirectory() as folder:
            queue = fork.Queue()
            path = os.path.join(folder, "store")
            ranks = [fork.Process(target=_end_of_loop, args=(queue, rank, size, path, victim, how, seed)) for rank in range(size)]
            for process in ranks:
                process.start()
            told = dict(queue.get(timeout=120) for _ in range(size - 1))
            for process in ranks:
                process.join()
        for rank, text in told.items():
            said = f"seed {seed}: {size} ranks, rank {victim} by {how}, rank {rank}: {text}"
            assert rank != victim and f"rank {victim}" in text, said
            if how == "raise":
                assert "no such row in the table" in text, said


def late(rank, size):
    if rank == 1:
        time.sleep(3)
        return None
    error = raised(lambda: dist.monitored_barrier(timeout=timedelta(milliseconds=300)))
    return str(error)


def test_a_monitored_barrier_names_the_late_rank():
    texts = run(late, 3)
    assert "Rank 1 failed to pass monitoredBarrier in 300 ms" in texts[0]
    assert "Rank 1 failed to pass monitoredBarrier" in texts[2]


def at_once(rank, size):
    return str(raised(lambda: dist.monitored_barrier(timeout=timedelta(0)))) if rank == 0 else None


def test_a_monitored_barrier_without_time_does_not_wait():
    assert "Rank 1 failed to pass monitoredBarrier in 0 ms" in run(at_once, 2, limit=60)[0]


def alone(rank, size, path):
    if rank == 1:
        return None
    store = dist.FileStore(path, size)
    return str(raised(lambda: dist.init_process_group("tutti", store=store, rank=0, world_size=2, timeout=timedelta(seconds=1))))


def test_a_rank_that_does_not_come_to_init_is_named(tmp_path):
    assert "for rank 1 of 2 to come" in run(alone, 2, str(tmp_path / "own"), backend=None)[0]


def waits_in_vain(rank, size):
    work = dist.irecv(torch.zeros(3), 1 - rank, tag=5)
    error = raised(lambda: work.wait(timedelta(milliseconds=300)))
    return type(error).__name__, str(error)


def test_ranks_that_wait_for_one_another_are_told():
    for kind, text in run(waits_in_vain, 2):
        assert kind == "Timeout" and "rank" in text, (kind, text)


def oversleeps(rank, size):
    if rank == 1:
        time.sleep(3)
        return None
    a = torch.zeros(3)
    return str(raised(lambda: dist.all_reduce(a, async_op=True).wait(timedelta(milliseconds=300))))


def test_a_late_rank_is_named_with_its_line(monkeypatch):
    monkeypatch.setenv("TUTTI_PYTHON_LINES", "1")
    assert "oversleeps (test_errors.py:" in run(oversleeps, 2)[0]


program = """
import os, sys, time
import torch, torch.distributed as dist, tutti.torch
dist.init_process_group("tutti")
a = torch.ones(5); dist.all_reduce(a); assert a[0] == dist.get_world_size()
if os.environ["TORCHELASTIC_RESTART_COUNT"] == "0" and dist.get_rank() == 1: sys.exit(3)
dist.barrier()
if dist.get_rank() == 0: print("restarted", os.environ["TORCHELASTIC_RESTART_COUNT"], flush=True)
"""


def test_torchrun_starts_again_after_a_rank_has_failed(tmp_path):
    (tmp_path / "program.py").write_text(program)
    words = [sys.executable, "-m", "torch.distributed.run", "-r", "1", "-t", "1", "--log_dir", str(tmp_path / "log"),
             "--max_restarts", "2", "--nproc_per_node", "2", "--master_port", "0", "--standalone", str(tmp_path / "program.py")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=240)
    printed = done.stdout + "".join(path.read_text() for path in (tmp_path / "log").rglob("*.log"))
    assert done.returncode == 0 and "restarted 1" in printed, printed + done.stderr
