"""Memory of tensors on the heap that ranks share: each test in a process of its own, because the allocator is torch's."""

import os
import subprocess
import sys

import pytest

START = """
import gc, os, threading
import torch
import tutti.torch
torch.set_num_threads(1)
MIB = 1 << 20
"""


def run(program, **environment):
    ended = subprocess.run(
        [sys.executable, "-c", START + program],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout
    return ended.stdout


def test_long_tensors_are_shared_from_the_call_on():
    run("""
before = torch.ones(MIB)
assert tutti.torch.share_memory() and tutti.torch.shares_memory()
long, short = torch.ones(4096), torch.ones(4095)
assert tutti.torch.is_shared(long)
assert not tutti.torch.is_shared(short) and not tutti.torch.is_shared(before)
assert long.data_ptr() % 64 == 0
assert torch.empty(0).numel() == 0 and torch.zeros(MIB).sum() == 0
assert torch.arange(100000).clone().sum() == 99999 * 50000
tutti.torch.share_memory(False)
assert not tutti.torch.is_shared(torch.ones(MIB)) and tutti.torch.is_shared(long)
del long
""")


def test_blocks_are_used_again_and_counted():
    run("""
tutti.torch.share_memory()
zero = tutti.torch.memory_stats()
for k in range(10):
    x = torch.empty(MIB, dtype=torch.uint8)
    place = x.data_ptr()
    del x
now = tutti.torch.memory_stats()
assert now["allocations"] - zero["allocations"] == 10, now
assert now["reuses"] - zero["reuses"] == 9, now
assert now["used_bytes"] == zero["used_bytes"] and now["idle_bytes"] >= MIB, now
x = torch.empty(MIB - 5, dtype=torch.uint8)
assert x.data_ptr() == place, "a block serves all lengths of its size"
assert tutti.torch.memory_stats()["used_bytes"] == MIB
tutti.torch.empty_cache()
now = tutti.torch.memory_stats()
assert now["idle_bytes"] == 0 and now["used_bytes"] == MIB and now["peak_bytes"] >= MIB, now
""")


def test_idle_blocks_have_a_limit():
    run("""
tutti.torch.share_memory()
kept = [torch.empty(MIB, dtype=torch.uint8) for _ in range(400)]
del kept
now = tutti.torch.memory_stats()
assert now["idle_bytes"] <= 256 * MIB and now["returned_bytes"] >= 144 * MIB, now
""")


def test_threads_allocate_and_free_one_anothers_tensors():
    run("""
import queue, random
tutti.torch.share_memory()
seed = random.randrange(1 << 30)
print("seed", seed)
passed, wrong = queue.Queue(16), []
def make(number):
    chosen = random.Random(seed + number)
    for k in range(300):
        value = number * 1000 + k
        passed.put((value, torch.full((chosen.randrange(4096, 300000),), value)))
    passed.put(None)
def check():
    while (item := passed.get()) is not None:
        value, tensor = item
        if not bool((tensor == value).all()):
            wrong.append(value)
        del item, tensor
threads = [threading.Thread(target=make, args=(n,)) for n in range(4)] + [threading.Thread(target=check) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert not wrong, wrong
gc.collect()
assert tutti.torch.memory_stats()["used_bytes"] == 0, tutti.torch.memory_stats()
""")


def test_a_forked_child_has_copies_and_memory_of_its_own():
    run("""
tutti.torch.share_memory()
mine = torch.arange(MIB)
idle = torch.empty(8 * MIB); del idle
to_child, from_parent = os.pipe()[::-1]
child = os.fork()
if child == 0:
    os.read(from_parent, 1)
    right = bool((mine == torch.arange(MIB)).all())
    mine.fill_(7)
    right = right and tutti.torch.is_shared(torch.ones(MIB)) and bool((torch.ones(MIB) + 1).sum() == 2 * MIB)
    os._exit(0 if right else 1)
mine[:10] = -1
os.write(to_child, b"x")
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
assert bool((mine[10:] == torch.arange(MIB)[10:]).all()) and bool((mine[:10] == -1).all())
""")


def test_forks_beside_threads_that_allocate():
    run("""
tutti.torch.share_memory()
done = threading.Event()
def work():
    while not done.is_set():
        torch.empty(100000).fill_(1)
threads = [threading.Thread(target=work) for _ in range(2)]
for thread in threads: thread.start()
for _ in range(20):
    child = os.fork()
    if child == 0:
        os._exit(0 if torch.ones(100000).sum() == 100000 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
done.set()
for thread in threads: thread.join()
""")


@pytest.mark.parametrize("strategy", ["file_descriptor", "file_system"])
def test_workers_of_a_data_loader(strategy):
    run(f"""
import torch.multiprocessing as processes
from torch.utils.data import DataLoader, TensorDataset
processes.set_sharing_strategy("{strategy}")
tutti.torch.share_memory()
data = TensorDataset(torch.arange(64 * 10000.).reshape(64, 10000), torch.arange(64))
for _ in range(2):
    seen = 0
    for x, number in DataLoader(data, batch_size=8, num_workers=2):
        assert torch.equal(x, torch.arange(64 * 10000.).reshape(64, 10000)[number])
        seen += len(x)
    assert seen == 64
""")


def test_torchs_own_shared_memory():
    run("""
import torch.multiprocessing as processes
tutti.torch.share_memory()
def fill(tensor):
    tensor.fill_(3)
x = torch.zeros(MIB)
assert tutti.torch.is_shared(x)
x.share_memory_()
assert x.is_shared() and not tutti.torch.is_shared(x)
child = processes.get_context("fork").Process(target=fill, args=(x,))
child.start(); child.join()
assert child.exitcode == 0 and bool((x == 3).all()), "the child's writes are seen"
gc.collect()
assert tutti.torch.memory_stats()["used_bytes"] == 0
""")


def test_storages_that_grow_and_arrays_of_numpy():
    run("""
import numpy
tutti.torch.share_memory()
x = torch.ones(10000)
x.resize_(100000)
assert bool((x[:10000] == 1).all()) and tutti.torch.is_shared(x)
array = x.numpy()
array[:] = 2
assert bool((x == 2).all())
del x
assert (array == 2).all()
y = torch.from_numpy(numpy.ones(100000))
assert bool((y == 1).all())
torch.save(torch.arange(100000), "/dev/null")
""")


def test_the_profiler_counts_shared_tensors():
    run("""
from torch.profiler import profile
tutti.torch.share_memory()
with profile(profile_memory=True) as seen:
    x = torch.ones(MIB)
    del x
assert any(event.cpu_memory_usage > 0 for event in seen.key_averages()), seen.key_averages()
""")


def test_without_a_shared_heap_torchs_allocator_serves():
    run(
        """
assert tutti.torch.share_memory() is False and not tutti.torch.shares_memory()
assert not tutti.torch.is_shared(torch.ones(MIB))
assert tutti.torch.memory_stats()["allocations"] == 0
""",
        TUTTI_HEAP="0",
    )


def test_the_preloaded_heap_serves_where_it_is():
    heap = os.path.join(os.path.dirname(__import__("tutti").__file__), "libtutti-heap.so")
    run(
        """
assert tutti.torch.is_shared(torch.ones(MIB)), "the heap is preloaded"
assert tutti.torch.share_memory()
x = torch.ones(MIB)
assert tutti.torch.is_shared(x) and tutti.torch.memory_stats()["used_bytes"] == 4 * MIB
child = os.fork()
if child == 0:
    x.fill_(5)
    os._exit(0)
os.waitpid(child, 0)
assert bool((x == 1).all())
""",
        LD_PRELOAD=heap,
    )
