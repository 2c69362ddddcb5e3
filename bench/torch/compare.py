"""torch.distributed on tutti beside Gloo, in turn in one run: calls and the examples' steps, as CSV.

    compare.py BUILD [--quick]

The bound of a step's gain is Amdahl's: that by which Gloo's step were faster if communication took no time.
"""

import json
import os
import socket
import statistics
import subprocess
import sys

build = os.path.abspath(sys.argv[1])
quick = "--quick" in sys.argv
here = os.path.dirname(os.path.abspath(__file__))
examples = os.path.join(here, "..", "..", "examples", "torch")
python = "/usr/bin/python3"
environment = {**os.environ, "PYTHONPATH": os.path.join(build, "python"), "PYTHONDONTWRITEBYTECODE": "1"}
ROUNDS = 2 if quick else 5
STEPS = ["--steps", "10" if quick else "30"]
EXAMPLES = [
    ["ddp_digits.py"],
    ["tensor_parallel.py", "--hidden", "1024"],
    ["tensor_parallel.py", "--hidden", "4096", "--layers", "1"],
    ["sequence_attention.py"],
    ["mixture_of_experts.py"],
]


def calls(ranks):
    """Times of calls by calls.py, whose ranks are started here."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    job = {"WORLD_SIZE": str(ranks), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    command = [python, os.path.join(here, "calls.py"), *(["--quick"] if quick else [])]
    started = [
        subprocess.Popen(command, env={**environment, **job, "RANK": str(rank)}, stdout=subprocess.PIPE, text=True)
        for rank in range(ranks)
    ]
    try:
        texts = [process.communicate(timeout=1200)[0] for process in started]
    finally:
        for process in started:
            process.kill()
    if any(process.returncode for process in started):
        sys.exit(f"calls.py has failed on {ranks} ranks")
    return json.loads(texts[0].splitlines()[-1])


def shortest_in_cpp():
    """Microseconds of an all-reduce of 8 bytes between two processes in C++, by tutti bench."""
    words = "bench all-reduce --ranks 2 --bytes 8 --transport processes --json".split()
    command = [os.path.join(build, "tutti"), *words]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)["cells"][0]["median_us"]


def show_calls(ranks):
    found = calls(ranks)
    for cell, ways in found.items():
        name, size = cell.split()
        for memory in ("private", "shared"):
            gloo, ours = ways.get(f"gloo {memory}"), ways[f"tutti {memory}"]
            words = [f"{ours[key]:.4g}" for key in ("best", "median", "cpu")]
            if gloo is None:
                words += [""] * 3 + [""] * 3
            else:
                words += [f"{gloo[key]:.4g}" for key in ("best", "median", "cpu")]
                words += [f"{gloo[key] / ours[key]:.2f}" for key in ("best", "median", "cpu")]
            print(f"{ranks},{name},{size},{memory}," + ",".join(words), flush=True)
    return found


def step(example, ranks, backend):
    words = [python, os.path.join(examples, example[0]), *example[1:], "--ranks", str(ranks), "--backend", backend]
    ended = subprocess.run([*words, *STEPS, "--json"], env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(ended.stdout.splitlines()[-1])


def show_steps(ranks):
    for example in EXAMPLES:
        taken = {"gloo": [], "tutti": []}
        for _ in range(ROUNDS):
            for backend, results in taken.items():
                results.append(step(example, ranks, backend))
        words = []
        for backend in ("tutti", "gloo"):
            results = taken[backend]
            words += [
                f"{min(each['best_ms'] for each in results):.4g}",
                f"{statistics.median(each['median_ms'] for each in results):.4g}",
                f"{statistics.median(each['cpu_ms'] for each in results):.4g}",
                f"{statistics.median(each['communication_share'] for each in results):.2f}",
            ]
        pairs = zip(taken["gloo"][0]["numbers"], taken["tutti"][0]["numbers"])
        difference = max(abs(a - b) / max(1.0, abs(a)) for a, b in pairs)
        gain = float(words[5]) / float(words[1])
        bound = 1 / (1 - float(words[7])) if float(words[7]) < 1 else float("inf")
        print(f"{ranks},{taken['tutti'][0]['example']},{','.join(words)},{gain:.2f},{bound:.2f},{difference:.1e}", flush=True)


def main():
    print("ranks,call,bytes,memory,tutti us,median us,cpu us,gloo us,median us,cpu us,gain,gain of medians,gain of cpu")
    for ranks in (2, 4):
        in_cpp = [shortest_in_cpp()] if ranks == 2 else []
        found = show_calls(ranks)
        if in_cpp:
            in_cpp.append(shortest_in_cpp())
            least = min(in_cpp)
            more = [found[f"{call} 8"]["tutti private"]["median"] - least for call in ("ProcessGroup.allreduce", "all_reduce")]
            print(f"# all-reduce of 8 bytes: {least:.3g} us in C++; {more[0]:.3g} more by the group, {more[1]:.3g} by dist.all_reduce")
    print("ranks,example,tutti ms,median ms,cpu ms,share,gloo ms,median ms,cpu ms,share,gain of medians,bound,difference")
    for ranks in (2, 4):
        show_steps(ranks)


main()
