/// @file
/// The cost model of a machine that is known by its constants.
#pragma once

#include "predict/cost_model.hpp"
#include "predict/machine_costs.hpp"

namespace tutti {

/// A schedule is played in virtual time (play.hpp). One of very many messages is priced by its claims:
/// rounds · (latency + two overheads + the bytes of a mean message).
class MachineModel final : public CostModel {
 public:
  /// Ranks that have `cores` cores together; `costs` must outlive the model.
  MachineModel(const MachineCosts& costs, int cores) : costs_(costs), cores_(cores) {}

  double seconds(const Algorithm& algorithm, const Problem& problem, std::int64_t element_size) const override;

 private:
  const MachineCosts& costs_;
  int cores_;
};

}  // namespace tutti
