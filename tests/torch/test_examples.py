"""The examples of torch.distributed, small: Gloo's numbers on tutti, and those of one rank where the model is cut."""

import functools
import json
import os
import subprocess
import sys

import pytest

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "torch")
SMALL = {
    "ddp_digits": [],
    "tensor_parallel": ["--hidden", "64"],
    "sequence_attention": ["--sequence", "64", "--hidden", "32"],
    "mixture_of_experts": ["--tokens", "64", "--hidden", "16"],
}
IS_WHOLE = os.environ.get("TUTTI_TORCH_EXAMPLES") == "all"  # otherwise a sample: ranks import torch for each result
RANKS = [2, 4] if IS_WHOLE else [2]
NAMES = list(SMALL) if IS_WHOLE else ["tensor_parallel", "mixture_of_experts"]


@functools.lru_cache(maxsize=None)
def result(example, backend, ranks):
    command = [sys.executable, os.path.join(EXAMPLES, f"{example}.py"), *SMALL[example]]
    command += ["--backend", backend, "--ranks", str(ranks), "--steps", "6", "--warmup", "1", "--json"]
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=400, check=False)
    assert ended.returncode == 0, ended.stdout
    return json.loads(ended.stdout.splitlines()[-1])


def same(found, expected):
    assert found["numbers"] == pytest.approx(expected["numbers"], rel=1e-4), (found, expected)


@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize("example", NAMES)
def test_tutti_has_gloos_numbers(example, ranks):
    same(result(example, "tutti", ranks), result(example, "gloo", ranks))


@pytest.mark.parametrize("example", NAMES)
def test_ranks_have_the_numbers_of_one(example):
    same(result(example, "gloo", 2), result(example, "gloo", 1))


@pytest.mark.parametrize("example", NAMES)
def test_times_and_shares_are_told(example):
    found = result(example, "gloo", 2)
    assert 0 < found["best_ms"] <= found["median_ms"] and 0 <= found["communication_share"] <= 1


def test_a_number_of_ranks_that_does_not_divide_is_refused():
    command = [sys.executable, os.path.join(EXAMPLES, "tensor_parallel.py"), "--backend", "gloo", "--ranks", "3"]
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=400, check=False)
    assert ended.returncode != 0 and "3 ranks cannot share 8 heads evenly" in ended.stdout, ended.stdout


def test_a_trace_shows_the_step(tmp_path):
    trace = tmp_path / "step.json"
    command = [sys.executable, os.path.join(EXAMPLES, "tensor_parallel.py"), "--hidden", "64", "--steps", "2"]
    environment = {**os.environ, "TUTTI_TRACE": str(trace)}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=400, check=False)
    assert ended.returncode == 0, ended.stderr
    events = json.loads(trace.read_text())
    events = events if isinstance(events, list) else events["traceEvents"]
    for rank in (0, 1):
        names = [event["name"] for event in events if event.get("ph") == "X" and event["pid"] == rank]
        assert sum(name.startswith("all_reduce of 64 float") for name in names) >= 28, names
