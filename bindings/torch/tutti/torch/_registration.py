"""The backend "tutti" among those of torch.distributed."""

import torch.distributed
from torch.distributed import distributed_c10d

from .. import _signals
from . import _memory, _mpi


def register(backend):
    """Registers `backend.create`, and has monitored_barrier and env:// know it."""

    def create(store, rank, size, timeout):
        _signals.report_lines_if_asked()
        _memory.share_by_default()  # ranks tell one another of their memory when they join
        return backend.create(store, rank, size, timeout)

    if int(torch.__version__.split(".")[0]) >= 2:
        # Untested: torch 1.13 has no devices.
        torch.distributed.Backend.register_backend("tutti", create, devices=["cpu"])
    else:
        torch.distributed.Backend.register_backend("tutti", create)
    _serve_monitored_barrier()
    _mpi.serve_env()


def _serve_monitored_barrier():
    """torch 1.13 refuses monitored_barrier for every backend but Gloo, before it asks the backend."""
    of_torch = distributed_c10d.monitored_barrier

    def monitored_barrier(group=torch.distributed.GroupMember.WORLD, timeout=None, wait_all_ranks=False):
        asked = distributed_c10d._get_default_group() if group is None else group
        if distributed_c10d._rank_not_in_group(group) or distributed_c10d.get_backend(group) != "tutti":
            return of_torch(group, timeout, wait_all_ranks)
        limit = distributed_c10d.default_pg_timeout if timeout is None else timeout
        return asked.monitored_barrier(limit, wait_all_ranks=wait_all_ranks)

    monitored_barrier.__doc__ = of_torch.__doc__
    distributed_c10d.monitored_barrier = torch.distributed.monitored_barrier = monitored_barrier
