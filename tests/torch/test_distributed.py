"""PyTorch's own DistributedTest: what passes with groups of Gloo passes with groups of tutti."""

import os
import re
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))

exceptions = {
    "test_barrier_timeout_full_group": "looks for Gloo's words in the error, which names the ranks that have not come",
    "test_barrier_timeout_global": "likewise",
    "test_barrier_timeout_group": "likewise",
    "test_isend_autograd_profiler": "looks for the name gloo:send in the profiler, which has tutti:send",
    "test_isend_torch_profiler": "likewise",
    "test_send_recv_with_tag_autograd_profiler": "likewise",
    "test_send_recv_with_tag_torch_profiler": "likewise",
    "test_monitored_barrier_failure_order": "looks for Gloo's sentence on the ranks that have come, which are told who has not",
    "test_monitored_barrier_gloo": "likewise",
    "test_monitored_barrier_gloo_rank_0_timeout": "likewise",
}
"""Tests that Gloo passes and tutti does not, with the reason."""


sample = """test_DistributedDataParallel_requires_grad test_all_gather test_all_reduce_coalesced_sum test_broadcast_object_list
test_scatter test_send_recv_any_source test_send_recv_torch_profiler test_send_recv_with_tag test_sparse_all_reduce_sum""".split()
"""Tests that Gloo passes: those that are tried where TUTTI_TORCH_TESTS does not name others, or says "all", which takes minutes."""


def outcomes(backend, tests):
    """Test by name: "ok", "skipped" or "failed"."""
    done = subprocess.run([sys.executable, "distributed.py", backend, *tests], cwd=here, capture_output=True, text=True, timeout=3000)
    found = dict(re.findall(r"^(test_\w+) (ok|skipped|failed)$", done.stdout, re.M))
    assert found, done.stdout + done.stderr
    return found, done.stderr


def passed_by_gloo(tests):
    """Those of the tests that are no exceptions; all tests where none is named."""
    theirs, _ = outcomes("gloo", [f"Distributed.{test}" for test in tests])
    return sorted(test for test, outcome in theirs.items() if outcome == "ok" and test not in exceptions)


def test_what_gloo_passes_passes():
    asked = os.environ.get("TUTTI_TORCH_TESTS", "").split()
    passed = passed_by_gloo([] if asked == ["all"] else asked) if asked else sample
    ours, text = outcomes("tutti", [f"Distributed.{test}" for test in passed])
    wrong = [test for test in passed if ours.get(test) != "ok"]
    assert not wrong, f"{wrong}\n{text}"
