/// @file
/// The cost model of a machine that is known by its constants.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "predict/model/cost_model.hpp"
#include "predict/model/machine_costs.hpp"
#include "predict/replay/call_sums.hpp"

namespace tutti {

/// Returns the problem with blocks as even as can be, of as many elements in all: it is estimated where counts differ.
/// O(1), or O(number of counts).
Problem with_even_blocks(const Problem& problem);

/// The schedules of few ranks are replayed in virtual time (replay.hpp), those of many are estimated (estimate.hpp):
/// what a replay costs grows with all their messages.
class MachineModel final : public CostModel {
 public:
  /// Up to so many ranks are replayed.
  static constexpr int most_played_ranks = 8;

  /// Ranks that have `cores` cores together and are where `layout` says.
  MachineModel(const MachineCosts& costs, int cores, Layout layout = {})
      : MachineModel(costs, costs, cores, std::move(layout)) {}
  /// Takes other costs for messages inside a node than for messages between nodes; `words` names the machine and the
  /// origin of the costs.
  MachineModel(const MachineCosts& inside, const MachineCosts& between, int cores, Layout layout,
               std::string words = "costs of an unknown origin")
      : words_(std::move(words)), cores_(cores), layout_(std::move(layout)), inside_(inside), between_(between) {}
  MachineModel(const MachineModel&) = delete;
  MachineModel& operator=(const MachineModel&) = delete;

  double seconds(const Choice& choice, const Problem& problem, std::int64_t element_size) const override;
  double seconds_within(RecordingContext& context, double limit, const Choice& choice, const Problem& problem,
                        std::int64_t element_size) const override;
  double seconds_once(const Choice& choice, const Problem& problem, std::int64_t element_size) const override;
  double at_least(const Choice& choice, const Problem& problem, std::int64_t element_size) const override;
  double bound(const Problem& problem, std::int64_t element_size) const override;
  /// Returns the seconds of one call to which each rank comes so many seconds late, whatever their number: see
  /// replayed_seconds(). Infinite for a schedule that is too long to be replayed.
  double seconds_unevenly(const Choice& choice, const Problem& problem, std::int64_t element_size,
                          std::span<const double> starts) const;
  std::string describe() const override { return words_; }
  const Layout& layout() const override { return layout_; }
  std::int64_t short_bytes() const override { return inside_.short_bytes; }
  /// Many ranks' blocks of different sizes are priced as even ones.
  Problem essence(const Problem& problem) const override;

 private:
  class Costs;

  double seconds_of(RecordingContext& context, const Choice& choice, const Problem& problem, std::int64_t element_size,
                    Calls calls, double limit) const;

  std::string words_;
  int cores_;
  Layout layout_;
  MachineCosts inside_;
  MachineCosts between_;
};

/// Cost model of a machine whose ranks come to their call unevenly: its prices are of one call, from when the first of
/// them is there until the last is done.
class UnevenModel final : public CostModel {
 public:
  /// `machine` outlives it; `starts` are seconds, by rank.
  UnevenModel(const MachineModel& machine, std::vector<double> starts)
      : machine_(machine), starts_(std::move(starts)) {}

  double seconds(const Choice& choice, const Problem& problem, std::int64_t element_size) const override {
    return machine_.seconds_unevenly(choice, problem, element_size, starts_);
  }
  double bound(const Problem& problem, std::int64_t element_size) const override;
  std::string describe() const override;
  const Layout& layout() const override { return machine_.layout(); }
  std::int64_t short_bytes() const override { return machine_.short_bytes(); }

 private:
  const MachineModel& machine_;
  std::vector<double> starts_;
};

}  // namespace tutti
