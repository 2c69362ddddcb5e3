"""tutti in Python beside mpi4py, in turn in one run: times and gains, as CSV.

    compare.py BUILD [--quick]

Debian's mpi4py is built for Open MPI; there is none for MPICH. Ways: processes of `tutti run`, whose heaps are shared;
the same without that heap, in arrays of tutti.empty and in NumPy's own; mpi4py.
"""

import collections
import json
import os
import statistics
import subprocess
import sys

build = os.path.abspath(sys.argv[1])
options = ["--quick"] if "--quick" in sys.argv else []
rounds = 2 if options else 5
calls = os.path.join(os.path.dirname(os.path.abspath(__file__)), "calls.py")
python = "/usr/bin/python3"
tutti = [os.path.join(build, "tutti"), "run", "-n"]
mpirun = "mpirun.openmpi --allow-run-as-root --oversubscribe --bind-to none -n".split()
WAYS = {
    "heap": (tutti, ["tutti"], {}),
    "empty": (tutti, ["tutti", "--shared"], {"TUTTI_HEAP": "0"}),
    "private": (tutti, ["tutti"], {"TUTTI_HEAP": "0"}),
    "mpi4py": (mpirun, ["mpi4py"], {"LD_PRELOAD": ""}),
}


def times_of(way, ranks):
    launcher, arguments, more = WAYS[way]
    environment = {**os.environ, "PYTHONPATH": os.path.join(build, "python"), **more}
    command = [*launcher, str(ranks), python, calls, *arguments, *options]
    ended = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(ended.stdout.splitlines()[-1])


def shortest_in_cpp():
    """Microseconds of an all-reduce of 8 bytes between two processes in C++, by tutti bench."""
    command = [tutti[0], "bench", "all-reduce", "--ranks", "2", "--bytes", "8", "--transport", "processes", "--json"]
    ended = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(ended.stdout)["cells"][0]["median_us"]


def main():
    print("ranks,collective,bytes,heap us,empty us,private us,mpi4py us,gain heap,gain empty,gain private")
    for ranks in (2, 4):
        found = collections.defaultdict(lambda: collections.defaultdict(list))
        in_cpp = []
        for _ in range(rounds):
            in_cpp.append(shortest_in_cpp())
            for way in WAYS:
                for cell, time in times_of(way, ranks).items():
                    found[cell][way].append(time)
        gains = collections.defaultdict(list)
        for cell, ways in found.items():
            best = {way: min(times) for way, times in ways.items()}
            gain = {way: best["mpi4py"] / best[way] for way in ("heap", "empty", "private")}
            for way in gain:
                gains[way].append(gain[way])
            name, size = cell.split()
            print(
                f"{ranks},{name},{size}," + ",".join(f"{best[way]:.3g}" for way in WAYS) + ","
                + ",".join(f"{gain[way]:.2f}" for way in gain),
                flush=True,
            )
        if ranks == 2:
            shortest = min(found["all_reduce 8"]["heap"])
            print(f"# all-reduce of 8 bytes: {min(in_cpp):.3g} us in C++, {shortest - min(in_cpp):.3g} more in Python")
        means = {way: statistics.geometric_mean(each) for way, each in gains.items()}
        print(f"# {ranks} ranks, geometric means of the gains: " + ", ".join(f"{w} {m:.2f}" for w, m in means.items()))


main()
