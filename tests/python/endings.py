"""A rank that ends in the way that its argument names, and others that learn of it."""

import asyncio
import os
import signal
import sys
import threading
import time

import numpy
import tutti


def hear_from_others(comm):
    """Waits until every other rank is in a call of its own: none learns of this rank's end while it still starts."""
    for rank in range(comm.size):
        if rank != comm.rank:
            comm.receive(numpy.zeros(1), rank)


def barrier_told(comm, delay=0):
    """Calls a barrier, after rank 1 has been told of it, and prints how it fails."""
    try:
        comm.send(numpy.zeros(1), 1)
        time.sleep(delay)
        comm.barrier()
    except tutti.Error as error:
        print(f"rank {comm.rank}: {type(error).__name__}: {error}", flush=True)


def by_exception(comm):
    if comm.rank == 1:
        hear_from_others(comm)
        raise ValueError("no such row: 17")
    barrier_told(comm)


def by_exit(comm):
    if comm.rank == 1:
        hear_from_others(comm)
        sys.exit(3)
    barrier_told(comm)


def by_kill(comm):
    if comm.rank == 1:
        hear_from_others(comm)
        os.kill(os.getpid(), signal.SIGKILL)
    barrier_told(comm)


def wait_for_any(comm):
    return tutti.wait(comm.all_reduce_async(1.0), comm.receive_async(numpy.zeros(1), 0))


def await_one(comm):
    async def call():
        return await comm.all_reduce_async(numpy.ones(3))

    return asyncio.run(call())


# Calls of rank 1 that last, because the others do not come.
lasting = {
    "barrier": lambda comm: comm.barrier(),
    "all_reduce": lambda comm: comm.all_reduce(numpy.ones(100000)),
    "number": lambda comm: comm.all_reduce(1.0),
    "objects": lambda comm: comm.all_gather_object({"rank": comm.rank}),
    "receive": lambda comm: comm.receive(numpy.zeros(3), 0),
    "handle": lambda comm: comm.all_gather_async(numpy.ones(3)).wait(),
    "handles": wait_for_any,
    "awaited": await_one,
    "plan": lambda comm: comm.plan_all_reduce(numpy.ones(3))(),
    "split": lambda comm: comm.split(0),
}


def by_interrupt(comm, kind="barrier"):
    """Rank 1 is interrupted in a call that lasts, because the others come late."""
    if comm.rank == 1:
        hear_from_others(comm)
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        try:
            lasting[kind](comm)
        except KeyboardInterrupt:
            print("rank 1: KeyboardInterrupt", flush=True)
        return
    barrier_told(comm, delay=1)


def with_calls_begun(comm):
    """Rank 1 ends while calls are outstanding that all ranks have begun; nobody holds one of them, and one never completes."""
    if comm.rank == 1:
        hear_from_others(comm)
    else:
        comm.send(numpy.zeros(1), 1)
    a, b = numpy.ones(50000), numpy.zeros(3)
    handles = [comm.all_reduce_async(a, out=a), comm.receive_async(b, (comm.rank - 1) % comm.size)]
    comm.all_gather_async(b)
    print(f"rank {comm.rank}: ends with {len(handles)} begun", flush=True)
    if comm.rank != 1:
        try:
            tutti.wait(*handles)
        except tutti.PeerFailed as error:
            print(f"rank {comm.rank}: PeerFailed: {error}", flush=True)


def by_mismatch(comm):
    try:
        comm.all_reduce(numpy.ones(3 + comm.rank % 2))
    except tutti.Mismatch as error:
        print(f"rank {comm.rank}: {error}", flush=True)


def by_operator(comm):
    def broken(a, b):
        raise KeyError("in the operator")

    try:
        comm.all_reduce(numpy.ones(3), broken)
    except KeyError as error:
        print(f"rank {comm.rank}: KeyError: {error}", flush=True)
    except tutti.PeerFailed as error:
        print(f"rank {comm.rank}: {error}", flush=True)


def by_timeout(comm):
    if comm.rank == 0:
        hear_from_others(comm)
        time.sleep(1.5)
    else:
        comm.send(numpy.zeros(1), 0)
        comm.timeout = 0.2
    try:
        comm.barrier()
    except TimeoutError as error:
        print(f"rank {comm.rank}: TimeoutError: {error}", flush=True)
    except tutti.Error:
        pass


def by_timeout_with_line(comm):
    """The late rank goes on: its sleep is made again after the signal."""
    tutti.report_lines()
    if comm.rank == 0:
        hear_from_others(comm)
        began = time.monotonic()
        oversleep(1.5)
        print(f"rank 0: slept its time: {time.monotonic() - began >= 1.5}", flush=True)
    else:
        comm.send(numpy.zeros(1), 0)
        comm.timeout = 0.2
    try:
        comm.barrier()
    except TimeoutError as error:
        print(f"rank {comm.rank}: TimeoutError: {error}", flush=True)


def oversleep(seconds):
    time.sleep(seconds)


def after_fork(comm):
    import multiprocessing

    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(abs, [-1, -2, -3]) == [1, 2, 3]
    child = os.fork()
    if child == 0:
        try:
            comm.barrier()
        except tutti.InvalidArgument:
            os._exit(7)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert comm.all_reduce(1) == comm.size
    print(f"rank {comm.rank}: goes on", flush=True)


def on_another_thread(comm):
    def call():
        try:
            comm.barrier()
        except tutti.InvalidArgument as error:
            print(f"rank {comm.rank}: {error}", flush=True)

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()


def beside_a_thread(comm):
    """Another thread of Python's runs while this one waits in a call."""
    seen = []
    thread = threading.Thread(target=lambda: [seen.append(time.sleep(0.01)) for _ in range(20)])
    thread.start()
    if comm.rank == 0:
        thread.join()
    comm.barrier()
    thread.join()
    print(f"rank {comm.rank}: {len(seen)} looks", flush=True)


def without_leaks(comm):
    """Memory that calls take is that of the first thousands."""
    import resource

    def calls(n):
        a = numpy.ones(100)
        for _ in range(n):
            comm.all_reduce(a)
            comm.all_reduce_async(a).wait()
            comm.all_reduce(1.0)
            tutti.empty(10000)
            try:
                comm.all_reduce(a[::2])
            except tutti.InvalidArgument:
                pass

    calls(1000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    calls(int(os.environ.get("TEST_CALLS", "5000")))
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(f"rank {comm.rank}: {'grown by ' + str(grown) + ' KiB' if grown > 2048 else 'constant memory'}", flush=True)


if __name__ == "__main__":
    globals()[sys.argv[1]](tutti.world(), *sys.argv[2:])
