/// @file
/// MPICH's tree of selections, by which it chooses collective algorithms.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "app/commands/plan/rival_rules.hpp"
#include "pricing/prices.hpp"
#include "schedule/model/problem.hpp"

namespace tutti::app {

/// MPICH 4.0's MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE: objects within one another whose names are conditions; of
/// those beside one another the first that holds counts, and an algorithm ends the way. MPICH takes the file instead of
/// its own tree as a whole, and ends a program that calls a collective which is not in it. So the tree begins as
/// MPICH's own.
class MpichTree {
 public:
  /// Reads the tree of MPICH: from that file, its source's maint/tuning/coll/mpir/generic.json or its library, which
  /// holds this text; if `defaults` is empty, from the library that is installed. Throws `Error` if neither has one.
  explicit MpichTree(const std::string& defaults);

  /// Chooses these for the problem's collective over its number of ranks; calls with other numbers of ranks, or
  /// operators that do not commute, or in place for an all-to-all, stay as they are.
  void set(std::span<const Counterpart> counterparts, const Problem& problem, const std::vector<WinnerRange>& ranges);

  /// Ends with a newline.
  std::string text() const { return tree_.dump(2) + '\n'; }

 private:
  nlohmann::ordered_json tree_;
};

}  // namespace tutti::app
