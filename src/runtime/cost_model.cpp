#include "runtime/cost_model.hpp"

#include "predict/machine_model.hpp"
#include "transport/shared/copy_rings.hpp"

namespace tutti::runtime {
namespace {

// What passes through a ring is gone when it is put in, as short messages are.
static_assert(processes_costs.short_bytes == static_cast<std::int64_t>(CopyRings::ring_bytes));

const MachineCosts& costs_of(Engine engine) {
  switch (engine) {
    case Engine::threads:
      return threads_costs;
    case Engine::processes:
      return processes_costs;
    case Engine::mpi:
      break;
  }
  return mpi_costs;
}

}  // namespace

std::unique_ptr<const CostModel> cost_model_of(const World& world, const Layout& layout) {
  const int cores = cores_of(layout.size(), world.most_crowded_host());
  return std::make_unique<MachineModel>(costs_of(world.engine()), cores, layout);
}

int cores_of(int ranks, const HostShare& most_crowded) {
  if (ranks <= most_crowded.ranks) return most_crowded.cores;
  return static_cast<int>(std::int64_t{most_crowded.cores} * ranks / most_crowded.ranks);
}

}  // namespace tutti::runtime
