"""Ranks for tests: processes forked from this one, which has torch already, joined by a store in a file."""

import multiprocessing
import os
import queue as queues
import tempfile
import time
import traceback
from datetime import timedelta

import torch
import torch.distributed as dist

import tutti.torch  # noqa: F401

_fork = multiprocessing.get_context("fork")


def _body(function, rank, size, path, queue, arguments, backend):
    torch.set_num_threads(1)
    try:
        if backend is not None:
            store = dist.FileStore(path, size)
            dist.init_process_group(backend, store=store, rank=rank, world_size=size, timeout=timedelta(seconds=60))
        queue.put((rank, function(rank, size, *arguments), None))
        if backend is not None and dist.is_initialized():
            dist.destroy_process_group()
    except BaseException as error:
        queue.put((rank, None, "".join(traceback.format_exception(error))))
    queue.close()
    queue.join_thread()
    os._exit(0)


def run(function, size, *arguments, backend="tutti", limit=300):
    """Calls function(rank, size, *arguments) on that many ranks; what each has returned. Raises what one has raised."""
    with tempfile.TemporaryDirectory() as folder:
        queue = _fork.Queue()
        path = os.path.join(folder, "store")
        ranks = [_fork.Process(target=_body, args=(function, rank, size, path, queue, arguments, backend)) for rank in range(size)]
        for process in ranks:
            process.start()
        results, end = {}, time.monotonic() + limit
        while len(results) < size:
            try:
                rank, result, error = queue.get(timeout=1)
            except queues.Empty:
                dead = [(r, ranks[r].exitcode) for r in range(size) if r not in results and not ranks[r].is_alive()]
                assert not dead and time.monotonic() < end, f"ranks have ended without a word, or not come in {limit} s: {dead}"
                continue
            assert error is None, f"rank {rank} of {size}: {error}"
            results[rank] = result
        for process in ranks:
            process.join()
        return [results[rank] for rank in range(size)]


def raised(call):
    """The exception that the call raises, or None."""
    try:
        call()
    except Exception as error:
        return error
    return None
