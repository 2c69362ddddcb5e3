"""Ranks of an mpirun of Open MPI and of MPICH, on one host and on several that are namespaces of this machine.

Hosts of namespaces have nothing in common but a network: see scripts/cluster. Their tests are skipped where the system
permits none.
"""

import functools
import json
import os
import re
import subprocess
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
CLUSTER = os.path.join(HERE, "..", "..", "scripts", "cluster")
TRAINING = os.path.join(HERE, "..", "..", "examples", "torch", "ddp_digits.py")
LAUNCHERS = dict(entry.split("=", 1) for entry in os.environ.get("TUTTI_LAUNCHERS", "").split(";") if entry)
REFUSED = 77
STEPS = ["--steps", "5", "--warmup", "1", "--json"]
# Two ranks on each of two hosts.
ON_HOSTS = {"openmpi": "$CLUSTER_MPIRUN --map-by ppr:2:node", "mpich": "$CLUSTER_MPIRUN_MPICH -ppn 2 -n 4"}


def run(words, **more):
    environment = {**os.environ, **more}
    return subprocess.run(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600, env=environment)


def on_one_host(mpi, *program):
    return run([*LAUNCHERS[mpi].split(), "4", sys.executable, *program])


def beside_hosts(script):
    ended = run([CLUSTER, "--hosts", "2", "bash", "-c", script])
    if ended.returncode == REFUSED:
        pytest.skip(ended.stdout.strip())
    return ended


def on_hosts(mpi, *program):
    variables = [f"{name}={os.environ[name]}" for name in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE") if name in os.environ]
    variables.append("TUTTI_TORCH_REPORT=1")
    return beside_hosts(" ".join([ON_HOSTS[mpi], "env", *variables, sys.executable, *program]))


PLACES = {"one host": on_one_host, "several hosts": on_hosts}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("mpi", sorted(LAUNCHERS))
def test_laws_of_ranks_that_an_mpirun_starts(mpi, place):
    ended = PLACES[place](mpi, os.path.join(HERE, "hosts.py"))
    hosts = 2 if place == "several hosts" else 1
    told = re.findall(r"rank (\d) of 4: all laws hold on (\d) hosts; (\d) ranks share memory; .*?all_reduce", ended.stdout)
    assert sorted(told) == [(str(rank), str(hosts), "4") for rank in range(4)], ended.stdout
    assert place == "one host" or re.search(r"tutti:barrier .* leaders ", ended.stdout), ended.stdout  # a hierarchical algorithm


@functools.lru_cache(maxsize=None)
def losses_on_one_host():
    ended = run([sys.executable, TRAINING, "--ranks", "4", "--backend", "gloo", *STEPS])
    return json.loads(ended.stdout.splitlines()[-1])["numbers"]


@pytest.mark.parametrize("mpi", sorted(LAUNCHERS))
def test_ddp_on_several_hosts_has_the_losses_of_one(mpi):
    ended = on_hosts(mpi, TRAINING, "--backend", "tutti", *STEPS)
    found = [line for line in ended.stdout.splitlines() if line.startswith("{")]
    assert ended.returncode == 0 and len(found) == 1, ended.stdout
    assert json.loads(found[0])["numbers"] == pytest.approx(losses_on_one_host(), rel=1e-4)


def test_several_machines_without_mpirun_are_told_of_it(tmp_path):
    """Two processes as torchrun starts them, on hosts of which one has another kernel's name."""
    (tmp_path / "boot_id").write_text("00000000-0000-0000-0000-000000000001\n")
    (tmp_path / "program.py").write_text("import torch.distributed as dist, tutti.torch\ndist.init_process_group('tutti')\n")
    enter = "nsenter --net --mount --ipc --uts --pid --target $(cat $CLUSTER_FOLDER/host{0})"
    start = "env MASTER_ADDR=10.77.0.1 MASTER_PORT=29500 WORLD_SIZE=2 RANK={0} " + f"{sys.executable} {tmp_path}/program.py"
    other_kernel = enter.format(1) + f" mount --bind {tmp_path}/boot_id /proc/sys/kernel/random/boot_id || exit {REFUSED}"
    ended = beside_hosts(f"{other_kernel}; {enter.format(1)} {start.format(1)} & {enter.format(0)} {start.format(0)}; wait")
    sentence = 'init_process_group("tutti"): join(): ranks 0 and 1 run on two machines: start the program with mpirun'
    assert ended.stdout.count("Unsupported: " + sentence) == 2, ended.stdout
