"""env:// under an mpirun: rank and number of ranks come from MPI's world, and so does the address of the store."""

import fcntl
import importlib
import os
import socket
import struct

import torch.distributed
from torch.distributed import distributed_c10d

import tutti

# Launchers, by the variables in which they tell a process its rank and the number of ranks.
_launchers = (("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), ("PMI_RANK", "PMI_SIZE"))
_address_request = 0x8915  # SIOCGIFADDR


def started_by_mpirun():
    """Whether an mpirun has started this process, and nothing else says who it is."""
    return "RANK" not in os.environ and any(size in os.environ for _, size in _launchers)


def serve_env():
    """Has init_method env:// ask MPI where the environment has no RANK."""
    handlers = importlib.import_module("torch.distributed.rendezvous")._rendezvous_handlers
    of_torch = handlers["env"]

    def handler(url, timeout=distributed_c10d.default_pg_timeout, **more):
        if not started_by_mpirun():
            yield from of_torch(url, timeout=timeout, **more)
            return
        # Threads beside this one advance what is under way.
        world = tutti.world(progress_thread=True)
        yield _store(world, timeout), world.rank, world.size
        raise RuntimeError("ranks of an mpirun cannot rendezvous anew: start the program again")

    handlers["env"] = handler


def _store(world, timeout):
    """The store that rank 0 serves."""
    if world.rank == 0:
        store = torch.distributed.TCPStore("0.0.0.0", 0, world.size, True, timeout, False)
        world.broadcast_object((_addresses(), store.port), 0)
        return store
    addresses, port = world.broadcast_object(None, 0)
    return torch.distributed.TCPStore(_reachable(addresses, port), port, world.size, False, timeout, False)


def _addresses():
    """The addresses of this host's interfaces; the loopback's where there is no other."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        for _, name in socket.if_nameindex():
            try:
                answer = fcntl.ioctl(any_socket.fileno(), _address_request, struct.pack("256s", name.encode()[:15]))
            except OSError:  # an interface without an address
                continue
            found.append(socket.inet_ntoa(answer[20:24]))
    return [address for address in found if not address.startswith("127.")] or ["127.0.0.1"]


def _reachable(addresses, port):
    for address in addresses:
        try:
            socket.create_connection((address, port), timeout=2).close()
            return address
        except OSError:
            continue
    raise tutti.Unsupported(f"no address of rank 0's host answers from here: {', '.join(addresses)} at port {port}; set MASTER_ADDR, "
                            "MASTER_PORT, RANK and WORLD_SIZE on all ranks")
