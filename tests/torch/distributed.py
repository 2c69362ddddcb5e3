"""PyTorch's own DistributedTest with groups of Gloo, or of tutti in their place: python3 distributed.py gloo|tutti [test ...].

The tests know no other backends than torch's, and say by name what each can do: they are asked for Gloo here, and
get tutti where they make a group of Gloo.
"""

import logging
import multiprocessing
import os
import sys
import tempfile
import unittest

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "stubs"))
os.environ.setdefault("BACKEND", "gloo")
os.environ.setdefault("WORLD_SIZE", "3")
os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
os.environ.setdefault("TEMP_DIR", tempfile.mkdtemp())

logging.disable(logging.INFO)

import torch.distributed as dist  # noqa: E402
from torch.distributed import distributed_c10d  # noqa: E402


def serve_by_tutti():
    import tutti.torch
    from tutti.torch import _backend

    def group(store, rank, size, timeout=distributed_c10d.default_pg_timeout):
        return _backend.create(store, rank, size, timeout)

    distributed_c10d.ProcessGroupGloo = group
    dist.ProcessGroupGloo = group
    # TORCH_DISTRIBUTED_DEBUG=DETAIL wraps groups in a class that needs one of Gloo's own.
    distributed_c10d._create_process_group_wrapper = lambda wrapped_pg, **arguments: wrapped_pg


if os.environ.setdefault("TUTTI_TORCH_SERVES", sys.argv.pop(1) if len(sys.argv) > 1 else "gloo") == "tutti":
    serve_by_tutti()

from torch.testing._internal.distributed import distributed_test  # noqa: E402
from torch.testing._internal.distributed.distributed_test import DistributedTest, TestDistBackend  # noqa: E402

if os.environ["TUTTI_TORCH_SERVES"] == "tutti":
    # The profiler shows calls of tutti by tutti's name.
    _events = distributed_test.get_profiling_event
    distributed_test.get_profiling_event = lambda name, profiler: _events(name.replace("gloo:", "tutti:"), profiler)


class Distributed(TestDistBackend, DistributedTest._DistTestBase):
    """Ranks are forked: importing torch anew takes longer than most tests."""

    def setUp(self):
        super().setUp()
        self._start_processes(multiprocessing.get_context("fork").Process)


class Lines(unittest.TextTestResult):
    """A line of standard output for each test: its name and outcome."""

    def tell(self, test, outcome):
        print(f"{test.id().split('.')[-1]} {outcome}", flush=True)

    def addSuccess(self, test):
        self.tell(test, "ok")

    def addSkip(self, test, reason):
        self.tell(test, "skipped")

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.tell(test, "failed")

    def addError(self, test, error):
        super().addError(test, error)
        self.tell(test, "failed")


if __name__ == "__main__":
    unittest.main(testRunner=unittest.TextTestRunner(resultclass=Lines, verbosity=0))
