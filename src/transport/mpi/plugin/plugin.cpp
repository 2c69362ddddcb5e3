/// @file
/// The one function that the plugin exports.

#include "transport/mpi/plugin.hpp"

#include "transport/mpi/plugin/mpi_world.hpp"

namespace tutti::runtime {
namespace {

MpiWorld* world = nullptr;

MpiRank join(ThreadSupport threads, void (*end)() noexcept) {
  // Never deleted: memory that a rank allocates may outlast everything that the program destroys.
  world = new MpiWorld(threads);
  world->link().before_finalize([end] {
    end();
    world->close();
  });
  // Comes after what is destroyed at exit and was made later, such as the program's communicator of all ranks.
  std::atexit([] { world->close(); });
  return {world, world->link().rank()};
}

void all_gather(const void* mine, std::size_t bytes, void* all) { world->link().all_gather(mine, bytes, all); }

void broadcast(void* bytes, std::size_t count) { world->link().broadcast(bytes, count); }

}  // namespace
}  // namespace tutti::runtime

extern "C" __attribute__((visibility("default"))) const tutti::runtime::Plugin* tutti_mpi_plugin() {
  using namespace tutti::runtime;
  static const Plugin plugin{TUTTI_MPI_LAYOUT, TUTTI_MPI_NAME, join, all_gather, broadcast};
  return &plugin;
}
