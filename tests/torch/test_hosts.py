"""Ranks of an mpirun of Open MPI and of MPICH, on one host and on several that are namespaces of this machine.

Hosts of namespaces have nothing in common but a network: see scripts/cluster. Their tests are skipped where the system
permits none.
"""

import functools
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
CLUSTER = os.path.join(HERE, "..", "..", "scripts", "cluster")
TRAINING = os.path.join(HERE, "..", "..", "examples", "torch", "ddp_digits.py")
LAUNCHERS = dict(entry.split("=", 1) for entry in os.environ.get("TUTTI_LAUNCHERS", "").split(";") if entry)
REFUSED = 77
STEPS = ["--steps", "5", "--warmup", "1", "--json"]
# Two ranks on each of two hosts.
ON_HOSTS = {"openmpi": "$CLUSTER_MPIRUN --map-by ppr:2:node", "mpich": "$CLUSTER_MPIRUN_MPICH -ppn 2 -n 4"}


def run(words):
    return subprocess.run(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)


def run_until(said, words, most_seconds=600, grace=20):
    """Runs the words; ends them where all is said (a function of the output) and they do not end by themselves."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(words, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
        end = time.monotonic() + most_seconds
        text = ""
        while process.poll() is None and time.monotonic() < end:
            time.sleep(0.2)
            output.seek(0)
            text = output.read()
            if said(text):
                end = min(end, time.monotonic() + grace)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
            process.wait(60)
            return subprocess.CompletedProcess(words, 0 if said(text) else None, text)
        output.seek(0)
        return subprocess.CompletedProcess(words, process.returncode, output.read())


def on_one_host(mpi, said, *program):
    return run([*LAUNCHERS[mpi].split(), "4", sys.executable, *program])


def beside_hosts(script, run=run):
    ended = run([CLUSTER, "--hosts", "2", "bash", "-c", script])
    if ended.returncode == REFUSED:
        pytest.skip(ended.stdout.strip())
    return ended


# MPICH over UCX hangs in MPI_Finalize on several hosts in some runs, also of programs without tutti: see docs/decisions/0024-*. What its ranks
# say before that counts.
def on_hosts(mpi, said, *program):
    variables = [f"{name}={os.environ[name]}" for name in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE") if name in os.environ]
    variables.append("TUTTI_TORCH_REPORT=1")
    script = " ".join([ON_HOSTS[mpi], "env", *variables, sys.executable, *program])
    return beside_hosts(script, functools.partial(run_until, said) if mpi == "mpich" else run)


PLACES = {"one host": on_one_host, "several hosts": on_hosts}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("mpi", sorted(LAUNCHERS))
def test_laws_of_ranks_that_an_mpirun_starts(mpi, place):
    hosts = 2 if place == "several hosts" else 1

    def laws_in(text):
        return re.findall(r"rank (\d) of 4: all laws hold on (\d) hosts; (\d) ranks share memory; .*?all_reduce", text)

    def leaders_in(text):  # a hierarchical algorithm has them
        return place == "one host" or re.search(r"tutti:barrier .* leaders ", text)

    ended = PLACES[place](mpi, lambda text: len(laws_in(text)) == 4 and leaders_in(text), os.path.join(HERE, "hosts.py"))
    assert sorted(laws_in(ended.stdout)) == [(str(rank), str(hosts), "4") for rank in range(4)], ended.stdout
    assert ended.returncode == 0 and leaders_in(ended.stdout), ended.stdout


@functools.lru_cache(maxsize=None)
def losses_on_one_host():
    ended = run([sys.executable, TRAINING, "--ranks", "4", "--backend", "gloo", *STEPS])
    return json.loads(ended.stdout.splitlines()[-1])["numbers"]


@pytest.mark.parametrize("mpi", sorted(LAUNCHERS))
def test_ddp_on_several_hosts_has_the_losses_of_one(mpi):
    def found_in(text):
        return [line for line in text.splitlines() if line.startswith("{") and line.endswith("}")]

    ended = on_hosts(mpi, found_in, TRAINING, "--backend", "tutti", *STEPS)
    found = found_in(ended.stdout)
    assert ended.returncode == 0 and len(found) == 1, ended.stdout
    assert json.loads(found[0])["numbers"] == pytest.approx(losses_on_one_host(), rel=1e-4)


def test_several_machines_without_mpirun_are_told_of_it(tmp_path):
    """Two processes as torchrun starts them, on hosts of which one has another kernel's name."""
    (tmp_path / "boot_id").write_text("00000000-0000-0000-0000-000000000001\n")
    (tmp_path / "program.py").write_text("import torch.distributed as dist, tutti.torch\ndist.init_process_group('tutti')\n")
    enter = "nsenter --net --mount --ipc --uts --pid --target $(cat $CLUSTER_FOLDER/host{0})"
    # Each into a file of its own: lines of two processes in one pipe mix.
    start = "env MASTER_ADDR=10.77.0.1 MASTER_PORT=29500 WORLD_SIZE=2 RANK={0} " + f"{sys.executable} {tmp_path}/program.py > {tmp_path}/told{{0}} 2>&1"
    other_kernel = enter.format(1) + f" mount --bind {tmp_path}/boot_id /proc/sys/kernel/random/boot_id || exit {REFUSED}"
    ended = beside_hosts(f"{other_kernel}; {enter.format(1)} {start.format(1)} & {enter.format(0)} {start.format(0)}; wait")
    sentence = 'init_process_group("tutti"): join(): ranks 0 and 1 run on two machines: start the program with mpirun'
    told = [(tmp_path / f"told{rank}").read_text() for rank in range(2)]
    assert all("Unsupported: " + sentence in text for text in told), (told, ended.stdout)
