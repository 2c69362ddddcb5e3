"""A million calls of all kinds leave the memory of the program as it was: memory.py [--calls N]."""

import argparse
import gc

import numpy
import tutti


def resident():
    """Bytes of this process that lie in memory."""
    with open("/proc/self/statm", encoding="ascii") as words:
        return int(words.read().split()[1]) * 4096


def kinds(comm):
    """A call of each kind, in the order in which all ranks make them; lengths are few, so that shapes are known."""
    r, p = comm.rank, comm.size
    a, out, whole = numpy.arange(40.0), numpy.empty(40), numpy.arange(40.0 * p)
    counts = [k + 1 for k in range(p)]
    own = numpy.arange(float(counts[r]))
    plan = comm.plan_all_reduce(a, tutti.sum, out)

    def refused():
        try:
            comm.all_reduce(a[::2])
        except tutti.InvalidArgument:
            return
        raise AssertionError("every second element is no array in one piece")

    return [
        lambda: comm.all_reduce(a),
        lambda: comm.all_reduce(a, tutti.sum, out),
        lambda: comm.all_reduce(1.5),
        lambda: comm.all_reduce_async(a, tutti.maximum).wait(),
        plan.run,
        lambda: comm.broadcast(out, p - 1),
        lambda: comm.reduce(a, tutti.sum, 0),
        lambda: comm.all_gather(a),
        lambda: comm.all_gather_v(own, counts),
        lambda: comm.all_to_all(whole),
        lambda: comm.scatter(whole if r == 0 else None, 0, out),
        lambda: comm.scan(a),
        lambda: comm.shift(a, 1, out),
        lambda: comm.send_receive(a, (r + 1) % p, out, (r - 1) % p),
        lambda: comm.all_reduce(tutti.empty(40, "f8"), tutti.maximum),
        refused,
        lambda: comm.all_reduce(a, lambda x, y: numpy.maximum(x, y)),
        lambda: comm.broadcast_object({"rank": r}, 0),
        comm.barrier,
    ]


def make(comm, calls, number):
    """That many calls by turns; a group of ranks now and then."""
    for k in range(number // len(calls)):
        for call in calls:
            call()
        if k % 1000 == 0:
            comm.split(comm.rank % 2).barrier()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--calls", type=int, default=1_000_000)
    given = options.parse_args()
    comm = tutti.world()
    calls = kinds(comm)
    make(comm, calls, given.calls // 5)
    gc.collect()
    before = resident()
    make(comm, calls, given.calls * 4 // 5)
    gc.collect()
    grown = comm.all_reduce(resident() - before, tutti.maximum)
    assert grown < 4 << 20, f"{given.calls} calls have taken {grown} bytes more"
    if comm.rank == 0:
        print(f"{given.calls} calls leave {grown} bytes", flush=True)


if __name__ == "__main__":
    main()
