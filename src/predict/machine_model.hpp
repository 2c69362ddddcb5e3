/// @file
/// The cost model of a machine that is known by its constants.
#pragma once

#include <utility>

#include "predict/cost_model.hpp"
#include "predict/machine_costs.hpp"

namespace tutti {

/// The schedules of few ranks are played in virtual time (play.hpp), those of many are estimated (estimate.hpp): what a
/// play costs grows with all their messages.
class MachineModel final : public CostModel {
 public:
  /// Up to so many ranks are played.
  static constexpr int most_played_ranks = 8;

  /// Ranks that have `cores` cores together and are where `layout` says; `costs` must outlive the model.
  MachineModel(const MachineCosts& costs, int cores, Layout layout = {})
      : costs_(costs), cores_(cores), layout_(std::move(layout)) {}

  double seconds(const Choice& choice, const Problem& problem, std::int64_t element_size) const override;
  double at_least(const Choice& choice, const Problem& problem, std::int64_t element_size) const override;
  /// Many ranks' blocks of different sizes are priced as even ones.
  Problem essence(const Problem& problem) const override;

 private:
  const MachineCosts& costs_;
  int cores_;
  Layout layout_;
};

}  // namespace tutti
